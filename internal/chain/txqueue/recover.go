package txqueue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
)

// History finds transactions of wallets that the store lacks.
type History interface {
	// Indexed returns the last block that was read; ok is false before the first.
	Indexed(ctx context.Context, chain onchain.ChainID) (number uint64, ok bool, err error)
	// Movements returns at most limit transactions, after one of them, that minted tokens or moved the wallet's, in the order of their
	// blocks. A zero hash stands before all transactions of its block.
	Movements(ctx context.Context, chain onchain.ChainID, wallet eth.Address, after gas.Movement, limit int) ([]gas.Movement, error)
}

// Tagged returns the data of a contract call with the tag of a transaction's id: 32 bytes that contracts ignore, since the ABI allows more
// data than arguments. From the tags the chain itself tells what was sent, even if the database has lost it.
func Tagged(id string, data []byte) []byte {
	tag := tagOf(id)
	return append(slices.Clip(data), tag[:]...)
}

func tagOf(id string) eth.Hash { return eth.Keccak256([]byte("pantheon transaction " + id)) }

// tagged returns the tag of a transaction's id if its data has that.
func tagged(t gas.Transaction) (tag eth.Hash, ok bool) {
	tag = tagOf(t.ID)
	return tag, len(t.Data) > len(tag) && bytes.HasSuffix(t.Data, tag[:])
}

// poolPatience is how long a wallet waits for transactions in the endpoint's pool that the store lacks. Then theirs compete with ours for
// the same nonces, so that one of each two is mined.
const poolPatience = 10 * time.Minute

// gap is what the chain has of a wallet and the store lacks: the nonces below used.
type gap struct {
	used  uint64
	block uint64 // a block that the index must have read
}

// fence returns how many nonces of a wallet the chain has used, once the store knows about all of them: a database that was restored from a
// backup lacks what was sent since, which must not be sent twice. Until then it returns an error.
func (q *Queue) fence(ctx context.Context, from eth.Address) (used uint64, err error) {
	if used, err = q.transactionCount(ctx, from, "latest"); err != nil || q.History == nil {
		return used, err
	}
	next, err := q.Store.NextNonce(ctx, q.Chain, from)
	if err != nil {
		return 0, err
	}
	if used > next {
		g, ok := q.run.gaps[from]
		if !ok {
			now, err := q.latest(ctx) // after the count, which may be of a block later than the round's
			if err != nil {
				return 0, err
			}
			g = gap{used, now.Number}
			q.run.gaps[from] = g
			q.Log.Warn("looking for transactions that the database lacks", "wallet", from, "nonces", fmt.Sprintf("%d-%d", next, used-1))
		}
		if _, err := q.recover(ctx, from, next, g); err != nil {
			return 0, err
		}
		if err := q.Store.RaiseNonce(ctx, q.Chain, from, g.used); err != nil {
			return 0, err
		}
		delete(q.run.gaps, from)
		if next = g.used; used > next {
			return 0, q.errf("wallet "+from.Checksum(), errors.New("something else sends from it"))
		}
	}
	return used, q.awaitPool(ctx, from, max(next, used))
}

// catchUp has the store know what the kin of a sender had sent before this process, once: the store may be restored from a backup of before
// another wallet took the place of one. What a former wallet sends later is not the portal's.
func (q *Queue) catchUp(ctx context.Context, sender eth.Address) error {
	if q.History == nil || q.Kin == nil {
		return nil
	}
	for _, wallet := range q.Kin(sender) {
		if wallet == sender || q.run.caughtUp[wallet] {
			continue
		}
		next, err := q.Store.NextNonce(ctx, q.Chain, wallet)
		if err != nil {
			return err
		}
		g, ok := q.run.gaps[wallet]
		if !ok {
			if g.used, err = q.transactionCount(ctx, wallet, "latest"); err != nil {
				return err
			}
			now, err := q.latest(ctx)
			if err != nil {
				return err
			}
			g.block = now.Number
			q.run.gaps[wallet] = g
		}
		if g.used > next {
			if _, err := q.recover(ctx, wallet, next, g); err != nil {
				return err
			}
			if err := q.Store.RaiseNonce(ctx, q.Chain, wallet, g.used); err != nil {
				return err
			}
		}
		if err := q.awaitPool(ctx, wallet, max(next, g.used)); err != nil {
			return err
		}
		delete(q.run.gaps, wallet)
		q.run.caughtUp[wallet] = true
	}
	return nil
}

