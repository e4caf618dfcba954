package contracts_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
)

// outsider is an account with ether that is not a relayer.
var outsider = devnet.Seller(5)

// deposit is the paymaster's deposit at the EntryPoint, in wei.
func (g *game) deposit() *big.Int {
	g.Helper()
	abi := contracts.NewEntryPoint()
	return ask(g, g.EntryPoint, abi.PackBalanceOf(common.Address(g.Paymaster)), abi.UnpackBalanceOf)
}

// setRelayer adds an account to the paymaster's relayers or removes it.
func (g *game) setRelayer(who devnet.Role, allowed bool) {
	g.Helper()
	g.must(devnet.Manager, g.Paymaster, contracts.NewPantheonPaymaster().PackSetRelayer(common.Address(devnet.WalletOf(who).Address), allowed))
}

// paymasterError returns the paymaster's own error that made the EntryPoint reject an operation; nil for any other.
func paymasterError(err error) any {
	outer, unpackErr := contracts.NewEntryPoint().UnpackError(revertData(err))
	failed, ok := outer.(*contracts.EntryPointFailedOpWithRevert)
	if unpackErr != nil || !ok || failed.Reason != "AA33 reverted" {
		return nil
	}
	inner, unpackErr := contracts.NewPantheonPaymaster().UnpackError(failed.Inner)
	if unpackErr != nil {
		return nil
	}
	return inner
}

// A player collects sponsored, signed operations and runs them outside the relay with the gas refund going to the
// player: the gas price and the pre-verification gas they offer are the player's profit.
// Spec: GAS-16
func TestAttack_SponsoredOperationsAreRunFromOutside(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player("ann")
	greedy := g.draft(p, batch())
	greedy.PreVerificationGas, greedy.GasFees = big.NewInt(9_300_000), halves(5_000_000_000, 5_000_000_000)
	g.sponsor(&greedy, devnet.WalletOf(devnet.PaymasterSigner).Key, g.now().Add(10*time.Minute), time.Unix(0, 0))
	g.sign(&greedy, p)
	before := g.deposit()

	_, err := g.handleFrom(outsider, greedy)
	refused, ok := paymasterError(err).(*contracts.PantheonPaymasterRelayerRefused)
	if !ok || eth.Address(refused.Origin) != devnet.WalletOf(outsider).Address {
		t.Errorf("an outsider's bundle: %v", err)
	}
	thief := common.Address(devnet.WalletOf(outsider).Address)
	data := contracts.NewEntryPoint().PackHandleOps([]contracts.PackedUserOperation{greedy}, thief)
	if receipt := g.send(outsider, g.EntryPoint, new(big.Int), data, 12_000_000); receipt.Status != types.ReceiptStatusFailed {
		t.Error("an outsider's bundle was carried out")
	}
	if g.deposit().Cmp(before) != 0 {
		t.Errorf("the paymaster has %v wei left of %v", g.deposit(), before)
	}

	// The same operation succeeds when the relayer sends it.
	done, err := g.handle(greedy)
	if err != nil || !done.Success || g.deposit().Cmp(before) >= 0 {
		t.Errorf("the relayer's bundle: %+v, %v", done, err)
	}
}

// origins traces a bundle sent by an account and returns how often it executes ORIGIN.
func (g *game) origins(sender devnet.Role, op contracts.PackedUserOperation) (n int) {
	g.Helper()
	from := common.Address(devnet.WalletOf(sender).Address)
	var trace struct {
		Failed     bool
		StructLogs []struct{ Op string }
	}
	err := g.client.Client().CallContext(g.Context(), &trace, "debug_traceCall", map[string]any{
		"from": from, "to": common.Address(g.EntryPoint), "gas": hexutil.Uint64(5_000_000),
		"data": hexutil.Bytes(contracts.NewEntryPoint().PackHandleOps([]contracts.PackedUserOperation{op}, from)),
	}, "latest", map[string]any{"disableStack": true, "disableStorage": true})
	if err != nil {
		g.Fatal(err)
	}
	if trace.Failed || len(trace.StructLogs) < 1_000 {
		g.Fatalf("the traced bundle failed: %v, after %d steps", trace.Failed, len(trace.StructLogs))
	}
	for _, step := range trace.StructLogs {
		if step.Op == "ORIGIN" {
			n++
		}
	}
	return n
}

