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

func TestBrand_AFolderThatLacksSomethingIsRefused(t *testing.T) {
	t.Parallel()
	const hats = `
kinds:
  - {kind: hats, list: listHats, title: Hats}
collections:
  - {slug: hats, name: Hats, kind: hats, chain: game, standard: erc721, setting: HATS_ADDRESS, development: {name: Hats, symbol: HAT}}
`
	nameless, shoes := strings.Replace(hats, "name: Hats, kind", "kind", 1), "collections: [{slug: shoes, title: Shoes}]"
	for want, folder := range map[string]fstest.MapFS{
		"open collections.yaml: file does not exist":              {},
		"collections.yaml: collection 1 (hats): name: is missing": {"collections.yaml": file(nameless)},
		"open catalogue.yaml: file does not exist":                {"collections.yaml": file(hats)},
		"catalogue.yaml: collection 1 (shoes): slug: is that of no collection": {
			"collections.yaml": file(hats), "catalogue.yaml": file(shoes),
		},
	} {
		if _, err := brand.Load(folder); err == nil || !slices.Contains(strings.Split(err.Error(), "\n"), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
