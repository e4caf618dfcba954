// Package approval is the one mechanism by which a player approves what a session alone must not be able to do: risky
// trades, withdrawals, other wallets or email addresses, the deletion of the account.
//
// An approval is bound to a digest of exactly what is approved. The player confirms it by a passkey, else by a code that is
// emailed with a description of the act; where no email is sent, by the password. Once confirmed it is good once, for UseTTL.
//
// An approval belongs to the session that requested it: another session of the player's, which may be stolen, can
// neither confirm it nor replace it, and it ends with its session, so that a password reset, a freeze or "end all
// sessions" removes it. Use takes no session: what was approved is the act itself, with every detail, whichever session
// carries it out.
package approval

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/kit/keyset"
)

const (
	// TTL is how long a request waits for its confirmation.
	TTL = emailcode.TTL
	// UseTTL is how long a confirmed approval can be used.
	UseTTL = 10 * time.Minute
	// FreshSignIn is the maximum age of the session of a player whose sign-in is the only proof there is.
	FreshSignIn = 10 * time.Minute
	// mailWindow is the period of Options.MailsPerHour.
	mailWindow = time.Hour
)

// Kind says what is approved. An approval of one kind is not good for another.
type Kind string

// The kinds.
const (
	Trade            Kind = "trade"
	Withdrawal       Kind = "withdrawal"
	ConnectWallet    Kind = "wallet-connect"
	DisconnectWallet Kind = "wallet-disconnect"
	ChangeEmail      Kind = "email-change"
	Deletion         Kind = "deletion"
	AddPasskey       Kind = "passkey-add"
	RemovePasskey    Kind = "passkey-remove"
)

// UseOfPasskey is what an approval of AddPasskey is used for. The passkey that is added ends the approval.
const UseOfPasskey = "passkey"

// DigestOfPasskey is the digest of adding the passkey of whoever knows the secret of a commitment.
func DigestOfPasskey(commitment string) string { return Digest("passkey", commitment) }

// bySignIn reports whether a recent sign-in approves the kind where the player has neither email nor password: then it
// is the only proof of identity there is. It never approves what moves money or items; a passkey that it adds does later.
func (k Kind) bySignIn() bool {
	return k == ConnectWallet || k == DisconnectWallet || k == ChangeEmail || k == Deletion || k == AddPasskey || k == RemovePasskey
}

// byPasskey reports whether a passkey approves the kind. What is lost by a deletion is read in the email.
func (k Kind) byPasskey() bool { return k != Deletion }

// Act is what is approved.
type Act struct {
	Kind Kind
	// Digest identifies exactly what is approved; see Digest.
	Digest string
	// Lines describe the act to the player, in plain text; the email contains them. Line breaks and other control
	// characters become spaces.
	Lines []string
	// Wallet is the wallet whose signature approves the act where the player has neither email nor password; nil for
	// none.
	Wallet *eth.Address
	// NoPasskey means that the player cannot use a passkey now, and approves the act as if there were none.
	NoPasskey bool
}

// Digest returns the hex SHA-256 of the parts. Different lists of parts have different digests.
func Digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Way is how a player confirms an approval.
type Way string

// The ways, in order of preference.
const (
	ByPasskey   Way = "passkey"
	ByCode      Way = "code"      // a code of 8 digits, emailed
	ByPassword  Way = "password"  // where no email is sent, and to replace an address that nobody has confirmed
	BySignature Way = "signature" // of Act.Wallet, where there is neither email nor password
	BySignIn    Way = "sign-in"   // confirmed by a recent sign-in; nothing is entered
)

// Caller is the player and session behind a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Approval is a request that waits for its confirmation, as its player sees it.
type Approval struct {
	ID        string
	Kind      Kind
	Way       Way
	SentTo    string // the masked address of the email; "" for none
	ExpiresAt time.Time
}

// Record is a stored approval.
type Record struct {
	ID string
	Caller
	Act
	Way         Way
	Address     string // to which the code was emailed; "" for none
	CodeHash    string // "" for none
	Attempts    int    // attempts left
	CreatedAt   time.Time
	ConfirmedAt time.Time // zero until it is confirmed
	ExpiresAt   time.Time // when it expires in its present state
}

