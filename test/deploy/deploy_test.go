// Package deploy_test takes the way of a studio: from keys and contracts on a chain that is not ours to replicas where players trade.
package deploy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kms/kmstest"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const waitTimeout = time.Minute

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// studio is a studio's folder, its two chains, and the settings that it has so far.
type studio struct {
	*testing.T
	folder string
	chains map[string]*gethrpc.Client // by the settings' prefix
	env    []string
	kms    *kmstest.Services
}

func newStudio(t *testing.T) *studio {
	t.Helper()
	s := &studio{T: t, folder: t.TempDir(), chains: map[string]*gethrpc.Client{}, kms: kmstest.Start(t)}
	s.env = []string{"ENVIRONMENT=test", "SPONSOR_NEEDS=none", "SIGNER_KEY_FILE=" + filepath.Join(s.folder, "signer.key"),
		"TOKEN_SECRET=" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)), "MAIN_CHAIN_ID=80002"}
	s.env = append(s.env, s.kms.Environment()...)
	for prefix, id := range map[string]string{"GAME": "421614", "MAIN": "80002"} {
		url := testkit.Anvil(t, "--chain-id", id)
		client, err := gethrpc.DialContext(t.Context(), url)
		must(t, err)
		t.Cleanup(client.Close)
		s.chains[prefix] = client
		s.env = append(s.env, prefix+"_CHAIN_RPC_URL="+url)
	}
	return s
}

