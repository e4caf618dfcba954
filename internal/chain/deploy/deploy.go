// Package deploy puts a portal's contracts onto a chain. It compares what the portal needs with what the chain has, and tells which
// transactions are missing: contracts to create, roles to grant, gas money to send. The chain is all it goes by, so that a deployment that
// was interrupted is resumed by doing it again.
//
// Contracts are created by CREATE2 through the deterministic deployment proxy, with their final owner as an argument: who pays for the
// deployment gets no rights by it. What only the owner may do is sent if the wallet is the owner's, and else written down for them, such as
// for a multisig (see Batches).
package deploy

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Caller calls a chain's endpoint; see rpc.Client.
type Caller interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
	BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error
}

// Wanted is what a portal needs on one chain.
type Wanted struct {
	Chain onchain.ChainID
	Params
	Contracts []Contract // see the function of this name

	// Decimals are those of the brand's currency.
	Decimals int
	// Former owners may still have rights, which are taken from them.
	Former []eth.Address
	// Tables are fixed in the contract of the packs. That cannot be undone.
	Tables []Table
	// Gas is how much gas the wallets and the paymaster's deposit should be able to pay, by today's price: those that can pay less than
	// half are filled up to it.
	Gas []Money
	// TopUp leaves everything but Gas alone.
	TopUp bool
}

// Table is what is fixed in the contract for a kind of pack, once and before the first is minted.
type Table struct {
	TokenID money.Units // uint256
	Table   [32]byte    // SHA-256 of the drop table
	Max     int64       // how many packs can ever be minted; at least 1
}

// Money is what a wallet, or the paymaster's deposit, should be able to pay.
type Money struct {
	Title  string
	Wallet eth.Address // zero for the paymaster's deposit
	Gas    uint64
}

// Step is a transaction that is missing.
type Step struct {
	Title string
	By    eth.Address // who must send it; zero for anyone
	Calls []Call      // more than one are made in one transaction
	// Raw is a transaction that is signed already, instead of Calls.
	Raw eth.Bytes
	// Gas is how much it is expected to use. It is a rough upper bound where the chain cannot estimate it before earlier steps.
	Gas uint64
	// creates is the contract that it creates; nil for none.
	creates *Contract
}

// Call is a call of a contract, or a payment.
type Call struct {
	To    eth.Address
	Value *big.Int // wei; nil for none
	Data  eth.Bytes
}

// Plan is what is missing on a chain.
type Plan struct {
	Steps []Step
	// Problems must be solved first: nothing is sent while there are some.
	Problems []string
	// Notes are what an operator should know.
	Notes []string
	// Price is what a unit of gas costs now, in wei.
	Price *big.Int
	// Data is what the chain charges for publishing the steps' data, in wei, apart from their gas (chains of the OP stack).
	Data *big.Int
}

// For returns the steps that a wallet can send, in order.
func (p Plan) For(wallet eth.Address) []Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s Step) bool { return !s.By.IsZero() && s.By != wallet })
}

// Others returns the steps that only others than the wallet can send, by who can.
func (p Plan) Others(wallet eth.Address) map[eth.Address][]Step {
	out := map[eth.Address][]Step{}
	for _, s := range p.Steps {
		if !s.By.IsZero() && s.By != wallet {
			out[s.By] = append(out[s.By], s)
		}
	}
	return out
}

// Cost returns what steps are expected to cost, in wei: gas at today's price, and what they pay.
func (p Plan) Cost(steps []Step) (gas uint64, fees, values *big.Int) {
	values = new(big.Int)
	for _, s := range steps {
		gas += s.Gas
		for _, c := range s.Calls {
			if c.Value != nil {
				values.Add(values, c.Value)
			}
		}
	}
	fees = new(big.Int).Mul(p.Price, new(big.Int).SetUint64(gas))
	return gas, fees.Add(fees, p.Data), values
}

// MakePlan compares what is wanted with the chain. from pays for the steps that anyone can send. It fails if the endpoint does not answer,
// or serves another chain.
func MakePlan(ctx context.Context, rpc Caller, w Wanted, from eth.Address) (Plan, error) {
	p := planner{ctx: ctx, rpc: rpc, w: w, from: from}
	if err := p.run(); err != nil {
		return Plan{}, err
	}
	return p.Plan, nil
}

// planner makes a plan.
type planner struct {
	Plan
	ctx  context.Context
	rpc  Caller
	w    Wanted
	from eth.Address

	questions []question
	code      map[eth.Address][]byte
	foreign   map[eth.Address]bool // contracts that are not this version's
}

