package world

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// Lot is a token, or copies of one, that a development wallet owns and offers for USDC.
type Lot struct {
	Collection string      // slug of a collection of the game chain that can be traded
	TokenID    money.Units // uint256
	Seller     devnet.Role // the manager or a demo seller; has at most one lot of a token
	Amount     int64       // how many are minted to the seller; at least Quantity, and 1 for ERC-721
	Quantity   int64       // how many are listed
	Price      money.Units // of one, in base units of USDC (6 decimals)

	// MaxSupply is how many copies of the token can ever be minted, 0 for no cap: the same in all lots of a token, and 0
	// for ERC-721, whose collections have their own caps, and for packs, whose caps come with their tables.
	MaxSupply int64
}

// noEnd is the end time of a listing that does not expire: 2^128-1. The marketplace would shift any other with the
// start.
func noEnd() *big.Int { return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1)) }

// Seed fixes the tables of the packs, and caps, mints and lists the lots on the game chain, without an end time, in the
// given order: on an empty marketplace lot i becomes listing i. Existing state is kept: a lot is done once its seller has
// listed its token, even if that listing has ended, and an ERC-721 token that someone else owns is skipped. Each lot of
// packs needs a table; a pack that has another table on the chain is an error, before anything is sent. The clock must be
// the chain's. Progress counts lots.
func Seed(ctx context.Context, client *rpc.Client, a Addresses, tables []deploy.Table, lots []Lot, c clock.Clock, progress Progress) error {
	if progress == nil {
		progress = func(int, int, string) {}
	}
	s, err := newSeeder(ctx, client, a, tables, lots)
	if err == nil {
		err = s.run(ctx, c, progress)
	}
	if err != nil {
		return fmt.Errorf("world: seeding the marketplace: %w", err)
	}
	return nil
}

// holding is a wallet's stock of one token.
type holding struct {
	owner    eth.Address
	contract eth.Address
	tokenID  string // decimal
}

// seeder holds the lots and the addresses they need.
type seeder struct {
	*session
	addresses Addresses
	tables    []deploy.Table
	lots      []Lot
}

// newSeeder validates the tables and the lots.
func newSeeder(ctx context.Context, client *rpc.Client, a Addresses, tables []deploy.Table, lots []Lot) (*seeder, error) {
	session, err := newSession(ctx, client)
	if err != nil {
		return nil, err
	}
	s := &seeder{session: session, addresses: a, tables: tables, lots: lots}
	packs := map[string]bool{} // with a table, by token id
	for _, t := range tables {
		id := t.TokenID.String()
		switch {
		case packs[id]:
			return nil, fmt.Errorf("%s %s: has two tables", s.addresses.packs, id)
		case t.Table == [32]byte{} || t.Max < 1:
			return nil, fmt.Errorf("%s %s: no table or a cap of %d", s.addresses.packs, id, t.Max)
		}
		packs[id] = true
	}
	seen, caps := map[holding]bool{}, map[holding]int64{}
	for _, lot := range lots {
		key := s.holding(lot)
		switch {
		case s.addresses.tradable[lot.Collection] == "" || key.contract.IsZero():
			return nil, fmt.Errorf("no tradable collection %q", lot.Collection)
		case lot.Quantity < 1 || lot.Amount < lot.Quantity || s.unique(lot) && lot.Amount != 1:
			return nil, fmt.Errorf("%s %s: cannot list %d of %d", lot.Collection, lot.TokenID, lot.Quantity, lot.Amount)
		case seen[key]:
			return nil, fmt.Errorf("%s %s: the %s has two lots", lot.Collection, lot.TokenID, lot.Seller)
		case lot.Collection == s.addresses.packs && !packs[lot.TokenID.String()]:
			return nil, fmt.Errorf("%s %s: has no table", lot.Collection, lot.TokenID)
		}
		seen[key] = true
		key.owner = eth.Address{}
		known, ok := caps[key]
		if ok && known != lot.MaxSupply || lot.MaxSupply < 0 || lot.MaxSupply != 0 && (s.unique(lot) || lot.Collection == s.addresses.packs) {
			return nil, fmt.Errorf("%s %s: a cap of %d", lot.Collection, lot.TokenID, lot.MaxSupply)
		}
		caps[key] = lot.MaxSupply
	}
	return s, nil
}

