package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/withdrawals"
)

// FreezeByNotice freezes a player by the link of a notice; see account.Notices.
func (db Store) FreezeByNotice(ctx context.Context, f account.SelfFreeze) (out account.SelfFrozen, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		out = account.SelfFrozen{Freeze: account.Freeze{At: f.At}}
		n, err := notice(ctx, tx, f)
		if err != nil {
			return err
		}
		was, err := tx.LockHolds(ctx, n.PlayerID)
		if err != nil {
			return err
		}
		if n, err = notice(ctx, tx, f); err != nil { // another notice may have ended this one before the lock was taken
			return err
		}
		if n.SentAt.Before(n.AddressAt.Add(f.EmailWait)) { // the address proved nothing
			n.Confirmed = false
			proofs, err := store.ProofsOf(ctx, tx.Queries, n.PlayerID)
			if err != nil {
				return err
			}
			if proofs.Linked {
				return account.ErrNotMeTooNew
			}
		}
		if out.Restored, err = restoreEmail(ctx, tx, n, f); err != nil {
			return err
		}
		if was == nil {
			_, err = tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{At: column.At(f.At), PlayerID: n.PlayerID})
			if err != nil {
				return err
			}
		}
		if out.Sessions, _, err = ShutOut(ctx, tx, n.PlayerID, f.At, withdrawal.FrozenText); err != nil {
			return err
		}
		if was != nil {
			out.Freeze = *was
			return nil
		}
		f.Frozen.To, f.Frozen.PlayerID = n.Email, n.PlayerID
		entry := securitylog.Entry{At: f.At, Event: securitylog.AccountSelfFrozen, Subject: n.PlayerID}
		entry.Detail = fmt.Sprintf("by the link of a notice; ended %d sessions", len(out.Sessions))
		if out.Restored {
			entry.Detail += ", and restored the address"
		}
		return errors.Join(tx.Post(ctx, f.Frozen), tx.LogSecurity(ctx, entry))
	})
	return out, err
}

// notice returns the notice of a link that is still good, or account.ErrNotMeLink.
func notice(ctx context.Context, tx *store.Tx, f account.SelfFreeze) (gen.Notice, error) {
	n, err := tx.Notice(ctx, gen.NoticeParams{TokenHash: f.TokenHash, Now: column.At(f.At)})
	if errors.Is(err, sql.ErrNoRows) {
		err = account.ErrNotMeLink
	}
	return n, err
}

// restoreEmail makes the notice's address the player's again if it was, and reports whether it did. Only the built-in platform's
// addresses are changed here.
func restoreEmail(ctx context.Context, tx *store.Tx, n gen.Notice, f account.SelfFreeze) (bool, error) {
	player, err := tx.Player(ctx, n.PlayerID)
	if err != nil || !bool(n.Confirmed) || email.Key(player.Email) == n.EmailKey {
		return false, err
	}
	if err := changeEmailKey(ctx, tx, n.PlayerID, n.EmailKey); err != nil {
		if fault.Is(err, fault.Conflict) { // another player has had it for longer than addresses are reserved
			err = nil
		}
		return false, err
	}
	if err := setEmail(ctx, tx, gen.SetEmailParams{Email: n.Email, At: column.At(f.At), PlayerID: n.PlayerID}); err != nil {
		return false, err
	}
	if err := tx.DropLaterNotices(ctx, gen.DropLaterNoticesParams{PlayerID: n.PlayerID, EmailKey: n.EmailKey, After: n.SentAt}); err != nil {
		return false, err
	}
	f.Restored.To, f.Restored.PlayerID = player.Email, n.PlayerID
	return true, tx.Post(ctx, f.Restored)
}

// keepBrowser remembers the browser of a session that is opened, and queues the email if it is new to the player, which it reports.
func keepBrowser(ctx context.Context, tx *store.Tx, s account.Session) (fresh bool, err error) {
	if s.BrowserHash == "" {
		return false, nil
	}
	at := column.At(s.CreatedAt)
	seen, err := tx.SeeBrowser(ctx, gen.SeeBrowserParams{SeenAt: at, PlayerID: s.PlayerID, BrowserHash: s.BrowserHash})
	if seen > 0 || err != nil {
		return false, err
	}
	if err := tx.KeepBrowser(ctx, gen.KeepBrowserParams{PlayerID: s.PlayerID, BrowserHash: s.BrowserHash, SeenAt: at}); err != nil {
		return false, err
	}
	if err := tx.DropOldBrowsers(ctx, gen.DropOldBrowsersParams{PlayerID: s.PlayerID, Kept: account.MaxBrowsers}); err != nil {
		return false, err
	}
	return true, tx.PostIf(ctx, s.NewBrowser)
}

// ShutOut ends the sessions, holds, proofs, passkeys and withdrawals of a player who was frozen, the latter for a reason, and
// closes the wallet. It returns the sessions and the number of holds. It cancels a requested deletion: whoever asked for that may be the
// cause of the freeze.
func ShutOut(ctx context.Context, tx *store.Tx, playerID string, at time.Time, reason string) (sessions []string, holds int, err error) {
	if _, err := tx.DropDeletionRequest(ctx, playerID); err != nil {
		return nil, 0, err
	}
	if err := SetWalletClosed(ctx, tx, playerID, at); err != nil {
		return nil, 0, err
	}
	if err := dropProofs(ctx, tx, playerID); err != nil {
		return nil, 0, err
	}
	if err := withdrawals.CancelAll(ctx, tx, playerID, reason); err != nil {
		return nil, 0, err
	}
	if err := removePasskeys(ctx, tx, playerID, at, "a freeze"); err != nil {
		return nil, 0, err
	}
	if sessions, err = tx.OpenSessionIDs(ctx, gen.OpenSessionIDsParams{PlayerID: playerID, Now: column.At(at)}); err != nil {
		return nil, 0, err
	}
	if err := endSessions(ctx, tx, playerID, "", at); err != nil {
		return nil, 0, err
	}
	holds, err = cartstore.EndHolds(ctx, tx, playerID, at)
	return sessions, holds, err
}
