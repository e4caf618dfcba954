package contracts_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
)

// tables are hashes of drop tables; 0 is no table.
func tables(n ...byte) (out [][32]byte) {
	for _, i := range n {
		out = append(out, [32]byte{31: i})
	}
	return out
}

// fixed returns the table of a pack as the contract has it, by the last byte of its hash, and the cap.
func (g *game) fixed(id int64) string {
	g.Helper()
	contract, many, abi := g.Collections["chests"], contracts.NewCollection1155(), contracts.NewChests()
	table := ask(g, contract, abi.PackTableOf(big.NewInt(id)), abi.UnpackTableOf)
	return fmt.Sprintf("table %d, at most %d", table[31], ask(g, contract, many.PackMaxSupply(big.NewInt(id)), many.UnpackMaxSupply))
}

// Spec: DRAW-6
func TestChests_TableIsFixedOnceWithItsCap(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	contract, abi, many := g.Collections["chests"], contracts.NewChests(), contracts.NewCollection1155()
	want := func(when string, id int64, want string) {
		t.Helper()
		if got := g.fixed(id); got != want {
			t.Errorf("%s, pack %d: %s, want %s", when, id, got, want)
		}
	}
	type unauthorized = contracts.Collection1155AccessControlUnauthorizedAccount
	fix := abi.PackFixTables
	tooMany := []*big.Int{new(big.Int).Lsh(big.NewInt(1), 128)}
	for what, c := range map[string]struct {
		from devnet.Role
		data []byte
		want any
	}{
		"a minter":         {devnet.Claimer, fix(numbers(1), tables(7), numbers(10)), &unauthorized{}},
		"a stranger":       {outsider, fix(numbers(1), tables(7), numbers(10)), &unauthorized{}},
		"no table":         {devnet.Manager, fix(numbers(1, 2), tables(7, 0), numbers(10, 20)), &contracts.ChestsTableMissing{}},
		"the same twice":   {devnet.Manager, fix(numbers(1, 1), tables(7, 7), numbers(10, 10)), &contracts.ChestsTableFixedAlready{}},
		"a cap of nothing": {devnet.Manager, fix(numbers(1, 2), tables(7, 8), numbers(10, 0)), &contracts.Collection1155MaxSupplyInvalid{}},
		"a cap of 2^128":   {devnet.Manager, fix(numbers(1), tables(7), tooMany), &contracts.Collection1155MaxSupplyInvalid{}},
		"a table too few":  {devnet.Manager, fix(numbers(1, 2), tables(7), numbers(10, 20)), &contracts.Collection1155LengthMismatch{}},
		"a table too many": {devnet.Manager, fix(numbers(1), tables(7, 8), numbers(10)), &contracts.Collection1155LengthMismatch{}},
		"a cap too few":    {devnet.Manager, fix(numbers(1, 2), tables(7, 8), numbers(10)), &contracts.Collection1155LengthMismatch{}},
		"a cap too many":   {devnet.Manager, fix(numbers(1), tables(7), numbers(10, 20)), &contracts.Collection1155LengthMismatch{}},
		"a cap alone":      {devnet.Manager, many.PackSetMaxSupply(numbers(1), numbers(10)), &contracts.ChestsTableMissing{}},
	} {
		_, err := g.try(c.from, contract, c.data)
		if got := refusal(err); fmt.Sprintf("%T", got) != fmt.Sprintf("%T", c.want) {
			t.Errorf("%s: %T, %v, want %T", what, got, err, c.want)
		}
		want("after "+what, 1, "table 0, at most 0")
	}

	receipt := g.must(devnet.Manager, contract, fix(numbers(1, 3), tables(7, 9), numbers(10, 30)))
	var events []string
	for _, log := range receipt.Logs {
		if e, err := abi.UnpackTableFixedEvent(log); err == nil {
			events = append(events, fmt.Sprintf("table %s %d", e.Id, e.Table[31]))
		}
		if e, err := many.UnpackMaxSupplySetEvent(log); err == nil {
			events = append(events, fmt.Sprintf("cap %s %s", e.Id, e.Max))
		}
	}
	if got := fmt.Sprint(events); got != "[table 1 7 table 3 9 cap 1 10 cap 3 30]" {
		t.Errorf("the events are %s", got)
	}
	for what, data := range map[string][]byte{
		"another table":        fix(numbers(1), tables(8), numbers(10)),
		"the same table":       fix(numbers(1), tables(7), numbers(10)),
		"no table":             fix(numbers(1), tables(0), numbers(10)),
		"a table beside a new": fix(numbers(2, 1), tables(6, 8), numbers(10, 10)),
	} {
		_, err := g.try(devnet.Manager, contract, data)
		if e, ok := refusal(err).(*contracts.ChestsTableFixedAlready); !ok || e.Id.Int64() != 1 || e.Table != tables(7)[0] {
			t.Errorf("%s for a pack that has one: %v", what, err)
		}
	}
	_, err := g.try(devnet.Manager, contract, many.PackSetMaxSupply(numbers(1), numbers(20)))
	if e, ok := refusal(err).(*contracts.Collection1155MaxSupplyFixed); !ok || e.Max.Int64() != 10 {
		t.Errorf("another cap for a pack that has one: %v", err)
	}
	want("in the end", 1, "table 7, at most 10")
	want("in the end", 2, "table 0, at most 0")
	want("in the end", 3, "table 9, at most 30")
}

