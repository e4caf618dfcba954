// Package account implements registration, login, tokens and server-side sessions. The game platform is the authority
// on player identities; the package reaches it through the Platform port.
package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
)

const (
	// WalletClientID is the client id of the embedded wallet: the audience of its tokens (RFC 7519, section 4.1.3).
	WalletClientID = "embedded-wallet"

	audiencePortal = "portal"
	secretBytes    = 32
)

// Faults of this package. Each message tells the player what to do.
var (
	ErrSignedOut = fault.New(fault.Unauthorized, "Please sign in to continue.")
	ErrPassword  = fault.New(fault.Unauthorized, "Invalid email or password")
	// ErrDeleted means that the account is deleted here; the game platform may not have deleted it yet.
	ErrDeleted = fault.New(fault.Forbidden, "This account has been deleted.")
	// ErrRecoveryLink means that an emailed link is invalid or no longer valid.
	ErrRecoveryLink = fault.New(fault.Invalid, "This link has expired or was used before. Please ask for a new one.")
)

// Identity is a player as the game platform knows one.
type Identity struct {
	PlayerID       string // PlayFabId
	DisplayName    string
	Email          string
	EmailConfirmed bool // here; see Addresses
}

// Session is one sign-in. It ends when it expires or is revoked, and all its tokens with it.
type Session struct {
	ID        string
	PlayerID  string
	Browser   string   // for display, such as "Firefox on Linux"; "" if unknown
	Arrival   *Arrival // the external login that opened it; only set on opening, nil if none
	External  bool     // opened by an external login: its start proves who the player is
	CreatedAt time.Time
	UsedAt    time.Time // last seen, to within touchInterval
	ExpiresAt time.Time
	RevokedAt time.Time // zero if not revoked
	Frozen    *Freeze   // the player's freeze; nil if the player is not frozen
	// BrowserHash is the hash of the browser's id, which is remembered; only set on opening, "" for none.
	BrowserHash string
	// NewBrowser is queued if the player has never signed in from this browser; only set on opening, nil for none.
	NewBrowser *email.Message
}

// Caller is the player and session behind a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Credentials are what a player's browser stores after sign-in.
type Credentials struct {
	Token                string // API token, for the Authorization header
	SessionAuthorization string // "Bearer " and the session secret; only this can obtain a wallet token
	PlayerID             string // whom they are for
}

// Platform stores the accounts. Both game platforms implement all of it.
type Platform interface {
	Passwords
	Recovery
	Addresses
	Renaming
	Deletion

	// Register creates an account. It returns fault.Conflict, with the field, if the email or name is taken.
	Register(ctx context.Context, r Registration) (Identity, error)
	// Login returns ErrPassword for an unknown email and for a wrong password, in the same time.
	Login(ctx context.Context, email, password string) (Identity, error)
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (Identity, error)
}

// Sessions stores the sessions. Every method that ends a session announces it in the same transaction, so that the
// session's connections are closed even if the process stops first.
type Sessions interface {
	// OpenSession saves the player, if new or changed, and the session. Only the secret's hash is stored. It returns
	// ErrSignedOut if all sessions of the player were ended after proven, ErrDeleted for a deleted player,
	// FrozenFault for a frozen one, and ErrContext if the arrival's context was used before. The arrival is stored,
	// and its context marked as used, together with the session. It returns the ids of the player's oldest sessions,
	// which it ends if there are too many.
	OpenSession(ctx context.Context, id Identity, s Session, secretHash string, proven time.Time) (ended []string, err error)
	// Session returns fault.NotFound for an unknown id.
	Session(ctx context.Context, id string) (Session, error)
	// SessionBySecret returns fault.NotFound for an unknown secret.
	SessionBySecret(ctx context.Context, secretHash string) (Session, error)
	// RevokeSession reports whether the session was still open.
	RevokeSession(ctx context.Context, id string, at time.Time) (bool, error)
	// EndExpired ends at most limit expired sessions and returns how many it ended. Sessions that expired more than
	// ExpiryAnnounced ago are not announced: an upgrade may find many of them, and none has a connection.
	EndExpired(ctx context.Context, at time.Time, limit int) (ended int, err error)
	// TouchSession records when the session was last seen.
	TouchSession(ctx context.Context, id string, at time.Time) error
	// OpenSessions returns the player's open sessions, newest first.
	OpenSessions(ctx context.Context, playerID string, at time.Time) ([]Session, error)
	// RevokeSessionOf ends a session of the player. It returns fault.NotFound if the player has no such open session.
	RevokeSessionOf(ctx context.Context, playerID, id string, at time.Time) error
	// EndSessions ends all sessions of the player except Keep and returns the ids of the sessions that ended since the
	// given time. It queues the email, if any, unless no session ended and the password is the old one.
	EndSessions(ctx context.Context, e EndSessions) (ended []string, err error)
	// SaveName saves a player's new name.
	SaveName(ctx context.Context, playerID, displayName string) error
	// Frozen reports whether a player is frozen, and why. It returns fault.NotFound for an unknown player.
	Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error)
	// DeleteStale deletes stale rows.
	DeleteStale(ctx context.Context, s Stale) error
}

