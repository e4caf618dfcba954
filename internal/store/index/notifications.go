package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/notifications"
)

// notifySeller notifies the seller, if that is a player, of a listing that stopped being valid or whose goods are back: once
// for the terms it has. Removed facts notify nobody.
func (c *change) notifySeller(ctx context.Context, before *gen.Listing, l gen.Listing) error {
	var was notification.Listing
	if before != nil {
		was = notifications.StateOfListing(*before, c.at)
	}
	kind, ok := notification.OfChange(was, notifications.StateOfListing(l, c.at))
	if !ok || c.from == 0 || c.added != nil || c.closed[l.Seller] {
		return nil
	}
	player, err := c.tx.PlayerOfWallet(ctx, l.Seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	terms, err := c.tx.TermsBlock(ctx, gen.TermsBlockParams{ChainID: l.ChainID, ListingID: l.ListingID})
	if err != nil {
		return err
	}
	n := notification.New{
		Key: fmt.Sprintf("%s %s %d", kind, l.ID, terms), PlayerID: player, Kind: kind, ListingID: l.ListingID,
		Contract: l.Contract, TokenID: l.TokenID, Quantity: l.Quantity, Amount: l.Price, At: c.at,
	}
	return notifications.Notify(ctx, c.tx, n, c.notified)
}

// notifySale notifies the seller of a sale, if that is a player.
func (c *change) notifySale(ctx context.Context, row gen.InsertSaleParams, fact gen.InsertFactEffectParams) error {
	player, err := c.tx.PlayerOfWallet(ctx, row.Seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	n := notification.New{
		Key: fmt.Sprintf("sold %d %s %s", row.ChainID, fact.Cause, fact.Fact), PlayerID: player, Kind: notification.Sold,
		ListingID: row.ListingID, Contract: row.Contract, TokenID: row.TokenID, Quantity: row.Quantity, Tx: row.TxHash, At: row.Time.Time,
	}
	if n.Amount, _, err = c.payoutOf(ctx, row); err != nil {
		return err
	}
	return notifications.Notify(ctx, c.tx, n, c.notified)
}

// payoutOf returns what a sale gave its seller, by the transfers that are stored; false if no payout is among them.
func (c *change) payoutOf(ctx context.Context, sale gen.InsertSaleParams) (amount money.Units, ok bool, err error) {
	amount, err = c.tx.PayoutOf(ctx, gen.PayoutOfParams{
		ChainID: sale.ChainID, BlockNumber: sale.BlockNumber, LogIndex: sale.LogIndex, TxHash: sale.TxHash, Currency: sale.Currency,
		Seller: sale.Seller,
	})
	if errors.Is(err, sql.ErrNoRows) {
		return amount, false, nil
	}
	return amount, err == nil, err
}

// noteOffer notes a change of a listing's price or availability, for alerts; before is nil for a new listing. Removed facts, and
// changes of long ago, alert nobody.
func (c *change) noteOffer(ctx context.Context, before *gen.Listing, l gen.Listing) error {
	now := c.tx.Clock().Now()
	if c.from == 0 || now.Sub(c.at) > market.AlertWindow {
		return nil
	}
	was := gen.Listing{}
	if before != nil {
		was = *before
	}
	sameOffer := l.PriceRank == was.PriceRank && l.StartAt.Equal(was.StartAt.Time) && l.EndAt.Equal(was.EndAt.Time)
	if l.Browsable == was.Browsable && (!bool(l.Browsable) || sameOffer) {
		return nil
	}
	live := bool(was.Browsable) && onchain.Open(was.StartAt.Time, was.EndAt.Time, now)
	due := column.At(now)
	if l.StartAt.After(now) {
		due = l.StartAt
	}
	return c.tx.NoteListingChange(ctx, gen.NoteListingChangeParams{
		ListingID: l.ID, WasLive: column.Flag(live), WasPrice: was.PriceRank, DueAt: due,
	})
}
