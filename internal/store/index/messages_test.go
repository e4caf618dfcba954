package index_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/index"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit/storetest"
)

// The index's messages to players and to everyone, and its effects on holds, when reorganisations remove and repeat
// facts.

// buyChests is the sale of n chests from a listing, with the transfers before it.
func buyChests(number, id string, buyer eth.Address, n int64) []any {
	return []any{storetest.Transfer(onchain.ERC1155, storetest.Chests, id, storetest.Seller, buyer, n),
		onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
			Seller: storetest.Seller, Contract: storetest.Chests, TokenID: id, Buyer: buyer, Quantity: n, Total: money.FromInt(1000 * n)}}}
}

// Spec: LIVE-28
func TestMessages_ListingThatComesToTheMarketIsToldAsNew(t *testing.T) {
	t.Parallel()
	const isNew, changed, gone = "listing-new 1337042-0", "listing 1337042-0", "listing-gone 1337042-0"
	taken := ": live-listings-change/delete map[assetContractAddress:" + storetest.Items.Checksum() + " document:1337042-0]"
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintItems(storetest.Seller, "1", 3))
		x.Apply(storetest.List("0", storetest.TermsOf(storetest.Items, "1", 3)))
		x.Want("while the marketplace may not take the goods", x.Told())
		x.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, true))
		x.Want("once it may", x.Told(), changed)
		x.Apply(storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 3)))
		x.Want("once its seller sets the terms", x.Told(), isNew)
		offered := x.Tip
		x.Apply(storetest.Buy("0", "1", storetest.Stranger, 1)...)
		x.Want("sold in part", x.Told(), changed)
		x.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, false))
		x.Want("no longer backed", x.Told(), changed)
		x.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, true))
		x.Want("backed again", x.Told(), changed)
		x.Apply(storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 2)))
		x.Want("the terms are set again", x.Told(), isNew)
		x.Apply(storetest.Cancel("0"))
		x.Want("cancelled", x.Told(), gone)
		x.Rewind(offered)
		x.Want("a reorganisation takes the end back", x.Told(), isNew)
		x.Rewind(start)
		x.Want("a reorganisation takes it away", x.Told(), taken)
		x.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)))
		x.Want("another block brings it back", x.Told(), isNew)
		x.Apply(storetest.List("1", storetest.TermsOf(storetest.Items, "1", 1)), storetest.Cancel("1"))
		x.Want("one that ends in the block it begins in", x.Told())
	})
}

// Spec: LIVE-13
func TestMessages_SellerIsToldOnceThatAListingIsMadeOrTakenOff(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		own := storetest.TermsOf(storetest.Items, "1", 2)
		own.Seller = storetest.WalletA
		start := x.Apply(storetest.MintItems(storetest.WalletA, "1", 2), storetest.MintItems(storetest.Seller, "1", 2),
			storetest.AllowAll(storetest.Items, storetest.WalletA, true))
		x.Told()
		messages := func() []string {
			return slices.DeleteFunc(x.Told(), func(line string) bool { return !strings.HasPrefix(line, "A: ") })
		}
		const made, off = "A: listing/new map[errorMessage: listingId:0 " +
			"success:true]", "A: listing/remove map[errorMessage: listingId:0 success:true]"

		x.ApplyIn(storetest.TxOf("list"), "", storetest.List("0", own), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 1)))
		x.Want("of the new one", messages(), made)
		x.Apply(storetest.Relist("0", own), storetest.List("0", own))
		x.Want("of a change, and of an event that can't be", messages())
		x.ApplyIn(storetest.TxOf("cancel"), "", storetest.Cancel("0"), storetest.Cancel("0"), storetest.Cancel("1"))
		x.Want("of the end", messages(), off)

		x.Rewind(start)
		x.Want("of what a reorganisation takes", messages())
		x.Apply(storetest.MintItems(storetest.Stranger, "1", 1))
		x.ApplyIn(storetest.TxOf("list"), "other", storetest.MintItems(storetest.Stranger, "1", 1),
			storetest.List("1", storetest.TermsOf(storetest.Items, "1", 1)), storetest.List("0", own))
		x.ApplyIn(storetest.TxOf("cancel"), "other", storetest.Cancel("0"))
		x.Want("of the same transactions in other blocks", messages())

		x.Rewind(start)
		x.ApplyIn(storetest.TxOf("another"), "third", storetest.List("0", own))
		x.Want("of another transaction", messages(), made)

		b := x.Next(storetest.Cancel("0"))
		x.Clock.Advance(3 * time.Minute)
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		x.Want("of history", messages())
	})
}

