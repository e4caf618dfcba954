package webstore_test

import (
	"testing"

	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/webstore"
)

func TestReference_OutlivesAReplacementOfTheKey(t *testing.T) {
	t.Parallel()
	former, next := []byte("the former key"), []byte("the next key")
	reference := webstore.NewReferences(keyset.Keys{former}).Of("0123")
	if id, ok := webstore.NewReferences(keyset.Keys{next, former}).HandOff(reference); !ok || id != "0123" {
		t.Errorf("with both keys: %q, %v", id, ok)
	}
	if _, ok := webstore.NewReferences(keyset.Keys{next}).HandOff(reference); ok {
		t.Error("the former key is still accepted")
	}
}
