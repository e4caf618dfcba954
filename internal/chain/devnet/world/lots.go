package world

import (
	"cmp"
	"encoding/binary"
	"slices"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// Token is a token that can be listed.
type Token struct {
	ID   string // decimal uint256
	Rank int    // rarity rank: 0 for the most common, 5 for the rarest; determines price and quantity
}

// chests is the slug of the collection of packs.
const chests = "chests"

// The KOD packs the manager sells, by token id of the chests collection.
const (
	GeneralPack = 1
	AvatarPack  = 2
	GodPack     = 3
)

// assortment defines how much of a collection is listed, and at what price.
type assortment struct {
	collection string
	tokens     int       // at most so many of the collection's tokens, evenly spread over them
	sellers    int       // how many offer each token
	quantities [6]int64  // maximum listed, by rank
	dollars    [6]uint64 // price of one, by rank, before the seller's mark-up
	caps       [6]int64  // how many copies can ever be minted, by rank; 0 for no cap
}

// assortments returns what the demo sellers offer: about 200 lots if every collection has enough tokens.
func assortments() []assortment {
	ones, uncapped := [6]int64{1, 1, 1, 1, 1, 1}, [6]int64{}
	return []assortment{
		{"game-items", 45, 2, [6]int64{12, 8, 5, 3, 2, 1}, [6]uint64{2, 5, 12, 30, 85, 240}, [6]int64{0, 0, 25_000, 10_000, 2_500, 500}},
		{"avatars", 60, 1, ones, [6]uint64{8, 14, 26, 60, 140, 400}, uncapped},
		{"elder-gods", 36, 1, ones, [6]uint64{90, 120, 160, 240, 420, 900}, uncapped},
		{"piggy-banks", 4, 4, [6]int64{10, 8, 6, 4, 3, 2}, [6]uint64{4, 6, 9, 14, 22, 40}, uncapped},
	}
}

// Lots returns the goods of the demo market, always the same for the same tokens: first the three KOD packs of the
// manager, then the lots of each demo seller in turn, shuffled. Tokens are given by collection slug (game-items,
// avatars, elder-gods, piggy-banks; others are ignored). It fails on a token id that is not a decimal uint256.
func Lots(tokens map[string][]Token) ([]Lot, error) {
	var lots []Lot
	for _, a := range assortments() {
		offered, err := a.lots(tokens[a.collection])
		if err != nil {
			return nil, err
		}
		lots = append(lots, offered...)
	}
	slices.SortFunc(lots, func(x, y Lot) int {
		return cmp.Or(cmp.Compare(x.Seller, y.Seller), cmp.Compare(x.draw("order"), y.draw("order")))
	})
	packs := []Lot{pack(GeneralPack, 500, 15), pack(AvatarPack, 200, 40), pack(GodPack, 50, 150)}
	return append(packs, lots...), nil
}

// pack returns the manager's lot of a KOD pack, at a price in dollars.
func pack(id, quantity int64, price uint64) Lot {
	return Lot{
		Collection: chests, TokenID: money.FromInt(id), Seller: devnet.Manager, Amount: quantity, Quantity: quantity, Price: dollars(price),
	}
}

// lots returns the lots of one collection.
func (a assortment) lots(tokens []Token) ([]Lot, error) {
	var lots []Lot
	for i := range min(a.tokens, len(tokens)) {
		token := tokens[i*len(tokens)/min(a.tokens, len(tokens))]
		id, err := money.Parse(token.ID)
		if err != nil {
			return nil, err
		}
		rank := min(max(token.Rank, 0), 5)
		first := Lot{Collection: a.collection, TokenID: id}.draw("seller")
		for n := range a.sellers {
			lot := Lot{Collection: a.collection, TokenID: id, Seller: devnet.Seller(int((first+uint64(n))%devnet.Sellers) + 1)}
			lot.Quantity = 1 + int64(lot.draw("quantity")%uint64(a.quantities[rank]))
			lot.Amount, lot.MaxSupply = lot.Quantity, a.caps[rank]
			// Sellers ask 85 % to 135 % of the usual price, in steps of 5 cents.
			usual := a.dollars[rank] * 20
			lot.Price = money.FromInt(int64(usual*(85+lot.draw("price")%51)/100) * 50_000)
			lots = append(lots, lot)
		}
	}
	return lots, nil
}

// draw returns a pseudorandom number that depends only on the lot and the purpose.
func (l Lot) draw(purpose string) uint64 {
	hash := eth.Keccak256([]byte(purpose + "|" + l.Collection + "|" + l.TokenID.String() + "|" + string(l.Seller)))
	return binary.BigEndian.Uint64(hash[:])
}

// dollars converts whole dollars to base units of USDC.
func dollars(n uint64) money.Units { return money.FromInt(int64(n) * 1_000_000) }
