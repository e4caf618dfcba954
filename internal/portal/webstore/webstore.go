// Package webstore sells products for money through the studio's shop, and gives players what they have paid for there, exactly
// once.
//
// The shop keeps prices, payments and invoices; the portal keeps what a product gives. A player is handed off to the shop with
// a signed reference, which the shop keeps with the order. What the shop reports of an order is a hint only: the order is
// fetched from it and decides. Each paid unit is a reward (see package reward), whose source is shop, order, line and unit; what
// is drawn is drawn by a round of the public beacon that lies after the anchor of the first record of the payment. What was refunded is
// cancelled if it was not sent, and is otherwise a debt, which withholds further rewards of the webstore; see Debt.
package webstore

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/reward"
)

// HandOff is a player's way to the shop.
type HandOff struct {
	ID        string
	PlayerID  string
	Variation int64
	At        time.Time
	Chance    bool // whether it was for something that is drawn, and age and country were checked
	// Kind and Edition name the packs that it is for, as they were sold then; "" and 0 for what is not drawn.
	Kind    string
	Edition int
	Nonce   [32]byte // chosen by the buyer's browser, for the draws; zero for none
}

// Store is what the Service needs of the store.
type Store interface {
	// AddHandOff records a hand-off.
	AddHandOff(ctx context.Context, h HandOff) error
	// HandedOff returns a player's hand-off, or a NotFound fault.
	HandedOff(ctx context.Context, playerID, id string) (HandOff, error)
	// OpenHandOff returns the player's newest hand-off for a variation that no order came from; ok is false for none.
	OpenHandOff(ctx context.Context, playerID string, variation int64) (h HandOff, ok bool, err error)
	// Bought returns how many units of each variation a player has paid for and kept.
	Bought(ctx context.Context, playerID string) (map[int64]int64, error)
	// CardUse returns what a player, "" for a visitor, and all players paid for since a time.
	CardUse(ctx context.Context, playerID string, since time.Time) (CardUse, error)
	// OrderOf returns the player's order that came from a hand-off; ok is false while there is none.
	OrderOf(ctx context.Context, playerID, handOff string) (o Order, ok bool, err error)
	// Orders returns a player's paid orders before a time and id, the newest first.
	Orders(ctx context.Context, playerID string, before time.Time, beforeID int64, limit int) ([]Order, error)
	// RewardsOf returns the rewards with the sources, in the same order. Unknown sources are skipped.
	RewardsOf(ctx context.Context, sources []string) ([]reward.Record, error)
	ArrearsStore
	// Debts returns a player's debts that are not settled.
	Debts(ctx context.Context, playerID string) ([]Debt, error)
	// Offers returns what the shop asks by variation, and when the oldest of it was fetched; the time is zero before the first.
	Offers(ctx context.Context) (offers map[int64]Offer, oldest time.Time, err error)
	// TreasuryStock returns the treasury's balances of what the transfers send, and its uses; the player's are marked Own.
	TreasuryStock(ctx context.Context, wallet eth.Address, xs []reward.Transfer, playerID string) (reward.TreasuryStock, error)
}

// Edition returns the edition in which packs of a kind are sold now, or an Unavailable fault while there is none.
type Edition func(ctx context.Context, kind string) (int, error)

// Deliverable says why nothing could be delivered to a player, or returns nil.
type Deliverable func(ctx context.Context, playerID string) error

// Sealer encrypts a player's id for the shop.
type Sealer func(playerID string) (string, error)

// Options configure a Service; all are required.
type Options struct {
	Store       Store
	Name        string // of the shop in the inputs of draws
	Currency    string // ISO 4217
	Catalogue   func() *Catalogue
	References  References
	Tables      func() *draw.Tables // the current ones
	Edition     Edition
	Deliverable Deliverable
	Treasury    reward.Treasury
	Card        CardLimits
	Goods       Goods
	Seal        Sealer
	CheckoutURL string // of the shop; see CheckCheckoutURL
	Clock       clock.Clock
}

