package gas_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

const gwei = 1_000_000_000

func allowance(operations, gweis int64) gas.Allowance {
	return gas.Allowance{Operations: operations, Wei: money.MustParse(fmt.Sprint(gweis) + "000000000")}
}

// broad is a budget that these tests never exhaust.
func broad() gas.Budget {
	return gas.Budget{
		PlayerPerMinute: 1000, Player: allowance(1000, 1000*gwei), Network: allowance(1000, 1000*gwei), Total: allowance(1000, 1000*gwei),
		KnownTotal: money.FromInt(1_000_000),
	}
}

// sponsorship is a sponsorship of the player, with a session and an account named after the player.
func sponsorship(player, operation string, gweis int64, at time.Time) gas.Sponsorship {
	return gas.Sponsorship{
		Caller: gas.Caller{Player: player, Session: "S" + player, Network: "N"}, Operation: storetest.HashOf(operation),
		Chain:  storetest.GasChain,
		Sender: testkit.WalletOf(player), Purchase: true, Cost: money.MustParse(fmt.Sprint(gweis) + "000000000"), CreatedAt: at,
		ExpiresAt: at.Add(10 * time.Minute),
	}
}

// eachSponsor runs the test on both databases, with players P, Q and R who are signed in.
func eachSponsor(t *testing.T, test func(t *testing.T, g gasstore.Store)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, player := range []string{"P", "Q", "R"} {
			signIn(t, db, player)
		}
		test(t, gasstore.New(db))
	})
}

func signIn(t *testing.T, db *store.DB, player string) {
	t.Helper()
	storetest.Must(t, db.Write(t.Context(), storetest.InsertPlayer(player)), db.Write(t.Context(),
		func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertSession(ctx, gen.InsertSessionParams{
				ID: "S" + player, PlayerID: player, SecretHash: player, ExpiresAt: column.At(storetest.GasStart.AddDate(10, 0, 0)),
			})
		}))
}

func wantReason(t *testing.T, what string, err error, code fault.Code, reason string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Reason != reason {
		t.Errorf("%s: %v, want a fault %s %q", what, err, code, reason)
	}
}

func spent(t *testing.T, g gasstore.Store, at time.Time) (operations int64, gweis string) {
	t.Helper()
	s, err := g.Spending(t.Context(), storetest.GasChain, at)
	storetest.Must(t, err)
	return s.Spent.Operations, s.Spent.Wei.Div(gwei).String()
}

func wantSpent(t *testing.T, g gasstore.Store, what string, at time.Time, operations int64, gweis string) {
	t.Helper()
	if n, wei := spent(t, g, at); n != operations || wei != gweis {
		t.Errorf("%s: %d operations and %s gwei are spent, want %d and %s", what, n, wei, operations, gweis)
	}
}

// Spec: GAS-9
func TestSponsorship_IsReservedOnceAndReplaced(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		me := gas.Caller{Player: "P", Session: "SP"}
		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "one", 100, storetest.GasStart), broad()))
		wantSpent(t, g, "reserved", storetest.GasStart, 1, "100")
		storetest.Must(t, g.Sponsored(ctx, me, storetest.HashOf("one"), storetest.GasStart))
		wantReason(t, "another session", g.Sponsored(ctx, gas.Caller{Player: "P", Session: "SQ"}, storetest.HashOf("one"), storetest.GasStart),
			fault.Conflict, "sponsorship")
		wantReason(t, "another player", g.Sponsored(ctx, gas.Caller{Player: "Q", Session: "SP"}, storetest.HashOf("one"), storetest.GasStart),
			fault.Conflict, "sponsorship")
		wantReason(t, "ten minutes later", g.Sponsored(ctx, me, storetest.HashOf("one"), storetest.GasStart.Add(10*time.Minute)),
			fault.Conflict, "sponsorship")

		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "two", 30, storetest.GasStart), broad()))
		wantSpent(t, g, "replaced", storetest.GasStart, 1, "30")
		wantReason(t, "the one before", g.Sponsored(ctx, me, storetest.HashOf("one"), storetest.GasStart), fault.Conflict, "sponsorship")

		op := storetest.Operation("two", 0)
		op.Operation.Sender = testkit.WalletOf("P")
		_, err := g.AddOperation(ctx, op)
		storetest.Must(t, err)
		wantReason(t, "while an operation is on its way", g.Reserve(ctx, sponsorship("P", "three", 1, storetest.GasStart), broad()),
			fault.Conflict, "busy")
		storetest.Must(t, g.Drop(ctx, op.Hash, "it would revert", storetest.GasStart))
		wantSpent(t, g, "dropped", storetest.GasStart, 1, "0")
		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "three", 1, storetest.GasStart), broad()))
	})
}

