package powerpack

import (
	"slices"
	"testing"

	"pantheon/internal/art"
)

func TestTariff_KnowsEveryKindOfPowerPackOnce(t *testing.T) {
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
		if c.Slug == "power-packs" {
			want = c.TokenIDs
		}
	}
	var got []string
	for _, p := range tariff.Packs {
		got = append(got, p.TokenID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tariff has packs %v, the catalogue %v", got, want)
	}
}

func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"no version":     "packs: []",
		"a word unknown": "version: 1\nsparks: 2",
		"a pack twice":   "version: 1\npacks: [{token: '1', infiniGold: 1, nectar: 1}, {token: '1', infiniGold: 1, nectar: 1}]",
		"a pack unnamed": "version: 1\npacks: [{infiniGold: 1, nectar: 1}]",
		"no nectar":      "version: 1\npacks: [{token: '1', infiniGold: 1}]",
	} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}
