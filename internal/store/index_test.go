package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

const indexChain onchain.ChainID = 1337042

// The addresses of the index tests.
var (
	usdc        = eth.MustAddress("0x00000000000000000000000000000000000000c0")
	avatars     = eth.MustAddress("0x0000000000000000000000000000000000000721")
	items       = eth.MustAddress("0x0000000000000000000000000000000000001155")
	chests      = eth.MustAddress("0x000000000000000000000000000000000000c4e5")
	marketplace = eth.MustAddress("0x00000000000000000000000000000000000000ba")
	seller      = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	walletA     = eth.MustAddress("0x000000000000000000000000000000000000aaaa")
	walletB     = eth.MustAddress("0x000000000000000000000000000000000000bbbb")
	stranger    = eth.MustAddress("0x0000000000000000000000000000000000005775")
	indexStart  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// plainArt describes the tokens of one collection only.
type plainArt struct{}

func (plainArt) Describe(contract eth.Address, tokenID string) (market.Token, int) {
	if contract != items {
		return market.Token{}, 0
	}
	return market.Token{
		Collection: "game-items", Name: "Sword of Dawn " + tokenID, Kind: "sword", Rarity: "rare",
		Attributes: []market.Attribute{{TraitType: "Material", Value: "Sky Bronze"}, {TraitType: "Power", Value: "7"}},
	}, 2
}

// indexed is an index to which a test adds blocks one by one.
type indexed struct {
	t     testing.TB
	db    *store.DB
	index *index.Index
	raw   *sql.DB
	clock *clock.Fake
	tip   onchain.Block
}

func eachIndex(t *testing.T, test func(t *testing.T, x *indexed)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			test(t, openIndex(t, engine))
		})
	}
}

// openIndex returns an empty index with the players A, B and C, of whom A and B have wallets.
func openIndex(t testing.TB, engine store.Engine) *indexed {
	t.Helper()
	x := &indexed{t: t, clock: clock.NewFake(indexStart)}
	o := testkit.DatabaseOptions(t, engine)
	o.Clock = x.clock
	driver, dsn := "pgx", o.URL
	if engine == store.SQLite {
		driver, dsn = "sqlite", "file:"+o.Path+"?_pragma=busy_timeout(10000)"
	}
	var err error
	x.db, err = store.Open(t.Context(), o)
	x.ok(err)
	t.Cleanup(func() { x.ok(x.db.Close()) })
	x.raw, err = sql.Open(driver, dsn)
	x.ok(err)
	t.Cleanup(func() { x.ok(x.raw.Close()) })
	x.index = index.New(x.db, index.Options{
		Describer: plainArt{},
		Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{
			indexChain: {
				Marketplace: marketplace, Currencies: []eth.Address{usdc},
				Rules: projection.Rules{Packs: chests, Manager: seller, Symbol: "USDC", Decimals: 6},
			},
		},
	})
	x.ok(x.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for player, wallet := range map[string]*eth.Address{"A": &walletA, "B": &walletB, "C": nil} {
			if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: player, DisplayName: player, Email: player}); err != nil {
				return err
			}
			if wallet == nil {
				continue
			}
			_, err := tx.InsertWallet(ctx, gen.InsertWalletParams{PlayerID: player, OwnerAddress: eth.Address{player[0]}, SmartAddress: *wallet})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	_, _, err = x.index.Resume(t.Context(), indexChain, "sources")
	x.ok(err)
	return x
}

func (x *indexed) ok(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// next is the batch of one block after the tip, with the given facts, one second later.
func (x *indexed) next(facts ...any) onchain.Batch {
	return batchAfter(x.tip, x.clock.Now().Add(time.Second), "", facts...)
}

// batchAfter is the batch of one block. branch distinguishes the block from others of its number.
func batchAfter(parent onchain.Block, at time.Time, branch string, facts ...any) onchain.Batch {
	block := onchain.Block{Number: parent.Number + 1, Time: at.Truncate(time.Second)}
	block.Hash = eth.Keccak256(parent.Hash[:], []byte(branch), []byte{byte(len(facts))})
	b := onchain.Batch{Chain: indexChain, From: block.Number, To: block.Number, Parent: parent.Hash, Blocks: []onchain.Block{block}}
	for i, f := range facts {
		at := onchain.Position{Block: block.Number, LogIndex: uint32(i), Tx: eth.Keccak256(block.Hash[:], []byte{byte(i)}), Time: block.Time}
		switch f := f.(type) {
		case onchain.Transfer:
			f.Position = at
			b.Transfers = append(b.Transfers, f)
			if f.Standard == onchain.ERC721 && !f.From.IsZero() {
				b.Approvals = append(b.Approvals, onchain.Approval{Position: at, Contract: f.Contract, TokenID: f.TokenID, Owner: f.From})
			}
		case onchain.Approval:
			f.Position = at
			b.Approvals = append(b.Approvals, f)
		case onchain.SupplyCap:
			f.Position = at
			b.Caps = append(b.Caps, f)
		case onchain.FixedTable:
			f.Position = at
			b.Tables = append(b.Tables, f)
		case onchain.ListingEvent:
			f.Position = at
			b.Listings = append(b.Listings, f)
		case onchain.UserOperationEvent:
			f.Position = at
			b.Ops = append(b.Ops, f)
		default:
			panic(fmt.Sprintf("no fact: %T", f))
		}
	}
	return b
}

// joined returns consecutive batches as one.
func joined(batches []onchain.Batch) onchain.Batch {
	all := batches[0]
	for _, b := range batches[1:] {
		all.To = b.To
		all.Blocks = slices.Concat(all.Blocks, b.Blocks)
		all.Transfers = slices.Concat(all.Transfers, b.Transfers)
		all.Approvals = slices.Concat(all.Approvals, b.Approvals)
		all.Caps = slices.Concat(all.Caps, b.Caps)
		all.Tables = slices.Concat(all.Tables, b.Tables)
		all.Listings = slices.Concat(all.Listings, b.Listings)
		all.Ops = slices.Concat(all.Ops, b.Ops)
	}
	return all
}

// apply adds one block with the facts and advances the clock to its time.
func (x *indexed) apply(facts ...any) onchain.Block {
	x.t.Helper()
	b := x.next(facts...)
	x.ok(x.index.ApplyBatch(x.t.Context(), b))
	x.clock.Advance(time.Second)
	x.tip = b.Blocks[0]
	return x.tip
}

// applyIn adds one block of a branch, with all facts in the transaction.
func (x *indexed) applyIn(tx eth.Hash, branch string, facts ...any) onchain.Block {
	x.t.Helper()
	b := inTx(batchAfter(x.tip, x.clock.Now().Add(time.Second), branch, facts...), tx)
	x.ok(x.index.ApplyBatch(x.t.Context(), b))
	x.clock.Advance(time.Second)
	x.tip = b.Blocks[0]
	return x.tip
}

// inTx moves all facts of a batch to one transaction.
func inTx(b onchain.Batch, tx eth.Hash) onchain.Batch {
	for i := range b.Transfers {
		b.Transfers[i].Tx = tx
	}
	for i := range b.Tables {
		b.Tables[i].Tx = tx
	}
	for i := range b.Listings {
		b.Listings[i].Tx = tx
	}
	for i := range b.Ops {
		b.Ops[i].Tx = tx
	}
	return b
}

func (x *indexed) rewind(to onchain.Block) {
	x.t.Helper()
	x.ok(x.index.Rewind(x.t.Context(), indexChain, to))
	x.tip = to
}

func transfer(s onchain.Standard, contract eth.Address, id string, from, to eth.Address, amount int64) onchain.Transfer {
	return onchain.Transfer{Contract: contract, Standard: s, TokenID: id, From: from, To: to, Amount: money.FromInt(amount)}
}

func mintItems(to eth.Address, id string, n int64) onchain.Transfer {
	return transfer(onchain.ERC1155, items, id, eth.Address{}, to, n)
}

func moveItems(from, to eth.Address, id string, n int64) onchain.Transfer {
	return transfer(onchain.ERC1155, items, id, from, to, n)
}

func moveAvatar(from, to eth.Address, id string) onchain.Transfer {
	return transfer(onchain.ERC721, avatars, id, from, to, 1)
}

func allowAll(contract, owner eth.Address, approved bool) onchain.Approval {
	return onchain.Approval{Contract: contract, Owner: owner, Operator: marketplace, Approved: approved}
}

func allowOne(owner, operator eth.Address, id string) onchain.Approval {
	return onchain.Approval{Contract: avatars, TokenID: id, Owner: owner, Operator: operator, Approved: !operator.IsZero()}
}

func termsOf(contract eth.Address, id string, quantity int64) *onchain.ListingTerms {
	return &onchain.ListingTerms{
		Seller: seller, Contract: contract, TokenID: id, Quantity: quantity, Currency: usdc, PricePerToken: money.FromInt(1000),
		Start: indexStart, End: onchain.MaxTime(),
	}
}

func list(number string, terms *onchain.ListingTerms) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingCreated, ListingID: number, Terms: terms}
}

