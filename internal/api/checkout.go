package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/market"
)

// StartCheckout requests the purchase of what the page shows: an unpaid order, or the cart.
type StartCheckout struct {
	PlayFabID     string      `json:"playFabId" doc:"The player's own id."`
	OrderID       string      `json:"orderId,omitempty" doc:"The unpaid order that the page shows. It is answered as it is; one that is no longer waiting is a conflict." minLength:"1" maxLength:"64"`
	Items         []ShownItem `json:"items,omitempty" doc:"Every unit in the cart as the page shows it; another cart now is a conflict, also for an empty list." maxItems:"100"`
	ExpectedTotal string      `json:"expectedTotal,omitempty" doc:"The total the player was shown, decimal; another one now is a conflict." minLength:"1"`
}

// ShownItem is one displayed unit of the cart.
type ShownItem struct {
	ListingID string `json:"listingId" doc:"The marketplace's own listing number." maxLength:"80"`
	Contract  string `json:"assetContractAddress" doc:"Contract of the token."`
	Index     int64  `json:"index" doc:"The unit; not compared, as sales may move it."`
	Price     string `json:"price" doc:"Its price, decimal."`
}

// Order is a purchase and its state.
type Order struct {
	OrderID    string       `json:"orderId" doc:"The order's id."`
	State      string       `json:"state" doc:"Where it stands." enum:"awaiting-payment,submitted,confirming,complete,partly-complete,failed,expired"`
	Items      []OrderItem  `json:"items" doc:"What is bought." nullable:"false"`
	Currency   eth.Address  `json:"currency" doc:"Contract of the ERC-20 token to pay with."`
	Total      string       `json:"total" doc:"What it costs, decimal."`
	TotalUnits string       `json:"totalUnits" doc:"The same in base units."`
	Received   string       `json:"received,omitempty" doc:"What the sellers got of what was paid, decimal: the rest are the market's fee and royalties. Absent until it is known."`
	Calls      []OrderCall  `json:"calls" doc:"What the smart wallet has to call, in one batch." nullable:"false"`
	Timeline   []OrderEvent `json:"timeline" doc:"What has happened so far." nullable:"false"`
	UserOpHash *eth.Hash    `json:"userOpHash" doc:"The operation that pays, once sent." nullable:"true"`
	TxHash     *eth.Hash    `json:"txHash" doc:"The transaction that carries it, once known." nullable:"true"`
	Error      string       `json:"error,omitempty" doc:"Why it failed, in words for the player."`
	CreatedAt  time.Time    `json:"createdAt" doc:"When it was placed."`
	ExpiresAt  time.Time    `json:"expiresAt" doc:"Until when the units are kept."`
}

// OrderItem is one line of an order.
type OrderItem struct {
	ListingID string                   `json:"listingId" doc:"The marketplace's own listing number."`
	Contract  eth.Address              `json:"assetContractAddress" doc:"Contract of the token."`
	TokenID   string                   `json:"tokenId" doc:"Id of the token, decimal."`
	Seller    eth.Address              `json:"seller" doc:"Who sells."`
	Quantity  int64                    `json:"quantity" doc:"How many."`
	Bought    int64                    `json:"bought" doc:"How many the chain says are bought."`
	Price     string                   `json:"price" doc:"Price of one, decimal."`
	Metadata  *market.MetadataDocument `json:"metadata,omitempty" doc:"What the token is."`
}

// OrderCall is one call of the smart wallet.
type OrderCall struct {
	To    eth.Address `json:"to" doc:"Contract to call."`
	Value string      `json:"value" doc:"Wei to send along; always 0."`
	Data  eth.Bytes   `json:"data" doc:"The call, hex."`
}

// OrderEvent is one entry of an order's timeline.
type OrderEvent struct {
	State  string    `json:"state" doc:"The state it entered."`
	At     time.Time `json:"at" doc:"When."`
	Detail string    `json:"detail" doc:"What happened, in words for the player."`
}

// CurrentOrder is the player's open order, if any.
type CurrentOrder struct {
	Order *Order `json:"order,omitempty" doc:"The open order; absent when there is none."`
}

// Submission contains the operation that pays for an order.
type Submission struct {
	UserOpHash string `json:"userOpHash" doc:"Hash of the user operation."`
}

// OrderPath identifies an order. It is exported because only exported structs are read when embedded.
type OrderPath struct {
	OrderID string `path:"orderId" doc:"The order's id." maxLength:"64"`
}

type submissionInput struct {
	OrderPath
	Body Submission
}

