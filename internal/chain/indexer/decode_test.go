package indexer

import (
	"bytes"
	"errors"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

var (
	coin       = eth.MustAddress("0x00000000000000000000000000000000000000c0")
	unique     = eth.MustAddress("0x0000000000000000000000000000000000000721")
	many       = eth.MustAddress("0x0000000000000000000000000000000000001155")
	bazaar     = eth.MustAddress("0x00000000000000000000000000000000000000ba")
	entryPoint = eth.MustAddress("0x00000000000000000000000000000000000000ee")
	alice      = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	bob        = eth.MustAddress("0x00000000000000000000000000000000000000b0")
)

func listed() Contracts {
	return Contracts{Marketplace: bazaar, EntryPoint: entryPoint, Tokens: map[eth.Address]onchain.Standard{
		coin: onchain.ERC20, unique: onchain.ERC721, many: onchain.ERC1155,
	}}
}

// abiOf returns the ABI the contracts were compiled with.
func abiOf(t testing.TB, of interface{ ParseABI() (*abi.ABI, error) }) *abi.ABI {
	t.Helper()
	parsed, err := of.ParseABI()
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// written is a log of the event as a contract emits it: indexed arguments become topics, the others data.
func written(t testing.TB, contract eth.Address, event abi.Event, args ...any) entry {
	t.Helper()
	l := entry{Address: contract, Topics: []eth.Hash{eth.Hash(event.ID)}}
	var data []any
	for i, in := range event.Inputs {
		if !in.Indexed {
			data = append(data, args[i])
			continue
		}
		word, err := abi.Arguments{{Type: in.Type}}.Pack(args[i])
		if err != nil {
			t.Fatal(err)
		}
		l.Topics = append(l.Topics, eth.Hash(word))
	}
	packed, err := event.Inputs.NonIndexed().Pack(data...)
	if err != nil {
		t.Fatal(err)
	}
	l.Data = packed
	return l
}

func at() onchain.Position {
	return onchain.Position{Block: 9, LogIndex: 3, Tx: eth.Hash{7}, Time: time.Unix(1_800_000_000, 0).UTC()}
}

// events are the indexed events from the contracts' ABIs.
type events struct{ coin, unique, many, packs, market, entryPoint map[string]abi.Event }

func eventsOf(t testing.TB) events {
	return events{
		coin: abiOf(t, &contracts.TestTokenMetaData).Events, unique: abiOf(t, &contracts.Collection721MetaData).Events,
		many: abiOf(t, &contracts.Collection1155MetaData).Events, market: abiOf(t, &contracts.DirectListingsLogicMetaData).Events,
		packs: abiOf(t, &contracts.ChestsMetaData).Events, entryPoint: abiOf(t, &contracts.EntryPointMetaData).Events,
	}
}

func TestDecode_SignaturesAreTheContracts(t *testing.T) {
	t.Parallel()
	e := eventsOf(t)
	for _, test := range []struct {
		event abi.Event
		topic eth.Hash
	}{
		{e.coin["Transfer"], topicTransfer}, {e.unique["Transfer"], topicTransfer}, {e.unique["Approval"], topicApproval},
		{e.unique["ApprovalForAll"], topicApprovalForAll}, {e.many["ApprovalForAll"], topicApprovalForAll},
		{e.many["TransferSingle"], topicTransferSingle}, {e.many["TransferBatch"], topicTransferBatch},
		{e.market["NewListing"], topicNewListing}, {e.market["UpdatedListing"], topicUpdatedListing},
		{e.market["CancelledListing"], topicCancelledListing}, {e.market["NewSale"], topicNewSale},
		{e.entryPoint["UserOperationEvent"], topicUserOperation},
		{e.unique["MaxSupplySet"], topicCollectionCap}, {e.many["MaxSupplySet"], topicTokenCap}, {e.packs["TableFixed"], topicTableFixed},
	} {
		if eth.Hash(test.event.ID) != test.topic {
			t.Errorf("%s: %x, want %x", test.event.Sig, test.topic, test.event.ID)
		}
	}
}

// listing returns the marketplace's data of a listing by alice.
func listing(number, token, quantity int64, asset eth.Address) contracts.IDirectListingsListing {
	return contracts.IDirectListingsListing{
		ListingId: big.NewInt(number), TokenId: big.NewInt(token), Quantity: big.NewInt(quantity), PricePerToken: big.NewInt(2_500_000),
		StartTimestamp: big.NewInt(1_700_000_000), EndTimestamp: new(big.Int).SetBytes(bytes.Repeat([]byte{0xff}, 16)),
		ListingCreator: common.Address(alice), AssetContract: common.Address(asset), Currency: common.Address(coin), TokenType: 1, Status: 1,
		Reserved: true,
	}
}

func TestDecode_EveryEventBecomesItsFact(t *testing.T) {
	t.Parallel()
	e := eventsOf(t)
	huge := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	hugeUnits, err := money.FromBig(huge)
	if err != nil {
		t.Fatal(err)
	}
	a, b := common.Address(alice), common.Address(bob)
	pos := at()
	second := pos
	second.Sub = 1
	terms := &onchain.ListingTerms{
		Seller: alice, Contract: many, TokenID: "6", Quantity: 4, Currency: coin, PricePerToken: money.FromInt(2_500_000),
		Start: time.Unix(1_700_000_000, 0).UTC(), End: onchain.MaxTime(), Reserved: true,
	}
	for _, test := range []struct {
		name string
		log  entry
		want onchain.Batch
	}{
		{"coins", written(t, coin, e.coin["Transfer"], a, b, huge), onchain.Batch{Transfers: []onchain.Transfer{
			{Position: pos, Contract: coin, Standard: onchain.ERC20, TokenID: "0", From: alice, To: bob, Amount: hugeUnits}}}},
		{"a cap of a collection", written(t, unique, e.unique["MaxSupplySet"], huge), onchain.Batch{Caps: []onchain.SupplyCap{
			{Position: pos, Contract: unique, Max: hugeUnits}}}},
		{"a cap of a token", written(t, many, e.many["MaxSupplySet"], huge, big.NewInt(500)), onchain.Batch{Caps: []onchain.SupplyCap{
			{Position: pos, Contract: many, TokenID: huge.String(), Max: money.FromInt(500)}}}},
		{"a table of a pack", written(t, many, e.packs["TableFixed"], huge, [32]byte{1, 31: 2}), onchain.Batch{Tables: []onchain.FixedTable{
			{Position: pos, Contract: many, TokenID: huge.String(), Hash: [32]byte{1, 31: 2}}}}},
		{"a table of unique tokens", written(t, unique, e.packs["TableFixed"], huge, [32]byte{1}), onchain.Batch{}},
		{"a table of coins", written(t, coin, e.packs["TableFixed"], huge, [32]byte{1}), onchain.Batch{}},
		{"a unique token, whose approval ends", written(t, unique, e.unique["Transfer"], a, b, huge), onchain.Batch{
			Transfers: []onchain.Transfer{
				{Position: pos, Contract: unique, Standard: onchain.ERC721, TokenID: huge.String(), From: alice, To: bob, Amount: money.FromInt(1)}},
			Approvals: []onchain.Approval{{Position: pos, Contract: unique, TokenID: huge.String(), Owner: alice}}}},
		{"a mint, which ends no approval", written(t, unique, e.unique["Transfer"], common.Address{}, b, big.NewInt(5)), onchain.Batch{
			Transfers: []onchain.Transfer{
				{Position: pos, Contract: unique, Standard: onchain.ERC721, TokenID: "5", To: bob, Amount: money.FromInt(1)}}}},
		{"copies", written(t, many, e.many["TransferSingle"], b, a, b, big.NewInt(3), big.NewInt(40)),
			onchain.Batch{Transfers: []onchain.Transfer{
				{Position: pos, Contract: many, Standard: onchain.ERC1155, TokenID: "3", From: alice, To: bob, Amount: money.FromInt(40)}}}},
		{"a batch of copies", written(t, many, e.many["TransferBatch"], b, a, b,
			[]*big.Int{big.NewInt(3), big.NewInt(4)}, []*big.Int{big.NewInt(40), big.NewInt(50)}), onchain.Batch{Transfers: []onchain.Transfer{
			{Position: pos, Contract: many, Standard: onchain.ERC1155, TokenID: "3", From: alice, To: bob, Amount: money.FromInt(40)},
			{Position: second, Contract: many, Standard: onchain.ERC1155, TokenID: "4", From: alice, To: bob, Amount: money.FromInt(50)}}}},
		{"a batch of nothing", written(t, many, e.many["TransferBatch"], b, a, b, []*big.Int{}, []*big.Int{}), onchain.Batch{}},
		{"nothing", written(t, coin, e.coin["Transfer"], a, b, big.NewInt(0)), onchain.Batch{}},
		{"an approval of one token", written(t, unique, e.unique["Approval"], a, b, big.NewInt(5)), onchain.Batch{Approvals: []onchain.Approval{
			{Position: pos, Contract: unique, TokenID: "5", Owner: alice, Operator: bob, Approved: true}}}},
		{"an approval of nobody", written(t, unique, e.unique["Approval"], a, common.Address{}, big.NewInt(5)),
			onchain.Batch{Approvals: []onchain.Approval{
				{Position: pos, Contract: unique, TokenID: "5", Owner: alice}}}},
		{"an allowance of coins", written(t, coin, e.coin["Approval"], a, b, big.NewInt(5)), onchain.Batch{}},
		{"an approval of all", written(t, many, e.many["ApprovalForAll"], a, b, true), onchain.Batch{Approvals: []onchain.Approval{
			{Position: pos, Contract: many, Owner: alice, Operator: bob, Approved: true}}}},
		{"its end", written(t, unique, e.unique["ApprovalForAll"], a, b, false), onchain.Batch{Approvals: []onchain.Approval{
			{Position: pos, Contract: unique, Owner: alice, Operator: bob}}}},
		{"a listing", written(t, bazaar, e.market["NewListing"], a, big.NewInt(8), common.Address(many), listing(8, 6, 4, many)),
			onchain.Batch{Listings: []onchain.ListingEvent{{Position: pos, Kind: onchain.ListingCreated, ListingID: "8", Terms: terms}}}},
		{"its update", written(t, bazaar, e.market["UpdatedListing"], a, big.NewInt(8), common.Address(many), listing(8, 6, 4, many)),
			onchain.Batch{Listings: []onchain.ListingEvent{{Position: pos, Kind: onchain.ListingUpdated, ListingID: "8", Terms: terms}}}},
		{
			"a listing of something unknown", written(t, bazaar, e.market["NewListing"], a, big.NewInt(8), b, listing(8, 6, 4, bob)),
			onchain.Batch{},
		},
		{"its cancellation", written(t, bazaar, e.market["CancelledListing"], a, big.NewInt(8)),
			onchain.Batch{Listings: []onchain.ListingEvent{{Position: pos, Kind: onchain.ListingCancelled, ListingID: "8"}}}},
		{"a sale",
			written(t, bazaar, e.market["NewSale"], a, big.NewInt(8), common.Address(many), big.NewInt(6), b, big.NewInt(2), big.NewInt(5_000_000)),
			onchain.Batch{Listings: []onchain.ListingEvent{{Position: pos, Kind: onchain.ListingSold, ListingID: "8", Sale: &onchain.Sale{
				Seller: alice, Contract: many, TokenID: "6", Buyer: bob, Quantity: 2, Total: money.FromInt(5_000_000)}}}}},
		{
			"a sale of something unknown",
			written(t, bazaar, e.market["NewSale"], a, big.NewInt(8), b, big.NewInt(6), b, big.NewInt(2), big.NewInt(5)), onchain.Batch{},
		},
		{"a user operation",
			written(t, entryPoint, e.entryPoint["UserOperationEvent"], [32]byte{5}, a, b, big.NewInt(1), true, big.NewInt(2), big.NewInt(3)),
			onchain.Batch{Ops: []onchain.UserOperationEvent{{Position: pos, Hash: eth.Hash{5}, Sender: alice, Success: true}}}},
		{"another event", entry{Address: bazaar, Topics: []eth.Hash{{1, 2, 3}}}, onchain.Batch{}},
		{"another contract", written(t, bob, e.coin["Transfer"], a, b, big.NewInt(1)), onchain.Batch{}},
		{"no event", entry{Address: unique}, onchain.Batch{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got onchain.Batch
			if err := listed().decode(test.log, pos, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestDecode_MalformedLogsAreRefused(t *testing.T) {
	t.Parallel()
	e := eventsOf(t)
	a, b := common.Address(alice), common.Address(bob)
	change := func(l entry, by func(*entry)) entry {
		l.Topics, l.Data = append([]eth.Hash(nil), l.Topics...), bytes.Clone(l.Data)
		by(&l)
		return l
	}
	set := func(word int, v int64) func(*entry) {
		return func(l *entry) { big.NewInt(v).FillBytes(l.Data[word*wordSize : (word+1)*wordSize]) }
	}
	coins := written(t, coin, e.coin["Transfer"], a, b, big.NewInt(1))
	token := written(t, unique, e.unique["Transfer"], a, b, big.NewInt(1))
	batch := written(t, many, e.many["TransferBatch"], b, a, b, []*big.Int{big.NewInt(3)}, []*big.Int{big.NewInt(40)})
	forAll := written(t, many, e.many["ApprovalForAll"], a, b, true)
	created := written(t, bazaar, e.market["NewListing"], a, big.NewInt(8), common.Address(many), listing(8, 6, 4, many))
	sale := written(t, bazaar, e.market["NewSale"], a, big.NewInt(8), common.Address(many), big.NewInt(6), b, big.NewInt(2), big.NewInt(5))
	operation := written(t, entryPoint, e.entryPoint["UserOperationEvent"], [32]byte{5}, a, b, big.NewInt(1), true,
		big.NewInt(2), big.NewInt(3))
	table := written(t, many, e.packs["TableFixed"], big.NewInt(3), [32]byte{1})
	for _, test := range []struct {
		name string
		log  entry
	}{
		{"coins with the topics of a unique token", change(token, func(l *entry) { l.Address = coin })},
		{"a unique token with the topics of coins", change(coins, func(l *entry) { l.Address = unique })},
		{"a topic is missing", change(coins, func(l *entry) { l.Topics = l.Topics[:2] })},
		{"a topic too many", change(coins, func(l *entry) { l.Topics = append(l.Topics, eth.Hash{}) })},
		{"data is missing", change(coins, func(l *entry) { l.Data = nil })},
		{"half a word", change(coins, func(l *entry) { l.Data = l.Data[:16] })},
		{"data too long", change(coins, func(l *entry) { l.Data = append(l.Data, 0) })},
		{"data where there is none", change(token, func(l *entry) { l.Data = make([]byte, wordSize) })},
		{"an address of 21 bytes", change(coins, func(l *entry) { l.Topics[1][11] = 1 })},
		{"a batch without arrays", change(batch, func(l *entry) { l.Data = nil })},
		{"a batch with an odd number of words", change(batch, func(l *entry) { l.Data = l.Data[:5*wordSize] })},
		{"a batch of fewer values than ids", change(batch, set(4, 0))},
		{"a batch that claims to be endless", change(batch, set(2, 1<<62))},
		{"a batch that points elsewhere", change(batch, set(1, 64))},
		{"a batch that points into the distance", change(batch, func(l *entry) { l.Data[0] = 0xff })},
		{"neither true nor false", change(forAll, set(0, 2))},
		{"a listing of nothing", change(created, set(2, 0))},
		{"a listing of more than there can be", change(created, func(l *entry) { l.Data[2*wordSize] = 1 })},
		{"a listing under another number than its topic", change(created, set(0, 9))},
		{"a listing of another seller than its topic", change(created, set(6, 1))},
		{"a listing of another contract than its topic", change(created, set(7, 1))},
		{"a listing of an unknown kind of token", change(created, set(9, 2))},
		{"a listing that was completed before it began", change(created, set(10, 2))},
		{"a table of nothing", change(table, func(l *entry) { l.Data = make([]byte, wordSize) })},
		{"a table without a hash", change(table, func(l *entry) { l.Data = nil })},
		{"a table with half a hash", change(table, func(l *entry) { l.Data = l.Data[:16] })},
		{"a table with two hashes", change(table, func(l *entry) { l.Data = append(l.Data, l.Data...) })},
		{"a table without a token", change(table, func(l *entry) { l.Topics = l.Topics[:1] })},
		{"a table of two tokens", change(table, func(l *entry) { l.Topics = append(l.Topics, eth.Hash{31: 4}) })},
		{"a sale of nothing", change(sale, set(2, 0))},
		{"an operation that half succeeded", change(operation, set(1, 2))},
		{"an operation without a hash", change(operation, func(l *entry) { l.Topics = l.Topics[:1] })},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got onchain.Batch
			err := listed().decode(test.log, at(), &got)
			if !errors.Is(err, errMalformed) {
				t.Errorf("error %v, want a malformed log", err)
			}
			if !reflect.DeepEqual(got, onchain.Batch{}) {
				t.Errorf("it left %+v", got)
			}
		})
	}
}

func TestDecode_BatchesOfAnySizeAreReadInOrder(t *testing.T) {
	t.Parallel()
	event := eventsOf(t).many["TransferBatch"]
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(r, "size")
		ids, values := make([]*big.Int, n), make([]*big.Int, n)
		for i := range n {
			ids[i] = new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(r, "id"))
			values[i] = big.NewInt(rapid.Int64Range(1, 1<<62).Draw(r, "value"))
		}
		var b onchain.Batch
		l := written(t, many, event, common.Address(bob), common.Address(alice), common.Address(bob), ids, values)
		if err := listed().decode(l, at(), &b); err != nil {
			r.Fatal(err)
		}
		if len(b.Transfers) != n {
			r.Fatalf("%d transfers, want %d", len(b.Transfers), n)
		}
		for i, got := range b.Transfers {
			if got.TokenID != ids[i].String() || got.Amount.Big().Cmp(values[i]) != 0 || got.Sub != uint32(i) {
				r.Fatalf("transfer %d is %+v, want %s of %s", i, got, values[i], ids[i])
			}
		}
	})
}

// For any number of logs, the batches are contiguous, end with a block each, contain every log once and in order,
// and none is much larger than necessary.
func TestDecode_BatchesFollowEachOther(t *testing.T) {
	t.Parallel()
	x, err := New(Options{Chain: 1, RPC: struct{ BatchCaller }{}, Store: struct{ Store }{}, Poll: 1, Contracts: listed()})
	if err != nil {
		t.Fatal(err)
	}
	coins := written(t, coin, eventsOf(t).coin["Transfer"], common.Address(alice), common.Address(bob), big.NewInt(1))
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Uint64Range(0, 9).Draw(t, "from")
		var blocks []onchain.Block
		var logs []entry
		number, most := from, 0
		for range rapid.IntRange(1, 12).Draw(t, "blocks") {
			blocks = append(blocks, onchain.Block{Number: number, Hash: eth.Hash{byte(number), 1}})
			n := rapid.IntRange(0, 400).Draw(t, "logs")
			most = max(most, n)
			for i := range n {
				l := coins
				l.Block, l.Index = quantity(number), quantity(i)
				logs = append(logs, l)
			}
			number += rapid.Uint64Range(1, 3).Draw(t, "gap")
		}
		next, parent, seen := from, eth.Hash{9}, 0
		for _, b := range x.batches(sourceOf(listed()), from, parent, blocks, logs) {
			last := b.Blocks[len(b.Blocks)-1]
			if b.From != next || b.Parent != parent || b.To != last.Number || len(b.Transfers) >= batchLogs+most {
				t.Fatalf("batch %d–%d on %x with %d logs follows block %d", b.From, b.To, b.Parent, len(b.Transfers), next)
			}
			for _, x := range b.Transfers {
				if x.Block != uint64(logs[seen].Block) || x.LogIndex != uint32(logs[seen].Index) {
					t.Fatalf("log %d is of block %d", seen, x.Block)
				}
				seen++
			}
			next, parent = b.To+1, last.Hash
		}
		if last := blocks[len(blocks)-1]; seen != len(logs) || next != last.Number+1 {
			t.Fatalf("%d of %d logs, up to block %d", seen, len(logs), next)
		}
	})
}

