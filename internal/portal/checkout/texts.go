package checkout

// What players read of an order that has ended otherwise than complete.
const (
	ReleasedText     = "Your cart changed, so this order ended. Nothing was charged."
	HoldEndedText    = "The hold ran out before you paid. Nothing was charged."
	GoneText         = "Something in this order is no longer for sale. Nothing was charged."
	UncoveredText    = "Your wallet no longer has the money for this order. Nothing was charged."
	MovingText       = "The game is moving to a new chain, so this order ended. Nothing was charged."
	PriceChangedText = "A price changed, so this order ended. Nothing was charged."
	replacedText     = "Replaced by a newer order."
	cancelledText    = "You cancelled this order. Nothing was charged."
	notPaidText      = "The order was not paid in time. Nothing was charged."
	partlyText       = "Some of the items had gone. You paid only for what you got."
	refusedText      = "The chain refused the purchase. You were not charged."
)