func (a *API) registerCheckout() {
	changes := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/checkout", id: "startCheckout", tag: tagCheckout, status: http.StatusCreated,
		summary: "Make an order of the cart and keep its units while paying", errors: []int{400, 403, 409}, limits: changes,
		needs: flags.AllowPurchase,
	}, func(ctx context.Context, c account.Caller, in *Body[StartCheckout]) (*Body[Order], error) {
		if err := own(c, in.Body.PlayFabID); err != nil {
			return nil, err
		}
		shown, err := a.shown(in.Body)
		if err != nil {
			return nil, err
		}
		if err := a.mayBuyCart(ctx, c); err != nil {
			return nil, err
		}
		o, err := a.Checkout.Start(ctx, c.PlayerID, shown)
		return a.orderAnswer(ctx, o, err)
	})
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/marketplace/checkout/{orderId}", id: "cancelOrder", tag: tagCheckout,
		summary: "Cancel an order that is not paid; its units stay in the cart", errors: []int{404, 409}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *OrderPath) (*Body[Order], error) {
		o, err := a.Checkout.Cancel(ctx, c.PlayerID, in.OrderID)
		return a.orderAnswer(ctx, o, err)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/marketplace/checkout", id: "getCurrentOrder", tag: tagCheckout,
		summary: "The player's open order, for a page that was reloaded",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[CurrentOrder], error) {
		o, err := a.Checkout.Current(ctx, c.PlayerID)
		if o == nil || err != nil {
			return body(CurrentOrder{}), err
		}
		order, err := a.order(ctx, o)
		return body(CurrentOrder{&order}), err
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/marketplace/checkout/{orderId}", id: "getOrder", tag: tagCheckout,
		summary: "Where an order stands", errors: []int{404},
	}, func(ctx context.Context, c account.Caller, in *OrderPath) (*Body[Order], error) {
		o, err := a.Checkout.Order(ctx, c.PlayerID, in.OrderID)
		return a.orderAnswer(ctx, o, err)
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/checkout/{orderId}/submitted", id: "submitOrder", tag: tagCheckout,
		summary: "Ask whether the relay has accepted a user operation as the payment of the order", errors: []int{400, 404, 409}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *submissionInput) (*Body[Order], error) {
		hash, err := eth.ParseHash(in.Body.UserOpHash)
		if err != nil {
			return nil, fault.InvalidFields("Invalid hash", fault.Field{Location: "body.userOpHash", Message: "Must be 0x and 64 hex digits."})
		}
		o, err := a.Checkout.Submitted(ctx, c.PlayerID, in.OrderID, hash)
		return a.orderAnswer(ctx, o, err)
	})
}

// mayBuyCart refuses a cart with packs that the player may not buy. The units of an unpaid order are in the cart too.
func (a *API) mayBuyCart(ctx context.Context, c account.Caller) error {
	items, err := a.Cart.Items(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	contracts := make([]eth.Address, len(items))
	for i, item := range items {
		contracts[i] = item.Contract
	}
	return a.PackBuyers.MayBuy(ctx, c.PlayerID, countryOf(ctx), contracts...)
}

// shown converts what the page displayed.
func (a *API) shown(in StartCheckout) (s checkout.Shown, err error) {
	s.OrderID = in.OrderID
	if s.Total, err = a.parsePrice("body.expectedTotal", in.ExpectedTotal); err != nil {
		return s, err
	}
	if in.Items != nil {
		s.Units = make([]checkout.ShownUnit, 0, len(in.Items)) // an empty cart was displayed; nil would mean not given
	}
	for i, item := range in.Items {
		at := fmt.Sprintf("body.items[%d]", i)
		unit := checkout.ShownUnit{Number: item.ListingID}
		if unit.Contract, err = parseAddress(at+".assetContractAddress", item.Contract); err != nil {
			return s, err
		}
		price, err := a.parsePrice(at+".price", item.Price)
		if err != nil {
			return s, err
		}
		if price == nil {
			return s, fault.InvalidFields("The price is missing.", fault.Field{Location: at + ".price", Message: "Must be a decimal number."})
		}
		unit.Price = *price
		s.Units = append(s.Units, unit)
	}
	return s, nil
}

func (a *API) orderAnswer(ctx context.Context, o *checkout.Order, err error) (*Body[Order], error) {
	if err != nil {
		return nil, err
	}
	order, err := a.order(ctx, o)
	return body(order), err
}

func (a *API) order(ctx context.Context, o *checkout.Order) (Order, error) {
	out := Order{
		OrderID: o.ID, State: string(o.State), Items: make([]OrderItem, len(o.Items)), Currency: o.Currency, Total: a.price(o.Total),
		TotalUnits: o.Total.String(), Calls: make([]OrderCall, len(o.Calls)), Timeline: make([]OrderEvent, len(o.Timeline)),
		UserOpHash: o.UserOpHash, TxHash: o.TxHash, Error: o.Error, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt,
	}
	if o.Received != nil {
		out.Received = a.price(*o.Received)
	}
	for i, item := range o.Items {
		out.Items[i] = OrderItem{
			ListingID: item.Number, Contract: item.Contract, TokenID: item.TokenID, Seller: item.Seller, Quantity: item.Quantity,
			Bought: item.Bought, Price: a.price(item.Price),
		}
		token, err := a.Market.Token(ctx, item.Contract, item.TokenID)
		if err == nil {
			m := market.Describe(token)
			out.Items[i].Metadata = &m
		} else if !fault.Is(err, fault.NotFound) {
			return out, err
		}
	}
	for i, c := range o.Calls {
		out.Calls[i] = OrderCall{To: c.To, Value: c.Value.String(), Data: c.Data}
	}
	for i, e := range o.Timeline {
		out.Timeline[i] = OrderEvent{State: string(e.State), At: e.At, Detail: e.Detail}
	}
	return out, nil
}
