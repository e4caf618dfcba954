package moves_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/moves"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const newChain onchain.ChainID = 4243

var (
	newItems   = eth.MustAddress("0x00000000000000000000000000000000000f1155")
	newAvatars = eth.MustAddress("0x00000000000000000000000000000000000f0721")
	newUSDC    = eth.MustAddress("0x00000000000000000000000000000000000f00c0")
	factory    = eth.MustAddress("0x00000000000000000000000000000000000fac70")
)

// chain is the chain of an index, as its node shows it.
type chain struct {
	x         *storetest.Indexed
	final     uint64
	hash      *eth.Hash // of each block, if set
	wrong     []string
	contracts []eth.Address
}

func (c *chain) Head(context.Context) (onchain.Block, error) { return c.x.Tip, nil }

func (c *chain) Final(context.Context) (uint64, bool, error) { return c.final, c.final > 0, nil }

func (c *chain) HashOf(ctx context.Context, number uint64) (eth.Hash, error) {
	if c.hash != nil {
		return *c.hash, nil
	}
	blocks, err := c.x.Index.Blocks(ctx, storetest.Chain)
	for _, b := range blocks {
		if b.Number == number {
			return b.Hash, err
		}
	}
	return eth.Hash{}, err
}

func (c *chain) Read(ctx context.Context) (uint64, bool, error) {
	return c.x.Index.Complete(ctx, storetest.Chain)
}

func (c *chain) Compare(context.Context, uint64, []move.Holding, []move.Supply) ([]string, error) {
	return c.wrong, nil
}

func (c *chain) CapOf(context.Context, eth.Address) (money.Units, bool, error) {
	return money.FromInt(1_000), true, nil
}

