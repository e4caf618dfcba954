package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
)

// maxFee is the maximum fee per gas, in wei. It only bounds the effect of a burst of full blocks on the base fee.
const maxFee = 100_000_000_000

// session reads a chain and sends transactions of the development wallets, without waiting for one before the next.
type session struct {
	rpc     *rpc.Client
	client  *ethclient.Client
	chainID *big.Int
	nonces  map[devnet.Role]uint64
	sent    []sent
}

// sent is a transaction that is not mined yet.
type sent struct {
	hash common.Hash
	what string
}

// call is a transaction to send.
type call struct {
	from  devnet.Role
	to    eth.Address
	value *big.Int // wei; nil for none
	data  []byte
	gas   uint64
	what  string // for messages, in the past tense
}

func newSession(ctx context.Context, client *rpc.Client) (*session, error) {
	c := ethclient.NewClient(client)
	id, err := c.ChainID(ctx)
	if err != nil {
		return nil, err
	}
	return &session{rpc: client, client: c, chainID: id, nonces: map[devnet.Role]uint64{}}, nil
}

// view is a read of a contract, or of its code if data is nil.
type view struct {
	to   eth.Address
	data []byte
}

// revertCode is the code of go-ethereum's JSON-RPC error for a call that reverts.
const revertCode = 3

// ask executes many views in one batch, as of the newest block. The result of a view that reverts is nil.
func (s *session) ask(ctx context.Context, views []view) ([][]byte, error) {
	batch, answers := make([]rpc.BatchElem, len(views)), make([]hexutil.Bytes, len(views))
	for i, v := range views {
		batch[i] = rpc.BatchElem{Method: "eth_getCode", Args: []any{common.Address(v.to), "latest"}, Result: &answers[i]}
		if v.data != nil {
			call := map[string]any{"to": common.Address(v.to), "data": hexutil.Bytes(v.data)}
			batch[i].Method, batch[i].Args = "eth_call", []any{call, "latest"}
		}
	}
	out := make([][]byte, 0, len(views))
	for chunk := range slices.Chunk(batch, 100) {
		if err := s.rpc.BatchCallContext(ctx, chunk); err != nil {
			return nil, err
		}
	}
	for i := range batch {
		var answer rpc.Error
		switch err := batch[i].Error; {
		case errors.As(err, &answer) && answer.ErrorCode() == revertCode:
			out = append(out, nil)
		case err != nil:
			return nil, err
		default:
			out = append(out, answers[i])
		}
	}
	return out, nil
}

// send sends a transaction to the chain.
func (s *session) send(ctx context.Context, c call) error {
	wallet := devnet.WalletOf(c.from)
	nonce, known := s.nonces[c.from]
	if !known {
		var err error
		if nonce, err = s.client.PendingNonceAt(ctx, common.Address(wallet.Address)); err != nil {
			return err
		}
	}
	to := common.Address(c.to)
	tx, err := types.SignNewTx(wallet.Key, types.LatestSignerForChainID(s.chainID), &types.DynamicFeeTx{
		ChainID: s.chainID, Nonce: nonce, To: &to, Value: c.value, Data: c.data, Gas: c.gas,
		GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(maxFee),
	})
	if err != nil {
		return err
	}
	if err := s.client.SendTransaction(ctx, tx); err != nil {
		return fmt.Errorf("%s: %w", c.what, err)
	}
	s.nonces[c.from] = nonce + 1
	s.sent = append(s.sent, sent{tx.Hash(), c.what})
	return nil
}

// wait waits until everything sent is mined, calling mined for each if it is not nil. It fails if one reverted.
func (s *session) wait(ctx context.Context, mined func(what string)) error {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for len(s.sent) > 0 {
		next := s.sent[0]
		receipt, err := s.receipt(ctx, next.hash)
		switch {
		case err == nil && receipt.Status != types.ReceiptStatusSuccessful:
			return fmt.Errorf("%s: transaction %s reverted", next.what, next.hash)
		case err == nil:
			s.sent = s.sent[1:]
			if mined != nil {
				mined(next.what)
			}
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, ethereum.NotFound):
			return fmt.Errorf("%s: %w", next.what, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-poll.C:
		}
	}
	return nil
}

// receipt returns a transaction's receipt once its block is the head or below it: slightly earlier the receipt is
// already visible, but reads of the newest state still use the block before. Until then it returns
// ethereum.NotFound.
func (s *session) receipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	receipt, err := s.client.TransactionReceipt(ctx, hash)
	if err != nil {
		return nil, err
	}
	head, err := s.client.BlockNumber(ctx)
	if err == nil && head < receipt.BlockNumber.Uint64() {
		err = ethereum.NotFound
	}
	return receipt, err
}

// sortedKeys returns a map's keys in sorted order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
