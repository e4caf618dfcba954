package storetest

import (
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// Addresses of withdrawals: anybody's, the verified wallet, and the wallet's owner.
var (
	Outside  = eth.MustAddress("0x00000000000000000000000000000000dead0001")
	Verified = eth.MustAddress("0x00000000000000000000000000000000feed0002")
	OwnerA   = eth.MustAddress("0x000000000000000000000000000000000000a0a0")
)

// RefusedAs fails the test unless the error is a fault with the reason.
func RefusedAs(t *testing.T, what string, err error, reason string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Reason != reason {
		t.Errorf("%s: %v, want a refusal with reason %q", what, err, reason)
	}
}
