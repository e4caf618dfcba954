// Package ark defines what breaking up an ark yields.
package ark

import (
	_ "embed"
	"maps"
	"slices"

	"pantheon/internal/kit/tariff"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

//go:embed tariff.yaml
var builtIn []byte

// Tariff lists what each kind of ark yields.
type Tariff = tariff.Tariff[Load]

// Tariffs are all versions.
type Tariffs = tariff.Versions[Load]

// Load is the content of one kind of ark: amounts, at least 1, by currency code.
type Load struct {
	TokenID   string           `yaml:"token"`
	Followers map[string]int64 `yaml:"followers"`
	Tokens    map[string]int64 `yaml:"tokens"`
}

// isFollowers and isTokens report whether a currency code counts as followers or as tokens.
func isFollowers(code string) bool { return slices.Contains([]string{"d0", "d1", "f2", "f3"}, code) }
func isTokens(code string) bool    { return slices.Contains([]string{"gt", "nt", "et", "ct"}, code) }

// Section is the section of a file that ParseTariffs reads.
const Section = "arks"

// ParseTariffs reads the section of a YAML file, or the built-in tariffs if the text has none. check says why there is no
// ark of a token id, or returns nil. The error has every fault by line, version and field.
func ParseTariffs(file string, text []byte, check func(tokenID string) error) (Tariffs, error) {
	return tariff.Parse(Section, file, text, builtIn, func(a Load, before []Load, bad tariff.Fault) {
		if err := check(a.TokenID); err != nil {
			bad("token", "%v", err)
		}
		if slices.ContainsFunc(before, func(b Load) bool { return b.TokenID == a.TokenID }) {
			bad("token", "%q is there twice", a.TokenID)
		}
		amounts := func(field string, of map[string]int64, counts func(code string) bool) {
			for _, code := range slices.Sorted(maps.Keys(of)) {
				switch n := of[code]; {
				case !counts(code):
					bad(field, "%s is none of them", code)
				case n < 1 || n > 1e6:
					bad(field, "%s: must be from 1 to 1000000", code)
				}
			}
		}
		amounts("followers", a.Followers, isFollowers)
		amounts("tokens", a.Tokens, isTokens)
	})
}

// maxArks bounds the arks of one burn, so that what they give is a number.
const maxArks = 1_000_000

// Burned returns what a burn of arks earns, by the version in force at the time of its block: followers and tokens, in the
// order of their codes.
func Burned(tariffs func() Tariffs) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned { return burned(tariffs().At(b.Time), b) }
}

func burned(t Tariff, b projection.Burn) projection.Earned {
	amount, ok := b.Amount.Int64()
	if !ok || amount > maxArks {
		return projection.Earned{}
	}
	for _, a := range t.Kinds {
		if a.TokenID != b.TokenID {
			continue
		}
		detail := projection.CurrenciesEarned{TokenID: b.TokenID, Amount: amount, Rewards: map[string]int64{}}
		for _, amounts := range []map[string]int64{a.Followers, a.Tokens} {
			for code, n := range amounts {
				detail.Rewards[code] = amount * n
			}
		}
		e := projection.Earned{Origin: reward.FromArk, Detail: detail}
		for _, code := range slices.Sorted(maps.Keys(detail.Rewards)) {
			e.Grants = append(e.Grants, reward.Currency{Code: code, Amount: detail.Rewards[code]}.Content())
		}
		return e
	}
	return projection.Earned{}
}
