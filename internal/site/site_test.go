package site

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

const (
	inlineScript = `window.a = 1 < 2 && "</b>";`
	inlineStyle  = `body{color:#fff}`
	homeHTML     = `<!DOCTYPE html><html><head><title>Home</title><link rel="canonical" href="https://site.invalid/"/><style>` + inlineStyle +
		`</style></head><body><h1>Home</h1><script>` + inlineScript + `</script><script src="/assets/app-1.js"></script></body></html>`
	shellHTML = `<!DOCTYPE html><html><head><meta charset="utf-8"/><title>Shell</title><meta name="description" content="old"/><meta ` +
		`property="og:title" content="old"/><meta property="og:site_name" content="The House"/><link rel="canonical" href="old"/><meta ` +
		`name="viewport" content="width=device-width"/></head><body><svg><title>drawing</title></svg><script>` +
		inlineScript +
		`</script></body></html>`
	itemRoute = "/market/item/:contract/:tokenId"
)

func build() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"README.md":             file("not served"),
		"__spa-fallback.html":   file(shellHTML),
		"routes.json":           file(`["/","/login","/404","/market","/market/item/:contract/:tokenId","/market/item/featured/one"]`),
		"index.html":            file(homeHTML),
		"login/index.html":      file("<html><head><title>Sign in</title></head></html>"),
		"404/index.html":        file("<html><head><title>Nothing here</title></head></html>"),
		"assets/app-1.js":       file("console.log(1)"),
		"assets/app-1.js.br":    file("brotli bytes of app"),
		"assets/app-1.js.gz":    file("gzip bytes of app"),
		"assets/clip-1.mp4":     file("0123456789"),
		"robots.txt":            file("User-agent: *\nSitemap: https://site.invalid/sitemap.xml"),
		"sitemap.xml":           file("<url><loc>https://site.invalid/</loc></url>\n<url><loc>https://site.invalid/login</loc></url>\n"),
		"login/picture.svg":     file("<svg/>"),
		"share/blades.jpg":      file("jpeg"),
		"fonts/title-1.woff2":   file("font"),
		"nested/deep/page.json": file("{}"),
	}
}

func handler(t *testing.T, fsys fs.FS, o Options) *Handler {
	t.Helper()
	h, err := New(fsys, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func do(t *testing.T, h http.Handler, method, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Spec: PAGE-2, PAGE-21
func TestSite_EachPathHasOneAnswer(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for _, c := range []struct {
		path   string
		status int
		holds  string
	}{
		{"/", 200, "<h1>Home</h1>"},
		{"/login", 200, "Sign in"},
		{"/login?from=%2Fmarket", 200, "Sign in"},
		{"/assets/app-1.js", 200, "console.log"},
		{"/robots.txt", 200, "User-agent"},
		{"/404", 404, "Nothing here"},

		{"/market", 200, "Shell"},
		{"/market/item/0xabc/12", 200, "Shell"},
		{"/market/item/0xabc", 404, "Nothing here"},
		{"/market/item//12", 404, "nothing at this address"},
		{"/nowhere", 404, "Nothing here"},

		{"/index.html", 404, "nothing at this address"},
		{"/login/index.html", 404, "nothing at this address"},
		{"/__spa-fallback.html", 404, "nothing at this address"},
		{"/shell", 404, "Nothing here"},
		{"/routes.json", 404, "nothing at this address"},
		{"/README.md", 404, "nothing at this address"},
		{"/assets/app-1.js.br", 404, "nothing at this address"},
		{"/assets", 404, "Nothing here"},
		{"/assets/", 404, "nothing at this address"},
		{"/assets/none", 404, "nothing at this address"},
		{"/api/none", 404, "nothing at this address"},
		{"/none.png", 404, "nothing at this address"},

		{"//login", 404, "nothing at this address"},
		{"/./login", 404, "nothing at this address"},
		{"/assets/../login", 404, "nothing at this address"},
		{"/assets/..%2flogin", 404, "nothing at this address"},
		{"/market%5citem", 404, "nothing at this address"},
		{"/market%00", 404, "nothing at this address"},
	} {
		res := do(t, h, http.MethodGet, c.path)
		got := body(t, res)
		if res.StatusCode != c.status || !strings.Contains(got, c.holds) {
			t.Errorf("%s: %d %.60q, want %d with %q", c.path, res.StatusCode, got, c.status, c.holds)
		}
		if res.Header.Get("X-Content-Type-Options") != "nosniff" || res.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: security headers are missing: %v", c.path, res.Header)
		}
	}
}

func TestSite_TrailingSlashLeadsToTheOneAddress(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for path, want := range map[string]string{
		"/login/":              "/login",
		"/login/?from=%2Fa":    "/login?from=%2Fa",
		"/market/":             "/market",
		"/market/item/0xa/12/": "/market/item/0xa/12",
	} {
		res := do(t, h, http.MethodGet, path)
		if res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want 308 to %q", path, res.StatusCode, res.Header.Get("Location"), want)
		}
	}
	for _, path := range []string{"/nowhere/", "//evil.example/", "/robots.txt/"} {
		if res := do(t, h, http.MethodGet, path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, res.StatusCode)
		}
	}
}

