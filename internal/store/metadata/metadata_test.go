package metadata_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/files"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	metadatastore "pantheon/internal/store/metadata"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// byContract describes avatars by what their contract says, and nothing else.
type byContract struct{}

func (byContract) Describe(contract eth.Address, id string, known *metadata.Document) index.Description {
	d := index.Description{Token: market.Token{Collection: "avatars", Name: "Avatar #" + id}}
	if contract != storetest.Avatars {
		return index.Description{}
	}
	d.Asks = onchain.ERC721
	if known != nil {
		d.Token.Name = known.Name
		for _, a := range known.Attributes {
			d.Token.Attributes = append(d.Token.Attributes, market.Attribute{TraitType: a.Trait, Value: a.Value})
			if a.Trait == "Rarity" {
				d.Token.Rarity, d.Rank = strings.ToLower(a.Value), rarity.Rarity(strings.ToLower(a.Value)).Rank()
			}
		}
	}
	return d
}

// web is a host of documents and pictures that counts how often each is asked for.
type web struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	reply func(w http.ResponseWriter, path string, nth int) (handled bool)
}

func newWeb(t *testing.T) *web {
	t.Helper()
	h := &web{asked: map[string]int{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.asked[r.URL.Path]++
		if h.reply != nil && h.reply(w, r.URL.Path, h.asked[r.URL.Path]) {
			return
		}
		id, kind, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".")
		if kind == "png" {
			_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 4, 4)))
			return
		}
		rare := []string{"Common", "Epic"}[len(id)%2]
		fmt.Fprintf(w, `{"name":"Wanderer %s","image":"%s/%s.png",
			"attributes":[{"trait_type":"Hat","value":"Red"},{"trait_type":"Rarity","value":"%s"}]}`, id, h.URL, id, rare)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *web) count() (paths, asked int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.asked {
		paths, asked = paths+1, asked+n
	}
	return paths, asked
}

// uris names the URI of each token as a contract does.
type uris struct {
	base  string
	mu    sync.Mutex
	asked int
}

func (u *uris) URIs(_ context.Context, _ onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := make([]metadata.URI, len(entries))
	for i, e := range entries {
		u.asked++
		out[i].Text = u.base + "/" + e.TokenID + ".json"
	}
	return out, nil
}

// reading is an index whose avatars are described by a host, and the service that reads it.
type reading struct {
	*storetest.Indexed
	store    metadatastore.Store
	web      *web
	contract *uris
	folder   string
	pictures *metadata.PictureStore
	service  *metadata.Service
}

func open(t *testing.T, x *storetest.Indexed) *reading {
	t.Helper()
	x.Index = index.New(x.DB, index.Options{
		Describer: byContract{}, Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{storetest.Chain: {
			Marketplace: storetest.Marketplace, Currencies: []eth.Address{storetest.USDC},
			Rules: projection.Rules{Manager: storetest.Seller, Symbol: "USDC", Decimals: 6},
		}},
	})
	r := &reading{
		Indexed: x, store: metadatastore.New(x.DB, x.Index), web: newWeb(t),
		folder: t.TempDir(),
	}
	r.pictures = metadata.NewPictureStore(files.Folder{Path: r.folder})
	r.contract = &uris{base: r.web.URL}
	fetcher := metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL}, Timeout: 5 * time.Second})
	t.Cleanup(fetcher.Close)
	r.service = metadata.NewService(metadata.Options{
		Store: r.store, Chain: r.contract, Fetcher: fetcher, Pictures: r.pictures, Clock: r.Clock, Refresh: 24 * time.Hour,
		Own: []string{"https://portal.example"},
	})
	return r
}

// mint mints avatars to the seller, in one block.
func (r *reading) mint(first, last int) {
	r.T.Helper()
	var facts []any
	for id := first; id <= last; id++ {
		facts = append(facts, storetest.MoveAvatar(eth.Address{}, storetest.Seller, strconv.Itoa(id)))
	}
	r.Apply(facts...)
}

