// Package reload keeps the content of configuration files current while the program runs.
package reload

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pantheon/internal/kit/periodic"
)

// File is the content of a file as a value of type T. It is safe for concurrent use.
type File[T any] struct {
	path   string // "" for content that never changes
	parse  func(name string, text []byte) (T, error)
	report func(error)
	value  atomic.Pointer[T]

	mu     sync.Mutex
	looked time.Time
	read   time.Time // the file's modification time when last read
}

// lookEvery is the minimum interval between checks of the file's modification time.
const lookEvery = time.Second

// Open reads a file, or takes the default text, which has the given name, if path is "". It fails if the file is unreadable
// or parse fails. report receives the errors of later versions of the file, which do not count: the last good one stays.
func Open[T any](path, name string, builtIn []byte, parse func(name string, text []byte) (T, error), report func(error)) (*File[T], error) {
	f := &File[T]{path: path, parse: parse, report: report}
	var value T
	var err error
	if path == "" {
		value, err = parse(name, builtIn)
	} else {
		value, err = f.load()
	}
	f.value.Store(&value)
	return f, err
}

// load reads the file. The caller must hold mu or be the only one to know f.
func (f *File[T]) load() (value T, err error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return value, err
	}
	f.read = info.ModTime()
	text, err := os.ReadFile(f.path)
	if err != nil {
		return value, err
	}
	return f.parse(f.path, text)
}

// Current returns the content, after reloading the file if it has changed. Callers must not modify it.
func (f *File[T]) Current() T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || time.Since(f.looked) < lookEvery {
		return f.Last()
	}
	f.looked = time.Now()
	if info, err := os.Stat(f.path); err != nil || info.ModTime().Equal(f.read) {
		return f.Last()
	}
	value, err := f.load()
	if err != nil {
		f.report(err)
		return f.Last()
	}
	f.value.Store(&value)
	return value
}

// Last returns the content as it was when the file was last read, and never waits. Callers must not modify it.
func (f *File[T]) Last() T { return *f.value.Load() }

// Run reloads the file when it changes, until ctx ends, for users of Last.
func (f *File[T]) Run(ctx context.Context) error {
	return periodic.Run(ctx, lookEvery, func(context.Context) error {
		f.Current()
		return nil
	}, f.report)
}

// Folder is a value of type T that is parsed from the files of a folder. It is safe for concurrent use.
type Folder[T any] struct {
	path   string
	parse  func(fs.FS) (T, error)
	report func(error)
	value  atomic.Pointer[T]

	mu     sync.Mutex
	looked time.Time
	read   string // state of the folder when it was last read
	faulty string // state of the folder when an error was last reported
}

// OpenFolder parses a folder, which may be missing. It fails if parse fails. Errors of later versions are passed to report, and the last
// good value is kept.
func OpenFolder[T any](path string, parse func(fs.FS) (T, error), report func(error)) (*Folder[T], error) {
	f := &Folder[T]{path: path, parse: parse, report: report, read: state(path), looked: time.Now()}
	f.faulty = f.read
	value, err := parse(os.DirFS(path))
	f.value.Store(&value)
	return f, err
}

// Current returns the value, after reloading the folder if a file was added, removed or changed. Callers must not modify it.
func (f *Folder[T]) Current() T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookEvery {
		return *f.value.Load()
	}
	f.looked = time.Now()
	now := state(f.path)
	if now == f.read {
		return *f.value.Load()
	}
	value, err := f.parse(os.DirFS(f.path))
	if err == nil && now == "" {
		err = fmt.Errorf("%s: the folder is gone", f.path)
	}
	if err != nil {
		if now != f.faulty { // report each state once, but retry: reading may have failed
			f.report(err)
		}
		f.faulty = now
		return *f.value.Load()
	}
	f.read, f.faulty = now, now
	f.value.Store(&value)
	return value
}

// state returns the names, sizes and modification times of a folder's files, following links; "" if the folder cannot be read.
func state(path string) string {
	entries, err := os.ReadDir(path)
	if err != nil {
		return ""
	}
	var out strings.Builder
	fmt.Fprintln(&out, len(entries))
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(path, e.Name())); err == nil {
			fmt.Fprintln(&out, e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return out.String()
}
