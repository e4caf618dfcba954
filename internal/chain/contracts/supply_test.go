package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
)

// deploy deploys a contract and returns its address.
func (g *game) deploy(name string, args ...any) eth.Address {
	g.Helper()
	d, err := contracts.Deploy(name, args...)
	if err != nil {
		g.Fatal(err)
	}
	g.must(devnet.Deployer, contracts.Deployer, d.Call())
	return d.Address()
}

// collection721 deploys a collection of at most maxSupply unique tokens, with a royalty in basis points.
func (g *game) collection721(maxSupply, royalty int64) eth.Address {
	g.Helper()
	manager := common.Address(devnet.WalletOf(devnet.Manager).Address)
	return g.deploy("Collection721", "Tokens", "T", "https://play.example/", manager, []common.Address{manager},
		big.NewInt(maxSupply), common.Address(devnet.WalletOf(devnet.Studio).Address), big.NewInt(royalty))
}

// refusal returns the collection's error of a failed call, the one of Collection1155 where others have it too; nil for any
// other failure.
func refusal(err error) any {
	if e, unpackErr := contracts.NewCollection1155().UnpackError(revertData(err)); unpackErr == nil {
		return e
	}
	if e, unpackErr := contracts.NewCollection721().UnpackError(revertData(err)); unpackErr == nil {
		return e
	}
	if e, unpackErr := contracts.NewChests().UnpackError(revertData(err)); unpackErr == nil {
		return e
	}
	return nil
}

// numbers are big integers.
func numbers(n ...int64) (out []*big.Int) {
	for _, i := range n {
		out = append(out, big.NewInt(i))
	}
	return out
}

// Spec: CHAIN-11
func TestSupply_CopiesAreMintedUpToTheCapOfTheirKind(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, seller := contracts.NewCollection1155(), common.Address(devnet.WalletOf(devnet.Seller(1)).Address)
	for _, slug := range []string{"game-items", "piggy-soulbound"} {
		items := g.Collections[slug]
		receipt := g.must(devnet.Manager, items, abi.PackSetMaxSupply(numbers(1), numbers(10)))
		if e := event(g, receipt, abi.UnpackMaxSupplySetEvent); e.Id.Int64() != 1 || e.Max.Int64() != 10 {
			t.Errorf("the event is %+v", e)
		}
		g.must(devnet.Manager, items, abi.PackMint(seller, big.NewInt(1), big.NewInt(7), nil))
		over := func(what string, data []byte, wanted int64) {
			t.Helper()
			_, err := g.try(devnet.Manager, items, data)
			if e, ok := refusal(err).(*contracts.Collection1155MaxSupplyExceeded); !ok || e.Id.Int64() != 1 || e.Max.Int64() != 10 ||
				e.Wanted.Int64() != wanted {
				t.Errorf("%s, %s: %v", slug, what, err)
			}
		}
		over("a mint of four with three left", abi.PackMint(seller, big.NewInt(1), big.NewInt(4), nil), 4)
		over("a batch that names the kind twice", abi.PackMintBatch(seller, numbers(1, 2, 1), numbers(2, 5, 2), nil), 2)
		if n := g.copies(slug, devnet.WalletOf(devnet.Seller(1)).Address, 2); n != 0 {
			t.Errorf("%s: of a refused batch %d were minted", slug, n)
		}
		g.must(devnet.Manager, items, abi.PackMintBatch(seller, numbers(1, 2, 1), numbers(1, 5, 2), nil))
		// Burning does not free supply.
		g.must(devnet.Seller(1), items, abi.PackBurn(seller, big.NewInt(1), big.NewInt(10)))
		over("a mint after all were burned", abi.PackMint(seller, big.NewInt(1), big.NewInt(1), nil), 1)
		if n := ask(g, items, abi.PackMinted(big.NewInt(1)), abi.UnpackMinted); n.Int64() != 10 {
			t.Errorf("%s: %v were ever minted", slug, n)
		}
	}
}

