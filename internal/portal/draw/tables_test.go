package draw_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/draw"
)

func mustParse(t testing.TB, text string) *draw.Tables {
	t.Helper()
	tables, err := draw.ParseTables("odds.yaml", []byte(text), anything)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// anything lets drops give everything.
func anything(draw.Grant) error { return nil }

// avatars is one version of a small table.
func avatars(version, from string) string {
	return "  - {kind: avatar, version: " + version + ", from: " + from + ", total: 1, drops: [{id: avatar, name: An avatar, rarity: common, weight: 1, gives: [{collection: avatars, amount: 1}]}]}\n"
}

func TestTables_TheBuiltInOnesAreThoseOfThePacks(t *testing.T) {
	t.Parallel()
	tables, err := draw.BuiltIn(anything)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range tables.All() {
		got = append(got, table.Kind)
	}
	if strings.Join(got, " ") != "general avatar god destiny-bronze destiny-silver destiny-gold" {
		t.Errorf("%v", got)
	}
}

func TestTables_AtReturnsTheVersionInForce(t *testing.T) {
	t.Parallel()
	tables := mustParse(t, "tables:\n"+avatars("1", "2026-01-01T00:00:00Z")+avatars("2", "2026-03-01T00:00:00Z"))
	march := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]int{begin.Add(-time.Second): 0, begin: 1, march.Add(-time.Nanosecond): 1, march: 2, march.Add(time.Hour): 2} {
		if got, ok := tables.At("avatar", at); got.Version != want || ok != (want > 0) {
			t.Errorf("%s: version %d, want %d", at, got.Version, want)
		}
	}
	if next, ok := tables.Next("avatar", begin); !ok || next.Version != 2 {
		t.Errorf("version %d follows", next.Version)
	}
	if _, ok := tables.Next("avatar", march); ok {
		t.Error("something follows the last version")
	}
	if _, ok := tables.At("hat", march); ok {
		t.Error("there is a table of hats")
	}
}

