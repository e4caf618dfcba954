package relay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/chain/txqueue/queuetest"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// wantRefusal checks an error's code and that its message or reason contains the text.
func wantRefusal(t testing.TB, err error, code int, text string) {
	t.Helper()
	r, ok := errors.AsType[*refusal](err)
	if !ok || r.Code != code || (!strings.Contains(r.Message, text) && r.Data.Reason != text && r.Data.Fields[text] == "") {
		t.Errorf("%v, want error %d with %q", err, code, text)
	}
}

// Spec: GAS-3, GAS-4
func TestRelay_GaslessPurchase(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.start()
		p := s.player("P", 100_000_000)
		seller := devnet.WalletOf(devnet.Seller(1)).Address

		first := p.prepare(p.purchase(items, 2)) // deploys the account as well
		if first.Factory == nil {
			t.Fatal("the account was there already")
		}
		hash := p.send(first)
		r := p.await(hash)
		if !r.Success || r.Reason != "" || r.UserOpHash != hash || r.Sender != p.Smart || r.EntryPoint != s.at.EntryPoint ||
			r.Paymaster != s.at.Paymaster ||
			r.ActualGasUsed.IsZero() || r.ActualGasCost.IsZero() || r.Receipt == nil || r.Receipt.Status != 1 {
			t.Fatalf("the receipt is %+v", r)
		}
		if n := len(r.Logs); n < 4 || r.Logs[n-1].Topics[1] != common.Hash(hash) {
			t.Errorf("the receipt has %d logs, want those of the operation up to the EntryPoint's", n)
		}
		if s.owned(p.Smart, 1) != 2 || s.usdc(p.Smart) != 90_000_000 || s.usdc(seller) != 9_750_000 { // 2.5 % goes to the studio
			t.Fatalf("the player has %d items and %d, the seller %d", s.owned(p.Smart, 1), s.usdc(p.Smart), s.usdc(seller))
		}
		s.hears(hash, "accepted", "sent", "included")

		var found struct {
			UserOperation   eth.UserOperation
			TransactionHash common.Hash
			BlockNumber     eth.Quantity
			BlockHash       common.Hash
		}
		if err := p.rpc(s.relay.HandleBundler, &found, "eth_getUserOperationByHash", hash); err != nil {
			t.Fatal(err)
		}
		if found.UserOperation.Hash(s.at.EntryPoint, uint64(s.chain.ID())) != hash || found.TransactionHash != r.Receipt.TxHash ||
			found.BlockHash != r.Receipt.BlockHash || found.BlockNumber.Big().Cmp(r.Receipt.BlockNumber) != 0 {
			t.Errorf("found by its hash: %+v", found)
		}

		second := p.prepare(p.purchase(avatar, 1)) // an ERC-721 token, with the account in place
		if second.Factory != nil {
			t.Fatal("the account is not there")
		}
		if r := p.await(p.send(second)); !r.Success {
			t.Fatalf("the second purchase failed: %s", r.Reason)
		}
		abi := contracts.NewCollection721()
		if owner := ask(s, s.at.Collections["avatars"], abi.PackOwnerOf(big.NewInt(1)), abi.UnpackOwnerOf); owner != common.Address(p.Smart) {
			t.Errorf("the avatar belongs to %s", owner)
		}
		if again := p.send(first); again != hash {
			t.Errorf("sending the same operation again gives %s, want %s", again, hash)
		}
		if s.owned(p.Smart, 1) != 2 {
			t.Error("it was carried out again")
		}
		if err := s.relay.State(s.chain.ID()); err != nil {
			t.Error(err)
		}
	})
}

// bundles returns how many transactions the relayer has sent.
func (s *site) bundles() uint64 {
	s.Helper()
	n, err := s.client.NonceAt(s.Context(), common.Address(devnet.WalletOf(devnet.GasRelayer).Address), nil)
	if err != nil {
		s.Fatal(err)
	}
	return n
}

