package cart_test

import (
	"slices"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit/storetest"
)

// needFunds makes the index end holds that the money no longer covers.
func (d checkoutTest) needFunds() checkoutTest {
	d.Index = index.New(d.DB, index.Options{Describer: storetest.PlainArt{}, Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{
			storetest.Chain: {
				Marketplace: storetest.Marketplace, Currencies: []eth.Address{storetest.USDC},
				Rules: projection.Rules{Packs: storetest.Chests, Manager: storetest.Seller, Symbol: "USDC", Decimals: 6}, HoldCurrency: &storetest.USDC,
			},
		}})
	return d
}

func TestHolds_OnlyAPaymentThatTheRelayHasKeepsUnitsLonger(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		o := d.start()
		d.Clock.Advance(5 * time.Minute)
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls[:1]))
		d.Want("after an operation that pays for nothing", d.ends(), "7/0 15m1s")
		d.OK(d.accept("B", storetest.WalletB, storetest.Payment(2), o.Calls))
		d.Want("after somebody else's payment", d.ends(), "7/0 15m1s")
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(3), o.Calls))
		d.Want("after a payment", d.ends(), "7/0 20m1s")
	})
}

func TestHolds_OfADroppedPaymentEndWhenTheMoneyLeaves(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d = d.needFunds()
		d.put("A", "7", 0)
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), d.start().Calls))
		d.OK(gasstore.New(d.DB).Drop(t.Context(), storetest.Payment(1), "it would revert", d.Clock.Now()))
		d.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Stranger, 10_000))
		d.Want("holds", d.ends())
	})
}

// Of the holds that the money no longer covers, those being paid for stay.
func TestHolds_WhatIsBeingPaidForStaysWhenTheMoneyLeaves(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d = d.needFunds()
		d.put("A", "7", 0, 1)
		o := d.start()
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls))
		d.put("A", "8", 0, 1)
		d.Told()

		d.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Stranger, 7_500))
		held := func() (units []string) {
			for _, end := range d.ends() {
				units = append(units, end[:3])
			}
			return units
		}
		d.Want("with 2,500 of what costs 4,000", held(), "7/0", "7/1")
		text := "Your wallet no longer has the money for this, so it has left your cart."
		told := slices.DeleteFunc(d.Told(), func(line string) bool { return line != "listing 1337042-8" && line[:1] != "A" })
		slices.Sort(told)
		d.Want("told", slices.Compact(told),
			"A: listing/hold-ended map[assetContractAddress:"+storetest.Items.String()+" index:0 listingId:8 message:"+text+"]",
			"A: listing/hold-ended map[assetContractAddress:"+storetest.Items.String()+" index:1 listingId:8 message:"+text+"]",
			"listing 1337042-8")

		// The purchase itself uses the money it needs, and ends no other hold.
		d.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.Stranger, storetest.WalletA, 1_000))
		d.Clock.Advance(time.Minute)
		d.put("A", "8", 2)
		d.mined(storetest.Payment(1), true, append(storetest.Buy("7", "1", storetest.WalletA, 2),
			storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Seller, 2_000))...)
		d.mustBe(o.ID, checkout.Complete)
		d.Want("after the purchase", held(), "8/2")
	})
}