// run runs the service until a condition holds. The clock goes on meanwhile, so that waits pass.
func (r *reading) run(until func() bool, what string) {
	r.T.Helper()
	ctx, stop := context.WithCancel(r.T.Context())
	done := make(chan error, 1)
	go func() {
		done <- r.service.Run(ctx, func(err error) {
			if ctx.Err() == nil {
				r.T.Error(err)
			}
		})
	}()
	testkit.Eventually(r.T, time.Minute, func() bool {
		r.Clock.Advance(10 * time.Second)
		r.service.Wake()
		return until()
	}, "%s", what)
	stop()
	if err := <-done; err != nil {
		r.T.Error(err)
	}
}

// all reports whether so many avatars have a name and a picture.
func (r *reading) all(n int) func() bool {
	return func() bool {
		rows := r.Rows("SELECT COUNT(*) FROM token_metadata WHERE document <> '' AND picture <> '' AND stage = 'uri' AND failures = 0")
		return rows[0] == strconv.Itoa(n)
	}
}

func eachReading(t *testing.T, test func(t *testing.T, r *reading)) {
	t.Helper()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) { test(t, open(t, x)) })
}

// A token is its number until its contract's host answers. Then its name, rarity and traits are in the market: in its listing, the
// search, the filters and their counts, and browsers are told.
// Spec: MARKET-23
func TestMetadata_NamesAndTraitsEnterTheMarketWhenTheyArrive(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		r.mint(1, 3)
		r.Apply(storetest.AllowAll(storetest.Avatars, storetest.Seller, true), storetest.List("7", storetest.TermsOf(storetest.Avatars, "2", 1)))
		markets := market.NewService(marketstore.New(r.DB), r.Clock)
		find := func(q market.Query) (names []string) {
			q.Limit = 10
			page, err := markets.Browse(t.Context(), q)
			r.OK(err)
			for _, l := range page.Items {
				names = append(names, l.Token.Name)
			}
			return names
		}
		r.Want("before", find(market.Query{}), "Avatar #2")
		r.Want("search before", find(market.Query{Text: "wanderer"}))
		before := r.Rows("SELECT version FROM listing_version WHERE listing_id = '1337042-7'")

		r.run(r.all(3), "not all are read")

		r.Want("after", find(market.Query{}), "Wanderer 2")
		r.Want("search", find(market.Query{Text: "wanderer"}), "Wanderer 2")
		r.Want("by trait", find(market.Query{Traits: []market.TraitFilter{{Name: "Hat", Values: []string{"Red"}}}}), "Wanderer 2")
		r.Want("by rarity", find(market.Query{Rarities: []string{"epic"}}), "Wanderer 2")
		r.Want("counts", r.Rows("SELECT rarity, tokens, listed FROM rarity_count WHERE tokens <> 0 OR listed <> 0 ORDER BY rarity"), "epic 3 1")
		r.Want("traits", r.Rows("SELECT trait, value, listed FROM trait_count WHERE listed <> 0 ORDER BY trait"), "Hat Red 1", "Rarity Epic 1")
		if after := r.Rows("SELECT version FROM listing_version WHERE listing_id = '1337042-7'"); after[0] == before[0] {
			t.Error("nobody is told that the listing has changed")
		}
		e, err := r.store.Entry(t.Context(), storetest.Avatars, "2")
		r.OK(err)
		if body, kind, err := r.pictures.Get(t.Context(), e.Picture, 640); err != nil || kind != "image/png" || len(body) == 0 {
			t.Errorf("the picture is %s of %d bytes, %v", kind, len(body), err)
		}
	})
}

// Rebuilding the index gives the same state, and fetches nothing.
func TestMetadata_AnIndexThatIsMadeAnewAsksNobody(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		first := r.Next(
			storetest.MoveAvatar(eth.Address{}, storetest.Seller, "1"), storetest.AllowAll(storetest.Avatars, storetest.Seller, true),
			storetest.List("1", storetest.TermsOf(storetest.Avatars, "1", 1)),
		)
		r.OK(r.Index.ApplyBatch(t.Context(), first))
		r.run(r.all(1), "it is not read")
		state := func() []string {
			return append(r.Rows("SELECT collection, name, rarity, rarity_rank, attributes, words FROM token"), append(
				r.Rows("SELECT contract, collection, rarity, tokens, listed FROM rarity_count WHERE tokens <> 0 OR listed <> 0"),
				r.Rows("SELECT collection, rarity, rarity_rank, words, traits FROM listing")...)...)
		}
		want := state()
		_, asked := r.web.count()
		r.Reset()
		r.Resume(storetest.Sources())
		r.OK(r.Index.ApplyBatch(t.Context(), first))
		r.Want("rebuilt", state(), want...)
		if _, again := r.web.count(); again != asked {
			t.Errorf("the host was asked %d times more", again-asked)
		}
	})
}

