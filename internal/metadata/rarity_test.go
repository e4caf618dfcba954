package metadata_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/rarity"
	"pantheon/internal/metadata"
)

// Of 100 tokens the rarest one is mythic, the next 4 legendary, 10 epic, 20 rare and 25 uncommon; 40 are common.
// Spec: MARKET-23
func TestRarity_FollowsHowRareTraitsAreInTheCollection(t *testing.T) {
	t.Parallel()
	var tokens [][]metadata.Attribute
	var want []rarity.Rarity
	for _, group := range []struct {
		tokens int
		rarity rarity.Rarity
	}{
		{40, rarity.Common}, {1, rarity.Mythic}, {20, rarity.Rare}, {4, rarity.Legendary}, {25, rarity.Uncommon}, {10, rarity.Epic},
	} {
		for range group.tokens {
			tokens = append(tokens, []metadata.Attribute{{Trait: "Hat", Value: fmt.Sprint("One of ", group.tokens)}})
			want = append(want, group.rarity)
		}
	}
	if got := metadata.Rarities(tokens); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
