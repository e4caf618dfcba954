package index

import (
	"context"
	"maps"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// touchClosed touches the goods of wallets that were closed or reopened since the last change of the chain with the market.
func (c *change) touchClosed(ctx context.Context) error {
	if c.rules.Marketplace == (eth.Address{}) {
		return nil
	}
	wallets, err := c.tx.UnsettledWallets(ctx)
	for _, seller := range wallets {
		goods, err := c.tx.ActiveGoodsOfSeller(ctx, gen.ActiveGoodsOfSellerParams{ChainID: c.chain, Seller: seller})
		if err != nil {
			return err
		}
		for _, g := range goods {
			c.touch(seller, g.Contract, g.TokenID)
		}
		if err := c.tx.SettleClosedWallet(ctx, seller); err != nil {
			return err
		}
		if err := c.tx.DropReopenedWallet(ctx, seller); err != nil {
			return err
		}
	}
	return err
}

// closedSellers returns which sellers of the change's listings have closed wallets: what they list is not for sale.
func (c *change) closedSellers(ctx context.Context) (map[eth.Address]bool, error) {
	known, closed := map[eth.Address]bool{}, map[eth.Address]bool{}
	for _, s := range c.folded {
		known[s.now.Seller] = true
	}
	for part := range slices.Chunk(slices.SortedFunc(maps.Keys(known), compareAddresses), goodsAtOnce) {
		s := &store.SQLText{}
		s.Add("SELECT c.* FROM (VALUES ")
		for i, address := range store.Padded(part) {
			if i > 0 {
				s.Add(", ")
			}
			s.Add("(?)", address)
		}
		s.Add(") k CROSS JOIN closed_wallet c WHERE c.address = k.column1 AND c.state <> 'reopening'")
		rows, err := store.SelectRows[gen.ClosedWallet](ctx, c.tx.Statements(), s)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			closed[r.Address] = true
		}
	}
	return closed, nil
}
