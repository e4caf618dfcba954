package packs_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/testkit"
)

// shelf is what is for sale until it closes.
type shelf struct {
	offers []packs.Offer
	closes time.Time
}

func (s shelf) PacksForSale(_ context.Context, now time.Time) (map[string]int64, error) {
	n := map[string]int64{}
	for _, o := range s.offers {
		if now.Before(s.closes) {
			n[o.TokenID] += o.Quantity
		}
	}
	return n, nil
}

func (s shelf) PackListed(_ context.Context, listingID string) (string, bool, error) {
	for _, o := range s.offers {
		if o.ID == listingID {
			return o.TokenID, true, nil
		}
	}
	return "", false, nil
}

func (s shelf) PackOffers(context.Context, time.Time) ([]packs.Offer, error) { return s.offers, nil }

// fixed has the tables that the contract and wallets have fixed.
type fixed struct {
	contract []onchain.FixedTable
	wallets  []packs.Anchor
}

func (f *fixed) FixedTables(context.Context, onchain.ChainID, eth.Address) ([]onchain.FixedTable, error) {
	return f.contract, nil
}
func (*fixed) FormerTables(context.Context, eth.Address) ([]packs.FormerTable, error) {
	return nil, nil
}

func (f *fixed) Anchors(context.Context) ([]packs.Anchor, error) { return f.wallets, nil }

func (f *fixed) KeepAnchor(_ context.Context, a packs.Anchor) error {
	f.wallets = append(f.wallets, a)
	return nil
}

// nothingDrawn is an OpeningStore without openings.
type nothingDrawn struct{ packs.OpeningStore }

func (nothingDrawn) Tally(context.Context) (packs.Tally, error) {
	return packs.Tally{Given: map[string]map[string]int64{"god": {"elder-gods": 998}}}, nil
}

// editions returns the built-in tables and a second edition of general packs.
func editions(t *testing.T) *draw.Tables {
	t.Helper()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	next := tables.All()[0]
	next.Edition, next.Token = 2, "101"
	return draw.TablesOf(append(tables.All(), next))
}

func newShelf(t *testing.T, s shelf, c clock.Clock, fixedTokens ...string) *packs.Service {
	t.Helper()
	tables := editions(t)
	f := &fixed{}
	for _, id := range fixedTokens {
		table, ok := tables.OfToken(id)
		if !ok {
			t.Fatalf("there is no table of token %s", id)
		}
		f.contract = append(f.contract, onchain.FixedTable{Contract: chests, TokenID: id, Hash: table.Hash()})
	}
	return packs.NewService(s, nothingDrawn{}, packs.NewRegistry(f, testkit.GameChain, chests), func() *draw.Tables { return tables }, c)
}

