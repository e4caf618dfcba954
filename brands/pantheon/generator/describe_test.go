package generator

import (
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/catalogue"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/series"
)

const maxTokenID = "115792089237316195423570985008687907853269984665640564039457584007913129639935" // 2²⁵⁶−1

func TestDescribe_RejectsWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"", "1"}, {"hats", "1"}, {"game-items", "1"}, {"elder-gods", "0"}, {"elder-gods", "121"}, {"elder-gods", "999999"},
	} {
		if item, ok := load(t).Describe(c[0], c[1]); ok {
			t.Errorf("%s %s is %+v", c[0], c[1], item)
		}
	}
}

func TestDescribe_AcceptsEveryTokenIDOf256Bits(t *testing.T) {
	t.Parallel()
	g := load(t)
	for _, collection := range []string{"avatars", "season-avatars", "immortals", "passes-community", "passes-ultimate"} {
		for _, id := range []string{"0", "1", maxTokenID} {
			if item, ok := g.Describe(collection, id); !ok || item.Name == "" {
				t.Errorf("Describe(%s, %s) = %+v, %t", collection, id, item, ok)
			}
		}
	}
}

func TestDescribe_IsAFunctionOfCollectionAndToken(t *testing.T) {
	t.Parallel()
	a, b := load(t), load(t)
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.SampledFrom(slugs).Draw(t, "collection")
		id := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "id")).String()
		x, _ := a.Describe(slug, id)
		y, _ := b.Describe(slug, id)
		if !reflect.DeepEqual(x, y) {
			t.Fatalf("two answers for %s/%s:\n%+v\n%+v", slug, id, x, y)
		}
	})
}

func TestDescribe_EveryItemIsFullyDescribed(t *testing.T) {
	t.Parallel()
	for item := range samples(load(t), 40) {
		at := item.Collection + "/" + item.TokenID
		if item.Name == "" || item.Description == "" || item.Kind == "" || item.Rarity.Rank() < 0 {
			t.Errorf("%s is incomplete: %+v", at, item)
		}
		if metalOf(item.Material) == (metal{}) {
			t.Errorf("%s: material %q cannot be drawn", at, item.Material)
		}
		seen := map[string]bool{}
		for _, a := range item.Attributes {
			if a.TraitType == "" || a.Value == "" || seen[a.TraitType] {
				t.Errorf("%s: bad or repeated trait %+v", at, a)
			}
			seen[a.TraitType] = true
		}
		if !slices.Contains(item.Attributes, catalogue.Attribute{TraitType: "Rarity", Value: labelOf(item.Rarity)}) {
			t.Errorf("%s does not show its rarity among the traits", at)
		}
	}
}

func TestDescribe_GodsRunOverEditions(t *testing.T) {
	t.Parallel()
	g := load(t)
	for _, c := range []struct {
		id, form, material string
		rarity             rarity.Rarity
	}{
		{"1", "helikara", "gold", rarity.Mythic}, // the first casting is in the god's own material
		{"12", "morvaion", "ivory", rarity.Mythic},
		{"13", "helikara", "silver", rarity.Legendary},
		{"37", "helikara", "bronze", rarity.Legendary},
		{"49", "helikara", "verdigris", rarity.Epic},
		{"120", "morvaion", "wood", rarity.Epic},
	} {
		item, _ := g.describe("elder-gods", c.id)
		if item.Form != c.form || item.Material != c.material || item.Rarity != c.rarity {
			t.Errorf("god %s is %s of %s, %s; want %+v", c.id, item.Form, item.Material, item.Rarity, c)
		}
	}
	// The castings of one god have different materials.
	for god := 1; god <= 12; god++ {
		seen := map[string]bool{}
		for casting := range 10 {
			item, _ := g.describe("elder-gods", big.NewInt(int64(god+12*casting)).String())
			if seen[item.Material] {
				t.Errorf("%s: %s is used twice", item.Name, item.Material)
			}
			seen[item.Material] = true
		}
	}
}

func TestDescribe_GeneratedRaritiesFollowTheirWeights(t *testing.T) {
	t.Parallel()
	g := load(t)
	const n = 4000
	count := map[rarity.Rarity]int{}
	for i := range n {
		item, _ := g.Describe("avatars", big.NewInt(int64(i)).String())
		count[item.Rarity]++
	}
	for r, percent := range map[rarity.Rarity]int{
		rarity.Common: 42, rarity.Uncommon: 27, rarity.Rare: 17, rarity.Epic: 9, rarity.Legendary: 4, rarity.Mythic: 1,
	} {
		// The draws depend only on the ids, so this is deterministic; 1.5 points are about twice
		// the standard deviation of the widest share.
		if got := 100 * float64(count[r]) / n; got < float64(percent)-1.5 || got > float64(percent)+1.5 {
			t.Errorf("%s: %.1f %% of avatars, want about %d %%", r, got, percent)
		}
	}
}

func TestDescribe_RarityRamp(t *testing.T) {
	t.Parallel()
	colours, shapes, labels := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range rarity.All() {
		colours[colourOf(r)], shapes[string(sign(r, 0, 0, 1).appendTo(nil))], labels[labelOf(r)] = true, true, true
		if ratio := contrast(colourOf(r), groundTop); ratio < 4.5 {
			t.Errorf("%s on the ground has a contrast of %.2f:1, want 4.5:1", r, ratio)
		}
	}
	if len(colours) != 6 || len(shapes) != 6 || len(labels) != 6 {
		t.Error("two rarities share a colour, a shape or a label")
	}
}

func TestDescribe_OpenCastingsOfGodsHaveNoEnd(t *testing.T) {
	t.Parallel()
	g := load(t)
	for _, id := range []string{"1000000", "547974322225", maxTokenID} {
		item, ok := g.Describe("elder-gods", id)
		if !ok || item.Rarity != rarity.Epic || !strings.HasSuffix(item.Name, "(Open Casting)") {
			t.Errorf("god %s: %+v, %t", id, item, ok)
		}
	}
}

func TestDescribe_TokensOfASeriesAreWhatTheDropTablesPromise(t *testing.T) {
	t.Parallel()
	g := load(t)
	if god, ok := g.Describe("elder-gods", series.ID(21, 1)); !ok || god.Name != "Helikara, Bearer of the First Sun (Drawn Casting)" ||
		god.Rarity != rarity.Mythic {
		t.Errorf("%+v, %t", god, ok)
	}
	for number, want := range map[int64]rarity.Rarity{11: rarity.Common, 15: rarity.Legendary, 16: rarity.Mythic} {
		if avatar, ok := g.Describe("avatars", series.ID(number, 1)); !ok || avatar.Rarity != want {
			t.Errorf("series %d: %+v", number, avatar)
		}
	}
}
