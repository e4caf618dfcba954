package relay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/txqueue/queuetest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// inOrder reports whether the steps occur in heard in this order, possibly with others in between.
func inOrder(heard []string, steps ...string) bool {
	for _, h := range heard {
		if len(steps) > 0 && h == steps[0] {
			steps = steps[1:]
		}
	}
	return len(steps) == 0
}

// mortalObserver is an observer that fails once its Life has ended.
type mortalObserver struct {
	gas.Observer
	life *queuetest.Life
}

func (m mortalObserver) Accepted(ctx context.Context, op gas.Operation) error {
	return m.life.Do(func() error { return m.Observer.Accepted(ctx, op) })
}

func (m mortalObserver) Sent(ctx context.Context, op gas.Operation) error {
	return m.life.Do(func() error { return m.Observer.Sent(ctx, op) })
}

func (m mortalObserver) Settled(ctx context.Context, op gas.Operation) error {
	return m.life.Do(func() error { return m.Observer.Settled(ctx, op) })
}

// TestCrash_NothingIsSentTwiceOrForgotten stops relay and queue before and after each of their side effects in turn and
// restarts them, while the client resends every unconfirmed operation.
func TestCrash_NothingIsSentTwiceOrForgotten(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		for last := 1; ; last++ {
			if ended := s.lifeAndAfterlife(last); !ended {
				if last < 20 {
					t.Fatalf("a whole life has only %d points", last)
				}
				return
			}
		}
	})
}

// noKeys is a Canceller for a process without players' keys.
type noKeys struct{}

func (noKeys) SignCancellation(context.Context, string, onchain.ChainID, *eth.UserOperation) (eth.Bytes, error) {
	return nil, fault.New(fault.NotFound, "there are no keys")
}

func (s *site) lifeAndAfterlife(last int) (ended bool) {
	s.Helper()
	p := s.player(fmt.Sprint("life ", last), 5_000_000)
	op := p.prepare(p.purchase(items, 1))
	before := s.bundles()

	life := queuetest.NewLife(last)
	mortal := *s
	var err error
	mortal.queue, mortal.relay, err = parts(life.RPC(s.chain.Client()), life.Transactions(s.g), life.Operations(s.g), s.g,
		s.policy, s.guard, s.signer, nil, mortalObserver{s.diary, life}, chainClock{client: s.client}, 0, false)
	if err != nil {
		s.Fatal(err)
	}
	stop := mortal.start()
	hash, err := (&player{&mortal, p.id, p.Account}).trySend(op)
	if err == nil {
		ended = !eventually(s, func() bool { return slices.Contains(s.diary.of(hash), "included") && s.told(hash) }, life.Died())
	} else {
		ended = true
	}
	stop()

	s.assemble(s.chain.Client(), s.g, s.g)
	stop = s.start()
	defer stop()
	hash = p.send(op)
	if r := p.await(hash); !r.Success || s.owned(p.Smart, 1) != 1 || s.usdc(p.Smart) != 0 {
		s.Fatalf("life %d: %+v, %d items", last, r, s.owned(p.Smart, 1))
	}
	testkit.Eventually(s, 10*time.Second, func() bool { return s.told(hash) }, "life %d: the observer was not told", last)
	if heard := s.diary.of(hash); !inOrder(heard, "accepted", "sent", "included") {
		s.Fatalf("life %d: the observer heard %v", last, heard)
	}
	if got := s.bundles() - before; got != 1 {
		s.Fatalf("life %d: %d transactions were sent, want one", last, got)
	}
	return ended
}

// told reports whether the observer has been notified of an operation's final state.
func (s *site) told(hash eth.Hash) bool {
	s.Helper()
	untold, err := s.g.UntoldOperations(s.Context(), s.chain.ID(), 100)
	if err != nil {
		s.Fatal(err)
	}
	return !slices.ContainsFunc(untold, func(op gas.Operation) bool { return op.Hash == hash })
}

// eventually waits for a condition; false when done is closed first.
func eventually(t testing.TB, condition func() bool, done <-chan struct{}) bool {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-done:
			return false
		case <-t.Context().Done():
			t.Fatal("the test ended")
		case <-tick.C:
		}
	}
	return true
}

