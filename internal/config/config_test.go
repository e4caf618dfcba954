package config_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
)

// complete is an environment with everything a server needs.
func complete() map[string]string {
	env := map[string]string{
		"ENVIRONMENT":        "test",
		"TOKEN_SECRET":       base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"GAME_CHAIN_RPC_URL": "https://game.example/rpc", "MAIN_CHAIN_RPC_URL": "wss://main.example/rpc",
		"SPONSOR_NEEDS":     "none", // needs no mail server
		"WALLET_COPIES_DIR": "/srv/wallets",
	}
	for i, v := range config.Variables(brandtest.Pantheon()) {
		switch {
		case strings.HasSuffix(v.Name, "_ADDRESS") || strings.HasSuffix(v.Name, "_BACKEND_WALLET"):
			env[v.Name] = fmt.Sprintf("0x%040x", i+1)
		case strings.HasSuffix(v.Name, "_PRIVATE_KEY"):
			env[v.Name] = fmt.Sprintf("0x%064x", i+1)
		}
	}
	return env
}

func lines(env map[string]string) (out []string) {
	for k, v := range env {
		out = append(out, k+"="+v)
	}
	return out
}

// load reads, completes and validates as the server does, and returns the faults.
func load(t testing.TB, env map[string]string) (config.Config, []string) {
	t.Helper()
	c, err := config.Load(lines(env), brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	c.Complete()
	err = c.Validate()
	if err == nil {
		return c, nil
	}
	var faults *config.Error
	if !errors.As(err, &faults) {
		t.Fatalf("%v is not a list of faults", err)
	}
	return c, faults.Faults
}

// setting is a setting with what is wrong with its value; "" for nothing.
type setting struct{ name, value, want string }

// wantFaults checks the faults of a complete environment with one more setting.
func wantFaults(t *testing.T, settings map[string]setting) {
	t.Helper()
	for what, s := range settings {
		env := complete()
		env[s.name] = s.value
		_, faults := load(t, env)
		if got := strings.Join(faults, "\n"); s.want == "" && got != "" || s.want != "" && got != s.name+": "+s.want {
			t.Errorf("%s: faults %q", what, got)
		}
	}
}

func TestConfig_CompleteEnvironmentIsValid(t *testing.T) {
	t.Parallel()
	for _, environment := range []string{"dev", "stage", "test", "prod"} {
		env := production()
		env["ENVIRONMENT"] = environment
		if _, faults := load(t, env); faults != nil {
			t.Errorf("%s: %v", environment, faults)
		}
	}
}

// Spec: CHAIN-1, CHAIN-2
func TestConfig_ChainsOfTheEnvironments(t *testing.T) {
	t.Parallel()
	for environment, game := range map[string]uint64{"dev": 421614, "stage": 421614, "test": 421614, "prod": 42170} {
		env := complete()
		env["ENVIRONMENT"] = environment
		c, _ := load(t, env)
		if c.GameChain.ID != game || c.MainChain.ID != 137 {
			t.Errorf("%s plays on chains %d and %d, want %d and 137", environment, c.GameChain.ID, c.MainChain.ID, game)
		}
	}
}

// Chains whose newest blocks are replaced now and then are read a few blocks behind the head in production.
func TestConfig_ConfirmationsAndTipsFitTheChain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment, chain, confirmations, tip string
		depth                                  uint64
		wei                                    string
	}{
		{"prod", "137", "", "", 5, "30000000000"},
		{"prod", "1", "", "", 5, "0"},
		{"prod", "42170", "", "", 0, "0"},
		{"prod", "8453", "", "", 0, "0"},
		{"prod", "137", "0", "0", 0, "0"},
		{"prod", "137", "64", "1.5", 64, "1500000000"},
		{"stage", "137", "", "", 0, "30000000000"},
	} {
		env := complete()
		env["ENVIRONMENT"], env["MAIN_CHAIN_ID"], env["MAIN_CHAIN_CONFIRMATIONS"], env["MAIN_CHAIN_LEAST_TIP"] = c.environment, c.chain,
			c.confirmations, c.tip
		if c.chain == "42170" {
			env["GAME_CHAIN_ID"] = "137"
		}
		loaded, _ := load(t, env)
		if wei, err := loaded.MainChain.Tip(); err != nil || loaded.MainChain.Depth() != c.depth || wei.String() != c.wei {
			t.Errorf("%+v: %d blocks, %s wei, %v", c, loaded.MainChain.Depth(), wei, err)
		}
	}
}

