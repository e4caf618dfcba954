package brand_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pantheon/internal/brand"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
)

// Spec: CHAIN-15
func TestPantheon_HasTheContractsOfTheSpecification(t *testing.T) {
	t.Parallel()
	var tradable, burnable, soulbound, main []string
	for _, c := range brandtest.Pantheon().Collections.All() {
		for _, list := range []struct {
			is bool
			in *[]string
		}{{c.Tradable, &tradable}, {c.Burnable(), &burnable}, {c.Soulbound, &soulbound}, {c.Chain == collections.MainChain, &main}} {
			if list.is {
				*list.in = append(*list.in, c.Slug)
			}
		}
	}
	for what, c := range map[string]struct {
		got  []string
		want string
	}{
		"tradable":  {tradable, "game-items avatars piggy-banks elder-gods chests"},
		"burnable":  {burnable, "piggy-banks piggy-soulbound chests arks power-packs"},
		"soulbound": {soulbound, "season-avatars piggy-soulbound"},
		"main":      {main, "immortals passes-community passes-ultimate arks power-packs"},
	} {
		if got := strings.Join(c.got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

// hats is a registry of one collection.
const hats = `
kinds:
  - {kind: hats, list: listHats, title: Hats}
collections:
  - {slug: hats, name: Hats, kind: hats, chain: game, standard: erc721, setting: HATS_ADDRESS, tradable: true,
     contract: {name: Hats, symbol: HAT}}
`

func TestBrand_AFolderThatLacksSomethingIsRefused(t *testing.T) {
	t.Parallel()
	nameless, shoes := strings.Replace(hats, "name: Hats, kind", "kind", 1), "collections: [{slug: shoes, title: Shoes}]"
	for want, folder := range map[string]fstest.MapFS{
		"collections.yaml: is missing":                              {},
		"collections.yaml:5: collection 1 (hats): name: is missing": {"collections.yaml": file(nameless)},
		"flags.yaml: is missing":                                    {"collections.yaml": file(hats)},
		"catalogue.yaml:1: shoes: slug: is that of no collection": {
			"collections.yaml": file(hats), "catalogue.yaml": file(shoes),
		},
	} {
		if _, err := brand.Load(folder); err == nil || !slices.Contains(strings.Split(err.Error(), "\n"), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// Spec: CHAIN-15
func TestRegistry_IsWhatTheSiteReads(t *testing.T) {
	t.Parallel()
	text := string(brandtest.Pantheon().Registry())
	for _, want := range []string{
		`{"kind":"game-items","list":"listGameItems","title":"Arms \u0026 relics"}`,
		`{"slug":"piggy-soulbound","name":"Keepsake piggies","title":"Keepsake Piggy Banks","kind":"piggy-banks","standard":"ERC-1155",` +
			`"chain":"game","soulbound":true,"tradable":false,"burn":"piggy-bank"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "<") {
		t.Error("it is written into a script element")
	}
}

// Spec: CHAIN-15
func TestBrand_FaultsOfGamesAreNamedByLineAndField(t *testing.T) {
	t.Parallel()
	const whole = `games:
  - {id: hunt, name: Hunt, board: scores, kinds: [hats], open: true, playUrl: "https://play.example"}
boards:
  - {id: scores, name: Scores}
purses:
  - {id: gold, name: Gold, currencies: [{code: gd, name: gold}]}
`
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"board: scores", "board: wins", `games.yaml:2: game hunt: board: "wins" is none of the boards`},
		{"kinds: [hats]", "kinds: [shoes]", `games.yaml:2: game hunt: kinds: "shoes" is none of the kinds of collections.yaml`},
		{"https://play.example", "javascript:alert(1)", "games.yaml:2: game hunt: playUrl: must be an address with https://"},
		{"https://play.example", "play", "games.yaml:2: game hunt: playUrl: must be an address with https://"},
		{"id: hunt", "id: The Hunt", `games.yaml:2: game The Hunt: id: "The Hunt" is malformed`},
		{
			"  - {id: scores, name: Scores}\n", "  - {id: scores, name: Scores}\n  - {id: scores, name: S}\n",
			"games.yaml:5: board scores: id: is there twice",
		},
		{"name: Gold,", "", "games.yaml:6: purse gold: name: is missing"},
		{"[{code: gd, name: gold}]", "[]", "games.yaml:6: purse gold: currencies: is missing"},
		{"code: gd", "code: g-d", `games.yaml:6: purse gold: currencies[0].code: "g-d" is malformed`},
		{"name: gold}]", "name: gold}, {code: gd, name: g}]", `games.yaml:6: purse gold: currencies[1].code: "gd" is there twice`},
		{"boards:", "board:", "games.yaml:3: board: is none of the sections games, boards, purses"},
		{"open: true", "open: maybe", "games.yaml:2: "},
	} {
		_, err := brand.Load(fstest.MapFS{
			"collections.yaml": file(hats), "flags.yaml": file(""), "games.yaml": file(strings.Replace(whole, c.before, c.after, 1)),
		})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.after, err, c.want)
		}
	}
}

// Spec: RUN-11
func TestBrand_FaultsOfTheDevelopmentWorldAreNamedByLineAndField(t *testing.T) {
	t.Parallel()
	const whole = `market:
  - {collection: hats, tokens: 5, sellers: 1, quantities: [1, 1, 1, 1, 1, 1], prices: [1, 2, 3, 4, 5, 6]}
gifts:
  - {name: money, money: 5}
  - {name: hat, collection: hats}
`
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"collection: hats, tokens", "collection: shoes, tokens", "development.yaml:2: market shoes: collection: is none that can be traded"},
		{"quantities: [1", "quantities: [0", "development.yaml:2: market hats: quantities: must be 1 or more"},
		{"prices: [1", "prices: [0", "development.yaml:2: market hats: prices: must be 1 or more"},
		{"sellers: 1", "sellers: 9", "development.yaml:2: market hats: tokens, sellers: must be 1 or more, and at most 6 sellers"},
		{"{name: hat, collection: hats}", "{name: hat, collection: shoes}", "development.yaml:5: gift hat: collection: there is none of this"},
		{"collection: hats}", "collection: hats, token: \"1\"}", "development.yaml:5: gift hat: token: must be a decimal number"},
		{"{name: hat, collection: hats}", "{name: money, money: 1}", "development.yaml:5: gift money: name: is missing or there twice"},
		{"money: 5}", "currency: gd, amount: 1}", "development.yaml:4: gift money: currency: is none of games.yaml"},
		{", money: 5}", "}", "development.yaml:4: gift money: money: is none, nor a collection, nor an amount of a currency"},
		{"gifts:", "gift:", "development.yaml:3: gift: is none of the sections market, stock, gifts"},
	} {
		_, err := brand.Load(fstest.MapFS{
			"collections.yaml": file(hats), "flags.yaml": file(""), "development.yaml": file(strings.Replace(whole, c.before, c.after, 1)),
		})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.after, err, c.want)
		}
	}
}
