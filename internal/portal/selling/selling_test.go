package selling_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/selling"
)

var (
	now    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seller = eth.Address{19: 1}
	other  = eth.Address{19: 2}
	sword  = selling.Token{Contract: eth.Address{19: 9}, ID: "7"}
	shield = selling.Token{Contract: eth.Address{19: 9}, ID: "8"}
)

// usdc is a number of cents.
func usdc(cents int64) money.Units { return money.FromInt(cents * 10_000) }

// stall is a store with the goods of one seller.
type stall struct {
	listings int
	stock    map[selling.Token]selling.Stock
	others   []selling.Listing
}

func (s stall) Seller(context.Context, string, time.Time) (eth.Address, int, error) {
	n := s.listings
	for _, stock := range s.stock {
		n += len(stock.Listings)
	}
	return seller, n, nil
}

func (s stall) Listings(_ context.Context, numbers []string, _ time.Time) (out []selling.Listing, err error) {
	all := s.others
	for _, stock := range s.stock {
		all = append(all, stock.Listings...)
	}
	for _, l := range all {
		for _, number := range numbers {
			if l.Number == number {
				out = append(out, l)
			}
		}
	}
	return out, nil
}

func (s stall) Stock(_ context.Context, _ eth.Address, t selling.Token, _ time.Time) (selling.Stock, error) {
	return s.stock[t], nil
}

func (s stall) allow(t *testing.T, op selling.Operation) *fault.Fault {
	t.Helper()
	service := selling.NewService(selling.Options{
		Store: s, Clock: clock.NewFake(now), Symbol: "USDC", Decimals: 6, Limits: selling.Limits{MinPrice: usdc(1), AtOnce: 20, Live: 500},
	})
	err := service.Allow(t.Context(), "A", op)
	f := fault.As(err)
	if err != nil && (f == nil || f.Code != fault.Conflict) {
		t.Fatal(err)
	}
	return f
}

// has is a stall with so many swords and the listings of them.
func has(owned int64, listings ...selling.Listing) stall {
	return stall{stock: map[selling.Token]selling.Stock{sword: {Owned: money.FromInt(owned), Listings: listings}}}
}

// listed is a listing of swords, some of them held for five minutes.
func listed(number string, quantity, cents int64, held int) selling.Listing {
	l := selling.Listing{Number: number, Seller: seller, Token: sword, Offered: quantity, Left: quantity, Price: usdc(cents)}
	for range held {
		l.Held = append(l.Held, now.Add(5*time.Minute))
	}
	return l
}

func offer(quantity, cents int64) selling.Offer {
	return selling.Offer{Token: sword, Quantity: money.FromInt(quantity), Price: usdc(cents)}
}

func change(number string, quantity, cents int64) selling.Change {
	return selling.Change{Listing: number, Quantity: money.FromInt(quantity), Price: usdc(cents)}
}

func want(t *testing.T, what string, f *fault.Fault, reason, message string) {
	t.Helper()
	switch {
	case f == nil:
		if reason != "" {
			t.Errorf("%s: allowed, want %s", what, reason)
		}
	case f.Reason != reason || message != "" && f.Message != message:
		t.Errorf("%s: %s %q, want %s %q", what, f.Reason, f.Message, reason, message)
	}
}

// Spec: SELL-2
func TestSelling_NothingIsListedBelowTheLeastPrice(t *testing.T) {
	t.Parallel()
	cheap := selling.Offer{Token: sword, Quantity: money.FromInt(1), Price: money.FromInt(9_999)}
	want(t, "a new listing", has(1).allow(t, selling.Operation{Offers: []selling.Offer{cheap}}), "listing-price",
		"The lowest price is 0.01 USDC. Please set a higher one.")
	want(t, "a change", has(1, listed("1", 1, 500, 0)).
		allow(t, selling.Operation{Changes: []selling.Change{{Listing: "1", Quantity: money.FromInt(1)}}}), "listing-price", "")
	want(t, "the least price", has(1).allow(t, selling.Operation{Offers: []selling.Offer{offer(1, 1)}}), "", "")
}