// Spec: RUN-2
func TestConfig_EveryFaultIsListedAtOnce(t *testing.T) {
	t.Parallel()
	env := complete()
	wrong := map[string]string{
		"ENVIRONMENT": "production", "LOG_LEVEL": "loud", "LISTEN_ADDR": "8080", "METRICS_ADDR": "9090", "PUBLIC_URL": "portal.example",
		"TRUSTED_PROXIES": "10.0.0.1", "DRAIN_TIME": "soon", "DATABASE_URL": "mysql://db", "NATS_URL": "http://nats", "TOKEN_SECRET": "c2hvcnQ=",
		"GAME_CHAIN_ID": "nova", "GAME_CHAIN_RPC_URL": "", "GAME_CHAIN_EXPLORER_URL": "ftp://x", "GAME_CHAIN_POLL_INTERVAL": "1us",
		"MAIN_CHAIN_ID": "-1", "MAIN_CHAIN_RPC_URL": "ftp://main", "MAIN_CHAIN_START_BLOCK": "1.5", "MAIN_CHAIN_CONFIRMATIONS": "few",
		"GAME_CHAIN_LEAST_TIP": "30 gwei", "MAIN_CHAIN_POLL_INTERVAL": "1",
		"USDC_CURRENCY_CONTRACT_ADDRESS": "0x12", "CLAIMER_PRIVATE_KEY": "0x12", "MANAGER_BACKEND_WALLET": "",
		"RELAY_OPERATIONS_PER_MINUTE": "0", "RELAY_OPERATIONS_PER_DAY": "many",
		"GAME_CHAIN_READ_RPC_URL": "ftp://reads", "CHAIN_READS_AT_ONCE": "0", "CHAIN_READS_WAIT": "11s", "CHAIN_READS_GAS": "99999",
		"CHAIN_READS_BLOCKS": "0",
	}
	for k, v := range wrong {
		env[k] = v
	}
	_, faults := load(t, env)
	for name := range wrong {
		if n := count(faults, name+": must "); n != 1 {
			t.Errorf("%s is named %d times, want once", name, n)
		}
	}
	if len(faults) != len(wrong) || !slices.IsSorted(faults) {
		t.Errorf("want exactly these %d faults, sorted:\n%s", len(wrong), strings.Join(faults, "\n"))
	}
	c, err := config.Load(lines(env), brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	if text := c.Validate().Error(); !strings.HasPrefix(text, "Invalid environment variables\n  - ") ||
		strings.Count(text, "\n") < len(wrong) {
		t.Errorf("the error reads\n%s", text)
	}
}

func count(faults []string, prefix string) (n int) {
	for _, f := range faults {
		if strings.HasPrefix(f, prefix) {
			n++
		}
	}
	return n
}

// Spec: RUN-1
func TestConfig_EmptyEnvironmentReportsEveryMissingSetting(t *testing.T) {
	t.Parallel()
	_, faults := load(t, nil)
	for name := range complete() {
		want := 1
		if slices.Contains([]string{"ENTRY_POINT_ADDRESS", "TREASURY_PRIVATE_KEY", "WALLET_COPIES_DIR", "GAME_CHAIN_PAYMASTER_ADDRESS",
			"MAIN_CHAIN_PAYMASTER_ADDRESS"}, name) { // has a default, or is optional
			want = 0
		}
		if n := count(faults, name+": "); n != want {
			t.Errorf("%s is named %d times, want %d", name, n, want)
		}
	}
}

// Spec: RUN-1
func TestConfig_RulesOfSingleVariables(t *testing.T) {
	t.Parallel()
	key := "0x" + strings.Repeat("ab", 32)
	for _, c := range []struct {
		name, value string
		valid       bool
	}{
		{"USDC_CURRENCY_CONTRACT_ADDRESS", "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359", true},
		{"USDC_CURRENCY_CONTRACT_ADDRESS", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", true},
		{"USDC_CURRENCY_CONTRACT_ADDRESS", "0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359", false},
		{"USDC_CURRENCY_CONTRACT_ADDRESS", "fb6916095ca1df60bb79ce92ce3ea74c37c5d359", false},
		{"USDC_CURRENCY_CONTRACT_ADDRESS", "", false},
		{"CLAIMER_PRIVATE_KEY", key, true},
		{"CLAIMER_PRIVATE_KEY", key[2:], false},
		{"CLAIMER_PRIVATE_KEY", key + ", 0x" + strings.Repeat("2", 64), true},
		{"CLAIMER_PRIVATE_KEY", key + "," + key, false},
		{"CLAIMER_FORMER_WALLETS", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359, 0x" + strings.Repeat("12", 20), true},
		{"CLAIMER_FORMER_WALLETS", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,", false},
		{"CLAIMER_FORMER_WALLETS", complete()["CLAIMER_BACKEND_WALLET"], false},
		{"GAS_RELAYER_PRIVATE_KEY", key + ", 0x" + strings.Repeat("2", 64), true},
		{"GAS_RELAYER_PRIVATE_KEY", key + "," + key, false},
		{"GAS_RELAYER_PRIVATE_KEY", key + ",", false},
		{"CLAIMER_PRIVATE_KEY", "aws-kms://arn:aws:kms:eu-central-1:111122223333:key/1", true},
		{"CLAIMER_PRIVATE_KEY", "hcvault://vault.example/transit/keys/claimer", false},
		{"CLAIMER_PRIVATE_KEY", key + "00", false},
		{"CLAIMER_PRIVATE_KEY", "0x" + strings.Repeat("0", 64), false},
		{"TOKEN_SECRET", base64.StdEncoding.EncodeToString(make([]byte, 32)), true},
		{"TOKEN_SECRET", base64.StdEncoding.EncodeToString(make([]byte, 31)), false},
		{"TOKEN_SECRET", base64.StdEncoding.EncodeToString(make([]byte, 32)) + "," + base64.StdEncoding.EncodeToString(make([]byte, 33)), true},
		{"TOKEN_SECRET", base64.StdEncoding.EncodeToString(make([]byte, 32)) + ",", false},
		{"TOKEN_SECRET", strings.Repeat("!", 64), false},
		{"TOKEN_SECRET", "", false},
		{"DATABASE_URL", "postgres://u:p@db:5432/pantheon", true},
		{"DATABASE_URL", "", true},
		{"DATABASE_URL", "postgres://", false},
		{"GAME_CHAIN_BUNDLER_URL", "https://bundler.example/v2/key", true},
		{"GAME_CHAIN_BUNDLER_URL", "bundler.example", false},
		{"MAIN_CHAIN_PAYMASTER_URL", "wss://paymaster.example", true},
		{"MAIN_CHAIN_PAYMASTER_URL", "ftp://paymaster.example", false},
		{"GAME_CHAIN_PAYMASTER_CONTEXT", `{"policyId":"7"}`, true},
		{"GAME_CHAIN_PAYMASTER_CONTEXT", `"7"`, false},
		{"GAME_CHAIN_PAYMASTER_CONTEXT", "null", false},
		{"TRUSTED_PROXIES", "10.0.0.0/8,2001:db8::/32", true},
		{"TRUSTED_PROXIES", "10.0.0.0/8, 2001:db8::/32 ", true},
		{"TRUSTED_PROXIES", "10.0.0.0/8,x", false},
		{"FORBIDDEN_COUNTRIES", "cu, ir", true},
		{"FORBIDDEN_COUNTRIES", "none", true},
		{"FORBIDDEN_COUNTRIES", "CU,UK", false}, // the United Kingdom is GB
		{"FORBIDDEN_COUNTRIES", "CUB", false},
		{"FORBIDDEN_COUNTRIES", "CU,,IR", false},
		{"FORBIDDEN_COUNTRIES", "none,CU", false},
		{"PACK_COUNTRIES_FORBIDDEN", "be, nl", true},
		{"PACK_COUNTRIES_FORBIDDEN", "none", true},
		{"PACK_COUNTRIES_FORBIDDEN", "BE,BEL", false},
		{"FORWARDED_HEADER", "", true},
		{"FORWARDED_HEADER", "x-forwarded-for", true},
		{"FORWARDED_HEADER", "Forwarded", true},
		{"FORWARDED_HEADER", "X-Real-IP", false},
		{"COUNTRY_HEADER", "", true},
		{"COUNTRY_HEADER", "CF-IPCountry", false}, // without its trusted source
		{"MONITORING_KEEP", "0", true},
		{"MONITORING_KEEP", "-1", false},
		{"MONITORING_KEEP_FOR", "30s", false},
		{"MONITORING_KEEP_MIB", "1", true},
		{"MONITORING_KEEP_MIB", "0", false},
		{"LIMIT_MONITORING_MIB", "0", true},
		{"LIMIT_MONITORING_MIB", "-1", false},
		{"LIMIT_MONITORING_TOTAL_MIB", "-1", false},
		{"NATS_URL", "nats://a:4222,b:4222, tls://c", true}, {"NATS_URL", "nats://a:4222,http://b", false}, {"NATS_REPLICAS", "2", false},
		{"NATS_REPLICAS", "3", false}, // without servers
		{"HTTP_CONNECTIONS", "0", false},
		{"HTTP_CONNECTIONS_PER_CLIENT", "0", true},
		{"HTTP_CONNECTIONS_PER_CLIENT", "-1", false},
		{"HTTP_STALL_TIMEOUT", "100ms", false},
		{"HSTS_MAX_AGE", "0", true},
		{"HSTS_MAX_AGE", "-1h", false},
		{"PLAYFAB_TICKETS", "false", true},
		{"PLAYFAB_TICKETS", "never", false},
		{"DATADOG_SITE", "datadoghq.eu", true},
		{"DATADOG_SITE", "evil.example", false},
		{"DATADOG_SITE", "datadoghq.com us3.datadoghq.com", false},
		{"DATADOG_PASS_IP", "true", true},
		{"DATADOG_PASS_IP", "perhaps", false},
		{"DATADOG_CLIENT_TOKEN", "pub0123456789abcdef0123456789abcdef", false}, // without an application id
		{"LIMIT_MONITORING", "-1", false},
		{"PUBLIC_URL", "https://portal.example/", true},
		{"PUBLIC_URL", "javascript:alert(1)", false},
		{"METRICS_ADDR", "", true},
		{"METRICS_ADDR", ":9090", true},
		{"LISTEN_ADDR", "", true}, // empty means the default
		{"MAIN_CHAIN_ID", "421614", false},
		{"MAIN_CHAIN_ID", "80002", true},
		{"GAME_CHAIN_REWARDS_FROM", "100", true},
		{"GAME_CHAIN_REWARDS_FROM", "0", true},
		{"GAME_CHAIN_REWARDS_FROM", "99", false},
		{"MAIN_CHAIN_REWARDS_FROM", "9223372036854775807", true},
		{"MAIN_CHAIN_REWARDS_FROM", "9223372036854775808", false},
		{"MAIN_CHAIN_REWARDS_FROM", "-1", false},
	} {
		env := complete()
		env["GAME_CHAIN_START_BLOCK"] = "100"
		env[c.name] = c.value
		_, faults := load(t, env)
		if c.valid && faults != nil || !c.valid && (len(faults) != 1 || !strings.HasPrefix(faults[0], c.name+": ")) {
			t.Errorf("%s=%s: %q, want valid: %v", c.name, c.value, faults, c.valid)
		}
	}
}

// Spec: ACCESS-3
func TestConfig_ForbiddenCountries(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": {"CU", "IR", "KP", "SY", "VE", "RU", "BY"}, " cu,Ir ": {"CU", "IR"}, "None": nil,
	} {
		env := complete()
		env["FORBIDDEN_COUNTRIES"] = text
		if c, faults := load(t, env); faults != nil || !slices.Equal(c.Forbidden, want) {
			t.Errorf("%q: %v, %v", text, c.Forbidden, faults)
		}
	}
	for text, want := range map[string][]string{"": nil, " be,Nl ": {"BE", "NL"}, "None": nil} {
		env := complete()
		env["PACK_COUNTRIES_FORBIDDEN"] = text
		if c, faults := load(t, env); faults != nil || !slices.Equal(c.PacksForbidden, want) {
			t.Errorf("packs, %q: %v, %v", text, c.PacksForbidden, faults)
		}
	}
	env := complete()
	env["TRUSTED_PROXIES"], env["COUNTRY_HEADER"] = "10.0.0.0/8", "CF-IPCountry"
	if _, faults := load(t, env); faults != nil {
		t.Errorf("a header of a trusted proxy: %v", faults)
	}
	env["COUNTRY_HEADER"] = "CF IPCountry:"
	if _, faults := load(t, env); len(faults) != 1 || !strings.HasPrefix(faults[0], "COUNTRY_HEADER: ") {
		t.Errorf("no name of a header: %v", faults)
	}
}

func TestConfig_ReportsArePassedOnWithIdAndToken(t *testing.T) {
	t.Parallel()
	env := complete()
	env["DATADOG_APPLICATION_ID"] = "3f1c0c52-9a4e-4f7e-8d0e-0a1b2c3d4e5f"
	for token, valid := range map[string]bool{
		"pub0123456789abcdef0123456789abcdef": true, "": false, "0123456789abcdef0123456789abcdef": false, "pub0123&x=y": false,
	} {
		env["DATADOG_CLIENT_TOKEN"] = token
		_, faults := load(t, env)
		if valid != (faults == nil) || !valid && (len(faults) != 1 || !strings.HasPrefix(faults[0], "DATADOG_CLIENT_TOKEN: ")) {
			t.Errorf("%q: %v", token, faults)
		}
	}
	env["DATADOG_CLIENT_TOKEN"], env["DATADOG_APPLICATION_ID"] = "pub0123456789abcdef0123456789abcdef", "portal"
	if _, faults := load(t, env); len(faults) != 1 || !strings.HasPrefix(faults[0], "DATADOG_APPLICATION_ID: ") {
		t.Errorf("an application without an id: %v", faults)
	}
}

func TestConfig_PlayFabsVariablesAreCheckedWhereItIsUsed(t *testing.T) {
	t.Parallel()
	title := map[string]string{"GAME_PLATFORM": "playfab", "PLAYFAB_TITLE_ID": "A5C3", "PLAYFAB_SECRET_KEY": "K7XO3HFDWGQ9YB2TAZ4N"}
	const all = "PLAYFAB_TITLE_ID,PLAYFAB_SECRET_KEY"
	for _, c := range []struct {
		set   map[string]string
		wrong string // the variables named in the faults
	}{
		{map[string]string{"GAME_PLATFORM": ""}, ""}, // empty means the default
		{map[string]string{"GAME_PLATFORM": "local", "PLAYFAB_TITLE_ID": "not used"}, ""},
		{map[string]string{"GAME_PLATFORM": "PlayFab"}, "GAME_PLATFORM"},
		{map[string]string{"GAME_PLATFORM": "playfab"}, all},
		{title, ""},
		{map[string]string{"PLAYFAB_TITLE_ID": "evil.example/"}, "PLAYFAB_TITLE_ID"},
		{map[string]string{"PLAYFAB_SECRET_KEY": "with a\nline break"}, "PLAYFAB_SECRET_KEY"},
		{map[string]string{"PLAYFAB_SECRET_KEY": "short"}, "PLAYFAB_SECRET_KEY"},
		{map[string]string{"PLAYFAB_URL": "https://playfab.example"}, ""},
		{map[string]string{"PLAYFAB_URL": "https://playfab.example:8443/"}, ""},
		{map[string]string{"PLAYFAB_URL": "http://127.0.0.1:8081"}, ""},
		{map[string]string{"PLAYFAB_URL": "http://[::1]:8081"}, ""},
		{map[string]string{"PLAYFAB_URL": "http://localhost:8081"}, ""},
		{map[string]string{"PLAYFAB_URL": "http://playfab.example"}, "PLAYFAB_URL"}, // would send the key unencrypted
		{map[string]string{"PLAYFAB_URL": "https://user:pass@playfab.example"}, "PLAYFAB_URL"},
		{map[string]string{"PLAYFAB_URL": "https://playfab.example/path"}, "PLAYFAB_URL"},
		{map[string]string{"PLAYFAB_URL": "playfab.example"}, "PLAYFAB_URL"},
		{map[string]string{"PLAYFAB_RECOVERY_TEMPLATE_ID": "0A1B2C"}, ""},
		{map[string]string{"PLAYFAB_RECOVERY_TEMPLATE_ID": "{}"}, "PLAYFAB_RECOVERY_TEMPLATE_ID"},
		{map[string]string{"PLAYFAB_LOGINS_PER_MINUTE": "0"}, ""},
		{map[string]string{"PLAYFAB_LOGINS_PER_MINUTE": "-1"}, "PLAYFAB_LOGINS_PER_MINUTE"},
		{map[string]string{"PLAYFAB_LOGINS_PER_MINUTE": "many", "PLAYFAB_URL": "x"}, "PLAYFAB_LOGINS_PER_MINUTE,PLAYFAB_URL"},
	} {
		env := complete()
		if _, alone := c.set["GAME_PLATFORM"]; !alone {
			maps.Copy(env, title)
		}
		maps.Copy(env, c.set)
		_, faults := load(t, env)
		want := strings.FieldsFunc(c.wrong, func(r rune) bool { return r == ',' })
		for _, name := range want {
			if count(faults, name+": must ") != 1 {
				t.Errorf("%v: %s is not named once: %q", c.set, name, faults)
			}
		}
		if len(faults) != len(want) {
			t.Errorf("%v: %q, want faults of %v only", c.set, faults, want)
		}
	}
}

func TestExternalLogins_Configuration(t *testing.T) {
	t.Parallel()
	const key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	for _, c := range []struct {
		set   map[string]string
		wrong string // the variable named in the fault
	}{
		{map[string]string{}, ""},
		{map[string]string{"GAME_CONTEXT_SECRET": key}, ""},
		{map[string]string{"GAME_CONTEXT_SECRET": "c2hvcnQ="}, "GAME_CONTEXT_SECRET"},
		{map[string]string{"GAME_CONTEXT_SECRET": "a secret that is not base64, of more than 32 bytes"}, "GAME_CONTEXT_SECRET"},
		{map[string]string{"X_CLIENT_ID": "Q2xpZW50SWQ6MTpjaQ"}, ""},
		{
			map[string]string{"X_CLIENT_ID": "Q2xpZW50SWQ6MTpjaQ", "X_CLIENT_SECRET": "secret-of-the-app", "X_API_URL": "http://127.0.0.1:8081"},
			"",
		},
		{map[string]string{"X_CLIENT_ID": "with blanks in it"}, "X_CLIENT_ID"},
		{map[string]string{"X_CLIENT_SECRET": "secret-of-the-app"}, "X_CLIENT_SECRET"},
		{map[string]string{"X_CLIENT_ID": "Q2xpZW50SWQ6MTpjaQ", "X_CLIENT_SECRET": "short"}, "X_CLIENT_SECRET"},
		{map[string]string{"X_API_URL": "http://x.example"}, "X_API_URL"}, // would send the secret unencrypted
	} {
		env := complete()
		maps.Copy(env, c.set)
		_, faults := load(t, env)
		if c.wrong == "" && len(faults) > 0 || c.wrong != "" && (len(faults) != 1 || count(faults, c.wrong+": must ") != 1) {
			t.Errorf("%v: %q, want %q named", c.set, faults, c.wrong)
		}
	}
}

func TestConfig_ServerThatTakesTheMail(t *testing.T) {
	t.Parallel()
	const host, from, name, password = "SMTP_HOST", "SMTP_FROM", "SMTP_USERNAME", "SMTP_PASSWORD"
	for _, c := range []struct {
		set   map[string]string
		wrong string // the variable named in the fault; "" for none
	}{
		{map[string]string{host: "mail.example", from: "Portal <portal@mail.example>"}, ""},
		{map[string]string{
			host: "mail.example", from: "portal@mail.example", name: "portal", password: "s3cret", "SMTP_PORT": "465", "SMTP_SECURITY": "tls",
		}, ""},
		{map[string]string{host: "127.0.0.1", from: "portal@mail.example", name: "portal", password: "s3cret", "SMTP_SECURITY": "none"}, ""},
		{
			map[string]string{host: "mail.example", from: "portal@mail.example", name: "portal", password: "s3cret", "SMTP_SECURITY": "none"},
			"SMTP_SECURITY",
		},
		{map[string]string{host: "mail.example", from: "portal@mail.example", "SMTP_SECURITY": "ssl"}, "SMTP_SECURITY"},
		{map[string]string{host: "mail.example", from: "portal@mail.example", "SMTP_PORT": "0"}, "SMTP_PORT"},
		{map[string]string{host: "mail.example:587", from: "portal@mail.example"}, host},
		{map[string]string{host: "::1", from: "portal@mail.example"}, ""},
		{map[string]string{host: "https://mail.example", from: "portal@mail.example"}, host},
		{map[string]string{host: "mail.example"}, from},
		{map[string]string{host: "mail.example", from: "portal"}, from},
		{map[string]string{host: "mail.example", from: "portal@mail.example", name: "portal"}, password},
		{map[string]string{host: "mail.example", from: "portal@mail.example", password: "s3cret"}, password},
		{map[string]string{from: "portal@mail.example"}, from},
		{map[string]string{password: "s3cret"}, password},
		{map[string]string{"SUPPORT_EMAIL": "help@mail.example"}, ""},
		{map[string]string{"SUPPORT_EMAIL": "help"}, "SUPPORT_EMAIL"},
	} {
		env := complete()
		maps.Copy(env, c.set)
		_, faults := load(t, env)
		if c.wrong == "" && faults != nil || c.wrong != "" && (len(faults) != 1 || !strings.HasPrefix(faults[0], c.wrong+": ")) {
			t.Errorf("%v: %q, want %q", c.set, faults, c.wrong)
		}
	}
}

func TestConfig_LimitsOfWithdrawals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, wrong string }{
		{"WITHDRAWAL_DELAY", "0s", ""}, {"WITHDRAWAL_DELAY", "720h", ""}, {"WITHDRAWAL_DELAY", "-1s", "must be from 0s to 720h"},
		{"WITHDRAWAL_DELAY", "721h", "must be from 0s to 720h"},
		{"DEV_BLOCK_LEAD", "500ms", ""}, {"DEV_BLOCK_LEAD", "499ms", "must be at least 500ms"},
		{"DEV_BEACON_PORT", "0", ""}, {"DEV_BEACON_PORT", "65535", ""}, {"DEV_BEACON_PORT", "65536", "must be a port, or 0 for any free one"},
		{"DEV_BEACON_PORT", "-1", "must be a port, or 0 for any free one"}, {"DEV_BEACON_PORT", "http", "must be a whole number"},
		{"WITHDRAWAL_USDC_PER_DAY", "0.000001", ""}, {"WITHDRAWAL_USDC_PER_DAY", "0.0000001", "must be an amount with at most 6 decimals"},
		{"WITHDRAWAL_GOD_PER_DAY", "0.000000000000000001", ""}, {"WITHDRAWAL_GOD_PER_DAY", "much", "must be an amount with at most 18 decimals"},
		{"LISTING_PRICE_MIN", "0.000001", ""}, {"LISTING_PRICE_MIN", "0", "must be an amount above 0 with at most 6 decimals"},
		{"LISTING_PRICE_MIN", "cheap", "must be an amount above 0 with at most 6 decimals"},
		{"LISTINGS_AT_ONCE", "20", ""}, {"LISTINGS_AT_ONCE", "21", "must be from 1 to 20"}, {"LISTINGS_AT_ONCE", "0", "must be from 1 to 20"},
		{"LISTINGS_PER_SELLER", "1", ""}, {"LISTINGS_PER_SELLER", "0", "must be at least 1"},
		{"WITHDRAWAL_ITEMS_PER_DAY", "0", ""}, {"WITHDRAWAL_ITEMS_PER_DAY", "-1", "must not be negative"},
	} {
		env := complete()
		env[c.name] = c.value
		_, faults := load(t, env)
		if c.wrong == "" && faults != nil || c.wrong != "" && !slices.Equal(faults, []string{c.name + ": " + c.wrong}) {
			t.Errorf("%s=%s: %q, want %q", c.name, c.value, faults, c.wrong)
		}
	}
}

func TestConfig_PublicAddressFollowsFromTheListener(t *testing.T) {
	t.Parallel()
	env := complete()
	for listener, want := range map[string]string{
		"localhost:1234": "http://localhost:1234", "127.0.0.1:1234": "http://127.0.0.1:1234", "[::1]:1234": "http://[::1]:1234",
		"pantheon.lan:80": "http://pantheon.lan:80",
		":1234":           "http://localhost:1234", "0.0.0.0:1234": "http://localhost:1234", "[::]:1234": "http://localhost:1234",
		"[0:0::0]:1234": "http://localhost:1234",
	} {
		env["LISTEN_ADDR"] = listener
		if c, faults := load(t, env); c.PublicURL != want || c.Site() != want || faults != nil {
			t.Errorf("LISTEN_ADDR=%s: public address %q, want %q; %q", listener, c.PublicURL, want, faults)
		}
	}
	env["PUBLIC_URL"] = "https://portal.example/"
	if c, _ := load(t, env); c.PublicURL != "https://portal.example" {
		t.Errorf("public address %q", c.PublicURL)
	}
}

func TestConfig_InDevelopmentTheSiteFollowsTheBrowsersAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ environment, public, host, want string }{
		{"dev", "http://localhost:8080", "localhost:8080", "http://localhost:8080"},
		{"dev", "http://localhost:8080", "127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"dev", "http://localhost:8080", "[::1]:8080", "http://[::1]:8080"},
		{"dev", "http://127.0.0.1:8080", "192.168.0.7:8080", "http://192.168.0.7:8080"},
		{"dev", "http://localhost:8080", "evil.example:8080", "http://localhost:8080"},
		{"dev", "http://localhost:8080", "localhost.evil.example", "http://localhost:8080"},
		{"dev", "http://localhost:8080", "127.0.0.1:8080/evil", "http://localhost:8080"},
		{"dev", "http://localhost:8080", "me@127.0.0.1:8080", "http://localhost:8080"},
		{"dev", "http://localhost:8080", "", "http://localhost:8080"},
		{"dev", "https://portal.test", "127.0.0.1:8080", "https://portal.test"}, // a proxy's own address
		{"prod", "http://localhost:8080", "127.0.0.1:8080", "http://localhost:8080"},
	} {
		if got := (&config.Config{Environment: c.environment, PublicURL: c.public}).SiteOf(c.host); got != c.want {
			t.Errorf("%s, %s reached as %q: %s, want %s", c.environment, c.public, c.host, got, c.want)
		}
	}
}

