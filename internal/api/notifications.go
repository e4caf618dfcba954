package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
)

// NotificationOptions are what the calls about notifications and saved searches need.
type NotificationOptions struct {
	Notifications *notification.Service
	Saved         *market.Saved
}

// Notification is something that happened to one of the player's listings, or new listings that match a saved search.
type Notification struct {
	ID        string            `json:"notificationId" doc:"Its id."`
	Kind      notification.Kind `json:"kind" doc:"sold: units were bought. expired: its time is over before all was sold. stopped: it cannot be bought any more. returned: its items are back, and it waits for its seller to set the price again. moved: it ended, as the portal has left the chain that it was on. alert: listings began to match a saved search; the cheapest is shown." enum:"sold,expired,stopped,returned,moved,alert"`
	ListingID string            `json:"listingId" doc:"The marketplace contract's own listing number."`
	Contract  eth.Address       `json:"assetContractAddress" doc:"Contract of the token."`
	TokenID   string            `json:"tokenId" doc:"Id of the token, decimal."`
	Name      string            `json:"name" doc:"The token's name."`
	Image     string            `json:"image" doc:"Address of its picture, relative to the site."`
	Quantity  int64             `json:"quantity" doc:"Units sold; else units left; of an alert, the number of listings."`
	Amount    string            `json:"amount" doc:"What the player received for them, 0 if unknown; else the price of one. Decimal, in the marketplace's currency."`
	SearchID  string            `json:"searchId,omitempty" doc:"The saved search of an alert."`
	Search    string            `json:"search,omitempty" doc:"Its name; absent if it was deleted."`
	TxHash    *eth.Hash         `json:"txHash,omitempty" doc:"The transaction of the sale."`
	CreatedAt time.Time         `json:"createdAt" doc:"When it happened."`
	Read      bool              `json:"read" doc:"Whether the player has seen it, on any device."`
}

// Notifications is a page of the player's notifications, newest first.
type Notifications struct {
	Items      []Notification `json:"items" doc:"The notifications." nullable:"false"`
	Unread     int64          `json:"unread" doc:"How many of all are unread."`
	NextCursor string         `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// NotificationSettings are the player's choices.
type NotificationSettings struct {
	Email bool `json:"email" doc:"Whether unread notifications are emailed to the confirmed address, all that have gathered in one email."`
}

type readNotifications struct {
	ID string `json:"notificationId" doc:"The newest notification that the player has seen." maxLength:"400"`
}

func (a *API) registerNotifications() {
	limits := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodGet, path: "/api/auth/notifications", id: "getNotifications", tag: tagMarket,
		summary: "What happened to the player's listings", errors: []int{400},
	}, a.notifications)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/notifications/read", id: "readNotifications", tag: tagMarket,
		summary: "The player has seen a notification and all older ones", errors: []int{400}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[readNotifications]) (*Body[Success], error) {
		return success(""), a.Notifications.Read(ctx, c.PlayerID, in.Body.ID)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/notifications/settings", id: "getNotificationSettings", tag: tagMarket,
		summary: "Whether the player's notifications are emailed",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[NotificationSettings], error) {
		s, err := a.Notifications.Settings(ctx, c.PlayerID)
		return body(NotificationSettings{s.Email}), err
	})
	player(a, call{
		method: http.MethodPut, path: "/api/auth/notifications/settings", id: "setNotificationSettings", tag: tagMarket,
		summary: "Choose whether notifications are emailed", limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[NotificationSettings]) (*Body[Success], error) {
		return success(""), a.Notifications.SetSettings(ctx, c.PlayerID, notification.Settings{Email: in.Body.Email})
	})
}

func (a *API) notifications(ctx context.Context, c account.Caller, in *pageQuery) (*Body[Notifications], error) {
	page, next, err := a.Notifications.Notifications(ctx, c.PlayerID, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	unread, err := a.Notifications.Unread(ctx, c.PlayerID)
	out := Notifications{Items: []Notification{}, Unread: unread, NextCursor: next}
	for _, n := range page {
		item := Notification{
			ID: notification.ID(n), Kind: n.Kind, ListingID: n.ListingID, Contract: n.Contract, TokenID: n.TokenID, Name: n.Name,
			Image: market.ImagePath(n.Contract, n.TokenID), Quantity: n.Quantity, Amount: n.Amount.Decimal(a.Publisher.Decimals),
			CreatedAt: n.At, Read: n.Read, SearchID: n.SearchID, Search: n.Search,
		}
		if !n.Tx.IsZero() {
			item.TxHash = &n.Tx
		}
		out.Items = append(out.Items, item)
	}
	return body(out), err
}
