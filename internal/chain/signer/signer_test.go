package signer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/signer"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	game, main onchain.ChainID = 1337042, 1337137
	site                       = "https://pantheon.example:8443"
)

var (
	start      = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	market     = eth.MustAddress("0x00000000000000000000000000000000000000a1")
	usdc       = eth.MustAddress("0x00000000000000000000000000000000000000a2")
	entryPoint = eth.MustAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")
)

// keys is the store of sealed keys by player.
type keys struct {
	mu     sync.Mutex
	sealed map[string]string
	owner  map[string]eth.Address
}

func (k *keys) SealedKey(_ context.Context, player string) (owner eth.Address, sealed, by string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sealed[player] == "" {
		return eth.Address{}, "", "", fault.New(fault.NotFound, "You do not have a wallet yet.")
	}
	return k.owner[player], k.sealed[player], "", nil
}

func (k *keys) put(player string, owner eth.Address, sealed string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.owner[player], k.sealed[player] = owner, sealed
}

// guard returns the configured refusal.
type guard struct{ err error }

func (g *guard) Allow(context.Context, gas.Intent) error { return g.err }

// sponsored holds the reservations that the signer checks, by operation and session.
type sponsored struct {
	mu  sync.Mutex
	ops map[eth.Hash]string
}

func (s *sponsored) Sponsored(_ context.Context, c gas.Caller, op eth.Hash, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ops[op] != c.Session {
		return fault.New(fault.Conflict, "This has expired.").WithReason("sponsorship")
	}
	return nil
}

// bound records the operations that are bound before they are signed.
type bound struct {
	err error
	ops []eth.Hash

	unrecorded error    // why nothing can be recorded
	record     []string // what was recorded
}

func (b *bound) OperationSigned(_ context.Context, player string, chain onchain.ChainID, hash eth.Hash, calls []gas.Call) error {
	if b.unrecorded == nil {
		b.record = append(b.record, fmt.Sprintf("%s: %s on %d with %d calls", player, hash, chain, len(calls)))
	}
	return b.unrecorded
}

func (b *bound) MessageSigned(_ context.Context, player string, chain onchain.ChainID, wallet eth.Address) error {
	if b.unrecorded == nil {
		b.record = append(b.record, fmt.Sprintf("%s: %s on %d", player, wallet, chain))
	}
	return b.unrecorded
}

func (b *bound) Bind(_ context.Context, _ string, _ onchain.ChainID, _ *eth.UserOperation, hash eth.Hash, _ []gas.Call) error {
	if b.err == nil {
		b.ops = append(b.ops, hash)
	}
	return b.err
}

// bench is a signer with its dependencies, and a wallet for player P.
type bench struct {
	*signer.Signer
	kek    signer.KEK
	keys   *keys
	guard  *guard
	given  *sponsored
	bound  bound
	clock  *clock.Fake
	log    bytes.Buffer
	wallet gas.Account
}

func policies() []*gas.Policy {
	var out []*gas.Policy
	for _, chain := range []onchain.ChainID{game, main} {
		out = append(out, &gas.Policy{
			Chain: chain, EntryPoint: entryPoint, MaxCalls: 64, MaxGas: 10_000_000,
			Factory:        eth.MustAddress("0x00000000000000000000000000000000000000f1"),
			Implementation: eth.MustAddress("0x00000000000000000000000000000000000000f2"),
			Allowed:        gas.AllowedCalls(gas.Contracts{Marketplace: market, Currency: usdc}),
			Currency:       usdc,
			Paymaster:      paymaster, PaymasterSigners: []eth.Address{eth.Address(crypto.PubkeyToAddress(paymasterKey.PublicKey))},
		})
	}
	return out
}

var (
	paymaster       = eth.MustAddress("0x00000000000000000000000000000000000000fa")
	paymasterKey, _ = crypto.ToECDSA(bytes.Repeat([]byte{7}, 32))
)