func relist(number string, terms *onchain.ListingTerms) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingUpdated, ListingID: number, Terms: terms}
}

func cancel(number string) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingCancelled, ListingID: number}
}

// buy is the sale of n units of a listing of items at its price, preceded by the transfers.
func buy(number, id string, buyer eth.Address, n int64) []any {
	return []any{moveItems(seller, buyer, id, n), onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
		Seller: seller, Contract: items, TokenID: id, Buyer: buyer, Quantity: n, Total: money.FromInt(1000 * n)}}}
}

// rows returns the result of a query as lines of text.
func (x *indexed) rows(query string, args ...any) []string {
	x.t.Helper()
	rows, err := x.raw.QueryContext(x.t.Context(), query, args...)
	x.ok(err)
	defer func() { x.ok(rows.Close()) }()
	columns, err := rows.Columns()
	x.ok(err)
	var lines []string
	for rows.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		x.ok(rows.Scan(into...))
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
	}
	x.ok(rows.Err())
	return lines
}

func (x *indexed) want(what string, got []string, want ...string) {
	x.t.Helper()
	if !slices.Equal(got, want) {
		x.t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// state is everything in the index except the hashes of recent blocks, of which it may keep fewer.
func (x *indexed) state() string {
	x.t.Helper()
	var all strings.Builder
	for _, table := range []struct{ name, order string }{
		{"chain_cursor", "1"}, {"token_transfer", "1,2,3,4"}, {"token_approval", "1,2,3"}, {"user_operation_event", "1,2,3"},
		{"listing_event", "1,2,3"}, {"sale", "1,2,3"}, {"holding", "1,2,3,4"}, {"supply_cap", "1,2,3"}, {"token_table", "1,2,3"},
		{"supply", "1,2,3"}, {"token", "1,2"}, {"token_trait", "1,2,3,4"}, {"listing", "1"},
	} {
		fmt.Fprintf(&all, "%s:\n%s\n", table.name, strings.Join(x.rows("SELECT * FROM "+table.name+" ORDER BY "+table.order), "\n"))
	}
	return all.String()
}

func (x *indexed) holdings() []string {
	x.t.Helper()
	names := map[string]string{
		usdc.String(): "USDC", avatars.String(): "avatar", items.String(): "item", chests.String(): "chest",
		seller.String(): "seller", walletA.String(): "A", walletB.String(): "B", stranger.String(): "stranger",
	}
	lines := x.rows("SELECT contract, token_id, owner, amount FROM holding ORDER BY contract, token_id, owner")
	for i, l := range lines {
		f := strings.Fields(l)
		lines[i] = fmt.Sprintf("%s has %s %s %s", names[f[2]], f[3], names[f[0]], f[1])
	}
	slices.Sort(lines)
	return lines
}

func (x *indexed) listings() []string {
	x.t.Helper()
	return x.rows("SELECT listing_id, quantity, status, CASE WHEN valid = 1 THEN 'valid' WHEN returned = 1 THEN 'returned' ELSE 'invalid' " +
		"END FROM listing ORDER BY id")
}

// told empties the outbox and returns its announcements, oldest first, except those of players' own holdings.
func (x *indexed) told() []string {
	x.t.Helper()
	return slices.DeleteFunc(x.toldAll(), func(line string) bool { return strings.Contains(line, ": holdings/change ") })
}

// toldAll empties the outbox and returns its announcements, oldest first.
func (x *indexed) toldAll() []string {
	x.t.Helper()
	announcements, err := store.Outbox{DB: x.db}.Announcements(x.t.Context(), 1000)
	x.ok(err)
	var lines, ids []string
	for _, a := range announcements {
		ids = append(ids, a.ID)
		line := string(a.Topic) + " " + a.Payload
		if a.Topic == announce.Message {
			var m announce.Realtime
			x.ok(json.Unmarshal([]byte(a.Payload), &m))
			fields, ok := m.Payload.(map[string]any)
			if !ok {
				x.t.Fatalf("payload %s", a.Payload)
			}
			delete(fields, "txId")
			if document, ok := fields["document"].(map[string]any); ok {
				fields["document"] = document["_id"]
			}
			line = fmt.Sprintf("%s: %s/%s %v", a.Target, m.ChannelID, m.Type, fields)
		}
		lines = append(lines, line)
	}
	x.ok(store.Outbox{DB: x.db}.Announced(x.t.Context(), ids...))
	return lines
}

// hold adds a player's hold of a unit of a listing, begun age seconds ago.
func (x *indexed) hold(number string, unit int64, player string, age int) {
	x.t.Helper()
	held := x.clock.Now().Add(-time.Duration(age) * time.Second)
	x.ok(x.db.Write(x.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.TakeFreeUnit(ctx, gen.TakeFreeUnitParams{
			ListingID: market.Key(indexChain, number), Unit: unit, PlayerID: player, Price: money.FromInt(1000),
			HeldAt: column.At(held), ExpiresAt: column.At(held.Add(10 * time.Minute)),
		})
		return err
	}))
}

func (x *indexed) holds() []string {
	x.t.Helper()
	return x.rows("SELECT listing_id, unit, player_id FROM cart_hold ORDER BY listing_id, unit")
}

func TestIndex_HoldingsAreReceivedMinusSent(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(
			mintItems(walletA, "1", 10), moveItems(walletA, walletB, "1", 4), moveItems(walletB, walletB, "1", 2),
			moveAvatar(eth.Address{}, walletA, "7"), moveAvatar(walletA, walletB, "7"),
			transfer(onchain.ERC20, usdc, "0", eth.Address{}, walletA, 500),
		)
		x.want("holdings", x.holdings(), "A has 500 USDC 0", "A has 6 item 1", "B has 1 avatar 7", "B has 4 item 1")
		x.apply(moveItems(walletA, eth.Address{}, "1", 6), moveAvatar(walletB, eth.Address{}, "7"))
		x.want("holdings after burning", x.holdings(), "A has 500 USDC 0", "B has 4 item 1")
	})
}

