package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// LiveListings returns a page of the live listings; see market.Store.
func (db *DB) LiveListings(ctx context.Context, q market.Query, now time.Time) (page market.Page[market.Listing], err error) {
	p, err := listingParams(q, now)
	if err != nil {
		return page, err
	}
	err = db.Read(ctx, func(g *gen.Queries) error {
		cards, err := listingsInOrder(ctx, g, q.Sort, p)
		if err != nil {
			return err
		}
		if len(cards) > q.Limit {
			cards = cards[:q.Limit]
			last := cards[q.Limit-1]
			page.Next = encodeCursor(string(q.Sort), rankOf(q.Sort, last), last.ID)
		}
		page.Items = make([]market.Listing, len(cards))
		for i, c := range cards {
			if page.Items[i], err = listingOf(c, now); err != nil {
				return err
			}
		}
		return nil
	})
	return page, err
}

// CountListings returns how many live listings match the query; see market.Store.
func (db *DB) CountListings(ctx context.Context, q market.Query, now time.Time) (n int64, err error) {
	p, err := listingParams(q, now)
	if err != nil {
		return 0, err
	}
	err = db.Read(ctx, func(g *gen.Queries) error {
		n, err = g.CountListings(ctx, gen.CountListingsParams{
			Now: p.Now, Begun: p.Begun, Contract: p.Contract, Collection: p.Collection, TokenID: p.TokenID, MinPrice: p.MinPrice, MaxPrice: p.MaxPrice,
			Rarity: p.Rarity, Rarity2: p.Rarity2, Rarity3: p.Rarity3, Rarity4: p.Rarity4, Rarity5: p.Rarity5, Rarity6: p.Rarity6,
			Trait: p.Trait, Value: p.Value, Word1: p.Word1, Word2: p.Word2, Word3: p.Word3,
		})
		return err
	})
	return n, err
}

// listingsInOrder runs the query for the sort order; the four have one shape.
func listingsInOrder(ctx context.Context, g *gen.Queries, sort market.Sort, p gen.ListingsNewestParams) ([]gen.ListingCard, error) {
	switch sort {
	case market.PriceUp:
		return g.ListingsCheapest(ctx, gen.ListingsCheapestParams(p))
	case market.PriceDown:
		return g.ListingsDearest(ctx, gen.ListingsDearestParams(p))
	case market.Rarest:
		return g.ListingsRarest(ctx, gen.ListingsRarestParams(p))
	default:
		return g.ListingsNewest(ctx, p)
	}
}

func rankOf(sort market.Sort, c gen.ListingCard) int64 {
	switch sort {
	case market.PriceUp, market.PriceDown:
		return c.PriceRank
	case market.Rarest:
		return c.RarityRank
	default:
		return c.CreatedAt
	}
}

// searchWords is the maximum number of words of a search that are used; more rarely narrow it further.
const searchWords = 3

func listingParams(q market.Query, now time.Time) (gen.ListingsNewestParams, error) {
	p := gen.ListingsNewestParams{
		Now: millis(now), Begun: begun(now), Collection: q.Collection, TokenID: q.TokenID, Trait: q.Trait, Value: q.Value,
		MaxPrice: math.MaxInt64, AfterRank: math.MaxInt64, AfterID: "\U0010ffff", PageSize: int64(q.Limit + 1),
	}
	if q.Contract != nil {
		p.Contract = q.Contract.String()
	}
	if q.Min != nil {
		p.MinPrice = priceRank(*q.Min)
	}
	if q.Max != nil {
		p.MaxPrice = priceRank(*q.Max)
	}
	if q.Sort == market.PriceUp {
		p.AfterRank, p.AfterID = -1, ""
	}
	if q.Cursor != "" {
		var err error
		if p.AfterRank, p.AfterID, err = decodeCursor(string(q.Sort), q.Cursor); err != nil {
			return p, err
		}
	}
	if len(q.Rarities) > 0 {
		slots := []*string{&p.Rarity, &p.Rarity2, &p.Rarity3, &p.Rarity4, &p.Rarity5, &p.Rarity6}
		for i, slot := range slots {
			*slot = q.Rarities[0]
			if i < len(q.Rarities) {
				*slot = q.Rarities[i]
			}
		}
	}
	words := [searchWords]string{"%", "%", "%"}
	for i, w := range q.Words {
		if i == searchWords {
			break
		}
		words[i] = "%" + likeEscaper.Replace(strings.ToLower(w)) + "%"
	}
	p.Word1, p.Word2, p.Word3 = words[0], words[1], words[2]
	return p, nil
}

