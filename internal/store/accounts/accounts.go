package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/withdrawals"
)

// PasswordHash returns the hash of a player's password; see local.Accounts.
func (db Store) PasswordHash(ctx context.Context, playerID string) (hash string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		hash, err = q.PasswordHash(ctx, playerID)
		if err == nil && hash == "" { // the player has no password here
			err = sql.ErrNoRows
		}
		return store.NotFound(err, "There is no such account.")
	})
	return hash, err
}

// SetPasswordHash stores a new hash; see local.Accounts.
func (db Store) SetPasswordHash(ctx context.Context, playerID, hash, keepSession string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return setPasswordHash(ctx, tx, playerID, hash, keepSession, "", at)
	})
}

// setPasswordHash sets a new hash and ends what the old password opened; how says how it was proven, for the security log.
func setPasswordHash(ctx context.Context, tx *store.Tx, playerID, hash, keepSession, how string, at time.Time) error {
	n, err := tx.Queries.SetPasswordHash(ctx, gen.SetPasswordHashParams{PasswordHash: hash, PlayerID: playerID})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	if err := dropProofs(ctx, tx, playerID); err != nil {
		return err
	}
	if err := withdrawals.PasswordChanged(ctx, tx, playerID, at); err != nil {
		return err
	}
	err = tx.LogSecurity(ctx, securitylog.Entry{At: at, Event: securitylog.PasswordChanged, Subject: playerID, Detail: how})
	if err != nil {
		return err
	}
	return endSessions(ctx, tx, playerID, keepSession, at)
}

// dropProofs deletes what was emailed to the player as a proof: password reset links and codes.
func dropProofs(ctx context.Context, tx *store.Tx, playerID string) error {
	if err := tx.DeleteRecoveryLinks(ctx, sql.NullString{String: playerID, Valid: true}); err != nil {
		return err
	}
	return tx.DeleteEmailCode(ctx, playerID)
}

// SaveRecoveryLink stores a link and queues the email; see local.Accounts.
func (db Store) SaveRecoveryLink(ctx context.Context, l account.RecoveryLink) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		message := l.Message
		account := gen.RecoveryAccountParams{EmailKey: l.EmailKey, EmailWait: l.EmailWait.Milliseconds()}
		to, err := tx.RecoveryAccount(ctx, account)
		if err == nil { // again under the player's lock: the address may just be replaced
			if err = tx.LockPlayer(ctx, to.PlayerID); err == nil {
				to, err = tx.RecoveryAccount(ctx, account)
			}
		}
		known := err == nil
		if err := store.NotFound(err, ""); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		until := to.EmailChangedAt.Time.Add(l.EmailWait)
		tooEarly := to.Waits == 1 && l.At.Before(until)
		if tooEarly {
			message = l.TooEarly(until)
		}
		if err := tx.InsertRecoveryLink(ctx, gen.InsertRecoveryLinkParams{
			TokenHash: l.TokenHash, PlayerID: sql.NullString{String: to.PlayerID, Valid: known && !tooEarly}, ExpiresAt: column.At(l.Expires),
		}); err != nil {
			return err
		}
		// Also of an address without an account, so that both take the same time.
		e := securitylog.Entry{At: l.At, Event: securitylog.RecoveryRequested, Subject: to.PlayerID}
		if err := tx.LogSecurityAtMost(ctx, e, refusalsLogged, false); err != nil {
			return err
		}
		if !known {
			return tx.PostToNobody(ctx, message)
		}
		message.To, message.PlayerID = to.Email, to.PlayerID
		return tx.Post(ctx, message)
	})
}

// RecoveryLink returns the player of a valid link; see local.Accounts.
func (db Store) RecoveryLink(ctx context.Context, tokenHash string, at time.Time) (playerID string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		player, err := q.RecoveryLinkPlayer(ctx, gen.RecoveryLinkPlayerParams{TokenHash: tokenHash, Now: column.At(at)})
		playerID = player.String
		return store.NotFound(err, "There is no such link.")
	})
	return playerID, err
}

