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
type Tables struct {
	file  string
	all   []Table
	nodes []yaml.Node // of each of all; nil for tables that are not from a file
}

// CheckGrant says why a drop cannot give something, or returns nil.
type CheckGrant func(Grant) error

// BuiltInName is the file of the tables that come with the portal.
const BuiltInName = "tables.yaml"

// BuiltInText returns the text of that file.
func BuiltInText() []byte { return slices.Clone(builtIn) }

// BuiltIn returns the tables that come with the portal.
func BuiltIn(check CheckGrant) (*Tables, error) { return ParseTables(BuiltInName, builtIn, check) }

// ParseTables reads tables from YAML and checks each, what its drops give, and that versions follow one another. The error
// has every fault, by the line in the file, the table and the field.
func ParseTables(file string, text []byte, check CheckGrant) (*Tables, error) {
	var content struct {
		Tables []Table `yaml:"tables"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&content); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var nodes struct {
		Tables []yaml.Node `yaml:"tables"`
	}
	if err := yaml.Unmarshal(text, &nodes); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t := &Tables{file: file, all: content.Tables, nodes: nodes.Tables}
	if len(t.all) == 0 {
		return nil, fmt.Errorf("%s: tables: there is none", file)
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
	if t.nodes == nil {
		return fmt.Errorf("%s %d: %s", t.all[i].Kind, t.all[i].Version, f)
	}
	return fmt.Errorf("%s:%d: %s %d: %s", t.file, lineOf(&t.nodes[i], f.path), t.all[i].Kind, t.all[i].Version, f)
}

// lineOf returns the line of the field that a path leads to, or of the innermost part of the path that is in the file.
func lineOf(n *yaml.Node, path []any) int {
	line := n.Line
	for _, step := range path {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		key, value := childOf(n, step)
		if value == nil {
			return line
		}
		n, line = value, key.Line
	}
	return line
}

// childOf returns the entry of a mapping or sequence, with the node where it begins, or nil.
func childOf(n *yaml.Node, step any) (begin, value *yaml.Node) {
	switch step := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && step < len(n.Content) {
			return n.Content[step], n.Content[step]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i], n.Content[i+1]
			}
		}
	}
	return nil, nil
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
			faults = append(faults, fmt.Errorf("%s: %s %d: was announced and cannot go", t.file, old.Kind, old.Version))
		case t.all[i].Hash() != old.Hash():
			faults = append(faults, t.at(i, fault{[]any{"version"}, "was announced and cannot change; add a version"}))
		}
	}
	for i, table := range t.all {
		known := slices.ContainsFunc(before.all, func(old Table) bool { return table.Kind == old.Kind && table.Version == old.Version })
		if !known && !table.From.After(now) {
			over := table.From.UTC().Format(time.RFC3339) + " is over; a version is announced before it begins"
			faults = append(faults, t.at(i, fault{[]any{"from"}, over}))
		}
	}
	return errors.Join(faults...)
}
