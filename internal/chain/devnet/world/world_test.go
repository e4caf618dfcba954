package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"go.uber.org/goleak"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, devnettest.LeakOptions()...) }

// pinned are the addresses of the development world. A change here means that existing data folders are rejected, so it
// must be intended: any change of compiler, settings, packages, names or wallets causes it.
func pinned() map[collections.Chain]map[string]string {
	both := map[string]string{
		"EntryPoint":            "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
		"AccountImplementation": "0x9e6d13c8C7beF345910F7efa86408329d5acF170",
		"AccountFactory":        "0xcA35FC2291f0Eb5a139B9955222Ac8Bc792DdCb4",
		"Paymaster":             "0x60f19a5687773e4c4aCC0d2611b0290935aeaFBE",
	}
	game := map[string]string{
		"GOD":             "0xC3c5AE55052d3A4cEA2aAca0226cB3bc7476cB47",
		"Marketplace":     "0xBa30bAa0aECa0F9221c757d5D895D38ecBC8938B",
		"USDC":            "0xbb46e961ACA4B6c3b7D0a605B2b130f8D275476c",
		"avatars":         "0x7df62416286F13c22f7CEbB359efE8950edbdfb6",
		"chests":          "0xbAF30aC198c56fa6d5791e54E5d590616d4087E9",
		"elder-gods":      "0xd536A5e963dD19b057dB5b28E8d300d867e90953",
		"game-items":      "0x78e393cf018e2449f1D88dEB7fCBeC8557f9b710",
		"piggy-banks":     "0x8e8dAc182A727f86A7Af819a8aBd28f3c1865B1e",
		"piggy-soulbound": "0x17Ecd32988b75421fFC2F5281c9659a13807C414",
		"season-avatars":  "0x09828da63489C931557fE3f75781064395D5bb50",
	}
	main := map[string]string{
		"arks":             "0xD55F53CA2cffc659ECAce2838cD8010e50456d17",
		"immortals":        "0xe169224fb0c29bD33F775021C221931563B97437",
		"passes-community": "0x8680Cd5aa3012aBab0183971aeCD5AC640129084",
		"passes-ultimate":  "0xA46b02a66E08450C1b0977108C760b843Df56327",
		"power-packs":      "0x3a327cF27f4A9e2CDe01b5BAE92787b9188A303e",
	}
	maps.Copy(game, both)
	maps.Copy(main, both)
	return map[collections.Chain]map[string]string{collections.GameChain: game, collections.MainChain: main}
}

// named lists a world's contracts by the names of pinned.
func named(a Addresses) map[string]string {
	out := map[string]string{
		"EntryPoint": a.EntryPoint.Checksum(), "AccountImplementation": a.AccountImplementation.Checksum(),
		"AccountFactory": a.AccountFactory.Checksum(), "Paymaster": a.Paymaster.Checksum(),
	}
	if !a.Marketplace.IsZero() {
		out["GOD"], out["Marketplace"], out["USDC"] = a.GOD.Checksum(), a.Marketplace.Checksum(), a.USDC.Checksum()
	}
	for slug, address := range a.Collections {
		out[slug] = address.Checksum()
	}
	return out
}

