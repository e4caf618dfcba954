package contracts_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
)

func TestMarket_ItemIsListedAndBought(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	seller, buyer := devnet.WalletOf(devnet.Seller(1)).Address, devnet.WalletOf(devnet.Seller(2)).Address
	abi := contracts.NewDirectListingsLogic()
	const item, price = 7, 2_500_000
	id := g.list(devnet.Seller(1), item, price)
	g.must(devnet.Manager, g.USDC, packed(contracts.Mint20(buyer, big.NewInt(20_000_000))))
	buy := abi.PackBuyFromListing(id, common.Address(buyer), big.NewInt(4), common.Address(g.USDC), big.NewInt(4*price))

	if _, err := g.try(devnet.Seller(2), g.Marketplace, buy); err == nil || !strings.Contains(err.Error(), "!BAL20") {
		t.Errorf("a purchase without an approval: %v", err)
	}
	g.must(devnet.Seller(2), g.USDC, contracts.NewTestToken().PackApprove(common.Address(g.Marketplace), big.NewInt(4*price)))
	receipt := g.must(devnet.Seller(2), g.Marketplace, buy)

	sale := event(g, receipt, abi.UnpackNewSaleEvent)
	if sale.ListingId.Cmp(id) != 0 || sale.Buyer != common.Address(buyer) || sale.ListingCreator != common.Address(seller) ||
		sale.QuantityBought.Int64() != 4 || sale.TotalPricePaid.Int64() != 4*price || sale.TokenId.Int64() != item {
		t.Errorf("the sale is %+v", sale)
	}
	if n := g.copies("game-items", buyer, item); n != 4 {
		t.Errorf("the buyer has %d", n)
	}
	if n := g.usdc(seller); n != 9_750_000 {
		t.Errorf("the seller got %d base units of USDC, want 9750000: all but the royalty of 2.5 %%", n)
	}
	listing := ask(g, g.Marketplace, abi.PackGetListing(id), abi.UnpackGetListing)
	if listing.Quantity.Int64() != 6 {
		t.Errorf("%v are left of 10", listing.Quantity)
	}
}

func TestMarket_ListingIsUpdatedAndCancelledByItsSeller(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	abi := contracts.NewDirectListingsLogic()
	id := g.list(devnet.Seller(1), 7, 2_500_000)
	listing := ask(g, g.Marketplace, abi.PackGetListing(id), abi.UnpackGetListing)
	update := g.parameters(7, 3_000_000)

	update.StartTimestamp = new(big.Int).Add(listing.StartTimestamp, big.NewInt(1))
	if _, err := g.try(devnet.Seller(1), g.Marketplace, abi.PackUpdateListing(id, update)); err == nil ||
		!strings.Contains(err.Error(), "already active") {
		t.Errorf("an update that moves the start of a live listing: %v", err)
	}
	update.StartTimestamp = listing.StartTimestamp
	if _, err := g.try(devnet.Seller(2), g.Marketplace, abi.PackUpdateListing(id, update)); err == nil {
		t.Error("somebody else updated the listing")
	}
	updated := event(g, g.must(devnet.Seller(1), g.Marketplace, abi.PackUpdateListing(id, update)), abi.UnpackUpdatedListingEvent)
	if updated.Listing.PricePerToken.Int64() != 3_000_000 {
		t.Errorf("the updated listing is %+v", updated.Listing)
	}

	if _, err := g.try(devnet.Seller(2), g.Marketplace, abi.PackCancelListing(id)); err == nil {
		t.Error("somebody else cancelled the listing")
	}
	cancelled := event(g, g.must(devnet.Seller(1), g.Marketplace, abi.PackCancelListing(id)), abi.UnpackCancelledListingEvent)
	if cancelled.ListingId.Cmp(id) != 0 {
		t.Errorf("listing %v was cancelled, not %v", cancelled.ListingId, id)
	}
}

func TestMarket_CollectionsMintOnlyForMinters(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	to, one := devnet.WalletOf(devnet.Seller(1)).Address, big.NewInt(1)
	for slug, data := range map[string][]byte{
		"game-items": packed(contracts.Mint1155(to, one, one)), "avatars": packed(contracts.Mint721(to, one)),
		"season-avatars": packed(contracts.Mint721(to, one)), "piggy-soulbound": packed(contracts.Mint1155(to, one, one)),
	} {
		if _, err := g.try(devnet.Seller(1), g.Collections[slug], data); err == nil {
			t.Errorf("a player minted %s", slug)
		}
		g.must(devnet.Claimer, g.Collections[slug], data)
	}
	if _, err := g.try(devnet.Seller(1), g.USDC, packed(contracts.Mint20(to, one))); err == nil {
		t.Error("a player minted USDC")
	}
	if _, err := g.try(devnet.Claimer, g.Collections["avatars"], packed(contracts.Mint721(to, one))); err == nil {
		t.Error("an avatar was minted twice")
	}
}

func TestMarket_BaseURIIsSetByTheManagerOnly(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	data := contracts.NewCollection721().PackSetBaseURI("https://elsewhere.example/")
	if _, err := g.try(devnet.Claimer, g.Collections["avatars"], data); err == nil {
		t.Error("the claimer moved the metadata")
	}
	g.must(devnet.Manager, g.Collections["avatars"], data)
	g.must(devnet.Manager, g.Collections["avatars"], packed(contracts.Mint721(devnet.WalletOf(devnet.Claimer).Address, big.NewInt(12))))
	abi := contracts.NewCollection721()
	got := ask(g, g.Collections["avatars"], abi.PackTokenURI(big.NewInt(12)), abi.UnpackTokenURI)
	if want := "https://elsewhere.example/" + g.Collections["avatars"].Checksum() + "/12"; got != want {
		t.Errorf("the metadata is at %s, want %s", got, want)
	}
}

