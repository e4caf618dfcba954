package burn

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// begin is when the built-in tariffs begin.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// known knows the tokens of the built-in tariffs, and those with the ids 1 to 4 of every collection of piggy banks.
func known(by collections.Burn, collection, tokenID string) error {
	for _, c := range []struct {
		by         collections.Burn
		collection string
		ids        []string
		unknown    string
	}{
		{collections.BreakArk, "arks", []string{"1", "2", "3", "4"}, "there is no such ark"},
		{collections.BreakPiggy, "piggy-", []string{"1", "2", "3", "4"}, "there is no such bank"},
		{collections.OpenPowerPack, "power-packs", []string{"1", "2", "3"}, "there is no such pack"},
	} {
		if c.by == by && (!strings.HasPrefix(collection, c.collection) || !slices.Contains(c.ids, tokenID)) {
			return errors.New(c.unknown)
		}
	}
	return nil
}

// Spec: ITEM-8
func TestTariff_KnowsEveryKindOnce(t *testing.T) {
	t.Parallel()
	tariffs, err := Parse(section.Files{brandtest.Pantheon().Rules}, known)
	if err != nil {
		t.Fatal(err)
	}
	b := brandtest.Pantheon()
	for _, ark := range tariffs.Arks.At(begin).Kinds {
		if len(ark.Followers) == 0 || len(ark.Tokens) == 0 {
			t.Errorf("ark %s gives nothing of one kind: %+v", ark.TokenID, ark)
		}
	}
	for by, got := range map[collections.Burn][]token{
		collections.BreakArk:      tokensOf(tariffs.Arks),
		collections.BreakPiggy:    tokensOf(tariffs.PiggyBanks),
		collections.OpenPowerPack: tokensOf(tariffs.PowerPacks),
	} {
		var want []token
		for _, c := range b.Collections.All() {
			if c.Burn != by {
				continue
			}
			for _, id := range b.Catalogue.TokenIDs(c.Slug) {
				want = append(want, token{c.Slug, id})
			}
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: the tariff has %v, the catalogue %v", by, got, want)
		}
	}
}

func tokensOf[K kind](v Versions[K]) (tokens []token) {
	for _, k := range v.At(begin).Kinds {
		tokens = append(tokens, k.token())
	}
	return tokens
}

// Spec: ITEM-8
func TestTariff_ThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	const head = ":\n  - version: 1\n    from: 2026-01-01T00:00:00Z\n    kinds:\n      - "
	const (
		ark  = "arks" + head + "{token: '1', followers: {d0: 1}, tokens: {gt: 2}}\n"
		bank = "piggyBanks" + head + "{collection: piggy-banks, token: '1', fate: 1}\n"
		pack = "powerPacks" + head + "{token: '1', infiniGold: 1, nectar: 2}\n"
	)
	for _, good := range []string{ark, bank, pack} {
		if _, err := Parse(section.Over("rules.yaml", []byte(good), brandtest.Pantheon().Rules), known); err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct{ good, before, after, want string }{
		"ark: a word unknown":   {ark, "followers", "sailors", "rules.yaml:5: arks[0].kinds[0].sailors: there is no such field"},
		"ark: twice":            {ark, "kinds:\n", "kinds:\n      - {token: '1'}\n", `rules.yaml:6: arks 1: kinds[1].token: "1" is there twice`},
		"ark: unnamed":          {ark, "token: '1', ", "", "rules.yaml:5: arks 1: kinds[0].token: there is no such ark"},
		"ark: unknown":          {ark, "token: '1'", "token: '9'", "rules.yaml:5: arks 1: kinds[0].token: there is no such ark"},
		"ark: a token aboard":   {ark, "{d0: 1}", "{gt: 1}", "rules.yaml:5: arks 1: kinds[0].followers: gt is none of them"},
		"ark: less than one":    {ark, "gt: 2", "gt: 0", "rules.yaml:5: arks 1: kinds[0].tokens: gt: must be from 1 to 1000000"},
		"ark: more than enough": {ark, "gt: 2", "gt: 1000001", "rules.yaml:5: arks 1: kinds[0].tokens: gt: must be from 1 to 1000000"},
		"ark: another purse's":  {ark, "gt: 2", "ig: 2", "rules.yaml:5: arks 1: kinds[0].tokens: ig is none of them"},

		"bank: a word unknown": {bank, "fate", "luck", "rules.yaml:5: piggyBanks[0].kinds[0].luck: there is no such field"},
		"bank: twice": {
			bank, "kinds:\n", "kinds:\n      - {collection: piggy-banks, token: '1', fate: 1}\n",
			`rules.yaml:6: piggyBanks 1: kinds[1].token: "1" of piggy-banks is there twice`,
		},
		"bank: unnamed":              {bank, ", token: '1'", "", "rules.yaml:5: piggyBanks 1: kinds[0].token: there is no such bank"},
		"bank: something else":       {bank, "piggy-banks, ", "hats, ", "rules.yaml:5: piggyBanks 1: kinds[0].token: there is no such bank"},
		"bank: empty":                {bank, "fate: 1", "fate: 0", "rules.yaml:5: piggyBanks 1: kinds[0].fate: must be from 1 to 1000000"},
		"bank: full":                 {bank, "fate: 1", "fate: 1000001", "rules.yaml:5: piggyBanks 1: kinds[0].fate: must be from 1 to 1000000"},
		"bank: a quoted number":      {bank, "fate: 1", "fate: '1'", "rules.yaml:5: piggyBanks[0].kinds[0].fate: must be a whole number"},
		"bank: a word for yes or no": {bank, "fate: 1", "fate: 1, vip: gold", "rules.yaml:5: piggyBanks[0].kinds[0].vip: must be true or false"},

		"pack: a word unknown": {pack, "nectar", "honey", "rules.yaml:5: powerPacks[0].kinds[0].honey: there is no such field"},
		"pack: twice": {
			pack, "kinds:\n", "kinds:\n      - {token: '1', infiniGold: 1, nectar: 2}\n",
			`rules.yaml:6: powerPacks 1: kinds[1].token: "1" is there twice`,
		},
		"pack: unnamed":         {pack, "token: '1', ", "", "rules.yaml:5: powerPacks 1: kinds[0].token: there is no such pack"},
		"pack: no nectar":       {pack, ", nectar: 2", "", "rules.yaml:5: powerPacks 1: kinds[0].nectar: must be from 1 to 1000000"},
		"pack: too much nectar": {pack, "nectar: 2", "nectar: 1000001", "rules.yaml:5: powerPacks 1: kinds[0].nectar: must be from 1 to 1000000"},
		"pack: no gold": {
			pack, "infiniGold: 1", "infiniGold: 0", "rules.yaml:5: powerPacks 1: kinds[0].infiniGold: must be from 1 to 1000000",
		},
		"pack: too much gold": {
			pack, "infiniGold: 1", "infiniGold: 1000001", "rules.yaml:5: powerPacks 1: kinds[0].infiniGold: must be from 1 to 1000000",
		},
		"pack: a quoted number": {
			pack, "infiniGold: 1", "infiniGold: '1'", "rules.yaml:5: powerPacks[0].kinds[0].infiniGold: must be a whole number",
		},
	} {
		files := section.Over("rules.yaml", []byte(strings.Replace(c.good, c.before, c.after, 1)), brandtest.Pantheon().Rules)
		if _, err := Parse(files, known); err == nil || err.Error() != c.want {
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
piggyBanks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{collection: piggy-banks, token: "1", fate: 50}]}
  - {version: 2, from: 2026-02-01T00:00:00Z, kinds: [{collection: piggy-banks, token: "1", fate: 70, vip: true}]}
powerPacks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "1", infiniGold: 100, nectar: 20}]}
  - {version: 2, from: 2026-02-01T00:00:00Z, kinds: [{token: "1", infiniGold: 50, nectar: 90}]}
