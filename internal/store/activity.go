package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Activity is the store of players' activity on the portal's chains.
type Activity struct {
	*DB
	Chains     []onchain.ChainID
	Currencies map[eth.Address]activity.Currency // prices in any other currency are omitted
}

// Entries returns a page of a player's activity; see activity.Store.
func (a Activity) Entries(ctx context.Context, playerID string, wallet eth.Address, before time.Time, id string,
	limit int) (out []activity.Entry, err error) {
	err = a.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Activity(ctx, gen.ActivityParams{
			Wallet: addressOrNone(wallet), PlayerID: playerID, BeforeTime: before.UnixMilli(), BeforeID: id, PageSize: int64(limit),
		})
		if err != nil {
			return err
		}
		out = make([]activity.Entry, len(rows))
		for i, r := range rows {
			if out[i], err = a.entryOf(ctx, q, r); err != nil {
				return err
			}
		}
		return nameOrders(ctx, q, playerID, out)
	})
	return out, err
}

// nameOrders sets the orders of the entries that are purchases. A purchase made outside the portal has none.
func nameOrders(ctx context.Context, q *gen.Queries, playerID string, entries []activity.Entry) error {
	if !slices.ContainsFunc(entries, func(e activity.Entry) bool { return e.Type == activity.Purchase }) {
		return nil
	}
	orders, err := q.PaidOrders(ctx, playerID)
	if err != nil {
		return err
	}
	byTx := make(map[eth.Hash]string, len(orders))
	for _, o := range orders {
		byTx[o.TxHash] = o.ID
	}
	for i, e := range entries {
		if e.Type == activity.Purchase {
			entries[i].OrderID = byTx[e.Tx]
		}
	}
	return nil
}

// addressOrNone returns "none" for the zero address of mints and burns, which matches no row.
func addressOrNone(a eth.Address) string {
	if a.IsZero() {
		return "none"
	}
	return a.String()
}

func (a Activity) entryOf(ctx context.Context, q *gen.Queries, r gen.ActivityRow) (activity.Entry, error) {
	e := activity.Entry{ID: r.ID, Type: activity.Type(r.Kind), At: r.Time.Time, Tx: r.TxHash}
	if e.Type == activity.Login {
		return e, nil
	}
	if e.Type == activity.Reward {
		return e, a.rewarded(ctx, q, r.Detail, &e)
	}
	if e.Type == activity.Withdrawal {
		if err := e.To.Scan(r.Detail); err != nil {
			return e, err
		}
	}
	e.Token = &activity.Token{
		Contract: r.Contract, TokenID: r.TokenID, Collection: r.Collection, Name: r.Name, Kind: r.TokenKind, Rarity: r.Rarity,
	}
	switch {
	case e.Type == activity.Listing:
		var terms onchain.ListingTerms
		if err := json.Unmarshal([]byte(r.Detail), &terms); err != nil {
			return e, err
		}
		e.Quantity, r.Total = money.FromInt(terms.Quantity), terms.PricePerToken
	case e.Type == activity.Unlisting:
		return e, nil
	case e.Type == activity.Withdrawal && !r.Currency.IsZero():
		e.Token = nil
	default:
		var err error
		if e.Quantity, err = money.Parse(r.Amount); err != nil {
			return e, err
		}
	}
	e.Price = a.price(r.Total, r.Currency)
	return e, nil
}

// price is an amount of money; nil for an unknown currency.
func (a Activity) price(amount money.Units, currency eth.Address) *activity.Price {
	c, ok := a.Currencies[currency]
	if !ok {
		return nil
	}
	return &activity.Price{Amount: amount, Currency: c}
}

