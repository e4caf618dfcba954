package app

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// Spec: DRAW-19
func TestOdds_AreCheckedAndSimulated(t *testing.T) {
	t.Parallel()
	tables, err := CheckOdds(rulesIn(""))
	crown := func(t TableOdds) bool {
		return slices.ContainsFunc(t.Drops, func(d DropOdds) bool {
			return strings.Contains(d.Name, "Crown of Destiny") && fmt.Sprintf("%.4f", d.Chance) == "0.0750"
		})
	}
	if err != nil || len(tables) != 6 || !slices.ContainsFunc(tables, crown) {
		t.Errorf("%+v, %v", tables, err)
	}
	simulated, err := SimulateOdds(rulesIn(""), 1000)
	if err != nil || len(simulated) != 6 || simulated[0].Draws != 1000 {
		t.Errorf("%+v, %v", simulated, err)
	}
	bad := odds(t, "tables:\n  - {kind: hat, edition: 1, total: 2, drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: "+
		"[{currency: fa, amount: 1}]}]}\n")
	if _, err := CheckOdds(rulesIn(bad)); err == nil || err.Error() != bad+":2: hat 1: total: is 2, but the weights add up to 1" {
		t.Errorf("%v", err)
	}
}

// Spec: DRAW-14
func TestOdds_WhatADropGivesMustExist(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{collection: game-items, token: "43", amount: 1}`:                                                                    "",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1, series: 13}]}`: "",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1,` +
			` series: 99}]}`: "the catalogue knows no series 99 of avatars",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1,` +
			` series: 14}]}`: `series 14 of avatars is "epic", epic, in the catalogue`,
		`{collection: elder-gods, amount: 1, total: 1, variants: [{id: zeus, name: Zeus, rarity: mythic, weight: 1,` +
			` series: 21}]}`: `series 21 of elder-gods is "helikara", mythic, in the catalogue`,
		`{collection: game-items, token: "44", amount: 1}`: `unknown token "44" in game-items`,
		`{collection: hats, token: "1", amount: 1}`:        `there is no collection "hats"`,
		`{collection: game-items, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1,` +
			` series: 13}]}`: "game-items needs a token",
		`{collection: avatars, token: "1", amount: 1}`: "avatars gives new tokens only",
	} {
		text := "tables:\n"
		for i, kind := range []string{"general", "avatar", "god"} {
			text += "  - kind: " + kind + "\n    edition: 1\n    token: \"" + strconv.Itoa(i+1) + "\"\n    total: 1\n    drops:\n" +
				"      - {id: hat, name: A hat, rarity: rare, weight: 1, gives: [" + given + "]}\n"
			given = `{currency: fa, amount: 1}`
		}
		file := odds(t, text)
		if want != "" {
			want = file + ":7: general 1: drops[0].gives[0]: " + want
		}
		if _, err := CheckOdds(rulesIn(file)); fmt.Sprint(err) != want && (err != nil || want != "") {
			t.Errorf("%s: %v, want %q", given, err, want)
		}
	}
}