// The value of a variable that holds a secret is never shown: not in a fault, not in the printed
// configuration, not in a log.
// Spec: RUN-3
func TestConfig_SecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(
		`_PASSWORD$|_PRIVATE_KEY$|_SECRET_KEY$|_SECRET$|_CLIENT_TOKEN$|DATABASE_URL$|^NATS_URL$|CONNECTION_STRING$|` +
			`_RPC_URL$|_BUNDLER_URL$|_PAYMASTER_(URL|CONTEXT)$|^SHOP_(DATA_)?KEY$`)
	var names []string
	for _, v := range config.Variables(brandtest.Pantheon()) {
		if v.Secret != secret.MatchString(v.Name) {
			t.Errorf("%s: is it a secret?", v.Name)
		}
		if v.Secret {
			names = append(names, v.Name)
		}
	}
	const marker = "hunter2marker"
	rapid.Check(t, func(rt *rapid.T) {
		env := complete()
		for _, name := range names {
			shape := rapid.SampledFrom([]string{
				"%s", "0x%s", "postgres://user:%s@db/x", "https://x.example/%s", "nats://%s@x:1", "%%zz%s", " %s ", "https://%s:x",
			}).Draw(rt, name)
			env[name] = fmt.Sprintf(shape, marker)
		}
		for _, name := range []string{"DRAIN_TIME", "GAME_CHAIN_ID", "RELAY_OPERATIONS_PER_DAY"} {
			if rapid.Bool().Draw(rt, name) {
				env[name] = marker // a secret pasted into the wrong variable
			}
		}
		c, err := config.Load(lines(env), brandtest.Pantheon())
		if err != nil && strings.Contains(err.Error(), marker) {
			rt.Fatalf("the loading error shows it: %v", err)
		}
		c.Complete()
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "config", c, "secret", c.TokenSecret)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "config", c, "secret", c.TokenSecret)
		written, err := json.Marshal(c)
		if err != nil {
			rt.Fatal(err)
		}
		for what, text := range map[string]string{
			"the faults": fmt.Sprint(c.Validate()), "the printed configuration": c.Print(), "the log": log.String(), "JSON": string(written),
			"%v": fmt.Sprintf("%v", c), "%+v": fmt.Sprintf("%+v", c), "%#v": fmt.Sprintf("%#v", c), "<%s>": fmt.Sprintf("<%s>", c.TokenSecret),
			"%q": fmt.Sprintf("%q", c.TokenSecret), "the table": config.Markdown(brandtest.Pantheon()),
		} {
			if strings.Contains(text, marker) {
				rt.Fatalf("%s shows a secret:\n%s", what, text)
			}
		}
	})
}

