package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"pantheon/internal/brand"
	"pantheon/internal/collections"
	"pantheon/internal/kit/reload"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/burn"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store/rewards"
)

// gameRules are the rules of the game: those of GAME_RULES_FILE, and the brand's for sections that it lacks. They are replaced as a
// whole.
type gameRules struct {
	seasons claim.Seasons
	tables  *draw.Tables
	tariffs burn.Tariffs
}

// parseRules reads the rules from a file, and those of the brand for sections that it lacks; file is "" for the brand's alone. The error
// has every fault of every section.
func parseRules(file string, text []byte, b *brand.Brand) (*gameRules, error) {
	r := &gameRules{}
	var faults [4]error
	files := section.Over(file, text, b.Rules)
	var names []error
	for _, f := range files {
		known := append([]string{claim.Section, draw.Section}, slices.Sorted(maps.Values(burn.Sections()))...)
		names = append(names, section.Names(f.Name, f.Text, known...))
	}
	faults[0] = errors.Join(append(names, requireRules(files, b))...)
	r.seasons, faults[1] = claim.ParseSeasons(files)
	r.tables, faults[2] = draw.ParseTables(files, func(g draw.Grant) error { return checkGrant(b, g) })
	if faults[2] == nil && isBurned(b, collections.OpenPack) {
		faults[2] = packs.CheckKinds(r.tables)
	}
	if faults[2] == nil && !isBurned(b, collections.OpenPack) {
		for _, t := range r.tables.All() {
			if t.Token != "" {
				faults[2] = fmt.Errorf("tables: %s %d: token: no collection has packs that are burned", t.Kind, t.Edition)
			}
		}
	}
	r.tariffs, faults[3] = burn.Parse(files, func(by collections.Burn, slug, tokenID string) error {
		return checkBurned(b, by, slug, tokenID)
	})
	return r, section.Join(faults[:]...)
}

// isBurned reports whether tokens of any collection are burned in a way.
func isBurned(b *brand.Brand, by collections.Burn) bool {
	return slices.ContainsFunc(b.Collections.All(), func(c collections.Collection) bool { return c.Burn == by })
}

// requireRules returns a fault for each burn that players can make of the brand's tokens and no section pays for.
func requireRules(files section.Files, b *brand.Brand) error {
	sections := burn.Sections()
	sections[collections.OpenPack] = draw.Section
	var faults []error
	for _, by := range slices.Sorted(maps.Keys(sections)) {
		if isBurned(b, by) && !files.Has(sections[by]) {
			faults = append(faults, fmt.Errorf("rules: %s: is missing, and tokens of the brand are burned as %s", sections[by], by))
		}
	}
	return errors.Join(faults...)
}

// readRules reads rules from a file, or returns the brand's if there is no name.
func readRules(b *brand.Brand, file string) (*gameRules, error) {
	var text []byte
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	return parseRules(file, text, b)
}

// openRules reads the rules. They are read again when their file changes, while the portal runs.
func (b *base) openRules(ctx context.Context) (err error) {
	var last *gameRules // reload.File calls one at a time
	b.rules, err = reload.Open(b.config.GameRules, "", nil, func(file string, text []byte) (*gameRules, error) {
		rules, err := parseRules(file, text, b.config.Brand)
		if err != nil {
			return nil, err
		}
		if last != nil {
			// Tariffs that are in force stay as they are.
			if err := rules.tariffs.Follows(last.tariffs, b.clock.Now()); err != nil {
				return nil, err
			}
		}
		// This comes last: tables that are kept can never change.
		if err := packs.Tables(ctx, rewards.New(b.db), rules.tables); err != nil {
			return nil, err
		}
		last = rules
		return rules, nil
	}, func(err error) { b.log.Error("game rules rejected, keeping the previous ones", "error", err) })
	if err != nil {
		return settingFault("GAME_RULES_FILE", b.config.GameRules, err)
	}
	b.replica["rules"] = b.rules.Run
	return nil
}

// The current rules, by section. They are read within transactions, so none of these waits for the file, whose reading
// needs a transaction of its own.
func (b *base) seasons() claim.Seasons { return b.rules.Last().seasons }
func (b *base) tables() *draw.Tables   { return b.rules.Last().tables }
func (b *base) tariffs() burn.Tariffs  { return b.rules.Last().tariffs }

// checkBurned checks that a collection has a token, and that burning the token is of the given kind.
func checkBurned(b *brand.Brand, burn collections.Burn, slug, tokenID string) error {
	if c, ok := b.Collections.Of(slug); !ok || c.Burn != burn {
		return fmt.Errorf("%q is no such collection", slug)
	}
	_, err := b.Catalogue.Describe(slug, tokenID)
	return err
}

// settingFault puts the name of the setting of a file before an error, if it is set: else the brand's file is meant.
func settingFault(name, value string, err error) error {
	if value == "" {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
