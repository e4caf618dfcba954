// Package selling has the rules of what players list through the portal. The signer and the relay apply them to each operation;
// the marketplace's contract knows none of them.
package selling

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

// Reasons of the conflicts this package returns.
const (
	ReasonPrice   = "listing-price"    // the price is below the least
	ReasonAtOnce  = "listings-at-once" // too many new listings in one operation
	ReasonTooMany = "listings"         // the seller has too many live listings
	ReasonUnits   = "not-enough"       // more would be listed than the seller has
	ReasonHeld    = "held"             // players hold units at a lower price
	ReasonChanged = "changed"          // the listing has changed meanwhile
)

// Token is a token of the market's chain.
type Token struct {
	Contract eth.Address
	ID       string // decimal
}

// Offer is a new listing.
type Offer struct {
	Token
	Quantity money.Units
	Price    money.Units // of one unit, in base units of the currency
}

// Change sets the terms of a listing.
type Change struct {
	Listing  string // the marketplace's number
	Quantity money.Units
	Price    money.Units
}

// Operation is what an operation does with its player's listings and tokens.
type Operation struct {
	Offers    []Offer
	Changes   []Change
	Cancelled []string              // numbers of listings
	Leaving   map[Token]money.Units // burned or sent away
}

// Listing is an active listing whose time is not over.
type Listing struct {
	Number string
	Seller eth.Address
	Token
	Offered int64 // units on offer; those left if the listing is not valid
	Left    int64 // units left by the contract
	Price   money.Units
	Held    []time.Time // the ends of the unexpired holds
}

// Promise is the price of a unit that was in a player's cart when an act of its seller ended the hold. Until the hold would have
// ended, the seller does not sell it for more.
type Promise struct {
	Price money.Units
	Until time.Time
}

// Stock is what a seller has of a token.
type Stock struct {
	Owned    money.Units
	Listings []Listing
	Promises []Promise
}

// Store reads what the rules need to know. Its methods return fault.Unavailable if the database is unreachable.
type Store interface {
	// Seller returns a player's smart wallet and the number of its active listings whose time is not over; the zero address if
	// there is no wallet.
	Seller(ctx context.Context, playerID string, now time.Time) (wallet eth.Address, listings int, err error)
	// Listings returns those of the listings that are active and whose time is not over.
	Listings(ctx context.Context, numbers []string, now time.Time) ([]Listing, error)
	Stock(ctx context.Context, wallet eth.Address, t Token, now time.Time) (Stock, error)
}

// Limits limit what one seller lists.
type Limits struct {
	MinPrice money.Units // of one unit, in base units of the currency
	AtOnce   int         // new listings in one operation
	Live     int         // active listings of a seller
}

// Options configure a Service.
type Options struct {
	Store    Store
	Clock    clock.Clock
	Limits   Limits
	Symbol   string // of the currency
	Decimals int
}

