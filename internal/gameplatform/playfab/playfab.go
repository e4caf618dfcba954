// Package playfab is the game platform on PlayFab: accounts, currencies, statistics and recovery emails of a title.
//
// Nothing is cached: every call asks PlayFab. Only the players and their names are stored, for when PlayFab is
// unavailable and for the check for look-alike names. Responses are validated before use. Errors are distinguished by
// their code, never by the HTTP status, and calls are retried only where PlayFab's documentation says that this is
// safe: a login never, a change of a balance only if it certainly did not take place.
//
// PlayFab counts logins by IP address, and all players sign in from the portal's: a budget stays below PlayFab's
// limit, and after a 429 sign-ins pause for as long as PlayFab says.
package playfab

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// Options configure the title and how it is reached.
type Options struct {
	TitleID   string
	SecretKey string // never logged, and sent only with the calls that need it
	// URL is the API's URL; "" means https://TITLE.playfabapi.com.
	URL string
	// RecoveryTemplate is the id of the title's email template for password resets, whose link must lead to
	// /new-password?token=. "" means the title's default, which leads to a page of PlayFab's.
	RecoveryTemplate string
	// LoginsPerMinute limits logins, registrations and recovery emails; 0 for no limit.
	LoginsPerMinute int
	// Timeout is the timeout of one request; 0 means 10 s.
	Timeout time.Duration
	// Pause is the delay before the first retry, doubled before each further one; 0 means 200 ms.
	Pause time.Duration
	// Known provides the stored players while PlayFab is unavailable, and the check for look-alike names, which
	// PlayFab lacks.
	Known Known
	Clock clock.Clock
	Log   *slog.Logger
}

// Known stores the players who have signed in before.
type Known interface {
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (account.Identity, error)
	// NameTaken reports whether a player other than the given one has a name with the same account.NameKey.
	NameTaken(ctx context.Context, nameKey, butPlayerID string) (bool, error)
}

// Platform implements the ports of account, profile, purse and leaderboard. It is safe for concurrent use.
type Platform struct {
	api      *client
	title    string
	template string
	known    Known
	log      *slog.Logger
}

// New returns the platform. It connects with the first call.
func New(o Options) *Platform {
	return &Platform{api: newClient(o), title: o.TitleID, template: o.RecoveryTemplate, known: o.Known, log: o.Log}
}

// Close closes idle connections.
func (p *Platform) Close() { p.api.http.CloseIdleConnections() }

// Check reports whether PlayFab answers and accepts the key.
func (p *Platform) Check(ctx context.Context) error {
	var out struct{ Time time.Time }
	err := p.api.call(ctx, getTime, struct{}{}, &out)
	if code(err) == notAuthenticated {
		return fault.New(fault.Unavailable, "PlayFab does not take the key: see PLAYFAB_TITLE_ID and PLAYFAB_SECRET_KEY").Because(err)
	}
	return explain(err)
}

// userInfo is the part of UserAccountInfo that is used.
type userInfo struct {
	PlayFabID string `json:"PlayFabId"`
	Username  string
	TitleInfo struct {
		DisplayName string
	}
	PrivateInfo struct {
		Email string
	}
}

// infoParameters is InfoRequestParameters.
type infoParameters struct {
	GetUserAccountInfo     bool `json:",omitempty"`
	GetUserVirtualCurrency bool `json:",omitempty"`
}

// Register creates an account; see account.Platform.
func (p *Platform) Register(ctx context.Context, r account.Registration) (account.Identity, error) {
	var out struct {
		PlayFabID string `json:"PlayFabId"`
	}
	if err := p.checkName(ctx, r.DisplayName, ""); err != nil {
		return account.Identity{}, err
	}
	err := p.api.call(ctx, registerPlayFabUser, struct {
		TitleID                     string `json:"TitleId"`
		Email, DisplayName          string
		Password                    string
		RequireBothUsernameAndEmail bool
	}{p.title, r.Email, r.DisplayName, r.Password, false}, &out)
	if err == nil && !isPlayerID(out.PlayFabID) {
		err = nonsense(registerPlayFabUser, "no player id")
	}
	if isLost(err) {
		// The account may have been created although the response was lost; then signing in works.
		return account.Identity{}, fault.New(fault.Unavailable,
			"We could not finish making your account. Please try to sign in; if that does not work, register again.").Because(err)
	}
	if err != nil {
		return account.Identity{}, explainRegistration(err)
	}
	return account.Identity{PlayerID: out.PlayFabID, DisplayName: r.DisplayName, Email: r.Email}, nil
}