// After a change of the rules, such as a setting, a collection's tokens are described again, once.
// Spec: MARKET-23
func TestMetadata_OtherRulesDescribeWhatIsThereAnew(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		byCatalogue := index.New(r.DB, index.Options{
			Describer: storetest.PlainArt{}, Chains: map[onchain.ChainID]index.ChainRules{storetest.Chain: {}},
		})
		r.Index, byCatalogue = byCatalogue, r.Index
		r.mint(1, 205)
		r.Want("by the catalogue", r.Rows("SELECT DISTINCT collection FROM token"), "other")
		r.Index = byCatalogue
		for range 2 {
			r.OK(r.store.Describe(t.Context(), storetest.Chain, storetest.Avatars, "rules"))
		}
		r.Want("by the contract", r.Rows("SELECT DISTINCT collection FROM token"), "avatars")
		r.Want("to be asked for", r.Rows("SELECT COUNT(*) FROM token_metadata"), "205")
		r.Want("counts", r.Rows("SELECT collection, tokens FROM rarity_count WHERE tokens <> 0"), "avatars 205")
		_, err := r.Raw.ExecContext(t.Context(), "UPDATE token SET name = 'kept'")
		r.OK(err)
		r.OK(r.store.Describe(t.Context(), storetest.Chain, storetest.Avatars, "rules"))
		r.Want("by the same rules", r.Rows("SELECT DISTINCT name FROM token"), "kept")
	})
}

// Rarities by statistics follow what is known of the collection, and enter the market like those that a trait says.
// Spec: MARKET-23
func TestMetadata_RaritiesByStatisticsEnterTheMarket(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		r.Index = index.New(r.DB, index.Options{
			Describer: byStatistics{}, Chains: map[onchain.ChainID]index.ChainRules{storetest.Chain: {Marketplace: storetest.Marketplace}},
		})
		r.store = metadatastore.New(r.DB, r.Index)
		r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
			hat := map[string]string{"/7.json": "Gold"}[path]
			fmt.Fprintf(w, `{"name":"Hat","attributes":{"Hat":"%s"}}`, cmp.Or(hat, "Straw"))
			return true
		}
		r.service = metadata.NewService(metadata.Options{
			Store: r.store, Chain: r.contract, Pictures: r.pictures, Clock: r.Clock, Refresh: 24 * time.Hour,
			Fetcher: metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL}}),
		})
		r.mint(1, 10)
		r.run(func() bool { return r.Rows("SELECT COUNT(*) FROM token_metadata WHERE document <> ''")[0] == "10" }, "not all are read")
		r.Want("before", r.Rows("SELECT DISTINCT rarity FROM token"), "common")
		was, err := r.store.SetRarities(t.Context(), storetest.Chain, storetest.Avatars, metadatastore.Statistics{})
		r.OK(err)
		r.Want("after", r.Rows("SELECT token_id, rarity, rarity_rank FROM token WHERE rarity <> 'common'"), "7 epic 3")
		r.Want("counts", r.Rows("SELECT rarity, tokens FROM rarity_count WHERE tokens <> 0 ORDER BY rarity"), "common 9", "epic 1")
		_, err = r.Raw.ExecContext(t.Context(), "UPDATE token_metadata SET rarity = 'kept'")
		r.OK(err)
		if now, err := r.store.SetRarities(t.Context(), storetest.Chain, storetest.Avatars, was); err != nil || now != was {
			t.Errorf("nothing is new, and it is computed again: %v, %v", now, err)
		}
		r.Want("nothing new", r.Rows("SELECT DISTINCT rarity FROM token_metadata"), "kept")
	})
}

// byStatistics describes avatars by what their contract says, and by statistics.
type byStatistics struct{}

