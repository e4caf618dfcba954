// Package passkey lets players sign in and approve by passkeys: keys that stay on their devices and sign challenges of the portal's domain
// only (Web Authentication Level 3, https://www.w3.org/TR/webauthn-3/). A passkey is never the only way in to an account.
//
// A challenge carries its purpose and its expiry under a MAC, so that nothing is stored for visitors. An answered one is stored until it
// has expired: it is good once.
package passkey

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
)

const (
	// ChallengeTTL is how long a browser has to answer a challenge.
	ChallengeTTL = 5 * time.Minute
	// Most is the maximum number of a player's passkeys.
	Most = 10
	// MaxName is the maximum length of a passkey's name in characters.
	MaxName = 40
	// MaxResponse is the maximum length of a browser's response in bytes.
	MaxResponse = 16 << 10
)

// Caller is the player and session behind a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Passkey is a player's passkey.
type Passkey struct {
	ID        string // of the credential, base64url
	PlayerID  string
	Name      string // the player's, for the list
	CreatedAt time.Time
	UsedAt    time.Time // the zero time until it is used
	// Synced means that the vendor of the device keeps a copy, so that it outlives the device.
	Synced bool
	// Credential is the public key and what else verification needs, as JSON of go-webauthn.
	Credential []byte
	// Signatures is the authenticator's counter of signatures, 0 if it does not count.
	Signatures uint32
}

// String tells a passkey from others in emails.
func (p Passkey) String() string {
	return p.Name + ", added " + p.CreatedAt.UTC().Format("2 January 2006, 15:04 UTC")
}

// Answer is a verified answer to a challenge.
type Answer struct {
	Passkey             // its state after the answer
	Was       uint32    // the counter before
	Challenge string    // hash of the challenge
	ExpiresAt time.Time // of the challenge
	Purpose   string    // for the security log: "sign-in" or "approval"
}

// Store stores the passkeys. All methods return fault.Unavailable if the database is unreachable.
type Store interface {
	// Passkeys returns a player's passkeys, the oldest first.
	Passkeys(ctx context.Context, playerID string) ([]Passkey, error)
	// Passkey returns fault.NotFound for an unknown id.
	Passkey(ctx context.Context, id string) (Passkey, error)
	// AddPasskey adds a passkey in the session that approved it for the commitment, which uses the approval up, and queues the
	// email, if any. It returns ErrOver if there is no such approval or the session has ended, ErrTooMany and ErrKnown.
	AddPasskey(ctx context.Context, c Caller, commitment string, p Passkey, m *email.Message) error
	// RenamePasskey returns fault.NotFound for an unknown id, and for another player's.
	RenamePasskey(ctx context.Context, playerID, id, name string) error
	// RemovePasskey removes a passkey and queues the email, if any. It returns fault.NotFound like RenamePasskey.
	RemovePasskey(ctx context.Context, playerID, id string, at time.Time, m *email.Message) error
	// AnswerChallenge stores that a challenge was answered, and the passkey's new state. It returns ErrRefused if the challenge was
	// answered before, or the passkey was removed or used meanwhile.
	AnswerChallenge(ctx context.Context, a Answer) error
	// RefusePasskey writes into the security log that a passkey was refused, and why.
	RefusePasskey(ctx context.Context, p Passkey, reason string) error
	// DropAnswered deletes the answered challenges that have expired.
	DropAnswered(ctx context.Context, now time.Time) error
}

// Owners are the players' accounts.
type Owners interface {
	// NameOf returns the name by which the player's device lists the passkey.
	NameOf(ctx context.Context, playerID string) (string, error)
	// Address returns the address for notices, which the player has confirmed; "" for none, or if no email is sent.
	Address(ctx context.Context, playerID string) (string, error)
	// ApprovePasskey returns nil if the player has approved adding the passkey of the commitment in this session. Otherwise it
	// requests the approval and returns the fault that names it, or says why it cannot.
	ApprovePasskey(ctx context.Context, c Caller, commitment string) error
	// ApproveRemoval is the same for removing one.
	ApproveRemoval(ctx context.Context, c Caller, p Passkey) error
}

// Options are the dependencies and settings of a Service.
type Options struct {
	Store  Store
	Owners Owners
	Clock  clock.Clock
	Keys   keyset.Keys // of the challenges' MACs
	// Domain is the relying party ID: the site's host or a parent domain of it. "" means that there are no passkeys, as at an IP address.
	Domain string
	Site   string // the site's URL
	Brand  string // the site's name
	// Wait is how long a new passkey signs in only and approves nothing: a thief may have added it.
	Wait time.Duration
}

