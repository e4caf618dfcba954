package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
)

// CartOptions are what the calls about carts and orders need.
type CartOptions struct {
	Cart     *cart.Service
	Checkout *checkout.Service
}

// AddToCart requests a unit of a listing.
type AddToCart struct {
	NewItem   NewCartItem `json:"newItem" doc:"What to put in the cart."`
	PlayFabID string      `json:"playFabId" doc:"The player's own id."`
}

// NewCartItem identifies a listing and, optionally, one unit of it.
type NewCartItem struct {
	_         struct{} `json:"-" additionalProperties:"true"`
	ListingID string   `json:"listingId" doc:"The marketplace's own listing number." pattern:"^[0-9]{1,78}$"`
	Contract  string   `json:"assetContractAddress" doc:"Contract of the token on offer."`
	Index     *int64   `json:"index,omitempty" doc:"The unit; any free one when left out."`
}

// RemoveFromCart releases a unit.
type RemoveFromCart struct {
	RemovedItem RemovedCartItem `json:"removedItem" doc:"What to take out of the cart."`
	PlayFabID   string          `json:"playFabId" doc:"The player's own id."`
}

// RemovedCartItem identifies one unit of a listing.
type RemovedCartItem struct {
	_         struct{} `json:"-" additionalProperties:"true"`
	ListingID string   `json:"listingId" doc:"The marketplace's own listing number." pattern:"^[0-9]{1,78}$"`
	Contract  string   `json:"assetContractAddress" doc:"Contract of the token on offer."`
	Index     int64    `json:"index" doc:"The unit."`
}

type ownBody struct {
	PlayFabID string `json:"playFabId" doc:"The player's own id."`
}

// Cart is the player's cart.
type Cart struct {
	Items      []CartItem `json:"items" doc:"The units, oldest hold first." nullable:"false"`
	TotalItems int        `json:"totalItems" doc:"How many units."`
	Total      string     `json:"total" doc:"What those cost now that are still for sale, decimal."`
}

// changedGone marks a unit that can no longer be bought.
const changedGone = "gone"

// CartItem is one unit in the player's cart.
type CartItem struct {
	PlayFabID     string      `json:"playFabId" doc:"The player's own id."`
	ListingID     string      `json:"listingId" doc:"The marketplace's own listing number."`
	Contract      eth.Address `json:"assetContractAddress" doc:"Contract of the token on offer."`
	Index         int64       `json:"index" doc:"The unit."`
	UpdatedAt     time.Time   `json:"updatedAt" doc:"When the hold began."`
	ExpiresAt     time.Time   `json:"expiresAt" doc:"When the hold ends."`
	PriceWhenHeld string      `json:"priceWhenHeld" doc:"What one cost when it was put in the cart, decimal."`
	Changed       string      `json:"changed,omitempty" doc:"What changed since: price or gone." enum:"price,gone"`
	Listing       Listing     `json:"listing" doc:"The listing as it is now."`
}

func (a *API) registerCart() {
	changes := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodGet, path: "/api/auth/marketplace/cart", id: "getCart", tag: tagCart, summary: "What the player holds",
	}, a.cart)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/cart/addToCart", id: "addToCart", tag: tagCart,
		summary: "Hold a unit of a listing for " + humanize.Duration(cart.HoldTime), errors: []int{400, 403, 404, 409, 429}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *Body[AddToCart]) (*Body[Success], error) {
		if err := own(c, in.Body.PlayFabID); err != nil {
			return nil, err
		}
		contract, err := parseAddress("body.newItem.assetContractAddress", in.Body.NewItem.Contract)
		if err != nil {
			return nil, err
		}
		if err := a.PackBuyers.MayBuy(ctx, c.PlayerID, countryOf(ctx), contract); err != nil {
			return nil, err
		}
		if contract == a.Packs.Contract() {
			if err := a.Packs.MaySell(ctx, market.Key(a.GameChain, in.Body.NewItem.ListingID)); err != nil {
				return nil, err
			}
		}
		_, err = a.Cart.Add(ctx, cart.Holder{PlayerID: c.PlayerID, Network: a.networkTag(ctx)},
			market.Key(a.GameChain, in.Body.NewItem.ListingID), contract, in.Body.NewItem.Index)
		return success("It is yours for " + humanize.Duration(cart.HoldTime) + "."), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/cart/removeFromCart", id: "removeFromCart", tag: tagCart,
		summary: "Let a unit go", errors: []int{400, 403, 404, 409}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *Body[RemoveFromCart]) (*Body[Success], error) {
		if err := own(c, in.Body.PlayFabID); err != nil {
			return nil, err
		}
		if _, err := parseAddress("body.removedItem.assetContractAddress", in.Body.RemovedItem.Contract); err != nil {
			return nil, err
		}
		return success(""), a.Cart.Remove(ctx, c.PlayerID, market.Key(a.GameChain, in.Body.RemovedItem.ListingID), in.Body.RemovedItem.Index)
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/cart/emptyCart", id: "emptyCart", tag: tagCart,
		summary: "Let all units go", errors: []int{403}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *Body[ownBody]) (*Body[Success], error) {
		if err := own(c, in.Body.PlayFabID); err != nil {
			return nil, err
		}
		return success(""), a.Cart.Empty(ctx, c.PlayerID)
	})
}

// own refuses a request that names a player other than the caller.
func own(c account.Caller, playerID string) error {
	if playerID != c.PlayerID {
		return fault.New(fault.Forbidden, "This is not your account.")
	}
	return nil
}

func (a *API) cart(ctx context.Context, c account.Caller, _ *Empty) (*Body[Cart], error) {
	items, err := a.Cart.Items(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	out := Cart{Items: make([]CartItem, len(items)), TotalItems: len(items)}
	var total money.Units
	for i, item := range items {
		l, err := a.Market.Listing(ctx, item.ListingID)
		if err != nil {
			return nil, err
		}
		out.Items[i] = a.cartItem(c, item, l)
		if out.Items[i].Changed == changedGone {
			continue
		}
		if total, err = total.Add(l.Price); err != nil {
			return nil, err
		}
	}
	out.Total = a.price(total)
	return body(out), nil
}

func (a *API) cartItem(c account.Caller, item cart.Item, l market.Listing) CartItem {
	now := a.Clock.Now()
	out := CartItem{
		PlayFabID: c.PlayerID, ListingID: item.Number, Contract: item.Contract, Index: item.Unit, UpdatedAt: item.HeldAt,
		ExpiresAt: item.ExpiresAt, PriceWhenHeld: a.price(item.Price), Listing: Listing(a.Publisher.Publish(l, c.PlayerID, now)),
	}
	switch {
	case !l.Live(now) || item.Unit >= l.Quantity:
		out.Changed = changedGone
	case l.Price.Cmp(item.Price) != 0:
		out.Changed = "price"
	}
	return out
}
