// Package index writes what the chains' logs say.
package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/notifications"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/store/withdrawals"
)

// keptBlocks is how many recent block hashes are kept: a deeper reorganisation requires a new index. The first block is
// kept forever: it identifies the chain.
const keptBlocks = 4096

// freshness is the age from which a batch counts as history and is not announced: an index that is far behind would
// flood every browser with messages.
const freshness = 2 * time.Minute

// Describer describes tokens.
type Describer interface {
	// Describe describes a token by what the brand knows of it and by what its contract says; known is nil while that is not known.
	Describe(contract eth.Address, tokenID string, known *metadata.Document) Description
}

// Description is what a token is to the market. Fields of the token that are empty get a default.
type Description struct {
	Token market.Token
	Rank  int // of the token's rarity, 0 for the most common
	// Asks is the standard of the contract, if the token is described by what the contract says; "" if not.
	Asks onchain.Standard
}

// ChainRules define how the portal interprets the facts of one chain.
type ChainRules struct {
	projection.Rules
	Marketplace eth.Address   // may take a seller's goods once approved
	Currencies  []eth.Address // a listing in any other currency is never valid
	// HoldCurrency is the currency whose balance must cover a player's holds; nil if holds need no cover.
	HoldCurrency *eth.Address
	// RewardsFrom is the first block whose burns earn anything.
	RewardsFrom uint64
}

// Options configure an Index.
type Options struct {
	Describer Describer
	Publisher market.Publisher // writes the last message about a listing removed by a reorganisation
	Chains    map[onchain.ChainID]ChainRules
	Rounds    draw.Schedule // of the beacon by which burned packs are drawn
}

// Index stores what the indexer reads from the chains, and everything derived from it: holdings, supplies, listings,
// sales, tokens, ended holds, and, as package projection defines, announcements and rewards. It is safe for concurrent
// use; two writers of one chain exclude each other.
type Index struct {
	db *store.DB
	o  Options
}

// New returns the index stored in db.
func New(db *store.DB, o Options) *Index { return &Index{db: db, o: o} }

// errOutOfStep reports that another writer has moved the cursor; the indexer then resumes from the new position.
var errOutOfStep = fault.New(fault.Conflict, "The chain index has moved on.").WithReason("out-of-step")

// Blocks returns the most recently read blocks, ascending. After a reorganisation the newest of them that the chain
// still has is the common ancestor.
func (x *Index) Blocks(ctx context.Context, chain onchain.ChainID) (blocks []onchain.Block, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ChainBlocks(ctx, chain)
		for _, r := range rows {
			blocks = append(blocks, blockOf(r.Number, r.Hash, r.Time))
		}
		return err
	})
	return blocks, err
}

func blockOf(number int64, hash eth.Hash, time column.Time) onchain.Block {
	return onchain.Block{Number: uint64(number), Hash: hash, Time: time.Time}
}

// ApplyBatch adds what was read from the range of blocks after the cursor, and what is derived from it, and moves the
// cursor, all in one transaction. Applying a batch again changes nothing. It returns fault.Conflict for a batch that
// does not build on the block at the cursor.
func (x *Index) ApplyBatch(ctx context.Context, b onchain.Batch) error {
	if len(b.Blocks) == 0 || b.Blocks[len(b.Blocks)-1].Number != b.To || b.From > b.To {
		return fmt.Errorf("store: batch %d–%d of chain %d does not end with its last block", b.From, b.To, b.Chain)
	}
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		applied, err := advance(ctx, tx, b)
		if applied || err != nil {
			return err
		}
		c := x.change(tx, b.Chain)
		last := b.Blocks[len(b.Blocks)-1]
		c.quiet = tx.Clock().Now().Sub(last.Time) > freshness
		c.from, c.to, c.at = int64(b.From), int64(b.To), last.Time
		if err := c.addBlocks(ctx, b); err != nil {
			return err
		}
		if err := c.addFacts(ctx, b); err != nil {
			return err
		}
		if err := c.follow(ctx); err != nil {
			return err
		}
		if err := c.refreshMetadata(ctx, b.Metadata); err != nil {
			return err
		}
		if err := cartstore.SettleOrders(ctx, tx, b); err != nil {
			return err
		}
		if err := withdrawals.Settle(ctx, tx, b); err != nil {
			return err
		}
		return shopstore.SettleDebts(ctx, tx, b)
	})
}

