// Package internal_test keeps the project's documents true: what they list must exist, and what exists must be listed.
package internal_test

import (
	"encoding/json"
	"flag"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"gopkg.in/yaml.v3"

	"pantheon/internal/config"
)

var update = flag.Bool("update", false, "write the generated tables anew")

const (
	root        = ".."
	tableBegins = "<!-- configuration -->\n"
	tableEnds   = "<!-- /configuration -->"
)

func TestDocs_READMEShowsEveryVariable(t *testing.T) {
	path := filepath.Join(root, "README.md")
	readme := read(t, path)
	before, rest, begun := strings.Cut(readme, tableBegins)
	table, after, ended := strings.Cut(rest, tableEnds)
	if !begun || !ended {
		t.Fatalf("README.md has no %q … %q", strings.TrimSpace(tableBegins), tableEnds)
	}
	want := config.Markdown()
	if table == want {
		return
	}
	if !*update {
		t.Fatal("the README's table is not the configuration's: run `make generate`")
	}
	if err := os.WriteFile(path, []byte(before+tableBegins+want+tableEnds+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A link is [text](target) or the src of an <img>; targets with a scheme lead off the site and are not followed.
var links = regexp.MustCompile(`\]\(([^()\s]+)\)|<img[^>]* src="([^"]+)"`)

func TestDocs_EveryRelativeLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	for _, doc := range files(t, ".md") {
		text := withoutCode(read(t, filepath.Join(root, doc)))
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(m[1] + m[2])
			if err != nil {
				t.Errorf("%s: malformed link %q", doc, m[0])
				continue
			}
			if u.Scheme != "" {
				continue
			}
			target := doc
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(doc), u.Path)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: there is no %s", doc, u.Path)
				continue
			}
			if u.Fragment != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchors(t, target), u.Fragment) {
				t.Errorf("%s: %s has no heading #%s", doc, target, u.Fragment)
			}
		}
	}
}

// Pictures are part of every clone of the repository.
func TestDocs_EveryPictureIsShownByADocument(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, doc := range files(t, ".md") {
		for _, m := range links.FindAllStringSubmatch(withoutCode(read(t, filepath.Join(root, doc))), -1) {
			shown[filepath.ToSlash(filepath.Join(filepath.Dir(doc), m[1]+m[2]))] = true
		}
	}
	for _, suffix := range []string{".webp", ".svg"} {
		for _, picture := range files(t, suffix) {
			if strings.HasPrefix(picture, "docs/") && !shown[picture] {
				t.Errorf("no document shows %s", picture)
			}
		}
	}
}

func TestContributing_TheTableOfChangesNamesFilesThatExist(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(read(t, filepath.Join(root, "CONTRIBUTING.md")), "## To change X, open Y\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 4 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "to change" {
			continue
		}
		rows++
		paths := strings.Split(cells[2], "`")
		if len(paths) < 3 {
			t.Errorf("no path: %s", line)
		}
		for i := 1; i < len(paths); i += 2 {
			if _, err := os.Stat(filepath.Join(root, paths[i])); err != nil {
				t.Errorf("there is no %s", paths[i])
			}
		}
	}
	if rows < 40 {
		t.Errorf("%d rows, want at least 40", rows)
	}
}

// anchors returns the names that git hosts give the headings of a document: lower case, punctuation gone, blanks to
// hyphens.
func anchors(t *testing.T, doc string) (names []string) {
	t.Helper()
	for line := range strings.Lines(withoutCode(read(t, filepath.Join(root, doc)))) {
		title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !isHeading || !strings.HasPrefix(line, "#") {
			continue
		}
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title)))
	}
	return names
}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	goTest   = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)
	goTests  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
	filePath = regexp.MustCompile(`^[\w.@-]+(/[\w.@-]+)+\.\w+$`)
)

// In docs/conformance.md a code span that looks like a file is a file, one that looks like a Go test is a Go test, and
// "file › title" is the test of that title in a file of web tests.
func TestDocs_ConformanceNamesOnlyWhatExists(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, f := range files(t, "_test.go") {
		for _, m := range goTests.FindAllStringSubmatch(read(t, filepath.Join(root, f)), -1) {
			known[m[1]] = true
		}
	}
	for i, line := range conformance(t) {
		if row := strings.Split(line, "|"); strings.HasPrefix(line, "|") && len(row) != 5 {
			t.Errorf("line %d: a row has three columns: %s", i+1, line)
		}
		for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
			file, title, isWebTest := strings.Cut(m[1], " › ")
			switch {
			case isWebTest:
				if text := read(t, filepath.Join(root, file)); !hasTitle(text, title) {
					t.Errorf("line %d: %s has no test %q", i+1, file, title)
				}
			case goTest.MatchString(m[1]) && !known[m[1]]:
				t.Errorf("line %d: there is no test %s", i+1, m[1])
			case filePath.MatchString(m[1]):
				if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
					t.Errorf("line %d: there is no file %s", i+1, m[1])
				}
			}
		}
	}
}

