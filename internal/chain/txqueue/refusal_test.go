package txqueue_test

import (
	"bytes"
	"context"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// said is an error of the endpoint's own.
type said string

func (s said) Error() string { return string(s) }
func (said) ErrorCode() int  { return -32000 }

// doorkeeper is an endpoint that answers raw transactions as it likes.
type doorkeeper struct {
	txqueue.RPC
	answer func(tx *types.Transaction, pass func() error) error
}

func (d doorkeeper) CallContext(ctx context.Context, result any, method string, args ...any) error {
	pass := func() error { return d.RPC.CallContext(ctx, result, method, args...) }
	if method != "eth_sendRawTransaction" {
		return pass()
	}
	var tx types.Transaction
	if err := tx.UnmarshalBinary(args[0].(hexutil.Bytes)); err != nil {
		return err
	}
	return d.answer(&tx, pass)
}

// Nodes say in many spellings that they have a transaction, or that it is mined.
func TestRefusal_HarmlessOnesAreKnownInEverySpelling(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	g := gasstore.New(testkit.Database(t, store.SQLite))
	for _, text := range []string{
		"already known", "ALREADY_EXISTS: already known", "Known transaction", "known transaction: 0x12", "AlreadyKnown",
		"Transaction with the same hash was already imported.",
		"nonce too low", "Nonce too low", "NONCE_TOO_LOW", "OldNonce, Current nonce: 5, nonce of rejected tx: 4",
		"Transaction nonce is too low. Try incrementing the nonce.",
		"nonce too low: address 0x12, tx: 1 state: 2", "nonce is too low", "tx already in mempool",
		"replacement transaction underpriced", "ReplacementNotAllowed", "could not replace existing tx", "TRANSACTION_REPLACEMENT_UNDERPRICED",
	} {
		var log bytes.Buffer
		o := options(chain, g)
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		o.RPC = doorkeeper{chain.Client(), func(_ *types.Transaction, pass func() error) error {
			if err := pass(); err != nil {
				return err
			}
			return said(text)
		}}
		q, stop := run(t, o)
		send(t, q, payment(text, payee(t)))
		await(t, g, text, gas.TransactionMined)
		stop()
		if strings.Contains(log.String(), "failing") {
			t.Errorf("%q counts as a failure:\n%s", text, log.String())
		}
	}
}

// What a node needs is offered at once, not after several small steps of some blocks each.
func TestRefusal_TheTipThatTheNodeNamesIsOfferedAtOnce(t *testing.T) {
	t.Parallel()
	gwei := func(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000)) }
	for text, attempts := range map[string]int{
		"transaction underpriced: tip needed 30 gwei, tip permitted 1":                             2,
		"transaction underpriced: tip needed 30000000000, tip permitted 1":                         2,
		"transaction gas price below minimum: gas tip cap 1, minimum needed 30000000000":           2,
		"FeeTooLow, MaxFeePerGas too low":                                                          0, // it says nothing: the tip is doubled
		"transaction underpriced: tip needed 9999999999999999999999999999999999, tip permitted 0.": -1,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			chain := devnettest.Run(t, devnet.Options{})
			g := gasstore.New(testkit.Database(t, store.SQLite))
			o := options(chain, g)
			o.RPC = doorkeeper{chain.Client(), func(tx *types.Transaction, pass func() error) error {
				if tx.GasTipCap().Cmp(gwei(30)) < 0 {
					return said(text)
				}
				return pass()
			}}
			q, _ := run(t, o)
			send(t, q, payment("a", payee(t)))
			if attempts < 0 { // no fee that anybody pays
				testkit.Eventually(t, 30*time.Second, func() bool { return q.State().Err != nil }, "the refusal is not reported")
				if tx, err := g.Transaction(t.Context(), "a"); err != nil || len(tx.Attempts) != 1 {
					t.Errorf("%d attempts, %v", len(tx.Attempts), err)
				}
				return
			}
			tx := await(t, g, "a", gas.TransactionMined)
			if attempts > 0 && (len(tx.Attempts) != attempts || tx.Attempts[1].TipCap.Big().Cmp(gwei(30)) != 0) {
				t.Errorf("%d attempts, the last with a tip of %s wei", len(tx.Attempts), tx.Attempts[len(tx.Attempts)-1].TipCap)
			}
			send(t, q, payment("b", payee(t)))
			if tx := await(t, g, "b", gas.TransactionMined); len(tx.Attempts) != 1 {
				t.Errorf("the next transaction has %d attempts", len(tx.Attempts))
			}
		})
	}
}

// looked counts the rounds of a queue after the first refusal: each looks for the newest block.
type looked struct {
	txqueue.RPC
	rounds *atomic.Int32
}

func (l looked) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method == "eth_getBlockByNumber" && l.rounds.Load() > 0 {
		l.rounds.Add(1)
	}
	return l.RPC.CallContext(ctx, result, method, args...)
}

// A wallet without gas money has not recovered because a round tried nothing: the log says so once the transaction is sent.
func TestRefusal_AWalletWithoutMoneyRecoversWithIt(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	g := gasstore.New(testkit.Database(t, store.SQLite))
	var log testkit.Log
	var funded atomic.Bool
	var rounds atomic.Int32
	o := options(chain, g)
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	o.RPC = doorkeeper{chain.Client(), func(_ *types.Transaction, pass func() error) error {
		if funded.Load() {
			return pass()
		}
		rounds.CompareAndSwap(0, 1)
		return said("insufficient funds for gas * price + value: balance 0, tx cost 21000")
	}}
	o.RPC, o.Rebroadcast = looked{o.RPC, &rounds}, time.Second
	q, _ := run(t, o)
	send(t, q, payment("a", payee(t)))
	testkit.Eventually(t, 30*time.Second, func() bool { q.Wake(); return rounds.Load() >= 5 }, "there are no rounds after the refusal")
	if s := q.State(); s.Err == nil || strings.Contains(log.String(), "recovered") {
		t.Errorf("%+v\n%s", s, log.String())
	}
	funded.Store(true)
	await(t, g, "a", gas.TransactionMined)
	testkit.Eventually(t, 30*time.Second, func() bool { return strings.Contains(log.String(), "recovered") && q.State().Err == nil },
		"the recovery is not told")
	if n := strings.Count(log.String(), "failing"); n != 1 {
		t.Errorf("%d lines of one failure:\n%s", n, log.String())
	}
}
