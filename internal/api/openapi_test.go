package api_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
)

var update = flag.Bool("update", false, "write the contracts in api instead of comparing with them")

// contract is the API with all calls.
func contract() *api.API {
	return api.New(api.Options{
		HoldingsOptions: api.HoldingsOptions{Kinds: brandtest.Pantheon().Collections.Kinds()},
		RewardOptions:   api.RewardOptions{Faucet: noFaucet},
	})
}

// The web app's types are generated from the committed contract, so it must match the server.
// Spec: MARKET-1, API-8
func TestContract_CommittedContractIsTheOneServed(t *testing.T) {
	t.Parallel()
	console, err := api.NewConsole(api.ConsoleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*api.API{"openapi.yaml": contract(), "operate.yaml": console} {
		path := "../../api/" + name
		got, err := a.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("api/%s is out of date: run `make generate`", name)
		}
	}
}

// The site's page of the API names each call's section by its summary, and a screen reader lists the sections by name.
func TestContract_EachCallHasItsOwnSummary(t *testing.T) {
	t.Parallel()
	calls := map[string]string{}
	for path, item := range contract().OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			if other, ok := calls[op.Summary]; ok || op.Summary == "" {
				t.Errorf("%s (%s) and %s have the summary %q", op.OperationID, path, other, op.Summary)
			}
			calls[op.Summary] = op.OperationID
		}
	}
}

// Descriptions are struct tags and cannot use constants, so their numbers are compared with them here.
func TestContract_SaysTheNumbersOfTheRules(t *testing.T) {
	t.Parallel()
	text, err := contract().YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"JWT for the embedded wallet; lasts " + humanize.Duration(account.WalletTokenTTL) + ".",
		"a JWT that lasts " + humanize.Duration(account.TokenTTL) + ".",
		"jti can be used once, exp at most " + humanize.Duration(account.ContextTTL) + " away",
		"good once and for " + humanize.Duration(wallet.ChallengeTTL) + ", to be signed",
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the contract does not say %q", want)
		}
	}
}
