package api_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/market"
	"pantheon/internal/testkit"
)

// result is the {success, message} response of the cart's calls.
type result struct {
	Success *bool
	Message string
}

func (p *portal) add(a actor, listing, index string) answer {
	body := `{"playFabId":"` + a.id + `","newItem":{"listingId":"` + listing + `","assetContractAddress":"` +
		testkit.Items + `"` + index + `}}`
	return p.send(request{method: "POST", path: "/api/auth/marketplace/cart/addToCart", body: body, authorization: a.token})
}

// Spec: CART-1, CART-2, CART-3
func TestCart_CallsAnswerSuccessAndMessage(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	testkit.List(t, p.db, testkit.Offer{Number: "3"})

	a := p.add(zeus, "3", `,"index":0`)
	var r result
	p.json(a, &r)
	if a.status != http.StatusOK || r.Success == nil || !*r.Success || r.Message == "" {
		t.Errorf("addToCart: %d %s", a.status, a.text)
	}
	for what, c := range map[string]struct {
		answer answer
		status int
		reason string
	}{
		"held by another":      {p.add(hera, "3", `,"index":0`), 409, "held"},
		"any unit, all held":   {p.add(hera, "3", ""), 409, "held"},
		"no such unit":         {p.add(hera, "3", `,"index":1`), 409, "sold-out"},
		"no such unit, before": {p.add(hera, "3", `,"index":-1`), 409, "sold-out"},
		"no such listing":      {p.add(hera, "404", ""), 404, ""},
		"not in the own cart":  {p.send(hera.authorized(routes["removeFromCart"].honest(actor{id: hera.id, listing: "3"}), player)), 404, ""},
		"unknown order": {
			p.send(request{method: "GET", path: "/api/auth/marketplace/checkout/unknown", authorization: hera.token}), 404, "",
		},
		"nothing to check out": {p.send(request{
			method: "POST", path: "/api/auth/marketplace/checkout", authorization: p.register("iris").token, body: `{"playFabId":"x"}`,
		}), 403, ""},
		"another total expected": {p.send(request{method: "POST", path: "/api/auth/marketplace/checkout", authorization: hera.token,
			body: `{"playFabId":"` + hera.id + `","expectedTotal":"0.99"}`}), 409, "price-changed"},
		"an empty cart shown": {p.send(request{method: "POST", path: "/api/auth/marketplace/checkout", authorization: hera.token,
			body: `{"playFabId":"` + hera.id + `","items":[]}`}), 409, "cart-changed"},
	} {
		got := p.mustBeProblem(what, c.answer, c.status)
		if got.Reason != c.reason {
			t.Errorf("%s: reason %q, want %q", what, got.Reason, c.reason)
		}
	}

	a = p.send(zeus.authorized(routes["removeFromCart"].honest(actor{id: zeus.id, listing: "3"}), player))
	if a.status != http.StatusOK || !strings.Contains(a.text, `"success":true`) {
		t.Errorf("removeFromCart: %d %s", a.status, a.text)
	}
	for range 2 { // emptying an empty cart is not an error
		a = p.send(zeus.authorized(routes["emptyCart"].honest(zeus), player))
		if a.status != http.StatusOK || !strings.Contains(a.text, `"success":true`) {
			t.Errorf("emptyCart: %d %s", a.status, a.text)
		}
	}
}

// The web client sends whole listings as newItem and removedItem; unused fields are ignored.
func TestCart_ItemsMayCarryMoreThanIsNeeded(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	testkit.List(t, p.db, testkit.Offer{Number: "3"})
	a := p.add(zeus, "3", `,"index":0,"updatedAt":"2026-03-01T12:00:00Z","metadata":{"name":"Sword"},"inCartItems":[]`)
	if a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.text)
	}
}

type cartAnswer struct {
	Items []struct {
		PlayFabID, ListingID, AssetContractAddress, PriceWhenHeld, Changed string
		Index                                                              int64
		UpdatedAt, ExpiresAt                                               time.Time
		Listing                                                            struct{ Price string }
	}
	TotalItems int
	Total      string
}

// Spec: CART-4, CART-5, CART-10
func TestCart_ShowsPricesAndWhatChanged(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	for number, price := range map[string]int64{"1": 1_500_000, "2": 2_000_000, "3": 250_000} {
		testkit.List(t, p.db, testkit.Offer{Number: number, Price: price})
		if a := p.add(zeus, number, ""); a.status != http.StatusOK {
			t.Fatal(a.text)
		}
		p.clock.Advance(time.Second)
	}
	testkit.List(t, p.db, testkit.Offer{Number: "2", Price: 2_500_000})
	testkit.List(t, p.db, testkit.Offer{Number: "3", Price: 250_000, Status: market.Cancelled})

	var c cartAnswer
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/marketplace/cart", authorization: zeus.token}, 200), &c)
	if c.TotalItems != 3 || len(c.Items) != 3 {
		t.Fatalf("%+v", c)
	}
	want := map[string][3]string{"1": {"1.5", "1.5", ""}, "2": {"2", "2.5", "price"}, "3": {"0.25", "0.25", "gone"}}
	for i, item := range c.Items {
		if got := [3]string{item.PriceWhenHeld, item.Listing.Price, item.Changed}; got != want[item.ListingID] {
			t.Errorf("item %s: %v, want %v", item.ListingID, got, want[item.ListingID])
		}
		if item.PlayFabID != zeus.id || item.Index != 0 || item.ExpiresAt.Sub(item.UpdatedAt) != 600_000*time.Millisecond {
			t.Errorf("item %+v", item)
		}
		if i > 0 && item.UpdatedAt.Before(c.Items[i-1].UpdatedAt) {
			t.Error("the oldest hold does not come first")
		}
	}
}

// Other players' holds are public, their identities are not.
// Spec: ACCESS-2, MARKET-1, CART-7
func TestCart_OtherPlayersAppearOnlyAsTags(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	read := func(authorization string) answer {
		return p.mustSucceed(request{
			method: "POST", path: "/api/marketplace/liveListings/getLiveListings", body: "{}", authorization: authorization,
		}, 200)
	}
	for who, authorization := range map[string]string{"a visitor": "", "a signed-out reader": "Bearer old"} {
		if a := read(authorization); strings.Contains(a.text, zeus.id) || strings.Contains(a.text, hera.id) {
			t.Errorf("%s reads who holds: %s", who, a.text)
		}
	}
	a := read(zeus.token)
	if !strings.Contains(a.text, zeus.id) || strings.Contains(a.text, hera.id) {
		t.Errorf("a player does not read their own holds, or another's: %s", a.text)
	}
	for _, path := range []string{"/api/marketplace/listings", "/api/marketplace/items/" + testkit.Items + "/1"} {
		if a := p.mustSucceed(request{method: "GET", path: path, authorization: zeus.token}, 200); strings.Contains(a.text, zeus.id) ||
			strings.Contains(a.text, hera.id) {
			t.Errorf("%s tells who holds", path)
		}
	}
	var me struct{ HolderKey string }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: hera.token}, 200), &me)
	key, err := hex.DecodeString(me.HolderKey)
	if err != nil || len(key) == 0 {
		t.Fatalf("the key %q: %v", me.HolderKey, err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("2"))
	if tag := hex.EncodeToString(mac.Sum(nil)[:8]); !strings.Contains(a.text, tag) {
		t.Errorf("the other player's hold of listing 2 does not carry the tag %q that player can compute: %s", tag, a.text)
	}
}
