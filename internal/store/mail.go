package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"pantheon/internal/kit/email"
	"pantheon/internal/store/gen"
)

// void is the state of a letter to nobody, which is not shown anywhere.
const void email.State = "void"

// letterLife is how long a letter that names no life is of use.
const letterLife = 48 * time.Hour

// Post writes a letter in the transaction. It is sent after the commit.
func (tx *Tx) Post(ctx context.Context, m email.Message) error { return tx.post(ctx, m, email.Pending) }

// postToNobody writes as much as Post does; nothing is sent.
func (tx *Tx) postToNobody(ctx context.Context, m email.Message) error {
	m.Text = ""
	return tx.post(ctx, m, void)
}

func (tx *Tx) post(ctx context.Context, m email.Message, state email.State) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if m.Life == 0 {
		m.Life = letterLife
	}
	now := tx.clock.Now()
	return tx.InsertMail(ctx, gen.InsertMailParams{
		ID: id.String(), PlayerID: m.PlayerID, Recipient: m.To, ReplyTo: m.ReplyTo, Subject: m.Subject, Body: m.Text, State: string(state),
		At: millis(now), ExpiresAt: millis(now.Add(m.Life)),
	})
}

// DueLetters returns letters whose time has come; see mail.Store.
func (db *DB) DueLetters(ctx context.Context, at time.Time, limit int) ([]email.Letter, error) {
	return db.letters(ctx, func(q *gen.Queries) ([]gen.Mail, error) {
		return q.DueMails(ctx, gen.DueMailsParams{Now: millis(at), Batch: int64(limit)})
	})
}

// KeptLetters returns the newest letters; see mail.Letters.
func (db *DB) KeptLetters(ctx context.Context, limit int) ([]email.Letter, error) {
	return db.letters(ctx, func(q *gen.Queries) ([]gen.Mail, error) { return q.KeptMails(ctx, int64(limit)) })
}

func (db *DB) letters(ctx context.Context, get func(*gen.Queries) ([]gen.Mail, error)) (out []email.Letter, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := get(q)
		out = make([]email.Letter, len(rows))
		for i, r := range rows {
			out[i] = email.Letter{
				Message: email.Message{To: r.Recipient, ReplyTo: r.ReplyTo, Subject: r.Subject, Text: r.Body, PlayerID: r.PlayerID},
				ID:      r.ID, State: email.State(r.State), Tries: int(r.Tries), Error: r.Error,
				CreatedAt: moment(r.CreatedAt), ExpiresAt: moment(r.ExpiresAt),
			}
		}
		return err
	})
	return out, err
}

// ClaimLetter notes a try; see mail.Store.
func (db *DB) ClaimLetter(ctx context.Context, id string, tries int, retry time.Time) (claimed bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.ClaimMail(ctx, gen.ClaimMailParams{RetryAt: millis(retry), ID: id, Tries: int64(tries)})
		claimed = n == 1
		return err
	})
	return claimed, err
}

// SettleLetter notes what became of a letter; see mail.Store.
func (db *DB) SettleLetter(ctx context.Context, id string, s email.State, problem string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.SettleMail(ctx, gen.SettleMailParams{State: string(s), Error: problem, ID: id})
	})
}

// DelayLetter notes when a letter is tried again; see mail.Store.
func (db *DB) DelayLetter(ctx context.Context, id, problem string, retry time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.NoteMailError(ctx, gen.NoteMailErrorParams{Error: problem, DueAt: millis(retry), ID: id})
	})
}

// DeleteLetters forgets old letters; see mail.Store.
func (db *DB) DeleteLetters(ctx context.Context, before, voidBefore time.Time) error {
	old := gen.DeleteOldMailsParams{Before: millis(before), VoidBefore: millis(voidBefore)}
	var n int64
	if err := db.Read(ctx, func(q *gen.Queries) (err error) {
		n, err = q.CountOldMails(ctx, gen.CountOldMailsParams(old))
		return err
	}); err != nil || n == 0 { // no write, and so no fsync, while there is nothing to do
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.DeleteOldMails(ctx, old) })
}
