package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
)

// FoundPlayers are players who were searched for.
type FoundPlayers struct {
	Items []operator.Found `json:"items" doc:"The players whom the text fits." nullable:"false"`
}

// FrozenPlayers are players who are frozen.
type FrozenPlayers struct {
	Items []operator.Frozen `json:"items" doc:"The players, the longest frozen first." nullable:"false"`
}

// PlayerPage is what an operator sees of a player.
type PlayerPage struct {
	operator.Profile
	Passkeys int                 `json:"passkeys" doc:"How many passkeys the player has."`
	Orders   []PlayerOrder       `json:"orders" doc:"The newest orders on the market, the newest first." nullable:"false"`
	Owed     []operator.Reward   `json:"owed" doc:"The newest rewards, the newest first." nullable:"false"`
	Events   []securitylog.Entry `json:"events" doc:"The newest entries of the security log, the newest first." nullable:"false"`
}

// PlayerOrder is an order on the market.
type PlayerOrder struct {
	operator.Order
	TotalText string `json:"totalText" doc:"The total in words, such as 12.5 USDC."`
}

// OrderPage is what an operator sees of an order.
type OrderPage struct {
	operator.OrderDetails
	TotalText string   `json:"totalText" doc:"The total in words, such as 12.5 USDC."`
	Prices    []string `json:"prices" doc:"The items' prices in words, in their order." nullable:"false"`
}

// PlayerSearch is what players are searched by. It is not in the address: proxies log that.
type PlayerSearch struct {
	Search string `json:"search" doc:"A player's id, email, name or wallet, or the id of an order." maxLength:"200"`
}

// OperatedPlayer names a player.
type OperatedPlayer struct {
	ID string `path:"id" doc:"The player's id." maxLength:"100"`
}

type actOnPlayer struct {
	OperatedPlayer
	Body Reason
}

type putOnList struct {
	OperatedPlayer
	Body struct {
		Reason
		List  string     `json:"list" doc:"The list's name." maxLength:"100"`
		Until *time.Time `json:"until,omitempty" doc:"Until when; absent for no end."`
	}
}

type setScore struct {
	OperatedPlayer
	Body struct {
		Reason
		Board string `json:"board" doc:"The board." maxLength:"100"`
		Score int64  `json:"score" doc:"The score." minimum:"0"`
	}
}

// ScoredPlayer is whose score or list was changed.
type ScoredPlayer struct {
	Player operator.Player `json:"player" doc:"The player."`
}

type orderPath struct {
	ID string `path:"id" doc:"The order's id." maxLength:"100"`
}

// text returns an amount of the market's currency in words.
func (c *console) text(amount money.Units) string {
	return amount.Decimal(c.Currency.Decimals) + " " + c.Currency.Symbol
}

// player returns how a service finds the player of a path.
func (p OperatedPlayer) player() string { return operator.ByID + ":" + p.ID }