`
	tariffs, err := Parse(section.Over("rules.yaml", []byte(text), brandtest.Pantheon().Rules), known)
	if err != nil {
		t.Fatal(err)
	}
	currencies := func(amounts map[string]int64) any {
		return projection.CurrenciesEarned{TokenID: "1", Amount: 2, Rewards: amounts}
	}
	type earned struct {
		detail any
		grants string
	}
	for _, c := range []struct {
		by            collections.Burn
		collection    string
		origin        reward.Origin
		first, second earned
	}{
		{
			collections.BreakArk, "arks", reward.FromArk,
			earned{
				currencies(map[string]int64{"d0": 24, "d1": 6, "gt": 18}),
				`{"code":"d0","amount":24}{"code":"d1","amount":6}{"code":"gt","amount":18}`,
			},
			earned{currencies(map[string]int64{"d0": 2}), `{"code":"d0","amount":2}`},
		}, {
			collections.BreakPiggy, "piggy-banks", reward.FromPiggyBank,
			earned{projection.BankBroken{TokenID: "1", Amount: 2, FateAmount: 100}, `{"code":"fa","amount":100}`},
			earned{projection.BankBroken{TokenID: "1", Amount: 2, FateAmount: 140, IsVIP: true}, `{"code":"fa","amount":140}`},
		}, {
			collections.OpenPowerPack, "power-packs", reward.FromPowerPack,
			earned{currencies(map[string]int64{"ig": 200, "ne": 40}), `{"code":"ig","amount":200}{"code":"ne","amount":40}`},
			earned{currencies(map[string]int64{"ig": 100, "ne": 180}), `{"code":"ig","amount":100}{"code":"ne","amount":180}`},
		},
	} {
		burned := Burned(func() Tariffs { return tariffs }, c.by, c.collection)
		for at, want := range map[time.Time]earned{begin.Add(-time.Second): {}, begin: c.first, begin.AddDate(0, 1, 0): c.second} {
			got := burned(projection.Burn{TokenID: "1", Amount: money.FromInt(2), Time: at})
			grants := ""
			for _, g := range got.Grants {
				grants += g.Detail
			}
			if !reflect.DeepEqual(got.Detail, want.detail) || grants != want.grants || (got.Origin == c.origin) != (want.detail != nil) {
				t.Errorf("%s at %s: %+v, want %+v", c.by, at, got, want)
			}
		}
		other := Burned(func() Tariffs { return tariffs }, c.by, "hats")
		for what, got := range map[string]projection.Earned{
			"another token":      burned(projection.Burn{TokenID: "2", Amount: money.FromInt(1), Time: begin}),
			"another collection": other(projection.Burn{TokenID: "1", Amount: money.FromInt(1), Time: begin}),
			"more than a number": burned(projection.Burn{TokenID: "1", Amount: money.FromInt(1_000_001), Time: begin}),
		} {
			if got.Origin != "" {
				t.Errorf("%s of %s earns %+v", what, c.by, got)
			}
		}
	}
	if Burned(func() Tariffs { return tariffs }, collections.OpenPack, "chests") != nil {
		t.Error("packs have a tariff")
	}
}