// Spec: GAS-6
func TestSponsorship_GivesBackWhatItDidNotCost(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "paid", 100, storetest.GasStart), broad()))
		op := storetest.Operation("paid", 0)
		_, err := g.AddOperation(ctx, op)
		storetest.Must(t, err)
		storetest.Must(t, g.Bundle(ctx, storetest.GasTransaction("a"), []eth.Hash{op.Hash}),
			g.Signed(ctx, "a", 0, storetest.GasAttempt("a"), storetest.GasStart))
		for range 2 { // settled again after a reorganisation: refunded once
			storetest.Must(t,
				g.Settle(ctx, []gas.Outcome{{Hash: op.Hash, Cost: money.MustParse("40000000001"), TxHash: storetest.HashOf("a"),
					Succeeded: true}}, storetest.GasStart))
			wantSpent(t, g, "settled", storetest.GasStart, 1, "41")
		}

		storetest.Must(t, g.Reserve(ctx, sponsorship("Q", "unused", 100, storetest.GasStart), broad()))
		if ops, err := g.ExpiredSponsorships(ctx, storetest.GasChain, storetest.GasStart.Add(10*time.Minute), 10); err != nil || len(ops) != 0 {
			t.Errorf("expired at its last moment: %v %v", ops, err)
		}
		ops, err := g.ExpiredSponsorships(ctx, storetest.GasChain, storetest.GasStart.Add(10*time.Minute+time.Millisecond), 10)
		if err != nil || len(ops) != 1 || ops[0] != storetest.HashOf("unused") {
			t.Errorf("expired: %v %v", ops, err)
		}
		wantSpent(t, g, "before the release", storetest.GasStart, 2, "141")
		for range 2 {
			storetest.Must(t, g.Release(ctx, storetest.HashOf("unused"), storetest.GasStart))
			wantSpent(t, g, "released", storetest.GasStart, 1, "41")
		}
	})
}

// A bundle's outcome and a new sponsorship change the same rows. Rows that all players share are locked last, so that nobody waits for
// another player's row with them.
func TestSponsorship_SharedBudgetsAreLockedLast(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	db, err := store.Open(t.Context(), o)
	storetest.Must(t, err)
	defer db.Close()
	g := gasstore.New(db)
	var outcomes []gas.Outcome
	for _, player := range []string{"P", "Q"} {
		signIn(t, db, player)
		storetest.Must(t, g.Reserve(t.Context(), sponsorship(player, player, 100, storetest.GasStart), broad()))
		op := storetest.Operation(player, 0)
		op.Player, op.Operation.Sender = player, testkit.WalletOf(player)
		_, err := g.AddOperation(t.Context(), op)
		storetest.Must(t, err)
		storetest.Must(t, g.Bundle(t.Context(), storetest.GasTransaction(player), []eth.Hash{op.Hash}))
		outcomes = append(outcomes, gas.Outcome{Hash: op.Hash, Cost: money.FromInt(1), TxHash: storetest.HashOf(player), Succeeded: true})
	}

	other, err := sql.Open("pgx", o.URL)
	storetest.Must(t, err)
	defer other.Close()
	tx, err := other.BeginTx(t.Context(), nil)
	storetest.Must(t, err)
	defer tx.Rollback()
	lock := func(scope string) {
		t.Helper()
		var n int
		storetest.Must(t, tx.QueryRow("SELECT 1 FROM gas_budget WHERE scope = $1 AND subject IN ('Q', '') FOR UPDATE NOWAIT", scope).Scan(&n))
	}
	lock("player-day")
	settled := make(chan error)
	go func() { settled <- g.Settle(t.Context(), outcomes, storetest.GasStart) }()
	testkit.Eventually(t, 30*time.Second, func() bool {
		waits := 0
		storetest.Must(t, other.QueryRow(
			"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waits))
		return waits == 1
	}, "the outcome does not wait for the player's row")
	lock("chain-day")
	storetest.Must(t, tx.Rollback(), <-settled)
}

// public is a sponsorship of an operation that anyone may send.
func public(player, operation string, gweis int64, at time.Time) gas.Sponsorship {
	s := sponsorship(player, operation, gweis, at)
	s.Public, s.Nonce = true, 7
	return s
}

// If anyone may send what is sponsored, all of it counts: replaced, expired or dropped by the relay.
// Spec: GAS-10
func TestSponsorship_ThatAnybodyMaySendCountsInFull(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		storetest.Must(t, g.Reserve(ctx, public("P", "one", 100, storetest.GasStart), broad()),
			g.Reserve(ctx, public("P", "two", 30, storetest.GasStart), broad()))
		wantSpent(t, g, "replaced", storetest.GasStart, 2, "130")
		storetest.Must(t, g.Release(ctx, storetest.HashOf("two"), storetest.GasStart.Add(time.Hour)))
		wantSpent(t, g, "expired", storetest.GasStart, 2, "130")
		storetest.Must(t, g.Reserve(ctx, public("P", "three", 5, storetest.GasStart), broad()))
		op := storetest.Operation("three", 0)
		op.Operation.Sender = testkit.WalletOf("P")
		_, err := g.AddOperation(ctx, op)
		storetest.Must(t, err, g.Drop(ctx, op.Hash, "it would revert", storetest.GasStart))
		wantSpent(t, g, "dropped", storetest.GasStart, 3, "135")
		if _, err := accounts.New(g.DB).RevokeSession(ctx, "SP", storetest.GasStart); err != nil {
			t.Fatal(err)
		}
		left, err := g.EndedSponsorships(ctx, storetest.GasChain, storetest.GasStart, 10)
		if err != nil || len(left) != 1 || left[0].Operation != op.Hash {
			t.Errorf("what the relay has dropped can still be sent by others, but is not to be cancelled: %v (%v)", left, err)
		}
	})
}

