package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// terminal writes to an operator's terminal. Names, notes and messages of others may have characters that a terminal obeys or that
// reorder a line (Unicode Standard Annex 9): everything but what is visible, spaces, tabs and line breaks is written as an escape of Go's
// strings.
type terminal struct{ io.Writer }

// Write implements io.Writer, for whole characters.
func (t terminal) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for rest := b; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, rest[0])
		case r == '\n', r == '\t', unicode.IsGraphic(r):
			out.Write(rest[:size])
		case r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\U%08x`, r)
		}
		rest = rest[size:]
	}
	if _, err := t.Writer.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// oneLine escapes the line breaks of a text of others, so that it cannot pass for further lines.
func oneLine(text string) string { return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(text) }

// escapeJSON escapes what a terminal obeys or that reorders a line as JSON does. It occurs in the strings of a document only.
func escapeJSON(document []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(document) {
		if r == '\n' || unicode.IsGraphic(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.Bytes()
}
