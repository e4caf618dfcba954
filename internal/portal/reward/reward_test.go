package reward_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	opening  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	errCrash = errors.New("the process died here")
)

// queue is the claimer's queue: it accepts each id once, and can crash before or after that.
type queue struct {
	mu    sync.Mutex
	taken map[string]int // how often each id was actually sent
	seen  map[string]bool
	to    map[string]eth.Address
	// crash is called before and after queueing and before returning the outcome. It panics with errCrash to end the
	// process there, or returns an error.
	crash func(point, id string) error
	state map[string]string // "", "done" or the reason of a failure
}

func newQueue() *queue {
	return &queue{
		taken: map[string]int{}, seen: map[string]bool{}, to: map[string]eth.Address{}, state: map[string]string{},
		crash: func(string, string) error { return nil },
	}
}

func (q *queue) Mint(_ context.Context, id string, m reward.Mint) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.crash("before", id); err != nil {
		return err
	}
	if !q.seen[id] {
		q.seen[id] = true
		q.taken[id]++
		q.to[id] = m.To
	}
	return q.crash("after", id)
}

func (q *queue) Transfer(ctx context.Context, id string, x reward.Transfer) error {
	return q.Mint(ctx, id, reward.Mint(x))
}

func (q *queue) Outcome(_ context.Context, id string) (done bool, failed string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.crash("telling", id); err != nil {
		return false, "", err
	}
	if !q.seen[id] {
		return false, "", fault.New(fault.NotFound, "There is no mint %s.", id)
	}
	switch s := q.state[id]; s {
	case "", "done":
		return s == "done", "", nil
	default:
		return false, s, nil
	}
}

func mint(source string) reward.Reward {
	return one(source, reward.Mint{
		Chain: testkit.GameChain, Contract: eth.MustAddress(testkit.Items), Standard: onchain.ERC1155, TokenID: "1", Amount: money.FromInt(1),
		To: testkit.WalletOf("A"),
	}.Content())
}

func currency(source string, amount int64) reward.Reward {
	return one(source, reward.Currency{Code: "fa", Amount: amount}.Content())
}

// one returns a reward of A's with the grants.
func one(source string, grants ...reward.Content) reward.Reward {
	return reward.Reward{Source: source, Origin: reward.FromGift, PlayerID: "A", Grants: grants}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rows returns the states of all open rewards by source, postponed ones included. Given sources that are not open have the
// state "ended".
func rows(t *testing.T, db *store.DB, sources ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range sources {
		out[s] = "ended"
	}
	for _, state := range []reward.State{"pending", "sending"} {
		open, err := rewards.New(db).DueGrants(t.Context(), reward.Due{State: state, By: opening.AddDate(1, 0, 0), Limit: 1000})
		must(t, err)
		for _, r := range open {
			out[r.ID()] = string(r.State)
		}
	}
	return out
}

func balance(t *testing.T, db *store.DB) int64 {
	t.Helper()
	m, err := accounts.New(db).Currencies(t.Context(), "A")
	must(t, err)
	return m["fa"]
}

func eachService(t *testing.T, test func(t *testing.T, db *store.DB, q *queue, s *reward.Service)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		q := newQueue()
		test(t, db, q, reward.NewService(rewards.New(db), q, reward.Treasury{}, clock.NewFake(opening)))
	})
}

func TestReward_IsGrantedOnceBySource(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, _ *queue, s *reward.Service) {
		for range 3 {
			must(t, s.Grant(t.Context(), currency("log 1", 100)))
		}
		must(t, s.Grant(t.Context(), currency("log 2", 7)))
		for range 3 {
			if _, err := s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			must(t, s.Grant(t.Context(), currency("log 1", 100))) // also after it was paid
		}
		if got := balance(t, db); got != 107 {
			t.Errorf("credited %d, want 107", got)
		}
	})
}

