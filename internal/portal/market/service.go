package market

import (
	"context"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

// MaxPage is the maximum number of entries per page.
const MaxPage = 100

// MaxHistory is the maximum number of sales in a token's price history.
const MaxHistory = 1000

// MaxRarities is the maximum number of rarities in a query: all there are.
const MaxRarities = 6

// MaxTraits is the maximum number of traits in a query, and of values of one trait.
const MaxTraits = 10

// Sort is an order of listings. Every order is total, so that pages neither repeat nor skip.
type Sort string

// The orders a player can choose.
const (
	Newest    Sort = "newest"
	PriceUp   Sort = "price-asc"
	PriceDown Sort = "price-desc"
	Rarest    Sort = "rarity"
)

// Query selects listings; empty fields match everything.
type Query struct {
	Contract   *eth.Address
	Collection string // slug
	TokenID    string
	Text       string        // each of its SearchWords must be a prefix of a word of the token
	Rarities   []string      // one of them; at most MaxRarities
	Traits     []TraitFilter // all of them; at most MaxTraits, each name once
	Seller     *eth.Address
	Free       bool // only listings with a unit that nobody holds
	Cheapest   bool // only the cheapest listing of each token; see LiveListings
	Grouped    bool // only the oldest free one of a seller's equal listings; see LiveListings
	Min, Max   *money.Units
	Sort       Sort
	Cursor     string // end of the previous page; "" for the first
	Limit      int    // 1 to MaxPage
}

// TraitFilter selects tokens by a trait.
type TraitFilter struct {
	Name   string
	Values []string // one of them; any if empty
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  string // cursor of the next page; "" at the end
	Total *Total // total number of matches, at most a second old; only on the first page
}

// Total is a number of listings.
type Total struct {
	N       int64
	AtLeast bool // there may be more than N
}

// Store reads the indexer's data.
type Store interface {
	// LiveListings returns a page of the listings that are live now and match the query; its Total is nil if unknown. The search
	// is bounded: where few listings match, a page may have fewer than Limit and still a next one. It returns fault.Invalid for a
	// cursor of another query.
	//
	// With Cheapest, only one of the matching listings of each token is returned: the first in the order of PriceUp with a free unit,
	// or the first of all if none has one.
	//
	// With Grouped, a listing is left out if an older one of the same seller offers the same token at the same price and has a free
	// unit. Total is of all listings, or nil.
	LiveListings(ctx context.Context, q Query, now time.Time) (Page[Listing], error)
	// CountListings returns how many live listings match the query, on all pages.
	CountListings(ctx context.Context, q Query, now time.Time) (Total, error)
	// Listing returns fault.NotFound for an unknown id.
	Listing(ctx context.Context, id string, now time.Time) (Listing, error)
	// ListingsByID returns the listings that exist, live or not.
	ListingsByID(ctx context.Context, ids []string, now time.Time) (map[string]Listing, error)
	// Token returns fault.NotFound for a token that is not indexed.
	Token(ctx context.Context, contract eth.Address, tokenID string) (Token, error)
	Owners(ctx context.Context, contract eth.Address, tokenID string, limit int) ([]Owner, error)
	// Supply returns a token's supply; nil if no mint of it is indexed.
	Supply(ctx context.Context, contract eth.Address, tokenID string) (*Supply, error)
	Trades(ctx context.Context, contract eth.Address, tokenID string, limit int) ([]Trade, error)
	// Events returns a page of a token's events, newest first. A page may have fewer than Limit and still a next one. It
	// returns fault.Invalid for a cursor of another query.
	Events(ctx context.Context, q EventQuery) (Page[Event], error)
	// Names returns the display names of the players whose smart wallets are among the addresses.
	Names(ctx context.Context, addresses []eth.Address) (map[eth.Address]string, error)
	Collections(ctx context.Context, now time.Time) ([]Collection, error)
	// TraitCounts returns the traits of a collection's browsable listings, each with its values by their number of listings.
	TraitCounts(ctx context.Context, collection string) ([]TraitCount, error)
	// Sales returns the market's last sales, newest first, and the cursor of the next page; "" at the end. The search for those
	// of a collection is bounded: a page may have fewer than limit and still a next one.
	Sales(ctx context.Context, collection, cursor string, limit int) ([]Sale, string, error)
	// Figures returns the figures of each of the tokens, which must be distinct and at most MaxPage.
	Figures(ctx context.Context, tokens []TokenKey, now time.Time) ([]Figures, error)
	// TokenOffers returns the offers of the tokens that are indexed, in the order asked for.
	TokenOffers(ctx context.Context, tokens []TokenKey, now time.Time) ([]Offer, error)
	// OwnListings returns a page of a seller's listings, newest first. It returns fault.Invalid for a cursor of another
	// query.
	OwnListings(ctx context.Context, q OwnQuery, now time.Time) (Page[OwnListing], error)
	Own(ctx context.Context, owner, contract eth.Address, tokenID string, now time.Time) (Own, error)
}

// Offer is a token and what it costs.
type Offer struct {
	Token    Token
	Cheapest *Listing // nil if it is not for sale
}

// Item is one token with all its market data.
type Item struct {
	Token    Token
	Supply   *Supply // nil if unknown
	Owners   []Owner
	Listings []Listing // live, cheapest first
	Trades   []Trade   // newest first
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store  Store
	clock  clock.Clock
	totals totals
}

// NewService returns a Service.
func NewService(s Store, c clock.Clock) *Service { return &Service{store: s, clock: c} }

// Browse returns a page of the live listings. The first page has the total.
func (s *Service) Browse(ctx context.Context, q Query) (Page[Listing], error) {
	now := s.clock.Now()
	page, err := s.page(ctx, q, now)
	if err != nil || q.Cursor != "" || page.Total != nil {
		return page, err
	}
	total := Total{N: int64(len(page.Items))}
	if page.Next != "" || q.Grouped { // which leaves some out
		if total, err = s.total(ctx, q, now); err != nil {
			return Page[Listing]{}, err
		}
	}
	page.Total = &total
	return page, nil
}

// page returns a page of the live listings; its total is nil if the store did not count.
func (s *Service) page(ctx context.Context, q Query, now time.Time) (Page[Listing], error) {
	if q.Limit < 1 || q.Limit > MaxPage {
		q.Limit = MaxPage
	}
	switch q.Sort {
	case "":
		q.Sort = Newest
	case Newest, PriceUp, PriceDown, Rarest:
	default:
		return Page[Listing]{}, fault.InvalidFields("There is no such order.",
			fault.Field{Location: "query.sort", Message: "Use newest, price-asc, price-desc or rarity."})
	}
	if err := q.check("query"); err != nil {
		return Page[Listing]{}, err
	}
	if strings.TrimSpace(q.Text) != "" && len(SearchWords(q.Text)) == 0 {
		return Page[Listing]{Total: &Total{}}, nil // no words, such as only punctuation: no match
	}
	return s.store.LiveListings(ctx, q, now)
}

// check returns fault.Invalid for filters that make no sense; at is the location of the filters in the request.
func (q Query) check(at string) error {
	if tooLong := func(rarity string) bool { return len(rarity) > 20 }; len(q.Rarities) > MaxRarities ||
		slices.ContainsFunc(q.Rarities, tooLong) {
		return fault.InvalidFields("There are not so many rarities.",
			fault.Field{Location: at + ".rarity", Message: "Use each of common, uncommon, rare, epic, legendary and mythic once at most."})
	}
	if tooMany := func(t TraitFilter) bool { return len(t.Values) > MaxTraits }; len(q.Traits) > MaxTraits ||
		slices.ContainsFunc(q.Traits, tooMany) {
		return fault.InvalidFields("These are too many traits.",
			fault.Field{Location: at + ".trait", Message: "Use at most 10 traits, and 10 values of each."})
	}
	if q.Min != nil && q.Max != nil && q.Min.Cmp(*q.Max) > 0 {
		return fault.InvalidFields("The lowest price is above the highest.",
			fault.Field{Location: at + ".min", Message: "Must not be above max."})
	}
	return nil
}

// Live returns the first live listings, up to the query's limit. It reads as many pages as that takes.
func (s *Service) Live(ctx context.Context, q Query) ([]Listing, error) {
	limit := q.Limit
	if limit < 1 || limit > MaxPage {
		limit = MaxPage
	}
	now := s.clock.Now()
	var found []Listing
	for {
		q.Limit = limit - len(found)
		page, err := s.page(ctx, q, now)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Items...)
		if page.Next == "" || len(found) == limit {
			return found, nil
		}
		q.Cursor = page.Next
	}
}

