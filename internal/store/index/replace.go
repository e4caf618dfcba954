package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/big"
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

// replaceIdle is how long the transaction of a replacement may wait for the index aside.
const replaceIdle = 10 * time.Minute

// ErrOtherChain reports that the chain that was read aside has nothing of the chain that the index was read from.
var ErrOtherChain = errors.New("the index was read from another chain with this id")

// Replacement is an index of a chain that was read aside, to take the place of the one that serves.
type Replacement struct {
	Chain   onchain.ChainID
	Sources onchain.Sources
	Aside   *Index // in a database of its own, which no other process writes
	// Reach makes the index aside read up to a block, and no further blocks from then on; a block without a hash is none. It reports
	// whether the chain has the block. It may be called more than once, and returns fault.Conflict if the block takes too long.
	Reach func(ctx context.Context, block onchain.Block) (has bool, err error)
	// OtherChain is whether an index of another chain with the same id is replaced, too.
	OtherChain bool
	// Also is done in the transaction that replaces the index.
	Also func(ctx context.Context, tx *store.Tx) error

	// What Compare found: the facts up to a block that both have, while the index has a generation.
	upTo       onchain.Block
	generation int64
	sources    map[eth.Address]gen.ChainSource
	early      map[string][]difference
}

// Replace makes an index say what another one says that was read aside, in one transaction: facts are added and removed, and what follows
// from them changes as by new blocks and reorganisations, so that holds, orders and rewards that the change does not concern stay. What is
// equal is not written. It returns fault.Conflict if the index has changed too much meanwhile, and ErrOtherChain. Resume then goes on with
// the new sources, and fails for the former ones.
func (x *Index) Replace(ctx context.Context, r *Replacement) error {
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.EndIfIdle(ctx, replaceIdle); err != nil { // the index aside is read meanwhile
			return err
		}
		end, isOther, err := x.meet(ctx, tx, r)
		if err != nil {
			return err
		}
		return x.replace(ctx, tx, r, end, isOther)
	})
}

// Compare compares the facts up to the newest block that both indexes have. It takes long with many, and so comes before Replace, whose
// transaction locks the index.
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
		for _, t := range facts {
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
	aside, err := r.Aside.Blocks(ctx, r.Chain)
	has := map[eth.Hash]bool{}
	for _, b := range aside {
		has[b.Hash] = true
	}
	for _, b := range slices.Backward(mine) {
		if has[b.Hash] {
			return b, err
		}
	}
	return onchain.Block{}, err
}

