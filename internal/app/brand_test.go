package app

import (
	"strings"
	"testing"

	"pantheon/internal/brand"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
)

func TestBrand_TheOneThatComesAlongIsWhole(t *testing.T) {
	t.Parallel()
	if err := CheckBrand(brandtest.Pantheon()); err != nil {
		t.Error(err)
	}
}

func TestBrand_FaultsAreNamedByFile(t *testing.T) {
	t.Parallel()
	few, err := collections.Parse("collections.yaml", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, text string) section.File {
		return section.File{Name: "the brand's " + name, Text: []byte(text)}
	}
	rules := string(brandtest.Pantheon().Rules.Text)
	for want, change := range map[string]func(b *brand.Brand){
		"arks: \"arks\" is no such collection": func(b *brand.Brand) { b.Collections = few },
		"rules: piggyBanks: is missing, and tokens of the brand are burned as piggy-bank": func(b *brand.Brand) {
			b.Rules = file("rules.yaml", strings.Replace(rules, "piggyBanks:", "piggybanks:", 1))
		},
		"piggybanks: is none of the sections seasons, tables, arks, piggyBanks, powerPacks": func(b *brand.Brand) {
			b.Rules = file("rules.yaml", strings.Replace(rules, "piggyBanks:", "piggybanks:", 1))
		},
		"the brand's products.yaml:1: product: is none of the sections products": func(b *brand.Brand) { b.Products = file("products.yaml", "product: []") },
		"the brand's flags.yaml: ": func(b *brand.Brand) { b.Flags = file("flags.yaml", "flag: []") },
	} {
		b := *brandtest.Pantheon()
		change(&b)
		if err := CheckBrand(&b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
