package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/burn"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/index"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func fateOf(x *storetest.Indexed, player string) int64 {
	x.T.Helper()
	_, err := reward.NewService(rewards.New(x.DB), nil, reward.Treasury{}, x.Clock).Step(x.T.Context())
	x.OK(err)
	balances, err := accounts.New(x.DB).Currencies(x.T.Context(), player)
	x.OK(err)
	return balances["fa"]
}

func move(from, to eth.Address, n int64) onchain.Transfer {
	return storetest.Transfer(onchain.ERC1155, storetest.Relics, "1", from, to, n)
}

// A burn earns its reward once it is final, once, whatever is reorganised.
func TestBurn_EarnsItsRewardOnceWhateverIsReorganised(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		want := func(what string, fate int64) {
			t.Helper()
			if got := fateOf(x, "A"); got != fate {
				t.Errorf("%s: %d fate, want %d", what, got, fate)
			}
		}
		mints := []any{move(eth.Address{}, storetest.WalletA, 9), move(eth.Address{}, storetest.Stranger, 9),
			storetest.MintItems(storetest.WalletA, "1", 9)}
		start := x.Apply(mints...)
		x.Settle(x.Tip.Number)
		want("before", 0)
		twice := []any{move(storetest.WalletA, eth.Address{}, 2), move(storetest.WalletA, eth.Address{}, 1)}
		x.ApplyIn(storetest.TxOf("burn"), "", twice...)
		x.Settle(start.Number)
		want("not final yet", 0)
		x.Settle(x.Tip.Number)
		want("two burns in a transaction", 30)
		x.ApplyIn(storetest.TxOf("others"), "", move(storetest.Stranger, eth.Address{}, 5), move(storetest.WalletA, storetest.Stranger, 1),
			storetest.Transfer(onchain.ERC1155, storetest.Items, "1", storetest.WalletA, eth.Address{}, 3))
		x.Settle(x.Tip.Number)
		want("a stranger's, a transfer, and a burn of something else", 30)
		x.Rewind(start)
		x.ApplyIn(storetest.TxOf("burn"), "other", twice...)
		x.Settle(x.Tip.Number)
		want("the same transaction in another block", 30)
		x.ApplyIn(storetest.TxOf("another"), "other", move(storetest.WalletA, eth.Address{}, 1))
		x.Settle(x.Tip.Number)
		want("another transaction", 40)
		x.Reset()
		x.Tip = onchain.Block{}
		x.Apply(mints...)
		x.ApplyIn(storetest.TxOf("burn"), "anew", twice...)
		x.ApplyIn(storetest.TxOf("another"), "anew", move(storetest.WalletA, eth.Address{}, 1))
		x.Settle(x.Tip.Number)
		want("a rebuilt index", 40)
	})
}

func TestBurn_ThatAReorganisationTakesBeforeItIsFinalEarnsNothing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		start := x.Apply(move(eth.Address{}, storetest.WalletA, 9))
		x.ApplyIn(storetest.TxOf("burn"), "", move(storetest.WalletA, eth.Address{}, 2))
		burns, err := x.Index.UnsettledBurns(t.Context(), storetest.Chain, x.Tip.Number, 10)
		x.OK(err)
		x.Rewind(start)
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 1))
		for _, b := range burns { // read before the reorganisation, settled after it
			earned, err := x.Index.SettleBurn(t.Context(), storetest.Chain, b, 0)
			x.OK(err)
			if earned {
				t.Error("a burn that is gone has earned something")
			}
		}
		x.Settle(x.Tip.Number)
		if got := fateOf(x, "A"); got != 0 {
			t.Errorf("%d fate", got)
		}
	})
}

