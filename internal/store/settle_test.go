package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
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
)

var relics = eth.Address{0: 0xbe, 19: 1}

// builtInTables returns the drop tables that come with the portal.
func builtInTables() *draw.Tables {
	tables, err := draw.BuiltIn(func(draw.Grant) error { return nil })
	if err != nil {
		panic(err)
	}
	return tables
}

// burning returns an index in which burns of relics earn fate and burns of chests are opened, by a beacon with rounds of
// 3 s from the first block on. No burn before the given block earns anything.
func (x *indexed) burning(rewardsFrom ...uint64) {
	from := append(rewardsFrom, 0)[0]
	x.index = index.New(x.db, index.Options{
		Describer: plainArt{}, Rounds: draw.Schedule{Genesis: x.clock.Now().Truncate(time.Second), Period: 3 * time.Second},
		Chains: map[onchain.ChainID]index.ChainRules{indexChain: {RewardsFrom: from,
			Rules: projection.Rules{Burns: map[eth.Address]func(projection.Burn) projection.Earned{
				chests: packs.Burned(builtInTables),
				relics: func(b projection.Burn) projection.Earned {
					n, _ := b.Amount.Int64()
					return projection.Earned{Origin: "relic", Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 10 * n}.Content()}}
				},
			}}}},
	})
}

// settle settles all burns up to a block. Each log has the index in its transaction that it has in its block.
func (x *indexed) settle(upTo uint64) (settled int) {
	x.t.Helper()
	for {
		burns, err := x.index.UnsettledBurns(x.t.Context(), indexChain, upTo, 10)
		x.ok(err)
		if len(burns) == 0 {
			return settled
		}
		for _, b := range burns {
			_, err := x.index.SettleBurn(x.t.Context(), indexChain, b, uint64(b.LogIndex))
			x.ok(err)
			settled++
		}
	}
}

func (x *indexed) fate(player string) int64 {
	x.t.Helper()
	_, err := reward.NewService(rewards.New(x.db), nil, reward.Treasury{}, x.clock).Step(x.t.Context())
	x.ok(err)
	balances, err := accounts.New(x.db).Currencies(x.t.Context(), player)
	x.ok(err)
	return balances["fa"]
}

func move(from, to eth.Address, n int64) onchain.Transfer {
	return transfer(onchain.ERC1155, relics, "1", from, to, n)
}

// A burn earns its reward once it is final, once, whatever is reorganised.
func TestBurn_EarnsItsRewardOnceWhateverIsReorganised(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		want := func(what string, fate int64) {
			t.Helper()
			if got := x.fate("A"); got != fate {
				t.Errorf("%s: %d fate, want %d", what, got, fate)
			}
		}
		mints := []any{move(eth.Address{}, walletA, 9), move(eth.Address{}, stranger, 9), mintItems(walletA, "1", 9)}
		start := x.apply(mints...)
		x.settle(x.tip.Number)
		want("before", 0)
		twice := []any{move(walletA, eth.Address{}, 2), move(walletA, eth.Address{}, 1)}
		x.applyIn(txOf("burn"), "", twice...)
		x.settle(start.Number)
		want("not final yet", 0)
		x.settle(x.tip.Number)
		want("two burns in a transaction", 30)
		x.applyIn(txOf("others"), "", move(stranger, eth.Address{}, 5), move(walletA, stranger, 1),
			transfer(onchain.ERC1155, items, "1", walletA, eth.Address{}, 3))
		x.settle(x.tip.Number)
		want("a stranger's, a transfer, and a burn of something else", 30)
		x.rewind(start)
		x.applyIn(txOf("burn"), "other", twice...)
		x.settle(x.tip.Number)
		want("the same transaction in another block", 30)
		x.applyIn(txOf("another"), "other", move(walletA, eth.Address{}, 1))
		x.settle(x.tip.Number)
		want("another transaction", 40)
		x.ok(x.index.Reset(t.Context(), indexChain))
		x.tip = onchain.Block{}
		x.apply(mints...)
		x.applyIn(txOf("burn"), "anew", twice...)
		x.applyIn(txOf("another"), "anew", move(walletA, eth.Address{}, 1))
		x.settle(x.tip.Number)
		want("a rebuilt index", 40)
	})
}