// Spec: LIVE-9, LIVE-26
func TestMessages_BuyerOfAPackIsToldOnceWhateverIsReorganised(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintChests(storetest.Seller, "2", 9),
			storetest.AllowAll(storetest.Chests, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Chests, "2", 9)))
		x.Told()
		purchases := func() (n int) {
			for _, line := range x.Told() {
				if strings.HasPrefix(line, "B: kod-pack/purchase-complete ") {
					n++
				}
			}
			return n
		}
		op := func(name string) onchain.UserOperationEvent {
			return onchain.UserOperationEvent{Hash: storetest.TxOf(name), Sender: storetest.WalletB, Success: true}
		}
		twice := slices.Concat(buyChests("0", "2", storetest.WalletB, 1), buyChests("0", "2", storetest.Stranger, 1),
			buyChests("0", "2", storetest.WalletB, 2))
		steps := []struct {
			name   string
			branch string
			tx     string
			facts  []any
			want   int
		}{
			{"two purchases in one transaction", "", "a", twice, 2},
			{"the same block again", "", "a", twice, 0},
			{"the same transaction in another block", "other", "a", twice, 0},
			{
				"the same transaction further down in a block", "third", "a",
				slices.Concat([]any{storetest.MintItems(storetest.Stranger, "1", 1), storetest.MintItems(storetest.Stranger, "2", 1)}, twice), 0,
			},
			{"another transaction", "fourth", "b", twice, 2},
			{"the first transaction again", "fifth", "a", twice, 0},
			{
				"two operations in a bundle", "sixth", "bundle",
				slices.Concat(twice, []any{op("1")}, buyChests("0", "2", storetest.WalletB, 1), []any{op("2")}), 3,
			},
			{"one of them in another bundle", "seventh", "another bundle",
				slices.Concat(buyChests("0", "2", storetest.WalletB, 1), []any{op("2")}), 0},
			{"the other one in a third", "eighth", "third bundle", slices.Concat([]any{op("3")}, twice, []any{op("1")}), 0},
		}
		for _, s := range steps {
			x.ApplyIn(storetest.TxOf(s.tx), s.branch, s.facts...)
			if got := purchases(); got != s.want {
				t.Errorf("%s: told %d times, want %d", s.name, got, s.want)
			}
			x.Rewind(start)
			if got := purchases(); got != 0 {
				t.Errorf("%s: told %d times when it was taken back", s.name, got)
			}
		}

		x.Reset()
		x.Tip = onchain.Block{}
		x.Apply(storetest.MintChests(storetest.Seller, "2", 9), storetest.AllowAll(storetest.Chests, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Chests, "2", 9)))
		x.ApplyIn(storetest.TxOf("a"), "anew", twice...)
		if got := purchases(); got != 0 {
			t.Errorf("a rebuilt index: announced %d times", got)
		}
	})
}

// A purchase ends as many holds of its buyer as units were bought. When a reorganisation removes and repeats the
// purchase, the buyer's other holds are not ended by it a second time.
// Spec: CART-24
func TestMessages_SaleSpendsItsBuyersHoldsOnceWhateverIsReorganised(t *testing.T) {
	t.Parallel()
	for _, again := range []string{"in the same block", "in another block"} {
		t.Run(again, func(t *testing.T) {
			t.Parallel()
			storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
				branch := ""
				if again == "in another block" {
					branch = "other"
				}
				start := x.Apply(storetest.MintItems(storetest.Seller, "1", 4),
					storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Items, "1", 4)))
				x.Hold("0", 0, "A", 40)
				x.Hold("0", 1, "A", 30)
				x.Hold("0", 2, "B", 20)
				x.ApplyIn(storetest.TxOf("buy"), "", storetest.Buy("0", "1", storetest.WalletA, 1)...)
				x.Want("holds after the purchase", x.Holds(), "1337042-0 1 A", "1337042-0 2 B")
				x.Rewind(start)
				x.Want("holds while it is taken back", x.Holds(), "1337042-0 1 A", "1337042-0 2 B")
				x.Hold("0", 0, "C", 10)
				x.Hold("0", 3, "C", 5)
				x.Told()
				x.ApplyIn(storetest.TxOf("buy"), branch, storetest.Buy("0", "1", storetest.WalletA, 1)...)
				x.Want("holds when it is back", x.Holds(), "1337042-0 0 C", "1337042-0 1 A", "1337042-0 2 B")
				x.Want("told", x.Told(), storetest.EndedHold("C", 3, "Somebody else bought this just now, so it has left your cart."),
					"listing 1337042-0")
				x.ApplyIn(storetest.TxOf("buy more"), "", storetest.Buy("0", "1", storetest.WalletA, 1)...)
				x.Want("holds after another purchase", x.Holds(), "1337042-0 0 C", "1337042-0 1 B")
			})
		})
	}
}

