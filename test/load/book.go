package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
)

// The book is a market of many listings. Each listing's token has five transfers before it is listed.
const (
	bookChain     onchain.ChainID = 1337042
	bookTransfers                 = 5
	bookBatch                     = 250 // listings in one batch of the index, each in a block of its own
	bookSellers                   = 20_000
	bookCopies                    = 5_000 // tokens that have many copies; the others are unique
	bookSales                     = 1200 * time.Millisecond
)

var (
	bookMarketplace = bookAddress("marketplace", 0)
	bookUSDC        = bookAddress("usdc", 0)
	bookUnique      = []string{"avatars", "arks", "immortals"}
	bookMany        = []string{"game-items", "chests", "piggy-banks"}
	bookRarities    = []string{"common", "uncommon", "rare", "epic", "legendary", "mythic"}
	bookMaterials   = []string{"Sky Bronze", "Star Iron", "Sea Glass", "Old Oak", "White Marble", "Black Onyx", "River Clay", "Sun Gold"}
	bookFirst       = []string{"Sword", "Shield", "Helm", "Spear", "Lyre", "Crown", "Sandal", "Amphora", "Torch", "Ring", "Cloak", "Bow"}
	bookSecond      = []string{"Dawn", "Dusk", "Storm", "Harvest", "Thunder", "Silence", "Echo", "Frost", "Ember", "Tides"}
)

// bookHash is the hash of the nth thing of a kind.
func bookHash(kind string, n uint64) eth.Hash {
	return eth.Keccak256(binary.BigEndian.AppendUint64([]byte(kind), n))
}

func bookAddress(kind string, n uint64) eth.Address {
	h := bookHash(kind, n)
	return eth.Address(h[:20])
}

// bookGoods identifies the token of a listing.
type bookGoods struct {
	collection string
	token      string
	standard   onchain.Standard
}

func goodsOf(listing uint64) bookGoods {
	if listing%2 == 0 {
		return bookGoods{bookUnique[listing/2%3], strconv.FormatUint(listing+1, 10), onchain.ERC721}
	}
	return bookGoods{bookMany[listing/2%3], strconv.FormatUint(listing*7919%bookCopies+1, 10), onchain.ERC1155}
}

// bookArt describes tokens by their contracts' collections: one in two is common, one in 32 mythic, and one in 1,000 has a rare
// word in its name.
type bookArt map[eth.Address]string

func (a bookArt) Describe(contract eth.Address, tokenID string, _ *metadata.Document) index.Description {
	n, err := strconv.ParseUint(tokenID, 10, 64)
	if err != nil {
		return index.Description{}
	}
	hash := bookHash(a[contract], n)
	h := binary.BigEndian.Uint64(hash[:8])
	rank := 0
	for ; rank < len(bookRarities)-1 && h>>rank&1 == 1; rank++ {
	}
	pick := func(list []string, shift int) string { return list[h>>shift%uint64(len(list))] }
	name := fmt.Sprintf("%s of %s %d", pick(bookFirst, 8), pick(bookSecond, 16), n)
	if h>>24%1000 == 0 {
		name = "Hyacinthine " + name
	}
	return index.Description{Rank: rank, Token: market.Token{
		Collection: a[contract], Name: name, Kind: pick(bookFirst, 8), Rarity: bookRarities[rank],
		Attributes: []market.Attribute{
			{TraitType: "Material", Value: pick(bookMaterials, 32)}, {TraitType: "Power", Value: strconv.FormatUint(h>>40%100, 10)},
		},
	}}
}

// book is an index that is filled with listings.
type book struct {
	index *index.Index
	tip   onchain.Block
	next  uint64 // number of the next listing
}

