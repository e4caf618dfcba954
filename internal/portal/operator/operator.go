// Package operator is what operators do by hand: they look things up, and decide what no rule decides. An act names who does it and
// why. Its entry in the operators' log is written in the transaction of its effect, or before an effect outside the database, so that
// none is without one.
//
// What it returns has JSON names, which commands print and which stay as they are. Times are UTC, amounts in base units. A Service is
// safe for concurrent use.
package operator

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

const (
	// MaxReason is the maximum length of a reason in characters.
	MaxReason = 200
	// MaxLimit is how many entries of a list can be read at most.
	MaxLimit = 1000
)

// By says who acts, and why.
type By struct {
	Who    string // such as an account of the operating system, and its machine
	As     string // name of the operator whose rights count; "" for whoever has a shell on the machine
	Reason string // 1 to MaxReason characters on one line
}

// Entry is an act in the operators' log.
type Entry struct {
	At      time.Time `json:"at"`
	Who     string    `json:"who"`
	As      string    `json:"-"`               // see By
	Command string    `json:"command"`         // such as "player freeze"
	Subject string    `json:"subject"`         // what was changed: the id of a player or an order, a reward's source, a chain
	Detail  string    `json:"detail,omitzero"` // what else the command was told
	Reason  string    `json:"reason"`
}

// Log is the operators' log.
type Log interface {
	// OperatorLog returns the newest entries, the newest first.
	OperatorLog(ctx context.Context, limit int) ([]Entry, error)
	// LogOperator adds an entry alone, of an act whose effect is outside the database.
	LogOperator(ctx context.Context, e Entry) error
	// LogView adds an entry that somebody looked something up, unless the same one did a few minutes before.
	LogView(ctx context.Context, e Entry) error
}

// Store is what operators need of the database. A method that takes an Entry is an act: one transaction with its effect and the entry,
// or without both where it returns an error or says that there was nothing to change. It returns fault.Forbidden if the entry's As has no
// right to it: roles can change between a request and its transaction.
type Store interface {
	Log
	Players
	Orders
	Rewards
	Shop
	Contacts
	GasRaises
	Tokens
	// NeedsPerson counts what waits for an operator, each up to a number.
	NeedsPerson(ctx context.Context, most int) (NeedsPerson, error)
}

// NeedsPerson says how much waits for an operator, each up to MaxLimit.
type NeedsPerson struct {
	FailedRewards  int64 `json:"failedRewards"`
	UnownedRewards int64 `json:"unownedRewards"` // of wallets that no player has registered
	ShopWaiting    int64 `json:"shopWaiting"`    // paid orders of the shop
	ShopFailed     int64 `json:"shopFailed"`     // orders that the shop reported and that could not be fetched
	Debts          int64 `json:"debts"`          // of players after refunds
	FrozenPlayers  int64 `json:"frozenPlayers"`
}

// Options configure a Service.
type Options struct {
	Store  Store
	Clock  clock.Clock
	Gas    GasBudgets
	Scores Scores
	Tables Tables
	// SignInLink returns an address of the site that signs a player in once.
	SignInLink func(playerID, page string, at time.Time) (string, error)
	// FrozenText is what a frozen player reads.
	FrozenText func(reason string) string
	// UnclearGrant is the error of a grant of which the player may have what it gives.
	UnclearGrant string
	ShopName     string // in the sources of the webstore's rewards
}

// Service does what operators do.
type Service struct{ o Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Log returns the newest entries of the operators' log, the newest first.
func (s *Service) Log(ctx context.Context, limit int) ([]Entry, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	return s.o.Store.OperatorLog(ctx, limit)
}

// NeedsPerson counts what waits for an operator.
func (s *Service) NeedsPerson(ctx context.Context) (NeedsPerson, error) {
	return s.o.Store.NeedsPerson(ctx, MaxLimit)
}

// Entry returns the entry of an act at a time. It returns fault.Invalid for a reason that is not one line of 1 to MaxReason characters, and
// for an unusable name.
func (by By) Entry(at time.Time, command, subject, detail string) (Entry, error) {
	e := Entry{
		At: at, Who: strings.TrimSpace(by.Who), As: strings.Join(strings.Fields(by.As), " "), Command: command, Subject: subject, Detail: detail,
		Reason: strings.TrimSpace(by.Reason),
	}
	if !isLine(e.Who, MaxReason) {
		return e, fault.New(fault.Invalid, "Say who you are in 1 to %d characters on one line.", MaxReason)
	}
	if !isLine(e.Reason, MaxReason) {
		return e, fault.New(fault.Invalid, "Give a reason of 1 to %d characters on one line.", MaxReason)
	}
	return e, nil
}

func (s *Service) entry(by By, command, subject, detail string) (Entry, error) {
	return by.Entry(s.o.Clock.Now(), command, subject, detail)
}

// isLine reports whether a text has 1 to most characters, all of which can be displayed and stored.
func isLine(text string, most int) bool {
	n := utf8.RuneCountInString(text)
	return n > 0 && n <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) })
}

func checkLimit(limit int) error {
	if limit < 1 || limit > MaxLimit {
		return fault.New(fault.Invalid, "The limit must be 1 to %d.", MaxLimit)
	}
	return nil
}
