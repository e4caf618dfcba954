// Package relay is the portal's ERC-4337 bundler and ERC-7677 paymaster: it accepts the players' user operations, pays
// their gas within the policy and brings them on chain through the transaction queue.
//
// An operation is simulated on the chain's current state before it is accepted, and stored before its hash is returned.
// A stored operation is bundled, sent and settled even after a crash; the EntryPoint's nonces ensure that no operation
// runs twice.
//
// A chain may have an external bundler, an external paymaster, or both. What is accepted and paid for is decided here all
// the same.
//
// A Relay is safe for concurrent use. Every process may answer requests; Run, which bundles, settles and notifies the
// observer, belongs in one process at a time.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
)

// Queue sends the bundles. *txqueue.Queue is one.
type Queue interface {
	Wake()
	Changes() <-chan struct{}
}

// Chain configures one chain. Zero values mean the default, if there is one.
type Chain struct {
	Policy  *gas.Policy
	RPC     txqueue.RPC
	Queue   Queue
	Relayer eth.Address    // the queue's wallet that sends the bundles and receives the operations' fees; none with a Bundler
	Signer  txqueue.Wallet // the signer that the paymaster accepts; none with a Paymaster

	// Bundler sends the operations and estimates their gas (ERC-7769); nil for the queue.
	Bundler Service
	// Paymaster pays for them (ERC-7677), by Policy.Paymaster and with the context, a JSON object; nil for the portal's own.
	Paymaster        Service
	PaymasterContext json.RawMessage

	// DataGas is set if the chain charges gas for posting a transaction's data to its parent chain (Arbitrum, so
	// 42170).
	DataGas bool

	Poll     time.Duration // poll interval for operations that other processes accepted; default 1 s
	Debounce time.Duration // how long a first operation waits for others; default 2 ms
	Accepted func()        // called when an operation was accepted; Wake of this relay when nil
	Validity time.Duration // how long a sponsorship is valid; default gas.SponsorshipTTL
}

// Options configure a Relay.
type Options struct {
	Chains     []Chain
	Operations gas.Operations
	Accounts   gas.Accounts
	Guard      gas.Guard
	Canceller  Canceller
	Contacts   gas.Contacts // nil if operations are sponsored for everyone
	Observer   gas.Observer // may be nil
	Clock      clock.Clock
	Log        *slog.Logger
}

// Relay accepts and sends the players' user operations.
type Relay struct {
	chains map[onchain.ChainID]*chain
	log    *slog.Logger
}

// chain is one chain with its dependencies and state.
type chain struct {
	Chain
	id         onchain.ChainID
	operations gas.Operations
	accounts   gas.Accounts
	guard      gas.Guard
	canceller  Canceller
	contacts   gas.Contacts
	observer   gas.Observer
	clock      clock.Clock
	log        *slog.Logger
	entryPoint *contracts.EntryPoint
	wake       chan struct{}
	changes    <-chan struct{} // from the queue

	blamed map[eth.Address]time.Time // until when an account's operations go alone; used only by run's goroutine
	outside

	mu    sync.Mutex
	state error // why the last round failed
}

// New returns a relay, or an error that names an invalid option.
func New(o Options) (*Relay, error) {
	if o.Operations == nil || o.Accounts == nil || o.Guard == nil || o.Canceller == nil || o.Clock == nil || o.Log == nil {
		return nil, errors.New("relay: operations, accounts, guard, canceller, clock and log are needed")
	}
	r := &Relay{chains: map[onchain.ChainID]*chain{}, log: o.Log}
	for _, c := range o.Chains {
		if c.Policy == nil || c.RPC == nil || c.Queue == nil || c.Policy.Paymaster.IsZero() {
			return nil, errors.New("relay: a chain needs policy, RPC, queue and paymaster")
		}
		if c.Signer == nil && c.Paymaster == nil || c.Relayer.IsZero() && c.Bundler == nil {
			return nil, errors.New("relay: a chain needs the paymaster's signer or an external paymaster, and a relayer or an external bundler")
		}
		if c.Policy.ExternalPaymaster != (c.Paymaster != nil) {
			return nil, errors.New("relay: the policy does not say whose the paymaster is")
		}
		if c.Bundler != nil {
			c.Relayer = nobody
		}
		if c.Policy.MaxGas > maxBundleGas {
			return nil, fmt.Errorf("relay: chain %d: an operation may take more gas than a bundle of %d", c.Policy.Chain, maxBundleGas)
		}
		c.Poll, c.Debounce, c.Validity = orDefault(c.Poll, time.Second), orDefault(c.Debounce, 2*time.Millisecond),
			orDefault(c.Validity, gas.SponsorshipTTL)
		if c.Accepted == nil {
			c.Accepted = func() { r.Wake(c.Policy.Chain) }
		}
		r.chains[c.Policy.Chain] = &chain{
			Chain: c, id: c.Policy.Chain, operations: o.Operations, accounts: o.Accounts, guard: o.Guard, canceller: o.Canceller,
			contacts: o.Contacts, observer: o.Observer, clock: o.Clock, log: o.Log.With("chain", uint64(c.Policy.Chain)),
			entryPoint: contracts.NewEntryPoint(), wake: make(chan struct{}, 1), changes: c.Queue.Changes(), blamed: map[eth.Address]time.Time{},
			outside: outside{again: map[eth.Hash]time.Time{}, cancelAgain: map[eth.Address]time.Time{}},
		}
	}
	return r, nil
}

