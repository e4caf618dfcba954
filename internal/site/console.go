package site

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed all:console
var embeddedConsole embed.FS

// ConsolePath is the path of the operators' console; its pages and files are below it.
const ConsolePath = "/operate"

const consolePage = "index.html"

// Console serves the operators' console: one page for all its addresses, and the files of its build. It is immutable and safe for
// concurrent use.
type Console struct {
	page  *asset // nil when the build is missing
	files map[string]*asset
}

// NewConsole reads the console's build, which is embedded. A build without its page is no error: the handler then responds with 503 and
// instructions.
func NewConsole() (*Console, error) {
	build, err := fs.Sub(embeddedConsole, "console")
	if err != nil {
		return nil, err
	}
	c := &Console{}
	if _, err := fs.Stat(build, consolePage); errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	files, err := loadAssets(build, policy{}, inserted{})
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	c.page = files["/"]
	delete(files, "/")
	c.files = files
	return c, nil
}

// ServeHTTP serves GET and HEAD requests for ConsolePath and below.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	setCommonHeaders(h)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex")
	name, below := strings.CutPrefix(r.URL.Path, ConsolePath)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		plain(w, r, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
		return
	case c.page == nil:
		h.Set("Retry-After", "60")
		plain(w, r, http.StatusServiceUnavailable, "This server was built without its console. Run `make web`, then build and start it again.")
		return
	case !below || !wellFormed(r.URL):
		plain(w, r, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	if file, ok := c.files[name]; ok {
		serve(w, r, file)
		return
	}
	if strings.HasPrefix(name, "/assets/") || path.Ext(name) != "" {
		plain(w, r, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	serve(w, r, c.page)
}
