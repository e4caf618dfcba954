// Package powerpack defines what opening a power pack yields: InfiniGold and nectar.
package powerpack

import (
	"bytes"
	_ "embed"
	"fmt"

	"gopkg.in/yaml.v3"

	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// The codes of the currencies in power packs.
const (
	InfiniGold = "ig"
	Nectar     = "ne"
)

//go:embed tariff.yaml
var tariff []byte

// Tariff lists what power packs hold.
type Tariff struct {
	Version int    `yaml:"version"` // incremented by each change
	Packs   []Pack `yaml:"packs"`
}

// Pack is one kind of power pack.
type Pack struct {
	TokenID    string `yaml:"token"`
	InfiniGold int64  `yaml:"infiniGold"` // at least 1
	Nectar     int64  `yaml:"nectar"`     // at least 1
}

// LoadTariff returns the current tariff. It fails if the embedded file is invalid.
func LoadTariff() (Tariff, error) { return parse(tariff) }

func parse(text []byte) (t Tariff, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return Tariff{}, fmt.Errorf("tariff of power packs: %w", err)
	}
	if t.Version < 1 {
		return Tariff{}, fmt.Errorf("tariff of power packs: version %d, must be at least 1", t.Version)
	}
	seen := map[string]bool{}
	for _, p := range t.Packs {
		switch {
		case p.TokenID == "" || seen[p.TokenID]:
			return Tariff{}, fmt.Errorf("tariff of power packs: token %q is missing or there twice", p.TokenID)
		case p.InfiniGold < 1 || p.InfiniGold > 1e6 || p.Nectar < 1 || p.Nectar > 1e6:
			return Tariff{}, fmt.Errorf("tariff of power packs: token %s: amounts must be 1 to 1000000", p.TokenID)
		}
		seen[p.TokenID] = true
	}
	return t, nil
}

// maxPacks bounds the packs of one burn, so that their contents are numbers.
const maxPacks = 1_000_000

// Burned returns what a burn of power packs earns.
func (t Tariff) Burned(b projection.Burn) projection.Earned {
	amount, ok := b.Amount.Int64()
	if !ok || amount > maxPacks {
		return projection.Earned{}
	}
	for _, p := range t.Packs {
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