// Stale holds the cutoff times before which expired or finished rows are deleted.
type Stale struct {
	Sessions  time.Time
	Proofs    time.Time // password reset links and codes
	Deletions time.Time // deletions that the game platform has completed
	Browsers  time.Time // remembered browsers
}

// EndSessions selects the sessions to end.
type EndSessions struct {
	PlayerID string
	Keep     string // the session to keep; "" for none
	At       time.Time
	Since    time.Time
	Message  *email.Message // nil for none
	// PasswordChanged means that the password was changed, or may have been: nothing can leave the player's wallet for a
	// while.
	PasswordChanged bool
	// Thaw lifts a freeze by the owner that is not newer than Since.
	Thaw bool
	// DropPasskeys removes all passkeys: whoever needed the mailbox to get in may not be who added them.
	DropPasskeys bool
}

// Connections are the player's open realtime connections, which end with the session. CloseSession closes them
// immediately; the announcement guarantees that they get closed eventually.
type Connections interface {
	CloseSession(ctx context.Context, sessionID string) error
}

// Approvals are the players' approvals of what a session alone must not do.
type Approvals interface {
	// RequestDeletion emails a code for a deletion, with what is lost by it.
	RequestDeletion(ctx context.Context, c Caller, lines []string) error
	// ApproveDeletion uses the player's approval of exactly this deletion, which the code confirms. Without a code, which
	// is for players without email and password, it returns fault.Forbidden with ReasonStale if the sign-in is too old.
	ApproveDeletion(ctx context.Context, c Caller, lines []string, code string) error
	// ApproveEmail returns nil if the player has lately approved that another address replaces from's. Otherwise it
	// requests the approval and returns the fault that names it, or says why it cannot. A code to a confirmed address
	// approves it, the password replaces one that is not confirmed, and a recent sign-in adds one to an account without.
	ApproveEmail(ctx context.Context, c Caller, from Identity, to string) error
}

// Options are the dependencies and settings of the Service.
type Options struct {
	Platform    Platform
	Sessions    Sessions
	Deletions   Deletions
	Approvals   Approvals
	Emails      Emails
	Notices     Notices
	Connections Connections
	Clock       clock.Clock
	// Valuables says which tokens prevent a deletion; nil if none do.
	Valuables Valuables
	// IndexReady returns an error while it is not known what players have; nil if it always is.
	IndexReady func(context.Context) error
	// Keys sign the tokens (HS256, at least 32 bytes).
	Keys keyset.Keys
	// Site is the portal's public URL, used in emails.
	Site string
	// SupportPage and DeletionPage are the paths of the pages where players write to support and keep an account that is to be deleted.
	SupportPage, DeletionPage string
	// Reserved are the names that players cannot choose.
	Reserved Reserved
	// EmailWait is how long an address that was added or changed proves nothing; see ProvingMailbox.
	EmailWait time.Duration
	// ThawBySupport is set if players choose new passwords at the game platform's own page, of which the portal learns nothing:
	// then only an operator lifts a freeze by the owner.
	ThawBySupport bool
	// NoMail is set if nothing sends emails. Operations that need email then return ErrNoMail.
	NoMail bool
	// Report receives errors that do not fail the operation; it may be nil.
	Report func(error)
}

