package api

import (
	"context"
	"net/http"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/leaderboard"
)

type boardQuery struct {
	Board  string `path:"board" doc:"Which leaderboard, such as kod." maxLength:"64"`
	Around string `query:"around" doc:"me for the lines around the player's own; needs the player's token." enum:"me"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before; not together with around." maxLength:"20"`
	Limit  int    `query:"limit" doc:"How many lines at most." minimum:"1" maximum:"100" default:"25"`
}

// Board is a part of a leaderboard, best first.
type Board struct {
	Items      []BoardLine `json:"items" doc:"The lines; around a player who is not on the board there are none." nullable:"false"`
	NextCursor string      `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last, and around a player."`
}

// BoardLine is one line of a leaderboard. It contains the player's name but not the id.
type BoardLine struct {
	Rank  int    `json:"rank" doc:"1 is the best."`
	Name  string `json:"name" doc:"The player's name."`
	Score int64  `json:"score" doc:"What the game has reported."`
	Me    bool   `json:"me" doc:"Whether it is the line of the player whose token was sent along."`
}

func (a *API) registerLeaderboard() {
	op := a.operation(call{
		method: http.MethodGet, path: "/api/leaderboards/{board}", id: "getLeaderboard", tag: tagAccount, summary: "A leaderboard",
		errors: []int{400, 401, 404, 503}, limits: []limiter{{perMinute: a.Limits.ChainReadsPerMinute, key: byAddress}},
	}, "", a.recognise)
	op.Description = "A signed-in player's token, where it is sent along, marks the player's own line."
	register(a, op, func(ctx context.Context, in *boardQuery) (*Body[Board], error) {
		board, err := a.board(ctx, in)
		return body(board), err
	})
}

func (a *API) board(ctx context.Context, in *boardQuery) (Board, error) {
	reader := callerOf(ctx).PlayerID
	var page leaderboard.Page
	var err error
	switch {
	case in.Around == "":
		page, err = a.Boards.Page(ctx, in.Board, reader, in.Cursor, in.Limit)
	case reader == "":
		err = fault.New(fault.Unauthorized, "Sign in to see where you stand.")
	default:
		page, err = a.Boards.Around(ctx, in.Board, reader, in.Limit)
	}
	out := Board{Items: make([]BoardLine, len(page.Lines)), NextCursor: page.Next}
	for i, l := range page.Lines {
		out.Items[i] = BoardLine{Rank: l.Rank, Name: l.Name, Score: l.Score, Me: l.Mine}
	}
	return out, err
}
