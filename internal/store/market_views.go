package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// maxTraitValues is the maximum number of values that TraitCounts returns of a trait.
const maxTraitValues = 50

// TraitCounts returns the traits of a collection's listings; see market.Store.
func (db *DB) TraitCounts(ctx context.Context, collection string) (out []market.TraitCount, err error) {
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
func (db *DB) Sales(ctx context.Context, collection, cursor string, limit int) (out []market.Sale, next string, err error) {
	p := gen.SalesParams{Before: math.MaxInt64, PageSize: int64(limit + 1)}
	if cursor != "" {
		var position string
		if p.Before, position, err = decodeCursor("sales", cursor); err != nil {
			return nil, "", err
		}
		if _, err := fmt.Sscanf(position, "%d %d %d", &p.Chain, &p.Block, &p.Log); err != nil {
			return nil, "", fault.InvalidFields("This page of the list does not exist.", fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
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
	return encodeCursor("sales", s.Time, fmt.Sprintf("%d %d %d", s.ChainID, s.BlockNumber, s.LogIndex))
}

func soldOf(r gen.SalesRow) (s market.Sale, err error) {
	if s.Trade, err = tradeOf(r.Sale); err != nil {
		return s, err
	}
	s.Token = market.Token{TokenID: r.Sale.TokenID, Collection: r.Collection, Name: r.Name, Kind: r.Kind, Rarity: r.Rarity}
	if err := s.Token.Contract.Scan(r.Sale.Contract); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(r.Attributes), &s.Token.Attributes)
}
