package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
)

// What the contracts' URIs of the development world lead to.
func TestTokenMetadata_IsServedAsTheContractsNameIt(t *testing.T) {
	t.Parallel()
	b := drawn(t)
	h, err := tokenMetadata(b, "http://127.0.0.1:8545")
	if err != nil {
		t.Fatal(err)
	}
	game, main, err := worlds(b)
	if err != nil {
		t.Fatal(err)
	}
	gods, items, arks := game.Collections["elder-gods"], game.Collections["game-items"], main.Collections["arks"]
	base := "/metadata/" + gods.Checksum()
	for path, want := range map[string]string{
		base + "/1":           `{"name":"Helikara, Bearer of the First Sun"`,
		base + "/13":          `"image":"http://127.0.0.1:8545/metadata/` + gods.Checksum() + `/13/image.svg"`,
		base + "/1/image.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800"`,
		"/metadata/" + items.Checksum() + "/" + strings.Repeat("0", 63) + "3.json": `"name":"Meridian Blade"`, // {id} of ERC-1155
		"/metadata/" + arks.Checksum() + "/4":                                      `"name":"Sun Ark"`,
		base + "/121":                                                              "404",
		base + "/x":                                                                "404",
		"/metadata/0x00000000000000000000000000000000000000aa/1":                   "404",
		"/metadata/gods/1":                                                         "404",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if !strings.Contains(w.Body.String(), want) && (want != "404" || w.Code != http.StatusNotFound) {
			t.Errorf("%s: %d %.200s, want %s", path, w.Code, w.Body, want)
		}
		if policy := w.Header().Get("Content-Security-Policy"); w.Code == http.StatusOK &&
			(!strings.HasSuffix(policy, "; sandbox") || w.Header().Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: %v", path, w.Header())
		}
		if strings.Contains(w.Body.String(), "external_url") {
			t.Errorf("%s leads to a page of the chain: %s", path, w.Body)
		}
	}
}

func TestTokenMetadata_AGeneratorThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	b := *brandtest.Pantheon()
	for name, want := range map[string]string{"": "", "chisel": `catalogue.yaml: generator: there is none called "chisel"`} {
		c := *b.Catalogue
		c.Generator, b.Catalogue = name, &c
		got := ""
		if _, err := withGenerator(&b); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s", name, got)
		}
	}
}
