// Package news reads a studio's news and banners from Markdown files. Front matter says when, in which countries and to which audience an
// item is shown.
package news

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.yaml.in/yaml/v3"

	"pantheon/internal/kit/iso3166"
)

// Audience says which readers see an item.
type Audience string

// The audiences.
const (
	Everybody Audience = ""
	Visitors  Audience = "visitors" // who are not signed in
	Players   Audience = "players"
)

// Item is a news item.
type Item struct {
	ID     string // the name of its file, without .md
	Title  string
	HTML   string // paragraphs, lists and headings with emphasis, code and links; no scripts, pictures or other elements
	From   time.Time
	Until  time.Time // zero for no end
	Banner bool      // whether every page shows it

	countries []string // where it is shown; none for everywhere
	except    []string // where it is not
	audience  Audience
}

// shown reports whether a reader sees the item now; see List.For.
func (i Item) shown(now time.Time, country string, isPlayer bool) bool {
	switch {
	case now.Before(i.From), !i.Until.IsZero() && !now.Before(i.Until):
		return false
	case len(i.countries) > 0 && !slices.Contains(i.countries, country), slices.Contains(i.except, country):
		return false
	case i.audience == Visitors && isPlayer, i.audience == Players && !isPlayer:
		return false
	}
	return true
}

// List is a list of items, newest first.
type List []Item

// For returns the items that a reader sees now, newest first. country is the reader's ISO 3166-1 alpha-2 code in upper case, or "" if
// unknown; items that are restricted to some countries are then left out.
func (l List) For(now time.Time, country string, isPlayer bool) (items []Item) {
	for _, i := range l {
		if i.shown(now, country, isPlayer) {
			items = append(items, i)
		}
	}
	return items
}

// Limits of a folder: the size of a file in bytes, and the number of files.
const (
	maxFile  = 64 << 10
	maxFiles = 500
)

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Parse reads the Markdown files of a folder; a missing folder has none. The error lists one fault of each front matter, and all faults of
// each text by line.
func Parse(folder fs.FS) (List, error) {
	entries, err := fs.ReadDir(folder, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case len(entries) > maxFiles:
		return nil, fmt.Errorf("news: there are more than %d files", maxFiles)
	}
	var all List
	var faults []error
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".md" {
			continue
		}
		item, err := read(folder, e.Name())
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, item)
	}
	slices.SortStableFunc(all, func(a, b Item) int { return b.From.Compare(a.From) })
	return all, errors.Join(faults...)
}

func read(folder fs.FS, name string) (Item, error) {
	raw, err := fs.ReadFile(folder, name)
	if err != nil {
		return Item{}, err
	}
	at := "news/" + name
	if len(raw) > maxFile {
		return Item{}, fmt.Errorf("%s: is larger than %d bytes", at, maxFile)
	}
	item := Item{ID: strings.TrimSuffix(name, ".md")}
	if !idPattern.MatchString(item.ID) {
		return Item{}, fmt.Errorf("%s: its name must be lower-case words joined by dashes", at)
	}
	raw = bytes.ReplaceAll(bytes.TrimPrefix(raw, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	head, body, ok := bytes.Cut(bytes.TrimPrefix(raw, []byte("---\n")), []byte("\n---\n"))
	if !ok || !bytes.HasPrefix(raw, []byte("---\n")) {
		return Item{}, fmt.Errorf("%s:1: must begin with a line of ---, its fields, and another line of ---", at)
	}
	if err := item.readHead(head); err != nil {
		return Item{}, fmt.Errorf("%s: %w", at, err)
	}
	item.HTML, err = render(body, at, bytes.Count(head, []byte("\n"))+4)
	return item, err
}

// readHead parses the front matter.
func (i *Item) readHead(head []byte) error {
	var f struct {
		Title        string   `yaml:"title"`
		From         string   `yaml:"from"`
		Until        string   `yaml:"until"`
		Banner       bool     `yaml:"banner"`
		Countries    []string `yaml:"countries"`
		NotCountries []string `yaml:"notCountries"`
		Audience     Audience `yaml:"audience"`
	}
	d := yaml.NewDecoder(bytes.NewReader(append([]byte("\n"), head...))) // keeps the line numbers of the file
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	i.Title, i.Banner, i.countries, i.except, i.audience = f.Title, f.Banner, f.Countries, f.NotCountries, f.Audience
	var err error
	if i.From, err = time.Parse(time.RFC3339, f.From); err != nil {
		return errors.New("from: must be a time such as 2026-01-01T00:00:00Z")
	}
	if i.Until, err = time.Parse(time.RFC3339, f.Until); err != nil && f.Until != "" {
		return errors.New("until: must be a time such as 2026-01-01T00:00:00Z")
	}
	switch {
	case i.Title == "" || utf8.RuneCountInString(i.Title) > 120:
		return errors.New("title: must have 1 to 120 characters")
	case !i.Until.IsZero() && !i.Until.After(i.From):
		return errors.New("until: must be after from")
	case !slices.Contains([]Audience{Everybody, Visitors, Players}, i.audience):
		return fmt.Errorf("audience: %q is neither visitors nor players", i.audience)
	}
	for _, code := range slices.Concat(i.countries, i.except) {
		if !iso3166.Country(code) {
			return fmt.Errorf("countries: %q is no country (ISO 3166-1 alpha-2, in capitals)", code)
		}
	}
	return nil
}

// render converts Markdown to HTML. first is the line number of the text in the file. Raw HTML, images, and links other than to pages and
// email addresses are faults.
func render(body []byte, file string, first int) (string, error) {
	markdown := goldmark.New()
	doc := markdown.Parser().Parse(text.NewReader(body))
	var faults []error
	// line returns the line of a node, or of the block that it is in.
	line := func(n ast.Node) int {
		for ; n != nil; n = n.Parent() {
			if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
				return first + bytes.Count(body[:n.Lines().At(0).Start], []byte("\n"))
			}
		}
		return first
	}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		bad := func(why string) { faults = append(faults, fmt.Errorf("%s:%d: %s", file, line(n), why)) }
		switch node := n.(type) {
		case *ast.Heading:
			node.Level = min(node.Level+2, 6) // below the item's title, an h2
		case *ast.HTMLBlock, *ast.RawHTML:
			bad("HTML is not shown: write Markdown")
		case *ast.Image:
			bad("pictures are not shown")
		case *ast.Link:
			if !isPage(string(util.URLEscape(node.Destination, true))) { // as rendered
				bad(fmt.Sprintf("%q is no page: a link begins with /, https:// or mailto:", node.Destination))
			}
		case *ast.AutoLink:
			if to := string(node.URL(body)); node.AutoLinkType == ast.AutoLinkURL && !isPage(to) {
				bad(fmt.Sprintf("%q is no page: a link begins with /, https:// or mailto:", to))
			}
		}
		return ast.WalkContinue, nil
	})
	if err := errors.Join(append(faults, err)...); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, body, doc); err != nil {
		return "", err
	}
	return out.String(), nil
}

// isPage reports whether a link leads to a page of this site, to one elsewhere by https, or to an email address.
func isPage(link string) bool {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return false
	case u.Scheme == "mailto":
		return true
	case u.Scheme == "https":
		return u.Host != ""
	}
	return u.Scheme == "" && u.Host == "" && strings.HasPrefix(link, "/") && !strings.ContainsAny(link, "\\")
}
