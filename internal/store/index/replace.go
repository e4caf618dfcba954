package index

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/store/withdrawals"
)

// maxAnnounced is how many differences are announced one by one: more would flood every browser.
const maxAnnounced = 1000

// replaceIdle is how long the transaction of a replacement may be idle while the shadow index is read.
const replaceIdle = 10 * time.Minute

// ErrOtherChain reports that the shadow index and the index have no block in common.
var ErrOtherChain = errors.New("the index was read from another chain with this id")

// Replacement replaces the index of a chain by a shadow index, which was built beside it.
type Replacement struct {
	Chain   onchain.ChainID
	Sources onchain.Sources
	Shadow  *Index // in a database of its own, which no other process writes
	// StopAt waits until the shadow index has read a block, and stops its indexer; the zero block stops it at once. It reports whether the
	// chain has the block, and returns fault.Conflict on a timeout. It may be called again.
	StopAt func(ctx context.Context, block onchain.Block) (has bool, err error)
	// OtherChain allows replacing an index of another chain with the same id.
	OtherChain bool
	// Commit runs in the transaction that replaces the index, before it is committed.
	Commit func(ctx context.Context, tx *store.Tx) error

	// What Compare found: the facts up to a block that both have, while the index has a generation.
	upTo       onchain.Block
	generation int64
	sources    map[eth.Address]gen.ChainSource
	early      map[string][]difference
}

// Replace makes the index equal to the shadow index in one transaction. It writes only the rows that differ, and derives from them what new
// blocks and reorganisations derive, so that holds, orders and rewards that are not affected stay. It returns fault.Conflict if the index
// has changed since Compare in what was compared, and ErrOtherChain. Resume then expects the new sources.
func (x *Index) Replace(ctx context.Context, r *Replacement) error {
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.EndIfIdle(ctx, replaceIdle); err != nil {
			return err
		}
		end, isOther, err := x.align(ctx, tx, r)
		if err != nil {
			return err
		}
		return x.replace(ctx, tx, r, end, isOther)
	})
}

// Compare compares the facts up to the newest block that both indexes have. With many facts it takes long, so it precedes the transaction
// of Replace, which locks the index.
func (x *Index) Compare(ctx context.Context, r *Replacement) error {
	r.upTo, r.early = onchain.Block{}, map[string][]difference{}
	return x.db.Read(ctx, func(q *gen.Queries) error {
		cursor, err := q.ChainCursor(ctx, r.Chain)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		r.generation = cursor.Generation
		if r.sources, err = sourcesOf(ctx, q, r.Chain); err != nil {
			return err
		}
		for _, s := range r.sources {
			if s.NextBlock >= 0 { // facts of it are added to any block
				return nil
			}
		}
		if r.upTo, err = x.common(ctx, r); err != nil || r.upTo.Hash == (eth.Hash{}) {
			return err
		}
		for _, t := range factTables {
			if r.early[t.name], err = x.differences(ctx, x.db.Prepared(), r, t, 0, int64(r.upTo.Number)); err != nil {
				return err
			}
		}
		return nil
	})
}

// common returns the newest block that both indexes have; the zero block if there is none.
func (x *Index) common(ctx context.Context, r *Replacement) (onchain.Block, error) {
	mine, err := x.Blocks(ctx, r.Chain)
	if err != nil {
		return onchain.Block{}, err
	}
	shadow, err := r.Shadow.Blocks(ctx, r.Chain)
	has := map[eth.Hash]bool{}
	for _, b := range shadow {
		has[b.Hash] = true
	}
	for _, b := range slices.Backward(mine) {
		if has[b.Hash] {
			return b, err
		}
	}
	return onchain.Block{}, err
}

// align locks the index and rewinds the shadow index to the block at its cursor: later blocks take effect when the portal reads them. It
// returns that block. An empty index, and with OtherChain one of another chain, moves to the block of the shadow index instead.
func (x *Index) align(ctx context.Context, tx *store.Tx, r *Replacement) (end onchain.Block, isOther bool, err error) {
	if err := tx.InsertChainCursor(ctx, gen.InsertChainCursorParams{ChainID: r.Chain, Sources: r.Sources.Digest}); err != nil {
		return end, false, err
	}
	if _, err := tx.LockChainCursor(ctx, r.Chain); err != nil {
		return end, false, err
	}
	was, err := tx.ChainCursor(ctx, r.Chain)
	if err != nil {
		return end, false, err
	}
	at := onchain.Block{}
	if was.BlockNumber >= 0 {
		at = blockOf(was.BlockNumber, was.BlockHash, was.BlockTime)
	}
	has, err := r.StopAt(ctx, at)
	if err != nil {
		return end, false, err
	}
	if err := x.unchanged(ctx, tx, r, was); err != nil {
		return end, false, err
	}
	var cursor gen.ChainCursor
	if err := r.Shadow.db.Read(ctx, func(q *gen.Queries) (err error) {
		cursor, err = q.ChainCursor(ctx, r.Chain)
		return err
	}); err != nil {
		return end, false, err
	}
	if cursor.BlockNumber < 0 {
		return end, false, errors.New("the shadow index is empty")
	}
	end = blockOf(cursor.BlockNumber, cursor.BlockHash, cursor.BlockTime)
	switch {
	case was.BlockNumber < 0:
		return end, false, nil
	case has && cursor.BlockNumber < was.BlockNumber:
		return end, false, errOutOfStep
	case has:
		return at, false, r.Shadow.rewindTo(ctx, r.Chain, at)
	}
	switch shared, err := x.common(ctx, r); {
	case err != nil:
		return end, false, err
	case shared.Hash != (eth.Hash{}): // a reorganisation
		return end, false, errOutOfStep
	case !r.OtherChain:
		return end, false, ErrOtherChain
	}
	return end, true, nil
}

