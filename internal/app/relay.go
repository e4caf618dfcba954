package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"

	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signer"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/index"
)

// arbitrumNova and arbitrumSepolia charge gas for posting a transaction's data to their parent chain.
const (
	arbitrumNova    = 42170
	arbitrumSepolia = 421614
)

// newQueue returns the transaction queue of a chain.
func newQueue(b *base, chain config.Chain, client *rpc.Client, index *index.Index) (*txqueue.Queue, error) {
	return txqueue.New(txqueue.Options{
		Chain: chain.ChainID(), RPC: crashable[chainRPC](client), Store: crashable[gasStore](gasstore.New(b.db)), Wallets: b.wallets.senders(),
		Former: b.wallets.former, Later: reward.LaterIDs, History: index, Clock: b.clock, Log: b.log,
		Poll: chain.PollInterval,
	})
}

// newRelay returns the relay of both chains.
func newRelay(b *base, chains chains, policies []*gas.Policy, guard gas.Guard, canceller relay.Canceller, people *people,
	observer gas.Observer) (*relay.Relay, error) {
	operations := crashable[gasStore](gasstore.New(b.db))
	o := relay.Options{
		Operations: operations, Accounts: operations, Guard: guard, Canceller: canceller,
		Observer: observer, Clock: b.clock, Log: b.log,
	}
	if b.config.Relay.SponsorNeeds == config.SponsorNeedsEmail {
		o.Contacts = people
	}
	var r *relay.Relay
	for _, p := range policies {
		c := chains.of[p.Chain]
		one := relay.Chain{
			Policy: p, RPC: crashable[chainRPC](c.rpc), Queue: c.queue, Relayer: relayerOf(b.config, c.config),
			DataGas:          p.Chain == arbitrumNova || p.Chain == arbitrumSepolia,
			PaymasterContext: json.RawMessage(c.config.PaymasterContext.Reveal()),
			Accepted:         b.wakeups.broadcast(fmt.Sprint("relay ", uint64(p.Chain)), func() { r.Wake(p.Chain) }),
		}
		bundler, paymaster, err := openServices(b, c)
		if err != nil {
			return nil, err
		}
		if bundler != nil {
			one.Bundler = bundler
		}
		if paymaster != nil {
			one.Paymaster = paymaster
		} else {
			one.Signer = b.wallets.signer[0]
		}
		o.Chains = append(o.Chains, one)
	}
	r, err := relay.New(o)
	if err == nil {
		b.leader["relay"] = r.Run
	}
	return r, err
}

// newSigner returns the signer of players' operations.
func newSigner(b *base, policies []*gas.Policy, guard gas.Guard, bound signer.Bindings) (*signer.Signer, error) {
	return signer.New(signer.Options{
		Ring: b.ring, Sealing: store.SignerKeys{DB: b.db}, Keys: gasstore.New(b.db), Guard: guard, Sponsored: gasstore.New(b.db),
		Bindings: bound, Record: newSignedRecord(b, policies), Policies: policies,
		Site: b.config.PublicURL, Clock: b.clock, Log: b.log, PerMinute: cmp.Or(b.config.Limits.Signatures, math.MaxInt),
	})
}
