package purse_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/purse"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var errCrash = errors.New("the process died here")

// table is the purse of one player's "gt" on a platform and a database.
type table struct {
	t        *testing.T
	db       *store.DB
	clock    *clock.Fake
	platform purse.Platform
	player   string

	mu       sync.Mutex
	reported []error

	// Only set on PlayFab:
	fake *fake.Server
}

// now returns the balance on the platform.
func (h *table) now() int64 {
	h.t.Helper()
	n, err := h.platform.Balance(h.t.Context(), h.player, "gt")
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

func (h *table) service(s purse.Store, p purse.Platform) *purse.Service {
	return purse.NewService(s, p, h.clock, func(err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.reported = append(h.reported, err)
	})
}

func eachTable(t *testing.T, test func(t *testing.T, h *table)) {
	t.Helper()
	t.Run("local", func(t *testing.T) {
		t.Parallel()
		testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
			platform, err := local.New(accounts.New(db), local.Options{Cost: local.TestCost})
			if err != nil {
				t.Fatal(err)
			}
			h := &table{t: t, db: db, clock: newClock(), platform: platform, player: "A"}
			testkit.AddPlayers(t, db, 0, h.player)
			test(t, h)
		})
	})
	t.Run("playfab", func(t *testing.T) {
		t.Parallel()
		eachTitle(t, test)
	})
}

// eachTitle runs the test with PlayFab, whose responses can be lost.
func eachTitle(t *testing.T, test func(t *testing.T, h *table)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) { test(t, newTitle(t, db)) })
}

func newClock() *clock.Fake { return clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)) }

func newTitle(t *testing.T, db *store.DB) *table {
	h := &table{t: t, db: db, clock: newClock()}
	h.fake = fake.New(fake.Options{Clock: h.clock})
	server := httptest.NewServer(h.fake)
	t.Cleanup(server.Close)
	platform := playfab.New(playfab.Options{
		TitleID: h.fake.TitleID(), SecretKey: h.fake.SecretKey(), URL: server.URL, Pause: time.Millisecond, Clock: h.clock,
		Known: accounts.New(db),
		Log:   slog.New(slog.DiscardHandler),
	})
	t.Cleanup(platform.Close)
	id, err := platform.Register(t.Context(), account.Registration{
		Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain",
	})
	if err != nil {
		t.Fatal(err)
	}
	h.platform, h.player = platform, id.PlayerID
	testkit.AddPlayers(t, db, 0, h.player)
	return h
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Spec: PLAYFAB-4
func TestPurse_EachChangeIsMadeOnceByItsID(t *testing.T) {
	t.Parallel()
	eachTable(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		for range 3 {
			must(t, s.Credit(t.Context(), "ark 1", h.player, "gt", 50))
			must(t, s.Debit(t.Context(), "order 1", h.player, "gt", 20))
		}
		if n := h.now(); n != 30 {
			t.Errorf("the balance is %d, want 30", n)
		}
		for what, err := range map[string]error{
			"another amount": s.Credit(t.Context(), "ark 1", h.player, "gt", 51), "the other way": s.Debit(t.Context(), "ark 1", h.player, "gt", 50),
			"another currency": s.Credit(t.Context(), "ark 1", h.player, "nt", 50), "another player": s.Credit(t.Context(), "ark 1", "B", "gt", 50),
			"nothing": s.Credit(t.Context(), "ark 2", h.player, "gt", 0), "less than nothing": s.Credit(t.Context(), "ark 2", h.player, "gt", -1),
			"more than fits": s.Credit(t.Context(), "ark 2", h.player, "gt", 2_147_483_647+1), "no id": s.Credit(t.Context(), "", h.player, "gt", 1),
		} {
			if err == nil || fault.As(err) != nil {
				t.Errorf("%s: %v, want an error for developers", what, err)
			}
		}
	})
}

