package linear_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
)

// chain is the chain that the index follows. Its events take effect however often the processes that fold them are killed.
type chain struct {
	mu       sync.Mutex
	changed  *sync.Cond
	waiting  []*event
	closed   bool
	made     int            // listings
	number   [shelves]int   // of the listing on each shelf; 0 before the first
	quantity [shelves]int64 // left of it; a shelf that is sold out gets another listing in time
	open     map[int]bool   // listings that were made, and whose end is not folded
	height   uint64
	time     int64 // of the last block, in milliseconds
}

// event is a fact that the index has yet to fold.
type event struct {
	op      Op
	client  int
	soldOut bool // it leaves nothing
	folded  chan struct{}
}

func (c *chain) init() { c.changed, c.open = sync.NewCond(&c.mu), map[int]bool{} }

// current returns the number of the listing on a shelf. It may not be folded yet.
func (c *chain) current(shelf int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.number[shelf]
}

// openListings returns the numbers of the listings of which the index may have units, and that of the last listing.
func (c *chain) openListings() (numbers []int, last int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.open)), c.made
}

// listingsAfter returns the numbers of the listings that were made after another.
func (c *chain) listingsAfter(last int) (numbers []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for number := last + 1; number <= c.made; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

// hasFolded is called when the index has folded an event.
func (c *chain) hasFolded(e *event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.soldOut {
		delete(c.open, e.op.Listing)
	}
	close(e.folded)
}

// add puts a buy or a restock on the chain, or a new listing if there is nothing left on the shelf. The index need not fold it
// once the chain is closed.
func (c *chain) add(client int, rng *rand.Rand, shelf int, o Op) *event {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.quantity[shelf]
	switch {
	case left == 0:
		c.made++
		c.number[shelf], c.open[c.made] = c.made, true
		o.Kind, o.Player, o.Quantity = List, "", 1+rng.Int64N(maxUnits)
		left = o.Quantity
	case o.Kind == Restock:
		o.Player, o.Quantity = "", 1+rng.Int64N(maxUnits)
		left = o.Quantity
	default:
		o.Quantity = 1
		if rng.IntN(10) == 0 {
			o.Quantity = left
		}
		if rng.IntN(4) == 0 {
			o.Player = "" // bought outside the portal
		}
		left -= o.Quantity
	}
	o.Listing, c.quantity[shelf] = c.number[shelf], left
	e := &event{op: o, client: client, soldOut: left == 0, folded: make(chan struct{})}
	if c.closed {
		close(e.folded)
		return e
	}
	c.waiting = append(c.waiting, e)
	c.changed.Signal()
	return e
}

// next waits for the next blocks: one for each event, at most one event of a listing. It returns none once the chain is closed.
func (c *chain) next() (events []*event, b Batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) == 0 && !c.closed {
		c.changed.Wait()
	}
	b.First, b.At = c.height+1, c.time+1
	seen := map[int]bool{}
	for len(c.waiting) > 0 && !seen[c.waiting[0].op.Listing] {
		e := c.waiting[0]
		c.waiting = c.waiting[1:]
		seen[e.op.Listing] = true
		b.At = max(b.At, e.op.At)
		events, b.Events = append(events, e), append(b.Events, e.op)
	}
	c.height += uint64(len(events))
	c.time = b.At
	return events, b
}

// close ends the chain; what is waiting counts as folded.
func (c *chain) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, e := range c.waiting {
		close(e.folded)
	}
	c.waiting = nil
	c.changed.Signal()
}