func TestSite_Caching(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for path, want := range map[string]string{
		"/":                cacheRevalidate,
		"/market":          cacheRevalidate,
		"/assets/app-1.js": cacheForever,
		"/robots.txt":      cacheShortly,
		"/nowhere":         cacheNever,
		"/404":             cacheNever,
		"/none.png":        cacheNever,
	} {
		if got := do(t, h, http.MethodGet, path).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", path, got, want)
		}
	}
}

func TestSite_EncodingsHaveTheirOwnETag(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	seen := map[string]string{}
	for accept, want := range map[string]string{
		"gzip, deflate, br":     "br",
		"gzip":                  "gzip",
		"br;q=0, gzip":          "gzip",
		"*":                     "br",
		"br;q=0, *":             "gzip",
		"gzip;q=0":              "",
		"gzip;q=nonsense":       "",
		"identity":              "",
		"GZIP ; Q=0.5":          "gzip",
		"":                      "",
		", ,;;,zstd;q=,deflate": "",
	} {
		res := do(t, h, http.MethodGet, "/assets/app-1.js", "Accept-Encoding", accept)
		if got := res.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: Content-Encoding %q, want %q", accept, got, want)
		}
		if res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary is %q", accept, res.Header.Get("Vary"))
		}
		if got, want := res.Header.Get("Content-Length"), fmt.Sprint(len(body(t, res))); got != want {
			t.Errorf("Accept-Encoding %q: Content-Length %s for %s bytes", accept, got, want)
		}
		etag := res.Header.Get("ETag")
		if other, ok := seen[etag]; ok && other != want {
			t.Errorf("%q and %q share the ETag %s", other, want, etag)
		}
		seen[etag] = want

		if res := do(t, h, http.MethodGet, "/assets/app-1.js", "Accept-Encoding", accept, "If-None-Match",
			etag); res.StatusCode != http.StatusNotModified || body(t, res) != "" {
			t.Errorf("Accept-Encoding %q with its own ETag: %d, want 304", accept, res.StatusCode)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d ETags for 3 encodings: %v", len(seen), seen)
	}
}

func TestSite_OwnAddressIsPutIntoPages(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{PublicURL: "https://portal.example"})
	for path, want := range map[string]string{
		"/":            `<link rel="canonical" href="https://portal.example/"/>`,
		"/robots.txt":  "Sitemap: https://portal.example/sitemap.xml",
		"/sitemap.xml": "<loc>https://portal.example/login</loc>",
	} {
		plain := do(t, h, http.MethodGet, path)
		text := body(t, plain)
		if !strings.Contains(text, want) || strings.Contains(text, originInBuild) {
			t.Errorf("%s lacks %s:\n%s", path, want, text)
		}
		packed := do(t, h, http.MethodGet, path, "Accept-Encoding", "br, gzip")
		if path != "/" {
			continue
		}
		r, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(r)
		if err != nil || string(unpacked) != text || packed.Header.Get("ETag") == plain.Header.Get("ETag") {
			t.Errorf("%s: the packed form must be the same page under its own ETag: %v", path, err)
		}
	}
	if got := body(t, do(t, handler(t, build(), Options{}), http.MethodGet, "/")); !strings.Contains(got, `href="/"`) {
		t.Errorf("without an address of its own the page says where it is by its path:\n%s", got)
	}
	quoted := body(t, do(t, handler(t, build(), Options{PublicURL: `https://a"><script>`}), http.MethodGet, "/"))
	if strings.Contains(quoted, `"><script>/`) {
		t.Errorf("the address is not escaped:\n%s", quoted)
	}
}

