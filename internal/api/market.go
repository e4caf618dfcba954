package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/market"
)

// MarketOptions are what the calls about the market need.
type MarketOptions struct {
	Market      *market.Service
	SellerNames map[eth.Address]string // of sellers who are not players
	Fees        *market.FeeBook
	Publisher   market.Publisher
	Trades      TradeDesk
}

// LiveListingsQuery requests the live listings of a collection or a token.
type LiveListingsQuery struct {
	Contract string     `json:"assetContractAddress,omitempty" doc:"The collection; all when left out."`
	TokenID  anyTokenID `json:"tokenId,omitempty" doc:"The token; all when left out."`
	Limit    int        `json:"limit,omitempty" doc:"How many at most, 1 to 100." minimum:"0" maximum:"100"`
	_        struct{}   `json:"-" additionalProperties:"true"`
}

// anyTokenID is a token's id in decimal, given as a string or as a number; "" for none.
type anyTokenID string

// Schema returns the two forms.
func (anyTokenID) Schema(huma.Registry) *huma.Schema {
	length, least := 78, 0.0
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString, MaxLength: &length}, {Type: huma.TypeInteger, Minimum: &least}}}
}

// UnmarshalJSON keeps all digits of a number.
func (t *anyTokenID) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		if text = string(data); !tokenID.MatchString(text) {
			return errors.New("a token's id is a whole number")
		}
	}
	*t = anyTokenID(text)
	return nil
}

// Listing is a live listing as clients see it.
type Listing market.PublishedListing

// LiveListings is the response to a LiveListingsQuery.
type LiveListings struct {
	Data []Listing `json:"data" doc:"The listings, newest first." nullable:"false"`
}

type browseQuery struct {
	Collection string   `query:"collection" doc:"Slug or contract address of a collection."`
	Q          string   `query:"q" doc:"Words to look for in names, kinds and traits, or their beginnings." maxLength:"100"`
	Rarity     []string `query:"rarity,explode" doc:"common, uncommon, rare, epic, legendary or mythic; several, repeated or separated by commas, match any of them." maxItems:"6"`
	Trait      []string `query:"trait,explode" doc:"A trait, or trait:value. Several values of one trait match any of them, several traits all of them." maxItems:"50"`
	Seller     string   `query:"seller" doc:"Address of the seller." maxLength:"64"`
	Free       bool     `query:"free" doc:"Only listings with a unit that is in nobody's cart."`
	Cheapest   bool     `query:"cheapest" doc:"Only the cheapest matching listing of each token: of those with a unit that is in nobody's cart, or of all where there is none."`
	Min        string   `query:"min" doc:"Lowest price, decimal."`
	Max        string   `query:"max" doc:"Highest price, decimal."`
	Sort       string   `query:"sort" doc:"newest, with a seller's equal offers as one, price-asc, price-desc or rarity." enum:"newest,price-asc,price-desc,rarity" default:"newest"`
	Cursor     string   `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit      int      `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"30"`
}

// ListingPage is a page of live listings.
type ListingPage struct {
	Items        []Listing      `json:"items" doc:"The listings; possibly fewer than the limit, or none, even if there is a next page." nullable:"false"`
	Tokens       []TokenFigures `json:"tokens,omitempty" doc:"The market's figures of the listings' tokens, each token once; absent without listings." nullable:"false"`
	NextCursor   string         `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
	Total        *int64         `json:"total,omitempty" doc:"How many there are in all; on the first page only."`
	TotalAtLeast bool           `json:"totalAtLeast,omitempty" doc:"Whether there may be more than total."`
}

// TokenFigures are the market's figures of a token.
type TokenFigures struct {
	Contract eth.Address `json:"contract" doc:"The token's contract."`
	TokenID  string      `json:"tokenId" doc:"The token's id, decimal."`
	Offers   int64       `json:"offers" doc:"Its live listings; 100 stands for that many or more." minimum:"0" maximum:"100"`
	Floor    string      `json:"floor,omitempty" doc:"The lowest price among them, decimal; absent where there are none."`
	LastSale string      `json:"lastSale,omitempty" doc:"Price of one at its last sale, decimal; absent where there was none."`
}

