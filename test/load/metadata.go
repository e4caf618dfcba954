package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pantheon/internal/files"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	metadatastore "pantheon/internal/store/metadata"
)

// The host of the tokens answers after hostDelay, refuses one request in hostRefuses, and asks then to be left alone for a second.
const (
	hostDelay   = 20 * time.Millisecond
	hostRefuses = 500
	hostBreaks  = 97 // one request in so many is answered 502
)

// tokenHost is a host of documents and pictures that counts what it has answered.
type tokenHost struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	refused  int
	broken   int
	answered map[string]int
}

func newTokenHost() *tokenHost {
	h := &tokenHost{answered: map[string]int{}}
	h.Server = httptest.NewServer(http.HandlerFunc(h.answer))
	return h
}

func (h *tokenHost) answer(w http.ResponseWriter, r *http.Request) {
	select { // the latency of a host
	case <-r.Context().Done():
		return
	case <-time.After(hostDelay):
	}
	h.mu.Lock()
	h.requests++
	refuse, breaks := h.requests%hostRefuses == 0, h.requests%hostBreaks == 0
	switch {
	case refuse:
		h.refused++
	case breaks:
		h.broken++
	default:
		h.answered[r.URL.Path]++
	}
	h.mu.Unlock()
	id, kind, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".")
	switch {
	case refuse:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	case breaks:
		w.WriteHeader(http.StatusBadGateway)
	case kind == "png": // 1,000 different ones
		n, _ := strconv.Atoi(id)
		m := image.NewGray(image.Rect(0, 0, 16, 16))
		m.SetGray(n%16, n/16%16, color.Gray{Y: uint8(n % 250)})
		_ = png.Encode(w, m)
	default:
		n, _ := strconv.Atoi(id)
		fmt.Fprintf(w, `{"name":"Wanderer %s","image":"%s/%d.png","attributes":[{"trait_type":"Hat","value":"Hat %d"}]}`, id, h.URL, n%1000, n%50)
	}
}

// asked describes all tokens by their contracts.
type asked struct{}

func (asked) Describe(_ eth.Address, id string, known *metadata.Document) index.Description {
	d := index.Description{Token: market.Token{Collection: "avatars", Name: "#" + id}, Asks: onchain.ERC721}
	if known != nil {
		d.Token.Name = known.Name
		for _, a := range known.Attributes {
			d.Token.Attributes = append(d.Token.Attributes, market.Attribute{TraitType: a.Trait, Value: a.Value})
		}
	}
	return d
}

func (h *tokenHost) URIs(_ context.Context, _ onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	out := make([]metadata.URI, len(entries))
	for i, e := range entries {
		out[i].Text = h.URL + "/" + e.TokenID + ".json"
	}
	return out, nil
}

// readMetadata indexes so many tokens, of which one in ten is listed, reads their metadata from a host that is slow, fails and limits how
// often it is asked, and measures the market meanwhile. It fails if a token is missing at the end, or anything was read twice.
func readMetadata(ctx context.Context, dir, url string, tokens int) error {
	o := store.Options{URL: url, NoSync: true}
	if url == "" {
		o.Path = filepath.Join(dir, "tokens.db")
	}
	db, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	defer db.Close()
	rules := index.ChainRules{Marketplace: bookMarketplace, Currencies: []eth.Address{bookUSDC}}
	x := index.New(db, index.Options{
		Describer: asked{}, Publisher: market.Publisher{Decimals: 6}, Chains: map[onchain.ChainID]index.ChainRules{bookChain: rules},
	})
	if err := mintTokens(ctx, x, tokens); err != nil {
		return err
	}
	host := newTokenHost()
	defer host.Close()
	fetcher := metadata.NewFetcher(metadata.FetcherOptions{Private: []string{host.URL}})
	defer fetcher.Close()
	entries := metadatastore.New(db, x)
	service := metadata.NewService(metadata.Options{
		Store: entries, Chain: host, Fetcher: fetcher, Clock: clock.System{},
		Pictures: metadata.NewPictureStore(files.Folder{Path: filepath.Join(dir, "pictures")}),
		Refresh:  24 * time.Hour,
	})
	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	began := time.Now()
	go func() {
		done <- service.Run(running, func(err error) {
			if running.Err() == nil {
				fmt.Fprintln(os.Stderr, err)
			}
		})
	}()
	pages, err := browseUntilRead(ctx, db, entries, tokens)
	took := time.Since(began)
	stop()
	if err := errors.Join(err, <-done); err != nil {
		return err
	}
	host.mu.Lock()
	defer host.mu.Unlock()
	twice := 0
	for path, n := range host.answered {
		if n > 1 && strings.HasSuffix(path, ".json") {
			twice++
		}
	}
	slices.Sort(pages)
	at := func(share float64) time.Duration {
		return pages[int(share*float64(len(pages)-1))].Round(10 * time.Microsecond)
	}
	fmt.Printf("| tokens | time | tokens/s | requests | refused | broken | read twice | market pages meanwhile | p50 | p99 |\n"+
		"|---|---|---|---|---|---|---|---|---|---|\n| %d | %s | %.0f | %d | %d | %d | %d | %d | %s | %s |\n", tokens, took.Round(time.Second),
		float64(tokens)/took.Seconds(), host.requests, host.refused, host.broken, twice, len(pages), at(0.5), at(0.99))
	if twice > 0 {
		return fmt.Errorf("%d documents were read twice", twice)
	}
	return nil
}