// The buyer of a unit that is gone is not told that someone else bought it, although the purchase came before the hold.
func TestMessages_BuyerWhoHeldAgainDuringAReorganisationIsNotToldOfTheirOwnPurchase(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintItems(storetest.Seller, "1", 1), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 1)))
		x.Hold("0", 0, "A", 40)
		x.ApplyIn(storetest.TxOf("buy"), "", storetest.Buy("0", "1", storetest.WalletA, 1)...)
		x.Rewind(start)
		x.Hold("0", 0, "A", 10)
		x.Told()
		x.ApplyIn(storetest.TxOf("buy"), "other", storetest.Buy("0", "1", storetest.WalletA, 1)...)
		x.Want("holds", x.Holds())
		x.Want("told", x.Told(), "listing-gone 1337042-0")
	})
}

// Spec: LIVE-27
func TestMessages_PlayersAreToldWhereTheirHoldingsChanged(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		change := func(player string, contracts ...eth.Address) string {
			var names []string
			for _, c := range contracts {
				names = append(names, c.Checksum())
			}
			return fmt.Sprintf("%s: holdings/change map[contracts:%v]", player, names)
		}
		money := func(to eth.Address, n int64) onchain.Transfer {
			return storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, to, n)
		}
		start := x.Apply(storetest.MintItems(storetest.Seller, "1", 3), money(storetest.Stranger, 5))
		x.Want("of others' holdings", x.ToldAll())
		x.Apply(money(storetest.WalletA, 500), storetest.MintItems(storetest.WalletA, "1", 2),
			storetest.MintItems(storetest.WalletA, "2", 1), storetest.MoveAvatar(eth.Address{}, storetest.WalletB, "7"))
		x.Want("once a batch, with all contracts", x.ToldAll(), change("A", storetest.USDC, storetest.Items), change("B", storetest.Avatars))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 2))
		x.Want("giver and taker", x.ToldAll(), change("A", storetest.Items), change("B", storetest.Items))
		x.Apply(storetest.MoveItems(storetest.WalletB, storetest.WalletB, "1", 2),
			storetest.MoveItems(storetest.WalletA, storetest.Stranger, "2", 1), storetest.MoveItems(storetest.Stranger, storetest.WalletA, "2", 1))
		x.Want("of what went and came back", x.ToldAll())
		x.Rewind(start)
		x.Want("of what a reorganisation takes", x.ToldAll(), change("A", storetest.USDC, storetest.Items),
			change("B", storetest.Avatars, storetest.Items))

		x.OK(accounts.New(x.DB).SaveChallenge(t.Context(), "A", wallet.Challenge{Address: storetest.Stranger, Nonce: "n"}))
		x.OK(accounts.New(x.DB).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: storetest.Stranger}, "n", nil))
		x.Apply(storetest.MintItems(storetest.Stranger, "1", 1))
		x.Want("of their own wallet", x.ToldAll(), change("A", storetest.Items))
		x.OK(accounts.New(x.DB).ForgetVerified(t.Context(), "A", nil))
		x.Apply(storetest.MintItems(storetest.Stranger, "1", 1))
		x.Want("of a wallet that was theirs", x.ToldAll())

		b := x.Next(money(storetest.WalletA, 1))
		x.Clock.Advance(3 * time.Minute)
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		x.Want("of history", x.ToldAll())
	})
}