// Service implements the capability. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns a Service with the given options.
func NewService(o Options) *Service {
	if o.Report == nil {
		o.Report = func(error) {}
	}
	if o.Valuables == nil {
		o.Valuables = func(Token) (*Currency, bool) { return nil, false }
	}
	if o.IndexReady == nil {
		o.IndexReady = func(context.Context) error { return nil }
	}
	return &Service{o}
}

// Register creates an account, emails the code that confirms its address, and signs the player in. It returns
// fault.Invalid listing every broken rule, or fault.Conflict if the email or the name is taken.
func (s *Service) Register(ctx context.Context, r Registration) (Credentials, error) {
	proven := s.o.Clock.Now()
	r, err := r.clean(s.o.Reserved)
	if err != nil {
		return Credentials{}, err
	}
	id, err := s.o.Platform.Register(ctx, r)
	if err != nil {
		return Credentials{}, err
	}
	s.welcome(ctx, id)
	return s.open(ctx, id, proven, nil, nil)
}

// Login signs a player in. It returns fault.Invalid, with the fields, for a malformed address or an empty password,
// ErrPassword for wrong credentials, and, for correct ones, ErrDeleted for an account that is about to be deleted and
// FrozenFault for a frozen one.
func (s *Service) Login(ctx context.Context, address, password string) (Credentials, error) {
	proven := s.o.Clock.Now()
	address = email.Clean(address)
	var faults []fault.Field
	if m := EmailFault(address); m != "" {
		faults = append(faults, fault.Field{Location: "body.email", Message: m})
	}
	if password == "" {
		faults = append(faults, fault.Field{Location: "body.password", Message: "Please enter your password."})
	}
	if len(faults) > 0 {
		return Credentials{}, fault.InvalidFields("Please check what you entered.", faults...)
	}
	if !isPassword(password) {
		return Credentials{}, ErrPassword
	}
	id, err := s.o.Platform.Login(ctx, address, password)
	if err != nil {
		return Credentials{}, err
	}
	return s.open(ctx, id, proven, nil, s.newBrowser(ctx, id))
}

// SignInAs signs in a player whom somebody else has proven, at the given time. It returns ErrDeleted and FrozenFault like Login, and
// fault.Unauthorized if the player has ended all sessions since.
func (s *Service) SignInAs(ctx context.Context, playerID string, proven time.Time) (Credentials, error) {
	id, err := s.o.Platform.Player(ctx, playerID)
	if err != nil {
		return Credentials{}, err
	}
	return s.open(ctx, id, proven, nil, s.newBrowser(ctx, id))
}

// Logout ends the caller's session, its tokens and its connections. It is not an error if the session has already
// ended.
func (s *Service) Logout(ctx context.Context, c Caller) error {
	if _, err := s.o.Sessions.RevokeSession(ctx, c.SessionID, s.o.Clock.Now()); err != nil {
		return err
	}
	s.closeConnections(ctx, c.SessionID)
	return nil
}

// Authenticate returns the caller who holds an API token, which may be prefixed by "Bearer ". It returns ErrSignedOut
// for a token that is malformed or expired, or whose session has ended, and fault.Unauthorized with ReasonFrozen and
// the operator's reason if the session ended because the player was frozen.
func (s *Service) Authenticate(ctx context.Context, token string) (Caller, error) {
	return s.authenticate(ctx, token, audiencePortal)
}

// AuthenticateWallet returns the caller who holds an embedded wallet token. Errors are as with Authenticate.
func (s *Service) AuthenticateWallet(ctx context.Context, token string) (Caller, error) {
	return s.authenticate(ctx, token, WalletClientID)
}

// AuthenticateSession returns the caller who holds a session authorization. Errors are as with Authenticate.
func (s *Service) AuthenticateSession(ctx context.Context, authorization string) (Caller, error) {
	secret, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok || len(secret) != base64.RawURLEncoding.EncodedLen(secretBytes) {
		return Caller{}, ErrSignedOut
	}
	session, err := s.o.Sessions.SessionBySecret(ctx, HashSecret(secret))
	return s.callerOf(ctx, session, err)
}

