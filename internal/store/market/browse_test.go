package market_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
)

// offered is a listing of the modelled market.
type offered struct {
	number     int
	contract   eth.Address
	token      int
	collection string
	rarity     int
	words      []string
	traits     [][2]string
	price      int64
	created    time.Time
	start, end time.Time
	valid      bool
	seller     byte
	held       int64 // until when its unit is held, in milliseconds since 1970
	changed    bool  // since the walk began
}

var (
	modelRarities = []string{"common", "uncommon", "rare", "epic", "legendary", "mythic"}
	modelWords    = []string{"sword", "swordfish", "shield", "dawn", "dusk", "élan", "крылья", "7", "70"}
	modelMetals   = []string{"Iron", "Sky Bronze", "Gold"}
)

// marketModel is a market beside a plain model of it.
type marketModel struct {
	t      *testing.T
	db     *store.DB
	store  marketstore.Store
	clock  *clock.Fake
	market *market.Service
	random *rand.Rand
	offers []*offered
	sold   map[tokenOf]int64 // prices of the last sales
	// Tokens of which a listing was changed since the walk began.
	touched map[tokenOf]bool
}

// describe sets the token and derives its description from its number, so that listings of one token agree.
func (o *offered) describe(token int) {
	o.token = token
	r := rand.New(rand.NewPCG(uint64(token), 7))
	kind := r.IntN(5)
	o.collection = fmt.Sprint("collection-", kind)
	// Two collections share a contract.
	o.contract = eth.Address{1: 1, 19: byte(max(kind, 1))}
	for o.rarity = 0; o.rarity < 5 && r.IntN(3) == 0; {
		o.rarity++
	}
	o.words = []string{modelWords[r.IntN(len(modelWords))], modelWords[r.IntN(len(modelWords))]}
	if r.IntN(200) == 0 {
		o.words = append(o.words, "hyacinthine")
	}
	o.words = market.SearchWords(strings.Join(o.words, " "))
	o.traits = [][2]string{{"Metal", modelMetals[r.IntN(3)]}, {"Power", strconv.Itoa(r.IntN(100))}}
	if r.IntN(300) == 0 {
		o.traits = append(o.traits, [2]string{"Flaw", "cracked"})
	}
}

// modelSeller returns the address of a seller. Most listings are the first one's.
func modelSeller(n byte) eth.Address { return eth.Address{0: 5, 19: n} }

// traits returns the filter of one trait.
func traits(name string, values ...string) []market.TraitFilter {
	return []market.TraitFilter{{Name: name, Values: values}}
}

func (m *marketModel) row(o *offered) (gen.Listing, gen.InsertTokenParams) {
	token := strconv.Itoa(o.token)
	id := market.Key(testkit.GameChain, strconv.Itoa(o.number))
	row := gen.Listing{
		ID: id, ChainID: testkit.GameChain, ListingID: strconv.Itoa(o.number), Contract: o.contract, TokenID: token,
		Seller: modelSeller(o.seller), Quantity: 1, Currency: usdc, Price: money.FromInt(o.price), PriceRank: o.price,
		StartAt: column.At(o.start), EndAt: column.At(o.end), Status: "active", CreatedAt: column.At(o.created), UpdatedAt: column.At(o.created),
		Valid: column.Flag(o.valid),
	}
	return row, gen.InsertTokenParams{
		Contract: row.Contract, TokenID: token, Collection: o.collection, Name: "Item " + token, Kind: "item", Rarity: modelRarities[o.rarity],
		RarityRank: int64(o.rarity), Attributes: "[]", Words: strings.Join(o.words, " "),
	}
}

