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
)

const (
	// ContextTTL is the longest that a one-time context may be good for.
	ContextTTL = 5 * time.Minute
	// contextSkew is how far the clock of the game's server may be off.
	contextSkew = 30 * time.Second
	// TicketMemory is how long a session ticket of the game platform is remembered once it was used: PlayFab's are good for
	// 24 hours, and clocks differ.
	TicketMemory = 25 * time.Hour
	// AttemptTTL is how long a player has to sign in at another site.
	AttemptTTL = 10 * time.Minute

	maxContext = 4 << 10 // bytes
	maxJTI     = 128     // bytes
	maxCode    = 1 << 10 // bytes

	// What is kept of the parameters that a player arrives with.
	maxParameters     = 20
	maxParameterName  = 64  // bytes
	maxParameterValue = 512 // bytes
)

// ReasonNotSetUp is the reason of faults that say that a way to sign in is not open on this site.
const ReasonNotSetUp = "not-set-up"

// Faults of external logins; each says what to do.
var (
	ErrContext      = fault.New(fault.Unauthorized, "This link from the game has expired or was used before. Please sign in here.")
	ErrNoContexts   = fault.New(fault.Conflict, "Signing in from the game is not set up on this site. Please sign in here.").WithReason(ReasonNotSetUp)
	ErrNoProvider   = fault.New(fault.Conflict, "Signing in with X is not set up on this site. Please sign in with your email.").WithReason(ReasonNotSetUp)
	ErrAttempt      = fault.New(fault.Unauthorized, "This took too long, or it began in another browser. Please try again.")
	errNoIDInTicket = errors.New("the ticket is nobody's")
)

// Arrival is what a player's session keeps of the one-time context by which it was opened.
type Arrival struct {
	ContextHash string            // of the jti or the ticket, which is used up with it
	ExpiresAt   time.Time         // until when it must be remembered that it was used
	Parameters  map[string]string // where the player comes from, as the link says
}

// External is somebody's account at another site.
type External struct {
	ID     string
	Handle string // how others call them there; may be anything
}

// Provider is a site at which players have accounts by which they sign in here, by OAuth 2.0 with PKCE (RFC 7636).
type Provider interface {
	// AuthorizeURL is where the player is asked; the site sends the browser back with the state and a code.
	AuthorizeURL(state, verifier string) string
	// Account tells whose code it is, once. It returns ErrAttempt for a code that is not good or not of this verifier, and
	// fault.Unavailable when the site does not answer.
	Account(ctx context.Context, code, verifier string) (External, error)
}

// Linking makes and finds players who have neither e-mail nor password, but an account at another site.
type Linking interface {
	// LinkedPlayer returns the player of an account at a provider, such as "x", and makes one the first time, under the
	// first of the names that is free. However many ask at once, an account has one player.
	LinkedPlayer(ctx context.Context, provider, externalID string, names []string) (Identity, error)
}

// Attempts keeps the sign-ins that are under way at other sites.
type Attempts interface {
	// SaveAttempt keeps an attempt, and forgets those that are over.
	SaveAttempt(ctx context.Context, stateHash, bindingHash, verifier string, at, expires time.Time) error
	// TakeAttempt ends an attempt and returns its verifier; fault.NotFound for one that is unknown, over, or another
	// browser's.
	TakeAttempt(ctx context.Context, stateHash, bindingHash string, at time.Time) (verifier string, err error)
}

// ExternalLoginOptions are the parts of external logins.
type ExternalLoginOptions struct {
	Accounts *Service
	Platform interface {
		Linking
		// Player returns fault.NotFound for an unknown id.
		Player(ctx context.Context, playerID string) (Identity, error)
	}
	Attempts Attempts
	Clock    clock.Clock
	// ContextKey is what the game's server signs contexts with (HS256); nil where it signs none.
	ContextKey []byte
	// Tickets takes the session tickets of the game platform as contexts; nil where it has none or none are wanted.
	Tickets Tickets
	// X is nil where nobody signs in by X.
	X Provider
}

// ExternalLogins signs players in by a game's link, by X or by a session of the game platform. It is safe for concurrent use.
type ExternalLogins struct{ o ExternalLoginOptions }

// NewExternalLogins returns the capability.
func NewExternalLogins(o ExternalLoginOptions) *ExternalLogins { return &ExternalLogins{o} }

// HasX tells whether players can sign in by X.
func (e *ExternalLogins) HasX() bool { return e.o.X != nil }

