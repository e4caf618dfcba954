// Command registrygen prints what the site reads of the brand in a folder; see brand.Brand.Registry. The build needs it before there is
// a binary.
package main

import (
	"fmt"
	"os"

	"pantheon/internal/brand"
)

func main() {
	b, err := brand.Load(os.DirFS(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = os.Stdout.Write(b.Registry())
}
