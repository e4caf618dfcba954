package webstore

import (
	"fmt"
	"slices"
	"time"

	"pantheon/internal/portal/draw"
)

// Order is a paid order, as the portal records it.
type Order struct {
	ID       int64
	Number   string
	PlayerID string // "" while nobody knows whose it is
	Status   Status
	PaidAt   time.Time // when the portal first saw that it is paid
	// DisputedAt is when its payment was disputed or failed afterwards; zero if it never was, or an operator forgave it.
	DisputedAt time.Time
	// Problem says why the order as a whole waits for an operator; "" for one that does not.
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
	Quantity  int64     // 0 if it could not be read
	Back      int64     // units taken back: the last ones
	Given     int64     // units whose rewards were recorded: the first ones
	Waits     string    // why the other units wait for an operator; "" for a line that does not
	Value     int64     // the higher of its price and of what was paid, in millionths of the shop's currency
	GiveAt    time.Time // when what can change hands is given at the earliest; zero for a line without
	Contents  *Contents // of one unit; nil while the catalogue does not know the variation
	// Edition and Nonce are those of the packs in it, whose draws they decide: fixed once, with the contents. 0 and zero for others.
	Edition int
	Nonce   [32]byte
}

// Waiting returns how many units of the line wait for an operator.
func (l Line) Waiting() int64 {
	if l.Waits == "" {
		return 0
	}
	return max(0, l.Quantity-l.Back-l.Given)
}

// price returns what was paid for each of the line's rewards, in millionths of the shop's currency, rounded up; 0 if that is not
// known.
func (l Line) price() int64 {
	n := l.Quantity * l.Contents.Units()
	if n == 0 || l.Value <= unknownValue {
		return 0
	}
	return (l.Value + n - 1) / n
}

// unknownValue is the Value of lines that were recorded before it was.
const unknownValue = 1

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
	return draw.Purchase{Shop: shop, Order: uint64(o.ID), Line: uint64(l.ID), Unit: uint64(unit), Nonce: l.Nonce}
}

// note adds what operators should know, once.
func (o *Order) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(o.Notes, text) {
		o.Notes = append(o.Notes, text)
	}
}

// owner is the player of a reference.
type owner struct {
	id   string // "" for a reference that is invalid or too old
	gone bool   // whether the account was deleted
}

// refer sets the order's player by those of its references.
func (o *Order) refer(owners []owner) {
	known := map[owner]bool{}
	for _, w := range owners {
		known[w] = true
	}
	invalid := known[owner{}]
	delete(known, owner{})
	switch {
	case len(known) > 1:
		o.Problem = "The order has references of several players."
	case len(known) == 0:
		o.Problem = "The order has no valid reference of a player."
	case invalid:
		o.Problem = "The order has an invalid reference besides a valid one."
	case owners[0].gone:
		o.Problem = fmt.Sprintf("It is the order of player %s, who has deleted the account. Refund it in the shop, or assign it to an account "+
			"that the player has now.", owners[0].id)
	default:
		o.PlayerID = owners[0].id
	}
}

// wait makes the order wait for an operator.
func (o *Order) wait(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); o.Problem == "" {
		o.Problem = text
	} else {
		o.note("%s", text)
	}
}

// record takes the lines of an order that is seen as paid for the first time.
func (o *Order) record(now ShopOrder, currency string, c *Catalogue) {
	if now.Currency != currency {
		o.wait("The order is in %s and not in %s.", now.Currency, currency)
		o.PlayerID = ""
	}
	for _, l := range now.Lines {
		_, _, ours := c.Variation(l.Variation)
		switch {
		case l.ID < 1 || slices.ContainsFunc(o.Lines, func(known Line) bool { return known.ID == l.ID }):
			if ours {
				o.wait("A line (%s) has no id of its own and cannot be given.", l.Name)
			} else {
				o.note("A line (%s) has no id of its own and is ignored.", l.Name)
			}
		case l.counts():
			o.Lines = append(o.Lines, Line{ID: l.ID, Variation: l.Variation, Name: l.Name, Quantity: l.Quantity})
		case ours:
			o.Lines = append(o.Lines, Line{
				ID: l.ID, Variation: l.Variation, Name: l.Name, Waits: fmt.Sprintf("a quantity of %q cannot be given", l.Written),
			})
		default:
			o.note("Line %d (%s) has a quantity of %q and is ignored.", l.ID, l.Name, l.Written)
		}
	}
	if len(o.Lines) == 0 && o.PlayerID != "" {
		o.wait("The order has no line that can be read.")
	}
}

