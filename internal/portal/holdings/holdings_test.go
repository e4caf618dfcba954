package holdings_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	game onchain.ChainID = 1337042
	main onchain.ChainID = 1337137
)

var (
	own       = []eth.Address{alice}
	alice     = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	bob       = eth.MustAddress("0x00000000000000000000000000000000000000b0")
	avatars   = holdings.Contract{Chain: game, Address: eth.MustAddress("0x0000000000000000000000000000000000000a01")}
	season    = holdings.Contract{Chain: game, Address: eth.MustAddress("0x0000000000000000000000000000000000000a02")}
	items     = holdings.Contract{Chain: game, Address: eth.MustAddress("0x0000000000000000000000000000000000000a03")}
	community = holdings.Contract{Chain: main, Address: eth.MustAddress("0x0000000000000000000000000000000000000b01")}
	ultimate  = holdings.Contract{Chain: main, Address: eth.MustAddress("0x0000000000000000000000000000000000000b02")}
	usdc      = holdings.Contract{Chain: game, Address: eth.MustAddress("0x0000000000000000000000000000000000000c01")}
	usdcMain  = holdings.Contract{Chain: main, Address: usdc.Address} // the same address on another chain is another currency
)

func config() holdings.Config {
	return holdings.Config{
		Kinds: map[collections.Kind][]holdings.Contract{
			collections.Avatars: {avatars, season}, collections.GameItems: {items}, collections.Passes: {community, ultimate},
		},
		CommunityPasses: community, UltimatePasses: ultimate,
		Currencies: []holdings.Currency{{Contract: usdc, Symbol: "USDC", Decimals: 6}, {Contract: usdcMain, Symbol: "USDC", Decimals: 6}},
	}
}

// art describes every token by its number.
type art struct{}

func (art) Describe(_ eth.Address, id string, _ *metadata.Document) index.Description {
	return index.Description{Rank: 3, Token: market.Token{
		Collection: "things", Name: "Thing " + id, Kind: "thing", Rarity: "epic",
		Attributes: []market.Attribute{{TraitType: "Number", Value: id}},
	}}
}

// give mints tokens on a chain, in one block.
func give(t *testing.T, x *index.Index, chain onchain.ChainID, transfers ...onchain.Transfer) {
	t.Helper()
	progress, err := x.Resume(t.Context(), chain, onchain.Sources{Base: "test"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var parent eth.Hash
	block := onchain.Block{Number: 1, Hash: eth.Hash{1}, Time: time.Now()}
	if cursor := progress.Cursor; cursor != nil {
		parent, block.Number, block.Hash = cursor.Hash, cursor.Number+1, eth.Hash{cursor.Hash[0] + 1}
	}
	for i := range transfers {
		transfers[i].Block, transfers[i].LogIndex = block.Number, uint32(i)
	}
	b := onchain.Batch{
		Chain: chain, From: block.Number, To: block.Number, Parent: parent, Blocks: []onchain.Block{block}, Transfers: transfers,
	}
	if err := x.ApplyBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func token(c holdings.Contract, to eth.Address, id string, amount int64) onchain.Transfer {
	return onchain.Transfer{Contract: c.Address, Standard: onchain.ERC1155, TokenID: id, To: to, Amount: money.FromInt(amount)}
}

func coin(to eth.Address, amount int64) onchain.Transfer {
	return onchain.Transfer{Contract: usdc.Address, Standard: onchain.ERC20, TokenID: "0", To: to, Amount: money.FromInt(amount)}
}

func each(t *testing.T, test func(t *testing.T, s *holdings.Service, x *index.Index)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		test(t, holdings.NewService(store.Holdings{DB: db}, config()), index.New(db, index.Options{Describer: art{}}))
	})
}

func ids(p holdings.Page) (out []string) {
	for _, t := range p.Items {
		out = append(out, t.TokenID)
	}
	return out
}

// Spec: ITEM-4, ITEM-6, ITEM-9
func TestHoldings_ListHasWhatTheOwnerHoldsOfTheKind(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		give(t, x, game, token(items, alice, "10", 2), token(items, alice, "9", 1), token(items, bob, "8", 5), token(avatars, alice, "1", 1))
		page, err := s.List(t.Context(), own, collections.GameItems, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(page); page.Total != 3 || page.Next != "" || !slices.Equal(got, []string{"9", "10"}) {
			t.Fatalf("%d: %v, next %q", page.Total, got, page.Next)
		}
		want := "{10 2 things Thing 10 thing epic [{Number 10}]}"
		if i := page.Items[1]; fmt.Sprint(struct {
			TokenID                        string
			Amount                         money.Units
			Collection, Name, Kind, Rarity string
			Attributes                     []holdings.Attribute
		}{i.TokenID, i.Amount, i.Collection, i.Name, i.Kind, i.Rarity, i.Attributes}) != want || i.Contract != items.Address {
			t.Errorf("%+v, want %s", i, want)
		}
	})
}

