package indexer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
)

// openItems makes burns of items openings, by a beacon with a round each second.
func (b *bazaar) openItems(x *indexed) {
	x.Index = index.New(x.db, index.Options{
		Describer: noArt{}, Rounds: draw.Schedule{Genesis: time.Unix(1_700_000_000, 0), Period: time.Second},
		Chains: map[onchain.ChainID]index.ChainRules{devnettest.GameChain: {Marketplace: b.at.Marketplace, Rules: projection.Rules{
			Burns: map[eth.Address]func(projection.Burn) projection.Earned{
				b.at.Collections["game-items"]: func(projection.Burn) projection.Earned {
					return projection.Earned{Origin: "pack", Opens: &projection.Pack{Kind: "general", Edition: 1}, Detail: struct{}{}}
				},
			},
		}}},
	})
}

func (b *bazaar) burnItems(r *rand.Rand) *types.Transaction {
	one := devnet.Seller(1)
	return b.act(one, b.at.Collections["game-items"], many.PackBurn(addressOf(one), big.NewInt(1+r.Int64N(2)), big.NewInt(1+r.Int64N(3))))
}

// rewarder returns a rewarder of the index for whom blocks are final after the given number of others.
func (b *bazaar) rewarder(x *indexed, finality uint64) *indexer.Rewarder {
	return &indexer.Rewarder{
		Chain: devnettest.GameChain, RPC: b.chain.Client(), Store: x.Index, Finality: indexer.Finality{Blocks: finality},
		Poll: time.Millisecond, Earned: func() {},
	}
}

// rewardAll rewards until nothing is left. A receipt may be missing for a moment after a reorganisation.
func rewardAll(t *testing.T, s *indexer.Rewarder) {
	t.Helper()
	for failed := 0; ; {
		more, err := s.Step(t.Context())
		if err != nil {
			if failed++; failed > 1000 {
				t.Fatal(err)
			}
			continue
		}
		if !more {
			return
		}
	}
}

const openingRows = "SELECT id, wallet, tx_hash, log_index, number, block_time, round, place FROM opening ORDER BY place"

// Burns are rewarded 12 blocks after they are mined, while 1 to 12 blocks are reorganised in between: nothing is opened for
// a burn that is not on the chain in the end, and one that has moved is opened once, with the round of where it ended.
func TestBurn_ReorganisationsBeforeFinalityLeaveOnlyWhatHappened(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		r := rand.New(rand.NewPCG(11, 2026))
		x := b.index(engine)
		b.openItems(x)
		_, stop := follow(t, b.options(x))
		b.stock()
		s := b.rewarder(x, 12)
		names := []string{"rivals", "nothing", "all at the end", "the same"}
		for depth := 1; depth <= 12; depth++ {
			for range depth {
				var sent []*types.Transaction
				for range r.IntN(3) {
					sent = append(sent, b.burnItems(r))
				}
				b.mineAny(sent...)
			}
			x.await(b.chain.Head())
			rewardAll(t, s)
			b.ok(b.chain.Reorg(t.Context(), depth, b.branches()[names[depth%len(names)]](depth)))
			_, _ = s.Step(t.Context()) // before or after the index has noticed
			x.await(b.chain.Head())
			rewardAll(t, s)
			_, err := b.chain.Mine(t.Context())
			b.ok(err)
		}
		for range 13 {
			_, err := b.chain.Mine(t.Context())
			b.ok(err)
		}
		x.await(b.chain.Head())
		rewardAll(t, s)
		stop()

		fresh := b.index(engine)
		b.openItems(fresh)
		_, stop = follow(t, b.options(fresh))
		fresh.await(b.chain.Head())
		stop()
		rewardAll(t, b.rewarder(fresh, 0))
		got, want := x.rows(openingRows), fresh.rows(openingRows)
		if len(want) < 10 || !slices.Equal(got, want) {
			t.Errorf("%d openings\n%q\nwant %d, as the chain has them\n%q", len(got), got, len(want), want)
		}
		if rewards := x.rows("SELECT COUNT(*) FROM reward"); rewards[0] != fmt.Sprint(len(want)) {
			t.Errorf("%s rewards for %d openings", rewards[0], len(want))
		}
	})
}