func (c *chain) Contracts(_ context.Context, _ uint64, among []eth.Address) (out []eth.Address, err error) {
	for _, a := range among {
		for _, contract := range c.contracts {
			if a == contract {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// moving is a chain that moves.
type moving struct {
	*storetest.Indexed
	store   moves.Store
	chain   *chain
	service *move.Service
}

// freeze freezes the index's chain.
func freeze(x *storetest.Indexed) *moving {
	x.T.Helper()
	m := &moving{Indexed: x, store: moves.New(x.DB), chain: &chain{x: x}}
	m.service = move.NewService(move.Options{
		Store: m.store, Clock: x.Clock, Chains: map[onchain.ChainID]move.Chain{storetest.Chain: m.chain, newChain: m.chain},
		Tokens: map[onchain.ChainID][]move.Token{storetest.Chain: {
			{Contract: storetest.Items, Standard: onchain.ERC1155, Collection: "game-items"},
			{Contract: storetest.Avatars, Standard: onchain.ERC721, Collection: "avatars"},
		}},
		Own: []eth.Address{storetest.Seller}, Wake: func() {},
	})
	m.write(func(ctx context.Context, tx *store.Tx) error {
		return moves.Begin(ctx, tx, move.Move{
			From: storetest.Chain, FrozenAt: x.Clock.Now(), Factory: factory, Currency: storetest.USDC,
		})
	})
	return m
}

func (m *moving) write(fn func(context.Context, *store.Tx) error) {
	m.T.Helper()
	m.OK(m.DB.Write(m.T.Context(), fn))
}

// now returns the move as it stands after a step.
func (m *moving) now() move.Move {
	m.T.Helper()
	m.OK(m.service.Step(m.T.Context()))
	all, err := m.store.Moves(m.T.Context())
	m.OK(err)
	if len(all) != 1 {
		m.T.Fatalf("there are %d moves", len(all))
	}
	return all[0]
}

// waits fails the test unless the snapshot waits for something.
func (m *moving) waits(want string) {
	m.T.Helper()
	if now := m.now(); now.State != move.Frozen || now.Waits != want {
		m.T.Errorf("%s, %q; want %q", now.State, now.Waits, want)
	}
}

// snapshot takes the snapshot at the tip.
func (m *moving) snapshot() move.Move {
	m.T.Helper()
	m.Clock.Advance(time.Minute)
	m.chain.final = m.Tip.Number
	now := m.now()
	if now.State != move.Snapshotted {
		m.T.Fatalf("%s, waits for %q", now.State, now.Waits)
	}
	return now
}

// finish lets the portal move to the new chain.
func (m *moving) finish(now move.Move) error {
	return m.DB.Write(m.T.Context(), func(ctx context.Context, tx *store.Tx) error {
		if err := moves.CheckSettled(ctx, tx, now); err != nil {
			return err
		}
		return moves.Finish(ctx, tx, now, newChain, map[eth.Address]eth.Address{
			storetest.Items: newItems, storetest.Avatars: newAvatars, storetest.USDC: newUSDC,
		}, m.Clock.Now())
	})
}

// text returns the snapshot's text.
func (m *moving) text() string {
	m.T.Helper()
	text, err := m.service.Text(m.T.Context(), storetest.Chain, 1)
	m.OK(err)
	return string(text)
}

// Spec: RUN-33
func TestSnapshot_IsOfItsBlockThoughTheIndexHasReadFurther(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "10", 5), storetest.MintItems(storetest.WalletA, "9", 1),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "7", eth.Address{}, storetest.WalletB, 1),
			storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletB, 900),
			onchain.SupplyCap{Contract: storetest.Items, TokenID: "10", Max: money.FromInt(50)})
		at := x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "10", 2),
			storetest.MoveItems(storetest.WalletA, eth.Address{}, "10", 1))
		m := freeze(x)
		m.chain.final = 1
		m.waits("waits for 30 s until all replicas know of it")
		x.Clock.Advance(30 * time.Second)
		m.waits("waits for block 2 to be final; the last final one is 1")
		// What moves later is not the portal's, and not in the snapshot.
		x.Apply(storetest.MoveItems(storetest.WalletB, storetest.Stranger, "10", 2), storetest.MintItems(storetest.WalletB, "11", 3),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "7", storetest.WalletB, storetest.Stranger, 1))
		m.chain.final = 2
		m.waits("waits for 1 burns to be rewarded")
		x.Exec("UPDATE chain_cursor SET settled_block = 100")
		now := m.now()
		want := fmt.Sprintf("holdings snapshot 1\nchain 1337042\nblock 2 %s\n", at.Hash) +
			"0x0000000000000000000000000000000000000721 7 0x000000000000000000000000000000000000bbbb 1\n" +
			"0x0000000000000000000000000000000000001155 9 0x000000000000000000000000000000000000aaaa 1\n" +
			"0x0000000000000000000000000000000000001155 10 0x000000000000000000000000000000000000aaaa 2\n" +
			"0x0000000000000000000000000000000000001155 10 0x000000000000000000000000000000000000bbbb 2\n"
		sum := sha256.Sum256([]byte(want))
		if now.State != move.Snapshotted || now.Holdings != 4 || now.Hash != hex.EncodeToString(sum[:]) || now.Waits != "" {
			t.Errorf("%+v", now)
		}
		if text := m.text(); text != want {
			t.Errorf("the snapshot is\n%s\nwant\n%s", text, want)
		}
		supplies, err := m.store.Supplies(t.Context(), storetest.Chain)
		x.OK(err)
		for _, s := range supplies {
			got := fmt.Sprintf("%s %s minted %s burned %s", s.Collection, s.TokenID, s.Minted, s.Burned)
			if s.Cap != nil {
				got += " cap " + s.Cap.String()
			}
			if !strings.Contains("avatars  minted 1 burned 0, game-items 9 minted 1 burned 0, game-items 10 minted 5 burned 1 cap 50", got) {
				t.Errorf("%s", got)
			}
		}
		if len(supplies) != 3 {
			t.Errorf("%d supplies, want 3", len(supplies))
		}
	})
}

func TestSnapshot_WaitsForWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		x.Clock.Advance(time.Minute)
		m.chain.final = 9
		x.Exec(fmt.Sprintf(`INSERT INTO gas_transaction (id, chain_id, sender, target, value, data, gas_limit, state, created_at, updated_at)
			VALUES ('mint', 1337042, '%s', '%s', '0', '0x', 0, 'pending', 1, 1)`, storetest.Seller, storetest.Items))
		m.waits("waits for 0 operations of players and 1 transactions of the portal that are on their way")
	})
}