func TestConfig_UnsetSecretIsSeenToBeUnset(t *testing.T) {
	t.Parallel()
	c, _ := load(t, complete())
	if out := c.Print(); !strings.Contains(out, "\nDATABASE_URL=\n") || !strings.Contains(out, "\nTOKEN_SECRET=(hidden)\n") {
		t.Errorf("printed:\n%s", out)
	}
	if c.TokenSecret.Reveal() == "" || c.TokenSecret.String() != "(hidden)" {
		t.Error("a secret does not hide or reveal itself")
	}
}

// Spec: CHAIN-4
func TestConfig_AllTwelveContractsOfTheSpecificationAreVariables(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, v := range config.Variables(brandtest.Pantheon()) {
		if known[v.Name] || v.Doc == "" {
			t.Errorf("%s: named twice or without a description", v.Name)
		}
		known[v.Name] = true
	}
	for _, name := range []string{
		"PIGGY_MARKETPLACE_ADDRESS", "PIGGY_COLLECTION_ADDRESS", "AVATAR_COLLECTION_ADDRESS", "SEASON_AVATARS_COLLECTION_ADDRESS",
		"MANAGER_BACKEND_WALLET",
		"CLAIMER_BACKEND_WALLET", "GAS_RELAYER_BACKEND_WALLET", "USDC_CURRENCY_CONTRACT_ADDRESS", "PIGGY_SOULBOUND_COLLECTION_ADDRESS",
		"GAME_ITEMS_CONTRACT_ADDRESS", "ELDER_GODS_CONTRACT_ADDRESS", "CHESTS_CONTRACT_ADDRESS",
	} {
		if !known[name] {
			t.Errorf("there is no %s", name)
		}
	}
	if _, err := eth.ParseAddress(complete()["CHESTS_CONTRACT_ADDRESS"]); err != nil {
		t.Fatal(err)
	}
}