// receipts is an endpoint whose receipts can be changed.
type receipts struct {
	indexer.Caller
	change func(receipt map[string]any) any
}

func (c receipts) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method != "eth_getTransactionReceipt" {
		return c.Caller.CallContext(ctx, result, method, args...)
	}
	var receipt map[string]any
	if err := c.Caller.CallContext(ctx, &receipt, method, args...); err != nil {
		return err
	}
	text, err := json.Marshal(c.change(receipt))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// A burn is rewarded only where endpoint and index agree on its block and log; else it waits.
func TestBurn_WaitsWhileTheEndpointDoesNotHaveIt(t *testing.T) {
	t.Parallel()
	b := openBazaar(t)
	x := b.index(store.SQLite)
	b.openItems(x)
	_, _ = follow(t, b.options(x))
	b.stock()
	b.mine(b.burnItems(rand.New(rand.NewPCG(1, 2))))
	x.await(b.chain.Head())
	s := b.rewarder(x, 0)
	for what, change := range map[string]func(map[string]any) any{
		"no receipt":    func(map[string]any) any { return nil },
		"another block": func(r map[string]any) any { r["blockHash"] = eth.Hash{1}.String(); return r },
		"no logs":       func(r map[string]any) any { r["logs"] = []any{}; return r },
	} {
		s.RPC = receipts{b.chain.Client(), change}
		if _, err := s.Step(t.Context()); err == nil || len(x.rows(openingRows)) > 0 {
			t.Errorf("%s: %v, %d openings", what, err, len(x.rows(openingRows)))
		}
	}
	s.RPC = b.chain.Client()
	rewardAll(t, s)
	if len(x.rows(openingRows)) == 0 {
		t.Error("not rewarded in the end")
	}
}

// The index of a log counts within its transaction, not within the block.
func TestBurn_LogsAreCountedWithinTheirTransaction(t *testing.T) {
	t.Parallel()
	b := openBazaar(t)
	x := b.index(store.SQLite)
	b.openItems(x)
	_, _ = follow(t, b.options(x))
	b.stock()
	one := devnet.Seller(1)
	other := b.act(devnet.Seller(2), b.at.USDC, coins.PackTransfer(addressOf(one), big.NewInt(1)))
	batch := b.act(one, b.at.Collections["game-items"],
		many.PackBurnBatch(addressOf(one), []*big.Int{big.NewInt(1), big.NewInt(2)}, []*big.Int{big.NewInt(2), big.NewInt(1)}))
	b.mine(other, batch)
	x.await(b.chain.Head())
	rewardAll(t, b.rewarder(x, 0))
	rows := x.rows("SELECT id FROM opening ORDER BY place")
	var want []string
	for number := range 3 {
		want = append(want, fmt.Sprintf("%d-%s-0-%d", devnettest.GameChain, eth.Hash(batch.Hash()), number))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("openings %q, want %q", rows, want)
	}
}

