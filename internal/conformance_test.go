package internal_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The rules of docs/specification have ids. Tests name the ids of the rules that they prove in comments of the form
// "// Spec: CART-3, CART-4", directly above the test. The pages of docs/conformance are made of both; these tests compare them, or
// write them with -update.

const (
	specification = "docs/specification"
	specMark      = "// Spec: "
)

// specificationPages are the pages with rules, without ".md". Each has a page of conformance.
var specificationPages = []string{"site", "accounts", "market", "packs", "platform", "operating"}

// unproven mark a rule that no test can name.
var unproven = []string{"(not built)", "(by inspection)"}

var (
	ruleID     = regexp.MustCompile(`^[A-Z]+-[1-9]\d*$`)
	idLike     = regexp.MustCompile(`\b([A-Z]+)-\d+\b`)
	ruleLine   = regexp.MustCompile(`^- \*\*([^*]+)\*\* (.+)$`)
	anyHeading = regexp.MustCompile(`^#{2,3} (.+)$`)
	goSubtest  = regexp.MustCompile(`^\t+(?:\w+\.)?(?:Run|EachDatabase\w*)\(`)
	webTest    = regexp.MustCompile(`^\s*(?:it|test|describe)\b`)
)

// rule is one entry of the specification, below its heading.
type rule struct {
	id, heading, text string
}

// rules returns the specification's rules in their order. A rule is an entry of a list; indented lines belong to it.
func rules(t *testing.T) (list []rule) {
	t.Helper()
	for _, page := range specificationPages {
		list = append(list, rulesOf(t, page)...)
	}
	if len(list) < 300 {
		t.Fatalf("%s has %d rules, want at least 300", specification, len(list))
	}
	return list
}

// specificationText returns the pages with rules, one after the other.
func specificationText(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, page := range specificationPages {
		b.WriteString(read(t, filepath.Join(root, specification, page+".md")))
	}
	return b.String()
}

// rulesOf returns the rules of a page.
func rulesOf(t *testing.T, page string) (list []rule) {
	t.Helper()
	heading, open := "", false
	for line := range strings.Lines(read(t, filepath.Join(root, specification, page+".md"))) {
		line = strings.TrimSuffix(line, "\n")
		if m := anyHeading.FindStringSubmatch(line); m != nil {
			heading = m[1]
		}
		if m := ruleLine.FindStringSubmatch(line); m != nil {
			if !ruleID.MatchString(m[1]) {
				t.Errorf("%s: %q is no id", specification, m[1])
			}
			list, open = append(list, rule{m[1], heading, m[2]}), true
			continue
		}
		more, indented := strings.CutPrefix(line, "  ")
		if open = open && indented; open {
			list[len(list)-1].text += " " + more
		}
	}
	return list
}

// proof is a test that names a rule: a Go test by its name, or a file of web tests or of a journey.
type proof struct {
	name string
	file bool
}

// proofs returns the tests that name each id.
func proofs(t *testing.T) map[string][]proof {
	t.Helper()
	found := map[string][]proof{}
	for _, suffix := range []string{"_test.go", ".test.ts", ".test.tsx", ".mjs"} {
		for _, f := range files(t, suffix) {
			if suffix == ".mjs" && !strings.HasPrefix(f, "test/") {
				continue
			}
			function, pending := "", []string(nil)
			for i, line := range strings.Split(read(t, filepath.Join(root, f)), "\n") {
				if m := goTests.FindStringSubmatch(line); m != nil {
					function = m[1]
				}
				if ids, is := strings.CutPrefix(strings.TrimLeft(line, "\t "), specMark); is {
					pending = append(pending, strings.Split(ids, ", ")...)
					continue
				}
				if pending == nil {
					continue
				}
				p := proof{name: f, file: true}
				switch {
				case suffix == "_test.go" && (goTests.MatchString(line) || goSubtest.MatchString(line)):
					p = proof{name: function}
				case suffix == "_test.go", suffix != ".mjs" && !webTest.MatchString(line):
					t.Errorf("%s:%d: no test follows the ids %v", f, i+1, pending)
				}
				for _, id := range pending {
					found[id] = append(found[id], p)
				}
				pending = nil
			}
		}
	}
	return found
}

func TestConformance_EveryRuleIsProvenAndEveryIDIsARules(t *testing.T) {
	t.Parallel()
	known, found := map[string]bool{}, proofs(t)
	for _, r := range rules(t) {
		if known[r.id] {
			t.Errorf("%s has two rules %s", specification, r.id)
		}
		known[r.id] = true
		excused := slices.ContainsFunc(unproven, func(mark string) bool { return strings.Contains(r.text, mark) })
		if excused == (found[r.id] != nil) {
			t.Errorf("%s: tests that name it: %v; marked as without one: %t", r.id, found[r.id], excused)
		}
	}
	groups := map[string]bool{}
	for id := range known {
		group, _, _ := strings.Cut(id, "-")
		groups[group] = true
	}
	for _, m := range idLike.FindAllStringSubmatch(specificationText(t), -1) {
		if groups[m[1]] && !known[m[0]] {
			t.Errorf("%s has no rule %s, which it names", specification, m[0])
		}
	}
	for id, tests := range found {
		if !known[id] {
			t.Errorf("%s has no rule %q, which %s names", specification, id, tests[0].name)
		}
	}
}