// The holdings of a player's wallets form one list: by wallet, each token with its wallet, all counted, and the same
// page by page.
// Spec: ITEM-6, ITEM-10
func TestHoldings_ListOfTwoWalletsIsBothListsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		give(t, x, game, token(avatars, bob, "1", 1), token(season, bob, "2", 1), token(avatars, alice, "1", 1), token(avatars, alice, "3", 2),
			token(season, alice, "1", 1))
		want := []string{"a1 0a01 1", "a1 0a01 3", "a1 0a02 1", "b0 0a01 1", "b0 0a02 2"}
		for limit := 1; limit <= len(want); limit++ {
			var got []string
			for cursor := "0"; cursor != ""; {
				page, err := s.List(t.Context(), []eth.Address{alice, bob}, collections.Avatars, strings.TrimPrefix(cursor, "0"), limit)
				if err != nil || page.Total != 6 {
					t.Fatalf("%d in all, %v", page.Total, err)
				}
				for _, i := range page.Items {
					got = append(got, fmt.Sprintf("%x %x %s", i.Owner[19:], i.Contract[18:], i.TokenID))
				}
				if cursor = page.Next; cursor != "" {
					cursor = "0" + cursor
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("in pages of %d: %v, want %v", limit, got, want)
			}
		}
		if page, err := s.List(t.Context(), nil, collections.Avatars, "", 0); err != nil || page.Total != 0 || page.Items == nil {
			t.Errorf("of no wallet at all: %+v, %v", page, err)
		}
	})
}

func TestHoldings_PassesOfTwoWalletsAreCountedTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		give(t, x, main, token(community, bob, "9", 1), token(community, alice, "12", 1), token(ultimate, bob, "4", 1))
		p, err := s.Passes(t.Context(), []eth.Address{alice, bob})
		if err != nil || !slices.Equal(p.CommunityTokenIDs, []string{"9", "12"}) || !slices.Equal(p.UltimateTokenIDs, []string{"4"}) {
			t.Errorf("%+v, %v", p, err)
		}
	})
}

func TestHoldings_AreEmptyWithoutTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, _ *index.Index) {
		page, err := s.List(t.Context(), own, collections.Avatars, "", 10)
		if err != nil || page.Total != 0 || page.Items == nil || len(page.Items) != 0 || page.Next != "" {
			t.Errorf("%+v, %v", page, err)
		}
		passes, err := s.Passes(t.Context(), own)
		if err != nil || len(passes.CommunityTokenIDs)+len(passes.UltimateTokenIDs) != 0 || passes.CommunityTokenIDs == nil ||
			passes.UltimateTokenIDs == nil {
			t.Errorf("%+v, %v", passes, err)
		}
	})
}

// Pages of any size together show everything once, in the order of contracts and token ids.
func TestHoldings_PageHasAHundredTokensAtMost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		var all []onchain.Transfer
		for id := range 101 {
			all = append(all, token(avatars, alice, fmt.Sprint(id), 1))
		}
		give(t, x, game, all...)
		for limit, want := range map[int]int{-1: 100, 0: 100, 1: 1, 100: 100, 101: 100} {
			if page, err := s.List(t.Context(), own, collections.Avatars, "", limit); err != nil || len(page.Items) != want {
				t.Errorf("a page of %d has %d tokens, want %d; %v", limit, len(page.Items), want, err)
			}
		}
	})
}

