package webstore

import (
	"context"
	"fmt"
	"maps"
	"time"

	"pantheon/internal/portal/draw"
)

// outside is what the settlement of an order with packs that are drawn needs from outside of the transaction: nothing in it waits
// for the beacon's mirrors.
type outside struct {
	editions map[string]int // in which packs are sold now, by kind
	asked    time.Time      // when no mirror had the round of a record yet; zero before they were asked
}

// packTx is a transaction with what it needs from outside.
type packTx struct {
	Tx
	outside
}

// missing is the error of a transaction that needs more from outside than it has: the edition of a kind, or a round for kind "".
type missing struct{ kind string }

func (m *missing) Error() string {
	if m.kind == "" {
		return "the mirrors of the beacon have to be asked first"
	}
	return fmt.Sprintf("the edition of %s has to be looked up first", m.kind)
}

// mostLookups bounds how often the settlement of an order begins again.
const mostLookups = 20

// lookUp completes what is known from outside by what a transaction was missing. It fails if the next record's round is published
// already: then this machine's clock is behind, and whoever dates the record could choose its outcome.
func (s *Settler) lookUp(ctx context.Context, known outside, m *missing) (outside, error) {
	if m.kind != "" {
		edition, err := s.Edition(ctx, m.kind)
		if err != nil {
			return known, err
		}
		editions := maps.Clone(known.editions)
		if editions == nil {
			editions = map[string]int{}
		}
		editions[m.kind] = edition
		known.editions = editions
		return known, nil
	}
	if err := s.askMirrors(ctx); err != nil {
		return known, fmt.Errorf("the packs in it are not recorded now: %w", err)
	}
	known.asked = s.Clock.Now()
	return known, nil
}

// refusalFor is how long the mirrors' refusal counts: orders without packs wait for no more than one call in that time.
const refusalFor = 10 * time.Second

// refusal is what the mirrors said last, if that was no.
type refusal struct {
	err   error
	until time.Time
}

// askMirrors makes sure that no mirror has the round of a record that is made now. A refusal counts for later orders too.
func (s *Settler) askMirrors(ctx context.Context) error {
	if s.refused.err != nil && s.Clock.Now().Before(s.refused.until) {
		return s.refused.err
	}
	err := s.Unpublished(ctx, s.Rounds.RoundAfter(s.Clock.Now(), 0))
	s.refused = refusal{err, s.Clock.Now().Add(refusalFor)}
	return err
}

// fix sets what decides the draws of a line's packs, once: what the newest hand-off for the line's variation has, among those that
// the order's references name. Without one, it is the edition that is sold now, and no nonce.
func (s *Settler) fix(ctx context.Context, tx packTx, o Order, l *Line) error {
	if l.Contents.Opens == "" || l.Edition > 0 {
		return nil
	}
	var newest HandOff
	for _, id := range o.HandOffs {
		h, ok, err := tx.HandOff(ctx, id)
		if err != nil {
			return err
		}
		later := h.At.After(newest.At) || h.At.Equal(newest.At) && h.ID > newest.ID
		if ok && h.Variation == l.Variation && later {
			newest = h
		}
	}
	if newest.Kind == l.Contents.Opens && newest.Edition > 0 {
		l.Edition, l.Nonce = newest.Edition, newest.Nonce
		return nil
	}
	edition, ok := tx.editions[l.Contents.Opens]
	if !ok {
		return &missing{kind: l.Contents.Opens}
	}
	l.Edition, l.Nonce = edition, newest.Nonce
	return nil
}

// recorder returns a function that records the payment for a pack of a line. The record is dated now: its round is not before one that
// no mirror had within the last period of the beacon.
func (s *Settler) recorder(ctx context.Context, tx packTx, o Order, l *Line) (func(draw.Purchase) error, error) {
	if err := s.fix(ctx, tx, o, l); err != nil { // lines that were recognised before editions were fixed with them
		return nil, err
	}
	table, err := tableOf(s.Tables(), l.Contents.Opens, l.Edition)
	if err != nil {
		return nil, err
	}
	if tx.asked.IsZero() {
		return nil, &missing{}
	}
	if err := tx.RecordTurn(ctx); err != nil { // which may take a while
		return nil, err
	}
	now := later(s.Clock.Now(), tx.asked)
	if now.Sub(tx.asked) > s.Rounds.Period {
		return nil, &missing{}
	}
	at := draw.WholeSeconds(now)
	round := s.Rounds.RoundAfter(at, 0)
	return func(p draw.Purchase) error { return tx.AddOpening(ctx, p, table, at, round) }, nil
}
