package gas

import (
	"bytes"
	"encoding/binary"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// Call is one call to be made by a smart account.
type Call struct {
	Target eth.Address
	Value  eth.Quantity // wei
	Data   []byte
}

// Selector is a function selector: the first four bytes of a call's data.
type Selector [4]byte

// SelectorOf returns the selector of a function signature, such as "approve(address,uint256)".
func SelectorOf(signature string) Selector {
	hash := eth.Keccak256([]byte(signature))
	return Selector(hash[:4])
}

// Selector returns the call's selector; false for data of less than four bytes.
func (c Call) Selector() (Selector, bool) {
	if len(c.Data) < 4 {
		return Selector{}, false
	}
	return Selector(c.Data[:4]), true
}

// Word returns the i-th 32-byte word of the arguments; false if there is none.
func (c Call) Word(i int) (eth.Hash, bool) {
	at := 4 + 32*i
	if i < 0 || at+32 > len(c.Data) {
		return eth.Hash{}, false
	}
	return eth.Hash(c.Data[at : at+32]), true
}

// The two functions of the smart account that make calls (Solady ERC4337), and the marketplace's buy function.
var (
	execute        = SelectorOf("execute(address,uint256,bytes)")
	executeBatch   = SelectorOf("executeBatch((address,uint256,bytes)[])")
	buyFromListing = SelectorOf(buySignature)
)

const buySignature = "buyFromListing(uint256,address,uint256,address,uint256)"

var errCallData = fault.New(fault.Forbidden,
	"The account can be asked for execute or executeBatch only, encoded as the contract ABI prescribes.").
	WithReason("call-data")

// DecodeCalls returns the calls that an account makes when it is called with callData. It accepts only the encoding
// that the ABI specification calls strict (offsets without gaps or overlaps, zero padding, no trailing data): a
// lenient decoder could see other calls than the contract makes. Anything else is a Forbidden fault.
func DecodeCalls(callData []byte) ([]Call, error) {
	selector, ok := Call{Data: callData}.Selector()
	if !ok {
		return nil, errCallData
	}
	r := reader{rest: callData[4:]}
	var calls []Call
	switch selector {
	case execute:
		calls = []Call{r.call()}
	case executeBatch:
		calls = r.batch()
	default:
		return nil, errCallData
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errCallData
	}
	return calls, nil
}

// IsCancellation reports whether an account that is called with callData makes no calls: such an operation only uses
// up its nonce. Players' operations make at least one call.
func IsCancellation(callData []byte) bool { return bytes.Equal(callData, EncodeCalls(nil)) }

// EncodeCalls returns the call data of executeBatch for the calls, as DecodeCalls accepts it.
func EncodeCalls(calls []Call) []byte {
	out := slices.Clone(executeBatch[:])
	word := func(to []byte, n int) []byte {
		w := eth.NewQuantity(uint64(n))
		return append(to, w[:]...)
	}
	out = word(word(out, 32), len(calls))
	var tail []byte
	for _, c := range calls {
		out = word(out, 32*len(calls)+len(tail))
		target := eth.AddressWord(c.Target)
		tail = append(append(tail, target[:]...), c.Value[:]...)
		tail = append(word(word(tail, 96), len(c.Data)), c.Data...)
		tail = append(tail, make([]byte, (32-len(c.Data)%32)%32)...)
	}
	return append(out, tail...)
}

// reader reads ABI words from the front. After the first error it stays in error and returns zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return nil
	}
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) word() (w eth.Hash) {
	copy(w[:], r.take(32))
	return w
}

