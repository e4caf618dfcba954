package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pantheon/internal/chain/signer"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/version"
	"pantheon/internal/store"
)

// lockFolder makes sure that no other process uses the data folder until the portal is closed.
func (b *base) lockFolder() error {
	file, err := os.OpenFile(filepath.Join(b.config.DataDir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	b.onClose(file.Close)
	switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return fmt.Errorf("DATA_DIR: another process uses %s: each replica needs a folder of its own", b.config.DataDir)
	case err != nil: // some network file systems have no locks
		b.log.Warn("the data folder cannot be locked: make sure that no other process uses it", "folder", b.config.DataDir, "error", err)
	}
	return nil
}

// join gives this process its identity, which the data folder has, and notes in the database that it runs. A process that was killed is
// replaced at once. It fails if the folder was copied or moved while a process with its identity runs.
func (b *base) join(ctx context.Context) error {
	file := filepath.Join(b.config.DataDir, "replica-id")
	id, isOwn, err := replicaID(file)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	b.process = store.Process{
		Replica: id, ID: rand.Text(), Version: version.Get().String(), SignerKeys: strings.Join(b.ring.Fingerprints(), " "),
	}
	err = b.db.Join(ctx, b.process, isOwn, b.clock.Now())
	if fault.Is(err, fault.Conflict) {
		return fmt.Errorf("DATA_DIR: %s/replica-id was copied from a replica that runs: delete this copy of the file, or wait 15 seconds "+
			"if that replica has just ended", b.config.DataDir)
	}
	if err == nil {
		err = keepReplicaID(file, id) // only now: a copy that is refused is still one when it is started again
	}
	if err != nil {
		return err
	}
	b.replica["replica"] = func(ctx context.Context) error {
		err := periodic.Run(ctx, seenEvery, b.beSeen, func(err error) {
			b.log.Warn("background work failed, retrying", "part", "replica", "error", err)
		})
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = b.db.Leave(leave, b.process, b.clock.Now()) // otherwise it is forgotten later
		return err
	}
	b.health.Add(health.Check{Name: "signer key", Run: func(ctx context.Context) error {
		missing, err := signer.Missing(ctx, b.ring, store.SignerKeys{DB: b.db})
		if err == nil && missing != "" {
			err = fault.New(fault.Unavailable, "this replica lacks the key that seals wallets").
				Because(fmt.Errorf("SIGNER_KEY_FILE does not name the key %s", missing))
		}
		return err
	}}, health.Check{Name: "replica id", Run: func(context.Context) error {
		if b.replaced.Load() {
			return fault.New(fault.Unavailable, "another process has this replica's id: its DATA_DIR was copied")
		}
		return nil
	}}, health.Check{Name: "database writes", Run: func(context.Context) error {
		if err := b.heartbeat.Load(); err != nil && *err != nil {
			return fault.New(fault.Unavailable, "fail").Because(*err)
		}
		return nil
	}})
	return nil
}

// seenEvery is how often a process notes that it runs.
const seenEvery = 5 * time.Second

// beSeen notes that this process runs, unless another one has taken its identity. Then this one never leads again.
func (b *base) beSeen(ctx context.Context) error {
	err := b.db.Join(ctx, b.process, false, b.clock.Now())
	b.replaced.Store(fault.Is(err, fault.Conflict))
	if b.replaced.Load() {
		err = nil // the check tells
	}
	b.heartbeat.Store(&err)
	return err
}

// replicaID returns the identity that the file contains, or a new one if there is none. It belongs to this file on this machine: isOwn is
// false for a copy.
func replicaID(path string) (id string, isOwn bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", false, err
	}
	id, was, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if id == "" {
		return rand.Text(), true, nil
	}
	here, err := place(path)
	return id, was == "" || was == here, err
}

// keepReplicaID writes a file with an identity that is its own.
func keepReplicaID(path, id string) error {
	draft := path + ".new"
	if err := os.WriteFile(draft, []byte(id+"\n"), 0o600); err != nil {
		return err
	}
	here, err := place(draft) // it stays the same file when it is renamed
	if err != nil {
		return err
	}
	if err := os.WriteFile(draft, []byte(id+"\n"+here+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

// place identifies a file on this machine.
func place(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	file := sha256.New()
	fmt.Fprintln(file, host)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		fmt.Fprintln(file, stat.Dev, stat.Ino)
	}
	return hex.EncodeToString(file.Sum(nil)[:16]), nil
}
