package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/brand"
)

// Spec: CHAIN-15
func TestBrandDir_TakesThePlaceOfTheBrandThatIsCompiledIn(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "ours")
	if err := brand.Init(folder); err != nil {
		t.Fatal(err)
	}
	con := &console{ctx: t.Context(), environ: []string{"BRAND_DIR=" + folder, "HEROES_ADDRESS=0x0000000000000000000000000000000000000721"}}
	c, err := con.load()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Contracts.Collections.Of("heroes").String(); got != "0x0000000000000000000000000000000000000721" {
		t.Errorf("heroes are at %s", got)
	}
	c.Complete()
	if c.FlagsFile != filepath.Join(folder, "flags.yaml") || c.GameRules != "" {
		t.Errorf("flags of %q, rules of %q; the folder has no rules", c.FlagsFile, c.GameRules)
	}

	// Commands work although the news has a fault.
	news := filepath.Join(folder, "news", "broken.md")
	if err := os.WriteFile(news, []byte("Text.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := con.load(); err != nil {
		t.Errorf("a command: %v", err)
	}
	if _, err := con.loadChecked(); err == nil || !strings.Contains(err.Error(), "news/broken.md:1: must begin") {
		t.Errorf("a portal: %v", err)
	}
	if err := os.Remove(news); err != nil {
		t.Fatal(err)
	}

	games := filepath.Join(folder, "games.yaml")
	if err := os.WriteFile(games, []byte("games:\n  - {id: quest, name: Quest, kinds: [dragons]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "BRAND_DIR: " + folder + `:` + "\n" + `games.yaml:2: game quest: kinds: "dragons" is none of the kinds of collections.yaml`
	if _, err := con.loadChecked(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a folder with a fault: %v", err)
	}
	con = &console{environ: []string{"BRAND_DIR=" + filepath.Join(folder, "nowhere")}}
	if _, err := con.load(); err == nil || !strings.Contains(err.Error(), "collections.yaml: is missing") {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
