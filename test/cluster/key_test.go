package cluster_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/app"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/signer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// The key that seals the wallets, the secret that signs tokens, the gas relayer, the claimer and the paymaster's signer are replaced while
// players register and trade: no call fails, and afterwards the former ones are not needed.
// Spec: RUN-24, RUN-26
func TestCluster_KeysAreReplacedUnderTrade(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	former, secret := c.setting("SIGNER_KEY_FILE"), c.setting("TOKEN_SECRET")
	newSecret := base64.StdEncoding.EncodeToString([]byte(rand.Text() + rand.Text()))
	next := filepath.Join(t.TempDir(), "next.key")
	must(t, signer.MakeKeyFile(next))
	key, err := signer.OpenKeyFile(next)
	must(t, err)
	c.settled(c.buy(2)...)
	wallets := map[string][2]devnet.Wallet{ // former and next
		"GAS_RELAYER_PRIVATE_KEY":      {devnet.WalletOf(devnet.GasRelayer), devnet.WalletOf(devnet.Seller(8))}, // which has gas money
		"PAYMASTER_SIGNER_PRIVATE_KEY": {devnet.WalletOf(devnet.PaymasterSigner), devnet.WalletOf("next signer")},
		"CLAIMER_PRIVATE_KEY":          {devnet.WalletOf(devnet.Claimer), devnet.WalletOf(devnet.Seller(7))},
	}
	list := func(setting string, first, second int) string {
		hexOf := func(w devnet.Wallet) string { return hex.EncodeToString(crypto.FromECDSA(w.Key)) }
		return setting + "=0x" + hexOf(wallets[setting][first]) + ",0x" + hexOf(wallets[setting][second])
	}
	c.setRights(wallets, 1, true)
	rotate := func(replica *testkit.Site, files string) (string, error) {
		cmd := replica.Command("key", "rotate", next, "--reason", "a year has passed")
		cmd.Env = append(cmd.Env, "SIGNER_KEY_FILE="+files)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	both := former + ":" + next
	if out, err := rotate(c.replicas[0], both); err == nil || !strings.Contains(out, "does not have the new key") {
		t.Fatalf("while no replica has the key: %v\n%s", err, out)
	}
	if out, err := rotate(c.replicas[0], former); err == nil || !strings.Contains(out, "must name "+next) {
		t.Fatalf("without the key: %v\n%s", err, out)
	}

	l := c.browse(2, 2)
	for _, r := range c.replicas {
		r.Set("SIGNER_KEY_FILE=" + both)
		r.Set("TOKEN_SECRET=" + secret + "," + newSecret)
		for setting := range wallets {
			r.Set(list(setting, 0, 1))
		}
		r.Restart()
	}
	orders := c.buy(2)
	var damaged, sealed string
	must(t, c.db.QueryRowContext(t.Context(), "SELECT player_id, sealed_key FROM wallet ORDER BY player_id LIMIT 1").Scan(&damaged, &sealed))
	set := func(key string) {
		t.Helper()
		_, err := c.db.ExecContext(t.Context(), "UPDATE wallet SET sealed_key = $1 WHERE player_id = $2", key, damaged)
		must(t, err)
	}
	flipped := strings.ToUpper(sealed[:30])
	if flipped == sealed[:30] {
		flipped = strings.ToLower(flipped)
	}
	set(flipped + sealed[30:])
	out, err := rotate(c.replicas[0], both)
	if err == nil || !strings.Contains(out, "the wallets of these players do not open, and are as they were: ["+damaged+"]") {
		t.Fatalf("with a damaged wallet: %v\n%s", err, out)
	}
	set(sealed)
	if out, err := rotate(c.replicas[0], both); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.settled(append(orders, c.buy(2)...)...)
	count := func(where string, args ...any) (n int) {
		t.Helper()
		must(t, c.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+where, args...).Scan(&n))
		return n
	}
	if n := count("wallet WHERE sealed_by <> $1", key.Fingerprint()); n != 0 {
		t.Errorf("%d wallets are sealed with another key", n)
	}
	if n := count("security_entry WHERE event = 'key rotate'"); n != 2 {
		t.Errorf("%d entries in the security log, want 2", n)
	}
	for _, r := range c.replicas {
		r.Set("SIGNER_KEY_FILE=" + next)
		r.Set("TOKEN_SECRET=" + newSecret + "," + secret)
		for setting := range wallets {
			r.Set(list(setting, 1, 0))
		}
		r.Set("GAS_RELAYER_BACKEND_WALLET=" + wallets["GAS_RELAYER_PRIVATE_KEY"][1].Address.Checksum())
		r.Set("CLAIMER_BACKEND_WALLET=" + wallets["CLAIMER_PRIVATE_KEY"][1].Address.Checksum())
		r.Restart()
	}
	c.settled(c.buy(1)...)
	c.setRights(wallets, 0, false)
	c.settled(c.buy(1)...)
	if n := count("gas_transaction WHERE id LIKE 'bundle %' AND LOWER(sender) = LOWER($1)",
		wallets["GAS_RELAYER_PRIVATE_KEY"][1].Address.String()); n < 2 {
		t.Errorf("%d bundles by the next relayer, want 2 or more", n)
	}
	for which, wallet := range wallets["CLAIMER_PRIVATE_KEY"] {
		if n := count("gas_transaction WHERE state = 'mined' AND LOWER(sender) = LOWER($1)", wallet.Address.String()); n < 10 {
			t.Errorf("%d transactions of claimer %d, want 10 or more", n, which)
		}
	}
	if n := count("gas_transaction WHERE state = 'failed'"); n != 0 {
		t.Errorf("%d transactions failed", n)
	}
	if n := l.end(); l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
	if n := count("schema_support WHERE oldest = 24"); n != 1 {
		t.Error("programs of earlier releases are not refused")
	}
	check := c.replicas[0].Command("key", "show")
	check.Env = append(check.Env, "SIGNER_KEY_FILE="+former)
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), "in no file of SIGNER_KEY_FILE") {
		t.Errorf("with the former key alone: %v\n%s", err, out)
	}
	if _, err := player.Register(t.Context(), c.url); err != nil {
		t.Error(err)
	}
}

