package rum_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/rum"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	token   = "pub0123456789abcdef0123456789abcdef"
	id      = "3f1c0c52-9a4e-4f7e-8d0e-0a1b2c3d4e5f"
	forward = "/api/v2/rum?ddsource=browser&dd-api-key=pubOTHER&dd-request-id=1&batch_time=2"
	view    = `{"type":"view","session":{"id":"` + id + `"}}`
)

// wire is a transport implemented by a test.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func answering(status int, header http.Header) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: header, Body: io.NopCloser(strings.NewReader("{}"))}
}

func read(t *testing.T) monitoring.Report {
	t.Helper()
	r, err := monitoring.Read(forward, "text/plain", []byte(view), func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Spec: MON-8
func TestRUM_ReportGoesToTheConfiguredIntakeUnderOurToken(t *testing.T) {
	t.Parallel()
	for site, host := range map[string]string{
		"datadoghq.com": "browser-intake-datadoghq.com", "datadoghq.eu": "browser-intake-datadoghq.eu",
		"us3.datadoghq.com": "browser-intake-us3-datadoghq.com",
		"ddog-gov.com":      "browser-intake-ddog-gov.com", "us2.ddog-gov.com": "browser-intake-us2-ddog-gov.com",
	} {
		var sent *http.Request
		var body string
		d := rum.NewDatadog(site, token, wire(func(r *http.Request) (*http.Response, error) {
			b, err := io.ReadAll(r.Body)
			sent, body = r, string(b)
			return answering(http.StatusAccepted, nil), err
		}))
		if err := d.Send(t.Context(), read(t)); err != nil {
			t.Fatal(err)
		}
		want := url.Values{"ddsource": {"browser"}, "dd-request-id": {"1"}, "batch_time": {"2"}, "dd-api-key": {token}}
		if sent.URL.Scheme != "https" || sent.URL.Host != host || sent.URL.Path != "/api/v2/rum" ||
			sent.URL.Query().Encode() != want.Encode() || body != view {
			t.Errorf("%s: sent to %s: %s", site, sent.URL, body)
		}
		var names []string
		for name := range sent.Header {
			names = append(names, name)
		}
		if slices.Sort(names); !slices.Equal(names, []string{"Content-Type", "User-Agent"}) {
			t.Errorf("%s: the headers are %v", site, sent.Header)
		}
	}
}

func TestRUM_BrowsersAddressIsForwardedIfTheReportHasIt(t *testing.T) {
	t.Parallel()
	r := read(t)
	r.Address = "203.0.113.77"
	d := rum.NewDatadog("datadoghq.eu", token, wire(func(r *http.Request) (*http.Response, error) {
		if got := r.Header.Get("X-Forwarded-For"); got != "203.0.113.77" {
			t.Errorf("X-Forwarded-For is %q", got)
		}
		return answering(http.StatusAccepted, nil), nil
	}))
	if err := d.Send(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// Errors are logged: the token must not be in them.
// Spec: MON-8
func TestRUM_WhatFailsIsSaidWithoutTheToken(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]wire{
		"a refusal": func(*http.Request) (*http.Response, error) { return answering(http.StatusForbidden, nil), nil },
		"an outage": func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
		"a redirect": func(*http.Request) (*http.Response, error) {
			return answering(http.StatusTemporaryRedirect, http.Header{"Location": {"https://evil.example/"}}), nil
		},
	} {
		asked := 0
		d := rum.NewDatadog("datadoghq.com", token, wire(func(r *http.Request) (*http.Response, error) { asked++; return answer(r) }))
		if err := d.Send(t.Context(), read(t)); err == nil || strings.Contains(err.Error(), token) || asked != 1 {
			t.Errorf("%s: %v, after %d requests", what, err, asked)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	d := rum.NewDatadog("datadoghq.com", token, wire(func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() }))
	if err := d.Send(ended, read(t)); err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("cut off: %v", err)
	}
}

// Spec: MON-7
func TestRUM_OperatorReadsTheNewestReports(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := monitoring.NewService(monitoring.Options{Store: store.Monitoring{DB: db}, Keep: 10, Clock: clock.NewFake(at)})
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(store.Monitoring{DB: db}.KeepReports(t.Context(), []monitoring.Kept{
		{Kind: monitoring.RUM, Session: id, ReceivedAt: at, Events: []json.RawMessage{[]byte(view)}},
		{
			Kind: monitoring.RUM, Session: id, Errors: 1, ReceivedAt: at,
			Events: []json.RawMessage{[]byte(`{"type":"view","x":"<script>"}`), []byte(`{"type":"error"}`)},
		},
		{Kind: monitoring.Replay, ReceivedAt: at, Events: []json.RawMessage{[]byte(`{"segment":"eA=="}`)}},
	}))
	h := rum.Operator(s, slog.New(slog.DiscardHandler))
	for query, want := range map[string][]string{
		"":         {`{"segment":"eA=="}`, `{"type":"view","x":"\u003cscript\u003e"}`, `{"type":"error"}`, view},
		"?limit=1": {`{"segment":"eA=="}`}, "?kind=logs": nil, "?errors=true": {`{"type":"error"}`},
		"?session=" + id + "&limit=2&errors=true": {`{"type":"error"}`},
		"?kind=replay": {`{"segment":"eA=="}`},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/monitoring"+query, nil))
		var got []string
		for line := range strings.Lines(w.Body.String()) {
			var l struct {
				ReceivedAt time.Time
				Kind       string
				Event      json.RawMessage
			}
			ok(json.Unmarshal([]byte(line), &l))
			if !l.ReceivedAt.Equal(at) || l.Kind == "" {
				t.Errorf("%q: %s", query, line)
			}
			got = append(got, string(l.Event))
		}
		if !slices.Equal(got, want) || w.Header().Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{"?limit=0", "?limit=1001", "?limit=x", "?kind=players"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/monitoring"+query, nil))
		if w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d", query, w.Code)
		}
	}
}

// Spec: MON-7
func TestRUM_WhatBecomesOfReportsIsCounted(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m, err := rum.NewReports(registry)
	if err != nil {
		t.Fatal(err)
	}
	m.Received(monitoring.RUM, 50, 2)
	m.Received(monitoring.RUM, 1, 0)
	m.Lost(monitoring.Replay, monitoring.PassQueueFull)
	m.Passed(monitoring.Logs)
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`pantheon_monitoring_reports_total{kind="rum"} 2`, `pantheon_monitoring_events_total{kind="rum"} 51`,
		`pantheon_monitoring_errors_total{kind="rum"} 2`,
		`pantheon_monitoring_lost_total{kind="replay",why="pass queue full"} 1`, `pantheon_monitoring_passed_total{kind="logs"} 1`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("there is no %s", want)
		}
	}
	if _, err := rum.NewReports(registry); err == nil {
		t.Error("registered twice")
	}
}