// sponsor adds the signature of the paymaster's signer, valid until the given time, and reserves the operation for
// session S.
func (b *bench) sponsor(t testing.TB, chain onchain.ChainID, op *eth.UserOperation, until time.Time) *eth.UserOperation {
	t.Helper()
	op.Paymaster, op.PaymasterVerificationGasLimit = &paymaster, eth.NewQuantity(60_000)
	after := time.Unix(1, 0)
	digest := contracts.SponsorshipHash(op, uint64(chain), paymaster, until, after)
	signature, err := crypto.Sign(accounts.TextHash(digest[:]), paymasterKey)
	if err != nil {
		t.Fatal(err)
	}
	signature[64] += 27
	op.PaymasterData = contracts.Sponsorship{ValidUntil: until, ValidAfter: after, Signature: [65]byte(signature)}.Data()
	b.given.mu.Lock()
	defer b.given.mu.Unlock()
	b.given.ops[op.Hash(entryPoint, uint64(chain))] = "S"
	return op
}

// sponsored is a purchase that may be signed.
func (b *bench) sponsored(t testing.TB) *eth.UserOperation {
	t.Helper()
	return b.sponsor(t, game, b.purchase(t), b.clock.Now().Add(10*time.Minute))
}

func newBench(t testing.TB, perMinute int) *bench {
	t.Helper()
	kek, err := signer.KeyFile(filepath.Join(t.TempDir(), "signer.key"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		kek: kek, keys: &keys{sealed: map[string]string{}, owner: map[string]eth.Address{}}, guard: &guard{},
		given: &sponsored{ops: map[eth.Hash]string{}}, clock: clock.NewFake(start),
	}
	b.Signer, err = signer.New(signer.Options{
		Ring: signer.Ring{kek}, Keys: b.keys, Guard: b.guard, Sponsored: b.given, Bindings: &b.bound, Record: &b.bound, Policies: policies(),
		Site: site, PerMinute: perMinute, Clock: b.clock, Log: slog.New(slog.NewJSONHandler(&b.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	b.wallet = b.newPlayer(t, "P")
	return b
}

func (b *bench) newPlayer(t testing.TB, player string) gas.Account {
	t.Helper()
	key, err := b.NewKey(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	b.keys.put(player, key.Owner, key.Sealed)
	return gas.Account{Owner: key.Owner, Smart: key.Smart}
}

// purchase returns an operation with which the player approves and buys.
func (b *bench) purchase(t testing.TB) *eth.UserOperation {
	t.Helper()
	price := big.NewInt(5_000_000)
	approve, err := contracts.NewTestToken().TryPackApprove(common.Address(market), price)
	if err != nil {
		t.Fatal(err)
	}
	buy, err := contracts.NewDirectListingsLogic().TryPackBuyFromListing(big.NewInt(1), common.Address(b.wallet.Smart), big.NewInt(1),
		common.Address(usdc), price)
	if err != nil {
		t.Fatal(err)
	}
	zero := new(big.Int)
	callData, err := contracts.NewPantheonAccount().TryPackExecuteBatch([]contracts.ERC4337Call{
		{Target: common.Address(usdc), Value: zero, Data: approve}, {Target: common.Address(market), Value: zero, Data: buy},
	})
	if err != nil {
		t.Fatal(err)
	}
	factory := policies()[0].Factory
	return &eth.UserOperation{
		Sender: b.wallet.Smart, Factory: &factory, FactoryData: gas.FactoryData(b.wallet.Owner), CallData: callData,
		CallGasLimit: eth.NewQuantity(300_000), VerificationGasLimit: eth.NewQuantity(300_000), PreVerificationGas: eth.NewQuantity(50_000),
	}
}

// signerOf returns the signer of a signature.
func signerOf(t *testing.T, hash []byte, signature eth.Bytes) eth.Address {
	t.Helper()
	if len(signature) != 65 || (signature[64] != 27 && signature[64] != 28) {
		t.Fatalf("the signature %s has another form than r ‖ s ‖ v", signature)
	}
	plain := append([]byte(nil), signature...)
	plain[64] -= 27
	key, err := crypto.SigToPub(hash, plain)
	if err != nil {
		t.Fatal(err)
	}
	return eth.Address(crypto.PubkeyToAddress(*key))
}

func wantRefusal(t *testing.T, err error, reason string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != fault.Forbidden || f.Reason != reason {
		t.Errorf("%v, want a refusal with reason %q", err, reason)
	}
}

// Spec: GAS-2
func TestSigner_OwnerSignsThePlayersOwnPurchase(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	for _, chain := range []onchain.ChainID{game, main} {
		op := b.sponsor(t, chain, b.purchase(t), start.Add(10*time.Minute))
		signature, err := b.SignUserOperation(t.Context(), "P", "S", chain, op)
		if err != nil {
			t.Fatal(err)
		}
		hash := op.Hash(entryPoint, uint64(chain))
		if got := signerOf(t, accounts.TextHash(hash[:]), signature); got != b.wallet.Owner {
			t.Fatalf("signed by %s, want the owner %s", got, b.wallet.Owner)
		}
	}
}

// Spec: GAS-2
func TestSigner_WhatThePolicyDoesNotAllowIsRefusedAndLogged(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1000)
	stranger := b.newPlayer(t, "Q")
	refused := func(reason string, chain onchain.ChainID, change func(op *eth.UserOperation)) {
		t.Helper()
		op := b.purchase(t)
		change(op)
		b.sponsor(t, chain, op, start.Add(10*time.Minute))
		_, err := b.SignUserOperation(t.Context(), "P", "S", chain, op)
		wantRefusal(t, err, reason)
	}
	refused("chain", 1, func(*eth.UserOperation) {})
	refused("sender", game, func(op *eth.UserOperation) { op.Sender = stranger.Smart })
	refused("factory", game, func(op *eth.UserOperation) { op.FactoryData = gas.FactoryData(stranger.Owner) })
	refused("nonce-key", game, func(op *eth.UserOperation) { op.Nonce[23] = 1 })
	refused("paymaster", game, func(op *eth.UserOperation) { op.PaymasterPostOpGasLimit = eth.NewQuantity(1) })
	refused("gas", game, func(op *eth.UserOperation) { op.CallGasLimit = eth.NewQuantity(10_000_000) })
	refused("call-data", game, func(op *eth.UserOperation) { op.CallData = append([]byte{1, 2, 3, 4}, make([]byte, 32)...) })
	refused("self-call", game, func(op *eth.UserOperation) {
		op.CallData = contracts.NewPantheonAccount().PackExecute(common.Address(b.wallet.Smart), new(big.Int), []byte{1, 2, 3, 4})
	})
	refused("target", game, func(op *eth.UserOperation) {
		op.CallData = contracts.NewPantheonAccount().PackExecute(common.Address(stranger.Smart), new(big.Int), []byte{1, 2, 3, 4})
	})
	if n := strings.Count(b.log.String(), "signature refused"); n != 9 {
		t.Errorf("%d refusals were logged, want 9", n)
	}

	op := b.purchase(t)
	op.Sender = eth.Address{}
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, op); !fault.Is(err, fault.Invalid) {
		t.Errorf("a malformed operation: %v", err)
	}
	if _, err := b.SignUserOperation(t.Context(), "nobody", "S", game, b.sponsored(t)); !fault.Is(err, fault.NotFound) {
		t.Errorf("a player without a wallet: %v", err)
	}
}

// A minute with someone's wallet token must not yield a signature that outlives the session.
// Spec: GAS-10
func TestAttack_SignatureOutlivesTheSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1000)
	refused := func(what string, code fault.Code, reason string, op *eth.UserOperation, session string) {
		t.Helper()
		_, err := b.SignUserOperation(t.Context(), "P", session, game, op)
		if f := fault.As(err); f == nil || f.Code != code || f.Reason != reason {
			t.Errorf("%s: %v, want %s %q", what, err, code, reason)
		}
	}
	change := func(change func(*eth.UserOperation)) *eth.UserOperation {
		op := b.sponsored(t)
		change(op)
		return op
	}
	refused("without paymaster and fee", fault.Forbidden, "paymaster", b.purchase(t), "S")
	refused("another paymaster", fault.Forbidden, "paymaster", change(func(op *eth.UserOperation) { op.Paymaster = &market }), "S")
	refused("a made-up sponsorship", fault.Forbidden, "sponsorship", change(func(op *eth.UserOperation) {
		op.PaymasterData[20] ^= 1
	}), "S")
	refused("a sponsorship of other calls", fault.Forbidden, "sponsorship", change(func(op *eth.UserOperation) {
		op.CallGasLimit = eth.NewQuantity(300_001)
	}), "S")
	refused("data of another length", fault.Forbidden, "sponsorship", change(func(op *eth.UserOperation) {
		op.PaymasterData = op.PaymasterData[:76]
	}), "S")
	refused("an unused nonce key", fault.Forbidden, "nonce-key", change(func(op *eth.UserOperation) { op.Nonce[0] = 1 }), "S")
	refused("no end", fault.Forbidden, "sponsorship", b.sponsor(t, game, b.purchase(t), time.Unix(0, 0)), "S")
	refused("more than ten minutes and the minute that a chain may be ahead", fault.Forbidden, "sponsorship",
		b.sponsor(t, game, b.purchase(t), start.Add(11*time.Minute+time.Second)), "S")
	refused("another session", fault.Conflict, "sponsorship", b.sponsored(t), "T")
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); err != nil {
		t.Errorf("the session's own: %v", err)
	}
}

// Spec: GAS-10
func TestCancellation_SignsOnlyWhatUsesUpTheAccountsOwnNonce(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1000)
	stranger := b.newPlayer(t, "Q")
	cancellation := func(change func(*eth.UserOperation)) *eth.UserOperation {
		op := b.purchase(t)
		op.CallData = gas.EncodeCalls(nil)
		change(op)
		return b.sponsor(t, game, op, start.Add(10*time.Minute))
	}
	refused := func(reason string, op *eth.UserOperation) {
		t.Helper()
		_, err := b.SignCancellation(t.Context(), "P", game, op)
		wantRefusal(t, err, reason)
	}
	refused("calls", b.sponsored(t))
	refused("calls", cancellation(func(op *eth.UserOperation) { op.CallData = []byte{1, 2, 3, 4} }))
	refused("sender", cancellation(func(op *eth.UserOperation) { op.Sender = stranger.Smart }))
	refused("nonce-key", cancellation(func(op *eth.UserOperation) { op.Nonce[0] = 1 }))
	unsponsored := cancellation(func(*eth.UserOperation) {})
	unsponsored.PaymasterData[20] ^= 1
	refused("sponsorship", unsponsored)
	good := cancellation(func(*eth.UserOperation) {})
	if _, err := b.SignCancellation(t.Context(), "nobody", game, good); !fault.Is(err, fault.NotFound) {
		t.Errorf("a player without a wallet: %v", err)
	}
	signature, err := b.SignCancellation(t.Context(), "P", game, good)
	if err != nil {
		t.Fatal(err)
	}
	hash := good.Hash(entryPoint, uint64(game))
	if got := signerOf(t, accounts.TextHash(hash[:]), signature); got != b.wallet.Owner {
		t.Errorf("signed by %s, want the owner %s", got, b.wallet.Owner)
	}
}

