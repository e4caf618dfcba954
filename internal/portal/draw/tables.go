package draw

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/section"
)

//go:embed tables.yaml
var builtIn []byte

// Tables are all versions of all drop tables.
type Tables struct {
	all  []Table
	list *section.List[Table] // where all are from; nil for tables that are not from a file
}

// CheckGrant says why a drop cannot give something, or returns nil.
type CheckGrant func(Grant) error

// Section is the section of a file that ParseTables reads.
const Section = "tables"

// BuiltIn returns the tables that come with the portal.
func BuiltIn(check CheckGrant) (*Tables, error) { return ParseTables("", nil, check) }

// ParseTables reads the section of a YAML file, or the built-in tables if the text has none. It checks each table, what its
// drops give, and that versions follow one another. The error has every fault, by the line in the file, the table and the
// field.
func ParseTables(file string, text []byte, check CheckGrant) (*Tables, error) {
	list, err := section.Read[Table](Section, file, text, builtIn)
	if err != nil {
		return nil, err
	}
	t := &Tables{all: list.Entries, list: &list}
	if len(t.all) == 0 {
		return nil, fmt.Errorf("%s: tables: there is none", list.Place())
	}
	var faults []error
	last := map[string]Table{}
	for i, table := range t.all {
		for _, f := range table.faults() {
			faults = append(faults, t.at(i, f))
		}
		for j, drop := range table.Drops {
			for k, grant := range drop.Gives {
				if err := check(grant); err != nil {
					faults = append(faults, t.at(i, fault{[]any{"drops", j, "gives", k}, err.Error()}))
				}
			}
		}
		before, ok := last[table.Kind]
		switch {
		case table.Version != before.Version+1:
			faults = append(faults, t.at(i, fault{[]any{"version"}, fmt.Sprintf("must be %d", before.Version+1)}))
		case ok && !table.From.After(before.From):
			faults = append(faults, t.at(i, fault{[]any{"from"}, fmt.Sprintf("must be after that of version %d", before.Version)}))
		}
		last[table.Kind] = table
	}
	return t, errors.Join(faults...)
}

// at returns a fault of table i with its place in the file.
func (t *Tables) at(i int, f fault) error {
	err := fmt.Errorf("%s %d: %s", t.all[i].Kind, t.all[i].Version, f)
	if t.list == nil {
		return err
	}
	return fmt.Errorf("%s: %w", t.list.Place(append([]any{i}, f.path...)...), err)
}

// Covers returns an error unless there is a table for each of the kinds that are opened by burning, because a burn without a
// table is never drawn. All other kinds are bought, and must have no pity rule: it counts the openings of a wallet, and a
// purchase has none.
func (t *Tables) Covers(burned []string) error {
	var faults []error
	for i, table := range t.all {
		if table.Pity != nil && !slices.Contains(burned, table.Kind) {
			faults = append(faults, t.at(i, fault{[]any{"pity"}, fmt.Sprintf("is for the kinds %s: no wallet opens the others", strings.Join(burned, ", "))}))
		}
	}
	for _, kind := range burned {
		if !slices.ContainsFunc(t.all, func(table Table) bool { return table.Kind == kind }) {
			faults = append(faults, fmt.Errorf("%s: tables: there is none of the kind %s", t.list.Place(), kind))
		}
	}
	return errors.Join(faults...)
}

// TablesOf returns tables that were checked before.
func TablesOf(all []Table) *Tables { return &Tables{all: slices.Clone(all)} }

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
// or gone, and what is new begins after now. The first table of a kind may have begun: nothing was drawn of the kind before.
func (t *Tables) Follows(before *Tables, now time.Time) error {
	var faults []error
	for _, old := range before.all {
		i := slices.IndexFunc(t.all, func(table Table) bool { return table.Kind == old.Kind && table.Version == old.Version })
		switch {
		case i < 0:
			err := fmt.Errorf("%s %d: was announced and cannot go", old.Kind, old.Version)
			if t.list != nil {
				err = fmt.Errorf("%s: %w", t.list.Place(), err)
			}
			faults = append(faults, err)
		case t.all[i].Hash() != old.Hash():
			faults = append(faults, t.at(i, fault{[]any{"version"}, "was announced and cannot change; add a version"}))
		}
	}
	for i, table := range t.all {
		ofKind := func(old Table) bool { return table.Kind == old.Kind }
		known := slices.ContainsFunc(before.all, func(old Table) bool { return ofKind(old) && table.Version == old.Version })
		if !known && !table.From.After(now) && slices.ContainsFunc(before.all, ofKind) {
			over := table.From.UTC().Format(time.RFC3339) + " is over; a version is announced before it begins"
			faults = append(faults, t.at(i, fault{[]any{"from"}, over}))
		}
	}
	return errors.Join(faults...)
}
