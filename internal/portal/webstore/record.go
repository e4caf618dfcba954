package webstore

import (
	"context"
	"fmt"

	"pantheon/internal/portal/draw"
)

// packTx is a transaction with the editions in which packs are sold now, by kind, as far as they were looked up before: nothing in it
// waits for a chain.
type packTx struct {
	Tx
	editions map[string]int
}

// missingEdition is the error of a transaction that needs the edition of a kind and does not have it.
type missingEdition struct{ kind string }

func (m *missingEdition) Error() string {
	return fmt.Sprintf("the edition of %s has to be looked up first", m.kind)
}

// fix sets what decides the draws of a line's packs, once: what the newest hand-off for the line's variation has, among those that
// the order's references name. Without one, it is the edition that is sold now, and no nonce.
func (s *Reconciler) fix(ctx context.Context, tx packTx, o Order, l *Line) error {
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
		return &missingEdition{l.Contents.Opens}
	}
	l.Edition, l.Nonce = edition, newest.Nonce
	return nil
}

// recorder returns a function that records the payment for a pack of a line.
func (s *Reconciler) recorder(ctx context.Context, tx packTx, o Order, l *Line) (func(draw.Purchase) error, error) {
	if err := s.fix(ctx, tx, o, l); err != nil { // lines that were recognised before editions were fixed with them
		return nil, err
	}
	table, err := tableOf(s.Tables(), l.Contents.Opens, l.Edition)
	if err != nil {
		return nil, err
	}
	at := draw.WholeSeconds(s.Clock.Now())
	return func(p draw.Purchase) error { return tx.AddOpening(ctx, p, table, at) }, nil
}
