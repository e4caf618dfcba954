package store_test

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
)

// The index's messages to players and to everyone, and its effects on holds, when reorganisations remove and repeat
// facts.

func mintChests(to eth.Address, id string, n int64) onchain.Transfer {
	return transfer(onchain.ERC1155, chests, id, eth.Address{}, to, n)
}

// buyChests is the sale of n chests from a listing, with the transfers before it.
func buyChests(number, id string, buyer eth.Address, n int64) []any {
	return []any{transfer(onchain.ERC1155, chests, id, seller, buyer, n),
		onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
			Seller: seller, Contract: chests, TokenID: id, Buyer: buyer, Quantity: n, Total: money.FromInt(1000 * n)}}}
}

func txOf(name string) eth.Hash { return eth.Keccak256([]byte(name)) }

// Spec: LIVE-28
func TestMessages_ListingThatComesToTheMarketIsToldAsNew(t *testing.T) {
	t.Parallel()
	const isNew, changed, gone = "listing-new 1337042-0", "listing 1337042-0", "listing-gone 1337042-0"
	taken := ": live-listings-change/delete map[assetContractAddress:" + items.Checksum() + " document:1337042-0]"
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintItems(seller, "1", 3))
		x.apply(list("0", termsOf(items, "1", 3)))
		x.want("while the marketplace may not take the goods", x.told())
		x.apply(allowAll(items, seller, true))
		x.want("once it may", x.told(), changed)
		x.apply(relist("0", termsOf(items, "1", 3)))
		x.want("once its seller sets the terms", x.told(), isNew)
		offered := x.tip
		x.apply(buy("0", "1", stranger, 1)...)
		x.want("sold in part", x.told(), changed)
		x.apply(allowAll(items, seller, false))
		x.want("no longer backed", x.told(), changed)
		x.apply(allowAll(items, seller, true))
		x.want("backed again", x.told(), changed)
		x.apply(relist("0", termsOf(items, "1", 2)))
		x.want("the terms are set again", x.told(), isNew)
		x.apply(cancel("0"))
		x.want("cancelled", x.told(), gone)
		x.rewind(offered)
		x.want("a reorganisation takes the end back", x.told(), isNew)
		x.rewind(start)
		x.want("a reorganisation takes it away", x.told(), taken)
		x.apply(allowAll(items, seller, true), list("0", termsOf(items, "1", 2)))
		x.want("another block brings it back", x.told(), isNew)
		x.apply(list("1", termsOf(items, "1", 1)), cancel("1"))
		x.want("one that ends in the block it begins in", x.told())
	})
}

// Spec: LIVE-13
func TestMessages_SellerIsToldOnceThatAListingIsMadeOrTakenOff(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		own := termsOf(items, "1", 2)
		own.Seller = walletA
		start := x.apply(mintItems(walletA, "1", 2), mintItems(seller, "1", 2), allowAll(items, walletA, true))
		x.told()
		messages := func() []string {
			return slices.DeleteFunc(x.told(), func(line string) bool { return !strings.HasPrefix(line, "A: ") })
		}
		const made, off = "A: listing/new map[errorMessage: listingId:0 " +
			"success:true]", "A: listing/remove map[errorMessage: listingId:0 success:true]"

		x.applyIn(txOf("list"), "", list("0", own), list("1", termsOf(items, "1", 1)))
		x.want("of the new one", messages(), made)
		x.apply(relist("0", own), list("0", own))
		x.want("of a change, and of an event that can't be", messages())
		x.applyIn(txOf("cancel"), "", cancel("0"), cancel("0"), cancel("1"))
		x.want("of the end", messages(), off)

		x.rewind(start)
		x.want("of what a reorganisation takes", messages())
		x.apply(mintItems(stranger, "1", 1))
		x.applyIn(txOf("list"), "other", mintItems(stranger, "1", 1), list("1", termsOf(items, "1", 1)), list("0", own))
		x.applyIn(txOf("cancel"), "other", cancel("0"))
		x.want("of the same transactions in other blocks", messages())

		x.rewind(start)
		x.applyIn(txOf("another"), "third", list("0", own))
		x.want("of another transaction", messages(), made)

		b := x.next(cancel("0"))
		x.clock.Advance(3 * time.Minute)
		x.ok(x.index.ApplyBatch(t.Context(), b))
		x.want("of history", messages())
	})
}

