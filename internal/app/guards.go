package app

import (
	"context"
	"slices"

	"pantheon/internal/api"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/selling"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/portal/webstore"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
	shopstore "pantheon/internal/store/webstore"
)

// newGuard returns the rules that every operation of a player must follow before it is signed and before it is sent.
func newGuard(b *base, money api.WithdrawalOptions, people *people, carts api.CartOptions, trades *traderisk.Service,
	packs *packs.Service) gas.Guard {
	l := b.config.Listings
	listings := selling.NewService(selling.Options{
		Store: marketstore.Selling{DB: b.db, Chain: b.game}, Clock: b.clock, Symbol: b.currency().Symbol, Decimals: b.currency().Decimals,
		Limits: selling.Limits{MinPrice: l.Price(b.currency().Decimals), AtOnce: l.AtOnce, Live: l.Live},
	})
	var g gas.Guard = holdGuard{carts.Cart, packs, b.game}
	g = tradeGuard{trades, b.game, g}
	g = orderGuard{carts.Checkout, b.game, g}
	g = sellGuard{listings, b.game, g}
	g = withdrawalGuard{money.Withdrawals, g}
	g = deletionGuard{people, g}
	g = arrearsGuard{shopstore.New(b.db), g}
	g = debtGuard{money.Debts, g}
	g = switchGuard{b.switches, named(b.goods, "power-packs").address, g}
	return moveGuard{b.frozen, b.usdc, g}
}

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
	}{
		{flags.AllowPurchase, effects.Buys}, {flags.AllowListing, effects.Lists}, {flags.AllowOpening, effects.Burns},
		{flags.PowerPacks, power},
	} {
		if !needs.is {
			continue
		}
		if err := g.switches.Require(ctx, needs.flag, i.Player); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// debtGuard allows transfers to the portal only as the payment of all that their player owes; nothing else stands against those.
type debtGuard struct {
	payments *webstore.Payments
	next     gas.Guard
}

func (g debtGuard) Allow(ctx context.Context, i gas.Intent) error {
	if p, ok := paymentOf(i.Chain, i.Calls); ok && g.payments.Takes(p) {
		return g.payments.MayPay(ctx, i.Player, p)
	}
	return g.next.Allow(ctx, i)
}

// paymentOf returns the payment that calls make; ok is false if they make none, or anything besides.
func paymentOf(chain onchain.ChainID, calls []gas.Call) (p webstore.Payment, ok bool) {
	of, ok := gas.PaymentOf(calls)
	if !ok {
		return p, false
	}
	amount, err := money.FromBig(of.Amount.Big())
	return webstore.Payment{Chain: chain, Token: of.Token, To: of.To, Amount: amount}, err == nil
}

// arrearsGuard keeps players from turning into money what their cards paid for, while they owe for it or dispute the payment: what
// they buy may be an accomplice's.
type arrearsGuard struct {
	store webstore.ArrearsStore
	next  gas.Guard
}

func (g arrearsGuard) Allow(ctx context.Context, i gas.Intent) error {
	if e := gas.EffectsOf(i.Calls); e.Lists || e.Sends || e.Buys {
		if err := webstore.CheckArrears(ctx, g.store, i.Player); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// deletionGuard keeps players whose accounts are about to be deleted from buying and listing. What they have they can withdraw.
type deletionGuard struct {
	accounts interface {
		MayTrade(ctx context.Context, playerID string) error
	}
	next gas.Guard
}

func (g deletionGuard) Allow(ctx context.Context, i gas.Intent) error {
	if e := gas.EffectsOf(i.Calls); e.Lists || e.Buys {
		if err := g.accounts.MayTrade(ctx, i.Player); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// holdGuard keeps players from buying units that others hold, and packs whose drop tables are not fixed.
type holdGuard struct {
	cart  *cart.Service
	packs *packs.Service
	game  onchain.ChainID
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
		if err := g.packs.MaySell(ctx, listing); err != nil {
			return err
		}
	}
	return nil
}

// sellGuard keeps sellers to the rules of listings.
type sellGuard struct {
	selling *selling.Service
	game    onchain.ChainID
	next    gas.Guard
}

func (g sellGuard) Allow(ctx context.Context, i gas.Intent) error {
	if i.Chain == g.game && gas.EffectsOf(i.Calls).Lists {
		op, err := sellingOf(i.Calls)
		if err != nil {
			return err
		}
		if err := g.selling.Allow(ctx, i.Player, op); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// sellingOf returns what calls do with listings and with what they are of.
func sellingOf(calls []gas.Call) (op selling.Operation, err error) {
	units := func(q eth.Quantity) (u money.Units) {
		if err == nil {
			u, err = money.FromBig(q.Big())
		}
		return u
	}
	for _, o := range gas.Offers(calls) {
		op.Offers = append(op.Offers, selling.Offer{
			Token: selling.Token{Contract: o.Contract, ID: o.TokenID.Big().String()}, Quantity: units(o.Quantity), Price: units(o.Price),
		})
	}
	for _, u := range gas.Updates(calls) {
		op.Changes = append(op.Changes, selling.Change{Listing: u.ListingID.Big().String(), Quantity: units(u.Quantity), Price: units(u.Price)})
	}
	_, cancelled := gas.Listings(calls)
	for _, id := range cancelled {
		op.Cancelled = append(op.Cancelled, id.Big().String())
	}
	op.Leaving = map[selling.Token]money.Units{}
	for _, b := range gas.Leaving(calls) {
		token := selling.Token{Contract: b.Contract, ID: b.TokenID.Big().String()}
		if sum, e := op.Leaving[token].Add(units(b.Amount)); e == nil {
			op.Leaving[token] = sum
		}
	}
	return op, err
}

// orderGuard allows purchases only as the exact calls of an order that awaits payment.
type orderGuard struct {
	checkout *checkout.Service
	game     onchain.ChainID
	next     gas.Guard
}

func (g orderGuard) Allow(ctx context.Context, i gas.Intent) error {
	if i.Chain == g.game && gas.EffectsOf(i.Calls).Buys {
		paying, err := cartstore.CheckoutCalls(i.Calls)
		if err != nil {
			return err
		}
		if err := g.checkout.MayPay(ctx, i.Player, paying); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}