// Collections are the collections of the market.
type Collections struct {
	Items []Collection `json:"items" doc:"The collections." nullable:"false"`
}

// Collection is one collection.
type Collection struct {
	Contract eth.Address `json:"contract" doc:"Its contract."`
	Slug     string      `json:"slug" doc:"Its short name."`
	Listed   int64       `json:"listed" doc:"Live listings."`
	Floor    string      `json:"floor,omitempty" doc:"The lowest live price, decimal; absent when nothing is listed."`
	// Untrusted.
	Description string `json:"description,omitempty" doc:"What its contract says of it (ERC-7572), as plain text; absent where it says nothing."`
}

type traitsQuery struct {
	Collection string `query:"collection" required:"true" doc:"Slug of the collection." maxLength:"100"`
}

// Traits are the traits of a collection's listings.
type Traits struct {
	Items []Trait `json:"items" doc:"The traits, by name." nullable:"false"`
}

// Trait is one trait, with how many listings have each of its values.
type Trait struct {
	Name   string       `json:"name" doc:"Its name."`
	Values []TraitValue `json:"values" doc:"Its values, those with most listings first; at most 50." nullable:"false"`
}

// TraitValue is one value of a trait.
type TraitValue struct {
	Value  string `json:"value" doc:"The value."`
	Listed int64  `json:"listed" doc:"Listings that have it."`
}