// mintTokens indexes tokens, 500 in each block.
func mintTokens(ctx context.Context, x *index.Index, tokens int) error {
	if _, err := x.Resume(ctx, bookChain, onchain.Sources{Base: "tokens"}, false); err != nil {
		return err
	}
	contract, seller := bookAddress("avatars", 0), bookAddress("seller", 0)
	var tip onchain.Block
	start := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	for next := 0; next < tokens; {
		block := onchain.Block{Number: tip.Number + 1, Parent: tip.Hash, Time: start.Add(time.Duration(tip.Number) * time.Second)}
		block.Hash = bookHash("tokens", block.Number)
		b := onchain.Batch{Chain: bookChain, From: block.Number, To: block.Number, Parent: tip.Hash, Blocks: []onchain.Block{block}}
		at := onchain.Position{Block: block.Number, Time: block.Time, Tx: block.Hash}
		if next == 0 {
			b.Approvals = append(b.Approvals, onchain.Approval{
				Position: at, Contract: contract, Owner: seller, Operator: bookMarketplace, Approved: true,
			})
		}
		for range min(500, tokens-next) {
			next++
			id := strconv.Itoa(next)
			at.LogIndex++
			b.Transfers = append(b.Transfers, onchain.Transfer{
				Position: at, Contract: contract, Standard: onchain.ERC721, TokenID: id, To: seller, Amount: money.FromInt(1),
			})
			if next%10 == 0 {
				at.LogIndex++
				b.Listings = append(b.Listings, onchain.ListingEvent{
					Position: at, Kind: onchain.ListingCreated, ListingID: id, Terms: &onchain.ListingTerms{
						Seller: seller, Contract: contract, TokenID: id, Quantity: 1, Currency: bookUSDC,
						PricePerToken: money.FromInt(int64(next) * 1000), Start: block.Time, End: block.Time.AddDate(10, 0, 0),
					},
				})
			}
		}
		if err := x.ApplyBatch(ctx, b); err != nil {
			return err
		}
		tip = block
	}
	return nil
}

// browseUntilRead browses the market until everything is known of all tokens, and returns how long each page took.
func browseUntilRead(ctx context.Context, db *store.DB, entries metadatastore.Store, tokens int) (pages []time.Duration, err error) {
	markets := market.NewService(marketstore.New(db), clock.System{})
	queries := []market.Query{
		{Sort: market.Newest}, {Sort: market.PriceUp, Collection: "avatars"}, {Text: "wanderer", Sort: market.PriceUp},
		{Traits: []market.TraitFilter{{Name: "Hat", Values: []string{"Hat 7"}}}, Sort: market.Newest},
	}
	for next := time.Now(); ; {
		for _, q := range queries {
			q.Limit = 30
			began := time.Now()
			if _, err := markets.Browse(ctx, q); err != nil {
				return pages, err
			}
			pages = append(pages, time.Since(began))
		}
		if time.Now().After(next) {
			unknown, failing, err := entries.Count(ctx)
			if err != nil {
				return pages, err
			}
			waiting, err := entries.Hosts(ctx, time.Now().Add(time.Hour))
			if err != nil || unknown == 0 && failing == 0 && len(waiting) == 0 {
				return pages, err
			}
			fmt.Fprintf(os.Stderr, "%d of %d tokens are known\n", tokens-int(unknown), tokens)
			next = time.Now().Add(10 * time.Second)
		}
		select {
		case <-ctx.Done():
			return pages, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