func TestReward_CurrencyIsCreditedOnceHoweverManyWorkOnIt(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, _ *queue, s *reward.Service) {
		const rewards, workers = 10, 20
		for i := range rewards {
			must(t, s.Grant(t.Context(), currency(fmt.Sprintf("log %d", i), 100)))
		}
		var wg sync.WaitGroup
		errs := make([]error, workers)
		for i := range errs {
			wg.Go(func() { _, errs[i] = s.Step(t.Context()) })
		}
		wg.Wait()
		must(t, errors.Join(errs...))
		if got := balance(t, db); got != 100*rewards {
			t.Errorf("credited %d, want %d", got, 100*rewards)
		}
	})
}

func TestReward_MintMovesFromPendingToDone(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		step := func(wantOpen int, wantState string) {
			t.Helper()
			open, err := s.Step(t.Context())
			must(t, err)
			if got := rows(t, db, "log 1")["log 1"]; open != wantOpen || got != wantState {
				t.Errorf("%d open, %s; want %d, %s", open, got, wantOpen, wantState)
			}
		}
		must(t, s.Grant(t.Context(), mint("log 1")))
		step(1, "sending")
		step(1, "sending")
		q.state["log 1"] = "done"
		step(0, "ended")
		step(0, "ended")
		if q.taken["log 1"] != 1 {
			t.Errorf("sent %d times", q.taken["log 1"])
		}
	})
}

// The process dies at every point of a reward's processing, twice in a row, and restarts.
func TestReward_CrashAtAnyPointGrantsNothingTwiceAndLosesNothing(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, _ *reward.Service) {
		crashes := map[string]int{}
		q.crash = func(point, id string) error {
			if point == "telling" {
				q.state[id] = "done"
			}
			if crashes[id+point]++; crashes[id+point] <= 2 {
				panic(errCrash)
			}
			return nil
		}
		// run executes one step with a new service and reports whether it returned without a crash.
		run := func() (open int, survived bool) {
			defer func() {
				if p := recover(); p != nil && p != errCrash {
					panic(p)
				}
			}()
			if _, err := reward.NewService(rewards.New(db), q, reward.Treasury{}, clock.NewFake(opening)).Step(t.Context()); err != nil {
				t.Error(err)
			}
			return len(rows(t, db)), true
		}
		sources := []string{"log 1", "log 2", "log 3"}
		for _, source := range sources {
			must(t, reward.NewService(rewards.New(db), q, reward.Treasury{}, clock.NewFake(opening)).Grant(t.Context(), mint(source)))
		}
		died := 0
		for restart := 0; ; restart++ {
			if restart > 100 {
				t.Fatal("still open after 100 restarts:", rows(t, db))
			}
			open, survived := run()
			if !survived {
				died++
				continue
			}
			if open == 0 {
				break
			}
		}
		if want := 3 * (2 + 1 + 2); died != want { // what is queued is not queued again
			t.Errorf("died %d times, want %d: for each reward twice before queueing, once after it, twice before its outcome", died, want)
		}
		if want := map[string]int{"log 1": 1, "log 2": 1, "log 3": 1}; !maps.Equal(q.taken, want) {
			t.Errorf("sent %v, want each once", q.taken)
		}
	})
}

// The mint was queued but the database did not record it: queueing it again changes nothing.
func TestReward_MintHandedOverTwiceIsSentOnce(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		must(t, s.Grant(t.Context(), mint("log 1")))
		must(t, q.Mint(t.Context(), "log 1", reward.Mint{}))
		for range 3 {
			if _, err := s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if q.taken["log 1"] != 1 {
			t.Errorf("sent %d times", q.taken["log 1"])
		}
		if got := rows(t, db)["log 1"]; got != "sending" {
			t.Errorf("the reward is %s", got)
		}
	})
}