func (byStatistics) Describe(_ eth.Address, _ string, known *metadata.Document) index.Description {
	d := index.Description{Asks: onchain.ERC721}
	if known != nil {
		d.Token.Rarity, d.Rank = string(known.Rarity), max(0, known.Rarity.Rank())
	}
	return d
}

// ERC-4906: what the contract announces is read again, the tokens that it names and no others; so is what players ask for, and what is old.
// Spec: MARKET-25
func TestMetadata_IsReadAgainWhenTheContractSaysSo(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		r.mint(8, 12)
		r.run(r.all(5), "not all are read")
		r.web.mu.Lock()
		r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
			if strings.HasSuffix(path, ".json") {
				fmt.Fprintf(w, `{"name":"Changed","image":"%s/x.png"}`, r.web.URL)
				return true
			}
			return false
		}
		r.web.mu.Unlock()
		changed := func() string {
			return strings.Join(r.Rows("SELECT token_id FROM token WHERE name = 'Changed' ORDER BY LENGTH(token_id), token_id"), " ")
		}
		r.Clock.Advance(5 * time.Minute)
		r.Apply(onchain.MetadataUpdate{Contract: storetest.Avatars, First: "9", Last: "10"})
		r.run(func() bool { return changed() == "9 10" && r.all(5)() }, "9 and 10 are not read again, or others are")
		if is, err := r.store.Refresh(t.Context(), storetest.Avatars, "12", r.Clock.Now().Add(-time.Hour)); is || err != nil {
			t.Errorf("it was read lately, and is read again: %v", err)
		}
		if is, err := r.store.Refresh(t.Context(), storetest.Avatars, "12", r.Clock.Now()); !is || err != nil {
			t.Errorf("it is not read again: %v", err)
		}
		if is, err := r.store.Refresh(t.Context(), storetest.Avatars, "12", r.Clock.Now()); is || err != nil {
			t.Errorf("it is asked for twice at once: %v", err)
		}
		r.run(func() bool { return changed() == "9 10 12" && r.all(5)() }, "12 is not read again, or others are")
		r.Clock.Advance(24 * time.Hour)
		r.run(func() bool { return changed() == "8 9 10 11 12" && r.all(5)() }, "what is old is not read again")
	})
}

// What a contract says of itself (ERC-7572) is read like a token's metadata, and is no token: it counts as none, and has no rarity.
// Spec: MARKET-26
func TestMetadata_OfAContractIsReadAndIsNoToken(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		text := "Wanderers of the north."
		r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
			if path == "/.json" {
				fmt.Fprintf(w, `{"name":"Wanderers","description":%q,"image":"%s/all.png"}`, text, r.web.URL)
			}
			return path == "/.json"
		}
		r.mint(8, 9)
		for range 2 {
			r.OK(r.store.Ask(t.Context(), storetest.Chain, storetest.Avatars, onchain.ERC721))
		}
		if unknown, failing, err := r.store.Count(t.Context()); unknown != 2 || failing != 0 || err != nil {
			t.Errorf("%d unknown, %d failing, %v; want the two tokens", unknown, failing, err)
		}
		r.run(r.all(3), "not all are read")
		said := func() string {
			known, err := r.store.Contracts(t.Context())
			r.OK(err)
			if len(known) != 1 || known[0].Contract != storetest.Avatars || known[0].Picture == "" {
				t.Fatalf("%+v", known)
			}
			return known[0].Document.Description
		}
		if got := said(); got != "Wanderers of the north." {
			t.Errorf("it says %q", got)
		}
		r.Want("tokens", r.Rows("SELECT name FROM token ORDER BY token_id"), "Wanderer 8", "Wanderer 9")
		if _, err := r.store.SetRarities(t.Context(), storetest.Chain, storetest.Avatars, metadatastore.Statistics{}); err != nil {
			t.Error(err)
		}
		r.Want("rarities", r.Rows("SELECT token_id FROM token_metadata WHERE rarity <> '' ORDER BY token_id"), "8", "9")

		r.web.mu.Lock()
		text = "Wanderers of the south."
		before := r.web.asked["/8.json"]
		r.web.mu.Unlock()
		r.Clock.Advance(5 * time.Minute)
		r.Apply(onchain.MetadataUpdate{Contract: storetest.Avatars})
		r.run(func() bool { return said() == "Wanderers of the south." }, "it is not read again when the contract says so")
		r.web.mu.Lock()
		defer r.web.mu.Unlock()
		if got := r.web.asked["/8.json"]; got != before {
			t.Errorf("a token was asked for %d times more", got-before)
		}
	})
}

