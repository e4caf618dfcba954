// Package preflight compares what the portal is configured with to what is on a chain: that there is code at each address, that it is
// the code which the portal needs, that the portal's wallets have their roles, and money for gas. A portal that starts with a wrong
// address or role seems to work until its first purchase.
//
// All questions of a chain are sent together. A check changes nothing and is safe for concurrent use.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Caller calls the chain's endpoint; see rpc.Client.
type Caller interface {
	BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error
}

// Severity says what a finding means.
type Severity int

// The severities.
const (
	// Notice is worth knowing, and stops nothing yet.
	Notice Severity = iota
	// Empty means that a wallet or deposit has nothing left to pay gas with.
	Empty
	// Unknown means that the code at an address is not that of this version's contract.
	Unknown
	// Wrong means that an address or role is wrong: what needs it does not work.
	Wrong
)

// String returns the severity's name.
func (s Severity) String() string { return [...]string{"notice", "empty", "unknown", "wrong"}[s] }

// Finding is something on the chain that does not fit the configuration.
type Finding struct {
	Severity Severity
	Setting  string // the variable that names the address or wallet
	Text     string // what is wrong, and what to do
}

// String returns the finding as a line for an operator.
func (f Finding) String() string { return f.Setting + ": " + f.Text }

// Contract is an address of a setting.
type Contract struct {
	Setting string
	Address eth.Address
}

// Token is a token contract.
type Token struct {
	Contract
	Standard onchain.Standard
	Decimals int  // of an ERC-20
	Tradable bool // it can be listed on the marketplace
	Minted   bool // rewards mint it
}

// Wallet is a wallet of the portal that sends transactions on the chain.
type Wallet struct {
	Contract
	// Gas is how much gas the wallet should be able to pay: a Notice comes when its balance is less.
	Gas uint64
	// Spare is a wallet besides the one in use, which it replaces or is replaced by: what it lacks is a Notice.
	Spare bool
}

// Expected is what the portal is configured with on one chain.
type Expected struct {
	Chain                                          onchain.ChainID
	EntryPoint, Factory, Implementation, Paymaster Contract

	Marketplace Contract // zero on a chain without
	Tokens      []Token
	Relayer     Wallet // zero where an external bundler sends operations: then the paymaster must have no relayers
	// Signer is the wallet whose signature the paymaster accepts; zero for the paymaster of a service.
	Signer eth.Address
	// Claimer mints rewards.
	Claimer Wallet
	Spares  []Wallet // claimers besides it
	Others  []Wallet // other wallets that send
	// DepositGas is how much gas the paymaster's deposit should cover.
	DepositGas uint64
}

// Result is what was found on a chain.
type Result struct {
	Findings []Finding // the worst first
	Balances []Balance
	// Code has the hash of the code at each address, for comparison with a later one.
	Code map[Contract]eth.Hash
}

// Balance is what pays for gas: that of a wallet, or the paymaster's deposit at the EntryPoint.
type Balance struct {
	Setting string
	Wei     *big.Int
}

// Check asks the chain. It fails if the endpoint does not answer.
func Check(ctx context.Context, rpc Caller, x Expected) (Result, error) {
	c := &check{x: x, result: Result{Code: map[Contract]eth.Hash{}}}
	c.ask("eth_gasPrice", func(price []byte, err error) error { c.price = number(price); return err }) // the others compare with it
	c.code(x.EntryPoint, "EntryPoint")
	c.code(x.Factory, "ERC4337Factory")
	c.code(x.Implementation, "PantheonAccount")
	c.factory()
	if x.Signer.IsZero() {
		c.code(x.Paymaster, "")
	} else {
		c.code(x.Paymaster, "PantheonPaymaster")
		c.paymaster()
	}
	if !x.Marketplace.Address.IsZero() {
		c.code(x.Marketplace, "")
		c.marketplace()
	}
	for _, t := range x.Tokens {
		c.code(t.Contract, "")
		c.token(t)
	}
	for _, w := range slices.Concat([]Wallet{x.Relayer, x.Claimer}, x.Spares, x.Others) {
		if !w.Address.IsZero() {
			c.balance(w)
		}
	}
	if err := c.send(ctx, rpc); err != nil {
		return Result{}, err
	}
	return c.result, nil
}

// question is a call of the endpoint, and what follows from its answer. The answer is nil if the endpoint answered with an error. An
// error of judge fails the whole check.
type question struct {
	method string
	args   []any
	judge  func(answer []byte, err error) error
}

// check collects questions and judges their answers in the same order.
type check struct {
	x         Expected
	questions []question
	result    Result
	codeless  map[eth.Address]bool
	price     *big.Int // of a unit of gas, wei
}

func (c *check) ask(method string, judge func([]byte, error) error, args ...any) {
	c.questions = append(c.questions, question{method, args, judge})
}

