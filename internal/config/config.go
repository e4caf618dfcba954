// Package config parses the environment into one validated value. No other package reads the environment.
package config

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"pantheon/internal/collections"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/iso3166"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Secret is a string that is hidden in logs, errors and the printed configuration.
type Secret string

// String hides the value.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "(hidden)"
}

// GoString hides the value from %#v as well.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the value from JSON and from slog.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal returns the value itself, for its one use.
func (s Secret) Reveal() string { return string(s) }

// Config holds all settings of an operator. The tags hold the variable's name, its default and, in doc, its
// description; docs/configuration.md is generated from them.
type Config struct {
	Environment string        `env:"ENVIRONMENT" doc:"Which environment this is: dev, stage, test or prod; pantheon dev needs none. prod plays on chain 42170, and refuses http:// addresses, private keys that are published and the risks of ACCEPT_RISKS."`
	AcceptRisks []string      `env:"ACCEPT_RISKS" doc:"Comma-separated names of risks that prod takes all the same: free-gas, free-holds, key-beside-database, no-mail, no-trusted-proxies, short-withdrawal-delay, unencrypted-database, unencrypted-mail, unencrypted-messages, unknown-countries, unknown-pack-countries, unknown-variables. The refusal names the risk."`
	ListenAddr  string        `env:"LISTEN_ADDR" envDefault:"localhost:8080" doc:"Address the site listens on."`
	MetricsAddr string        `env:"METRICS_ADDR" doc:"Address of the Prometheus metrics listener; empty for none."`
	PublicURL   string        `env:"PUBLIC_URL" doc:"Address under which browsers reach the site; http:// and LISTEN_ADDR when empty, with localhost for a listener on all addresses."`
	DataDir     string        `env:"DATA_DIR" envDefault:"data" doc:"Folder for everything that is kept on disk: database, chains, message streams, keys."`
	LogLevel    string        `env:"LOG_LEVEL" envDefault:"info" doc:"Least severe level that is logged: debug, info, warn or error."`
	TrustProxy  []string      `env:"TRUSTED_PROXIES" doc:"Comma-separated address ranges (CIDR) of reverse proxies whose report of the browser's address is believed."`
	ForwardedIn string        `env:"FORWARDED_HEADER" doc:"Header in which they report it: X-Forwarded-For or Forwarded (RFC 7239). When empty X-Forwarded-For, or Forwarded in requests without. Set it where they write Forwarded alone: browsers can send the other."`
	DrainTime   time.Duration `env:"DRAIN_TIME" envDefault:"5s" doc:"How long a stopping server waits for requests and players' connections to move on."`

	ReservedNames []string `env:"RESERVED_NAMES" envDefault:"Pantheon" doc:"Comma-separated names of the brand, which no player's name may contain. The names of games and collections are reserved in any case."`
	Forbidden     []string `env:"FORBIDDEN_COUNTRIES" envDefault:"CU,IR,KP,SY,VE,RU,BY" doc:"Comma-separated codes (ISO 3166-1 alpha-2) of countries that are not served; none for serving all."`
	CountryHeader string   `env:"COUNTRY_HEADER" doc:"Header in which the proxies of TRUSTED_PROXIES tell a browser's country, such as CF-IPCountry. They must overwrite what browsers send."`
	CountryRanges string   `env:"COUNTRY_FILE" doc:"File in MaxMind's DB format with country.iso_code by address, for browsers whose country no header tells; it is read at the start. Browsers whose country is not in it are served, those whose address cannot be read are not."`

	PacksForbidden []string `env:"PACK_COUNTRIES_FORBIDDEN" doc:"Comma-separated codes (ISO 3166-1 alpha-2) of countries in which no packs are sold; none for selling them everywhere. Players there can still open their own."`

	FlagsFile string `env:"FLAGS_FILE" doc:"YAML file of the feature flags; built-in ones when empty. It is read again when it changes."`

	GameRules string `env:"GAME_RULES_FILE" doc:"YAML file of the game's rules: seasons of vaults and avatars, drop tables of packs, tariffs of arks, piggy banks and power packs; the built-in ones for sections that it lacks. It is read again when it changes. Drop tables and tariffs that are in force can never change: add editions and versions."`

	DatabaseURL Secret `env:"DATABASE_URL" doc:"postgres:// URL; empty for SQLite in the data folder."`
	NATSURL     Secret `env:"NATS_URL" doc:"nats:// URL of a cluster with JetStream; empty for the built-in server."`
	AzureURL    Secret `env:"AZURE_WEBPUBSUB_CONNECTION_STRING" doc:"Sends realtime messages through Azure Web PubSub instead of the built-in hub."`

	TokenSecret   Secret `env:"TOKEN_SECRET" doc:"Base64 of at least 32 random bytes; signs the players' tokens. Made in the data folder when empty (dev only)."`
	SignerKeyFile string `env:"SIGNER_KEY_FILE" doc:"File of the key that seals the players' wallet keys, made by pantheon key init; DATA_DIR/signer.key when empty."`

	ContextSecret Secret `env:"GAME_CONTEXT_SECRET" doc:"Base64 of at least 32 random bytes, with which the game's server signs the links that sign players in (see /api-doc, tokenLogin); none such when empty. Made in the data folder when empty (dev only)."`

	X X

	GamePlatform string `env:"GAME_PLATFORM" envDefault:"local" doc:"What keeps accounts, currencies and statistics: local for the portal's own database, or playfab."`
	PlayFab      PlayFab

	GameChain Chain `envPrefix:"GAME_CHAIN_" doc:"The chain of marketplace, packs and currencies."`
	MainChain Chain `envPrefix:"MAIN_CHAIN_" doc:"The chain of immortals, passes, arks and power packs."`

	Reads  Reads
	Beacon Beacon

	HoldsNeed    string        `env:"HOLDS_NEED" doc:"What holding an item needs: funds (USDC in the wallet for everything that is held), email (a confirmed address; as with SPONSOR_NEEDS, players for whom X, the game or PlayFab vouches need none) or none; by default funds (prod) and none (else)."`
	DevBlockLead time.Duration `env:"DEV_BLOCK_LEAD" envDefault:"750ms" doc:"How far the blocks of the development chains may run ahead of the clock, at least 500ms. Each is a second later than the one before, so in a burst transactions share blocks. Longer for load tests: 1h for a block each."`

	DevBeaconPort int `env:"DEV_BEACON_PORT" envDefault:"8547" doc:"Port of this machine on which the development beacon answers, as drand's relays do; 0 for any free one."`

	Contracts   Contracts
	Wallets     Wallets
	Relay       Relay
	Withdrawals Withdrawals
	Trades      Trades
	Listings    Listings
	Shop        Shop
	Card        Card
	Treasury    Treasury
	Limits      Limits
	Monitoring  Monitoring
	Mail        Mail
	HTTP        HTTP

	unreadable map[string]string // what is wrong with variables that Load could not read, by name
	lookalikes []lookalike       // variables that are no settings but look like them
	mailKept   bool              // see KeepMail
}

