package market

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// OwnListings returns a page of a seller's listings; see market.Store.
func (db Store) OwnListings(ctx context.Context, q market.OwnQuery, now time.Time) (page market.Page[market.OwnListing], err error) {
	p := gen.ListingsOfSellerParams{
		Seller: q.Seller, Stage: string(q.Stage), Now: column.At(now), AfterRank: math.MaxInt64, AfterID: "\U0010ffff",
		PageSize: int64(q.Limit + 1),
	}
	order := "own " + string(q.Stage)
	if q.Cursor != "" {
		if p.AfterRank, p.AfterID, err = cursor.DecodeRank(order, q.Cursor); err != nil {
			return page, err
		}
	}
	err = db.Read(ctx, func(g *gen.Queries) error {
		cards, err := g.ListingsOfSeller(ctx, p)
		if err != nil {
			return err
		}
		page = market.Page[market.OwnListing]{}
		if len(cards) > q.Limit {
			cards = cards[:q.Limit]
			last := cards[q.Limit-1]
			page.Next = cursor.EncodeRank(order, column.Millis(last.CreatedAt.Time), last.ID)
		}
		page.Items = make([]market.OwnListing, len(cards))
		for i, c := range cards {
			if page.Items[i], err = ownListing(ctx, g, c, now); err != nil {
				return err
			}
		}
		return nil
	})
	return page, err
}

func ownListing(ctx context.Context, g *gen.Queries, c gen.ListingCard, now time.Time) (out market.OwnListing, err error) {
	if out.Listing, err = ListingOf(c, now); err != nil {
		return out, err
	}
	out.Stage = out.Listing.Stage(now)
	proceeds, err := g.ListingProceeds(ctx, gen.ListingProceedsParams{ChainID: c.ChainID, ListingID: c.ListingID})
	if err != nil || len(proceeds) == 0 {
		return out, err
	}
	for _, r := range proceeds {
		out.Sold += r.Units
		received, err := store.UnitsOrNil(r.Received)
		if err != nil {
			return out, err
		}
		if received == nil {
			continue
		}
		sum, err := received.Mul(r.Sales)
		if err == nil {
			out.Received, err = out.Received.Add(sum)
		}
		if err != nil {
			return out, err
		}
	}
	sales, err := g.ListingSales(ctx, gen.ListingSalesParams{ChainID: c.ChainID, ListingID: c.ListingID, PageSize: market.OwnSales})
	if err != nil {
		return out, err
	}
	out.Sales = make([]market.Proceeds, len(sales))
	for i, r := range sales {
		out.Sales[i].Trade = tradeOf(r)
		if out.Sales[i].Received, err = store.UnitsOrNil(r.Received); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Own returns how many of a token a wallet has, and has listed.
func (db Store) Own(ctx context.Context, owner, contract eth.Address, tokenID string, now time.Time) (own market.Own, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		amount, err := q.OwnedUnits(ctx, gen.OwnedUnitsParams{Contract: contract, TokenID: tokenID, Owner: owner})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		own.Owned = amount
		offered, err := q.OfferedUnits(ctx, gen.OfferedUnitsParams{Seller: owner, Contract: contract, TokenID: tokenID, Now: column.At(now)})
		own.Offered = money.FromInt(offered)
		return err
	})
	return own, err
}
