package woocommerce

import (
	"context"
	"strings"

	"pantheon/internal/kit/fault"
)

// Receiver takes webhooks. It is safe for concurrent use.
type Receiver struct {
	Secret string
	// Hint records that an order may have changed.
	Hint func(ctx context.Context, order int64) error
	// Refused is called for each webhook without a valid signature.
	Refused func()
}

// Take takes a webhook with the values of its headers. A webhook of an order is recorded before Take returns; the ping of a new
// hook and other topics are ignored. It returns fault.Unauthorized without a valid signature, of which nothing is kept.
func (r *Receiver) Take(ctx context.Context, topic, signature string, body []byte) error {
	if signature == "" && IsPing(body) {
		return nil
	}
	if !IsSigned(body, signature, r.Secret) {
		r.Refused()
		return fault.New(fault.Unauthorized, "The signature is missing or wrong.")
	}
	if !strings.HasPrefix(topic, "order.") {
		return nil
	}
	id := OrderOf(body)
	if id == 0 { // the poll finds the order; a refusal would count as a failure, after some of which the shop disables the hook
		return nil
	}
	return r.Hint(ctx, id)
}