// hasTitle reports whether a file of web tests has a test, plain or with cases, of the title, which may stand on a line of
// its own.
func hasTitle(file, title string) bool {
	return regexp.MustCompile("\\(\\s*[\"`]" + regexp.QuoteMeta(title) + "[\"`]").MatchString(file)
}

// A row of a call begins with its method and path. Rows of calls that are not served yet say so.
func TestDocs_ConformanceHasARowForEveryCall(t *testing.T) {
	t.Parallel()
	var contract struct {
		Paths map[string]map[string]any `yaml:"paths"`
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "api", "openapi.yaml"))), &contract); err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range conformance(t) {
		if m := regexp.MustCompile("^\\| `((?:GET|POST|PUT|PATCH|DELETE) /[^`?]*)").FindStringSubmatch(line); m != nil {
			rows[strings.TrimSpace(m[1])] = line
		}
	}
	served := map[string]bool{"GET /api/openapi.json": true} // the contract itself is not part of the contract
	for path, methods := range contract.Paths {
		for method := range methods {
			call := strings.ToUpper(method) + " " + path
			served[call] = true
			if rows[call] == "" {
				t.Errorf("%s has no row", call)
			}
		}
	}
	for call, row := range rows {
		if !served[call] && strings.TrimSpace(strings.Split(row, "|")[2]) != notYet {
			t.Errorf("%s is not served, but its row does not say %q", call, notYet)
		}
		if served[call] && strings.TrimSpace(strings.Split(row, "|")[2]) == notYet {
			t.Errorf("%s is served, but its row says %q", call, notYet)
		}
	}
}

const notYet = "not yet"

func conformance(t *testing.T) []string {
	t.Helper()
	return strings.Split(read(t, filepath.Join(root, "docs", "conformance.md")), "\n")
}

func TestDocs_EveryDirectDependencyIsListedWithItsVersion(t *testing.T) {
	t.Parallel()
	want := importedModules(t)
	for _, workspace := range []string{"web", "contracts", "test/contract/playfab", "test/contract/woocommerce", "test/contract/beacon"} {
		var manifest struct {
			Dependencies    map[string]string
			DevDependencies map[string]string
		}
		if err := json.Unmarshal([]byte(read(t, filepath.Join(root, workspace, "package.json"))), &manifest); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{manifest.Dependencies, manifest.DevDependencies} {
			for name, version := range list {
				want[name] = version
			}
		}
	}
	listed := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^ |]+) \\|").FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "dependencies.md")), -1) {
		listed[m[1]] = m[2]
	}
	for name, version := range want {
		if listed[name] != version {
			t.Errorf("docs/dependencies.md says %q for %s, which is at %s", listed[name], name, version)
		}
	}
	for name := range listed {
		if want[name] == "" {
			t.Errorf("docs/dependencies.md lists %s, which is no direct dependency", name)
		}
	}
}

var required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// importedModules returns the modules that our Go code imports, with their versions. The imports are asked, not the
// comments of go.mod, which only tidying keeps true.
func importedModules(t *testing.T) map[string]string {
	t.Helper()
	versions := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(read(t, filepath.Join(root, "go.mod")), -1) {
		versions[m[1]] = m[2]
	}
	imported := map[string]string{}
	for _, f := range files(t, ".go") {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, f), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			for module := path; module != "."; module = filepath.Dir(module) {
				if versions[module] != "" {
					imported[module] = versions[module]
					break
				}
			}
		}
	}
	return imported
}

var (
	decision   = regexp.MustCompile(`^\d{4}-[a-z0-9-]+\.md$`)
	adrSection = []string{"**Status:**", "## Context", "## Decision", "## Consequences"}
)

func TestDocs_EveryDecisionIsInTheIndex(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(root, "docs", "adr")
	index := read(t, filepath.Join(dir, "README.md"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		if !decision.MatchString(e.Name()) {
			t.Errorf("docs/adr/%s: a decision's name is a number and words", e.Name())
			continue
		}
		if !strings.Contains(index, "("+e.Name()+")") {
			t.Errorf("docs/adr/README.md does not list %s", e.Name())
		}
		text := read(t, filepath.Join(dir, e.Name()))
		for _, section := range adrSection {
			if !strings.Contains(text, section) {
				t.Errorf("docs/adr/%s has no %q", e.Name(), section)
			}
		}
	}
}

// notOurs are folders of tools, packages and builds.
var notOurs = []string{"node_modules", "bin", "data", "build", "out", "coverage", "generated"}

// tree lists the project's files once: paths relative to the root, with slashes.
var tree = sync.OnceValues(func() (list []string, err error) {
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() && path != root && (slices.Contains(notOurs, name) || strings.HasPrefix(name, ".") && name != ".ci") {
			return fs.SkipDir
		}
		if !e.IsDir() {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	return list, err
})

func files(t *testing.T, suffix string) (found []string) {
	t.Helper()
	list, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if strings.HasSuffix(f, suffix) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no %s files found: is the test where it belongs?", suffix)
	}
	return found
}

var code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// withoutCode returns a document without its code, in which brackets are no links and # is no heading.
func withoutCode(text string) string {
	return code.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "```") {
			return ""
		}
		return strings.Trim(s, "`") // headings and link texts keep their words
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
