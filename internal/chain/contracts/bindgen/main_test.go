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
	if err := run("../artifacts", "../../../..", fresh); err != nil {
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
	if err := run(t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "bindings.go")); err == nil {
		t.Error("bindings were made of nothing")
	}
}

func TestBindgen_KeepsWhatIsNamedAndWhatThatNeeds(t *testing.T) {
	t.Parallel()
	const code = `package p

import "errors"

var _ = errors.New

// A is bound.
type A struct{ b B }

type B struct{}

type C struct{}

// Called is named.
func (a *A) Called() error { return a.helper() }

func (a *A) helper() error { return nil }

func (a *A) Idle() C { return C{} }

func (c *C) helper() {}
`
	const want = `package p

import "errors"

var _ = errors.New

// A is bound.
type A struct{ b B }

type B struct{}

// Called is named.
func (a *A) Called() error { return a.helper() }

func (a *A) helper() error { return nil }
`
	got, err := prune(code, map[string]bool{"Called": true})
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