// killer forwards JSON-RPC over HTTP to the chain in this process, and kills a process at a chosen request.
type killer struct {
	client *gethrpc.Client
	mu     sync.Mutex
	at     string    // the request to kill at; "" for none
	after  bool      // whether the request still reaches the chain
	victim *exec.Cmd // the process to kill
}

// start starts a process that is killed at a request.
func (k *killer) start(victim *exec.Cmd, at string, after bool) error {
	k.mu.Lock() // its requests wait until the fields are set
	defer k.mu.Unlock()
	k.at, k.after, k.victim = at, after, victim
	return victim.Start()
}

type rpcRequest struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is dead
	}
	var batch []rpcRequest
	name := "batch "
	single := !bytes.HasPrefix(body, []byte("["))
	if single {
		batch, name = make([]rpcRequest, 1), ""
		err = json.Unmarshal(body, &batch[0])
	} else {
		err = json.Unmarshal(body, &batch)
	}
	if err != nil || len(batch) == 0 {
		http.Error(w, "malformed", http.StatusBadRequest)
		return
	}
	name += batch[0].Method

	k.mu.Lock()
	defer k.mu.Unlock()
	if name == k.at && !k.after {
		k.kill()
		return
	}
	answers := make([]any, len(batch))
	for i, q := range batch {
		answers[i] = k.forward(r.Context(), q)
	}
	if name == k.at {
		k.kill()
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if single {
		_ = json.NewEncoder(w).Encode(answers[0]) // a client that is gone does not need it
	} else {
		_ = json.NewEncoder(w).Encode(answers)
	}
}

func (k *killer) kill() {
	_ = k.victim.Process.Kill() // SIGKILL; the waiter checks how the process ended
	k.at = ""
}

func (k *killer) forward(ctx context.Context, q rpcRequest) any {
	params := make([]any, len(q.Params))
	for i := range q.Params {
		params[i] = q.Params[i]
	}
	out := map[string]any{"jsonrpc": "2.0", "id": q.ID}
	var result json.RawMessage
	if err := k.client.CallContext(ctx, &result, q.Method, params...); err != nil {
		e := map[string]any{"code": -32000, "message": err.Error()}
		if coded, ok := errors.AsType[gethrpc.Error](err); ok {
			e["code"] = coded.ErrorCode()
		}
		if withData, ok := errors.AsType[gethrpc.DataError](err); ok {
			e["data"] = withData.ErrorData()
		}
		out["error"] = e
		return out
	}
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	out["result"] = result
	return out
}

// childEnv carries a child's orders as JSON.
const childEnv = "PANTHEON_RELAY_CHILD"

// orders are the instructions of a child process: send an operation and wait until it is settled.
type orders struct {
	RPC       string
	URL, Path string // of the database
	Player    string
	Operation eth.UserOperation
	Diary     string // the file to which its observer writes
}

// fileDiary is an observer that appends to a file.
type fileDiary struct{ path string }

func (d fileDiary) note(op gas.Operation, step string) error {
	f, err := os.OpenFile(d.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, op.Hash, step)
	return errors.Join(err, f.Close())
}

func (d fileDiary) Accepted(_ context.Context, op gas.Operation) error { return d.note(op, "accepted") }
func (d fileDiary) Sent(_ context.Context, op gas.Operation) error     { return d.note(op, "sent") }
func (d fileDiary) Settled(_ context.Context, op gas.Operation) error {
	return d.note(op, string(op.State))
}

// runChild is the child process: its own relay and queue, until the operation is settled and the observer notified.
func runChild(text string) int {
	if err := serveOrders(text); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return 1
	}
	return 0
}

func serveOrders(text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	db, err := store.Open(ctx, store.Options{URL: o.URL, Path: o.Path})
	if err != nil {
		return err
	}
	defer db.Close()
	client, err := gethrpc.DialContext(ctx, o.RPC)
	if err != nil {
		return err
	}
	defer client.Close()
	a, err := world.AddressesOf(brandtest.Pantheon().Collections, collections.GameChain)
	if err != nil {
		return err
	}
	g, policy := gasstore.New(db), policyFor(chainOfChild, a)
	queue, r, err := parts(client, g, g, g, policy, &guard{}, noKeys{}, nil, fileDiary{o.Diary}, clock.System{}, 0, false)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	running, stop := context.WithCancel(ctx)
	wg.Go(func() { _ = queue.Run(running) }) // returns nil
	wg.Go(func() { _ = r.Run(running) })
	defer wg.Wait()
	defer stop()
	return seeThrough(ctx, g, r, policy, o)
}

