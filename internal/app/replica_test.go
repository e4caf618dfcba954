package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/health"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// replicas share a database, each with a data folder.
type replicas struct {
	*testing.T
	db    *store.DB
	clock *clock.Fake
}

func newReplicas(t *testing.T) *replicas {
	return &replicas{t, testkit.Database(t, store.SQLite), clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))}
}

// start starts a process on a data folder. The test ends it by closing it.
func (r *replicas) start(folder string) (*base, error) {
	log := slog.New(slog.DiscardHandler)
	b := &base{
		config: config.Config{DataDir: folder}, db: r.db, clock: r.clock, log: log, registry: prometheus.NewRegistry(),
		health: health.New(log, nil), replica: tasks{}, leader: tasks{},
	}
	err := b.lockFolder()
	if err == nil {
		err = b.join(r.Context())
	}
	if err != nil {
		_ = b.close()
		return nil, err
	}
	r.Cleanup(func() { _ = b.close() })
	return b, nil
}

func (r *replicas) mustStart(folder string) *base {
	r.Helper()
	b, err := r.start(folder)
	if err != nil {
		r.Fatal(err)
	}
	return b
}

// copied returns a copy of a data folder's identity.
func (r *replicas) copied(folder string) string {
	r.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "replica-id"))
	if err != nil {
		r.Fatal(err)
	}
	to := r.TempDir()
	if err := os.WriteFile(filepath.Join(to, "replica-id"), text, 0o600); err != nil {
		r.Fatal(err)
	}
	return to
}

// Spec: RUN-18
func TestReplica_ASecondProcessOnADataFolderIsRefused(t *testing.T) {
	t.Parallel()
	r, folder := newReplicas(t), t.TempDir()
	first := r.mustStart(folder)
	_, err := r.start(folder)
	if err == nil || !strings.HasPrefix(err.Error(), "DATA_DIR: another process uses "+folder+": each replica needs a folder of its own") {
		t.Errorf("a second process: %v", err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	if second := r.mustStart(folder); second.process.Replica != first.process.Replica || second.process.ID == first.process.ID {
		t.Errorf("%+v after %+v", second.process, first.process)
	}
}

// Spec: RUN-18
func TestReplica_ACopyOfADataFolderIsRefusedWhileTheOriginalRuns(t *testing.T) {
	t.Parallel()
	r, folder := newReplicas(t), t.TempDir()
	first := r.mustStart(folder)
	to := r.copied(folder)
	for range 2 { // a supervisor starts it again
		_, err := r.start(to)
		if err == nil || !strings.Contains(err.Error(), to+"/replica-id was copied from a replica that runs: delete this copy of the file") {
			t.Errorf("a copy: %v", err)
		}
	}
	if err := os.Remove(filepath.Join(to, "replica-id")); err != nil {
		t.Fatal(err)
	}
	if other := r.mustStart(to); other.process.Replica == first.process.Replica {
		t.Error("the copy has the same identity")
	}
	// A folder that was moved, from a process that has ended without a word.
	moved := r.copied(folder)
	r.clock.Advance(15 * time.Second)
	if b := r.mustStart(moved); b.process.Replica != first.process.Replica {
		t.Error("a moved folder has lost its identity")
	}
	if err := first.beSeen(t.Context()); err != nil {
		t.Fatal(err)
	}
	const taken = "another process has this replica's id: its DATA_DIR was copied"
	if report := first.health.Report(t.Context()); report.Checks["replica id"] != taken {
		t.Errorf("the process whose identity was taken says %v", report.Checks)
	}
}

func TestReplica_AnIdentityOfAnEarlierVersionIsKept(t *testing.T) {
	t.Parallel()
	r, folder := newReplicas(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "replica-id"), []byte("ABC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b := r.mustStart(folder)
		if b.process.Replica != "ABC" {
			t.Errorf("the identity is %q", b.process.Replica)
		}
		if err := b.close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A crash or a full disk may leave an empty file.
func TestReplica_AnEmptyFileIsNoIdentity(t *testing.T) {
	t.Parallel()
	r, one, two := newReplicas(t), t.TempDir(), t.TempDir()
	for _, folder := range []string{one, two} {
		if err := os.WriteFile(filepath.Join(folder, "replica-id"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, b := r.mustStart(one), r.mustStart(two)
	if a.process.Replica == "" || a.process.Replica == b.process.Replica {
		t.Errorf("identities %q and %q", a.process.Replica, b.process.Replica)
	}
}
