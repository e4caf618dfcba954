package app

import (
	"errors"
	"os"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/webstore"
)

const samples = "../../docs/samples/"

// The samples are loaded as an operator's own files are. The products' packs are drawn by the tables of the sample of rules.
func TestSamples_AreAccepted(t *testing.T) {
	t.Parallel()
	rules, err := readRules(brandtest.Pantheon(), samples+"rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(samples + "products.yaml")
	if err != nil {
		t.Fatal(err)
	}
	products, err := webstore.ParseCatalogue(section.Text("products.yaml", string(text)), webstore.Checks{
		Grant: func(g draw.Grant) error { return checkGrant(brandtest.Pantheon(), g) },
		Opens: func(kind string) error {
			if len(rules.tables.Editions(kind)) == 0 {
				return errors.New("is no kind of drop table")
			}
			return nil
		},
		Send: func(webstore.Send) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	sold := map[webstore.Type]bool{}
	for _, p := range products.Products() {
		sold[p.Type] = true
	}
	for _, kind := range webstore.Types() {
		if !sold[kind] {
			t.Errorf("the sample has no product of the type %s", kind)
		}
	}
	if _, err := flags.New(t.Context(), flags.Options{
		Path: samples + "flags.yaml", Environment: "prod", Report: func(err error) { t.Error(err) },
	}); err != nil {
		t.Error(err)
	}
}

func TestSamples_RulesHaveEverySection(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(samples + "rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{"seasons", "tables", "arks", "piggyBanks", "powerPacks"} {
		if !strings.Contains(string(text), "\n"+section+":\n") {
			t.Errorf("the sample has no section %s", section)
		}
	}
}
