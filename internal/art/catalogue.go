package art

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/collections"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
)

//go:embed catalogue.yaml
var defaultCatalogue []byte

// Collection is the catalogue's entry of one collection of the registry (package collections).
type Collection struct {
	Slug        string
	Name        string
	Description string
	// TokenIDs lists every token in ascending order. It is nil for a generated collection,
	// in which every id exists.
	TokenIDs []string
}

// Catalogue is the validated set of collections.
type Catalogue struct {
	collections []Collection
	bySlug      map[string]*collectionEntry
	words       wordLists
	hash        [32]byte
}

// collectionEntry is one collection as written in YAML, with its tokens indexed.
type collectionEntry struct {
	Slug        string            `yaml:"slug"`
	Name        string            `yaml:"name"`
	Description string            `yaml:"description"`
	Use         string            `yaml:"use"`
	Uses        map[string]string `yaml:"uses"` // by kind, in place of Use
	Tokens      []tokenEntry      `yaml:"tokens"`
	Generated   *generatedEntry   `yaml:"generated"`
	Gods        []godEntry        `yaml:"gods"`
	Editions    int               `yaml:"editions"`

	standard onchain.Standard // of the registry
	byID     map[string]*tokenEntry
}

type tokenEntry struct {
	ID       string            `yaml:"id"`
	Name     string            `yaml:"name"`
	Kind     string            `yaml:"kind"`
	Form     string            `yaml:"form"`
	Material string            `yaml:"material"`
	Rarity   rarity.Rarity     `yaml:"rarity"`
	Text     string            `yaml:"text"`
	Stats    map[string]int    `yaml:"stats"`
	Traits   map[string]string `yaml:"traits"`
}

type generatedEntry struct {
	Kind     string                  `yaml:"kind"`
	Rarities map[rarity.Rarity]int   `yaml:"rarities"`
	Series   map[rarity.Rarity]int64 `yaml:"series"` // of the ids of drawn tokens; see kit/series
}

type godEntry struct {
	Slug     string `yaml:"slug"`
	Name     string `yaml:"name"`
	Title    string `yaml:"title"`
	Domain   string `yaml:"domain"`
	Material string `yaml:"material"`
	Text     string `yaml:"text"`
	Series   int64  `yaml:"series"` // of the ids of drawn castings; see kit/series
}

type wordLists struct {
	People  []string `yaml:"people"`
	Bearded []string `yaml:"bearded"`
	Places  []string `yaml:"places"`
	Bynames []string `yaml:"bynames"`
	Heroes  []string `yaml:"heroes"`
}

// Load reads and validates the built-in catalogue. The error lists every fault.
func Load() (*Catalogue, error) { return parse(defaultCatalogue) }

// Hash returns a hash of the catalogue, by which a change is known.
func (c *Catalogue) Hash() [32]byte { return c.hash }