// size reads a length or an offset, which can never exceed the size of the data.
func (r *reader) size() int {
	w := r.word()
	n := binary.BigEndian.Uint32(w[28:])
	if [28]byte(w[:28]) != [28]byte{} || n > eth.MaxCallData {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) expect(size int) {
	if r.size() != size {
		r.bad = true
	}
}

func (r *reader) address() eth.Address {
	w := r.word()
	a, ok := addressIn(w)
	r.bad = r.bad || !ok
	return a
}

// call reads (address target, uint256 value, bytes data).
func (r *reader) call() Call {
	c := Call{Target: r.address(), Value: eth.Quantity(r.word())}
	r.expect(3 * 32)
	n := r.size()
	c.Data = r.take(n)
	for _, b := range r.take((32 - n%32) % 32) {
		r.bad = r.bad || b != 0
	}
	return c
}

// batch reads (address,uint256,bytes)[].
func (r *reader) batch() []Call {
	r.expect(32)
	n := r.size()
	if n > len(r.rest)/32 {
		r.bad = true
		return nil
	}
	// Offsets are relative to the first offset's position.
	offsets, start := make([]int, n), len(r.rest)
	for i := range offsets {
		offsets[i] = r.size()
	}
	calls := make([]Call, n)
	for i := range calls {
		if start-len(r.rest) != offsets[i] {
			r.bad = true
		}
		if r.bad {
			return nil
		}
		calls[i] = r.call()
	}
	return calls
}

// addressIn reads an address from an ABI word; false if any of the upper twelve bytes is not zero.
func addressIn(w eth.Hash) (eth.Address, bool) {
	return eth.Address(w[12:]), [12]byte(w[:12]) == [12]byte{}
}

// Listings returns how many listings the calls create, and the ids of those that they cancel. The policy must have
// accepted the calls.
func Listings(calls []Call) (created int, cancelled []eth.Quantity) {
	for _, c := range calls {
		switch s, _ := c.Selector(); s {
		case SelectorOf(createListing):
			created++
		case SelectorOf(cancelListing):
			id, _ := c.Word(0)
			cancelled = append(cancelled, eth.Quantity(id))
		}
	}
	return created, cancelled
}

// OnlyMoney reports whether calls change nothing but the caller's money and its approvals, and what it lists less: they are calls of the
// currency's contract, or cancel listings. The policy must have accepted the calls.
func OnlyMoney(calls []Call, currency eth.Address) bool {
	for _, c := range calls {
		if s, _ := c.Selector(); c.Target != currency && s != SelectorOf(cancelListing) {
			return false
		}
	}
	return true
}

// Offer is a call of the marketplace's createListing.
type Offer struct {
	Contract eth.Address
	TokenID  eth.Quantity
	Quantity eth.Quantity
	Price    eth.Quantity // of one unit, in base units of the currency
}

// Offers returns the calls' new listings, in order. The policy must have accepted the calls.
func Offers(calls []Call) []Offer {
	var out []Offer
	for _, c := range calls {
		if s, _ := c.Selector(); s != SelectorOf(createListing) {
			continue
		}
		word := func(i int) eth.Hash { w, _ := c.Word(i); return w }
		contract, _ := addressIn(word(0))
		out = append(out, Offer{
			Contract: contract, TokenID: eth.Quantity(word(1)), Quantity: eth.Quantity(word(2)), Price: eth.Quantity(word(4)),
		})
	}
	return out
}

// Update is a call of the marketplace's updateListing.
type Update struct {
	ListingID eth.Quantity
	Quantity  eth.Quantity
	Price     eth.Quantity // of one unit, in base units of the currency
}

// Updates returns the calls' updates of listings, in order. The policy must have accepted the calls.
func Updates(calls []Call) []Update {
	var out []Update
	for _, c := range calls {
		if s, _ := c.Selector(); s != SelectorOf(updateListing) {
			continue
		}
		word := func(i int) eth.Quantity { w, _ := c.Word(i); return eth.Quantity(w) }
		out = append(out, Update{ListingID: word(0), Quantity: word(3), Price: word(5)})
	}
	return out
}

// Purchase is a call of the marketplace's buyFromListing.
type Purchase struct {
	ListingID eth.Quantity
	BuyFor    eth.Address
	Quantity  eth.Quantity
	Currency  eth.Address
	Total     eth.Quantity // the expected total price, in base units of the currency
}

// Purchases returns the calls' purchases, in order. The policy must have accepted the calls: it ensures that such a
// call goes to the marketplace.
func Purchases(calls []Call) []Purchase {
	var out []Purchase
	for _, c := range calls {
		if s, ok := c.Selector(); !ok || s != buyFromListing || len(c.Data) != 4+5*32 {
			continue
		}
		word := func(i int) eth.Hash { w, _ := c.Word(i); return w }
		buyFor, _ := addressIn(word(1))
		currency, _ := addressIn(word(3))
		out = append(out, Purchase{
			ListingID: eth.Quantity(word(0)), BuyFor: buyFor, Quantity: eth.Quantity(word(2)),
			Currency: currency, Total: eth.Quantity(word(4)),
		})
	}
	return out
}

// Leaving returns what the calls burn and send away of tokens, as burns. The policy must have accepted the calls.
func Leaving(calls []Call) []Burn {
	out := Burns(calls)
	for _, c := range calls {
		word := func(i int) eth.Quantity { w, _ := c.Word(i); return eth.Quantity(w) }
		switch selector, _ := c.Selector(); selector {
		case SelectorOf(transfer721):
			out = append(out, Burn{Contract: c.Target, TokenID: word(2), Amount: eth.NewQuantity(1)})
		case SelectorOf(transfer1155):
			out = append(out, Burn{Contract: c.Target, TokenID: word(2), Amount: word(3)})
		}
	}
	return out
}

// Burn is a call that burns tokens.
type Burn struct {
	Contract eth.Address
	TokenID  eth.Quantity
	Amount   eth.Quantity // 1 for ERC-721
}

// Burns returns the calls' burns, in order. The policy must have accepted the calls.
func Burns(calls []Call) []Burn {
	var out []Burn
	for _, c := range calls {
		word := func(i int) eth.Quantity { w, _ := c.Word(i); return eth.Quantity(w) }
		switch selector, _ := c.Selector(); selector {
		case SelectorOf(burn721):
			out = append(out, Burn{Contract: c.Target, TokenID: word(0), Amount: eth.NewQuantity(1)})
		case SelectorOf(burn1155):
			out = append(out, Burn{Contract: c.Target, TokenID: word(1), Amount: word(2)})
		}
	}
	return out
}

// Payment is a transfer of an ERC-20 token.
type Payment struct {
	Token, To eth.Address
	Amount    eth.Quantity // base units
}

// Call returns the call that makes the payment.
func (p Payment) Call() Call {
	selector, to := SelectorOf(transfer20), eth.AddressWord(p.To)
	return Call{Target: p.Token, Data: slices.Concat(selector[:], to[:], p.Amount[:])}
}

// PaymentOf returns the payment that the calls make; ok is false if they make none, or anything besides.
func PaymentOf(calls []Call) (p Payment, ok bool) {
	if len(calls) != 1 {
		return p, false
	}
	c := calls[0]
	to, _ := c.Word(0)
	amount, _ := c.Word(1)
	p = Payment{Token: c.Target, Amount: eth.Quantity(amount)}
	p.To, ok = addressIn(to)
	return p, ok && c.Value.IsZero() && bytes.Equal(c.Data, p.Call().Data)
}
