package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
)

const methodTip = "eth_maxPriorityFeePerGas"

// correctTip replaces an endpoint's answer to eth_maxPriorityFeePerGas by one that the chain takes; result is a pointer to any form of a
// JSON-RPC quantity. On a chain whose blocks have no base fee (EIP-1559), the tip is the whole price. An endpoint that does not know the
// method has a price, of which the base fee is a part. No tip is below LeastTip.
func (c *Client) correctTip(ctx context.Context, result any, err error) error {
	if result == nil || err != nil && !isUnknownMethod(err) {
		return err
	}
	var tip hexutil.Big
	if err == nil {
		text, err := json.Marshal(result)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &tip); err != nil {
			return err
		}
	}
	if err != nil || !c.hasBaseFee.Load() {
		price, base, failed := c.price(ctx)
		switch {
		case failed != nil && err == nil: // what the endpoint suggests has to do
		case failed != nil:
			return failed
		case base == nil:
			tip = hexutil.Big(*price)
		case err != nil:
			tip = hexutil.Big(*price.Sub(price, base))
		}
	}
	if least := c.options.LeastTip; least != nil && tip.ToInt().Cmp(least) < 0 {
		tip = hexutil.Big(*least)
	}
	if tip.ToInt().Sign() < 0 { // the base fee has risen since
		tip = hexutil.Big{}
	}
	text, err := json.Marshal(&tip)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// isUnknownMethod reports whether an endpoint does not know a method: the code of JSON-RPC, or that of EIP-1474 for one that it does not
// support.
func isUnknownMethod(err error) bool {
	var refusal gethrpc.Error
	if !errors.As(err, &refusal) {
		return false
	}
	text := strings.ToLower(refusal.Error())
	return refusal.ErrorCode() == -32601 || refusal.ErrorCode() == -32004 || strings.Contains(text, "not supported") ||
		strings.Contains(text, "unknown method") || strings.Contains(text, "not found")
}

// price returns the price of a unit of gas, in wei, and the newest block's base fee, which is a part of it; nil if the chain has none.
func (c *Client) price(ctx context.Context) (price, base *big.Int, err error) {
	var answer *hexutil.Big
	var head *struct{ BaseFeePerGas *hexutil.Big }
	batch := []gethrpc.BatchElem{
		{Method: "eth_gasPrice", Result: &answer},
		{Method: "eth_getBlockByNumber", Args: []any{"latest", false}, Result: &head},
	}
	if err := c.first(ctx, func(ctx context.Context, e *endpoint) error { return e.batch(ctx, batch) }); err != nil {
		return nil, nil, err
	}
	for _, e := range batch {
		if e.Error != nil {
			return nil, nil, e.Error
		}
	}
	if answer == nil || head == nil {
		return nil, nil, c.endpoints[0].errorf("%w: the endpoint knows no price or no block", ErrUnreachable)
	}
	if head.BaseFeePerGas != nil {
		c.hasBaseFee.Store(true)
	}
	return answer.ToInt(), (*big.Int)(head.BaseFeePerGas), nil
}