func parse(raw []byte) (*Catalogue, error) {
	var file struct {
		Collections []*collectionEntry `yaml:"collections"`
		Words       wordLists          `yaml:"words"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("art catalogue: %w", err)
	}

	cat := &Catalogue{bySlug: map[string]*collectionEntry{}, words: file.Words, hash: sha256.Sum256(raw)}
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }

	for list, words := range map[string][]string{
		"people": file.Words.People, "bearded": file.Words.Bearded, "places": file.Words.Places,
		"bynames": file.Words.Bynames, "heroes": file.Words.Heroes,
	} {
		if len(words) == 0 {
			fault("words.%s is empty", list)
		}
	}
	if len(file.Collections) == 0 {
		fault("no collections")
	}
	for i, entry := range file.Collections {
		if entry == nil {
			fault("collection #%d is empty", i+1)
			continue
		}
		at := fmt.Sprintf("collection %q", entry.Slug)
		registered, ok := collections.Of(entry.Slug)
		if !ok {
			fault("%s: slug is none of the registry's", at)
		}
		entry.standard = registered.Standard
		if cat.bySlug[entry.Slug] != nil {
			fault("%s is listed twice", at)
		}
		entry.validate(func(format string, args ...any) { fault(at+": "+format, args...) })
		cat.bySlug[entry.Slug] = entry
		cat.collections = append(cat.collections, Collection{
			Slug: entry.Slug, Name: entry.Name, Description: entry.Description,
			TokenIDs: entry.tokenIDs(),
		})
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return nil, fmt.Errorf("art catalogue has %d faults:\n%w", len(faults), errors.Join(faults...))
	}
	return cat, nil
}

// Collections lists the collections in the catalogue's order. The caller owns the result.
func (c *Catalogue) Collections() []Collection {
	out := slices.Clone(c.collections)
	for i := range out {
		out[i].TokenIDs = slices.Clone(out[i].TokenIDs)
	}
	return out
}

func (e *collectionEntry) validate(fault func(string, ...any)) {
	if e.Name == "" || e.Description == "" {
		fault("name and description are required")
	}
	for _, kind := range e.kinds() {
		if e.useOf(kind) == "" {
			fault("use is required for kind %q", kind)
		}
	}
	for _, kind := range sortedKeys(e.Uses) {
		if !slices.Contains(e.kinds(), kind) {
			fault("uses names kind %q, of which there is no token", kind)
		}
	}
	sources := 0
	for _, present := range []bool{len(e.Tokens) > 0, len(e.Gods) > 0, e.Generated != nil} {
		if present {
			sources++
		}
	}
	if sources != 1 {
		fault("needs exactly one of tokens, gods or generated")
	}
	e.validateTokens(fault)
	e.validateGods(fault)
	if g := e.Generated; g != nil {
		if !isGeneratedKind(g.Kind) {
			fault("generated kind %q cannot be drawn", g.Kind)
		}
		total := 0
		for r, weight := range g.Rarities {
			if r.Rank() < 0 {
				fault("unknown rarity %q", r)
			}
			if weight <= 0 {
				fault("weight of %s must be positive", r)
			}
			total += weight
		}
		if total == 0 {
			fault("generated tokens need rarity weights")
		}
	}
}

// kinds returns the kinds of the collection's tokens.
func (e *collectionEntry) kinds() (kinds []string) {
	for i := range e.Tokens {
		kinds = append(kinds, e.Tokens[i].Kind)
	}
	if len(e.Gods) > 0 {
		kinds = append(kinds, kindGod)
	}
	if e.Generated != nil {
		kinds = append(kinds, e.Generated.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// useOf returns what tokens of a kind are good for.
func (e *collectionEntry) useOf(kind string) string { return cmp.Or(e.Uses[kind], e.Use) }

func (e *collectionEntry) validateTokens(fault func(string, ...any)) {
	e.byID = make(map[string]*tokenEntry, len(e.Tokens))
	names := map[string]bool{}
	for i := range e.Tokens {
		t := &e.Tokens[i]
		if !validTokenID(t.ID) {
			fault("token #%d: id %q is not a decimal number of at most 256 bits", i+1, t.ID)
		}
		if e.byID[t.ID] != nil {
			fault("token %s is listed twice", t.ID)
		}
		e.byID[t.ID] = t
		if t.Name == "" || t.Text == "" {
			fault("token %s: name and text are required", t.ID)
		}
		if names[t.Name] {
			fault("token %s: name %q is taken", t.ID, t.Name)
		}
		names[t.Name] = true
		if t.Rarity.Rank() < 0 {
			fault("token %s: unknown rarity %q", t.ID, t.Rarity)
		}
		if !slices.Contains(itemForms()[t.Kind], t.Form) {
			fault("token %s: no drawing for kind %q form %q", t.ID, t.Kind, t.Form)
		}
		if metalOf(t.Material) == (metal{}) {
			fault("token %s: unknown material %q", t.ID, t.Material)
		}
	}
}

func (e *collectionEntry) validateGods(fault func(string, ...any)) {
	if len(e.Gods) == 0 {
		if e.Editions != 0 {
			fault("editions without gods")
		}
		return
	}
	if e.Editions < 1 {
		fault("gods need at least one edition")
	}
	for i, g := range e.Gods {
		if g.Name == "" || g.Title == "" || g.Domain == "" || g.Text == "" {
			fault("god #%d: name, title, domain and text are required", i+1)
		}
		if !slices.Contains(itemForms()[kindGod], g.Slug) {
			fault("god #%d: no drawing for %q", i+1, g.Slug)
		}
		if metalOf(g.Material) == (metal{}) {
			fault("god #%d: unknown material %q", i+1, g.Material)
		}
	}
}

func (e *collectionEntry) tokenIDs() []string {
	var ids []string
	for _, t := range e.Tokens {
		ids = append(ids, t.ID)
	}
	for i := range len(e.Gods) * e.Editions {
		ids = append(ids, strconv.Itoa(i+1))
	}
	slices.SortFunc(ids, compareTokenIDs)
	return ids
}

// compareTokenIDs orders canonical decimal numbers by value: a shorter one is smaller.
func compareTokenIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