func TestSnapshot_ReplacedBlockIsChosenAgain(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		x.Clock.Advance(time.Minute)
		m.waits("waits for block 1 to be final; the last final one is 0")
		m.chain.final, m.chain.hash = 1, &eth.Hash{1}
		m.waits("waits for another block, as block 1 was replaced")
		m.chain.hash = nil
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m.chain.final = 2
		if now := m.now(); now.State != move.Snapshotted || now.Block.Number != 2 {
			t.Errorf("%+v", now)
		}
	})
}

func TestSnapshot_ThatDisagreesWithTheChainIsNotTaken(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		x.Clock.Advance(time.Minute)
		m.chain.final, m.chain.wrong = 1, []string{"0x1155/1 of 0xaaaa: the chain has 4, the index 5"}
		m.waits("waits for the index to agree with the chain: run `pantheon index rebuild`. 0x1155/1 of 0xaaaa: the chain has 4, the index 5. " +
			"0x1155/1 of 0xaaaa: the chain has 4, the index 5.")
		m.chain.wrong = nil
		x.Exec("UPDATE supply SET minted = '6'")
		x.Clock.Advance(30 * time.Second)
		m.waits("waits for an index that is right: of token 1 of 0x0000000000000000000000000000000000001155 there are 6, and owners have 5; " +
			"run `pantheon index rebuild`")
		x.Exec("UPDATE supply SET minted = '5'")
		x.Clock.Advance(30 * time.Second)
		if now := m.now(); now.State != move.Snapshotted {
			t.Errorf("%+v", now)
		}
	})
}

// Spec: RUN-34
func TestClaim_EachHoldingIsClaimedOnce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		vault, safe := eth.Address{19: 0x5a}, eth.Address{19: 0x5b}
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5), storetest.MintItems(storetest.WalletA, "2", 1),
			storetest.MintItems(storetest.WalletB, "1", 7), storetest.MintItems(storetest.Seller, "3", 9),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "7", eth.Address{}, vault, 1),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "8", eth.Address{}, safe, 1))
		verify := func(player string, wallet eth.Address, on onchain.ChainID) {
			x.OK(x.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.InsertVerifiedWallet(ctx, gen.InsertVerifiedWalletParams{
					PlayerID: player, Address: wallet, ChainID: on, VerifiedAt: column.At(x.Clock.Now()),
				})
				return err
			}))
		}
		x.Exec("UPDATE wallet SET stored_at = 1")
		verify("A", safe, storetest.Chain) // before the freeze
		x.Clock.Advance(time.Second)
		m := freeze(x)
		m.chain.contracts = []eth.Address{vault, safe, storetest.WalletA}
		now := m.snapshot()
		if n, err := m.service.Claim(t.Context(), "A", storetest.Chain); n != 0 || !fault.Is(err, fault.NotFound) {
			t.Errorf("claimed %d before the portal has moved: %v", n, err)
		}
		x.OK(m.finish(now))
		verify("B", vault, newChain) // only there, where it may be another's contract
		var claimed atomic.Int64
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				n, err := m.service.Claim(t.Context(), "A", storetest.Chain)
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Error(err)
				}
				claimed.Add(int64(n))
			})
		}
		group.Wait()
		if claimed.Load() != 3 {
			t.Errorf("A claimed %d, want 3", claimed.Load())
		}
		if n, err := m.service.Claim(t.Context(), "B", storetest.Chain); n != 1 || err != nil {
			t.Errorf("B claimed %d, %v; want 1", n, err)
		}
		if _, err := m.service.Claim(t.Context(), "C", storetest.Chain); fault.As(err) == nil || fault.As(err).Reason != "no-wallet" {
			t.Errorf("a player without a wallet: %v", err)
		}
		held, err := m.service.HeldBy(t.Context(), "B", storetest.Chain)
		x.OK(err)
		if len(held) != 2 || held[0].State != reward.Drawn || held[0].Foreign || held[1].State != "" || !held[1].Foreign {
			t.Errorf("B held %+v", held)
		}
		m.now() // a round of the leader, which claims for the portal's own wallets
		x.Exec("UPDATE verified_wallet SET verified_at = 1 WHERE player_id = 'B'")
		if n, err := m.service.Claim(t.Context(), "B", storetest.Chain); n != 0 || err != nil {
			t.Errorf("B claimed %d of a contract proven on another chain, %v", n, err)
		}
		grants := map[string]string{}
		due, err := rewards.New(x.DB).DueGrants(t.Context(), reward.Due{State: reward.Pending, By: x.Clock.Now(), Limit: 100})
		x.OK(err)
		for _, g := range due {
			grants[g.Source] = g.PlayerID + " " + g.Detail
		}
		mint := func(contract eth.Address, standard, id, amount string, to eth.Address) string {
			return fmt.Sprintf(`{"chain":4243,"contract":"%s","standard":"%s","tokenId":"%s","amount":"%s","to":"%s"}`, contract.Checksum(),
				standard, id, amount, to.Checksum())
		}
		want := map[string]string{
			"move/1337042/2": "A " + mint(newAvatars, "erc721", "8", "1", eth.Address{}),
			"move/1337042/3": "A " + mint(newItems, "erc1155", "1", "5", eth.Address{}),
			"move/1337042/4": "B " + mint(newItems, "erc1155", "1", "7", eth.Address{}),
			"move/1337042/5": "A " + mint(newItems, "erc1155", "2", "1", eth.Address{}),
			"move/1337042/6": " " + mint(newItems, "erc1155", "3", "9", storetest.Seller),
		}
		for source, is := range grants {
			if !strings.EqualFold(is, want[source]) {
				t.Errorf("%s gives %q, want %q", source, is, want[source])
			}
		}
		if len(grants) != len(want) {
			t.Errorf("%d grants, want %d: %v", len(grants), len(want), grants)
		}
	})
}

