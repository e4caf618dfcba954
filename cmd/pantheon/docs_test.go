package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/store"
)

// documented is a command line in a document.
type documented struct {
	at     string // file and line
	words  []string
	inline bool // in a sentence, where arguments and flags may be left out
}

var (
	inlineCode   = regexp.MustCompile("`([^`\n]+)`")
	commandBegin = regexp.MustCompile(`(?:^|\| |\$ )(?:[A-Z][A-Z0-9_]*=\S+ )*pantheon ([a-z-].*)$`)
	shellWord    = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
	madeUp       = regexp.MustCompile(`^0x[A-Z][A-Za-z]*$`) // such as 0xYourSafe
)

// samples are values in the place of what documents leave to the reader.
var samples = map[string]string{
	"PLAYER": "id:A", "ORDER": "7", "CHAIN": "7", "SOURCE": "gift", "AMOUNT": "0.05", "BOARD": "kod", "SCORE": "7", "LIST": "presale",
	"CONTRACT": "0x0000000000000000000000000000000000000721", "ID": "121", "ADDRESS": "athena@olympus.example",
}

// commandsOf returns the command lines of a document: in fenced blocks, and code in sentences that begins with pantheon.
func commandsOf(t *testing.T, path string) (out []documented) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "file") // some arguments must exist
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	add := func(line int, command string, inline bool) {
		m := commandBegin.FindStringSubmatch(command)
		if m == nil {
			return
		}
		d := documented{at: fmt.Sprintf("%s:%d", filepath.Base(path), line), inline: inline}
		for _, word := range shellWord.FindAllString(m[1], -1) {
			if strings.ContainsAny(word[:1], "#|<>&") {
				break
			}
			d.words = append(d.words, sample(word, d.words, file))
		}
		out = append(out, d)
	}
	fenced, command := false, ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, command = !fenced, ""
		case fenced:
			more, continues := strings.CutSuffix(line, `\`)
			if command += more; !continues {
				add(i+1, command, false)
				command = ""
			}
		default:
			for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
				add(i+1, m[1], true)
			}
		}
	}
	return out
}

// sample returns a word of a command line as one would type it, after the words before it.
func sample(word string, before []string, file string) string {
	word = strings.Trim(strings.NewReplacer(`"`, "", "'", "").Replace(word), "[]")
	flag, value, hasValue := strings.Cut(word, "=")
	if strings.HasPrefix(word, "--") && hasValue {
		return flag + "=" + sample(value, append(slices.Clone(before), flag), file)
	}
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	isAddress := slices.Contains([]string{"--owner", "--former", "--paymaster-signer", "--minter", "--unsigned"}, last)
	switch {
	case madeUp.MatchString(word) || isAddress && (word == "…" || word == "ADDRESS"):
		return samples["CONTRACT"]
	case word == "…":
		return "1"
	case word == "FILE" || strings.HasPrefix(word, "/") || strings.HasSuffix(word, ".key"):
		return file
	case word == "FOLDER":
		return filepath.Dir(file)
	case samples[word] != "":
		return samples[word]
	}
	return word
}

// partial are errors of command lines that leave something out.
var partial = regexp.MustCompile(`^(missing flags: |expected )`)

// What documents for operators tell to type is what the program takes.
func TestDocs_CommandsAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/operations/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, page := range append(pages, "../../docs/woocommerce.md", "../../docs/brand.md", "../../SECURITY.md", "../../README.md") {
		for _, d := range commandsOf(t, page) {
			n++
			_, err := parser(t.Context(), &console{}).Parse(d.words)
			if err != nil && !(d.inline && partial.MatchString(err.Error())) {
				t.Errorf("%s: pantheon %s: %v", d.at, strings.Join(d.words, " "), err)
			}
		}
	}
	if n < 150 {
		t.Errorf("%d commands, want at least 150", n)
	}
}

// ofDatabase are the commands that need nothing but the portal's database.
var ofDatabase = regexp.MustCompile(`^(player|order|reward|shop|support|address|arrival|operator|token|gas (show|raise)\b)`)

// subjects are what the commands of pages act on in a furnished database.
var subjects = map[string][2]string{
	"order show": {"7", "O"}, "reward assign": {"gift", "unowned"}, "shop release": {"7", "8"}, "gas raise": {"7", "game"},
}

// What the pages for bad days tell to type works, in the order in which it stands there.
func TestDocs_CommandsOfIncidentsAndSupportWork(t *testing.T) {
	t.Parallel()
	for page, least := range map[string]int{"incidents": 6, "support": 17} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			settings, _ := furnished(t, store.SQLite)
			n := 0
			for _, d := range commandsOf(t, "../../docs/operations/"+page+".md") {
				line := strings.Join(d.words, " ")
				if d.inline || !ofDatabase.MatchString(line) {
					continue
				}
				for command, instead := range subjects {
					if strings.HasPrefix(line, command) {
						d.words[2] = strings.Replace(d.words[2], instead[0], instead[1], 1)
					}
				}
				n++
				if out, err := invoke(t, settings, d.words...); err != nil {
					t.Errorf("%s: pantheon %s: %v\n%s", d.at, line, err, out)
				}
			}
			if n < least {
				t.Errorf("%d commands, want at least %d", n, least)
			}
		})
	}
}
