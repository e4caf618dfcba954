package draw_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func burnOf(n uint64) draw.Burn {
	b := draw.Burn{Chain: 421614, LogIndex: n % 7, Number: n % 3}
	binary.BigEndian.PutUint64(b.Tx[24:], n)
	return b
}

// purchaseOf is the purchase of a unit, in an order with a large number.
func purchaseOf(n uint64) draw.Purchase {
	return draw.Purchase{Shop: "gift-shop", Order: 9007199254740991 - n, Line: n % 7, Unit: n % 3}
}

func randomnessOf(n uint64) (r [32]byte) {
	binary.BigEndian.PutUint64(r[24:], n)
	return r
}

// gods is a table with everything a table can have.
func gods() draw.Table {
	give := func(token string) []draw.Grant {
		return []draw.Grant{{Collection: "game-items", Token: token, Amount: 1}}
	}
	return draw.Table{
		Kind: "god", Version: 2, From: begin, Total: 1000, Pity: &draw.Pity{After: 9, Rarity: "epic"},
		Drops: []draw.Drop{
			{ID: "knife", Name: "Ferryman's Knife", Rarity: "common", Weight: 700, Gives: give("5")},
			{ID: "fang", Name: "Moth Fang", Rarity: "rare", Weight: 250, Gives: give("6")},
			{ID: "blade", Name: "Meridian <Blade>", Rarity: "epic", Weight: 45, Gives: give("3")},
			{ID: "god", Name: "An Elder God", Rarity: "mythic", Weight: 5, Cap: 3, Substitute: "blade", Gives: []draw.Grant{
				{Collection: "elder-gods", Amount: 1}, {Currency: "fa", Amount: 50},
			}},
		},
	}
}

// destiny is a table of a kind that is bought in a shop, with a cap that is reached soon.
func destiny() draw.Table {
	return draw.Table{
		Kind: "destiny-gold", Version: 1, From: begin, Total: 1000,
		Drops: []draw.Drop{
			{ID: "fate", Name: "25 fate", Rarity: "common", Weight: 400, Gives: []draw.Grant{{Currency: "fa", Amount: 25}}},
			{ID: "blade", Name: "Meridian <Blade>", Rarity: "epic", Weight: 300, Gives: []draw.Grant{{Collection: "game-items", Token: "3", Amount: 1}}},
			{ID: "god", Name: "An Elder God", Rarity: "mythic", Weight: 300, Cap: 3, Substitute: "blade", Gives: []draw.Grant{
				{Collection: "elder-gods", Amount: 1}, {Currency: "fa", Amount: 50},
			}},
		},
	}
}

