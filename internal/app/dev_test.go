package app

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/onchain"
)

// develop starts the development world in a folder and closes it again.
func develop(t *testing.T, dir string) error {
	t.Helper()
	c, err := config.Load([]string{"DATA_DIR=" + dir, "DEV_BEACON_PORT=0"}, brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	d, err := StartDevelopment(t.Context(), &c, &Options{}, io.Discard)
	if err != nil {
		return err
	}
	return d.Close()
}

// filesIn lists a folder recursively.
func filesIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refusedInOneLine checks that a folder is refused with a one-line error that says what to do, and not changed.
func refusedInOneLine(t *testing.T, dir string) {
	t.Helper()
	before := filesIn(t, dir)
	err := develop(t, dir)
	want := "the development data was made by another version or brand, with other contracts: delete the folder " + dir + " to start afresh"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	if after := filesIn(t, dir); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("the folder was changed from %v to %v", before, after)
	}
}

// Spec: RUN-11
func TestDevelopment_StartsAgainOnItsOwnData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	for range 2 {
		if err := develop(t, dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "chains", "contracts"), []byte("0x1234\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refusedInOneLine(t, dir)
}

// Chains of versions that did not record their contracts.
// Spec: RUN-11
func TestDevelopment_OlderDataIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	for _, side := range []collections.Chain{collections.GameChain, collections.MainChain} {
		dir := t.TempDir()
		chain, err := devnet.Start(devnet.Options{ChainID: devGameChain, Dir: filepath.Join(dir, "chains", string(side))})
		if err != nil {
			t.Fatal(err)
		}
		if err := chain.Close(); err != nil {
			t.Fatal(err)
		}
		refusedInOneLine(t, dir)
	}
}

func TestDevelopment_RefusalNamesTheDatabaseToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "chains", "game"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := claimDataFolder(config.Config{Brand: brandtest.Pantheon(), DataDir: dir, DatabaseURL: "postgres://localhost/portal"})
	if err == nil || !strings.Contains(err.Error(), "delete the folder "+dir+" and empty the database that DATABASE_URL names") ||
		strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestDevelopment_FixesATableForEachKindOfPack(t *testing.T) {
	t.Parallel()
	rules, err := readRules(brandtest.Pantheon(), "")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := fixedTables(rules.tables, brandtest.Pantheon().Development.Stock)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	hashes := map[[32]byte]bool{{}: true}
	for _, f := range tables {
		got = append(got, fmt.Sprintf("%s: at most %d", f.TokenID, f.Max))
		if hashes[f.Table] {
			t.Errorf("the table of pack %s is empty or that of another: %x", f.TokenID, f.Table)
		}
		hashes[f.Table] = true
	}
	if want := []string{"1: at most 100000", "2: at most 20000", "3: at most 5000"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// By default a development server requires no confirmed address; if told to, it needs no mail server for it.
func TestSponsorNeeds_NothingInDevelopment(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"": "none", "none": "none", "email": "email"} {
		c, err := config.Load([]string{
			"DATA_DIR=" + filepath.Join(t.TempDir(), "data"), "LOG_LEVEL=loud", "SPONSOR_NEEDS=" + set,
		}, brandtest.Pantheon())
		if err != nil {
			t.Fatal(err)
		}
		// The log level is invalid: the configuration is completed and refused, and nothing is started.
		if _, err = StartDevelopment(t.Context(), &c, &Options{}, io.Discard); err == nil || strings.Contains(err.Error(), "SPONSOR_NEEDS") {
			t.Errorf("%q: %v", set, err)
		}
		if c.Relay.SponsorNeeds != want {
			t.Errorf("%q stands for %q, want %q", set, c.Relay.SponsorNeeds, want)
		}
	}
}

// By default every block of a development chain is final, and dated when it is made.
func TestDevelopment_FinalityAndTimeMarginsCanBeSet(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		env      []string
		finality string
		margin   time.Duration
	}{
		{nil, "0", 0},
		{[]string{"GAME_CHAIN_FINALITY=4", "GAME_CHAIN_TIME_MARGIN=6s", "GAME_CHAIN_ID=1", "GAME_CHAIN_NAME=Another"}, "4", 6 * time.Second},
	} {
		c, err := config.Load(append(set.env, "DATA_DIR="+filepath.Join(t.TempDir(), "data"), "LOG_LEVEL=loud"), brandtest.Pantheon())
		if err != nil {
			t.Fatal(err)
		}
		// The log level is invalid: the configuration is completed and refused, and nothing is started.
		if _, err = StartDevelopment(t.Context(), &c, &Options{}, io.Discard); err == nil || strings.Contains(err.Error(), "GAME_CHAIN") {
			t.Errorf("%q: %v", set.env, err)
		}
		if g := c.GameChain; g.Finality != set.finality || g.TimeMargin != set.margin || g.ID != 1337042 ||
			g.Name != "Development game chain" {
			t.Errorf("%q: %+v", set.env, g)
		}
		if c.MainChain.Finality != "0" {
			t.Errorf("the main chain's finality is %q", c.MainChain.Finality)
		}
	}
}

