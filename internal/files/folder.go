// Package files stores files that replicas share, in a folder or in an S3 bucket.
//
// Names are slash-separated relative paths; see fs.ValidPath. Writes are atomic.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Store is a store of named files.
type Store interface {
	// List returns the names with a prefix, sorted.
	List(ctx context.Context, prefix string) ([]string, error)
	// Read returns a file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// Write creates or replaces a file.
	Write(ctx context.Context, name string, content []byte) error
	// Remove deletes a file; one that does not exist is no error.
	Remove(ctx context.Context, name string) error
}

// Large is a store of files that may be larger than memory.
type Large interface {
	Store
	// Upload creates or replaces a file. If content returns an error, there is no file.
	Upload(ctx context.Context, name string, content io.Reader) error
	// Download opens a file for reading, or returns fs.ErrNotExist; then or from the first read.
	Download(ctx context.Context, name string) (io.ReadCloser, error)
}

var (
	_ Large = Folder{}
	_ Large = (*Bucket)(nil)
)

// Folder stores files in a directory, which is created by the first Write. Its methods return fault.Unavailable if the file system fails:
// it may be mounted from another machine.
type Folder struct{ Path string }

// temporary is the name prefix of files that are being written.
const temporary = "new-"

// List returns the names with a prefix; see Store.
func (f Folder) List(_ context.Context, prefix string) (names []string, err error) {
	dir, begin := path.Split(prefix)
	entries, err := os.ReadDir(filepath.Join(f.Path, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !e.IsDir() && strings.HasPrefix(e.Name(), begin) && !strings.HasPrefix(e.Name(), temporary) {
			names = append(names, dir+e.Name())
		}
	}
	slices.Sort(names)
	return names, unavailable(err)
}

// Read returns a file; see Store.
func (f Folder) Read(_ context.Context, name string) ([]byte, error) {
	at, err := f.at(name)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return content, unavailable(err)
}

// Write creates or replaces a file and syncs it to disk; see Store.
func (f Folder) Write(ctx context.Context, name string, content []byte) error {
	return f.Upload(ctx, name, bytes.NewReader(content))
}

// Upload creates or replaces a file of any size; see Large.
func (f Folder) Upload(_ context.Context, name string, content io.Reader) error {
	at, err := f.at(name)
	if err != nil {
		return err
	}
	return unavailable(replace(at, content))
}

// Download opens a file for reading; see Large.
func (f Folder) Download(_ context.Context, name string) (io.ReadCloser, error) {
	at, err := f.at(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return file, unavailable(err)
}

// replace writes a file completely before it gets its name.
func replace(at string, content io.Reader) (err error) {
	if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(at), temporary+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = io.Copy(file, content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), at)
}

// Remove deletes a file; see Store.
func (f Folder) Remove(_ context.Context, name string) error {
	at, err := f.at(name)
	if err != nil {
		return err
	}
	if err := os.Remove(at); !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err)
	}
	return nil
}

// at returns the path of a file on disk.
func (f Folder) at(name string) (string, error) {
	if !fs.ValidPath(name) || name == "." {
		return "", fmt.Errorf("files: %q is not a valid file name", name)
	}
	return filepath.Join(f.Path, filepath.FromSlash(name)), nil
}