func TestHoldings_PagesNeitherRepeatNorSkip(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		var all []onchain.Transfer
		var want []string
		for _, id := range []string{"0", "2", "10", "11", "100", "99999999999999999999"} {
			all, want = append(all, token(avatars, alice, id, 1)), append(want, id)
		}
		for _, id := range []string{"1", "2", "30"} {
			all, want = append(all, token(season, alice, id, 1)), append(want, id)
		}
		slices.Reverse(all)
		give(t, x, game, all...)
		for limit := 1; limit <= len(want)+1; limit++ {
			var got []string
			cursor := ""
			for pages := 0; pages == 0 || cursor != ""; pages++ {
				page, err := s.List(t.Context(), own, collections.Avatars, cursor, limit)
				if err != nil {
					t.Fatal(err)
				}
				if len(page.Items) > limit || page.Total != int64(len(want)) {
					t.Fatalf("%d items of %d on a page of %d", len(page.Items), page.Total, limit)
				}
				got, cursor = append(got, ids(page)...), page.Next
			}
			if !slices.Equal(got, want) {
				t.Errorf("in pages of %d: %v, want %v", limit, got, want)
			}
		}
	})
}

func TestHoldings_CursorOfNoPageAndAnUnknownKindAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, _ *index.Index) {
		encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
		if _, err := s.List(t.Context(), own, collections.Avatars, encode("holdings|1|1"), 1); err != nil {
			t.Errorf("the last shelf: %v", err)
		}
		for _, text := range []string{
			"x", "holdings|0", "holdings|0|", "holdings|0|x", "holdings|2|1", "holdings|-1|1", "holdings||1", "holdings|0|1|1",
			"holdings|99999999999999999999|1", "newest|0|1",
		} {
			if _, err := s.List(t.Context(), own, collections.Avatars, encode(text), 1); !fault.Is(err, fault.Invalid) {
				t.Errorf("cursor %q: %v, want invalid", text, err)
			}
		}
		if _, err := s.List(t.Context(), own, collections.Avatars, "0.1", 1); !fault.Is(err, fault.Invalid) {
			t.Errorf("a cursor that is not encoded: %v, want invalid", err)
		}
		if _, err := s.List(t.Context(), own, "dragons", "", 1); !fault.Is(err, fault.NotFound) {
			t.Errorf("an unknown kind: %v, want not found", err)
		}
	})
}

func TestHoldings_TotalIsCappedAtMaxInt64(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		most, err := money.FromBig(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
		if err != nil {
			t.Fatal(err)
		}
		one, two := token(items, alice, "1", math.MaxInt64), token(items, alice, "2", math.MaxInt64)
		give(t, x, game, one, two)
		if page, err := s.List(t.Context(), own, collections.GameItems, "", 1); err != nil || page.Total != math.MaxInt64 {
			t.Errorf("%d, %v", page.Total, err)
		}
		three, four := token(items, alice, "3", 0), token(items, alice, "4", 0)
		three.Amount, four.Amount = most, most
		give(t, x, game, three, four)
		if page, err := s.List(t.Context(), own, collections.GameItems, "", 1); err != nil || page.Total != math.MaxInt64 {
			t.Errorf("%d, %v", page.Total, err)
		}
	})
}

// Spec: ITEM-5
func TestHoldings_PassesAreCountedByTier(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		give(t, x, main, token(community, alice, "12", 1), token(community, alice, "7", 1), token(ultimate, alice, "3", 1),
			token(ultimate, bob, "4", 1))
		p, err := s.Passes(t.Context(), own)
		if err != nil || !slices.Equal(p.CommunityTokenIDs, []string{"7", "12"}) || !slices.Equal(p.UltimateTokenIDs, []string{"3"}) {
			t.Errorf("%+v, %v", p, err)
		}
		page, err := s.List(t.Context(), own, collections.Passes, "", 0)
		if err != nil || page.Total != 3 || !slices.Equal(ids(page), []string{"7", "12", "3"}) {
			t.Errorf("as a list: %+v, %v", page, err)
		}
	})
}

