// Package brand_test runs the portal with another brand, as a studio would.
package brand_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"pantheon/internal/brand"
	"pantheon/internal/kit/knownkeys"
	"pantheon/internal/site"
	"pantheon/internal/testkit"
)

const (
	root      = "../.."
	buildTime = 10 * time.Minute
)

// The site of another brand has that brand's addresses and names, and no word of the built-in brand. Its portal works with existing
// contracts: players sign up, sell, buy and withdraw.
// Spec: PAGE-4, UI-15, CHAIN-15
func TestBrand_AnotherWorldTakesThePortalOver(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs("railway")
	if err != nil {
		t.Fatal(err)
	}
	web := workspace(t, folder)
	if out, err := program(t, web, "react-router", "build"); err != nil {
		t.Fatalf("react-router build: %v\n%s", err, out)
	}
	dist := filepath.Join(web, "../internal/site/dist")
	t.Run("pages", func(t *testing.T) { checkPages(t, os.DirFS(dist)) })

	hosts := startHosts(t)
	game, main := startChains(t, folder)
	const studio = "seller 8" // has gas money
	key := knownkeys.Development(studio)
	env := append(hosts.settings, "RPC_URL="+game, "STUDIO_KEY=0x"+hex.EncodeToString(key[:]), "GATEWAY_CID="+cid, "WAGONS_URI="+hosts.wagons)
	var addresses map[string]string
	if err := json.Unmarshal(node(t, "deploy.mjs", env), &addresses); err != nil {
		t.Fatal(err)
	}
	for name, address := range addresses {
		env = append(env, name+"="+address)
	}
	env = append(env, "BRAND_DIR="+folder, "SITE_DIR="+dist, "GAME_CHAIN_RPC_URL="+game, "MAIN_CHAIN_RPC_URL="+main, "WITHDRAWAL_DELAY=0s")
	objects := s3mem.New()
	if err := objects.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	store := httptest.NewServer(gofakes3.New(objects).Server())
	t.Cleanup(store.Close)
	env = append(env, "PICTURES_BUCKET=pictures/railway", "S3_ENDPOINT="+store.URL, "S3_ACCESS_KEY=key", "S3_SECRET_KEY=secret")
	portal := testkit.StartSite(t, testkit.SiteOptions{Env: env})
	t.Logf("%s", node(t, "journey.mjs", append(env, "BASE_URL="+portal.URL, "BRAND_SLUG=night-railway")))
	// Two PNGs, each smaller than the smallest variant, and an SVG.
	kept, err := objects.ListBucket("pictures", nil, gofakes3.ListBucketPage{})
	if err != nil || len(kept.Contents) != 3 {
		t.Errorf("%d pictures are kept, want 3: %v", len(kept.Contents), err)
	}
}

