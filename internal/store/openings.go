package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store/gen"
)

// WaitingOpenings returns the first openings of each kind that are not drawn; see packs.OpeningStore.
func (db *DB) WaitingOpenings(ctx context.Context, limit int) (out []packs.Opening, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.WaitingOpenings(ctx, int64(limit))
		for _, r := range rows {
			o, err := openingOf(r.Opening)
			if err != nil {
				return err
			}
			o.GiveAt = moment(r.GiveAt)
			out = append(out, o)
		}
		return err
	})
	return out, err
}

// DrawOpening draws the next opening; see packs.OpeningStore.
func (db *DB) DrawOpening(ctx context.Context, o packs.Opening, fn func(draw.Luck) (packs.Drawn, error)) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		earlier, err := tx.OpeningsWaitingBefore(ctx, gen.OpeningsWaitingBeforeParams{Kind: o.Kind, Place: o.Place})
		if err != nil {
			return err
		}
		if earlier > 0 {
			return fault.New(fault.Conflict, "An earlier opening has not been drawn.")
		}
		before := draw.Luck{Drawn: map[string]int64{}}
		if !o.Wallet.IsZero() {
			before.Without, err = tx.LastOpeningOf(ctx, gen.LastOpeningOfParams{Wallet: o.Wallet.String(), Kind: o.Kind, Place: o.Place})
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		counts, err := tx.DropsDrawn(ctx, o.Kind)
		if err != nil {
			return err
		}
		for _, c := range counts {
			before.Drawn[c.DropID] = c.Drawn
		}
		d, err := fn(before)
		if err != nil {
			return err
		}
		at := tx.clock.Now()
		n, err := tx.Queries.DrawOpening(ctx, gen.DrawOpeningParams{
			Version: int64(d.Version), DropID: d.Drop, Without: d.Without, Receipt: string(d.Receipt), ID: o.ID, At: millis(at),
		})
		if n == 0 || err != nil {
			return err
		}
		hit := int64(0)
		if d.Hit == d.Drop {
			hit = 1
		}
		if err := tx.CountDrop(ctx, gen.CountDropParams{Kind: o.Kind, Version: int64(d.Version), DropID: d.Drop, Drawn: 1, Hit: hit}); err != nil {
			return err
		}
		if hit == 0 && d.Hit != "" {
			if err := tx.CountDrop(ctx, gen.CountDropParams{Kind: o.Kind, Version: int64(d.Version), DropID: d.Hit, Hit: 1}); err != nil {
				return err
			}
		}
		return tx.drawReward(ctx, o.ID, d.Detail, d.Grants, at)
	})
}

// AddPurchaseOpening adds the opening of a purchase unless there is one, and reports whether it did. recordedAt is when the
// payment was first recorded, and is rounded up to seconds; round is draw.Schedule.RoundAfter that time. In the same
// transaction the caller must add a reward without grants whose source is the opening's id.
func (tx *Tx) AddPurchaseOpening(ctx context.Context, p draw.Purchase, kind string, recordedAt time.Time, round uint64) (added bool, err error) {
	if err := p.Validate(); err != nil {
		return false, fmt.Errorf("store: opening %s: %w", p, err)
	}
	place, err := tx.nextPlace(ctx)
	if err != nil {
		return false, err
	}
	n, err := tx.InsertPurchaseOpening(ctx, gen.InsertPurchaseOpeningParams{
		ID: p.String(), Kind: kind, Shop: p.Shop, ShopOrder: int64(p.Order), ShopLine: int64(p.Line), ShopUnit: int64(p.Unit),
		BlockTime: millis(draw.WholeSeconds(recordedAt)), Place: place, Round: int64(round),
	})
	return n > 0, err
}

// nextPlace returns the place of the next opening. Until the transaction ends, no other takes a place.
func (tx *Tx) nextPlace(ctx context.Context) (int64, error) {
	if tx.engine != SQLite { // whose writes are serialized
		if err := tx.LockOpenings(ctx); err != nil {
			return 0, err
		}
	}
	last, err := tx.LastPlace(ctx)
	return last + 1, err
}

