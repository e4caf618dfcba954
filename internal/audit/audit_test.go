package audit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// endpoint serves JSON-RPC; answer returns a result, or an error that the endpoint answers with.
func endpoint(t *testing.T, answer func(method string, params []json.RawMessage) (any, string)) *node {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			t.Error(err)
		}
		result, refused := answer(call.Method, call.Params)
		if refused != "" {
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": -32000, "message": refused}})
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"result": result})
	}))
	t.Cleanup(server.Close)
	return newNode(server.URL, server.Client())
}

func TestSite_ThatLimitsCallsIsAskedAgain(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, `{"state":"drawn"}`)
	}))
	t.Cleanup(server.Close)
	p, err := site{server.URL, server.Client()}.proof(t.Context(), "shop-1-1-0")
	if p.State != "drawn" || err != nil || asked != 2 {
		t.Errorf("%+v, %v after %d calls", p, err, asked)
	}
}

// A wallet has sent three transactions to itself among a hundred, in a million blocks.
// Spec: DRAW-18
func TestNode_FindsWhatAWalletHasSentToItself(t *testing.T) {
	t.Parallel()
	wallet, other := eth.Address{1}, eth.Address{2}
	own := []uint64{77, 500_001, 999_999}
	var blocks []uint64 // in which it has sent something
	for i := range uint64(97) {
		blocks = append(blocks, 10_000*i+3)
	}
	blocks = append(blocks, own...)
	slices.Sort(blocks)
	calls := 0
	n := endpoint(t, func(method string, params []json.RawMessage) (any, string) {
		calls++
		var number hexInt
		switch method {
		case "eth_getTransactionCount":
			if err := json.Unmarshal(params[1], &number); err != nil {
				t.Error(err)
			}
			count := 0
			for _, b := range blocks {
				if b <= uint64(number) {
					count++
				}
			}
			return fmt.Sprintf("0x%x", count), ""
		case "eth_getBlockByNumber":
			if err := json.Unmarshal(params[0], &number); err != nil {
				t.Error(err)
			}
			to := other
			if slices.Contains(own, uint64(number)) {
				to = wallet
			}
			made := map[string]any{"hash": eth.Hash{30: byte(number >> 8), 31: byte(number)}, "from": wallet, "to": to, "input": "0x07"}
			deployed := map[string]any{"hash": eth.Hash{}, "from": wallet, "to": nil, "input": "0x"}
			foreign := map[string]any{"hash": eth.Hash{}, "from": other, "to": other, "input": "0x"}
			return map[string]any{"transactions": []any{foreign, made, deployed}}, ""
		}
		return nil, "the method does not exist"
	})
	sent, err := n.sentToItself(t.Context(), wallet, 0, 1_000_000)
	if err != nil || len(sent) != 3 || sent[0].Hash != (eth.Hash{31: 77}) || sent[1].Hash != (eth.Hash{30: 0xa1, 31: 0x21}) || calls > 2500 {
		t.Errorf("%+v, %v by %d calls", sent, err, calls)
	}
	forgetful := endpoint(t, func(string, []json.RawMessage) (any, string) { return nil, "missing trie node" })
	if _, err := forgetful.sentToItself(t.Context(), wallet, 0, 1000); err == nil || !strings.Contains(err.Error(), "missing trie node") {
		t.Errorf("an endpoint that keeps no old states: %v", err)
	}
}

func TestNode_AContractThatFixesNoTablesRefuses(t *testing.T) {
	t.Parallel()
	for refusal, want := range map[string]string{
		"execution reverted": "", "limit exceeded": `eth_call: the endpoint refuses: "limit exceeded"`,
	} {
		n := endpoint(t, func(string, []json.RawMessage) (any, string) { return nil, refusal })
		table, err := n.tableOf(t.Context(), eth.Address{1}, "3")
		if table != [32]byte{} || (err != nil || want != "") && fmt.Sprint(err) != want {
			t.Errorf("%s: %x, %v", refusal, table, err)
		}
	}
	n := endpoint(t, func(_ string, params []json.RawMessage) (any, string) {
		var call struct{ To, Data string }
		if err := json.Unmarshal(params[0], &call); err != nil {
			t.Error(err)
		}
		if want := "0x48210a6a" + strings.Repeat("0", 63) + "3"; call.Data != want || call.To != (eth.Address{1}).String() {
			t.Errorf("asked for %s of %s, want %s", call.Data, call.To, want)
		}
		return eth.Hash{31: 9}, ""
	})
	if table, err := n.tableOf(t.Context(), eth.Address{1}, "3"); table != [32]byte{31: 9} || err != nil {
		t.Errorf("%x, %v", table, err)
	}
}

