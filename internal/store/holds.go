package store

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/portal/cart"
	"pantheon/internal/store/column"
)

// HoldsOf parses the text that a query makes of a listing's holds, and returns them by unit.
func HoldsOf(text string) ([]cart.Hold, error) {
	holds, err := listOf(text, holdOf)
	slices.SortFunc(holds, func(a, b cart.Hold) int { return cmp.Compare(a.Unit, b.Unit) })
	return holds, err
}

// EndedHoldsOf parses the text that a query makes of a player's ended holds, and returns them by the times when they ended.
func EndedHoldsOf(text string) ([]cart.EndedHold, error) {
	holds, err := listOf(text, endedHoldOf)
	slices.SortFunc(holds, func(a, b cart.EndedHold) int { return a.Ended.Compare(b.Ended) })
	return holds, err
}

// listOf parses entries that are separated by commas.
func listOf[T any](text string, entry func(string) (T, error)) (list []T, err error) {
	if text == "" {
		return nil, nil
	}
	list = make([]T, 0, 1+strings.Count(text, ","))
	for part := range strings.SplitSeq(text, ",") {
		e, err := entry(part)
		if err != nil {
			return nil, fmt.Errorf("store: reading %q: %w", part, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// holdOf parses "unit player held_at expires_at".
func holdOf(text string) (h cart.Hold, err error) {
	unit, rest, _ := strings.Cut(text, " ")
	player, rest, _ := strings.Cut(rest, " ")
	held, expires, _ := strings.Cut(rest, " ")
	h.PlayerID = player
	var heldAt, expiresAt int64
	if err := parseInts(parsed{&h.Unit, unit}, parsed{&heldAt, held}, parsed{&expiresAt, expires}); err != nil {
		return h, err
	}
	h.HeldAt, h.ExpiresAt = column.Of(heldAt), column.Of(expiresAt)
	return h, nil
}

// endedHoldOf parses "began_at ended_at bought".
func endedHoldOf(text string) (h cart.EndedHold, err error) {
	began, rest, _ := strings.Cut(text, " ")
	ended, bought, _ := strings.Cut(rest, " ")
	var beganAt, endedAt, isBought int64
	if err := parseInts(parsed{&beganAt, began}, parsed{&endedAt, ended}, parsed{&isBought, bought}); err != nil {
		return h, err
	}
	return cart.EndedHold{Began: column.Of(beganAt), Ended: column.Of(endedAt), Bought: isBought == 1}, nil
}

// parsed is a number in a text, and where it goes.
type parsed struct {
	into *int64
	text string
}

func parseInts(numbers ...parsed) (err error) {
	for _, n := range numbers {
		if *n.into, err = strconv.ParseInt(n.text, 10, 64); err != nil {
			return err
		}
	}
	return nil
}