// Spec: GAS-10
func TestSponsorship_ThatAnybodyMaySendIsCancelledWithItsSession(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		ended := func(what string, want int) (out []gas.Sponsorship) {
			t.Helper()
			out, err := g.EndedSponsorships(ctx, storetest.GasChain, storetest.GasStart, 10)
			if err != nil || len(out) != want {
				t.Fatalf("%s: %d are to be cancelled, want %d (%v)", what, len(out), want, err)
			}
			return out
		}
		storetest.Must(t, g.Reserve(ctx, public("P", "signed", 100, storetest.GasStart), broad()),
			g.Reserve(ctx, public("Q", "other", 1, storetest.GasStart), broad()),
			g.Reserve(ctx, sponsorship("R", "ours alone", 1, storetest.GasStart), broad()))
		ended("while the sessions last", 0)
		for _, session := range []string{"SP", "SR"} {
			if _, err := accounts.New(g.DB).RevokeSession(ctx, session, storetest.GasStart); err != nil {
				t.Fatal(err)
			}
		}
		s := ended("afterwards", 1)[0]
		if want := public("P", "signed", 100, storetest.GasStart); s.Operation != want.Operation || s.Player != "P" || s.Sender != want.Sender ||
			s.Nonce != 7 || !s.Public {
			t.Errorf("%+v is to be cancelled", s)
		}
		storetest.Must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertSession(ctx, gen.InsertSessionParams{
				ID: "new", PlayerID: "P", SecretHash: "new", ExpiresAt: column.At(storetest.GasStart.AddDate(10, 0, 0)),
			})
		}))
		next := public("P", "next", 1, storetest.GasStart)
		next.Session = "new"
		wantReason(t, "before it is cancelled", g.Reserve(ctx, next, broad()), fault.Conflict, "busy")

		cancellation := storetest.Operation("cancellation", 7)
		cancellation.Operation.Sender = s.Sender
		storetest.Must(t, g.Cancel(ctx, s, &cancellation, money.MustParse("20000000000"), storetest.GasStart))
		wantSpent(t, g, "cancelled", storetest.GasStart, 4, "122")
		wantReason(t, "twice", g.Cancel(ctx, s, &cancellation, money.MustParse("20000000000"), storetest.GasStart), fault.Conflict, "sponsorship")
		wantSpent(t, g, "cancelled once", storetest.GasStart, 4, "122")
		ended("cancelled", 0)
		if queued, err := g.QueuedOperations(ctx, storetest.GasChain, 10); err != nil || len(queued) != 1 || queued[0].Hash != cancellation.Hash {
			t.Errorf("%d operations wait (%v)", len(queued), err)
		}
		wantReason(t, "while that is on its way", g.Reserve(ctx, next, broad()), fault.Conflict, "busy")
		kept := storetest.Operation("signed", 7)
		kept.Operation.Sender = s.Sender
		_, err := g.AddOperation(ctx, kept)
		wantReason(t, "sending what was cancelled", err, fault.Conflict, "nonce")
	})
}

