package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"math/big"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// TradeRisk is the store of package traderisk for the market on one chain.
type TradeRisk struct {
	*DB
	Chain    onchain.ChainID
	Decimals int // of the market's currency
}

var _ traderisk.Store = TradeRisk{}

// Listing returns a listing; see traderisk.Store.
func (t TradeRisk) Listing(ctx context.Context, number string) (l traderisk.Listing, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TradedListing(ctx, gen.TradedListingParams{ID: market.Key(t.Chain, number), Now: column.At(t.clock.Now())})
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such listing.")
		}
		if err != nil {
			return err
		}
		l = traderisk.Listing{Contract: r.Contract, TokenID: r.TokenID, Seller: r.Seller, Price: r.Price, Live: r.Live == 1}
		return nil
	})
	return l, err
}

// Token returns a token; see traderisk.Store.
func (t TradeRisk) Token(ctx context.Context, contract eth.Address, tokenID string) (token traderisk.Token, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TradedToken(ctx, gen.TradedTokenParams{Contract: contract, TokenID: tokenID})
		token = traderisk.Token{Name: r.Name, Rarity: r.Rarity}
		return NotFound(err, "There is no such item.")
	})
	return token, err
}

// Sales returns sales of a kind; see traderisk.Store.
func (t TradeRisk) Sales(ctx context.Context, k traderisk.Kind, currency eth.Address,
	f traderisk.SaleFilter) (sales []traderisk.Sale, err error) {
	own := make([]string, len(f.Own))
	for i, a := range f.Own {
		own[i] = a.String()
	}
	wallets := strings.Join(own, " ")
	err = t.Read(ctx, func(q *gen.Queries) error {
		var rows []gen.SalesOfTokenRow
		var err error
		if k.TokenID != "" {
			rows, err = q.SalesOfToken(ctx, gen.SalesOfTokenParams{
				Contract: k.Contract, TokenID: k.TokenID, Currency: currency, Since: column.At(f.Since),
				MinAge: f.MinAge.Milliseconds(), Own: wallets,
			})
		} else {
			var rare []gen.SalesOfRarityRow
			rare, err = q.SalesOfRarity(ctx, gen.SalesOfRarityParams{
				Contract: k.Contract, Currency: currency, Rarity: k.Rarity, Since: column.At(f.Since),
				MinAge: f.MinAge.Milliseconds(), Own: wallets,
			})
			for _, r := range rare {
				rows = append(rows, gen.SalesOfTokenRow(r))
			}
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			sales = append(sales, traderisk.Sale{
				Seller: traderisk.Party{Wallet: r.Seller, Since: column.Of(r.SellerSince)},
				Buyer:  traderisk.Party{Wallet: r.Buyer, Since: column.Of(r.BuyerSince)},
				Price:  r.UnitPrice, Time: r.Time.Time,
			})
		}
		return nil
	})
	return sales, err
}

// Offers returns what can be bought of a kind; see traderisk.Store.
func (t TradeRisk) Offers(ctx context.Context, k traderisk.Kind, currency eth.Address) (offers []traderisk.Offer, err error) {
	now := column.At(t.clock.Now())
	err = t.Read(ctx, func(q *gen.Queries) error {
		var rows []gen.OffersOfTokenRow
		var err error
		if k.TokenID != "" {
			rows, err = q.OffersOfToken(ctx, gen.OffersOfTokenParams{
				Contract: k.Contract, TokenID: k.TokenID, Currency: currency, Now: now,
			})
		} else {
			var rare []gen.OffersOfRarityRow
			rare, err = q.OffersOfRarity(ctx, gen.OffersOfRarityParams{
				Contract: k.Contract, Rarity: k.Rarity, Currency: currency, Now: now,
			})
			for _, r := range rare {
				rows = append(rows, gen.OffersOfTokenRow(r))
			}
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			offers = append(offers, traderisk.Offer{
				Seller: traderisk.Party{Wallet: r.Seller, Since: column.Of(r.SellerSince)}, Price: r.Price,
			})
		}
		return nil
	})
	return offers, err
}

// Deals returns what a wallet has traded; see traderisk.Store.
func (t TradeRisk) Deals(ctx context.Context, wallet, currency eth.Address, since time.Time) (deals []traderisk.Deal, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		sold, err := q.SalesBySeller(ctx, gen.SalesBySellerParams{
			Seller: wallet, Currency: currency, Since: column.At(since), Cut: t.cut(),
		})
		if err != nil {
			return err
		}
		for _, r := range sold {
			total, err := t.whole(r.Total)
			if err != nil {
				return err
			}
			deals = append(deals, traderisk.Deal{With: r.Buyer, Total: total})
		}
		bought, err := q.SalesToBuyer(ctx, gen.SalesToBuyerParams{
			Buyer: wallet, Currency: currency, Since: column.At(since), Cut: t.cut(),
		})
		if err != nil {
			return err
		}
		for _, r := range bought {
			total, err := t.whole(r.Total)
			if err != nil {
				return err
			}
			deals = append(deals, traderisk.Deal{With: r.Seller, Total: total})
		}
		return nil
	})
	return deals, err
}

