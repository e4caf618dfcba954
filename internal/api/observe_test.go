package api_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	requestinfo "pantheon/internal/kit/request"
)

// observed is a portal behind an Observer, and its log as JSON.
type observed struct {
	*portal
	registry *prometheus.Registry
	handler  http.Handler
	lines    *bytes.Buffer
}

func observe(t *testing.T) *observed {
	t.Helper()
	o := &observed{registry: prometheus.NewRegistry(), lines: &bytes.Buffer{}}
	log := slog.New(requestinfo.LogHandler{Handler: slog.NewJSONHandler(o.lines, &slog.HandlerOptions{Level: slog.LevelInfo})})
	o.portal = open(t, func(x *api.Options) { x.Log = log })
	observer, err := api.NewObserver(log, slog.LevelInfo, o.registry)
	if err != nil {
		t.Fatal(err)
	}
	o.handler = observer.Handler(o.portal.handler)
	return o
}

// do sends a request and returns its response and the lines of the log.
func (o *observed) do(method, path, body string, header http.Header) (*httptest.ResponseRecorder, []map[string]any) {
	o.t.Helper()
	o.lines.Reset()
	r := httptest.NewRequestWithContext(o.t.Context(), method, path, strings.NewReader(body))
	r.RemoteAddr = "198.51.100.7:1234"
	for name, values := range header {
		r.Header[name] = values
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	var lines []map[string]any
	for line := range strings.Lines(o.lines.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			o.t.Fatal(err)
		}
		lines = append(lines, m)
	}
	return w, lines
}

// named returns the line with a message; it fails the test unless there is one.
func (o *observed) named(lines []map[string]any, message string) map[string]any {
	o.t.Helper()
	var found []map[string]any
	for _, l := range lines {
		if l["msg"] == message {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		o.t.Fatalf("%d lines %q in %v", len(found), message, lines)
	}
	return found[0]
}

// Spec: RUN-20
func TestObserver_EachRequestHasOneLineAndAnID(t *testing.T) {
	t.Parallel()
	o := observe(t)
	zeus := o.admit("zeus", "1")
	visit := "0b7c6d4e-1f2a-4b3c-8d5e-6f7a8b9c0d1e"
	w, lines := o.do("GET", "/api/auth/profile?secret=hunter2", "", http.Header{
		"Authorization": {zeus.token}, "X-Session-Id": {visit}, "X-Request-Id": {"from-the-proxy"},
	})
	line := o.named(lines, "request")
	for name, want := range map[string]any{
		"level": "INFO", "method": "GET", "call": "getProfile", "status": 200.0, "player": zeus.id, "visit": visit, "request": "from-the-proxy",
		"bytes": float64(w.Body.Len()),
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if w.Header().Get("X-Request-Id") != "from-the-proxy" || strings.Contains(o.lines.String(), "hunter2") {
		t.Errorf("%v %s", w.Header(), o.lines)
	}
	w, lines = o.do("GET", "/api/auth/profile", "", nil)
	line = o.named(lines, "request")
	var problem api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
		t.Fatal(err)
	}
	id := w.Header().Get("X-Request-Id")
	if len(id) < 20 || line["request"] != id || problem.RequestID != id || line["reason"] != "unauthorized" {
		t.Errorf("the header has %q, the problem %q, the log %v", id, problem.RequestID, line)
	}
	for _, bad := range []string{"two words", "<script>", strings.Repeat("a", 65)} {
		if w, _ := o.do("GET", "/healthz", "", http.Header{"X-Request-Id": {bad}}); w.Header().Get("X-Request-Id") == bad {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestObserver_ProbesAreNotLogged(t *testing.T) {
	t.Parallel()
	o := observe(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		if w, lines := o.do("GET", path, "", nil); w.Code != http.StatusOK || len(lines) > 0 {
			t.Errorf("%s: %d, %v", path, w.Code, lines)
		}
	}
}

// Wrong passwords and the sign-in after them can be told apart, by account and network, without an address in the log.
// Spec: RUN-20
func TestObserver_SecurityEventsAreLogged(t *testing.T) {
	t.Parallel()
	o := observe(t)
	const email, password = "ares@olympus.example", "a long password of Ares"
	call := func(path, body string) map[string]any {
		_, lines := o.do("POST", path, body, nil)
		if strings.Contains(o.lines.String(), "olympus.example") || strings.Contains(o.lines.String(), "198.51.100") ||
			strings.Contains(o.lines.String(), password) {
			t.Errorf("the log tells too much: %s", o.lines)
		}
		return o.named(lines, "security event")
	}
	registered := call("/api/auth/register", `{"email":"`+email+`","password":"`+password+`","displayName":"Ares"}`)
	wrong := call("/api/auth/login", `{"email":"`+email+`","password":"another password"}`)
	right := call("/api/auth/login", `{"email":"`+strings.ToUpper(email)+`","password":"`+password+`"}`)
	other := call("/api/auth/login", `{"email":"eris@olympus.example","password":"another password"}`)
	for what, c := range map[string]struct {
		line          map[string]any
		event, result string
		isPlayer      bool
	}{
		"registered": {registered, "register", "ok", true}, "wrong": {wrong, "login", "unauthorized", false},
		"right": {right, "login", "ok", true}, "other": {other, "login", "unauthorized", false},
	} {
		if c.line["event"] != c.event || c.line["result"] != c.result || (c.line["player"] != "") != c.isPlayer || c.line["network"] == "" {
			t.Errorf("%s: %v", what, c.line)
		}
	}
	if wrong["account"] != right["account"] || wrong["account"] == other["account"] || right["player"] != registered["player"] {
		t.Errorf("%v\n%v\n%v", wrong, right, other)
	}
}

// Spec: RUN-20
func TestObserver_CountsRequestsByCallAndRefusalsByReason(t *testing.T) {
	t.Parallel()
	o := observe(t)
	o.do("GET", "/api/config", "", nil)
	for range 2 {
		o.do("POST", "/api/auth/login", `{"email":"nobody@olympus.example","password":"x"}`, nil)
	}
	o.do("GET", "/api/nothing/of/the/kind", "", nil)
	for want, n := range map[string]float64{
		`pantheon_http_requests_total call=getConfig status=200`:     1,
		`pantheon_http_requests_total call=login status=401`:         2,
		`pantheon_http_requests_total call=unknown status=404`:       1,
		`pantheon_http_refused_total call=login reason=unauthorized`: 2,
		`pantheon_http_request_duration_seconds call=login`:          2,
		`pantheon_http_request_duration_seconds call=getConfig`:      1,
	} {
		if got := o.value(want); got != n {
			t.Errorf("%s is %v, want %v", want, got, n)
		}
	}
}

// value returns the value of a metric, or its number of observations: its name and labels in alphabetical order.
func (o *observed) value(what string) float64 {
	o.t.Helper()
	families, err := o.registry.Gather()
	if err != nil {
		o.t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetName() + "=" + l.GetValue()
			}
			if name != what {
				continue
			}
			if f.GetType().String() == "HISTOGRAM" {
				return float64(m.GetHistogram().GetSampleCount())
			}
			return m.GetCounter().GetValue()
		}
	}
	return 0
}