// An index that starts after a contract may see more tokens leave than arrive; later arrivals fill the gap first.
func TestIndex_SentButNeverReceivedTokensAreRecordedAsMissing(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		before := x.apply()
		x.apply(moveItems(walletA, walletB, "1", 4))
		x.want("holdings", x.holdings(), "A has 0 item 1", "B has 4 item 1")
		x.apply(moveItems(walletB, walletA, "1", 3))
		x.want("holdings", x.holdings(), "A has 0 item 1", "B has 1 item 1")
		x.apply(moveItems(stranger, walletA, "1", 3))
		x.want("holdings", x.holdings(), "A has 2 item 1", "B has 1 item 1", "stranger has 0 item 1")
		x.rewind(before)
		x.want("holdings after the rewind", x.holdings())
	})
}

func TestIndex_HoldingsCountTo256Bits(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		all, err := money.FromBig(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
		x.ok(err)
		x.apply(onchain.Transfer{Contract: usdc, Standard: onchain.ERC20, TokenID: "0", To: walletA, Amount: all})
		x.apply(transfer(onchain.ERC20, usdc, "0", walletA, walletB, 1))
		rest, err := all.Sub(money.FromInt(1))
		x.ok(err)
		x.want("holdings", x.holdings(), "A has "+rest.String()+" USDC 0", "B has 1 USDC 0")
	})
}

// Spec: CHAIN-10
func TestIndex_ApplyingABatchAgainChangesNothing(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		first := x.next(mintItems(seller, "1", 5), allowAll(items, seller, true), list("0", termsOf(items, "1", 5)))
		x.ok(x.index.ApplyBatch(t.Context(), first))
		x.tip = first.Blocks[0]
		second := x.next(buy("0", "1", walletA, 2)...)
		x.ok(x.index.ApplyBatch(t.Context(), second))
		before, _ := x.state(), x.told()
		x.ok(x.index.ApplyBatch(t.Context(), second))
		x.ok(x.index.ApplyBatch(t.Context(), first))
		if after := x.state(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
		x.want("announcements", x.told())
	})
}

func TestIndex_BatchMustBuildOnTheCursor(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply()
		x.apply(mintItems(walletA, "1", 1))
		before := x.state()
		now := x.clock.Now()
		gap := batchAfter(onchain.Block{Number: x.tip.Number + 1, Hash: eth.Hash{1}}, now, "", mintItems(walletA, "1", 1))
		fork := batchAfter(onchain.Block{Number: x.tip.Number, Hash: eth.Hash{2}}, now, "", mintItems(walletA, "1", 1))
		sibling := batchAfter(start, now, "other", mintItems(walletA, "1", 1))
		for name, b := range map[string]onchain.Batch{"after a gap": gap, "on a fork": fork, "beside the last one": sibling} {
			if err := x.index.ApplyBatch(t.Context(), b); !fault.Is(err, fault.Conflict) {
				t.Errorf("a batch %s: %v, want a conflict", name, err)
			}
		}
		unknown := onchain.Block{Number: start.Number, Hash: eth.Hash{3}}
		if err := x.index.Rewind(t.Context(), indexChain, unknown); !fault.Is(err, fault.Conflict) {
			t.Errorf("a rewind to an unknown block: %v, want a conflict", err)
		}
		empty := x.next()
		empty.Blocks = nil
		if err := x.index.ApplyBatch(t.Context(), empty); err == nil {
			t.Error("a batch without its last block was taken")
		}
		if after := x.state(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
	})
}

func TestIndex_ResumeTellsWhereToGoOn(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		if _, ok, err := x.index.Resume(t.Context(), indexChain, "sources"); ok || err != nil {
			t.Fatalf("an empty index: %v, %v", ok, err)
		}
		x.apply(mintItems(seller, "1", 5), list("0", termsOf(items, "1", 5)))
		cursor, ok, err := x.index.Resume(t.Context(), indexChain, "sources")
		if !ok || err != nil || cursor.Number != x.tip.Number || cursor.Hash != x.tip.Hash || !cursor.Time.Equal(x.tip.Time) {
			t.Fatalf("%+v, %v, %v; want %+v", cursor, ok, err, x.tip)
		}
		blocks, err := x.index.Blocks(t.Context(), indexChain)
		if err != nil || len(blocks) != 1 || blocks[0] != cursor {
			t.Fatalf("blocks %+v, %v", blocks, err)
		}
	})
}

