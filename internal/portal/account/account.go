// Package account lets players in and out: registration, login, the tokens they hold and the server sessions behind
// them. Who the players are is the game platform's word; the package asks it through the Platform port.
package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

const (
	// TokenTTL is how long a token, and the session behind it, lasts.
	TokenTTL = 24 * time.Hour
	// WalletTokenTTL is how long a token for the embedded wallet lasts.
	WalletTokenTTL = 15 * time.Minute
	// ExpiryAnnounced is how long after a session expired its end is still announced.
	ExpiryAnnounced = 24 * time.Hour

	audiencePortal = "portal"
	audienceWallet = "embedded-wallet"
	secretBytes    = 32
)

// Faults of this package; each says what to do.
var (
	ErrSignedOut = fault.New(fault.Unauthorized, "Please sign in to continue.")
	ErrPassword  = fault.New(fault.Unauthorized, "Invalid email or password")
	// ErrDeleted: the account is deleted here, and the game platform has yet to follow.
	ErrDeleted = fault.New(fault.Forbidden, "This account has been deleted.")
	// ErrRecoveryLink: a mailed link that can't be used (any more).
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
	Browser   string   // in words, such as "Firefox on Linux"; "" where it is not known
	Arrival   *Arrival // by which it was opened; only when it is opened, and nil for none
	CreatedAt time.Time
	UsedAt    time.Time // when it was last seen, to touchInterval
	ExpiresAt time.Time
	RevokedAt time.Time // zero while it has not been revoked
	Frozen    *Freeze   // of its player; nil for a player who is not frozen
}

// Caller is who makes a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Credentials are what a player's browser keeps after signing in.
type Credentials struct {
	Token                string // API token, for the Authorization header
	SessionAuthorization string // "Bearer " and the session's secret; it alone buys a wallet token
}

// Platform keeps the accounts. Both game platforms do all of it.
type Platform interface {
	Passwords
	Recovery
	Addresses
	Renaming
	Deletion

	// Register makes an account. It returns fault.Conflict, with the field, when e-mail or name is taken.
	Register(ctx context.Context, r Registration) (Identity, error)
	// Login returns ErrPassword for an unknown e-mail and for a wrong password, after the same time.
	Login(ctx context.Context, email, password string) (Identity, error)
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (Identity, error)
}

// Sessions keeps the sessions. Whatever ends a session announces it in the same transaction, so that its connections are
// closed even if the process stops before closing them.
type Sessions interface {
	// OpenSession records the player, if new or changed, and the session. Only the secret's hash is kept. It returns
	// ErrSignedOut where all sessions of the player were ended after proven, ErrDeleted for a deleted player, FrozenFault for
	// a frozen one, and ErrContext where the arrival's context was used before. An arrival is kept, and its context used up,
	// with the session. It returns the ids of the player's oldest sessions, which end where there are too many.
	OpenSession(ctx context.Context, id Identity, s Session, secretHash string, proven time.Time) (ended []string, err error)
	// Session returns fault.NotFound for an unknown id.
	Session(ctx context.Context, id string) (Session, error)
	// SessionBySecret returns fault.NotFound for an unknown secret.
	SessionBySecret(ctx context.Context, secretHash string) (Session, error)
	// RevokeSession reports whether the session was still open.
	RevokeSession(ctx context.Context, id string, at time.Time) (bool, error)
	// EndExpired ends expired sessions, at most limit, and returns how many. The end of those that expired longer
	// than ExpiryAnnounced ago is not announced: an upgrade may find many of them, and none has a connection.
	EndExpired(ctx context.Context, at time.Time, limit int) (ended int, err error)
	// TouchSession notes when the session was last seen.
	TouchSession(ctx context.Context, id string, at time.Time) error
	// OpenSessions returns the player's sessions that have not ended, the newest first.
	OpenSessions(ctx context.Context, playerID string, at time.Time) ([]Session, error)
	// RevokeSessionOf ends a session of the player; fault.NotFound where there is no such open session of that player.
	RevokeSessionOf(ctx context.Context, playerID, id string, at time.Time) error
	// EndSessions ends all sessions of the player but one ("" for none), writes the email, where there is one, and
	// returns the ids of those that ended since the given time.
	EndSessions(ctx context.Context, e EndSessions) (ended []string, err error)
	// SaveName notes a player's new name.
	SaveName(ctx context.Context, playerID, displayName string) error
	// Frozen reports whether a player is frozen, and why; fault.NotFound for an unknown player.
	Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error)
	// DeleteStale forgets what is stale.
	DeleteStale(ctx context.Context, s Stale) error
}

// Stale says what is forgotten: what ran out, or was done, before a time each.
type Stale struct {
	Sessions  time.Time
	Proofs    time.Time // links for a new password, and codes
	Deletions time.Time // those that the game platform has followed
}

// EndSessions says which sessions end.
type EndSessions struct {
	PlayerID string
	Keep     string // the session that stays; "" for none
	At       time.Time
	Since    time.Time
	Message  *email.Message // nil for none
}

// Connections are the player's open realtime connections, which end with the session. CloseSession closes them immediately;
// the announcement guarantees that they get closed.
type Connections interface {
	CloseSession(ctx context.Context, sessionID string) error
}

// Options are what the capability is made of.
type Options struct {
	Platform    Platform
	Sessions    Sessions
	Deletions   Deletions
	Emails      Emails
	Connections Connections
	Clock       clock.Clock
	// Key signs the tokens (HS256, at least 32 bytes).
	Key []byte
	// Site is the address under which players know the portal, for emails.
	Site string
	// NoMail is set where nothing sends emails: what needs them says so.
	NoMail bool
	// Report takes what went wrong after something was done all the same; nil where nobody listens.
	Report func(error)
}