// Spec: GAS-7
func TestSponsorNeeds_AConfirmedEmailUnlessSaidOtherwise(t *testing.T) {
	t.Parallel()
	const withoutMail = "SPONSOR_NEEDS: must be none where SMTP_HOST is not set: without mail no player can confirm an address"
	mail := map[string]string{"SMTP_HOST": "mail.example", "SMTP_FROM": "portal@portal.example"}
	elsewhere := map[string]string{"GAME_PLATFORM": "playfab", "PLAYFAB_TITLE_ID": "A1B2", "PLAYFAB_SECRET_KEY": "0123456789"}
	for what, c := range map[string]struct {
		needs  string
		more   map[string]string
		want   string
		faults []string
	}{
		"nothing said, with mail":    {"", mail, "email", nil},
		"nothing said, without mail": {"", nil, "email", []string{withoutMail}},
		"email, with mail":           {"email", mail, "email", nil},
		"email, without mail":        {"email", nil, "email", []string{withoutMail}},
		"email, at PlayFab":          {"email", elsewhere, "email", nil}, // whose players need none
		"none, without mail":         {"none", nil, "none", nil},
		"none, with mail":            {"none", mail, "none", nil},
		"something else":             {"funds", mail, "funds", []string{"SPONSOR_NEEDS: must be email or none"}},
		"in capitals":                {"EMAIL", mail, "EMAIL", []string{"SPONSOR_NEEDS: must be email or none"}},
	} {
		env := complete()
		env["SPONSOR_NEEDS"] = c.needs
		maps.Copy(env, c.more)
		got, faults := load(t, env)
		if got.Relay.SponsorNeeds != c.want || !slices.Equal(faults, c.faults) {
			t.Errorf("%s: %q, faults %q; want %q, %q", what, got.Relay.SponsorNeeds, faults, c.want, c.faults)
		}
	}
	env := complete()
	env["HOLDS_NEED"] = "email"
	if _, faults := load(t, env); !slices.Equal(faults, []string{
		"HOLDS_NEED: must be funds or none where SMTP_HOST is not set: without mail no player can confirm an address",
	}) {
		t.Errorf("holds that need an email, without mail: %q", faults)
	}
	// If mail is kept and shown, as pantheon dev does, no server is needed.
	env = complete()
	env["SPONSOR_NEEDS"] = "email"
	c, err := config.Load(lines(env), brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	c.KeepMail()
	c.Complete()
	if err := c.Validate(); err != nil {
		t.Errorf("with a mailbox: %v", err)
	}
}

// The relay's own wallet, paymaster and signer are needed on a chain without external ones.
// Spec: RUN-32
func TestConfig_ExternalBundlersAndPaymastersReplaceTheRelaysOwnParts(t *testing.T) {
	t.Parallel()
	const external = "https://service.example/key"
	relayer := []string{"GAS_RELAYER_BACKEND_WALLET", "GAS_RELAYER_PRIVATE_KEY"}
	paymaster := []string{"PAYMASTER_ADDRESS", "PAYMASTER_SIGNER_PRIVATE_KEY"}
	for what, c := range map[string]struct {
		set     []string
		without []string
		missing []string
	}{
		"no service":             {nil, slices.Concat(relayer, paymaster), slices.Concat(relayer, paymaster)},
		"a bundler on one chain": {[]string{"GAME_CHAIN_BUNDLER_URL"}, relayer, relayer},
		"bundlers on both":       {[]string{"GAME_CHAIN_BUNDLER_URL", "MAIN_CHAIN_BUNDLER_URL"}, relayer, nil},
		"paymasters on both":     {[]string{"GAME_CHAIN_PAYMASTER_URL", "MAIN_CHAIN_PAYMASTER_URL"}, paymaster, nil},
		"a paymaster's address": {
			[]string{"GAME_CHAIN_PAYMASTER_URL"}, []string{"GAME_CHAIN_PAYMASTER_ADDRESS"}, []string{"GAME_CHAIN_PAYMASTER_ADDRESS"},
		},
		"a paymaster on one":     {[]string{"MAIN_CHAIN_PAYMASTER_URL"}, paymaster, paymaster},
		"the paymaster's signer": {[]string{"GAME_CHAIN_BUNDLER_URL", "MAIN_CHAIN_BUNDLER_URL"}, paymaster, paymaster},
		"everything from outside": {
			[]string{"GAME_CHAIN_BUNDLER_URL", "MAIN_CHAIN_BUNDLER_URL", "GAME_CHAIN_PAYMASTER_URL", "MAIN_CHAIN_PAYMASTER_URL"},
			slices.Concat(relayer, paymaster), nil,
		},
	} {
		env := complete()
		for _, name := range c.set {
			env[name] = external
		}
		for _, name := range c.without {
			delete(env, name)
		}
		_, faults := load(t, env)
		var named []string
		for _, f := range faults {
			name, _, _ := strings.Cut(f, ":")
			named = append(named, name)
		}
		if !slices.Equal(named, slices.Sorted(slices.Values(c.missing))) {
			t.Errorf("%s: %q, want faults of %q", what, faults, c.missing)
		}
	}
}

// The defaults that limit what players and visitors may do; docs/configuration.md is generated from the code.
// Spec: RUN-4
func TestDefaults_AreTheProductsNumbers(t *testing.T) {
	t.Parallel()
	defaults := make(map[string]string)
	for _, v := range config.Variables(brandtest.Pantheon()) {
		defaults[v.Name] = v.Default
	}
	for name, want := range map[string]string{
		"FORBIDDEN_COUNTRIES": "CU,IR,KP,SY,VE,RU,BY", "PACK_COUNTRIES_FORBIDDEN": "",
		"ENTRY_POINT_ADDRESS": "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
		"LIMIT_LOGINS":        "20", "LIMIT_WRONG_PASSWORDS": "10", "LIMIT_MAILS": "5", "LIMIT_CART_CHANGES": "120", "LIMIT_SIGNATURES": "240",
		"LIMIT_CONTACTS": "6", "LIMIT_MONITORING": "600", "LIMIT_MONITORING_MIB": "8", "LIMIT_MONITORING_TOTAL_MIB": "64",
		"LIMIT_CHAIN_READS": "1200", "LIMIT_READS": "240", "LIMIT_SEARCHES": "120", "LIMIT_ART": "6000",
		"RELAY_OPERATIONS_PER_MINUTE": "20", "RELAY_OPERATIONS_PER_DAY": "300", "RELAY_OPERATIONS_PER_NETWORK": "3000",
		"RELAY_OPERATIONS_TOTAL":    "50000",
		"PLAYFAB_LOGINS_PER_MINUTE": "300", "CHAIN_READS_AT_ONCE": "16", "CHAIN_READS_WAIT": "2s", "CHAIN_READS_GAS": "5000000",
		"CHAIN_READS_BLOCKS": "128",
		"MONITORING_KEEP":    "10000", "MONITORING_KEEP_MIB": "256", "MONITORING_KEEP_FOR": "336h", "GAME_CHAIN_POLL_INTERVAL": "1s",
		"MAIN_CHAIN_POLL_INTERVAL": "1s", "GAME_CHAIN_MAX_HEAD_AGE": "10m", "MAIN_CHAIN_MAX_HEAD_AGE": "10m",
		"DEV_BLOCK_LEAD": "750ms", "DEV_BEACON_PORT": "8547", "WITHDRAWAL_DELAY": "24h", "WITHDRAWAL_USDC_PER_DAY": "5000",
		"WITHDRAWAL_GOD_PER_DAY": "0", "WITHDRAWAL_ITEMS_PER_DAY": "100", "LISTING_PRICE_MIN": "0.01", "LISTINGS_AT_ONCE": "20",
		"LISTINGS_PER_SELLER": "500",
		"TRADE_RISK_PER_DAY":  "", "TRADE_RISK_UNKNOWN": "25", "TRADE_ONE_SELLER": "200",
		"NATS_REPLICAS": "0", "DRAIN_TIME": "10s", "MIGRATE": "auto", "LOG_FORMAT": "text", "TRACE_READS": "0.05",
		"HTTP_CONNECTIONS": "10000", "HTTP_CONNECTIONS_PER_CLIENT": "500", "HTTP_STALL_TIMEOUT": "30s",
		"HSTS_MAX_AGE": "8760h", "LISTEN_ADDR": "localhost:8080", "HTTP_ADDR": ":80", "TLS_DOMAIN": "", "TLS_EMAIL": "",
		"BACKUP_DIR": "", "BACKUP_BUCKET": "", "BACKUP_RECIPIENTS": "", "BACKUP_KEEP": "720h", "REHEARSE_DATABASE_URL": "",
		"CLAIMER_FORMER_WALLETS": "",
		"TLS_ACME_URL":           "https://acme-v02.api.letsencrypt.org/directory",
		"GAME_CHAIN_BUNDLER_URL": "", "GAME_CHAIN_PAYMASTER_URL": "", "GAME_CHAIN_PAYMASTER_ADDRESS": "", "GAME_CHAIN_PAYMASTER_CONTEXT": "",
		"MAIN_CHAIN_BUNDLER_URL": "", "MAIN_CHAIN_PAYMASTER_URL": "",
	} {
		if got := defaults[name]; got != want {
			t.Errorf("%s is %q unless said otherwise, want %q", name, got, want)
		}
	}
	if c, _ := load(t, complete()); c.GameChain.GasBudget != "0.1" || c.MainChain.GasBudget != "50" {
		t.Errorf("budgets of %s and %s for gas, want 0.1 and 50", c.GameChain.GasBudget, c.MainChain.GasBudget)
	}
}

func TestEndpoints_SeveralOfAChainAreSeparatedByCommas(t *testing.T) {
	t.Parallel()
	env := complete()
	env["GAME_CHAIN_RPC_URL"] = "https://a.example/key, wss://b.example"
	c, faults := load(t, env)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if got := c.GameChain.Endpoints(); !slices.Equal(got, []string{"https://a.example/key", "wss://b.example"}) {
		t.Errorf("%q", got)
	}
	if got := c.GameChain.ReadEndpoints(); !slices.Equal(got, c.GameChain.Endpoints()) {
		t.Errorf("of browsers' reads: %q", got)
	}
	const fault = "GAME_CHAIN_RPC_URL: must be an http(s):// or ws(s):// endpoint"
	for _, wrong := range []string{"https://a.example,", "https://a.example,ftp://b.example", ",", "https://a.example https://b.example"} {
		env["GAME_CHAIN_RPC_URL"] = wrong
		if _, faults := load(t, env); !slices.Contains(faults, fault) {
			t.Errorf("%q: %v", wrong, faults)
		}
	}
}

// Each message of a cluster of three is kept by all three, unless the operator says otherwise.
func TestConfig_ServersThatKeepAMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url, replicas string
		want          int
	}{
		{"", "", 1}, {"nats://a", "", 1}, {"nats://a,nats://b", "", 1}, {"nats://a,nats://b,nats://c", "", 3},
		{"nats://a,b,c,d,e", "", 3}, {"nats://a,nats://b,nats://c", "1", 1}, {"nats://a", "5", 5},
	} {
		env := complete()
		env["NATS_URL"] = c.url
		if c.replicas != "" {
			env["NATS_REPLICAS"] = c.replicas
		}
		settings, _ := load(t, env)
		if got := settings.MessageReplicas(); got != c.want {
			t.Errorf("NATS_URL=%s NATS_REPLICAS=%s: %d, want %d", c.url, c.replicas, got, c.want)
		}
	}
}

