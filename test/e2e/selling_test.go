package e2e_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// While somebody holds an item its price can fall but not rise, and a stale quantity is refused: the signer is asked
// directly, on the real chain.
func TestAttack_PriceRisesWhileTheItemIsHeld(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.PostgreSQL})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	seller, err := player.Register(ctx, site.URL)
	must(t, err)
	buyer, err := player.Register(ctx, site.URL)
	must(t, err)
	god := kindOf(ctx, t, seller, "listElderGods")
	lists(ctx, t, seller, god)
	type offer struct {
		player.Listing
		StartTimestamp, EndTimestamp int64
	}
	offered := func() (l offer) {
		var item struct{ Listings []offer }
		must(t, seller.Call(ctx, http.MethodGet, fmt.Sprintf("/api/marketplace/items/%s/%s", god["contract"], god["tokenId"]), nil, &item))
		for _, l = range item.Listings {
			if l.Seller == seller.Smart {
				return l
			}
		}
		t.Fatal("there is no listing")
		return l
	}
	l := offered()
	update := func(quantity, price int64) []player.Call {
		number, _ := new(big.Int).SetString(l.ListingID, 10)
		token, _ := new(big.Int).SetString(l.TokenID, 10)
		return []player.Call{{To: seller.Config.Contracts.Marketplace, Data: contracts.NewDirectListingsLogic().PackUpdateListing(number, contracts.IDirectListingsListingParameters{
			AssetContract: common.Address(l.Contract), TokenId: token, Quantity: big.NewInt(quantity), Currency: common.Address(seller.Config.Currency.Address),
			PricePerToken: big.NewInt(price), StartTimestamp: big.NewInt(l.StartTimestamp), EndTimestamp: big.NewInt(l.EndTimestamp),
		})}}
	}
	must(t, buyer.Hold(ctx, l.Listing))
	for what, refused := range map[string]struct {
		quantity, price int64
		text            string
	}{
		"a higher price":   {1, 10_000_001, "Players have 1 of these in their carts until"},
		"a stale quantity": {2, 9_000_000, "Of this listing 1 are left now."},
	} {
		// The contract would take the quantity too, if the seller had two.
		if _, err := prepare(ctx, t, seller, update(refused.quantity, refused.price)); !isRefusal(err, refused.text) && refused.quantity == 1 {
			t.Errorf("%s: %v", what, err)
		} else if err == nil {
			t.Errorf("%s was signed", what)
		}
	}
	op, err := prepare(ctx, t, seller, update(1, 9_000_000))
	must(t, err)
	_, err = seller.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool { return offered().Price == "9000000" }, "the price does not fall")
	must(t, buyer.Call(ctx, http.MethodPost, "/api/auth/marketplace/cart/emptyCart", map[string]string{"playFabId": buyer.ID}, nil))
	op, err = prepare(ctx, t, seller, update(1, 11_000_000))
	must(t, err)
	_, err = seller.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool { return offered().Price == "11000000" }, "the price does not rise after the hold")
}