// Spec: GAS-16
func TestPaymaster_EmptyListLetsAnybodySendWithoutORIGIN(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player("ann")
	if n := g.origins(devnet.GasRelayer, g.operation(p, batch())); n == 0 {
		t.Error("with relayers on the list, ORIGIN is not executed: the trace does not show it")
	}
	g.setRelayer(devnet.GasRelayer, false)
	if n := g.origins(outsider, g.operation(p, batch())); n != 0 {
		t.Errorf("with an empty list, ORIGIN is executed %d times, which ERC-7562 forbids", n)
	}
	if done, err := g.handleFrom(outsider, g.operation(p, batch())); err != nil || !done.Success {
		t.Errorf("an outsider's bundle while the list is empty: %+v, %v", done, err)
	}
	g.setRelayer(devnet.Seller(6), true)
	if _, err := g.handleFrom(outsider, g.operation(p, batch())); paymasterError(err) == nil {
		t.Errorf("an outsider's bundle while another is on the list: %v", err)
	}
}

// Spec: GAS-16
func TestPaymaster_RefusesWhatItsSignerDidNotSign(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p, signer := g.player("ann"), devnet.WalletOf(devnet.PaymasterSigner).Key
	soon, past := g.now().Add(10*time.Minute), time.Unix(1_000, 0)

	foreign := g.draft(p, batch())
	g.sponsor(&foreign, p.key, soon, past)
	g.sign(&foreign, p)

	expired := g.draft(p, batch())
	g.sponsor(&expired, signer, g.now().Add(-time.Minute), past)
	g.sign(&expired, p)

	early := g.draft(p, batch())
	g.sponsor(&early, signer, soon.Add(time.Hour), soon)
	g.sign(&early, p)

	longer := g.operation(p, batch())
	longer.PaymasterAndData[57]++ // the last byte of validUntil
	g.sign(&longer, p)

	dearer := g.operation(p, batch())
	dearer.GasFees = halves(1, 2_000_000_000)
	g.sign(&dearer, p)

	for name, c := range map[string]struct {
		op   contracts.PackedUserOperation
		code string
	}{
		"signed by the player": {foreign, "AA34"}, "expired": {expired, "AA32"}, "not valid yet": {early, "AA32"},
		"lengthened afterwards": {longer, "AA34"}, "made dearer afterwards": {dearer, "AA34"},
	} {
		if _, err := g.handle(c.op); !isFailedOp(err, c.code) {
			t.Errorf("a sponsorship that is %s: %v, want %s", name, err, c.code)
		}
	}
	for name, change := range map[string]func(data []byte) []byte{
		"short": func(data []byte) []byte { return data[:len(data)-1] }, "long": func(data []byte) []byte { return append(data, 0) },
		"empty": func([]byte) []byte { return nil },
	} {
		op := g.operation(p, batch())
		op.PaymasterAndData = append(slices.Clone(op.PaymasterAndData[:52]), change(slices.Clone(op.PaymasterAndData[52:]))...)
		g.sign(&op, p)
		_, err := g.handle(op)
		if _, ok := paymasterError(err).(*contracts.PantheonPaymasterMalformedData); !ok {
			t.Errorf("a sponsorship that is too %s: %v", name, err)
		}
	}
}

// validate calls the paymaster's validation as the given account and origin.
func (g *game) validate(from eth.Address, op contracts.PackedUserOperation) ([]byte, error) {
	paymaster := common.Address(g.Paymaster)
	return g.client.CallContract(g.Context(), ethereum.CallMsg{
		From: common.Address(from), To: &paymaster,
		Data: contracts.NewPantheonPaymaster().PackValidatePaymasterUserOp(op, [32]byte{}, new(big.Int)),
	}, nil)
}

