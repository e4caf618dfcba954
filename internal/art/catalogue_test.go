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
		slug   string
		tokens int // 0: generated, every id exists
	}{
		{"game-items", 43},
		{"avatars", 0},
		{"season-avatars", 0},
		{"piggy-banks", 4},
		{"piggy-soulbound", 2},
		{"elder-gods", 120},
		{"chests", 3},
		{"immortals", 0},
		{"passes-community", 0},
		{"passes-ultimate", 0},
		{"arks", 4},
		{"power-packs", 3},
	}
	got := load(t).Collections()
	if len(got) != len(want) {
		t.Fatalf("%d collections, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Slug != w.slug || len(g.TokenIDs) != w.tokens {
			t.Errorf("collection %d is %s with %d tokens, want %+v", i, g.Slug, len(g.TokenIDs), w)
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
  - slug: hats
    name: ""
    description: d
  - slug: game-items
    name: Items
    description: d
    uses: {axe: u}
    tokens:
      - {id: "01", name: A, kind: sword, form: leaf, material: bronze, rarity: common, text: t}
      - {id: "2", name: B, kind: sword, form: spoon, material: bronze, rarity: common, text: t}
      - {id: "2", name: B, kind: sword, form: leaf, material: cheese, rarity: shiny, text: ""}
  - slug: game-items
    name: Items
    description: d
    generated: {kind: hat, rarities: {common: 0, shiny: 1}}
  - slug: elder-gods
    name: Gods
    description: d
    editions: 0
    gods:
      - {slug: nobody, name: N, title: T, domain: "", material: tin, text: t}
words: {people: [A], bearded: [], places: [B], bynames: [C], heroes: [D]}
`))
	if err == nil {
		t.Fatal("a faulty catalogue was accepted")
	}
	for _, fault := range []string{
		`"hats": slug is none of the registry's`, `"hats": name and description`, `"hats": needs exactly one of`,
		`id "01" is not a decimal`, `no drawing for kind "sword" form "spoon"`, `token 2 is listed twice`, `name "B" is taken`,
		`unknown material "cheese"`, `unknown rarity "shiny"`, `token 2: name and text`, `"game-items" is listed twice`,
		`generated kind "hat"`, `weight of common must be positive`, `gods need at least one edition`,
		`no drawing for "nobody"`, `unknown material "tin"`, `god #1: name, title, domain`, `words.bearded is empty`,
		`"game-items": use is required for kind "sword"`, `"game-items": uses names kind "axe", of which there is no token`,
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
