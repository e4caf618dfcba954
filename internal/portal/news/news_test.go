package news_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pantheon/internal/portal/news"
)

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func at(text string) time.Time {
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return when
}

const launch = `---
title: The season begins
from: 2026-12-01T00:00:00Z
until: 2026-12-24T00:00:00Z
banner: true
---
The **season** begins. [Read more](/quest), or [write to us](mailto:ours@example.org).

- Swords
- Shields
`

func TestNews_IsTheNewestFirstAndRendered(t *testing.T) {
	t.Parallel()
	all, err := news.Parse(folder(map[string]string{
		"launch.md": launch, "older.md": "---\ntitle: Older\nfrom: 2026-01-01T00:00:00Z\n---\nOld.\n", "notes.txt": "not read",
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := all.For(at("2026-12-05T00:00:00Z"), "", false)
	if len(got) != 2 || got[0].ID != "launch" || got[1].ID != "older" || !got[0].Banner || got[1].Banner {
		t.Fatalf("%+v", got)
	}
	want := `<p>The <strong>season</strong> begins. <a href="/quest">Read more</a>, or <a href="mailto:ours@example.org">write to us</a>.</p>
<ul>
<li>Swords</li>
<li>Shields</li>
</ul>
`
	if got[0].HTML != want {
		t.Errorf("%s, want %s", got[0].HTML, want)
	}
}

// The page's title is an h1, an item's an h2.
func TestNews_HeadingsAreBelowTheTitle(t *testing.T) {
	t.Parallel()
	const head = "---\ntitle: T\nfrom: 2026-12-01T00:00:00Z\n---\n"
	all, err := news.Parse(folder(map[string]string{"one.md": head + "# One\n\n###### Six\n\n1. First\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if want := "<h3>One</h3>\n<h6>Six</h6>\n<ol>\n<li>First</li>\n</ol>\n"; all[0].HTML != want {
		t.Errorf("%q, want %q", all[0].HTML, want)
	}
}

func TestNews_IsForItsTimeCountriesAndAudience(t *testing.T) {
	t.Parallel()
	const head = "---\ntitle: T\nfrom: 2026-12-01T00:00:00Z\n"
	for _, c := range []struct {
		more, now, country string
		isPlayer, want     bool
	}{
		{"", "2026-12-01T00:00:00Z", "", false, true},
		{"", "2026-11-30T23:59:59Z", "", false, false},
		{"until: 2026-12-02T00:00:00Z\n", "2026-12-01T23:59:59Z", "", false, true},
		{"until: 2026-12-02T00:00:00Z\n", "2026-12-02T00:00:00Z", "", false, false},
		{"countries: [DE, AT]\n", "2026-12-01T00:00:00Z", "AT", false, true},
		{"countries: [DE, AT]\n", "2026-12-01T00:00:00Z", "FR", false, false},
		{"countries: [DE, AT]\n", "2026-12-01T00:00:00Z", "", false, false},
		{"notCountries: [BE]\n", "2026-12-01T00:00:00Z", "BE", false, false},
		{"notCountries: [BE]\n", "2026-12-01T00:00:00Z", "", false, true},
		{"audience: players\n", "2026-12-01T00:00:00Z", "", true, true},
		{"audience: players\n", "2026-12-01T00:00:00Z", "", false, false},
		{"audience: visitors\n", "2026-12-01T00:00:00Z", "", true, false},
		{"audience: visitors\n", "2026-12-01T00:00:00Z", "", false, true},
	} {
		all, err := news.Parse(folder(map[string]string{"one.md": head + c.more + "---\nText.\n"}))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(all.For(at(c.now), c.country, c.isPlayer)) == 1; got != c.want {
			t.Errorf("%q at %s in %q, a player: %t: shown %t, want %t", c.more, c.now, c.country, c.isPlayer, got, c.want)
		}
	}
}

// Spec: PAGE-22
func TestNews_FaultsAreNamedByFileAndLine(t *testing.T) {
	t.Parallel()
	with := func(old, replacement string) string { return strings.Replace(launch, old, replacement, 1) }
	for name, c := range map[string]struct{ file, text, want string }{
		"no fields":                   {"a.md", "Text.\n", "news/a.md:1: must begin with a line of ---"},
		"no title":                    {"a.md", "---\nfrom: 2026-12-01T00:00:00Z\n---\n", "news/a.md: title: must have 1 to 120 characters"},
		"no time":                     {"a.md", "---\ntitle: T\n---\n", "news/a.md: from: must be a time such as 2026-01-01T00:00:00Z"},
		"a malformed time":            {"a.md", "---\ntitle: T\nfrom: soon\n---\n", "news/a.md: from: must be a time such as"},
		"an end before":               {"a.md", strings.Replace(launch, "2026-12-24", "2026-11-24", 1), "news/a.md: until: must be after from"},
		"an unknown field":            {"a.md", "---\ntitle: T\ncolour: red\n---\n", "field colour not found"},
		"an unknown country":          {"a.md", with("banner: true", "countries: [de]"), `news/a.md: countries: "de" is no country`},
		"an unknown audience":         {"a.md", with("banner: true", "audience: all"), `audience: "all" is neither visitors nor players`},
		"a script":                    {"a.md", launch + "\n<script>alert(1)</script>\n", "news/a.md:12: HTML is not shown: write Markdown"},
		"HTML within a line":          {"a.md", launch + "\nA <b onclick=alert(1)>b</b>.\n", "news/a.md:12: HTML is not shown: write Markdown"},
		"a link that runs":            {"a.md", launch + "\n[x](javascript:alert(1))\n", `news/a.md:12: "javascript:alert(1)" is no page`},
		"a link without https":        {"a.md", launch + "\n[x](http://example.org)\n", `news/a.md:12: "http://example.org" is no page`},
		"a link to a host":            {"a.md", launch + "\n[x](//evil.example)\n", `news/a.md:12: "//evil.example" is no page`},
		"a link to a host, disguised": {"a.md", launch + "\n[x](/&#47;evil.example)\n", "news/a.md:12: "},
		"an address that runs":        {"a.md", launch + "\n<javascript:alert(1)>\n", `news/a.md:12: "javascript:alert(1)" is no page`},
		"a picture":                   {"a.md", launch + "\n![x](/x.png)\n", "news/a.md:12: pictures are not shown"},
		"a name with capitals":        {"The Launch.md", launch, "news/The Launch.md: its name must be lower-case words joined by dashes"},
		"a large file":                {"a.md", launch + strings.Repeat("x", 64<<10), "news/a.md: is larger than 65536 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := news.Parse(folder(map[string]string{c.file: c.text, "whole.md": launch}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	many := map[string]string{}
	for i := range 501 {
		many[fmt.Sprintf("n%d.md", i)] = launch
	}
	if _, err := news.Parse(folder(many)); err == nil || err.Error() != "news: there are more than 500 files" {
		t.Errorf("501 files: %v", err)
	}
	if all, err := news.Parse(folder(nil)); err != nil || len(all) != 0 {
		t.Errorf("a folder without files: %v, %v", all, err)
	}
}
