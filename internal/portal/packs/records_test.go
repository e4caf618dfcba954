package packs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

// queue is a Notary whose transactions go on when the test says so.
type queue struct {
	ids   []string // as they were sent
	input map[string][]byte
	at    map[string]packs.Place
	final map[string]bool
	fails map[string]bool
	err   error // of all calls

	wallet eth.Address
	asked  []string // ids of calls of Sent
}

func newQueue() *queue {
	return &queue{
		wallet: eth.Address{19: 7}, input: map[string][]byte{}, at: map[string]packs.Place{}, final: map[string]bool{}, fails: map[string]bool{},
	}
}

func (q *queue) Send(_ context.Context, id string, input []byte) error {
	if q.err == nil && q.input[id] == nil {
		q.ids, q.input[id] = append(q.ids, id), input
	}
	return q.err
}

func (q *queue) Sent(_ context.Context, id string) (packs.Place, bool, error) {
	q.asked = append(q.asked, id)
	switch {
	case q.err != nil:
		return packs.Place{}, false, q.err
	case q.input[id] == nil:
		return packs.Place{}, false, fault.New(fault.NotFound, "There is no transaction %s.", id)
	case q.fails[id]:
		return packs.Place{}, false, fault.New(fault.Conflict, "The transaction %s failed.", id)
	}
	return q.at[id], q.final[id], nil
}

func (q *queue) Wallet() eth.Address { return q.wallet }

func (q *queue) Fixes(context.Context) (bool, error) { return false, nil }

// mine puts a transaction in a block.
func (q *queue) mine(id string, block uint64) {
	q.at[id] = packs.Place{Fixed: packs.Fixed{
		Chain: testkit.GameChain, By: draw.ByWallet, Address: q.wallet, Tx: eth.Hash{31: byte(len(id)), 30: byte(block)}, Block: block,
	}}
}

// finalize makes a transaction's block final.
func (q *queue) finalize(id string, at time.Time) {
	p := q.at[id]
	p.At, p.BlockHash = at, eth.Hash{31: byte(p.Block)}
	q.at[id], q.final[id] = p, true
}

// anchoring is a log of payments that is anchored.
type anchoring struct {
	*testing.T
	db       *store.DB
	clock    *clock.Fake
	queue    *queue
	anchorer *packs.RecordAnchorer
	recorded uint64
}

func eachAnchoring(t *testing.T, test func(a *anchoring)) {
	t.Helper()
	testkit.EachDatabaseAt(t, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), func(t *testing.T, db *store.DB, c *clock.Fake) {
		a := &anchoring{T: t, db: db, clock: c, queue: newQueue()}
		a.restart(rewards.New(db))
		test(a)
	})
}

// restart begins again, as a new process does.
func (a *anchoring) restart(s packs.RecordStore) {
	a.anchorer = packs.NewRecordAnchorer(s, a.queue, schedule, a.clock)
}

// sell records payments.
func (a *anchoring) sell(n int) {
	a.Helper()
	for range n {
		p := draw.Purchase{Shop: "gift-shop", Order: a.recorded}
		a.recorded++
		if _, err := testkit.AddPurchaseOpening(a.Context(), a.db, p, projection.Pack{Kind: "destiny-gold", Edition: 1},
			a.clock.Now(), 0); err != nil {
			a.Fatal(err)
		}
	}
}

// step lets the anchorer work, and a while pass.
func (a *anchoring) step(then time.Duration) {
	a.Helper()
	if err := a.anchorer.Step(a.Context()); err != nil {
		a.Error(err)
	}
	a.clock.Advance(then)
}

func (a *anchoring) sent(when string, want ...string) {
	a.Helper()
	if !slices.Equal(a.queue.ids, want) {
		a.Errorf("%s: sent %q, want %q", when, a.queue.ids, want)
	}
}

// anchors returns the final anchors, as "number at block".
func (a *anchoring) anchors() (out []string) {
	a.Helper()
	all, err := rewards.New(a.db).RecordAnchors(a.Context(), 0, 100)
	if err != nil {
		a.Fatal(err)
	}
	for _, n := range all {
		out = append(out, fmt.Sprintf("%d at %d", n.Number, n.Block))
	}
	return out
}

func (a *anchoring) wantAnchors(when string, want ...string) {
	a.Helper()
	if got := a.anchors(); !slices.Equal(got, want) {
		a.Errorf("%s: %q are final, want %q", when, got, want)
	}
}

