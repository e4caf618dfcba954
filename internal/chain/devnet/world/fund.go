package world

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/brand"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
)

// What the treasury has in the beginning.
const (
	treasuryDollars = 50_000
	treasuryEther   = 10
)

// Fund gives the treasury its USDC, its part of the stock and gas money on the game chain: each unless it has some. The packs' drop
// tables must be fixed before; see Seed.
func Fund(ctx context.Context, client *rpc.Client, a Addresses, stock []brand.Stock) error {
	s, err := newSession(ctx, client)
	if err == nil {
		err = s.fund(ctx, a, stock)
	}
	if err != nil {
		return fmt.Errorf("world: funding the treasury: %w", err)
	}
	return nil
}

func (s *session) fund(ctx context.Context, a Addresses, stock []brand.Stock) error {
	treasury := devnet.WalletOf(devnet.Treasury).Address
	ether, err := s.client.BalanceAt(ctx, common.Address(treasury), nil)
	if err != nil {
		return err
	}
	usdc, err := contracts.Mint20(treasury, cents(100*treasuryDollars, a.decimals).Big())
	if err != nil {
		return err
	}
	views := []view{{a.USDC, contracts.NewTestToken().PackBalanceOf(common.Address(treasury))}}
	gifts := []call{{to: a.USDC, data: usdc, gas: 100_000, what: "minted the treasury's USDC"}}
	packs, many := a.Collections[a.packs], contracts.NewCollection1155()
	var ids, amounts []*big.Int
	for _, p := range stock {
		id, ok := new(big.Int).SetString(p.Token, 10)
		if !ok {
			return fmt.Errorf("stock of %s: token %q is no number", p.Collection, p.Token)
		}
		if p.Treasury > 0 {
			ids, amounts = append(ids, id), append(amounts, big.NewInt(p.Treasury))
		}
	}
	if len(ids) > 0 { // at once, so that none is given twice
		views = append(views, view{packs, many.PackBalanceOf(common.Address(treasury), ids[0])})
		gifts = append(gifts, call{
			to: packs, data: many.PackMintBatch(common.Address(treasury), ids, amounts, nil), gas: 500_000, what: "minted the treasury's packs",
		})
	}
	balances, err := s.ask(ctx, views)
	if err != nil {
		return err
	}
	for i, gift := range gifts {
		if new(big.Int).SetBytes(balances[i]).Sign() > 0 {
			continue
		}
		gift.from = devnet.Manager
		if err := s.send(ctx, gift); err != nil {
			return err
		}
	}
	if ether.Sign() == 0 {
		gas := new(big.Int).Mul(big.NewInt(treasuryEther), big.NewInt(params.Ether))
		if err := s.send(ctx, call{from: devnet.Manager, to: treasury, value: gas, gas: 21_000, what: "gave the treasury ether"}); err != nil {
			return err
		}
	}
	return s.wait(ctx, nil)
}