// Spec: CHAIN-11
func TestSupply_CapIsFixedOnceAndForAll(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, items, seller := contracts.NewCollection1155(), g.Collections["game-items"], common.Address(devnet.WalletOf(devnet.Seller(1)).Address)
	g.must(devnet.Manager, items, abi.PackMint(seller, big.NewInt(1), big.NewInt(7), nil))
	if ask(g, items, abi.PackCapped(big.NewInt(1)), abi.UnpackCapped) {
		t.Error("a kind has a cap before one was set")
	}
	tooLarge := new(big.Int).Lsh(big.NewInt(1), 128)
	for name, most := range map[string]*big.Int{"nothing": new(big.Int), "fewer than there are": big.NewInt(6), "2^128": tooLarge} {
		_, err := g.try(devnet.Manager, items, abi.PackSetMaxSupply(numbers(1), []*big.Int{most}))
		if e, ok := refusal(err).(*contracts.Collection1155MaxSupplyInvalid); !ok || e.Max.Cmp(most) != 0 {
			t.Errorf("a cap of %s: %v", name, err)
		}
	}
	if _, err := g.try(devnet.Manager, items, abi.PackSetMaxSupply(numbers(1, 2), numbers(9))); err == nil {
		t.Error("two kinds got one cap")
	}
	for _, role := range []devnet.Role{devnet.Claimer, outsider} {
		if _, err := g.try(role, items, abi.PackSetMaxSupply(numbers(1), numbers(9))); err == nil {
			t.Errorf("the %s set a cap", role)
		}
	}
	g.must(devnet.Manager, items, abi.PackSetMaxSupply(numbers(1, 2), numbers(9, 3)))
	for _, most := range []int64{8, 9, 10} {
		_, err := g.try(devnet.Manager, items, abi.PackSetMaxSupply(numbers(1), numbers(most)))
		if e, ok := refusal(err).(*contracts.Collection1155MaxSupplyFixed); !ok || e.Max.Int64() != 9 {
			t.Errorf("a second cap of %d: %v", most, err)
		}
	}
	if n := ask(g, items, abi.PackMaxSupply(big.NewInt(1)), abi.UnpackMaxSupply); n.Int64() != 9 ||
		!ask(g, items, abi.PackCapped(big.NewInt(1)), abi.UnpackCapped) {
		t.Errorf("the cap is %v", n)
	}
	if n := ask(g, items, abi.PackMaxSupply(big.NewInt(3)), abi.UnpackMaxSupply); n.Sign() != 0 {
		t.Errorf("a kind without a cap says %v", n)
	}
}

