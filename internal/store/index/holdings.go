package index

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
)

// balances are the net changes of each owner's holdings within one change.
type balances map[holdingKey]*balance

type holdingKey struct {
	contract eth.Address
	tokenID  string
	owner    eth.Address
}

type balance struct {
	standard onchain.Standard
	delta    big.Int
}

func (b balances) add(k holdingKey, standard onchain.Standard, amount *big.Int) {
	if k.owner.IsZero() {
		return // the zero address of mints and burns is not an owner
	}
	e := b[k]
	if e == nil {
		e = &balance{standard: standard}
		b[k] = e
	}
	e.delta.Add(&e.delta, amount)
}

// compareAddresses orders addresses as their texts.
func compareAddresses(a, b eth.Address) int { return bytes.Compare(a[:], b[:]) }

// moved applies a transfer, or its inverse when the transfer is taken back.
func (c *change) moved(t gen.TokenTransfer, back bool) {
	in := t.Amount.Big()
	if back {
		in.Neg(in)
	}
	out := new(big.Int).Neg(in)
	c.balances.add(holdingKey{t.Contract, t.TokenID, t.FromAddress}, t.Standard, out)
	c.balances.add(holdingKey{t.Contract, t.TokenID, t.ToAddress}, t.Standard, in)
	if t.Standard != onchain.ERC20 {
		c.supplies.add(t, in)
		if k := (tokenKey{t.Contract, t.TokenID}); back {
			c.lost[k] = true
		} else {
			c.met[k] = true
		}
		c.touch(t.FromAddress, t.Contract, t.TokenID)
		c.touch(t.ToAddress, t.Contract, t.TokenID)
	}
}

