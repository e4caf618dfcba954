// Package linear_test checks that the market's holds are linearizable: clients of several portal processes, which are killed
// again and again, hold, release, buy and list units of shared listings, and porcupine looks for an order of their operations in
// which a plain sequential model gives the same answers.
package linear_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/rpc"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(replicaEnv); text != "" {
		if err := serveReplica(context.Background(), text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	testkit.Main(m)
}

const (
	clients  = 16
	players  = 6 // at a time
	shelves  = 3 // listings at a time
	replicas = 2
	// After so many operations the clock jumps, so that their holds expire one by one during the next ones, and other players
	// come: the limits on how long players hold are not reached.
	era = 1000
	// The first operation is at this time, in milliseconds.
	opening = 1_772_366_400_000
	// checkTimeout bounds the search for an order.
	checkTimeout = 5 * time.Minute
)

// Spec: CART-11, CART-21
func TestHolds_AreLinearizableOnBothEnginesUnderKills(t *testing.T) {
	t.Parallel()
	operations, killEvery := 100_000, 1000
	if testing.Short() {
		operations, killEvery = 3000, 500
	}
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			r := &run{t: t, began: time.Now(), operations: int64(operations), killEvery: int64(killEvery), engine: engine,
				kills: make(chan kill)}
			r.open()
			history := r.play()
			r.mustHaveSeenEverything(history)
			began := time.Now()
			switch porcupine.CheckOperationsTimeout(model(), history, checkTimeout) {
			case porcupine.Illegal:
				_, info := porcupine.CheckOperationsVerbose(model(), history, checkTimeout)
				t.Error("the holds are not linearizable:\n" + explain(info, history))
			case porcupine.Unknown:
				t.Errorf("no order was found, nor that there is none, in %v", checkTimeout)
			}
			t.Logf("checked in %.1f s", time.Since(began).Seconds())
		})
	}
}

// run is one history in the making.
type run struct {
	t                     testing.TB
	engine                store.Engine
	database              database
	began                 time.Time
	operations, killEvery int64

	sessions *sql.DB // of PostgreSQL
	started  int     // replicas

	fleet fleet
	chain chain
	count atomic.Int64     // of operations begun
	eras  []sync.WaitGroup // the operations of each era that have not ended
	kills chan kill

	mu      sync.Mutex
	history []porcupine.Operation
	failed  error // what should not happen at all
}

// kill is a request to kill replicas.
type kill struct {
	number int64
	done   chan struct{}
}

