package audit

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

var (
	notary   = eth.Address{0x0a}
	stranger = eth.Address{0x0b}
)

// sending is a transaction of a wallet. Block n of the chain is dated 1000 + n.
type sending struct {
	tx           byte // of its hash
	block, index uint64
	by, to       eth.Address
	input        []byte
	failed       bool
}

func (s sending) hash() eth.Hash { return eth.Hash{s.tx} }

func blockHash(number uint64) eth.Hash { return eth.Hash{0xff, 31: byte(number)} }

// logged is a log of so many records, each dated so many seconds after 1000 as its number in tens.
func logged(n int) (out []draw.LoggedRecord) {
	previous := [32]byte{}
	for i := 1; i <= n; i++ {
		r := draw.LoggedRecord{Record: draw.Record{
			Number: uint64(i), OpeningID: fmt.Sprintf("shop-%d-1-0", i), Kind: "general", Edition: 1, Table: strings.Repeat("0a", 32),
			RecordedAt: 1000 + 10*int64(i),
		}}
		r.Hash = r.HashAfter(previous)
		previous = r.Hash
		out = append(out, r)
	}
	return out
}

// anchors returns the input of an anchor of the log's record.
func anchors(log []draw.LoggedRecord, number uint64) []byte {
	return draw.RecordsAnchor(number, log[number-1].Hash)
}

// shownAt returns an anchor as the portal shows it.
func shownAt(log []draw.LoggedRecord, number uint64, s sending) anchor {
	return anchor{
		Number: number, HashHex: hex.EncodeToString(log[number-1].Hash[:]), Hash: log[number-1].Hash,
		ChainID: 7, Wallet: s.by, TxID: s.hash(), Block: s.block, BlockHash: blockHash(s.block),
		BlockTime: time.Unix(1000+int64(s.block), 0).UTC(), Margin: 2,
	}
}

// chainOf serves a chain with transactions, whose order is that of the nonces of their wallets; forgetful is whether it keeps no old
// states.
func chainOf(t *testing.T, sent []sending, forgetful bool) *node {
	t.Helper()
	written := func(i int) map[string]any {
		nonce := 0
		for _, before := range sent[:i] {
			if before.by == sent[i].by {
				nonce++
			}
		}
		return map[string]any{
			"hash": sent[i].hash(), "from": sent[i].by, "to": sent[i].to, "nonce": fmt.Sprintf("0x%x", nonce),
			"input": fmt.Sprintf("0x%x", sent[i].input),
		}
	}
	return endpoint(t, func(method string, params []json.RawMessage) (any, string) {
		var hash eth.Hash
		var number hexInt
		if n := params[len(params)-1]; method == "eth_getTransactionCount" {
			must(t, json.Unmarshal(n, &number))
		} else if json.Unmarshal(params[0], &number) != nil {
			must(t, json.Unmarshal(params[0], &hash))
		}
		of := slices.IndexFunc(sent, func(s sending) bool { return s.hash() == hash })
		switch method {
		case "eth_getTransactionReceipt":
			if of < 0 {
				return nil, ""
			}
			s, status := sent[of], "0x1"
			if s.failed {
				status = "0x0"
			}
			return map[string]any{
				"status": status, "blockNumber": fmt.Sprintf("0x%x", s.block), "blockHash": blockHash(s.block),
				"transactionIndex": fmt.Sprintf("0x%x", s.index),
			}, ""
		case "eth_getTransactionByHash":
			return written(of), ""
		case "eth_getBlockByHash":
			n := uint64(hash[31])
			return map[string]any{"number": fmt.Sprintf("0x%x", n), "timestamp": fmt.Sprintf("0x%x", 1000+n), "nonce": "0x0"}, ""
		case "eth_getTransactionCount":
			var by eth.Address
			must(t, json.Unmarshal(params[0], &by))
			if forgetful {
				return nil, "missing trie node"
			}
			count := 0
			for _, s := range sent {
				if s.by == by && s.block <= uint64(number) {
					count++
				}
			}
			return fmt.Sprintf("0x%x", count), ""
		case "eth_getBlockByNumber":
			list := []any{}
			for i, s := range sent {
				if s.block == uint64(number) {
					list = append(list, written(i))
				}
			}
			return map[string]any{"transactions": list}, ""
		}
		return nil, "the method does not exist"
	})
}