// checkPages checks the pages that the build has rendered.
func checkPages(t *testing.T, build fs.FS) {
	h, err := site.New(build, site.Options{PublicURL: "https://line.example"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/":                    http.StatusOK,
		"/night-express":       http.StatusOK,
		"/help":                http.StatusOK,
		"/help/delete-account": http.StatusOK,
		"/news":                http.StatusOK,
		"/terms-of-use":        http.StatusOK,
		"/kod-marketplace":     http.StatusOK,
		"/kod-marketplace/marketplace/item/0xa/1": http.StatusOK,
		"/support":           http.StatusNotFound,
		"/pantheon-universe": http.StatusNotFound,
		"/king-of-destiny":   http.StatusNotFound,
		"/elder-gods":        http.StatusNotFound,
		"/whitepaper":        http.StatusNotFound,
		"/infinipass":        http.StatusNotFound,
	} {
		if status, _ := get(h, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}

	_, home := get(h, "/")
	for _, want := range []string{
		"<title>Night Railway</title>",
		`<meta property="og:site_name" content="Night Railway"/>`,
		`<meta name="theme-color" content="#10171e"/>`,
		`<link rel="canonical" href="https://line.example/"/>`,
		`aria-label="Night Railway, home"`,
		"M16 10h32v30H16Zm6 6v12h20V16ZM20 46h24l8 10H12Z", // the mark
		"Drive your own train",
		"The game",
		"Every one is the only one.",
		`{"kind":"engines","list":"listEngines","title":"Engines"}`,
	} {
		if !strings.Contains(home, want) {
			t.Errorf("the first page lacks %s", want)
		}
	}
	if sheets := styles(t, build); !strings.Contains(sheets, "--color-ember:#e5bf6d") {
		t.Error("the style sheets do not have the brand's colours")
	}
	_, manifest := get(h, "/manifest.webmanifest")
	var app struct {
		Name       string `json:"name"`
		ThemeColor string `json:"theme_color"`
	}
	if err := json.Unmarshal([]byte(manifest), &app); err != nil || app.Name != "Night Railway" || app.ThemeColor != "#10171e" {
		t.Errorf("manifest %s: %v", manifest, err)
	}
	if strings.Contains(home, "og:image") {
		t.Error("the first page names a picture nobody has made for this brand")
	}
	if _, sitemap := get(h, "/sitemap.xml"); !strings.Contains(sitemap, "<loc>https://line.example/night-express</loc>") ||
		others.MatchString(sitemap) {
		t.Errorf("the list of pages is not the brand's:\n%s", sitemap)
	}
	hasNoWordOfOthers(t, build)
}

// cid is the IPFS directory of the engines' metadata.
const cid = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"

// hosts serve the metadata of the existing contracts.
type hosts struct {
	wagons   string   // the URI of the wagons' metadata
	settings []string // for the portal to read it
}

// startHosts starts an IPFS gateway, and an HTTPS host with a self-signed certificate.
func startHosts(t *testing.T) hosts {
	t.Helper()
	picture := func(w http.ResponseWriter, shade uint8) {
		w.Header().Set("Content-Type", "image/png")
		img := image.NewGray(image.Rect(0, 0, 32, 32))
		for i := range img.Pix {
			img.Pix[i] = shade
		}
		_ = png.Encode(w, img)
	}
	classes := []string{"Passenger", "Freight", "Express"}
	gateway := http.NewServeMux()
	gateway.HandleFunc("GET /ipfs/"+cid+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"name": "Engine No. %d", "image": "ipfs://%s/pictures/%d.png", "attributes": [`+
			`{"trait_type": "Class", "value": %q}, {"trait_type": "Built", "value": %d}]}`, id, cid, id%7, classes[(id+1)%3], 1900+id%50)
	})
	gateway.HandleFunc("GET /ipfs/"+cid+"/pictures/{name}", func(w http.ResponseWriter, _ *http.Request) { picture(w, 80) })
	ipfs := httptest.NewServer(gateway)
	t.Cleanup(ipfs.Close)

	yard := http.NewServeMux()
	yard.HandleFunc("GET /wagons/{name}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseUint(strings.TrimSuffix(r.PathValue("name"), ".json"), 16, 32) // as ERC-1155 has it
		if err != nil {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"name": "Mail wagon %d", "decimals": 0, "image": "https://%s/pictures/%d.png", "properties": {"Axles": %d}}`,
			id, r.Host, id%5, 2+id%3)
	})
	yard.HandleFunc("GET /pictures/{name}", func(w http.ResponseWriter, _ *http.Request) { picture(w, 160) })
	https := httptest.NewTLSServer(yard)
	t.Cleanup(https.Close)
	certificate := filepath.Join(t.TempDir(), "yard.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: https.Certificate().Raw})
	if err := os.WriteFile(certificate, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return hosts{
		wagons: https.URL + "/wagons/{id}.json",
		settings: []string{
			"IPFS_GATEWAYS=" + ipfs.URL, "METADATA_PRIVATE_HOSTS=" + ipfs.URL + "," + https.URL, "SSL_CERT_FILE=" + certificate,
		},
	}
}

// startChains runs "pantheon chain" for a brand, and returns the RPC URLs of the game chain and the main chain.
func startChains(t *testing.T, folder string) (game, main string) {
	t.Helper()
	var addresses [2]string
	for i := range addresses {
		address, err := testkit.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		addresses[i] = address
	}
	cmd := exec.Command(filepath.Join(root, "bin/pantheon"), "chain", "--game", addresses[0], "--main", addresses[1])
	cmd.Env = append(os.Environ(), "BRAND_DIR="+folder, "DATA_DIR="+t.TempDir())
	var log testkit.Log
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("pantheon chain: %v\n%s", err, log.String())
		}
	})
	testkit.Eventually(t, time.Minute, func() bool { return strings.Contains(log.String(), "Main chain: http") }, "the chains do not start")
	return "http://" + addresses[0], "http://" + addresses[1]
}

// node runs a script of this folder with environment variables, and returns its output.
func node(t *testing.T, script string, env []string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", script)
	cmd.Env = append(os.Environ(), env...)
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", script, err, out, faults.String())
	}
	return out
}

// What "pantheon brand init" writes type-checks as it is.
func TestBrand_TheOneToBeginWithHasTheTypesOfTheSite(t *testing.T) {
	t.Parallel()
	web := starter(t)
	run(t, web, "react-router", "typegen")
	run(t, web, "tsc", "--project", "tsconfig.brand.json")
}

// others matches words of the built-in brand.
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
func TestBrand_OneWithFaultsIsNotBuilt(t *testing.T) {
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
			web := starter(t)
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

// starter returns a web workspace with the brand that "pantheon brand init" writes.
func starter(t *testing.T) string {
	t.Helper()
	ours := filepath.Join(t.TempDir(), "ours")
	if err := brand.Init(ours); err != nil {
		t.Fatal(err)
	}
	return workspace(t, ours)
}

// workspace copies the web workspace with the brand in a folder.
func workspace(t *testing.T, ours string) string {
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
