package draw

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"gopkg.in/yaml.v3"
)

//go:embed tables.yaml
var builtIn []byte

// Tables are all versions of all drop tables.
type Tables struct{ all []Table }

// BuiltIn returns the tables that come with the portal.
func BuiltIn() (*Tables, error) { return ParseTables(builtIn) }

// ParseTables reads tables from YAML and checks each, and that versions follow one another. The error has every fault, by
// table and field.
func ParseTables(text []byte) (*Tables, error) {
	var file struct {
		Tables []Table `yaml:"tables"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("drop tables: %w", err)
	}
	var faults []error
	last := map[string]Table{}
	for _, t := range file.Tables {
		faults = append(faults, t.Validate())
		before, ok := last[t.Kind]
		switch {
		case t.Version != before.Version+1:
			faults = append(faults, fmt.Errorf("%s %d: version: must be %d", t.Kind, t.Version, before.Version+1))
		case ok && !t.From.After(before.From):
			faults = append(faults, fmt.Errorf("%s %d: from: must be after that of version %d", t.Kind, t.Version, before.Version))
		}
		last[t.Kind] = t
	}
	if len(file.Tables) == 0 {
		faults = append(faults, errors.New("drop tables: there is none"))
	}
	return &Tables{file.Tables}, errors.Join(faults...)
}

// TablesOf returns tables that were checked before.
func TablesOf(all []Table) *Tables { return &Tables{slices.Clone(all)} }

// All returns every version of every table, in their order.
func (t *Tables) All() []Table { return slices.Clone(t.all) }

// At returns the table of a kind that is in force at a time, and whether there is one.
func (t *Tables) At(kind string, at time.Time) (found Table, ok bool) {
	for _, table := range t.all {
		if table.Kind == kind && !at.Before(table.From) {
			found, ok = table, true // later versions come later
		}
	}
	return found, ok
}

// Next returns the table of a kind that follows the one in force at a time, and whether one is announced.
func (t *Tables) Next(kind string, at time.Time) (Table, bool) {
	i := slices.IndexFunc(t.all, func(table Table) bool { return table.Kind == kind && at.Before(table.From) })
	if i < 0 {
		return Table{}, false
	}
	return t.all[i], true
}

// Follows checks that the tables may take the place of those before: nothing that was in force or announced has changed
// or gone, and what is new begins after now. The first tables may have begun.
func (t *Tables) Follows(before *Tables, now time.Time) error {
	if len(before.all) == 0 {
		return nil
	}
	var faults []error
	for _, old := range before.all {
		i := slices.IndexFunc(t.all, func(table Table) bool { return table.Kind == old.Kind && table.Version == old.Version })
		switch {
		case i < 0:
			faults = append(faults, fmt.Errorf("%s %d: version: was announced and cannot go", old.Kind, old.Version))
		case t.all[i].Hash() != old.Hash():
			faults = append(faults, fmt.Errorf("%s %d: version: was announced and cannot change; add a version", old.Kind, old.Version))
		}
	}
	for _, table := range t.all {
		known := slices.ContainsFunc(before.all, func(old Table) bool { return table.Kind == old.Kind && table.Version == old.Version })
		if !known && !table.From.After(now) {
			faults = append(faults, fmt.Errorf("%s %d: from: %s is over; a version is announced before it begins",
				table.Kind, table.Version, table.From.UTC().Format(time.RFC3339)))
		}
	}
	return errors.Join(faults...)
}
