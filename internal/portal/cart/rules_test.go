package cart_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// The rules' numbers, as the product states them; the package's own are not used here, so that changing one shows.
const (
	holdTime  = 600_000 * time.Millisecond
	maxUnits  = 20
	maxLapses = 10
	window    = time.Hour
	penalty   = 10 * time.Minute
	clockLead = time.Minute // how far the chain's clock may run ahead of the server's
)

// shelf is a listing of the model.
type shelf struct {
	number     string
	id         string
	seller     string
	quantity   int64
	price      int64
	start, end time.Time // zero for no limit
	closed     bool      // reserved, invalid, sold or cancelled
}

func (s shelf) live(now time.Time) bool {
	return !s.closed && (s.start.IsZero() || !now.Before(s.start.Add(-clockLead))) && (s.end.IsZero() || now.Before(s.end))
}

// hold is a hold of the model.
type hold struct {
	player       string
	taken, until time.Time
	listing      string
	unit         int64
	price        int64
}

// model is the cart's rules in their simplest form: one list of holds.
type model struct {
	now     time.Time
	shelves []shelf
	holds   []hold
	lapses  map[string][]time.Time
}

func (m *model) at(listing string, unit int64) int {
	return slices.IndexFunc(m.holds, func(h hold) bool { return h.listing == listing && h.unit == unit })
}

func (m *model) heldBy(player string) (held []hold) {
	for _, h := range m.holds {
		if h.player == player && h.until.After(m.now) {
			held = append(held, h)
		}
	}
	slices.SortFunc(held, func(a, b hold) int {
		return cmp.Or(a.taken.Compare(b.taken), cmp.Compare(a.listing, b.listing), cmp.Compare(a.unit, b.unit))
	})
	return held
}

func (m *model) free(s shelf) (units []int64) {
	for u := range s.quantity {
		if i := m.at(s.id, u); i < 0 || !m.holds[i].until.After(m.now) {
			units = append(units, u)
		}
	}
	return units
}

// wait is how long a player who let too many holds lapse still has to wait; 0 for not at all.
func (m *model) wait(player string) time.Duration {
	recent, last := 0, time.Time{}
	for _, at := range m.lapses[player] {
		if at.After(m.now.Add(-window)) {
			recent++
		}
		if at.After(last) {
			last = at
		}
	}
	if recent <= maxLapses {
		return 0
	}
	return max(last.Add(penalty).Sub(m.now), 0)
}

// lapse ends the hold at the index, unused.
func (m *model) lapse(i int) {
	m.lapses[m.holds[i].player] = append(m.lapses[m.holds[i].player], m.now)
	m.holds = slices.Delete(m.holds, i, i+1)
}

// refusal is what the rules say to a request for a unit: a reason, "unknown" or "wait"; "" when it must succeed.
func (m *model) refusal(player string, s shelf, unit *int64) (reason string, wait time.Duration) {
	free := m.free(s)
	switch {
	case !s.live(m.now):
		return cart.ReasonGone, 0
	case unit != nil && (*unit < 0 || *unit >= s.quantity):
		return cart.ReasonSoldOut, 0
	case s.seller == player:
		return cart.ReasonOwnListing, 0
	case len(m.heldBy(player)) >= maxUnits:
		return cart.ReasonFull, 0
	case m.wait(player) > 0:
		return "wait", m.wait(player)
	case unit != nil && !slices.Contains(free, *unit), len(free) == 0:
		return cart.ReasonHeld, 0
	}
	return "", 0
}

// machine drives the service and the model side by side.
type machine struct {
	t       *testing.T
	db      *store.DB
	carts   *cart.Service
	clock   *clock.Fake
	model   *model
	players []string
}

