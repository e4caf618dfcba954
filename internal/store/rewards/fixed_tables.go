package rewards

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store/gen"
)

// FixedTables returns the drop tables that a contract of packs has fixed, one for each token id, in chain order.
func (db Store) FixedTables(ctx context.Context, chain onchain.ChainID, contract eth.Address) (tables []onchain.FixedTable, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenTables(ctx, gen.TokenTablesParams{ChainID: chain, Contract: contract})
		if err != nil {
			return err
		}
		tables = make([]onchain.FixedTable, len(rows))
		for i, r := range rows {
			if tables[i], err = fixedTableOf(r); err != nil {
				return err
			}
		}
		return nil
	})
	return tables, err
}

// FixedTable returns the drop table that a contract of packs has fixed for a token id, and whether there is one.
func (db Store) FixedTable(
	ctx context.Context, chain onchain.ChainID, contract eth.Address, tokenID string,
) (table onchain.FixedTable, ok bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.TokenTable(ctx, gen.TokenTableParams{ChainID: chain, Contract: contract, TokenID: tokenID})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		table, err = fixedTableOf(row)
		ok = err == nil
		return err
	})
	return table, ok, err
}

// FormerTables returns the tables that a contract's predecessors have fixed; see packs.FixedStore.
func (db Store) FormerTables(ctx context.Context, contract eth.Address) (tables []packs.FormerTable, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FormerTables(ctx, contract.String())
		for _, r := range rows {
			table, err := fixedTableOf(r)
			if err != nil {
				return err
			}
			tables = append(tables, packs.FormerTable{Chain: r.ChainID, FixedTable: table})
		}
		return err
	})
	return tables, err
}

func fixedTableOf(r gen.TokenTable) (onchain.FixedTable, error) {
	hash, err := eth.ParseHash(r.TableHash)
	return onchain.FixedTable{
		Position: onchain.Position{Block: uint64(r.BlockNumber), LogIndex: uint32(r.LogIndex), Tx: r.TxHash, Time: r.Time.Time},
		Contract: r.Contract, TokenID: r.TokenID, Hash: hash,
	}, err
}
