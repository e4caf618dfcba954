// Package section reads YAML files of several top-level sections, each of which is a list that another part of the program
// knows. Errors name every fault by file, line and field.
package section

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// List is a section: entries of type T.
type List[T any] struct {
	Entries []T
	file    string
	node    *yaml.Node // the sequence of the entries
}

// File is a file: its name, for errors, and its text, which is nil for a file that does not exist.
type File struct {
	Name string
	Text []byte
}

// Files are files of which each takes the place of those after it, section by section.
type Files []File

// Text returns a file by its name and its text.
func Text(name, text string) Files { return Files{{name, []byte(text)}} }

// Over returns a file that takes precedence over another one. The first is left out if it has no name, the other if it does not exist or
// is an earlier version of the same file.
func Over(name string, text []byte, other File) (files Files) {
	if name != "" {
		files = append(files, File{name, text})
	}
	if other.Text != nil && other.Name != name {
		files = append(files, other)
	}
	return files
}

// Has reports whether one of the files has the section of a name. Files that are malformed count as if they had it: Read says why.
func (f Files) Has(name string) bool {
	return slices.ContainsFunc(f, func(file File) bool {
		root, err := parse(file.Name, file.Text)
		if err != nil || root == nil {
			return err != nil
		}
		_, node := child(root, name)
		return node != nil
	})
}

// Read returns the section of a name from the first of the files that has it; that none has is a fault. Fields that T lacks are
// faults. The caller checks the values, which are complete only without an error.
func Read[T any](name string, files Files) (List[T], error) {
	if len(files) == 0 {
		return List[T]{}, fmt.Errorf("%s: is missing", name)
	}
	file, text := files[0].Name, files[0].Text
	root, err := parse(file, text)
	if err != nil {
		return List[T]{}, err
	}
	var node *yaml.Node
	if root != nil {
		_, node = child(root, name)
	}
	if node == nil {
		if len(files) > 1 {
			return Read[T](name, files[1:])
		}
		return List[T]{}, fmt.Errorf("%s: %s: is missing", file, name)
	}
	if resolve(node).Kind != yaml.SequenceNode {
		return List[T]{}, fmt.Errorf("%s:%d: %s: must be a list", file, node.Line, name)
	}
	var faults []error
	each(node, name, reflect.TypeFor[[]T](), func(path string, key, value *yaml.Node, as reflect.Type) {
		switch {
		case key == nil && value.Tag == "!!null":
			faults = append(faults, fmt.Errorf("%s:%d: %s: is empty", file, value.Line, path))
		case as == reflect.TypeFor[time.Time]() && !isTime(value):
			faults = append(faults, fmt.Errorf("%s:%d: %s: must be a time such as 2026-01-01T00:00:00Z", file, value.Line, path))
		}
	})
	if len(faults) > 0 { // the library leaves these out, or names no line
		return List[T]{}, errors.Join(faults...)
	}
	l := List[T]{file: file, node: resolve(node)}
	// The other sections are taken as they are.
	content := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "Section", Type: reflect.TypeFor[[]T](), Tag: reflect.StructTag(fmt.Sprintf("yaml:%q", name))},
		{Name: "Others", Type: reflect.TypeFor[map[string]yaml.Node](), Tag: `yaml:",inline"`},
	}))
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(content.Interface()); err != nil {
		faults = located(file, err, func(f func(path string, key, value *yaml.Node, as reflect.Type)) {
			each(node, name, reflect.TypeFor[[]T](), f)
		})
	}
	l.Entries = content.Elem().Field(0).Interface().([]T)
	return l, errors.Join(faults...)
}

// Place returns file and line of the field that a path leads to: the index of an entry, then names and indexes. For a
// field that is missing it is the line of the innermost part of the path that is there.
func (l List[T]) Place(path ...any) string {
	n, line := l.node, l.node.Line
	for _, step := range path {
		key, value := child(n, step)
		if value == nil {
			break
		}
		n, line = value, key.Line
	}
	return fmt.Sprintf("%s:%d", l.file, line)
}

// Names checks that a file has at least one of the named sections, and no others.
func Names(file string, text []byte, names ...string) error {
	root, err := parse(file, text)
	if err != nil {
		return err
	}
	if root == nil || len(root.Content) == 0 {
		return fmt.Errorf("%s: has none of the sections %s", file, strings.Join(names, ", "))
	}
	var faults []error
	for i := 0; i < len(root.Content); i += 2 {
		if key := root.Content[i]; !slices.Contains(names, key.Value) {
			faults = append(faults, fmt.Errorf("%s:%d: %s: is none of the sections %s", file, key.Line, key.Value, strings.Join(names, ", ")))
		}
	}
	return errors.Join(faults...)
}

// Join returns the faults of a file's sections, in their order. What concerns the whole file is a fault of every section, and
// named once.
func Join(faults ...error) error {
	return errors.Join(slices.CompactFunc(faults, func(a, b error) bool {
		return a != nil && b != nil && a.Error() == b.Error()
	})...)
}