func TestReward_WhatCannotBeGivenFailsWithoutHoldingUpTheRest(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		q.state["log 2"] = "The wallet refuses tokens."
		broken := one("log 3", reward.Content{Kind: "mint", Detail: "{"})
		for _, r := range []reward.Reward{
			one("log 1", reward.Content{Kind: "horse", Detail: "{}"}), mint("log 2"), broken, currency("log 4", -5), currency("log 5", 0),
			one("log 6", reward.Content{Kind: "currency", Detail: "["}), currency("log 7", 9),
		} {
			must(t, s.Grant(t.Context(), r))
		}
		_, err := s.Step(t.Context())
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "(and 4 more)") {
			t.Errorf("%v, want one of the five that are invalid", err)
		}
		if _, err := s.Step(t.Context()); err != nil {
			t.Error(err)
		}
		if got := rows(t, db); len(got) != 0 {
			t.Errorf("still open: %v", got)
		}
		if got := balance(t, db); got != 9 {
			t.Errorf("credited %d, want 9", got)
		}
		if q.taken["log 3"] != 0 {
			t.Error("a broken detail was sent")
		}
	})
}

// A balance is never negative, whatever the database is asked to do.
func TestReward_BalanceIsNeverNegative(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, _ *queue, _ *reward.Service) {
		err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: "A", Code: "fa", Amount: -1})
		})
		if err == nil || balance(t, db) != 0 {
			t.Errorf("the balance is %d, %v", balance(t, db), err)
		}
	})
}

func TestReward_RunWorksUntilItIsStopped(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, _ *reward.Service) {
		clk := clock.NewFake(opening)
		s := reward.NewService(rewards.New(db), q, reward.Treasury{}, clk)
		q.state["log 2"] = "done"
		q.crash = func(point, id string) error {
			if point == "before" && q.taken["log 2"] == 0 && len(q.seen) == 0 {
				q.seen[""] = true // dies once
				return errCrash
			}
			return nil
		}
		ctx, stop := context.WithCancel(t.Context())
		reported := make(chan error, 10)
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx, func(err error) { reported <- err }) }()
		must(t, s.Grant(t.Context(), mint("log 2")))
		testkit.Eventually(t, 20*time.Second, func() bool {
			clk.Advance(time.Second)
			return len(rows(t, db)) == 0
		}, "the reward was not given")
		stop()
		must(t, <-ended)
		if err := <-reported; !errors.Is(err, errCrash) {
			t.Errorf("reported %v", err)
		}
		if q.taken["log 2"] != 1 {
			t.Errorf("sent %d times", q.taken["log 2"])
		}
	})
}

// distant is a store whose currencies are on an external platform that may be unavailable.
type distant struct {
	rewards.Store
	away  error
	waits string // the source of a reward that must wait
	asks  int
}

func (d *distant) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	d.asks++
	if d.away != nil {
		return d.away
	}
	if g.ID() == d.waits {
		return fault.New(fault.Conflict, "still being booked")
	}
	return d.Store.PayCurrency(ctx, g, c, at)
}

// While the game platform is unavailable, mints continue, and it is not called for each waiting reward: for as long
// as it says, and five seconds at least.
func TestReward_PlatformThatIsAwayHoldsUpOnlyCurrencies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		away  *fault.Fault
		pause time.Duration
	}{{fault.Wait(8*time.Second, "busy"), 8 * time.Second}, {fault.New(fault.Unavailable, "away"), 5 * time.Second}} {
		testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
			testkit.AddPlayers(t, db, 0, "A")
			q, clk := newQueue(), clock.NewFake(opening)
			d := &distant{Store: rewards.New(db), away: c.away}
			s := reward.NewService(d, q, reward.Treasury{}, clk)
			for i := range 250 { // more than one step reads
				must(t, s.Grant(t.Context(), currency(fmt.Sprintf("log %03d", i), 1)))
			}
			must(t, s.Grant(t.Context(), mint("mint")))
			if _, err := s.Step(t.Context()); !fault.Is(err, c.away.Code) {
				t.Errorf("%v, want that it is reported", err)
			}
			clk.Advance(c.pause - time.Millisecond)
			open, err := s.Step(t.Context())
			must(t, err)
			if open != 1 || q.taken["mint"] != 1 || d.asks != 1 {
				t.Errorf("%d open, mints %v, asked %d times; want the mint sent and the platform asked once", open, q.taken, d.asks)
			}
			clk.Advance(time.Millisecond)
			d.away, d.waits = nil, "log 000"
			for range 2 {
				if _, err := s.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if got := balance(t, db); got != 249 {
				t.Errorf("credited %d while one has to wait, want 249", got)
			}
			d.waits = ""
			clk.Advance(time.Second)
			if _, err := s.Step(t.Context()); err != nil || balance(t, db) != 250 {
				t.Errorf("credited %d in the end, want 250; %v", balance(t, db), err)
			}
		})
	}
}