// WalletToken issues a token that is only valid for the embedded wallet's signer.
func (s *Service) WalletToken(c Caller) (string, error) {
	return s.sign(c, WalletClientID, WalletTokenTTL)
}

// Player returns the caller's identity on the game platform.
func (s *Service) Player(ctx context.Context, c Caller) (Identity, error) {
	return s.o.Platform.Player(ctx, c.PlayerID)
}

// open opens a session for a player whose identity was proven at the given time. The browser comes from the context
// (FromBrowser). from is nil unless the player came through an external login. newBrowser is as in Session.
func (s *Service) open(ctx context.Context, id Identity, proven time.Time, from *Arrival, newBrowser *email.Message) (Credentials, error) {
	now := s.o.Clock.Now()
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails, as documented
	secret := base64.RawURLEncoding.EncodeToString(raw)
	session := Session{
		ID: rand.Text(), PlayerID: id.PlayerID, Arrival: from, External: from != nil,
		Browser: browserOf(ctx).name, BrowserHash: browserOf(ctx).hash, NewBrowser: newBrowser,
		CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(TokenTTL),
	}
	ended, err := s.o.Sessions.OpenSession(ctx, id, session, HashSecret(secret), proven)
	if err != nil {
		return Credentials{}, err
	}
	s.closeConnections(ctx, ended...)
	token, err := s.sign(Caller{PlayerID: id.PlayerID, SessionID: session.ID}, audiencePortal, TokenTTL)
	return Credentials{Token: token, SessionAuthorization: "Bearer " + secret, PlayerID: id.PlayerID}, err
}

// claims are the JWT's claims: sub is the PlayFabId, sid the session id.
type claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

func (s *Service) sign(c Caller, audience string, life time.Duration) (string, error) {
	now := s.o.Clock.Now()
	return s.o.Keys.SignJWT(claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Subject:   c.PlayerID,
			Audience:  jwt.ClaimStrings{audience},
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		SessionID: c.SessionID,
	})
}

func (s *Service) authenticate(ctx context.Context, token, audience string) (Caller, error) {
	var c claims
	_, err := jwt.ParseWithClaims(strings.TrimPrefix(token, "Bearer "), &c, s.o.Keys.Find,
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(s.o.Clock.Now))
	if err != nil {
		return Caller{}, ErrSignedOut.Because(err)
	}
	session, err := s.o.Sessions.Session(ctx, c.SessionID)
	if err == nil && session.PlayerID != c.Subject {
		err = errors.New("the token's player is not the session's")
		return Caller{}, ErrSignedOut.Because(err)
	}
	return s.callerOf(ctx, session, err)
}

func (s *Service) callerOf(ctx context.Context, session Session, err error) (Caller, error) {
	switch {
	case fault.Is(err, fault.NotFound):
		return Caller{}, ErrSignedOut
	case err != nil:
		return Caller{}, err
	case !s.o.Clock.Now().Before(session.ExpiresAt):
		return Caller{}, ErrSignedOut
	case session.Frozen != nil && (session.RevokedAt.IsZero() || !session.RevokedAt.Before(session.Frozen.At)):
		frozen := FrozenFault(session.Frozen.Reason)
		frozen.Code = fault.Unauthorized // the credential is no longer valid
		return Caller{}, frozen
	case !session.RevokedAt.IsZero():
		return Caller{}, ErrSignedOut
	}
	if now := s.o.Clock.Now(); now.Sub(session.UsedAt) >= touchInterval {
		// Failing to record the time does not fail the request.
		_ = s.o.Sessions.TouchSession(ctx, session.ID, now)
	}
	return Caller{PlayerID: session.PlayerID, SessionID: session.ID}, nil
}

// HashSecret returns the hash under which a secret is stored. The secret has at least 128 random bits, so a plain
// hash cannot be reversed, and looking it up by the hash leaks nothing through timing.
func HashSecret(secret string) string { return email.HashToken(secret) }
