package config

import (
	"net/url"
	"regexp"
	"strings"
)

// Game platforms.
const (
	PlatformLocal   = "local"
	PlatformPlayFab = "playfab"
)

// PlayFab identifies the title, with GAME_PLATFORM=playfab.
type PlayFab struct {
	// The title's id at PlayFab.
	TitleID string `env:"PLAYFAB_TITLE_ID"`
	// A secret key of that title.
	SecretKey Secret `env:"PLAYFAB_SECRET_KEY"`
	// Address of PlayFab's API; https://TITLE.playfabapi.com when empty.
	URL string `env:"PLAYFAB_URL"`
	// The title's e-mail template for forgotten passwords, whose link leads to PUBLIC_URL/new-password; PlayFab's own mail and page when
	// empty, which lift no freeze by the account's owner.
	RecoveryTemplate string `env:"PLAYFAB_RECOVERY_TEMPLATE_ID"`
	// Whether a session ticket of the game's client signs a player in, each ticket once (see /api-doc, tokenLogin).
	Tickets bool `env:"PLAYFAB_TICKETS" envDefault:"true"`
	// Logins and registrations this server sends to PlayFab in a minute, which counts them by the server's address; 0 for no limit.
	LoginsPerMinute int `env:"PLAYFAB_LOGINS_PER_MINUTE" envDefault:"300"`
}

func (p *PlayFab) check(f *faults) {
	f.check(titleID.MatchString(p.TitleID), "PLAYFAB_TITLE_ID", "must be the title's id (letters and digits) with GAME_PLATFORM=playfab")
	f.check(secretKey.MatchString(p.SecretKey.Reveal()), "PLAYFAB_SECRET_KEY", "must be a secret key of the title with GAME_PLATFORM=playfab")
	f.check(p.URL == "" || isSafeURL(p.URL), "PLAYFAB_URL", safeURL)
	f.check(p.RecoveryTemplate == "" || titleID.MatchString(p.RecoveryTemplate),
		"PLAYFAB_RECOVERY_TEMPLATE_ID", "must be a template's id (letters and digits)")
	f.check(p.LoginsPerMinute >= 0, "PLAYFAB_LOGINS_PER_MINUTE", "must not be negative")
}

// ThawBySupport reports whether only an operator lifts a freeze by an account's owner: PlayFab's own page for new passwords tells
// the portal nothing.
func (c *Config) ThawBySupport() bool {
	return c.GamePlatform == PlatformPlayFab && c.PlayFab.RecoveryTemplate == ""
}

// X identifies the portal's app at X (Twitter).
type X struct {
	// Client id of the portal's app at X, with PUBLIC_URL/auth/callback/twitter as its callback; players cannot sign in with X when
	// empty.
	ClientID string `env:"X_CLIENT_ID"`
	// Secret of that app, where it is a confidential client.
	ClientSecret Secret `env:"X_CLIENT_SECRET"`
	// Address of a stand-in for X, for tests; X's own when empty.
	URL string `env:"X_API_URL"`
}

func (x *X) check(f *faults) {
	f.check(x.ClientID == "" || secretKey.MatchString(x.ClientID), "X_CLIENT_ID", "must be the app's client id")
	if x.ClientID == "" && x.ClientSecret != "" {
		f.add("X_CLIENT_SECRET", "must come with X_CLIENT_ID")
	} else {
		f.check(x.ClientSecret == "" || secretKey.MatchString(x.ClientSecret.Reveal()), "X_CLIENT_SECRET", "must be the app's client secret")
	}
	f.check(x.URL == "" || isSafeURL(x.URL), "X_API_URL", safeURL)
}

var (
	titleID   = regexp.MustCompile(`^[0-9A-Za-z]{1,32}$`)
	secretKey = regexp.MustCompile(`^[!-~]{8,256}$`) // valid in an HTTP header
)

// safeURL describes what isSafeURL accepts.
const safeURL = "must be an https:// address, or an http:// one of this machine, without user and path"

// isSafeURL reports whether a key may be sent to a URL: encrypted, or on this machine.
func isSafeURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLocal(u.Hostname())
}
