package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// node is a JSON-RPC endpoint of a chain (https://ethereum.org/developers/docs/apis/json-rpc). It keeps what it has read.
type node struct {
	url      string
	http     *http.Client
	receipts map[eth.Hash]*txReceipt
	blocks   map[eth.Hash]*block
}

func newNode(url string, client *http.Client) *node {
	return &node{url, client, map[eth.Hash]*txReceipt{}, map[eth.Hash]*block{}}
}

// ChainOf asks an endpoint which chain it is of.
func ChainOf(ctx context.Context, url string, client *http.Client) (onchain.ChainID, error) {
	var id hexInt
	err := newNode(url, client).call(ctx, &id, "eth_chainId")
	return onchain.ChainID(id), err
}

type hexInt uint64

func (n *hexInt) UnmarshalText(text []byte) (err error) {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return fmt.Errorf("%.20q is not a number", text)
	}
	v, err := strconv.ParseUint(digits, 16, 64)
	*n = hexInt(v)
	return err
}

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return fmt.Errorf("%.20q is not hex", text)
	}
	*b, err = hex.DecodeString(digits)
	return err
}

type logEntry struct {
	Address eth.Address `json:"address"`
	Topics  []eth.Hash  `json:"topics"`
	Data    hexBytes    `json:"data"`
	Tx      eth.Hash    `json:"transactionHash"`
	Block   hexInt      `json:"blockNumber"`
}

type txReceipt struct {
	Status    hexInt     `json:"status"`
	Block     hexInt     `json:"blockNumber"`
	BlockHash eth.Hash   `json:"blockHash"`
	Logs      []logEntry `json:"logs"`
}

type block struct {
	Number hexInt   `json:"number"`
	Parent eth.Hash `json:"parentHash"`
	Time   hexInt   `json:"timestamp"`
	Nonce  hexInt   `json:"nonce"`
}

const maxAnswer = 64 << 20

// call calls a method. An endpoint that does not answer, or refuses, says nothing about what is checked.
func (n *node) call(ctx context.Context, result any, method string, args ...any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": args})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := n.http.Do(request)
	if err != nil {
		return away("%s: the endpoint does not answer", method)
	}
	defer response.Body.Close()
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || answer.Error != nil || response.StatusCode != http.StatusOK {
		return away("%s: the endpoint has no answer (status %d)", method, response.StatusCode)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return away("%s: the endpoint's answer is malformed: %v", method, err)
	}
	return nil
}

// receipt returns the receipt of a transaction that succeeded.
func (n *node) receipt(ctx context.Context, tx eth.Hash) (*txReceipt, error) {
	if r := n.receipts[tx]; r != nil {
		return r, nil
	}
	var r *txReceipt
	if err := n.call(ctx, &r, "eth_getTransactionReceipt", tx); err != nil {
		return nil, err
	}
	if r == nil || r.Status != 1 {
		return nil, fmt.Errorf("the chain has no such transaction, or it failed: %s", tx)
	}
	n.receipts[tx] = r
	return r, nil
}

func (n *node) block(ctx context.Context, hash eth.Hash) (*block, error) {
	if b := n.blocks[hash]; b != nil {
		return b, nil
	}
	var b *block
	if err := n.call(ctx, &b, "eth_getBlockByHash", hash, false); err != nil {
		return nil, err
	}
	if b == nil {
		return nil, fmt.Errorf("the chain has no block %s", hash)
	}
	n.blocks[hash] = b
	return b, nil
}

func topic(event string) eth.Hash { return eth.Keccak256([]byte(event)) }

var (
	transferSingle = topic("TransferSingle(address,address,address,uint256,uint256)")    // ERC-1155
	transferBatch  = topic("TransferBatch(address,address,address,uint256[],uint256[])") // ERC-1155
	transfer       = topic("Transfer(address,address,uint256)")                          // ERC-721
	tableFixed     = topic("TableFixed(uint256,bytes32)")
)

func addressOf(word eth.Hash) eth.Address { return eth.Address(word[12:]) }

// units is an amount of a token in a log.
type units struct {
	tokenID string // decimal
	amount  uint64
}

