package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What commands print has texts of players and shops.
func TestCommands_PrintThroughTheTerminal(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != "main.go" && !strings.HasSuffix(file, "_test.go") && strings.Contains(string(text), "os.Stdout") {
			t.Errorf("%s: print to the console in place of os.Stdout", file)
		}
	}
}
