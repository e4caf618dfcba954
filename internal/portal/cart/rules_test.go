package cart_test

import (
	"cmp"
	"fmt"
	"regexp"
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
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
)

// The rules' numbers, as the product states them; the package's constants are not used here, so that a change of one
// is noticed.
const (
	holdTime     = 600_000 * time.Millisecond
	maxUnits     = 20
	networkUnits = 60
	clockLead    = time.Minute // how far the chain's clock may be ahead of the server's
)

// shelf is a listing of the model.
type shelf struct {
	number     string
	id         string
	seller     eth.Address
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
	player, network string
	taken, until    time.Time
	listing         string
	unit            int64
	price           int64
}

// span is the time of a hold that ended unbought.
type span struct {
	player, listing string
	began, ended    time.Time
	forgiven        bool // the player has bought from the listing since
}

// arrival is a payment into a player's wallet.
type arrival struct {
	at     time.Time
	amount int64
}

// model is the simplest form of the cart's rules: lists of holds and of ended holds.
type model struct {
	need      cart.Need
	now       time.Time
	shelves   []shelf
	holds     []hold
	past      []span
	bought    map[string]time.Time // when a player last bought from a listing, by both
	waits     map[string][]time.Time
	confirmed map[string]bool
	balance   map[string]int64
	arrivals  map[string][]arrival
}

func (m *model) at(listing string, unit int64) int {
	return slices.IndexFunc(m.holds, func(h hold) bool { return h.listing == listing && h.unit == unit })
}

func (m *model) shelf(listing string) *shelf {
	return &m.shelves[slices.IndexFunc(m.shelves, func(s shelf) bool { return s.id == listing })]
}

func (m *model) running(keep func(hold) bool) (held []hold) {
	for _, h := range m.holds {
		if h.until.After(m.now) && keep(h) {
			held = append(held, h)
		}
	}
	return held
}