// Spec: GAS-12
func TestRelay_ManyPlayersShareFewBundles(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		const n = 20
		players := make([]*player, n)
		for i := range players {
			players[i] = s.player(fmt.Sprint("P", i), 5_000_000)
		}
		hashes := make([]eth.Hash, n)
		var wg sync.WaitGroup
		for i, p := range players {
			wg.Go(func() {
				op := p.draft(0, p.purchase(items, 1))
				err := p.complete(op)
				if err == nil {
					hashes[i], err = p.trySend(op)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		s.start()
		for i, p := range players {
			if r := p.await(hashes[i]); !r.Success || s.owned(p.Smart, 1) != 1 {
				t.Errorf("player %d: %+v", i, r)
			}
		}
		if got := s.bundles(); got > 3 {
			t.Errorf("%d transactions for %d operations", got, n)
		}
	})
}

func TestRelay_PlayersInParallelAllBuy(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.start()
	const n = 20
	players := make([]*player, n)
	for i := range players {
		players[i] = s.player(fmt.Sprint("P", i), 10_000_000)
	}
	var wg sync.WaitGroup
	for _, p := range players {
		wg.Go(func() {
			for range 2 {
				op := p.draft(0, p.purchase(items, 1))
				if err := p.complete(op); err != nil {
					t.Error(err)
					return
				}
				hash, err := p.trySend(op)
				if err != nil {
					t.Error(err)
					return
				}
				if r := p.await(hash); !r.Success {
					t.Error(r.Reason)
				}
			}
		})
	}
	wg.Wait()
	for _, p := range players {
		if s.owned(p.Smart, 1) != 2 {
			t.Errorf("%s has %d items, want 2", p.id, s.owned(p.Smart, 1))
		}
	}
}

// Spec: GAS-9
func TestRelay_AnAccountHasOneOperationAtATime(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 100_000_000)
	one, two := p.prepare(p.purchase(items, 1)), p.prepare(p.purchase(items, 2))
	_, err := p.trySend(one) // the second sponsorship has replaced it
	wantRefusal(t, err, -32501, "sponsorship")
	p.send(two)
	wantRefusal(t, p.complete(p.draft(0, p.purchase(items, 1))), -32501, "busy")
	s.start()
	p.await(p.send(two))
	used := p.draft(0, p.purchase(items, 1))
	used.Nonce = two.Nonce
	wantRefusal(t, p.complete(used), -32500, "AA25 invalid account nonce")
	p.await(p.send(p.prepare(p.purchase(items, 1))))
	if got := s.owned(p.Smart, 1); got != 3 {
		t.Errorf("%d items, want 3", got)
	}
}

// Spec: GAS-11
func TestRelay_WhatWouldRevertIsRefusedBeforeMoneyIsSpent(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	poor := s.player("poor", 4_999_999)
	op := poor.draft(0, poor.purchase(items, 1)) // the account is not deployed: calls to it would do nothing
	wantRefusal(t, poor.complete(op), -32521, "!BAL20")

	rich := s.player("rich", 100_000_000)
	good := rich.prepare(rich.purchase(lone, 1))
	s.start()
	other := s.player("other", 100_000_000)
	other.await(other.send(other.prepare(other.purchase(lone, 1))))
	_, err := rich.trySend(good) // possible when it was signed, but no longer
	wantRefusal(t, err, -32521, "execution reverted")
	if r, ok := errors.AsType[*refusal](err); !ok || len(r.Data.Revert) == 0 {
		t.Errorf("the answer does not carry the revert: %+v", r)
	}
	if got := s.bundles(); got != 1 {
		t.Errorf("%d transactions were sent, want one", got)
	}
}

// Spec: GAS-11
func TestRelay_WhatFailsOnChainIsReportedWithItsReason(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		one, two := s.player("one", 100_000_000), s.player("two", 100_000_000)
		hashes := []eth.Hash{one.send(one.prepare(one.purchase(lone, 1))), two.send(two.prepare(two.purchase(lone, 1)))}
		s.start()
		first, second := one.await(hashes[0]), two.await(hashes[1])
		if first.Success == second.Success {
			t.Fatalf("both ended alike: %v", first.Success)
		}
		loser, failed, lost := two, second, hashes[1]
		if second.Success {
			loser, failed, lost = one, first, hashes[0]
		}
		if failed.Reason != "Marketplace: invalid listing." {
			t.Errorf("failed because %q", failed.Reason)
		}
		if got := s.usdc(loser.Smart); got != 100_000_000 {
			t.Errorf("the loser paid: %d left", got)
		}
		op, err := g.Operation(t.Context(), lost)
		if err != nil || op.State != gas.OperationFailed || op.Reason != failed.Reason {
			t.Errorf("kept as %+v (%v)", op, err)
		}
		s.hears(lost, "accepted", "sent", "failed")
		if s.bundles() != 1 {
			t.Error("they did not travel together")
		}
	})
}