func (r Record) seen() Approval {
	return Approval{ID: r.ID, Kind: r.Kind, Way: r.Way, SentTo: mask(r.Address), ExpiresAt: r.ExpiresAt}
}

// mask shortens an address so that its owner recognizes it: "z•••@olympus.example".
func mask(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	if !ok {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(local)
	return string(first) + "•••@" + domain
}

// Store stores the approvals. All methods return fault.Unavailable if the database is unreachable.
type Store interface {
	// SaveApproval stores a request and queues the email, if any. Unconfirmed requests of the same kind and session end.
	// If the session's approvals have queued maxMails emails since a time (maxMails is 0 for no limit), it returns false
	// and does nothing.
	SaveApproval(ctx context.Context, r Record, m *email.Message, maxMails int, since time.Time) (saved bool, err error)
	// SaveApprovalCode stores a new code for an unconfirmed request and queues the email, within the same limit.
	// It returns fault.NotFound if the request does not wait any more, or was made before since: the limit counts the
	// emails of requests by when they were made.
	SaveApprovalCode(ctx context.Context, r Record, m email.Message, maxMails int, since, at time.Time) (saved bool, err error)
	// Approval returns fault.NotFound for an unknown id, and for another player's or session's.
	Approval(ctx context.Context, c Caller, id string) (Record, error)
	// WaitingApproval returns the id of the session's request for an act that waits for its confirmation, or
	// fault.NotFound.
	WaitingApproval(ctx context.Context, c Caller, kind Kind, digest string, at time.Time) (id string, err error)
	// TryApproval uses one attempt. It returns fault.NotFound if the request does not wait any more or has no attempts
	// left.
	TryApproval(ctx context.Context, id string, at time.Time) error
	// ConfirmApproval confirms a request that waits; it is good until a time. An emailed code confirms the address too,
	// if it is still the player's. It returns fault.NotFound if the request does not wait any more.
	ConfirmApproval(ctx context.Context, r Record, at, until time.Time) error
	// UseApproval marks a confirmed approval of the player for the kind and digest, whose session is open, as used for
	// one use, and returns how it was confirmed. It returns fault.NotFound if there is none that is unused or used for the
	// same.
	UseApproval(ctx context.Context, playerID string, kind Kind, digest, use string, at time.Time) (Way, error)
}

// Accounts proves who a player is.
type Accounts interface {
	// Address returns the player's email address; "" for none, or if no email is sent.
	Address(ctx context.Context, playerID string) (string, error)
	// ConfirmedAddress is Address for one that the player has confirmed; others may be mistyped.
	ConfirmedAddress(ctx context.Context, playerID string) (string, error)
	// HasPassword reports whether the player has a password that the portal can check. It is called only if there is
	// no address.
	HasPassword(ctx context.Context, playerID string) (bool, error)
	// CheckPassword returns fault.Invalid, with the field body.password, for a wrong password.
	CheckPassword(ctx context.Context, playerID, password string) error
	// SignedInAt returns when the caller signed in; the zero time if signing in does not prove who the player is.
	SignedInAt(ctx context.Context, c Caller) (time.Time, error)
	// ProvenWallet returns the wallet that signed the player's current challenge, which is used up.
	ProvenWallet(ctx context.Context, playerID, message string, signature []byte) (eth.Address, error)
}

// Passkeys are the players' passkeys.
type Passkeys interface {
	// HasPasskey reports whether the player has one that approves: a new one does not, as it may be a thief's.
	HasPasskey(ctx context.Context, playerID string) (bool, error)
	// CheckPasskey returns an error unless such a passkey of the caller has answered a challenge of this session.
	CheckPasskey(ctx context.Context, c Caller, response []byte) error
}

// Options configure a Service.
type Options struct {
	Store    Store
	Accounts Accounts
	Passkeys Passkeys // nil for none
	Clock    clock.Clock
	Keys     keyset.Keys // hash the codes
	Site     string      // the site's address, for emails
	// MailsPerHour is the maximum number of codes emailed for one session within an hour; 0 for no limit.
	MailsPerHour int
}

// Service implements the capability. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Reasons of this package's faults.
const (
	// ReasonNeeded (Conflict): an approval is needed. Details has approvalId, kind, way, sentTo and expiresAt (RFC 3339)
	// of one that was requested for it.
	ReasonNeeded = "approval-needed"
	ReasonNoWay  = "no-approval" // Conflict: the player has no way to approve this
	ReasonStale  = "stale"       // Forbidden: the player must sign in again first
	ReasonOver   = "over"        // Conflict: the approval was replaced, or it has expired
	ReasonProof  = "proof"       // Conflict: the signature is another wallet's
	ReasonWrong  = "wrong"       // Invalid: the code is wrong
)

var (
	errNoWay = fault.New(fault.Conflict, "This needs your approval by a code that we email to you, and your account has no email for it yet. "+
		"An email that was added or changed can be used once it has been there as long as withdrawals wait.").
		WithReason(ReasonNoWay)
	errStale = fault.New(fault.Forbidden, "Please sign in once more, then do this within %s.", humanize.InWords(FreshSignIn)).
			WithReason(ReasonStale)
	errOver     = fault.New(fault.Conflict, "This approval is over. Please start again.").WithReason(ReasonOver)
	errNotFound = fault.New(fault.NotFound, "There is no such approval.")
	errWallet   = fault.New(fault.Conflict, "This was signed by another wallet than the one you are sending to.").WithReason(ReasonProof)
	errTooMany  = fault.Wait(mailWindow, "We have written to you several times already. Please look into your mail, or try again in an hour.")
	errCode     = wrongCode("This code is wrong or too old. Please check it, or ask for a new one.")
	// ErrNeeded means that nothing approved the act. It has no details.
	ErrNeeded = fault.New(fault.Conflict, "This needs your approval.").WithReason(ReasonNeeded)
)

func wrongCode(message string) *fault.Fault {
	return fault.InvalidFields(message, fault.Field{Location: "body.code", Message: message}).WithReason(ReasonWrong)
}

// Request requests an approval, and emails its code if the player confirms by one. It replaces an unconfirmed request of
// the same kind and session. A player whose sign-in is the proof (BySignIn) has confirmed it at once. It returns
// fault.Conflict with ReasonNoWay, fault.Forbidden with ReasonStale, and fault.TooMany after too many emails.
func (s *Service) Request(ctx context.Context, c Caller, a Act) (Approval, error) {
	now := s.o.Clock.Now()
	a.Lines = oneLineEach(a.Lines)
	r := Record{
		ID: rand.Text(), Caller: c, Act: a, Attempts: emailcode.Attempts, CreatedAt: now, ExpiresAt: now.Add(TTL),
	}
	var err error
	if r.Way, r.Address, err = s.wayOf(ctx, c, a); err != nil {
		return Approval{}, err
	}
	var message *email.Message
	switch r.Way {
	case ByCode:
		m, err := s.newCode(&r)
		if err != nil {
			return Approval{}, err
		}
		message = &m
	case BySignIn:
		r.ConfirmedAt, r.ExpiresAt = now, now.Add(UseTTL)
	}
	saved, err := s.o.Store.SaveApproval(ctx, r, message, s.o.MailsPerHour, now.Add(-mailWindow))
	if err == nil && !saved {
		err = errTooMany
	}
	return r.seen(), err
}

// oneLineEach keeps names that somebody else has chosen from adding lines to the email.
func oneLineEach(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = email.OneLine(l)
	}
	return out
}

