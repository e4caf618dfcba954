package cart_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/cart"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

const racers = 64

var (
	opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	items   = eth.MustAddress(testkit.Items)
)

func names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = prefix + strconv.Itoa(i)
	}
	return out
}

// race makes all players request a unit of the listing concurrently.
func race(t *testing.T, carts *cart.Service, players []string, listing string,
	unit *int64) (won map[string]cart.Item, lost map[string]error) {
	t.Helper()
	won, lost = map[string]cart.Item{}, map[string]error{}
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		start = make(chan struct{})
	)
	for _, p := range players {
		wg.Go(func() {
			<-start
			item, err := carts.Add(t.Context(), cart.Holder{PlayerID: p}, listing, items, unit)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				lost[p] = err
			} else {
				won[p] = item
			}
		})
	}
	close(start)
	wg.Wait()
	return won, lost
}

func mustBeHeld(t *testing.T, lost map[string]error) {
	t.Helper()
	for p, err := range lost {
		if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != cart.ReasonHeld {
			t.Errorf("player %s lost with %v, want a conflict for the reason %q", p, err, cart.ReasonHeld)
		}
	}
}

// Spec: CART-11
func TestCart_ExactlyOneOfManyPlayersGetsAUnit(t *testing.T) {
	t.Parallel()
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(opening)
		carts := cart.NewService(cartstore.New(db), clk, cart.Options{})
		players := names("player", racers)
		testkit.AddPlayers(t, db, 0, append(players, "sleeper")...)
		unit, taken := int64(0), 0
		for round := range rounds {
			listing := testkit.List(t, db, testkit.Offer{Number: strconv.Itoa(round + 1)})
			asked := &unit
			if round%4 == 3 {
				asked = nil // any free unit: there is only one
			}
			if round%2 == 1 {
				// The unit's hold has just expired and is not swept yet.
				if _, err := carts.Add(t.Context(), cart.Holder{PlayerID: "sleeper"}, listing, items, &unit); err != nil {
					t.Fatal(err)
				}
				clk.Advance(10 * time.Minute)
				taken++
			}
			testkit.DrainOutbox(t, db, announce.Listing)
			won, lost := race(t, carts, players, listing, asked)
			if len(won) != 1 || len(lost) != racers-1 {
				t.Fatalf("round %d: %d won, want exactly one", round, len(won))
			}
			mustBeHeld(t, lost)
			if told := testkit.DrainOutbox(t, db, announce.Listing); !slices.Equal(told, []string{listing}) {
				t.Fatalf("round %d announced %v, want %s once", round, told, listing)
			}
			shelf, err := cartstore.New(db).Shelf(t.Context(), listing)
			if err != nil || len(shelf.Holds) != 1 {
				t.Fatalf("round %d: holds %v, %v", round, shelf.Holds, err)
			}
			for p := range won {
				if shelf.Holds[0].PlayerID != p || !shelf.Holds[0].ExpiresAt.Equal(clk.Now().Add(10*time.Minute)) {
					t.Fatalf("round %d: %s was told to have it, the database says %+v", round, p, shelf.Holds[0])
				}
				if err := carts.Remove(t.Context(), p, listing, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := unitTime(t, db, "sleeper"), time.Duration(taken)*10*time.Minute; got != want {
			t.Errorf("the sleeper held for %v by the books, want %v: each hold that was taken over once", got, want)
		}
	})
}

// unitTime is how long the player held units without buying them, as far as it is stored.
func unitTime(t testing.TB, db *store.DB, player string) (held time.Duration) {
	t.Helper()
	err := db.Read(t.Context(), func(q *gen.Queries) error {
		ms, err := q.UnitTimeSince(t.Context(), gen.UnitTimeSinceParams{PlayerID: player, EndedAt: column.At(time.UnixMilli(-1))})
		held = time.Duration(ms) * time.Millisecond
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// Spec: CART-12
func TestCart_RequestForAnyUnitSucceedsWhileThereAreEnough(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		carts := cart.NewService(cartstore.New(db), clock.NewFake(opening), cart.Options{})
		players := names("player", racers)
		testkit.AddPlayers(t, db, 0, append(players, "late")...)
		for round := range 5 {
			listing := testkit.List(t, db, testkit.Offer{Number: strconv.Itoa(round + 1), Quantity: racers})
			won, lost := race(t, carts, players, listing, nil)
			for p, err := range lost {
				t.Errorf("round %d: %s got none: %v", round, p, err)
			}
			units := map[int64]bool{}
			for _, item := range won {
				units[item.Unit] = true
			}
			if len(units) != racers {
				t.Errorf("round %d: %d different units for %d players", round, len(units), racers)
			}
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "late"}, listing, items, nil)
			mustBeHeld(t, map[string]error{"late": err})
		}
	})
}

