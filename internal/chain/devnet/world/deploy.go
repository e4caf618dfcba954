package world

import (
	"cmp"
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
)

// Progress reports the progress of a task: done of total steps, and the last step done. It may be nil.
type Progress func(done, total int, what string)

// Options are the settings that differ between development sites.
type Options struct {
	// BaseURI is the prefix of {contract}/{token id} in the metadata URIs of tokens on chain, and must
	// end in a slash; "" means http://localhost:8080/metadata/.
	BaseURI  string
	Progress Progress
}

// paymasterFloor is the deposit, in ether, below which Deploy tops the paymaster's up to paymasterFill.
const paymasterFloor, paymasterFill = 100, 1_000

// AddressesOf returns the addresses of a chain's contracts, deployed or not. It fails if artifacts are missing.
func AddressesOf(registry *collections.Registry, side collections.Chain) (Addresses, error) {
	p, err := newPlan(registry, side)
	if err != nil {
		return Addresses{}, err
	}
	return p.addresses, nil
}

// Deploy deploys the missing contracts of a chain and configures them: the manager administers everything, manager and
// claimer mint, the studio gets the royalties, and the paymaster, whose only relayer is the gas relayer, has ether at the
// EntryPoint.
func Deploy(
	ctx context.Context, client *rpc.Client, registry *collections.Registry, side collections.Chain, options Options,
) (Addresses, error) {
	plan, err := newPlan(registry, side)
	if err != nil {
		return Addresses{}, err
	}
	s, err := newSession(ctx, client)
	if err == nil {
		err = deployContracts(ctx, s, plan, options.Progress)
	}
	if err == nil {
		err = setUp(ctx, s, plan.addresses, options.BaseURI)
	}
	if err != nil {
		return Addresses{}, fmt.Errorf("world: deploying the %s contracts: %w", side, err)
	}
	return plan.addresses, nil
}

// deployContracts creates the missing contracts, in the plan's order.
func deployContracts(ctx context.Context, s *session, plan *plan, progress Progress) error {
	missing, err := missingContracts(ctx, s, plan.contracts)
	if err != nil {
		return err
	}
	for _, c := range missing {
		err := s.send(ctx, call{
			from: devnet.Deployer, to: contracts.Deployer, data: c.Deployment.Call(), gas: 10_000_000, what: "created " + c.Title,
		})
		if err != nil {
			return err
		}
	}
	done, total := len(plan.contracts)-len(missing), len(plan.contracts)
	return s.wait(ctx, func(what string) {
		done++
		if progress != nil {
			progress(done, total, what)
		}
	})
}

// missingContracts returns the contracts that do not exist on the chain.
func missingContracts(ctx context.Context, s *session, all []deploy.Contract) ([]deploy.Contract, error) {
	views := make([]view, len(all))
	for i, c := range all {
		views[i] = view{to: c.Address}
	}
	codes, err := s.ask(ctx, views)
	if err != nil {
		return nil, err
	}
	var missing []deploy.Contract
	for i, c := range all {
		if len(codes[i]) == 0 {
			missing = append(missing, c)
		}
	}
	return missing, nil
}

// setUp configures the deployed contracts.
func setUp(ctx context.Context, s *session, a Addresses, baseURI string) error {
	if err := fillPaymaster(ctx, s, a); err != nil {
		return err
	}
	if err := setBaseURIs(ctx, s, a.Collections, cmp.Or(baseURI, constructorBaseURI)); err != nil {
		return err
	}
	return s.wait(ctx, nil)
}

// fillPaymaster tops up the paymaster's deposit at the EntryPoint, from which gas is paid.
func fillPaymaster(ctx context.Context, s *session, a Addresses) error {
	abi := contracts.NewEntryPoint()
	paymaster := common.Address(a.Paymaster)
	answers, err := s.ask(ctx, []view{{a.EntryPoint, abi.PackBalanceOf(paymaster)}})
	if err != nil {
		return err
	}
	balance, err := abi.UnpackBalanceOf(answers[0])
	if err != nil || balance.Cmp(ether(paymasterFloor)) >= 0 {
		return err
	}
	return s.send(ctx, call{
		from: devnet.Deployer, to: a.EntryPoint, value: new(big.Int).Sub(ether(paymasterFill), balance),
		data: abi.PackDepositTo(paymaster), gas: 200_000, what: "filled the paymaster",
	})
}

// setBaseURIs sets the collections' metadata URI.
func setBaseURIs(ctx context.Context, s *session, collections map[string]eth.Address, uri string) error {
	abi := contracts.NewCollection721() // the two functions are the same in all collections
	var views []view
	slugs := sortedKeys(collections)
	for _, slug := range slugs {
		views = append(views, view{collections[slug], abi.PackBaseURI()})
	}
	answers, err := s.ask(ctx, views)
	if err != nil {
		return err
	}
	for i, slug := range slugs {
		current, err := abi.UnpackBaseURI(answers[i])
		if err != nil {
			return err
		}
		if current == uri {
			continue
		}
		err = s.send(ctx, call{
			from: devnet.Manager, to: collections[slug], data: abi.PackSetBaseURI(uri), gas: 300_000,
			what: "set the base URI of " + slug,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ether returns n ether in wei.
func ether(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(params.Ether)) }
