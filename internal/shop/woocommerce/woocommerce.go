// Package woocommerce reads orders from a WooCommerce shop through its REST API, version 3, and checks its webhooks.
//
// Sources: the plugin's REST controllers and class-wc-webhook.php. The shop never repeats a webhook, disables a hook after more
// than five failed deliveries in a row, and sends an unsigned ping when a hook is made.
package woocommerce

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/webstore"
)

// ReferenceKey is the key of the order reference among the metadata of an order or of its lines.
const ReferenceKey = "_pantheon_reference"

const (
	timeout   = 20 * time.Second
	maxAnswer = 8 << 20
	pageSize  = 100
	// pause is how long to wait after a 429 without Retry-After.
	pause = 10 * time.Second
)

// Options configure a Shop; all but HTTP are required.
type Options struct {
	URL       string // of the shop, without a path of its own
	Key       string // consumer key with the right to read and write
	Secret    string // consumer secret
	HookURL   string // where the shop's webhooks go
	HookToken string // the secret by which they are signed
	HTTP      *http.Client
}

// Shop is a WooCommerce shop. It is safe for concurrent use.
type Shop struct {
	o Options
}

// New returns a Shop.
func New(o Options) *Shop {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	o.URL = strings.TrimSuffix(o.URL, "/")
	return &Shop{o}
}

// Signature returns the signature of a webhook's body: base64 of HMAC-SHA256.
func Signature(body []byte, secret string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write(body)
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// IsSigned reports whether a webhook's body has the signature, in constant time.
func IsSigned(body []byte, signature, secret string) bool {
	return secret != "" && hmac.Equal([]byte(Signature(body, secret)), []byte(signature))
}

// IsPing reports whether a body is the ping of a new hook, which is not signed: a form with its id alone.
func IsPing(body []byte) bool {
	q, err := url.ParseQuery(string(body))
	if err != nil || len(q) != 1 {
		return false
	}
	id, err := strconv.ParseUint(q.Get("webhook_id"), 10, 63)
	return err == nil && id > 0
}

// OrderOf returns the id of the order that a webhook's body is about.
func OrderOf(body []byte) (int64, error) {
	var o struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(body, &o); err != nil || o.ID < 1 {
		return 0, fault.New(fault.Invalid, "The body is no order.")
	}
	return o.ID, nil
}

type meta struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
}

type order struct {
	ID       int64  `json:"id"`
	Number   string `json:"number"`
	Status   string `json:"status"`
	Currency string `json:"currency"`
	Total    string `json:"total"`
	Modified string `json:"date_modified_gmt"`
	Meta     []meta `json:"meta_data"`
	Lines    []struct {
		ID        int64  `json:"id"`
		Name      string `json:"name"`
		Product   int64  `json:"product_id"`
		Variation int64  `json:"variation_id"`
		Quantity  int64  `json:"quantity"`
		Total     string `json:"total"`
		Meta      []meta `json:"meta_data"`
	} `json:"line_items"`
	Refunds []struct {
		ID int64 `json:"id"`
	} `json:"refunds"`
}

type refund struct {
	Amount string `json:"amount"`
	Lines  []struct {
		Quantity int64  `json:"quantity"` // negative
		Meta     []meta `json:"meta_data"`
	} `json:"line_items"`
}

// Order returns an order; see webstore.Shop.
func (s *Shop) Order(ctx context.Context, id int64) (out webstore.ShopOrder, err error) {
	var o order
	if err := s.call(ctx, http.MethodGet, fmt.Sprintf("orders/%d", id), nil, nil, &o); err != nil {
		return out, err
	}
	if o.ID != id {
		return out, fault.New(fault.Unavailable, "The shop answered with another order.")
	}
	out = webstore.ShopOrder{
		ID: o.ID, Number: o.Number, Status: webstore.Status(o.Status), Currency: o.Currency, Total: o.Total, References: references(nil, o.Meta),
	}
	if out.Status == "trash" {
		return out, fault.New(fault.NotFound, "The order was deleted.")
	}
	if out.ModifiedAt, err = timeOf(o.Modified); err != nil {
		return out, err
	}
	refunded, loose, err := s.refunds(ctx, o)
	if err != nil {
		return out, err
	}
	out.PartlyRefunded = loose
	for _, l := range o.Lines {
		variation := l.Variation
		if variation == 0 { // a product without variations is its own
			variation = l.Product
		}
		out.References = references(out.References, l.Meta)
		out.Lines = append(out.Lines, webstore.ShopLine{
			ID: l.ID, Variation: variation, Name: l.Name, Quantity: l.Quantity, Refunded: refunded[l.ID], Total: l.Total,
		})
	}
	return out, nil
}

