package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pantheon/internal/portal/monitoring"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func report(kind monitoring.Kind, n int, at time.Time) monitoring.Kept {
	return monitoring.Kept{
		Kind: kind, Session: fmt.Sprintf("00000000-0000-4000-8000-%012d", n%3), Errors: n % 2, ReceivedAt: at,
		Events: []json.RawMessage{[]byte(fmt.Sprintf(`{"n":%d,"text":"\u0000 ☃ \n"}`, n)), []byte(`{}`)},
	}
}

func TestMonitoring_ReportsAreKeptAndRead(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := time.UnixMilli(1_700_000_000_000).UTC()
		var reports []monitoring.Kept
		for n := range 6 {
			reports = append(reports, report(monitoring.RUM, n, at))
		}
		if err := (store.Monitoring{DB: db}).KeepReports(t.Context(), append(reports, report(monitoring.Replay, 6, at))); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			filter monitoring.Filter
			limit  int
			want   []int
		}{
			{monitoring.Filter{}, 10, []int{6, 5, 4, 3, 2, 1, 0}},
			{monitoring.Filter{}, 2, []int{6, 5}},
			{monitoring.Filter{Kind: monitoring.Replay}, 10, []int{6}},
			{monitoring.Filter{Kind: monitoring.Logs}, 10, nil},
			{monitoring.Filter{Errors: true}, 10, []int{5, 3, 1}},
			{monitoring.Filter{Kind: monitoring.RUM, Session: "00000000-0000-4000-8000-000000000001"}, 10, []int{4, 1}},
			{monitoring.Filter{Session: "00000000-0000-4000-8000-000000000001", Errors: true}, 10, []int{1}},
			{monitoring.Filter{Session: "' OR 1=1 --"}, 10, nil},
		} {
			got, err := (store.Monitoring{DB: db}).Reports(t.Context(), c.filter, c.limit)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.want) {
				t.Errorf("%+v: %d reports, want %v", c.filter, len(got), c.want)
				continue
			}
			for i, n := range c.want {
				kind := monitoring.RUM
				if n == 6 {
					kind = monitoring.Replay
				}
				if want := report(kind, n, at); !reflect.DeepEqual(got[i], want) {
					t.Errorf("%+v: report %d is %+v, want %+v", c.filter, i, got[i], want)
				}
			}
		}
	})
}

// Spec: MON-7
func TestMonitoring_ReportsAreKeptWithinBoundsOfAgeAndNumber(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		begin := time.UnixMilli(1_700_000_000_000).UTC()
		for n := range 10 {
			for _, kind := range monitoring.Kinds() {
				err := (store.Monitoring{DB: db}).KeepReports(t.Context(), []monitoring.Kept{report(kind, n, begin.Add(time.Duration(n)*time.Hour))})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		count := func(kind monitoring.Kind) int {
			got, err := (store.Monitoring{DB: db}).Reports(t.Context(), monitoring.Filter{Kind: kind}, 100)
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		trim := func(before time.Time, kind monitoring.Kind, most int) {
			err := errors.Join((store.Monitoring{DB: db}).DeleteReportsBefore(t.Context(), before),
				(store.Monitoring{DB: db}).TrimReports(t.Context(), kind, most, 1<<40))
			if err != nil {
				t.Fatal(err)
			}
		}
		trim(begin, monitoring.RUM, 100)
		if n := count(""); n != 30 {
			t.Fatalf("nothing is old or too much, and %d of 30 are left", n)
		}
		trim(begin, monitoring.RUM, 4)
		if count(monitoring.RUM) != 4 || count(monitoring.Replay) != 10 {
			t.Fatalf("%d and %d are left, want the newest 4 and all", count(monitoring.RUM), count(monitoring.Replay))
		}
		trim(begin.Add(8*time.Hour), monitoring.Replay, 1)
		if count(monitoring.RUM) != 2 || count(monitoring.Logs) != 2 || count(monitoring.Replay) != 1 {
			t.Fatalf("%d, %d and %d are left, want those of the last two hours, and one recording", count(monitoring.RUM), count(monitoring.Logs),
				count(monitoring.Replay))
		}
		newest, err := (store.Monitoring{DB: db}).Reports(t.Context(), monitoring.Filter{Kind: monitoring.Replay}, 1)
		if err != nil || !newest[0].ReceivedAt.Equal(begin.Add(9*time.Hour)) {
			t.Errorf("what is left is %v (%v), not the newest", newest, err)
		}
	})
}