// Beacon is the public randomness beacon by which packs are drawn.
type Beacon struct {
	URLs      []string `env:"BEACON_URL" doc:"Comma-separated addresses of mirrors of the beacon's chain, with the chain's hash; none is trusted. Public mirrors of drand's quicknet when empty."`
	PublicKey string   `env:"BEACON_PUBLIC_KEY" doc:"The beacon's public key, in hex; quicknet's when empty. Openings that wait when it changes are not drawn."`
	Genesis   int64    `env:"BEACON_GENESIS" doc:"When the beacon published its first round, in Unix seconds; quicknet's when 0."`
	Period    int64    `env:"BEACON_PERIOD" doc:"Seconds between its rounds; quicknet's 3 when 0."`
}

// drand's quicknet (https://docs.drand.love).
const (
	quicknetChain   = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	quicknetKey     = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
	quicknetGenesis = 1692803367
	quicknetPeriod  = 3
)

// complete sets the unset fields to those of quicknet.
func (b *Beacon) complete() {
	if len(b.URLs) == 0 {
		for _, host := range []string{"api.drand.sh", "api2.drand.sh", "api3.drand.sh", "drand.cloudflare.com"} {
			b.URLs = append(b.URLs, "https://"+host+"/"+quicknetChain)
		}
	}
	if b.PublicKey == "" {
		b.PublicKey = quicknetKey
	}
	if b.Genesis == 0 {
		b.Genesis = quicknetGenesis
	}
	if b.Period == 0 {
		b.Period = quicknetPeriod
	}
}

// faults returns the faults of the beacon's variables, by name.
func (b Beacon) faults() map[string]string {
	out := map[string]string{}
	for _, u := range b.URLs {
		if !isURL(u, "http", "https") {
			out["BEACON_URL"] = "must be http:// or https:// addresses"
		}
	}
	if key, err := hex.DecodeString(b.PublicKey); err != nil || len(key) != 96 {
		out["BEACON_PUBLIC_KEY"] = "must be 192 hex digits: a compressed point of G2"
	}
	if b.Genesis < 0 || b.Genesis > 253402300799 {
		out["BEACON_GENESIS"] = "must be Unix seconds"
	}
	if b.Period < 1 || b.Period > 86_400 {
		out["BEACON_PERIOD"] = "must be 1 to 86400 seconds"
	}
	return out
}

var finality = regexp.MustCompile(`^(finalized|[0-9]{1,6})$`)

// X identifies the portal's app at X (Twitter).
type X struct {
	ClientID     string `env:"X_CLIENT_ID" doc:"Client id of the portal's app at X, with PUBLIC_URL/auth/callback/twitter as its callback; players cannot sign in with X when empty."`
	ClientSecret Secret `env:"X_CLIENT_SECRET" doc:"Secret of that app, where it is a confidential client."`
	URL          string `env:"X_API_URL" doc:"Address of a stand-in for X, for tests; X's own when empty."`
}

// faults returns the faults of X's variables, by name.
func (x X) faults() map[string]string {
	out := map[string]string{}
	if x.ClientID != "" && !secretKey.MatchString(x.ClientID) {
		out["X_CLIENT_ID"] = "must be the app's client id"
	}
	if x.ClientSecret != "" && !secretKey.MatchString(x.ClientSecret.Reveal()) {
		out["X_CLIENT_SECRET"] = "must be the app's client secret"
	}
	if x.ClientID == "" && x.ClientSecret != "" {
		out["X_CLIENT_SECRET"] = "must come with X_CLIENT_ID"
	}
	if x.URL != "" && !isSafeURL(x.URL) {
		out["X_API_URL"] = "must be an https:// address, or an http:// one of this machine, without user and path"
	}
	return out
}

// Game platforms.
const (
	PlatformLocal   = "local"
	PlatformPlayFab = "playfab"
)

// PlayFab identifies the title, with GAME_PLATFORM=playfab.
type PlayFab struct {
	TitleID          string `env:"PLAYFAB_TITLE_ID" doc:"The title's id at PlayFab."`
	SecretKey        Secret `env:"PLAYFAB_SECRET_KEY" doc:"A secret key of that title."`
	URL              string `env:"PLAYFAB_URL" doc:"Address of PlayFab's API; https://TITLE.playfabapi.com when empty."`
	RecoveryTemplate string `env:"PLAYFAB_RECOVERY_TEMPLATE_ID" doc:"The title's e-mail template for forgotten passwords, whose link leads to PUBLIC_URL/new-password; PlayFab's own mail and page when empty, which lift no freeze by the account's owner."`
	Tickets          bool   `env:"PLAYFAB_TICKETS" envDefault:"true" doc:"Whether a session ticket of the game's client signs a player in, each ticket once (see /api-doc, tokenLogin)."`
	LoginsPerMinute  int    `env:"PLAYFAB_LOGINS_PER_MINUTE" envDefault:"300" doc:"Logins and registrations this server sends to PlayFab in a minute, which counts them by the server's address; 0 for no limit."`
}

// faults returns the faults of PlayFab's variables, by name.
func (p PlayFab) faults() map[string]string {
	out := map[string]string{}
	if !titleID.MatchString(p.TitleID) {
		out["PLAYFAB_TITLE_ID"] = "must be the title's id (letters and digits) with GAME_PLATFORM=playfab"
	}
	if !secretKey.MatchString(p.SecretKey.Reveal()) {
		out["PLAYFAB_SECRET_KEY"] = "must be a secret key of the title with GAME_PLATFORM=playfab"
	}
	if p.URL != "" && !isSafeURL(p.URL) {
		out["PLAYFAB_URL"] = "must be an https:// address, or an http:// one of this machine, without user and path"
	}
	if p.RecoveryTemplate != "" && !titleID.MatchString(p.RecoveryTemplate) {
		out["PLAYFAB_RECOVERY_TEMPLATE_ID"] = "must be a template's id (letters and digits)"
	}
	if p.LoginsPerMinute < 0 {
		out["PLAYFAB_LOGINS_PER_MINUTE"] = "must not be negative"
	}
	return out
}

var (
	titleID   = regexp.MustCompile(`^[0-9A-Za-z]{1,32}$`)
	secretKey = regexp.MustCompile(`^[!-~]{8,256}$`) // valid in an HTTP header
)

// isSafeURL reports whether a key may be sent to a URL: encrypted, or on this machine.
func isSafeURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLocal(u.Hostname())
}

