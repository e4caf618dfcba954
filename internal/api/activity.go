package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/market"
)

// Activity is a page of the player's activity, newest first.
type Activity struct {
	Items      []ActivityEntry `json:"items" doc:"The entries." nullable:"false"`
	NextCursor string          `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// ActivityEntry is one entry of the activity.
type ActivityEntry struct {
	ID       string         `json:"id" doc:"Tells entries apart; it means nothing else."`
	Type     activity.Type  `json:"type" doc:"What it was: purchase, sale, listing, unlisting, opening, burn, reward, withdrawal or login." enum:"purchase,sale,listing,unlisting,opening,burn,reward,withdrawal,login"`
	At       time.Time      `json:"at" doc:"When it happened."`
	Item     *ActivityItem  `json:"item,omitempty" doc:"What it was about; absent for a sign-in, for a reward in money or a currency, and for money sent."`
	Quantity string         `json:"quantity,omitempty" doc:"How many; absent where that is not known."`
	Price    *ActivityPrice `json:"price,omitempty" doc:"What was paid in all, of a listing what one is to cost, of a reward or a withdrawal the money it was."`
	Code     string         `json:"code,omitempty" doc:"The currency code of a reward on the game platform."`
	To       *eth.Address   `json:"to,omitempty" doc:"Who received a withdrawal."`
	TxHash   string         `json:"txHash,omitempty" doc:"The transaction; absent where there is none."`
	OrderID  string         `json:"orderId,omitempty" doc:"The player's order that a purchase was part of; absent where there is none."`
}

// ActivityItem is the token an entry concerns.
type ActivityItem struct {
	Contract eth.Address             `json:"contract" doc:"The token's contract."`
	TokenID  string                  `json:"tokenId" doc:"The token's id, decimal."`
	Metadata market.MetadataDocument `json:"metadata" doc:"What it is."`
}

// ActivityPrice is an amount of money.
type ActivityPrice struct {
	Amount   string `json:"amount" doc:"The amount, decimal."`
	Currency string `json:"currency" doc:"The currency's symbol."`
}

// Achievements are all achievements with the player's progress.
type Achievements struct {
	Items []Achievement `json:"items" doc:"All of them, in the order in which they are shown." nullable:"false"`
}

// Achievement is one achievement with the player's progress.
type Achievement struct {
	ID        string     `json:"id" doc:"Its name for programs."`
	Name      string     `json:"name" doc:"Its name for players."`
	Text      string     `json:"text" doc:"What to do for it."`
	Goal      int        `json:"goal" doc:"How often, or how many."`
	Progress  int        `json:"progress" doc:"0 to goal."`
	ReachedAt *time.Time `json:"reachedAt,omitempty" doc:"When it was reached; absent until then."`
}

func (a *API) registerActivity() {
	player(a, call{
		method: http.MethodGet, path: "/api/auth/activity", id: "getActivity", tag: tagAccount,
		summary: "What happened on the player's account", errors: []int{400},
	}, a.activity)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/achievements", id: "getAchievements", tag: tagAccount, summary: "What the player has achieved",
	}, a.achievements)
}

func (a *API) activity(ctx context.Context, c account.Caller, in *pageQuery) (*Body[Activity], error) {
	_, smart, err := a.Wallets.Pair(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	entries, next, err := a.Activity.Entries(ctx, c.PlayerID, smart, in.Cursor, in.Limit)
	out := Activity{Items: make([]ActivityEntry, len(entries)), NextCursor: next}
	for i, e := range entries {
		out.Items[i] = activityEntry(e)
	}
	return body(out), err
}

func activityEntry(e activity.Entry) ActivityEntry {
	out := ActivityEntry{ID: e.ID, Type: e.Type, At: e.At, Code: e.Code, OrderID: e.OrderID}
	if t := e.Token; t != nil {
		out.Item = &ActivityItem{Contract: t.Contract, TokenID: t.TokenID, Metadata: market.Describe(market.Token{
			Contract: t.Contract, TokenID: t.TokenID, Collection: t.Collection, Name: t.Name, Kind: t.Kind, Rarity: t.Rarity,
		})}
	}
	if !e.Quantity.IsZero() {
		out.Quantity = e.Quantity.String()
	}
	if p := e.Price; p != nil {
		out.Price = &ActivityPrice{Amount: p.Amount.Decimal(p.Decimals), Currency: p.Symbol}
	}
	if !e.To.IsZero() {
		out.To = &e.To
	}
	if !e.Tx.IsZero() {
		out.TxHash = e.Tx.String()
	}
	return out
}

func (a *API) achievements(ctx context.Context, c account.Caller, _ *Empty) (*Body[Achievements], error) {
	_, smart, err := a.Wallets.Pair(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	all, err := a.Activity.Achievements(ctx, smart)
	out := Achievements{Items: make([]Achievement, len(all))}
	for i, x := range all {
		out.Items[i] = Achievement{ID: x.ID, Name: x.Name, Text: x.Text, Goal: x.Goal, Progress: x.Progress}
		if x.Reached() {
			out.Items[i].ReachedAt = &all[i].ReachedAt
		}
	}
	return body(out), err
}