// Anyone can list an item for a worthless token and buy it with any number of wallets.
// Spec: MARKET-20
func TestAttack_PurchasesInMadeUpMoney(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		terms := storetest.TermsOf(storetest.Items, "1", 9)
		terms.Currency, terms.PricePerToken = eth.MustAddress("0x00000000000000000000000000000000000fa4e0"), money.MustParse("250000000000")
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("4", terms))
		x.Apply(storetest.Buy("4", "1", storetest.WalletA, 1)...)
		x.Want("sales", x.Rows("SELECT buyer, currency FROM sale"), storetest.WalletA.String()+" 0x0000000000000000000000000000000000000000")
		x.OK(x.DB.Read(t.Context(), func(q *gen.Queries) error {
			sellers, err := q.BoughtBefore(t.Context(), gen.BoughtBeforeParams{
				Buyer: storetest.WalletA, Time: column.At(storetest.Start.AddDate(1, 0, 0)), Least: "1000000",
			})
			if err != nil || len(sellers) != 0 {
				t.Errorf("the player counts as a buyer (%v)", err)
			}
			return err
		}))
		if trades, err := marketstore.New(x.DB).Trades(t.Context(), storetest.Items, "1", 10); err != nil || len(trades) != 0 {
			t.Errorf("the history of prices shows %d made-up ones (%v)", len(trades), err)
		}
	})
}

func TestCancellation_ThatCannotBeKeptChangesNothing(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		s := public("P", "signed", 100, storetest.GasStart)
		storetest.Must(t, g.Reserve(ctx, s, broad()))
		if _, err := accounts.New(g.DB).RevokeSession(ctx, "SP", storetest.GasStart); err != nil {
			t.Fatal(err)
		}
		remains := func(what string, operation eth.Hash) {
			t.Helper()
			left, err := g.EndedSponsorships(ctx, storetest.GasChain, storetest.GasStart, 10)
			if err != nil || len(left) != 1 || left[0].Operation != operation {
				t.Fatalf("%s: to be cancelled is %v (%v), want the operation %s", what, left, err, operation)
			}
		}
		other, cancellation := storetest.Operation("other", 7), storetest.Operation("cancellation", 7)
		other.Operation.Sender, cancellation.Operation.Sender = s.Sender, s.Sender
		storetest.Must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.InsertGasOperation(ctx, gen.InsertGasOperationParams{
				Hash: other.Hash, ChainID: storetest.GasChain, EntryPoint: other.EntryPoint, PlayerID: "P", Sender: s.Sender,
				Nonce: other.Operation.Nonce.String(), Operation: "{}", CreatedAt: column.At(storetest.GasStart),
			})
			return err
		}))
		cost := money.MustParse("20000000000")
		wantReason(t, "another has the nonce", g.Cancel(ctx, s, &cancellation, cost, storetest.GasStart), fault.Conflict, "busy")
		remains("another has the nonce", s.Operation)
		wantSpent(t, g, "another has the nonce", storetest.GasStart, 1, "100")

		storetest.Must(t, g.Drop(ctx, other.Hash, "it would revert", storetest.GasStart),
			g.Cancel(ctx, s, &cancellation, cost, storetest.GasStart))
		storetest.Must(t, g.Drop(ctx, cancellation.Hash, "it would revert", storetest.GasStart))
		s.Operation = cancellation.Hash
		remains("a dropped cancellation", s.Operation)
		wantReason(t, "the same once more", g.Cancel(ctx, s, &cancellation, cost, storetest.GasStart), fault.Conflict, "busy")
		remains("the same once more", s.Operation)
		again := storetest.Operation("again", 7)
		again.Operation.Sender = s.Sender
		storetest.Must(t, g.Cancel(ctx, s, &again, cost, storetest.GasStart))
	})
}