// A wallet is registered while a burn of it is being settled: the reward is its player's.
func TestBurn_OfAWalletThatIsRegisteredMeanwhileIsItsPlayers(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL) // SQLite has no concurrent writers
	x.Burning()
	x.Apply(move(eth.Address{}, storetest.Stranger, 9))
	x.Apply(move(storetest.Stranger, eth.Address{}, 2))
	burns, err := x.Index.UnsettledBurns(t.Context(), storetest.Chain, x.Tip.Number, 10)
	x.OK(err)
	x.OK(accounts.New(x.DB).SaveChallenge(t.Context(), "A",
		wallet.Challenge{Nonce: "n", Address: storetest.Stranger, ExpiresAt: x.Clock.Now().Add(time.Minute)}))
	lock, err := x.Raw.BeginTx(t.Context(), nil)
	x.OK(err)
	defer func() { _ = lock.Rollback() }()
	_, err = lock.ExecContext(t.Context(), "UPDATE chain_cursor SET settled_log = settled_log")
	x.OK(err)
	settled, registered := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := x.Index.SettleBurn(t.Context(), storetest.Chain, burns[0], 0)
		settled <- err
	}()
	testkit.Eventually(t, time.Minute, func() bool { return x.Locked() == 1 }, "the burn is not being settled")
	go func() {
		registered <- accounts.New(x.DB).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: storetest.Stranger}, "n", nil)
	}()
	testkit.Eventually(t, time.Minute, func() bool { return x.Locked() == 2 || len(registered) == 1 }, "the wallet is not being registered")
	x.OK(lock.Rollback())
	x.OK(<-settled)
	x.OK(<-registered)
	if got := fateOf(x, "A"); got != 20 {
		t.Errorf("%d fate, want 20", got)
	}
}

// A player breaks a bank and deletes the account. The index is rebuilt, as after a new collection, and the wallet is
// connected to another account. The burn stays rewarded once.
func TestBurn_IsNotRewardedAgainWhenItsPlayerIsDeleted(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		connect := func(player string) {
			t.Helper()
			x.OK(accounts.New(x.DB).SaveChallenge(t.Context(), player, wallet.Challenge{
				Nonce: player, Address: storetest.Stranger, ExpiresAt: x.Clock.Now().Add(time.Minute),
			}))
			x.OK(accounts.New(x.DB).KeepVerified(t.Context(), wallet.Verified{PlayerID: player, Address: storetest.Stranger}, player, nil))
		}
		burn := func(branch string) {
			t.Helper()
			x.Apply(move(eth.Address{}, storetest.Stranger, 9))
			x.ApplyIn(storetest.TxOf("burn"), branch, move(storetest.Stranger, eth.Address{}, 2))
			x.Settle(x.Tip.Number)
		}
		connect("A")
		burn("")
		if got := fateOf(x, "A"); got != 20 {
			t.Fatalf("%d fate, want 20", got)
		}
		_, err := accounts.New(x.DB).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.Clock.Now()})
		x.OK(err)
		x.Reset()
		x.Tip = onchain.Block{}
		burn("anew")
		connect("B")
		if got := fateOf(x, "B"); got != 0 {
			t.Errorf("the next player of the wallet has %d fate, want none", got)
		}
		unowned, err := operators.New(x.DB).FindRewards(t.Context(), operator.Find{Unowned: true, Limit: 10})
		if err != nil || len(unowned) != 0 {
			t.Errorf("rewards that wait for a player: %+v, %v", unowned, err)
		}
	})
}

// If two processes bring different tables of one edition at the same time, one of them gets an error.
func TestTables_OfTwoProcessesAtOnceDoNotDiffer(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL) // SQLite has no concurrent writers
	table := draw.Table{Kind: "hat", Edition: 1, Total: 1, Drops: []draw.Drop{{
		ID: "hat", Name: "A hat", Rarity: "rare", Weight: 1, Gives: []draw.Grant{{Currency: "fa", Amount: 1}},
	}}}
	other := table
	other.Token = "8"
	lock, err := x.Raw.BeginTx(t.Context(), nil)
	x.OK(err)
	defer func() { _ = lock.Rollback() }()
	_, err = lock.ExecContext(t.Context(), "INSERT INTO drop_table (kind, edition, canonical, created_at) VALUES ('hat', 1, $1, 0)",
		string(other.Canonical()))
	x.OK(err)
	kept := make(chan error, 1)
	go func() { kept <- packs.Tables(t.Context(), rewards.New(x.DB), draw.TablesOf([]draw.Table{table})) }()
	testkit.Eventually(t, time.Minute, func() bool { return x.Locked() == 1 }, "the tables are not being kept")
	x.OK(lock.Commit())
	if err := <-kept; err == nil || !strings.Contains(err.Error(), "can never change") {
		t.Errorf("%v, want that the edition was known otherwise", err)
	}
}

