// Command bindgen writes the Go bindings of the contracts from the ABIs in the artifacts folder. It uses the abigen
// of the go-ethereum version in go.mod and leaves bytecode out: some of it is under GPL-3.0 and must not be committed.
//
// Usage: bindgen -artifacts DIR -out FILE
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ethereum/go-ethereum/accounts/abi/abigen"
)

// bound lists the contracts to bind. Where names are given, only those entries of the ABI are bound.
var bound = []struct {
	contract string
	entries  []string
}{
	{"Collection1155", nil},
	{"Collection721", nil},
	{"DirectListingsLogic", nil},
	{"ERC4337Factory", nil},
	{"EntryPoint", nil},
	{"GodToken", nil},
	{"MarketplaceV3", []string{"constructor", "initialize", "DEFAULT_ADMIN_ROLE", "hasRole", "multicall"}},
	{"PantheonAccount", []string{
		"execute", "executeBatch", "initialize", "owner", "entryPoint", "eip712Domain", "isValidSignature",
		"supportsInterface", "transferOwnership", "upgradeToAndCall", "delegateExecute", "storageStore",
		"error", "OwnershipTransferred", "Upgraded",
	}},
	{"PantheonPaymaster", nil},
	{"TestToken", nil},
}

// omitted are entries that are not bound again: abigen names the type of several results after the function alone, so
// that two contracts with the same function clash.
var omitted = map[string]string{"Collection721": "royaltyInfo"} // Collection1155 has it

func main() {
	artifacts := flag.String("artifacts", "artifacts", "folder of the built artifacts")
	out := flag.String("out", "bindings.gen.go", "file to write")
	flag.Parse()
	if err := run(*artifacts, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bindgen:", err)
		os.Exit(1)
	}
}

func run(artifacts, out string) error {
	var types, abis []string
	for _, b := range bound {
		abi, err := readABI(filepath.Join(artifacts, b.contract+".json"), b.entries, omitted[b.contract])
		if err != nil {
			return fmt.Errorf("%w (run make contracts)", err)
		}
		types, abis = append(types, b.contract), append(abis, abi)
	}
	code, err := abigen.BindV2(types, abis, make([]string, len(types)), "contracts", nil, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(code), 0o644)
}

// readABI returns the ABI of an artifact, reduced to the named entries when there are any, without the omitted one.
func readABI(file string, names []string, omitted string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var artifact struct {
		ABI []json.RawMessage `json:"abi"`
	}
	if err := json.Unmarshal(text, &artifact); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	var kept []json.RawMessage
	for _, entry := range artifact.ABI {
		var e struct{ Type, Name string }
		if err := json.Unmarshal(entry, &e); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		if omitted != "" && e.Name == omitted {
			continue
		}
		if names == nil || slices.Contains(names, e.Name) || slices.Contains(names, e.Type) {
			kept = append(kept, entry)
		}
	}
	abi, err := json.Marshal(kept)
	return string(abi), err
}