// Chain configures a chain's endpoint and how far its head is trusted.
type Chain struct {
	ID            uint64        `env:"ID" doc:"EIP-155 chain id; by default 42170 (game, prod), 421614 (game, else) and 137 (main)."`
	Name          string        `env:"NAME" doc:"Name shown to players."`
	RPCURL        Secret        `env:"RPC_URL" doc:"JSON-RPC endpoint."`
	ReadRPCURL    Secret        `env:"READ_RPC_URL" doc:"JSON-RPC endpoint that answers browsers' reads; the one above when empty, over connections of their own. It must not lag behind it."`
	ExplorerURL   string        `env:"EXPLORER_URL" doc:"Block explorer's address, for links to transactions."`
	Confirmations string        `env:"CONFIRMATIONS" doc:"How many blocks behind the head the indexer stays. By default 5 (prod) and 0 (else, and on the chains of Arbitrum, Optimism and Base, whose newest blocks are not replaced)."`
	TimeMargin    time.Duration `env:"TIME_MARGIN" doc:"How far behind the clock the chain's blocks can be dated: so much later is the round that decides an opened pack. 0 where blocks are dated when they are made; the delayed inbox of Arbitrum's chains is recognised by itself."`
	Finality      string        `env:"FINALITY" doc:"When a burn is final, so that its reward is given: finalized for the blocks that the endpoint calls finalized, or how many blocks must follow. By default finalized (prod) and 0 (else)."`
	StartBlock    uint64        `env:"START_BLOCK" doc:"First block to index: the one before the oldest of the contracts."`
	RewardsFrom   uint64        `env:"REWARDS_FROM" doc:"First block whose burns are rewarded: on a chain with a history of burns, the block at which the portal takes over. Burns before it never earn anything. START_BLOCK when 0. It can be raised later, and not lowered."`
	PollInterval  time.Duration `env:"POLL_INTERVAL" envDefault:"1s" doc:"How often a new head is looked for."`
	LeastTip      string        `env:"LEAST_TIP" doc:"The least tip (priority fee) per unit of gas that is offered, in gwei, whatever the endpoint suggests. 0, and 30 on chain 137, when empty."`
	GasBudget     string        `env:"GAS_BUDGET" doc:"What the portal pays for players' gas in a day (UTC), in the chain's own currency; half of it is kept for players who bought before. 0.1, and 50 on chain 137, when empty."`
	GasPerNetwork string        `env:"GAS_PER_NETWORK" doc:"The same for all players of one network (/24 of IPv4, /56 of IPv6); a tenth of GAS_BUDGET when empty."`
	GasPerPlayer  string        `env:"GAS_PER_PLAYER" doc:"The same for one player; a fiftieth of GAS_BUDGET when empty."`
}

// Depth returns how many blocks behind the head the indexer stays; 0 for a setting that Validate reports.
func (c Chain) Depth() uint64 {
	n, _ := strconv.ParseUint(c.Confirmations, 10, 32)
	return n
}

// Tip returns the least tip per unit of gas, in wei.
func (c Chain) Tip() (money.Units, error) {
	const gwei = 9 // decimals
	return money.ParseDecimal(c.LeastTip, gwei)
}

// sequenced are the chains of which one sequencer orders the transactions, so that blocks are not replaced: Optimism, Base,
// and Arbitrum One, Nova and Sepolia.
var sequenced = []uint64{10, 8453, 42161, 42170, 421614}

// Gas returns the daily gas budgets in wei: in total, for one network and for one player. It fails on
// settings that Validate reports.
func (c Chain) Gas() (total, network, player money.Units, err error) {
	const decimals = 18
	if total, err = money.ParseDecimal(c.GasBudget, decimals); err != nil {
		return total, network, player, err
	}
	network, player = total.Div(10), total.Div(50)
	if c.GasPerNetwork != "" {
		if network, err = money.ParseDecimal(c.GasPerNetwork, decimals); err != nil {
			return total, network, player, err
		}
	}
	if c.GasPerPlayer != "" {
		player, err = money.ParseDecimal(c.GasPerPlayer, decimals)
	}
	return total, network, player, err
}

// Reads limits the cost of browsers' reads for a chain's endpoint.
type Reads struct {
	AtOnce  int           `env:"CHAIN_READS_AT_ONCE" envDefault:"16" doc:"Browsers' reads that may be under way to a chain's endpoint at the same time; a batch counts once."`
	Wait    time.Duration `env:"CHAIN_READS_WAIT" envDefault:"2s" doc:"How long a read waits for its turn before it is refused (503)."`
	CallGas uint64        `env:"CHAIN_READS_GAS" envDefault:"5000000" doc:"Gas that one eth_call of a browser may use."`
	Blocks  uint64        `env:"CHAIN_READS_BLOCKS" envDefault:"128" doc:"How many of the newest blocks browsers may read by number."`
}

// faults returns the faults by variable.
func (r Reads) faults() map[string]string {
	out := map[string]string{}
	if r.AtOnce < 1 {
		out["CHAIN_READS_AT_ONCE"] = "must be at least 1"
	}
	if r.Wait < time.Millisecond || r.Wait > 10*time.Second {
		out["CHAIN_READS_WAIT"] = "must be from 1ms to 10s"
	}
	if r.CallGas < 100_000 {
		out["CHAIN_READS_GAS"] = "must be at least 100000"
	}
	if r.Blocks < 1 {
		out["CHAIN_READS_BLOCKS"] = "must be at least 1"
	}
	return out
}

// Contracts are the addresses of the contracts that the portal uses.
type Contracts struct {
	PiggyMarketplace      string `env:"PIGGY_MARKETPLACE_ADDRESS" kind:"address" doc:"The MarketplaceV3 contract (game chain)."`
	USDC                  string `env:"USDC_CURRENCY_CONTRACT_ADDRESS" kind:"address" doc:"USDC, ERC-20 with 6 decimals (game chain)."`
	GOD                   string `env:"GOD_CURRENCY_CONTRACT_ADDRESS" kind:"address" doc:"GOD, ERC-20 with 18 decimals (game chain)."`
	Collections           CollectionAddresses
	EntryPoint            string `env:"ENTRY_POINT_ADDRESS" kind:"address" envDefault:"0x0000000071727De22E5E9d8BAf0edAc6f37da032" doc:"ERC-4337 EntryPoint v0.7, on both chains; wallets accept the canonical one only."`
	AccountFactory        string `env:"ACCOUNT_FACTORY_ADDRESS" kind:"address" doc:"Factory of the players' smart accounts, on both chains."`
	AccountImplementation string `env:"ACCOUNT_IMPLEMENTATION_ADDRESS" kind:"address" doc:"What the players' smart accounts run, on both chains."`
	Paymaster             string `env:"PAYMASTER_ADDRESS" kind:"address" doc:"PantheonPaymaster that pays the players' gas, on both chains. Its list of relayers names GAS_RELAYER_BACKEND_WALLET."`
}