// likeEscaper removes the wildcards of LIKE from searches.
var likeEscaper = strings.NewReplacer(`\`, "", "%", "", "_", " ")

// priceRank is the sort rank of a price; prices above 2^63-1 share the highest rank.
func priceRank(u money.Units) int64 {
	if n, ok := u.Int64(); ok {
		return n
	}
	return math.MaxInt64
}

// encodeCursor encodes the last entry of a page. Cursors are opaque to clients and bound to their sort order.
func encodeCursor(order string, rank int64, id string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s|%d|%s", order, rank, id))
}

func decodeCursor(order, cursor string) (rank int64, id string, err error) {
	bad := fault.InvalidFields("This page of the list does not exist.", fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, "", bad
	}
	parts := strings.SplitN(string(b), "|", 3)
	if len(parts) != 3 || parts[0] != order {
		return 0, "", bad
	}
	if rank, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return 0, "", bad
	}
	return rank, parts[2], nil
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

// Token returns a token's description; see market.Store.
func (db *DB) Token(ctx context.Context, contract eth.Address, tokenID string) (t market.Token, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TokenByID(ctx, gen.TokenByIDParams{Contract: contract.String(), TokenID: tokenID})
		if err != nil {
			return notFound(err, "There is no such item.")
		}
		t = market.Token{Contract: contract, TokenID: tokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity}
		return json.Unmarshal([]byte(r.Attributes), &t.Attributes)
	})
	return t, err
}

// Owners returns the owners of a token, the largest holders first.
func (db *DB) Owners(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Owner, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenOwners(ctx, gen.TokenOwnersParams{Contract: contract.String(), TokenID: tokenID, Limit: int32(limit)})
		for _, r := range rows {
			o := market.Owner{}
			if err := scanAll(scan{&o.Address, r.Owner}, scan{&o.Amount, r.Amount}); err != nil {
				return err
			}
			out = append(out, o)
		}
		return err
	})
	return out, err
}

// Supply returns the supply of a token; nil if the index has seen no mint of it.
func (db *DB) Supply(ctx context.Context, contract eth.Address, tokenID string) (s *market.Supply, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TokenSupply(ctx, gen.TokenSupplyParams{Contract: contract.String(), TokenID: tokenID})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var minted, burned, most money.Units
		if err := scanAll(scan{&minted, r.Minted}, scan{&burned, r.Burned}); err != nil {
			return err
		}
		s = &market.Supply{Collection: r.TokenID == ""}
		if existing := new(big.Int).Sub(minted.Big(), burned.Big()); existing.Sign() > 0 {
			if s.Existing, err = money.FromBig(existing); err != nil {
				return err
			}
		}
		if r.MaxSupply != "" {
			err = most.Scan(r.MaxSupply)
			s.Max = &most
		}
		return err
	})
	return s, err
}

// Trades returns the most recent sales of a token, newest first.
func (db *DB) Trades(ctx context.Context, contract eth.Address, tokenID string, limit int) (out []market.Trade, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenSales(ctx, gen.TokenSalesParams{Contract: contract.String(), TokenID: tokenID, Limit: int32(limit)})
		for _, r := range rows {
			t, err := tradeOf(r)
			if err != nil {
				return err
			}
			out = append(out, t)
		}
		return err
	})
	return out, err
}

func tradeOf(r gen.Sale) (t market.Trade, err error) {
	t = market.Trade{ListingID: r.ListingID, Quantity: r.Quantity, Time: moment(r.Time)}
	if t.Tx, err = eth.ParseHash(r.TxHash); err != nil {
		return t, err
	}
	return t, scanAll(scan{&t.Seller, r.Seller}, scan{&t.Buyer, r.Buyer}, scan{&t.Currency, r.Currency}, scan{&t.Total, r.Total}, scan{&t.UnitPrice, r.UnitPrice})
}

// Collections returns the collections with the number of items for sale in each.
func (db *DB) Collections(ctx context.Context, now time.Time) (out []market.Collection, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.CollectionFigures(ctx, gen.CollectionFiguresParams{Begun: begun(now), Now: millis(now)})
		for _, r := range rows {
			c := market.Collection{Slug: r.Collection, Listed: r.Listed}
			if err := c.Contract.Scan(r.Contract); err != nil {
				return err
			}
			if r.FloorRank >= 0 {
				floor := money.FromInt(r.FloorRank)
				c.Floor = &floor
			}
			out = append(out, c)
		}
		return err
	})
	return out, err
}

func listingOf(c gen.ListingCard, now time.Time) (market.Listing, error) {
	l := market.Listing{
		ID: c.ID, ListingID: c.ListingID, TokenID: c.TokenID, Quantity: c.Quantity,
		Start: moment(c.StartAt), End: moment(c.EndAt), Status: market.Status(c.Status), Valid: c.Valid == 1, Returned: c.Returned == 1,
		CreatedAt: moment(c.CreatedAt), UpdatedAt: moment(c.UpdatedAt), Version: c.Version,
		Token: market.Token{TokenID: c.TokenID, Collection: c.Collection, Name: c.Name, Kind: c.Kind, Rarity: c.Rarity},
	}
	if err := scanAll(scan{&l.Contract, c.Contract}, scan{&l.Seller, c.Seller}, scan{&l.Currency, c.Currency}, scan{&l.Price, c.Price}); err != nil {
		return l, err
	}
	l.Token.Contract = l.Contract
	if err := json.Unmarshal([]byte(c.Attributes), &l.Token.Attributes); err != nil {
		return l, err
	}
	var err error
	l.Holds, err = holdsOf(c.Holds, now)
	return l, err
}

// holdsOf parses the view's text of a listing's holds and omits expired ones.
func holdsOf(text string, now time.Time) (holds []market.Hold, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		h, err := holdOf(part)
		if err != nil {
			return nil, fmt.Errorf("store: reading the hold %q: %w", part, err)
		}
		if h.ExpiresAt.After(now) {
			holds = append(holds, h)
		}
	}
	slices.SortFunc(holds, func(a, b market.Hold) int { return cmp.Compare(a.Unit, b.Unit) })
	return holds, nil
}

// holdOf parses "unit player held_at expires_at".
func holdOf(text string) (h market.Hold, err error) {
	unit, rest, _ := strings.Cut(text, " ")
	player, rest, _ := strings.Cut(rest, " ")
	held, expires, _ := strings.Cut(rest, " ")
	h.PlayerID = player
	var heldAt, expiresAt int64
	for _, n := range []struct {
		into *int64
		text string
	}{{&h.Unit, unit}, {&heldAt, held}, {&expiresAt, expires}} {
		if *n.into, err = strconv.ParseInt(n.text, 10, 64); err != nil {
			return h, err
		}
	}
	h.HeldAt, h.ExpiresAt = moment(heldAt), moment(expiresAt)
	return h, nil
}

// scan is one text column and the destination of its value.
type scan struct {
	into interface{ Scan(any) error }
	text string
}

func scanAll(columns ...scan) error {
	for _, c := range columns {
		if err := c.into.Scan(c.text); err != nil {
			return err
		}
	}
	return nil
}
