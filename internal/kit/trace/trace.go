// Package trace marks what the portal does as spans of a trace (OpenTelemetry), from a request to the work that other processes do
// because of it. Work of no request has no spans, so that the traces are those of what somebody did.
//
// Without an exporter nothing is recorded and nothing is handed on; see On.
package trace

import (
	"context"
	"net/http"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Method is the attribute of a request's method.
const Method = "http.request.method"

var (
	on     atomic.Bool
	tracer = otel.Tracer("pantheon")
	w3c    propagation.TraceContext
)

// On records spans from now on, with the global provider.
func On() { on.Store(true) }

// IsOn reports whether spans are recorded.
func IsOn() bool { return on.Load() }

// Span is a part of a trace, until End is called.
type Span struct{ trace.Span }

// Fail marks the span as failed, unless err is nil. The error's text stays in the log: it may name players.
func (s Span) Fail(err error) {
	if err != nil {
		s.SetStatus(codes.Error, "")
	}
}

// Set adds an attribute.
func (s Span) Set(name, value string) { s.SetAttributes(attribute.String(name, value)) }

var none = Span{noop.Span{}}

// Request begins the span of a request, in the trace that its traceparent header names (W3C Trace Context), or in a new one.
func Request(r *http.Request) (context.Context, Span) {
	ctx := r.Context()
	if !on.Load() {
		return ctx, none
	}
	ctx = w3c.Extract(ctx, propagation.HeaderCarrier(r.Header))
	ctx, span := tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String(Method, r.Method)))
	return ctx, Span{span}
}

// IsRecorded reports whether the context's span is recorded.
func IsRecorded(ctx context.Context) bool {
	return on.Load() && trace.SpanFromContext(ctx).IsRecording()
}

// Start begins a span within that of the context. Without one it does nothing.
func Start(ctx context.Context, name string) (context.Context, Span) {
	if !IsRecorded(ctx) {
		return ctx, none
	}
	ctx, span := tracer.Start(ctx, name)
	return ctx, Span{span}
}

// Follow begins a span in the trace of earlier work, which Parent has named. Without a name it does nothing.
func Follow(ctx context.Context, parent, name string) (context.Context, Span) {
	if parent == "" || !on.Load() {
		return ctx, none
	}
	ctx, span := tracer.Start(w3c.Extract(ctx, propagation.MapCarrier{"traceparent": parent}), name)
	return ctx, Span{span}
}

// Parent names the context's trace and span, for later work; "" if they are not recorded.
func Parent(ctx context.Context) string {
	if !IsRecorded(ctx) {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// ID returns the id of the context's trace: 32 hexadecimal digits, or "" if it is not recorded.
func ID(ctx context.Context) string {
	if !IsRecorded(ctx) {
		return ""
	}
	return idOf(trace.SpanContextFromContext(ctx))
}

// IDOf returns the id of the trace that Parent has named; "" for none.
func IDOf(parent string) string {
	return idOf(trace.SpanContextFromContext(w3c.Extract(context.Background(), propagation.MapCarrier{"traceparent": parent})))
}

func idOf(c trace.SpanContext) string {
	if !c.HasTraceID() {
		return ""
	}
	return c.TraceID().String()
}
