// Package brand reads a brand: what a studio replaces to make the portal its own. A brand is a folder, which the build compiles into
// the binary.
package brand

import (
	"embed"
	"errors"
	"io/fs"

	"pantheon/internal/catalogue"
	"pantheon/internal/collections"
)

// Brand is a brand that was read. It does not change.
type Brand struct {
	Collections *collections.Registry // collections.yaml
	Catalogue   *catalogue.Catalogue  // catalogue.yaml and pictures
}

//go:embed all:files
var embedded embed.FS

// Embedded returns the brand that is compiled into the binary.
func Embedded() (*Brand, error) {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(files, "collections.yaml"); errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("this binary was built without a brand: build it with make build")
	}
	return Load(files)
}

// Load reads a brand's folder. The error lists every fault by file and field.
func Load(folder fs.FS) (*Brand, error) {
	b := &Brand{}
	text, err := fs.ReadFile(folder, "collections.yaml")
	if err == nil {
		b.Collections, err = collections.Parse("collections.yaml", text)
	}
	if err != nil {
		return nil, err
	}
	if text, err = fs.ReadFile(folder, "catalogue.yaml"); err == nil {
		b.Catalogue, err = catalogue.Parse("catalogue.yaml", text, b.Collections, folder)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}