// UseRecoveryLink consumes a link and sets a new password; see local.Accounts.
func (db Store) UseRecoveryLink(ctx context.Context, tokenHash, hash string, at time.Time) (playerID string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		player, err := tx.Queries.UseRecoveryLink(ctx, gen.UseRecoveryLinkParams{TokenHash: tokenHash, Now: column.At(at)})
		if err != nil {
			return store.NotFound(err, "There is no such link.")
		}
		playerID = player.String
		if err := confirmOwnEmail(ctx, tx, gen.ConfirmOwnEmailParams{At: column.At(at), PlayerID: playerID}); err != nil {
			return err
		}
		return errors.Join(removePasskeys(ctx, tx, playerID, at, "a new password"),
			setPasswordHash(ctx, tx, playerID, hash, "", "by an emailed link", at))
	})
	return playerID, err
}

// RenameAccount changes a player's name; see local.Accounts.
func (db Store) RenameAccount(ctx context.Context, playerID, displayName, nameKey string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := saveName(ctx, tx, playerID, displayName); err != nil {
			return err
		}
		return takeFreeName(ctx, tx, playerID, nameKey)
	})
}

// NameTaken reports whether a player other than the one given has a name; see playfab.Known.
func (db Store) NameTaken(ctx context.Context, nameKey, butPlayerID string) (taken bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err := q.NameTaken(ctx, gen.NameTakenParams{NameKey: nameKey, PlayerID: butPlayerID})
		taken = n > 0
		return err
	})
	return taken, err
}

// takeFreeName assigns a name to the player; a fault.Conflict, with the field, if another player has it.
func takeFreeName(ctx context.Context, tx *store.Tx, playerID, nameKey string) error {
	if err := takeName(ctx, tx, playerID, nameKey); err != nil {
		return err
	}
	n, err := tx.NameTaken(ctx, gen.NameTakenParams{NameKey: nameKey, PlayerID: playerID})
	if err == nil && n > 0 {
		err = conflictOf(takenFields(gen.AccountTakenRow{NameTaken: 1}))
	}
	return err
}

// takeName replaces the player's name unless another player has it. The player's row must have been written before,
// which serializes two changes by one player.
func takeName(ctx context.Context, tx *store.Tx, playerID, nameKey string) error {
	if err := tx.DropOtherNames(ctx, gen.DropOtherNamesParams{PlayerID: playerID, NameKey: nameKey}); err != nil {
		return err
	}
	return tx.TakeName(ctx, gen.TakeNameParams{PlayerID: playerID, NameKey: nameKey})
}

// SaveName stores the name of a player whose account is kept elsewhere; see account.Sessions. For an account of the
// built-in platform the name is written together with its unique key, so that concurrent changes cannot separate them.
func (db Store) SaveName(ctx context.Context, playerID, displayName string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if n, err := tx.HasLocalAccount(ctx, playerID); err != nil || n > 0 {
			return err
		}
		if err := saveName(ctx, tx, playerID, displayName); err != nil {
			return err
		}
		return takeName(ctx, tx, playerID, account.NameKey(displayName))
	})
}

func saveName(ctx context.Context, tx *store.Tx, playerID, displayName string) error {
	was, err := tx.Player(ctx, playerID)
	if err == nil && was.DisplayName != displayName {
		err = tx.LogSecurity(ctx, securitylog.Entry{Event: securitylog.AccountRenamed, Subject: playerID})
	}
	if err != nil {
		return store.NotFound(err, store.NoPlayer)
	}
	n, err := tx.SetDisplayName(ctx, gen.SetDisplayNameParams{DisplayName: displayName, ID: playerID})
	if err == nil && n == 0 {
		err = fault.New(fault.NotFound, "There is no such player.")
	}
	return err
}

