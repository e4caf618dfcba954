package burn

import (
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/section"
)

type fruit struct {
	Name  string `yaml:"name"`
	Price int    `yaml:"price"`
}

const builtInFruits = `fruits:
  - version: 1
    from: 2026-01-01T00:00:00Z
    kinds: [{name: fig, price: 1}]
`

const two = `fruits:
  - version: 1
    from: 2026-01-01T00:00:00Z
    kinds: [{name: fig, price: 2}]
  - version: 2
    from: 2026-03-01T02:00:00+02:00
    kinds:
      - {name: fig, price: 3}
      - {name: pear, price: 4}
`

func parseFruits(text string) (Versions[fruit], error) {
	files := section.Over("rules.yaml", []byte(text), section.File{Name: "built-in fruits", Text: []byte(builtInFruits)})
	return parse("fruits", files, func(f fruit, before []fruit, bad fault) {
		if f.Price < 1 {
			bad("price", "must be at least %d", 1)
		}
		if len(before) > 0 && before[0].Name == f.Name {
			bad("name", "is there twice")
		}
	})
}

func mustParse(t *testing.T, text string) Versions[fruit] {
	t.Helper()
	v, err := parseFruits(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var march = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// Spec: BURN-4
func TestTariff_TheVersionInForceIsThatOfTheTime(t *testing.T) {
	t.Parallel()
	v := mustParse(t, two)
	for at, want := range map[time.Time]int{
		march.AddDate(-1, 0, 0): 0, march.AddDate(0, -2, 0): 1, march.Add(-time.Nanosecond): 1, march: 2, march.AddDate(9, 0, 0): 2,
	} {
		if got := v.At(at); got.Version != want || len(got.Kinds) != want {
			t.Errorf("%s: %+v, want version %d", at, got, want)
		}
	}
	if next := v.Next(march.Add(-time.Second)); next == nil || next.Version != 2 || !next.From.Equal(march) {
		t.Errorf("%+v follows version 1", next)
	}
	if next := v.Next(march); next != nil {
		t.Errorf("%+v follows the last version", next)
	}
	if got := (Versions[fruit]{}).At(march); got.Version != 0 {
		t.Errorf("no tariff has %+v", got)
	}
}

func TestTariff_ThatIsMissingIsTheBuiltInOne(t *testing.T) {
	t.Parallel()
	if got := mustParse(t, "nuts: []\n").At(march); got.Version != 1 || got.Kinds[0].Price != 1 {
		t.Errorf("%+v", got)
	}
}

func TestTariff_FaultsAreNamedByLineVersionAndField(t *testing.T) {
	t.Parallel()
	change := func(before, after string) string {
		if strings.Count(two, before) != 1 {
			t.Fatalf("%q is not once in the text", before)
		}
		return strings.Replace(two, before, after, 1)
	}
	for what, c := range map[string]struct{ text, want string }{
		"none":               {"fruits: []\n", "rules.yaml:1: fruits: there is none"},
		"no version":         {change("  - version: 2\n    from", "  - from"), "rules.yaml:5: fruits 0: version: must be 2"},
		"a version left out": {change("version: 2", "version: 3"), "rules.yaml:5: fruits 3: version: must be 2"},
		"no time": {
			change("    from: 2026-01-01T00:00:00Z\n", ""), "rules.yaml:2: fruits 1: from: must be a time in whole seconds, from 1970 to 9999",
		},
		"a part of a second": {
			change("01-01T00:00:00Z", "01-01T00:00:00.5Z"), "rules.yaml:3: fruits 1: from: must be a time in whole seconds, from 1970 to 9999",
		},
		"a time that is none": {
			change("2026-01-01T00:00:00Z", "soon"), "rules.yaml:3: fruits[0].from: must be a time such as 2026-01-01T00:00:00Z",
		},
		"the same beginning": {
			change("2026-03-01T02:00:00+02:00", "2026-01-01T02:00:00+02:00"), "rules.yaml:6: fruits 2: from: must be after that of version 1",
		},
		"no kinds":              {change("    kinds: [{name: fig, price: 2}]\n", ""), "rules.yaml:2: fruits 1: kinds: is missing"},
		"an unknown field":      {change("price: 2", "cost: 2"), "rules.yaml:4: fruits[0].kinds[0].cost: there is no such field"},
		"a number that is none": {change("price: 4", "price: pear"), "rules.yaml:9: fruits[1].kinds[1].price: must be a whole number"},
		"several": {
			strings.NewReplacer("price: 2", "price: 0", "version: 2", "version: 1", "{name: pear, price: 4}", "{name: fig}").Replace(two),
			"rules.yaml:4: fruits 1: kinds[0].price: must be at least 1\nrules.yaml:5: fruits 1: version: must be 2\n" +
				"rules.yaml:9: fruits 1: kinds[1].price: must be at least 1\nrules.yaml:9: fruits 1: kinds[1].name: is there twice",
		},
	} {
		if _, err := parseFruits(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", what, err, c.want)
		}
	}
}

// Spec: BURN-4
func TestTariff_VersionsInForceCannotChange(t *testing.T) {
	t.Parallel()
	first, second, _ := strings.Cut(two, "  - version: 2\n")
	second = "  - version: 2\n" + second
	third := strings.NewReplacer("version: 2", "version: 3", "2026-03-01", "2026-04-01").Replace(second)
	for what, c := range map[string]struct {
		before, after string
		now           time.Time
		want          string
	}{
		"the same":          {two, two, march, ""},
		"a version to come": {first, two, march.Add(-time.Second), ""},
		"a version of the past": {
			first, two, march, "rules.yaml:6: fruits 2: from: 2026-03-01T00:00:00Z is over; a version is announced before it begins",
		},
		"a changed one in force": {
			two, strings.Replace(two, "price: 3", "price: 5", 1), march,
			"rules.yaml:5: fruits 2: version: was in force and cannot change; add a version",
		},
		"a changed one of the past": {
			two, strings.Replace(two, "price: 2", "price: 5", 1), march,
			"rules.yaml:2: fruits 1: version: was in force and cannot change; add a version",
		},
		"one in force that is put off": {
			two, strings.Replace(two, "2026-03", "2026-05", 1), march,
			"rules.yaml:5: fruits 2: version: was in force and cannot change; add a version",
		},
		"one in force that is gone": {two, first, march, "rules.yaml:2: fruits 2: was in force and cannot go"},
		"a changed one to come":     {two, strings.Replace(two, "price: 3", "price: 5", 1), march.Add(-time.Second), ""},
		"one to come that is gone":  {two, first, march.Add(-time.Second), ""},
		"one to come that begins in the past": {
			two + third, strings.Replace(two+third, "2026-04-01", "2026-03-02", 1), march.AddDate(0, 0, 9),
			"rules.yaml:11: fruits 3: from: 2026-03-02T00:00:00Z is over; a version is announced before it begins",
		},
		"the built-in one in its place": {
			two, "nuts: []\n", march.Add(-time.Second), "built-in fruits:2: fruits 1: version: was in force and cannot change; add a version",
		},
	} {
		got := ""
		if err := mustParse(t, c.after).Follows(mustParse(t, c.before), c.now); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", what, got, c.want)
		}
	}
}
