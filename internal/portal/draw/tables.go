package draw

import (
	"errors"
	"fmt"
	"slices"

	"pantheon/internal/kit/section"
)

// Tables are all editions of all drop tables.
type Tables struct {
	all  []Table
	list *section.List[Table] // where all are from; nil for tables that are not from a file
}

// CheckGrant says why a drop cannot give something, or returns nil.
type CheckGrant func(Grant) error

// Section is the section of a file that ParseTables reads.
const Section = "tables"

// ParseTables reads the section of YAML files; there are no tables where none has it. It checks each table, what its drops
// give, and that tables agree with one another.
// The error has every fault, by the line in the file, the table and the field.
func ParseTables(files section.Files, check CheckGrant) (*Tables, error) {
	if !files.Has(Section) {
		return &Tables{}, nil
	}
	list, err := section.Read[Table](Section, files)
	if err != nil {
		return nil, err
	}
	t := &Tables{all: list.Entries, list: &list}
	if len(t.all) == 0 {
		return nil, fmt.Errorf("%s: tables: there is none", list.Place())
	}
	var faults []error
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
		for _, f := range t.conflicts(i) {
			faults = append(faults, t.at(i, f))
		}
	}
	return t, errors.Join(faults...)
}

// conflicts returns what is wrong with table i beside those before it.
func (t *Tables) conflicts(i int) (faults []fault) {
	table, last := t.all[i], 0
	for _, before := range t.all[:i] {
		if before.Kind == table.Kind {
			last = before.Edition
			if (before.Token == "") != (table.Token == "") {
				faults = append(faults, fault{[]any{"token"}, "either all editions of a kind have a token, or none"})
			}
		}
		if before.Token != "" && before.Token == table.Token {
			faults = append(faults, fault{
				[]any{"token"}, fmt.Sprintf("is that of %s, edition %d: a pack has one table for ever", before.Kind, before.Edition),
			})
		}
		faults = append(faults, before.contradicts(table)...)
	}
	if table.Edition != last+1 {
		faults = append(faults, fault{[]any{"edition"}, fmt.Sprintf("must be %d", last+1)})
	}
	return faults
}

// contradicts returns what is wrong with a table that follows t in the list: series and caps hold in all.
func (t Table) contradicts(next Table) (faults []fault) {
	next.checkSeries(func(why string, path ...any) { faults = append(faults, fault{path, why}) }, t.meanings(),
		fmt.Sprintf("%s %d", t.Kind, t.Edition))
	for _, c := range t.Caps {
		i := slices.IndexFunc(next.Caps, func(n Cap) bool { return n.Item == c.Item })
		switch {
		case !next.gives(c.Item):
		case t.Kind != next.Kind:
			faults = append(faults, fault{
				[]any{"drops"}, fmt.Sprintf("give %s, of which %s has a limited number: no other kind can", c.Item, t.Kind),
			})
		case i < 0:
			faults = append(faults, fault{[]any{"caps"}, fmt.Sprintf("lack %s, which edition %d limits to %d", c.Item, t.Edition, c.Most)})
		case next.Caps[i].Most > c.Most:
			faults = append(faults, fault{[]any{"caps", i, "most"}, fmt.Sprintf("is more than the %d of edition %d", c.Most, t.Edition)})
		}
	}
	for i, c := range next.Caps {
		if t.Kind != next.Kind && t.gives(c.Item) {
			faults = append(faults, fault{
				[]any{"caps", i, "item"}, fmt.Sprintf("is given by %s too: only one kind can give what is limited", t.Kind),
			})
		}
	}
	return faults
}

// eachGrant calls fn for each grant with the path to it.
func (t Table) eachGrant(fn func(g Grant, path ...any)) {
	for i, d := range t.Drops {
		for j, g := range d.Gives {
			fn(g, "drops", i, "gives", j)
		}
	}
}

// gives reports whether any drop gives an item.
func (t Table) gives(item string) bool {
	return slices.ContainsFunc(t.Drops, func(d Drop) bool { return d.Units(item) > 0 })
}

// Agree returns what is wrong with tables beside one another: an item without its cap, a larger one, a series with two meanings, a
// token with two tables. The editions of a kind must be in order.
func (t *Tables) Agree() error {
	var faults []error
	for i := range t.all {
		for _, f := range t.conflicts(i) {
			faults = append(faults, t.at(i, f))
		}
	}
	return errors.Join(faults...)
}

// at returns a fault of table i with its place in the file.
func (t *Tables) at(i int, f fault) error {
	err := fmt.Errorf("%s %d: %s", t.all[i].Kind, t.all[i].Edition, f)
	if t.list == nil {
		return err
	}
	return fmt.Errorf("%s: %w", t.list.Place(append([]any{i}, f.path...)...), err)
}

// TablesOf returns tables that were checked before.
func TablesOf(all []Table) *Tables { return &Tables{all: slices.Clone(all)} }

// All returns every edition of every kind, in their order.
func (t *Tables) All() []Table { return slices.Clone(t.all) }

// Edition returns an edition of a kind, and whether there is one.
func (t *Tables) Edition(kind string, edition int) (Table, bool) {
	return t.find(func(table Table) bool { return table.Kind == kind && table.Edition == edition })
}

// OfToken returns the table of a pack by its id in the chests contract, and whether there is one.
func (t *Tables) OfToken(id string) (Table, bool) {
	return t.find(func(table Table) bool { return id != "" && table.Token == id })
}

func (t *Tables) find(is func(Table) bool) (Table, bool) {
	if i := slices.IndexFunc(t.all, is); i >= 0 {
		return t.all[i], true
	}
	return Table{}, false
}

// Editions returns the editions of a kind, the newest first.
func (t *Tables) Editions(kind string) (out []Table) {
	for _, table := range slices.Backward(t.all) {
		if table.Kind == kind {
			out = append(out, table)
		}
	}
	return out
}

// Follows checks that the tables may take the place of those before: none has changed or gone.
func (t *Tables) Follows(before *Tables) error {
	var faults []error
	for _, old := range before.all {
		i := slices.IndexFunc(t.all, func(table Table) bool { return table.Kind == old.Kind && table.Edition == old.Edition })
		switch {
		case i < 0:
			err := fmt.Errorf("%s %d: an edition that was known cannot go", old.Kind, old.Edition)
			if t.list != nil {
				err = fmt.Errorf("%s: %w", t.list.Place(), err)
			}
			faults = append(faults, err)
		case t.all[i].Hash() != old.Hash():
			faults = append(faults, t.at(i, fault{[]any{"edition"}, "was known with another table, and an edition never changes; add an edition"}))
		}
	}
	return errors.Join(faults...)
}
