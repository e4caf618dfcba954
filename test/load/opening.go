package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/test/player"
)

// The number of players, and the packs that each opens, one at a time.
const (
	openers  = 3
	packsFor = 16
)

// newcomerPacks is the number of packs that each of the newcomers opens.
const newcomerPacks = 3

// openingSteps are the states of an opening's reward, in their order, and when each is reached. An opening may pass several
// between two looks at it.
var openingSteps = []struct{ state, name string }{
	{"burned", "in a block"}, {"settled", "settled"}, {"drawn", "drawn"}, {"sending", "mint sent"}, {"done", "done"},
}

// openings measures openings of one pack each, from the click on "Open" to the message that shows the card: the signed burn,
// its acceptance by the relay, the states of the reward as its player sees them, and the message. Every opening must end
// done.
func (p *portal) openings(ctx context.Context) ([]stage, error) {
	stages := openingStages()
	for _, who := range p.players {
		if err := buyPacks(ctx, who, packsFor); err != nil {
			return nil, fmt.Errorf("packs: %w", err)
		}
	}
	for _, who := range p.players {
		listen, stop := context.WithCancel(ctx)
		messages, err := who.Messages(listen)
		if err == nil {
			err = openAll(ctx, who, messages, packsFor, stages)
		}
		stop()
		if err != nil {
			return nil, err
		}
	}
	return stages, nil
}

func openingStages() []stage {
	stages := []stage{{name: "burn signed"}, {name: "relay has it"}}
	for _, s := range openingSteps {
		stages = append(stages, stage{name: s.name})
	}
	return append(stages, stage{name: "message received: yours"})
}

// newcomers measures the openings of players who have all registered at once, buy packs as soon as their welcome money is there,
// and open them at the same time. The last stage is by how much the chain's newest block leads the clock, every 100 ms.
func (p *portal) newcomers(ctx context.Context) ([]stage, error) {
	all, lead := openingStages(), stage{name: "(the chain leads the clock by)"}
	watch, stop := context.WithCancel(ctx)
	var watching errgroup.Group
	watching.Go(func() error {
		for tick := time.NewTicker(100 * time.Millisecond); ; {
			select {
			case <-watch.Done():
				tick.Stop()
				return nil
			case <-tick.C:
				head, err := p.players[0].Head(watch)
				if err == nil {
					lead.times = append(lead.times, max(0, time.Until(head)))
				} else if watch.Err() == nil {
					return err
				}
			}
		}
	})
	opened := make([][]stage, len(p.players))
	var opening errgroup.Group
	for i, who := range p.players {
		opening.Go(func() error {
			if err := buyPacks(ctx, who, newcomerPacks); err != nil {
				return fmt.Errorf("packs: %w", err)
			}
			listen, stop := context.WithCancel(ctx)
			defer stop()
			messages, err := who.Messages(listen)
			if err != nil {
				return err
			}
			opened[i] = openingStages()
			return openAll(ctx, who, messages, newcomerPacks, opened[i])
		})
	}
	err := opening.Wait()
	stop()
	if err = errors.Join(err, watching.Wait()); err != nil {
		return nil, err
	}
	for _, stages := range opened {
		for i := range all {
			all[i].times = append(all[i].times, stages[i].times...)
		}
	}
	return append(all, lead), nil
}

// general is the id of general packs' token.
const general = "1"

// buyPacks buys a number of general packs and waits until they are the player's.
func buyPacks(ctx context.Context, who *player.Player, packs int) error {
	if err := funded(ctx, who); err != nil {
		return err
	}
	if err := who.Call(ctx, http.MethodPost, "/api/auth/packs/confirm-age", nil, nil); err != nil {
		return err
	}
	listings, err := who.Listings(ctx, "chests", 100)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(listings, func(l player.Listing) bool { return l.TokenID == general })
	if i < 0 {
		return fmt.Errorf("none of %d listings is of general packs", len(listings))
	}
	for range packs {
		if err := who.Hold(ctx, listings[i]); err != nil {
			return err
		}
	}
	order, err := who.Checkout(ctx)
	if err != nil {
		return err
	}
	op, err := who.Prepare(ctx, order.Calls)
	if err != nil {
		return err
	}
	if _, err := who.Send(ctx, op); err != nil {
		return err
	}
	return settled(ctx, who, order)
}

// openAll opens a number of the player's packs one by one and adds their times to the stages.
func openAll(ctx context.Context, who *player.Player, messages <-chan player.Message, packs int, stages []stage) error {
	yours := make(chan time.Time, 1) // the message may come before the state is seen
	go func() {
		defer close(yours)
		for m := range messages {
			if m.ChannelID == "kod-pack" && m.Type == "open" {
				select {
				case yours <- time.Now():
				case <-ctx.Done():
				}
			}
		}
	}()
	held, err := who.Holdings(ctx, "listPacks")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(held, func(h player.Holding) bool { return h.TokenID == general })
	if i < 0 {
		return errors.New("the player has no packs")
	}
	for range packs {
		// Blocks and rounds have times in whole seconds: burns must not begin at the same fraction of one.
		select {
		case <-time.After(rand.N(time.Second)):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := openOne(ctx, who, who.BurnCall(player.Burn{Contract: held[i].Contract, TokenID: 1, Amount: 1}), yours, stages); err != nil {
			return err
		}
	}
	return nil
}

// busy reports whether the player's operation before is not settled yet.
func busy(err error) bool {
	var refused *player.RPCError
	return errors.As(err, &refused) && strings.Contains(refused.Message, "still on its way")
}

func openOne(ctx context.Context, who *player.Player, burn player.Call, yours <-chan time.Time, stages []stage) error {
	before, err := who.Rewards(ctx, "pack")
	if err != nil {
		return err
	}
	began := time.Now()
	lap := func(stage int, at time.Time) { stages[stage].times = append(stages[stage].times, at.Sub(began)) }
	op, err := who.Prepare(ctx, []player.Call{burn})
	for ; busy(err); op, err = who.Prepare(ctx, []player.Call{burn}) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		began = time.Now()
	}
	if err != nil {
		return err
	}
	lap(0, time.Now())
	if _, err := who.Send(ctx, op); err != nil {
		return err
	}
	lap(1, time.Now())
	for reached := 0; reached < len(openingSteps); {
		rewards, err := who.Rewards(ctx, "pack")
		switch {
		case err != nil:
			return err
		case time.Since(began) > 30*time.Second:
			return fmt.Errorf("an opening is not done after 30 s: %+v", rewards)
		case len(rewards) == len(before):
			continue
		}
		now, newest := time.Now(), rewards[0]
		at := slices.IndexFunc(openingSteps, func(s struct{ state, name string }) bool { return s.state == newest.State })
		if at < 0 {
			return fmt.Errorf("an opening ended %s: %s", newest.State, newest.Message)
		}
		for ; reached <= at; reached++ {
			lap(2+reached, now)
		}
	}
	select {
	case at, ok := <-yours:
		if !ok {
			return errors.New("the connection for messages was lost")
		}
		lap(2+len(openingSteps), at)
		return nil
	case <-time.After(30 * time.Second):
		return errors.New("no message for an opening")
	case <-ctx.Done():
		return ctx.Err()
	}
}