// Arbitrum's headers count the messages of the delayed inbox in the nonce.
// Spec: DRAW-18
func TestNode_BlockWithDelayedMessagesNeedsAMarginOfADay(t *testing.T) {
	t.Parallel()
	const smaller = "the block has messages of the delayed inbox, which may be dated back by a day, and the margin is smaller"
	for name, c := range map[string]struct {
		chain   onchain.ChainID
		read    uint64 // by the block before; the block itself has read 5
		margin  int64
		delayed bool
		want    string
	}{
		"another chain":                   {1337042, 4, 0, false, ""},
		"none":                            {421614, 5, 0, false, ""},
		"some, and a margin of a day":     {421614, 4, 86_400, true, ""},
		"some, and nearly the margin":     {421614, 4, 86_399, true, smaller},
		"some on Arbitrum One":            {42161, 4, 0, true, smaller},
		"some on Nova":                    {42170, 4, 0, true, smaller},
		"none, and a margin all the same": {421614, 5, 86_400, false, ""},
	} {
		n := endpoint(t, func(_ string, params []json.RawMessage) (any, string) {
			if string(params[0]) == `"`+(eth.Hash{1}).String()+`"` {
				return map[string]any{"number": "0x9", "parentHash": eth.Hash{2}, "timestamp": "0x64", "nonce": "0x5"}, ""
			}
			return map[string]any{"number": "0x8", "parentHash": eth.Hash{3}, "timestamp": "0x63", "nonce": fmt.Sprintf("0x%x", c.read)}, ""
		})
		delayed, err := n.dated(t.Context(), decisive{c.chain, eth.Hash{1}, 100, c.margin})
		if delayed != c.delayed || (err != nil || c.want != "") && fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, %v", name, delayed, err)
		}
	}
}

// The margin is one for all burns and anchors, and longer for those in blocks with delayed messages alone.
// Spec: DRAW-18
func TestHistory_MarginIsOneForAll(t *testing.T) {
	t.Parallel()
	var s Summary
	h := newHistory(&s, nil, records{})
	for i, c := range []struct {
		margin  int64
		delayed bool
		faults  int
	}{
		{86_400, true, 0}, {0, false, 0}, {86_400, true, 0}, {0, false, 0}, {86_400, false, 1}, {86_400, false, 1},
		{0, false, 2}, {86_401, true, 3},
	} {
		receipt := draw.Receipt{Burn: &draw.ReceiptBurn{Margin: c.margin}}
		if i%2 == 0 {
			receipt = draw.Receipt{Purchase: &draw.ReceiptPurchase{Anchor: draw.ReceiptAnchor{Margin: c.margin}}}
		}
		h.inputs(Report{ID: fmt.Sprint(i), delayed: c.delayed, Verified: draw.Verified{Receipt: receipt}})
		if len(s.Faults) != c.faults {
			t.Errorf("opening %d: %v", i, s.Faults)
		}
	}
}

// Packs that were burned before their table was known come late, once: as the first of their edition.
// Spec: DRAW-18
func TestHistory_OnlyTheFirstOpeningsOfAnEditionMayComeLate(t *testing.T) {
	t.Parallel()
	var burned []Burned
	for i := range 10 {
		burned = append(burned, Burned{Burn: draw.Burn{Chain: 1, Number: uint64(i)}})
	}
	for name, c := range map[string]struct {
		order  []int // of the burns; those from 100 on are of the second edition
		faults int
	}{
		"the chain's order":                        {[]int{0, 101, 2, 103, 4}, 0},
		"the second edition was not known":         {[]int{0, 3, 101, 102, 4, 105}, 0},
		"it was not known twice":                   {[]int{0, 3, 101, 104, 6, 105}, 1},
		"it was known before":                      {[]int{101, 3, 102}, 1},
		"late ones in another order":               {[]int{0, 4, 102, 101, 103}, 1},
		"an edition that was known from the start": {[]int{1, 0, 2}, 1},
	} {
		var s Summary
		h := newHistory(&s, burned, records{})
		for _, n := range c.order {
			h.list(listed{OpeningID: burned[n%100].String(), Kind: "general", Edition: 1 + n/100})
		}
		if len(s.Faults) != c.faults {
			t.Errorf("%s: %v", name, s.Faults)
		}
	}
}

func TestAudit_TokensBelongToTheContractOfTheirCollection(t *testing.T) {
	t.Parallel()
	right, wrong := eth.Address{19: 1}, eth.Address{19: 2}
	a := &Auditor{rules: &odds{Collections: []collection{{"gods", 7, right}, {"items", 7, wrong}}}}
	for _, c := range []struct {
		slug string
		g    grant
		want string
	}{
		{"gods", grant{ChainID: 7, Contract: &right}, ""},
		{
			"gods", grant{ChainID: 7, Contract: &wrong},
			"a token of gods was given on chain 7 in the contract 0x0000000000000000000000000000000000000002",
		},
		{"gods", grant{ChainID: 8, Contract: &right}, "a token of gods was given on chain 8"},
		{"hats", grant{ChainID: 7, Contract: &right}, "the portal publishes no contract of the collection hats"},
	} {
		err := a.inCollection(c.slug, c.g)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.slug, err, c.want)
		}
	}
}
