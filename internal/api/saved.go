package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/market"
)

// SearchFilters are the filters of the market. Those left out match everything.
type SearchFilters struct {
	Contract   string   `json:"contract,omitempty" doc:"Contract address of a token or collection." maxLength:"64"`
	TokenID    string   `json:"tokenId,omitempty" doc:"Id of a token, decimal." pattern:"^[0-9]{0,78}$"`
	Collection string   `json:"collection,omitempty" doc:"Slug of a collection." maxLength:"100"`
	Q          string   `json:"q,omitempty" doc:"Words to look for in names, kinds and traits, or their beginnings." maxLength:"100"`
	Rarity     []string `json:"rarity,omitempty" doc:"Any of these rarities." maxItems:"6"`
	Trait      []string `json:"trait,omitempty" doc:"Traits as name or name:value: any of the values of one trait, all of several traits." maxItems:"50"`
	Seller     string   `json:"seller,omitempty" doc:"Address of the seller." maxLength:"64"`
	Free       bool     `json:"free,omitempty" doc:"Only listings with a unit that is in nobody's cart."`
	Min        string   `json:"min,omitempty" doc:"Lowest price, decimal." maxLength:"80"`
	Max        string   `json:"max,omitempty" doc:"Highest price, decimal." maxLength:"80"`
}

// SavedSearch is a search of the market that the player keeps.
type SavedSearch struct {
	ID        string        `json:"searchId" doc:"Its id."`
	Name      string        `json:"name" doc:"What the player calls it."`
	Filters   SearchFilters `json:"filters" doc:"Its filters."`
	Alerts    bool          `json:"alerts" doc:"Whether the player is notified of listings that begin to match."`
	CreatedAt time.Time     `json:"createdAt" doc:"When it was saved."`
}

// SavedSearches are the player's saved searches.
type SavedSearches struct {
	Items []SavedSearch `json:"items" doc:"The searches, newest first." nullable:"false"`
}

// NewSearch is a search to be saved.
type NewSearch struct {
	Name    string        `json:"name" doc:"What to call it: 1 to 60 characters." maxLength:"240"`
	Filters SearchFilters `json:"filters" doc:"Its filters."`
	Alerts  bool          `json:"alerts" doc:"Whether to notify the player of listings that begin to match."`
}

type searchPath struct {
	ID string `path:"id" doc:"The search's id." maxLength:"64"`
}

type changeSearch struct {
	ID   string `path:"id" doc:"The search's id." maxLength:"64"`
	Body SearchChange
}

// NewSearchID identifies a search that was saved.
type NewSearchID struct {
	ID string `json:"searchId" doc:"Its id."`
}

// SearchChange is a change of a saved search.
type SearchChange struct {
	Name   string `json:"name" doc:"What to call it: 1 to 60 characters." maxLength:"240"`
	Alerts bool   `json:"alerts" doc:"Whether to notify the player of listings that begin to match."`
}

// Watchlist is what the player watches.
type Watchlist struct {
	Items []WatchedItem `json:"items" doc:"The tokens, those watched last first." nullable:"false"`
}

// WatchedItem is a token that the player watches.
type WatchedItem struct {
	Offer
	Since time.Time `json:"since" doc:"Since when the player watches it."`
}