func TestIndex_IndexOfOtherSourcesIsDiscarded(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		empty := strings.ReplaceAll(x.state(), "sources", "others")
		x.apply(mintItems(seller, "1", 5), allowAll(items, seller, true), list("0", termsOf(items, "1", 5)))
		x.apply(buy("0", "1", walletA, 1)...)
		x.hold("0", 0, "C", 0)
		x.told()
		if _, ok, err := x.index.Resume(t.Context(), indexChain, "others"); ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
		if got := x.state(); got != empty {
			t.Errorf("left\n%s\nwant\n%s", got, empty)
		}
		x.want("holds", x.holds())
		x.want("announcements", x.told(),
			"C: listing/hold-ended map[assetContractAddress:"+items.String()+
				" index:0 listingId:0 message:This can't be bought any more, so it has left your cart.]")
	})
}

// Spec: MARKET-17, MARKET-19
func TestIndex_ListingIsValidUntilItsGoodsLeave(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		foreign, reserved := termsOf(items, "1", 1), termsOf(items, "1", 1)
		foreign.Currency, reserved.Reserved = stranger, true
		x.apply(
			mintItems(seller, "1", 5), moveAvatar(eth.Address{}, seller, "7"), allowAll(items, seller, true), allowOne(seller, marketplace, "7"),
			list("0", termsOf(items, "1", 5)), list("1", termsOf(avatars, "7", 1)), list("2", foreign), list("3", reserved),
		)
		x.want("listings", x.listings(), "0 5 active valid", "1 1 active valid", "2 1 active invalid", "3 1 active invalid")
		for _, step := range []struct {
			name  string
			facts []any
			want  []string
		}{
			{"one of the five goes elsewhere", []any{moveItems(seller, stranger, "1", 1)}, []string{"0 4 active valid", "1 1 active valid"}},
			{"it comes back", []any{moveItems(stranger, seller, "1", 1)}, []string{"0 4 active valid", "1 1 active valid"}},
			{"one more goes and comes back", []any{moveItems(seller, stranger, "1", 1), moveItems(stranger, seller, "1", 1)},
				[]string{"0 4 active valid", "1 1 active valid"}},
			{"all five go elsewhere", []any{moveItems(seller, stranger, "1", 5)}, []string{"0 5 active invalid", "1 1 active valid"}},
			{"four come back", []any{moveItems(stranger, seller, "1", 4)}, []string{"0 5 active invalid", "1 1 active valid"}},
			{"all are back", []any{moveItems(stranger, seller, "1", 1)}, []string{"0 5 active returned", "1 1 active valid"}},
			{"its terms are set", []any{relist("0", termsOf(items, "1", 5))}, []string{"0 5 active valid", "1 1 active valid"}},
			{"one goes and comes back in the same block",
				[]any{moveItems(seller, stranger, "1", 1), moveItems(stranger, seller, "1", 1)}, []string{"0 5 active valid", "1 1 active valid"}},
			{"the approval for all ends", []any{allowAll(items, seller, false)}, []string{"0 5 active invalid", "1 1 active valid"}},
			{"somebody else may take all", []any{onchain.Approval{Contract: items, Owner: seller, Operator: stranger, Approved: true}},
				[]string{"0 5 active invalid", "1 1 active valid"}},
			{"the approval for all is back", []any{allowAll(items, seller, true)}, []string{"0 5 active returned", "1 1 active valid"}},
			{"the terms are set again", []any{relist("0", termsOf(items, "1", 5))}, []string{"0 5 active valid", "1 1 active valid"}},
			{"somebody else may take the avatar", []any{allowOne(seller, stranger, "7")}, []string{"0 5 active valid", "1 1 active invalid"}},
			{"the marketplace may again", []any{allowOne(seller, marketplace, "7")}, []string{"0 5 active valid", "1 1 active returned"}},
			{"the avatar's terms are set", []any{relist("1", termsOf(avatars, "7", 1))}, []string{"0 5 active valid", "1 1 active valid"}},
			{"nobody may", []any{allowOne(seller, eth.Address{}, "7")}, []string{"0 5 active valid", "1 1 active invalid"}},
			{"all avatars may be taken", []any{allowAll(avatars, seller, true)}, []string{"0 5 active valid", "1 1 active returned"}},
			{"its terms and a withdrawal come in one block", []any{relist("1", termsOf(avatars, "7", 1)), moveAvatar(seller, stranger, "7")},
				[]string{"0 5 active valid", "1 1 active invalid"}},
			{"it is back, and its terms are set", []any{moveAvatar(stranger, seller, "7"), relist("1", termsOf(avatars, "7", 1))},
				[]string{"0 5 active valid", "1 1 active valid"}},
			{
				"only this one may be taken", []any{allowOne(seller, marketplace, "7"), allowAll(avatars, seller, false)},
				[]string{"0 5 active valid", "1 1 active valid"},
			},
			{"the avatar goes and comes back, which ends its approval",
				[]any{moveAvatar(seller, stranger, "7"), moveAvatar(stranger, seller, "7")}, []string{"0 5 active valid", "1 1 active invalid"}},
		} {
			x.apply(step.facts...)
			x.want(step.name, x.listings()[:2], step.want...)
		}
	})
}

func TestIndex_ApprovalOfATokenIsItsOwners(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		mint, offer := moveAvatar(eth.Address{}, seller, "7"), list("0", termsOf(avatars, "7", 1))
		x.apply(mint, allowOne(seller, marketplace, "7"), offer, allowOne(walletA, stranger, "7"))
		x.want("revoked by another", x.listings(), "0 1 active valid")
		x.apply(allowOne(seller, stranger, "7"), relist("0", termsOf(avatars, "7", 1)), allowOne(walletA, marketplace, "7"))
		x.want("given by another", x.listings(), "0 1 active invalid")
	})
}

// Spec: MARKET-8
func TestIndex_SaleIsAPricePoint(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("4", termsOf(items, "1", 9)))
		x.apply(buy("4", "1", walletA, 2)...)
		odd := buy("4", "1", stranger, 3)
		odd[1].(onchain.ListingEvent).Sale.Total = money.FromInt(100) // in an unknown currency
		x.apply(odd...)
		x.want("sales", x.rows("SELECT listing_id, token_id, buyer, currency, quantity, total, unit_price FROM sale ORDER BY block_number"),
			"4 1 "+walletA.String()+" "+usdc.String()+" 2 2000 1000",
			"4 1 "+stranger.String()+" "+eth.Address{}.String()+" 3 100 33")
		x.want("listings", x.listings(), "4 4 active valid")
		x.apply(buy("4", "1", walletB, 4)...)
		x.want("listings when all is sold", x.listings(), "4 0 sold invalid")
	})
}

