package relay_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/portal/gas"
	gasstore "pantheon/internal/store/gas"
)

// reservations are the store's operations; it keeps the newest sponsorship.
type reservations struct {
	gasstore.Store
	newest gas.Sponsorship
}

func (r *reservations) Reserve(ctx context.Context, s gas.Sponsorship, b gas.Budget) error {
	r.newest = s
	return r.Store.Reserve(ctx, s, b)
}

// A part of the budget is kept for purchases: the paymaster tells them from other operations.
func TestPaymaster_TellsPurchasesFromOtherOperations(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		r := &reservations{Store: g}
		s.assemble(s.chain.Client(), g, r)
		s.start()
		buyer := s.player("P", 100_000_000)
		buyer.prepare(buyer.purchase(items, 2))
		if !r.newest.Purchase {
			t.Error("a purchase is none")
		}
		other := s.player("Q", 0)
		chests, one := s.at.Collections["chests"], big.NewInt(1)
		mint, err := contracts.Mint1155(other.Smart, one, one)
		if err != nil {
			t.Fatal(err)
		}
		s.transact(devnet.Manager, chests, mint)
		other.prepare([]gas.Call{{Target: chests, Data: contracts.NewCollection1155().PackBurn(common.Address(other.Smart), one, one)}})
		if r.newest.Purchase {
			t.Error("the opening of a pack is a purchase")
		}
	})
}