func TestPasskeyDomain_IsThePublicHostOrAboveIt(t *testing.T) {
	t.Parallel()
	const fault = "PASSKEY_DOMAIN: must be the host of PUBLIC_URL or a domain above it"
	for _, c := range []struct{ site, domain, want, fault string }{
		{"https://play.studio.example", "", "play.studio.example", ""},
		{"https://Play.Studio.example:8443", "", "play.studio.example", ""},
		{"https://play.studio.example", "Studio.example", "studio.example", ""},
		{"http://localhost:8080", "", "localhost", ""},
		{"http://127.0.0.1:8080", "", "", ""},
		{"http://[::1]:8080", "", "", ""},
		{"http://[fe80::1%25eth0]:8080", "", "", ""},
		{"http://nas:8080", "", "", ""},
		{"https://play.studio.example", "example", "", fault},
		{"https://play.studio.example", "other.example", "", fault},
		{"https://play.studio.example", "io.example", "", fault},
		{"https://play.studio.example", "https://studio.example", "", fault},
		{"https://play.studio.example", "studio.example.", "", fault},
		{"http://10.0.0.1", "0.1", "", fault},
		{"http://10.0.0.1", "10.0.0.1", "", fault},
	} {
		got, faults := load(t, map[string]string{"PUBLIC_URL": c.site, "PASSKEY_DOMAIN": c.domain})
		if refused := slices.Contains(faults, fault); refused != (c.fault != "") || !refused && got.PasskeyDomain != c.want {
			t.Errorf("%s, %q: %q, %q", c.site, c.domain, got.PasskeyDomain, faults)
		}
	}
}