// Faults of passkeys. None is fault.Unauthorized: the caller's session is as good as before.
var (
	ErrOff     = fault.New(fault.Conflict, "Passkeys are not set up on this site.").WithReason("not-set-up")
	ErrRefused = fault.New(fault.Forbidden, "This passkey was not accepted. Please try again, or take another way.")
	ErrUnknown = fault.New(fault.Forbidden, "We do not know this passkey. It was removed, or it belongs to another account. "+
		"Please take another way.").WithReason("unknown-passkey")
	ErrCopied = fault.New(fault.Forbidden, "This passkey seems to have been copied, so it was not accepted. "+
		"Please sign in another way and remove it in your settings.").WithReason("copied-passkey")
	ErrNew = fault.New(fault.Forbidden, "This passkey is new: it signs you in, and confirms nothing yet. Please take another way.").
		WithReason("new-passkey")
	ErrOver    = fault.New(fault.Conflict, "This took too long. Please start again.").WithReason("over")
	ErrTooMany = fault.New(fault.Conflict, "You have %d passkeys, which is as many as an account can have. Please remove one first.", Most).
			WithReason("too-many")
	ErrKnown    = fault.New(fault.Conflict, "This passkey is in an account already.").WithReason("known-passkey")
	errNotFound = fault.New(fault.NotFound, "There is no such passkey.")
	errNone     = fault.New(fault.Conflict, "Your account has no passkey that confirms.").WithReason("no-passkey")
)

// refusals are those that the security log has, with why.
var refusals = map[error]string{ErrCopied: "its counter of signatures did not advance", ErrNew: "it is new and confirms nothing yet"}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	o  Options
	rp *relyingParty
}

// NewService returns a Service. It returns an error for a domain that is not the site's.
func NewService(o Options) (*Service, error) {
	s := &Service{o: o}
	if o.Domain == "" {
		return s, nil
	}
	var err error
	s.rp, err = newRelyingParty(o)
	return s, err
}

// Enabled reports whether the site has passkeys.
func (s *Service) Enabled() bool { return s.rp != nil }

// List returns a player's passkeys, the oldest first.
func (s *Service) List(ctx context.Context, playerID string) ([]Passkey, error) {
	return s.o.Store.Passkeys(ctx, playerID)
}

// ApprovesFrom returns from when a passkey approves.
func (s *Service) ApprovesFrom(p Passkey) time.Time { return p.CreatedAt.Add(s.o.Wait) }

// approving returns a player's passkeys that approve.
func (s *Service) approving(ctx context.Context, playerID string) ([]Passkey, error) {
	if !s.Enabled() {
		return nil, nil
	}
	list, err := s.o.Store.Passkeys(ctx, playerID)
	return slices.DeleteFunc(list, func(p Passkey) bool { return s.o.Clock.Now().Before(s.ApprovesFrom(p)) }), err
}

// Any reports whether a player has a passkey that approves.
func (s *Service) Any(ctx context.Context, playerID string) (bool, error) {
	list, err := s.approving(ctx, playerID)
	return len(list) > 0, err
}

