package claim_test

import (
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/claim"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const twoSeasons = `seasons:
  - id: dawn
    name: Dawn
    from: 2026-01-01T00:00:00Z
    until: 2026-07-01T00:00:00Z
    vault: {default: "100", rarities: {legendary: "250.5"}}
    avatars: {first: 1, last: 10}
  - id: dusk
    name: Dusk
    from: 2026-08-01T00:00:00Z
    until: 2026-12-01T00:00:00Z
    vault: {default: "7"}
`

func parseSeasons(t *testing.T, text string) claim.Seasons {
	t.Helper()
	s, err := claim.ParseSeasons(section.Over("rules.yaml", []byte(text), brandtest.Pantheon().Rules))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func idOf(s *claim.Season) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// Spec: CLAIM-4
func TestSeasons_OneIsOpenFromItsBeginningUntilItsEnd(t *testing.T) {
	t.Parallel()
	s := parseSeasons(t, twoSeasons)
	for at, want := range map[string]string{
		"2025-12-31T23:59:59Z": " dawn", "2026-01-01T00:00:00Z": "dawn dusk", "2026-06-30T23:59:59Z": "dawn dusk",
		"2026-07-01T00:00:00Z":      " dusk",
		"2026-08-01T02:00:00+02:00": "dusk ", "2026-12-01T00:00:00Z": " ",
	} {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		now, next := s.At(when)
		if got := idOf(now) + " " + idOf(next); got != want {
			t.Errorf("at %s: %q, want %q", at, got, want)
		}
	}
}

func TestSeasons_VaultsPayByTheRarityOfTheGod(t *testing.T) {
	t.Parallel()
	now, _ := parseSeasons(t, twoSeasons).At(opening)
	if got := now.Vault.Amount("legendary").String(); got != "250500000000000000000" {
		t.Errorf("a legendary god's holds %s", got)
	}
	if got := now.Vault.Amount("rare").String(); got != "100000000000000000000" {
		t.Errorf("a rare god's holds %s", got)
	}
}

func TestSeasons_BuiltInOnesAreValid(t *testing.T) {
	t.Parallel()
	s, err := claim.ParseSeasons(section.Files{brandtest.Pantheon().Rules})
	if err != nil {
		t.Fatal(err)
	}
	now, next := s.At(opening)
	if idOf(now) != "season-1" || idOf(next) != "season-2" || now.Avatars == nil {
		t.Errorf("%+v, then %+v", now, next)
	}
}

// Spec: CLAIM-4
func TestSeasons_BrokenFileIsRefusedWithEveryFaultByLineAndField(t *testing.T) {
	t.Parallel()
	const text = `seasons:
  - id: Dawn
    name: ""
    from: soon
    until: 2026-07-01T00:00:00Z
    vault:
      default: "0"
      rarities: {shiny: "1", epic: "1.1234567890123456789"}
    avatars: {first: 0, last: many}
  - id: dusk
    name: Dusk
    from: 2026-06-01T00:00:00Z
    until: 2026-05-01T00:00:00Z
    vault: {default: "1"}
    avatars: {first: 5, last: 4}
  - id: dusk
    name: Dusk again
    from: 2026-07-01T00:00:00Z
    until: 2026-08-01T00:00:00Z
    vault: {rarities: {}}
    avatars: {first: 1, last: 4}
  - id: night
    name: Night
    from: 2026-08-01T00:00:00Z
    until: 2026-09-01T00:00:00Z
    vault: {default: "1"}
    avatars: {first: 4, last: 4}
`
	_, err := claim.ParseSeasons(section.Text("rules.yaml", text))
	if err == nil {
		t.Fatal("a broken file is accepted")
	}
	want := []string{
		`:2: Dawn: id: must be lower-case words joined by dashes`,
		`:3: Dawn: name: must have 1 to 80 characters`,
		`:4: Dawn: from: must be a time`,
		`:7: Dawn: vault.default: must be an amount of GOD above 0`,
		`:8: Dawn: vault.rarities.shiny: is none of the rarities`,
		`:8: Dawn: vault.rarities.epic: must be an amount of GOD`,
		`:9: Dawn: avatars.first: must be a number from 1`,
		`:9: Dawn: avatars.last: must be a number from 1`,
		`:12: dusk: from: must not be before the end of Dawn`,
		`:13: dusk: until: must be after from`,
		`:15: dusk: avatars.last: must not be less than avatars.first`,
		`:16: dusk: id: is there twice`,
		`:20: dusk: vault.default: must be an amount of GOD`, // missing: where the vault is
		`:27: night: avatars.first: dusk has some of these ids`,
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), "rules.yaml"+w) {
			t.Errorf("%q is not in\n%v", w, err)
		}
	}
	if got := len(strings.Split(err.Error(), "\n")); got != len(want) {
		t.Errorf("%d faults, want %d:\n%v", got, len(want), err)
	}
	for what, text := range map[string]string{
		"an unknown field":  strings.Replace(twoSeasons, "name: Dusk", "title: Dusk", 1),
		"a list for a name": strings.Replace(twoSeasons, "name: Dusk", "name: [Dusk]", 1),
		"nothing":           "seasons:", "no YAML": "\t", "a list": "- 1\n",
	} {
		if _, err := claim.ParseSeasons(section.Text("rules.yaml", text)); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
