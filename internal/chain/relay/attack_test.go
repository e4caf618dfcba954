package relay_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/relay"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
)

// deposit is the paymaster's deposit at the EntryPoint, in wei.
func (s *site) deposit() *big.Int {
	s.Helper()
	abi := contracts.NewEntryPoint()
	return ask(s, s.at.EntryPoint, abi.PackBalanceOf(common.Address(s.at.Paymaster)), abi.UnpackBalanceOf)
}

// An account collects sponsored, signed operations with large limits under fresh nonce keys, does not send
// them to the relay, and runs them itself to collect what they pay.
// Spec: GAS-8
func TestAttack_SponsorshipIsCollectedAndRunOutside(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.policy.Budget.Player.Operations = 1
		p := s.player("P", 100_000_000)
		thief := devnet.WalletOf(devnet.Seller(5)).Address
		good := p.prepare(p.purchase(items, 1))
		for what, c := range map[string]struct {
			code   int
			reason string
			change func(op *eth.UserOperation)
		}{
			"pre-verification gas of 9.3 million": {
				-32501, "gas", func(op *eth.UserOperation) { op.PreVerificationGas = eth.NewQuantity(9_300_000) },
			},
			"a fee of 5 gwei": {-32501, "fee", func(op *eth.UserOperation) { op.MaxFeePerGas = eth.NewQuantity(5_000_000_000) }},
			"a tip of 5 gwei": {-32501, "fee", func(op *eth.UserOperation) {
				op.MaxFeePerGas, op.MaxPriorityFeePerGas = eth.NewQuantity(5_000_000_000), eth.NewQuantity(5_000_000_000)
			}},
			// The relayer pays for what the operation does not cover, beyond every budget.
			"no fee": {-32501, "fee", func(op *eth.UserOperation) {
				op.MaxFeePerGas, op.MaxPriorityFeePerGas = eth.Quantity{}, eth.Quantity{}
			}},
			"a fee of 1 wei": {-32501, "fee", func(op *eth.UserOperation) {
				op.MaxFeePerGas, op.MaxPriorityFeePerGas = eth.NewQuantity(1), eth.Quantity{}
			}},
			"no pre-verification gas": {-32501, "gas", func(op *eth.UserOperation) { op.PreVerificationGas = eth.Quantity{} }},
			"a fresh nonce key":       {-32501, "nonce-key", func(op *eth.UserOperation) { op.Nonce[20] = 1 }},
			"verification gas":        {-32501, "gas", func(op *eth.UserOperation) { op.VerificationGasLimit = eth.NewQuantity(2_000_000) }},
			"call gas":                {-32501, "gas", func(op *eth.UserOperation) { op.CallGasLimit = eth.NewQuantity(3_000_000) }},
			"paymaster gas": {-32501, "gas", func(op *eth.UserOperation) {
				op.PaymasterVerificationGasLimit = eth.NewQuantity(1_000_000)
			}},
		} {
			op := *good
			op.PaymasterData = nil
			c.change(&op)
			err := p.sign(&op)
			t.Run(what, func(t *testing.T) { wantRefusal(t, err, c.code, c.reason) })
		}

		before := s.deposit()
		id := s.broadcast(devnet.Seller(5), s.at.EntryPoint, outside(thief, good), priority)
		testkit.Eventually(t, 10*time.Second, func() bool {
			r, err := s.client.TransactionReceipt(t.Context(), id)
			return err == nil && r.Status == 0
		}, "running a sponsored operation from outside did not fail")
		if after := s.deposit(); after.Cmp(before) != 0 {
			t.Errorf("the paymaster's deposit went from %s to %s", before, after)
		}
		// The day's only operation was reserved when it was sponsored.
		s.start()
		p.await(p.send(good))
		wantRefusal(t, p.complete(p.draft(0, p.purchase(items, 1))), -32504, "gas-player")
	})
}

// An operation that would change nothing only burns gas.
// Spec: GAS-8
func TestAttack_OperationsThatDoNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.start()
	p := s.player("P", 100_000_000)
	token, item := contracts.NewTestToken(), contracts.NewCollection1155()
	nothing := gas.Call{Target: s.at.USDC, Data: token.PackApprove(common.Address(s.at.Marketplace), new(big.Int))}
	none := gas.Call{Target: s.at.Collections["game-items"], Data: item.PackSetApprovalForAll(common.Address(s.at.Marketplace), false)}
	burnNone := gas.Call{Target: s.at.Collections["chests"], Data: item.PackBurn(common.Address(p.Smart), big.NewInt(1), big.NewInt(0))}
	for what, calls := range map[string][]gas.Call{
		"withdrawing no approval": {none}, "approving nothing again": {nothing}, "both": {none, nothing}, "burning none": {burnNone},
		"burning none at a purchase": append(p.purchase(items, 1), burnNone),
	} {
		err := p.complete(p.draft(0, calls))
		t.Run(what, func(t *testing.T) { wantRefusal(t, err, -32501, "nothing-to-do") })
	}
	p.await(p.send(p.prepare(p.purchase(items, 1))))
}

// contacts reports who has confirmed an email address.
type contacts map[string]bool

