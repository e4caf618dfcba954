// Package contracts provides the contracts the portal uses: typed bindings (bindings.gen.go, generated from the ABIs by
// abigen), the build artifacts with their creation bytecode, CREATE2 and smart-account addresses, and the calls the
// portal sends most often.
//
// The package is pure computation: it makes no calls and has no state, and all of it is safe for concurrent use.
// Addresses and hashes are those of kit/eth; the bindings use go-ethereum's, which convert to and from them.
package contracts

import (
	"bytes"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"

	"pantheon/internal/kit/eth"
)

//go:generate go run ./bindgen

//go:embed artifacts
var artifacts embed.FS

// Built is a built contract.
type Built struct {
	Name     string
	ABI      abi.ABI
	Bytecode []byte // creation bytecode, without constructor arguments

	// Source is what it was compiled from; zero for what a package has compiled.
	Source Source

	runtime    []byte   // what is deployed; zeros in the place of immutables
	immutables [][2]int // start and length of each in runtime
}

// Source is what a contract was compiled from, as block explorers verify it.
type Source struct {
	File     string `json:"file"`     // that has the contract, in the compiler's input
	Input    string `json:"input"`    // the name of the compiler's input; see Input
	Compiler string `json:"compiler"` // the compiler's version, such as "0.8.37+commit.…"
}

// Input returns an input of the compiler, in Solidity's standard JSON form.
func Input(name string) ([]byte, error) { return artifacts.ReadFile("artifacts/" + name) }

// Artifact returns a built contract by its Solidity name, such as "EntryPoint". Artifacts are not part of the source
// tree; the error for a missing one says how to build them.
func Artifact(name string) (*Built, error) {
	text, err := artifacts.ReadFile("artifacts/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("contracts: the artifact of %s is missing: run make contracts, then build again", name)
	}
	var file struct {
		Name     string          `json:"name"`
		ABI      json.RawMessage `json:"abi"`
		Bytecode string          `json:"bytecode"`

		Runtime    string   `json:"runtime"`
		Immutables [][2]int `json:"immutables"`
		Source     Source   `json:"source"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("contracts: artifact %s: %w", name, err)
	}
	parsed, err := abi.JSON(strings.NewReader(string(file.ABI)))
	if err != nil {
		return nil, fmt.Errorf("contracts: artifact %s: %w", name, err)
	}
	code, err := hex.DecodeString(strings.TrimPrefix(file.Bytecode, "0x"))
	if err != nil {
		return nil, fmt.Errorf("contracts: artifact %s: %w", name, err)
	}
	runtime, err := hex.DecodeString(strings.TrimPrefix(file.Runtime, "0x"))
	if err != nil {
		return nil, fmt.Errorf("contracts: artifact %s: %w", name, err)
	}
	return &Built{
		Name: file.Name, ABI: parsed, Bytecode: code, Source: file.Source, runtime: runtime, immutables: file.Immutables,
	}, nil
}

// IsCode reports whether code is that of a deployed instance of the contract, whatever its constructor's arguments.
func (b *Built) IsCode(code []byte) bool {
	if len(code) != len(b.runtime) {
		return false
	}
	code = bytes.Clone(code)
	for _, place := range b.immutables {
		clear(code[place[0] : place[0]+place[1]])
	}
	return bytes.Equal(code, b.runtime)
}

// CodeHash returns the Keccak-256 hash of the deployed code, with zeros in the place of immutables.
func (b *Built) CodeHash() eth.Hash { return eth.Keccak256(b.runtime) }

// Required are the contracts of which the portal needs this very code.
var Required = []string{"EntryPoint", "ERC4337Factory", "PantheonAccount", "PantheonPaymaster"}

// InitCode returns the creation bytecode with the constructor's arguments appended, in Solidity's order.
func (b *Built) InitCode(args ...any) ([]byte, error) {
	packed, err := b.ABI.Pack("", args...)
	if err != nil {
		return nil, fmt.Errorf("contracts: constructor of %s: %w", b.Name, err)
	}
	return append(b.Bytecode[:len(b.Bytecode):len(b.Bytecode)], packed...), nil
}
