package app

import (
	"context"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/withdrawal"
	gasstore "pantheon/internal/store/gas"
)

// arbitrumNova and arbitrumSepolia charge gas for posting a transaction's data to their parent chain.
const (
	arbitrumNova    = 42170
	arbitrumSepolia = 421614
)

// buildQueue builds the transaction queue of a chain.
func (a *App) buildQueue(c *chainParts, chain config.Chain) (err error) {
	keys := []config.Secret{a.config.Wallets.GasRelayerKey, a.config.Wallets.ClaimerKey, a.config.Wallets.ManagerKey}
	if a.config.Treasury.Key != "" {
		keys = append(keys, a.config.Treasury.Key)
	}
	wallets := make([]txqueue.Wallet, 0, len(keys))
	for _, secret := range keys {
		w, err := walletOf(secret)
		if err != nil {
			return err
		}
		wallets = append(wallets, w)
	}
	c.queue, err = txqueue.New(txqueue.Options{
		Chain: chain.ChainID(), RPC: crashable[chainRPC](c.rpc), Store: crashable[gasStore](gasstore.New(a.db)), Wallets: wallets,
		Clock: a.clock, Log: a.log,
		Poll: chain.PollInterval,
	})
	return err
}

// buildRelay builds the relay for both chains, whose queues must exist.
func (a *App) buildRelay(guard gas.Guard, canceller relay.Canceller, people *owners) (err error) {
	signer, err := walletOf(a.config.Wallets.PaymasterKey)
	if err != nil {
		return err
	}
	operations := crashable[gasStore](gasstore.New(a.db))
	o := relay.Options{
		Operations: operations, Accounts: operations, Guard: guard, Canceller: canceller,
		Observer: follow{a.checkout, a.withdrawals, a.debts, a.index}, Clock: a.clock, Log: a.log,
	}
	if a.config.Relay.SponsorNeeds == config.SponsorNeedsEmail {
		o.Contacts = contacts{people}
	}
	for _, p := range a.policies {
		c := a.chains[p.Chain]
		o.Chains = append(o.Chains, relay.Chain{
			Policy: p, RPC: crashable[chainRPC](c.rpc), Queue: c.queue, Relayer: eth.MustAddress(a.config.Wallets.GasRelayer),
			Signer: signer, DataGas: p.Chain == arbitrumNova || p.Chain == arbitrumSepolia,
		})
	}
	a.relay, err = relay.New(o)
	return err
}

// contacts asks the accounts which players are reachable.
type contacts struct{ people *owners }

func (c contacts) Confirmed(ctx context.Context, player string) (bool, error) {
	return c.people.accounts.Confirmed(ctx, player)
}

func walletOf(secret config.Secret) (txqueue.KeyWallet, error) {
	key, err := crypto.HexToECDSA(strings.TrimPrefix(secret.Reveal(), "0x"))
	if err != nil {
		return txqueue.KeyWallet{}, errors.New("a private key of the portal's wallets is malformed") // validated with the configuration
	}
	return txqueue.NewKeyWallet(key), nil
}

// sender sends rewards through the queues of the claimer's and the treasury's wallets.
type sender struct {
	chains            map[onchain.ChainID]*chainParts
	claimer, treasury eth.Address
}

func (s sender) Mint(ctx context.Context, id string, m reward.Mint) error {
	data, err := mintCall(m)
	if err != nil {
		return err
	}
	return s.send(ctx, m.Chain, gas.Transaction{ID: id, From: s.claimer, To: m.Contract, Data: data})
}

func (s sender) Transfer(ctx context.Context, id string, x reward.Transfer) error {
	data, err := transferCall(s.treasury, x.To, withdrawal.Asset{
		Contract: x.Contract, Standard: x.Standard, TokenID: x.TokenID, Amount: x.Amount,
	})
	if err != nil {
		return err
	}
	return s.send(ctx, x.Chain, gas.Transaction{ID: id, From: s.treasury, To: x.Contract, Data: data})
}

func (s sender) send(ctx context.Context, chain onchain.ChainID, t gas.Transaction) error {
	c := s.chains[chain]
	if c == nil {
		return fault.New(fault.Invalid, "there is no chain %d", chain)
	}
	_, err := c.queue.Send(ctx, t)
	return err
}

func (s sender) Outcome(ctx context.Context, id string) (done bool, failed string, err error) {
	for _, c := range s.chains {
		t, err := c.queue.Transaction(ctx, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		return t.State == gas.TransactionMined, reasonOf(t), err
	}
	return false, "", fault.New(fault.NotFound, "There is no transaction %s.", id)
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
