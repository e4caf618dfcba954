package testkit

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Alto is Pimlico's bundler (ERC-4337), running until it is stopped or the test ends.
type Alto struct {
	URL string

	t    testing.TB
	args []string
	cmd  *exec.Cmd
	log  *bytes.Buffer
}

// StartAlto starts alto for the EntryPoint on a chain, with an executor whose key is 0x and 64 hex digits. It needs no debug_traceCall:
// the rules of ERC-7562 are not enforced.
func StartAlto(t testing.TB, chain, entryPoint, key string) *Alto {
	t.Helper()
	program := filepath.Join(root(), "test/alto/node_modules/@pimlico/alto/esm/cli/alto.js")
	if _, err := os.Stat(program); err != nil {
		t.Fatal("alto is missing: run `make alto`")
	}
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	a := &Alto{URL: "http://" + address, t: t, args: []string{
		program, "--port", port, "--rpc-url", chain, "--entrypoints", entryPoint, "--executor-private-keys", key, "--utility-private-key", key,
		"--safe-mode", "false", "--log-level", "warn", "--min-bundle-interval", "50", "--max-bundle-interval", "100", "--block-time", "500",
		"--utility-wallet-monitor", "false", "--refilling-wallets", "false",
	}}
	t.Cleanup(a.Stop)
	a.Start()
	return a
}

// Start starts it again, with an empty mempool, and waits until it answers.
func (a *Alto) Start() {
	a.t.Helper()
	a.log = new(bytes.Buffer)
	log := a.log
	a.cmd = exec.CommandContext(context.WithoutCancel(a.t.Context()), "node", a.args...)
	a.cmd.Stdout, a.cmd.Stderr = log, log
	if err := a.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	Eventually(a.t, time.Minute, func() bool {
		body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`)
		response, err := http.Post(a.URL, "application/json", body)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, "alto does not answer")
}

// Stop kills it.
func (a *Alto) Stop() {
	if a.cmd == nil {
		return
	}
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait() // killed
	a.cmd = nil
	if a.t.Failed() {
		a.t.Logf("alto: …%s", a.log.Bytes()[max(0, a.log.Len()-4000):])
	}
}
