package app

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pantheon/internal/config"
)

// Spec: DRAW-19
func TestOdds_AreCheckedAndSimulated(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := CheckOdds("", &out); err != nil || !strings.Contains(out.String(), "Crown of Destiny") || !strings.Contains(out.String(), "0.0750 %") {
		t.Errorf("%v:\n%s", err, out.String())
	}
	out.Reset()
	if err := SimulateOdds("", 1000, &out); err != nil || strings.Count(out.String(), "of 1000,") != 6 {
		t.Errorf("%v:\n%s", err, out.String())
	}
	bad := odds(t, "tables:\n  - {kind: hat, edition: 1, total: 2, drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n")
	if err := CheckOdds(bad, &out); err == nil || err.Error() != bad+":2: hat 1: total: is 2, but the weights add up to 1" {
		t.Errorf("%v", err)
	}
}

// Spec: DRAW-14
func TestOdds_WhatADropGivesMustExist(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{collection: game-items, token: "43", amount: 1}`:                                                                         "",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1, series: 13}]}`:      "",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1, series: 99}]}`:      "the catalogue knows no series 99 of avatars",
		`{collection: avatars, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1, series: 14}]}`:      `series 14 of avatars is "epic", epic, in the catalogue`,
		`{collection: elder-gods, amount: 1, total: 1, variants: [{id: zeus, name: Zeus, rarity: mythic, weight: 1, series: 21}]}`: `series 21 of elder-gods is "helikara", mythic, in the catalogue`,
		`{collection: game-items, token: "44", amount: 1}`:                                                                         `unknown token "44" in game-items`,
		`{collection: hats, token: "1", amount: 1}`:                                                                                `there is no collection "hats"`,
		`{collection: game-items, amount: 1, total: 1, variants: [{id: rare, name: Rare, rarity: rare, weight: 1, series: 13}]}`:   "game-items needs a token",
		`{collection: avatars, token: "1", amount: 1}`:                                                                             "avatars gives new tokens only",
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
		if err := CheckOdds(file, io.Discard); fmt.Sprint(err) != want && (err != nil || want != "") {
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
  - {kind: avatar, edition: 1, token: "2", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
  - {kind: god, edition: 1, token: "3", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
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
	var out bytes.Buffer
	if err := SimulateOdds(odds(t, tables), 20_000, &out); err != nil {
		t.Fatal(err)
	}
	for name, promised := range map[string]float64{"straw": 25, "felt": 25, "silk": 50} {
		var expected, picked float64
		var given int
		_, line, _ := strings.Cut(out.String(), " "+name+" ")
		if _, err := fmt.Sscanf(strings.Join(strings.Fields(line)[:5], " "), "%f %% %f %% %d", &expected, &picked, &given); err != nil {
			t.Fatalf("%v:\n%s", err, out.String())
		}
		if expected != promised || math.Abs(picked-promised) > 4 || name == "silk" && given != 5 {
			t.Errorf("%s: %v %% promised, %v %% picked, %d given", name, expected, picked, given)
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
	c := config.Config{DataDir: t.TempDir()}
	var out bytes.Buffer
	keep := func(tables string) error {
		out.Reset()
		const others = "  - {kind: avatar, edition: 1, token: \"2\", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n" +
			"  - {kind: god, edition: 1, token: \"3\", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n"
		return KeepOdds(t.Context(), c, odds(t, "tables:\n"+tables+others), &out)
	}
	table := func(edition int, name string) string {
		return fmt.Sprintf("  - {kind: general, edition: %d, token: \"%d\", total: 1, drops: [{id: hat, name: %s, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n", edition, 100+edition, name)
	}
	if err := keep(table(1, "A hat")); err != nil {
		t.Fatal(err)
	}
	if err := keep(table(1, "A hat") + table(2, "A cap")); err != nil || !strings.Contains(out.String(), "general, edition 2, SHA-256 ") || !strings.Contains(out.String(), "to be fixed for token 102") {
		t.Errorf("%v\n%s", err, out.String())
	}
	for what, tables := range map[string]string{
		"changed": table(1, "A hat") + table(2, "A crown"), "gone": table(1, "A hat"), "out of order": table(1, "A hat") + table(2, "A cap") + table(4, "A cap"),
	} {
		if err := keep(tables); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}
