package app

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
)

// Spec: ACCOUNT-15
func TestNames_OfTheBrandItsGamesAndCollectionsAreReserved(t *testing.T) {
	t.Parallel()
	reserved := reservedNames([]string{"Pantheon"}, brandtest.Pantheon().Collections)
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
	raw, err := json.Marshal(clientConfig(a.config, Options{}))
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
	defer func() {
		if recover() == nil {
			t.Error("a collection that is in no registry is found")
		}
	}()
	named(goods, "hats")
}
