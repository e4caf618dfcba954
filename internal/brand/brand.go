// Package brand reads a brand: what a studio replaces to make the portal its own. A brand is a folder, which the build compiles into
// the binary.
package brand

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pantheon/internal/catalogue"
	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
)

// Brand is a brand that was read. It does not change.
type Brand struct {
	Collections *collections.Registry // collections.yaml, the one file that every brand has
	Catalogue   *catalogue.Catalogue  // catalogue.yaml and pictures
	Games                             // games.yaml
	Development Development           // development.yaml
	// The rules of the game, the webstore's products and the feature flags. They are read by those who know what they mean. The text is
	// nil where the brand has no such file.
	Rules, Products, Flags section.File
	// News has the Markdown files of news; see package news. The folder may be missing.
	News fs.FS
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

// prefix is the prefix of file names in error messages about a brand without a folder.
const prefix = "the brand's "

// Open returns the brand in a folder, or the built-in one if folder is "".
func Open(folder string) (*Brand, error) {
	if folder == "" {
		return Embedded()
	}
	b, err := Load(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	for _, f := range []*section.File{&b.Rules, &b.Products, &b.Flags} {
		f.Name = filepath.Join(folder, strings.TrimPrefix(f.Name, prefix))
	}
	return b, nil
}

// Load reads a brand's folder. The error lists every fault by file and field; those of the catalogue only where the collections have none.
func Load(folder fs.FS) (*Brand, error) {
	b := &Brand{}
	var faults []error
	read := func(name string) []byte { // nil for a file that does not exist
		text, err := fs.ReadFile(folder, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil && text == nil:
			text = []byte{}
		}
		faults = append(faults, err)
		return text
	}
	var err error
	if text := read("collections.yaml"); text == nil {
		faults = append(faults, errors.New("collections.yaml: is missing"))
	} else {
		b.Collections, err = collections.Parse("collections.yaml", text)
		faults = append(faults, err)
	}
	b.Catalogue = &catalogue.Catalogue{}
	if text := read("catalogue.yaml"); text != nil && b.Collections != nil {
		b.Catalogue, err = catalogue.Parse("catalogue.yaml", text, b.Collections, folder)
		faults = append(faults, err)
	}
	if text := read("games.yaml"); text != nil && b.Collections != nil {
		b.Games, err = parseGames("games.yaml", text, b.Collections)
		faults = append(faults, err)
	}
	if text := read("development.yaml"); text != nil && b.Collections != nil {
		b.Development, err = parseDevelopment("development.yaml", text, b)
		faults = append(faults, err)
	}
	// Operators have files of the same names.
	b.Rules = section.File{Name: prefix + "rules.yaml", Text: read("rules.yaml")}
	b.Products = section.File{Name: prefix + "products.yaml", Text: read("products.yaml")}
	b.Flags = section.File{Name: prefix + "flags.yaml", Text: read("flags.yaml")}
	if b.News, err = fs.Sub(folder, "news"); err != nil {
		faults = append(faults, err)
	}
	if b.Flags.Text == nil {
		faults = append(faults, errors.New("flags.yaml: is missing"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return b, nil
}
