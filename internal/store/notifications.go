package store

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
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store/gen"
)

// notify stores a notification, once, and adds its player to those whose browsers are to be told.
func (tx *Tx) notify(ctx context.Context, n notification.New, notified map[string]bool) error {
	if tx.clock.Now().Sub(n.At) > notification.TTL {
		return nil
	}
	hash := ""
	if !n.Tx.IsZero() {
		hash = n.Tx.String()
	}
	stored, err := tx.InsertNotification(ctx, gen.InsertNotificationParams{
		PlayerID: n.PlayerID, Key: n.Key, Kind: string(n.Kind), ListingID: n.ListingID, Contract: n.Contract.String(), TokenID: n.TokenID,
		Quantity: n.Quantity, Amount: n.Amount.String(), TxHash: hash, CreatedAt: millis(n.At), SearchID: n.SearchID,
	})
	if stored > 0 {
		notified[n.PlayerID] = true
	}
	return err
}

// announceNotifications tells each player's browsers, once per transaction, to reload the notifications.
func (tx *Tx) announceNotifications(ctx context.Context, players map[string]bool) error {
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

func notificationOf(r gen.Notification, name, search string) (n notification.Notification, err error) {
	n = notification.Notification{
		New: notification.New{
			Key: r.Key, PlayerID: r.PlayerID, Kind: notification.Kind(r.Kind), ListingID: r.ListingID, TokenID: r.TokenID, Quantity: r.Quantity,
			At: moment(r.CreatedAt), SearchID: r.SearchID,
		},
		Name: name, Search: search, Read: r.IsRead == 1,
	}
	if r.TxHash != "" {
		if n.Tx, err = eth.ParseHash(r.TxHash); err != nil {
			return n, err
		}
	}
	return n, scanAll(scan{&n.Contract, r.Contract}, scan{&n.Amount, r.Amount})
}

// Notifications returns a page of a player's notifications; see notification.Store.
func (db *DB) Notifications(ctx context.Context, playerID string, p notification.Page) (out []notification.Notification, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Notifications(ctx, gen.NotificationsParams{PlayerID: playerID, Before: millis(p.Before), BeforeKey: p.Key, PageSize: int64(p.Limit)})
		if err != nil {
			return err
		}
		out = make([]notification.Notification, len(rows))
		for i, r := range rows {
			if out[i], err = notificationOf(r.Notification, r.Name, r.SearchName); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// UnreadNotifications counts a player's unread notifications; see notification.Store.
func (db *DB) UnreadNotifications(ctx context.Context, playerID string) (n int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err = q.UnreadNotifications(ctx, playerID)
		return err
	})
	return n, err
}

// ReadNotifications marks a player's notifications as read; see notification.Store.
func (db *DB) ReadNotifications(ctx context.Context, playerID string, at time.Time, key string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.ReadNotifications(ctx, gen.ReadNotificationsParams{PlayerID: playerID, At: millis(at), AtKey: key})
		if err != nil || n == 0 {
			return err
		}
		return tx.announceNotifications(ctx, map[string]bool{playerID: true})
	})
}

// NotificationSettings returns a player's choices; see notification.Store.
func (db *DB) NotificationSettings(ctx context.Context, playerID string) (s notification.Settings, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		wanted, err := q.NotificationSetting(ctx, playerID)
		if errors.Is(err, sql.ErrNoRows) {
			wanted, err = 0, nil
		}
		s = notification.Settings{Email: wanted == 1}
		return err
	})
	return s, err
}

// SetNotificationSettings stores a player's choices; see notification.Store.
func (db *DB) SetNotificationSettings(ctx context.Context, playerID string, s notification.Settings) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return errors.Join(
			tx.SettleNotificationEmails(ctx, playerID),
			tx.PutNotificationSetting(ctx, gen.PutNotificationSettingParams{PlayerID: playerID, Email: flag(s.Email)}),
		)
	})
}

// NotifyExpired notifies players of listings whose time is over; see notification.Store.
func (db *DB) NotifyExpired(ctx context.Context, since, now time.Time, limit int) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		rows, err := tx.ExpiredListings(ctx, gen.ExpiredListingsParams{Since: millis(since), Now: millis(now), Batch: int64(limit)})
		if err != nil {
			return err
		}
		notified := map[string]bool{}
		for _, r := range rows {
			n := notification.New{
				Key: fmt.Sprintf("expired %s %d", r.ID, r.EndAt), PlayerID: r.PlayerID, Kind: notification.Expired, ListingID: r.ListingID,
				TokenID: r.TokenID, Quantity: r.Quantity, At: now,
			}
			if err := scanAll(scan{&n.Contract, r.Contract}, scan{&n.Amount, r.Price}); err != nil {
				return err
			}
			if err := tx.notify(ctx, n, notified); err != nil {
				return err
			}
		}
		return tx.announceNotifications(ctx, notified)
	})
}

