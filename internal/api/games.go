package api

import (
	"context"
	"net/http"

	"pantheon/internal/collections"
	"pantheon/internal/portal/account"
)

// Games are the games, with the player's holdings that each uses.
type Games struct {
	Items []Game `json:"items" doc:"The games." nullable:"false"`
}

// Game is one game.
type Game struct {
	ID       string     `json:"id" doc:"Its name for programs, as in its page's address."`
	Name     string     `json:"name" doc:"Its name for players."`
	State    string     `json:"state" doc:"open, or later for one that opens later." enum:"open,later"`
	PlayURL  string     `json:"playUrl,omitempty" doc:"Where it is played, where that is known."`
	Board    string     `json:"board,omitempty" doc:"Its leaderboard, where it has one."`
	Holdings []GameKind `json:"holdings" doc:"The kinds of things that count in it." nullable:"false"`
}

// GameKind is how many things of one kind the player has.
type GameKind struct {
	Kind  collections.Kind `json:"kind" doc:"The kind."`
	Count int64            `json:"count" doc:"How many, every copy counted."`
}

func (a *API) registerGames() {
	player(a, call{
		method: http.MethodGet, path: "/api/auth/games", id: "getGames", tag: tagAccount,
		summary: "The games, and what of the player's counts in each",
	}, a.games)
}

func (a *API) games(ctx context.Context, c account.Caller, _ *Empty) (*Body[Games], error) {
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	out := Games{Items: []Game{}}
	for _, g := range a.Games {
		game := Game{ID: g.ID, Name: g.Name, State: "later", Board: g.Board, PlayURL: g.PlayURL, Holdings: []GameKind{}}
		if g.Open {
			game.State = "open"
		}
		for _, kind := range g.Kinds {
			page, err := a.Holdings.List(ctx, wallets.all, kind, "", 1)
			if err != nil {
				return nil, err
			}
			game.Holdings = append(game.Holdings, GameKind{Kind: kind, Count: page.Total})
		}
		out.Items = append(out.Items, game)
	}
	return body(out), nil
}
