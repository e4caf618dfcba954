package brand

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

//go:embed all:starter
var starter embed.FS

// Init writes a small, complete brand to begin with into a folder, which must be empty or not exist.
func Init(folder string) error {
	switch entries, err := os.ReadDir(folder); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty", folder)
	}
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	return os.CopyFS(folder, files)
}
