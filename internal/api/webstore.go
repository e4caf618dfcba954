package api

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
)

// WebstoreOptions are what the calls about the webstore need.
type WebstoreOptions struct {
	Webstore   *webstore.Service // nil without a shop
	ShopHooks  ShopHooks         // nil without a shop
	ReturnURLs []string          // to which the hand-off to the shop may lead back, each with all pages below it
}

// ShopHooks takes the shop's webhooks.
type ShopHooks interface {
	// Take takes a webhook with the values of its headers. It returns fault.Unauthorized without a valid signature.
	Take(ctx context.Context, topic, signature string, body []byte) error
}

// WebstoreProduct is a product of the webstore.
type WebstoreProduct struct {
	ProductID   int64               `json:"productId" doc:"The shop's id of the product."`
	Type        webstore.Type       `json:"type" doc:"The shelf: destiny-pack (its contents are drawn when it is paid for), gold-pack (currencies), kod-pack (packs that the player opens), top-up (the market's currency) or cosmetic (tokens)." enum:"destiny-pack,gold-pack,kod-pack,top-up,cosmetic"`
	Name        string              `json:"name" doc:"Its name."`
	Description string              `json:"description" doc:"What it is, for players."`
	Variations  []WebstoreVariation `json:"variations" doc:"What can be bought of it." nullable:"false"`
}

// WebstoreVariation is one variation of a product.
type WebstoreVariation struct {
	VariationID int64             `json:"variationId" doc:"The shop's id of the variation."`
	Name        string            `json:"name" doc:"Its name."`
	Price       string            `json:"price" doc:"The price of one, decimal; the shop asks it."`
	Currency    string            `json:"currency" doc:"The price's currency (ISO 4217)."`
	OnSale      bool              `json:"onSale" doc:"Whether it is sold now."`
	SoldOut     bool              `json:"soldOut" doc:"Whether the shop has none left."`
	From        *time.Time        `json:"from,omitempty" doc:"When its sale begins; absent for one without a beginning."`
	Until       *time.Time        `json:"until,omitempty" doc:"When its sale is over; absent for one without an end."`
	Limit       int64             `json:"limit,omitempty" doc:"How many one player can buy; absent without a limit."`
	Bought      int64             `json:"bought" doc:"How many the player has paid for; 0 for a visitor."`
	Gives       []WebstoreContent `json:"gives" doc:"What one gives that is not drawn." nullable:"false"`
	Refused     string            `json:"refused,omitempty" doc:"Why the player cannot buy it today, although the shop sells it; absent for what can be bought."`
	SentAfter   int64             `json:"sentAfter,omitempty" doc:"How many seconds after the payment what can change hands is given: tokens, KOD packs and the market's currency; absent for what is given at once."`
	Odds        string            `json:"odds,omitempty" doc:"The kind of drop table by which a KOD pack is drawn once its player opens it; see getOdds."`
	Opens       string            `json:"opens,omitempty" doc:"The kind of drop table by which its packs are drawn when they are paid for; see getOdds."`
	Packs       int64             `json:"packs,omitempty" doc:"How many packs are in one."`
}

// WebstoreContent is one thing that a variation gives.
type WebstoreContent struct {
	Kind     string       `json:"kind" doc:"token, currency, or usdc, whose amount is in base units (6 decimals)." enum:"token,currency,usdc"`
	Currency string       `json:"currency,omitempty" doc:"The currency's code."`
	Contract *eth.Address `json:"contract,omitempty" doc:"The token's contract."`
	TokenID  string       `json:"tokenId,omitempty" doc:"The token's id, decimal."`
	Name     string       `json:"name,omitempty" doc:"The token's name."`
	Image    string       `json:"image,omitempty" doc:"Address of its picture, relative to the site."`
	Rarity   string       `json:"rarity,omitempty" doc:"Its rarity."`
	Amount   int64        `json:"amount" doc:"How many."`
}

// WebstoreProducts are the products of the webstore.
type WebstoreProducts struct {
	Products []WebstoreProduct `json:"products" doc:"The products; none where there is no shop." nullable:"false"`
	PricesOf *time.Time        `json:"pricesOf,omitempty" doc:"When the prices were fetched from the shop, if it has not answered for half an hour: they may have changed."`
}

