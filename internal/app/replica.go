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
	id, isOwn, err := replicaID(filepath.Join(b.config.DataDir, "replica-id"))
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	b.process = store.Process{Replica: id, ID: rand.Text(), Version: version.Get().String()}
	err = b.db.Join(ctx, b.process, isOwn, b.clock.Now())
	if fault.Is(err, fault.Conflict) {
		return fmt.Errorf("DATA_DIR: %s/replica-id was copied from a replica that runs: delete this copy of the file, or wait 15 seconds "+
			"if that replica has just ended", b.config.DataDir)
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
	b.health.Add(health.Check{Name: "replica id", Run: func(context.Context) error {
		if b.replaced.Load() {
			return fault.New(fault.Unavailable, "another process has this replica's id: its DATA_DIR was copied")
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
		return nil // the check tells
	}
	return err
}

// replicaID returns the identity that the file contains, and makes the file if there is none. It belongs to this file on this machine:
// isOwn is false for a copy.
func replicaID(path string) (id string, isOwn bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text, err = []byte(rand.Text()), os.WriteFile(path, nil, 0o600)
	}
	if err != nil {
		return "", false, err
	}
	here, err := place(path)
	if err != nil {
		return "", false, err
	}
	id, was, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if was == here {
		return id, true, nil
	}
	// Written in place: it stays the same file.
	return id, was == "", os.WriteFile(path, []byte(id+"\n"+here+"\n"), 0o600)
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
