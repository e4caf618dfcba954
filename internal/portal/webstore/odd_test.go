package webstore_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/shop/woocommerce"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

// rewriting changes the answers of the shop whose paths end with a text.
type rewriting map[string]func(any) any

func (r rewriting) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return res, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	for suffix, change := range r {
		var v any
		if strings.HasSuffix(req.URL.Path, suffix) && json.Unmarshal(body, &v) == nil {
			if body, err = json.Marshal(change(v)); err != nil {
				return nil, err
			}
		}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

// rewrite makes the portal read the shop's answers as they are changed.
func (c *counter) rewrite(r rewriting) {
	c.t.Helper()
	o := c.reconciler.ReconcilerOptions
	o.Shop = woocommerce.New(woocommerce.Options{
		URL: c.url, Key: "key", Secret: "secret", HookURL: c.hooks.URL, HookToken: "webhook secret", HTTP: &http.Client{Transport: r},
	})
	c.reconciler = webstore.NewReconciler(o)
}

// Spec: SHOP-12
func TestOrder_OddValuesOfOthersDoNotStopIt(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		id := c.order("A", one(201))
		c.rewrite(rewriting{"/orders/" + text(id): func(v any) any {
			o := v.(map[string]any)
			line := o["line_items"].([]any)[0].(map[string]any)
			line["quantity"], line["id"] = "1", text(int64(line["id"].(float64)))
			flour := map[string]any{"id": 5, "name": "Flour", "product_id": 9, "quantity": 0.5, "total": nil, "meta_data": "x"}
			o["line_items"] = map[string]any{"0": flour, "2": line, "3": nil}
			o["meta_data"] = map[string]any{"7": o["meta_data"].([]any)[0], "8": "x"}
			o["refunds"], o["date_modified_gmt"], o["billing"] = map[string]any{}, nil, []any{}
			return o
		}})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
		if o, _ := c.recorded(id); o.Waits() || len(o.Notes) == 0 {
			t.Errorf("recorded %+v", o)
		}
	})
}

// Spec: SHOP-12
func TestOrder_QuantityThatIsNoWholeNumberWaitsVisiblyAndAlone(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		id := c.order("A", one(201), one(202))
		c.rewrite(rewriting{"/orders/" + text(id): func(v any) any {
			v.(map[string]any)["line_items"].([]any)[1].(map[string]any)["quantity"] = 0.5
			return v
		}})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
		backlog, err := testkit.Operator(c.db, c.clock).ShopBacklog(t.Context(), 10)
		must(t, err)
		listed := backlog.Orders
		if len(listed) != 1 || listed[0].Lines[1].Waits != `a quantity of "0.5" cannot be given` || listed[0].PlayerID != "A" {
			t.Errorf("listed for operators: %+v", listed)
		}
	})
}

// Spec: SHOP-12
func TestPoll_OddEntryDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		c.shop.SetTrouble(devshop.Trouble{Lose: true})
		c.order("A", one(201))
		c.order("A", one(201))
		c.rewrite(rewriting{"/v3/orders": func(v any) any {
			all := v.([]any)
			all[0].(map[string]any)["date_modified_gmt"] = map[string]any{}
			return append([]any{map[string]any{"id": "x"}, nil}, all...)
		}})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
	})
}

func TestOrder_ThatCannotBeReadIsListedForOperatorsAndDelaysNoOther(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		bad, good := c.order("A", one(201)), c.order("B", one(201))
		c.rewrite(rewriting{"/orders/" + text(bad): func(any) any { return []any{} }})
		c.poll()
		if err := c.reconciler.Step(t.Context()); err == nil {
			t.Error("an order that cannot be read is no error")
		}
		if o, ok := c.recorded(good); !ok || o.PlayerID != "B" {
			t.Errorf("the other order: %+v", o)
		}
		backlog, err := testkit.Operator(c.db, c.clock).ShopBacklog(t.Context(), 10)
		must(t, err)
		if failed := backlog.Failed; len(failed) != 1 || failed[0].OrderID != bad || failed[0].Error == "" {
			t.Errorf("listed for operators: %+v", backlog.Failed)
		}
		c.rewrite(nil)
		c.clock.Advance(time.Hour)
		c.reconcile()
		c.want("InfiniGold once it can be read", c.has("A", "ig"), 500)
	})
}

// Spec: SHOP-12
func TestPrices_OddProductKeepsItsLastPriceAndDisturbsNoOther(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		must(t, c.reconciler.Price(t.Context()))
		c.clock.Advance(time.Hour)
		c.shop.SetOffer(webstore.Offer{Variation: 401, Price: "27,50", InStock: true})
		c.shop.SetOffer(webstore.Offer{Variation: 202, Price: "2.9875", InStock: true})
		c.shop.SetOffer(webstore.Offer{Variation: 201, Price: "on request", InStock: true})
		c.rewrite(rewriting{"/products/300/variations": func(any) any { return "x" }})
		err := c.reconciler.Price(t.Context())
		if err == nil || !strings.Contains(err.Error(), "product 300") || !strings.Contains(err.Error(), `variation 201 is "on request"`) {
			t.Errorf("what is odd is told as %v", err)
		}
		offers, oldest, err := shopstore.New(c.db).Offers(t.Context())
		must(t, err)
		for variation, want := range map[int64]string{401: "27.50", 202: "2.9875", 201: "2.99", 301: "7.99"} {
			if o := offers[variation]; o.Price != want || !o.InStock {
				t.Errorf("variation %d: %+v, want %s", variation, o, want)
			}
		}
		if !oldest.Equal(opening) {
			t.Errorf("the oldest price is of %v", oldest)
		}
	})
}

func TestHooks_FirstStartMakesThemAndEnablesNone(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		made, enabled, err := c.reconciler.Shop.EnableHooks(t.Context())
		if made != 4 || enabled != 0 || err != nil {
			t.Errorf("at the first start: made %d, enabled %d, %v", made, enabled, err)
		}
		if made, enabled, err = c.reconciler.Shop.EnableHooks(t.Context()); made != 0 || enabled != 0 || err != nil {
			t.Errorf("at the next: made %d, enabled %d, %v", made, enabled, err)
		}
	})
}