// open starts a machine with players and listings of its own; others of the database do not matter to it.
func open(t *testing.T, db *store.DB, clk *clock.Fake, run int) *machine {
	now := clk.Now()
	m := &machine{t: t, db: db, carts: cart.NewService(db, clk), clock: clk, players: names(fmt.Sprintf("run%d-player", run), 3)}
	testkit.AddPlayers(t, db, 0, m.players...)
	m.model = &model{now: now, lapses: map[string][]time.Time{}}
	for i, s := range []shelf{
		{quantity: 1},
		{quantity: 3, price: 2_500_000},
		{quantity: 30},
		{quantity: 2, seller: m.players[0]},
		{quantity: 2, end: now.Add(25 * time.Minute)},
		{quantity: 2, start: now.Add(15 * time.Minute)},
		{quantity: 1, closed: true},
	} {
		s.number = strconv.Itoa(run*100 + i)
		s.price = cmp.Or(s.price, 1_000_000)
		offer := testkit.Offer{Number: s.number, Quantity: s.quantity, Price: s.price, Start: s.start, End: s.end, Reserved: s.closed}
		if s.seller != "" {
			offer.Seller = testkit.WalletOf(s.seller)
		}
		s.id = testkit.List(t, db, offer)
		m.model.shelves = append(m.model.shelves, s)
	}
	return m
}

func (m *machine) player(t *rapid.T) string { return rapid.SampledFrom(m.players).Draw(t, "player") }

func (m *machine) shelf(t *rapid.T) shelf {
	return rapid.SampledFrom(m.model.shelves).Draw(t, "listing")
}

// unit is one of the listing's, one just beyond them, or nil for any.
func (m *machine) unit(t *rapid.T, s shelf) *int64 {
	u := rapid.Int64Range(-2, s.quantity).Draw(t, "unit")
	if u == -2 {
		return nil
	}
	return &u
}

// told checks that exactly these listings were announced since the last look.
func (m *machine) told(t *rapid.T, want ...string) {
	got := testkit.DrainOutbox(m.t, m.db, announce.Listing)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("announced %v, want %v", got, want)
	}
}

func (m *machine) refused(t *rapid.T, err error, code fault.Code, reason string) {
	if f := fault.As(err); f == nil || f.Code != code || f.Reason != reason {
		t.Fatalf("got %v, want a fault %s %q", err, code, reason)
	}
	m.told(t)
}

func (m *machine) add(t *rapid.T) {
	s := m.shelf(t)
	m.addUnit(t, m.player(t), s, m.unit(t, s))
}

// hoard takes any units of the largest listing, which is how carts get full and lapses many.
func (m *machine) hoard(t *rapid.T) {
	player, n := m.player(t), rapid.IntRange(1, maxUnits+1).Draw(t, "units")
	for range n {
		m.addUnit(t, player, m.model.shelves[2], nil)
	}
}

func (m *machine) addUnit(t *rapid.T, player string, s shelf, unit *int64) {
	now := m.model.now
	item, err := m.carts.Add(m.t.Context(), player, s.id, items, unit)
	if unit != nil {
		if i := m.model.at(s.id, *unit); i >= 0 && m.model.holds[i].player == player && m.model.holds[i].until.After(now) {
			// Their own already: no error, no renewal, no announcement.
			if err != nil || item.Unit != *unit || !item.ExpiresAt.Equal(m.model.holds[i].until) {
				t.Fatalf("adding again gave %+v, %v; want the hold until %v as it is", item, err, m.model.holds[i].until)
			}
			m.told(t)
			return
		}
	}
	reason, wait := m.model.refusal(player, s, unit)
	switch reason {
	case "":
	case "wait":
		m.refused(t, err, fault.TooMany, "")
		if got := fault.As(err).RetryAfter; got != wait {
			t.Fatalf("told to wait %v, want %v", got, wait)
		}
		return
	default:
		m.refused(t, err, fault.Conflict, reason)
		return
	}
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	if unit != nil && item.Unit != *unit || !slices.Contains(m.model.free(s), item.Unit) {
		t.Fatalf("got unit %d; free were %v", item.Unit, m.model.free(s))
	}
	if i := m.model.at(s.id, item.Unit); i >= 0 {
		m.model.lapse(i) // somebody's time had passed
	}
	m.model.holds = append(m.model.holds, hold{player: player, taken: now, until: now.Add(holdTime), listing: s.id, unit: item.Unit, price: s.price})
	m.told(t, s.id)
}

