package accounts

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

var errNoApproval = fault.New(fault.NotFound, "There is no such approval.")

// SaveApproval stores a request; see approval.Store.
func (db Store) SaveApproval(ctx context.Context, r approval.Record, m *email.Message, maxMails int,
	since time.Time) (saved bool, err error) {
	err = db.WriteLocked(ctx, r.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		if saved, err = mayMailApproval(ctx, tx, r, m, maxMails, since); !saved || err != nil {
			return err
		}
		if err := tx.ReplaceApprovals(ctx, gen.ReplaceApprovalsParams{
			SessionID: r.SessionID, Kind: string(r.Kind), Now: column.At(r.CreatedAt),
		}); err != nil {
			return err
		}
		mails := int64(0)
		if m != nil {
			mails = 1
		}
		p := gen.InsertActApprovalParams{
			ID: r.ID, PlayerID: r.PlayerID, SessionID: r.SessionID, Kind: string(r.Kind), Digest: r.Digest, Description: strings.Join(r.Lines, "\n"),
			Way: string(r.Way), Address: r.Address, CodeHash: r.CodeHash, AttemptsLeft: int64(r.Attempts), Mails: mails,
			CreatedAt: column.At(r.CreatedAt), ConfirmedAt: column.At(r.ConfirmedAt), ExpiresAt: column.At(r.ExpiresAt),
		}
		if r.Wallet != nil {
			p.Wallet = r.Wallet.String()
		}
		return errors.Join(tx.InsertActApproval(ctx, p), tx.PostIf(ctx, m), tx.LogSecurity(ctx, securitylog.Entry{
			At: r.CreatedAt, Event: securitylog.ApprovalRequested, Subject: r.PlayerID, Detail: describe(r.Kind, r.ID) + ", by " + string(r.Way),
		}))
	})
	return saved, err
}

// mayMailApproval reports whether another email may be sent for the approvals of the request's session.
func mayMailApproval(ctx context.Context, tx *store.Tx, r approval.Record, m *email.Message, maxMails int, since time.Time) (bool, error) {
	if m == nil || maxMails == 0 {
		return true, nil
	}
	n, err := tx.ApprovalMails(ctx, gen.ApprovalMailsParams{SessionID: r.SessionID, Since: column.At(since)})
	return n < int64(maxMails), err
}

// SaveApprovalCode replaces the code of a request that waits; see approval.Store.
func (db Store) SaveApprovalCode(
	ctx context.Context, r approval.Record, m email.Message, maxMails int, since, at time.Time,
) (saved bool, err error) {
	err = db.WriteLocked(ctx, r.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		if saved, err = mayMailApproval(ctx, tx, r, &m, maxMails, since); !saved || err != nil {
			return err
		}
		n, err := tx.Queries.SaveApprovalCode(ctx, gen.SaveApprovalCodeParams{
			CodeHash: r.CodeHash, AttemptsLeft: int64(r.Attempts), ExpiresAt: column.At(r.ExpiresAt), ID: r.ID, Now: column.At(at),
			Since: column.At(since),
		})
		if err == nil && n == 0 {
			err = errNoApproval
		}
		return errors.Join(err, tx.Post(ctx, m))
	})
	return saved, err
}

// Approval returns a session's approval; see approval.Store.
func (db Store) Approval(ctx context.Context, c approval.Caller, id string) (r approval.Record, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ActApproval(ctx, gen.ActApprovalParams{ID: id, PlayerID: c.PlayerID, SessionID: c.SessionID})
		if errors.Is(err, sql.ErrNoRows) {
			return errNoApproval
		}
		r = approval.Record{
			ID: row.ID, Caller: c, Act: approval.Act{Kind: approval.Kind(row.Kind), Digest: row.Digest}, Way: approval.Way(row.Way),
			Address: row.Address, CodeHash: row.CodeHash, Attempts: int(row.AttemptsLeft), CreatedAt: row.CreatedAt.Time,
			ConfirmedAt: row.ConfirmedAt.Time, ExpiresAt: row.ExpiresAt.Time,
		}
		if row.Description != "" {
			r.Lines = strings.Split(row.Description, "\n")
		}
		if err == nil && row.Wallet != "" {
			r.Wallet = new(eth.Address)
			err = r.Wallet.Scan(row.Wallet)
		}
		return err
	})
	return r, err
}

// WaitingApproval returns a session's request for an act; see approval.Store.
func (db Store) WaitingApproval(
	ctx context.Context, c approval.Caller, kind approval.Kind, digest string, at time.Time,
) (id string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		id, err = q.WaitingApproval(ctx, gen.WaitingApprovalParams{
			SessionID: c.SessionID, PlayerID: c.PlayerID, Kind: string(kind), Digest: digest, Now: column.At(at),
		})
		return store.NotFound(err, errNoApproval.Message)
	})
	return id, err
}

// TryApproval uses one attempt; see approval.Store.
func (db Store) TryApproval(ctx context.Context, id string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.TryApproval(ctx, gen.TryApprovalParams{ID: id, Now: column.At(at)})
		if err == nil && n == 0 {
			err = errNoApproval
		}
		if err != nil {
			return err
		}
		return tx.LogSecurity(ctx, securitylog.Entry{
			At: at, Event: securitylog.ApprovalTried, Subject: securitylog.OriginOf(ctx).Player, Detail: "approval " + id,
		})
	})
}

// ConfirmApproval confirms a request that waits; see approval.Store.
func (db Store) ConfirmApproval(ctx context.Context, r approval.Record, at, until time.Time) error {
	return db.WriteLocked(ctx, r.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.ConfirmApproval(ctx, gen.ConfirmApprovalParams{
			ID: r.ID, CodeHash: r.CodeHash, Now: column.At(at), Until: column.At(until),
		})
		if err == nil && n == 0 {
			err = errNoApproval
		}
		if err == nil {
			err = tx.LogSecurity(ctx, securitylog.Entry{
				At: at, Event: securitylog.ApprovalConfirmed, Subject: r.PlayerID, Detail: describe(r.Kind, r.ID),
			})
		}
		if err != nil || r.Address == "" {
			return err
		}
		player, err := tx.Player(ctx, r.PlayerID)
		if err != nil || account.EmailKey(player.Email) != account.EmailKey(r.Address) {
			return err
		}
		return confirmOwnEmail(ctx, tx, gen.ConfirmOwnEmailParams{At: column.At(at), PlayerID: r.PlayerID})
	})
}

// UseApproval spends an approval; see approval.Store.
func (db Store) UseApproval(
	ctx context.Context, playerID string, kind approval.Kind, digest, use string, at time.Time,
) (way approval.Way, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		by, err := tx.Queries.UseApproval(ctx, gen.UseApprovalParams{
			PlayerID: playerID, Kind: string(kind), Digest: digest, UsedFor: use, Now: column.At(at),
		})
		if err != nil {
			return store.NotFound(err, errNoApproval.Message)
		}
		way = approval.Way(by)
		return tx.LogSecurity(ctx, securitylog.Entry{
			At: at, Event: securitylog.ApprovalUsed, Subject: playerID, Detail: string(kind) + " for " + use,
		})
	})
	return way, err
}

func describe(kind approval.Kind, id string) string { return "approval " + id + " of " + string(kind) }
