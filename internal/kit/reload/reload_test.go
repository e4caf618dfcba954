package reload_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/reload"
	"pantheon/internal/testkit"
)

func parse(_ string, text []byte) (string, error) {
	if string(text) == "bad" {
		return "", errors.New("bad content")
	}
	return string(text), nil
}

// write writes a version of the file with a modification time of its own.
func write(t *testing.T, path, text string, version int) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000+int64(version), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func await(t *testing.T, f *reload.File[string], want string) {
	t.Helper()
	testkit.Eventually(t, time.Minute, func() bool { return f.Current() == want }, "the content is not %q", want)
}

func TestReload_TheLastGoodVersionCounts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "one", 1)
	reported := make(chan error, 10)
	f, err := reload.Open(path, "", nil, parse, func(err error) { reported <- err })
	if err != nil || f.Current() != "one" {
		t.Fatalf("%q, %v", f.Current(), err)
	}
	write(t, path, "two", 2)
	await(t, f, "two")
	write(t, path, "bad", 3)
	for err = nil; err == nil; {
		f.Current()
		select {
		case err = <-reported:
		default:
		}
	}
	if err.Error() != "bad content" || f.Current() != "two" {
		t.Errorf("reported %v, the content is %q", err, f.Current())
	}
	write(t, path, "three", 4)
	await(t, f, "three")
}

// Last never reads the file; Run does.
func TestReload_RunReloadsForUsersOfLast(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "one", 1)
	f, err := reload.Open(path, "", nil, parse, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "two", 2)
	if f.Last() != "one" {
		t.Errorf("the content is %q before the file was read again", f.Last())
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	testkit.Eventually(t, time.Minute, func() bool { return f.Last() == "two" }, "the file is not read again")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Last is used within transactions, for which a reading of the file may wait.
func TestReload_LastDoesNotWaitForTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "one", 1)
	var f *reload.File[string]
	begun, end := make(chan bool, 1), make(chan bool)
	slow := func(name string, text []byte) (string, error) {
		if f != nil {
			begun <- true
			<-end
		}
		return parse(name, text)
	}
	f, err := reload.Open(path, "", nil, slow, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "two", 2)
	done := make(chan string)
	go func() { done <- f.Current() }()
	<-begun
	if got := f.Last(); got != "one" {
		t.Errorf("the content is %q", got)
	}
	close(end)
	if got := <-done; got != "two" || f.Last() != "two" {
		t.Errorf("the content is %q, then %q", got, f.Last())
	}
}

func TestReload_WhatCannotBeReadAtFirstIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if _, err := reload.Open(path, "", nil, parse, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	write(t, path, "bad", 1)
	if _, err := reload.Open(path, "", nil, parse, nil); err == nil {
		t.Error("bad content is taken")
	}
	if f, err := reload.Open("", "built-in", []byte("content"), parse, nil); err != nil || f.Current() != "content" {
		t.Errorf("built-in content: %v", err)
	}
}

func TestReload_TheLastGoodVersionOfAFolderCounts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	names := func(files fs.FS) (string, error) {
		entries, err := fs.ReadDir(files, ".")
		var all []string
		for _, e := range entries {
			if e.Name() == "bad" {
				return "", errors.New("bad content")
			}
			text, err := fs.ReadFile(files, e.Name())
			if err != nil {
				return "", err
			}
			all = append(all, e.Name()+string(text))
		}
		return strings.Join(all, " "), err
	}
	reported := make(chan error, 10)
	f, err := reload.OpenFolder(folder, names, func(err error) { reported <- err })
	if err != nil || f.Current() != "" {
		t.Fatalf("%q, %v", f.Current(), err)
	}
	await := func(want string) {
		t.Helper()
		testkit.Eventually(t, time.Minute, func() bool { return f.Current() == want }, "the content is not %q", want)
	}
	write(t, filepath.Join(folder, "a"), "1", 1)
	await("a1")
	write(t, filepath.Join(folder, "b"), "1", 2)
	await("a1 b1")
	write(t, filepath.Join(folder, "b"), "2", 3)
	await("a1 b2")
	write(t, filepath.Join(folder, "bad"), "", 4)
	testkit.Eventually(t, time.Minute, func() bool { f.Current(); return len(reported) > 0 }, "the fault is not reported")
	if err := <-reported; err.Error() != "bad content" || f.Current() != "a1 b2" {
		t.Errorf("reported %v, the content is %q", err, f.Current())
	}
	if err := os.Remove(filepath.Join(folder, "bad")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "a")); err != nil {
		t.Fatal(err)
	}
	await("b2")
	if len(reported) != 0 {
		t.Errorf("a fault is reported again: %v", <-reported)
	}
	if _, err := reload.OpenFolder(filepath.Join(folder, "nowhere"), func(fs.FS) (int, error) { return 0, nil }, nil); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
