package txqueue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
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
	// Complete returns the last block of which all facts are known, of each contract; ok is false before the first.
	Complete(ctx context.Context, chain onchain.ChainID) (number uint64, ok bool, err error)
	// Movements returns at most limit movements after one, in the order of the chain, that minted tokens or moved those of a wallet with
	// a stored nonce.
	Movements(ctx context.Context, chain onchain.ChainID, after gas.Movement, limit int) ([]gas.Movement, error)
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

const (
	// poolPatience is how long a wallet waits for transactions in the endpoint's pool that the store lacks. Such old ones will not be
	// mined.
	poolPatience = time.Hour
	// pageSize is the number of movements that are read at a time, and pagesARound the number of times in a round.
	pageSize, pagesARound = 100, 20
)

// errWaiting marks a delay that is no failure: the queue continues once the index has caught up.
var errWaiting = errors.New("waiting")

// recovery is a search for transactions that the chain has and the store lacks.
type recovery struct {
	block   uint64 // at which nonces were counted; the index must have read it
	hash    common.Hash
	lacking map[eth.Address]nonces
	after   gas.Movement // how far the search is
	found   map[eth.Address]int
}

// nonces are those from first to below end.
type nonces struct{ first, end uint64 }

// fence makes sure that the store knows what the wallets have sent: a database that was restored from a backup lacks what was sent since,
// which must not be sent twice. It looks at all wallets once a process, and at the senders in each round. It returns how many nonces the
// senders have used, and which transactions wait: until the search has ended, those with a tag and those of wallets that the search is
// about. An error says why they wait, or with no counts what failed.
func (q *Queue) fence(ctx context.Context, senders []eth.Address) (
	used map[eth.Address]uint64, waits func(gas.Transaction) bool, err error,
) {
	wallets := senders
	if q.History != nil && !q.run.fenced {
		if wallets, err = q.all(ctx); err != nil {
			return nil, nil, err
		}
		// What a former wallet sends after the search is not the portal's.
		wallets = slices.DeleteFunc(wallets, func(w eth.Address) bool { return q.wallets[w] == nil && q.run.searched[w] })
	}
	used, next, err := q.counts(ctx, "latest", wallets)
	if err != nil || q.History == nil {
		return used, func(gas.Transaction) bool { return false }, err
	}
	lacks := slices.ContainsFunc(wallets, func(w eth.Address) bool { return used[w] > next[w] })
	if q.run.recovery == nil && lacks {
		if q.run.recovery, err = q.beginRecovery(ctx, wallets); err != nil {
			return nil, nil, err
		}
	}
	r := q.run.recovery
	if r == nil {
		// What is in the pool of one wallet may be what another one is about to send.
		pooled, err := q.awaitPools(ctx, used, next)
		q.run.fenced = q.run.fenced || len(pooled) == 0
		return used, func(t gas.Transaction) bool {
			_, hasTag := tagged(t)
			return pooled[t.From] || hasTag && !q.run.fenced
		}, err
	}
	waits = func(t gas.Transaction) bool {
		_, about := r.lacking[t.From]
		_, hasTag := tagged(t)
		return about || hasTag
	}
	done, err := q.search(ctx, r, pagesARound)
	if done && err == nil {
		err = q.finish(ctx, r)
	}
	return used, waits, err
}

// all returns the wallets that the portal has and had.
func (q *Queue) all(ctx context.Context) ([]eth.Address, error) {
	stored, err := q.Store.Senders(ctx, q.Chain)
	return slices.Concat(stored, q.Former, slices.Collect(maps.Keys(q.wallets))), err
}

// beginRecovery counts nonces at one block, up to which the search goes.
func (q *Queue) beginRecovery(ctx context.Context, wallets []eth.Address) (*recovery, error) {
	at, err := q.latest(ctx)
	if err != nil {
		return nil, err
	}
	used, next, err := q.counts(ctx, hexutil.EncodeUint64(at.Number), wallets)
	if err != nil {
		return nil, err
	}
	r, err := q.newRecovery(ctx, at, used, next)
	if err == nil && r == nil {
		err = q.errf("transaction counts", errors.New("the endpoint is behind what it has said before"))
	}
	return r, err
}

// counts returns how many nonces the wallets have used at a block, and which the store has next.
func (q *Queue) counts(ctx context.Context, block string, wallets []eth.Address) (used, next map[eth.Address]uint64, err error) {
	used, next = map[eth.Address]uint64{}, map[eth.Address]uint64{}
	for _, w := range wallets {
		if _, ok := used[w]; ok {
			continue
		}
		if used[w], err = q.transactionCount(ctx, w, block); err != nil {
			return nil, nil, err
		}
		if next[w], err = q.Store.NextNonce(ctx, q.Chain, w); err != nil {
			return nil, nil, err
		}
	}
	return used, next, nil
}

