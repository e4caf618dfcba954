// Package storetest has what the tests of stores share: an index to which they add blocks, and operations.
package storetest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
)

// MintChests mints packs to a wallet.
func MintChests(to eth.Address, id string, n int64) onchain.Transfer {
	return Transfer(onchain.ERC1155, Chests, id, eth.Address{}, to, n)
}

// TxOf returns the hash of a transaction by a name.
func TxOf(name string) eth.Hash { return eth.Keccak256([]byte(name)) }

// Chain is the chain of the index.
const Chain onchain.ChainID = 1337042

// The addresses of the index tests.
var (
	USDC        = eth.MustAddress("0x00000000000000000000000000000000000000c0")
	Avatars     = eth.MustAddress("0x0000000000000000000000000000000000000721")
	Items       = eth.MustAddress("0x0000000000000000000000000000000000001155")
	Chests      = eth.MustAddress("0x000000000000000000000000000000000000c4e5")
	Marketplace = eth.MustAddress("0x00000000000000000000000000000000000000ba")
	Seller      = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	WalletA     = eth.MustAddress("0x000000000000000000000000000000000000aaaa")
	WalletB     = eth.MustAddress("0x000000000000000000000000000000000000bbbb")
	Stranger    = eth.MustAddress("0x0000000000000000000000000000000000005775")
	Start       = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// PlainArt describes the tokens of one collection only.
type PlainArt struct{}

// Describe implements index.Describer.
func (PlainArt) Describe(contract eth.Address, tokenID string, _ *metadata.Document) index.Description {
	if contract != Items {
		return index.Description{}
	}
	return index.Description{Rank: 2, Token: market.Token{
		Collection: "game-items", Name: "Sword of Dawn " + tokenID, Kind: "sword", Rarity: "rare",
		Attributes: []market.Attribute{{TraitType: "Material", Value: "Sky Bronze"}, {TraitType: "Power", Value: "7"}},
	}}
}

// Indexed is an index to which a test adds blocks one by one.
type Indexed struct {
	T     testing.TB
	DB    *store.DB
	Index *index.Index
	Raw   *sql.DB
	Clock *clock.Fake
	Tip   onchain.Block
}

// EachIndex runs the test on an index in each database.
func EachIndex(t *testing.T, test func(t *testing.T, x *Indexed)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			test(t, OpenIndex(t, engine))
		})
	}
}

