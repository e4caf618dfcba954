package powerpack

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

func TestTariff_KnowsEveryKindOfPowerPackOnce(t *testing.T) {
	t.Parallel()
	tariffs, err := ParseTariffs("", nil, three)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := art.Load()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range catalogue.Collections() {
		if c.Slug == "power-packs" {
			want = c.TokenIDs
		}
	}
	var got []string
	for _, p := range tariffs.At(begin).Kinds {
		got = append(got, p.TokenID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tariff has packs %v, the catalogue %v", got, want)
	}
}

// begin is when the built-in tariff begins.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// three knows the power packs 1 to 3.
func three(tokenID string) error {
	if !slices.Contains([]string{"1", "2", "3"}, tokenID) {
		return errors.New("there is no such pack")
	}
	return nil
}

func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	const good = "powerPacks:\n  - version: 1\n    from: 2026-01-01T00:00:00Z\n    kinds:\n      - {token: '1', infiniGold: 1, nectar: 2}\n"
	if _, err := ParseTariffs("rules.yaml", []byte(good), three); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ before, after, want string }{
		"a word unknown":  {"nectar", "honey", "rules.yaml:5: powerPacks[0].kinds[0].honey: there is no such field"},
		"a pack twice":    {"kinds:\n", "kinds:\n      - {token: '1', infiniGold: 1, nectar: 2}\n", `rules.yaml:6: powerPacks 1: kinds[1].token: "1" is there twice`},
		"a pack unnamed":  {"token: '1', ", "", "rules.yaml:5: powerPacks 1: kinds[0].token: there is no such pack"},
		"no nectar":       {", nectar: 2", "", "rules.yaml:5: powerPacks 1: kinds[0].nectar: must be from 1 to 1000000"},
		"too much nectar": {"nectar: 2", "nectar: 1000001", "rules.yaml:5: powerPacks 1: kinds[0].nectar: must be from 1 to 1000000"},
		"no gold":         {"infiniGold: 1", "infiniGold: 0", "rules.yaml:5: powerPacks 1: kinds[0].infiniGold: must be from 1 to 1000000"},
		"too much gold":   {"infiniGold: 1", "infiniGold: 1000001", "rules.yaml:5: powerPacks 1: kinds[0].infiniGold: must be from 1 to 1000000"},
		"a quoted number": {"infiniGold: 1", "infiniGold: '1'", "rules.yaml:5: powerPacks[0].kinds[0].infiniGold: must be a whole number"},
	} {
		if _, err := ParseTariffs("rules.yaml", []byte(strings.Replace(good, c.before, c.after, 1)), three); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
}

func TestTariff_PaysABurnByTheTimeOfItsBlock(t *testing.T) {
	t.Parallel()
	text := `powerPacks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "1", infiniGold: 100, nectar: 20}]}
  - {version: 2, from: 2026-02-01T00:00:00Z, kinds: [{token: "1", infiniGold: 50, nectar: 90}]}
`
	tariffs, err := ParseTariffs("rules.yaml", []byte(text), three)
	if err != nil {
		t.Fatal(err)
	}
	burned := Burned(func() Tariffs { return tariffs })
	for at, want := range map[time.Time]map[string]int64{
		begin.Add(-time.Second): nil, begin: {"ig": 200, "ne": 40}, begin.AddDate(0, 1, 0): {"ig": 100, "ne": 180},
	} {
		earned := burned(projection.Burn{TokenID: "1", Amount: money.FromInt(2), Time: at})
		got, _ := earned.Detail.(projection.CurrenciesEarned)
		if !maps.Equal(got.Rewards, want) || (earned.Origin == reward.FromPowerPack) != (want != nil) {
			t.Errorf("%s: %+v, want %v", at, earned, want)
		}
	}
}
