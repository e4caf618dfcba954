package site

import (
	"embed"
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
