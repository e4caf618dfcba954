package store

import (
	"context"

	"github.com/google/uuid"

	"pantheon/internal/kit/email"
	"pantheon/internal/portal/contact"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Contacts is the store of support requests and addresses; see contact.Store.
type Contacts struct{ *DB }

// KeepAddress stores an address once; see contact.Store.
func (db Contacts) KeepAddress(ctx context.Context, key string, a contact.Address) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.InsertPreRegistration(ctx, gen.InsertPreRegistrationParams{EmailKey: key, Email: a.Email, CreatedAt: column.At(a.CreatedAt)})
	})
}

// KeepSupportRequest stores a support request; see contact.Store.
func (db Contacts) KeepSupportRequest(ctx context.Context, r contact.SupportRequest, mailed *email.Message) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.InsertSupportRequest(ctx, gen.InsertSupportRequestParams{
			ID: id.String(), Email: r.Email, Topic: string(r.Topic), Message: r.Message, CreatedAt: column.At(r.CreatedAt),
		}); err != nil || mailed == nil {
			return err
		}
		return tx.Post(ctx, *mailed)
	})
}
