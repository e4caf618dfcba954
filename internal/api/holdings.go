package api

import (
	"context"
	"fmt"
	"net/http"

	"pantheon/internal/brand"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/burn"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/market"
)

// HoldingsOptions are what the calls about what players have and do need.
type HoldingsOptions struct {
	Kinds    []collections.KindEntry
	Games    []brand.Game
	Holdings *holdings.Service
	Activity *activity.Service
	Boards   *leaderboard.Service
	Tariffs  func() burn.Tariffs
}

type holdingsQuery struct {
	Cursor string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit  int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"100"`
}

// Holdings is a page of the player's holdings of one kind.
type Holdings struct {
	Total      int64     `json:"total" doc:"How many there are in all, every copy counted."`
	Items      []Holding `json:"items" doc:"The tokens." nullable:"false"`
	NextCursor string    `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// Holding is what the player holds of one token.
type Holding struct {
	Contract eth.Address             `json:"contract" doc:"The token's contract."`
	TokenID  string                  `json:"tokenId" doc:"The token's id, decimal."`
	Amount   string                  `json:"amount" doc:"How many."`
	Wallet   string                  `json:"wallet" enum:"smart,verified" doc:"The player's wallet that holds it. What the verified wallet holds can be looked at, but not sold, opened or burned here."`
	Metadata market.MetadataDocument `json:"metadata" doc:"What it is."`
}

// Passes is a page of the player's passes, with the ids of all of them by tier.
type Passes struct {
	Holdings
	CommunityCount    int      `json:"communityCount" doc:"How many community passes."`
	UltimateCount     int      `json:"ultimateCount" doc:"How many ultimate passes."`
	CommunityTokenIDs []string `json:"communityTokenIds" doc:"Ids of the community passes." nullable:"false"`
	UltimateTokenIDs  []string `json:"ultimateTokenIds" doc:"Ids of the ultimate passes." nullable:"false"`
}

// GameItems is a page of the player's game items, with those that are new.
type GameItems struct {
	Holdings
	NewItems []string `json:"newItems" doc:"Ids of all game items that the player received since seeGameItems was called, on any device. What was there when the wallet was registered is not new." nullable:"false"`
}

func (a *API) registerHoldings() {
	for _, k := range a.Kinds {
		switch k.Kind { // two have a schema of their own
		case collections.Passes:
			player(a, listCall(k), a.passes)
			continue
		case collections.GameItems:
			player(a, listCall(k), a.gameItems)
			continue
		}
		player(a, listCall(k), func(ctx context.Context, c account.Caller, in *holdingsQuery) (*Body[Holdings], error) {
			h, err := a.holdings(ctx, c, k.Kind, in)
			return body(h), err
		})
	}
	player(a, call{
		method: http.MethodPost, path: "/api/auth/nft/gameItems/seen", id: "seeGameItems", tag: tagHoldings,
		summary: "The player has seen the game items: none is new until others arrive",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Success], error) {
		return success(""), a.Holdings.SeeItems(ctx, c.PlayerID)
	})
}

// listCall is the call that lists what the player holds of a kind.
func listCall(k collections.KindEntry) call {
	return call{
		method: http.MethodGet, path: "/api/auth/nft/" + k.List, id: k.List, tag: tagHoldings,
		summary: fmt.Sprintf("What the player holds: %s", k.Title), errors: []int{400},
	}
}

func (a *API) holdings(ctx context.Context, c account.Caller, kind collections.Kind, in *holdingsQuery) (Holdings, error) {
	out := Holdings{Items: []Holding{}}
	if kind == collections.PowerPacks && !a.Flags.Enabled(ctx, flags.PowerPacks, flags.Context{PlayerID: c.PlayerID}) {
		return out, nil // kinds without holdings do not appear on the pages
	}
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return out, err
	}
	return a.held(ctx, wallets, kind, in)
}

// held returns a page of the wallets' holdings of a kind.
func (a *API) held(ctx context.Context, of wallets, kind collections.Kind, in *holdingsQuery) (Holdings, error) {
	out := Holdings{Items: []Holding{}}
	if len(of.all) == 0 {
		return out, nil
	}
	page, err := a.Holdings.List(ctx, of.all, kind, in.Cursor, in.Limit)
	if err != nil {
		return out, err
	}
	out.Total, out.NextCursor = page.Total, page.Next
	for _, t := range page.Items {
		token := market.Token{
			Contract: t.Contract, TokenID: t.TokenID, Collection: t.Collection, Name: t.Name, Kind: t.Kind, Rarity: t.Rarity,
			Attributes: make([]market.Attribute, len(t.Attributes)),
		}
		for i, attribute := range t.Attributes {
			token.Attributes[i] = market.Attribute(attribute)
		}
		held := Holding{Contract: t.Contract, TokenID: t.TokenID, Amount: t.Amount.String(), Wallet: "smart", Metadata: market.Describe(token)}
		if of.verified != nil && t.Owner == *of.verified {
			held.Wallet = "verified"
		}
		out.Items = append(out.Items, held)
	}
	return out, nil
}

func (a *API) gameItems(ctx context.Context, c account.Caller, in *holdingsQuery) (*Body[GameItems], error) {
	out := GameItems{NewItems: []string{}}
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	if out.Holdings, err = a.held(ctx, wallets, collections.GameItems, in); len(wallets.all) == 0 || err != nil {
		return body(out), err
	}
	out.NewItems, err = a.Holdings.NewItems(ctx, c.PlayerID)
	return body(out), err
}

func (a *API) passes(ctx context.Context, c account.Caller, in *holdingsQuery) (*Body[Passes], error) {
	out := Passes{CommunityTokenIDs: []string{}, UltimateTokenIDs: []string{}}
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	if out.Holdings, err = a.held(ctx, wallets, collections.Passes, in); len(wallets.all) == 0 || err != nil {
		return body(out), err
	}
	p, err := a.Holdings.Passes(ctx, wallets.all)
	out.CommunityTokenIDs, out.UltimateTokenIDs = p.CommunityTokenIDs, p.UltimateTokenIDs
	out.CommunityCount, out.UltimateCount = len(p.CommunityTokenIDs), len(p.UltimateTokenIDs)
	return body(out), err
}

// wallets are the wallets whose holdings count as the player's: the registered smart wallet and the verified one.
type wallets struct {
	all             []eth.Address
	smart, verified *eth.Address // nil if there is none
}

func (a *API) walletsOf(ctx context.Context, playerID string) (w wallets, err error) {
	if _, w.smart, err = a.Wallets.Pair(ctx, playerID); err != nil {
		return wallets{}, err
	}
	if w.verified, err = a.Proofs.Wallet(ctx, playerID); err != nil {
		return wallets{}, err
	}
	for _, address := range []*eth.Address{w.smart, w.verified} {
		if address != nil {
			w.all = append(w.all, *address)
		}
	}
	return w, nil
}
