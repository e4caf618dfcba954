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

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
)

var update = flag.Bool("update", false, "write the generated tables anew")

const (
	root        = ".."
	tableBegins = "<!-- configuration -->\n"
	tableEnds   = "<!-- /configuration -->"
)

func TestDocs_ConfigurationShowsEveryVariable(t *testing.T) {
	path := filepath.Join(root, "docs", "configuration.md")
	before, rest, begun := strings.Cut(read(t, path), tableBegins)
	table, after, ended := strings.Cut(rest, tableEnds)
	if !begun || !ended {
		t.Fatalf("docs/configuration.md has no %q … %q", strings.TrimSpace(tableBegins), tableEnds)
	}
	want := config.Markdown(brandtest.Pantheon())
	if table == want {
		return
	}
	if !*update {
		t.Fatal("docs/configuration.md is not what internal/config says: run `make generate`")
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
		if strings.Contains(doc, "/news/") {
			continue // a brand's news lead to pages
		}
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

// A row ends with a cell of paths. A row of three cells has constants of that file in the middle.
func TestDocs_WhereNamesFilesAndConstantsThatExist(t *testing.T) {
	t.Parallel()
	rows := 0
	for line := range strings.Lines(read(t, filepath.Join(root, "docs", "where.md"))) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := cells[len(cells)-1]
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || !strings.Contains(line, "`") {
			continue
		}
		rows++
		paths := codeSpan.FindAllStringSubmatch(last, -1)
		if len(paths) == 0 {
			t.Errorf("no path: %s", line)
		}
		for _, m := range paths {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("there is no %s", m[1])
				continue
			}
			if len(cells) != 3 {
				continue
			}
			text := read(t, filepath.Join(root, m[1]))
			for _, c := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
				if !regexp.MustCompile(`\b` + regexp.QuoteMeta(c[1]) + `\b`).MatchString(text) {
					t.Errorf("%s has no %s", m[1], c[1])
				}
			}
		}
	}
	if rows < 150 {
		t.Errorf("%d rows, want at least 150", rows)
	}
}

// layoutLine is a line of the layout in ARCHITECTURE.md: two spaces a level, folders that end in a slash, a description.
var layoutLine = regexp.MustCompile(`^( *)((?:[\w.-]+/)+(?: (?:[\w.-]+/)+)*)(?:\s|$)`)

// Where the layout shows a folder's folders, it shows all that have code, and none that does not exist.
func TestDocs_TheLayoutIsThatOfTheTree(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(read(t, filepath.Join(root, "ARCHITECTURE.md")), "## Layout\n")
	_, rest, _ = strings.Cut(rest, "```\n")
	layout, _, _ := strings.Cut(rest, "```")
	shown, open := map[string]bool{}, map[string]bool{"": true} // open are folders whose folders are shown
	parents := []string{""}
	for line := range strings.Lines(layout) {
		m := layoutLine.FindStringSubmatch(line)
		if m == nil || len(m[1])%2 != 0 || len(m[1])/2 >= len(parents) {
			t.Errorf("not a line of the layout: %s", line)
			continue
		}
		level := len(m[1]) / 2
		parents = parents[:level+1]
		for _, name := range strings.Fields(m[2]) {
			folder := parents[level] + name
			if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
				t.Errorf("there is no folder %s", folder)
			}
			for i, c := range folder {
				if c == '/' {
					shown[folder[:i+1]] = true
				}
			}
			open[parents[level]] = true
			parents = append(parents[:level+1], folder)
		}
	}
	if len(shown) < 50 {
		t.Fatalf("%d folders are shown, want at least 50", len(shown))
	}
	missing := map[string]bool{}
	for _, suffix := range []string{".go", ".ts", ".tsx", ".mjs", ".sol", ".sql", ".mdx"} {
		for _, f := range files(t, suffix) {
			for parent := range open {
				below, ok := strings.CutPrefix(f, parent)
				if name, _, isFolder := strings.Cut(below, "/"); ok && isFolder && !shown[parent+name+"/"] {
					missing[parent+name+"/"] = true
				}
			}
		}
	}
	for folder := range missing {
		t.Errorf("the layout lacks %s", folder)
	}
}