// unavailableFor is a platform that is unavailable for one reward alone.
type unavailableFor struct {
	rewards.Store
	source string
}

func (p unavailableFor) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	if g.ID() == p.source {
		return fault.New(fault.Unavailable, "away")
	}
	return p.Store.PayCurrency(ctx, g, c, at)
}

func TestReward_OneThatFindsThePlatformUnavailableHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		clk := clock.NewFake(opening)
		s := reward.NewService(unavailableFor{rewards.New(db), "first"}, newQueue(), reward.Treasury{}, clk)
		for _, source := range []string{"first", "second", "third"} {
			must(t, s.Grant(t.Context(), currency(source, 1)))
			clk.Advance(time.Second)
		}
		if _, err := s.Step(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%v, want that it is reported", err)
		}
		clk.Advance(5 * time.Second)
		_, _ = s.Step(t.Context()) // the first is due again, after the others
		if got := balance(t, db); got != 2 {
			t.Errorf("credited %d of the two others", got)
		}
	})
}

// faulty implements the ports of rewards and fails for some of them, by source.
type faulty struct {
	rewards.Store
	*queue
	errs map[string]error
}

func (f *faulty) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	if err := f.errs["pay "+g.ID()]; err != nil {
		return err
	}
	return f.Store.PayCurrency(ctx, g, c, at)
}

func (f *faulty) Mint(ctx context.Context, id string, m reward.Mint) error {
	if err := f.errs["mint "+id]; err != nil {
		return err
	}
	return f.queue.Mint(ctx, id, m)
}

func (f *faulty) Outcome(ctx context.Context, id string) (bool, string, error) {
	if err := f.errs["minted "+id]; err != nil {
		return false, "", err
	}
	return f.queue.Outcome(ctx, id)
}

// Each port returns each kind of error for more rewards than one step handles. Newer rewards without errors are given
// at once. Postponed rewards are given when the errors have stopped; invalid ones fail.
func TestReward_AnErrorOfAnyPortHoldsUpNoOtherReward(t *testing.T) {
	t.Parallel()
	ports := map[string]func(source string) reward.Reward{
		"pay": func(source string) reward.Reward { return currency(source, 1) }, "mint": mint, "minted": mint,
	}
	faults := []error{
		fault.New(fault.Invalid, "no such thing"), fault.New(fault.Conflict, "not yet"), fault.New(fault.NotFound, "gone"),
		fault.New(fault.Forbidden, "no"),
		errors.New("connection reset"), fault.New(fault.Unavailable, "away"), fault.Wait(8*time.Second, "busy"),
	}
	for port, make := range ports {
		t.Run(port, func(t *testing.T) {
			t.Parallel()
			faults := faults
			if port == "pay" {
				faults = faults[:5] // the others pause all currencies
			}
			db := testkit.Database(t, store.SQLite)
			testkit.AddPlayers(t, db, 0, "A")
			clk := clock.NewFake(opening)
			f := &faulty{Store: rewards.New(db), queue: newQueue(), errs: map[string]error{}}
			f.crash = func(_, id string) error { f.state[id] = "done"; return nil }
			s := reward.NewService(f, f, reward.Treasury{}, clk)
			const many = 210
			for i := range many {
				r := make(fmt.Sprintf("bad %03d", i))
				f.errs[port+" "+r.Source] = faults[i%len(faults)]
				must(t, s.Grant(t.Context(), r))
			}
			good := []string{"good currency", "good mint"}
			for _, r := range []reward.Reward{currency(good[0], 1_000_000), mint(good[1])} {
				must(t, s.Grant(t.Context(), r))
			}
			for range 4 {
				_, _ = s.Step(t.Context())
			}
			open := rows(t, db)
			for _, source := range good {
				if state, ok := open[source]; ok {
					t.Errorf("%s is %s", source, state)
				}
			}
			if want := many - many/len(faults); len(open) != want {
				t.Errorf("%d are open, want the %d that are not invalid", len(open), want)
			}
			clear(f.errs)
			clk.Advance(time.Minute)
			for range 5 {
				_, err := s.Step(t.Context())
				must(t, err)
			}
			if left := rows(t, db); len(left) != 0 {
				t.Errorf("in the end open: %v", left)
			}
		})
	}
}

