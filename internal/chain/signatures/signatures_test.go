package signatures_test

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signatures"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

// agreed are players who approve each change of their wallet.
type agreed struct{}

func (agreed) ApproveConnection(context.Context, wallet.Caller, eth.Address, string) error {
	return nil
}
func (agreed) ApproveDisconnection(context.Context, wallet.Caller, wallet.Verified) error { return nil }
func (agreed) Address(context.Context, string) (string, error)                            { return "", nil }

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

const site = "https://portal.example"

// game is a chain with the smart accounts' factory, and a portal that verifies wallets on it.
type game struct {
	*testing.T
	*wallet.Proofs
	world.Addresses
	client *ethclient.Client
}

func newGame(t *testing.T) game {
	t.Helper()
	chain := devnettest.Run(t, devnet.Options{MaxLead: 12 * time.Hour})
	addresses, err := world.Deploy(t.Context(), chain.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: devnettest.GameChain, Client: chain.Client()})
	if err != nil {
		t.Fatal(err)
	}
	away, err := rpc.New(rpc.Options{Name: "main", ChainID: devnettest.MainChain, URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(away.Close)
	db := testkit.Database(t, store.SQLite)
	testkit.AddPlayers(t, db, 0, "A", "B")
	chains := map[onchain.ChainID]*rpc.Client{devnettest.GameChain: client, devnettest.MainChain: away}
	proofs, err := wallet.NewProofs(accounts.New(db), agreed{}, signatures.New(chains), clock.System{}, site,
		[]onchain.ChainID{devnettest.GameChain, devnettest.MainChain})
	if err != nil {
		t.Fatal(err)
	}
	return game{t, proofs, addresses, ethclient.NewClient(chain.Client())}
}

// person has a key and the smart account it owns.
type person struct {
	key            *ecdsa.PrivateKey
	owner, account eth.Address
	create         []byte // the factory's call that deploys the account
}

func (g game) person(name string) person {
	w := devnet.WalletOf(devnet.Role(name))
	return person{
		w.Key, w.Address, contracts.AccountAddress(g.AccountFactory, g.AccountImplementation, w.Address, 0),
		contracts.NewERC4337Factory().PackCreateAccount(contracts.AccountSalt(w.Address, 0)),
	}
}

// sign signs a hash as a wallet does.
func (g game) sign(p person, hash eth.Hash) []byte {
	g.Helper()
	signature, err := crypto.Sign(hash[:], p.key)
	if err != nil {
		g.Fatal(err)
	}
	signature[64] += 27
	return signature
}

// signInAccount signs a message for the person's smart account: PersonalSign of ERC-7739 under its domain.
func (g game) signInAccount(p person, message string) []byte {
	g.Helper()
	text := func(s string) []byte { return crypto.Keccak256([]byte(s)) }
	domain := crypto.Keccak256(
		text("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"), text(contracts.AccountDomainName),
		text(contracts.AccountDomainVersion),
		common.LeftPadBytes(big.NewInt(devnettest.GameChain).Bytes(), 32), common.LeftPadBytes(p.account[:], 32))
	hash := eth.MessageHash([]byte(message))
	return g.sign(p, eth.Keccak256([]byte{0x19, 0x01}, domain, crypto.Keccak256(text("PersonalSign(bytes prefixed)"), hash[:])))
}

// wrap adds the account's deployment data to a signature (ERC-6492).
func (g game) wrap(p person, signature []byte) []byte {
	g.Helper()
	kind := func(name string) abi.Argument {
		t, err := abi.NewType(name, "", nil)
		if err != nil {
			g.Fatal(err)
		}
		return abi.Argument{Type: t}
	}
	out, err := abi.Arguments{kind("address"), kind("bytes"), kind("bytes")}.Pack(common.Address(g.AccountFactory), p.create, signature)
	if err != nil {
		g.Fatal(err)
	}
	return append(out, common.FromHex(strings.Repeat("6492", 16))...)
}

// deploy deploys the person's smart account.
func (g game) deploy(p person) {
	g.Helper()
	from, to, id := devnet.WalletOf(devnet.GasRelayer), common.Address(g.AccountFactory), big.NewInt(devnettest.GameChain)
	gas, err := g.client.EstimateGas(g.Context(), ethereum.CallMsg{From: common.Address(from.Address), To: &to, Data: p.create})
	if err != nil {
		g.Fatal(err)
	}
	nonce, err := g.client.PendingNonceAt(g.Context(), common.Address(from.Address))
	if err != nil {
		g.Fatal(err)
	}
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: &to, Data: p.create, Gas: gas, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(1e9),
	})
	if err != nil {
		g.Fatal(err)
	}
	if receipt, err := g.client.SendTransactionSync(g.Context(), tx, nil); err != nil || receipt.Status != types.ReceiptStatusSuccessful {
		g.Fatalf("%+v, %v", receipt, err)
	}
}

