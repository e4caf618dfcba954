package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
)

const (
	// ContextTTL is the maximum lifetime of a one-time context.
	ContextTTL = 5 * time.Minute
	// contextSkew is the allowed clock skew of the game's server.
	contextSkew = 30 * time.Second
	// TicketMemory is how long a used session ticket of the game platform is remembered: PlayFab's tickets are valid
	// for 24 hours, and clocks differ.
	TicketMemory = 25 * time.Hour
	// AttemptTTL is how long a player has to complete a sign-in at another site.
	AttemptTTL = 10 * time.Minute

	maxContext = 4 << 10 // bytes
	maxJTI     = 128     // bytes
	maxCode    = 1 << 10 // bytes

	// Limits on the stored parameters of an external login.
	maxParameters     = 20
	maxParameterName  = 64  // bytes
	maxParameterValue = 512 // bytes
)

// ReasonNotSetUp is the fault reason if a way to sign in is not configured.
const ReasonNotSetUp = "not-set-up"

// Faults of external logins. Each message tells the player what to do.
var (
	ErrContext    = fault.New(fault.Unauthorized, "This link from the game has expired or was used before. Please sign in here.")
	ErrNoContexts = fault.New(fault.Conflict, "Signing in from the game is not set up on this site. Please sign in here.").
			WithReason(ReasonNotSetUp)
	ErrNoProvider = fault.New(fault.Conflict, "Signing in with X is not set up on this site. Please sign in with your email.").
			WithReason(ReasonNotSetUp)
	ErrAttempt      = fault.New(fault.Unauthorized, "This took too long, or it began in another browser. Please try again.")
	errNoIDInTicket = errors.New("the ticket is nobody's")
)

// Arrival is the part of an external login that is stored with the session it opens.
type Arrival struct {
	ContextHash string            // of the jti or the ticket, which can be used once
	ExpiresAt   time.Time         // how long the hash must be remembered
	Parameters  map[string]string // where the player comes from, according to the link
}

// External is a player's account at another site.
type External struct {
	ID     string
	Handle string // the account's public name; may be any text
}

// Provider is a site through which players sign in, using OAuth 2.0 with PKCE (RFC 7636).
type Provider interface {
	// AuthorizeURL returns the authorization URL; the site redirects the browser back with the state and a code.
	AuthorizeURL(state, verifier string) string
	// Account exchanges the code, once, for the account it was issued to. It returns ErrAttempt for a code that is
	// invalid or does not match the verifier, and fault.Unavailable if the site does not answer.
	Account(ctx context.Context, code, verifier string) (External, error)
}

// Linking creates and finds players who have an account at another site instead of email and password.
type Linking interface {
	// LinkedPlayer returns the player of an account at a provider, such as "x". It creates the player on the first
	// call, with the first of the names that is free. Concurrent calls for one account return the same player.
	LinkedPlayer(ctx context.Context, provider, externalID string, names []string) (Identity, error)
}

// Attempts stores the pending sign-ins at other sites.
type Attempts interface {
	// SaveAttempt stores an attempt and deletes expired ones.
	SaveAttempt(ctx context.Context, stateHash, bindingHash, verifier string, at, expires time.Time) error
	// TakeAttempt ends an attempt and returns its verifier. It returns fault.NotFound for one that is unknown,
	// expired, or from another browser.
	TakeAttempt(ctx context.Context, stateHash, bindingHash string, at time.Time) (verifier string, err error)
}

// ExternalLoginOptions are the dependencies and settings of ExternalLogins.
type ExternalLoginOptions struct {
	Accounts *Service
	Platform interface {
		Linking
		// Player returns fault.NotFound for an unknown id.
		Player(ctx context.Context, playerID string) (Identity, error)
	}
	Attempts Attempts
	Clock    clock.Clock
	// ContextKeys are those with which the game's server signs contexts (HS256); nil if it signs none.
	ContextKeys keyset.Keys
	// Tickets accepts the game platform's session tickets as contexts; nil if they are unsupported or disabled.
	Tickets Tickets
	// X is the provider for sign-in with X; nil if disabled.
	X Provider
}

