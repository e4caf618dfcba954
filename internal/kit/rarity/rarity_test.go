package rarity

import "testing"

func TestRarity_RanksFollowTheRamp(t *testing.T) {
	t.Parallel()
	for name, want := range map[Rarity]int{
		"common": 0, "uncommon": 1, "rare": 2, "epic": 3, "legendary": 4, "mythic": 5, "shiny": -1, "": -1, "Common": -1,
	} {
		if got := name.Rank(); got != want {
			t.Errorf("%q has rank %d, want %d", name, got, want)
		}
	}
}