func references(out []string, all []meta) []string {
	for _, m := range all {
		if text, ok := m.Value.(string); ok && m.Key == ReferenceKey {
			out = append(out, text)
		}
	}
	return out
}

// refunds returns the units that were refunded by line, and whether money was refunded for no line.
func (s *Shop) refunds(ctx context.Context, o order) (units map[int64]int64, loose bool, err error) {
	if len(o.Refunds) == 0 {
		return nil, false, nil
	}
	units = map[int64]int64{}
	for page := 1; ; page++ {
		var refunds []refund
		q := url.Values{"per_page": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(page)}}
		if err := s.call(ctx, http.MethodGet, fmt.Sprintf("orders/%d/refunds", o.ID), q, nil, &refunds); err != nil {
			return nil, false, err
		}
		for _, r := range refunds {
			counted := false
			for _, l := range r.Lines {
				for _, m := range l.Meta {
					if id, err := strconv.ParseInt(fmt.Sprint(m.Value), 10, 64); m.Key == "_refunded_item_id" && err == nil && l.Quantity < 0 {
						units[id] -= l.Quantity
						counted = true
					}
				}
			}
			loose = loose || !counted
		}
		if len(refunds) < pageSize {
			return units, loose, nil
		}
	}
}

// Changes returns a page of changed orders; see webstore.Shop.
func (s *Shop) Changes(ctx context.Context, since time.Time, page int) (changes []webstore.Change, more bool, err error) {
	q := url.Values{
		// The shop leaves out what changed in that second itself.
		"modified_after": {since.UTC().Truncate(time.Second).Add(-time.Second).Format(timeLayout)}, "dates_are_gmt": {"true"},
		"orderby": {"modified"}, "order": {"asc"}, "status": {"any"}, "per_page": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(page)},
		"_fields": {"id,date_modified_gmt"},
	}
	var orders []struct {
		ID       int64  `json:"id"`
		Modified string `json:"date_modified_gmt"`
	}
	if err := s.call(ctx, http.MethodGet, "orders", q, nil, &orders); err != nil {
		return nil, false, err
	}
	for _, o := range orders {
		at, err := timeOf(o.Modified)
		if err != nil {
			return nil, false, err
		}
		changes = append(changes, webstore.Change{OrderID: o.ID, At: at})
	}
	return changes, len(orders) == pageSize, nil
}

// Offers returns what the shop asks; see webstore.Shop. A list of products has the ids of their variations only, so these are
// fetched product by product.
func (s *Shop) Offers(ctx context.Context, products []int64) (out []webstore.Offer, err error) {
	type goods struct {
		ID          int64   `json:"id"`
		Price       string  `json:"price"`
		Status      string  `json:"status"`
		Purchasable bool    `json:"purchasable"`
		Stock       string  `json:"stock_status"`
		Variations  []int64 `json:"variations"`
	}
	add := func(g goods) {
		out = append(out, webstore.Offer{
			Variation: g.ID, Price: twoDigits(g.Price), InStock: g.Purchasable && g.Stock != "outofstock" && g.Status == "publish",
		})
	}
	for _, product := range products {
		var p goods
		err := s.call(ctx, http.MethodGet, fmt.Sprintf("products/%d", product), nil, nil, &p)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(p.Variations) == 0 {
			add(p)
		}
		for page := 1; len(p.Variations) > 0; page++ {
			var variations []goods
			q := url.Values{"per_page": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(page)}}
			if err := s.call(ctx, http.MethodGet, fmt.Sprintf("products/%d/variations", product), q, nil, &variations); err != nil {
				return nil, err
			}
			for _, v := range variations {
				add(v)
			}
			if len(variations) < pageSize {
				break
			}
		}
	}
	return out, nil
}