// awaitPool fails while the endpoint has transactions of a wallet in its pool that the store lacks. It is asked once a process.
func (q *Queue) awaitPool(ctx context.Context, from eth.Address, next uint64) error {
	since, waits := q.run.pool[from]
	if waits && since.IsZero() {
		return nil
	}
	if !waits {
		since = q.Clock.Now()
	}
	pending, err := q.transactionCount(ctx, from, "pending")
	var answer gethrpc.Error
	if err != nil && !errors.As(err, &answer) {
		return err
	}
	if err != nil || pending <= next || q.Clock.Now().Sub(since) > poolPatience {
		q.run.pool[from] = time.Time{}
		return nil
	}
	q.run.pool[from] = since
	return q.errf("wallet "+from.Checksum(),
		fmt.Errorf("the endpoint has %d transactions in its pool that the database lacks: waiting for them", pending-next))
}

// recovering is the number of transactions that are fetched at a time.
const recovering = 100

// Recover finds what a wallet has sent up to a block, which the index must have read, and the store lacks. It returns how many transactions
// there are and how many of them, that moved tokens, are now in the store. Nothing is signed or sent.
func (q *Queue) Recover(ctx context.Context, from eth.Address, block uint64) (lacking uint64, found int, err error) {
	used, err := q.transactionCount(ctx, from, hexutil.EncodeUint64(block))
	if err != nil {
		return 0, 0, err
	}
	next, err := q.Store.NextNonce(ctx, q.Chain, from)
	if err != nil || used <= next {
		return 0, 0, err
	}
	found, err = q.recover(ctx, from, next, gap{used, block})
	return used - next, found, err
}

// recover stores the transactions of a wallet with nonces from first up to the gap's that moved tokens, and returns how many. The others,
// such as those that reverted, gave nothing to anybody.
func (q *Queue) recover(ctx context.Context, from eth.Address, first uint64, g gap) (found int, err error) {
	read, ok, err := q.History.Indexed(ctx, q.Chain)
	if err != nil {
		return 0, err
	}
	if !ok || read < g.block {
		return 0, q.errf("wallet "+from.Checksum(),
			fmt.Errorf("the chain has transactions that the database lacks: waiting for the index to read block %d", g.block))
	}
	since, err := q.Store.LastMinedBlock(ctx, q.Chain, from, first)
	if err != nil {
		return 0, err
	}
	after := gas.Movement{Block: since}
	for {
		moves, err := q.History.Movements(ctx, q.Chain, from, after, recovering)
		if err != nil {
			return found, err
		}
		recovered, err := q.fetch(ctx, from, first, g.used, moves)
		if err != nil {
			return found, err
		}
		if found += len(recovered); len(recovered) > 0 {
			if err := q.Store.AddRecovered(ctx, q.Chain, recovered); err != nil {
				return found, err
			}
		}
		if len(moves) < recovering {
			q.Log.Info("found transactions that the database lacks", "wallet", from, "count", found)
			return found, nil
		}
		after = moves[len(moves)-1]
	}
}

// fetch returns those of the transactions that the wallet sent with nonces from first to below used.
func (q *Queue) fetch(ctx context.Context, from eth.Address, first, used uint64, moves []gas.Movement) (out []gas.Recovered, err error) {
	batch := make([]gethrpc.BatchElem, len(moves))
	for i, m := range moves {
		batch[i] = gethrpc.BatchElem{Method: "eth_getTransactionByHash", Args: []any{m.Tx}, Result: new(json.RawMessage)}
	}
	if len(batch) == 0 {
		return nil, nil
	}
	if err := q.RPC.BatchCallContext(ctx, batch); err != nil {
		return nil, q.errf("transactions", err)
	}
	for i, e := range batch {
		if e.Error != nil {
			return nil, q.errf("transaction", e.Error)
		}
		var head *struct {
			From  eth.Address
			Nonce hexutil.Uint64
		}
		text := *e.Result.(*json.RawMessage)
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, q.errf("transaction "+moves[i].Tx.String(), err)
		}
		if head == nil {
			return nil, q.errf("transaction "+moves[i].Tx.String(), errors.New("the endpoint does not have it: is it behind?"))
		}
		if head.From != from || uint64(head.Nonce) < first || uint64(head.Nonce) >= used {
			continue
		}
		r, err := q.read(from, text)
		if err != nil {
			return nil, q.errf("transaction "+moves[i].Tx.String(), err)
		}
		out = append(out, r)
	}
	return out, nil
}