// What was owed is given on the new chain, listings there end, and the old index goes.
// Spec: RUN-33
func TestFinish_OwedTokensAreGivenOnTheNewChain(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		testkit.List(t, x.DB, testkit.Offer{Number: "5", Seller: storetest.WalletA, Status: market.Active})
		owed := reward.Mint{Chain: storetest.Chain, Contract: storetest.Items, Standard: onchain.ERC1155, TokenID: "1", Amount: money.FromInt(2)}
		for _, source := range []string{"pending", "sending", "sent", "failed"} {
			x.OK(rewards.New(x.DB).AddReward(t.Context(), reward.Reward{
				Source: source, Origin: reward.FromGift, PlayerID: "A", Grants: []reward.Content{owed.Content()},
			}, x.Clock.Now()))
		}
		later := owed.Content()
		later.NotBefore = x.Clock.Now().Add(24 * time.Hour)
		x.OK(rewards.New(x.DB).AddReward(t.Context(), reward.Reward{
			Source: "later", Origin: reward.FromWebstore, PlayerID: "A", Grants: []reward.Content{later},
		}, x.Clock.Now()))
		x.Exec("UPDATE reward_grant SET state = 'sending' WHERE source IN ('sending', 'sent')")
		x.Exec("UPDATE reward_grant SET state = 'failed' WHERE source = 'failed'")
		x.Exec(`INSERT INTO gas_transaction
			(id, chain_id, sender, target, value, data, gas_limit, state, block_hash, block_number, created_at, updated_at)
			VALUES ('sent', 1337042, '0x00000000000000000000000000000000000000a1', '0x0000000000000000000000000000000000001155', '0', '0x', 0,
			'mined',
			'` + storetest.TxOf("block").String() + `', 1, 1, 1)`)
		x.Exec("INSERT INTO vault_claim (season, contract, token_id, source, claimed_at) " +
			"VALUES ('dawn', '0x0000000000000000000000000000000000000721', '7', 's', 1)")
		m := freeze(x)
		now := m.snapshot()
		x.OK(m.finish(now))
		states := map[string]string{"pending": "pending", "sending": "pending", "sent": "sending", "failed": "failed"}
		for source, want := range states {
			var state, detail string
			x.OK(x.Raw.QueryRowContext(t.Context(), "SELECT state, detail FROM reward_grant WHERE source = '"+source+"'").Scan(&state, &detail))
			if state != want || !strings.Contains(detail, `"chain":4243`) || !strings.Contains(strings.ToLower(detail), newItems.String()) {
				t.Errorf("%s is %s, %s", source, state, detail)
			}
		}
		due, err := rewards.New(x.DB).DueGrants(t.Context(), reward.Due{State: reward.Pending, By: x.Clock.Now(), Limit: 100})
		x.OK(err)
		if len(due) != 2 {
			t.Errorf("%d grants are due, want those that were pending or not sent: %+v", len(due), due)
		}
		for _, table := range []string{"holding", "supply", "listing", "token_transfer", "chain_cursor", "chain_block"} {
			var n int
			x.OK(x.Raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table+" WHERE chain_id = 1337042").Scan(&n))
			if n != 0 {
				t.Errorf("%s has %d rows of the old chain", table, n)
			}
		}
		var contract, kind string
		x.OK(x.Raw.QueryRowContext(t.Context(), "SELECT contract FROM vault_claim").Scan(&contract))
		x.OK(x.Raw.QueryRowContext(t.Context(), "SELECT kind FROM notification WHERE player_id = 'A'").Scan(&kind))
		if contract != newAvatars.String() || kind != "moved" {
			t.Errorf("the vault's god is of %s, the seller's notification is %s", contract, kind)
		}
		if err := m.finish(now); !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
			t.Errorf("finished twice: %v", err)
		}
		cancelled := x.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return moves.Cancel(ctx, tx, storetest.Chain) })
		if f := fault.As(cancelled); f == nil || f.Message != "Chain 1337042 is moved." {
			t.Errorf("cancelled afterwards: %v", cancelled)
		}
	})
}

