package relay_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

// On a chain whose blocks have no base fee, operations offer its price, bundles are of the type before EIP-1559, and what a session left
// behind is cancelled.
func TestRelay_ChainWithoutABaseFee(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.letAnybodySend()
	node, err := s.chain.Handler()
	if err != nil {
		t.Fatal(err)
	}
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: s.chain.ID(), URL: testkit.WithoutBaseFee(t, node)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s.assemble(client, s.g, s.g)
	s.start()
	prepare := func(p *player) *eth.UserOperation {
		op := p.draft(0, p.purchase(items, 1))
		if err := client.CallContext(t.Context(), &op.MaxPriorityFeePerGas, "eth_maxPriorityFeePerGas"); err != nil {
			t.Fatal(err)
		}
		op.MaxFeePerGas = op.MaxPriorityFeePerGas
		if err := p.complete(op); err != nil {
			t.Fatal(err)
		}
		return op
	}
	p, former := s.player("P", 100_000_000), s.player("former", 100_000_000)
	r := p.await(p.send(prepare(p)))
	if !r.Success || s.owned(p.Smart, 1) != 1 || r.Receipt.Type != types.LegacyTxType {
		t.Errorf("the player has %d items, by a bundle of type %d: %s", s.owned(p.Smart, 1), r.Receipt.Type, r.Reason)
	}
	prepare(former)
	if _, err := accounts.New(s.g.DB).RevokeSession(t.Context(), sessionOf(former.id), time.Now()); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, time.Minute, func() bool { return s.nonce(former.Smart) == 1 }, "the operation is not cancelled")
}
