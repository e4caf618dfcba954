package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"pantheon/internal/kit/eth"
)

// node is an endpoint that returns one block and an empty result for calls.
type node struct {
	*httptest.Server
	asked atomic.Int64
	id    atomic.Value // its chain id, hexadecimal; none unless set
}

func newNode(t *testing.T) *node {
	t.Helper()
	n := &node{}
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.asked.Add(1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		type request struct {
			ID     json.RawMessage
			Method string
		}
		answer := func(q request) string {
			result := `"0x"`
			switch id, _ := n.id.Load().(string); {
			case q.Method == "eth_chainId":
				result = strconv.Quote(cmp.Or(id, "none"))
			case q.Method == "eth_getBalance" || q.Method == "eth_gasPrice":
				result = `"0x1"`
			case q.Method == "eth_getBlockByNumber" || q.Method == "eth_blockNumber":
				result = fmt.Sprintf(`{"number":"0x7","hash":"0x%064x","timestamp":"0x1"}`, 7)
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
		}
		w.Header().Set("Content-Type", "application/json")
		var one request
		if json.Unmarshal(body, &one) == nil {
			fmt.Fprint(w, answer(one))
			return
		}
		var batch []request
		if err := json.Unmarshal(body, &batch); err != nil {
			t.Errorf("%s: %v", body, err)
			return
		}
		var answers []string
		for _, q := range batch {
			answers = append(answers, answer(q))
		}
		fmt.Fprintf(w, "[%s]", strings.Join(answers, ","))
	}))
	t.Cleanup(n.Close)
	return n
}

// read makes a browser's read.
func (s *served) read(chain uint64, method, params string) (status int, text string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	w := s.send(http.MethodPost, fmt.Sprintf("/api/proxy/rpc/%d", chain), body, nil)
	return w.Code, w.Body.String()
}

const gameChain, mainChain = 421614, 137

// Spec: CHAIN-8
func TestReads_GoToTheirOwnEndpoint(t *testing.T) {
	t.Parallel()
	work, reads := newNode(t), newNode(t)
	s := serve(t, map[string]string{
		"GAME_CHAIN_RPC_URL": work.URL, "GAME_CHAIN_READ_RPC_URL": reads.URL, "MAIN_CHAIN_RPC_URL": work.URL, "MAIN_CHAIN_READ_RPC_URL": "",
	})
	work.asked.Store(0) // the contracts were looked at
	if status, text := s.read(gameChain, "eth_blockNumber", "[]"); status != http.StatusOK || !strings.Contains(text, `"0x7"`) {
		t.Errorf("%d %s", status, text)
	}
	if w, r := work.asked.Load(), reads.asked.Load(); w != 0 || r != 1 {
		t.Errorf("the endpoint of the portal's work was asked %d times, that of reads %d times, want 0 and 1", w, r)
	}
	if status, text := s.read(mainChain, "eth_blockNumber", "[]"); status != http.StatusOK || work.asked.Load() != 1 {
		t.Errorf("without an endpoint of their own: %d %s", status, text)
	}
	for _, c := range s.app.chains.of {
		if c.reads == c.rpc {
			t.Errorf("%s: readers share the connections of the portal's work", c.name)
		}
	}
}

func TestReads_ReadinessNamesTheEndpointOfReads(t *testing.T) {
	t.Parallel()
	work := newNode(t)
	s := serve(t, map[string]string{"GAME_CHAIN_RPC_URL": work.URL, "MAIN_CHAIN_RPC_URL": work.URL, "MAIN_CHAIN_READ_RPC_URL": ""})
	var answer struct{ Checks map[string]string }
	if err := json.Unmarshal(s.send(http.MethodGet, "/readyz", "", nil).Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if got := answer.Checks["game chain reads"]; got != "cannot be reached" {
		t.Errorf("the endpoint that is away is told as %q in %v", got, answer.Checks)
	}
	if _, isTold := answer.Checks["main chain reads"]; isTold {
		t.Error("an endpoint is told of that is not set")
	}
}

// Every configured contract may be read on its chain, by its own functions, and on no other.
// Spec: CHAIN-8
func TestReads_ConfiguredContractsMayBeRead(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	s := serve(t, map[string]string{"GAME_CHAIN_READ_RPC_URL": n.URL, "MAIN_CHAIN_READ_RPC_URL": n.URL})
	k := s.app.config.Contracts
	const (
		balance20    = "balanceOf(address)"
		owner721     = "ownerOf(uint256)"
		balance1155  = "balanceOf(address,uint256)"
		nonce        = "getNonce(address,uint192)"
		accountOf    = "getAddress(bytes32)"
		listingOf    = "getListing(uint256)"
		transferring = "transfer(address,uint256)"
	)
	read := func(chain uint64, contract, function string) string {
		t.Helper()
		hash := eth.Keccak256([]byte(function))
		status, text := s.read(chain, "eth_call", fmt.Sprintf(`[{"to":%q,"data":"0x%x%0128x"},"latest"]`, contract, hash[:4], 1))
		if status != http.StatusOK {
			t.Errorf("%s of %s: %d %s", function, contract, status, text)
		}
		var answer struct {
			Error struct{ Data struct{ Reason string } }
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		return answer.Error.Data.Reason
	}
	both := map[string]string{k.EntryPoint: nonce, k.AccountFactory: accountOf}
	game := map[string]string{
		k.USDC: balance20, k.GOD: balance20, k.PiggyMarketplace: listingOf, k.Collections["avatars"]: owner721,
		k.Collections["season-avatars"]: owner721,
		k.Collections["elder-gods"]:     owner721, k.Collections["piggy-banks"]: balance1155, k.Collections["piggy-soulbound"]: balance1155,
		k.Collections["game-items"]: balance1155, k.Collections["chests"]: balance1155,
	}
	main := map[string]string{
		k.Collections["immortals"]: owner721, k.Collections["passes-community"]: owner721, k.Collections["passes-ultimate"]: owner721,
		k.Collections["arks"]: balance1155, k.Collections["power-packs"]: balance1155,
	}
	for _, c := range []struct {
		on, notOn uint64
		contracts map[string]string
	}{{gameChain, 0, both}, {mainChain, 0, both}, {gameChain, mainChain, game}, {mainChain, gameChain, main}} {
		for contract, function := range c.contracts {
			if reason := read(c.on, contract, function); reason != "" {
				t.Errorf("%s of %s on chain %d is refused: %s", function, contract, c.on, reason)
			}
			if reason := read(c.on, contract, transferring); reason != "function" {
				t.Errorf("%s of %s on chain %d: reason %q", transferring, contract, c.on, reason)
			}
			if c.notOn != 0 {
				if reason := read(c.notOn, contract, function); reason != "contract" {
					t.Errorf("%s of %s on chain %d, where it is not: reason %q", function, contract, c.notOn, reason)
				}
			}
		}
	}
	for _, contract := range []string{k.AccountImplementation, k.Paymaster} {
		if status, text := s.read(gameChain, "eth_getCode", fmt.Sprintf(`[%q,"latest"]`, contract)); status != http.StatusOK ||
			!strings.Contains(text, `"result"`) {
			t.Errorf("the code of %s: %d %s", contract, status, text)
		}
	}
}
