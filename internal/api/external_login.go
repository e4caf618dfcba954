package api

import (
	"context"
	"net/http"
)

// TokenLogin is a sign-in through a game's link.
type TokenLogin struct {
	Context   string            `json:"context" doc:"A JWT that the game's server has signed for this one login (HS256, by the bytes of GAME_CONTEXT_SECRET): sub is the player's id, jti can be used once, exp at most 5 minutes away, iat when it was made. With PlayFab also a session ticket, which can also be used only once." maxLength:"4096"`
	UTMParams map[string]string `json:"utmParams,omitempty" doc:"Where the player comes from, as the link says: at most 20 texts, names of 64 and values of 512 bytes, are kept with the login. What is beyond that, or holds control characters, is left out."`
}

// SocialSignIn is a pending sign-in at another site.
type SocialSignIn struct {
	URL     string `json:"url" doc:"Where to send the browser. It comes back to /auth/callback/twitter with code and state."`
	Binding string `json:"binding" doc:"To be kept by this browser and sent with the callback: nobody else's browser can finish this sign-in."`
}

// SocialCallback contains the parameters with which the browser was redirected back.
type SocialCallback struct {
	Code    string `json:"code" doc:"The code in the address." maxLength:"1024"`
	State   string `json:"state" doc:"The state in the address." maxLength:"128"`
	Binding string `json:"binding" doc:"What the browser has kept since it left." maxLength:"128"`
}

func (a *API) registerExternalLogins() {
	logins := []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byAddress}}
	public(a, call{
		method: http.MethodPost, path: "/api/proxy/auth/token/login", id: "tokenLogin", tag: tagAccount,
		summary: "Sign in by the one-time context of a game", errors: []int{400, 401, 403, 409, 503}, limits: logins,
	}, func(ctx context.Context, in *Body[TokenLogin]) (*SignedIn, error) {
		c, err := a.ExternalLogins.ContextLogin(ctx, in.Body.Context, in.Body.UTMParams)
		return a.credentials(ctx, c), err
	})
	public(a, call{
		method: http.MethodGet, path: "/api/auth/twitter/authorize", id: "beginX", tag: tagAccount,
		summary: "Where to sign in with X", errors: []int{409}, limits: logins,
	}, func(ctx context.Context, _ *Empty) (*Body[SocialSignIn], error) {
		attempt, err := a.ExternalLogins.BeginX(ctx)
		return body(SocialSignIn(attempt)), err
	})
	public(a, call{
		method: http.MethodPost, path: "/api/auth/twitter/callback", id: "finishX", tag: tagAccount,
		summary: "Sign in with what X answered; the first time this makes an account", errors: []int{401, 403, 409, 503}, limits: logins,
	}, func(ctx context.Context, in *Body[SocialCallback]) (*SignedIn, error) {
		c, err := a.ExternalLogins.FinishX(ctx, in.Body.Code, in.Body.State, in.Body.Binding)
		return a.credentials(ctx, c), err
	})
}