// Spec: PLAYFAB-4
func TestPurse_NobodySpendsMoreThanThereIs(t *testing.T) {
	t.Parallel()
	eachTable(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		if err := s.Debit(t.Context(), "first order", h.player, "gt", 1); !errors.Is(err, purse.ErrInsufficient) {
			t.Errorf("of nothing: %v", err)
		}
		must(t, s.Credit(t.Context(), "ark 1", h.player, "gt", 50))
		var wg sync.WaitGroup
		var paid atomic.Int64
		for i := range 12 {
			wg.Go(func() {
				for {
					err := s.Debit(t.Context(), fmt.Sprint("order ", i), h.player, "gt", 10)
					switch {
					case err == nil:
						paid.Add(1)
						return
					case errors.Is(err, purse.ErrInsufficient):
						return
					case !fault.Is(err, fault.Unavailable): // another change is pending: retry
						t.Errorf("order %d: %v", i, err)
						return
					}
				}
			})
		}
		wg.Wait()
		if n := h.now(); paid.Load() != 5 || n != 0 {
			t.Errorf("%d of 12 paid 10 of 50, and %d is left", paid.Load(), n)
		}
		// A refused change may be retried when there is more.
		must(t, s.Credit(t.Context(), "ark 2", h.player, "gt", 1))
		must(t, s.Debit(t.Context(), "first order", h.player, "gt", 1))
	})
}

func TestPurse_NothingIsLostAboveTheBound(t *testing.T) {
	t.Parallel()
	eachTable(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		must(t, s.Credit(t.Context(), "ark 1", h.player, "gt", 2_147_483_647-1))
		if err := s.Credit(t.Context(), "ark 2", h.player, "gt", 2); !errors.Is(err, purse.ErrFull) {
			t.Errorf("%v, want that it is full", err)
		}
		must(t, s.Credit(t.Context(), "ark 3", h.player, "gt", 1))
		if n := h.now(); n != 2_147_483_647 {
			t.Errorf("the balance is %d", n)
		}
	})
}

func TestPurse_WhoIsUnknownToThePlatformGetsNothing(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		testkit.AddPlayers(t, h.db, 0, "0123456789ABCDEF")
		if err := s.Credit(t.Context(), "ark 1", "0123456789ABCDEF", "gt", 1); !fault.Is(err, fault.NotFound) {
			t.Errorf("an unknown player: %v", err)
		}
		for range 2 {
			if err := s.Credit(t.Context(), "ark 2", h.player, "xx", 1); !fault.Is(err, fault.NotFound) {
				t.Errorf("an unknown currency: %v", err)
			}
		}
	})
}

// After a lost response it is unknown whether the change took place: the balance shows it once the change has timed
// out.
// Spec: PLAYFAB-4
func TestPurse_LostAnswerIsFoundOutByTheBalance(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		h.fake.SetBalance(h.player, "gt", 100)
		want := int64(100)
		for i, applied := range []bool{true, false, true, false} {
			change, call, by := s.Credit, "Server/AddUserVirtualCurrency", int64(7)
			if i >= 2 {
				change, call, by = s.Debit, "Server/SubtractUserVirtualCurrency", -7
			}
			id := fmt.Sprint("change ", i)
			h.fake.Break(fake.Fault{Call: call, Times: 1, Applied: applied, Answer: fake.Cut()})
			for range 2 {
				err := change(t.Context(), id, h.player, "gt", 7)
				if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Reason != purse.ReasonUncertain {
					t.Fatalf("%s: %v, want that nobody knows yet", id, err)
				}
			}
			// No other change may move the balance meanwhile, or it would no longer show it.
			if err := s.Credit(t.Context(), id+" and another", h.player, "gt", 1); !fault.Is(err, fault.Unavailable) {
				t.Fatalf("another change meanwhile: %v", err)
			}
			h.clock.Advance(time.Minute)
			must(t, change(t.Context(), id, h.player, "gt", 7))
			want += by
			if n := h.now(); n != want {
				t.Fatalf("%s, applied %v: the balance is %d, want %d", id, applied, n, want)
			}
		}
	})
}