// A picture that was replaced is deleted once no token has had it for a while; one that another token has stays.
func TestMetadata_PicturesThatNoTokenHasAreDeleted(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		size := 4
		r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
			if strings.HasSuffix(path, ".png") {
				edge := size
				if path == "/9.png" || path == "/10.png" {
					edge = 6
				}
				_ = png.Encode(w, image.NewGray(image.Rect(0, 0, edge, edge)))
				return true
			}
			return false
		}
		r.mint(8, 10)
		r.run(r.all(3), "not all are read")
		keys := func() []string {
			return r.Rows("SELECT picture FROM token_metadata ORDER BY LENGTH(token_id), token_id")
		}
		before := keys()
		r.web.mu.Lock()
		size = 5
		r.web.mu.Unlock()
		r.Clock.Advance(25 * time.Hour)
		r.run(func() bool { return keys()[0] != before[0] && r.all(3)() }, "the picture is not read again")
		r.Exec("UPDATE token_metadata SET picture = '" + keys()[0] + "' WHERE token_id = '9'") // 10 has the other one still
		r.OK(r.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.PutUnusedPicture(ctx, gen.PutUnusedPictureParams{Picture: before[1], UnusedAt: column.At(r.Clock.Now())})
		}))
		has := func() (out []bool) {
			for _, key := range []string{before[0], before[1], keys()[0]} {
				is, err := r.pictures.Has(t.Context(), key)
				r.OK(err)
				out = append(out, is)
			}
			return out
		}
		now := r.Clock.Now()
		r.OK(r.store.RemoveUnused(t.Context(), now.Add(-24*time.Hour), r.pictures.Remove))
		if got := has(); !slices.Equal(got, []bool{true, true, true}) {
			t.Errorf("early: %v", got)
		}
		away := errors.New("the bucket is away")
		fails := func(context.Context, string) error { return away }
		if err := r.store.RemoveUnused(t.Context(), now.Add(time.Hour), fails); !errors.Is(err, away) {
			t.Errorf("without the bucket: %v", err)
		}
		for range 2 {
			r.OK(r.store.RemoveUnused(t.Context(), now.Add(time.Hour), r.pictures.Remove))
		}
		if got := has(); !slices.Equal(got, []bool{false, true, true}) {
			t.Errorf("the first is to be deleted alone: %v", got)
		}
		r.Want("unused", r.Rows("SELECT picture FROM unused_picture"))
	})
}

// A host that is slow, fails and limits how often it is asked is left alone for as long as it says. In the end all tokens are there,
// and what it has answered was not asked for again.
// Spec: MARKET-25
func TestMetadata_AHostThatFailsIsLeftAlone(t *testing.T) {
	t.Parallel()
	const tokens = 300
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	var (
		answered = map[string]int{}
		sinceOK  int
		until    time.Time // when it may be asked again
		early    int
	)
	r.web.reply = func(w http.ResponseWriter, path string, nth int) bool {
		now := r.Clock.Now()
		if now.Before(until) {
			early++
		}
		sinceOK++
		switch {
		case sinceOK%40 == 0:
			until = now.Add(60 * time.Second)
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		case strings.HasPrefix(path, "/13") && nth == 1:
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		answered[path]++
		return false
	}
	r.mint(1, tokens)
	r.run(r.all(tokens), "not all are read")
	r.web.mu.Lock()
	defer r.web.mu.Unlock()
	for path, n := range answered {
		if n > 1 {
			t.Errorf("%s was read %d times", path, n)
		}
	}
	if len(answered) != 2*tokens {
		t.Errorf("%d documents and pictures were read, want %d", len(answered), 2*tokens)
	}
	// What was under way when it refused comes after, and one that tries again.
	if early > 150 {
		t.Errorf("it was asked %d times before it wanted", early)
	}
	if n := r.contract.asked; n != tokens {
		t.Errorf("the contract was asked %d times, want %d", n, tokens)
	}
}

// One host that never answers keeps no other waiting.
func TestMetadata_ASlowHostKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	stuck := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stuck }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(stuck) })
	fetcher := metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL, slow.URL}, Timeout: time.Minute})
	t.Cleanup(fetcher.Close)
	r.service = metadata.NewService(metadata.Options{
		Store: r.store, Chain: split{slow.URL, r.web.URL}, Fetcher: fetcher, Pictures: r.pictures, Clock: r.Clock, Refresh: time.Hour,
	})
	r.mint(1, 20)
	r.run(r.all(10), "those of the other host are not read")
}

