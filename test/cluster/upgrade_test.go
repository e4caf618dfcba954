package cluster_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// upgrade is a cluster of two replicas, each of which is replaced by the other version and back.
type upgrade struct {
	*cluster
	lock     *sql.DB
	programs []string // links to the binaries that the replicas run
	before   string   // the binary of the release before
	listings []player.Listing
}

// startBefore starts two replicas of the release before on an empty database. The chains are this version's.
func startBefore(t *testing.T) (u *upgrade, now string) {
	t.Helper()
	before, now := binaries(t)
	database := testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL
	u = &upgrade{lock: testkit.Connect(t, "pgx", database), before: before}
	for range 2 {
		program := filepath.Join(t.TempDir(), "pantheon")
		must(t, os.Symlink(before, program))
		u.programs = append(u.programs, program)
	}
	u.cluster = startOn(t, database, u.programs)
	return u, now
}

// replace stops a replica and starts the other binary in its place, on its data folder, once the other replica leads.
func (u *upgrade) replace(replica int, binary string) {
	u.Helper()
	running, err := os.Readlink(u.programs[replica])
	must(u.T, err)
	// The release before has no graceful shutdown: it is taken out of the proxy first. This version drains by itself.
	if running == u.before {
		u.proxy.drain(replica)
	}
	u.replicas[replica].Stop()
	u.isLed(1 - replica)
	must(u.T, os.Remove(u.programs[replica]))
	must(u.T, os.Symlink(binary, u.programs[replica]))
	u.replicas[replica].Restart()
	u.proxy.set(replica, "ready")
	u.proxy.waitFor(replica, "UP")
}

// isLed waits until a replica leads.
func (u *upgrade) isLed(replica int) {
	u.Helper()
	testkit.Eventually(u.T, waitTimeout, func() bool { return u.leads(u.replicas[replica]) }, "replica %d does not lead", replica+1)
}

// schema returns the version of the database's schema.
func (u *upgrade) schema() (version int64) {
	u.Helper()
	must(u.T, u.db.QueryRowContext(u.Context(), "SELECT MAX(version_id) FROM schema_version").Scan(&version))
	return version
}

// order lets a new player order an item that nobody else orders here.
func (u *upgrade) order() order {
	u.Helper()
	p, err := player.Register(u.Context(), u.url)
	must(u.T, err)
	if u.listings == nil {
		u.listings, err = p.Listings(u.Context(), "avatars", 20)
		must(u.T, err)
	}
	l := u.listings[0]
	u.listings = u.listings[1:]
	return u.cluster.order(p, l)
}

// hold keeps the queues from sending transactions until release.
func (u *upgrade) hold() (release func()) {
	u.Helper()
	tx, err := u.lock.BeginTx(u.Context(), nil)
	must(u.T, err)
	_, err = tx.ExecContext(u.Context(), "LOCK TABLE gas_transaction IN SHARE ROW EXCLUSIVE MODE")
	must(u.T, err)
	return func() { must(u.T, tx.Rollback()) }
}

// trade lets a new player buy. The realtime channel must announce that the order is complete.
func (u *upgrade) trade() order {
	u.Helper()
	o := u.order()
	ctx, stop := context.WithCancel(u.Context())
	defer stop()
	messages, err := o.Messages(ctx)
	must(u.T, err)
	var isTold atomic.Bool
	go func() {
		for m := range messages {
			var news struct{ State string }
			if m.ChannelID == "order" && json.Unmarshal(m.Payload, &news) == nil && news.State == "complete" {
				isTold.Store(true)
			}
		}
	}()
	u.send(o)
	u.settled(o)
	testkit.Eventually(u.T, waitTimeout, isTold.Load, "no message says that the order is complete")
	return o
}

// Each replica is replaced by this version, and then by the release before, while players trade. Each version leads while the other one
// follows, and settles what was paid for before.
// Spec: RUN-7
func TestUpgrade_AndBackUnderLoadFailsNoCall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, and a build of the release before: make prove")
	}
	u, now := startBefore(t)
	if v := u.schema(); v != 19 {
		t.Fatalf("the release before has schema %d, want 19", v)
	}
	u.isLed(0)
	l := u.browse(3, 3)
	bought := []order{u.trade()}
	for i, step := range []struct {
		what    string
		replica int
		binary  string
	}{
		{"the first is upgraded", 0, now}, {"the second is upgraded", 1, now},
		{"the second goes back", 1, u.before}, {"the first goes back", 0, u.before},
	} {
		o := u.order()
		release := func() {}
		if i > 0 { // the first one migrates, for which the queue's table must be free
			release = u.hold()
		}
		u.send(o)
		u.replace(step.replica, step.binary)
		if paid, err := o.Order(t.Context(), o.placed.OrderID); err != nil || i > 0 && paid.State != "submitted" {
			t.Errorf("%s: the order is %s, %v, want submitted", step.what, paid.State, err)
		}
		release()
		u.settled(o)
		bought = append(bought, o, u.trade())
		if v := u.schema(); v != 30 {
			t.Errorf("%s: the schema is %d, want 30", step.what, v)
		}
	}
	u.settled(bought...) // nothing was sold twice
	if n := l.end(); n < 500 || l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
}
