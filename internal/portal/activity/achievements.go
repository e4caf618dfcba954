package activity

import (
	"context"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/rarity"
)

// Achievement is an achievement and the player's progress towards it.
type Achievement struct {
	ID        string
	Name      string
	Text      string // what to do for it
	Goal      int    // number of times or of things; at least 1
	Progress  int    // 0 to Goal
	ReachedAt time.Time
}

// Reached reports whether the goal is reached.
func (a Achievement) Reached() bool { return a.Progress == a.Goal }

// achievement is one rule: what it requires, and when each step towards it was made, ascending.
type achievement struct {
	id, name, text string
	goal           int
	steps          func(r Record, c Config) []time.Time
}

const manyPurchases = 10

// achievements returns the achievements that can be reached with the brand's collections, in display order. An id must never change its
// meaning.
func achievements(c Config) []achievement {
	return slices.DeleteFunc([]achievement{
		{
			"first-purchase", "A coin on the counter", "Buy something on the market.", 1,
			func(r Record, _ Config) []time.Time { return r.Purchases },
		},
		{
			"ten-purchases", "Known by name", "Buy on the market ten times.", manyPurchases,
			func(r Record, _ Config) []time.Time { return r.Purchases },
		},
		{"first-listing", "A stall of your own", "List something for sale.", 1, func(r Record, _ Config) []time.Time { return once(r.Listed) }},
		{"first-sale", "Sold and wrapped", "Sell something on the market.", 1, func(r Record, _ Config) []time.Time { return once(r.Sold) }},
		{"first-opening", "The seal is broken", "Open a pack.", 1, func(r Record, c Config) []time.Time { return once(r.Burned[c.Packs]) }},
		{"five-kinds", "A cabinet", "Buy, win or receive items of five kinds.", 5, kinds},
		{"every-kind", "One of everything", "Buy, win or receive an item of every kind.", len(c.Kinds), kinds},
		{
			"elder-god", "A god in the house", "Buy, win or receive an Elder God.", 1,
			func(r Record, c Config) []time.Time { return once(r.Received[c.ElderGods]) },
		},
		{
			"five-gods", "Dinner for five", "Buy, win or receive five different Elder Gods.", 5,
			func(r Record, _ Config) []time.Time { return r.Gods },
		},
		{
			"legend", "Something for the song", "Buy, win or receive a legendary or mythic item.", 1,
			func(r Record, _ Config) []time.Time { return once(r.Legend) },
		},
	}, func(a achievement) bool {
		switch a.id {
		case "first-opening":
			return c.Packs.IsZero()
		case "elder-god", "five-gods":
			return c.ElderGods.IsZero()
		case "five-kinds":
			return len(c.Kinds) <= a.goal
		case "every-kind":
			return len(c.Kinds) < 2
		}
		return false
	})
}

// LegendRarity is the lowest rarity that counts for the achievement "legend".
const LegendRarity = rarity.Legendary

func once(at time.Time) []time.Time {
	if at.IsZero() {
		return nil
	}
	return []time.Time{at}
}

// kinds returns when a wallet first received something of each kind.
func kinds(r Record, c Config) (at []time.Time) {
	for _, contracts := range c.Kinds {
		var first time.Time
		for _, contract := range contracts {
			if got := r.Received[contract]; !got.IsZero() && (first.IsZero() || got.Before(first)) {
				first = got
			}
		}
		at = append(at, once(first)...)
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// Achievements returns all achievements and the wallet owner's progress; wallet is nil for none.
func (s *Service) Achievements(ctx context.Context, wallet *eth.Address) ([]Achievement, error) {
	var record Record
	if wallet != nil {
		var err error
		if record, err = s.store.Record(ctx, *wallet, s.config.ElderGods, manyPurchases); err != nil {
			return nil, err
		}
	}
	var out []Achievement
	for _, rule := range achievements(s.config) {
		steps := rule.steps(record, s.config)
		a := Achievement{ID: rule.id, Name: rule.name, Text: rule.text, Goal: rule.goal, Progress: min(len(steps), rule.goal)}
		if a.Reached() {
			a.ReachedAt = steps[rule.goal-1]
		}
		out = append(out, a)
	}
	return out, nil
}
