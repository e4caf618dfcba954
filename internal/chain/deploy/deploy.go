// Package deploy puts a portal's contracts onto a chain. It compares what the portal needs with what the chain has, and tells which
// transactions are missing: contracts to create, roles to grant, gas money to send. The chain is all it goes by, so that a deployment that
// was interrupted is resumed by doing it again.
//
// Contracts are created by CREATE2 through the deterministic deployment proxy, with their final owner as an argument: who pays for the
// deployment gets no rights by it. What only the owner may do is sent if the wallet is the owner's, and else written down for them, such as
// for a multisig (see Batches).
package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

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
	// Former wallets lose all their rights: owners, minters, relayers.
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
	Call
	// Raw is a transaction that is signed already, instead of Call.
	Raw eth.Bytes
	// Gas is how much it is expected to use. It is a rough upper bound where the chain cannot estimate it before earlier steps.
	Gas uint64

	after   eth.Address // whose steps before it must have been sent; zero for none of others
	creates *Contract   // what it creates; nil for nothing
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
	// IsContract is whether the owner is a contract on this chain, such as a multisig.
	IsContract bool

	nonce uint64 // the next of the wallet that pays
}

// For returns the steps that a wallet can send now, in order.
func (p Plan) For(wallet eth.Address) []Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s Step) bool {
		return !s.By.IsZero() && s.By != wallet || !s.after.IsZero() && s.after != wallet
	})
}

// Others returns who else than the wallet can send steps now.
func (p Plan) Others(wallet eth.Address) (out []eth.Address) {
	for _, s := range p.Steps {
		if !s.By.IsZero() && s.By != wallet && (s.after.IsZero() || s.after == s.By) && !slices.Contains(out, s.By) {
			out = append(out, s.By)
		}
	}
	return out
}

// Cost returns what steps are expected to cost, in wei: gas at today's price, and what they pay.
func (p Plan) Cost(steps []Step) (gas uint64, fees, values *big.Int) {
	values = new(big.Int)
	for _, s := range steps {
		gas += s.Gas
		if s.Value != nil {
			values.Add(values, s.Value)
		}
	}
	fees = new(big.Int).Mul(p.Price, new(big.Int).SetUint64(gas))
	return gas, fees.Add(fees, p.Data), values
}

// MakePlan compares what is wanted with the chain. from pays for the steps that anyone can send. It fails if the endpoint does not answer,
// or serves another chain.
func MakePlan(ctx context.Context, rpc Caller, w Wanted, from eth.Address) (Plan, error) {
	return makePlan(ctx, rpc, w, from, 0)
}

// makePlan is MakePlan as of the newest block, or of a newer one that the endpoint has told of: there may be several nodes behind it.
func makePlan(ctx context.Context, rpc Caller, w Wanted, from eth.Address, seen uint64) (plan Plan, err error) {
	const attempts, pause = 10, 200 * time.Millisecond
	for range attempts {
		if plan, err = planOnce(ctx, rpc, w, from, seen); !errors.Is(err, errInconsistent) {
			return plan, err
		}
		select {
		case <-ctx.Done():
			return plan, ctx.Err()
		case <-time.After(pause):
		}
	}
	return plan, err
}

func planOnce(ctx context.Context, rpc Caller, w Wanted, from eth.Address, seen uint64) (Plan, error) {
	p := planner{ctx: ctx, rpc: rpc, w: w, from: from}
	var head eth.Quantity
	if err := rpc.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return Plan{}, err
	}
	p.at = head
	if newest, _ := head.Uint64(); newest < seen {
		p.at = eth.NewQuantity(seen)
	}
	if err := p.run(); err != nil {
		return Plan{}, err
	}
	var count eth.Quantity
	if err := rpc.CallContext(ctx, &count, "eth_getTransactionCount", from, p.at); err != nil {
		return Plan{}, err
	}
	p.nonce, _ = count.Uint64()
	return p.Plan, nil
}

