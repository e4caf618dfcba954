package flags_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/flags"
)

func open(t *testing.T, path string) *flags.Service {
	t.Helper()
	s, err := flags.New(t.Context(), flags.Options{
		Path: path, Default: brandtest.Pantheon().Flags.Text, Environment: "prod", Report: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// offByDefault reports whether the built-in file switches the flag off.
func offByDefault(key string) bool {
	return slices.Contains([]string{"maintenance_mode", "public_market", "enableEmbeddedInCorpSite"}, key)
}

// withRules returns a complete file in which one flag has rules.
func withRules(t *testing.T, key, rules string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("flags:\n")
	for _, k := range append(flags.Keys(), "tested") {
		fmt.Fprintf(&b, "  - key: %q\n    enabled: true\n", k)
		if k == key {
			b.WriteString("    rules:\n" + rules)
		}
	}
	path := filepath.Join(t.TempDir(), "flags.yaml")
	write(t, path, b.String())
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Spec: UI-3
func TestFlags_DefaultsHaveEveryFlag(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	all := s.All(t.Context(), flags.Context{})
	for _, key := range flags.Keys() {
		if want := !offByDefault(key); all[key].Enabled != want || all[key].Value != want || all[key].Reason != "STATIC" {
			t.Errorf("%s is %+v", key, all[key])
		}
	}
	if len(all) != len(flags.Keys()) || s.Enabled(t.Context(), "no such flag", flags.Context{}) {
		t.Errorf("the defaults are %v", all)
	}
	if _, err := s.Flag(t.Context(), "no such flag", flags.Context{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a flag that is not there: %v", err)
	}
}

// Spec: FLAG-6
func TestFlags_FirstRuleThatFitsDecides(t *testing.T) {
	t.Parallel()
	s := open(t, withRules(t, "tested", `
      - {environments: [stage, test], projects: [portal], enabled: false}
      - {environments: [stage], enabled: true}
      - {projects: [game], enabled: false}
`))
	for _, c := range []struct {
		context flags.Context
		on      bool
		reason  string
	}{
		{flags.Context{Environment: "stage", Project: "portal"}, false, "TARGETING_MATCH"},
		{flags.Context{Environment: "test", Project: "portal"}, false, "TARGETING_MATCH"},
		{flags.Context{Environment: "stage", Project: "game"}, true, "TARGETING_MATCH"},
		{flags.Context{Environment: "test", Project: "game"}, false, "TARGETING_MATCH"},
		{flags.Context{Environment: "dev", Project: "portal"}, true, "DEFAULT"},
		{flags.Context{}, true, "DEFAULT"}, // the server's own environment, prod
	} {
		got, err := s.Flag(t.Context(), "tested", c.context)
		if err != nil || got.Enabled != c.on || got.Reason != c.reason || got.Variant != map[bool]string{true: "on", false: "off"}[c.on] {
			t.Errorf("for %+v it is %+v (%v), want %v by %s", c.context, got, err, c.on, c.reason)
		}
	}
}

func TestFlags_EnvironmentDefaultsToTheServers(t *testing.T) {
	t.Parallel()
	s := open(t, withRules(t, flags.AllowPurchase, "      - {environments: [prod], enabled: false}\n"))
	if s.Enabled(t.Context(), flags.AllowPurchase, flags.Context{}) ||
		!s.Enabled(t.Context(), flags.AllowPurchase, flags.Context{Environment: "dev"}) {
		t.Error("the rule for prod does not decide for a server of prod alone")
	}
}

// Spec: FLAG-6
func TestFlags_ShareOfAllPlayersIsAsLargeAsSaidAndGrows(t *testing.T) {
	t.Parallel()
	const players = 20_000
	in := map[float64]map[string]bool{}
	for _, percent := range []float64{0, 12.5, 50, 100} {
		s := open(t, withRules(t, "tested", fmt.Sprintf("      - {percent: %v, enabled: false}\n", percent)))
		in[percent] = map[string]bool{}
		for i := range players {
			player := fmt.Sprintf("%016X", i)
			f, err := s.Flag(t.Context(), "tested", flags.Context{PlayerID: player})
			if err != nil {
				t.Fatal(err)
			}
			if !f.Enabled {
				in[percent][player] = true
				if f.Reason != "SPLIT" {
					t.Fatalf("reason %s", f.Reason)
				}
			}
		}
		if got := float64(len(in[percent])) / players * 100; got < percent-1.5 || got > percent+1.5 {
			t.Errorf("%v percent are %v", percent, got)
		}
		if !s.Enabled(t.Context(), "tested", flags.Context{}) {
			t.Errorf("a visitor is in the share of %v percent", percent)
		}
	}
	for player := range in[12.5] {
		if !in[50][player] {
			t.Fatalf("%s left as the share grew", player)
		}
	}
}

func TestFlags_OtherFlagsHaveOtherPlayersInTheirShare(t *testing.T) {
	t.Parallel()
	const rule = "      - {percent: 50, enabled: false}\n"
	one, other := open(t, withRules(t, flags.AllowClaims, rule)), open(t, withRules(t, flags.AllowListing, rule))
	same := 0
	for i := range 1000 {
		c := flags.Context{PlayerID: fmt.Sprintf("%016X", i)}
		if one.Enabled(t.Context(), flags.AllowClaims, c) == other.Enabled(t.Context(), flags.AllowListing, c) {
			same++
		}
	}
	if same < 400 || same > 600 {
		t.Errorf("%d of 1000 players are on the same side of both", same)
	}
}

// Spec: FLAG-7
func TestFlags_PausedFeaturesAreExplained(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, key := range flags.Keys() {
		s := open(t, withRules(t, key, "      - {environments: [prod], enabled: false}\n"))
		f := fault.As(s.Require(t.Context(), key, "A"))
		if f == nil || f.Code != fault.Conflict || f.Reason != "paused" || f.Message == "" {
			t.Fatalf("%s: %v", key, f)
		}
		said[f.Message] = true
		if err := open(t, "").Require(t.Context(), key, "A"); (err == nil) == offByDefault(key) {
			t.Errorf("%s by default: %v", key, err)
		}
	}
	if len(said) != 6 { // one for each kill switch, and the default one
		t.Errorf("said is %v", said)
	}
}

// Spec: FLAG-5
func TestFlags_BrokenFileIsRefusedWithEveryFault(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "flags.yaml")
	write(t, path, `flags:
  - {key: purchase, enabled: true}
  - {key: purchase, enabled: false}
  - {enabled: false}
  - key: listing
    rules:
      - {percent: 101, enabled: true}
      - {percent: .nan, enabled: true}
      - {enabled: true}
      - {environments: [dev]}
`)
	_, err := flags.New(t.Context(), flags.Options{Path: path})
	if err == nil {
		t.Fatal("a broken file is accepted")
	}
	for _, want := range []string{
		`"purchase" is there twice`, `"claims" is missing`, "entry 3 has no key", `"listing", rule 1: percent must be from 0 to 100`,
		`"listing", rule 2: percent`, `"listing", rule 3: has no condition`, `"listing", rule 4: does not say whether`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in\n%v", want, err)
		}
	}
	for what, text := range map[string]string{
		"an unknown field":    "flags:\n  - {key: purchase, enabled: true, enabeld: true}\n",
		"a word for a switch": "flags:\n  - {key: purchase, enabled: perhaps}\n",
		"nothing":             "", "no YAML": "\t", "a list": "- 1\n",
	} {
		write(t, path, text)
		if _, err := flags.New(t.Context(), flags.Options{Path: path}); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if _, err := flags.New(t.Context(), flags.Options{Path: filepath.Join(t.TempDir(), "none.yaml")}); err == nil {
		t.Error("a file that is not there is accepted")
	}
}

// Spec: FLAG-5
func TestFlags_FileThatBreaksLaterKeepsTheLastGoodOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "flags.yaml")
	write(t, path, string(brandtest.Pantheon().Flags.Text))
	reported := make(chan error, 1)
	s, err := flags.New(t.Context(), flags.Options{Path: path, Report: func(err error) { reported <- err }})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "flags: nonsense")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if !s.Enabled(t.Context(), flags.AllowPurchase, flags.Context{}) {
		t.Fatal("the last good flags are gone")
	}
	if len(reported) != 1 {
		t.Fatal("nobody was told")
	}
}

// Spec: FLAG-5
func TestFlags_FileIsReadAgainWhenItChanges(t *testing.T) {
	t.Parallel()
	path := withRules(t, "", "")
	s, err := flags.New(t.Context(), flags.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.ReplaceAll(string(text), "true", "false"))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if s.Enabled(t.Context(), flags.AllowPurchase, flags.Context{}) {
		t.Error("the file was changed, and the flag is as before")
	}
}

// Any evaluation returns one of the two variants, and the same one the next time.
func TestFlags_SameQuestionHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	s := open(t, withRules(t, "tested", "      - {environments: [dev, stage], percent: 33.3, enabled: false}\n"))
	rapid.Check(t, func(rt *rapid.T) {
		c := flags.Context{
			PlayerID:    rapid.String().Draw(rt, "player"),
			Environment: rapid.SampledFrom([]string{"", "dev", "stage", "x"}).Draw(rt, "environment"),
		}
		one, err := s.Flag(t.Context(), "tested", c)
		again, errAgain := s.Flag(t.Context(), "tested", c)
		if err != nil || errAgain != nil || one != again || (one.Variant == flags.VariantOn) != one.Enabled {
			rt.Fatalf("%+v: %+v (%v), then %+v (%v)", c, one, err, again, errAgain)
		}
	})
}

func BenchmarkAllFlags(b *testing.B) {
	s, err := flags.New(b.Context(), flags.Options{Default: brandtest.Pantheon().Flags.Text})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if len(s.All(b.Context(), flags.Context{PlayerID: "A"})) == 0 {
			b.Fatal("no flags")
		}
	}
}
