package operator

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
)

const (
	// InvitationTTL is how long an invitation is good.
	InvitationTTL = 72 * time.Hour
	// SessionTTL is how long a session lasts at most.
	SessionTTL = 12 * time.Hour
	// IdleTTL is how long a session lasts without a request that an operator has caused.
	IdleTTL = 15 * time.Minute
	// ConfirmTTL is how long after a passkey's confirmation a session may act.
	ConfirmTTL = 5 * time.Minute
	// seenInterval is how exactly the time of the last request is stored.
	seenInterval = 30 * time.Second
)

// Operator is somebody who signs in to the console.
type Operator struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"` // by which the log and --as name them; never given to another
	Role         Role      `json:"role"`
	CreatedAt    time.Time `json:"createdAt"`
	SeenAt       time.Time `json:"seenAt,omitzero"` // in an open session; zero without one
	Passkeys     int       `json:"passkeys"`
	InvitedUntil time.Time `json:"invitedUntil,omitzero"` // until when an unused invitation is good; zero for none
}

// Invitation is a link by which an operator adds the first passkey, once.
type Invitation struct {
	Operator  Operator  `json:"operator"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Session is an operator's session at the console.
type Session struct {
	ID          string
	Operator    Operator
	OpenedAt    time.Time
	SeenAt      time.Time
	ConfirmedAt time.Time // by a passkey
}

// ExpiresAt returns when the session ends in any case.
func (s Session) ExpiresAt() time.Time { return s.OpenedAt.Add(SessionTTL) }

// IdleAt returns when the session ends without another request.
func (s Session) IdleAt() time.Time { return s.SeenAt.Add(IdleTTL) }

// ConfirmedUntil returns until when the session may act.
func (s Session) ConfirmedUntil() time.Time { return s.ConfirmedAt.Add(ConfirmTTL) }

// over reports whether the session has ended by a time.
func (s Session) over(now time.Time) bool {
	return !now.Before(s.ExpiresAt()) || !now.Before(s.IdleAt())
}

// TeamStore stores operators and their sessions. Hashes are those of HashToken. A method that takes an Entry is an act, as in Store.
type TeamStore interface {
	// Operators returns those who were not removed, in the order of their names, with the sessions that are open at a time.
	Operators(ctx context.Context, now time.Time) ([]Operator, error)
	// AddOperator adds an operator with an invitation. It returns fault.Conflict for a name that somebody has or had.
	AddOperator(ctx context.Context, o Operator, hash string, expires time.Time, e Entry) error
	// Invite replaces an operator's invitation, removes all passkeys and ends all sessions. It returns fault.NotFound.
	Invite(ctx context.Context, id, hash string, expires time.Time, e Entry) (Operator, error)
	// SetRole changes an operator's role. It returns fault.NotFound.
	SetRole(ctx context.Context, id string, r Role, e Entry) (Operator, error)
	// RemoveOperator removes an operator with passkeys, sessions and invitation. The name stays taken. It returns fault.NotFound.
	RemoveOperator(ctx context.Context, id string, e Entry) (Operator, error)
	// Invited returns the operator of an invitation that is good at a time, or fault.NotFound.
	Invited(ctx context.Context, hash string, now time.Time) (Operator, error)
	// OpenSession opens a session, and logs it. The passkey must be the operator's still: it returns fault.NotFound otherwise.
	OpenSession(ctx context.Context, s Session, hash, passkeyID string) error
	// SessionBy returns a session by the hash of its token, or fault.NotFound.
	SessionBy(ctx context.Context, hash string) (Session, error)
	// SetSeen stores when a session was last used.
	SetSeen(ctx context.Context, sessionID string, at time.Time) error
	// SetConfirmed stores when a session was confirmed, and logs it. It returns fault.NotFound if it has ended.
	SetConfirmed(ctx context.Context, s Session, at time.Time) error
	// EndSession ends a session, and logs it.
	EndSession(ctx context.Context, s Session) error
	// LogRefusal logs that an operator tried what the role has no right to.
	LogRefusal(ctx context.Context, s Session, command, why string) error
	// DropSessions deletes sessions that were opened or last used before these times, and invitations that have expired.
	DropSessions(ctx context.Context, opened, seen, now time.Time) error
}

// Passkeys verifies operators' passkeys.
type Passkeys interface {
	Enabled() bool
	// BeginJoin and FinishJoin add the passkey of an invitation by its hash, which FinishJoin uses up.
	BeginJoin(ctx context.Context, operatorID, hash string) (options []byte, err error)
	FinishJoin(ctx context.Context, operatorID, hash, name string, response []byte) (passkeyID string, err error)
	// BeginSignIn and SignIn find out whose passkey answers.
	BeginSignIn() (options []byte, err error)
	SignIn(ctx context.Context, response []byte) (operatorID, passkeyID string, at time.Time, err error)
	// BeginConfirm and Confirm confirm a session by a passkey of its operator.
	BeginConfirm(ctx context.Context, operatorID, sessionID string) (options []byte, err error)
	Confirm(ctx context.Context, operatorID, sessionID string, response []byte) error
}

// TeamOptions are the dependencies of a Team.
type TeamOptions struct {
	Store    TeamStore
	Passkeys Passkeys // nil for commands, which sign nobody in
	Clock    clock.Clock
	URL      string // of the console's origin, such as https://portal.example; "" where passkeys do not work
}

// Team is who operates the portal: operators, their roles, invitations and sessions. It is safe for concurrent use.
type Team struct{ o TeamOptions }

// NewTeam returns a Team.
func NewTeam(o TeamOptions) *Team { return &Team{o} }

// Faults of operators' sessions.
var (
	ErrSignedOut = fault.New(fault.Unauthorized, "Your session has ended. Sign in again.")
	ErrOff       = fault.New(fault.Conflict, "The console needs passkeys, and PUBLIC_URL has no domain for them. "+
		"Set it to an address with one, or set OPERATE_ADDR and OPERATE_URL.").WithReason("not-set-up")
	ErrConfirm = fault.New(fault.Forbidden, "Confirm with your passkey that it is you.").WithReason("confirm")
	errInvited = fault.New(fault.NotFound, "This invitation was used, replaced or has expired. Ask for a new one.").WithReason("invitation")
	errSelf    = fault.New(fault.Conflict, "Another owner must do this for you.").WithReason("self")
)

// HashToken returns what is stored of a token: its SHA-256, in hexadecimal.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// namePattern has no @, with which the log writes accounts of the system, and one script, so that names that look alike compare equal.
var namePattern = regexp.MustCompile(`^[\p{Latin}0-9](?:[\p{Latin}0-9 ._'-]{0,38}[\p{Latin}0-9])?$`)

// cleanName returns a name with single spaces; fault.Invalid for one that is no name.
func cleanName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if !namePattern.MatchString(name) {
		message := "A name has 1 to 40 Latin letters, digits, spaces and . _ ' -"
		return "", fault.InvalidFields(message, fault.Field{Location: "body.name", Message: message})
	}
	return name, nil
}

// SameName reports whether two texts are one operator's name; case and spaces do not matter.
func SameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// Subject returns how the security log names an operator as the subject of an entry. No player's id is like it.
func Subject(name string) string { return "operator " + name }

func checkRole(r Role) error {
	if !r.known() {
		message := "The role must be support, economy, security or owner."
		return fault.InvalidFields(message, fault.Field{Location: "body.role", Message: message})
	}
	return nil
}

// List returns the operators.
func (t *Team) List(ctx context.Context) ([]Operator, error) {
	return t.o.Store.Operators(ctx, t.o.Clock.Now())
}

// Find returns the operator with a name. It returns fault.NotFound.
func (t *Team) Find(ctx context.Context, name string) (Operator, error) {
	return t.one(ctx, name, func(o Operator) bool { return SameName(o.Name, name) })
}

func (t *Team) one(ctx context.Context, written string, is func(Operator) bool) (Operator, error) {
	list, err := t.List(ctx)
	if i := slices.IndexFunc(list, is); i >= 0 && err == nil {
		return list[i], nil
	}
	return Operator{}, cmp.Or(err, error(fault.New(fault.NotFound, "There is no operator %q.", written)))
}

// Add adds an operator and returns the invitation, whose link is shown once. It returns fault.Invalid with the field, and fault.Conflict
// for a name that somebody has or had.
func (t *Team) Add(ctx context.Context, name string, r Role, by By) (Invitation, error) {
	name, err := cleanName(name)
	if err == nil {
		err = checkRole(r)
	}
	if err == nil && t.o.URL == "" {
		err = ErrOff // the link would lead nowhere
	}
	if err != nil {
		return Invitation{}, err
	}
	now := t.o.Clock.Now()
	e, err := by.Entry(now, "operator add", Subject(name), "as "+string(r))
	if err != nil {
		return Invitation{}, err
	}
	i, token := t.invitation(now)
	i.Operator = Operator{ID: rand.Text(), Name: name, Role: r, CreatedAt: now, InvitedUntil: i.ExpiresAt}
	return i, t.o.Store.AddOperator(ctx, i.Operator, HashToken(token), i.ExpiresAt, e)
}

// Invite returns a new invitation of an operator who has lost the passkeys, all of which end with the sessions. It returns fault.NotFound,
// and fault.Conflict for the caller.
func (t *Team) Invite(ctx context.Context, id string, by By) (Invitation, error) {
	if t.o.URL == "" {
		return Invitation{}, ErrOff // the link would lead nowhere, and the operator would be locked out
	}
	e, err := t.actOn(ctx, id, "operator invite", "", by)
	if err != nil {
		return Invitation{}, err
	}
	i, token := t.invitation(e.At)
	i.Operator, err = t.o.Store.Invite(ctx, id, HashToken(token), i.ExpiresAt, e)
	return i, err
}

func (t *Team) invitation(now time.Time) (i Invitation, token string) {
	token = rand.Text()
	return Invitation{URL: t.o.URL + "/operate/join#" + token, ExpiresAt: now.Add(InvitationTTL)}, token
}

// SetRole changes an operator's role, which open sessions have at once. It returns fault.Invalid with the field, fault.NotFound, and
// fault.Conflict for the caller.
func (t *Team) SetRole(ctx context.Context, id string, r Role, by By) (Operator, error) {
	if err := checkRole(r); err != nil {
		return Operator{}, err
	}
	e, err := t.actOn(ctx, id, "operator role", "to "+string(r), by)
	if err != nil {
		return Operator{}, err
	}
	return t.o.Store.SetRole(ctx, id, r, e)
}

// Remove removes an operator, whose sessions end at once. It returns fault.NotFound, and fault.Conflict for the caller.
func (t *Team) Remove(ctx context.Context, id string, by By) (Operator, error) {
	e, err := t.actOn(ctx, id, "operator remove", "", by)
	if err != nil {
		return Operator{}, err
	}
	return t.o.Store.RemoveOperator(ctx, id, e)
}

// actOn returns the entry of an act on an operator, who is another one than who acts.
func (t *Team) actOn(ctx context.Context, id, command, detail string, by By) (Entry, error) {
	o, err := t.one(ctx, id, func(o Operator) bool { return o.ID == id })
	if err == nil && by.As != "" && SameName(by.As, o.Name) {
		err = errSelf
	}
	if err != nil {
		return Entry{}, err
	}
	return by.Entry(t.o.Clock.Now(), command, Subject(o.Name), detail)
}

// BeginJoin returns who an invitation is for, and the options with which the browser makes the passkey. It returns ErrOff, and
// fault.NotFound for an invitation that is not good.
func (t *Team) BeginJoin(ctx context.Context, token string) (o Operator, options []byte, err error) {
	if !t.o.Passkeys.Enabled() {
		return o, nil, ErrOff
	}
	if o, err = t.invited(ctx, token); err != nil {
		return o, nil, err
	}
	options, err = t.o.Passkeys.BeginJoin(ctx, o.ID, HashToken(token))
	return o, options, err
}

func (t *Team) invited(ctx context.Context, token string) (Operator, error) {
	o, err := t.o.Store.Invited(ctx, HashToken(token), t.o.Clock.Now())
	if fault.Is(err, fault.NotFound) {
		err = errInvited
	}
	return o, err
}

// Join adds the passkey that the browser has made for an invitation, which is used up, and opens a session. Faults are those of BeginJoin
// and of the passkeys.
func (t *Team) Join(ctx context.Context, token, passkeyName string, response []byte) (s Session, sessionToken string, err error) {
	if !t.o.Passkeys.Enabled() {
		return s, "", ErrOff
	}
	o, err := t.invited(ctx, token)
	if err != nil {
		return s, "", err
	}
	passkeyID, err := t.o.Passkeys.FinishJoin(ctx, o.ID, HashToken(token), passkeyName, response)
	if err != nil {
		return s, "", err
	}
	return t.open(ctx, o.ID, passkeyID, t.o.Clock.Now())
}

// BeginSignIn returns the options with which a browser asks for a passkey. It returns ErrOff.
func (t *Team) BeginSignIn() ([]byte, error) {
	if !t.o.Passkeys.Enabled() {
		return nil, ErrOff
	}
	return t.o.Passkeys.BeginSignIn()
}

// SignIn opens a session of the operator whose passkey has answered, and returns its token, of which only the hash is stored.
func (t *Team) SignIn(ctx context.Context, response []byte) (s Session, token string, err error) {
	if !t.o.Passkeys.Enabled() {
		return s, "", ErrOff
	}
	operatorID, passkeyID, at, err := t.o.Passkeys.SignIn(ctx, response)
	if err != nil {
		return s, "", err
	}
	return t.open(ctx, operatorID, passkeyID, at)
}

func (t *Team) open(ctx context.Context, operatorID, passkeyID string, at time.Time) (s Session, token string, err error) {
	token = rand.Text()
	s = Session{ID: rand.Text(), Operator: Operator{ID: operatorID}, OpenedAt: at, SeenAt: at, ConfirmedAt: at}
	if err := t.o.Store.OpenSession(ctx, s, HashToken(token), passkeyID); err != nil {
		return Session{}, "", err
	}
	s, err = t.o.Store.SessionBy(ctx, HashToken(token))
	return s, token, err
}

// Authenticate returns the session of a token. A request in the background, which no operator has caused, does not extend it. It returns
// ErrSignedOut for an unknown token and a session that is over.
func (t *Team) Authenticate(ctx context.Context, token string, background bool) (Session, error) {
	if token == "" {
		return Session{}, ErrSignedOut
	}
	s, err := t.o.Store.SessionBy(ctx, HashToken(token))
	now := t.o.Clock.Now()
	if fault.Is(err, fault.NotFound) || err == nil && s.over(now) {
		return Session{}, ErrSignedOut
	}
	if err != nil || background || now.Sub(s.SeenAt) < seenInterval {
		return s, err
	}
	s.SeenAt = now
	// A database that takes no writes must not keep operators out: they look what is wrong.
	_ = t.o.Store.SetSeen(ctx, s.ID, now)
	return s, nil
}

// CheckConfirmed returns ErrConfirm unless a passkey has confirmed the session within ConfirmTTL.
func (t *Team) CheckConfirmed(s Session) error {
	if !t.o.Clock.Now().Before(s.ConfirmedUntil()) {
		return ErrConfirm
	}
	return nil
}

// LogRefusal logs that an operator tried a command without the right to it.
func (t *Team) LogRefusal(ctx context.Context, s Session, command string, why error) error {
	return t.o.Store.LogRefusal(ctx, s, command, why.Error())
}

// BeginConfirm returns the options with which the browser asks for a passkey of the session's operator.
func (t *Team) BeginConfirm(ctx context.Context, s Session) ([]byte, error) {
	return t.o.Passkeys.BeginConfirm(ctx, s.Operator.ID, s.ID)
}

// Confirm confirms a session by what a passkey of its operator has answered, and returns it.
func (t *Team) Confirm(ctx context.Context, s Session, response []byte) (Session, error) {
	if err := t.o.Passkeys.Confirm(ctx, s.Operator.ID, s.ID, response); err != nil {
		return s, err
	}
	s.ConfirmedAt = t.o.Clock.Now()
	err := t.o.Store.SetConfirmed(ctx, s, s.ConfirmedAt)
	if fault.Is(err, fault.NotFound) {
		err = ErrSignedOut
	}
	return s, err
}

// Answered returns nil if a passkey of the session's operator has answered the challenge of BeginConfirm. The session is not confirmed
// by it: what gives access needs an answer of its own, so that whoever copied the session gains nothing by waiting for a confirmation.
func (t *Team) Answered(ctx context.Context, s Session, response []byte) error {
	return t.o.Passkeys.Confirm(ctx, s.Operator.ID, s.ID, response)
}

// SignOut ends a session.
func (t *Team) SignOut(ctx context.Context, s Session) error { return t.o.Store.EndSession(ctx, s) }

// Run deletes sessions that are over until ctx ends. It reports errors and goes on.
func (t *Team) Run(ctx context.Context, report func(error)) error {
	return periodic.RunAtOnce(ctx, time.Minute, func(ctx context.Context) error {
		now := t.o.Clock.Now()
		return t.o.Store.DropSessions(ctx, now.Add(-SessionTTL), now.Add(-IdleTTL), now)
	}, report)
}