// Spec: OPERATE-6
func TestConfig_TheConsoleIsOnTheSiteOrAtAnAddressOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ public, listen, url, wantURL, wantDomain, wantFault string }{
		{"https://portal.example", "", "", "https://portal.example", "portal.example", ""},
		{"https://203.0.113.7", "", "", "https://203.0.113.7", "", ""},
		{"https://portal.example", "10.0.0.5:8090", "https://ops.example/", "https://ops.example", "ops.example", ""},
		{"https://portal.example", ":8090", "", "http://localhost:8090", "localhost", ""},
		{"https://portal.example", "", "https://ops.example", "", "",
			"OPERATE_URL: must be empty without OPERATE_ADDR: the console is on the site, at PUBLIC_URL"},
		{"https://portal.example", "8090", "https://ops.example", "", "", "OPERATE_ADDR: must be host:port"},
		{"https://portal.example", "10.0.0.5:8090", "", "", "",
			"OPERATE_URL: must have a domain, or localhost: passkeys do not work at IP addresses"},
		{"https://portal.example", "10.0.0.5:8090", "ops.example", "", "", "OPERATE_URL: must be an http:// or https:// address"},
		{"https://portal.example", "10.0.0.5:8090", "https://portal.example", "", "", "OPERATE_URL: must be another address than PUBLIC_URL"},
		{"https://portal.example", "localhost:8080", "https://ops.example", "", "", "OPERATE_ADDR: must be another address than LISTEN_ADDR"},
	} {
		env := complete()
		env["PUBLIC_URL"], env["OPERATE_ADDR"], env["OPERATE_URL"], env["LISTEN_ADDR"] = c.public, c.listen, c.url, "localhost:8080"
		loaded, faults := load(t, env)
		if c.wantFault != "" {
			if !slices.Contains(faults, c.wantFault) {
				t.Errorf("%+v: %q", c, faults)
			}
			continue
		}
		if len(faults) > 0 || loaded.OperateURL != c.wantURL || loaded.OperatorDomain() != c.wantDomain {
			t.Errorf("%+v: %s, %s, %q", c, loaded.OperateURL, loaded.OperatorDomain(), faults)
		}
	}
}
