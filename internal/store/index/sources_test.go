package index_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/testkit/storetest"
)

// traded fills an index with a listing of which one unit is sold and one is held.
func traded(x *storetest.Indexed) {
	x.T.Helper()
	x.Apply(storetest.MintItems(storetest.Seller, "1", 5), storetest.AllowAll(storetest.Items, storetest.Seller, true),
		storetest.List("0", storetest.TermsOf(storetest.Items, "1", 5)))
	x.Apply(storetest.Buy("0", "1", storetest.WalletA, 1)...)
	x.Hold("0", 0, "C", 0)
	x.Told()
}

// changed are the sources of the test's index with a change.
func changed(change func(*onchain.Sources)) onchain.Sources {
	s := storetest.Sources()
	change(&s)
	return s
}

func TestResume_TellsWhereToGoOn(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		if p := x.Resume(storetest.Sources()); p.Cursor != nil {
			t.Fatalf("an empty index: %+v", p)
		}
		x.Apply(storetest.MintItems(storetest.Seller, "1", 5), storetest.List("0", storetest.TermsOf(storetest.Items, "1", 5)))
		p := x.Resume(storetest.Sources())
		if p.Cursor == nil || p.Cursor.Number != x.Tip.Number || p.Cursor.Hash != x.Tip.Hash || !p.Cursor.Time.Equal(x.Tip.Time) {
			t.Fatalf("%+v; want %+v", p.Cursor, x.Tip)
		}
		if !maps.Equal(p.Tokens, storetest.Sources().Tokens) || len(p.Added) != 0 {
			t.Errorf("tokens %v, added %v", p.Tokens, p.Added)
		}
		blocks, err := x.Index.Blocks(t.Context(), storetest.Chain)
		if err != nil || len(blocks) != 1 || blocks[0] != *p.Cursor {
			t.Fatalf("blocks %+v, %v", blocks, err)
		}
	})
}

// One replica with a wrong address must not cost everybody their holds.
func TestResume_IndexOfAnotherMarketplaceIsLeftAlone(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		traded(x)
		before := x.State()
		for want, other := range map[string]onchain.Sources{
			"the index of chain %d was read from a marketplace; configured is another one: ": changed(func(s *onchain.Sources) {
				s.Base = "another one"
			}),
			"the index of chain %d has " + storetest.Items.String() + " as erc1155; configured is erc721: ": changed(func(s *onchain.Sources) {
				s.Tokens[storetest.Items] = onchain.ERC721
			}),
		} {
			want = fmt.Sprintf(want, storetest.Chain) + "correct the settings, or replace the index with pantheon index rebuild"
			if _, err := x.Index.Resume(t.Context(), storetest.Chain, other, false); err == nil || err.Error() != want {
				t.Errorf("%v; want %s", err, want)
			}
		}
		if got := x.State(); got != before {
			t.Errorf("was\n%s\nis\n%s", before, got)
		}
		x.Want("holds", x.Holds(), fmt.Sprintf("%d-0 0 C", storetest.Chain))
		x.Resume(storetest.Sources())
	})
}

func TestResume_IndexOfAnotherMarketplaceIsDiscardedOnADevelopmentChain(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		empty := strings.ReplaceAll(x.State(), "a marketplace", "another one")
		traded(x)
		p, err := x.Index.Resume(t.Context(), storetest.Chain, changed(func(s *onchain.Sources) { s.Base = "another one" }), true)
		if p.Cursor != nil || p.Generation == 0 || err != nil {
			t.Fatalf("%+v, %v", p, err)
		}
		x.Exec("UPDATE chain_cursor SET generation = 0")
		if got := x.State(); got != empty {
			t.Errorf("left\n%s\nwant\n%s", got, empty)
		}
		x.Want("holds", x.Holds())
		x.Want("announcements", x.Told(),
			"C: listing/hold-ended map[assetContractAddress:"+storetest.Items.String()+
				" index:0 listingId:0 message:This can't be bought any more, so it has left your cart.]")
	})
}