// Spec: PAY-13
func TestSigner_UnitHeldBySomebodyElseIsNotBought(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	b.guard.err = fault.New(fault.Conflict, "Somebody else holds this item.").WithReason("held")
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); !errors.Is(err, b.guard.err) {
		t.Fatalf("the guard was not heard: %v", err)
	}
}

func TestSigner_SignaturesPerMinuteAreLimited(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3)
	b.newPlayer(t, "Q")
	for i := range 3 {
		if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); err != nil {
			t.Fatalf("signature %d: %v", i, err)
		}
	}
	_, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t))
	if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.RetryAfter != time.Minute {
		t.Fatalf("the fourth: %v", err)
	}
	_, err = b.SignUserOperation(t.Context(), "Q", "S", game, b.sponsored(t))
	wantRefusal(t, err, "sender") // another player's limit is unaffected
	b.clock.Advance(time.Minute)
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); err != nil {
		t.Fatalf("a minute later: %v", err)
	}
}

// message returns a sign-in message; each change replaces the first text by the second.
func message(address eth.Address, changes ...string) string {
	m := "pantheon.example:8443 wants you to sign in with your Ethereum account:\n" + address.Checksum() +
		"\n\nLink this wallet to your account.\n\nURI: " + site + "/portal\nVersion: 1\nChain ID: 1337042\nNonce: a1B2c3D4e5" +
		"\nIssued At: 2026-03-01T11:59:30.000Z\nExpiration Time: 2026-03-01T12:10:00.000Z"
	return strings.NewReplacer(changes...).Replace(m)
}