// Spec: CHAIN-11
func TestSupply_UniqueTokensAreMintedUpToTheCapOfTheirCollection(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, seller := contracts.NewCollection721(), common.Address(devnet.WalletOf(devnet.Seller(1)).Address)
	manager := common.Address(devnet.WalletOf(devnet.Manager).Address)
	for name, tokens := range map[string]eth.Address{
		"tradable":  g.collection721(3, 0),
		"soulbound": g.deploy("Soulbound721", "Tokens", "T", "https://play.example/", manager, []common.Address{manager}, big.NewInt(3)),
	} {
		g.must(devnet.Manager, tokens, abi.PackMint(seller, big.NewInt(1)))
		over := func(what string, data []byte) {
			t.Helper()
			_, err := g.try(devnet.Manager, tokens, data)
			if e, ok := refusal(err).(*contracts.Collection721MaxSupplyExceeded); !ok || e.Max.Int64() != 3 {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		over("a batch of three with two left", abi.PackMintBatch(seller, numbers(2, 3, 4)))
		g.must(devnet.Manager, tokens, abi.PackMintBatch(seller, numbers(2, 3)))
		over("one more", abi.PackMint(seller, big.NewInt(4)))
		g.must(devnet.Seller(1), tokens, abi.PackBurn(big.NewInt(2)))
		over("a burned one", abi.PackMint(seller, big.NewInt(2)))
		over("one in place of a burned one", abi.PackMint(seller, big.NewInt(4)))
		if n := ask(g, tokens, abi.PackMinted(), abi.UnpackMinted); n.Int64() != 3 {
			t.Errorf("%s: %v were ever minted", name, n)
		}
		if most := ask(g, tokens, abi.PackMaxSupply(), abi.UnpackMaxSupply); most.Int64() != 3 ||
			!ask(g, tokens, abi.PackCapped(), abi.UnpackCapped) {
			t.Errorf("%s: the cap is %v", name, most)
		}
	}
	if ask(g, g.Collections["elder-gods"], abi.PackCapped(), abi.UnpackCapped) {
		t.Error("a collection made without a cap has one")
	}
}

// Spec: CHAIN-13
func TestGOD_IsMintedByMintersUpToItsCap(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, to := contracts.NewGodToken(), devnet.WalletOf(devnet.Seller(1)).Address
	all := new(big.Int).Mul(big.NewInt(1_000_000_000), big.NewInt(1e18))
	for _, role := range []devnet.Role{outsider, devnet.Deployer} {
		if _, err := g.try(role, g.GOD, packed(contracts.Mint20(to, big.NewInt(1)))); err == nil {
			t.Errorf("the %s minted GOD", role)
		}
	}
	g.must(devnet.Claimer, g.GOD, packed(contracts.Mint20(to, new(big.Int).Sub(all, big.NewInt(1)))))
	_, err := g.try(devnet.Manager, g.GOD, packed(contracts.Mint20(to, big.NewInt(2))))
	failure, unpackErr := abi.UnpackError(revertData(err))
	if e, ok := failure.(*contracts.GodTokenERC20ExceededCap); unpackErr != nil || !ok || e.Cap.Cmp(all) != 0 {
		t.Errorf("GOD beyond its cap: %v", err)
	}
	g.must(devnet.Manager, g.GOD, packed(contracts.Mint20(to, big.NewInt(1))))
	if n := ask(g, g.GOD, abi.PackTotalSupply(), abi.UnpackTotalSupply); n.Cmp(all) != 0 {
		t.Errorf("there are %v base units of GOD", n)
	}
	if s := ask(g, g.GOD, abi.PackSymbol(), abi.UnpackSymbol); s != "GOD" {
		t.Errorf("its symbol is %q", s)
	}
}

// Spec: CHAIN-12
func TestRoyalty_SalePaysSellerPlatformAndStudioExactly(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	listings := contracts.NewDirectListingsLogic()
	platform, buyer := devnet.WalletOf("platform").Address, devnet.WalletOf(devnet.Seller(2)).Address
	seller, studio := devnet.WalletOf(devnet.Seller(1)).Address, devnet.WalletOf(devnet.Studio).Address
	market, err := contracts.Artifact("MarketplaceV3")
	if err != nil {
		t.Fatal(err)
	}
	fee, err := market.ABI.Pack("setPlatformFeeInfo", common.Address(platform), big.NewInt(150))
	if err != nil {
		t.Fatal(err)
	}
	g.must(devnet.Manager, g.Marketplace, fee)
	const price = 3_333_333
	id := g.list(devnet.Seller(1), 7, price)
	g.must(devnet.Manager, g.USDC, packed(contracts.Mint20(buyer, big.NewInt(10_000_000))))
	g.must(devnet.Seller(2), g.USDC, contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(3*price)))
	g.must(devnet.Seller(2), g.Marketplace, listings.PackBuyFromListing(id, common.Address(buyer), big.NewInt(3), common.Address(g.USDC),
		big.NewInt(3*price)))

	// Of 9.999999 USDC: 1.5 % and 2.5 %, each rounded down, and the remainder.
	for _, c := range []struct {
		name string
		who  eth.Address
		want int64
	}{{"platform", platform, 149_999}, {"studio", studio, 249_999}, {"seller", seller, 9_600_001}, {"buyer", buyer, 1}} {
		if got := g.usdc(c.who); got != c.want {
			t.Errorf("the %s has %d base units of USDC, want %d", c.name, got, c.want)
		}
	}

	// The price of one base unit is too small to share.
	small := g.listMany(devnet.Seller(3), 8, 1, 1)
	g.must(devnet.Seller(2), g.USDC, contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(1)))
	g.must(devnet.Seller(2), g.Marketplace, listings.PackBuyFromListing(small, common.Address(buyer), big.NewInt(1),
		common.Address(g.USDC), big.NewInt(1)))
	if n := g.usdc(devnet.WalletOf(devnet.Seller(3)).Address); n != 1 {
		t.Errorf("the seller got %d of 1", n)
	}
}

