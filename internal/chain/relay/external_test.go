package relay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
)

// services are an external bundler (ERC-7769) and paymaster (ERC-7677) behind one address, as strict as their standards. The bundler
// sends with a wallet of its own.
type services struct {
	*site
	url string

	mu       sync.Mutex
	answer   func(method string) string // the answer's body in place of the right one; "" for the right one
	status   int                        // of HTTP; 0 for 200
	offers   []eth.Hash                 // operations that were sent to the bundler, also again
	mempool  map[eth.Hash]*eth.UserOperation
	forgets  bool                                  // the bundler never sends what it takes
	contexts []string                              // that the paymaster was asked with
	spoil    func(answer map[string]any)           // changes the paymaster's answers
	promises func(now time.Time) (until time.Time) // how long they last
}

// extern gives the site an index, and a relay with the external services that are wanted.
func extern(s *site, bundler, paymaster bool) *services {
	s.Helper()
	x := &services{site: s, mempool: map[eth.Hash]*eth.UserOperation{},
		promises: func(now time.Time) time.Time { return now.Add(10 * time.Minute) }}
	server := httptest.NewServer(x)
	s.Cleanup(server.Close)
	x.url = server.URL + "/v2/secret-key"
	s.letAnybodySend()
	read, err := indexer.New(indexer.Options{
		Chain: s.chain.ID(), RPC: s.chain.Client(), Poll: 10 * time.Millisecond, Clock: clock.System{}, Log: quiet(),
		Store:     index.New(s.g.DB, index.Options{Chains: map[onchain.ChainID]index.ChainRules{s.chain.ID(): {}}}),
		Contracts: indexer.Contracts{EntryPoint: s.at.EntryPoint, Paymasters: []eth.Address{s.at.Paymaster}},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.background(read.Run)
	x.assemble(bundler, paymaster)
	return x
}

func (x *services) assemble(bundler, paymaster bool) {
	x.Helper()
	client, err := rpc.New(rpc.Options{Name: "service", ChainID: x.chain.ID(), URL: x.url, Timeout: time.Second})
	if err != nil {
		x.Fatal(err)
	}
	x.Cleanup(client.Close)
	c := relay.Chain{
		Policy: x.policy, RPC: x.chain.Client(), Queue: x.queue, Poll: 5 * time.Millisecond,
		Relayer: devnet.WalletOf(devnet.GasRelayer).Address,
		Signer:  txqueue.NewKeyWallet(devnet.WalletOf(devnet.PaymasterSigner).Key),
	}
	if bundler {
		c.Bundler, c.Relayer = client, eth.Address{}
	}
	x.policy.ExternalPaymaster = paymaster
	if paymaster {
		c.Paymaster, c.Signer, c.PaymasterContext = client, nil, json.RawMessage(`{"policyId":"7"}`)
	}
	x.relay, err = relay.New(relay.Options{
		Chains: []relay.Chain{c}, Operations: x.g, Accounts: x.g, Guard: x.guard, Canceller: x.canceller, Observer: x.diary,
		Clock: chainClock{x.client, x.ahead}, Log: quiet(),
	})
	if err != nil {
		x.Fatal(err)
	}
}

// set changes the services' behaviour.
func (x *services) set(change func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change()
}

func (x *services) offered() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.offers)
}

// ServeHTTP answers one JSON-RPC request.
func (x *services) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v2/secret-key" {
		http.Error(w, "no JSON-RPC", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if x.status != 0 {
		w.WriteHeader(x.status)
		return
	}
	if x.answer != nil {
		if text := x.answer(req.Method); text != "" {
			_, _ = fmt.Fprint(w, strings.ReplaceAll(text, "ID", string(req.ID)))
			return
		}
	}
	result, err := x.serve(r.Context(), req.Method, req.Params)
	out := map[string]any{"jsonrpc": "2.0", "id": req.ID, "result": result}
	if err != nil {
		delete(out, "result")
		out["error"] = map[string]any{"code": -32602, "message": err.Error()}
	}
	_ = json.NewEncoder(w).Encode(out)
}

