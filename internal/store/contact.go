package store

import (
	"context"

	"github.com/google/uuid"

	"pantheon/internal/kit/email"
	"pantheon/internal/portal/contact"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// KeepAddress stores an address once; see contact.Store.
func (db *DB) KeepAddress(ctx context.Context, key string, a contact.Address) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.InsertPreRegistration(ctx, gen.InsertPreRegistrationParams{EmailKey: key, Email: a.Email, CreatedAt: column.At(a.CreatedAt)})
	})
}

// Addresses returns the stored addresses; see contact.Store.
func (db *DB) Addresses(ctx context.Context) (out []contact.Address, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PreRegistrations(ctx)
		out = make([]contact.Address, 0, len(rows))
		for _, r := range rows {
			out = append(out, contact.Address{Email: r.Email, CreatedAt: r.CreatedAt.Time})
		}
		return err
	})
	return out, err
}

// StrikeAddress deletes an address; see contact.Store.
func (db *DB) StrikeAddress(ctx context.Context, key string) (struck bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.DeletePreRegistration(ctx, key)
		struck = n == 1
		return err
	})
	return struck, err
}

// KeepSupportRequest stores a support request; see contact.Store.
func (db *DB) KeepSupportRequest(ctx context.Context, r contact.SupportRequest, mailed *email.Message) error {
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

// SupportRequests returns the stored support requests; see contact.Store.
func (db *DB) SupportRequests(ctx context.Context) (out []contact.SupportRequest, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SupportRequests(ctx)
		out = make([]contact.SupportRequest, 0, len(rows))
		for _, r := range rows {
			out = append(out, contact.SupportRequest{
				ID: r.ID, Email: r.Email, Topic: contact.Topic(r.Topic), Message: r.Message, CreatedAt: r.CreatedAt.Time,
			})
		}
		return err
	})
	return out, err
}