// FailOpening ends an opening that can never be drawn; see packs.OpeningStore.
func (db *DB) FailOpening(ctx context.Context, id, reason string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.FailOpening(ctx, gen.FailOpeningParams{Error: reason, ID: id})
		if n == 0 || err != nil {
			return err
		}
		return tx.failReward(ctx, id, reason, tx.clock.Now())
	})
}

// Opening returns an opening; see packs.OpeningStore.
func (db *DB) Opening(ctx context.Context, id string) (o packs.Opening, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Opening(ctx, id)
		if err != nil {
			return notFound(err, "There is no such opening.")
		}
		o, err = openingOf(r)
		return err
	})
	return o, err
}

// Tally returns what was drawn so far and what waits; see packs.OpeningStore.
func (db *DB) Tally(ctx context.Context) (t packs.Tally, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		t = packs.Tally{Drops: map[packs.DropKey]packs.DropTally{}, Waiting: map[string]packs.Waiting{}}
		counts, err := q.DropCounts(ctx)
		if err != nil {
			return err
		}
		for _, c := range counts {
			t.Drops[packs.DropKey{Kind: c.Kind, Version: int(c.Version), Drop: c.DropID}] = packs.DropTally{Drawn: c.Drawn, Hit: c.Hit}
		}
		waiting, err := q.OpeningsWaiting(ctx)
		for _, w := range waiting {
			t.Waiting[w.Kind] = packs.Waiting{Openings: w.Waiting, Since: moment(w.Since)}
		}
		return err
	})
	return t, err
}

// KeepTables compares the drop tables with those kept from earlier starts and keeps the new ones; see packs.OpeningStore.
func (db *DB) KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		check := func() error {
			kept, err := keptTables(ctx, tx.Queries)
			if err != nil {
				return err
			}
			return follows(kept)
		}
		if err := check(); err != nil {
			return err
		}
		for _, t := range tables {
			err := tx.InsertDropTable(ctx, gen.InsertDropTableParams{
				Kind: t.Kind, Version: int64(t.Version), Canonical: string(t.Canonical()), CreatedAt: millis(tx.clock.Now()),
			})
			if err != nil {
				return err
			}
		}
		if tx.engine == SQLite || len(tables) == 0 {
			return nil
		}
		// Another process may have kept other tables meanwhile, for which the insertions have waited.
		return check()
	})
}

// KeptTables returns the drop tables that were announced; see packs.OpeningStore.
func (db *DB) KeptTables(ctx context.Context) (kept []draw.Table, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		kept, err = keptTables(ctx, q)
		return err
	})
	return kept, err
}

func keptTables(ctx context.Context, q *gen.Queries) ([]draw.Table, error) {
	rows, err := q.DropTables(ctx)
	if err != nil {
		return nil, err
	}
	kept := make([]draw.Table, len(rows))
	for i, r := range rows {
		if kept[i], err = draw.ParseTable([]byte(r.Canonical)); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func openingOf(r gen.Opening) (o packs.Opening, err error) {
	o = packs.Opening{
		ID: r.ID, Kind: r.Kind, At: moment(r.BlockTime), Place: r.Place, Round: uint64(r.Round),
		Version: int(r.Version), Drop: r.DropID, Receipt: []byte(r.Receipt), DrawnAt: moment(r.DrawnAt), Error: r.Error,
	}
	if r.Shop != "" {
		o.Origin = draw.Purchase{Shop: r.Shop, Order: uint64(r.ShopOrder), Line: uint64(r.ShopLine), Unit: uint64(r.ShopUnit)}
		return o, nil
	}
	burn := draw.Burn{Chain: onchain.ChainID(r.ChainID), LogIndex: uint64(r.LogIndex), Number: uint64(r.Number)}
	if burn.Tx, err = eth.ParseHash(r.TxHash); err != nil {
		return o, err
	}
	o.Origin = burn
	return o, o.Wallet.Scan(r.Wallet)
}

var _ packs.OpeningStore = (*DB)(nil)
