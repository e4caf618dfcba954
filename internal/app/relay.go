package app

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signer"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
)

// arbitrumNova and arbitrumSepolia charge gas for posting a transaction's data to their parent chain.
const (
	arbitrumNova    = 42170
	arbitrumSepolia = 421614
)

// newQueue returns the transaction queue of a chain.
func newQueue(b *base, chain config.Chain, client *rpc.Client) (*txqueue.Queue, error) {
	keys := []config.Secret{b.config.Wallets.GasRelayerKey, b.config.Wallets.ClaimerKey, b.config.Wallets.ManagerKey}
	if b.config.Treasury.Key != "" {
		keys = append(keys, b.config.Treasury.Key)
	}
	wallets := make([]txqueue.Wallet, 0, len(keys))
	for _, secret := range keys {
		w, err := walletOf(secret)
		if err != nil {
			return nil, err
		}
		wallets = append(wallets, w)
	}
	return txqueue.New(txqueue.Options{
		Chain: chain.ChainID(), RPC: crashable[chainRPC](client), Store: crashable[gasStore](gasstore.New(b.db)), Wallets: wallets,
		Clock: b.clock, Log: b.log,
		Poll: chain.PollInterval,
	})
}

// newRelay returns the relay of both chains.
func newRelay(b *base, chains chains, policies []*gas.Policy, guard gas.Guard, canceller relay.Canceller, people *people,
	observer gas.Observer) (*relay.Relay, error) {
	signer, err := walletOf(b.config.Wallets.PaymasterKey)
	if err != nil {
		return nil, err
	}
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
		o.Chains = append(o.Chains, relay.Chain{
			Policy: p, RPC: crashable[chainRPC](c.rpc), Queue: c.queue, Relayer: eth.MustAddress(b.config.Wallets.GasRelayer),
			Signer: signer, DataGas: p.Chain == arbitrumNova || p.Chain == arbitrumSepolia,
			Accepted: b.wakeups.broadcast(fmt.Sprint("relay ", uint64(p.Chain)), func() { r.Wake(p.Chain) }),
		})
	}
	r, err = relay.New(o)
	if err == nil {
		b.leader["relay"] = r.Run
	}
	return r, err
}

func walletOf(secret config.Secret) (txqueue.KeyWallet, error) {
	key, err := crypto.HexToECDSA(strings.TrimPrefix(secret.Reveal(), "0x"))
	if err != nil {
		return txqueue.KeyWallet{}, errors.New("a private key of the portal's wallets is malformed") // validated with the configuration
	}
	return txqueue.NewKeyWallet(key), nil
}

// newSigner returns the signer of players' operations.
func newSigner(b *base, policies []*gas.Policy, guard gas.Guard, bound signer.Bindings) (*signer.Signer, error) {
	return signer.New(signer.Options{
		Ring: b.ring, Sealing: store.SignerKeys{DB: b.db}, Keys: gasstore.New(b.db), Guard: guard, Sponsored: gasstore.New(b.db),
		Bindings: bound, Policies: policies,
		Site: b.config.PublicURL, Clock: b.clock, Log: b.log, PerMinute: cmp.Or(b.config.Limits.Signatures, math.MaxInt),
	})
}
