// Package backup writes and reads backups: one file each, which has a manifest, the database and the files of settings. It is a tar
// archive, compressed by Zstandard and encrypted by age (https://age-encryption.org/v1) to public keys: who makes backups cannot read them.
package backup

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"pantheon/internal/kit/fault"
)

// Place is where backups are.
type Place interface {
	List(ctx context.Context, prefix string) ([]string, error)
	Upload(ctx context.Context, name string, content io.Reader) error
	Download(ctx context.Context, name string) (io.ReadCloser, error)
	Remove(ctx context.Context, name string) error
}

// Manifest says what a backup is of.
type Manifest struct {
	Version int       `json:"version"`
	Portal  string    `json:"portal"` // PUBLIC_URL
	TakenAt time.Time `json:"takenAt"`
	Program string    `json:"program"` // its version
	Schema  int64     `json:"schema"`  // of the database
	// Chains has the ids of the chains, game chain first: a portal of other chains has other holdings.
	Chains []uint64 `json:"chains"`
}

const (
	version      = 1
	manifestFile = "manifest.json"
	// Database is the name of the database in a backup.
	Database = "pantheon.db"
)

// File is a file to back up.
type File struct{ Name, Path string }

const (
	suffix     = ".tar.zst.age"
	timeLayout = "20060102T150405Z"
)

// prefixOf returns how the names of a portal's backups begin, by the host of its URL: several portals may share a place.
func prefixOf(portal string) string {
	host := portal
	if u, err := url.Parse(portal); err == nil && u.Host != "" {
		host = u.Host
	}
	return strings.ReplaceAll(host, ":", "_") + "-"
}

// Name returns the name of a portal's backup that was taken at a time.
func Name(portal string, at time.Time) string {
	return prefixOf(portal) + at.UTC().Format(timeLayout) + suffix
}

// TakenAt returns when a backup was taken, from its name; false for another file.
func TakenAt(name string) (time.Time, bool) {
	text, isBackup := strings.CutSuffix(name, suffix)
	at, err := time.Parse(timeLayout, text[max(0, len(text)-len(timeLayout)):])
	return at, isBackup && err == nil
}

// List returns the names of a portal's backups, oldest first.
func List(ctx context.Context, p Place, portal string) ([]string, error) {
	names, err := p.List(ctx, prefixOf(portal))
	names = slices.DeleteFunc(names, func(name string) bool {
		at, ok := TakenAt(name)
		return !ok || name != Name(portal, at)
	})
	slices.Sort(names)
	return names, err
}

// ParseRecipients reads public keys of age.
func ParseRecipients(keys []string) (out []age.Recipient, err error) {
	for _, key := range keys {
		r, err := age.ParseRecipients(strings.NewReader(key))
		if err != nil {
			return nil, fmt.Errorf("%q is no public key of age, such as age1…: %w", key, err)
		}
		out = append(out, r...)
	}
	if len(out) == 0 {
		return nil, errors.New("must have a public key of age: pantheon backup key makes a pair")
	}
	return out, nil
}

// Make writes a backup under the name of its time.
func Make(ctx context.Context, p Place, to []age.Recipient, m Manifest, files []File) (name string, size int64, err error) {
	m.Version, m.TakenAt = version, m.TakenAt.UTC().Truncate(time.Second)
	name = Name(m.Portal, m.TakenAt)
	r, w := io.Pipe()
	counted := &counter{w: w}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = w.CloseWithError(write(ctx, counted, to, m, files))
	}()
	err = p.Upload(ctx, name, r)
	_ = r.Close() // ends write
	<-ended
	return name, counted.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func write(ctx context.Context, w io.Writer, to []age.Recipient, m Manifest, files []File) error {
	sealed, err := age.Encrypt(w, to...)
	if err != nil {
		return err
	}
	packed, err := zstd.NewWriter(sealed)
	if err != nil {
		return err
	}
	defer func() { _ = packed.Close() }() // also after an error, for what it runs
	archive := tar.NewWriter(packed)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := add(archive, manifestFile, int64(len(text)), m.TakenAt, strings.NewReader(string(text))); err != nil {
		return err
	}
	for _, f := range files {
		if err := addFile(ctx, archive, f, m.TakenAt); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), packed.Close(), sealed.Close())
}

func addFile(ctx context.Context, archive *tar.Writer, f File, at time.Time) (err error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return add(archive, f.Name, info.Size(), at, readerOf(ctx, file))
}

func add(archive *tar.Writer, name string, size int64, at time.Time, content io.Reader) error {
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: at}); err != nil {
		return err
	}
	_, err := io.Copy(archive, content)
	return err
}

// readerOf returns a reader that fails once ctx ends.
func readerOf(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(b)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// Extract writes the files of a backup to a folder, which must exist, and returns its manifest. It fails with fault.Invalid if the
// backup is damaged, or sealed to other keys.
func Extract(ctx context.Context, p Place, name string, by []age.Identity, folder string) (m Manifest, err error) {
	content, err := p.Download(ctx, name)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	opened, err := age.Decrypt(readerOf(ctx, content), by...)
	if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
		return m, fault.New(fault.Invalid, "%s was made for another key, or is damaged: does --identity belong to BACKUP_RECIPIENTS?", name)
	}
	if err != nil {
		return m, damaged(name, err)
	}
	unpacked, err := zstd.NewReader(opened)
	if err != nil {
		return m, damaged(name, err)
	}
	defer unpacked.Close()
	root, err := os.OpenRoot(folder)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for archive := tar.NewReader(unpacked); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return m, damaged(name, err)
		}
		if h.Name == manifestFile {
			if err := json.NewDecoder(archive).Decode(&m); err != nil {
				return m, damaged(name, err)
			}
			continue
		}
		if filepath.Base(h.Name) != h.Name {
			return m, damaged(name, fmt.Errorf("it has a file %q", h.Name))
		}
		if err := extract(root, h.Name, archive); err != nil {
			return m, damaged(name, err)
		}
	}
	if _, err := io.Copy(io.Discard, unpacked); err != nil { // what follows the archive is authenticated too
		return m, damaged(name, err)
	}
	if m.Version != version {
		return m, fault.New(fault.Invalid, "%s has version %d, and this program reads version %d", name, m.Version, version)
	}
	return m, nil
}

func extract(root *os.Root, name string, content io.Reader) error {
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// damaged says that a backup cannot be restored, unless the place or the disk failed.
func damaged(name string, err error) error {
	if fault.Is(err, fault.Unavailable) || errors.Is(err, context.Canceled) || errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return fault.New(fault.Invalid, "%s cannot be restored: %v", name, err).Because(err)
}

// leastKept is the number of newest backups that are never removed, however old they are.
const leastKept = 3

// Prune removes a portal's backups that were taken before a time, but the newest three, and returns their names.
func Prune(ctx context.Context, p Place, portal string, before time.Time) (removed []string, err error) {
	names, err := List(ctx, p, portal)
	if err != nil {
		return nil, err
	}
	for _, name := range names[:max(0, len(names)-leastKept)] {
		if at, _ := TakenAt(name); at.Before(before) {
			if err := p.Remove(ctx, name); err != nil {
				return removed, err
			}
			removed = append(removed, name)
		}
	}
	return removed, nil
}
