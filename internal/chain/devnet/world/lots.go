package world

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"

	"pantheon/internal/brand"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// Token is a token that can be listed.
type Token struct {
	ID   string // decimal uint256
	Rank int    // rarity rank: 0 for the most common, 5 for the rarest; determines price and quantity
}

// Lots returns the goods of the demo market, always the same for the same tokens: first the manager's stock, then the lots of each demo
// seller in turn, shuffled. Tokens are given by collection slug; decimals are those of the market's currency. It fails on a token id that
// is not a decimal uint256.
func Lots(d brand.Development, decimals int, tokens map[string][]Token) ([]Lot, error) {
	var lots, stock []Lot
	for _, o := range d.Market {
		offered, err := lotsOf(o, decimals, tokens[o.Collection])
		if err != nil {
			return nil, err
		}
		lots = append(lots, offered...)
	}
	slices.SortFunc(lots, func(x, y Lot) int {
		return cmp.Or(cmp.Compare(x.Seller, y.Seller), cmp.Compare(x.draw("order"), y.draw("order")))
	})
	for _, s := range d.Stock {
		id, err := money.Parse(s.Token)
		if err != nil {
			return nil, err
		}
		stock = append(stock, Lot{
			Collection: s.Collection, TokenID: id, Seller: devnet.Manager, Amount: s.Quantity, Quantity: s.Quantity,
			Price: cents(100*s.Price, decimals),
		})
	}
	return append(stock, lots...), nil
}

// lotsOf returns the lots of one collection.
func lotsOf(o brand.Offers, decimals int, tokens []Token) ([]Lot, error) {
	var lots []Lot
	for i := range min(o.Tokens, len(tokens)) {
		token := tokens[i*len(tokens)/min(o.Tokens, len(tokens))]
		id, err := money.Parse(token.ID)
		if err != nil {
			return nil, err
		}
		rank := min(max(token.Rank, 0), 5)
		first := Lot{Collection: o.Collection, TokenID: id}.draw("seller")
		for n := range o.Sellers {
			lot := Lot{Collection: o.Collection, TokenID: id, Seller: devnet.Seller(int((first+uint64(n))%devnet.Sellers) + 1)}
			lot.Quantity = 1 + int64(lot.draw("quantity")%uint64(o.Quantities[rank]))
			lot.Amount, lot.MaxSupply = lot.Quantity, o.Caps[rank]
			// Sellers ask 85 % to 135 % of the usual price, in steps of 5 cents.
			usual := o.Prices[rank] * 20
			lot.Price = cents(5*(usual*(85+lot.draw("price")%51)/100), decimals)
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

// cents converts hundredths of a currency's unit to its base units; at least one.
func cents(n uint64, decimals int) money.Units {
	u := new(big.Int).Mul(new(big.Int).SetUint64(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
	if u.Div(u, big.NewInt(100)); u.Sign() == 0 {
		u.SetInt64(1)
	}
	return money.MustParse(u.String())
}
