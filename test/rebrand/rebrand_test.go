// Package rebrand_test does what an operator does to make the portal their own, and looks at the site that comes of it.
package rebrand_test

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/site"
)

const (
	root      = "../.."
	buildTime = 5 * time.Minute
)

// A copy of the web workspace gets the brand of this folder, other colours, and nothing else. Its types hold, its pages
// stand at its own addresses and bear its name, and none is left at the addresses of the brand it came with.
func TestAnotherBrandTakesTheSiteOver(t *testing.T) {
	web := workspace(t)
	run(t, web, "react-router", "typegen")
	run(t, web, "tsc")
	run(t, web, "react-router", "build")

	build := os.DirFS(filepath.Join(web, "../internal/site/dist"))
	h, err := site.New(build, site.Options{PublicURL: "https://bay.example"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/":                     http.StatusOK,
		"/corsair-bay-universe": http.StatusOK,
		"/whitepaper/introduction-to-corsair-bay":   http.StatusOK,
		"/whitepaper/the-corsair-bay-philosophy":    http.StatusOK,
		"/whitepaper/the-shipwright":                http.StatusOK,
		"/pantheon-universe":                        http.StatusNotFound,
		"/whitepaper/introduction-to-pantheon":      http.StatusNotFound,
		"/whitepaper/the-pantheon-philosophy":       http.StatusNotFound,
		"/corsair-bay-universe/pantheon":            http.StatusNotFound,
		"/whitepaper/introduction-to-{product}":     http.StatusNotFound,
		"/kod-marketplace/marketplace/item/0xa/1":   http.StatusOK,
		"/whitepaper/introduction-to-corsair-bay/x": http.StatusNotFound,
	} {
		if status, _ := get(h, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}

	_, home := get(h, "/")
	for _, want := range []string{
		"<title>Corsair Bay</title>",
		`<meta property="og:site_name" content="Corsair Bay"/>`,
		`<meta name="theme-color" content="#200a2a"/>`,
		`<link rel="canonical" href="https://bay.example/"/>`,
		`aria-label="Corsair Bay, home"`,
		"M12 6h4v52h-4Z",
		`href="https://chat.corsair.example"`,
		"--color-ember:#3ddc97",
	} {
		if !strings.Contains(home, want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
	_, manifest := get(h, "/manifest.webmanifest")
	var app struct {
		Name       string `json:"name"`
		ThemeColor string `json:"theme_color"`
	}
	if err := json.Unmarshal([]byte(manifest), &app); err != nil || app.Name != "Corsair Bay" || app.ThemeColor != "#200a2a" {
		t.Errorf("manifest %s: %v", manifest, err)
	}
	if strings.Contains(home, "og:image") {
		t.Error("the first page names a picture nobody has made for this brand")
	}
	if _, sitemap := get(h, "/sitemap.xml"); !strings.Contains(sitemap, "<loc>https://bay.example/corsair-bay-universe</loc>") || strings.Contains(sitemap, "pantheon") {
		t.Errorf("the list of pages is not the brand's:\n%s", sitemap)
	}
	bearsItsName(t, build)
}

var (
	sayings = regexp.MustCompile(`<title>[^<]*|<meta [^>]*content="[^"]*"`)
	links   = regexp.MustCompile(`href="([^"]*)"`)
)

// bearsItsName looks for the former brand where a page says what it is and where it leads.
func bearsItsName(t *testing.T, build fs.FS) {
	t.Helper()
	pages := 0
	err := fs.WalkDir(build, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".html") {
			return err
		}
		pages++
		page, err := fs.ReadFile(build, name)
		if err != nil {
			return err
		}
		for _, saying := range sayings.FindAll(page, -1) {
			if strings.Contains(strings.ToLower(string(saying)), "pantheon") {
				t.Errorf("%s: says %s", name, saying)
			}
		}
		for _, link := range links.FindAllSubmatch(page, -1) {
			if to := string(link[1]); strings.Contains(to, "pantheon") && !strings.HasPrefix(to, "/assets/") {
				t.Errorf("%s: links to %s", name, to)
			}
		}
		return nil
	})
	if err != nil || pages < 40 {
		t.Fatalf("%d pages: %v", pages, err)
	}
}

// workspace copies the web workspace with this folder's brand in the place of its own.
func workspace(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, "web/generated")); err != nil {
		t.Fatal("the pictures are not drawn yet: run `make web` first")
	}
	dir, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs(filepath.Join(root, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	web := filepath.Join(dir, "web")
	copyTree(t, filepath.Join(root, "web"), web, "build", ".react-router", "node_modules", "brand")
	copyTree(t, "brand", filepath.Join(web, "brand"))

	theme, err := os.ReadFile(filepath.Join(root, "web/brand/theme.css"))
	if err != nil {
		t.Fatal(err)
	}
	recoloured := regexp.MustCompile(`--color-ember: [^;]+;`).ReplaceAllString(string(theme), "--color-ember: #3ddc97;")
	if err := os.WriteFile(filepath.Join(web, "brand/theme.css"), []byte(recoloured), 0o644); err != nil {
		t.Fatal(err)
	}
	return web
}

// copyTree copies a folder without its entries of the given names.
func copyTree(t *testing.T, from, to string, without ...string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if slices.Contains(without, name) {
			return fs.SkipDir
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run starts a program of the node modules in a folder.
func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "../node_modules/.bin", program), args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}

func get(h http.Handler, path string) (status int, body string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	b, _ := io.ReadAll(w.Body)
	return w.Code, string(b)
}
