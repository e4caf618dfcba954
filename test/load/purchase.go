package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pantheon/test/player"
)

// The number of players, and the sequential purchases of each.
const (
	buyers    = 3
	purchases = 8
)

// stage is one stage of a purchase; its time is measured from the click.
type stage struct {
	name  string
	times []time.Duration
}

// purchases measures gasless purchases as the page makes them, from the click on "Pay" to the order's end: the order,
// the operation with its sponsorship and signature, its acceptance by the relay, and its inclusion and indexing.
// Every order must end complete.
func (p *portal) purchases(ctx context.Context) ([]stage, error) {
	stages := []stage{{name: "order made"}, {name: "operation signed"}, {name: "relay has it"}, {name: "order complete"}}
	listings, err := p.players[0].Listings(ctx, "avatars", 100)
	if err != nil {
		return nil, err
	}
	for _, who := range p.players { // the chain is busy until all of it has arrived
		if err := funded(ctx, who); err != nil {
			return nil, err
		}
	}
	for i, listing := range listings[:min(buyers*purchases, len(listings))] {
		who := p.players[i%buyers]
		if err := who.Hold(ctx, listing); err != nil {
			return nil, err
		}
		began := time.Now()
		lap := func(stage int) { stages[stage].times = append(stages[stage].times, time.Since(began)) }
		order, err := who.Checkout(ctx)
		if err != nil {
			return nil, err
		}
		lap(0)
		op, err := who.Prepare(ctx, order.Calls)
		if err != nil {
			return nil, err
		}
		lap(1)
		if _, err := who.Send(ctx, op); err != nil {
			return nil, err
		}
		lap(2)
		if err := settled(ctx, who, order); err != nil {
			return nil, err
		}
		lap(3)
	}
	return stages, nil
}

// settled waits until the order is complete.
func settled(ctx context.Context, who *player.Player, order player.Order) (err error) {
	for began := time.Now(); order.State != "complete"; {
		if order, err = who.Order(ctx, order.OrderID); err != nil {
			return err
		}
		if order.State == "failed" || order.State == "expired" || time.Since(began) > 30*time.Second {
			return fmt.Errorf("an order ended %s", order.State)
		}
	}
	return nil
}

// funded waits until the player's test money has arrived, and the index has it: it has both piggy banks, of which one is the
// last of the welcome gifts on the game chain.
func funded(ctx context.Context, who *player.Player) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		amount, err := who.Balance(ctx, who.Config.Currency.Address, who.Smart)
		if err != nil {
			return err
		}
		banks, err := who.Holdings(ctx, "listPiggyBanks")
		if err != nil || amount != "0" && len(banks) == 2 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func printStages(stages []stage) {
	fmt.Println("\n| from the click until | p50 | p99 |\n|---|---|---|")
	for _, s := range stages {
		slices.Sort(s.times)
		fmt.Printf("| %s | %s | %s |\n", s.name, round(s.times[len(s.times)/2]), round(s.times[len(s.times)*99/100]))
	}
}