// More mints than one step handles do not end, such as those on a chain that stands still.
func TestReward_MintsThatTakeLongHoldUpNoOtherReward(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	testkit.AddPlayers(t, db, 0, "A")
	q := newQueue()
	s := reward.NewService(rewards.New(db), q, reward.Treasury{}, clock.NewFake(opening))
	const many = 450
	for i := range many {
		must(t, s.Grant(t.Context(), mint(fmt.Sprintf("long %03d", i))))
	}
	must(t, s.Grant(t.Context(), mint("short")))
	q.state["short"] = "done"
	for range 7 {
		_, err := s.Step(t.Context())
		must(t, err)
	}
	if got := rewardState(t, db, "short"); got != "done" {
		t.Errorf("the mint that has ended is %s", got)
	}
	for i := range many {
		q.state[fmt.Sprintf("long %03d", i)] = "done"
	}
	for range 7 {
		_, err := s.Step(t.Context())
		must(t, err)
	}
	if open := rows(t, db); len(open) != 0 {
		t.Errorf("in the end %d are open", len(open))
	}
}

// A failing reward is retried after 1, 2, 4 … seconds, at most a minute, and reported each time.
func TestReward_RetriesAreFurtherAndFurtherApart(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	testkit.AddPlayers(t, db, 0, "A")
	clk, attempts := clock.NewFake(opening), 0
	q := newQueue()
	q.crash = func(string, string) error { attempts++; return errors.New("connection reset") }
	s := reward.NewService(rewards.New(db), q, reward.Treasury{}, clk)
	must(t, s.Grant(t.Context(), mint("log 1")))
	for i, wait := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		_, err := s.Step(t.Context())
		if err == nil || attempts != i+1 {
			t.Fatalf("%d attempts, want %d; reported: %v", attempts, i+1, err)
		}
		clk.Advance(wait*time.Second - time.Millisecond)
		if _, err := s.Step(t.Context()); err != nil || attempts != i+1 {
			t.Errorf("retried earlier than %d s after attempt %d: %v", wait, i+1, err)
		}
		clk.Advance(time.Millisecond)
	}
}

// A reward that is drawn waits for its grants, which are then given like others.
func TestReward_ADrawnRewardIsGivenOnceItsGrantsAreKnown(t *testing.T) {
	t.Parallel()
	// What gives grants to a waiting reward is the draw: see TestOpening in package packs.
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		must(t, s.Grant(t.Context(), one("burn 1")))
		for range 2 {
			_, err := s.Step(t.Context())
			must(t, err)
		}
		if got := rewardState(t, db, "burn 1"); got != "pending" {
			t.Errorf("the reward is %s, want pending", got)
		}
	})
}

