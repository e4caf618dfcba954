// Package site serves the web build: prerendered pages, the single-page shell for all other routes of the app, and
// static files, with their security headers.
//
// Everything is read once, by New: the build does not change while the process runs. The site's own address, which is
// unknown at build time, is inserted into pages then. A page's Content-Security-Policy allows exactly the inline
// scripts and styles that the page was built with, by their hashes, so nothing injected later can run. The handler is
// immutable and safe for concurrent use.
package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Page is the content of the head of one dynamic page. All fields are plain text; they are escaped here.
type Page struct {
	Title       string // without the site's name, which is appended as on prerendered pages
	Description string
	Image       string // the build's share image, such as "/share/arks.jpg", 1200 by 630 pixels; omitted if the build has none
	ImageAlt    string // its alternative text
	URL         string // absolute canonical URL; "" for none
	NoIndex     bool   // search engines should not list it
}

// Describer looks up the subject of one page of a dynamic route. params holds the route's parameters by name.
// It returns an error wrapping fs.ErrNotExist if the subject does not exist, which makes the page a 404. Any other
// error is logged and the page is served without its own description.
type Describer func(ctx context.Context, params map[string]string) (Page, error)

// Options configures the handler for its deployment. The zero value serves everything from its own origin.
type Options struct {
	// PublicURL is the address at which browsers reach the site, such as "https://portal.example", for canonical
	// URLs and shared links. If empty, these are relative.
	PublicURL string
	// ConnectOrigins and ImageOrigins are further origins the browser may connect to and load images from, such as
	// "wss://hub.example.com" or "https://images.example.com". The site's own origin is always allowed.
	ConnectOrigins []string
	ImageOrigins   []string
	// Describe holds a lookup for each dynamic route whose pages have their own head, by the route's pattern
	// in the build, such as "/item/:contract/:tokenId".
	Describe map[string]Describer
	// Unlisted holds a condition for the pages that search engines may list at some times only, by the path of a prerendered page or
	// the pattern of a route. While it is true, the sitemap omits the page, which is served with X-Robots-Tag: noindex.
	Unlisted map[string]func(context.Context) bool
	// Absent are the paths of prerendered pages and the patterns of routes of what this portal does not have, such as packs. They lead to
	// the page for addresses that lead nowhere, and the sitemap omits them.
	Absent []string
	// Registry is the JSON of the brand's registry, which pages carry in the element with the id "registry" in the place of the build's own;
	// that of the build if empty. It must have no "<".
	Registry []byte
	// Log logs failed lookups; nil discards them.
	Log *slog.Logger
}

// Handler serves one web build. Create it with New.
type Handler struct {
	assets   map[string]*asset // by URL path
	shell    *asset            // nil when the build is missing
	shellDoc document
	routes   []route
	describe map[string]Describer
	unlisted map[string]func(context.Context) bool
	absent   []string
	policy   policy
	log      *slog.Logger

	publicURL string
}

const (
	// shellFile is React Router's name for the page that renders any route in the browser.
	shellFile  = "__spa-fallback.html"
	routesFile = "routes.json"
	sitemap    = "/sitemap.xml"
	notFound   = "/404"

	// originInBuild is the placeholder for the site's own address in the build's pages. web/scripts/pages.ts uses it
	// too.
	originInBuild = "https://site.invalid"

	cacheForever    = "public, max-age=31536000, immutable" // names under /assets/ contain a hash of the content
	cacheRevalidate = "no-cache"
	cacheShortly    = "public, max-age=3600"
	cacheNever      = "no-store"
)

// New reads the web build and prepares all responses. A build without pages is not an error: the handler then responds
// with 503 and instructions. It fails on an incomplete build, on a file type without a known content type, on an
// option that is not an origin, on a description for a route and on a condition for a page or route that the build does not have.
func New(build fs.FS, o Options) (*Handler, error) {
	h := &Handler{describe: o.Describe, unlisted: o.Unlisted, absent: o.Absent, log: o.Log, publicURL: o.PublicURL}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if h.policy, err = newPolicy(o.ConnectOrigins, o.ImageOrigins); err != nil {
		return nil, err
	}
	if _, err := fs.Stat(build, shellFile); errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if h.assets, err = loadAssets(build, h.policy, inserted{o.PublicURL, o.Registry}); err != nil {
		return nil, err
	}
	if h.assets[notFound] == nil {
		return nil, fmt.Errorf("site: the web build is incomplete, build it again: it has no page %s", notFound)
	}
	h.shell = h.assets[shellKey]
	delete(h.assets, shellKey)
	h.shellDoc = splitHead(h.shell.identity.body)
	if h.routes, err = loadRoutes(build); err != nil {
		return nil, err
	}
	for pattern := range h.describe {
		if !hasPattern(h.routes, pattern) {
			return nil, fmt.Errorf("site: the web build has no route %q to describe", pattern)
		}
	}
	for _, p := range h.absent {
		if a, ok := h.assets[p]; (!ok || !a.page) && !hasPattern(h.routes, p) {
			return nil, fmt.Errorf("site: the web build has no page %q to leave out", p)
		}
	}
	for p := range h.unlisted {
		if a, ok := h.assets[p]; (!ok || !a.page) && !hasPattern(h.routes, p) {
			return nil, fmt.Errorf("site: the web build has no page %q to keep from search engines", p)
		}
	}
	return h, nil
}