// Service is the capability. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns the capability.
func NewService(o Options) *Service {
	if o.Report == nil {
		o.Report = func(error) {}
	}
	return &Service{o}
}

// Register makes an account, mails the code that confirms its address, and signs the player in. It returns fault.Invalid
// with every broken rule, or fault.Conflict when the email or the name is taken.
func (s *Service) Register(ctx context.Context, r Registration) (Credentials, error) {
	proven := s.o.Clock.Now()
	r, err := r.clean()
	if err != nil {
		return Credentials{}, err
	}
	id, err := s.o.Platform.Register(ctx, r)
	if err != nil {
		return Credentials{}, err
	}
	s.welcome(ctx, id)
	return s.open(ctx, id, proven, nil)
}

// Login signs a player in. It returns fault.Invalid, with the fields, for what is no address and for no password,
// ErrPassword when they do not fit, and, when they do, ErrDeleted for an account that the game platform is about to delete
// and FrozenFault for a frozen one.
func (s *Service) Login(ctx context.Context, address, password string) (Credentials, error) {
	proven := s.o.Clock.Now()
	address = strings.TrimSpace(address)
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
	return s.open(ctx, id, proven, nil)
}

// Logout ends the caller's session, its tokens and its connections. A session that has ended already is no error.
func (s *Service) Logout(ctx context.Context, c Caller) error {
	if _, err := s.o.Sessions.RevokeSession(ctx, c.SessionID, s.o.Clock.Now()); err != nil {
		return err
	}
	s.closeConnections(ctx, c.SessionID)
	return nil
}

// Authenticate tells who holds an API token; "Bearer " before it is accepted. It returns ErrSignedOut for a token that
// is malformed, expired, or whose session has ended; fault.Unauthorized with ReasonFrozen and the operator's reason where
// it ended because the player was frozen.
func (s *Service) Authenticate(ctx context.Context, token string) (Caller, error) {
	return s.authenticate(ctx, token, audiencePortal)
}

// AuthenticateWallet tells who holds an embedded-wallet token; errors as with Authenticate.
func (s *Service) AuthenticateWallet(ctx context.Context, token string) (Caller, error) {
	return s.authenticate(ctx, token, audienceWallet)
}

// AuthenticateSession tells whose session authorization this is; errors as with Authenticate.
func (s *Service) AuthenticateSession(ctx context.Context, authorization string) (Caller, error) {
	secret, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok || len(secret) != base64.RawURLEncoding.EncodedLen(secretBytes) {
		return Caller{}, ErrSignedOut
	}
	session, err := s.o.Sessions.SessionBySecret(ctx, HashSecret(secret))
	return s.callerOf(ctx, session, err)
}

// WalletToken issues a token that is only good for the embedded wallet's signer.
func (s *Service) WalletToken(c Caller) (string, error) {
	return s.sign(c, audienceWallet, WalletTokenTTL)
}

// Player returns the identity the platform has for the caller.
func (s *Service) Player(ctx context.Context, c Caller) (Identity, error) {
	return s.o.Platform.Player(ctx, c.PlayerID)
}

// open signs in a player who was proven to be who they are at a time; the browser is the context's (FromBrowser). from is
// nil for a player without an external login.
func (s *Service) open(ctx context.Context, id Identity, proven time.Time, from *Arrival) (Credentials, error) {
	now := s.o.Clock.Now()
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails, by its contract
	secret := base64.RawURLEncoding.EncodeToString(raw)
	session := Session{
		ID: rand.Text(), PlayerID: id.PlayerID, Browser: browserOf(ctx), Arrival: from,
		CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(TokenTTL),
	}
	ended, err := s.o.Sessions.OpenSession(ctx, id, session, HashSecret(secret), proven)
	if err != nil {
		return Credentials{}, err
	}
	s.closeConnections(ctx, ended...)
	token, err := s.sign(Caller{PlayerID: id.PlayerID, SessionID: session.ID}, audiencePortal, TokenTTL)
	return Credentials{Token: token, SessionAuthorization: "Bearer " + secret}, err
}

// claims are the JWT's: sub is the PlayFabId, sid the session.
type claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

func (s *Service) sign(c Caller, audience string, life time.Duration) (string, error) {
	now := s.o.Clock.Now()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Subject:   c.PlayerID,
			Audience:  jwt.ClaimStrings{audience},
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		SessionID: c.SessionID,
	}).SignedString(s.o.Key)
}

func (s *Service) authenticate(ctx context.Context, token, audience string) (Caller, error) {
	var c claims
	_, err := jwt.ParseWithClaims(strings.TrimPrefix(token, "Bearer "), &c,
		func(*jwt.Token) (any, error) { return s.o.Key, nil },
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
		frozen.Code = fault.Unauthorized // the credential is good no more
		return Caller{}, frozen
	case !session.RevokedAt.IsZero():
		return Caller{}, ErrSignedOut
	}
	if now := s.o.Clock.Now(); now.Sub(session.UsedAt) >= touchInterval {
		// Nobody is refused for a note that could not be taken.
		_ = s.o.Sessions.TouchSession(ctx, session.ID, now)
	}
	return Caller{PlayerID: session.PlayerID, SessionID: session.ID}, nil
}

// HashSecret is what is kept of a secret. The secret has at least 128 random bits, so a plain hash cannot be guessed back,
// and looking it up by the hash leaks nothing through timing.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