// Spec: DRAW-5
func TestRecordAnchorer_AnchorsTheNewestRecordAtMostEveryTenSeconds(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.step(time.Hour)
		a.sent("without a record")
		a.sell(3)
		a.step(0)
		a.sent("at once", "records/3")
		head, err := rewards.New(a.db).HeadRecord(a.Context())
		if err != nil {
			a.Fatal(err)
		}
		if got, want := string(a.queue.input["records/3"]), string(draw.RecordsAnchor(3, head.Hash)); got != want {
			a.Errorf("input %x, want %x", got, want)
		}
		a.queue.mine("records/3", 11)
		a.sell(1)
		a.step(9 * time.Second)
		a.step(time.Second)
		a.sent("within ten seconds", "records/3")
		a.sell(2)
		a.step(time.Hour)
		a.sent("after ten seconds", "records/3", "records/6")
		a.queue.mine("records/6", 12)
		for range 3 {
			a.step(time.Hour)
		}
		a.sent("without a new record", "records/3", "records/6")
		a.wantAnchors("in blocks that are not final")
		a.queue.finalize("records/3", a.clock.Now())
		a.queue.finalize("records/6", a.clock.Now())
		a.step(0)
		a.wantAnchors("in final blocks", "3 at 11", "6 at 12")
	})
}

func TestRecordAnchorer_HasOneOnTheWayToABlockAtATime(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		for range 5 {
			a.sell(1)
			a.step(10 * time.Minute)
		}
		a.sent("while the first is on its way", "records/1")
		a.queue.mine("records/1", 11)
		a.step(time.Minute) // not final, which may take much longer than a minute
		a.sent("once it is in a block", "records/1", "records/5")
		a.queue.mine("records/5", 12)
		a.queue.asked = nil
		a.sell(1)
		a.step(time.Minute)
		a.sent("once the next is", "records/1", "records/5", "records/6")
		// Those in later blocks cannot be final before.
		if want := []string{"records/1", "records/5"}; !slices.Equal(a.queue.asked, want) {
			a.Errorf("asked for %q, want %q", a.queue.asked, want)
		}
		a.queue.mine("records/6", 13)
		a.step(time.Minute)
		a.queue.asked = nil
		a.step(time.Minute)
		if want := []string{"records/1"}; !slices.Equal(a.queue.asked, want) {
			a.Errorf("asked for %q, want %q", a.queue.asked, want)
		}
	})
}

// dying is a store and queue of a process that dies at a point.
type dying struct {
	packs.RecordStore
	begin, move error
}

var errDied = errors.New("the process died")

func (d *dying) BeginRecordAnchor(ctx context.Context, a packs.RecordAnchor) error {
	return errors.Join(d.RecordStore.BeginRecordAnchor(ctx, a), d.begin)
}

func (d *dying) MoveRecordAnchor(ctx context.Context, a packs.RecordAnchor, round uint64) error {
	if d.move != nil {
		return d.move
	}
	return d.RecordStore.MoveRecordAnchor(ctx, a, round)
}

// Spec: DRAW-5
func TestRecordAnchorer_GoesOnAfterACrashAtAnyPoint(t *testing.T) {
	t.Parallel()
	for name, crash := range map[string]func(a *anchoring){
		"begun, not sent": func(a *anchoring) { a.restart(&dying{RecordStore: rewards.New(a.db), begin: errDied}) },
		"not in the queue": func(a *anchoring) {
			a.queue.err = errDied
		},
		"sent, not told": func(*anchoring) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachAnchoring(t, func(a *anchoring) {
				a.sell(2)
				crash(a)
				if err := a.anchorer.Step(a.Context()); err != nil && !errors.Is(err, errDied) {
					a.Error(err)
				}
				a.queue.err = nil
				a.sell(3) // meanwhile
				a.clock.Advance(time.Hour)
				a.restart(rewards.New(a.db))
				a.step(0)
				a.sent("the same one", "records/2")
				a.queue.mine("records/2", 11)
				a.queue.finalize("records/2", a.clock.Now())
				a.restart(&dying{RecordStore: rewards.New(a.db), move: errDied})
				if err := a.anchorer.Step(a.Context()); !errors.Is(err, errDied) {
					a.Errorf("final, not told: %v", err)
				}
				a.wantAnchors("final, not told")
				a.restart(rewards.New(a.db))
				a.step(0)
				a.wantAnchors("after the crash", "2 at 11")
				a.sent("the next one", "records/2", "records/5")
			})
		})
	}
}

func TestRecordAnchorer_FollowsReorganisations(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.sell(1)
		a.step(0)
		a.queue.mine("records/1", 11)
		a.step(0)
		a.sell(1)
		since := func(when string, want time.Duration) {
			a.Helper()
			at, err := rewards.New(a.db).UnanchoredSince(a.Context())
			if err != nil || a.clock.Now().Sub(at) != want {
				a.Errorf("%s: not anchored since %s, %v, want for %s", when, at, err, want)
			}
		}
		a.clock.Advance(time.Hour)
		since("the first is in a block", time.Hour)
		delete(a.queue.at, "records/1") // the queue sends it again
		a.step(0)
		a.sent("not in a block any more", "records/1")
		a.queue.mine("records/1", 12)
		a.step(0)
		a.sent("in another block", "records/1", "records/2")
		a.queue.finalize("records/1", a.clock.Now())
		a.step(0)
		a.wantAnchors("in the other block", "1 at 12")
	})
}

