package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

var errNoDeletion = fault.New(fault.NotFound, "There is no such deletion.")

// Belongings returns what a player has or waits for; see account.Deletions.
func (db Store) Belongings(ctx context.Context, playerID string, at time.Time) (b account.Belongings, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		b, err = belongings(ctx, q, playerID, at)
		return err
	})
	return b, err
}

func belongings(ctx context.Context, q *gen.Queries, playerID string, at time.Time) (b account.Belongings, err error) {
	r, err := q.PlayerBelongings(ctx, gen.PlayerBelongingsParams{PlayerID: playerID, Now: column.At(at)})
	if err != nil {
		return b, store.NotFound(err, store.NoPlayer)
	}
	b = account.Belongings{
		Listings: r.Listings, Withdrawals: r.Withdrawals, Orders: r.Orders, Operations: r.Operations, ShopOrders: r.ShopOrders,
		Rewards: r.Rewards,
	}
	if r.Wallet == "" {
		return b, nil
	}
	wallet, err := eth.ParseAddress(r.Wallet)
	if err != nil {
		return b, err
	}
	rows, err := q.HoldingsOfOwner(ctx, wallet)
	for _, h := range rows {
		b.Tokens = append(b.Tokens, account.Token{Chain: h.ChainID, Contract: h.Contract, Amount: h.Amount})
	}
	return b, err
}

// RequestDeletion records that an account is to be deleted; see account.Deletions.
func (db Store) RequestDeletion(ctx context.Context, r account.RequestedDeletion) (due time.Time, err error) {
	err = db.WriteLocked(ctx, r.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.RequestDeletion(ctx, gen.RequestDeletionParams{
			PlayerID: r.PlayerID, At: column.At(r.At), Due: column.At(r.Due), CancelHash: r.CancelHash,
		})
		if err != nil {
			return err
		}
		if n == 0 {
			due, err = deletionDue(ctx, tx.Queries, r.PlayerID)
			return err
		}
		due = r.Due
		if _, err := cartstore.EndHolds(ctx, tx, r.PlayerID, r.At); err != nil {
			return err
		}
		return errors.Join(SetWalletClosed(ctx, tx, r.PlayerID, r.At), tx.PostIf(ctx, r.Message),
			tx.LogSecurity(ctx, securitylog.Entry{At: r.At, Event: securitylog.DeletionRequested, Subject: r.PlayerID}))
	})
	return due, err
}

// SetWalletClosed closes the player's wallet, or reopens it, after a change of what closes it.
func SetWalletClosed(ctx context.Context, tx *store.Tx, playerID string, at time.Time) error {
	must, err := tx.MustClose(ctx, playerID)
	switch {
	case err != nil:
		return store.NotFound(err, store.NoPlayer)
	case must == 1:
		return tx.CloseWallet(ctx, gen.CloseWalletParams{At: column.Millis(at), PlayerID: playerID})
	}
	return tx.ReopenWallet(ctx, playerID)
}

// DeletionDue returns when an account is deleted; see account.Deletions.
func (db Store) DeletionDue(ctx context.Context, playerID string) (due time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		due, err = deletionDue(ctx, q, playerID)
		return err
	})
	return due, err
}

func deletionDue(ctx context.Context, q *gen.Queries, playerID string) (time.Time, error) {
	r, err := q.DeletionRequest(ctx, playerID)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return r.DueAt.Time, err
}

// CancelDeletion cancels a requested deletion; see account.Deletions.
func (db Store) CancelDeletion(ctx context.Context, playerID string) (kept bool, err error) {
	err = db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DropDeletionRequest(ctx, playerID)
		if kept = n > 0; !kept || err != nil {
			return err
		}
		return errors.Join(SetWalletClosed(ctx, tx, playerID, tx.Clock().Now()),
			tx.LogSecurity(ctx, securitylog.Entry{Event: securitylog.DeletionCancelled, Subject: playerID}))
	})
	return kept, err
}