// OpenIndex returns an empty index with the players A, B and C, of whom A and B have wallets.
func OpenIndex(t testing.TB, engine store.Engine) *Indexed {
	t.Helper()
	x := &Indexed{T: t, Clock: clock.NewFake(Start)}
	o := testkit.DatabaseOptions(t, engine)
	o.Clock = x.Clock
	driver, dsn := "pgx", o.URL
	if engine == store.SQLite {
		driver, dsn = "sqlite", "file:"+o.Path+"?_pragma=busy_timeout(10000)"
	}
	var err error
	x.DB, err = store.Open(t.Context(), o)
	x.OK(err)
	t.Cleanup(func() { x.OK(x.DB.Close()) })
	x.Raw, err = sql.Open(driver, dsn)
	x.OK(err)
	t.Cleanup(func() { x.OK(x.Raw.Close()) })
	x.Index = index.New(x.DB, index.Options{
		Describer: PlainArt{},
		Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{
			Chain: {
				Marketplace: Marketplace, Currencies: []eth.Address{USDC},
				Rules: projection.Rules{Packs: Chests, Manager: Seller, Symbol: "USDC", Decimals: 6},
			},
		},
	})
	x.OK(x.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for player, wallet := range map[string]*eth.Address{"A": &WalletA, "B": &WalletB, "C": nil} {
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
	x.Resume(Sources())
	return x
}

// Sources are the contracts that a test's index is read from.
func Sources() onchain.Sources {
	return onchain.Sources{Base: "a marketplace", Tokens: map[eth.Address]onchain.Standard{
		Items: onchain.ERC1155, Avatars: onchain.ERC721, Chests: onchain.ERC1155, USDC: onchain.ERC20,
	}}
}

// Resume resumes the index, and fails the test if that fails.
func (x *Indexed) Resume(s onchain.Sources) onchain.Progress {
	x.T.Helper()
	p, err := x.Index.Resume(x.T.Context(), Chain, s, false)
	x.OK(err)
	if p.Generation != 0 { // the tests' batches have none
		x.OK(x.DB.Write(x.T.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Statements().ExecContext(ctx, "UPDATE chain_cursor SET generation = 0")
			return err
		}))
	}
	return p
}

// Reset discards the index, which is then read from Sources.
func (x *Indexed) Reset() {
	x.T.Helper()
	x.OK(x.Index.Reset(x.T.Context(), Chain))
	x.Resume(Sources())
}

// Replacement is the replacement of an index by a shadow index, whose indexer has stopped.
func (x *Indexed) Replacement(shadow *Indexed) *index.Replacement {
	return &index.Replacement{
		Chain: Chain, Sources: Sources(), Shadow: shadow.Index,
		StopAt: func(ctx context.Context, b onchain.Block) (bool, error) {
			blocks, err := shadow.Index.Blocks(ctx, Chain)
			return slices.ContainsFunc(blocks, func(other onchain.Block) bool { return other.Hash == b.Hash }), err
		},
		Commit: func(context.Context, *store.Tx) error { return nil },
	}
}

// Replace replaces the index by a shadow index, and fails the test if that fails.
func (x *Indexed) Replace(shadow *Indexed) {
	x.T.Helper()
	r := x.Replacement(shadow)
	x.OK(x.Index.Compare(x.T.Context(), r))
	x.OK(x.Index.Replace(x.T.Context(), r))
	x.Exec("UPDATE chain_cursor SET generation = 0") // the tests' batches have none
}

// OK fails the test on an error.
func (x *Indexed) OK(err error) {
	x.T.Helper()
	if err != nil {
		x.T.Fatal(err)
	}
}

// Next is the batch of one block after the tip, with the given facts, one second later.
func (x *Indexed) Next(facts ...any) onchain.Batch {
	return BatchAfter(x.Tip, x.Clock.Now().Add(time.Second), "", facts...)
}

// BatchAfter is the batch of one block. branch distinguishes the block from others of its number.
func BatchAfter(parent onchain.Block, at time.Time, branch string, facts ...any) onchain.Batch {
	block := onchain.Block{Number: parent.Number + 1, Time: at.Truncate(time.Second)}
	block.Hash = eth.Keccak256(parent.Hash[:], []byte(branch), []byte{byte(len(facts))})
	b := onchain.Batch{Chain: Chain, From: block.Number, To: block.Number, Parent: parent.Hash, Blocks: []onchain.Block{block}}
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
		case onchain.MetadataUpdate:
			f.Position = at
			b.Metadata = append(b.Metadata, f)
		default:
			panic(fmt.Sprintf("no fact: %T", f))
		}
	}
	return b
}

// Joined returns consecutive batches as one.
func Joined(batches []onchain.Batch) onchain.Batch {
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
		all.Metadata = slices.Concat(all.Metadata, b.Metadata)
	}
	return all
}

// Apply adds one block with the facts and advances the clock to its time.
func (x *Indexed) Apply(facts ...any) onchain.Block {
	x.T.Helper()
	b := x.Next(facts...)
	x.OK(x.Index.ApplyBatch(x.T.Context(), b))
	x.Clock.Advance(time.Second)
	x.Tip = b.Blocks[0]
	return x.Tip
}

// ApplyIn adds one block of a branch, with all facts in the transaction.
func (x *Indexed) ApplyIn(tx eth.Hash, branch string, facts ...any) onchain.Block {
	x.T.Helper()
	b := InTx(BatchAfter(x.Tip, x.Clock.Now().Add(time.Second), branch, facts...), tx)
	x.OK(x.Index.ApplyBatch(x.T.Context(), b))
	x.Clock.Advance(time.Second)
	x.Tip = b.Blocks[0]
	return x.Tip
}

