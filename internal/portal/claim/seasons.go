package claim

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/section"
)

// Decimals is the number of decimals of GOD, in which vaults pay.
const Decimals = 18

// Season is a period in which each vault can be claimed once.
type Season struct {
	ID    string
	Name  string
	From  time.Time
	Until time.Time // exclusive
	Vault Vault
	// Avatars are the ids of the season's avatars; nil when none can be claimed.
	Avatars *IDs
}

// Vault says how much GOD the vault of an Elder God holds, in base units.
type Vault struct {
	Default  money.Units
	Rarities map[rarity.Rarity]money.Units
}

// Amount returns what the vault of a god of this rarity holds.
func (v Vault) Amount(r rarity.Rarity) money.Units {
	if amount, ok := v.Rarities[r]; ok {
		return amount
	}
	return v.Default
}

// IDs are token ids from First to Last.
type IDs struct{ First, Last int64 }

// Seasons follow one another and do not overlap.
type Seasons []Season

// At returns the season that is open at a time, and the first that begins after it; nil for none.
func (s Seasons) At(at time.Time) (now, next *Season) {
	for _, season := range s {
		switch {
		case at.Before(season.From):
			return now, &season
		case at.Before(season.Until):
			now = &season
		}
	}
	return now, nil
}

// entry is one season in the file.
type entry struct {
	ID    string `yaml:"id"`
	Name  string `yaml:"name"`
	From  string `yaml:"from"`
	Until string `yaml:"until"`
	Vault struct {
		Default  string            `yaml:"default"`
		Rarities map[string]string `yaml:"rarities"`
	} `yaml:"vault"`
	Avatars *struct {
		First string `yaml:"first"`
		Last  string `yaml:"last"`
	} `yaml:"avatars"`
}

// Section is the section of a file that ParseSeasons reads.
const Section = "seasons"

// ParseSeasons reads the section of YAML files; there are no seasons where none has it. The error lists every fault by line,
// season and field.
func ParseSeasons(files section.Files) (Seasons, error) {
	if !files.Has(Section) {
		return nil, nil
	}
	list, err := section.Read[entry](Section, files)
	if err != nil {
		return nil, err
	}
	var all Seasons
	var faults []error
	for i, e := range list.Entries {
		c := checker{list: list, index: i, season: e.ID}
		if c.season == "" {
			c.season = fmt.Sprintf("season %d", i+1)
		}
		s := c.convert(e)
		c.follows(s, all)
		all = append(all, s)
		faults = append(faults, c.faults...)
	}
	return all, errors.Join(faults...)
}

// checker collects the faults of one season.
type checker struct {
	list   section.List[entry]
	index  int // the season's, in list
	season string
	faults []error
}

func (c *checker) bad(field, format string, args ...any) {
	path := []any{c.index}
	for name := range strings.SplitSeq(field, ".") {
		path = append(path, name)
	}
	c.faults = append(c.faults, fmt.Errorf("%s: %s: %s: %s", c.list.Place(path...), c.season, field, fmt.Sprintf(format, args...)))
}

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// The longest id and name of a season.
const (
	maxID   = 40
	maxName = 80
)

// maxTokenID is the highest id of an avatar: JavaScript's numbers can hold it.
const maxTokenID = 1<<53 - 1

// convert converts an entry and checks what concerns it alone.
func (c *checker) convert(e entry) Season {
	s := Season{ID: e.ID, Name: e.Name, From: c.time("from", e.From), Until: c.time("until", e.Until)}
	if !idPattern.MatchString(s.ID) || len(s.ID) > maxID {
		c.bad("id", "must be lower-case words joined by dashes, at most %d characters", maxID)
	}
	if s.Name == "" || len(s.Name) > maxName {
		c.bad("name", "must have 1 to %d characters", maxName)
	}
	if !s.From.IsZero() && !s.Until.IsZero() && !s.From.Before(s.Until) {
		c.bad("until", "must be after from")
	}
	s.Vault = Vault{Default: c.amount("vault.default", e.Vault.Default), Rarities: map[rarity.Rarity]money.Units{}}
	for _, name := range slices.Sorted(maps.Keys(e.Vault.Rarities)) {
		field := "vault.rarities." + name
		if rarity.Rarity(name).Rank() < 0 {
			c.bad(field, "is none of the rarities %v", rarity.All())
		}
		s.Vault.Rarities[rarity.Rarity(name)] = c.amount(field, e.Vault.Rarities[name])
	}
	if e.Avatars != nil {
		s.Avatars = &IDs{First: c.tokenID("avatars.first", e.Avatars.First), Last: c.tokenID("avatars.last", e.Avatars.Last)}
		if s.Avatars.Last != 0 && s.Avatars.Last < s.Avatars.First {
			c.bad("avatars.last", "must not be less than avatars.first")
		}
	}
	return s
}

// follows checks a season against those before it.
func (c *checker) follows(s Season, before Seasons) {
	for i, b := range before {
		if b.ID == s.ID {
			c.bad("id", "is there twice")
		}
		if i == len(before)-1 && !s.From.IsZero() && s.From.Before(b.Until) {
			c.bad("from", "must not be before the end of %s", b.ID)
		}
		if s.Avatars != nil && b.Avatars != nil && s.Avatars.First <= b.Avatars.Last && b.Avatars.First <= s.Avatars.Last {
			c.bad("avatars.first", "%s has some of these ids", b.ID)
		}
	}
}

func (c *checker) time(field, text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		c.bad(field, "must be a time such as 2026-01-01T00:00:00Z")
	}
	return at
}

func (c *checker) amount(field, text string) money.Units {
	amount, err := money.ParseDecimal(text, Decimals)
	if err != nil || amount.IsZero() {
		c.bad(field, "must be an amount of GOD above 0, such as \"100\", with at most %d decimals", Decimals)
	}
	return amount
}

func (c *checker) tokenID(field, text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || id > maxTokenID {
		c.bad(field, "must be a number from 1 to %d", int64(maxTokenID))
		return 0
	}
	return id
}
