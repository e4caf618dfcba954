package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/config"
)

func breakDown() { panic("boom") }

// counted returns how often a part has panicked.
func (b *base) counted(t *testing.T, part string) float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(b.panics)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetLabel()[0].GetValue() == part {
				return m.GetCounter().GetValue()
			}
		}
	}
	return 0
}

func TestServer_AnswersAndCountsPanicsOfHandlers(t *testing.T) {
	t.Parallel()
	a, address := listen(t, config.HTTP{Connections: 10, StallTimeout: time.Minute},
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { breakDown() }))
	conn := dial(t, address)
	say(t, conn, "GET /api/profile HTTP/1.1\r\nHost: portal.example\r\nConnection: close\r\n\r\n")
	response, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(response), "HTTP/1.1 500 ") || !strings.Contains(string(response), "application/problem+json") {
		t.Errorf("the response is %s, %v", response, err)
	}
	if n := a.counted(t, "http"); n != 1 {
		t.Errorf("%v panics counted, want 1", n)
	}
}

func TestBackground_WorkThatPanicsIsStartedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		a := &base{log: slog.New(slog.NewTextHandler(&text, nil)), panics: newPanics()}
		began := time.Now()
		var starts []time.Duration
		failed := errors.New("failed")
		err := a.survive(t.Context(), "openings", func(context.Context) error {
			starts = append(starts, time.Since(began))
			if len(starts) < 3 {
				breakDown()
			}
			return failed
		})
		if !errors.Is(err, failed) || len(starts) != 3 || starts[1] != 5*time.Second || starts[2] != 10*time.Second {
			t.Errorf("started after %v, ended with %v", starts, err)
		}
		if n := a.counted(t, "openings"); n != 2 || strings.Count(text.String(), "level=ERROR") != 2 ||
			!strings.Contains(text.String(), "breakDown") {
			t.Errorf("%v panics counted; the log is\n%s", n, &text)
		}
	})
}

func TestServer_LogsItsErrorsAtTheirLevels(t *testing.T) {
	t.Parallel()
	for message, level := range map[string]string{
		"http: Accept error: accept tcp: too many open files; retrying in 5ms": "ERROR",
		"http: panic serving 127.0.0.1:1: boom":                                "ERROR",
		"http: superfluous response.WriteHeader call from main.go:1":           "WARN",
		"http: TLS handshake error from 127.0.0.1:1: EOF":                      "DEBUG",
		"http2: server connection error from 127.0.0.1:1: PROTOCOL_ERROR":      "DEBUG",
		"http2: server: error reading preface from client 127.0.0.1:1: EOF":    "DEBUG",
		"timeout waiting for SETTINGS frames from 127.0.0.1:1":                 "DEBUG",
		"http2: panic serving 127.0.0.1:1: boom":                               "ERROR",
	} {
		var text bytes.Buffer
		handler := slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})
		log.New(serverLog{slog.New(handler)}, "", 0).Print(message)
		if !strings.Contains(text.String(), "level="+level+" ") || !strings.Contains(text.String(), message) {
			t.Errorf("%q is logged as %s", message, &text)
		}
	}
}

func TestApp_AddressOfMetricsThatIsInUseFailsTheStart(t *testing.T) {
	t.Parallel()
	used, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	s, c := configure(t, map[string]string{"METRICS_ADDR": used.Addr().String()})
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	a, err := New(t.Context(), c, s.options())
	if err == nil {
		_ = a.Close()
	}
	if err == nil || !strings.HasPrefix(err.Error(), "METRICS_ADDR: listen tcp ") {
		t.Errorf("the start ends with %v", err)
	}
}
