package gas

import (
	"slices"

	"pantheon/internal/kit/eth"
)

// AllowedCall allows calls of one function of one contract with the given arguments. Only functions whose arguments all have
// a fixed size can be allowed.
type AllowedCall struct {
	Target    eth.Address
	Function  string   // its signature, such as "approve(address,uint256)", for error messages
	Selector  Selector // the function's selector
	Words     int      // number of 32-byte words of arguments
	Arguments []Argument
}

// Argument restricts one word of a call's arguments.
type Argument struct {
	Word  int
	Own   bool       // it must be the player's own smart account
	OneOf []eth.Hash // otherwise it must be one of these
	Must  string     // the message if it is not, such as "You can let only the marketplace take your items"
}

// Contracts lists the contracts of one chain that players call; those that the chain lacks are empty.
type Contracts struct {
	Marketplace  eth.Address
	Currency     eth.Address   // the marketplace's currency: USDC
	Tradable721  []eth.Address // ERC-721 collections that players may list
	Tradable1155 []eth.Address // ERC-1155 collections that players may list
	Burnable721  []eth.Address // collections whose tokens their owners may burn
	Burnable1155 []eth.Address // such as packs, piggy banks and arks
	Money        []eth.Address // ERC-20 tokens that players may send to others
	Sendable721  []eth.Address // collections whose tokens players may send to others
	Sendable1155 []eth.Address
}

// The functions players use, besides buyFromListing.
const (
	approve           = "approve(address,uint256)"
	setApprovalForAll = "setApprovalForAll(address,bool)"
	listingParameters = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
	createListing     = "createListing(" + listingParameters + ")"
	updateListing     = "updateListing(uint256," + listingParameters + ")"
	cancelListing     = "cancelListing(uint256)"
	burn721           = "burn(uint256)"
	burn1155          = "burn(address,uint256,uint256)"
	transfer20        = "transfer(address,uint256)"
	transfer721       = "transferFrom(address,address,uint256)" // it calls no code of the recipient
	transfer1155      = "safeTransferFrom(address,address,uint256,uint256,bytes)"
)

// AllowedCalls returns the calls of the contracts that players may make: they may trade on the marketplace in its currency and for
// themselves, burn tokens of the burnable collections, and send what is theirs to others. When and to whom they may send is up to
// the Guard.
func AllowedCalls(c Contracts) []AllowedCall {
	var allowed []AllowedCall
	allow := func(targets []eth.Address, function string, words int, arguments ...Argument) {
		selector := SelectorOf(function)
		for _, target := range targets {
			allowed = append(allowed, AllowedCall{
				Target: target, Function: function, Selector: selector, Words: words, Arguments: arguments,
			})
		}
	}
	if !c.Marketplace.IsZero() {
		market := []eth.Address{c.Marketplace}
		tradable := slices.Concat(c.Tradable721, c.Tradable1155)
		paid := func(word int) Argument {
			return Argument{Word: word, OneOf: words(c.Currency), Must: "The marketplace is paid in its own currency only."}
		}
		listed := func(first int) []Argument {
			return []Argument{
				{Word: first, OneOf: words(tradable...), Must: "Items of this collection cannot be listed."},
				paid(first + 3),
				{Word: first + 7, OneOf: []eth.Hash{{}}, Must: "Listings are open to everybody."},
			}
		}
		toMarket := Argument{Word: 0, OneOf: words(c.Marketplace), Must: "Only the marketplace can be allowed to take what is yours."}

		allow([]eth.Address{c.Currency}, approve, 2, toMarket)
		allow(c.Tradable721, approve, 2, toMarket)
		allow(tradable, setApprovalForAll, 2, toMarket)
		allow(market, buySignature, 5, Argument{Word: 1, Own: true, Must: "You can buy for your own wallet only."}, paid(3))
		allow(market, createListing, 8, listed(0)...)
		allow(market, updateListing, 9, listed(1)...)
		allow(market, cancelListing, 1)
	}
	allow(c.Burnable721, burn721, 1) // the contract itself only lets the owner burn
	allow(c.Burnable1155, burn1155, 3, Argument{Word: 0, Own: true, Must: "You can burn your own items only."})
	own := Argument{Word: 0, Own: true, Must: "You can send your own items only."}
	allow(c.Money, transfer20, 2)
	allow(c.Sendable721, transfer721, 3, own)
	// Empty bytes: the offset of their length, which is zero.
	allow(c.Sendable1155, transfer1155, 6, own,
		Argument{Word: 4, OneOf: number(5 * 32), Must: noData}, Argument{Word: 5, OneOf: number(0), Must: noData})
	return allowed
}

const noData = "Items are sent without further data."

// number returns an ABI word.
func number(n uint64) []eth.Hash { return []eth.Hash{eth.Hash(eth.NewQuantity(n))} }

func (f *AllowedCall) check(a Account, c Call) error {
	if len(c.Data) != 4+32*f.Words {
		return refusal("arguments", "The call of %s is malformed.", f.Function)
	}
	for _, arg := range f.Arguments {
		w, ok := c.Word(arg.Word)
		if !ok || (arg.Own && w != eth.AddressWord(a.Smart)) || (!arg.Own && !slices.Contains(arg.OneOf, w)) {
			return refusal("arguments", "%s", arg.Must)
		}
	}
	return nil
}

func words(addresses ...eth.Address) []eth.Hash {
	out := make([]eth.Hash, len(addresses))
	for i, a := range addresses {
		out[i] = eth.AddressWord(a)
	}
	return out
}
