package api

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/securitylog"
)

// AccountOptions are what the calls about players' accounts and profiles need.
type AccountOptions struct {
	Accounts       *account.Service
	Approvals      *approval.Service
	ExternalLogins *account.ExternalLogins
	Profiles       *profile.Service
	Lists          *profile.Lists
	Protector      *profile.Protector
	Contact        *contact.Service
	SecurityLog    securitylog.Own
	Passkeys       *passkey.Service
}

// Registration is the request of register.
type Registration struct {
	Email       string `json:"email" doc:"The player's email."`
	DisplayName string `json:"displayName" doc:"Name shown to others, 3 to 20 characters."`
	Password    string `json:"password" doc:"8 to 100 characters, and not easy to guess."`
}

// Login is the request of login.
type Login struct {
	Email    string `json:"email" doc:"The player's email."`
	Password string `json:"password" doc:"The player's password."`
}

// Credentials is the response of register and login.
type Credentials struct {
	Success              bool   `json:"success" doc:"Always true."`
	Token                string `json:"token" doc:"For the Authorization header; a JWT that lasts 24 hours."`
	SessionAuthorization string `json:"sessionAuthorization" doc:"\"Bearer \" and the session's secret; it alone buys an embedded-wallet token."`
}

// Profile is a player's profile.
type Profile struct {
	AccountInfo              AccountInfo     `json:"AccountInfo" doc:"The account on the game platform."`
	UserVerifiedWallet       *VerifiedWallet `json:"userVerifiedWallet,omitempty" doc:"The player's own wallet; absent until it is verified."`
	EmbeddedWalletAddress    *eth.Address    `json:"embeddedWalletAddress" doc:"The embedded wallet, once registered." nullable:"true"`
	SmartWalletAddress       *eth.Address    `json:"smartWalletAddress" doc:"The gasless smart wallet, once registered." nullable:"true"`
	EnableEmbeddedInCorpSite bool            `json:"enableEmbeddedInCorpSite" doc:"Whether the embedded wallet is offered outside the marketplace: the flag of this name."`
	EmailConfirmed           bool            `json:"emailConfirmed" doc:"Whether the email is confirmed; also true where the game platform (PlayFab) keeps it, and no confirmation is needed."`
	DeletesAt                *time.Time      `json:"deletesAt,omitempty" doc:"When the account is deleted, where the player has requested that."`
	HolderKey                string          `json:"holderKey" doc:"Names this player's holds in messages to everybody: in a listing, their playFabId is the first 16 hex digits of HMAC-SHA256, under this key in hex, of the listingId."`
}

// AccountInfo is the account on the game platform, with the platform's field names.
type AccountInfo struct {
	PlayFabID   string      `json:"PlayFabId" doc:"The player's id."`
	TitleInfo   TitleInfo   `json:"TitleInfo" doc:"What others see."`
	PrivateInfo PrivateInfo `json:"PrivateInfo" doc:"What only the player sees."`
}

// TitleInfo is what other players see of a player.
type TitleInfo struct {
	DisplayName string `json:"DisplayName" doc:"The player's name."`
}

// PrivateInfo is what only the player sees.
type PrivateInfo struct {
	Email string `json:"Email" doc:"The player's email; empty for one whom the game has made without."`
}

// VerifiedWallet is an external wallet whose ownership the player has proven.
type VerifiedWallet struct {
	WalletAddress eth.Address `json:"walletAddress" doc:"Its address."`
}

// Currencies are a player's balances on the game platform.
type Currencies struct {
	Currencies map[string]int64 `json:"currencies" doc:"Amount by currency code."`
}

