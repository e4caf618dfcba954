package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/reward"
)

// Moves are the chains that the portal leaves or has left.
type Moves struct {
	Moves []Move `json:"moves" doc:"The moves, by chain." nullable:"false"`
}

// Move is the move of what is held on a chain to another one.
type Move struct {
	ChainID   onchain.ChainID `json:"chainId" doc:"The chain that the portal leaves."`
	State     move.State      `json:"state" doc:"frozen: nothing is traded there any more. snapshotted: what is held there is known. moved: it can be claimed on the new chain." enum:"frozen,snapshotted,moved"`
	FrozenAt  time.Time       `json:"frozenAt" doc:"Since when nothing is traded there."`
	Block     uint64          `json:"block,omitempty" doc:"The block of the snapshot; absent until it is taken."`
	BlockHash *eth.Hash       `json:"blockHash,omitempty" doc:"Its hash."`
	BlockTime *time.Time      `json:"blockTime,omitempty" doc:"Its time."`
	SHA256    string          `json:"sha256,omitempty" doc:"Of the snapshot's text, in hexadecimal."`
	Holdings  int64           `json:"holdings" doc:"How many the snapshot has; 0 until it is taken." minimum:"0"`
	To        onchain.ChainID `json:"to,omitempty" doc:"The new chain; absent until the portal has moved."`
	MovedAt   *time.Time      `json:"movedAt,omitempty" doc:"When it has."`
}

// Reconciliation compares what was held on the old chain with what was given on the new one.
type Reconciliation struct {
	Move
	Tokens []MovedToken `json:"tokens" doc:"Each token; unique ones are counted by collection." nullable:"false"`
}

// MovedToken is a token on both chains.
type MovedToken struct {
	Collection  string           `json:"collection" doc:"The collection's slug, or a currency's symbol."`
	Standard    onchain.Standard `json:"standard" doc:"ERC-20, ERC-721 or ERC-1155." enum:"erc20,erc721,erc1155"`
	Contract    eth.Address      `json:"contract" doc:"Its contract on the old chain."`
	NewContract *eth.Address     `json:"newContract,omitempty" doc:"Its contract on the new chain; absent until the portal has moved."`
	TokenID     string           `json:"tokenId" doc:"Its id, decimal; empty for all unique tokens of the collection."`
	Minted      string           `json:"minted" doc:"How many were minted on the old chain, in base units."`
	Burned      string           `json:"burned" doc:"How many of them were burned."`
	Cap         string           `json:"cap,omitempty" doc:"How many could ever be minted there; absent without a limit."`
	Held        string           `json:"held" doc:"How many the snapshot has: minted less burned."`
	Claimed     string           `json:"claimed" doc:"How many of them were claimed."`
	Given       string           `json:"given" doc:"How many of these were minted on the new chain."`
}

// MovedHoldings is what a player held on the old chain.
type MovedHoldings struct {
	Items     []MovedHolding `json:"items" doc:"What the player's wallets held, at most 500 of each." nullable:"false"`
	Claimable int            `json:"claimable" doc:"How many of them can be claimed now." minimum:"0"`
}

// MovedHolding is one token that a player held on the old chain.
type MovedHolding struct {
	Contract   eth.Address `json:"contract" doc:"The token's contract on the old chain."`
	Collection string      `json:"collection" doc:"The collection's slug, or a currency's symbol."`
	TokenID    string      `json:"tokenId" doc:"The token's id, decimal."`
	Amount     string      `json:"amount" doc:"How many, in base units."`
	Owner      eth.Address `json:"owner" doc:"The player's wallet that held it."`
	Name       string      `json:"name" doc:"What it is called."`
	Image      string      `json:"image" doc:"Address of its picture, relative to the site; empty for a currency."`
	State      string      `json:"state" doc:"claimable: it can be claimed. foreign: its owner is a contract, of which the player had not proven to hold it before the freeze; the support helps. drawn, sending, done, failed: it is claimed, see rewards." enum:"claimable,foreign,drawn,sending,done,failed"`
	RewardID   string      `json:"rewardId,omitempty" doc:"The reward by which it is given; absent until it is claimed."`
}

// MoveClaim is the response to a claim.
type MoveClaim struct {
	Claimed int `json:"claimed" doc:"How many holdings were claimed now; 0 if all were before." minimum:"0"`
}

type movePath struct {
	ChainID uint64 `path:"chainId" doc:"The chain that the portal leaves."`
}

type snapshotPath struct {
	ChainID uint64 `path:"chainId" doc:"The chain that the portal leaves."`

	Part int64 `query:"part" doc:"Which part of it, from 1. The parts one after another are the text; those after its end are empty." minimum:"1" maximum:"100000" default:"1"`
}