// A reward with several grants is sending until the last of them is given, and done then.
func TestReward_SeveralGrantsAreOneReward(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		m, c := mint("").Grants[0], currency("", 25).Grants[0]
		must(t, s.Grant(t.Context(), one("burn 1", m, c, m)))
		step := func(want string) {
			t.Helper()
			_, err := s.Step(t.Context())
			must(t, err)
			if got := rewardState(t, db, "burn 1"); got != want {
				t.Errorf("the reward is %s, want %s", got, want)
			}
		}
		if got := rewardState(t, db, "burn 1"); got != "drawn" {
			t.Errorf("at first the reward is %s, want drawn", got)
		}
		step("sending")
		q.state["burn 1"] = "done"
		step("sending")
		q.state["burn 1/2"] = "done"
		step("done")
		if want := map[string]int{"burn 1": 1, "burn 1/2": 1}; !maps.Equal(q.taken, want) || balance(t, db) != 25 {
			t.Errorf("minted %v and credited %d, want both tokens and 25", q.taken, balance(t, db))
		}
	})
}

func TestReward_FailsWhenOneGrantFailedAndNoneIsOpen(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		q.state["burn 1"] = "The wallet refuses tokens."
		must(t, s.Grant(t.Context(), one("burn 1", mint("").Grants[0], currency("", 25).Grants[0])))
		for range 2 {
			_, err := s.Step(t.Context())
			must(t, err)
		}
		if got := rewardState(t, db, "burn 1"); got != "failed" || balance(t, db) != 25 {
			t.Errorf("the reward is %s and %d is credited, want failed and 25", got, balance(t, db))
		}
	})
}

// A burn by a wallet that no player has registered is rewarded when one does, to the player's own smart wallet.
func TestReward_WaitsForThePlayerOfItsWallet(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		q := newQueue()
		clk := clock.NewFake(opening)
		s := reward.NewService(rewards.New(db), q, reward.Treasury{}, clk)
		stranger := testkit.WalletOf("stranger")
		var m reward.Mint
		must(t, json.Unmarshal([]byte(mint("").Grants[0].Detail), &m))
		m.To = eth.Address{}
		must(t, s.Grant(t.Context(), reward.Reward{
			Source: "burn 1", Origin: reward.FromArk, Wallet: stranger, Grants: []reward.Content{m.Content(), currency("", 3).Grants[0]},
		}))
		clk.Advance(1000 * time.Hour)
		for range 2 {
			_, err := s.Step(t.Context())
			must(t, err)
		}
		if len(q.taken) != 0 || rewardState(t, db, "burn 1") != "drawn" {
			t.Fatalf("given to nobody: %v", q.taken)
		}
		must(t, accounts.New(db).SaveChallenge(t.Context(), "A", wallet.Challenge{
			Nonce: "n", Address: stranger, Chain: 1, ExpiresAt: clk.Now().Add(time.Minute),
		}))
		must(t, accounts.New(db).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: stranger, Chain: 1, At: clk.Now()}, "n", nil))
		_, err := s.Step(t.Context())
		must(t, err)
		if q.taken["burn 1"] != 1 || q.to["burn 1"] != testkit.WalletOf("A") || balance(t, db) != 3 {
			t.Errorf("minted %v to %v, credited %d", q.taken, q.to, balance(t, db))
		}
	})
}