// challenge requests the message for a wallet.
func (g game) challenge(player string, address eth.Address, chain onchain.ChainID) string {
	g.Helper()
	m, err := g.Challenge(g.Context(), player, address.Checksum(), chain)
	if err != nil {
		g.Fatal(err)
	}
	return m
}

// Spec: WALLET-18
func TestSignatures_KeysWalletIsProvenByItsOwnSignature(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	ann, ben := g.person("ann"), g.person("ben")
	message := g.challenge("A", ann.owner, devnettest.GameChain)
	hash := eth.MessageHash([]byte(message))
	short := g.sign(ann, hash)[:63] // 64 bytes may be a complete compact signature (EIP-2098)
	for what, signature := range map[string][]byte{
		"another's": g.sign(ben, hash), "of something else": g.sign(ann, eth.Hash{1}), "cut": short, "empty": nil,
		"of the message itself, not as wallets sign": g.sign(ann, eth.Keccak256([]byte(message))), "too long to be one": make([]byte, 20<<10),
	} {
		if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, signature); !errors.Is(err, wallet.ErrSignature) {
			t.Errorf("a signature that is %s: %v", what, err)
		}
	}
	if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, g.sign(ann, hash)); err != nil || w.Address != ann.owner {
		t.Errorf("%+v, %v", w, err)
	}
}

// Some hardware wallets and libraries sign with the recovery id as it is.
func TestSignatures_RecoveryIDsMayBeZeroAndOne(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	ann, ben := g.person("ann"), g.person("ben")
	message := g.challenge("A", ann.owner, devnettest.GameChain)
	hash := eth.MessageHash([]byte(message))
	bare := func(p person) []byte {
		signature := g.sign(p, hash)
		signature[64] -= 27
		return signature
	}
	if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, bare(ben)); !errors.Is(err, wallet.ErrSignature) {
		t.Errorf("another's: %v", err)
	}
	if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, bare(ann)); err != nil || w.Address != ann.owner {
		t.Errorf("%+v, %v", w, err)
	}

	g.deploy(ben)
	message = g.challenge("B", ben.account, devnettest.GameChain)
	signature := g.signInAccount(ben, message)
	signature[64] -= 27
	if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "B"}, message, signature); err != nil || w.Address != ben.account {
		t.Errorf("a smart wallet's: %+v, %v", w, err)
	}
}

// set sets a field whose type is a pointer to a number.
func set[T any, P interface {
	*T
	SetUint64(n uint64) *T
}](field *P, n uint64) {
	*field = new(T)
	(*field).SetUint64(n)
}

// delegate lets the person's account run a contract's code (EIP-7702).
func (g game) delegate(p person, to eth.Address) {
	g.Helper()
	from := devnet.WalletOf(devnet.GasRelayer)
	nonce, err := g.client.PendingNonceAt(g.Context(), common.Address(from.Address))
	if err != nil {
		g.Fatal(err)
	}
	permit, err := types.SignSetCode(p.key, types.SetCodeAuthorization{Address: common.Address(to)})
	if err != nil {
		g.Fatal(err)
	}
	tx := &types.SetCodeTx{Nonce: nonce, Gas: 100_000, To: common.Address(from.Address), AuthList: []types.SetCodeAuthorization{permit}}
	set(&tx.ChainID, devnettest.GameChain)
	set(&tx.GasTipCap, 1)
	set(&tx.GasFeeCap, 1e9)
	set(&tx.Value, 0)
	signed, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(big.NewInt(devnettest.GameChain)), tx)
	if err != nil {
		g.Fatal(err)
	}
	if receipt, err := g.client.SendTransactionSync(g.Context(), signed, nil); err != nil || receipt.Status != types.ReceiptStatusSuccessful {
		g.Fatalf("%+v, %v", receipt, err)
	}
	if code, err := g.client.CodeAt(g.Context(), common.Address(p.owner), nil); err != nil || len(code) != 23 {
		g.Fatalf("the account has %d bytes of code, %v", len(code), err)
	}
}