// unchanged returns fault.Conflict if the index has changed in what Compare has compared.
func (x *Index) unchanged(ctx context.Context, tx *store.Tx, r *Replacement, now gen.ChainCursor) error {
	if r.upTo.Hash == (eth.Hash{}) {
		return nil
	}
	row, err := tx.ChainBlock(ctx, gen.ChainBlockParams{ChainID: r.Chain, Number: int64(r.upTo.Number)})
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.Hash != r.upTo.Hash || now.Generation != r.generation {
		return errOutOfStep
	}
	if err != nil {
		return err
	}
	sources, err := sourcesOf(ctx, tx.Queries, r.Chain)
	if err == nil && !maps.Equal(sources, r.sources) {
		err = errOutOfStep
	}
	return err
}

// rewindTo rewinds an index to a block of its chain, even if it has no row for the block: of a range only some blocks are kept.
func (x *Index) rewindTo(ctx context.Context, chain onchain.ChainID, to onchain.Block) error {
	if err := x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.ChainBlock(ctx, gen.ChainBlockParams{ChainID: chain, Number: int64(to.Number)})
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return tx.InsertChainBlock(ctx, gen.InsertChainBlockParams{
			ChainID: chain, Number: int64(to.Number), Hash: to.Hash, Time: column.At(to.Time),
		})
	}); err != nil {
		return err
	}
	return x.Rewind(ctx, chain, to)
}

// replace replaces the index by the shadow index, which is at a block, perhaps of another chain.
func (x *Index) replace(ctx context.Context, tx *store.Tx, r *Replacement, end onchain.Block, isOther bool) error {
	c := x.change(tx, r.Chain)
	if isOther {
		if err := errors.Join(unsettle(ctx, tx, r.Chain, 0), c.rewindSettled(ctx, -1)); err != nil {
			return err
		}
	}
	changed := map[string][]difference{}
	from := int64(r.upTo.Number) + 1
	if r.upTo.Hash == (eth.Hash{}) {
		from = 0
	}
	total := 0
	for _, t := range slices.Concat(factTables, derivedTables) {
		late, err := x.differences(ctx, tx.Statements(), r, t, from, -1)
		if err != nil {
			return err
		}
		changed[t.name] = slices.Concat(r.early[t.name], late)
		total += len(changed[t.name])
	}
	c.quiet = total > maxAnnounced
	for _, t := range slices.Concat(factTables, []table{blockTable, sourceTable}) {
		if err := write(ctx, tx, r.Chain, t, changed[t.name]); err != nil {
			return err
		}
	}
	err := tx.ReplaceChainCursor(ctx, gen.ReplaceChainCursorParams{
		ChainID: r.Chain, BlockNumber: int64(end.Number), BlockHash: end.Hash, BlockTime: column.At(end.Time), Base: r.Sources.Base,
		Sources: r.Sources.Digest,
	})
	if err != nil {
		return err
	}
	if err := c.collect(ctx, changed); err != nil {
		return err
	}
	if err := c.follow(ctx); err != nil {
		return err
	}
	if err := c.settleMissed(ctx, changed); err != nil {
		return err
	}
	if err := recount(ctx, tx); err != nil {
		return err
	}
	return r.Commit(ctx, tx)
}