func (m *model) heldBy(player string) (held []hold) {
	held = m.running(func(h hold) bool { return h.player == player })
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

// end ends the holds unbought, and imposes waits on players who held too much.
func (m *model) end(ended ...hold) {
	slices.SortStableFunc(ended, func(a, b hold) int {
		return cmp.Or(cmp.Compare(a.player, b.player), cmp.Compare(a.listing, b.listing), a.taken.Compare(b.taken))
	})
	for _, h := range ended {
		m.holds = slices.DeleteFunc(m.holds, func(o hold) bool { return o.listing == h.listing && o.unit == h.unit })
	}
	for _, h := range ended {
		at := h.until
		if m.now.Before(at) {
			at = m.now
		}
		m.past = append(m.past, span{player: h.player, listing: h.listing, began: h.taken, ended: at})
		m.wait(h.player, at)
	}
}

// wait begins a wait at a time: 10 minutes, then 30, then 120, and 10 again after a day without one.
func (m *model) wait(player string, at time.Time) {
	var until time.Time
	if n := len(m.waits[player]); n > 0 {
		until = m.waits[player][n-1]
	}
	var held time.Duration
	for _, s := range m.past {
		if s.player == player && s.ended.After(at.Add(-time.Hour)) && s.ended.After(until) {
			held += s.ended.Sub(s.began)
		}
	}
	if held <= 100*time.Minute || until.After(at) {
		return
	}
	if at.Sub(until) >= 24*time.Hour {
		m.waits[player] = nil
	}
	lengths := []time.Duration{10 * time.Minute, 30 * time.Minute, 120 * time.Minute}
	m.waits[player] = append(m.waits[player], at.Add(lengths[min(len(m.waits[player]), 2)]))
}

// waiting is how long a player who held too much must wait; 0 for not at all.
func (m *model) waiting(player string) time.Duration {
	if n := len(m.waits[player]); n > 0 {
		return max(m.waits[player][n-1].Sub(m.now), 0)
	}
	return 0
}

// heldOf returns how long the player had units of the listing without buying any, within the two hours before now, or
// before the last of them was released if none is held; when that was; and when the last of the current holds ends.
func (m *model) heldOf(player, listing string) (held time.Duration, last, until time.Time) {
	var spans []span
	for _, s := range m.past {
		if s.player == player && s.listing == listing && !s.forgiven {
			spans = append(spans, s)
			if s.ended.After(last) {
				last = s.ended
			}
		}
	}
	for _, h := range m.heldBy(player) {
		if h.listing == listing {
			spans = append(spans, span{began: h.taken, ended: m.now})
			if h.until.After(until) {
				until = h.until
			}
		}
	}
	from, window := m.bought[player+listing], last.Add(-2*time.Hour)
	if !until.IsZero() {
		window = m.now.Add(-2 * time.Hour)
	}
	if window.After(from) {
		from = window
	}
	slices.SortFunc(spans, func(a, b span) int { return a.began.Compare(b.began) })
	for _, s := range spans {
		if s.began.Before(from) {
			s.began = from
		}
		if s.ended.After(s.began) {
			held += s.ended.Sub(s.began)
			from = s.ended
		}
	}
	return held, last, until
}

// refusal returns the expected refusal of a request for a unit: a reason, and the time to wait if there is one; "" if
// it must succeed.
func (m *model) refusal(player, network string, s shelf, unit *int64) (reason string, wait time.Duration) {
	free := m.free(s)
	held, last, until := m.heldOf(player, s.id)
	listingWait := last.Add(time.Hour)
	if !until.IsZero() {
		listingWait = until.Add(time.Hour)
	}
	neighbours := m.running(func(h hold) bool { return network != "" && h.network == network })
	switch {
	case !s.live(m.now):
		return "gone", 0
	case unit != nil && (*unit < 0 || *unit >= s.quantity):
		return "sold-out", 0
	case s.seller == testkit.WalletOf(player):
		return "own-listing", 0
	case len(m.heldBy(player)) >= maxUnits:
		return "cart-full", 0
	case m.waiting(player) > 0:
		return "unit-time", m.waiting(player)
	case held > 15*time.Minute && listingWait.After(m.now):
		return "listing-time", listingWait.Sub(m.now)
	case held > 4*time.Minute && last.Add(time.Minute).After(m.now) && len(free) == 1:
		return "others-first", last.Add(time.Minute).Sub(m.now)
	case len(neighbours) >= networkUnits:
		end := slices.MinFunc(neighbours, func(a, b hold) int { return a.until.Compare(b.until) }).until
		return "network-full", end.Sub(m.now)
	case m.need == cart.NeedEmail && !m.confirmed[player]:
		return "email-unconfirmed", 0
	}
	if m.need == cart.NeedFunds {
		if reason, wait := m.lacks(player, s.price); reason != "" {
			return reason, wait
		}
	}
	if unit != nil && !slices.Contains(free, *unit) || len(free) == 0 {
		return "held", 0
	}
	return "", 0
}

// lacks returns why the player's money is not enough for one more unit.
func (m *model) lacks(player string, price int64) (reason string, wait time.Duration) {
	needed := price + m.cost(player)
	if m.balance[player] < needed {
		return "insufficient-funds", 0
	}
	// Money counts a minute after it arrived. Check each moment at which some begins to count.
	for _, after := range append([]arrival{{at: m.now.Add(-time.Minute)}}, m.arrivals[player]...) {
		at := after.at.Add(time.Minute)
		settled := m.balance[player]
		for _, a := range m.arrivals[player] {
			if a.at.Add(time.Minute).After(at) {
				settled -= a.amount
			}
		}
		if !at.Before(m.now) && settled >= needed {
			if wait = at.Sub(m.now); wait == 0 {
				return "", 0
			}
			return "funds-recent", wait
		}
	}
	return "funds-recent", -1
}

func (m *model) cost(player string) (sum int64) {
	for _, h := range m.heldBy(player) {
		sum += m.shelf(h.listing).price
	}
	return sum
}

// cover ends the newest holds that the player's money does not cover. Their time counts.
func (m *model) cover(player string) {
	if m.need != cart.NeedFunds {
		return
	}
	var ended []hold
	held := m.heldBy(player)
	for cost := m.cost(player); cost > m.balance[player] && len(held) > 0; held = held[:len(held)-1] {
		newest := held[len(held)-1]
		cost -= m.shelf(newest.listing).price
		ended = append(ended, newest)
	}
	m.end(ended...)
}

// machine runs the service and the model side by side.
type machine struct {
	t       *testing.T
	db      *store.DB
	carts   *cart.Service
	ledger  *ledger
	clock   *clock.Fake
	model   *model
	players []string
}

// open starts a machine with its own players and listings; other data of the database do not matter.
func open(t *testing.T, db *store.DB, l *ledger, need cart.Need, run int) *machine {
	now := l.clock.Now()
	m := &machine{
		t: t, db: db, carts: cart.NewService(cartstore.New(db), l.clock, needing(need)), ledger: l, clock: l.clock,
		players: names(fmt.Sprintf("run%d-player", run), 4),
	}
	m.model = &model{
		need: need, now: now, bought: map[string]time.Time{}, waits: map[string][]time.Time{}, confirmed: map[string]bool{},
		balance: map[string]int64{}, arrivals: map[string][]arrival{},
	}
	for i, p := range m.players {
		m.model.balance[p] = []int64{100_000_000, 100_000_000, 20_000_000, 0}[i]
		testkit.AddPlayers(t, db, m.model.balance[p], p)
		if i%2 == 0 {
			m.confirmEmail(p)
		}
	}
	merchant := testkit.WalletOf(m.players[0])
	l.block(supply(merchant)...)
	for i, s := range []shelf{
		{quantity: 1},
		{quantity: 3, price: 2_500_000},
		{quantity: 100},
		{quantity: 2, seller: merchant},
		{quantity: 2, end: now.Add(25 * time.Minute)},
		{quantity: 2, start: now.Add(15 * time.Minute)},
		{quantity: 1, closed: true},
	} {
		s.number = strconv.Itoa(run*100 + i)
		s.price = cmp.Or(s.price, 1_000_000)
		s.seller = cmpOr(s.seller, shop)
		s.id = testkit.List(t, db, testkit.Offer{
			Number: s.number, Quantity: s.quantity, Price: s.price, Start: s.start, End: s.end, Reserved: s.closed, Seller: s.seller,
		})
		m.model.shelves = append(m.model.shelves, s)
	}
	return m
}

func cmpOr(a, b eth.Address) eth.Address {
	if a.IsZero() {
		return b
	}
	return a
}

// network is the network of a request: mostly the same, at times another or unknown.
func (m *machine) network(t *rapid.T) string {
	return rapid.SampledFrom([]string{"203.0.113.0/24", "203.0.113.0/24", "203.0.113.0/24", "2001:db8:0:100::/56", ""}).Draw(t, "network")
}

func (m *machine) player(t *rapid.T) string { return rapid.SampledFrom(m.players).Draw(t, "player") }

func (m *machine) shelf(t *rapid.T) shelf {
	return rapid.SampledFrom(m.model.shelves).Draw(t, "listing")
}

// unit is one of the listing's units, one just beyond them, or nil for any.
func (m *machine) unit(t *rapid.T, s shelf) *int64 {
	u := rapid.Int64Range(-2, s.quantity).Draw(t, "unit")
	if u == -2 {
		return nil
	}
	return &u
}

// told checks that exactly these listings were announced since the last call.
func (m *machine) told(t *rapid.T, want ...string) {
	got := testkit.DrainOutbox(m.t, m.db, announce.Listing)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("announced %v, want %v", got, want)
	}
}

