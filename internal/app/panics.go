package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/kit/panics"
)

func newPanics() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "pantheon", Name: "panics_total",
		Help: "Panics that were recovered, by part: http for requests, or the background work. Each is a fault of the program; the log " +
			"has its stack.",
	}, []string{"part"})
}

// recovered returns a handler whose panics are answered, logged and counted.
func (b *base) recovered(next http.Handler) http.Handler {
	return api.Recover(next, b.log, func() { b.panics.WithLabelValues("http").Inc() })
}

// countPanics makes a counter for each part: the first panic of one that had none would not count as an increase.
func (b *base) countPanics() {
	b.panics.WithLabelValues("http")
	for _, parts := range []tasks{b.leader, b.replica} {
		for name := range parts {
			b.panics.WithLabelValues(name)
		}
	}
}

// restartPause is the time between a panic of background work and its next start.
const restartPause = 5 * time.Second

// survive runs background work, and starts it again after a panic: one event that it cannot handle must not take requests and the
// other parts down, at this replica and then at the next. What the work does is in the database, from which it continues. A panic in a
// goroutine that the work itself has started still ends the process.
func (b *base) survive(ctx context.Context, name string, run func(context.Context) error) error {
	for {
		err := panics.Call(func() error { return run(ctx) })
		p, ok := errors.AsType[*panics.Panic](err)
		if !ok {
			return err
		}
		b.panics.WithLabelValues(name).Inc()
		b.log.ErrorContext(ctx, "background work panicked, starting it again", "part", name, "error", p, "stack", string(p.Stack))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(restartPause):
		}
	}
}

// serverLog logs what an HTTP server reports, each at its level: what clients do wrong is for debugging, the rest is a fault of the
// program or the machine.
type serverLog struct{ log *slog.Logger }

// Write implements io.Writer, for one message of package log.
func (l serverLog) Write(message []byte) (int, error) {
	text := strings.TrimSpace(string(message))
	level := slog.LevelWarn
	for prefix, of := range map[string]slog.Level{
		"http: TLS handshake error": slog.LevelDebug, "http: URL query contains semicolon": slog.LevelDebug,
		"http2: server": slog.LevelDebug, "http2: received GOAWAY": slog.LevelDebug, "timeout waiting for": slog.LevelDebug,
		"http: Accept error": slog.LevelError, "http: panic serving": slog.LevelError, "http2: panic serving": slog.LevelError,
	} {
		if strings.HasPrefix(text, prefix) {
			level = of
		}
	}
	l.log.Log(context.Background(), level, "http server", "message", text)
	return len(message), nil
}
