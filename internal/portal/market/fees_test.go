package market_test

import (
	"context"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/market"
)

// chainFees answers with fees that change with each question.
type chainFees struct {
	asked int64
	down  bool
}

func (c *chainFees) Fees(context.Context, eth.Address, string) (market.Fees, error) {
	if c.down {
		return market.Fees{}, fault.New(fault.Unavailable, "down")
	}
	c.asked++
	return market.Fees{Platform: 100, Royalty: c.asked}, nil
}

// Spec: MARKET-11
func TestFees_AreAskedOfTheChainOnceInHalfAMinute(t *testing.T) {
	t.Parallel()
	now, chain := clock.NewFake(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)), &chainFees{}
	book, contract := market.NewFeeBook(chain, now), eth.MustAddress("0x0000000000000000000000000000000000001155")
	want := func(tokenID string, royalty int64) {
		t.Helper()
		if f, err := book.Fees(t.Context(), contract, tokenID); err != nil || f != (market.Fees{Platform: 100, Royalty: royalty}) {
			t.Errorf("token %s: %+v, %v; want a royalty of %d", tokenID, f, err, royalty)
		}
	}
	want("1", 1)
	want("2", 2)
	now.Advance(29 * time.Second)
	want("1", 1)
	now.Advance(time.Second)
	want("1", 3)

	chain.down = true
	want("1", 3)
	now.Advance(30 * time.Second)
	if _, err := book.Fees(t.Context(), contract, "1"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("without the chain: %v", err)
	}
}
