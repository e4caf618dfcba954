package main

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"
)

func TestTerminal_EscapesWhatATerminalObeysOrReorders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Zeus Ζεύς زيوس 宙斯 ⚡️\n\tZoë":                      "Zeus Ζεύς زيوس 宙斯 ⚡️\n\tZoë", // as it is
		"\x1b[2J\x1b]0;title\a\r\b\x7f":                    `\u001b[2J\u001b]0;title\u0007\u000d\u0008\u007f`,
		"\u0085\u009b31m":                                  `\u0085\u009b31m`,
		"\u202eevil\u202c \u2066x\u2069":                   `\u202eevil\u202c \u2066x\u2069`,
		"\u200e\u200f\u061c\u200b\ufeff\u2028\u2029\u00ad": `\u200e\u200f\u061c\u200b\ufeff\u2028\u2029\u00ad`,
		"\U000e0041": `\U000e0041`,
		"\xff\xc3":   `\xff\xc3`,
	} {
		var out strings.Builder
		if n, err := fmt.Fprint(terminal{&out}, text); err != nil || n != len(text) || out.String() != want {
			t.Errorf("%q is written as %q (%d, %v), want %q", text, out.String(), n, err, want)
		}
	}
	var out strings.Builder
	table := tabwriter.NewWriter(terminal{&out}, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\u202eabc\tdéf")
	if err := table.Flush(); err != nil || out.String() != "\\u202eabc  déf\n" {
		t.Errorf("a table is written as %q, %v", out.String(), err)
	}
	if got := oneLine("a note\nplayer   Zeus\tX"); got != `a note\nplayer   Zeus\tX` {
		t.Errorf("one line: %q", got)
	}
}
