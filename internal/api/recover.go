package api

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	"pantheon/internal/kit/panics"
	"pantheon/internal/kit/request"
)

// Recover answers a request whose handler panics with 500: a call with a problem, a page with a short page. The panic is logged with
// its stack and the request's id, and counted. If the response has begun, its connection is closed instead, so that nobody takes a
// part of it for the whole. http.ErrAbortHandler is left to the server.
func Recover(next http.Handler, log *slog.Logger, count func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		watched := &watchedWriter{ResponseWriter: w}
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if value == http.ErrAbortHandler {
				panic(value)
			}
			count()
			p := panics.New(value)
			id := cmp.Or(request.From(r.Context()).ID, idOf(r))
			log.ErrorContext(r.Context(), "request panicked", "error", p, "request", id, "method", r.Method, "path", r.URL.Path,
				"visit", visitOf(withVisit(r).Context()), "stack", string(p.Stack))
			if watched.begun {
				panic(http.ErrAbortHandler)
			}
			writeFailure(w, r, id)
		}()
		next.ServeHTTP(watched, r)
	})
}

// writeFailure writes the response to a request that failed by a panic. What the handler has said of its own response is removed.
func writeFailure(w http.ResponseWriter, r *http.Request, id string) {
	h := w.Header()
	for name := range h {
		if name != "Strict-Transport-Security" {
			h.Del(name)
		}
	}
	h.Set(requestHeader, id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	isCall := slices.ContainsFunc(append(calls(), "/healthz", "/readyz"),
		func(prefix string) bool { return strings.HasPrefix(r.URL.Path, prefix) })
	if isCall || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		p := newProblem(http.StatusInternalServerError, internalMessage)
		p.RequestID = id
		h.Set("Content-Type", p.ContentType(""))
		w.WriteHeader(p.Status)
		_ = json.NewEncoder(w).Encode(p)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = fmt.Fprintf(w, failurePage, internalMessage, id)
}

// failurePage is a page that needs nothing else of the site.
const failurePage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Something went wrong</title>
<h1>Something went wrong</h1>
<p>%s</p>
<p>If it happens again, please send this to our support: %s</p>
<p><a href="">Try again</a></p>
</html>
`

// watchedWriter is a response of which is known whether it has begun, its status, and how many bytes were written. What it does not
// implement is found by Unwrap.
type watchedWriter struct {
	http.ResponseWriter
	begun   bool
	status  int // 0 while it has not begun, and where the handler leaves it to the server
	written int64
}

// Unwrap returns the response for http.ResponseController.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *watchedWriter) WriteHeader(status int) {
	if !w.begun && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		w.begun, w.status = true, status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *watchedWriter) Write(b []byte) (int, error) {
	w.begun = true
	n, err := w.ResponseWriter.Write(b)
	w.written += int64(n)
	return n, err
}

// ReadFrom implements io.ReaderFrom, by which the server copies without a buffer of its own.
func (w *watchedWriter) ReadFrom(from io.Reader) (int64, error) {
	w.begun = true
	n, err := io.Copy(w.ResponseWriter, from)
	w.written += n
	return n, err
}

// Flush implements http.Flusher.
func (w *watchedWriter) Flush() {
	w.begun = true
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker: the connection belongs to the handler from then on.
func (w *watchedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil && !w.begun {
		w.begun, w.status = true, http.StatusSwitchingProtocols
	}
	return conn, rw, err
}