// CollectionAddresses are the addresses of the collections' contracts, by slug. Package collections defines the
// variable of each.
type CollectionAddresses map[string]string

// Of returns the address of a collection. The configuration must be valid, and the slug that of a collection.
func (c CollectionAddresses) Of(slug string) eth.Address { return eth.MustAddress(c[slug]) }

// variables lists the variables of the addresses.
func (c CollectionAddresses) variables() (out []Variable) {
	for _, collection := range collections.All() {
		standard := map[onchain.Standard]string{onchain.ERC721: "ERC-721", onchain.ERC1155: "ERC-1155"}[collection.Standard]
		if collection.Soulbound {
			standard = "soulbound " + standard
		}
		out = append(out, Variable{
			Name: collection.Setting, Doc: fmt.Sprintf("%s, %s (%s chain).", collection.Name, standard, collection.Chain),
			kind: "address", value: c[collection.Slug], typ: reflect.TypeFor[string](),
		})
	}
	return out
}

// Wallets are the portal's own wallets: their public addresses and their secret keys.
type Wallets struct {
	Manager       string `env:"MANAGER_BACKEND_WALLET" kind:"address" doc:"Wallet that lists the portal's own goods."`
	Claimer       string `env:"CLAIMER_BACKEND_WALLET" kind:"address" doc:"Wallet that mints drops, claims and grants."`
	GasRelayer    string `env:"GAS_RELAYER_BACKEND_WALLET" kind:"address" doc:"Wallet that sends the players' operations and holds the gas money."`
	ManagerKey    Secret `env:"MANAGER_PRIVATE_KEY" kind:"key" doc:"Private key of the manager wallet, 0x and 64 hex digits."`
	ClaimerKey    Secret `env:"CLAIMER_PRIVATE_KEY" kind:"key" doc:"Private key of the claimer wallet."`
	GasRelayerKey Secret `env:"GAS_RELAYER_PRIVATE_KEY" kind:"key" doc:"Private key of the gas relayer wallet."`
	PaymasterKey  Secret `env:"PAYMASTER_SIGNER_PRIVATE_KEY" kind:"key" doc:"Private key whose signature the paymaster accepts."`
}

// Relay limits what the portal pays for.
type Relay struct {
	OpsPerMinute int `env:"RELAY_OPERATIONS_PER_MINUTE" envDefault:"20" doc:"Sponsored operations a player may send in a minute."`
	OpsPerDay    int `env:"RELAY_OPERATIONS_PER_DAY" envDefault:"300" doc:"Sponsored operations a player may send in a day."`
	OpsNetwork   int `env:"RELAY_OPERATIONS_PER_NETWORK" envDefault:"3000" doc:"Sponsored operations that all players of one network may send in a day, on each chain; 0 for no limit."`
	OpsTotal     int `env:"RELAY_OPERATIONS_TOTAL" envDefault:"50000" doc:"Sponsored operations of everybody in a day, on each chain; 0 for no limit."`

	SponsorNeeds string `env:"SPONSOR_NEEDS" doc:"What a player needs for the first sponsored operation: email (a confirmed address; players who sign in with X, come by a link from the game or play at PlayFab need none) or none. email when empty, none with pantheon dev. email needs SMTP_HOST."`
}

// Trades bound what a player can lose by trades that nobody but the session approved.
type Trades struct {
	RiskPerDay string `env:"TRADE_RISK_PER_DAY" doc:"USDC that a player's trades may deviate from reference prices in 24 hours, by selling below them or buying above them; an operation beyond it needs the player's approval by an emailed code. 25 when empty, 100 with pantheon dev."`
	Unknown    string `env:"TRADE_RISK_UNKNOWN" envDefault:"25" doc:"What listing one item counts in TRADE_RISK_PER_DAY where nothing tells what it is worth, in USDC."`
	OneSeller  string `env:"TRADE_ONE_SELLER" envDefault:"200" doc:"USDC that one seller can get from one player in 24 hours before all of it counts in TRADE_RISK_PER_DAY."`
}

// DevTradeRisk is the default of TRADE_RISK_PER_DAY with pantheon dev.
const DevTradeRisk = "100"

func (t *Trades) complete() {
	if t.RiskPerDay == "" {
		t.RiskPerDay = "25"
	}
}

// faults returns the faults by variable.
func (t Trades) faults() map[string]string {
	out := map[string]string{}
	for name, amount := range map[string]string{"TRADE_RISK_PER_DAY": t.RiskPerDay, "TRADE_RISK_UNKNOWN": t.Unknown, "TRADE_ONE_SELLER": t.OneSeller} {
		if _, err := money.ParseDecimal(amount, 6); err != nil {
			out[name] = "must be an amount with at most 6 decimals"
		}
	}
	return out
}

// Withdrawals limit what players take out of their wallets.
type Withdrawals struct {
	Delay time.Duration `env:"WITHDRAWAL_DELAY" envDefault:"24h" doc:"How long a confirmed withdrawal waits before it can be sent, except one to the player's own verified wallet; and every withdrawal after a new password or a newly verified wallet."`
	USDC  string        `env:"WITHDRAWAL_USDC_PER_DAY" envDefault:"5000" doc:"How much USDC a player can withdraw in 24 hours; 0 for no limit."`
	GOD   string        `env:"WITHDRAWAL_GOD_PER_DAY" envDefault:"0" doc:"How much GOD a player can withdraw in 24 hours; 0 for no limit."`
	Items int           `env:"WITHDRAWAL_ITEMS_PER_DAY" envDefault:"100" doc:"How many items a player can withdraw in 24 hours."`
}

// faults returns the faults by variable.
func (w Withdrawals) faults() map[string]string {
	out := map[string]string{}
	if w.Delay < 0 || w.Delay > 30*24*time.Hour {
		out["WITHDRAWAL_DELAY"] = "must be from 0s to 720h"
	}
	for name, amount := range map[string]struct {
		value    string
		decimals int
	}{"WITHDRAWAL_USDC_PER_DAY": {w.USDC, 6}, "WITHDRAWAL_GOD_PER_DAY": {w.GOD, 18}} {
		if _, err := money.ParseDecimal(amount.value, amount.decimals); err != nil {
			out[name] = fmt.Sprintf("must be an amount with at most %d decimals", amount.decimals)
		}
	}
	if w.Items < 0 {
		out["WITHDRAWAL_ITEMS_PER_DAY"] = "must not be negative"
	}
	return out
}