// Listing returns one listing, live or not. It returns fault.NotFound for an unknown id.
func (s *Service) Listing(ctx context.Context, id string) (Listing, error) {
	return s.store.Listing(ctx, id, s.clock.Now())
}

// Token describes a token. It returns fault.NotFound for a token that is not indexed.
func (s *Service) Token(ctx context.Context, contract eth.Address, tokenID string) (Token, error) {
	return s.store.Token(ctx, contract, tokenID)
}

// Offers describes tokens, with the cheapest live listing of each. Tokens that are not indexed are omitted.
func (s *Service) Offers(ctx context.Context, tokens []TokenKey) ([]Offer, error) {
	return s.store.TokenOffers(ctx, tokens, s.clock.Now())
}

const (
	// ItemOwners is the maximum number of owners of an item that are listed: the largest.
	ItemOwners = 20
	// itemTrades is the maximum number of sales that are listed: the last.
	itemTrades = 20
)

// Item returns a token with its supply, owners, listings and last sales. It returns fault.NotFound for a token that
// is not indexed.
func (s *Service) Item(ctx context.Context, contract eth.Address, tokenID string) (Item, error) {
	token, err := s.store.Token(ctx, contract, tokenID)
	if err != nil {
		return Item{}, err
	}
	item := Item{Token: token}
	if item.Supply, err = s.store.Supply(ctx, contract, tokenID); err != nil {
		return Item{}, err
	}
	if item.Owners, err = s.store.Owners(ctx, contract, tokenID, ItemOwners); err != nil {
		return Item{}, err
	}
	if item.Listings, err = s.Live(ctx, Query{Contract: &contract, TokenID: tokenID, Sort: PriceUp}); err != nil {
		return Item{}, err
	}
	item.Trades, err = s.store.Trades(ctx, contract, tokenID, itemTrades)
	return item, err
}