// newRecovery returns the search for what the store lacks; nil if it lacks nothing.
func (q *Queue) newRecovery(ctx context.Context, at head, used, next map[eth.Address]uint64) (*recovery, error) {
	r := &recovery{
		block: at.Number, hash: at.Hash, lacking: map[eth.Address]nonces{}, found: map[eth.Address]int{},
		after: gas.Movement{Block: math.MaxInt64},
	}
	for w, n := range used {
		if n <= next[w] {
			continue
		}
		r.lacking[w] = nonces{next[w], n}
		if err := q.Store.RaiseNonce(ctx, q.Chain, w, 0, 0); err != nil { // History knows wallets by it
			return nil, err
		}
		last, err := q.Store.LastMinedBlock(ctx, q.Chain, w, next[w])
		if err != nil {
			return nil, err
		}
		known, err := q.Store.KnownBlock(ctx, q.Chain, w)
		if err != nil {
			return nil, err
		}
		r.after.Block = min(r.after.Block, max(last, known))
		q.Log.Warn("looking for transactions that the database lacks", "wallet", w, "nonces", fmt.Sprintf("%d-%d", next[w], n-1))
	}
	if len(r.lacking) == 0 {
		return nil, nil
	}
	r.after.Block -= min(r.after.Block, q.Finality) // later blocks may have been replaced
	return r, nil
}

// search stores what the wallets have sent that moved tokens, some pages of it, and reports whether that was all. Other transactions,
// such as those that reverted, gave nothing to anybody.
func (q *Queue) search(ctx context.Context, r *recovery, pages int) (done bool, err error) {
	read, ok, err := q.History.Complete(ctx, q.Chain)
	if err != nil {
		return false, err
	}
	if !ok || read < r.block {
		return false, q.errf("the portal's wallets",
			fmt.Errorf("the chain has transactions that the database lacks: %w for the index to read block %d", errWaiting, r.block))
	}
	for range pages {
		moves, err := q.History.Movements(ctx, q.Chain, r.after, pageSize)
		if err != nil {
			return false, err
		}
		found, err := q.fetch(ctx, r.lacking, moves)
		if err != nil {
			return false, err
		}
		if len(found) > 0 {
			if err := q.Store.AddRecovered(ctx, q.Chain, found); err != nil {
				return false, err
			}
		}
		for _, f := range found {
			r.found[f.From]++
		}
		if len(moves) < pageSize {
			return true, nil
		}
		r.after = moves[len(moves)-1]
	}
	return false, nil
}

// finish lets the wallets go on with the next nonces, unless a reorganisation has replaced the block of the search, which then begins
// again.
func (q *Queue) finish(ctx context.Context, r *recovery) error {
	now, err := q.block(ctx, hexutil.EncodeUint64(r.block))
	if err != nil {
		return err
	}
	q.run.recovery = nil
	q.Wake()
	if now.Hash != r.hash {
		q.Log.Warn("the search for transactions begins again after a reorganisation", "block", r.block)
		return nil
	}
	for w, n := range r.lacking {
		if err := q.Store.RaiseNonce(ctx, q.Chain, w, n.end, r.block); err != nil {
			return err
		}
		q.run.searched[w] = true
		q.Log.Info("found transactions that the database lacks", "wallet", w, "count", r.found[w])
	}
	return nil
}

// awaitPools returns the wallets of which the endpoint has transactions in its pool that the store lacks. Each is asked about until it
// has none, once a process.
func (q *Queue) awaitPools(ctx context.Context, used, next map[eth.Address]uint64) (waiting map[eth.Address]bool, err error) {
	var errs []error
	waiting = map[eth.Address]bool{}
	for w := range used {
		if err := q.awaitPool(ctx, w, max(used[w], next[w])); err != nil {
			errs, waiting[w] = append(errs, err), true
		}
	}
	return waiting, errors.Join(errs...)
}

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
	late := q.Clock.Now().Sub(since) > poolPatience
	if err != nil || pending <= next || late {
		if late {
			q.Log.Error("transactions that the database lacks have waited for an hour: they are given up",
				"wallet", from, "nonces", fmt.Sprint(next, "-", pending-1))
		}
		q.run.pool[from] = time.Time{}
		return nil
	}
	q.run.pool[from] = since
	return q.errf("wallet "+from.Checksum(),
		fmt.Errorf("the endpoint has %d transactions in its pool that the database lacks: waiting for them", pending-next))
}

// Lacking is what the chain has of a wallet and the store lacks.
type Lacking struct {
	Wallet       eth.Address
	Transactions uint64
	Found        int // of these, transactions that minted or moved tokens: they are in the store now
}

// Recover finds what the wallets have sent up to a block, which the index must have read, and the store lacks. Nothing is signed or sent.
func (q *Queue) Recover(ctx context.Context, block uint64) (out []Lacking, err error) {
	wallets, err := q.all(ctx)
	if err != nil {
		return nil, err
	}
	used, next, err := q.counts(ctx, hexutil.EncodeUint64(block), wallets)
	if err != nil {
		return nil, err
	}
	r, err := q.newRecovery(ctx, head{Number: block}, used, next)
	if r == nil || err != nil {
		return nil, err
	}
	if _, err := q.search(ctx, r, math.MaxInt); err != nil {
		return nil, err
	}
	for w, n := range r.lacking {
		out = append(out, Lacking{w, n.end - n.first, r.found[w]})
	}
	slices.SortFunc(out, func(a, b Lacking) int { return bytes.Compare(a.Wallet[:], b.Wallet[:]) })
	return out, nil
}

