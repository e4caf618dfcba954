package api_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"pantheon/internal/api"
)

var update = flag.Bool("update", false, "write api/openapi.yaml instead of comparing with it")

// The web app's types are generated from the committed contract, so it must match the server.
func TestContract_CommittedContractIsTheOneServed(t *testing.T) {
	t.Parallel()
	const path = "../../api/openapi.yaml"
	got, err := api.New(api.Options{Faucet: noFaucet}).YAML()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("api/openapi.yaml is out of date: run `make generate`")
	}
}
