package market_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
)

var (
	seller = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	buyer  = eth.MustAddress("0x00000000000000000000000000000000000000b2")
	usdc   = eth.MustAddress("0x00000000000000000000000000000000000000c3")
	goods  = eth.MustAddress("0x00000000000000000000000000000000000000d4")
	epoch  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func at(second int) onchain.Position {
	return onchain.Position{Block: uint64(second), Time: epoch.Add(time.Duration(second) * time.Second)}
}

func terms(quantity, price int64) *onchain.ListingTerms {
	return &onchain.ListingTerms{
		Seller: seller, Contract: goods, TokenID: "7", Quantity: quantity, Currency: usdc, PricePerToken: money.FromInt(price),
		Start: epoch, End: onchain.MaxTime(),
	}
}

func created(second int, quantity, price int64) onchain.ListingEvent {
	return onchain.ListingEvent{Position: at(second), Kind: onchain.ListingCreated, Terms: terms(quantity, price)}
}

func updated(second int, quantity, price int64) onchain.ListingEvent {
	return onchain.ListingEvent{Position: at(second), Kind: onchain.ListingUpdated, Terms: terms(quantity, price)}
}

func cancelled(second int) onchain.ListingEvent {
	return onchain.ListingEvent{Position: at(second), Kind: onchain.ListingCancelled}
}

func sold(second int, quantity, total int64) onchain.ListingEvent {
	return onchain.ListingEvent{Position: at(second), Kind: onchain.ListingSold, Sale: &onchain.Sale{
		Seller: seller, Contract: goods, TokenID: "7", Buyer: buyer, Quantity: quantity, Total: money.FromInt(total),
	}}
}

// Spec: MARKET-16
func TestFold_ListingIsWhatItsEventsSay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		events   []onchain.ListingEvent
		status   market.Status
		quantity int64
		price    int64
		changed  int // second of the last change
	}{
		{"created", []onchain.ListingEvent{created(1, 5, 10)}, market.Active, 5, 10, 1},
		{"updated", []onchain.ListingEvent{created(1, 5, 10), updated(2, 8, 12)}, market.Active, 8, 12, 2},
		{"partly sold", []onchain.ListingEvent{created(1, 5, 10), sold(2, 2, 20)}, market.Active, 3, 10, 2},
		{
			"an update states the quantity anew", []onchain.ListingEvent{created(1, 5, 10), sold(2, 2, 20), updated(3, 5, 10)}, market.Active, 5,
			10, 3,
		},
		{"sold out", []onchain.ListingEvent{created(1, 5, 10), sold(2, 2, 20), sold(3, 3, 30)}, market.Sold, 0, 10, 3},
		{"cancelled", []onchain.ListingEvent{created(1, 5, 10), sold(2, 2, 20), cancelled(3)}, market.Cancelled, 3, 10, 3},
		{
			"nothing follows an end", []onchain.ListingEvent{created(1, 1, 10), cancelled(2), updated(3, 9, 9), sold(4, 1, 9)}, market.Cancelled,
			1, 10, 2,
		},
		{"a second creation is none", []onchain.ListingEvent{created(1, 5, 10), created(2, 9, 9)}, market.Active, 5, 10, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := market.Fold(test.events)
			if f.Status != test.status || f.Quantity != test.quantity || f.PricePerToken.Cmp(money.FromInt(test.price)) != 0 {
				t.Errorf("%s, %d left at %s; want %s, %d at %d", f.Status, f.Quantity, f.PricePerToken, test.status, test.quantity, test.price)
			}
			if want := at(1).Time; !f.CreatedAt.Equal(want) {
				t.Errorf("created at %v, want %v", f.CreatedAt, want)
			}
			if want := at(test.changed).Time; !f.UpdatedAt.Equal(want) {
				t.Errorf("updated at %v, want %v", f.UpdatedAt, want)
			}
		})
	}
}

func TestFold_EventsOfAListingThatWasNeverCreatedMakeNone(t *testing.T) {
	t.Parallel()
	if f := market.Fold([]onchain.ListingEvent{updated(1, 3, 3), sold(2, 1, 3), cancelled(3)}); f.Exists() {
		t.Errorf("got %+v", f)
	}
}

