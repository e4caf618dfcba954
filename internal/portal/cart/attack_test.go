package cart_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
)

// Two accounts alternately hold, release and hold again every nine minutes. Released holds used not to count.
func TestAttack_MarketIsFrozenByTakingTurns(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		carts := cart.NewService(cartstore.New(db), clk, cart.Options{})
		testkit.AddPlayers(t, db, 0, "one", "two")
		listing := testkit.List(t, db, testkit.Offer{Number: "1"})
		for turn := 0; ; turn++ {
			player := []string{"one", "two"}[turn%2]
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: player}, listing, items, nil)
			if f := fault.As(err); f != nil && f.Code == fault.TooMany && f.Reason == "listing-time" {
				// Both have held it for 18 minutes; the second may not hold it again.
				if frozen := clk.Now().Sub(opening); frozen != 36*time.Minute {
					t.Errorf("the market was frozen for %v, want 36m", frozen)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if turn > 10 {
				t.Fatal("two accounts keep the listing from everybody for good")
			}
			clk.Advance(9 * time.Minute)
			if err := carts.Remove(t.Context(), player, listing, 0); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The attackers of the model, and the model's duration.
const (
	attackers  = 50
	networks   = 5
	price      = 1_000_000 // of the unit in base units: all the money the attackers have
	retryEvery = 30 * time.Second
	day        = 24 * time.Hour
)

// strategy is one strategy of the attackers.
type strategy struct {
	name   string
	letGo  time.Duration // release after this time; 0 to let it expire
	once   bool          // but only once, and then hold as long as possible
	extend bool          // start to pay just before the hold ends, which extends it by five minutes
	early  bool          // and then transfer the money at once
	relay  bool          // transfer the money to the next account after each hold; otherwise only when the account must wait
	random bool          // all of it at random, drawn again for each hold
	both   bool          // runs on both databases
}

func strategies() []strategy {
	return []strategy{
		{name: "lapse"},
		{name: "let go just before the end", letGo: 9*time.Minute + 30*time.Second},
		{name: "let go all the time", letGo: retryEvery},
		{name: "extend", extend: true, both: true},
		{name: "hold for four minutes first", letGo: 4 * time.Minute, once: true, extend: true},
		{name: "extend and send the money on", extend: true, early: true},
		{name: "relay", relay: true},
		{name: "relay just before the end", relay: true, letGo: 9*time.Minute + 30*time.Second},
		{name: "relay and extend", relay: true, extend: true, both: true},
		{name: "relay, extend and send the money on", relay: true, extend: true, early: true},
		{name: "random 1", random: true, both: true},
		{name: "random 2", random: true},
		{name: "random 3", random: true},
	}
}

// gang is a set of accounts that try to keep a buyer from a listing of one unit, with the money for one purchase
// among them.
type gang struct {
	t        *testing.T
	strategy strategy
	need     cart.Need
	random   *rand.Rand

	ledger  *ledger
	carts   *cart.Service
	orders  *checkout.Service
	clock   *clock.Fake
	listing string
	rich    int // index of the account that has the money

	holder int  // index of the account that held last
	last   bool // the hold has been extended
	letGo  bool // the account has released once
}

func account(n int) string { return fmt.Sprintf("attacker%d", n) }

// add requests the unit for an account. It returns the reason of the refusal, "" for none.
func (g *gang) add(n int) string {
	g.t.Helper()
	by := cart.Holder{PlayerID: account(n), Network: fmt.Sprintf("203.0.%d.0/24", n%networks)}
	_, err := g.carts.Add(g.t.Context(), by, g.listing, items, nil)
	if err == nil {
		g.letGo = g.letGo && g.holder == n
		g.holder, g.last = n, false
		return ""
	}
	f := fault.As(err)
	if f == nil {
		g.t.Fatal(err)
	}
	return f.Reason
}

// send transfers the money on chain.
func (g *gang) send() {
	to := (g.rich + 1) % attackers
	g.ledger.block(paid(testkit.WalletOf(account(g.rich)), testkit.WalletOf(account(to)), price))
	g.rich = to
}

// held returns the gang's hold of the unit, if any.
func (g *gang) held() (item cart.Item, ok bool) {
	g.t.Helper()
	held, err := g.carts.Items(g.t.Context(), account(g.holder))
	if err != nil {
		g.t.Fatal(err)
	}
	if len(held) == 0 {
		return item, false
	}
	return held[0], true
}

// act takes the gang's action at a moment, always just before the buyer.
func (g *gang) act() {
	if item, ok := g.held(); ok && !g.keep(item) {
		return
	}
	if g.strategy.random {
		g.strategy = g.anyStrategy()
	}
	if g.need != cart.NeedFunds {
		for n := range attackers {
			if g.add((g.holder+1+n)%attackers) == "" {
				return
			}
		}
		return
	}
	if g.strategy.relay && g.rich == g.holder {
		g.send()
	}
	switch g.add(g.rich) {
	case "", "held", "funds-recent": // transferring the money now would only make it newer
	default:
		g.send()
		g.add(g.rich)
	}
}

// keep prolongs a hold, and reports whether it has ended.
func (g *gang) keep(item cart.Item) (ended bool) {
	s, now := g.strategy, g.clock.Now()
	if s.extend && !g.last && item.ExpiresAt.Sub(now) <= retryEvery {
		g.last = true
		if _, err := g.orders.Start(g.t.Context(), account(g.holder), checkout.Shown{}); err != nil && fault.As(err) == nil {
			g.t.Fatal(err)
		}
	}
	if g.last && s.early && g.rich == g.holder && g.need == cart.NeedFunds {
		g.send()
		if _, ok := g.held(); ok {
			return false
		}
		return true
	}
	if s.letGo == 0 || now.Sub(item.HeldAt) < s.letGo || s.once && g.letGo {
		return false
	}
	g.letGo = true
	if err := g.carts.Remove(g.t.Context(), account(g.holder), g.listing, 0); err != nil && fault.As(err) == nil {
		g.t.Fatal(err)
	}
	_, still := g.held()
	return !still
}

// anyStrategy returns a random strategy.
func (g *gang) anyStrategy() strategy {
	s := strategy{
		random: true, extend: g.random.IntN(3) > 0, early: g.random.IntN(4) == 0,
		once: g.random.IntN(2) == 0, relay: g.random.IntN(3) == 0,
	}
	if g.random.IntN(2) == 0 {
		s.letGo = time.Duration(1+g.random.IntN(25)) * retryEvery
	}
	return s
}

// rest is how long the gang does nothing because it holds the unit.
func (g *gang) rest() time.Duration {
	item, ok := g.held()
	if !ok {
		return 0
	}
	s, now := g.strategy, g.clock.Now()
	next := item.ExpiresAt
	if s.extend && !g.last {
		next = next.Add(-retryEvery)
	}
	if at := item.HeldAt.Add(s.letGo); s.letGo > 0 && !(s.once && g.letGo) && at.Before(next) {
		next = at
	}
	return next.Sub(now)
}

// freeze runs the gang for a day, and returns the longest time for which a buyer, who tries every half minute and
// releases what he gets, could not hold the unit.
func (g *gang) freeze() (longest time.Duration) {
	g.t.Helper()
	var since time.Time
	for end := g.clock.Now().Add(day); g.clock.Now().Before(end); {
		if err := g.carts.Sweep(g.t.Context()); err != nil {
			g.t.Fatal(err)
		}
		if err := g.orders.Sweep(g.t.Context()); err != nil {
			g.t.Fatal(err)
		}
		g.act()
		now := g.clock.Now()
		_, err := g.carts.Add(g.t.Context(), cart.Holder{PlayerID: "buyer", Network: "198.51.100.0/24"}, g.listing, items, nil)
		switch f := fault.As(err); {
		case err == nil:
			since = time.Time{}
			if err := g.carts.Remove(g.t.Context(), "buyer", g.listing, 0); err != nil {
				g.t.Fatal(err)
			}
		case f == nil || f.Reason != "held":
			g.t.Fatalf("the buyer is refused: %v", err)
		case since.IsZero():
			since = now
		}
		// While the gang rests, each attempt of the buyer would end like this one.
		g.clock.Advance(max(g.rest(), retryEvery).Truncate(retryEvery))
		if !since.IsZero() {
			longest = max(longest, g.clock.Now().Sub(since))
		}
	}
	return longest
}

func openGang(t *testing.T, db *store.DB, clk *clock.Fake, need cart.Need) *gang {
	t.Helper()
	testkit.AddPlayers(t, db, price, "buyer", account(0))
	for n := range attackers - 1 {
		testkit.AddPlayers(t, db, 0, account(n+1))
	}
	if need != cart.NeedFunds { // money does not keep them from paying
		for n := range attackers {
			testkit.SetFunds(t, db, account(n), price)
		}
	}
	currency := checkout.Currency{Address: usdc, Symbol: "USDC", Decimals: 6}
	return &gang{
		t: t, need: need, clock: clk, ledger: openLedger(t, db, clk, need, shop), carts: cart.NewService(cartstore.New(db), clk, needing(need)),
		orders:  checkout.NewService(cartstore.Orders{DB: db, Chain: testkit.GameChain}, plainCalls{}, clk, testkit.GameChain, currency),
		listing: testkit.List(t, db, testkit.Offer{Number: "1", Seller: shop, Price: price}),
	}
}

// plainCalls encodes the calls of a purchase as text.
type plainCalls struct{}

func (plainCalls) PurchaseCalls(_, currency eth.Address, total money.Units, _ []checkout.Item) ([]checkout.Call, error) {
	return []checkout.Call{{To: currency, Data: []byte(total.String())}}, nil
}

// Fifty accounts on five networks, with the money for one purchase, block a listing for no more than 20 minutes.
// Spec: CART-18
func TestAttack_MarketIsFrozenByFiftyAccountsWithTheMoneyForOnePurchase(t *testing.T) {
	t.Parallel()
	for i, s := range strategies() {
		engines := []store.Engine{store.SQLite}
		if s.both {
			engines = append(engines, store.PostgreSQL)
		}
		for _, engine := range engines {
			t.Run(s.name+"/"+string(engine), func(t *testing.T) {
				t.Parallel()
				clk, o := clock.NewFake(opening), testkit.DatabaseOptions(t, engine)
				o.Clock = clk
				db, err := store.Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = db.Close() })
				g := openGang(t, db, clk, cart.NeedFunds)
				g.strategy, g.random = s, rand.New(rand.NewPCG(uint64(i), 1))
				longest := g.freeze()
				t.Logf("frozen for %v in a row", longest)
				if longest > 20*time.Minute {
					t.Errorf("the market was frozen for %v in a row, want 20 minutes at most", longest)
				}
			})
		}
	}
}

// If holds need nothing, the time limits alone do not stop fifty accounts. This test documents what they can do.
func TestAttack_MarketIsFrozenByFiftyAccountsWhereHoldsNeedNothing(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		g := openGang(t, db, clk, cart.NeedNothing)
		g.strategy = strategy{name: "extend", extend: true}
		longest := g.freeze()
		t.Logf("with HOLDS_NEED=none the market was frozen for %v in a row", longest)
		if longest != day {
			t.Errorf("the market was frozen for %v, where the documents say that it can be for the whole day", longest)
		}
	})
}