// Login checks email and password; see account.Platform. PlayFab must ensure that unknown addresses take the same
// time.
func (p *Platform) Login(ctx context.Context, email, password string) (account.Identity, error) {
	var out struct {
		PlayFabID         string `json:"PlayFabId"`
		InfoResultPayload struct{ AccountInfo userInfo }
	}
	err := p.api.call(ctx, loginWithEmailAddress, struct {
		TitleID               string `json:"TitleId"`
		Email, Password       string
		InfoRequestParameters infoParameters
	}{p.title, email, password, infoParameters{GetUserAccountInfo: true}}, &out)
	switch code(err) {
	case accountNotFound, accountDeleted, invalidUsernameOrPassword, invalidEmailOrPassword, invalidEmailAddress, invalidParams:
		// InvalidParams: a password that breaks PlayFab's rules belongs to nobody.
		return account.Identity{}, account.ErrPassword
	}
	if err != nil {
		return account.Identity{}, explain(err)
	}
	return identity(loginWithEmailAddress, out.InfoResultPayload.AccountInfo, out.PlayFabID)
}

// PlayerByTicket returns the player who holds a session ticket; see account.Tickets.
func (p *Platform) PlayerByTicket(ctx context.Context, ticket string) (account.Identity, error) {
	var out struct {
		UserInfo               userInfo
		IsSessionTicketExpired bool
	}
	err := p.api.call(ctx, authenticateSessionTicket, struct{ SessionTicket string }{ticket}, &out)
	switch code(err) {
	case invalidSessionTicket, invalidParams, accountNotFound, accountDeleted, expiredAuthToken:
		return account.Identity{}, account.ErrSignedOut.Because(err)
	}
	if err != nil {
		return account.Identity{}, explain(err)
	}
	if out.IsSessionTicketExpired {
		return account.Identity{}, account.ErrSignedOut
	}
	return identity(authenticateSessionTicket, out.UserInfo, out.UserInfo.PlayFabID)
}

// Player returns the identity of a player; see account.Platform. While PlayFab is unavailable it is the one stored at
// the last sign-in.
func (p *Platform) Player(ctx context.Context, playerID string) (account.Identity, error) {
	var out struct{ UserInfo userInfo }
	err := explain(p.api.call(ctx, getUserAccountInfo, ofPlayer{playerID}, &out))
	if err == nil {
		var id account.Identity
		if id, err = identity(getUserAccountInfo, out.UserInfo, playerID); err == nil {
			return id, nil
		}
	}
	if fault.Is(err, fault.Unavailable) || fault.Is(err, fault.TooMany) {
		if id, knownErr := p.known.Player(ctx, playerID); knownErr == nil {
			return id, nil
		}
	}
	return account.Identity{}, err
}

// Rename changes the display name; see account.Renaming.
func (p *Platform) Rename(ctx context.Context, playerID, displayName string) error {
	if err := p.checkName(ctx, displayName, playerID); err != nil {
		return err
	}
	err := p.api.call(ctx, updateUserTitleDisplayName, struct {
		PlayFabID   string `json:"PlayFabId"`
		DisplayName string
	}{playerID, displayName}, &struct{}{})
	return explainRegistration(err)
}

// checkName checks whether another stored player's name looks the same. It is a best effort: two players who take
// such names concurrently, and those named by the game, keep them.
func (p *Platform) checkName(ctx context.Context, displayName, butPlayerID string) error {
	taken, err := p.known.NameTaken(ctx, account.NameKey(displayName), butPlayerID)
	if err == nil && taken {
		err = conflict(nameTaken, nil)
	}
	return err
}

