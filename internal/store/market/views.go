package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// maxTraitValues is the maximum number of values that TraitCounts returns of a trait.
const maxTraitValues = 50

// TraitCounts returns the traits of a collection's listings; see market.Store.
func (db Store) TraitCounts(ctx context.Context, collection string) (out []market.TraitCount, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.TraitCounts(ctx, collection)
		for _, r := range rows {
			if n := len(out); n == 0 || out[n-1].Trait != r.Trait {
				out = append(out, market.TraitCount{Trait: r.Trait})
			}
			if last := &out[len(out)-1]; len(last.Values) < maxTraitValues {
				last.Values = append(last.Values, market.ValueCount{Value: r.Value, Listed: r.Listings})
			}
		}
		return err
	})
	return out, err
}

// salesScan is the maximum number of sales that are read for one page.
const salesScan = 500

// Sales returns a page of the last sales; see market.Store.
func (db Store) Sales(ctx context.Context, collection, after string, limit int) (out []market.Sale, next string, err error) {
	p := gen.SalesParams{Before: math.MaxInt64, PageSize: int64(limit + 1)}
	if after != "" {
		var position string
		if p.Before, position, err = cursor.DecodeRank("sales", after); err != nil {
			return nil, "", err
		}
		if _, err := fmt.Sscanf(position, "%d %d %d", &p.Chain, &p.Block, &p.Log); err != nil {
			return nil, "", cursor.Invalid()
		}
	}
	if collection != "" {
		p.PageSize = salesScan
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		out, next = nil, ""
		rows, err := q.Sales(ctx, p)
		if err != nil {
			return err
		}
		for i, r := range rows {
			if collection != "" && r.Collection != collection {
				if i == salesScan-1 {
					next = salesCursor(r.Sale)
				}
				continue
			}
			if len(out) == limit {
				next = salesCursor(rows[i-1].Sale)
				break
			}
			s, err := soldOf(r)
			if err != nil {
				return err
			}
			out = append(out, s)
			if i == salesScan-1 {
				next = salesCursor(r.Sale)
			}
		}
		return nil
	})
	return out, next, err
}

// salesCursor returns the cursor of the page after a sale.
func salesCursor(s gen.Sale) string {
	return cursor.EncodeRank("sales", column.Millis(s.Time.Time), fmt.Sprintf("%d %d %d", s.ChainID, s.BlockNumber, s.LogIndex))
}

// Figures returns the figures of tokens; see market.Store.
func (db Store) Figures(ctx context.Context, tokens []market.TokenKey, now time.Time) (out []market.Figures, err error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	s := figuresQuery(store.Padded(tokens), now)
	rows, err := db.Prepared().QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return nil, store.Classify(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var f market.Figures
		var floor, last string
		if err := rows.Scan(&f.Contract, &f.TokenID, &f.Offers, &floor, &last); err != nil {
			return nil, err
		}
		if f.Floor, err = store.UnitsOrNil(floor); err != nil {
			return nil, err
		}
		if f.LastSale, err = store.UnitsOrNil(last); err != nil {
			return nil, err
		}
		// The list's last token is repeated.
		if len(out) == 0 || out[len(out)-1].TokenKey != f.TokenKey {
			out = append(out, f)
		}
	}
	return out, store.Classify(rows.Err())
}

// figuresQuery returns the statement of Figures. Each figure is an index search that stops early.
func figuresQuery(tokens []market.TokenKey, now time.Time) *store.SQLText {
	s := &store.SQLText{}
	offers := func() {
		s.Add(" FROM listing o WHERE o.browsable = 1 AND o.contract = k.column1 AND o.token_id = k.column2")
		live(s, "o", store.Begun(now), column.At(now))
	}
	s.Add("SELECT k.column1, k.column2, (SELECT COUNT(*) FROM (SELECT 1 AS n")
	offers()
	s.Add(fmt.Sprintf(" LIMIT %d) m), COALESCE((SELECT o.price", market.MaxOffers))
	offers()
	s.Add(" ORDER BY o.price_rank, o.id LIMIT 1), ''), COALESCE((SELECT s.unit_price FROM sale s" +
		" WHERE s.contract = k.column1 AND s.token_id = k.column2 AND s.currency <> '0x0000000000000000000000000000000000000000'" +
		" ORDER BY s.time DESC, s.block_number DESC, s.log_index DESC LIMIT 1), '') FROM (VALUES ")
	for i, t := range tokens {
		if i > 0 {
			s.Add(", ")
		}
		s.Add("(?, ?)", t.Contract, t.TokenID)
	}
	s.Add(") k")
	return s
}

func soldOf(r gen.SalesRow) (s market.Sale, err error) {
	s.Trade = tradeOf(r.Sale)
	s.Token = market.Token{
		Contract: r.Sale.Contract, TokenID: r.Sale.TokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity,
	}
	return s, json.Unmarshal([]byte(r.Attributes), &s.Token.Attributes)
}