// Packs that were opened before the move are drawn by the table that was fixed on the old chain, later ones by that of the new one.
// Spec: RUN-33
func TestFinish_OpenedPacksKeepTheirDropTables(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		table := draw.Table{Kind: "general", Edition: 1, Token: "1"}
		fixed := x.Apply(onchain.FixedTable{Contract: storetest.Items, TokenID: "1", Hash: table.Hash()},
			storetest.MintItems(storetest.WalletA, "1", 5))
		opened := packs.Opening{
			BurnedPack: packs.BurnedPack{Block: fixed.Number}, At: fixed.Time, Origin: draw.Burn{Chain: storetest.Chain},
		}
		x.Clock.Advance(time.Hour)
		m := freeze(x)
		x.OK(m.finish(m.snapshot()))
		place := func(o packs.Opening) packs.Fixed {
			t.Helper()
			tables, err := packs.NewRegistry(rewards.New(x.DB), newChain, newItems).Tables(t.Context())
			x.OK(err)
			at, ok, err := tables.For(o, table)
			if !ok || err != nil {
				t.Fatalf("the table is not fixed: %v", err)
			}
			return at
		}
		if at := place(opened); at.Chain != storetest.Chain || at.Address != storetest.Items || !at.At.Equal(fixed.Time) {
			t.Errorf("before the new contract has fixed it: %+v", at)
		}
		x.Exec(fmt.Sprintf(`INSERT INTO token_table (chain_id, contract, token_id, table_hash, block_number, log_index, tx_hash, time)
			VALUES (4243, '%s', '1', '0x%x', 3, 0, '%s', %d)`, newItems, table.Hash(), storetest.TxOf("fix"), x.Clock.Now().UnixMilli()))
		if at := place(opened); at.Chain != storetest.Chain {
			t.Errorf("of a pack that was opened on the old chain: %+v", at)
		}
		later := packs.Opening{BurnedPack: packs.BurnedPack{Block: 4}, At: x.Clock.Now(), Origin: draw.Burn{Chain: newChain}}
		if at := place(later); at.Chain != newChain || at.Address != newItems {
			t.Errorf("of a pack that is opened on the new chain: %+v", at)
		}
	})
}

