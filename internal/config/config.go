// Package config parses the environment into one validated value. No other package reads the environment. Each file has the
// settings of one subject: their variables, defaults and descriptions, and what is checked of them.
package config

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/caarlos0/env/v11"

	"pantheon/internal/brand"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/money"
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

// Keys returns the keys that a secret lists, separated by commas: the one in use and former ones; nil for none.
func (s Secret) Keys() (keys []string) {
	if s == "" {
		return nil
	}
	for key := range strings.SplitSeq(string(s), ",") {
		keys = append(keys, strings.TrimSpace(key))
	}
	return keys
}

// Config holds all settings of an operator. Tags hold a variable's name, its default and the least number or time; the comment
// describes it. docs/configuration.md is generated from them.
type Config struct {
	// The brand, which is no setting.
	Brand *brand.Brand `env:"-"`

	// Which environment this is: dev, stage, test or prod; pantheon dev needs none. prod plays on chain 42170, and refuses http://
	// addresses, private keys that are published and the risks of ACCEPT_RISKS.
	Environment string `env:"ENVIRONMENT"`
	// Comma-separated names of risks that prod takes all the same: empty-wallets, free-gas, free-holds, key-beside-database, no-mail,
	// no-trusted-proxies, no-wallet-copies, short-withdrawal-delay, unencrypted-database, unencrypted-mail, unencrypted-messages,
	// unknown-contracts, unknown-countries, unknown-pack-countries, unknown-variables. The refusal names the risk. empty-wallets and
	// unknown-contracts are found on the chains, and refused everywhere.
	AcceptRisks []string `env:"ACCEPT_RISKS"`
	// Address the site listens on.
	ListenAddr string `env:"LISTEN_ADDR" envDefault:"localhost:8080"`
	TLS        TLS
	// Address of the Prometheus metrics listener; empty for none.
	MetricsAddr string `env:"METRICS_ADDR"`
	// Address under which browsers reach the site. When empty, https:// and the first host of TLS_DOMAIN, or http:// and LISTEN_ADDR, with
	// localhost for a listener on all addresses.
	PublicURL string `env:"PUBLIC_URL"`
	// Domain of the players' passkeys: the host of PUBLIC_URL, which is the default, or a domain above it. With another one, passkeys that
	// players have are lost. Where the host is no domain but an IP address or a single word, there are no passkeys.
	PasskeyDomain string `env:"PASSKEY_DOMAIN"`
	// Address of a listener of its own for the operators' console, such as one in a private network: the site's then has nothing of it.
	// Empty for /operate on the site.
	OperateAddr string `env:"OPERATE_ADDR"`
	// Address under which operators' browsers reach that listener; its host is the domain of their passkeys. When empty, http:// and
	// OPERATE_ADDR, with localhost for a listener on all addresses.
	OperateURL string `env:"OPERATE_URL"`
	// Folder for everything that is kept on disk: database, chains, message streams, keys.
	DataDir string `env:"DATA_DIR" envDefault:"data"`
	// Least severe level that is logged: debug, info, warn or error.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// Form of the log, on standard error: text, or json for one JSON object a line.
	LogFormat string `env:"LOG_FORMAT" envDefault:"text"`
	Telemetry Telemetry
	// Comma-separated address ranges (CIDR) of reverse proxies whose report of the browser's address is believed.
	TrustProxy []string `env:"TRUSTED_PROXIES"`
	// Header in which they report it: X-Forwarded-For or Forwarded (RFC 7239). When empty X-Forwarded-For, or Forwarded in requests
	// without. Set it where they write Forwarded alone: browsers can send the other.
	ForwardedIn string `env:"FORWARDED_HEADER"`
	// How long a stopping server still accepts requests while /readyz says 503, so that proxies notice: longer than they take for it. Then
	// it moves players' connections and finishes requests, for 10s at most. pantheon dev waits only with TRUSTED_PROXIES.
	DrainTime time.Duration `env:"DRAIN_TIME" envDefault:"10s"`

	// Folder of a brand that replaces the built-in one: collections, catalogue, games, rules, products, flags and news, but not pages and
	// texts. Rules, products, flags and news are reloaded when they change, the rest at the next start.
	BrandDir string `env:"BRAND_DIR"`
	// Folder of a web build that replaces the built-in one; scripts/build-web writes internal/site/dist.
	SiteDir string `env:"SITE_DIR"`
	// Comma-separated names of the brand, which no player's name may contain. The names of games and collections are reserved in any
	// case.
	ReservedNames []string `env:"RESERVED_NAMES" envDefault:"Pantheon"`
	// YAML file of the feature flags; the brand's when empty. It is read again when it changes.
	FlagsFile string `env:"FLAGS_FILE"`
	// YAML file of the game's rules: seasons of vaults and avatars, drop tables of packs, tariffs of arks, piggy banks and power packs;
	// the brand's for sections that it lacks. It is read again when it changes. Drop tables and tariffs that are in force can
	// never change: add editions and versions.
	GameRules string `env:"GAME_RULES_FILE"`

	// postgres:// URL; empty for SQLite in the data folder.
	DatabaseURL Secret `env:"DATABASE_URL"`
	// Whether a start brings the database's schema up to date: auto, or off where pantheon migrate does it. Replicas of the release before
	// go on meanwhile.
	Migrate string `env:"MIGRATE" envDefault:"auto"`
	// nats:// URL of a server with JetStream, or those of a cluster, separated by commas; empty for the built-in server.
	NATSURL Secret `env:"NATS_URL"`
	// How many servers of the cluster keep each message, 1, 3 or 5; with 0 it is three where NATS_URL has three servers or more, else one.
	// Streams that exist with more are left so.
	NATSReplicas int `env:"NATS_REPLICAS" envDefault:"0" min:"0"`
	// Sends realtime messages through Azure Web PubSub instead of the built-in hub.
	AzureURL Secret `env:"AZURE_WEBPUBSUB_CONNECTION_STRING"`

	// Base64 of at least 32 random bytes; signs the players' tokens. Made in the data folder when empty (dev only). While it is replaced,
	// both, separated by a comma: the first signs, both are accepted.
	TokenSecret Secret `env:"TOKEN_SECRET"`
	// File of the key that seals the players' wallet keys, made by pantheon key init; DATA_DIR/signer.key when empty. While wallets are
	// sealed with another key (pantheon key rotate) both files, separated by a colon.
	SignerKeyFile string `env:"SIGNER_KEY_FILE"`
	// Address of Google Cloud KMS, where it is reached at a private endpoint; the public one when empty.
	GCPEndpoint string `env:"KMS_GCP_ENDPOINT"`
	// Base64 of at least 32 random bytes, with which the game's server signs the links that sign players in (see /api-doc, tokenLogin);
	// none such when empty. Made in the data folder when empty (dev only). While it is replaced, both, separated by a comma.
	ContextSecret Secret `env:"GAME_CONTEXT_SECRET"`

	Country
	// What keeps accounts, currencies and statistics: local for the portal's own database, or playfab.
	GamePlatform string `env:"GAME_PLATFORM" envDefault:"local"`
	PlayFab      PlayFab
	X            X

	// The chain of marketplace, packs and currencies.
	GameChain Chain `envPrefix:"GAME_CHAIN_"`
	// The chain of immortals, passes, arks and power packs.
	MainChain Chain `envPrefix:"MAIN_CHAIN_"`
	Reads     Reads
	Beacon    Beacon
	Metadata  Metadata
	S3        S3

	WalletCopies WalletCopies
	SecurityLog  SecurityLog
	Backup       Backup
	Contracts    Contracts
	Wallets      Wallets
	Relay        Relay

	Holds
	Trades      Trades
	Listings    Listings
	Withdrawals Withdrawals
	Shop        Shop
	Card        Card
	Treasury    Treasury

	Limits     Limits
	Monitoring Monitoring
	Mail       Mail
	HTTP       HTTP
	Dev

	unreadable map[string]string // what is wrong with variables that Load could not read, by name
	lookalikes []lookalike       // variables that are no settings but look like them
	mailKept   bool              // see KeepMail
}

