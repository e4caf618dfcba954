package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store/gen"
)

// TradeRisk is the store of package traderisk for the market on one chain.
type TradeRisk struct {
	*DB
	Chain onchain.ChainID
}

var _ traderisk.Store = TradeRisk{}

// Listing returns a listing; see traderisk.Store.
func (t TradeRisk) Listing(ctx context.Context, number string) (l traderisk.Listing, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TradedListing(ctx, gen.TradedListingParams{ID: market.Key(t.Chain, number), Now: millis(t.clock.Now())})
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such listing.")
		}
		if err != nil {
			return err
		}
		l.TokenID, l.Live = r.TokenID, r.Live == 1
		return scanAll(scan{&l.Contract, r.Contract}, scan{&l.Seller, r.Seller}, scan{&l.Price, r.Price})
	})
	return l, err
}

// Token returns a token; see traderisk.Store.
func (t TradeRisk) Token(ctx context.Context, contract eth.Address, tokenID string) (token traderisk.Token, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		r, err := q.TradedToken(ctx, gen.TradedTokenParams{Contract: contract.String(), TokenID: tokenID})
		token = traderisk.Token{Name: r.Name, Rarity: r.Rarity}
		return notFound(err, "There is no such item.")
	})
	return token, err
}

// Sales returns sales of a kind; see traderisk.Store.
func (t TradeRisk) Sales(ctx context.Context, k traderisk.Kind, currency eth.Address, f traderisk.SaleFilter) (sales []traderisk.Sale, err error) {
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
				Contract: k.Contract.String(), TokenID: k.TokenID, Currency: currency.String(), Since: millis(f.Since),
				MinAge: f.MinAge.Milliseconds(), Own: wallets,
			})
		} else {
			var rare []gen.SalesOfRarityRow
			rare, err = q.SalesOfRarity(ctx, gen.SalesOfRarityParams{
				Contract: k.Contract.String(), Currency: currency.String(), Rarity: k.Rarity, Since: millis(f.Since),
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
			s := traderisk.Sale{
				Time:   moment(r.Time),
				Seller: traderisk.Party{Since: moment(r.SellerSince)}, Buyer: traderisk.Party{Since: moment(r.BuyerSince)},
			}
			if err := scanAll(scan{&s.Seller.Wallet, r.Seller}, scan{&s.Buyer.Wallet, r.Buyer}, scan{&s.Price, r.UnitPrice}); err != nil {
				return err
			}
			sales = append(sales, s)
		}
		return nil
	})
	return sales, err
}

// Offers returns what can be bought of a kind; see traderisk.Store.
func (t TradeRisk) Offers(ctx context.Context, k traderisk.Kind, currency eth.Address) (offers []traderisk.Offer, err error) {
	now := millis(t.clock.Now())
	err = t.Read(ctx, func(q *gen.Queries) error {
		var rows []gen.OffersOfTokenRow
		var err error
		if k.TokenID != "" {
			rows, err = q.OffersOfToken(ctx, gen.OffersOfTokenParams{
				Contract: k.Contract.String(), TokenID: k.TokenID, Currency: currency.String(), Now: now,
			})
		} else {
			var rare []gen.OffersOfRarityRow
			rare, err = q.OffersOfRarity(ctx, gen.OffersOfRarityParams{
				Contract: k.Contract.String(), Rarity: k.Rarity, Currency: currency.String(), Now: now,
			})
			for _, r := range rare {
				rows = append(rows, gen.OffersOfTokenRow(r))
			}
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			o := traderisk.Offer{Seller: traderisk.Party{Since: moment(r.SellerSince)}}
			if err := scanAll(scan{&o.Seller.Wallet, r.Seller}, scan{&o.Price, r.Price}); err != nil {
				return err
			}
			offers = append(offers, o)
		}
		return nil
	})
	return offers, err
}

// Deals returns what a wallet has traded; see traderisk.Store.
func (t TradeRisk) Deals(ctx context.Context, wallet, currency eth.Address, since time.Time) (deals []traderisk.Deal, err error) {
	add := func(with string, total int64) error {
		d := traderisk.Deal{Total: money.FromInt(total)}
		err := d.With.Scan(with)
		deals = append(deals, d)
		return err
	}
	err = t.Read(ctx, func(q *gen.Queries) error {
		sold, err := q.SalesBySeller(ctx, gen.SalesBySellerParams{Seller: wallet.String(), Currency: currency.String(), Since: millis(since)})
		if err != nil {
			return err
		}
		for _, r := range sold {
			if err := add(r.Buyer, r.Total); err != nil {
				return err
			}
		}
		bought, err := q.SalesToBuyer(ctx, gen.SalesToBuyerParams{Buyer: wallet.String(), Currency: currency.String(), Since: millis(since)})
		if err != nil {
			return err
		}
		for _, r := range bought {
			if err := add(r.Seller, r.Total); err != nil {
				return err
			}
		}
		return nil
	})
	return deals, err
}

