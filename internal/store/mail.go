package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"pantheon/internal/kit/email"
	"pantheon/internal/store/gen"
)

// States of a letter.
const (
	mailPending = "pending"
	mailSent    = "sent"
	mailFailed  = "failed"
	mailVoid    = "void" // to nobody
)

// letterLife is how long a letter that names no life is of use.
const letterLife = 48 * time.Hour

// Post writes a letter in the transaction. It is sent after the commit.
func (tx *Tx) Post(ctx context.Context, m email.Message) error { return tx.post(ctx, m, mailPending) }

// postToNobody writes as much as Post does; nothing is sent.
func (tx *Tx) postToNobody(ctx context.Context, m email.Message) error {
	m.Text = ""
	return tx.post(ctx, m, mailVoid)
}

func (tx *Tx) post(ctx context.Context, m email.Message, state string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if m.Life == 0 {
		m.Life = letterLife
	}
	now := tx.clock.Now()
	return tx.InsertMail(ctx, gen.InsertMailParams{
		ID: id.String(), PlayerID: m.PlayerID, Recipient: m.To, Subject: m.Subject, Body: m.Text, State: state,
		At: millis(now), ExpiresAt: millis(now.Add(m.Life)),
	})
}
