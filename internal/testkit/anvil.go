package testkit

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
)

// AnvilKey is the private key of the first account that anvil fills, with 10,000 of the chain's currency.
const AnvilKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

// Anvil starts Foundry's anvil, a chain whose EVM is not go-ethereum's, and returns the address of its endpoint. It ends with the test.
func Anvil(t testing.TB, args ...string) (url string) {
	t.Helper()
	program := filepath.Join(root(), "test/anvil/node_modules/@foundry-rs/anvil-"+runtime.GOOS+"-"+runtime.GOARCH, "bin/anvil")
	if _, err := os.Stat(program); err != nil {
		t.Fatal("anvil is missing: run `make anvil`")
	}
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(address)
	var log bytes.Buffer
	args = append([]string{"--quiet", "--host", host, "--port", port}, args...)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
		if t.Failed() {
			t.Logf("anvil: …%s", log.Bytes()[max(0, log.Len()-2000):])
		}
	})
	Eventually(t, 30*time.Second, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, "anvil does not listen")
	return "http://" + address
}

// AnvilSend sends a call from an account whose key nobody needs, and waits until it is mined.
func AnvilSend(t testing.TB, chain interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}, from, to string, data []byte) {
	t.Helper()
	call := func(result any, method string, args ...any) {
		t.Helper()
		if err := chain.CallContext(t.Context(), result, method, args...); err != nil {
			t.Fatal(err)
		}
	}
	call(nil, "anvil_impersonateAccount", from)
	var hash eth.Hash
	call(&hash, "eth_sendTransaction", map[string]any{"from": from, "to": to, "data": eth.Bytes(data)})
	var r *struct{ Status eth.Quantity }
	Eventually(t, time.Minute, func() bool {
		call(&r, "eth_getTransactionReceipt", hash)
		return r != nil
	}, "a call of %s is not mined", to)
	if r.Status.IsZero() {
		t.Fatalf("a call of %s failed", to)
	}
	call(nil, "anvil_stopImpersonatingAccount", from)
}
