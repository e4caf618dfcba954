package app

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/series"
	"pantheon/internal/metadata"
)

// Spec: ACCOUNT-15
func TestNames_OfTheBrandItsGamesAndCollectionsAreReserved(t *testing.T) {
	t.Parallel()
	reserved := reservedNames([]string{"Pantheon"}, brandtest.Pantheon())
	for _, name := range []string{
		"Pantheon", "Zeus of Pantheon", "King of Destiny", "InfiniMerge 2", "Immortal Siege", "Elder Gods", "Season avatars", "Piggy Banks",
		"Kod Pack",
	} {
		if reserved.Fault(name) == "" {
			t.Errorf("%q is no reserved name", name)
		}
	}
	if fault := reserved.Fault("Zeus"); fault != "" {
		t.Error(fault)
	}
}

// Spec: CHAIN-15
func TestCollections_TheCatalogueDrawsEach(t *testing.T) {
	t.Parallel()
	b := drawn(t)
	for _, c := range b.Collections.All() {
		item, err := b.Catalogue.Describe(c.Slug, "1")
		if err != nil {
			t.Error(err)
		} else if !bytes.HasPrefix(b.Catalogue.Picture(item), []byte("<svg ")) || item.Use == "" || b.Catalogue.Title(c.Slug) == "" {
			t.Errorf("%s has no picture, no use or no title", c.Slug)
		}
	}
}

// Spec: CHAIN-15
func TestCollections_BrowsersKnowThemByTheNamesOfTheTable(t *testing.T) {
	t.Parallel()
	a := serve(t, nil).app
	raw, err := json.Marshal(clientConfig(a.config, nil, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Contracts map[string]string `json:"contracts"`
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		t.Fatal(err)
	}
	for _, c := range brandtest.Pantheon().Collections.All() {
		if c.Client == "" {
			continue
		}
		if got, want := config.Contracts[c.Client], a.config.Contracts.Collections[c.Slug]; !strings.EqualFold(got, want) || want == "" {
			t.Errorf("%s is at %q, want %q", c.Client, got, want)
		}
	}
}

func TestCollections_AreFoundBySlugAndKind(t *testing.T) {
	t.Parallel()
	goods := collectionsOf(serve(t, nil).app.config)
	if got := named(goods, "chests"); got.Slug != "chests" || got.address.IsZero() {
		t.Errorf("the packs are %+v", got)
	}
	groups := byKind(goods)
	if got := groups[collections.Passes]; len(got) != 2 || got[0].Slug != "passes-community" || got[1].Slug != "passes-ultimate" {
		t.Errorf("the passes are %+v", got)
	}
	if len(groups) != len(brandtest.Pantheon().Collections.Kinds()) {
		t.Errorf("there are %d kinds", len(groups))
	}
	if got := named(goods, "hats"); !got.address.IsZero() || got.Slug != "" {
		t.Errorf("a collection that is in no registry is %+v", got)
	}
}

// A vault pays by its god's rarity.
// Spec: CLAIM-2
func TestCollections_RarityOfTokensOfASeriesIsThatOfTheDropTables(t *testing.T) {
	t.Parallel()
	c := serve(t, nil).app.config
	goods := collectionsOf(c)
	g, gods := newGallery(c, goods, nil), named(goods, "elder-gods")
	drawn := series.ID(21, 7) // Helikara
	common := &metadata.Document{Name: "Helikara", Attributes: []metadata.Attribute{{Trait: "Rarity", Value: "Common"}}}
	for _, known := range []*metadata.Document{nil, common} {
		if d := g.Describe(gods.address, drawn, known); d.Token.Rarity != "mythic" || d.Rank != 5 {
			t.Errorf("%+v", d)
		}
	}
	if d := g.Describe(gods.address, "1", nil); d.Token.Rarity != "" || d.Rank != 0 {
		t.Errorf("%+v", d)
	}
	for id, want := range map[string]bool{drawn: true, "1": false} {
		if got := g.knowsRarity(gods, id); got != want {
			t.Errorf("%s: %t", id, got)
		}
	}
	if !g.knowsRarity(named(goods, "game-items"), "1") {
		t.Error("the catalogue does not know its own token")
	}
}