func (c contacts) Confirmed(_ context.Context, player string) (bool, error) { return c[player], nil }

// Spec: GAS-7
func TestSponsorship_NeedsAConfirmedAddressWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.contacts = contacts{"confirmed": true}
	s.assemble(s.chain.Client(), s.g, s.g)
	unconfirmed, confirmed := s.player("unconfirmed", 10_000_000), s.player("confirmed", 10_000_000)
	wantRefusal(t, unconfirmed.complete(unconfirmed.draft(0, unconfirmed.purchase(items, 1))), -32501, "email")
	confirmed.prepare(confirmed.purchase(items, 1))
}

// A signed operation is useless once its session has ended; what was accepted before continues.
// Spec: GAS-10
func TestAttack_SignatureIsSentAfterLoggingOut(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		p, q := s.player("P", 100_000_000), s.player("Q", 100_000_000)
		accepted := q.send(q.prepare(q.purchase(items, 1)))
		stolen := p.prepare(p.purchase(items, 1))
		for _, player := range []string{"P", "Q"} {
			if _, err := accounts.New(g.DB).RevokeSession(t.Context(), sessionOf(player), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		// Another session of the same player does not help.
		if err := g.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertSession(ctx, gen.InsertSessionParams{
				ID: "new", PlayerID: "P", SecretHash: "new", ExpiresAt: column.At(time.UnixMilli(1 << 50)),
			})
		}); err != nil {
			t.Fatal(err)
		}
		_, err := p.trySend(stolen)
		wantRefusal(t, err, -32501, "sponsorship")
		_, err = s.signer.SignUserOperation(t.Context(), "P", "new", s.chain.ID(), stolen)
		if f := fault.As(err); f == nil || f.Reason != "sponsorship" {
			t.Errorf("signing it again: %v", err)
		}
		s.start()
		if r := q.await(accepted); !r.Success {
			t.Error(r.Reason)
		}
	})
}

// If anyone may send, an operation that was signed in a session and held back becomes useless shortly after the session
// ends: its nonce is used up.
// Spec: GAS-10
func TestAttack_SignatureIsKeptForAfterTheSessionWhereAnybodyMaySend(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		ends := map[string]func(p *player) error{
			"signing out": func(p *player) error {
				_, err := accounts.New(g.DB).RevokeSession(t.Context(), sessionOf(p.id), time.Now())
				return err
			},
			"a freeze": func(p *player) error {
				_, err := operators.Store(g).FreezePlayer(t.Context(), p.id, operator.Entry{Reason: "stolen card", At: time.Now()})
				return err
			},
		}
		var named []*player // only the relayer may send for these, so nothing needs to be cancelled
		for what, end := range ends {
			p := s.player("named, "+what, 100_000_000)
			p.prepare(p.purchase(items, 1))
			if err := end(p); err != nil {
				t.Fatal(err)
			}
			named = append(named, p)
		}
		s.letAnybodySend()
		s.start()
		for what, end := range ends {
			for _, deployed := range []bool{false, true} {
				p := s.player(fmt.Sprint(what, deployed), 100_000_000)
				nonce := int64(0)
				if deployed {
					p.await(p.send(p.prepare(p.purchase(items, 1))))
					nonce = 1
				}
				stolen := p.prepare(p.purchase(items, 1))
				had := s.owned(p.Smart, 1)
				if err := end(p); err != nil {
					t.Fatal(err)
				}
				testkit.Eventually(t, 20*time.Second, func() bool { return s.nonce(p.Smart) == nonce+1 },
					"%s, deployed %v: the nonce is not used up", what, deployed)
				id := s.broadcast(devnet.Seller(5), s.at.EntryPoint, outside(devnet.WalletOf(devnet.Seller(5)).Address, stolen), priority)
				testkit.Eventually(t, 10*time.Second, func() bool {
					r, err := s.client.TransactionReceipt(t.Context(), id)
					return err == nil && r.Status == 0
				}, "%s, deployed %v: the kept operation did not fail", what, deployed)
				if now := s.owned(p.Smart, 1); now != had {
					t.Errorf("%s, deployed %v: the player had %d items and has %d", what, deployed, had, now)
				}
				testkit.Eventually(t, 10*time.Second, func() bool {
					left, err := g.EndedSponsorships(t.Context(), s.chain.ID(), time.Now(), 10)
					return err == nil && len(left) == 0
				}, "%s, deployed %v: something is left to be cancelled", what, deployed)
			}
		}
		for _, p := range named {
			if n := s.nonce(p.Smart); n != 0 {
				t.Errorf("the nonce of %q was used up", p.id)
			}
		}
	})
}

