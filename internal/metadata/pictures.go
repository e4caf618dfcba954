package metadata

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Files is a store of named files; see files.Store.
type Files interface {
	List(ctx context.Context, prefix string) ([]string, error)
	Read(ctx context.Context, name string) ([]byte, error)
	Write(ctx context.Context, name string, content []byte) error
	Remove(ctx context.Context, name string) error
}

// PictureStore stores pictures, one file per variant, named by the picture's key and the variant's width. It is safe for concurrent use.
type PictureStore struct {
	files Files

	mu    sync.Mutex
	known map[string][]string // the files of complete pictures, smallest first; they never change
}

// NewPictureStore returns a store of pictures in files.
func NewPictureStore(f Files) *PictureStore {
	return &PictureStore{files: f, known: map[string][]string{}}
}

// maxKnown is how many pictures a store remembers the files of: a page has dozens, and listing files is slow in a bucket.
const maxKnown = 20_000

var (
	keyForm    = regexp.MustCompile(`^[0-9a-f]{64}$`)
	extensions = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/svg+xml": ".svg"}
)

// Has reports whether a picture is complete: whether its smallest variant exists, which Put writes last.
func (s *PictureStore) Has(ctx context.Context, key string) (bool, error) {
	names, err := s.list(ctx, key)
	return isComplete(names), err
}

func isComplete(names []string) bool { return len(names) > 0 && smallest.MatchString(names[0]) }

// smallest matches the file names of smallest variants: of raster images, and of SVGs.
var smallest = regexp.MustCompile(fmt.Sprintf(`-(%04d|%04d)\.[a-z]+$`, Widths[0], 0))

// Put stores a picture. The smallest variant is written last.
func (s *PictureStore) Put(ctx context.Context, p Picture) error {
	if !keyForm.MatchString(p.Key) {
		return fmt.Errorf("metadata: %q is no key of a picture", p.Key)
	}
	for i := len(p.Variants) - 1; i >= 0; i-- {
		v := p.Variants[i]
		if err := s.files.Write(ctx, fmt.Sprintf("%s%04d%s", prefixOf(p.Key), v.Width, extensions[p.Type]), v.Body); err != nil {
			return err
		}
	}
	return nil
}

// Get returns a picture in the smallest size that is at least width pixels wide, or in its largest, and its type. It returns
// fs.ErrNotExist if there is no such picture.
func (s *PictureStore) Get(ctx context.Context, key string, width int) (body []byte, kind string, err error) {
	names, known, err := s.names(ctx, key)
	if err != nil {
		return nil, "", err
	}
	if len(names) == 0 {
		return nil, "", fs.ErrNotExist
	}
	name := names[len(names)-1]
	for _, n := range names {
		var w int
		if _, err := fmt.Sscanf(strings.TrimPrefix(n, prefixOf(key)), "%d", &w); err == nil && w >= width {
			name = n
			break
		}
	}
	for t, extension := range extensions {
		if path.Ext(name) == extension {
			kind = t
		}
	}
	if body, err = s.files.Read(ctx, name); errors.Is(err, fs.ErrNotExist) && known {
		s.mu.Lock()
		delete(s.known, key) // somebody else has deleted it, and may have stored it again
		s.mu.Unlock()
		return s.Get(ctx, key, width)
	}
	return body, kind, err
}

// Remove deletes a picture; one that does not exist is no error. Its smallest variant is deleted first, so that the rest is none.
func (s *PictureStore) Remove(ctx context.Context, key string) error {
	s.mu.Lock()
	delete(s.known, key)
	s.mu.Unlock()
	names, err := s.list(ctx, key)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.files.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// names returns the files of a picture, smallest first, and whether they were known.
func (s *PictureStore) names(ctx context.Context, key string) (names []string, known bool, err error) {
	s.mu.Lock()
	names, known = s.known[key]
	s.mu.Unlock()
	if known {
		return names, true, nil
	}
	names, err = s.list(ctx, key)
	if err == nil && isComplete(names) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.known) >= maxKnown {
			clear(s.known)
		}
		s.known[key] = names
	}
	return names, false, err
}

func (s *PictureStore) list(ctx context.Context, key string) ([]string, error) {
	if !keyForm.MatchString(key) {
		return nil, nil
	}
	return s.files.List(ctx, prefixOf(key))
}

// prefixOf returns the name prefix of a picture's files, which are sharded by the first two digits of the key.
func prefixOf(key string) string { return key[:2] + "/" + key + "-" }
