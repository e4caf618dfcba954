// Package catalogue has what a brand says of its tokens: names, texts, rarities, traits and pictures. Tokens that no catalogue
// describes are described by their contracts.
//
// A Catalogue does not change and is safe for concurrent use.
package catalogue

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/collections"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/section"
)

// ErrUnknown means that the catalogue does not describe the token.
var ErrUnknown = errors.New("unknown token")

// Catalogue describes tokens.
type Catalogue struct {
	// Generator names what describes and draws the other tokens of the development world, "" for nothing.
	Generator string

	collections []*collection
	background  string
	generator   Generator // nil for none
}

// Generator describes and draws tokens that no catalogue lists, each from its collection and id alone.
type Generator interface {
	// Describe returns name, description, kind, rarity and attributes of a token, and whether there is such a token.
	Describe(slug, tokenID string) (Item, bool)
	// Draw returns a token's picture as SVG.
	Draw(slug, tokenID string) []byte
	// Hash changes with what tokens are described from.
	Hash() [32]byte
}

// Item is a token that the catalogue describes.
type Item struct {
	Collection, TokenID string // slug and decimal id
	Name, Description   string
	Use                 string // what the token is good for, in plain words
	Standard            onchain.Standard
	Rarity              rarity.Rarity
	Kind                string // such as "sword"; by which the market filters
	Attributes          []Attribute

	picture []byte // SVG; nil if the generator draws it
}

// Attribute is a trait in the format of marketplaces (https://docs.opensea.io/docs/metadata-standards).
type Attribute struct {
	TraitType string
	Value     string
	Number    bool // Value is a number
}

// MarshalJSON encodes trait_type, value and, of numbers, display_type. The value of a number is a JSON number.
func (a Attribute) MarshalJSON() ([]byte, error) {
	out := struct {
		TraitType   string `json:"trait_type"`
		Value       any    `json:"value"`
		DisplayType string `json:"display_type,omitempty"`
	}{TraitType: a.TraitType, Value: a.Value}
	if a.Number {
		out.Value, out.DisplayType = json.RawMessage(a.Value), "number"
	}
	return json.Marshal(out)
}

// collection is a collection as written in YAML.
type collection struct {
	Slug   string            `yaml:"slug"`
	Title  string            `yaml:"title"`
	Use    string            `yaml:"use"`
	Uses   map[string]string `yaml:"uses"` // by kind, in place of Use
	Tokens []token           `yaml:"tokens"`
	Series []series          `yaml:"series"`

	standard onchain.Standard
	byID     map[string]*token
}

type token struct {
	ID     string        `yaml:"id"`
	Name   string        `yaml:"name"`
	Kind   string        `yaml:"kind"`
	Rarity rarity.Rarity `yaml:"rarity"`
	Text   string        `yaml:"text"`
	Traits traits        `yaml:"traits"`

	svg []byte
}

// series are new tokens that are minted with ids of a series (see kit/series): what drop tables call them, and their rarity.
type series struct {
	Number  int64         `yaml:"number"`
	Variant string        `yaml:"variant"`
	Rarity  rarity.Rarity `yaml:"rarity"`
}

// traits keep the order in which they are written.
type traits []Attribute

func (t *traits) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: traits must be names with values", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return fmt.Errorf("line %d: trait %s: must be a text or a number", value.Line, name.Value)
		}
		*t = append(*t, Attribute{TraitType: name.Value, Value: value.Value, Number: isNumber(value)})
	}
	return nil
}

// isNumber reports whether a value is a number that JSON can have.
func isNumber(n *yaml.Node) bool {
	return (n.Tag == "!!int" || n.Tag == "!!float") && json.Valid([]byte(n.Value))
}

var backgroundPattern = regexp.MustCompile(`^[0-9a-f]{6}$`)

// maxPicture is the size of the largest picture, in bytes.
const maxPicture = 256 << 10

