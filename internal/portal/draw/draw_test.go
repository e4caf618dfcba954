package draw_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
)

// wordsOf are the words of the tests below: what is hashed has a different value in each byte.
func wordsOf(o draw.Origin) *draw.Words {
	var randomness, table [32]byte
	for i := range randomness {
		randomness[i], table[i] = byte(255-i), 0xaa
	}
	return draw.NewWords(randomness, o, table)
}

func countingHash(from byte) (h eth.Hash) {
	for i := range h {
		h[i] = from + byte(i)
	}
	return h
}

// Computed with Python's hmac and hashlib, after the definition. The fifth and the ninth word begin another block.
// Spec: DRAW-1
func TestWords_AreTheHMACOfTheOriginUnderTheRoundsRandomness(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		of    draw.Origin
		words []uint64
	}{
		"a burn": {draw.Burn{Chain: 421614, Tx: countingHash(0), LogIndex: 3, Number: 2}, []uint64{
			0x5402a63a9ec15c05, 0xd95a1a954a9f48be, 0x1d18221145384013, 0xd1edf422f5df4f8c, 0xbb33f5ba32bd21f8, 0xbef5ca3edd33928d,
			0xe4f10d41fa210a60, 0xa49823b035f12ba9, 0x34e01a094ba9d4ba,
		}},
		"a purchase": {draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2, Nonce: countingHash(32)}, []uint64{
			0xcf85c6fd56d6bd1e, 0xfd834a175538ac64, 0x089163f8da29081d, 0x237cff66ad9581ab, 0x443d7fe059f39bb0, 0x67bd21b4c389069a,
			0x0a56220f871f8ebb, 0x3c272a241d0bc42e, 0xf5fe08a46e808f46,
		}},
		"a purchase without a nonce": {draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2}, []uint64{
			0x7fd77d8b96c85a53, 0xdd52bf46c9b8c645, 0xfe2ba845ad84ad53, 0x47b16175a510fb7a, 0x433c2e481b5d71e5, 0x2e97c4257e42d8af,
			0x794b30714004fcbc, 0x391c6229ff13e06b, 0x1f27a15b0c15a578,
		}},
	} {
		w := wordsOf(c.of)
		for i, want := range c.words {
			if got := w.Below(math.MaxUint64); got != want {
				t.Errorf("word %d of %s is %#x, want %#x", i, what, got, want)
			}
		}
	}
}

// Each of what a word depends on changes it.
func TestWords_DependOnEachPartOfTheirOrigin(t *testing.T) {
	t.Parallel()
	burn, purchase := burnOf(5), purchaseOf(5)
	origins := []draw.Origin{burn, purchase}
	for range 4 {
		origins = append(origins, burn)
	}
	for range 5 {
		origins = append(origins, purchase)
	}
	change := func(i int, fn func(b *draw.Burn, p *draw.Purchase)) {
		b, p := burn, purchase
		fn(&b, &p)
		if origins[i] = b; i > 5 {
			origins[i] = p
		}
	}
	change(2, func(b *draw.Burn, _ *draw.Purchase) { b.Chain++ })
	change(3, func(b *draw.Burn, _ *draw.Purchase) { b.Tx[31]++ })
	change(4, func(b *draw.Burn, _ *draw.Purchase) { b.LogIndex++ })
	change(5, func(b *draw.Burn, _ *draw.Purchase) { b.Number++ })
	change(6, func(_ *draw.Burn, p *draw.Purchase) { p.Shop = "gift-shoq" })
	change(7, func(_ *draw.Burn, p *draw.Purchase) { p.Order++ })
	change(8, func(_ *draw.Burn, p *draw.Purchase) { p.Line++ })
	change(9, func(_ *draw.Burn, p *draw.Purchase) { p.Unit++ })
	change(10, func(_ *draw.Burn, p *draw.Purchase) { p.Nonce[0]++ })
	seen := map[uint64]int{}
	add := func(what int, w *draw.Words) {
		word := w.Below(math.MaxUint64)
		if other, ok := seen[word]; ok {
			t.Errorf("%d and %d have the same first word", what, other)
		}
		seen[word] = what
	}
	for i, o := range origins {
		add(i, draw.NewWords(randomnessOf(1), o, [32]byte{}))
	}
	add(100, draw.NewWords(randomnessOf(2), burn, [32]byte{}))
	add(101, draw.NewWords(randomnessOf(1), burn, [32]byte{31: 1}))
}