// chainOfChild is the id of the development game chain.
const chainOfChild onchain.ChainID = 1337042

func seeThrough(ctx context.Context, g gasstore.Store, r *relay.Relay, policy *gas.Policy, o orders) error {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "eth_sendUserOperation", "params": []any{o.Operation, policy.EntryPoint},
	})
	if err != nil {
		return err
	}
	if answer := r.HandleBundler(ctx, gas.Caller{Player: o.Player, Session: sessionOf(o.Player)}, policy.Chain,
		body); strings.Contains(string(answer), `"error"`) {
		return fmt.Errorf("the operation was refused: %s", answer)
	}
	hash := o.Operation.Hash(policy.EntryPoint, uint64(policy.Chain))
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		op, err := g.Operation(ctx, hash)
		if err != nil {
			return err
		}
		if op.State.Step() == gas.StepSettled && op.Told == gas.StepSettled {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// TestCrash_KilledProcessLosesAndDoublesNothing kills a process that relays a purchase, with SIGKILL, at each of its
// relevant requests to the chain, before and after the chain has answered, and restarts it.
// Spec: GAS-13
func TestCrash_KilledProcessLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			database := testkit.DatabaseOptions(t, engine)
			db, err := store.Open(t.Context(), database)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			s := newSite(t, gasstore.New(db))
			k := &killer{client: s.chain.Client()}
			server := httptest.NewServer(k)
			t.Cleanup(server.Close)
			for _, at := range []string{
				"batch eth_call",                  // the operation is simulated before it is stored, and again before it is bundled
				"eth_call",                        // the bundle is simulated
				"eth_getTransactionCount",         // the bundle is stored, but not signed
				"eth_maxPriorityFeePerGas",        // the same
				"eth_sendRawTransaction",          // the signed transaction is stored, then sent
				"batch eth_getTransactionReceipt", // the transaction is mined, but not noticed yet
				"eth_getTransactionReceipt",       // the queue has noticed, the relay has not
			} {
				for _, after := range []bool{false, true} {
					s.killAt(k, server.URL, database, at, after)
				}
			}
		})
	}
}

func (s *site) killAt(k *killer, url string, database store.Options, at string, after bool) {
	s.Helper()
	name := fmt.Sprintf("%s (answered: %v)", at, after)
	p := s.player(name, 5_000_000)
	op := p.prepare(p.purchase(items, 1))
	o := orders{RPC: url, URL: database.URL, Path: database.Path, Player: p.id, Operation: *op, Diary: filepath.Join(s.TempDir(), "diary")}
	text, err := json.Marshal(o)
	if err != nil {
		s.Fatal(err)
	}
	before := s.bundles()
	child := func() (*exec.Cmd, *bytes.Buffer) {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), childEnv+"="+string(text))
		cmd.Stdout, cmd.Stderr = &out, &out
		return cmd, &out
	}
	victim, out := child()
	if err := k.start(victim, at, after); err != nil {
		s.Fatal(err)
	}
	err = victim.Wait()
	if status, ok := victim.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		s.Fatalf("%s: the process was not killed: %v: %s", name, err, out)
	}

	second, out := child()
	if err := second.Run(); err != nil {
		s.Fatalf("%s: after the restart: %v: %s", name, err, out)
	}
	if s.owned(p.Smart, 1) != 1 || s.usdc(p.Smart) != 0 {
		s.Fatalf("%s: the player has %d items and %d", name, s.owned(p.Smart, 1), s.usdc(p.Smart))
	}
	if got := s.bundles() - before; got != 1 {
		s.Fatalf("%s: %d transactions were sent, want one", name, got)
	}
	written, err := os.ReadFile(o.Diary)
	if err != nil {
		s.Fatal(err)
	}
	var heard []string
	for line := range strings.Lines(string(written)) {
		if hash, step, ok := strings.Cut(strings.TrimSpace(line), " "); ok && hash == op.Hash(s.at.EntryPoint, uint64(s.chain.ID())).String() {
			heard = append(heard, step)
		}
	}
	if !inOrder(heard, "accepted", "sent", "included") {
		s.Fatalf("%s: the observer heard %v", name, heard)
	}
}