// Spec: ACCESS-9
func TestSite_UnlistedPageIsNeitherInTheSitemapNorIndexed(t *testing.T) {
	t.Parallel()
	var isUnlisted atomic.Bool
	h := handler(t, build(), Options{
		PublicURL: "https://portal.example",
		Unlisted:  map[string]func(context.Context) bool{"/login": func(context.Context) bool { return isUnlisted.Load() }},
	})
	for _, test := range []struct {
		isUnlisted      bool
		sitemap, robots string
	}{
		{false, "<url><loc>https://portal.example/</loc></url>\n<url><loc>https://portal.example/login</loc></url>\n", ""},
		{true, "<url><loc>https://portal.example/</loc></url>\n", "noindex"},
	} {
		isUnlisted.Store(test.isUnlisted)
		if got := body(t, do(t, h, http.MethodGet, "/sitemap.xml")); got != test.sitemap {
			t.Errorf("unlisted %v: the sitemap is\n%s", test.isUnlisted, got)
		}
		if got := do(t, h, http.MethodGet, "/login").Header.Get("X-Robots-Tag"); got != test.robots {
			t.Errorf("unlisted %v: the page has X-Robots-Tag %q, want %q", test.isUnlisted, got, test.robots)
		}
		if got := do(t, h, http.MethodGet, "/").Header.Get("X-Robots-Tag"); got != "" {
			t.Errorf("another page has X-Robots-Tag %q", got)
		}
	}
	if _, err := New(build(), Options{Unlisted: map[string]func(context.Context) bool{"/no/such/page": nil}}); err == nil {
		t.Error("a page that the build lacks is accepted")
	}
}

// Spec: ACCESS-9
func TestSite_UnlistedRouteIsNotIndexed(t *testing.T) {
	t.Parallel()
	var isUnlisted atomic.Bool
	h := handler(t, build(), Options{
		Describe: map[string]Describer{itemRoute: func(_ context.Context, params map[string]string) (Page, error) {
			if params["tokenId"] == "3" {
				return Page{}, errors.New("no answer")
			}
			return Page{Title: "Blade"}, nil
		}},
		Unlisted: map[string]func(context.Context) bool{itemRoute: func(context.Context) bool { return isUnlisted.Load() }},
	})
	for unlisted, want := range map[bool]string{false: "", true: "noindex"} {
		isUnlisted.Store(unlisted)
		for _, path := range []string{"/market/item/0xa/1", "/market/item/0xa/3"} {
			if res := do(t, h, http.MethodGet, path); res.StatusCode != http.StatusOK || res.Header.Get("X-Robots-Tag") != want {
				t.Errorf("unlisted %v: %s is %d with X-Robots-Tag %q, want %q", unlisted, path, res.StatusCode, res.Header.Get("X-Robots-Tag"), want)
			}
		}
		if got := do(t, h, http.MethodGet, "/login").Header.Get("X-Robots-Tag"); got != "" {
			t.Errorf("another page has X-Robots-Tag %q", got)
		}
	}
}

// Pages with a parameter that nobody describes are a player's own, such as an order.
func TestSite_PageWithoutADescriptionIsNotIndexed(t *testing.T) {
	t.Parallel()
	res := do(t, handler(t, build(), Options{}), http.MethodGet, "/market/item/0xa/1")
	if got := res.Header.Get("X-Robots-Tag"); res.StatusCode != http.StatusOK || got != "noindex" {
		t.Errorf("%d with X-Robots-Tag %q, want noindex", res.StatusCode, got)
	}
}

func TestSite_HeadIsGetWithoutTheBody(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for _, path := range []string{"/", "/market", "/nowhere", "/404", "/none.png", "/assets/app-1.js"} {
		for _, accept := range []string{"", "br"} {
			get, head := do(t, h, http.MethodGet, path, "Accept-Encoding", accept), do(t, h, http.MethodHead, path, "Accept-Encoding", accept)
			if head.StatusCode != get.StatusCode || body(t, head) != "" {
				t.Errorf("HEAD %s: %d, GET %d", path, head.StatusCode, get.StatusCode)
			}
			for _, name := range []string{
				"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Cache-Control", "Content-Security-Policy", "Vary",
			} {
				if head.Header.Get(name) != get.Header.Get(name) {
					t.Errorf("HEAD %s: %s is %q, GET has %q", path, name, head.Header.Get(name), get.Header.Get(name))
				}
			}
		}
	}
}