// An exhausted budget does not prevent a cancellation.
func TestSponsorship_IsCancelledBeyondTheBudget(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		tight := broad()
		tight.Player.Operations = 1
		s := public("P", "signed", 100, storetest.GasStart)
		storetest.Must(t, g.Reserve(ctx, s, tight))
		cancellation := storetest.Operation("cancellation", 7)
		cancellation.Operation.Sender = s.Sender
		storetest.Must(t, g.Cancel(ctx, s, &cancellation, money.MustParse("20000000000"), storetest.GasStart))
		wantSpent(t, g, "cancelled", storetest.GasStart, 2, "120")
		storetest.Must(t, g.Drop(ctx, cancellation.Hash, "the nonce was used", storetest.GasStart))
		wantReason(t, "afterwards", g.Reserve(ctx, sponsorship("P", "more", 1, storetest.GasStart), tight), fault.TooMany, "gas-player")
	})
}

// Spec: GAS-10
func TestSponsorship_EndsWithItsSession(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "signed", 1, storetest.GasStart), broad()))
		_, err := accounts.New(g.DB).RevokeSession(ctx, "SP", storetest.GasStart)
		storetest.Must(t, err)
		wantReason(t, "signing", g.Sponsored(ctx, gas.Caller{Player: "P", Session: "SP"}, storetest.HashOf("signed"), storetest.GasStart),
			fault.Conflict, "sponsorship")
		_, err = g.AddOperation(ctx, storetest.Operation("signed", 0))
		wantReason(t, "sending", err, fault.Conflict, "sponsorship")
	})
}

// Spec: GAS-6
func TestBudget_EachBoundIsKeptAndSaysWhenItEnds(t *testing.T) {
	t.Parallel()
	day := storetest.GasStart.Truncate(24 * time.Hour)
	at := day.Add(23*time.Hour + 30*time.Minute + 20*time.Second)
	for name, c := range map[string]struct {
		change func(b *gas.Budget)
		fits   int // operations of 10 gwei
		reason string
		wait   time.Duration
		text   string
	}{
		"a player's minute": {func(b *gas.Budget) { b.PlayerPerMinute = 2 }, 2, "gas-player", 40 * time.Second,
			"That was a lot in one minute. Please try again in a minute."},
		"a player's operations": {func(b *gas.Budget) { b.Player.Operations = 3 }, 3, "gas-player", 29*time.Minute + 40*time.Second,
			"You have used up the gas that we pay for you in a day. It starts again in 30 minutes."},
		"a player's gas": {func(b *gas.Budget) { b.Player = allowance(100, 29) }, 2, "gas-player", 29*time.Minute + 40*time.Second,
			"You have used up the gas that we pay for you in a day. It starts again in 30 minutes."},
		"a network's operations": {func(b *gas.Budget) { b.Network.Operations = 1 }, 1, "gas-network", 29*time.Minute + 40*time.Second,
			"The players on your network have used up the gas that we pay for them in a day. It starts again in 30 minutes."},
		"a network's gas": {func(b *gas.Budget) { b.Network = allowance(100, 10) }, 1, "gas-network", 29*time.Minute + 40*time.Second,
			"The players on your network have used up the gas that we pay for them in a day. It starts again in 30 minutes."},
		"the newcomers' half of the operations": {func(b *gas.Budget) { b.Total.Operations = 5 }, 2, "gas-paused",
			29*time.Minute + 40*time.Second,
			"We have reached what we pay for gas today, so this has to wait 30 minutes. What you hold and own is safe."},
		"the newcomers' half of the gas": {func(b *gas.Budget) { b.Total = allowance(100, 40) }, 2, "gas-paused", 29*time.Minute + 40*time.Second,
			"We have reached what we pay for gas today, so this has to wait 30 minutes. What you hold and own is safe."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachSponsor(t, func(t *testing.T, g gasstore.Store) {
				b := broad()
				c.change(&b)
				use := func(i int, at time.Time) error {
					op := storetest.Operation(fmt.Sprint(i), uint64(i))
					if err := g.Reserve(t.Context(), sponsorship("P", fmt.Sprint(i), 10, at), b); err != nil {
						return err
					}
					op.CreatedAt = at
					if _, err := g.AddOperation(t.Context(), op); err != nil {
						t.Fatal(err)
					}
					return g.Settle(t.Context(), []gas.Outcome{{Hash: op.Hash, Cost: money.FromInt(10 * gwei), Succeeded: true}}, at)
				}
				for i := range c.fits {
					storetest.Must(t, use(i, at))
				}
				err := use(99, at)
				wantReason(t, "one more", err, fault.TooMany, c.reason)
				if f := fault.As(err); f != nil && (f.RetryAfter != c.wait || f.Message != c.text) {
					t.Errorf("%v %q, want %v %q", f.RetryAfter, f.Message, c.wait, c.text)
				}
				storetest.Must(t, use(100, at.Add(c.wait)))
			})
		})
	}
}

