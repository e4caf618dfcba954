package securitylogs_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/files"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var start = time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// add logs entries of a player, a minute apart.
func add(ctx context.Context, t *testing.T, s securitylogs.Store, player string, from, n int) {
	t.Helper()
	for i := from; i < from+n; i++ {
		must(t, s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			e := securitylog.Of(securitylog.SessionOpened, player, start.Add(time.Duration(i)*time.Minute))
			e.Detail = fmt.Sprint("browser ", i)
			return tx.LogSecurity(ctx, e)
		}))
	}
}

func extend(t *testing.T, s securitylogs.Store) {
	t.Helper()
	for {
		n, err := s.Extend(t.Context(), 7)
		must(t, err)
		if n < 7 {
			return
		}
	}
}

func verify(t *testing.T, s securitylogs.Store, published ...securitylog.PublishedHead) securitylog.Verified {
	t.Helper()
	v, err := securitylog.Verify(t.Context(), s, published, 48*time.Hour, start.Add(48*time.Hour), nil)
	must(t, err)
	return v
}

// Entries are listed at once, and are in the chain after the next step; what is done to them in the database is found.
// Spec: RUN-35
func TestSecurityLog_ChangesInTheDatabaseAreFound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ statement, want string }{
		"changed":     {"UPDATE security_entry SET detail = 'browser 99' WHERE sequence = 12", "entry 12 ("},
		"removed":     {"DELETE FROM security_entry WHERE sequence = 12", "entry 12 is missing"},
		"end removed": {"DELETE FROM security_entry WHERE sequence > 15", "entries 16 to 20 are missing at the end"},
		"renumbered":  {"UPDATE security_entry SET sequence = 100 WHERE sequence = 12", "entry 12 is missing"},
		"added behind the end": {"UPDATE security_chain SET sequence = 19, hash = (SELECT hash FROM security_entry WHERE sequence = 19)",
			"there are entries after 19, with which the chain ends"},
		"head changed": {"UPDATE security_chain SET hash = 'x'", "entry 20 does not have the hash with which the chain ends"},
		"pretended to be old": {
			"UPDATE security_chain SET removed_sequence = 12, removed_hash = (SELECT hash FROM security_entry WHERE sequence = 12)",
			"entries 1 to 12 were not removed because of their age: the log does not say so",
		},
	} {
		testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
			s := securitylogs.New(db)
			add(t.Context(), t, s, "A1", 0, 20)
			entries, err := s.Entries(t.Context(), securitylog.Filter{Subject: "A1", Limit: 3})
			must(t, err)
			if len(entries) != 3 || entries[0].Detail != "browser 19" || entries[0].Sequence != 0 {
				t.Errorf("%s: the newest are %+v", name, entries)
			}
			extend(t, s)
			if v := verify(t, s); len(v.Faults) > 0 || v.Entries != 20 || v.Unchained != 0 {
				t.Fatalf("%s: before: %+v", name, v)
			}
			must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Statements().ExecContext(ctx, test.statement)
				return err
			}))
			if v := verify(t, s); len(v.Faults) == 0 || !strings.HasPrefix(v.Faults[0], test.want) {
				t.Errorf("%s: %q, want %q…", name, v.Faults, test.want)
			}
		})
	}
}

// Pages of a list overlap in nothing, even among entries of one time.
func TestSecurityLog_ListIsReadPageByPage(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		for range 3 {
			add(t.Context(), t, s, "A1", 5, 1)
		}
		add(t.Context(), t, s, "B2", 0, 9)
		for _, f := range []securitylog.Filter{{Limit: 2}, {Limit: 2, Event: "session.opened"}, {Limit: 2, Kind: securitylog.Player}} {
			var got []string
			for {
				page, err := s.Entries(t.Context(), f)
				must(t, err)
				for _, e := range page {
					got = append(got, e.ID)
				}
				if len(page) < 2 {
					break
				}
				f.Before = securitylog.Place{At: page[1].At, ID: page[1].ID}
			}
			if slices.Sort(got); len(slices.Compact(got)) != 12 {
				t.Errorf("%+v: %d entries", f, len(got))
			}
		}
		for want, f := range map[int]securitylog.Filter{
			2: {Subject: "B2", Since: start.Add(7 * time.Minute)},
			7: {Subject: "B2", Before: securitylog.Place{At: start.Add(7 * time.Minute)}},
			9: {Subject: "B2", Event: securitylog.SessionOpened},
			0: {Subject: "B2", Event: securitylog.SessionEnded},
		} {
			f.Limit = 50
			entries, err := s.Entries(t.Context(), f)
			must(t, err)
			if len(entries) != want {
				t.Errorf("%+v: %d entries, want %d", f, len(entries), want)
			}
		}
		oldest, err := s.UnchainedSince(t.Context())
		must(t, err)
		if extend(t, s); !oldest.Equal(start) {
			t.Errorf("the oldest entry that is not chained is of %s, want %s", oldest, start)
		}
		if oldest, err = s.UnchainedSince(t.Context()); err != nil || !oldest.IsZero() {
			t.Errorf("all are chained, and yet one since %s, %v", oldest, err)
		}
	})
}

