// Package brandtest has brands for tests.
package brandtest

import (
	"os"
	"path/filepath"
	"sync"

	"pantheon/internal/brand"
)

// Pantheon returns the brand in brands/pantheon. It panics if the brand is malformed.
var Pantheon = sync.OnceValue(func() *brand.Brand {
	root, err := Root()
	if err != nil {
		panic(err)
	}
	b, err := brand.Load(os.DirFS(filepath.Join(root, "brands/pantheon")))
	if err != nil {
		panic(err)
	}
	return b
})

// Root returns the folder of the module, which tests run below.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || folder == filepath.Dir(folder) {
			return folder, err
		}
	}
}