// wayOf returns how the player confirms an act, and the email address for a code.
func (s *Service) wayOf(ctx context.Context, c Caller, a Act) (Way, string, error) {
	if s.o.Passkeys != nil && a.Kind.byPasskey() && !a.NoPasskey {
		if has, err := s.o.Passkeys.HasPasskey(ctx, c.PlayerID); has || err != nil {
			return ByPasskey, "", err
		}
	}
	addressOf := s.o.Accounts.Address
	if a.Kind == ChangeEmail {
		addressOf = s.o.Accounts.ConfirmedAddress
	}
	address, err := addressOf(ctx, c.PlayerID)
	if err != nil {
		return "", "", err
	}
	if address != "" {
		return ByCode, address, nil
	}
	has, err := s.o.Accounts.HasPassword(ctx, c.PlayerID)
	if err != nil {
		return "", "", err
	}
	switch {
	case has:
		return ByPassword, "", nil
	case a.Wallet != nil:
		return BySignature, "", nil
	case !a.Kind.bySignIn():
		return "", "", errNoWay
	}
	at, err := s.o.Accounts.SignedInAt(ctx, c)
	switch {
	case err != nil:
		return "", "", err
	case at.IsZero():
		return "", "", errNoWay
	case s.o.Clock.Now().Sub(at) > FreshSignIn:
		return "", "", errStale
	}
	return BySignIn, "", nil
}