func TestDevelopment_RefusesChainsThatAreNotItsOwn(t *testing.T) {
	t.Parallel()
	serve := func(id onchain.ChainID) string {
		chain, err := devnet.Start(devnet.Options{ChainID: id})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(chain.PublicHandler())
		t.Cleanup(func() {
			server.Close()
			if err := chain.Close(); err != nil {
				t.Error(err)
			}
		})
		return server.URL
	}
	game, main := serve(1337042), serve(1337137)
	for name, c := range map[string]struct{ game, main, want string }{
		"one of them": {game, "", "GAME_CHAIN_RPC_URL and MAIN_CHAIN_RPC_URL: set both"},
		"the other":   {"", main, "GAME_CHAIN_RPC_URL and MAIN_CHAIN_RPC_URL: set both"},
		"exchanged":   {main, game, "1337137"},
		"without contracts": {
			game, main, `the Development game chain has no contracts of this version: start it by this version's "pantheon chain"`,
		},
		"nobody there": {"http://127.0.0.1:1", main, "127.0.0.1:1"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		settings, err := config.Load([]string{
			"DATA_DIR=" + dir, "DEV_BEACON_PORT=0", "GAME_CHAIN_RPC_URL=" + c.game, "MAIN_CHAIN_RPC_URL=" + c.main,
		}, brandtest.Pantheon())
		if err != nil {
			t.Fatal(err)
		}
		_, err = StartDevelopment(t.Context(), &settings, &Options{}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want that it says %q", name, err, c.want)
		}
	}
}

// What another program listens on is reported by the setting, before the data folder is made.
// Spec: DRAW-17
func TestDevelopment_PortOfTheBeaconThatIsInUseIsNamed(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := filepath.Join(t.TempDir(), "data")
	c, err := config.Load([]string{"DATA_DIR=" + dir, fmt.Sprint("DEV_BEACON_PORT=", taken.Addr().(*net.TCPAddr).Port)}, brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	_, err = StartDevelopment(t.Context(), &c, &Options{}, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "DEV_BEACON_PORT: ") || !strings.Contains(err.Error(), taken.Addr().String()) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder: %v", err)
	}
}

// The beacon is found at the port that is set, by the chain's hash, and its rounds are good under the configured key.
func TestDevelopment_BeaconIsAtItsPort(t *testing.T) {
	t.Parallel()
	at := clock.NewFake(time.Unix(1767225600, 0).Add(time.Hour))
	c, err := config.Load([]string{"DATA_DIR=" + t.TempDir()}, brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	d := &Development{}
	if d.listener, err = listenBeacon(0); err != nil {
		t.Fatal(err)
	}
	if err := d.startBeacon(&c, &Options{Clock: at}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		http.DefaultClient.CloseIdleConnections()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	key, err := hex.DecodeString(c.Beacon.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public, err := beacon.ParsePublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + d.listener.Addr().String()
	hash, named := strings.CutPrefix(c.Beacon.URLs[0], address+"/")
	if len(c.Beacon.URLs) != 1 || !named || len(hash) != 64 || c.Beacon.Genesis != 1767225600 || c.Beacon.Period != 1 {
		t.Errorf("the beacon is %+v, and listens at %s", c.Beacon, address)
	}
	for _, mirror := range []string{c.Beacon.URLs[0], address} {
		if r, err := beacon.NewClient([]string{mirror}, public).Latest(t.Context()); err != nil || r.Number != 3601 {
			t.Errorf("%s: %+v, %v", mirror, r, err)
		}
	}
}