func TestFinish_RefusesWhileSomethingIsOnItsWayOrMovedLater(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		now := m.snapshot()
		b := x.Next(storetest.MintItems(storetest.WalletB, "1", 1))
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		insert := func(state string, block uint64) {
			x.Exec(fmt.Sprintf(`INSERT INTO gas_transaction
				(id, chain_id, sender, target, value, data, gas_limit, state, tx_hash, block_hash, block_number, created_at, updated_at)
				VALUES ('late', 1337042, '%s', '%s', '0', '0x', 0, '%s', '%s', '%s', %d, 1, 1)`, storetest.Seller, storetest.Items, state,
				b.Transfers[0].Tx, b.Blocks[0].Hash, block))
		}
		insert("sent", 0)
		if f := fault.As(m.finish(now)); f == nil || !strings.Contains(f.Message, "still has 0 operations, 1 transactions and 0 anchors") {
			t.Errorf("with a transaction on its way: %v", f)
		}
		x.Exec("DELETE FROM gas_transaction")
		insert("mined", 2)
		if f := fault.As(m.finish(now)); f == nil || !strings.Contains(f.Message, "has moved 1 tokens on chain 1337042 after its snapshot") {
			t.Errorf("with a mint after the snapshot: %v", f)
		}
		m.write(func(ctx context.Context, tx *store.Tx) error { return moves.Retake(ctx, tx, storetest.Chain) })
		x.Tip = b.Blocks[0]
		again := m.snapshot()
		if again.Block.Number != 2 || !strings.Contains(m.text(), "1 "+storetest.WalletB.String()+" 1\n") {
			t.Errorf("the second snapshot: %+v\n%s", again, m.text())
		}
		x.OK(m.finish(again))
	})
}

// Burns after the snapshot earn nothing: what was burned is claimed.
func TestSnapshot_LaterBurnsAreNotRewarded(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		m.snapshot()
		x.Apply(storetest.MoveItems(storetest.WalletA, eth.Address{}, "1", 2))
		burns, err := x.Index.UnsettledBurns(t.Context(), storetest.Chain, 100, 10)
		x.OK(err)
		if len(burns) != 0 {
			t.Errorf("%d burns are to be rewarded", len(burns))
		}
		m.write(func(ctx context.Context, tx *store.Tx) error { return moves.Cancel(ctx, tx, storetest.Chain) })
		if burns, err = x.Index.UnsettledBurns(t.Context(), storetest.Chain, 100, 10); err != nil || len(burns) != 1 {
			t.Errorf("%d burns are to be rewarded once the chain is open again, %v; want 1", len(burns), err)
		}
	})
}

// If the portal also leaves the second chain, unclaimed holdings of the first are claimed on the third.
func TestFinish_EarlierMovesFollow(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Exec("UPDATE wallet SET stored_at = 1")
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5))
		m := freeze(x)
		x.OK(m.finish(m.snapshot()))
		const next onchain.ChainID = 4244
		nextItems := eth.Address{19: 9}
		m.write(func(ctx context.Context, tx *store.Tx) error {
			now := move.Move{From: newChain, FrozenAt: x.Clock.Now()}
			if err := moves.Begin(ctx, tx, now); err != nil {
				return err
			}
			_, err := tx.Statements().ExecContext(ctx, "UPDATE chain_move SET state = 'snapshotted' WHERE from_chain = $1", newChain)
			if err != nil {
				return err
			}
			return moves.Finish(ctx, tx, now, next, map[eth.Address]eth.Address{newItems: nextItems}, x.Clock.Now())
		})
		if n, err := m.service.Claim(t.Context(), "A", storetest.Chain); n != 1 || err != nil {
			t.Errorf("claimed %d, %v", n, err)
		}
		var detail string
		x.OK(x.Raw.QueryRowContext(t.Context(), "SELECT detail FROM reward_grant").Scan(&detail))
		if !strings.Contains(detail, `"chain":4244`) || !strings.Contains(detail, nextItems.Checksum()) {
			t.Errorf("the claim gives %s", detail)
		}
	})
}
