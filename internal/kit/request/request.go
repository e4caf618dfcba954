// Package request says what is known of an HTTP request while it is served, for logs and metrics. What only its handler learns, such
// as the player, is noted on the way.
package request

import (
	"context"
	"log/slog"
	"pantheon/internal/kit/trace"
	"sync"
)

// Info is what is known of a request. It is safe for concurrent use.
type Info struct {
	// ID names the request, in X-Request-Id, in problems and in the log.
	ID string

	mu    sync.Mutex
	noted Noted
}

// Noted is what was noted of a request. All of it may be empty.
type Noted struct {
	Call     string // the operation of the contract, or what else is served
	Player   string
	Visit    string // of the browser
	Network  string // an opaque tag of the client's network
	Account  string // an opaque tag of the account that a caller wants to sign in to
	Reason   string // why the request was refused
	Security bool   // whether it is a security event
}

type key struct{}

// With returns a context of a request.
func With(ctx context.Context, i *Info) context.Context { return context.WithValue(ctx, key{}, i) }

// From returns what is known of the request of a context; of no request, a new Info that nobody reads.
func From(ctx context.Context) *Info {
	if i, ok := ctx.Value(key{}).(*Info); ok {
		return i
	}
	return &Info{}
}

// Note changes what is noted.
func (i *Info) Note(change func(*Noted)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(&i.noted)
}

// Noted returns what was noted.
func (i *Info) Noted() Noted {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.noted
}

// LogHandler adds the ids of the context's request and trace to each record.
type LogHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h LogHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := From(ctx).ID; id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	if id := trace.ID(ctx); id != "" {
		r.AddAttrs(slog.String("trace", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h LogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return LogHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h LogHandler) WithGroup(name string) slog.Handler { return LogHandler{h.Handler.WithGroup(name)} }
