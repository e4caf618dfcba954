package metadata

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Folder keeps pictures in a folder, which replicas share.
type Folder struct{ Path string }

var (
	keyForm    = regexp.MustCompile(`^[0-9a-f]{64}$`)
	extensions = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/svg+xml": ".svg"}
)

// Has reports whether there is a whole picture: its smallest variant, which is written last.
func (f Folder) Has(_ context.Context, key string) (bool, error) {
	names, err := f.names(key)
	return len(names) > 0 && smallest.MatchString(names[0]), err
}

// smallest is how the files of smallest variants end: those of pictures, and of drawings.
var smallest = regexp.MustCompile(fmt.Sprintf(`-(%04d|%04d)\.[a-z]+$`, Widths[0], 0))

// Put keeps a picture. A file is there whole or not at all, also after a crash of the machine; the smallest is written last.
func (f Folder) Put(_ context.Context, p Picture) error {
	if !keyForm.MatchString(p.Key) {
		return fmt.Errorf("metadata: %q is no key of a picture", p.Key)
	}
	if err := os.MkdirAll(f.folder(p.Key), 0o750); err != nil {
		return err
	}
	for i := len(p.Variants) - 1; i >= 0; i-- {
		v := p.Variants[i]
		if err := f.write(p.Key, fmt.Sprintf("%04d%s", v.Width, extensions[p.Type]), v.Body); err != nil {
			return err
		}
	}
	return nil
}

func (f Folder) write(key, name string, body []byte) (err error) {
	file, err := os.CreateTemp(f.folder(key), "new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(body)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(f.folder(key), key+"-"+name))
}

// Get returns a picture in the smallest size that is at least width pixels wide, or in its largest, and its type. It returns
// fs.ErrNotExist if there is no such picture.
func (f Folder) Get(_ context.Context, key string, width int) (body []byte, kind string, err error) {
	names, err := f.names(key)
	if err != nil {
		return nil, "", err
	}
	if len(names) == 0 {
		return nil, "", fs.ErrNotExist
	}
	name := names[len(names)-1]
	for _, n := range names {
		var w int
		if _, err := fmt.Sscanf(strings.TrimPrefix(filepath.Base(n), key+"-"), "%d", &w); err == nil && w >= width {
			name = n
			break
		}
	}
	for t, extension := range extensions {
		if strings.HasSuffix(name, extension) {
			kind = t
		}
	}
	body, err = os.ReadFile(name)
	return body, kind, err
}

// names returns the files of a picture, the smallest first.
func (f Folder) names(key string) ([]string, error) {
	if !keyForm.MatchString(key) {
		return nil, nil
	}
	return filepath.Glob(filepath.Join(f.folder(key), key+"-*"))
}

func (f Folder) folder(key string) string { return filepath.Join(f.Path, key[:2]) }
