package app

import (
	"context"

	"pantheon/internal/portal/notification"
	"pantheon/internal/store/notifications"
)

// newNotifications returns the service of players' notifications.
func newNotifications(b *base, people *people) *notification.Service {
	s := notification.NewService(notification.Options{
		Store: notifications.New(b.db), Accounts: readers{people}, Clock: b.clock, Site: b.config.PublicURL, Symbol: b.currency().Symbol,
		Decimals: b.currency().Decimals,
	})
	b.lead("notifications", s.Run)
	return s
}

// readers knows the players' addresses for notifications.
type readers struct{ people *people }

func (r readers) ConfirmedAddress(ctx context.Context, playerID string) (string, error) {
	return r.people.accounts.ConfirmedMailbox(ctx, playerID)
}
