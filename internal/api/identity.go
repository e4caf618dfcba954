package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"pantheon/internal/portal/account"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/securitylog"
)

const (
	sessionScheme = "session"
	walletScheme  = "wallet"
)

type authenticator func(ctx context.Context, authorization string) (account.Caller, error)

type callerKey struct{}

// callerOf returns the caller; only calls registered as signedIn have one.
func callerOf(ctx context.Context) account.Caller {
	c, _ := ctx.Value(callerKey{}).(account.Caller)
	return c
}

// check examines a request before its body is read. It returns the request to pass on, or a fault to respond with.
type check func(w http.ResponseWriter, r *http.Request) (*http.Request, error)

// run runs the checks in order, up to the first that fails.
func run(checks []check, w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	for _, c := range checks {
		passed, err := c(w, r)
		if err != nil {
			return nil, err
		}
		r = passed
	}
	return r, nil
}

// checkedKey marks the context of a request that has passed the checks of its call already.
type checkedKey struct{}

// checked passes on requests that pass the checks.
func (a *API) checked(checks []check) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		a.noteCall(ctx.Context(), ctx.Operation().OperationID)
		if ctx.Context().Value(checkedKey{}) != nil {
			next(ctx)
			return
		}
		r, w := humago.Unwrap(ctx)
		passed, err := run(checks, w, r)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		next(huma.WithContext(ctx, passed.Context()))
	}
}

func with(r *http.Request, key, value any) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), key, value))
}

// identify passes on requests of signed-in players only.
func identify(authenticate authenticator) check {
	return func(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
		caller, err := authenticate(r.Context(), r.Header.Get("Authorization"))
		if err != nil {
			return nil, err
		}
		notePlayer(r.Context(), caller.PlayerID)
		origin := securitylog.OriginOf(r.Context())
		origin.Player, origin.Session = caller.PlayerID, caller.SessionID
		r = r.WithContext(securitylog.With(r.Context(), origin))
		return with(r, callerKey{}, caller), nil
	}
}

// recognise authenticates the caller if possible, and passes on visitors' requests too.
func (a *API) recognise(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if r.Header.Get("Authorization") == "" {
		return r, nil
	}
	if known, err := identify(a.Accounts.Authenticate)(w, r); err == nil {
		return known, nil
	}
	return r, nil
}

// admit passes on players, and visitors while the market is open to them.
func (a *API) admit(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if a.Flags.Enabled(r.Context(), flags.PublicMarket, flags.Context{Project: "portal"}) {
		return a.recognise(w, r)
	}
	return identify(a.Accounts.Authenticate)(w, r)
}

// switched passes on a call only while the feature flag is on for its caller.
func (a *API) switched(flag string) check {
	return func(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
		return r, a.Flags.Require(r.Context(), flag, callerOf(r.Context()).PlayerID)
	}
}

// refuse responds to a request before its body is read.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := problem(r.Context(), a.Log, err).(*Problem)
	if !ok {
		p = newProblem(http.StatusInternalServerError, internalMessage)
	}
	maps.Copy(w.Header(), p.GetHeaders())
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}