// Listings limit what players list through the portal.
type Listings struct {
	MinPrice string `env:"LISTING_PRICE_MIN" envDefault:"0.01" doc:"The lowest price at which a player can list an item, in USDC."`
	AtOnce   int    `env:"LISTINGS_AT_ONCE" envDefault:"20" doc:"New listings in one operation of a player, 1 to 20."`
	Live     int    `env:"LISTINGS_PER_SELLER" envDefault:"500" doc:"Listings that a player can have at a time."`
}

// Price returns MinPrice in base units; zero if it is malformed.
func (l Listings) Price() money.Units {
	price, err := money.ParseDecimal(l.MinPrice, money.USDCDecimals)
	if err != nil {
		return money.Units{}
	}
	return price
}

// faults returns the faults by variable.
func (l Listings) faults() map[string]string {
	out := map[string]string{}
	if l.Price().IsZero() {
		out["LISTING_PRICE_MIN"] = "must be an amount above 0 with at most 6 decimals"
	}
	if l.AtOnce < 1 || l.AtOnce > 20 {
		out["LISTINGS_AT_ONCE"] = "must be from 1 to 20"
	}
	if l.Live < 1 {
		out["LISTINGS_PER_SELLER"] = "must be at least 1"
	}
	return out
}

// Monitoring configures what happens to browsers' monitoring reports.
type Monitoring struct {
	Keep          int           `env:"MONITORING_KEEP" envDefault:"10000" doc:"How many reports of browsers the database keeps, newest first, and a tenth as many recordings; 0 for none. METRICS_ADDR shows them under /monitoring."`
	KeepMiB       int           `env:"MONITORING_KEEP_MIB" envDefault:"256" doc:"How much of them the database keeps, in MiB: half of it recordings, a quarter reports of pages, a quarter log lines."`
	KeepFor       time.Duration `env:"MONITORING_KEEP_FOR" envDefault:"336h" doc:"How long reports are kept."`
	ApplicationID string        `env:"DATADOG_APPLICATION_ID" doc:"Application of Datadog RUM that reports are passed on to; empty for passing on none. Browsers send to this server only."`
	ClientToken   Secret        `env:"DATADOG_CLIENT_TOKEN" doc:"Client token of that application."`
	Site          string        `env:"DATADOG_SITE" envDefault:"datadoghq.com" doc:"Datadog's site, such as datadoghq.eu."`
	PassAddress   bool          `env:"DATADOG_PASS_IP" envDefault:"false" doc:"Whether Datadog is told the browsers' addresses (X-Forwarded-For)."`
}

// Mail configures the SMTP server.
type Mail struct {
	Host     string `env:"SMTP_HOST" doc:"SMTP server that takes the portal's mail. Without one, passwords cannot be reset by mail; dev shows the mail under /dev/mail instead."`
	Port     int    `env:"SMTP_PORT" envDefault:"587" doc:"The server's port."`
	Security string `env:"SMTP_SECURITY" envDefault:"starttls" doc:"How the connection is protected: starttls, tls (from the first byte, as on port 465) or none."`
	Username string `env:"SMTP_USERNAME" doc:"Name to sign in with; empty for a server that asks for none."`
	Password Secret `env:"SMTP_PASSWORD" doc:"Password to sign in with."`
	From     string `env:"SMTP_FROM" doc:"Sender of the mail, such as Portal <portal@example.com>."`
	Support  string `env:"SUPPORT_EMAIL" doc:"Address to which support requests are mailed; they are also stored (pantheon support list)."`
}

// faults returns the faults by variable.
func (m Mail) faults() map[string]string {
	out := map[string]string{}
	if m.Port < 1 || m.Port > 65535 {
		out["SMTP_PORT"] = "must be a port"
	}
	if !slices.Contains([]string{"starttls", "tls", "none"}, m.Security) {
		out["SMTP_SECURITY"] = "must be starttls, tls or none"
	}
	if m.Support != "" && email.Fault(m.Support) != "" {
		out["SUPPORT_EMAIL"] = "must be an address such as help@example.com"
	}
	if m.Host == "" {
		for name, value := range map[string]string{"SMTP_USERNAME": m.Username, "SMTP_PASSWORD": m.Password.Reveal(), "SMTP_FROM": m.From} {
			if value != "" {
				out[name] = "must come with SMTP_HOST"
			}
		}
		return out
	}
	if _, err := netip.ParseAddr(m.Host); err != nil && !hostName.MatchString(m.Host) {
		out["SMTP_HOST"] = "must be the name or address of a server, without port"
	}
	if from, err := mail.ParseAddress(m.From); err != nil || email.Fault(from.Address) != "" {
		out["SMTP_FROM"] = "must be an address such as Portal <portal@example.com>"
	}
	if (m.Username == "") != (m.Password == "") {
		out["SMTP_PASSWORD"] = "must come with SMTP_USERNAME"
	} else if m.Username != "" && m.Security == "none" && !isLocal(m.Host) {
		out["SMTP_SECURITY"] = "must be starttls or tls where a password is sent to another machine"
	}
	return out
}

var hostName = regexp.MustCompile(`^[0-9A-Za-z._-]{1,253}$`)

// sites are Datadog's sites, as listed in its browser SDK 7.16.
func sites() []string {
	return []string{
		"datadoghq.com", "us3.datadoghq.com", "us5.datadoghq.com", "datadoghq.eu", "ap1.datadoghq.com", "ap2.datadoghq.com", "ddog-gov.com", "us2.ddog-gov.com",
	}
}

// faults returns the faults by variable.
func (m Monitoring) faults() map[string]string {
	out := map[string]string{}
	if m.Keep < 0 {
		out["MONITORING_KEEP"] = "must not be negative"
	}
	if m.KeepMiB < 1 {
		out["MONITORING_KEEP_MIB"] = "must be at least 1"
	}
	if m.KeepFor < time.Minute {
		out["MONITORING_KEEP_FOR"] = "must be at least 1m"
	}
	if !slices.Contains(sites(), m.Site) {
		out["DATADOG_SITE"] = "must be one of " + strings.Join(sites(), ", ")
	}
	if m.ApplicationID != "" && !applicationID.MatchString(m.ApplicationID) {
		out["DATADOG_APPLICATION_ID"] = "must be an application's id (a UUID)"
	}
	if m.ApplicationID != "" && !clientToken.MatchString(m.ClientToken.Reveal()) {
		out["DATADOG_CLIENT_TOKEN"] = "must be the application's client token (pub and 32 hex digits)"
	}
	if m.ApplicationID == "" && m.ClientToken != "" {
		out["DATADOG_CLIENT_TOKEN"] = "must come with DATADOG_APPLICATION_ID"
	}
	return out
}

var (
	applicationID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	clientToken   = regexp.MustCompile(`^pub[0-9a-f]{32}$`)
)