type productsQuery struct {
	Type  webstore.Type `query:"type" doc:"Those of one type: destiny-pack, gold-pack, kod-pack, top-up or cosmetic."`
	FabID string        `header:"x-fab-id" doc:"The player's encryptedFabId, or id with the token: the response says then what the player has bought." maxLength:"4096"`
}

type newPurchase struct {
	ProductID   int64  `json:"productId" doc:"The product."`
	VariationID int64  `json:"variationId" doc:"Its variation."`
	Nonce       string `json:"nonce,omitempty" doc:"Of packs that are drawn when they are paid for: 32 random bytes, chosen by the buyer's browser. The draws of the order depend on them, and its orders have them." pattern:"^0x[0-9a-f]{64}$" maxLength:"66"`
}

// WebstoreCheckout leads to the shop.
type WebstoreCheckout struct {
	URL       string `json:"url" doc:"Where the player pays, in the shop."`
	HandOffID string `json:"handOffId" doc:"By which the player's page waits for the order; see getWebstoreHandOff."`
	Edition   int    `json:"edition,omitempty" doc:"The edition whose table decides the draws of the order; absent for what is not drawn."`
	Table     string `json:"table,omitempty" doc:"Hex SHA-256 of that table; absent for what is not drawn."`
}

type handOffPath struct {
	ID string `path:"id" doc:"The hand-off's id." maxLength:"64"`
}

// WebstoreHandOff is the player's way to the shop, and the order that came from it.
type WebstoreHandOff struct {
	VariationID int64          `json:"variationId" doc:"What the player went to buy."`
	Name        string         `json:"name" doc:"Its product's and its own name; empty for one that is no longer known."`
	CreatedAt   time.Time      `json:"createdAt" doc:"When the player went."`
	Paid        bool           `json:"paid" doc:"Whether the shop has reported the payment."`
	Order       *WebstoreOrder `json:"order,omitempty" doc:"The paid order."`
}

// WebstoreOrder is a paid order with what it gave.
type WebstoreOrder struct {
	OrderID  int64               `json:"orderId" doc:"The shop's id of the order."`
	Number   string              `json:"number" doc:"The order's number, as the shop's invoice has it."`
	Status   webstore.Status     `json:"status" doc:"The shop's status: processing and completed are paid; refunded, cancelled and failed are not any more."`
	PaidAt   time.Time           `json:"paidAt" doc:"When the portal first saw that it is paid."`
	Lines    []WebstoreOrderLine `json:"lines" doc:"What was bought." nullable:"false"`
	Rewards  []Reward            `json:"rewards" doc:"What it gave: one for each unit, or for each pack in it." nullable:"false"`
	Refunded int64               `json:"refunded" doc:"How many units were paid back."`
}

// WebstoreOrderLine is a line of an order.
type WebstoreOrderLine struct {
	VariationID int64  `json:"variationId" doc:"What was bought."`
	Name        string `json:"name" doc:"Its name."`
	Quantity    int64  `json:"quantity" doc:"Units that were paid for."`
	Refunded    int64  `json:"refunded" doc:"Of which were paid back."`
	Waiting     int64  `json:"waiting" doc:"Of which wait until support has looked at the order." minimum:"0"`
}