// Load reads the environment ("NAME=value" lines), and the file that X_FILE names for a setting X, and applies the defaults. The brand
// says which collections have addresses.
// Validate reports files that cannot be read and values that cannot be parsed, such as "x" for a number, together with all other faults.
func Load(environ []string, brand *brand.Brand) (Config, error) {
	c := Config{Brand: brand}
	known := c.variables()
	values := env.ToMap(environ)
	maps.DeleteFunc(values, isInjected)
	c.unreadable, c.lookalikes = readFiles(known, values), lookalikes(known, values)
	c.Brand = nil // the library would descend into it, and write to what configurations share
	err := env.ParseWithOptions(&c, env.Options{Environment: values})
	c.Brand = brand
	if c.TLS.Enabled() && values["LISTEN_ADDR"] == "" {
		c.ListenAddr = ":443"
	}
	c.Contracts.Collections = CollectionAddresses{}
	for _, collection := range brand.Collections.All() {
		c.Contracts.Collections[collection.Slug] = values[collection.Setting]
	}
	if _, ok := errors.AsType[env.AggregateError](err); !ok {
		return c, err
	}
	// The library's messages quote values and name fields; report the variables and the expected form instead.
	for _, v := range known {
		if text, set := values[v.Name]; set && !readable(v.typ, text) {
			c.unreadable[v.Name] = "must be " + v.form()
		}
	}
	if len(c.unreadable) == 0 {
		return c, &Error{Faults: []string{"a variable could not be read"}}
	}
	return c, nil
}