// Bought returns what a wallet has bought of a token; see traderisk.Store.
func (t TradeRisk) Bought(ctx context.Context, wallet, contract eth.Address, tokenID string, currency eth.Address) (b traderisk.Bought, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.BoughtUnits(ctx, gen.BoughtUnitsParams{
			Buyer: wallet.String(), Contract: contract.String(), TokenID: tokenID, Currency: currency.String(),
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			var price money.Units
			if err := price.Scan(r.UnitPrice); err != nil {
				return err
			}
			if b.Units += r.Quantity; price.Cmp(b.Highest) > 0 {
				b.Highest = price
			}
		}
		h, err := q.Holding(ctx, gen.HoldingParams{
			ChainID: int64(t.Chain), Contract: contract.String(), TokenID: tokenID, Owner: wallet.String(),
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var held money.Units
		if err := held.Scan(h.Amount); err != nil {
			return err
		}
		b.Held, _ = held.Int64()
		return nil
	})
	return b, err
}

// Used returns what a player's other operations have used; see traderisk.Store.
func (t TradeRisk) Used(ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity, since time.Time) (u traderisk.Used, err error) {
	err = t.Read(ctx, func(q *gen.Queries) error {
		u, err = tradeRiskUsed(ctx, q, player, wallet, nonce, since)
		return err
	})
	return u, err
}

func tradeRiskUsed(ctx context.Context, q *gen.Queries, player string, wallet eth.Address, nonce eth.Quantity, since time.Time) (u traderisk.Used, err error) {
	risk, err := q.TradeRiskUsed(ctx, gen.TradeRiskUsedParams{PlayerID: player, Wallet: wallet.String(), Nonce: nonce.String(), Since: millis(since)})
	if err != nil {
		return u, err
	}
	u.Risk, u.Paid = money.FromInt(risk), map[eth.Address]money.Units{}
	rows, err := q.TradePayments(ctx, gen.TradePaymentsParams{PlayerID: player, Wallet: wallet.String(), Nonce: nonce.String(), Since: millis(since)})
	if err != nil {
		return u, err
	}
	for _, r := range rows {
		var seller eth.Address
		if err := seller.Scan(r.Seller); err != nil {
			return u, err
		}
		u.Paid[seller] = money.FromInt(r.Amount)
	}
	return u, nil
}

// Charge records a charge under the player's lock; see traderisk.Store. It also deletes what counts no longer.
func (t TradeRisk) Charge(
	ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity, since time.Time, decide func(traderisk.Used) (traderisk.Charge, error),
) error {
	return t.inHoldTurn(ctx, player, func(ctx context.Context, tx *Tx) error {
		used, err := tradeRiskUsed(ctx, tx.Queries, player, wallet, nonce, since)
		if err != nil {
			return err
		}
		c, err := decide(used)
		if err != nil {
			return err
		}
		if err := tx.postIf(ctx, c.Notice); err != nil {
			return err
		}
		if risk, _ := c.Risk.Int64(); risk > 0 {
			err := tx.ChargeTradeRisk(ctx, gen.ChargeTradeRiskParams{
				PlayerID: player, Wallet: wallet.String(), Nonce: nonce.String(), Risk: risk, ChargedAt: millis(c.At),
			})
			if err != nil {
				return err
			}
		}
		for seller, amount := range c.Paid {
			n, _ := amount.Int64()
			err := tx.ChargeTradePayment(ctx, gen.ChargeTradePaymentParams{
				PlayerID: player, Wallet: wallet.String(), Nonce: nonce.String(), Seller: seller.String(), Amount: n, ChargedAt: millis(c.At),
			})
			if err != nil {
				return err
			}
		}
		return errors.Join(
			tx.ForgetTradeRisk(ctx, gen.ForgetTradeRiskParams{PlayerID: player, Before: millis(since)}),
			tx.ForgetTradePayments(ctx, gen.ForgetTradePaymentsParams{PlayerID: player, Before: millis(since)}),
		)
	})
}
