package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// priceRank is the sort rank of a price; prices above 2^63-1 share the highest rank.
func priceRank(u money.Units) int64 {
	if n, ok := u.Int64(); ok {
		return n
	}
	return math.MaxInt64
}

// Listing returns one listing; see market.Store.
func (db *DB) Listing(ctx context.Context, id string, now time.Time) (l market.Listing, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		c, err := q.ListingCard(ctx, id)
		if err != nil {
			return notFound(err, "This listing does not exist.")
		}
		l, err = listingOf(c, now)
		return err
	})
	return l, err
}

// ListingsByID returns the listings that exist; see market.Store.
func (db *DB) ListingsByID(ctx context.Context, ids []string, now time.Time) (map[string]market.Listing, error) {
	cards, err := db.listingCards(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]market.Listing, len(cards))
	for _, c := range cards {
		if out[c.ID], err = listingOf(c, now); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Token returns a token's description; see market.Store.
func (db *DB) Token(ctx context.Context, contract eth.Address, tokenID string) (t market.Token, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TokenByID(ctx, gen.TokenByIDParams{Contract: contract, TokenID: tokenID})
		if err != nil {
			return notFound(err, "There is no such item.")
		}
		t = market.Token{Contract: contract, TokenID: tokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity}
		return json.Unmarshal([]byte(r.Attributes), &t.Attributes)
	})
	return t, err
}

// TokenOffers returns the offers of tokens; see market.Store.
func (db *DB) TokenOffers(ctx context.Context, tokens []market.TokenKey, now time.Time) (out []market.Offer, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		var found []offeredToken
		for _, t := range tokens {
			r, err := q.OfferedToken(ctx, gen.OfferedTokenParams{
				Begun: begun(now), Now: column.At(now), Contract: t.Contract, TokenID: t.TokenID,
			})
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, offeredToken{r.Token, r.Cheapest})
		}
		out, err = db.offersOf(ctx, found, now)
		return err
	})
	return out, err
}

// offeredToken is a token and the id of its cheapest live listing; "" for none.
type offeredToken struct {
	gen.Token
	cheapest string
}

// offersOf returns the tokens' offers in one query. A listing that was removed meanwhile is omitted.
func (db *DB) offersOf(ctx context.Context, tokens []offeredToken, now time.Time) ([]market.Offer, error) {
	var ids []string
	for _, t := range tokens {
		if t.cheapest != "" {
			ids = append(ids, t.cheapest)
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
		if l, ok := listings[t.cheapest]; ok {
			out[i].Cheapest = &l
		}
		if err := json.Unmarshal([]byte(t.Attributes), &out[i].Token.Attributes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Owners returns the owners of a token, the largest holders first.
func (db *DB) Owners(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Owner, err error) {
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
func (db *DB) Supply(ctx context.Context, contract eth.Address, tokenID string) (s *market.Supply, err error) {
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
		s.Max, err = unitsOrNil(r.MaxSupply)
		return err
	})
	return s, err
}

// Trades returns the most recent sales of a token, newest first.
func (db *DB) Trades(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Trade, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenSales(ctx, gen.TokenSalesParams{Contract: contract, TokenID: tokenID, Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, tradeOf(r))
		}
		return err
	})
	return out, err
}

// unitsOrNil parses a stored amount; nil for an empty text.
func unitsOrNil(text string) (*money.Units, error) {
	if text == "" {
		return nil, nil
	}
	u, err := money.Parse(text)
	return &u, err
}

func tradeOf(r gen.Sale) market.Trade {
	return market.Trade{
		ListingID: r.ListingID, Seller: r.Seller, Buyer: r.Buyer, Quantity: r.Quantity, Total: r.Total, UnitPrice: r.UnitPrice,
		Currency: r.Currency, Tx: r.TxHash, Time: r.Time.Time,
	}
}

func listingOf(c gen.ListingCard, now time.Time) (market.Listing, error) {
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
	holds, err := holdsOf(c.Holds)
	for _, h := range holds {
		if h.ExpiresAt.After(now) {
			l.Holds = append(l.Holds, market.Hold(h))
		}
	}
	return l, err
}

// holdsOf parses the text that a query makes of a listing's holds, and returns them by unit.
func holdsOf(text string) ([]cart.Hold, error) {
	holds, err := listOf(text, holdOf)
	slices.SortFunc(holds, func(a, b cart.Hold) int { return cmp.Compare(a.Unit, b.Unit) })
	return holds, err
}

// listOf parses entries that are separated by commas.
func listOf[T any](text string, entry func(string) (T, error)) (list []T, err error) {
	if text == "" {
		return nil, nil
	}
	list = make([]T, 0, 1+strings.Count(text, ","))
	for part := range strings.SplitSeq(text, ",") {
		e, err := entry(part)
		if err != nil {
			return nil, fmt.Errorf("store: reading %q: %w", part, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// holdOf parses "unit player held_at expires_at".
func holdOf(text string) (h cart.Hold, err error) {
	unit, rest, _ := strings.Cut(text, " ")
	player, rest, _ := strings.Cut(rest, " ")
	held, expires, _ := strings.Cut(rest, " ")
	h.PlayerID = player
	var heldAt, expiresAt int64
	if err := parseInts(parsed{&h.Unit, unit}, parsed{&heldAt, held}, parsed{&expiresAt, expires}); err != nil {
		return h, err
	}
	h.HeldAt, h.ExpiresAt = column.Of(heldAt), column.Of(expiresAt)
	return h, nil
}

// parsed is a number in a text, and where it goes.
type parsed struct {
	into *int64
	text string
}

func parseInts(numbers ...parsed) (err error) {
	for _, n := range numbers {
		if *n.into, err = strconv.ParseInt(n.text, 10, 64); err != nil {
			return err
		}
	}
	return nil
}