func (s *seeder) holding(lot Lot) holding {
	return holding{devnet.WalletOf(lot.Seller).Address, s.addresses.Collections[lot.Collection], lot.TokenID.String()}
}

// unique reports whether the lot's token is unique.
func (s *seeder) unique(lot Lot) bool { return s.addresses.tradable[lot.Collection] == "Collection721" }

// run performs the missing steps.
func (s *seeder) run(ctx context.Context, c clock.Clock, progress Progress) error {
	if err := s.fixTables(ctx); err != nil {
		return err
	}
	listed, err := s.listed(ctx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(s.lots), func(lot Lot) bool { return listed[s.holding(lot)] })
	if err := s.setCaps(ctx, missing); err != nil {
		return err
	}
	missing, err = s.mint(ctx, missing)
	if err != nil {
		return err
	}
	if err := s.approve(ctx, missing); err != nil {
		return err
	}
	if err := s.wait(ctx, nil); err != nil {
		return err
	}
	done := len(s.lots) - len(missing)
	progress(done, len(s.lots), "minted the tokens")
	return s.list(ctx, missing, c, func(lot Lot) {
		done++
		progress(done, len(s.lots), "listed "+lot.Collection)
	})
}

// listed returns everything ever listed on the marketplace.
func (s *seeder) listed(ctx context.Context) (map[holding]bool, error) {
	const page = 50
	abi := contracts.NewDirectListingsLogic()
	answers, err := s.ask(ctx, []view{{s.addresses.Marketplace, abi.PackTotalListings()}})
	if err != nil {
		return nil, err
	}
	total, err := abi.UnpackTotalListings(answers[0])
	if err != nil {
		return nil, err
	}
	found := map[holding]bool{}
	for from := int64(0); from < total.Int64(); from += page {
		last := min(from+page, total.Int64()) - 1
		answers, err := s.ask(ctx, []view{{s.addresses.Marketplace, abi.PackGetAllListings(big.NewInt(from), big.NewInt(last))}})
		if err != nil {
			return nil, err
		}
		listings, err := abi.UnpackGetAllListings(answers[0])
		if err != nil {
			return nil, err
		}
		for _, l := range listings {
			found[holding{eth.Address(l.ListingCreator), eth.Address(l.AssetContract), l.TokenId.String()}] = true
		}
	}
	return found, nil
}

