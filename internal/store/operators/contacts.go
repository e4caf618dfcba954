package operators

import (
	"context"
	"encoding/json"

	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// SupportRequests returns the stored support requests; see operator.Contacts.
func (o Store) SupportRequests(ctx context.Context) ([]operator.SupportRequest, error) {
	return o.supportRequests(ctx, (*gen.Queries).SupportRequests)
}

// NewestSupportRequests returns the newest support requests; see operator.Contacts.
func (o Store) NewestSupportRequests(ctx context.Context, limit int) ([]operator.SupportRequest, error) {
	return o.supportRequests(ctx, func(q *gen.Queries, ctx context.Context) ([]gen.SupportLetter, error) {
		return q.NewestSupportRequests(ctx, int64(limit))
	})
}

func (o Store) supportRequests(
	ctx context.Context, read func(*gen.Queries, context.Context) ([]gen.SupportLetter, error),
) ([]operator.SupportRequest, error) {
	out := []operator.SupportRequest{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := read(q, ctx)
		for _, r := range rows {
			out = append(out, operator.SupportRequest{ID: r.ID, Email: r.Email, Topic: r.Topic, Message: r.Message, CreatedAt: r.CreatedAt.Time})
		}
		return err
	})
	return out, err
}

// Addresses returns the stored addresses; see operator.Contacts.
func (o Store) Addresses(ctx context.Context) ([]operator.Address, error) {
	out := []operator.Address{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PreRegistrations(ctx)
		for _, r := range rows {
			out = append(out, operator.Address{Email: r.Email, CreatedAt: r.CreatedAt.Time})
		}
		return err
	})
	return out, err
}

// DeleteAddress deletes an address; see operator.Contacts.
func (o Store) DeleteAddress(ctx context.Context, key string, e operator.Entry) (existed bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeletePreRegistration(ctx, key)
		existed = n > 0
		return unlessChanged(n, err)
	})
	return existed, err
}

// Arrivals returns the stored arrivals; see operator.Contacts.
func (o Store) Arrivals(ctx context.Context) ([]operator.Arrival, error) {
	out := []operator.Arrival{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Arrivals(ctx)
		for _, r := range rows {
			out = append(out, operator.Arrival{PlayerID: r.PlayerID, At: r.At.Time, Parameters: json.RawMessage(r.Parameters)})
		}
		return err
	})
	return out, err
}
