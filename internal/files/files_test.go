package files_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"pantheon/internal/files"
	"pantheon/internal/kit/fault"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// bucket starts an object store and returns a bucket of it, and a function that stops the store.
func bucket(t *testing.T, name string) (b *files.Bucket, end func()) {
	t.Helper()
	store := s3mem.New()
	if err := store.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(store).Server())
	t.Cleanup(server.Close)
	b, err := files.NewBucket(files.BucketOptions{
		Endpoint: server.URL, Region: "eu-central-1", AccessKey: "key", SecretKey: "secret", Bucket: name,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b, server.Close
}

func TestFiles_AreKeptByName(t *testing.T) {
	t.Parallel()
	whole, _ := bucket(t, "pictures")
	part, _ := bucket(t, "pictures/portal/test")
	for kind, store := range map[string]files.Store{
		"folder": files.Folder{Path: filepath.Join(t.TempDir(), "new", "files")}, "bucket": whole, "part of a bucket": part,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if names, err := store.List(ctx, "ab/"); err != nil || len(names) > 0 {
				t.Errorf("there are %v, %v", names, err)
			}
			if _, err := store.Read(ctx, "ab/abc-1.png"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("reading what is not there: %v", err)
			}
			large := bytes.Repeat([]byte("picture "), 600_000)
			for name, content := range map[string][]byte{"ab/abc-2.png": large, "ab/abc-1.png": []byte("one"), "ab/abd-1.png": {1}, "top.txt": {0}} {
				if err := store.Write(ctx, name, content); err != nil {
					t.Fatal(err)
				}
				if read, err := store.Read(ctx, name); err != nil || !bytes.Equal(read, content) {
					t.Errorf("%s: %d bytes, %v", name, len(read), err)
				}
			}
			if err := store.Write(ctx, "ab/abc-1.png", []byte("another")); err != nil {
				t.Fatal(err)
			}
			if read, err := store.Read(ctx, "ab/abc-1.png"); err != nil || string(read) != "another" {
				t.Errorf("after a second writing: %q, %v", read, err)
			}
			for prefix, want := range map[string][]string{
				"ab/abc-": {"ab/abc-1.png", "ab/abc-2.png"}, "ab/": {"ab/abc-1.png", "ab/abc-2.png", "ab/abd-1.png"}, "b": nil,
			} {
				if names, err := store.List(ctx, prefix); err != nil || !slices.Equal(names, want) {
					t.Errorf("with %s begin %v, %v", prefix, names, err)
				}
			}
			for range 2 { // a file that is gone can be deleted too
				if err := store.Remove(ctx, "ab/abc-2.png"); err != nil {
					t.Error(err)
				}
			}
			if names, err := store.List(ctx, "ab/abc-"); err != nil || !slices.Equal(names, []string{"ab/abc-1.png"}) {
				t.Errorf("after one is deleted there are %v, %v", names, err)
			}
			for _, name := range []string{"", ".", "../secret", "/etc/passwd", "a//b"} {
				if err := store.Write(ctx, name, nil); err == nil {
					t.Errorf("%q is written", name)
				}
				if err := store.Remove(ctx, name); err == nil {
					t.Errorf("%q is deleted", name)
				}
			}
		})
	}
}

func TestFolder_OfAFileSystemThatFailsIsUnavailable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := files.Folder{Path: path} // not a directory
	_, listed := folder.List(t.Context(), "")
	_, read := folder.Read(t.Context(), "a")
	for what, err := range map[string]error{"list": listed, "read": read, "write": folder.Write(t.Context(), "a", nil)} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestFolder_DoesNotListTemporaryFiles(t *testing.T) {
	t.Parallel()
	folder := files.Folder{Path: t.TempDir()}
	if err := os.WriteFile(filepath.Join(folder.Path, "new-123"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if names, err := folder.List(t.Context(), ""); err != nil || len(names) > 0 {
		t.Errorf("%v, %v", names, err)
	}
}

func TestBucket_CheckSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"pictures": "", "pictures/in": "", "films": "The specified bucket does not exist"} {
		b, _ := bucket(t, name)
		if err := b.Check(t.Context()); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for _, endpoint := range []string{"", "s3.example", "https://s3.example/bucket"} {
		if _, err := files.NewBucket(files.BucketOptions{Endpoint: endpoint, Bucket: "pictures"}); err == nil {
			t.Errorf("%q is an address", endpoint)
		}
	}
}

func TestBucket_OfAStoreThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	b, end := bucket(t, "pictures")
	end()
	_, err := b.Read(t.Context(), "a.txt")
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("reading: %v", err)
	}
	if _, err := b.List(t.Context(), "a"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("listing: %v", err)
	}
	if err := b.Write(t.Context(), "a.txt", nil); !fault.Is(err, fault.Unavailable) {
		t.Errorf("writing: %v", err)
	}
}