var digits = regexp.MustCompile(`\d+`)

// refusals are the messages to the player, by reason; # stands for a number.
var refusals = map[string][]string{
	"held": {"Somebody else has this in their cart.", "All of these are in other players' carts.",
		"You have all of these in your cart already.", "You have # of these in your cart. Other players have the rest in theirs."},
	"gone":        {"This is no longer for sale."},
	"sold-out":    {"This one has been sold.", "Only # left."},
	"own-listing": {"This is your own listing."},
	"cart-full":   {"Your cart is full: it holds 20 items."},
	"no-wallet":   {"Your wallet is not ready yet. Please wait a moment."},
}

func (m *machine) refused(t *rapid.T, err error, code fault.Code, reason string) {
	f := fault.As(err)
	if f == nil || f.Code != code || f.Reason != reason {
		t.Fatalf("got %v, want a fault %s %q", err, code, reason)
	}
	if texts := refusals[reason]; texts != nil && !slices.Contains(texts, f.Message) &&
		!slices.Contains(texts, digits.ReplaceAllString(f.Message, "#")) {
		t.Fatalf("%s: the player reads %q, want one of %q", reason, f.Message, texts)
	}
	m.told(t)
}

func (m *machine) add(t *rapid.T) {
	s := m.shelf(t)
	m.addUnit(t, m.player(t), m.network(t), s, m.unit(t, s))
}

