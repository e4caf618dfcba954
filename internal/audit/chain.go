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
	txs      map[eth.Hash]*transaction
	anchored map[span][]sentAnchor
}

func newNode(url string, client *http.Client) *node {
	return &node{
		url: url, http: client, receipts: map[eth.Hash]*txReceipt{}, blocks: map[eth.Hash]*block{},
		txs: map[eth.Hash]*transaction{}, anchored: map[span][]sentAnchor{},
	}
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
	Index     hexInt     `json:"transactionIndex"`
	Logs      []logEntry `json:"logs"`
}

// place is where a transaction is on a chain.
type place struct{ block, index uint64 }

func (p place) before(q place) bool {
	return p.block < q.block || p.block == q.block && p.index < q.index
}

func (r *txReceipt) place() place { return place{uint64(r.Block), uint64(r.Index)} }

type block struct {
	Number hexInt   `json:"number"`
	Parent eth.Hash `json:"parentHash"`
	Time   hexInt   `json:"timestamp"`
	Nonce  hexInt   `json:"nonce"`
}

type transaction struct {
	Hash  eth.Hash     `json:"hash"`
	From  eth.Address  `json:"from"`
	To    *eth.Address `json:"to"`
	Nonce hexInt       `json:"nonce"`
	Input hexBytes     `json:"input"`
}

const maxAnswer = 64 << 20

// refusedError is an error that an endpoint answers with.
type refusedError struct{ message string }

func (e *refusedError) Error() string { return fmt.Sprintf("the endpoint refuses: %.200q", e.message) }

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
	if err == nil && answer.Error != nil {
		return away("%s: %w", method, &refusedError{answer.Error.Message})
	}
	if err != nil || response.StatusCode != http.StatusOK {
		return away("%s: the endpoint has no answer (status %d)", method, response.StatusCode)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return away("%s: the endpoint's answer is malformed: %v", method, err)
	}
	return nil
}

// receipt returns the receipt of a transaction that succeeded.
func (n *node) receipt(ctx context.Context, tx eth.Hash) (*txReceipt, error) {
	r, err := n.anyReceipt(ctx, tx)
	if err == nil && (r == nil || r.Status != 1) {
		err = fmt.Errorf("the chain has no such transaction, or it failed: %s", tx)
	}
	return r, err
}