func TestWords_EachNumberIsEquallyLikely(t *testing.T) {
	t.Parallel()
	const n, each = 10, 5_000
	var counts [n]int
	for i := range uint64(n * each) {
		counts[draw.NewWords(randomnessOf(i), burnOf(i), [32]byte{}).Below(n)]++
	}
	if x := chiSquare(counts[:], func(int) float64 { return each }); x > 27.88 { // p = 0.001 with 9 degrees of freedom
		t.Errorf("chi-square is %.2f: %v", x, counts)
	}
}

// Below half of all words and one more, every other word is passed over: of the burn's above all but the first, the third and
// the ninth.
func TestWords_AboveTheLargestMultipleArePassedOver(t *testing.T) {
	t.Parallel()
	burn := draw.Burn{Chain: 421614, Tx: countingHash(0), LogIndex: 3, Number: 2}
	w := wordsOf(burn)
	for i, want := range []uint64{0x5402a63a9ec15c05, 0x1d18221145384013, 0x34e01a094ba9d4ba, 0x3dabbea7a9beee77} {
		if got := w.Below(1<<63 + 1); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
	// Of n above half of all words, n itself is the first that is passed over.
	const first, second = 0x5402a63a9ec15c05, 0xd95a1a954a9f48be
	for n, want := range map[uint64]uint64{second: first, second + 1: first} {
		if got := wordsOf(burn).Below(n); got != want {
			t.Errorf("below %#x: %#x, want %#x", n, got, want)
		}
	}
	for n, want := range map[uint64]uint64{second: 0x1d18221145384013, second + 1: second} {
		w := wordsOf(burn)
		w.Below(math.MaxUint64)
		if got := w.Below(n); got != want {
			t.Errorf("the second below %#x: %#x, want %#x", n, got, want)
		}
	}
	// Nothing is left over of a power of two.
	w = wordsOf(burn)
	for i, want := range []uint64{0, 0x5a1a954a9f48be, 1} {
		if got := w.Below([]uint64{1, 1 << 56, 2}[i]); got != want {
			t.Errorf("of a power of two, number %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestWords_NothingIsNotChosenFrom(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a number below 0 is drawn")
		}
	}()
	wordsOf(burnOf(0)).Below(0)
}

// Two purchases with one id would share a draw and an opening.
func TestPurchase_EachHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	purchase := rapid.Custom(func(t *rapid.T) draw.Purchase {
		number := rapid.Uint64Range(0, 9007199254740991)
		return draw.Purchase{
			Shop:  rapid.StringMatching(`[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,3}`).Draw(t, "shop"),
			Order: number.Draw(t, "order"), Line: number.Draw(t, "line"), Unit: number.Draw(t, "unit"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := purchase.Draw(t, "purchase")
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(p.String(), "-")
		last := len(parts) - 3
		if got := strings.Join(parts[:last], "-"); got != p.Shop {
			t.Fatalf("the shop of %s is read as %s", p, got)
		}
		for i, want := range []uint64{p.Order, p.Line, p.Unit} {
			if got, err := strconv.ParseUint(parts[last+i], 10, 64); err != nil || got != want {
				t.Fatalf("number %d of %s is read as %d, %v", i, p, got, err)
			}
		}
	})
}

func TestPurchase_ItsShopAndNumbersAreChecked(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		change func(*draw.Purchase)
		want   string
	}{
		"a name of 32 letters":   {func(p *draw.Purchase) { p.Shop = strings.Repeat("a", 32) }, ""},
		"a name of 33 letters":   {func(p *draw.Purchase) { p.Shop = strings.Repeat("a", 33) }, "name is malformed"},
		"no name":                {func(p *draw.Purchase) { p.Shop = "" }, "name is malformed"},
		"a capital":              {func(p *draw.Purchase) { p.Shop = "Gift" }, "name is malformed"},
		"a number for a name":    {func(p *draw.Purchase) { p.Shop = "7" }, "name is malformed"},
		"two hyphens":            {func(p *draw.Purchase) { p.Shop = "gift--shop" }, "name is malformed"},
		"a hyphen at the end":    {func(p *draw.Purchase) { p.Shop = "gift-" }, "name is malformed"},
		"the largest numbers":    {func(p *draw.Purchase) { p.Order, p.Line, p.Unit = 1<<53-1, 1<<53-1, 1<<53-1 }, ""},
		"an order above them":    {func(p *draw.Purchase) { p.Order = 1 << 53 }, "above 9007199254740991"},
		"a line above them":      {func(p *draw.Purchase) { p.Line = 1 << 53 }, "above 9007199254740991"},
		"a unit far above them":  {func(p *draw.Purchase) { p.Unit = math.MaxUint64 }, "above 9007199254740991"},
		"a name with line break": {func(p *draw.Purchase) { p.Shop = "gift\n" }, "name is malformed"},
	} {
		p := purchaseOf(5)
		c.change(&p)
		if err := p.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// Spec: DRAW-12
func TestSchedule_TheRoundIsTheFirstTwoPeriodsAndAMarginAfterTheBurn(t *testing.T) {
	t.Parallel()
	quicknet := draw.Schedule{Genesis: time.Unix(1692803367, 0), Period: 3 * time.Second}
	for seconds, want := range map[int64]uint64{-100: 1, -6: 1, -5: 2, -3: 2, 0: 3, 1: 4, 2: 4, 3: 4, 4: 5, 3000: 1003} {
		if got := quicknet.RoundAfter(quicknet.Genesis.Add(time.Duration(seconds)*time.Second), 0); got != want {
			t.Errorf("%d s after round 1: round %d, want %d", seconds, got, want)
		}
	}
	for margin, want := range map[int64]uint64{1: 4, 3: 4, 4: 5, 600: 203, 86400: 28803, 604800: 201603} {
		if got := quicknet.RoundAfter(quicknet.Genesis, time.Duration(margin)*time.Second); got != want {
			t.Errorf("with a margin of %d s: round %d, want %d", margin, got, want)
		}
	}
	// A time.Duration cannot hold this.
	old := draw.Schedule{Genesis: time.Unix(0, 0), Period: 86400 * time.Second}
	if got := old.RoundAfter(time.Unix(253402300799, 0), 7*24*time.Hour); got != 2932907 {
		t.Errorf("at the end of the year 9999: round %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := draw.Schedule{Genesis: begin, Period: time.Duration(rapid.Int64Range(1, 86400).Draw(t, "period")) * time.Second}
		block := begin.Add(time.Duration(rapid.Int64Range(-1000, 1e9).Draw(t, "block")) * time.Second)
		margin := time.Duration(rapid.Int64Range(0, 604800).Draw(t, "margin")) * time.Second
		r := s.RoundAfter(block, margin)
		if wait := s.PublishedAt(r).Sub(block); wait < 2*s.Period+margin {
			t.Fatalf("round %d is published %s after the block", r, wait)
		}
		if r > 1 && s.PublishedAt(r-1).Sub(block) >= 2*s.Period+margin {
			t.Fatalf("round %d would do", r-1)
		}
	})
}

// A payment is recorded at any time, and receipts have whole seconds.
// Spec: DRAW-10
func TestSchedule_FractionsOfASecondCountAsAWholeOne(t *testing.T) {
	t.Parallel()
	s := draw.Schedule{Genesis: begin, Period: 3 * time.Second}
	rapid.Check(t, func(t *rapid.T) {
		at := begin.Add(time.Duration(rapid.Int64Range(-1e12, 1e15).Draw(t, "nanoseconds")))
		whole := draw.WholeSeconds(at)
		if wait := whole.Sub(at); wait < 0 || wait >= time.Second || whole.Nanosecond() != 0 {
			t.Fatalf("%s became %s", at, whole)
		}
		if r := s.RoundAfter(at, 0); r != s.RoundAfter(whole, 0) || s.PublishedAt(r).Sub(at) < 2*s.Period {
			t.Fatalf("round %d for %s, round %d for %s", r, at, s.RoundAfter(whole, 0), whole)
		}
	})
}

func TestSchedule_RoundsOfTheFarFutureArePublishedAtTheEndOfTime(t *testing.T) {
	t.Parallel()
	s := draw.Schedule{Genesis: time.Unix(1692803367, 0), Period: 3 * time.Second}
	end := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	last := uint64(end.Unix()-s.Genesis.Unix())/3 + 1
	if got := s.PublishedAt(last); got.After(end) || got.Before(end.Add(-3*time.Second)) {
		t.Errorf("the last round before the end is published at %s", got)
	}
	for _, round := range []uint64{last + 1, 1 << 40, 1 << 62, 1<<63 + 1, math.MaxUint64} {
		if got := s.PublishedAt(round); !got.Equal(end) {
			t.Errorf("round %d is published at %s", round, got)
		}
	}
}

// Computed by an implementation in Python, after the definition. The ids of three new tokens take seven words.
// Spec: DRAW-1
func TestTable_DrawsWhatAnotherImplementationDraws(t *testing.T) {
	t.Parallel()
	god := func(units int64) map[string]int64 { return map[string]int64{"elder-gods": units} }
	items := func(avatars, knives int64) map[string]int64 {
		return map[string]int64{"avatars": avatars, "game-items/5": knives}
	}
	crowns := func(units int64) map[string]int64 { return map[string]int64{"game-items/43": units} }
	for _, c := range []struct {
		table  draw.Table
		n      uint64
		before draw.Luck
		want   string // picked, given, by the pity rule, instead, new tokens
	}{
		{gods(), 0, draw.Luck{Given: god(0)}, "knife knife false false []"},
		{gods(), 2, draw.Luck{Given: god(0)}, "fang fang false false []"},
		{gods(), 7, draw.Luck{Given: god(0)}, "blade blade false false []"},
		{gods(), 55, draw.Luck{Given: god(0)}, "god god false false [{hera 229249773380874}]"},
		{gods(), 0, draw.Luck{Without: 8, Given: god(2)}, "knife knife false false []"},
		{gods(), 55, draw.Luck{Without: 8, Given: god(2)}, "god god false false [{hera 229249773380874}]"},
		{gods(), 55, draw.Luck{Without: 8, Given: god(3)}, "god blade false true []"},
		{gods(), 0, draw.Luck{Without: 9, Given: god(2)}, "blade blade true false []"},
		{gods(), 2, draw.Luck{Without: 9, Given: god(2)}, "god god true false [{hera 228383843858202}]"},
		{gods(), 2, draw.Luck{Without: 9, Given: god(3)}, "god blade true true []"},
		{
			hoard(), 0, draw.Luck{Given: items(3, 4)},
			"avatars avatars false false [{rare 139853592595638} {epic 149363044136012} {rare 130006890138676}]",
		},
		{hoard(), 1, draw.Luck{Given: items(3, 4)}, "more-knives more-knives false false []"},
		{hoard(), 3, draw.Luck{Given: items(3, 4)}, "knives knives false false []"},
		{hoard(), 30, draw.Luck{Given: items(3, 4)}, "thread thread false false []"},
		{hoard(), 0, draw.Luck{Given: items(4, 5)}, "avatars thread false true []"},
		{hoard(), 1, draw.Luck{Given: items(4, 5)}, "more-knives thread false true []"},
		{hoard(), 3, draw.Luck{Given: items(4, 7)}, "knives knives false false []"},
		{hoard(), 3, draw.Luck{Given: items(0, 8)}, "knives thread false true []"},
		{hoard(), 30, draw.Luck{Given: items(6, 9)}, "thread thread false false []"},
		{destiny(), 0, draw.Luck{Given: crowns(3)}, "blade blade false false []"},
		{destiny(), 1, draw.Luck{Given: crowns(3)}, "fate fate false false []"},
		{destiny(), 7, draw.Luck{Given: crowns(9)}, "two-avatars two-avatars false false [{rare 131964516929570} {rare 138101311632223}]"},
		{destiny(), 12, draw.Luck{Given: crowns(3)}, "crowns crowns false false []"},
		{destiny(), 12, draw.Luck{Given: crowns(4)}, "crowns blade false true []"},
	} {
		var origin draw.Origin = burnOf(c.n)
		if c.table.Token == "" {
			origin = purchaseOf(c.n)
		}
		got := c.table.Draw(draw.NewWords(randomnessOf(c.n), origin, c.table.Hash()), c.before)
		out := draw.OutcomeOf(got)
		if text := fmt.Sprint(got.Picked.ID, " ", out.Drop, " ", out.Pity, " ", out.Instead, " ", out.Tokens); text != c.want {
			t.Errorf("%s %d after %v: %s, want %s", c.table.Kind, c.n, c.before, text, c.want)
		}
	}
}

// drawsOf opens as many packs without luck, and calls fn with each outcome.
func drawsOf(table draw.Table, draws uint64, before draw.Luck, fn func(draw.Outcome)) {
	hash := table.Hash()
	for i := range draws {
		fn(table.Draw(draw.NewWords(randomnessOf(i), burnOf(i), hash), before))
	}
}

func TestTable_DrawsByItsWeights(t *testing.T) {
	t.Parallel()
	table := without(gods())
	const draws = 50_000
	counts := make([]int, len(table.Drops))
	drawsOf(table, draws, draw.Luck{Without: 100}, func(o draw.Outcome) {
		if o.Pitied || o.Instead {
			t.Fatal("there are no such rules")
		}
		counts[index(table, o.Drop.ID)]++
	})
	if x := chiSquare(counts, func(i int) float64 { return draws * float64(table.Drops[i].Weight) / 1000 }); x > 16.27 { // p = 0.001
		t.Errorf("chi-square is %.2f: %v", x, counts)
	}
}

// By the pity rule the weights are those among what is rare enough: 45 and 5 of 50.
func TestTable_DrawsByItsWeightsAmongWhatConsoles(t *testing.T) {
	t.Parallel()
	const draws = 20_000
	counts := make([]int, 2)
	drawsOf(gods(), draws, draw.Luck{Without: 9}, func(o draw.Outcome) {
		if !o.Pitied || o.Drop.ID != "blade" && o.Drop.ID != "god" {
			t.Fatalf("drawn is %+v", o)
		}
		counts[index(gods(), o.Drop.ID)-2]++
	})
	if x := chiSquare(counts, func(i int) float64 { return []float64{18_000, 2_000}[i] }); x > 10.83 { // p = 0.001
		t.Errorf("chi-square is %.2f: %v", x, counts)
	}
}

// Each new token is an independent draw: of a variant by weight, then of a number in its series, uniformly.
// Spec: DRAW-14
func TestTable_DrawsNewTokensByTheWeightsOfTheirVariants(t *testing.T) {
	t.Parallel()
	table := hoard()
	table.Drops, table.Total, table.Caps = table.Drops[2:3], 30, nil
	table.Drops[0].Substitute = ""
	draws := uint64(60_000)
	if testing.Short() {
		draws = 20_000
	}
	seen, pairs := map[string]bool{}, make([]int, 9) // of the variants of the first and the last token
	numbers := make([]int, 100)
	variant := map[string]int{"rare": 0, "epic": 1, "last": 2}
	prefix := map[string]string{"rare": "13", "epic": "14", "last": "899"}
	drawsOf(table, draws, draw.Luck{}, func(o draw.Outcome) {
		pairs[3*variant[o.Tokens[0].Variant.ID]+variant[o.Tokens[2].Variant.ID]]++
		for _, token := range o.Tokens {
			series, number := token.ID[:len(token.ID)-13], token.ID[len(token.ID)-13:]
			if series != prefix[token.Variant.ID] || seen[token.ID] {
				t.Fatalf("%s has the id %s, or a second time", token.Variant.ID, token.ID)
			}
			seen[token.ID] = true
			n, err := strconv.Atoi(number[:2])
			if err != nil {
				t.Fatal(err)
			}
			numbers[n]++
		}
	})
	weights := []float64{17, 9, 1}
	promised := func(i int) float64 { return float64(draws) * weights[i/3] * weights[i%3] / (27 * 27) }
	if x := chiSquare(pairs, promised); x > chiSquareLimit(8) {
		t.Errorf("chi-square of the variants is %.2f: %v", x, pairs)
	}
	if x := chiSquare(numbers, func(int) float64 { return float64(draws) * 3 / 100 }); x > chiSquareLimit(99) {
		t.Errorf("chi-square of the numbers is %.2f: %v", x, numbers)
	}
}

func TestTable_WhatHasRunOutIsSubstituted(t *testing.T) {
	t.Parallel()
	table := hoard()
	for _, c := range []struct {
		avatars, knives int64
		want            string // the drops that have run out
	}{
		{0, 0, ""},
		{3, 4, ""},
		{4, 4, "avatars"},
		{3, 5, "more-knives"},
		{3, 7, "more-knives"},
		{3, 8, "knives more-knives"},
		{6, 9, "knives more-knives avatars"},
		{9007199254740991, 9007199254740991, "knives more-knives avatars"},
	} {
		given := map[string]int64{"avatars": c.avatars, "game-items/5": c.knives}
		var out []string
		for _, d := range table.Drops {
			if table.RunOut(d, given) {
				out = append(out, d.ID)
			}
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("after %v: %q, want %q", given, got, c.want)
		}
		counts := map[string]int{}
		drawsOf(table, 200, draw.Luck{Given: given}, func(o draw.Outcome) {
			runOut, want := slices.Contains(out, o.Picked.ID), o.Picked.ID
			if runOut {
				want = "thread"
			}
			if o.Instead != runOut || o.Drop.ID != want || runOut && len(o.Tokens) > 0 {
				t.Fatalf("after %v: %+v", given, o)
			}
			counts[o.Picked.ID]++
		})
		if len(counts) != 4 {
			t.Fatalf("not all are picked: %v", counts)
		}
	}
}

func TestDrop_UnitsAreCountedByItem(t *testing.T) {
	t.Parallel()
	d := hoard().Drops[1]
	for item, want := range map[string]int64{"game-items/5": 5, "game-items": 0, "game-items/6": 0, "fa": 0, "": 0, "more-knives": 0} {
		if got := d.Units(item); got != want {
			t.Errorf("%q: %d units, want %d", item, got, want)
		}
	}
	if got := hoard().Drops[2].Units("avatars"); got != 3 {
		t.Errorf("%d avatars", got)
	}
	for want, g := range map[string]draw.Grant{"game-items/5": copies("5", 2), "avatars": avatar(), "": fate(3)} {
		if got := g.Item(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDrop_RaritiesAreThoseOfItsFirstNewToken(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"knives": "map[common:1]", "more-knives": "map[uncommon:1]",
		"avatars": "map[epic:0.3333333333333333 mythic:0.037037037037037035 rare:0.6296296296296297]",
	} {
		if got := fmt.Sprint(hoard().Drops[index(hoard(), id)].Rarities()); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	d := draw.Drop{Rarity: "rare", Gives: []draw.Grant{fate(1), elderGod(), avatar()}}
	if got := fmt.Sprint(d.Rarities()); got != "map[mythic:1]" {
		t.Errorf("of fate, a god and an avatar: %s", got)
	}
}

// One wallet opens pack after pack.
func TestTable_ThePityRuleEndsEachRunWithoutLuck(t *testing.T) {
	t.Parallel()
	table := gods()
	hash, run, pities := table.Hash(), int64(0), 0
	for i := range uint64(20_000) {
		got := table.Draw(draw.NewWords(randomnessOf(i), burnOf(i), hash), draw.Luck{Without: run})
		if got.Pitied != (run == 9) {
			t.Fatalf("after %d without luck: %+v", run, got)
		}
		if run++; table.Consoles(got.Drop) {
			run = 0
		}
		if got.Pitied {
			pities++
			if run != 0 {
				t.Fatalf("no consolation: %+v", got)
			}
		}
	}
	// A run lasts (1 - 0.95^10) / 0.05 = 8.03 openings on average, and 0.95^9 = 63 % of them end by the rule.
	if pities < 1450 || pities > 1690 {
		t.Errorf("%d of 20000 are drawn by the pity rule, want about 1570", pities)
	}
}

func ExampleBurn_String() {
	fmt.Println(draw.Burn{Chain: 137, LogIndex: 3, Number: 1})
	// Output: 137-0x0000000000000000000000000000000000000000000000000000000000000000-3-1
}

func ExamplePurchase_String() {
	fmt.Println(draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2})
	// Output: gift-shop-7731-1-2
}
