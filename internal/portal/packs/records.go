package packs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/draw"
)

// RecordAnchor is a transaction of a wallet of the portal that has the hash of a record, and so fixes the log of payments up to it. Its
// block decides the round of the openings that no earlier one covers.
type RecordAnchor struct {
	Number   uint64 // of the record
	Hash     [32]byte
	Begun    time.Time
	Attempts int // how often its transaction has failed
	Place        // zero until it is in a block
	Final    bool
}

// Place is where a transaction of a wallet of the portal is. At, BlockHash and Margin are known once the block is final.
type Place struct {
	Fixed
	BlockHash eth.Hash
	Margin    time.Duration // how far behind the clock the block can be dated
}

// id is that of the anchor's transaction in the queue.
func (a RecordAnchor) id() string {
	if a.Attempts > 0 {
		return fmt.Sprintf("records/%d~%d", a.Number, a.Attempts)
	}
	return fmt.Sprintf("records/%d", a.Number)
}

// RecordStore stores the public log of the first records of payments, and its anchors.
type RecordStore interface {
	// HeadRecord returns the newest record; the zero one if there is none.
	HeadRecord(ctx context.Context) (draw.LoggedRecord, error)
	// Records returns records by their numbers, from the one after a number on.
	Records(ctx context.Context, after uint64, limit int) ([]draw.LoggedRecord, error)
	// RecordAnchors returns the anchors that are final by their numbers, from a number on.
	RecordAnchors(ctx context.Context, from uint64, limit int) ([]RecordAnchor, error)
	// OpenRecordAnchors returns the anchors that are not final, by their numbers.
	OpenRecordAnchors(ctx context.Context) ([]RecordAnchor, error)
	// LastRecordAnchor returns the anchor with the highest number; the zero one if there is none.
	LastRecordAnchor(ctx context.Context) (RecordAnchor, error)
	// BeginRecordAnchor records Number, Hash and Begun of an anchor that is to be sent, once.
	BeginRecordAnchor(ctx context.Context, a RecordAnchor) error
	// DropRecordAnchor forgets an anchor that is not final.
	DropRecordAnchor(ctx context.Context, number uint64) error
	// MoveRecordAnchor saves Begun, Attempts, Place and Final of an anchor that is not final. If it becomes final, its round decides
	// the openings of all records up to its own that no earlier anchor covers.
	MoveRecordAnchor(ctx context.Context, a RecordAnchor, round uint64) error
}

// RecordAnchorer has the log of payments anchored while there are new records. Only one process runs it at a time.
type RecordAnchorer struct {
	store  RecordStore
	notary Notary
	rounds draw.Schedule // of the beacon
	clock  clock.Clock
	loop   periodic.Loop
}

// NewRecordAnchorer returns a RecordAnchorer.
func NewRecordAnchorer(s RecordStore, n Notary, rounds draw.Schedule, c clock.Clock) *RecordAnchorer {
	return &RecordAnchorer{s, n, rounds, c, periodic.NewLoop()}
}

const (
	// recordsEvery is the least time between two anchors of records, and between the attempts at one.
	recordsEvery = 10 * time.Second
	// walletWait is how long an anchor of a former wallet that is not final holds up those of the present one. After a reorganisation only
	// transactions of one wallet keep their order; a longer wait would date records back (see audit.anchorDelay).
	walletWait = 2 * time.Minute
	// recordsInterval is how often new records are looked for, and the transactions of anchors.
	recordsInterval = time.Second
)

// Run anchors records until ctx ends. Errors are reported and retried.
func (a *RecordAnchorer) Run(ctx context.Context, report func(error)) error {
	return a.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) { return recordsInterval, a.Step(ctx) }, report)
}

// Step follows the anchors that are not final, and begins another one if that is due and none is on its way to a block. An anchor is
// recorded before it is sent, so that one that a crash has interrupted is found again.
func (a *RecordAnchorer) Step(ctx context.Context) error {
	open, err := a.store.OpenRecordAnchors(ctx)
	if err != nil {
		return err
	}
	inFlight, unfinal, held := false, false, false
	for i, anchor := range open {
		// Those after one that waits for its block to be final are in later blocks.
		if unfinal && !anchor.Tx.IsZero() {
			held = held || a.holds(anchor)
			continue
		}
		anchor, err := a.follow(ctx, anchor, !unfinal, held)
		if fault.Is(err, fault.Conflict) && i < len(open)-1 {
			// Sent again it would come after the next one, which covers its records.
			if err := a.store.DropRecordAnchor(ctx, anchor.Number); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("packs: anchor of record %d: %w", anchor.Number, err)
		}
		inFlight = inFlight || anchor.Tx.IsZero()
		unfinal = unfinal || !anchor.Final
		held = held || a.holds(anchor)
	}
	if inFlight || held {
		return nil
	}
	return a.begin(ctx)
}

