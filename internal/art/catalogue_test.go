package art

import (
	"slices"
	"strings"
	"testing"
)

func load(t testing.TB) *Catalogue {
	t.Helper()
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func TestCatalogue_LoadListsTheBrandsCollections(t *testing.T) {
	t.Parallel()
	want := []struct {
		slug      string
		standard  Standard
		soulbound bool
		tokens    int // 0: generated, every id exists
	}{
		{"game-items", ERC1155, false, 43},
		{"avatars", ERC721, false, 0},
		{"season-avatars", ERC721, true, 0},
		{"piggy-banks", ERC1155, false, 4},
		{"piggy-soulbound", ERC1155, true, 2},
		{"elder-gods", ERC721, false, 120},
		{"chests", ERC1155, false, 3},
		{"immortals", ERC721, false, 0},
		{"passes-community", ERC721, false, 0},
		{"passes-ultimate", ERC721, false, 0},
		{"arks", ERC1155, false, 4},
		{"power-packs", ERC1155, false, 3},
	}
	got := load(t).Collections()
	if len(got) != len(want) {
		t.Fatalf("%d collections, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Slug != w.slug || g.Standard != w.standard || g.Soulbound != w.soulbound || len(g.TokenIDs) != w.tokens {
			t.Errorf("collection %d is %s %s soulbound=%t with %d tokens, want %+v", i, g.Slug, g.Standard, g.Soulbound, len(g.TokenIDs), w)
		}
		if !slices.IsSortedFunc(g.TokenIDs, compareTokenIDs) {
			t.Errorf("%s: token ids are not in ascending order: %v", g.Slug, g.TokenIDs)
		}
	}
}

func TestCatalogue_CollectionsBelongToTheCaller(t *testing.T) {
	t.Parallel()
	cat := load(t)
	first := cat.Collections()
	first[0].TokenIDs[0], first[0].Slug = "spoiled", "spoiled"
	if again := cat.Collections(); again[0].TokenIDs[0] != "1" || again[0].Slug != "game-items" {
		t.Error("changing the returned list changed the catalogue")
	}
}

func TestCatalogue_LoadNamesEveryFault(t *testing.T) {
	t.Parallel()
	_, err := parse([]byte(`
collections:
  - slug: Bad Slug
    name: ""
    description: d
    standard: ERC-20
    soulbound: true
  - slug: items
    name: Items
    description: d
    standard: ERC-1155
    tokens:
      - {id: "01", name: A, kind: sword, form: leaf, material: bronze, rarity: common, text: t}
      - {id: "2", name: B, kind: sword, form: spoon, material: bronze, rarity: common, text: t}
      - {id: "2", name: B, kind: sword, form: leaf, material: cheese, rarity: shiny, text: ""}
  - slug: items
    name: Items
    description: d
    standard: ERC-721
    generated: {kind: hat, rarities: {common: 0, shiny: 1}}
  - slug: gods
    name: Gods
    description: d
    standard: ERC-721
    editions: 0
    gods:
      - {slug: nobody, name: N, title: T, domain: "", material: tin, text: t}
words: {people: [A], bearded: [], places: [B], bynames: [C], heroes: [D]}
`))
	if err == nil {
		t.Fatal("a faulty catalogue was accepted")
	}
	for _, fault := range []string{
		`"Bad Slug": slug must be`, `"Bad Slug": name and description`, `"Bad Slug": standard "ERC-20"`, `"Bad Slug": needs exactly one of`,
		`id "01" is not a decimal`, `no drawing for kind "sword" form "spoon"`, `token 2 is listed twice`, `name "B" is taken`,
		`unknown material "cheese"`, `unknown rarity "shiny"`, `token 2: name and text`, `"items" is listed twice`,
		`generated kind "hat"`, `weight of common must be positive`, `gods need at least one edition`,
		`no drawing for "nobody"`, `unknown material "tin"`, `god #1: name, title, domain`, `words.bearded is empty`,
	} {
		if !strings.Contains(err.Error(), fault) {
			t.Errorf("the error does not say %q:\n%v", fault, err)
		}
	}
}

func TestCatalogue_LoadRejectsUnknownFields(t *testing.T) {
	t.Parallel()
	if _, err := parse([]byte("collections: []\ncolour: red\n")); err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("error %v does not name the unknown field", err)
	}
}