// view asks a contract's view function. A contract without code was reported already, so that nothing else is said of it.
func (c *check) view(of Contract, data []byte, judge func(answer []byte, err error)) {
	c.ask("eth_call", func(answer []byte, err error) error {
		if err != nil && !isReverted(err) {
			return err
		}
		if !c.codeless[of.Address] {
			judge(answer, err)
		}
		return nil
	}, map[string]any{"to": of.Address, "data": eth.Bytes(data)}, "latest")
}

// isReverted reports whether a call's error is the contract's answer. Any other is the endpoint's, which says nothing of the contract.
// Endpoints agree neither on codes, of which only 3 is of executions alone, nor on words.
func isReverted(err error) bool {
	if coded, ok := errors.AsType[gethrpc.Error](err); ok && coded.ErrorCode() == 3 {
		return true
	}
	text := strings.ToLower(err.Error())
	return slices.ContainsFunc([]string{"revert", "opcode", "out of gas", "invalid jump", "stack underflow", "vm execution"},
		func(part string) bool { return strings.Contains(text, part) })
}

// unlessMissing returns the error of a call, nil if the endpoint does not have the method.
func unlessMissing(err error) error {
	const methodNotFound = -32601 // JSON-RPC 2.0
	if coded, ok := errors.AsType[gethrpc.Error](err); ok && coded.ErrorCode() == methodNotFound {
		return nil
	}
	return err
}

// send asks all questions and judges the answers.
func (c *check) send(ctx context.Context, rpc Caller) error {
	c.codeless = map[eth.Address]bool{}
	answers, batch := make([]eth.Bytes, len(c.questions)), make([]gethrpc.BatchElem, len(c.questions))
	quantities := make([]eth.Quantity, len(c.questions))
	for i, q := range c.questions {
		batch[i] = gethrpc.BatchElem{Method: q.method, Args: q.args, Result: &answers[i]}
		if q.method == "eth_gasPrice" || q.method == "eth_getBalance" {
			batch[i].Result = &quantities[i]
		}
	}
	if err := rpc.BatchCallContext(ctx, batch); err != nil {
		return err
	}
	for i, q := range c.questions {
		answer := []byte(answers[i])
		if batch[i].Result == any(&quantities[i]) {
			answer = quantities[i][:]
		}
		if batch[i].Error != nil {
			answer = nil
		}
		if err := q.judge(answer, batch[i].Error); err != nil {
			return fmt.Errorf("%s: %w", q.method, err)
		}
	}
	return nil
}

// found adds a finding. The worst come first.
func (c *check) found(s Severity, of Contract, format string, args ...any) {
	f := Finding{s, of.Setting, fmt.Sprintf(format, args...)}
	at := 0
	for at < len(c.result.Findings) && c.result.Findings[at].Severity >= s {
		at++
	}
	c.result.Findings = slices.Insert(c.result.Findings, at, f)
}

// code checks that there is code at the address: that of this version's contract, unless it is "".
func (c *check) code(of Contract, name string) {
	c.ask("eth_getCode", func(code []byte, err error) error {
		if err != nil {
			return err
		}
		if len(code) == 0 {
			c.codeless[of.Address] = true
			c.found(Wrong, of, "there is no contract at %s on chain %d: correct the address, or deploy it", of.Address, c.x.Chain)
			return nil
		}
		hash := eth.Keccak256(code)
		c.result.Code[of] = hash
		if name == "" {
			return nil
		}
		built, err := contracts.Artifact(name)
		if err == nil && !built.IsCode(code) {
			c.found(Unknown, of, "the code at %s on chain %d, %s, is not this version's %s: correct the address, or deploy it", of.Address,
				c.x.Chain, hash, name)
		}
		return err
	}, of.Address, "latest")
	// A proxy keeps its code when what it runs is changed.
	c.ask("eth_getStorageAt", func(implementation []byte, err error) error {
		if err != nil {
			return unlessMissing(err)
		}
		if hash, ok := c.result.Code[of]; ok {
			c.result.Code[of] = eth.Keccak256(hash[:], implementation)
		}
		return nil
	}, of.Address, contracts.ImplementationSlot, "latest")
}

// is checks a view that returns one word.
func (c *check) is(of Contract, data []byte, want eth.Hash, format string, args ...any) {
	c.view(of, data, func(answer []byte, err error) {
		if err != nil || len(answer) != 32 || eth.Hash(answer) != want {
			c.found(Wrong, of, format, args...)
		}
	})
}

var yes = eth.Hash{31: 1}

func (c *check) factory() {
	c.is(c.x.Factory, contracts.Call("implementation()"), eth.AddressWord(c.x.Implementation.Address),
		"the factory makes accounts of another implementation than %s, %s", c.x.Implementation.Setting, c.x.Implementation.Address)
}