// Two processes that both believe to lead extend the chain; each entry has one place.
func TestSecurityLog_ChainIsOneUnderTwoLeaders(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		add(t.Context(), t, s, "A1", 0, 60)
		var wg sync.WaitGroup
		var extended [2]int
		for leader := range 2 {
			wg.Go(func() {
				for {
					n, err := s.Extend(t.Context(), 3)
					if err == nil && n == 0 {
						return
					}
					extended[leader] += n // an error tells that the other was first
				}
			})
		}
		wg.Wait()
		if v := verify(t, s); len(v.Faults) > 0 || v.Entries != 60 || extended[0]+extended[1] < 60 {
			t.Errorf("%v: %+v", extended, v)
		}
	})
}

// What was changed is not removed because of its age, as that would hide it, also if it pretends to be old.
func TestSecurityLog_ChangedEntriesAreNotRemoved(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		add(t.Context(), t, s, "A1", 0, 20)
		extend(t, s)
		must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Statements().ExecContext(ctx, "UPDATE security_entry SET at = 1 WHERE sequence <= 12")
			return err
		}))
		n, err := s.Prune(t.Context(), start.Add(-24*time.Hour), start, 500)
		if !errors.Is(err, securitylog.ErrBroken) || n != 0 {
			t.Errorf("%d entries were removed, %v", n, err)
		}
		if v := verify(t, s); len(v.Faults) != 12 || v.Entries != 20 {
			t.Errorf("%+v", v)
		}
	})
}

// An entry that was published lately is not old, whatever the log says of its removal.
func TestSecurityLog_WhatWasPublishedLatelyIsNotOld(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		add(t.Context(), t, s, "A1", 0, 20)
		extend(t, s)
		entries, err := s.EntriesFrom(t.Context(), 9, 1)
		must(t, err)
		if n, err := s.Prune(t.Context(), start.Add(15*time.Minute), start.Add(20*time.Minute), 500); err != nil || n != 15 {
			t.Fatalf("%d entries were removed, %v", n, err)
		}
		tenth := securitylog.PublishedHead{Head: securitylog.Head{Sequence: 10, Hash: entries[0].Hash}, At: start.Add(24*time.Hour + time.Minute)}
		if v := verify(t, s, tenth); len(v.Faults) != 1 ||
			v.Faults[0] != "entry 10 was published at 2026-12-02T10:01:00Z and is not old enough to be removed" {
			t.Errorf("%q", v.Faults)
		}
		tenth.At = start
		if v := verify(t, s, tenth); len(v.Faults) != 0 || v.First != 16 || v.Entries != 6 {
			t.Errorf("%+v", v)
		}
	})
}

// What anybody can cause is logged so often a minute at most.
func TestSecurityLog_FloodIsBounded(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		for _, each := range []bool{false, true} {
			for i := range 9 {
				e := securitylog.Entry{Event: securitylog.PasswordRefused, Subject: fmt.Sprint("P", each, i%3)}
				if each {
					e.Event = securitylog.MessageSigned
				}
				must(t, s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.LogSecurityAtMost(ctx, e, 2, each) }))
			}
		}
		entries, err := s.Entries(t.Context(), securitylog.Filter{Limit: 50})
		must(t, err)
		counts := map[securitylog.Event]int{}
		for _, e := range entries {
			counts[e.Event]++
		}
		if counts[securitylog.PasswordRefused] != 2 || counts[securitylog.MessageSigned] != 6 {
			t.Errorf("%v, want 2 of all players, and 2 of each of three", counts)
		}
	})
}