func TestFinality_IsANumberOfBlocksOrFinalized(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]indexer.Finality{"": {}, "0": {}, "12": {Blocks: 12}, "finalized": {Finalized: true}} {
		if got, err := indexer.ParseFinality(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"latest", "-1", "1.5", "12 blocks"} {
		if _, err := indexer.ParseFinality(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// burnStore has one burn in block 7, and rewards nothing.
type burnStore struct{ asked []uint64 }

func (s *burnStore) Indexed(context.Context, onchain.ChainID) (uint64, bool, error) {
	return 10, true, nil
}

func (s *burnStore) UnsettledBurns(_ context.Context, _ onchain.ChainID, upTo uint64, _ int) ([]onchain.Burn, error) {
	s.asked = append(s.asked, upTo)
	return nil, nil
}

func (s *burnStore) SettleBurn(context.Context, onchain.ChainID, onchain.Burn, uint64) (bool, error) {
	return false, errors.New("nothing to reward")
}

// headers is an endpoint that has one finalized block.
type headers struct{ finalized uint64 }

func (h headers) CallContext(_ context.Context, result any, method string, args ...any) error {
	if method != "eth_getBlockByNumber" || args[0] != "finalized" {
		return fmt.Errorf("%s %v is not expected", method, args)
	}
	return json.Unmarshal(fmt.Appendf(nil, `{"number":"0x%x"}`, h.finalized), result)
}

func TestFinality_IsTheSmallerOfIndexAndChain(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		finality indexer.Finality
		chain    uint64
		want     []uint64
	}{
		"none":                         {indexer.Finality{}, 0, []uint64{10}},
		"blocks":                       {indexer.Finality{Blocks: 4}, 0, []uint64{6}},
		"more blocks than there are":   {indexer.Finality{Blocks: 11}, 0, nil},
		"finalized":                    {indexer.Finality{Finalized: true}, 8, []uint64{8}},
		"finalized ahead of the index": {indexer.Finality{Finalized: true}, 12, []uint64{10}},
	} {
		s := &burnStore{}
		_, err := (&indexer.Rewarder{Chain: 1, RPC: headers{c.chain}, Store: s, Finality: c.finality}).Step(t.Context())
		if err != nil || !slices.Equal(s.asked, c.want) {
			t.Errorf("%s: rewarded up to %v, want %v; %v", what, s.asked, c.want, err)
		}
	}
}

// answers is an endpoint that always answers the same.
type answers struct {
	text string
	err  error
}

func (a answers) CallContext(_ context.Context, result any, _ string, _ ...any) error {
	if a.err != nil {
		return a.err
	}
	return json.Unmarshal([]byte(a.text), result)
}

func TestFinality_EndpointWithoutFinalizedBlocksIsReportedWithTheSetting(t *testing.T) {
	t.Parallel()
	for what, endpoint := range map[string]answers{
		"an unknown tag": {err: refusal("invalid argument 0: hex string without 0x prefix")}, "no block": {text: "null"},
	} {
		if _, err := indexer.Finalized(t.Context(), endpoint, "MAIN_CHAIN_FINALITY"); err == nil ||
			!strings.Contains(err.Error(), "set MAIN_CHAIN_FINALITY to a number of blocks") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := indexer.Finalized(t.Context(), answers{text: `{"number":"0x7"}`}, ""); err != nil || n != 7 {
		t.Errorf("%d, %v", n, err)
	}
	away := errors.New("connection refused")
	if _, err := indexer.Finalized(t.Context(), answers{err: away}, "MAIN_CHAIN_FINALITY"); !errors.Is(err, away) ||
		strings.Contains(err.Error(), "FINALITY") {
		t.Errorf("an endpoint that is away: %v", err)
	}
}

// delayed is an endpoint of a chain of Arbitrum: each block after the given number has read one more message of the delayed inbox.
type delayed struct {
	indexer.Caller
	after uint64
}

func (c delayed) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method != "eth_getBlockByHash" {
		return c.Caller.CallContext(ctx, result, method, args...)
	}
	var header map[string]any
	if err := c.Caller.CallContext(ctx, &header, method, args...); err != nil {
		return err
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(fmt.Sprint(header["number"]), "0x"), 16, 64)
	if err != nil {
		return err
	}
	header["nonce"] = fmt.Sprintf("0x%016x", 7+max(number, c.after)-c.after)
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// A burn that came through the delayed inbox carries an earlier time than that at which it was made, so its round lies a day later.
// All others have the margin of the chain.
// Spec: DRAW-12
func TestBurn_OfADelayedBlockIsDrawnADayLater(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		r := rand.New(rand.NewPCG(3, 2026))
		x := b.index(engine)
		b.openItems(x)
		_, stop := follow(t, b.options(x))
		b.stock()
		b.mine(b.burnItems(r))
		first := b.chain.Head().Number
		b.mine(b.burnItems(r))
		x.await(b.chain.Head())
		stop()
		s := b.rewarder(x, 0)
		s.RPC, s.Margin, s.DelayedInbox = delayed{b.chain.Client(), first}, 20*time.Second, true
		rewardAll(t, s)
		margins := map[string]bool{}
		for _, row := range x.rows("SELECT block_number, margin, round - block_time / 1000 + 1700000000 FROM opening ORDER BY place") {
			margins[row] = true
		}
		// The first round is at the genesis, and rounds are a second apart: two periods and the margin after the block.
		want := map[string]bool{fmt.Sprintf("%d 20 23", first): true, fmt.Sprintf("%d 86400 86403", first+1): true}
		if !maps.Equal(margins, want) {
			t.Errorf("block, margin and rounds after the block: %v, want %v", margins, want)
		}
	})
}
