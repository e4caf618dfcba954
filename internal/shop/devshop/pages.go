package devshop

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

//go:embed pages.html
var pagesText string

var pages = template.Must(template.New("").Parse(pagesText))

// pages registers the shop's pages.
func (s *Shop) pages() {
	s.mux.HandleFunc("GET "+s.o.Path+"/{$}", s.overview)
	s.mux.HandleFunc("GET "+s.o.Path+"/checkout/{$}", s.checkout)
	s.mux.HandleFunc("POST "+s.o.Path+"/checkout/{$}", s.pay)
	s.mux.HandleFunc("POST "+s.o.Path+"/orders/{id}/{change}", s.change)
}

func render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
	w.Header().Set("Referrer-Policy", "same-origin")
	_ = pages.ExecuteTemplate(w, name, data)
}

// isOwn reports whether a form was sent by one of the shop's own pages.
func isOwn(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

func (s *Shop) overview(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	var orders []Order
	for _, o := range s.state.Orders {
		orders = append(orders, *o)
	}
	s.mu.Unlock()
	slices.SortFunc(orders, func(a, b Order) int { return cmp.Compare(b.ID, a.ID) })
	render(w, "overview", map[string]any{"Path": s.o.Path, "Orders": orders, "Hooks": s.Hooks()})
}

// cart is what the checkout shows.
type cart struct {
	Path, Product, Name, Price, Currency, Reference string
	Variation, Quantity                             int64
}

// cartOf reads a cart from an address or a form; ok is false for a variation that the shop does not sell.
func (s *Shop) cartOf(q url.Values) (c cart, ok bool) {
	id, _ := strconv.ParseInt(q.Get("add-to-cart"), 10, 64)
	p, v, ok := s.o.Catalogue().Variation(id)
	n, err := strconv.ParseInt(cmp.Or(q.Get("quantity"), "1"), 10, 64)
	if !ok || err != nil || n < 1 || n > 10 {
		return c, false
	}
	return cart{
		Path: s.o.Path, Product: p.Name, Name: v.Name, Price: decimal(cents(v.Price) * n), Currency: s.o.Currency, Variation: id, Quantity: n,
		Reference: q.Get("orderReference"),
	}, true
}

func (s *Shop) checkout(w http.ResponseWriter, r *http.Request) {
	c, ok := s.cartOf(r.URL.Query())
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		render(w, "missing", c)
		return
	}
	render(w, "checkout", c)
}

func (s *Shop) pay(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil || !isOwn(r) {
		http.Error(w, "This form is not the shop's own.", http.StatusBadRequest)
		return
	}
	c, ok := s.cartOf(r.PostForm)
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		render(w, "missing", c)
		return
	}
	id := s.Place(NewOrder{Reference: c.Reference, Lines: []NewLine{{Variation: c.Variation, Quantity: c.Quantity}}})
	if r.PostForm.Get("when") != "later" {
		s.SetStatus(id, "processing")
	}
	handOff, _, _ := strings.Cut(c.Reference, ".")
	if handOff == "" {
		http.Redirect(w, r, s.o.Path+"/", http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, fmt.Sprintf(s.o.Return, url.PathEscape(handOff)), http.StatusSeeOther)
}

// change changes an order from the overview.
func (s *Shop) change(w http.ResponseWriter, r *http.Request) {
	if !isOwn(r) {
		http.Error(w, "This form is not the shop's own.", http.StatusBadRequest)
		return
	}
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	switch change := r.PathValue("change"); change {
	case "processing", "completed", "cancelled", "refunded", "failed":
		s.SetStatus(id, change)
	case "delete":
		s.Delete(id)
	}
	http.Redirect(w, r, s.o.Path+"/", http.StatusSeeOther)
}
