package ark

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Spec: ITEM-8
func TestTariff_KnowsEveryKindOfArkOnce(t *testing.T) {
	t.Parallel()
	tariffs, err := ParseTariffs("", nil, one)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := art.Load()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range catalogue.Collections() {
		if c.Slug == "arks" {
			want = c.TokenIDs
		}
	}
	var got []string
	for _, a := range tariffs.At(begin).Kinds {
		got = append(got, a.TokenID)
		if len(a.Followers) == 0 || len(a.Tokens) == 0 {
			t.Errorf("ark %s gives nothing of one kind: %+v", a.TokenID, a)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the tariff has arks %v, the catalogue %v", got, want)
	}
}

// begin is when the built-in tariff begins.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// one knows the ark 1 and, of the built-in tariff, the others.
func one(tokenID string) error {
	if !slices.Contains([]string{"1", "2", "3", "4"}, tokenID) {
		return errors.New("there is no such ark")
	}
	return nil
}

// Spec: ITEM-8
func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	const good = "arks:\n  - version: 1\n    from: 2026-01-01T00:00:00Z\n    kinds:\n      - {token: '1', followers: {d0: 1}, tokens: {gt: 2}}\n"
	if _, err := ParseTariffs("rules.yaml", []byte(good), one); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ before, after, want string }{
		"a word unknown":   {"followers", "sailors", "rules.yaml:5: arks[0].kinds[0].sailors: there is no such field"},
		"an ark twice":     {"kinds:\n", "kinds:\n      - {token: '1'}\n", `rules.yaml:6: arks 1: kinds[1].token: "1" is there twice`},
		"an ark unnamed":   {"token: '1', ", "", "rules.yaml:5: arks 1: kinds[0].token: there is no such ark"},
		"an unknown ark":   {"token: '1'", "token: '9'", "rules.yaml:5: arks 1: kinds[0].token: there is no such ark"},
		"a token aboard":   {"{d0: 1}", "{gt: 1}", "rules.yaml:5: arks 1: kinds[0].followers: gt is none of them"},
		"less than one":    {"gt: 2", "gt: 0", "rules.yaml:5: arks 1: kinds[0].tokens: gt: must be from 1 to 1000000"},
		"more than enough": {"gt: 2", "gt: 1000001", "rules.yaml:5: arks 1: kinds[0].tokens: gt: must be from 1 to 1000000"},
		"another purse's":  {"gt: 2", "ig: 2", "rules.yaml:5: arks 1: kinds[0].tokens: ig is none of them"},
	} {
		if _, err := ParseTariffs("rules.yaml", []byte(strings.Replace(good, c.before, c.after, 1)), one); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
}

// Spec: ITEM-8
func TestTariff_PaysABurnByTheTimeOfItsBlock(t *testing.T) {
	t.Parallel()
	text := `arks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "1", followers: {d1: 3, d0: 12}, tokens: {gt: 9}}]}
  - {version: 2, from: 2026-02-01T00:00:00Z, kinds: [{token: "1", followers: {d0: 1}}]}
`
	tariffs, err := ParseTariffs("rules.yaml", []byte(text), one)
	if err != nil {
		t.Fatal(err)
	}
	burned := Burned(func() Tariffs { return tariffs })
	for at, want := range map[time.Time]string{
		begin.Add(-time.Second): "", begin: `{"code":"d0","amount":24}{"code":"d1","amount":6}{"code":"gt","amount":18}`, begin.AddDate(0, 1, 0): `{"code":"d0","amount":2}`,
	} {
		earned := burned(projection.Burn{TokenID: "1", Amount: money.FromInt(2), Time: at})
		got := ""
		for _, g := range earned.Grants {
			got += g.Detail
		}
		if got != want || (earned.Origin == reward.FromArk) != (want != "") {
			t.Errorf("%s: %+v, want %s", at, earned, want)
		}
	}
}
