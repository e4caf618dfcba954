package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pantheon/internal/config"
)

func TestVerify_RepeatsTheDrawOfAReceipt(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct {
		at     int
		wants  []string
		number string // a number of the origin
	}{
		"receipts.json":  {25, []string{"burn     chain 421614, transaction 0x", "god, version 2", "that the chain has this burn"}, "number"},
		"purchases.json": {24, []string{"purchase shop gift-shop, order 9007199254083578, line 1, unit 2", "recorded 2023-09-15T", "destiny-gold, version 1", "that the shop has this order"}, "line"},
	} {
		raw, err := os.ReadFile("../portal/draw/testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var receipts []string
		if err := json.Unmarshal(raw, &receipts); err != nil {
			t.Fatal(err)
		}
		receipt := receipts[c.at]
		var out bytes.Buffer
		if err := VerifyReceipt([]byte(receipt+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		for _, want := range append(c.wants, "The outcome follows from the receipt", "round    657413", "drand quicknet") {
			if !strings.Contains(out.String(), want) {
				t.Errorf("there is no %q in\n%s", want, out.String())
			}
		}
		forged := strings.Replace(receipt, `"`+c.number+`":`, `"`+c.number+`":1`, 1)
		if err := VerifyReceipt([]byte(forged), &out); err == nil || !strings.Contains(err.Error(), "changed") {
			t.Errorf("a changed receipt: %v", err)
		}
	}
}

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

// Verify fetches the receipt of an opening from its portal by id, and rejects an answer about another opening.
func TestVerify_FetchesTheReceiptOfAnOpening(t *testing.T) {
	t.Parallel()
	tx := "0x" + strings.Repeat("ab", 32)
	burn := func(number int) string {
		return fmt.Sprintf(`{"version":1,"burn":{"chainId":1337042,"tx":%q,"logIndex":0,"number":%d}}`, tx, number)
	}
	purchase := func(unit int) string {
		return fmt.Sprintf(`{"version":2,"purchase":{"shop":"gift-shop","order":7731,"line":1,"unit":%d}}`, unit)
	}
	drawn := func(receipt string) string { return fmt.Sprintf(`{"state":"drawn","receipt":%q}`, receipt) }
	burned, bought := "1337042-"+tx+"-0-3", "gift-shop-7731-1-3"
	for _, c := range []struct {
		id, text string
		status   int
		err      string
	}{
		{burned, drawn(burn(3)), 200, ""},
		{burned, drawn(burn(4)), 200, "the receipt of another opening"},
		{burned, drawn(purchase(3)), 200, "the receipt of another opening"},
		{burned, drawn("no receipt"), 200, "the receipt of another opening, or with none"},
		{burned, drawn("{}"), 200, "the receipt of another opening, or with none"},
		{burned, `{"state":"waiting"}`, 200, "the opening has no receipt yet, it is waiting"},
		{burned, `{"message":"There is no such opening."}`, 404, "There is no such opening."},
		{burned, `<html>`, 502, "no answer about opening"},
		{bought, drawn(purchase(3)), 200, ""},
		{bought, drawn(purchase(4)), 200, "the receipt of another opening"},
		{bought, drawn(burn(3)), 200, "the receipt of another opening"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/api/packs/openings/"+c.id {
				t.Errorf("asked for %s", r.URL.Path)
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.text)
		}))
		got, err := FetchReceipt(t.Context(), server.URL+"/", c.id)
		server.Close()
		if c.err == "" && (err != nil || drawn(string(got)) != c.text) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %s: %q, %v", c.id, c.text, got, err)
		}
	}
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