func (c *console) registerPlayers() {
	view(c, "player show", call{
		method: http.MethodPost, path: ConsolePath + "players/search", id: "consoleSearchPlayers", tag: tagPlayers,
		summary: "Search for players",
	}, func(ctx context.Context, _ operator.Session, in *Body[PlayerSearch]) (*Body[FoundPlayers], error) {
		found, err := c.Operators.Search(ctx, in.Body.Search, by(ctx, ""))
		return body(FoundPlayers{append([]operator.Found{}, found...)}), err
	})
	view(c, "player show", call{
		method: http.MethodGet, path: ConsolePath + "frozen", id: "consoleListFrozen", tag: tagPlayers,
		summary: "Players who are frozen",
	}, func(ctx context.Context, _ operator.Session, _ *Empty) (*Body[FrozenPlayers], error) {
		list, err := c.Operators.FrozenPlayers(ctx)
		return body(FrozenPlayers{list[:min(len(list), operator.MaxLimit)]}), err
	})
	view(c, "player show", call{
		method: http.MethodGet, path: ConsolePath + "players/{id}", id: "consoleGetPlayer", tag: tagPlayers,
		summary: "What is known of a player",
		errors:  []int{404},
	}, c.playerPage)
	act(c, "player freeze", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/freeze", id: "consoleFreezePlayer", tag: tagPlayers,
		summary: "Freeze a player, who reads the reason",
	}, func(ctx context.Context, _ operator.Session, in *actOnPlayer) (*Body[operator.FreezeResult], error) {
		r, err := c.Operators.Freeze(ctx, in.player(), by(ctx, in.Body.Reason))
		return body(r), err
	})
	act(c, "player unfreeze", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/unfreeze", id: "consoleUnfreezePlayer", tag: tagPlayers,
		summary: "Lift a player's freeze",
	}, func(ctx context.Context, _ operator.Session, in *actOnPlayer) (*Body[operator.Unfrozen], error) {
		r, err := c.Operators.Unfreeze(ctx, in.player(), by(ctx, in.Body.Reason))
		return body(r), err
	})
	act(c, "player whitelist add", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/lists", id: "consolePutOnList", tag: tagPlayers,
		summary: "Put a player on a list",
	}, func(ctx context.Context, _ operator.Session, in *putOnList) (*Body[ScoredPlayer], error) {
		var until time.Time
		if in.Body.Until != nil {
			until = *in.Body.Until
		}
		p, err := c.Operators.PutOnList(ctx, in.player(), in.Body.List, until, by(ctx, in.Body.Reason.Reason))
		return body(ScoredPlayer{p}), err
	})
	act(c, "player whitelist remove", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/lists/remove", id: "consoleTakeOffList", tag: tagPlayers,
		summary: "Take a player off a list",
	}, func(ctx context.Context, _ operator.Session, in *putOnList) (*Body[ScoredPlayer], error) {
		p, err := c.Operators.TakeOffList(ctx, in.player(), in.Body.List, by(ctx, in.Body.Reason.Reason))
		return body(ScoredPlayer{p}), err
	})
	act(c, "player score", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/score", id: "consoleSetScore", tag: tagPlayers,
		summary: "Report what a player has scored in a game",
	}, func(ctx context.Context, _ operator.Session, in *setScore) (*Body[ScoredPlayer], error) {
		p, err := c.Operators.ReportScore(ctx, in.player(), in.Body.Board, in.Body.Score, by(ctx, in.Body.Reason.Reason))
		return body(ScoredPlayer{p}), err
	})
	act(c, "shop forgive", call{
		method: http.MethodPost, path: ConsolePath + "players/{id}/forgive", id: "consoleForgivePlayer", tag: tagPlayers,
		summary: "Forgive what a player owes after refunds",
	}, func(ctx context.Context, _ operator.Session, in *actOnPlayer) (*Body[operator.Forgiven], error) {
		f, err := c.Operators.ForgiveShopDebts(ctx, in.player(), by(ctx, in.Body.Reason))
		return body(f), err
	})
	view(c, "order show", call{
		method: http.MethodGet, path: ConsolePath + "orders/{id}", id: "consoleGetOrder", tag: tagGoods,
		summary: "An order on the market",
		errors:  []int{404},
	}, func(ctx context.Context, _ operator.Session, in *orderPath) (*Body[OrderPage], error) {
		o, err := c.Operators.Order(ctx, in.ID)
		out := OrderPage{o, c.text(o.Total), make([]string, len(o.Items))}
		for i, item := range o.Items {
			out.Prices[i] = c.text(item.Price)
		}
		return body(out), err
	})
}

const (
	shownOrders  = 50
	shownRewards = 50
	shownEvents  = 100
)

func (c *console) playerPage(ctx context.Context, _ operator.Session, in *OperatedPlayer) (*Body[PlayerPage], error) {
	profile, err := c.Operators.View(ctx, in.ID, by(ctx, ""))
	if err != nil {
		return nil, err
	}
	out := PlayerPage{Profile: profile, Orders: []PlayerOrder{}, Owed: []operator.Reward{}, Events: []securitylog.Entry{}}
	orders, err := c.Operators.Orders(ctx, in.player(), shownOrders)
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		out.Orders = append(out.Orders, PlayerOrder{o, c.text(o.Total)})
	}
	owed, err := c.Operators.Rewards(ctx, in.player(), operator.Find{Limit: shownRewards})
	if err != nil {
		return nil, err
	}
	out.Owed = append(out.Owed, owed...)
	if c.PlayerPasskeys != nil {
		passkeys, err := c.PlayerPasskeys.List(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		out.Passkeys = len(passkeys)
	}
	entries, _, err := securitylog.Page(ctx, c.SecurityLog, securitylog.Filter{Subject: in.ID}, "", shownEvents)
	out.Events = append(out.Events, entries...)
	return body(out), err
}

// Home is what needs a person, and what fails.
type Home struct {
	operator.NeedsPerson
	Ready bool   `json:"ready" doc:"Whether this replica answers."`
	Parts []Part `json:"parts" doc:"What the portal depends on, by name." nullable:"false"`
}

// Part is something that the portal depends on.
type Part struct {
	Name  string `json:"name" doc:"Its name, as in /readyz."`
	Error string `json:"error,omitempty" doc:"What is wrong; absent if it works."`
}

func (c *console) home(ctx context.Context, _ operator.Session, _ *Empty) (*Body[Home], error) {
	n, err := c.Operators.NeedsPerson(ctx)
	if err != nil {
		return nil, err
	}
	report := c.Health.Recent(ctx)
	out := Home{NeedsPerson: n, Ready: report.Ready(), Parts: []Part{}}
	for name, result := range report.Checks {
		p := Part{Name: name}
		if result != "ok" {
			p.Error = result
		}
		out.Parts = append(out.Parts, p)
	}
	slices.SortFunc(out.Parts, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	return body(out), nil
}