func TestPaymaster_ValidatesOnlyForTheEntryPointAndReturnsTheTimes(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p, abi := g.player("ann"), contracts.NewPantheonPaymaster()
	until, after := time.Unix(0x0102030405, 0), time.Unix(0x0a0b, 0)
	good, bad := g.draft(p, batch()), g.draft(p, batch())
	g.sponsor(&good, devnet.WalletOf(devnet.PaymasterSigner).Key, until, after)
	g.sponsor(&bad, p.key, until, after)

	_, err := g.validate(devnet.WalletOf(devnet.GasRelayer).Address, good)
	if refusal, unpackErr := abi.UnpackError(revertData(err)); unpackErr != nil {
		t.Errorf("validation for another caller: %v", err)
	} else if _, ok := refusal.(*contracts.PantheonPaymasterOnlyEntryPoint); !ok {
		t.Errorf("validation for another caller: %T", refusal)
	}

	g.setRelayer(devnet.GasRelayer, false) // in an eth_call of the EntryPoint, the EntryPoint is the origin
	for _, c := range []struct {
		op   contracts.PackedUserOperation
		want string // validAfter ‖ validUntil ‖ 0 for a valid signature or 1 for an invalid one (ERC-4337)
	}{
		{good, "0x000000000a0b0001020304050000000000000000000000000000000000000000"},
		{bad, "0x000000000a0b0001020304050000000000000000000000000000000000000001"},
	} {
		answer, err := g.validate(g.EntryPoint, c.op)
		if err != nil {
			t.Fatal(err)
		}
		out, err := abi.UnpackValidatePaymasterUserOp(answer)
		if err != nil || common.BigToHash(out.ValidationData).Hex() != c.want || len(out.Context) != 0 {
			t.Errorf("validation answers %#x and context %x, %v; want %s", out.ValidationData, out.Context, err, c.want)
		}
	}
}