// Parse reads a catalogue from YAML; file is its name. The pictures are files of the folder, pictures/<slug>/<id>.svg. The error lists
// every fault.
func Parse(file string, raw []byte, registry *collections.Registry, folder fs.FS) (*Catalogue, error) {
	files := section.Text(file, string(raw))
	var head struct {
		Background string               `yaml:"background"`
		Generator  string               `yaml:"generator"`
		Others     map[string]yaml.Node `yaml:",inline"`
	}
	var list section.List[*collection]
	err := section.Names(file, raw, "background", "generator", "collections")
	if err == nil && files.Has("collections") {
		list, err = section.Read[*collection]("collections", files)
	}
	if err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if head.Background != "" && !backgroundPattern.MatchString(head.Background) {
		return nil, fmt.Errorf("%s: background: %q is not six hex digits", file, head.Background)
	}
	c := &Catalogue{Generator: head.Generator, collections: list.Entries, background: head.Background}
	var faults []error
	known := map[string]bool{}
	for i, entry := range list.Entries {
		bad := func(path []any, format string, args ...any) {
			place := list.Place(append([]any{i}, path...)...)
			faults = append(faults, fmt.Errorf("%s: %s: %w", place, entry.Slug, fmt.Errorf(format, args...)))
		}
		registered, ok := registry.Of(entry.Slug)
		if !ok {
			bad(at("slug"), "slug: is that of no collection")
		}
		if known[entry.Slug] {
			bad(at("slug"), "slug: is there twice")
		}
		known[entry.Slug], entry.standard = true, registered.Standard
		entry.check(bad)
		for i := range entry.Tokens {
			entry.Tokens[i].read(folder, entry.Slug, func(format string, args ...any) { bad(at("tokens", i), format, args...) })
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return c, nil
}

// at is the path of a field within a collection.
func at(path ...any) []any { return path }

func (e *collection) check(bad func(path []any, format string, args ...any)) {
	if e.Title == "" {
		bad(at("title"), "title: is missing")
	}
	e.byID = make(map[string]*token, len(e.Tokens))
	names := map[string]bool{}
	for i := range e.Tokens {
		t := &e.Tokens[i]
		if !isTokenID(t.ID) {
			bad(at("tokens", i, "id"), "token %d: id: %q is not a decimal number of at most 256 bits", i+1, t.ID)
		}
		if e.byID[t.ID] != nil {
			bad(at("tokens", i, "id"), "token %s: id: is there twice", t.ID)
		}
		if t.Name == "" || names[t.Name] {
			bad(at("tokens", i, "name"), "token %s: name: %q is empty or there twice", t.ID, t.Name)
		}
		if t.Rarity.Rank() < 0 {
			bad(at("tokens", i, "rarity"), "token %s: rarity: %q is no rarity", t.ID, t.Rarity)
		}
		traits := map[string]bool{}
		for _, a := range t.Traits {
			if a.TraitType == "" || a.Value == "" || traits[a.TraitType] {
				bad(at("tokens", i, "traits"), "token %s: traits: %q is empty or there twice", t.ID, a.TraitType)
			}
			traits[a.TraitType] = true
		}
		e.byID[t.ID], names[t.Name] = t, true
	}
	numbers, variants := map[int64]bool{}, map[string]bool{}
	for i, s := range e.Series {
		if s.Number < 1 || numbers[s.Number] {
			bad(at("series", i, "number"), "series %d: number: is less than 1 or there twice", s.Number)
		}
		if s.Variant == "" || variants[s.Variant] {
			bad(at("series", i, "variant"), "series %d: variant: %q is empty or there twice", s.Number, s.Variant)
		}
		if s.Rarity.Rank() < 0 {
			bad(at("series", i, "rarity"), "series %d: rarity: %q is no rarity", s.Number, s.Rarity)
		}
		numbers[s.Number], variants[s.Variant] = true, true
	}
}

// read reads the token's picture.
func (t *token) read(folder fs.FS, slug string, bad func(format string, args ...any)) {
	name := path.Join("pictures", slug, t.ID+".svg")
	body, err := fs.ReadFile(folder, name)
	switch {
	case err != nil:
		bad("token %s: %w", t.ID, err)
	case len(body) > maxPicture:
		bad("token %s: %s has %d bytes, at most %d are allowed", t.ID, name, len(body), maxPicture)
	default:
		if err := checkSVG(body); err != nil {
			bad("token %s: %s: %w", t.ID, name, err)
		}
	}
	t.svg = body
}

// checkSVG checks that a picture is an SVG document that shows itself in an <img>, without scripts.
func checkSVG(body []byte) error {
	d := xml.NewDecoder(bytes.NewReader(body))
	for root := true; ; {
		token, err := d.Token()
		if err == io.EOF && !root {
			return nil
		}
		if err != nil {
			return fmt.Errorf("is no SVG: %w", err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if root && (element.Name != xml.Name{Space: "http://www.w3.org/2000/svg", Local: "svg"}) {
			return errors.New("is no SVG: it has no <svg xmlns=\"http://www.w3.org/2000/svg\">")
		}
		root = false
		if element.Name.Local == "script" || slices.ContainsFunc(element.Attr, isHandler) {
			return errors.New("has a script")
		}
	}
}

// isHandler reports whether an attribute is an event handler.
func isHandler(a xml.Attr) bool { return strings.HasPrefix(strings.ToLower(a.Name.Local), "on") }

// With returns the catalogue with a generator for the tokens that it does not list.
func (c *Catalogue) With(g Generator) *Catalogue {
	out := *c
	out.generator = g
	return &out
}

// Hash returns a hash of how the tokens of a collection are described; pictures are no part of it.
func (c *Catalogue) Hash(slug string) [32]byte {
	var of struct {
		Entry     *collection
		Generator [32]byte
	}
	of.Entry = c.of(slug)
	if c.generator != nil {
		of.Generator = c.generator.Hash()
	}
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // of plain values
	}
	return sha256.Sum256(text)
}

// Title returns the title under which wallets show the tokens of a collection.
func (c *Catalogue) Title(slug string) string {
	if e := c.of(slug); e != nil {
		return e.Title
	}
	return ""
}

// TokenIDs returns the ids of the tokens that the catalogue lists for a collection, in its order. The caller owns the result.
func (c *Catalogue) TokenIDs(slug string) (ids []string) {
	if e := c.of(slug); e != nil {
		for _, t := range e.Tokens {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// Describe describes a token by its collection's slug and its id, a decimal number of up to 256 bits. The error wraps ErrUnknown for
// tokens that the catalogue does not describe.
func (c *Catalogue) Describe(slug, tokenID string) (Item, error) {
	e := c.of(slug)
	if e == nil || !isTokenID(tokenID) {
		return Item{}, fmt.Errorf("%w %.80q in %.64s", ErrUnknown, tokenID, slug)
	}
	item, ok := Item{}, false
	if t := e.byID[tokenID]; t != nil {
		item, ok = Item{
			Name: t.Name, Description: t.Text, Rarity: t.Rarity, Kind: t.Kind, Attributes: slices.Clone(t.Traits), picture: t.svg,
		}, true
	} else if c.generator != nil {
		item, ok = c.generator.Describe(slug, tokenID)
	}
	if !ok {
		return Item{}, fmt.Errorf("%w %q in %s", ErrUnknown, tokenID, slug)
	}
	item.Collection, item.TokenID, item.Standard = slug, tokenID, e.standard
	item.Use = c.Use(slug, item.Kind)
	return item, nil
}

// Use returns what tokens of a collection and a kind are good for, "" for what the catalogue does not say.
func (c *Catalogue) Use(slug, kind string) string {
	if e := c.of(slug); e != nil {
		return cmp.Or(e.Uses[kind], e.Use)
	}
	return ""
}

// Picture returns the SVG of a token that Describe returned.
func (c *Catalogue) Picture(item Item) []byte {
	if item.picture == nil && c.generator != nil {
		return c.generator.Draw(item.Collection, item.TokenID)
	}
	return item.picture
}

// Variant returns what new tokens of a series are: the variant by which drop tables name them, and their rarity.
func (c *Catalogue) Variant(slug string, number int64) (variant string, r rarity.Rarity, ok bool) {
	if e := c.of(slug); e != nil {
		for _, s := range e.Series {
			if s.Number == number {
				return s.Variant, s.Rarity, true
			}
		}
	}
	return "", "", false
}

func (c *Catalogue) of(slug string) *collection {
	i := slices.IndexFunc(c.collections, func(e *collection) bool { return e.Slug == slug })
	if i < 0 {
		return nil
	}
	return c.collections[i]
}

// isTokenID reports whether id is a canonical decimal number of at most 2²⁵⁶−1.
func isTokenID(id string) bool {
	const maxDigits = 78 // of 2²⁵⁶−1
	if id == "" || len(id) > maxDigits || id[0] == '0' && id != "0" || strings.Trim(id, "0123456789") != "" {
		return false
	}
	n, ok := new(big.Int).SetString(id, 10)
	return ok && n.BitLen() <= 256
}

// Number returns an attribute that is a number.
func Number(name string, value int) Attribute {
	return Attribute{TraitType: name, Value: strconv.Itoa(value), Number: true}
}
