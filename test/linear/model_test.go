package linear_test

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// Kind is what an operation does.
type Kind string

// The kinds of operations. The index folds the first three; players ask for the others.
const (
	List    Kind = "list"
	Restock Kind = "restock" // sets how many units the listing has
	Buy     Kind = "buy"
	Hold    Kind = "hold"
	Release Kind = "release"
	Empty   Kind = "empty" // releases all units of a player, of all listings
	Look    Kind = "look"
)

const (
	maxUnits = 6
	anyUnit  = -1
	holdTime = 10 * 60 * 1000 // in milliseconds
)

// Op is one operation on one listing.
type Op struct {
	Kind     Kind
	Listing  int    // the marketplace's number of the listing
	Player   string // who holds, releases or buys; "" is a buyer who is no player
	Unit     int64  // to be held, or anyUnit; to be released
	Quantity int64  // units bought, or set
	At       int64  // by the clock of the server that carries it out, in milliseconds
}

func (o Op) String() string {
	switch o.Kind {
	case List, Restock:
		return fmt.Sprintf("%s %d units at %d", o.Kind, o.Quantity, o.At)
	case Buy:
		return fmt.Sprintf("%q buys %d at %d", o.Player, o.Quantity, o.At)
	case Empty:
		return fmt.Sprintf("%s empties the cart at %d", o.Player, o.At)
	case Look:
		return fmt.Sprintf("look at %d", o.At)
	}
	return fmt.Sprintf("%s %ss %d at %d", o.Player, o.Kind, o.Unit, o.At)
}

// Answer is what came of an operation.
type Answer struct {
	Lost     bool           // nobody knows
	Refused  string         // the fault's reason, or its code
	Unit     int64          // that a hold has
	Until    int64          // when the hold ends, in milliseconds
	Quantity int64          // of units, that a look sees
	Seats    [maxUnits]Seat // with the holds that a look sees
}

func (a Answer) String() string {
	switch {
	case a.Lost:
		return "lost"
	case a.Refused != "":
		return "refused: " + a.Refused
	case a.Until > 0:
		return fmt.Sprintf("unit %d until %d", a.Unit, a.Until)
	case a == Answer{}:
		return "done"
	}
	return fmt.Sprintf("%d units, holds %s", a.Quantity, seatsText(a.Seats))
}

// Seat is a unit of a listing and its hold. The zero Seat has none.
type Seat struct {
	Player string
	Since  int64 // in milliseconds
}

// held reports whether the seat has a hold that has not expired.
func (s Seat) held(at int64) bool { return s.Player != "" && s.Since+holdTime > at }

func seatsText(seats [maxUnits]Seat) string {
	var taken []string
	for unit, s := range seats {
		if s.Player != "" {
			taken = append(taken, fmt.Sprintf("%d: %s since %d", unit, s.Player, s.Since))
		}
	}
	return "[" + strings.Join(taken, ", ") + "]"
}

// phase is the life of a listing.
type phase int8

const (
	unlisted phase = iota
	listed
	soldOut
)

// listing is the state of the model: a listing and its holds. Expired holds stay until something removes them.
type listing struct {
	phase    phase
	quantity int64
	seats    [maxUnits]Seat
}

// outcome is one thing that an operation may do.
type outcome struct {
	answer Answer
	next   listing
}

func (l listing) refuses(reason string) []outcome { return []outcome{{Answer{Refused: reason}, l}} }

// outcomes returns all that the operation may do in this state; none if it cannot be.
func (l listing) outcomes(o Op) []outcome {
	switch o.Kind {
	case List:
		if l.phase != unlisted {
			return nil
		}
		return l.folded(o, o.Quantity)
	case Restock:
		if l.phase != listed {
			return nil
		}
		return l.folded(o, o.Quantity)
	case Buy:
		if l.phase != listed || o.Quantity > l.quantity {
			return nil
		}
		for range o.Quantity {
			l.spend(o.Player)
		}
		return l.folded(o, l.quantity-o.Quantity)
	case Hold:
		return l.hold(o)
	case Release:
		if l.seats[o.Unit].Player != o.Player {
			return l.refuses("not-found")
		}
		l.seats[o.Unit] = Seat{}
		return []outcome{{next: l}}
	case Empty:
		for unit, s := range l.seats {
			if s.Player == o.Player {
				l.seats[unit] = Seat{}
			}
		}
		return []outcome{{next: l}}
	case Look:
		if l.phase == unlisted {
			return l.refuses("not-found")
		}
		seen := Answer{Quantity: l.quantity}
		for unit, s := range l.seats {
			if s.held(o.At) {
				seen.Seats[unit] = s
			}
		}
		return []outcome{{seen, l}}
	}
	return nil
}

