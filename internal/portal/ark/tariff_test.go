package ark

import (
	"strings"
	"testing"

	"pantheon/internal/art"
)

func TestTariff_KnowsEveryKindOfArkOnce(t *testing.T) {
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
		if c.Slug == "arks" {
			want = c.TokenIDs
		}
	}
	var got []string
	for _, a := range tariff.Arks {
		got = append(got, a.TokenID)
		if len(a.Followers) == 0 || len(a.Tokens) == 0 {
			t.Errorf("ark %s gives nothing of one kind: %+v", a.TokenID, a)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the tariff has arks %v, the catalogue %v", got, want)
	}
}

func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"no version":      "arks: []",
		"a word unknown":  "version: 1\nship: 2",
		"an ark twice":    "version: 1\narks: [{token: '1'}, {token: '1'}]",
		"an ark unnamed":  "version: 1\narks: [{followers: {d0: 1}}]",
		"a token aboard":  "version: 1\narks: [{token: '1', followers: {gt: 1}}]",
		"less than one":   "version: 1\narks: [{token: '1', tokens: {gt: 0}}]",
		"another purse's": "version: 1\narks: [{token: '1', tokens: {ig: 1}}]",
	} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}
