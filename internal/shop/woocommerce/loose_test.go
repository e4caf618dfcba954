package woocommerce_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/woocommerce"
)

// reference is the order reference of the orders below.
const reference = "0123456789abcdef0123456789abcdef.c2lnbmF0dXJl"

// order is an order with a line of the webstore and one of other goods. What the portal decides by is written as %v.
const order = `{
	"id": %v, "parent_id": 0, "number": "1001", "order_key": "wc_order_x", "status": %v, "currency": %v, "prices_include_tax": %v,
	"date_created": "2026-03-01T13:00:00", "date_modified_gmt": "2026-03-01T12:00:00", "total": %v, "discount_total": "0.00", "customer_id": 0,
	"billing": {"first_name": "Ada", "email": "ada@example.com"}, "customer_note": "",
	"meta_data": [
		{"id": 1, "key": "is_vat_exempt", "value": "no"}, {"id": 2, "key": "_pantheon_reference", "value": %v},
		{"id": 3, "key": "_gift", "value": {"to": "Bob"}}
	],
	"line_items": [
		{"id": 12, "name": "Flour", "product_id": 9, "variation_id": 0, "quantity": 3, "total": "4.00", "total_tax": "0.28",
			"taxes": [], "meta_data": []},
		{"id": %v, "name": "A pouch", "product_id": %v, "variation_id": %v, "quantity": %v, "tax_class": "", "subtotal": "5.98", "total": %v,
		 "total_tax": "0.00", "taxes": [], "meta_data": [], "sku": null, "price": 2.99, "image": {"id": "", "src": null}}],
	"tax_lines": [], "shipping_lines": [], "fee_lines": [], "coupon_lines": [], "refunds": [], "set_paid": false,
	"_links": {"self": [{"href": "x"}]}
}`

// ours are the paths of what the portal decides by, and of what it stands in.
var ours = []string{
	"", "id", "status", "currency", "prices_include_tax", "total", "meta_data", "meta_data.1", "meta_data.1.key", "meta_data.1.value",
	"line_items", "line_items.1", "line_items.1.id", "line_items.1.product_id", "line_items.1.variation_id", "line_items.1.quantity",
	"line_items.1.total",
}

// lists are those that PHP may write as objects.
var lists = []string{"meta_data", "line_items", "refunds"}

// odd are the values that others may have.
var odd = []any{nil, "", "x", "0.5", 0.5, -1, 1e300, true, []any{}, []any{"a", nil}, map[string]any{}, map[string]any{"id": []any{}}}

// mutate replaces values that are not ours, and writes lists as objects.
func mutate(t *rapid.T, v any, path string) any {
	if !slices.Contains(ours, path) && rapid.IntRange(0, 3).Draw(t, "replaced "+path) == 0 {
		return rapid.SampledFrom(odd).Draw(t, "value of "+path)
	}
	join := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = mutate(t, v[key], join(key))
		}
	case []any:
		for i := range v {
			v[i] = mutate(t, v[i], join(fmt.Sprint(i)))
		}
		if slices.Contains(lists, path) && rapid.Bool().Draw(t, path+" is an object") {
			object := map[string]any{}
			for i, e := range v {
				object[fmt.Sprint(2*i)] = e
			}
			return object
		}
	}
	return v
}

// either writes a number as it is or as a string, and text as a string.
func either(t *rapid.T, v any) string {
	text := fmt.Sprint(v)
	if _, isText := v.(string); isText || rapid.Bool().Draw(t, text+" as a string") {
		text = fmt.Sprintf("%q", text)
	}
	return text
}

// stand is a shop that answers what the test sets, by path after the API's root.
type stand struct {
	mu      sync.Mutex
	answers map[string]string
	shop    *woocommerce.Shop
	reports int
}

func open(t *testing.T) *stand {
	t.Helper()
	s := &stand{answers: map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answer, ok := s.answers[strings.TrimPrefix(r.URL.Path, "/wp-json/wc/v3/")]
		if !ok {
			answer = "[]"
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	s.shop = woocommerce.New(woocommerce.Options{
		URL: server.URL, Key: "key", Secret: "secret", HTTP: server.Client(), Report: func(error) { s.reports++ },
	})
	return s
}

func (s *stand) set(path, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = answer
}

// Spec: SHOP-12
func TestOrder_IsReadWhateverTheTypesOfWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	s := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := fmt.Sprintf(order, either(rt, 7), `"processing"`, `"EUR"`, either(rt, false), either(rt, 10.26), `"`+reference+`"`,
			either(rt, 11), either(rt, 200), either(rt, 201), either(rt, 2), either(rt, 5.98))
		var document any
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			rt.Fatal(err)
		}
		mutated, err := json.Marshal(mutate(rt, document, ""))
		if err != nil {
			rt.Fatal(err)
		}
		s.set("orders/7", string(mutated))
		o, err := s.shop.Order(t.Context(), 7)
		if err != nil {
			rt.Fatalf("%v\n%s", err, mutated)
		}
		i := slices.IndexFunc(o.Lines, func(l webstore.ShopLine) bool { return l.ID == 11 })
		if o.ID != 7 || o.Status != webstore.Processing || o.Currency != "EUR" || o.TaxIncluded || o.Total != "10.26" ||
			!slices.Equal(o.References, []string{reference}) || i < 0 {
			rt.Fatalf("read as %+v\n%s", o, mutated)
		}
		if l := o.Lines[i]; l.Variation != 201 || l.Quantity != 2 || l.Total != "5.98" || l.Refunded != 0 {
			rt.Fatalf("the line is read as %+v\n%s", l, mutated)
		}
	})
}