func TestIndex_TokensAreDescribedWhenTheyAreMet(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		long := strings.Repeat("1234567890", 7)
		x.apply(mintItems(walletA, "1", 1), mintItems(walletB, "1", 1), moveAvatar(eth.Address{}, walletA, long),
			transfer(onchain.ERC20, usdc, "0", eth.Address{}, walletA, 1))
		x.want("tokens", x.rows("SELECT collection, name, kind, rarity, rarity_rank, words FROM token ORDER BY name"),
			"other Item #1234…7890 item common 0 item 1234 7890 other common",
			"game-items Sword of Dawn 1 sword rare 2 sword of dawn 1 game items rare sky bronze 7")
		x.want("traits", x.rows("SELECT trait, value FROM token_trait ORDER BY trait"), "Material Sky Bronze", "Power 7")
	})
}

// Spec: CART-19
func TestIndex_BuyersOwnHoldGoesAndOthersMoveDown(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 4), allowAll(items, seller, true), list("0", termsOf(items, "1", 4)))
		x.hold("0", 0, "A", 30)
		x.hold("0", 1, "B", 20)
		x.hold("0", 3, "C", 10)
		x.told()
		x.apply(buy("0", "1", walletA, 1)...)
		x.want("holds", x.holds(), "1337042-0 0 C", "1337042-0 1 B")
		x.want("announcements", x.told(), "listing 1337042-0")
	})
}

// supply is the supply of a token, as market.Supply returns it.
func (x *indexed) supply(contract eth.Address, id string) string {
	x.t.Helper()
	s, err := marketstore.New(x.db).Supply(x.t.Context(), contract, id)
	x.ok(err)
	if s == nil {
		return "unknown"
	}
	line := map[bool]string{true: "collection: ", false: "token: "}[s.Collection] + s.Existing.String()
	if s.Max != nil {
		line += " of at most " + s.Max.String()
	}
	return line
}

func TestSupply_IsWhatWasMintedAndNotBurned(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		want := func(when string, item, avatar string) {
			t.Helper()
			if got := x.supply(items, "1"); got != item {
				t.Errorf("%s, item 1: %s, want %s", when, got, item)
			}
			if got := x.supply(avatars, "7"); got != avatar {
				t.Errorf("%s, avatars: %s, want %s", when, got, avatar)
			}
		}
		want("before anything", "unknown", "unknown")
		x.apply(mintItems(seller, "1", 9), mintItems(seller, "2", 5), mintItems(walletA, "1", 3),
			moveAvatar(eth.Address{}, seller, "7"), moveAvatar(eth.Address{}, seller, "8"))
		minted := x.tip
		want("minted", "token: 12", "collection: 2")
		x.apply(onchain.SupplyCap{Contract: items, TokenID: "1", Max: money.FromInt(100)},
			onchain.SupplyCap{Contract: avatars, Max: money.FromInt(50)},
			moveItems(seller, walletB, "1", 2), moveItems(walletA, eth.Address{}, "1", 3), moveAvatar(seller, eth.Address{}, "8"))
		want("capped and burned", "token: 9 of at most 100", "collection: 1 of at most 50")
		if got := x.supply(items, "2"); got != "token: 5" {
			t.Errorf("an item without a cap: %s", got)
		}
		x.rewind(minted)
		want("rewound", "token: 12", "collection: 2")
		x.ok(x.index.Reset(t.Context(), indexChain))
		want("reset", "unknown", "unknown")
	})
}

// Spec: DRAW-6
func TestTables_TheFirstOfATokenCountsWhileItIsOnTheChain(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		fix := func(contract eth.Address, id string, table byte) onchain.FixedTable {
			return onchain.FixedTable{Contract: contract, TokenID: id, Hash: [32]byte{table, 31: 1}}
		}
		want := func(when string, want ...onchain.FixedTable) {
			t.Helper()
			got, err := rewards.New(x.db).FixedTables(t.Context(), indexChain, chests)
			x.ok(err)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
			for _, id := range []string{"1", "2", "10"} {
				i := slices.IndexFunc(want, func(f onchain.FixedTable) bool { return f.TokenID == id })
				got, ok, err := rewards.New(x.db).FixedTable(t.Context(), indexChain, chests, id)
				if err != nil || ok != (i >= 0) || ok && got != want[i] {
					t.Errorf("%s, token %s: %+v, %v, %v", when, id, got, ok, err)
				}
			}
		}
		at := func(f onchain.FixedTable, b onchain.Block, log uint32) onchain.FixedTable {
			f.Position = onchain.Position{Block: b.Number, LogIndex: log, Tx: eth.Keccak256(b.Hash[:], []byte{byte(log)}), Time: b.Time}
			return f
		}
		want("before anything")
		begun := x.apply(mintItems(seller, "1", 1))
		first := x.apply(fix(chests, "10", 7), fix(items, "2", 8), fix(chests, "10", 9))
		ten := at(fix(chests, "10", 7), first, 0)
		want("fixed, and again in the same block", ten)
		second := x.apply(fix(chests, "2", 5), fix(chests, "10", 6))
		two := at(fix(chests, "2", 5), second, 0)
		want("a second token, and the first again", ten, two)
		for what, other := range map[string]struct {
			chain    onchain.ChainID
			contract eth.Address
		}{"another chain": {indexChain + 1, chests}, "another contract": {indexChain, avatars}} {
			if got, err := rewards.New(x.db).FixedTables(t.Context(), other.chain, other.contract); err != nil || len(got) > 0 {
				t.Errorf("%s: %+v, %v", what, got, err)
			}
		}

		x.rewind(first)
		want("without the last block", ten)
		x.rewind(begun)
		want("without both")
		again := x.applyIn(eth.Hash{9}, "again", fix(chests, "10", 4), fix(chests, "1", 5))
		ten, one := at(fix(chests, "10", 4), again, 0), at(fix(chests, "1", 5), again, 1)
		ten.Tx, one.Tx = eth.Hash{9}, eth.Hash{9}
		want("on another branch", ten, one)
		x.ok(x.index.Reset(t.Context(), indexChain))
		want("reset")
	})
}

func TestSupply_IsNotNegativeIfTheIndexBeganLate(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(moveItems(seller, eth.Address{}, "1", 4))
		if got := x.supply(items, "1"); got != "token: 0" {
			t.Errorf("of a token whose mints were not read: %s", got)
		}
	})
}