// BeginAdd returns the options with which the browser makes a passkey, as JSON (PublicKeyCredentialCreationOptionsJSON). The player must
// have approved it, for the commitment to a secret of the page, so that nobody else in the session can add a passkey instead. It
// returns ErrOff, ErrTooMany and the faults of Owners.ApprovePasskey.
func (s *Service) BeginAdd(ctx context.Context, c Caller, commitment string) ([]byte, error) {
	if !s.Enabled() {
		return nil, ErrOff
	}
	list, err := s.o.Store.Passkeys(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	if len(list) >= Most {
		return nil, ErrTooMany
	}
	if err := s.o.Owners.ApprovePasskey(ctx, c, commitment); err != nil {
		return nil, err
	}
	name, err := s.o.Owners.NameOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	return s.rp.creation(user{c.PlayerID, name, list}, s.challenge(adding(c, commitment)))
}

// FinishAdd adds the passkey that the browser has made, under a name; "" for "Passkey". It returns fault.Invalid with the field for a
// bad name, ErrRefused for a response that is not one to BeginAdd in this session, with the commitment to the secret, and the faults
// of Store.AddPasskey.
func (s *Service) FinishAdd(ctx context.Context, c Caller, secret, name string, response []byte) (Passkey, error) {
	if !s.Enabled() {
		return Passkey{}, ErrOff
	}
	name, err := cleanName(name)
	if err != nil {
		return Passkey{}, err
	}
	now, commitment := s.o.Clock.Now(), Commitment(secret)
	p, err := s.rp.create(user{id: c.PlayerID}, response, func(challenge string) error {
		_, err := s.check(challenge, adding(c, commitment))
		return err
	})
	if err != nil {
		return Passkey{}, err
	}
	p.PlayerID, p.Name, p.CreatedAt = c.PlayerID, name, now
	notice, err := s.notice(ctx, c.PlayerID, addedEmail(s.o.Site, name))
	if err != nil {
		return Passkey{}, err
	}
	return p, s.o.Store.AddPasskey(ctx, c, commitment, p, notice)
}

// Rename gives a passkey of the caller another name. It returns fault.Invalid with the field, and fault.NotFound.
func (s *Service) Rename(ctx context.Context, c Caller, id, name string) error {
	name, err := cleanName(name)
	if err != nil {
		return err
	}
	return s.o.Store.RenamePasskey(ctx, c.PlayerID, id, name)
}

// Remove removes a passkey of the caller, which the player must have approved. It returns fault.NotFound, and the faults of
// Owners.ApproveRemoval.
func (s *Service) Remove(ctx context.Context, c Caller, id string) error {
	p, err := s.o.Store.Passkey(ctx, id)
	if err == nil && p.PlayerID != c.PlayerID {
		err = errNotFound
	}
	if err != nil {
		return err
	}
	if err := s.o.Owners.ApproveRemoval(ctx, c, p); err != nil {
		return err
	}
	notice, err := s.notice(ctx, c.PlayerID, removedEmail(s.o.Site, p.String()))
	if err != nil {
		return err
	}
	return s.o.Store.RemovePasskey(ctx, c.PlayerID, id, s.o.Clock.Now(), notice)
}

// BeginSignIn returns the options with which a browser asks for any passkey of the site, as JSON (PublicKeyCredentialRequestOptionsJSON).
func (s *Service) BeginSignIn() ([]byte, error) {
	if !s.Enabled() {
		return nil, ErrOff
	}
	return s.rp.request(nil, s.challenge(signIn))
}

// SignIn returns the passkey that has answered the challenge of BeginSignIn, and when it was verified. It returns ErrUnknown,
// ErrRefused and ErrCopied.
func (s *Service) SignIn(ctx context.Context, response []byte) (p Passkey, at time.Time, err error) {
	return s.answer(ctx, response, signIn, "sign-in", "")
}

// BeginApproval returns the options with which the browser asks for one of the caller's passkeys, to approve something. It returns
// fault.Conflict if there is none.
func (s *Service) BeginApproval(ctx context.Context, c Caller) ([]byte, error) {
	if !s.Enabled() {
		return nil, ErrOff
	}
	list, err := s.approving(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errNone
	}
	return s.rp.request(list, s.challenge(approval(c)))
}

// Approve checks that a passkey of the caller that approves has answered the challenge of BeginApproval in this session. It returns
// ErrNew for one that does not approve yet, and the faults of SignIn.
func (s *Service) Approve(ctx context.Context, c Caller, response []byte) error {
	_, _, err := s.answer(ctx, response, approval(c), "approval", c.PlayerID)
	return err
}

// answer verifies an answer to a challenge of a purpose by a passkey: the given player's, or anybody's.
func (s *Service) answer(ctx context.Context, response []byte, purpose, name, playerID string) (p Passkey, at time.Time, err error) {
	if !s.Enabled() {
		return p, at, ErrOff
	}
	assertion, err := parseAssertion(response)
	if err == nil && purpose == signIn && !assertion.named {
		err = ErrRefused // section 7.2, step 6
	}
	if err != nil {
		return p, at, err
	}
	expires, err := s.check(assertion.challenge, purpose)
	if err != nil {
		return p, at, err
	}
	p, err = s.o.Store.Passkey(ctx, assertion.id)
	if fault.Is(err, fault.NotFound) || err == nil && playerID != "" && p.PlayerID != playerID {
		return Passkey{}, at, ErrUnknown
	}
	if err != nil {
		return Passkey{}, at, err
	}
	was := p.Signatures
	err = s.rp.verify(&p, assertion)
	if err == nil && purpose != signIn && s.o.Clock.Now().Before(s.ApprovesFrom(p)) {
		err = ErrNew
	}
	if why, logged := refusals[err]; logged {
		if err := s.o.Store.RefusePasskey(ctx, p, why); err != nil {
			return Passkey{}, at, err
		}
	}
	if err != nil {
		return Passkey{}, at, err
	}
	at = s.o.Clock.Now()
	p.UsedAt = at
	return p, at, s.o.Store.AnswerChallenge(ctx, Answer{
		Passkey: p, Was: was, Challenge: email.HashToken(assertion.challenge), ExpiresAt: expires, Purpose: name,
	})
}

// Run deletes expired challenges until ctx ends. It reports errors and goes on.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.o.Store.DropAnswered(ctx, s.o.Clock.Now()); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

// notice returns the email to the player; nil without an address.
func (s *Service) notice(ctx context.Context, playerID string, m email.Message) (*email.Message, error) {
	address, err := s.o.Owners.Address(ctx, playerID)
	if address == "" || err != nil {
		return nil, err
	}
	m.To, m.PlayerID = address, playerID
	return &m, nil
}

// zeroWidthJoiner is within many emoji.
const zeroWidthJoiner = '\u200d'

// cleanName returns a name as it is stored, without hidden characters.
func cleanName(name string) (string, error) {
	name = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || r == zeroWidthJoiner {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(name, " "))
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return "Passkey", nil
	}
	if utf8.RuneCountInString(name) > MaxName {
		message := "Please choose a name of at most 40 characters."
		return "", fault.InvalidFields(message, fault.Field{Location: "body.name", Message: message})
	}
	return name, nil
}