// Limits are rate limits of the sensitive calls, per minute; 0 means no limit.
type Limits struct {
	Logins     int `env:"LIMIT_LOGINS" envDefault:"20" doc:"Registrations, logins and resets of passwords from one address in a minute, each; 0 for no limit."`
	Attempts   int `env:"LIMIT_WRONG_PASSWORDS" envDefault:"10" doc:"Wrong passwords and codes for one account from one network in a quarter of an hour; 0 for no limit."`
	Emails     int `env:"LIMIT_MAILS" envDefault:"5" doc:"Emails with a link or a code for one account from one network, and for the approvals of one session, in an hour; 0 for no limit."`
	Cart       int `env:"LIMIT_CART_CHANGES" envDefault:"120" doc:"Cart and checkout changes of one player in a minute; 0 for no limit."`
	Signatures int `env:"LIMIT_SIGNATURES" envDefault:"240" doc:"Signatures and relay calls of one player in a minute, each; every request of a batch counts. 0 for no limit."`
	Contacts   int `env:"LIMIT_CONTACTS" envDefault:"6" doc:"Support requests and pre-registrations from one address in a minute; 0 for no limit."`
	Reports    int `env:"LIMIT_MONITORING" envDefault:"600" doc:"Monitoring reports from one address in a minute; 0 for no limit."`
	ReportMiB  int `env:"LIMIT_MONITORING_MIB" envDefault:"8" doc:"MiB of monitoring reports from one address in a minute, counted as they are unpacked; 0 for no limit."`
	ReportsMiB int `env:"LIMIT_MONITORING_TOTAL_MIB" envDefault:"64" doc:"The same, of all addresses together that report to this server; 0 for no limit."`
	ChainReads int `env:"LIMIT_CHAIN_READS" envDefault:"1200" doc:"Chain reads, and pages of leaderboards, from one address in a minute, each; every request of a batch counts. 0 for no limit."`
	Reads      int `env:"LIMIT_READS" envDefault:"240" doc:"Calls of one player, or of a visitor's address, in a minute, each call that has no other limit; five times as many of a network. 0 for no limit."`
	Searches   int `env:"LIMIT_SEARCHES" envDefault:"120" doc:"Searches of the market of one player, or of a visitor's address, in a minute; five times as many of a network. 0 for no limit."`
	Art        int `env:"LIMIT_ART" envDefault:"6000" doc:"Images, and metadata, of tokens from one address in a minute, each; 0 for no limit."`
}

// Load reads the environment ("NAME=value" lines), and the file that X_FILE names for a secret X, and applies the defaults.
// Validate reports files that cannot be read and values that cannot be parsed, such as "x" for a number, together with all other faults.
func Load(environ []string) (Config, error) {
	var c Config
	values := env.ToMap(environ)
	maps.DeleteFunc(values, isInjected)
	c.unreadable, c.lookalikes = readSecretFiles(values), lookalikes(values)
	err := env.ParseWithOptions(&c, env.Options{Environment: values})
	c.Contracts.Collections = CollectionAddresses{}
	for _, collection := range collections.All() {
		c.Contracts.Collections[collection.Slug] = values[collection.Setting]
	}
	if _, ok := errors.AsType[env.AggregateError](err); !ok {
		return c, err
	}
	// The library's messages quote values and name fields; report the variables and the expected form instead.
	for _, v := range Variables() {
		if text, set := values[v.Name]; set && !readable(v.typ, text) {
			c.unreadable[v.Name] = "must be " + v.form()
		}
	}
	if len(c.unreadable) == 0 {
		return c, &Error{Faults: []string{"a variable could not be read"}}
	}
	return c, nil
}

// Unreadable returns what is wrong with a setting that Load could not read, or with the file of a secret; nil for none. Validate reports
// it, too.
func (c *Config) Unreadable(name string) error {
	for _, variable := range []string{name, name + fileSuffix} {
		if wrong := c.unreadable[variable]; wrong != "" {
			return &Error{Faults: []string{variable + ": " + wrong}}
		}
	}
	return nil
}

// readable reports whether the text can be parsed as the type.
func readable(t reflect.Type, text string) bool {
	one := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "V", Type: t, Tag: `env:"V"`}}))
	return env.ParseWithOptions(one.Interface(), env.Options{Environment: map[string]string{"V": text}}) == nil
}

// Error lists every fault of a configuration. Its text never contains the value of a secret.
type Error struct{ Faults []string }

// Error begins with the line "Invalid environment variables" and lists one fault a line.
func (e *Error) Error() string {
	return "Invalid environment variables\n  - " + strings.Join(e.Faults, "\n  - ")
}

// headerName is a token of RFC 9110.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// What a player's first sponsored operation may need.
const (
	SponsorNeedsEmail = "email"
	SponsorNeedsNone  = "none"
)

// KeepMail records that mail is kept and shown on this machine, as pantheon dev does: then no SMTP server is needed.
func (c *Config) KeepMail() { c.mailKept = true }

// Complete fills in settings derived from others: chain ids, names and the public address.
func (c *Config) Complete() {
	if c.GameChain.ID == 0 {
		c.GameChain.ID = 421614
		if c.Environment == prod {
			c.GameChain.ID = 42170
		}
	}
	if c.MainChain.ID == 0 {
		c.MainChain.ID = 137
	}
	for _, chain := range []*Chain{&c.GameChain, &c.MainChain} {
		if chain.GasBudget == "" {
			chain.GasBudget = "0.1"
			if chain.ID == 137 { // its currency has little value
				chain.GasBudget = "50"
			}
		}
		if chain.LeastTip == "" {
			chain.LeastTip = "0"
			if chain.ID == 137 {
				chain.LeastTip = "30"
			}
		}
		if chain.Confirmations == "" {
			chain.Confirmations = "0"
			if c.Environment == prod && !slices.Contains(sequenced, chain.ID) {
				chain.Confirmations = "5"
			}
		}
	}
	for _, chain := range []*Chain{&c.GameChain, &c.MainChain} {
		if chain.Finality == "" {
			chain.Finality = "0"
			if c.Environment == prod {
				chain.Finality = "finalized"
			}
		}
	}
	c.Beacon.complete()
	c.Shop.complete()
	c.Card.complete()
	c.Trades.complete()
	if c.GameChain.Name == "" {
		c.GameChain.Name = "Game chain"
	}
	if c.MainChain.Name == "" {
		c.MainChain.Name = "Main chain"
	}
	if c.HoldsNeed == "" {
		c.HoldsNeed = "none"
		if c.Environment == "prod" {
			c.HoldsNeed = "funds"
		}
	}
	for _, codes := range []*[]string{&c.Forbidden, &c.PacksForbidden} {
		for i, code := range *codes {
			(*codes)[i] = strings.ToUpper(strings.TrimSpace(code))
		}
		if slices.Equal(*codes, []string{"NONE"}) {
			*codes = nil
		}
	}
	for i, name := range c.AcceptRisks {
		c.AcceptRisks[i] = strings.TrimSpace(name)
	}
	c.PublicURL = c.Site()
	if c.Relay.SponsorNeeds == "" {
		c.Relay.SponsorNeeds = SponsorNeedsEmail
	}
	if c.SignerKeyFile == "" {
		c.SignerKeyFile = c.DataDir + "/signer.key"
	}
}

