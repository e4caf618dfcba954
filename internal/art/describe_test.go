package art

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/kit/rarity"
)

const maxTokenID = "115792089237316195423570985008687907853269984665640564039457584007913129639935" // 2²⁵⁶−1

func TestDescribe_RejectsWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	cat := load(t)
	for _, c := range []struct {
		collection, token string
		want              error
	}{
		{"", "1", ErrUnknownCollection},
		{"hats", "1", ErrUnknownCollection},
		{"game-items", "0", ErrUnknownToken},
		{"game-items", "44", ErrUnknownToken},
		{"elder-gods", "0", ErrUnknownToken},
		{"elder-gods", "121", ErrUnknownToken},
		{"elder-gods", "999999", ErrUnknownToken},
		{"avatars", "", ErrUnknownToken},
		{"avatars", "-1", ErrUnknownToken},
		{"avatars", "+1", ErrUnknownToken},
		{"avatars", "01", ErrUnknownToken},
		{"avatars", "0x1", ErrUnknownToken},
		{"avatars", "1 ", ErrUnknownToken},
		{"avatars", "١", ErrUnknownToken}, // a digit, but not an ASCII one
		{"avatars", maxTokenID[:77] + "6", ErrUnknownToken},
		{"avatars", maxTokenID + "0", ErrUnknownToken},
		{"avatars", strings.Repeat("9", 100_000), ErrUnknownToken},
	} {
		if _, err := cat.Describe(c.collection, c.token); !errors.Is(err, c.want) {
			t.Errorf("Describe(%q, %.90q): %v, want %v", c.collection, c.token, err, c.want)
		} else if len(err.Error()) > 200 {
			t.Errorf("the error repeats %d bytes of input", len(err.Error()))
		}
	}
}

func TestDescribe_AcceptsEveryTokenIDOf256Bits(t *testing.T) {
	t.Parallel()
	cat := load(t)
	for _, collection := range []string{"avatars", "season-avatars", "immortals", "passes-community", "passes-ultimate"} {
		for _, id := range []string{"0", "1", maxTokenID} {
			item, err := cat.Describe(collection, id)
			if err != nil || item.Name == "" || item.TokenID != id || item.Collection != collection {
				t.Errorf("Describe(%s, %s) = %+v, %v", collection, id, item, err)
			}
		}
	}
}

func TestDescribe_IsAFunctionOfCollectionAndToken(t *testing.T) {
	t.Parallel()
	a, b := load(t), load(t)
	slugs := generatedSlugs(a)
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.SampledFrom(slugs).Draw(t, "collection")
		id := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "id")).String()
		x, err := a.Describe(slug, id)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Describe(slug, id)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(x, y) {
			t.Fatalf("two answers for %s/%s:\n%+v\n%+v", slug, id, x, y)
		}
	})
}

func TestDescribe_EveryItemIsFullyDescribed(t *testing.T) {
	t.Parallel()
	for item := range samples(load(t), 40) {
		at := item.Collection + "/" + item.TokenID
		if item.Name == "" || item.Description == "" || item.Use == "" || item.Kind == "" || item.Rarity.Rank() < 0 || item.Standard == "" {
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
		if !slices.Contains(item.Attributes, Attribute{TraitType: "Rarity", Value: labelOf(item.Rarity)}) {
			t.Errorf("%s does not show its rarity among the traits", at)
		}
	}
}

func TestDescribe_GodsRunOverEditions(t *testing.T) {
	t.Parallel()
	cat := load(t)
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
		item, err := cat.Describe("elder-gods", c.id)
		if err != nil {
			t.Fatal(err)
		}
		if item.Form != c.form || item.Material != c.material || item.Rarity != c.rarity {
			t.Errorf("god %s is %s of %s, %s; want %+v", c.id, item.Form, item.Material, item.Rarity, c)
		}
	}
	// The castings of one god have different materials.
	for god := 1; god <= 12; god++ {
		seen := map[string]bool{}
		for casting := range 10 {
			item, err := cat.Describe("elder-gods", big.NewInt(int64(god+12*casting)).String())
			if err != nil {
				t.Fatal(err)
			}
			if seen[item.Material] {
				t.Errorf("%s: %s is used twice", item.Name, item.Material)
			}
			seen[item.Material] = true
		}
	}
}

func TestDescribe_GeneratedRaritiesFollowTheirWeights(t *testing.T) {
	t.Parallel()
	cat := load(t)
	const n = 4000
	count := map[rarity.Rarity]int{}
	for i := range n {
		item, err := cat.Describe("avatars", big.NewInt(int64(i)).String())
		if err != nil {
			t.Fatal(err)
		}
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

func TestDescribe_AttributesAreWrittenAsMarketplacesReadThem(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal([]Attribute{
		{TraitType: "God", Value: `"Quoted"`},
		{TraitType: "Power", Value: "12", DisplayType: displayNumber},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"trait_type":"God","value":"\"Quoted\""},{"trait_type":"Power","value":12,"display_type":"number"}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Spec: ITEM-13
func TestDescribe_Metadata(t *testing.T) {
	t.Parallel()
	cat := load(t)
	const contract = "0x00000000000000000000000000000000000000Aa"
	describe := func(collection, id string) map[string]any {
		item, err := cat.Describe(collection, id)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(cat.Metadata("https://portal.example/", contract, item))
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	sword := describe("game-items", "1")
	for field, want := range map[string]any{
		"name": "Recruit's Xiphos",
		"description": "Short, honest and sharpened every evening. Half the wars of the coast began with one of these.\n\nA weapon for " +
			"King of Destiny. Power is what a blow does, Weight what it costs to lift it.",
		"image":            "https://portal.example/metadata/" + contract + "/1/image.svg",
		"external_url":     "https://portal.example/kod-marketplace/marketplace/item/" + contract + "/1",
		"background_color": "070c0e",
		"decimals":         float64(0),
	} {
		if sword[field] != want {
			t.Errorf("%s is %v, want %v", field, sword[field], want)
		}
	}
	if n := len(sword["attributes"].([]any)); n < 4 {
		t.Errorf("%d attributes, want kind, rarity, material and numbers", n)
	}
	if god := describe("elder-gods", "3"); god["decimals"] != nil {
		t.Error("an ERC-721 token has no decimals")
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
	cat := load(t)
	for _, id := range []string{"1000000", "547974322225", maxTokenID} {
		item, err := cat.Describe("elder-gods", id)
		if err != nil || item.Rarity != rarity.Epic || !strings.HasSuffix(item.Name, "(Open Casting)") {
			t.Errorf("god %s: %+v, %v", id, item, err)
		}
	}
}