// openBook opens the book kept in a folder, or in the PostgreSQL database of a URL, and adds listings until it has the number.
func openBook(ctx context.Context, dir, url string, listings uint64) (b *book, db *store.DB, err error) {
	o := store.Options{URL: url, NoSync: true}
	if url == "" {
		o.Path = filepath.Join(dir, "book.db")
	}
	if db, err = store.Open(ctx, o); err != nil {
		return nil, nil, err
	}
	art := bookArt{}
	for _, name := range slices.Concat(bookUnique, bookMany) {
		art[bookAddress(name, 0)] = name
	}
	b = &book{index: index.New(db, index.Options{
		Describer: art, Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{bookChain: {
			Marketplace: bookMarketplace, Currencies: []eth.Address{bookUSDC},
			Rules: projection.Rules{Packs: bookAddress("no packs", 0), Manager: bookAddress("manager", 0), Symbol: "USDC", Decimals: 6},
		}},
	})}
	if err = b.resume(ctx); err == nil {
		err = b.fill(ctx, listings)
	}
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return b, db, nil
}

// resume continues a book: block n lists n-1. Sales have blocks too, so a continued book lacks as many listings.
func (b *book) resume(ctx context.Context) error {
	progress, err := b.index.Resume(ctx, bookChain, onchain.Sources{Base: "the book"}, false)
	if err != nil {
		return err
	}
	if tip := progress.Cursor; tip != nil {
		b.tip, b.next = *tip, tip.Number
	}
	return nil
}

func (b *book) fill(ctx context.Context, listings uint64) error {
	began, first := time.Now(), b.next
	for b.next < listings {
		if err := b.index.ApplyBatch(ctx, b.batch(min(bookBatch, listings-b.next))); err != nil {
			return fmt.Errorf("after %d listings: %w", b.next, err)
		}
		if b.next%50_000 == 0 {
			per := float64(b.next-first) / time.Since(began).Seconds()
			fmt.Fprintf(os.Stderr, "%d listings, %.0f a second, %.0f facts\n", b.next, per, per*(bookTransfers+2))
		}
	}
	return nil
}

// batch returns the blocks of the next n listings.
func (b *book) batch(n uint64) onchain.Batch {
	batch := onchain.Batch{Chain: bookChain, From: b.tip.Number + 1, To: b.tip.Number + n, Parent: b.tip.Hash}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range n {
		number := b.next
		block := onchain.Block{Number: number + 1, Parent: b.tip.Hash, Time: start.Add(time.Duration(number) * time.Second)}
		block.Hash = bookHash("block", block.Number)
		b.list(&batch, block, number)
		batch.Blocks = append(batch.Blocks, block)
		b.tip = block
		b.next++
	}
	return batch
}

// list adds the facts of one listing: its token is minted and transferred until its seller has it, who approves the
// marketplace and lists it.
func (b *book) list(batch *onchain.Batch, block onchain.Block, number uint64) {
	goods, seller := goodsOf(number), bookAddress("seller", number*31%bookSellers)
	contract := bookAddress(goods.collection, 0)
	at := onchain.Position{Block: block.Number, Time: block.Time, Tx: block.Hash}
	quantity := int64(1)
	if goods.standard == onchain.ERC1155 {
		quantity += int64(number % 20)
	}
	from := eth.Address{}
	for i := range uint64(bookTransfers) {
		to := bookAddress("seller", (number*31+(bookTransfers-1-i)*997)%bookSellers)
		batch.Transfers = append(batch.Transfers, onchain.Transfer{
			Position: at, Contract: contract, Standard: goods.standard, TokenID: goods.token, From: from, To: to, Amount: money.FromInt(quantity),
		})
		from = to
		at.LogIndex++
	}
	batch.Approvals = append(batch.Approvals, onchain.Approval{
		Position: at, Contract: contract, Owner: seller, Operator: bookMarketplace, Approved: true,
	})
	at.LogIndex++
	random := rand.New(rand.NewPCG(number, 1))
	batch.Listings = append(batch.Listings, onchain.ListingEvent{
		Position: at, Kind: onchain.ListingCreated, ListingID: strconv.FormatUint(number, 10),
		Terms: &onchain.ListingTerms{
			Seller: seller, Contract: contract, TokenID: goods.token, Quantity: quantity, Currency: bookUSDC,
			PricePerToken: money.FromInt(10_000 * (1 + int64(random.ExpFloat64()*5_000))), Start: block.Time, End: block.Time.AddDate(10, 0, 0),
		},
	})
}