func endedHold(player string, unit int, text string) string {
	return fmt.Sprintf("%s: listing/hold-ended map[assetContractAddress:%s index:%d listingId:0 message:%s]", player,
		items.Checksum(), unit, text)
}

// Spec: LIVE-27, CART-20
func TestIndex_HoldsBeyondWhatIsLeftEndAndTheirHoldersAreTold(t *testing.T) {
	t.Parallel()
	const (
		bought    = "Somebody else bought this just now, so it has left your cart."
		cancelled = "The seller took this off the market, so it has left your cart."
		fewer     = "The seller now offers fewer of these, so one has left your cart."
		gone      = "This can't be bought any more, so it has left your cart."
		raised    = "The seller raised the price from 0.001 to 0.002 USDC, so this has left your cart."
	)
	for _, test := range []struct {
		name  string
		facts []any
		holds []string
		told  []string
	}{
		{"a stranger buys one", buy("0", "1", stranger, 1), []string{"1337042-0 0 A", "1337042-0 1 B"},
			[]string{endedHold("C", 2, bought), "listing 1337042-0"}},
		{"a holder buys all", buy("0", "1", walletA, 3), nil,
			[]string{endedHold("B", 1, bought), endedHold("C", 2, bought), "listing-gone 1337042-0"}},
		{"two holders buy one each", append(buy("0", "1", walletA, 1), buy("0", "1", walletB, 1)...), []string{"1337042-0 0 C"},
			[]string{"listing 1337042-0"}},
		{"the seller cancels", []any{cancel("0")}, nil,
			[]string{endedHold("A", 0, cancelled), endedHold("B", 1, cancelled), endedHold("C", 2, cancelled), "listing-gone 1337042-0"}},
		{"the seller offers one", []any{relist("0", termsOf(items, "1", 1))}, []string{"1337042-0 0 A"},
			[]string{endedHold("B", 1, fewer), endedHold("C", 2, fewer), "listing 1337042-0"}},
		{"the seller gives one away", []any{moveItems(seller, stranger, "1", 1)}, []string{"1337042-0 0 A", "1337042-0 1 B"},
			[]string{endedHold("C", 2, fewer), "listing 1337042-0"}},
		{"the seller gives them away", []any{moveItems(seller, stranger, "1", 3)}, nil,
			[]string{endedHold("A", 0, gone), endedHold("B", 1, gone), endedHold("C", 2, gone), "listing 1337042-0"}},
		{"the seller raises the price", []any{relist("0", func() *onchain.ListingTerms {
			dearer := termsOf(items, "1", 3)
			dearer.PricePerToken = money.FromInt(2000)
			return dearer
		}())}, nil, []string{endedHold("A", 0, raised), endedHold("B", 1, raised), endedHold("C", 2, raised), "listing 1337042-0"}},
		{"the seller lowers the price", []any{relist("0", func() *onchain.ListingTerms {
			cheaper := termsOf(items, "1", 3)
			cheaper.PricePerToken = money.FromInt(999)
			return cheaper
		}())}, []string{"1337042-0 0 A", "1337042-0 1 B", "1337042-0 2 C"}, []string{"listing 1337042-0"}},
		{"the seller approves again", []any{allowAll(items, seller, true)}, []string{"1337042-0 0 A", "1337042-0 1 B", "1337042-0 2 C"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			eachIndex(t, func(t *testing.T, x *indexed) {
				x.apply(mintItems(seller, "1", 3), allowAll(items, seller, true), list("0", termsOf(items, "1", 3)))
				x.hold("0", 0, "A", 30)
				x.hold("0", 1, "B", 20)
				x.hold("0", 2, "C", 10)
				x.told()
				x.apply(test.facts...)
				x.want("holds", x.holds(), test.holds...)
				got := x.told()
				slices.Sort(got)
				want := slices.Clone(test.told)
				slices.Sort(want)
				x.want("announcements", got, want...)
			})
		})
	}
}

// lock begins a transaction on PostgreSQL that holds the rows of a statement; the returned function ends it.
func (x *indexed) lock(statement string) (unlock func()) {
	x.t.Helper()
	tx, err := x.raw.BeginTx(x.t.Context(), nil)
	x.ok(err)
	_, err = tx.ExecContext(x.t.Context(), statement)
	x.ok(err)
	return func() { x.ok(tx.Rollback()) }
}

// waiting reports whether so many transactions wait for a lock.
func (x *indexed) waiting(n int) bool {
	return len(x.rows("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")) == n
}

// The listing's quantity falls while a holder empties the cart. SQLite has no concurrent writers.
// Spec: CART-21
func TestIndex_HoldDoesNotEndForAUnitThatIsReleasedMeanwhile(t *testing.T) {
	t.Parallel()
	x := openIndex(t, store.PostgreSQL)
	x.apply(mintItems(seller, "1", 2), allowAll(items, seller, true), list("0", termsOf(items, "1", 2)))
	x.hold("0", 0, "C", 10)
	x.hold("0", 1, "B", 20)
	unlock := x.lock("SELECT 1 FROM cart_hold WHERE player_id = 'C' FOR UPDATE") // it would end
	applied, emptied := make(chan error, 1), make(chan error, 1)
	go func() { applied <- x.index.ApplyBatch(t.Context(), x.next(relist("0", termsOf(items, "1", 1)))) }()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.waiting(1) }, "the index does not wait")
	go func() {
		emptied <- cart.NewService(cartstore.New(x.db), x.clock, cart.Options{}).Empty(t.Context(), "B")
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return len(emptied) > 0 || x.waiting(2) }, "emptying the cart neither ends nor waits")
	first := len(emptied) > 0
	unlock()
	x.ok(<-applied)
	x.ok(<-emptied)
	if first {
		x.want("holds", x.holds(), "1337042-0 0 C")
	} else {
		x.want("holds", x.holds())
	}
}

// The player's hold of the unit ends, and another hold of the player moves to the unit.
// Spec: CART-21
func TestIndex_UnitThatIsHeldAllTheTimeCanBeReleased(t *testing.T) {
	t.Parallel()
	x := openIndex(t, store.PostgreSQL)
	x.apply(mintItems(seller, "1", 2), allowAll(items, seller, true), list("0", termsOf(items, "1", 2)))
	x.hold("0", 0, "B", 10)
	x.hold("0", 1, "B", 20)
	unlock := x.lock("SELECT 1 FROM listing_version FOR UPDATE") // the last row that the index writes
	applied, released := make(chan error, 1), make(chan error, 1)
	go func() { applied <- x.index.ApplyBatch(t.Context(), x.next(relist("0", termsOf(items, "1", 1)))) }()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.waiting(1) }, "the index does not wait")
	go func() {
		released <- cart.NewService(cartstore.New(x.db), x.clock, cart.Options{}).Remove(t.Context(), "B", "1337042-0", 0)
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.waiting(2) }, "the release does not wait")
	unlock()
	x.ok(<-applied)
	x.ok(<-released)
	x.want("holds", x.holds())
}