// advance moves the cursor from the block before the batch to its last one. The updated row locks out other writers of
// the chain until the transaction ends. It reports whether the batch has already been applied.
func advance(ctx context.Context, tx *store.Tx, b onchain.Batch) (applied bool, err error) {
	last := b.Blocks[len(b.Blocks)-1]
	n, err := tx.AdvanceChainCursor(ctx, gen.AdvanceChainCursorParams{
		ChainID: b.Chain, Generation: b.Generation, ParentNumber: int64(b.From) - 1, ParentHash: b.Parent,
		BlockNumber: int64(b.To), BlockHash: last.Hash, BlockTime: column.At(last.Time),
	})
	if n == 1 || err != nil {
		return false, err
	}
	known, err := tx.ChainBlock(ctx, gen.ChainBlockParams{ChainID: b.Chain, Number: int64(b.To)})
	if errors.Is(err, sql.ErrNoRows) || err == nil && known.Hash != last.Hash {
		return false, errOutOfStep
	}
	return true, err
}

// Rewind removes everything read from blocks above the ancestor, which must be one of Blocks, and everything derived
// from it, in one transaction. The result equals an index built from nothing up to the ancestor, except that ended
// holds are not restored. Rewinding again changes nothing. It returns fault.Conflict for a block that was not read.
func (x *Index) Rewind(ctx context.Context, chain onchain.ChainID, ancestor onchain.Block) error {
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		known, err := tx.ChainBlock(ctx, gen.ChainBlockParams{ChainID: chain, Number: int64(ancestor.Number)})
		if errors.Is(err, sql.ErrNoRows) || err == nil && known.Hash != ancestor.Hash {
			return errOutOfStep
		}
		if err != nil {
			return err
		}
		c := x.change(tx, chain)
		if err := c.rewindSettled(ctx, known.Number+1); err != nil {
			return err
		}
		n, err := tx.RewindChainCursor(ctx, gen.RewindChainCursorParams{
			ChainID: chain, BlockNumber: known.Number, BlockHash: known.Hash, BlockTime: known.Time,
		})
		if n == 0 || err != nil {
			return err
		}
		if err := tx.RewindChainSources(ctx, gen.RewindChainSourcesParams{ChainID: chain, NextBlock: known.Number + 1}); err != nil {
			return err
		}
		if err := unsettle(ctx, tx, chain, known.Number); err != nil {
			return err
		}
		if err := c.removeFacts(ctx, known.Number); err != nil {
			return err
		}
		return c.follow(ctx)
	})
}

// unsettle reverts what operations in blocks above the ancestor have settled.
func unsettle(ctx context.Context, tx *store.Tx, chain onchain.ChainID, ancestor int64) error {
	return errors.Join(
		cartstore.UnsettleOrders(ctx, tx, chain, ancestor), withdrawals.Unsettle(ctx, tx, chain, ancestor),
		shopstore.UnsettleDebts(ctx, tx, chain, ancestor),
	)
}

// Reset discards everything read of the chain, to rebuild the index from nothing.
func (x *Index) Reset(ctx context.Context, chain onchain.ChainID) error {
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return x.change(tx, chain).reset(ctx) })
}

// change is an update of one chain within one transaction: facts are added or removed, then derived rows are updated.
type change struct {
	tx    *store.Tx
	chain onchain.ChainID
	rules ChainRules
	x     *Index
	quiet bool                             // history: nothing is announced
	from  int64                            // the first block that is applied; 0 while facts are removed
	to    int64                            // the last block
	at    time.Time                        // the last block's
	added map[eth.Address]onchain.Standard // the tokens whose history is added; nil unless it is
	known map[eth.Address]gen.ChainSource  // the chain's sources; nil before they are read

	transfers []onchain.Transfer // that were added
	balances  balances
	supplies  supplies
	met       map[tokenKey]bool            // tokens that may not be described yet
	tokens    map[tokenKey]browsed         // tokens that are described
	lost      map[tokenKey]bool            // tokens that may no longer be in any fact
	sellers   map[sellerKey]goods          // whose listings may have gained or lost their goods
	folded    map[string]foldState         // listings whose events, goods or approvals changed, by listing number
	backings  map[holdingKey]*backingFacts // what was read of the goods of these listings
	closed    map[eth.Address]bool         // sellers of these listings whose wallets are closed
	events    map[eventKey]int             // how many of each were read
	counts    counts                       // changes to the market's counts
	packs     bool                         // the number of packs for sale must be announced
	notified  map[string]bool              // players with new notifications
}

