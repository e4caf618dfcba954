package api

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
)

func TestBudget_CountsNothingThatItRefuses(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		byteLimit
		address string
	}{
		"household": {newByteLimit(newSharedCounts(), 100, 0), "2001:db8:0:%x::1"},
		"all":       {newByteLimit(newSharedCounts(), 100, 500), "192.0.2.%d"},
	} {
		spend := func(address, bytes int) error {
			return c.spend(context.WithValue(t.Context(), originKey{}, client{addr: netip.MustParseAddr(fmt.Sprintf(c.address, address))}), bytes)
		}
		for n := range 4 {
			if err := spend(n, 100); err != nil {
				t.Fatalf("%s: address %d: %v", what, n, err)
			}
		}
		if err := spend(4, 50); err != nil { // 50 are left
			t.Fatalf("%s: %v", what, err)
		}
		for range 3 {
			refusal := fault.As(spend(5, 60))
			if refusal == nil || refusal.Code != fault.TooMany || refusal.RetryAfter < time.Second || refusal.RetryAfter > 2*time.Minute {
				t.Fatalf("%s: spending too much: %+v", what, refusal)
			}
		}
		if err := spend(5, 50); err != nil {
			t.Errorf("%s: spending what is left: %v", what, err)
		}
	}
}