func orDefault(v, value time.Duration) time.Duration {
	if v == 0 {
		return value
	}
	return v
}

// HandleBundler answers a JSON-RPC request of a player to the bundler (ERC-7769), or a batch of at most 100, which is
// processed in order: eth_sendUserOperation, eth_estimateUserOperationGas, eth_getUserOperationReceipt,
// eth_getUserOperationByHash, eth_supportedEntryPoints and eth_chainId. The answer to a request that fails is a JSON-RPC
// error.
func (r *Relay) HandleBundler(ctx context.Context, caller gas.Caller, id onchain.ChainID, body json.RawMessage) json.RawMessage {
	return r.handle(ctx, body, func(method string, params []json.RawMessage) (any, error) {
		c, ok := r.chains[id]
		if !ok {
			return nil, unknownChain(id)
		}
		switch method {
		case "eth_sendUserOperation":
			return c.send(ctx, caller, params)
		case "eth_estimateUserOperationGas":
			return c.estimate(ctx, caller, params)
		case "eth_getUserOperationReceipt":
			return c.receipt(ctx, caller, params)
		case "eth_getUserOperationByHash":
			return c.byHash(ctx, caller, params)
		case "eth_supportedEntryPoints":
			return []eth.Address{c.Policy.EntryPoint}, nil
		case "eth_chainId":
			return eth.NewQuantity(uint64(c.id)), nil
		}
		return nil, unknownMethod(method)
	})
}

// HandlePaymaster answers a JSON-RPC request of a player to the paymaster (ERC-7677), or a batch as HandleBundler does:
// pm_getPaymasterStubData and pm_getPaymasterData. The answer to a request that fails is a JSON-RPC error.
func (r *Relay) HandlePaymaster(ctx context.Context, caller gas.Caller, id onchain.ChainID, body json.RawMessage) json.RawMessage {
	return r.handle(ctx, body, func(method string, params []json.RawMessage) (any, error) {
		c, ok := r.chains[id]
		if !ok {
			return nil, unknownChain(id)
		}
		switch method {
		case "pm_getPaymasterStubData":
			return c.stub(ctx, caller, params)
		case "pm_getPaymasterData":
			return c.sponsor(ctx, caller, params)
		}
		return nil, unknownMethod(method)
	})
}

func unknownChain(id onchain.ChainID) error {
	return &rpcError{Code: codeParams, Message: fmt.Sprintf("We do not work with chain %d.", uint64(id))}
}

func unknownMethod(name string) error {
	return &rpcError{Code: codeMethod, Message: fmt.Sprintf("There is no method %.60q here.", name)}
}

// Wake tells Run to check a chain for work, for operations that another process accepted. It never
// blocks.
func (r *Relay) Wake(id onchain.ChainID) {
	if c, ok := r.chains[id]; ok {
		c.rouse()
	}
}

func (c *chain) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// State returns why a chain's last round failed; nil if it did not. It is known only in the process that runs the
// relay.
func (r *Relay) State(id onchain.ChainID) error {
	c, ok := r.chains[id]
	if !ok {
		return unknownChain(id)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *chain) report(err error) {
	c.mu.Lock()
	before := c.state
	c.state = err
	c.mu.Unlock()
	switch {
	case err != nil && (before == nil || before.Error() != err.Error()):
		c.log.Error("relay failing, retrying", "error", err)
	case err == nil && before != nil:
		c.log.Info("relay recovered")
	}
}

// Run bundles, settles and notifies until ctx ends; then it returns nil. Failures of a chain or the database are
// reported in State and retried.
func (r *Relay) Run(ctx context.Context) error {
	var group errgroup.Group
	for _, c := range r.chains {
		group.Go(func() error { c.run(ctx); return nil })
	}
	return group.Wait()
}

func (c *chain) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.changes:
		case <-c.wake:
			// Operations that arrive together are bundled together.
			timer.Reset(c.Debounce)
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
		}
		err := c.round(ctx)
		if ctx.Err() != nil {
			return
		}
		c.report(err)
		timer.Reset(c.Poll)
	}
}

// round does all work that is possible now. Each part works from stored state, so it may fail at any point.
func (c *chain) round(ctx context.Context) error {
	send := c.bundle
	if c.Bundler != nil {
		send = c.hand
	}
	return errors.Join(c.settle(ctx), c.follow(ctx), c.cancelEnded(ctx), send(ctx), c.tell(ctx), c.release(ctx))
}

// errf wraps an error with the chain and the attempted action.
func (c *chain) errf(what string, err error) error {
	return fmt.Errorf("relay: chain %d: %s: %w", uint64(c.id), what, err)
}
