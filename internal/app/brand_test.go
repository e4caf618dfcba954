package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/section"
	"pantheon/internal/testkit"
)

func TestBrand_TheOneThatComesAlongIsWhole(t *testing.T) {
	t.Parallel()
	if err := CheckBrand(brandtest.Pantheon()); err != nil {
		t.Error(err)
	}
}

func TestBrand_FaultsAreNamedByFile(t *testing.T) {
	t.Parallel()
	few, err := collections.Parse("collections.yaml", []byte("kinds: [{kind: hats, list: listHats, title: Hats}]\ncollections:\n"+
		"  - {slug: hats, name: Hats, kind: hats, chain: game, standard: erc721, setting: HATS_ADDRESS, contract: {name: H, symbol: H}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	registry, err := os.ReadFile("../../brands/pantheon/collections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	inGems, err := collections.Parse("collections.yaml",
		[]byte(strings.Replace(string(registry), "{symbol: USDC, decimals: 6}", "{symbol: GEM, decimals: 18}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, text string) section.File {
		return section.File{Name: "the brand's " + name, Text: []byte(text)}
	}
	rules := string(brandtest.Pantheon().Rules.Text)
	for want, change := range map[string]func(b *brand.Brand){
		"arks 1: kinds[0].token: \"arks\" is no such collection": func(b *brand.Brand) { b.Collections = few },
		"rules: piggyBanks: is missing, and tokens of the brand are burned as piggy-bank": func(b *brand.Brand) {
			b.Rules = file("rules.yaml", strings.Replace(rules, "piggyBanks:", "piggybanks:", 1))
		},
		"piggybanks: is none of the sections seasons, tables, arks, piggyBanks, powerPacks": func(b *brand.Brand) {
			b.Rules = file("rules.yaml", strings.Replace(rules, "piggyBanks:", "piggybanks:", 1))
		},
		"the brand's products.yaml:1: product: is none of the sections products": func(b *brand.Brand) {
			b.Products = file("products.yaml", "product: []")
		},
		"usdc: the market's currency, GEM, has 18 decimals: the treasury sends one of 6": func(b *brand.Brand) {
			b.Collections = inGems
		},
		"the brand's flags.yaml: ": func(b *brand.Brand) { b.Flags = file("flags.yaml", "flag: []") },
	} {
		b := *brandtest.Pantheon()
		change(&b)
		if err := CheckBrand(&b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestBrand_PlaceholdersOfLegalTextsDoNotGoToProduction(t *testing.T) {
	t.Parallel()
	build := t.TempDir()
	for name, text := range map[string]string{"__spa-fallback.html": "<html></html>", "placeholders.txt": "web/legal.ts"} {
		if err := os.WriteFile(filepath.Join(build, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ environment, build, want string }{
		{"prod", "", ""}, {"dev", build, ""}, {"stage", build, ""},
		{"prod", build, "the legal texts of the brand are placeholders: replace what is in web/legal.ts and web/content/legal, " +
			"set replaced in web/legal.ts to true, and build again"},
		{"dev", filepath.Join(build, "nowhere"), "SITE_DIR: "},
	} {
		err := checkLegal(config.Config{Environment: c.environment, SiteDir: c.build})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s, %s: %v, want %q", c.environment, c.build, err, c.want)
		}
	}
}

// What pantheon brand init writes is whole: the development world has its goods, and a newcomer gets its gifts.
// Spec: CHAIN-15, RUN-11
func TestBrand_TheOneToBeginWithRuns(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "ours")
	if err := brand.Init(folder); err != nil {
		t.Fatal(err)
	}
	if err := brand.Init(folder); err == nil {
		t.Error("another one was written into a folder that is not empty")
	}
	// With a currency of its own.
	registry := filepath.Join(folder, "collections.yaml")
	text, err := os.ReadFile(registry)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "currency: {symbol: USDC, decimals: 6}", "currency: {symbol: GEM, decimals: 18}", 1))
	if err := os.WriteFile(registry, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := brand.Load(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckBrand(b); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load([]string{"DATA_DIR=" + t.TempDir(), "LISTEN_ADDR=127.0.0.1:0", "DEV_BEACON_PORT=0", "LOG_LEVEL=error"}, b)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Log: slog.New(slog.DiscardHandler), PasswordCost: local.TestCost}
	d, err := StartDevelopment(t.Context(), &c, &o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(t.Context(), c, o)
	if err != nil {
		t.Fatal(errors.Join(err, d.Close()))
	}
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	defer func() {
		stop()
		if err := errors.Join(<-ran, a.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	}()
	var token string
	call := func(method, path, body string) (status int, text string) {
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+a.Addr()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", token)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		answer, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(answer)
	}
	get := func(path string) (status int, text string) { return call(http.MethodGet, path, "") }
	_, answer := call(http.MethodPost, "/api/auth/register",
		`{"email":"ida@example.org","displayName":"Ida","password":"correct horse battery"}`)
	var registered struct{ Token string }
	if err := json.Unmarshal([]byte(answer), &registered); err != nil || registered.Token == "" {
		t.Fatalf("registered: %s, %v", answer, err)
	}
	token = registered.Token
	testkit.Eventually(t, time.Minute, func() bool {
		_, text := get("/api/marketplace/listings")
		return strings.Count(text, `"collection":"swords"`) == 6 && strings.Contains(text, `"price":"4.3"`)
	}, "the demo sellers' listings are not on the market")
	if _, text := get("/api/config"); strings.Contains(text, "piggy") || strings.Contains(text, `"god"`) ||
		!strings.Contains(text, `"heroes":"0x`) {
		t.Errorf("/api/config: %s", text)
	}
	if _, text := get("/api/config"); !strings.Contains(text, `"symbol":"GEM","decimals":18`) || !strings.Contains(text, `"minPrice":"0.01"`) {
		t.Errorf("the currency: %s", text)
	}
	if _, text := get("/api/news"); !strings.Contains(text, `"id":"welcome","title":"Welcome"`) {
		t.Errorf("news: %s", text)
	}
	prices := func(query string) (all []string) {
		_, text := get("/api/marketplace/listings?" + query)
		for _, found := range regexp.MustCompile(`"pricePerToken":"(\d+)"`).FindAllStringSubmatch(text, -1) {
			all = append(all, found[1])
		}
		return all
	}
	want := []string{"5050000000000000000", "5650000000000000000", "20400000000000000000"}
	if got := prices("sort=price-asc&min=5&max=22"); !slices.Equal(got, want) {
		t.Errorf("prices from 5 to 22, the lowest first: %v", got)
	}
	if _, text := get("/api/marketplace/getProducts"); !strings.Contains(text, `"products":[]`) {
		t.Errorf("packs: %s", text)
	}
	if _, text := get("/"); !strings.Contains(text, `{"kind":"heroes","list":"listHeroes","title":"Heroes"}`) {
		t.Error("the first page does not carry the brand's registry")
	}
	if status, _ := get("/kod-marketplace/packs"); status != http.StatusFound {
		t.Errorf("the page of packs: %d", status)
	}
	for _, path := range []string{"/api/auth/nft/listArks", "/api/auth/nft/listElderGods"} {
		if status, _ := get(path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, text := get("/api/auth/nft/listHeroes"); status != http.StatusOK {
		t.Errorf("heroes: %d %s", status, text)
	}
}