// Spec: DRAW-6
func TestChests_OnlyPacksWithATableAreMintedUpToTheirCap(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	contract, abi, many := g.Collections["chests"], contracts.NewChests(), contracts.NewCollection1155()
	seller, other := common.Address(devnet.WalletOf(devnet.Seller(1)).Address), common.Address(devnet.WalletOf(devnet.Seller(2)).Address)
	mint := func(id, amount int64) []byte { return many.PackMint(seller, big.NewInt(id), big.NewInt(amount), nil) }
	refuse := func(what string, data []byte, id int64) {
		t.Helper()
		_, err := g.try(devnet.Manager, contract, data)
		if e, ok := refusal(err).(*contracts.ChestsTableMissing); !ok || e.Id.Int64() != id {
			t.Errorf("%s: %v", what, err)
		}
	}
	refuse("a pack before its table is fixed", mint(1, 1), 1)
	refuse("no copies of it", mint(1, 0), 1)
	g.must(devnet.Manager, contract, abi.PackFixTables(numbers(1), tables(7), numbers(10)))
	refuse("a pack without a table among others", many.PackMintBatch(seller, numbers(1, 2), numbers(1, 1), nil), 2)
	if n := ask(g, contract, many.PackMinted(big.NewInt(1)), many.UnpackMinted); n.Sign() != 0 {
		t.Errorf("%v were minted by calls that were refused", n)
	}

	g.must(devnet.Manager, contract, mint(1, 6))
	g.must(devnet.Seller(1), contract, many.PackBurn(seller, big.NewInt(1), big.NewInt(6)))
	for what, data := range map[string][]byte{
		"five with four left": mint(1, 5), "five in a batch": many.PackMintBatch(seller, numbers(1, 1), numbers(4, 1), nil),
	} {
		_, err := g.try(devnet.Manager, contract, data)
		if e, ok := refusal(err).(*contracts.Collection1155MaxSupplyExceeded); !ok || e.Id.Int64() != 1 || e.Max.Int64() != 10 {
			t.Errorf("%s: %v", what, err)
		}
	}
	g.must(devnet.Manager, contract, mint(1, 4))
	if _, err := g.try(outsider, contract, mint(1, 0)); err == nil {
		t.Error("a stranger mints packs")
	}
	// All are traded and burned as those of other collections.
	g.must(devnet.Seller(1), contract, many.PackSafeTransferFrom(seller, other, big.NewInt(1), big.NewInt(1), nil))
	g.must(devnet.Seller(1), contract, many.PackBurnBatch(seller, numbers(1), numbers(3)))
	if got := g.fixed(1); got != "table 7, at most 10" {
		t.Errorf("in the end: %s", got)
	}
}
