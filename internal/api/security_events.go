package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
)

// SecurityEvents is a page of what concerned the security of the player's account, newest first.
type SecurityEvents struct {
	Items      []SecurityEvent `json:"items" doc:"The events." nullable:"false"`
	NextCursor string          `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// SecurityEvent is one event.
type SecurityEvent struct {
	ID          string            `json:"id" doc:"Tells events apart; it means nothing else."`
	At          time.Time         `json:"at" doc:"When it happened."`
	Event       securitylog.Event `json:"event" doc:"What it was, such as session.opened, password.refused or operation.signed; support.act for what support did. More may come."`
	By          securitylog.Kind  `json:"by" doc:"Who did it: the player, a visitor who was not signed in, an operator, or the portal by itself." enum:"player,visitor,operator,portal"`
	Detail      string            `json:"detail,omitempty" doc:"What else there is to say: the browser, what was signed in words, an address."`
	ThisSession bool              `json:"thisSession" doc:"Whether it was done in the session that asks."`
}

func (a *API) registerSecurityEvents() {
	player(a, call{
		method: http.MethodGet, path: "/api/auth/security-events", id: "listSecurityEvents", tag: tagAccount,
		summary: "What concerned the security of the player's account", errors: []int{400},
	}, a.securityEvents)
}

func (a *API) securityEvents(ctx context.Context, c account.Caller, in *pageQuery) (*Body[SecurityEvents], error) {
	entries, next, err := a.SecurityLog.Entries(ctx, c.PlayerID, in.Cursor, in.Limit)
	out := SecurityEvents{Items: make([]SecurityEvent, len(entries)), NextCursor: next}
	for i, e := range entries {
		out.Items[i] = SecurityEvent{
			ID: e.ID, At: e.At, Event: e.Event, By: e.Kind, Detail: e.Detail, ThisSession: e.Session != "" && e.Session == c.SessionID,
		}
	}
	return body(out), err
}
