package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/knownkeys"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// start builds a portal from a configuration and closes it again; it returns New's error.
func start(t *testing.T, s *served, c config.Config) error {
	t.Helper()
	a, err := New(t.Context(), c, s.options())
	if err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	return nil
}

// mustRefuse checks that a start failed with a one-line error that contains all of the words.
func mustRefuse(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: the portal starts", what)
		return
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: more than a line: %s", what, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %q is missing in: %s", what, word, err)
		}
	}
}

// onEachDatabase runs a test with the settings of each database.
func onEachDatabase(t *testing.T, test func(t *testing.T, env map[string]string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, map[string]string{})
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		test(t, map[string]string{"DATABASE_URL": testkit.DatabaseOptions(t, store.PostgreSQL).URL})
	})
}

// If the volume with the key was not mounted, serve used to create a new key, under which new wallets were sealed,
// and which was lost with the container.
// Spec: RUN-6
func TestAttack_StraySignerKeyOfAnUnmountedVolume(t *testing.T) {
	t.Parallel()
	onEachDatabase(t, func(t *testing.T, env map[string]string) {
		volume := filepath.Join(t.TempDir(), "volume")
		env["SIGNER_KEY_FILE"] = filepath.Join(volume, "signer.key")
		s, c := configure(t, env)
		mustRefuse(t, "without a key", start(t, s, c), "SIGNER_KEY_FILE", c.SignerKeyFile, "pantheon key init")
		if _, err := os.Stat(volume); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("something was made where the key should be: %v", err)
		}
		_, made, err := MakeSignerKey(t.Context(), c, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := start(t, s, c); err != nil {
			t.Fatal(err)
		}
		// The volume with the key is not mounted.
		if err := os.Rename(c.SignerKeyFile, c.SignerKeyFile+".elsewhere"); err != nil {
			t.Fatal(err)
		}
		mustRefuse(t, "with the key away", start(t, s, c), c.SignerKeyFile, "pantheon key init")
		// A new key, created as the error suggests for a new portal, is refused too: nothing is sealed under it.
		_, another, err := MakeSignerKey(t.Context(), c, "")
		if err != nil {
			t.Fatal(err)
		}
		mustRefuse(t, "with a new key", start(t, s, c), c.SignerKeyFile, made, another, "Put back the key file with that fingerprint")
		if err := os.Rename(c.SignerKeyFile+".elsewhere", c.SignerKeyFile); err != nil {
			t.Fatal(err)
		}
		if err := start(t, s, c); err != nil {
			t.Errorf("with its own key again: %v", err)
		}
	})
}

// A second replica without the first one's key used to create its own and seal every other new wallet under it.
// Spec: RUN-6
func TestAttack_StraySignerKeyOfASecondReplica(t *testing.T) {
	t.Parallel()
	database := testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL
	const replicas = 6
	results, prints := make([]error, replicas), make([]string, replicas)
	var wg sync.WaitGroup
	for i := range replicas {
		s, c := configure(t, map[string]string{"DATABASE_URL": database})
		var err error
		if _, prints[i], err = MakeSignerKey(t.Context(), c, ""); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() { results[i] = start(t, s, c) })
	}
	wg.Wait()
	if started := len(slices.DeleteFunc(slices.Clone(results), func(err error) bool { return err != nil })); started != 1 {
		t.Fatalf("%d of %d replicas with keys of their own have started at once: %v", started, replicas, results)
	}
	first := prints[slices.Index(results, nil)]
	for i, err := range results {
		if err != nil {
			mustRefuse(t, "another replica", err, first, prints[i])
		}
	}
}

