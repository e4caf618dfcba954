package e2e_test

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// A is held and its payment fails; the cart is emptied, and B is held. A page that still shows A's order must buy
// neither B nor A: on the real chain, through the running site, with each database.
// Spec: PAY-8
func TestAttack_WrongItemIsBought(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			site := testkit.StartSite(t, testkit.SiteOptions{Engine: engine})
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			p, err := player.Register(ctx, site.URL)
			must(t, err)
			listings := offered(ctx, t, p, 2)
			a, b := listings[0], listings[1]

			testkit.Eventually(t, 30*time.Second, func() bool {
				has, err := p.InWallet(ctx)
				return err == nil && has == "500"
			}, "the welcome money does not come")
			must(t, p.Hold(ctx, a))
			orderA, err := p.Checkout(ctx)
			must(t, err)
			signedA, err := p.Prepare(ctx, orderA.Calls) // signed, but never sent
			must(t, err)
			must(t, p.Call(ctx, http.MethodPost, "/api/auth/marketplace/cart/emptyCart", map[string]string{"playFabId": p.ID}, nil))
			must(t, p.Hold(ctx, b))

			var order player.Order
			start := func(body map[string]any) error {
				body["playFabId"] = p.ID
				return p.Call(ctx, http.MethodPost, "/api/auth/marketplace/checkout", body, &order)
			}
			refused(t, "the page that shows A", start(map[string]any{"orderId": orderA.OrderID}), http.StatusConflict, `"order-over"`)
			refused(t, "a cart with A at B's total", start(map[string]any{"expectedTotal": b.Decimal, "items": []map[string]any{{
				"listingId": a.ListingID, "assetContractAddress": a.Contract, "index": 0, "price": a.Decimal,
			}}}), http.StatusConflict, `"cart-changed"`)
			if _, err := p.Send(ctx, signedA); !reason(err, "no longer waiting for its payment") {
				t.Errorf("A's payment, signed before: %v", err)
			}

			must(t, start(map[string]any{"expectedTotal": b.Decimal, "items": []map[string]any{{
				"listingId": b.ListingID, "assetContractAddress": b.Contract, "index": 0, "price": b.Decimal,
			}}}))
			op, err := p.Prepare(ctx, order.Calls)
			must(t, err)
			_, err = p.Send(ctx, op)
			must(t, err)
			testkit.Eventually(t, 30*time.Second, func() bool {
				order, err = p.Order(ctx, order.OrderID)
				return err == nil && order.State == "complete"
			}, "B was not bought: %+v", &order)
			if got := owner(ctx, t, p, a); got != a.Seller {
				t.Errorf("A belongs to %s, want its seller", got)
			}
			if got := owner(ctx, t, p, b); got != p.Smart {
				t.Errorf("B belongs to %s, want the buyer", got)
			}
		})
	}
}

// prepare is player.Prepare once no other operation of the player's is on its way.
func prepare(ctx context.Context, t *testing.T, p *player.Player, calls []player.Call) (op *eth.UserOperation, err error) {
	t.Helper()
	testkit.Eventually(t, 30*time.Second, func() bool {
		op, err = p.Prepare(ctx, calls)
		return !reason(err, "Another action of yours is still on its way.")
	}, "the player's operations do not end")
	return op, err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks that a call returned the status and that the response contains the text.
func refused(t *testing.T, what string, err error, status int, text string) {
	t.Helper()
	var answer *player.Error
	if !errors.As(err, &answer) || answer.Status != status || !strings.Contains(answer.Body, text) {
		t.Errorf("%s: %v, want %d with %s", what, err, status, text)
	}
}

// reason reports whether a JSON-RPC call was refused with the text.
func reason(err error, text string) bool {
	var answer *player.RPCError
	return errors.As(err, &answer) && strings.Contains(answer.Message, text)
}

func owner(ctx context.Context, t *testing.T, p *player.Player, l player.Listing) eth.Address {
	t.Helper()
	n, _ := new(big.Int).SetString(l.TokenID, 10)
	id, err := eth.QuantityFromBig(n)
	must(t, err)
	address, err := p.OwnerOf(ctx, l.Contract, id)
	must(t, err)
	return address
}
