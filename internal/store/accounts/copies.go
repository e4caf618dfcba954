package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// WalletToCopy returns a player's wallet; see wallet.CopyStore.
func (db Store) WalletToCopy(ctx context.Context, playerID string) (w wallet.Copied, done bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.WalletToCopy(ctx, playerID)
		if err != nil {
			return store.NotFound(err, "You do not have a wallet yet.")
		}
		done = r.Wallet.CopyDueAt.IsZero()
		w, err = copied(ctx, q, gen.UncopiedWalletsRow(r))
		return err
	})
	return w, done, err
}

// UncopiedWallets returns wallets that are not copied; see wallet.CopyStore.
func (db Store) UncopiedWallets(ctx context.Context, after wallet.Uncopied, limit int) (out []wallet.Copied, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UncopiedWallets(ctx, gen.UncopiedWalletsParams{
			AfterAt: column.Millis(after.DueAt), AfterPlayer: after.PlayerID, Batch: int64(limit),
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			w, err := copied(ctx, q, r)
			if err != nil {
				return err
			}
			out = append(out, w)
		}
		return nil
	})
	return out, err
}

func copied(ctx context.Context, q *gen.Queries, r gen.UncopiedWalletsRow) (w wallet.Copied, err error) {
	links, err := q.LinkedAccounts(ctx, r.Wallet.PlayerID)
	w = wallet.Copied{
		Wallet: walletOf(r.Wallet), CreatedAt: r.Wallet.CreatedAt.Time, DueAt: r.Wallet.CopyDueAt.Time,
		Account: wallet.Account{
			DisplayName: r.DisplayName, Email: r.Email, EmailConfirmedAt: r.EmailConfirmedAt.Time, EmailKey: r.EmailKey,
			RegisteredAt: r.RegisteredAt.Time,
		},
	}
	for _, l := range links {
		w.Account.Links = append(w.Account.Links, wallet.Link{Provider: l.Provider, ID: l.ExternalID})
	}
	return w, err
}

// MarkCopied records that a wallet is copied; see wallet.CopyStore.
func (db Store) MarkCopied(ctx context.Context, w wallet.Copied) (marked bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.MarkWalletCopied(ctx, gen.MarkWalletCopiedParams{
			PlayerID: w.PlayerID, SealedKey: w.Sealed, Email: w.Account.Email, EmailConfirmedAt: column.At(w.Account.EmailConfirmedAt),
		})
		if marked = n == 1; marked || err != nil {
			return err
		}
		return copyAgain(ctx, tx, w.PlayerID) // another process may have marked what it had written before
	})
	return marked, err
}

// CopiedPlayer returns a player whose wallet is copied; "" for none.
func (db Store) CopiedPlayer(ctx context.Context) (playerID string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		playerID, err = q.CopiedWallet(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return playerID, err
}

// UnrecordedDeletions returns the oldest deletions that are not recorded; see wallet.CopyStore.
func (db Store) UnrecordedDeletions(ctx context.Context, limit int) (out []wallet.Deleted, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UnrecordedDeletions(ctx, int64(limit))
		for _, r := range rows {
			out = append(out, wallet.Deleted{PlayerID: r.PlayerID, At: r.DeletedAt.Time})
		}
		return err
	})
	return out, err
}

// MarkRecorded records that a deletion is recorded in the second place.
func (db Store) MarkRecorded(ctx context.Context, playerID string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.MarkDeletionRecorded(ctx, gen.MarkDeletionRecordedParams{At: column.At(at), PlayerID: playerID})
	})
}

// OldestDueCopy returns since when a wallet has to be copied, or a deletion recorded; zero for none.
func (db Store) OldestDueCopy(ctx context.Context) (at time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		due, err := q.OldestDueCopy(ctx)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		at = due.Time
		deletions, err := q.UnrecordedDeletions(ctx, 1)
		if len(deletions) > 0 && (at.IsZero() || deletions[0].DeletedAt.Before(at)) {
			at = deletions[0].DeletedAt.Time
		}
		return err
	})
	return at, err
}