// begins reports whether an error begins with a text, or for "" whether there is none.
func begins(err error, text string) bool {
	if err == nil || text == "" {
		return err == nil && text == ""
	}
	return strings.HasPrefix(err.Error(), text)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// siteOf serves a public log as a portal does, by pages of 500 records; asked counts them.
func siteOf(t *testing.T, log []draw.LoggedRecord, shown []anchor, asked *int) site {
	t.Helper()
	type record struct {
		draw.Record
		RecordedAt time.Time `json:"recordedAt"`
		Hash       string    `json:"hash"`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/config" {
			_ = json.NewEncoder(w).Encode(map[string]any{"contracts": map[string]any{"claimerBackendWallet": notary}})
			return
		}
		*asked++
		after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
		records, at := []record{}, []anchor{}
		for _, r := range log[min(after, uint64(len(log))):min(after+500, uint64(len(log)))] {
			records = append(records, record{r.Record, time.Unix(r.RecordedAt, 0).UTC(), hex.EncodeToString(r.Hash[:])})
		}
		for _, a := range shown {
			if a.Number > after && len(records) > 0 {
				if at = append(at, a); a.Number >= records[len(records)-1].Number {
					break
				}
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"records": records, "anchors": at})
	}))
	t.Cleanup(server.Close)
	return site{server.URL, server.Client()}
}

// purchaseOf returns what the receipt has of a payment. Its table was fixed in block 3.
func purchaseOf(log []draw.LoggedRecord, number uint64, at anchor) draw.Verified {
	return draw.Verified{
		Table: draw.Table{Kind: "general", Edition: 1}, TableHash: [32]byte(slices.Repeat([]byte{0x0a}, 32)),
		Receipt: draw.Receipt{
			Purchase: &draw.ReceiptPurchase{
				Shop: "shop", Order: number, Line: 1, Record: number, RecordedAt: log[number-1].RecordedAt, Anchor: at.receipt(),
			},
			Fixed: draw.ReceiptFixed{ChainID: 7, Block: 3},
		},
	}
}

// The receipt's anchor is the first one in the log that covers the record, in every field.
// Spec: DRAW-18
func TestLog_ReceiptHasItsFirstAnchor(t *testing.T) {
	t.Parallel()
	log := logged(7)
	earlier, first := shownAt(log, 2, sending{tx: 1, block: 25, by: notary}), shownAt(log, 5, sending{tx: 2, block: 60, by: notary})
	later := shownAt(log, 7, sending{tx: 3, block: 80, by: notary})
	var asked int
	l, err := siteOf(t, log, []anchor{earlier, first, later}, &asked).records(t.Context(), 0)
	must(t, err)
	for number := uint64(3); number <= 5; number++ {
		must(t, l.matches(purchaseOf(log, number, first)))
	}
	must(t, l.matches(purchaseOf(log, 7, later)))
	v := purchaseOf(log, 4, first)
	const other = "the receipt's anchor is not the first one that covers record 4 in the public log: "
	fields := reflect.TypeFor[draw.ReceiptAnchor]().NumField()
	for i := range fields {
		forged := *v.Purchase
		switch f := reflect.ValueOf(&forged.Anchor).Elem().Field(i); {
		case f.CanUint():
			f.SetUint(f.Uint() + 1)
		case f.CanInt():
			f.SetInt(f.Int() + 1)
		default:
			f.Index(0).SetUint(0x77)
		}
		mine := v
		mine.Purchase = &forged
		if err := l.matches(mine); !begins(err, other) {
			t.Errorf("%+v: %v", forged.Anchor, err)
		}
	}
	if fields != 8 {
		t.Errorf("%d fields", fields)
	}
	if err := l.matches(purchaseOf(log, 4, later)); !begins(err, other) {
		t.Errorf("a later one: %v", err)
	}
	l.anchors = l.anchors[:1]
	want := "the public log has no anchor that covers record 4, and the receipt names transaction " + first.TxID.String()
	if err := l.matches(v); fmt.Sprint(err) != want {
		t.Errorf("none: %v", err)
	}
}