// Heads are published while they change; they tell a log that was rewritten as a whole. Old entries are removed, and the rest can be
// checked.
func TestSecurityLog_HeadsArePublishedAndOldEntriesRemoved(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s, now, place := securitylogs.New(db), clock.NewFake(start.Add(time.Hour)), files.Folder{Path: t.TempDir()}
		run := func() {
			t.Helper()
			var log strings.Builder
			service := securitylog.NewService(securitylog.Options{
				Store: s, Files: place, Keep: 24 * time.Hour, Clock: now, Log: slog.New(slog.NewTextHandler(&log, nil)),
			})
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			head, _, err := s.Chain(t.Context())
			must(t, err)
			go func() { ended <- service.Run(ctx, func(err error) { t.Error(err) }) }()
			testkit.Eventually(t, time.Minute, func() bool {
				published, err := securitylog.Published(t.Context(), place)
				must(t, err)
				newest, removed, err := s.Chain(t.Context())
				must(t, err)
				isPublished := slices.ContainsFunc(published, func(h securitylog.PublishedHead) bool { return h.Head == newest })
				return newest.Sequence > head.Sequence && isPublished && (now.Now().Before(start.Add(24*time.Hour)) || removed.Sequence > 0)
			}, "no head is published")
			stop()
			must(t, <-ended)
			if !strings.Contains(log.String(), `msg="security log" head=`) {
				t.Errorf("the log of the process has no head: %s", log.String())
			}
		}
		add(t.Context(), t, s, "A1", 0, 10)
		run()
		now.Advance(24*time.Hour - 55*time.Minute) // five entries are older than a day
		add(t.Context(), t, s, "A1", 24*60, 1)
		run()
		published, err := securitylog.Published(t.Context(), place)
		must(t, err)
		if v := verify(t, s, published...); len(v.Faults) > 0 || v.First != 6 || v.Entries != 7 || len(published) < 2 {
			t.Errorf("%+v with %v", v, published)
		}
		must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for _, statement := range []string{
				"UPDATE security_entry SET sequence = NULL, hash = ''", "UPDATE security_entry SET detail = 'x' WHERE subject = 'A1'",
				"UPDATE security_chain SET sequence = removed_sequence, hash = removed_hash",
			} {
				if _, err := tx.Statements().ExecContext(ctx, statement); err != nil {
					return err
				}
			}
			return nil
		}))
		extend(t, s)
		if v := verify(t, s); len(v.Faults) > 0 {
			t.Errorf("a log that was rewritten agrees with itself, and yet: %q", v.Faults)
		}
		if v := verify(t, s, published...); len(v.Faults) == 0 || !strings.Contains(v.Faults[0], "rewritten up to it") {
			t.Errorf("with the published heads: %q", v.Faults)
		}
	})
}

// An entry is of the transaction that it tells of, and says where the call comes from; networks have the same tag within a month.
func TestSecurityLog_EntryIsOfItsTransactionAndOrigin(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := securitylogs.New(db)
		from := func(network string) context.Context {
			return securitylog.With(t.Context(), securitylog.Origin{Player: "A1", Session: "S1", Network: network})
		}
		log := func(ctx context.Context, at time.Time, failure error) {
			err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				if err := tx.LogSecurity(ctx, securitylog.Entry{At: at, Event: "approval.tried", Subject: "A1", Detail: "a\x00\xffb"}); err != nil {
					return err
				}
				return failure
			})
			if err != failure {
				t.Fatal(err)
			}
		}
		log(from("192.0.2.0/24"), start, nil)
		log(from("192.0.2.0/24"), start.Add(time.Hour), nil)
		log(from("198.51.100.0/24"), start.Add(2*time.Hour), nil)
		log(from("192.0.2.0/24"), start.AddDate(0, 1, 0), nil)
		log(from("192.0.2.0/24"), start, sql.ErrTxDone)
		entries, err := s.Entries(t.Context(), securitylog.Filter{Subject: "A1", Limit: 10})
		must(t, err)
		if len(entries) != 4 {
			t.Fatalf("%d entries, want 4", len(entries))
		}
		january, other, second, first := entries[0].Network, entries[1].Network, entries[2].Network, entries[3].Network
		if first != second || first == other || first == january || len(first) != 16 || strings.Contains(first, "192") {
			t.Errorf("tags of networks: %q, %q, %q, %q", first, second, other, january)
		}
		if e := entries[0]; e.Kind != securitylog.Player || e.Actor != "A1" || e.Session != "S1" || e.Detail != "a\ufffd\ufffdb" {
			t.Errorf("%+v", e)
		}
		extend(t, s)
		if v := verify(t, s); len(v.Faults) > 0 {
			t.Error(v.Faults)
		}
	})
}

// Operators' acts are in the log, also those of the version before, which may still run.
func TestSecurityLog_HasOperatorsActs(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s, acts := securitylogs.New(db), operators.New(db)
		must(t, acts.LogOperator(t.Context(), operator.Entry{
			At: start, Who: "ada@db-1", Command: "gas raise", Subject: "game", Detail: "1000", Reason: "a sale",
		}))
		must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Statements().ExecContext(ctx, "INSERT INTO operator_log (id, at, who, command, subject, detail, reason) "+
				"VALUES ('OLD', 1, 'bob', 'player freeze', 'A1', '', 'card'), ('NEW', $1, 'bob', 'player freeze', 'A1', '', 'card')", start.UnixMilli())
			return err
		}))
		for range 2 {
			must(t, s.CopyFormer(t.Context(), start.Add(-time.Hour)))
		}
		entries, err := acts.OperatorLog(t.Context(), 10)
		must(t, err)
		var got []string
		for _, e := range entries {
			got = append(got, e.Who+" "+e.Command+" "+e.Reason)
		}
		if slices.Sort(got); !slices.Equal(got, []string{"ada@db-1 gas raise a sale", "bob player freeze card"}) {
			t.Errorf("%q", got)
		}
	})
}