// split is a contract whose tokens with odd numbers are at a host that never answers.
type split struct{ slow, fast string }

func (s split) URIs(_ context.Context, _ onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	out := make([]metadata.URI, len(entries))
	for i, e := range entries {
		base := s.fast
		if n, _ := strconv.Atoi(e.TokenID); n%2 == 1 {
			base = s.slow
		}
		out[i].Text = base + "/" + e.TokenID + ".json"
	}
	return out, nil
}

// What one token's contract or host says wrongly is kept beside it, and the others are read.
func TestMetadata_OneOddTokenStopsNoOther(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
		switch path {
		case "/1.json":
			fmt.Fprint(w, "<html>gone</html>")
		case "/2.json":
			fmt.Fprint(w, `{"name":"No picture","image":"file:///etc/passwd"}`)
		case "/3.json":
			fmt.Fprint(w, `{"name":"Bad picture","image":"`+r.web.URL+`/3.png"}`)
		case "/3.png":
			fmt.Fprint(w, "<html>gone</html>")
		case "/4.json":
			fmt.Fprint(w, `{"name":"Own picture","image":"https://portal.example/x.png"}`)
		case "/5.json":
			w.WriteHeader(http.StatusNotFound)
		default:
			return false
		}
		return true
	}
	r.mint(1, 7)
	r.run(func() bool {
		return r.Rows("SELECT COUNT(*) FROM token_metadata WHERE stage = 'uri' AND uri <> '' OR failures > 0")[0] == "7"
	}, "not all are read")
	r.Want("names", r.Rows("SELECT name FROM token ORDER BY token_id"),
		"Avatar #1", "No picture", "Bad picture", "Own picture", "Avatar #5", "Wanderer 6", "Wanderer 7")
	r.Want("reasons", r.Rows("SELECT token_id, reason FROM token_metadata WHERE reason <> '' ORDER BY token_id"),
		"1 the answer is a page, not JSON", `2 URIs of the scheme "file" are not read`, "3 it is no picture that can be read",
		"5 the host answers 404")
}

// What is on IPFS never changes, and is not read again; but a picture that no gateway had is looked for again.
// Spec: MARKET-25
func TestMetadata_APictureThatWasMissingIsLookedForAgain(t *testing.T) {
	t.Parallel()
	const content = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	missing := true
	r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
		switch {
		case path == "/ipfs/"+content+"/1.json":
			fmt.Fprint(w, `{"name":"On IPFS","image":"ipfs://`+content+`/1.png"}`)
		case missing:
			w.WriteHeader(http.StatusNotFound)
		default:
			return false
		}
		return true
	}
	fetcher := metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL + "/"}})
	t.Cleanup(fetcher.Close)
	r.service = metadata.NewService(metadata.Options{
		Store: r.store, Chain: fixed("ipfs://" + content + "/1.json"), Fetcher: fetcher, Pictures: r.pictures, Clock: r.Clock,
		Refresh:  24 * time.Hour,
		Gateways: metadata.Gateways{IPFS: []string{r.web.URL}},
	})
	r.mint(1, 1)
	r.run(func() bool { return r.Rows("SELECT failures FROM token_metadata")[0] != "0" }, "nothing is missing")
	r.Want("its name is there", r.Rows("SELECT name FROM token"), "On IPFS")
	r.web.mu.Lock()
	missing = false
	r.web.mu.Unlock()
	r.run(r.all(1), "the picture is not looked for again")
	r.Clock.Advance(25 * time.Hour)
	r.run(func() bool {
		return r.Rows("SELECT COUNT(*) FROM token_metadata WHERE due_at > 0 AND stage = 'uri'")[0] == "1" && r.all(1)()
	}, "")
	// A folder that was lost fills again.
	r.OK(os.RemoveAll(r.folder))
	r.Clock.Advance(25 * time.Hour)
	key := r.Rows("SELECT picture FROM token_metadata")[0]
	r.run(func() bool { has, err := r.pictures.Has(t.Context(), key); return has && err == nil }, "a lost picture is not read again")
	if n := r.web.asked["/ipfs/"+content+"/1.json"]; n != 1 {
		t.Errorf("the document was read %d times", n)
	}
}