// typed returns the account's PersonalSign wrapping of a message, as libraries create it.
func typed(account eth.Address, chain onchain.ChainID, message string) apitypes.TypedData {
	return apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain": {
				{Name: "name", Type: "string"}, {Name: "version", Type: "string"}, {Name: "chainId", Type: "uint256"},
				{Name: "verifyingContract", Type: "address"},
			},
			"PersonalSign": {{Name: "prefixed", Type: "bytes"}},
		},
		PrimaryType: "PersonalSign",
		Domain: apitypes.TypedDataDomain{
			Name: "PantheonAccount", Version: "1", ChainId: (*math.HexOrDecimal256)(new(big.Int).SetUint64(uint64(chain))),
			VerifyingContract: account.Checksum(),
		},
		Message: apitypes.TypedDataMessage{
			"prefixed": eth.Bytes(fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d%s", len(message), message)).String(),
		},
	}
}

func jsonOf(t testing.TB, td apitypes.TypedData) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"types": td.Types, "primaryType": td.PrimaryType, "message": td.Message,
		"domain": map[string]any{
			"name": td.Domain.Name, "version": td.Domain.Version, "chainId": (*big.Int)(td.Domain.ChainId).Uint64(),
			"verifyingContract": td.Domain.VerifyingContract,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Spec: WALLET-21
func TestSigner_SignInIsSignedForOwnerAndAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	for name, changes := range map[string][]string{
		"as it is":          nil,
		"without statement": {"Link this wallet to your account.\n", ""},
		"with scheme":       {"pantheon.example:8443 wants", site + " wants"},
		"an hour old":       {"2026-03-01T11:59:30", "2026-03-01T11:00:01"},
		"two minutes ahead": {"2026-03-01T11:59:30", "2026-03-01T12:01:59"},
		"every field":       {"Expiration Time: 2026-03-01T12:10:00.000Z", "Not Before: 2026-03-01T11:59:00Z\nRequest ID: 7"},
	} {
		m := message(b.wallet.Owner, changes...)
		signature, err := b.SignMessage(t.Context(), "P", m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := signerOf(t, accounts.TextHash([]byte(m)), signature); got != b.wallet.Owner {
			t.Errorf("%s: signed by %s", name, got)
		}

		m = message(b.wallet.Smart, changes...)
		td := typed(b.wallet.Smart, game, m)
		hash, _, err := apitypes.TypedDataAndHash(td)
		if err != nil {
			t.Fatal(err)
		}
		if signature, err = b.SignMessage(t.Context(), "P", m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := signerOf(t, hash, signature); got != b.wallet.Owner {
			t.Errorf("%s: for the account, signed by %s", name, got)
		}
		if signature, err = b.SignTypedData(t.Context(), "P", jsonOf(t, td)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := signerOf(t, hash, signature); got != b.wallet.Owner {
			t.Errorf("%s: as typed data, signed by %s", name, got)
		}
	}
}

// Spec: WALLET-21
func TestSigner_AnyOtherMessageIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1000)
	stranger := b.newPlayer(t, "Q")
	for name, c := range map[string]struct{ reason, message string }{
		"no sign-in":        {"message", "Please sign this."},
		"nothing":           {"message", ""},
		"another site":      {"domain", message(b.wallet.Smart, "pantheon.example:8443 wants", "evil.example wants")},
		"another scheme":    {"domain", message(b.wallet.Smart, "pantheon.example:8443 wants", "http://pantheon.example:8443 wants")},
		"another target":    {"domain", message(b.wallet.Smart, "URI: "+site, "URI: "+site+".evil.example")},
		"another wallet":    {"address", message(stranger.Smart)},
		"another chain":     {"chain", message(b.wallet.Smart, "Chain ID: 1337042", "Chain ID: 1")},
		"no number":         {"message", message(b.wallet.Smart, "Chain ID: 1337042", "Chain ID: one")},
		"another version":   {"message", message(b.wallet.Smart, "Version: 1", "Version: 2")},
		"a short nonce":     {"message", message(b.wallet.Smart, "a1B2c3D4e5", "a1B2c3D")},
		"too old":           {"time", message(b.wallet.Smart, "2026-03-01T11:59:30", "2026-03-01T11:00:00")},
		"from the future":   {"time", message(b.wallet.Smart, "2026-03-01T11:59:30", "2026-03-01T12:02:00")},
		"over":              {"time", message(b.wallet.Smart, "2026-03-01T12:10:00", "2026-03-01T12:00:00")},
		"not begun":         {"time", message(b.wallet.Smart, "Expiration Time", "Not Before")},
		"no time":           {"message", message(b.wallet.Smart, "2026-03-01T12:10:00", "later")},
		"resources":         {"message", message(b.wallet.Smart) + "\nResources:\n- https://example.org"},
		"a field missing":   {"message", message(b.wallet.Smart, "\nVersion: 1", "")},
		"a line more":       {"message", message(b.wallet.Smart) + "\n"},
		"a hidden return":   {"message", message(b.wallet.Smart, "Link this", "Link\rthis")},
		"a bad address":     {"message", message(b.wallet.Smart, b.wallet.Smart.Checksum(), "0x1")},
		"an endless text":   {"message", message(b.wallet.Smart, "Link this", strings.Repeat("x", 5000))},
		"a two-line speech": {"message", message(b.wallet.Smart, "Link this", "Link\nthis")},
	} {
		_, err := b.SignMessage(t.Context(), "P", c.message)
		t.Run(name, func(t *testing.T) { wantRefusal(t, err, c.reason) })
		_, err = b.SignTypedData(t.Context(), "P", jsonOf(t, typed(b.wallet.Smart, game, c.message)))
		t.Run(name+", wrapped", func(t *testing.T) {
			reason := c.reason
			if name == "another chain" {
				reason = "address" // the domain's chain is not the message's
			}
			wantRefusal(t, err, reason)
		})
	}
}

// Spec: WALLET-21
func TestSigner_AnyOtherTypedDataIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1000)
	stranger := b.newPlayer(t, "Q")
	good := message(b.wallet.Smart)
	refused := func(name, reason string, data []byte) {
		t.Helper()
		_, err := b.SignTypedData(t.Context(), "P", data)
		t.Run(name, func(t *testing.T) { wantRefusal(t, err, reason) })
	}
	change := func(from, to string) []byte {
		return bytes.Replace(jsonOf(t, typed(b.wallet.Smart, game, good)), []byte(from), []byte(to), 1)
	}
	refused("another account", "typed-data", jsonOf(t, typed(stranger.Smart, game, good)))
	refused("another chain", "address", jsonOf(t, typed(b.wallet.Smart, main, good)))
	refused("an owner's message", "address", jsonOf(t, typed(b.wallet.Smart, game, message(b.wallet.Owner))))
	refused("a permit", "typed-data", change(`"primaryType":"PersonalSign"`, `"primaryType":"Permit"`))
	refused("another type", "typed-data", change(`"type":"bytes"`, `"type":"string"`))
	refused("more types", "typed-data", change(`"types":{`, `"types":{"Other":[],`))
	refused("more fields", "typed-data", change(`"message":{`, `"message":{"more":1,`))
	refused("another domain", "typed-data", change(`"name":"PantheonAccount"`, `"name":"Permit2"`))
	refused("a salted domain", "typed-data", change(`"domain":{`, `"domain":{"salt":"0x00",`))
	refused("not a wrapping", "typed-data", change(`"prefixed":"0x19`, `"prefixed":"0x20`))
	refused("no JSON", "typed-data", []byte("0x1901"))
	refused("too much", "typed-data", bytes.Repeat([]byte(" "), 1<<16))
}

