package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

const (
	// TokenTTL is the lifetime of a token and of its session.
	TokenTTL = 24 * time.Hour
	// WalletTokenTTL is the lifetime of an embedded wallet token.
	WalletTokenTTL = 15 * time.Minute
	// ExpiryAnnounced is how long after its expiry the end of a session is still announced.
	ExpiryAnnounced = 24 * time.Hour
	// sessionMemory is how long an expired session is kept: the activity list shows sign-ins.
	sessionMemory = 90 * 24 * time.Hour
	// MaxSessions is the maximum number of a player's open sessions: a new one ends the oldest. It exceeds any real use; only a
	// program opens more.
	MaxSessions = 50

	// touchInterval is the resolution of a session's last-seen time: recording every request would cost a write per
	// request.
	touchInterval = 5 * time.Minute
)

var (
	errNoSession  = fault.New(fault.NotFound, "This session has ended already.")
	errByPassword = fault.New(fault.Forbidden, "Please sign in with X or from the game, "+
		"then do this within ten minutes.").WithReason(ReasonStale) // approval.FreshSignIn
)

// ListSessions returns the caller's open sessions, newest first.
func (s *Service) ListSessions(ctx context.Context, c Caller) ([]Session, error) {
	return s.o.Sessions.OpenSessions(ctx, c.PlayerID, s.o.Clock.Now())
}

// SignedInAt returns when the caller signed in, if that proves who the player is: by an external login, as those without an
// address do. It returns the zero time for players who have none, fault.Forbidden with ReasonStale for a session that was opened
// by a password, which a new address may have set, or by a passkey, and fault.NotFound for an unknown session.
func (s *Service) SignedInAt(ctx context.Context, c Caller) (time.Time, error) {
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return time.Time{}, err
	}
	proofs, err := s.o.Emails.Proofs(ctx, c.PlayerID)
	if err != nil || id.Email != "" && !proofs.Linked {
		return time.Time{}, err
	}
	session, err := s.o.Sessions.Session(ctx, c.SessionID)
	if err == nil && !session.External {
		err = errByPassword
	}
	return session.CreatedAt, err
}

// EndSession ends one of the caller's sessions, which may be the current one, and its connections. It returns
// fault.NotFound for a session that has ended or is another player's.
func (s *Service) EndSession(ctx context.Context, c Caller, id string) error {
	if err := s.o.Sessions.RevokeSessionOf(ctx, c.PlayerID, id, s.o.Clock.Now()); err != nil {
		if fault.Is(err, fault.NotFound) {
			return errNoSession
		}
		return err
	}
	s.closeConnections(ctx, id)
	return nil
}

// EndOtherSessions ends all of the caller's sessions but the current one, and returns how many it ended.
func (s *Service) EndOtherSessions(ctx context.Context, c Caller) (int, error) {
	now := s.o.Clock.Now()
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		// The email is skipped; the sessions still end.
		s.o.Report(fmt.Errorf("no email on the ended sessions of %s: %w", c.PlayerID, err))
	}
	return s.endSessions(ctx, EndSessions{
		PlayerID: c.PlayerID, Keep: c.SessionID, At: now, Since: now, Message: s.confirmedEmailTo(sessionsEndedEmail(s.o.Site), id),
	})
}

// endSessions ends sessions and their connections.
func (s *Service) endSessions(ctx context.Context, e EndSessions) (int, error) {
	ended, err := s.o.Sessions.EndSessions(ctx, e)
	if err != nil {
		return 0, err
	}
	s.closeConnections(ctx, ended...)
	return len(ended), nil
}

// closeConnections closes the connections of ended sessions, even if the request was cancelled. The sessions have
// ended either way, so errors are reported, not returned.
func (s *Service) closeConnections(ctx context.Context, sessions ...string) {
	ctx = context.WithoutCancel(ctx)
	for _, id := range sessions {
		if err := s.o.Connections.CloseSession(ctx, id); err != nil {
			s.o.Report(fmt.Errorf("closing the connections of an ended session: %w", err))
		}
	}
}

type browserKey struct{}

type browser struct{ agent, id string }

// FromBrowser stores in the context the browser with which the player signs in: its User-Agent, of which only the result of
// Browser is kept, and the random id that it was given, of which only a hash is kept; "" for none.
func FromBrowser(ctx context.Context, userAgent, id string) context.Context {
	return context.WithValue(ctx, browserKey{}, browser{userAgent, id})
}

type networkKey struct{}

// FromNetwork stores in the context the network from which a call comes, in any form that tells networks apart.
func FromNetwork(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, networkKey{}, network)
}

// NetworkOf returns the network set by FromNetwork; "" if there is none.
func NetworkOf(ctx context.Context) string {
	network, _ := ctx.Value(networkKey{}).(string)
	return network
}

// browserOf returns the name of the context's browser and the hash of its id, each "" if unknown.
func browserOf(ctx context.Context) (b struct{ name, hash string }) {
	from, _ := ctx.Value(browserKey{}).(browser)
	b.name = Browser(from.agent)
	if from.id != "" {
		b.hash = HashSecret(from.id)
	}
	return b
}

// newBrowser returns the email about a sign-in from a browser that is new to the account; nil for none.
func (s *Service) newBrowser(ctx context.Context, id Identity) *email.Message {
	return s.confirmedEmailTo(newBrowserEmail(s.o.Site, browserOf(ctx).name, s.o.Clock.Now()), id)
}

// named maps a token in a User-Agent to a name. The first match counts, since many browsers name others besides
// themselves.
type named struct{ token, name string }

// Browser returns a description of a User-Agent's browser, such as "Firefox on Linux"; "" if it is unknown.
func Browser(userAgent string) string {
	first := func(of []named) string {
		for _, n := range of {
			if strings.Contains(userAgent, n.token) {
				return n.name
			}
		}
		return ""
	}
	browser := first([]named{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	})
	system := first([]named{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"},
		{"Linux", "Linux"},
	})
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser != "":
		return browser
	}
	return system
}
