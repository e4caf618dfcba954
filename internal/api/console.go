package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
)

// ConsoleOptions are the dependencies and settings of the console's calls.
type ConsoleOptions struct {
	RequestOptions
	Team        *operator.Team
	Passkeys    *passkey.Service // of operators
	Operators   *operator.Service
	SecurityLog securitylog.Reader
	Health      *health.Monitor
	// PlayerPasskeys are those of players; nil for none.
	PlayerPasskeys *passkey.Service
	Currency       ClientCurrency // the market's
	URL            string         // of the console's origin
}

// ConsolePath is the path below which the console's calls are.
const ConsolePath = "/api/operate/"

const (
	consoleScheme = "operator"
	// The cookie of an operator's session, which scripts cannot read. The prefix keeps other hosts of the domain from setting it.
	operatorCookie       = "operator"
	secureOperatorCookie = "__Host-" + operatorCookie // needs https
	// backgroundHeader marks requests that no operator has caused, such as those of a timer. They do not extend the session.
	backgroundHeader = "X-Background"
)

// console is the part of the API that the console has.
type console struct {
	ConsoleOptions
	*API
	origins *http.CrossOriginProtection
}

// NewConsole returns the console's calls, which have a contract of their own: api/operate.yaml.
func NewConsole(o ConsoleOptions) (*API, error) {
	origins := http.NewCrossOriginProtection()
	if u, err := url.Parse(o.URL); err == nil && u.Host != "" { // a proxy may send another host
		if err := origins.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			return nil, fmt.Errorf("console: %w", err)
		}
	}
	a := newAPI(Options{RequestOptions: o.RequestOptions}, "Console", "The operators' calls. The session is a cookie, which a sign-in sets; "+
		"calls that change something need the confirmation of a passkey within the last five minutes.")
	a.huma.OpenAPI().Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		consoleScheme: {
			Type: "apiKey", In: "cookie", Name: secureOperatorCookie, Description: "The session. Without https it is called operator.",
		},
	}
	c := &console{o, a, origins}
	c.registerSessions()
	c.registerTeam()
	c.registerPlayers()
	c.registerGoods()
	a.describeLimits()
	return a, nil
}

// tags of the console's contract
const (
	tagSession = "Session"
	tagTeam    = "Team"
	tagPlayers = "Players"
	tagGoods   = "Rewards and orders"
	tagPortal  = "Portal"
)

type sessionKey struct{}

// sessionOf returns the operator's session; only calls of signed-in operators have one.
func sessionOf(ctx context.Context) operator.Session {
	s, _ := ctx.Value(sessionKey{}).(operator.Session)
	return s
}

// by returns who acts, for a reason.
func by(ctx context.Context, reason string) operator.By {
	name := sessionOf(ctx).Operator.Name
	return operator.By{Who: name, As: name, Reason: reason}
}

// crossOrigin refuses what another site has made the browser send.
func (c *console) crossOrigin(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if err := c.origins.Check(r); err != nil {
		return nil, fault.New(fault.Forbidden, "The console takes requests of its own pages only.").Because(err)
	}
	return r, nil
}

// identifyOperator passes on requests of signed-in operators only.
func (c *console) identifyOperator(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if c.Team == nil {
		return nil, operator.ErrOff
	}
	token := ""
	if cookie, err := r.Cookie(c.cookieName()); err == nil {
		token = cookie.Value
	}
	s, err := c.Team.Authenticate(r.Context(), token, r.Header.Get(backgroundHeader) != "")
	if err != nil {
		return nil, err
	}
	origin := securitylog.OriginOf(r.Context())
	origin.Session = s.ID
	return with(r.WithContext(securitylog.With(r.Context(), origin)), sessionKey{}, s), nil
}

// entitled passes on requests of operators who have the right to a command. Others are logged.
func (c *console) entitled(command string) check {
	return func(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
		s := sessionOf(r.Context())
		err := s.Operator.Role.Check(command)
		if err != nil {
			if err := c.Team.LogRefusal(r.Context(), s, command, err); err != nil {
				return nil, err
			}
		}
		return r, err
	}
}

// confirmed passes on requests of sessions that a passkey has confirmed a short while ago.
func (c *console) confirmed(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	return r, c.Team.CheckConfirmed(sessionOf(r.Context()))
}