// save writes the listings.
func (m *marketModel) save(offers ...*offered) {
	m.t.Helper()
	for some := range slices.Chunk(offers, 500) {
		if err := m.db.Write(m.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for _, o := range some {
				row, token := m.row(o)
				if err := index.AddListing(ctx, tx, row, token, o.traits...); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			m.t.Fatal(err)
		}
	}
}

// add offers n random listings. Rare ones are dear, so that the cheapest are never rare.
func (m *marketModel) add(n int) {
	m.t.Helper()
	begin := len(m.offers)
	for range n {
		o := &offered{number: len(m.offers) + 1, valid: m.random.IntN(10) > 0}
		if m.random.IntN(4) == 0 {
			o.describe(m.random.IntN(12)) // tokens of many listings
		} else {
			o.describe(m.random.IntN(max(10, n/2)))
		}
		o.price = int64(o.rarity)*1000 + m.random.Int64N(1000)
		if len(m.offers) > 0 && m.random.IntN(6) == 0 { // the same again
			same := m.offers[len(m.offers)-1-m.random.IntN(min(len(m.offers), 20))]
			o.describe(same.token)
			o.seller, o.price = same.seller, same.price
		}
		o.created = indexStart.Add(-time.Duration(m.random.IntN(n)) * time.Second)
		o.start, o.end = o.created, indexStart.Add(time.Hour)
		if o.seller == 0 && m.random.IntN(3) == 0 {
			o.seller = byte(1 + m.random.IntN(40))
		}
		switch m.random.IntN(20) {
		case 0:
			o.end = indexStart.Add(time.Duration(m.random.IntN(3)-1) * time.Second)
		case 1:
			o.start = indexStart.Add(2 * time.Minute)
		}
		m.offers = append(m.offers, o)
	}
	m.save(m.offers[begin:]...)
}

// change changes one random listing.
func (m *marketModel) change() {
	o := m.offers[m.random.IntN(len(m.offers))]
	o.changed = true
	m.touched[tokenOf{o.contract, o.token}] = true
	defer func() { m.touched[tokenOf{o.contract, o.token}] = true }()
	switch m.random.IntN(4) {
	case 3:
		m.hold(o)
		return
	case 0:
		o.valid = !o.valid
	case 1:
		o.price = m.random.Int64N(6000)
	case 2:
		o.describe(m.random.IntN(len(m.offers)))
	}
	m.save(o)
}

// hold puts the listing into a player's cart. The hold may already have expired.
func (m *marketModel) hold(o *offered) {
	m.t.Helper()
	now := m.clock.Now()
	o.held = now.Add(time.Duration(m.random.IntN(600)-60) * time.Second).UnixMilli()
	if err := m.db.Write(m.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		id := market.Key(testkit.GameChain, strconv.Itoa(o.number))
		if _, err := tx.DropUnit(ctx, gen.DropUnitParams{ListingID: id, Unit: 0}); err != nil {
			return err
		}
		_, err := tx.TakeFreeUnit(ctx, gen.TakeFreeUnitParams{
			ListingID: id, PlayerID: "A", HeldAt: column.At(now), ExpiresAt: column.At(column.Of(o.held)), Price: money.FromInt(1),
		})
		return err
	}); err != nil {
		m.t.Fatal(err)
	}
}

