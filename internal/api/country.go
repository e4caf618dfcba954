package api

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"

	"pantheon/internal/portal/country"
)

// calls returns the path prefixes that are not pages: these requests get a problem instead of a redirect, and are
// never treated as files, whatever their extension.
func calls() []string { return []string{"/api/", "/ofrep/", "/metadata/", "/client/"} }

// Countries wraps the portal's handler and only passes on requests from allowed countries. Others get 451 (RFC 7725),
// or, for a page, a redirect to the page that says so. Neither address nor country is stored or logged.
func (a *API) Countries(next http.Handler) http.Handler {
	if a.Country == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := path.Clean(r.URL.Path)
		isCall := slices.ContainsFunc(calls(), func(prefix string) bool { return strings.HasPrefix(p+"/", prefix) })
		if isFile := !isCall && (strings.HasPrefix(p, "/assets/") || path.Ext(p) != ""); isFile || a.Country.Serves(p) {
			next.ServeHTTP(w, r)
			return
		}
		err := a.Country.Allow(a.toldCountry(r), a.clientOf(r).addr)
		if err == nil {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		if !isCall && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			http.Redirect(w, r, country.ClosedPage, http.StatusSeeOther)
			return
		}
		problem := newProblem(http.StatusUnavailableForLegalReasons, err.Error())
		h.Set("Link", "<"+a.PublicURL+`>; rel="blocked-by"`)
		h.Set("Content-Type", problem.ContentType(""))
		w.WriteHeader(problem.Status)
		_ = json.NewEncoder(w).Encode(problem)
	})
}

type countryKey struct{}

// withCountry stores the country of the request's connection in its context, as country.Service.Of returns it. The context has
// the client.
func (a *API) withCountry(r *http.Request) *http.Request {
	if a.Country == nil {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), countryKey{}, a.Country.Of(a.toldCountry(r), originOf(r.Context()).addr)))
}

func countryOf(ctx context.Context) string {
	code, _ := ctx.Value(countryKey{}).(string)
	return code
}

// toldCountry returns the country that a trusted proxy reports; "" if none does. If several proxies have appended to
// the header, the last value is that of the nearest proxy.
func (a *API) toldCountry(r *http.Request) string {
	if a.CountryHeader == "" {
		return ""
	}
	if peer, ok := parseNode(r.RemoteAddr); !ok || !a.trusts(peer) {
		return ""
	}
	last, _ := lastElement(strings.Join(r.Header.Values(a.CountryHeader), ","))
	return unquote(last)
}
