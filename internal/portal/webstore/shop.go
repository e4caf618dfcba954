package webstore

import (
	"context"
	"time"
)

// ShopOrder is an order as the shop has it.
type ShopOrder struct {
	ID       int64
	Number   string // what its buyer sees
	Status   Status
	Currency string // ISO 4217
	Total    string // that was paid, with tax, shipping and fees; decimal
	// TaxIncluded means that the shop's prices are with tax. Totals of lines are always without.
	TaxIncluded bool
	ModifiedAt  time.Time // zero if the shop does not say
	References  []string  // the order references in it, in any place, each once
	Lines       []ShopLine
	// PartlyRefunded means that money was paid back for no line in particular.
	PartlyRefunded bool
}

// ShopLine is a line of a ShopOrder.
type ShopLine struct {
	ID        int64
	Variation int64 // 0 for a product without variations
	Name      string
	Quantity  int64  // 0 if it is no whole number
	Written   string // the quantity as the shop wrote it
	Refunded  int64  // units that were refunded
	Total     string // that was paid, without tax; decimal
	Tax       string // decimal
}

// Status is the state of an order in the shop.
type Status string

// The states that matter here; in any other an order is not paid, or it is being examined.
const (
	Processing Status = "processing" // paid
	Completed  Status = "completed"  // paid and delivered
	OnHold     Status = "on-hold"    // of a paid order: its payment is disputed
	Refunded   Status = "refunded"
	Cancelled  Status = "cancelled"
	Failed     Status = "failed" // the payment failed or was charged back
)

// deletedStatus is the status of an order that the shop deleted; WooCommerce's own for one that can be restored.
const deletedStatus Status = "trash"

// Paid reports whether an order in this state is paid.
func (s Status) Paid() bool { return s == Processing || s == Completed }

// Void reports whether nothing of an order in this state is paid any more.
func (s Status) Void() bool { return s == Refunded || s == Cancelled || s == Failed }

// Change says when an order was last changed in the shop.
type Change struct {
	OrderID int64
	At      time.Time // zero if the shop does not say
}

// Offer is what the shop asks for a variation.
type Offer struct {
	Variation int64
	Price     string // of one, decimal with two to six digits after the point
	InStock   bool
	At        time.Time // when it was fetched
}

// ReasonNoAnswer is the reason of an Unavailable fault if the shop cannot be reached at all.
const ReasonNoAnswer = "no-answer"

// Shop is the shop that sells the products. All calls return an Unavailable fault while it does not answer, and a TooMany fault
// with RetryAfter when it refuses for that long.
type Shop interface {
	// Order returns an order, or a NotFound fault for one that was deleted.
	Order(ctx context.Context, id int64) (ShopOrder, error)
	// Changes returns a page of the orders that were changed at since or later, the oldest change first, and whether there
	// are more pages; the first page is 1. The shop counts whole seconds.
	Changes(ctx context.Context, since time.Time, page int) (changes []Change, more bool, err error)
	// Offers returns what the shop asks for the variations of a product; none for a product that it does not have. Prices may be
	// in any form, and At is zero.
	Offers(ctx context.Context, product int64) ([]Offer, error)
	// EnableHooks makes sure that the shop reports changed orders, and returns how many hooks it made and how many it enabled
	// that the shop had disabled.
	EnableHooks(ctx context.Context) (made, enabled int, err error)
}