// UnsentNotifications returns the players with notifications to email; see notification.Store.
func (db *DB) UnsentNotifications(ctx context.Context, since, last time.Time, limit int) (players []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		players, err = q.UnsentNotifications(ctx, gen.UnsentNotificationsParams{Since: millis(since), Last: millis(last), Batch: int64(limit)})
		return err
	})
	return players, err
}

// EmailNotifications queues an email about a player's notifications; see notification.Store.
func (db *DB) EmailNotifications(
	ctx context.Context, playerID string, since, last time.Time, compose func([]notification.Notification) email.Message,
) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		rows, err := tx.UnsentNotificationsOf(ctx, gen.UnsentNotificationsOfParams{PlayerID: playerID, Since: millis(since)})
		if err != nil || len(rows) == 0 {
			return err
		}
		n, err := tx.MarkNotificationsEmailed(ctx, gen.MarkNotificationsEmailedParams{
			PlayerID: playerID, Now: millis(tx.clock.Now()), Last: millis(last),
		})
		if err != nil || n == 0 { // another process was faster, or the player wants no more emails
			return err
		}
		unread := make([]notification.Notification, len(rows))
		for i, r := range rows {
			if unread[i], err = notificationOf(r.Notification, r.Name, r.SearchName); err != nil {
				return err
			}
		}
		return errors.Join(tx.SettleNotificationEmails(ctx, playerID), tx.Post(ctx, compose(unread)))
	})
}

// SkipNotificationEmails records that a player's notifications need not be emailed; see notification.Store.
func (db *DB) SkipNotificationEmails(ctx context.Context, playerID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.SettleNotificationEmails(ctx, playerID) })
}

// ForgetNotifications deletes old notifications; see notification.Store.
func (db *DB) ForgetNotifications(ctx context.Context, before time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.Queries.ForgetNotifications(ctx, millis(before))
	})
}

// notifySeller notifies the seller, if that is a player, of a listing that stopped being valid or whose goods are back: once
// for the terms it has. Removed facts notify nobody.
func (c *change) notifySeller(ctx context.Context, before *gen.Listing, l gen.Listing) error {
	var was notification.Listing
	if before != nil {
		was = stateOfListing(*before, c.at)
	}
	kind, ok := notification.OfChange(was, stateOfListing(l, c.at))
	if !ok || c.from == 0 || c.closed[l.Seller] {
		return nil
	}
	player, err := c.tx.PlayerOfWallet(ctx, l.Seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	terms, err := c.tx.TermsBlock(ctx, gen.TermsBlockParams{ChainID: l.ChainID, ListingID: l.ListingID})
	if err != nil {
		return err
	}
	n := notification.New{
		Key: fmt.Sprintf("%s %s %d", kind, l.ID, terms), PlayerID: player, Kind: kind, ListingID: l.ListingID, TokenID: l.TokenID,
		Quantity: l.Quantity, At: c.at,
	}
	if err := scanAll(scan{&n.Contract, l.Contract}, scan{&n.Amount, l.Price}); err != nil {
		return err
	}
	return c.tx.notify(ctx, n, c.notified)
}

func stateOfListing(l gen.Listing, at time.Time) notification.Listing {
	return notification.Listing{
		Active: market.Status(l.Status) == market.Active && l.EndAt > millis(at), Valid: l.Valid == 1, Returned: l.Returned == 1,
	}
}

// notifySale notifies the seller of a sale, if that is a player.
func (c *change) notifySale(ctx context.Context, row gen.InsertSaleParams, fact gen.InsertFactEffectParams) error {
	player, err := c.tx.PlayerOfWallet(ctx, row.Seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	n := notification.New{
		Key: fmt.Sprintf("sold %d %s %s", row.ChainID, fact.Cause, fact.Fact), PlayerID: player, Kind: notification.Sold,
		ListingID: row.ListingID, TokenID: row.TokenID, Quantity: row.Quantity, At: moment(row.Time),
	}
	received, err := c.tx.PayoutOf(ctx, gen.PayoutOfParams{
		ChainID: row.ChainID, BlockNumber: row.BlockNumber, LogIndex: row.LogIndex, TxHash: row.TxHash, Currency: row.Currency, Seller: row.Seller,
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	default:
		if n.Amount, err = money.Parse(received); err != nil {
			return err
		}
	}
	if n.Tx, err = eth.ParseHash(row.TxHash); err != nil {
		return err
	}
	if err := n.Contract.Scan(row.Contract); err != nil {
		return err
	}
	return c.tx.notify(ctx, n, c.notified)
}
