package api

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
)

// closedPage is where pages lead whoever may not be served.
const closedPage = "/unauthorized-country"

// alwaysServed are the pages everybody may read, wherever they are: what the law is, how to have an account deleted, and
// why nothing else is served. The call is the one by which a player who is still signed in deletes the account.
func alwaysServed() []string {
	return []string{
		closedPage, "/privacy-policy", "/cookie-policy", "/terms-of-use", "/king-of-destiny/terms-and-conditions",
		"/king-of-destiny/support/deleteaccount", "/api/auth/delete-account", "/api/auth/delete-account/code", "/healthz", "/readyz",
	}
}

// calls begin what is not a page: it is refused in words for programs, and never is a file, whatever its name ends in.
func calls() []string { return []string{"/api/", "/ofrep/", "/metadata/", "/client/"} }

// Countries wraps everything the portal serves, so that requests pass only from countries it may serve. Others get 451
// (RFC 7725), or, where they ask for a page, are led to the page that says so. Neither address nor country is kept or
// logged.
func (a *API) Countries(next http.Handler) http.Handler {
	if a.Country == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := path.Clean(r.URL.Path)
		isCall := slices.ContainsFunc(calls(), func(prefix string) bool { return strings.HasPrefix(p+"/", prefix) })
		if isFile := !isCall && (strings.HasPrefix(p, "/assets/") || path.Ext(p) != ""); isFile || slices.Contains(alwaysServed(), p) {
			next.ServeHTTP(w, r)
			return
		}
		from, _ := netip.ParseAddr(a.clientAddress(r))
		err := a.Country.Allow(a.toldCountry(r), from)
		if err == nil {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		if !isCall && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			http.Redirect(w, r, closedPage, http.StatusSeeOther)
			return
		}
		problem := newProblem(http.StatusUnavailableForLegalReasons, err.Error())
		h.Set("Link", "<"+a.PublicURL+`>; rel="blocked-by"`)
		h.Set("Content-Type", problem.ContentType(""))
		w.WriteHeader(problem.Status)
		_ = json.NewEncoder(w).Encode(problem)
	})
}

// toldCountry is what a trusted proxy says of the country; "" where none does. Where proxies have added to a header they
// were sent, the last value is that of the proxy next to us.
func (a *API) toldCountry(r *http.Request) string {
	if a.CountryHeader == "" {
		return ""
	}
	values := r.Header.Values(a.CountryHeader)
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || len(values) == 0 || !a.trusts(addr.Addr().String()) {
		return ""
	}
	return values[len(values)-1]
}
