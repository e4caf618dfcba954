// Package packages_test builds what a studio runs the portal by, and looks at it with the programs of those who made the formats: the
// image, Compose, the Helm chart, the systemd unit and the Debian package.
package packages_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	waitTimeout = time.Minute
	root        = "../.."
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a program in the project's folder, with further variables, and returns what it prints on standard output.
func run(t *testing.T, env []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s\n%s", program, strings.Join(args, " "), err, out, &failure)
	}
	return string(out)
}

// proveOnly skips a test in `make test`: it needs tools that take minutes to build, or boots a machine. `make prove` runs it.
func proveOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("run by `make prove`")
	}
}

// needRoot skips a test for developers who are not root: what it does needs privileges that sudo would have to give. .ci/run is root.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
}

// server returns the path of the released binary.
func server(t *testing.T) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(root, "bin/pantheon-server"))
	must(t, err)
	if _, err := os.Stat(program); err != nil {
		t.Fatal("bin/pantheon-server is missing: run `make server`")
	}
	return program
}

var deployer = regexp.MustCompile(`deployer\.key is the wallet (0x[0-9a-fA-F]{40})\.`)

// deploy makes keys and contracts on two chains, and returns a complete environment.
func deploy(t *testing.T) (settings map[string]string) {
	t.Helper()
	folder, program := t.TempDir(), server(t)
	return deployBy(t, folder, func(env []string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
		return cmd
	})
}

// deployBy is deploy by a program that works in a folder.
func deployBy(t *testing.T, folder string, program func(env []string, args ...string) *exec.Cmd) (settings map[string]string) {
	t.Helper()
	settings = map[string]string{
		"ENVIRONMENT": "test", "SPONSOR_NEEDS": "none", "MAIN_CHAIN_ID": "80002", "SIGNER_KEY_FILE": "signer.key",
		"TOKEN_SECRET": base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
	}
	chains := map[string]*gethrpc.Client{}
	for prefix, id := range map[string]string{"GAME": "421614", "MAIN": "80002"} {
		url := testkit.Anvil(t, "--chain-id", id)
		client, err := gethrpc.DialContext(t.Context(), url)
		must(t, err)
		t.Cleanup(client.Close)
		chains[prefix], settings[prefix+"_CHAIN_RPC_URL"] = client, url
	}
	pantheon := func(args ...string) string {
		t.Helper()
		out, err := program(lines(settings), args...).CombinedOutput()
		if err != nil {
			t.Fatalf("pantheon %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	keys := pantheon("deploy", "keys", "keys")
	add(settings, keys)
	wallet := deployer.FindStringSubmatch(keys)
	if wallet == nil {
		t.Fatalf("the deployer's wallet is not told:\n%s", keys)
	}
	for _, chain := range chains {
		must(t, chain.CallContext(t.Context(), nil, "anvil_setBalance", wallet[1], "0x56bc75e2d63100000"))
	}
	pantheon("deploy", "apply", "--owner", wallet[1], "--royalty", "250", "--test-currency", "--god", "1000000", "--pack", "1=1000",
		"--key", "keys/deployer.key", "--yes")
	contracts, err := os.ReadFile(filepath.Join(folder, "deployment.env"))
	must(t, err)
	add(settings, string(contracts))
	pantheon("key", "init", "--reason", "a new portal")
	for name, value := range settings {
		if strings.HasSuffix(name, "_FILE") { // as others find it
			settings[name] = filepath.Join(folder, "keys", filepath.Base(value))
		}
	}
	settings["SIGNER_KEY_FILE"] = filepath.Join(folder, "signer.key")
	return settings
}

// add adds the settings in a text, "NAME=value" lines.
func add(settings map[string]string, text string) {
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			settings[name] = value
		}
	}
}

func lines(settings map[string]string) (out []string) {
	for name, value := range settings {
		out = append(out, name+"="+value)
	}
	return out
}
