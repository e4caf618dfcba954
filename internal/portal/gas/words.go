package gas

import (
	"fmt"
	"strings"

	"pantheon/internal/kit/eth"
)

// Names names contracts and writes amounts of currencies, for Words.
type Names struct {
	Name   func(contract eth.Address) string                   // such as avatars; "" for one that it does not know
	Amount func(token eth.Address, amount eth.Quantity) string // such as 20.00 USDC; "" for a token that it does not know
}

// name returns a contract's name, or its address.
func (n Names) name(a eth.Address) string {
	if name := n.Name(a); name != "" {
		return name
	}
	return a.Checksum()
}

func (n Names) amount(token eth.Address, q eth.Quantity) string {
	if text := n.Amount(token, q); text != "" {
		return text
	}
	return q.Big().String() + " of " + n.name(token)
}

// Words says what calls do, one after the other. The policy must have accepted the calls; others are named by contract and selector.
func (n Names) Words(calls []Call, currency eth.Address) string {
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = n.word(c, currency)
	}
	return strings.Join(out, "; ")
}

func (n Names) word(c Call, currency eth.Address) string {
	selector, ok := c.Selector()
	address := func(i int) eth.Address {
		w, _ := c.Word(i)
		a, _ := addressIn(w)
		return a
	}
	number := func(i int) eth.Quantity { w, _ := c.Word(i); return eth.Quantity(w) }
	item := func(contract eth.Address, id eth.Quantity) string { return n.name(contract) + " " + id.Big().String() }
	switch selector {
	case buyFromListing:
		return fmt.Sprintf("buy %s of listing %s for %s", number(2).Big(), number(0).Big(), n.amount(address(3), number(4)))
	case SelectorOf(createListing):
		return fmt.Sprintf("list %s of %s at %s each", number(2).Big(), item(address(0), number(1)), n.amount(address(3), number(4)))
	case SelectorOf(updateListing):
		return fmt.Sprintf("change listing %s to %s at %s each", number(0).Big(), number(3).Big(), n.amount(address(4), number(5)))
	case SelectorOf(cancelListing):
		return fmt.Sprintf("end listing %s", number(0).Big())
	case SelectorOf(approve):
		if c.Target == currency {
			return fmt.Sprintf("allow %s to take %s", n.name(address(0)), n.amount(c.Target, number(1)))
		}
		return fmt.Sprintf("allow %s to take %s", n.name(address(0)), item(c.Target, number(1)))
	case SelectorOf(setApprovalForAll):
		if number(1).IsZero() {
			return fmt.Sprintf("no longer allow %s to take any %s", n.name(address(0)), n.name(c.Target))
		}
		return fmt.Sprintf("allow %s to take any %s", n.name(address(0)), n.name(c.Target))
	case SelectorOf(transfer20):
		return fmt.Sprintf("send %s to %s", n.amount(c.Target, number(1)), address(0).Checksum())
	case SelectorOf(transfer721):
		return fmt.Sprintf("send %s to %s", item(c.Target, number(2)), address(1).Checksum())
	case SelectorOf(transfer1155):
		return fmt.Sprintf("send %s of %s to %s", number(3).Big(), item(c.Target, number(2)), address(1).Checksum())
	case SelectorOf(burn721):
		return "burn " + item(c.Target, number(0))
	case SelectorOf(burn1155):
		return fmt.Sprintf("burn %s of %s", number(2).Big(), item(c.Target, number(1)))
	}
	if !ok {
		return "call " + n.name(c.Target)
	}
	return fmt.Sprintf("call 0x%x of %s", selector[:], n.name(c.Target))
}