// A contract that leaves the brand is still read: players hold its tokens, and it may come back. Until then it is not for sale.
func TestResume_ContractThatIsNoLongerConfiguredIsReadAndNotForSale(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		traded(x)
		before, tip := x.State(), x.Tip
		settle := func() {
			t.Helper()
			for range 2 {
				_, err := x.Index.SettleHistory(t.Context(), storetest.Chain)
				x.OK(err)
			}
		}
		fewer := changed(func(s *onchain.Sources) { delete(s.Tokens, storetest.Items) })
		p := x.Resume(fewer)
		if !maps.Equal(p.Tokens, storetest.Sources().Tokens) || len(p.Added) != 0 {
			t.Errorf("tokens %v, added %v", p.Tokens, p.Added)
		}
		settle()
		x.Want("removed", x.Listings(), "0 4 active invalid")
		x.Want("holds", x.Holds())
		x.Want("announcements", x.Told(), "C: listing/hold-ended map[assetContractAddress:"+storetest.Items.String()+
			" index:0 listingId:0 message:This can't be bought any more, so it has left your cart.]",
			fmt.Sprintf("listing %d-0", storetest.Chain))
		x.Apply(storetest.MintItems(storetest.Seller, "1", 1))
		x.Resume(fewer)
		settle()
		x.Want("removed, and minted", x.Listings(), "0 4 active invalid")
		x.Rewind(tip)
		x.Resume(storetest.Sources())
		settle()
		if got := x.State(); got != before {
			t.Errorf("was\n%s\nis\n%s", before, got)
		}
	})
}

// History concerns its own tokens: what others have in their carts stays.
func TestHistory_TouchesNoListingOfOtherTokens(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 5), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 2)))
		x.Hold("0", 0, "C", 0)
		x.Exec("UPDATE listing SET end_at = 1 WHERE listing_id = '1'") // its time is over
		added := eth.Address{7}
		x.Resume(changed(func(s *onchain.Sources) { s.Tokens[added] = onchain.ERC721 }))
		b := onchain.Batch{Chain: storetest.Chain, To: x.Tip.Number, Blocks: []onchain.Block{x.Tip}}
		x.OK(x.Index.AddHistory(t.Context(), b, map[eth.Address]onchain.Standard{added: onchain.ERC721}))
		x.Want("listings", x.Listings(), "0 2 active valid", "1 2 active valid")
		x.Want("browsable", x.Rows("SELECT browsable FROM listing ORDER BY id"), "1", "1") // until the next block
		x.Want("holds", x.Holds(), fmt.Sprintf("%d-0 0 C", storetest.Chain))
	})
}

// A batch that was read without a token that has joined since, as by a process that was frozen, lacks its facts.
func TestHistory_BatchThatWasReadBeforeATokenJoinedIsRefused(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply()
		added := eth.Address{7}
		sources := changed(func(s *onchain.Sources) { s.Tokens[added] = onchain.ERC721 })
		before := x.Resume(sources)
		stale := x.Next()
		b := onchain.Batch{Chain: storetest.Chain, To: x.Tip.Number, Blocks: []onchain.Block{x.Tip}}
		x.OK(x.Index.AddHistory(t.Context(), b, map[eth.Address]onchain.Standard{added: onchain.ERC721}))
		if err := x.Index.ApplyBatch(t.Context(), stale); !fault.Is(err, fault.Conflict) {
			t.Fatalf("%v, want a conflict", err)
		}
		after, err := x.Index.Resume(t.Context(), storetest.Chain, sources, false)
		if err != nil || after.Generation == before.Generation {
			t.Fatalf("%+v, %v", after, err)
		}
		stale.Generation = after.Generation
		x.OK(x.Index.ApplyBatch(t.Context(), stale))
	})
}

func TestResume_PaymasterThatIsReplacedIsStillRead(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		one, two := eth.Address{1}, eth.Address{2}
		x.Resume(changed(func(s *onchain.Sources) { s.Paymasters = []eth.Address{one} }))
		traded(x)
		p := x.Resume(changed(func(s *onchain.Sources) { s.Paymasters = []eth.Address{two} }))
		if p.Cursor == nil || len(p.Added) != 0 || len(p.Paymasters) != 2 {
			t.Errorf("%+v", p)
		}
		if p := x.Resume(storetest.Sources()); len(p.Paymasters) != 0 {
			t.Errorf("all are to be read: %v", p.Paymasters)
		}
	})
}

