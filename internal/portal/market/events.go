package market

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// EventKind says what happened to a token.
type EventKind string

// What happens to tokens.
const (
	EventListed      EventKind = "listed"
	EventRepriced    EventKind = "repriced"  // the seller changed a listing's price
	EventChanged     EventKind = "changed"   // the seller changed anything else about a listing
	EventCancelled   EventKind = "cancelled" // the seller took a listing back
	EventSold        EventKind = "sold"
	EventMinted      EventKind = "minted"
	EventTransferred EventKind = "transferred" // without a sale
	EventBurned      EventKind = "burned"
)

// Event is something that happened to a token, as the chain says.
type Event struct {
	ID        string // distinct among the token's
	Kind      EventKind
	Time      time.Time
	Tx        eth.Hash
	ListingID string       // of an event of a listing
	From      *eth.Address // the seller or sender; nil if minted
	To        *eth.Address // the buyer or recipient; nil if burned, and of listings
	Quantity  money.Units  // 0 if cancelled
	Currency  eth.Address  // of the prices; the zero address if unknown
	Price     *money.Units // of one; nil if there is none, or its currency is unknown
	Before    *money.Units // the price before, if repriced; nil if it was in another currency
}

// EventQuery selects events of a token.
type EventQuery struct {
	Contract eth.Address
	TokenID  string
	Cursor   string // end of the previous page; "" for the first
	Limit    int    // 1 to MaxPage
}

// Events returns a page of what happened to a token, newest first. It returns fault.NotFound for a token that is not
// indexed.
func (s *Service) Events(ctx context.Context, q EventQuery) (Page[Event], error) {
	if _, err := s.store.Token(ctx, q.Contract, q.TokenID); err != nil {
		return Page[Event]{}, err
	}
	q.Limit = min(max(q.Limit, 1), MaxPage)
	return s.store.Events(ctx, q)
}

// Names returns the display names of the players whose smart wallets are among the addresses.
func (s *Service) Names(ctx context.Context, addresses []eth.Address) (map[eth.Address]string, error) {
	return s.store.Names(ctx, addresses)
}