// refuse makes the services answer a method with an error.
func (x *services) refuse(method string, code int, message string) {
	x.set(func() {
		x.answer = func(called string) string {
			if called != method {
				return ""
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":ID,"error":{"code":%d,"message":%q}}`, code, message)
		}
	})
}

func (x *services) operation(params []json.RawMessage, n int) (*eth.UserOperation, error) {
	if len(params) != n {
		return nil, fmt.Errorf("%d parameters, want %d", len(params), n)
	}
	var op eth.UserOperation
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(params[0], &fields); err != nil {
		return nil, err
	}
	for _, name := range []string{"sender", "nonce", "callData", "callGasLimit", "verificationGasLimit", "preVerificationGas",
		"maxFeePerGas", "maxPriorityFeePerGas", "signature"} {
		if _, ok := fields[name]; !ok {
			return nil, fmt.Errorf("the field %s is missing", name)
		}
		delete(fields, name)
	}
	for _, name := range []string{"factory", "factoryData", "paymaster", "paymasterData", "paymasterVerificationGasLimit",
		"paymasterPostOpGasLimit"} {
		delete(fields, name)
	}
	if len(fields) > 0 {
		return nil, fmt.Errorf("there are unknown fields: %v", fields)
	}
	if want := `"` + strings.ToLower(x.at.EntryPoint.String()) + `"`; strings.ToLower(string(params[1])) != want {
		return nil, fmt.Errorf("the EntryPoint is %s", params[1])
	}
	err := json.Unmarshal(params[0], &op)
	return &op, err
}

func (x *services) serve(ctx context.Context, method string, params []json.RawMessage) (any, error) {
	switch method {
	case "eth_sendUserOperation":
		op, err := x.operation(params, 2)
		if err != nil {
			return nil, err
		}
		return x.take(op)
	case "eth_estimateUserOperationGas":
		op, err := x.operation(params, 2)
		if err != nil {
			return nil, err
		}
		if op.Paymaster == nil || len(op.PaymasterData) == 0 || len(op.Signature) != 65 {
			return nil, fmt.Errorf("nothing can be estimated without stubs")
		}
		return map[string]string{"preVerificationGas": "0x15f90", "verificationGasLimit": "0x927c0", "callGasLimit": "0x5208",
			"paymasterVerificationGasLimit": "0x1d4c0", "paymasterPostOpGasLimit": "0x1"}, nil
	case "eth_getUserOperationByHash":
		return nil, nil // as alto, it does not tell what it has
	case "pm_getPaymasterStubData", "pm_getPaymasterData":
		op, err := x.operation(params, 4)
		if err != nil {
			return nil, err
		}
		return x.pay(method, op, params)
	}
	return nil, fmt.Errorf("there is no method %s", method)
}

// take takes an operation into the mempool and sends it at once, unless it forgets it.
func (x *services) take(op *eth.UserOperation) (any, error) {
	hash := op.Hash(x.at.EntryPoint, uint64(x.chain.ID()))
	x.offers = append(x.offers, hash)
	if x.mempool[hash] != nil {
		return nil, fmt.Errorf("Already known")
	}
	if x.forgets {
		return hash, nil
	}
	x.mempool[hash] = op
	go x.broadcast(devnet.Seller(5), x.at.EntryPoint, outside(devnet.WalletOf(devnet.Seller(5)).Address, op), priority)
	return hash, nil
}

func (x *services) pay(method string, op *eth.UserOperation, params []json.RawMessage) (any, error) {
	x.contexts = append(x.contexts, string(params[3]))
	if string(params[2]) != fmt.Sprintf(`"0x%x"`, uint64(x.chain.ID())) {
		return nil, fmt.Errorf("the chain is %s", params[2])
	}
	out := map[string]any{"paymaster": x.at.Paymaster, "paymasterData": eth.Bytes(bytes.Repeat([]byte{1}, 77))}
	if method == "pm_getPaymasterStubData" {
		out["paymasterVerificationGasLimit"], out["paymasterPostOpGasLimit"], out["isFinal"] = "0x186a0", "0x2710", false
	} else {
		until := x.promises(chainClock{client: x.client}.Now())
		after := time.Unix(int64(len(x.contexts)), 0)
		full := *op
		full.Paymaster = &x.at.Paymaster
		hash := contracts.SponsorshipHash(&full, uint64(x.chain.ID()), x.at.Paymaster, until, after)
		signature, err := txqueue.NewKeyWallet(devnet.WalletOf(devnet.PaymasterSigner).Key).
			SignHash(x.Context(), eth.Keccak256([]byte("\x19Ethereum Signed Message:\n32"), hash[:]))
		if err != nil {
			return nil, err
		}
		signature[64] += 27
		out["paymasterData"] = contracts.Sponsorship{ValidUntil: until, ValidAfter: after, Signature: [65]byte(signature)}.Data()
	}
	if x.spoil != nil {
		x.spoil(out)
	}
	return out, nil
}

// pass makes blocks until so much time has passed on the chain.
func (s *site) pass(d time.Duration) {
	s.Helper()
	for range int(d / time.Second) {
		if _, err := s.chain.Mine(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

// state waits until an operation has a state.
func (s *site) state(hash eth.Hash, want gas.OperationState) (op gas.Operation) {
	s.Helper()
	testkit.Eventually(s, 10*time.Second, func() bool {
		var err error
		op, err = s.g.Operation(s.Context(), hash)
		return err == nil && op.State == want
	}, "the operation is not %s: %v", want, &op)
	return op
}

// Spec: RUN-32
func TestExternal_BundlerSendsWhatThePortalAccepts(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		x := extern(s, true, false)
		x.start()
		p := x.player("P", 100_000_000)
		hash := p.send(p.prepare(p.purchase(items, 2)))
		if r := p.await(hash); !r.Success || x.owned(p.Smart, 1) != 2 {
			t.Fatalf("%+v", r)
		}
		x.hears(hash, "accepted", "included")
		p.await(p.send(p.prepare(p.purchase(avatar, 1))))
		if x.offered() != 2 || x.bundles() != 0 {
			t.Errorf("%d offers and %d bundles of the portal, want 2 and 0", x.offered(), x.bundles())
		}
		err := p.complete(p.draft(0, []gas.Call{{Target: s.at.EntryPoint, Data: make([]byte, 4)}}))
		wantRefusal(t, err, -32501, "entry-point")
		x.pass(80 * time.Second)
		testkit.Eventually(t, 10*time.Second, func() bool {
			op, err := g.Operation(t.Context(), hash)
			return err == nil && op.Bundle == ""
		}, "its block is never final")
	})
}

// Spec: RUN-32
func TestExternal_BundlersRefusalIsToldInWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	x := extern(s, true, false)
	x.start()
	p := x.player("P", 100_000_000)
	for code, words := range map[int]string{
		-32500: "the network does not accept it in this form", -32501: "its gas is not paid for", -32502: "it breaks a rule of the network",
		-32503: "it came too late", -32504: "too much is sent at the moment", -32505: "what pays for its gas is not set up for it",
		-32506: "it is signed in a way that is not supported", -32507: "its signature is not valid",
	} {
		x.refuse("eth_sendUserOperation", code, "AA99 in the words of https://bundler.example/v2/secret-key")
		hash := p.send(p.prepare(p.purchase(items, 1)))
		want := "The service that sends operations refused it: " + words + ". Please try again."
		if op := x.state(hash, gas.OperationDropped); op.Reason != want {
			t.Errorf("%d: %q, want %q", code, op.Reason, want)
		}
		x.hears(hash, "accepted", "dropped")
		x.set(func() { x.answer = nil })
	}
	p.await(p.send(p.prepare(p.purchase(items, 1)))) // the nonce is free, and the player too
}

// A bundler that is down, throttles, answers nonsense or loses an operation is asked again, and each operation is carried out once.
// Spec: RUN-32
func TestExternal_OperationsSurviveWhatBundlersDo(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	x := extern(s, true, false)
	stop := x.start()
	p := x.player("P", 100_000_000)
	for what, trouble := range map[string]func(){
		"is down":         func() { x.status = http.StatusBadGateway },
		"throttles":       func() { x.status = http.StatusTooManyRequests },
		"answers no JSON": func() { x.answer = func(string) string { return "<html>" } },
		"answers null":    func() { x.answer = func(string) string { return `{"jsonrpc":"2.0","id":ID,"result":null}` } },
		"has a fault": func() {
			x.answer = func(string) string { return `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"x"}}` }
		},
		"has another hash": func() {
			x.answer = func(string) string { return `{"jsonrpc":"2.0","id":ID,"result":"0x` + strings.Repeat("12", 32) + `"}` }
		},
		"forgets": func() { x.forgets = true },
	} {
		op := p.prepare(p.purchase(items, 1))
		before, had := x.offered(), x.owned(p.Smart, 1)
		x.set(trouble)
		hash := p.send(op)
		if what == "forgets" {
			x.state(hash, gas.OperationSent)
		} else {
			testkit.Eventually(t, 10*time.Second, func() bool { return x.relay.State(x.chain.ID()) != nil }, "%s: nothing is said", what)
			if err := x.relay.State(x.chain.ID()); err != nil && strings.Contains(err.Error(), "secret-key") {
				t.Errorf("%s: the URL's key is shown: %v", what, err)
			}
		}
		stop()
		x.assemble(true, false) // a restart
		stop = x.start()
		x.set(func() { x.answer, x.status, x.forgets = nil, 0, false })
		x.pass(25 * time.Second)
		if r := p.await(hash); !r.Success || x.owned(p.Smart, 1) != had+1 {
			t.Errorf("%s: %+v", what, r)
		}
		if x.offered() == before {
			t.Errorf("%s: it was never offered", what)
		}
	}
	stop()
}

// An operation that was never included ends with its sponsorship, and one that the bundler still has cannot be dropped by the bundler.
// Spec: RUN-32
func TestExternal_OperationThatIsNeverSentEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	x := extern(s, true, false)
	x.start()
	p := x.player("P", 100_000_000)
	x.set(func() { x.forgets = true })
	hash := p.send(p.prepare(p.purchase(items, 1)))
	x.state(hash, gas.OperationSent)
	x.refuse("eth_sendUserOperation", -32500, "another bundler has it")
	before := x.offered()
	x.pass(30 * time.Second)
	testkit.Eventually(t, 10*time.Second, func() bool {
		op, err := s.g.Operation(t.Context(), hash)
		return err == nil && op.State == gas.OperationSent && x.offered() == before
	}, "it was dropped although it can be included")
	x.pass(12 * time.Minute)
	if op := x.state(hash, gas.OperationDropped); !strings.Contains(op.Reason, "it came too late") {
		t.Errorf("dropped because %q", op.Reason)
	}
}

