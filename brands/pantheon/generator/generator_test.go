package generator

import (
	"testing"

	"pantheon/internal/brand/brandtest"
)

func load(t testing.TB) *Generator {
	t.Helper()
	g, err := New(brandtest.Pantheon().Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
