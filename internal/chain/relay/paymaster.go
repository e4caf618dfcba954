package relay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
)

// sponsorParams reads what both methods of ERC-7677 are asked with: operation, EntryPoint, chain id and a context that
// means nothing here.
func (c *chain) sponsorParams(params []json.RawMessage) (*eth.UserOperation, error) {
	op, err := c.operationParams(params)
	if err != nil {
		return nil, err
	}
	var id eth.Quantity
	if err := param(params, 2, &id, "chainId"); err != nil {
		return nil, err
	}
	if id != eth.NewQuantity(uint64(c.id)) {
		return nil, &rpcError{Code: codeParams, Message: fmt.Sprintf("This is the paymaster of chain %d.", uint64(c.id))}
	}
	return op, nil
}

// stub returns paymaster fields of the right form for estimating gas: pm_getPaymasterStubData.
func (c *chain) stub(ctx context.Context, player string, params []json.RawMessage) (any, error) {
	op, err := c.sponsorParams(params)
	if err != nil {
		return nil, err
	}
	if _, err := c.admit(ctx, player, op); err != nil {
		return nil, err
	}
	return map[string]any{
		"paymaster":                     c.Paymaster,
		"paymasterData":                 stubData(),
		"paymasterVerificationGasLimit": eth.NewQuantity(paymasterGas(op)),
		"paymasterPostOpGasLimit":       eth.Quantity{}, // PantheonPaymaster does nothing afterwards
		"sponsor":                       map[string]string{"name": "Portal"},
	}, nil
}

// sponsor signs that the portal pays for an operation: pm_getPaymasterData. All the operation's fields but its signature
// must be final, and are bound by the sponsorship.
func (c *chain) sponsor(ctx context.Context, player string, params []json.RawMessage) (any, error) {
	op, err := c.sponsorParams(params)
	if err != nil {
		return nil, err
	}
	calls, err := c.admit(ctx, player, op)
	if err != nil {
		return nil, err
	}
	usage, err := c.usage(op)
	if err != nil {
		return nil, err
	}
	if err := c.operations.CheckQuota(ctx, player, usage, c.clock.Now()); err != nil {
		return nil, err
	}
	if err := c.guard.Allow(ctx, player, c.id, calls); err != nil {
		return nil, err
	}
	head, err := c.head(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.checkFees(ctx, head, op); err != nil {
		return nil, err
	}
	validUntil := uint64(head.Timestamp) + uint64(c.Validity/time.Second)
	validAfter, err := anyPastTime()
	if err != nil {
		return nil, err
	}
	hash := c.sponsorHash(op, validUntil, validAfter)
	signature, err := c.Signer.SignHash(ctx, eth.Keccak256([]byte("\x19Ethereum Signed Message:\n32"), hash[:]))
	if err != nil {
		return nil, c.errf("signing for the paymaster", err)
	}
	signature[64] += 27
	return map[string]any{"paymaster": c.Paymaster, "paymasterData": paymasterData(validUntil, validAfter, signature)}, nil
}

// anyPastTime returns a random time long past, in seconds since 1970. As the sponsorship's validAfter it makes each
// sponsorship unique, and so the hash of each operation: asking anew for what was dropped is another operation.
func anyPastTime() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b[:]) >> (64 - 30), nil // before 2004
}

// block is the newest block, as far as the paymaster needs it. Its time counts, not the clock's: a chain may lead it.
type block struct {
	Number        hexutil.Uint64
	Timestamp     hexutil.Uint64
	BaseFeePerGas *hexutil.Big
}

func (c *chain) head(ctx context.Context) (block, error) {
	var b *block
	if err := c.RPC.CallContext(ctx, &b, "eth_getBlockByNumber", "latest", false); err != nil {
		return block{}, c.errf("newest block", err)
	}
	if b == nil || b.BaseFeePerGas == nil {
		return block{}, c.errf("newest block", fmt.Errorf("the chain has none, or no base fee"))
	}
	return *b, nil
}

// checkFees refuses fees far above the chain's: they would move the paymaster's deposit into the relayer's wallet, until
// nothing is left to sponsor others with. Libraries offer up to twice what they are told.
func (c *chain) checkFees(ctx context.Context, head block, op *eth.UserOperation) error {
	var tip hexutil.Big
	if err := c.RPC.CallContext(ctx, &tip, "eth_maxPriorityFeePerGas"); err != nil {
		return c.errf("tip", err)
	}
	most := new(big.Int).Add((*big.Int)(head.BaseFeePerGas), (*big.Int)(&tip))
	most.Mul(most, big.NewInt(4))
	most.Add(most, big.NewInt(leastFeeCap))
	if op.MaxFeePerGas.Big().Cmp(most) > 0 {
		return &rpcError{Code: codePaymaster, Message: fmt.Sprintf("The operation offers %s wei for a unit of gas; at the moment we pay up to %s.", op.MaxFeePerGas.Big(), most)}
	}
	return nil
}

// leastFeeCap is paid on any chain, in wei: libraries offer 1.5 gwei or so where a chain is nearly free.
const leastFeeCap = 5_000_000_000

// sponsorHash is what the signer of PantheonPaymaster signs (getHash).
func (c *chain) sponsorHash(op *eth.UserOperation, validUntil, validAfter uint64) eth.Hash {
	return contracts.SponsorshipHash(op, uint64(c.id), c.Paymaster, time.Unix(int64(validUntil), 0), time.Unix(int64(validAfter), 0))
}

// paymasterData is what PantheonPaymaster reads: validUntil, validAfter, signature.
func paymasterData(validUntil, validAfter uint64, signature []byte) eth.Bytes {
	return contracts.Sponsorship{
		ValidUntil: time.Unix(int64(validUntil), 0), ValidAfter: time.Unix(int64(validAfter), 0), Signature: [65]byte(signature),
	}.Data()
}

// stubData is as long as the data of a sponsorship, and costs as much to post.
func stubData() eth.Bytes { return paymasterData(1<<48-1, 1<<30-1, stubSignature()) }

// stubSignature has the form of a signature but is nobody's. Its r and s are valid, so that recovering takes its usual
// course and gas.
func stubSignature() []byte {
	return append(bytes.Repeat([]byte{0x11}, 64), 0x1c)
}
