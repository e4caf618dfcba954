package app

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store"
)

// newTrades returns the service that bounds the risk of trades. The demo sellers are the portal's own: it has their keys.
func newTrades(b *base, demoSellers map[eth.Address]string, people *people) (*traderisk.Service, error) {
	limits := traderisk.Limits{
		Chain: b.game, Currency: b.usdc, Symbol: b.currency().Symbol,
		Decimals: b.currency().Decimals,
		Own:      slices.Collect(maps.Keys(demoSellers)),
		Unique: func(contract eth.Address) bool {
			return slices.ContainsFunc(b.goods, func(c collection) bool { return c.address == contract && c.Standard == onchain.ERC721 })
		},
	}
	limits.Own = append(limits.Own, b.wallets.addresses()...)
	for _, amount := range []struct {
		name, value string
		to          *money.Units
	}{
		{"TRADE_RISK_PER_DAY", b.config.Trades.RiskPerDay, &limits.PerDay}, {"TRADE_RISK_UNKNOWN", b.config.Trades.Unknown, &limits.Unknown},
		{"TRADE_ONE_SELLER", b.config.Trades.OneSeller, &limits.OneSeller},
	} {
		units, err := money.ParseDecimal(amount.value, b.currency().Decimals)
		if err != nil {
			return nil, fmt.Errorf("%s is no amount", amount.name) // validated with the configuration
		}
		*amount.to = units
	}
	return traderisk.New(traderisk.Options{
		Store: store.TradeRisk{DB: b.db, Chain: limits.Chain, Decimals: limits.Decimals}, Approvals: tradeApprovals{people.approvals},
		Accounts: people, Limits: limits,
		Clock: b.clock, Site: b.config.PublicURL,
	}), nil
}

// tradeApprovals are the approvals of trades.
type tradeApprovals struct{ approvals *approval.Service }

func (t tradeApprovals) UseTrade(ctx context.Context, player, digest, use string) (bool, error) {
	_, err := t.approvals.Use(ctx, player, approval.Trade, digest, use)
	if err == nil || err == error(approval.ErrNeeded) {
		return err == nil, nil
	}
	return false, err
}

// tradeDesk weighs what players are about to send.
type tradeDesk struct {
	accounts gas.Accounts
	trades   *traderisk.Service
	game     onchain.ChainID
}

func (d tradeDesk) Assess(ctx context.Context, player string, chain onchain.ChainID,
	calls []gas.Call) (traderisk.Assessment, approval.Act, error) {
	account, err := d.accounts.Account(ctx, player)
	if err != nil {
		return traderisk.Assessment{}, approval.Act{}, err
	}
	if chain != d.game {
		return traderisk.Assessment{}, approval.Act{}, nil
	}
	// The next nonce is not known here. No operation is signed with this one, so that all that was charged counts.
	op := tradesOf(gas.Intent{Player: player, Chain: chain, Sender: account.Smart, Nonce: eth.Quantity{0xff}, Calls: calls})
	a, err := d.trades.Assess(ctx, op)
	return a, approval.Act{Kind: approval.Trade, Digest: op.Digest, Lines: d.trades.Lines(a)}, err
}

// tradeGuard refuses operations whose trades are beyond the player's budget of risk and not approved.
type tradeGuard struct {
	trades *traderisk.Service
	game   onchain.ChainID
	next   gas.Guard
}

func (g tradeGuard) Allow(ctx context.Context, i gas.Intent) error {
	if err := g.next.Allow(ctx, i); err != nil || i.Chain != g.game {
		return err
	}
	return g.trades.Allow(ctx, tradesOf(i))
}

// tradesOf returns what an operation trades.
func tradesOf(i gas.Intent) traderisk.Operation {
	op := traderisk.Operation{Player: i.Player, Wallet: i.Sender, Nonce: i.Nonce, Digest: tradeDigest(i.Chain, i.Calls)}
	for _, o := range gas.Offers(i.Calls) {
		op.Orders = append(op.Orders, traderisk.Order{
			Side: traderisk.Sells, Contract: o.Contract, TokenID: o.TokenID.Big().String(), Quantity: count(o.Quantity), Price: amount(o.Price),
		})
	}
	for _, u := range gas.Updates(i.Calls) {
		op.Orders = append(op.Orders, traderisk.Order{
			Side: traderisk.Sells, Listing: u.ListingID.Big().String(), Quantity: count(u.Quantity), Price: amount(u.Price),
		})
	}
	for _, p := range gas.Purchases(i.Calls) {
		if n := count(p.Quantity); n > 0 {
			op.Orders = append(op.Orders, traderisk.Order{
				Side: traderisk.Buys, Listing: p.ListingID.Big().String(), Quantity: n, Price: amount(p.Total).Div(n),
			})
		}
	}
	return op
}

// tradeDigest identifies the calls that an approval is for.
func tradeDigest(chain onchain.ChainID, calls []gas.Call) string {
	return approval.Digest(fmt.Sprint(chain), string(gas.EncodeCalls(calls)))
}

// amount converts a quantity; every 256-bit one fits.
func amount(q eth.Quantity) money.Units {
	u, _ := money.FromBig(q.Big())
	return u
}

// count converts a number of units, at most the largest int64.
func count(q eth.Quantity) int64 {
	if n, ok := amount(q).Int64(); ok {
		return n
	}
	return math.MaxInt64
}
