package webstore

import (
	"fmt"
	"slices"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/draw"
)

// Order is a paid order, as the portal records it.
type Order struct {
	ID       int64
	Number   string
	PlayerID string // "" while nobody knows whose it is
	Status   Status
	PaidAt   time.Time // when the portal first saw that it is paid
	// Problem says why the order waits for an operator; "" for an order that has its player.
	Problem  string
	Notes    []string // what operators should know
	HandOffs []string // that its references name
	Lines    []Line
}

// Line is a line of an Order, as it was when the portal first saw that it is paid.
type Line struct {
	ID        int64
	Variation int64
	Name      string
	Quantity  int64
	Back      int64     // units taken back: the last ones
	Contents  *Contents // of one unit; nil while the catalogue does not know the variation
}

// Sources returns the sources of the order's rewards; shop is its name in the inputs of draws.
func (o Order) Sources(shop string) (out []string) {
	for _, l := range o.Lines {
		if l.Contents == nil {
			continue
		}
		for unit := range l.Quantity * l.Contents.Units() {
			out = append(out, o.purchase(shop, l, unit).String())
		}
	}
	return out
}

// purchase names a unit of a line.
func (o Order) purchase(shop string, l Line, unit int64) draw.Purchase {
	return draw.Purchase{Shop: shop, Order: uint64(o.ID), Line: uint64(l.ID), Unit: uint64(unit)}
}

// note adds what operators should know, once.
func (o *Order) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(o.Notes, text) {
		o.Notes = append(o.Notes, text)
	}
}

// refer sets the order's player by its references' players, those of invalid references being "".
func (o *Order) refer(players []string) {
	known := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(players))), func(p string) bool { return p == "" })
	switch {
	case len(known) > 1:
		o.Problem = "The order has references of several players."
	case len(known) == 0:
		o.Problem = "The order has no valid reference of a player."
	case slices.Contains(players, ""):
		o.Problem = "The order has an invalid reference besides a valid one."
	default:
		o.PlayerID = known[0]
	}
}

// record takes the lines of an order that is seen as paid for the first time.
func (o *Order) record(now ShopOrder, currency string, c *Catalogue, offers map[int64]Offer) {
	if now.Currency != currency {
		problem := fmt.Sprintf("The order is in %s and not in %s.", now.Currency, currency)
		if o.PlayerID != "" {
			o.Problem, o.PlayerID = problem, ""
		} else {
			o.note("%s", problem)
		}
	}
	for _, l := range now.Lines {
		switch {
		case l.Quantity < 1 || l.Quantity > maxQuantity:
			o.note("Line %d (%s) has a quantity of %d and is ignored.", l.ID, l.Name, l.Quantity)
			continue
		case l.ID < 1:
			o.note("A line (%s) has no id and is ignored.", l.Name)
			continue
		}
		line := Line{ID: l.ID, Variation: l.Variation, Name: l.Name, Quantity: l.Quantity}
		o.price(l, c, offers)
		o.Lines = append(o.Lines, line)
	}
}

// maxQuantity bounds the units of a line.
const maxQuantity = 1000

// price adds a note if the amount paid for a line differs from the webstore's price.
func (o *Order) price(l ShopLine, c *Catalogue, offers map[int64]Offer) {
	_, v, ok := c.Variation(l.Variation)
	if !ok {
		return
	}
	price := v.Price
	if offer, ok := offers[v.ID]; ok {
		price = offer.Price
	}
	one, err := money.ParseDecimal(price, 2)
	if err != nil {
		return
	}
	want, err := one.Mul(l.Quantity)
	if err != nil {
		return
	}
	if paid, err := money.ParseDecimal(l.Total, 2); err != nil || paid.Cmp(want) != 0 {
		o.note("Line %d (%s): paid %s, the webstore shows %s.", l.ID, l.Name, l.Total, want.Fixed(2, 2))
	}
}

// hasChance reports whether the order has something that is drawn.
func (o Order) hasChance(c *Catalogue) bool {
	return slices.ContainsFunc(o.Lines, func(l Line) bool {
		p, _, _ := c.Variation(l.Variation)
		return p.Type.IsChance()
	})
}

// limit adds notes for lines beyond a player's limits, which several checkouts before a payment can exceed. They are still
// given. bought is what the player had before.
func (o *Order) limit(bought map[int64]int64, c *Catalogue) {
	for _, l := range o.Lines {
		_, v, _ := c.Variation(l.Variation)
		bought[l.Variation] += l.Quantity
		if n := bought[l.Variation]; v.Limit > 0 && n > v.Limit {
			o.note("Line %d (%s): the player has paid for %d in all, and the limit is %d.", l.ID, l.Name, n, v.Limit)
		}
	}
}

// edited notes what was changed in the shop after the payment and is therefore not given.
func (o *Order) edited(now ShopOrder) {
	for _, l := range now.Lines {
		i := slices.IndexFunc(o.Lines, func(known Line) bool { return known.ID == l.ID })
		switch {
		case i < 0 && l.Quantity > 0:
			o.note("Line %d (%s) was added after the payment and is not given.", l.ID, l.Name)
		case i >= 0 && (o.Lines[i].Quantity != l.Quantity || o.Lines[i].Variation != l.Variation):
			o.note("Line %d (%s) was changed after the payment, to %d of variation %d. What was paid first counts.", l.ID, l.Name, l.Quantity, l.Variation)
		}
		if i >= 0 && now.Status.Paid() {
			if known := o.Lines[i]; known.Back > min(l.Refunded, known.Quantity) {
				o.note("Line %d (%s): %d were taken back, of which %d are refunded now. They are not given again.", l.ID, l.Name, known.Back, l.Refunded)
			}
		}
	}
	for _, known := range o.Lines {
		if !slices.ContainsFunc(now.Lines, func(l ShopLine) bool { return l.ID == known.ID }) {
			o.note("Line %d (%s) was removed after the payment. What was paid first counts.", known.ID, known.Name)
		}
	}
	if now.PartlyRefunded && !now.Status.Void() {
		o.note("Money was paid back for no line in particular. Nothing is taken back for it.")
	}
}

// back returns how many units of a line are to be taken back in all.
func (o *Order) back(l Line, now ShopOrder) int64 {
	if now.Status.Void() {
		return l.Quantity
	}
	for _, s := range now.Lines {
		if s.ID == l.ID {
			return max(l.Back, min(s.Refunded, l.Quantity))
		}
	}
	return l.Back
}
