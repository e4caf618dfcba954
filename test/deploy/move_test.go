package deploy_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// foreigner is the wallet of somebody who is no player.
var foreigner = eth.MustAddress("0x00000000000000000000000000000000000f0e16")

// A studio's game chain ends. Players trade up to the freeze, the portal and the command are killed at each step, and on the new chain
// everybody has exactly what they had.
// Spec: RUN-33, RUN-34
func TestDeploy_GameChainIsMoved(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("run by `make prove`: the freeze alone takes 30 s") // internal/store/moves has the rules in short
	}
	s := newStudio(t)
	s.set("GAME_CHAIN_FINALITY", "2")
	s.set("LIMIT_SIGNATURES", "0")
	s.set("LIMIT_CHAIN_READS", "0") // it polls
	keys := s.run("deploy", "keys", "keys")
	s.add(keys)
	owner := walletOfDeployer.FindStringSubmatch(keys)[1]
	apply := []string{"deploy", "apply", "--owner", owner, "--test-currency", "--god", "1000000", "--key", "keys/deployer.key", "--yes"}
	for prefix := range s.chains {
		s.call(prefix, nil, "anvil_setBalance", owner, "0x56bc75e2d63100000")
	}
	s.run(append(slices.Clone(apply), "--royalty", "250", "--pack", "1=1000")...)
	s.add(s.readText("deployment.env"))
	s.run("key", "init", "--reason", "a new portal")
	site := s.serve(1)[0]
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(site.Log())
		}
	})
	seller, buyer := register(t, site), register(t, site)
	for token := range int64(6) {
		s.mint721("AVATAR_COLLECTION_ADDRESS", seller.Smart, token+1)
	}
	s.mint721("AVATAR_COLLECTION_ADDRESS", foreigner, 7)
	s.mint721("SEASON_AVATARS_COLLECTION_ADDRESS", seller.Smart, 3)
	s.mint20("USDC_CURRENCY_CONTRACT_ADDRESS", buyer.Smart, 100_000_000)
	s.mint20("GOD_CURRENCY_CONTRACT_ADDRESS", buyer.Smart, 77)
	packs, err := contracts.Mint1155(buyer.Smart, big.NewInt(1), big.NewInt(5))
	must(t, err)
	s.mint("CHESTS_CONTRACT_ADDRESS", packs)
	avatars, chests := eth.MustAddress(s.setting("AVATAR_COLLECTION_ADDRESS")), eth.MustAddress(s.setting("CHESTS_CONTRACT_ADDRESS"))

	// The market is in use up to the freeze.
	for token := range int64(4) {
		testkit.Eventually(t, waitTimeout, func() bool {
			op, err := seller.Prepare(t.Context(), seller.ListCalls(avatars, big.NewInt(token+1), 20_000_000))
			if err == nil {
				_, err = seller.Send(t.Context(), op)
			}
			return err == nil
		}, "the token cannot be listed")
	}
	hold := func() {
		t.Helper()
		testkit.Eventually(t, waitTimeout, func() bool {
			listings, err := buyer.Listings(t.Context(), "avatars", 10)
			return err == nil && len(listings) > 0 && buyer.Hold(t.Context(), listings[0]) == nil
		}, "the listing cannot be held")
	}
	hold()
	order, err := buyer.Checkout(t.Context())
	must(t, err)
	buy, err := buyer.Prepare(t.Context(), order.Calls)
	must(t, err)
	_, err = buyer.Send(t.Context(), buy)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool {
		order, err = buyer.Order(t.Context(), order.OrderID)
		return err == nil && order.State == "complete"
	}, "the purchase is not complete: %v", &order)
	testkit.Eventually(t, waitTimeout, func() bool {
		_, err := buyer.BurnTokens(t.Context(), player.Burn{Contract: chests, TokenID: 1, Amount: 2})
		return err == nil
	}, "the packs cannot be opened")
	hold()
	order, err = buyer.Checkout(t.Context())
	must(t, err)
	var unpaid *eth.UserOperation
	var why struct{ error }
	testkit.Eventually(t, waitTimeout, func() bool { // the one before may not be settled yet
		unpaid, why.error = buyer.Prepare(t.Context(), order.Calls)
		return why.error == nil
	}, "the purchase cannot be prepared: %v", &why)

	old := s.setting("GAME_CHAIN_RPC_URL")
	s.run("move", "freeze", "421614", "--reason", "the chain ends")
	frozen := time.Now()
	testkit.Eventually(t, waitTimeout, func() bool {
		_, err := buyer.Send(t.Context(), unpaid)
		return err != nil && strings.Contains(err.Error(), "moving to a new chain")
	}, "the purchase is not refused")
	order, err = buyer.Order(t.Context(), order.OrderID)
	if err != nil || order.Error != "The game is moving to a new chain, so this order ended. Nothing was charged." {
		t.Errorf("the order that was not paid: %+v, %v", order, err)
	}
	site.Kill()
	site.Restart()
	if out, err := s.try("move", "finish", "421614", "--reason", "too early"); err == nil || !strings.Contains(out, "has no snapshot") {
		t.Errorf("finished without a snapshot: %v\n%s", err, out)
	}
	var status []moveStatus
	testkit.Eventually(t, 3*waitTimeout, func() bool {
		s.call("GAME", nil, "evm_mine") // else no block is ever final
		if time.Since(frozen) > 31*time.Second {
			site.Kill()
			site.Restart()
			frozen = time.Now().Add(time.Hour)
		}
		must(t, json.Unmarshal([]byte(s.run("move", "status", "--json")), &status))
		return len(status) == 1 && status[0].State == "snapshotted"
	}, "there is no snapshot: %+v", &status)
	if n := status[0].Snapshot.Holdings; n != 10 { // seven avatars, a soulbound one, GOD, packs
		t.Errorf("the snapshot has %d holdings, want 10", n)
	}
	text := download(t, site.URL+"/api/moves/421614/snapshot")
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != status[0].Snapshot.SHA256 {
		t.Errorf("the snapshot's hash is not %s:\n%s", status[0].Snapshot.SHA256, text)
	}
	for _, line := range []string{
		fmt.Sprintf("%s 1 %s 1\n", avatars, buyer.Smart), fmt.Sprintf("%s 2 %s 1\n", avatars, seller.Smart),
		fmt.Sprintf("%s 7 %s 1\n", avatars, foreigner), fmt.Sprintf("%s 1 %s 3\n", chests, buyer.Smart),
	} {
		if strings.Count(string(text), line) != 1 {
			t.Errorf("the snapshot lacks %q:\n%s", line, text)
		}
	}

	// A new chain takes its place. The royalty is another, and so are the addresses.
	apply = append(apply, "--chain", "game", "--royalty", "300")
	s.replaceGameChain("421615", owner)
	s.run(append(slices.Clone(apply), "--pack", "1=1000", "--settings", "new.env")...)
	s.add(s.readText("new.env"))
	if out, err := s.try("move", "finish", "421614", "--reason", "the new chain is ready"); err == nil ||
		!strings.Contains(out, "A portal runs on this database") && !strings.Contains(out, "it must be no more than 998") {
		t.Errorf("finished while the portal runs: %v\n%s", err, out)
	}
	site.Stop()
	if out, err := s.try("serve"); err == nil || !strings.Contains(out, "chain 421614 is frozen, and the settings name another chain") {
		t.Errorf("served before the move is finished: %v\n%s", err, out)
	}
	if out, err := s.try("move", "finish", "421614", "--reason", "the new chain is ready"); err == nil ||
		!strings.Contains(out, "at most 1000 can be minted on chain 421615; it must be no more than 998, as 1000 could be on the old chain") {
		t.Errorf("finished although packs could be minted again: %v\n%s", err, out)
	}
	s.replaceGameChain("421615", owner) // another one, with another cap
	s.run(append(slices.Clone(apply), "--pack", "1=998", "--settings", "newer.env")...)
	s.add(s.readText("newer.env"))
	s.killed("move", "finish", "421614", "--reason", "the new chain is ready")
	if now := eth.MustAddress(s.setting("AVATAR_COLLECTION_ADDRESS")); now == avatars {
		t.Error("the contract has the same address on the new chain")
	} else {
		avatars = now
	}
	chests = eth.MustAddress(s.setting("CHESTS_CONTRACT_ADDRESS"))

	site = testkit.StartSite(t, testkit.SiteOptions{Command: "serve", Env: s.env})
	for _, p := range []*player.Player{seller, buyer} {
		p.At(site.URL)
		must(t, p.Reload(t.Context()))
		testkit.Eventually(t, waitTimeout, func() bool { return p.RenewWallet(t.Context()) == nil }, "a player cannot go on")
	}
	claim := func(p *player.Player) (n int) {
		var answer struct{ Claimed int }
		testkit.Eventually(t, waitTimeout, func() bool {
			return p.Call(t.Context(), http.MethodPost, "/api/auth/moves/421614/claim", nil, &answer) == nil
		}, "a player cannot claim")
		return answer.Claimed
	}
	first := claim(seller)
	if again := claim(seller); first != 6 || again != 0 { // five avatars and the soulbound one
		t.Errorf("the seller claimed %d, then %d; want 6, then 0", first, again)
	}
	site.Kill() // while claims are given
	site.Restart()
	claim(buyer)
	site.Kill()
	site.Restart()
	var tokens struct {
		Tokens []struct{ Collection, TokenID, Held, Claimed, Given string }
	}
	testkit.Eventually(t, 2*waitTimeout, func() bool {
		must(t, json.Unmarshal(download(t, site.URL+"/api/moves/421614"), &tokens))
		given := 0
		for _, x := range tokens.Tokens {
			if x.Given == x.Claimed && x.Claimed != "0" {
				given++
			}
		}
		return given == 4
	}, "not all claims are given: %+v", &tokens)
	for _, x := range tokens.Tokens {
		want := map[string][2]string{"avatars": {"7", "6"}, "season-avatars": {"1", "1"}, "chests": {"3", "3"}, "GOD": {"77", "77"}}[x.Collection]
		if x.Held != want[0] || x.Given != want[1] {
			t.Errorf("%s: %s were held, %s are given; want %s and %s", x.Collection, x.Held, x.Given, want[0], want[1])
		}
	}
	for token, want := range map[int64]eth.Address{1: buyer.Smart, 2: seller.Smart, 6: seller.Smart} {
		if is, err := buyer.OwnerOf(t.Context(), avatars, eth.NewQuantity(uint64(token))); err != nil || is != want {
			t.Errorf("avatar %d is %s's, want %s: %v", token, is, want, err)
		}
	}
	var supply eth.Bytes
	s.call("GAME", &supply, "eth_call", map[string]any{"to": avatars, "data": eth.Bytes(contracts.Call("minted()"))}, "latest")
	if n := new(big.Int).SetBytes(supply); n.Int64() != 6 {
		t.Errorf("%s avatars were minted on the new chain, want 6", n)
	}
	var notices struct{ Items []struct{ Kind string } }
	must(t, seller.Call(t.Context(), http.MethodGet, "/api/auth/notifications", nil, &notices))
	if n := len(slices.DeleteFunc(notices.Items, func(n struct{ Kind string }) bool { return n.Kind != "moved" })); n != 3 {
		t.Errorf("the seller is told of %d listings that have ended, want 3", n)
	}

	// Trade goes on, and the old chain is never served again.
	testkit.Eventually(t, waitTimeout, func() bool {
		op, err := seller.Prepare(t.Context(), seller.ListCalls(avatars, big.NewInt(2), 20_000_000))
		if err == nil {
			_, err = seller.Send(t.Context(), op)
		}
		return err == nil
	}, "the token cannot be listed on the new chain")
	site.Stop()
	s.set("GAME_CHAIN_ID", "421614")
	s.set("GAME_CHAIN_RPC_URL", old)
	if out, err := s.try("serve"); err == nil || !strings.Contains(out, "the portal has moved from chain 421614 to chain 421615") {
		t.Errorf("served the old chain: %v\n%s", err, out)
	}
}

