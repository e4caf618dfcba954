package local

import (
	"context"
	"slices"
	"sync"
)

// queue bounds how many hashes are made at once and how many wait. Networks are served in turn, so that one that sends many
// sign-ins delays its own. It is safe for concurrent use.
type queue struct {
	limit int // how many may wait
	share int // how many of one network may wait

	mu       sync.Mutex
	free     int // slots
	waiting  int
	lines    map[string][]chan bool // by network, in the order of arrival; true is sent for a slot, false to who has to leave
	networks []string               // that wait, in the order of their turns
}

func newQueue(slots, limit, share int) *queue {
	return &queue{free: slots, limit: limit, share: share, lines: map[string][]chan bool{}}
}

// enter waits for a slot, which leave returns. It returns errBusy if too many wait, or have come since from networks that wait for
// less, and if the context ends.
func (q *queue) enter(ctx context.Context, network string) error {
	turn, err := q.join(network)
	if turn == nil {
		return err
	}
	select {
	case served := <-turn:
		if !served {
			return errBusy
		}
		return nil
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if !q.remove(network, turn) && <-turn {
			q.next()
		}
		return errBusy.Because(ctx.Err())
	}
}

// join takes a slot if one is free, and otherwise returns where its turn is announced.
func (q *queue) join(network string) (turn chan bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free > 0 {
		q.free--
		return nil, nil
	}
	line := q.lines[network]
	if len(line) >= q.share || q.waiting >= q.limit && !q.dismiss(len(line)+1) {
		return nil, errBusy
	}
	if len(line) == 0 {
		q.networks = append(q.networks, network)
	}
	turn = make(chan bool, 1)
	q.lines[network] = append(line, turn)
	q.waiting++
	return turn, nil
}

// dismiss sends away the newest of the longest line, if that is longer than a length, and reports whether it did.
func (q *queue) dismiss(length int) bool {
	longest := ""
	for _, network := range q.networks {
		if len(q.lines[network]) > max(length, len(q.lines[longest])) {
			longest = network
		}
	}
	line := q.lines[longest]
	if len(line) <= length {
		return false
	}
	newest := line[len(line)-1]
	q.remove(longest, newest)
	newest <- false
	return true
}

// leave returns a slot.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next()
}

// next gives a slot to the first of the network whose turn it is, or frees it.
func (q *queue) next() {
	if len(q.networks) == 0 {
		q.free++
		return
	}
	network := q.networks[0]
	first := q.lines[network][0]
	q.remove(network, first)
	if len(q.lines[network]) > 0 {
		q.networks = append(q.networks[1:], network)
	}
	first <- true
}

// remove takes one out of a network's line, and reports whether it was in there.
func (q *queue) remove(network string, turn chan bool) bool {
	line := q.lines[network]
	i := slices.Index(line, turn)
	if i < 0 {
		return false
	}
	q.waiting--
	if line = slices.Delete(line, i, i+1); len(line) > 0 {
		q.lines[network] = line
		return true
	}
	delete(q.lines, network)
	q.networks = slices.DeleteFunc(q.networks, func(n string) bool { return n == network })
	return true
}
