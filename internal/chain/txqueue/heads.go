package txqueue

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/portal/gas"
)

// head holds the fields of a block that the queue needs.
type head struct {
	Number  uint64
	Hash    common.Hash
	BaseFee *big.Int // nil on a chain without EIP-1559
}

// latest fetches the newest block.
func (q *Queue) latest(ctx context.Context) (head, error) {
	h, err := q.block(ctx, "latest")
	if err == nil && h.Hash == (common.Hash{}) {
		err = q.errf("newest block", errors.New("the chain has none"))
	}
	return h, err
}

// block fetches one block; one that does not exist has a zero hash.
func (q *Queue) block(ctx context.Context, which string) (head, error) {
	var b *struct {
		Number        hexutil.Uint64
		Hash          common.Hash
		BaseFeePerGas *hexutil.Big
	}
	if err := q.RPC.CallContext(ctx, &b, "eth_getBlockByNumber", which, false); err != nil {
		return head{}, q.errf("block "+which, err)
	}
	if b == nil {
		return head{}, nil
	}
	return head{Number: uint64(b.Number), Hash: b.Hash, BaseFee: (*big.Int)(b.BaseFeePerGas)}, nil
}

// follow checks that the blocks with our transactions are still on the chain with this head.
func (q *Queue) follow(ctx context.Context, now head) error {
	old := q.run.head
	standing, err := q.stands(ctx, old, now)
	if err != nil {
		return err
	}
	doubtful := slices.DeleteFunc(slices.Clone(q.run.fresh), func(t gas.Transaction) bool { return t.Block > now.Number })
	if !standing { // a reorganisation, or the start of Run
		if doubtful, err = q.Store.MinedTransactions(ctx, q.Chain); err != nil {
			return err
		}
	}
	if err := q.verify(ctx, now, doubtful); err != nil {
		return err
	}
	if now.Hash == old.Hash {
		return nil
	}
	if now.Number > q.Finality {
		if err := q.Store.Finalise(ctx, q.Chain, now.Number-q.Finality); err != nil {
			return err
		}
	}
	q.run.head = now
	return nil
}

// stands reports whether an earlier head is still part of the chain with the new head. If the new head is lower, it is
// not, even if a node in the middle of a reorganisation still finds it by its number.
func (q *Queue) stands(ctx context.Context, old, now head) (bool, error) {
	if old.Hash == (common.Hash{}) || now.Number < old.Number {
		return false, nil
	}
	return q.holds(ctx, now, old.Number, old.Hash)
}

// holds reports whether the chain with this head has the block with the hash at the number.
func (q *Queue) holds(ctx context.Context, now head, number uint64, hash common.Hash) (bool, error) {
	if number >= now.Number {
		return number == now.Number && hash == now.Hash, nil
	}
	at, err := q.block(ctx, hexutil.EncodeUint64(number))
	return at.Hash == hash, err
}