// Half of the day's total is reserved for players who bought for 1 USDC or more on an earlier day.
// Spec: GAS-6
func TestBudget_HalfIsKeptForBuyers(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		portal := testkit.WalletOf("portal")
		sale := func(buyer string, seller eth.Address, total int64, at time.Time, n int64) {
			storetest.Must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertSale(ctx, gen.InsertSaleParams{
					ChainID: storetest.GasChain, BlockNumber: n, TxHash: storetest.HashOf(fmt.Sprint(total)), Time: column.At(at), ListingID: "1",
					Buyer: testkit.WalletOf(buyer), Seller: seller, Currency: eth.MustAddress(testkit.USDC), Total: money.FromInt(total), Quantity: 1,
					UnitPrice: money.FromInt(total),
				})
			}))
		}
		yesterday := storetest.GasStart.Add(-24 * time.Hour)
		sale("P", portal, 1_000_000, yesterday, 1)          // 1 USDC
		sale("Q", portal, 999_999, yesterday, 2)            // too little
		sale("R", portal, 1_000_000, storetest.GasStart, 3) // today
		b := broad()
		b.Seller = portal
		b.Total.Operations = 4
		storetest.Must(t, g.Reserve(ctx, sponsorship("Q", "1", 1, storetest.GasStart), b),
			g.Reserve(ctx, sponsorship("R", "2", 1, storetest.GasStart), b))
		stranger := sponsorship("Q", "3", 1, storetest.GasStart)
		stranger.Sender = testkit.WalletOf("somebody")
		wantReason(t, "a third newcomer", g.Reserve(ctx, stranger, b), fault.TooMany, "gas-paused")
		storetest.Must(t, g.Reserve(ctx, sponsorship("P", "4", 1, storetest.GasStart), b))

		storetest.Must(t, operators.Store(g).RaiseGas(ctx, storetest.GasChain, 2, money.FromInt(1), operator.Entry{At: storetest.GasStart}))
		storetest.Must(t, g.Reserve(ctx, stranger, b))
		s, err := g.Spending(ctx, storetest.GasChain, storetest.GasStart)
		storetest.Must(t, err)
		if s.Spent.Operations != 4 || s.Newcomers.Operations != 3 || s.Raised.Operations != 2 || s.Raised.Wei.String() != "1000000000" {
			t.Errorf("spending %+v", s)
		}
	})
}

// Who sells to himself, or passes money to and fro between two accounts, stays a newcomer.
func TestBudget_PlayersAreKnownByWhatTheyBoughtOfOthers(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx, n := t.Context(), int64(0)
		b := broad()
		b.Seller = testkit.WalletOf("portal")
		for buyer, c := range map[string]struct {
			sellers  []string
			newcomer int64
		}{
			"the portal's customer": {[]string{"portal"}, 0}, "three sellers'": {[]string{"a", "b", "c"}, 0},
			"a friend's": {[]string{"a", "a", "a", "a"}, 1}, "two friends'": {[]string{"a", "b"}, 1},
			"his own": {[]string{"his own", "a", "b"}, 1}, "nobody's": {nil, 1},
		} {
			for _, seller := range c.sellers {
				n++
				storetest.Must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
					return tx.InsertSale(ctx, gen.InsertSaleParams{
						ChainID: storetest.GasChain, BlockNumber: n, TxHash: storetest.HashOf(fmt.Sprint(n)),
						Time:      column.At(storetest.GasStart.Add(-24 * time.Hour)),
						ListingID: "1", Buyer: testkit.WalletOf(buyer), Seller: testkit.WalletOf(seller), Currency: eth.MustAddress(testkit.USDC),
						Total: money.FromInt(1_000_000), Quantity: 1, UnitPrice: money.FromInt(1_000_000),
					})
				}))
			}
			before, err := g.Spending(ctx, storetest.GasChain, storetest.GasStart)
			storetest.Must(t, err)
			s := sponsorship("P", buyer, 1, storetest.GasStart)
			s.Sender = testkit.WalletOf(buyer)
			storetest.Must(t, g.Reserve(ctx, s, b))
			after, err := g.Spending(ctx, storetest.GasChain, storetest.GasStart)
			storetest.Must(t, err)
			if got := after.Newcomers.Operations - before.Newcomers.Operations; got != c.newcomer {
				t.Errorf("%s counts %d times as a newcomer", buyer, got)
			}
		}
	})
}

