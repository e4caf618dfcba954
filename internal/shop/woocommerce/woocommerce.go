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
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/trace"
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

// Options configure a Shop; all but HTTP and Report are required.
type Options struct {
	URL       string // of the shop, without a path of its own
	Key       string // consumer key with the right to read and write
	Secret    string // consumer secret
	HookURL   string // where the shop's webhooks go
	HookToken string // the secret by which they are signed
	HTTP      *http.Client
	// Report is called for what is left out because it cannot be read.
	Report func(error)
}

// Shop is a WooCommerce shop. It is safe for concurrent use.
type Shop struct {
	o Options
}

// New returns a Shop.
func New(o Options) *Shop {
	if o.HTTP == nil {
		o.HTTP = &http.Client{
			Transport: trace.Transport("shop", http.DefaultTransport), Timeout: timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if o.Report == nil {
		o.Report = func(error) {}
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

// OrderOf returns the id of the order that a webhook's body is about; 0 if it has none that can be read.
func OrderOf(body []byte) int64 {
	var o struct {
		ID integer `json:"id"`
	}
	if json.Unmarshal(body, &o) != nil {
		return 0
	}
	return max(0, int64(o.ID))
}

type order struct {
	ID          integer         `json:"id"`
	Number      text            `json:"number"`
	Status      text            `json:"status"`
	Currency    text            `json:"currency"`
	Total       text            `json:"total"`
	TaxIncluded text            `json:"prices_include_tax"`
	Modified    text            `json:"date_modified_gmt"`
	Meta        metas           `json:"meta_data"`
	Lines       list[line]      `json:"line_items"`
	Refunds     json.RawMessage `json:"refunds"`
}

type line struct {
	ID        integer `json:"id"`
	Name      text    `json:"name"`
	Product   integer `json:"product_id"`
	Variation integer `json:"variation_id"`
	Quantity  text    `json:"quantity"` // negative in refunds
	Total     text    `json:"total"`
	Tax       text    `json:"total_tax"`
	Meta      metas   `json:"meta_data"`
}

type refund struct {
	Lines list[line] `json:"line_items"`
}

// Order returns an order; see webstore.Shop.
func (s *Shop) Order(ctx context.Context, id int64) (out webstore.ShopOrder, err error) {
	var o order
	if err := s.call(ctx, http.MethodGet, fmt.Sprintf("orders/%d", id), nil, nil, &o); err != nil {
		return out, err
	}
	switch {
	case int64(o.ID) != id:
		return out, fault.New(fault.Unavailable, "The shop answered with another order.")
	case o.Status == "": // neither paid nor unpaid
		return out, fault.New(fault.Unavailable, "The order has no status that can be read.")
	case o.Status == "trash":
		return out, fault.New(fault.NotFound, "The order was deleted.")
	}
	out = webstore.ShopOrder{
		ID: id, Number: string(o.Number), Status: webstore.Status(o.Status), Currency: string(o.Currency), Total: decimalOf(o.Total),
		TaxIncluded: !o.TaxIncluded.no(), ModifiedAt: timeOf(o.Modified), References: references(nil, o.Meta),
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
			ID: int64(l.ID), Variation: int64(variation), Name: string(l.Name), Quantity: l.Quantity.whole(), Written: string(l.Quantity),
			Refunded: refunded[int64(l.ID)], Total: decimalOf(l.Total), Tax: decimalOf(l.Tax),
		})
	}
	return out, nil
}

func references(out []string, all metas) []string {
	for _, m := range all {
		if m.Key == ReferenceKey && m.Value != "" && !slices.Contains(out, string(m.Value)) {
			out = append(out, string(m.Value))
		}
	}
	return out
}

// refunds returns the units that were refunded by line, and whether money was refunded for no line that can be read.
func (s *Shop) refunds(ctx context.Context, o order) (units map[int64]int64, loose bool, err error) {
	if named, ok := elements(o.Refunds); ok && len(named) == 0 {
		return nil, false, nil
	}
	units = map[int64]int64{}
	for page := 1; ; page++ {
		refunds, more, err := s.page(ctx, fmt.Sprintf("orders/%d/refunds", o.ID), nil, page)
		if err != nil {
			return nil, false, err
		}
		for _, raw := range refunds {
			var r refund
			_ = json.Unmarshal(raw, &r)
			counted := false
			for _, l := range r.Lines {
				for _, m := range l.Meta {
					if id, n := m.Value.whole(), l.Quantity.whole(); m.Key == "_refunded_item_id" && id > 0 && n < 0 {
						units[id] -= n
						counted = true
						break
					}
				}
			}
			loose = loose || !counted
		}
		if !more {
			return units, loose, nil
		}
	}
}

// page returns a page of a list, and whether there may be more.
func (s *Shop) page(ctx context.Context, path string, q url.Values, page int) (all []json.RawMessage, more bool, err error) {
	asked := url.Values{"per_page": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(page)}}
	maps.Copy(asked, q)
	var answer json.RawMessage
	if err := s.call(ctx, http.MethodGet, path, asked, nil, &answer); err != nil {
		return nil, false, err
	}
	all, ok := elements(answer)
	if !ok || isObject(answer) && slices.ContainsFunc(all, func(e json.RawMessage) bool { return !isObject(e) }) {
		return nil, false, fault.New(fault.Unavailable, "The shop's answer is no list.")
	}
	return all, len(all) >= pageSize, nil
}

// Changes returns a page of changed orders; see webstore.Shop.
func (s *Shop) Changes(ctx context.Context, since time.Time, page int) (changes []webstore.Change, more bool, err error) {
	orders, more, err := s.page(ctx, "orders", url.Values{
		// The shop leaves out what changed in that second itself.
		"modified_after": {since.UTC().Truncate(time.Second).Add(-time.Second).Format(timeLayout)}, "dates_are_gmt": {"true"},
		"orderby": {"modified"}, "order": {"asc"}, "status": {"any"}, "_fields": {"id,date_modified_gmt"},
	}, page)
	if err != nil {
		return nil, false, err
	}
	for _, raw := range orders {
		var o order
		_ = json.Unmarshal(raw, &o)
		if o.ID < 1 {
			s.o.Report(fmt.Errorf("woocommerce: an entry among the changed orders has no id: %.200s", raw))
			continue
		}
		changes = append(changes, webstore.Change{OrderID: int64(o.ID), At: timeOf(o.Modified)})
	}
	return changes, more, nil
}

// goods are a product or a variation.
type goods struct {
	ID          integer         `json:"id"`
	Price       text            `json:"price"`
	Status      text            `json:"status"`
	Purchasable text            `json:"purchasable"`
	Stock       text            `json:"stock_status"`
	Variations  json.RawMessage `json:"variations"`
}

func (g goods) offer() webstore.Offer {
	return webstore.Offer{
		Variation: int64(g.ID), Price: decimalOf(g.Price), InStock: g.Purchasable.yes() && g.Stock != "outofstock" && g.Status == "publish",
	}
}

// Offers returns what the shop asks; see webstore.Shop. A product has the ids of its variations only, so these are fetched too.
func (s *Shop) Offers(ctx context.Context, product int64) (out []webstore.Offer, err error) {
	var p goods
	switch err := s.call(ctx, http.MethodGet, fmt.Sprintf("products/%d", product), nil, nil, &p); {
	case fault.Is(err, fault.NotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if named, ok := elements(p.Variations); ok && len(named) == 0 {
		return []webstore.Offer{p.offer()}, nil
	}
	for page := 1; ; page++ {
		variations, more, err := s.page(ctx, fmt.Sprintf("products/%d/variations", product), nil, page)
		if err != nil {
			return nil, err
		}
		for _, raw := range variations {
			var v goods
			_ = json.Unmarshal(raw, &v)
			out = append(out, v.offer())
		}
		switch {
		case more:
		case len(out) == 0:
			return []webstore.Offer{p.offer()}, nil
		default:
			return out, nil
		}
	}
}

// decimalOf writes an amount with a point and no separators between thousands: "1.234,50" as "1234.50". The shop's own form has
// a point alone; plug-ins bring others.
func decimalOf(amount text) string {
	s := string(amount)
	switch at := strings.LastIndexAny(s, ".,"); {
	case at < 0:
		return s
	case strings.Count(s, s[at:at+1]) > 1: // 1,234,567
		return strings.NewReplacer(",", "", ".", "").Replace(s)
	default:
		return strings.NewReplacer(",", "", ".", "").Replace(s[:at]) + "." + s[at+1:]
	}
}

// hook is a webhook, as it is written.
type hook struct {
	Name   string `json:"name,omitempty"`
	Status string `json:"status,omitempty"`
	Topic  string `json:"topic,omitempty"`
	URL    string `json:"delivery_url,omitempty"`
	Secret string `json:"secret,omitempty"`
}

// topics are those of the hooks that the portal needs.
var topics = []string{"order.created", "order.updated", "order.deleted", "order.restored"}

// EnableHooks enables and completes the portal's hooks; see webstore.Shop.
func (s *Shop) EnableHooks(ctx context.Context) (made, enabled int, err error) {
	missing := map[string]bool{}
	for _, t := range topics {
		missing[t] = true
	}
	for page, more := 1, true; more; page++ {
		var hooks []json.RawMessage
		if hooks, more, err = s.page(ctx, "webhooks", nil, page); err != nil {
			return made, enabled, err
		}
		for _, raw := range hooks {
			var h struct {
				ID     integer `json:"id"`
				Status text    `json:"status"`
				Topic  text    `json:"topic"`
				URL    text    `json:"delivery_url"`
			}
			_ = json.Unmarshal(raw, &h)
			if string(h.URL) != s.o.HookURL || !missing[string(h.Topic)] {
				continue
			}
			delete(missing, string(h.Topic))
			if h.Status == "active" {
				continue
			}
			if err := s.call(ctx, http.MethodPut, fmt.Sprintf("webhooks/%d", h.ID), nil, hook{Status: "active"}, nil); err != nil {
				return made, enabled, err
			}
			enabled++
		}
	}
	for _, t := range topics {
		if !missing[t] {
			continue
		}
		h := hook{Name: "Portal: " + t, Status: "active", Topic: t, URL: s.o.HookURL, Secret: s.o.HookToken}
		if err := s.call(ctx, http.MethodPost, "webhooks", nil, h, nil); err != nil {
			return made, enabled, err
		}
		made++
	}
	return made, enabled, nil
}

// timeLayout is how the shop writes times that are in GMT.
const timeLayout = "2006-01-02T15:04:05"

// timeOf returns a time of the shop; zero for one that cannot be read.
func timeOf(t text) time.Time {
	for _, layout := range []string{timeLayout, time.RFC3339, time.DateTime} {
		if at, err := time.Parse(layout, string(t)); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
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
		return fault.New(fault.Unavailable, "The shop does not answer.").WithReason(webstore.ReasonNoAnswer).Because(err)
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
