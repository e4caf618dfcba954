package market

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Listing returns one listing; see market.Store.
func (db Store) Listing(ctx context.Context, id string, now time.Time) (l market.Listing, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		c, err := q.ListingCard(ctx, id)
		if err != nil {
			return store.NotFound(err, "This listing does not exist.")
		}
		l, err = ListingOf(c, now)
		return err
	})
	return l, err
}

// ListingsByID returns the listings that exist; see market.Store.
func (db Store) ListingsByID(ctx context.Context, ids []string, now time.Time) (map[string]market.Listing, error) {
	cards, err := db.listingCards(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]market.Listing, len(cards))
	for _, c := range cards {
		if out[c.ID], err = ListingOf(c, now); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Token returns a token's description; see market.Store.
func (db Store) Token(ctx context.Context, contract eth.Address, tokenID string) (t market.Token, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TokenByID(ctx, gen.TokenByIDParams{Contract: contract, TokenID: tokenID})
		if err != nil {
			return store.NotFound(err, "There is no such item.")
		}
		t = market.Token{Contract: contract, TokenID: tokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity}
		return json.Unmarshal([]byte(r.Attributes), &t.Attributes)
	})
	return t, err
}

// TokenOffers returns the offers of tokens; see market.Store.
func (db Store) TokenOffers(ctx context.Context, tokens []market.TokenKey, now time.Time) (out []market.Offer, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		var found []OfferedToken
		for _, t := range tokens {
			r, err := q.OfferedToken(ctx, gen.OfferedTokenParams{
				Begun: store.Begun(now), Now: column.At(now), Contract: t.Contract, TokenID: t.TokenID,
			})
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, OfferedToken{Token: r.Token, Cheapest: r.Cheapest})
		}
		out, err = db.OffersOf(ctx, found, now)
		return err
	})
	return out, err
}

// OfferedToken is a token and the id of its cheapest live listing; "" for none.
type OfferedToken struct {
	gen.Token
	Cheapest string
}

// OffersOf returns the tokens' offers in one query. A listing that was removed meanwhile is omitted.
func (db Store) OffersOf(ctx context.Context, tokens []OfferedToken, now time.Time) ([]market.Offer, error) {
	var ids []string
	for _, t := range tokens {
		if t.Cheapest != "" {
			ids = append(ids, t.Cheapest)
		}
	}
	listings, err := db.ListingsByID(ctx, ids, now)
	if err != nil {
		return nil, err
	}
	out := make([]market.Offer, len(tokens))
	for i, t := range tokens {
		out[i].Token = market.Token{
			Contract: t.Contract, TokenID: t.TokenID, Collection: t.Collection, Name: t.Name, Kind: t.Kind, Rarity: t.Rarity,
		}
		if l, ok := listings[t.Cheapest]; ok {
			out[i].Cheapest = &l
		}
		if err := json.Unmarshal([]byte(t.Attributes), &out[i].Token.Attributes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Owners returns the owners of a token, the largest holders first.
func (db Store) Owners(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Owner, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenOwners(ctx, gen.TokenOwnersParams{Contract: contract, TokenID: tokenID, Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, market.Owner{Address: r.Owner, Amount: r.Amount})
		}
		return err
	})
	return out, err
}

// Supply returns the supply of a token; nil if the index has seen no mint of it.
func (db Store) Supply(ctx context.Context, contract eth.Address, tokenID string) (s *market.Supply, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TokenSupply(ctx, gen.TokenSupplyParams{Contract: contract, TokenID: tokenID})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		s = &market.Supply{Collection: r.TokenID == ""}
		if r.Minted.Cmp(r.Burned) > 0 {
			if s.Existing, err = r.Minted.Sub(r.Burned); err != nil {
				return err
			}
		}
		s.Max, err = store.UnitsOrNil(r.MaxSupply)
		return err
	})
	return s, err
}

// Trades returns the most recent sales of a token, newest first.
func (db Store) Trades(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Trade, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenSales(ctx, gen.TokenSalesParams{Contract: contract, TokenID: tokenID, Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, tradeOf(r))
		}
		return err
	})
	return out, err
}

func tradeOf(r gen.Sale) market.Trade {
	return market.Trade{
		ListingID: r.ListingID, Seller: r.Seller, Buyer: r.Buyer, Quantity: r.Quantity, Total: r.Total, UnitPrice: r.UnitPrice,
		Currency: r.Currency, Tx: r.TxHash, Time: r.Time.Time,
	}
}

// ListingOf converts a row to a listing with its holds that have not ended.
func ListingOf(c gen.ListingCard, now time.Time) (market.Listing, error) {
	l := market.Listing{
		ID: c.ID, ListingID: c.ListingID, Contract: c.Contract, TokenID: c.TokenID, Seller: c.Seller, Quantity: c.Quantity,
		Currency: c.Currency, Price: c.Price,
		Start: c.StartAt.Time, End: c.EndAt.Time, Status: market.Status(c.Status), Valid: bool(c.Valid), Returned: bool(c.Returned),
		CreatedAt: c.CreatedAt.Time, UpdatedAt: c.UpdatedAt.Time, Version: c.Version,
		Token: market.Token{
			Contract: c.Contract, TokenID: c.TokenID, Collection: c.Collection, Name: c.Name, Kind: c.Kind, Rarity: c.Rarity,
		},
	}
	if err := json.Unmarshal([]byte(c.Attributes), &l.Token.Attributes); err != nil {
		return l, err
	}
	holds, err := store.HoldsOf(c.Holds)
	for _, h := range holds {
		if h.ExpiresAt.After(now) {
			l.Holds = append(l.Holds, market.Hold(h))
		}
	}
	return l, err
}
