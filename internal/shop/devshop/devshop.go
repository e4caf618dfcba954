// Package devshop is the shop of the development world: a small stand-in for a WooCommerce shop, with a checkout at which
// nothing is paid. It serves the calls of WooCommerce's REST API that the portal makes, and sends signed webhooks the way the
// real one does: in the background, without retries, and not to a hook that has failed too often.
package devshop

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/woocommerce"
)

// Options configure a Shop; File and HTTP may be left out.
type Options struct {
	Path      string // under which the shop is served, such as /dev/shop
	URL       string // its whole address
	Key       string // of the REST API
	Secret    string // of the REST API
	Currency  string // ISO 4217
	Catalogue func() *webstore.Catalogue
	Clock     clock.Clock
	// Return is the address to which a buyer goes back, with the id of the hand-off in the place of %s.
	Return string
	File   string // in which orders are kept; "" for memory alone
	HTTP   *http.Client
}

// Shop is a development shop. It is safe for concurrent use.
type Shop struct {
	o   Options
	mux *http.ServeMux

	mu       sync.Mutex
	state    state
	offers   map[int64]webstore.Offer // that differ from the catalogue's
	trouble  Trouble
	throttle int
	sending  sync.WaitGroup
}

// state is what a shop knows. Its hooks are forgotten when it ends.
type state struct {
	LastID int64            `json:"lastId"`
	Orders map[int64]*Order `json:"orders"`
	Hooks  map[int64]*Hook  `json:"-"`
}

// Order is an order, as WooCommerce's REST API has it.
type Order struct {
	ID           int64      `json:"id"`
	Number       string     `json:"number"`
	Status       string     `json:"status"`
	Currency     string     `json:"currency"`
	Total        string     `json:"total"`
	TaxIncluded  bool       `json:"prices_include_tax"`
	CreatedGMT   string     `json:"date_created_gmt"`
	ModifiedGMT  string     `json:"date_modified_gmt"`
	PaidGMT      *string    `json:"date_paid_gmt"`
	CustomerID   int64      `json:"customer_id"`
	Meta         []Meta     `json:"meta_data"`
	Lines        []Line     `json:"line_items"`
	Refunds      []RefundOf `json:"refunds"`
	RefundsWhole []Refund   `json:"-"`
}

