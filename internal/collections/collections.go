// Package collections has the registry of a brand's token contracts: which there are, on which chain, by which standard,
// and what players can do with their tokens. The configuration has the addresses of the contracts.
package collections

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/section"
)

// Kind is a kind of goods, kept in one or more collections. See kinds in collections.yaml.
type Kind string

// The kinds that code refers to.
const (
	Immortals  Kind = "immortals"
	Passes     Kind = "passes"
	Arks       Kind = "arks"
	PowerPacks Kind = "power-packs"
	GameItems  Kind = "game-items"
	PiggyBanks Kind = "piggy-banks"
	Packs      Kind = "packs"
	Avatars    Kind = "avatars"
	ElderGods  Kind = "elder-gods"
)

// lists are the lists of the kinds that have pages of their own, which ask for them by name.
var lists = map[Kind]string{
	Immortals: "listImmortals", Passes: "listPasses", Arks: "listArks", GameItems: "listGameItems", PiggyBanks: "listPiggyBanks",
	Packs: "listPacks", PowerPacks: "listPowerPacks",
}

// burned are the kind of what is burned in each way, and the slug of its only collection, "" where there can be more.
var burned = map[Burn]struct {
	kind Kind
	slug string
}{
	OpenPack: {Packs, "chests"}, BreakPiggy: {PiggyBanks, ""}, BreakArk: {Arks, "arks"}, OpenPowerPack: {PowerPacks, "power-packs"},
}

// KindEntry describes a kind.
type KindEntry struct {
	Kind  Kind   `yaml:"kind"`
	List  string `yaml:"list"`  // the API's operation that lists what a player holds of it
	Title string `yaml:"title"` // what players read
}

// Chain is one of the two chains.
type Chain string

// The chains.
const (
	GameChain Chain = "game"
	MainChain Chain = "main"
)

// Burn is what a player does by burning a token, and so what the burn earns.
type Burn string

// The burns. Tokens of a collection with NoBurn are not burned by players.
const (
	NoBurn        Burn = ""
	OpenPack      Burn = "pack"
	BreakPiggy    Burn = "piggy-bank"
	BreakArk      Burn = "ark"
	OpenPowerPack Burn = "power-pack"
)

// Source says where tokens' names, traits and pictures come from.
type Source string

// The sources. What the catalogue lacks is asked of the contract in any case.
const (
	FromCatalogue Source = "" // the brand's catalogue
	FromContract  Source = "contract"
)

// RarityRule says how rare a token is whose contract describes it.
type RarityRule struct {
	// Trait names the trait that holds the rarity, case-insensitive; "Rarity" when empty.
	Trait string `yaml:"trait"`
	// Values map values of the trait to rarities, case-insensitive. A value that is the name of a rarity needs no entry.
	// Others are common.
	Values map[string]rarity.Rarity `yaml:"values"`
	// Tokens override the rarity of single tokens, by decimal id.
	Tokens map[string]rarity.Rarity `yaml:"tokens"`
	// Statistics computes the rarity from how rare a token's traits are in the collection, instead of the trait.
	Statistics bool `yaml:"statistics"`
}

// Of returns the rarity of a token with these traits, each a name and a value. computed is its rarity by statistics, "" while that is not
// known.
func (r RarityRule) Of(tokenID string, traits [][2]string, computed rarity.Rarity) rarity.Rarity {
	if listed, ok := r.Tokens[tokenID]; ok {
		return listed
	}
	if r.Statistics {
		return cmp.Or(computed, rarity.Common)
	}
	for _, t := range traits {
		if !strings.EqualFold(t[0], cmp.Or(r.Trait, "Rarity")) {
			continue
		}
		for value, is := range r.Values {
			if strings.EqualFold(value, t[1]) {
				return is
			}
		}
		if is := rarity.Rarity(strings.ToLower(t[1])); is.Rank() >= 0 {
			return is
		}
	}
	return rarity.Common
}