func (a *API) registerMoves() {
	public(a, call{
		method: http.MethodGet, path: "/api/moves", id: "getMoves", tag: tagChain, summary: "The chains that the portal leaves or has left",
	}, func(ctx context.Context, _ *Empty) (*Body[Moves], error) {
		all, err := a.Moves.All(ctx)
		out := Moves{Moves: []Move{}}
		for _, m := range all {
			out.Moves = append(out.Moves, moveOf(m))
		}
		return body(out), err
	})
	public(a, call{
		method: http.MethodGet, path: "/api/moves/{chainId}", id: "getMove", tag: tagChain,
		summary: "What was held on a chain, and what was given of it on the new one", errors: []int{404},
	}, a.reconciliation)
	public(a, call{
		method: http.MethodGet, path: "/api/moves/{chainId}/snapshot", id: "getSnapshot", tag: tagChain,
		summary: "The text of a snapshot, in parts: contract, token, owner and amount of each holding", errors: []int{404},
	}, func(ctx context.Context, in *snapshotPath) (*file, error) {
		text, err := a.Moves.Text(ctx, onchain.ChainID(in.ChainID), in.Part)
		return &file{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", CacheControl: "no-cache", AllowOrigin: "*", Body: text}, err
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/moves/{chainId}", id: "getMovedHoldings", tag: tagClaims,
		summary: "What the player's wallets held on a chain that the portal has left", errors: []int{404},
	}, a.movedHoldings)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/moves/{chainId}/claim", id: "claimMoved", tag: tagClaims, status: http.StatusAccepted,
		summary: "Claim what the player's wallets held on a chain that the portal has left", errors: []int{403, 404, 409},
		limits: []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}},
	}, func(ctx context.Context, c account.Caller, in *movePath) (*Body[MoveClaim], error) {
		n, err := a.Moves.Claim(ctx, c.PlayerID, onchain.ChainID(in.ChainID))
		return body(MoveClaim{n}), err
	})
}

func moveOf(m move.Move) Move {
	out := Move{ChainID: m.From, State: m.State, FrozenAt: m.FrozenAt.UTC(), Holdings: m.Holdings, To: m.To}
	if m.Hash != "" {
		at := m.Block.Time.UTC()
		out.Block, out.BlockHash, out.BlockTime, out.SHA256 = m.Block.Number, &m.Block.Hash, &at, m.Hash
	}
	if m.To != 0 {
		at := m.MovedAt.UTC()
		out.MovedAt = &at
	}
	return out
}

func (a *API) reconciliation(ctx context.Context, in *movePath) (*Body[Reconciliation], error) {
	m, totals, err := a.Moves.Reconcile(ctx, onchain.ChainID(in.ChainID))
	if err != nil {
		return nil, err
	}
	out := Reconciliation{Move: moveOf(m), Tokens: []MovedToken{}}
	for _, t := range totals {
		token := MovedToken{
			Collection: t.Collection, Standard: t.Standard, Contract: t.Contract, TokenID: t.TokenID, Minted: t.Minted.String(),
			Burned: t.Burned.String(), Held: t.Held.String(), Claimed: t.Claimed.String(), Given: t.Given.String(),
		}
		if t.Cap != nil {
			token.Cap = t.Cap.String()
		}
		if !t.To.IsZero() {
			token.NewContract = &t.To
		}
		out.Tokens = append(out.Tokens, token)
	}
	return body(out), nil
}

func (a *API) movedHoldings(ctx context.Context, c account.Caller, in *movePath) (*Body[MovedHoldings], error) {
	held, err := a.Moves.HeldBy(ctx, c.PlayerID, onchain.ChainID(in.ChainID))
	if err != nil {
		return nil, err
	}
	out := MovedHoldings{Items: []MovedHolding{}}
	for _, h := range held {
		item := MovedHolding{
			Contract: h.Contract, Collection: h.To.Collection, TokenID: h.TokenID, Amount: h.Amount.String(), Owner: h.Owner,
			Name: h.To.Collection, State: string(h.State),
		}
		if h.Standard != onchain.ERC20 {
			described := a.Goods.Item(h.To.To, h.TokenID)
			item.Name, item.Image = described.Name, described.Image
		}
		switch {
		case h.State != "":
			item.RewardID = h.Source(onchain.ChainID(in.ChainID))
		case h.Foreign:
			item.State = "foreign"
		default:
			item.State = "claimable"
			out.Claimable++
		}
		if h.State == reward.Pending || h.State == reward.Cancelled { // which a reward of one grant never is
			item.State = string(reward.Drawn)
		}
		out.Items = append(out.Items, item)
	}
	return body(out), nil
}