// settleBalances writes the holdings. They are sums, so the order of additions and removals does not matter.
func (c *change) settleBalances(ctx context.Context) error {
	for k, b := range c.balances {
		if b.delta.Sign() == 0 {
			continue
		}
		row, err := c.tx.Holding(ctx, gen.HoldingParams{ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID, Owner: k.owner})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		net := row.Amount.Big()
		net.Sub(net, row.Missing.Big()).Add(net, &b.delta)
		if net.Sign() == 0 {
			err = c.tx.DeleteHolding(ctx, gen.DeleteHoldingParams{ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID, Owner: k.owner})
		} else {
			put := gen.PutHoldingParams{ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID, Owner: k.owner, Standard: b.standard}
			sum := &put.Amount
			if net.Sign() < 0 {
				sum = &put.Missing
			}
			if *sum, err = money.FromBig(net.Abs(net)); err == nil {
				err = c.tx.PutHolding(ctx, put)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellHolders notifies players of the contracts in which their holdings changed.
func (c *change) tellHolders(ctx context.Context) error {
	if c.quiet {
		return nil
	}
	changed := map[eth.Address][]eth.Address{} // contracts by owner
	for k, b := range c.balances {
		if b.delta.Sign() != 0 && !slices.Contains(changed[k.owner], k.contract) {
			changed[k.owner] = append(changed[k.owner], k.contract)
		}
	}
	for _, owner := range slices.SortedFunc(maps.Keys(changed), compareAddresses) {
		players, err := c.tx.HoldersOf(ctx, owner)
		if err != nil {
			return err
		}
		slices.SortFunc(changed[owner], compareAddresses)
		for _, player := range players {
			if err := c.apply(ctx, projection.HoldingsChanged(player, changed[owner])); err != nil {
				return err
			}
		}
	}
	return nil
}

// describeTokens describes the tokens seen in this change.
func (c *change) describeTokens(ctx context.Context) error {
	for k := range c.met {
		if _, known := c.tokens[k]; known {
			continue
		}
		if err := c.describe(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// describe stores the token's description unless it has one, and then adds it to the tokens.
func (c *change) describe(ctx context.Context, k tokenKey) error {
	if c.x.o.Describer.Describe(k.contract, k.tokenID, nil).Asks != "" { // else inserting it is cheaper
		_, err := c.tx.TokenByID(ctx, gen.TokenByIDParams{Contract: k.contract, TokenID: k.tokenID})
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	d, err := c.description(ctx, k)
	if err != nil {
		return err
	}
	n, err := c.tx.InsertToken(ctx, gen.InsertTokenParams(d.row))
	if n == 0 || err != nil {
		return err
	}
	return c.keepDescription(ctx, k, d)
}

// keepDescription stores the traits of a token whose row is stored, counts it, and adds it to the tokens.
func (c *change) keepDescription(ctx context.Context, k tokenKey, d description) error {
	c.counts.rarity(rarityKey{k.contract, d.row.Collection, d.row.Rarity, d.row.RarityRank}, 1, 0)
	for _, t := range d.traits {
		if err := c.tx.InsertTokenTrait(ctx, gen.InsertTokenTraitParams{
			Contract: k.contract, TokenID: k.tokenID, Trait: t.Trait, Value: t.Value,
		}); err != nil {
			return err
		}
	}
	c.tokens[k] = browsed{d.row.Collection, d.row.Rarity, d.row.RarityRank, d.row.Words, marketstore.TraitsText(d.traits)}
	return nil
}

// description is a token's description in the form in which it is stored.
type description struct {
	row    gen.Token
	traits []gen.TokenTraitsRow // each once, in order
}

// description describes a token. What its contract says is read at some later time, if it is not known.
func (c *change) description(ctx context.Context, k tokenKey) (out description, err error) {
	d := c.x.o.Describer.Describe(k.contract, k.tokenID, nil)
	if d.Asks != "" {
		known, err := c.document(ctx, k, d.Asks)
		if err != nil {
			return out, err
		}
		d = c.x.o.Describer.Describe(k.contract, k.tokenID, known)
	}
	t := withDefaults(d.Token, k.tokenID)
	t.Attributes = slices.Clone(t.Attributes)
	for i, a := range t.Attributes {
		t.Attributes[i] = market.Attribute{TraitType: unmarked.Replace(a.TraitType), Value: unmarked.Replace(a.Value)}
		out.traits = append(out.traits, gen.TokenTraitsRow{Trait: t.Attributes[i].TraitType, Value: t.Attributes[i].Value})
	}
	slices.SortFunc(out.traits, func(a, b gen.TokenTraitsRow) int {
		return cmp.Or(cmp.Compare(a.Trait, b.Trait), cmp.Compare(a.Value, b.Value))
	})
	out.traits = slices.Compact(out.traits)
	attributes, err := json.Marshal(t.Attributes)
	out.row = gen.Token{
		Contract: k.contract, TokenID: k.tokenID, Collection: t.Collection, Name: t.Name, Kind: t.Kind, Rarity: t.Rarity,
		RarityRank: int64(d.Rank), Attributes: string(attributes), Words: searchText(t),
	}
	return out, err
}

// document returns what a token's contract says of it. If that is not known, nil is returned and the contract is asked later.
func (c *change) document(ctx context.Context, k tokenKey, standard onchain.Standard) (*metadata.Document, error) {
	n, err := c.tx.InsertTokenMetadata(ctx, gen.InsertTokenMetadataParams{
		Contract: k.contract, TokenID: k.tokenID, ChainID: c.chain, Standard: standard, Host: metadata.HostOf(c.chain),
		DueAt: column.At(c.tx.Clock().Now()),
	})
	if n > 0 || err != nil {
		return nil, err
	}
	row, err := c.tx.TokenMetadata(ctx, gen.TokenMetadataParams{Contract: k.contract, TokenID: k.tokenID})
	if err != nil || row.Document == "" {
		return nil, err
	}
	d := metadata.Document{Rarity: rarity.Rarity(row.Rarity)}
	return &d, json.Unmarshal([]byte(row.Document), &d)
}

// announcedPause is the minimum time between two refreshes that a contract announces: it may announce one with every block.
const announcedPause = 2 * time.Minute

// refreshMetadata queues tokens whose contracts have announced an update.
func (c *change) refreshMetadata(ctx context.Context, updates []onchain.MetadataUpdate) error {
	type tokens struct {
		contract    eth.Address
		first, last string
	}
	newest := map[tokens]time.Time{}
	for _, u := range updates {
		newest[tokens{u.Contract, u.First, u.Last}] = u.Time // they are in order
	}
	now := c.tx.Clock().Now()
	for k, announced := range newest {
		// Metadata that was fetched after the announcement is current, as when the index is rebuilt.
		asked, read := now.Add(-announcedPause), announced.Add(onchain.ClockLead)
		if err := c.postpone(ctx, k.contract, k.first, k.last, asked, read); err != nil {
			return err
		}
		if _, err := RefreshMetadata(ctx, c.tx, k.contract, k.first, k.last, asked, read); err != nil {
			return err
		}
	}
	return nil
}

// postpone queues tokens that were requested since a time for another refresh after announcedPause, unless they were fetched since another.
func (c *change) postpone(ctx context.Context, contract eth.Address, first, last string, asked, read time.Time) error {
	p := gen.PostponeTokensMetadataParams{
		Pause: announcedPause.Milliseconds(), Contract: contract, FirstID: first, LastID: last, AskedSince: column.At(asked),
		Now: column.At(c.tx.Clock().Now()), ReadBefore: column.At(read),
	}
	if first != last {
		return c.tx.PostponeTokensMetadata(ctx, p)
	}
	return c.tx.PostponeTokenMetadata(ctx, gen.PostponeTokenMetadataParams{
		Pause: p.Pause, Contract: contract, TokenID: first, AskedSince: p.AskedSince, Now: p.Now, ReadBefore: p.ReadBefore,
	})
}

// RefreshMetadata queues the tokens of a contract from the first to the last id to be fetched again, except those requested since one time
// or fetched since another. It returns how many.
func RefreshMetadata(ctx context.Context, tx *store.Tx, contract eth.Address, first, last string, asked, read time.Time) (int64, error) {
	now := column.At(tx.Clock().Now())
	if first == last {
		return tx.RefreshTokenMetadata(ctx, gen.RefreshTokenMetadataParams{
			Now: now, Contract: contract, TokenID: first, AskedBefore: column.At(asked), ReadBefore: column.At(read),
		})
	}
	return tx.RefreshTokensMetadata(ctx, gen.RefreshTokensMetadataParams{
		Now: now, Contract: contract, FirstID: first, LastID: last, AskedBefore: column.At(asked), ReadBefore: column.At(read),
	})
}

// Redescribe updates a token whose metadata has changed, and its listings. It does nothing for a token that the index
// has not met.
func (x *Index) Redescribe(ctx context.Context, tx *store.Tx, chain onchain.ChainID, contract eth.Address, tokenID string) error {
	if err := tx.LockSettling(ctx, int64(chain)); err != nil { // so that the indexer does not write the same rows
		return err
	}
	c, k := x.change(tx, chain), tokenKey{contract, tokenID}
	was, err := tx.TokenByID(ctx, gen.TokenByIDParams{Contract: contract, TokenID: tokenID})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	d, err := c.description(ctx, k)
	if err != nil || d.row == was {
		return err
	}
	c.counts.rarity(rarityKey{contract, was.Collection, was.Rarity, was.RarityRank}, -1, 0)
	if err := errors.Join(
		tx.UpdateToken(ctx, gen.UpdateTokenParams{
			Contract: contract, TokenID: tokenID, Collection: d.row.Collection, Name: d.row.Name, Kind: d.row.Kind, Rarity: d.row.Rarity,
			RarityRank: d.row.RarityRank, Attributes: d.row.Attributes, Words: d.row.Words,
		}),
		tx.DeleteTokenTraits(ctx, gen.DeleteTokenTraitsParams{Contract: contract, TokenID: tokenID}),
		c.keepDescription(ctx, k, d),
	); err != nil {
		return err
	}
	listings, err := tx.ActiveListingsOfToken(ctx, gen.ActiveListingsOfTokenParams{Contract: contract, TokenID: tokenID})
	if err != nil {
		return err
	}
	for _, row := range listings {
		now := row
		setBrowseColumns(tx, &now, c.tokens[k])
		now.Browsable = row.Browsable // the index ends listings, with all that follows
		if err := saveListing(ctx, tx, c.counts, &row, now); err != nil {
			return err
		}
		if now.Browsable {
			if err := tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: row.ID}); err != nil {
				return err
			}
		}
	}
	return addCounts(ctx, tx, c.counts)
}

// unmarked removes the delimiters of a listing's traits.
var unmarked = strings.NewReplacer(marketstore.TraitMark, "", marketstore.ValueMark, "")

// forgetTokens removes the descriptions of tokens that are no longer in any fact.
func (c *change) forgetTokens(ctx context.Context) error {
	for k := range c.lost {
		gone, err := c.tx.DeleteTokenIfUnseen(ctx, gen.DeleteTokenIfUnseenParams{Contract: k.contract, TokenID: k.tokenID})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = c.tx.DeleteTokenTraits(ctx, gen.DeleteTokenTraitsParams{Contract: k.contract, TokenID: k.tokenID})
		}
		if err != nil {
			return err
		}
		c.counts.rarity(rarityKey{k.contract, gone.Collection, gone.Rarity, gone.RarityRank}, -1, 0)
	}
	return nil
}

// withDefaults fills in fields that have no description.
func withDefaults(t market.Token, tokenID string) market.Token {
	def := func(s *string, or string) {
		if *s == "" {
			*s = or
		}
	}
	def(&t.Collection, "other")
	def(&t.Name, "Item #"+market.ShortID(tokenID))
	def(&t.Kind, "item")
	def(&t.Rarity, "common")
	if t.Attributes == nil {
		t.Attributes = []market.Attribute{}
	}
	return t
}

// searchText returns the distinct words of a token's description, for full-text search.
func searchText(t market.Token) string {
	texts := []string{t.Name, t.Collection, t.Kind, t.Rarity}
	for _, a := range t.Attributes {
		texts = append(texts, a.Value)
	}
	return strings.Join(market.SearchWords(strings.Join(texts, " ")), " ")
}
