package api

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"sync"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/portal/news"
)

// SystemOptions are what the calls about the portal itself need.
type SystemOptions struct {
	Client   ClientConfig
	Flags    *flags.Service
	Realtime Realtime
	Health   *health.Monitor
	Alive    Health // the answer of /healthz
	// News lists the news items for a reader; nil for none. See news.List.For.
	News        func(country string, isPlayer bool) []news.Item
	Monitoring  *monitoring.Service
	PassAddress bool // whether browsers' addresses are forwarded to monitoring's intake
}

// Realtime gives players access to the realtime channel.
type Realtime interface {
	// AccessURL returns the WebSocket URL, including a token, for a player's session.
	AccessURL(userID, sessionID, base string, roles ...string) (string, error)
}

// ClientConfig is the public part of the configuration.
type ClientConfig struct {
	Environment    string                 `json:"environment" doc:"dev, stage, test or prod."`
	ClientID       string                 `json:"clientId,omitempty" doc:"The client id of the embedded wallet, which is the audience of its tokens; without one no wallet can be connected."`
	GameChain      ClientChain            `json:"gameChain" doc:"The chain of the marketplace."`
	MainChain      ClientChain            `json:"mainChain" doc:"The chain of immortals, passes, arks and power packs."`
	Contracts      ClientContracts        `json:"contracts" doc:"The contracts the portal works with."`
	Collections    map[string]eth.Address `json:"collections" doc:"The contracts of the brand's collections, by slug." nullable:"false"`
	Currency       ClientCurrency         `json:"currency" doc:"What the market trades in."`
	PasskeyDomain  string                 `json:"passkeyDomain" doc:"Domain of the players' passkeys, which is the site's host or above it; empty where there are none."`
	SignInWithX    bool                   `json:"signInWithX" doc:"Whether players can sign in with X."`
	PasswordByMail bool                   `json:"passwordByMail" doc:"Whether a new password is chosen by a mailed link only."`
	Listings       ClientListings         `json:"listings" doc:"The limits of what a player lists."`
	Faucet         bool                   `json:"faucet" doc:"Whether test money is given away."`
	Mailbox        bool                   `json:"mailbox" doc:"Whether emails are kept and shown at /dev/mail (development only)."`

	ClaimerBackendWallets []eth.Address `json:"claimerBackendWallets" doc:"All wallets that mint drops and claims, or have minted them: contracts.claimerBackendWallet first." nullable:"false"`

	Monitoring ClientMonitoring `json:"monitoring" doc:"Whether and as what the browser reports of itself."`
}

// ClientListings are the limits of what a player lists.
type ClientListings struct {
	MinPrice string `json:"minPrice" doc:"The lowest price of one unit, decimal."`
	AtOnce   int    `json:"atOnce" doc:"New listings in one operation, at most."`
	Live     int    `json:"live" doc:"Listings at a time, at most."`
}

// ClientMonitoring configures the browser's monitoring. The intake's token stays on the server, which forwards the
// reports.
type ClientMonitoring struct {
	Active        bool   `json:"active" doc:"Whether anybody looks at reports."`
	ApplicationID string `json:"applicationId,omitempty" doc:"Datadog's id of the application; absent where reports are only kept here."`
}

// ClientChain is the public part of a chain's configuration.
type ClientChain struct {
	ID             onchain.ChainID `json:"id" doc:"EIP-155 chain id."`
	Name           string          `json:"name" doc:"The chain's name."`
	ExplorerURL    string          `json:"explorerUrl,omitempty" doc:"Block explorer; absent when there is none."`
	PollInterval   int64           `json:"pollInterval" doc:"How often to ask for a receipt, in milliseconds."`
	EntryPoint     eth.Address     `json:"entryPoint" doc:"ERC-4337 EntryPoint v0.7."`
	AccountFactory eth.Address     `json:"accountFactory" doc:"Factory of the smart accounts."`
	Implementation eth.Address     `json:"accountImplementation" doc:"What the smart accounts run."`
}

// ClientContracts are the contracts by their role.
type ClientContracts struct {
	Marketplace             eth.Address `json:"marketplace" doc:"The marketplace."`
	PiggyMarketplace        eth.Address `json:"piggyMarketplace,omitzero" doc:"The same, where the brand has piggy banks."`
	PiggyCollection         eth.Address `json:"piggyCollection,omitzero" doc:"Piggy banks, where the brand has them."`
	AvatarCollection        eth.Address `json:"avatarCollection,omitzero" doc:"Avatars, where the brand has them."`
	SeasonAvatarsCollection eth.Address `json:"seasonAvatarsCollection,omitzero" doc:"Season avatars, where the brand has them."`
	ManagerBackendWallet    eth.Address `json:"managerBackendWallet" doc:"Lists the portal's own goods."`
	ClaimerBackendWallet    eth.Address `json:"claimerBackendWallet" doc:"Mints drops and claims."`
	GasRelayerBackendWallet eth.Address `json:"gasRelayerBackendWallet" doc:"Sends the players' operations."`
	USDC                    eth.Address `json:"usdc" doc:"The market's currency."`
	GOD                     eth.Address `json:"god,omitzero" doc:"GOD, where the brand has it."`
	PiggySoulbound          eth.Address `json:"piggySoulboundCollection,omitzero" doc:"Soulbound piggy banks, where the brand has them."`
	GameItems               eth.Address `json:"gameItems,omitzero" doc:"Game items, where the brand has them."`
	ElderGods               eth.Address `json:"elderGods,omitzero" doc:"Elder Gods, where the brand has them."`
	Chests                  eth.Address `json:"chests,omitzero" doc:"KOD packs, where the brand has them."`
}