// OpenSecrets replaces secrets that are sealed by what open returns for them. Validate reports those that could not be opened. All are
// opened at once, as a key management service may be slow.
func (c *Config) OpenSecrets(isSealed func(text string) bool, open func(text string) (secret string, err error)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for name, secret := range secretsOf(reflect.ValueOf(c).Elem(), "") {
		if !isSealed(secret.Reveal()) {
			continue
		}
		wg.Go(func() {
			text, err := open(secret.Reveal())
			*secret = Secret(strings.TrimSpace(text))
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				c.unreadable[name] = "cannot be opened: " + err.Error()
			}
		})
	}
	wg.Wait()
}

// secretsOf returns the secrets of a struct by their variables.
func secretsOf(v reflect.Value, prefix string) iter.Seq2[string, *Secret] {
	return func(yield func(string, *Secret) bool) {
		for i := range v.NumField() {
			field, t := v.Field(i), v.Type().Field(i)
			switch {
			case !t.IsExported() || t.Tag.Get("env") == "-":
			case field.Kind() == reflect.Struct:
				for name, secret := range secretsOf(field, prefix+t.Tag.Get("envPrefix")) {
					if !yield(name, secret) {
						return
					}
				}
			default:
				if secret, ok := field.Addr().Interface().(*Secret); ok && !yield(prefix+t.Tag.Get("env"), secret) {
					return
				}
			}
		}
	}
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

// completeBrand defaults the file settings to the files in BRAND_DIR, so that these are reloaded when they change.
func (c *Config) completeBrand() {
	if c.BrandDir == "" {
		return
	}
	for name, setting := range map[string]*string{"rules.yaml": &c.GameRules, "products.yaml": &c.Shop.Products, "flags.yaml": &c.FlagsFile} {
		path := filepath.Join(c.BrandDir, name)
		if _, err := os.Stat(path); err == nil && *setting == "" {
			*setting = path
		}
	}
}

// Complete fills in settings derived from others: chain ids, names and the public address.
func (c *Config) Complete() {
	c.completeBrand()
	c.completeChains()
	c.TLS.complete()
	c.Country.complete()
	c.Beacon.complete()
	c.Metadata.complete()
	c.Metadata.Pictures = cmp.Or(c.Metadata.Pictures, c.DataDir+"/pictures")
	c.Holds.complete(c.Environment)
	c.Trades.complete()
	c.Shop.complete()
	c.Card.complete()
	for i, name := range c.AcceptRisks {
		c.AcceptRisks[i] = strings.TrimSpace(name)
	}
	c.PublicURL = c.Site()
	c.PasskeyDomain = strings.ToLower(c.PasskeyDomain)
	if host := hostOf(c.PublicURL); domainPattern.MatchString(host) {
		c.PasskeyDomain = cmp.Or(c.PasskeyDomain, host)
	}
	c.OperateURL = c.Console()
	c.Relay.SponsorNeeds = cmp.Or(c.Relay.SponsorNeeds, SponsorNeedsEmail)
	c.SignerKeyFile = cmp.Or(c.SignerKeyFile, c.DataDir+"/signer.key")
}

// SignerKeyFiles returns the files of the keys that seal the players' wallet keys, or did; one or more.
func (c *Config) SignerKeyFiles() []string {
	if files := filepath.SplitList(c.SignerKeyFile); len(files) > 0 {
		return files
	}
	return []string{""}
}

// Site returns the address under which browsers reach the site, without a slash at its end: PUBLIC_URL, or what follows from
// TLS_DOMAIN or LISTEN_ADDR. Where the portal listens on all addresses, localhost is one of them.
func (c *Config) Site() string {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/")
	}
	if c.TLS.Enabled() {
		return "https://" + c.TLS.Domains[0]
	}
	return listener(c.ListenAddr, "localhost")
}