func TestOrder_WithoutAStatusIsTriedAgainAndNotTakenForUnpaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, answer := range []string{`{"id": 7}`, `{"id": 7, "status": null}`, `{"id": 8, "status": "processing"}`, `[]`, `"x"`, `{`} {
		s.set("orders/7", answer)
		if o, err := s.shop.Order(t.Context(), 7); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %+v, %v", answer, o, err)
		}
	}
}

func TestOrder_RefundsAreReadWhateverTheirTypes(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.set("orders/7",
		`{"id": 7, "status": "processing", "refunds": {"1": {"id": 5}}, "line_items": [{"id": "11", "variation_id": "201", "quantity": "2"}]}`)
	for answer, want := range map[string]struct {
		units int64
		loose bool
	}{
		`[{"line_items": [{"quantity": -1, "meta_data": [{"key": "_refunded_item_id", "value": "11"}]}]}]`:                {1, false},
		`{"3": {"line_items": {"0": {"quantity": "-2", "meta_data": {"0": {"key": "_refunded_item_id", "value": 11}}}}}}`: {2, false},
		`[{"line_items": [{"quantity": -1, "meta_data": {"_refunded_item_id": 11}}]}, {"line_items": null}]`:              {1, true},
		`[{"line_items": [{"quantity": -0.5, "meta_data": [{"key": "_refunded_item_id", "value": 11}]}]}, "x"]`:           {0, true},
	} {
		s.set("orders/7/refunds", answer)
		o, err := s.shop.Order(t.Context(), 7)
		if err != nil || len(o.Lines) != 1 || o.Lines[0].Refunded != want.units || o.PartlyRefunded != want.loose {
			t.Errorf("%s: %+v, %v", answer, o, err)
		}
	}
}

func TestChanges_OddEntryIsLeftOutAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.set("orders",
		`[{"id": 1, "date_modified_gmt": "2026-03-01T12:00:00"}, {"id": {}, "date_modified_gmt": "x"}, null, {"id": "3",`+
			` "date_modified_gmt": null}, {"id": "4", "date_modified_gmt": "2026-03-01T12:00:01Z"}]`)
	changes, more, err := s.shop.Changes(t.Context(), time.Now(), 1)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	want := []webstore.Change{{OrderID: 1, At: at}, {OrderID: 3}, {OrderID: 4, At: at.Add(time.Second)}}
	if err != nil || more || !slices.Equal(changes, want) || s.reports != 2 {
		t.Errorf("%+v, %v, %v, %d reports", changes, more, err, s.reports)
	}
	s.set("orders", `{"code": "db_error"}`)
	if _, _, err := s.shop.Changes(t.Context(), time.Now(), 1); !fault.Is(err, fault.Unavailable) {
		t.Errorf("an answer that is no list: %v", err)
	}
}

func TestOffers_PricesOfEveryForm(t *testing.T) {
	t.Parallel()
	s := open(t)
	for price, want := range map[string]string{
		`"2.99"`: "2.99", `2.99`: "2.99", `"2,99"`: "2.99", `"2.9900"`: "2.9900", `"2.512605"`: "2.512605", `3`: "3", `" 2.99 "`: "2.99",
		`"1.234,50"`: "1234.50", `"1,234.50"`: "1234.50", `"1,234,567"`: "1234567", `""`: "", `null`: "", `{}`: "",
	} {
		s.set("products/200", `{"id": "200", "price": `+price+
			`, "status": "publish", "purchasable": "1", "stock_status": "instock", "variations": []}`)
		offers, err := s.shop.Offers(t.Context(), 200)
		if err != nil || len(offers) != 1 || offers[0] != (webstore.Offer{Variation: 200, Price: want, InStock: true}) {
			t.Errorf("%s: %+v, %v", price, offers, err)
		}
	}
}

func TestWebhook_IdMayBeAStringAndAnUnreadableOneIsNoFailure(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int64{
		`{"id": 7}`: 7, `{"id": "7"}`: 7, `{"id": 7.0, "status": {}}`: 7, `{"id": null}`: 0, `{"id": "x"}`: 0, `{"id": -7}`: 0, `[]`: 0, `{`: 0,
	} {
		if got := woocommerce.OrderOf([]byte(body)); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