// A key's account that runs a contract's code is still the key's, also where that code knows no signatures.
func TestSignatures_DelegatedAccountIsProvenByItsKey(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	ann, ben := g.person("ann"), g.person("ben")
	for player, c := range map[string]struct {
		person
		to eth.Address
	}{"A": {ann, g.USDC}, "B": {ben, g.Marketplace}} {
		person := c.person
		g.delegate(person, c.to)
		message := g.challenge(player, person.owner, devnettest.GameChain)
		hash := eth.MessageHash([]byte(message))
		if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: player}, message, g.sign(g.person("eve"), hash)); !errors.Is(err,
			wallet.ErrSignature) {
			t.Errorf("another's: %v", err)
		}
		if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: player}, message, g.sign(person, hash)); err != nil ||
			w.Address != person.owner {
			t.Errorf("%+v, %v", w, err)
		}
	}
}

// Spec: WALLET-18
func TestSignatures_SmartWalletIsProvenBeforeAndAfterItIsDeployed(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	ann, ben := g.person("ann"), g.person("ben")

	// Not deployed yet: the signature contains the deployment (ERC-6492).
	message := g.challenge("A", ann.account, devnettest.GameChain)
	for what, signature := range map[string][]byte{
		"bare": g.signInAccount(ann, message), "another owner's": g.wrap(ann, g.signInAccount(ben, message)),
		"the owner's alone":         g.sign(ann, eth.MessageHash([]byte(message))),
		"with another's deployment": g.wrap(ben, g.signInAccount(ann, message)),
		"a wrapper around nothing":  common.FromHex(strings.Repeat("6492", 16)),
	} {
		if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, signature); !errors.Is(err, wallet.ErrSignature) {
			t.Errorf("before: %s: %v", what, err)
		}
	}
	if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, g.wrap(ann, g.signInAccount(ann, message))); err != nil ||
		w.Address != ann.account {
		t.Errorf("before: %+v, %v", w, err)
	}
	if code, err := g.client.CodeAt(t.Context(), common.Address(ann.account), nil); err != nil || len(code) > 0 {
		t.Errorf("checking has deployed the account: %d bytes, %v", len(code), err)
	}

	// Deployed: the contract decides (ERC-1271).
	g.deploy(ben)
	message = g.challenge("B", ben.account, devnettest.GameChain)
	if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "B"}, message, g.signInAccount(ann, message)); !errors.Is(err,
		wallet.ErrSignature) {
		t.Errorf("after: another owner's: %v", err)
	}
	if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "B"}, message, g.sign(ben, eth.MessageHash([]byte(message)))); !errors.Is(err,
		wallet.ErrSignature) {
		t.Errorf("after: what a key's wallet would sign: %v", err)
	}
	if w, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "B"}, message, g.signInAccount(ben, message)); err != nil ||
		w.Address != ben.account {
		t.Errorf("after: %+v, %v", w, err)
	}
}

// A contract that is not an account validates nothing, and one that fails does no harm.
func TestSignatures_ContractThatIsNotAnAccountValidatesNothing(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	for _, contract := range []eth.Address{g.USDC, g.Marketplace, g.EntryPoint} {
		message := g.challenge("A", contract, devnettest.GameChain)
		if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, make([]byte, 65)); !errors.Is(err, wallet.ErrSignature) {
			t.Errorf("%s: %v", contract, err)
		}
	}
}

// Spec: WALLET-18
func TestSignatures_WhileAChainIsAwayTheMessageKeeps(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	ann := g.person("ann")
	message := g.challenge("A", ann.owner, devnettest.MainChain)
	for range 2 {
		if _, err := g.Verify(t.Context(), wallet.Caller{PlayerID: "A"}, message, g.sign(ann, eth.MessageHash([]byte(message)))); !fault.Is(err,
			fault.Unavailable) {
			t.Error(err)
		}
	}
	checker := signatures.New(nil)
	if _, err := checker.Valid(t.Context(), 1, ann.owner, eth.Hash{1}, nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("a chain of others: %v", err)
	}
}