// anyReceipt returns the receipt of a transaction, also of one that failed; nil if the chain has none.
func (n *node) anyReceipt(ctx context.Context, tx eth.Hash) (*txReceipt, error) {
	if r := n.receipts[tx]; r != nil {
		return r, nil
	}
	var r *txReceipt
	if err := n.call(ctx, &r, "eth_getTransactionReceipt", tx); err != nil {
		return nil, err
	}
	if r != nil {
		n.receipts[tx] = r
	}
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

// decisive is the block that decides a round: that of the burn, or of the anchor of the payment's record.
type decisive struct {
	chain        onchain.ChainID
	hash         eth.Hash
	time, margin int64 // Unix seconds, seconds
}

// decisiveOf returns the block that decides the round of a receipt.
func decisiveOf(r draw.Receipt) decisive {
	if p := r.Purchase; p != nil {
		return decisive{p.Anchor.ChainID, p.Anchor.BlockHash, p.Anchor.BlockTime, p.Anchor.Margin}
	}
	return decisive{r.Burn.ChainID, r.Burn.BlockHash, r.Burn.BlockTime, r.Burn.Margin}
}

// dated checks the time of a block that decides a round, and that the margin is large enough for it. delayed is whether the block has
// messages of a delayed inbox.
func (n *node) dated(ctx context.Context, d decisive) (delayed bool, err error) {
	made, err := n.block(ctx, d.hash)
	if err != nil {
		return false, err
	}
	if int64(made.Time) != d.time {
		return false, fmt.Errorf("the block is dated %s", unix(int64(made.Time)))
	}
	if !slices.Contains(arbitrum, d.chain) {
		return false, nil
	}
	parent, err := n.block(ctx, made.Parent)
	if err != nil {
		return false, err
	}
	delayed = parent.Nonce != made.Nonce
	if delayed && d.margin < delayedMargin {
		err = errors.New("the block has messages of the delayed inbox, which may be dated back by a day, and the margin is smaller")
	}
	return delayed, err
}

// tableOf returns the table that a contract of packs has fixed for a token; zero for one that fixes none.
func (n *node) tableOf(ctx context.Context, contract eth.Address, tokenID string) (table [32]byte, err error) {
	id, ok := new(big.Int).SetString(tokenID, 10)
	if !ok || id.Sign() < 0 || id.BitLen() > 256 {
		return table, fmt.Errorf("%.100q is no token id", tokenID)
	}
	selector := eth.Keccak256([]byte("tableOf(uint256)"))
	data := append(selector[:4], id.FillBytes(make([]byte, 32))...)
	var answer hexBytes
	err = n.call(ctx, &answer, "eth_call", map[string]any{"to": contract, "data": fmt.Sprintf("0x%x", data)}, "latest")
	var refused *refusedError
	if errors.As(err, &refused) && strings.Contains(refused.message, "revert") || err == nil && len(answer) != 32 {
		return table, nil // it has no such function
	}
	copy(table[:], answer)
	return table, err
}

// fixedByContract checks that a contract has fixed a table's hash for a token.
func (n *node) fixedByContract(ctx context.Context, f draw.ReceiptFixed, tokenID string, hash [32]byte) error {
	r, err := n.receipt(ctx, f.Tx)
	if err != nil {
		return err
	}
	found := slices.ContainsFunc(r.Logs, func(l logEntry) bool {
		return l.Address == eth.Address(f.Address) && len(l.Topics) == 2 && l.Topics[0] == tableFixed && decimal(l.Topics[1][:]) == tokenID &&
			bytes.Equal(l.Data, hash[:])
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
	r, t, err := n.transaction(ctx, s.tx)
	if err != nil {
		return err
	}
	if !t.toItself(eth.Address(s.wallet)) || !bytes.Equal(t.Input, input) {
		return fmt.Errorf("transaction %s is not of that wallet to itself, or has another input than %x", s.tx, input)
	}
	return n.inBlock(ctx, r, s.block, s.time)
}

// transaction returns a transaction that succeeded, with its receipt.
func (n *node) transaction(ctx context.Context, tx eth.Hash) (r *txReceipt, t *transaction, err error) {
	if r, err = n.receipt(ctx, tx); err != nil {
		return nil, nil, err
	}
	if t = n.txs[tx]; t != nil {
		return r, t, nil
	}
	if err := n.call(ctx, &t, "eth_getTransactionByHash", tx); err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, away("the endpoint has the receipt of transaction %s, and not the transaction", tx)
	}
	n.txs[tx] = t
	return r, t, nil
}

// toItself reports whether a transaction is of a wallet to itself.
func (t *transaction) toItself(wallet eth.Address) bool {
	return t.From == wallet && t.To != nil && *t.To == wallet
}

// sentAnchor is a transaction that succeeded by which a wallet has anchored a record.
type sentAnchor struct {
	place
	wallet eth.Address
	tx     eth.Hash
	nonce  uint64
	number uint64 // of the record
	hash   [32]byte
}

// anchor returns the transaction of an anchor, and checks that the chain has it as a receipt has it, but for the time of its block.
func (n *node) anchor(ctx context.Context, at draw.ReceiptAnchor) (s sentAnchor, err error) {
	r, t, err := n.transaction(ctx, at.Tx)
	if err != nil {
		return s, err
	}
	number, hash, ok := draw.ParseRecordsAnchor(t.Input)
	if !t.toItself(eth.Address(at.Wallet)) || !ok || number != at.Record {
		return s, fmt.Errorf("transaction %s is not of that wallet to itself, or does not anchor record %d", at.Tx, at.Record)
	}
	if uint64(r.Block) != at.Block || r.BlockHash != at.BlockHash {
		return s, fmt.Errorf("the chain has the anchor in block %d, %s", r.Block, r.BlockHash)
	}
	return sentAnchor{r.place(), t.From, at.Tx, uint64(t.Nonce), number, hash}, nil
}

// precedes checks that the chain has an anchor before that of a later record.
func (s sentAnchor) precedes(later sentAnchor) error {
	if !s.before(later.place) {
		return fmt.Errorf("the anchor of record %d is before that of record %d on the chain", later.number, s.number)
	}
	return nil
}

// span is a wallet and a part of a chain: the blocks after from up to to.
type span struct {
	wallet   eth.Address
	from, to uint64
}

// anchors returns the anchors that a wallet has sent in the blocks after from up to to, in chain order. See sentToItself.
func (n *node) anchors(ctx context.Context, s span) ([]sentAnchor, error) {
	if known, ok := n.anchored[s]; ok {
		return known, nil
	}
	sent, err := n.sentToItself(ctx, s.wallet, s.from, s.to)
	if err != nil {
		return nil, err
	}
	out := []sentAnchor{}
	for _, t := range sent {
		number, hash, ok := draw.ParseRecordsAnchor(t.Input)
		if !ok {
			continue
		}
		r, err := n.anyReceipt(ctx, t.Hash)
		switch {
		case err != nil:
			return nil, err
		case r == nil:
			return nil, away("the endpoint has transaction %s, and not its receipt", t.Hash)
		case r.Status == 1:
			out = append(out, sentAnchor{r.place(), s.wallet, t.Hash, uint64(t.Nonce), number, hash})
		}
	}
	n.anchored[s] = out
	return out, nil
}

// sentToItself returns all transactions of a wallet to itself in the blocks after from up to to, in chain order. It looks for the blocks
// in which the wallet's count of transactions rises, which needs an endpoint that keeps old states.
func (n *node) sentToItself(ctx context.Context, wallet eth.Address, from, to uint64) (out []transaction, err error) {
	count := func(block uint64) (uint64, error) {
		var sent hexInt
		err := n.call(ctx, &sent, "eth_getTransactionCount", wallet, fmt.Sprintf("0x%x", block))
		return uint64(sent), err
	}
	var search func(from, to, before, after uint64) error
	search = func(from, to, before, after uint64) error {
		if before == after || from >= to {
			return nil
		}
		if to-from == 1 {
			var made struct {
				Transactions []transaction `json:"transactions"`
			}
			if err := n.call(ctx, &made, "eth_getBlockByNumber", fmt.Sprintf("0x%x", to), true); err != nil {
				return err
			}
			for _, t := range made.Transactions {
				if t.toItself(wallet) {
					out = append(out, t)
				}
			}
			return nil
		}
		middle := from + (to-from)/2
		between, err := count(middle)
		if err != nil {
			return err
		}
		if err := search(from, middle, before, between); err != nil {
			return err
		}
		return search(middle, to, between, after)
	}
	before, err := count(from)
	if err != nil {
		return nil, err
	}
	after, err := count(to)
	if err != nil {
		return nil, err
	}
	return out, search(from, to, before, after)
}

// mint is a log that mints tokens.
type mint struct {
	chain onchain.ChainID
	tx    eth.Hash
	log   int
}

type receivedMint struct {
	mint
	by eth.Address
}

// mints returns the logs of a transaction that mint units of a token, at least one.
func (n *node) mints(
	ctx context.Context, chain onchain.ChainID, tx eth.Hash, contract eth.Address, tokenID string, amount int64,
) (found []receivedMint, err error) {
	r, err := n.receipt(ctx, tx)
	if err != nil {
		return nil, err
	}
	for i, l := range r.Logs {
		from, to, moved, ok := transferOf(l)
		if ok && l.Address == contract && from.IsZero() && slices.Contains(moved, units{tokenID, uint64(amount)}) {
			found = append(found, receivedMint{mint{chain, tx, i}, to})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("transaction %s mints no %d of token %s", tx, amount, tokenID)
	}
	return found, nil
}

// Burned is a burned copy of a token.
type Burned struct {
	draw.Burn
	Wallet    eth.Address
	TokenID   string
	BlockHash eth.Hash
}

// logRange is how many blocks are asked for at once.
const logRange = 10_000

// maxCopies bounds how many copies one transaction can burn.
const maxCopies = 1_000_000

// head returns the number of the newest block.
func (n *node) head(ctx context.Context) (uint64, error) {
	var head hexInt
	err := n.call(ctx, &head, "eth_blockNumber")
	return uint64(head), err
}

// burns returns all burns of a contract's tokens from a block on, in chain order.
func (n *node) burns(ctx context.Context, chain onchain.ChainID, contract eth.Address, from uint64) (out []Burned, err error) {
	head, err := n.head(ctx)
	if err != nil {
		return nil, err
	}
	for ; from <= head; from += logRange {
		var logs []logEntry
		err := n.call(ctx, &logs, "eth_getLogs", map[string]any{
			"address": contract, "fromBlock": fmt.Sprintf("0x%x", from), "toBlock": fmt.Sprintf("0x%x", min(from+logRange-1, head)),
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
			if u.amount > maxCopies || len(out) > maxCopies {
				return nil, fmt.Errorf("transaction %s burns more packs than there can be", l.Tx)
			}
			for range u.amount {
				burn := draw.Burn{Chain: chain, Tx: l.Tx, LogIndex: uint64(i), Number: number}
				out = append(out, Burned{burn, from, u.tokenID, r.BlockHash})
				number++
			}
		}
	}
	return out, nil
}
