package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

const (
	seasonsText = `seasons:
  - {id: dawn, name: Dawn, from: 2026-01-01T00:00:00Z, until: 2026-07-01T00:00:00Z, vault: {default: "1"}}
`
	tablesText = `tables:
  - {kind: general, edition: 1, token: "1", total: 1,
     drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
  - {kind: avatar, edition: 1, token: "2", total: 1,
     drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
  - {kind: god, edition: 1, token: "3", total: 1,
     drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}
`
	arksText = `arks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "1", followers: {d0: 1}}]}
`
	banksText = `piggyBanks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{collection: piggy-soulbound, token: "2", fate: 7}]}
`
	powerText = `powerPacks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "3", infiniGold: 1, nectar: 2}]}
`
)

func parsed(t *testing.T, file, text string) (*gameRules, error) {
	t.Helper()
	return parseRules(file, []byte(text), brandtest.Pantheon())
}

// summary says what is in force at a time.
func (r *gameRules) summary(at time.Time) string {
	now, _ := r.seasons.At(at)
	table, _ := r.tables.Edition("general", 1)
	return fmt.Sprintf("%s, %d drops, %d arks, %d banks, %d power packs", now.ID, len(table.Drops),
		len(r.tariffs.Arks.At(at).Kinds), len(r.tariffs.PiggyBanks.At(at).Kinds), len(r.tariffs.PowerPacks.At(at).Kinds))
}

const brandSummary = "season-1, 43 drops, 4 arks, 6 banks, 3 power packs"

// Spec: BURN-9
func TestRules_ASectionThatIsMissingIsTheBuiltInOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":          brandSummary,
		seasonsText: strings.Replace(brandSummary, "season-1", "dawn", 1),
		tablesText:  strings.Replace(brandSummary, "43 drops", "1 drops", 1),
		arksText:    strings.Replace(brandSummary, "4 arks", "1 arks", 1),
		banksText:   strings.Replace(brandSummary, "6 banks", "1 banks", 1),
		powerText:   strings.Replace(brandSummary, "3 power", "1 power", 1),
		powerText + seasonsText + tablesText + banksText + arksText: "dawn, 1 drops, 1 arks, 1 banks, 1 power packs",
	} {
		file := "rules.yaml"
		if text == "" {
			file = ""
		}
		rules, err := parsed(t, file, text)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if got := rules.summary(opened); got != want {
			t.Errorf("%s, want %s:\n%s", got, want, text)
		}
	}
}

// The brand's file is one that an operator can copy.
func TestRules_TheBrandsCanBeCopied(t *testing.T) {
	t.Parallel()
	rules, err := parsed(t, "rules.yaml", string(brandtest.Pantheon().Rules.Text))
	if err != nil || rules.summary(opened) != brandSummary {
		t.Errorf("%+v, %v", rules, err)
	}
}

