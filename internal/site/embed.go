package site

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

//go:embed all:dist
var embedded embed.FS

// Embedded returns the web build compiled into the binary. It contains no page if the binary was compiled without one.
func Embedded() fs.FS {
	sub, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // unreachable: the embed directive names the folder
	}
	return sub
}

// Open returns the web build in a folder, or the built-in one if folder is "". A folder without a build is an error.
func Open(folder string) (fs.FS, error) {
	if folder == "" {
		return Embedded(), nil
	}
	build := os.DirFS(folder)
	if _, err := fs.Stat(build, shellFile); err != nil {
		return nil, fmt.Errorf("%s has no web build: %w", folder, err)
	}
	return build, nil
}

// placeholdersFile is in a build whose legal texts are those that a new brand begins with.
const placeholdersFile = "placeholders.txt"

// HasPlaceholders reports whether the legal texts of a build are placeholders, which must not be shown to real players.
func HasPlaceholders(build fs.FS) bool {
	_, err := fs.Stat(build, placeholdersFile)
	return err == nil
}

// BrandPages are the brand's pages to which the portal itself leads. A build without pages has none.
type BrandPages struct {
	Support       string   `json:"support"`       // where players write to support
	DeleteAccount string   `json:"deleteAccount"` // where deleting an account is requested, and taken back
	Legal         []string `json:"legal"`         // legal texts
}

const brandPagesFile = "brand-pages.json"

// ReadBrandPages returns the brand's pages of a build.
func ReadBrandPages(build fs.FS) (p BrandPages, err error) {
	if _, err := fs.Stat(build, routesFile); errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	text, err := fs.ReadFile(build, brandPagesFile)
	if err != nil {
		return p, fmt.Errorf("site: the web build is incomplete, build it again: %w", err)
	}
	return p, json.Unmarshal(text, &p)
}

// Manifest is what the build says of itself to browsers (W3C Web Application Manifest).
type Manifest struct {
	Name       string `json:"name"`
	ThemeColor string `json:"theme_color"`
}

// ReadManifest returns the manifest of a build; that of a build without pages is empty.
func ReadManifest(build fs.FS) (m Manifest, err error) {
	text, err := fs.ReadFile(build, "manifest.webmanifest")
	if err != nil {
		return m, nil
	}
	return m, json.Unmarshal(text, &m)
}