// Spec: DRAW-18
func TestNode_AnAnchorIsOnTheChain(t *testing.T) {
	t.Parallel()
	log := logged(7)
	sent := []sending{
		{tx: 1, block: 60, by: notary, to: notary, input: anchors(log, 5)},
		{tx: 2, block: 61, by: notary, to: stranger, input: anchors(log, 5)},
		{tx: 3, block: 62, by: stranger, to: stranger, input: anchors(log, 5)},
		{tx: 4, block: 63, by: notary, to: notary, input: anchors(log, 5), failed: true},
		{tx: 5, block: 64, by: notary, to: notary, input: draw.Anchor(log[4].Hash)},
		{tx: 6, block: 65, by: notary, to: notary, input: anchors(log, 4)},
	}
	n := chainOf(t, sent, true)
	at := shownAt(log, 5, sent[0]).receipt()
	got, err := n.anchor(t.Context(), at)
	want := sentAnchor{place{60, 0}, notary, eth.Hash{1}, 0, 5, log[4].Hash}
	if got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	const no = "is not of that wallet to itself, or does not anchor record 5"
	for name, c := range map[string]struct {
		change func(*draw.ReceiptAnchor)
		want   string
	}{
		"to another":         {func(a *draw.ReceiptAnchor) { a.Tx, a.Block, a.BlockHash = eth.Hash{2}, 61, blockHash(61) }, no},
		"by another":         {func(a *draw.ReceiptAnchor) { a.Tx, a.Block, a.BlockHash = eth.Hash{3}, 62, blockHash(62) }, no},
		"another wallet":     {func(a *draw.ReceiptAnchor) { a.Wallet = draw.ReceiptAddress(stranger) }, no},
		"failed":             {func(a *draw.ReceiptAnchor) { a.Tx, a.Block, a.BlockHash = eth.Hash{4}, 63, blockHash(63) }, "or it failed"},
		"none":               {func(a *draw.ReceiptAnchor) { a.Tx = eth.Hash{9} }, "the chain has no such transaction"},
		"of a table":         {func(a *draw.ReceiptAnchor) { a.Tx, a.Block, a.BlockHash = eth.Hash{5}, 64, blockHash(64) }, no},
		"of another record":  {func(a *draw.ReceiptAnchor) { a.Tx, a.Block, a.BlockHash = eth.Hash{6}, 65, blockHash(65) }, no},
		"another block":      {func(a *draw.ReceiptAnchor) { a.Block-- }, "the chain has the anchor in block 60"},
		"another block hash": {func(a *draw.ReceiptAnchor) { a.BlockHash = blockHash(59) }, "the chain has the anchor in block 60"},
	} {
		forged := at
		c.change(&forged)
		if _, err := n.anchor(t.Context(), forged); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An anchor that the portal does not show, and from whose block the round should have followed, is found for one opening, too.
// Spec: DRAW-18
func TestAudit_AHiddenAnchorIsFoundForOneOpening(t *testing.T) {
	t.Parallel()
	log := logged(7) // record 5 is of 1050
	old := sending{tx: 1, block: 25, by: notary, to: notary, input: anchors(log, 2)}
	before := sending{tx: 2, block: 52, by: notary, to: notary, input: anchors(log, 4)} // which was sent before the payment came in
	own := sending{tx: 3, block: 60, index: 3, by: notary, to: notary, input: anchors(log, 7)}
	mint := sending{tx: 4, block: 55, by: notary, to: stranger}
	hidden := func(block, index, number uint64, by eth.Address, failed bool) sending {
		return sending{tx: 9, block: block, index: index, by: by, to: by, input: anchors(log, number), failed: failed}
	}
	const found, none = "record %d was anchored before, in transaction 0x09", ""
	const forgotten = "whether the wallet has sent another anchor before: eth_getTransactionCount: the endpoint refuses"
	for name, c := range map[string]struct {
		hidden    []sending
		unshown   int // of the earlier anchors
		forgetful bool
		want      string
	}{
		"none":                               {nil, 0, false, none},
		"none, by the numbers of the wallet": {nil, 0, true, none},
		"none, among others that the wallet has sent":               {[]sending{mint}, 0, false, none},
		"others that it has sent, and an endpoint without a memory": {[]sending{mint}, 0, true, forgotten},
		"of the same record":                      {[]sending{hidden(57, 0, 7, notary, false)}, 0, false, fmt.Sprintf(found, 7)},
		"of an earlier record":                    {[]sending{hidden(57, 0, 3, notary, false)}, 0, false, fmt.Sprintf(found, 3)},
		"before an anchor that does not cover":    {[]sending{hidden(51, 0, 6, notary, false)}, 0, false, fmt.Sprintf(found, 6)},
		"before in the same block":                {[]sending{hidden(60, 2, 7, notary, false)}, 0, false, fmt.Sprintf(found, 7)},
		"after in the same block":                 {[]sending{mint, hidden(60, 4, 7, notary, false)}, 0, false, none},
		"after the anchor before, in its block":   {[]sending{hidden(25, 1, 7, notary, false)}, 0, false, fmt.Sprintf(found, 7)},
		"before the anchor before":                {[]sending{hidden(24, 0, 7, notary, false)}, 0, false, none},
		"that failed":                             {[]sending{hidden(57, 0, 7, notary, true)}, 0, false, none},
		"of somebody else":                        {[]sending{hidden(57, 0, 7, stranger, false)}, 0, false, none},
		"and none that is shown, after the table": {[]sending{hidden(3, 0, 7, notary, false)}, 2, false, fmt.Sprintf(found, 7)},
		"and none that is shown, before it":       {[]sending{hidden(2, 0, 7, notary, false)}, 2, false, none},
	} {
		sent := append([]sending{old, before, own}, c.hidden...)
		sent = sent[c.unshown:]
		slices.SortStableFunc(sent, func(a, b sending) int { return int(a.block*100+a.index) - int(b.block*100+b.index) })
		shown := []anchor{shownAt(log, 2, old), shownAt(log, 4, before)}[c.unshown:]
		shown = append(shown, shownAt(log, 7, own))
		var asked int
		a := &Auditor{site: siteOf(t, log, shown, &asked), nodes: map[onchain.ChainID]*node{7: chainOf(t, sent, c.forgetful)}}
		err := a.first(t.Context(), purchaseOf(log, 5, shown[len(shown)-1]))
		if !begins(err, c.want) || asked != 1 {
			t.Errorf("%s: %v after %d calls", name, err, asked)
		}
		var away *awayError
		if errors.As(err, &away) != c.forgetful && err != nil {
			t.Errorf("%s: it is %v", name, err)
		}
	}
}

// The portal's wallet was replaced after the first anchor. Both may anchor, and neither hides one.
// Spec: DRAW-18
func TestAudit_AnchorsOfAFormerWalletCount(t *testing.T) {
	t.Parallel()
	log := logged(7) // record 5 is of 1050
	former := eth.Address{0x0c}
	old := sending{tx: 1, block: 25, by: former, to: former, input: anchors(log, 2)}
	before := sending{tx: 2, block: 52, by: former, to: former, input: anchors(log, 4)}
	own := sending{tx: 3, block: 60, by: notary, to: notary, input: anchors(log, 7)}
	hidden := func(block uint64, by eth.Address) sending {
		return sending{tx: 9, block: block, by: by, to: by, input: anchors(log, 7)}
	}
	rules := odds{Margin: 2, Wallets: []draw.ReceiptAddress{draw.ReceiptAddress(notary), draw.ReceiptAddress(former)}}
	rules.Wallet.ChainID, rules.Wallet.Address = 7, draw.ReceiptAddress(notary)
	for name, c := range map[string]struct {
		hidden []sending
		want   string
	}{
		"none":                               {nil, ""},
		"of the former wallet":               {[]sending{hidden(57, former)}, "record 7 was anchored before, in transaction 0x09"},
		"of the present one":                 {[]sending{hidden(57, notary)}, "record 7 was anchored before, in transaction 0x09"},
		"of the present one, in the earlier": {[]sending{hidden(26, notary)}, "record 7 was anchored before, in transaction 0x09"},
		"of somebody else":                   {[]sending{hidden(57, stranger)}, ""},
	} {
		sent := append([]sending{old, before, own}, c.hidden...)
		slices.SortStableFunc(sent, func(a, b sending) int { return int(a.block) - int(b.block) })
		shown := []anchor{shownAt(log, 2, old), shownAt(log, 4, before), shownAt(log, 7, own)}
		var asked int
		a := &Auditor{site: siteOf(t, log, shown, &asked), nodes: map[onchain.ChainID]*node{7: chainOf(t, sent, false)}, rules: &rules}
		if err := a.first(t.Context(), purchaseOf(log, 5, shown[2])); !begins(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		l, err := a.site.records(t.Context(), 0)
		must(t, err)
		var s Summary
		must(t, a.allAnchored(t.Context(), &s, l, rules))
		must(t, a.hiddenAnchors(t.Context(), &s, l, Chests{Chain: 7}, rules, 100))
		if !begins(s.Err(), c.want) || len(s.Unknown) > 0 {
			t.Errorf("%s, of all: %v, %v", name, s.Err(), s.Unknown)
		}
	}
	if err := rules.allows(shownAt(log, 2, old).receipt()); err != nil {
		t.Errorf("the former wallet's: %v", err)
	}
	rules.Wallets = nil
	want := "the record is anchored by " + former.Checksum() + " on chain 7, and not by a wallet that the portal publishes"
	if err := rules.allows(shownAt(log, 2, old).receipt()); fmt.Sprint(err) != want {
		t.Errorf("one that is not published: %v", err)
	}
}

// The anchors before a record are looked for as far back as needed.
func TestLog_FindsTheAnchorBeforeAPayment(t *testing.T) {
	t.Parallel()
	log := logged(1600)
	var shown []anchor
	for i, number := range []uint64{3, 8, 1590, 1600} {
		shown = append(shown, shownAt(log, number, sending{tx: byte(i), block: 10 * number}))
	}
	for _, c := range []struct {
		number uint64
		at     int64
		want   []uint64
		asked  int
	}{
		{1600, 20_000, []uint64{1590}, 1}, {1600, 1000 + 15_900, []uint64{3, 8, 1590}, 4}, {1590, 5000, []uint64{3, 8}, 4},
		{8, 5000, []uint64{3}, 1}, {3, 5000, nil, 1}, {1, 5000, nil, 0},
	} {
		var asked int
		got, err := siteOf(t, log, shown, &asked).anchorsBefore(t.Context(), c.number, c.at)
		var numbers []uint64
		for _, a := range got {
			numbers = append(numbers, a.Number)
		}
		if !slices.Equal(numbers, c.want) || asked != c.asked || err != nil {
			t.Errorf("before record %d: %v by %d calls, %v", c.number, numbers, asked, err)
		}
	}
}

// An anchor that is not shown is a fault unless it fits, and is newer than all that are shown.
// Spec: DRAW-18
func TestAll_AnAnchorThatIsNotShownMustBeNewerThanAllThatAre(t *testing.T) {
	t.Parallel()
	log := logged(7)
	first := sending{tx: 1, block: 25, by: notary, to: notary, input: anchors(log, 2)}
	second := sending{tx: 2, block: 60, index: 3, by: notary, to: notary, input: anchors(log, 5)}
	changed := draw.RecordsAnchor(6, [32]byte{1})
	const hidden = "anchored before, in transaction 0x09"
	const replaced = "record 6 was anchored with another hash: records were changed (transaction 0x09"
	const missing = "record 8 is anchored, and the public log ends with record 7"
	for name, c := range map[string]struct {
		hidden sending
		want   string
	}{
		"newer":                         {sending{block: 61, input: anchors(log, 7)}, ""},
		"newer, of a changed record":    {sending{block: 61, input: changed}, replaced},
		"older":                         {sending{block: 59, input: anchors(log, 5)}, "record 5 was " + hidden},
		"older than the first":          {sending{block: 24, input: anchors(log, 7)}, "record 7 was " + hidden},
		"older, of a changed record":    {sending{block: 59, input: changed}, replaced},
		"older, and failed":             {sending{block: 59, input: anchors(log, 5), failed: true}, ""},
		"in the same block, before":     {sending{block: 60, index: 1, input: anchors(log, 6)}, "record 6 was " + hidden},
		"in the same block, after":      {sending{block: 60, index: 5, input: anchors(log, 6)}, "record 6 was " + hidden},
		"older, and no anchor at all":   {sending{block: 59, input: []byte("pantheon/records/v1")}, ""},
		"of a record that is not there": {sending{block: 61, input: draw.RecordsAnchor(8, [32]byte{})}, missing},
	} {
		c.hidden.tx, c.hidden.by, c.hidden.to = 9, notary, notary
		var asked int
		a := &Auditor{
			site:  siteOf(t, log, []anchor{shownAt(log, 2, first), shownAt(log, 5, second)}, &asked),
			nodes: map[onchain.ChainID]*node{7: chainOf(t, []sending{first, second, c.hidden}, false)},
		}
		l, err := a.site.records(t.Context(), 0)
		must(t, err)
		var s Summary
		rules := odds{Margin: 2}
		rules.Wallet.ChainID, rules.Wallet.Address = 7, draw.ReceiptAddress(notary)
		must(t, a.hiddenAnchors(t.Context(), &s, l, Chests{Chain: 7}, rules, 100))
		faults := s.Err()
		if !begins(faults, c.want) || len(s.Faults) > 1 || len(s.Unknown) > 0 {
			t.Errorf("%s: %v, %v", name, faults, s.Unknown)
		}
		// One that became final while the log was read is shown by now.
		l.anchors = l.anchors[1:]
		s = Summary{}
		must(t, a.hiddenAnchors(t.Context(), &s, l, Chests{Chain: 7}, rules, 100))
		if now := s.Err(); fmt.Sprint(now) != fmt.Sprint(faults) {
			t.Errorf("%s, and one that has become final: %v", name, now)
		}
	}
}

// The anchors that are shown have the order of the chain, the published wallet and the published margin.
// Spec: DRAW-18
func TestAll_ShownAnchorsAreInTheChainsOrder(t *testing.T) {
	t.Parallel()
	log := logged(7)
	const of, disorder = "the anchor of record 7: ", "the anchor of record 7 is before that of record 2 on the chain"
	type forgery struct {
		first, second place
		change        func(*anchor)
		want          string // what the only fault begins with
	}
	forged := func(change func(*anchor), want string) forgery {
		return forgery{place{25, 0}, place{60, 0}, change, want}
	}
	for name, c := range map[string]forgery{
		"in order":                {place{25, 0}, place{60, 0}, nil, ""},
		"in order, in one block":  {place{60, 1}, place{60, 2}, nil, ""},
		"out of order":            {place{60, 0}, place{59, 4}, nil, disorder},
		"out of order in a block": {place{60, 2}, place{60, 1}, nil, disorder},
		"another margin":          forged(func(a *anchor) { a.Margin = 3 }, of+"the margin is 3 seconds, and the portal publishes 2"),
		"another time":            forged(func(a *anchor) { a.BlockTime = a.BlockTime.Add(time.Second) }, of+"the block is dated "),
		"another block":           forged(func(a *anchor) { a.Block++ }, of+"the chain has the anchor in block 60"),
		"another transaction":     forged(func(a *anchor) { a.TxID = eth.Hash{3} }, of+"transaction 0x03"),
		"another hash":            forged(func(a *anchor) { a.Hash[0]++ }, "record 7 was anchored with another hash: "),
	} {
		first := sending{tx: 1, block: c.first.block, index: c.first.index, by: notary, to: notary, input: anchors(log, 2)}
		second := sending{tx: 2, block: c.second.block, index: c.second.index, by: notary, to: notary, input: anchors(log, 7)}
		replaced := sending{tx: 3, block: 60, index: 9, by: notary, to: notary, input: draw.RecordsAnchor(7, [32]byte{1})}
		var asked int
		shown := []anchor{shownAt(log, 2, first), shownAt(log, 7, second)}
		a := &Auditor{
			site: siteOf(t, log, shown, &asked), nodes: map[onchain.ChainID]*node{7: chainOf(t, []sending{first, second, replaced}, true)},
			clock: clock.NewFake(time.Unix(1100, 0)),
		}
		l, err := a.site.records(t.Context(), 0)
		must(t, err)
		if c.change != nil {
			c.change(&l.anchors[1])
		}
		var s Summary
		rules := odds{Margin: 2}
		rules.Wallet.ChainID, rules.Wallet.Address = 7, draw.ReceiptAddress(notary)
		must(t, a.allAnchored(t.Context(), &s, l, rules))
		faults := s.Err()
		if !begins(faults, c.want) || len(s.Faults) > 1 {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// What the portal could choose for an anchor is what it publishes; on Arbitrum, blocks with delayed messages have the margin of a day.
func TestRules_WalletAndMarginOfAnAnchorArePublished(t *testing.T) {
	t.Parallel()
	const margin, wallet = "the margin is ", "the record is anchored by "
	for _, c := range []struct {
		at    draw.ReceiptAnchor
		chain onchain.ChainID // that is published
		want  string
	}{
		{draw.ReceiptAnchor{ChainID: 7, Margin: 2}, 7, ""},
		{draw.ReceiptAnchor{ChainID: 7, Margin: 3}, 7, margin},
		{draw.ReceiptAnchor{ChainID: 7, Margin: 86_400}, 7, margin},
		{draw.ReceiptAnchor{ChainID: 42161, Margin: 86_400}, 42161, ""},
		{draw.ReceiptAnchor{ChainID: 42161, Margin: 86_399}, 42161, margin},
		{draw.ReceiptAnchor{ChainID: 7, Margin: 2}, 8, wallet},
		{draw.ReceiptAnchor{ChainID: 7, Margin: 2, Wallet: draw.ReceiptAddress(stranger)}, 7, wallet},
	} {
		if c.at.Wallet == (draw.ReceiptAddress{}) {
			c.at.Wallet = draw.ReceiptAddress(notary)
		}
		o := odds{Margin: 2}
		o.Wallet.Address = draw.ReceiptAddress(notary)
		o.Wallet.ChainID = c.chain
		err := o.allows(c.at)
		if !begins(err, c.want) {
			t.Errorf("%+v: %v", c.at, err)
		}
	}
}