// The counters sum over the editions whose tables are fixed; other tokens of the contract do not count.
// Spec: LIVE-10
func TestPacks_InventoryChangeIsBroadcast(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	offers := []packs.Offer{
		{TokenID: "1", Quantity: 499}, {TokenID: "101", Quantity: 20}, {TokenID: "2", Quantity: 9}, {TokenID: "3", Quantity: 50},
		{TokenID: "7", Quantity: 1},
	}
	s := newShelf(t, shelf{offers, now.Now().Add(time.Hour)}, now, "1", "101", "3")
	for _, want := range []string{
		`{"channelId":"kod-pack","type":"inventory-change","payload":{"generalPacksRemaining":519,"avatarPacksRemaining":0,` +
			`"godPacksRemaining":50}}`,
		`{"channelId":"kod-pack","type":"inventory-change","payload":{"generalPacksRemaining":0,"avatarPacksRemaining":0,"godPacksRemaining":0}}`,
	} {
		m, err := s.InventoryChange(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		now.Advance(time.Hour)
	}
}

func TestPacks_ShelfShowsTheCheapestEdition(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	offers := []packs.Offer{
		{ID: "a", TokenID: "101", Price: money.FromInt(4), Quantity: 5}, {ID: "b", TokenID: "1", Price: money.FromInt(3), Quantity: 2},
		{ID: "c", TokenID: "1", Price: money.FromInt(9), Quantity: 1}, {ID: "d", TokenID: "2", Price: money.FromInt(1), Quantity: 8},
	}
	products, err := newShelf(t, shelf{offers, now.Now().Add(time.Hour)}, now, "1", "101", "3").Products(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	general, avatar, god := products[0], products[1], products[2]
	if general.Offer == nil || general.Offer.ID != "b" || general.Available != 8 || general.Shown.Table.Token != "1" ||
		len(general.Editions) != 2 || general.Editions[0].Available != 5 {
		t.Errorf("general: %+v", general)
	}
	if avatar.Offer != nil || avatar.Available != 0 || avatar.Shown.Table.Token != "2" || avatar.Shown.Fixed != nil {
		t.Errorf("an edition whose table is not fixed is for sale: %+v", avatar)
	}
	if god.Offer != nil || god.Shown.Fixed == nil || god.Shown.OnSale || god.Shown.Given["elder-gods"] != 998 {
		t.Errorf("god: %+v", god)
	}
}

// Spec: DRAW-7
func TestPacks_AreSoldOnlyWithAFixedTable(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	offers := []packs.Offer{{ID: "a", TokenID: "1"}, {ID: "b", TokenID: "2"}, {ID: "c", TokenID: "101"}, {ID: "d", TokenID: "7"}}
	s := newShelf(t, shelf{offers: offers}, now, "1")
	for _, listing := range []string{"a", "of another collection"} {
		if err := s.MaySell(t.Context(), listing); err != nil {
			t.Errorf("%s: %v", listing, err)
		}
	}
	for _, listing := range []string{"b", "c", "d"} {
		if err := s.MaySell(t.Context(), listing); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: %v", listing, err)
		}
	}
	if _, err := s.InShopNow(t.Context(), "destiny-gold"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a kind of the shop without a fixed table: %v", err)
	}
}

// The blocks of a chain can be dated a little ahead of this server's clock. A payment that was recorded before the table's block could
// never be drawn.
func TestPacks_AreSoldInTheShopFromTheTimeAtWhichTheirTableIsFixed(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	first := editions(t)
	i := slices.IndexFunc(first.All(), func(t draw.Table) bool { return t.Kind == "destiny-gold" })
	next := first.All()[i]
	next.Edition = 2
	tables := draw.TablesOf(append(first.All(), next))
	f := &fixed{wallets: []packs.Anchor{
		{Hash: first.All()[i].Hash(), Fixed: packs.Fixed{At: now.Now().Add(-time.Second)}},
		{Hash: next.Hash(), Fixed: packs.Fixed{At: now.Now().Add(2 * time.Second)}},
	}}
	s := packs.NewService(shelf{}, nothingDrawn{}, packs.NewRegistry(f, testkit.GameChain, chests), func() *draw.Tables { return tables }, now)
	for _, want := range []int{1, 1, 1, 2} {
		if edition, err := s.InShopNow(t.Context(), "destiny-gold"); edition != want || err != nil {
			t.Errorf("at %s edition %d is sold, %v; want %d", now.Now(), edition, err, want)
		}
		now.Advance(time.Second)
	}
}

// A contract that has fixed another table for a token contradicts the portal's: such packs are not sold.
// Spec: DRAW-7
func TestPacks_OfAnotherTableAreNotSold(t *testing.T) {
	t.Parallel()
	tables := editions(t)
	f := &fixed{contract: []onchain.FixedTable{{Contract: chests, TokenID: "1", Hash: [32]byte{1}}}}
	r := packs.NewRegistry(f, testkit.GameChain, chests)
	table, _ := tables.OfToken("1")
	all, err := r.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := all.Of(table); ok || err == nil || !strings.Contains(err.Error(), "another table") {
		t.Errorf("fixed: %v, %v", ok, err)
	}
}

// notary is a wallet whose transactions are final when final is set.
type notary struct {
	sent  map[string][]byte
	final bool
	fixes bool
	fails int // how many transactions of each table fail
}

func (n *notary) Send(_ context.Context, id string, input []byte) error {
	n.sent[id] = input
	return nil
}

func (n *notary) Sent(_ context.Context, id string) (packs.Place, bool, error) {
	if n.sent[id] == nil {
		return packs.Place{}, false, fault.New(fault.NotFound, "not sent")
	}
	attempt := 0
	if _, number, ok := strings.Cut(id, "~"); ok {
		attempt, _ = strconv.Atoi(number)
	}
	if attempt < n.fails {
		return packs.Place{}, false, fault.New(fault.Conflict, "The transaction %s failed.", id)
	}
	return packs.Place{Fixed: packs.Fixed{By: draw.ByWallet, Block: 7}}, n.final, nil
}

func (n *notary) Wallet() eth.Address { return eth.Address{19: 7} }

func (n *notary) Fixes(context.Context) (bool, error) { return n.fixes, nil }

// What the contract of the packs fixes is left to it; all else is sent once, and recorded when it is final.
// Spec: DRAW-7
func TestAnchorer_FixesWhatNoContractFixes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fixes bool
		want  int
	}{{true, 3}, {false, 7}} { // three kinds of the shop, and four tokens
		tables, f, n := editions(t), &fixed{}, &notary{sent: map[string][]byte{}, fixes: c.fixes}
		a := packs.NewAnchorer(packs.NewRegistry(f, testkit.GameChain, chests), n, func() *draw.Tables { return tables })
		for range 2 {
			if err := a.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if len(n.sent) != c.want || len(f.wallets) != 0 {
			t.Fatalf("%d sent and %d recorded", len(n.sent), len(f.wallets))
		}
		n.final = true
		for range 2 {
			if err := a.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		gold, _ := tables.Edition("destiny-gold", 1)
		all, err := packs.NewRegistry(f, testkit.GameChain, chests).Tables(t.Context())
		if at, ok, err2 := all.Of(gold); len(f.wallets) != c.want || !ok || err != nil || err2 != nil || at.Block != 7 {
			t.Errorf("%d recorded; gold is fixed at %+v, %v, %v", len(f.wallets), at, err, err2)
		}
	}
}

func TestAnchorer_SendsAFailedTransactionAgainAFewTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fails, sent int
		fixed       bool
	}{{1, 2, true}, {4, 5, true}, {5, 5, false}} {
		tables, f, n := editions(t), &fixed{}, &notary{sent: map[string][]byte{}, final: true, fixes: true, fails: c.fails}
		a := packs.NewAnchorer(packs.NewRegistry(f, testkit.GameChain, chests), n, func() *draw.Tables { return tables })
		var err error
		for range 9 {
			err = a.Step(t.Context())
		}
		if len(n.sent) != 3*c.sent || (len(f.wallets) == 3) != c.fixed || (err == nil) != c.fixed {
			t.Errorf("%d failures: %d sent for three tables, %d recorded, %v", c.fails, len(n.sent), len(f.wallets), err)
		}
		if !c.fixed && !strings.Contains(err.Error(), "the table of destiny-gold, edition 1, is not anchored: The transaction table/") {
			t.Errorf("%v", err)
		}
	}
}