func (p *planner) run() error {
	var id eth.Quantity
	if err := p.rpc.CallContext(p.ctx, &id, "eth_chainId"); err != nil {
		return err
	}
	if n, ok := id.Uint64(); !ok || onchain.ChainID(n) != p.w.Chain {
		return fmt.Errorf("the endpoint serves chain %s, not %d", id.Big(), p.w.Chain)
	}
	if err := p.readCode(); err != nil {
		return err
	}
	var err error
	if p.Price, err = gasPrice(p.ctx, p.rpc); err != nil {
		return err
	}
	if !p.w.TopUp {
		p.create()
		for _, ask := range []func(){p.paymaster, p.marketplace, p.tokens, p.currency, p.tables} {
			ask()
		}
	}
	p.money()
	if err := p.ask(); err != nil {
		return err
	}
	return p.estimate()
}

// problem notes what must be solved first.
func (p *planner) problem(format string, args ...any) {
	p.Problems = append(p.Problems, fmt.Sprintf(format, args...))
}

func (p *planner) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// step adds a step of one call.
func (p *planner) step(by eth.Address, to eth.Address, data []byte, format string, args ...any) {
	p.Steps = append(p.Steps, Step{Title: fmt.Sprintf(format, args...), By: by, Calls: []Call{{To: to, Data: data}}})
}

// readCode reads the code at all addresses.
func (p *planner) readCode() error {
	p.code, p.foreign = map[eth.Address][]byte{}, map[eth.Address]bool{}
	places := []eth.Address{contracts.Deployer, gasOracle}
	for _, c := range p.w.Contracts {
		places = append(places, c.Address)
	}
	batch, codes := make([]gethrpc.BatchElem, len(places)), make([]eth.Bytes, len(places))
	for i, place := range places {
		batch[i] = gethrpc.BatchElem{Method: "eth_getCode", Args: []any{place, "latest"}, Result: &codes[i]}
	}
	if err := callBatch(p.ctx, p.rpc, batch); err != nil {
		return err
	}
	for i, place := range places {
		if batch[i].Error != nil {
			return batch[i].Error
		}
		p.code[place] = codes[i]
	}
	return nil
}

func (p *planner) exists(a eth.Address) bool { return len(p.code[a]) > 0 }

// find returns the contract of a setting that exists.
func (p *planner) find(setting string) (Contract, bool) {
	i := slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == setting })
	if i < 0 || !p.exists(p.w.Contracts[i].Address) {
		return Contract{}, false
	}
	return p.w.Contracts[i], true
}

// create adds the steps that create contracts, and says what is wrong with those that exist.
func (p *planner) create() {
	for i, c := range p.w.Contracts {
		switch {
		case p.exists(c.Address):
			p.checkCode(c)
		case c.Deployment == nil:
			p.problem("%s: there is no contract at %s on chain %d: correct the address, or remove it to have the contract created", c.Setting,
				c.Address.Checksum(), p.w.Chain)
		default:
			s := Step{Title: "create " + c.Title, creates: &p.w.Contracts[i], Gas: creationGas(len(c.Deployment.InitCode))}
			s.Calls = []Call{{To: contracts.Deployer, Data: c.Deployment.Call()}}
			if c.Call != nil {
				s.Calls = append(s.Calls, Call{To: c.Address, Data: c.Call})
				s.Gas += initialisationGas
			}
			p.Steps = append(p.Steps, s)
		}
	}
	if !p.exists(contracts.Deployer) && slices.ContainsFunc(p.Steps, func(s Step) bool { return s.creates != nil }) {
		p.Steps = append(proxySteps(), p.Steps...)
	}
}

// initialisationGas is roughly what the marketplace's initialisation uses at most.
const initialisationGas = 2_500_000

// creationGas is roughly what a contract's creation uses at most: 200 for each byte that is stored and 16 for each of the transaction's, and
// what its constructor does.
func creationGas(size int) uint64 { return 400_000 + 216*uint64(size) }