func (l listing) hold(o Op) (out []outcome) {
	switch {
	case l.phase == unlisted:
		return l.refuses("not-found")
	case o.Unit != anyUnit && l.seats[o.Unit].held(o.At) && l.seats[o.Unit].Player == o.Player:
		return []outcome{{Answer{Unit: o.Unit, Until: l.seats[o.Unit].Since + holdTime}, l}} // adding again does not renew it
	case l.phase == soldOut:
		return l.refuses("gone")
	case o.Unit >= l.quantity:
		return l.refuses("sold-out")
	}
	for unit := range l.quantity {
		if o.Unit != anyUnit && o.Unit != unit || l.seats[unit].held(o.At) {
			continue
		}
		next := l
		next.seats[unit] = Seat{o.Player, o.At}
		out = append(out, outcome{Answer{Unit: unit, Until: o.At + holdTime}, next})
	}
	if out == nil {
		return l.refuses("held")
	}
	return out
}

// folded returns the outcome of an event that leaves a number of units. While there are more holds than units the youngest
// end; holds of units that are gone move to the lowest free ones.
func (l listing) folded(o Op, quantity int64) []outcome {
	l.phase, l.quantity = listed, quantity
	if quantity == 0 {
		l.phase = soldOut
	}
	var held int64
	for unit := range l.seats {
		if l.seats[unit].held(o.At) {
			held++
		} else {
			l.seats[unit] = Seat{}
		}
	}
	for ; held > quantity; held-- {
		l.seats[l.youngest()] = Seat{}
	}
	for unit := quantity; unit < maxUnits; unit++ {
		if l.seats[unit].Player != "" {
			l.seats[slices.Index(l.seats[:], Seat{})] = l.seats[unit]
			l.seats[unit] = Seat{}
		}
	}
	return []outcome{{next: l}}
}

// spend ends the oldest hold of a player, if there is one.
func (l *listing) spend(player string) {
	oldest := -1
	for unit, s := range l.seats {
		if player != "" && s.Player == player && (oldest < 0 || s.Since < l.seats[oldest].Since) {
			oldest = unit
		}
	}
	if oldest >= 0 {
		l.seats[oldest] = Seat{}
	}
}

// youngest returns the unit that was held last; of two at the same time, the higher one.
func (l *listing) youngest() int {
	youngest := -1
	for unit, s := range l.seats {
		if s.Player != "" && (youngest < 0 || s.Since >= l.seats[youngest].Since) {
			youngest = unit
		}
	}
	return youngest
}

// step returns the states in which an operation with the answer may leave a listing. One whose answer was lost may have done
// anything it can, or nothing.
func (l listing) step(o Op, a Answer) (next []any) {
	if a.Lost {
		next = append(next, l)
	}
	for _, possible := range l.outcomes(o) {
		if a.Lost || possible.answer == a {
			next = append(next, possible.next)
		}
	}
	return next
}

// model is the specification that histories are checked against, one listing at a time.
func model() porcupine.Model {
	seed := maphash.MakeSeed()
	nondeterministic := porcupine.NondeterministicModel{
		Partition: byListing,
		Init:      func() []any { return []any{listing{}} },
		Step:      func(state, input, output any) []any { return state.(listing).step(input.(Op), output.(Answer)) },
		Hash:      func(state any) uint64 { return maphash.Comparable(seed, state.(listing)) },
	}
	return nondeterministic.ToModel()
}

func byListing(history []porcupine.Operation) (parts [][]porcupine.Operation) {
	index := map[int]int{}
	for _, o := range history {
		number := o.Input.(Op).Listing
		i, ok := index[number]
		if !ok {
			i = len(parts)
			index[number], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], o)
	}
	return parts
}

// explain describes the first listing of a history that is not linearizable: an order of as many of its operations as fit, and
// those that do not.
func explain(info porcupine.LinearizationInfo, history []porcupine.Operation) string {
	var text strings.Builder
	orders := info.PartialLinearizationsOperations()
	for i, part := range byListing(history) {
		longest := slices.MaxFunc(append(orders[i], nil), func(a, b []porcupine.Operation) int { return len(a) - len(b) })
		if len(longest) == len(part) {
			continue
		}
		fmt.Fprintf(&text, "listing %d: %d of %d operations fit:\n", part[0].Input.(Op).Listing, len(longest), len(part))
		fits := map[[2]int64]bool{}
		for _, o := range longest {
			fits[[2]int64{o.Call, int64(o.ClientId)}] = true
		}
		describe(&text, longest[max(0, len(longest)-40):])
		text.WriteString("then none of:\n")
		rest := slices.DeleteFunc(part, func(o porcupine.Operation) bool { return fits[[2]int64{o.Call, int64(o.ClientId)}] })
		describe(&text, rest[:min(20, len(rest))])
		break
	}
	return text.String()
}

func describe(text *strings.Builder, history []porcupine.Operation) {
	for _, o := range history {
		fmt.Fprintf(text, "  [%d, %d] %v: %v\n", o.Call, o.Return, o.Input, o.Output)
	}
}
