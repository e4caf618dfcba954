package collections

import (
	"strings"
	"testing"

	"pantheon/internal/kit/rarity"
)

// Spec: CHAIN-15
func TestCollections_AMalformedTableIsRefusedByEntryAndField(t *testing.T) {
	t.Parallel()
	const (
		kinds = "kinds:\n  - {kind: packs, list: listPacks, title: Packs}\n"
		chest = "  - {slug: chests, name: Packs, kind: packs, chain: game, standard: erc1155, setting: CHESTS_ADDRESS, client: chests, " +
			"tradable: true, burn: pack, contract: {name: Packs, symbol: PACK}}\n"
	)
	table := func(entries ...string) string { return kinds + "collections:\n" + strings.Join(entries, "") }
	with := func(old, replacement string) string {
		if !strings.Contains(chest, old) {
			t.Fatalf("the entry has no %q", old)
		}
		return table(strings.Replace(chest, old, replacement, 1))
	}
	if _, err := Parse("collections.yaml", []byte(table(chest))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ table, want string }{
		"a collection twice": {table(chest, chest), `collections.yaml:5: collection 2 (chests): slug: "chests" is there twice`},
		"a setting twice": {
			table(chest, strings.Replace(chest, "slug: chests", "slug: boxes", 1)),
			`collection 2 (boxes): setting: "CHESTS_ADDRESS" is there twice`,
		},
		"a name of the client twice": {
			table(chest, strings.Replace(chest, "slug: chests", "slug: boxes", 1)), `collection 2 (boxes): client: "chests" is there twice`,
		},
		"no slug":                        {with("slug: chests, ", ""), `collection 1 (): slug: "" is malformed`},
		"no name":                        {with("name: Packs, kind", "kind"), "collection 1 (chests): name: is missing"},
		"an unknown kind":                {with("kind: packs", "kind: boxes"), `collection 1 (chests): kind: "boxes" is none of the kinds`},
		"a chain that is not configured": {with("chain: game", "chain: moon"), `collection 1 (chests): chain: "moon" is neither game nor main`},
		"an unknown standard":            {with("erc1155", "erc20"), `collection 1 (chests): standard: "erc20" is neither erc721 nor erc1155`},
		"a malformed setting":            {with("CHESTS_ADDRESS", "chests"), `collection 1 (chests): setting: "chests" is malformed`},
		"an unknown burn":                {with("burn: pack", "burn: smash"), `collection 1 (chests): burn: "smash" is no burn`},
		"packs of another name": {
			with("slug: chests", "slug: boxes"), "collection 1 (boxes): burn: what is burned as pack is of the kind packs, in the collection chests",
		},
		"packs that are unique": {with("erc1155", "erc721"), "collection 1 (chests): burn: needs the standard erc1155"},
		"arks that are packs": {
			with("burn: pack", "burn: ark"), "collection 1 (chests): burn: what is burned as ark is of the kind arks, in the collection arks",
		},
		"a list of another name": {
			strings.Replace(table(chest), "listPacks", "listBoxes", 1),
			"collections.yaml:2: kind 1 (packs): list: must be listPacks, as pages of this kind ask for it",
		},
		"a currency of too many decimals": {
			"currency: {symbol: GEM, decimals: 19}\n" + table(chest),
			"collections.yaml: currency: decimals: must be from 2 to 18, as the currency's contract says",
		},
		"a currency without a name": {
			"currency: {decimals: 6}\n" + table(chest), `currency: symbol: "" must have 1 to 12 letters, digits, dots and dollar signs`,
		},
		"no collection":     {"kinds: []", "collections.yaml: collections: there is none"},
		"an unknown source": {with("burn: pack", "metadata: oracle"), `collection 1 (chests): metadata: "oracle" is not contract`},
		"an unknown rarity": {
			with("burn: pack", "rarity: {values: {Gold: shiny}}"), `collection 1 (chests): rarity: "shiny" of "Gold" is no rarity`,
		},
		"a rarity of gods that changes": {
			strings.NewReplacer("kind: packs", "kind: elder-gods", "burn: pack", "rarity: {statistics: true}").Replace(table(chest)),
			"collection 1 (chests): rarity: vaults pay by it once a season, so it cannot be by statistics, which change",
		},
		"two rules of rarity": {
			with("burn: pack", "rarity: {trait: Tier, statistics: true}"), "collection 1 (chests): rarity: by statistics or by a trait, not both",
		},
		"soulbound and tradable": {
			with("tradable: true", "tradable: true, soulbound: true"),
			"collection 1 (chests): tradable: a soulbound collection cannot be traded",
		},
		"tradable on the main chain": {
			with("chain: game", "chain: main"), "collection 1 (chests): tradable: the marketplace is on the game chain",
		},
		"no contract": {
			with(", contract: {name: Packs, symbol: PACK}", ""), "collection 1 (chests): contract: needs a name and a symbol",
		},
		"a cap of an ERC-1155 contract": {
			with("symbol: PACK", "symbol: PACK, cap: 5"),
			"collection 1 (chests): contract: a cap is a positive number, of an ERC-721 contract",
		},
		"an unknown field":       {with("tradable", "salable"), "collections.yaml:4: collections[0].salable: there is no such field"},
		"a kind twice":           {strings.Replace(table(chest), "kinds:\n", kinds, 1), `kind 2 (packs): kind: "packs" is there twice`},
		"a kind without a title": {strings.Replace(table(chest), "title: Packs", `title: ""`, 1), "kind 1 (packs): title: is missing"},
		"a kind of nothing": {
			strings.Replace(table(chest), "kinds:\n", "kinds:\n  - {kind: hats, list: listHats, title: Hats}\n", 1),
			"collections.yaml:2: kind 1 (hats): kind: no collection is of this kind",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("collections.yaml", []byte(c.table))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Spec: MARKET-23
func TestCollections_RarityOfTokensThatTheirContractDescribes(t *testing.T) {
	t.Parallel()
	tier := RarityRule{
		Trait: "Tier", Values: map[string]rarity.Rarity{"Gold": rarity.Legendary}, Tokens: map[string]rarity.Rarity{"1": rarity.Mythic},
	}
	for what, c := range map[string]struct {
		rule     RarityRule
		token    string
		traits   [][2]string
		computed rarity.Rarity
		want     rarity.Rarity
	}{
		"no rule, no trait":            {want: rarity.Common},
		"no rule, a trait named so":    {traits: [][2]string{{"Hat", "Red"}, {"rarity", "EPIC"}}, want: rarity.Epic},
		"no rule, another word":        {traits: [][2]string{{"Rarity", "Ultra"}}, want: rarity.Common},
		"a trait and a word of theirs": {rule: tier, traits: [][2]string{{"tier", "gold"}}, want: rarity.Legendary},
		"a trait and a rarity's name":  {rule: tier, traits: [][2]string{{"Tier", "Rare"}}, want: rarity.Rare},
		"the other trait says nothing": {rule: tier, traits: [][2]string{{"Rarity", "Epic"}}, want: rarity.Common},
		"a token on the list":          {rule: tier, token: "1", traits: [][2]string{{"Tier", "Rare"}}, want: rarity.Mythic},
		"statistics": {
			rule: RarityRule{Statistics: true}, traits: [][2]string{{"Rarity", "Epic"}}, computed: rarity.Uncommon, want: rarity.Uncommon,
		},
		"statistics that are not known": {rule: RarityRule{Statistics: true}, want: rarity.Common},
		"no rule, statistics":           {computed: rarity.Uncommon, want: rarity.Common},
	} {
		if got := c.rule.Of(c.token, c.traits, c.computed); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

const hats = "kinds: [{kind: hats, list: listHats, title: Hats}]\ncollections:\n" +
	"  - {slug: hats, name: Hats, kind: hats, chain: game, standard: erc721, setting: HATS_ADDRESS, contract: {name: H, symbol: H}}\n"

func TestCurrency_IsUSDCUnlessTheBrandNamesAnother(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		currency Currency
		three    string // units in base units
	}{
		"": {Currency{Symbol: "USDC", Decimals: 6}, "3000000"},
		"currency: {symbol: FARE, decimals: 18}\n": {Currency{Symbol: "FARE", Decimals: 18}, "3000000000000000000"},
	} {
		r, err := Parse("collections.yaml", []byte(text+hats))
		if err != nil || r.Currency() != want.currency || r.Currency().Units(3).String() != want.three {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}
