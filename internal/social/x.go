// Package social implements sign-in through other sites. There is one so far: X, by OAuth 2.0 with PKCE (RFC 7636).
package social

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/account"
)

const (
	timeout   = 10 * time.Second
	maxAnswer = 64 << 10
)

var errAway = fault.New(fault.Unavailable, "We cannot reach X just now. Please try again in a moment.")

// XOptions configure the app that the portal is registered as at X, and X's URL.
type XOptions struct {
	ClientID     string
	ClientSecret string // "" for a public client
	Redirect     string // where X redirects the browser back to; registered at X
	// URL replaces all of X's URLs in tests; "" for X's own.
	URL string
}

// X implements account.Provider. It is safe for concurrent use. Close closes its connections.
type X struct {
	config oauth2.Config
	me     string
	http   *http.Client
}

// NewX returns X. It connects with the first call.
func NewX(o XOptions) *X {
	pages, calls := "https://x.com", "https://api.x.com"
	if o.URL != "" {
		pages, calls = strings.TrimRight(o.URL, "/"), strings.TrimRight(o.URL, "/")
	}
	style := oauth2.AuthStyleInHeader
	if o.ClientSecret == "" {
		style = oauth2.AuthStyleInParams
	}
	return &X{
		config: oauth2.Config{
			ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: o.Redirect, Scopes: []string{"tweet.read", "users.read"},
			Endpoint: oauth2.Endpoint{AuthURL: pages + "/i/oauth2/authorize", TokenURL: calls + "/2/oauth2/token", AuthStyle: style},
		},
		me: calls + "/2/users/me",
		http: &http.Client{
			Transport: trace.Transport("X", http.DefaultTransport.(*http.Transport).Clone()), Timeout: timeout,
			// Following a redirect would leak secret and token.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Close closes idle connections.
func (x *X) Close() { x.http.CloseIdleConnections() }

// AuthorizeURL returns where the browser is sent; see account.Provider.
func (x *X) AuthorizeURL(state, verifier string) string {
	return x.config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
}

// Account returns the account of a code; see account.Provider. The token is used once and discarded.
func (x *X) Account(ctx context.Context, code, verifier string) (account.External, error) {
	token, err := x.config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, x.http), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return account.External{}, explain(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, x.me, http.NoBody)
	if err != nil {
		return account.External{}, err
	}
	request.Header.Set("Authorization", "Bearer "+token.AccessToken)
	response, err := x.http.Do(request)
	if err != nil {
		return account.External{}, errAway.Because(err)
	}
	defer response.Body.Close()
	var answer struct {
		Data struct{ ID, Username string }
	}
	err = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer)
	if response.StatusCode != http.StatusOK || err != nil || !userID.MatchString(answer.Data.ID) {
		return account.External{}, errAway.Because(fmt.Errorf("x: users/me: HTTP %d without a user", response.StatusCode))
	}
	return account.External{ID: answer.Data.ID, Handle: answer.Data.Username}, nil
}

// userID is the form of X's ids.
var userID = regexp.MustCompile(`^[0-9]{1,20}$`)

// explain distinguishes a code that X refuses from X being unavailable. X's message is not quoted, as it may quote
// the request.
func explain(err error) error {
	refusal, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case !ok:
		return errAway.Because(errors.New("x: no token received"))
	case refusal.ErrorCode == "invalid_grant", refusal.ErrorCode == "invalid_request":
		return account.ErrAttempt
	}
	// Such as invalid_client: only the operator can fix it, so it must be logged.
	return errAway.Because(fmt.Errorf("x: the token was refused: HTTP %d, %s", refusal.Response.StatusCode,
		word.FindString(refusal.ErrorCode)))
}

var word = regexp.MustCompile(`^[a-z_]{1,40}$`)