// parse returns the mapping that a text consists of, or nil for an empty text.
func parse(file string, text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, errors.Join(located(file, err, nil)...)
	}
	root := doc.Content[0]
	if root.Tag == "!!null" {
		return nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: must be a mapping of sections", file, root.Line)
	}
	var faults []error
	each(&doc, "", nil, func(_ string, key, _ *yaml.Node, _ reflect.Type) {
		if key != nil && key.Kind != yaml.ScalarNode { // the library panics over some
			faults = append(faults, fmt.Errorf("%s:%d: a key must be a single value", file, key.Line))
		}
	})
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	var next yaml.Node
	if err := d.Decode(&next); err == nil {
		return nil, fmt.Errorf("%s:%d: must be a single document", file, next.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, errors.Join(located(file, err, nil)...)
	}
	return root, nil
}

// child returns an entry of a mapping or sequence, with the node where it begins, or nil.
func child(n *yaml.Node, step any) (begin, value *yaml.Node) {
	n = resolve(n)
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

func isTime(n *yaml.Node) bool {
	n = resolve(n)
	_, err := time.Parse(time.RFC3339, n.Value)
	return n.ShortTag() == "!!timestamp" || err == nil
}

func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// each calls f for everything below a node, in order, with its path and the Go type that it is read as, nil for none. key is
// nil for entries of lists. Aliases are not followed.
func each(n *yaml.Node, path string, as reflect.Type, f func(path string, key, value *yaml.Node, as reflect.Type)) {
	for i := 0; i < len(n.Content); i++ {
		var key *yaml.Node
		at := fmt.Sprintf("%s[%d]", path, i)
		if n.Kind == yaml.MappingNode {
			key, at = n.Content[i], path+"."+n.Content[i].Value
			i++
		}
		below := typeBelow(as, key)
		f(at, key, n.Content[i], below)
		each(n.Content[i], at, below, f)
	}
}

// typeBelow returns the type of the entries of a list, or of the field that a key names, without pointers; nil for none.
func typeBelow(as reflect.Type, key *yaml.Node) (below reflect.Type) {
	switch {
	case as == nil:
	case as.Kind() == reflect.Slice && key == nil, as.Kind() == reflect.Map && key != nil:
		below = as.Elem()
	case as.Kind() == reflect.Struct && key != nil:
		for field := range as.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); name == key.Value {
				below = field.Type
			}
		}
	}
	if below != nil && below.Kind() == reflect.Pointer {
		below = below.Elem()
	}
	return below
}

// What the YAML library says of faults.
var (
	atLine    = regexp.MustCompile(`^(?:yaml: )?line ([0-9]+): (?s:(.*))$`)
	notFound  = regexp.MustCompile(`^field (.+) not found in type `)
	twice     = regexp.MustCompile(`^mapping key "(.+)" already defined at line `)
	wrongType = regexp.MustCompile("^cannot unmarshal (\\S+)(?: `(?s:(.*))`)? into (?s:(.*))$")
)

// located returns the faults of an error of the YAML library, each with its line and, if visit visits it, its field.
func located(file string, err error, visit func(func(path string, key, value *yaml.Node, as reflect.Type))) (faults []error) {
	texts := []string{err.Error()}
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok {
		texts = typed.Errors
	}
	used := map[*yaml.Node]bool{} // each node answers one error, so that equal values on one line get a field each
	field := func(line int, is func(key, value *yaml.Node, as reflect.Type) bool) (path string) {
		if visit == nil {
			return ""
		}
		visit(func(p string, key, value *yaml.Node, as reflect.Type) {
			if path == "" && !used[value] && is(key, value, as) && (value.Line == line || key != nil && key.Line == line) {
				path, used[value] = p+": ", true
			}
		})
		return path
	}
	for _, text := range texts {
		parts := atLine.FindStringSubmatch(text)
		if parts == nil {
			faults = append(faults, fmt.Errorf("%s: %s", file, strings.TrimPrefix(text, "yaml: ")))
			continue
		}
		line, _ := strconv.Atoi(parts[1]) // digits
		why := parts[2]
		path := ""
		switch {
		case notFound.MatchString(why):
			name := notFound.FindStringSubmatch(why)[1]
			path = field(line, func(key, _ *yaml.Node, as reflect.Type) bool { return as == nil && key != nil && key.Value == name })
			why = "there is no such field"
		case twice.MatchString(why):
			name := twice.FindStringSubmatch(why)[1]
			path, why = name+": ", "is there twice"
		case wrongType.MatchString(why):
			m := wrongType.FindStringSubmatch(why)
			value := strings.TrimSuffix(m[2], "...")
			path = field(line, func(_, n *yaml.Node, as reflect.Type) bool {
				return as != nil && as.String() == m[3] && n.ShortTag() == m[1] && strings.HasPrefix(n.Value, value)
			})
			why = wanted(m[1], m[3])
		}
		faults = append(faults, fmt.Errorf("%s:%d: %s%s", file, line, path, why))
	}
	return faults
}

// wanted says what a value must be to fit a Go type; tag is the type that it has in the YAML.
func wanted(tag, goType string) string {
	switch {
	case strings.HasPrefix(goType, "int") || strings.HasPrefix(goType, "uint"):
		return "must be a whole number"
	case goType == "bool":
		return "must be true or false"
	case strings.HasPrefix(goType, "[]"):
		return "must be a list"
	case tag == "!!seq":
		return "must not be a list"
	case tag == "!!map":
		return "must not be a mapping"
	}
	return "must be a mapping"
}
