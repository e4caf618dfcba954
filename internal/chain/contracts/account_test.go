package contracts_test

import (
	"crypto/ecdsa"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
)

// player is the owner of a smart account.
type player struct {
	key     *ecdsa.PrivateKey
	owner   eth.Address
	account eth.Address
}

// player returns a player of the game, whose account is not deployed yet.
func (g *game) player(name string) player {
	g.Helper()
	wallet := devnet.WalletOf(devnet.Role(name))
	return player{wallet.Key, wallet.Address,
		contracts.AccountAddress(g.AccountFactory, g.AccountImplementation, wallet.Address, 0)}
}

// create is the factory's call that deploys the player's account.
func (p player) create() []byte {
	return contracts.NewERC4337Factory().PackCreateAccount(contracts.AccountSalt(p.owner, 0))
}

// operation returns a sponsored user operation of the player, signed by the paymaster's signer and the owner.
func (g *game) operation(p player, callData []byte) contracts.PackedUserOperation {
	g.Helper()
	op := g.draft(p, callData)
	g.sponsor(&op, devnet.WalletOf(devnet.PaymasterSigner).Key, g.now().Add(10*time.Minute), time.Unix(0, 0))
	g.sign(&op, p)
	return op
}

// draft returns a user operation of the player without sponsorship and signature.
func (g *game) draft(p player, callData []byte) contracts.PackedUserOperation {
	g.Helper()
	entryPoint := contracts.NewEntryPoint()
	op := contracts.PackedUserOperation{
		Sender:             common.Address(p.account),
		Nonce:              ask(g, g.EntryPoint, entryPoint.PackGetNonce(common.Address(p.account), new(big.Int)), entryPoint.UnpackGetNonce),
		CallData:           callData,
		AccountGasLimits:   halves(500_000, 1_000_000),
		PreVerificationGas: big.NewInt(60_000),
		GasFees:            halves(1, 1_000_000_000),
	}
	code, err := g.client.CodeAt(g.Context(), op.Sender, nil)
	if err != nil {
		g.Fatal(err)
	}
	if len(code) == 0 {
		op.InitCode = slices.Concat(g.AccountFactory[:], p.create())
	}
	return op
}

