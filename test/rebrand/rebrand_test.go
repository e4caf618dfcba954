// Package rebrand_test rebrands the portal as an operator would, and checks the resulting site.
package rebrand_test

import (
	"bytes"
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

	xhtml "golang.org/x/net/html"

	"pantheon/internal/site"
)

const (
	root      = "../.."
	buildTime = 10 * time.Minute
)

// colours are the other brand's changes of the theme, by token; all others stay.
func colours() map[string]string {
	return map[string]string{
		"night": "#1c0826", "night-1": "#240c30", "bone": "#f6edff", "bone-muted": "#cdb9dc", "bronze": "#c48fe0", "ember": "#3ddc97",
		"rarity-mythic": "#ff3d8b",
	}
}

// A copy of the web workspace gets the brand of this folder, other colours, and nothing else. It type-checks, its
// pages are at its own addresses and have its name, and none is left at the original brand's addresses.
// Spec: PAGE-4, UI-15
func TestRebrand_AnotherBrandTakesTheSiteOver(t *testing.T) {
	t.Parallel()
	web := workspace(t)
	run(t, web, "react-router", "typegen")
	// The two are independent, and each uses little more than one core.
	types := make(chan error, 1)
	var faults string
	go func() {
		var err error
		faults, err = program(t, web, "tsc")
		types <- err
	}()
	out, err := program(t, web, "react-router", "build")
	if err := <-types; err != nil {
		t.Errorf("tsc: %v\n%s", err, faults)
	}
	if err != nil {
		t.Fatalf("react-router build: %v\n%s", err, out)
	}

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
		"The Long Watch",
		"Figureheads",
		`href="https://strongbox.corsair.example"`,
		"/assets/lamp-",
	} {
		if !strings.Contains(home, want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
	sheets := styles(t, build)
	for token, value := range colours() {
		if all := regexp.MustCompile(`--color-`+token+`:\s*([^;}]+)`).FindAllStringSubmatch(sheets, -1); len(all) == 0 {
			t.Errorf("no style sheet has the colour %s", token)
		} else {
			for _, found := range all {
				if found[1] != value {
					t.Errorf("a style sheet has the colour %s as %s, not %s", token, found[1], value)
				}
			}
		}
	}
	if _, terms := get(h, "/terms-of-use"); !strings.Contains(strings.Join(shown(t, []byte(terms)), ""),
		"As things stand these are Cuba and Iran") {
		t.Error("the terms do not name the brand's countries")
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
	if _, sitemap := get(h, "/sitemap.xml"); !strings.Contains(sitemap, "<loc>https://bay.example/corsair-bay-universe</loc>") ||
		strings.Contains(sitemap, "pantheon") {
		t.Errorf("the list of pages is not the brand's:\n%s", sitemap)
	}
	bearsItsName(t, build)
}

var (
	sayings = regexp.MustCompile(`<title>[^<]*|<meta [^>]*content="[^"]*"`)
	links   = regexp.MustCompile(`href="([^"]*)"`)
)

// bearsItsName looks for the original brand in a page's metadata, links and texts. Names of keys and commands, which
// are formatted as code, belong to the software and not to the brand.
func bearsItsName(t *testing.T, build fs.FS) {
	t.Helper()
	pages, named := 0, 0
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
		said := shown(t, page)
		if slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "Corsair Bay") }) {
			named++
		}
		for _, text := range said {
			if strings.Contains(strings.ToLower(text), "pantheon") {
				t.Errorf("%s: shows %q", name, text)
			}
		}
		for _, link := range links.FindAllSubmatch(page, -1) {
			if to := string(link[1]); strings.Contains(to, "pantheon") && !strings.HasPrefix(to, "/assets/") {
				t.Errorf("%s: links to %s", name, to)
			}
		}
		return nil
	})
	if err != nil || pages < 40 || named < 40 {
		t.Fatalf("%d pages, %d with the brand's name: %v", pages, named, err)
	}
}

// shown returns what readers see or hear of a page's body: its texts, and the labels of images and controls.
func shown(t *testing.T, page []byte) (out []string) {
	t.Helper()
	doc, err := xhtml.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *xhtml.Node)
	walk = func(n *xhtml.Node) {
		if n.Type == xhtml.ElementNode && slices.Contains([]string{"head", "script", "style", "template", "code"}, n.Data) {
			return
		}
		if n.Type == xhtml.TextNode {
			out = append(out, n.Data)
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"alt", "aria-label", "aria-description", "placeholder", "title"}, a.Key) {
				out = append(out, a.Val)
			}
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(doc)
	return out
}

// styles returns the style sheets of a build, and those inlined in its first page.
func styles(t *testing.T, build fs.FS) string {
	t.Helper()
	names, err := fs.Glob(build, "assets/*.css")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range append(names, "index.html") {
		content, err := fs.ReadFile(build, name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(content)
	}
	return all.String()
}

// An error in a brand fails the build before it begins, and is located.
func TestRebrand_BrokenBrandIsNotBuilt(t *testing.T) {
	t.Parallel()
	for _, slip := range []struct {
		file    string
		instead []string // the original text and its replacement
		says    []string
	}{
		{
			file:    "index.ts",
			instead: []string{`"https://chat.corsair.example"`, `"http://chat.corsair.example"`, `"corsair-bay"`, `"Corsair Bay"`},
			says:    []string{`slug: "Corsair Bay" must be`, `brand.social.chat.href: "http://chat.corsair.example" must be`},
		},
		{
			file:    "featured.ts",
			instead: []string{`"Rope and Tar"`, `"Rope and Tar, and Tar and Rope again"`},
			says:    []string{"games[1].title: has 36 characters"},
		},
	} {
		t.Run(slip.file, func(t *testing.T) {
			t.Parallel()
			web := workspace(t)
			file := filepath.Join(web, "brand", slip.file)
			sound, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			broken := strings.NewReplacer(slip.instead...).Replace(string(sound))
			if err := os.WriteFile(file, []byte(broken), 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := program(t, web, "react-router", "build")
			if err == nil {
				t.Error("the site was built")
			}
			for _, want := range slip.says {
				if want = "/web/" + slip.file + ": " + want; !strings.Contains(out, want) {
					t.Errorf("the build does not say %s:\n%s", want, out)
				}
			}
		})
	}
}

// workspace copies the web workspace with this folder's brand instead of its own.
func workspace(t *testing.T) string {
	t.Helper()
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
	// The other brand has the same pages.
	copyTree(t, filepath.Join(root, "brands/pantheon/web"), filepath.Join(web, "brand"), "public")
	copyTree(t, "brand", filepath.Join(web, "brand"))

	// A test of the workspace reads the addresses of the browser journeys.
	addresses, err := os.ReadFile(filepath.Join(root, "test/e2e/routes.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "test/e2e"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "test/e2e/routes.json"), addresses, 0o644); err != nil {
		t.Fatal(err)
	}

	theme, err := os.ReadFile(filepath.Join(root, "brands/pantheon/web/theme.css"))
	if err != nil {
		t.Fatal(err)
	}
	recoloured := string(theme)
	for token, value := range colours() {
		recoloured = regexp.MustCompile(`--color-`+token+`: [^;]+;`).ReplaceAllString(recoloured, "--color-"+token+": "+value+";")
	}
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

// run runs a program of the node modules in a folder; it must succeed.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if out, err := program(t, dir, name, args...); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// program runs a program of the node modules in a folder and returns its output.
func program(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "../node_modules/.bin", name), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func get(h http.Handler, path string) (status int, body string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	b, _ := io.ReadAll(w.Body)
	return w.Code, string(b)
}