// checkCode compares the code of a contract that exists with this version's.
func (p *planner) checkCode(c Contract) {
	code := p.code[c.Address]
	if c.Name == "" {
		if c.Deployment != nil && !slices.Equal(code, contracts.CloneCode(c.Deployment.InitCode)) {
			p.problem("%s: another contract is at %s: choose another --salt", c.Setting, c.Address.Checksum())
		}
		return
	}
	built, err := contracts.Artifact(c.Name)
	if err != nil || built.IsCode(code) {
		return
	}
	if slices.Contains(contracts.Required, c.Name) {
		p.problem("%s: the code at %s is not this version's %s: correct the address, or remove it to have the contract created", c.Setting,
			c.Address.Checksum(), c.Name)
		return
	}
	p.foreign[c.Address] = true
	if c.Setting != Currency {
		p.note("%s: the contract at %s is not this version's %s: who mints and administers it is not compared", c.Setting, c.Address.Checksum(),
			c.Name)
	}
}

// paymaster compares who owns the paymaster, signs and sends.
func (p *planner) paymaster() {
	c, ok := p.find(Paymaster)
	if !ok {
		return
	}
	var owner, pending eth.Address
	p.address(c, "owner()", &owner)
	p.address(c, "pendingOwner()", &pending)
	p.then(func() {
		switch {
		case owner == p.w.Owner:
		case pending == p.w.Owner:
			p.step(p.w.Owner, c.Address, contracts.Call("acceptOwnership()"), "take over the paymaster")
			owner = p.w.Owner // by the time of the steps below
		default:
			p.step(owner, c.Address, contracts.Call("transferOwnership(address)", eth.AddressWord(p.w.Owner)), "offer the paymaster to %s",
				p.w.Owner.Checksum())
			p.step(p.w.Owner, c.Address, contracts.Call("acceptOwnership()"), "take over the paymaster")
			owner = p.w.Owner
		}
	})
	var signer eth.Address
	p.address(c, "signer()", &signer)
	p.then(func() {
		if signer != p.w.Signer {
			p.step(owner, c.Address, contracts.Call("setSigner(address)", eth.AddressWord(p.w.Signer)), "let %s sign what the paymaster pays for",
				p.w.Signer.Checksum())
		}
	})
	p.word(c, func(relays eth.Hash) {
		if relays != yes {
			p.step(owner, c.Address, contracts.Call("setRelayer(address,bool)", eth.AddressWord(p.w.Relayer), yes), "let %s send what the paymaster "+
				"pays for", p.w.Relayer.Checksum())
		}
	}, "isRelayer(address)", eth.AddressWord(p.w.Relayer))
}

// marketplace compares who administers the marketplace, and who can replace its code. Anyone could have initialised it between its creation
// and ours.
func (p *planner) marketplace() {
	c, ok := p.find(Marketplace)
	if !ok {
		return
	}
	fresh := false
	for _, role := range []struct {
		id   eth.Hash
		what string
	}{{adminRole, "administer the marketplace"}, {extensionRole, "replace the marketplace's code"}} {
		members := new(big.Int)
		p.number(c, members, "getRoleMemberCount(bytes32)", role.id)
		p.then(func() {
			if fresh = fresh || c.Deployment != nil && role.id == adminRole && members.Sign() == 0; fresh && role.id == adminRole {
				p.Steps = append(p.Steps, Step{Title: "initialise the marketplace", Calls: []Call{{To: c.Address, Data: c.Call}}, Gas: initialisationGas})
			}
		})
		p.handOver(c, role.id, role.what, &fresh)
		p.then(func() {
			if members.Cmp(big.NewInt(1)) > 0 {
				p.note("%s: %s wallets can %s", c.Setting, members, role.what)
			}
		})
	}
}

// tokens compares the roles, URIs and royalties of the contracts that mint.
func (p *planner) tokens() {
	for _, c := range p.w.Contracts {
		if c.Collection.Slug == "" && c.Setting != GOD && c.Setting != Currency || !p.exists(c.Address) || p.foreign[c.Address] {
			continue
		}
		admin := p.handOver(c, adminRole, "administer "+c.Title, new(bool))
		for _, minter := range p.w.Minters {
			p.word(c, func(has eth.Hash) {
				if has != yes {
					p.step(*admin, c.Address, contracts.Call("grantRole(bytes32,address)", minterRole, eth.AddressWord(minter)), "let %s mint %s",
						minter.Checksum(), c.Title)
				}
			}, "hasRole(bytes32,address)", minterRole, eth.AddressWord(minter))
		}
		if c.Collection.Slug != "" {
			p.baseURI(c, admin)
			if !c.Collection.Soulbound {
				p.royalty(c, admin)
			}
		}
	}
}

