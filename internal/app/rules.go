package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/collections"
	"pantheon/internal/kit/reload"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/ark"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/piggybank"
	"pantheon/internal/portal/powerpack"
)

// gameRules are the rules of the game: those of GAME_RULES_FILE, and the built-in ones for sections that it lacks. They are
// replaced as a whole.
type gameRules struct {
	seasons    claim.Seasons
	tables     *draw.Tables
	arks       ark.Tariffs
	piggyBanks piggybank.Tariffs
	powerPacks powerpack.Tariffs
}

// parseRules reads rules from YAML; file is "" for the built-in ones. The error has every fault of every section.
func parseRules(file string, text []byte, catalogue *art.Catalogue) (*gameRules, error) {
	r := &gameRules{}
	var faults [6]error
	if file != "" {
		faults[0] = section.Names(file, text, claim.Section, draw.Section, ark.Section, piggybank.Section, powerpack.Section)
	}
	r.seasons, faults[1] = claim.ParseSeasons(file, text)
	r.tables, faults[2] = draw.ParseTables(file, text, func(g draw.Grant) error { return checkGrant(catalogue, g) })
	if faults[2] == nil {
		faults[2] = packs.CheckKinds(r.tables)
	}
	r.arks, faults[3] = ark.ParseTariffs(file, text, func(tokenID string) error {
		return checkBurned(catalogue, collections.BreakArk, "arks", tokenID)
	})
	r.piggyBanks, faults[4] = piggybank.ParseTariffs(file, text, func(collection, tokenID string) error {
		return checkBurned(catalogue, collections.BreakPiggy, collection, tokenID)
	})
	r.powerPacks, faults[5] = powerpack.ParseTariffs(file, text, func(tokenID string) error {
		return checkBurned(catalogue, collections.OpenPowerPack, "power-packs", tokenID)
	})
	// What concerns the whole file is a fault of every section.
	return r, errors.Join(slices.CompactFunc(faults[:], func(a, b error) bool { return a != nil && b != nil && a.Error() == b.Error() })...)
}

// readRules reads rules from a file, or returns the built-in ones if there is no name.
func readRules(file string) (*gameRules, error) {
	catalogue, err := art.Load()
	if err != nil {
		return nil, err
	}
	var text []byte
	if file != "" {
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	return parseRules(file, text, catalogue)
}

// follows checks that the rules may take the place of those before: tariffs that are in force stay as they are.
func (r *gameRules) follows(before *gameRules, now time.Time) error {
	return errors.Join(
		r.arks.Follows(before.arks, now), r.piggyBanks.Follows(before.piggyBanks, now), r.powerPacks.Follows(before.powerPacks, now),
	)
}

// openRules reads the rules. They are read again when their file changes, while the App runs.
func (a *App) openRules(ctx context.Context, catalogue *art.Catalogue) (err error) {
	var last *gameRules // reload.File calls one at a time
	a.rules, err = reload.Open(a.config.GameRules, "", nil, func(file string, text []byte) (*gameRules, error) {
		rules, err := parseRules(file, text, catalogue)
		if err != nil {
			return nil, err
		}
		now := a.clock.Now()
		if last != nil {
			if err := rules.follows(last, now); err != nil {
				return nil, err
			}
		}
		// This comes last: tables that are kept can never change.
		if err := packs.Tables(ctx, a.db, rules.tables); err != nil {
			return nil, err
		}
		last = rules
		return rules, nil
	}, func(err error) { a.log.Error("game rules rejected, keeping the previous ones", "error", err) })
	if err != nil {
		return fmt.Errorf("GAME_RULES_FILE: %w", err)
	}
	return nil
}

// The current rules, by section. They are read within transactions, so none of these waits for the file, whose reading
// needs a transaction of its own.
func (a *App) seasons() claim.Seasons        { return a.rules.Last().seasons }
func (a *App) tables() *draw.Tables          { return a.rules.Last().tables }
func (a *App) arks() ark.Tariffs             { return a.rules.Last().arks }
func (a *App) piggyBanks() piggybank.Tariffs { return a.rules.Last().piggyBanks }
func (a *App) powerPacks() powerpack.Tariffs { return a.rules.Last().powerPacks }

// checkBurned checks that a collection has a token, and that burning the token is of the given kind.
func checkBurned(catalogue *art.Catalogue, burn collections.Burn, slug, tokenID string) error {
	if c, ok := collections.Of(slug); !ok || c.Burn != burn {
		return fmt.Errorf("%q is no such collection", slug)
	}
	_, err := catalogue.Describe(slug, tokenID)
	return err
}