func TestSite_Ranges(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for _, c := range []struct {
		want, holds string
		status      int
	}{
		{"bytes=2-4", "234", 206},
		{"bytes=-3", "789", 206},
		{"bytes=20-", "", 416},
		{"lines=1-2", "", 416},
	} {
		res := do(t, h, http.MethodGet, "/assets/clip-1.mp4", "Range", c.want, "Accept-Encoding", "br")
		if got := body(t, res); res.StatusCode != c.status || c.holds != "" && got != c.holds {
			t.Errorf("Range %s: %d %q, want %d %q", c.want, res.StatusCode, got, c.status, c.holds)
		}
	}
	res := do(t, h, http.MethodGet, "/assets/app-1.js", "Range", "bytes=0-6", "Accept-Encoding", "br")
	if got := body(t, res); got != "console" || res.Header.Get("Content-Encoding") != "" {
		t.Errorf("a range of a compressed file is %q in %q, want the bytes of the file itself", got, res.Header.Get("Content-Encoding"))
	}
	res = do(t, h, http.MethodGet, "/assets/clip-1.mp4", "Range", "bytes=2-4", "If-Range", `"another"`)
	if got := body(t, res); res.StatusCode != 200 || got != "0123456789" {
		t.Errorf("If-Range of another version: %d %q, want the whole file", res.StatusCode, got)
	}
}

func TestSite_OnlyReadingMethods(t *testing.T) {
	t.Parallel()
	res := do(t, handler(t, build(), Options{}), http.MethodPost, "/login")
	if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", res.StatusCode, res.Header.Get("Allow"))
	}
}

func TestSite_FilesOpenedByThemselvesRunNothing(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{})
	for path, sandboxed := range map[string]bool{"/assets/clip-1.mp4": true, "/assets/app-1.js": false} { // a script may be a worker's
		policy := do(t, h, http.MethodGet, path).Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "sandbox") != sandboxed ||
			strings.Contains(policy, "script-src") {
			t.Errorf("%s has the policy %q", path, policy)
		}
	}
}

// Spec: PAGE-17
func TestSite_PolicyAllowsExactlyTheBuiltInlineCode(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{ConnectOrigins: []string{"wss://hub.example.com"}, ImageOrigins: []string{"https://img.example.com"}})
	csp := do(t, h, http.MethodGet, "/").Header.Get("Content-Security-Policy")
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	for _, want := range []string{
		"default-src 'none'",
		"script-src 'self' " + hash(inlineScript) + ";",
		"style-src 'self' " + hash(inlineStyle) + ";",
		"connect-src 'self' wss://hub.example.com;",
		"img-src 'self' data: https://img.example.com;",
		"frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
	} {
		if !strings.Contains(csp, want) {
			t.Errorf("the policy lacks %q:\n%s", want, csp)
		}
	}
	if strings.Contains(csp, "unsafe") {
		t.Errorf("the policy is not strict:\n%s", csp)
	}
}