// A change whose caller never returns is ended by the next change of the same balance.
func TestPurse_AbandonedChangeBlocksNobody(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		for i, applied := range []bool{true, false} {
			h.fake.Break(fake.Fault{Call: "Server/AddUserVirtualCurrency", Times: 1, Applied: applied, Answer: fake.Cut()})
			if err := s.Credit(t.Context(), fmt.Sprint("forgotten ", i), h.player, "gt", 10); err == nil {
				t.Fatal("want that nobody knows")
			}
			h.clock.Advance(time.Minute)
			must(t, s.Credit(t.Context(), fmt.Sprint("next ", i), h.player, "gt", 1))
		}
		if n := h.now(); n != 12 {
			t.Errorf("the balance is %d, want 10 + 1 + 1", n)
		}
	})
}

// If the game has moved the balance too, the outcome is unknown: the change is not repeated, and the operator is
// notified.
func TestPurse_UnclearOutcomesAreLeftToTheOperator(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		s := h.service(store.Purse{DB: h.db}, h.platform)
		h.fake.Break(fake.Fault{Call: "Server/AddUserVirtualCurrency", Times: 1, Applied: true, Answer: fake.Cut()})
		if err := s.Credit(t.Context(), "ark 1", h.player, "gt", 10); err == nil {
			t.Fatal("want that nobody knows")
		}
		h.fake.SetBalance(h.player, "gt", 3)
		h.clock.Advance(time.Minute)
		for range 2 {
			if err := s.Credit(t.Context(), "ark 1", h.player, "gt", 10); !errors.Is(err, purse.ErrUnclear) {
				t.Errorf("%v, want that it is unclear", err)
			}
		}
		must(t, s.Credit(t.Context(), "ark 2", h.player, "gt", 1)) // the balance is unlocked
		if n := h.now(); n != 4 || len(h.reported) != 1 {
			t.Errorf("the balance is %d; reported %v", n, h.reported)
		}
	})
}

// The game can spend between the purse's read and its debit, and PlayFab allows negative balances.
// Spec: PLAYFAB-4
func TestPurse_OverdraftByTheGameIsRestored(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		for i, lost := range []string{"", "Server/AddUserVirtualCurrency"} {
			h.fake.SetBalance(h.player, "gt", 50)
			if lost != "" { // the response to the refund
				h.fake.Break(fake.Fault{Call: lost, Times: 1, Applied: true, Answer: fake.Cut()})
			}
			s := h.service(store.Purse{DB: h.db}, quickGame{h.platform, func() { h.fake.SetBalance(h.player, "gt", 10) }})
			id := fmt.Sprint("order ", i)
			err := s.Debit(t.Context(), id, h.player, "gt", 50)
			if lost != "" {
				if !fault.Is(err, fault.Unavailable) {
					t.Errorf("%v, want that nobody knows yet", err)
				}
				h.clock.Advance(time.Minute)
				err = s.Debit(t.Context(), id, h.player, "gt", 50)
			}
			if !errors.Is(err, purse.ErrInsufficient) {
				t.Errorf("%s: %v, want that there is not enough", id, err)
			}
			if n := h.now(); n != 10 {
				t.Errorf("%s: the balance is %d, want what the game has left", id, n)
			}
		}
	})
}

// quickGame is a platform on which the game spends just before the purse does.
type quickGame struct {
	purse.Platform
	spend func()
}

func (q quickGame) ChangeBalance(ctx context.Context, player, code string, amount int64) (int64, error) {
	if amount < 0 {
		q.spend()
	}
	return q.Platform.ChangeBalance(ctx, player, code, amount)
}

// mortal is a process that dies at its n-th step, before or after it: from then on nothing it does has an effect.
type mortal struct {
	purse.Store
	purse.Platform
	left  *int
	after bool
}

func (m mortal) step(do func() error) error {
	*m.left--
	switch {
	case *m.left < 0 || *m.left == 0 && !m.after:
		return errCrash
	case *m.left == 0:
		_ = do()
		return errCrash
	}
	return do()
}

func (m mortal) BeginChange(ctx context.Context, c purse.Change) (begun bool, other purse.Change, err error) {
	err = m.step(func() error { begun, other, err = m.Store.BeginChange(ctx, c); return err })
	return begun, other, err
}

func (m mortal) MoveChange(ctx context.Context, c purse.Change) (moved bool, err error) {
	err = m.step(func() error { moved, err = m.Store.MoveChange(ctx, c); return err })
	return moved, err
}

