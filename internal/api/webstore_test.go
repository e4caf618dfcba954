package api_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/woocommerce"
	shopstore "pantheon/internal/store/webstore"
)

const webhook = "/api/webhooks/woocommerce"

// signed returns a webhook about an order, signed by a secret.
func signed(body, secret string) request {
	return request{method: http.MethodPost, path: webhook, body: body, header: http.Header{
		"X-Wc-Webhook-Topic": {"order.updated"}, "X-Wc-Webhook-Signature": {woocommerce.Signature([]byte(body), secret)},
	}}
}

// Spec: SHOP-4
func TestWebhook_IsRecordedOnlyWithAValidSignature(t *testing.T) {
	t.Parallel()
	p := open(t)
	hints := func() int {
		due, err := shopstore.New(p.db).DueHints(t.Context(), p.clock.Now(), 100)
		p.ok(err)
		return len(due)
	}
	for what, r := range map[string]request{
		"no signature":              {method: http.MethodPost, path: webhook, body: `{"id":7}`},
		"the signature of a secret": signed(`{"id":7}`, "another secret"),
		"that of another body": {
			method: http.MethodPost, path: webhook, body: `{"id":8}`, header: signed(`{"id":7}`, "webhook secret").header,
		},
		"a ping with more than that": {method: http.MethodPost, path: webhook, body: "webhook_id=1&id=7"},
	} {
		p.mustBeProblem(what, p.send(r), http.StatusUnauthorized)
	}
	p.mustSucceed(request{method: http.MethodPost, path: webhook, body: "webhook_id=12"}, http.StatusOK)
	p.mustSucceed(signed(`{"id":"x"}`, "webhook secret"), http.StatusOK) // a refusal would count as a failure
	if n := hints(); n != 0 {
		t.Fatalf("%d orders are to be fetched", n)
	}
	for range 3 { // also a replayed one: it is a hint only
		p.mustSucceed(signed(`{"id":7,"status":"completed"}`, "webhook secret"), http.StatusOK)
	}
	if n := hints(); n != 1 {
		t.Errorf("%d orders are to be fetched, want 1", n)
	}
	p.mustBeProblem("10 MB", p.send(signed(`{"id":7,"note":"`+strings.Repeat("x", 10<<20)+`"}`, "webhook secret")),
		http.StatusRequestEntityTooLarge)
}

// Spec: SHOP-6
func TestShopReturn_LeadsOnlyToConfiguredAddresses(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.ReturnURLs = []string{"https://shop.example/welcome", "https://other.example"} })
	me := p.register("zeus")
	back := func(to string) answer {
		return p.send(request{
			method: http.MethodPost, path: "/api/auth/webstore/return", authorization: me.token, body: `{"returnUrl":"` + to + `"}`,
		})
	}
	for _, to := range []string{
		"https://shop.example/welcome", "https://shop.example/welcome/back?x=1", "https://other.example", "https://other.example/any/page",
	} {
		var got api.ShopReturn
		a := back(to)
		if a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", to, a.status, a.text)
		}
		p.json(a, &got)
		u, err := url.Parse(got.URL)
		p.ok(err)
		playerID, _, err := p.api.Protector.Open(api.ShopPurpose, u.Query().Get("protectedData"))
		if err != nil || playerID != me.id || u.Host != strings.Split(to, "/")[2] {
			t.Errorf("%s leads to %s: %s, %v", to, got.URL, playerID, err)
		}
	}
	for _, to := range []string{
		"https://shop.example/", "https://shop.example/welcome-not", "https://shop.example/welcome/../admin",
		"https://shop.example/welcome/%2e%2e/admin",
		"http://shop.example/welcome", "https://shop.example.evil.example/welcome", "https://shop.example@evil.example/welcome",
		"https://user@shop.example/welcome", "//shop.example/welcome", "/welcome", "javascript:alert(1)", "https://shop.example:444/welcome",
		"https://shop.example\\\\@evil.example/welcome", "",
	} {
		p.mustBeProblem(to, back(to), http.StatusBadRequest)
	}
}

// Spec: SHOP-1
func TestWebstore_ProductsSayWhatThePlayerHasBought(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, other := p.admit("zeus", "1"), p.register("hera")
	sealed, err := p.api.Protector.Seal(api.ShopPurpose, me.id, "anything")
	p.ok(err)
	bought := func(fabID, token string) int64 {
		var got api.WebstoreProducts
		p.json(p.mustSucceed(request{
			method: http.MethodGet, path: "/api/webstore/getProducts?type=gold-pack", authorization: token, header: http.Header{"X-Fab-Id": {fabID}},
		}, 200), &got)
		for _, product := range got.Products {
			if product.Type != "gold-pack" {
				t.Errorf("%s among gold packs", product.Type)
			}
			for _, v := range product.Variations {
				if v.VariationID == 201 {
					return v.Bought
				}
			}
		}
		t.Fatal("variation 201 is missing")
		return 0
	}
	p.ok(shopstore.New(p.db).SettleOrder(t.Context(), webstore.Hint{OrderID: 1}, time.Time{}, func(ctx context.Context, tx webstore.Tx) error {
		return tx.PutOrder(ctx, webstore.Order{ID: 1, PlayerID: me.id, Status: webstore.Completed, PaidAt: opening, Lines: []webstore.Line{
			{ID: 1, Variation: 201, Quantity: 3, Back: 1},
		}})
	}))
	for what, c := range map[string]struct {
		fabID, token string
		want         int64
	}{
		"a visitor": {}, "the encrypted id": {sealed, "", 2}, "the id with its token": {me.id, me.token, 2}, "the id alone": {me.id, "", 0},
		"the id with another's token": {me.id, other.token, 0}, "a forged one": {sealed[:len(sealed)-2] + "xx", "", 0},
	} {
		if got := bought(c.fabID, c.token); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
}