// sell adds a block in which a random unit is bought.
func (b *book) sell(ctx context.Context, markets *market.Service) error {
	page, err := markets.Browse(ctx, market.Query{
		Limit: 1, Sort: market.PriceUp, Collection: "avatars", Min: units(1 + rand.Int64N(100_000_000)),
	})
	if err != nil || len(page.Items) == 0 {
		return err
	}
	l, buyer := page.Items[0], bookAddress("seller", rand.Uint64N(bookSellers))
	block := onchain.Block{Number: b.tip.Number + 1, Parent: b.tip.Hash, Time: b.tip.Time.Add(time.Second)}
	block.Hash = bookHash("sale", block.Number)
	at := onchain.Position{Block: block.Number, Time: block.Time, Tx: block.Hash}
	batch := onchain.Batch{Chain: bookChain, From: block.Number, To: block.Number, Parent: b.tip.Hash, Blocks: []onchain.Block{block}}
	batch.Transfers = []onchain.Transfer{{
		Position: at, Contract: l.Contract, Standard: onchain.ERC721, TokenID: l.TokenID, From: l.Seller, To: buyer, Amount: money.FromInt(1),
	}}
	at.LogIndex++
	batch.Listings = []onchain.ListingEvent{{Position: at, Kind: onchain.ListingSold, ListingID: l.ListingID, Sale: &onchain.Sale{
		Seller: l.Seller, Contract: l.Contract, TokenID: l.TokenID, Buyer: buyer, Quantity: 1, Total: l.Price,
	}}}
	if err := b.index.ApplyBatch(ctx, batch); err != nil {
		return err
	}
	b.tip = block
	return nil
}

func units(n int64) *money.Units {
	u := money.FromInt(n)
	return &u
}

// reading is one query of the table.
type reading struct {
	name string
	run  func(context.Context, *market.Service) (int, error) // returns how many entries it got
}

func browse(name string, query func() market.Query) reading {
	return reading{name, func(ctx context.Context, m *market.Service) (int, error) {
		q := query()
		q.Limit = 30
		page, err := m.Browse(ctx, q)
		if err != nil {
			return 0, err
		}
		_, err = m.Figures(ctx, market.TokensOf(page.Items))
		return len(page.Items), err
	}}
}

func one[T any](list []T) T { return list[rand.IntN(len(list))] }