func TestBurn_ThatAReorganisationTakesBeforeItIsFinalEarnsNothing(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		start := x.apply(move(eth.Address{}, walletA, 9))
		x.applyIn(txOf("burn"), "", move(walletA, eth.Address{}, 2))
		burns, err := x.index.UnsettledBurns(t.Context(), indexChain, x.tip.Number, 10)
		x.ok(err)
		x.rewind(start)
		x.apply(mintItems(walletA, "1", 1))
		for _, b := range burns { // read before the reorganisation, settled after it
			earned, err := x.index.SettleBurn(t.Context(), indexChain, b, 0)
			x.ok(err)
			if earned {
				t.Error("a burn that is gone has earned something")
			}
		}
		x.settle(x.tip.Number)
		if got := x.fate("A"); got != 0 {
			t.Errorf("%d fate", got)
		}
	})
}

// A wallet is registered while a burn of it is being settled: the reward is its player's.
func TestBurn_OfAWalletThatIsRegisteredMeanwhileIsItsPlayers(t *testing.T) {
	t.Parallel()
	x := openIndex(t, store.PostgreSQL) // SQLite has no concurrent writers
	x.burning()
	x.apply(move(eth.Address{}, stranger, 9))
	x.apply(move(stranger, eth.Address{}, 2))
	burns, err := x.index.UnsettledBurns(t.Context(), indexChain, x.tip.Number, 10)
	x.ok(err)
	x.ok(accounts.New(x.db).SaveChallenge(t.Context(), "A",
		wallet.Challenge{Nonce: "n", Address: stranger, ExpiresAt: x.clock.Now().Add(time.Minute)}))
	lock, err := x.raw.BeginTx(t.Context(), nil)
	x.ok(err)
	defer func() { _ = lock.Rollback() }()
	_, err = lock.ExecContext(t.Context(), "UPDATE chain_cursor SET settled_log = settled_log")
	x.ok(err)
	settled, registered := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := x.index.SettleBurn(t.Context(), indexChain, burns[0], 0)
		settled <- err
	}()
	testkit.Eventually(t, time.Minute, func() bool { return x.locked() == 1 }, "the burn is not being settled")
	go func() {
		registered <- accounts.New(x.db).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: stranger}, "n", nil)
	}()
	testkit.Eventually(t, time.Minute, func() bool { return x.locked() == 2 || len(registered) == 1 }, "the wallet is not being registered")
	x.ok(lock.Rollback())
	x.ok(<-settled)
	x.ok(<-registered)
	if got := x.fate("A"); got != 20 {
		t.Errorf("%d fate, want 20", got)
	}
}

// A player breaks a bank and deletes the account. The index is rebuilt, as after a new collection, and the wallet is
// connected to another account. The burn stays rewarded once.
func TestBurn_IsNotRewardedAgainWhenItsPlayerIsDeleted(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		connect := func(player string) {
			t.Helper()
			x.ok(accounts.New(x.db).SaveChallenge(t.Context(), player, wallet.Challenge{
				Nonce: player, Address: stranger, ExpiresAt: x.clock.Now().Add(time.Minute),
			}))
			x.ok(accounts.New(x.db).KeepVerified(t.Context(), wallet.Verified{PlayerID: player, Address: stranger}, player, nil))
		}
		burn := func(branch string) {
			t.Helper()
			x.apply(move(eth.Address{}, stranger, 9))
			x.applyIn(txOf("burn"), branch, move(stranger, eth.Address{}, 2))
			x.settle(x.tip.Number)
		}
		connect("A")
		burn("")
		if got := x.fate("A"); got != 20 {
			t.Fatalf("%d fate, want 20", got)
		}
		_, err := accounts.New(x.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.clock.Now()})
		x.ok(err)
		x.ok(x.index.Reset(t.Context(), indexChain))
		x.tip = onchain.Block{}
		burn("anew")
		connect("B")
		if got := x.fate("B"); got != 0 {
			t.Errorf("the next player of the wallet has %d fate, want none", got)
		}
		unowned, err := operators.New(x.db).FindRewards(t.Context(), operator.Find{Unowned: true, Limit: 10})
		if err != nil || len(unowned) != 0 {
			t.Errorf("rewards that wait for a player: %+v, %v", unowned, err)
		}
	})
}