// Spec: LIVE-9, LIVE-26
func TestMessages_BuyerOfAPackIsToldOnceWhateverIsReorganised(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintChests(seller, "2", 9), allowAll(chests, seller, true), list("0", termsOf(chests, "2", 9)))
		x.told()
		purchases := func() (n int) {
			for _, line := range x.told() {
				if strings.HasPrefix(line, "B: kod-pack/purchase-complete ") {
					n++
				}
			}
			return n
		}
		op := func(name string) onchain.UserOperationEvent {
			return onchain.UserOperationEvent{Hash: txOf(name), Sender: walletB, Success: true}
		}
		twice := slices.Concat(buyChests("0", "2", walletB, 1), buyChests("0", "2", stranger, 1), buyChests("0", "2", walletB, 2))
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
				slices.Concat([]any{mintItems(stranger, "1", 1), mintItems(stranger, "2", 1)}, twice), 0,
			},
			{"another transaction", "fourth", "b", twice, 2},
			{"the first transaction again", "fifth", "a", twice, 0},
			{
				"two operations in a bundle", "sixth", "bundle",
				slices.Concat(twice, []any{op("1")}, buyChests("0", "2", walletB, 1), []any{op("2")}), 3,
			},
			{"one of them in another bundle", "seventh", "another bundle", slices.Concat(buyChests("0", "2", walletB, 1), []any{op("2")}), 0},
			{"the other one in a third", "eighth", "third bundle", slices.Concat([]any{op("3")}, twice, []any{op("1")}), 0},
		}
		for _, s := range steps {
			x.applyIn(txOf(s.tx), s.branch, s.facts...)
			if got := purchases(); got != s.want {
				t.Errorf("%s: told %d times, want %d", s.name, got, s.want)
			}
			x.rewind(start)
			if got := purchases(); got != 0 {
				t.Errorf("%s: told %d times when it was taken back", s.name, got)
			}
		}

		x.ok(x.index.Reset(t.Context(), indexChain))
		x.tip = onchain.Block{}
		x.apply(mintChests(seller, "2", 9), allowAll(chests, seller, true), list("0", termsOf(chests, "2", 9)))
		x.applyIn(txOf("a"), "anew", twice...)
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
			eachIndex(t, func(t *testing.T, x *indexed) {
				branch := ""
				if again == "in another block" {
					branch = "other"
				}
				start := x.apply(mintItems(seller, "1", 4), allowAll(items, seller, true), list("0", termsOf(items, "1", 4)))
				x.hold("0", 0, "A", 40)
				x.hold("0", 1, "A", 30)
				x.hold("0", 2, "B", 20)
				x.applyIn(txOf("buy"), "", buy("0", "1", walletA, 1)...)
				x.want("holds after the purchase", x.holds(), "1337042-0 1 A", "1337042-0 2 B")
				x.rewind(start)
				x.want("holds while it is taken back", x.holds(), "1337042-0 1 A", "1337042-0 2 B")
				x.hold("0", 0, "C", 10)
				x.hold("0", 3, "C", 5)
				x.told()
				x.applyIn(txOf("buy"), branch, buy("0", "1", walletA, 1)...)
				x.want("holds when it is back", x.holds(), "1337042-0 0 C", "1337042-0 1 A", "1337042-0 2 B")
				x.want("told", x.told(), endedHold("C", 3, "Somebody else bought this just now, so it has left your cart."), "listing 1337042-0")
				x.applyIn(txOf("buy more"), "", buy("0", "1", walletA, 1)...)
				x.want("holds after another purchase", x.holds(), "1337042-0 0 C", "1337042-0 1 B")
			})
		})
	}
}

// The buyer of a unit that is gone is not told that someone else bought it, although the purchase came before the hold.
func TestMessages_BuyerWhoHeldAgainDuringAReorganisationIsNotToldOfTheirOwnPurchase(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintItems(seller, "1", 1), allowAll(items, seller, true), list("0", termsOf(items, "1", 1)))
		x.hold("0", 0, "A", 40)
		x.applyIn(txOf("buy"), "", buy("0", "1", walletA, 1)...)
		x.rewind(start)
		x.hold("0", 0, "A", 10)
		x.told()
		x.applyIn(txOf("buy"), "other", buy("0", "1", walletA, 1)...)
		x.want("holds", x.holds())
		x.want("told", x.told(), "listing-gone 1337042-0")
	})
}