// Meta is an entry of metadata.
type Meta struct {
	ID    int64  `json:"id"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Line is a line of an order, or of a refund with a negative quantity.
type Line struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Product   int64  `json:"product_id"`
	Variation int64  `json:"variation_id"`
	Quantity  int64  `json:"quantity"`
	Total     string `json:"total"` // without tax
	Tax       string `json:"total_tax"`
	Meta      []Meta `json:"meta_data"`
}

// RefundOf is a refund in its order.
type RefundOf struct {
	ID     int64  `json:"id"`
	Reason string `json:"reason"`
	Total  string `json:"total"`
}

// Refund is a refund.
type Refund struct {
	ID     int64  `json:"id"`
	Amount string `json:"amount"`
	Reason string `json:"reason"`
	Lines  []Line `json:"line_items"`
}

// Hook is a webhook.
type Hook struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Status   string `json:"status"` // active, paused or disabled
	Topic    string `json:"topic"`
	URL      string `json:"delivery_url"`
	Secret   string `json:"-"`
	Failures int    `json:"-"`
}

// kept is what a file has of a shop beyond what the REST API shows.
type kept struct {
	state
	Refunds map[int64][]Refund `json:"refunds"` // by order
}

// maxFailures is how often a hook may fail in a row before the next failure disables it.
const maxFailures = 5

// Trouble is what goes wrong in the shop, for tests.
type Trouble struct {
	Down    bool          // the REST API answers 503, and no webhook is sent
	Lose    bool          // no webhook arrives, and none counts as failed
	Twice   bool          // each webhook is sent twice, under one delivery id
	Delay   time.Duration // of webhooks; their bodies are those of the beginning
	Refuses int           // how many calls are answered 429, with a Retry-After of one second
}

// New returns a Shop with what its file holds.
func New(o Options) (*Shop, error) {
	s := &Shop{o: o, mux: http.NewServeMux(), state: state{LastID: 1000, Orders: map[int64]*Order{}, Hooks: map[int64]*Hook{}}}
	if s.o.HTTP == nil {
		s.o.HTTP = &http.Client{
			Timeout: 60 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if err := s.load(); err != nil {
		return nil, fmt.Errorf("devshop: %s: %w", o.File, err)
	}
	s.routes()
	s.pages()
	return s, nil
}

// ServeHTTP serves the shop's pages and its REST API.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// SetOffer sets the price and the stock of a variation.
func (s *Shop) SetOffer(o webstore.Offer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.offers == nil {
		s.offers = map[int64]webstore.Offer{}
	}
	s.offers[o.Variation] = o
}

// Wait waits until all webhooks that are due have been sent.
func (s *Shop) Wait() { s.sending.Wait() }

// SetTrouble changes what goes wrong.
func (s *Shop) SetTrouble(t Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.throttle = t, t.Refuses
}

func (s *Shop) load() error {
	if s.o.File == "" {
		return nil
	}
	text, err := os.ReadFile(s.o.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	k := kept{state: s.state}
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	s.state = k.state
	for id, o := range s.state.Orders {
		o.RefundsWhole = k.Refunds[id]
	}
	return nil
}

// save writes the file; the caller holds the lock.
func (s *Shop) save() {
	if s.o.File == "" {
		return
	}
	k := kept{state: s.state, Refunds: map[int64][]Refund{}}
	for id, o := range s.state.Orders {
		k.Refunds[id] = o.RefundsWhole
	}
	text, err := json.Marshal(k)
	if err == nil {
		next := s.o.File + ".new"
		if err = os.MkdirAll(filepath.Dir(next), 0o700); err == nil {
			if err = os.WriteFile(next, text, 0o600); err == nil {
				err = os.Rename(next, s.o.File)
			}
		}
	}
	_ = err // a development shop goes on without its file
}

// id returns a new id; the caller holds the lock.
func (s *Shop) id() int64 { s.state.LastID++; return s.state.LastID }

func (s *Shop) now() string { return s.o.Clock.Now().UTC().Format("2006-01-02T15:04:05") }

// NewOrder is an order to be placed.
type NewOrder struct {
	Reference   string // "" for none
	Currency    string // "" for the shop's own
	TaxIncluded bool   // whether the catalogue's prices are with tax
	Lines       []NewLine
}

// NewLine is a line of a NewOrder.
type NewLine struct {
	Variation int64
	Quantity  int64
	Total     string // without tax; "" for what the catalogue asks
	Tax       string // "" for none
}

// Place places an order, which is not paid yet, and returns its id.
func (s *Shop) Place(n NewOrder) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Order{
		ID: s.id(), Status: "pending", Currency: n.Currency, TaxIncluded: n.TaxIncluded, CreatedGMT: s.now(), Meta: []Meta{},
		Refunds: []RefundOf{},
	}
	o.Number = strconv.FormatInt(o.ID, 10)
	if o.Currency == "" {
		o.Currency = s.o.Currency
	}
	if n.Reference != "" {
		o.Meta = append(o.Meta, Meta{ID: s.id(), Key: woocommerce.ReferenceKey, Value: n.Reference})
	}
	sum := int64(0)
	for _, l := range n.Lines {
		line := Line{
			ID: s.id(), Variation: l.Variation, Quantity: l.Quantity, Total: l.Total, Tax: cmp.Or(l.Tax, "0.00"), Meta: []Meta{},
			Name: fmt.Sprintf("Variation %d", l.Variation),
		}
		if p, v, ok := s.o.Catalogue().Variation(l.Variation); ok {
			line.Product, line.Name = p.ID, p.Name+" - "+v.Name
			if line.Total == "" {
				line.Total = decimal(cents(v.Price) * l.Quantity)
			}
		}
		sum += cents(line.Total) + cents(line.Tax)
		o.Lines = append(o.Lines, line)
	}
	o.Total = decimal(sum)
	s.state.Orders[o.ID] = o
	s.changed(o, "created")
	return o.ID
}

// SetStatus changes an order's status, such as to processing, which means that it is paid.
func (s *Shop) SetStatus(id int64, status string) { s.Edit(id, func(o *Order) { o.Status = status }) }

// Edit changes an order in any way.
func (s *Shop) Edit(id int64, change func(*Order)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.Orders[id]
	if o == nil {
		return
	}
	change(o)
	if webstore.Status(o.Status).Paid() && o.PaidGMT == nil {
		at := s.now()
		o.PaidGMT = &at
	}
	s.changed(o, "updated")
}

// Refund pays units of lines back, by the lines' ids; with none it pays money back for no line in particular.
func (s *Shop) Refund(id int64, units map[int64]int64) {
	s.Edit(id, func(o *Order) {
		r := Refund{ID: s.id(), Amount: "1.00", Reason: "asked for", Lines: []Line{}}
		for _, line := range slices.Sorted(maps.Keys(units)) {
			r.Lines = append(r.Lines, Line{
				ID: s.id(), Quantity: -units[line], Meta: []Meta{{ID: s.id(), Key: "_refunded_item_id", Value: strconv.FormatInt(line, 10)}},
			})
		}
		o.Refunds = append(o.Refunds, RefundOf{ID: r.ID, Reason: r.Reason, Total: "-" + r.Amount})
		o.RefundsWhole = append(o.RefundsWhole, r)
	})
}

// Delete deletes an order.
func (s *Shop) Delete(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.state.Orders[id]; o != nil {
		delete(s.state.Orders, id)
		s.changed(o, "deleted")
	}
}

// Hooks returns the shop's webhooks, by id.
func (s *Shop) Hooks() (out []Hook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(s.state.Hooks)) {
		out = append(out, *s.state.Hooks[id])
	}
	return out
}

// Order returns a copy of an order; ok is false for none.
func (s *Shop) Order(id int64) (o Order, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.state.Orders[id]; found != nil {
		return *found, true
	}
	return o, false
}

// changed marks an order as changed and sends the webhooks of that; the caller holds the lock.
func (s *Shop) changed(o *Order, what string) {
	o.ModifiedGMT = s.now()
	s.save()
	body, err := json.Marshal(o)
	if what == "deleted" {
		body, err = json.Marshal(map[string]int64{"id": o.ID})
	}
	if err != nil || s.trouble.Down || s.trouble.Lose {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(s.state.Hooks)) {
		h := s.state.Hooks[id]
		if h.Status != "active" || h.Topic != "order."+what {
			continue
		}
		times, delay := 1, s.trouble.Delay
		if s.trouble.Twice {
			times = 2
		}
		sum := sha256.Sum256(fmt.Append(nil, s.now(), h.ID))
		delivery := hex.EncodeToString(sum[:16])
		for range times {
			s.sending.Add(1)
			time.AfterFunc(delay, func() {
				defer s.sending.Done()
				s.deliver(h.ID, delivery, body)
			})
		}
	}
}

// deliver sends a webhook once.
func (s *Shop) deliver(hook int64, delivery string, body []byte) {
	s.mu.Lock()
	h := s.state.Hooks[hook]
	if h == nil || h.Status != "active" {
		s.mu.Unlock()
		return
	}
	to := *h
	s.mu.Unlock()
	ok := s.post(to, delivery, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ok:
		h.Failures = 0
	case h.Failures > maxFailures:
		h.Status = "disabled"
	default:
		h.Failures++
	}
}

func (s *Shop) post(h Hook, delivery string, body []byte) bool {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "WooCommerce/10.0 Hookshot (WordPress/6.8)")
	req.Header.Set("X-WC-Webhook-Source", s.o.URL+"/")
	req.Header.Set("X-WC-Webhook-Topic", h.Topic)
	req.Header.Set("X-WC-Webhook-Resource", "order")
	req.Header.Set("X-WC-Webhook-Event", h.Topic[len("order."):])
	req.Header.Set("X-WC-Webhook-Signature", woocommerce.Signature(body, h.Secret))
	req.Header.Set("X-WC-Webhook-ID", strconv.FormatInt(h.ID, 10))
	req.Header.Set("X-WC-Webhook-Delivery-ID", delivery)
	return s.send(req)
}

// ping tells a new hook's address its id, in a form and unsigned; anything but 200 is a failure.
func (s *Shop) ping(h Hook) bool {
	body := bytes.NewReader([]byte("webhook_id=" + strconv.FormatInt(h.ID, 10)))
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, h.URL, body)
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.send(req)
}

func (s *Shop) send(req *http.Request) bool {
	res, err := s.o.HTTP.Do(req)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	_ = res.Body.Close()
	return res.StatusCode >= 200 && res.StatusCode < 303
}

// cents reads a price with two digits after the point; 0 for anything else.
func cents(price string) int64 {
	var whole, part int64
	if n, err := fmt.Sscanf(price, "%d.%02d", &whole, &part); n != 2 || err != nil {
		return 0
	}
	return whole*100 + part
}

func decimal(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