func (m mortal) DropChange(ctx context.Context, c purse.Change) error {
	return m.step(func() error { return m.Store.DropChange(ctx, c) })
}

func (m mortal) Balance(ctx context.Context, player, code string) (n int64, err error) {
	err = m.step(func() error { n, err = m.Platform.Balance(ctx, player, code); return err })
	return n, err
}

func (m mortal) ChangeBalance(ctx context.Context, player, code string, amount int64) (n int64, err error) {
	err = m.step(func() error { n, err = m.Platform.ChangeBalance(ctx, player, code, amount); return err })
	return n, err
}

// Wherever the process dies, and dies again during recovery: after a retry, the change is made exactly once.
// Spec: PLAYFAB-4
func TestPurse_CrashAnywhereDoublesAndLosesNothing(t *testing.T) {
	t.Parallel()
	eachTitle(t, func(t *testing.T, h *table) {
		n := 0
		for first := 1; first <= 6; first++ {
			for second := 1; second <= 6; second++ {
				for _, after := range []bool{false, true} {
					for _, sign := range []int64{1, -1} {
						n++
						h.fake.SetBalance(h.player, "gt", 100)
						id := fmt.Sprint("change ", n)
						change := func(s *purse.Service) error {
							if sign < 0 {
								return s.Debit(t.Context(), id, h.player, "gt", 30)
							}
							return s.Credit(t.Context(), id, h.player, "gt", 30)
						}
						for _, left := range []int{first, second} {
							process := mortal{store.Purse{DB: h.db}, h.platform, &left, after}
							_ = change(h.service(process, process))
							h.clock.Advance(time.Minute)
						}
						must(t, change(h.service(store.Purse{DB: h.db}, h.platform)))
						if got := h.now(); got != 100+30*sign {
							t.Fatalf("died at steps %d and %d, after them %v: the balance is %d, want %d", first, second, after, got, 100+30*sign)
						}
					}
				}
			}
		}
	})
}

// After many changes with randomly lost responses, the balance is the sum of the changes made.
func TestPurse_BalanceIsTheSumOfTheChangesDespiteLostResponses(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	h := newTitle(t, db)
	s := h.service(store.Purse{DB: db}, h.platform)
	want, n := int64(0), 0
	rapid.Check(t, func(rt *rapid.T) {
		h.clock.Advance(time.Minute)
		for range rapid.IntRange(1, 4).Draw(rt, "changes") {
			n++
			id := fmt.Sprint("change ", n)
			amount := rapid.Int64Range(1, 50).Draw(rt, "amount")
			change, by, call := s.Credit, amount, "Server/AddUserVirtualCurrency"
			if rapid.Bool().Draw(rt, "debit") {
				change, by, call = s.Debit, -amount, "Server/SubtractUserVirtualCurrency"
			}
			h.fake.Break(fake.Fault{
				Call: rapid.SampledFrom([]string{call, "Server/GetPlayerCombinedInfo"}).Draw(rt, "where"), Times: 1,
				Applied: rapid.Bool().Draw(rt, "applied"),
				Answer: rapid.SampledFrom([]http.HandlerFunc{
					nil, fake.Cut(), fake.Text(500, "<html>"), fake.Text(200, "{}"), fake.Refuse(fake.ServiceUnavailable), fake.Truncated("{}"),
				}).Draw(rt, "trouble"),
			})
			if rapid.Bool().Draw(rt, "edited") {
				h.fake.Break(fake.Fault{Call: call, Times: 2, Answer: fake.Refuse(fake.ConcurrentEditError)})
			}
			err := change(t.Context(), id, h.player, "gt", amount)
			h.fake.Heal()
			for fault.Is(err, fault.Unavailable) {
				h.clock.Advance(time.Minute)
				err = change(t.Context(), id, h.player, "gt", amount)
			}
			switch {
			case err == nil:
				want += by
			case !errors.Is(err, purse.ErrInsufficient) || want+by >= 0:
				rt.Fatalf("%s of %d at %d: %v", id, by, want, err)
			}
			if got := h.now(); got != want {
				rt.Fatalf("%s of %d: the balance is %d, want %d", id, by, got, want)
			}
		}
	})
}