// Collection is one of the brand's token contracts.
type Collection struct {
	Slug      string           `yaml:"slug"`
	Name      string           `yaml:"name"` // what players read
	Kind      Kind             `yaml:"kind"`
	Chain     Chain            `yaml:"chain"`
	Standard  onchain.Standard `yaml:"standard"`  // ERC721 or ERC1155
	Setting   string           `yaml:"setting"`   // the environment variable of the contract's address
	Client    string           `yaml:"client"`    // its name among the contracts of /api/config, or ""
	Soulbound bool             `yaml:"soulbound"` // cannot change hands
	Tradable  bool             `yaml:"tradable"`  // can be listed on the marketplace
	Burn      Burn             `yaml:"burn"`
	Metadata  Source           `yaml:"metadata"` // where its tokens' names, traits and pictures come from
	Rarity    RarityRule       `yaml:"rarity"`   // of tokens that their contract describes

	Contract struct { // of a contract that is made for it
		Name   string `yaml:"name"`
		Symbol string `yaml:"symbol"`
		Cap    int64  `yaml:"cap"` // how many tokens can ever be minted (ERC-721 only); 0 for no cap
	} `yaml:"contract"`
}

// Burnable reports whether players burn tokens of the collection.
func (c Collection) Burnable() bool { return c.Burn != NoBurn }

// Currency is the ERC-20 that the market trades in, on the game chain.
type Currency struct {
	Symbol   string `yaml:"symbol"`   // of its contract; shown beside prices
	Decimals int    `yaml:"decimals"` // of its contract; 2 to 18
}

// Units converts whole units (0 or more) to base units.
func (c Currency) Units(whole int64) money.Units {
	return money.MustParse(strconv.FormatInt(whole, 10) + strings.Repeat("0", c.Decimals))
}

// Registry is a brand's collections, their kinds and the market's currency. It does not change.
type Registry struct {
	currency    Currency
	kinds       []KindEntry
	collections []Collection
}

// All returns the collections, in the table's order. The caller owns the result.
func (r *Registry) All() []Collection { return slices.Clone(r.collections) }

// Of returns the collection of a slug, and whether there is one.
func (r *Registry) Of(slug string) (Collection, bool) {
	i := slices.IndexFunc(r.collections, func(c Collection) bool { return c.Slug == slug })
	if i < 0 {
		return Collection{}, false
	}
	return r.collections[i], true
}

// Currency returns the currency that the market trades in: USDC unless the brand names another.
func (r *Registry) Currency() Currency { return r.currency }

// Kinds returns the kinds in the order in which players see them. The caller owns the result.
func (r *Registry) Kinds() []KindEntry { return slices.Clone(r.kinds) }

var (
	slugPattern    = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	settingPattern = regexp.MustCompile(`^[A-Z][A-Z0-9_]*_ADDRESS$`)
	symbolPattern  = regexp.MustCompile(`^[A-Za-z0-9.$]{1,12}$`)
	namePattern    = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
)

