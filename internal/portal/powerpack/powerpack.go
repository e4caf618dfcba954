// Package powerpack defines what opening a power pack yields: InfiniGold and nectar.
package powerpack

import (
	_ "embed"
	"slices"

	"pantheon/internal/kit/tariff"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// The codes of the currencies in power packs.
const (
	InfiniGold = "ig"
	Nectar     = "ne"
)

//go:embed tariff.yaml
var builtIn []byte

// Tariff lists what power packs hold.
type Tariff = tariff.Tariff[Pack]

// Tariffs are all versions.
type Tariffs = tariff.Versions[Pack]

// Pack is one kind of power pack.
type Pack struct {
	TokenID    string `yaml:"token"`
	InfiniGold int64  `yaml:"infiniGold"` // at least 1
	Nectar     int64  `yaml:"nectar"`     // at least 1
}

// Section is the section of a file that ParseTariffs reads.
const Section = "powerPacks"

// ParseTariffs reads the section of a YAML file, or the built-in tariffs if the text has none. check says why there is no
// power pack of a token id, or returns nil. The error has every fault by line, version and field.
func ParseTariffs(file string, text []byte, check func(tokenID string) error) (Tariffs, error) {
	return tariff.Parse(Section, file, text, builtIn, func(p Pack, before []Pack, bad tariff.Fault) {
		if err := check(p.TokenID); err != nil {
			bad("token", "%v", err)
		}
		if slices.ContainsFunc(before, func(b Pack) bool { return b.TokenID == p.TokenID }) {
			bad("token", "%q is there twice", p.TokenID)
		}
		if p.InfiniGold < 1 || p.InfiniGold > 1e6 {
			bad("infiniGold", "must be from 1 to 1000000")
		}
		if p.Nectar < 1 || p.Nectar > 1e6 {
			bad("nectar", "must be from 1 to 1000000")
		}
	})
}

// maxPacks bounds the packs of one burn, so that their contents are numbers.
const maxPacks = 1_000_000

// Burned returns what a burn of power packs earns, by the version in force at the time of its block.
func Burned(tariffs func() Tariffs) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned { return burned(tariffs().At(b.Time), b) }
}

func burned(t Tariff, b projection.Burn) projection.Earned {
	amount, ok := b.Amount.Int64()
	if !ok || amount > maxPacks {
		return projection.Earned{}
	}
	for _, p := range t.Kinds {
		if p.TokenID == b.TokenID {
			gold, nectar := amount*p.InfiniGold, amount*p.Nectar
			return projection.Earned{
				Origin: reward.FromPowerPack,
				Detail: projection.CurrenciesEarned{TokenID: b.TokenID, Amount: amount, Rewards: map[string]int64{InfiniGold: gold, Nectar: nectar}},
				Grants: []reward.Content{
					reward.Currency{Code: InfiniGold, Amount: gold}.Content(), reward.Currency{Code: Nectar, Amount: nectar}.Content(),
				},
			}
		}
	}
	return projection.Earned{}
}
