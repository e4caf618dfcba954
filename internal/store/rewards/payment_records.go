package rewards

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// AddPurchaseOpening adds the opening of a purchase of a table's packs and its record in the log, unless there is an opening, and
// reports whether it did. recordedAt is when the payment was first recorded, and is rounded up to seconds. It returns a Conflict
// fault for a time before that of the last record. In the same transaction the caller must add a reward without grants whose source
// is the opening's id.
func AddPurchaseOpening(ctx context.Context, tx *store.Tx, p draw.Purchase, of draw.Table, recordedAt time.Time) (added bool, err error) {
	if err := p.Validate(); err != nil {
		return false, fmt.Errorf("store: opening %s: %w", p, err)
	}
	place, err := NextPlace(ctx, tx) // from here on, no other transaction adds to the log
	if err != nil {
		return false, err
	}
	last, err := lastRecord(ctx, tx.Queries)
	if err != nil {
		return false, err
	}
	at := draw.WholeSeconds(recordedAt)
	hash := of.Hash()
	r := draw.LoggedRecord{Record: draw.Record{
		Number: last.Number + 1, OpeningID: p.String(), Kind: of.Kind, Edition: of.Edition, Table: hex.EncodeToString(hash[:]),
		Nonce: p.Nonce, RecordedAt: at.Unix(),
	}}
	r.Hash = r.HashAfter(last.Hash)
	n, err := tx.InsertPurchaseOpening(ctx, gen.InsertPurchaseOpeningParams{
		ID: r.OpeningID, Kind: r.Kind, Edition: int64(r.Edition), BlockTime: column.At(at),
		Shop: p.Shop, ShopOrder: int64(p.Order), ShopLine: int64(p.Line), ShopUnit: int64(p.Unit), Nonce: r.Nonce.String(),
		Record: int64(r.Number), Place: place,
	})
	if n == 0 || err != nil {
		return false, err
	}
	if r.RecordedAt < last.RecordedAt {
		then := time.Unix(last.RecordedAt, 0).UTC()
		return false, fault.New(fault.Conflict, "The clock is behind: the last payment was recorded at %s.", then.Format(time.RFC3339))
	}
	if err := draw.VerifyRecords(last, []draw.LoggedRecord{r}); err != nil {
		return false, fmt.Errorf("store: opening %s: %w", p, err)
	}
	return true, tx.InsertPaymentRecord(ctx, gen.InsertPaymentRecordParams{
		Number: int64(r.Number), OpeningID: r.OpeningID, Kind: r.Kind, Edition: int64(r.Edition), TableHash: r.Table,
		Nonce: r.Nonce.String(), RecordedAt: r.RecordedAt,
		Previous: hex.EncodeToString(last.Hash[:]), Hash: hex.EncodeToString(r.Hash[:]),
	})
}

// lastRecord returns the newest record; the zero one if there is none.
func lastRecord(ctx context.Context, q *gen.Queries) (r draw.LoggedRecord, err error) {
	row, err := q.LastRecord(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	return recordOfPayment(row)
}

func recordOfPayment(row gen.PaymentRecord) (r draw.LoggedRecord, err error) {
	r.Record = draw.Record{
		Number: uint64(row.Number), OpeningID: row.OpeningID, Kind: row.Kind, Edition: int(row.Edition), Table: row.TableHash,
		RecordedAt: row.RecordedAt,
	}
	if r.Nonce, err = eth.ParseHash(row.Nonce); err == nil {
		r.Hash, err = hashOf(row.Hash)
	}
	return r, err
}

// hashOf reads a hash in hex.
func hashOf(text string) (hash [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err == nil && len(b) != len(hash) {
		err = fmt.Errorf("store: %q is no hash", text)
	}
	copy(hash[:], b)
	return hash, err
}

// HeadRecord returns the newest record of a payment; see packs.RecordStore.
func (db Store) HeadRecord(ctx context.Context) (r draw.LoggedRecord, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err = lastRecord(ctx, q)
		return err
	})
	return r, err
}

// Records returns records of payments; see packs.RecordStore.
func (db Store) Records(ctx context.Context, after uint64, limit int) (out []draw.LoggedRecord, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PaymentRecords(ctx, gen.PaymentRecordsParams{After: int64(after), PageSize: int64(limit)})
		for _, row := range rows {
			r, err := recordOfPayment(row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return err
	})
	return out, err
}

// RecordAnchors returns final anchors of records; see packs.RecordStore.
func (db Store) RecordAnchors(ctx context.Context, from uint64, limit int) (out []packs.RecordAnchor, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FinalRecordAnchors(ctx, gen.FinalRecordAnchorsParams{FromNumber: int64(from), PageSize: int64(limit)})
		if err == nil {
			out, err = recordAnchorsOf(rows)
		}
		return err
	})
	return out, err
}

