package reward_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	opening  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	errCrash = errors.New("the process died here")
)

// queue is the claimer's queue: it takes each id once, and can die at either side of taking it.
type queue struct {
	mu    sync.Mutex
	taken map[string]int // how often each id was really sent
	seen  map[string]bool
	// crash, when set, is asked before and after taking and before telling; an error is a crash at that point.
	crash func(point, id string) error
	state map[string]string // "", "done" or the reason of a failure
}

func newQueue() *queue {
	return &queue{taken: map[string]int{}, seen: map[string]bool{}, state: map[string]string{}, crash: func(string, string) error { return nil }}
}

func (q *queue) Mint(_ context.Context, id string, _ reward.Mint) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.crash("before", id); err != nil {
		return err
	}
	if !q.seen[id] {
		q.seen[id] = true
		q.taken[id]++
	}
	return q.crash("after", id)
}

func (q *queue) Minted(_ context.Context, id string) (done bool, failed string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.crash("telling", id); err != nil {
		return false, "", err
	}
	switch s := q.state[id]; s {
	case "", "done":
		return s == "done", "", nil
	default:
		return false, s, nil
	}
}

func mint(source string) reward.Reward {
	return reward.Reward{Source: source, PlayerID: "A", Kind: reward.KindMint, Detail: reward.MintDetail(reward.Mint{
		Chain: testkit.GameChain, Contract: eth.MustAddress(testkit.Items), Standard: onchain.ERC1155, TokenID: "1", Amount: money.FromInt(1), To: testkit.WalletOf("A"),
	})}
}

func currency(source string, amount int64) reward.Reward {
	return reward.Reward{Source: source, PlayerID: "A", Kind: reward.KindCurrency, Detail: reward.Detail(reward.Currency{Code: "fa", Amount: amount})}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rows are the rewards of the database: state and error by source.
func rows(t *testing.T, db *store.DB, sources ...string) map[string]string {
	t.Helper()
	open, err := db.OpenRewards(t.Context(), 1000, "")
	must(t, err)
	out := map[string]string{}
	for _, s := range sources {
		out[s] = "ended"
	}
	for _, r := range open {
		out[r.Source] = string(r.State)
	}
	return out
}

func balance(t *testing.T, db *store.DB) int64 {
	t.Helper()
	m, err := db.Currencies(t.Context(), "A")
	must(t, err)
	return m["fa"]
}

func eachService(t *testing.T, test func(t *testing.T, db *store.DB, q *queue, s *reward.Service)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		q := newQueue()
		test(t, db, q, reward.NewService(db, q, clock.NewFake(opening)))
	})
}

func TestARewardIsGrantedOnceBySource(t *testing.T) {
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

func TestCurrencyIsCreditedOnceHoweverManyWorkOnIt(t *testing.T) {
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

func TestAMintMovesFromPendingToDone(t *testing.T) {
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

// The process dies at every point of a reward's way, twice in a row, and starts again.
func TestACrashAtAnyPointGrantsNothingTwiceAndLosesNothing(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, _ *reward.Service) {
		crashes := map[string]int{}
		q.crash = func(point, id string) error {
			if point == "telling" {
				q.state[id] = "done"
			}
			if crashes[id+point]++; crashes[id+point] <= 2 {
				return errCrash
			}
			return nil
		}
		sources := []string{"log 1", "log 2", "log 3"}
		for _, source := range sources {
			must(t, reward.NewService(db, q, clock.NewFake(opening)).Grant(t.Context(), mint(source)))
		}
		died := 0
		for restart := 0; ; restart++ {
			if restart > 100 {
				t.Fatalf("still open after 100 restarts: %v", rows(t, db))
			}
			open, err := reward.NewService(db, q, clock.NewFake(opening)).Step(t.Context())
			if errors.Is(err, errCrash) {
				died++
				continue
			}
			must(t, err)
			if open == 0 {
				break
			}
		}
		if want := 3 * 3 * 2; died != want {
			t.Errorf("died %d times, want %d: twice at each of three points for each reward", died, want)
		}
		if want := map[string]int{"log 1": 1, "log 2": 1, "log 3": 1}; !maps.Equal(q.taken, want) {
			t.Errorf("sent %v, want each once", q.taken)
		}
	})
}

// The mint was handed over, but the database forgot: handing over again changes nothing.
func TestAMintHandedOverTwiceIsSentOnce(t *testing.T) {
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

func TestWhatCannotBeGivenFailsWithoutHoldingUpTheRest(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
		q.state["log 2"] = "The wallet refuses tokens."
		broken := mint("log 3")
		broken.Detail = "{"
		for _, r := range []reward.Reward{
			{Source: "log 1", PlayerID: "A", Kind: "horse", Detail: "{}"}, mint("log 2"), broken, currency("log 4", -5), currency("log 5", 0),
			{Source: "log 6", PlayerID: "A", Kind: reward.KindCurrency, Detail: "["}, currency("log 7", 9),
		} {
			must(t, s.Grant(t.Context(), r))
		}
		for range 2 {
			if _, err := s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
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

// A balance never falls below nothing, whatever is asked of the database.
func TestABalanceIsNeverNegative(t *testing.T) {
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

func TestRunWorksUntilItIsStopped(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, q *queue, s *reward.Service) {
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
			open, err := db.OpenRewards(t.Context(), 10, "")
			return err == nil && len(open) == 0
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

// distant is a store whose currencies are kept elsewhere, by a platform that may be away.
type distant struct {
	*store.DB
	away  error
	waits string // the source of a reward that has to wait
	asks  int
}

func (d *distant) PayCurrency(ctx context.Context, r reward.Reward, c reward.Currency, at time.Time) error {
	d.asks++
	if d.away != nil {
		return d.away
	}
	if r.Source == d.waits {
		return fault.New(fault.Conflict, "still being booked")
	}
	return d.DB.PayCurrency(ctx, r, c, at)
}

// While the game platform is away, mints go on, and it is not asked for each of the rewards that wait for it.
func TestAPlatformThatIsAwayHoldsUpOnlyCurrencies(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		q, clk := newQueue(), clock.NewFake(opening)
		d := &distant{DB: db, away: fault.Wait(8*time.Second, "busy")}
		s := reward.NewService(d, q, clk)
		for i := range 250 { // more than are looked at in one step
			must(t, s.Grant(t.Context(), currency(fmt.Sprintf("log %03d", i), 1)))
		}
		must(t, s.Grant(t.Context(), mint("mint")))
		if _, err := s.Step(t.Context()); !fault.Is(err, fault.TooMany) {
			t.Errorf("%v, want that it is reported", err)
		}
		clk.Advance(8*time.Second - time.Millisecond)
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
		if _, err := s.Step(t.Context()); err != nil || balance(t, db) != 250 {
			t.Errorf("credited %d in the end, want 250; %v", balance(t, db), err)
		}
	})
}
