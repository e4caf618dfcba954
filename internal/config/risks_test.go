package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
)

func TestRisks_ProductionRefusesEachUnlessItIsAccepted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		risk, setting string
		set           map[string]string
		taken         bool
	}{
		{"no-mail", "SMTP_HOST", map[string]string{"SMTP_HOST": "", "SMTP_FROM": "", "ACCEPT_RISKS": "free-gas", "SPONSOR_NEEDS": "none"}, true},
		{"short-withdrawal-delay", "WITHDRAWAL_DELAY", map[string]string{"WITHDRAWAL_DELAY": "0s"}, true},
		{"short-withdrawal-delay", "WITHDRAWAL_DELAY", map[string]string{"WITHDRAWAL_DELAY": "23h59m59s"}, true},
		{"short-withdrawal-delay", "WITHDRAWAL_DELAY", map[string]string{"WITHDRAWAL_DELAY": "24h"}, false},
		{"free-holds", "HOLDS_NEED", map[string]string{"HOLDS_NEED": "none"}, true},
		{"free-holds", "HOLDS_NEED", map[string]string{"HOLDS_NEED": "email"}, false},
		{"free-gas", "SPONSOR_NEEDS", map[string]string{"SPONSOR_NEEDS": "none"}, true},
		{"key-beside-database", "SIGNER_KEY_FILE", map[string]string{"SIGNER_KEY_FILE": ""}, true},
		{
			"key-beside-database", "SIGNER_KEY_FILE",
			map[string]string{"DATA_DIR": "/var/lib/pantheon", "SIGNER_KEY_FILE": "/var/lib/pantheon/keys/../signer.key"}, true,
		},
		{
			"key-beside-database", "SIGNER_KEY_FILE", map[string]string{"SIGNER_KEY_FILE": "", "DATABASE_URL": "postgres://localhost/pantheon"},
			false,
		},
		{"unknown-countries", "COUNTRY_HEADER", map[string]string{"COUNTRY_HEADER": ""}, true},
		{"unknown-countries", "COUNTRY_HEADER", map[string]string{"COUNTRY_HEADER": "", "COUNTRY_FILE": "/etc/countries.mmdb"}, false},
		{"unknown-countries", "COUNTRY_HEADER", map[string]string{"COUNTRY_HEADER": "", "FORBIDDEN_COUNTRIES": "none"}, false},
		{
			"unknown-pack-countries", "COUNTRY_HEADER",
			map[string]string{"COUNTRY_HEADER": "", "FORBIDDEN_COUNTRIES": "none", "PACK_COUNTRIES_FORBIDDEN": "BE"}, true,
		},
		{
			"no-trusted-proxies", "TRUSTED_PROXIES",
			map[string]string{"TRUSTED_PROXIES": "", "COUNTRY_HEADER": "", "COUNTRY_FILE": "/etc/countries.mmdb"}, true,
		},
		{"no-wallet-copies", "WALLET_COPIES_DIR", map[string]string{"WALLET_COPIES_DIR": ""}, true},
		{
			"no-wallet-copies", "WALLET_COPIES_DIR",
			map[string]string{"DATA_DIR": "/var/lib/pantheon", "WALLET_COPIES_DIR": "/var/lib/pantheon/wallets"}, true,
		},
		{
			"no-wallet-copies", "WALLET_COPIES_DIR",
			map[string]string{
				"WALLET_COPIES_DIR": "", "WALLET_COPIES_BUCKET": "studio-wallets", "S3_ENDPOINT": "https://s3.example", "S3_ACCESS_KEY": "id",
				"S3_SECRET_KEY": "secret",
			}, false,
		},
		{"unencrypted-mail", "SMTP_SECURITY", map[string]string{"SMTP_SECURITY": "none"}, true},
		{"unencrypted-mail", "SMTP_SECURITY", map[string]string{"SMTP_SECURITY": "none", "SMTP_HOST": "localhost"}, false},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "nats://nats.example:4222"}, true},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "NATS://10.0.0.9"}, true},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "tls://a.example:4222,nats://b.example:4222"}, true},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "tls://a.example:4222,tls://b.example:4222"}, false},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "nats://127.0.0.1:4222"}, false},
		{"unencrypted-messages", "NATS_URL", map[string]string{"NATS_URL": "wss://nats.example"}, false},
		{"unknown-variables", "GAME_CHAIN_RPCURL", map[string]string{"GAME_CHAIN_RPCURL": "https://node.example"}, true},
	} {
		env := production()
		maps.Copy(env, c.set)
		mustTake(t, env, c.risk, c.setting, c.taken)
	}
}

