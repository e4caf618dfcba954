package section_test

import (
	"strings"
	"testing"

	"pantheon/internal/kit/section"
)

type tree struct {
	Name   string           `yaml:"name"`
	Height int              `yaml:"height"`
	Fruits map[string]int64 `yaml:"fruits"`
	Birds  []struct {
		Name string `yaml:"name"`
		Eggs int    `yaml:"eggs"`
	} `yaml:"birds"`
}

const other = "trees: [{name: oak}]\n"

// park is a file in front of another one.
func park(text string) section.Files {
	return section.Over("park.yaml", []byte(text), section.File{Name: "other.yaml", Text: []byte(other)})
}

func TestSection_IsReadAndTheOthersAreLeftAlone(t *testing.T) {
	t.Parallel()
	l, err := section.Read[tree]("trees", park(
		"benches: {wood: [oak]}\ntrees:\n  - name: elm\n    height: 12\n  - &ash {name: ash}\n  - *ash\npaths: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Entries) != 3 || l.Entries[0].Name != "elm" || l.Entries[0].Height != 12 || l.Entries[2].Name != "ash" {
		t.Errorf("%+v", l.Entries)
	}
	for want, path := range map[string][]any{
		"park.yaml:3": nil, "park.yaml:4": {0, "height"}, "park.yaml:5": {2, "name"},
	} {
		if got := l.Place(path...); got != want {
			t.Errorf("%v is at %s, want %s", path, got, want)
		}
	}
	if got := l.Place(0, "birds", 3); got != "park.yaml:3" {
		t.Errorf("what is missing is at %s", got)
	}
}

func TestSection_ThatIsMissingIsThatOfTheNextFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "paths: 3\n"} {
		l, err := section.Read[tree]("trees", park(text))
		if err != nil || len(l.Entries) != 1 || l.Entries[0].Name != "oak" || l.Place(0) != "other.yaml:1" {
			t.Errorf("%q: %+v, %v", text, l, err)
		}
	}
}

func TestSection_AnEarlierVersionOfTheFileIsIgnored(t *testing.T) {
	t.Parallel()
	files := section.Over("park.yaml", []byte("paths: 3\n"), section.File{Name: "park.yaml", Text: []byte(other)})
	if files.Has("trees") || !files.Has("paths") {
		t.Errorf("%d files", len(files))
	}
}

func TestSection_ThatNoFileHasIsAFault(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]section.Files{
		"trees: is missing":            nil,
		"park.yaml: trees: is missing": section.Text("park.yaml", "paths: 3\n"),
		"a.yaml: trees: is missing":    section.Over("a.yaml", []byte("paths: 3\n"), section.File{Name: "x.yaml"}), // which does not exist
		"x.yaml: trees: is missing":    section.Over("park.yaml", []byte("paths: 3\n"), section.File{Name: "x.yaml", Text: []byte{}}),
	} {
		if _, err := section.Read[tree]("trees", files); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSection_FaultsAreNamedByLineAndField(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ text, want string }{
		"no YAML":            {"trees:\n  - [", "park.yaml:2: did not find expected node content"},
		"a list of sections": {"- trees\n", "park.yaml:1: must be a mapping of sections"},
		"two documents":      {"trees: []\n---\ntrees: []\n", "park.yaml:2: must be a single document"},
		"nothing":            {"trees:\n", "park.yaml:1: trees: must be a list"},
		"a mapping":          {"trees: {oak: 1}\n", "park.yaml:1: trees: must be a list"},
		"a section twice":    {"trees: []\npaths: 1\ntrees: []\n", "park.yaml:3: trees: is there twice"},
		"a mapping as a key": {"trees: [{<<, {0}}]\n", "park.yaml:1: a key must be a single value"},
		"an unknown anchor":  {"trees: [*elm]\n", "park.yaml: unknown anchor 'elm' referenced"},
		"an empty entry":     {"trees:\n  - name: elm\n    birds:\n      -\n", "park.yaml:4: trees[0].birds[0]: is empty"},
		"an unknown field": {
			"trees:\n  - name: elm\n    birds: [{nmae: finch}]\n", "park.yaml:3: trees[0].birds[0].nmae: there is no such field",
		},
		"a field twice": {"trees:\n  - name: elm\n    name: ash\n", "park.yaml:3: name: is there twice"},
		"a text for a number, and a list for a text, with equal values beside them": {
			"trees:\n  - {name: tall, height: tall}\n  - {name: [elm], height: 3}\n",
			"park.yaml:2: trees[0].height: must be a whole number\npark.yaml:3: trees[1].name: must not be a list",
		},
		"a mapping's value": {
			"trees: [{fruits: {acorn: many of them and more}}]\n", "park.yaml:1: trees[0].fruits.acorn: must be a whole number",
		},
		"a text for a list": {"trees: [{birds: finch}]\n", "park.yaml:1: trees[0].birds: must be a list"},
		"a text for a tree": {"trees: [elm]\n", "park.yaml:1: trees[0]: must be a mapping"},
	} {
		_, err := section.Read[tree]("trees", park(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", what, err, c.want)
		}
	}
}

func TestSection_NamesAreThoseThatAreKnown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"trees: []\n":           "",
		"paths: 1\ntrees: []\n": "",
		"":                      "park.yaml: has none of the sections trees, paths",
		"# nothing\n":           "park.yaml: has none of the sections trees, paths",
		"{}":                    "park.yaml: has none of the sections trees, paths",
		"tress: []\npaths: 1\nponds: 2\n": "park.yaml:1: tress: is none of the sections trees, paths\npark.yaml:3: ponds: is none of the " +
			"sections trees, paths",
		"- trees\n": "park.yaml:1: must be a mapping of sections",
	} {
		got := ""
		if err := section.Names("park.yaml", []byte(text), "trees", "paths"); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
}

func FuzzSection_NeverPanics(f *testing.F) {
	for _, text := range []string{
		other, "trees: [{name: [1], birds: [{eggs: x}]}]\n", "a: &a [*a]\ntrees: *a\n", "trees: [{<<: {name: elm}}]\n", "? [trees]\n: 1\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = section.Names("park.yaml", []byte(text), "trees")
		l, err := section.Read[tree]("trees", park(text))
		if err == nil {
			for i := range l.Entries {
				l.Place(i, "birds", 0, "name")
			}
		} else if strings.TrimSpace(err.Error()) == "" {
			t.Error("an error without a text")
		}
	})
}