// now is the time of the newest block.
func (g *game) now() time.Time {
	g.Helper()
	head, err := g.client.HeaderByNumber(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	return time.Unix(int64(head.Time), 0)
}

// sponsor adds a sponsorship to an operation, signed with the key.
func (g *game) sponsor(op *contracts.PackedUserOperation, key *ecdsa.PrivateKey, until, after time.Time) {
	g.Helper()
	abi, gas := contracts.NewPantheonPaymaster(), halves(100_000, 0)
	op.PaymasterAndData = slices.Concat(g.Paymaster[:], gas[:])
	hash := ask(g, g.Paymaster, abi.PackGetHash(*op, big.NewInt(until.Unix()), big.NewInt(after.Unix())), abi.UnpackGetHash)
	op.PaymasterAndData = append(op.PaymasterAndData, contracts.Sponsorship{
		ValidUntil: until, ValidAfter: after, Signature: [65]byte(signMessage(g.TB, key, hash)),
	}.Data()...)
}

// sign adds the owner's signature to an operation.
func (g *game) sign(op *contracts.PackedUserOperation, p player) {
	g.Helper()
	abi := contracts.NewEntryPoint()
	op.Signature = signMessage(g.TB, p.key, ask(g, g.EntryPoint, abi.PackGetUserOpHash(*op), abi.UnpackGetUserOpHash))
}

// halves packs two 128-bit numbers into one word, as EntryPoint v0.7 does.
func halves(high, low uint64) [32]byte {
	var word [32]byte
	binary.BigEndian.PutUint64(word[8:], high)
	binary.BigEndian.PutUint64(word[24:], low)
	return word
}

// signMessage signs 32 bytes as a personal message (EIP-191), with v of 27 or 28.
func signMessage(t testing.TB, key *ecdsa.PrivateKey, hash [32]byte) []byte {
	t.Helper()
	return signHash(t, key, [32]byte(accounts.TextHash(hash[:])))
}

// signHash signs a hash, with v of 27 or 28.
func signHash(t testing.TB, key *ecdsa.PrivateKey, hash [32]byte) []byte {
	t.Helper()
	signature, err := crypto.Sign(hash[:], key)
	if err != nil {
		t.Fatal(err)
	}
	signature[64] += 27
	return signature
}

// handle sends operations to the EntryPoint from the gas relayer.
func (g *game) handle(ops ...contracts.PackedUserOperation) (*contracts.EntryPointUserOperationEvent, error) {
	g.Helper()
	return g.handleFrom(devnet.GasRelayer, ops...)
}

// handleFrom sends operations to the EntryPoint from a wallet, which collects what they pay.
func (g *game) handleFrom(sender devnet.Role, ops ...contracts.PackedUserOperation) (*contracts.EntryPointUserOperationEvent, error) {
	g.Helper()
	abi := contracts.NewEntryPoint()
	receipt, err := g.try(sender, g.EntryPoint, abi.PackHandleOps(ops, common.Address(devnet.WalletOf(sender).Address)))
	if err != nil {
		return nil, err
	}
	return event(g, receipt, abi.UnpackUserOperationEventEvent), nil
}

// batch is the call of an account that makes several calls atomically.
func batch(calls ...contracts.ERC4337Call) []byte {
	for i := range calls {
		calls[i].Value = new(big.Int)
	}
	return contracts.NewPantheonAccount().PackExecuteBatch(calls)
}

// Spec: CHAIN-14
func TestAccount_AddressesArePinned(t *testing.T) {
	t.Parallel()
	implementation, factory, err := contracts.DeployAccounts()
	if err != nil {
		t.Fatal(err)
	}
	entryPoint, err := contracts.DeployEntryPoint()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, want eth.Address }{
		"EntryPoint":      {entryPoint.Address(), eth.MustAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")},
		"PantheonAccount": {implementation.Address(), eth.MustAddress("0x9e6d13c8C7beF345910F7efa86408329d5acF170")},
		"ERC4337Factory":  {factory.Address(), eth.MustAddress("0xcA35FC2291f0Eb5a139B9955222Ac8Bc792DdCb4")},
	} {
		if c.got != c.want {
			t.Errorf("%s is deployed at %s, want %s: every player would get another account", name, c.got.Checksum(), c.want.Checksum())
		}
	}
}

// Spec: WALLET-6
func TestAccount_AddressIsTheFactorys(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	factory := contracts.NewERC4337Factory()
	for _, owner := range []eth.Address{g.player("ann").owner, g.player("ben").owner} {
		for _, index := range []uint64{0, 1, 1 << 40} {
			want := ask(g, g.AccountFactory, factory.PackGetAddress(contracts.AccountSalt(owner, index)), factory.UnpackGetAddress)
			if got := contracts.AccountAddress(g.AccountFactory, g.AccountImplementation, owner, index); got != eth.Address(want) {
				t.Errorf("account %d of %s is at %s, the factory says %s", index, owner, got, want)
			}
		}
	}
}

// Spec: GAS-5
func TestAccount_FirstPurchaseDeploysTheAccountAndCostsNoGas(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player("ann")
	const item, price = 7, 2_500_000
	id := g.list(devnet.Seller(1), item, price)
	g.must(devnet.Manager, g.USDC, packed(contracts.Mint20(p.account, big.NewInt(10_000_000))))

	for n := int64(1); n <= 2; n++ {
		done, err := g.handle(g.operation(p, batch(
			contracts.ERC4337Call{
				Target: common.Address(g.USDC), Data: contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(price)),
			},
			contracts.ERC4337Call{Target: common.Address(g.Marketplace), Data: contracts.NewDirectListingsLogic().PackBuyFromListing(
				id, common.Address(p.account), big.NewInt(1), common.Address(g.USDC), big.NewInt(price))},
		)))
		if err != nil {
			t.Fatal(err)
		}
		if !done.Success || done.Paymaster != common.Address(g.Paymaster) {
			t.Errorf("purchase %d: %+v", n, done)
		}
		if got := g.copies("game-items", p.account, item); got != n {
			t.Errorf("after purchase %d the account has %d", n, got)
		}
		if left := g.usdc(p.account); left != 10_000_000-n*price {
			t.Errorf("after purchase %d the account has %d base units of USDC", n, left)
		}
	}
	code, err := g.client.CodeAt(t.Context(), common.Address(p.account), nil)
	if err != nil || !slices.Equal(code, contracts.AccountCode()) {
		t.Errorf("the account's code is %x, %v", code, err)
	}
	slot, err := g.client.StorageAt(t.Context(), common.Address(p.account), common.Hash(contracts.ImplementationSlot), nil)
	if err != nil || eth.Address(slot[12:]) != g.AccountImplementation {
		t.Errorf("the account's implementation is %x, %v", slot, err)
	}
	if ether, err := g.client.BalanceAt(t.Context(), common.Address(p.account), nil); err != nil || ether.Sign() != 0 {
		t.Errorf("the account has %v wei, %v", ether, err)
	}
}