// hoard takes any units of the largest listing, so that carts and networks reach their limits and much time is held.
func (m *machine) hoard(t *rapid.T) {
	player, network, n := m.player(t), m.network(t), rapid.IntRange(1, maxUnits+1).Draw(t, "units")
	for range n {
		m.addUnit(t, player, network, m.model.shelves[2], nil)
	}
}

// crowd lets all players of a network fill their carts.
func (m *machine) crowd(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "crowd") > 0 {
		t.Skip("too seldom to spend time on")
	}
	for _, player := range m.players {
		for range 17 {
			m.addUnit(t, player, "203.0.113.0/24", m.model.shelves[2], nil)
		}
	}
}

// cling takes the only unit of a listing again and again, like a player who wants to block it.
func (m *machine) cling(t *rapid.T) {
	player, network := m.player(t), m.network(t)
	for range rapid.IntRange(1, 4).Draw(t, "times") {
		m.addUnit(t, player, network, m.model.shelves[0], nil)
		m.passBy(time.Duration(rapid.IntRange(1, 11).Draw(t, "minutes")) * time.Minute)
		m.removeUnit(t, player, m.model.shelves[0].id, 0)
	}
}

func (m *machine) addUnit(t *rapid.T, player, network string, s shelf, unit *int64) {
	now := m.model.now
	item, err := m.carts.Add(m.t.Context(), cart.Holder{PlayerID: player, Network: network}, s.id, items, unit)
	if unit != nil {
		if i := m.model.at(s.id, *unit); i >= 0 && m.model.holds[i].player == player && m.model.holds[i].until.After(now) {
			// Already held: no error, no extension, no announcement.
			if err != nil || item.Unit != *unit || !item.ExpiresAt.Equal(m.model.holds[i].until) {
				t.Fatalf("adding again gave %+v, %v; want the hold until %v as it is", item, err, m.model.holds[i].until)
			}
			m.told(t)
			return
		}
	}
	reason, wait := m.model.refusal(player, network, s, unit)
	switch {
	case reason == "":
	case wait != 0:
		m.refused(t, err, fault.TooMany, reason)
		if f := fault.As(err); f.RetryAfter != wait || !strings.Contains(f.Message, "minute") && !strings.Contains(f.Message, "hour") {
			t.Fatalf("told to wait %v, want %v: %s", f.RetryAfter, wait, f.Message)
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
		m.model.end(m.model.holds[i]) // the other player's hold had expired
	}
	m.model.holds = append(m.model.holds, hold{
		player: player, network: network, taken: now, until: now.Add(holdTime), listing: s.id, unit: item.Unit, price: s.price,
	})
	m.told(t, s.id)
}

// addWrong requests what does not exist: an unknown listing, or a listing under another contract.
func (m *machine) addWrong(t *rapid.T) {
	s := m.shelf(t)
	id, contract := s.id, items
	if rapid.Bool().Draw(t, "contract") {
		contract = eth.MustAddress("0x00000000000000000000000000000000000bad00")
	} else {
		id = market.Key(testkit.GameChain, "99999999")
	}
	_, err := m.carts.Add(m.t.Context(), cart.Holder{PlayerID: m.player(t)}, id, contract, m.unit(t, s))
	m.refused(t, err, fault.NotFound, "")
}

func (m *machine) remove(t *rapid.T) {
	player, s := m.player(t), m.shelf(t)
	unit := rapid.Int64Range(-1, s.quantity).Draw(t, "unit")
	if held := m.model.heldBy(player); len(held) > 0 && rapid.Bool().Draw(t, "own") {
		h := rapid.SampledFrom(held).Draw(t, "hold")
		s.id, unit = h.listing, h.unit
	}
	m.removeUnit(t, player, s.id, unit)
}

func (m *machine) removeUnit(t *rapid.T, player, listing string, unit int64) {
	err := m.carts.Remove(m.t.Context(), player, listing, unit)
	i := m.model.at(listing, unit)
	if i < 0 || m.model.holds[i].player != player {
		m.refused(t, err, fault.NotFound, "")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m.model.end(m.model.holds[i])
	m.told(t, listing)
}

func (m *machine) empty(t *rapid.T) {
	player := m.player(t)
	if err := m.carts.Empty(m.t.Context(), player); err != nil {
		t.Fatal(err)
	}
	m.endAll(t, func(h hold) bool { return h.player == player })
}

func (m *machine) sweep(t *rapid.T) {
	if err := m.carts.Sweep(m.t.Context()); err != nil {
		t.Fatal(err)
	}
	m.endAll(t, func(h hold) bool { return !h.until.After(m.model.now) })
}

// endAll ends holds of the model, and checks the announcements.
func (m *machine) endAll(t *rapid.T, which func(hold) bool) {
	listings, ended := map[string]bool{}, []hold(nil)
	for _, h := range m.model.holds {
		if which(h) {
			listings[h.listing] = true
			ended = append(ended, h)
		}
	}
	m.model.end(ended...)
	m.told(t, keys(listings)...)
}

// pass advances the clock: a little, to the exact end of a hold, to just before it, or a long while.
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
	m.passBy(d)
}

// passHours advances the clock so far that waits are over or forgotten.
func (m *machine) passHours(t *rapid.T) {
	m.passBy(time.Duration(rapid.SampledFrom([]int{1, 2, 3, 25}).Draw(t, "hours")) * time.Hour)
}

func (m *machine) passBy(d time.Duration) {
	if d > 0 {
		m.clock.Advance(d)
		m.model.now = m.clock.Now()
	}
}

// send transfers money from one player to another.
func (m *machine) send(t *rapid.T) {
	from, to := m.player(t), m.player(t)
	if from == to || m.model.balance[from] == 0 {
		t.Skip("there is no money to send")
	}
	amount := rapid.Int64Range(1, m.model.balance[from]).Draw(t, "amount")
	m.ledger.block(paid(testkit.WalletOf(from), testkit.WalletOf(to), amount))
	m.model.balance[from] -= amount
	m.receive(to, amount)
	m.model.cover(from)
	m.followed(t)
	m.addUnit(t, to, "", m.model.shelves[1], nil)
}

func (m *machine) receive(player string, amount int64) {
	m.model.balance[player] += amount
	m.model.arrivals[player] = append(m.model.arrivals[player], arrival{m.model.now, amount})
}

// reprice changes the price of a listing.
func (m *machine) reprice(t *rapid.T) {
	s := m.shelf(t)
	if s.closed {
		t.Skip("there is nothing to reprice")
	}
	price := rapid.SampledFrom([]int64{500_000, 1_000_000, 4_000_000}).Draw(t, "price")
	terms := &onchain.ListingTerms{
		Seller: s.seller, Contract: items, TokenID: "1", Quantity: s.quantity, Currency: usdc, PricePerToken: money.FromInt(price),
		Start: time.UnixMilli(0), End: onchain.MaxTime(),
	}
	if !s.start.IsZero() {
		terms.Start = s.start
	}
	if !s.end.IsZero() {
		terms.End = s.end
	}
	m.ledger.block(onchain.ListingEvent{Kind: onchain.ListingUpdated, ListingID: s.number, Terms: terms})
	was := m.model.shelf(s.id)
	dearer := price > was.price
	was.price = price
	m.reseat(s.id, market.Purchase{})
	if dearer { // the holds end, and their time does not count
		m.model.holds = slices.DeleteFunc(m.model.holds, func(h hold) bool { return h.listing == s.id })
	}
	m.followed(t)
}

// buy buys a unit, held or not, as the chain allows everybody.
func (m *machine) buy(t *rapid.T) {
	player, s := m.player(t), m.shelf(t)
	if held := m.model.heldBy(player); len(held) > 0 && rapid.IntRange(0, 3).Draw(t, "own") > 0 {
		s = *m.model.shelf(held[0].listing)
	}
	if s.closed || s.seller == testkit.WalletOf(player) || m.model.balance[player] < s.price {
		t.Skip("the chain refuses it")
	}
	m.ledger.block(bought(s.number, s.seller, testkit.WalletOf(player), 1, s.price)...)
	m.model.balance[player] -= s.price
	if s.seller == testkit.WalletOf(m.players[0]) {
		m.receive(m.players[0], s.price)
	}
	for i := range m.model.past {
		if p := &m.model.past[i]; p.player == player && p.listing == s.id {
			p.forgiven = true
		}
	}
	m.model.bought[player+s.id] = m.model.now
	left := m.model.shelf(s.id)
	left.quantity--
	left.closed = left.quantity == 0
	m.reseat(s.id, market.Purchase{PlayerID: player, Quantity: 1})
	m.model.cover(player)
	m.followed(t)
}

// reseat reassigns the holds of a listing; its rules have their own tests.
func (m *machine) reseat(listing string, p market.Purchase) {
	var kept []market.Kept
	for _, h := range m.model.holds {
		if h.listing == listing {
			kept = append(kept, market.Kept{Hold: market.Hold{Unit: h.unit, PlayerID: h.player, HeldAt: h.taken, ExpiresAt: h.until}})
		}
	}
	r := market.Reseat(kept, m.model.shelf(listing).quantity, []market.Purchase{p}, m.model.now)
	var lapsed []hold
	for _, k := range r.Lapsed {
		lapsed = append(lapsed, m.model.holds[m.model.at(listing, k.Unit)])
	}
	m.model.end(lapsed...)
	for _, k := range slices.Concat(r.Spent, r.Ended) {
		m.model.holds = slices.Delete(m.model.holds, m.model.at(listing, k.Unit), m.model.at(listing, k.Unit)+1)
	}
	for _, move := range r.Moved {
		m.model.holds[m.model.at(listing, move.Unit)].unit = move.To
	}
}

// followed discards the index's messages, which have their own tests.
func (m *machine) followed(*rapid.T) { testkit.DrainOutbox(m.t, m.db, announce.Listing) }

// confirm confirms a player's address.
func (m *machine) confirm(t *rapid.T) { m.confirmEmail(m.player(t)) }

func (m *machine) confirmEmail(player string) {
	m.model.confirmed[player] = true
	testkit.ConfirmEmail(m.t, m.db, player)
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
	switch {
	case s.closed || s.quantity == 0:
		m.refused(t, err, fault.Conflict, "gone")
	case n > s.quantity:
		m.refused(t, err, fault.Conflict, "sold-out")
	case n > s.quantity-others:
		m.refused(t, err, fault.Conflict, "held")
	case err != nil:
		t.Fatalf("%d of %d, of which others hold %d: %v", n, s.quantity, others, err)
	}
	m.refused(t, m.carts.MayBuy(m.t.Context(), player, market.Key(testkit.GameChain, "99999999"), n), fault.Conflict, "gone")
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

// Spec: CART-5, CART-13, CART-20
func TestCart_Rules(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		l, run := openLedger(t, db, clk, cart.NeedNothing, shop), 0
		rapid.Check(t, func(rt *rapid.T) {
			// The previous run's data is swept first.
			clk.Advance(25 * time.Hour)
			if err := cart.NewService(cartstore.New(db), clk, cart.Options{}).Sweep(t.Context()); err != nil {
				rt.Fatal(err)
			}
			run++
			need := rapid.SampledFrom([]cart.Need{cart.NeedFunds, cart.NeedNothing, cart.NeedEmail}).Draw(rt, "a hold needs")
			l.follow(db, need)
			m := open(t, db, l, need, run)
			testkit.DrainOutbox(t, db, announce.Listing)
			rt.Repeat(map[string]func(*rapid.T){
				"": m.check, "add": m.add, "hoard": m.hoard, "crowd": m.crowd, "cling": m.cling, "add what is not there": m.addWrong,
				"remove": m.remove, "empty": m.empty, "sweep": m.sweep, "time passes": m.pass, "hours pass": m.passHours,
				"may buy": m.mayBuy, "send money": m.send, "change a price": m.reprice, "buy": m.buy, "confirm": m.confirm,
			})
		})
	})
}