// InTx moves all facts of a batch to one transaction.
func InTx(b onchain.Batch, tx eth.Hash) onchain.Batch {
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

// Rewind removes the blocks above one.
func (x *Indexed) Rewind(to onchain.Block) {
	x.T.Helper()
	x.OK(x.Index.Rewind(x.T.Context(), Chain, to))
	x.Tip = to
}

// Transfer returns a transfer of a token.
func Transfer(s onchain.Standard, contract eth.Address, id string, from, to eth.Address, amount int64) onchain.Transfer {
	return onchain.Transfer{Contract: contract, Standard: s, TokenID: id, From: from, To: to, Amount: money.FromInt(amount)}
}

// MintItems mints items to a wallet.
func MintItems(to eth.Address, id string, n int64) onchain.Transfer {
	return Transfer(onchain.ERC1155, Items, id, eth.Address{}, to, n)
}

// MoveItems sends items.
func MoveItems(from, to eth.Address, id string, n int64) onchain.Transfer {
	return Transfer(onchain.ERC1155, Items, id, from, to, n)
}

// MoveAvatar sends an avatar.
func MoveAvatar(from, to eth.Address, id string) onchain.Transfer {
	return Transfer(onchain.ERC721, Avatars, id, from, to, 1)
}

// AllowAll lets the marketplace move an owner's tokens of a contract, or no longer.
func AllowAll(contract, owner eth.Address, approved bool) onchain.Approval {
	return onchain.Approval{Contract: contract, Owner: owner, Operator: Marketplace, Approved: approved}
}

// AllowOne lets an operator move one avatar.
func AllowOne(owner, operator eth.Address, id string) onchain.Approval {
	return onchain.Approval{Contract: Avatars, TokenID: id, Owner: owner, Operator: operator, Approved: !operator.IsZero()}
}

// TermsOf returns the seller's terms for a token.
func TermsOf(contract eth.Address, id string, quantity int64) *onchain.ListingTerms {
	return &onchain.ListingTerms{
		Seller: Seller, Contract: contract, TokenID: id, Quantity: quantity, Currency: USDC, PricePerToken: money.FromInt(1000),
		Start: Start, End: onchain.MaxTime(),
	}
}

// List lists terms under a number.
func List(number string, terms *onchain.ListingTerms) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingCreated, ListingID: number, Terms: terms}
}

// Relist changes a listing's terms.
func Relist(number string, terms *onchain.ListingTerms) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingUpdated, ListingID: number, Terms: terms}
}

// Cancel cancels a listing.
func Cancel(number string) onchain.ListingEvent {
	return onchain.ListingEvent{Kind: onchain.ListingCancelled, ListingID: number}
}

// Buy is the sale of n units of a listing of items at its price, preceded by the transfers.
func Buy(number, id string, buyer eth.Address, n int64) []any {
	return []any{MoveItems(Seller, buyer, id, n), onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
		Seller: Seller, Contract: Items, TokenID: id, Buyer: buyer, Quantity: n, Total: money.FromInt(1000 * n)}}}
}

// Rows returns the result of a query as lines of text.
func (x *Indexed) Rows(query string, args ...any) []string {
	x.T.Helper()
	rows, err := x.Raw.QueryContext(x.T.Context(), query, args...)
	x.OK(err)
	defer func() { x.OK(rows.Close()) }()
	columns, err := rows.Columns()
	x.OK(err)
	var lines []string
	for rows.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		x.OK(rows.Scan(into...))
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
	}
	x.OK(rows.Err())
	return lines
}