// meet locks the index and brings the one aside to the block at its cursor: the effects of later blocks happen when the portal reads
// them. It returns that block. An empty index, and with OtherChain one of another chain, will be at the block where the one aside is.
func (x *Index) meet(ctx context.Context, tx *store.Tx, r *Replacement) (end onchain.Block, isOther bool, err error) {
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
	has, err := r.Reach(ctx, at)
	if err != nil {
		return end, false, err
	}
	if err := x.stillFits(ctx, tx, r, was); err != nil {
		return end, false, err
	}
	var cursor gen.ChainCursor
	if err := r.Aside.db.Read(ctx, func(q *gen.Queries) (err error) {
		cursor, err = q.ChainCursor(ctx, r.Chain)
		return err
	}); err != nil {
		return end, false, err
	}
	if cursor.BlockNumber < 0 {
		return end, false, errors.New("nothing was read aside")
	}
	end = blockOf(cursor.BlockNumber, cursor.BlockHash, cursor.BlockTime)
	switch {
	case was.BlockNumber < 0:
		return end, false, nil
	case has && cursor.BlockNumber < was.BlockNumber:
		return end, false, errOutOfStep
	case has:
		return at, false, r.Aside.rewindTo(ctx, r.Chain, at)
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

// stillFits returns fault.Conflict if the index has changed in what Compare has compared.
func (x *Index) stillFits(ctx context.Context, tx *store.Tx, r *Replacement, now gen.ChainCursor) error {
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

// rewindTo takes an index back to a block of its chain, which it may have read within a range and so not know.
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

// replace replaces the index by the one aside, which is at a block, perhaps of another chain.
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
	for _, t := range slices.Concat(facts, derived) {
		late, err := x.differences(ctx, tx.Statements(), r, t, from, -1)
		if err != nil {
			return err
		}
		changed[t.name] = slices.Concat(r.early[t.name], late)
		total += len(changed[t.name])
	}
	c.quiet = total > maxAnnounced
	for _, t := range slices.Concat(facts, []table{blocks, sources}) {
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
	if err := c.take(ctx, changed); err != nil {
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
	return r.Also(ctx, tx)
}

// take collects what the differences affect.
func (c *change) take(ctx context.Context, changed map[string][]difference) error {
	firstBurn := int64(-1)
	for _, d := range changed[transfers.name] {
		row := transfers.row(d)
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
	if firstBurn >= 0 { // what it earns is granted if it was not
		if err := c.rewindSettled(ctx, firstBurn); err != nil {
			return err
		}
	}
	for _, d := range changed[approvals.name] {
		row := approvals.row(d)
		c.touch(row.address("owner"), row.address("contract"), row.text("token_id"))
	}
	for _, d := range changed[holdings.name] {
		row := holdings.row(d)
		k := holdingKey{row.address("contract"), row.text("token_id"), row.address("owner")}
		delta := difference{now: d.now}.sum(holdings, "amount", "missing")
		c.balances.add(k, onchain.Standard(row.text("standard")), delta.Sub(delta, difference{now: d.was}.sum(holdings, "amount", "missing")))
		c.touch(k.owner, k.contract, k.tokenID)
	}
	for _, d := range changed[supplied.name] {
		row, s := supplied.row(d), &supply{}
		s.minted.Sub(difference{now: d.now}.sum(supplied, "minted", ""), difference{now: d.was}.sum(supplied, "minted", ""))
		s.burned.Sub(difference{now: d.now}.sum(supplied, "burned", ""), difference{now: d.was}.sum(supplied, "burned", ""))
		c.supplies[tokenKey{row.address("contract"), row.text("token_id")}] = s
	}
	numbers := map[string]bool{}
	for _, t := range []table{listingEvents, listings} {
		for _, d := range changed[t.name] {
			numbers[t.row(d).text("listing_id")] = true
		}
	}
	for number := range numbers {
		if err := c.refold(ctx, number); err != nil {
			return err
		}
	}
	for _, d := range changed[listingEvents.name] {
		if d.now != nil && d.was == nil {
			if err := c.missed(ctx, listingEvents.row(d)); err != nil {
				return err
			}
		}
	}
	return nil
}

// missed does for a sale that the former index lacked what it means to the buyer.
func (c *change) missed(ctx context.Context, row record) error {
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

// settleMissed settles what waits for operations that the former index lacked.
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
	sales := map[eth.Hash]bool{} // of which transactions they are known: several operations may be in one
	for _, d := range changed[operations.name] {
		if d.now == nil {
			continue
		}
		row := operations.row(d)
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

// table is a table of an index, all of whose columns are numbers or texts. Together with the chain, the key identifies a row.
type table struct {
	name      string
	key, rest []string
	ofBlocks  bool // the key begins with a block
}

// The tables of facts.
var (
	atLog     = []string{"block_number", "log_index"}
	transfers = table{name: "token_transfer", key: []string{"block_number", "log_index", "sub_index"}, rest: []string{
		"tx_hash", "time", "contract", "standard", "token_id", "from_address", "to_address", "amount",
	}, ofBlocks: true}
	approvals = table{name: "token_approval", key: atLog, rest: []string{
		"contract", "token_id", "owner", "operator", "approved",
	}, ofBlocks: true}
	listingEvents = table{name: "listing_event", key: atLog, rest: []string{
		"tx_hash", "time", "listing_id", "kind", "detail", "contract", "token_id",
	}, ofBlocks: true}
	operations = table{name: "user_operation_event", key: atLog, rest: []string{
		"tx_hash", "time", "op_hash", "sender", "success",
	}, ofBlocks: true}
	facts = []table{
		transfers, approvals, listingEvents, operations,
		{name: "sale", key: atLog, rest: []string{
			"tx_hash", "time", "listing_id", "contract", "token_id", "seller", "buyer", "currency", "quantity", "total", "unit_price", "received",
		}, ofBlocks: true},
		{name: "supply_cap", key: atLog, rest: []string{"contract", "token_id", "max_supply"}, ofBlocks: true},
		{name: "token_table", key: atLog, rest: []string{"contract", "token_id", "table_hash", "tx_hash", "time"}, ofBlocks: true},
	}
)

// The tables that follow from the facts. Of listings, what describes their tokens is not compared.
var (
	blocks   = table{name: "chain_block", key: []string{"number"}, rest: []string{"hash", "time"}}
	sources  = table{name: "chain_source", key: []string{"contract"}, rest: []string{"kind", "next_block"}}
	holdings = table{name: "holding", key: []string{"contract", "token_id", "owner"}, rest: []string{"standard", "amount", "missing"}}
	supplied = table{name: "supply", key: []string{"contract", "token_id"}, rest: []string{"minted", "burned"}}
	listings = table{name: "listing", key: []string{"listing_id"}, rest: []string{
		"contract", "token_id", "seller", "quantity", "currency", "price", "price_rank", "start_at", "end_at", "reserved", "status", "valid",
		"created_at", "updated_at", "lapsed", "returned", "listed",
	}}
	derived = []table{blocks, sources, holdings, supplied, listings}
)

// columns are the table's columns without the chain.
func (t table) columns() []string { return slices.Concat(t.key, t.rest) }

// difference is a row that one of two indexes lacks, or has otherwise: nil where it is missing.
type difference struct{ was, now []any }

// record is a row of a table.
type record struct {
	table
	values []any
}

// row returns the row as it is now, or was if it is no longer.
func (t table) row(d difference) record {
	if d.now != nil {
		return record{t, d.now}
	}
	return record{t, d.was}
}

func (r record) value(name string) any    { return r.values[slices.Index(r.columns(), name)] }
func (r record) text(name string) string  { return r.value(name).(string) }
func (r record) number(name string) int64 { return r.value(name).(int64) }

func (r record) hash(name string) (h eth.Hash) {
	_ = h.Scan(r.text(name)) // this package has written it
	return h
}

func (r record) address(name string) eth.Address { return eth.MustAddress(r.text(name)) }

// sum returns the amount of one column less that of another, if there is one; 0 for no row.
func (d difference) sum(t table, plus, minus string) *big.Int {
	out := new(big.Int)
	if d.now == nil {
		return out
	}
	for name, sign := range map[string]int64{plus: 1, minus: -1} {
		if name == "" {
			continue
		}
		n, _ := new(big.Int).SetString(record{t, d.now}.text(name), 10)
		out.Add(out, n.Mul(n, big.NewInt(sign)))
	}
	return out
}

// differences returns the rows by which the index aside differs, of a range of blocks if the table has them; to is -1 for no end.
func (x *Index) differences(ctx context.Context, db gen.DBTX, r *Replacement, t table, from, to int64) (out []difference, err error) {
	mine, err := x.scan(ctx, db, r.Chain, t, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, mine.rows.Close()) }()
	aside, err := r.Aside.scan(ctx, r.Aside.db.Prepared(), r.Chain, t, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, aside.rows.Close()) }()
	if err := errors.Join(mine.next(), aside.next()); err != nil {
		return nil, err
	}
	for mine.row != nil || aside.row != nil {
		order := compareKeys(mine.row, aside.row, len(t.key))
		switch {
		case order < 0:
			out = append(out, difference{was: mine.row})
		case order > 0:
			out = append(out, difference{now: aside.row})
		case !slices.Equal(mine.row, aside.row):
			out = append(out, difference{mine.row, aside.row})
		}
		if order <= 0 {
			err = mine.next()
		}
		if order >= 0 {
			err = errors.Join(err, aside.next())
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compareKeys compares the first n columns of two rows; nil comes after all rows.
func compareKeys(a, b []any, n int) int {
	switch {
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	for i := range n {
		var order int
		switch a := a[i].(type) {
		case int64:
			order = cmp.Compare(a, b[i].(int64))
		case string:
			order = cmp.Compare(a, b[i].(string))
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// cursor reads the rows of a query one by one.
type cursor struct {
	rows    *sql.Rows
	columns int
	row     []any // nil after the last
}

func (c *cursor) next() error {
	c.row = nil
	if !c.rows.Next() {
		return c.rows.Err()
	}
	row, into := make([]any, c.columns), make([]any, c.columns)
	for i := range row {
		into[i] = &row[i]
	}
	if err := c.rows.Scan(into...); err != nil {
		return err
	}
	c.row = row
	return nil
}

// scan reads a table's rows of a chain in the order of their keys, which is that of bytes in texts.
func (x *Index) scan(ctx context.Context, db gen.DBTX, chain onchain.ChainID, t table, from, to int64) (*cursor, error) {
	s, columns := &store.SQLText{}, t.columns()
	s.Add("SELECT ")
	for i, name := range columns {
		if i > 0 {
			s.Add(", ")
		}
		s.Add(name)
	}
	s.Add(" FROM "+t.name+" WHERE chain_id = ?", chain)
	if t.ofBlocks {
		s.Add(" AND block_number >= ?", from)
		if to >= 0 {
			s.Add(" AND block_number <= ?", to)
		}
	}
	for i, name := range t.key {
		s.Add([]string{" ORDER BY ", ", "}[min(i, 1)] + name)
		if x.db.Engine() == store.PostgreSQL && !slices.Contains(numericKeys, name) {
			s.Add(` COLLATE "C"`)
		}
	}
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
	return &cursor{rows: rows, columns: len(columns)}, err
}

// numericKeys are the columns of keys that are numbers.
var numericKeys = []string{"block_number", "log_index", "sub_index", "number"}

// write makes a table's rows of a chain what they are now.
func write(ctx context.Context, tx *store.Tx, chain onchain.ChainID, t table, changed []difference) error {
	var inserted [][]any
	for _, d := range changed {
		if d.now != nil {
			inserted = append(inserted, d.now)
		}
		if d.was == nil {
			continue
		}
		s := &store.SQLText{}
		s.Add("DELETE FROM "+t.name+" WHERE chain_id = ?", chain)
		for i, name := range t.key {
			s.Add(" AND "+name+" = ?", d.was[i])
		}
		if _, err := tx.Statements().ExecContext(ctx, s.String(), s.Args...); err != nil {
			return err
		}
	}
	for rows := range slices.Chunk(inserted, rowsAtOnce) {
		s := &store.SQLText{}
		s.Add("INSERT INTO " + t.name + " (chain_id")
		for _, name := range t.columns() {
			s.Add(", " + name)
		}
		s.Add(") VALUES ")
		for i, row := range rows {
			s.Add([]string{"", ", "}[min(i, 1)]+"(?", chain)
			for _, value := range row {
				s.Add(", ?", value)
			}
			s.Add(")")
		}
		if _, err := tx.Statements().ExecContext(ctx, s.String(), s.Args...); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}