// run runs a command in the studio's folder, and returns what it prints.
func (s *studio) run(args ...string) string {
	s.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.Fatalf("pantheon %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *studio) try(args ...string) (string, error) {
	s.Helper()
	return s.pipe("", args...)
}

// pipe runs a command with a text on its standard input.
func (s *studio) pipe(in string, args ...string) (string, error) {
	s.Helper()
	program, err := filepath.Abs("../../bin/pantheon")
	must(s.T, err)
	cmd := exec.CommandContext(s.Context(), program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.folder, append(os.Environ(), s.env...), strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// add adds the settings in a text.
func (s *studio) add(text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.env = append(s.env, line)
		}
	}
}

// setting returns a setting's value.
func (s *studio) setting(name string) string {
	for _, line := range s.env {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	s.Fatalf("there is no setting %s", name)
	return ""
}

// call calls a chain.
func (s *studio) call(prefix string, result any, method string, args ...any) {
	s.Helper()
	must(s.T, s.chains[prefix].CallContext(s.Context(), result, method, args...))
}

// mint mints on the game chain, as the portal's claimer.
func (s *studio) mint(contract string, data []byte) {
	s.Helper()
	testkit.AnvilSend(s.T, s.chains["GAME"], s.setting("CLAIMER_BACKEND_WALLET"), s.setting(contract), data)
}

var walletOfDeployer = regexp.MustCompile(`deployer\.key is the wallet (0x[0-9a-fA-F]{40})\.`)

// deploy makes the keys and the contracts.
func (s *studio) deploy() {
	s.Helper()
	s.add(s.run("deploy", "keys", "keys"))
	s.useServices()
	keys := s.run("deploy", "keys", "sealed", "--kms", s.kms.VaultURI())
	match := walletOfDeployer.FindStringSubmatch(keys)
	if match == nil {
		s.Fatalf("the deployer's wallet is not told:\n%s", keys)
	}
	arguments := []string{
		"deploy", "apply", "--owner", match[1], "--royalty", "250", "--test-currency", "--god", "1000000", "--pack", "1=1000", "--key",
		"sealed/deployer.key", "--yes",
	}
	if out, err := s.try(arguments...); err == nil || !strings.Contains(out, "send it to the wallet, and start again") {
		s.Errorf("with an empty wallet: %v\n%s", err, out)
	}
	for prefix := range s.chains {
		s.call(prefix, nil, "anvil_setBalance", match[1], "0x56bc75e2d63100000")
	}
	s.leaveToOthers(match[1], arguments)
	s.run(arguments...)
	file, err := os.ReadFile(filepath.Join(s.folder, "deployment.env"))
	must(s.T, err)
	s.add(string(file))
	s.run("key", "init", "--kms", "gcp-kms://"+kmstest.GCPKey, "--reason", "a new portal")
	if out := s.run("deploy", "plan", "--owner", match[1], "--royalty", "250"); strings.Count(out, "Nothing is missing.") != 2 {
		s.Errorf("the plan afterwards:\n%s", out)
	}
	s.explain(match[1])
	s.topUp()
	s.replaceClaimer(match[1])
}

// replaceClaimer gives another claimer its rights and gas money, and takes those of the former one. The settings are as before then.
func (s *studio) replaceClaimer(owner string) {
	s.Helper()
	defer func(env []string) { s.env = env }(slices.Clone(s.env))
	former := s.setting("CLAIMER_BACKEND_WALLET")
	s.run("deploy", "keys", "next")
	var keys []string
	for _, folder := range []string{"keys", "next"} {
		key, err := os.ReadFile(filepath.Join(s.folder, folder, "claimer.key"))
		must(s.T, err)
		keys = append(keys, strings.TrimSpace(string(key)))
	}
	parsed, err := crypto.HexToECDSA(strings.TrimPrefix(keys[1], "0x"))
	must(s.T, err)
	next := eth.Address(crypto.PubkeyToAddress(parsed.PublicKey)).Checksum()
	wants := func(when, want string, n int) {
		s.Helper()
		if out := s.run("deploy", "plan", "--owner", owner, "--royalty", "250"); strings.Count(out, want) != n {
			s.Errorf("%s: not %d times %q:\n%s", when, n, want, out)
		}
	}
	apply := []string{"deploy", "apply", "--owner", owner, "--royalty", "250", "--key", "sealed/deployer.key", "--yes"}
	s.set("CLAIMER_PRIVATE_KEY_FILE", "")
	s.set("CLAIMER_PRIVATE_KEY", keys[0]+","+keys[1])
	wants("with both keys", "let "+next+" mint", 14)
	wants("with both keys", "send gas money to CLAIMER_PRIVATE_KEY (2)", 2)
	s.run(apply...)
	wants("with the rights of both", "Nothing is missing.", 2)
	s.set("CLAIMER_PRIVATE_KEY", keys[1]+","+keys[0])
	s.set("CLAIMER_BACKEND_WALLET", next)
	wants("the other way round", "Nothing is missing.", 2)
	for _, wallet := range []string{former, next} {
		s.call("GAME", nil, "anvil_setBalance", wallet, "0x0")
	}
	s.run("gas", "topup", "--key", "sealed/deployer.key", "--yes")
	for _, wallet := range []string{former, next} {
		var balance eth.Quantity
		if s.call("GAME", &balance, "eth_getBalance", wallet, "latest"); balance.IsZero() {
			s.Errorf("%s has no gas money", wallet)
		}
	}
	s.set("CLAIMER_PRIVATE_KEY", keys[1])
	s.set("CLAIMER_FORMER_WALLETS", former)
	wants("without the former key", "no longer let "+former+" mint", 14)
}

// leaveToOthers writes all transactions for a wallet that signs elsewhere. Nothing is sent.
func (s *studio) leaveToOthers(owner string, apply []string) {
	s.Helper()
	i := slices.Index(apply, "--key")
	s.run(slices.Concat(apply[:i], []string{"--unsigned", owner, "--folder", "unsigned", "--settings", "unsigned.env"}, apply[i+2:])...)
	files, err := filepath.Glob(filepath.Join(s.folder, "unsigned", "*.json"))
	must(s.T, err)
	transactions := map[string]int{}
	for _, file := range files {
		var batch struct {
			ChainID      string `json:"chainId"`
			Transactions []struct {
				To eth.Address `json:"to"`
			} `json:"transactions"`
		}
		s.read(file, &batch)
		transactions[batch.ChainID] += len(batch.Transactions)
	}
	if transactions["421614"] < 20 || transactions["80002"] < 10 {
		s.Errorf("%v transactions are left to others in %v", transactions, files)
	}
	for prefix := range s.chains {
		var count eth.Quantity
		if s.call(prefix, &count, "eth_getTransactionCount", owner, "latest"); !count.IsZero() {
			s.Errorf("%s: %s transactions were sent", prefix, count.Big())
		}
	}
}

// explain writes the contracts' sources as explorers verify them.
func (s *studio) explain(owner string) {
	s.Helper()
	s.run("deploy", "sources", "sources", "--owner", owner, "--royalty", "250")
	files, err := filepath.Glob(filepath.Join(s.folder, "sources", "*.json"))
	must(s.T, err)
	for _, file := range files {
		var input struct {
			Language string         `json:"language"`
			Sources  map[string]any `json:"sources"`
		}
		if s.read(file, &input); input.Language != "Solidity" || len(input.Sources) == 0 {
			s.Errorf("%s has %d sources in %q", file, len(input.Sources), input.Language)
		}
	}
	if len(files) != 2 { // one for each version of the EVM
		s.Errorf("sources in %v", files)
	}
}

// topUp fills up a wallet that is empty.
func (s *studio) topUp() {
	s.Helper()
	relayer := s.setting("GAS_RELAYER_BACKEND_WALLET")
	s.call("GAME", nil, "anvil_setBalance", relayer, "0x0")
	s.run("gas", "topup", "--key", "sealed/deployer.key", "--yes")
	var balance eth.Quantity
	if s.call("GAME", &balance, "eth_getBalance", relayer, "latest"); balance.IsZero() {
		s.Error("the relayer has no gas money")
	}
}

// readText reads a file in the studio's folder.
func (s *studio) readText(file string) string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, file))
	must(s.T, err)
	return string(text)
}

// read reads a file of JSON.
func (s *studio) read(file string, into any) {
	s.Helper()
	text, err := os.ReadFile(file)
	must(s.T, err, json.Unmarshal(text, into))
}