// holds reports whether an anchor holds up later ones, which could come before it on the chain: they would be of another wallet.
func (a *RecordAnchorer) holds(anchor RecordAnchor) bool {
	if anchor.Final || anchor.Address == a.notary.Wallet() {
		return false
	}
	ago := a.clock.Now().Sub(anchor.Begun)
	return anchor.Tx.IsZero() || ago >= 0 && ago < walletWait
}

// begin anchors the newest record unless there is an anchor for it, or the last one was begun just now.
func (a *RecordAnchorer) begin(ctx context.Context) error {
	head, err := a.store.HeadRecord(ctx)
	if err != nil {
		return err
	}
	last, err := a.store.LastRecordAnchor(ctx)
	if err != nil || head.Number <= last.Number || a.justNow(last.Begun) {
		return err
	}
	next := RecordAnchor{Number: head.Number, Hash: head.Hash, Begun: a.clock.Now()}
	if err := a.store.BeginRecordAnchor(ctx, next); err != nil {
		return err
	}
	return a.send(ctx, next)
}

// justNow reports whether a time is less than recordsEvery ago. One that lies ahead is not: the clock has been set back.
func (a *RecordAnchorer) justNow(t time.Time) bool {
	ago := a.clock.Now().Sub(t)
	return ago >= 0 && ago < recordsEvery
}

func (a *RecordAnchorer) send(ctx context.Context, anchor RecordAnchor) error {
	return a.notary.Send(ctx, anchor.id(), draw.RecordsAnchor(anchor.Number, anchor.Hash))
}

// follow records where an anchor's transaction is, and returns the anchor as it is then. It sends one that is not sent yet, unless an
// earlier one holds it up. Only an anchor that is first becomes final: each record belongs to the first anchor that covers it.
func (a *RecordAnchorer) follow(ctx context.Context, anchor RecordAnchor, isFirst, held bool) (RecordAnchor, error) {
	at, final, err := a.notary.Sent(ctx, anchor.id())
	final = final && isFirst
	switch {
	case fault.Is(err, fault.NotFound):
		if held || anchor.Attempts > 0 && a.justNow(anchor.Begun) {
			return anchor, nil
		}
		return anchor, a.send(ctx, anchor)
	case fault.Is(err, fault.Conflict):
		anchor.Attempts++
		anchor.Begun, anchor.Place = a.clock.Now(), Place{}
		return anchor, errors.Join(err, a.store.MoveRecordAnchor(ctx, anchor, 0))
	case err != nil:
		return anchor, err
	}
	if !final && at.Tx == anchor.Tx && at.Block == anchor.Block {
		return anchor, nil
	}
	anchor.Place, anchor.Final = at, final
	round := uint64(0)
	if final {
		round = a.rounds.RoundAfter(at.At, at.Margin)
	}
	return anchor, a.store.MoveRecordAnchor(ctx, anchor, round)
}

// RecordPage is a part of the log of payments.
type RecordPage struct {
	Records []draw.LoggedRecord
	// Anchors are final, by their numbers: those of the records, and the first one of a later record if there is any.
	Anchors []RecordAnchor
	Head    draw.LoggedRecord // the newest record; zero for none
}

// Records returns a part of the log of payments: at most limit records after a number, with the anchors that cover them.
func (s *Service) Records(ctx context.Context, after uint64, limit int) (p RecordPage, err error) {
	if p.Records, err = s.openings.Records(ctx, after, limit); err != nil {
		return p, err
	}
	if p.Head, err = s.openings.HeadRecord(ctx); err != nil || len(p.Records) == 0 {
		return p, err
	}
	first, last := p.Records[0].Number, p.Records[len(p.Records)-1].Number
	anchors, err := s.openings.RecordAnchors(ctx, first, len(p.Records)+1)
	for _, a := range anchors {
		if p.Anchors = append(p.Anchors, a); a.Number >= last {
			break
		}
	}
	return p, err
}

// Listed is an opening in the public list of all.
type Listed struct {
	ID      string
	Kind    string      // "" while it is not known
	Edition int         // 0 while it is not known
	Wallet  eth.Address // that burned the pack; zero for a purchase
	Place   int64
	DrawnAt time.Time // zero before
	Failed  bool      // whether it can never be drawn
}

// Openings returns all openings, or those of one kind, in the order of their places: at most limit after a place.
func (s *Service) Openings(ctx context.Context, kind string, after int64, limit int) ([]Listed, error) {
	return s.openings.OpeningsFrom(ctx, kind, after, limit)
}
