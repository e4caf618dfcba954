package cluster_test

import (
	"crypto/rand"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/chain/signer"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// The key that seals the wallets and the secret that signs tokens are changed while players register and trade: no call fails, and
// afterwards the former key is not needed.
// Spec: RUN-24, RUN-26
func TestCluster_KeysAreReplacedUnderTrade(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	former, secret := c.setting("SIGNER_KEY_FILE"), c.setting("TOKEN_SECRET")
	newSecret := base64.StdEncoding.EncodeToString([]byte(rand.Text() + rand.Text()))
	next := filepath.Join(t.TempDir(), "next.key")
	must(t, signer.MakeKeyFile(next))
	key, err := signer.OpenKeyFile(next)
	must(t, err)
	c.settled(c.buy(2)...)
	rotate := func(replica *testkit.Site, files string) (string, error) {
		cmd := replica.Command("key", "rotate", next, "--reason", "a year has passed")
		cmd.Env = append(cmd.Env, "SIGNER_KEY_FILE="+files)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	both := former + ":" + next
	if out, err := rotate(c.replicas[0], both); err == nil || !strings.Contains(out, "does not have the new key") {
		t.Fatalf("while no replica has the key: %v\n%s", err, out)
	}
	if out, err := rotate(c.replicas[0], former); err == nil || !strings.Contains(out, "must name "+next) {
		t.Fatalf("without the key: %v\n%s", err, out)
	}

	l := c.browse(2, 2)
	for _, r := range c.replicas {
		r.Set("SIGNER_KEY_FILE=" + both)
		r.Set("TOKEN_SECRET=" + secret + "," + newSecret)
		r.Restart()
	}
	orders := c.buy(2)
	var damaged, sealed string
	must(t, c.db.QueryRowContext(t.Context(), "SELECT player_id, sealed_key FROM wallet ORDER BY player_id LIMIT 1").Scan(&damaged, &sealed))
	set := func(key string) {
		t.Helper()
		_, err := c.db.ExecContext(t.Context(), "UPDATE wallet SET sealed_key = $1 WHERE player_id = $2", key, damaged)
		must(t, err)
	}
	flipped := strings.ToUpper(sealed[:30])
	if flipped == sealed[:30] {
		flipped = strings.ToLower(flipped)
	}
	set(flipped + sealed[30:])
	out, err := rotate(c.replicas[0], both)
	if err == nil || !strings.Contains(out, "the wallets of these players do not open, and are as they were: ["+damaged+"]") {
		t.Fatalf("with a damaged wallet: %v\n%s", err, out)
	}
	set(sealed)
	if out, err := rotate(c.replicas[0], both); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.settled(append(orders, c.buy(2)...)...)
	count := func(where string, args ...any) (n int) {
		t.Helper()
		must(t, c.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+where, args...).Scan(&n))
		return n
	}
	if n := count("wallet WHERE sealed_by <> $1", key.Fingerprint()); n != 0 {
		t.Errorf("%d wallets are sealed with another key", n)
	}
	if n := count("operator_log WHERE command = 'key rotate'"); n != 2 {
		t.Errorf("%d entries in the operators' log, want 2", n)
	}
	for _, r := range c.replicas {
		r.Set("SIGNER_KEY_FILE=" + next)
		r.Set("TOKEN_SECRET=" + newSecret + "," + secret)
		r.Restart()
	}
	c.settled(c.buy(1)...)
	if n := l.end(); l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
	if n := count("schema_support WHERE oldest = 24"); n != 1 {
		t.Error("programs of earlier releases are not refused")
	}
	check := c.replicas[0].Command("key", "show")
	check.Env = append(check.Env, "SIGNER_KEY_FILE="+former)
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), "in no file of SIGNER_KEY_FILE") {
		t.Errorf("with the former key alone: %v\n%s", err, out)
	}
	if _, err := player.Register(t.Context(), c.url); err != nil {
		t.Error(err)
	}
}

// setting returns a setting of the replicas.
func (c *cluster) setting(name string) string {
	c.Helper()
	for _, line := range c.env {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	c.Fatalf("there is no setting %s", name)
	return ""
}
