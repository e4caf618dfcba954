package linear_test

import (
	"math"
	"testing"

	"github.com/anishathalye/porcupine"
)

// at returns an operation from call to end with its answer.
func at(call, end int64, o Op, a Answer) porcupine.Operation {
	o.Listing = 1
	return porcupine.Operation{Input: o, Output: a, Call: call, Return: end}
}

func lists(quantity int64) Op         { return Op{Kind: List, Quantity: quantity} }
func restocks(quantity int64) Op      { return Op{Kind: Restock, Quantity: quantity} }
func buys(player string, n int64) Op  { return Op{Kind: Buy, Player: player, Quantity: n, At: 50} }
func holds(player string, u int64) Op { return Op{Kind: Hold, Player: player, Unit: u} }
func holdsLater(player string, u, ms int64) Op {
	return Op{Kind: Hold, Player: player, Unit: u, At: ms}
}
func releases(player string, u int64) Op { return Op{Kind: Release, Player: player, Unit: u} }

func got(unit int64) Answer          { return Answer{Unit: unit, Until: 600_000} }
func gotLater(unit, ms int64) Answer { return Answer{Unit: unit, Until: 600_000 + ms} }
func refused(reason string) Answer   { return Answer{Refused: reason} }
func seen(n int64, seats ...Seat) (a Answer) {
	a.Quantity = n
	copy(a.Seats[:], seats)
	return a
}

var (
	done  = Answer{}
	lost  = Answer{Lost: true}
	never = int64(math.MaxInt64)
	look  = Op{Kind: Look, At: 60}
)

// The checker accepts what may happen and rejects what must not.
func TestModel_AcceptsOrRejectsHistories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what    string
		history []porcupine.Operation
		want    porcupine.CheckResult
	}{
		{"two players hold the last unit", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 9, holds("ann", 0), got(0)), at(4, 8, holds("bob", 0), got(0)),
		}, porcupine.Illegal},
		{"two players are given the last unit as any", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 9, holds("ann", anyUnit), got(0)), at(4, 8, holds("bob", anyUnit), got(0)),
		}, porcupine.Illegal},
		{"one of two players gets the last unit", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 9, holds("ann", 0), refused("held")), at(4, 8, holds("bob", 0), got(0)),
		}, porcupine.Ok},
		{"nobody gets a free unit", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 9, holds("ann", 0), refused("held")), at(4, 8, holds("bob", 0), refused("held")),
		}, porcupine.Illegal},
		{"one gets the unit while the other's answer is lost", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, never, holds("ann", 0), lost), at(4, 8, holds("bob", 0), got(0)),
		}, porcupine.Ok},
		{"a hold whose answer was lost keeps the unit", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, never, holds("ann", 0), lost), at(4, 8, holds("bob", 0), refused("held")),
		}, porcupine.Ok},
		{"a hold whose answer was lost is there, then not, then there", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, never, holds("ann", 0), lost), at(4, 5, look, seen(1, Seat{"ann", 0})),
			at(6, 7, look, seen(1)), at(8, 9, look, seen(1, Seat{"ann", 0})),
		}, porcupine.Illegal},
		{"a hold is taken before it has expired", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holdsLater("bob", 0, 599_999), gotLater(0, 599_999)),
		}, porcupine.Illegal},
		{"a hold is taken when it has expired", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holdsLater("bob", 0, 600_000), gotLater(0, 600_000)),
		}, porcupine.Ok},
		{"adding again renews the hold", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holdsLater("ann", 0, 1000), gotLater(0, 1000)),
		}, porcupine.Illegal},
		{"a release frees another's unit", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, releases("bob", 0), done),
		}, porcupine.Illegal},
		{"a release frees more than its unit", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holds("ann", 1), got(1)),
			at(7, 8, releases("ann", 0), done), at(9, 10, look, seen(2)),
		}, porcupine.Illegal},
		{"a released unit is held again", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, releases("ann", 0), done), at(7, 8, holds("bob", 0), got(0)),
		}, porcupine.Ok},
		{"a hold is not seen after its answer", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, look, seen(1)),
		}, porcupine.Illegal},
		{"a hold is not seen before its answer", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 7, holds("ann", 0), got(0)), at(5, 6, look, seen(1)),
		}, porcupine.Ok},
		{"a buy leaves the buyer's hold", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, buys("ann", 1), done), at(7, 8, look, seen(1, Seat{"ann", 0})),
		}, porcupine.Illegal},
		{"a buy spends the buyer's hold and another's moves to the unit that is left", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holds("bob", 1), got(1)), at(7, 8, buys("ann", 1), done),
			at(9, 10, look, seen(1, Seat{"bob", 0})),
		}, porcupine.Ok},
		{"a buy takes no unit away", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, buys("", 1), done), at(5, 6, look, seen(2)),
		}, porcupine.Illegal},
		{"there are more holds than units", []porcupine.Operation{
			at(1, 2, lists(2), done), at(3, 4, holds("ann", 0), got(0)), at(5, 6, holds("bob", 1), got(1)), at(7, 8, restocks(1), done),
			at(9, 10, look, seen(1, Seat{"ann", 0}, Seat{"bob", 0})),
		}, porcupine.Illegal},
		{"what is sold out is held", []porcupine.Operation{
			at(1, 2, lists(1), done), at(3, 4, buys("", 1), done), at(5, 6, holds("ann", 0), got(0)),
		}, porcupine.Illegal},
	} {
		if got := porcupine.CheckOperationsTimeout(model(), c.history, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