// OpenRecordAnchors returns the anchors that are not final; see packs.RecordStore.
func (db Store) OpenRecordAnchors(ctx context.Context) (out []packs.RecordAnchor, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OpenRecordAnchors(ctx)
		if err == nil {
			out, err = recordAnchorsOf(rows)
		}
		return err
	})
	return out, err
}

// LastRecordAnchor returns the newest anchor; see packs.RecordStore.
func (db Store) LastRecordAnchor(ctx context.Context) (a packs.RecordAnchor, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.LastRecordAnchor(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			a, err = recordAnchorOf(row)
		}
		return err
	})
	return a, err
}

func recordAnchorsOf(rows []gen.RecordAnchor) (out []packs.RecordAnchor, err error) {
	for _, row := range rows {
		a, err := recordAnchorOf(row)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

func recordAnchorOf(row gen.RecordAnchor) (a packs.RecordAnchor, err error) {
	a = packs.RecordAnchor{Number: uint64(row.Number), Begun: row.BegunAt.Time, Attempts: int(row.Attempts), Final: bool(row.Final)}
	if a.Hash, err = hashOf(row.Hash); err != nil || row.TxHash.IsZero() {
		return a, err
	}
	a.Fixed = packs.Fixed{Chain: row.ChainID, By: draw.ByWallet, Tx: row.TxHash, Block: uint64(row.Block), At: row.BlockTime.Time}
	a.BlockHash, a.Margin = row.BlockHash, time.Duration(row.Margin)*time.Second
	a.Address, err = eth.ParseAddress(row.Wallet)
	return a, err
}

// BeginRecordAnchor records an anchor that is to be sent; see packs.RecordStore.
func (db Store) BeginRecordAnchor(ctx context.Context, a packs.RecordAnchor) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertRecordAnchor(ctx, gen.InsertRecordAnchorParams{
			Number: int64(a.Number), Hash: hex.EncodeToString(a.Hash[:]), BegunAt: column.At(a.Begun),
		})
	})
}

// DropRecordAnchor forgets an anchor that is not final; see packs.RecordStore.
func (db Store) DropRecordAnchor(ctx context.Context, number uint64) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteRecordAnchor(ctx, int64(number)) })
}

// MoveRecordAnchor changes an anchor that is not final; see packs.RecordStore.
func (db Store) MoveRecordAnchor(ctx context.Context, a packs.RecordAnchor, round uint64) error {
	p := gen.MoveRecordAnchorParams{
		BegunAt: column.At(a.Begun), Attempts: int64(a.Attempts), Final: column.Flag(a.Final), Number: int64(a.Number),
	}
	if !a.Tx.IsZero() {
		p.ChainID, p.Wallet, p.TxHash, p.Block = a.Chain, a.Address.String(), a.Tx, int64(a.Block)
	}
	if a.Final {
		p.BlockHash, p.BlockTime, p.Margin = a.BlockHash, column.At(a.At), int64(a.Margin/time.Second)
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.MoveRecordAnchor(ctx, p)
		if n == 0 || err != nil || !a.Final {
			return err
		}
		return tx.AnchorOpenings(ctx, gen.AnchorOpeningsParams{Anchor: p.Number, Round: int64(round)})
	})
}

// UnanchoredSince returns when the oldest record was made that no anchor in a block covers; the zero time for none.
func (db Store) UnanchoredSince(ctx context.Context) (since time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		seconds, err := q.OldestUnanchored(ctx)
		if seconds > 0 {
			since = time.Unix(seconds, 0).UTC()
		}
		return err
	})
	return since, err
}

// OpeningsFrom returns openings in the order of their places; see packs.OpeningStore.
func (db Store) OpeningsFrom(ctx context.Context, kind string, after int64, limit int) (out []packs.Listed, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		var rows []gen.OpeningsFromRow
		if kind == "" {
			if rows, err = q.OpeningsFrom(ctx, gen.OpeningsFromParams{After: after, PageSize: int64(limit)}); err != nil {
				return err
			}
		} else {
			ofKind, err := q.OpeningsOfKindFrom(ctx, gen.OpeningsOfKindFromParams{Kind: kind, After: after, PageSize: int64(limit)})
			if err != nil {
				return err
			}
			for _, r := range ofKind {
				rows = append(rows, gen.OpeningsFromRow(r))
			}
		}
		for _, r := range rows {
			out = append(out, packs.Listed{
				ID: r.ID, Kind: r.Kind, Edition: int(r.Edition), Wallet: r.Wallet, Place: r.Place, DrawnAt: r.DrawnAt.Time, Failed: r.Error != "",
			})
		}
		return nil
	})
	return out, err
}

var _ packs.RecordStore = Store{}