// Spec: LIVE-27
func TestMessages_PlayersAreToldWhereTheirHoldingsChanged(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		change := func(player string, contracts ...eth.Address) string {
			var names []string
			for _, c := range contracts {
				names = append(names, c.Checksum())
			}
			return fmt.Sprintf("%s: holdings/change map[contracts:%v]", player, names)
		}
		money := func(to eth.Address, n int64) onchain.Transfer {
			return transfer(onchain.ERC20, usdc, "0", eth.Address{}, to, n)
		}
		start := x.apply(mintItems(seller, "1", 3), money(stranger, 5))
		x.want("of others' holdings", x.toldAll())
		x.apply(money(walletA, 500), mintItems(walletA, "1", 2), mintItems(walletA, "2", 1), moveAvatar(eth.Address{}, walletB, "7"))
		x.want("once a batch, with all contracts", x.toldAll(), change("A", usdc, items), change("B", avatars))
		x.apply(moveItems(walletA, walletB, "1", 2))
		x.want("giver and taker", x.toldAll(), change("A", items), change("B", items))
		x.apply(moveItems(walletB, walletB, "1", 2), moveItems(walletA, stranger, "2", 1), moveItems(stranger, walletA, "2", 1))
		x.want("of what went and came back", x.toldAll())
		x.rewind(start)
		x.want("of what a reorganisation takes", x.toldAll(), change("A", usdc, items), change("B", avatars, items))

		x.ok(accounts.New(x.db).SaveChallenge(t.Context(), "A", wallet.Challenge{Address: stranger, Nonce: "n"}))
		x.ok(accounts.New(x.db).KeepVerified(t.Context(), wallet.Verified{PlayerID: "A", Address: stranger}, "n", nil))
		x.apply(mintItems(stranger, "1", 1))
		x.want("of their own wallet", x.toldAll(), change("A", items))
		x.ok(accounts.New(x.db).ForgetVerified(t.Context(), "A", nil))
		x.apply(mintItems(stranger, "1", 1))
		x.want("of a wallet that was theirs", x.toldAll())

		b := x.next(money(walletA, 1))
		x.clock.Advance(3 * time.Minute)
		x.ok(x.index.ApplyBatch(t.Context(), b))
		x.want("of history", x.toldAll())
	})
}

// Spec: LIVE-10
func TestMessages_EverybodyIsToldWhenTheNumberOfPacksForSaleChanges(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		shop := rewards.Packs{DB: x.db, Chain: indexChain, Chests: chests, Seller: seller}
		var start onchain.Block
		of := func(id string, n int64, change func(*onchain.ListingTerms)) *onchain.ListingTerms {
			terms := termsOf(chests, id, n)
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
				[]any{mintChests(seller, "1", 20), mintChests(seller, "2", 9), mintChests(walletA, "1", 5), allowAll(chests, walletA, true)}, false,
				map[string]int64{},
			},
			{"listed, but not backed", []any{list("0", of("1", 5, nil)), list("1", of("2", 3, nil))}, false, map[string]int64{}},
			{"backed later", []any{allowAll(chests, seller, true)}, false, map[string]int64{}},
			{"set again", []any{relist("0", of("1", 5, nil)), relist("1", of("2", 3, nil))}, true, map[string]int64{"1": 5, "2": 3}},
			{"another listing of a kind", []any{list("2", of("1", 4, nil))}, true, map[string]int64{"1": 9, "2": 3}},
			{
				"dearer", []any{relist("2", of("1", 4, func(l *onchain.ListingTerms) { l.PricePerToken = money.FromInt(7) }))}, false,
				map[string]int64{"1": 9, "2": 3},
			},
			{"sold", buyChests("0", "1", stranger, 2), true, map[string]int64{"1": 7, "2": 3}},
			{
				"a player's own", []any{list("3", of("1", 5, func(l *onchain.ListingTerms) { l.Seller = walletA }))}, false,
				map[string]int64{"1": 7, "2": 3},
			},
			{
				"of another collection", []any{mintItems(seller, "1", 3), allowAll(items, seller, true), list("4", termsOf(items, "1", 3))}, false,
				map[string]int64{"1": 7, "2": 3},
			},
			{"reserved", []any{relist("1", of("2", 3, func(l *onchain.ListingTerms) { l.Reserved = true }))}, true, map[string]int64{"1": 7}},
			{"taken off", []any{cancel("2")}, true, map[string]int64{"1": 3}},
			{"sold out", buyChests("0", "1", stranger, 3), true, map[string]int64{}},
		} {
			x.apply(s.facts...)
			if s.name == "stocked" {
				start = x.tip
			}
			x.wantPacks(shop, s.name, s.told, s.want)
		}
		x.rewind(start)
		x.wantPacks(shop, "taken back", false, map[string]int64{})
		x.apply(list("0", of("1", 5, nil)), allowAll(chests, seller, true))
		x.wantPacks(shop, "brought again", true, map[string]int64{"1": 5})
		x.rewind(start)
		x.wantPacks(shop, "taken back while they were for sale", true, map[string]int64{})
		x.apply(allowAll(chests, seller, true), list("0", of("1", 5, func(l *onchain.ListingTerms) { l.End = x.clock.Now().Add(time.Minute) })))
		x.wantPacks(shop, "for a minute", true, map[string]int64{"1": 5})
		x.clock.Advance(time.Minute)
		x.wantPacks(shop, "when it is over", false, map[string]int64{})
	})
}

