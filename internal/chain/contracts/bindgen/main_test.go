package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed bindings match the built contracts.
func TestBindgen_BindingsAreUpToDate(t *testing.T) {
	t.Parallel()
	fresh := filepath.Join(t.TempDir(), "bindings.go")
	if err := run("../artifacts", fresh); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../bindings.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("bindings.gen.go differs from the artifacts: run make generate")
	}
}

func TestBindgen_MissingArtifactIsAnError(t *testing.T) {
	t.Parallel()
	if err := run(t.TempDir(), filepath.Join(t.TempDir(), "bindings.go")); err == nil {
		t.Error("bindings were made of nothing")
	}
}
