package deploy

import (
	"context"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
)

// StartBlock returns the block before the one in which the oldest of the contracts that are indexed was created; the newest block if none
// exists. It asks for the code at earlier and earlier blocks, and fails if the endpoint has forgotten their state.
func StartBlock(ctx context.Context, rpc Caller, list []Contract) (uint64, error) {
	var head eth.Quantity
	if err := rpc.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return 0, err
	}
	newest, _ := head.Uint64()
	exists := func(block uint64) (bool, error) {
		var batch []gethrpc.BatchElem
		codes := make([]eth.Bytes, len(list))
		for i, c := range list {
			if c.Collection.Slug == "" && c.Setting != Marketplace {
				continue
			}
			batch = append(batch, gethrpc.BatchElem{Method: "eth_getCode", Args: []any{c.Address, eth.NewQuantity(block)}, Result: &codes[i]})
		}
		if err := callBatch(ctx, rpc, batch); err != nil {
			return false, err
		}
		for _, e := range batch {
			if e.Error != nil {
				return false, e.Error
			}
			if len(*e.Result.(*eth.Bytes)) > 0 {
				return true, nil
			}
		}
		return false, nil
	}
	// Of the blocks from low on some have none of the contracts, and that at high has one.
	low, high := newest, newest
	for step := uint64(1); ; step *= 2 {
		found, err := exists(low)
		if err != nil {
			return 0, err
		}
		if !found {
			break
		}
		high = low
		if low == 0 {
			return 0, nil
		}
		low -= min(step, low)
	}
	for high > low+1 {
		middle := low + (high-low)/2
		found, err := exists(middle)
		if err != nil {
			return 0, err
		}
		if found {
			high = middle
		} else {
			low = middle
		}
	}
	return low, nil
}
