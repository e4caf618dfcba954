package market

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/selling"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Selling is the store of package selling for the market on one chain.
type Selling struct {
	DB    *store.DB
	Chain onchain.ChainID
}

var _ selling.Store = Selling{}

// Seller returns a player's wallet and number of listings; see selling.Store.
func (s Selling) Seller(ctx context.Context, playerID string, now time.Time) (wallet eth.Address, listings int, err error) {
	err = s.DB.Read(ctx, func(q *gen.Queries) error {
		r, err := q.SellerListings(ctx, gen.SellerListingsParams{ChainID: s.Chain, PlayerID: playerID, Now: column.At(now)})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		wallet, listings = r.SmartAddress, int(r.Listings)
		return nil
	})
	return wallet, listings, err
}

// Listings returns listings that are on sale; see selling.Store.
func (s Selling) Listings(ctx context.Context, numbers []string, now time.Time) (out []selling.Listing, err error) {
	err = s.DB.Read(ctx, func(q *gen.Queries) error {
		out = nil
		for _, number := range numbers {
			r, err := q.ListingOnSale(ctx, gen.ListingOnSaleParams{ID: market.Key(s.Chain, number), Now: column.At(now)})
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			l, err := onSale(gen.ListingsOnSaleRow(r), now)
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

// Stock returns what a seller has of a token; see selling.Store.
func (s Selling) Stock(ctx context.Context, wallet eth.Address, t selling.Token, now time.Time) (stock selling.Stock, err error) {
	err = s.DB.Read(ctx, func(q *gen.Queries) error {
		owned, err := q.Holding(ctx, gen.HoldingParams{ChainID: s.Chain, Contract: t.Contract, TokenID: t.ID, Owner: wallet})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		stock = selling.Stock{Owned: owned.Amount}
		rows, err := q.ListingsOnSale(ctx, gen.ListingsOnSaleParams{
			ChainID: s.Chain, Seller: wallet, Contract: t.Contract, TokenID: t.ID, Now: column.At(now),
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			l, err := onSale(r, now)
			if err != nil {
				return err
			}
			stock.Listings = append(stock.Listings, l)
		}
		ended, err := q.EndedHolds(ctx, gen.EndedHoldsParams{
			ChainID: s.Chain, Seller: wallet, Contract: t.Contract, TokenID: t.ID, Now: column.At(now),
		})
		for _, r := range ended {
			stock.Promises = append(stock.Promises, selling.Promise{Price: r.Price, Until: r.ExpiresAt.Time})
		}
		return err
	})
	return stock, err
}

func onSale(r gen.ListingsOnSaleRow, now time.Time) (l selling.Listing, err error) {
	l = selling.Listing{
		Number: r.ListingID, Seller: r.Seller, Token: selling.Token{Contract: r.Contract, ID: r.TokenID}, Offered: r.Quantity, Left: r.Listed,
		Price: r.Price,
	}
	holds, err := store.HoldsOf(r.Holds)
	for _, h := range holds {
		if h.ExpiresAt.After(now) {
			l.Held = append(l.Held, h.ExpiresAt)
		}
	}
	return l, err
}