func TestHoldings_BalancesAreOfTheirChain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *holdings.Service, x *index.Index) {
		give(t, x, game, coin(alice, 1_500_000), coin(bob, 9))
		balances, err := s.Balances(t.Context(), alice)
		if err != nil || len(balances) != 2 {
			t.Fatalf("%+v, %v", balances, err)
		}
		if b := balances[0]; b.Contract != usdc || b.Amount.Decimal(b.Decimals) != "1.5" {
			t.Errorf("on the game chain: %+v", b)
		}
		if b := balances[1]; b.Contract != usdcMain || !b.Amount.IsZero() {
			t.Errorf("on the main chain: %+v", b)
		}
	})
}

// register registers the wallets of players; what each holds by then is not new.
func register(t *testing.T, db *store.DB, players ...string) {
	t.Helper()
	for _, p := range players {
		testkit.AddPlatformPlayer(t, db, p)
		if _, err := accounts.New(db).CreateWallet(t.Context(), wallet.Wallet{
			PlayerID: p, Key: wallet.Key{Owner: testkit.OwnerOf(p), Smart: testkit.WalletOf(p), Sealed: "sealed"},
		}, time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := accounts.New(db).RegisterPair(t.Context(), p, time.Now(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Spec: ITEM-7
func TestHoldings_ItemsAreNewUntilTheyAreSeen(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s, x := holdings.NewService(store.Holdings{DB: db}, config()), index.New(db, index.Options{Describer: art{}})
		mine, others := testkit.WalletOf("A"), testkit.WalletOf("B")
		expect := func(what string, want ...string) {
			t.Helper()
			if got, err := s.NewItems(t.Context(), "A"); err != nil || !slices.Equal(got, want) || got == nil {
				t.Errorf("%s: %v new (%v), want %v", what, got, err, want)
			}
		}
		expect("nobody known")
		give(t, x, game, token(items, mine, "1", 1))
		register(t, db, "A", "B")
		expect("what was there when the wallet was registered")
		give(t, x, game, token(items, mine, "10", 1), token(items, mine, "9", 2), token(items, others, "8", 1), token(avatars, mine, "7", 1))
		expect("what arrived since", "9", "10")
		if err := s.SeeItems(t.Context(), "A"); err != nil {
			t.Fatal(err)
		}
		expect("what was seen")
		if got, err := s.NewItems(t.Context(), "B"); err != nil || !slices.Equal(got, []string{"8"}) {
			t.Errorf("the other player has %v new (%v)", got, err)
		}
		give(t, x, game, token(items, mine, "10", 1), token(items, mine, "11", 1))
		expect("another copy counts too", "10", "11")
		gone := token(items, others, "11", 1)
		gone.From = mine
		give(t, x, game, gone)
		expect("what has left again does not", "10")
	})
}

// Spec: ITEM-7
func TestHoldings_ItemsMovedBetweenOnesOwnWalletsAreNotNew(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s, x := holdings.NewService(store.Holdings{DB: db}, config()), index.New(db, index.Options{Describer: art{}})
		give(t, x, game, token(items, testkit.WalletOf("A"), "1", 1))
		register(t, db, "A")
		if err := accounts.New(db).SaveChallenge(t.Context(), "A", wallet.Challenge{
			Address: alice, Chain: game, Nonce: "n", IssuedAt: time.Now(), ExpiresAt: time.Now(),
		}); err != nil {
			t.Fatal(err)
		}
		if err := accounts.New(db).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: alice, Chain: game, At: time.Now()},
			"n", nil); err != nil {
			t.Fatal(err)
		}
		moved := token(items, alice, "1", 1)
		moved.From = testkit.WalletOf("A")
		give(t, x, game, moved, token(items, alice, "2", 1))
		if got, err := s.NewItems(t.Context(), "A"); err != nil || !slices.Equal(got, []string{"2"}) {
			t.Errorf("%v new (%v), want 2, which came from elsewhere", got, err)
		}
	})
}
