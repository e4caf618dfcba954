package operators_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// BenchmarkConsole measures what the console asks of BENCH_PLAYERS players, 20,000 without it, each with five orders, a reward and two
// entries of the security log, on both engines. Each metric is the 99th percentile of 1,000 calls, in milliseconds.
func BenchmarkConsole(b *testing.B) {
	players, err := strconv.Atoi(os.Getenv("BENCH_PLAYERS"))
	if err != nil {
		players = 20_000
	}
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			s := operators.New(testkit.Database(b, engine))
			crowd(b, s, players)
			ctx := b.Context()
			for name, ask := range map[string]func(i int) error{
				"email": func(i int) error {
					return found(s.FindPlayers(ctx, operator.ByAnything, fmt.Sprintf("p%d@example.org", i)))
				},
				"name": func(i int) error { return found(s.FindPlayers(ctx, operator.ByAnything, fmt.Sprintf("Name %d", i))) },
				"player": func(i int) error {
					_, err := s.Profile(ctx, fmt.Sprintf("P%d", i))
					return err
				},
				"orders": func(i int) error { return found(s.OrdersOf(ctx, fmt.Sprintf("P%d", i), 50)) },
				"order": func(i int) error {
					_, err := s.Order(ctx, fmt.Sprintf("O%d-3", i))
					return err
				},
				"rewards": func(i int) error {
					return found(s.FindRewards(ctx, operator.Find{PlayerID: fmt.Sprintf("P%d", i), Limit: 50}))
				},
				"failed": func(int) error { return found(s.FindRewards(ctx, operator.Find{State: "failed", Limit: 200})) },
				"home": func(int) error {
					n, err := s.NeedsPerson(ctx, operator.MaxLimit)
					if err == nil && n.FailedRewards == 0 {
						err = fmt.Errorf("nothing has failed")
					}
					return err
				},
				"log": func(int) error {
					return found(securitylogs.New(s.DB).Entries(ctx, securitylog.Filter{Kind: securitylog.Operator, Limit: 51}))
				},
				"log of one": func(i int) error {
					return found(securitylogs.New(s.DB).Entries(ctx, securitylog.Filter{Subject: fmt.Sprintf("P%d", i), Limit: 101}))
				},
			} {
				b.Run(name, func(b *testing.B) {
					var took []time.Duration
					for i := range 1000 {
						began := time.Now()
						if err := ask(i * 7919 % players); err != nil {
							b.Fatal(err)
						}
						took = append(took, time.Since(began))
					}
					slices.Sort(took)
					b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
					b.ReportMetric(0, "ns/op")
				})
			}
		})
	}
}

func found[T any](list []T, err error) error {
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("nothing was found")
	}
	return err
}

// crowd adds players, their orders, rewards and entries of the security log.
func crowd(b *testing.B, s operators.Store, players int) {
	b.Helper()
	numbers := fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)", players-1)
	if s.Engine() == store.PostgreSQL {
		numbers = fmt.Sprintf("WITH n AS (SELECT generate_series(0, %d) AS i)", players-1)
	}
	rows := []string{
		`INSERT INTO player (id, display_name, email, created_at) SELECT 'P' || i, 'Name ' || i, 'p' || i || '@example.org', i FROM n`,
		`INSERT INTO player_name (name_key, player_id) SELECT 'name ' || i, 'P' || i FROM n`,
		`INSERT INTO reward (source, origin, state, player_id, wallet, detail, chain_id, tx_hash, earned_at, created_at, updated_at)
		SELECT 'gift/' || i, 'gift', CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'done' END, 'P' || i, '', '{}', 0, '', i, i, i FROM n`,
		`INSERT INTO security_entry (id, at, event, actor_kind, actor, subject, session_id, network, refusal, detail, reason)
		SELECT 'A' || i, i, 'session.opened', 'player', 'P' || i, 'P' || i, '', '', '', '', '' FROM n`,
		`INSERT INTO security_entry (id, at, event, actor_kind, actor, subject, session_id, network, refusal, detail, reason)
		SELECT 'B' || i, i, 'player show', 'operator', 'Ada', 'P' || i, '', '', '', '', '' FROM n`,
	}
	for k := range 5 {
		rows = append(rows, fmt.Sprintf(`INSERT INTO purchase_order (id, player_id, wallet, chain_id, currency, state, total, calls, calls_hash,
		expires_at, created_at, updated_at) SELECT 'O' || i || '-%d', 'P' || i, '0x00000000000000000000000000000000000000d1', 7,
		'0x00000000000000000000000000000000000000d2', 'complete', '1000000', '[]', '', 0, i + %d, i FROM n`, k, k))
	}
	err := s.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error {
		for _, row := range rows {
			if _, err := tx.Statements().ExecContext(ctx, numbers+" "+row); err != nil {
				return fmt.Errorf("%.60s: %w", row, err)
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