// If two processes bring different tables of one edition at the same time, one of them gets an error.
func TestTables_OfTwoProcessesAtOnceDoNotDiffer(t *testing.T) {
	t.Parallel()
	x := openIndex(t, store.PostgreSQL) // SQLite has no concurrent writers
	table := draw.Table{Kind: "hat", Edition: 1, Total: 1, Drops: []draw.Drop{{
		ID: "hat", Name: "A hat", Rarity: "rare", Weight: 1, Gives: []draw.Grant{{Currency: "fa", Amount: 1}},
	}}}
	other := table
	other.Token = "8"
	lock, err := x.raw.BeginTx(t.Context(), nil)
	x.ok(err)
	defer func() { _ = lock.Rollback() }()
	_, err = lock.ExecContext(t.Context(), "INSERT INTO drop_table (kind, edition, canonical, created_at) VALUES ('hat', 1, $1, 0)",
		string(other.Canonical()))
	x.ok(err)
	kept := make(chan error, 1)
	go func() { kept <- packs.Tables(t.Context(), rewards.New(x.db), draw.TablesOf([]draw.Table{table})) }()
	testkit.Eventually(t, time.Minute, func() bool { return x.locked() == 1 }, "the tables are not being kept")
	x.ok(lock.Commit())
	if err := <-kept; err == nil || !strings.Contains(err.Error(), "can never change") {
		t.Errorf("%v, want that the edition was known otherwise", err)
	}
}

// locked returns how many connections to the PostgreSQL database wait for a lock.
func (x *indexed) locked() (n int) {
	x.t.Helper()
	x.ok(x.raw.QueryRowContext(x.t.Context(),
		"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n))
	return n
}

// Each copy of a burned pack is an opening of its own. Copies are numbered through the entries of a log, and openings
// have their places in chain order.
func TestBurn_OfPacksIsOneOpeningForEachCopy(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		x.apply(mintChests(walletA, "1", 2000), mintChests(walletA, "3", 9))
		// One log with two entries.
		batch := batchAfter(x.tip, x.clock.Now().Add(time.Second), "", burnChests(walletA, "1", 2), burnChests(walletA, "3", 1))
		batch.Transfers[1].Position = batch.Transfers[0].Position
		batch.Transfers[1].Sub = 1
		x.ok(x.index.ApplyBatch(t.Context(), batch))
		x.tip = batch.Blocks[0]
		x.applyIn(txOf("many"), "", burnChests(walletA, "1", 1100))
		x.settle(x.tip.Number)
		waiting, err := rewards.New(x.db).WaitingOpenings(t.Context(), 2000)
		x.ok(err)
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
		if want := fmt.Sprintf("%d-%s-0-0", indexChain, batch.Transfers[0].Tx); first.ID != want || first.Kind != "general" ||
			first.Edition != 1 || first.Wallet != walletA || first.TokenID != "1" || first.Block != batch.To {
			t.Errorf("%+v, want %s", first, want)
		}
		if want := (draw.Schedule{
			Genesis: indexStart.Truncate(time.Second), Period: 3 * time.Second,
		}).RoundAfter(first.At, 0); first.Round != want || want < 3 {
			t.Errorf("round %d, want %d", first.Round, want)
		}
		if third := waiting[2]; third.Kind != "god" || third.ID != strings.TrimSuffix(first.ID, "0")+"2" {
			t.Errorf("the second entry: %+v", third)
		}
		if last := waiting[len(waiting)-1]; !strings.HasSuffix(last.ID, "-0-1099") {
			t.Errorf("the last copy is %s", last.ID)
		}
		if x.settle(x.tip.Number) != 0 {
			t.Error("settled again")
		}
	})
}

// A reorganisation of the very block whose burns are settled puts another burn before them.
func TestBurn_EarlierInAReorganisedBlockIsSettled(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		start := x.apply(move(eth.Address{}, walletA, 9))
		x.apply(move(walletA, stranger, 1), move(walletA, eth.Address{}, 1))
		x.settle(x.tip.Number)
		x.rewind(start)
		x.applyIn(txOf("other"), "other", move(walletA, eth.Address{}, 2), move(walletA, stranger, 1))
		x.settle(x.tip.Number)
		if got := x.fate("A"); got != 10+20 {
			t.Errorf("%d fate, want 30", got)
		}
	})
}

