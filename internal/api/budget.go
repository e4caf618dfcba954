package api

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"pantheon/internal/kit/fault"
)

// budget bounds how many bytes come in within a minute: from one line, from one household, which has no more than
// linesOfHousehold times as many, and from all together. Its zero value bounds nothing.
type budget struct {
	line, household, all *httprate.RateLimiter // nil for no bound
}

func newBudget(perAddress, all int) (b budget) {
	if perAddress > 0 {
		b.line, b.household = httprate.NewRateLimiter(perAddress, time.Minute), httprate.NewRateLimiter(perAddress*linesOfHousehold, time.Minute)
	}
	if all > 0 {
		b.all = httprate.NewRateLimiter(all, time.Minute)
	}
	return b
}

// spend counts bytes from the request's address, or refuses them.
func (b budget) spend(ctx context.Context, bytes int) error {
	if bytes <= 0 {
		return nil
	}
	r := new(http.Request).WithContext(httprate.WithIncrement(ctx, bytes))
	isOver := func(rate *httprate.RateLimiter, key string) bool {
		return rate != nil && rate.OnLimit(unseen{}, r, key)
	}
	address := originOf(ctx)
	switch {
	case isOver(b.line, lineOf(address)), isOver(b.household, householdOf(address)):
		return fault.Wait(time.Minute, "Your network has sent as much as we take in a minute. Please try again in a minute.")
	case isOver(b.all, ""):
		return fault.Wait(time.Minute, "We have received as much as we take in a minute. Please try again in a minute.")
	}
	return nil
}
