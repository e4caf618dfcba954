package app

import (
	"errors"

	"pantheon/internal/brand"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/webstore"
)

// CheckBrand checks what only the portal knows of a brand: that it has the collections that the portal refers to, and its rules,
// products and flags. The error has every fault by file.
func CheckBrand(b *brand.Brand) error {
	rules, err := parseRules("", nil, b)
	faults := []error{err, flags.Check(b.Flags.Name, b.Flags.Text)}
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
		return nil
	}
	_, err := b.Catalogue.Describe(s.Collection, s.Token)
	return err
}