// twoDigits writes a price of the shop, which may have fewer digits after the point or none, with two.
func twoDigits(price string) string {
	u, err := money.ParseDecimal(price, 2)
	if err != nil {
		return price
	}
	return u.Fixed(2, 2)
}

type hook struct {
	ID     int64  `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
	Status string `json:"status,omitempty"`
	Topic  string `json:"topic,omitempty"`
	URL    string `json:"delivery_url,omitempty"`
	Secret string `json:"secret,omitempty"`
}

// topics are those of the hooks that the portal needs.
var topics = []string{"order.created", "order.updated", "order.deleted", "order.restored"}

// EnableHooks enables and completes the portal's hooks; see webstore.Shop.
func (s *Shop) EnableHooks(ctx context.Context) (mended int, err error) {
	missing := map[string]bool{}
	for _, t := range topics {
		missing[t] = true
	}
	for page := 1; ; page++ {
		var hooks []hook
		q := url.Values{"per_page": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(page)}}
		if err := s.call(ctx, http.MethodGet, "webhooks", q, nil, &hooks); err != nil {
			return mended, err
		}
		for _, h := range hooks {
			if h.URL != s.o.HookURL || !missing[h.Topic] {
				continue
			}
			delete(missing, h.Topic)
			if h.Status == "active" {
				continue
			}
			if err := s.call(ctx, http.MethodPut, fmt.Sprintf("webhooks/%d", h.ID), nil, hook{Status: "active"}, nil); err != nil {
				return mended, err
			}
			mended++
		}
		if len(hooks) < pageSize {
			break
		}
	}
	for _, t := range topics {
		if !missing[t] {
			continue
		}
		h := hook{Name: "Portal: " + t, Status: "active", Topic: t, URL: s.o.HookURL, Secret: s.o.HookToken}
		if err := s.call(ctx, http.MethodPost, "webhooks", nil, h, nil); err != nil {
			return mended, err
		}
		mended++
	}
	return mended, nil
}

// timeLayout is how the shop writes times that are in GMT.
const timeLayout = "2006-01-02T15:04:05"

func timeOf(text string) (time.Time, error) {
	at, err := time.Parse(timeLayout, text)
	if err != nil {
		return at, fault.New(fault.Unavailable, "The shop answered with a malformed time.")
	}
	return at, nil
}

// call makes a call of the REST API and decodes its answer into out, unless that is nil.
func (s *Shop) call(ctx context.Context, method, path string, q url.Values, in, out any) error {
	var content io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	at := s.o.URL + "/wp-json/wc/v3/" + path
	if len(q) > 0 {
		at += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, at, content)
	if err != nil {
		return err
	}
	req.SetBasicAuth(s.o.Key, s.o.Secret)
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.o.HTTP.Do(req)
	if err != nil {
		return fault.New(fault.Unavailable, "The shop does not answer.").Because(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fault.New(fault.Unavailable, "The shop's answer broke off.").Because(err)
	case len(body) > maxAnswer:
		return fault.New(fault.Unavailable, "The shop's answer is too large.")
	case res.StatusCode == http.StatusTooManyRequests:
		return fault.Wait(retryAfter(res.Header), "The shop refuses calls for a while.")
	case res.StatusCode == http.StatusNotFound && isMissing(body):
		return fault.New(fault.NotFound, "The shop has no such thing.")
	case res.StatusCode < 200 || res.StatusCode > 299:
		return fault.New(fault.Unavailable, "The shop answered %d.", res.StatusCode).Because(errors.New(method + " " + path))
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fault.New(fault.Unavailable, "The shop's answer is malformed.").Because(err)
	}
	return nil
}

// isMissing reports whether a 404 comes from the REST API itself, and not from a wrong address or a shop without the API.
func isMissing(body []byte) bool {
	var e struct {
		Code string `json:"code"`
	}
	return json.Unmarshal(body, &e) == nil && strings.HasPrefix(e.Code, "woocommerce_rest_") && strings.HasSuffix(e.Code, "_invalid_id")
}

func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, time.Hour)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(at), time.Second), time.Hour)
	}
	return pause
}

var _ webstore.Shop = (*Shop)(nil)
