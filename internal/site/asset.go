package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// shellKey is the key of the shell while assets are loaded; it is not a URL path, so the shell has no URL of its own.
const shellKey = "shell"

// asset is one file of the build with its precompressed variants. All variants are the same representation in
// different encodings and each has its own ETag (RFC 9110, section 8.8.3.3).
type asset struct {
	page        bool // an HTML page, as opposed to a file
	contentType string
	cache       string
	csp         string
	identity    variant
	encoded     []variant // in order of preference
}

type variant struct {
	encoding string // content coding; "" for identity
	body     []byte
	etag     string
}

func newVariant(encoding string, body []byte) variant {
	sum := sha256.Sum256(body)
	return variant{encoding: encoding, body: body, etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

// contentTypeOf uses a fixed table so that the response never depends on the machine's own.
func contentTypeOf(name string) (string, bool) {
	types := map[string]string{
		".html": "text/html; charset=utf-8",
		".js":   "text/javascript; charset=utf-8",
		".css":  "text/css; charset=utf-8",
		".json": "application/json", ".webmanifest": "application/manifest+json",
		".txt": "text/plain; charset=utf-8", ".xml": "application/xml",
		".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".avif": "image/avif",
		".ico": "image/x-icon", ".woff2": "font/woff2", ".mp4": "video/mp4", ".webm": "video/webm",
	}
	t, ok := types[path.Ext(name)]
	return t, ok
}

// encodings are the precompressed forms that the build writes beside a file, in order of preference.
func encodings() []struct{ suffix, coding string } {
	return []struct{ suffix, coding string }{{".br", "br"}, {".gz", "gzip"}}
}

// inserted is what pages carry that is unknown while they are built.
type inserted struct {
	publicURL string
	registry  []byte // see Options.Registry
}

func loadAssets(build fs.FS, csp policy, with inserted) (map[string]*asset, error) {
	assets := map[string]*asset{}
	err := fs.WalkDir(build, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := path.Ext(name)
		if ext == ".br" || ext == ".gz" || name == routesFile || name == placeholdersFile || name == brandPagesFile || name == "README.md" {
			return nil
		}
		a, err := loadAsset(build, name, csp, with)
		if err != nil {
			return err
		}
		assets[urlPath(name)] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("site: read web build: %w", err)
	}
	return assets, nil
}

func loadAsset(build fs.FS, name string, csp policy, with inserted) (*asset, error) {
	contentType, ok := contentTypeOf(name)
	if !ok {
		return nil, fmt.Errorf("%s: no content type is known for this kind of file", name)
	}
	body, err := fs.ReadFile(build, name)
	if err != nil {
		return nil, err
	}
	ext := path.Ext(name)
	if written := ext == ".html" || ext == ".xml" || ext == ".txt"; written {
		body = bytes.ReplaceAll(body, []byte(originInBuild), []byte(html.EscapeString(with.publicURL)))
	}
	a := &asset{contentType: contentType, cache: cacheShortly, identity: newVariant("", body)}
	switch {
	case ext == ".html":
		a.page, a.cache = true, cacheRevalidate
		if len(with.registry) > 0 {
			body = replaceRegistry(body, with.registry)
			a.identity = newVariant("", body)
		}
		if a.csp, err = csp.forPage(body); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if a.encoded, err = compressed(body); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return a, nil
	case strings.HasPrefix(name, "assets/"):
		a.cache = cacheForever
	}
	// A file opened directly (an SVG, say) is a document too: it may run and load nothing.
	a.csp = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
	if ext == ".js" {
		// A worker uses the policy of its own file, and CSP Level 3 allows no worker in a sandbox.
		a.csp = "default-src 'none'; frame-ancestors 'none'"
	}
	for _, e := range encodings() {
		b, err := fs.ReadFile(build, name+e.suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a.encoded = append(a.encoded, newVariant(e.coding, b))
	}
	return a, nil
}

// compressed compresses a page, which is possible only after the site's address has been inserted.
func compressed(body []byte) ([]variant, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if b.Len() >= len(body) {
		return nil, nil
	}
	return []variant{newVariant("gzip", b.Bytes())}, nil
}

// urlPath maps a file of the build to the one URL path that serves it.
func urlPath(name string) string {
	if name == shellFile {
		return shellKey
	}
	if name == "index.html" {
		return "/"
	}
	return "/" + strings.TrimSuffix(name, "/index.html")
}

func (a *asset) setHeaders(h http.Header, v variant) {
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", a.cache)
	h.Set("Content-Security-Policy", a.csp)
	h.Set("ETag", v.etag)
	if len(a.encoded) > 0 {
		h.Set("Vary", "Accept-Encoding")
	}
	if v.encoding != "" {
		h.Set("Content-Encoding", v.encoding)
		h.Set("Content-Length", strconv.Itoa(len(v.body))) // ServeContent does not set it for encoded bodies
	}
}

// negotiate selects the first variant the client accepts. Ranges are served from the identity form, to whose bytes
// media players' offsets refer.
func (a *asset) negotiate(r *http.Request) variant {
	if len(a.encoded) > 0 && r.Header.Get("Range") == "" {
		accepts := acceptedCodings(r.Header.Values("Accept-Encoding"))
		for _, v := range a.encoded {
			if accepts(v.encoding) {
				return v
			}
		}
	}
	return a.identity
}

// acceptedCodings parses Accept-Encoding (RFC 9110, section 12.5.3). A coding that is not listed is acceptable only
// through "*"; a weight of 0 excludes it.
func acceptedCodings(headers []string) func(coding string) bool {
	accepted := map[string]bool{}
	for _, header := range headers {
		for element := range strings.SplitSeq(header, ",") {
			coding, params, _ := strings.Cut(element, ";")
			coding = strings.ToLower(strings.TrimSpace(coding))
			if coding == "" {
				continue
			}
			weight := 1.0
			if name, value, ok := strings.Cut(strings.TrimSpace(params), "="); ok && strings.EqualFold(strings.TrimSpace(name), "q") {
				q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
				if err != nil {
					q = 0
				}
				weight = q
			}
			accepted[coding] = weight > 0
		}
	}
	return func(coding string) bool {
		if ok, listed := accepted[coding]; listed {
			return ok
		}
		return accepted["*"]
	}
}