// A chain that was idle, or a node that is behind, has an old newest block: the next block is of now.
func TestRelay_SponsorshipLastsTenMinutesFromNowWhenTheNewestBlockIsOld(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.ahead = time.Hour
	s.assemble(s.chain.Client(), s.g, s.g)
	p := s.player("P", 100_000_000)
	op := p.draft(0, p.purchase(items, 1))
	_ = p.complete(op) // the signer's clock is the chain's, so it refuses
	given, err := contracts.ParseSponsorship(op.PaymasterData)
	if err != nil {
		t.Fatal(err)
	}
	if left := given.ValidUntil.Sub(chainClock{s.client, s.ahead}.Now()); left < 9*time.Minute || left > 10*time.Minute {
		t.Errorf("it is valid for %s", left)
	}
}

// Spec: GAS-12
func TestRelay_CulpritIsDroppedAndTheOthersGo(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.validity = 30 * time.Second
		s.assemble(s.chain.Client(), g, g)
		var stale []*player
		var hashes []eth.Hash
		for i := range 3 {
			p := s.player(fmt.Sprint("stale ", i), 100_000_000)
			stale = append(stale, p)
			hashes = append(hashes, p.send(p.prepare(p.purchase(items, 1))))
		}
		for range 40 { // each block is at least a second later: the sponsorships expire
			if _, err := s.chain.Mine(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		good := s.player("good", 100_000_000)
		hash := good.send(good.prepare(good.purchase(items, 1)))
		s.start()
		if r := good.await(hash); !r.Success {
			t.Fatal(r.Reason)
		}
		for i, p := range stale {
			err := p.rpc(s.relay.HandleBundler, nil, "eth_getUserOperationReceipt", hashes[i])
			wantRefusal(t, err, -32500, "AA32 paymaster expired or not due")
			s.hears(hashes[i], "accepted", "dropped")
		}
		// A dropped operation has not used its nonce.
		if r := stale[0].await(stale[0].send(stale[0].prepare(stale[0].purchase(items, 1)))); !r.Success {
			t.Error(r.Reason)
		}
	})
}

func TestRelay_QueuedPurchaseThatBecomesImpossibleIsDropped(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 100_000_000)
	hash := p.send(p.prepare(p.purchase(lone, 1)))
	s.transact(devnet.Seller(2), s.at.Marketplace, contracts.NewDirectListingsLogic().PackCancelListing(big.NewInt(lone)))
	s.start()
	s.hears(hash, "accepted", "dropped")
	wantRefusal(t, p.rpc(s.relay.HandleBundler, nil, "eth_getUserOperationReceipt", hash), -32500, "execution reverted")
	if s.bundles() != 0 {
		t.Error("money was spent on it")
	}
}

// outside returns the transaction data that runs operations without the relay, with the fees paid to the beneficiary.
func outside(beneficiary eth.Address, ops ...*eth.UserOperation) []byte {
	packed := make([]contracts.PackedUserOperation, len(ops))
	for i, op := range ops {
		p := op.Packed()
		packed[i] = contracts.PackedUserOperation{
			Sender: common.Address(p.Sender), Nonce: p.Nonce.Big(), InitCode: p.InitCode, CallData: p.CallData,
			AccountGasLimits: p.AccountGasLimits, PreVerificationGas: p.PreVerificationGas.Big(), GasFees: p.GasFees,
			PaymasterAndData: p.PaymasterAndData, Signature: p.Signature,
		}
	}
	return contracts.NewEntryPoint().PackHandleOps(packed, common.Address(beneficiary))
}

// letAnybodySend empties the paymaster's list of relayers.
func (s *site) letAnybodySend() {
	s.Helper()
	s.transact(devnet.Manager, s.at.Paymaster, contracts.NewPantheonPaymaster().
		PackSetRelayer(common.Address(devnet.WalletOf(devnet.GasRelayer).Address), false))
}