// visitor registers a call of somebody who is not signed in. Each is limited by the caller's network.
func visitor[I, O any](c *console, k call, handle func(context.Context, *I) (*O, error)) {
	k.limits = []limiter{{perMinute: c.Limits.LoginsPerMinute, key: byAddress}}
	k.errors = append(k.errors, http.StatusConflict)
	register(c.API, c.operation(k, "", c.crossOrigin), func(ctx context.Context, in *I) (*O, error) {
		if c.Team == nil {
			return nil, operator.ErrOff
		}
		return handle(ctx, in)
	})
}

// ownCall registers a call about the operator's own session.
func ownCall[I, O any](c *console, k call, handle func(context.Context, operator.Session, *I) (*O, error)) {
	register(c.API, c.operation(k, consoleScheme, c.crossOrigin, c.identifyOperator), bySession(handle))
}

// view registers a call that shows something to those who have the right to a command.
func view[I, O any](c *console, command string, k call, handle func(context.Context, operator.Session, *I) (*O, error)) {
	k.errors = append(k.errors, http.StatusForbidden)
	k.after = []check{c.entitled(command)} // a refusal is logged: a write
	register(c.API, c.operation(k, consoleScheme, c.crossOrigin, c.identifyOperator), bySession(handle))
}

// act registers a call that changes something, which needs the right to a command and a confirmed session. The right is checked again in
// the transaction.
func act[I, O any](c *console, command string, k call, handle func(context.Context, operator.Session, *I) (*O, error)) {
	k.limits = []limiter{{perMinute: c.Limits.CartPerMinute, key: byPlayer}}
	k.errors = append(k.errors, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict)
	k.after = []check{c.entitled(command), c.confirmed}
	register(c.API, c.operation(k, consoleScheme, c.crossOrigin, c.identifyOperator), bySession(handle))
}

func bySession[I, O any](handle func(context.Context, operator.Session, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) { return handle(ctx, sessionOf(ctx), in) }
}

// OperatorSession describes the session of the calling operator.
type OperatorSession struct {
	ID             string        `json:"id" doc:"The operator's id."`
	Name           string        `json:"name" doc:"The name by which the log has what the operator does."`
	Role           operator.Role `json:"role" doc:"What the operator may do." enum:"support,economy,security,owner"`
	Rights         []string      `json:"rights" doc:"What it consists of, by commands such as player freeze." nullable:"false"`
	ExpiresAt      time.Time     `json:"expiresAt" doc:"When the session ends in any case."`
	IdleAt         time.Time     `json:"idleAt" doc:"When it ends without another request."`
	ConfirmedUntil time.Time     `json:"confirmedUntil" doc:"Until when it can change something without another confirmation."`
}

// NewOperatorSession is the response of a sign-in.
type NewOperatorSession struct {
	SetCookie http.Cookie `header:"Set-Cookie" doc:"The session."`
	Body      OperatorSession
}

// OperatorAnswer is what an operator's passkey has answered.
type OperatorAnswer struct {
	Response any `json:"response" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.get has returned."`
}

// InvitationToken names an invitation.
type InvitationToken struct {
	Token string `json:"token" doc:"The part of the link after #." minLength:"1" maxLength:"100"`
}

// InvitationOptions are whom an invitation is for, and what to make the passkey with.
type InvitationOptions struct {
	Name    string        `json:"name" doc:"The operator's name."`
	Role    operator.Role `json:"role" doc:"The operator's role." enum:"support,economy,security,owner"`
	Options any           `json:"options" doc:"What PublicKeyCredential.parseCreationOptionsFromJSON takes."`
}

// InvitationAnswer accepts an invitation.
type InvitationAnswer struct {
	Token       string `json:"token" doc:"The part of the link after #." minLength:"1" maxLength:"100"`
	PasskeyName string `json:"passkeyName,omitempty" doc:"What the operator calls the passkey, at most 40 characters." maxLength:"400"`
	Response    any    `json:"response" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.create has returned."`
}

func operatorSession(s operator.Session) OperatorSession {
	return OperatorSession{
		ID: s.Operator.ID, Name: s.Operator.Name, Role: s.Operator.Role, Rights: s.Operator.Role.Rights(),
		ExpiresAt: s.ExpiresAt(), IdleAt: s.IdleAt(), ConfirmedUntil: s.ConfirmedUntil(),
	}
}

func (c *console) cookieName() string {
	if strings.HasPrefix(c.URL, "https://") {
		return secureOperatorCookie
	}
	return operatorCookie
}