// Spec: CHAIN-12
func TestRoyalty_IsSaidByTradableCollectionsOnly(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi := contracts.NewCollection1155()
	erc2981 := [4]byte{0x2a, 0x55, 0x20, 0x5a}
	for slug, contract := range g.Collections {
		want := slug != "season-avatars" && slug != "piggy-soulbound"
		if got := ask(g, contract, abi.PackSupportsInterface(erc2981), abi.UnpackSupportsInterface); got != want {
			t.Errorf("%s supports ERC-2981: %v", slug, got)
		}
		if !want {
			continue
		}
		share := ask(g, contract, abi.PackRoyaltyInfo(big.NewInt(1), big.NewInt(1_000_000)), abi.UnpackRoyaltyInfo)
		if eth.Address(share.Receiver) != devnet.WalletOf(devnet.Studio).Address || share.Amount.Int64() != 25_000 {
			t.Errorf("of a million, %s gives %v to %s", slug, share.Amount, share.Receiver)
		}
	}
}

// Spec: CHAIN-12
func TestRoyalty_CanFallButNotRise(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi, tokens := contracts.NewCollection721(), g.collection721(0, 1_000)
	receiver := common.Address(devnet.WalletOf("next studio").Address)
	set := func(from devnet.Role, to common.Address, share int64) error {
		_, err := g.try(from, tokens, abi.PackSetRoyalty(to, big.NewInt(share)))
		return err
	}
	if _, ok := refusal(set(devnet.Manager, receiver, 1_001)).(*contracts.Collection1155RoyaltyTooHigh); !ok {
		t.Error("a royalty above 10 % was set")
	}
	if set(outsider, receiver, 0) == nil || set(devnet.Manager, common.Address{}, 0) == nil {
		t.Error("a stranger set the royalty, or nobody receives it")
	}
	receipt := g.must(devnet.Manager, tokens, abi.PackSetRoyalty(receiver, big.NewInt(300)))
	if e := event(g, receipt, abi.UnpackRoyaltySetEvent); e.Receiver != receiver || e.BasisPoints.Int64() != 300 {
		t.Errorf("the event is %+v", e)
	}
	if e, ok := refusal(set(devnet.Manager, receiver, 301)).(*contracts.Collection1155RoyaltyTooHigh); !ok || e.Highest.Int64() != 300 ||
		e.Wanted.Int64() != 301 {
		t.Error("the royalty was raised")
	}
	if n := ask(g, tokens, abi.PackRoyalty(), abi.UnpackRoyalty); n.Int64() != 300 {
		t.Errorf("the royalty is %v basis points", n)
	}
}

func TestRoyalty_AboveTheLimitMakesNoCollection(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	manager := common.Address(devnet.WalletOf(devnet.Manager).Address)
	d, err := contracts.Deploy("Collection721", "Tokens", "T", "https://play.example/", manager, []common.Address{manager},
		new(big.Int), manager, big.NewInt(1_001))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.try(devnet.Deployer, contracts.Deployer, d.Call()); err == nil {
		t.Error("a collection with a royalty of 10.01 % was made")
	}
}
