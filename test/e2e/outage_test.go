package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// The server dies or fails while pages are open. The database makes no difference to a browser.
func TestOutage_LostServerIsSaidOnEveryPageAndNothingIsLost(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	// The journey requests what happens to the server; this goroutine does it, since only it may fail the test.
	orders, done := make(chan func()), make(chan struct{})
	remote := http.NewServeMux()
	for path, act := range map[string]func(){"POST /kill": site.Kill, "POST /start": site.Restart} {
		remote.HandleFunc(path, func(_ http.ResponseWriter, r *http.Request) {
			obeyed := make(chan struct{})
			select {
			case orders <- func() { defer close(obeyed); act() }:
				<-obeyed
			case <-r.Context().Done():
			}
		})
	}
	server := httptest.NewServer(remote)
	defer server.Close()
	var err error
	var out string
	go func() {
		defer close(done)
		out, err = run(t.Context(), site, "outage.mjs", "REMOTE="+server.URL)
	}()
	for {
		select {
		case order := <-orders:
			order()
		case <-done:
			report(t, site, "outage.mjs", out, err)
			return
		}
	}
}
