package draw_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
)

func mustParse(t testing.TB, text string) *draw.Tables {
	t.Helper()
	tables, err := draw.ParseTables(section.Text("odds.yaml", text), anything)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// anything lets drops give everything.
func anything(draw.Grant) error { return nil }

// avatars is one edition of a small table, on one line; without a token if it is "".
func avatars(edition int, token string) string {
	if token != "" {
		token = fmt.Sprintf(" token: %q,", token)
	}
	return fmt.Sprintf("  - {kind: avatar, edition: %d,%s total: 1, drops: [{id: avatar, name: An avatar, rarity: common, weight: 1, gives: ["+
		"{collection: avatars, amount: 1, total: 1, variants: [{id: one, name: One, rarity: common, weight: 1, series: 11}]}]}]}\n", edition,
		token)
}

// with is a text in which each second text takes the place of the one before.
func with(text string, changes ...string) string {
	return strings.NewReplacer(changes...).Replace(text)
}

func TestTables_TheBuiltInOnesAreThoseOfThePacks(t *testing.T) {
	t.Parallel()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, anything)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range tables.All() {
		got = append(got, fmt.Sprint(table.Kind, " ", table.Edition, " ", table.Token))
	}
	if want := "general 1 1, avatar 1 2, god 1 3, destiny-bronze 1 , destiny-silver 1 , destiny-gold 1 "; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

func TestTables_AreFoundByKindEditionAndToken(t *testing.T) {
	t.Parallel()
	shop := strings.ReplaceAll(avatars(1, ""), "kind: avatar", "kind: shop")
	tables := mustParse(t, "tables:\n"+avatars(1, "7")+shop+avatars(2, "9"))
	name := func(table draw.Table, ok bool) string { return fmt.Sprint(table.Kind, " ", table.Edition, " ", ok) }
	for want, got := range map[string]string{
		"avatar 1 true": name(tables.Edition("avatar", 1)), "avatar 2 true": name(tables.Edition("avatar", 2)),
		"shop 1 true": name(tables.Edition("shop", 1)), " 0 false": name(tables.Edition("avatar", 3)),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for token, want := range map[string]string{"7": "avatar 1 true", "9": "avatar 2 true", "8": " 0 false", "": " 0 false"} {
		if got := name(tables.OfToken(token)); got != want {
			t.Errorf("of the token %q: %s, want %s", token, got, want)
		}
	}
	var editions []int
	for _, table := range tables.Editions("avatar") {
		editions = append(editions, table.Edition)
	}
	if fmt.Sprint(editions) != "[2 1]" || len(tables.Editions("hat")) > 0 || len(tables.All()) != 3 {
		t.Errorf("the editions are %v", editions)
	}
	if again := draw.TablesOf(tables.All()); len(again.All()) != 3 || again.Follows(tables) != nil {
		t.Error("the same tables without their file differ")
	}
	tables.All()[0].Kind = "hat"
	if tables.All()[0].Kind != "avatar" {
		t.Error("the caller can change the tables")
	}
}

func TestTables_MalformedOnesAreRefusedByLineTableAndField(t *testing.T) {
	t.Parallel()
	const table = `tables:
  - kind: hat
    edition: 1
    token: "7"
    total: 3
    pity: {after: 4, rarity: rare}
    caps:
      - item: game-items/1
        most: 5
    drops:
      - {id: straw, name: A straw hat, rarity: common, weight: 1, gives: [{currency: fa, amount: 1}]}
      - id: felt
        name: A felt hat
        rarity: rare
        weight: 1
        gives: &felt
          - {collection: game-items, token: "6", amount: 1}
          - collection: game-items
            token: "2"
            amount: 1
          - collection: hats
            amount: 1
            total: 3
            variants:
              - {id: red, name: A red hat, rarity: rare, weight: 1, series: 1}
              - id: blue
                name: A blue hat
                rarity: epic
                weight: 2
                series: 2
      - {id: silk, name: A silk hat, rarity: rare, weight: 1, substitute: felt, gives: [{collection: game-items, token: "1", amount: 1}]}
`
	change := func(before, after string) string {
		if strings.Count(table, before) != 1 {
			t.Fatalf("%q is not once in the table", before)
		}
		return strings.Replace(table, before, after, 1)
	}
	mustParse(t, table)
	aliased := change("gives: [{collection: game-items, token: \"1\", amount: 1}]", "gives: *felt")
	aliased = with(aliased, "game-items/1", "hats", "weight: 1, substitute: felt", "weight: 1, substitute: straw")
	check := func(g draw.Grant) error {
		if g.Token == "99" {
			return errors.New("there is no such item")
		}
		return nil
	}
	for what, c := range map[string]struct{ text, want string }{
		"nothing":        {"tables: []\n", "odds.yaml:1: tables: there is none"},
		"no YAML":        {"tables: [", "odds.yaml:1: "},
		"an empty table": {"tables: [{}]\n", "odds.yaml:1:  0: kind: is missing"},
		"an unknown field": {
			change("        weight: 1\n", "        wait: 1\n"),
			"odds.yaml:15: tables[0].drops[1].wait: there is no such field",
		},
		"a version": {change("edition: 1", "version: 1"), "odds.yaml:3: tables[0].version: there is no such field"},
		"a number that is none": {
			change("        weight: 1\n", "        weight: many\n"),
			"odds.yaml:15: tables[0].drops[1].weight: must be a whole number",
		},
		"a cap that is no list": {
			change("      - item: game-items/1\n        most: 5\n", "      item: x\n"),
			"odds.yaml:8: tables[0].caps: must be a list",
		},
		"weights that do not sum": {
			change("    total: 3\n    pity", "    total: 4\n    pity"),
			"odds.yaml:5: hat 1: total: is 4, but the weights add up to 3",
		},
		"no total":           {change("    total: 3\n    pity", "    pity"), "odds.yaml:2: hat 1: total: is 0"},
		"an edition of zero": {change("edition: 1", "edition: 0"), "odds.yaml:3: hat 0: edition: must be from 1 to 1000000"},
		"a malformed token":  {change(`token: "7"`, `token: "07"`), "odds.yaml:4: hat 1: token: is no token id"},
		"an unknown rarity": {
			change("        rarity: rare\n", "        rarity: shiny\n"),
			`odds.yaml:14: hat 1: drops[1].rarity: "shiny" is no rarity`,
		},
		"an unknown rarity of the pity": {
			change("4, rarity: rare", "4, rarity: shiny"),
			`odds.yaml:6: hat 1: pity.rarity: "shiny" is no rarity`,
		},
		"a rule of the pity": {change("after: 4", "after: 0"), "odds.yaml:6: hat 1: pity.after: must be from 1"},
		"a pity of the shop": {change(`    token: "7"`+"\n", ""), "odds.yaml:5: hat 1: pity: is for packs that are burned"},
		"a cap of nothing":   {change("most: 5", "most: 0"), "odds.yaml:9: hat 1: caps[0].most: must be from 1 to 10^12"},
		"a cap of what no drop gives": {
			change("game-items/1", "game-items/3"),
			`odds.yaml:8: hat 1: caps[0].item: no drop gives "game-items/3"`,
		},
		"an unknown item": {change(`"2"`, `"99"`), "odds.yaml:18: hat 1: drops[1].gives[1]: there is no such item"},
		"an amount of nothing": {
			change("            amount: 1\n          - coll", "            amount: 0\n          - coll"),
			"odds.yaml:20: hat 1: drops[1].gives[1].amount: must be from 1",
		},
		"the same by an alias": {
			strings.Replace(aliased, "            amount: 1\n          - coll", "            amount: 0\n          - coll", 1),
			"odds.yaml:20: hat 1: drops[2].gives[1].amount: must be from 1",
		},
		"a variant below its drop": {
			change("                rarity: epic\n", "                rarity: common\n"),
			"odds.yaml:28: hat 1: drops[1].gives[2].variants[1].rarity: must be rare",
		},
		"variants that do not sum": {
			change("            total: 3", "            total: 2"),
			"odds.yaml:23: hat 1: drops[1].gives[2].total: is 2, but the variants' weights add up to 3",
		},
		"a series too large": {
			change("series: 2", "series: 900"),
			"odds.yaml:30: hat 1: drops[1].gives[2].variants[1].series: must be from 1 to 899",
		},
		"a variant's malformed name": {
			change("A blue hat", `"\u200b"`),
			"odds.yaml:27: hat 1: drops[1].gives[2].variants[1].name: is missing, too long",
		},
		"an unknown substitute": {
			change("substitute: felt", "substitute: fur"),
			"odds.yaml:31: hat 1: drops[2].substitute: must be a drop",
		},
		"a drop twice": {change("id: silk", "id: straw"), `odds.yaml:31: hat 1: drops[2].id: "straw" is there twice`},
	} {
		if _, err := draw.ParseTables(section.Text("odds.yaml", c.text), check); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// Every fault of every table is reported.
func TestTables_AllFaultsAreReported(t *testing.T) {
	t.Parallel()
	text := "tables:\n" + with(avatars(1, "7"), "total: 1, drops", "total: 2, drops") + with(avatars(3, "7"), "series: 11", "series: 0")
	const want = `odds.yaml:2: avatar 1: total: is 2, but the weights add up to 1
odds.yaml:3: avatar 3: drops[0].gives[0].variants[0].series: must be from 1 to 899, and another one for each variant
odds.yaml:3: avatar 3: token: is that of avatar, edition 1: a pack has one table for ever
odds.yaml:3: avatar 3: edition: must be 2`
	if _, err := draw.ParseTables(section.Text("odds.yaml", text), anything); err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// relic is an edition of a kind whose drops give a relic and something else, and that may cap it.
func relic(kind string, edition int, token, caps string) string {
	substitute := ""
	if caps != "" {
		caps, substitute = " caps: ["+caps+"],", " substitute: fate,"
	}
	return fmt.Sprintf("  - {kind: %s, edition: %d, token: %q, total: 2,%s drops: ["+
		"{id: relic, name: A relic, rarity: epic, weight: 1,%s gives: [{collection: items, token: \"5\", amount: 2}]}, "+
		"{id: fate, name: Fate, rarity: epic, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n",
		kind, edition, token, caps, substitute)
}

// Spec: DRAW-14
func TestTables_AgreeWithOneAnother(t *testing.T) {
	t.Parallel()
	of := func(most int) string { return fmt.Sprintf("{item: items/5, most: %d}", most) }
	hat := func(edition int, token string) string {
		return strings.Replace(avatars(edition, token), "kind: avatar", "kind: hat", 1)
	}
	first := avatars(1, "7")
	for what, c := range map[string]struct{ text, want string }{
		"two editions":                     {first + avatars(2, "8"), ""},
		"two kinds, mixed":                 {first + hat(1, "9") + avatars(2, "8"), ""},
		"an edition twice":                 {first + avatars(1, "8"), "odds.yaml:3: avatar 1: edition: must be 2"},
		"an edition left out":              {first + avatars(3, "8"), "odds.yaml:3: avatar 3: edition: must be 2"},
		"a first edition that is the next": {avatars(2, "7"), "odds.yaml:2: avatar 2: edition: must be 1"},
		"editions the other way round":     {avatars(2, "8") + first, "odds.yaml:2: avatar 2: edition: must be 1"},
		"a token twice": {
			first + avatars(2, "7"), "odds.yaml:3: avatar 2: token: is that of avatar, edition 1: a pack has one table for ever",
		},
		"a token of two kinds": {
			first + hat(1, "7"), "odds.yaml:3: hat 1: token: is that of avatar, edition 1: a pack has one table for ever",
		},
		"two shop kinds":              {avatars(1, "") + hat(1, ""), ""},
		"two editions of a shop kind": {avatars(1, "") + avatars(2, ""), ""},
		"an edition without a token": {
			first + avatars(2, ""), "odds.yaml:3: avatar 2: token: either all editions of a kind have a token, or none",
		},
		"an edition with a token": {
			avatars(1, "") + avatars(2, "7"), "odds.yaml:3: avatar 2: token: either all editions of a kind have a token, or none",
		},
		"a series with another name": {
			first + strings.Replace(hat(1, "9"), "name: One", "name: Two", 1),
			`odds.yaml:3: hat 1: drops[0].gives[0].variants[0].series: 11 of avatars is "One", common, in avatar 1, and what an id means ` +
				`never changes`,
		},
		"a series with another variant": {
			first + strings.Replace(avatars(2, "8"), "id: one", "id: two", 1),
			`odds.yaml:3: avatar 2: drops[0].gives[0].variants[0].series: 11 of avatars is "One", common, in avatar 1`,
		},
		"a series with another rarity": {
			first + strings.Replace(hat(1, ""), "rarity: common, weight: 1, series", "rarity: rare, weight: 1, series", 1),
			`odds.yaml:3: hat 1: drops[0].gives[0].variants[0].series: 11 of avatars is "One", common, in avatar 1`,
		},
		"a series with another weight": {
			first + with(hat(1, "9"), "weight: 1, series", "weight: 2, series", "total: 1, variants", "total: 2, variants"), "",
		},
		"the series of another collection": {
			first + with(hat(1, "9"), "name: One", "name: Two", "collection: avatars", "collection: hats"), "",
		},
		"another series": {
			first + with(hat(1, "9"), "name: One", "name: Two", "series: 11", "series: 12"), "",
		},

		"a cap":                  {relic("hat", 1, "1", of(5)), ""},
		"the same cap again":     {relic("hat", 1, "1", of(5)) + relic("hat", 2, "2", of(5)), ""},
		"a cap that shrinks":     {relic("hat", 1, "1", of(5)) + relic("hat", 2, "2", of(4)), ""},
		"a cap that comes later": {relic("hat", 1, "1", "") + relic("hat", 2, "2", of(4)), ""},
		"a cap that grows": {
			relic("hat", 1, "1", of(5)) + relic("hat", 2, "2", of(6)), "odds.yaml:3: hat 2: caps[0].most: is more than the 5 of edition 1",
		},
		"a cap that shrinks and grows again": {
			relic("hat", 1, "1", of(5)) + relic("hat", 2, "2", of(4)) + relic("hat", 3, "3", of(5)),
			"odds.yaml:4: hat 3: caps[0].most: is more than the 4 of edition 2",
		},
		"a cap that goes": {
			relic("hat", 1, "1", of(5)) + relic("hat", 2, "2", ""), "odds.yaml:3: hat 2: caps: lack items/5, which edition 1 limits to 5",
		},
		"an edition between that gives none": {
			relic("hat", 1, "1", of(5)) + hat(2, "2") + relic("hat", 3, "3", of(6)),
			"odds.yaml:4: hat 3: caps[0].most: is more than the 5 of edition 1",
		},
		"an edition that gives none of it": {relic("hat", 1, "1", of(5)) + hat(2, "2"), ""},
		"a capped item of another kind": {
			relic("hat", 1, "1", of(5)) + relic("cap", 1, "2", ""),
			"odds.yaml:3: cap 1: drops: give items/5, of which hat has a limited number: no other kind can",
		},
		"a capped item that another kind gave": {
			relic("cap", 1, "2", "") + relic("hat", 1, "1", of(5)),
			"odds.yaml:3: hat 1: caps[0].item: is given by cap too: only one kind can give what is limited",
		},
		"a cap of two kinds": {
			relic("hat", 1, "1", of(5)) + relic("cap", 1, "2", of(5)),
			"odds.yaml:3: cap 1: drops: give items/5, of which hat has a limited number: no other kind can",
		},
		"uncapped of two kinds": {relic("hat", 1, "1", "") + relic("cap", 1, "2", ""), ""},
	} {
		_, err := draw.ParseTables(section.Text("odds.yaml", "tables:\n"+c.text), anything)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	// The same of tables that are from nowhere.
	one := mustParse(t, "tables:\n"+relic("hat", 1, "1", of(5))).All()
	more := mustParse(t, "tables:\n"+relic("hat", 1, "1", of(6))).All()
	more[0].Edition, more[0].Token = 2, "2"
	const want = "hat 2: caps[0].most: is more than the 5 of edition 1"
	if err := draw.TablesOf(append(one, more...)).Agree(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := draw.TablesOf(one).Agree(); err != nil {
		t.Error(err)
	}
}

func TestTables_WhatWasKnownStays(t *testing.T) {
	t.Parallel()
	first, second := avatars(1, "7"), avatars(2, "8")
	before := mustParse(t, "tables:\n"+first)
	for what, c := range map[string]struct{ text, want string }{
		"the same":                {first, ""},
		"a new edition":           {first + second, ""},
		"the first of a new kind": {first + strings.Replace(avatars(1, "9"), "kind: avatar", "kind: destiny", 1), ""},
		"a changed edition": {
			strings.Replace(first, "An avatar", "An Avatar", 1),
			"odds.yaml:2: avatar 1: edition: was known with another table, and an edition never changes; add an edition",
		},
		"a changed token": {
			avatars(1, "9"), "odds.yaml:2: avatar 1: edition: was known with another table, and an edition never changes; add an edition",
		},
		"an edition that is gone": {
			strings.Replace(first, "kind: avatar", "kind: general", 1), "odds.yaml:2: avatar 1: an edition that was known cannot go",
		},
	} {
		err := mustParse(t, "tables:\n"+c.text).Follows(before)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	after := draw.TablesOf(mustParse(t, "tables:\n"+strings.Replace(first, "An avatar", "An Avatar", 1)+second).All())
	const changed = "avatar 1: edition: was known with another table, and an edition never changes; add an edition"
	if err := after.Follows(before); err == nil || err.Error() != changed {
		t.Errorf("without a file: %v, want %s", err, changed)
	}
	const gone = "avatar 2: an edition that was known cannot go"
	if err := draw.TablesOf(before.All()).Follows(mustParse(t, "tables:\n"+first+second)); err == nil || err.Error() != gone {
		t.Errorf("without a file: %v, want %s", err, gone)
	}
}

// TestTables_AMillionDrawsAreAsPromised opens a million packs of each kind, pity included, and compares what is drawn with
// what the table promises.
// Spec: DRAW-1
func TestTables_AMillionDrawsAreAsPromised(t *testing.T) {
	t.Parallel()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, anything)
	if err != nil {
		t.Fatal(err)
	}
	draws := uint64(1_000_000)
	if testing.Short() {
		draws = 100_000
	}
	for _, table := range tables.All() {
		t.Run(table.Kind, func(t *testing.T) {
			t.Parallel()
			hash := table.Hash()
			free, pitied := map[string]int{}, map[string]int{}
			variants := map[string]map[string]int{} // by drop and part
			var byPity int64
			var before draw.Luck
			for i := range draws {
				got := table.Draw(draw.NewWords(randomnessOf(i/50), burnOf(i), hash), before) // 50 openings a round
				if got.Pitied {
					byPity++
					pitied[got.Picked.ID]++
				} else {
					free[got.Picked.ID]++
				}
				for j, token := range got.Tokens {
					part := fmt.Sprint(got.Drop.ID, " ", j)
					if variants[part] == nil {
						variants[part] = map[string]int{}
					}
					variants[part][token.Variant.ID]++
				}
				if before.Without++; table.Consoles(got.Drop) {
					before.Without = 0
				}
				if table.Pity != nil && before.Without > int64(table.Pity.After) {
					t.Fatalf("%d openings in a row without %s", before.Without, table.Pity.Rarity)
				}
			}
			asPromised(t, "drawn freely", weights(table.Drops, func(d draw.Drop) (string, int64) { return d.ID, d.Weight }), free)
			if table.Pity != nil {
				asPromised(t, "drawn by the pity rule", weights(table.Drops, func(d draw.Drop) (string, int64) {
					if !table.Consoles(d) {
						return d.ID, 0
					}
					return d.ID, d.Weight
				}), pitied)
			}
			for _, d := range table.Drops {
				n := 0
				for _, g := range d.Gives {
					if len(g.Variants) > 0 {
						part := fmt.Sprint(d.ID, " ", n)
						n++
						asPromised(t, part, weights(g.Variants, func(v draw.Variant) (string, int64) { return v.ID, v.Weight }), variants[part])
					}
				}
			}
		})
	}
}

// weights returns the weights of several by their ids.
func weights[T any](of []T, each func(T) (id string, weight int64)) map[string]int64 {
	all := map[string]int64{}
	for _, one := range of {
		id, weight := each(one)
		all[id] = weight
	}
	return all
}

// asPromised compares counts with weights by chi-square at p = 0.001. What has no weight must not be drawn.
func asPromised(t *testing.T, what string, weights map[string]int64, counts map[string]int) {
	t.Helper()
	sum, draws, x, degrees := int64(0), 0, 0.0, -1.0
	for id, weight := range weights {
		sum += weight
		draws += counts[id]
	}
	for id, weight := range weights {
		if weight == 0 && counts[id] > 0 {
			t.Errorf("%s: %s is not eligible", what, id)
		}
		if weight > 0 {
			expected := float64(draws) * float64(weight) / float64(sum)
			x += (float64(counts[id]) - expected) * (float64(counts[id]) - expected) / expected
			degrees++
		}
	}
	if draws == 0 {
		t.Errorf("%s: nothing is drawn", what)
	}
	if degrees > 0 && x > chiSquareLimit(degrees) {
		t.Errorf("%s: chi-square of %d draws is %.1f, at most %.1f", what, draws, x, chiSquareLimit(degrees))
	}
}