// sell records n sales of random listings' tokens, some at the same time and some in another currency, which have no price.
func (m *marketModel) sell(n int) {
	m.t.Helper()
	type place struct{ time, block, log int64 }
	last := map[tokenOf]place{}
	if err := m.db.Write(m.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for log := range int64(n) {
			o := m.offers[m.random.IntN(len(m.offers))]
			block, price, currency := m.random.Int64N(10), m.random.Int64N(5000), usdc
			at := place{indexStart.UnixMilli() + block/2, block, log}
			if m.random.IntN(5) == 0 {
				currency = eth.Address{}
			} else if k := (tokenOf{o.contract, o.token}); last[k] == (place{}) || last[k].time < at.time ||
				last[k].time == at.time && last[k].block <= block {
				last[k], m.sold[k] = at, price
			}
			if err := tx.InsertSale(ctx, gen.InsertSaleParams{
				ChainID: testkit.GameChain, BlockNumber: block, LogIndex: log, TxHash: eth.Keccak256([]byte(fmt.Sprint(log))),
				Time: column.At(column.Of(at.time)), ListingID: strconv.Itoa(o.number), Contract: o.contract, TokenID: strconv.Itoa(o.token),
				Seller: modelSeller(o.seller), Buyer: modelSeller(41), Currency: currency, Quantity: 1,
				Total: money.FromInt(price), UnitPrice: money.FromInt(price),
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		m.t.Fatal(err)
	}
}

func (o *offered) hasTrait(f market.TraitFilter) bool {
	return slices.ContainsFunc(o.traits, func(t [2]string) bool {
		return t[0] == f.Name && (len(f.Values) == 0 || slices.Contains(f.Values, t[1]))
	})
}

func (m *marketModel) matches(o *offered, q market.Query) bool {
	now := m.clock.Now()
	begins := func(word string) bool {
		return slices.ContainsFunc(o.words, func(w string) bool { return strings.HasPrefix(w, word) })
	}
	return o.valid && !o.start.After(now.Add(time.Minute)) && o.end.After(now) &&
		(q.Contract == nil || *q.Contract == o.contract) && (q.Collection == "" || q.Collection == o.collection) &&
		(q.TokenID == "" || q.TokenID == strconv.Itoa(o.token)) &&
		(len(q.Rarities) == 0 || slices.Contains(q.Rarities, modelRarities[o.rarity])) &&
		(q.Min == nil || q.Min.Cmp(money.FromInt(o.price)) <= 0) && (q.Max == nil || q.Max.Cmp(money.FromInt(o.price)) >= 0) &&
		!slices.ContainsFunc(q.Traits, func(f market.TraitFilter) bool { return !o.hasTrait(f) }) &&
		(q.Seller == nil || *q.Seller == modelSeller(o.seller)) && (!q.Free || o.held <= now.UnixMilli()) &&
		!slices.ContainsFunc(market.SearchWords(q.Text), func(w string) bool { return !begins(w) })
}

// tokenOf identifies a listing's token.
type tokenOf struct {
	contract eth.Address
	token    int
}

// cheaper reports whether a listing comes before another one of its token.
func cheaper(a, b *offered) bool {
	return cmp.Or(cmp.Compare(a.price, b.price), strings.Compare(strconv.Itoa(a.number), strconv.Itoa(b.number))) < 0
}

// cheapest returns the cheapest listing of each token, of those that nobody holds if there are any.
func (m *marketModel) cheapest(offers []*offered) (out []*offered) {
	now := m.clock.Now().UnixMilli()
	best := map[tokenOf]*offered{}
	for _, o := range offers {
		k := tokenOf{o.contract, o.token}
		if b := best[k]; b == nil || o.held <= now && b.held > now || (o.held <= now) == (b.held <= now) && cheaper(o, b) {
			best[k] = o
		}
	}
	return slices.Collect(maps.Values(best))
}

// grouped returns the listings without those that an older, free one of the same seller equals.
func (m *marketModel) grouped(offers []*offered) (out []*offered) {
	type group struct {
		seller byte
		tokenOf
		price int64
	}
	older := func(a, b *offered) bool {
		return cmp.Or(a.created.Compare(b.created), strings.Compare(strconv.Itoa(a.number), strconv.Itoa(b.number))) < 0
	}
	now, first := m.clock.Now().UnixMilli(), map[group]*offered{}
	of := func(o *offered) group { return group{o.seller, tokenOf{o.contract, o.token}, o.price} }
	for _, o := range offers {
		if f := first[of(o)]; o.held <= now && (f == nil || older(o, f)) {
			first[of(o)] = o
		}
	}
	for _, o := range offers {
		if f := first[of(o)]; f == nil || !older(f, o) {
			out = append(out, o)
		}
	}
	return out
}

// find returns the numbers of the listings that the model finds, in order.
func (m *marketModel) find(q market.Query) (numbers []int) {
	var found []*offered
	for _, o := range m.offers {
		if m.matches(o, q) {
			found = append(found, o)
		}
	}
	if q.Cheapest {
		found = m.cheapest(found)
	}
	if q.Grouped {
		found = m.grouped(found)
	}
	slices.SortFunc(found, func(a, b *offered) int {
		id := strings.Compare(strconv.Itoa(a.number), strconv.Itoa(b.number))
		switch q.Sort {
		case market.PriceUp:
			return cmp.Or(cmp.Compare(a.price, b.price), id)
		case market.PriceDown:
			return -cmp.Or(cmp.Compare(a.price, b.price), id)
		case market.Rarest:
			return -cmp.Or(cmp.Compare(a.rarity, b.rarity), id)
		default:
			return -cmp.Or(a.created.Compare(b.created), id)
		}
	})
	for _, o := range found {
		numbers = append(numbers, o.number)
	}
	return numbers
}

// ask returns a random query.
func (m *marketModel) ask() (q market.Query) {
	r := m.random
	sometimes := func(n int) bool { return r.IntN(n) == 0 }
	q.Sort = []market.Sort{market.Newest, market.PriceUp, market.PriceDown, market.Rarest}[r.IntN(4)]
	q.Limit = []int{7, 30, 100}[r.IntN(3)]
	any := m.offers[r.IntN(len(m.offers))]
	if sometimes(5) {
		q.Contract = &any.contract
	}
	if sometimes(3) {
		q.Collection = any.collection
	}
	if sometimes(15) {
		q.TokenID = strconv.Itoa(any.token)
	}
	if sometimes(3) {
		for range 1 + r.IntN(2) {
			q.Rarities = append(q.Rarities, modelRarities[r.IntN(6)])
		}
		slices.Sort(q.Rarities)
		q.Rarities = slices.Compact(q.Rarities)
	}
	if sometimes(4) {
		low := money.FromInt(r.Int64N(6000))
		q.Min = &low
	}
	if sometimes(4) {
		high := money.FromInt(r.Int64N(6000))
		if q.Min == nil || q.Min.Cmp(high) <= 0 {
			q.Max = &high
		}
	}
	if sometimes(5) {
		seller := modelSeller(any.seller)
		q.Seller = &seller
	}
	q.Free, q.Cheapest = sometimes(4), sometimes(3)
	q.Grouped = !q.Cheapest && sometimes(3)
	switch r.IntN(8) {
	case 3:
		q.Traits = traits("Metal", modelMetals[0], modelMetals[r.IntN(2)+1])
	case 4:
		q.Traits = append(traits("Metal", modelMetals[r.IntN(3)]), traits("Power", "1", "2", strconv.Itoa(r.IntN(100)))...)
	case 0:
		q.Traits = traits("Metal", modelMetals[r.IntN(3)])
	case 1:
		q.Traits = traits("Power", strconv.Itoa(r.IntN(100)))
	case 2:
		q.Traits = traits("Flaw")
	}
	switch r.IntN(6) {
	case 0:
		q.Text = modelWords[r.IntN(len(modelWords))]
	case 1:
		q.Text = "s " + string([]rune(modelWords[r.IntN(len(modelWords))])[:1])
	case 2:
		q.Text = "Hyacinth"
	}
	return q
}

// walk reads all pages of a query and returns the numbers of the listings, and how many pages ended early.
func (m *marketModel) walk(q market.Query, between func()) (numbers []int, early int) {
	m.t.Helper()
	for {
		page, err := m.market.Browse(m.t.Context(), q)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, l := range page.Items {
			n, err := strconv.Atoi(l.ListingID)
			if err != nil {
				m.t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		if page.Next == "" {
			return numbers, early
		}
		if len(page.Items) < q.Limit {
			early++
		}
		q.Cursor = page.Next
		between()
	}
}

func (m *marketModel) checkTotal(q market.Query, want int64) {
	m.t.Helper()
	total, err := m.store.CountListings(m.t.Context(), q, m.clock.Now())
	if err != nil {
		m.t.Fatal(err)
	}
	if total.AtLeast && total.N > want || !total.AtLeast && total.N != want {
		m.t.Errorf("%+v: the total is %+v, want %d", q, total, want)
	}
}

// checkFigures compares the figures of listings' tokens with the model's.
func (m *marketModel) checkFigures(items []market.Listing) {
	m.t.Helper()
	got, err := m.market.Figures(m.t.Context(), market.TokensOf(items))
	if err != nil {
		m.t.Fatal(err)
	}
	offers := map[tokenOf][]*offered{}
	for _, o := range m.offers {
		if m.matches(o, market.Query{}) {
			k := tokenOf{o.contract, o.token}
			offers[k] = append(offers[k], o)
		}
	}
	figures := map[market.TokenKey]market.Figures{}
	for _, f := range got {
		figures[f.TokenKey] = f
	}
	if len(figures) != len(got) {
		m.t.Errorf("%d figures of %d tokens", len(got), len(figures))
	}
	for _, l := range items {
		k, f := tokenKeyOf(l), figures[market.TokenKey{Contract: l.Contract, TokenID: l.TokenID}]
		n, lowest := len(offers[k]), slices.MinFunc(offers[k], func(a, b *offered) int { return cmp.Compare(a.price, b.price) }).price
		last, floor := "none", "none"
		if f.LastSale != nil {
			last = f.LastSale.String()
		}
		if f.Floor != nil {
			floor = f.Floor.String()
		}
		want := "none"
		if price, sold := m.sold[k]; sold {
			want = fmt.Sprint(price)
		}
		if f.Offers != int64(min(n, 100)) || floor != fmt.Sprint(lowest) || last != want {
			m.t.Errorf("%s/%s: %d offers from %s, last sold for %s; want %d from %d, %s",
				l.Contract, l.TokenID, f.Offers, floor, last, n, lowest, want)
		}
	}
}

func tokenKeyOf(l market.Listing) tokenOf {
	token, _ := strconv.Atoi(l.TokenID)
	return tokenOf{l.Contract, token}
}

func (m *marketModel) checkCollections() {
	m.t.Helper()
	got, err := m.market.Collections(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	for _, c := range got {
		q := market.Query{Contract: &c.Contract, Collection: c.Slug, Sort: market.PriceUp}
		found := m.find(q)
		floor, want := "none", "none"
		if c.Floor != nil {
			floor = c.Floor.String()
		}
		if len(found) > 0 {
			want = fmt.Sprint(m.offers[found[0]-1].price)
		}
		if c.Listed != int64(len(found)) || floor != want {
			m.t.Errorf("%s: %d from %s, want %d from %s", c.Slug, c.Listed, floor, len(found), want)
		}
	}
	if len(got) != 5 {
		m.t.Errorf("%d collections, want 5", len(got))
	}
}

// Every filter, order, total and walk of a large market matches a plain model, while listings come and go.
// Spec: MARKET-4, MARKET-5, MARKET-6
func TestBrowse_AnswersAsTheModelDoes(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, indexStart, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		size, queries := 50_000, 1_000
		if testing.Short() {
			size, queries = 2_000, 120
		}
		browse := marketstore.New(db).LimitBrowsing(size/50, size/8, int64(size/40), 20)
		seed := rand.Uint64()
		t.Log("seed", seed)
		m := &marketModel{
			t: t, db: db, store: browse, clock: clk, market: market.NewService(browse, clk), random: rand.New(rand.NewPCG(seed, 1)),
			sold:    map[tokenOf]int64{},
			touched: map[tokenOf]bool{},
		}
		testkit.AddPlayers(t, db, 0, "A")
		m.add(size)
		for range size / 100 {
			m.hold(m.offers[m.random.IntN(size)])
		}
		m.sell(size / 10)
		m.checkCollections()
		early, unsure := 0, 0
		for i := range queries {
			q := m.ask()
			want := m.find(q)
			if len(want) > 3_000 {
				q.Limit = 100 // or most of the time would go into such walks
			}
			all := q
			all.Grouped = false
			m.checkTotal(all, int64(len(m.find(all))))
			got, ended := m.walk(q, func() {})
			early += ended
			if !slices.Equal(got, want) {
				t.Fatalf("%d: %+v: found %v, want %v", i, q, got, want)
			}
			if i%4 == 0 {
				page, err := m.market.Browse(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				m.checkFigures(page.Items)
			}
			if total, _ := browse.CountListings(t.Context(), q, clk.Now()); total.AtLeast {
				unsure++
			}
			m.change()
		}
		if early == 0 || unsure == 0 {
			t.Errorf("%d pages ended early, and %d totals were not exact", early, unsure)
		}
		clk.Advance(2 * time.Second) // some end
		m.checkCollections()
		for range queries / 10 {
			q := m.ask()
			for _, o := range m.offers {
				o.changed = false
			}
			clear(m.touched)
			want := m.find(q)
			got, _ := m.walk(q, m.change)
			seen, wanted := map[int]int{}, map[int]int{}
			for _, n := range got {
				seen[n]++
			}
			for _, n := range want {
				wanted[n]++
			}
			for i, o := range m.offers {
				// Another listing of its token may have become the cheapest.
				if !o.changed && !((q.Cheapest || q.Grouped) && m.touched[tokenOf{o.contract, o.token}]) && seen[i+1] != wanted[i+1] {
					t.Fatalf("%+v: listing %d was read %d times, want %d", q, i+1, seen[i+1], wanted[i+1])
				}
			}
		}
		m.checkCollections()
	})
}
