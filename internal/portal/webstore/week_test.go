package webstore_test

import (
	"testing"
	"time"

	"pantheon/internal/shop/devshop"
)

// A week of a shop, in steps of ten minutes: its hooks are disabled twice, it is down for an hour, refuses calls for another, loses
// webhooks for a night and sends them twice for a day. Every payment is given once within its time, every refund is settled. The
// short form ends after thirty hours.
// Spec: SHOP-13
func TestWeek_OfAShopThatHasEveryTrouble(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		must(t, c.reconciler.EnsureWebhooks(t.Context()))
		c.poll()
		var want int64
		mended, week, disabled := 0, 7*24*time.Hour, 2
		if testing.Short() {
			week, disabled = 30*time.Hour, 1
		}
		const step = 10 * time.Minute
		for at := time.Duration(0); at < week; at += step {
			day, hour := int(at.Hours())/24, int(at.Hours())%24
			away := day == 2 && hour == 14
			refusing := day == 3 && hour == 9
			failing := (day == 1 || day == 5) && hour < 4
			var trouble devshop.Trouble
			switch {
			case away:
				trouble.Down = true
			case refusing:
				trouble.Refuses = 2
			case day == 4 && hour >= 20:
				trouble.Lose = true
			case day == 6:
				trouble.Twice = true
			}
			c.failing.Store(failing)
			c.shop.SetTrouble(trouble)
			id := c.shop.Place(devshop.NewOrder{Reference: c.referPast("A", 201), Lines: []devshop.NewLine{units(201, 2)}})
			switch n := int(at / step); {
			case n%7 == 6: // never paid
				c.shop.SetStatus(id, "failed")
			case n%5 == 4: // paid, and one of two paid back
				c.shop.SetStatus(id, "processing")
				c.shop.Refund(id, map[int64]int64{c.line(id, 0): 1})
				want += 500
			default:
				c.shop.SetStatus(id, "processing")
				want += 1000
			}
			c.shop.Wait()
			for _, h := range c.shop.Hooks() {
				if h.Status == "disabled" {
					mended++
				}
			}
			// Poll and hooks come every minute and every five minutes; while the shop is away they fail and are retried.
			for range 10 {
				_ = c.reconciler.Poll(t.Context())
				_ = c.reconciler.Step(t.Context())
				_, err := c.rewards.Step(t.Context())
				must(t, err)
				must(t, c.collect.Step(t.Context()))
				c.clock.Advance(step / 10)
			}
			_ = c.reconciler.EnsureWebhooks(t.Context())
			if away || refusing {
				continue // given when the shop answers again
			}
			if has := c.has("A", "ig"); has != want {
				t.Fatalf("day %d, hour %d: %d InfiniGold, want %d", day, hour, has, want)
			}
		}
		if mended < disabled {
			t.Errorf("hooks were disabled %d times, want %d at least", mended, disabled)
		}
		c.want("owed", c.owed("A"), 0)
	})
}

func (c *counter) owed(player string) int64 {
	c.t.Helper()
	debts, err := c.service.Debts(c.t.Context(), player)
	must(c.t, err)
	return owedOf(debts)
}
