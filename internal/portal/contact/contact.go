// Package contact stores email addresses of people who want to hear when a game opens, and support requests. Neither
// requires sign-in. A Service is safe for concurrent use.
package contact

import (
	"context"
	"fmt"
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
	// MinMessage is the minimum length of a support request in characters.
	MinMessage = 10
	// MaxMessage is the maximum length of a support request in characters.
	MaxMessage = 4000
)

// Topic is the topic of a support request.
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

// Topics returns all topics.
func Topics() []Topic { return []Topic{Account, Wallet, Market, Payment, Packs, Webstore, Other} }

// Address is an email address to notify when King of Destiny opens.
type Address struct {
	Email     string // as typed
	CreatedAt time.Time
}

// SupportRequest is a message to support.
type SupportRequest struct {
	Email     string
	Topic     Topic
	Message   string // 10 to 4000 characters, lines end in \n
	CreatedAt time.Time
}

// Store stores addresses and support requests.
type Store interface {
	// KeepAddress stores an address; it does nothing if the key exists.
	KeepAddress(ctx context.Context, key string, a Address) error
	// KeepSupportRequest stores a support request and queues the operator's copy, if any, in one transaction.
	KeepSupportRequest(ctx context.Context, r SupportRequest, mailed *email.Message) error
}

// Service implements the capability.
type Service struct {
	store    Store
	clock    clock.Clock
	operator string
}

// NewService returns a Service. Support requests are also emailed to the operator's address; "" for only storing
// them.
func NewService(s Store, c clock.Clock, operator string) *Service { return &Service{s, c, operator} }

// PreRegister stores the address, once. It does not reveal whether the address was known, so that nobody can probe
// for other people's. It returns fault.Invalid, with the field, for a malformed address.
func (s *Service) PreRegister(ctx context.Context, address string) error {
	address = email.Clean(address)
	if m := email.NewFault(address); m != "" {
		return invalid(fault.Field{Location: "body.email", Message: m})
	}
	return s.store.KeepAddress(ctx, email.Key(address), Address{Email: address, CreatedAt: s.clock.Now()})
}

// Write stores a support request. It returns fault.Invalid listing every broken rule.
func (s *Service) Write(ctx context.Context, address string, topic Topic, message string) error {
	address = email.Clean(address)
	message = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(message))
	var fields []fault.Field
	if m := email.NewFault(address); m != "" {
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
	return s.store.KeepSupportRequest(ctx, SupportRequest{Email: address, Topic: topic, Message: message, CreatedAt: s.clock.Now()},
		s.copyOf(address, topic, message))
}

// copyOf returns the operator's copy, with replies going to the sender; nil if there is no operator's address.
func (s *Service) copyOf(address string, topic Topic, message string) *email.Message {
	if s.operator == "" {
		return nil
	}
	return &email.Message{
		To: s.operator, ReplyTo: address, Subject: "Support request: " + string(topic), Text: "From " + address + ":\n\n" + message + "\n",
	}
}

func invalid(fields ...fault.Field) error {
	return fault.InvalidFields("Please check what you entered.", fields...)
}

func messageFault(message string) string {
	n := utf8.RuneCountInString(message)
	switch {
	case message == "":
		return "Please tell us what happened."
	case n < MinMessage:
		return fmt.Sprintf("Please write a little more, at least %d characters.", MinMessage)
	case n > MaxMessage:
		return fmt.Sprintf("A message has at most %d characters. Please shorten it, or send two.", MaxMessage)
	case !isPlain(message):
		return "This has characters that cannot be shown."
	}
	return ""
}

// isPlain rejects invalid UTF-8 and control characters, some of which PostgreSQL cannot store and a terminal would
// interpret. Line breaks and tabs are allowed.
func isPlain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}