func TestRecordAnchorer_SendsOnceMoreWhatFailed(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.sell(1)
		a.step(time.Second)
		a.queue.fails["records/1"] = true
		if err := a.anchorer.Step(a.Context()); err == nil ||
			!strings.Contains(err.Error(), "anchor of record 1: The transaction records/1 failed.") {
			a.Errorf("failed: %v", err)
		}
		a.step(9 * time.Second)
		a.step(time.Second)
		a.sent("within ten seconds", "records/1")
		a.step(0)
		a.sent("after ten seconds", "records/1", "records/1~1")
		a.queue.mine("records/1~1", 11)
		a.queue.finalize("records/1~1", a.clock.Now())
		a.step(0)
		a.wantAnchors("then", "1 at 11")
	})
}

// rounds returns the rounds of the openings, by their records.
func (a *anchoring) rounds() (out []uint64) {
	a.Helper()
	for order := range a.recorded {
		o, err := rewards.New(a.db).Opening(a.Context(), fmt.Sprintf("gift-shop-%d-0-0", order))
		if err != nil {
			a.Fatal(err)
		}
		out = append(out, o.Round)
	}
	return out
}

func (a *anchoring) wantRounds(when string, want ...uint64) {
	a.Helper()
	if got := a.rounds(); !slices.Equal(got, want) {
		a.Errorf("%s: the rounds are %v, want %v", when, got, want)
	}
}

// Nobody can know the round of a payment before its record is in a block, and none can be chosen by another anchor.
// Spec: DRAW-10
func TestRecordAnchorer_TheFirstBlockWithARecordDecidesItsRound(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		// Rounds began an hour before, at 11:00:00, and come every 3 s; two periods and the margin must pass.
		block := a.clock.Now().Add(time.Second)
		a.sell(2)
		a.step(20 * time.Second)
		a.queue.mine("records/2", 11)
		a.sell(1)
		a.step(20 * time.Second)
		a.sell(1)
		a.wantRounds("in a block that is not final", 0, 0, 0, 0)
		a.queue.mine("records/3", 12)
		// The later one is said to be final although the earlier is not: it was so a moment later.
		a.queue.finalize("records/3", block.Add(time.Minute))
		a.step(20 * time.Second)
		a.wantRounds("the later block is final first", 0, 0, 0, 0)
		a.queue.finalize("records/2", block)
		place := a.queue.at["records/2"]
		place.Margin = 30 * time.Second
		a.queue.at["records/2"] = place
		a.step(20 * time.Second)
		a.wantRounds("both are final", 1214, 1214, 1224, 0)
		o, err := rewards.New(a.db).Opening(a.Context(), "gift-shop-0-0-0")
		if err != nil || o.Anchor.Number != 2 || o.Anchor.Place != place || !o.At.Equal(block.Add(-time.Second)) {
			a.Errorf("the opening is %+v, %v", o, err)
		}
	})
}

// After a reorganisation an anchor can fail whose successor does not. The successor decides its records.
// Spec: DRAW-5
func TestRecordAnchorer_LeavesTheRecordsOfAFailedAnchorToTheNext(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.sell(1)
		a.step(time.Minute)
		a.queue.mine("records/1", 11)
		a.sell(1)
		a.step(time.Minute)
		a.queue.mine("records/2", 12)
		a.step(time.Minute)
		a.queue.fails["records/1"] = true
		a.queue.finalize("records/2", a.clock.Now())
		a.step(time.Minute)
		a.step(time.Minute)
		a.sent("the first has failed", "records/1", "records/2")
		a.wantAnchors("the first has failed", "2 at 12")
		if rounds := a.rounds(); rounds[0] == 0 || rounds[0] != rounds[1] {
			a.Errorf("the rounds are %v", rounds)
		}
	})
}

func TestRecordAnchorer_WaitsForNoTimeAhead(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.clock.Advance(24 * 365 * time.Hour) // a clock that is wrong
		if err := rewards.New(a.db).BeginRecordAnchor(a.Context(), packs.RecordAnchor{Number: 0, Begun: a.clock.Now()}); err != nil {
			a.Fatal(err)
		}
		a.queue.input["records/0"] = []byte{1}
		a.queue.mine("records/0", 1)
		a.clock.Advance(-24 * 365 * time.Hour)
		a.sell(1)
		a.step(0)
		a.sent("after the clock was set right", "records/1")
	})
}

