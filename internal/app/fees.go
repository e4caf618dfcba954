package app

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
)

// marketFees reads the fees of sales from the marketplace, which itself asks the collection for its royalty.
type marketFees struct {
	rpc         *rpc.Client
	marketplace eth.Address
}

// wholePrice is the price of which the royalty is asked: it has as many base units as there are basis points.
const wholePrice = 10_000

// Fees implements market.FeeReader.
func (m marketFees) Fees(ctx context.Context, contract eth.Address, tokenID string) (market.Fees, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	f, err := m.read(ctx, contract, tokenID)
	if err != nil {
		return f, fault.New(fault.Unavailable, "The fees are not known just now, as the chain does not answer. Please try again in a moment.").
			Because(err)
	}
	return f, nil
}

func (m marketFees) read(ctx context.Context, contract eth.Address, tokenID string) (f market.Fees, err error) {
	id, err := money.Parse(tokenID)
	if err != nil {
		return f, err
	}
	abi := contracts.NewMarketplaceV3()
	answer, err := m.call(ctx, abi.PackGetPlatformFeeInfo())
	if err != nil {
		return f, err
	}
	platform, err := abi.UnpackGetPlatformFeeInfo(answer)
	if err != nil {
		return f, err
	}
	answer, err = m.call(ctx, abi.PackGetRoyalty(common.Address(contract), id.Big(), big.NewInt(wholePrice)))
	if err != nil {
		return f, err
	}
	royalty, err := abi.UnpackGetRoyalty(answer)
	if err != nil {
		return f, err
	}
	f.Platform = int64(platform.Arg1)
	for _, amount := range royalty.Amounts {
		if amount.Cmp(big.NewInt(wholePrice)) > 0 {
			return f, fmt.Errorf("app: a royalty of %v of %d", amount, wholePrice)
		}
		f.Royalty += amount.Int64()
	}
	return f, nil
}

func (m marketFees) call(ctx context.Context, data []byte) (out eth.Bytes, err error) {
	err = m.rpc.CallContext(ctx, &out, "eth_call", map[string]any{"to": m.marketplace, "data": eth.Bytes(data)}, "latest")
	return out, err
}