// A token at which the portal itself fails does not keep the others from being read.
func TestMetadata_ATokenAtWhichReadingPanicsStopsNoOther(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	r.service = metadata.NewService(metadata.Options{
		Store: panicking{r.store}, Chain: r.contract, Pictures: r.pictures, Clock: r.Clock, Refresh: 24 * time.Hour,
		Fetcher: metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL}}),
	})
	r.mint(1, 5)
	ctx, stop := context.WithCancel(t.Context())
	done, reported := make(chan error, 1), make(chan error, 100)
	go func() { done <- r.service.Run(ctx, func(err error) { reported <- err }) }()
	testkit.Eventually(t, time.Minute, func() bool {
		r.Clock.Advance(10 * time.Second)
		r.service.Wake()
		return r.all(4)()
	}, "the others are not read")
	stop()
	r.OK(<-done)
	r.Want("the reason", r.Rows("SELECT token_id, reason FROM token_metadata WHERE reason <> ''"), "3 the portal could not read it")
	if len(reported) == 0 || !strings.Contains((<-reported).Error(), "no good") {
		t.Error("nobody is told")
	}
}

// panicking panics when the third token goes on from its URI.
type panicking struct{ metadatastore.Store }

func (p panicking) Save(ctx context.Context, was, now metadata.Entry, described bool) error {
	if was.TokenID == "3" && now.Stage == metadata.StageDocument {
		panic("no good")
	}
	return p.Store.Save(ctx, was, now, described)
}

// A change that is announced soon after another one, before or after that is fetched, is fetched two minutes after it and not lost.
// Spec: MARKET-25
func TestMetadata_AChangeThatIsAnnouncedSoonAfterAnotherIsNotLost(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		r.mint(1, 2)
		r.run(r.all(2), "not all are read")
		now := r.Clock.Now().UnixMilli()
		for token, update := range map[string]string{
			"1": fmt.Sprintf("asked_at = %d", now), // fetched
			"2": fmt.Sprintf("asked_at = %d, stage = 'document', host = '%s', due_at = %d", now, strings.TrimPrefix(r.web.URL, "http://"), now),
		} {
			_, err := r.Raw.ExecContext(t.Context(), "UPDATE token_metadata SET "+update+" WHERE token_id = '"+token+"'")
			r.OK(err)
		}
		r.web.mu.Lock()
		before := map[string]int{"1": r.web.asked["/1.json"], "2": r.web.asked["/2.json"]}
		r.web.mu.Unlock()
		r.Clock.Advance(time.Second)
		r.Apply(
			onchain.MetadataUpdate{Contract: storetest.Avatars, First: "0", Last: "5"},
			onchain.MetadataUpdate{Contract: storetest.Avatars, First: "2", Last: "2"},
		)
		r.Want("due", r.Rows("SELECT token_id, again_at FROM token_metadata ORDER BY token_id"),
			fmt.Sprint("1 ", now+120_000), fmt.Sprint("2 ", now+120_000))
		end := r.Clock.Now().Add(time.Hour)
		r.run(func() bool { return r.Clock.Now().After(end) && r.all(2)() }, "they are not fetched again")
		r.web.mu.Lock()
		defer r.web.mu.Unlock()
		if one, two := r.web.asked["/1.json"]-before["1"], r.web.asked["/2.json"]-before["2"]; one != 1 || two != 2 {
			t.Errorf("they are fetched %d and %d times, want 1 and 2", one, two)
		}
	})
}

