package trace_test

import (
	"net/http"
	"testing"

	"pantheon/internal/kit/trace"
)

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// Without an exporter, what a client sends is neither kept nor handed on.
func TestTrace_NothingIsRecordedUnlessItIsOn(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/api/config", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Traceparent", parent)
	ctx, span := trace.Request(r)
	defer span.End()
	ctx, inner := trace.Start(ctx, "inner")
	defer inner.End()
	inner.Fail(http.ErrServerClosed)
	followed, later := trace.Follow(ctx, parent, "later")
	defer later.End()
	if trace.Parent(followed) != "" || trace.ID(followed) != "" || span.IsRecording() || inner.IsRecording() || later.IsRecording() {
		t.Errorf("%q, %q", trace.Parent(followed), trace.ID(followed))
	}
}

func TestTrace_IDOfAParent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		parent: "4bf92f3577b34da6a3ce929d0e0e4736", "": "", "00-zz": "", "00-00000000000000000000000000000000-00f067aa0ba902b7-01": "",
	} {
		if got := trace.IDOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
