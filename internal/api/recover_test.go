package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pantheon/internal/api"
)

// panicking is a server of a handler behind Recover.
type panicking struct {
	t       *testing.T
	address string
	served  chan struct{} // has an element for each request that was served

	// Valid after fetch.
	log   bytes.Buffer
	count int
}

func serve(t *testing.T, handler http.HandlerFunc) *panicking {
	t.Helper()
	p := &panicking{t: t, served: make(chan struct{}, 1)}
	log := slog.NewTextHandler(&p.log, nil)
	guarded := api.Recover(handler, slog.New(log), func() { p.count++ })
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { p.served <- struct{}{} }()
		guarded.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = slog.NewLogLogger(log, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	p.address = server.URL
	return p
}

// fetch returns the response to a GET request, once it has been served.
func (p *panicking) fetch(path string, header http.Header) (*http.Response, string, error) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.address+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = header
	// On a connection that was used before, a request that fails would be sent again.
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	<-p.served
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

func breakDown() { panic("boom") }

func TestRecover_PanicsAreAnsweredLoggedAndCounted(t *testing.T) {
	t.Parallel()
	p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "7")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Cache-Control", "public")
		w.Header().Set("Strict-Transport-Security", "max-age=1")
		breakDown()
	})
	html := http.Header{"Accept": {"text/html,*/*"}}
	for i, c := range []struct {
		path, contentType string
		header            http.Header
	}{
		{"/api/profile", "application/problem+json", http.Header{}},
		{"/api/profile", "application/problem+json", html},
		{"/readyz", "application/problem+json", html},
		{"/kod-marketplace", "text/html; charset=utf-8", html},
		{"/assets/site.js", "application/problem+json", http.Header{}},
	} {
		p.log.Reset()
		r, body, err := p.fetch(c.path+"?token=secret", c.header)
		if err != nil {
			t.Fatal(err)
		}
		h := r.Header
		if r.StatusCode != 500 || h.Get("Content-Type") != c.contentType || h.Get("Cache-Control") != "no-store" ||
			h.Get("Content-Encoding") != "" || h.Get("Strict-Transport-Security") != "max-age=1" {
			t.Errorf("%s: %d %v", c.path, r.StatusCode, h)
		}
		id := h.Get("X-Request-Id")
		if len(id) < 20 || !strings.Contains(body, "Something went wrong on our side. Please try again in a moment.") {
			t.Errorf("%s: request %q, %s", c.path, id, body)
		}
		if c.contentType == "application/problem+json" {
			var problem api.Problem
			if err := json.Unmarshal([]byte(body), &problem); err != nil || problem.Status != 500 || problem.Success ||
				problem.Message != problem.Detail {
				t.Errorf("%s: %s, %v", c.path, body, err)
			}
		} else if !strings.Contains(body, id) {
			t.Errorf("%s: the page does not name request %s: %s", c.path, id, body)
		}
		for _, want := range []string{
			"level=ERROR", `msg="request panicked"`, `error="panic: boom"`, "request=" + id, "method=GET", "path=" + c.path, "breakDown",
		} {
			if !strings.Contains(p.log.String(), want) {
				t.Errorf("%s: the log lacks %s:\n%s", c.path, want, &p.log)
			}
		}
		if strings.Contains(p.log.String(), "secret") || p.count != i+1 {
			t.Errorf("%s: %d panics counted, want %d; the log is\n%s", c.path, p.count, i+1, &p.log)
		}
	}
	for id, kept := range map[string]bool{"0123-abc": true, "two words": false, "<b>": false, strings.Repeat("x", 65): false} {
		r, _, err := p.fetch("/", http.Header{"X-Request-Id": {id}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Header.Get("X-Request-Id"); (got == id) != kept || got == "" {
			t.Errorf("a proxy's id %q becomes %q", id, got)
		}
	}
}

func TestRecover_ResponseThatHasBegunIsCutOff(t *testing.T) {
	t.Parallel()
	for what, begin := range map[string]func(http.ResponseWriter){
		"written": func(w http.ResponseWriter) { _, _ = io.WriteString(w, "half of it") },
		"flushed": func(w http.ResponseWriter) { w.(http.Flusher).Flush() },
		"flushed by its controller": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		},
		"copied":   func(w http.ResponseWriter) { _, _ = io.Copy(w, strings.NewReader("half of it")) },
		"hijacked": func(w http.ResponseWriter) { conn, _, _ := http.NewResponseController(w).Hijack(); _ = conn.Close() },
	} {
		p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			begin(w)
			breakDown()
		})
		_, body, err := p.fetch("/", http.Header{})
		if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) || strings.Contains(body, "went wrong") {
			t.Errorf("%s: the client reads %q, %v", what, body, err)
		}
		if p.count != 1 || strings.Count(p.log.String(), "level=ERROR") != 1 || !strings.Contains(p.log.String(), "breakDown") {
			t.Errorf("%s: %d panics counted; the log is\n%s", what, p.count, &p.log)
		}
	}
}

func TestRecover_AbortedHandlersAreTheServers(t *testing.T) {
	t.Parallel()
	p := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if _, _, err := p.fetch("/", http.Header{}); !errors.Is(err, io.EOF) || p.count != 0 || p.log.Len() != 0 {
		t.Errorf("the client reads %v; %d panics counted; the log is %q", err, p.count, &p.log)
	}
}

// The response of calls that are answered together is that of the first one, also where it panics.
func TestRecover_CoalescedCallsAreAllAnswered(t *testing.T) {
	t.Parallel()
	counted := 0
	p := open(t, func(o *api.Options) {
		o.Market, o.Panicked = nil, func() { counted++ }
	})
	p.mustBeProblem("a page of a market that is not there", p.send(request{path: "/api/marketplace/listings"}), 500)
	if !strings.Contains(p.log.String(), "request panicked") || counted != 1 {
		t.Errorf("%d panics counted; the log is\n%s", counted, p.log)
	}
}