// maxQuantity bounds the units of a line.
const maxQuantity = 1000

// counts reports whether the quantity of a line can be given.
func (l ShopLine) counts() bool { return l.Quantity >= 1 && l.Quantity <= maxQuantity }

// reread takes the quantities that could not be read when the order was recorded.
func (o *Order) reread(now ShopOrder) {
	for _, l := range now.Lines {
		i := slices.IndexFunc(o.Lines, func(known Line) bool { return known.ID == l.ID && known.Quantity == 0 && known.Waits != "" })
		if i >= 0 && l.counts() {
			o.Lines[i].Quantity, o.Lines[i].Waits = l.Quantity, ""
		}
	}
}

const (
	// highestTax is the highest rate of value-added tax of any country, in percent; Hungary's.
	highestTax = 27
	// rounding is by how much the amounts of one unit may differ in the shop, which rounds amounts and taxes one by one: a cent.
	rounding = 10_000
)

// paid returns what was paid for a line, in the terms of the shop's prices, and why that is less than their full price for all of
// its units, "" if it is not. want is that price.
func (now ShopOrder) paid(l ShopLine, want int64) (paid int64, short string) {
	paid, ok := amountOf(l.Total)
	if !ok {
		return 0, fmt.Sprintf("paid %q, the webstore shows %s", l.Total, inWords(want))
	}
	least := want - rounding*l.Quantity
	if now.TaxIncluded {
		tax, _ := amountOf(l.Tax)
		paid += tax
		if tax == 0 { // sold without tax, such as to another country: the price without it counts
			least = want*100/(100+highestTax) - rounding*l.Quantity
		}
	}
	if paid < least {
		return paid, fmt.Sprintf("paid %s, the webstore shows %s", inWords(paid), inWords(want))
	}
	// What the order takes off its lines, such as by a negative fee, was not paid either.
	var lines int64
	for _, l := range now.Lines {
		total, _ := amountOf(l.Total)
		tax, _ := amountOf(l.Tax)
		lines += total + tax - rounding
	}
	if whole, ok := amountOf(now.Total); !ok || whole < lines {
		return paid, fmt.Sprintf("paid %q for the whole order, which is less than for its lines", now.Total)
	}
	return paid, ""
}

// price notes what a line is worth, and that less than its price was paid for it. A risky one waits for an operator then.
func (o *Order) price(l *Line, now ShopOrder, price string, risky bool) {
	i := slices.IndexFunc(now.Lines, func(s ShopLine) bool { return s.ID == l.ID })
	one, _ := amountOf(price)
	want := one * l.Quantity
	if risky {
		l.Value = want
	}
	if i < 0 {
		if risky {
			l.Waits = "not in the order any more"
		}
		return
	}
	paid, short := now.paid(now.Lines[i], want)
	l.Value = max(l.Value, paid)
	switch {
	case short == "":
	case risky:
		l.Waits = short
	default:
		o.note("Line %d (%s): %s.", l.ID, l.Name, short)
	}
}

// Waits reports whether the order, or a line of it, waits for an operator.
func (o Order) Waits() bool {
	return o.Problem != "" || slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Waits != "" })
}

// hasChance reports whether the order has something that is drawn.
func (o Order) hasChance(c *Catalogue) bool {
	return slices.ContainsFunc(o.Lines, func(l Line) bool {
		p, _, _ := c.Variation(l.Variation)
		return p.Type.IsChance()
	})
}

// edited notes what was changed in the shop after the payment and is therefore not given.
func (o *Order) edited(now ShopOrder) {
	for _, l := range now.Lines {
		i := slices.IndexFunc(o.Lines, func(known Line) bool { return known.ID == l.ID })
		switch {
		case i < 0 && l.ID > 0 && l.counts():
			o.note("Line %d (%s) was added after the payment and is not given.", l.ID, l.Name)
		case i >= 0 && o.Lines[i].Quantity > 0 && (o.Lines[i].Quantity != l.Quantity || o.Lines[i].Variation != l.Variation):
			o.note("Line %d (%s) was changed after the payment, to %d of variation %d. What was paid first counts.", l.ID, l.Name,
				l.Quantity, l.Variation)
		}
		if i >= 0 && now.Status.Paid() {
			if known := o.Lines[i]; known.Back > min(l.Refunded, known.Quantity) {
				o.note("Line %d (%s): %d were taken back, of which %d are refunded now. They are not given again.", l.ID, l.Name,
					known.Back, l.Refunded)
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