// PlayerOfDeletion returns the player whose deletion a token cancels; see account.Deletions.
func (db Store) PlayerOfDeletion(ctx context.Context, tokenHash string) (playerID string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.DeletionRequestByToken(ctx, tokenHash)
		playerID = r.PlayerID
		return store.NotFound(err, errNoDeletion.Message)
	})
	return playerID, err
}

// RequestedDeletions returns players whose deletion is to be tried; see account.Deletions.
func (db Store) RequestedDeletions(ctx context.Context, at time.Time, limit int) (players []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		players, err = q.DeletionRequestsDue(ctx, gen.DeletionRequestsDueParams{Now: column.At(at), Batch: int64(limit)})
		return err
	})
	return players, err
}

// DelayRequested sets when a requested deletion is tried next; see account.Deletions.
func (db Store) DelayRequested(ctx context.Context, playerID string, until time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.DelayDeletionRequest(ctx, gen.DelayDeletionRequestParams{NextAt: column.At(until), PlayerID: playerID})
	})
}

// DeletePlayer deletes everything stored about a player; see account.Deletions.
func (db Store) DeletePlayer(ctx context.Context, d account.DeletedPlayer) (sessions []string, err error) {
	// Under the player's lock: no payment can begin between the check and the deletion.
	err = db.WriteLocked(ctx, d.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		if d.Requested {
			n, err := tx.TakeDeletionRequest(ctx, gen.TakeDeletionRequestParams{PlayerID: d.PlayerID, Now: column.At(d.At)})
			if err == nil && n == 0 {
				err = errNoDeletion
			}
			if err != nil {
				return err
			}
		}
		b, err := belongings(ctx, tx.Queries, d.PlayerID, d.At)
		if err != nil {
			return err
		}
		if b.Orders+b.Operations > 0 && !d.Again {
			return account.ErrUnderWay
		}
		if d.Allow != nil {
			if err := d.Allow(b); err != nil {
				return err
			}
		}
		listings, err := tx.DropHolds(ctx, d.PlayerID)
		if err != nil {
			return err
		}
		told := map[string]bool{}
		for _, id := range listings {
			if told[id] {
				continue
			}
			told[id] = true
			if err := tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: id}); err != nil {
				return err
			}
		}
		if sessions, err = tx.OpenSessionIDs(ctx, gen.OpenSessionIDsParams{PlayerID: d.PlayerID, Now: column.At(d.At)}); err != nil {
			return err
		}
		if err := announceEnded(ctx, tx, sessions...); err != nil {
			return err
		}
		if err := tx.InsertDeletedPlayer(ctx, gen.InsertDeletedPlayerParams{PlayerID: d.PlayerID, At: column.At(d.At)}); err != nil {
			return err
		}
		if err := tx.DeletePlayerMails(ctx, d.PlayerID); err != nil {
			return err
		}
		if err := errors.Join(tx.CloseWallet(ctx, gen.CloseWalletParams{At: column.Millis(d.At), PlayerID: d.PlayerID}),
			tx.PostIf(ctx, d.Message)); err != nil {
			return err
		}
		owner := sql.NullString{String: d.PlayerID, Valid: true}
		if err := tx.DropBurnGrants(ctx, owner); err != nil {
			return err
		}
		if err := tx.ForgetBurnRewards(ctx, owner); err != nil {
			return err
		}
		err = errors.Join(
			tx.EndTransfers(ctx, gen.EndTransfersParams{UpdatedAt: column.At(d.At), PlayerID: owner}), tx.DropOtherGrants(ctx, owner),
			tx.ForgetTransfers(ctx, owner),
		)
		if err != nil {
			return err
		}
		_, err = tx.Queries.DeletePlayer(ctx, d.PlayerID) // the player's rows are deleted by ON DELETE CASCADE
		return errors.Join(err, tx.LogSecurity(ctx, securitylog.Entry{At: d.At, Event: securitylog.AccountDeleted, Subject: d.PlayerID}))
	})
	return sessions, err
}
