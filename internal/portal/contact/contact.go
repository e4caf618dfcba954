// Package contact keeps what people write to the house: addresses for the day a game opens, and support requests.
// Nobody has to be signed in for either. A Service is safe for concurrent use.
package contact

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
)

const (
	minMessage = 10
	// MaxMessage is how many characters a support request may have.
	MaxMessage = 4000
)

// Topic says what a support request is about.
type Topic string

// The topics.
const (
	Account  Topic = "account"
	Wallet   Topic = "wallet"
	Market   Topic = "market"
	Payment  Topic = "payment"
	Packs    Topic = "packs"
	Webstore Topic = "webstore"
	Other    Topic = "other"
)

// Topics are all topics.
func Topics() []Topic { return []Topic{Account, Wallet, Market, Payment, Packs, Webstore, Other} }

// Address is an e-mail address that wants to hear when King of Destiny opens.
type Address struct {
	Email     string // as it was typed
	CreatedAt time.Time
}

// SupportRequest is what somebody wrote to the support.
type SupportRequest struct {
	ID        string // in the order in which they came; "" before it is kept
	Email     string
	Topic     Topic
	Message   string // 10 to 4000 characters, line ends as \n
	CreatedAt time.Time
}

// Store keeps both.
type Store interface {
	// KeepAddress keeps an address once: a key that is known changes nothing.
	KeepAddress(ctx context.Context, key string, a Address) error
	// Addresses returns all addresses, the oldest first.
	Addresses(ctx context.Context) ([]Address, error)
	// StrikeAddress forgets an address and reports whether it was there.
	StrikeAddress(ctx context.Context, key string) (bool, error)
	// KeepSupportRequest keeps a support request and writes the copy for the operator, where there is one, in one transaction.
	KeepSupportRequest(ctx context.Context, r SupportRequest, mailed *email.Message) error
	// Letters returns all requests, the oldest first.
	SupportRequests(ctx context.Context) ([]SupportRequest, error)
}

// Service is the capability.
type Service struct {
	store    Store
	clock    clock.Clock
	operator string
}

// NewService returns the capability. Support requests are mailed to the operator's address too; "" for keeping
// them only.
func NewService(s Store, c clock.Clock, operator string) *Service { return &Service{s, c, operator} }

// PreRegister keeps the address, once. Whether it was there before is not told, so that nobody can ask about others. It
// returns fault.Invalid, with the field, for what is no address.
func (s *Service) PreRegister(ctx context.Context, address string) error {
	address = strings.TrimSpace(address)
	if m := email.Fault(address); m != "" {
		return invalid(fault.Field{Location: "body.email", Message: m})
	}
	return s.store.KeepAddress(ctx, email.Key(address), Address{Email: address, CreatedAt: s.clock.Now()})
}

// Write keeps a support request. It returns fault.Invalid with every broken rule.
func (s *Service) Write(ctx context.Context, address string, topic Topic, message string) error {
	address = strings.TrimSpace(address)
	message = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(message))
	var fields []fault.Field
	if m := email.Fault(address); m != "" {
		fields = append(fields, fault.Field{Location: "body.email", Message: m})
	}
	if !slices.Contains(Topics(), topic) {
		fields = append(fields, fault.Field{Location: "body.topic", Message: "Please choose what it is about."})
	}
	if m := messageFault(message); m != "" {
		fields = append(fields, fault.Field{Location: "body.message", Message: m})
	}
	if len(fields) > 0 {
		return invalid(fields...)
	}
	return s.store.KeepSupportRequest(ctx, SupportRequest{Email: address, Topic: topic, Message: message, CreatedAt: s.clock.Now()}, s.copyOf(address, topic, message))
}

// copyOf is what the operator gets; an answer goes to who wrote. nil where nobody is to get one.
func (s *Service) copyOf(address string, topic Topic, message string) *email.Message {
	if s.operator == "" {
		return nil
	}
	return &email.Message{
		To: s.operator, ReplyTo: address, Subject: "Support request: " + string(topic), Text: "From " + address + ":\n\n" + message + "\n",
	}
}

// Addresses returns what PreRegister kept, the oldest first.
func (s *Service) Addresses(ctx context.Context) ([]Address, error) { return s.store.Addresses(ctx) }

// Letters returns what Write kept, the oldest first.
func (s *Service) SupportRequests(ctx context.Context) ([]SupportRequest, error) {
	return s.store.SupportRequests(ctx)
}

// Strike forgets an address that was left by PreRegister, and reports whether it was there.
func (s *Service) Strike(ctx context.Context, address string) (bool, error) {
	return s.store.StrikeAddress(ctx, email.Key(address))
}

func invalid(fields ...fault.Field) error {
	return fault.InvalidFields("Please check what you entered.", fields...)
}

func messageFault(message string) string {
	n := utf8.RuneCountInString(message)
	switch {
	case message == "":
		return "Please tell us what happened."
	case n < minMessage:
		return "Please write a little more, at least 10 characters."
	case n > MaxMessage:
		return "A letter has at most 4000 characters. Please shorten it, or send two."
	case !isPlain(message):
		return "This has characters that cannot be shown."
	}
	return ""
}

// isPlain keeps out broken UTF-8 and control characters, of which PostgreSQL cannot store some and which a terminal
// would obey. Line ends and tabs are fine.
func isPlain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}
