package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/store/gen"
)

// Holdings is the store of what players hold; see holdings.Store.
type Holdings struct{ *DB }

// TokensOf returns a page of an owner's tokens of a contract; see holdings.Store.
func (db Holdings) TokensOf(ctx context.Context, owner eth.Address, c holdings.Contract, after string,
	limit int) (out []holdings.Token, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokensOf(ctx, gen.TokensOfParams{
			Owner: owner, Contract: c.Address, ChainID: c.Chain,
			AfterLength: int64(len(after)), AfterID: after, PageSize: int32(limit),
		})
		if err != nil {
			return err
		}
		out = make([]holdings.Token, len(rows))
		for i, r := range rows {
			out[i] = holdings.Token{
				Owner: owner, Contract: c.Address, TokenID: r.TokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity,
				Amount: r.Amount,
			}
			if err := json.Unmarshal([]byte(r.Attributes), &out[i].Attributes); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// StockOf returns all of an owner's tokens of a contract; see holdings.Store.
func (db Holdings) StockOf(ctx context.Context, owner eth.Address, c holdings.Contract) (out []holdings.Stock, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.StockOf(ctx, gen.StockOfParams{Owner: owner, Contract: c.Address, ChainID: c.Chain})
		out = make([]holdings.Stock, len(rows))
		for i, r := range rows {
			out[i] = holdings.Stock{TokenID: r.TokenID, Amount: r.Amount}
		}
		return err
	})
	return out, err
}

// NewItems returns the tokens that a player has not seen; see holdings.Store.
func (db Holdings) NewItems(ctx context.Context, playerID string, c holdings.Contract) (ids []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		of, err := WalletsOf(ctx, q, playerID)
		if err != nil {
			return err
		}
		smart, verified := of.Both()
		ids, err = q.NewItems(ctx, gen.NewItemsParams{
			PlayerID: playerID, ChainID: c.Chain, Contract: c.Address, Smart: smart, Verified: verified,
		})
		return err
	})
	return ids, err
}

// SeeItems records that a player has seen all tokens; see holdings.Store.
func (db Holdings) SeeItems(ctx context.Context, playerID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.Queries.SeeItems(ctx, playerID) })
}

// BalanceOf returns an owner's balance of an ERC-20 token; see holdings.Store.
func (db Holdings) BalanceOf(ctx context.Context, owner eth.Address, c holdings.Contract) (amount money.Units, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.Holding(ctx, gen.HoldingParams{ChainID: c.Chain, Contract: c.Address, TokenID: "0", Owner: owner})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		amount = row.Amount
		return err
	})
	return amount, err
}
