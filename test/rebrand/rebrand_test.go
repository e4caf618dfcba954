// Package rebrand_test rebrands the portal as an operator would, and checks the resulting site.
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

	"pantheon/internal/brand"
	"pantheon/internal/site"
)

const (
	root      = "../.."
	buildTime = 10 * time.Minute
)

// A copy of the web workspace gets the brand that "pantheon brand init" writes, and nothing else. It type-checks, its pages are at its
// own addresses and have its name, and no page has a word of the brand that comes along.
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
		faults, err = program(t, web, "tsc", "--project", "tsconfig.brand.json")
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
		"/":                       http.StatusOK,
		"/quest":                  http.StatusOK,
		"/support":                http.StatusOK,
		"/support/delete-account": http.StatusOK,
		"/terms-of-use":           http.StatusOK,
		"/kod-marketplace":        http.StatusOK,
		"/kod-marketplace/marketplace/item/0xa/1": http.StatusOK,
		"/our-brand-universe":                     http.StatusNotFound,
		"/pantheon-universe":                      http.StatusNotFound,
		"/king-of-destiny":                        http.StatusNotFound,
		"/elder-gods":                             http.StatusNotFound,
		"/whitepaper":                             http.StatusNotFound,
		"/infinipass":                             http.StatusNotFound,
	} {
		if status, _ := get(h, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}

	_, home := get(h, "/")
	for _, want := range []string{
		"<title>Our Brand</title>",
		`<meta property="og:site_name" content="Our Brand"/>`,
		`<meta name="theme-color" content="#0e131a"/>`,
		`<link rel="canonical" href="https://bay.example/"/>`,
		`aria-label="Our Brand, home"`,
		"M28 4h8v36h-8ZM16 40h32v6H16Zm12 6h8v14h-8Z", // the mark
		"Collect, buy and sell heroes",
		"The game",
		"From short to long.",
		`{"kind":"heroes","list":"listHeroes","title":"Heroes"}`,
	} {
		if !strings.Contains(home, want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
	if sheets := styles(t, build); !strings.Contains(sheets, "--color-ember:#efb062") {
		t.Error("the style sheets do not have the brand's colours")
	}
	_, manifest := get(h, "/manifest.webmanifest")
	var app struct {
		Name       string `json:"name"`
		ThemeColor string `json:"theme_color"`
	}
	if err := json.Unmarshal([]byte(manifest), &app); err != nil || app.Name != "Our Brand" || app.ThemeColor != "#0e131a" {
		t.Errorf("manifest %s: %v", manifest, err)
	}
	if strings.Contains(home, "og:image") {
		t.Error("the first page names a picture nobody has made for this brand")
	}
	if _, sitemap := get(h, "/sitemap.xml"); !strings.Contains(sitemap, "<loc>https://bay.example/quest</loc>") ||
		others.MatchString(sitemap) {
		t.Errorf("the list of pages is not the brand's:\n%s", sitemap)
	}
	hasNoWordOfOthers(t, build)
}

// others matches words of the brand that comes along.
var others = regexp.MustCompile(`(?i)pantheon|destiny|elder|olymp|infini(merge|pass|gold)|piggy`)

// hasNoWordOfOthers looks for the other brand in the pages of a build: in texts, metadata, links and names of files.
func hasNoWordOfOthers(t *testing.T, build fs.FS) {
	t.Helper()
	pages := 0
	err := fs.WalkDir(build, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".html") || strings.HasPrefix(name, "packs/verify/") { // which names our protocol
			return err
		}
		pages++
		page, err := fs.ReadFile(build, name)
		if err != nil {
			return err
		}
		for _, at := range others.FindAllIndex(page, -1) {
			t.Errorf("%s: …%s…", name, page[max(0, at[0]-40):min(len(page), at[1]+40)])
		}
		return nil
	})
	if err != nil || pages < 30 {
		t.Fatalf("%d pages: %v", pages, err)
	}
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
			instead: []string{`"https://discord.com"`, `"http://discord.com"`, `"our-brand"`, `"Our Brand"`},
			says:    []string{`slug: "Our Brand" must be`, `brand.social.chat.href: "http://discord.com" must be`},
		},
		{
			file:    "featured.ts",
			instead: []string{`"Quest", text`, `"Quest, and then Quest once more, and again", text`},
			says:    []string{"games[0].title: has 42 characters"},
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

// workspace copies the web workspace with another brand.
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
	ours, web := filepath.Join(dir, "ours"), filepath.Join(dir, "web")
	if err := brand.Init(ours); err != nil {
		t.Fatal(err)
	}
	b, err := brand.Load(os.DirFS(ours))
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, filepath.Join(root, "web"), web, "build", ".react-router", "node_modules", "brand")
	copyTree(t, filepath.Join(ours, "web"), filepath.Join(web, "brand"))
	for name, text := range map[string]string{
		"brand/registry.json": string(b.Registry()),
		// Tests, and pages for those who build the site, have the pictures and names of the brand that comes along.
		"tsconfig.brand.json": `{"extends": "./tsconfig.json", "exclude": ["**/*.test.ts", "**/*.test.tsx", "test", "app/routes/dev"]}`,
	} {
		if err := os.WriteFile(filepath.Join(web, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
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
