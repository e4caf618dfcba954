package app

import (
	"context"
	"errors"
	"maps"

	"pantheon/internal/kit/announce"
	"pantheon/internal/outbox"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/realtime"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
)

// newOutbox delivers what transactions announce.
func newOutbox(b *base, live live, markets markets, packs *packs.Service) {
	s := outbox.New(crashable[outbox.Store](store.Outbox{DB: b.db}), crashable[outbox.Publisher](publish{live}),
		compose{markets.service, markets.publisher, packs})
	b.wakeOutbox = b.wakeups.broadcast("outbox", s.Wake)
	b.lead("outbox", s.Run)
}

// publish sends the outbox's messages through the realtime channel.
type publish struct{ realtime.Publisher }

func (p publish) Publish(ctx context.Context, messages ...outbox.Message) error {
	out := make([]realtime.Message, len(messages))
	for i, m := range messages {
		out[i] = realtime.Message{ID: m.ID, To: realtime.Everyone(), Data: m.Data}
		if m.Player != "" {
			out[i].To = realtime.User(m.Player)
		}
	}
	return p.Publisher.Publish(ctx, out...)
}

// compose creates the outbox's messages from the current state.
type compose struct {
	markets   *market.Service
	publisher market.Publisher
	packs     *packs.Service
}

func (c compose) Compose(ctx context.Context, announcements []announce.Announcement) (map[string]announce.Realtime, error) {
	out := map[string]announce.Realtime{}
	var listings []announce.Announcement
	for _, a := range announcements {
		if a.Topic != announce.Packs {
			listings = append(listings, a)
			continue
		}
		m, err := c.packs.InventoryChange(ctx)
		if err != nil {
			return nil, err
		}
		out[a.ID] = m
	}
	changes, err := c.markets.ListingChanges(ctx, c.publisher, listings)
	maps.Copy(out, changes)
	return out, err
}

// follow reports the progress of players' operations to the checkout, the withdrawals and the debts, and failures to the players.
type follow struct {
	checkout    *checkout.Service
	withdrawals *withdrawal.Service
	debts       *webstore.Payments
	index       *index.Index
}

// Accepted does nothing: the order is submitted in the transaction that accepts the operation.
func (f follow) Accepted(context.Context, gas.Operation) error { return nil }

func (f follow) Sent(ctx context.Context, op gas.Operation) error {
	return f.checkout.OperationSent(ctx, op.Hash, op.TxHash)
}

func (f follow) Settled(ctx context.Context, op gas.Operation) error {
	if op.State == gas.OperationIncluded {
		return nil // the index reports what was bought
	}
	if err := f.index.OperationFailed(ctx, op); err != nil {
		return err
	}
	if op.State == gas.OperationDropped {
		if err := errors.Join(f.withdrawals.OperationDropped(ctx, op.Hash), f.debts.OperationDropped(ctx, op.Hash)); err != nil {
			return err
		}
	}
	return f.checkout.OperationFailed(ctx, op.Hash, "The purchase was refused, and you were not charged. ("+op.Reason+")")
}