// An operator has what failed given again, under the same source and only once more, and the command is logged.
func TestReward_WhatFailedIsGivenAgainByAnOperator(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		step := func() {
			t.Helper()
			_, err := s.Step(t.Context())
			must(t, err)
		}
		q.state["burn 1"] = "The wallet refuses tokens."
		must(t, s.Grant(t.Context(), one("burn 1", mint("").Grants[0], currency("", 25).Grants[0])))
		by := testkit.By("the wallet takes tokens now")
		operators := testkit.Operator(db, clock.NewFake(opening))
		if _, err := operators.RedoReward(t.Context(), "burn 1", false, by); !fault.Is(err, fault.Conflict) {
			t.Errorf("nothing has failed yet: %v", err)
		}
		step()
		step()
		if n, err := operators.RedoReward(t.Context(), "burn 1", false, by); n != 1 || err != nil {
			t.Fatalf("%d grants again, %v", n, err)
		}
		if _, err := operators.RedoReward(t.Context(), "burn 1", false, by); !fault.Is(err, fault.Conflict) {
			t.Errorf("it is on its way: %v", err)
		}
		step()
		q.state["burn 1~1"] = "done"
		step()
		if got := rewardState(t, db, "burn 1"); got != "done" || balance(t, db) != 25 || q.taken["burn 1~1"] != 1 {
			t.Errorf("the reward is %s, %d credited, minted %v", got, balance(t, db), q.taken)
		}
		e := operator.Entry{At: opening, Who: "root@test", Command: "reward redo", Subject: "burn 1", Reason: "the wallet takes tokens now"}
		if log, err := operators.Log(t.Context(), 10); err != nil || len(log) != 1 || log[0] != e {
			t.Errorf("logged %+v, %v", log, err)
		}
		if _, err := operators.RedoReward(t.Context(), "burn 2", false, by); !fault.Is(err, fault.NotFound) {
			t.Errorf("an unknown one: %v", err)
		}
	})
}

func TestReward_OneWithoutAPlayerIsAssignedByAnOperator(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, _ *queue, s *reward.Service) {
		r := currency("burn 1", 25)
		r.PlayerID, r.Wallet = "", testkit.WalletOf("stranger")
		must(t, s.Grant(t.Context(), r))
		by, operators := testkit.By("proven by mail"), testkit.Operator(db, clock.NewFake(opening))
		found, err := operators.Rewards(t.Context(), "", operator.Find{Unowned: true, Limit: 10})
		if err != nil || len(found) != 1 || found[0].Source != "burn 1" {
			t.Errorf("found %+v, %v", found, err)
		}
		_, err = operators.AssignReward(t.Context(), "burn 1", "id:A", by)
		must(t, err)
		_, err = s.Step(t.Context())
		must(t, err)
		if _, err := operators.AssignReward(t.Context(), "burn 1", "id:A", by); !fault.Is(err, fault.Conflict) || balance(t, db) != 25 {
			t.Errorf("again: %v; %d credited", err, balance(t, db))
		}
		e := operator.Entry{
			At: opening, Who: "root@test", Command: "reward assign", Subject: "burn 1", Detail: "to A", Reason: "proven by mail",
		}
		if log, err := operators.Log(t.Context(), 10); err != nil || len(log) != 1 || log[0] != e {
			t.Errorf("logged %+v, %v", log, err)
		}
	})
}

func rewardState(t *testing.T, db *store.DB, source string) (state string) {
	t.Helper()
	must(t, db.Read(t.Context(), func(q *gen.Queries) error {
		r, err := q.Reward(t.Context(), source)
		state = r.State
		return err
	}))
	return state
}

// Nineteen rewards took 10 s from block to record, the one before them 30 s, and older ones far longer.
func TestReward_PaceFollowsFromTheLastTwentyOfItsChain(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, _ *queue, _ *reward.Service) {
		must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for i := range 40 {
				took := 10 * time.Second
				switch {
				case i == 20:
					took = 30 * time.Second
				case i < 20:
					took = time.Hour
				}
				at := opening.Add(time.Duration(i) * time.Minute)
				_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
					Source: fmt.Sprint("burn", i), PlayerID: sql.NullString{String: "A", Valid: true}, Origin: "pack", ChainID: 7, Detail: "{}",
					State: "done", EarnedAt: column.At(at.Add(-took)), At: column.At(at),
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
		pace, err := reward.Records{RecordStore: rewards.New(db)}.Pace(t.Context(), 7)
		if want := (reward.Pace{Settle: 11 * time.Second}); err != nil || pace != want {
			t.Errorf("%+v, %v, want %+v", pace, err, want)
		}
		if pace, err := (reward.Records{RecordStore: rewards.New(db)}).Pace(t.Context(), 8); err != nil || pace != (reward.Pace{}) {
			t.Errorf("another chain: %+v, %v", pace, err)
		}
	})
}