// Want compares lines.
func (x *Indexed) Want(what string, got []string, want ...string) {
	x.T.Helper()
	if !slices.Equal(got, want) {
		x.T.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// State is everything in the index except the hashes of recent blocks, of which it may keep fewer.
func (x *Indexed) State() string {
	x.T.Helper()
	var all strings.Builder
	for _, table := range []struct{ name, order string }{
		{"chain_cursor", "1"}, {"chain_source", "1,2"}, {"token_transfer", "1,2,3,4"}, {"token_approval", "1,2,3"},
		{"user_operation_event", "1,2,3"}, {"listing_event", "1,2,3"}, {"sale", "1,2,3"}, {"holding", "1,2,3,4"}, {"supply_cap", "1,2,3"},
		{"token_table", "1,2,3"}, {"supply", "1,2,3"}, {"token", "1,2"}, {"token_trait", "1,2,3,4"}, {"listing", "1"},
	} {
		fmt.Fprintf(&all, "%s:\n%s\n", table.name, strings.Join(x.Rows("SELECT * FROM "+table.name+" ORDER BY "+table.order), "\n"))
	}
	return all.String()
}

// Holdings returns what wallets hold.
func (x *Indexed) Holdings() []string {
	x.T.Helper()
	names := map[string]string{
		USDC.String(): "USDC", Avatars.String(): "avatar", Items.String(): "item", Chests.String(): "chest",
		Seller.String(): "seller", WalletA.String(): "A", WalletB.String(): "B", Stranger.String(): "stranger",
	}
	lines := x.Rows("SELECT contract, token_id, owner, amount FROM holding ORDER BY contract, token_id, owner")
	for i, l := range lines {
		f := strings.Fields(l)
		lines[i] = fmt.Sprintf("%s has %s %s %s", names[f[2]], f[3], names[f[0]], f[1])
	}
	slices.Sort(lines)
	return lines
}

// Listings returns the listings.
func (x *Indexed) Listings() []string {
	x.T.Helper()
	return x.Rows("SELECT listing_id, quantity, status, CASE WHEN valid = 1 THEN 'valid' WHEN returned = 1 THEN 'returned' ELSE 'invalid' " +
		"END FROM listing ORDER BY id")
}

// Told empties the outbox and returns its announcements, oldest first, except those of players' own holdings.
func (x *Indexed) Told() []string {
	x.T.Helper()
	return slices.DeleteFunc(x.ToldAll(), func(line string) bool { return strings.Contains(line, ": holdings/change ") })
}

// ToldAll empties the outbox and returns its announcements, oldest first.
func (x *Indexed) ToldAll() []string {
	x.T.Helper()
	announcements, err := store.Outbox{DB: x.DB}.Announcements(x.T.Context(), 1000)
	x.OK(err)
	var lines, ids []string
	for _, a := range announcements {
		ids = append(ids, a.ID)
		line := string(a.Topic) + " " + a.Payload
		if a.Topic == announce.Message {
			var m announce.Realtime
			x.OK(json.Unmarshal([]byte(a.Payload), &m))
			fields, ok := m.Payload.(map[string]any)
			if !ok {
				x.T.Fatalf("payload %s", a.Payload)
			}
			delete(fields, "txId")
			if document, ok := fields["document"].(map[string]any); ok {
				fields["document"] = document["_id"]
			}
			line = fmt.Sprintf("%s: %s/%s %v", a.Target, m.ChannelID, m.Type, fields)
		}
		lines = append(lines, line)
	}
	x.OK(store.Outbox{DB: x.DB}.Announced(x.T.Context(), ids...))
	return lines
}

// Hold adds a player's hold of a unit of a listing, begun age seconds ago.
func (x *Indexed) Hold(number string, unit int64, player string, age int) {
	x.T.Helper()
	held := x.Clock.Now().Add(-time.Duration(age) * time.Second)
	x.OK(x.DB.Write(x.T.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.TakeFreeUnit(ctx, gen.TakeFreeUnitParams{
			ListingID: market.Key(Chain, number), Unit: unit, PlayerID: player, Price: money.FromInt(1000),
			HeldAt: column.At(held), ExpiresAt: column.At(held.Add(10 * time.Minute)),
		})
		return err
	}))
}

// Holds returns the holds.
func (x *Indexed) Holds() []string {
	x.T.Helper()
	return x.Rows("SELECT listing_id, unit, player_id FROM cart_hold ORDER BY listing_id, unit")
}

// Supply is the supply of a token, as market.Supply returns it.
func (x *Indexed) Supply(contract eth.Address, id string) string {
	x.T.Helper()
	s, err := marketstore.New(x.DB).Supply(x.T.Context(), contract, id)
	x.OK(err)
	if s == nil {
		return "unknown"
	}
	line := map[bool]string{true: "collection: ", false: "token: "}[s.Collection] + s.Existing.String()
	if s.Max != nil {
		line += " of at most " + s.Max.String()
	}
	return line
}

// EndedHold returns the announcement to a player whose hold has ended.
func EndedHold(player string, unit int, text string) string {
	return fmt.Sprintf("%s: listing/hold-ended map[assetContractAddress:%s index:%d listingId:0 message:%s]", player,
		Items.Checksum(), unit, text)
}

// Lock begins a transaction on PostgreSQL that holds the rows of a statement; the returned function ends it.
func (x *Indexed) Lock(statement string) (unlock func()) {
	x.T.Helper()
	tx, err := x.Raw.BeginTx(x.T.Context(), nil)
	x.OK(err)
	_, err = tx.ExecContext(x.T.Context(), statement)
	x.OK(err)
	return func() { x.OK(tx.Rollback()) }
}

// Waiting reports whether so many transactions wait for a lock.
func (x *Indexed) Waiting(n int) bool {
	return len(x.Rows("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")) == n
}

// Locked returns how many connections to the PostgreSQL database wait for a lock.
func (x *Indexed) Locked() (n int) {
	x.T.Helper()
	x.OK(x.Raw.QueryRowContext(x.T.Context(),
		"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n))
	return n
}

// InsertPlayer inserts a player.
func InsertPlayer(id string) func(context.Context, *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: id, DisplayName: id, Email: id + "@example.org"})
	}
}

// Exec runs a statement past the store.
func (x *Indexed) Exec(statement string) {
	x.T.Helper()
	_, err := x.Raw.ExecContext(x.T.Context(), statement)
	x.OK(err)
}