// DeleteAgain deletes an account that was deleted before the database was restored; see wallet.CopyStore.
func (db Store) DeleteAgain(ctx context.Context, playerID string, at time.Time) error {
	_, err := db.DeletePlayer(ctx, account.DeletedPlayer{PlayerID: playerID, At: at, Again: true})
	return err
}

// HasPlayer reports whether there is an account.
func (db Store) HasPlayer(ctx context.Context, playerID string) (has bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		_, err := q.Player(ctx, playerID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		has = err == nil
		return err
	})
	return has, err
}

// RestoreWallet stores a wallet that the database lacks; see wallet.CopyStore.
func (db Store) RestoreWallet(ctx context.Context, w wallet.Copied, at time.Time) (restored bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		restored = false
		if n, err := tx.CountDeletedPlayer(ctx, w.PlayerID); err != nil || n > 0 {
			return err
		}
		if err := restoreAccount(ctx, tx, w, at); err != nil {
			return err
		}
		n, err := tx.Queries.RestoreWallet(ctx, gen.RestoreWalletParams{
			PlayerID: w.PlayerID, OwnerAddress: w.Owner, SealedKey: w.Sealed, SealedBy: w.SealedBy, SmartAddress: w.Smart,
			CreatedAt: column.At(w.CreatedAt), At: column.At(at),
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.Conflict, "the wallet %s is another player's", w.Smart.Checksum())
		}
		restored = true
		if err := tx.Queries.SeeItems(ctx, w.PlayerID); err != nil {
			return err
		}
		return rewards.OwnRewards(ctx, tx, w.PlayerID, w.Smart, at)
	})
	return restored, err
}

// restoreAccount creates a player's account unless there is one. Its password is not in the copy: players ask for a new one by email.
func restoreAccount(ctx context.Context, tx *store.Tx, w wallet.Copied, at time.Time) error {
	if _, err := tx.Player(ctx, w.PlayerID); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	a := w.Account
	if a.EmailKey != "" {
		if other, err := tx.LocalAccountByEmail(ctx, a.EmailKey); !errors.Is(err, sql.ErrNoRows) {
			if err == nil {
				err = fault.New(fault.Conflict, "its email is the player %s's by now", other.PlayerID)
			}
			return err
		}
	}
	err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{
		ID: w.PlayerID, DisplayName: a.DisplayName, Email: a.Email, CreatedAt: column.At(a.RegisteredAt),
	})
	if err != nil {
		return err
	}
	if !a.EmailConfirmedAt.IsZero() {
		if err := tx.ConfirmPlayerEmail(ctx, gen.ConfirmPlayerEmailParams{At: column.At(a.EmailConfirmedAt), ID: w.PlayerID}); err != nil {
			return err
		}
	}
	if err := tx.WaitForEmail(ctx, gen.WaitForEmailParams{At: column.At(at), PlayerID: w.PlayerID}); err != nil {
		return err
	}
	if a.EmailKey != "" {
		if err := tx.InsertLocalAccount(ctx, gen.InsertLocalAccountParams{PlayerID: w.PlayerID, EmailKey: a.EmailKey}); err != nil {
			return err
		}
	}
	if err := takeName(ctx, tx, w.PlayerID, account.NameKey(a.DisplayName)); err != nil { // another player may have it by now
		return err
	}
	for _, l := range a.Links {
		err := tx.InsertLinkedAccount(ctx, gen.InsertLinkedAccountParams{
			Provider: l.Provider, ExternalID: l.ID, PlayerID: w.PlayerID, CreatedAt: column.At(a.RegisteredAt),
		})
		if store.IsDuplicate(err) {
			return fault.New(fault.Conflict, "the account's sign-in with %s is another player's by now", l.Provider)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