// ClientCurrency describes a currency to browsers.
type ClientCurrency struct {
	Address  eth.Address `json:"address" doc:"Its contract."`
	Symbol   string      `json:"symbol" doc:"Its symbol."`
	Decimals int         `json:"decimals" doc:"Its decimals."`
}

// Health says that the process is alive, and what it runs.
type Health struct {
	Status  string `json:"status" doc:"Always ok."`
	Version string `json:"version" doc:"The release, or dev."`
	Commit  string `json:"commit,omitempty" doc:"The commit it was built from."`
	Schema  int64  `json:"schema" doc:"The version of the database's schema that it needs."`
}

// Readiness says whether a replica is ready.
type Readiness struct {
	Ready  bool              `json:"ready" doc:"Whether this replica answers: a proxy sends requests only to replicas that do."`
	State  string            `json:"state" enum:"ready,degraded,unready" doc:"ready if every part works; degraded if it answers although a part fails."`
	Checks map[string]string `json:"checks" doc:"ok, or what is wrong, by part."`
}

// Status says what of the site is impaired.
type Status struct {
	Impaired []health.Feature `json:"impaired" doc:"Features that work not at all or not fully at the moment: trading, wallets, live, packs, gas, account. There may be others." nullable:"false"`
}

type readinessAnswer struct {
	Status int
	Body   Readiness
}

func (a *API) registerSystem() {
	public(a, call{
		method: http.MethodGet, path: "/api/config", id: "getConfig", tag: tagSystem, summary: "What a browser may know of the configuration",
		unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[ClientConfig], error) { return body(a.Client), nil })
	public(a, call{
		method: http.MethodGet, path: "/healthz", id: "healthz", tag: tagSystem, summary: "Whether the process lives", unlimited: forProbes,
	}, func(context.Context, *Empty) (*Body[Health], error) { return body(a.Alive), nil })
	public(a, call{
		method: http.MethodGet, path: "/readyz", id: "readyz", tag: tagSystem, summary: "Whether this replica answers, and which parts fail",
		errors: []int{503}, unlimited: forProbes,
	}, a.readiness)
	public(a, call{
		method: http.MethodGet, path: "/api/status", id: "getStatus", tag: tagSystem, summary: "What of the site is impaired",
		unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[Status], error) { return body(Status{a.Health.Impaired()}), nil })
	a.mux.HandleFunc("GET /api/openapi.json", a.openAPI())
}

// readiness checks all parts.
func (a *API) readiness(ctx context.Context, _ *Empty) (*readinessAnswer, error) {
	r := a.Health.Recent(ctx)
	out := &readinessAnswer{Status: http.StatusOK, Body: Readiness{Ready: r.Ready(), State: r.State, Checks: r.Checks}}
	if !r.Ready() {
		out.Status = http.StatusServiceUnavailable
	}
	return out, nil
}

// openAPI serves the contract, rendered once.
func (a *API) openAPI() http.HandlerFunc {
	contract := sync.OnceValues(func() ([]byte, error) { return a.OpenAPI().MarshalJSON() })
	return func(w http.ResponseWriter, _ *http.Request) {
		b, err := contract()
		if err != nil {
			http.Error(w, internalMessage, http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(b)
	}
}

// YAML returns the contract in its committed form.
func (a *API) YAML() ([]byte, error) {
	b, err := a.OpenAPI().YAML()
	return append([]byte("# Generated by `make generate` from the calls and types of internal/api; edit those.\n"), b...), err
}

// FaucetUSDC is how much test USDC the faucet gives at once.
const FaucetUSDC = 100

func (a *API) registerFaucet() {
	given := strconv.Itoa(FaucetUSDC) + " test " + cmp.Or(a.Client.Currency.Symbol, "USDC")
	player(a, call{
		method: http.MethodPost, path: "/api/dev/faucet", id: "faucet", tag: tagSystem,
		summary: strconv.Itoa(FaucetUSDC) + " of the market's currency, as test money (development only)",
		errors:  []int{409}, limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}},
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Success], error) {
		return success(given + " are on their way."), a.Faucet(ctx, c.PlayerID)
	})
}