func TestSite_BuildsThatCannotBeServedSafelyAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, content string
		options       Options
		want          string
	}{
		"style attribute":    {file: "x/index.html", content: `<p style="color:red">`, want: "inline style attribute"},
		"event handler":      {file: "x/index.html", content: `<img onerror="x()">`, want: "inline onerror attribute"},
		"unknown file type":  {file: "x/virus.exe", content: "MZ", want: "no content type"},
		"broken route list":  {file: "routes.json", content: "{", want: "routes.json"},
		"unknown pattern":    {file: "routes.json", content: `["/a/*"]`, want: "no route pattern"},
		"unknown describer":  {options: Options{Describe: map[string]Describer{"/gone/:id": nil}}, want: `no route "/gone/:id"`},
		"origin with a path": {options: Options{ConnectOrigins: []string{"https://a.example/x"}}, want: "is no origin"},
		"origin wildcard":    {options: Options{ConnectOrigins: []string{"https://*.example"}}, want: "is no origin"},
		"origin injection":   {options: Options{ImageOrigins: []string{"https://a.example; script-src *"}}, want: "is no origin"},
	} {
		b := build()
		if c.file != "" {
			b[c.file] = &fstest.MapFile{Data: []byte(c.content)}
		}
		if _, err := New(b, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
	b := build()
	delete(b, routesFile)
	if _, err := New(b, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without %s: %v", routesFile, err)
	}
	b = build()
	delete(b, "404/index.html")
	if _, err := New(b, Options{}); err == nil || !strings.Contains(err.Error(), notFound) {
		t.Errorf("without a page for addresses that lead nowhere: %v", err)
	}
}

// Spec: PAGE-1
func TestSite_DynamicPageHasAHeadOfItsOwn(t *testing.T) {
	t.Parallel()
	describe := func(_ context.Context, params map[string]string) (Page, error) {
		switch params["tokenId"] {
		case "1":
			return Page{
				Title: `Blade of "Dawn" <3>`, Description: "A & B", Image: "/share/blades.jpg", ImageAlt: "Blades", URL: "https://x.example/1",
			}, nil
		case "2":
			return Page{}, fmt.Errorf("token 2: %w", fs.ErrNotExist)
		case "4":
			return Page{Title: "Bare", Image: "/share/gone.jpg", ImageAlt: "Gone", NoIndex: true}, nil
		}
		return Page{}, errors.New("the database is away")
	}
	h := handler(t, build(), Options{PublicURL: "https://x.example", Describe: map[string]Describer{itemRoute: describe}})

	res := do(t, h, http.MethodGet, "/market/item/0xa/1")
	got := body(t, res)
	for _, want := range []string{
		"<title>Blade of &#34;Dawn&#34; &lt;3&gt; · The House</title>",
		`<meta property="og:title" content="Blade of &#34;Dawn&#34; &lt;3&gt; · The House"/>`,
		`<meta property="og:site_name" content="The House"/>`,
		`<meta name="description" content="A &amp; B"/>`,
		`<meta property="og:image" content="https://x.example/share/blades.jpg"/>`,
		`<meta property="og:image:width" content="1200"/><meta property="og:image:height" content="630"/>`,
		`<meta property="og:image:alt" content="Blades"/>`,
		`<meta name="twitter:card" content="summary_large_image"/>`,
		`<meta name="twitter:title" content="Blade of &#34;Dawn&#34; &lt;3&gt; · The House"/>`,
		`<meta name="twitter:description" content="A &amp; B"/>`,
		`<meta name="twitter:image" content="https://x.example/share/blades.jpg"/>`,
		`<meta name="twitter:image:alt" content="Blades"/>`,
		`<link rel="canonical" href="https://x.example/1"/>`,
		`<meta name="viewport" content="width=device-width"/></head>`,
		`<svg><title>drawing</title></svg>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Shell") || strings.Contains(got, `"old"`) || strings.Count(got, "<title>") != 2 {
		t.Errorf("the page keeps the shell's own head:\n%s", got)
	}
	etag := res.Header.Get("ETag")
	if res := do(t, h, http.MethodGet, "/market/item/0xa/1", "If-None-Match", etag); res.StatusCode != http.StatusNotModified {
		t.Errorf("unchanged dynamic page: %d, want 304", res.StatusCode)
	}
	if want := do(t, h, http.MethodGet, "/market").Header.Get("Content-Security-Policy"); res.Header.Get("Content-Security-Policy") != want {
		t.Error("a dynamic page must have the shell's policy")
	}

	if strings.Contains(got, "noindex") {
		t.Errorf("search engines are kept from the page:\n%s", got)
	}
	if bare := body(t, do(t, h, http.MethodGet, "/market/item/0xa/4")); !strings.Contains(bare, `<meta name="robots" content="noindex"/>`) {
		t.Errorf("search engines are not kept from the page:\n%s", bare)
	}
	if bare := body(t, do(t, h, http.MethodGet, "/market/item/0xa/4")); strings.Contains(bare, "og:image") ||
		strings.Contains(bare, "twitter:image") || !strings.Contains(bare, `content="summary"`) {
		t.Errorf("a page whose picture the build lacks must name none:\n%s", bare)
	}
	if res := do(t, h, http.MethodGet, "/market/item/0xa/2"); res.StatusCode != http.StatusNotFound {
		t.Errorf("unknown item: %d, want 404", res.StatusCode)
	}
	if res := do(t, h, http.MethodGet, "/market/item/0xa/3"); res.StatusCode != http.StatusOK || !strings.Contains(body(t, res), "Shell") {
		t.Errorf("failed lookup: %d, want the plain shell", res.StatusCode)
	}
	if res := do(t, h, http.MethodGet, "/market/item/featured/one"); !strings.Contains(body(t, res), "Shell") {
		t.Error("a route without parameters must win over one with them")
	}
}

func TestSite_MissingBuildSaysSo(t *testing.T) {
	t.Parallel()
	h := handler(t, fstest.MapFS{"README.md": {Data: []byte("x")}}, Options{Describe: map[string]Describer{itemRoute: nil}})
	res := do(t, h, http.MethodGet, "/")
	if got := body(t, res); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got, "make web") ||
		res.Header.Get("Retry-After") == "" {
		t.Errorf("%d %q, want 503 with the way out", res.StatusCode, got)
	}
}

// The binary's own build must be servable, whether or not it was compiled with pages.
func TestSite_EmbeddedBuildLoads(t *testing.T) {
	t.Parallel()
	handler(t, Embedded(), Options{})
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{
		"/", "/login/", "/..", "/%2e%2e/routes.json", "//evil.example/", "/\\evil.example/", "/assets/%00", "/market/item/%2f/1", "/login%2f",
		"/login?x=//y", "/index.html%20",
	} {
		f.Add(seed)
	}
	h, err := New(build(), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return // not a valid request
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = u
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK, http.StatusNotFound:
		case http.StatusPermanentRedirect:
			to, err := url.Parse(w.Header().Get("Location"))
			if err != nil || to.Host != "" || to.Scheme != "" || !h.known(to.Path) {
				t.Fatalf("%q leads to %q", target, w.Header().Get("Location"))
			}
		default:
			t.Fatalf("%q: %d", target, w.Code)
		}
		for _, secret := range []string{"not served", `["/"`} {
			if strings.Contains(w.Body.String(), secret) {
				t.Fatalf("%q serves a file of the build that has no address", target)
			}
		}
	})
}

// Spec: CHAIN-15
func TestPages_CarryTheRegistryOfTheServer(t *testing.T) {
	t.Parallel()
	const built = `<html><head><title>Home</title></head><body><script id="registry" type="application/json">{"kinds":[]}</script>` +
		`<script>` + inlineScript + `</script></body></html>`
	pages := build()
	pages["index.html"], pages["__spa-fallback.html"] = &fstest.MapFile{Data: []byte(built)}, &fstest.MapFile{Data: []byte(built)}
	for _, c := range []struct{ registry, want string }{
		{"", `<script id="registry" type="application/json">{"kinds":[]}</script>`},
		{`{"kinds":["hats"]}`, `<script id="registry" type="application/json">{"kinds":["hats"]}</script>`},
	} {
		h := handler(t, pages, Options{Registry: []byte(c.registry)})
		for _, page := range []string{"/", "/market"} {
			res := do(t, h, http.MethodGet, page)
			if got := body(t, res); !strings.Contains(got, c.want) {
				t.Errorf("%s: %s", page, got)
			}
			// Data is not run, so the policy need not allow it.
			if policy := res.Header.Get("Content-Security-Policy"); strings.Count(policy, "sha256-") != 1 {
				t.Errorf("%s: %s", page, policy)
			}
		}
	}
}

func TestPages_OfWhatThePortalLacksLeadNowhere(t *testing.T) {
	t.Parallel()
	h := handler(t, build(), Options{PublicURL: "https://site.example", Absent: []string{"/login", itemRoute}})
	for _, page := range []string{"/login", "/market/item/0xa/1"} {
		if res := do(t, h, http.MethodGet, page); res.StatusCode != http.StatusFound || res.Header.Get("Location") != "/404" {
			t.Errorf("%s: %d to %s", page, res.StatusCode, res.Header.Get("Location"))
		}
	}
	if res := do(t, h, http.MethodGet, "/market"); res.StatusCode != http.StatusOK {
		t.Errorf("the market: %d", res.StatusCode)
	}
	if got := body(t, do(t, h, http.MethodGet, "/sitemap.xml")); strings.Contains(got, "login") ||
		!strings.Contains(got, "https://site.example/</loc>") {
		t.Errorf("the sitemap: %s", got)
	}
	if _, err := New(build(), Options{Absent: []string{"/hats"}}); err == nil {
		t.Error("a page that the build does not have can be left out")
	}
}
