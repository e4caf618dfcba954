package site

import (
	"embed"
	"encoding/json"
	"io/fs"
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