// Spec: GAS-16
func TestPaymaster_IsChangedByItsOwnerOnly(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, stranger := contracts.NewPantheonPaymaster(), common.Address(devnet.WalletOf(outsider).Address)
	for name, data := range map[string][]byte{
		"setSigner":         abi.PackSetSigner(stranger, true),
		"setRelayer":        abi.PackSetRelayer(stranger, true),
		"withdrawTo":        abi.PackWithdrawTo(stranger, big.NewInt(1)),
		"addStake":          abi.PackAddStake(1),
		"unlockStake":       abi.PackUnlockStake(),
		"withdrawStake":     abi.PackWithdrawStake(stranger),
		"transferOwnership": abi.PackTransferOwnership(stranger),
		"acceptOwnership":   abi.PackAcceptOwnership(),
	} {
		_, err := g.try(outsider, g.Paymaster, data)
		refusal, unpackErr := abi.UnpackError(revertData(err))
		if _, ok := refusal.(*contracts.PantheonPaymasterOwnableUnauthorizedAccount); unpackErr != nil || !ok {
			t.Errorf("%s by a stranger: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{
		"no signer": abi.PackSetSigner(common.Address{}, true), "a relayer that is nobody": abi.PackSetRelayer(common.Address{}, true),
		"no owner": abi.PackRenounceOwnership(),
	} {
		if _, err := g.try(devnet.Manager, g.Paymaster, data); err == nil {
			t.Errorf("the owner set %s", name)
		}
	}
}

// Spec: RUN-26
func TestPaymaster_OwnerReplacesSignerRelayersAndOwner(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, p := contracts.NewPantheonPaymaster(), g.player("ann")
	old := g.operation(p, batch())

	successor := devnet.WalletOf("next paymaster signer")
	sponsored := func() contracts.PackedUserOperation {
		op := g.draft(p, batch())
		g.sponsor(&op, successor.Key, g.now().Add(time.Minute), time.Unix(0, 0))
		g.sign(&op, p)
		return op
	}
	if _, err := g.handle(sponsored()); !isFailedOp(err, "AA34") {
		t.Errorf("a sponsorship by the next signer, too early: %v", err)
	}
	setSigner := func(w devnet.Wallet, allowed bool) {
		t.Helper()
		receipt := g.must(devnet.Manager, g.Paymaster, abi.PackSetSigner(common.Address(w.Address), allowed))
		if e := event(g, receipt, abi.UnpackSignerChangedEvent); eth.Address(e.Signer) != w.Address || e.Allowed != allowed {
			t.Errorf("the event of setSigner(%v) is %+v", allowed, e)
		}
		if again := g.must(devnet.Manager, g.Paymaster, abi.PackSetSigner(common.Address(w.Address), allowed)); len(again.Logs) != 0 {
			t.Errorf("setSigner(%v) has %d more events the second time", allowed, len(again.Logs))
		}
	}
	setSigner(successor, true)
	if _, err := g.handle(old); err != nil {
		t.Errorf("a sponsorship by the former signer meanwhile: %v", err)
	}
	if _, err := g.handle(sponsored()); err != nil {
		t.Errorf("a sponsorship by the next signer: %v", err)
	}
	old = g.operation(p, batch())
	setSigner(devnet.WalletOf(devnet.PaymasterSigner), false)
	if _, err := g.handle(old); !isFailedOp(err, "AA34") {
		t.Errorf("a sponsorship by the former signer afterwards: %v", err)
	}
	if _, err := g.handle(sponsored()); err != nil {
		t.Errorf("a sponsorship by the new signer: %v", err)
	}
	if n := ask(g, g.Paymaster, abi.PackSignerCount(), abi.UnpackSignerCount); n.Int64() != 1 {
		t.Errorf("%v signers, want 1", n)
	}

	relayer := common.Address(devnet.WalletOf(outsider).Address)
	count := func() int64 { return ask(g, g.Paymaster, abi.PackRelayerCount(), abi.UnpackRelayerCount).Int64() }
	for _, allowed := range []bool{true, false} {
		receipt := g.must(devnet.Manager, g.Paymaster, abi.PackSetRelayer(relayer, allowed))
		if e := event(g, receipt, abi.UnpackRelayerChangedEvent); e.Relayer != relayer || e.Allowed != allowed {
			t.Errorf("the event of setRelayer(%v) is %+v", allowed, e)
		}
		again := g.must(devnet.Manager, g.Paymaster, abi.PackSetRelayer(relayer, allowed))
		want := map[bool]int64{true: 2, false: 1}[allowed]
		if count() != want || len(again.Logs) != 0 {
			t.Errorf("after setRelayer(%v) twice there are %d relayers and %d more events, want %d and none", allowed, count(),
				len(again.Logs), want)
		}
	}

	owner := func() eth.Address { return eth.Address(ask(g, g.Paymaster, abi.PackOwner(), abi.UnpackOwner)) }
	g.must(devnet.Manager, g.Paymaster, abi.PackTransferOwnership(relayer))
	if owner() != devnet.WalletOf(devnet.Manager).Address {
		t.Error("the paymaster has changed hands before the new owner accepted")
	}
	g.must(outsider, g.Paymaster, abi.PackAcceptOwnership())
	if owner() != devnet.WalletOf(outsider).Address {
		t.Errorf("the paymaster belongs to %s", owner())
	}
}

func TestPaymaster_DepositAndStakeComeBack(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, one := contracts.NewPantheonPaymaster(), big.NewInt(1e18)
	before := g.deposit()
	if _, err := g.pay(outsider, g.Paymaster, one, abi.PackDeposit()); err != nil {
		t.Fatal(err)
	}
	if got := new(big.Int).Sub(g.deposit(), before); got.Cmp(one) != 0 {
		t.Errorf("a deposit of 1 ether added %v wei", got)
	}
	to := common.Address(devnet.WalletOf("safe").Address)
	g.must(devnet.Manager, g.Paymaster, abi.PackWithdrawTo(to, one))

	if _, err := g.pay(devnet.Manager, g.Paymaster, one, abi.PackAddStake(1)); err != nil {
		t.Fatal(err)
	}
	withdraw := abi.PackWithdrawStake(to)
	if _, err := g.try(devnet.Manager, g.Paymaster, withdraw); err == nil {
		t.Error("the stake came back while it was locked")
	}
	g.must(devnet.Manager, g.Paymaster, abi.PackUnlockStake())
	for range 3 { // every block is a second later than the one before
		g.must(outsider, g.Paymaster, abi.PackDeposit())
	}
	g.must(devnet.Manager, g.Paymaster, withdraw)
	if got, err := g.client.BalanceAt(t.Context(), to, nil); err != nil || got.Cmp(big.NewInt(2e18)) != 0 {
		t.Errorf("of deposit and stake %v wei came back, %v", got, err)
	}
}

// The relay signs the hash that the contract computes.
func TestPaymaster_SponsorshipHashIsTheContracts(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, random := contracts.NewPantheonPaymaster(), rand.New(rand.NewPCG(1, 2))
	number := func() eth.Quantity { return eth.NewQuantity(random.Uint64()) }
	data := func() eth.Bytes {
		b := make([]byte, random.IntN(100))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	for i := range 32 {
		op := eth.UserOperation{
			Sender: devnet.WalletOf(devnet.Role(data())).Address, Nonce: number(), CallData: data(), CallGasLimit: number(),
			VerificationGasLimit: number(), PreVerificationGas: number(), MaxFeePerGas: number(), MaxPriorityFeePerGas: number(),
			Paymaster: &g.Paymaster, PaymasterVerificationGasLimit: number(), PaymasterPostOpGasLimit: number(), Signature: data(),
		}
		if i%2 == 0 {
			op.Factory, op.FactoryData = &g.AccountFactory, data()
		}
		until, after := time.Unix(random.Int64N(1<<48), 0), time.Unix(random.Int64N(1<<48), 0)
		p := op.Packed()
		packed := contracts.PackedUserOperation{
			Sender: common.Address(p.Sender), Nonce: p.Nonce.Big(), InitCode: p.InitCode, CallData: p.CallData, AccountGasLimits: p.AccountGasLimits,
			PreVerificationGas: p.PreVerificationGas.Big(), GasFees: p.GasFees, PaymasterAndData: p.PaymasterAndData, Signature: p.Signature,
		}
		want := ask(g, g.Paymaster, abi.PackGetHash(packed, big.NewInt(until.Unix()), big.NewInt(after.Unix())), abi.UnpackGetHash)
		if got := contracts.SponsorshipHash(&op, devnettest.GameChain, g.Paymaster, until, after); got != eth.Hash(want) {
			t.Fatalf("the hash of %+v from %v to %v is %s, the contract says %x", op, after, until, got, want)
		}
		if contracts.SponsorshipHash(&op, devnettest.GameChain+1, g.Paymaster, until, after) == eth.Hash(want) {
			t.Fatal("a sponsorship holds on another chain")
		}
	}
}

func TestPaymaster_SponsorshipsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	want := contracts.Sponsorship{
		ValidUntil: time.Unix(1<<48-1, 0).UTC(), ValidAfter: time.Unix(0x0102, 0).UTC(), Signature: [65]byte{7, 64: 27},
	}
	data := want.Data()
	if len(data) != 77 || data[5] != 0xff || data[10] != 1 || data[11] != 2 || data[12] != 7 || data[76] != 27 {
		t.Errorf("the data is %x", data)
	}
	if got, err := contracts.ParseSponsorship(data); err != nil || got != want {
		t.Errorf("read back: %+v, %v", got, err)
	}
	for _, n := range []int{0, 76, 78} {
		if _, err := contracts.ParseSponsorship(make([]byte, n)); err == nil {
			t.Errorf("%d bytes were read as a sponsorship", n)
		}
	}
}