// Players ask for units of listings that are made and sold out at once.
// Spec: CART-21
func TestIndex_NoHoldIsOfAListingThatIsSoldOut(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 100), allowAll(items, seller, true))
		carts := cart.NewService(cartstore.New(x.db), x.clock, cart.Options{})
		for round := range 20 {
			number, sold := strconv.Itoa(round), make(chan struct{})
			var asking sync.WaitGroup
			for _, player := range []string{"A", "B", "C"} {
				asking.Go(func() {
					for {
						_, err := carts.Add(t.Context(), cart.Holder{PlayerID: player}, market.Key(indexChain, number), items, nil)
						if err != nil && fault.As(err) == nil {
							t.Error(err)
						}
						select {
						case <-sold:
							return
						default:
						}
					}
				})
			}
			x.apply(list(number, termsOf(items, "1", 2)))
			x.apply(buy(number, "1", stranger, 2)...)
			close(sold)
			asking.Wait()
			x.want("holds", x.holds())
		}
	})
}

func TestIndex_HoldThatHadExpiredCountsAsLapsed(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 2), allowAll(items, seller, true), list("0", termsOf(items, "1", 2)))
		x.hold("0", 0, "B", 700)
		x.hold("0", 1, "C", 10)
		x.told()
		x.apply(buy("0", "1", stranger, 1)...)
		x.want("holds", x.holds(), "1337042-0 0 C")
		x.want("lapses", x.rows("SELECT player_id FROM hold_time"), "B")
		x.want("announcements", x.told(), "listing 1337042-0")
	})
}

// Spec: LIVE-9
func TestIndex_BuyerOfAPackIsTold(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(transfer(onchain.ERC1155, chests, "2", eth.Address{}, seller, 5), allowAll(chests, seller, true),
			list("0", termsOf(chests, "2", 5)))
		x.told()
		sale := onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "0", Sale: &onchain.Sale{
			Seller: seller, Contract: chests, TokenID: "2", Buyer: walletB, Quantity: 1, Total: money.FromInt(1000)}}
		toStranger := sale
		toStranger.Sale = &onchain.Sale{Seller: seller, Contract: chests, TokenID: "2", Buyer: stranger, Quantity: 1, Total: money.FromInt(1000)}
		x.apply(transfer(onchain.ERC1155, chests, "2", seller, walletB, 1), sale,
			transfer(onchain.ERC1155, chests, "2", seller, stranger, 1), toStranger)
		x.want("announcements", x.told(), "B: kod-pack/purchase-complete map[errorMessage: productId:2 success:true]",
			"listing 1337042-0", "packs ")
	})
}

func TestIndex_OldBlocksNotifyOnlyPlayersWhoseHoldsEnded(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 2), allowAll(items, seller, true), list("0", termsOf(items, "1", 2)),
			transfer(onchain.ERC1155, chests, "2", eth.Address{}, seller, 5), allowAll(chests, seller, true), list("1", termsOf(chests, "2", 5)))
		x.hold("0", 0, "A", 20)
		x.hold("0", 1, "C", 10)
		x.told()
		pack := onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "1", Sale: &onchain.Sale{
			Seller: seller, Contract: chests, TokenID: "2", Buyer: walletB, Quantity: 1, Total: money.FromInt(1000)}}
		b := x.next(append(buy("0", "1", stranger, 1), pack)...)
		x.clock.Advance(3 * time.Minute)
		x.ok(x.index.ApplyBatch(t.Context(), b))
		x.want("announcements", x.told(), endedHold("C", 1, "Somebody else bought this just now, so it has left your cart."))
	})
}

func TestIndex_RewindTellsWhatItTookBack(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 2), allowAll(items, seller, true))
		minted := x.tip
		x.apply(list("0", termsOf(items, "1", 2)))
		listed := x.tip
		x.hold("0", 1, "C", 10)
		x.apply(buy("0", "1", walletA, 1)...)
		x.told()
		x.rewind(listed)
		x.want("listings", x.listings(), "0 2 active valid")
		x.want("holdings", x.holdings(), "seller has 2 item 1")
		x.want("holds stay", x.holds(), "1337042-0 0 C")
		x.want("announcements", x.told(), "listing 1337042-0")
		x.rewind(minted)
		x.want("listings before the first", x.listings())
		x.want("holds of no listing", x.holds())
		x.want("announcements", x.told(), endedHold("C", 0, "This can't be bought any more, so it has left your cart."),
			": live-listings-change/delete map[assetContractAddress:"+items.Checksum()+" document:1337042-0]")
		x.rewind(minted)
		x.want("announcements of a rewind to where it is", x.told())
	})
}