// Site returns the address under which browsers reach the site, without a slash at its end: PUBLIC_URL, or what follows from
// LISTEN_ADDR. Where the portal listens on all addresses, localhost is one of them.
func (c *Config) Site() string {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/")
	}
	host, port, err := net.SplitHostPort(c.ListenAddr)
	if ip, _ := netip.ParseAddr(host); err == nil && (host == "" || ip.IsUnspecified()) {
		return "http://" + net.JoinHostPort("localhost", port)
	}
	return "http://" + c.ListenAddr
}

// SiteOf returns the address of the site for a browser that reaches it as host (RFC 9110, section 7.2): PUBLIC_URL. In development,
// where both are localhost or an IP address, it is the host itself, so that 127.0.0.1 and a phone in the same network work too. Other
// names could be a foreign page's that resolves to this machine.
func (c *Config) SiteOf(host string) string {
	site, err := url.Parse(c.PublicURL)
	if err != nil || c.Environment != "dev" || !isMachine(site.Hostname()) {
		return c.PublicURL
	}
	seen, err := url.Parse(site.Scheme + "://" + host)
	if err != nil || seen.Host != host || !isMachine(seen.Hostname()) {
		return c.PublicURL
	}
	return seen.String()
}

// isMachine reports whether a host is localhost or an IP address.
func isMachine(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost"
}

