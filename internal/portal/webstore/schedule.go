package webstore

import "time"

const (
	// PriceInterval is the interval at which the products' prices are fetched from the shop.
	PriceInterval = 5 * time.Minute
	// HookInterval is the interval at which the webhooks that the shop must have are checked.
	HookInterval = 5 * time.Minute
	// DebtInterval is the interval at which debts are collected.
	DebtInterval = 5 * time.Second
	// hintInterval is the interval at which orders are read again that may have changed.
	hintInterval = time.Second

	// firstRetry is the delay after the first failure to reconcile an order; it doubles with each further one, up to lastRetry.
	firstRetry = time.Second
	lastRetry  = 5 * time.Minute
	// pollOverlap is how far before the last change a poll begins: the shop may have shown changes late.
	pollOverlap = 10 * time.Minute
	// reconciledAfter is how old a change must be for polls to leave it out: the shop's times are in whole seconds, and the order
	// may change again within the same one.
	reconciledAfter = time.Minute
)