// transferOf decodes a transfer of an ERC-1155 or ERC-721 token; ok is false for another log.
func transferOf(l logEntry) (from, to eth.Address, moved []units, ok bool) {
	switch {
	case len(l.Topics) == 4 && l.Topics[0] == transferSingle && len(l.Data) == 64:
		moved = []units{{decimal(l.Data[:32]), small(l.Data[32:])}}
		return addressOf(l.Topics[2]), addressOf(l.Topics[3]), moved, true
	case len(l.Topics) == 4 && l.Topics[0] == transferBatch:
		ids, amounts := list(l.Data, 0), list(l.Data, 1)
		if ids == nil || len(ids) != len(amounts) {
			return from, to, nil, false
		}
		for i := range ids {
			moved = append(moved, units{decimal(ids[i]), small(amounts[i])})
		}
		return addressOf(l.Topics[2]), addressOf(l.Topics[3]), moved, true
	case len(l.Topics) == 4 && l.Topics[0] == transfer:
		return addressOf(l.Topics[1]), addressOf(l.Topics[2]), []units{{decimal(l.Topics[3][:]), 1}}, true
	}
	return from, to, nil, false
}

func decimal(word []byte) string { return new(big.Int).SetBytes(word).String() }

// small reads an amount; one of more than 64 bits counts as the largest there is.
func small(word []byte) uint64 {
	n := new(big.Int).SetBytes(word)
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

// list reads the words of dynamic array i of ABI-encoded data; nil if it is malformed.
func list(data []byte, i int) (words [][]byte) {
	at := func(offset uint64) ([]byte, bool) {
		if offset > uint64(len(data)) || uint64(len(data))-offset < 32 {
			return nil, false
		}
		return data[offset : offset+32], true
	}
	head, ok := at(uint64(i) * 32)
	if !ok {
		return nil
	}
	start := small(head)
	count, ok := at(start)
	if !ok || small(count) > uint64(len(data))/32 {
		return nil
	}
	words = [][]byte{}
	for k := range small(count) {
		word, ok := at(start + 32 + 32*k)
		if !ok {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// burned checks that the chain has a burn as a receipt has it.
func (n *node) burned(ctx context.Context, b draw.ReceiptBurn) error {
	r, err := n.receipt(ctx, b.Tx)
	if err != nil {
		return err
	}
	if uint64(r.Block) != b.Block || r.BlockHash != b.BlockHash {
		return fmt.Errorf("the chain has the burn in block %d, %s", r.Block, r.BlockHash)
	}
	if b.LogIndex >= uint64(len(r.Logs)) {
		return fmt.Errorf("the transaction has no log %d", b.LogIndex)
	}
	l := r.Logs[b.LogIndex]
	from, to, moved, ok := transferOf(l)
	if !ok || l.Address != eth.Address(b.Contract) || from != eth.Address(b.Wallet) || !to.IsZero() {
		return fmt.Errorf("log %d of the transaction is no burn by that wallet in that contract", b.LogIndex)
	}
	passed := uint64(0)
	for _, u := range moved {
		if b.Number-passed < u.amount {
			if u.tokenID != b.Token {
				return fmt.Errorf("copy %d of the burn is of token %s", b.Number, u.tokenID)
			}
			return nil
		}
		passed += u.amount
	}
	return fmt.Errorf("the burn has no copy %d", b.Number)
}

// arbitrum are Arbitrum's chains: One, Nova and Sepolia. Their headers count the messages of the delayed inbox in the nonce.
var arbitrum = []onchain.ChainID{42161, 42170, 421614}

// delayedMargin is the least margin of blocks with messages of the delayed inbox, in seconds.
const delayedMargin = 86_400

// dated checks the time of a burn's block, and that the margin is large enough for it.
func (n *node) dated(ctx context.Context, b draw.ReceiptBurn) error {
	made, err := n.block(ctx, b.BlockHash)
	if err != nil {
		return err
	}
	if int64(made.Time) != b.BlockTime {
		return fmt.Errorf("the block is dated %s", unix(int64(made.Time)))
	}
	if !slices.Contains(arbitrum, b.ChainID) {
		return nil
	}
	parent, err := n.block(ctx, made.Parent)
	switch delayed := err == nil && parent.Nonce != made.Nonce; {
	case err != nil:
		return err
	case delayed && b.Margin < delayedMargin:
		return errors.New("the block has messages of the delayed inbox, which may be dated back by a day, and the margin is smaller")
	case !delayed && b.Margin == delayedMargin:
		return errors.New("the margin is that of the delayed inbox, and the block has none of its messages")
	}
	return nil
}

// fixedByContract checks that a contract has fixed a table's hash for a token.
func (n *node) fixedByContract(ctx context.Context, f draw.ReceiptFixed, tokenID string, hash [32]byte) error {
	r, err := n.receipt(ctx, f.Tx)
	if err != nil {
		return err
	}
	found := slices.ContainsFunc(r.Logs, func(l logEntry) bool {
		return l.Address == eth.Address(f.Address) && len(l.Topics) == 2 && l.Topics[0] == tableFixed && decimal(l.Topics[1][:]) == tokenID && bytes.Equal(l.Data, hash[:])
	})
	if !found {
		return fmt.Errorf("transaction %s fixes no such table for token %s", f.Tx, tokenID)
	}
	return n.inBlock(ctx, r, f.Block, f.BlockTime)
}

func (n *node) inBlock(ctx context.Context, r *txReceipt, number uint64, at int64) error {
	made, err := n.block(ctx, r.BlockHash)
	if err != nil {
		return err
	}
	if uint64(r.Block) != number || int64(made.Time) != at {
		return fmt.Errorf("the chain has the transaction in block %d of %s", r.Block, unix(int64(made.Time)))
	}
	return nil
}

// sentBy is a transaction of a wallet to itself.
type sentBy struct {
	wallet draw.ReceiptAddress
	tx     eth.Hash
	block  uint64
	time   int64 // Unix seconds
}

// sent checks that the chain has a transaction of a wallet to itself with an input.
func (n *node) sent(ctx context.Context, s sentBy, input []byte) error {
	r, err := n.receipt(ctx, s.tx)
	if err != nil {
		return err
	}
	var t *struct {
		From  eth.Address  `json:"from"`
		To    *eth.Address `json:"to"`
		Input hexBytes     `json:"input"`
	}
	if err := n.call(ctx, &t, "eth_getTransactionByHash", s.tx); err != nil {
		return err
	}
	wallet := eth.Address(s.wallet)
	if t == nil || t.From != wallet || t.To == nil || *t.To != wallet || !bytes.Equal(t.Input, input) {
		return fmt.Errorf("transaction %s is not of that wallet to itself, or has another input than %x", s.tx, input)
	}
	return n.inBlock(ctx, r, s.block, s.time)
}

// minted checks that a transaction has minted units of a token.
func (n *node) minted(ctx context.Context, tx eth.Hash, contract eth.Address, tokenID string, amount int64) error {
	r, err := n.receipt(ctx, tx)
	if err != nil {
		return err
	}
	for _, l := range r.Logs {
		from, _, moved, ok := transferOf(l)
		if ok && l.Address == contract && from.IsZero() && slices.Contains(moved, units{tokenID, uint64(amount)}) {
			return nil
		}
	}
	return fmt.Errorf("transaction %s mints no %d of token %s", tx, amount, tokenID)
}

// Burned is a burned copy of a token.
type Burned struct {
	draw.Burn
	Wallet  eth.Address
	TokenID string
}

// logRange is how many blocks are asked for at once.
const logRange = 10_000

// burns returns all burns of a contract's tokens from a block on, in chain order.
func (n *node) burns(ctx context.Context, chain onchain.ChainID, contract eth.Address, from uint64) (out []Burned, err error) {
	var head hexInt
	if err := n.call(ctx, &head, "eth_blockNumber"); err != nil {
		return nil, err
	}
	for ; from <= uint64(head); from += logRange {
		var logs []logEntry
		err := n.call(ctx, &logs, "eth_getLogs", map[string]any{
			"address": contract, "fromBlock": fmt.Sprintf("0x%x", from), "toBlock": fmt.Sprintf("0x%x", min(from+logRange-1, uint64(head))),
			"topics": []any{[]eth.Hash{transferSingle, transferBatch}, nil, nil, eth.Hash{}},
		})
		if err != nil {
			return nil, err
		}
		for _, l := range logs {
			burned, err := n.copies(ctx, chain, l, out)
			if err != nil {
				return nil, err
			}
			out = append(out, burned...)
		}
	}
	return out, nil
}

// copies returns the copies that a log burns, unless they are in the list already.
func (n *node) copies(ctx context.Context, chain onchain.ChainID, l logEntry, known []Burned) (out []Burned, err error) {
	if len(known) > 0 && known[len(known)-1].Tx == l.Tx {
		return nil, nil // all logs of a transaction are read at once
	}
	r, err := n.receipt(ctx, l.Tx)
	if err != nil {
		return nil, err
	}
	for i, entry := range r.Logs {
		from, to, moved, ok := transferOf(entry)
		if !ok || entry.Address != l.Address || !to.IsZero() {
			continue
		}
		number := uint64(0)
		for _, u := range moved {
			for range u.amount {
				out = append(out, Burned{draw.Burn{Chain: chain, Tx: l.Tx, LogIndex: uint64(i), Number: number}, from, u.tokenID})
				number++
			}
		}
	}
	return out, nil
}
