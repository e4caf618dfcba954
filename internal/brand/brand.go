// Package brand reads a brand: what a studio replaces to make the portal its own. A brand is a folder, which the build compiles into
// the binary.
package brand

import (
	"embed"
	"errors"
	"io/fs"

	"pantheon/internal/catalogue"
	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
)

// Brand is a brand that was read. It does not change.
type Brand struct {
	Collections *collections.Registry // collections.yaml
	Catalogue   *catalogue.Catalogue  // catalogue.yaml and pictures
	// The rules of the game, the webstore's products and the feature flags. They are read by those who know what they mean.
	Rules, Products, Flags section.File
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
	for name, file := range map[string]*section.File{"rules.yaml": &b.Rules, "products.yaml": &b.Products, "flags.yaml": &b.Flags} {
		if text, err = fs.ReadFile(folder, name); err != nil {
			return nil, err
		}
		*file = section.File{Name: "the brand's " + name, Text: text} // operators have files of the same names
	}
	return b, nil
}