func TestRelay_OperationThatSomebodyElseSendsIsSettled(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.letAnybodySend()
	p := s.player("P", 100_000_000)
	op := p.prepare(p.purchase(items, 1))
	hash := p.send(op)
	s.transact(devnet.Seller(5), s.at.EntryPoint, outside(devnet.WalletOf(devnet.Seller(5)).Address, op))
	s.start()
	if r := p.await(hash); !r.Success || s.owned(p.Smart, 1) != 1 {
		t.Fatalf("settled as %+v", r)
	}
	if s.bundles() != 0 {
		t.Error("it was sent once more")
	}
}

func TestRelay_WhatThePolicyDoesNotAllowIsNotRelayed(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p, q := s.player("P", 100_000_000), s.player("Q", 100_000_000)
	good := p.prepare(p.purchase(items, 1))
	refused := func(code int, text string, change func(op *eth.UserOperation)) {
		t.Helper()
		op := *good
		change(&op)
		_, err := p.trySend(&op)
		wantRefusal(t, err, code, text)
	}
	call := func(target eth.Address, data []byte) func(op *eth.UserOperation) {
		return func(op *eth.UserOperation) { op.CallData = callData([]gas.Call{{Target: target, Data: data}}) }
	}
	token := contracts.NewTestToken()
	refused(-32501, "sender", func(op *eth.UserOperation) { op.Sender = q.Smart })
	refused(-32501, "selector", call(s.at.USDC, token.PackTransfer(common.Address(q.Smart), big.NewInt(1))))
	refused(-32501, "target", call(s.at.GOD, token.PackTransfer(common.Address(q.Smart), big.NewInt(1))))
	refused(-32501, "arguments", call(s.at.USDC, token.PackApprove(common.Address(q.Smart), big.NewInt(1))))
	refused(-32501, "entry-point", call(s.at.EntryPoint, contracts.NewEntryPoint().PackDepositTo(common.Address(q.Smart))))
	refused(-32501, "factory", func(op *eth.UserOperation) { op.FactoryData = gas.FactoryData(q.Owner) })
	refused(-32501, "gas", func(op *eth.UserOperation) { op.CallGasLimit = eth.NewQuantity(14_000_000) })
	refused(-32501, "our own paymaster", func(op *eth.UserOperation) { op.Paymaster = &q.Smart })
	refused(-32507, "AA24", func(op *eth.UserOperation) {
		op.Signature = append(slices.Clone(op.Signature[:64]), op.Signature[64]^7)
	})
	refused(-32501, "nonce-key", func(op *eth.UserOperation) { op.Nonce[0] = 1 })
	refused(-32501, "paymaster", func(op *eth.UserOperation) { op.PaymasterPostOpGasLimit = eth.NewQuantity(1) })
	// such an operation is not signed
	refused(-32507, "AA24", func(op *eth.UserOperation) { op.PreVerificationGas = eth.NewQuantity(100_000) })
	refused(-32602, "callGasLimit", func(op *eth.UserOperation) { op.CallGasLimit = eth.Quantity{0: 1} })
	refused(-32500, "not deployed", func(op *eth.UserOperation) { op.Factory, op.FactoryData = nil, nil })

	if err := q.rpc(s.relay.HandleBundler, nil, "eth_sendUserOperation", good, s.at.EntryPoint); true {
		wantRefusal(t, err, -32501, "sender") // another player's, correctly signed
	}
	wantRefusal(t, p.rpc(s.relay.HandleBundler, nil, "eth_sendUserOperation", good, p.Smart), -32602, "EntryPoint")
	elsewhere := func(ctx context.Context, c gas.Caller, _ onchain.ChainID, body json.RawMessage) json.RawMessage {
		return s.relay.HandleBundler(ctx, c, 1, body)
	}
	wantRefusal(t, p.rpc(elsewhere, nil, "eth_sendUserOperation", good, s.at.EntryPoint), -32602, "chain 1")
	wantRefusal(t, p.rpc(s.relay.HandlePaymaster, nil, "pm_getPaymasterData", good, s.at.EntryPoint, eth.NewQuantity(1), nil), -32602, "chain")
	greedy := *good
	greedy.MaxFeePerGas = eth.NewQuantity(1_000_000_000_000)
	wantRefusal(t, p.sign(&greedy), -32501, "The fee of 1000000000000 wei per gas is above")
	nobody := &player{s, "nobody", p.Account}
	_, err := nobody.trySend(good)
	wantRefusal(t, err, -32602, "wallet")

	hash := p.send(good)
	for _, method := range []string{"eth_getUserOperationReceipt", "eth_getUserOperationByHash"} {
		var seen json.RawMessage
		if err := q.rpc(s.relay.HandleBundler, &seen, method, hash); err != nil || string(seen) != "null" {
			t.Errorf("%s shows another player's operation: %s (%v)", method, seen, err)
		}
	}
}