func TestConformance_PageListsTheTestsOfEachRule(t *testing.T) {
	found := proofs(t)
	for _, page := range specificationPages {
		var b strings.Builder
		fmt.Fprintf(&b, conformanceHead, page)
		heading := ""
		for _, r := range rulesOf(t, page) {
			if r.heading != heading {
				heading = r.heading
				fmt.Fprintf(&b, "\n## %s\n\n| rule | in short | proven by |\n|---|---|---|\n", heading)
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.id, inShort(r.text), shown(found[r.id]))
		}
		generated(t, "docs/conformance/"+page+".md", b.String())
	}
}

const conformanceHead = `# Conformance

Generated by ` + "`make generate`" + ` from [the specification](../specification/%s.md), which has the rules in full, and from the
comments of tests that name them: ` + "`git grep -w CART-5`" + ` finds the tests of a rule. Go tests are listed by name, web tests and
journeys of browsers by file, without ` + "`web/`, `web/app/`, `web/app/features/` or `test/e2e/`" + ` at its beginning.
`

// inShort returns the beginning of a rule, without marks of code, up to the end of a word.
func inShort(text string) string {
	const most = 52
	text = strings.NewReplacer("`", "", "*", `\*`, "|", `\|`, "<", `\<`).Replace(text)
	if len(text) <= most {
		return strings.TrimSuffix(text, ".")
	}
	cut := text[:strings.LastIndexByte(text[:most], ' ')]
	return strings.TrimRight(cut, ",;:") + " …"
}

// shown returns the tests as a cell: the first two, those by name first, and how many others there are.
func shown(tests []proof) string {
	const most = 2
	if len(tests) == 0 {
		return "none"
	}
	slices.SortFunc(tests, func(a, b proof) int {
		return cmp.Or(strings.Compare(strconv.FormatBool(a.file), strconv.FormatBool(b.file)), strings.Compare(a.name, b.name))
	})
	tests = slices.Compact(tests)
	var names []string
	for _, p := range tests[:min(most, len(tests))] {
		name := p.name
		for _, folder := range []string{"web/app/features/", "web/app/", "web/", "test/e2e/"} {
			if p.file {
				name = strings.TrimPrefix(name, folder)
			}
		}
		names = append(names, name)
	}
	cell := strings.Join(names, ", ")
	if more := len(tests) - most; more > 0 {
		cell += fmt.Sprintf(" and %d more", more)
	}
	return cell
}

// calls are the calls that a code span names: methods and a path.
var calls = regexp.MustCompile("`((?:GET|POST|PUT|PATCH|DELETE)(?:, (?:GET|POST|PUT|PATCH|DELETE))*) (/[^`? ]*)[^`]*`")

func TestSpecification_NamesEveryCall(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, r := range rules(t) {
		for _, m := range calls.FindAllStringSubmatch(r.text, -1) {
			for method := range strings.SplitSeq(m[1], ", ") {
				named[method+" "+m[2]] = true
			}
		}
	}
	var contract struct {
		Paths map[string]map[string]any `yaml:"paths"`
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "api", "openapi.yaml"))), &contract); err != nil {
		t.Fatal(err)
	}
	delete(named, "GET /api/openapi.json") // the contract itself is not part of the contract
	for path, methods := range contract.Paths {
		for method := range methods {
			call := strings.ToUpper(method) + " " + path
			if !named[call] {
				t.Errorf("%s: no rule names %s", specification, call)
			}
			delete(named, call)
		}
	}
	for call := range named {
		t.Errorf("%s: there is no call %s", specification, call)
	}
}

func TestSpecification_NamesEveryPageAndMessage(t *testing.T) {
	t.Parallel()
	text := specificationText(t)
	var pages map[string]map[string]string
	if err := json.Unmarshal([]byte(read(t, filepath.Join(root, "test", "e2e", "routes.json"))), &pages); err != nil {
		t.Fatal(err)
	}
	for _, group := range pages {
		for path := range group {
			short := strings.TrimPrefix(path, "/whitepaper/") // the chapters
			if !strings.Contains(text, "`"+path+"`") && !strings.Contains(text, "`"+short+"`") {
				t.Errorf("%s: no rule names the page %s", specification, path)
			}
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	for line := range strings.Lines(read(t, filepath.Join(root, "docs", "realtime.md"))) {
		channel, types, isRow := strings.Cut(strings.Split(strings.Trim(line, "| "), " | ")[0], " / ")
		if !strings.HasPrefix(line, "|") || !isRow || channel == "channel" {
			continue
		}
		for kind := range strings.SplitSeq(strings.TrimSuffix(types, " (ours)"), ", ") {
			if !strings.Contains(text, channel+" / "+kind) {
				t.Errorf("%s: no rule names the message %s / %s", specification, channel, kind)
			}
		}
	}
}