func TestWords_AreTheHMACOfTheBurnUnderTheRoundsRandomness(t *testing.T) {
	t.Parallel()
	// Computed with Python's hmac and hashlib, after the definition.
	tx := eth.Hash{}
	for i := range tx {
		tx[i] = byte(i)
	}
	var randomness, table [32]byte
	for i := range randomness {
		randomness[i], table[i] = byte(255-i), 0xaa
	}
	w := draw.NewWords(randomness, draw.Burn{Chain: 421614, Tx: tx, LogIndex: 3, Number: 2}, table)
	for i, want := range pythonWords {
		if got := w.Below(math.MaxUint64); got != want {
			t.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestWords_OfAPurchaseAreTheHMACOfItsPlaceInTheShop(t *testing.T) {
	t.Parallel()
	// Computed with Python's hmac and hashlib, after the definition.
	var randomness, table [32]byte
	for i := range randomness {
		randomness[i], table[i] = byte(255-i), 0xaa
	}
	w := draw.NewWords(randomness, draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2}, table)
	for i, want := range []uint64{
		0x7c01c1c6fb1cd32f, 0x6ca3b38e2567c8c6, 0xed8c2517e1f4d64d, 0xa4f4e53a0bd3b64f, 0x7056e52a3c938841, 0x6dfbf800aad5b0a2, 0x625ffefce16dc115, 0x5022583c2b7fccf4,
	} {
		if got := w.Below(math.MaxUint64); got != want {
			t.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
}

// Two purchases with one id would share a draw and an opening.
func TestPurchase_EachHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	purchase := rapid.Custom(func(t *rapid.T) draw.Purchase {
		number := rapid.Uint64Range(0, 9007199254740991)
		return draw.Purchase{
			Shop: rapid.StringMatching(`[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,3}`).Draw(t, "shop"), Order: number.Draw(t, "order"), Line: number.Draw(t, "line"), Unit: number.Draw(t, "unit"),
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

func TestWords_EachNumberIsEquallyLikely(t *testing.T) {
	t.Parallel()
	const n, each = 10, 20_000
	var counts [n]int
	for i := range uint64(n * each) {
		counts[draw.NewWords(randomnessOf(i), burnOf(i), [32]byte{}).Below(n)]++
	}
	if x := chiSquare(counts[:], func(int) float64 { return each }); x > 27.88 { // p = 0.001 with 9 degrees of freedom
		t.Errorf("chi-square is %.2f: %v", x, counts)
	}
}

// A choice among more than half of all words passes over almost half of them.
func TestWords_TheRemainderIsPassedOver(t *testing.T) {
	t.Parallel()
	const n = 1<<63 + 1
	over := 0
	for i := range uint64(2000) {
		first := draw.NewWords(randomnessOf(i), burnOf(i), [32]byte{}).Below(math.MaxUint64)
		got := draw.NewWords(randomnessOf(i), burnOf(i), [32]byte{}).Below(n)
		if first < n && got != first || got >= n {
			t.Fatalf("word %#x became %#x", first, got)
		}
		if first >= n {
			over++
		}
	}
	if over < 900 || over > 1100 {
		t.Errorf("%d of 2000 words were passed over, want about half", over)
	}
}

func TestSchedule_TheRoundIsTheFirstTwoPeriodsAfterTheBurn(t *testing.T) {
	t.Parallel()
	quicknet := draw.Schedule{Genesis: time.Unix(1692803367, 0), Period: 3 * time.Second}
	for seconds, want := range map[int64]uint64{-100: 1, -6: 1, -5: 2, -3: 2, 0: 3, 1: 4, 2: 4, 3: 4, 4: 5, 3000: 1003} {
		if got := quicknet.RoundAfter(quicknet.Genesis.Add(time.Duration(seconds) * time.Second)); got != want {
			t.Errorf("%d s after round 1: round %d, want %d", seconds, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := draw.Schedule{Genesis: begin, Period: time.Duration(rapid.Int64Range(1, 60).Draw(t, "period")) * time.Second}
		block := begin.Add(time.Duration(rapid.Int64Range(-1000, 1e8).Draw(t, "block")) * time.Second)
		r := s.RoundAfter(block)
		if wait := s.PublishedAt(r).Sub(block); wait < 2*s.Period {
			t.Fatalf("round %d is published %s after the block", r, wait)
		}
		if r > 1 && s.PublishedAt(r-1).Sub(block) >= 2*s.Period {
			t.Fatalf("round %d would do", r-1)
		}
	})
}

// A payment is recorded at any time, and receipts have whole seconds.
func TestSchedule_FractionsOfASecondCountAsAWholeOne(t *testing.T) {
	t.Parallel()
	s := draw.Schedule{Genesis: begin, Period: 3 * time.Second}
	rapid.Check(t, func(t *rapid.T) {
		at := begin.Add(time.Duration(rapid.Int64Range(-1e12, 1e15).Draw(t, "nanoseconds")))
		whole := draw.WholeSeconds(at)
		if wait := whole.Sub(at); wait < 0 || wait >= time.Second || whole.Nanosecond() != 0 {
			t.Fatalf("%s became %s", at, whole)
		}
		if r := s.RoundAfter(at); r != s.RoundAfter(whole) || s.PublishedAt(r).Sub(at) < 2*s.Period {
			t.Fatalf("round %d for %s, round %d for %s", r, at, s.RoundAfter(whole), whole)
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

// chiSquare compares counts with what was expected of each.
func chiSquare(counts []int, expected func(i int) float64) (x float64) {
	for i, n := range counts {
		d := float64(n) - expected(i)
		x += d * d / expected(i)
	}
	return x
}

func TestTable_DrawsByItsWeights(t *testing.T) {
	t.Parallel()
	table := gods()
	table.Pity = nil
	for i := range table.Drops {
		table.Drops[i].Cap, table.Drops[i].Substitute = 0, ""
	}
	const draws = 200_000
	counts, hash := make([]int, len(table.Drops)), table.Hash()
	for i := range uint64(draws) {
		got := table.Draw(draw.NewWords(randomnessOf(i), burnOf(i), hash), draw.Luck{})
		for j, d := range table.Drops {
			if d.ID == got.Drop.ID {
				counts[j]++
			}
		}
	}
	x := chiSquare(counts, func(i int) float64 { return draws * float64(table.Drops[i].Weight) / 1000 })
	if x > 16.27 { // p = 0.001 with 3 degrees of freedom
		t.Errorf("chi-square is %.2f: %v", x, counts)
	}
}

func TestTable_TheTenthWithoutLuckIsConsoled(t *testing.T) {
	t.Parallel()
	table := gods()
	hash := table.Hash()
	for i := range uint64(3000) {
		words := func() *draw.Words { return draw.NewWords(randomnessOf(i), burnOf(i), hash) }
		if got := table.Draw(words(), draw.Luck{Without: 8}); got.Pitied {
			t.Fatal("the ninth is drawn by the pity rule")
		}
		got := table.Draw(words(), draw.Luck{Without: 9})
		if !got.Pitied || got.Drop.ID != "blade" && got.Drop.ID != "god" {
			t.Fatalf("the tenth is %+v", got)
		}
	}
}

func TestTable_WhatHasRunOutIsSubstituted(t *testing.T) {
	t.Parallel()
	table := gods()
	found, hash := 0, table.Hash()
	for i := range uint64(5000) {
		words := func() *draw.Words { return draw.NewWords(randomnessOf(i), burnOf(i), hash) }
		last := table.Draw(words(), draw.Luck{Drawn: map[string]int64{"god": 2}})
		after := table.Draw(words(), draw.Luck{Drawn: map[string]int64{"god": 3}})
		if last.Drop.ID != "god" {
			if last.Instead || after.Instead || last.Drop.ID != after.Drop.ID {
				t.Fatalf("%+v, then %+v", last, after)
			}
			continue
		}
		found++
		if after.Drop.ID != "blade" || !after.Instead || last.Instead {
			t.Fatalf("the third is %+v, the fourth %+v", last, after)
		}
	}
	if found == 0 {
		t.Fatal("no god was drawn")
	}
}

func TestTable_LuckAdvancesByEachOpening(t *testing.T) {
	t.Parallel()
	table := gods()
	before := draw.Luck{Without: 4, Drawn: map[string]int64{"god": 1}}
	for _, c := range []struct {
		drop    int
		without int64
		gods    int64
	}{{0, 5, 1}, {1, 5, 1}, {2, 0, 1}, {3, 0, 2}} {
		got := table.After(before, draw.Outcome{Drop: table.Drops[c.drop]})
		if got.Without != c.without || got.Drawn["god"] != c.gods || len(got.Drawn) != 1 {
			t.Errorf("after %s: %+v", table.Drops[c.drop].ID, got)
		}
	}
	if before.Without != 4 || before.Drawn["god"] != 1 {
		t.Errorf("the luck before has changed: %+v", before)
	}
	if got := table.After(draw.Luck{}, draw.Outcome{Drop: table.Drops[3]}); got.Drawn["god"] != 1 {
		t.Errorf("the first god is not counted: %+v", got)
	}
	if got := table.After(before, draw.Outcome{Picked: table.Drops[3], Drop: table.Drops[2], Instead: true}); got.Drawn["god"] != 1 {
		t.Errorf("a substitute counts for what has run out: %+v", got)
	}
}

func TestTable_RulesAreChecked(t *testing.T) {
	t.Parallel()
	if err := gods().Validate(); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change func(*draw.Table)
		want   string
	}{
		"no kind":                        {func(t *draw.Table) { t.Kind = "" }, "kind: is missing"},
		"version 0":                      {func(t *draw.Table) { t.Version = 0 }, "version: must be from 1"},
		"no beginning":                   {func(t *draw.Table) { t.From = time.Time{} }, "from: must be"},
		"a beginning within a second":    {func(t *draw.Table) { t.From = t.From.Add(1) }, "from: must be"},
		"weights that do not sum":        {func(t *draw.Table) { t.Total++ }, "total: is 1001, but the weights add up to 1000"},
		"no drops":                       {func(t *draw.Table) { t.Drops, t.Total = nil, 0 }, "total: is 0"},
		"a weight of nothing":            {func(t *draw.Table) { t.Drops[0].Weight, t.Total = 0, 300 }, "drops[0].weight: must be"},
		"a weight below nothing":         {func(t *draw.Table) { t.Drops[0].Weight = -1 }, "drops[0].weight: must be"},
		"a drop twice":                   {func(t *draw.Table) { t.Drops[1].ID = "knife" }, `drops[1].id: "knife" is there twice`},
		"an id that is a number":         {func(t *draw.Table) { t.Drops[1].ID = "7" }, `drops[1].id: "7" is malformed`},
		"an unknown rarity":              {func(t *draw.Table) { t.Drops[1].Rarity = "fine" }, `drops[1].rarity: "fine" is no rarity`},
		"a name with a line break":       {func(t *draw.Table) { t.Drops[1].Name = "Moth\u2028Fang" }, "drops[1].name: is missing or not printable"},
		"a drop that gives nothing":      {func(t *draw.Table) { t.Drops[1].Gives = nil }, "drops[1].gives: is missing"},
		"a token and a currency at once": {func(t *draw.Table) { t.Drops[1].Gives[0].Currency = "fa" }, "drops[1].gives[0]: gives either"},
		"neither":                        {func(t *draw.Table) { t.Drops[1].Gives[0].Collection = "" }, "drops[1].gives[0]: gives either"},
		"two of a new token":             {func(t *draw.Table) { t.Drops[3].Gives[0].Amount = 2 }, "drops[3].gives[0].amount: must be 1"},
		"an amount of nothing":           {func(t *draw.Table) { t.Drops[3].Gives[1].Amount = 0 }, "drops[3].gives[1].amount: must be from 1"},
		"a cap without a substitute":     {func(t *draw.Table) { t.Drops[3].Substitute = "" }, "drops[3].substitute: must be a drop"},
		"an unknown substitute":          {func(t *draw.Table) { t.Drops[3].Substitute = "hat" }, "drops[3].substitute: must be a drop"},
		"a substitute that is capped":    {func(t *draw.Table) { t.Drops[3].Substitute = "god" }, "drops[3].substitute: must be a drop"},
		"a substitute without a cap":     {func(t *draw.Table) { t.Drops[3].Cap = 0 }, "drops[3].substitute: is for capped drops"},
		"a substitute against the pity":  {func(t *draw.Table) { t.Drops[3].Substitute = "fang" }, "drops[3].substitute: must be epic or rarer"},
		"a pity after nothing":           {func(t *draw.Table) { t.Pity.After = 0 }, "pity.after: must be"},
		"a pity that nothing can fulfil": {func(t *draw.Table) { t.Drops, t.Total = t.Drops[:2], 950 }, "pity: no drop is epic or rarer"},
		"a pity of an unknown rarity":    {func(t *draw.Table) { t.Pity.Rarity = "fine" }, `pity.rarity: "fine" is no rarity`},
		"version 1000001":                {func(t *draw.Table) { t.Version = 1_000_001 }, "version: must be from 1"},
		"a beginning before 1970":        {func(t *draw.Table) { t.From = time.Unix(-1, 0) }, "from: must be"},
		"a beginning after 9999":         {func(t *draw.Table) { t.From = time.Unix(253402300800, 0) }, "from: must be"},
		"a pity after 1000001 openings":  {func(t *draw.Table) { t.Pity.After = 1_000_001 }, "pity.after: must be"},
		"a weight above the largest":     {func(t *draw.Table) { t.Drops[0].Weight = 1_000_000_000_001 }, "drops[0].weight: must be"},
		"a cap above the largest":        {func(t *draw.Table) { t.Drops[3].Cap = 1_000_000_000_001 }, "drops[3].cap: must be"},
		"an amount above the largest":    {func(t *draw.Table) { t.Drops[3].Gives[1].Amount = 1_000_000_000_001 }, "drops[3].gives[1].amount: must be"},
		"a token id of 79 digits":        {func(t *draw.Table) { t.Drops[0].Gives[0].Token = strings.Repeat("1", 79) }, "drops[0].gives[0].token: is malformed"},
		"weights that overflow together": {func(t *draw.Table) { t.Drops[0].Weight = math.MaxInt64 }, "drops[0].weight: must be"},
	} {
		table := gods()
		c.change(&table)
		if err := table.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

func TestTable_LimitsAreAllowed(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*draw.Table){
		"version 1000000":               func(t *draw.Table) { t.Version = 1_000_000 },
		"from 1970":                     func(t *draw.Table) { t.From = time.Unix(0, 0) },
		"until 9999":                    func(t *draw.Table) { t.From = time.Unix(253402300799, 0) },
		"a pity after 1000000":          func(t *draw.Table) { t.Pity.After = 1_000_000 },
		"the largest weight":            func(t *draw.Table) { t.Drops[0].Weight, t.Total = 1_000_000_000_000, 1_000_000_000_300 },
		"the largest cap":               func(t *draw.Table) { t.Drops[3].Cap = 1_000_000_000_000 },
		"the largest amount":            func(t *draw.Table) { t.Drops[3].Gives[1].Amount = 1_000_000_000_000 },
		"a token id with all 78 digits": func(t *draw.Table) { t.Drops[0].Gives[0].Token = strings.Repeat("1", 78) },
	} {
		table := gods()
		change(&table)
		if err := table.Validate(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestTable_IDsOfNewTokensAreFrom2To52To2To53(t *testing.T) {
	t.Parallel()
	table := gods()
	low, high := uint64(math.MaxUint64), uint64(0)
	for i := range uint64(300) {
		got := table.Draw(draw.NewWords(randomnessOf(i), burnOf(i), table.Hash()), draw.Luck{Without: 9})
		for _, token := range got.Tokens {
			id, err := strconv.ParseUint(token, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			low, high = min(low, id), max(high, id)
		}
	}
	if low < 4503599627370496 || low > 6000000000000000 || high < 7500000000000000 || high >= 9007199254740992 {
		t.Errorf("the ids are from %d to %d", low, high)
	}
}

func TestTable_ItsHashIsOfTheCanonicalText(t *testing.T) {
	t.Parallel()
	table := gods()
	text := string(table.Canonical())
	const begins = `{"kind":"god","version":2,"from":"2026-01-01T00:00:00Z","total":1000,"pity":{"after":9,"rarity":"epic"},"drops":[{"id":"knife","name":"Ferryman's Knife","rarity":"common","weight":700,"gives":[{"collection":"game-items","token":"5","amount":1}]},`
	if !strings.HasPrefix(text, begins) || !strings.Contains(text, "Meridian <Blade>") {
		t.Errorf("the text is %s", text)
	}
	zoned := table
	zoned.From = table.From.In(time.FixedZone("", 3600))
	if zoned.Hash() != table.Hash() {
		t.Error("the hash depends on the time zone")
	}
	if parsed, err := draw.ParseTable([]byte(text)); err != nil || parsed.Hash() != table.Hash() {
		t.Errorf("the text is not read: %v", err)
	}
	for i := range len(text) {
		changed := text[:i] + string(rune(text[i]^1)) + text[i+1:]
		if other, err := draw.ParseTable([]byte(changed)); err == nil && other.Hash() == table.Hash() {
			t.Errorf("with byte %d changed it has the same hash", i)
		}
	}
	if _, err := draw.ParseTable([]byte(text + " ")); err == nil {
		t.Error("a text with a space is canonical")
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

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var pythonWords = []uint64{
	0x5402a63a9ec15c05, 0xd95a1a954a9f48be, 0x1d18221145384013, 0xd1edf422f5df4f8c, 0xbb33f5ba32bd21f8, 0xbef5ca3edd33928d, 0xe4f10d41fa210a60, 0xa49823b035f12ba9,
}