// The quantity left is the last one set minus the sales since, in whatever order updates and sales come.
func TestFold_CountsLikeTheContract(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		left := rapid.Int64Range(1, 20).Draw(t, "quantity")
		events := []onchain.ListingEvent{created(1, left, 10)}
		for second := 2; left > 0 && rapid.IntRange(0, 9).Draw(t, "more") > 0; second++ {
			if rapid.Bool().Draw(t, "update") {
				left = rapid.Int64Range(1, 20).Draw(t, "quantity")
				events = append(events, updated(second, left, 10))
			} else {
				n := rapid.Int64Range(1, left).Draw(t, "bought")
				left -= n
				events = append(events, sold(second, n, n*10))
			}
		}
		f := market.Fold(events)
		want := market.Active
		if left == 0 {
			want = market.Sold
		}
		if f.Quantity != left || f.Status != want {
			t.Fatalf("%d left, %s; want %d, %s", f.Quantity, f.Status, left, want)
		}
	})
}

func TestFold_SaleAtAnotherPriceWasPaidInAnotherCurrency(t *testing.T) {
	t.Parallel()
	f := market.Fold([]onchain.ListingEvent{created(1, 5, 10)})
	if got := f.PaidIn(*sold(2, 3, 30).Sale); got != usdc {
		t.Errorf("at the listed price: %v, want %v", got, usdc)
	}
	if got := f.PaidIn(*sold(2, 3, 31).Sale); !got.IsZero() {
		t.Errorf("at another price: %v, want none", got)
	}
}

// Spec: PAY-4
func TestPayout_IsTheLastTransferToTheSellerBeforeTheSale(t *testing.T) {
	t.Parallel()
	one, other := eth.Keccak256([]byte("one")), eth.Keccak256([]byte("other"))
	pay := func(block uint64, log uint32, tx eth.Hash, currency, to eth.Address, n int64) onchain.Transfer {
		return onchain.Transfer{
			Position: onchain.Position{Block: block, LogIndex: log, Tx: tx}, Contract: currency, To: to, Amount: money.FromInt(n),
		}
	}
	transfers := []onchain.Transfer{
		pay(1, 9, one, usdc, seller, 1), pay(2, 0, one, usdc, seller, 2), pay(2, 1, one, usdc, seller, 3), pay(2, 2, one, usdc, buyer, 4),
		pay(2, 3, one, goods, seller, 5), pay(2, 5, one, usdc, seller, 6), pay(2, 6, other, usdc, seller, 7), pay(3, 0, one, usdc, seller, 8),
	}
	for _, c := range []struct {
		block    uint64
		log      uint32
		tx       eth.Hash
		currency eth.Address
		want     string
	}{
		{2, 4, one, usdc, "3"}, {2, 6, one, usdc, "6"}, {2, 7, other, usdc, "7"}, {2, 4, one, goods, "5"},
		{2, 0, one, usdc, "none"}, {2, 4, other, usdc, "none"}, {4, 0, one, usdc, "none"}, {2, 4, one, eth.Address{}, "none"},
	} {
		got := "none"
		if amount, ok := market.Payout(transfers, onchain.Position{Block: c.block, LogIndex: c.log, Tx: c.tx}, c.currency, seller); ok {
			got = amount.String()
		}
		if got != c.want {
			t.Errorf("log %d of block %d: %s, want %s", c.log, c.block, got, c.want)
		}
	}
}

