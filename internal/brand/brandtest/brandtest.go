// Package brandtest has brands for tests.
package brandtest

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"pantheon/internal/brand"
)

// Pantheon returns the brand in brands/pantheon. It panics if the brand is malformed.
var Pantheon = sync.OnceValue(func() *brand.Brand {
	_, file, _, _ := runtime.Caller(0)
	b, err := brand.Load(os.DirFS(filepath.Join(filepath.Dir(file), "../../../brands/pantheon")))
	if err != nil {
		panic(err)
	}
	return b
})
