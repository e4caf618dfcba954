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
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

const (
	// TokenLife is how long a token, and the session behind it, lasts.
	TokenLife = 24 * time.Hour
	// WalletTokenLife is how long a token for the embedded wallet lasts.
	WalletTokenLife = 15 * time.Minute

	audiencePortal = "portal"
	audienceWallet = "embedded-wallet"
	secretBytes    = 32
)

// Faults of this package; each says what to do.
var (
	ErrSignedOut = fault.New(fault.Unauthorized, "Please sign in to continue.")
	ErrPassword  = fault.New(fault.Unauthorized, "Invalid email or password")
	// ErrRecoveryLink: a mailed link that can't be used (any more).
	ErrRecoveryLink = fault.New(fault.Invalid, "This link has expired or was used before. Please ask for a new one.")
)

// Identity is a player as the game platform knows one.
type Identity struct {
	PlayerID    string // PlayFabId
	DisplayName string
	Email       string
}

// Session is one sign-in. It ends when it expires or is revoked, and all its tokens with it.
type Session struct {
	ID        string
	PlayerID  string
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt time.Time // zero while it has not been revoked
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

// Platform keeps the accounts.
type Platform interface {
	// Register makes an account. It returns fault.Conflict, with the field, when e-mail or name is taken.
	Register(ctx context.Context, r Registration) (Identity, error)
	// Login returns ErrPassword for an unknown e-mail and for a wrong password, after the same time.
	Login(ctx context.Context, email, password string) (Identity, error)
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (Identity, error)
}

// Sessions keeps the sessions.
type Sessions interface {
	// OpenSession records the player, if new or changed, and the session. Only the secret's hash is kept.
	OpenSession(ctx context.Context, id Identity, s Session, secretHash string) error
	// Session returns fault.NotFound for an unknown id.
	Session(ctx context.Context, id string) (Session, error)
	// SessionBySecret returns fault.NotFound for an unknown secret.
	SessionBySecret(ctx context.Context, secretHash string) (Session, error)
	// RevokeSession reports whether the session was still open.
	RevokeSession(ctx context.Context, id string, at time.Time) (bool, error)
}

// Connections are the player's open realtime connections, which end with the session.
type Connections interface {
	CloseSession(ctx context.Context, sessionID string) error
}

// Service is the capability. It is safe for concurrent use.
type Service struct {
	platform    Platform
	sessions    Sessions
	connections Connections
	clock       clock.Clock
	key         []byte
}

// NewService returns the capability; key signs the tokens (HS256, at least 32 bytes).
func NewService(p Platform, s Sessions, c Connections, clk clock.Clock, key []byte) *Service {
	return &Service{platform: p, sessions: s, connections: c, clock: clk, key: key}
}

// Register makes an account and signs it in. It returns fault.Invalid with every broken rule, or fault.Conflict
// when the e-mail or the name is taken.
func (s *Service) Register(ctx context.Context, r Registration) (Credentials, error) {
	r, err := r.clean()
	if err != nil {
		return Credentials{}, err
	}
	id, err := s.platform.Register(ctx, r)
	if err != nil {
		return Credentials{}, err
	}
	return s.open(ctx, id)
}

// Login signs a player in. It returns ErrPassword when e-mail and password do not fit.
func (s *Service) Login(ctx context.Context, email, password string) (Credentials, error) {
	email = strings.TrimSpace(email)
	if EmailFault(email) != "" || password == "" || len(password) > maxPassword*utf8.UTFMax {
		return Credentials{}, ErrPassword
	}
	id, err := s.platform.Login(ctx, email, password)
	if err != nil {
		return Credentials{}, err
	}
	return s.open(ctx, id)
}

// Logout ends the caller's session, its tokens and its connections. A session that has ended already is no error.
func (s *Service) Logout(ctx context.Context, c Caller) error {
	if _, err := s.sessions.RevokeSession(ctx, c.SessionID, s.clock.Now()); err != nil {
		return err
	}
	return s.connections.CloseSession(ctx, c.SessionID)
}

// Authenticate tells who holds an API token; "Bearer " before it is accepted. It returns ErrSignedOut for a token that
// is malformed, expired, or whose session has ended.
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
	session, err := s.sessions.SessionBySecret(ctx, hashSecret(secret))
	return s.callerOf(session, err)
}

// WalletToken issues a token that is only good for the embedded wallet's signer.
func (s *Service) WalletToken(c Caller) (string, error) {
	return s.sign(c, audienceWallet, WalletTokenLife)
}

// Player returns the identity the platform has for the caller.
func (s *Service) Player(ctx context.Context, c Caller) (Identity, error) {
	return s.platform.Player(ctx, c.PlayerID)
}

func (s *Service) open(ctx context.Context, id Identity) (Credentials, error) {
	now := s.clock.Now()
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails, by its contract
	secret := base64.RawURLEncoding.EncodeToString(raw)
	session := Session{ID: rand.Text(), PlayerID: id.PlayerID, CreatedAt: now, ExpiresAt: now.Add(TokenLife)}
	if err := s.sessions.OpenSession(ctx, id, session, hashSecret(secret)); err != nil {
		return Credentials{}, err
	}
	token, err := s.sign(Caller{PlayerID: id.PlayerID, SessionID: session.ID}, audiencePortal, TokenLife)
	return Credentials{Token: token, SessionAuthorization: "Bearer " + secret}, err
}

// claims are the JWT's: sub is the PlayFabId, sid the session.
type claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

func (s *Service) sign(c Caller, audience string, life time.Duration) (string, error) {
	now := s.clock.Now()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Subject:   c.PlayerID,
			Audience:  jwt.ClaimStrings{audience},
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		SessionID: c.SessionID,
	}).SignedString(s.key)
}

func (s *Service) authenticate(ctx context.Context, token, audience string) (Caller, error) {
	var c claims
	_, err := jwt.ParseWithClaims(strings.TrimPrefix(token, "Bearer "), &c,
		func(*jwt.Token) (any, error) { return s.key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(s.clock.Now))
	if err != nil {
		return Caller{}, ErrSignedOut.Because(err)
	}
	session, err := s.sessions.Session(ctx, c.SessionID)
	if err == nil && session.PlayerID != c.Subject {
		err = errors.New("the token's player is not the session's")
		return Caller{}, ErrSignedOut.Because(err)
	}
	return s.callerOf(session, err)
}

func (s *Service) callerOf(session Session, err error) (Caller, error) {
	switch {
	case fault.Is(err, fault.NotFound):
		return Caller{}, ErrSignedOut
	case err != nil:
		return Caller{}, err
	case !session.RevokedAt.IsZero() || !s.clock.Now().Before(session.ExpiresAt):
		return Caller{}, ErrSignedOut
	}
	return Caller{PlayerID: session.PlayerID, SessionID: session.ID}, nil
}

// hashSecret is what is kept of a session's secret. The secret has 256 random bits, so a plain hash cannot be guessed
// back, and looking it up by the hash leaks nothing through timing.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
