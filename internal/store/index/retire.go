package index

import (
	"context"
	"errors"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/notification"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/notifications"
)

// EndTrade ends what players hold and have not paid of listings on a chain, in a transaction, and tells them.
func (x *Index) EndTrade(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	c := x.change(tx, chain)
	held, err := tx.UnitsHeldOn(ctx, chain)
	if err != nil {
		return err
	}
	for _, h := range held {
		if paying, err := cartstore.IsBeingPaid(ctx, tx, h.OrderID); paying || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if _, err := tx.DropUnit(ctx, gen.DropUnitParams{ListingID: h.ID, Unit: h.Unit}); err != nil {
			return err
		}
		if err := c.tellHoldEnded(ctx, h.PlayerID, h.ListingID, h.Contract, h.Unit, projection.HoldMoving); err != nil {
			return err
		}
		if err := tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: h.ID}); err != nil {
			return err
		}
	}
	orders, err := tx.UnpaidOrdersOn(ctx, chain)
	if err != nil {
		return err
	}
	return cartstore.EndOrders(ctx, tx, orders, checkout.MovingText)
}

// retireBatch is the number of listings that are read at a time.
const retireBatch = 500

// Retire removes the index of a chain that the portal has left, in a transaction, and notifies the sellers of listings there. What was sold
// stays: it is a token's history, and by it prices are weighed. So do the drop tables that were fixed: packs that were opened there are
// drawn by them.
func Retire(ctx context.Context, tx *store.Tx, chain onchain.ChainID, at time.Time) error {
	notified := map[string]bool{}
	for after := ""; ; {
		rows, err := tx.ListingsOfPlayersOn(ctx, gen.ListingsOfPlayersOnParams{
			ChainID: chain, Now: column.At(at), After: after, Batch: retireBatch,
		})
		if err != nil {
			return err
		}
		for _, l := range rows {
			after = l.ID
			n := notification.New{
				Key: "moved " + l.ID, PlayerID: l.PlayerID, Kind: notification.Moved, ListingID: l.ListingID, Contract: l.Contract, TokenID: l.TokenID,
				Quantity: l.Quantity, Amount: l.Price, At: at,
			}
			if err := notifications.Notify(ctx, tx, n, notified); err != nil {
				return err
			}
		}
		if len(rows) < retireBatch {
			break
		}
	}
	if err := notifications.Announce(ctx, tx, notified); err != nil {
		return err
	}
	return errors.Join(
		tx.DeleteListings(ctx, chain),
		tx.DeleteTransfers(ctx, gen.DeleteTransfersParams{ChainID: chain, BlockNumber: -1}),
		tx.DeleteApprovals(ctx, gen.DeleteApprovalsParams{ChainID: chain, BlockNumber: -1}),
		tx.DeleteSupplyCaps(ctx, gen.DeleteSupplyCapsParams{ChainID: chain, BlockNumber: -1}),
		tx.DeleteUserOperationEvents(ctx, gen.DeleteUserOperationEventsParams{ChainID: chain, BlockNumber: -1}),
		tx.DeleteListingEvents(ctx, gen.DeleteListingEventsParams{ChainID: chain, BlockNumber: -1}),
		tx.DeleteChainBlocks(ctx, gen.DeleteChainBlocksParams{ChainID: chain, Number: -1}),
		tx.DeleteHoldings(ctx, chain),
		tx.DeleteSupplies(ctx, chain),
		tx.DeleteChainSources(ctx, chain),
		tx.DropChainCursor(ctx, chain),
		recount(ctx, tx),
	)
}