// collect notes what the differences affect.
func (c *change) collect(ctx context.Context, changed map[string][]difference) error {
	firstBurn := int64(-1)
	for _, d := range changed[transferTable.name] {
		row := transferTable.row(d)
		k := tokenKey{row.address("contract"), row.text("token_id")}
		if d.now == nil {
			c.lost[k] = true
			continue
		}
		if row.text("standard") != string(onchain.ERC20) {
			c.met[k] = true
		}
		if block := row.number("block_number"); row.address("to_address").IsZero() && (firstBurn < 0 || block < firstBurn) {
			firstBurn = block
		}
	}
	if firstBurn >= 0 { // rewards have ids, so none is granted twice
		if err := c.rewindSettled(ctx, firstBurn); err != nil {
			return err
		}
	}
	for _, d := range changed[approvalTable.name] {
		row := approvalTable.row(d)
		c.touch(row.address("owner"), row.address("contract"), row.text("token_id"))
	}
	for _, d := range changed[holdingTable.name] {
		row := holdingTable.row(d)
		k := holdingKey{row.address("contract"), row.text("token_id"), row.address("owner")}
		delta := holdingTable.delta(d, "amount")
		c.balances.add(k, onchain.Standard(row.text("standard")), delta.Sub(delta, holdingTable.delta(d, "missing")))
		c.touch(k.owner, k.contract, k.tokenID)
	}
	for _, d := range changed[supplyTable.name] {
		row := supplyTable.row(d)
		c.supplies[tokenKey{row.address("contract"), row.text("token_id")}] = &supply{
			minted: *supplyTable.delta(d, "minted"), burned: *supplyTable.delta(d, "burned"),
		}
	}
	numbers := map[string]bool{}
	for _, t := range []table{listingEventTable, listingTable} {
		for _, d := range changed[t.name] {
			numbers[t.row(d).text("listing_id")] = true
		}
	}
	for number := range numbers {
		if err := c.refold(ctx, number); err != nil {
			return err
		}
	}
	for _, d := range changed[listingEventTable.name] {
		if d.now != nil && d.was == nil {
			if err := c.applySale(ctx, listingEventTable.row(d)); err != nil {
				return err
			}
		}
	}
	return nil
}

// applySale applies a missing sale to its buyer's holds and notifications.
func (c *change) applySale(ctx context.Context, row record) error {
	r := gen.ListingEvent{
		BlockNumber: row.number("block_number"), LogIndex: row.number("log_index"), TxHash: row.hash("tx_hash"), Kind: row.text("kind"),
		ListingID: row.text("listing_id"), Detail: row.text("detail"), Contract: row.text("contract"),
	}
	s, ok := c.folded[r.ListingID]
	if r.Kind != string(onchain.ListingSold) || r.Contract == noToken || !ok || s.row == nil {
		return nil
	}
	e, err := eventOf(r)
	if err != nil {
		return err
	}
	ops, err := c.operationsOf(ctx, e.Block)
	if err != nil {
		return err
	}
	s.sold = true
	err = c.bought(ctx, e, c.fact(causeOf(ops, e.Position), r.BlockNumber, r.Kind, r.ListingID), &s)
	c.folded[r.ListingID] = s
	return err
}

// settleMissed settles orders, withdrawals and debts whose operations the index lacked.
func (c *change) settleMissed(ctx context.Context, changed map[string][]difference) error {
	waiting, err := c.tx.WaitingOperations(ctx, c.chain)
	if err != nil {
		return err
	}
	awaited := map[eth.Hash]bool{}
	for _, hash := range waiting {
		awaited[hash] = true
	}
	b := onchain.Batch{Chain: c.chain}
	sales := map[eth.Hash]bool{} // transactions whose sales are in b: a bundle has several operations
	for _, d := range changed[operationTable.name] {
		if d.now == nil {
			continue
		}
		row := operationTable.row(d)
		op := onchain.UserOperationEvent{Hash: row.hash("op_hash"), Sender: row.address("sender"), Success: row.number("success") != 0}
		op.Block, op.LogIndex, op.Tx = uint64(row.number("block_number")), uint32(row.number("log_index")), row.hash("tx_hash")
		op.Time = time.UnixMilli(row.number("time"))
		if !awaited[op.Hash] {
			continue
		}
		b.Ops = append(b.Ops, op)
		if sales[op.Tx] {
			continue
		}
		sales[op.Tx] = true
		sold, err := c.tx.SalesOfTransaction(ctx, gen.SalesOfTransactionParams{
			ChainID: c.chain, BlockNumber: int64(op.Block), TxHash: op.Tx,
		})
		if err != nil {
			return err
		}
		for _, s := range sold {
			e := onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: s.ListingID, Sale: &onchain.Sale{
				Contract: s.Contract, TokenID: s.TokenID, Seller: s.Seller, Buyer: s.Buyer, Quantity: s.Quantity, Total: s.Total,
			}}
			e.Block, e.LogIndex, e.Tx = op.Block, uint32(s.LogIndex), op.Tx
			b.Listings = append(b.Listings, e)
		}
	}
	return errors.Join(cartstore.SettleOrders(ctx, c.tx, b), withdrawals.Settle(ctx, c.tx, b), shopstore.SettleDebts(ctx, c.tx, b))
}
