package contracts_test

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
)

// payoutsFile has sales and what their sellers get. The site's arithmetic is tested against the same file.
const payoutsFile = "../../../web/test/payouts.json"

// Spec: MARKET-11
func TestMarket_SellerGetsThePriceLessBothFeesRoundedDown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(payoutsFile)
	if err != nil {
		t.Fatal(err)
	}
	var payouts []struct {
		PlatformBps, RoyaltyBps int64
		Price, Receive          json.Number
	}
	if err := json.Unmarshal(text, &payouts); err != nil {
		t.Fatal(err)
	}
	if len(payouts) < 50 {
		t.Fatalf("%s has %d sales", payoutsFile, len(payouts))
	}
	g := newGame(t)
	abi, platform := contracts.NewDirectListingsLogic(), contracts.NewMarketplaceV3()
	items, studio := g.Collections["game-items"], devnet.WalletOf(devnet.Manager).Address
	seller, buyer := devnet.WalletOf(devnet.Seller(1)).Address, devnet.WalletOf(devnet.Seller(2)).Address
	g.must(devnet.Manager, g.USDC, packed(contracts.Mint20(buyer, big.NewInt(1_000_000_000))))
	g.must(devnet.Seller(2), g.USDC, contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(1_000_000_000)))
	for _, p := range payouts {
		// A royalty can only fall: the rows are in that order.
		g.must(devnet.Manager, items, contracts.NewCollection1155().PackSetRoyalty(common.Address(studio), big.NewInt(p.RoyaltyBps)))
		g.must(devnet.Manager, g.Marketplace, platform.PackSetPlatformFeeInfo(common.Address(studio), big.NewInt(p.PlatformBps)))
		price, err := p.Price.Int64()
		if err != nil {
			t.Fatal(err)
		}
		id := g.listMany(devnet.Seller(1), 7, price, 1)
		before := g.usdc(seller)
		g.must(devnet.Seller(2), g.Marketplace, abi.PackBuyFromListing(id, common.Address(buyer), big.NewInt(1),
			common.Address(g.USDC), big.NewInt(price)))
		if got, want := g.usdc(seller)-before, p.Receive; json.Number(big.NewInt(got).String()) != want {
			t.Errorf("a sale at %d, platform fee %d, royalty %d: the seller got %d, want %s", price, p.PlatformBps, p.RoyaltyBps, got, want)
		}
	}
}