// planner makes a plan.
type planner struct {
	Plan
	ctx  context.Context
	rpc  Caller
	w    Wanted
	from eth.Address
	at   eth.Quantity // the block that is asked of

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
	delegated := bytes.HasPrefix(p.code[p.w.Owner], []byte{0xef, 0x01, 0x00}) // an ordinary wallet (EIP-7702)
	p.IsContract = p.exists(p.w.Owner) && !delegated
	var err error
	if p.Price, err = gasPrice(p.ctx, p.rpc); err != nil {
		return err
	}
	p.create()
	if err := p.runsCancun(); err != nil {
		return err
	}
	p.wiring()
	if !p.w.TopUp {
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

// right is who may do something with a contract, and whose steps must have been sent before they may.
type right struct{ by, after eth.Address }

// step adds a call that somebody has the right to make.
func (p *planner) step(r right, to eth.Address, data []byte, format string, args ...any) {
	if r.after == r.by {
		r.after = eth.Address{}
	}
	p.Steps = append(p.Steps, Step{Title: fmt.Sprintf(format, args...), By: r.by, after: r.after, Call: Call{To: to, Data: data}})
}

// readCode reads the code at all addresses.
func (p *planner) readCode() error {
	p.code, p.foreign = map[eth.Address][]byte{}, map[eth.Address]bool{}
	places := []eth.Address{contracts.Deployer, gasOracle, p.w.Owner}
	for _, c := range p.w.Contracts {
		places = append(places, c.Address)
	}
	batch, codes := make([]gethrpc.BatchElem, len(places)), make([]eth.Bytes, len(places))
	for i, place := range places {
		batch[i] = gethrpc.BatchElem{Method: "eth_getCode", Args: []any{place, p.at}, Result: &codes[i]}
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
			s := Step{
				Title: "create " + c.Title, creates: &p.w.Contracts[i], Gas: creationGas(len(c.Deployment.InitCode)),
				Call: Call{To: contracts.Deployer, Data: c.Deployment.Call()},
			}
			if c.Setting == Marketplace {
				s.Gas = marketplaceGas
			}
			p.Steps = append(p.Steps, s)
		}
	}
	if !p.exists(contracts.Deployer) && slices.ContainsFunc(p.Steps, func(s Step) bool { return s.creates != nil }) {
		p.createProxy()
	}
}

// runsCancun notes a problem if collections are to be created on a chain that does not run code for Cancun.
func (p *planner) runsCancun() error {
	if !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.creates != nil && s.creates.Collection.Slug != "" }) {
		return nil
	}
	probe := eth.Bytes{0x5f, 0x5f, 0x5f, 0x5e, 0x00} // PUSH0, PUSH0, PUSH0, MCOPY, STOP: the creation of an empty contract
	err := p.rpc.CallContext(p.ctx, new(eth.Bytes), "eth_call", map[string]any{"data": probe}, "latest")
	if _, ok := errors.AsType[gethrpc.Error](err); ok { // the endpoint's answer, in whatever words
		p.problem("chain %d does not run code for Cancun, which the collections need", p.w.Chain)
		return nil
	}
	return err
}

// creationGas is roughly what a contract's creation uses at most: 200 for each byte that is stored and 16 for each of the transaction's,
// and what its constructor does.
func creationGas(size int) uint64 { return 400_000 + 216*uint64(size) }

// marketplaceGas is roughly what the creation of a marketplace uses. It cannot be estimated before the router exists.
const marketplaceGas = 2_800_000

// checkCode compares the code of a contract that exists with this version's.
func (p *planner) checkCode(c Contract) {
	built, err := contracts.Artifact(c.Name)
	if c.Name == "" || err != nil || built.IsCode(p.code[c.Address]) {
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

// wiring compares the contracts that others were made with: what is deposited for a paymaster of another EntryPoint can never be withdrawn.
func (p *planner) wiring() {
	for _, of := range []struct{ setting, view, other string }{
		{Paymaster, "entryPoint()", EntryPoint}, {Factory, "implementation()", Implementation},
	} {
		c, ok := p.find(of.setting)
		other := slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == of.other })
		if !ok || other < 0 {
			continue
		}
		want := p.w.Contracts[other].Address
		p.word(c, func(word eth.Hash) {
			if word != eth.AddressWord(want) {
				p.problem("%s: %s was made for another contract than %s, %s", c.Setting, c.Address.Checksum(), of.other, want.Checksum())
			}
		}, of.view)
	}
}

