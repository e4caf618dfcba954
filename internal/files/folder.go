// Package files keeps files that all replicas share, by name: in a folder, or in a bucket of an object store (S3).
//
// Names are paths of letters, digits, dots and dashes, with slashes between their parts. A file is there whole or not at all.
package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Store keeps files.
type Store interface {
	// List returns the names of the files that begin with a prefix, in order.
	List(ctx context.Context, prefix string) ([]string, error)
	// Read returns a file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// Write keeps a file, in the place of one of that name.
	Write(ctx context.Context, name string, content []byte) error
}

// Folder keeps files in a folder, which is made with its first file.
type Folder struct{ Path string }

// unfinished is how the names of files begin that are not whole yet.
const unfinished = "new-"

// List returns the names of the files that begin with a prefix; see Store.
func (f Folder) List(_ context.Context, prefix string) (names []string, err error) {
	dir, begin := path.Split(prefix)
	entries, err := os.ReadDir(filepath.Join(f.Path, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !e.IsDir() && strings.HasPrefix(e.Name(), begin) && !strings.HasPrefix(e.Name(), unfinished) {
			names = append(names, dir+e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// Read returns a file; see Store.
func (f Folder) Read(_ context.Context, name string) ([]byte, error) {
	at, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(at)
}

// Write keeps a file, also after a crash of the machine; see Store.
func (f Folder) Write(_ context.Context, name string, content []byte) (err error) {
	at, err := f.at(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(at), unfinished+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), at)
}

// at returns where a file is.
func (f Folder) at(name string) (string, error) {
	if !fs.ValidPath(name) || name == "." {
		return "", fmt.Errorf("files: %q is no name of a file", name)
	}
	return filepath.Join(f.Path, filepath.FromSlash(name)), nil
}