// A relay without its external bundler takes back what that was handed, and sends it itself.
// Spec: RUN-32
func TestExternal_WithoutTheBundlerThePortalSends(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	x := extern(s, true, false)
	stop := x.start()
	p := x.player("P", 100_000_000)
	x.set(func() { x.forgets = true })
	hash := p.send(p.prepare(p.purchase(items, 1)))
	x.state(hash, gas.OperationSent)
	stop()
	x.assemble(false, false)
	x.start()
	if r := p.await(hash); !r.Success || x.bundles() != 1 {
		t.Errorf("%+v", r)
	}
}

// Spec: RUN-32
func TestExternal_PaymasterPaysWhatThePortalAllows(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		x := extern(s, true, true)
		x.start()
		p := x.player("P", 100_000_000)
		if r := p.await(p.send(p.prepare(p.purchase(items, 1)))); !r.Success || r.Paymaster != s.at.Paymaster {
			t.Fatalf("%+v", r)
		}
		x.set(func() {
			if len(x.contexts) == 0 {
				t.Error("the service was not asked")
			}
			for _, about := range x.contexts {
				if about != `{"policyId":"7"}` {
					t.Errorf("asked with the context %s", about)
				}
			}
		})
		s.policy.Budget.Player.Operations = 1
		x.set(func() { x.promises = nil }) // nothing is promised
		wantRefusal(t, p.complete(p.draft(0, p.purchase(items, 1))), -32504, "gas-player")
	})
}

