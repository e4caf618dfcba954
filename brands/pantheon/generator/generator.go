// Package generator describes and draws the tokens of the development world that the catalogue does not list: gods, portraits,
// heroes and passes.
//
// A token is described and drawn from its collection's slug and its token id alone: the same pair gives the same name, the same
// attributes and the same bytes of SVG in every process. Nothing is stored or fetched.
//
// The style is an engraved star chart: line work in bronze and bone on a near-black ground, one luminous colour for each rarity.
// Light falls from the upper left.
package generator

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/catalogue"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/series"
)

// Generator implements catalogue.Generator. It does not change and is safe for concurrent use.
type Generator struct {
	words
	catalogue *catalogue.Catalogue
}

// words is what names and texts are made from.
type words struct {
	Collections map[string]collection `yaml:"collections"` // by slug
	Editions    int                   `yaml:"editions"`
	Gods        []god                 `yaml:"gods"`
	Words       struct {
		People  []string `yaml:"people"`
		Bearded []string `yaml:"bearded"`
		Places  []string `yaml:"places"`
		Bynames []string `yaml:"bynames"`
		Heroes  []string `yaml:"heroes"`
	} `yaml:"words"`
}

type collection struct {
	Kind     string                `yaml:"kind"`
	Rarities map[rarity.Rarity]int `yaml:"rarities"` // weights
}

type god struct {
	Slug     string `yaml:"slug"`
	Name     string `yaml:"name"`
	Title    string `yaml:"title"`
	Domain   string `yaml:"domain"`
	Material string `yaml:"material"`
	Text     string `yaml:"text"`
}

//go:embed words.yaml
var file []byte

// New returns a generator. The catalogue says what tokens of a series are.
func New(c *catalogue.Catalogue) (*Generator, error) {
	g := &Generator{catalogue: c}
	d := yaml.NewDecoder(bytes.NewReader(file))
	d.KnownFields(true)
	if err := d.Decode(&g.words); err != nil {
		return nil, fmt.Errorf("words.yaml: %w", err)
	}
	return g, nil
}

// The kinds of tokens.
const (
	kindGod           = "god"
	kindAvatar        = "avatar"
	kindSeasonAvatar  = "season-avatar"
	kindImmortal      = "immortal"
	kindPassCommunity = "pass-community"
	kindPassUltimate  = "pass-ultimate"
)

// gods is the slug of the collection of gods. The ids of its numbered castings run over gods and editions.
const gods = "elder-gods"

// Describe describes a token; see catalogue.Generator. Each id of a collection is that of a token, but those of gods between the
// numbered castings and openCastings.
func (g *Generator) Describe(slug, tokenID string) (catalogue.Item, bool) {
	t, ok := g.describe(slug, tokenID)
	return t.Item, ok
}

// Draw draws a token; see catalogue.Generator. It is a self-contained document of 600×800 units, without scripts, styles or
// references.
func (g *Generator) Draw(slug, tokenID string) []byte {
	t, _ := g.describe(slug, tokenID)
	k := newCard(slug, tokenID, t)
	k.open("0 0 600 800", t.Name)
	k.ground()
	k.chart()
	k.frame()
	k.subject()
	k.keystone()
	k.plate()
	return k.close()
}

// Hash returns a hash of words.yaml; see catalogue.Generator.
func (g *Generator) Hash() [32]byte { return sha256.Sum256(file) }

// variant returns what the tokens of the id's series are, "" for ids without one.
func (g *Generator) variant(slug, tokenID string) (variant string, r rarity.Rarity) {
	variant, r, _ = g.catalogue.Variant(slug, series.Of(tokenID))
	return variant, r
}
