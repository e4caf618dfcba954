package config

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Risk is an unsafe setting. Production refuses it unless ACCEPT_RISKS has its name.
type Risk struct {
	Name    string // as in ACCEPT_RISKS
	Setting string // the variable that removes the risk
	Must    string // what that variable must be, and why
}

// The risks that are found on the chains.
const (
	RiskEmptyWallets     = "empty-wallets"     // no money for gas
	RiskUnknownContracts = "unknown-contracts" // contracts with other code than this version's
)

// sessionTTL is how long a session lasts; account.TokenTTL.
const sessionTTL = 24 * time.Hour

// possibleRisks lists all risks in alphabetical order, and which of them the configuration takes.
func (c *Config) possibleRisks() (all []Risk, taken []bool) {
	add := func(name, setting string, isTaken bool, must string) {
		all, taken = append(all, Risk{name, setting, must}), append(taken, isTaken)
	}
	scheme, _ := schemeOf(c.PublicURL)
	noSource := c.CountryHeader == "" && c.CountryRanges == ""
	add(RiskEmptyWallets, "", false, "") // taken by what is on the chains; see chain/preflight
	add("free-gas", "SPONSOR_NEEDS", c.Relay.SponsorNeeds == SponsorNeedsNone,
		"must be email: with none, made-up accounts use up the gas budget")
	add("free-holds", "HOLDS_NEED", c.HoldsNeed == "none",
		"must be funds or email: with none, accounts without money keep items from buyers")
	add("key-beside-database", "SIGNER_KEY_FILE", c.KeyBesideDatabase(),
		"must be outside of DATA_DIR, where the database is: one backup of both opens every wallet")
	add("no-mail", "SMTP_HOST", c.Mail.Host == "" && !c.mailKept,
		"must be set: without mail no password is reset, and no player learns of a theft in time")
	add("no-trusted-proxies", "TRUSTED_PROXIES", scheme == "https" && len(c.TrustProxy) == 0 && !c.TLS.Enabled(),
		"must name the proxies that serve the https:// of PUBLIC_URL: else all players have one address, and share its limits")
	add("no-wallet-copies", "WALLET_COPIES_DIR", !c.copiesApart(),
		"must be a folder outside of DATA_DIR, or WALLET_COPIES_BUCKET must be set: else a restored backup lacks the wallets that are newer")
	add("short-withdrawal-delay", "WITHDRAWAL_DELAY", c.Withdrawals.Delay < sessionTTL,
		"must be at least 24h, as long as a session lasts: within it a stolen session can take everything to a wallet of its own")
	add("unencrypted-database", "DATABASE_URL", sendsPlainSQL(c.DatabaseURL.Reveal()),
		"must have sslmode=require, verify-ca or verify-full for a database on another machine")
	add("unencrypted-mail", "SMTP_SECURITY", c.Mail.Host != "" && c.Mail.Security == "none" && !isLocal(c.Mail.Host),
		"must be starttls or tls for a server on another machine: the mails have codes and links that sign players in")
	add("unencrypted-messages", "NATS_URL", sendsPlainMessages(c.NATSURL.Reveal()),
		"must be a tls:// URL for a cluster on other machines")
	add(RiskUnknownContracts, "", false, "") // likewise
	add("unknown-countries", "COUNTRY_HEADER", noSource && len(c.Forbidden) > 0,
		"must be set, or COUNTRY_FILE, where FORBIDDEN_COUNTRIES has countries: browsers whose country is unknown are served")
	add("unknown-pack-countries", "COUNTRY_HEADER", noSource && len(c.PacksForbidden) > 0,
		"must be set, or COUNTRY_FILE, where PACK_COUNTRIES_FORBIDDEN has countries: browsers whose country is unknown can buy packs")
	add("unknown-variables", "", false, "")
	for _, l := range c.lookalikes {
		add("unknown-variables", l.name, l.meant != "", "must be removed, or renamed to "+l.meant+": it is not a setting and has no effect")
	}
	return all, taken
}

// Risks returns the risks that the configuration takes, those that ACCEPT_RISKS has and the others. The configuration must be complete.
func (c *Config) Risks() (accepted, refused []Risk) {
	all, taken := c.possibleRisks()
	for i, r := range all {
		switch {
		case !taken[i]:
		case slices.Contains(c.AcceptRisks, r.Name):
			accepted = append(accepted, r)
		default:
			refused = append(refused, r)
		}
	}
	return accepted, refused
}

// RiskNames returns the names that ACCEPT_RISKS may have, in alphabetical order.
func RiskNames() (names []string) {
	all, _ := new(Config).possibleRisks()
	for _, r := range all {
		names = append(names, r.Name)
	}
	return names
}

// copiesApart reports whether wallets are copied to another place than the database's folder.
func (c *Config) copiesApart() bool {
	w := c.WalletCopies
	return w.Bucket != "" || w.Folder != "" && (c.DatabaseURL != "" || !within(w.Folder+"/x", c.DataDir))
}

// KeyBesideDatabase reports whether the key that seals the players' wallets is kept in the folder of the database.
func (c *Config) KeyBesideDatabase() bool {
	return c.DatabaseURL == "" && slices.ContainsFunc(c.SignerKeyFiles(), func(file string) bool { return within(file, c.DataDir) })
}

// within reports whether a file is in a folder or below it, following links.
func within(file, folder string) bool {
	resolve := func(path string) string {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			path = resolved
		} else if parent, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(parent, filepath.Base(path)) // a file that does not exist yet
		}
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		return path
	}
	rel, err := filepath.Rel(resolve(folder), resolve(file))
	return err == nil && filepath.IsLocal(rel)
}

// sendsPlainSQL reports whether the PostgreSQL driver may connect to another machine without encryption. That includes sslmode=allow
// and prefer, the default, which whoever is between the machines can downgrade.
func sendsPlainSQL(address string) bool {
	if address == "" {
		return false
	}
	c, err := pgconn.ParseConfig(address)
	if err != nil {
		return false // reported when the database is opened
	}
	plain := c.TLSConfig == nil && !isLocalServer(c.Host)
	for _, f := range c.Fallbacks {
		plain = plain || f.TLSConfig == nil && !isLocalServer(f.Host)
	}
	return plain
}

// isLocalServer reports whether a PostgreSQL host is this machine, or the folder of its socket.
func isLocalServer(host string) bool {
	return isLocal(host) || filepath.IsAbs(host) || strings.HasPrefix(host, "@")
}

// sendsPlainMessages reports whether one of the comma-separated servers is another machine that is not reached by tls://.
func sendsPlainMessages(servers string) bool {
	for server := range strings.SplitSeq(servers, ",") {
		server = strings.TrimSpace(server)
		if scheme, host := schemeOf(server); server != "" && scheme != "tls" && scheme != "wss" && !isLocal(host) {
			return true
		}
	}
	return false
}
