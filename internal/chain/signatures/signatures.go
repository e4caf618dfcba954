// Package signatures verifies signatures of accounts of any kind on their chain: keys, contracts, and contracts that
// are not deployed yet. It deploys nothing and changes no state. It is safe for concurrent use.
package signatures

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

const (
	// maxSignature is the maximum length of a signature, in bytes: with the validator it is the creation code of a
	// contract, of which EIP-3860 allows 49152 bytes.
	maxSignature = 16 << 10
	// maxGas limits the gas of a check: it may call contracts written by anyone.
	maxGas = 10_000_000

	// reverted is the JSON-RPC error code of a call that reverts.
	reverted = 3
)

var errUnclear = fault.New(fault.Unavailable, "The chain could not check this signature. Please try again in a moment.")

// Checker verifies signatures on the chains. It implements wallet.Signatures.
type Checker struct {
	chains map[onchain.ChainID]*rpc.Client
}

// New returns a checker for the chains.
func New(chains map[onchain.ChainID]*rpc.Client) *Checker { return &Checker{maps.Clone(chains)} }

// Valid reports whether the account accepts the signature over the hash: ERC-6492, then ERC-1271, then ecrecover. The v of a
// key's signature may be 0 or 1 instead of 27 or 28. An account that delegates to a contract by EIP-7702 is still its key's,
// whatever the contract says. A signature that makes the account's contract fail is invalid. It returns fault.NotFound for an
// unknown chain and fault.Unavailable when the chain cannot be reached.
func (c *Checker) Valid(ctx context.Context, chain onchain.ChainID, account eth.Address, hash eth.Hash, signature []byte) (bool, error) {
	client := c.chains[chain]
	if client == nil {
		return false, fault.New(fault.NotFound, "We do not work with this chain.")
	}
	if len(signature) > maxSignature {
		return false, nil
	}
	valid, err := accepts(ctx, client, account, hash, signature)
	if valid || err != nil || len(signature) != crypto.SignatureLength {
		return valid, err
	}
	// Contracts may give v a meaning of their own, so only a signature that was not accepted is changed.
	withV := slices.Clone(signature)
	if v := withV[crypto.RecoveryIDOffset]; v < 2 {
		withV[crypto.RecoveryIDOffset] += 27
		if valid, err := accepts(ctx, client, account, hash, withV); valid || err != nil {
			return valid, err
		}
	}
	return delegatesItsOwnKey(ctx, client, account, hash, withV)
}

// accepts asks the validator's contract about a signature.
func accepts(ctx context.Context, client *rpc.Client, account eth.Address, hash eth.Hash, signature []byte) (bool, error) {
	data, err := contracts.SignatureCheck(account, hash, signature)
	if err != nil {
		return false, err
	}
	var answer hexutil.Bytes
	err = client.CallContext(ctx, &answer, "eth_call", map[string]any{"data": hexutil.Bytes(data), "gas": hexutil.Uint64(maxGas)}, "latest")
	if refusal, ok := errors.AsType[gethrpc.Error](err); ok && refusal.ErrorCode() == reverted {
		return false, nil
	}
	return err == nil && contracts.SignatureValid(answer), explain(ctx, err)
}

// delegatesItsOwnKey reports whether the account's code is a delegation by EIP-7702 and its key made the signature, whose v is
// 27 or 28.
func delegatesItsOwnKey(ctx context.Context, client *rpc.Client, account eth.Address, hash eth.Hash, signature []byte) (bool, error) {
	bare := slices.Clone(signature)
	bare[crypto.RecoveryIDOffset] -= 27
	key, err := crypto.SigToPub(hash[:], bare)
	if err != nil || eth.Address(crypto.PubkeyToAddress(*key)) != account {
		return false, nil
	}
	var code hexutil.Bytes
	err = client.CallContext(ctx, &code, "eth_getCode", account, "latest")
	_, delegates := types.ParseDelegation(code)
	return err == nil && delegates, explain(ctx, err)
}

// explain turns a failure of the chain into fault.Unavailable.
func explain(ctx context.Context, err error) error {
	if err = rpc.Explain(err); err != nil && fault.As(err) == nil && ctx.Err() == nil {
		err = errUnclear.Because(err)
	}
	return err
}