// History returns the last sales of a token, newest first and at most MaxHistory, and whether there are more.
func (s *Service) History(ctx context.Context, contract eth.Address, tokenID string) (trades []Trade, more bool, err error) {
	trades, err = s.store.Trades(ctx, contract, tokenID, MaxHistory+1)
	if more = len(trades) > MaxHistory; more {
		trades = trades[:MaxHistory]
	}
	return trades, more, err
}

// TraitCounts returns the traits of the collection's listings.
func (s *Service) TraitCounts(ctx context.Context, collection string) ([]TraitCount, error) {
	return s.store.TraitCounts(ctx, collection)
}

// Sales returns the market's last sales, newest first, of a collection or of all if it is "", and the cursor of the next page.
// It returns fault.Invalid for a malformed cursor.
func (s *Service) Sales(ctx context.Context, collection, cursor string, limit int) ([]Sale, string, error) {
	return s.store.Sales(ctx, collection, cursor, min(max(limit, 1), MaxPage))
}

// Figures returns the figures of the tokens, each once. There must be at most MaxPage.
func (s *Service) Figures(ctx context.Context, tokens []TokenKey) ([]Figures, error) {
	var distinct []TokenKey
	for _, k := range tokens {
		if !slices.Contains(distinct, k) {
			distinct = append(distinct, k)
		}
	}
	return s.store.Figures(ctx, distinct, s.clock.Now())
}

// Collections returns all indexed collections, with what is for sale in each.
func (s *Service) Collections(ctx context.Context) ([]Collection, error) {
	return s.store.Collections(ctx, s.clock.Now())
}