// Spec: PAY-13
func TestRelay_GuardIsHeard(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 100_000_000)
	op := p.prepare(p.purchase(items, 1))
	held := error(fault.New(fault.Conflict, "Somebody else holds this item.").WithReason("held"))
	s.guard.refusal.Store(&held)
	_, err := p.trySend(op)
	wantRefusal(t, err, -32501, "held")
	wantRefusal(t, p.sign(p.draft(0, p.purchase(items, 1))), -32501, "held")
	s.guard.refusal.Store(nil)
	p.send(op)
}

func TestRelay_QuotaIsKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.policy.Budget.Player.Operations = 2
	s.start()
	p := s.player("P", 100_000_000)
	for range 2 {
		p.await(p.send(p.prepare(p.purchase(items, 1))))
	}
	op := p.draft(0, p.purchase(items, 1))
	err := p.complete(op)
	wantRefusal(t, err, -32504, "gas-player")
	if r, ok := errors.AsType[*refusal](err); !ok || r.Data.RetryAfter < 1 {
		t.Errorf("the answer does not say when to come back: %+v", r)
	}
	q := s.player("Q", 100_000_000)
	q.await(q.send(q.prepare(q.purchase(items, 1))))
}

func TestRelay_EstimatesSuffice(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.start()
	for _, n := range []int{1, 20, 200} {
		p := s.player(fmt.Sprint("P", n), 100_000_000)
		chests, one := s.at.Collections["chests"], big.NewInt(1)
		mint, err := contracts.Mint1155(p.Smart, one, big.NewInt(int64(2*n)))
		if err != nil {
			t.Fatal(err)
		}
		s.transact(devnet.Manager, chests, mint)
		burn := gas.Call{Target: chests, Data: contracts.NewCollection1155().PackBurn(common.Address(p.Smart), one, one)}
		for _, when := range []string{"undeployed", "deployed"} {
			calls := slices.Repeat([]gas.Call{burn}, n)
			op := p.prepare(calls)
			r := p.await(p.send(op))
			if !r.Success {
				t.Fatalf("%d calls, %s: %s", n, when, r.Reason)
			}
			limit, _ := op.CallGasLimit.Uint64()
			used, _ := r.ActualGasUsed.Uint64()
			if limit > used {
				t.Errorf("%d calls, %s: the call gas limit %d is more than all the gas used, %d", n, when, limit, used)
			}
			paid := r.Receipt.GasUsed
			if used < paid {
				t.Errorf("%d calls, %s: the paymaster paid for %d gas of %d", n, when, used, paid)
			}
			t.Logf("%d calls, %s: verification %v, calls %d, pre-verification %v; %d used, the transaction %d", n, when,
				op.VerificationGasLimit.Big(), limit, op.PreVerificationGas.Big(), used, paid)
		}
	}
}

func TestRelay_DataThatTheParentChainChargesForIsPaid(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 100_000_000)
	plain := p.prepare(p.purchase(items, 1))
	priced := uint64(1_000_000)
	s.dataGas = &priced
	s.assemble(s.chain.Client(), s.g, s.g)
	s.start()
	op := p.prepare(p.purchase(items, 1))
	before, _ := plain.PreVerificationGas.Uint64()
	now, _ := op.PreVerificationGas.Uint64()
	if now < priced || now < before+900_000 {
		t.Errorf("the operation pays for %d gas of data, want the %d that the chain asks for", now, priced)
	}
	if r := p.await(p.send(op)); !r.Success {
		t.Error(r.Reason)
	}
}

func TestRelay_SameCallsAreAnotherOperationEachTime(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 100_000_000)
	one, two := p.prepare(p.purchase(items, 1)), p.prepare(p.purchase(items, 1))
	if one.Hash(s.at.EntryPoint, uint64(s.chain.ID())) == two.Hash(s.at.EntryPoint, uint64(s.chain.ID())) {
		t.Error("both have the same hash: once dropped, such an operation could not be sent again")
	}
}