// deployed deploys the contracts of a side on a chain.
func deployed(t *testing.T, c *devnet.Chain, side collections.Chain) Addresses {
	t.Helper()
	a, err := Deploy(t.Context(), c.Client(), brandtest.Pantheon().Collections, side, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Spec: CHAIN-14
func TestWorld_IsAlwaysAtTheSameAddresses(t *testing.T) {
	t.Parallel()
	for side, want := range pinned() {
		t.Run(string(side), func(t *testing.T) {
			t.Parallel()
			c := devnettest.Run(t, devnet.Options{})
			a := deployed(t, c, side)
			if got := named(a); !maps.Equal(got, want) {
				t.Errorf("the %s contracts are at\n%v, want\n%v", side, got, want)
			}
			if before, err := AddressesOf(brandtest.Pantheon().Collections, side); err != nil || !maps.Equal(named(before), named(a)) {
				t.Errorf("AddressesOf differs from what was deployed: %v, %v", before, err)
			}
			for name, address := range named(a) {
				code, err := ethclient.NewClient(c.Client()).CodeAt(t.Context(), common.HexToAddress(address), nil)
				if err != nil || len(code) == 0 {
					t.Errorf("%s has no code: %v", name, err)
				}
			}
		})
	}
}

func TestWorld_DeployingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	first := deployed(t, c, collections.GameChain)
	head := c.Head()
	second := deployed(t, c, collections.GameChain)
	if c.Head() != head {
		t.Errorf("the second time made blocks %d to %d", head.Number+1, c.Head().Number)
	}
	if !maps.Equal(named(first), named(second)) {
		t.Errorf("the second time answers %v, the first time %v", second, first)
	}
}

func TestWorld_ThereAreTwoSides(t *testing.T) {
	t.Parallel()
	if _, err := AddressesOf(brandtest.Pantheon().Collections, "third"); err == nil {
		t.Error("a third side has addresses")
	}
}

// answer executes one view and unpacks the result.
func answer[T any](t *testing.T, c *devnet.Chain, to eth.Address, data []byte, unpack func([]byte) (T, error)) T {
	t.Helper()
	s, err := newSession(t.Context(), c.Client())
	if err != nil {
		t.Fatal(err)
	}
	answers, err := s.ask(t.Context(), []view{{to, data}})
	if err != nil {
		t.Fatal(err)
	}
	value, err := unpack(answers[0])
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestWorld_DeployedContractsAreReadyForUse(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a := deployed(t, c, collections.GameChain)
	manager, claimer := devnet.WalletOf(devnet.Manager).Address, devnet.WalletOf(devnet.Claimer).Address

	market := contracts.NewMarketplaceV3()
	for wallet, want := range map[eth.Address]bool{manager: true, claimer: false} {
		if got := answer(t, c, a.Marketplace, market.PackHasRole([32]byte{}, common.Address(wallet)), market.UnpackHasRole); got != want {
			t.Errorf("%s administers the marketplace: %v, want %v", wallet, got, want)
		}
	}
	token := contracts.NewTestToken()
	minter := eth.Keccak256([]byte("MINTER_ROLE"))
	for wallet, want := range map[eth.Address]bool{manager: true, claimer: true, devnet.WalletOf(devnet.Seller(1)).Address: false} {
		for name, contract := range map[string]eth.Address{"USDC": a.USDC, "GOD": a.GOD, "items": a.Collections["game-items"]} {
			if got := answer(t, c, contract, token.PackHasRole(minter, common.Address(wallet)), token.UnpackHasRole); got != want {
				t.Errorf("%s mints %s: %v, want %v", wallet, name, got, want)
			}
		}
	}
	if n := answer(t, c, a.USDC, token.PackDecimals(), token.UnpackDecimals); n != 6 {
		t.Errorf("USDC has %d decimals", n)
	}
	if s := answer(t, c, a.USDC, token.PackSymbol(), token.UnpackSymbol); s != "USDC" {
		t.Errorf("the symbol of USDC is %q", s)
	}
	god := contracts.NewGodToken()
	if n := answer(t, c, a.GOD, god.PackDecimals(), god.UnpackDecimals); n != 18 {
		t.Errorf("GOD has %d decimals", n)
	}
	if most := answer(t, c, a.GOD, god.PackCap(), god.UnpackCap); most.Cmp(ether(1_000_000_000)) != 0 {
		t.Errorf("there can be %v base units of GOD", most)
	}
	avatars := contracts.NewCollection721()
	if most := answer(t, c, a.Collections["avatars"], avatars.PackMaxSupply(), avatars.UnpackMaxSupply); most.Int64() != 10_000 {
		t.Errorf("there can be %v avatars", most)
	}
	for slug, contract := range a.Collections {
		if slug == "season-avatars" || slug == "piggy-soulbound" {
			continue
		}
		if share := answer(t, c, contract, avatars.PackRoyalty(), avatars.UnpackRoyalty); share.Int64() != 250 {
			t.Errorf("the royalty of %s is %v basis points", slug, share)
		}
	}
	entryPoint := contracts.NewEntryPoint()
	deposit := answer(t, c, a.EntryPoint, entryPoint.PackBalanceOf(common.Address(a.Paymaster)), entryPoint.UnpackBalanceOf)
	if deposit.Cmp(ether(paymasterFill)) != 0 {
		t.Errorf("the paymaster has %v wei at the EntryPoint", deposit)
	}
	paymaster := contracts.NewPantheonPaymaster()
	signer := common.Address(devnet.WalletOf(devnet.PaymasterSigner).Address)
	accepted := answer(t, c, a.Paymaster, paymaster.PackIsSigner(signer), paymaster.UnpackIsSigner)
	if n := answer(t, c, a.Paymaster, paymaster.PackSignerCount(), paymaster.UnpackSignerCount); !accepted || n.Int64() != 1 {
		t.Errorf("the paymaster accepts its signer: %v; signers: %v", accepted, n)
	}
	relayer := common.Address(devnet.WalletOf(devnet.GasRelayer).Address)
	listed := answer(t, c, a.Paymaster, paymaster.PackIsRelayer(relayer), paymaster.UnpackIsRelayer)
	if n := answer(t, c, a.Paymaster, paymaster.PackRelayerCount(), paymaster.UnpackRelayerCount); !listed || n.Int64() != 1 {
		t.Errorf("the gas relayer is on the paymaster's list: %v; relayers: %v", listed, n)
	}
	owner := answer(t, c, a.Paymaster, paymaster.PackOwner(), paymaster.UnpackOwner)
	if eth.Address(owner) != manager {
		t.Errorf("the paymaster belongs to %s", owner)
	}
}

func TestWorld_BaseURIDoesNotMoveTheContracts(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	items := contracts.NewCollection1155()
	for _, base := range []string{"", "https://play.example/metadata/"} {
		a, err := Deploy(t.Context(), c.Client(), brandtest.Pantheon().Collections, collections.GameChain, Options{BaseURI: base})
		if err != nil {
			t.Fatal(err)
		}
		if base == "" {
			base = "http://localhost:8080/metadata/"
		}
		contract := a.Collections["game-items"]
		if contract.Checksum() != pinned()[collections.GameChain]["game-items"] {
			t.Errorf("under %q the items are at %s", base, contract)
		}
		want := base + contract.Checksum() + "/7"
		if got := answer(t, c, contract, items.PackUri(big.NewInt(7)), items.UnpackUri); got != want {
			t.Errorf("the metadata of item 7 is at %s, want %s", got, want)
		}
	}
}

// tokens are the tokens of a catalogue of typical size.
func tokens() map[string][]Token {
	out := map[string][]Token{}
	for slug, n := range map[string]int{"game-items": 43, "avatars": 500, "elder-gods": 120, "piggy-banks": 4, "arks": 5} {
		for i := range n {
			out[slug] = append(out[slug], Token{ID: fmt.Sprint(i + 1), Rank: i % 6})
		}
	}
	return out
}

func demoLots(t *testing.T) []Lot {
	t.Helper()
	lots, err := Lots(brandtest.Pantheon().Development, 6, tokens())
	if err != nil {
		t.Fatal(err)
	}
	return lots
}

// demoTables are the tables of the packs among the demo lots.
func demoTables() []deploy.Table {
	return []deploy.Table{
		{TokenID: money.FromInt(1), Table: [32]byte{1}, Max: 100_000},
		{TokenID: money.FromInt(2), Table: [32]byte{2}, Max: 20_000},
		{TokenID: money.FromInt(3), Table: [32]byte{3}, Max: 5_000},
	}
}

// Spec: RUN-11
func TestWorld_LotsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	lots := demoLots(t)
	if fmt.Sprint(lots) != fmt.Sprint(demoLots(t)) {
		t.Error("two calls with the same tokens differ")
	}
	if len(lots) < 190 || len(lots) > 210 {
		t.Errorf("there are %d lots, want about 200", len(lots))
	}
}

func TestWorld_LotsBeginWithTheKODPacks(t *testing.T) {
	t.Parallel()
	for i, quantity := range []int64{500, 200, 50} {
		lot := demoLots(t)[i]
		if lot.Collection != "chests" || lot.TokenID.String() != fmt.Sprint(i+1) || lot.Quantity != quantity || lot.Seller != devnet.Manager {
			t.Errorf("lot %d is %+v, want %d of pack %d by the manager", i, lot, quantity, i+1)
		}
	}
}

func TestWorld_RareTokensCostMore(t *testing.T) {
	t.Parallel()
	dearest := map[int]money.Units{}
	cheapest := map[int]money.Units{}
	for _, lot := range demoLots(t) {
		if lot.Collection != "avatars" {
			continue
		}
		id, _ := lot.TokenID.Int64()
		rank := int(id-1) % 6
		if lot.Price.Cmp(dearest[rank]) > 0 {
			dearest[rank] = lot.Price
		}
		if low, ok := cheapest[rank]; !ok || lot.Price.Cmp(low) < 0 {
			cheapest[rank] = lot.Price
		}
	}
	for rank := range 4 {
		if dearest[rank].Cmp(cheapest[rank+2]) >= 0 {
			t.Errorf("an avatar of rank %d costs %s, one of rank %d only %s", rank, dearest[rank].Decimal(6), rank+2, cheapest[rank+2].Decimal(6))
		}
	}
}

func TestWorld_LotsNeedTokenIDs(t *testing.T) {
	t.Parallel()
	if _, err := Lots(brandtest.Pantheon().Development, 6, map[string][]Token{"avatars": {{ID: "first"}}}); err == nil {
		t.Error("a token id that is no number was accepted")
	}
}

// listings reads the whole marketplace: all listings, or those that can be bought.
func listings(t *testing.T, c *devnet.Chain, a Addresses, valid bool) (all []contracts.IDirectListingsListing) {
	t.Helper()
	abi := contracts.NewDirectListingsLogic()
	total := answer(t, c, a.Marketplace, abi.PackTotalListings(), abi.UnpackTotalListings).Int64()
	for from := int64(0); from < total; from += 50 {
		first, last := big.NewInt(from), big.NewInt(min(from+50, total)-1)
		if valid {
			all = append(all, answer(t, c, a.Marketplace, abi.PackGetAllValidListings(first, last), abi.UnpackGetAllValidListings)...)
		} else {
			all = append(all, answer(t, c, a.Marketplace, abi.PackGetAllListings(first, last), abi.UnpackGetAllListings)...)
		}
	}
	return all
}

// checkMarket compares the marketplace with the lots, listing by listing.
func checkMarket(t *testing.T, c *devnet.Chain, a Addresses, lots []Lot) {
	t.Helper()
	all := listings(t, c, a, false)
	if len(all) != len(lots) {
		t.Fatalf("there are %d listings of %d lots", len(all), len(lots))
	}
	for i, lot := range lots {
		l := all[i]
		if eth.Address(l.ListingCreator) != devnet.WalletOf(lot.Seller).Address ||
			eth.Address(l.AssetContract) != a.Collections[lot.Collection] || l.TokenId.Cmp(lot.TokenID.Big()) != 0 ||
			l.Quantity.Int64() != lot.Quantity || l.PricePerToken.Cmp(lot.Price.Big()) != 0 ||
			eth.Address(l.Currency) != a.USDC || l.EndTimestamp.Cmp(noEnd()) != 0 {
			t.Fatalf("listing %d is %+v, the lot is %+v", i, l, lot)
		}
	}
	valid := listings(t, c, a, true)
	if len(valid) != len(all) {
		t.Errorf("only %d of %d listings can be bought", len(valid), len(all))
	}
}

func TestWorld_SeedListsTheLotsInOrder(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a, lots := deployed(t, c, collections.GameChain), demoLots(t)
	last := -1
	err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, func(done, total int, what string) {
		if done < last || total != len(lots) || what == "" {
			t.Errorf("progress went from %d to %d of %d: %q", last, done, total, what)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != len(lots) {
		t.Errorf("progress ended at %d of %d", last, len(lots))
	}
	checkMarket(t, c, a, lots)
}

func TestWorld_SeedFixesTablesAndCaps(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a, items := deployed(t, c, collections.GameChain), contracts.NewCollection1155()
	capped := func(lot Lot) (most, minted int64) {
		contract, id := a.Collections[lot.Collection], lot.TokenID.Big()
		return answer(t, c, contract, items.PackMaxSupply(id), items.UnpackMaxSupply).Int64(),
			answer(t, c, contract, items.PackMinted(id), items.UnpackMinted).Int64()
	}
	lots := demoLots(t)[:40]
	lots = slices.DeleteFunc(lots, func(lot Lot) bool { return lot.Collection != "chests" && lot.Collection != "game-items" })
	if err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	packs := contracts.NewChests()
	for i, want := range []int64{100_000, 20_000, 5_000} {
		table := answer(t, c, a.Collections["chests"], packs.PackTableOf(lots[i].TokenID.Big()), packs.UnpackTableOf)
		if table != [32]byte{byte(i + 1)} {
			t.Errorf("the table of pack %s is %x", lots[i].TokenID, table)
		}
		if most, minted := capped(lots[i]); most != want || minted != lots[i].Amount {
			t.Errorf("of pack %s there are %d of at most %d, want %d of at most %d", lots[i].TokenID, minted, most, lots[i].Amount, want)
		}
	}
	withCap := 0
	for _, lot := range lots[3:] {
		id, _ := lot.TokenID.Int64()
		want := []int64{0, 0, 25_000, 10_000, 2_500, 500}[(id-1)%6] // by rank, see tokens
		if most, _ := capped(lot); most != want {
			t.Errorf("of item %s there can be %d, want %d", lot.TokenID, most, want)
		}
		if want > 0 {
			withCap++
		}
	}
	if withCap == 0 {
		t.Error("no item has a cap")
	}
}

// Spec: RUN-11
func TestWorld_SeedingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a, lots := deployed(t, c, collections.GameChain), demoLots(t)[:20]
	for range 2 {
		if err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	head := c.Head()
	if err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	if c.Head() != head {
		t.Error("seeding again made a block")
	}
	checkMarket(t, c, a, lots)
}

// fuse is a context that is cancelled after a number of calls of Done: a kill at a repeatable point.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newFuse(t *testing.T, length int64) *fuse {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	f := &fuse{Context: ctx, cancel: cancel}
	f.left.Store(length)
	return f
}

func (f *fuse) Done() <-chan struct{} {
	if f.left.Add(-1) <= 0 {
		f.cancel()
	}
	return f.Context.Done()
}

func TestWorld_InterruptedWorldIsCompleted(t *testing.T) {
	t.Parallel()
	dir, lots := t.TempDir(), demoLots(t)
	interrupted := 0
	attempt := func(t *testing.T, length int64) bool {
		c := devnettest.Run(t, devnet.Options{Dir: dir}) // each attempt starts without the pool of the previous one
		ctx := newFuse(t, length)
		a, err := Deploy(ctx, c.Client(), brandtest.Pantheon().Collections, collections.GameChain, Options{})
		if err == nil {
			err = Seed(ctx, c.Client(), a, demoTables(), lots, clock.System{}, nil)
		}
		switch {
		case err == nil:
			checkMarket(t, c, a, lots)
		case errors.Is(err, context.Canceled):
			interrupted++
		default:
			t.Error(err)
		}
		return err == nil
	}
	further := func(length int64) int64 { return length + length/2 }
	if testing.Short() {
		further = func(length int64) int64 { return 3 * length }
	}
	for length := int64(3); ; length = further(length) {
		if t.Run(fmt.Sprint(length), func(t *testing.T) { attempt(t, length) }); t.Failed() || length > 5_000 {
			break
		}
	}
	if interrupted < 5 {
		t.Errorf("only %d attempts were interrupted", interrupted)
	}
	if !t.Run("last", func(t *testing.T) {
		if !attempt(t, 1_000_000) {
			t.Error("the world is not complete")
		}
	}) {
		t.FailNow()
	}
}

func TestWorld_TreasuryIsFundedOnceEvenIfInterrupted(t *testing.T) {
	t.Parallel()
	dir, interrupted := t.TempDir(), 0
	treasury := common.Address(devnet.WalletOf(devnet.Treasury).Address)
	fund := func(t *testing.T, length int64) {
		c := devnettest.Run(t, devnet.Options{Dir: dir}) // each attempt starts without the pool of the previous one
		a := deployed(t, c, collections.GameChain)
		if err := Seed(t.Context(), c.Client(), a, demoTables(), nil, clock.System{}, nil); err != nil {
			t.Fatal(err)
		}
		switch err := Fund(newFuse(t, length), c.Client(), a, brandtest.Pantheon().Development.Stock); {
		case errors.Is(err, context.Canceled):
			interrupted++
			return
		case err != nil:
			t.Fatal(err)
		}
		head := c.Head()
		if err := Fund(t.Context(), c.Client(), a, brandtest.Pantheon().Development.Stock); err != nil || c.Head() != head {
			t.Errorf("funding again made blocks %d to %d: %v", head.Number+1, c.Head().Number, err)
		}
		token, packs := contracts.NewTestToken(), contracts.NewCollection1155()
		if got := answer(t, c, a.USDC, token.PackBalanceOf(treasury), token.UnpackBalanceOf); got.Cmp(big.NewInt(50_000_000_000)) != 0 {
			t.Errorf("%s base units of USDC, want 50,000 USDC", got)
		}
		for id, want := range map[int64]int64{1: 500, 2: 100, 3: 25} {
			if got := answer(t, c, a.Collections["chests"], packs.PackBalanceOf(treasury, big.NewInt(id)),
				packs.UnpackBalanceOf); got.Int64() != want {
				t.Errorf("%s packs %d, want %d", got, id, want)
			}
		}
		ether, err := ethclient.NewClient(c.Client()).BalanceAt(t.Context(), treasury, nil)
		if err != nil || ether.String() != "10000000000000000000" {
			t.Errorf("%s wei, %v; want 10 ether", ether, err)
		}
	}
	for length := int64(1); length < 40; length += 3 {
		t.Run(fmt.Sprint(length), func(t *testing.T) { fund(t, length) })
	}
	t.Run("last", func(t *testing.T) { fund(t, 1_000_000) })
	if interrupted < 3 {
		t.Errorf("only %d attempts were interrupted", interrupted)
	}
}

func TestWorld_SeedLeavesForeignTokensAlone(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a := deployed(t, c, collections.GameChain)
	lots := []Lot{
		{Collection: "avatars", TokenID: money.FromInt(1), Seller: devnet.Seller(1), Amount: 1, Quantity: 1, Price: cents(500, 6)},
		{Collection: "avatars", TokenID: money.FromInt(2), Seller: devnet.Seller(1), Amount: 1, Quantity: 1, Price: cents(500, 6)},
	}
	s, err := newSession(t.Context(), c.Client())
	if err != nil {
		t.Fatal(err)
	}
	data, err := contracts.Mint721(devnet.WalletOf(devnet.Seller(2)).Address, big.NewInt(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.send(t.Context(), call{from: devnet.Manager, to: a.Collections["avatars"], data: data, gas: 200_000}); err != nil {
		t.Fatal(err)
	}
	if err := s.wait(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	checkMarket(t, c, a, lots[1:])
}

// capped returns the lot of another seller, with a cap.
func capped(lot Lot, seller devnet.Role, most int64) Lot {
	lot.Seller, lot.MaxSupply = seller, most
	return lot
}

// Spec: DRAW-6
func TestWorld_SeedRefusesPacksWithoutTheirTable(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a, lots := deployed(t, c, collections.GameChain), demoLots(t)[:3]
	head := c.Head()
	refused := func(what string, tables []deploy.Table, lots []Lot, want string) {
		t.Helper()
		err := Seed(t.Context(), c.Client(), a, tables, lots, clock.System{}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
		if c.Head() != head {
			t.Fatalf("%s: something was sent", what)
		}
	}
	changed := func(by func(t *deploy.Table)) []deploy.Table {
		tables := demoTables()
		by(&tables[2])
		return tables
	}
	refused("no tables", nil, lots, "chests 1: has no table")
	refused("a table is missing", demoTables()[:2], lots, "chests 3: has no table")
	refused("a table twice", append(demoTables(), demoTables()[0]), lots, "chests 1: has two tables")
	refused("an empty table", changed(func(t *deploy.Table) { t.Table = [32]byte{} }), lots, "chests 3: no table or a cap of 5000")
	refused("a cap of nothing", changed(func(t *deploy.Table) { t.Max = 0 }), lots, "chests 3: no table or a cap of 0")
	refused("a cap of its own", demoTables(), []Lot{capped(lots[0], devnet.Manager, 100_000)}, "chests 1: a cap of 100000")

	if err := Seed(t.Context(), c.Client(), a, demoTables(), nil, clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	head = c.Head()
	refused("another table than on the chain", changed(func(t *deploy.Table) { t.Table = [32]byte{0xab} }), lots,
		"chests 3: its table is 0x03"+strings.Repeat("00", 31)+" for ever, not 0xab"+strings.Repeat("00", 31))
}

func TestWorld_SeedRefusesImpossibleLots(t *testing.T) {
	t.Parallel()
	c := devnettest.Run(t, devnet.Options{})
	a := deployed(t, c, collections.GameChain)
	lot := func(slug string, amount, quantity int64) Lot {
		return Lot{Collection: slug, TokenID: money.FromInt(1), Seller: devnet.Seller(1), Amount: amount, Quantity: quantity,
			Price: cents(100, 6)}
	}
	for name, lots := range map[string][]Lot{
		"soulbound":           {lot("season-avatars", 1, 1)},
		"of the other chain":  {lot("immortals", 1, 1)},
		"nothing":             {lot("game-items", 0, 0)},
		"more than there are": {lot("game-items", 1, 2)},
		"two of one":          {lot("avatars", 2, 1)},
		"the same twice":      {lot("game-items", 1, 1), lot("game-items", 2, 2)},
		"capped below zero":   {capped(lot("game-items", 1, 1), devnet.Seller(1), -1)},
		"unique and capped":   {capped(lot("avatars", 1, 1), devnet.Seller(1), 1)},
		"capped at two caps":  {capped(lot("game-items", 1, 1), devnet.Seller(1), 5), capped(lot("game-items", 1, 1), devnet.Seller(2), 6)},
	} {
		if err := Seed(t.Context(), c.Client(), a, demoTables(), lots, clock.System{}, nil); err == nil {
			t.Errorf("a lot that is %s was accepted", name)
		}
	}
	if n := len(listings(t, c, a, false)); n != 0 {
		t.Errorf("there are %d listings", n)
	}
}