// handOver compares who has the role of an owner, and lets former owners pass it on. The address it returns is valid once it was asked:
// that of who can do what the role allows. Nothing is compared where except is true by then.
func (p *planner) handOver(c Contract, role eth.Hash, what string, except *bool) *eth.Address {
	holders, holder := append([]eth.Address{p.w.Owner, p.from}, p.w.Former...), new(eth.Address)
	has := make([]bool, len(holders))
	for i, h := range holders {
		p.word(c, func(answer eth.Hash) { has[i] = answer == yes }, "hasRole(bytes32,address)", role, eth.AddressWord(h))
	}
	p.then(func() {
		i := slices.Index(has, true)
		switch {
		case *except:
			return
		case i < 0 && c.Setting == Marketplace && c.Deployment != nil:
			p.problem("%s: somebody else has initialised the marketplace at %s: choose another --salt", c.Setting, c.Address.Checksum())
			return
		case i < 0:
			p.problem("%s: none of %s can %s, %s: --former-owner names who can", c.Setting, text(holders), what, c.Address.Checksum())
			return
		case i > 0:
			p.step(holders[i], c.Address, contracts.Call("grantRole(bytes32,address)", role, eth.AddressWord(p.w.Owner)), "let %s %s",
				p.w.Owner.Checksum(), what)
		}
		*holder = p.w.Owner // by the time of the steps below
		for j, former := range holders {
			if has[j] && former != p.w.Owner && slices.Contains(p.w.Former, former) {
				p.step(p.w.Owner, c.Address, contracts.Call("revokeRole(bytes32,address)", role, eth.AddressWord(former)), "no longer let %s %s",
					former.Checksum(), what)
			}
		}
	})
	return holder
}

func list(ids []*big.Int) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return strings.Join(out, ", ")
}

func text(list []eth.Address) string {
	var out []string
	for _, a := range list {
		if !a.IsZero() {
			out = append(out, a.Checksum())
		}
	}
	return strings.Join(out, ", ")
}

// baseURI compares where the tokens' metadata is.
func (p *planner) baseURI(c Contract, admin *eth.Address) {
	abi := contracts.NewCollection721() // the two functions are the same in all collections
	p.view(c.Address, abi.PackBaseURI(), func(answer []byte) {
		if now, err := abi.UnpackBaseURI(answer); err == nil && now != p.w.BaseURI {
			p.step(*admin, c.Address, abi.PackSetBaseURI(p.w.BaseURI), "set where the metadata of %s is: %s, not %s", c.Title, p.w.BaseURI, now)
		}
	})
}

// royalty compares the studio's share of sales.
func (p *planner) royalty(c Contract, admin *eth.Address) {
	const whole = 10_000
	p.view(c.Address, contracts.Call("royaltyInfo(uint256,uint256)", eth.Hash{}, eth.Hash(eth.NewQuantity(whole))), func(answer []byte) {
		if len(answer) != 64 {
			p.note("%s: %s does not tell its royalty", c.Setting, c.Address.Checksum())
			return
		}
		receiver, points := eth.Address(answer[12:32]), new(big.Int).SetBytes(answer[32:]).Int64()
		want := min(p.w.Royalty.BasisPoints, points)
		if want < p.w.Royalty.BasisPoints {
			p.note("%s: the royalty of %s is %d basis points, and is never raised", c.Setting, c.Title, points)
		}
		if receiver == p.w.Royalty.Receiver && points == want {
			return
		}
		p.step(*admin, c.Address, contracts.Call("setRoyalty(address,uint96)", eth.AddressWord(p.w.Royalty.Receiver),
			eth.Hash(eth.NewQuantity(uint64(want)))), "set the royalty of %s", c.Title)
	})
}

// currency compares the decimals of a currency that was given.
func (p *planner) currency() {
	c, ok := p.find(Currency)
	if !ok {
		return
	}
	decimals := new(big.Int).SetInt64(-1)
	p.number(c, decimals, "decimals()")
	p.then(func() {
		if decimals.Cmp(big.NewInt(int64(p.w.Decimals))) != 0 {
			p.problem("%s: %s has %s decimals, and the brand's currency %d", c.Setting, c.Address.Checksum(), decimals, p.w.Decimals)
		}
	})
}