type salesQuery struct {
	Collection string `query:"collection" doc:"Slug of a collection; all when left out." maxLength:"100"`
	Cursor     string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit      int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"30"`
}

// Sales is a page of the market's last sales.
type Sales struct {
	Items      []SoldItem `json:"items" doc:"The sales, newest first; possibly fewer than the limit, or none, even if there is a next page." nullable:"false"`
	NextCursor string     `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// SoldItem is a sale with what was sold.
type SoldItem struct {
	Sale
	Contract eth.Address             `json:"contract" doc:"The token's contract."`
	TokenID  string                  `json:"tokenId" doc:"The token's id, decimal."`
	Metadata market.MetadataDocument `json:"metadata" doc:"What it is."`
}

type itemPath struct {
	Contract string `path:"contract" doc:"The token's contract."`
	TokenID  string `path:"tokenId" doc:"The token's id, decimal." pattern:"^[0-9]{1,78}$"`
}

// Item is one token with all its market data.
type Item struct {
	Contract    eth.Address             `json:"contract" doc:"The token's contract."`
	TokenID     string                  `json:"tokenId" doc:"The token's id, decimal."`
	Metadata    market.MetadataDocument `json:"metadata" doc:"What it is."`
	Description string                  `json:"description" doc:"What is told of it; empty where nothing is."`
	Use         string                  `json:"use" doc:"What it is good for, in plain words; empty where that is not known."`
	ByContract  bool                    `json:"byContract" doc:"Whether its contract says what it is, and can be asked again (refreshItem)."`
	ReadAt      *time.Time              `json:"readAt,omitempty" doc:"When its contract was last asked; absent for never."`
	Supply      *Supply                 `json:"supply,omitempty" doc:"How many there are; absent where it is not known."`
	Owners      []Owner                 `json:"owners" doc:"Who holds it, the largest holders first." nullable:"false"`
	Listings    []Listing               `json:"listings" doc:"Live listings, cheapest first." nullable:"false"`
	Sales       []Sale                  `json:"sales" doc:"The last sales, newest first." nullable:"false"`
	Names       Names                   `json:"names" doc:"Display names of players, by the address of their smart wallet, as written above: of all owners, sellers and buyers above who are players."`
}

// Names are display names of players by the addresses of their smart wallets.
type Names map[string]string

// Supply is the supply of a token.
type Supply struct {
	Of       string `json:"of" doc:"What is counted: the copies of the token, or, where each token is unique, the tokens of its collection." enum:"token,collection"`
	Existing string `json:"existing" doc:"How many exist: minted and not burned."`
	Max      string `json:"max,omitempty" doc:"How many can ever be minted, burned ones included. The contract has fixed it for good; absent where it has not."`
}

// Owner is a current holder of a token.
type Owner struct {
	Address eth.Address `json:"address" doc:"The holder's address."`
	Amount  string      `json:"amount" doc:"How many."`
}

// Sale is one past sale.
type Sale struct {
	ListingID string      `json:"listingId" doc:"The marketplace's own listing number."`
	Seller    eth.Address `json:"seller" doc:"Who sold."`
	Buyer     eth.Address `json:"buyer" doc:"Who bought."`
	Quantity  int64       `json:"quantity" doc:"How many."`
	UnitPrice string      `json:"unitPrice" doc:"Price of one, decimal."`
	Total     string      `json:"total" doc:"Price of all, decimal."`
	TxHash    eth.Hash    `json:"txHash" doc:"The transaction."`
	Time      time.Time   `json:"time" doc:"When its block was made."`
}

// PriceHistory are the past sale prices of a token.
type PriceHistory struct {
	Items []PricePoint `json:"items" doc:"The prices, oldest first: of the last 1,000 sales at most." nullable:"false"`
	More  bool         `json:"more,omitempty" doc:"Whether there are older ones."`
}

// PricePoint is one price at one time.
type PricePoint struct {
	Time     time.Time `json:"time" doc:"When."`
	Price    string    `json:"price" doc:"Price of one, decimal."`
	Quantity int64     `json:"quantity" doc:"How many were sold at it."`
}

type itemActivityQuery struct {
	Contract string `path:"contract" doc:"The token's contract."`
	TokenID  string `path:"tokenId" doc:"The token's id, decimal." pattern:"^[0-9]{1,78}$"`
	Cursor   string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit    int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"20"`
}

// ItemActivity is a page of what happened to a token.
type ItemActivity struct {
	Items      []ItemEvent `json:"items" doc:"The events, newest first; possibly fewer than the limit even if there is a next page." nullable:"false"`
	Names      Names       `json:"names" doc:"Display names of players, by the address of their smart wallet, as written above."`
	NextCursor string      `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// ItemEvent is something that happened to a token, as the chain says.
type ItemEvent struct {
	ID        string           `json:"id" doc:"Distinct among the token's events."`
	Kind      market.EventKind `json:"kind" doc:"listed; repriced, or changed in anything else than its price; cancelled: a listing taken back; sold; minted; transferred without a sale; burned." enum:"listed,repriced,changed,cancelled,sold,minted,transferred,burned"`
	Time      time.Time        `json:"time" doc:"When its block was made."`
	TxHash    eth.Hash         `json:"txHash" doc:"The transaction."`
	ListingID string           `json:"listingId,omitempty" doc:"The marketplace's own listing number; absent of transfers."`
	From      *eth.Address     `json:"from,omitempty" doc:"The seller or sender; absent if minted."`
	To        *eth.Address     `json:"to,omitempty" doc:"The buyer or recipient; absent if burned, and of listings."`
	Quantity  string           `json:"quantity,omitempty" doc:"How many; absent of a cancelled listing."`
	Price     string           `json:"price,omitempty" doc:"Price of one, decimal; absent where there is none, or it is in another currency than the market's."`
	Before    string           `json:"before,omitempty" doc:"The price before, if repriced, in the same way."`
}

type feesQuery struct {
	Contract string `query:"contract" required:"true" doc:"The token's contract." maxLength:"64"`
	TokenID  string `query:"tokenId" required:"true" doc:"The token's id, decimal." pattern:"^[0-9]{1,78}$"`
}

// Offer is a token and its cheapest listing.
type Offer struct {
	Contract string                  `json:"contract" doc:"The token's contract."`
	TokenID  string                  `json:"tokenId" doc:"The token's id, decimal."`
	Metadata market.MetadataDocument `json:"metadata" doc:"What it is."`
	Cheapest *Listing                `json:"cheapest,omitempty" doc:"Its cheapest live listing; absent where it is not for sale."`
}

type offersQuery struct {
	Items []string `query:"item,explode" doc:"Tokens as contract:tokenId; repeated for several." minItems:"1" maxItems:"20" required:"true"`
}

// Offers are tokens, and what each costs.
type Offers struct {
	Items  []Offer        `json:"items" doc:"Those that exist, in the order asked for." nullable:"false"`
	Tokens []TokenFigures `json:"tokens" doc:"The market's figures of all of them, each token once." nullable:"false"`
}

// SaleFees are the shares of a sale that its seller does not get. Each is rounded down to a base unit of the currency.
type SaleFees struct {
	PlatformBps int64 `json:"platformBps" doc:"The marketplace's share of the total, in basis points." minimum:"0" maximum:"10000"`
	RoyaltyBps  int64 `json:"royaltyBps" doc:"The collection's royalty (ERC-2981), in basis points of the total." minimum:"0" maximum:"10000"`
}

type ownListingsQuery struct {
	State  string `query:"state" doc:"live, sold, ended or invalid, which includes returned; all when left out." enum:"live,sold,ended,invalid"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit  int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"30"`
}

// OwnListings is a page of the player's own listings.
type OwnListings struct {
	Items      []OwnListing `json:"items" doc:"The listings, newest first." nullable:"false"`
	NextCursor string       `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// OwnListing is one of the player's own listings.
type OwnListing struct {
	Listing  Listing      `json:"listing" doc:"The listing. Of one that has ended, the quantity is what was left."`
	State    market.Stage `json:"state" doc:"live; sold when all of it was; ended by the player or its time; invalid when it cannot be bought, as the items or their approval are gone; returned when they are back, but the player has to set the price again." enum:"live,sold,ended,invalid,returned"`
	Sold     int64        `json:"sold" doc:"How many units were sold."`
	Received string       `json:"received" doc:"What the player got for them, decimal."`
	Sales    []OwnSale    `json:"sales" doc:"The last sales, newest first." nullable:"false"`
}

// OwnSale is a sale by the player.
type OwnSale struct {
	Sale
	Received string `json:"received,omitempty" doc:"What the player got, decimal: the total less the fees. Absent where it is not known."`
}

// Own is what the player has of a token.
type Own struct {
	Owned   string `json:"owned" doc:"How many are in the player's smart wallet."`
	Offered string `json:"offered" doc:"How many are in the player's listings that have not ended."`
}

func (a *API) registerMarket() {
	reader(a, call{
		method: http.MethodPost, path: "/api/marketplace/liveListings/getLiveListings", id: "getLiveListings", tag: tagMarket,
		summary: "The live listings of a collection or token; with a token, the reader's own holds carry the reader's id", errors: []int{400},
	}, a.liveListings)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/listings", id: "browseListings", tag: tagMarket, summary: "Browse the live listings",
		errors: []int{400}, shared: true,
		limits: []limiter{
			{perMinute: a.Limits.SearchesPerMinute, key: byReader, only: isSearch},
			{perMinute: a.Limits.ReadsPerMinute, key: byReader, only: func(r *http.Request) bool { return !isSearch(r) }},
		},
	}, a.browse)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/collections", id: "getCollections", tag: tagMarket,
		summary: "The collections of the market", shared: true,
	}, func(ctx context.Context, _ *Empty) (*Body[Collections], error) {
		found, err := a.Market.Collections(ctx)
		if err != nil {
			return nil, err
		}
		texts, err := a.Art.CollectionTexts(ctx)
		if err != nil {
			return nil, err
		}
		out := Collections{Items: make([]Collection, len(found))}
		for i, c := range found {
			out.Items[i] = Collection{Contract: c.Contract, Slug: c.Slug, Listed: c.Listed, Description: texts[c.Contract]}
			if c.Floor != nil {
				out.Items[i].Floor = a.price(*c.Floor)
			}
		}
		return body(out), nil
	})
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/traits", id: "getTraits", tag: tagMarket,
		summary: "The traits of a collection's listings", shared: true,
	}, a.traits)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/sales", id: "getSales", tag: tagMarket, summary: "What was sold last",
		errors: []int{400}, shared: true,
	}, a.sales)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/items", id: "getOffers", tag: tagMarket,
		summary: "Several tokens, with the cheapest listing of each", errors: []int{400},
	}, a.offers)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/items/{contract}/{tokenId}", id: "getItem", tag: tagMarket,
		summary: "One token: traits, supply, owners, listings, sales", errors: []int{400, 404},
	}, a.item)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/items/{contract}/{tokenId}/history", id: "getPriceHistory", tag: tagMarket,
		summary: "What one token was sold for", errors: []int{400},
	}, a.history)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/items/{contract}/{tokenId}/activity", id: "getItemActivity", tag: tagMarket,
		summary: "What happened to one token: listings, sales, transfers", errors: []int{400, 404},
	}, a.itemActivity)
	reader(a, call{
		method: http.MethodGet, path: "/api/marketplace/fees", id: "getFees", tag: tagMarket,
		summary: "What is deducted from a sale of a token, as the contracts say", errors: []int{400, 404, 503},
		limits: []limiter{{perMinute: a.Limits.ChainReadsPerMinute, key: byAddress}},
	}, a.fees)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/marketplace/my-listings", id: "getOwnListings", tag: tagMarket,
		summary: "The player's own listings, with what was sold", errors: []int{400},
	}, a.ownListings)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/marketplace/own/{contract}/{tokenId}", id: "getOwn", tag: tagMarket,
		summary: "How many of a token the player has, and has listed", errors: []int{400},
	}, a.own)
}

// isSearch reports whether a list of listings is searched for words, which costs more than the other filters.
func isSearch(r *http.Request) bool { return r.URL.Query().Get("q") != "" }

func (a *API) liveListings(ctx context.Context, in *Body[LiveListingsQuery]) (*Body[LiveListings], error) {
	q := market.Query{TokenID: string(in.Body.TokenID), Limit: in.Body.Limit, Sort: market.Newest}
	if in.Body.Contract != "" {
		contract, err := parseAddress("body.assetContractAddress", in.Body.Contract)
		if err != nil {
			return nil, err
		}
		q.Contract = &contract
	}
	live, err := a.Market.Live(ctx, q)
	if err != nil {
		return nil, err
	}
	return body(LiveListings{Data: a.published(live, callerOf(ctx).PlayerID)}), nil
}

func (a *API) published(listings []market.Listing, viewer string) []Listing {
	now := a.Clock.Now()
	out := make([]Listing, len(listings))
	for i, l := range listings {
		out[i] = Listing(a.Publisher.Publish(l, viewer, now))
	}
	return out
}

// distinct returns the values of a query parameter that may be repeated or separated by commas: each once, sorted, so
// that equal queries are equal.
func distinct(given []string) []string {
	var values []string
	for _, v := range strings.Split(strings.Join(given, ","), ",") {
		if v != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// traitFilters parses traits in the form name or name:value, which may be repeated: each name once, sorted, so that equal queries
// are equal.
func traitFilters(location string, given []string) (out []market.TraitFilter, err error) {
	values := map[string][]string{}
	for _, t := range given {
		if len(t) > 100 {
			return nil, fault.InvalidFields("This is no trait.", fault.Field{Location: location, Message: "Must have at most 100 characters."})
		}
		name, value, ok := strings.Cut(t, ":")
		if _, known := values[name]; !known {
			values[name] = nil // any value
		}
		if ok {
			values[name] = append(values[name], value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		slices.Sort(values[name])
		out = append(out, market.TraitFilter{Name: name, Values: slices.Compact(values[name])})
	}
	return out, nil
}

func (a *API) browse(ctx context.Context, in *browseQuery) (*Body[ListingPage], error) {
	q, err := a.queryOf("query", SearchFilters{
		Collection: in.Collection, Q: in.Q, Rarity: in.Rarity, Trait: in.Trait, Seller: in.Seller, Free: in.Free, Min: in.Min, Max: in.Max,
	})
	if err != nil {
		return nil, err
	}
	q.Cheapest, q.Sort, q.Cursor, q.Limit = in.Cheapest, market.Sort(in.Sort), in.Cursor, in.Limit
	// What one seller offers many times does not fill the first page.
	q.Grouped = q.Sort == market.Newest && q.Seller == nil && !q.Cheapest
	page, err := a.Market.Browse(ctx, q)
	if err != nil {
		return nil, err
	}
	figures, err := a.figures(ctx, market.TokensOf(page.Items))
	if err != nil {
		return nil, err
	}
	out := ListingPage{Items: a.published(page.Items, ""), Tokens: figures, NextCursor: page.Next}
	if page.Total != nil {
		out.Total, out.TotalAtLeast = &page.Total.N, page.Total.AtLeast
	}
	return body(out), nil
}

func (a *API) figures(ctx context.Context, tokens []market.TokenKey) ([]TokenFigures, error) {
	figures, err := a.Market.Figures(ctx, tokens)
	out := make([]TokenFigures, len(figures))
	for i, f := range figures {
		out[i] = TokenFigures{Contract: f.Contract, TokenID: f.TokenID, Offers: f.Offers}
		if f.Floor != nil {
			out[i].Floor = a.price(*f.Floor)
		}
		if f.LastSale != nil {
			out[i].LastSale = a.price(*f.LastSale)
		}
	}
	return out, err
}

func (a *API) traits(ctx context.Context, in *traitsQuery) (*Body[Traits], error) {
	found, err := a.Market.TraitCounts(ctx, in.Collection)
	if err != nil {
		return nil, err
	}
	out := Traits{Items: make([]Trait, len(found))}
	for i, t := range found {
		out.Items[i] = Trait{Name: t.Trait, Values: make([]TraitValue, len(t.Values))}
		for j, v := range t.Values {
			out.Items[i].Values[j] = TraitValue(v)
		}
	}
	return body(out), nil
}

func (a *API) sales(ctx context.Context, in *salesQuery) (*Body[Sales], error) {
	page, next, err := a.Market.Sales(ctx, in.Collection, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	out := Sales{Items: make([]SoldItem, len(page)), NextCursor: next}
	for i, s := range page {
		out.Items[i] = SoldItem{Sale: a.sale(s.Trade), Contract: s.Token.Contract, TokenID: s.Token.TokenID, Metadata: market.Describe(s.Token)}
	}
	return body(out), nil
}

func (a *API) item(ctx context.Context, in *itemPath) (*Body[Item], error) {
	contract, err := parseAddress("path.contract", in.Contract)
	if err != nil {
		return nil, err
	}
	item, err := a.Market.Item(ctx, contract, in.TokenID)
	if err != nil {
		return nil, err
	}
	out := Item{
		Contract: contract, TokenID: in.TokenID, Metadata: market.Describe(item.Token), Listings: a.published(item.Listings, ""),
		Owners: make([]Owner, len(item.Owners)), Sales: make([]Sale, len(item.Trades)),
	}
	if s := item.Supply; s != nil {
		out.Supply = &Supply{Of: "token", Existing: s.Existing.String()}
		if s.Collection {
			out.Supply.Of = "collection"
		}
		if s.Max != nil {
			out.Supply.Max = s.Max.String()
		}
	}
	for i, o := range item.Owners {
		out.Owners[i] = Owner{Address: o.Address, Amount: o.Amount.String()}
	}
	for i, t := range item.Trades {
		out.Sales[i] = a.sale(t)
	}
	text, err := a.Art.ItemText(ctx, in.Contract, in.TokenID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	out.Description, out.Use, out.ByContract = text.Description, text.Use, text.ByContract
	if !text.ReadAt.IsZero() {
		out.ReadAt = &text.ReadAt
	}
	out.Names, err = a.names(ctx, func(see func(...eth.Address)) {
		for _, o := range out.Owners {
			see(o.Address)
		}
		for _, l := range out.Listings {
			see(l.Seller)
		}
		for _, s := range out.Sales {
			see(s.Seller, s.Buyer)
		}
	})
	return body(out), err
}

// names returns the display names of the players and other known sellers among the addresses that each passes to its argument.
// Nothing else of a player is public.
func (a *API) names(ctx context.Context, each func(see func(...eth.Address))) (Names, error) {
	var all []eth.Address
	each(func(addresses ...eth.Address) { all = append(all, addresses...) })
	slices.SortFunc(all, func(x, y eth.Address) int { return bytes.Compare(x[:], y[:]) })
	all = slices.Compact(all)
	found, err := a.Market.Names(ctx, all)
	out := make(Names, len(found))
	for _, address := range all {
		if name := cmp.Or(found[address], a.SellerNames[address]); name != "" {
			out[address.Checksum()] = name
		}
	}
	return out, err
}

func (a *API) itemActivity(ctx context.Context, in *itemActivityQuery) (*Body[ItemActivity], error) {
	contract, err := parseAddress("path.contract", in.Contract)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Events(ctx, market.EventQuery{Contract: contract, TokenID: in.TokenID, Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := ItemActivity{Items: make([]ItemEvent, len(page.Items)), NextCursor: page.Next}
	for i, e := range page.Items {
		out.Items[i] = a.itemEvent(e)
	}
	out.Names, err = a.names(ctx, func(see func(...eth.Address)) {
		for _, e := range page.Items {
			for _, address := range []*eth.Address{e.From, e.To} {
				if address != nil {
					see(*address)
				}
			}
		}
	})
	return body(out), err
}

func (a *API) itemEvent(e market.Event) ItemEvent {
	out := ItemEvent{ID: e.ID, Kind: e.Kind, Time: e.Time, TxHash: e.Tx, ListingID: e.ListingID, From: e.From, To: e.To}
	if !e.Quantity.IsZero() {
		out.Quantity = e.Quantity.String()
	}
	if e.Currency != a.Client.Currency.Address {
		return out
	}
	if e.Price != nil {
		out.Price = a.price(*e.Price)
	}
	if e.Before != nil {
		out.Before = a.price(*e.Before)
	}
	return out
}

func (a *API) sale(t market.Trade) Sale {
	return Sale{
		ListingID: t.ListingID, Seller: t.Seller, Buyer: t.Buyer, Quantity: t.Quantity, UnitPrice: a.price(t.UnitPrice), Total: a.price(t.Total),
		TxHash: t.Tx, Time: t.Time,
	}
}

func (a *API) ownListings(ctx context.Context, c account.Caller, in *ownListingsQuery) (*Body[OwnListings], error) {
	_, seller, err := a.Wallets.Pair(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	out := OwnListings{Items: []OwnListing{}}
	if seller == nil { // the wallet is made when the player first enters the market
		return body(out), nil
	}
	page, err := a.Market.OwnListings(ctx, market.OwnQuery{Seller: *seller, Stage: market.Stage(in.State), Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out.NextCursor = page.Next
	now := a.Clock.Now()
	for _, l := range page.Items {
		own := OwnListing{
			Listing: Listing(a.Publisher.Publish(l.Listing, c.PlayerID, now)), State: l.Stage, Sold: l.Sold, Received: a.price(l.Received),
			Sales: make([]OwnSale, len(l.Sales)),
		}
		for i, s := range l.Sales {
			own.Sales[i].Sale = a.sale(s.Trade)
			if s.Received != nil {
				own.Sales[i].Received = a.price(*s.Received)
			}
		}
		out.Items = append(out.Items, own)
	}
	return body(out), nil
}

func (a *API) own(ctx context.Context, c account.Caller, in *itemPath) (*Body[Own], error) {
	contract, err := parseAddress("path.contract", in.Contract)
	if err != nil {
		return nil, err
	}
	_, wallet, err := a.Wallets.Pair(ctx, c.PlayerID)
	if wallet == nil || err != nil {
		return body(Own{Owned: "0", Offered: "0"}), err
	}
	own, err := a.Market.Own(ctx, *wallet, contract, in.TokenID)
	return body(Own{Owned: own.Owned.String(), Offered: own.Offered.String()}), err
}

func (a *API) history(ctx context.Context, in *itemPath) (*Body[PriceHistory], error) {
	contract, err := parseAddress("path.contract", in.Contract)
	if err != nil {
		return nil, err
	}
	trades, more, err := a.Market.History(ctx, contract, in.TokenID)
	if err != nil {
		return nil, err
	}
	out := PriceHistory{Items: make([]PricePoint, len(trades)), More: more}
	for i, t := range trades {
		out.Items[len(trades)-1-i] = PricePoint{Time: t.Time, Price: a.price(t.UnitPrice), Quantity: t.Quantity}
	}
	return body(out), nil
}

func (a *API) fees(ctx context.Context, in *feesQuery) (*Body[SaleFees], error) {
	contract, err := parseAddress("query.contract", in.Contract)
	if err != nil {
		return nil, err
	}
	// The chain is asked for tokens that exist only.
	if _, err := a.Market.Token(ctx, contract, in.TokenID); err != nil {
		return nil, err
	}
	fees, err := a.Fees.Fees(ctx, contract, in.TokenID)
	return body(SaleFees{PlatformBps: fees.Platform, RoyaltyBps: fees.Royalty}), err
}

func (a *API) offers(ctx context.Context, in *offersQuery) (*Body[Offers], error) {
	tokens := make([]market.TokenKey, len(in.Items))
	for i, item := range in.Items {
		contract, tokenID, _ := strings.Cut(item, ":")
		address, err := parseAddress("query.item", contract)
		if err != nil {
			return nil, err
		}
		if _, err := money.Parse(tokenID); err != nil {
			return nil, fault.InvalidFields("This is not a token.", fault.Field{Location: "query.item", Message: "Must be contract:tokenId."})
		}
		tokens[i] = market.TokenKey{Contract: address, TokenID: tokenID}
	}
	found, err := a.Market.Offers(ctx, tokens)
	if err != nil {
		return nil, err
	}
	out := Offers{Items: make([]Offer, len(found))}
	known := make([]market.TokenKey, len(found))
	for i, o := range found {
		out.Items[i] = a.offer(o, "")
		known[i] = market.TokenKey{Contract: o.Token.Contract, TokenID: o.Token.TokenID}
	}
	out.Tokens, err = a.figures(ctx, known)
	return body(out), err
}

// offer is an offer as a viewer sees it; "" for a visitor.
func (a *API) offer(o market.Offer, viewer string) Offer {
	out := Offer{Contract: o.Token.Contract.Checksum(), TokenID: o.Token.TokenID, Metadata: market.Describe(o.Token)}
	if o.Cheapest != nil {
		l := Listing(a.Publisher.Publish(*o.Cheapest, viewer, a.Clock.Now()))
		out.Cheapest = &l
	}
	return out
}

// price formats base units of the market's currency as a decimal.
func (a *API) price(u money.Units) string { return u.Decimal(a.Publisher.Decimals) }

func (a *API) parsePrice(location, s string) (*money.Units, error) {
	if s == "" {
		return nil, nil
	}
	u, err := money.ParseDecimal(s, a.Publisher.Decimals)
	if err != nil {
		return nil, fault.InvalidFields("This is not a price.", fault.Field{Location: location, Message: "Must be a number such as 12.50."})
	}
	return &u, nil
}

func parseAddress(location, s string) (eth.Address, error) {
	address, err := eth.ParseAddress(s)
	if err != nil {
		return address, fault.InvalidFields("Invalid address", fault.Field{Location: location, Message: "Invalid address"})
	}
	return address, nil
}
