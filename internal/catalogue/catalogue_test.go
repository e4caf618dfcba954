package catalogue

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pantheon/internal/collections"
	"pantheon/internal/kit/rarity"
)

const table = `
kinds:
  - {kind: hats, list: listHats, title: Hats}
collections:
  - {slug: hats, name: Hats, kind: hats, chain: game, standard: erc1155, setting: HATS_ADDRESS, tradable: true,
     contract: {name: Hats, symbol: HAT}}
  - {slug: heads, name: Heads, kind: hats, chain: game, standard: erc721, setting: HEADS_ADDRESS, tradable: true,
     contract: {name: Heads, symbol: HEAD}}
`

// file has two hats, and heads that a generator knows.
const file = `
background: 070c0e
collections:
  - slug: hats
    title: Hats of the Harbour
    use: Keeps the sun off.
    uses: {helmet: Keeps everything off.}
    tokens:
      - {id: "2", name: Straw hat, kind: hat, rarity: common, text: "Wide.", traits: {Size: 7, Colour: "12", Weight: 0.5}}
      - {id: "1", name: Helmet, kind: helmet, rarity: epic, text: Heavy., traits: {Colour: Grey}}
  - slug: heads
    title: Heads
    use: To put hats on.
    series:
      - {number: 7, variant: bald, rarity: rare}
`

func pictures() fstest.MapFS {
	return fstest.MapFS{
		"pictures/hats/1.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><title>1</title></svg>`)},
		"pictures/hats/2.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><title>2</title></svg>`)},
	}
}

func parse(t *testing.T, text string, folder fstest.MapFS) (*Catalogue, error) {
	t.Helper()
	registry, err := collections.Parse("collections.yaml", []byte(table))
	if err != nil {
		t.Fatal(err)
	}
	return Parse("catalogue.yaml", []byte(text), registry, folder)
}