// Console returns the address of the origin of the operators' console, without a slash at its end: OPERATE_URL, or what follows from
// OPERATE_ADDR; the site's without these.
func (c *Config) Console() string {
	switch {
	case c.OperateURL != "":
		return strings.TrimRight(c.OperateURL, "/")
	case c.OperateAddr != "":
		return listener(c.OperateAddr, "localhost")
	}
	return c.Site()
}

// OperatorDomain returns the domain of operators' passkeys; "" where the console's host is none, which has no passkeys. On the site it is
// that of players' passkeys.
func (c *Config) OperatorDomain() string {
	if c.OperateAddr == "" {
		return c.PasskeyDomain
	}
	if host := hostOf(c.OperateURL); domainPattern.MatchString(host) {
		return host
	}
	return ""
}

// Local returns the address of the site for a program on the same machine, which may know no names and trust no certificate.
func (c *Config) Local() string {
	if c.TLS.Enabled() {
		return listener(c.TLS.PlainAddr, "127.0.0.1")
	}
	return listener(c.ListenAddr, "127.0.0.1")
}

// listener returns the URL of an address that is listened on, with a host in place of all addresses.
func listener(listen, host string) string {
	address, port, err := net.SplitHostPort(listen)
	if ip, _ := netip.ParseAddr(address); err == nil && (address == "" || address == "localhost" || ip.IsUnspecified()) {
		return "http://" + net.JoinHostPort(host, port)
	}
	return "http://" + listen
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

// faults are what is wrong, as "NAME: must …".
type faults []string

// add adds a fault of a variable.
func (f *faults) add(name, must string) { *f = append(*f, name+": "+must) }

// check adds a fault of a variable that is not right.
func (f *faults) check(right bool, name, must string) {
	if !right {
		f.add(name, must)
	}
}

// amount adds a fault of a variable that is not an amount with so many decimals.
func (f *faults) amount(decimals int, name, value string) {
	_, err := money.ParseDecimal(value, decimals)
	f.check(err == nil, name, "must be an amount with at most "+strconv.Itoa(decimals)+" decimals")
}

// ownConsole returns the address of the console if it is not on the site.
func (c *Config) ownConsole() string {
	if c.OperateAddr == "" {
		return ""
	}
	return c.OperateURL
}

// checkConsole checks the settings of the operators' console. Complete has set OperateURL.
func (c *Config) checkConsole(f *faults) {
	if c.OperateAddr == "" {
		f.check(c.OperateURL == c.PublicURL, "OPERATE_URL", "must be empty without OPERATE_ADDR: the console is on the site, at PUBLIC_URL")
		return
	}
	f.check(isURL(c.OperateURL, "http", "https"), "OPERATE_URL", "must be an http:// or https:// address")
	f.check(c.OperateAddr != c.ListenAddr, "OPERATE_ADDR", "must be another address than LISTEN_ADDR")
	f.check(c.OperateURL != c.PublicURL, "OPERATE_URL", "must be another address than PUBLIC_URL")
	f.check(c.OperatorDomain() != "", "OPERATE_URL", "must have a domain, or localhost: passkeys do not work at IP addresses")
}

// Validate returns an *Error that lists every fault, or nil.
func (c *Config) Validate() error {
	var f faults
	f.check(slices.Contains([]string{"dev", "stage", "test", prod}, c.Environment), "ENVIRONMENT", "must be dev, stage, test or prod")
	known := RiskNames()
	unknown := slices.ContainsFunc(c.AcceptRisks, func(name string) bool { return !slices.Contains(known, name) })
	f.check(!unknown, "ACCEPT_RISKS", "must be names of risks, which are "+strings.Join(known, ", "))
	f.check(slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel), "LOG_LEVEL", "must be debug, info, warn or error")
	f.check(c.LogFormat == "text" || c.LogFormat == "json", "LOG_FORMAT", "must be text or json")
	for name, addr := range map[string]string{
		"LISTEN_ADDR": c.ListenAddr, "METRICS_ADDR": c.MetricsAddr, "OPERATE_ADDR": c.OperateAddr,
	} {
		f.check(isAddress(addr) || addr == "" && name != "LISTEN_ADDR", name, "must be host:port")
	}
	f.check(c.Telemetry.Endpoint == "" || isURL(c.Telemetry.Endpoint, "http", "https"), "OTEL_EXPORTER_OTLP_ENDPOINT",
		"must be an http:// or https:// address")
	f.check(c.Telemetry.Reads >= 0 && c.Telemetry.Reads <= 1, "TRACE_READS", "must be from 0 to 1")
	f.check(isURL(c.PublicURL, "http", "https"), "PUBLIC_URL", "must be an http:// or https:// address")
	f.check(c.PasskeyDomain == "" || domainPattern.MatchString(c.PasskeyDomain) &&
		strings.HasSuffix("."+hostOf(c.PublicURL), "."+c.PasskeyDomain), "PASSKEY_DOMAIN", "must be the host of PUBLIC_URL or a domain above it")
	c.checkConsole(&f)
	c.TLS.check(&f, c.PublicURL, c.ListenAddr)
	f.check(c.DataDir != "", "DATA_DIR", "must name a folder")
	f.check(c.GCPEndpoint == "" || isURL(c.GCPEndpoint, "http", "https"), "KMS_GCP_ENDPOINT", "must be an http:// or https:// address")
	noRange := slices.ContainsFunc(c.TrustProxy, func(p string) bool {
		_, err := netip.ParsePrefix(strings.TrimSpace(p))
		return err != nil
	})
	f.check(!noRange, "TRUSTED_PROXIES", "must be address ranges such as 10.0.0.0/8")
	f.check(slices.Contains([]string{"", "x-forwarded-for", "forwarded"}, strings.ToLower(c.ForwardedIn)),
		"FORWARDED_HEADER", "must be X-Forwarded-For, Forwarded or empty")
	f.check(c.DatabaseURL == "" || isURL(c.DatabaseURL.Reveal(), "postgres", "postgresql"), "DATABASE_URL", "must be a postgres:// URL")
	f.check(c.Migrate == "auto" || c.Migrate == "off", "MIGRATE", "must be auto or off")
	f.check(c.DrainTime >= 0 && c.DrainTime <= 10*time.Minute, "DRAIN_TIME", "must be from 0s to 10m")
	f.check(c.NATSURL == "" || !slices.ContainsFunc(strings.Split(c.NATSURL.Reveal(), ","), func(server string) bool {
		server = strings.TrimSpace(server)
		return !isURL(server, "nats", "tls", "ws", "wss") && (strings.Contains(server, "://") || !isURL("nats://"+server, "nats"))
	}), "NATS_URL", "must be a nats:// URL, or several, separated by commas")
	f.check(slices.Contains([]int{0, 1, 3, 5}, c.NATSReplicas), "NATS_REPLICAS", "must be 0, 1, 3 or 5")
	f.check(c.NATSURL != "" || !slices.Contains([]int{3, 5}, c.NATSReplicas), "NATS_REPLICAS", "needs the servers of a cluster in NATS_URL")
	for name, secret := range map[string]Secret{"TOKEN_SECRET": c.TokenSecret, "GAME_CONTEXT_SECRET": c.ContextSecret} {
		_, err := keyset.Parse(secret.Reveal())
		f.check(err == nil || secret == "" && name != "TOKEN_SECRET",
			name, "must be base64 of at least 32 bytes (openssl rand -base64 32), or several such secrets, separated by commas")
	}
	c.Country.check(&f, len(c.TrustProxy) > 0)
	f.check(c.GamePlatform == PlatformLocal || c.GamePlatform == PlatformPlayFab, "GAME_PLATFORM", "must be local or playfab")
	if c.GamePlatform == PlatformPlayFab {
		c.PlayFab.check(&f)
	}
	c.X.check(&f)
	c.GameChain.check(&f, "GAME_CHAIN_")
	c.MainChain.check(&f, "MAIN_CHAIN_")
	f.check(c.GameChain.ID != c.MainChain.ID, "MAIN_CHAIN_ID", "must differ from GAME_CHAIN_ID")
	c.Relay.check(&f, c.noMail())
	c.Holds.check(&f, c.noMail())
	currency := c.Brand.Collections.Currency()
	c.Treasury.check(&f, c.Wallets)
	c.Wallets.check(&f)
	c.Listings.check(&f, currency.Decimals)
	c.Trades.check(&f, currency.Decimals)
	c.Withdrawals.check(&f, currency.Decimals)
	c.Metadata.check(&f, c.Brand.Collections)
	c.S3.check(&f, c.Metadata.Bucket, c.WalletCopies.Bucket, c.Backup.Bucket, c.SecurityLog.Bucket)
	c.WalletCopies.check(&f)
	c.SecurityLog.check(&f)
	c.Backup.check(&f, c.DatabaseURL)
	if _, ok := c.Brand.Collections.Of("elder-gods"); ok && c.Contracts.GOD == "" {
		f.add("GOD_CURRENCY_CONTRACT_ADDRESS", "must be set: the vaults of the brand's gods pay in it")
	}
	for _, part := range []interface{ check(f *faults) }{
		&c.Reads, &c.Beacon, &c.Shop, &c.Card, &c.Monitoring, &c.Mail, &c.Dev,
	} {
		part.check(&f)
	}
	c.checkTags(&f)
	c.checkGasParts(&f)
	if c.Environment == prod {
		f = append(f, c.productionFaults()...)
	}
	for name, wrong := range c.unreadable {
		// Further faults of a value that could not be read would only confuse.
		setting := strings.TrimSuffix(name, fileSuffix)
		f = slices.DeleteFunc(f, func(f string) bool { return strings.HasPrefix(f, setting+": ") })
		f.add(name, wrong)
	}
	if len(f) == 0 {
		return nil
	}
	slices.Sort(f)
	return &Error{Faults: f}
}