// Spec: RUN-32
func TestExternal_PaymastersAnswersAreChecked(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	x := extern(s, false, true)
	x.start()
	p := x.player("P", 100_000_000)
	const unavailable = "The service that pays for gas cannot be reached just now"
	spoil := func(change func(map[string]any)) func() {
		return func() { x.spoil = change }
	}
	for what, trouble := range map[string]func(){
		"another paymaster":    spoil(func(a map[string]any) { a["paymaster"] = s.at.USDC }),
		"no data":              spoil(func(a map[string]any) { delete(a, "paymasterData") }),
		"data of v0.6":         spoil(func(a map[string]any) { clear(a); a["paymasterAndData"] = "0x01" }),
		"too much data":        spoil(func(a map[string]any) { a["paymasterData"] = eth.Bytes(make([]byte, 1025)) }),
		"too much gas":         spoil(func(a map[string]any) { a["paymasterPostOpGasLimit"] = "0xffffff" }),
		"an endless promise":   func() { x.promises = func(time.Time) time.Time { return time.Unix(0, 0) } },
		"a promise of a day":   func() { x.promises = func(now time.Time) time.Time { return now.Add(24 * time.Hour) } },
		"a promise of seconds": func() { x.promises = func(now time.Time) time.Time { return now.Add(5 * time.Second) } },
		"another's signature": spoil(func(a map[string]any) {
			if data, ok := a["paymasterData"].(eth.Bytes); ok && len(data) == 77 && data[0] == 0 {
				data[30] ^= 1
			}
		}),
		"no answer": func() { x.status = http.StatusBadGateway },
	} {
		promises := x.promises
		x.set(trouble)
		wantRefusal(t, p.complete(p.draft(0, p.purchase(items, 1))), -32603, unavailable)
		x.set(func() { x.spoil, x.status, x.promises = nil, 0, promises })
		if t.Failed() {
			t.Fatal(what)
		}
	}
	x.refuse("pm_getPaymasterData", -32001, "the policy does not match")
	wantRefusal(t, p.complete(p.draft(0, p.purchase(items, 1))), -32501, "The service that pays for gas does not pay for this.")
	x.set(func() { x.answer = nil })
	p.await(p.send(p.prepare(p.purchase(items, 1))))
}