// Spec: SELL-2
func TestSelling_NoMoreIsListedThanTheSellerHas(t *testing.T) {
	t.Parallel()
	const message = "You have 1 of this item, and 2 would be listed. Please end the other listing first, or list fewer."
	once := listed("1", 1, 500, 0)
	for _, test := range []struct {
		name   string
		stall  stall
		op     selling.Operation
		reason string
	}{
		{"one of one", has(1), selling.Operation{Offers: []selling.Offer{offer(1, 500)}}, ""},
		{"two of one", has(1), selling.Operation{Offers: []selling.Offer{offer(2, 500)}}, "not-enough"},
		{"one twice in one operation", has(1), selling.Operation{Offers: []selling.Offer{offer(1, 500), offer(1, 500)}}, "not-enough"},
		{"what is listed already", has(1, once), selling.Operation{Offers: []selling.Offer{offer(1, 500)}}, "not-enough"},
		{"the other listing ends", has(1, once), selling.Operation{Offers: []selling.Offer{offer(1, 500)}, Cancelled: []string{"1"}}, ""},
		{
			"another seller's listing ends", has(1, once), selling.Operation{Offers: []selling.Offer{offer(1, 500)}, Cancelled: []string{"2"}},
			"not-enough",
		},
		{
			"one is sent away", has(1),
			selling.Operation{Offers: []selling.Offer{offer(1, 500)}, Leaving: map[selling.Token]money.Units{sword: money.FromInt(1)}},
			"not-enough",
		},
		{
			"a change of one of two for one item", has(1, once, listed("3", 1, 500, 0)),
			selling.Operation{Changes: []selling.Change{change("1", 1, 500)}}, "not-enough",
		},
		{
			"2^255 of them", has(1),
			selling.Operation{Offers: []selling.Offer{{
				Token: sword, Quantity: money.MustParse("57896044618658097711785492504343953926634992332820282019728792003956564819968"),
				Price: usdc(1),
			}}},
			"not-enough",
		},
		{
			"nothing that the seller has", has(1),
			selling.Operation{Offers: []selling.Offer{{Token: shield, Quantity: money.FromInt(1), Price: usdc(1)}}}, "not-enough",
		},
	} {
		want(t, test.name, test.stall.allow(t, test.op), test.reason, "")
	}
	want(t, "the message", has(1, once).allow(t, selling.Operation{Offers: []selling.Offer{offer(1, 500)}}), "not-enough", message)
}

// Spec: SELL-2
func TestSelling_TwentyAtOnceAndFiveHundredInAll(t *testing.T) {
	t.Parallel()
	offers := make([]selling.Offer, 21)
	for i := range offers {
		offers[i] = offer(1, 500)
	}
	want(t, "twenty", has(99).allow(t, selling.Operation{Offers: offers[:20]}), "", "")
	want(t, "twenty-one", has(99).allow(t, selling.Operation{Offers: offers}), "listings-at-once",
		"You can list at most 20 items at once. Please list the others afterwards.")
	full := has(99, listed("1", 1, 500, 0))
	full.listings = 499
	want(t, "the 501st", full.allow(t, selling.Operation{Offers: offers[:1]}), "listings",
		"You can have at most 500 listings, and you have 500. Please end some of them first.")
	want(t, "in place of another", full.allow(t, selling.Operation{Offers: offers[:1], Cancelled: []string{"1"}}), "", "")
	want(t, "in place of one, named twice", full.allow(t,
		selling.Operation{Offers: offers[:2], Cancelled: []string{"1", "1"}}), "listings", "")
	want(t, "a change", full.allow(t, selling.Operation{Changes: []selling.Change{change("1", 1, 500)}}), "", "")
}

