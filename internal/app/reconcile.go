package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/index"
)

// mostCompared is how many holdings of a chain are compared with it: all of them, or as many at even distances.
const mostCompared = 20_000

// callsAtOnce is the number of calls in a batch.
const callsAtOnce = 100

// chainAside is the index of a restored database, and the endpoint of its chain.
type chainAside struct {
	id    onchain.ChainID
	rpc   *rpc.Client
	index *index.Index
	block uint64 // the last that the index has read
}

// onChain runs a task on the index of a chain.
func (r *rehearsal) onChain(ctx context.Context, chain config.Chain, do func(b *base, x chainAside) error) error {
	return withStore(ctx, r.aside, store.ReadWrite, func(db *store.DB) (err error) {
		b := newBase(r.aside, Options{Log: r.Log})
		b.db = db
		o, err := endpointOf(b, chain.Name, chain)
		if err != nil {
			return err
		}
		client, err := rpc.New(o)
		if err != nil {
			return err
		}
		defer client.Close()
		x := chainAside{id: chain.ChainID(), rpc: client, index: index.New(db, index.Options{})}
		var ok bool
		if x.block, ok, err = x.index.Indexed(ctx, x.id); err != nil || !ok {
			return errors.Join(err, errors.New("there is no index"))
		}
		return do(b, x)
	})
}

// reconcileChain rebuilds the index of a chain from its first block, and compares it with the chain: supplies and holdings.
func (r *rehearsal) reconcileChain(ctx context.Context, chain config.Chain) (result string, problems []string, err error) {
	// An index that is replaced is followed to its last block only, which is as old as the backup.
	if err := withStore(ctx, r.aside, store.ReadWrite, func(db *store.DB) error {
		return index.New(db, index.Options{}).Reset(ctx, chain.ChainID())
	}); err != nil {
		return "", nil, err
	}
	if err := RebuildIndex(ctx, r.aside, r.Log, chain.ChainID(), false, rehearsing); err != nil {
		return "", nil, fmt.Errorf("rebuilding the index: %w", err)
	}
	err = r.onChain(ctx, chain, func(_ *base, x chainAside) error {
		supplies, held, err := x.compareSupplies(ctx, indexed(r.aside, chain).Tokens)
		if err != nil {
			return err
		}
		holdings, wrong, err := x.compareHoldings(ctx)
		problems = append(held, wrong...)
		result = fmt.Sprintf("rebuilt up to block %d; compared %d supplies, %d holdings", x.block, supplies, holdings)
		return err
	})
	return result, problems, err
}

// question is a call of a contract and what it must return.
type question struct {
	what string
	to   eth.Address
	data []byte
	want *big.Int
	// optional is whether the contract need not have the function.
	optional bool
}

// ask asks the chain at the block of the index, and returns how many answers there are and those that differ.
func (x chainAside) ask(ctx context.Context, questions []question) (answers int, wrong []string, err error) {
	block := hexutil.EncodeUint64(x.block)
	batch := make([]gethrpc.BatchElem, len(questions))
	for i, q := range questions {
		batch[i] = gethrpc.BatchElem{
			Method: "eth_call", Args: []any{map[string]any{"to": q.to, "data": hexutil.Bytes(q.data)}, block}, Result: new(hexutil.Bytes),
		}
	}
	if len(batch) == 0 {
		return 0, nil, nil
	}
	if err := x.rpc.BatchCallContext(ctx, batch); err != nil {
		return 0, nil, err
	}
	for i, q := range questions {
		answer, failed := *batch[i].Result.(*hexutil.Bytes), batch[i].Error
		_, reverted := txqueue.RevertData(failed)
		switch {
		case q.optional && (reverted || failed == nil && len(answer) != 32):
			continue
		case reverted || failed == nil && len(answer) != 32:
			wrong = append(wrong, fmt.Sprintf("%s: the chain has none, the index %s", q.what, q.want))
		case failed != nil:
			return answers, wrong, failed
		case new(big.Int).SetBytes(answer).Cmp(q.want) != 0:
			wrong = append(wrong, fmt.Sprintf("%s: the chain has %s, the index %s", q.what, numberOf(answer), q.want))
		}
		answers++
	}
	return answers, wrong, nil
}

func numberOf(word []byte) string {
	if n := new(big.Int).SetBytes(word); n.BitLen() <= 128 {
		return n.String()
	}
	return "0x" + hex.EncodeToString(word)
}

// compareSupplies compares how many of each token there are, where the contract tells.
func (x chainAside) compareSupplies(ctx context.Context, tokens map[eth.Address]onchain.Standard) (n int, wrong []string, err error) {
	for contract, standard := range tokens {
		after := ""
		for {
			batch, err := x.index.Supplies(ctx, x.id, contract, after, callsAtOnce)
			if err != nil {
				return n, wrong, err
			}
			var questions []question
			for _, s := range batch {
				after = s.TokenID
				there, err := s.Minted.Sub(s.Burned)
				if err != nil {
					return n, wrong, err
				}
				q, err := supplyQuestion(contract, standard, s.TokenID, there)
				if err != nil {
					return n, wrong, err
				}
				questions = append(questions, q)
			}
			answers, differ, err := x.ask(ctx, questions)
			if n, wrong = n+answers, append(wrong, differ...); err != nil {
				return n, wrong, err
			}
			if len(batch) < callsAtOnce {
				break
			}
		}
	}
	return n, wrong, nil
}