func TestRelay_AccountVouchesForItsSignIn(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.start()
	p := s.player("P", 100_000_000)
	message := fmt.Sprintf("pantheon.example wants you to sign in with your Ethereum account:\n%s\n\n\nURI: "+
		"https://pantheon.example\nVersion: 1\nChain ID: %d\nNonce: a1B2c3D4\nIssued At: %s",
		p.Smart.Checksum(), uint64(s.chain.ID()), time.Now().UTC().Format(time.RFC3339))
	signature, err := s.signer.SignMessage(t.Context(), "P", message)
	if err != nil {
		t.Fatal(err)
	}
	hash := eth.Hash(accounts.TextHash([]byte(message)))
	valid := func(signature []byte) bool {
		t.Helper()
		data, err := contracts.SignatureCheck(p.Smart, hash, signature)
		if err != nil {
			t.Fatal(err)
		}
		var out eth.Bytes
		if err := s.chain.Client().CallContext(t.Context(), &out, "eth_call", map[string]any{"data": eth.Bytes(data)}, "latest"); err != nil {
			if _, reverted := txqueue.RevertData(err); reverted {
				return false
			}
			t.Fatal(err)
		}
		return contracts.SignatureValid(out)
	}
	// ERC-6492: abi.encode(factory, factory data, signature), then the magic suffix.
	word := func(n uint64) []byte { q := eth.NewQuantity(n); return q[:] }
	factory := eth.AddressWord(s.at.AccountFactory)
	data := gas.FactoryData(p.Owner)
	wrapped := slices.Concat(factory[:], word(96), word(192), word(uint64(len(data))), data, make([]byte, 28), word(65),
		signature, make([]byte, 31))
	for range 16 {
		wrapped = append(wrapped, 0x64, 0x92)
	}
	if !valid(wrapped) {
		t.Error("not valid before the account is deployed")
	}
	p.await(p.send(p.prepare(p.purchase(items, 1))))
	if !valid(signature) {
		t.Error("not valid for the deployed account")
	}
	signature[10] ^= 1
	if valid(signature) {
		t.Error("a changed signature is valid")
	}
}

// Spec: GAS-13
func TestRelay_OperationSurvivesReorganisations(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		stop := s.start()
		p := s.player("P", 100_000_000)
		for depth := 1; depth <= 12; depth++ {
			if depth > 1 {
				s.stopMining = s.mine()
			}
			hash := p.send(p.prepare(p.purchase(items, 1)))
			p.await(hash)
			s.hears(hash, "accepted", "sent", "included")
			s.stopMining()
			for range depth - 1 {
				if _, err := s.chain.Mine(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.chain.Reorg(t.Context(), depth, nil); err != nil {
				t.Fatal(err)
			}
			s.hears(hash, "accepted", "sent", "included", "sent")
			var r *receipt
			if err := p.rpc(s.relay.HandleBundler, &r, "eth_getUserOperationReceipt", hash); err != nil || r != nil {
				t.Fatalf("depth %d: the receipt of a block that vanished: %+v (%v)", depth, r, err)
			}
			testkit.Eventually(t, 10*time.Second, func() bool {
				if _, err := s.chain.Mine(t.Context()); err != nil {
					t.Fatal(err)
				}
				op, err := g.Operation(t.Context(), hash)
				return err == nil && op.State == gas.OperationIncluded
			}, "depth %d: the operation was not included again", depth)
			if got := s.owned(p.Smart, 1); got != int64(depth) {
				t.Fatalf("depth %d: %d items", depth, got)
			}
			s.hears(hash, "accepted", "sent", "included", "sent", "included")
		}
		stop()
	})
}

