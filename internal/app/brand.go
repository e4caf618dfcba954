package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"pantheon/internal/brand"
	"pantheon/internal/collections"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/webstore"
)

// CheckBrand checks what only the portal knows of a brand: that it has the collections that the portal refers to, and its rules,
// products and flags. The error has every fault by file.
func CheckBrand(b *brand.Brand) error {
	rules, err := parseRules("", nil, b)
	faults := []error{err, flags.Check(b.Flags.Name, b.Flags.Text), checkNews(b.News)}
	if err == nil {
		faults = append(faults, checkCurrencies(b, rules))
	}
	if err == nil { // products refer to them
		_, err := webstore.ParseCatalogue(section.Over("", nil, b.Products), webstore.Checks{
			Grant: func(g draw.Grant) error { return checkGrant(b, g) },
			Opens: func(kind string) error { return checkOpens(rules.tables, kind) },
			Send:  func(s webstore.Send) error { return checkSent(b, s) },
		})
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// checkSent checks that there is what the treasury sends.
func checkSent(b *brand.Brand, s webstore.Send) error {
	if s.USDC != "" {
		if currency := b.Collections.Currency(); currency.Decimals != money.USDCDecimals {
			return fmt.Errorf("usdc: the market's currency, %s, has %d decimals: the treasury sends one of 6", currency.Symbol, currency.Decimals)
		}
		return nil
	}
	_, err := b.Catalogue.Describe(s.Collection, s.Token)
	return err
}

// checkCurrencies checks that games.yaml has the currencies that the brand's drops and burns give. An operator's file may give others.
func checkCurrencies(b *brand.Brand, rules *gameRules) error {
	codes := map[string]string{} // what gives it, by code
	for _, t := range rules.tables.All() {
		for _, d := range t.Drops {
			for _, g := range d.Gives {
				codes[g.Currency] = "drops of " + t.Kind
			}
		}
	}
	for by, earned := range map[collections.Burn][]string{collections.BreakPiggy: {"fa"}, collections.OpenPowerPack: {"ig", "ne"}} {
		if isBurned(b, by) {
			for _, code := range earned {
				codes[code] = "burns of the kind " + string(by)
			}
		}
	}
	delete(codes, "")
	var faults []error
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if !b.HasCurrency(code) {
			faults = append(faults, fmt.Errorf("games.yaml: purses: no currency has the code %s, which %s give", code, codes[code]))
		}
	}
	return errors.Join(faults...)
}