// If anyone may send, an operation that the relay dropped is still cancelled.
// Spec: GAS-10
func TestAttack_WhatTheRelayDroppedForAFreezeIsSentByAnother(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.letAnybodySend()
		p := s.player("P", 100_000_000)
		op := p.prepare(p.purchase(items, 1))
		p.send(op) // the relay is stopped: the operation waits
		_, err := operators.Store(g).FreezePlayer(t.Context(), "P", operator.Entry{Reason: "stolen card", At: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		s.start()
		testkit.Eventually(t, 20*time.Second, func() bool { return s.nonce(p.Smart) == 1 }, "the nonce is not used up")
		id := s.broadcast(devnet.Seller(5), s.at.EntryPoint, outside(devnet.WalletOf(devnet.Seller(5)).Address, op), priority)
		testkit.Eventually(t, 10*time.Second, func() bool {
			r, err := s.client.TransactionReceipt(t.Context(), id)
			return err == nil && r.Status == 0
		}, "the dropped operation did not fail")
		if n := s.owned(p.Smart, 1); n != 0 {
			t.Errorf("the frozen player has bought %d items", n)
		}
	})
}

// failing is a Canceller that fails for one player.
type failing struct {
	relay.Canceller
	player string
}

func (f failing) SignCancellation(ctx context.Context, player string, chain onchain.ChainID, op *eth.UserOperation) (eth.Bytes, error) {
	if player == f.player {
		return nil, errors.New("the key cannot be read")
	}
	return f.Canceller.SignCancellation(ctx, player, chain, op)
}

func TestCancellation_ThatFailsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.letAnybodySend()
	first, second := s.player("first", 100_000_000), s.player("second", 100_000_000)
	for _, p := range []*player{first, second} {
		p.prepare(p.purchase(items, 1))
		if _, err := accounts.New(s.g.DB).RevokeSession(t.Context(), sessionOf(p.id), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	s.canceller = failing{s.signer, "first"}
	s.assemble(s.chain.Client(), s.g, s.g)
	s.start()
	testkit.Eventually(t, 20*time.Second, func() bool { return s.nonce(second.Smart) == 1 }, "the second operation is not cancelled")
	testkit.Eventually(t, 10*time.Second, func() bool {
		err := s.relay.State(s.chain.ID())
		return err != nil && strings.Contains(err.Error(), "the key cannot be read")
	}, "the first one's failure is not reported")
	if n := s.nonce(first.Smart); n != 0 {
		t.Errorf("the first account's nonce is %d", n)
	}
}

// nonce is an account's next nonce of key 0.
func (s *site) nonce(of eth.Address) int64 {
	s.Helper()
	abi := contracts.NewEntryPoint()
	return ask(s, s.at.EntryPoint, abi.PackGetNonce(common.Address(of), new(big.Int)), abi.UnpackGetNonce).Int64()
}

// Freezing a player drops queued operations; those already sent continue.
func TestRelay_DropsWhatAFrozenPlayerHasWaiting(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		p, q := s.player("P", 100_000_000), s.player("Q", 100_000_000)
		frozen, other := p.send(p.prepare(p.purchase(items, 1))), q.send(q.prepare(q.purchase(items, 1)))
		_, err := operators.Store(g).FreezePlayer(t.Context(), "P", operator.Entry{Reason: "stolen card", At: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		s.start()
		s.hears(frozen, "accepted", "dropped")
		if r := q.await(other); !r.Success || s.owned(p.Smart, 1) != 0 {
			t.Errorf("%+v; the frozen player has %d items", r, s.owned(p.Smart, 1))
		}
	})
}

// If anyone may send, an attacker runs its operation outside the relay while the bundle with it is in flight, so that
// the bundle reverts. The other operations of the bundle are not blamed.
// Spec: GAS-12
func TestAttack_PoisonedBundle(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.letAnybodySend()
		attacker := s.player("attacker", 100_000_000)
		var innocents []*player
		for i := range 3 {
			innocents = append(innocents, s.player(fmt.Sprint("innocent ", i), 100_000_000))
		}
		s.stopMining()
		s.start()
		for round := range 4 { // more often than an operation may revert
			poison := attacker.prepare(attacker.purchase(items, 1))
			poisoned := attacker.send(poison)
			var hashes []eth.Hash
			for _, p := range innocents {
				hashes = append(hashes, p.send(p.prepare(p.purchase(items, 1))))
			}
			testkit.Eventually(t, 20*time.Second, func() bool {
				op, err := g.Operation(t.Context(), poisoned)
				return err == nil && op.State == gas.OperationSent
			}, "round %d: no bundle was sent", round)
			s.broadcast(devnet.Seller(5), s.at.EntryPoint, outside(devnet.WalletOf(devnet.Seller(5)).Address, poison), priority)
			done := func(p *player, hash eth.Hash) bool {
				if _, err := s.chain.Mine(t.Context()); err != nil {
					t.Fatal(err)
				}
				op, err := g.Operation(t.Context(), hash)
				if err != nil || op.State == gas.OperationDropped {
					t.Fatalf("round %d: the operation of %s is %s: %s (%v)", round, p.id, op.State, op.Reason, err)
				}
				return op.State == gas.OperationIncluded
			}
			testkit.Eventually(t, 20*time.Second, func() bool { return done(attacker, poisoned) }, "round %d: the attacker's was not settled", round)
			for i, p := range innocents {
				testkit.Eventually(t, 20*time.Second, func() bool { return done(p, hashes[i]) }, "round %d: %s did not get through", round, p.id)
			}
		}
	})
}