// Validate returns an *Error that lists every fault, or nil.
func (c *Config) Validate() error {
	var faults []string
	fault := func(name, format string, args ...any) {
		faults = append(faults, name+": "+fmt.Sprintf(format, args...))
	}
	switch c.Environment {
	case "dev", "stage", "test", prod:
	default:
		fault("ENVIRONMENT", "must be dev, stage, test or prod")
	}
	for _, name := range c.AcceptRisks {
		if known := RiskNames(); !slices.Contains(known, name) {
			fault("ACCEPT_RISKS", "must be names of risks, which are %s", strings.Join(known, ", "))
			break
		}
	}
	switch c.LogLevel {
	case "debug", "info", "warn", "error":
	default:
		fault("LOG_LEVEL", "must be debug, info, warn or error")
	}
	for name, addr := range map[string]string{"LISTEN_ADDR": c.ListenAddr, "METRICS_ADDR": c.MetricsAddr} {
		if _, _, err := net.SplitHostPort(addr); err != nil && (addr != "" || name == "LISTEN_ADDR") {
			fault(name, "must be host:port")
		}
	}
	if !isURL(c.PublicURL, "http", "https") {
		fault("PUBLIC_URL", "must be an http:// or https:// address")
	}
	if c.DataDir == "" {
		fault("DATA_DIR", "must name a folder")
	}
	for _, p := range c.TrustProxy {
		if _, err := netip.ParsePrefix(strings.TrimSpace(p)); err != nil {
			fault("TRUSTED_PROXIES", "must be address ranges such as 10.0.0.0/8")
			break
		}
	}
	if !slices.Contains([]string{"", "x-forwarded-for", "forwarded"}, strings.ToLower(c.ForwardedIn)) {
		fault("FORWARDED_HEADER", "must be X-Forwarded-For, Forwarded or empty")
	}
	if c.CountryHeader != "" {
		if !headerName.MatchString(c.CountryHeader) {
			fault("COUNTRY_HEADER", "must be the name of a header")
		} else if len(c.TrustProxy) == 0 {
			fault("COUNTRY_HEADER", "must come from proxies that TRUSTED_PROXIES names")
		}
	}
	for name, codes := range map[string][]string{"FORBIDDEN_COUNTRIES": c.Forbidden, "PACK_COUNTRIES_FORBIDDEN": c.PacksForbidden} {
		if slices.ContainsFunc(codes, func(code string) bool { return !iso3166.Country(code) }) {
			fault(name, "must be codes of countries (ISO 3166-1 alpha-2) such as CU,IR, or none")
		}
	}
	if c.DatabaseURL != "" && !isURL(c.DatabaseURL.Reveal(), "postgres", "postgresql") {
		fault("DATABASE_URL", "must be a postgres:// URL")
	}
	if c.NATSURL != "" && !isURL(c.NATSURL.Reveal(), "nats", "tls", "ws", "wss") {
		fault("NATS_URL", "must be a nats:// URL")
	}
	if key, err := base64.StdEncoding.DecodeString(c.TokenSecret.Reveal()); err != nil || len(key) < 32 {
		fault("TOKEN_SECRET", "must be base64 of at least 32 bytes (openssl rand -base64 32)")
	}
	if c.ContextSecret != "" {
		if key, err := base64.StdEncoding.DecodeString(c.ContextSecret.Reveal()); err != nil || len(key) < 32 {
			fault("GAME_CONTEXT_SECRET", "must be base64 of at least 32 bytes (openssl rand -base64 32)")
		}
	}
	for name, wrong := range c.X.faults() {
		fault(name, "%s", wrong)
	}
	for name, wrong := range c.Beacon.faults() {
		fault(name, "%s", wrong)
	}
	for name, chain := range map[string]Chain{"GAME_CHAIN_FINALITY": c.GameChain, "MAIN_CHAIN_FINALITY": c.MainChain} {
		if !finality.MatchString(chain.Finality) {
			fault(name, "must be finalized or a number of blocks")
		}
	}
	for name, chain := range map[string]Chain{"GAME_CHAIN_TIME_MARGIN": c.GameChain, "MAIN_CHAIN_TIME_MARGIN": c.MainChain} {
		if chain.TimeMargin < 0 || chain.TimeMargin > 7*24*time.Hour || chain.TimeMargin%time.Second != 0 {
			fault(name, "must be whole seconds, from 0s to 168h")
		}
	}
	switch c.GamePlatform {
	case PlatformLocal:
	case PlatformPlayFab:
		for name, wrong := range c.PlayFab.faults() {
			fault(name, "%s", wrong)
		}
	default:
		fault("GAME_PLATFORM", "must be local or playfab")
	}
	for prefix, ch := range map[string]Chain{"GAME_CHAIN_": c.GameChain, "MAIN_CHAIN_": c.MainChain} {
		if ch.RPCURL != "" && !isURL(ch.RPCURL.Reveal(), "http", "https", "ws", "wss", "inproc") || ch.RPCURL == "" {
			fault(prefix+"RPC_URL", "must be an http(s):// or ws(s):// endpoint")
		}
		if ch.ReadRPCURL != "" && !isURL(ch.ReadRPCURL.Reveal(), "http", "https", "ws", "wss") {
			fault(prefix+"READ_RPC_URL", "must be an http(s):// or ws(s):// endpoint")
		}
		if ch.ExplorerURL != "" && !isURL(ch.ExplorerURL, "http", "https") {
			fault(prefix+"EXPLORER_URL", "must be an http:// or https:// address")
		}
		for name, amount := range map[string]string{"GAS_BUDGET": ch.GasBudget, "GAS_PER_NETWORK": ch.GasPerNetwork, "GAS_PER_PLAYER": ch.GasPerPlayer} {
			if _, err := money.ParseDecimal(amount, 18); err != nil && (amount != "" || name == "GAS_BUDGET") {
				fault(prefix+name, "must be an amount such as 0.1")
			}
		}
		if _, err := ch.Tip(); err != nil {
			fault(prefix+"LEAST_TIP", "must be an amount of gwei such as 30")
		}
		if _, err := strconv.ParseUint(ch.Confirmations, 10, 32); err != nil {
			fault(prefix+"CONFIRMATIONS", "must be a number of blocks")
		}
		if ch.RewardsFrom != 0 && ch.RewardsFrom < ch.StartBlock || ch.RewardsFrom > math.MaxInt64 {
			fault(prefix+"REWARDS_FROM", "must be the number of a block, not before START_BLOCK")
		}
		if ch.PollInterval < time.Millisecond {
			fault(prefix+"POLL_INTERVAL", "must be at least 1ms")
		}
	}
	if !slices.Contains([]string{"funds", "email", "none"}, c.HoldsNeed) {
		fault("HOLDS_NEED", "must be funds, email or none")
	}
	noMail := c.GamePlatform == PlatformLocal && c.Mail.Host == "" && !c.mailKept
	if noMail && c.HoldsNeed == "email" {
		fault("HOLDS_NEED", "must be funds or none where SMTP_HOST is not set: without mail no player can confirm an address")
	}
	if c.GameChain.ID == c.MainChain.ID {
		fault("MAIN_CHAIN_ID", "must differ from GAME_CHAIN_ID")
	}
	switch needs := c.Relay.SponsorNeeds; {
	case needs != SponsorNeedsEmail && needs != SponsorNeedsNone:
		fault("SPONSOR_NEEDS", "must be email or none")
	case needs == SponsorNeedsEmail && noMail:
		fault("SPONSOR_NEEDS", "must be none where SMTP_HOST is not set: without mail no player can confirm an address")
	}
	for name, n := range map[string]int{"RELAY_OPERATIONS_PER_MINUTE": c.Relay.OpsPerMinute, "RELAY_OPERATIONS_PER_DAY": c.Relay.OpsPerDay} {
		if n < 1 {
			fault(name, "must be at least 1")
		}
	}
	for name, n := range map[string]int{
		"RELAY_OPERATIONS_PER_NETWORK": c.Relay.OpsNetwork, "RELAY_OPERATIONS_TOTAL": c.Relay.OpsTotal,
		"LIMIT_LOGINS": c.Limits.Logins, "LIMIT_WRONG_PASSWORDS": c.Limits.Attempts, "LIMIT_MAILS": c.Limits.Emails, "LIMIT_CONTACTS": c.Limits.Contacts, "LIMIT_CART_CHANGES": c.Limits.Cart, "LIMIT_SIGNATURES": c.Limits.Signatures, "LIMIT_CHAIN_READS": c.Limits.ChainReads, "LIMIT_READS": c.Limits.Reads, "LIMIT_SEARCHES": c.Limits.Searches, "LIMIT_ART": c.Limits.Art,
		"LIMIT_MONITORING":     c.Limits.Reports,
		"LIMIT_MONITORING_MIB": c.Limits.ReportMiB, "LIMIT_MONITORING_TOTAL_MIB": c.Limits.ReportsMiB,
	} {
		if n < 0 {
			fault(name, "must not be negative")
		}
	}
	for name, text := range c.Monitoring.faults() {
		fault(name, "%s", text)
	}
	if c.DevBlockLead < 500*time.Millisecond {
		fault("DEV_BLOCK_LEAD", "must be at least 500ms")
	}
	if c.DevBeaconPort < 0 || c.DevBeaconPort > 65535 {
		fault("DEV_BEACON_PORT", "must be a port, or 0 for any free one")
	}
	for name, text := range c.Withdrawals.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Trades.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Listings.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Shop.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Card.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Treasury.faults(c.Wallets) {
		fault(name, "%s", text)
	}
	for name, text := range c.Mail.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.Reads.faults() {
		fault(name, "%s", text)
	}
	for name, text := range c.HTTP.faults() {
		fault(name, "%s", text)
	}
	faults = append(faults, c.kindFaults()...)
	if c.Environment == prod {
		faults = append(faults, c.productionFaults()...)
	}
	for name, wrong := range c.unreadable {
		// Further faults of a value that could not be read would only confuse.
		setting := strings.TrimSuffix(name, fileSuffix)
		faults = slices.DeleteFunc(faults, func(f string) bool { return strings.HasPrefix(f, setting+": ") })
		fault(name, "%s", wrong)
	}
	if len(faults) == 0 {
		return nil
	}
	return &Error{Faults: sorted(faults)}
}

// kindFaults checks the variables whose tag gives their kind: addresses and keys.
func (c *Config) kindFaults() (faults []string) {
	for _, v := range variablesOf(reflect.ValueOf(*c), "") {
		switch v.kind {
		case "address":
			if _, err := eth.ParseAddress(v.value); err != nil {
				faults = append(faults, v.Name+": must be an address (0x and 40 hex digits, lower case or with a right checksum)")
			}
		case "key", "optional key":
			if !isKey(v.value) && (v.kind == "key" || v.value != "") {
				faults = append(faults, v.Name+": must be a private key (0x and 64 hex digits)")
			}
		}
	}
	return faults
}

// ChainID returns the chain's id.
func (c Chain) ChainID() onchain.ChainID { return onchain.ChainID(c.ID) }

func isKey(s string) bool {
	h, err := eth.ParseHash(s)
	return err == nil && !h.IsZero()
}

// isLocal reports whether a host is this machine, by name or loopback address.
func isLocal(host string) bool {
	ip, _ := netip.ParseAddr(host)
	return host == "localhost" || ip.IsLoopback()
}

func isURL(s string, schemes ...string) bool {
	u, err := url.Parse(s)
	if err != nil || (u.Host == "" && u.Scheme != "inproc") {
		return false
	}
	for _, scheme := range schemes {
		if u.Scheme == scheme {
			return true
		}
	}
	return false
}