// An index of a version that stored only a digest of its sources goes on with the same ones.
func TestResume_IndexThatKnowsOnlyADigestGoesOnWithTheSameSources(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		same := changed(func(s *onchain.Sources) { s.Digest = "sources" })
		x.Resume(same)
		traded(x)
		want := x.State()
		x.Exec("UPDATE chain_cursor SET base = ''")
		x.Exec("DELETE FROM chain_source")
		_, err := x.Index.Resume(t.Context(), storetest.Chain, changed(func(s *onchain.Sources) { s.Digest = "others" }), false)
		if err == nil || !strings.Contains(err.Error(), "was read from other contracts: correct the settings") {
			t.Errorf("other sources: %v", err)
		}
		x.Resume(same)
		if got := x.State(); got != want {
			t.Errorf("was\n%s\nis\n%s", want, got)
		}
	})
}

// What was read of added tokens from a branch that the index does not have is refused.
func TestHistory_OfAnotherBranchIsRefused(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		added := eth.Address{7}
		traded(x)
		x.Resume(changed(func(s *onchain.Sources) { s.Tokens[added] = onchain.ERC721 }))
		before := x.State()
		tokens := map[eth.Address]onchain.Standard{added: onchain.ERC721}
		b := onchain.Batch{Chain: storetest.Chain, To: x.Tip.Number, Blocks: []onchain.Block{x.Tip}}
		for name, change := range map[string]func(*onchain.Batch){
			"another branch": func(b *onchain.Batch) { b.Blocks = []onchain.Block{{Number: x.Tip.Number, Hash: eth.Hash{1}}} },
			"a gap":          func(b *onchain.Batch) { b.From = 1 },
			"ahead": func(b *onchain.Batch) {
				b.To, b.Blocks = x.Tip.Number+1, []onchain.Block{{Number: x.Tip.Number + 1, Hash: eth.Hash{1}}}
			},
		} {
			wrong := b
			change(&wrong)
			if err := x.Index.AddHistory(t.Context(), wrong, tokens); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s: %v, want a conflict", name, err)
			}
		}
		if got := x.State(); got != before {
			t.Errorf("was\n%s\nis\n%s", before, got)
		}
		x.OK(x.Index.AddHistory(t.Context(), b, tokens))
		if err := x.Index.AddHistory(t.Context(), b, tokens); !fault.Is(err, fault.Conflict) {
			t.Errorf("twice: %v, want a conflict", err)
		}
		if p := x.Resume(storetest.Sources()); p.Tokens[added] != onchain.ERC721 || len(p.Added) != 0 {
			t.Errorf("%+v", p)
		}
	})
}

// Until all is read it is not known whether what was listed is still there.
func TestHistory_ListingIsForSaleOnceAllIsRead(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		added := eth.Address{7}
		x.Apply()
		first := x.Tip
		x.Apply()
		x.Resume(changed(func(s *onchain.Sources) { s.Tokens[added] = onchain.ERC1155 }))
		tokens := map[eth.Address]onchain.Standard{added: onchain.ERC1155}
		b := storetest.BatchAfter(onchain.Block{}, first.Time, "",
			storetest.Transfer(onchain.ERC1155, added, "1", eth.Address{}, storetest.Seller, 5),
			storetest.AllowAll(added, storetest.Seller, true), storetest.List("0", storetest.TermsOf(added, "1", 5)))
		b.From, b.Blocks = 0, []onchain.Block{first}
		settle := func() (more bool) {
			more, err := x.Index.SettleHistory(t.Context(), storetest.Chain)
			x.OK(err)
			return more
		}
		x.OK(x.Index.AddHistory(t.Context(), b, tokens))
		if settle() {
			t.Error("a listing is settled before its token is read")
		}
		x.Want("read in part", x.Listings(), "0 5 active invalid")
		last := onchain.Batch{Chain: storetest.Chain, From: first.Number + 1, To: x.Tip.Number, Blocks: []onchain.Block{x.Tip}}
		x.OK(x.Index.AddHistory(t.Context(), last, tokens))
		x.Want("read", x.Listings(), "0 5 active invalid")
		if !settle() || settle() {
			t.Error("one listing is to be settled, once")
		}
		x.Want("settled", x.Listings(), "0 5 active valid")
		x.Want("announcements", x.Told())
	})
}