// newCode gives the request a new code and returns the email that carries it.
func (s *Service) newCode(r *Record) (email.Message, error) {
	code, err := emailcode.New()
	if err != nil {
		return email.Message{}, err
	}
	r.CodeHash, r.Attempts = emailcode.Hash(s.o.Keys, purpose(r.ID), code), emailcode.Attempts
	m := codeEmail(s.o.Site, code, r.Act)
	m.To, m.PlayerID = r.Address, r.PlayerID
	return m, nil
}

// purpose returns the purpose of a request's code.
func purpose(id string) string { return "approval " + id }

// SendCode emails a new code for a request that waits; an earlier one becomes invalid. A request by passkey is replaced by one
// that is confirmed as if there were none. It returns fault.NotFound for an unknown request, fault.Conflict with ReasonOver, or
// with ReasonNoWay if the player does not confirm it by a code, and fault.TooMany.
func (s *Service) SendCode(ctx context.Context, c Caller, id string) (Approval, error) {
	r, err := s.o.Store.Approval(ctx, c, id)
	if err != nil {
		return Approval{}, notFound(err, errNotFound)
	}
	switch {
	case r.Way == ByPasskey && !r.ConfirmedAt.IsZero():
		return Approval{}, errOver
	case r.Way == ByPasskey:
		r.NoPasskey = true
		return s.Request(ctx, c, r.Act)
	case r.Way != ByCode:
		return Approval{}, errNoWay
	}
	message, err := s.newCode(&r)
	if err != nil {
		return Approval{}, err
	}
	now := s.o.Clock.Now()
	r.ExpiresAt = now.Add(TTL)
	saved, err := s.o.Store.SaveApprovalCode(ctx, r, message, s.o.MailsPerHour, now.Add(-mailWindow), now)
	if err == nil && !saved {
		err = errTooMany
	}
	return r.seen(), notFound(err, errOver)
}

// Confirmation is the player's proof; only the one of the approval's way is read.
type Confirmation struct {
	Passkey   []byte // the browser's answer, JSON
	Code      string
	Password  string
	Message   string // the text of the wallet's challenge
	Signature []byte
}

// Confirm confirms a request of the caller's session. Confirming it again is not an error. It returns fault.NotFound for
// an unknown request, fault.Invalid with the field, and ReasonWrong, for a wrong proof, and fault.Conflict with
// ReasonOver or ReasonProof.
func (s *Service) Confirm(ctx context.Context, c Caller, id string, proof Confirmation) error {
	r, err := s.o.Store.Approval(ctx, c, id)
	if err != nil {
		return notFound(err, errNotFound)
	}
	now := s.o.Clock.Now()
	if !now.Before(r.ExpiresAt) {
		return errOver
	}
	if !r.ConfirmedAt.IsZero() {
		return nil // the answer was lost
	}
	switch r.Way {
	case ByPasskey:
		if err := s.o.Passkeys.CheckPasskey(ctx, c, proof.Passkey); err != nil {
			return err
		}
	case ByCode:
		if err := s.o.Store.TryApproval(ctx, id, now); err != nil {
			return notFound(err, errCode)
		}
		if !emailcode.Matches(s.o.Keys, purpose(id), proof.Code, r.CodeHash) {
			return errCode
		}
	case ByPassword:
		if err := s.o.Accounts.CheckPassword(ctx, c.PlayerID, proof.Password); err != nil {
			return err
		}
	default:
		wallet, err := s.o.Accounts.ProvenWallet(ctx, c.PlayerID, proof.Message, proof.Signature)
		if err != nil {
			return err
		}
		if r.Wallet == nil || wallet != *r.Wallet {
			return errWallet
		}
	}
	return notFound(s.o.Store.ConfirmApproval(ctx, r, now, now.Add(UseTTL)), errOver)
}

