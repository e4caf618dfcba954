package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
)

func TestFault_IsFoundInsideOtherErrors(t *testing.T) {
	t.Parallel()
	f := fault.New(fault.NotFound, "There is no %s.", "order")
	for what, err := range map[string]error{
		"itself": f, "wrapped": fmt.Errorf("reward 1: %w", f), "joined": errors.Join(errors.New("other"), f),
	} {
		if !fault.Is(err, fault.NotFound) || fault.As(err) != f {
			t.Errorf("%s: not found", what)
		}
		if fault.Is(err, fault.Conflict) {
			t.Errorf("%s: is of another code too", what)
		}
	}
	for what, err := range map[string]error{"nil": nil, "another error": errors.New("x")} {
		if fault.As(err) != nil || fault.Is(err, fault.NotFound) {
			t.Errorf("%s is a fault", what)
		}
	}
}

func TestFault_CauseIsForLogsAndNotForPlayers(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp 10.0.0.1")
	f := fault.New(fault.Unavailable, "Try again.")
	with := f.Because(cause)
	if with.Message != "Try again." || with.Error() != "Try again.: dial tcp 10.0.0.1" || !errors.Is(with, cause) {
		t.Errorf("%q, %q", with.Message, with.Error())
	}
	if f.Error() != "Try again." || errors.Is(f, cause) {
		t.Error("the fault it was made from changed")
	}
}

func TestFault_ReasonsAndWaits(t *testing.T) {
	t.Parallel()
	f := fault.New(fault.Conflict, "Taken.")
	if g := f.WithReason("held"); g.Reason != "held" || f.Reason != "" || g.Message != f.Message {
		t.Errorf("%+v made of %+v", g, f)
	}
	if w := fault.Wait(time.Minute, "Wait %d.", 1); w.Code != fault.TooMany || w.RetryAfter != time.Minute || w.Message != "Wait 1." {
		t.Errorf("%+v", w)
	}
	fields := []fault.Field{{Location: "body.email", Message: "a"}, {Location: "body.password", Message: "b"}}
	if f := fault.InvalidFields("Check.", fields...); f.Code != fault.Invalid || len(f.Fields) != 2 || f.Error() != "Check." {
		t.Errorf("%+v", f)
	}
}
