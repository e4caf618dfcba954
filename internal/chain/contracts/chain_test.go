package contracts_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"go.uber.org/goleak"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, devnettest.LeakOptions()...) }

// game is a chain with the contracts of the game side.
type game struct {
	testing.TB
	world.Addresses
	client *ethclient.Client
}

func newGame(t testing.TB) *game {
	t.Helper()
	c := devnettest.Run(t, devnet.Options{MaxLead: 12 * time.Hour}) // never paced: tests and benchmarks need each block at once
	a, err := world.Deploy(t.Context(), c.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &game{t, a, ethclient.NewClient(c.Client())}
}

// try sends a call from a wallet and returns its receipt, or the reason it would revert.
func (g *game) try(from devnet.Role, to eth.Address, data []byte) (*types.Receipt, error) {
	g.Helper()
	return g.pay(from, to, new(big.Int), data)
}

// pay is try with ether, in wei.
func (g *game) pay(from devnet.Role, to eth.Address, value *big.Int, data []byte) (*types.Receipt, error) {
	g.Helper()
	target := common.Address(to)
	gas, err := g.client.EstimateGas(g.Context(), ethereum.CallMsg{
		From: common.Address(devnet.WalletOf(from).Address), To: &target, Value: value, Data: data,
	})
	if err != nil {
		return nil, err
	}
	receipt := g.send(from, to, value, data, gas*2)
	if receipt.Status != types.ReceiptStatusSuccessful {
		return receipt, fmt.Errorf("transaction %s reverted", receipt.TxHash)
	}
	return receipt, nil
}

// send sends a transaction, even one that will revert, and returns its receipt.
func (g *game) send(from devnet.Role, to eth.Address, value *big.Int, data []byte, gas uint64) *types.Receipt {
	g.Helper()
	ctx, wallet, target := g.Context(), devnet.WalletOf(from), common.Address(to)
	nonce, err := g.client.PendingNonceAt(ctx, common.Address(wallet.Address))
	if err != nil {
		g.Fatal(err)
	}
	id := big.NewInt(devnettest.GameChain)
	tx, err := types.SignNewTx(wallet.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: &target, Value: value, Data: data, Gas: gas, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(1e9),
	})
	if err != nil {
		g.Fatal(err)
	}
	receipt, err := g.client.SendTransactionSync(ctx, tx, nil)
	if err != nil {
		g.Fatal(err)
	}
	return receipt
}

// must sends a call that must succeed.
func (g *game) must(from devnet.Role, to eth.Address, data []byte) *types.Receipt {
	g.Helper()
	receipt, err := g.try(from, to, data)
	if err != nil {
		g.Fatal(err)
	}
	return receipt
}

// ask reads a contract.
func ask[T any](g *game, to eth.Address, data []byte, unpack func([]byte) (T, error)) T {
	g.Helper()
	target := common.Address(to)
	out, err := g.client.CallContract(g.Context(), ethereum.CallMsg{To: &target, Data: data}, nil)
	if err != nil {
		g.Fatal(err)
	}
	value, err := unpack(out)
	if err != nil {
		g.Fatal(err)
	}
	return value
}

// packed returns a call's data; packing must not fail.
func packed(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// usdc returns an account's USDC in base units.
func (g *game) usdc(owner eth.Address) int64 {
	g.Helper()
	abi := contracts.NewTestToken()
	return ask(g, g.USDC, abi.PackBalanceOf(common.Address(owner)), abi.UnpackBalanceOf).Int64()
}

// owner returns the owner of a token of an ERC-721 collection.
func (g *game) owner(slug string, id int64) eth.Address {
	g.Helper()
	abi := contracts.NewCollection721()
	return eth.Address(ask(g, g.Collections[slug], abi.PackOwnerOf(big.NewInt(id)), abi.UnpackOwnerOf))
}

// copies returns how many of an ERC-1155 token an account has.
func (g *game) copies(slug string, owner eth.Address, id int64) int64 {
	g.Helper()
	abi := contracts.NewCollection1155()
	return ask(g, g.Collections[slug], abi.PackBalanceOf(common.Address(owner), big.NewInt(id)), abi.UnpackBalanceOf).Int64()
}

// list mints ten copies of a game item to a seller, and lists them at a price in base units of USDC. It returns the id.
func (g *game) list(seller devnet.Role, item, price int64) *big.Int {
	g.Helper()
	return g.listMany(seller, item, price, 10)
}

// listMany is list for any number of copies.
func (g *game) listMany(seller devnet.Role, item, price, copies int64) *big.Int {
	g.Helper()
	items, owner := g.Collections["game-items"], devnet.WalletOf(seller).Address
	g.must(devnet.Manager, items, packed(contracts.Mint1155(owner, big.NewInt(item), big.NewInt(copies))))
	g.must(seller, items, contracts.NewCollection1155().PackSetApprovalForAll(common.Address(g.Marketplace), true))
	abi := contracts.NewDirectListingsLogic()
	params := g.parameters(item, price)
	params.Quantity = big.NewInt(copies)
	receipt := g.must(seller, g.Marketplace, abi.PackCreateListing(params))
	return event(g, receipt, abi.UnpackNewListingEvent).ListingId
}

// parameters are those of a listing of ten copies of a game item that is open from now on.
func (g *game) parameters(item, price int64) contracts.IDirectListingsListingParameters {
	g.Helper()
	head, err := g.client.HeaderByNumber(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	return contracts.IDirectListingsListingParameters{
		AssetContract: common.Address(g.Collections["game-items"]), TokenId: big.NewInt(item), Quantity: big.NewInt(10),
		Currency: common.Address(g.USDC), PricePerToken: big.NewInt(price),
		StartTimestamp: new(big.Int).SetUint64(head.Time), EndTimestamp: new(big.Int).SetUint64(head.Time + 86_400),
	}
}

// event returns the only event of a kind in a receipt.
func event[E any](g *game, receipt *types.Receipt, unpack func(*types.Log) (*E, error)) *E {
	g.Helper()
	var found []*E
	for _, log := range receipt.Logs {
		if e, err := unpack(log); err == nil {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		g.Fatalf("there are %d events of the kind %T", len(found), *new(E))
	}
	return found[0]
}
