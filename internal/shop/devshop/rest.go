package devshop

import (
	"cmp"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/portal/webstore"
)

// routes registers the REST API.
func (s *Shop) routes() {
	const api = "/wp-json/wc/v3/"
	s.rest("GET "+s.o.Path+api+"orders", s.listOrders)
	s.rest("GET "+s.o.Path+api+"orders/{id}", s.getOrder)
	s.rest("GET "+s.o.Path+api+"orders/{id}/refunds", s.listRefunds)
	s.rest("GET "+s.o.Path+api+"products/{id}", s.getProduct)
	s.rest("GET "+s.o.Path+api+"products/{id}/variations", s.listVariations)
	s.rest("GET "+s.o.Path+api+"webhooks", s.listHooks)
	s.rest("POST "+s.o.Path+api+"webhooks", s.createHook)
	s.rest("PUT "+s.o.Path+api+"webhooks/{id}", s.updateHook)
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Status int `json:"status"`
	} `json:"data"`
}

func fail(w http.ResponseWriter, status int, code, message string) {
	f := failure{Code: code, Message: message}
	f.Data.Status = status
	answer(w, status, f)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// rest registers a call that needs the key. It is called with the lock held.
func (s *Shop) rest(pattern string, handle func(http.ResponseWriter, *http.Request)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		key, secret, _ := r.BasicAuth()
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.trouble.Down:
			http.Error(w, "Briefly unavailable for scheduled maintenance.", http.StatusServiceUnavailable)
		case s.throttle > 0:
			s.throttle--
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, "too_many_requests", "Too many requests.")
		case subtle.ConstantTimeCompare([]byte(key+":"+secret), []byte(s.o.Key+":"+s.o.Secret)) != 1:
			fail(w, http.StatusUnauthorized, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.")
		default:
			handle(w, r)
		}
	})
}

// page returns the page of a list that a request asks for.
func page[T any](w http.ResponseWriter, r *http.Request, all []T) []T {
	size, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("per_page"), "10"))
	if err != nil || size < 1 || size > 100 {
		size = 10
	}
	number, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
	if err != nil || number < 1 {
		number = 1
	}
	w.Header().Set("X-WP-Total", strconv.Itoa(len(all)))
	w.Header().Set("X-WP-TotalPages", strconv.Itoa((len(all)+size-1)/size))
	from := min((number-1)*size, len(all))
	return append([]T{}, all[from:min(from+size, len(all))]...)
}

func (s *Shop) listOrders(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	after := ""
	if text := q.Get("modified_after"); text != "" {
		at, err := time.Parse("2006-01-02T15:04:05", text)
		if err != nil {
			fail(w, http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): modified_after")
			return
		}
		after = at.Format("2006-01-02T15:04:05")
	}
	status := cmp.Or(q.Get("status"), "any")
	var found []*Order
	for _, o := range s.state.Orders {
		if o.ModifiedGMT > after && (status == "any" || o.Status == status) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b *Order) int {
		if q.Get("orderby") == "modified" {
			return cmp.Or(cmp.Compare(a.ModifiedGMT, b.ModifiedGMT), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Or(cmp.Compare(a.CreatedGMT, b.CreatedGMT), cmp.Compare(a.ID, b.ID))
	})
	if q.Get("order") != "asc" {
		slices.Reverse(found)
	}
	answer(w, http.StatusOK, page(w, r, found))
}

func (s *Shop) order(w http.ResponseWriter, r *http.Request) *Order {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	o := s.state.Orders[id]
	if o == nil {
		fail(w, http.StatusNotFound, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.")
	}
	return o
}

func (s *Shop) getOrder(w http.ResponseWriter, r *http.Request) {
	if o := s.order(w, r); o != nil {
		answer(w, http.StatusOK, o)
	}
}

func (s *Shop) listRefunds(w http.ResponseWriter, r *http.Request) {
	if o := s.order(w, r); o != nil {
		answer(w, http.StatusOK, page(w, r, o.RefundsWhole))
	}
}

func (s *Shop) listHooks(w http.ResponseWriter, r *http.Request) {
	var all []*Hook
	for _, h := range s.state.Hooks {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *Hook) int { return cmp.Compare(b.ID, a.ID) })
	answer(w, http.StatusOK, page(w, r, all))
}

// newHook is the body of a call about a hook.
type newHook struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Topic  string `json:"topic"`
	URL    string `json:"delivery_url"`
	Secret string `json:"secret"`
}

func decode(w http.ResponseWriter, r *http.Request, v any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(v); err != nil {
		fail(w, http.StatusBadRequest, "rest_invalid_json", "Invalid JSON body passed.")
		return false
	}
	return true
}

func (s *Shop) createHook(w http.ResponseWriter, r *http.Request) {
	var n newHook
	if !decode(w, r, &n) {
		return
	}
	h := &Hook{ID: s.id(), Name: n.Name, Status: cmp.Or(n.Status, "active"), Topic: n.Topic, URL: n.URL, Secret: n.Secret}
	s.state.Hooks[h.ID] = h
	to := *h
	s.sending.Go(func() { s.ping(to) })
	answer(w, http.StatusCreated, h)
}

func (s *Shop) updateHook(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	h := s.state.Hooks[id]
	if h == nil {
		fail(w, http.StatusNotFound, "woocommerce_rest_shop_webhook_invalid_id", "Invalid ID.")
		return
	}
	var n newHook
	if !decode(w, r, &n) {
		return
	}
	if n.Status != "" {
		h.Status = n.Status
		if n.Status == "active" {
			h.Failures = 0
		}
	}
	answer(w, http.StatusOK, h)
}

// product is a product, or a variation of one.
type product struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Type        string  `json:"type,omitempty"`
	Price       string  `json:"price"`
	Status      string  `json:"status"`
	Purchasable bool    `json:"purchasable"`
	Stock       string  `json:"stock_status"`
	Variations  []int64 `json:"variations,omitempty"`
}

func (s *Shop) productOf(w http.ResponseWriter, r *http.Request) *webstore.Product {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for _, p := range s.o.Catalogue().Products() {
		if p.ID == id {
			return &p
		}
	}
	fail(w, http.StatusNotFound, "woocommerce_rest_product_invalid_id", "Invalid ID.")
	return nil
}

func (s *Shop) getProduct(w http.ResponseWriter, r *http.Request) {
	p := s.productOf(w, r)
	if p == nil {
		return
	}
	out := product{ID: p.ID, Name: p.Name, Type: "variable", Status: "publish", Purchasable: true, Stock: "instock"}
	for _, v := range p.Variations {
		out.Variations = append(out.Variations, v.ID)
	}
	answer(w, http.StatusOK, out)
}

func (s *Shop) listVariations(w http.ResponseWriter, r *http.Request) {
	p := s.productOf(w, r)
	if p == nil {
		return
	}
	out := []product{}
	for _, v := range p.Variations {
		o := product{ID: v.ID, Name: v.Name, Price: v.Price, Status: "publish", Purchasable: true, Stock: "instock"}
		if changed, ok := s.offers[v.ID]; ok {
			o.Price = changed.Price
			if !changed.InStock {
				o.Stock = "outofstock"
			}
		}
		out = append(out, o)
	}
	answer(w, http.StatusOK, page(w, r, out))
}
