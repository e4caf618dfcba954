package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"pantheon/internal/portal/account"
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

// identify passes on requests of signed-in players only.
func (a *API) identify(authenticate authenticator) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		caller, err := authenticate(ctx.Context(), ctx.Header("Authorization"))
		if err != nil {
			a.refuse(ctx, err)
			return
		}
		next(huma.WithValue(ctx, callerKey{}, caller))
	}
}

// recognise authenticates the caller if possible, and passes on visitors' requests too.
func (a *API) recognise(ctx huma.Context, next func(huma.Context)) {
	if authorization := ctx.Header("Authorization"); authorization != "" {
		if caller, err := a.Accounts.Authenticate(ctx.Context(), authorization); err == nil {
			ctx = huma.WithValue(ctx, callerKey{}, caller)
		}
	}
	next(ctx)
}

// switched passes on a call only while the feature flag is on for its caller.
func (a *API) switched(flag string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := a.Flags.Require(ctx.Context(), flag, callerOf(ctx.Context()).PlayerID); err != nil {
			a.refuse(ctx, err)
			return
		}
		next(ctx)
	}
}

// refuse responds to a request before its body is read.
func (a *API) refuse(ctx huma.Context, err error) {
	p, ok := problem(ctx.Context(), a.Log, err).(*Problem)
	if !ok {
		p = newProblem(http.StatusInternalServerError, internalMessage)
	}
	for name, values := range p.GetHeaders() {
		ctx.SetHeader(name, values[0])
	}
	if p.Status == http.StatusUnauthorized {
		ctx.SetHeader("WWW-Authenticate", "Bearer")
	}
	ctx.SetHeader("Content-Type", p.ContentType(""))
	ctx.SetStatus(p.Status)
	_ = a.huma.Marshal(ctx.BodyWriter(), "application/json", p)
}
