package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"pantheon/internal/kit/email"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Mail is the queue of emails; see mail.Store.
type Mail struct{ *DB }

// void is the state of an email without a recipient, which is never sent or shown.
const void email.State = "void"

// Post queues an email in the transaction. It is sent after the commit. A notice that exceeds its limit is left out.
func (tx *Tx) Post(ctx context.Context, m email.Message) error { return tx.post(ctx, m, email.Pending) }

// PostToNobody writes as much as Post does, but sends nothing.
func (tx *Tx) PostToNobody(ctx context.Context, m email.Message) error {
	m.Text = ""
	return tx.post(ctx, m, void)
}

func (tx *Tx) post(ctx context.Context, m email.Message, state email.State) error {
	if m.Notice != nil && state == email.Pending {
		if may, err := tx.keepNotice(ctx, m); !may || err != nil {
			return err
		}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if m.TTL == 0 {
		m.TTL = email.DefaultTTL
	}
	now := tx.clock.Now()
	return tx.InsertMail(ctx, gen.InsertMailParams{
		ID: id.String(), PlayerID: m.PlayerID, Recipient: m.To, ReplyTo: m.ReplyTo, Subject: m.Subject, Body: m.Text, State: string(state),
		At: column.At(now), ExpiresAt: column.At(now.Add(m.TTL)),
	})
}

// DueEmails returns the emails that are due; see mail.Store.
func (db Mail) DueEmails(ctx context.Context, at time.Time, limit int) ([]email.Queued, error) {
	return db.emails(ctx, func(q *gen.Queries) ([]gen.Mail, error) {
		return q.DueMails(ctx, gen.DueMailsParams{Now: column.At(at), Batch: int64(limit)})
	})
}

// RecentEmails returns the newest emails; see mail.Lister.
func (db Mail) RecentEmails(ctx context.Context, limit int) ([]email.Queued, error) {
	return db.emails(ctx, func(q *gen.Queries) ([]gen.Mail, error) { return q.KeptMails(ctx, int64(limit)) })
}

func (db Mail) emails(ctx context.Context, get func(*gen.Queries) ([]gen.Mail, error)) (out []email.Queued, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := get(q)
		out = make([]email.Queued, len(rows))
		for i, r := range rows {
			out[i] = email.Queued{
				Message: email.Message{To: r.Recipient, ReplyTo: r.ReplyTo, Subject: r.Subject, Text: r.Body, PlayerID: r.PlayerID},
				ID:      r.ID, State: email.State(r.State), Attempts: int(r.Attempts), Error: r.Error,
				CreatedAt: r.CreatedAt.Time, ExpiresAt: r.ExpiresAt.Time,
			}
		}
		return err
	})
	return out, err
}

// ClaimEmail counts an attempt; see mail.Store.
func (db Mail) ClaimEmail(ctx context.Context, id string, attempts int, retry time.Time) (claimed bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.ClaimMail(ctx, gen.ClaimMailParams{RetryAt: column.At(retry), ID: id, Attempts: int64(attempts)})
		claimed = n == 1
		return err
	})
	return claimed, err
}

// FinishEmail sets the final state of an email; see mail.Store.
func (db Mail) FinishEmail(ctx context.Context, id string, s email.State, problem string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.SettleMail(ctx, gen.SettleMailParams{State: string(s), Error: problem, ID: id})
	})
}

// RetryEmail schedules the next attempt; see mail.Store.
func (db Mail) RetryEmail(ctx context.Context, id, problem string, retry time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.NoteMailError(ctx, gen.NoteMailErrorParams{Error: problem, DueAt: column.At(retry), ID: id})
	})
}

// DeleteEmails deletes old emails; see mail.Store.
func (db Mail) DeleteEmails(ctx context.Context, before, voidBefore time.Time) error {
	old := gen.DeleteOldMailsParams{Before: column.At(before), VoidBefore: column.At(voidBefore)}
	var n int64
	if err := db.Read(ctx, func(q *gen.Queries) (err error) {
		n, err = q.CountOldMails(ctx, gen.CountOldMailsParams(old))
		return err
	}); err != nil || n == 0 { // no write, and so no fsync, while there is nothing to do
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.DeleteOldMails(ctx, old) })
}

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
		return false, NotFound(err, NoPlayer)
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

// PostIf queues an email, if there is one.
func (tx *Tx) PostIf(ctx context.Context, m *email.Message) error {
	if m == nil {
		return nil
	}
	return tx.Post(ctx, *m)
}
