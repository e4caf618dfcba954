package indexer_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/money"
	"pantheon/internal/store"
)

// seededBazaar returns a bazaar seeded with the demo market. Its chain mines automatically.
func seededBazaar(t testing.TB) (*bazaar, []world.Lot) {
	t.Helper()
	c := devnettest.Run(t, devnet.Options{MaxLead: 24 * time.Hour})
	b := &bazaar{t: t, chain: c, client: ethclient.NewClient(c.Client()), nonces: map[devnet.Role]uint64{}}
	var err error
	b.at, err = world.Deploy(t.Context(), c.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	b.ok(err)
	tokens := map[string][]world.Token{}
	for slug, n := range map[string]int{"game-items": 45, "avatars": 60, "elder-gods": 36, "piggy-banks": 2} {
		for id := range n {
			tokens[slug] = append(tokens[slug], world.Token{ID: strconv.Itoa(id + 1), Rank: id % 6})
		}
	}
	lots, err := world.Lots(brandtest.Pantheon().Development, 6, tokens)
	b.ok(err)
	var tables []deploy.Table
	for id := range int64(3) {
		tables = append(tables, deploy.Table{TokenID: money.FromInt(id + 1), Table: [32]byte{byte(id + 1)}, Max: 1_000})
	}
	b.ok(world.Seed(t.Context(), c.Client(), b.at, tables, lots, clock.System{}, nil))
	return b, lots
}

// Spec: RUN-11
func TestWorld_DemoMarketIsIndexedWhole(t *testing.T) {
	t.Parallel()
	b, lots := seededBazaar(t)
	var want []string
	for _, l := range lots {
		want = append(want, fmt.Sprintln(b.at.Collections[l.Collection], l.TokenID, devnet.WalletOf(l.Seller).Address, l.Quantity,
			l.Price, "active", 1))
	}
	slices.Sort(want)
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			x := b.index(engine)
			_, stop := follow(t, b.options(x))
			x.await(b.chain.Head())
			stop()
			got := x.rows("SELECT contract, token_id, seller, quantity, price, status, valid FROM listing")
			for i := range got {
				got[i] += "\n"
			}
			slices.Sort(got)
			x.want("the market", got, want...)
			b.wantBalances(x)
			if n := x.rows("SELECT COUNT(*) FROM listing_card"); n[0] != strconv.Itoa(len(lots)) {
				t.Errorf("%s listings have a description, of %d", n[0], len(lots))
			}
		})
	}
}

// BenchmarkIndex indexes the demo market from nothing, into a new database each time.
func BenchmarkIndex(b *testing.B) {
	z, _ := seededBazaar(b)
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			logs := 0
			for b.Loop() {
				b.StopTimer()
				x := z.index(engine)
				b.StartTimer()
				_, stop := follow(b, z.options(x))
				x.await(z.chain.Head())
				stop()
				b.StopTimer()
				for _, table := range []string{"token_transfer", "token_approval", "listing_event"} {
					n, err := strconv.Atoi(x.rows("SELECT COUNT(*) FROM " + table)[0])
					z.ok(err)
					logs += n
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(logs)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}