// Fifty accounts that list, burn and approve all day leave a quarter of the budget, and of the newcomers' half, to purchases.
func TestBudget_AQuarterIsKeptForPurchases(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		b := broad()
		b.Total.Operations = 16 // 8 for newcomers, of which 2 are kept for purchases
		reserve := func(n int, purchase bool) error {
			s := sponsorship("P", fmt.Sprint(n), 1, storetest.GasStart)
			s.Sender, s.Purchase = testkit.WalletOf(fmt.Sprint(n)), purchase
			return g.Reserve(ctx, s, b)
		}
		for n := range 6 {
			storetest.Must(t, reserve(n, false))
		}
		wantReason(t, "a seventh operation", reserve(6, false), fault.TooMany, "gas-paused")
		storetest.Must(t, reserve(7, true), reserve(8, true))
		wantReason(t, "a third purchase", reserve(9, true), fault.TooMany, "gas-paused")
		// What is released is there again.
		storetest.Must(t, g.Release(ctx, storetest.HashOf("0"), storetest.GasStart))
		storetest.Must(t, reserve(10, false))
	})
}

// Accounts that are created, spend and are deleted, again and again, share one budget.
// Spec: GAS-6
func TestAttack_MadeUpPlayersBurnGas(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		g, ctx, b := gasstore.New(db), t.Context(), broad()
		b.Network.Operations = 3
		var last error
		for i := range 5 {
			player := fmt.Sprint("made up ", i)
			storetest.Must(t, db.Write(ctx, storetest.InsertPlayer(player)))
			last = g.Reserve(ctx, sponsorship(player, player, 10, storetest.GasStart), b)
			if (last == nil) != (i < 3) {
				t.Errorf("account %d: %v", i, last)
			}
			if _, err := accounts.New(db).DeletePlayer(ctx, account.DeletedPlayer{PlayerID: player, At: storetest.GasStart}); err != nil {
				t.Fatal(err)
			}
		}
		wantReason(t, "the last", last, fault.TooMany, "gas-network")
		wantSpent(t, g, "after the deletions", storetest.GasStart, 3, "30")
	})
}

// Spec: GAS-6
func TestBudget_HoldsAgainstParallelSponsorships(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		g, b := gasstore.New(db), broad()
		b.Network = allowance(1000, 75)
		const rivals = 20
		for i := range rivals {
			storetest.Must(t, db.Write(t.Context(), storetest.InsertPlayer(fmt.Sprint(i))))
		}
		var given atomic.Int32
		var wg sync.WaitGroup
		for i := range rivals {
			wg.Go(func() {
				switch err := g.Reserve(t.Context(), sponsorship(fmt.Sprint(i), fmt.Sprint(i), 10, storetest.GasStart), b); {
				case err == nil:
					given.Add(1)
				case !fault.Is(err, fault.TooMany):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if given.Load() != 7 {
			t.Errorf("%d of 10 gwei each were given of 75 gwei, want 7", given.Load())
		}
		wantSpent(t, g, "in all", storetest.GasStart, 7, "70")
	})
}

func TestBudget_IsApartForEachChain(t *testing.T) {
	t.Parallel()
	eachSponsor(t, func(t *testing.T, g gasstore.Store) {
		b := broad()
		b.Player.Operations = 1
		storetest.Must(t, g.Reserve(t.Context(), sponsorship("P", "game", 1, storetest.GasStart), b))
		other := sponsorship("P", "main", 1, storetest.GasStart)
		other.Chain = 137
		storetest.Must(t, g.Reserve(t.Context(), other, b))
	})
}
