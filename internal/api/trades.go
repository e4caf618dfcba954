package api

import (
	"context"
	"net/http"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/traderisk"
)

// TradeDesk weighs the trades of an operation.
type TradeDesk interface {
	// Assess weighs the calls of a player's next operation. It returns what an approval of them is for.
	Assess(ctx context.Context, playerID string, chain onchain.ChainID, calls []gas.Call) (traderisk.Assessment, approval.Act, error)
}

// TradeCalls are the calls of an operation that trades.
type TradeCalls struct {
	ChainID onchain.ChainID `json:"chainId" doc:"The market's chain."`
	Calls   []TradeCall     `json:"calls" doc:"What the smart wallet is to call, in one batch and in this order: an approval is good for exactly these." minItems:"1" maxItems:"32" nullable:"false"`
}

// TradeCall is one call.
type TradeCall struct {
	To   eth.Address `json:"to" doc:"The contract."`
	Data string      `json:"data" doc:"The call's data, hex." maxLength:"20000"`
}

// TradeApproval says whether an operation needs the player's approval, and why.
type TradeApproval struct {
	Needed   bool           `json:"needed" doc:"Whether the operation is refused without an approval."`
	Approval *Approval      `json:"approval,omitempty" doc:"The approval that was requested; absent if none is needed."`
	Trades   []WeighedTrade `json:"trades" doc:"What is bought and sold, with its usual price." nullable:"false"`
	PerDay   string         `json:"perDay" doc:"How much a player's trades may deviate from usual prices in 24 hours without an approval, in the market's currency."`
}

// WeighedTrade is a trade with its usual price.
type WeighedTrade struct {
	Side      traderisk.Side `json:"side" doc:"sells or buys." enum:"sells,buys"`
	Name      string         `json:"name" doc:"The item's name."`
	Contract  eth.Address    `json:"contract" doc:"The item's contract."`
	TokenID   string         `json:"tokenId" doc:"The item's id, decimal."`
	Quantity  int64          `json:"quantity" doc:"How many."`
	Price     string         `json:"price" doc:"The price of one, in the market's currency."`
	Reference string         `json:"reference,omitempty" doc:"What one usually costs; absent if nothing tells."`
	Risk      string         `json:"risk" doc:"How much less than usual the player would get, or how much more they would pay, for all of them."`
}

func (a *API) registerTrades() {
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/trades/approval", id: "requestTradeApproval", tag: tagMarket,
		summary: "Ask for an approval of trades that are far from usual prices", errors: []int{400, 403, 409, 429, 503},
		limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}},
	}, func(ctx context.Context, c account.Caller, in *Body[TradeCalls]) (*Body[TradeApproval], error) {
		calls, err := in.Body.calls()
		if err != nil {
			return nil, err
		}
		assessed, act, err := a.Trades.Assess(ctx, c.PlayerID, in.Body.ChainID, calls)
		if err != nil {
			return nil, err
		}
		out := TradeApproval{Needed: assessed.Needed(), Trades: []WeighedTrade{}, PerDay: a.price(assessed.PerDay)}
		for _, t := range assessed.Trades {
			w := WeighedTrade{
				Side: t.Side, Name: t.Name, Contract: t.Contract, TokenID: t.TokenID, Quantity: t.Quantity, Price: a.price(t.Price),
				Risk: a.price(t.Risk),
			}
			if t.Reference != nil {
				w.Reference = a.price(*t.Reference)
			}
			out.Trades = append(out.Trades, w)
		}
		if !out.Needed {
			return body(out), nil
		}
		requested, err := a.Approvals.Request(ctx, approval.Caller(c), act)
		if err != nil {
			return nil, err
		}
		sent := approvalOf(requested)
		out.Approval = &sent
		return body(out), nil
	})
}

// calls returns the calls, or fault.Invalid with the field.
func (t TradeCalls) calls() ([]gas.Call, error) {
	calls := make([]gas.Call, len(t.Calls))
	for i, c := range t.Calls {
		var data eth.Bytes
		if err := data.UnmarshalText([]byte(c.Data)); err != nil {
			return nil, fault.InvalidFields("This is not a call.", fault.Field{Location: "body.calls", Message: err.Error()})
		}
		calls[i] = gas.Call{Target: c.To, Data: data}
	}
	return calls, nil
}