// Each copy of a burned pack is an opening of its own. Copies are numbered through the entries of a log, and openings
// have their places in chain order.
func TestBurn_OfPacksIsOneOpeningForEachCopy(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		x.Apply(storetest.MintChests(storetest.WalletA, "1", 2000), storetest.MintChests(storetest.WalletA, "3", 9))
		// One log with two entries.
		batch := storetest.BatchAfter(x.Tip, x.Clock.Now().Add(time.Second), "", burnChests(storetest.WalletA, "1", 2),
			burnChests(storetest.WalletA, "3", 1))
		batch.Transfers[1].Position = batch.Transfers[0].Position
		batch.Transfers[1].Sub = 1
		x.OK(x.Index.ApplyBatch(t.Context(), batch))
		x.Tip = batch.Blocks[0]
		x.ApplyIn(storetest.TxOf("many"), "", burnChests(storetest.WalletA, "1", 1100))
		x.Settle(x.Tip.Number)
		waiting, err := rewards.New(x.DB).WaitingOpenings(t.Context(), 2000)
		x.OK(err)
		slices.SortFunc(waiting, func(a, b packs.Opening) int { return int(a.Place - b.Place) })
		if len(waiting) != 2+1+1100 {
			t.Fatalf("%d openings", len(waiting))
		}
		seen := map[string]bool{}
		for i, o := range waiting {
			if o.Place != int64(i+1) || seen[o.ID] {
				t.Fatalf("opening %d has place %d and id %s", i, o.Place, o.ID)
			}
			seen[o.ID] = true
		}
		first := waiting[0]
		if want := fmt.Sprintf("%d-%s-0-0", storetest.Chain, batch.Transfers[0].Tx); first.ID != want || first.Kind != "general" ||
			first.Edition != 1 || first.Wallet != storetest.WalletA || first.TokenID != "1" || first.Block != batch.To {
			t.Errorf("%+v, want %s", first, want)
		}
		if want := (draw.Schedule{
			Genesis: storetest.Start.Truncate(time.Second), Period: 3 * time.Second,
		}).RoundAfter(first.At, 0); first.Round != want || want < 3 {
			t.Errorf("round %d, want %d", first.Round, want)
		}
		if third := waiting[2]; third.Kind != "god" || third.ID != strings.TrimSuffix(first.ID, "0")+"2" {
			t.Errorf("the second entry: %+v", third)
		}
		if last := waiting[len(waiting)-1]; !strings.HasSuffix(last.ID, "-0-1099") {
			t.Errorf("the last copy is %s", last.ID)
		}
		if x.Settle(x.Tip.Number) != 0 {
			t.Error("settled again")
		}
	})
}

// A reorganisation of the very block whose burns are settled puts another burn before them.
func TestBurn_EarlierInAReorganisedBlockIsSettled(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		start := x.Apply(move(eth.Address{}, storetest.WalletA, 9))
		x.Apply(move(storetest.WalletA, storetest.Stranger, 1), move(storetest.WalletA, eth.Address{}, 1))
		x.Settle(x.Tip.Number)
		x.Rewind(start)
		x.ApplyIn(storetest.TxOf("other"), "other", move(storetest.WalletA, eth.Address{}, 2), move(storetest.WalletA, storetest.Stranger, 1))
		x.Settle(x.Tip.Number)
		if got := fateOf(x, "A"); got != 10+20 {
			t.Errorf("%d fate, want 30", got)
		}
	})
}

