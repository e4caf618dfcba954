package metadata_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/rarity"
	"pantheon/internal/metadata"
)

// 100 tokens, of which each is rarer than the next, are divided by the shares.
// Spec: MARKET-23
func TestRarity_FollowsHowRareTraitsAreInTheCollection(t *testing.T) {
	t.Parallel()
	var tokens [][]metadata.Attribute
	for i := range 100 { // the values of the bits of 127-i: those that are set are rare
		var a []metadata.Attribute
		for bit := range 7 {
			if (127-i)>>bit&1 == 1 {
				a = append(a, metadata.Attribute{Trait: fmt.Sprint("Mark ", bit), Value: fmt.Sprint("Only ", i)})
			}
		}
		tokens = append(tokens, a)
	}
	counts := map[rarity.Rarity]int{}
	for _, r := range metadata.Rarities(tokens) {
		counts[r]++
	}
	if counts[rarity.Mythic] != 1 || counts[rarity.Mythic]+counts[rarity.Legendary] > 5 || counts[rarity.Common] < 40 {
		t.Errorf("%v", counts)
	}
}

func TestRarity_SmallAndEqualCollections(t *testing.T) {
	t.Parallel()
	hat := func(value string) []metadata.Attribute { return []metadata.Attribute{{Trait: "Hat", Value: value}} }
	repeat := func(n int, a []metadata.Attribute) [][]metadata.Attribute {
		return slices.Repeat([][]metadata.Attribute{a}, n)
	}
	for what, c := range map[string]struct {
		tokens [][]metadata.Attribute
		want   string
	}{
		"nothing":                    {nil, ""},
		"one":                        {repeat(1, hat("Red")), "common"},
		"all the same":               {repeat(3, hat("Red")), "common common common"},
		"one of ten is different":    {append(repeat(9, hat("Red")), hat("Blue")), strings.Repeat("common ", 9) + "epic"},
		"one of ten lacks the trait": {append(repeat(9, hat("Red")), nil), strings.Repeat("common ", 9) + "epic"},
		"two hats at once": {
			append(repeat(9, hat("Red")), append(hat("Red"), hat("Blue")...)), strings.Repeat("common ", 9) + "epic",
		},
	} {
		var got []string
		for _, r := range metadata.Rarities(c.tokens) {
			got = append(got, string(r))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", what, got, c.want)
		}
	}
}
