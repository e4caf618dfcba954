package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
)

// counts are changes to the numbers of tokens and browsable listings. They are accumulated during a transaction and written at
// its end, since a batch of the index changes the same few counts many times.
type counts struct {
	rarities map[rarityKey]rarityCount
	traits   map[traitKey]int64
}

type rarityKey struct {
	contract           eth.Address
	collection, rarity string
	rank               int64
}

type rarityCount struct{ tokens, listed int64 }

type traitKey struct {
	contract                 eth.Address
	collection, trait, value string
}

func newCounts() counts {
	return counts{rarities: map[rarityKey]rarityCount{}, traits: map[traitKey]int64{}}
}

func (c counts) rarity(k rarityKey, tokens, listed int64) {
	was := c.rarities[k]
	c.rarities[k] = rarityCount{was.tokens + tokens, was.listed + listed}
}

// listing adds n to the counts of a listing, if it is browsable.
func (c counts) listing(l gen.Listing, n int64) {
	if !l.Browsable {
		return
	}
	c.rarity(rarityKey{l.Contract, l.Collection, l.Rarity, l.RarityRank}, 0, n)
	for _, t := range marketstore.TraitsOf(l.Traits) {
		c.traits[traitKey{l.Contract, l.Collection, t[0], t[1]}] += n
	}
}

// addCounts writes the changes, in a fixed order so that two transactions cannot deadlock.
func addCounts(ctx context.Context, tx *store.Tx, c counts) error {
	byRarity := func(a, b rarityKey) int {
		return cmp.Or(
			compareAddresses(a.contract, b.contract), cmp.Compare(a.collection, b.collection),
			cmp.Compare(a.rarity, b.rarity), cmp.Compare(a.rank, b.rank),
		)
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.rarities), byRarity) {
		n := c.rarities[k]
		if n == (rarityCount{}) {
			continue
		}
		if err := tx.AddRarityCount(ctx, gen.AddRarityCountParams{
			Contract: k.contract, Collection: k.collection, Rarity: k.rarity, RarityRank: k.rank, Tokens: n.tokens, Listed: n.listed,
		}); err != nil {
			return err
		}
	}
	byTrait := func(a, b traitKey) int {
		return cmp.Or(
			compareAddresses(a.contract, b.contract), cmp.Compare(a.collection, b.collection),
			cmp.Compare(a.trait, b.trait), cmp.Compare(a.value, b.value),
		)
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.traits), byTrait) {
		if c.traits[k] == 0 {
			continue
		}
		if err := tx.AddTraitCount(ctx, gen.AddTraitCountParams{
			Contract: k.contract, Collection: k.collection, Trait: k.trait, Value: k.value, Listed: c.traits[k],
		}); err != nil {
			return err
		}
	}
	return nil
}

// recount rebuilds all counts.
func recount(ctx context.Context, tx *store.Tx) error {
	return errors.Join(
		tx.ClearRarityCounts(ctx), tx.CountRarities(ctx), tx.CountListedRarities(ctx), tx.ClearTraitCounts(ctx), tx.CountTraits(ctx),
	)
}

// browsed is what the market filters listings of a token by.
type browsed struct {
	collection, rarity string
	rarityRank         int64
	words, traits      string
}

// setBrowseColumns sets the columns by which the market filters a listing. It describes the token if necessary.
func (c *change) setBrowseColumns(ctx context.Context, row *gen.Listing) error {
	k := tokenKey{row.Contract, row.TokenID}
	token, known := c.tokens[k]
	if !known {
		var err error
		if token, err = readBrowsed(ctx, c.tx, k); errors.Is(err, sql.ErrNoRows) {
			if err = c.describe(ctx, k); err == nil {
				token = c.tokens[k]
			}
		}
		if err != nil {
			return err
		}
		c.tokens[k] = token
	}
	setBrowseColumns(c.tx, row, token)
	return nil
}