// rewarded reads a reward; detail is its kind and its own detail.
func (a Activity) rewarded(ctx context.Context, q *gen.Queries, detail string, e *activity.Entry) error {
	kind, detail, _ := strings.Cut(detail, " ")
	if kind == reward.KindCurrency {
		var c reward.Currency
		if err := json.Unmarshal([]byte(detail), &c); err != nil {
			return err
		}
		e.Code, e.Quantity = c.Code, money.FromInt(c.Amount)
		return nil
	}
	if kind != reward.KindMint && kind != reward.KindTransfer {
		return nil
	}
	var m reward.Mint
	if err := json.Unmarshal([]byte(detail), &m); err != nil {
		return err
	}
	if m.Standard == onchain.ERC20 {
		e.Price = a.price(m.Amount, m.Contract)
		return nil
	}
	e.Token, e.Quantity = &activity.Token{Contract: m.Contract, TokenID: m.TokenID}, m.Amount
	t, err := q.TokenByID(ctx, gen.TokenByIDParams{Contract: m.Contract, TokenID: m.TokenID})
	if errors.Is(err, sql.ErrNoRows) {
		return nil // not indexed yet
	}
	e.Token.Collection, e.Token.Name, e.Token.Kind, e.Token.Rarity = t.Collection, t.Name, t.Kind, t.Rarity
	return err
}

// godTrait is the trait that identifies a god across all its castings.
const godTrait = "God"

// Record returns a wallet's record; see activity.Store.
func (a Activity) Record(ctx context.Context, wallet, elderGods eth.Address, n int) (activity.Record, error) {
	r := activity.Record{Received: map[eth.Address]time.Time{}, Burned: map[eth.Address]time.Time{}}
	if wallet.IsZero() { // that of mints and burns
		return r, nil
	}
	err := a.Read(ctx, func(q *gen.Queries) error {
		purchases, err := q.PurchaseTimes(ctx, gen.PurchaseTimesParams{Buyer: wallet, N: int64(n)})
		if err != nil {
			return err
		}
		for _, at := range purchases {
			r.Purchases = append(r.Purchases, at.Time)
		}
		sold, err := q.FirstSaleTime(ctx, wallet)
		if err != nil {
			return err
		}
		listed, err := q.FirstListingTime(ctx, wallet)
		if err != nil {
			return err
		}
		r.Sold, r.Listed = column.Of(sold), column.Of(listed)
		burned, err := q.FirstBurned(ctx, wallet)
		if err != nil {
			return err
		}
		for _, row := range burned {
			firstAt(r.Burned, row.Contract, row.Time)
		}
		for _, chain := range a.Chains {
			if err := receivedOn(ctx, q, chain, wallet, elderGods, &r); err != nil {
				return err
			}
		}
		slices.SortFunc(r.Gods, time.Time.Compare)
		return nil
	})
	return r, err
}

// receivedOn adds what a wallet has received on a chain.
func receivedOn(ctx context.Context, q *gen.Queries, chain onchain.ChainID, wallet, elderGods eth.Address, r *activity.Record) error {
	received, err := q.FirstReceived(ctx, gen.FirstReceivedParams{ChainID: chain, Wallet: wallet})
	if err != nil {
		return err
	}
	for _, row := range received {
		firstAt(r.Received, row.Contract, row.Time)
	}
	gods, err := q.FirstReceivedByTrait(ctx, gen.FirstReceivedByTraitParams{
		ChainID: chain, Trait: godTrait, Wallet: wallet, Contract: elderGods,
	})
	if err != nil {
		return err
	}
	for _, at := range gods {
		r.Gods = append(r.Gods, column.Of(at))
	}
	legend, err := q.FirstReceivedOfRarity(ctx, gen.FirstReceivedOfRarityParams{
		ChainID: chain, Wallet: wallet, AtLeast: int64(activity.LegendRarity.Rank()),
	})
	if at := column.Of(legend); !at.IsZero() && (r.Legend.IsZero() || at.Before(r.Legend)) {
		r.Legend = at
	}
	return err
}

func firstAt(of map[eth.Address]time.Time, contract eth.Address, millis int64) {
	at := column.Of(millis)
	if known := of[contract]; known.IsZero() || at.Before(known) {
		of[contract] = at
	}
}
