package panics_test

import (
	"errors"
	"strings"
	"testing"

	"pantheon/internal/kit/panics"
)

func breakDown() error { panic("boom") }

func TestCall_ReturnsAPanicWithTheStackOfItsOrigin(t *testing.T) {
	t.Parallel()
	p, ok := errors.AsType[*panics.Panic](panics.Call(breakDown))
	if !ok || p.Error() != "panic: boom" || !strings.Contains(string(p.Stack), "breakDown") {
		t.Fatalf("%v", p)
	}
	again, _ := errors.AsType[*panics.Panic](panics.Call(func() error { panic(p) }))
	if again != p {
		t.Errorf("raised again it is %v, want the first one", again)
	}
	refused := errors.New("refused")
	if err := panics.Call(func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("an error: %v", err)
	}
	if err := panics.Call(func() error { return nil }); err != nil {
		t.Errorf("success: %v", err)
	}
}
