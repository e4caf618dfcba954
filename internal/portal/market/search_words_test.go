package market_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pantheon/internal/portal/market"
)

func TestSearchWords_AreLettersAndDigitsInLowerCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                nil,
		" \t?!%_\x00\u202e":               nil,
		"Sword of DAWN":                   {"sword", "of", "dawn"},
		"crown_of-kings (2nd)":            {"crown", "of", "kings", "2nd"},
		`"sword" OR NOT near* ^7 col:x`:   {"sword", "or", "not", "near", "7", "col", "x"},
		"'; DROP TABLE listing; --":       {"drop", "table", "listing"},
		"dawn Dawn dawn":                  {"dawn"},
		"Élan КРЫЛЬЯ 剣":                   {"élan", "крылья", "剣"},
		strings.Repeat("a", 65) + " b":    {strings.Repeat("a", 64), "b"},
		"a" + strings.Repeat("é", 32):     {"a" + strings.Repeat("é", 31)},
		strings.Repeat("x ", 5_000):       {"x"},
		"sword\u200dfish sword\u202efish": {"sword", "fish"},
	} {
		got := market.SearchWords(text)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for _, w := range got {
			if !utf8.ValidString(w) {
				t.Errorf("%q: %q is not valid UTF-8", text, w)
			}
		}
	}
}