// SendRecovery emails a password reset link; see account.Recovery.
func (p *Platform) SendRecovery(ctx context.Context, email string) error {
	var err error
	if p.template != "" {
		err = p.api.call(ctx, sendCustomRecoveryEmail, struct {
			Email           string
			EmailTemplateID string `json:"EmailTemplateId"`
		}{email, p.template}, &struct{}{})
	} else {
		err = p.api.call(ctx, sendRecoveryEmail, struct {
			TitleID string `json:"TitleId"`
			Email   string
		}{p.title, email}, &struct{}{})
	}
	switch code(err) {
	case accountNotFound, accountDeleted, accountBanned, invalidEmailAddress, invalidParams, noContactEmailAddressFound:
		return nil
	}
	return explain(err)
}

// ResetPassword sets a password using an emailed token; see account.Recovery.
func (p *Platform) ResetPassword(ctx context.Context, token, password string, check func(playerID string) error) (string, error) {
	var out struct {
		PlayFabID string `json:"PlayFabId"`
	}
	err := p.api.call(ctx, getPlayerIDFromAuthToken, struct{ Token, TokenType string }{token, "Email"}, &out)
	if err == nil && !isPlayerID(out.PlayFabID) {
		err = nonsense(getPlayerIDFromAuthToken, "no player id")
	}
	if err == nil {
		if err := check(out.PlayFabID); err != nil {
			return "", err
		}
		err = p.api.call(ctx, resetPassword, struct{ Token, Password string }{token, password}, &struct{}{})
	}
	if err == nil {
		return out.PlayFabID, nil
	}
	switch code(err) {
	case invalidAuthToken, authTokenDoesNotExist, authTokenExpired, authTokenUsed, expiredAuthToken, accountNotFound, accountDeleted:
		return "", account.ErrRecoveryLink.Because(err)
	case invalidParams:
		if !broken(err, "Password") { // a malformed token
			return "", account.ErrRecoveryLink.Because(err)
		}
	}
	// If the response was lost, the password may have changed: what the old one opened must end.
	return out.PlayFabID, explainRegistration(err)
}

// DeletePlayer deletes the account in all titles of the studio; see account.Deletion. PlayFab does so asynchronously.
func (p *Platform) DeletePlayer(ctx context.Context, playerID string) error {
	err := p.api.call(ctx, deleteMasterPlayerAccount, ofPlayer{playerID}, &struct{}{})
	if c := code(err); c == accountNotFound || c == accountDeleted {
		return nil
	}
	return explain(err)
}

// ofPlayer is the request of calls that concern a player.
type ofPlayer struct {
	PlayFabID string `json:"PlayFabId"`
}

// playerID is the form of PlayFab's ids.
var playerID = regexp.MustCompile(`^[0-9A-F]{1,20}$`)

func isPlayerID(s string) bool { return playerID.MatchString(s) }

// identity converts PlayFab's account info of the player with the id.
func identity(m method, u userInfo, id string) (account.Identity, error) {
	if !isPlayerID(id) || u.PlayFabID != id {
		return account.Identity{}, errAway.Because(nonsense(m, "another player, or none"))
	}
	name := nameOf(u.TitleInfo.DisplayName, id)
	if u.TitleInfo.DisplayName == "" && u.Username != "" {
		name = nameOf(u.Username, id)
	}
	return account.Identity{PlayerID: id, DisplayName: name, Email: printable(u.PrivateInfo.Email)}, nil
}

// nameOf returns a player's display name; for a player without a name it is derived from the end of the id.
func nameOf(name, id string) string {
	if name = printable(name); name != "" {
		return name
	}
	return "Player " + id[max(0, len(id)-4):]
}

// printable removes characters that cannot be displayed, some of which PostgreSQL cannot store: the game may have
// fewer rules.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s))
}

// amount is a number that must fit an int32.
type amount int64

// UnmarshalJSON returns an error for numbers out of range.
func (a *amount) UnmarshalJSON(b []byte) error {
	var n int64
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return errRange
	}
	*a = amount(n)
	return nil
}
