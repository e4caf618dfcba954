package main

import (
	"strings"
	"testing"
)

// Spec: RUN-15
func TestMigrate_BringsTheSchemaUpToDateOnce(t *testing.T) {
	t.Parallel()
	settings := []string{"DATA_DIR=" + t.TempDir()}
	for _, c := range []struct{ line, want string }{
		{"migrate --dry-run", "The schema has version 0; this program brings it to 30.\n"},
		{"migrate", "The schema was brought from version 0 to 30.\n"},
		{"migrate", "The schema has version 30: there is nothing to do.\n"},
		{"migrate --dry-run", "The schema has version 30: there is nothing to do.\n"},
		{"migrate --json", "{\n  \"from\": 30,\n  \"to\": 30,\n  \"changed\": false\n}\n"},
	} {
		if out := must(t, settings, strings.Fields(c.line)...); out != c.want {
			t.Errorf("%s: %s, want %s", c.line, out, c.want)
		}
	}
}
