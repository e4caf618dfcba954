package securitylogs_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
)

// BenchmarkSecurityLog_Verify verifies a log of BENCH_ENTRIES entries, 100,000 without it, on both engines.
func BenchmarkSecurityLog_Verify(b *testing.B) {
	entries, err := strconv.Atoi(os.Getenv("BENCH_ENTRIES"))
	if err != nil {
		entries = 100_000
	}
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			s := securitylogs.New(testkit.Database(b, engine))
			fill(b, s, entries)
			for b.Loop() {
				began := time.Now()
				v, err := securitylog.Verify(b.Context(), s, nil, time.Hour, start, nil)
				if err != nil || len(v.Faults) > 0 || v.Entries != int64(entries) {
					b.Fatalf("%+v, %v", v, err)
				}
				b.ReportMetric(float64(entries)/time.Since(began).Seconds(), "entries/s")
			}
		})
	}
}

// fill writes a chain of entries.
func fill(b *testing.B, s securitylogs.Store, entries int) {
	b.Helper()
	var head securitylog.Head
	for done := 0; done < entries; {
		err := s.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error {
			for range 20 {
				var rows []string
				for range min(500, entries-done) {
					e := securitylog.Of(securitylog.OperationSigned, fmt.Sprintf("%016X", done%100_000), start.Add(time.Duration(done)*time.Second))
					e.ID, e.Detail = fmt.Sprintf("%026d", done), strings.Repeat("list 1 of avatars 9 at 20.00 USDC each; ", 3)
					head = head.Next(e)
					rows = append(rows, fmt.Sprintf("('%s',%d,%d,'%s','%s','%s','%s','','','','%s','','%s')", e.ID, head.Sequence, e.At.UnixMilli(),
						e.Event, e.Kind, e.Actor, e.Subject, e.Detail, head.Hash))
					done++
				}
				if len(rows) == 0 {
					break
				}
				_, err := tx.Statements().ExecContext(ctx, "INSERT INTO security_entry (id, sequence, at, event, actor_kind, actor, subject, "+
					"session_id, network, refusal, detail, reason, hash) VALUES "+strings.Join(rows, ","))
				if err != nil {
					return err
				}
			}
			_, err := tx.Statements().ExecContext(ctx, fmt.Sprintf("UPDATE security_chain SET sequence = %d, hash = '%s'", head.Sequence, head.Hash))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