// Service applies the rules. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Allow returns nil if the player may do what the operation does, or else fault.Conflict with a Reason: what is listed costs at
// least the least price; not too much is listed at once and in all; a change states the number of units that are on offer; of no
// token more is listed than its seller has, with what is listed already; and no unit that a player holds, or held until the
// seller took it off the market, gets dearer before the hold is over, whichever calls would make it so. The contract decides on
// changes of listings unknown to the portal.
func (s *Service) Allow(ctx context.Context, playerID string, op Operation) error {
	if len(op.Offers) == 0 && len(op.Changes) == 0 {
		return nil
	}
	if err := s.checkPrices(op); err != nil {
		return err
	}
	if n := s.o.Limits.AtOnce; len(op.Offers) > n {
		return fault.New(fault.Conflict, "You can list at most %d items at once. Please list the others afterwards.", n).WithReason(ReasonAtOnce)
	}
	now := s.o.Clock.Now()
	wallet, live, err := s.o.Store.Seller(ctx, playerID, now)
	if err != nil {
		return err
	}
	p, err := s.plan(ctx, wallet, op, now)
	if err != nil {
		return err
	}
	if n := s.o.Limits.Live; len(op.Offers) > 0 && live-len(p.cancelled)+len(op.Offers) > n {
		return fault.New(fault.Conflict, "You can have at most %d listings, and you have %d. Please end some of them first.", n, live).
			WithReason(ReasonTooMany)
	}
	for token := range p.tokens {
		stock, err := s.o.Store.Stock(ctx, wallet, token, now)
		if err != nil {
			return err
		}
		if err := s.checkToken(stock, token, op, p, now); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) checkPrices(op Operation) error {
	prices := make([]money.Units, 0, len(op.Offers)+len(op.Changes))
	for _, o := range op.Offers {
		prices = append(prices, o.Price)
	}
	for _, c := range op.Changes {
		prices = append(prices, c.Price)
	}
	for _, price := range prices {
		if price.Cmp(s.o.Limits.MinPrice) < 0 {
			return fault.New(fault.Conflict, "The lowest price is %s. Please set a higher one.", s.price(s.o.Limits.MinPrice)).
				WithReason(ReasonPrice)
		}
	}
	return nil
}

func (s *Service) price(u money.Units) string { return u.Decimal(s.o.Decimals) + " " + s.o.Symbol }

// plan is what an operation does with listings that the portal knows.
type plan struct {
	tokens    map[Token]bool    // of which something is listed
	changed   map[string]Change // by number
	cancelled map[string]bool   // numbers
}

func (s *Service) plan(ctx context.Context, wallet eth.Address, op Operation, now time.Time) (p plan, err error) {
	p = plan{tokens: map[Token]bool{}, changed: map[string]Change{}, cancelled: map[string]bool{}}
	numbers := slices.Clone(op.Cancelled)
	for _, c := range op.Changes {
		numbers = append(numbers, c.Listing)
		p.changed[c.Listing] = c
	}
	for _, o := range op.Offers {
		p.tokens[o.Token] = true
	}
	var known []Listing
	if len(numbers) > 0 {
		if known, err = s.o.Store.Listings(ctx, numbers, now); err != nil {
			return p, err
		}
	}
	ending := map[string]bool{}
	for _, number := range op.Cancelled {
		ending[number] = true
	}
	for _, l := range known {
		if l.Seller != wallet { // the contract refuses
			continue
		}
		if ending[l.Number] {
			p.cancelled[l.Number] = true
			continue
		}
		c, ok := p.changed[l.Number]
		if !ok {
			continue
		}
		p.tokens[l.Token] = true
		if err := s.checkChange(l, c, now); err != nil {
			return p, err
		}
	}
	return p, nil
}

// checkChange checks a change of a listing: the contract sets price and quantity to absolute values.
func (s *Service) checkChange(l Listing, c Change, now time.Time) error {
	if c.Quantity.Cmp(money.FromInt(l.Offered)) != 0 {
		return fault.New(fault.Conflict, "Only %d left in this listing. Please check it and try again.", l.Offered).WithReason(ReasonChanged)
	}
	if c.Price.Cmp(l.Price) <= 0 || len(l.Held) == 0 {
		return nil
	}
	until := now
	for _, end := range l.Held {
		until = clock.Later(until, end)
	}
	return held(fmt.Sprintf("Players have %d of these in their carts until %s. You can raise the price then, and lower it at any time.",
		len(l.Held), clockTime(until)), len(l.Held), until, now)
}

func held(message string, units int, until, now time.Time) error {
	return &fault.Fault{
		Code: fault.Conflict, Reason: ReasonHeld, RetryAfter: until.Sub(now), Message: message,
		Details: map[string]string{"heldUntil": until.UTC().Format(time.RFC3339), "heldUnits": strconv.Itoa(units)},
	}
}

func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// checkToken checks what an operation lists of a token.
func (s *Service) checkToken(stock Stock, token Token, op Operation, p plan, now time.Time) error {
	owned, err := stock.Owned.Sub(op.Leaving[token])
	if err != nil { // more leaves than there is: the contract refuses
		owned = money.Units{}
	}
	listed := new(big.Int)   // after the operation
	highest := money.Units{} // the highest new or raised price
	promises := slices.Clone(stock.Promises)
	for _, l := range stock.Listings {
		switch c, changed := p.changed[l.Number]; {
		case p.cancelled[l.Number]:
			for _, until := range l.Held {
				promises = append(promises, Promise{l.Price, until})
			}
		case changed:
			listed.Add(listed, c.Quantity.Big())
			if c.Price.Cmp(l.Price) > 0 {
				highest = higher(highest, c.Price)
			}
		default:
			listed.Add(listed, big.NewInt(l.Left))
		}
	}
	for _, o := range op.Offers {
		if o.Token == token {
			listed.Add(listed, o.Quantity.Big())
			highest = higher(highest, o.Price)
		}
	}
	if listed.Cmp(owned.Big()) > 0 {
		return fault.New(fault.Conflict,
			"You have %s of this item, and %s would be listed. Please end the other listing first, or list fewer.", owned, listed).
			WithReason(ReasonUnits)
	}
	return s.checkPromises(promises, listed.Sub(owned.Big(), listed), highest, now)
}

func higher(a, b money.Units) money.Units {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// checkPromises checks that the units that players held at a lower price than the highest one remain unlisted.
func (s *Service) checkPromises(promises []Promise, unlisted *big.Int, highest money.Units, now time.Time) error {
	units, until, least := 0, now, highest
	for _, p := range promises {
		if !p.Until.After(now) || p.Price.Cmp(highest) >= 0 {
			continue
		}
		units++
		until = clock.Later(until, p.Until)
		if p.Price.Cmp(least) < 0 {
			least = p.Price
		}
	}
	if unlisted.Cmp(big.NewInt(int64(units))) >= 0 {
		return nil
	}
	return held(fmt.Sprintf("Players had %d of these in their carts at %s. Until %s you can list them for that price or less.",
		units, s.price(least), clockTime(until)), units, until, now)
}