// Bought returns what a wallet has bought of a token; see traderisk.Store.
func (t TradeRisk) Bought(ctx context.Context, wallet, contract eth.Address, tokenID string,
	currency eth.Address) (b traderisk.Bought, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.BoughtUnits(ctx, gen.BoughtUnitsParams{
			Buyer: wallet, Contract: contract, TokenID: tokenID, Currency: currency,
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if b.Units += r.Quantity; r.UnitPrice.Cmp(b.Highest) > 0 {
				b.Highest = r.UnitPrice
			}
		}
		h, err := q.Holding(ctx, gen.HoldingParams{
			ChainID: t.Chain, Contract: contract, TokenID: tokenID, Owner: wallet,
		})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		b.Held, _ = h.Amount.Int64()
		return nil
	})
	return b, err
}

// Used returns what a player's other operations have used; see traderisk.Store.
func (t TradeRisk) Used(ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity,
	since time.Time) (u traderisk.Used, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		u, err = t.used(ctx, q, player, wallet, nonce, since)
		return err
	})
	return u, err
}

func (t TradeRisk) used(ctx context.Context, q *gen.Queries, player string, wallet eth.Address, nonce eth.Quantity,
	since time.Time) (u traderisk.Used, err error) {
	risk, err := q.TradeRiskUsed(ctx, gen.TradeRiskUsedParams{
		PlayerID: player, Wallet: wallet, Nonce: nonce.String(), Since: column.At(since),
	})
	if err != nil {
		return u, err
	}
	if u.Risk, err = t.whole(risk); err != nil {
		return u, err
	}
	u.Paid = map[eth.Address]money.Units{}
	rows, err := q.TradePayments(ctx, gen.TradePaymentsParams{
		PlayerID: player, Wallet: wallet, Nonce: nonce.String(), Since: column.At(since),
	})
	if err != nil {
		return u, err
	}
	for _, r := range rows {
		if u.Paid[r.Seller], err = t.whole(r.Amount); err != nil {
			return u, err
		}
	}
	return u, nil
}

// Charge records a charge under the player's lock; see traderisk.Store. It also deletes what counts no longer.
func (t TradeRisk) Charge(
	ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity, since time.Time,
	decide func(traderisk.Used) (traderisk.Charge, error),
) error {
	return t.WriteLocked(ctx, player, func(ctx context.Context, tx *Tx) error {
		used, err := t.used(ctx, tx.Queries, player, wallet, nonce, since)
		if err != nil {
			return err
		}
		c, err := decide(used)
		if err != nil {
			return err
		}
		if err := tx.PostIf(ctx, c.Notice); err != nil {
			return err
		}
		if risk := t.parts(c.Risk); risk > 0 {
			err := tx.ChargeTradeRisk(ctx, gen.ChargeTradeRiskParams{
				PlayerID: player, Wallet: wallet, Nonce: nonce.String(), Risk: risk, ChargedAt: column.At(c.At),
			})
			if err != nil {
				return err
			}
		}
		for seller, amount := range c.Paid {
			n := t.parts(amount)
			err := tx.ChargeTradePayment(ctx, gen.ChargeTradePaymentParams{
				PlayerID: player, Wallet: wallet, Nonce: nonce.String(), Seller: seller, Amount: n, ChargedAt: column.At(c.At),
			})
			if err != nil {
				return err
			}
		}
		return errors.Join(
			tx.ForgetTradeRisk(ctx, gen.ForgetTradeRiskParams{PlayerID: player, Before: column.At(since)}),
			tx.ForgetTradePayments(ctx, gen.ForgetTradePaymentsParams{PlayerID: player, Before: column.At(since)}),
		)
	})
}

// riskDecimals is the maximum number of decimals of stored amounts, so that their sums fit 63 bits.
const riskDecimals = 6

// cut returns the number of the currency's decimals that are not stored.
func (t TradeRisk) cut() int32 { return int32(max(0, t.Decimals-riskDecimals)) }

// scale returns the number of base units in a stored unit.
func (t TradeRisk) scale() int64 {
	scale := int64(1)
	for range t.cut() {
		scale *= 10
	}
	return scale
}

// parts converts an amount to stored units, rounded up and capped.
func (t TradeRisk) parts(u money.Units) int64 {
	b := u.Big()
	scale := big.NewInt(t.scale())
	b.Add(b, new(big.Int).Sub(scale, big.NewInt(1))).Div(b, scale)
	if !b.IsInt64() || b.Int64() > math.MaxInt64/1_000_000 { // so that sums of a million fit
		return math.MaxInt64 / 1_000_000
	}
	return b.Int64()
}

// whole converts stored units to an amount.
func (t TradeRisk) whole(n int64) (money.Units, error) { return money.FromInt(n).Mul(t.scale()) }