type tokenKey struct {
	contract eth.Address
	tokenID  string
}

type sellerKey struct{ seller, contract eth.Address }

// goods are the tokens of one seller and contract that changed.
type goods struct {
	all    bool // an approval for all of them
	tokens map[string]bool
}

// eventKey identifies the events of one kind, subject and cause; see causeOf.
type eventKey struct {
	cause eth.Hash
	kind  string
	thing string // a listing's number, or a token
}

// foldState is a listing during a change.
type foldState struct {
	row    *gen.Listing // before the change; nil when there was none
	now    market.Folded
	set    bool              // the terms were set within this change
	sold   bool              // within this change, to anyone
	bought []market.Purchase // by players of the portal, within this change; quantity 0 if its holds were already ended
}

func (x *Index) change(tx *store.Tx, chain onchain.ChainID) *change {
	return &change{
		tx: tx, chain: chain, rules: x.o.Chains[chain], x: x,
		balances: balances{}, supplies: supplies{}, met: map[tokenKey]bool{}, tokens: map[tokenKey]browsed{}, lost: map[tokenKey]bool{},
		sellers: map[sellerKey]goods{}, folded: map[string]foldState{}, backings: map[holdingKey]*backingFacts{},
		events: map[eventKey]int{}, counts: newCounts(), notified: map[string]bool{},
	}
}

// touch records that an owner's goods changed; tokenID "" stands for all of a contract's.
func (c *change) touch(owner, contract eth.Address, tokenID string) {
	k := sellerKey{owner, contract}
	g := c.sellers[k]
	if g.tokens == nil {
		g.tokens = map[string]bool{}
	}
	g.all = g.all || tokenID == ""
	g.tokens[tokenID] = true
	c.sellers[k] = g
}

// addBlocks inserts the batch's blocks, and forgets old ones.
func (c *change) addBlocks(ctx context.Context, b onchain.Batch) error {
	for _, block := range b.Blocks {
		err := c.tx.InsertChainBlock(ctx, gen.InsertChainBlockParams{
			ChainID: c.chain, Number: int64(block.Number), Hash: block.Hash, Time: column.At(block.Time),
		})
		if err != nil {
			return err
		}
	}
	oldest := int64(b.To) - keptBlocks
	if err := c.tx.PruneChainBlocks(ctx, gen.PruneChainBlocksParams{ChainID: c.chain, Number: oldest}); err != nil {
		return err
	}
	return c.tx.PruneFactEffects(ctx, gen.PruneFactEffectsParams{ChainID: c.chain, BlockNumber: oldest})
}