func TestAccount_FailedCallUndoesTheBatch(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player("ann")
	id := g.list(devnet.Seller(1), 7, 2_500_000)
	token := contracts.NewTestToken()
	done, err := g.handle(g.operation(p, batch( // the account has no USDC
		contracts.ERC4337Call{Target: common.Address(g.USDC), Data: token.PackApprove(common.Address(g.Marketplace), big.NewInt(2_500_000))},
		contracts.ERC4337Call{Target: common.Address(g.Marketplace), Data: contracts.NewDirectListingsLogic().PackBuyFromListing(
			id, common.Address(p.account), big.NewInt(1), common.Address(g.USDC), big.NewInt(2_500_000))},
	)))
	if err != nil {
		t.Fatal(err)
	}
	if done.Success {
		t.Error("a purchase without money succeeded")
	}
	left := ask(g, g.USDC, token.PackAllowance(common.Address(p.account), common.Address(g.Marketplace)), token.UnpackAllowance)
	if left.Sign() != 0 {
		t.Errorf("the approval of the failed batch stands: %v", left)
	}
}

func TestAccount_OperationNeedsTheOwnersSignature(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p, thief := g.player("ann"), g.player("thief")
	op := g.operation(p, batch())
	hash := ask(g, g.EntryPoint, contracts.NewEntryPoint().PackGetUserOpHash(op), contracts.NewEntryPoint().UnpackGetUserOpHash)
	for name, signature := range map[string][]byte{
		"somebody else's": signMessage(t, thief.key, hash), "of the bare hash": signHash(t, p.key, hash), "none": {}, "zeros": make([]byte, 65),
	} {
		op.Signature = signature
		if _, err := g.handle(op); err == nil || !isFailedOp(err, "AA24") {
			t.Errorf("an operation whose signature is %s: %v", name, err)
		}
	}
}

// isFailedOp reports whether the EntryPoint rejected an operation with the given code, such as AA24.
func isFailedOp(err error, code string) bool {
	data := revertData(err)
	failed, unpackErr := contracts.NewEntryPoint().UnpackError(data)
	op, ok := failed.(*contracts.EntryPointFailedOp)
	return unpackErr == nil && ok && strings.HasPrefix(op.Reason, code)
}

// revertData returns the data a call reverted with.
func revertData(err error) []byte {
	var withData rpc.DataError
	if !errors.As(err, &withData) {
		return nil
	}
	text, _ := withData.ErrorData().(string)
	data, _ := hexutil.Decode(text)
	return data
}

// refusals are calls of an account that must fail for any signer.
func refusals(g *game, p player) map[string][]byte {
	self := contracts.NewPantheonAccount()
	account, entryPoint := common.Address(p.account), common.Address(g.EntryPoint)
	thief := common.Address(devnet.WalletOf("thief").Address)
	takeOver := self.PackTransferOwnership(thief)
	harmless := contracts.ERC4337Call{Target: common.Address(g.USDC), Data: contracts.NewTestToken().PackApprove(thief, big.NewInt(1))}
	return map[string][]byte{
		"execute on itself":            self.PackExecute(account, new(big.Int), takeOver),
		"execute on the EntryPoint":    self.PackExecute(entryPoint, new(big.Int), contracts.NewEntryPoint().PackIncrementNonce(new(big.Int))),
		"a batch with itself":          batch(harmless, contracts.ERC4337Call{Target: account, Data: takeOver}),
		"a batch with the EntryPoint":  batch(harmless, contracts.ERC4337Call{Target: entryPoint}),
		"foreign code as its own":      self.PackDelegateExecute(common.Address(g.USDC), nil),
		"writing storage":              self.PackStorageStore([32]byte{1}, [32]byte{2}),
		"an upgrade by a batch itself": batch(contracts.ERC4337Call{Target: account, Data: self.PackUpgradeToAndCall(thief, nil)}),
	}
}

