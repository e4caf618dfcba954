// Package jsontext edits JSON texts as trees, for tests of strict readers. A tree keeps what encoding/json does not: the order of
// fields, fields that occur twice, and how numbers and strings are spelled.
package jsontext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Value is a value of a JSON text.
type Value struct {
	Text  string   // as it is spelled; "{" for an object and "[" for an array
	Keys  []string // an object's, as they are spelled, with quotation marks
	Items []*Value // an object's, as many as there are keys, or an array's
}

// Parse reads a text. It is lenient: a scalar is whatever is not a bracket, comma, colon or blank.
func Parse(text string) (*Value, error) {
	p := parser{text}
	v, err := p.value()
	if err == nil && p.peek() != 0 {
		err = fmt.Errorf("jsontext: more after the value: %.20q", p.rest)
	}
	return v, err
}

type parser struct{ rest string }

// peek skips blanks and returns the next character; 0 at the end.
func (p *parser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) value() (*Value, error) {
	switch open := p.peek(); open {
	case '{', '[':
		return p.items(open)
	default:
		text, err := p.scalar()
		return &Value{Text: text}, err
	}
}

func (p *parser) items(open byte) (*Value, error) {
	v, end := &Value{Text: string(open)}, byte(open+2) // in ASCII, } follows { and ] follows [ by 2
	p.rest = p.rest[1:]
	for p.peek() != end {
		if len(v.Items) > 0 && !p.skip(',') {
			return nil, errors.New("jsontext: no comma between two items")
		}
		if open == '{' {
			p.peek()
			key, err := p.scalar()
			if err != nil || !p.skip(':') {
				return nil, fmt.Errorf("jsontext: no colon after the key %q (%w)", key, err)
			}
			v.Keys = append(v.Keys, key)
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
	}
	p.rest = p.rest[1:]
	return v, nil
}

func (p *parser) skip(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// scalar reads a string or anything else up to a separator.
func (p *parser) scalar() (string, error) {
	end := 0
	if strings.HasPrefix(p.rest, `"`) {
		for end = 1; end < len(p.rest) && p.rest[end] != '"'; end++ {
			if p.rest[end] == '\\' {
				end++
			}
		}
		end++
	} else if end = strings.IndexAny(p.rest, "{}[],: \t\r\n\""); end < 0 {
		end = len(p.rest)
	}
	if end == 0 || end > len(p.rest) {
		return "", fmt.Errorf("jsontext: no value at %.20q", p.rest)
	}
	text := p.rest[:end]
	p.rest = p.rest[end:]
	return text, nil
}

// String returns the text, without blanks.
func (v *Value) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *Value) write(b *strings.Builder) {
	b.WriteString(v.Text)
	if v.Text != "{" && v.Text != "[" {
		return
	}
	for i, item := range v.Items {
		if i > 0 {
			b.WriteByte(',')
		}
		if v.Text == "{" {
			b.WriteString(v.Keys[i])
			b.WriteByte(':')
		}
		item.write(b)
	}
	b.WriteByte(v.Text[0] + 2)
}

// Clone returns a copy that shares nothing with the value.
func (v *Value) Clone() *Value {
	c := &Value{Text: v.Text, Keys: slices.Clone(v.Keys)}
	for _, item := range v.Items {
		c.Items = append(c.Items, item.Clone())
	}
	return c
}

// At returns the value that a path of keys (string) and indexes (int) leads to, or nil.
func (v *Value) At(path ...any) *Value {
	for _, step := range path {
		i, ok := step.(int)
		if key, isKey := step.(string); isKey {
			i, ok = slices.Index(v.Keys, Quote(key)), true
		}
		if !ok || i < 0 || i >= len(v.Items) {
			return nil
		}
		v = v.Items[i]
	}
	return v
}

// Walk calls fn for the value and all below it with the path to it, such as a.b[2]: "" for the value itself.
func (v *Value) Walk(fn func(path string, v *Value)) { v.walk("", fn) }

func (v *Value) walk(path string, fn func(string, *Value)) {
	fn(path, v)
	for i, item := range v.Items {
		switch {
		case v.Text == "[":
			item.walk(fmt.Sprintf("%s[%d]", path, i), fn)
		case path == "":
			item.walk(strings.Trim(v.Keys[i], `"`), fn)
		default:
			item.walk(path+"."+strings.Trim(v.Keys[i], `"`), fn)
		}
	}
}

// Quote spells a string as JavaScript's JSON.stringify does, except for lone surrogates, which Go's strings cannot have.
func Quote(s string) string {
	b := strings.Builder{}
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("btnvfr"[c-'\b'])
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