// Parse reads a registry from YAML. The error lists every fault by line, entry and field.
func Parse(file string, raw []byte) (*Registry, error) {
	if err := section.Names(file, raw, "currency", "kinds", "collections"); err != nil {
		return nil, err
	}
	files := section.Files{{Name: file, Text: raw}, {Name: file, Text: []byte("kinds: []\ncollections: []\n")}}
	kindList, kindFaults := section.Read[KindEntry]("kinds", files)
	list, listFaults := section.Read[Collection]("collections", files)
	f := struct {
		Currency *Currency            `yaml:"currency"`
		Others   map[string]yaml.Node `yaml:",inline"`
	}{}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	var currencyFault error
	if err := d.Decode(&f); err != nil {
		currencyFault = fmt.Errorf("%s: currency: %w", file, err)
	}
	if err := section.Join(currencyFault, kindFaults, listFaults); err != nil {
		return nil, err
	}
	var faults []error
	kinds := map[Kind]bool{}
	once := unique{}
	for i, k := range kindList.Entries {
		bad := func(field, why string) {
			faults = append(faults, fmt.Errorf("%s: kind %d (%s): %s: %s", kindList.Place(i, field), i+1, k.Kind, field, why))
		}
		kinds[k.Kind] = true
		once.check(bad, "kind", string(k.Kind), slugPattern)
		once.check(bad, "list", k.List, namePattern)
		if k.Title == "" {
			bad("title", "is missing")
		}
		if name, ok := lists[k.Kind]; ok && k.List != name {
			bad("list", fmt.Sprintf("must be %s, as pages of this kind ask for it", name))
		}
		if !slices.ContainsFunc(list.Entries, func(c Collection) bool { return c.Kind == k.Kind }) {
			bad("kind", "no collection is of this kind")
		}
	}
	once = unique{}
	for i, c := range list.Entries {
		bad := func(field, why string) {
			faults = append(faults, fmt.Errorf("%s: collection %d (%s): %s: %s", list.Place(i, field), i+1, c.Slug, field, why))
		}
		once.check(bad, "slug", c.Slug, slugPattern)
		once.check(bad, "setting", c.Setting, settingPattern)
		if c.Client != "" {
			once.check(bad, "client", c.Client, namePattern)
		}
		c.check(bad, kinds)
	}
	currency := Currency{Symbol: "USDC", Decimals: 6}
	if f.Currency != nil {
		currency = *f.Currency
	}
	if !symbolPattern.MatchString(currency.Symbol) {
		faults = append(faults,
			fmt.Errorf("%s: currency: symbol: %q must have 1 to 12 letters, digits, dots and dollar signs", file, currency.Symbol))
	}
	if currency.Decimals < 2 || currency.Decimals > 18 {
		faults = append(faults, fmt.Errorf("%s: currency: decimals: must be from 2 to 18, as the currency's contract says", file))
	}
	if len(list.Entries) == 0 {
		faults = append(faults, fmt.Errorf("%s: collections: there is none", file))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return &Registry{currency: currency, kinds: kindList.Entries, collections: list.Entries}, nil
}

// check tells what is wrong with the fields that say nothing about other entries.
func (c Collection) check(bad func(field, why string), kinds map[Kind]bool) {
	switch {
	case !kinds[c.Kind]:
		bad("kind", fmt.Sprintf("%q is none of the kinds", c.Kind))
	case c.Name == "":
		bad("name", "is missing")
	}
	if c.Chain != GameChain && c.Chain != MainChain {
		bad("chain", fmt.Sprintf("%q is neither game nor main", c.Chain))
	}
	if c.Standard != onchain.ERC721 && c.Standard != onchain.ERC1155 {
		bad("standard", fmt.Sprintf("%q is neither erc721 nor erc1155", c.Standard))
	}
	if c.Tradable && c.Soulbound {
		bad("tradable", "a soulbound collection cannot be traded")
	}
	if c.Tradable && c.Chain == MainChain {
		bad("tradable", "the marketplace is on the game chain")
	}
	if c.Metadata != FromCatalogue && c.Metadata != FromContract {
		bad("metadata", fmt.Sprintf("%q is not contract", c.Metadata))
	}
	if c.Rarity.Statistics && c.Kind == ElderGods {
		bad("rarity", "vaults pay by it once a season, so it cannot be by statistics, which change")
	}
	if c.Rarity.Statistics && (c.Rarity.Trait != "" || len(c.Rarity.Values) > 0) {
		bad("rarity", "by statistics or by a trait, not both")
	}
	for _, of := range []map[string]rarity.Rarity{c.Rarity.Values, c.Rarity.Tokens} {
		for what, is := range of {
			if is.Rank() < 0 {
				bad("rarity", fmt.Sprintf("%q of %q is no rarity", is, what))
			}
		}
	}
	switch of, ok := burned[c.Burn]; {
	case c.Burn == NoBurn:
	case !ok:
		bad("burn", fmt.Sprintf("%q is no burn", c.Burn))
	case c.Kind != of.kind || of.slug != "" && c.Slug != of.slug:
		bad("burn", fmt.Sprintf("what is burned as %s is of the kind %s, in the collection %s", c.Burn, of.kind, cmp.Or(of.slug, "of any name")))
	case c.Standard != onchain.ERC1155:
		bad("burn", "needs the standard erc1155")
	case c.Burn == OpenPack && c.Chain != GameChain:
		bad("burn", "packs are on the game chain")
	}
	switch d := c.Contract; {
	case d.Name == "" || d.Symbol == "":
		bad("contract", "needs a name and a symbol")
	case d.Cap < 0 || d.Cap > 0 && c.Standard != onchain.ERC721:
		bad("contract", "a cap is a positive number, of an ERC-721 contract")
	}
}

// unique knows which values a field has had.
type unique map[[2]string]bool

// check tells if the value is malformed or another entry has it.
func (u unique) check(bad func(field, why string), field, value string, pattern *regexp.Regexp) {
	if !pattern.MatchString(value) {
		bad(field, fmt.Sprintf("%q is malformed", value))
	}
	if u[[2]string{field, value}] {
		bad(field, fmt.Sprintf("%q is there twice", value))
	}
	u[[2]string{field, value}] = true
}