// A portal that takes over a chain with a history rewards no burns before its first block of rewards: not in the first
// index, not after a reorganisation, and not in a rebuilt index.
// Spec: BURN-5
func TestBurn_BeforeTheFirstBlockOfRewardsEarnsNothing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		read := func() {
			t.Helper()
			x.Tip = onchain.Block{}
			x.Apply(move(eth.Address{}, storetest.WalletA, 9), storetest.MintChests(storetest.WalletA, "1", 9))
			x.ApplyIn(storetest.TxOf("old"), "", move(storetest.WalletA, eth.Address{}, 1), burnChests(storetest.WalletA, "1", 1))
			x.ApplyIn(storetest.TxOf("new"), "", move(storetest.WalletA, eth.Address{}, 2), move(storetest.WalletA, eth.Address{}, 3))
		}
		want := func(what string, settled int, fate int64) {
			t.Helper()
			if got := x.Settle(x.Tip.Number); got != settled {
				t.Errorf("%s: %d burns are settled, want %d", what, got, settled)
			}
			waiting, err := rewards.New(x.DB).WaitingOpenings(t.Context(), 10)
			x.OK(err)
			if got := fateOf(x, "A"); got != fate || len(waiting) != 0 {
				t.Errorf("%s: %d fate and %d openings, want %d and none", what, got, len(waiting), fate)
			}
			burns, err := rewards.New(x.DB).UnsettledBurnsOf(t.Context(), []eth.Address{storetest.WalletA}, 10)
			x.OK(err)
			if len(burns) != 0 {
				t.Errorf("%s: %d burns are shown to wait", what, len(burns))
			}
		}
		x.Burning(3)
		x.Resume(storetest.Sources())
		read()
		old, err := x.Index.Blocks(t.Context(), storetest.Chain)
		x.OK(err)
		want("as read", 2, 50)
		x.Rewind(old[0])
		x.ApplyIn(storetest.TxOf("old"), "other", move(storetest.WalletA, eth.Address{}, 1), burnChests(storetest.WalletA, "1", 1))
		x.ApplyIn(storetest.TxOf("other"), "other", move(storetest.WalletA, eth.Address{}, 1))
		want("after a reorganisation", 1, 60)
		x.Reset()
		read()
		want("a rebuilt index", 2, 60)
		others := storetest.Sources()
		others.Base = "another marketplace"
		_, err = x.Index.Resume(t.Context(), storetest.Chain, others, true)
		x.OK(err)
		x.Resume(others)
		read()
		want("read from other sources", 2, 60)
	})
}

// The first block of rewards is set while burns before it wait: they are skipped, even by a settler that runs before the
// index resumes.
// Spec: BURN-5
func TestBurn_ThatWaitsIsSkippedWhenRewardsBeginLater(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		x.Apply(move(eth.Address{}, storetest.WalletA, 9))
		x.ApplyIn(storetest.TxOf("old"), "", move(storetest.WalletA, eth.Address{}, 1))
		burns, err := x.Index.UnsettledBurns(t.Context(), storetest.Chain, x.Tip.Number, 10)
		x.OK(err)
		x.Burning(3)
		for _, b := range burns {
			if earned, err := x.Index.SettleBurn(t.Context(), storetest.Chain, b, 0); earned || err != nil {
				t.Errorf("earned %v, %v", earned, err)
			}
		}
		x.Resume(storetest.Sources())
		if got := x.Settle(x.Tip.Number); got != 0 || fateOf(x, "A") != 0 {
			t.Errorf("%d burns are settled", got)
		}
	})
}

// Burns on both sides of a tariff's beginning are settled long after it.
// Spec: BURN-1, BURN-4
func TestBurn_IsPaidByTheTariffInForceAtItsBlock(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		text := fmt.Sprintf(`piggyBanks:
  - {version: 1, from: 2020-01-01T00:00:00Z, kinds: [{collection: relics, token: "1", fate: 10}]}
  - {version: 2, from: %s, kinds: [{collection: relics, token: "1", fate: 1000}]}
`, x.Clock.Now().Truncate(time.Second).Add(3*time.Second).UTC().Format(time.RFC3339))
		files := section.Over("rules.yaml", []byte(text), brandtest.Pantheon().Rules)
		tariffs, err := burn.Parse(files, func(collections.Burn, string, string) error { return nil })
		x.OK(err)
		x.Index = index.New(x.DB, index.Options{
			Describer: storetest.PlainArt{}, Chains: map[onchain.ChainID]index.ChainRules{storetest.Chain: {Rules: projection.Rules{
				Burns: map[eth.Address]func(projection.Burn) projection.Earned{
					storetest.Relics: burn.Burned(func() burn.Tariffs { return tariffs }, collections.BreakPiggy, "relics"),
				},
			}}},
		})
		x.Apply(move(eth.Address{}, storetest.WalletA, 9))
		x.Apply(move(storetest.WalletA, eth.Address{}, 2)) // a second before version 2
		x.Apply(move(storetest.WalletA, eth.Address{}, 3)) // in its first second
		x.Clock.Advance(time.Hour)
		if got := x.Settle(x.Tip.Number); got != 2 {
			t.Fatalf("%d burns are settled", got)
		}
		if got := fateOf(x, "A"); got != 2*10+3*1000 {
			t.Errorf("%d fate, want 3020", got)
		}
	})
}

func burnChests(from eth.Address, id string, n int64) onchain.Transfer {
	return storetest.Transfer(onchain.ERC1155, storetest.Chests, id, from, eth.Address{}, n)
}