// moveStatus is what `pantheon move status` prints of a move.
type moveStatus struct {
	State    string
	Waits    string
	Snapshot struct {
		Holdings int
		SHA256   string
	}
}

func (s *studio) mint721(contract string, to eth.Address, token int64) {
	s.Helper()
	data, err := contracts.Mint721(to, big.NewInt(token))
	must(s.T, err)
	s.mint(contract, data)
}

func (s *studio) mint20(contract string, to eth.Address, amount int64) {
	s.Helper()
	data, err := contracts.Mint20(to, big.NewInt(amount))
	must(s.T, err)
	s.mint(contract, data)
}

// replaceGameChain makes a new chain the game chain, without the settings of contracts on the former one, and fills the owner's wallet
// there.
func (s *studio) replaceGameChain(id, owner string) {
	s.Helper()
	url := testkit.Anvil(s.T, "--chain-id", id)
	client, err := gethrpc.DialContext(s.Context(), url)
	must(s.T, err)
	s.Cleanup(client.Close)
	s.chains["GAME"] = client
	kept := []string{ // of both chains, and of the main chain
		"ENTRY_POINT_ADDRESS", "ACCOUNT_FACTORY_ADDRESS", "ACCOUNT_IMPLEMENTATION_ADDRESS", "PAYMASTER_ADDRESS", "IMMORTALS_CONTRACT_ADDRESS",
		"COMMUNITY_PASSES_CONTRACT_ADDRESS", "ULTIMATE_PASSES_CONTRACT_ADDRESS", "ARKS_CONTRACT_ADDRESS", "POWER_PACKS_CONTRACT_ADDRESS",
	}
	s.env = slices.DeleteFunc(s.env, func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return name == "GAME_CHAIN_START_BLOCK" || strings.HasSuffix(name, "_ADDRESS") && !slices.Contains(kept, name)
	})
	s.set("GAME_CHAIN_ID", id)
	s.set("GAME_CHAIN_RPC_URL", url)
	s.call("GAME", nil, "anvil_setBalance", owner, "0x56bc75e2d63100000")
}

// killed runs a command again and again, and kills it each time a little later, until it completes.
func (s *studio) killed(args ...string) {
	s.Helper()
	program, err := filepath.Abs("../../bin/pantheon")
	must(s.T, err)
	for wait := 50 * time.Millisecond; ; wait += wait / 2 {
		ctx, cancel := context.WithTimeout(s.Context(), wait)
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.folder, append(cmd.Environ(), s.env...), &out, &out
		err := cmd.Run()
		killed := ctx.Err() != nil
		cancel()
		switch {
		case err == nil, !killed && strings.Contains(out.String(), "the portal has moved from it"): // killed after its commit
			return
		case !killed && !strings.Contains(out.String(), "A portal runs on this database"):
			s.Fatalf("pantheon %s: %v\n%s", strings.Join(args, " "), err, &out)
		}
	}
}

func download(t *testing.T, url string) []byte {
	t.Helper()
	response, err := http.Get(url)
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v\n%s", url, response.StatusCode, err, text)
	}
	return text
}