func TestMarket_OwnersBurnTheirTokens(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	owner, id := devnet.WalletOf(devnet.Seller(1)).Address, big.NewInt(3)
	many, one := contracts.NewCollection1155(), contracts.NewCollection721()
	g.must(devnet.Manager, g.Collections["chests"], contracts.NewChests().PackFixTables([]*big.Int{id}, tables(1), numbers(5)))
	for _, slug := range []string{"piggy-banks", "chests", "piggy-soulbound"} {
		g.must(devnet.Manager, g.Collections[slug], packed(contracts.Mint1155(owner, id, big.NewInt(5))))
		burn := many.PackBurn(common.Address(owner), id, big.NewInt(2))
		if _, err := g.try(devnet.Seller(2), g.Collections[slug], burn); err == nil {
			t.Errorf("somebody else burned %s", slug)
		}
		transfer := event(g, g.must(devnet.Seller(1), g.Collections[slug], burn), many.UnpackTransferSingleEvent)
		if (transfer.To != common.Address{}) || transfer.Value.Int64() != 2 {
			t.Errorf("the burn is %+v", transfer)
		}
		if n := g.copies(slug, owner, 3); n != 3 {
			t.Errorf("%d of 5 %s are left after 2 were burned", n, slug)
		}
	}
	for _, slug := range []string{"avatars", "season-avatars"} {
		g.must(devnet.Manager, g.Collections[slug], packed(contracts.Mint721(owner, id)))
		if _, err := g.try(devnet.Seller(2), g.Collections[slug], one.PackBurn(id)); err == nil {
			t.Errorf("somebody else burned %s", slug)
		}
		g.must(devnet.Seller(1), g.Collections[slug], one.PackBurn(id))
		if _, err := g.try(devnet.Seller(1), g.Collections[slug], one.PackBurn(id)); err == nil {
			t.Errorf("one of the %s was burned twice", slug)
		}
	}
}

func TestMarket_SoulboundTokensStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	owner, other, id := devnet.WalletOf(devnet.Seller(1)).Address, devnet.WalletOf(devnet.Seller(2)).Address, big.NewInt(1)
	from, to, market := common.Address(owner), common.Address(other), common.Address(g.Marketplace)
	one, many := contracts.NewCollection721(), contracts.NewCollection1155()
	season, piggies := g.Collections["season-avatars"], g.Collections["piggy-soulbound"]
	minted := g.must(devnet.Manager, season, packed(contracts.Mint721(owner, id)))
	g.must(devnet.Manager, piggies, packed(contracts.Mint1155(owner, id, big.NewInt(2))))

	for name, data := range map[string][]byte{
		"transferFrom":      one.PackTransferFrom(from, to, id),
		"safeTransferFrom":  one.PackSafeTransferFrom(from, to, id),
		"approve":           one.PackApprove(market, id),
		"setApprovalForAll": one.PackSetApprovalForAll(market, true),
	} {
		if _, err := g.try(devnet.Seller(1), season, data); err == nil {
			t.Errorf("a season avatar's %s succeeded", name)
		}
	}
	for name, data := range map[string][]byte{
		"safeTransferFrom":      many.PackSafeTransferFrom(from, to, id, id, nil),
		"safeBatchTransferFrom": many.PackSafeBatchTransferFrom(from, to, []*big.Int{id}, []*big.Int{id}, nil),
		"setApprovalForAll":     many.PackSetApprovalForAll(market, true),
	} {
		if _, err := g.try(devnet.Seller(1), piggies, data); err == nil {
			t.Errorf("a soulbound piggy bank's %s succeeded", name)
		}
	}
	if g.owner("season-avatars", 1) != owner || g.copies("piggy-soulbound", owner, 1) != 2 {
		t.Error("a soulbound token moved")
	}

	// ERC-5192: the interface, the event at minting and the answer.
	built, err := contracts.Artifact("Soulbound721")
	if err != nil {
		t.Fatal(err)
	}
	if !ask(g, season, one.PackSupportsInterface([4]byte{0xb4, 0x5a, 0x3c, 0x0e}), one.UnpackSupportsInterface) {
		t.Error("the season avatars do not claim ERC-5192")
	}
	locked := 0
	for _, log := range minted.Logs {
		if log.Topics[0] == built.ABI.Events["Locked"].ID {
			locked++
		}
	}
	if locked != 1 {
		t.Errorf("minting told of %d locks", locked)
	}
	call, err := built.ABI.Pack("locked", id)
	if err != nil {
		t.Fatal(err)
	}
	if !ask(g, season, call, one.UnpackSupportsInterface) {
		t.Error("the season avatar is not locked")
	}
}

func TestMarket_MarketplaceRefusesSoulboundTokens(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	g.must(devnet.Manager, g.Collections["season-avatars"],
		packed(contracts.Mint721(devnet.WalletOf(devnet.Seller(1)).Address, big.NewInt(7))))
	params := g.parameters(7, 1)
	params.AssetContract, params.Quantity = common.Address(g.Collections["season-avatars"]), big.NewInt(1)
	_, err := g.try(devnet.Seller(1), g.Marketplace, contracts.NewDirectListingsLogic().PackCreateListing(params))
	if err == nil || !strings.Contains(err.Error(), "not owner or approved") {
		t.Errorf("listing a season avatar: %v", err)
	}
}
