package traderisk_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// marketplace is a market with a past: forty old accounts that have traded copies of twelve tokens for a month.
type marketplace struct {
	*world
	random *rand.Rand
	people []string
	worth  []float64 // of each token
}

func token(n int) string { return fmt.Sprintf("%d", 100+n) }

// about returns a price near what a token is worth.
func (m *marketplace) about(n int, low, high float64) float64 {
	p := m.worth[n] * (low + (high-low)*m.random.Float64())
	return math.Round(max(p, 0.01)*100) / 100
}

func (m *marketplace) someone(not string) string {
	for {
		if p := m.people[m.random.IntN(len(m.people))]; p != not {
			return p
		}
	}
}

func newMarketplace(t *testing.T, db *store.DB, c *clock.Fake) *marketplace {
	m := &marketplace{world: newWorld(t, db, c, false), random: rand.New(rand.NewPCG(7, 31))}
	for n := range 40 {
		m.people = append(m.people, fmt.Sprintf("p%d", n))
	}
	m.join(90*day, m.people...)
	// Most goods are cheap; the last one is dear and was never sold.
	m.worth = []float64{0.5, 1, 2, 3, 4, 6, 8, 12, 20, 35, 60, 150}
	for n := range m.worth[:11] {
		for range 40 {
			seller := m.someone("")
			m.sell(seller, m.someone(seller), token(n), m.about(n, 0.85, 1.2), time.Duration(m.random.IntN(28*24))*time.Hour)
		}
		for range 8 {
			m.offer(m.someone(""), token(n), m.about(n, 1, 1.3), 1)
		}
	}
	return m
}

// Of a thousand realistic trades, at most ten need an approval, and these are dear.
// Spec: SELL-5
func TestTradeRisk_OrdinaryTradeNeedsNoApproval(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, began, func(t *testing.T, db *store.DB, c *clock.Fake) {
		m := newMarketplace(t, db, c)
		asked, trades := 0, 1000
		if testing.Short() {
			trades = 300
		}
		for n := range trades {
			m.clock.Advance(12 * time.Minute)
			// Cheap goods are traded more often; one trade in two hundred is of the token without a past.
			kind := int(float64(len(m.worth)-1) * m.random.Float64() * m.random.Float64())
			if n%200 == 199 {
				kind = len(m.worth) - 1
			}
			player := m.someone("")
			price := m.about(kind, 0.9, 1.2)
			signed := false
			if n%2 == 0 {
				signed = m.charge(player, selling(token(kind), price, 1))
				m.offer(player, token(kind), price, 1)
			} else {
				seller := m.someone(player)
				listing := m.offer(seller, token(kind), price, 1)
				signed = m.charge(player, buying(listing, price))
				m.end(listing)
				m.sell(seller, player, token(kind), price, 0)
			}
			if signed {
				continue
			}
			asked++
			if price < 20 {
				t.Errorf("a trade of token %s for %.2f needs an approval", token(kind), price)
			}
		}
		t.Logf("%d of %d trades need an approval", asked, trades)
		if asked > trades/100 {
			t.Errorf("%d of %d trades need an approval, want one in a hundred at most", asked, trades)
		}
	})
}

// A thief with a stolen session, three accounts that are older than a week, and a market to play with, gains at most the
// budget in a day: whatever the thief sells, buys and offers with the three accounts and makes the victim sell and buy.
// What the victim sells is worth what others pay, or the 25 USDC that an unknown item counts.
// Spec: SELL-5
func TestTradeRisk_AThiefGainsTheBudgetAtMost(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, began, func(t *testing.T, db *store.DB, c *clock.Fake) {
		m := newMarketplace(t, db, c)
		plans := 12
		if testing.Short() {
			plans = 4
		}
		for plan := range plans {
			m.plan(plan)
		}
	})
}

// plan plays a random plan of a thief against a new victim.
func (m *marketplace) plan(n int) {
	m.t.Helper()
	victim := fmt.Sprintf("victim%d", n)
	thieves := []string{fmt.Sprintf("t%d-1", n), fmt.Sprintf("t%d-2", n), fmt.Sprintf("t%d-3", n)}
	m.join(200*day, victim)
	m.join(8*day, thieves...)
	rare := fmt.Sprintf("9%d", n) // nobody else has any; worth nothing to buy, 25 to sell
	testkit.SetHolding(m.t, m.db, testkit.WalletOf(victim), testkit.Items, "erc1155", rare, 40)
	thief := func() string { return thieves[m.random.IntN(3)] }
	anyToken := func() (string, float64, float64) { // its worth when bought, and when sold
		if k := m.random.IntN(len(m.worth) + 4); k < len(m.worth)-1 {
			return token(k), m.worth[k] * 1.2, m.worth[k] * 0.85
		}
		return rare, 0, 25
	}
	price := func() float64 { return math.Pow(10, m.random.Float64()*5-2) } // 0.01 to 1000
	for range 30 {                                                          // a week of preparations
		seller := thief()
		switch id, worth, _ := anyToken(); m.random.IntN(5) {
		case 0:
			buyer := thief()
			m.sell(seller, buyer, id, price(), time.Duration(m.random.IntN(6*24))*time.Hour)
		case 1:
			m.offer(seller, id, price(), 1)
		case 2: // small purchases from honest players, so that the three seem to trade with others
			k := m.random.IntN(len(m.worth) - 1)
			m.sell(m.someone(""), seller, token(k), m.about(k, 0.9, 1.2), time.Duration(m.random.IntN(6*24))*time.Hour)
		case 3: // a bargain for an honest player, who pays no more than it is worth
			m.sell(seller, m.someone(""), id, min(price(), max(worth, 0.01)), time.Duration(m.random.IntN(6*24))*time.Hour)
		case 4: // too much paid to an honest player
			m.sell(m.someone(""), seller, id, price(), time.Duration(m.random.IntN(6*24))*time.Hour)
		}
	}
	m.clock.Advance(time.Minute)
	gained := 0.0
	type listed struct {
		listing string
		worth   float64
		units   int64
	}
	var own []listed
	for range 120 {
		id, bought, sold := anyToken()
		p := price()
		if m.random.IntN(2) == 0 {
			p = max(0.01, sold-m.random.Float64()) // just below what is usual
		}
		if m.random.IntN(2) == 0 {
			units := m.random.Int64N(3) + 1
			if m.charge(victim, selling(id, p, units)) {
				gained += max(0, sold-p) * float64(units)
				own = append(own, listed{m.offer(victim, id, p, units), sold, units})
			}
			continue
		}
		if len(own) > 0 && m.random.IntN(3) == 0 { // all of it is bought past the portal, and put back
			l := own[m.random.IntN(len(own))]
			if m.charge(victim, repricing(l.listing, p, l.units)) {
				gained += max(0, l.worth-p) * float64(l.units)
			}
			continue
		}
		if m.charge(victim, buying(m.offer(thief(), id, p, 1), p)) {
			gained += max(0, p-bought)
		}
	}
	m.t.Logf("plan %d gains %.2f USDC", n, gained)
	if gained > 25 {
		m.t.Errorf("plan %d gains %.2f USDC, want 25 at most", n, gained)
	}
}
