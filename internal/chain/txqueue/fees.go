package txqueue

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

func raised(fee *big.Int) *big.Int {
	more := new(big.Int).Add(fee, new(big.Int).Rsh(fee, 3))
	return more.Add(more, common.Big1)
}

func higher(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// fees returns the fees to offer per unit of gas, in wei: twice the base fee, which lets it rise for several blocks,
// and the tip that the node suggests, or the least that it has taken lately. On a chain without a base fee both are the price.
func (q *Queue) fees(ctx context.Context, now head) (feeCap, tipCap *big.Int, err error) {
	var tip hexutil.Big
	if err := q.RPC.CallContext(ctx, &tip, "eth_maxPriorityFeePerGas"); err != nil {
		return nil, nil, q.errf("tip", err)
	}
	least := q.run.leastTip
	if twice := new(big.Int).Lsh((*big.Int)(&tip), 1); now.BaseFee == nil && least.Cmp(twice) > 0 {
		least = twice // the price of a moment, which is over
	}
	tipCap = higher(higher((*big.Int)(&tip), common.Big1), least)
	feeCap = new(big.Int).Set(tipCap)
	if now.BaseFee != nil {
		feeCap.Add(feeCap, new(big.Int).Lsh(now.BaseFee, 1))
	}
	if limit := q.MaxFee.Big(); feeCap.Cmp(limit) > 0 {
		return nil, nil, q.errf("fees", errors.New("gas costs more than the limit; transactions wait until it is cheaper"))
	}
	return feeCap, tipCap, nil
}
