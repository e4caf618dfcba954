package packages_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"
	natsserver "github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// replica returns another container of the image, with a folder of its own.
func (c *container) replica() *container {
	c.Helper()
	r := *c
	r.data, r.secrets = c.TempDir(), c.TempDir()
	must(c.T, os.Chown(r.data, 65532, 65532), os.Chmod(r.secrets, 0o755))
	return &r
}

// startNATS starts a NATS server with JetStream, and returns its address.
func startNATS(t *testing.T) string {
	t.Helper()
	nats, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	must(t, err)
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	nats.Start()
	if !nats.ReadyForConnections(waitTimeout) {
		t.Fatal("NATS did not start")
	}
	return nats.ClientURL()
}

// startCaddy serves replicas at an address, in turn.
func startCaddy(t *testing.T, address string, replicas ...string) {
	t.Helper()
	folder := t.TempDir()
	text := fmt.Sprintf("{\n\tadmin off\n}\nhttp://%s {\n\treverse_proxy", address)
	for _, r := range replicas {
		text += " " + r
	}
	text += " {\n\t\tlb_policy round_robin\n\t\thealth_uri /readyz\n\t\thealth_interval 500ms\n\t}\n}\n"
	file := filepath.Join(folder, "Caddyfile")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	cmd := exec.Command("caddy", "run", "--config", file, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	var log testkit.Log
	cmd.Stdout, cmd.Stderr = &log, &log
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
		if t.Failed() {
			t.Log(log.String())
		}
	})
}

// A studio's first afternoon, from an image alone: it makes keys and contracts on the chains of another EVM and serves two replicas on
// PostgreSQL and NATS behind Caddy, where two players trade in their browsers while one of the replicas stops.
// Spec: RUN-23, RUN-28
func TestImage_FirstAfternoon(t *testing.T) {
	t.Parallel()
	proveOnly(t)
	needRoot(t) // to mount file systems and to become the image's user
	began := time.Now()
	took := func(what string) {
		t.Logf("%s: %.1f s", what, time.Since(began).Seconds())
		began = time.Now()
	}
	first := newContainer(t)
	took("image")
	settings := deployBy(t, first.data, func(env []string, args ...string) *exec.Cmd {
		first.settings = env
		return first.command(append(slices.Clone(first.Docker.Config.Entrypoint), args...)...)
	})
	took("keys and contracts")

	site, err := testkit.FreeAddress()
	must(t, err)
	settings["NATS_URL"], settings["DATABASE_URL"] = startNATS(t), testkit.DatabaseOptions(t, store.PostgreSQL).URL
	settings["PUBLIC_URL"], settings["TRUSTED_PROXIES"], settings["DRAIN_TIME"] = "http://"+site, "127.0.0.0/8", "2s"
	settings["LIMIT_READS"], settings["TRADE_RISK_PER_DAY"] = "0", "1000000"
	var addresses []string
	var replicas []*container
	for range 2 {
		r := first.replica()
		settings["LISTEN_ADDR"], err = testkit.FreeAddress()
		must(t, err)
		addresses = append(addresses, settings["LISTEN_ADDR"])
		r.configure(settings)
		replicas = append(replicas, r)
	}
	if out, err := replicas[0].command("/usr/bin/pantheon", "check").CombinedOutput(); err != nil {
		t.Fatalf("check: %v\n%s", err, out)
	}
	process, log, ended := replicas[0].start()
	_, otherLog, _ := replicas[1].start()
	startCaddy(t, site, addresses...)
	took("two replicas")

	journey := exec.CommandContext(t.Context(), "node", "test/e2e/journeys/afternoon.mjs")
	journey.Dir, journey.Env = root, append(os.Environ(), "BASE_URL=http://"+site)
	var failure testkit.Log
	journey.Stderr = &failure
	out, err := journey.StdoutPipe()
	must(t, err)
	must(t, journey.Start())
	steps := json.NewDecoder(out)
	next := func() (step struct {
		Done          string
		Seller, Buyer eth.Address
	}) {
		t.Helper()
		if err := steps.Decode(&step); err != nil {
			_ = journey.Wait()
			t.Fatalf("%v\n%s\n%s\n%s", err, &failure, log, otherLog)
		}
		took(step.Done)
		return step
	}
	players := next()
	avatar, err := contracts.Mint721(players.Seller, big.NewInt(7))
	must(t, err)
	mint(t, settings, settings["AVATAR_COLLECTION_ADDRESS"], avatar)
	money, err := contracts.Mint20(players.Buyer, big.NewInt(50_000_000))
	must(t, err)
	mint(t, settings, settings["USDC_CURRENCY_CONTRACT_ADDRESS"], money)
	next()
	must(t, process.Signal(syscall.SIGTERM)) // while the item is held
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v\n%s", err, log)
	}
	took("one replica has stopped")
	next()
	if err := journey.Wait(); err != nil {
		t.Fatalf("%v\n%s\n%s\n%s", err, &failure, log, otherLog)
	}
}

// mint sends a call of the claimer on the game chain.
func mint(t *testing.T, settings map[string]string, contract string, data []byte) {
	t.Helper()
	chain, err := gethrpc.DialContext(t.Context(), settings["GAME_CHAIN_RPC_URL"])
	must(t, err)
	defer chain.Close()
	testkit.AnvilSend(t, chain, settings["CLAIMER_BACKEND_WALLET"], contract, data)
}