// TouchSession records when a session was last used; see account.Sessions.
func (db Store) TouchSession(ctx context.Context, id string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.TouchSession(ctx, gen.TouchSessionParams{UsedAt: column.At(at), ID: id})
	})
}

// OpenSessions returns a player's open sessions; see account.Sessions.
func (db Store) OpenSessions(ctx context.Context, playerID string, at time.Time) (out []account.Session, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OpenSessions(ctx, gen.OpenSessionsParams{PlayerID: playerID, Now: column.At(at)})
		out = make([]account.Session, len(rows))
		for i, r := range rows {
			out[i] = sessionOf(r)
		}
		return err
	})
	return out, err
}

// RevokeSessionOf ends a session of a player; see account.Sessions.
func (db Store) RevokeSessionOf(ctx context.Context, playerID, id string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.RevokeSessionOf(ctx, gen.RevokeSessionOfParams{RevokedAt: column.At(at), ID: id, PlayerID: playerID})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, "There is no such session.")
		}
		if err != nil {
			return err
		}
		return errors.Join(announceEnded(ctx, tx, id), tx.LogSecurity(ctx, securitylog.Entry{
			At: at, Event: securitylog.SessionEnded, Subject: playerID, Detail: "session " + id,
		}))
	})
}

// EndExpired ends expired sessions; see account.Sessions.
func (db Store) EndExpired(ctx context.Context, at time.Time, limit int) (ended int, err error) {
	var over int64
	if err := db.Read(ctx, func(q *gen.Queries) (err error) {
		over, err = q.CountExpiredSessions(ctx, column.At(at))
		return err
	}); err != nil || over == 0 { // avoid a write, and so an fsync, when there is nothing to do
		return 0, err
	}
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows, err := tx.EndExpiredSessions(ctx, gen.EndExpiredSessionsParams{Now: column.At(at), Batch: int64(limit)})
		ended = len(rows)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.ExpiresAt.Time.Before(at.Add(-account.ExpiryAnnounced)) {
				continue
			}
			if err := announceEnded(ctx, tx, r.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return ended, err
}

// announceEnded queues the closing of the connections of sessions that end in this transaction.
func announceEnded(ctx context.Context, tx *store.Tx, sessions ...string) error {
	for _, id := range sessions {
		if err := tx.Announce(ctx, announce.Announcement{Topic: announce.SessionEnded, Payload: id}); err != nil {
			return err
		}
	}
	return nil
}

// EndSessions ends a player's sessions; see account.Sessions.
func (db Store) EndSessions(ctx context.Context, e account.EndSessions) (ended []string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if e.DropPasskeys {
			if _, err := tx.LockHolds(ctx, e.PlayerID); err != nil { // none is added meanwhile
				return err
			}
			if err := removePasskeys(ctx, tx, e.PlayerID, e.At, "a new password"); err != nil {
				return err
			}
		}
		if err := endSessions(ctx, tx, e.PlayerID, e.Keep, e.At); err != nil {
			return err
		}
		if e.PasswordChanged {
			if err := withdrawals.PasswordChanged(ctx, tx, e.PlayerID, e.At); err != nil {
				return err
			}
			local, err := tx.HasLocalAccount(ctx, e.PlayerID)
			if err == nil && local == 0 { // else it was logged when it was set
				err = tx.LogSecurity(ctx, securitylog.Entry{
					At: e.At, Event: securitylog.PasswordChanged, Subject: e.PlayerID, Detail: "at the game platform",
				})
			}
			if err != nil {
				return err
			}
		}
		if e.Thaw {
			thawed, err := tx.Thaw(ctx, gen.ThawParams{ID: e.PlayerID, Since: column.At(e.Since)})
			if err == nil && thawed > 0 {
				err = errors.Join(SetWalletClosed(ctx, tx, e.PlayerID, e.At),
					tx.LogSecurity(ctx, securitylog.Entry{At: e.At, Event: securitylog.AccountThawed, Subject: e.PlayerID}))
			}
			if err != nil {
				return err
			}
		}
		ended, err = tx.SessionsEndedSince(ctx, gen.SessionsEndedSinceParams{
			PlayerID: e.PlayerID, Since: column.Millis(e.Since), Now: column.Millis(e.At),
		})
		if err != nil || !e.PasswordChanged && len(ended) == 0 {
			return err
		}
		return tx.PostIf(ctx, e.Message)
	})
	return ended, err
}

