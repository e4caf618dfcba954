package withdrawal

import (
	"testing"
	"time"

	"pantheon/internal/kit/fault"
)

// What may become of a request in each state, with its part open or being sent, in time and after it.
func TestRequest_Transitions(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		state                    State
		part                     PartState
		over                     bool
		confirm, cancel, expired string
	}{
		{Unconfirmed, Open, false, "", "", "no"},
		{Unconfirmed, Open, true, "over", "over", "yes"},
		{Confirmed, Open, false, "over", "", "no"},
		{Confirmed, Open, true, "over", "over", "yes"},
		{Confirmed, Sending, false, "over", "sending", "no"},
		{Confirmed, Sending, true, "over", "over", "no"},
		{Done, Sent, false, "over", "over", "no"},
		{Done, Failed, true, "over", "over", "no"},
		{Cancelled, Open, false, "over", "over", "no"},
		{Cancelled, Sending, true, "over", "over", "no"},
		{Expired, Open, true, "over", "over", "no"},
	} {
		request := func() Request {
			r := Request{State: c.state, Parts: []Part{{State: c.part}, {State: Sent}}, ExpiresAt: now.Add(time.Minute), CancelHash: "hash"}
			if c.over {
				r.ExpiresAt = now
			}
			return r
		}
		reason := func(err error) string {
			if f := fault.As(err); f != nil {
				return f.Reason
			}
			return ""
		}
		r := request()
		if got := reason(r.confirm(now, now.Add(time.Hour), "new")); got != c.confirm {
			t.Errorf("confirming %+v: %q", c, got)
		} else if got == "" && (r.State != Confirmed || r.CancelHash != "new" || r.Told || r.ExpiresAt != now.Add(time.Hour+7*24*time.Hour)) {
			t.Errorf("confirmed: %+v", r)
		}
		r = request()
		if got := reason(r.cancel(now, "why")); got != c.cancel {
			t.Errorf("cancelling %+v: %q", c, got)
		} else if got == "" && (r.State != Cancelled || r.Reason != "why" || r.CancelHash != "" || !r.Told) {
			t.Errorf("cancelled: %+v", r)
		}
		r = request()
		if got := r.expire(now); got != (c.expired == "yes") || got != (r.State != c.state) || got && (r.State != Expired || r.CancelHash != "") {
			t.Errorf("expiring %+v: %t, %+v", c, got, r)
		}
	}
}
