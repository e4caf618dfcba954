package store

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"pantheon/internal/portal/monitoring"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Monitoring is the store of browsers' reports; see monitoring.Store.
type Monitoring struct{ *DB }

// KeepReports stores browsers' reports; see monitoring.Store.
func (db Monitoring) KeepReports(ctx context.Context, reports []monitoring.Kept) error {
	rows := make([]gen.InsertMonitoringReportParams, len(reports))
	for i, r := range reports {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		text := lines(r.Events)
		rows[i] = gen.InsertMonitoringReportParams{
			ID: id.String(), Kind: string(r.Kind), Session: r.Session, Errors: int64(r.Errors), ReceivedAt: column.At(r.ReceivedAt),
			Events: text, Size: int64(len(text)),
		}
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		for _, row := range rows {
			if err := tx.InsertMonitoringReport(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteReportsBefore deletes old reports; see monitoring.Store.
func (db Monitoring) DeleteReportsBefore(ctx context.Context, before time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.DeleteMonitoringReportsBefore(ctx, column.At(before))
	})
}

// TrimReports deletes the reports beyond a number or a size; see monitoring.Store.
func (db Monitoring) TrimReports(ctx context.Context, kind monitoring.Kind, most int, mostBytes int64) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.DeleteMonitoringReportsBeyond(ctx, gen.DeleteMonitoringReportsBeyondParams{
			Kind: string(kind), Beyond: int64(most) - 1,
		}); err != nil {
			return err
		}
		return tx.DeleteMonitoringReportsBeyondSize(ctx, gen.DeleteMonitoringReportsBeyondSizeParams{Kind: string(kind), Bytes: mostBytes})
	})
}

// Reports returns the newest reports; see monitoring.Store.
func (db Monitoring) Reports(ctx context.Context, f monitoring.Filter, limit int) (out []monitoring.Kept, err error) {
	errors := int64(0)
	if f.Errors {
		errors = 1
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.MonitoringReports(ctx, gen.MonitoringReportsParams{
			Kind: string(f.Kind), Session: f.Session, Errors: errors, Page: int64(limit),
		})
		out = make([]monitoring.Kept, len(rows))
		for i, r := range rows {
			out[i] = monitoring.Kept{
				Kind: monitoring.Kind(r.Kind), Session: r.Session, Errors: int(r.Errors), ReceivedAt: r.ReceivedAt.Time, Events: events(r.Events),
			}
		}
		return err
	})
	return out, err
}

// lines joins events with line breaks; no event contains one.
func lines(events []json.RawMessage) string {
	var b bytes.Buffer
	for i, e := range events {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(e)
	}
	return b.String()
}

func events(lines string) (out []json.RawMessage) {
	for line := range bytes.SplitSeq([]byte(lines), []byte("\n")) {
		out = append(out, line)
	}
	return out
}