// mustTake checks that production refuses a configuration for one risk alone, if it takes it, and no longer once that is accepted.
func mustTake(t *testing.T, env map[string]string, risk, setting string, taken bool) {
	t.Helper()
	_, faults := load(t, env)
	if !taken {
		if faults != nil {
			t.Errorf("%s: %q, want no fault", risk, faults)
		}
		return
	}
	if len(faults) != 1 || !strings.HasPrefix(faults[0], setting+": ") || !strings.HasSuffix(faults[0], ", or ACCEPT_RISKS must have "+risk) {
		t.Errorf("%s: %q, want %s refused", risk, faults, setting)
	}
	env["ACCEPT_RISKS"] += ", " + risk
	env["ACCEPT_RISKS"] = strings.TrimPrefix(env["ACCEPT_RISKS"], ", ")
	c, faults := load(t, env)
	if faults != nil {
		t.Errorf("%s, accepted: %q", risk, faults)
	}
	if warned := c.Warnings(); !slices.ContainsFunc(warned,
		func(w string) bool { return strings.HasPrefix(w, "accepted risk "+risk+": "+setting+" must ") }) {
		t.Errorf("%s, accepted: the warnings are %q", risk, warned)
	}
	env["ENVIRONMENT"], env["ACCEPT_RISKS"] = "stage", ""
	if _, faults := load(t, env); faults != nil {
		t.Errorf("%s outside of production: %q", risk, faults)
	}
}

func TestRisks_PlayFabWithoutTemplateIsWarnedOf(t *testing.T) {
	t.Parallel()
	env := production()
	env["GAME_PLATFORM"], env["PLAYFAB_TITLE_ID"], env["PLAYFAB_SECRET_KEY"] = "playfab", "ABC12", strings.Repeat("A", 32)
	mustWarn(t, env, "PLAYFAB_RECOVERY_TEMPLATE_ID is not set: who freezes their own account has to ask you for pantheon player unfreeze")
	env["PLAYFAB_RECOVERY_TEMPLATE_ID"] = "ABC123"
	mustWarn(t, env)
}

func TestRisks_DatabaseOnAnotherMachineIsEncrypted(t *testing.T) {
	t.Parallel()
	for address, taken := range map[string]bool{
		"postgres://u:p@db.example/pantheon?sslmode=disable":                     true,
		"postgres://u:p@db.example/pantheon?sslmode=allow":                       true,
		"postgres://u:p@db.example/pantheon?sslmode=prefer":                      true,
		"postgres://u:p@db.example/pantheon":                                     true, // means prefer
		"postgres://u:p@10.0.0.7/pantheon?sslmode=disable":                       true,
		"postgres://u:p@localhost,db.example/pantheon?sslmode=disable":           true,
		"postgres://u:p@localhost/pantheon?sslmode=disable&host=db.example":      true,
		"postgresql://u:p@db.example/pantheon?sslmode=require":                   false,
		"postgres://u:p@db.example/pantheon?sslmode=verify-full":                 false,
		"postgres://u:p@localhost/pantheon?sslmode=disable":                      false,
		"postgres://u:p@127.0.0.1/pantheon":                                      false,
		"postgres://u:p@localhost/pantheon?sslmode=disable&host=/run/postgresql": false,
	} {
		env := production()
		env["DATABASE_URL"] = address
		mustTake(t, env, "unencrypted-database", "DATABASE_URL", taken)
	}
}

func TestRisks_KeyReachedByALinkIsBesideTheDatabase(t *testing.T) {
	t.Parallel()
	data, elsewhere := t.TempDir(), t.TempDir()
	link := filepath.Join(elsewhere, "keys")
	if err := os.Symlink(data, link); err != nil {
		t.Fatal(err)
	}
	env := production()
	env["DATA_DIR"], env["SIGNER_KEY_FILE"] = data, filepath.Join(link, "signer.key")
	mustTake(t, env, "key-beside-database", "SIGNER_KEY_FILE", true)
}

func TestRisks_AreNamedByTheSettingAndInItsDescription(t *testing.T) {
	t.Parallel()
	names := config.RiskNames()
	for _, v := range config.Variables(brandtest.Pantheon()) {
		if v.Name == "ACCEPT_RISKS" && !strings.Contains(v.Doc, ": "+strings.Join(names, ", ")+". ") {
			t.Errorf("the description of ACCEPT_RISKS does not list %q", names)
		}
	}
	for _, text := range []string{"everything", "no-mail,everything", "NO-MAIL"} {
		env := production()
		env["ACCEPT_RISKS"] = text
		if _, faults := load(t, env); !slices.Equal(faults, []string{
			"ACCEPT_RISKS: must be names of risks, which are " + strings.Join(names, ", "),
		}) {
			t.Errorf("ACCEPT_RISKS=%s: %q", text, faults)
		}
	}
}

// Spec: RUN-1
func TestConfig_ServerNeedsAnEnvironment(t *testing.T) {
	t.Parallel()
	env := complete()
	delete(env, "ENVIRONMENT")
	if _, faults := load(t, env); !slices.Equal(faults, []string{"ENVIRONMENT: must be dev, stage, test or prod"}) {
		t.Errorf("without ENVIRONMENT: %q", faults)
	}
}