func TestTables_MalformedOnesAreRefusedByLineTableAndField(t *testing.T) {
	t.Parallel()
	first := avatars("1", "2026-01-01T00:00:00Z")
	const table = `tables:
  - kind: hat
    version: 1
    from: 2026-01-01T00:00:00Z
    total: 3
    pity: {after: 4, rarity: rare}
    drops:
      - {id: straw, name: A straw hat, rarity: common, weight: 1, gives: [{currency: fa, amount: 1}]}
      - id: felt
        name: A felt hat
        rarity: rare
        weight: 1
        gives: &felt
          - {collection: game-items, token: "1", amount: 1}
          - collection: game-items
            token: "2"
            amount: 1
      - {id: silk, name: A silk hat, rarity: rare, weight: 1, cap: 2, substitute: felt, gives: *felt}
`
	change := func(before, after string) string {
		if strings.Count(table, before) != 1 {
			t.Fatalf("%q is not once in the table", before)
		}
		return strings.Replace(table, before, after, 1)
	}
	mustParse(t, table)
	check := func(g draw.Grant) error {
		if g.Token == "99" {
			return errors.New("there is no such item")
		}
		return nil
	}
	for what, c := range map[string]struct{ text, want string }{
		"nothing":                        {"tables: []\n", "odds.yaml:1: tables: there is none"},
		"no YAML":                        {"tables: [", "odds.yaml:1: "},
		"an empty table":                 {"tables: [{}]\n", "odds.yaml:1:  0: kind: is missing"},
		"an unknown field":               {change("weight: 1\n", "wait: 1\n"), "odds.yaml:12: tables[0].drops[1].wait: there is no such field"},
		"a number that is none":          {change("weight: 1\n", "weight: many\n"), "odds.yaml:12: tables[0].drops[1].weight: must be a whole number"},
		"weights that do not sum":        {change("total: 3", "total: 4"), "odds.yaml:5: hat 1: total: is 4, but the weights add up to 3"},
		"no total":                       {change("    total: 3\n", ""), "odds.yaml:2: hat 1: total: is 0"},
		"an unknown rarity":              {change("        rarity: rare\n", "        rarity: shiny\n"), `odds.yaml:11: hat 1: drops[1].rarity: "shiny" is no rarity`},
		"an unknown rarity of the pity":  {change("4, rarity: rare", "4, rarity: shiny"), `odds.yaml:6: hat 1: pity.rarity: "shiny" is no rarity`},
		"a rule of the pity":             {change("after: 4", "after: 0"), "odds.yaml:6: hat 1: pity.after: must be from 1"},
		"an unknown item":                {change(`"2"`, `"99"`), "odds.yaml:15: hat 1: drops[1].gives[1]: there is no such item"},
		"an amount of nothing":           {change("            amount: 1", "            amount: 0"), "odds.yaml:17: hat 1: drops[1].gives[1].amount: must be from 1"},
		"the same by an alias":           {change("            amount: 1", "            amount: 0"), "odds.yaml:17: hat 1: drops[2].gives[1].amount: must be from 1"},
		"an unknown substitute":          {change("substitute: felt", "substitute: fur"), "odds.yaml:18: hat 1: drops[2].substitute: must be a drop"},
		"a drop twice":                   {change("id: silk", "id: straw"), `odds.yaml:18: hat 1: drops[2].id: "straw" is there twice`},
		"a version twice":                {"tables:\n" + first + first, "odds.yaml:3: avatar 1: version: must be 2"},
		"a version left out":             {"tables:\n" + first + avatars("3", "2026-03-01T00:00:00Z"), "odds.yaml:3: avatar 3: version: must be 2"},
		"a version that begins earlier":  {"tables:\n" + first + avatars("2", "2025-03-01T00:00:00Z"), "odds.yaml:3: avatar 2: from: must be after that of version 1"},
		"a first version that is no one": {"tables:\n" + avatars("2", "2026-01-01T00:00:00Z"), "odds.yaml:2: avatar 2: version: must be 1"},
	} {
		if _, err := draw.ParseTables("odds.yaml", []byte(c.text), check); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

func TestTables_WhatWasAnnouncedStays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	first, second := avatars("1", "2026-01-01T00:00:00Z"), avatars("2", "2026-03-01T00:00:00Z")
	before := mustParse(t, "tables:\n"+first)
	for what, c := range map[string]struct{ text, want string }{
		"the same":                  {first, ""},
		"a version to come":         {first + second, ""},
		"a version of the past":     {first + avatars("2", "2026-01-15T00:00:00Z"), "odds.yaml:3: avatar 2: from: 2026-01-15T00:00:00Z is over"},
		"a version that begins now": {first + avatars("2", "2026-02-01T00:00:00Z"), "odds.yaml:3: avatar 2: from: 2026-02-01T00:00:00Z is over"},
		"a changed version":         {strings.Replace(first, "An avatar", "An Avatar", 1), "odds.yaml:2: avatar 1: version: was announced and cannot change"},
		"the first of a new kind":   {first + strings.Replace(first, "avatar", "destiny", 1), ""},
		"a version that is gone":    {strings.ReplaceAll(first, "kind: avatar", "kind: general"), "odds.yaml:2: avatar 1: was announced and cannot go"},
	} {
		err := mustParse(t, "tables:\n"+c.text).Follows(before, now)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

func TestTables_KindsThatAreNotBurnedHaveNoPity(t *testing.T) {
	t.Parallel()
	first := avatars("1", "2026-01-01T00:00:00Z")
	pitied := strings.Replace(first, "total: 1,", "total: 1, pity: {after: 1, rarity: common},", 1)
	bought := strings.Replace(pitied, "avatar", "destiny-gold", 1)
	for what, c := range map[string]struct{ text, want string }{
		"no pity":           {first + strings.Replace(first, "avatar", "destiny-gold", 1), ""},
		"pity of a burn":    {pitied, ""},
		"pity of the shop":  {first + bought, "odds.yaml:3: destiny-gold 1: pity: is for the kinds avatar: no wallet opens the others"},
		"no table of burns": {strings.Replace(first, "avatar", "destiny-gold", 1), "odds.yaml:2: tables: there is none of the kind avatar"},
	} {
		err := mustParse(t, "tables:\n"+c.text).Covers([]string{"avatar"})
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// TestTables_AMillionDrawsAreAsPromised opens a million packs of each kind, pity included, and compares what is drawn with
// what the table promises.
func TestTables_AMillionDrawsAreAsPromised(t *testing.T) {
	t.Parallel()
	tables, err := draw.BuiltIn(anything)
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
			var byPity int64
			var luck draw.Luck
			for i := range draws {
				got := table.Draw(draw.NewWords(randomnessOf(i/50), burnOf(i), hash), luck) // 50 openings a round
				if got.Pitied {
					byPity++
					pitied[got.Picked.ID]++
				} else {
					free[got.Picked.ID]++
				}
				luck = table.After(luck, got)
				if table.Pity != nil && luck.Without > int64(table.Pity.After) {
					t.Fatalf("%d openings in a row without %s", luck.Without, table.Pity.Rarity)
				}
			}
			asPromised(t, "drawn freely", table, free, int64(draws)-byPity, func(draw.Drop) bool { return true })
			if table.Pity != nil {
				asPromised(t, "drawn by the pity rule", table, pitied, byPity, table.Consoles)
			}
		})
	}
}

// asPromised compares counts of drops with their weights among the eligible: chi-square at p = 0.001, by the approximation
// of Wilson and Hilferty.
func asPromised(t *testing.T, what string, table draw.Table, counts map[string]int, draws int64, eligible func(draw.Drop) bool) {
	t.Helper()
	sum := int64(0)
	for _, d := range table.Drops {
		if eligible(d) {
			sum += d.Weight
		} else if counts[d.ID] > 0 {
			t.Errorf("%s: %s is not eligible", what, d.ID)
		}
	}
	x, k := 0.0, -1.0
	for _, d := range table.Drops {
		if eligible(d) {
			expected := float64(draws) * float64(d.Weight) / float64(sum)
			x += (float64(counts[d.ID]) - expected) * (float64(counts[d.ID]) - expected) / expected
			k++
		}
	}
	if limit := k * math.Pow(1-2/(9*k)+3.09*math.Sqrt(2/(9*k)), 3); k > 0 && x > limit {
		t.Errorf("%s: chi-square of %d draws is %.1f, at most %.1f with %.0f degrees of freedom", what, draws, x, limit, k)
	}
}