// What addresses and keys are.
const (
	addressForm = "an address (0x and 40 hex digits, lower case or with a right checksum)"
	keyForm     = "a private key (0x and 64 hex digits) or a key that signs at a key management service (aws-kms://…, gcp-kms://…)"
)

// checkTags checks the variables by their tags: addresses, keys, and numbers and lengths of time that must not be less than one.
func (c *Config) checkTags(f *faults) {
	for _, v := range c.variables() {
		switch v.kind {
		case "address", "optional address":
			_, err := eth.ParseAddress(v.value)
			f.check(err == nil || v.kind == "optional address" && v.value == "", v.Name, "must be "+addressForm)
		case "key", "optional key":
			f.check(areKeys(Secret(v.value).Keys()) || v.kind == "optional key" && v.value == "", v.Name, "must be "+keyForm)
		}
		switch {
		case v.least == "" || !less(v.value, v.least):
		case v.least == "0":
			f.add(v.Name, "must not be negative")
		default:
			f.add(v.Name, "must be at least "+v.least)
		}
	}
}

// less compares two numbers, or two lengths of time.
func less(a, b string) bool {
	if n, err := strconv.ParseFloat(a, 64); err == nil {
		m, err := strconv.ParseFloat(b, 64)
		return err == nil && n < m
	}
	t, _ := time.ParseDuration(a)
	u, _ := time.ParseDuration(b)
	return t < u
}

