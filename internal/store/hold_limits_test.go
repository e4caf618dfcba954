package store_test

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
)

// needFunds makes the index end holds that the money no longer covers.
func (d checkoutTest) needFunds() checkoutTest {
	d.index = index.New(d.db, index.Options{Describer: plainArt{}, Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{
			indexChain: {
				Marketplace: marketplace, Currencies: []eth.Address{usdc},
				Rules: projection.Rules{Packs: chests, Manager: seller, Symbol: "USDC", Decimals: 6}, HoldCurrency: &usdc,
			},
		}})
	return d
}

func TestHolds_OnlyAPaymentThatTheRelayHasKeepsUnitsLonger(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		o := d.start()
		d.clock.Advance(5 * time.Minute)
		d.ok(d.accept("A", walletA, payment(1), o.Calls[:1]))
		d.want("after an operation that pays for nothing", d.ends(), "7/0 15m1s")
		d.ok(d.accept("B", walletB, payment(2), o.Calls))
		d.want("after somebody else's payment", d.ends(), "7/0 15m1s")
		d.ok(d.accept("A", walletA, payment(3), o.Calls))
		d.want("after a payment", d.ends(), "7/0 20m1s")
	})
}

func TestHolds_OfADroppedPaymentEndWhenTheMoneyLeaves(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d = d.needFunds()
		d.put("A", "7", 0)
		d.ok(d.accept("A", walletA, payment(1), d.start().Calls))
		d.ok(gasstore.New(d.db).Drop(t.Context(), payment(1), "it would revert", d.clock.Now()))
		d.apply(transfer(onchain.ERC20, usdc, "0", walletA, stranger, 10_000))
		d.want("holds", d.ends())
	})
}

// Of the holds that the money no longer covers, those being paid for stay.
func TestHolds_WhatIsBeingPaidForStaysWhenTheMoneyLeaves(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d = d.needFunds()
		d.put("A", "7", 0, 1)
		o := d.start()
		d.ok(d.accept("A", walletA, payment(1), o.Calls))
		d.put("A", "8", 0, 1)
		d.told()

		d.apply(transfer(onchain.ERC20, usdc, "0", walletA, stranger, 7_500))
		held := func() (units []string) {
			for _, end := range d.ends() {
				units = append(units, end[:3])
			}
			return units
		}
		d.want("with 2,500 of what costs 4,000", held(), "7/0", "7/1")
		text := "Your wallet no longer has the money for this, so it has left your cart."
		told := slices.DeleteFunc(d.told(), func(line string) bool { return line != "listing 1337042-8" && line[:1] != "A" })
		slices.Sort(told)
		d.want("told", slices.Compact(told),
			"A: listing/hold-ended map[assetContractAddress:"+items.String()+" index:0 listingId:8 message:"+text+"]",
			"A: listing/hold-ended map[assetContractAddress:"+items.String()+" index:1 listingId:8 message:"+text+"]",
			"listing 1337042-8")

		// The purchase itself uses the money it needs, and ends no other hold.
		d.apply(transfer(onchain.ERC20, usdc, "0", stranger, walletA, 1_000))
		d.clock.Advance(time.Minute)
		d.put("A", "8", 2)
		d.mined(payment(1), true, append(buy("7", "1", walletA, 2), transfer(onchain.ERC20, usdc, "0", walletA, seller, 2_000))...)
		d.mustBe(o.ID, checkout.Complete)
		d.want("after the purchase", held(), "8/2")
	})
}