// Spec: WALLET-20
func TestSigner_SealedKeyOpensForItsPlayerOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	b.newPlayer(t, "Q")
	owner, sealed, _, err := b.keys.SealedKey(t.Context(), "P")
	if err != nil {
		t.Fatal(err)
	}
	op := b.sponsored(t)
	b.keys.put("Q", owner, sealed) // copies the sealed key to another player's row
	if signature, err := b.SignUserOperation(t.Context(), "Q", "S", game, op); err == nil || fault.As(err) != nil {
		t.Fatalf("player Q signed with P's key: %s, %v", signature, err)
	}
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, op); err != nil {
		t.Fatal(err)
	}

	other := newBench(t, 0) // another key file
	other.keys.put("P", owner, sealed)
	if _, err := other.SignUserOperation(t.Context(), "P", "S", game, op); err == nil || strings.Contains(err.Error(), sealed) {
		t.Fatalf("opened with another key-encryption key: %v", err)
	}
	if log := b.log.String() + other.log.String(); strings.Contains(log, sealed) {
		t.Fatal("a sealed key was logged")
	}
}

func TestSigner_KeyFileIsMadeOnceAndKeptPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "signer.key")
	var wg sync.WaitGroup
	keks := make([]signer.KEK, 8)
	for i := range keks {
		wg.Go(func() {
			var err error
			if keks[i], err = signer.KeyFile(path); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	sealed, err := keks[0].EncryptWithContext(t.Context(), []byte("secret"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, kek := range keks {
		if plain, err := kek.DecryptWithContext(t.Context(), sealed, nil); err != nil || string(plain) != "secret" {
			t.Fatalf("opener %d has another key: %v", i, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file's mode is %v (%v)", info.Mode(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Fatalf("left behind: %v (%v)", entries, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := signer.KeyFile(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Fatalf("a file that others may read was taken: %v", err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := signer.KeyFile(path); err == nil {
		t.Fatal("a damaged file was taken")
	}
}

// What leaves a wallet is bound to the operation before it is signed, as the last of all checks.
// Spec: MONEY-4
func TestSigner_BindsAnOperationLastBeforeSigning(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	op := b.purchase(t)
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsor(t, game, op, b.clock.Now().Add(time.Hour))); err == nil ||
		len(b.bound.ops) > 0 {
		t.Errorf("an operation that is sponsored for too long: %v, bound %v", err, b.bound.ops)
	}
	if _, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); err != nil || len(b.bound.ops) != 1 {
		t.Fatalf("%v, bound %v", err, b.bound.ops)
	}
	b.bound.err = fault.New(fault.Conflict, "It is on its way.").WithReason("sending")
	if signature, err := b.SignUserOperation(t.Context(), "P", "S", game, b.sponsored(t)); fault.As(err) == nil ||
		fault.As(err).Reason != "sending" || signature != nil {
		t.Errorf("signed %x, %v", signature, err)
	}
}

// No signature is returned that is not recorded, of whatever kind.
func TestSigner_NothingIsSignedWithoutARecord(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	op := b.sponsored(t)
	cancelled := b.sponsored(t)
	cancelled.CallData = gas.EncodeCalls(nil)
	b.sponsor(t, game, cancelled, b.clock.Now().Add(10*time.Minute))
	kinds := map[string]func() (eth.Bytes, error){
		"operation":    func() (eth.Bytes, error) { return b.SignUserOperation(t.Context(), "P", "S", game, op) },
		"cancellation": func() (eth.Bytes, error) { return b.SignCancellation(t.Context(), "P", game, cancelled) },
		"message":      func() (eth.Bytes, error) { return b.SignMessage(t.Context(), "P", message(b.wallet.Owner)) },
		"typed data": func() (eth.Bytes, error) {
			return b.SignTypedData(t.Context(), "P", jsonOf(t, typed(b.wallet.Smart, game, message(b.wallet.Smart))))
		},
	}
	b.bound.unrecorded = errors.New("the disk is full")
	for kind, sign := range kinds {
		if signature, err := sign(); !errors.Is(err, b.bound.unrecorded) || signature != nil {
			t.Errorf("%s without a record: %x, %v", kind, signature, err)
		}
	}
	b.bound.unrecorded = nil
	for kind, sign := range kinds {
		if signature, err := sign(); err != nil || len(signature) != 65 {
			t.Errorf("%s: %x, %v", kind, signature, err)
		}
	}
	want := []string{
		fmt.Sprintf("P: %s on 1337042 with 2 calls", op.Hash(entryPoint, uint64(game))),
		fmt.Sprintf("P: %s on 1337042 with 0 calls", cancelled.Hash(entryPoint, uint64(game))),
		fmt.Sprintf("P: %s on 1337042", b.wallet.Owner), fmt.Sprintf("P: %s on 1337042", b.wallet.Smart),
	}
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(b.bound.record)), want) {
		t.Errorf("recorded %q, want %q", b.bound.record, want)
	}
}

func TestSigner_ChainsMustAgreeOnTheAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	p := policies()
	p[1].Factory = usdc
	for name, o := range map[string]signer.Options{
		"two factories": {Ring: signer.Ring{b.kek}, Policies: p, Site: site},
		"no chain":      {Ring: signer.Ring{b.kek}, Site: site},
		"no site":       {Ring: signer.Ring{b.kek}, Policies: policies(), Site: "pantheon.example"},
		"no key":        {Policies: policies(), Site: site},
	} {
		if _, err := signer.New(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzDecode checks that the output of the contract's own encoder is decoded correctly.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, []byte{}, uint64(7), true)
	f.Add(bytes.Repeat([]byte{0xff}, 100), []byte{5}, uint64(0), false)
	account := contracts.NewPantheonAccount()
	f.Fuzz(func(t *testing.T, one, two []byte, value uint64, batch bool) {
		calls := []contracts.ERC4337Call{
			{Target: common.Address(market), Value: new(big.Int).SetUint64(value), Data: one},
			{Target: common.Address(usdc), Value: new(big.Int), Data: two},
		}
		data := account.PackExecuteBatch(calls)
		if !batch {
			calls = calls[:1]
			data = account.PackExecute(calls[0].Target, calls[0].Value, calls[0].Data)
		}
		got, err := gas.DecodeCalls(data)
		if err != nil || len(got) != len(calls) {
			t.Fatalf("read %v (%v)", got, err)
		}
		for i, c := range calls {
			if got[i].Target != eth.Address(c.Target) || got[i].Value.Big().Cmp(c.Value) != 0 || !bytes.Equal(got[i].Data, c.Data) {
				t.Fatalf("call %d was read as %v", i, got[i])
			}
		}
	})
}

// FuzzMessages checks that only sign-in messages for the player's own wallet are signed.
func FuzzMessages(f *testing.F) {
	b := newBench(f, 1<<30)
	f.Add([]byte(message(b.wallet.Smart)))
	f.Add([]byte(message(b.wallet.Owner)))
	f.Add(jsonOf(f, typed(b.wallet.Smart, game, message(b.wallet.Smart))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := b.SignMessage(t.Context(), "P", string(data)); err == nil {
			text := string(data)
			if !strings.Contains(text, "\n"+b.wallet.Smart.Checksum()+"\n") && !strings.Contains(text, "\n"+b.wallet.Owner.Checksum()+"\n") &&
				!strings.Contains(text, "\n"+b.wallet.Smart.String()+"\n") && !strings.Contains(text, "\n"+b.wallet.Owner.String()+"\n") {
				t.Fatalf("signed %q", text)
			}
		}
		if _, err := b.SignTypedData(t.Context(), "P", data); err == nil && !bytes.Contains(data, []byte("PersonalSign")) {
			t.Fatalf("signed %q", data)
		}
	})
}

func BenchmarkSignUserOperation(b *testing.B) {
	s := newBench(b, 1<<30)
	op := s.sponsored(b)
	for b.Loop() {
		if _, err := s.SignUserOperation(b.Context(), "P", "S", game, op); err != nil {
			b.Fatal(err)
		}
	}
}