// endSessions ends all sessions of a player but one, including those about to be opened with earlier credentials.
func endSessions(ctx context.Context, tx *store.Tx, playerID, keep string, at time.Time) error {
	if _, err := tx.NoteSessionsEnded(ctx, gen.NoteSessionsEndedParams{SessionsEndedAt: column.At(at), ID: playerID}); err != nil {
		return err
	}
	ended, err := tx.RevokeSessions(ctx, gen.RevokeSessionsParams{RevokedAt: column.At(at), PlayerID: playerID, ID: keep})
	if len(ended) == 0 || err != nil {
		return err
	}
	return errors.Join(announceEnded(ctx, tx, ended...), tx.LogSecurity(ctx, securitylog.Entry{
		At: at, Event: securitylog.SessionsEnded, Subject: playerID, Detail: fmt.Sprintf("%d sessions", len(ended)),
	}))
}

// DeleteStale deletes expired rows; see account.Sessions.
func (db Store) DeleteStale(ctx context.Context, s account.Stale) error {
	var stale int64
	if err := db.Read(ctx, func(q *gen.Queries) (err error) {
		n, err := q.CountStale(ctx, gen.CountStaleParams{
			SessionsBefore: column.At(s.Sessions), Before: column.At(s.Proofs), DeletedBefore: column.At(s.Deletions),
			BrowsersBefore: column.At(s.Browsers),
		})
		stale = int64(n)
		return err
	}); err != nil || stale == 0 { // avoid a write, and so an fsync, when there is nothing to do
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.DeleteStaleSessions(ctx, column.At(s.Sessions)); err != nil {
			return err
		}
		if err := tx.DeleteStaleLinks(ctx, column.At(s.Proofs)); err != nil {
			return err
		}
		if err := tx.DeleteStaleEmailCodes(ctx, column.At(s.Proofs)); err != nil {
			return err
		}
		if err := tx.DeleteStaleApprovals(ctx, column.At(s.Proofs)); err != nil {
			return err
		}
		if err := tx.DeleteStaleNotices(ctx, column.At(s.Proofs)); err != nil {
			return err
		}
		if err := tx.DeleteStaleAttempts(ctx, column.At(s.Proofs)); err != nil {
			return err
		}
		if err := tx.DeleteStaleBrowsers(ctx, column.At(s.Browsers)); err != nil {
			return err
		}
		return tx.ForgetDeletions(ctx, column.At(s.Deletions))
	})
}

// DeletionsDue returns players whose deletion by the platform is due; see account.Deletions.
func (db Store) DeletionsDue(ctx context.Context, at time.Time, limit int) (due []account.DueDeletion, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DeletionsDue(ctx, gen.DeletionsDueParams{Now: column.At(at), Batch: int64(limit)})
		for _, r := range rows {
			due = append(due, account.DueDeletion{PlayerID: r.PlayerID, Attempts: int(r.Attempts)})
		}
		return err
	})
	return due, err
}

// FinishDeletion records that the platform has deleted the player; see account.Deletions.
func (db Store) FinishDeletion(ctx context.Context, playerID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.Queries.FinishDeletion(ctx, playerID) })
}

// DelayDeletion schedules the next request to the platform; see account.Deletions.
func (db Store) DelayDeletion(ctx context.Context, playerID string, until time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.DelayDeletion(ctx, gen.DelayDeletionParams{DueAt: column.At(until), PlayerID: playerID})
	})
}