// Spec: RUN-6
func TestSignerKey_ReplicasWithTheSameKeyStartAtOnce(t *testing.T) {
	t.Parallel()
	database, key := testkit.DatabaseOptions(t, store.PostgreSQL).URL, filepath.Join(t.TempDir(), "signer.key")
	if err := signer.MakeKeyFile(key); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 6 {
		s, c := configure(t, map[string]string{"DATABASE_URL": database, "SIGNER_KEY_FILE": key})
		wg.Go(func() {
			if err := start(t, s, c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A database from before fingerprints were stored matches the key that opens its wallets.
// Spec: RUN-6
func TestSignerKey_OfADatabaseWithWalletsMustOpenThem(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		folder := t.TempDir()
		right, err := signer.KeyFile(filepath.Join(folder, "right.key"))
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := signer.KeyFile(filepath.Join(folder, "wrong.key"))
		if err != nil {
			t.Fatal(err)
		}
		sealOneWallet(t, db, right)
		for range 2 {
			if err := signer.BindKeys(t.Context(), signer.Ring{wrong}, store.SignerKeys{DB: db}); !errors.Is(err, signer.ErrAnotherKey) ||
				!strings.Contains(err.Error(), wrong.Fingerprint()) {
				t.Errorf("the wrong key: %v", err)
			}
		}
		if err := signer.CheckKeys(t.Context(), signer.Ring{right}, store.SignerKeys{DB: db}); err != nil {
			t.Errorf("the right key: %v", err)
		}
		if kept, err := (store.SignerKeys{DB: db}).KeyFingerprint(t.Context()); err != nil || kept != "" {
			t.Errorf("looking keeps %q, %v", kept, err)
		}
		if err := signer.BindKeys(t.Context(), signer.Ring{right}, store.SignerKeys{DB: db}); err != nil {
			t.Errorf("the right key: %v", err)
		}
		if kept, err := (store.SignerKeys{DB: db}).KeyFingerprint(t.Context()); err != nil || kept != right.Fingerprint() || len(kept) != 32 {
			t.Errorf("kept is %q, %v", kept, err)
		}
		if err := signer.BindKeys(t.Context(), signer.Ring{wrong}, store.SignerKeys{DB: db}); !errors.Is(err, signer.ErrAnotherKey) ||
			!strings.Contains(err.Error(), right.Fingerprint()) {
			t.Errorf("the wrong key afterwards: %v", err)
		}
	})
}

// sealOneWallet gives a player a wallet like the signer does.
func sealOneWallet(t *testing.T, db *store.DB, kek signer.KEK) {
	t.Helper()
	player := account.Identity{PlayerID: "A1", DisplayName: "Zeus", Email: "zeus@olympus.example"}
	if err := accounts.New(db).CreateAccount(t.Context(), player, player.Email, "zeus", "-"); err != nil {
		t.Fatal(err)
	}
	_, c := configure(t, nil)
	policies, err := newPolicies(newBase(c, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	sign, err := signer.New(signer.Options{
		Ring: signer.Ring{kek}, Keys: gasstore.New(db), Sponsored: gasstore.New(db), Bindings: bindings{},
		Record: signedRecord{}, Policies: policies, Site: c.PublicURL,
	})
	if err != nil {
		t.Fatal(err)
	}
	key, err := sign.NewKey(t.Context(), player.PlayerID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accounts.New(db).CreateWallet(t.Context(), wallet.Wallet{PlayerID: player.PlayerID, Key: key}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
}

// Spec: RUN-6
func TestKeysInit_NeverReplacesAKey(t *testing.T) {
	t.Parallel()
	_, c := configure(t, nil)
	path, fingerprint, err := MakeSignerKey(t.Context(), c, "")
	if err != nil || path != filepath.Join(c.DataDir, "signer.key") || len(fingerprint) != 32 {
		t.Fatalf("%s, %q, %v", path, fingerprint, err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(before), fingerprint) {
		t.Error("the fingerprint is a part of the key")
	}
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err == nil || !strings.Contains(err.Error(), path+" exists already") {
		t.Errorf("a second time: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the key has changed (%v)", err)
	}
}

// Spec: RUN-6
func TestKeyWarnings_NameAKeyBesideItsDatabase(t *testing.T) {
	t.Parallel()
	data, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(data, filepath.Join(elsewhere, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, "outside.key"), filepath.Join(data, "outside.key")); err != nil {
		t.Fatal(err)
	}
	if got := KeyWarnings(config.Config{DataDir: data, SignerKeyFile: filepath.Join(data, "missing.key")}); len(got) != 0 {
		t.Errorf("a file that is not there: %q", got)
	}
	for _, c := range []struct {
		what, key, database string
		warned              bool
	}{
		{"the default", filepath.Join(data, "signer.key"), "", true},
		{"a folder below", filepath.Join(data, "keys", "signer.key"), "", true},
		{"by a link", filepath.Join(elsewhere, "link", "signer.key"), "", true},
		{"another folder", filepath.Join(elsewhere, "signer.key"), "", false},
		{"a folder that begins alike", data + "-keys/signer.key", "", false},
		{"by a link out of the folder", filepath.Join(data, "outside.key"), "", false},
		{"with PostgreSQL", filepath.Join(data, "signer.key"), "postgres://db/pantheon", false},
	} {
		if err := os.MkdirAll(filepath.Dir(c.key), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.key, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		got := KeyWarnings(config.Config{DataDir: data, SignerKeyFile: c.key, DatabaseURL: config.Secret(c.database)})
		if len(got) > 1 || c.warned != (len(got) == 1) {
			t.Errorf("%s: %q", c.what, got)
		}
		if c.warned && (!strings.Contains(got[0], c.key) || !strings.Contains(got[0], "backup") || strings.Contains(got[0], "\n")) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// Spec: RUN-6
func TestCheck_TriesTheSignerKeyAndKeepsNothing(t *testing.T) {
	t.Parallel()
	s, c := configure(t, nil)
	check := func() Connection {
		for _, connection := range checkDatabase(t.Context(), c) {
			if connection.Name == "signer key" {
				return connection
			}
		}
		t.Fatal("the signer key is not tried")
		return Connection{}
	}
	if got := check(); got.Err == nil || !strings.Contains(got.Err.Error(), "pantheon key init") {
		t.Errorf("without a key: %+v", got)
	}
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	if got := check(); got.Err != nil || !strings.Contains(got.Note, "backup") {
		t.Errorf("with a key beside the database: %+v", got)
	}
	if err := os.Remove(c.SignerKeyFile); err != nil {
		t.Fatal(err)
	}
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil { // the check has stored nothing of the first
		t.Fatal(err)
	}
	if err := start(t, s, c); err != nil {
		t.Fatal(err)
	}
	c.SignerKeyFile = filepath.Join(t.TempDir(), "signer.key")
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	if got := check(); !errors.Is(got.Err, signer.ErrAnotherKey) || got.Note != "" {
		t.Errorf("with another key: %+v", got)
	}
}

// The development world's seeds are refused in production; see the configuration's tests.
// Spec: RUN-5
func TestDevelopmentWallets_AreKnownKeys(t *testing.T) {
	t.Parallel()
	for _, w := range devnet.Wallets() {
		if publisher := knownkeys.Publisher([32]byte(crypto.FromECDSA(w.Key))); publisher == "" || w.Address == (eth.Address{}) {
			t.Errorf("the key of the %s is not known", w.Role)
		}
	}
}
