package store

import (
	"context"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

func (db *DB) FixedTables(ctx context.Context, chain onchain.ChainID, contract eth.Address) (tables []onchain.FixedTable, err error) {
	return nil, nil
}