// Spec: LIVE-10
func TestMessages_EverybodyIsToldWhenTheNumberOfPacksForSaleChanges(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shop := rewards.Packs{DB: x.DB, Chain: storetest.Chain, Chests: storetest.Chests, Seller: storetest.Seller}
		var start onchain.Block
		of := func(id string, n int64, change func(*onchain.ListingTerms)) *onchain.ListingTerms {
			terms := storetest.TermsOf(storetest.Chests, id, n)
			if change != nil {
				change(terms)
			}
			return terms
		}
		for _, s := range []struct {
			name  string
			facts []any
			told  bool
			want  map[string]int64
		}{
			{
				"stocked",
				[]any{storetest.MintChests(storetest.Seller, "1", 20), storetest.MintChests(storetest.Seller, "2", 9),
					storetest.MintChests(storetest.WalletA, "1", 5), storetest.AllowAll(storetest.Chests, storetest.WalletA, true)}, false,
				map[string]int64{},
			},
			{"listed, but not backed", []any{storetest.List("0", of("1", 5, nil)), storetest.List("1", of("2", 3, nil))}, false, map[string]int64{}},
			{"backed later", []any{storetest.AllowAll(storetest.Chests, storetest.Seller, true)}, false, map[string]int64{}},
			{"set again", []any{storetest.Relist("0", of("1", 5, nil)), storetest.Relist("1", of("2", 3, nil))}, true,
				map[string]int64{"1": 5, "2": 3}},
			{"another listing of a kind", []any{storetest.List("2", of("1", 4, nil))}, true, map[string]int64{"1": 9, "2": 3}},
			{
				"dearer", []any{storetest.Relist("2", of("1", 4, func(l *onchain.ListingTerms) { l.PricePerToken = money.FromInt(7) }))}, false,
				map[string]int64{"1": 9, "2": 3},
			},
			{"sold", buyChests("0", "1", storetest.Stranger, 2), true, map[string]int64{"1": 7, "2": 3}},
			{
				"a player's own", []any{storetest.List("3", of("1", 5, func(l *onchain.ListingTerms) { l.Seller = storetest.WalletA }))}, false,
				map[string]int64{"1": 7, "2": 3},
			},
			{
				"of another collection", []any{storetest.MintItems(storetest.Seller, "1", 3),
					storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("4", storetest.TermsOf(storetest.Items, "1", 3))}, false,
				map[string]int64{"1": 7, "2": 3},
			},
			{"reserved", []any{storetest.Relist("1", of("2", 3, func(l *onchain.ListingTerms) { l.Reserved = true }))}, true,
				map[string]int64{"1": 7}},
			{"taken off", []any{storetest.Cancel("2")}, true, map[string]int64{"1": 3}},
			{"sold out", buyChests("0", "1", storetest.Stranger, 3), true, map[string]int64{}},
		} {
			x.Apply(s.facts...)
			if s.name == "stocked" {
				start = x.Tip
			}
			wantPacks(x, shop, s.name, s.told, s.want)
		}
		x.Rewind(start)
		wantPacks(x, shop, "taken back", false, map[string]int64{})
		x.Apply(storetest.List("0", of("1", 5, nil)), storetest.AllowAll(storetest.Chests, storetest.Seller, true))
		wantPacks(x, shop, "brought again", true, map[string]int64{"1": 5})
		x.Rewind(start)
		wantPacks(x, shop, "taken back while they were for sale", true, map[string]int64{})
		x.Apply(storetest.AllowAll(storetest.Chests, storetest.Seller, true),
			storetest.List("0", of("1", 5, func(l *onchain.ListingTerms) { l.End = x.Clock.Now().Add(time.Minute) })))
		wantPacks(x, shop, "for a minute", true, map[string]int64{"1": 5})
		x.Clock.Advance(time.Minute)
		wantPacks(x, shop, "when it is over", false, map[string]int64{})
	})
}

func wantPacks(x *storetest.Indexed, shop rewards.Packs, name string, told bool, want map[string]int64) {
	x.T.Helper()
	if got := slices.Contains(x.Told(), "packs "); got != told {
		x.T.Errorf("%s: told %v, want %v", name, got, told)
	}
	got, err := shop.PacksForSale(x.T.Context(), x.Clock.Now())
	x.OK(err)
	if !maps.Equal(got, want) {
		x.T.Errorf("%s: %v for sale, want %v", name, got, want)
	}
}

