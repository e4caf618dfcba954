package txqueue

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/kit/eth"
)

// nextNonce returns the nonce for a wallet's next transaction, given how many nonces the chain has used and how many
// transactions are in flight.
func (q *Queue) nextNonce(ctx context.Context, from eth.Address, used uint64, inFlight int) (uint64, error) {
	next, err := q.Store.NextNonce(ctx, q.Chain, from)
	if err != nil {
		return 0, err
	}
	if used > next { // another sender used this key, or the database is new
		if err := q.Store.RaiseNonce(ctx, q.Chain, from, used, 0); err != nil {
			return 0, err
		}
		return used, nil
	}
	if used+uint64(inFlight) < next {
		// A transaction with this nonce would wait for others that are never sent.
		return 0, q.errf("wallet "+from.Checksum(),
			errors.New("the chain knows fewer transactions than were mined; is the endpoint behind, or the chain another one?"))
	}
	return next, nil
}

// transactionCount returns how many transactions a wallet has sent, at a block or in the pool.
func (q *Queue) transactionCount(ctx context.Context, of eth.Address, block string) (uint64, error) {
	var n hexutil.Uint64
	if err := q.RPC.CallContext(ctx, &n, "eth_getTransactionCount", of, block); err != nil {
		return 0, q.errf("transaction count", err)
	}
	return uint64(n), nil
}
