// Package securitylog is the record of what concerns security: who did what, when and from where. An entry is committed with what it
// tells of. Within a second it joins a chain, in which the hash of each entry covers the entry and the hash before it, so that an entry
// that is changed, removed or moved afterwards is found. The newest hash is published once a minute, to the process's log and to files
// elsewhere, which somebody with the database alone cannot change.
//
// Entries have no secret, and of a player no more than the id; addresses of networks are tags, by a key that is deleted after a month.
package securitylog

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// Kind says who acts.
type Kind string

// The kinds.
const (
	Player   Kind = "player"
	Visitor  Kind = "visitor" // somebody who is not signed in
	Operator Kind = "operator"
	Portal   Kind = "portal"
)

// Event is what happened: one of those below, or an operator's command, such as "player freeze".
type Event string

// What players do, and what happens to their accounts. The subject is the player's id.
const (
	AccountCreated     Event = "account.created"
	AccountRenamed     Event = "account.renamed"
	AccountSelfFrozen  Event = "account.self-frozen" // by "This was not me"
	AccountThawed      Event = "account.thawed"
	DeletionRequested  Event = "deletion.requested"
	DeletionCancelled  Event = "deletion.cancelled"
	AccountDeleted     Event = "account.deleted"
	SessionOpened      Event = "session.opened"
	SessionEnded       Event = "session.ended"
	SessionsEnded      Event = "sessions.ended" // all, or all but one
	PasswordRefused    Event = "password.refused"
	PasswordChanged    Event = "password.changed"
	RecoveryRequested  Event = "recovery.requested"
	EmailConfirmed     Event = "email.confirmed"
	EmailChanged       Event = "email.changed"
	WalletCreated      Event = "wallet.created"
	WalletConnected    Event = "wallet.connected"
	WalletDisconnected Event = "wallet.disconnected"
	PasskeyAdded       Event = "passkey.added"
	PasskeyRenamed     Event = "passkey.renamed"
	PasskeyRemoved     Event = "passkey.removed"
	PasskeyUsed        Event = "passkey.used" // to sign in, or to approve
	PasskeyRefused     Event = "passkey.refused"
	ApprovalRequested  Event = "approval.requested"
	ApprovalTried      Event = "approval.tried" // a code was entered; if it was right, approval.confirmed follows
	ApprovalConfirmed  Event = "approval.confirmed"
	ApprovalUsed       Event = "approval.used"
	OperationSigned    Event = "operation.signed"
	OperationCancelled Event = "operation.cancelled" // by the portal: what was signed in an ended session
	MessageSigned      Event = "message.signed"
	AddressSaved       Event = "address.saved" // in the address book of withdrawals
	AddressForgotten   Event = "address.forgotten"
	// LogPruned is the portal's: entries were removed because of their age.
	LogPruned Event = "log.pruned"
	// Withdrawals are logged as withdrawal.requested, and as withdrawal.STATE whenever their state changes.
)

// MaxDetail is the maximum length of a detail in bytes; what is longer is cut off.
const MaxDetail = 2000

// Entry is one event.
type Entry struct {
	Sequence int64     `json:"sequence,omitzero"` // its place in the chain, from 1; 0 until it has one
	ID       string    `json:"id"`
	At       time.Time `json:"at"` // UTC, to the millisecond
	Event    Event     `json:"event"`
	Kind     Kind      `json:"kind"`              // of the actor
	Actor    string    `json:"actor,omitzero"`    // a player's id, an operator, "" for the portal
	Subject  string    `json:"subject,omitzero"`  // whom or what it concerns
	Session  string    `json:"session,omitzero"`  // id of the player's session
	Network  string    `json:"network,omitzero"`  // a tag; equal tags of one month are of one network
	Refusal  string    `json:"refusal,omitzero"`  // why it was refused; "" if it was done
	Detail   string    `json:"detail,omitzero"`   // what else there is to say, such as what was signed
	Reason   string    `json:"reason,omitzero"`   // an operator's
	Hash     string    `json:"hash,omitzero"`     // in hexadecimal; "" until it is in the chain
	Previous string    `json:"previous,omitzero"` // the hash before it, in what is exported
}

// NewID returns an id for an entry.
func NewID() string { return rand.Text() }

// Of returns an entry of a player's own act.
func Of(event Event, playerID string, at time.Time) Entry {
	return Entry{At: at, Event: event, Kind: Player, Actor: playerID, Subject: playerID}
}

// Pruned returns the entry that entries up to a head were removed because of their age.
func Pruned(upTo Head, at time.Time) Entry {
	return Entry{At: at, Event: LogPruned, Kind: Portal, Detail: "removed because of their age: all up to " + upTo.String()}
}

// Head is the end of a chain.
type Head struct {
	Sequence int64  `json:"sequence"` // of its newest entry; 0 for an empty chain
	Hash     string `json:"hash"`     // "" for an empty chain
}

// String formats a head as `pantheon audit verify --head` takes it.
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.Sequence, h.Hash) }

// Next returns the head after an entry: the SHA-256, in hexadecimal, of the hash before it and of the entry's fields in order, each
// as a netstring (https://cr.yp.to/proto/netstrings.txt): its length in bytes, a colon, the field, a comma. Times are RFC 3339 in UTC with
// three digits of a second.
func (h Head) Next(e Entry) Head {
	n := h.Sequence + 1
	sum := sha256.New()
	for _, field := range []string{
		h.Hash, strconv.FormatInt(n, 10), e.ID, e.At.UTC().Format("2006-01-02T15:04:05.000Z"), string(e.Event), string(e.Kind), e.Actor,
		e.Subject, e.Session, e.Network, e.Refusal, e.Detail, e.Reason,
	} {
		_, _ = fmt.Fprintf(sum, "%d:%s,", len(field), field)
	}
	return Head{n, hex.EncodeToString(sum.Sum(nil))}
}

// Origin is where a call comes from.
type Origin struct {
	Player  string // who is signed in; "" for nobody
	Session string
	Network string // of the client, such as 192.0.2.0/24; "" if it is unknown
}

type originKey struct{}

// With returns a context of calls that come from an origin.
func With(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin of a context, the zero Origin for work of the portal itself.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}