// The documents that a newcomer reads stay short.
func TestDocs_AreShort(t *testing.T) {
	t.Parallel()
	for doc, most := range map[string]int{
		"README.md": 9_000, "ARCHITECTURE.md": 15_000, "CONTRIBUTING.md": 15_000,
	} {
		if n := len(read(t, filepath.Join(root, doc))); n > most {
			t.Errorf("%s has %d bytes, want at most %d", doc, n, most)
		}
	}
	for _, page := range specificationPages {
		for _, folder := range []string{"docs/specification", "docs/conformance"} {
			if n := len(read(t, filepath.Join(root, folder, page+".md"))); n > 16_000 {
				t.Errorf("%s/%s.md has %d bytes, want at most 16000", folder, page, n)
			}
		}
	}
}

// Each setting of a file has its row among the samples.
func TestDocs_EveryFileOfASettingHasASample(t *testing.T) {
	t.Parallel()
	text := read(t, filepath.Join(root, "docs", "samples", "README.md"))
	for _, v := range config.Variables(brandtest.Pantheon()) {
		if strings.HasSuffix(v.Name, "_FILE") && !strings.Contains(text, "| `"+v.Name+"` |") {
			t.Errorf("docs/samples/README.md has no row of %s", v.Name)
		}
	}
}

// .gitattributes lists the files that are generated, so that reviews can leave them out.
func TestDocs_GitAttributesListTheGeneratedFiles(t *testing.T) {
	t.Parallel()
	text := read(t, filepath.Join(root, ".gitattributes"))
	var listed []*regexp.Regexp
	for _, m := range regexp.MustCompile(`(?m)^(\S+) linguist-generated$`).FindAllStringSubmatch(text, -1) {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(m[1]), `\*\*`, ".*")
		if !strings.Contains(m[1], "/") {
			pattern = "(.*/)?" + pattern
		}
		listed = append(listed, regexp.MustCompile("^"+pattern+"$"))
	}
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range listed {
		if !slices.ContainsFunc(all, pattern.MatchString) {
			t.Errorf(".gitattributes: nothing matches %s", pattern)
		}
	}
	mark := regexp.MustCompile("(?m)^// (Code generated .* DO NOT EDIT\\.|Generated by `make generate`)")
	for _, suffix := range []string{".go", ".ts"} {
		for _, f := range files(t, suffix) {
			is := slices.ContainsFunc(listed, func(p *regexp.Regexp) bool { return p.MatchString(f) })
			if text := read(t, filepath.Join(root, f)); !is && mark.MatchString(text[:min(len(text), 500)]) {
				t.Errorf("%s is generated, and .gitattributes does not list it", f)
			}
		}
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

func TestDocs_SecurityNamesOnlyWhatExists(t *testing.T) {
	t.Parallel()
	namesOnlyWhatExists(t, "SECURITY.md", 3)
}

// namesOnlyWhatExists checks a document: a code span that looks like a file is a file, one that looks like a Go test is a Go
// test, and "file › title" is the test of that title in a file of web tests. Rows of tables have so many columns.
func namesOnlyWhatExists(t *testing.T, doc string, columns int) {
	t.Helper()
	known := map[string]bool{}
	for _, f := range files(t, "_test.go") {
		for _, m := range goTests.FindAllStringSubmatch(read(t, filepath.Join(root, f)), -1) {
			known[m[1]] = true
		}
	}
	for i, line := range strings.Split(read(t, filepath.Join(root, doc)), "\n") {
		if row := strings.Split(line, "|"); strings.HasPrefix(line, "|") && len(row) != columns+2 {
			t.Errorf("line %d: a row has %d columns: %s", i+1, columns, line)
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

func TestDocs_EveryDirectDependencyIsListedWithItsVersion(t *testing.T) {
	t.Parallel()
	want := importedModules(t)
	for _, workspace := range []string{
		"web", "contracts", "test/contract/playfab", "test/contract/woocommerce", "test/contract/beacon", "test/anvil",
		"test/alto",
	} {
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
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^ |]+) \\|").
		FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "dependencies.md")), -1) {
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
		if path == filepath.Join(root, "web/brand") { // a copy
			return fs.SkipDir
		}
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

// `scripts/release` takes a release's section for its notes.
func TestDocs_EachReleaseSaysWhatToDoWhenUpgrading(t *testing.T) {
	t.Parallel()
	releases := strings.Split(read(t, filepath.Join(root, "CHANGELOG.md")), "\n## ")[1:]
	if len(releases) == 0 {
		t.Error("CHANGELOG.md has no release")
	}
	for _, release := range releases {
		if !strings.Contains(release, "\n### When upgrading\n") {
			t.Errorf("CHANGELOG.md: %s does not say what to do when upgrading", strings.SplitN(release, "\n", 2)[0])
		}
	}
}
