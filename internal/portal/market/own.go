package market

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

// OwnSales is how many of a listing's sales its seller sees one by one: the last.
const OwnSales = 20

// Stage is what became of a listing, as its seller sees it.
type Stage string

// The stages of a listing.
const (
	StageLive    Stage = "live"    // it can be bought, now or when its time begins
	StageSold    Stage = "sold"    // all of it was sold
	StageEnded   Stage = "ended"   // its seller or its time has ended it
	StageInvalid Stage = "invalid" // it has not ended, but cannot be bought, such as when the seller's items are gone
	// StageReturned is the stage of a listing whose items were gone and are back. It cannot be bought here until its
	// seller sets its price again.
	StageReturned Stage = "returned"
)

// Stage returns what became of the listing.
func (l Listing) Stage(now time.Time) Stage {
	switch {
	case l.Status == Sold:
		return StageSold
	case l.Status != Active || !l.End.After(now):
		return StageEnded
	case l.Valid:
		return StageLive
	case l.Returned:
		return StageReturned
	default:
		return StageInvalid
	}
}

// Proceeds are a sale from a listing with what its seller got.
type Proceeds struct {
	Trade
	Received *money.Units // nil if the index saw no payout in a known currency
}

// OwnListing is a listing as its seller sees it.
type OwnListing struct {
	Listing
	Stage    Stage
	Sold     int64       // units sold
	Received money.Units // what the seller got for them
	Sales    []Proceeds  // the last ones, newest first
}

// OwnQuery selects listings of a seller.
type OwnQuery struct {
	Seller eth.Address
	Stage  Stage  // "" for all; StageInvalid includes StageReturned
	Cursor string // end of the previous page; "" for the first
	Limit  int    // 1 to MaxPage
}

// Own are the units of a token that a wallet has.
type Own struct {
	Owned   money.Units
	Offered money.Units // in listings that have not ended; may exceed Owned
}

// OwnListings returns a page of a seller's listings, newest first.
func (s *Service) OwnListings(ctx context.Context, q OwnQuery) (Page[OwnListing], error) {
	switch q.Stage {
	case "", StageLive, StageSold, StageEnded, StageInvalid:
	default:
		return Page[OwnListing]{}, fault.InvalidFields("There is no such state.",
			fault.Field{Location: "query.state", Message: "Use live, sold, ended or invalid."})
	}
	q.Limit = min(max(q.Limit, 1), MaxPage)
	return s.store.OwnListings(ctx, q, s.clock.Now())
}

// Own returns how many of a token a wallet has, and has listed.
func (s *Service) Own(ctx context.Context, owner, contract eth.Address, tokenID string) (Own, error) {
	return s.store.Own(ctx, owner, contract, tokenID, s.clock.Now())
}
