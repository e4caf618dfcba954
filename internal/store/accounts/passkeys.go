package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

const noPasskey = "There is no such passkey."

func passkeyOf(r gen.Passkey) passkey.Passkey {
	return passkey.Passkey{
		ID: r.ID, PlayerID: r.PlayerID, Name: r.Name, CreatedAt: r.CreatedAt.Time, UsedAt: r.UsedAt.Time, Synced: bool(r.Synced),
		Credential: []byte(r.Credential), Signatures: uint32(r.Signatures),
	}
}

// Passkeys returns a player's passkeys; see passkey.Store.
func (db Store) Passkeys(ctx context.Context, playerID string) (out []passkey.Passkey, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PasskeysOf(ctx, playerID)
		out = make([]passkey.Passkey, len(rows))
		for i, r := range rows {
			out[i] = passkeyOf(r)
		}
		return err
	})
	return out, err
}

// Passkey returns a passkey; see passkey.Store.
func (db Store) Passkey(ctx context.Context, id string) (p passkey.Passkey, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.PasskeyByID(ctx, id)
		p = passkeyOf(r)
		return store.NotFound(err, noPasskey)
	})
	return p, err
}

// AddPasskey adds a passkey; see passkey.Store.
func (db Store) AddPasskey(ctx context.Context, c passkey.Caller, commitment string, p passkey.Passkey, m *email.Message) error {
	return db.WriteLocked(ctx, c.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		ended, err := tx.EndUsedApproval(ctx, gen.EndUsedApprovalParams{
			SessionID: c.SessionID, PlayerID: c.PlayerID, Kind: string(approval.AddPasskey),
			Digest: approval.DigestOfPasskey(commitment), UsedFor: approval.UseOfPasskey, Now: column.At(p.CreatedAt),
		})
		if err == nil && ended == 0 {
			err = passkey.ErrOver
		}
		if err != nil {
			return err
		}
		has, err := tx.CountPasskeys(ctx, c.PlayerID)
		if err == nil && has >= passkey.Most {
			err = passkey.ErrTooMany
		}
		if err != nil {
			return err
		}
		n, err := tx.InsertPasskey(ctx, gen.InsertPasskeyParams{
			ID: p.ID, PlayerID: c.PlayerID, Name: p.Name, Credential: string(p.Credential), Signatures: int64(p.Signatures),
			Synced: column.Flag(p.Synced), CreatedAt: column.At(p.CreatedAt),
		})
		if err == nil && n == 0 {
			err = passkey.ErrKnown
		}
		if err != nil {
			return err
		}
		if err := tx.PostIf(ctx, m); err != nil {
			return err
		}
		return logPasskey(ctx, tx, securitylog.PasskeyAdded, p, p.CreatedAt, "")
	})
}

// logPasskey writes an event of a passkey into the security log.
func logPasskey(ctx context.Context, tx *store.Tx, event securitylog.Event, p passkey.Passkey, at time.Time, more string) error {
	return tx.LogSecurity(ctx, securitylog.Entry{
		At: at, Event: event, Subject: p.PlayerID, Detail: PasskeyText(p) + more,
	})
}

// PasskeyText tells a passkey from others in the security log.
func PasskeyText(p passkey.Passkey) string { return fmt.Sprintf("passkey %.16s, %q", p.ID, p.Name) }

// RenamePasskey renames a passkey; see passkey.Store.
func (db Store) RenamePasskey(ctx context.Context, playerID, id, name string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.RenamePasskey(ctx, gen.RenamePasskeyParams{Name: name, ID: id, PlayerID: playerID})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noPasskey)
		}
		if err != nil {
			return err
		}
		p := passkey.Passkey{ID: id, PlayerID: playerID, Name: name}
		return logPasskey(ctx, tx, securitylog.PasskeyRenamed, p, tx.Clock().Now(), "")
	})
}

// RemovePasskey removes a passkey; see passkey.Store.
func (db Store) RemovePasskey(ctx context.Context, playerID, id string, at time.Time, m *email.Message) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		r, err := tx.PasskeyByID(ctx, id)
		if err != nil {
			return store.NotFound(err, noPasskey)
		}
		n, err := tx.DeletePasskey(ctx, gen.DeletePasskeyParams{ID: id, PlayerID: playerID})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noPasskey)
		}
		if err != nil {
			return err
		}
		if err := tx.PostIf(ctx, m); err != nil {
			return err
		}
		return logPasskey(ctx, tx, securitylog.PasskeyRemoved, passkeyOf(r), at, "")
	})
}

// removePasskeys removes all passkeys of a player, whose owner may not be the one who added them.
func removePasskeys(ctx context.Context, tx *store.Tx, playerID string, at time.Time, why string) error {
	rows, err := tx.DeletePasskeys(ctx, playerID)
	for _, r := range rows {
		err = errors.Join(err, logPasskey(ctx, tx, securitylog.PasskeyRemoved, passkeyOf(r), at, ", because of "+why))
	}
	return err
}

// AnswerChallenge stores an answer; see passkey.Store.
func (db Store) AnswerChallenge(ctx context.Context, a passkey.Answer) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.InsertPasskeyAnswer(ctx, gen.InsertPasskeyAnswerParams{Hash: a.Challenge, ExpiresAt: column.At(a.ExpiresAt)})
		if err == nil && n == 0 {
			err = passkey.ErrRefused
		}
		if err != nil {
			return err
		}
		n, err = tx.UsePasskey(ctx, gen.UsePasskeyParams{
			Credential: string(a.Credential), Signatures: int64(a.Signatures), Synced: column.Flag(a.Synced), UsedAt: column.At(a.UsedAt),
			ID: a.ID, PlayerID: a.PlayerID, Was: int64(a.Was),
		})
		if err == nil && n == 0 {
			err = passkey.ErrRefused
		}
		if err != nil {
			return err
		}
		return logPasskey(ctx, tx, securitylog.PasskeyUsed, a.Passkey, a.UsedAt, ", for "+a.Purpose)
	})
}

// RefusePasskey logs a refusal; see passkey.Store.
func (db Store) RefusePasskey(ctx context.Context, p passkey.Passkey, reason string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.LogSecurityAtMost(ctx, securitylog.Entry{
			Event: securitylog.PasskeyRefused, Subject: p.PlayerID, Refusal: reason, Detail: PasskeyText(p),
		}, 5, true)
	})
}

// DropAnswered deletes expired challenges; see passkey.Store.
func (db Store) DropAnswered(ctx context.Context, now time.Time) error {
	var over int64
	if err := db.Read(ctx, func(q *gen.Queries) (err error) {
		over, err = q.CountPasskeyAnswers(ctx, column.At(now))
		return err
	}); err != nil || over == 0 { // avoid a write, and so an fsync, when there is nothing to do
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePasskeyAnswers(ctx, column.At(now)) })
}

var _ passkey.Store = Store{}
