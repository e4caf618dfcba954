package woocommerce

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Plug-ins of shops change the types of fields: numbers become strings and strings numbers, PHP writes a list with gaps as an
// object, and anything may be null. The types below read what they can and take the rest as absent, so that one odd value
// never makes the others unreadable. None of their UnmarshalJSON fails.

// text is a string, or a number or boolean as it was written; "" for anything else.
type text string

// UnmarshalJSON reads a text.
func (t *text) UnmarshalJSON(b []byte) error {
	*t = ""
	if len(b) == 0 {
		return nil
	}
	switch b[0] {
	case '"':
		var s string
		if json.Unmarshal(b, &s) == nil {
			*t = text(strings.TrimSpace(s))
		}
	case '{', '[', 'n':
	default:
		*t = text(b)
	}
	return nil
}

// no reports whether a text is a boolean that is false.
func (t text) no() bool { return t == "false" || t == "0" || t == "no" }

// yes reports whether a text is a boolean that is true.
func (t text) yes() bool { return t == "true" || t == "1" || t == "yes" }

// whole returns the whole number that a text is, such as 2 for "2" and "2.0"; 0 for anything else.
func (t text) whole() int64 {
	if n, err := strconv.ParseInt(string(t), 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(string(t), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0
	}
	return int64(f)
}

// integer is a whole number, which may be written as a string or with zeros after the point; 0 for anything else.
type integer int64

// UnmarshalJSON reads an integer.
func (n *integer) UnmarshalJSON(b []byte) error {
	var t text
	_ = t.UnmarshalJSON(b)
	*n = integer(t.whole())
	return nil
}

// elements returns the elements of a list, or the values of an object by key; ok is false for anything else.
func elements(b []byte) (out []json.RawMessage, ok bool) {
	if json.Unmarshal(b, &out) == nil {
		return out, out != nil
	}
	var byKey map[string]json.RawMessage
	if json.Unmarshal(b, &byKey) != nil {
		return nil, false
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		out = append(out, byKey[key])
	}
	return out, true
}

func isObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == '{'
}

// list is a list of objects. Elements that are none are left out.
type list[T any] []T

// UnmarshalJSON reads a list.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	*l = nil
	all, _ := elements(b)
	for _, e := range all {
		var v T
		if isObject(e) && json.Unmarshal(e, &v) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

// metas are entries of metadata: a list of entries, one entry alone, or an object with their keys and values.
type metas []meta

type meta struct {
	Key   text `json:"key"`
	Value text `json:"value"`
}

// UnmarshalJSON reads metas.
func (m *metas) UnmarshalJSON(b []byte) error {
	var entries list[meta]
	_ = entries.UnmarshalJSON(b)
	*m = metas(entries)
	var named map[string]text
	if json.Unmarshal(b, &named) != nil {
		return nil
	}
	*m = append(*m, meta{named["key"], named["value"]})
	for key, value := range named {
		*m = append(*m, meta{text(key), value})
	}
	return nil
}
