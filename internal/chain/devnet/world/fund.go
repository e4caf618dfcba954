package world

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
)

// What the treasury has in the beginning.
const (
	treasuryDollars = 50_000
	treasuryEther   = 10
)

// Fund gives the treasury its USDC, KOD packs and gas money on the game chain: each unless it has some. The packs' drop
// tables must be fixed before; see Seed.
func Fund(ctx context.Context, client *rpc.Client, a Addresses) error {
	s, err := newSession(ctx, client)
	if err == nil {
		err = s.fund(ctx, a)
	}
	if err != nil {
		return fmt.Errorf("world: funding the treasury: %w", err)
	}
	return nil
}

func (s *session) fund(ctx context.Context, a Addresses) error {
	treasury, many := devnet.WalletOf(devnet.Treasury).Address, contracts.NewCollection1155()
	ether, err := s.client.BalanceAt(ctx, common.Address(treasury), nil)
	if err != nil {
		return err
	}
	balances, err := s.ask(ctx, []view{
		{a.USDC, contracts.NewTestToken().PackBalanceOf(common.Address(treasury))},
		{a.Collections[chests], many.PackBalanceOf(common.Address(treasury), big.NewInt(GeneralPack))},
	})
	if err != nil {
		return err
	}
	has := func(balance []byte) bool { return new(big.Int).SetBytes(balance).Sign() > 0 }
	usdc, err := contracts.Mint20(treasury, dollars(treasuryDollars).Big())
	if err != nil {
		return err
	}
	packs := many.PackMintBatch(common.Address(treasury),
		[]*big.Int{big.NewInt(GeneralPack), big.NewInt(AvatarPack), big.NewInt(GodPack)},
		[]*big.Int{big.NewInt(500), big.NewInt(100), big.NewInt(25)}, nil)
	for _, gift := range []struct {
		has bool
		call
	}{
		{has(balances[0]), call{to: a.USDC, data: usdc, gas: 100_000, what: "minted the treasury's USDC"}},
		{has(balances[1]), call{to: a.Collections[chests], data: packs, gas: 500_000, what: "minted the treasury's packs"}},
		{ether.Sign() > 0, call{
			to: treasury, value: new(big.Int).Mul(big.NewInt(treasuryEther), big.NewInt(params.Ether)), gas: 21_000, what: "gave the treasury ether",
		}},
	} {
		if gift.has {
			continue
		}
		gift.from = devnet.Manager
		if err := s.send(ctx, gift.call); err != nil {
			return err
		}
	}
	return s.wait(ctx, nil)
}
