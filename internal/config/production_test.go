package config_test

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/knownkeys"
)

// production is a complete environment of a portal with real money, without risks.
func production() map[string]string {
	env := complete()
	maps.Copy(env, map[string]string{
		"ENVIRONMENT": "prod", "PUBLIC_URL": "https://portal.example", "TRUSTED_PROXIES": "10.0.0.0/8", "COUNTRY_HEADER": "CF-IPCountry",
		"SMTP_HOST": "mail.example", "SMTP_FROM": "portal@portal.example", "SPONSOR_NEEDS": "", "SIGNER_KEY_FILE": "/etc/pantheon/signer.key",
	})
	return env
}

// Spec: RUN-5
func TestProduction_RefusesPublishedKeys(t *testing.T) {
	t.Parallel()
	for name, role := range map[string]string{
		"MANAGER_PRIVATE_KEY": "manager", "CLAIMER_PRIVATE_KEY": "claimer", "GAS_RELAYER_PRIVATE_KEY": "gas relayer",
		"PAYMASTER_SIGNER_PRIVATE_KEY": "paymaster signer",
	} {
		key := knownkeys.Development(role)
		for publisher, text := range map[string]string{
			"the development world": "0x" + hex.EncodeToString(key[:]),
			"Anvil and Hardhat":     "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
		} {
			env := production()
			env[name] = text
			_, faults := load(t, env)
			if len(faults) != 1 || !strings.HasPrefix(faults[0], name+": must be a key of your own") || !strings.Contains(faults[0], publisher) {
				t.Errorf("%s with a key of %s: %q", name, publisher, faults)
			}
			if strings.Contains(strings.Join(faults, ""), text[2:]) {
				t.Errorf("%s: the fault shows the key", name)
			}
			env["ENVIRONMENT"] = "stage"
			if _, faults := load(t, env); faults != nil {
				t.Errorf("%s on a test chain: %q", name, faults)
			}
		}
	}
}

// Spec: RUN-5
func TestProduction_RefusesUnencryptedAddresses(t *testing.T) {
	t.Parallel()
	azure := func(endpoint string) string { return "Endpoint=" + endpoint + ";AccessKey=a2V5;Version=1.0;" }
	for _, c := range []struct {
		name, value string
		valid       bool
	}{
		{"PUBLIC_URL", "https://portal.example", true},
		{"PUBLIC_URL", "http://portal.example", false},
		{"PUBLIC_URL", "http://localhost:8080", false}, // not reachable by players
		{"PUBLIC_URL", "", false},                      // means http:// and LISTEN_ADDR
		{"GAME_CHAIN_RPC_URL", "http://node.example/key", false},
		{"GAME_CHAIN_RPC_URL", "HTTP://node.example/key", false},
		{"GAME_CHAIN_RPC_URL", "ws://node.example/key", false},
		{"GAME_CHAIN_RPC_URL", "http://10.0.0.7:8545", false},
		{"GAME_CHAIN_RPC_URL", "http://localhost.example", false},
		{"GAME_CHAIN_RPC_URL", "http://127.0.0.1:8545", true},
		{"GAME_CHAIN_RPC_URL", "ws://localhost:8546", true},
		{"MAIN_CHAIN_RPC_URL", "http://[::1]:8545", true},
		{"MAIN_CHAIN_RPC_URL", "http://node.example", false},
		{"GAME_CHAIN_READ_RPC_URL", "http://reads.example", false},
		{"MAIN_CHAIN_READ_RPC_URL", "ws://reads.example", false},
		{"MAIN_CHAIN_EXPLORER_URL", "http://scan.example", false},
		{"GAME_CHAIN_EXPLORER_URL", "http://scan.example", false},
		{"GAME_CHAIN_EXPLORER_URL", "https://scan.example", true},
		{"X_API_URL", "http://x.example", false},
		{"NATS_URL", "ws://nats.example", false},
		{"NATS_URL", "nats://127.0.0.1:4222", true},
		{"AZURE_WEBPUBSUB_CONNECTION_STRING", azure("http://hub.example"), false},
		{"AZURE_WEBPUBSUB_CONNECTION_STRING", azure("https://hub.example"), true},
	} {
		env := production()
		env[c.name] = c.value
		_, faults := load(t, env)
		if c.valid && faults != nil || !c.valid && (len(faults) != 1 || !strings.HasPrefix(faults[0], c.name+": must ")) {
			t.Errorf("%s=%s: %q, want valid: %v", c.name, c.value, faults, c.valid)
		}
		if c.name == "X_API_URL" { // rejected in every environment
			continue
		}
		env["ENVIRONMENT"] = "test"
		if _, faults := load(t, env); faults != nil {
			t.Errorf("%s=%s in a test environment: %q", c.name, c.value, faults)
		}
	}
	env := production()
	env["GAME_PLATFORM"], env["PLAYFAB_TITLE_ID"], env["PLAYFAB_SECRET_KEY"] = "playfab", "A5C3", "K7XO3HFDWGQ9YB2TAZ4N"
	env["PLAYFAB_URL"] = "http://playfab.example"
	if _, faults := load(t, env); len(faults) != 1 || !strings.HasPrefix(faults[0], "PLAYFAB_URL: ") {
		t.Errorf("PlayFab by http: %q", faults)
	}
}

// Spec: RUN-5
func TestProduction_ListsItsFaultsWithAllOthers(t *testing.T) {
	t.Parallel()
	env := production()
	key := knownkeys.Development("manager")
	env["MANAGER_PRIVATE_KEY"], env["PUBLIC_URL"] = "0x"+hex.EncodeToString(key[:]), "http://portal.example"
	env["GAME_CHAIN_RPC_URL"], env["LOG_LEVEL"] = "http://node.example", "loud"
	_, faults := load(t, env)
	var names []string
	for _, f := range faults {
		name, _, _ := strings.Cut(f, ": ")
		names = append(names, name)
	}
	if want := []string{"GAME_CHAIN_RPC_URL", "LOG_LEVEL", "MANAGER_PRIVATE_KEY", "PUBLIC_URL"}; !slices.Equal(names, want) {
		t.Errorf("named are %q, want %q", names, want)
	}
}
