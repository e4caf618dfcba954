package app

import (
	"context"
	"fmt"

	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/withdrawal"
)

// newRewards returns the service that gives rewards.
func newRewards(b *base, platform platform, chains chains) *reward.Service {
	s := reward.NewService(crashable[reward.Store](platform.rewards),
		crashable[reward.Sender](sender{chains.of, b.frozen, eth.MustAddress(b.config.Wallets.Claimer), b.treasury.Wallet}), b.treasury, b.clock)
	b.lead("rewards", s.Run)
	b.leader["rewards watch"] = b.watchRewards
	return s
}

// sender sends rewards through the queues of the claimer's and the treasury's wallets.
type sender struct {
	chains            map[onchain.ChainID]*chainParts
	frozen            *frozenChains
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
		return fmt.Errorf("there is no chain %d", chain) // this process may be older than a move
	}
	if err := s.frozen.waits(chain); err != nil {
		return err
	}
	t.Data = txqueue.Tagged(t.ID, t.Data)
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