// ExternalLogins signs players in by a game's link, by X or by a session of the game platform. It is safe for
// concurrent use.
type ExternalLogins struct{ o ExternalLoginOptions }

// NewExternalLogins returns ExternalLogins with the given options.
func NewExternalLogins(o ExternalLoginOptions) *ExternalLogins { return &ExternalLogins{o} }

// HasX reports whether players can sign in with X.
func (e *ExternalLogins) HasX() bool { return e.o.X != nil }

// ContextLogin signs a player in by the one-time context that a game's link carries: a JWT signed by the game's
// server (sub is the player, jti can be used once, exp is at most ContextTTL away), or a session ticket of the game
// platform, which can also be used once. The parameters say where the player comes from and are stored with the
// login, within limits; parameters over a limit do not fail the login. It returns ErrContext for an invalid or
// expired context, and ErrNoContexts if the site accepts none.
func (e *ExternalLogins) ContextLogin(ctx context.Context, text string, parameters map[string]string) (Credentials, error) {
	now := e.o.Clock.Now()
	arrival := Arrival{Parameters: keptOf(parameters)}
	switch isToken := strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 2; {
	case text == "" || len(text) > maxContext:
		return Credentials{}, ErrContext
	case isToken && e.o.ContextKeys != nil:
		return e.byToken(ctx, text, arrival)
	case e.o.Tickets != nil:
		id, err := e.o.Tickets.PlayerByTicket(ctx, text)
		if fault.Is(err, fault.Unauthorized) {
			return Credentials{}, ErrContext.Because(err)
		}
		if err == nil && id.PlayerID == "" {
			return Credentials{}, ErrContext.Because(errNoIDInTicket)
		}
		if err != nil {
			return Credentials{}, err
		}
		arrival.ContextHash, arrival.ExpiresAt = ticketHash(text), now.Add(TicketMemory)
		return e.o.Accounts.open(ctx, id, now, &arrival, e.o.Accounts.newBrowser(ctx, id))
	case e.o.ContextKeys == nil:
		return Credentials{}, ErrNoContexts
	}
	return Credentials{}, ErrContext
}

// ticketHash returns the hash under which a used session ticket is stored. The game platform does not document how it
// compares tickets, so the ticket is normalized first: two encodings of one ticket must have the same hash. Only
// letters and digits are hashed, in lower case, without the last one, because base64 decoders ignore some of its
// bits.
func ticketHash(ticket string) string {
	spelled := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, ticket)
	return HashSecret("ticket " + spelled[:max(0, len(spelled)-1)])
}

// byToken signs in by a one-time JWT.
func (e *ExternalLogins) byToken(ctx context.Context, text string, arrival Arrival) (Credentials, error) {
	now := e.o.Clock.Now()
	var c jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(text, &c, e.o.ContextKeys.All,
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(contextSkew),
		jwt.WithTimeFunc(e.o.Clock.Now))
	switch {
	case err != nil:
		return Credentials{}, ErrContext.Because(err)
	case c.Subject == "" || c.ID == "" || len(c.ID) > maxJTI || c.ExpiresAt.Sub(now) > ContextTTL+contextSkew:
		return Credentials{}, ErrContext.Because(errors.New("no player, no jti, or good for too long"))
	}
	id, err := e.o.Platform.Player(ctx, c.Subject)
	if fault.Is(err, fault.NotFound) {
		return Credentials{}, ErrContext.Because(err)
	}
	if err != nil {
		return Credentials{}, err
	}
	// Kept until the clock skew has passed too, so that it cannot be replayed.
	arrival.ContextHash, arrival.ExpiresAt = HashSecret(c.ID), c.ExpiresAt.Add(contextSkew)
	// If the player has ended all sessions since, for example with a new password, older links are not valid.
	proven := c.ExpiresAt.Add(-ContextTTL)
	if c.IssuedAt != nil {
		proven = c.IssuedAt.Time
	}
	if proven.After(now) {
		proven = now
	}
	credentials, err := e.o.Accounts.open(ctx, id, proven, &arrival, e.o.Accounts.newBrowser(ctx, id))
	if fault.Is(err, fault.Unauthorized) {
		err = ErrContext.Because(err)
	}
	return credentials, err
}