// Whichever calls would make a unit dearer that a player holds: the price rises when the hold is over.
// Spec: SELL-3
func TestSelling_HeldPriceIsNotRaised(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		stall  stall
		op     selling.Operation
		reason string
	}{
		{"by a change", has(3, listed("1", 3, 1000, 1)), selling.Operation{Changes: []selling.Change{change("1", 3, 1500)}}, "held"},
		{"a change to less", has(3, listed("1", 3, 1000, 1)), selling.Operation{Changes: []selling.Change{change("1", 3, 999)}}, ""},
		{"nobody holds any", has(3, listed("1", 3, 1000, 0)), selling.Operation{Changes: []selling.Change{change("1", 3, 1500)}}, ""},
		{"fewer are offered, and the rest dearer", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{Changes: []selling.Change{change("1", 2, 1000)}, Offers: []selling.Offer{offer(1, 1500)}}, "changed"},
		{
			"cancelled and listed again", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{Cancelled: []string{"1"}, Offers: []selling.Offer{offer(3, 1500)}}, "held",
		},
		{
			"in two parts", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{Cancelled: []string{"1"}, Offers: []selling.Offer{offer(2, 1500), offer(1, 1000)}}, "held",
		},
		{
			"at the same price", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{Cancelled: []string{"1"}, Offers: []selling.Offer{offer(3, 1000)}}, "",
		},
		{
			"all but what was held", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{Cancelled: []string{"1"}, Offers: []selling.Offer{offer(2, 1500)}}, "",
		},
		{"what was held is sent away", has(3, listed("1", 3, 1000, 1)),
			selling.Operation{
				Cancelled: []string{"1"}, Offers: []selling.Offer{offer(2, 1500)}, Leaving: map[selling.Token]money.Units{sword: money.FromInt(1)},
			}, "held"},
		{"more of the same, dearer", has(9, listed("1", 3, 1000, 3)), selling.Operation{Offers: []selling.Offer{offer(6, 1500)}}, ""},
		{
			"another is cancelled", has(9, listed("1", 3, 1000, 3), listed("2", 3, 1000, 0)),
			selling.Operation{Cancelled: []string{"2"}, Offers: []selling.Offer{offer(6, 1500)}}, "",
		},
	} {
		want(t, test.name, test.stall.allow(t, test.op), test.reason, "")
	}
	f := has(1, listed("1", 1, 1000, 1)).allow(t, selling.Operation{Changes: []selling.Change{change("1", 1, 1500)}})
	want(t, "the message", f, "held",
		"Players have 1 of these in their carts until 12:05:00 UTC. You can raise the price then, and lower it at any time.")
	if f != nil && (f.RetryAfter != 5*time.Minute || f.Details["heldUnits"] != "1" || f.Details["heldUntil"] != "2026-03-01T12:05:00Z") {
		t.Errorf("%+v", f)
	}
}

// Cancelled in one operation and listed again in another: what players held until then does not get dearer.
// Spec: SELL-3
func TestSelling_PriceIsKeptUntilTheEndedHoldWouldHaveEnded(t *testing.T) {
	t.Parallel()
	promised := func(owned int64, until time.Duration, listings ...selling.Listing) stall {
		s := has(owned, listings...)
		stock := s.stock[sword]
		stock.Promises = []selling.Promise{{Price: usdc(1000), Until: now.Add(until)}}
		s.stock[sword] = stock
		return s
	}
	again := selling.Operation{Offers: []selling.Offer{offer(1, 1500)}}
	want(t, "listed again", promised(1, time.Minute).allow(t, again), "held",
		"Players had 1 of these in their carts at 10 USDC. Until 12:01:00 UTC you can list them for that price or less.")
	want(t, "listed again at the same price", promised(1, time.Minute).
		allow(t, selling.Operation{Offers: []selling.Offer{offer(1, 1000)}}), "", "")
	want(t, "listed at the same price, and then raised", promised(1, time.Minute, listed("2", 1, 1000, 0)).
		allow(t, selling.Operation{Changes: []selling.Change{change("2", 1, 1500)}}), "held", "")
	want(t, "another unit", promised(2, time.Minute).allow(t, again), "", "")
	want(t, "when it is over", promised(1, 0).allow(t, again), "", "")
}

func TestSelling_ChangeStatesWhatIsOnOffer(t *testing.T) {
	t.Parallel()
	for quantity, reason := range map[int64]string{2: "changed", 3: "", 4: "changed"} {
		f := has(9, listed("1", 3, 1000, 0)).allow(t, selling.Operation{Changes: []selling.Change{change("1", quantity, 1500)}})
		want(t, fmt.Sprint(quantity, " of 3"), f, reason, "")
		if f != nil && f.Message != "Only 3 left in this listing. Please check it and try again." {
			t.Error(f.Message)
		}
	}
	foreign := has(1)
	foreign.others = []selling.Listing{{
		Number: "5", Seller: other, Token: sword, Offered: 3, Left: 3, Price: usdc(1000), Held: []time.Time{now.Add(time.Hour)},
	}}
	want(t, "another's listing, which the contract refuses",
		foreign.allow(t, selling.Operation{Changes: []selling.Change{change("5", 1, 1500)}}), "", "")
	want(t, "a listing that the portal does not know yet",
		has(1).allow(t, selling.Operation{Changes: []selling.Change{change("6", 1, 1500)}}), "", "")
}
