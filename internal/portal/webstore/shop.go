package webstore

import (
	"context"
	"time"
)

// ShopOrder is an order as the shop has it.
type ShopOrder struct {
	ID         int64
	Number     string // what its buyer sees
	Status     Status
	Currency   string // ISO 4217
	Total      string // decimal
	ModifiedAt time.Time
	References []string // the order references in it, in any place
	Lines      []ShopLine
	// PartlyRefunded means that money was paid back for no line in particular.
	PartlyRefunded bool
}

// ShopLine is a line of a ShopOrder.
type ShopLine struct {
	ID        int64
	Variation int64 // 0 for a product without variations
	Name      string
	Quantity  int64
	Refunded  int64  // units that were refunded
	Total     string // decimal
}

// Status is the state of an order in the shop.
type Status string

// The states that matter here; in any other an order is not paid, or it is being examined.
const (
	Processing Status = "processing" // paid
	Completed  Status = "completed"  // paid and delivered
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
	At      time.Time
}

// Offer is what the shop asks for a variation.
type Offer struct {
	Variation int64
	Price     string // of one, decimal with two digits after the point
	InStock   bool
}

// Shop is the shop that sells the products. All calls return an Unavailable fault while it does not answer, and a TooMany fault
// with RetryAfter when it refuses for that long.
type Shop interface {
	// Order returns an order, or a NotFound fault for one that was deleted.
	Order(ctx context.Context, id int64) (ShopOrder, error)
	// Changes returns a page of the orders that were changed at since or later, the oldest change first, and whether there
	// are more pages; the first page is 1. The shop counts whole seconds.
	Changes(ctx context.Context, since time.Time, page int) (changes []Change, more bool, err error)
	// Offers returns what the shop asks for the variations of products. Those that it does not have are left out.
	Offers(ctx context.Context, products []int64) ([]Offer, error)
	// EnableHooks makes sure that the shop reports changed orders, and returns how many of its hooks were disabled or missing.
	EnableHooks(ctx context.Context) (mended int, err error)
}
