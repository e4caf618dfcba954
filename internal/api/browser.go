package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"pantheon/internal/portal/account"
)

// SignedIn is the response of a sign-in.
type SignedIn struct {
	SetCookie http.Cookie `header:"Set-Cookie" doc:"The browser's random id. A sign-in from a new one is emailed to the player."`
	Body      Credentials
}

// The cookie with a browser's random id. The prefix keeps other hosts of the domain from setting it.
const (
	browserCookie       = "browser"
	secureBrowserCookie = "__Host-" + browserCookie // needs https
)

type browserKey struct{}

func (a *API) browserCookie() string {
	if strings.HasPrefix(a.PublicURL, "https://") {
		return secureBrowserCookie
	}
	return browserCookie
}

// browserID returns the id that the request's browser has kept, or a new one.
func (a *API) browserID(r *http.Request) string {
	id := rand.Text()
	if c, err := r.Cookie(a.browserCookie()); err == nil && len(c.Value) == len(id) {
		return c.Value
	}
	return id
}

// credentials returns the response of a sign-in.
func (a *API) credentials(ctx context.Context, c account.Credentials) *SignedIn {
	if c.PlayerID != "" { // signing in has succeeded
		notePlayer(ctx, c.PlayerID)
	}
	name := a.browserCookie()
	id, _ := ctx.Value(browserKey{}).(string)
	return &SignedIn{
		SetCookie: http.Cookie{
			Name: name, Value: id, Path: "/", MaxAge: int(account.BrowserTTL / time.Second),
			HttpOnly: true, Secure: name == secureBrowserCookie, SameSite: http.SameSiteStrictMode,
		},
		Body: Credentials{Success: true, Token: c.Token, SessionAuthorization: c.SessionAuthorization},
	}
}