// paymaster compares who owns the paymaster, signs and sends.
func (p *planner) paymaster() {
	c, ok := p.find(Paymaster)
	if !ok {
		return
	}
	var owner, pending eth.Address
	var mine right
	p.address(c, "owner()", &owner)
	p.address(c, "pendingOwner()", &pending)
	p.then(func() {
		mine = right{by: p.w.Owner}
		if owner == p.w.Owner {
			return
		}
		if pending != p.w.Owner {
			p.step(right{by: owner}, c.Address, contracts.Call("transferOwnership(address)", eth.AddressWord(p.w.Owner)),
				"offer the paymaster to %s", p.w.Owner.Checksum())
			mine.after = owner
		}
		p.step(mine, c.Address, contracts.Call("acceptOwnership()"), "take over the paymaster")
	})
	for _, list := range []struct {
		wanted                eth.Address
		has, set, count, what string
	}{
		{p.w.Signer, "isSigner(address)", "setSigner(address,bool)", "signerCount()", "sign"},
		{p.w.Relayer, "isRelayer(address)", "setRelayer(address,bool)", "relayerCount()", "send"},
	} {
		for _, wallet := range append([]eth.Address{list.wanted}, p.w.Former...) {
			p.word(c, func(listed eth.Hash) {
				switch wanted := wallet == list.wanted; {
				case wallet.IsZero():
				case wanted && listed != yes:
					p.step(mine, c.Address, contracts.Call(list.set, eth.AddressWord(wallet), yes),
						"let %s %s what the paymaster pays for", wallet.Checksum(), list.what)
				case !wanted && listed == yes:
					p.step(mine, c.Address, contracts.Call(list.set, eth.AddressWord(wallet), eth.Hash{}),
						"no longer let %s %s what the paymaster pays for", wallet.Checksum(), list.what)
				}
			}, list.has, eth.AddressWord(wallet))
		}
		count := new(big.Int)
		p.number(c, count, list.count)
		p.then(func() {
			if count.Cmp(big.NewInt(1)) > 0 {
				p.note("%s: %s wallets can %s what the paymaster pays for: --former names those that no longer shall", c.Setting, count, list.what)
			}
		})
	}
}

// marketplace compares who administers the marketplace, who can replace its code, and who takes a fee.
func (p *planner) marketplace() {
	c, ok := p.find(Marketplace)
	if !ok {
		return
	}
	for _, role := range []struct {
		id   eth.Hash
		what string
		own  int64 // how many members it has with one wallet: the marketplace counts some twice
	}{{adminRole, "administer the marketplace", 1}, {extensionRole, "replace the marketplace's code", 2}} {
		members := new(big.Int)
		p.handOver(c, role.id, role.what)
		p.number(c, members, "getRoleMemberCount(bytes32)", role.id)
		p.then(func() {
			if members.Cmp(big.NewInt(role.own)) > 0 {
				p.note("%s: more than one wallet can %s", c.Setting, role.what)
			}
		})
	}
	p.view(c.Address, contracts.NewMarketplaceV3().PackGetPlatformFeeInfo(), func(answer []byte) {
		if len(answer) == 64 && new(big.Int).SetBytes(answer[32:]).Sign() > 0 {
			p.note("%s: %s receives a fee of %s basis points of each sale", c.Setting, eth.Address(answer[12:32]).Checksum(),
				new(big.Int).SetBytes(answer[32:]))
		}
	})
}