// keptOf returns the parameters to store: the first ones by name, without those that are too long or not valid text.
func keptOf(parameters map[string]string) map[string]string {
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		value := parameters[name]
		isText := utf8.ValidString(name+value) && !strings.ContainsFunc(name+value, unicode.IsControl)
		if isText && len(name) <= maxParameterName && len(value) <= maxParameterValue && len(kept) < maxParameters {
			kept[name] = value
		}
	}
	return kept
}

// NewContext returns a one-time context for a player, as the game's server makes one. It is for operators and tests.
func NewContext(key []byte, playerID string, now time.Time) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: playerID, ID: rand.Text(), IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(ContextTTL)),
	}).SignedString(key)
}

// Attempt is a pending sign-in at another site.
type Attempt struct {
	URL string // where to send the browser
	// Binding is a secret that the browser stores and presents when it comes back. It proves that the same browser
	// began the attempt, so that a link cannot sign somebody in to another account.
	Binding string
}

// BeginX begins a sign-in with X. It returns ErrNoProvider if X is not configured.
func (e *ExternalLogins) BeginX(ctx context.Context) (Attempt, error) {
	if e.o.X == nil {
		return Attempt{}, ErrNoProvider
	}
	state, binding, verifier := rand.Text(), rand.Text(), rand.Text()+rand.Text() // 52 letters each; RFC 7636: 43
	now := e.o.Clock.Now()
	if err := e.o.Attempts.SaveAttempt(ctx, HashSecret(state), HashSecret(binding), verifier, now, now.Add(AttemptTTL)); err != nil {
		return Attempt{}, err
	}
	return Attempt{URL: e.o.X.AuthorizeURL(state, verifier), Binding: binding}, nil
}

// FinishX signs in the player of the X account, and creates the player the first time. It returns ErrNoProvider if X
// is not configured, ErrAttempt for an attempt that is expired, unknown or another browser's and for a code that X
// rejects, and fault.Unavailable if X does not answer. An attempt can be finished only once, whatever the result.
func (e *ExternalLogins) FinishX(ctx context.Context, code, state, binding string) (Credentials, error) {
	if e.o.X == nil {
		return Credentials{}, ErrNoProvider
	}
	if code == "" || len(code) > maxCode {
		return Credentials{}, ErrAttempt
	}
	now := e.o.Clock.Now()
	verifier, err := e.o.Attempts.TakeAttempt(ctx, HashSecret(state), HashSecret(binding), now)
	if fault.Is(err, fault.NotFound) {
		return Credentials{}, ErrAttempt
	}
	if err != nil {
		return Credentials{}, err
	}
	who, err := e.o.X.Account(ctx, code, verifier)
	if err != nil {
		return Credentials{}, err
	}
	id, err := e.o.Platform.LinkedPlayer(ctx, "x", who.ID, e.namesFrom(who.Handle))
	if err != nil {
		return Credentials{}, err
	}
	return e.o.Accounts.open(ctx, id, now, &Arrival{}, e.o.Accounts.newBrowser(ctx, id))
}

// namesFrom returns candidate display names for a handle at the other site: the handle itself, if valid, and the
// handle with numbers appended, in case it is invalid, reserved or taken.
func (e *ExternalLogins) namesFrom(handle string) (names []string) {
	const numbered, digits = 7, 5
	handle = cleanName(handle)
	add := func(name string) {
		if e.o.Accounts.o.Reserved.Fault(name) == "" {
			names = append(names, name)
		}
	}
	add(handle)
	for _, stem := range []string{handle, "Player"} {
		for range numbered {
			n, err := rand.Int(rand.Reader, big.NewInt(90_000))
			if err != nil {
				panic(err) // never fails, as documented
			}
			letters := []rune(stem)
			add(fmt.Sprintf("%s%d", string(letters[:min(len(letters), maxName-digits)]), n.Int64()+10_000))
		}
	}
	return names
}