// addWrong asks for what does not exist: an unknown listing, or a listing under another contract.
func (m *machine) addWrong(t *rapid.T) {
	s := m.shelf(t)
	id, contract := s.id, items
	if rapid.Bool().Draw(t, "contract") {
		contract = eth.MustAddress("0x00000000000000000000000000000000000bad00")
	} else {
		id = market.Key(testkit.GameChain, "99999999")
	}
	_, err := m.carts.Add(m.t.Context(), m.player(t), id, contract, m.unit(t, s))
	m.refused(t, err, fault.NotFound, "")
}

func (m *machine) remove(t *rapid.T) {
	player, s := m.player(t), m.shelf(t)
	unit := rapid.Int64Range(-1, s.quantity).Draw(t, "unit")
	if held := m.model.heldBy(player); len(held) > 0 && rapid.Bool().Draw(t, "own") {
		h := rapid.SampledFrom(held).Draw(t, "hold")
		s.id, unit = h.listing, h.unit
	}
	err := m.carts.Remove(m.t.Context(), player, s.id, unit)
	i := m.model.at(s.id, unit)
	if i < 0 || m.model.holds[i].player != player {
		m.refused(t, err, fault.NotFound, "")
		return
	}
	// Letting go after the time, but before the sweeper, is letting go.
	if err != nil {
		t.Fatal(err)
	}
	m.model.holds = slices.Delete(m.model.holds, i, i+1)
	m.told(t, s.id)
}

func (m *machine) empty(t *rapid.T) {
	player := m.player(t)
	if err := m.carts.Empty(m.t.Context(), player); err != nil {
		t.Fatal(err)
	}
	listings := map[string]bool{}
	m.model.holds = slices.DeleteFunc(m.model.holds, func(h hold) bool {
		if h.player == player {
			listings[h.listing] = true
		}
		return h.player == player
	})
	m.told(t, keys(listings)...)
}

func (m *machine) sweep(t *rapid.T) {
	if err := m.carts.Sweep(m.t.Context()); err != nil {
		t.Fatal(err)
	}
	listings := map[string]bool{}
	for i := len(m.model.holds) - 1; i >= 0; i-- {
		if h := m.model.holds[i]; !h.until.After(m.model.now) {
			listings[h.listing] = true
			m.model.lapse(i)
		}
	}
	m.told(t, keys(listings)...)
}

// pass lets time go by: a little, to the very end of a hold, to a moment before it, or a long while.
func (m *machine) pass(t *rapid.T) {
	d := time.Duration(rapid.Int64Range(1, 20*60*1000).Draw(t, "ms")) * time.Millisecond
	if n := len(m.model.holds); n > 0 {
		end := m.model.holds[rapid.IntRange(0, n-1).Draw(t, "hold")].until.Sub(m.model.now)
		switch rapid.IntRange(0, 3).Draw(t, "to") {
		case 0:
			d = end
		case 1:
			d = end - time.Millisecond
		}
	}
	if d > 0 {
		m.clock.Advance(d)
		m.model.now = m.clock.Now()
	}
}

func (m *machine) mayBuy(t *rapid.T) {
	player, s := m.player(t), m.shelf(t)
	n := rapid.Int64Range(1, s.quantity+1).Draw(t, "quantity")
	others := int64(0)
	for _, h := range m.model.holds {
		if h.listing == s.id && h.player != player && h.until.After(m.model.now) {
			others++
		}
	}
	err := m.carts.MayBuy(m.t.Context(), player, s.id, n)
	if others > 0 && n > s.quantity-others {
		m.refused(t, err, fault.Conflict, cart.ReasonHeld)
	} else if err != nil {
		t.Fatalf("%d of %d, of which others hold %d: %v", n, s.quantity, others, err)
	}
	if err := m.carts.MayBuy(m.t.Context(), player, market.Key(testkit.GameChain, "99999999"), n); err != nil {
		t.Fatalf("a listing nobody knows: %v", err)
	}
}

