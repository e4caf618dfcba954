package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// keepNotice stores the link of a notice that is about to be mailed. It returns false if the address has had too many of its
// kind.
func (tx *Tx) keepNotice(ctx context.Context, m email.Message) (bool, error) {
	now, key := tx.clock.Now(), email.Key(m.To)
	if m.Notice.Most > 0 {
		sent, err := tx.NoticesSince(ctx, gen.NoticesSinceParams{
			PlayerID: m.PlayerID, Kind: m.Notice.Kind, EmailKey: key, Since: column.At(now.Add(-email.NoticeWindow)),
		})
		if err != nil || sent >= int64(m.Notice.Most) {
			return false, err
		}
	}
	player, err := tx.Player(ctx, m.PlayerID)
	if err != nil {
		return false, notFound(err, noPlayer)
	}
	last, err := tx.LastNoticeAt(ctx, m.PlayerID)
	if err != nil {
		return false, err
	}
	return true, tx.InsertNotice(ctx, gen.InsertNoticeParams{
		TokenHash: m.Notice.TokenHash, PlayerID: m.PlayerID, Kind: m.Notice.Kind, Email: m.To, EmailKey: key,
		Confirmed: column.Flag(!player.EmailConfirmedAt.IsZero() && email.Key(player.Email) == key),
		SentAt:    column.At(column.Of(max(column.Millis(now), last+1))), ExpiresAt: column.At(now.Add(email.NoticeTTL)),
		AddressAt: player.EmailChangedAt,
	})
}

// FreezeByNotice freezes a player by the link of a notice; see account.Notices.
func (db *DB) FreezeByNotice(ctx context.Context, f account.SelfFreeze) (out account.SelfFrozen, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		out = account.SelfFrozen{Freeze: account.Freeze{At: f.At}}
		n, err := tx.notice(ctx, f)
		if err != nil {
			return err
		}
		was, err := tx.takeHoldTurn(ctx, n.PlayerID)
		if err != nil {
			return err
		}
		if n, err = tx.notice(ctx, f); err != nil { // another notice may have ended this one before the lock was taken
			return err
		}
		if n.SentAt.Before(n.AddressAt.Add(f.EmailWait)) { // the address proved nothing
			n.Confirmed = false
			proofs, err := proofsOf(ctx, tx.Queries, n.PlayerID)
			if err != nil {
				return err
			}
			if proofs.Linked {
				return account.ErrNotMeTooNew
			}
		}
		if out.Restored, err = tx.restoreEmail(ctx, n, f); err != nil {
			return err
		}
		if was == nil {
			_, err = tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{At: column.At(f.At), PlayerID: n.PlayerID})
			if err != nil {
				return err
			}
		}
		if out.Sessions, _, err = tx.shutOut(ctx, n.PlayerID, f.At, withdrawal.FrozenText); err != nil {
			return err
		}
		if was != nil {
			out.Freeze = *was
			return nil
		}
		f.Frozen.To, f.Frozen.PlayerID = n.Email, n.PlayerID
		return tx.Post(ctx, f.Frozen)
	})
	return out, err
}

// notice returns the notice of a link that is still good, or account.ErrNotMeLink.
func (tx *Tx) notice(ctx context.Context, f account.SelfFreeze) (gen.Notice, error) {
	n, err := tx.Notice(ctx, gen.NoticeParams{TokenHash: f.TokenHash, Now: column.At(f.At)})
	if errors.Is(err, sql.ErrNoRows) {
		err = account.ErrNotMeLink
	}
	return n, err
}

// restoreEmail makes the notice's address the player's again if it was, and reports whether it did. Only the built-in platform's
// addresses are changed here.
func (tx *Tx) restoreEmail(ctx context.Context, n gen.Notice, f account.SelfFreeze) (bool, error) {
	player, err := tx.Player(ctx, n.PlayerID)
	if err != nil || !bool(n.Confirmed) || email.Key(player.Email) == n.EmailKey {
		return false, err
	}
	if err := tx.changeEmailKey(ctx, n.PlayerID, n.EmailKey); err != nil {
		if fault.Is(err, fault.Conflict) { // another player has had it for longer than addresses are reserved
			err = nil
		}
		return false, err
	}
	if _, err := tx.SetEmail(ctx, gen.SetEmailParams{Email: n.Email, At: column.At(f.At), PlayerID: n.PlayerID}); err != nil {
		return false, err
	}
	if err := tx.DropLaterNotices(ctx, gen.DropLaterNoticesParams{PlayerID: n.PlayerID, EmailKey: n.EmailKey, After: n.SentAt}); err != nil {
		return false, err
	}
	f.Restored.To, f.Restored.PlayerID = player.Email, n.PlayerID
	return true, tx.Post(ctx, f.Restored)
}

// keepBrowser remembers the browser of a session that is opened, and queues the email if it is new to the player.
func (tx *Tx) keepBrowser(ctx context.Context, s account.Session) error {
	if s.BrowserHash == "" {
		return nil
	}
	at := column.At(s.CreatedAt)
	seen, err := tx.SeeBrowser(ctx, gen.SeeBrowserParams{SeenAt: at, PlayerID: s.PlayerID, BrowserHash: s.BrowserHash})
	if seen > 0 || err != nil {
		return err
	}
	if err := tx.KeepBrowser(ctx, gen.KeepBrowserParams{PlayerID: s.PlayerID, BrowserHash: s.BrowserHash, SeenAt: at}); err != nil {
		return err
	}
	if err := tx.DropOldBrowsers(ctx, gen.DropOldBrowsersParams{PlayerID: s.PlayerID, Kept: account.MaxBrowsers}); err != nil {
		return err
	}
	return tx.postIf(ctx, s.NewBrowser)
}

// shutOut ends the sessions, holds, proofs and withdrawals of a player who was frozen, the latter for a reason, and closes the
// wallet. It returns the sessions and the number of holds. It cancels a requested deletion: whoever asked for that may be the
// cause of the freeze.
func (tx *Tx) shutOut(ctx context.Context, playerID string, at time.Time, reason string) (sessions []string, holds int, err error) {
	if _, err := tx.DropDeletionRequest(ctx, playerID); err != nil {
		return nil, 0, err
	}
	if err := tx.setWalletClosed(ctx, playerID, at); err != nil {
		return nil, 0, err
	}
	if err := tx.dropProofs(ctx, playerID); err != nil {
		return nil, 0, err
	}
	if err := tx.cancelWithdrawals(ctx, playerID, reason); err != nil {
		return nil, 0, err
	}
	if sessions, err = tx.OpenSessionIDs(ctx, gen.OpenSessionIDsParams{PlayerID: playerID, Now: column.At(at)}); err != nil {
		return nil, 0, err
	}
	if err := tx.endSessions(ctx, playerID, "", at); err != nil {
		return nil, 0, err
	}
	holds, err = tx.endHolds(ctx, playerID, at)
	return sessions, holds, err
}