// tokens compares the roles, URIs and royalties of the contracts that mint.
func (p *planner) tokens() {
	for _, c := range p.w.Contracts {
		if c.Collection.Slug == "" && c.Setting != GOD && c.Setting != Currency || !p.exists(c.Address) || p.foreign[c.Address] {
			continue
		}
		admin := p.handOver(c, adminRole, "administer "+c.Title)
		for _, minter := range append(slices.Clone(p.w.Minters), p.w.Former...) {
			p.word(c, func(has eth.Hash) {
				switch wanted := slices.Contains(p.w.Minters, minter); {
				case wanted && has != yes:
					p.step(*admin, c.Address, contracts.Call("grantRole(bytes32,address)", minterRole, eth.AddressWord(minter)), "let %s mint %s",
						minter.Checksum(), c.Title)
				case !wanted && has == yes:
					p.step(*admin, c.Address, contracts.Call("revokeRole(bytes32,address)", minterRole, eth.AddressWord(minter)),
						"no longer let %s mint %s", minter.Checksum(), c.Title)
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

// handOver compares who has the role of an owner, and lets former owners pass it on. The right that it returns is valid once it was asked:
// that to do what the role allows.
func (p *planner) handOver(c Contract, role eth.Hash, what string) *right {
	holders, mine := []eth.Address{p.w.Owner}, new(right)
	for _, h := range append([]eth.Address{p.from}, p.w.Former...) {
		if !h.IsZero() && !slices.Contains(holders, h) {
			holders = append(holders, h)
		}
	}
	has := make([]bool, len(holders))
	for i, h := range holders {
		p.word(c, func(answer eth.Hash) { has[i] = answer == yes }, "hasRole(bytes32,address)", role, eth.AddressWord(h))
	}
	p.then(func() {
		i := slices.Index(has, true)
		if i < 0 {
			p.problem("%s: none of %s can %s, %s: --former names who can", c.Setting, text(holders), what, c.Address.Checksum())
			return
		}
		if mine.by = p.w.Owner; i > 0 {
			p.step(right{by: holders[i]}, c.Address, contracts.Call("grantRole(bytes32,address)", role, eth.AddressWord(p.w.Owner)), "let %s %s",
				p.w.Owner.Checksum(), what)
			mine.after = holders[i]
		}
		for j, former := range holders[1:] {
			switch {
			case !has[j+1]:
			case slices.Contains(p.w.Former, former):
				p.step(*mine, c.Address, contracts.Call("revokeRole(bytes32,address)", role, eth.AddressWord(former)), "no longer let %s %s",
					former.Checksum(), what)
			default:
				p.note("%s: %s can %s as well: --former takes that from it", c.Setting, former.Checksum(), what)
			}
		}
	})
	return mine
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
func (p *planner) baseURI(c Contract, admin *right) {
	abi := contracts.NewCollection721() // the two functions are the same in all collections
	p.view(c.Address, abi.PackBaseURI(), func(answer []byte) {
		if now, err := abi.UnpackBaseURI(answer); err == nil && now != p.w.BaseURI {
			p.step(*admin, c.Address, abi.PackSetBaseURI(p.w.BaseURI), "set where the metadata of %s is: %s, not %s", c.Title, p.w.BaseURI, now)
		}
	})
}

// royalty compares the studio's share of sales.
func (p *planner) royalty(c Contract, admin *right) {
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
	if len(p.w.Tables) == 0 {
		return
	}
	i := slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Name == "Chests" })
	if i < 0 || p.foreign[p.w.Contracts[i].Address] {
		p.problem("--pack: there is no contract of packs that fixes tables on chain %d", p.w.Chain)
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
			p.step(right{by: p.w.Owner}, c.Address, contracts.NewChests().PackFixTables(ids, hashes, most),
				"fix the drop tables and the most of packs %s", list(ids))
			p.Steps[len(p.Steps)-1].Gas = 100_000 + 70_000*uint64(len(ids))
		}
	})
}

// money fills wallets and the paymaster's deposit.
func (p *planner) money() {
	entryPoint := p.w.Contracts[slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == EntryPoint })]
	var paymaster Contract // none with an external paymaster, which has its own deposit
	if i := slices.IndexFunc(p.w.Contracts, func(c Contract) bool { return c.Setting == Paymaster }); i >= 0 {
		paymaster = p.w.Contracts[i]
	}
	for _, m := range p.w.Gas {
		balance := new(big.Int)
		switch {
		case !m.Wallet.IsZero():
			p.questions = append(p.questions, question{method: "eth_getBalance", args: []any{m.Wallet, p.at},
				judge: func(answer []byte) { balance.SetBytes(answer) }})
		case p.exists(entryPoint.Address):
			p.number(entryPoint, balance, "balanceOf(address)", eth.AddressWord(paymaster.Address))
		}
		p.then(func() {
			full := new(big.Int).Mul(p.Price, new(big.Int).SetUint64(m.Gas))
			if new(big.Int).Lsh(balance, 1).Cmp(full) >= 0 {
				return
			}
			s := Step{Title: "send gas money to " + m.Title, Gas: 21_000, Call: Call{To: m.Wallet, Value: full.Sub(full, balance)}}
			if m.Wallet.IsZero() {
				s.Gas, s.To, s.Data = 60_000, entryPoint.Address, contracts.Call("depositTo(address)", eth.AddressWord(paymaster.Address))
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
		if len(s.Raw) > 0 || p.isPlanned(s.To) || s.creates != nil && s.creates.Setting == Marketplace {
			continue
		}
		from := s.By
		if from.IsZero() {
			from = p.from
		}
		batch = append(batch, gethrpc.BatchElem{Method: "eth_estimateGas", Args: []any{message(from, s.Call)}, Result: &results[i]})
		of = append(of, i)
	}
	if err := callBatch(p.ctx, p.rpc, batch); err != nil {
		return err
	}
	for i, e := range batch {
		s := &p.Steps[of[i]]
		gas, ok := results[of[i]].Uint64()
		if e.Error == nil && ok && gas > 0 {
			s.Gas = gas
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
