package app

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pantheon/internal/portal/monitoring"
	"pantheon/internal/store"
)

// Reporting needs no sign-in: 1 KiB compressed became 1 MiB stored, 600 times a minute from each address.
// Spec: MON-6
func TestAttack_MonitoringFillsTheDisk(t *testing.T) {
	t.Parallel()
	onEachDatabase(t, func(t *testing.T, env map[string]string) {
		env["DATADOG_APPLICATION_ID"], env["DATADOG_CLIENT_TOKEN"], env["TRUSTED_PROXIES"] = "", "", "192.0.2.0/24"
		env["LIMIT_MONITORING_MIB"], env["LIMIT_MONITORING_TOTAL_MIB"], env["MONITORING_KEEP_MIB"] = "1", "8", "4"
		s := serve(t, env)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.app.monitoring.Run(ctx) }()

		event := `{"type":"error","text":"` + strings.Repeat("x", 250<<10) + `"}` + "\n"
		var packed bytes.Buffer
		z, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if _, err := z.Write([]byte(event)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if packed.Len() > 2<<10 {
			t.Fatalf("a MiB is packed into %d bytes", packed.Len())
		}
		// report sends a number of reports, each from the next address, and returns how many are accepted.
		report := func(reports int, address func(n int) string) (taken int) {
			for n := range reports {
				w := s.send(http.MethodPost, "/api/monitoring?ddforward=%2Fapi%2Fv2%2Frum%3Fdd-evp-encoding%3Ddeflate", packed.String(),
					http.Header{"Content-Type": {"text/plain"}, "X-Forwarded-For": {address(n)}})
				switch {
				case w.Code == http.StatusAccepted:
					taken++
				case w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" ||
					!strings.Contains(w.Body.String(), "for this minute. Please try again in "):
					t.Fatalf("report %d: %d %s", n, w.Code, w.Body)
				}
			}
			return taken
		}
		// Twice the limit, in case a minute ends meanwhile.
		if taken := report(6, func(int) string { return "203.0.113.7" }); taken < 1 || taken > 2 {
			t.Errorf("%d MiB of one address are taken, want 1", taken)
		}
		if taken := report(15, func(n int) string { return fmt.Sprintf("2001:db8:0:%x::1", n) }); taken < 5 || taken > 2*5 {
			t.Errorf("%d MiB of one household are taken, want 5", taken)
		}
		if taken := report(20, func(n int) string { return fmt.Sprintf("198.51.%d.1", n) }); taken < 8-5-1 || taken > 2*8 {
			t.Errorf("%d MiB of many networks are taken, want what is left of 8", taken)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		kept, err := store.Monitoring{DB: s.app.db}.Reports(t.Context(), monitoring.Filter{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, r := range kept {
			for _, e := range r.Events {
				size += len(e)
			}
		}
		if size == 0 || size > 4<<20 {
			t.Errorf("%d bytes are kept, want 4 MiB at most", size)
		}
	})
}