// open makes the database with its players and starts the replicas.
func (r *run) open() {
	o := testkit.DatabaseOptions(r.t, r.engine)
	r.database = database{URL: o.URL, Path: o.Path}
	db, err := store.Open(r.t.Context(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.eras = make([]sync.WaitGroup, r.operations/era+1)
	for n := range r.operations {
		r.eras[(n+1)/era].Add(1)
	}
	for e := range r.operations/era + 1 {
		names := make([]string, players)
		for i := range names {
			names[i] = playerName(e, i)
		}
		testkit.AddPlayers(r.t, db, 0, names...)
	}
	// Leave no connection open: with one in this process, SQLite would not have to recover after a kill.
	if err := db.Close(); err != nil {
		r.t.Fatal(err)
	}
	if r.database.URL != "" {
		if r.sessions, err = sql.Open("pgx", r.database.URL); err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(func() { _ = r.sessions.Close() })
	}
	r.fleet.init()
	r.t.Cleanup(func() { r.fleet.stop(r.t) })
	for i := range replicas {
		r.start(i)
	}
	r.chain.init()
}

func playerName(e int64, i int) string { return fmt.Sprintf("player-%d-%d", e, i) }

func (r *run) start(i int) {
	r.started++
	p, err := startProcess(r.database, fmt.Sprintf("replica-%d-%d", i, r.started))
	if err != nil {
		r.t.Fatal(err)
	}
	r.fleet.put(i, p)
}

// play carries out all operations, kills replicas meanwhile, and returns the history.
func (r *run) play() []porcupine.Operation {
	var (
		working, indexing sync.WaitGroup
		finished          = make(chan struct{})
	)
	indexing.Go(r.indexBlocks)
	for shelf := range shelves {
		r.fold(clients, rand.New(rand.NewPCG(0, 0)), shelf, Op{At: r.now(0)})
	}
	for i := range clients {
		working.Go(func() { r.client(i) })
	}
	go func() {
		working.Wait()
		close(finished)
	}()
	kills := 0
	for playing := true; playing; {
		select {
		case s := <-r.kills:
			kills += r.killReplicas(s.number)
			close(s.done)
		case <-finished:
			playing = false
		}
	}
	r.chain.close()
	indexing.Wait()
	for number := range r.chain.made {
		r.do(clients, Op{Kind: Look, Listing: number + 1, At: r.now(r.operations)})
	}
	if r.failed != nil {
		r.t.Fatal(r.failed)
	}
	r.t.Logf("%d operations in %.1f s, %d kills", r.operations, time.Since(r.began).Seconds(), kills)
	return r.history
}

// killReplicas kills a replica in mid-operation, or now and then all of them at once, and restarts what it killed. It returns how
// many it killed. PostgreSQL keeps running.
func (r *run) killReplicas(number int64) (kills int) {
	hit := func(i int) bool { return number%(replicas+1) == 0 || number%replicas == int64(i) }
	for i := range replicas {
		if hit(i) {
			r.settle(r.fleet.kill(i))
			kills++
		}
	}
	for i := range replicas {
		if hit(i) {
			r.start(i)
		}
	}
	return kills
}

// settle waits until nothing of what a killed replica did can still take effect: PostgreSQL finishes the statements it has.
func (r *run) settle(p *process) {
	if r.sessions != nil {
		testkit.Eventually(r.t, time.Minute, func() bool {
			var n int
			err := r.sessions.QueryRowContext(r.t.Context(), "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = $1", p.name).Scan(&n)
			return err == nil && n == 0
		}, "PostgreSQL keeps sessions of a killed replica")
	}
	close(p.gone)
}

// now is the time of the nth operation by the server's clock, in milliseconds.
func (r *run) now(n int64) int64 { return opening + n + n/era*(holdTime-era) }

// client carries out operations one after the other until there have been enough.
func (r *run) client(id int) {
	rng := rand.New(rand.NewPCG(uint64(id), 1))
	var held []Op // what the client got and may release
	for {
		n := r.count.Add(1)
		if n > r.operations {
			return
		}
		// A player whose hold is released after the jump has held the unit for HoldTime, and must leave the last one to others. The
		// model does not know this limit, so no hold of the player may come after that.
		if e := n / era; e > 0 {
			r.eras[e-1].Wait()
		}
		// In the middle of an era: at its beginning nothing is in flight.
		if middle := n + r.killEvery/2; middle%r.killEvery == 0 {
			s := kill{middle / r.killEvery, make(chan struct{})}
			r.kills <- s
			<-s.done
		}
		shelf, at := rng.IntN(shelves), r.now(n)
		o := Op{Listing: r.chain.current(shelf), Player: playerName(n/era, rng.IntN(players)), Unit: rng.Int64N(maxUnits), At: at}
		switch p := rng.IntN(100); {
		case p < 4:
			o.Kind = Buy
			r.fold(id, rng, shelf, o)
		case p < 10:
			o.Kind = Restock
			r.fold(id, rng, shelf, o)
		case p < 12:
			o.Kind, o.Unit = Empty, 0
			r.empty(id, o)
		case p < 42:
			if len(held) > 0 && rng.IntN(10) > 0 {
				i := rng.IntN(len(held))
				o = held[i]
				o.At = at
				held = slices.Delete(held, i, i+1)
			}
			o.Kind = Release
			r.do(id, o)
		default:
			o.Kind = Hold
			if p < 65 {
				o.Unit = anyUnit
			}
			if a := r.do(id, o); !a.Lost && a.Refused == "" {
				o.Unit = a.Unit
				held = append(held, o)
			}
		}
		if rng.IntN(8) == 0 {
			r.do(id, Op{Kind: Look, Listing: o.Listing, At: at})
		}
		r.eras[n/era].Done()
	}
}

// fold puts an event on the chain and waits until the index has folded it.
func (r *run) fold(client int, rng *rand.Rand, shelf int, o Op) {
	<-r.chain.add(client, rng, shelf, o).folded
}

// indexBlocks lets the replicas fold the chain, batch by batch. One whose answer was lost is folded again, perhaps by another
// replica, which must change nothing if it was folded before.
func (r *run) indexBlocks() {
	for {
		events, batch := r.chain.next()
		if len(events) == 0 {
			return
		}
		begin := r.since()
		for done := false; !done && !r.hasFailed(); {
			r.ask("Fold", batch, &done)
		}
		end := r.since()
		for _, e := range events {
			e.op.At = batch.At
			r.record(porcupine.Operation{ClientId: e.client, Input: e.op, Call: begin, Return: end, Output: Answer{}})
			r.chain.hasFolded(e)
		}
	}
}

// do lets a replica carry out a player's operation, and records it.
func (r *run) do(client int, o Op) Answer {
	begin, a, end := r.carryOut(o)
	if !a.Lost || o.Kind != Look {
		r.record(porcupine.Operation{ClientId: client, Input: o, Call: begin, Output: a, Return: end})
	}
	return a
}

// carryOut lets a replica carry out a player's operation.
func (r *run) carryOut(o Op) (begin int64, a Answer, end int64) {
	begin = r.since()
	if !r.ask("Do", o, &a) {
		a = Answer{Lost: true}
	} else if a.Lost { // the database did not answer: it may still happen, or never
		return begin, a, math.MaxInt64
	}
	return begin, a, r.since()
}

// empty lets a replica empty a cart, and records this as an operation of each listing.
func (r *run) empty(client int, o Op) {
	listings, last := r.chain.openListings()
	begin, answer, end := r.carryOut(o)
	for _, o.Listing = range append(listings, r.chain.listingsAfter(last)...) {
		r.record(porcupine.Operation{ClientId: client, Input: o, Call: begin, Output: answer, Return: end})
	}
}

// ask calls a replica. It reports whether the answer arrived. If it did not, the call has no further effect after ask
// returns.
func (r *run) ask(method string, in, out any) bool {
	for {
		p := r.fleet.any()
		err := p.call(method, in, out)
		if err == nil {
			return true
		}
		if _, answered := errors.AsType[rpc.ServerError](err); answered { // no fault
			r.fail(fmt.Errorf("%s %v: %w", method, in, err))
			return false
		}
		if r.fleet.has(p) {
			r.fail(fmt.Errorf("a replica ended by itself: %s", p.log.String()))
			return false
		}
		if !errors.Is(err, errNotSent) {
			<-p.gone
			return false
		}
	}
}

// fail ends the run early.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = err
	}
	r.count.Store(r.operations)
	r.chain.close()
}

func (r *run) hasFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed != nil
}

func (r *run) since() int64 { return time.Since(r.began).Nanoseconds() }

func (r *run) record(o porcupine.Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, o)
}

// mustHaveSeenEverything fails the test if something never happened in the history, and logs how often each thing did.
func (r *run) mustHaveSeenEverything(history []porcupine.Operation) {
	counts := map[string]int{}
	for _, h := range history {
		o, a := h.Input.(Op), h.Output.(Answer)
		name := string(o.Kind)
		switch {
		case a.Lost:
			name = "lost " + name
			counts["lost"]++
		case a.Refused != "":
			name += " refused: " + a.Refused
		}
		counts[name]++
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, strconv.Itoa(counts[name])+" "+name)
	}
	r.t.Log(strings.Join(lines, ", "))
	for _, name := range []string{
		"list", "restock", "buy", "hold", "release", "empty", "look", "lost", "hold refused: held", "hold refused: sold-out",
		"release refused: not-found",
	} {
		if counts[name] == 0 {
			r.t.Errorf("the history has no %q", name)
		}
	}
}
