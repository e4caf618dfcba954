package draw_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pantheon/internal/portal/draw"
)

// The places of the new token of gods, and of its second variant.
const (
	atToken = "drops[3].gives[0]"
	atHera  = atToken + ".variants[1]"
)

func token(t *draw.Table) *draw.Grant { return &t.Drops[3].Gives[0] }

func hera(t *draw.Table) *draw.Variant { return &token(t).Variants[1] }

// capped limits the copies of a token that the knife and the fang of gods give.
func capped(t *draw.Table, most int64, substitute string) {
	t.Caps = append(t.Caps, draw.Cap{Item: "game-items/5", Most: most})
	t.Drops[0].Substitute = substitute
}

// Spec: DRAW-13
func TestTable_RulesAreChecked(t *testing.T) {
	t.Parallel()
	for _, table := range []draw.Table{gods(), hoard(), destiny(), without(gods()), without(hoard())} {
		if err := table.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct {
		change func(*draw.Table)
		want   string
	}{
		"no kind":                     {func(t *draw.Table) { t.Kind = "" }, "kind: is missing or malformed"},
		"a kind with a blank":         {func(t *draw.Table) { t.Kind = "a god" }, "kind: is missing or malformed"},
		"a kind of 65 characters":     {func(t *draw.Table) { t.Kind = strings.Repeat("a", 65) }, "kind: is missing or malformed"},
		"edition 0":                   {func(t *draw.Table) { t.Edition = 0 }, "edition: must be from 1 to 1000000"},
		"edition -1":                  {func(t *draw.Table) { t.Edition = -1 }, "edition: must be from 1 to 1000000"},
		"edition 1000001":             {func(t *draw.Table) { t.Edition = 1_000_001 }, "edition: must be from 1 to 1000000"},
		"a token with a leading zero": {func(t *draw.Table) { t.Token = "03" }, "token: is no token id"},
		"a token below zero":          {func(t *draw.Table) { t.Token = "-3" }, "token: is no token id"},
		"a token of 79 digits":        {func(t *draw.Table) { t.Token = strings.Repeat("1", 79) }, "token: is no token id"},
		"a token of 2^256": {func(t *draw.Table) {
			t.Token = "115792089237316195423570985008687907853269984665640564039457584007913129639936"
		}, "token: is no token id"},
		"a token with full-width digits": {func(t *draw.Table) { t.Token = "３" }, "token: is no token id"},
		"weights that do not sum":        {func(t *draw.Table) { t.Total++ }, "total: is 1001, but the weights add up to 1000"},
		"no drops":                       {func(t *draw.Table) { t.Drops, t.Total = nil, 0 }, "total: is 0, but the weights add up to 0"},
		"1001 drops": {func(t *draw.Table) {
			t.Drops, t.Total = many(1001), 1001
		}, "drops: has more than 1000 entries"},
		"a pity of the shop":            {func(t *draw.Table) { t.Token = "" }, "pity: is for packs that are burned"},
		"a pity after nothing":          {func(t *draw.Table) { t.Pity.After = 0 }, "pity.after: must be from 1 to 1000000"},
		"a pity after 1000001 openings": {func(t *draw.Table) { t.Pity.After = 1_000_001 }, "pity.after: must be from 1 to 1000000"},
		"a pity that nothing can fulfil": {
			func(t *draw.Table) { t.Drops, t.Total, t.Caps = t.Drops[:2], 950, nil },
			"pity: no drop is epic or rarer",
		},
		"a pity of an unknown rarity": {func(t *draw.Table) { t.Pity.Rarity = "fine" }, `pity.rarity: "fine" is no rarity`},
		"a cap of nothing":            {func(t *draw.Table) { t.Caps[0].Most = 0 }, "caps[0].most: must be from 1 to 10^12"},
		"a cap above the largest": {
			func(t *draw.Table) { t.Caps[0].Most = 1_000_000_000_001 },
			"caps[0].most: must be from 1 to 10^12",
		},
		"a cap of what no drop gives": {
			func(t *draw.Table) { t.Caps[0].Item = "game-items/7" },
			`caps[0].item: no drop gives "game-items/7"`,
		},
		"a cap of a collection's copies": {
			func(t *draw.Table) { t.Caps[0].Item = "game-items" },
			`caps[0].item: no drop gives "game-items"`,
		},
		"a cap of a currency":      {func(t *draw.Table) { t.Caps[0].Item = "fa" }, `caps[0].item: no drop gives "fa"`},
		"a cap of nothing by name": {func(t *draw.Table) { t.Caps[0].Item = "" }, `caps[0].item: no drop gives ""`},
		"a cap twice": {func(t *draw.Table) {
			t.Caps = append(t.Caps, t.Caps[0])
		}, "caps[1].item: must follow the one before in alphabetical order"},
		"caps out of order": {func(t *draw.Table) {
			capped(t, 5, "blade")
			t.Caps[0], t.Caps[1] = t.Caps[1], t.Caps[0]
		}, "caps[1].item: must follow the one before in alphabetical order"},
		"a weight of nothing": {
			func(t *draw.Table) { t.Drops[0].Weight, t.Total = 0, 300 },
			"drops[0].weight: must be from 1 to 10^12",
		},
		"a weight below nothing": {func(t *draw.Table) { t.Drops[0].Weight = -1 }, "drops[0].weight: must be from 1 to 10^12"},
		"a weight above the largest": {
			func(t *draw.Table) { t.Drops[0].Weight = 1_000_000_000_001 },
			"drops[0].weight: must be from 1 to 10^12",
		},
		"weights that overflow together": {
			func(t *draw.Table) { t.Drops[0].Weight = math.MaxInt64 },
			"drops[0].weight: must be from 1 to 10^12",
		},
		"a drop twice":              {func(t *draw.Table) { t.Drops[1].ID = "knife" }, `drops[1].id: "knife" is there twice`},
		"an id that is a number":    {func(t *draw.Table) { t.Drops[1].ID = "7" }, `drops[1].id: "7" is malformed`},
		"an id of 65 characters":    {func(t *draw.Table) { t.Drops[1].ID = strings.Repeat("a", 65) }, "drops[1].id: "},
		"an unknown rarity":         {func(t *draw.Table) { t.Drops[1].Rarity = "fine" }, `drops[1].rarity: "fine" is no rarity`},
		"a rarity in capitals":      {func(t *draw.Table) { t.Drops[1].Rarity = "Rare" }, `drops[1].rarity: "Rare" is no rarity`},
		"a drop that gives nothing": {func(t *draw.Table) { t.Drops[1].Gives = nil }, "drops[1].gives: must have from 1 to 16 parts"},
		"a drop that gives 17 parts": {func(t *draw.Table) {
			for len(t.Drops[1].Gives) < 17 {
				t.Drops[1].Gives = append(t.Drops[1].Gives, fate(1))
			}
		}, "drops[1].gives: must have from 1 to 16 parts"},
		"a token and a currency at once": {func(t *draw.Table) { t.Drops[1].Gives[0].Currency = "fa" }, "drops[1].gives[0]: gives either"},
		"neither":                        {func(t *draw.Table) { t.Drops[1].Gives[0].Collection = "" }, "drops[1].gives[0]: gives either"},
		"a currency's token": {
			func(t *draw.Table) { t.Drops[3].Gives[1].Token = "5" },
			"drops[3].gives[1].token: a currency has no tokens",
		},
		"a malformed collection": {
			func(t *draw.Table) { t.Drops[1].Gives[0].Collection = "Items" },
			"drops[1].gives[0].collection: is malformed",
		},
		"a malformed currency": {
			func(t *draw.Table) { t.Drops[3].Gives[1].Currency = "F" },
			"drops[3].gives[1].currency: is malformed",
		},
		"a token id of 79 digits": {
			func(t *draw.Table) { t.Drops[1].Gives[0].Token = strings.Repeat("1", 79) },
			"drops[1].gives[0].token: is malformed",
		},
		"a token id above 2^256": {func(t *draw.Table) {
			t.Drops[1].Gives[0].Token = strings.Repeat("9", 78)
		}, "drops[1].gives[0].token: is malformed"},
		"an amount of nothing": {
			func(t *draw.Table) { t.Drops[3].Gives[1].Amount = 0 },
			"drops[3].gives[1].amount: must be from 1 to 10^12",
		},
		"an amount above the largest": {
			func(t *draw.Table) { t.Drops[3].Gives[1].Amount = 1e12 + 1 },
			"drops[3].gives[1].amount: must be from 1 to 10^12",
		},
		"two of a new token":  {func(t *draw.Table) { token(t).Amount = 2 }, atToken + ".amount: must be 1 for a new token"},
		"none of a new token": {func(t *draw.Table) { token(t).Amount = 0 }, atToken + ".amount: must be from 1"},
		"a new token without variants": {
			func(t *draw.Table) { token(t).Variants = nil },
			atToken + ".variants: must say what the new token can be",
		},
		"variants of copies": {
			func(t *draw.Table) { token(t).Token, t.Caps = "5", nil },
			atToken + ".variants: are for new tokens",
		},
		"variants of a currency": {
			func(t *draw.Table) { t.Drops[3].Gives[1].Variants = elderGod().Variants },
			"drops[3].gives[1].variants: are for new tokens",
		},
		"a total of copies": {
			func(t *draw.Table) { t.Drops[0].Gives[0].Total = 1 },
			"drops[0].gives[0].variants: are for new tokens",
		},
		"65 variants": {
			func(t *draw.Table) { *token(t) = newToken("elder-gods", variants(65)...) },
			atToken + ".variants: must say",
		},
		"variants that do not sum": {
			func(t *draw.Table) { token(t).Total-- },
			atToken + ".total: is 3, but the variants' weights add up to 4",
		},
		"a variant of no weight":      {func(t *draw.Table) { hera(t).Weight = 0 }, atHera + ".weight: must be"},
		"a variant above the largest": {func(t *draw.Table) { hera(t).Weight = 1e12 + 1 }, atHera + ".weight: must be"},
		"a variant twice": {
			func(t *draw.Table) { hera(t).ID = "zeus" },
			`drops[3].gives[0].variants[1].id: "zeus" is there twice`,
		},
		"a variant with a malformed id": {
			func(t *draw.Table) { hera(t).ID = "Hera" },
			`drops[3].gives[0].variants[1].id: "Hera" is malformed`,
		},
		"a variant without a name":    {func(t *draw.Table) { hera(t).Name = "" }, atHera + ".name: is missing"},
		"a variant of unknown rarity": {func(t *draw.Table) { hera(t).Rarity = "fine" }, `variants[1].rarity: "fine" is no rarity`},
		"a variant below its drop": {func(t *draw.Table) {
			hera(t).Rarity = "legendary"
		}, atHera + ".rarity: must be mythic, as the drop, or rarer"},
		"series 0":       {func(t *draw.Table) { hera(t).Series = 0 }, atHera + ".series: must be from 1 to 899"},
		"series -1":      {func(t *draw.Table) { hera(t).Series = -1 }, atHera + ".series: must be from 1 to 899"},
		"series 900":     {func(t *draw.Table) { hera(t).Series = 900 }, atHera + ".series: must be from 1 to 899"},
		"a series twice": {func(t *draw.Table) { hera(t).Series = 21 }, atHera + ".series: must be from 1 to 899, and another"},
		"a series of two meanings": {func(t *draw.Table) {
			other := elderGod()
			other.Variants[1].Name = "Héra"
			t.Drops[3].Gives = append(t.Drops[3].Gives, other)
		}, `drops[3].gives[2].variants[1].series: 22 of elder-gods is "Hera", mythic, in another part, and what an id means never changes`},
		"a cap without a substitute": {
			func(t *draw.Table) { t.Drops[3].Substitute = "" },
			"drops[3].substitute: must be a drop of the table that gives no capped item",
		},
		"an unknown substitute":  {func(t *draw.Table) { t.Drops[3].Substitute = "hat" }, "drops[3].substitute: must be a drop"},
		"a substitute of itself": {func(t *draw.Table) { t.Drops[3].Substitute = "god" }, "drops[3].substitute: must be a drop"},
		"a substitute that is capped": {
			func(t *draw.Table) { capped(t, 5, "fang"); t.Drops[3].Substitute, t.Pity = "knife", nil },
			"drops[3].substitute: must be a drop",
		},
		"a substitute without a cap": {
			func(t *draw.Table) { t.Caps = nil },
			"drops[3].substitute: is for drops that give a capped item",
		},
		"a substitute of another drop": {
			func(t *draw.Table) { t.Drops[1].Substitute = "knife" },
			"drops[1].substitute: is for drops that give a capped item",
		},
		"a substitute against the pity": {
			func(t *draw.Table) { t.Drops[3].Substitute = "fang" },
			"drops[3].substitute: must be epic or rarer, for the pity's sake",
		},
	} {
		table := gods()
		c.change(&table)
		if err := table.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// many returns drops of weight 1.
func many(n int) (drops []draw.Drop) {
	for i := range n {
		drops = append(drops, draw.Drop{ID: fmt.Sprint("d", i), Name: "D", Rarity: "epic", Weight: 1, Gives: []draw.Grant{fate(1)}})
	}
	return drops
}

// variants returns variants of weight 1, with the series from 1 on.
func variants(n int) (all []draw.Variant) {
	for i := range n {
		all = append(all, draw.Variant{ID: fmt.Sprint("v", i), Name: "V", Rarity: "mythic", Weight: 1, Series: int64(i) + 1})
	}
	return all
}

func TestTable_LimitsAreAllowed(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*draw.Table){
		"a kind of 64 characters": func(t *draw.Table) { t.Kind = strings.Repeat("a", 64) },
		"edition 1000000":         func(t *draw.Table) { t.Edition = 1_000_000 },
		"token 0":                 func(t *draw.Table) { t.Token = "0" },
		"token 2^256 - 1": func(t *draw.Table) {
			t.Token = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
		},
		"1000 drops": func(t *draw.Table) { t.Drops, t.Total, t.Caps = many(1000), 1000, nil },
		"a pity after 1 and 1000000": func(t *draw.Table) {
			t.Pity.After = 1_000_000
		},
		"a pity of anything":  func(t *draw.Table) { t.Pity.After, t.Pity.Rarity = 1, "common" },
		"the largest cap":     func(t *draw.Table) { t.Caps[0].Most = 1_000_000_000_000 },
		"the largest weight":  func(t *draw.Table) { t.Drops[0].Weight, t.Total = 1_000_000_000_000, 1_000_000_000_300 },
		"a drop of 16 parts":  func(t *draw.Table) { t.Drops[1].Gives = slicesOf(16, fate(1)) },
		"the largest amounts": func(t *draw.Table) { t.Drops[3].Gives[1].Amount, t.Drops[0].Gives[0].Amount = 1e12, 1e12 },
		"copies of the largest token": func(t *draw.Table) {
			t.Drops[0].Gives[0].Token = gods().Token
			t.Drops[1].Gives[0].Token = hoard().Token
		},
		"a new token of 64 variants": func(t *draw.Table) { *token(t) = newToken("elder-gods", variants(64)...) },
		"the largest variant":        func(t *draw.Table) { g := token(t); g.Variants[0].Weight, g.Total = 1e12, 1e12+3 },
		"series 1 and 899":           func(t *draw.Table) { v := token(t).Variants; v[0].Series, v[1].Series = 1, 899 },
		"a series in two collections": func(t *draw.Table) {
			g := elderGod()
			g.Collection, g.Variants[1].Name = "titans", "Themis"
			t.Drops[3].Gives = append(t.Drops[3].Gives, g)
		},
		"a series in two parts": func(t *draw.Table) {
			g := elderGod()
			g.Variants, g.Total = g.Variants[1:], 3
			t.Drops[3].Gives = append(t.Drops[3].Gives, g)
		},
		"a variant above its drop":     func(t *draw.Table) { t.Drops[3].Rarity = "epic" },
		"two capped items":             func(t *draw.Table) { capped(t, 5, "fang") },
		"a rare substitute of a knife": func(t *draw.Table) { capped(t, 5, "blade") },
	} {
		table := gods()
		change(&table)
		if err := table.Validate(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func slicesOf[T any](n int, one T) (all []T) {
	for range n {
		all = append(all, one)
	}
	return all
}

// Implementations of Unicode differ in what can be printed, so names have letters of Latin and common punctuation only.
func TestTable_NamesHaveLettersOfLatinAndPunctuation(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"A": true, "~": true, `"\/<>&'`: true, "Fate’s thread — ½ “Möira”…": true, "¡\u024f\u2010\u2027": true, "a  b": true, "a\u00adb": true,
		strings.Repeat("a", 200): true, strings.Repeat("ö", 200): true, strings.Repeat("…", 200): true,
		"": false, " ": false, " a": false, "a ": false, strings.Repeat("a", 201): false, strings.Repeat("ö", 201): false,
		"a\tb": false, "a\nb": false, "a\x00b": false, "a\x1fb": false, "a\x7fb": false, "a\u0080b": false, "a\u009fb": false, "a\u00a0b": false,
		"a\u0250b": false, "a\u0301b": false, "a\u200bb": false, "a\u200db": false, "a\u200fb": false, "a\u2028b": false, "a\u2029b": false,
		"a\u202eb": false, "a\u2060b": false, "a\ufeffb": false, "a\ufffdb": false, "Ὅμηρος": false, "аватар": false, "頭": false, "\u1e9e": false,
		"\ua7db": false, "\uff21": false, "😀": false, "\U00010d4a": false, "a\xffb": false, "a\xed\xa0\x80b": false,
	} {
		for what, set := range map[string]func(*draw.Table){
			"drops[3].name":  func(t *draw.Table) { t.Drops[3].Name = name },
			atHera + ".name": func(t *draw.Table) { hera(t).Name = name },
		} {
			table := gods()
			set(&table)
			err := table.Validate()
			want := "god 2: " + what + ": is missing, too long, or has characters that names cannot have"
			if (err == nil) != ok || err != nil && err.Error() != want {
				t.Errorf("%s is %q: %v", what, name, err)
			}
		}
	}
}

// A table that breaks several rules has them all in its error.
func TestTable_EveryFaultIsReported(t *testing.T) {
	t.Parallel()
	table := gods()
	table.Edition, table.Pity.After, table.Drops[0].Weight, table.Drops[3].Gives[0].Variants[0].Series = 0, 0, 0, 0
	const want = `god 0: edition: must be from 1 to 1000000
god 0: pity.after: must be from 1 to 1000000
god 0: drops[0].weight: must be from 1 to 10^12
god 0: drops[3].gives[0].variants[0].series: must be from 1 to 899, and another one for each variant
god 0: total: is 1000, but the weights add up to 300`
	if err := table.Validate(); err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// Items of caps are looked up: a receipt can have thousands. Not parallel, because allocations are counted.
func TestTable_ManyCapsAreCheckedSoon(t *testing.T) {
	table := draw.Table{Kind: "k", Edition: 1, Token: "1", Total: 626}
	for i := range 625 {
		d := draw.Drop{ID: fmt.Sprint("d", i), Name: "D", Rarity: "common", Weight: 1, Substitute: "z"}
		for j := range 16 {
			item := fmt.Sprint(10000 + 16*i + j)
			d.Gives = append(d.Gives, copies(item, 1))
			table.Caps = append(table.Caps, draw.Cap{Item: "game-items/" + item, Most: 1})
		}
		table.Drops = append(table.Drops, d)
	}
	table.Drops = append(table.Drops, draw.Drop{ID: "z", Name: "Z", Rarity: "common", Weight: 1, Gives: []draw.Grant{fate(1)}})
	if err := table.Validate(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1, func() { _ = table.Validate() }); n > 200_000 { // some 10^8 if each were compared with each
		t.Errorf("%.0f allocations", n)
	}
}

func TestTable_ItsHashIsOfTheCanonicalText(t *testing.T) {
	t.Parallel()
	for want, table := range map[string]draw.Table{ // by Python's hashlib
		"db15c1acceaf038d3873bbe82f7d78f34bf551d937b519ea400b284be9d01eb2": gods(),
		"e4e29cf95388fc5877e67fc7c8eb55abbf1f37724b6be4ad022b1a90c7a1b45a": hoard(),
		"8242ff1d0c26616fb0f125feeaadc2b279ecf3b7898ddb538d53476c0edf39f3": destiny(),
	} {
		text := string(table.Canonical())
		if got := fmt.Sprintf("%x", table.Hash()); got != want {
			t.Errorf("the hash of %s is %s", text, got)
		}
		if parsed, err := draw.ParseTable([]byte(text)); err != nil || parsed.Hash() != table.Hash() {
			t.Errorf("the text is not read: %v", err)
		}
		for i := range len(text) {
			if testing.Short() && i%5 > 0 {
				continue
			}
			changed := text[:i] + string(rune(text[i]^1)) + text[i+1:]
			if other, err := draw.ParseTable([]byte(changed)); err == nil && other.Hash() == table.Hash() {
				t.Errorf("with byte %d changed it has the same hash", i)
			}
		}
	}
	const text = `{"kind":"god","edition":2,"token":"3","total":1000,"pity":{"after":9,"rarity":"epic"},` +
		`"caps":[{"item":"elder-gods","most":3}],"drops":[` +
		`{"id":"knife","name":"Ferryman's Knife","rarity":"common","weight":700,"gives":[{"collection":"game-items","token":"5","amount":1}]},` +
		`{"id":"fang","name":"Moth Fang","rarity":"rare","weight":250,"gives":[{"collection":"game-items","token":"6","amount":1}]},` +
		`{"id":"blade","name":"Meridian <Blade>","rarity":"epic","weight":45,"gives":[{"collection":"game-items","token":"3","amount":1}]},` +
		`{"id":"god","name":"An Elder God","rarity":"mythic","weight":5,"gives":[{"collection":"elder-gods","amount":1,"total":4,"variants":[` +
		`{"id":"zeus","name":"Zeus","rarity":"mythic","weight":1,"series":21},` +
		`{"id":"hera","name":"Hera","rarity":"mythic","weight":3,"series":22}]},` +
		`{"currency":"fa","amount":50}],"substitute":"blade"}]}`
	if got := string(gods().Canonical()); got != text {
		t.Errorf("the text is\n%s, want\n%s", got, text)
	}
}

func TestTable_OnlyTheCanonicalTextIsRead(t *testing.T) {
	t.Parallel()
	text := string(gods().Canonical())
	for what, c := range map[string]struct{ before, after string }{
		"a blank at the end":       {`}]}`, `}]} `},
		"a blank inside":           {`"edition":2`, `"edition": 2`},
		"another number":           {`"edition":2`, `"edition":2.0`},
		"a field twice":            {`"edition":2`, `"edition":2,"edition":2`},
		"an unknown field":         {`"edition":2`, `"edition":2,"version":2`},
		"a field in capitals":      {`"edition":2`, `"Edition":2`},
		"fields in another order":  {`"kind":"god","edition":2`, `"edition":2,"kind":"god"`},
		"an escaped letter":        {`"kind":"god"`, `"kind":"\u0067od"`},
		"an escaped bracket":       {`<Blade>`, `\u003cBlade\u003e`},
		"an optional field empty":  {`"edition":2`, `"edition":2,"token":""`},
		"an optional field null":   {`"token":"3"`, `"token":null`},
		"an empty list of caps":    {`[{"item":"elder-gods","most":3}]`, `[]`},
		"a substitute of nothing":  {`"amount":1}]},{"id":"fang"`, `"amount":1}],"substitute":""},{"id":"fang"`},
		"variants of copies":       {`"token":"5","amount":1`, `"token":"5","amount":1,"variants":[]`},
		"a total of a currency":    {`"amount":50`, `"amount":50,"total":0`},
		"an empty token's variant": {`"elder-gods","amount"`, `"elder-gods","token":"","amount"`},
		"nothing":                  {text, ``},
		"nothing for a table":      {text, `null`},
		"a second one":             {text, text + text},
	} {
		if strings.Count(text, c.before) < 1 {
			t.Fatalf("%q is not in the text", c.before)
		}
		changed := strings.Replace(text, c.before, c.after, 1)
		if i := strings.LastIndex(text, c.before); what == "a blank at the end" {
			changed = text[:i] + c.after
		}
		if _, err := draw.ParseTable([]byte(changed)); err == nil {
			t.Errorf("%s: %s is read", what, changed)
		}
	}
}

// Receipts have what their table counts and nothing else.
func TestTable_LuckOfHasWhatTheTableCounts(t *testing.T) {
	t.Parallel()
	before := draw.Luck{Without: 12, Given: map[string]int64{"elder-gods": 2, "avatars": 3}}
	for want, table := range map[string]draw.Table{
		"{9 map[elder-gods:2]}":             gods(),
		"{0 map[avatars:3 game-items/5:0]}": hoard(), "{0 map[game-items/43:0]}": destiny(), "{0 map[]}": without(gods()),
	} {
		if got := fmt.Sprint(table.LuckOf(before)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fmt.Sprint(gods().LuckOf(draw.Luck{Without: 4})); got != "{4 map[elder-gods:0]}" {
		t.Errorf("of 4 without luck: %s", got)
	}
}

func TestTable_ConsolesByThePitysRarityOrARarerOne(t *testing.T) {
	t.Parallel()
	for i, want := range []bool{false, false, true, true} {
		if got := gods().Consoles(gods().Drops[i]); got != want {
			t.Errorf("%s: %t", gods().Drops[i].ID, got)
		}
	}
	if hoard().Consoles(gods().Drops[3]) {
		t.Error("without a pity rule")
	}
}