// setRights lets the contracts' owner give or take the rights of former (0) or next (1) wallets, on both chains.
func (c *cluster) setRights(wallets map[string][2]devnet.Wallet, which int, allowed bool) {
	c.Helper()
	settings, err := config.Load(append(slices.Clone(c.env), "DATA_DIR="+c.TempDir(), "DEV_BEACON_PORT=0"), brandtest.Pantheon())
	must(c.T, err)
	d, err := app.StartDevelopment(c.Context(), &settings, &app.Options{}, io.Discard) // which fills in the addresses
	must(c.T, err)
	must(c.T, d.Close())
	yes := eth.Hash{}
	if allowed {
		yes[31] = 1
	}
	minter := "revokeRole(bytes32,address)"
	if allowed {
		minter = "grantRole(bytes32,address)"
	}
	for chain, url := range map[collections.Chain]string{
		collections.GameChain: c.setting("GAME_CHAIN_RPC_URL"), collections.MainChain: c.setting("MAIN_CHAIN_RPC_URL"),
	} {
		client, err := ethclient.Dial(url)
		must(c.T, err)
		defer client.Close()
		minted := []string{}
		for _, collection := range brandtest.Pantheon().Collections.All() {
			if collection.Chain == chain {
				minted = append(minted, settings.Contracts.Collections[collection.Slug])
			}
		}
		if chain == collections.GameChain {
			minted = append(minted, settings.Contracts.GOD, settings.Contracts.USDC)
		}
		for _, contract := range minted {
			claimer := eth.AddressWord(wallets["CLAIMER_PRIVATE_KEY"][which].Address)
			c.transact(client, contract, contracts.Call(minter, eth.Keccak256([]byte("MINTER_ROLE")), claimer))
		}
		for setting, method := range map[string]string{
			"GAS_RELAYER_PRIVATE_KEY": "setRelayer(address,bool)", "PAYMASTER_SIGNER_PRIVATE_KEY": "setSigner(address,bool)",
		} {
			c.transact(client, settings.Contracts.Paymaster, contracts.Call(method, eth.AddressWord(wallets[setting][which].Address), yes))
		}
	}
}

// transact sends a transaction of the contracts' owner, and waits until it is mined.
func (c *cluster) transact(client *ethclient.Client, to string, data []byte) {
	c.Helper()
	owner, target := devnet.WalletOf(devnet.Manager), common.HexToAddress(to)
	nonce, err := client.PendingNonceAt(c.Context(), common.Address(owner.Address))
	must(c.T, err)
	chain, err := client.ChainID(c.Context())
	must(c.T, err)
	tx, err := types.SignNewTx(owner.Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(10_000_000_000), Gas: 200_000, To: &target, Data: data,
	})
	must(c.T, err)
	must(c.T, client.SendTransaction(c.Context(), tx))
	testkit.Eventually(c.T, waitTimeout, func() bool {
		receipt, err := client.TransactionReceipt(c.Context(), tx.Hash())
		return err == nil && receipt.Status == types.ReceiptStatusSuccessful
	}, "the paymaster's owner is not obeyed")
}

// setting returns a setting of the replicas.
func (c *cluster) setting(name string) string {
	c.Helper()
	for _, line := range c.env {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	c.Fatalf("there is no setting %s", name)
	return ""
}
