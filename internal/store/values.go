package store

import (
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// HashOrNil returns nil for the zero hash, which stands for none.
func HashOrNil(h eth.Hash) *eth.Hash {
	if h.IsZero() {
		return nil
	}
	return &h
}

// UnitsOrNil parses a stored amount; nil for an empty text.
func UnitsOrNil(text string) (*money.Units, error) {
	if text == "" {
		return nil, nil
	}
	u, err := money.Parse(text)
	return &u, err
}
