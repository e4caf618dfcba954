package app

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/indexer"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/packs"
)

// notary implements packs.Notary by transactions of the claimer's present wallet to itself on the game chain.
type notary struct {
	chain  *chainParts
	id     onchain.ChainID
	final  *indexer.Rewarder // says which blocks are final
	wallet eth.Address
	chests eth.Address
	frozen *frozenChains
}

func (n notary) Send(ctx context.Context, id string, input []byte) error {
	if err := n.frozen.waits(n.id); err != nil {
		return errors.New(err.Error()) // a Conflict would say that the transaction has failed
	}
	_, err := n.chain.queue.Send(ctx, gas.Transaction{ID: id, From: n.wallet, To: n.wallet, Data: input})
	return err
}

func (n notary) Wallet() eth.Address { return n.wallet }

func (n notary) Sent(ctx context.Context, id string) (at packs.Place, ok bool, err error) {
	t, err := n.chain.queue.Transaction(ctx, id)
	switch {
	case err != nil:
		return at, false, err
	case t.State == gas.TransactionFailed:
		return at, false, fault.New(fault.Conflict, "The transaction %s failed: %s", id, t.Reason)
	case t.State != gas.TransactionMined:
		return at, false, nil
	}
	at.Fixed = packs.Fixed{Chain: n.id, By: draw.ByWallet, Address: t.From, Tx: t.TxHash, Block: t.Block}
	final, ok, err := n.final.Final(ctx)
	if !ok || err != nil || t.Block > final {
		return at, false, err
	}
	at.BlockHash = t.BlockHash
	if at.At, err = n.blockTime(ctx, t.BlockHash); err != nil {
		return at, false, err
	}
	at.Margin, err = n.final.MarginOf(ctx, t.BlockHash)
	return at, err == nil, err
}

func (n notary) blockTime(ctx context.Context, hash eth.Hash) (time.Time, error) {
	var block *struct {
		Time hexutil.Uint64 `json:"timestamp"`
	}
	if err := n.chain.rpc.CallContext(ctx, &block, "eth_getBlockByHash", hash, false); err != nil {
		return time.Time{}, err
	}
	if block == nil {
		return time.Time{}, errors.New("the endpoint lacks the block of a transaction of ours; waiting for it")
	}
	return time.Unix(int64(block.Time), 0).UTC(), nil
}

// tableOf is the call tableOf(0), which a contract that fixes tables answers with 32 bytes.
var tableOf = hexutil.Bytes(append(crypto.Keccak256([]byte("tableOf(uint256)"))[:4], make([]byte, 32)...))

// Fixes reports whether the contract of the packs answers which table it has fixed.
func (n notary) Fixes(ctx context.Context) (bool, error) {
	var answer hexutil.Bytes
	err := n.chain.rpc.CallContext(ctx, &answer, "eth_call", map[string]any{"to": n.chests, "data": tableOf}, "latest")
	var refused gethrpc.Error
	if errors.As(err, &refused) { // as a contract without this function does
		return false, nil
	}
	return len(answer) == 32, err
}
