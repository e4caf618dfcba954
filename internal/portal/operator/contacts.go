package operator

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// SupportRequest is what somebody wrote to the support.
type SupportRequest struct {
	ID        string    `json:"id"` // ascending
	Email     string    `json:"email"`
	Topic     string    `json:"topic"`
	Message   string    `json:"message"`
	CreatedAt time.Time `json:"createdAt"`
}

// Address is an email address that was left for the day the game opens.
type Address struct {
	Email     string    `json:"email"` // as typed
	CreatedAt time.Time `json:"createdAt"`
}

// Arrival is what a link from a game said about where a player comes from.
type Arrival struct {
	At         time.Time       `json:"at"`
	PlayerID   string          `json:"playerId"`
	Parameters json.RawMessage `json:"parameters"` // an object of strings
}

// Contacts reads what people left.
type Contacts interface {
	// SupportRequests returns all requests, oldest first.
	SupportRequests(ctx context.Context) ([]SupportRequest, error)
	// NewestSupportRequests returns requests, newest first.
	NewestSupportRequests(ctx context.Context, limit int) ([]SupportRequest, error)
	// Addresses returns all addresses, oldest first.
	Addresses(ctx context.Context) ([]Address, error)
	// DeleteAddress deletes the address with a key, and reports whether it existed.
	DeleteAddress(ctx context.Context, key string, e Entry) (bool, error)
	// Arrivals returns all arrivals, oldest first.
	Arrivals(ctx context.Context) ([]Arrival, error)
}

// SupportRequests returns what people wrote to the support, oldest first.
func (s *Service) SupportRequests(ctx context.Context) ([]SupportRequest, error) {
	return s.o.Store.SupportRequests(ctx)
}

// NewestSupportRequests returns what people wrote to the support last, newest first.
func (s *Service) NewestSupportRequests(ctx context.Context, limit int) ([]SupportRequest, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	return s.o.Store.NewestSupportRequests(ctx, limit)
}

// Addresses returns the addresses that were left, oldest first.
func (s *Service) Addresses(ctx context.Context) ([]Address, error) { return s.o.Store.Addresses(ctx) }

// DeleteAddress deletes an address; case and surrounding spaces do not matter. The log has it masked. It returns fault.NotFound for an
// unknown one.
func (s *Service) DeleteAddress(ctx context.Context, address string, by By) error {
	e, err := s.entry(by, "address delete", masked(email.Clean(address)), "")
	if err != nil {
		return err
	}
	existed, err := s.o.Store.DeleteAddress(ctx, email.Key(address), e)
	if err == nil && !existed {
		err = fault.New(fault.NotFound, "This address is not on the list.")
	}
	return err
}

// masked hides the local part of an email address but for its first letter.
func masked(address string) string {
	name, domain, _ := strings.Cut(address, "@")
	for _, first := range name {
		return string(first) + "…@" + domain
	}
	return "…@" + domain
}

// Arrivals returns where players come from, oldest first.
func (s *Service) Arrivals(ctx context.Context) ([]Arrival, error) { return s.o.Store.Arrivals(ctx) }