// ConfirmWaiting confirms the request for the act that waits in the caller's session, for callers that know the code and not
// the request. It returns the faults of Confirm; without such a request, and for one that has expired, the code is wrong.
func (s *Service) ConfirmWaiting(ctx context.Context, c Caller, a Act, proof Confirmation) error {
	id, err := s.o.Store.WaitingApproval(ctx, c, a.Kind, a.Digest, s.o.Clock.Now())
	if err != nil {
		return notFound(err, errCode)
	}
	return s.Confirm(ctx, c, id, proof)
}

// Approve uses an approval of the act, for callers that have the player's proof and not the approval: one that was confirmed
// for the same use, or the one that the proof confirms. A code is that of the request that waits in the caller's session;
// without one, and for one that has expired, the code is wrong. It returns how it was confirmed, and the faults of Request and
// Confirm.
func (s *Service) Approve(ctx context.Context, c Caller, a Act, proof Confirmation, use string) (Way, error) {
	used, err := s.Use(ctx, c.PlayerID, a.Kind, a.Digest, use)
	if f := fault.As(err); f == nil || f.Reason != ReasonNeeded {
		return used, err
	}
	a.NoPasskey = proof.Passkey == nil
	way, _, err := s.wayOf(ctx, c, a)
	if err != nil {
		return "", err
	}
	if proof.Passkey != nil && way != ByPasskey { // the last one was removed meanwhile
		return "", errOver
	}
	if way == ByCode {
		err = s.ConfirmWaiting(ctx, c, a, proof)
	} else {
		var r Approval // whatever waits may be for a wallet that is no longer the player's
		if r, err = s.Request(ctx, c, a); err == nil && way != BySignIn {
			err = s.Confirm(ctx, c, r.ID, proof)
		}
	}
	if err != nil {
		return "", err
	}
	return s.Use(ctx, c.PlayerID, a.Kind, a.Digest, use)
}

// Use spends the player's approval of exactly this act for one use, such as an account and its nonce. Calling it again
// for the same use succeeds as long as the approval is good, so that each part that checks one operation can call it.
// It returns ErrNeeded if nothing approves the act, or what did was used for another.
func (s *Service) Use(ctx context.Context, playerID string, kind Kind, digest, use string) (Way, error) {
	way, err := s.o.Store.UseApproval(ctx, playerID, kind, digest, use, s.o.Clock.Now())
	return way, notFound(err, ErrNeeded)
}

// Require is Use for an act that one request carries out. If nothing approves the act yet, it requests the approval and
// returns fault.Conflict with ReasonNeeded and the approval in the details: the caller confirms it and repeats the
// request. It returns the faults of Request.
func (s *Service) Require(ctx context.Context, c Caller, a Act, use string) error {
	_, err := s.Use(ctx, c.PlayerID, a.Kind, a.Digest, use)
	if f := fault.As(err); f == nil || f.Reason != ReasonNeeded {
		return err
	}
	r, err := s.Request(ctx, c, a)
	if err != nil {
		return err
	}
	if r.Way == BySignIn {
		_, err = s.Use(ctx, c.PlayerID, a.Kind, a.Digest, use)
		return err
	}
	return Needed(r)
}

// Needed returns the fault that names a requested approval.
func Needed(a Approval) *fault.Fault {
	message := "Please confirm this with your password."
	switch a.Way {
	case ByPasskey:
		message = "Please confirm this with your passkey."
	case ByCode:
		message = fmt.Sprintf("Please enter the code that we have sent to %s.", a.SentTo)
	case BySignature:
		message = "Please confirm this with your wallet."
	}
	return fault.New(fault.Conflict, "%s", message).WithReason(ReasonNeeded).WithDetails(map[string]string{
		"approvalId": a.ID, "kind": string(a.Kind), "way": string(a.Way), "sentTo": a.SentTo, "expiresAt": a.ExpiresAt.UTC().Format(time.RFC3339),
	})
}

// notFound returns instead if err is fault.NotFound, else err.
func notFound(err error, instead *fault.Fault) error {
	if fault.Is(err, fault.NotFound) {
		return instead
	}
	return err
}
