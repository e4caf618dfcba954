package claim

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/reload"
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

// builtIn are the seasons used if no file is configured.
//
//go:embed seasons.yaml
var builtIn []byte

// Seasons are the seasons of the last valid version of a file, which is read again when it changes. It is safe for
// concurrent use.
type Seasons struct{ file *reload.File[[]Season] }

// OpenSeasons reads a file, or the built-in seasons if path is "". It fails if the file is unreadable or invalid, listing
// every error. report receives the errors of later versions.
func OpenSeasons(path string, report func(error)) (*Seasons, error) {
	f, err := reload.Open(path, "seasons.yaml", builtIn, parse, report)
	return &Seasons{f}, err
}

// At returns the season that is open at a time, and the first that begins after it; nil for none.
func (s *Seasons) At(at time.Time) (now, next *Season) {
	for _, season := range s.file.Current() {
		switch {
		case at.Before(season.From):
			return now, &season
		case at.Before(season.Until):
			now = &season
		}
	}
	return now, nil
}

// text is a scalar with its line in the file; 0 for one that is missing.
type text struct {
	value string
	line  int
}

// UnmarshalYAML reads a scalar of any type as its text.
func (t *text) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: must be a single value", n.Line)
	}
	t.value, t.line = n.Value, n.Line
	return nil
}

// entry is one season in the file.
type entry struct {
	ID    text `yaml:"id"`
	Name  text `yaml:"name"`
	From  text `yaml:"from"`
	Until text `yaml:"until"`
	Vault struct {
		Default  text            `yaml:"default"`
		Rarities map[string]text `yaml:"rarities"`
	} `yaml:"vault"`
	Avatars *struct {
		First text `yaml:"first"`
		Last  text `yaml:"last"`
	} `yaml:"avatars"`
}

// parse reads seasons from YAML. The error lists every fault by line, season and field.
func parse(file string, raw []byte) ([]Season, error) {
	var content struct {
		Seasons []entry `yaml:"seasons"`
	}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(&content); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var nodes struct {
		Seasons []yaml.Node `yaml:"seasons"`
	}
	if err := yaml.Unmarshal(raw, &nodes); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []Season
	var faults []error
	for i, e := range content.Seasons {
		c := checker{file: file, line: nodes.Seasons[i].Line, season: e.ID.value}
		if c.season == "" {
			c.season = fmt.Sprintf("season %d", i+1)
		}
		s := c.convert(e)
		c.follows(e, s, all)
		all = append(all, s)
		faults = append(faults, c.faults...)
	}
	return all, errors.Join(faults...)
}

// checker collects the faults of one season.
type checker struct {
	file   string
	line   int // where the season begins
	season string
	faults []error
}

func (c *checker) bad(field string, at text, format string, args ...any) {
	line := at.line
	if line == 0 {
		line = c.line
	}
	c.faults = append(c.faults, fmt.Errorf("%s:%d: %s: %s: %s", c.file, line, c.season, field, fmt.Sprintf(format, args...)))
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
	s := Season{ID: e.ID.value, Name: e.Name.value, From: c.time("from", e.From), Until: c.time("until", e.Until)}
	if !idPattern.MatchString(s.ID) || len(s.ID) > maxID {
		c.bad("id", e.ID, "must be lower-case words joined by dashes, at most %d characters", maxID)
	}
	if s.Name == "" || len(s.Name) > maxName {
		c.bad("name", e.Name, "must have 1 to %d characters", maxName)
	}
	if !s.From.IsZero() && !s.Until.IsZero() && !s.From.Before(s.Until) {
		c.bad("until", e.Until, "must be after from")
	}
	s.Vault = Vault{Default: c.amount("vault.default", e.Vault.Default), Rarities: map[rarity.Rarity]money.Units{}}
	for _, name := range slices.Sorted(maps.Keys(e.Vault.Rarities)) {
		field := "vault.rarities." + name
		if rarity.Rarity(name).Rank() < 0 {
			c.bad(field, e.Vault.Rarities[name], "is none of the rarities %v", rarity.All())
		}
		s.Vault.Rarities[rarity.Rarity(name)] = c.amount(field, e.Vault.Rarities[name])
	}
	if e.Avatars != nil {
		s.Avatars = &IDs{First: c.tokenID("avatars.first", e.Avatars.First), Last: c.tokenID("avatars.last", e.Avatars.Last)}
		if s.Avatars.Last != 0 && s.Avatars.Last < s.Avatars.First {
			c.bad("avatars.last", e.Avatars.Last, "must not be less than avatars.first")
		}
	}
	return s
}

// follows checks a season against those before it.
func (c *checker) follows(e entry, s Season, before []Season) {
	for i, b := range before {
		if b.ID == s.ID {
			c.bad("id", e.ID, "is there twice")
		}
		if i == len(before)-1 && !s.From.IsZero() && s.From.Before(b.Until) {
			c.bad("from", e.From, "must not be before the end of %s", b.ID)
		}
		if s.Avatars != nil && b.Avatars != nil && s.Avatars.First <= b.Avatars.Last && b.Avatars.First <= s.Avatars.Last {
			c.bad("avatars.first", e.Avatars.First, "%s has some of these ids", b.ID)
		}
	}
}

func (c *checker) time(field string, t text) time.Time {
	at, err := time.Parse(time.RFC3339, t.value)
	if err != nil {
		c.bad(field, t, "must be a time such as 2026-01-01T00:00:00Z")
	}
	return at
}

func (c *checker) amount(field string, t text) money.Units {
	amount, err := money.ParseDecimal(t.value, Decimals)
	if err != nil || amount.IsZero() {
		c.bad(field, t, "must be an amount of GOD above 0, such as \"100\", with at most %d decimals", Decimals)
	}
	return amount
}

func (c *checker) tokenID(field string, t text) int64 {
	id, err := strconv.ParseInt(t.value, 10, 64)
	if err != nil || id < 1 || id > maxTokenID {
		c.bad(field, t, "must be a number from 1 to %d", int64(maxTokenID))
		return 0
	}
	return id
}