func (a *API) registerSaved() {
	limits := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	const searches, watchlist = "/api/auth/marketplace/searches", "/api/auth/marketplace/watchlist"
	player(a, call{method: http.MethodGet, path: searches, id: "getSavedSearches", tag: tagMarket, summary: "The player's saved searches"},
		func(ctx context.Context, c account.Caller, _ *Empty) (*Body[SavedSearches], error) {
			found, err := a.Saved.Searches(ctx, c.PlayerID)
			out := SavedSearches{Items: make([]SavedSearch, len(found))}
			for i, s := range found {
				out.Items[i] = SavedSearch{ID: s.ID, Name: s.Name, Filters: a.filtersOf(s.Query), Alerts: s.Alerts, CreatedAt: s.CreatedAt}
			}
			return body(out), err
		})
	player(a, call{
		method: http.MethodPost, path: searches, id: "saveSearch", tag: tagMarket, summary: "Save a search, 50 at most",
		errors: []int{400, 409}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[NewSearch]) (*Body[NewSearchID], error) {
		q, err := a.queryOf("body.filters", in.Body.Filters)
		if err != nil {
			return nil, err
		}
		s, err := a.Saved.Save(ctx, c.PlayerID, in.Body.Name, q, in.Body.Alerts)
		return body(NewSearchID{s.ID}), err
	})
	player(a, call{
		method: http.MethodPut, path: searches + "/{id}", id: "changeSearch", tag: tagMarket,
		summary: "Rename a saved search, or switch its alerts", errors: []int{400, 404}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *changeSearch) (*Body[Success], error) {
		return success(""), a.Saved.Change(ctx, c.PlayerID, in.ID, in.Body.Name, in.Body.Alerts)
	})
	player(a, call{
		method: http.MethodDelete, path: searches + "/{id}", id: "deleteSearch", tag: tagMarket, summary: "Delete a saved search",
		errors: []int{404}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *searchPath) (*Body[Success], error) {
		return success(""), a.Saved.Delete(ctx, c.PlayerID, in.ID)
	})
	player(a, call{
		method: http.MethodGet, path: watchlist, id: "getWatchlist", tag: tagMarket, summary: "What the player watches", limits: limits,
	}, a.watchlist)
	player(a, call{
		method: http.MethodPut, path: watchlist + "/{contract}/{tokenId}", id: "watch", tag: tagMarket, summary: "Watch a token, 200 at most",
		errors: []int{400, 404, 409}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *itemPath) (*Body[Success], error) {
		contract, err := parseAddress("path.contract", in.Contract)
		if err != nil {
			return nil, err
		}
		return success(""), a.Saved.Watch(ctx, c.PlayerID, contract, in.TokenID)
	})
	player(a, call{
		method: http.MethodDelete, path: watchlist + "/{contract}/{tokenId}", id: "unwatch", tag: tagMarket, summary: "Stop watching a token",
		errors: []int{400}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *itemPath) (*Body[Success], error) {
		contract, err := parseAddress("path.contract", in.Contract)
		if err != nil {
			return nil, err
		}
		return success(""), a.Saved.Unwatch(ctx, c.PlayerID, contract, in.TokenID)
	})
}

func (a *API) watchlist(ctx context.Context, c account.Caller, _ *Empty) (*Body[Watchlist], error) {
	found, err := a.Saved.Watched(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	out := Watchlist{Items: make([]WatchedItem, len(found))}
	for i, w := range found {
		out.Items[i] = WatchedItem{Offer: a.offer(w.Offer, c.PlayerID), Since: w.Since}
	}
	return body(out), nil
}

// queryOf parses filters. A collection may be given by its contract. location is where they are, for errors.
func (a *API) queryOf(location string, f SearchFilters) (q market.Query, err error) {
	q = market.Query{Text: f.Q, TokenID: f.TokenID, Rarities: distinct(f.Rarity), Free: f.Free}
	if q.Traits, err = traitFilters(location+".trait", f.Trait); err != nil {
		return q, err
	}
	if f.Seller != "" {
		seller, err := parseAddress(location+".seller", f.Seller)
		if err != nil {
			return q, err
		}
		q.Seller = &seller
	}
	contract, field := f.Contract, ".contract"
	if strings.HasPrefix(f.Collection, "0x") {
		contract, field = f.Collection, ".collection"
	} else {
		q.Collection = f.Collection
	}
	if contract != "" {
		address, err := parseAddress(location+field, contract)
		if err != nil {
			return q, err
		}
		q.Contract = &address
	}
	if q.Min, err = a.parsePrice(location+".min", f.Min); err != nil {
		return q, err
	}
	q.Max, err = a.parsePrice(location+".max", f.Max)
	return q, err
}

// filtersOf is the inverse of queryOf.
func (a *API) filtersOf(q market.Query) SearchFilters {
	f := SearchFilters{TokenID: q.TokenID, Collection: q.Collection, Q: q.Text, Rarity: q.Rarities, Free: q.Free}
	if q.Contract != nil {
		f.Contract = q.Contract.Checksum()
	}
	if q.Seller != nil {
		f.Seller = q.Seller.Checksum()
	}
	for _, t := range q.Traits {
		if len(t.Values) == 0 {
			f.Trait = append(f.Trait, t.Name)
		}
		for _, v := range t.Values {
			f.Trait = append(f.Trait, t.Name+":"+v)
		}
	}
	for _, bound := range []struct {
		units *money.Units
		into  *string
	}{{q.Min, &f.Min}, {q.Max, &f.Max}} {
		if bound.units != nil {
			*bound.into = a.price(*bound.units)
		}
	}
	return f
}