func TestFold_ListingIsOnOfferByItsTerms(t *testing.T) {
	t.Parallel()
	ours := market.Backing{Currency: true}
	active := market.Fold([]onchain.ListingEvent{created(1, 5, 10)})
	reserved, free := active, active
	reserved.Reserved = true
	free.PricePerToken = money.Units{}
	for _, test := range []struct {
		name    string
		listing market.Folded
		backing market.Backing
		want    bool
	}{
		{"active", active, ours, true},
		{"foreign currency", active, market.Backing{}, false},
		{"reserved", reserved, ours, false},
		{"for nothing", free, ours, false},
		{"cancelled", active.After(cancelled(2)), ours, false},
		{"sold", active.After(sold(2, 5, 50)), ours, false},
	} {
		if got := test.listing.Offerable(test.backing); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestFold_OnlyApprovedUnitsAreAvailable(t *testing.T) {
	t.Parallel()
	if got := (market.Backing{Held: money.FromInt(5)}).Available(); got != 0 {
		t.Errorf("without approval: %d, want 0", got)
	}
	if got := (market.Backing{Held: money.FromInt(5), Approved: true}).Available(); got != 5 {
		t.Errorf("with approval: %d, want 5", got)
	}
	if got := (market.Backing{Held: money.MustParse("99999999999999999999"), Approved: true}).Available(); got != 1<<63-1 {
		t.Errorf("of very many: %d, want 2^63-1", got)
	}
}

func TestCover_EachUnitCoversOneListingInTheOrderOfCreation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		available int64
		wanted    []int64
		covered   []int64
	}{
		{1, []int64{1, 1}, []int64{1, 0}},
		{0, []int64{1, 1}, []int64{0, 0}},
		{8, []int64{5, 5}, []int64{5, 3}},
		{3, []int64{5}, []int64{3}},
		{6, []int64{2, 0, 3}, []int64{2, 0, 3}},
	} {
		if got := market.Cover(test.available, test.wanted); !slices.Equal(got, test.covered) {
			t.Errorf("%d units for %v: %v, want %v", test.available, test.wanted, got, test.covered)
		}
	}
}

// kept is an unexpired hold of the player's, taken age seconds ago.
func kept(player string, unit int64, age int) market.Kept {
	held := epoch.Add(-time.Duration(age) * time.Second)
	return market.Kept{Hold: market.Hold{Unit: unit, PlayerID: player, HeldAt: held, ExpiresAt: held.Add(10 * time.Minute)}}
}

// show formats a reseating in one line for failure messages.
func show(r market.Reseating) string {
	line := ""
	for _, part := range []struct {
		name  string
		holds []market.Kept
	}{{"spent", r.Spent}, {"lapsed", r.Lapsed}, {"ended", r.Ended}} {
		for _, k := range part.holds {
			line += fmt.Sprintf("%s %s%d ", part.name, k.PlayerID, k.Unit)
		}
	}
	for _, m := range r.Moved {
		line += fmt.Sprintf("moved %s%d→%d ", m.PlayerID, m.Unit, m.To)
	}
	return line
}

