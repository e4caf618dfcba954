package index

import (
	"context"
	"database/sql"
	"errors"
	"math/big"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store/gen"
)

// supplies are the changes, within one change, of how many of each token were minted and burned. Unique tokens are
// counted for their collection, under the token id "".
type supplies map[tokenKey]*supply

type supply struct{ minted, burned big.Int }

// add applies a transfer of tokens; amount is negative when it is taken back.
func (s supplies) add(t gen.TokenTransfer, amount *big.Int) {
	mint, burn := t.FromAddress.IsZero(), t.ToAddress.IsZero()
	if mint == burn {
		return
	}
	k := tokenKey{t.Contract, t.TokenID}
	if t.Standard == onchain.ERC721 {
		k.tokenID = ""
	}
	e := s[k]
	if e == nil {
		e = &supply{}
		s[k] = e
	}
	if mint {
		e.minted.Add(&e.minted, amount)
	} else {
		e.burned.Add(&e.burned, amount)
	}
}

// settleSupplies writes the supplies. They are sums, like the holdings.
func (c *change) settleSupplies(ctx context.Context) error {
	for k, s := range c.supplies {
		row, err := c.tx.Supply(ctx, gen.SupplyParams{ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		s.minted.Add(&s.minted, row.Minted.Big())
		s.burned.Add(&s.burned, row.Burned.Big())
		if s.minted.Sign() == 0 && s.burned.Sign() == 0 {
			err = c.tx.DeleteSupply(ctx, gen.DeleteSupplyParams{ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID})
		} else {
			minted, errMinted := money.FromBig(&s.minted)
			burned, errBurned := money.FromBig(&s.burned)
			if err = errors.Join(errMinted, errBurned); err == nil {
				err = c.tx.PutSupply(ctx, gen.PutSupplyParams{
					ChainID: c.chain, Contract: k.contract, TokenID: k.tokenID, Minted: minted, Burned: burned,
				})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