// fixTables fixes the missing tables of packs and their caps, without waiting until that is mined.
func (s *seeder) fixTables(ctx context.Context) error {
	if len(s.tables) == 0 {
		return nil
	}
	abi, contract := contracts.NewChests(), s.addresses.Collections[s.addresses.packs]
	views := make([]view, len(s.tables))
	for i, t := range s.tables {
		views[i] = view{contract, abi.PackTableOf(t.TokenID.Big())}
	}
	answers, err := s.ask(ctx, views)
	if err != nil {
		return err
	}
	var ids, caps []*big.Int
	var tables [][32]byte
	for i, t := range s.tables {
		fixed, err := abi.UnpackTableOf(answers[i])
		if err != nil {
			return err
		}
		switch fixed {
		case t.Table:
		case [32]byte{}:
			ids, tables, caps = append(ids, t.TokenID.Big()), append(tables, t.Table), append(caps, big.NewInt(t.Max))
		default:
			return fmt.Errorf("%s %s: its table is %s for ever, not %s", s.addresses.packs, t.TokenID, eth.Hash(fixed), eth.Hash(t.Table))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.send(ctx, call{
		from: devnet.Manager, to: contract, data: abi.PackFixTables(ids, tables, caps),
		gas: 100_000 + 70_000*uint64(len(ids)), what: "fixed the tables of " + s.addresses.packs,
	})
}

// setCaps sets the missing caps of the lots' tokens, without waiting until that is mined.
func (s *seeder) setCaps(ctx context.Context, lots []Lot) error {
	abi := contracts.NewCollection1155()
	var wanted []Lot // one of each token
	var views []view
	for _, lot := range lots {
		if lot.MaxSupply == 0 ||
			slices.ContainsFunc(wanted, func(w Lot) bool { return w.Collection == lot.Collection && w.TokenID.Cmp(lot.TokenID) == 0 }) {
			continue
		}
		wanted = append(wanted, lot)
		views = append(views, view{s.addresses.Collections[lot.Collection], abi.PackCapped(lot.TokenID.Big())})
	}
	answers, err := s.ask(ctx, views)
	if err != nil {
		return err
	}
	ids, caps := map[string][]*big.Int{}, map[string][]*big.Int{} // by collection
	for i, lot := range wanted {
		capped, err := abi.UnpackCapped(answers[i])
		if err != nil {
			return err
		}
		if !capped {
			ids[lot.Collection] = append(ids[lot.Collection], lot.TokenID.Big())
			caps[lot.Collection] = append(caps[lot.Collection], big.NewInt(lot.MaxSupply))
		}
	}
	for _, slug := range sortedKeys(ids) {
		err := s.send(ctx, call{
			from: devnet.Manager, to: s.addresses.Collections[slug], data: abi.PackSetMaxSupply(ids[slug], caps[slug]),
			gas: 100_000 + 40_000*uint64(len(ids[slug])), what: "fixed the caps of " + slug,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parcel is what the manager mints to one seller in one transaction.
type parcel struct {
	collection   string
	seller       devnet.Role
	ids, amounts []*big.Int
}

// parcelSize bounds the tokens of a parcel, and so its gas.
const parcelSize = 50

// mint mints what the sellers lack, from the manager's wallet, without waiting until that is mined. It returns the lots
// that can then be listed: all but the unique tokens of other owners.
func (s *seeder) mint(ctx context.Context, lots []Lot) (possible []Lot, err error) {
	stock, err := s.stock(ctx, lots)
	if err != nil {
		return nil, err
	}
	var parcels []*parcel
	for i, lot := range lots {
		if stock[i] == nil {
			continue
		}
		possible = append(possible, lot)
		lack := new(big.Int).Sub(big.NewInt(lot.Amount), stock[i])
		if lack.Sign() <= 0 {
			continue
		}
		at := slices.IndexFunc(parcels, func(p *parcel) bool {
			return p.collection == lot.Collection && p.seller == lot.Seller && len(p.ids) < parcelSize
		})
		if at < 0 {
			at = len(parcels)
			parcels = append(parcels, &parcel{collection: lot.Collection, seller: lot.Seller})
		}
		parcels[at].ids = append(parcels[at].ids, lot.TokenID.Big())
		parcels[at].amounts = append(parcels[at].amounts, lack)
	}
	for _, p := range parcels {
		to := common.Address(devnet.WalletOf(p.seller).Address)
		data := contracts.NewCollection1155().PackMintBatch(to, p.ids, p.amounts, nil)
		if s.addresses.tradable[p.collection] == "Collection721" {
			data = contracts.NewCollection721().PackMintBatch(to, p.ids)
		}
		err := s.send(ctx, call{
			from: devnet.Manager, to: s.addresses.Collections[p.collection], data: data,
			gas: 100_000 + 110_000*uint64(len(p.ids)), what: "minted " + p.collection,
		})
		if err != nil {
			return nil, err
		}
	}
	return possible, nil
}

// stock returns how many of each lot's token its seller has; nil if someone else owns the token.
func (s *seeder) stock(ctx context.Context, lots []Lot) ([]*big.Int, error) {
	many, one := contracts.NewCollection1155(), contracts.NewCollection721()
	views := make([]view, len(lots))
	for i, lot := range lots {
		h := s.holding(lot)
		views[i] = view{h.contract, many.PackBalanceOf(common.Address(h.owner), lot.TokenID.Big())}
		if s.unique(lot) {
			views[i].data = one.PackOwnerOf(lot.TokenID.Big())
		}
	}
	answers, err := s.ask(ctx, views)
	if err != nil {
		return nil, err
	}
	stock := make([]*big.Int, len(lots))
	for i, lot := range lots {
		switch {
		case !s.unique(lot):
			if stock[i], err = many.UnpackBalanceOf(answers[i]); err != nil {
				return nil, err
			}
		case answers[i] == nil: // the token does not exist yet
			stock[i] = new(big.Int)
		default:
			owner, err := one.UnpackOwnerOf(answers[i])
			if err != nil {
				return nil, err
			}
			if eth.Address(owner) == s.holding(lot).owner {
				stock[i] = big.NewInt(1)
			}
		}
	}
	return stock, nil
}

// approve approves the marketplace for the tokens to be listed, without waiting until that is mined.
func (s *seeder) approve(ctx context.Context, lots []Lot) error {
	abi := contracts.NewCollection721() // the two functions are the same in ERC-1155
	market := common.Address(s.addresses.Marketplace)
	type approval struct {
		collection string
		seller     devnet.Role
	}
	var wanted []approval
	var views []view
	for _, lot := range lots {
		if a := (approval{lot.Collection, lot.Seller}); !slices.Contains(wanted, a) {
			h := s.holding(lot)
			wanted = append(wanted, a)
			views = append(views, view{h.contract, abi.PackIsApprovedForAll(common.Address(h.owner), market)})
		}
	}
	answers, err := s.ask(ctx, views)
	if err != nil {
		return err
	}
	for i, a := range wanted {
		approved, err := abi.UnpackIsApprovedForAll(answers[i])
		if err != nil {
			return err
		}
		if approved {
			continue
		}
		err = s.send(ctx, call{
			from: a.seller, to: s.addresses.Collections[a.collection], data: abi.PackSetApprovalForAll(market, true),
			gas: 100_000, what: "approved " + a.collection,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// runSize bounds the lots that are listed by one transaction, and so its gas.
const runSize = 50

// list lists the lots in order: consecutive lots of one seller in one transaction, and each transaction after the
// previous one is mined, because a chain does not preserve the order of different senders.
func (s *seeder) list(ctx context.Context, lots []Lot, c clock.Clock, listed func(lot Lot)) error {
	for len(lots) > 0 {
		run := 1
		for run < min(len(lots), runSize) && lots[run].Seller == lots[0].Seller {
			run++
		}
		if err := s.listRun(ctx, lots[:run], c); err != nil {
			return err
		}
		for _, lot := range lots[:run] {
			listed(lot)
		}
		lots = lots[run:]
	}
	return nil
}

// listRun lists lots of one seller atomically, and waits until that is mined.
func (s *seeder) listRun(ctx context.Context, lots []Lot, c clock.Clock) error {
	head, err := s.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return err
	}
	// The next block's time or slightly earlier, which the marketplace replaces by the block's.
	start := max(int64(head.Time), c.Now().Unix())
	abi := contracts.NewDirectListingsLogic()
	var calls [][]byte
	for _, lot := range lots {
		calls = append(calls, abi.PackCreateListing(contracts.IDirectListingsListingParameters{
			AssetContract:  common.Address(s.holding(lot).contract),
			TokenId:        lot.TokenID.Big(),
			Quantity:       big.NewInt(lot.Quantity),
			Currency:       common.Address(s.addresses.USDC),
			PricePerToken:  lot.Price.Big(),
			StartTimestamp: big.NewInt(start),
			EndTimestamp:   noEnd(),
		}))
	}
	err = s.send(ctx, call{
		from: lots[0].Seller, to: s.addresses.Marketplace, data: contracts.NewMarketplaceV3().PackMulticall(calls),
		gas: 100_000 + 400_000*uint64(len(lots)), what: "listed the lots of the " + string(lots[0].Seller),
	})
	if err != nil {
		return err
	}
	return s.wait(ctx, nil)
}