// addFacts inserts the batch's facts and collects what they affect.
func (c *change) addFacts(ctx context.Context, b onchain.Batch) error {
	c.transfers = b.Transfers
	transfers := make([]gen.TokenTransfer, len(b.Transfers))
	for i, t := range b.Transfers {
		transfers[i] = gen.TokenTransfer{
			ChainID: c.chain, BlockNumber: int64(t.Block), LogIndex: int64(t.LogIndex), SubIndex: int64(t.Sub),
			TxHash: t.Tx, Time: column.At(t.Time), Contract: t.Contract, Standard: t.Standard,
			TokenID: t.TokenID, FromAddress: t.From, ToAddress: t.To, Amount: t.Amount,
		}
		c.moved(transfers[i], false)
	}
	err := insertTransfers(ctx, c.tx, transfers)
	if err != nil {
		return err
	}
	approved := map[sellerKey]bool{} // whether the marketplace is approved for all of an owner's tokens of a contract
	for _, a := range b.Approvals {
		changes, err := c.changesApproval(ctx, approved, a, int64(b.From)-1)
		if err != nil {
			return err
		}
		err = c.tx.InsertApproval(ctx, gen.InsertApprovalParams{
			ChainID: c.chain, BlockNumber: int64(a.Block), LogIndex: int64(a.LogIndex), Contract: a.Contract,
			TokenID: a.TokenID, Owner: a.Owner, Operator: a.Operator, Approved: column.Flag(a.Approved),
		})
		if err != nil {
			return err
		}
		if changes {
			c.touch(a.Owner, a.Contract, a.TokenID)
		}
	}
	for _, s := range b.Caps {
		err := c.tx.InsertSupplyCap(ctx, gen.InsertSupplyCapParams{
			ChainID: c.chain, BlockNumber: int64(s.Block), LogIndex: int64(s.LogIndex), Contract: s.Contract,
			TokenID: s.TokenID, MaxSupply: s.Max,
		})
		if err != nil {
			return err
		}
	}
	for _, t := range b.Tables {
		err := c.tx.InsertTokenTable(ctx, gen.InsertTokenTableParams{
			ChainID: c.chain, Contract: t.Contract, TokenID: t.TokenID, TableHash: eth.Hash(t.Hash).String(),
			BlockNumber: int64(t.Block), LogIndex: int64(t.LogIndex), TxHash: t.Tx, Time: column.At(t.Time),
		})
		if err != nil {
			return err
		}
	}
	for _, o := range b.Ops {
		err := c.tx.InsertUserOperationEvent(ctx, gen.InsertUserOperationEventParams{
			ChainID: c.chain, BlockNumber: int64(o.Block), LogIndex: int64(o.LogIndex), TxHash: o.Tx,
			Time: column.At(o.Time), OpHash: o.Hash, Sender: o.Sender, Success: column.Flag(o.Success),
		})
		if err != nil {
			return err
		}
	}
	for _, e := range b.Listings {
		ops := b.Ops
		if c.added != nil {
			var belongs bool
			if belongs, ops, err = c.historicEvent(ctx, e); err != nil {
				return err
			}
			if !belongs {
				continue
			}
		}
		if err := c.listingEvent(ctx, e, causeOf(ops, e.Position)); err != nil {
			return err
		}
	}
	return nil
}

// changesApproval reports whether an approval may change what the marketplace may take. An approval for all tokens that is repeated,
// or for another operator, does not: otherwise all of the owner's listings would be checked again. approved has the state after
// the batch's earlier approvals; a missing one is read as it was at the end of the block before the batch.
func (c *change) changesApproval(ctx context.Context, approved map[sellerKey]bool, a onchain.Approval, before int64) (bool, error) {
	if a.TokenID != "" {
		return true, nil
	}
	if a.Operator != c.rules.Marketplace {
		return false, nil
	}
	k := sellerKey{a.Owner, a.Contract}
	was, known := approved[k]
	if !known {
		row, err := c.tx.ApprovedForAll(ctx, gen.ApprovedForAllParams{
			ChainID: c.chain, Contract: k.contract, Owner: k.seller, Operator: a.Operator, Block: before,
		})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		was = bool(row)
	}
	approved[k] = a.Approved
	return a.Approved != was, nil
}

// rowsAtOnce is the number of rows that one statement inserts if there are as many.
const rowsAtOnce = 50

// insertTransfers inserts transfers, many by one statement.
func insertTransfers(ctx context.Context, tx *store.Tx, transfers []gen.TokenTransfer) error {
	for rows := range slices.Chunk(transfers, rowsAtOnce) {
		if len(rows) < rowsAtOnce {
			for _, t := range rows {
				if err := tx.InsertTransfer(ctx, gen.InsertTransferParams(t)); err != nil {
					return err
				}
			}
			continue
		}
		values := make([][]any, len(rows))
		for i, t := range rows {
			values[i] = []any{t.BlockNumber, t.LogIndex, t.SubIndex, t.TxHash, t.Time, t.Contract, t.Standard, t.TokenID, t.FromAddress,
				t.ToAddress, t.Amount}
		}
		if err := insertRows(ctx, tx, rows[0].ChainID, transferTable, values); err != nil {
			return err
		}
	}
	return nil
}

