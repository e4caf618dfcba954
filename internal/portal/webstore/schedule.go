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
)
