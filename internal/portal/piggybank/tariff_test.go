package piggybank

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/collections"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

func TestTariff_KnowsEveryKindOfPiggyBankOnce(t *testing.T) {
	t.Parallel()
	tariffs, err := ParseTariffs("", nil, two)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := art.Load()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range catalogue.Collections() {
		of, _ := collections.Of(c.Slug)
		if of.Burn != collections.BreakPiggy {
			continue
		}
		for _, id := range c.TokenIDs {
			want = append(want, c.Slug+"/"+id)
		}
	}
	var got []string
	for _, b := range tariffs.At(begin).Kinds {
		got = append(got, b.Collection+"/"+b.TokenID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tariff has banks %v, the catalogue %v", got, want)
	}
}

// begin is when the built-in tariff begins.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// two knows the collections of piggy banks and their tokens 1 to 4.
func two(collection, tokenID string) error {
	if !strings.HasPrefix(collection, "piggy-") || !slices.Contains([]string{"1", "2", "3", "4"}, tokenID) {
		return errors.New("there is no such bank")
	}
	return nil
}

func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	const good = "piggyBanks:\n  - version: 1\n    from: 2026-01-01T00:00:00Z\n    kinds:\n      - {collection: piggy-banks, token: '1', fate: 1}\n"
	if _, err := ParseTariffs("rules.yaml", []byte(good), two); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ before, after, want string }{
		"a word unknown":       {"fate", "luck", "rules.yaml:5: piggyBanks[0].kinds[0].luck: there is no such field"},
		"a bank twice":         {"kinds:\n", "kinds:\n      - {collection: piggy-banks, token: '1', fate: 1}\n", `rules.yaml:6: piggyBanks 1: kinds[1].token: "1" of piggy-banks is there twice`},
		"a bank unnamed":       {", token: '1'", "", "rules.yaml:5: piggyBanks 1: kinds[0].token: there is no such bank"},
		"something else":       {"piggy-banks, ", "hats, ", "rules.yaml:5: piggyBanks 1: kinds[0].token: there is no such bank"},
		"an empty bank":        {"fate: 1", "fate: 0", "rules.yaml:5: piggyBanks 1: kinds[0].fate: must be from 1 to 1000000"},
		"a bank that is full":  {"fate: 1", "fate: 1000001", "rules.yaml:5: piggyBanks 1: kinds[0].fate: must be from 1 to 1000000"},
		"a quoted number":      {"fate: 1", "fate: '1'", "rules.yaml:5: piggyBanks[0].kinds[0].fate: must be a whole number"},
		"a word for yes or no": {"fate: 1", "fate: 1, vip: gold", "rules.yaml:5: piggyBanks[0].kinds[0].vip: must be true or false"},
	} {
		if _, err := ParseTariffs("rules.yaml", []byte(strings.Replace(good, c.before, c.after, 1)), two); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
}

func TestTariff_PaysABurnByTheTimeOfItsBlock(t *testing.T) {
	t.Parallel()
	text := `piggyBanks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{collection: piggy-banks, token: "1", fate: 50}]}
  - {version: 2, from: 2026-02-01T00:00:00Z, kinds: [{collection: piggy-banks, token: "1", fate: 70, vip: true}]}
`
	tariffs, err := ParseTariffs("rules.yaml", []byte(text), two)
	if err != nil {
		t.Fatal(err)
	}
	burned := Burned(func() Tariffs { return tariffs }, "piggy-banks")
	for at, want := range map[time.Time]projection.BankBroken{
		begin.Add(-time.Second): {}, begin: {TokenID: "1", Amount: 2, FateAmount: 100}, begin.AddDate(0, 1, 0): {TokenID: "1", Amount: 2, FateAmount: 140, IsVIP: true},
	} {
		earned := burned(projection.Burn{TokenID: "1", Amount: money.FromInt(2), Time: at})
		got, _ := earned.Detail.(projection.BankBroken)
		if got != want || (earned.Origin == reward.FromPiggyBank) != (want.Amount > 0) {
			t.Errorf("%s: %+v, want %+v", at, earned, want)
		}
	}
}