// Spec: BURN-9
func TestRules_EveryFaultOfEverySectionIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	text := `seasons:
  - {id: dawn, name: Dawn, from: 2026-01-01T00:00:00Z, until: 2025-07-01T00:00:00Z, vault: {default: "none"}}
flags: []
tables:
  - {kind: general, edition: 1, token: "1", total: 2,
     drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{collection: hats, token: "1", amount: 1}]}]}
arks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "9", followers: {d0: 1}}]}
piggyBanks:
  - version: 2
    from: 2026-01-01T00:00:00Z
    kinds:
      - {collection: arks, token: "1", fate: 7}
powerPacks:
  - {version: 1, from: soon, kinds: [{token: "3", infiniGold: 1, nectar: 2}]}
`
	_, err := parsed(t, "rules.yaml", text)
	want := `rules.yaml:3: flags: is none of the sections seasons, tables, arks, piggyBanks, powerPacks
rules.yaml:2: dawn: until: must be after from
rules.yaml:2: dawn: vault.default: must be an amount of GOD above 0, such as "100", with at most 18 decimals
rules.yaml:5: general 1: total: is 2, but the weights add up to 1
rules.yaml:6: general 1: drops[0].gives[0]: there is no collection "hats"
rules.yaml:8: arks 1: kinds[0].token: unknown token "9" in arks
rules.yaml:10: piggyBanks 2: version: must be 1
rules.yaml:13: piggyBanks 2: kinds[0].token: "arks" is no such collection
rules.yaml:15: powerPacks[0].from: must be a time such as 2026-01-01T00:00:00Z`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	for text, want := range map[string]string{
		"":                       "rules.yaml: has none of the sections seasons, tables, arks, piggyBanks, powerPacks",
		"seasons: [":             "rules.yaml:1: did not find expected node content",
		"- seasons\n":            "rules.yaml:1: must be a mapping of sections",
		seasonsText + "arks:\n":  "rules.yaml:3: arks: must be a list",
		seasonsText + "seasons:": "rules.yaml:3: seasons: is there twice",
		strings.Replace(tablesText, "kind: god", "kind: gods", 1): "tables: there is none of the kind god",
		strings.Replace(tablesText, `kind: god, edition: 1, token: "3",`, "kind: god, edition: 1,", 1): "tables: god 1: packs of the kinds " +
			"general, avatar and god have a token, and no others",
	} {
		if _, err := parsed(t, "rules.yaml", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A file that breaks later is left as a whole: no section of it counts, and none of its tables is announced.
// Spec: BURN-9
func TestRules_TheLastGoodFileStaysWhole(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opened, func(t *testing.T, db *store.DB, c *clock.Fake) {
		path := filepath.Join(t.TempDir(), "rules.yaml")
		version := 0
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			version++
			at := opened.Add(time.Duration(version) * time.Second)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		all := seasonsText + tablesText + arksText + banksText + powerText
		write(all)
		var log bytes.Buffer
		a := &base{
			config: config.Config{Brand: brandtest.Pantheon(), GameRules: path}, replica: tasks{}, clock: c, db: db,
			log: slog.New(slog.NewTextHandler(&log, nil)),
		}
		if err := a.openRules(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := a.rules.Last()
		later := `  - {kind: general, edition: 2, token: "101", total: 1, drops: [{id: cap, name: A cap, rarity: rare, weight: 1, gives: ` +
			`[{currency: fa, amount: 1}]}]}` + "\n"
		better := strings.NewReplacer("id: dawn", "id: noon", tablesText, tablesText+later).Replace(all)
		rejected := func(what, text, want string) {
			t.Helper()
			log.Reset()
			write(text)
			testkit.Eventually(t, time.Minute, func() bool { a.rules.Current(); return log.Len() > 0 }, "%s: taken", what)
			if !strings.Contains(log.String(), want) {
				t.Errorf("%s: %q is not in %s", what, want, log.String())
			}
			if a.rules.Last() != first {
				t.Errorf("%s: the rules have changed", what)
			}
		}
		rejected("a bad section", strings.Replace(better, "fate: 7", "fate: none", 1),
			"rules.yaml:14: piggyBanks[0].kinds[0].fate: must be a whole number")
		rejected("a tariff that is in force", strings.Replace(better, "fate: 7", "fate: 8", 1),
			"rules.yaml:14: piggyBanks 1: version: was in force and cannot change; add a version")
		rejected("arks of the past", strings.Replace(better, arksText, arksText+strings.Replace(strings.TrimPrefix(arksText, "arks:\n"),
			"version: 1, from: 2026-01", "version: 2, from: 2026-02", 1), 1), "rules.yaml:13: arks 2: from: 2026-02-01T00:00:00Z is over")
		rejected("power packs that are the brand's again", strings.Replace(better, powerText, "", 1),
			"the brand's rules.yaml:248: powerPacks 1: version: was in force and cannot change")
		rejected("a table that was known", strings.Replace(all, "A hat", "A crown", 1),
			"rules.yaml:4: general 1: edition: was known with another table")
		write(strings.Replace(better, "A cap", "A crown", 1)) // the cap was never kept
		testkit.Eventually(t, time.Minute, func() bool { return a.rules.Current() != first }, "a good file is not taken: %s", &log)
		if now, _ := a.seasons().At(opened); now.ID != "noon" {
			t.Errorf("the season is %s", now.ID)
		}
		if next, ok := a.tables().OfToken("101"); !ok || next.Drops[0].Name != "A crown" {
			t.Errorf("the second edition is %+v", next)
		}
		now := a.tariffs()
		got := now.PiggyBanks.At(opened).Kinds[0].Fate + now.PowerPacks.At(opened).Kinds[0].Nectar + now.Arks.At(opened).Kinds[0].Followers["d0"]
		if got != 7+2+1 {
			t.Errorf("the tariffs have changed")
		}
	})
}

// Spec: BURN-9
func TestRules_ABadFileStopsTheStart(t *testing.T) {
	t.Parallel()
	bad := odds(t, "arks: []\n")
	for path, want := range map[string]string{
		bad:                                   "GAME_RULES_FILE: " + bad + ":1: arks: there is none",
		filepath.Join(t.TempDir(), "no.yaml"): "GAME_RULES_FILE: stat ",
	} {
		a := &base{
			config: config.Config{Brand: brandtest.Pantheon(), GameRules: path}, replica: tasks{}, clock: clock.NewFake(opened),
			db: testkit.Database(t, store.SQLite),
		}
		if err := a.openRules(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	found := false
	data := filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path)
	settings := config.Config{Brand: brandtest.Pantheon(), GamePlatform: config.PlatformLocal, DataDir: data, GameRules: bad}
	for _, c := range CheckConnections(t.Context(), settings) {
		if c.Name == "game rules" {
			found = c.Err != nil && c.Err.Error() == bad+":1: arks: there is none"
		}
	}
	if !found {
		t.Error("the check says nothing of the file")
	}
}