// A portal that takes over a chain with a history rewards no burns before its first block of rewards: not in the first
// index, not after a reorganisation, and not in a rebuilt index.
// Spec: BURN-5
func TestBurn_BeforeTheFirstBlockOfRewardsEarnsNothing(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		resume := func(sources string) {
			t.Helper()
			_, _, err := x.index.Resume(t.Context(), indexChain, sources)
			x.ok(err)
		}
		read := func() {
			t.Helper()
			x.tip = onchain.Block{}
			x.apply(move(eth.Address{}, walletA, 9), mintChests(walletA, "1", 9))
			x.applyIn(txOf("old"), "", move(walletA, eth.Address{}, 1), burnChests(walletA, "1", 1))
			x.applyIn(txOf("new"), "", move(walletA, eth.Address{}, 2), move(walletA, eth.Address{}, 3))
		}
		want := func(what string, settled int, fate int64) {
			t.Helper()
			if got := x.settle(x.tip.Number); got != settled {
				t.Errorf("%s: %d burns are settled, want %d", what, got, settled)
			}
			waiting, err := rewards.New(x.db).WaitingOpenings(t.Context(), 10)
			x.ok(err)
			if got := x.fate("A"); got != fate || len(waiting) != 0 {
				t.Errorf("%s: %d fate and %d openings, want %d and none", what, got, len(waiting), fate)
			}
			burns, err := rewards.New(x.db).UnsettledBurnsOf(t.Context(), []eth.Address{walletA}, 10)
			x.ok(err)
			if len(burns) != 0 {
				t.Errorf("%s: %d burns are shown to wait", what, len(burns))
			}
		}
		x.burning(3)
		resume("sources")
		read()
		old, err := x.index.Blocks(t.Context(), indexChain)
		x.ok(err)
		want("as read", 2, 50)
		x.rewind(old[0])
		x.applyIn(txOf("old"), "other", move(walletA, eth.Address{}, 1), burnChests(walletA, "1", 1))
		x.applyIn(txOf("other"), "other", move(walletA, eth.Address{}, 1))
		want("after a reorganisation", 1, 60)
		x.ok(x.index.Reset(t.Context(), indexChain))
		read()
		want("a rebuilt index", 2, 60)
		resume("other sources")
		read()
		want("read from other sources", 2, 60)
	})
}

// The first block of rewards is set while burns before it wait: they are skipped, even by a settler that runs before the
// index resumes.
// Spec: BURN-5
func TestBurn_ThatWaitsIsSkippedWhenRewardsBeginLater(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.burning()
		x.apply(move(eth.Address{}, walletA, 9))
		x.applyIn(txOf("old"), "", move(walletA, eth.Address{}, 1))
		burns, err := x.index.UnsettledBurns(t.Context(), indexChain, x.tip.Number, 10)
		x.ok(err)
		x.burning(3)
		for _, b := range burns {
			if earned, err := x.index.SettleBurn(t.Context(), indexChain, b, 0); earned || err != nil {
				t.Errorf("earned %v, %v", earned, err)
			}
		}
		_, _, err = x.index.Resume(t.Context(), indexChain, "sources")
		x.ok(err)
		if got := x.settle(x.tip.Number); got != 0 || x.fate("A") != 0 {
			t.Errorf("%d burns are settled", got)
		}
	})
}

// Burns on both sides of a tariff's beginning are settled long after it.
// Spec: BURN-1, BURN-4
func TestBurn_IsPaidByTheTariffInForceAtItsBlock(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		text := fmt.Sprintf(`piggyBanks:
  - {version: 1, from: 2020-01-01T00:00:00Z, kinds: [{collection: relics, token: "1", fate: 10}]}
  - {version: 2, from: %s, kinds: [{collection: relics, token: "1", fate: 1000}]}
`, x.clock.Now().Truncate(time.Second).Add(3*time.Second).UTC().Format(time.RFC3339))
		tariffs, err := burn.Parse("rules.yaml", []byte(text), func(collections.Burn, string, string) error { return nil })
		x.ok(err)
		x.index = index.New(x.db, index.Options{
			Describer: plainArt{}, Chains: map[onchain.ChainID]index.ChainRules{indexChain: {Rules: projection.Rules{
				Burns: map[eth.Address]func(projection.Burn) projection.Earned{
					relics: burn.Burned(func() burn.Tariffs { return tariffs }, collections.BreakPiggy, "relics"),
				},
			}}},
		})
		x.apply(move(eth.Address{}, walletA, 9))
		x.apply(move(walletA, eth.Address{}, 2)) // a second before version 2
		x.apply(move(walletA, eth.Address{}, 3)) // in its first second
		x.clock.Advance(time.Hour)
		if got := x.settle(x.tip.Number); got != 2 {
			t.Fatalf("%d burns are settled", got)
		}
		if got := x.fate("A"); got != 2*10+3*1000 {
			t.Errorf("%d fate, want 3020", got)
		}
	})
}

func burnChests(from eth.Address, id string, n int64) onchain.Transfer {
	return transfer(onchain.ERC1155, chests, id, from, eth.Address{}, n)
}