// cookie returns the cookie of a session; "" for none, which removes it.
func (c *console) cookie(token string) http.Cookie {
	name := c.cookieName()
	out := http.Cookie{
		Name: name, Value: token, Path: "/", MaxAge: int(operator.SessionTTL / time.Second),
		HttpOnly: true, Secure: name == secureOperatorCookie, SameSite: http.SameSiteStrictMode,
	}
	if token == "" {
		out.MaxAge = -1
	}
	return out
}

func (c *console) opened(s operator.Session, token string, err error) (*NewOperatorSession, error) {
	if err != nil {
		return nil, err
	}
	return &NewOperatorSession{c.cookie(token), operatorSession(s)}, nil
}

func (c *console) registerSessions() {
	visitor(c, call{
		method: http.MethodGet, path: ConsolePath + "sign-in", id: "consoleBeginSignIn", tag: tagSession,
		summary: "What to ask a browser for, to sign in",
	}, func(context.Context, *Empty) (*Body[PasskeyOptions], error) {
		return passkeyOptions(c.Team.BeginSignIn())
	})
	visitor(c, call{
		method: http.MethodPost, path: ConsolePath + "sign-in", id: "consoleSignIn", tag: tagSession, summary: "Sign in by a passkey",
		errors: []int{400, 403},
	}, func(ctx context.Context, in *Body[OperatorAnswer]) (*NewOperatorSession, error) {
		response, err := browserResponse("body.response", in.Body.Response)
		if err != nil {
			return nil, err
		}
		return c.opened(c.Team.SignIn(ctx, response))
	})
	visitor(c, call{
		method: http.MethodPost, path: ConsolePath + "join/options", id: "consoleBeginJoin", tag: tagSession,
		summary: "What to make the passkey of an invitation with", errors: []int{400, 404},
	}, func(ctx context.Context, in *Body[InvitationToken]) (*Body[InvitationOptions], error) {
		o, options, err := c.Team.BeginJoin(ctx, in.Body.Token)
		return body(InvitationOptions{o.Name, o.Role, rawJSON(options)}), err
	})
	visitor(c, call{
		method: http.MethodPost, path: ConsolePath + "join", id: "consoleJoin", tag: tagSession,
		summary: "Accept an invitation with the passkey that the browser has made", errors: []int{400, 403, 404},
	}, func(ctx context.Context, in *Body[InvitationAnswer]) (*NewOperatorSession, error) {
		response, err := browserResponse("body.response", in.Body.Response)
		if err != nil {
			return nil, err
		}
		return c.opened(c.Team.Join(ctx, in.Body.Token, in.Body.PasskeyName, response))
	})
	ownCall(c, call{
		method: http.MethodGet, path: ConsolePath + "session", id: "consoleGetSession", tag: tagSession, summary: "Who is signed in",
	}, func(_ context.Context, s operator.Session, _ *Empty) (*Body[OperatorSession], error) {
		return body(operatorSession(s)), nil
	})
	ownCall(c, call{
		method: http.MethodPost, path: ConsolePath + "sign-out", id: "consoleSignOut", tag: tagSession, summary: "End the session",
	}, func(ctx context.Context, s operator.Session, _ *Empty) (*SignedOutOperator, error) {
		return &SignedOutOperator{c.cookie(""), Success{Success: true}}, c.Team.SignOut(ctx, s)
	})
	ownCall(c, call{
		method: http.MethodGet, path: ConsolePath + "confirm", id: "consoleBeginConfirm", tag: tagSession,
		summary: "What to ask a browser for, to confirm the session", errors: []int{409},
	}, func(ctx context.Context, s operator.Session, _ *Empty) (*Body[PasskeyOptions], error) {
		return passkeyOptions(c.Team.BeginConfirm(ctx, s))
	})
	ownCall(c, call{
		method: http.MethodPost, path: ConsolePath + "confirm", id: "consoleConfirm", tag: tagSession,
		summary: "Confirm the session by a passkey, so that it can change something", errors: []int{400, 403},
		limits: []limiter{{perMinute: c.Limits.LoginsPerMinute, key: byPlayer}},
	}, func(ctx context.Context, s operator.Session, in *Body[OperatorAnswer]) (*Body[OperatorSession], error) {
		response, err := browserResponse("body.response", in.Body.Response)
		if err != nil {
			return nil, err
		}
		s, err = c.Team.Confirm(ctx, s, response)
		return body(operatorSession(s)), err
	})
}

// SignedOutOperator is the response of a sign-out.
type SignedOutOperator struct {
	SetCookie http.Cookie `header:"Set-Cookie" doc:"Removes the session."`
	Body      Success
}
