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
	"pantheon/internal/kit/eth"
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
	offered := func() offer {
		return listingOf(ctx, t, seller, god["contract"].(eth.Address), god["tokenId"].(string), seller.Smart)
	}
	l := offered()
	update := func(quantity, price int64) []player.Call {
		return []player.Call{{To: seller.Config.Contracts.Marketplace, Data: updateOf(seller, l, quantity, price)}}
	}
	must(t, buyer.Hold(ctx, l.Listing))
	for what, refused := range map[string]struct {
		quantity, price int64
		text            string
	}{
		"a higher price":   {1, 10_000_001, "Players have 1 of these in their carts until"},
		"a stale quantity": {2, 9_000_000, "Only 1 left in this listing."},
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

// A listed pack is opened, and the seller gets another one: the old listing would sell it, but nobody can buy from it before
// the seller sets its price again. The signer is asked directly, on the real chain.
func TestAttack_ReturnedItemIsBoughtAtItsOldPrice(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	seller, err := player.Register(ctx, site.URL)
	must(t, err)
	buyer, err := player.Register(ctx, site.URL)
	must(t, err)
	for _, p := range []*player.Player{seller, buyer} {
		must(t, p.Call(ctx, http.MethodPost, "/api/auth/packs/confirm-age", nil, nil))
		testkit.Eventually(t, 30*time.Second, func() bool {
			has, err := p.InWallet(ctx)
			return err == nil && has == "500"
		}, "the welcome money does not come")
	}
	pack := kindOf(ctx, t, seller, "listPacks")
	contract, id := pack["contract"].(eth.Address), pack["tokenId"].(string)
	number, _ := new(big.Int).SetString(id, 10)
	lists(ctx, t, seller, pack)
	old := listingOf(ctx, t, seller, contract, id, seller.Smart)
	hold := func() error { return buyer.Hold(ctx, old.Listing) }
	must(t, hold())
	order, err := buyer.Checkout(ctx)
	must(t, err)

	op, err := prepare(ctx, t, seller, []player.Call{seller.BurnCall(player.Burn{Contract: contract, TokenID: number.Int64(), Amount: 1})})
	must(t, err)
	_, err = seller.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool { return !isListed(ctx, t, seller, pack) }, "the market still shows the listing")
	mustNotify(ctx, t, seller, "stopped")
	if _, err := prepare(ctx, t, buyer, order.Calls); err == nil {
		t.Error("the order of a pack that is gone was signed")
	}
	refused(t, "holding what is gone", hold(), http.StatusConflict, `"gone"`)

	// Another pack, from the shop.
	var shop player.Listing
	listings, err := seller.Listings(ctx, "chests", 100)
	must(t, err)
	for _, l := range listings {
		if l.TokenID == id && l.Seller != seller.Smart {
			shop = l
		}
	}
	must(t, seller.Hold(ctx, shop))
	bought, err := seller.Checkout(ctx)
	must(t, err)
	op, err = prepare(ctx, t, seller, bought.Calls)
	must(t, err)
	_, err = seller.Send(ctx, op)
	must(t, err)
	mustNotify(ctx, t, seller, "returned")
	refused(t, "holding what is back", hold(), http.StatusConflict, `"gone"`)
	if _, err := prepare(ctx, t, buyer, order.Calls); err == nil {
		t.Error("the order of before was signed")
	}

	// The seller's word: the same price again.
	op, err = prepare(ctx, t, seller, []player.Call{{To: seller.Config.Contracts.Marketplace, Data: updateOf(seller, old, 1, 10_000_000)}})
	must(t, err)
	_, err = seller.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool { err = hold(); return err == nil }, "it cannot be held again: %v", &err)
	again, err := buyer.Checkout(ctx)
	must(t, err)
	op, err = prepare(ctx, t, buyer, again.Calls)
	must(t, err)
	_, err = buyer.Send(ctx, op)
	must(t, err)
	mustNotify(ctx, t, seller, "sold")
}

// mustNotify waits for the player's newest notification to be of the kind.
func mustNotify(ctx context.Context, t *testing.T, p *player.Player, kind string) {
	t.Helper()
	var page struct {
		Items  []struct{ Kind, ListingID, Name, Amount string }
		Unread int
	}
	testkit.Eventually(t, 30*time.Second, func() bool {
		err := p.Call(ctx, http.MethodGet, "/api/auth/notifications", nil, &page)
		return err == nil && len(page.Items) > 0 && page.Items[0].Kind == kind && page.Unread == len(page.Items)
	}, "no notification %q: %+v", kind, &page)
}

// offer is a listing with the terms that an update repeats.
type offer struct {
	player.Listing
	StartTimestamp, EndTimestamp int64
}

// listingOf returns the owner's listing of a token.
func listingOf(ctx context.Context, t *testing.T, p *player.Player, contract eth.Address, tokenID string, owner eth.Address) (l offer) {
	t.Helper()
	var item struct{ Listings []offer }
	must(t, p.Call(ctx, http.MethodGet, fmt.Sprintf("/api/marketplace/items/%s/%s", contract, tokenID), nil, &item))
	for _, l = range item.Listings {
		if l.Seller == owner {
			return l
		}
	}
	t.Fatal("there is no listing")
	return l
}

// updateOf returns the call data that sets a listing's quantity and price.
func updateOf(p *player.Player, l offer, quantity, price int64) []byte {
	number, _ := new(big.Int).SetString(l.ListingID, 10)
	token, _ := new(big.Int).SetString(l.TokenID, 10)
	return contracts.NewDirectListingsLogic().PackUpdateListing(number, contracts.IDirectListingsListingParameters{
		AssetContract: common.Address(l.Contract), TokenId: token, Quantity: big.NewInt(quantity),
		Currency: common.Address(p.Config.Currency.Address), PricePerToken: big.NewInt(price), StartTimestamp: big.NewInt(l.StartTimestamp),
		EndTimestamp: big.NewInt(l.EndTimestamp),
	})
}

// A listed pack is opened, and another one comes: the seller and a buyer see each step in their browsers. The rules do not
// depend on the database: one engine is enough.
func TestJourney_ReturnedItemIsSoldOnceItsPriceIsConfirmed(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "returned.mjs")
}