// FuzzDecode decodes arbitrary bytes as a log of each listed contract: decoding must end, and either reject the log or
// produce facts that can be stored.
func FuzzDecode(f *testing.F) {
	e := eventsOf(f)
	a, b := common.Address(alice), common.Address(bob)
	for _, l := range []entry{
		written(f, coin, e.coin["Transfer"], a, b, big.NewInt(1)),
		written(f, unique, e.unique["Transfer"], a, b, big.NewInt(1)),
		written(f, unique, e.unique["Approval"], a, b, big.NewInt(1)),
		written(f, many, e.many["TransferSingle"], b, a, b, big.NewInt(3), big.NewInt(40)),
		written(f, many, e.many["TransferBatch"], b, a, b, []*big.Int{big.NewInt(3)}, []*big.Int{big.NewInt(40)}),
		written(f, many, e.many["ApprovalForAll"], a, b, true),
		written(f, bazaar, e.market["NewListing"], a, big.NewInt(8), common.Address(many), listing(8, 6, 4, many)),
		written(f, bazaar, e.market["CancelledListing"], a, big.NewInt(8)),
		written(f, bazaar, e.market["NewSale"], a, big.NewInt(8), common.Address(many), big.NewInt(6), b, big.NewInt(2), big.NewInt(5)),
		written(f, entryPoint, e.entryPoint["UserOperationEvent"], [32]byte{5}, a, b, big.NewInt(1), true, big.NewInt(2), big.NewInt(3)),
	} {
		var topics []byte
		for _, t := range l.Topics {
			topics = append(topics, t[:]...)
		}
		f.Add(topics, []byte(l.Data))
	}
	f.Fuzz(func(t *testing.T, topics, data []byte) {
		l := entry{Data: data}
		for chunk := topics; len(chunk) >= wordSize; chunk = chunk[wordSize:] {
			l.Topics = append(l.Topics, eth.Hash(chunk[:wordSize]))
		}
		for _, l.Address = range []eth.Address{coin, unique, many, bazaar, entryPoint} {
			var b onchain.Batch
			err := listed().decode(l, at(), &b)
			if err != nil && (!errors.Is(err, errMalformed) || !reflect.DeepEqual(b, onchain.Batch{})) {
				t.Fatalf("%v, leaving %+v", err, b)
			}
			for _, x := range b.Transfers {
				if _, err := money.Parse(x.TokenID); err != nil || x.Amount.IsZero() {
					t.Fatalf("%+v: %v", x, err)
				}
			}
			for _, x := range b.Listings {
				if _, err := money.Parse(x.ListingID); err != nil {
					t.Fatalf("%+v: %v", x, err)
				}
				if x.Terms != nil && (x.Terms.Quantity < 1 || x.Terms.Start.After(onchain.MaxTime()) || x.Terms.End.After(onchain.MaxTime())) {
					t.Fatalf("%+v", x.Terms)
				}
				if x.Sale != nil && x.Sale.Quantity < 1 {
					t.Fatalf("%+v", x.Sale)
				}
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	e := eventsOf(b)
	from, to := common.Address(alice), common.Address(bob)
	logs := []entry{
		written(b, coin, e.coin["Transfer"], from, to, big.NewInt(1)),
		written(b, many, e.many["TransferSingle"], to, from, to, big.NewInt(3), big.NewInt(40)),
		written(b, bazaar, e.market["NewListing"], from, big.NewInt(8), common.Address(many), listing(8, 6, 4, many)),
	}
	c := listed()
	b.ReportAllocs()
	for b.Loop() {
		var batch onchain.Batch
		for _, l := range logs {
			if err := c.decode(l, at(), &batch); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// ERC-4906's identifiers and topics are in the standard; contracts exist that index the ids, and ERC-1155's event has its id as a topic.
func TestDecode_AnnouncementsOfChangedMetadata(t *testing.T) {
	t.Parallel()
	word := func(n byte) []byte { return append(make([]byte, 31), n) }
	topics := func(first eth.Hash, more ...byte) []eth.Hash {
		out := []eth.Hash{first}
		for _, n := range more {
			out = append(out, eth.Hash(word(n)))
		}
		return out
	}
	hash := func(text string) eth.Hash {
		h, err := eth.ParseHash(text)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	single := hash("0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7")
	batch := hash("0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c")
	uri := hash("0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b")
	for name, c := range map[string]struct {
		log         entry
		first, last string // "" for nothing
	}{
		"one token":                   {entry{Address: unique, Topics: topics(single), Data: word(5)}, "5", "5"},
		"one token, indexed":          {entry{Address: unique, Topics: topics(single, 5)}, "5", "5"},
		"a range":                     {entry{Address: many, Topics: topics(batch), Data: append(word(3), word(9)...)}, "3", "9"},
		"a range, indexed":            {entry{Address: many, Topics: topics(batch, 3, 9)}, "3", "9"},
		"a URI":                       {entry{Address: many, Topics: topics(uri, 4), Data: append(word(32), word(0)...)}, "4", "4"},
		"a token that does not exist": {entry{Address: unique, Topics: topics(single)}, "", ""},
		"half a range":                {entry{Address: unique, Topics: topics(batch), Data: word(5)}, "", ""},
		"another contract's":          {entry{Address: alice, Topics: topics(single), Data: word(5)}, "", ""},
		"a coin's":                    {entry{Address: coin, Topics: topics(single), Data: word(5)}, "", ""},
	} {
		var got onchain.Batch
		err := listed().decode(c.log, at(), &got)
		var want []onchain.MetadataUpdate
		if c.first != "" {
			want = []onchain.MetadataUpdate{{Position: at(), Contract: c.log.Address, First: c.first, Last: c.last}}
		}
		if err != nil || !reflect.DeepEqual(got.Metadata, want) || len(got.Transfers) > 0 {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}
