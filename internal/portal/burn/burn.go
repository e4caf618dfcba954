// Package burn defines what players earn by burning arks, piggy banks and power packs: what the tariff that is in force at the
// time of the burn's block lists.
package burn

import (
	"errors"
	"slices"
	"time"

	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/projection"
)

// The sections of a file of rules.
const (
	arks       = "arks"
	piggyBanks = "piggyBanks"
	powerPacks = "powerPacks"
)

// Sections returns the names of the sections that Parse reads, by what they are the tariff of.
func Sections() map[collections.Burn]string {
	return map[collections.Burn]string{collections.BreakArk: arks, collections.BreakPiggy: piggyBanks, collections.OpenPowerPack: powerPacks}
}

// Tariffs are the tariffs of all that is burned. The zero value has none.
type Tariffs struct {
	Arks       Versions[Ark]
	PiggyBanks Versions[PiggyBank]
	PowerPacks Versions[PowerPack]
}

// Check returns why a collection has no token that is burned in a way, or nil.
type Check func(by collections.Burn, collection, tokenID string) error

// Parse reads the tariffs from YAML files, those that the files have. The error has every fault by line, version and field.
func Parse(files section.Files, check Check) (Tariffs, error) {
	var t Tariffs
	var faults [3]error
	t.Arks, faults[0] = parseKinds[Ark](arks, files, collections.BreakArk, check)
	t.PiggyBanks, faults[1] = parseKinds[PiggyBank](piggyBanks, files, collections.BreakPiggy, check)
	t.PowerPacks, faults[2] = parseKinds[PowerPack](powerPacks, files, collections.OpenPowerPack, check)
	return t, section.Join(faults[:]...)
}

func parseKinds[K kind](name string, files section.Files, by collections.Burn, check Check) (Versions[K], error) {
	if !files.Has(name) {
		return Versions[K]{}, nil
	}
	return parse(name, files, func(k K, before []K, bad fault) {
		if err := check(by, k.token().collection, k.token().id); err != nil {
			bad("token", "%v", err)
		}
		if slices.ContainsFunc(before, func(b K) bool { return b.token() == k.token() }) {
			bad("token", "%s is there twice", k)
		}
		k.validate(bad)
	})
}

// Follows checks that the tariffs may take the place of those before; see [Versions.Follows].
func (t Tariffs) Follows(before Tariffs, now time.Time) error {
	return errors.Join(
		t.Arks.Follows(before.Arks, now), t.PiggyBanks.Follows(before.PiggyBanks, now), t.PowerPacks.Follows(before.PowerPacks, now),
	)
}

// Burned returns what a burn of a collection's tokens earns, by the version in force at the time of its block. It returns nil if
// no tariff lists what is burned in this way.
func Burned(tariffs func() Tariffs, by collections.Burn, collection string) func(projection.Burn) projection.Earned {
	switch by {
	case collections.BreakArk:
		return burned(func() Versions[Ark] { return tariffs().Arks }, collection)
	case collections.BreakPiggy:
		return burned(func() Versions[PiggyBank] { return tariffs().PiggyBanks }, collection)
	case collections.OpenPowerPack:
		return burned(func() Versions[PowerPack] { return tariffs().PowerPacks }, collection)
	}
	return nil
}

// maxBurned bounds the tokens of one burn, so that what they give is a number.
const maxBurned = 1_000_000

func burned[K kind](versions func() Versions[K], collection string) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned {
		amount, ok := b.Amount.Int64()
		if !ok || amount > maxBurned {
			return projection.Earned{}
		}
		for _, k := range versions().At(b.Time).Kinds {
			if k.token() == (token{collection, b.TokenID}) {
				return k.earned(amount)
			}
		}
		return projection.Earned{}
	}
}