// WebstoreOrders is a page of the player's orders, newest first.
type WebstoreOrders struct {
	Items      []WebstoreOrder `json:"items" doc:"The orders." nullable:"false"`
	Debts      []WebstoreDebt  `json:"debts" doc:"What the player has and did not pay for in the end." nullable:"false"`
	Payable    string          `json:"payable,omitempty" doc:"How much of the market's currency, decimal, the player can pay now for what is owed; see getWebstoreDebtPayment. Absent for nothing."`
	Blocked    string          `json:"blocked,omitempty" doc:"Why the player cannot send, list or buy anything: a debt or a disputed payment; absent otherwise."`
	NextCursor string          `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// WebstoreDebt is something that was paid back and that the player still has, or has spent.
type WebstoreDebt struct {
	RewardGrant
	Left   int64  `json:"left" doc:"How much of it is owed."`
	Cost   string `json:"cost,omitempty" doc:"What it costs in the market's currency, decimal; absent if that is not known: support settles it."`
	Paying bool   `json:"paying,omitempty" doc:"Whether a payment for it is on its way."`
}

// WebstoreDebtPayment is the payment of all that the player can pay for now.
type WebstoreDebtPayment struct {
	ChainID onchain.ChainID `json:"chainId" doc:"The chain."`
	Calls   []OrderCall     `json:"calls" doc:"What the smart wallet has to call, in one operation: one transfer to the portal." nullable:"false"`
	Total   string          `json:"total" doc:"How much of the market's currency it is, decimal."`
}

type handBack struct {
	ReturnURL string `json:"returnUrl" doc:"Where the shop wants the player back; one of the configured addresses, or a page below it." maxLength:"2048"`
}

// ShopReturn leads back to the shop.
type ShopReturn struct {
	URL string `json:"url" doc:"The return address with protectedData, which tells the shop who the player is, for an hour."`
}

type webhookInput struct {
	Topic     string `header:"X-WC-Webhook-Topic" doc:"What happened, such as order.updated."`
	Signature string `header:"X-WC-Webhook-Signature" doc:"Base64 of HMAC-SHA256 of the body."`
	RawBody   []byte `contentType:"application/json"`
}

// maxWebhook is the largest body of a webhook that is read, in bytes.
const maxWebhook = 1 << 20

func (a *API) registerWebstore() {
	limits := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	op := a.operation(call{
		method: http.MethodGet, path: "/api/webstore/getProducts", id: "getWebstoreProducts", tag: tagWebstore,
		summary: "What the webstore sells", errors: []int{400}, limits: []limiter{{perMinute: a.Limits.ChainReadsPerMinute, key: byAddress}},
	}, "", a.recognise)
	register(a, op, func(ctx context.Context, in *productsQuery) (*Body[WebstoreProducts], error) {
		out, err := a.webstoreProducts(ctx, in)
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/webstore/checkout", id: "startWebstoreCheckout", tag: tagWebstore,
		summary: "Buy a product in the shop", errors: []int{400, 403, 404, 409, 503}, limits: limits, needs: flags.AllowWebstore,
	}, a.webstoreCheckout)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/webstore/handoffs/{id}", id: "getWebstoreHandOff", tag: tagWebstore,
		summary: "Whether the order that the player went to the shop for is paid", errors: []int{404},
	}, a.webstoreHandOff)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/webstore/orders", id: "getWebstoreOrders", tag: tagWebstore,
		summary: "What the player has paid for in the shop", errors: []int{400},
	}, a.webstoreOrders)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/webstore/debts/payment", id: "getWebstoreDebtPayment", tag: tagWebstore,
		summary: "The calls of the operation that pays now for what the player owes", errors: []int{409},
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[WebstoreDebtPayment], error) {
		p, err := a.Debts.Due(ctx, c.PlayerID)
		if err != nil {
			return nil, err
		}
		amount, err := eth.QuantityFromBig(p.Amount.Big())
		transfer := gas.Payment{Token: p.Token, To: p.To, Amount: amount}.Call()
		return body(WebstoreDebtPayment{
			ChainID: p.Chain, Calls: []OrderCall{{To: transfer.Target, Value: "0", Data: transfer.Data}},
			Total: p.Amount.Decimal(money.USDCDecimals),
		}), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/webstore/return", id: "returnToShop", tag: tagWebstore,
		summary: "Tell the shop who the player is", errors: []int{400}, limits: limits, needs: flags.AllowWebstore,
	}, a.returnToShop)

	hook := a.operation(call{
		method: http.MethodPost, path: "/api/webhooks/woocommerce", id: "receiveWebhook", tag: tagWebstore,
		summary: "What the shop reports of an order", maxBody: maxWebhook, errors: []int{400, 401, 404, 413},
		unlimited: "it is signed, and a shop disables a webhook that is refused",
	}, "")
	hook.Description = "The webhooks of a WooCommerce shop. They are hints only: the order is fetched from the shop and decides."
	hook.SkipValidateBody = true
	register(a, hook, func(ctx context.Context, in *webhookInput) (*Body[Success], error) {
		err := error(noShop)
		if a.ShopHooks != nil {
			err = a.ShopHooks.Take(ctx, in.Topic, in.Signature, in.RawBody)
		}
		return success(""), err
	})
}

var noShop = fault.New(fault.NotFound, "The webstore has no shop.")

// buyer returns the player that the header x-fab-id names: by the encrypted id, or by the id of the caller; "" for a visitor.
func (a *API) buyer(ctx context.Context, fabID string) string {
	if fabID == "" {
		return ""
	}
	if c := callerOf(ctx); c.PlayerID == fabID {
		return c.PlayerID
	}
	playerID, _, err := a.Protector.Open(ShopPurpose, fabID)
	if err != nil {
		return ""
	}
	return playerID
}

func (a *API) webstoreProducts(ctx context.Context, in *productsQuery) (WebstoreProducts, error) {
	out := WebstoreProducts{Products: []WebstoreProduct{}}
	if a.Webstore == nil {
		return out, nil
	}
	shelves, old, err := a.Webstore.Products(ctx, in.Type, a.buyer(ctx, in.FabID))
	if !old.IsZero() {
		out.PricesOf = &old
	}
	for _, s := range shelves {
		p := WebstoreProduct{ProductID: s.ID, Type: s.Type, Name: s.Name, Description: s.Description, Variations: []WebstoreVariation{}}
		for _, i := range s.Items {
			p.Variations = append(p.Variations, a.variation(i))
		}
		out.Products = append(out.Products, p)
	}
	return out, err
}

func (a *API) variation(i webstore.Item) WebstoreVariation {
	v := WebstoreVariation{
		VariationID: i.ID, Name: i.Name, Price: i.Price, Currency: a.Webstore.Currency, OnSale: i.OnSale, SoldOut: i.SoldOut, Limit: i.Limit,
		Bought: i.Bought, Opens: i.Opens, Packs: i.Count, Gives: []WebstoreContent{},
	}
	if !i.From.IsZero() {
		v.From = &i.From
	}
	if !i.Until.IsZero() {
		v.Until = &i.Until
	}
	for _, g := range i.Gives {
		if g.Currency != "" {
			v.Gives = append(v.Gives, WebstoreContent{Kind: "currency", Currency: g.Currency, Amount: g.Amount})
		} else {
			v.Gives = append(v.Gives, a.webstoreToken(g.Collection, g.Token, g.Amount))
		}
	}
	v.Refused, v.SentAfter = i.Refused, int64(i.GivenAfter.Seconds())
	if i.Sends == nil {
		return v
	}
	if amount, ok := i.Sends.Units(); ok {
		v.Gives = append(v.Gives, WebstoreContent{Kind: "usdc", Amount: amount})
	} else {
		v.Gives, v.Odds = append(v.Gives, a.webstoreToken(i.Sends.Collection, i.Sends.Token, i.Sends.Amount)), a.Packs.KindOf(i.Sends.Token)
	}
	return v
}

func (a *API) webstoreToken(collection, token string, amount int64) WebstoreContent {
	contract, _, _, _ := a.Goods.Collection(collection)
	item := a.Goods.Item(contract, token)
	return WebstoreContent{
		Kind: "token", Contract: &contract, TokenID: token, Name: item.Name, Image: market.ImagePath(contract, token), Rarity: item.Rarity,
		Amount: amount,
	}
}

func (a *API) webstoreCheckout(ctx context.Context, c account.Caller, in *Body[newPurchase]) (*Body[WebstoreCheckout], error) {
	if a.Webstore == nil {
		return nil, noShop
	}
	if a.Webstore.IsChance(in.Body.VariationID) {
		if err := a.PackBuyers.MayBuyChance(ctx, c.PlayerID, countryOf(ctx)); err != nil {
			return nil, err
		}
	}
	if err := a.Accounts.MayTrade(ctx, c.PlayerID); err != nil {
		return nil, err
	}
	var nonce eth.Hash
	if in.Body.Nonce != "" {
		var err error
		if nonce, err = eth.ParseHash(in.Body.Nonce); err != nil {
			return nil, err
		}
	}
	begun, err := a.Webstore.Checkout(ctx, c.PlayerID, in.Body.ProductID, in.Body.VariationID, nonce)
	if err != nil {
		return nil, err
	}
	out := WebstoreCheckout{URL: begun.URL, HandOffID: begun.ID, Edition: begun.Edition}
	if begun.Edition > 0 {
		out.Table = hex.EncodeToString(begun.Table[:])
	}
	return body(out), nil
}

func (a *API) webstoreHandOff(ctx context.Context, c account.Caller, in *handOffPath) (*Body[WebstoreHandOff], error) {
	if a.Webstore == nil {
		return nil, noShop
	}
	h, r, paid, err := a.Webstore.Waiting(ctx, c.PlayerID, in.ID)
	if err != nil {
		return nil, err
	}
	out := WebstoreHandOff{VariationID: h.Variation, CreatedAt: h.At, Paid: paid, Name: a.Webstore.NameOf(h.Variation)}
	if paid {
		o, err := a.webstoreOrder(ctx, r)
		if err != nil {
			return nil, err
		}
		out.Order = &o
	}
	return body(out), nil
}

func (a *API) webstoreOrder(ctx context.Context, r webstore.PaidOrder) (WebstoreOrder, error) {
	out := WebstoreOrder{
		OrderID: r.ID, Number: r.Number, Status: r.Status, PaidAt: r.PaidAt, Lines: []WebstoreOrderLine{}, Rewards: []Reward{},
	}
	for _, l := range r.Lines {
		out.Lines = append(out.Lines, WebstoreOrderLine{
			VariationID: l.Variation, Name: l.Name, Quantity: l.Quantity, Refunded: l.Back, Waiting: l.Waiting(),
		})
		out.Refunded += l.Back
	}
	for _, record := range r.Rewards {
		item, err := a.reward(ctx, record, reward.Pace{})
		if err != nil {
			return out, err
		}
		out.Rewards = append(out.Rewards, item)
	}
	return out, nil
}

func (a *API) webstoreOrders(ctx context.Context, c account.Caller, in *pageQuery) (*Body[WebstoreOrders], error) {
	if a.Webstore == nil {
		return nil, noShop
	}
	out := WebstoreOrders{Items: []WebstoreOrder{}, Debts: []WebstoreDebt{}}
	orders, next, err := a.Webstore.PaidOrders(ctx, c.PlayerID, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	out.NextCursor = next
	for _, r := range orders {
		o, err := a.webstoreOrder(ctx, r)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, o)
	}
	err = webstore.CheckArrears(ctx, a.Webstore.Store, c.PlayerID)
	if f := fault.As(err); f != nil && f.Code == fault.Conflict {
		out.Blocked = f.Message
	} else if err != nil {
		return nil, err
	}
	due, err := a.Debts.Due(ctx, c.PlayerID)
	if err == nil {
		out.Payable = due.Amount.Decimal(money.USDCDecimals)
	} else if !fault.Is(err, fault.Conflict) {
		return nil, err
	}
	debts, err := a.Webstore.Debts(ctx, c.PlayerID)
	for _, d := range debts {
		g, err := a.grant(reward.Given{Content: d.Content, State: reward.Done})
		if err != nil {
			return nil, err
		}
		debt := WebstoreDebt{RewardGrant: g, Left: d.Amount, Paying: d.InFlight}
		if units, ok := a.Debts.Cost(d); ok {
			debt.Cost = money.FromInt(units).Decimal(money.USDCDecimals)
		}
		out.Debts = append(out.Debts, debt)
	}
	return body(out), err
}

func (a *API) returnToShop(_ context.Context, c account.Caller, in *Body[handBack]) (*Body[ShopReturn], error) {
	to, ok := returnURL(in.Body.ReturnURL, a.ReturnURLs)
	if !ok {
		return nil, fault.InvalidFields("This shop is not known here.", fault.Field{
			Location: "body.returnUrl", Message: "Must be an address of the shop.",
		})
	}
	sealed, err := a.Protector.Seal(ShopPurpose, c.PlayerID, c.PlayerID)
	if err != nil {
		return nil, err
	}
	q := to.Query()
	q.Set("protectedData", sealed)
	to.RawQuery = q.Encode()
	return body(ShopReturn{to.String()}), nil
}

// returnURL parses an address and reports whether it is one of those allowed, or a page below one.
func returnURL(address string, allowed []string) (*url.URL, bool) {
	to, err := url.Parse(address)
	if err != nil || to.User != nil || to.Opaque != "" || strings.Contains(address, `\`) || strings.Contains(to.EscapedPath(), "%") {
		return nil, false
	}
	for _, text := range allowed {
		base, err := url.Parse(text)
		if err != nil || base.Scheme != to.Scheme || base.Host != to.Host {
			continue
		}
		below := strings.TrimRight(base.Path, "/")
		if clean := to.JoinPath().Path; clean == below || clean == below+"/" || strings.HasPrefix(clean, below+"/") {
			return to.JoinPath(), true
		}
	}
	return nil, false
}