// Concurrent requests of one player do not exceed the limits.
func TestCart_PlayersOwnRequestsTakeTurns(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		carts := cart.NewService(cartstore.New(db), clock.NewFake(opening), cart.Options{})
		testkit.AddPlayers(t, db, 0, "hoarder")
		listing := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: 100})
		var (
			wg      sync.WaitGroup
			mu      sync.Mutex
			got     int
			refused int
		)
		for range 3 * maxUnits {
			wg.Go(func() {
				_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "hoarder"}, listing, items, nil)
				mu.Lock()
				defer mu.Unlock()
				switch f := fault.As(err); {
				case err == nil:
					got++
				case f != nil && f.Reason == cart.ReasonFull:
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got != maxUnits || refused != 2*maxUnits {
			t.Errorf("%d units held and %d requests refused, want %d and %d", got, refused, maxUnits, 2*maxUnits)
		}
	})
}

// The sweeper and players who take over expired holds may race; each lapse is counted once.
func TestCart_SweepingAndTakingOverCountEachLapseOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(opening)
		carts := cart.NewService(cartstore.New(db), clk, cart.Options{})
		players := names("player", 16)
		testkit.AddPlayers(t, db, 0, append(players, "sleeper")...)
		const units = 10
		listing := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: units})
		for u := range int64(units) {
			if _, err := carts.Add(t.Context(), cart.Holder{PlayerID: "sleeper"}, listing, items, &u); err != nil {
				t.Fatal(err)
			}
		}
		clk.Advance(10 * time.Minute)
		var wg sync.WaitGroup
		sweepErr := make([]error, 4)
		for i := range sweepErr {
			wg.Go(func() { sweepErr[i] = carts.Sweep(context.WithoutCancel(t.Context())) })
		}
		won, lost := race(t, carts, players, listing, nil)
		wg.Wait()
		for _, err := range sweepErr {
			if err != nil {
				t.Error("sweep:", err)
			}
		}
		mustBeHeld(t, lost)
		if len(won) != units {
			t.Errorf("%d players got a unit of %d", len(won), units)
		}
		if held := unitTime(t, db, "sleeper"); held != 100*time.Minute {
			t.Errorf("%v counted, want ten units for ten minutes", held)
		}
	})
}

// Spec: CART-14
func TestCart_HoldsEndWithoutAnyoneAsking(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(opening)
		carts := cart.NewService(cartstore.New(db), clk, cart.Options{})
		testkit.AddPlayers(t, db, 0, "sleeper")
		listing := testkit.List(t, db, testkit.Offer{Number: "1"})
		if _, err := carts.Add(t.Context(), cart.Holder{PlayerID: "sleeper"}, listing, items, nil); err != nil {
			t.Fatal(err)
		}
		testkit.DrainOutbox(t, db, announce.Listing)
		clk.Advance(10 * time.Minute)

		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- carts.Run(ctx, func(err error) { t.Error(err) }) }()
		testkit.Eventually(t, 20*time.Second, func() bool {
			shelf, err := cartstore.New(db).Shelf(t.Context(), listing)
			return err == nil && len(shelf.Holds) == 0
		}, "the sweeper left the expired hold")
		stop()
		if err := <-ended; err != nil {
			t.Error("Run:", err)
		}
		if told := testkit.DrainOutbox(t, db, announce.Listing); !slices.Equal(told, []string{listing}) {
			t.Errorf("announced %v, want %s", told, listing)
		}
	})
}

func TestCart_OnlyKnownPlayersHaveCarts(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		carts := cart.NewService(cartstore.New(db), clock.NewFake(opening), cart.Options{})
		listing := testkit.List(t, db, testkit.Offer{Number: "1"})
		_, addErr := carts.Add(t.Context(), cart.Holder{PlayerID: "nobody"}, listing, items, nil)
		for what, err := range map[string]error{
			"add": addErr, "remove": carts.Remove(t.Context(), "nobody", listing, 0), "empty": carts.Empty(t.Context(), "nobody"),
		} {
			if !fault.Is(err, fault.NotFound) {
				t.Error(fmt.Errorf("%s: %w, want a not-found fault", what, err))
			}
		}
	})
}