// removeFacts deletes the facts above a block and collects what they affected.
func (c *change) removeFacts(ctx context.Context, above int64) error {
	transfers, err := c.tx.TransfersAbove(ctx, gen.TransfersAboveParams{ChainID: c.chain, BlockNumber: above})
	if err != nil {
		return err
	}
	for _, t := range transfers {
		c.moved(t, true)
	}
	approvals, err := c.tx.ApprovalsAbove(ctx, gen.ApprovalsAboveParams{ChainID: c.chain, BlockNumber: above})
	if err != nil {
		return err
	}
	for _, a := range approvals {
		c.touch(a.Owner, a.Contract, a.TokenID)
	}
	listings, err := c.tx.ListingsTouchedAbove(ctx, gen.ListingsTouchedAboveParams{ChainID: c.chain, BlockNumber: above})
	if err != nil {
		return err
	}
	if err := c.deleteFacts(ctx, above); err != nil {
		return err
	}
	slices.Sort(listings)
	for _, number := range slices.Compact(listings) {
		if err := c.refold(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

func (c *change) deleteFacts(ctx context.Context, above int64) error {
	return errors.Join(
		c.tx.DeleteTransfers(ctx, gen.DeleteTransfersParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteApprovals(ctx, gen.DeleteApprovalsParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteSupplyCaps(ctx, gen.DeleteSupplyCapsParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteTokenTables(ctx, gen.DeleteTokenTablesParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteUserOperationEvents(ctx, gen.DeleteUserOperationEventsParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteListingEvents(ctx, gen.DeleteListingEventsParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteSales(ctx, gen.DeleteSalesParams{ChainID: c.chain, BlockNumber: above}),
		c.tx.DeleteChainBlocks(ctx, gen.DeleteChainBlocksParams{ChainID: c.chain, Number: above}),
	)
}

// reset discards the chain's index. Its holds end with its listings.
func (c *change) reset(ctx context.Context) error {
	if err := unsettle(ctx, c.tx, c.chain, 0); err != nil {
		return err
	}
	held, err := c.tx.HeldUnitsOfChain(ctx, c.chain)
	if err != nil {
		return err
	}
	for _, h := range held {
		if err := c.tellHoldEnded(ctx, h.PlayerID, h.ListingID, h.Contract, h.Unit, projection.HoldGone); err != nil {
			return err
		}
	}
	return errors.Join(
		c.rewindSettled(ctx, -1),
		c.tx.ResetChainCursor(ctx, c.chain),
		c.tx.DeleteChainSources(ctx, c.chain),
		c.deleteFacts(ctx, -1),
		c.tx.DeleteHoldings(ctx, c.chain),
		c.tx.DeleteSupplies(ctx, c.chain),
		c.tx.DeleteListings(ctx, c.chain),
		c.tx.DeleteUnseenTokens(ctx),
		c.tx.DeleteUnseenTokenTraits(ctx),
		recount(ctx, c.tx),
	)
}

// follow updates the derived rows after facts were added or removed.
func (c *change) follow(ctx context.Context) error {
	if err := c.settleBalances(ctx); err != nil {
		return err
	}
	if err := c.settleSupplies(ctx); err != nil {
		return err
	}
	if err := c.tellHolders(ctx); err != nil {
		return err
	}
	spenders, err := c.followFunds(ctx)
	if err != nil {
		return err
	}
	if err := c.settleListings(ctx); err != nil {
		return err
	}
	if !c.quiet {
		if err := notifications.Announce(ctx, c.tx, c.notified); err != nil {
			return err
		}
	}
	// Bought units are no longer held at this point.
	for _, player := range spenders {
		if err := c.endUncovered(ctx, player); err != nil {
			return err
		}
	}
	if err := c.describeTokens(ctx); err != nil {
		return err
	}
	if err := c.forgetTokens(ctx); err != nil {
		return err
	}
	return addCounts(ctx, c.tx, c.counts)
}

// detailOf encodes an event's own fields for storage.
func detailOf(e onchain.ListingEvent) (string, error) {
	var detail any = struct{}{}
	switch {
	case e.Terms != nil:
		detail = e.Terms
	case e.Sale != nil:
		detail = e.Sale
	}
	b, err := json.Marshal(detail)
	return string(b), err
}

// eventOf decodes a stored listing event.
func eventOf(r gen.ListingEvent) (onchain.ListingEvent, error) {
	e := onchain.ListingEvent{Kind: onchain.ListingKind(r.Kind), ListingID: r.ListingID}
	e.Block, e.LogIndex, e.Tx, e.Time = uint64(r.BlockNumber), uint32(r.LogIndex), r.TxHash, r.Time.Time
	var err error
	switch e.Kind {
	case onchain.ListingCreated, onchain.ListingUpdated:
		e.Terms = new(onchain.ListingTerms)
		err = json.Unmarshal([]byte(r.Detail), e.Terms)
	case onchain.ListingSold:
		e.Sale = new(onchain.Sale)
		err = json.Unmarshal([]byte(r.Detail), e.Sale)
	}
	return e, err
}