// readings are what players ask of the market, with random filters.
func readings() []reading {
	collections := slices.Concat(bookUnique, bookMany)
	return []reading{
		browse("newest", func() market.Query { return market.Query{} }),
		browse("cheapest", func() market.Query { return market.Query{Sort: market.PriceUp} }),
		browse("dearest", func() market.Query { return market.Query{Sort: market.PriceDown} }),
		browse("rarest", func() market.Query { return market.Query{Sort: market.Rarest} }),
		browse("a collection, newest", func() market.Query { return market.Query{Collection: one(collections)} }),
		browse("a collection, cheapest", func() market.Query { return market.Query{Collection: one(collections), Sort: market.PriceUp} }),
		browse("a collection, rarest", func() market.Query { return market.Query{Collection: one(collections), Sort: market.Rarest} }),
		browse("a rarity, cheapest", func() market.Query { return market.Query{Rarities: []string{one(bookRarities)}, Sort: market.PriceUp} }),
		browse("two rarities, newest", func() market.Query { return market.Query{Rarities: []string{"mythic", one(bookRarities)}} }),
		browse("a price band, newest", func() market.Query {
			low := rand.Int64N(100_000_000)
			return market.Query{Min: units(low), Max: units(low + 1_000_000)}
		}),
		browse("a trait, cheapest", func() market.Query {
			return market.Query{Traits: []market.TraitFilter{{Name: "Material", Values: []string{one(bookMaterials)}}}, Sort: market.PriceUp}
		}),
		browse("a rare trait, newest", func() market.Query {
			return market.Query{Traits: []market.TraitFilter{{Name: "Power", Values: []string{strconv.Itoa(rand.IntN(100))}}}}
		}),
		browse("a common word, newest", func() market.Query { return market.Query{Text: one(bookSecond)} }),
		browse("a rare word, cheapest", func() market.Query { return market.Query{Text: "hyacinthine", Sort: market.PriceUp} }),
		browse("two words, rarest", func() market.Query {
			return market.Query{Text: one(bookFirst) + " " + one(bookSecond), Sort: market.Rarest}
		}),
		browse("a word of no item", func() market.Query { return market.Query{Text: "zzz" + strconv.Itoa(rand.IntN(1000))} }),
		browse("collection, rarity, trait and band", func() market.Query {
			return market.Query{
				Collection: one(collections), Rarities: []string{one(bookRarities)},
				Traits: []market.TraitFilter{{Name: "Material", Values: []string{one(bookMaterials)}}}, Max: units(50_000_000),
				Sort: market.PriceUp,
			}
		}),
		browse("one card per kind, cheapest", func() market.Query { return market.Query{Cheapest: true, Sort: market.PriceUp} }),
		browse("one card per kind, newest in a collection of many copies", func() market.Query {
			return market.Query{Cheapest: true, Collection: one(bookMany)}
		}),
		{"an item", func(ctx context.Context, m *market.Service) (int, error) {
			g := goodsOf(2*rand.Uint64N(1000) + 1)
			item, err := m.Item(ctx, bookAddress(g.collection, 0), g.token)
			return len(item.Listings), err
		}},
		{"the figures of the collections", func(ctx context.Context, m *market.Service) (int, error) {
			all, err := m.Collections(ctx)
			return len(all), err
		}},
		{"a seller's listings", func(ctx context.Context, m *market.Service) (int, error) {
			page, err := m.OwnListings(ctx, market.OwnQuery{Seller: bookAddress("seller", rand.Uint64N(bookSellers)), Limit: 30})
			return len(page.Items), err
		}},
	}
}

// measureBook fills a book and measures its queries, each until the time is over, while units are sold.
func measureBook(ctx context.Context, dir, url string, listings uint64, each time.Duration) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	b, db, err := openBook(ctx, dir, url, listings)
	if err != nil {
		return err
	}
	markets := market.NewService(marketstore.New(db), clock.System{})
	ctx, cancel := context.WithCancel(ctx)
	sold := make(chan error, 1)
	go func() {
		tick := time.NewTicker(bookSales)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				sold <- nil
				return
			case <-tick.C:
				if err := b.sell(ctx, markets); err != nil && ctx.Err() == nil {
					sold <- err
					cancel()
					return
				}
			}
		}
	}()
	fmt.Printf("%s, %d listings\n\n| query | entries | p50 | p99 |\n|---|---|---|---|\n", db.Engine(), listings)
	for _, r := range readings() {
		if err = measureReading(ctx, db, r, each); err != nil {
			break
		}
	}
	cancel()
	return errors.Join(err, <-sold, db.Close())
}

// measureReading repeats a query, each time by a new service: the service remembers totals for a second.
func measureReading(ctx context.Context, db *store.DB, r reading, each time.Duration) error {
	var times []time.Duration
	entries := 0
	for end := time.Now().Add(each); time.Now().Before(end) || len(times) < 3; {
		began := time.Now()
		n, err := r.run(ctx, market.NewService(marketstore.New(db), clock.System{}))
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		times = append(times, time.Since(began))
		entries += n
	}
	slices.Sort(times)
	fmt.Printf("| %s | %d | %s | %s |\n", r.name, entries/len(times), round(times[len(times)/2]), round(times[len(times)*99/100]))
	return nil
}