func load(t *testing.T) *Catalogue {
	t.Helper()
	c, err := parse(t, file, pictures())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// heads describes and draws heads of all ids but 13.
type heads struct{}

func (heads) Describe(slug, tokenID string) (Item, bool) {
	if slug != "heads" || tokenID == "13" {
		return Item{}, false
	}
	return Item{Name: "Head " + tokenID, Kind: "head", Rarity: rarity.Rare}, true
}

func (heads) Hash() [32]byte { return [32]byte{7} }

func (heads) Draw(slug, tokenID string) []byte { return []byte("<svg>" + slug + tokenID + "</svg>") }

// Spec: ITEM-13
func TestCatalogue_DescribesWhatItLists(t *testing.T) {
	t.Parallel()
	c := load(t)
	item, err := c.Describe("hats", "2")
	if err != nil {
		t.Fatal(err)
	}
	if item.Name != "Straw hat" || item.Kind != "hat" || item.Rarity != rarity.Common || item.Use != "Keeps the sun off." ||
		item.Standard != "erc1155" || item.Collection != "hats" || item.TokenID != "2" {
		t.Errorf("%+v", item)
	}
	if got := string(c.Picture(item)); !strings.Contains(got, "<title>2</title>") {
		t.Errorf("its picture is %s", got)
	}
	if item, _ := c.Describe("hats", "1"); item.Use != "Keeps everything off." {
		t.Errorf("the use of a helmet is %q", item.Use)
	}
	if got := c.TokenIDs("hats"); !slices.Equal(got, []string{"2", "1"}) {
		t.Errorf("it lists %v", got)
	}
	if c.Title("hats") != "Hats of the Harbour" || c.Title("shoes") != "" || c.TokenIDs("heads") != nil || c.TokenIDs("shoes") != nil {
		t.Error("a title or a list is another one's")
	}
}

func TestCatalogue_KnowsNoOtherTokens(t *testing.T) {
	t.Parallel()
	const max = "115792089237316195423570985008687907853269984665640564039457584007913129639935" // 2²⁵⁶−1
	c := load(t)
	generated := c.With(heads{})
	for _, token := range [][2]string{
		{"", "1"}, {"shoes", "1"}, {"hats", "3"}, {"hats", ""}, {"hats", "01"}, {"hats", "-1"}, {"hats", "+1"}, {"hats", "0x1"}, {"hats", "1 "},
		{"hats", "١"}, {"heads", "13"}, {"heads", max[:77] + "6"}, {"heads", max + "0"}, {"heads", strings.Repeat("9", 100_000)},
	} {
		for _, c := range []*Catalogue{c, generated} {
			if _, err := c.Describe(token[0], token[1]); !errors.Is(err, ErrUnknown) {
				t.Errorf("%.90q: %v", token, err)
			} else if len(err.Error()) > 200 {
				t.Errorf("the error repeats %d bytes of input", len(err.Error()))
			}
		}
	}
	for _, id := range []string{"0", "1", max} {
		if _, err := c.Describe("heads", id); !errors.Is(err, ErrUnknown) {
			t.Errorf("without a generator: %v", err)
		}
		item, err := generated.Describe("heads", id)
		if err != nil || item.TokenID != id || item.Use != "To put hats on." || item.Standard != "erc721" {
			t.Errorf("%+v, %v", item, err)
		}
		if got := string(generated.Picture(item)); got != "<svg>heads"+id+"</svg>" {
			t.Errorf("drawn as %s", got)
		}
	}
}

func TestCatalogue_SeriesSayWhatDrawnTokensAre(t *testing.T) {
	t.Parallel()
	c := load(t)
	if variant, r, ok := c.Variant("heads", 7); !ok || variant != "bald" || r != rarity.Rare {
		t.Errorf("series 7 is %q, %q, %t", variant, r, ok)
	}
	for slug, number := range map[string]int64{"heads": 0, "hats": 7, "shoes": 7} {
		if variant, _, ok := c.Variant(slug, number); ok {
			t.Errorf("series %d of %s is %s", number, slug, variant)
		}
	}
}

// Spec: ITEM-13
func TestCatalogue_MetadataIsWrittenAsMarketplacesReadIt(t *testing.T) {
	t.Parallel()
	c := load(t).With(heads{})
	for token, want := range map[string]string{
		"hats 2": `{"name":"Straw hat","description":"Wide.\n\nKeeps the sun off.",` +
			`"image":"https://portal.example/metadata/0xAa/2/image.svg",` +
			`"attributes":[{"trait_type":"Size","value":7,"display_type":"number"},{"trait_type":"Colour","value":"12"},` +
			`{"trait_type":"Weight","value":0.5,"display_type":"number"}],"background_color":"070c0e","decimals":0}`,
		"heads 5": `{"name":"Head 5","description":"To put hats on.","image":"https://portal.example/metadata/0xAa/5/image.svg",` +
			`"attributes":null,"background_color":"070c0e"}`,
	} {
		slug, id, _ := strings.Cut(token, " ")
		item, err := c.Describe(slug, id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(c.Metadata("https://portal.example", "0xAa", item))
		if err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", token, got, err, want)
		}
	}
}

func TestCatalogue_EveryFaultIsNamed(t *testing.T) {
	t.Parallel()
	folder := pictures()
	folder["pictures/hats/4.svg"] = &fstest.MapFile{Data: []byte("GIF89a")}
	folder["pictures/hats/5.svg"] = &fstest.MapFile{Data: append([]byte("<svg"), make([]byte, 256<<10)...)}
	_, err := parse(t, `
collections:
  - slug: shoes
    title: ""
  - slug: hats
    title: Hats
    tokens:
      - {id: "01", name: A, kind: hat, rarity: common}
      - {id: "2", name: B, kind: hat, rarity: shiny, traits: {Size: "", Colour: Red}}
      - {id: "2", name: B, kind: hat, rarity: common}
      - {id: "4", name: "", kind: hat, rarity: common}
      - {id: "5", name: C, kind: hat, rarity: common}
    series:
      - {number: 0, variant: a, rarity: common}
      - {number: 3, variant: "", rarity: shiny}
      - {number: 3, variant: b, rarity: common}
      - {number: 4, variant: b, rarity: common}
  - slug: hats
    title: Hats
`, folder)
	if err == nil {
		t.Fatal("a faulty catalogue was accepted")
	}
	for _, fault := range []string{
		"catalogue.yaml:3: shoes: slug: is that of no collection", "catalogue.yaml:4: shoes: title: is missing",
		`catalogue.yaml:8: hats: token 1: id: "01" is not a decimal number of at most 256 bits`,
		"catalogue.yaml:10: hats: token 2: id: is there twice",
		`token 2: name: "B" is empty or there twice`, `catalogue.yaml:9: hats: token 2: rarity: "shiny" is no rarity`,
		`token 2: traits: "Size" is empty or there twice`,
		`token 4: name: "" is empty`, "token 4: pictures/hats/4.svg: is no SVG", "token 5: pictures/hats/5.svg has 262148 bytes, at most 262144",
		"token 01: open pictures/hats/01.svg", "series 0: number: is less than 1", `series 3: variant: "" is empty or there twice`,
		`series 3: rarity: "shiny" is no rarity`,
		`catalogue.yaml:17: hats: series 4: variant: "b" is empty or there twice`, "series 3: number: is less than 1 or there twice",
		"catalogue.yaml:18: hats: slug: is there twice",
	} {
		if !strings.Contains(err.Error(), fault) {
			t.Errorf("the error does not say %q:\n%v", fault, err)
		}
	}
	hat := func(traits string) string {
		return "collections:\n  - {slug: hats, title: H, tokens: [{id: \"1\", traits: " + traits + "}]}\n"
	}
	for text, want := range map[string]string{
		"colour: red\n":       "catalogue.yaml:1: colour: is none of the sections background, generator, collections",
		"collections:\n  -\n": "catalogue.yaml:2: collections[0]: is empty",
		hat("[a]"):            "catalogue.yaml:2: traits must be names with values",
		hat("{a: [b]}"):       "catalogue.yaml:2: trait a: must be a text or a number",
		hat("{a: ~}"):         "catalogue.yaml:2: trait a: must be a text or a number",
		"background: red\n":   `background: "red" is not six hex digits`,
		"collections: {":      "catalogue.yaml:1: did not find expected node content",
	} {
		if _, err := parse(t, text, folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestCatalogue_ItsHashTellsAChangeOfTheCollection(t *testing.T) {
	t.Parallel()
	pictured := pictures()
	pictured["pictures/hats/1.svg"] = &fstest.MapFile{Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}
	hash := func(text string, folder fstest.MapFS) [32]byte {
		c, err := parse(t, text, folder)
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash("hats")
	}
	was := hash(file, pictures())
	for what, same := range map[string]bool{
		"Wide.":                    false, // a text
		"Keeps the sun off.":       false, // a use
		"Size: 7":                  false, // a trait
		"To put hats on.":          true,  // of another collection
		"number: 7, variant: bald": true,
	} {
		if got := hash(strings.ReplaceAll(file, what, what+"1"), pictures()); (got == was) != same {
			t.Errorf("%s changes it: %t", what, got != was)
		}
	}
	if hash(file, pictured) != was {
		t.Error("a picture changes it")
	}
	if c := load(t); c.With(heads{}).Hash("heads") == c.Hash("heads") {
		t.Error("a generator does not change it")
	}
}

func TestCatalogue_PicturesAreSVGThatShowsItself(t *testing.T) {
	t.Parallel()
	const ns = ` xmlns="http://www.w3.org/2000/svg"`
	for picture, want := range map[string]string{
		"<svg" + ns + "/>": "",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg" + ns + "><g/></svg>\n": "",
		"\ufeff<svg" + ns + "/>":                          "",
		"<x:svg xmlns:x=\"http://www.w3.org/2000/svg\"/>": "",
		"<svg/>":              "it has no <svg xmlns",
		"<svgfoo" + ns + "/>": "it has no <svg xmlns",
		"<svg" + ns + ">":     "is no SVG: XML syntax error",
		"<svg" + ns + "><script>alert(1)</script></svg>": "has a script",
		"<svg" + ns + "><g ONLOAD=\"alert(1)\"/></svg>":  "has a script",
		"<html><svg" + ns + "/></html>":                  "it has no <svg xmlns",
		"":                                               "is no SVG",
		"\x89PNG\r\n":                                    "is no SVG",
	} {
		folder := pictures()
		folder["pictures/hats/1.svg"] = &fstest.MapFile{Data: []byte(picture)}
		_, err := parse(t, file, folder)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), "pictures/hats/1.svg: ") ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", picture, err, want)
		}
	}
}