// useServices seals the claimer's key and the secret of tokens, and lets the relayer sign at a key management service.
func (s *studio) useServices() {
	s.Helper()
	seal := func(uri, setting, secret string) {
		s.Helper()
		out, err := s.pipe(secret, "key", "seal", uri)
		if err != nil || !strings.HasPrefix(out, `{"kms":"`) {
			s.Fatalf("key seal %s: %v\n%s", uri, err, out)
		}
		file := filepath.Join(s.folder, setting+".sealed")
		must(s.T, os.WriteFile(file, []byte(out), 0o600))
		s.set(setting+"_FILE", file)
	}
	claimer, err := os.ReadFile(s.setting("CLAIMER_PRIVATE_KEY_FILE"))
	must(s.T, err)
	seal(s.kms.VaultURI(), "CLAIMER_PRIVATE_KEY", string(claimer))
	seal("aws-kms://"+kmstest.AWSKey, "TOKEN_SECRET", s.setting("TOKEN_SECRET"))
	s.set("TOKEN_SECRET", "")
	s.set("GAS_RELAYER_PRIVATE_KEY_FILE", "")
	s.set("GAS_RELAYER_PRIVATE_KEY", "aws-kms://"+kmstest.AWSSigner)
	s.set("GAS_RELAYER_BACKEND_WALLET", eth.Address(crypto.PubkeyToAddress(*s.kms.Signer.PubKey().ToECDSA())).Checksum())
}

// set sets a setting.
func (s *studio) set(name, value string) {
	s.env = append(slices.DeleteFunc(s.env, func(line string) bool { return strings.HasPrefix(line, name+"=") }), name+"="+value)
}

// serve starts replicas on PostgreSQL and NATS.
func (s *studio) serve(replicas int) (sites []*testkit.Site) {
	s.Helper()
	nats, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: s.TempDir(), NoLog: true, NoSigs: true,
	})
	must(s.T, err)
	s.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	nats.Start()
	if !nats.ReadyForConnections(waitTimeout) {
		s.Fatal("NATS did not start")
	}
	s.env = append(s.env, "NATS_URL="+nats.ClientURL(), "DATABASE_URL="+testkit.DatabaseOptions(s.T, store.PostgreSQL).URL)
	s.run("check")
	for range replicas {
		sites = append(sites, testkit.StartSite(s.T, testkit.SiteOptions{Command: "serve", Env: s.env}))
	}
	return sites
}

// A studio's first afternoon: keys, contracts on a chain of somebody else's making, replicas, and players who trade on them.
// Spec: RUN-23, RUN-25
func TestDeploy_FirstAfternoon(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	s.deploy()
	sites := s.serve(2)
	seller, buyer := register(t, sites[0]), register(t, sites[1])
	mint, err := contracts.Mint721(seller.Smart, big.NewInt(7))
	must(t, err)
	s.mint("AVATAR_COLLECTION_ADDRESS", mint)
	money, err := contracts.Mint20(buyer.Smart, big.NewInt(50_000_000))
	must(t, err)
	s.mint("USDC_CURRENCY_CONTRACT_ADDRESS", money)

	avatars := eth.MustAddress(s.setting("AVATAR_COLLECTION_ADDRESS"))
	testkit.Eventually(t, waitTimeout, func() bool {
		op, err := seller.Prepare(t.Context(), seller.ListCalls(avatars, big.NewInt(7), 20_000_000))
		if err == nil {
			_, err = seller.Send(t.Context(), op)
		}
		return err == nil
	}, "the token cannot be listed")
	var order player.Order
	testkit.Eventually(t, waitTimeout, func() bool {
		listings, err := buyer.Listings(t.Context(), "avatars", 10)
		return err == nil && len(listings) == 1 && buyer.Hold(t.Context(), listings[0]) == nil
	}, "the listing cannot be held")
	order, err = buyer.Checkout(t.Context())
	must(t, err)
	op, err := buyer.Prepare(t.Context(), order.Calls)
	must(t, err)
	_, err = buyer.Send(t.Context(), op)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool {
		order, err = buyer.Order(t.Context(), order.OrderID)
		return err == nil && order.State == "complete"
	}, "the purchase is not complete: %v", &order)
	if now, err := buyer.OwnerOf(t.Context(), avatars, eth.NewQuantity(7)); err != nil || now != buyer.Smart {
		t.Errorf("the token is %s's: %v", now, err)
	}
	for i, want := range map[*player.Player]string{seller: "19.5", buyer: "30"} { // of 20 the studio gets 2.5 %
		testkit.Eventually(t, waitTimeout, func() bool {
			has, err := i.InWallet(t.Context())
			return err == nil && has == want
		}, "a player does not have %s", want)
	}
	s.kms.Refuse(true)
	if out, err := s.try("check"); err == nil ||
		!strings.Contains(out, "CLAIMER_PRIVATE_KEY: cannot be opened: "+s.kms.VaultURI()+": Vault: 403: permission denied\n") {
		t.Errorf("while the services refuse: %v\n%s", err, out)
	}
	if err := buyer.Call(t.Context(), "GET", "/api/auth/profile", nil, nil); err != nil {
		t.Errorf("a portal that runs: %v", err)
	}
}

func register(t *testing.T, site *testkit.Site) *player.Player {
	t.Helper()
	p := player.Visitor(site.URL)
	ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
	defer cancel()
	if err := p.Register(ctx); err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, site.Log()))
	}
	return p
}
