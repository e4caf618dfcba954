package cart_test

import (
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
)

var (
	usdc        = eth.MustAddress(testkit.USDC)
	shop        = eth.MustAddress("0x00000000000000000000000000000000000005b0")
	marketplace = eth.MustAddress("0x00000000000000000000000000000000000000ba")
)

// needing returns the options of a cart with the requirement.
func needing(n cart.Need) cart.Options {
	return cart.Options{Need: n, Currency: cart.Currency{Chain: testkit.GameChain, Address: usdc, Symbol: "USDC", Decimals: 6}}
}

// ledger is a chain that a test writes block by block, each indexed at once.
type ledger struct {
	t     testing.TB
	index *index.Index
	clock *clock.Fake
	tip   onchain.Block
}

// noArt has no metadata for any token.
type noArt struct{}

func (noArt) Describe(eth.Address, string, *metadata.Document) index.Description {
	return index.Description{}
}

// openLedger starts a chain on which the seller can sell.
func openLedger(t testing.TB, db *store.DB, clk *clock.Fake, need cart.Need, sellers ...eth.Address) *ledger {
	t.Helper()
	l := &ledger{t: t, clock: clk}
	l.follow(db, need)
	progress, err := l.index.Resume(t.Context(), testkit.GameChain, onchain.Sources{Base: "test"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Cursor != nil {
		l.tip = *progress.Cursor
	}
	for _, s := range sellers {
		l.block(supply(s)...)
	}
	return l
}

// follow makes the index apply the requirement's rules.
func (l *ledger) follow(db *store.DB, need cart.Need) {
	rules := index.ChainRules{Marketplace: marketplace, Currencies: []eth.Address{usdc}, Rules: projection.Rules{Symbol: "USDC", Decimals: 6}}
	if need == cart.NeedFunds {
		rules.HoldCurrency = &usdc
	}
	l.index = index.New(db, index.Options{
		Describer: noArt{}, Publisher: market.Publisher{Decimals: 6}, Chains: map[onchain.ChainID]index.ChainRules{testkit.GameChain: rules},
	})
}

// supply returns the facts that give a seller tokens with an approval for the marketplace.
func supply(seller eth.Address) []any {
	return []any{
		onchain.Transfer{Contract: items, Standard: onchain.ERC1155, TokenID: "1", To: seller, Amount: money.FromInt(100_000)},
		onchain.Approval{Contract: items, Owner: seller, Operator: marketplace, Approved: true},
	}
}

// block adds a block with the facts at the current time.
func (l *ledger) block(facts ...any) {
	l.t.Helper()
	block := onchain.Block{Number: l.tip.Number + 1, Time: l.clock.Now().Truncate(time.Second)}
	block.Hash = eth.Keccak256(l.tip.Hash[:], fmt.Append(nil, block.Number))
	b := onchain.Batch{
		Chain: testkit.GameChain, From: block.Number, To: block.Number, Parent: l.tip.Hash, Blocks: []onchain.Block{block},
	}
	for i, f := range facts {
		at := onchain.Position{Block: block.Number, LogIndex: uint32(i), Tx: block.Hash, Time: block.Time}
		switch f := f.(type) {
		case onchain.Transfer:
			f.Position = at
			b.Transfers = append(b.Transfers, f)
		case onchain.Approval:
			f.Position = at
			b.Approvals = append(b.Approvals, f)
		case onchain.ListingEvent:
			f.Position = at
			b.Listings = append(b.Listings, f)
		default:
			l.t.Fatalf("no fact: %T", f)
		}
	}
	if err := l.index.ApplyBatch(l.t.Context(), b); err != nil {
		l.t.Fatal(err)
	}
	l.tip = block
}

// paid returns a transfer of base units of USDC.
func paid(from, to eth.Address, amount int64) onchain.Transfer {
	return onchain.Transfer{Contract: usdc, Standard: onchain.ERC20, TokenID: "0", From: from, To: to, Amount: money.FromInt(amount)}
}

// bought returns the facts of a sale from a listing of the seller.
func bought(number string, seller, buyer eth.Address, n, price int64) []any {
	return []any{
		paid(buyer, seller, n*price),
		onchain.Transfer{Contract: items, Standard: onchain.ERC1155, TokenID: "1", From: seller, To: buyer, Amount: money.FromInt(n)},
		onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
			Seller: seller, Contract: items, TokenID: "1", Buyer: buyer, Quantity: n, Total: money.FromInt(n * price),
		}},
	}
}
