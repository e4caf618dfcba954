package app

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/realtime"
	"pantheon/internal/site"
	"pantheon/internal/store"
)

// deriveKey makes a key for one purpose out of the configured secret (HKDF, RFC 5869).
func deriveKey(secret []byte, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "pantheon "+purpose, 32)
	if err != nil {
		panic(fmt.Sprintf("app: deriving a key of 32 bytes: %v", err)) // fails only for absurd lengths
	}
	return key
}

// publish sends the outbox's messages through the realtime channel.
type publish struct{ realtime.Publisher }

func (p publish) Publish(ctx context.Context, id, player string, data json.RawMessage) error {
	to := realtime.Everyone()
	if player != "" {
		to = realtime.User(player)
	}
	return p.Publisher.Publish(ctx, id, to, data)
}

// compose writes the outbox's messages on what has changed.
type compose struct {
	markets   *market.Service
	publisher market.Publisher
	packs     *packs.Service
}

func (c compose) Compose(ctx context.Context, a announce.Announcement) (announce.Realtime, bool, error) {
	if a.Topic == announce.Packs {
		m, err := c.packs.InventoryChange(ctx)
		return m, err == nil, err
	}
	return c.markets.ListingChange(ctx, c.publisher, a.Topic, a.Payload)
}

// purchases writes the calls of a purchase for the marketplace.
type purchases struct{ marketplace eth.Address }

func (p purchases) PurchaseCalls(wallet, currency eth.Address, total money.Units, items []checkout.Item) ([]checkout.Call, error) {
	approve, err := contracts.NewTestToken().TryPackApprove(common.Address(p.marketplace), total.Big())
	if err != nil {
		return nil, err
	}
	calls := []checkout.Call{{To: currency, Data: approve}}
	listings := contracts.NewDirectListingsLogic()
	for _, item := range items {
		price, err := item.Price.Mul(item.Quantity)
		if err != nil {
			return nil, err
		}
		number, err := money.Parse(item.Number)
		if err != nil {
			return nil, err
		}
		data, err := listings.TryPackBuyFromListing(number.Big(), common.Address(wallet), money.FromInt(item.Quantity).Big(), common.Address(currency), price.Big())
		if err != nil {
			return nil, err
		}
		calls = append(calls, checkout.Call{To: p.marketplace, Data: data})
	}
	return calls, nil
}

// switchGuard keeps players from doing on chain what is switched off.
type switchGuard struct {
	switches *flags.Service
	next     gas.Guard
}

func (g switchGuard) Allow(ctx context.Context, player string, chain onchain.ChainID, calls []gas.Call) error {
	effects := gas.EffectsOf(calls)
	for _, needs := range []struct {
		flag string
		is   bool
	}{{flags.AllowPurchase, effects.Buys}, {flags.AllowListing, effects.Lists}, {flags.AllowOpening, effects.Burns}} {
		if !needs.is {
			continue
		}
		if err := g.switches.Require(ctx, needs.flag, player); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, player, chain, calls)
}

// holdGuard keeps players from buying units that others hold.
type holdGuard struct {
	cart *cart.Service
	game onchain.ChainID
}

func (g holdGuard) Allow(ctx context.Context, player string, chain onchain.ChainID, calls []gas.Call) error {
	if chain != g.game {
		return nil
	}
	wanted := map[string]int64{}
	for _, p := range gas.Purchases(calls) {
		units, err := money.FromBig(p.Quantity.Big())
		if err != nil {
			return err
		}
		n, ok := units.Int64()
		if !ok {
			return fault.New(fault.Conflict, "There are not that many.").WithReason(cart.ReasonSoldOut)
		}
		wanted[market.Key(chain, p.ListingID.Big().String())] += n
	}
	for listing, n := range wanted {
		if err := g.cart.MayBuy(ctx, player, listing, n); err != nil {
			return err
		}
	}
	return nil
}

// orderGuard allows purchases only as the exact calls of an order that awaits payment.
type orderGuard struct {
	checkout *checkout.Service
	game     onchain.ChainID
	next     gas.Guard
}

func (g orderGuard) Allow(ctx context.Context, player string, chain onchain.ChainID, calls []gas.Call) error {
	if chain == g.game && gas.EffectsOf(calls).Buys {
		paying, err := store.CheckoutCalls(calls)
		if err != nil {
			return err
		}
		if err := g.checkout.MayPay(ctx, player, paying); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, player, chain, calls)
}

// follow reports the progress of players' operations to the checkout, and failures to the players.
type follow struct {
	checkout *checkout.Service
	index    *store.Index
}

// Accepted does nothing: the order is submitted in the transaction that accepts the operation.
func (f follow) Accepted(context.Context, gas.Operation) error { return nil }

func (f follow) Sent(ctx context.Context, op gas.Operation) error {
	return f.checkout.OperationSent(ctx, op.Hash, op.TxHash)
}

func (f follow) Settled(ctx context.Context, op gas.Operation) error {
	if op.State == gas.OperationIncluded {
		return nil // what was bought is the index's to say
	}
	if err := f.index.OperationFailed(ctx, op); err != nil {
		return err
	}
	return f.checkout.OperationFailed(ctx, op.Hash, "The purchase was refused, and you were not charged. ("+op.Reason+")")
}

// itemRoute is the site's page of one item, as the web build names it.
const itemRoute = "/kod-marketplace/marketplace/item/:contract/:tokenId"

// describeItem gives the page of an item its own title, and the share image of its collection: items' own pictures are
// SVG, which networks do not show.
func describeItem(markets *market.Service, publicURL string) site.Describer {
	return func(ctx context.Context, params map[string]string) (site.Page, error) {
		contract, err := eth.ParseAddress(params["contract"])
		if err != nil {
			return site.Page{}, fs.ErrNotExist
		}
		token, err := markets.Token(ctx, contract, params["tokenId"])
		if fault.Is(err, fault.NotFound) {
			return site.Page{}, errors.Join(fs.ErrNotExist, err)
		}
		if err != nil {
			return site.Page{}, err
		}
		return site.Page{
			Title:       token.Name,
			Description: fmt.Sprintf("%s, %s. See who offers it and what it sold for.", token.Name, token.Rarity),
			Image:       "/share/collection-" + token.Collection + ".jpg",
			ImageAlt:    "The emblem of the collection that it is in",
			URL:         fmt.Sprintf("%s/kod-marketplace/marketplace/item/%s/%s", publicURL, contract.Checksum(), token.TokenID),
		}, nil
	}
}
