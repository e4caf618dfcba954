// Package piggybank defines what breaking a piggy bank yields: fate.
package piggybank

import (
	_ "embed"
	"slices"

	"pantheon/internal/kit/tariff"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Fate is the code of the currency in piggy banks.
const Fate = "fa"

//go:embed tariff.yaml
var builtIn []byte

// Tariff lists what piggy banks hold, by collection.
type Tariff = tariff.Tariff[Bank]

// Tariffs are all versions.
type Tariffs = tariff.Versions[Bank]

// Bank is one kind of piggy bank.
type Bank struct {
	Collection string `yaml:"collection"` // slug
	TokenID    string `yaml:"token"`
	Fate       int64  `yaml:"fate"` // at least 1
	VIP        bool   `yaml:"vip"`
}

// Section is the section of a file that ParseTariffs reads.
const Section = "piggyBanks"

// ParseTariffs reads the section of a YAML file, or the built-in tariffs if the text has none. check says why there is no
// piggy bank of a collection and token id, or returns nil. The error has every fault by line, version and field.
func ParseTariffs(file string, text []byte, check func(collection, tokenID string) error) (Tariffs, error) {
	return tariff.Parse(Section, file, text, builtIn, func(bank Bank, before []Bank, bad tariff.Fault) {
		if err := check(bank.Collection, bank.TokenID); err != nil {
			bad("token", "%v", err)
		}
		if slices.ContainsFunc(before, func(b Bank) bool { return b.Collection == bank.Collection && b.TokenID == bank.TokenID }) {
			bad("token", "%q of %s is there twice", bank.TokenID, bank.Collection)
		}
		if bank.Fate < 1 || bank.Fate > 1e6 {
			bad("fate", "must be from 1 to 1000000")
		}
	})
}

// maxBanks bounds the banks of one burn, so that their fate is a number.
const maxBanks = 1_000_000

// Burned returns what a burn of banks of a collection earns, by the version in force at the time of its block.
func Burned(tariffs func() Tariffs, collection string) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned {
		amount, ok := b.Amount.Int64()
		if !ok || amount > maxBanks {
			return projection.Earned{}
		}
		for _, bank := range tariffs().At(b.Time).Kinds {
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
