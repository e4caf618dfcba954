package app

import (
	"context"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
)

// switchGuard keeps players from doing on chain what is switched off: nothing is burned whose reward is.
type switchGuard struct {
	switches   *flags.Service
	powerPacks eth.Address
	next       gas.Guard
}

func (g switchGuard) Allow(ctx context.Context, i gas.Intent) error {
	effects := gas.EffectsOf(i.Calls)
	power := slices.ContainsFunc(gas.Burns(i.Calls), func(b gas.Burn) bool { return b.Contract == g.powerPacks })
	for _, needs := range []struct {
		flag string
		is   bool
	}{{flags.AllowPurchase, effects.Buys}, {flags.AllowListing, effects.Lists}, {flags.AllowOpening, effects.Burns}, {flags.PowerPacks, power}} {
		if !needs.is {
			continue
		}
		if err := g.switches.Require(ctx, needs.flag, i.Player); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// holdGuard keeps players from buying units that others hold.
type holdGuard struct {
	cart *cart.Service
	game onchain.ChainID
}

func (g holdGuard) Allow(ctx context.Context, i gas.Intent) error {
	if i.Chain != g.game {
		return nil
	}
	wanted := map[string]int64{}
	for _, p := range gas.Purchases(i.Calls) {
		units, err := money.FromBig(p.Quantity.Big())
		if err != nil {
			return err
		}
		n, ok := units.Int64()
		if !ok {
			return fault.New(fault.Conflict, "There are not that many.").WithReason(cart.ReasonSoldOut)
		}
		wanted[market.Key(i.Chain, p.ListingID.Big().String())] += n
	}
	for listing, n := range wanted {
		if err := g.cart.MayBuy(ctx, i.Player, listing, n); err != nil {
			return err
		}
	}
	return nil
}

// updateGuard keeps sellers from raising prices of what others hold, and from updates that are out of date.
type updateGuard struct {
	cart *cart.Service
	game onchain.ChainID
	next gas.Guard
}

func (g updateGuard) Allow(ctx context.Context, i gas.Intent) error {
	if i.Chain == g.game {
		for _, u := range gas.Updates(i.Calls) {
			price, err := money.FromBig(u.Price.Big())
			if err != nil {
				return err
			}
			quantity, err := money.FromBig(u.Quantity.Big())
			if err != nil {
				return err
			}
			n, ok := quantity.Int64()
			if !ok {
				n = -1 // more than any listing has left
			}
			if err := g.cart.MayUpdate(ctx, market.Key(i.Chain, u.ListingID.Big().String()), price, n); err != nil {
				return err
			}
		}
	}
	return g.next.Allow(ctx, i)
}

// orderGuard allows purchases only as the exact calls of an order that awaits payment.
type orderGuard struct {
	checkout *checkout.Service
	game     onchain.ChainID
	next     gas.Guard
}

func (g orderGuard) Allow(ctx context.Context, i gas.Intent) error {
	if i.Chain == g.game && gas.EffectsOf(i.Calls).Buys {
		paying, err := store.CheckoutCalls(i.Calls)
		if err != nil {
			return err
		}
		if err := g.checkout.MayPay(ctx, i.Player, paying); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}
