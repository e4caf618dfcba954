package rewards

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Packs is the store of the packs that one wallet sells on one chain.
type Packs struct {
	*store.DB
	Chain  onchain.ChainID
	Chests eth.Address // the collection of packs
	Seller eth.Address
}

// PacksForSale returns how many packs are for sale, by token id; see packs.Store.
func (p Packs) PacksForSale(ctx context.Context, now time.Time) (n map[string]int64, err error) {
	err = p.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PacksForSale(ctx, gen.PacksForSaleParams{
			ChainID: p.Chain, Contract: p.Chests, Seller: p.Seller, Begun: store.Begun(now), Now: column.At(now),
		})
		n = make(map[string]int64, len(rows))
		for _, r := range rows {
			n[r.TokenID] = r.Quantity
		}
		return err
	})
	return n, err
}

// PackListed returns the token that a listing of packs offers; see packs.Store.
func (p Packs) PackListed(ctx context.Context, listingID string) (tokenID string, ok bool, err error) {
	err = p.Read(ctx, func(q *gen.Queries) error {
		tokenID, err = q.PackListed(ctx, gen.PackListedParams{ID: listingID, Contract: p.Chests})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return tokenID, ok, err
}

// PackOffers returns the packs' listings; see packs.Store.
func (p Packs) PackOffers(ctx context.Context, now time.Time) (offers []packs.Offer, err error) {
	err = p.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PackOffers(ctx, gen.PackOffersParams{
			ChainID: p.Chain, Contract: p.Chests, Seller: p.Seller, Begun: store.Begun(now), Now: column.At(now),
		})
		for _, r := range rows {
			offers = append(offers, packs.Offer{ID: r.ID, Number: r.ListingID, TokenID: r.TokenID, Price: r.Price, Quantity: r.Quantity})
		}
		return err
	})
	return offers, err
}

// AgeConfirmed returns when the player confirmed their age; see packs.AgeStore.
func (db Store) AgeConfirmed(ctx context.Context, playerID string) (at time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		confirmed, err := q.AgeConfirmed(ctx, playerID)
		at = confirmed.Time
		return err
	})
	return at, err
}

// ConfirmAge records when the player confirmed their age; see packs.AgeStore.
func (db Store) ConfirmAge(ctx context.Context, playerID string, at time.Time) (confirmed time.Time, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		first, err := tx.ConfirmAge(ctx, gen.ConfirmAgeParams{ID: playerID, At: column.At(at)})
		confirmed = first.Time
		return err
	})
	return confirmed, err
}
