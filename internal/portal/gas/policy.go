package gas

import (
	"math/big"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

const (
	// MaxCalls is the maximum number of calls in one operation: a full cart and its approval, with some room.
	MaxCalls = 32
	// MaxGas is the maximum total of an operation's gas limits: a full cart of the most expensive purchases, in an
	// account's first operation.
	MaxGas = 10_000_000
)

// Policy defines what the portal signs and pays for on one chain. It is plain data.
type Policy struct {
	Chain          onchain.ChainID
	EntryPoint     eth.Address
	Currency       eth.Address   // the ERC-20 token that may be approved; zero for none
	Factory        eth.Address   // creates the smart accounts
	Implementation eth.Address   // the smart accounts' implementation
	Allowed        []AllowedCall // the calls an account may make; all others are refused
	MaxCalls       int           // maximum number of calls in one operation; see [MaxCalls]
	MaxGas         uint64        // maximum total of an operation's gas limits; see [MaxGas]
	Budget         Budget
	// Paymaster is the portal's own, and PaymasterSigners the accounts whose signatures it accepts. Or it is one of a service
	// (ERC-7677), whose promises the portal cannot read: only the sponsorships that it keeps say what is paid for.
	Paymaster         eth.Address
	PaymasterSigners  []eth.Address
	ExternalPaymaster bool
}

// Effects are the effects of calls that can be switched off.
type Effects struct {
	Buys  bool // buy from a listing
	Lists bool // create or change a listing; cancelling one is always possible
	Burns bool // burn, which opens packs, piggy banks and arks
	Sends bool // transfer money or items to somebody else
}

// EffectsOf returns the effects of the calls. The policy must have accepted them: it ensures that each function is
// called on the right contract.
func EffectsOf(calls []Call) (e Effects) {
	for _, c := range calls {
		switch selector, _ := c.Selector(); selector {
		case buyFromListing:
			e.Buys = true
		case SelectorOf(createListing), SelectorOf(updateListing):
			e.Lists = true
		case SelectorOf(burn721), SelectorOf(burn1155):
			e.Burns = true
		case SelectorOf(transfer20), SelectorOf(transfer721), SelectorOf(transfer1155):
			e.Sends = true
		}
	}
	return e
}

// refusal returns a Forbidden fault with a reason for clients.
func refusal(reason, format string, args ...any) error {
	return fault.New(fault.Forbidden, format, args...).WithReason(reason)
}

// Check returns the operation's calls if all of it is allowed for the player's account: its sender is the account; a
// factory is the portal's own and creates that account; every call is one of the allowed, sends no ether, and is
// neither to the account itself nor to the EntryPoint. Otherwise it returns a Forbidden fault that says what is not
// allowed.
func (p *Policy) Check(a Account, op *eth.UserOperation) ([]Call, error) {
	if op.Sender != a.Smart {
		return nil, refusal("sender", "This operation is for another account than yours.")
	}
	if op.Factory != nil && (*op.Factory != p.Factory || string(op.FactoryData) != string(FactoryData(a.Owner))) {
		return nil, refusal("factory", "This operation would not create your account the way we do.")
	}
	calls, err := DecodeCalls(op.CallData)
	if err != nil {
		return nil, err
	}
	if len(calls) == 0 || len(calls) > p.MaxCalls {
		return nil, refusal("calls", "An operation must make between 1 and %d calls.", p.MaxCalls)
	}
	for _, c := range calls {
		if err := p.checkCall(a, c); err != nil {
			return nil, err
		}
		if Idle(c) {
			return nil, ErrIdle
		}
	}
	if err := p.checkApprovals(calls); err != nil {
		return nil, err
	}
	return calls, nil
}

// checkApprovals refuses what allows the marketplace more than the other calls need: money beyond the operation's purchases,
// and items that it does not list. Nothing is approved twice; withdrawing an approval is always possible.
func (p *Policy) checkApprovals(calls []Call) error {
	total := new(big.Int)
	for _, b := range Purchases(calls) {
		if b.Currency == p.Currency {
			total.Add(total, b.Total.Big())
		}
	}
	type item struct{ contract, token eth.Hash }
	listed, listedOf := map[item]bool{}, map[eth.Hash]bool{}
	for _, c := range calls {
		var first int // index of the word with the listing's contract
		switch selector, _ := c.Selector(); selector {
		case SelectorOf(createListing):
		case SelectorOf(updateListing):
			first = 1
		default:
			continue
		}
		contract, _ := c.Word(first)
		token, _ := c.Word(first + 1)
		listed[item{contract, token}], listedOf[contract] = true, true
	}
	type subject struct {
		kind ApprovalKind
		item
	}
	seen := map[subject]bool{}
	for _, c := range calls {
		kind, _, value := p.Approval(c)
		s := subject{kind, item{contract: eth.AddressWord(c.Target)}}
		needed := true
		switch kind {
		case NoApproval:
			continue
		case ApproveAmount:
			needed = value.IsZero() || new(big.Int).SetBytes(value[:]).Cmp(total) == 0
		case ApproveToken:
			s.token, _ = c.Word(1)
			needed = listed[s.item]
		case ApproveAll:
			needed = value.IsZero() || listedOf[s.contract]
		}
		if !needed || seen[s] {
			return refusal("approval", "The marketplace can be allowed only what is bought or listed at the same time, and only once.")
		}
		seen[s] = true
	}
	return nil
}

func (p *Policy) checkCall(a Account, c Call) error {
	switch c.Target {
	case a.Smart:
		return refusal("self-call", "An account must not call itself.")
	case p.EntryPoint:
		return refusal("entry-point", "An account must not call the EntryPoint.")
	}
	if !c.Value.IsZero() {
		return refusal("value", "Sending ether is not allowed.")
	}
	selector, ok := c.Selector()
	if !ok {
		return refusal("selector", "A call must name a function.")
	}
	known := false
	for i := range p.Allowed {
		allowed := &p.Allowed[i]
		if allowed.Target != c.Target {
			continue
		}
		known = true
		if allowed.Selector == selector {
			return allowed.check(a, c)
		}
	}
	if !known {
		return refusal("target", "The contract %s is not one you can act on here.", c.Target.Checksum())
	}
	return refusal("selector", "The function 0x%x of %s is not one you can use here.", selector, c.Target.Checksum())
}

// FactoryData returns the call with which the factory creates the account of an owner, with index 0: the salt is the
// owner followed by twelve zero bytes (Solady ERC4337Factory, createAccount).
func FactoryData(owner eth.Address) []byte {
	selector := SelectorOf("createAccount(bytes32)")
	data := make([]byte, 4+32)
	copy(data, selector[:])
	copy(data[4:], owner[:])
	return data
}

// CheckNonce returns a Forbidden fault unless the operation's nonce has key 0: operations of one account then run in
// sequence, and none can be held back for later.
func (p *Policy) CheckNonce(op *eth.UserOperation) error {
	if [24]byte(op.Nonce[:24]) != [24]byte{} {
		return refusal("nonce-key", "Operations have nonce key 0 here.")
	}
	return nil
}

// CheckPaymaster returns a Forbidden fault unless the chain's paymaster pays for the operation. The portal's own must
// run no postOp.
func (p *Policy) CheckPaymaster(op *eth.UserOperation) error {
	if p.ExternalPaymaster {
		if op.Paymaster == nil || *op.Paymaster != p.Paymaster {
			return refusal("paymaster", "Operations are paid for by the paymaster %s only.", p.Paymaster.Checksum())
		}
		return nil
	}
	if op.Paymaster == nil || *op.Paymaster != p.Paymaster || !op.PaymasterPostOpGasLimit.IsZero() {
		return refusal("paymaster", "Operations are paid for by our own paymaster %s only, without gas after the operation.",
			p.Paymaster.Checksum())
	}
	return nil
}

// Cost returns the maximum cost of the operation in wei, as the EntryPoint computes it: the sum of its gas limits
// times its maximum fee. It returns a Forbidden fault if the limits exceed MaxGas.
func (p *Policy) Cost(op *eth.UserOperation) (money.Units, error) {
	sum := new(big.Int) // five limits below 2^120 overflow 64 bits
	for _, q := range []eth.Quantity{
		op.PreVerificationGas, op.VerificationGasLimit, op.CallGasLimit, op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit,
	} {
		sum.Add(sum, q.Big())
	}
	if !sum.IsUint64() || sum.Uint64() > p.MaxGas {
		return money.Units{}, refusal("gas", "An operation may take at most %d gas.", p.MaxGas)
	}
	return money.FromBig(sum.Mul(sum, op.MaxFeePerGas.Big()))
}

// ErrIdle means that a call would change nothing.
var ErrIdle = fault.New(fault.Forbidden, "This would change nothing, so we do not pay its gas.").WithReason(ReasonIdle)

// SendGas is the most gas for each call of an operation that sends something to others, whose code may run then: an ERC-1155
// contract calls its recipient. Transfers to the usual smart wallets take less than half of it.
const SendGas = 150_000

// CallGasLimit returns the most gas that the calls may take together; false if only Policy.MaxGas limits them.
func CallGasLimit(calls []Call) (uint64, bool) {
	return SendGas * uint64(len(calls)), EffectsOf(calls).Sends
}

// Idle reports whether a call changes nothing in any state: it burns, buys or sends none. Approvals are not idle by
// themselves; Approval returns what they would set.
func Idle(c Call) bool {
	var amount int // index of the word with the amount
	switch selector, _ := c.Selector(); selector {
	case SelectorOf(burn1155), buyFromListing:
		amount = 2
	case SelectorOf(transfer20):
		amount = 1
	case SelectorOf(transfer1155):
		amount = 3
	default:
		return false
	}
	w, ok := c.Word(amount)
	return ok && w.IsZero()
}

// ApprovalKind is the kind of an approving call.
type ApprovalKind int

// The approving calls that are allowed.
const (
	NoApproval    ApprovalKind = iota
	ApproveAmount              // ERC-20 approve(spender, amount)
	ApproveToken               // ERC-721 approve(spender, token)
	ApproveAll                 // setApprovalForAll(operator, approved)
)

// Approval returns the kind of approval that a call accepted by the policy makes, and its two arguments.
func (p *Policy) Approval(c Call) (kind ApprovalKind, spender eth.Address, value eth.Hash) {
	selector, _ := c.Selector()
	switch selector {
	case SelectorOf(setApprovalForAll):
		kind = ApproveAll
	case SelectorOf(approve):
		kind = ApproveToken
		if c.Target == p.Currency {
			kind = ApproveAmount
		}
	default:
		return NoApproval, spender, value
	}
	first, _ := c.Word(0)
	value, _ = c.Word(1)
	return kind, eth.Address(first[12:]), value
}
