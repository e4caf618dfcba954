// Package api serves the portal's HTTP interface: it decodes and validates requests, authenticates the caller, calls
// a capability and encodes the result. It contains no business rules. The contract of all calls is api/openapi.yaml,
// generated from here. The console's calls are an API of their own, with the contract api/operate.yaml.
package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/country"
)

// Options are the dependencies and settings of the API: those of all calls, and those of each capability's calls.
type Options struct {
	RequestOptions
	AccountOptions
	WalletOptions
	MarketOptions
	CartOptions
	HoldingsOptions
	RewardOptions
	PackOptions
	WithdrawalOptions
	NotificationOptions
	WebstoreOptions
	ChainOptions
	SystemOptions
}

// RequestOptions are what every call needs.
type RequestOptions struct {
	Log       *slog.Logger
	Panicked  func() // counts a handler's panic; it may be nil
	Clock     clock.Clock
	PublicURL string
	SiteOf    func(host string) string // the site's address for a request's host
	Trusted   []netip.Prefix           // proxies whose forwarding header and CountryHeader are trusted
	// ForwardedHeader is the header in which they name the client: X-Forwarded-For or Forwarded (RFC 7239); "" for X-Forwarded-For,
	// or Forwarded in requests without.
	ForwardedHeader string
	Limits          Limits
	Attempts        AttemptCounter // of wrong passwords and codes, and of emails; not needed without their limits
	// NetworkKey is the secret key of the opaque tags of callers' networks; addresses are not stored.
	NetworkKey []byte

	Country       *country.Service // nil if every country is allowed
	CountryHeader string           // the header in which a trusted proxy reports the country; "" for none
}

// API is the HTTP interface. Its Handler is safe for concurrent use.
type API struct {
	Options
	mux  *http.ServeMux
	huma huma.API
	// shared has the checks of the calls whose responses several requests share, by path; see coalescer.
	shared map[string]sharedCall
	// limited has the calls with a rate limit, by id.
	limited map[string]bool

	counts   *sharedCounts
	attempts attemptLimiter // limits attempts at passwords and codes
	emails   attemptLimiter // limits emails that a caller can trigger
	reports  byteLimit      // limits the bytes of monitoring reports

	unreadable unreadable
}

const (
	maxBody     = 64 << 10 // bytes; browsers send nothing larger
	maxRPCBody  = 512 << 10
	tokenScheme = "token"
)

// New returns the API with all its calls.
func New(o Options) *API {
	a := newAPI(o, "Portal", "The portal's calls. Authenticated ones take the token of login in the Authorization header, as it is or "+
		"after \"Bearer \".")
	a.huma.OpenAPI().Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		tokenScheme:   {Type: "apiKey", In: "header", Name: "Authorization", Description: "The token of register or login."},
		sessionScheme: {Type: "http", Scheme: "bearer", Description: "The sessionAuthorization of register or login."},
		walletScheme:  {Type: "http", Scheme: "bearer", Description: "The embedded-wallet token."},
	}
	a.registerAccount()
	a.registerAccountSettings()
	a.registerExternalLogins()
	a.registerNotices()
	a.registerWallet()
	a.registerProofs()
	a.registerMarket()
	a.registerCart()
	a.registerCheckout()
	a.registerHoldings()
	a.registerRewards()
	a.registerClaims()
	a.registerMoves()
	a.registerApprovals()
	a.registerPasskeys()
	a.registerTrades()
	a.registerWithdrawals()
	a.registerNotifications()
	a.registerSaved()
	a.registerWebstore()
	a.registerPacks()
	a.registerProfile()
	a.registerTariffs()
	a.registerActivity()
	a.registerSecurityEvents()
	a.registerGames()
	a.registerLeaderboard()
	a.registerContact()
	a.registerChain()
	a.registerFlags()
	a.registerNews()
	a.registerMonitoring()
	a.registerSystem()
	a.registerMetadata()
	if a.Faucet != nil {
		a.registerFaucet()
	}
	a.describeLimits()
	return a
}

// newAPI returns an API without calls.
func newAPI(o Options, title, description string) *API {
	if o.Panicked == nil {
		o.Panicked = func() {}
	}
	a := &API{
		Options: o, mux: http.NewServeMux(), shared: map[string]sharedCall{}, limited: map[string]bool{},
		counts:   newSharedCounts(),
		attempts: newPasswordLimiter(o.RequestOptions),
		emails:   newEmailLimiter(o.RequestOptions),
	}
	a.reports = newByteLimit(a.counts, o.Limits.ReportBytesPerMinute, o.Limits.AllReportBytesPerMinute)
	config := huma.DefaultConfig(title, "1")
	config.Info.Description = description
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema property in responses
	a.huma = humago.New(a.mux, config)
	return a
}

// Handler serves everything under /api/, /metadata/ and the health checks.
func (a *API) Handler() http.Handler {
	answer := a.coalesce(compress(Recover(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := a.mux.Handler(r); pattern == "" {
			a.notFound(w, r)
			return
		}
		a.mux.ServeHTTP(w, r)
	}), a.Log, a.Panicked)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Cache-Control", "no-store")
		}
		answer.ServeHTTP(w, a.withCountry(a.withOrigin(withVisit(r))))
	})
}

