package realtime

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk returns a folder on a file system of 64 MiB, and a function that fills it, which returns one that frees it again.
func smallDisk(t *testing.T) (dir string, fill func() (free func())) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
		t.Skipf("mounting a file system needs root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir, func() func() {
		ballast := filepath.Join(dir, "ballast")
		f, err := os.Create(ballast)
		if err != nil {
			t.Fatal(err)
		}
		for block := make([]byte, 64<<10); len(block) > 0; {
			if _, err := f.Write(block); err != nil {
				block = block[:len(block)/2]
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// After ENOSPC an embedded server still answers, but rejects every publish until it is restarted: the hub reports that and restarts it.
// Spec: RUN-19
func TestNATS_AFullDiskIsToldAndSurvived(t *testing.T) {
	t.Parallel()
	dir, fill := smallDisk(t)
	n := startNATS(t, filepath.Join(dir, "messages"))
	r := startHub(t, n, func(o *Options) { o.Reopen, o.Limits.ReopenAfter = n.Reopen, time.Second })
	c := r.connect("ada")
	r.publish(User("ada"), "before")
	c.expect("before")
	free := fill()
	send := func(id string) error {
		data := json.RawMessage(`{"id":"` + id + `","filler":"` + strings.Repeat("x", 40<<10) + `"}`)
		return r.Publish(t.Context(), Message{id, User("ada"), data})
	}
	eventually(t, "a message is refused", func() bool { return send("full") != nil })
	if err := r.Ready(); err == nil || !strings.Contains(err.Error(), "messages are not taken") {
		t.Errorf("with a full disk: %v", err)
	}
	eventually(t, "the disk is told of", func() bool { return send("full") != nil && errors.Is(r.Ready(), ErrDiskFull) })
	free()
	eventually(t, "messages are taken again", func() bool { return send("full") == nil })
	if err := r.Ready(); err != nil {
		t.Errorf("with space again: %v", err)
	}
	r.publish(User("ada"), "after")
	c.expect("full", "after")
}