// ContextLogin signs a player in by the context with which a game sends them: a JWT that the game's server has signed
// (sub is the player, jti is used once, exp is at most ContextTTL away), or a session ticket of the game platform, once
// too. The parameters say where the player comes from and are kept with the login, within bounds: nobody is kept out for them. It
// returns ErrContext for a context that is not good (any more), and ErrNoContexts where the site takes none.
func (e *ExternalLogins) ContextLogin(ctx context.Context, text string, parameters map[string]string) (Credentials, error) {
	now := e.o.Clock.Now()
	arrival := Arrival{Parameters: keptOf(parameters)}
	switch isToken := strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 2; {
	case text == "" || len(text) > maxContext:
		return Credentials{}, ErrContext
	case isToken && e.o.ContextKey != nil:
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
		return e.o.Accounts.open(ctx, id, now, &arrival)
	case e.o.ContextKey == nil:
		return Credentials{}, ErrNoContexts
	}
	return Credentials{}, ErrContext
}

// ticketHash returns the hash under which a used session ticket is kept. The game platform does not document how it compares
// tickets, so the ticket is normalized first: two encodings of one ticket must have the same hash. Only letters and digits are
// hashed, in lower case, without the last one, some bits of which base64 decoders ignore.
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
	_, err := jwt.ParseWithClaims(text, &c, func(*jwt.Token) (any, error) { return e.o.ContextKey, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(contextSkew),
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
	// Until the leeway is over too, so that it cannot come a second time.
	arrival.ContextHash, arrival.ExpiresAt = HashSecret(c.ID), c.ExpiresAt.Add(contextSkew)
	// A player who has ended all sessions, say with a new password, did not mean the links from before.
	proven := c.ExpiresAt.Add(-ContextTTL)
	if c.IssuedAt != nil {
		proven = c.IssuedAt.Time
	}
	if proven.After(now) {
		proven = now
	}
	credentials, err := e.o.Accounts.open(ctx, id, proven, &arrival)
	if fault.Is(err, fault.Unauthorized) {
		err = ErrContext.Because(err)
	}
	return credentials, err
}

// keptOf returns those of the parameters that are kept: the first by name, without what is too long or no text.
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

// NewContext returns a one-time context for a player, as the game's server makes one: for operators and tests.
func NewContext(key []byte, playerID string, now time.Time) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: playerID, ID: rand.Text(), IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(ContextTTL)),
	}).SignedString(key)
}

// Attempt is a sign-in at another site that was begun.
type Attempt struct {
	URL string // where to send the browser
	// Binding is what the browser keeps and shows when it comes back: it proves that the one who comes back is the one who
	// left, so that nobody can be signed in to somebody else's account by a link.
	Binding string
}

// BeginX begins a sign-in by X. It returns ErrNoProvider where that is not set up.
func (e *ExternalLogins) BeginX(ctx context.Context) (Attempt, error) {
	if e.o.X == nil {
		return Attempt{}, ErrNoProvider
	}
	state, binding, verifier := rand.Text(), rand.Text(), rand.Text()+rand.Text() // 52 letters and digits: RFC 7636 asks for 43
	now := e.o.Clock.Now()
	if err := e.o.Attempts.SaveAttempt(ctx, HashSecret(state), HashSecret(binding), verifier, now, now.Add(AttemptTTL)); err != nil {
		return Attempt{}, err
	}
	return Attempt{URL: e.o.X.AuthorizeURL(state, verifier), Binding: binding}, nil
}

// FinishX signs in whoever X says it is, and makes an account the first time. It returns ErrNoProvider where that is not
// set up, ErrAttempt for an attempt that is over, unknown or another browser's and for a code that X does not take, and
// fault.Unavailable when X does not answer. An attempt is over with its first answer, whatever it is.
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
	id, err := e.o.Platform.LinkedPlayer(ctx, "x", who.ID, namesFrom(who.Handle))
	if err != nil {
		return Credentials{}, err
	}
	return e.o.Accounts.open(ctx, id, now, nil)
}

// namesFrom returns display names for a player with the given handle at the other site: the handle, if it is a name here, and the handle with a
// number for when it is not or is taken.
func namesFrom(handle string) (names []string) {
	const numbered, digits = 7, 5
	handle = cleanName(handle)
	add := func(name string) {
		if NameFault(name) == "" {
			names = append(names, name)
		}
	}
	add(handle)
	for _, stem := range []string{handle, "Player"} {
		for range numbered {
			n, err := rand.Int(rand.Reader, big.NewInt(90_000))
			if err != nil {
				panic(err) // never fails, by its contract
			}
			letters := []rune(stem)
			add(fmt.Sprintf("%s%d", string(letters[:min(len(letters), maxName-digits)]), n.Int64()+10_000))
		}
	}
	return names
}