// What the database cannot keep, or the portal fails at, is kept from coming up again before all others.
func TestMetadata_OddBytesStopNobody(t *testing.T) {
	t.Parallel()
	eachReading(t, func(t *testing.T, r *reading) {
		r.service = metadata.NewService(metadata.Options{
			Store: r.store, Pictures: r.pictures, Clock: r.Clock, Refresh: 24 * time.Hour,
			Fetcher: metadata.NewFetcher(metadata.FetcherOptions{Private: []string{r.web.URL}}),
			Chain: odd{r.web.URL, map[string]metadata.URI{
				"1": {Text: "{\"name\":\"L\xe9\",\"image\":\"data:image/svg+xml,<svg/>\\u0000\"}"},
				"2": {Text: "https://\x00\xff/1"},
				"3": {Err: &metadata.Fault{Reason: "reverted: \x00\xff", Final: true}},
				"4": {Text: "https://" + strings.Repeat("a", 3000) + "/1"},
				"5": {Text: "ipfs://\xff"},
			}},
		})
		r.mint(1, 8)
		r.run(func() bool {
			return r.Rows("SELECT COUNT(*) FROM token_metadata WHERE picture <> '' OR failures > 0")[0] == "8"
		}, "not all are read")
		r.Want("read", r.Rows("SELECT token_id FROM token_metadata WHERE picture <> '' ORDER BY token_id"), "1", "6", "7", "8")
	})
}

// odd is a contract with odd URIs of some tokens.
type odd struct {
	base string
	of   map[string]metadata.URI
}

func (o odd) URIs(_ context.Context, _ onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	out := make([]metadata.URI, len(entries))
	for i, e := range entries {
		out[i] = metadata.URI{Text: o.base + "/" + e.TokenID + ".json"}
		if uri, ok := o.of[e.TokenID]; ok {
			out[i] = uri
		}
	}
	return out, nil
}

// A contract that announces changes with every block is read all the same.
// Spec: MARKET-25
func TestMetadata_AnnouncementsWithEveryBlockKeepNothingFromBeingRead(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	r.mint(1, 3)
	all := onchain.MetadataUpdate{Contract: storetest.Avatars, First: "0", Last: strings.Repeat("9", 77)}
	blocks := 0
	r.run(func() bool {
		if blocks++; blocks < 40 {
			r.Clock.Advance(-10 * time.Second) // a block a second
			r.Apply(all, onchain.MetadataUpdate{Contract: storetest.Avatars, First: "2", Last: "2"})
		}
		return r.all(3)()
	}, "not all are read")
}

// Some contracts name the picture itself in the place of a document, however large it is.
func TestMetadata_AURIThatLeadsToThePicture(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	noise := image.NewNRGBA(image.Rect(0, 0, 800, 800))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(i * i / 7)
	}
	r.web.reply = func(w http.ResponseWriter, path string, _ int) bool {
		if path == "/1.json" {
			_ = (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(w, noise) // 2.5 MB
			return true
		}
		_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 9, 9)))
		return true
	}
	r.mint(1, 2)
	r.run(r.all(2), "not all are read")
	r.Want("names", r.Rows("SELECT name FROM token ORDER BY name"), "Item #1", "Item #2")
}

// The contract's URI may have all in itself, and pictures may be in it too.
func TestMetadata_DataURIsNeedNoHost(t *testing.T) {
	t.Parallel()
	r := open(t, storetest.OpenIndex(t, store.SQLite))
	var drawn bytes.Buffer
	r.OK(png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 9, 9))))
	r.service = metadata.NewService(metadata.Options{
		Store: r.store, Pictures: r.pictures, Clock: r.Clock, Refresh: time.Hour, Fetcher: metadata.NewFetcher(metadata.FetcherOptions{}),
		Chain: fixed(`data:application/json;utf8,{"name":"All on chain","image_data":"<svg xmlns='http://www.w3.org/2000/svg'/>"}`),
	})
	r.mint(1, 2)
	r.run(r.all(2), "not all are read")
	r.Want("names", r.Rows("SELECT DISTINCT name FROM token"), "All on chain")
}

type fixed string

func (f fixed) URIs(_ context.Context, _ onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	out := make([]metadata.URI, len(entries))
	for i := range entries {
		out[i].Text = string(f)
	}
	return out, nil
}
