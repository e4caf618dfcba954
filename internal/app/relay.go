package app

import (
	"context"
	"encoding/json"

	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"

	"github.com/ethereum/go-ethereum/crypto"
)

// relays are the relays of both chains, as the API asks for them.
type relays map[onchain.ChainID]*relay.Relay

func (r relays) HandleBundler(ctx context.Context, playerID string, chain onchain.ChainID, request json.RawMessage) json.RawMessage {
	return r[chain].HandleBundler(ctx, playerID, request)
}

func (r relays) HandlePaymaster(ctx context.Context, playerID string, chain onchain.ChainID, request json.RawMessage) json.RawMessage {
	return r[chain].HandlePaymaster(ctx, playerID, request)
}

// buildRelay makes the transaction queue and the relay of a chain.
func (a *App) buildRelay(c *chainParts, chain config.Chain, policy *gas.Policy, guard gas.Guard) (err error) {
	wallets := make([]txqueue.Wallet, 0, 3)
	for _, secret := range []config.Secret{a.config.Wallets.GasRelayerKey, a.config.Wallets.ClaimerKey, a.config.Wallets.ManagerKey} {
		key, err := crypto.HexToECDSA(secret.Reveal()[2:])
		if err != nil {
			return fault.New(fault.Invalid, "a private key of the portal's wallets is malformed") // validated with the configuration
		}
		wallets = append(wallets, txqueue.NewKeyWallet(key))
	}
	c.queue, err = txqueue.New(txqueue.Options{
		Chain: chain.ChainID(), RPC: crashRPC(c.rpc), Store: crashGas(store.Gas{DB: a.db}), Wallets: wallets, Clock: a.clock, Log: a.log, Poll: chain.PollInterval,
	})
	c.relay = &relay.Relay{}
	return err
}

// minter mints rewards through the queue of the claimer wallet.
type minter struct {
	chains  map[onchain.ChainID]*chainParts
	claimer eth.Address
}

func (m minter) Mint(ctx context.Context, id string, r reward.Mint) error {
	c := m.chains[r.Chain]
	if c == nil {
		return fault.New(fault.Invalid, "there is no chain %d", r.Chain)
	}
	data, err := mintCall(r)
	if err != nil {
		return err
	}
	_, err = c.queue.Send(ctx, gas.Transaction{ID: id, From: m.claimer, To: r.Contract, Data: data})
	return err
}

func (m minter) Minted(ctx context.Context, id string) (done bool, failed string, err error) {
	for _, c := range m.chains {
		t, err := c.queue.Transaction(ctx, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		return t.State == gas.TransactionMined, reasonOf(t), err
	}
	return false, "", nil
}

func reasonOf(t gas.Transaction) string {
	if t.State != gas.TransactionFailed {
		return ""
	}
	if t.Reason == "" {
		return "the transaction failed"
	}
	return t.Reason
}
