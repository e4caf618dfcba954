package config_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
)

func TestEnvironment_VariablesThatLookLikeSettingsAreNamed(t *testing.T) {
	t.Parallel()
	for name, meant := range map[string]string{
		"GAME_CHAIN_RPCURL": "GAME_CHAIN_RPC_URL", "TRUSTED_PROXY": "TRUSTED_PROXIES", "ENVIROMENT": "ENVIRONMENT", "LOG_LEVLE": "LOG_LEVEL",
		"database_url": "DATABASE_URL", "DATABASE_URI": "DATABASE_URL", "WITHDRAWL_DELAY": "WITHDRAWAL_DELAY", "ACCEPT_RISK": "ACCEPT_RISKS",
		"TOKEN_SECRET_FILES": "TOKEN_SECRET", "PUBLICURL": "PUBLIC_URL", "MAIN-CHAIN-RPC-URL": "MAIN_CHAIN_RPC_URL",
	} {
		env := production()
		env[name] = "x"
		if _, faults := load(t, env); len(faults) != 1 || !strings.HasPrefix(faults[0], name+": must be removed, or renamed to "+meant+": ") {
			t.Errorf("%s in production: %q", name, faults)
		}
		env["ENVIRONMENT"] = "test"
		mustWarn(t, env, name+" is not a setting and has no effect; "+meant+" is one")
	}
	for _, name := range []string{"GAME_CHAIN_TIMEOUT", "SMTP_TLS_CERTIFICATE", "DATABASE_POOL_SIZE", "HTTP_SERVER_NAME"} {
		env := production()
		env[name] = "x"
		mustWarn(t, env, name+" is not a setting and has no effect")
	}
}

// mustWarn checks that an environment is valid, and has these warnings only.
func mustWarn(t *testing.T, env map[string]string, want ...string) {
	t.Helper()
	c, faults := load(t, env)
	if got := c.Warnings(); faults != nil || !slices.Equal(got, want) {
		t.Errorf("the warnings are %q, want %q; %q", got, want, faults)
	}
}

func TestEnvironment_VariablesOfOthersAreLeftAlone(t *testing.T) {
	t.Parallel()
	env := production()
	for _, name := range []string{
		"PATH", "HOME", "HOSTNAME", "LANG", "PWD", "SHLVL", "TERM", "GOMAXPROCS", "GODEBUG", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
		"SSL_CERT_FILE", "TZ",
		"XDG_DATA_DIRS", "KUBERNETES_SERVICE_HOST", "KUBERNETES_PORT_443_TCP_ADDR", "AWS_REGION", "DD_AGENT_HOST", "X_OTHER",
	} {
		env[name] = "x"
	}
	mustWarn(t, env)
}

// Kubernetes puts the addresses of a namespace's services into the environment, under names such as SMTP_PORT.
func TestEnvironment_ServicesOfTheClusterDoNotBreakTheStart(t *testing.T) {
	t.Parallel()
	env := production()
	for _, service := range []string{
		"SMTP", "NATS", "SHOP", "GAME_CHAIN", "GAME_CHAIN_RPC", "DATABASE", "METRICS", "PANTHEON", "TRUSTED_PROXIES",
	} {
		maps.Copy(env, map[string]string{
			service + "_SERVICE_HOST": "10.43.0.7", service + "_SERVICE_PORT": "25", service + "_SERVICE_PORT_SMTP": "25",
			service + "_PORT":        "tcp://10.43.0.7:25",
			service + "_PORT_25_TCP": "tcp://10.43.0.7:25", service + "_PORT_25_TCP_PROTO": "tcp", service + "_PORT_25_TCP_PORT": "25",
			service + "_PORT_25_TCP_ADDR": "10.43.0.7",
		})
	}
	mustWarn(t, env)
	if c, _ := load(t, env); c.Mail.Port != 587 {
		t.Errorf("port %d of the mail server, want the default", c.Mail.Port)
	}
	env["SMTP_PORT"] = "2525"
	if c, faults := load(t, env); c.Mail.Port != 2525 || faults != nil {
		t.Errorf("port %d of the mail server, want 2525; %q", c.Mail.Port, faults)
	}
}