// Spec: CART-19
func TestFold_HoldsGetNewUnitsWhenAListingShrinks(t *testing.T) {
	t.Parallel()
	expired := kept("C", 0, 3600)
	paying := kept("A", 2, 1)
	paying.Paying = true
	for _, test := range []struct {
		name     string
		holds    []market.Kept
		quantity int64
		bought   []market.Purchase
		want     string
	}{
		{"nothing to do", []market.Kept{kept("A", 0, 9), kept("B", 1, 5)}, 2, nil, ""},
		{"the buyer's own hold goes", []market.Kept{kept("A", 0, 9), kept("B", 1, 5)}, 1, []market.Purchase{{"A", 1}}, "spent A0 moved B1→0 "},
		{"the buyer's oldest holds go, no more than were bought",
			[]market.Kept{kept("A", 0, 1), kept("A", 1, 9), kept("A", 2, 5)}, 3, []market.Purchase{{"A", 2}}, "spent A1 spent A2 "},
		{"the one being paid for goes first", []market.Kept{kept("A", 0, 9), paying}, 2, []market.Purchase{{"A", 1}}, "spent A2 "},
		{
			"bought without a hold: the youngest ends", []market.Kept{kept("A", 0, 5), kept("B", 1, 9)}, 1, []market.Purchase{{"C", 1}},
			"ended A0 moved B1→0 ",
		},
		{"taken at once: the higher unit ends", []market.Kept{kept("A", 0, 5), kept("B", 1, 5)}, 1, nil, "ended B1 "},
		{"a hold that had expired makes room", []market.Kept{expired, kept("A", 1, 5)}, 1, nil, "lapsed C0 moved A1→0 "},
		{"an expired hold of the buyer was spent", []market.Kept{expired}, 1, []market.Purchase{{"C", 1}}, "spent C0 "},
		{
			"holds keep the units that are still there", []market.Kept{kept("A", 1, 5), kept("B", 4, 4), kept("C", 5, 3)}, 4, nil,
			"moved B4→0 moved C5→2 ",
		},
		{"the end of the listing", []market.Kept{kept("A", 0, 5), kept("B", 1, 9)}, 0, []market.Purchase{{"A", 1}}, "spent A0 ended B1 "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := show(market.Reseat(test.holds, test.quantity, test.bought, epoch)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestFold_ReseatingKeepsEverybodyItCan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.Int64Range(0, 12).Draw(t, "units before")
		quantity := rapid.Int64Range(0, 14).Draw(t, "units after")
		players := rapid.SampledFrom([]string{"A", "B", "C"})
		var holds []market.Kept
		for unit := range before {
			if rapid.Bool().Draw(t, "held") {
				k := kept(players.Draw(t, "holder"), unit, rapid.IntRange(0, 700).Draw(t, "age"))
				k.Paying = rapid.Bool().Draw(t, "paying")
				holds = append(holds, k)
			}
		}
		var bought []market.Purchase
		owed := map[string]int64{}
		for range rapid.IntRange(0, 3).Draw(t, "purchases") {
			p := market.Purchase{PlayerID: players.Draw(t, "buyer"), Quantity: rapid.Int64Range(1, 4).Draw(t, "bought")}
			bought = append(bought, p)
			owed[p.PlayerID] += p.Quantity
		}
		own := map[string]int64{}
		for _, k := range holds {
			own[k.PlayerID]++
		}

		r := market.Reseat(slices.Clone(holds), quantity, bought, epoch)

		gone := map[int64]bool{}
		for _, k := range slices.Concat(r.Spent, r.Lapsed, r.Ended) {
			if gone[k.Unit] {
				t.Fatalf("unit %d is in two lists: %s", k.Unit, show(r))
			}
			gone[k.Unit] = true
		}
		spent := map[string]int64{}
		for _, k := range r.Spent {
			spent[k.PlayerID]++
		}
		for player, n := range own {
			if want := min(n, owed[player]); spent[player] != want {
				t.Fatalf("%s spent %d of %d holds on %d bought: %s", player, spent[player], n, owed[player], show(r))
			}
		}
		for _, k := range r.Lapsed {
			if k.ExpiresAt.After(epoch) {
				t.Fatalf("unit %d lapsed while it was running: %s", k.Unit, show(r))
			}
		}
		to := map[int64]int64{}
		for _, m := range r.Moved {
			if m.Unit < quantity || gone[m.Unit] {
				t.Fatalf("unit %d moved without need: %s", m.Unit, show(r))
			}
			to[m.Unit] = m.To
		}
		taken := map[int64]bool{}
		youngest := time.Time{}
		for _, k := range holds {
			if gone[k.Unit] {
				continue
			}
			unit := k.Unit
			if moved, ok := to[k.Unit]; ok {
				unit = moved
			}
			if unit < 0 || unit >= quantity || taken[unit] || !k.ExpiresAt.After(epoch) {
				t.Fatalf("%s sits on unit %d of %d: %s", k.PlayerID, unit, quantity, show(r))
			}
			taken[unit] = true
			if k.HeldAt.After(youngest) {
				youngest = k.HeldAt
			}
		}
		if len(r.Ended) > 0 && int64(len(taken)) != quantity {
			t.Fatalf("a hold ended while %d of %d units were held: %s", len(taken), quantity, show(r))
		}
		for _, k := range r.Ended {
			if k.HeldAt.Before(youngest) {
				t.Fatalf("unit %d ended before a younger hold: %s", k.Unit, show(r))
			}
		}
		for _, m := range r.Moved {
			for lower := range m.To {
				if !taken[lower] {
					t.Fatalf("unit %d moved to %d while %d was free: %s", m.Unit, m.To, lower, show(r))
				}
			}
		}
	})
}