func (a *API) registerAccount() {
	logins := limiter{perMinute: a.Limits.LoginsPerMinute, key: byAddress}
	public(a, call{
		method: http.MethodPost, path: "/api/auth/register", id: "register", tag: tagAccount, status: http.StatusCreated,
		summary: "Make an account and sign in", errors: []int{400, 409, 503}, limits: []limiter{logins},
	}, func(ctx context.Context, in *Body[Registration]) (*SignedIn, error) {
		a.noteAccount(ctx, in.Body.Email)
		c, err := a.Accounts.Register(ctx, account.Registration(in.Body))
		return a.credentials(ctx, c), err
	})
	public(a, call{
		method: http.MethodPost, path: "/api/auth/login", id: "login", tag: tagAccount,
		summary: "Sign in", errors: []int{400, 401, 403, 503}, limits: []limiter{logins},
	}, func(ctx context.Context, in *Body[Login]) (out *SignedIn, err error) {
		a.noteAccount(ctx, in.Body.Email)
		err = a.attempts.guard(ctx, account.EmailKey(in.Body.Email), func() error {
			c, err := a.Accounts.Login(ctx, in.Body.Email, in.Body.Password)
			out = a.credentials(ctx, c)
			return err
		})
		return out, err
	})
	logout := call{
		method: http.MethodGet, path: "/api/auth/logout", id: "logout", tag: tagAccount,
		summary: "End the session; Authorization carries its token, or the sessionAuthorization",
	}
	either(a, logout, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Success], error) {
		return success(""), a.Accounts.Logout(ctx, c)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/profile", id: "getProfile", tag: tagAccount, summary: "Who the player is",
	}, a.profile)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/currencies", id: "getCurrencies", tag: tagAccount, summary: "The player's currencies",
		errors: []int{429, 503},
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Currencies], error) {
		m, err := a.Profiles.Currencies(ctx, c.PlayerID)
		return body(Currencies{m}), err
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/pubSubAccessToken", id: "getPubSubAccessToken", tag: tagAccount,
		summary: "Where to connect for live updates", errors: []int{403},
	}, a.pubSubAccessToken)
}

func (a *API) profile(ctx context.Context, c account.Caller, _ *Empty) (*Body[Profile], error) {
	p, err := a.Profiles.Profile(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	verified, err := a.Proofs.Wallet(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	due, err := a.Accounts.DeletionDue(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	out := Profile{
		DeletesAt: orNil(due),
		AccountInfo: AccountInfo{
			PlayFabID: p.PlayerID, TitleInfo: TitleInfo{DisplayName: p.DisplayName}, PrivateInfo: PrivateInfo{Email: p.Email},
		},
		EmbeddedWalletAddress: p.EmbeddedWallet, SmartWalletAddress: p.SmartWallet, EmailConfirmed: p.EmailConfirmed,
		HolderKey:                hex.EncodeToString(a.Publisher.HolderKey(c.PlayerID)),
		EnableEmbeddedInCorpSite: a.Flags.Enabled(ctx, flags.OfferEmbedded, flags.Context{PlayerID: c.PlayerID}),
	}
	if verified != nil {
		out.UserVerifiedWallet = &VerifiedWallet{*verified}
	}
	return body(out), nil
}

type pubSubQuery struct {
	Wallet string `query:"wallet" doc:"The player's smart wallet; must be the player's own when given."`
	host   string
}

// Resolve implements [huma.Resolver].
func (q *pubSubQuery) Resolve(ctx huma.Context) []error {
	q.host = ctx.Host()
	return nil
}

// PubSubAccess is the URL of the realtime channel.
type PubSubAccess struct {
	URL string `json:"url" doc:"Websocket address with a token that lasts an hour."`
}

func (a *API) pubSubAccessToken(ctx context.Context, c account.Caller, in *pubSubQuery) (*Body[PubSubAccess], error) {
	if in.Wallet != "" {
		if err := a.Wallets.Owns(ctx, c.PlayerID, in.Wallet); err != nil {
			return nil, err
		}
	}
	url, err := a.Realtime.AccessURL(c.PlayerID, c.SessionID, a.SiteOf(in.host))
	return body(PubSubAccess{url}), err
}
