package api

import (
	"context"
	"net/http"

	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
)

// OwedRewards are rewards.
type OwedRewards struct {
	Items []operator.Reward `json:"items" doc:"At most 50 of them, those that failed last first." nullable:"false"`
}

type rewardQuery struct {
	State string `query:"state" doc:"failed: those of which something could not be given. unowned: those of wallets that no player has registered." enum:"failed,unowned" default:"failed"`
}

// RedoReward gives what failed of a reward again.
type RedoReward struct {
	Reason
	Source      string `json:"source" doc:"The reward's source." maxLength:"300"`
	EvenIfGiven bool   `json:"evenIfGiven,omitempty" doc:"Also where the answer of the game platform was lost, so that the player may have it."`
}

// RedoneReward says how many grants are given again.
type RedoneReward struct {
	Grants int `json:"grants" doc:"How many."`
}

// AssignReward gives a reward of an unknown wallet to a player.
type AssignReward struct {
	Reason
	Source string `json:"source" doc:"The reward's source." maxLength:"300"`
	Player string `json:"player" doc:"id:ID, email:ADDRESS or name:NAME." maxLength:"300"`
}

// ShopOrderPath names a paid order of the webstore.
type ShopOrderPath struct {
	ID int64 `path:"id" doc:"The order's id in the shop." minimum:"1"`
}

type actOnShopOrder struct {
	ShopOrderPath
	Body Reason
}

type assignShopOrder struct {
	ShopOrderPath
	Body struct {
		Reason
		Player string `json:"player" doc:"id:ID, email:ADDRESS or name:NAME." maxLength:"300"`
	}
}

// GasBudgets are the budgets of the chains.
type GasBudgets struct {
	Items []operator.GasBudget `json:"items" doc:"The budgets of today, in wei." nullable:"false"`
}

type raiseGas struct {
	Chain string `path:"chain" doc:"game or main." maxLength:"20"`
	Body  struct {
		Reason
		Amount     string `json:"amount" doc:"In the chain's own currency, such as 0.05." maxLength:"60"`
		Operations int64  `json:"operations,omitempty" doc:"How many operations more." minimum:"0"`
	}
}

// SupportRequests are what people wrote to the support.
type SupportRequests struct {
	Items []operator.SupportRequest `json:"items" doc:"The newest 200, the newest first." nullable:"false"`
}

const shownList = 200

func (c *console) registerGoods() {
	view(c, "player show", call{
		method: http.MethodGet, path: ConsolePath + "home", id: "consoleGetHome", tag: tagPortal, summary: "What needs a person now",
	}, c.home)
	view(c, "reward list", call{
		method: http.MethodGet, path: ConsolePath + "rewards", id: "consoleListRewards", tag: tagGoods,
		summary: "Rewards that need an operator",
	}, func(ctx context.Context, _ operator.Session, in *rewardQuery) (*Body[OwedRewards], error) {
		f := operator.Find{Limit: shownRewards, Unowned: in.State == "unowned"}
		if !f.Unowned {
			f.State = string(reward.Failed)
		}
		list, err := c.Operators.Rewards(ctx, "", f)
		return body(OwedRewards{list}), err
	})
	act(c, "reward redo", call{
		method: http.MethodPost, path: ConsolePath + "rewards/redo", id: "consoleRedoReward", tag: tagGoods,
		summary: "Give what failed of a reward again, under the same source",
	}, func(ctx context.Context, _ operator.Session, in *Body[RedoReward]) (*Body[RedoneReward], error) {
		n, err := c.Operators.RedoReward(ctx, in.Body.Source, in.Body.EvenIfGiven, by(ctx, in.Body.Reason.Reason))
		return body(RedoneReward{n}), err
	})
	act(c, "reward assign", call{
		method: http.MethodPost, path: ConsolePath + "rewards/assign", id: "consoleAssignReward", tag: tagGoods,
		summary: "Give a reward that waits for its wallet's player to a player",
	}, func(ctx context.Context, _ operator.Session, in *Body[AssignReward]) (*Body[ScoredPlayer], error) {
		p, err := c.Operators.AssignReward(ctx, in.Body.Source, in.Body.Player, by(ctx, in.Body.Reason.Reason))
		return body(ScoredPlayer{p}), err
	})
	view(c, "shop list", call{
		method: http.MethodGet, path: ConsolePath + "shop", id: "consoleGetShop", tag: tagGoods,
		summary: "What waits in the webstore",
	}, func(ctx context.Context, _ operator.Session, _ *Empty) (*Body[operator.ShopBacklog], error) {
		b, err := c.Operators.ShopBacklog(ctx, shownList)
		return body(b), err
	})
	view(c, "shop list", call{
		method: http.MethodGet, path: ConsolePath + "shop/orders/{id}", id: "consoleGetShopOrder", tag: tagGoods,
		summary: "A paid order of the webstore",
		errors:  []int{404},
	}, func(ctx context.Context, _ operator.Session, in *ShopOrderPath) (*Body[operator.ShopOrder], error) {
		o, err := c.Operators.ShopOrder(ctx, in.ID)
		return body(o), err
	})
	act(c, "shop assign", call{
		method: http.MethodPost, path: ConsolePath + "shop/orders/{id}/assign", id: "consoleAssignShopOrder", tag: tagGoods,
		summary: "Give a paid order without a player to one",
	}, func(ctx context.Context, _ operator.Session, in *assignShopOrder) (*Body[ScoredPlayer], error) {
		p, err := c.Operators.AssignShopOrder(ctx, in.ID, in.Body.Player, by(ctx, in.Body.Reason.Reason))
		return body(ScoredPlayer{p}), err
	})
	act(c, "shop release", call{
		method: http.MethodPost, path: ConsolePath + "shop/orders/{id}/release", id: "consoleReleaseShopOrder", tag: tagGoods,
		summary: "Give the player what waits for an operator of a paid order",
	}, func(ctx context.Context, _ operator.Session, in *actOnShopOrder) (*Body[Success], error) {
		return success("The order is released."), c.Operators.ReleaseShopOrder(ctx, in.ID, by(ctx, in.Body.Reason))
	})
	view(c, "gas show", call{
		method: http.MethodGet, path: ConsolePath + "gas", id: "consoleGetGas", tag: tagPortal,
		summary: "What is paid for players' gas today",
	}, func(ctx context.Context, _ operator.Session, _ *Empty) (*Body[GasBudgets], error) {
		list, err := c.Operators.Gas(ctx)
		return body(GasBudgets{append([]operator.GasBudget{}, list...)}), err
	})
	act(c, "gas raise", call{
		method: http.MethodPost, path: ConsolePath + "gas/{chain}", id: "consoleRaiseGas", tag: tagPortal,
		summary: "Raise today's gas budget of a chain",
	}, func(ctx context.Context, _ operator.Session, in *raiseGas) (*Body[operator.GasBudget], error) {
		b, err := c.Operators.RaiseGas(ctx, in.Chain, in.Body.Amount, in.Body.Operations, by(ctx, in.Body.Reason.Reason))
		return body(b), err
	})
	view(c, "support list", call{
		method: http.MethodGet, path: ConsolePath + "support", id: "consoleListSupport", tag: tagPlayers,
		summary: "What people wrote to the support",
	}, func(ctx context.Context, _ operator.Session, _ *Empty) (*Body[SupportRequests], error) {
		list, err := c.Operators.NewestSupportRequests(ctx, shownList)
		return body(SupportRequests{append([]operator.SupportRequest{}, list...)}), err
	})
}
