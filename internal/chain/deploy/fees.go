package deploy

import (
	"context"
	"fmt"
	"math/big"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
)

// gasPrice returns what a unit of gas costs now, in wei.
func gasPrice(ctx context.Context, rpc Caller) (*big.Int, error) {
	var price eth.Quantity
	if err := rpc.CallContext(ctx, &price, "eth_gasPrice"); err != nil {
		return nil, err
	}
	return price.Big(), nil
}

// fees returns the fees to offer for a unit of gas, in wei: twice the base fee, which lets it rise for several blocks, and the suggested
// tip, both at most the limit. On a chain without EIP-1559 tipCap is nil, and feeCap the price.
func (s Sender) fees(ctx context.Context) (feeCap, tipCap *big.Int, err error) {
	var head struct {
		BaseFee *eth.Quantity `json:"baseFeePerGas"`
	}
	if err := s.RPC.CallContext(ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil {
		return nil, nil, err
	}
	price, err := gasPrice(ctx, s.RPC)
	if err != nil {
		return nil, nil, err
	}
	if price.Cmp(s.MaxFee) > 0 {
		return nil, nil, fmt.Errorf("gas costs %s gwei, more than the limit of %s: start again later, or with a higher --max-fee", gwei(price),
			gwei(s.MaxFee))
	}
	if head.BaseFee == nil {
		return price, nil, nil
	}
	var tip eth.Quantity
	if err := s.RPC.CallContext(ctx, &tip, "eth_maxPriorityFeePerGas"); err != nil {
		return nil, nil, err
	}
	tipCap = tip.Big()
	feeCap = new(big.Int).Lsh(head.BaseFee.Big(), 1)
	feeCap = least(feeCap.Add(feeCap, tipCap), s.MaxFee)
	return feeCap, least(tipCap, feeCap), nil
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// gwei formats wei in gwei.
func gwei(wei *big.Int) string {
	return new(big.Float).Quo(new(big.Float).SetInt(wei), big.NewFloat(1e9)).Text('g', 6)
}

// raise returns higher fees, by a quarter, but at most the limit: nodes replace a transaction by one that offers a tenth more. At the limit
// the transaction stays as it is.
func (s Sender) raise(ctx context.Context, feeCap, tipCap *big.Int) (*big.Int, *big.Int, error) {
	nowCap, nowTip, err := s.fees(ctx)
	if err != nil {
		return nil, nil, err
	}
	more := func(was, now *big.Int) *big.Int {
		out := new(big.Int).Add(was, new(big.Int).Rsh(was, 2))
		if out.Add(out, big.NewInt(1)); now != nil && now.Cmp(out) > 0 {
			out = now
		}
		return least(out, s.MaxFee)
	}
	feeCap = more(feeCap, nowCap)
	if tipCap != nil {
		tipCap = more(tipCap, nowTip)
	}
	return feeCap, tipCap, nil
}

// gasOracle tells what a chain of the OP stack charges for publishing data (https://specs.optimism.io/protocol/predeploys.html).
var gasOracle = eth.MustAddress("0x420000000000000000000000000000000000000F")

// dataFee returns what the chain charges for publishing the steps' data, apart from their gas. Chains of Arbitrum count it as gas.
func (p *planner) dataFee() (*big.Int, error) {
	sum := new(big.Int)
	if !p.exists(gasOracle) {
		return sum, nil
	}
	p.questions = nil
	for _, s := range p.Steps {
		p.view(gasOracle, contracts.CallBytes("getL1Fee(bytes)", append(s.Raw, s.Data...)), func(answer []byte) {
			if len(answer) == 32 {
				sum.Add(sum, new(big.Int).SetBytes(answer))
			}
		})
	}
	return sum, p.ask()
}