// compareHoldings compares what owners have, and says where something left them that the index never saw arrive.
func (x chainAside) compareHoldings(ctx context.Context) (n int, wrong []string, err error) {
	all, err := x.index.CountHoldings(ctx, x.id)
	if err != nil {
		return 0, nil, err
	}
	every, at, after := all/mostCompared+1, int64(0), index.Holding{}
	for {
		batch, err := x.index.Holdings(ctx, x.id, after, callsAtOnce)
		if err != nil {
			return n, wrong, err
		}
		var questions []question
		for _, h := range batch {
			after = h
			if at++; at%every != 0 {
				continue
			}
			if !h.Missing.IsZero() || h.Standard == onchain.ERC721 && h.Amount.IsZero() {
				continue // the index begins after the contract; it is somebody else's
			}
			q, err := questionOf(h)
			if err != nil {
				return n, wrong, err
			}
			questions = append(questions, q)
		}
		answers, differ, err := x.ask(ctx, questions)
		if n, wrong = n+answers, append(wrong, differ...); err != nil {
			return n, wrong, err
		}
		if len(batch) < callsAtOnce {
			return n, wrong, nil
		}
	}
}

// supplyQuestion asks how many of a token there are, of unique tokens of the whole collection. Not all contracts tell.
func supplyQuestion(contract eth.Address, standard onchain.Standard, tokenID string, want money.Units) (q question, err error) {
	q = question{
		to: contract, want: want.Big(), optional: true, data: contracts.Call("totalSupply()"), what: "the supply of " + contract.Checksum(),
	}
	if standard == onchain.ERC1155 {
		id, err := wordOf(tokenID)
		if err != nil {
			return q, err
		}
		q.data, q.what = contracts.Call("totalSupply(uint256)", id), q.what+"/"+tokenID
	}
	return q, nil
}

// questionOf asks for a holding.
func questionOf(h index.Holding) (q question, err error) {
	q = question{to: h.Contract, want: h.Amount.Big(), what: fmt.Sprintf("%s/%s of %s", h.Contract.Checksum(), h.TokenID, h.Owner.Checksum())}
	if h.Standard == onchain.ERC20 {
		q.data = contracts.Call("balanceOf(address)", eth.AddressWord(h.Owner))
		return q, nil
	}
	id, err := wordOf(h.TokenID)
	if err != nil {
		return q, err
	}
	if h.Standard == onchain.ERC1155 {
		q.data = contracts.Call("balanceOf(address,uint256)", eth.AddressWord(h.Owner), id)
		return q, nil
	}
	q.data, q.want = contracts.Call("ownerOf(uint256)", id), new(big.Int).SetBytes(h.Owner[:])
	return q, nil
}

// wordOf returns a token's id as an argument.
func wordOf(tokenID string) (word eth.Hash, err error) {
	id, ok := new(big.Int).SetString(tokenID, 10)
	if !ok || id.Sign() < 0 || id.BitLen() > 256 {
		return word, fmt.Errorf("malformed token id %q", tokenID)
	}
	id.FillBytes(word[:])
	return word, nil
}

// checkGiven makes sure that the transaction that gave a grant is mined.
func checkGiven(ctx context.Context, db *store.DB, g reward.Grant) error {
	t, err := gasstore.New(db).Transaction(ctx, g.ID())
	switch {
	case fault.Is(err, fault.NotFound):
		return errors.New("it has no transaction")
	case err != nil:
		return err
	case t.State != gas.TransactionMined:
		return fmt.Errorf("its transaction is %s", t.State)
	}
	return nil
}

// checkSenders finds what the portal's wallets have sent since the backup, as the portal does before it signs again.
func (r *rehearsal) checkSenders(ctx context.Context) (result string, problems []string, err error) {
	wallets, err := openWallets(ctx, r.aside)
	if err != nil {
		return "", nil, err
	}
	var lines []string
	for _, chain := range []config.Chain{r.aside.GameChain, r.aside.MainChain} {
		err := r.onChain(ctx, chain, func(b *base, x chainAside) error {
			q, err := txqueue.New(txqueue.Options{
				Chain: x.id, RPC: x.rpc, Store: gasstore.New(b.db), History: x.index, Wallets: wallets.senders(), Former: wallets.former,
				Clock: clock.System{}, Log: r.Log,
			})
			if err != nil {
				return err
			}
			lacking, err := q.Recover(ctx, x.block)
			for _, l := range lacking {
				lines = append(lines, fmt.Sprintf("%d transactions of %s on chain %d, %d of which minted or moved tokens",
					l.Transactions, l.Wallet.Checksum(), x.id, l.Found))
			}
			if err != nil {
				return err
			}
			return nil
		})
		if err != nil {
			return "", nil, err
		}
	}
	if len(lines) == 0 {
		return "the database has all that they sent", nil, nil
	}
	return "the database lacks " + strings.Join(lines, "; "), nil, nil
}
