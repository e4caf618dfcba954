package checkout_test

import (
	"slices"
	"testing"

	"pantheon/internal/portal/checkout"
)

// Browsers and databases depend on these names of the states.
func TestOrder_StatesHaveTheirNames(t *testing.T) {
	t.Parallel()
	got := []checkout.State{
		checkout.AwaitingPayment, checkout.Submitted, checkout.Confirming, checkout.Complete, checkout.PartlyComplete, checkout.Failed,
		checkout.Expired,
	}
	if want := []checkout.State{
		"awaiting-payment", "submitted", "confirming", "complete", "partly-complete", "failed", "expired",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Reasons why an unpaid order ended, as shown to the player.
func TestOrder_SaysWhyItEnded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		checkout.ReleasedText:     "Your cart changed, so this order ended. Nothing was charged.",
		checkout.HoldEndedText:    "The hold ran out before you paid. Nothing was charged.",
		checkout.GoneText:         "Something in this order is no longer for sale. Nothing was charged.",
		checkout.UncoveredText:    "Your wallet no longer has the money for this order. Nothing was charged.",
		checkout.MovingText:       "The game is moving to a new chain, so this order ended. Nothing was charged.",
		checkout.PriceChangedText: "A price changed, so this order ended. Nothing was charged.",
	} {
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