// Spec: GAS-15
func TestAccount_RefusesCallsThatCouldTakeItOver(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player(string(devnet.Seller(3))) // funded, so that the owner's key can also call without the EntryPoint
	self := contracts.NewPantheonAccount()
	g.must(devnet.Seller(3), g.AccountFactory, p.create())
	for name, data := range refusals(g, p) {
		if _, err := g.try(devnet.Seller(3), p.account, data); err == nil {
			t.Errorf("for its owner the account makes %s", name)
		} else if _, unpackErr := self.UnpackError(revertData(err)); unpackErr != nil {
			t.Errorf("%s is refused with %v", name, err)
		}
		done, err := g.handle(g.operation(p, data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if done.Success {
			t.Errorf("for the EntryPoint the account makes %s", name)
		}
	}
	// The EntryPoint cannot call these functions directly through an operation either.
	for name, data := range map[string][]byte{
		"transferOwnership": self.PackTransferOwnership(common.Address(devnet.WalletOf("thief").Address)),
		"upgradeToAndCall":  self.PackUpgradeToAndCall(common.Address(g.USDC), nil),
		"initialize":        self.PackInitialize(common.Address(devnet.WalletOf("thief").Address)),
	} {
		done, err := g.handle(g.operation(p, data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if done.Success {
			t.Errorf("an operation called %s", name)
		}
	}
	if owner := ask(g, p.account, self.PackOwner(), self.UnpackOwner); eth.Address(owner) != p.owner {
		t.Errorf("the account belongs to %s now", owner)
	}
	if _, err := g.try(devnet.Seller(4), p.account, self.PackExecute(common.Address(g.USDC), new(big.Int), nil)); err == nil {
		t.Error("a stranger used the account")
	}
}

func TestAccount_SaysWhatItSupports(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	self := contracts.NewPantheonAccount()
	p := g.player("ann")
	g.must(devnet.GasRelayer, g.AccountFactory, p.create())
	for id, want := range map[[4]byte]bool{
		{0x01, 0xff, 0xc9, 0xa7}: true, {0x15, 0x0b, 0x7a, 0x02}: true, {0x4e, 0x23, 0x12, 0xe0}: true,
		{0x16, 0x26, 0xba, 0x7e}: true, {0xff, 0xff, 0xff, 0xff}: false, {0x80, 0xac, 0x58, 0xcd}: false,
	} {
		if got := ask(g, p.account, self.PackSupportsInterface(id), self.UnpackSupportsInterface); got != want {
			t.Errorf("supportsInterface(%x) = %v", id, got)
		}
	}
	// An unknown function must fail cheaply, not burn all gas.
	to := common.Address(p.account)
	_, err := g.client.CallContract(t.Context(), ethereum.CallMsg{To: &to, Data: []byte{0xde, 0xad, 0xbe, 0xef}, Gas: 60_000}, nil)
	if failure, unpackErr := self.UnpackError(revertData(err)); unpackErr != nil {
		t.Errorf("an unknown function: %v", err)
	} else if _, ok := failure.(*contracts.PantheonAccountFnSelectorNotRecognized); !ok {
		t.Errorf("an unknown function: %T", failure)
	}
}

// personalSign signs a hash for the player's account: PersonalSign of ERC-7739 under the account's domain.
func (p player) personalSign(t *testing.T, hash [32]byte) []byte {
	t.Helper()
	text := func(s string) []byte { return crypto.Keccak256([]byte(s)) }
	domain := crypto.Keccak256(
		text("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
		text(contracts.AccountDomainName), text(contracts.AccountDomainVersion),
		common.LeftPadBytes(big.NewInt(devnettest.GameChain).Bytes(), 32), common.LeftPadBytes(p.account[:], 32))
	message := crypto.Keccak256(text("PersonalSign(bytes prefixed)"), hash[:])
	return signHash(t, p.key, [32]byte(crypto.Keccak256([]byte{0x19, 0x01}, domain, message)))
}

// wrap adds the account's deployment data to a signature (ERC-6492).
func (g *game) wrap(p player, signature []byte) []byte {
	g.Helper()
	address, err := abi.NewType("address", "", nil)
	if err != nil {
		g.Fatal(err)
	}
	bytes, err := abi.NewType("bytes", "", nil)
	if err != nil {
		g.Fatal(err)
	}
	out, err := abi.Arguments{{Type: address}, {Type: bytes}, {Type: bytes}}.Pack(common.Address(g.AccountFactory), p.create(), signature)
	if err != nil {
		g.Fatal(err)
	}
	return append(out, common.FromHex(strings.Repeat("6492", 16))...)
}

// valid verifies a signature on the chain, without a deployed verifier.
func (g *game) valid(signer eth.Address, hash [32]byte, signature []byte) bool {
	g.Helper()
	data, err := contracts.SignatureCheck(signer, hash, signature)
	if err != nil {
		g.Fatal(err)
	}
	answer, err := g.client.CallContract(g.Context(), ethereum.CallMsg{Data: data}, nil)
	var refusal rpc.Error
	if err != nil && !(errors.As(err, &refusal) && refusal.ErrorCode() == 3) {
		g.Fatal(err)
	}
	return err == nil && contracts.SignatureValid(answer)
}

func TestAccount_SignaturesOfAllKindsOfAccountsAreVerified(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p, other := g.player("ann"), g.player("ben")
	hash, wrong := [32]byte(accounts.TextHash([]byte("Sign in to play"))), [32]byte{1}
	personal, plain := p.personalSign(t, hash), signHash(t, p.key, hash)

	type check struct {
		name      string
		signer    eth.Address
		hash      [32]byte
		signature []byte
		want      bool
	}
	always := []check{
		{"a key's", p.owner, hash, plain, true},
		{"a key's of something else", p.owner, wrong, plain, false},
		{"another key's", other.owner, hash, plain, false},
		{"an account's, wrapped", p.account, hash, g.wrap(p, personal), true},
		{"an account's of something else, wrapped", p.account, wrong, g.wrap(p, personal), false},
		{"of another account's owner, wrapped", p.account, hash, g.wrap(p, other.personalSign(t, hash)), false},
		{"an account's, wrapped with another's deployment", other.account, hash, g.wrap(p, personal), false},
		{"the owner's outside the account's domain", p.account, hash, g.wrap(p, plain), false},
		{"nobody's", eth.Address{}, hash, make([]byte, 65), false},
		{"empty", p.owner, hash, nil, false},
		{"a wrapper around nothing", p.account, hash, common.FromHex(strings.Repeat("6492", 16)), false},
	}
	verify := func(when string, checks []check) {
		for _, c := range checks {
			if got := g.valid(c.signer, c.hash, c.signature); got != c.want {
				t.Errorf("%s deployment, a signature that is %s: valid = %v", when, c.name, got)
			}
		}
	}
	verify("before", append(always, check{"an account's, bare", p.account, hash, personal, false}))
	g.must(devnet.GasRelayer, g.AccountFactory, p.create())
	verify("after", append(always, check{"an account's, bare", p.account, hash, personal, true}))
}

func TestAccount_WrongSignatureIsRefusedCheaply(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	p := g.player("ann")
	g.must(devnet.GasRelayer, g.AccountFactory, p.create())
	self, to := contracts.NewPantheonAccount(), common.Address(p.account)
	out, err := g.client.CallContract(t.Context(), ethereum.CallMsg{
		To: &to, Gas: 100_000, Data: self.PackIsValidSignature([32]byte{1}, make([]byte, 65)),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := self.UnpackIsValidSignature(out); err != nil || answer != [4]byte{0xff, 0xff, 0xff, 0xff} {
		t.Errorf("isValidSignature = %x, %v", answer, err)
	}
}

// BenchmarkGaslessPurchase measures an approved and sponsored purchase from signing to the receipt, on the chain only.
func BenchmarkGaslessPurchase(b *testing.B) {
	g := newGame(b)
	p := g.player("ann")
	const plenty = 1_000_000
	id := g.listMany(devnet.Seller(1), 7, 1, plenty)
	g.must(devnet.Manager, g.USDC, packed(contracts.Mint20(p.account, big.NewInt(plenty))))
	g.must(devnet.GasRelayer, g.AccountFactory, p.create())
	for b.Loop() {
		done, err := g.handle(g.operation(p, batch(
			contracts.ERC4337Call{
				Target: common.Address(g.USDC), Data: contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(1)),
			},
			contracts.ERC4337Call{Target: common.Address(g.Marketplace), Data: contracts.NewDirectListingsLogic().PackBuyFromListing(
				id, common.Address(p.account), big.NewInt(1), common.Address(g.USDC), big.NewInt(1))},
		)))
		if err != nil {
			b.Fatal(err)
		}
		if !done.Success {
			b.Fatal("the purchase failed")
		}
	}
}