// fetch returns those of the transactions that the wallets lack.
func (q *Queue) fetch(ctx context.Context, lacking map[eth.Address]nonces, moves []gas.Movement) (out []gas.Recovered, err error) {
	moves = slices.CompactFunc(slices.Clone(moves), func(a, b gas.Movement) bool { return a.Tx == b.Tx })
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
		text := *e.Result.(*json.RawMessage)
		if e.Error != nil {
			return nil, q.errf("transaction", e.Error)
		}
		if len(text) == 0 || string(text) == "null" { // some endpoints find only new transactions by their hashes
			if text, err = q.transactionIn(ctx, moves[i]); err != nil {
				return nil, err
			}
		}
		var head struct {
			From  eth.Address
			Nonce hexutil.Uint64
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, q.errf("transaction "+moves[i].Tx.String(), err)
		}
		if n, ok := lacking[head.From]; !ok || uint64(head.Nonce) < n.first || uint64(head.Nonce) >= n.end {
			continue
		}
		r, err := q.read(head.From, text)
		if err != nil { // a form that the queue does not send
			q.Log.Warn("unknown form of a transaction", "hash", moves[i].Tx, "error", err)
			continue
		}
		out = append(out, r)
	}
	return out, nil
}

// transactionIn returns a transaction from its block.
func (q *Queue) transactionIn(ctx context.Context, m gas.Movement) (json.RawMessage, error) {
	var block struct{ Transactions []json.RawMessage }
	if err := q.RPC.CallContext(ctx, &block, "eth_getBlockByNumber", hexutil.EncodeUint64(m.Block), true); err != nil {
		return nil, q.errf("block", err)
	}
	for _, text := range block.Transactions {
		var head struct{ Hash eth.Hash }
		if json.Unmarshal(text, &head) == nil && head.Hash == m.Tx {
			return text, nil
		}
	}
	return nil, q.errf("transaction "+m.Tx.String(), errors.New("the endpoint does not have it: is it behind?"))
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

// adopt reports whether a pending transaction was sent before, by a process whose database is lost, and if so follows that. It may have
// been sent under an id of a later attempt.
func (q *Queue) adopt(ctx context.Context, now head, t gas.Transaction) (bool, error) {
	if _, ok := tagged(t); !ok || q.History == nil {
		return false, nil
	}
	ids := []string{t.ID}
	if q.Later != nil {
		ids = append(ids, q.Later(t.ID)...)
	}
	var r gas.Recovered
	for i, id := range ids {
		var err error
		if r, err = q.Store.RecoveredByTag(ctx, q.Chain, tagOf(id)); err == nil {
			break
		}
		if !fault.Is(err, fault.NotFound) || i == len(ids)-1 {
			return false, ignore(fault.NotFound, err)
		}
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
	same = tx.To() != nil && eth.Address(*tx.To()) == t.To && bytes.Equal(withoutTag(tx.Data()), withoutTag(t.Data)) &&
		tx.Value().Cmp(t.Value.Big()) == 0
	a = gas.Attempt{Hash: r.Hash, Raw: r.Raw, AtBlock: now.Number}
	if a.FeeCap, err = money.FromBig(tx.GasFeeCap()); err != nil {
		return a, false, err
	}
	a.TipCap, err = money.FromBig(tx.GasTipCap())
	return a, same, err
}

func withoutTag(data []byte) []byte { return data[:max(0, len(data)-len(eth.Hash{}))] }

// ignore returns nil for a fault with the code.
func ignore(code fault.Code, err error) error {
	if fault.Is(err, code) {
		return nil
	}
	return err
}

// usedByItself reports whether the nonce of a transaction that seems lost was used by an attempt at it that a lost database had, and if so
// follows that. The index must have read a block by which the nonce was used.
func (q *Queue) usedByItself(ctx context.Context, now head, t gas.Transaction, block uint64) (bool, error) {
	tag, ok := tagged(t)
	if !ok || q.History == nil {
		return false, nil
	}
	last, err := q.Store.LastMinedBlock(ctx, q.Chain, t.From, t.Nonce)
	if err != nil {
		return false, err
	}
	r := &recovery{
		block: block, lacking: map[eth.Address]nonces{t.From: {t.Nonce, t.Nonce + 1}},
		after: gas.Movement{Block: last}, found: map[eth.Address]int{},
	}
	if _, err := q.search(ctx, r, math.MaxInt); err != nil {
		return false, err
	}
	found, err := q.Store.RecoveredByNonce(ctx, q.Chain, t.From, t.Nonce)
	if err != nil || found.Tag != tag {
		return false, ignore(fault.NotFound, err)
	}
	if slices.ContainsFunc(t.Attempts, func(a gas.Attempt) bool { return a.Hash == found.Hash }) {
		return true, nil // its receipt comes
	}
	a, same, err := attemptOf(found, now, t)
	if err != nil || !same {
		return false, err
	}
	return true, ignore(fault.Conflict, q.Store.Resigned(ctx, t.ID, a, q.Clock.Now()))
}