// Service shows the products and hands players off to the shop. It is safe for concurrent use.
type Service struct{ Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Placeholders of a checkout URL.
const (
	variationPlaceholder = "{variation}"
	productPlaceholder   = "{product}"
)

// CheckCheckoutURL reports whether a URL can lead players to the shop: it is absolute and names the variation.
func CheckCheckoutURL(s string) bool {
	u, err := url.Parse(strings.NewReplacer(variationPlaceholder, "1", productPlaceholder, "1").Replace(s))
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && strings.Contains(s, variationPlaceholder)
}

// Item is a variation, as one player sees it.
type Item struct {
	Variation // with the shop's price, if that is known
	OnSale    bool
	SoldOut   bool  // the shop has none left
	Bought    int64 // by the player; 0 for a visitor
	// Refused says why it cannot be given to the player within the daily limits; "" for what can be bought.
	Refused string
	// GivenAfter is how long after the payment what can change hands is given; 0 for at once.
	GivenAfter time.Duration
}

// Left returns how many units more the player can buy; ok is false without a limit.
func (i Item) Left() (n int64, ok bool) { return max(0, i.Limit-i.Bought), i.Limit > 0 }

// Shelf is a product, as one player sees it.
type Shelf struct {
	Product
	Items []Item // in place of Variations
}

// Products returns what is sold, of one type or of all for "", with what a player has bought; playerID is "" for a visitor. old is
// when the shop's prices were fetched, if that is longer ago than they should be; zero otherwise.
func (s *Service) Products(ctx context.Context, of Type, playerID string) (out []Shelf, old time.Time, err error) {
	var bought map[int64]int64
	if playerID != "" {
		if bought, err = s.Store.Bought(ctx, playerID); err != nil {
			return nil, old, err
		}
	}
	offers, at, err := s.Store.Offers(ctx)
	if err != nil {
		return nil, old, err
	}
	now := s.Clock.Now()
	if !at.IsZero() && now.Sub(at) > offersAge {
		old = at
	}
	var products []Product
	var variations []Variation
	for _, p := range s.Catalogue().Products() {
		if of == "" || p.Type == of {
			products, variations = append(products, p), append(variations, p.Variations...)
		}
	}
	use, err := s.Store.CardUse(ctx, playerID, now.Add(-CardWindow))
	if err != nil {
		return nil, old, err
	}
	refused, err := s.unpromised(ctx, playerID, variations)
	if err != nil {
		return nil, old, err
	}
	for _, p := range products {
		shelf := Shelf{Product: p}
		for _, v := range p.Variations {
			if v.Unlisted || !v.Until.IsZero() && !now.Before(v.Until) {
				continue
			}
			item := offered(Item{Variation: v, OnSale: v.OnSale(now), Bought: bought[v.ID]}, offers)
			if v.risky(s.Goods) {
				value, _ := amountOf(item.Price)
				item.GivenAfter = s.Card.delay(value, use, now)
				if err := s.Card.mayBuy(value, use); err != nil && refused[v.ID] == nil {
					refused[v.ID] = err
				}
			}
			if f := fault.As(refused[v.ID]); f != nil {
				item.Refused = f.Message
			}
			shelf.Items = append(shelf.Items, item)
		}
		if len(shelf.Items) > 0 {
			out = append(out, shelf)
		}
	}
	return out, old, nil
}

// unpromised returns the faults of reward.Treasury.MayPromise for those of the variations that the treasury could not send to the
// player now, by variation.
func (s *Service) unpromised(ctx context.Context, playerID string, variations []Variation) (map[int64]error, error) {
	transfers := map[int64]reward.Transfer{}
	for _, v := range variations {
		if v.Sends == nil {
			continue
		}
		x, err := v.Sends.transfer(s.Goods)
		if err != nil {
			return nil, err
		}
		transfers[v.ID] = x
	}
	faults := map[int64]error{}
	if len(transfers) == 0 {
		return faults, nil
	}
	stock, err := s.Store.TreasuryStock(ctx, s.Treasury.Wallet, slices.Collect(maps.Values(transfers)), playerID)
	if err != nil {
		return nil, err
	}
	for id, x := range transfers {
		if err := s.Treasury.MayPromise(x, stock); err != nil {
			faults[id] = err
		}
	}
	return faults, nil
}

// offersAge is the age from which the shop's prices are shown as possibly outdated.
const offersAge = 30 * time.Minute

// offered completes an item by what the shop asks. Before the first answer of the shop, the catalogue's price counts.
func offered(i Item, offers map[int64]Offer) Item {
	if len(offers) == 0 {
		return i
	}
	o, ok := offers[i.ID]
	if ok {
		i.Price = o.Price
	}
	i.SoldOut = !ok || !o.InStock
	return i
}

// Reasons of the faults of Checkout and CheckArrears.
const (
	ReasonNotSold = "not-sold"
	ReasonLimit   = "limit"
	ReasonDebt    = "debt"
	ReasonDispute = "dispute"
)

// Begun is a purchase that leads to the shop.
type Begun struct {
	HandOff
	URL   string   // of the shop, at which the variation is bought
	Table [32]byte // hash of the drop table of the packs; zero for what is not drawn
}

// Checkout makes sure that a variation can be delivered to the player, and hands the player off. What the hand-off has of packs that
// are drawn counts for the order that comes from it: the edition that is sold now, and the nonce, which is zero for none. It returns
// a NotFound fault for an unknown variation, a Conflict fault with a reason for one that is not sold now or not to this player, and
// an Unavailable fault for packs that are not on sale yet.
func (s *Service) Checkout(ctx context.Context, playerID string, product, variation int64, nonce [32]byte) (out Begun, err error) {
	p, v, ok := s.Catalogue().Variation(variation)
	now := s.Clock.Now()
	switch {
	case !ok || p.ID != product:
		return out, fault.New(fault.NotFound, "There is no such product.")
	case !v.OnSale(now):
		return out, fault.New(fault.Conflict, "This is not for sale now.").WithReason(ReasonNotSold)
	}
	offers, _, err := s.Store.Offers(ctx)
	if err != nil {
		return out, err
	}
	item := offered(Item{Variation: v}, offers)
	if item.SoldOut {
		return out, fault.New(fault.Conflict, "This is sold out.").WithReason(ReasonNotSold)
	}
	if err := s.Deliverable(ctx, playerID); err != nil {
		return out, err
	}
	if err := CheckArrears(ctx, s.Store, playerID); err != nil {
		return out, err
	}
	h := HandOff{ID: newHandOffID(), PlayerID: playerID, Variation: variation, At: now, Chance: p.Type.IsChance()}
	if v.Opens != "" {
		h.Kind, h.Nonce = v.Opens, nonce
		if h.Edition, err = s.Edition(ctx, v.Opens); err != nil {
			return out, err
		}
		table, err := tableOf(s.Tables(), h.Kind, h.Edition)
		if err != nil {
			return out, err
		}
		out.Table = table.Hash()
	}
	isNew := true
	if v.Limit > 0 {
		bought, err := s.Store.Bought(ctx, playerID)
		if err != nil {
			return out, err
		}
		if bought[v.ID] >= v.Limit {
			return out, fault.New(fault.Conflict, "You have bought %d of %d, which is as many as one player can have.", bought[v.ID], v.Limit).
				WithReason(ReasonLimit)
		}
		// One open hand-off at a time: the limit counts units, and each hand-off may be paid. What one fixes never changes.
		open, ok, err := s.Store.OpenHandOff(ctx, playerID, variation)
		if err != nil {
			return out, err
		}
		if ok && open.fixesAs(h) {
			h, isNew = open, false
		}
	}
	if v.risky(s.Goods) {
		use, err := s.Store.CardUse(ctx, playerID, now.Add(-CardWindow))
		if err != nil {
			return out, err
		}
		value, _ := amountOf(item.Price)
		if err := s.Card.mayBuy(value, use); err != nil {
			return out, err
		}
	}
	refused, err := s.unpromised(ctx, playerID, []Variation{v})
	if err == nil {
		err = refused[v.ID]
	}
	if err != nil {
		return out, err
	}
	sealed, err := s.Seal(playerID)
	if err != nil {
		return out, err
	}
	if isNew {
		if err := s.Store.AddHandOff(ctx, h); err != nil {
			return out, err
		}
	}
	at, err := url.Parse(strings.NewReplacer(variationPlaceholder, strconv.FormatInt(variation, 10), productPlaceholder,
		strconv.FormatInt(product, 10)).Replace(s.CheckoutURL))
	if err != nil {
		return out, err
	}
	q := at.Query()
	q.Set("encryptedFabId", sealed)
	q.Set("orderReference", s.References.Of(h.ID))
	at.RawQuery = q.Encode()
	out.HandOff, out.URL = h, at.String()
	return out, nil
}

// fixesAs reports whether a hand-off fixes the same as another.
func (h HandOff) fixesAs(o HandOff) bool {
	return h.Chance == o.Chance && h.Kind == o.Kind && h.Edition == o.Edition && h.Nonce == o.Nonce
}

// tableOf returns the drop table of an edition.
func tableOf(tables *draw.Tables, kind string, edition int) (draw.Table, error) {
	t, ok := tables.Edition(kind, edition)
	if !ok {
		return t, fmt.Errorf("webstore: %s, edition %d, is not among the drop tables in use", kind, edition)
	}
	return t, nil
}

// PaidOrder is an order with what it gave.
type PaidOrder struct {
	Order
	Rewards []reward.Record
}

// Waiting returns the receipt of the order that came from a hand-off; paid is false until the shop has told that it is paid.
// It returns a NotFound fault for a hand-off that is not the player's.
func (s *Service) Waiting(ctx context.Context, playerID, handOff string) (h HandOff, r PaidOrder, paid bool, err error) {
	if h, err = s.Store.HandedOff(ctx, playerID, handOff); err != nil {
		return h, r, false, err
	}
	if r.Order, paid, err = s.Store.OrderOf(ctx, playerID, handOff); err != nil || !paid {
		return h, r, false, err
	}
	r.Rewards, err = s.Store.RewardsOf(ctx, r.Sources(s.Name))
	return h, r, true, err
}

// PaidOrders returns a page of the player's paid orders, the newest first, and the cursor of the next page, "" at the end. It
// returns fault.Invalid for a malformed cursor.
func (s *Service) PaidOrders(ctx context.Context, playerID, at string, limit int) (page []PaidOrder, next string, err error) {
	before, id, err := cursor.Decode(at)
	if err != nil {
		return nil, "", err
	}
	beforeID := int64(math.MaxInt64)
	if id != "" {
		if beforeID, err = strconv.ParseInt(id, 10, 64); err != nil {
			return nil, "", fault.New(fault.Invalid, "The cursor is malformed.")
		}
	}
	orders, err := s.Store.Orders(ctx, playerID, before, beforeID, limit+1)
	if err != nil {
		return nil, "", err
	}
	if len(orders) > limit {
		orders = orders[:limit]
		last := orders[limit-1]
		next = cursor.Encode(last.PaidAt, strconv.FormatInt(last.ID, 10))
	}
	for _, o := range orders {
		r := PaidOrder{Order: o}
		if r.Rewards, err = s.Store.RewardsOf(ctx, o.Sources(s.Name)); err != nil {
			return nil, "", err
		}
		page = append(page, r)
	}
	return page, next, nil
}

// IsChance reports whether what a variation contains is drawn.
func (s *Service) IsChance(variation int64) bool {
	p, _, _ := s.Catalogue().Variation(variation)
	return p.Type.IsChance()
}

// NameOf returns the name of a variation with its product's; "" for one that is not known.
func (s *Service) NameOf(variation int64) string {
	p, v, ok := s.Catalogue().Variation(variation)
	if !ok {
		return ""
	}
	return p.Name + ": " + v.Name
}

// Debts returns the player's debts that are not settled.
func (s *Service) Debts(ctx context.Context, playerID string) ([]Debt, error) {
	return s.Store.Debts(ctx, playerID)
}