// The message of a failed burn names what the burn would have earned by the tariff in force now.
func TestOperation_FailedBurnIsReportedByTheTariffInForce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Index = index.New(x.DB, index.Options{
			Describer: storetest.PlainArt{}, Chains: map[onchain.ChainID]index.ChainRules{storetest.Chain: {Rules: projection.Rules{
				Burns: map[eth.Address]func(projection.Burn) projection.Earned{storetest.Relics: func(b projection.Burn) projection.Earned {
					if !b.Time.Equal(x.Clock.Now()) {
						return projection.Earned{}
					}
					return projection.Earned{Origin: reward.FromPiggyBank, Detail: projection.BankBroken{TokenID: b.TokenID, Amount: 1, FateAmount: 5}}
				}},
			}}},
		})
		selector := gas.SelectorOf("burn(address,uint256,uint256)")
		burn := gas.Call{Target: storetest.Relics, Data: selector[:]}
		for _, w := range []uint64{1, 1, 1} {
			q := eth.NewQuantity(w)
			burn.Data = append(burn.Data, q[:]...)
		}
		o := gas.Operation{Hash: storetest.TxOf("op"), Chain: storetest.Chain, Player: "A", State: gas.OperationDropped, Reason: "too late"}
		o.Operation.CallData = gas.EncodeCalls([]gas.Call{burn})
		x.OK(x.Index.OperationFailed(t.Context(), o))
		x.Want("a burn", x.Told(), "A: piggy-bank/burn map[fateAmount:0 isVipPiggy:false success:false]")
	})
}

// Failed purchases of packs, listings and cancellations each send their channel's message once.
// Spec: LIVE-9, LIVE-13, LIVE-26
func TestOperation_ItsFailureIsToldOnce(t *testing.T) {
	t.Parallel()
	call := func(signature string, words ...uint64) gas.Call {
		selector := gas.SelectorOf(signature)
		data := selector[:]
		for _, w := range words {
			q := eth.NewQuantity(w)
			data = append(data, q[:]...)
		}
		return gas.Call{Target: storetest.Marketplace, Data: data}
	}
	const buy = "buyFromListing(uint256,address,uint256,address,uint256)"
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintChests(storetest.Seller, "2", 9), storetest.AllowAll(storetest.Chests, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Chests, "2", 9)), storetest.MintItems(storetest.Seller, "1", 3),
			storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 3)))
		x.Told()
		failed := func(op, tx string, calls ...gas.Call) []string {
			t.Helper()
			o := gas.Operation{Hash: storetest.TxOf(op), Chain: storetest.Chain, Player: "A", State: gas.OperationDropped, Reason: "too late"}
			o.Operation.CallData = gas.EncodeCalls(calls)
			if tx != "" {
				o.State, o.TxHash = gas.OperationFailed, storetest.TxOf(tx)
			}
			x.OK(x.Index.OperationFailed(t.Context(), o))
			return x.Told()
		}
		calls := []gas.Call{
			call(buy, 0, 1, 1, 1, 1), call(buy, 1, 1, 1, 1, 1), call(buy, 99, 1, 1, 1, 1), call("cancelListing(uint256)", 7),
			call("createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool))", 1, 1, 1, 1, 1, 1, 1, 1),
		}
		want := []string{
			"A: listing/new map[errorMessage:Your listing could not be put on the market, and nothing has changed. (too late) listingId: " +
				"success:false]",
			"A: listing/remove map[errorMessage:Your listing could not be taken off the market, and nothing has changed. (too late) listingId:7 " +
				"success:false]",
			"A: kod-pack/purchase-complete map[errorMessage:The purchase was refused, and you were not charged. (too late) productId:2 " +
				"success:false]",
		}
		x.Want("of a dropped one", failed("op 1", "", calls...), want...)
		x.Want("again", failed("op 1", "", calls...))
		x.Apply(storetest.MintItems(storetest.Stranger, "1", 1))
		x.Want("when it fails on chain after a reorganisation", failed("op 1", "tx", calls...))
		x.Want("of one that failed on chain", failed("op 2", "tx", calls...), want...)
		x.Want("of a purchase of items", failed("op 3", "tx", calls[1]))
		x.Want("of one without calls", failed("op 4", "tx"))
		x.Apply(onchain.UserOperationEvent{Hash: storetest.TxOf("op 5"), Sender: storetest.WalletA, Success: true},
			onchain.UserOperationEvent{Hash: storetest.TxOf("op 6"), Sender: storetest.WalletA})
		x.Want("of one that the chain has as successful", failed("op 5", "", calls...))
		x.Want("of one that the chain has as failed", failed("op 6", "tx", calls...), want...)
		burn := call("burn(address,uint256,uint256)", 1, 2, 3)
		burn.Target = storetest.Chests
		x.Burning()
		x.Want("of a burn of packs", failed("op 7", "", burn),
			"A: kod-pack/open map[error:Could not open KOD pack. itemDropped:<nil> openingId: packLevel:Avatar]")
	})
}