func TestRelay_BundleThatIsLostIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	relayer := devnet.WalletOf(devnet.GasRelayer)
	q, err := txqueue.New(txqueue.Options{
		Chain: s.chain.ID(), RPC: s.chain.Client(), Store: s.g, Wallets: []txqueue.Wallet{txqueue.NewKeyWallet(relayer.Key)},
		Clock: clock.System{}, Log: quiet(), Poll: 2 * time.Millisecond, Idle: 5 * time.Millisecond, BumpAfter: 1, BumpWait: time.Nanosecond,
		Finality: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.queue = q
	r, err := relay.New(relay.Options{
		Chains: []relay.Chain{{
			Policy: s.policy, RPC: s.chain.Client(), Queue: q, Relayer: relayer.Address,
			Signer: txqueue.NewKeyWallet(devnet.WalletOf(devnet.PaymasterSigner).Key), Poll: 5 * time.Millisecond,
		}},
		Operations: s.g, Accounts: s.g, Guard: s.guard, Canceller: s.signer, Observer: s.diary, Clock: chainClock{client: s.client}, Log: quiet(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.relay = r
	s.start()
	p := s.player("P", 100_000_000)
	hash := p.send(p.prepare(p.purchase(items, 1)))
	p.await(hash)
	s.stopMining()
	// A branch in which another transaction uses the relayer's nonce.
	id, to := new(big.Int).SetUint64(uint64(s.chain.ID())), common.Address(p.Smart)
	foreign, err := types.SignNewTx(relayer.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: s.bundles() - 1, To: &to, Gas: 50_000, GasFeeCap: big.NewInt(1_000_000_000), GasTipCap: big.NewInt(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.chain.Reorg(t.Context(), 1, func(i int, _ []*types.Transaction) []*types.Transaction {
		if i == 0 {
			return []*types.Transaction{foreign}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 20*time.Second, func() bool {
		if _, err := s.chain.Mine(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.owned(p.Smart, 1) == 1
	}, "the operation was forgotten with its bundle")
	testkit.Eventually(t, 10*time.Second, func() bool {
		op, err := s.g.Operation(t.Context(), hash)
		return err == nil && op.State == gas.OperationIncluded
	}, "the operation was not settled")
	testkit.Eventually(t, 10*time.Second, func() bool {
		heard := s.diary.of(hash)
		return heard[len(heard)-1] == "included"
	}, "the observer was not told")
}

func TestRelay_FailedNotificationsAreRetried(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	s.diary.fail = 7
	s.start()
	p := s.player("P", 100_000_000)
	hash := p.send(p.prepare(p.purchase(items, 1)))
	p.await(hash)
	testkit.Eventually(t, 10*time.Second, func() bool {
		return len(s.diary.of(hash)) > 0 && s.diary.of(hash)[len(s.diary.of(hash))-1] == "included"
	},
		"the observer was not told again")
	heard := s.diary.of(hash)
	for _, step := range []string{"accepted", "sent", "included"} {
		if !slices.Contains(heard, step) {
			t.Errorf("the observer heard %v, but not %q", heard, step)
		}
	}
}

// pricedData is a chain that charges a fixed amount of gas for data.
type pricedData struct {
	txqueue.RPC
	gas uint64
}

func (c pricedData) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method == "eth_estimateGas" && len(args) == 1 {
		return json.Unmarshal([]byte(fmt.Sprintf("%q", eth.NewQuantity(c.gas))), result)
	}
	return c.RPC.CallContext(ctx, result, method, args...)
}

func TestRelay_GoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	endpoint := &queuetest.Outage{RPC: s.chain.Client(), Err: fmt.Errorf("chain game: %w: connection refused", rpc.ErrUnreachable)}
	s.assemble(endpoint, s.g, s.g)
	p := s.player("P", 100_000_000)
	op := p.prepare(p.purchase(items, 1))
	hash := p.send(op)
	endpoint.Off.Store(true)
	s.start()
	testkit.Eventually(t, 10*time.Second, func() bool {
		return errors.Is(s.relay.State(s.chain.ID()), endpoint.Err)
	}, "the outage was not noticed")
	other := s.player("Q", 0)
	_, err := other.trySend(&eth.UserOperation{
		Sender: other.Smart, CallData: callData(other.purchase(items, 1)), Paymaster: &s.at.Paymaster, MaxFeePerGas: eth.NewQuantity(1),
	})
	wantRefusal(t, err, -32603, "The chain cannot be reached just now. Please try again in a moment.")
	if r, ok := errors.AsType[*refusal](err); !ok || strings.Contains(r.Message, "refused") {
		t.Errorf("the answer tells of the inside: %+v", r)
	}
	endpoint.Off.Store(false)
	if r := p.await(hash); !r.Success {
		t.Fatal(r.Reason)
	}
	testkit.Eventually(t, 10*time.Second, func() bool { return s.relay.State(s.chain.ID()) == nil }, "the state stayed bad")
}

// Spec: GAS-4
func TestRelay_RequestsAreReadStrictly(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 0)
	for body, code := range map[string]int{
		``:   -32700,
		`{`:  -32700,
		`[]`: -32600,
		`[{`: -32700,
		`[` + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]},`, 100) + `{}]`: -32600,
		`{"jsonrpc":"2.0","id":1,"params":[]}`:                                                               -32600,
		`{"id":1,"method":"eth_chainId","params":[]}`:                                                        -32600,
		`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{}}`:                                        -32600,
		`{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}`:                                       -32601,
		`{"jsonrpc":"2.0","id":1,"method":"eth_sendUserOperation"}`:                                          -32602,
		`{"jsonrpc":"2.0","id":1,"method":"eth_sendUserOperation","params":[{"sender":"0x1"},"0x"]}`:         -32602,
		`{"jsonrpc":"2.0","id":1,"method":"eth_getUserOperationReceipt","params":["0x12"]}`:                  -32602,
		`{"jsonrpc":"2.0","id":1,"method":"eth_sendUserOperation","params":[{"initCode":"0x"},"0x"]}`:        -32602,
		`{"jsonrpc":"2.0","id":1,"method":"eth_estimateUserOperationGas","params":[{"nonce":12},null,null]}`: -32602,
	} {
		var answer struct {
			ID    json.RawMessage
			Error *refusal
		}
		text := s.relay.HandleBundler(t.Context(), p.caller(), s.chain.ID(), json.RawMessage(body))
		if err := json.Unmarshal(text, &answer); err != nil || answer.Error == nil || answer.Error.Code != code || len(answer.ID) == 0 {
			t.Errorf("%s was answered with %s, want error %d", body, text, code)
		}
	}
	var id eth.Quantity
	if err := p.rpc(s.relay.HandleBundler, &id, "eth_chainId"); err != nil || id != eth.NewQuantity(uint64(s.chain.ID())) {
		t.Errorf("eth_chainId: %v (%v)", id, err)
	}
	var entryPoints []eth.Address
	if err := p.rpc(s.relay.HandleBundler, &entryPoints, "eth_supportedEntryPoints"); err != nil ||
		!slices.Equal(entryPoints, []eth.Address{s.at.EntryPoint}) {
		t.Errorf("eth_supportedEntryPoints: %v (%v)", entryPoints, err)
	}
	wantRefusal(t, p.rpc(s.relay.HandlePaymaster, nil, "eth_chainId"), -32601, "no method")
}

// Spec: CHAIN-9
func TestRelay_BatchIsAnsweredRequestByRequest(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	p := s.player("P", 0)
	chainID := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"eth_chainId","params":[]}` }
	answer := func(id string) string {
		return fmt.Sprintf(`{"id":%s,"jsonrpc":"2.0","result":"%s"}`, id, eth.NewQuantity(uint64(s.chain.ID())))
	}
	for body, want := range map[string]string{
		`[` + chainID("7") + `]`: `[` + answer("7") + `]`,
		" [" + chainID("2") + ",3," + chainID(`"x"`) + "]": `[` + answer("2") +
			`,{"error":{"code":-32600,"message":"This is not a JSON-RPC request with an array of parameters."},"id":null,"jsonrpc":"2.0"},` +
			answer(`"x"`) + `]`,
	} {
		if got := s.relay.HandleBundler(t.Context(), p.caller(), s.chain.ID(), json.RawMessage(body)); string(got) != want {
			t.Errorf("%s was answered with\n%s, want\n%s", body, got, want)
		}
	}
	many := `[` + strings.Repeat(chainID("1")+",", 99) + chainID("1") + `]`
	var answers []json.RawMessage
	text := s.relay.HandlePaymaster(t.Context(), p.caller(), s.chain.ID(), json.RawMessage(many))
	if err := json.Unmarshal(text, &answers); err != nil || len(answers) != 100 {
		t.Errorf("100 requests got %d answers (%v)", len(answers), err)
	}
}

func BenchmarkGaslessPurchase(b *testing.B) {
	s := newSite(b, gasstore.New(testkit.Database(b, store.SQLite)))
	s.start()
	p := s.player("P", 5_000_000*100_000)
	p.await(p.send(p.prepare(p.purchase(items, 1))))
	for b.Loop() {
		p.await(p.send(p.prepare(p.purchase(items, 1))))
	}
}