// odds writes a file of drop tables.
func odds(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "odds.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Half of the free openings pick the capped drop, though it is given only 5 times, and the pity rule decides one opening of
// five.
func TestOdds_SimulationComparesTheFreeOpeningsOnly(t *testing.T) {
	t.Parallel()
	const tables = `tables:
  - {kind: avatar, edition: 1, token: "2", total: 1,
     drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
  - {kind: god, edition: 1, token: "3", total: 1,
     drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
  - kind: general
    edition: 1
    token: "1"
    total: 4
    pity: {after: 1, rarity: rare}
    caps: [{item: game-items/4, most: 5}]
    drops:
      - {id: straw, name: straw, rarity: common, weight: 1, gives: [{currency: fa, amount: 1}]}
      - {id: felt, name: felt, rarity: rare, weight: 1, gives: [{currency: fa, amount: 2}]}
      - {id: silk, name: silk, rarity: rare, weight: 2, substitute: felt, gives: [{collection: game-items, token: "4", amount: 1}]}
`
	simulated, err := SimulateOdds(rulesIn(odds(t, tables)), 20_000)
	if err != nil {
		t.Fatal(err)
	}
	drops := map[string]SimulatedDrop{}
	for _, table := range simulated {
		for _, d := range table.Drops {
			drops[d.ID] = d
		}
	}
	for name, promised := range map[string]float64{"straw": 25, "felt": 25, "silk": 50} {
		if d := drops[name]; d.Promised != promised || math.Abs(d.Picked-promised) > 4 || name == "silk" && d.Given != 5 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// Spec: DRAW-19
func TestVerify_KnowsTheIDsOfOpenings(t *testing.T) {
	t.Parallel()
	burned, bought := "1337042-0x"+strings.Repeat("ab", 32)+"-0-3", "gift-shop-7731-1-3"
	for text, is := range map[string]bool{
		burned: true, bought: true, "a-0-0-0": true, "receipt.json": false, "-": false, burned + "/x": false, strings.ToUpper(burned): false,
		"Gift-1-1-1": false, "gift-shop-1-1": false, "gift-shop-1-1-x": false, "7-1-1-1": false, bought + ".json": false,
	} {
		if IsOpeningID(text) != is {
			t.Errorf("%q is an id: %v", text, !is)
		}
	}
}

// Announcing adds editions; what is known can never change, not even in another file.
// Spec: DRAW-19
func TestOdds_KnownOnesNeverChange(t *testing.T) {
	t.Parallel()
	c := config.Config{Brand: brandtest.Pantheon(), DataDir: filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path)}
	keep := func(tables string) ([]AnnouncedTable, error) {
		const others = "  - {kind: avatar, edition: 1, token: \"2\", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: " +
			"[{currency: fa, amount: 1}]}]}\n" +
			"  - {kind: god, edition: 1, token: \"3\", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, " +
			"amount: 1}]}]}\n"
		return KeepOdds(t.Context(), c, odds(t, "tables:\n"+tables+others), testkit.By("season 2"))
	}
	table := func(edition int, name string) string {
		return fmt.Sprintf("  - {kind: general, edition: %d, token: \"%d\", total: 1, drops: [{id: hat, name: %s, rarity: rare, weight: 1, "+
			"gives: [{currency: fa, amount: 1}]}]}\n", edition, 100+edition, name)
	}
	if _, err := keep(table(1, "A hat")); err != nil {
		t.Fatal(err)
	}
	kept, err := keep(table(1, "A hat") + table(2, "A cap"))
	isNew := func(t AnnouncedTable) bool {
		return t.Kind == "general" && t.Edition == 2 && len(t.Hash) == 64 && t.Token == "102"
	}
	if err != nil || !slices.ContainsFunc(kept, isNew) {
		t.Errorf("%+v, %v", kept, err)
	}
	for what, tables := range map[string]string{
		"changed": table(1, "A hat") + table(2, "A crown"), "gone": table(1, "A hat"),
		"out of order": table(1, "A hat") + table(2, "A cap") + table(4, "A cap"),
	} {
		if _, err := keep(tables); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	if err := Lookup(t.Context(), c, func(o *operator.Service) error {
		log, err := o.Log(t.Context(), 10)
		var subjects []string
		for _, e := range log {
			subjects = append(subjects, e.Command+": "+e.Subject+": "+e.Reason)
		}
		slices.Sort(subjects)
		want := []string{"odds announce: general 1, avatar 1, god 1: season 2", "odds announce: general 2: season 2"}
		if !slices.Equal(subjects, want) {
			t.Errorf("logged %q, want %q", subjects, want)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// rulesIn is a configuration with the rules in a file, the brand's for none.
func rulesIn(file string) config.Config {
	return config.Config{Brand: brandtest.Pantheon(), GameRules: file}
}