// ServeHTTP serves GET and HEAD requests from the build: file, page, shell or 404.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setCommonHeaders(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		plain(w, r, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
		return
	}
	if h.shell == nil {
		w.Header().Set("Retry-After", "60")
		plain(w, r, http.StatusServiceUnavailable, "This server was built without its web pages. Run `make web`, then build and start it again.")
		return
	}
	p := r.URL.Path
	if !wellFormed(r.URL) {
		plain(w, r, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	if h.isAbsent(p) {
		w.Header().Set("Cache-Control", cacheRevalidate)
		http.Redirect(w, r, notFound, http.StatusFound)
		return
	}
	if a, ok := h.assets[p]; ok {
		if p == notFound {
			h.write(w, r, a, http.StatusNotFound)
			return
		}
		if p == sitemap && len(h.unlisted)+len(h.absent) > 0 {
			a = h.sitemap(r.Context(), a)
		}
		h.keepUnlisted(w, r, p)
		serve(w, r, a)
		return
	}
	if trimmed := strings.TrimSuffix(p, "/"); trimmed != p && trimmed != "" && h.known(trimmed) {
		target := url.URL{Path: trimmed, RawQuery: r.URL.RawQuery}
		w.Header().Set("Cache-Control", cacheRevalidate)
		http.Redirect(w, r, target.String(), http.StatusPermanentRedirect)
		return
	}
	if strings.HasPrefix(p, "/assets/") || strings.HasPrefix(p, "/api/") || path.Ext(p) != "" {
		plain(w, r, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	h.serveShell(w, r)
}

// isAbsent reports whether a path is that of a page which this portal does not have.
func (h *Handler) isAbsent(p string) bool {
	if len(h.absent) == 0 {
		return false
	}
	pattern, _, _ := match(h.routes, p)
	return slices.Contains(h.absent, p) || slices.Contains(h.absent, pattern)
}

// keepUnlisted keeps search engines from a page that is unlisted now, by its key in Unlisted.
func (h *Handler) keepUnlisted(w http.ResponseWriter, r *http.Request, page string) {
	if isUnlisted, ok := h.unlisted[page]; ok && isUnlisted(r.Context()) {
		w.Header().Set("X-Robots-Tag", "noindex")
	}
}

// sitemap returns the build's sitemap without the pages that are unlisted now.
func (h *Handler) sitemap(ctx context.Context, whole *asset) *asset {
	body := whole.identity.body
	gone := slices.Clone(h.absent)
	for p, isUnlisted := range h.unlisted {
		if isUnlisted(ctx) {
			gone = append(gone, p)
		}
	}
	for _, p := range gone {
		entry := "<url><loc>" + html.EscapeString(h.publicURL) + p + "</loc></url>\n"
		body = bytes.ReplaceAll(body, []byte(entry), nil)
	}
	return &asset{contentType: whole.contentType, cache: whole.cache, csp: whole.csp, identity: newVariant("", body)}
}

// known reports whether a path is a prerendered page or a route of the app.
func (h *Handler) known(p string) bool {
	if a, ok := h.assets[p]; ok {
		return a.page
	}
	_, _, ok := match(h.routes, p)
	return ok
}

// serveShell serves a path that has no prerendered page: the app renders it in the browser.
func (h *Handler) serveShell(w http.ResponseWriter, r *http.Request) {
	pattern, params, ok := match(h.routes, r.URL.Path)
	if !ok {
		h.write(w, r, h.assets[notFound], http.StatusNotFound)
		return
	}
	h.keepUnlisted(w, r, pattern)
	describe, ok := h.describe[pattern]
	if !ok {
		w.Header().Set("X-Robots-Tag", "noindex") // a player's own page, such as an order: all others are prerendered or described
		serve(w, r, h.shell)
		return
	}
	page, err := describe(r.Context(), params)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		h.write(w, r, h.shell, http.StatusNotFound)
	case err != nil:
		h.log.ErrorContext(r.Context(), "site: page description failed", "route", pattern, "error", err)
		serve(w, r, h.shell)
	default:
		if h.assets[page.Image] == nil {
			page.Image = ""
		}
		// Only the head differs from the shell, and it contains no script or style: the shell's policy applies.
		a := &asset{page: true, contentType: h.shell.contentType, cache: cacheRevalidate, csp: h.shell.csp}
		a.identity = newVariant("", h.shellDoc.withHead(page, h.publicURL))
		serve(w, r, a)
	}
}

// serve responds with 200, 206, 304 or 416 by the rules of RFC 9110 for conditional and range requests.
func serve(w http.ResponseWriter, r *http.Request, a *asset) {
	v := a.negotiate(r)
	a.setHeaders(w.Header(), v)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(v.body))
}

// write responds with the whole asset and a status other than 200.
func (h *Handler) write(w http.ResponseWriter, r *http.Request, a *asset, status int) {
	v := a.negotiate(r)
	a.setHeaders(w.Header(), v)
	w.Header().Del("ETag")
	w.Header().Del("Accept-Ranges")
	w.Header().Set("Cache-Control", cacheNever)
	w.Header().Set("Content-Length", strconv.Itoa(len(v.body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(v.body) // the client has disconnected; nothing is left to do
	}
}

// wellFormed rejects paths that another layer might interpret differently: dot segments, empty segments, backslashes,
// control characters and encoded separators.
func wellFormed(u *url.URL) bool {
	p := u.Path
	if !strings.HasPrefix(p, "/") || strings.ContainsFunc(p, func(c rune) bool { return c < 0x20 || c == 0x7f || c == '\\' }) {
		return false
	}
	raw := strings.ToLower(u.RawPath)
	if strings.Contains(raw, "%2f") || strings.Contains(raw, "%5c") {
		return false
	}
	clean := path.Clean(p)
	return p == clean || p == clean+"/"
}

func setCommonHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}

func plain(w http.ResponseWriter, r *http.Request, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", cacheNever)
	h.Set("Content-Length", strconv.Itoa(len(text)+1))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(text + "\n"))
	}
}