// tables compares what is fixed for the kinds of packs.
func (p *planner) tables() {
	i := slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Name == "Chests" })
	if i < 0 || len(p.w.Tables) == 0 {
		return
	}
	c := p.w.Contracts[i]
	var missing []Table
	if !p.exists(c.Address) {
		missing = p.w.Tables
	} else {
		for _, t := range p.w.Tables {
			want := eth.Hash(t.Table)
			p.word(c, func(fixed eth.Hash) {
				switch {
				case fixed == want:
				case fixed.IsZero():
					missing = append(missing, t)
				default:
					p.problem("%s: the drop table of pack %s is %s for ever, not %s: add an edition", c.Setting, t.TokenID, fixed, want)
				}
			}, "tableOf(uint256)", eth.Hash(quantity(t.TokenID.Big())))
		}
	}
	p.then(func() {
		var ids, most []*big.Int
		var hashes [][32]byte
		for _, t := range missing {
			ids, hashes, most = append(ids, t.TokenID.Big()), append(hashes, t.Table), append(most, big.NewInt(t.Max))
		}
		if len(ids) > 0 {
			p.step(p.w.Owner, c.Address, contracts.NewChests().PackFixTables(ids, hashes, most), "fix the drop tables and the most of packs %s", list(ids))
			p.Steps[len(p.Steps)-1].Gas = 100_000 + 70_000*uint64(len(ids))
		}
	})
}

// money fills wallets and the paymaster's deposit.
func (p *planner) money() {
	entryPoint := p.w.Contracts[slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == EntryPoint })]
	paymaster := p.w.Contracts[slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == Paymaster })]
	for _, m := range p.w.Gas {
		balance := new(big.Int)
		switch {
		case !m.Wallet.IsZero():
			p.questions = append(p.questions, question{method: "eth_getBalance", args: []any{m.Wallet, "latest"},
				judge: func(answer []byte) { balance.SetBytes(answer) }})
		case p.exists(entryPoint.Address):
			p.number(entryPoint, balance, "balanceOf(address)", eth.AddressWord(paymaster.Address))
		}
		p.then(func() {
			full := new(big.Int).Mul(p.Price, new(big.Int).SetUint64(m.Gas))
			if new(big.Int).Lsh(balance, 1).Cmp(full) >= 0 {
				return
			}
			s := Step{Title: "send gas money to " + m.Title, Gas: 21_000,
				Calls: []Call{{To: m.Wallet, Value: full.Sub(full, balance)}}}
			if m.Wallet.IsZero() {
				s.Gas, s.Calls[0].To = 60_000, entryPoint.Address
				s.Calls[0].Data = contracts.Call("depositTo(address)", eth.AddressWord(paymaster.Address))
			}
			p.Steps = append(p.Steps, s)
		})
	}
}

// estimate asks the chain how much gas the steps use, where it can tell before the earlier ones.
func (p *planner) estimate() error {
	var batch []gethrpc.BatchElem
	var of []int
	results := make([]eth.Quantity, len(p.Steps))
	for i, s := range p.Steps {
		if len(s.Calls) != 1 || p.isPlanned(s.Calls[0].To) {
			continue
		}
		from, c := s.By, s.Calls[0]
		if from.IsZero() {
			from = p.from
		}
		batch = append(batch, gethrpc.BatchElem{Method: "eth_estimateGas", Args: []any{message(from, c)}, Result: &results[i]})
		of = append(of, i)
	}
	if err := callBatch(p.ctx, p.rpc, batch); err != nil {
		return err
	}
	for i, e := range batch {
		gas, ok := results[of[i]].Uint64()
		if e.Error == nil && ok && gas > 0 {
			p.Steps[of[i]].Gas = gas
		}
	}
	for i := range p.Steps {
		if p.Steps[i].Gas == 0 {
			p.Steps[i].Gas = 150_000
		}
	}
	var err error
	p.Data, err = p.dataFee()
	return err
}

// isPlanned reports whether a contract is made by an earlier step.
func (p *planner) isPlanned(a eth.Address) bool {
	return !p.exists(a) && (a == contracts.Deployer || slices.ContainsFunc(p.w.Contracts, func(c Contract) bool { return c.Address == a }))
}

// message is a call in the form of eth_call and eth_estimateGas. It has no limit of gas: some nodes would ask for the sender's balance.
func message(from eth.Address, c Call) map[string]any {
	m := map[string]any{"from": from, "to": c.To, "data": c.Data}
	if c.Value != nil {
		m["value"] = quantity(c.Value)
	}
	return m
}

// quantity converts a number of at most 256 bits, as all amounts are.
func quantity(n *big.Int) eth.Quantity {
	q, err := eth.QuantityFromBig(n)
	if err != nil {
		panic(fmt.Sprintf("deploy: %v", err))
	}
	return q
}
