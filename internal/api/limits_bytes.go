package api

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"pantheon/internal/kit/fault"
)

// byteLimit limits the bytes received per minute: per line, per household, which gets at most linesOfHousehold times as
// many, and in total. Its zero value has no limits.
type byteLimit struct {
	line, household, all *minuteLimit // nil for no limit
}

func newByteLimit(counts *sharedCounts, perAddress, all int) (b byteLimit) {
	bound := func(name string, bytes int) *minuteLimit {
		a := counts.minute("report bytes of "+name, bytes)
		return &a
	}
	if perAddress > 0 {
		b.line, b.household = bound("a line", perAddress), bound("a household", perAddress*linesOfHousehold)
	}
	if all > 0 {
		b.all = bound("all", all)
	}
	return b
}

// spend counts bytes from the request's address, or counts none and returns a fault with the time to wait.
func (b byteLimit) spend(ctx context.Context, bytes int) error {
	if bytes <= 0 {
		return nil
	}
	const network, server = "Your network has reached the limit for this minute.", "The server has reached its limit for this minute."
	address := originOf(ctx)
	bounds := []struct {
		*minuteLimit
		key, reached string
	}{{b.line, lineOf(address), network}, {b.household, householdOf(address), network}, {b.all, "", server}}
	r := new(http.Request).WithContext(httprate.WithIncrement(ctx, bytes))
	for i, bound := range bounds {
		if bound.minuteLimit == nil || !bound.rate.OnLimit(unseen{}, r, bound.key) {
			continue
		}
		for _, counted := range bounds[:i] {
			if counted.minuteLimit != nil {
				counted.giveBack(counted.key, bytes)
			}
		}
		wait, ever := bound.wait(bound.key, bytes, time.Now().UTC())
		if !ever {
			wait = time.Minute
		}
		return fault.Wait(wait, bound.reached+" Please try again in %s.", inSeconds(wait))
	}
	return nil
}
