package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
)

// tokenURIs asks contracts for the URIs of their tokens. It implements metadata.Chain.
type tokenURIs struct {
	chains map[onchain.ChainID]*chainParts
}

// The functions that name the URI of a token: ERC-721's tokenURI(uint256) and ERC-1155's uri(uint256).
var uriFunctions = map[onchain.Standard][]byte{
	onchain.ERC721: {0xc8, 0x7b, 0x56, 0xdd}, onchain.ERC1155: {0x0e, 0x89, 0x34, 0x1c},
}

// contractURI is ERC-7572's contractURI().
var contractURI = []byte{0xe8, 0xa3, 0xd4, 0x85}

// URIs returns the tokens' URIs; see metadata.Chain.
func (t tokenURIs) URIs(ctx context.Context, chain onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	c := t.chains[chain]
	if c == nil {
		return nil, fmt.Errorf("metadata: there is no chain %d", chain)
	}
	ctx, cancel := context.WithTimeout(ctx, uriTimeout)
	defer cancel()
	calls := make([]gethrpc.BatchElem, len(entries))
	for i, e := range entries {
		data := contractURI
		if e.TokenID != metadata.OfContract {
			id, ok := new(big.Int).SetString(e.TokenID, 10)
			if !ok {
				return nil, fmt.Errorf("metadata: %q is no token id", e.TokenID)
			}
			data = append(bytes.Clone(uriFunctions[e.Standard]), id.FillBytes(make([]byte, 32))...)
		}
		calls[i] = gethrpc.BatchElem{
			Method: "eth_call", Args: []any{map[string]any{"to": e.Contract, "data": eth.Bytes(data)}, "latest"}, Result: new(eth.Bytes),
		}
	}
	if err := askAll(ctx, c.rpc, calls); err != nil {
		return nil, err
	}
	out := make([]metadata.URI, len(entries))
	for i, call := range calls {
		var refused gethrpc.Error
		switch {
		case call.Error == nil:
			out[i].Text, out[i].Err = stringOf(*call.Result.(*eth.Bytes))
		case errors.As(call.Error, &refused) && isRevert(refused):
			out[i].Err = &metadata.Fault{Reason: "the contract names no URI: " + refused.Error(), Final: true}
		default: // such as running out of gas: it affects this token only
			out[i].Err = &metadata.Fault{Reason: "the contract's URI could not be read: " + call.Error.Error()}
		}
	}
	return out, nil
}

const (
	uriTimeout = 2 * time.Minute
	uriBatch   = 20 // answers may have a whole picture
)

// askAll makes calls in batches. A batch that has no answer is made in halves, so that one call that is too much for the endpoint has an
// error of its own. It returns an error if the endpoint does not answer at all.
func askAll(ctx context.Context, endpoint *rpc.Client, calls []gethrpc.BatchElem) error {
	for some := range slices.Chunk(calls, uriBatch) {
		if err := askSome(ctx, endpoint, some); err != nil {
			return err
		}
	}
	return nil
}

func askSome(ctx context.Context, endpoint *rpc.Client, calls []gethrpc.BatchElem) error {
	err := endpoint.BatchCallContext(ctx, calls)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	if _, away := endpoint.Check(ctx); away != nil {
		return err
	}
	if len(calls) == 1 {
		calls[0].Error = err
		return nil
	}
	return errors.Join(askSome(ctx, endpoint, calls[:len(calls)/2]), askSome(ctx, endpoint, calls[len(calls)/2:]))
}

// isRevert reports whether a call failed in the contract, and not at the endpoint: 3 is geth's code, and others say it in words.
func isRevert(err gethrpc.Error) bool {
	return err.ErrorCode() == 3 || strings.Contains(err.Error(), "revert") || strings.Contains(err.Error(), "invalid opcode")
}

// text is the result of tokenURI and uri.
var text = abi.Arguments{{Type: abi.Type{T: abi.StringTy}}}

// stringOf decodes the string that a contract returns, or one of 32 bytes, as contracts from before the standards do.
func stringOf(answer []byte) (string, error) {
	if len(answer) == 0 {
		return "", &metadata.Fault{Reason: "the contract has no function that names the URI", Final: true}
	}
	if len(answer) == 32 {
		return string(bytes.TrimRight(answer, "\x00")), nil
	}
	values, err := text.Unpack(answer)
	if err != nil {
		return "", &metadata.Fault{Reason: "the contract's answer is no text", Final: true}
	}
	return values[0].(string), nil
}