func (c *check) paymaster() {
	x := c.x
	c.is(x.Paymaster, contracts.Call("entryPoint()"), eth.AddressWord(x.EntryPoint.Address),
		"the paymaster belongs to another EntryPoint than %s, %s", x.EntryPoint.Setting, x.EntryPoint.Address)
	c.is(x.Paymaster, contracts.Call("isSigner(address)", eth.AddressWord(x.Signer)), eth.Hash{31: 1},
		"the paymaster does not accept the signer of PAYMASTER_SIGNER_PRIVATE_KEY, %s: its owner calls setSigner", x.Signer)
	if x.Relayer.Address.IsZero() {
		c.is(x.Paymaster, contracts.Call("relayerCount()"), eth.Hash{}, "the paymaster has relayers, and an external bundler sends from other "+
			"wallets: its owner calls setRelayer for each with false")
		c.deposit()
		return
	}
	open := false
	c.view(x.Paymaster, contracts.Call("relayerCount()"), func(answer []byte, err error) {
		if open = err == nil && len(answer) == 32 && eth.Hash(answer).IsZero(); open {
			c.found(Notice, x.Paymaster, "the paymaster has no relayers, so that anyone may send what it pays for: its owner calls setRelayer")
		}
	})
	c.view(x.Paymaster, contracts.Call("isRelayer(address)", eth.AddressWord(x.Relayer.Address)), func(answer []byte, err error) {
		if !open && (err != nil || len(answer) != 32 || eth.Hash(answer) != yes) {
			c.found(Wrong, x.Relayer.Contract, "%s is no relayer of the paymaster %s on chain %d: its owner calls setRelayer", x.Relayer.Address,
				x.Paymaster.Address, x.Chain)
		}
	})
	c.deposit()
}

func (c *check) deposit() {
	x := c.x
	c.view(x.EntryPoint, contracts.Call("balanceOf(address)", eth.AddressWord(x.Paymaster.Address)), func(answer []byte, err error) {
		if err != nil || len(answer) != 32 {
			c.found(Wrong, x.EntryPoint, "%s on chain %d does not tell the paymaster's deposit: it is no EntryPoint", x.EntryPoint.Address, x.Chain)
			return
		}
		c.pays(Wallet{Contract: x.Paymaster, Gas: x.DepositGas}, number(answer), "the deposit of the paymaster at the EntryPoint")
	})
}

// The marketplace's roles (MarketplaceV3): who may list, and of which contracts. What the zero address has, everyone has.
var (
	listerRole = eth.Keccak256([]byte("LISTER_ROLE"))
	assetRole  = eth.Keccak256([]byte("ASSET_ROLE"))
	minterRole = eth.Keccak256([]byte("MINTER_ROLE"))
)

// anyone is an address that was given no role of its own.
var anyone = eth.Address{19: 0xff}

func (c *check) marketplace() {
	m := c.x.Marketplace
	c.view(m, contracts.Call("hasRoleWithSwitch(bytes32,address)", listerRole, eth.AddressWord(anyone)), func(answer []byte, err error) {
		switch {
		case err != nil || len(answer) != 32:
			c.found(Wrong, m, "%s on chain %d is no MarketplaceV3", m.Address, c.x.Chain)
			c.codeless[m.Address] = true // nothing else of it can be asked
		case eth.Hash(answer) != yes:
			c.found(Wrong, m, "players may list nothing on the marketplace: its admin grants LISTER_ROLE to the zero address")
		}
	})
	for _, t := range c.x.Tokens {
		if t.Tradable {
			c.is(m, contracts.Call("hasRoleWithSwitch(bytes32,address)", assetRole, eth.AddressWord(t.Address)), yes,
				"tokens of %s, %s, may not be listed: its admin grants ASSET_ROLE to it, or to the zero address", t.Setting, t.Address)
		}
	}
}

// The interface ids of ERC-165.
var interfaceOf = map[onchain.Standard]eth.Hash{onchain.ERC721: {0x80, 0xac, 0x58, 0xcd}, onchain.ERC1155: {0xd9, 0xb6, 0x7a, 0x26}}

var nameOf = map[onchain.Standard]string{onchain.ERC721: "ERC-721", onchain.ERC1155: "ERC-1155"}

func (c *check) token(t Token) {
	if t.Standard == onchain.ERC20 {
		c.decimals(t)
	}
	for standard, id := range interfaceOf {
		if t.Standard == onchain.ERC20 {
			break
		}
		c.view(t.Contract, contracts.Call("supportsInterface(bytes4)", id), func(answer []byte, err error) {
			supports := err == nil && len(answer) == 32 && eth.Hash(answer) == yes
			switch {
			case standard != t.Standard && supports:
				c.found(Wrong, t.Contract, "%s on chain %d is %s, and the brand's collection is %s", t.Address, c.x.Chain, nameOf[standard],
					nameOf[t.Standard])
			case standard == t.Standard && !supports:
				c.found(Notice, t.Contract, "%s on chain %d does not say that it is %s", t.Address, c.x.Chain, nameOf[t.Standard])
			}
		})
	}
	if t.Minted {
		for _, w := range append([]Wallet{c.x.Claimer}, c.x.Spares...) {
			c.minter(t, w)
		}
	}
	if t.Minted && t.Standard == onchain.ERC721 {
		c.supply(t)
	}
}