// readBrowsed reads a token's description. It returns sql.ErrNoRows if the token has none.
func readBrowsed(ctx context.Context, tx *store.Tx, k tokenKey) (b browsed, err error) {
	token, err := tx.TokenByID(ctx, gen.TokenByIDParams{Contract: k.contract, TokenID: k.tokenID})
	if err != nil {
		return b, err
	}
	traits, err := tx.TokenTraits(ctx, gen.TokenTraitsParams{Contract: k.contract, TokenID: k.tokenID})
	return browsed{token.Collection, token.Rarity, token.RarityRank, token.Words, marketstore.TraitsText(traits)}, err
}

func setBrowseColumns(tx *store.Tx, row *gen.Listing, token browsed) {
	row.Collection, row.Rarity, row.RarityRank, row.Words, row.Traits = token.collection, token.rarity, token.rarityRank,
		token.words, token.traits
	row.Browsable = row.Valid && column.Flag(row.EndAt.After(tx.Clock().Now()))
}

// withoutBrowseColumns returns the listing without the columns that setBrowseColumns sets.
func withoutBrowseColumns(l gen.Listing) gen.Listing {
	l.Collection, l.Rarity, l.RarityRank, l.Words, l.Traits, l.Browsable = "", "", 0, "", "", false
	return l
}

// saveListing writes a listing's row and updates the counts; before is nil for a new listing.
func saveListing(ctx context.Context, tx *store.Tx, c counts, before *gen.Listing, row gen.Listing) error {
	if err := tx.PutListing(ctx, gen.PutListingParams(row)); err != nil {
		return err
	}
	if before != nil {
		c.listing(*before, -1)
	}
	c.listing(row, 1)
	return nil
}

// endBatch is the maximum number of ended listings that one batch of the index removes from the market.
const endBatch = 500

// touchEnded touches the goods of listings that are browsable although their time is over: they leave the market's indexes and
// counts, and what covers them may cover others. Queries exclude them already.
func (c *change) touchEnded(ctx context.Context) error {
	ended, err := c.tx.EndedListings(ctx, gen.EndedListingsParams{Now: column.At(c.tx.Clock().Now()), ChainID: c.chain, Batch: endBatch})
	for _, l := range ended {
		c.touch(l.Seller, l.Contract, l.TokenID)
	}
	return err
}

// AddListing creates or changes a listing and its token's description, for tests and tools. The traits are pairs of name
// and value. An existing description is kept.
func AddListing(ctx context.Context, tx *store.Tx, row gen.Listing, token gen.InsertTokenParams, traits ...[2]string) error {
	if err := AddToken(ctx, tx, token, traits...); err != nil {
		return err
	}
	described, err := readBrowsed(ctx, tx, tokenKey{row.Contract, row.TokenID})
	if err != nil {
		return err
	}
	setBrowseColumns(tx, &row, described)
	if row.Listed == 0 {
		row.Listed = row.Quantity
	}
	var before *gen.Listing
	switch was, err := tx.ListingByID(ctx, row.ID); {
	case err == nil:
		before = &was
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	c := newCounts()
	if err := saveListing(ctx, tx, c, before, row); err != nil {
		return err
	}
	return addCounts(ctx, tx, c)
}

// AddToken describes a token that is not described yet, for tests and tools.
func AddToken(ctx context.Context, tx *store.Tx, token gen.InsertTokenParams, traits ...[2]string) error {
	n, err := tx.InsertToken(ctx, token)
	if n == 0 || err != nil {
		return err
	}
	for _, t := range traits {
		err := tx.InsertTokenTrait(ctx, gen.InsertTokenTraitParams{Contract: token.Contract, TokenID: token.TokenID, Trait: t[0], Value: t[1]})
		if err != nil {
			return err
		}
	}
	c := newCounts()
	c.rarity(rarityKey{token.Contract, token.Collection, token.Rarity, token.RarityRank}, 1, 0)
	return addCounts(ctx, tx, c)
}