// After a reorganisation the transactions of two wallets may come in another order. So the next wallet waits for those of the former one,
// though not so long that records seem to be dated back.
// Spec: RUN-26
func TestRecordAnchorer_TheNextWalletWaitsForTheFormer(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		next := eth.Address{19: 8}
		a.sell(1)
		a.step(0)
		a.queue.mine("records/1", 11)
		a.step(10 * time.Second)
		a.queue.wallet = next
		a.restart(rewards.New(a.db))
		a.sell(1)
		a.step(109 * time.Second)
		a.sent("the former wallet's is not final", "records/1")
		a.step(time.Second)
		a.sent("within two minutes", "records/1")
		a.step(0)
		a.sent("after two minutes", "records/1", "records/2")
		a.queue.mine("records/2", 12)
		a.sell(1)
		a.step(10 * time.Second)
		a.step(0)
		a.sent("the next one of the same wallet", "records/1", "records/2", "records/3")
		a.queue.mine("records/3", 13)
		for _, id := range []string{"records/1", "records/2", "records/3"} {
			a.queue.finalize(id, a.clock.Now())
		}
		for range 3 {
			a.step(0)
		}
		a.wantAnchors("then", "1 at 11", "2 at 12", "3 at 13")

		a.clock.Advance(10 * time.Second)
		a.sell(1)
		a.step(10 * time.Second)
		a.queue.mine("records/4", 14)
		a.step(0)
		a.queue.wallet = eth.Address{19: 9}
		a.restart(rewards.New(a.db))
		a.sell(1)
		a.step(0)
		a.sent("the wallet is replaced again", "records/1", "records/2", "records/3", "records/4")
		a.queue.finalize("records/4", a.clock.Now())
		a.step(0)
		a.sent("the former wallet's is final", "records/1", "records/2", "records/3", "records/4", "records/5")
	})
}

// Once the former wallet has no key, its anchor is given up and sent by the next.
// Spec: RUN-26
func TestRecordAnchorer_TheNextWalletTakesOverWhatFailed(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		a.sell(1)
		a.step(0)
		a.queue.mine("records/1", 11)
		a.sell(1)
		a.step(10 * time.Second)
		a.step(0)
		a.sent("by the former wallet", "records/1", "records/2")
		a.queue.fails["records/2"], a.queue.wallet = true, eth.Address{19: 8}
		a.restart(rewards.New(a.db))
		if err := a.anchorer.Step(a.Context()); !fault.Is(err, fault.Conflict) {
			a.Errorf("failed: %v", err)
		}
		a.clock.Advance(20 * time.Second)
		a.step(0)
		a.sent("while the one before is not final", "records/1", "records/2")
		a.queue.finalize("records/1", a.clock.Now())
		a.step(0)
		a.sent("then", "records/1", "records/2", "records/2~1")
		a.queue.mine("records/2~1", 12)
		a.queue.finalize("records/2~1", a.clock.Now())
		a.step(0)
		a.wantAnchors("then", "1 at 11", "2 at 12")
	})
}

func TestRecords_PageHasTheAnchorsThatCoverIt(t *testing.T) {
	t.Parallel()
	eachAnchoring(t, func(a *anchoring) {
		s := packs.NewService(nil, rewards.New(a.db), nil, nil, a.clock)
		page := func(after uint64, limit int, records, anchors []uint64) {
			a.Helper()
			p, err := s.Records(a.Context(), after, limit)
			if err != nil {
				a.Fatal(err)
			}
			var gotRecords, gotAnchors []uint64
			for _, r := range p.Records {
				gotRecords = append(gotRecords, r.Number)
			}
			for _, n := range p.Anchors {
				gotAnchors = append(gotAnchors, n.Number)
			}
			if !slices.Equal(gotRecords, records) || !slices.Equal(gotAnchors, anchors) || p.Head.Number != a.recorded {
				a.Errorf("after %d: records %v, anchors %v, head %d; want %v, %v, %d", after, gotRecords, gotAnchors, p.Head.Number, records,
					anchors, a.recorded)
			}
		}
		page(0, 10, nil, nil)
		for range 4 { // anchors at 2, 4, 6 and 8
			a.sell(2)
			a.step(0)
			id := a.queue.ids[len(a.queue.ids)-1]
			a.queue.mine(id, a.recorded)
			a.queue.finalize(id, a.clock.Now())
			a.clock.Advance(time.Minute)
			a.step(0)
		}
		a.sell(1)
		page(0, 100, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}, []uint64{2, 4, 6, 8})
		page(0, 1, []uint64{1}, []uint64{2})
		page(1, 1, []uint64{2}, []uint64{2})
		page(1, 2, []uint64{2, 3}, []uint64{2, 4})
		page(4, 3, []uint64{5, 6, 7}, []uint64{6, 8})
		page(7, 3, []uint64{8, 9}, []uint64{8})
		page(8, 3, []uint64{9}, nil)
		page(9, 3, nil, nil)
	})
}
