package notifications

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/email"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Notify stores a notification, once, and adds its player to those whose browsers are to be told.
func Notify(ctx context.Context, tx *store.Tx, n notification.New, notified map[string]bool) error {
	if tx.Clock().Now().Sub(n.At) > notification.TTL {
		return nil
	}
	stored, err := tx.InsertNotification(ctx, gen.InsertNotificationParams{
		PlayerID: n.PlayerID, Key: n.Key, Kind: string(n.Kind), ListingID: n.ListingID, Contract: n.Contract, TokenID: n.TokenID,
		Quantity: n.Quantity, Amount: n.Amount, TxHash: n.Tx, CreatedAt: column.At(n.At), SearchID: n.SearchID,
	})
	if stored > 0 {
		notified[n.PlayerID] = true
	}
	return err
}

// Announce tells each player's browsers, once per transaction, to reload the notifications.
func Announce(ctx context.Context, tx *store.Tx, players map[string]bool) error {
	for _, id := range slices.Sorted(maps.Keys(players)) {
		a, err := announce.ToPlayer(id, notification.Update())
		if err != nil {
			return err
		}
		if err := tx.Announce(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func notificationOf(r gen.Notification, name, search string) notification.Notification {
	return notification.Notification{
		New: notification.New{
			Key: r.Key, PlayerID: r.PlayerID, Kind: notification.Kind(r.Kind), ListingID: r.ListingID, Contract: r.Contract,
			TokenID: r.TokenID, Quantity: r.Quantity, Amount: r.Amount, Tx: r.TxHash, At: r.CreatedAt.Time, SearchID: r.SearchID,
		},
		Name: name, Search: search, Read: bool(r.IsRead),
	}
}

// List returns a page of a player's notifications; see notification.Store.
func (db Store) List(ctx context.Context, playerID string, p notification.Page) (out []notification.Notification, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Notifications(ctx, gen.NotificationsParams{
			PlayerID: playerID, Before: column.Millis(p.Before), BeforeKey: p.Key, PageSize: int64(p.Limit),
		})
		if err != nil {
			return err
		}
		out = make([]notification.Notification, len(rows))
		for i, r := range rows {
			out[i] = notificationOf(r.Notification, r.Name, r.SearchName)
		}
		return nil
	})
	return out, err
}

// Unread counts a player's unread notifications; see notification.Store.
func (db Store) Unread(ctx context.Context, playerID string) (n int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err = q.UnreadNotifications(ctx, playerID)
		return err
	})
	return n, err
}

// MarkRead marks a player's notifications as read; see notification.Store.
func (db Store) MarkRead(ctx context.Context, playerID string, at time.Time, key string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.ReadNotifications(ctx, gen.ReadNotificationsParams{PlayerID: playerID, At: column.Millis(at), AtKey: key})
		if err != nil || n == 0 {
			return err
		}
		return Announce(ctx, tx, map[string]bool{playerID: true})
	})
}

// Settings returns a player's choices; see notification.Store.
func (db Store) Settings(ctx context.Context, playerID string) (s notification.Settings, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		wanted, err := q.NotificationSetting(ctx, playerID)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		s = notification.Settings{Email: bool(wanted)}
		return err
	})
	return s, err
}

// SetSettings stores a player's choices; see notification.Store.
func (db Store) SetSettings(ctx context.Context, playerID string, s notification.Settings) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.SettleNotificationEmails(ctx, playerID),
			tx.PutNotificationSetting(ctx, gen.PutNotificationSettingParams{PlayerID: playerID, Email: column.Flag(s.Email)}),
		)
	})
}

// NotifyExpired notifies players of listings whose time is over; see notification.Store.
func (db Store) NotifyExpired(ctx context.Context, since, now time.Time, limit int) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows, err := tx.ExpiredListings(ctx, gen.ExpiredListingsParams{Since: column.At(since), Now: column.At(now), Batch: int64(limit)})
		if err != nil {
			return err
		}
		notified := map[string]bool{}
		for _, r := range rows {
			n := notification.New{
				Key: fmt.Sprintf("expired %s %d", r.ID, column.Millis(r.EndAt.Time)), PlayerID: r.PlayerID, Kind: notification.Expired,
				ListingID: r.ListingID, Contract: r.Contract, TokenID: r.TokenID, Quantity: r.Quantity, Amount: r.Price, At: now,
			}
			if err := Notify(ctx, tx, n, notified); err != nil {
				return err
			}
		}
		return Announce(ctx, tx, notified)
	})
}

// Unsent returns the players with notifications to email; see notification.Store.
func (db Store) Unsent(ctx context.Context, since, last time.Time, limit int) (players []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		players, err = q.UnsentNotifications(ctx, gen.UnsentNotificationsParams{
			Since: column.At(since), Last: column.At(last), Batch: int64(limit),
		})
		return err
	})
	return players, err
}

// Email queues an email about a player's notifications; see notification.Store.
func (db Store) Email(
	ctx context.Context, playerID string, since, last time.Time, compose func([]notification.Notification) email.Message,
) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows, err := tx.UnsentNotificationsOf(ctx, gen.UnsentNotificationsOfParams{PlayerID: playerID, Since: column.At(since)})
		if err != nil || len(rows) == 0 {
			return err
		}
		n, err := tx.MarkNotificationsEmailed(ctx, gen.MarkNotificationsEmailedParams{
			PlayerID: playerID, Now: column.At(tx.Clock().Now()), Last: column.At(last),
		})
		if err != nil || n == 0 { // another process was faster, or the player wants no more emails
			return err
		}
		unread := make([]notification.Notification, len(rows))
		for i, r := range rows {
			unread[i] = notificationOf(r.Notification, r.Name, r.SearchName)
		}
		return errors.Join(tx.SettleNotificationEmails(ctx, playerID), tx.Post(ctx, compose(unread)))
	})
}

// SkipEmails records that a player's notifications need not be emailed; see notification.Store.
func (db Store) SkipEmails(ctx context.Context, playerID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SettleNotificationEmails(ctx, playerID) })
}

// Forget deletes old notifications; see notification.Store.
func (db Store) Forget(ctx context.Context, before time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.ForgetNotifications(ctx, column.At(before))
	})
}

// StateOfListing returns what notifications ask about a listing.
func StateOfListing(l gen.Listing, at time.Time) notification.Listing {
	return notification.Listing{
		Active: market.Status(l.Status) == market.Active && l.EndAt.After(at), Valid: bool(l.Valid), Returned: bool(l.Returned),
	}
}
