package piggybank

import (
	"slices"
	"testing"

	"pantheon/internal/art"
	"pantheon/internal/collections"
)

func TestTariff_KnowsEveryKindOfPiggyBankOnce(t *testing.T) {
	t.Parallel()
	tariff, err := LoadTariff()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := art.Load()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range catalogue.Collections() {
		of, _ := collections.Of(c.Slug)
		if of.Burn != collections.BreakPiggy {
			continue
		}
		for _, id := range c.TokenIDs {
			want = append(want, c.Slug+"/"+id)
		}
	}
	var got []string
	for _, b := range tariff.Banks {
		got = append(got, b.Collection+"/"+b.TokenID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tariff has banks %v, the catalogue %v", got, want)
	}
}

func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"no version":     "banks: []",
		"a word unknown": "version: 1\npigs: 2",
		"a bank twice":   "version: 1\nbanks: [{collection: piggy-banks, token: '1', fate: 1}, {collection: piggy-banks, token: '1', fate: 1}]",
		"a bank unnamed": "version: 1\nbanks: [{collection: piggy-banks, fate: 1}]",
		"an empty bank":  "version: 1\nbanks: [{collection: piggy-banks, token: '1'}]",
	} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}