// check compares what the players see with the model.
func (m *machine) check(t *rapid.T) {
	for _, p := range m.players {
		got, err := m.carts.Items(m.t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		want := m.model.heldBy(p)
		if len(want) > maxUnits {
			t.Fatalf("the model lets %s hold %d", p, len(want))
		}
		var gotText, wantText []string
		for _, i := range got {
			gotText = append(gotText, line(i.ListingID, i.Unit, i.HeldAt, i.ExpiresAt, i.Price))
			if i.Contract != items || !strings.HasSuffix(i.ListingID, "-"+i.Number) || i.OrderID != "" {
				t.Fatalf("item %+v", i)
			}
		}
		for _, h := range want {
			wantText = append(wantText, line(h.listing, h.unit, h.taken, h.until, money.FromInt(h.price)))
		}
		if !slices.Equal(gotText, wantText) {
			t.Fatalf("cart of %s:\n%s\nwant:\n%s", p, strings.Join(gotText, "\n"), strings.Join(wantText, "\n"))
		}
	}
}

func line(listing string, unit int64, from, until time.Time, price money.Units) string {
	return fmt.Sprintf("%s/%d %s–%s %s", listing, unit, from.Format(time.StampMilli), until.Format(time.StampMilli), price)
}

func keys(set map[string]bool) (out []string) {
	for k := range set {
		out = append(out, k)
	}
	return out
}

func TestCartRules(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk, run := clock.NewFake(opening), 0
		rapid.Check(t, func(rt *rapid.T) {
			// What the run before left behind is swept away first.
			clk.Advance(3 * time.Hour)
			if err := cart.NewService(db, clk).Sweep(t.Context()); err != nil {
				rt.Fatal(err)
			}
			testkit.DrainOutbox(t, db, announce.Listing)
			run++
			m := open(t, db, clk, run)
			rt.Repeat(map[string]func(*rapid.T){
				"": m.check, "add": m.add, "hoard": m.hoard, "add what is not there": m.addWrong, "remove": m.remove, "empty": m.empty,
				"sweep": m.sweep, "time passes": m.pass, "may buy": m.mayBuy,
			})
		})
	})
}

// lapse lets n more holds of the player run out, together with those there are.
func lapse(t *testing.T, carts *cart.Service, clk *clock.Fake, player, listing string, n int) {
	t.Helper()
	for range n {
		if _, err := carts.Add(t.Context(), player, listing, items, nil); err != nil {
			t.Fatal(err)
		}
	}
	clk.Advance(holdTime)
	if err := carts.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestWhoeverLetsMoreThanTenHoldsLapseWaitsTenMinutes(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(opening)
		carts := cart.NewService(db, clk)
		testkit.AddPlayers(t, db, 0, "careful", "careless")
		listing := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: 40})
		add := func(player string) error {
			_, err := carts.Add(t.Context(), player, listing, items, nil)
			return err
		}

		lapse(t, carts, clk, "careful", listing, 10)
		if err := add("careful"); err != nil {
			t.Errorf("ten lapses are forgiven, but: %v", err)
		}
		lapse(t, carts, clk, "careless", listing, 11)
		for _, step := range []struct {
			after, wait time.Duration
			says        string
		}{
			{0, 10 * time.Minute, "10 minutes"},
			{time.Minute, 9 * time.Minute, "9 minutes"},
			{9*time.Minute - time.Millisecond, time.Millisecond, "a minute"},
		} {
			clk.Advance(step.after)
			f := fault.As(add("careless"))
			if f == nil || f.Code != fault.TooMany || f.RetryAfter != step.wait || !strings.Contains(f.Message, step.says) {
				t.Errorf("with %v to wait: %+v", step.wait, f)
			}
		}
		clk.Advance(time.Millisecond)
		if err := add("careless"); err != nil {
			t.Errorf("the wait is over, but: %v", err)
		}
	})
}

func TestLapsesAreForgottenAfterAnHour(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(opening)
		carts := cart.NewService(db, clk)
		testkit.AddPlayers(t, db, 0, "player")
		listing := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: 40})
		lapse(t, carts, clk, "player", listing, 10)
		clk.Advance(50 * time.Minute)
		lapse(t, carts, clk, "player", listing, 10) // the first ten are an hour old by now
		if _, err := carts.Add(t.Context(), "player", listing, items, nil); err != nil {
			t.Errorf("ten lapses within an hour are forgiven, but: %v", err)
		}
		lapse(t, carts, clk, "player", listing, 0) // the one just added
		if _, err := carts.Add(t.Context(), "player", listing, items, nil); !fault.Is(err, fault.TooMany) {
			t.Errorf("eleven within the hour: %v, want to be told to wait", err)
		}
	})
}