// anyFacts draws a block's facts about a few tokens and listings, possible or not.
func anyFacts(t *rapid.T) []any {
	people := rapid.SampledFrom([]eth.Address{{}, seller, walletA, walletB, stranger})
	owners := rapid.SampledFrom([]eth.Address{seller, walletA})
	operators := rapid.SampledFrom([]eth.Address{marketplace, marketplace, stranger})
	collections := rapid.SampledFrom([]eth.Address{items, avatars})
	ids, numbers := rapid.SampledFrom([]string{"1", "2"}), rapid.SampledFrom([]string{"0", "1", "2"})
	amounts := rapid.Int64Range(1, 4)
	one := rapid.Custom(func(t *rapid.T) any {
		terms := func() *onchain.ListingTerms {
			terms := termsOf(collections.Draw(t, "collection"), ids.Draw(t, "token"), amounts.Draw(t, "quantity"))
			terms.Seller, terms.PricePerToken = owners.Draw(t, "seller"), money.FromInt(amounts.Draw(t, "price")*1000)
			return terms
		}
		switch rapid.IntRange(0, 11).Draw(t, "fact") {
		case 0, 1:
			return moveItems(people.Draw(t, "from"), people.Draw(t, "to"), ids.Draw(t, "token"), amounts.Draw(t, "amount"))
		case 2:
			return moveAvatar(people.Draw(t, "from"), people.Draw(t, "to"), ids.Draw(t, "token"))
		case 3:
			return onchain.Approval{Contract: collections.Draw(t, "collection"), Owner: owners.Draw(t, "owner"),
				Operator: operators.Draw(t, "operator"), Approved: rapid.Bool().Draw(t, "approved")}
		case 4:
			return allowOne(owners.Draw(t, "owner"), operators.Draw(t, "operator"), ids.Draw(t, "token"))
		case 5:
			return list(numbers.Draw(t, "listing"), terms())
		case 6:
			return relist(numbers.Draw(t, "listing"), terms())
		case 7:
			return cancel(numbers.Draw(t, "listing"))
		case 8:
			return onchain.UserOperationEvent{
				Hash: eth.Hash{byte(amounts.Draw(t, "hash"))}, Sender: walletA, Success: rapid.Bool().Draw(t, "success"),
			}
		case 9:
			return onchain.SupplyCap{Contract: collections.Draw(t, "collection"), TokenID: rapid.SampledFrom([]string{"", "1"}).Draw(t, "token"),
				Max: money.FromInt(amounts.Draw(t, "max"))}
		case 10:
			return onchain.FixedTable{Contract: collections.Draw(t, "collection"), TokenID: ids.Draw(t, "token"),
				Hash: [32]byte{byte(amounts.Draw(t, "table"))}}
		default:
			n := amounts.Draw(t, "bought")
			return onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: numbers.Draw(t, "listing"), Sale: &onchain.Sale{
				Seller: seller, Contract: items, TokenID: ids.Draw(t, "token"), Buyer: people.Draw(t, "buyer"),
				Quantity: n, Total: money.FromInt(n * amounts.Draw(t, "price") * 1000)}}
		}
	})
	return rapid.SliceOfN(one, 0, 6).Draw(t, "facts")
}

// After any sequence of applied and rewound blocks the index equals one built from nothing, every hold is on an
// existing unit, and a reset leaves nothing.
// Spec: MARKET-18, MARKET-19, CHAIN-10
func TestIndex_EqualsOneFromNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			x, other := openIndex(t, engine), openIndex(t, engine)
			empty := x.state()
			branch := 0
			rapid.Check(t, func(t *rapid.T) {
				for _, y := range []*indexed{x, other} {
					y.ok(y.index.Reset(y.t.Context(), indexChain))
					if got := y.state(); got != empty {
						t.Fatalf("a reset left\n%s", got)
					}
				}
				history := []onchain.Batch{}
				tip := onchain.Block{}
				if rapid.Bool().Draw(t, "stocked") { // drawn facts alone rarely make a listing that can be bought
					b := batchAfter(tip, x.clock.Now(), "stocked", mintItems(seller, "1", 9), mintItems(seller, "2", 9), allowAll(items, seller, true),
						moveAvatar(eth.Address{}, seller, "1"), allowAll(avatars, seller, true), list("0", termsOf(items, "1", 4)),
						list("1", termsOf(avatars, "1", 1)), list("2", termsOf(avatars, "1", 1)))
					x.ok(x.index.ApplyBatch(x.t.Context(), b))
					history, tip = append(history, b), b.Blocks[0]
					x.holdSomething(t)
				}
				for range rapid.IntRange(1, 8).Draw(t, "steps") {
					switch {
					case len(history) > 1 && rapid.IntRange(0, 3).Draw(t, "rewind") == 0:
						keep := rapid.IntRange(1, len(history)).Draw(t, "keep")
						history = history[:keep]
						tip = history[keep-1].Blocks[0]
						x.ok(x.index.Rewind(x.t.Context(), indexChain, tip))
					default:
						applied := len(history)
						for range rapid.IntRange(1, 3).Draw(t, "blocks at once") {
							branch++
							b := batchAfter(tip, x.clock.Now(), fmt.Sprint(branch), anyFacts(t)...)
							history, tip = append(history, b), b.Blocks[0]
						}
						x.ok(x.index.ApplyBatch(x.t.Context(), joined(history[applied:])))
					}
					x.holdSomething(t)
				}
				for len(history) > 0 {
					n := rapid.IntRange(1, len(history)).Draw(t, "blocks at once")
					other.ok(other.index.ApplyBatch(other.t.Context(), joined(history[:n])))
					history = history[n:]
				}
				if got, want := x.state(), other.state(); got != want {
					t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
				}
			})
		})
	}
}

// holdSomething checks that the holds are on existing units, and holds a unit that can be bought.
func (x *indexed) holdSomething(t *rapid.T) {
	misplaced := x.rows(`SELECT h.listing_id, h.unit, l.quantity, l.status, l.valid FROM cart_hold h JOIN listing l ON l.id = h.listing_id
		WHERE h.unit >= l.quantity OR l.status <> 'active' OR l.valid = 0`)
	if len(misplaced) > 0 {
		t.Fatalf("holds of units that are not there: %v", misplaced)
	}
	uncovered := x.rows(
		`SELECT l.seller, l.contract, l.token_id, SUM(l.quantity) FROM listing l
		WHERE l.valid = 1 GROUP BY l.chain_id, l.seller, l.contract, l.token_id
		HAVING SUM(l.quantity) > COALESCE((SELECT CAST(h.amount AS BIGINT) FROM holding h
			WHERE h.chain_id = l.chain_id AND h.contract = l.contract AND h.token_id = l.token_id AND h.owner = l.seller), 0)`)
	if len(uncovered) > 0 {
		t.Fatalf("more is on offer than its seller has: %v", uncovered)
	}
	units := x.rows("SELECT listing_id, quantity FROM listing WHERE status = 'active' AND valid = 1 ORDER BY id")
	for _, line := range units {
		f := strings.Fields(line)
		quantity, _ := new(big.Int).SetString(f[1], 10)
		unit := rapid.Int64Range(0, quantity.Int64()-1).Draw(t, "unit")
		x.hold(f[0], unit, rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "holder"), rapid.IntRange(0, 60).Draw(t, "age"))
	}
}

// BenchmarkApplyBatch stores batches of 1,000 transfers among 200 owners, as an index does while it catches up.
func BenchmarkApplyBatch(b *testing.B) {
	const size = 1000
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			x := openIndex(b, engine)
			owner := func(n int) eth.Address { return eth.Address{1, byte(n % 200)} }
			i := 0
			for b.Loop() {
				facts := make([]any, size)
				for j := range facts {
					i++
					facts[j] = moveItems(owner(i), owner(i*7+3), fmt.Sprint(i%50), 1)
				}
				x.apply(facts...)
			}
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}
