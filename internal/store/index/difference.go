package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"slices"
	"strings"
)

// table is a table of an index, all of whose columns are numbers or texts. Together with the chain, the key identifies a row.
type table struct {
	name      string
	key, rest []string
	ofBlocks  bool // the key begins with a block
}

// The tables of facts.
var (
	atLog         = []string{"block_number", "log_index"}
	transferTable = table{name: "token_transfer", key: []string{"block_number", "log_index", "sub_index"}, rest: []string{
		"tx_hash", "time", "contract", "standard", "token_id", "from_address", "to_address", "amount",
	}, ofBlocks: true}
	approvalTable = table{name: "token_approval", key: atLog, rest: []string{
		"contract", "token_id", "owner", "operator", "approved",
	}, ofBlocks: true}
	listingEventTable = table{name: "listing_event", key: atLog, rest: []string{
		"tx_hash", "time", "listing_id", "kind", "detail", "contract", "token_id",
	}, ofBlocks: true}
	operationTable = table{name: "user_operation_event", key: atLog, rest: []string{
		"tx_hash", "time", "op_hash", "sender", "success",
	}, ofBlocks: true}
	factTables = []table{
		transferTable, approvalTable, listingEventTable, operationTable,
		{name: "sale", key: atLog, rest: []string{
			"tx_hash", "time", "listing_id", "contract", "token_id", "seller", "buyer", "currency", "quantity", "total", "unit_price", "received",
		}, ofBlocks: true},
		{name: "supply_cap", key: atLog, rest: []string{"contract", "token_id", "max_supply"}, ofBlocks: true},
		{name: "token_table", key: atLog, rest: []string{"contract", "token_id", "table_hash", "tx_hash", "time"}, ofBlocks: true},
	}
)

// The tables that follow from the facts. Of listings, what describes their tokens is not compared.
var (
	blockTable   = table{name: "chain_block", key: []string{"number"}, rest: []string{"hash", "time"}}
	sourceTable  = table{name: "chain_source", key: []string{"contract"}, rest: []string{"kind", "next_block"}}
	holdingTable = table{name: "holding", key: []string{"contract", "token_id", "owner"}, rest: []string{"standard", "amount", "missing"}}
	supplyTable  = table{name: "supply", key: []string{"contract", "token_id"}, rest: []string{"minted", "burned"}}
	listingTable = table{name: "listing", key: []string{"listing_id"}, rest: []string{
		"contract", "token_id", "seller", "quantity", "currency", "price", "price_rank", "start_at", "end_at", "reserved", "status", "valid",
		"created_at", "updated_at", "lapsed", "returned", "listed",
	}}
	derivedTables = []table{blockTable, sourceTable, holdingTable, supplyTable, listingTable}
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

// delta returns by how much an amount has changed; a missing row has 0.
func (t table) delta(d difference, column string) *big.Int {
	amount := func(values []any) *big.Int {
		n := new(big.Int)
		if values != nil {
			n.SetString(record{t, values}.text(column), 10)
		}
		return n
	}
	now := amount(d.now)
	return now.Sub(now, amount(d.was))
}

// differences returns the rows that differ in the shadow index, within a range of blocks if the table has them; to is -1 for no end.
func (x *Index) differences(ctx context.Context, db gen.DBTX, r *Replacement, t table, from, to int64) (out []difference, err error) {
	mine, err := x.scan(ctx, db, r.Chain, t, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, mine.rows.Close()) }()
	shadow, err := r.Shadow.scan(ctx, r.Shadow.db.Prepared(), r.Chain, t, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, shadow.rows.Close()) }()
	if err := errors.Join(mine.next(), shadow.next()); err != nil {
		return nil, err
	}
	for mine.row != nil || shadow.row != nil {
		order := compareKeys(mine.row, shadow.row, len(t.key))
		switch {
		case order < 0:
			out = append(out, difference{was: mine.row})
		case order > 0:
			out = append(out, difference{now: shadow.row})
		case !slices.Equal(mine.row, shadow.row):
			out = append(out, difference{mine.row, shadow.row})
		}
		if order <= 0 {
			err = mine.next()
		}
		if order >= 0 {
			err = errors.Join(err, shadow.next())
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
		if err := insertRows(ctx, tx, chain, t, rows); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// insertRows inserts rows by one statement: a round trip to the database costs more than an insertion.
func insertRows(ctx context.Context, tx *store.Tx, chain onchain.ChainID, t table, rows [][]any) error {
	s := &store.SQLText{}
	s.Add("INSERT INTO " + t.name + " (chain_id, " + strings.Join(t.columns(), ", ") + ") VALUES ")
	for i, row := range rows {
		s.Add([]string{"", ", "}[min(i, 1)]+"(?", chain)
		s.Add(strings.Repeat(", ?", len(row))+")", row...)
	}
	_, err := tx.Statements().ExecContext(ctx, s.String(), s.Args...)
	return err
}