// minter checks that a claimer may mint a token.
func (c *check) minter(t Token, w Wallet) {
	has := contracts.Call("hasRole(bytes32,address)", minterRole, eth.AddressWord(w.Address))
	c.view(t.Contract, has, func(answer []byte, err error) {
		switch {
		case err != nil || len(answer) != 32:
			c.found(Notice, t.Contract, "%s on chain %d does not tell whether %s may mint", t.Address, c.x.Chain, w.Setting)
		case eth.Hash(answer) == yes:
		case w.Spare:
			c.found(Notice, t.Contract, "%s, %s, may not mint %s on chain %d: its admin grants MINTER_ROLE before the wallet is in use, and takes "+
				"it once the wallet has nothing to send", w.Setting, w.Address, t.Address, c.x.Chain)
		default:
			c.found(Wrong, t.Contract, "%s, %s, may not mint what rewards give of %s on chain %d: its admin grants MINTER_ROLE", w.Setting,
				w.Address, t.Address, c.x.Chain)
		}
	})
}

// decimals compares the decimals of a currency: if they differ, all prices and limits are wrong by orders of magnitude.
func (c *check) decimals(t Token) {
	c.view(t.Contract, contracts.Call("decimals()"), func(answer []byte, err error) {
		if err != nil || len(answer) != 32 || number(answer).Cmp(big.NewInt(int64(t.Decimals))) != 0 {
			c.found(Wrong, t.Contract, "%s on chain %d does not have %d decimals: decimals() is %s", t.Address, c.x.Chain, t.Decimals,
				eth.Bytes(answer))
		}
	})
}

// supply tells that all tokens are minted which can ever be, of a contract that says so.
func (c *check) supply(t Token) {
	most := new(big.Int)
	c.view(t.Contract, contracts.Call("maxSupply()"), func(answer []byte, err error) {
		if err == nil && len(answer) == 32 {
			most = number(answer)
		}
	})
	c.view(t.Contract, contracts.Call("minted()"), func(answer []byte, err error) {
		if err == nil && len(answer) == 32 && most.Sign() > 0 && number(answer).Cmp(most) >= 0 {
			c.found(Notice, t.Contract, "all %s tokens of %s are minted: rewards of it will fail", most, t.Address)
		}
	})
}

func (c *check) balance(w Wallet) {
	c.ask("eth_getBalance", func(answer []byte, err error) error {
		if err != nil {
			return err
		}
		c.pays(w, number(answer), "the wallet "+w.Address.String())
		return nil
	}, w.Address, "latest")
}

// pays notes a balance that pays for gas.
func (c *check) pays(w Wallet, wei *big.Int, what string) {
	c.result.Balances = append(c.result.Balances, Balance{w.Setting, wei})
	switch low := new(big.Int).Mul(c.gasPrice(), new(big.Int).SetUint64(w.Gas)); {
	case wei.Sign() == 0 && !w.Spare:
		c.found(Empty, w.Contract, "%s is empty on chain %d: send gas money to it", what, c.x.Chain)
	case wei.Cmp(low) < 0 || wei.Sign() == 0:
		c.found(Notice, w.Contract, "%s has %s wei left on chain %d, which pays for less than %d gas: send gas money to it", what, wei,
			c.x.Chain, w.Gas)
	}
}

func (c *check) gasPrice() *big.Int {
	if c.price == nil {
		return new(big.Int)
	}
	return c.price
}

func number(word []byte) *big.Int { return new(big.Int).SetBytes(word) }

// Changed returns findings for the contracts whose code differs from that of an earlier result.
func (r Result) Changed(before Result) (out []Finding) {
	for of, was := range before.Code {
		if now, ok := r.Code[of]; ok && now != was {
			out = append(out, Finding{Wrong, of.Setting, fmt.Sprintf("the code at %s is not what it was when this process started: somebody has "+
				"changed the contract; restart if that is right", of.Address)})
		}
	}
	return out
}

// Refuses returns the findings with which the portal must not start, as one error; nil if there are none. accepts reports whether the
// operator accepts findings of a severity.
func (r Result) Refuses(accepts func(Severity) bool) error {
	var errs []error
	for _, f := range r.Findings {
		if f.Severity > Notice && !accepts(f.Severity) {
			errs = append(errs, errors.New(f.String()))
		}
	}
	return errors.Join(errs...)
}
