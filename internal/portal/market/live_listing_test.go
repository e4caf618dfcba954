package market_test

import (
	"encoding/hex"
	"testing"

	"pantheon/internal/portal/market"
)

// Nobody can tell that holds in two listings are one player's; the browser computes the same tags (holds.test.ts).
func TestPublisher_TagsOfAPlayerDifferBetweenListings(t *testing.T) {
	t.Parallel()
	p := market.Publisher{TagKey: []byte("key")}
	if got := hex.EncodeToString(p.HolderKey("A")); got != "aa73b0ff1a8fbf6cda3c333f24bda8cb0df518449638086ae1d7de25b4f5dee3" {
		t.Errorf("the holder's key is %s", got)
	}
	if got := p.Tag("A", "7"); got != "3f360694042fdaac" {
		t.Errorf("the tag in listing 7 is %s", got)
	}
	seen := map[string]bool{}
	for _, player := range []string{"A", "B"} {
		for _, listing := range []string{"7", "8"} {
			seen[p.Tag(player, listing)] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("two players in two listings have %d tags", len(seen))
	}
}
