// Package piggybank defines what breaking a piggy bank yields: fate.
package piggybank

import (
	"bytes"
	_ "embed"
	"fmt"

	"gopkg.in/yaml.v3"

	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Fate is the code of the currency in piggy banks.
const Fate = "fa"

//go:embed tariff.yaml
var tariff []byte

// Tariff lists what piggy banks hold, by collection.
type Tariff struct {
	Version int    `yaml:"version"` // incremented by each change
	Banks   []Bank `yaml:"banks"`
}

// Bank is one kind of piggy bank.
type Bank struct {
	Collection string `yaml:"collection"` // slug
	TokenID    string `yaml:"token"`
	Fate       int64  `yaml:"fate"` // at least 1
	VIP        bool   `yaml:"vip"`
}

// LoadTariff returns the current tariff. It fails if the embedded file is invalid.
func LoadTariff() (Tariff, error) { return parse(tariff) }

func parse(text []byte) (t Tariff, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return Tariff{}, fmt.Errorf("tariff of piggy banks: %w", err)
	}
	if t.Version < 1 {
		return Tariff{}, fmt.Errorf("tariff of piggy banks: version %d, must be at least 1", t.Version)
	}
	seen := map[string]bool{}
	for _, b := range t.Banks {
		key := b.Collection + "/" + b.TokenID
		switch {
		case b.Collection == "" || b.TokenID == "" || seen[key]:
			return Tariff{}, fmt.Errorf("tariff of piggy banks: bank %q is malformed or there twice", key)
		case b.Fate < 1 || b.Fate > 1e6:
			return Tariff{}, fmt.Errorf("tariff of piggy banks: bank %q holds %d fate, must be 1 to 1000000", key, b.Fate)
		}
		seen[key] = true
	}
	return t, nil
}

// maxBanks bounds the banks of one burn, so that their fate is a number.
const maxBanks = 1_000_000

// Burned returns what a burn of banks of a collection earns.
func (t Tariff) Burned(collection string) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned {
		amount, ok := b.Amount.Int64()
		if !ok || amount > maxBanks {
			return projection.Earned{}
		}
		for _, bank := range t.Banks {
			if bank.Collection == collection && bank.TokenID == b.TokenID {
				fate := amount * bank.Fate
				return projection.Earned{
					Origin: reward.FromPiggyBank,
					Detail: projection.BankBroken{TokenID: b.TokenID, Amount: amount, FateAmount: fate, IsVIP: bank.VIP},
					Grants: []reward.Content{reward.Currency{Code: Fate, Amount: fate}.Content()},
				}
			}
		}
		return projection.Earned{}
	}
}