// notFound responds to an unknown path or method with a problem, like every other error.
func (a *API) notFound(w http.ResponseWriter, r *http.Request) {
	p := newProblem(http.StatusNotFound, "There is no such call.")
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := a.mux.Handler(other); pattern != "" {
			w.Header().Add("Allow", method)
			p = newProblem(http.StatusMethodNotAllowed, "This call has another method.")
		}
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// OpenAPI returns the contract of all calls.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

// tags of the contract, one per capability
const (
	tagAccount  = "Account"
	tagWallet   = "Wallet"
	tagMarket   = "Market"
	tagCart     = "Cart"
	tagCheckout = "Checkout"
	tagHoldings = "Holdings"
	tagClaims   = "Claims"
	tagMoney    = "Money"
	tagWebstore = "Webstore"
	tagContact  = "Contact"
	tagChain    = "Chain"
	tagFlags    = "Feature flags"
	tagSystem   = "System"
)

// call describes one operation of the contract.
type call struct {
	method, path string
	id, summary  string
	tag          string
	status       int // 0 for 200
	maxBody      int64
	errors       []int
	// limits are the rate limits; none for the one of reads. unlimited says why a call needs none.
	limits    []limiter
	unlimited string
	needs     string  // the feature flag that must be on for the caller; "" for none
	after     []check // run after the limits
	shared    bool    // whether concurrent requests for the same URL get the same response
}

// operation returns the operation of a call. security is the scheme that it requires, "" for none; checks are run before those of
// the call.
func (a *API) operation(c call, security string, checks ...check) huma.Operation {
	if c.maxBody == 0 {
		c.maxBody = maxBody
	}
	op := huma.Operation{
		OperationID: c.id, Method: c.method, Path: c.path, Summary: c.summary, Tags: []string{c.tag}, DefaultStatus: c.status,
		MaxBodyBytes: c.maxBody, Errors: c.errors, BodyReadTimeout: 15 * time.Second,
	}
	op.Security = []map[string][]string{}
	if security != "" {
		op.Security = []map[string][]string{{security: {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized)
	}
	if c.needs != "" {
		checks = append(checks, a.switched(c.needs))
		op.Errors = append(op.Errors, http.StatusConflict)
	}
	if len(c.limits) == 0 && c.unlimited == "" {
		c.limits = []limiter{{perMinute: a.Limits.ReadsPerMinute, key: byReader}}
	}
	for i, l := range c.limits {
		checks = append(checks, a.limit(fmt.Sprintf("%s %d", c.id, i), l))
	}
	if len(c.limits) > 0 {
		a.limited[c.id] = true
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	op.Middlewares = huma.Middlewares{a.checked(append(checks, c.after...))}
	if c.shared {
		a.shared[c.path] = sharedCall{c.id, checks}
	}
	return op
}

// public registers a call that needs no sign-in.
func public[I, O any](a *API, c call, handle func(context.Context, *I) (*O, error)) {
	register(a, a.operation(c, ""), handle)
}

// reader registers a call of the market: for players, and for visitors while the market is open to them.
func reader[I, O any](a *API, c call, handle func(context.Context, *I) (*O, error)) {
	op := a.operation(c, tokenScheme, a.admit)
	op.Security = append(op.Security, map[string][]string{})
	register(a, op, handle)
}

// register registers an operation. An error of handle becomes a problem.
func register[I, O any](a *API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, problem(ctx, a.Log, err)
		}
		return out, nil
	})
}

// player registers a call of a signed-in player.
func player[I, O any](a *API, c call, handle func(context.Context, account.Caller, *I) (*O, error)) {
	signedIn(a, c, tokenScheme, a.Accounts.Authenticate, handle)
}

func signedIn[I, O any](a *API, c call, scheme string, authenticate authenticator, handle func(context.Context,
	account.Caller, *I) (*O, error)) {
	register(a, a.operation(c, scheme, identify(authenticate)), func(ctx context.Context, in *I) (*O, error) {
		return handle(ctx, callerOf(ctx), in)
	})
}

// either registers a call for which a browser that has lost its token sends the session authorization.
func either[I, O any](a *API, c call, handle func(context.Context, account.Caller, *I) (*O, error)) {
	op := a.operation(c, tokenScheme, identify(func(ctx context.Context, authorization string) (account.Caller, error) {
		if caller, err := a.Accounts.AuthenticateSession(ctx, authorization); !errors.Is(err, account.ErrSignedOut) {
			return caller, err
		}
		return a.Accounts.Authenticate(ctx, authorization)
	}))
	op.Security = append(op.Security, map[string][]string{sessionScheme: {}})
	register(a, op, func(ctx context.Context, in *I) (*O, error) { return handle(ctx, callerOf(ctx), in) })
}

// Body is a response with a JSON body.
type Body[T any] struct{ Body T }

func body[T any](v T) *Body[T] { return &Body[T]{v} }

// Success is the response of calls that only succeed or fail.
type Success struct {
	Success bool   `json:"success" doc:"Always true."`
	Message string `json:"message,omitempty" doc:"What happened, in words for the player."`
}

func success(message string) *Body[Success] { return body(Success{Success: true, Message: message}) }

// Empty is a request without parameters.
type Empty struct{}
