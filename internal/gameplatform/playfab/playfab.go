// Package playfab is the game platform at PlayFab: accounts, currencies, statistics and recovery mails of a title.
//
// PlayFab is asked anew for everything; nothing is kept but who was here before and under which name, for the time it
// is away and for names that look alike. What it answers is checked before anything follows from it. Its errors are
// told apart by their code, never by the HTTP status, and repeated only where its documentation says that this is safe:
// a login never, a change of a balance only where it is certain that it did not take place.
//
// PlayFab counts logins by the caller's address, and all players sign in from ours: a budget keeps us below its limit,
// and where it says 429 nobody signs in until the time it names.
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

// Options say which title, and how it is reached.
type Options struct {
	TitleID   string
	SecretKey string // never logged, and sent with the calls that need it only
	// URL is the API's address; https://TITLE.playfabapi.com when empty.
	URL string
	// RecoveryTemplate is the id of the title's template of recovery mails, whose link must lead to /new-password?token=.
	// Empty for the title's default, which leads to a page of PlayFab's.
	RecoveryTemplate string
	// LoginsPerMinute bounds logins, registrations and recovery mails; 0 for no bound.
	LoginsPerMinute int
	// Timeout bounds one request; 10 s when 0.
	Timeout time.Duration
	// Pause is the time before the first repetition, doubled before each further one; 200 ms when 0.
	Pause time.Duration
	// Known tells who was here before, while PlayFab is away, and whose names look alike, which PlayFab does not tell.
	Known Known
	Clock clock.Clock
	Log   *slog.Logger
}

// Known keeps who was here.
type Known interface {
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (account.Identity, error)
	// NameTaken reports whether a player other than the one given has a name that is the same by account.NameKey.
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

// Close ends the connections that are kept open.
func (p *Platform) Close() { p.api.http.CloseIdleConnections() }

// Check reports whether PlayFab answers and takes the key.
func (p *Platform) Check(ctx context.Context) error {
	var out struct{ Time time.Time }
	err := p.api.call(ctx, getTime, struct{}{}, &out)
	if code(err) == notAuthenticated {
		return fault.New(fault.Unavailable, "PlayFab does not take the key: see PLAYFAB_TITLE_ID and PLAYFAB_SECRET_KEY").Because(err)
	}
	return explain(err)
}

// userInfo is UserAccountInfo, as far as it is needed.
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

// Register makes an account; see account.Platform.
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
		// The account may be there without our having heard of it; then signing in works.
		return account.Identity{}, fault.New(fault.Unavailable,
			"We could not finish making your account. Please try to sign in; if that does not work, register again.").Because(err)
	}
	if err != nil {
		return account.Identity{}, explainRegistration(err)
	}
	return account.Identity{PlayerID: out.PlayFabID, DisplayName: r.DisplayName, Email: r.Email}, nil
}

// Login checks e-mail and password; see account.Platform. That unknown addresses take the same time is PlayFab's to see to.
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
		// InvalidParams: a password that breaks PlayFab's rules is nobody's.
		return account.Identity{}, account.ErrPassword
	}
	if err != nil {
		return account.Identity{}, explain(err)
	}
	return identity(loginWithEmailAddress, out.InfoResultPayload.AccountInfo, out.PlayFabID)
}

// PlayerByTicket tells who holds a session ticket; see account.Tickets.
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

// Player returns the identity of a player; see account.Platform. While PlayFab is away it is what it was when the player
// signed in.
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

// checkName looks for another player here whose name looks the same. It is for people to see, not to rely on: of two who
// take such names in the same moment, and of those whom the game has named, both keep them.
func (p *Platform) checkName(ctx context.Context, displayName, butPlayerID string) error {
	taken, err := p.known.NameTaken(ctx, account.NameKey(displayName), butPlayerID)
	if err == nil && taken {
		err = conflict(nameTaken, nil)
	}
	return err
}

// SendRecovery mails the link for a new password; see account.Recovery.
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

// ResetPassword sets a password by a mailed token; see account.Recovery.
func (p *Platform) ResetPassword(ctx context.Context, token, password string) (string, error) {
	var out struct {
		PlayFabID string `json:"PlayFabId"`
	}
	err := p.api.call(ctx, getPlayerIDFromAuthToken, struct{ Token, TokenType string }{token, "Email"}, &out)
	if err == nil && !isPlayerID(out.PlayFabID) {
		err = nonsense(getPlayerIDFromAuthToken, "no player id")
	}
	if err == nil {
		err = p.api.call(ctx, resetPassword, struct{ Token, Password string }{token, password}, &struct{}{})
	}
	if err == nil {
		return out.PlayFabID, nil
	}
	switch code(err) {
	case invalidAuthToken, authTokenDoesNotExist, authTokenExpired, authTokenUsed, expiredAuthToken, accountNotFound, accountDeleted:
		return "", account.ErrRecoveryLink.Because(err)
	case invalidParams:
		if !broken(err, "Password") { // a token that cannot be one
			return "", account.ErrRecoveryLink.Because(err)
		}
	}
	// Where the answer was lost, the password may be the new one: what the old one opened must end.
	return out.PlayFabID, explainRegistration(err)
}

// DeletePlayer deletes the account in all titles of the studio; see account.Deletion. PlayFab does it a while later.
func (p *Platform) DeletePlayer(ctx context.Context, playerID string) error {
	err := p.api.call(ctx, deleteMasterPlayerAccount, ofPlayer{playerID}, &struct{}{})
	if c := code(err); c == accountNotFound || c == accountDeleted {
		return nil
	}
	return explain(err)
}

// ofPlayer is the request of calls about a player.
type ofPlayer struct {
	PlayFabID string `json:"PlayFabId"`
}

// playerID is the form of PlayFab's ids.
var playerID = regexp.MustCompile(`^[0-9A-F]{1,20}$`)

func isPlayerID(s string) bool { return playerID.MatchString(s) }

// identity makes a player of what PlayFab tells of the one with the id.
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

// nameOf returns what others see of a player; somebody whom the game gave no name is called by the end of the id.
func nameOf(name, id string) string {
	if name = printable(name); name != "" {
		return name
	}
	return "Player " + id[max(0, len(id)-4):]
}

// printable leaves out what cannot be shown, some of which PostgreSQL cannot store: the game may have fewer rules than we.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s))
}

// amount is a number that must be an int32.
type amount int64

// UnmarshalJSON refuses what is out of range.
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