// read decodes a transaction and checks that the wallet signed it.
func (q *Queue) read(from eth.Address, text []byte) (r gas.Recovered, err error) {
	var tx types.Transaction
	if err := tx.UnmarshalJSON(text); err != nil {
		return r, err
	}
	sender, err := types.Sender(types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(q.Chain))), &tx)
	if err != nil {
		return r, err
	}
	if eth.Address(sender) != from {
		return r, fmt.Errorf("it was signed by %s", sender)
	}
	r = gas.Recovered{From: from, Nonce: tx.Nonce(), Hash: eth.Hash(tx.Hash())}
	if d := tx.Data(); len(d) > len(r.Tag) {
		copy(r.Tag[:], d[len(d)-len(r.Tag):])
	}
	r.Raw, err = tx.MarshalBinary()
	return r, err
}

// adopt reports whether a pending transaction was sent before, by a process whose database is lost, and if so follows that.
func (q *Queue) adopt(ctx context.Context, now head, t gas.Transaction) (bool, error) {
	tag, ok := tagged(t)
	if !ok || q.History == nil {
		return false, nil
	}
	r, err := q.Store.RecoveredByTag(ctx, q.Chain, tag)
	if err != nil {
		return false, ignore(fault.NotFound, err)
	}
	a, same, err := attemptOf(r, now, t)
	if err != nil {
		return false, err
	}
	defer q.changed()
	if !same {
		q.Log.Error("sent before the database was restored, as another call", "transaction", t.ID, "hash", r.Hash)
		return true, q.Store.Abandon(ctx, t.ID, "sent before the database was restored, as another call: "+r.Hash.String(), q.Clock.Now())
	}
	q.Log.Info("sent before the database was restored", "transaction", t.ID, "hash", r.Hash)
	return true, ignore(fault.Conflict, q.Store.Recover(ctx, t.ID, r, a, q.Clock.Now())) // another process has it
}

// attemptOf returns the attempt at t that a recovered transaction is, and whether it makes the same call.
func attemptOf(r gas.Recovered, now head, t gas.Transaction) (a gas.Attempt, same bool, err error) {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(r.Raw); err != nil {
		return a, false, fmt.Errorf("recovered transaction %s: %w", r.Hash, err)
	}
	same = tx.To() != nil && eth.Address(*tx.To()) == t.To && bytes.Equal(tx.Data(), t.Data) && tx.Value().Cmp(t.Value.Big()) == 0
	a = gas.Attempt{Hash: r.Hash, Raw: r.Raw, AtBlock: now.Number}
	if a.FeeCap, err = money.FromBig(tx.GasFeeCap()); err != nil {
		return a, false, err
	}
	a.TipCap, err = money.FromBig(tx.GasTipCap())
	return a, same, err
}

// ignore returns nil for a fault with the code.
func ignore(code fault.Code, err error) error {
	if fault.Is(err, code) {
		return nil
	}
	return err
}

// usedByItself reports whether the nonce of a transaction that seems lost was used by an attempt at it that a lost database had, and if so
// follows that. since is a block in which the nonce was used.
func (q *Queue) usedByItself(ctx context.Context, now head, t gas.Transaction, since uint64) (bool, error) {
	tag, ok := tagged(t)
	if !ok || q.History == nil {
		return false, nil
	}
	if _, err := q.recover(ctx, t.From, t.Nonce, gap{t.Nonce + 1, since}); err != nil {
		return false, err
	}
	r, err := q.Store.RecoveredByNonce(ctx, q.Chain, t.From, t.Nonce)
	if err != nil || r.Tag != tag {
		return false, ignore(fault.NotFound, err)
	}
	a, same, err := attemptOf(r, now, t)
	if err != nil || !same {
		return false, err
	}
	return true, ignore(fault.Conflict, q.Store.Resigned(ctx, t.ID, a, q.Clock.Now()))
}