// areKeys reports whether texts are keys that can sign, each another; what a key management service has is not asked.
func areKeys(texts []string) bool {
	for i, text := range texts {
		h, err := eth.ParseHash(text)
		isRemote := strings.HasPrefix(text, "aws-kms://") ||
			strings.HasPrefix(text, "gcp-kms://") && strings.Contains(text, "/cryptoKeyVersions/")
		if !isRemote && (err != nil || h.IsZero()) || slices.Contains(texts[:i], text) {
			return false
		}
	}
	return len(texts) > 0
}

// isLocal reports whether a host is this machine, by name or loopback address.
func isLocal(host string) bool {
	ip, _ := netip.ParseAddr(host)
	return host == "localhost" || ip.IsLoopback()
}

// MessageReplicas returns how many servers of the NATS cluster keep each message.
func (c *Config) MessageReplicas() int {
	switch {
	case c.NATSReplicas > 0:
		return c.NATSReplicas
	case strings.Count(c.NATSURL.Reveal(), ",") >= 2:
		return 3
	default:
		return 1
	}
}

// isAddress reports whether a text is what a listener listens on.
func isAddress(s string) bool {
	_, _, err := net.SplitHostPort(s)
	return err == nil
}

// hostOf returns the host of a URL in lower case, without its port.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// domainPattern matches localhost and domains of two labels and more, of which the last is not a number.
var domainPattern = regexp.MustCompile(`^(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?)$`)

// isURL reports whether a text is the URL of a host, with one of the schemes. inproc needs no host.
func isURL(s string, schemes ...string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Host != "" || u.Scheme == "inproc") && slices.Contains(schemes, u.Scheme)
}
