// Package ark defines what breaking up an ark yields.
package ark

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

//go:embed tariff.yaml
var tariff []byte

// Tariff lists what each kind of ark yields.
type Tariff struct {
	Version int    `yaml:"version"` // incremented by each change
	Arks    []Load `yaml:"arks"`    // in display order
}

// Load is the content of one kind of ark: amounts, at least 1, by currency code.
type Load struct {
	TokenID   string           `yaml:"token"`
	Followers map[string]int64 `yaml:"followers"`
	Tokens    map[string]int64 `yaml:"tokens"`
}

// isFollowers and isTokens report whether a currency code counts as followers or as tokens.
func isFollowers(code string) bool { return slices.Contains([]string{"d0", "d1", "f2", "f3"}, code) }
func isTokens(code string) bool    { return slices.Contains([]string{"gt", "nt", "et", "ct"}, code) }

// LoadTariff returns the current tariff. It fails if the embedded file is invalid.
func LoadTariff() (Tariff, error) { return parse(tariff) }

func parse(text []byte) (t Tariff, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return Tariff{}, fmt.Errorf("tariff of arks: %w", err)
	}
	if t.Version < 1 {
		return Tariff{}, fmt.Errorf("tariff of arks: version %d, must be at least 1", t.Version)
	}
	seen := map[string]bool{}
	for _, a := range t.Arks {
		if a.TokenID == "" || seen[a.TokenID] {
			return Tariff{}, fmt.Errorf("tariff of arks: token %q is missing or there twice", a.TokenID)
		}
		seen[a.TokenID] = true
		for what, part := range map[string]struct {
			amounts map[string]int64
			counts  func(code string) bool
		}{"followers": {a.Followers, isFollowers}, "tokens": {a.Tokens, isTokens}} {
			for code, n := range part.amounts {
				if n < 1 || !part.counts(code) {
					return Tariff{}, fmt.Errorf("tariff of arks: token %s gives %d of %s as %s", a.TokenID, n, code, what)
				}
			}
		}
	}
	return t, nil
}

// maxArks bounds the arks of one burn, so that what they give is a number.
const maxArks = 1_000_000

// Burned returns what a burn of arks earns: followers and tokens, in the order of their codes.
func (t Tariff) Burned(b projection.Burn) projection.Earned {
	amount, ok := b.Amount.Int64()
	if !ok || amount > maxArks {
		return projection.Earned{}
	}
	for _, a := range t.Arks {
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