func TestEnvironment_EverySettingCanComeFromAFile(t *testing.T) {
	t.Parallel()
	const text = "hunter2marker"
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("\n "+text+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, v := range config.Variables(brandtest.Pantheon()) {
		env := map[string]string{v.Name + "_FILE": file}
		c, err := config.Load(lines(env), brandtest.Pantheon())
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if v.Secret {
			want = "(hidden)"
		}
		// The text is neither a number nor a duration, so settings of these types are rejected.
		printed := "\n" + c.Print()
		isRead := strings.Contains(printed, "\n"+v.Name+"="+want+"\n") || strings.Contains(printed, "\n"+v.Name+"=["+want+"]\n")
		if c.Unreadable(v.Name) == nil && !isRead {
			t.Errorf("%s_FILE is not read", v.Name)
		}
	}
	env := complete()
	env["SMTP_HOST"], env["SMTP_FROM"], env["SMTP_USERNAME"], env["SMTP_PASSWORD_FILE"] = "mail.example", "portal@mail.example", "portal", file
	if c, faults := load(t, env); c.Mail.Password.Reveal() != text || faults != nil {
		t.Errorf("password %q, want %q; %q", c.Mail.Password.Reveal(), text, faults)
	}
}

// reversed opens secrets that are sealed as "sealed:" and their text backwards.
func reversed(text string) (string, error) {
	runes := []rune(strings.TrimPrefix(text, "sealed:"))
	if len(runes) == 0 {
		return "", errors.New("the key refuses")
	}
	slices.Reverse(runes)
	return string(runes) + "\n", nil
}

func TestEnvironment_SealedSecretsAreOpened(t *testing.T) {
	t.Parallel()
	env := complete()
	secret := env["TOKEN_SECRET"]
	backwards, _ := reversed(secret)
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("sealed:"+strings.TrimSpace(backwards)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	delete(env, "TOKEN_SECRET")
	env["TOKEN_SECRET_FILE"], env["GAME_CHAIN_RPC_URL"] = file, "sealed:moc.tsop.niahc//:sptth"
	env["SHOP_URL"] = "sealed:no secret"
	c, err := config.Load(lines(env), brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	isSealed := func(text string) bool { return strings.HasPrefix(text, "sealed:") }
	c.OpenSecrets(isSealed, reversed)
	if c.TokenSecret.Reveal() != secret || c.GameChain.RPCURL.Reveal() != "https://chain.post.com" || c.Shop.URL != "sealed:no secret" {
		t.Errorf("%q, %q, %q", c.TokenSecret.Reveal(), c.GameChain.RPCURL.Reveal(), c.Shop.URL)
	}
	env["MANAGER_PRIVATE_KEY"] = "sealed:"
	delete(env, "SHOP_URL")
	if c, err = config.Load(lines(env), brandtest.Pantheon()); err != nil {
		t.Fatal(err)
	}
	c.OpenSecrets(isSealed, reversed)
	c.Complete()
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "MANAGER_PRIVATE_KEY: cannot be opened: the key refuses") {
		t.Errorf("a key that refuses: %v", err)
	}
}

func TestEnvironment_FilesThatCannotBeReadAreRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for what, c := range map[string]struct{ file, want string }{
		"no file":   {filepath.Join(folder, "none"), "must name a file that can be read: no such file or directory"},
		"a folder":  {folder, "must name a file that can be read: is a directory"},
		"empty":     {write("empty", " \n"), "must name a file that can be read: it is empty"},
		"too large": {write("large", strings.Repeat("x", 64<<10+1)), "must name a file that can be read: it is larger than 64 KiB"},
	} {
		env := complete()
		delete(env, "TOKEN_SECRET")
		env["TOKEN_SECRET_FILE"] = c.file
		if _, faults := load(t, env); !slices.Equal(faults, []string{"TOKEN_SECRET_FILE: " + c.want}) {
			t.Errorf("%s: %q, want %q", what, faults, c.want)
		}
	}
	env := complete()
	env["TOKEN_SECRET_FILE"] = write("twice", env["TOKEN_SECRET"])
	if _, faults := load(t, env); !slices.Equal(faults, []string{"TOKEN_SECRET_FILE: must not be set together with TOKEN_SECRET"}) {
		t.Errorf("both: %q", faults)
	}
}