func (x *indexed) wantPacks(shop rewards.Packs, name string, told bool, want map[string]int64) {
	x.t.Helper()
	if got := slices.Contains(x.told(), "packs "); got != told {
		x.t.Errorf("%s: told %v, want %v", name, got, told)
	}
	got, err := shop.PacksForSale(x.t.Context(), x.clock.Now())
	x.ok(err)
	if !maps.Equal(got, want) {
		x.t.Errorf("%s: %v for sale, want %v", name, got, want)
	}
}

// The message of a failed burn names what the burn would have earned by the tariff in force now.
func TestOperation_FailedBurnIsReportedByTheTariffInForce(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.index = index.New(x.db, index.Options{
			Describer: plainArt{}, Chains: map[onchain.ChainID]index.ChainRules{indexChain: {Rules: projection.Rules{
				Burns: map[eth.Address]func(projection.Burn) projection.Earned{relics: func(b projection.Burn) projection.Earned {
					if !b.Time.Equal(x.clock.Now()) {
						return projection.Earned{}
					}
					return projection.Earned{Origin: reward.FromPiggyBank, Detail: projection.BankBroken{TokenID: b.TokenID, Amount: 1, FateAmount: 5}}
				}},
			}}},
		})
		selector := gas.SelectorOf("burn(address,uint256,uint256)")
		burn := gas.Call{Target: relics, Data: selector[:]}
		for _, w := range []uint64{1, 1, 1} {
			q := eth.NewQuantity(w)
			burn.Data = append(burn.Data, q[:]...)
		}
		o := gas.Operation{Hash: txOf("op"), Chain: indexChain, Player: "A", State: gas.OperationDropped, Reason: "too late"}
		o.Operation.CallData = gas.EncodeCalls([]gas.Call{burn})
		x.ok(x.index.OperationFailed(t.Context(), o))
		x.want("a burn", x.told(), "A: piggy-bank/burn map[fateAmount:0 isVipPiggy:false success:false]")
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
		return gas.Call{Target: marketplace, Data: data}
	}
	const buy = "buyFromListing(uint256,address,uint256,address,uint256)"
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintChests(seller, "2", 9), allowAll(chests, seller, true), list("0", termsOf(chests, "2", 9)), mintItems(seller, "1", 3),
			allowAll(items, seller, true), list("1", termsOf(items, "1", 3)))
		x.told()
		failed := func(op, tx string, calls ...gas.Call) []string {
			t.Helper()
			o := gas.Operation{Hash: txOf(op), Chain: indexChain, Player: "A", State: gas.OperationDropped, Reason: "too late"}
			o.Operation.CallData = gas.EncodeCalls(calls)
			if tx != "" {
				o.State, o.TxHash = gas.OperationFailed, txOf(tx)
			}
			x.ok(x.index.OperationFailed(t.Context(), o))
			return x.told()
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
		x.want("of a dropped one", failed("op 1", "", calls...), want...)
		x.want("again", failed("op 1", "", calls...))
		x.apply(mintItems(stranger, "1", 1))
		x.want("when it fails on chain after a reorganisation", failed("op 1", "tx", calls...))
		x.want("of one that failed on chain", failed("op 2", "tx", calls...), want...)
		x.want("of a purchase of items", failed("op 3", "tx", calls[1]))
		x.want("of one without calls", failed("op 4", "tx"))
		x.apply(onchain.UserOperationEvent{Hash: txOf("op 5"), Sender: walletA, Success: true},
			onchain.UserOperationEvent{Hash: txOf("op 6"), Sender: walletA})
		x.want("of one that the chain has as successful", failed("op 5", "", calls...))
		x.want("of one that the chain has as failed", failed("op 6", "tx", calls...), want...)
		burn := call("burn(address,uint256,uint256)", 1, 2, 3)
		burn.Target = chests
		x.burning()
		x.want("of a burn of packs", failed("op 7", "", burn),
			"A: kod-pack/open map[error:Could not open KOD pack. itemDropped:<nil> openingId: packLevel:Avatar]")
	})
}
