package trace_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"pantheon/internal/kit/trace"
)

// A call at another server is a span of the trace that asks for it, which tells neither the address nor the other server that there is a
// trace.
// Spec: RUN-22
func TestTransport_CallsAreSpans(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)))
	trace.On()
	t.Cleanup(trace.Off)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent") != "" {
			t.Error("the server is told of the trace")
		}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/api/auth/login", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := trace.Request(request)
	client := &http.Client{Transport: trace.Transport("PlayFab", http.DefaultTransport)}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/Client/LoginWithEmailAddress?secret=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(call)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	span.End()
	client.CloseIdleConnections()
	got := spans.GetSpans()
	if len(got) != 2 || got[0].Name != "PlayFab" || got[0].Parent.SpanID() != got[1].SpanContext.SpanID() ||
		got[0].Status.Code.String() != "Error" {
		t.Fatalf("%+v", got)
	}
	for _, a := range got[0].Attributes {
		if a.Key != trace.Method {
			t.Errorf("the span has %s", a.Key)
		}
	}
}
