package rewards

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// WaitingOpenings returns the first openings of each kind that are not drawn; see packs.OpeningStore.
func (db Store) WaitingOpenings(ctx context.Context, limit int) (out []packs.Opening, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.WaitingOpenings(ctx, int64(limit))
		anchors := map[int64]packs.RecordAnchor{}
		for _, r := range rows {
			o, err := anchoredOpening(ctx, q, r.Opening, anchors)
			if err != nil {
				return err
			}
			o.GiveAt = column.Of(r.GiveAt)
			out = append(out, o)
		}
		return err
	})
	return out, err
}

// UnknownPacks returns the tokens of openings whose tables are not known; see packs.OpeningStore.
func (db Store) UnknownPacks(ctx context.Context) (tokens []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		tokens, err = q.UnknownPacks(ctx)
		return err
	})
	return tokens, err
}

// KnowOpenings sets kind and edition of openings whose table was not known; see packs.OpeningStore.
func (db Store) KnowOpenings(ctx context.Context, t draw.Table) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return KnowOpenings(ctx, tx, t.Kind, t.Edition, t.Token)
	})
}

// KnowOpenings sets kind and edition of a token's openings whose table was not known. They take new places: what was drawn meanwhile
// has not counted them.
func KnowOpenings(ctx context.Context, tx *store.Tx, kind string, edition int, token string) error {
	place, err := NextPlace(ctx, tx)
	if err != nil {
		return err
	}
	ids, err := tx.UnknownOpenings(ctx, token)
	if err != nil {
		return err
	}
	for i, id := range ids {
		err := tx.KnowOpening(ctx, gen.KnowOpeningParams{Kind: kind, Edition: int64(edition), Place: place + int64(i), ID: id})
		if err != nil {
			return err
		}
	}
	return nil
}

// DrawOpening draws the next opening; see packs.OpeningStore.
func (db Store) DrawOpening(ctx context.Context, o packs.Opening, t draw.Table, fn func(draw.Luck) (packs.Drawn, error)) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		earlier, err := tx.OpeningsWaitingBefore(ctx, gen.OpeningsWaitingBeforeParams{Kind: o.Kind, Place: o.Place})
		if err != nil {
			return err
		}
		if earlier > 0 {
			return fault.New(fault.Conflict, "An earlier opening has not been drawn.")
		}
		before, err := luck(ctx, tx, o, t)
		if err != nil {
			return err
		}
		d, err := fn(before)
		if err != nil {
			return err
		}
		at := tx.Clock().Now()
		n, err := tx.Queries.DrawOpening(ctx, gen.DrawOpeningParams{
			DropID: d.Drop, Rank: int64(d.Rank), Receipt: string(d.Receipt), ID: o.ID, At: column.At(at),
		})
		if n == 0 || err != nil {
			return err
		}
		if err := countDraw(ctx, tx, o, d); err != nil {
			return err
		}
		return drawReward(ctx, tx, o.ID, d.Detail, d.Grants, at)
	})
}

// luck returns what came before an opening and counts for it by a table.
func luck(ctx context.Context, tx *store.Tx, o packs.Opening, t draw.Table) (draw.Luck, error) {
	before := draw.Luck{Given: map[string]int64{}}
	if t.Pity != nil {
		ranks, err := tx.RanksOf(ctx, gen.RanksOfParams{
			Wallet: o.Wallet, Kind: o.Kind, Place: o.Place, Limit: int32(t.Pity.After),
		})
		if err != nil {
			return before, err
		}
		lucky := func(rank int64) bool { return rank >= int64(t.Pity.Rarity.Rank()) }
		if before.Without = int64(slices.IndexFunc(ranks, lucky)); before.Without < 0 {
			before.Without = int64(len(ranks))
		}
	}
	items, err := tx.ItemsGiven(ctx, o.Kind)
	for _, i := range items {
		before.Given[i.Item] = i.Units
	}
	return before, err
}

// countDraw counts a draw and what it gives.
func countDraw(ctx context.Context, tx *store.Tx, o packs.Opening, d packs.Drawn) error {
	count := gen.CountDropParams{Kind: o.Kind, Edition: int64(o.Edition), DropID: d.Drop, Drawn: 1}
	if d.Hit == d.Drop {
		count.Hit = 1
	}
	if err := tx.CountDrop(ctx, count); err != nil {
		return err
	}
	if d.Hit != "" && d.Hit != d.Drop {
		if err := tx.CountDrop(ctx, gen.CountDropParams{Kind: o.Kind, Edition: int64(o.Edition), DropID: d.Hit, Hit: 1}); err != nil {
			return err
		}
	}
	for _, item := range slices.Sorted(maps.Keys(d.Items)) {
		if err := tx.GiveItem(ctx, gen.GiveItemParams{Kind: o.Kind, Item: item, Units: d.Items[item]}); err != nil {
			return err
		}
	}
	return nil
}

// NextPlace returns the place of the next opening. Until the transaction ends, no other takes a place.
func NextPlace(ctx context.Context, tx *store.Tx) (int64, error) {
	if err := lockOpenings(ctx, tx); err != nil {
		return 0, err
	}
	last, err := tx.LastPlace(ctx)
	return last + 1, err
}

// lockOpenings waits until no other transaction adds openings or records of payments.
func lockOpenings(ctx context.Context, tx *store.Tx) error {
	if tx.Engine() == store.SQLite { // whose writes are serialized
		return nil
	}
	return tx.LockOpenings(ctx)
}

// FailOpening ends an opening that can never be drawn; see packs.OpeningStore.
func (db Store) FailOpening(ctx context.Context, id, reason string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.FailOpening(ctx, gen.FailOpeningParams{Error: reason, ID: id})
		if n == 0 || err != nil {
			return err
		}
		return failReward(ctx, tx, id, reason, tx.Clock().Now())
	})
}

// Opening returns an opening; see packs.OpeningStore.
func (db Store) Opening(ctx context.Context, id string) (o packs.Opening, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Opening(ctx, id)
		if err != nil {
			return store.NotFound(err, "There is no such opening.")
		}
		o, err = anchoredOpening(ctx, q, r, map[int64]packs.RecordAnchor{})
		return err
	})
	return o, err
}

// anchoredOpening reads an opening with the anchor that decides it. anchors holds those that were read before.
func anchoredOpening(ctx context.Context, q *gen.Queries, r gen.Opening, anchors map[int64]packs.RecordAnchor) (packs.Opening, error) {
	o, err := openingOf(r)
	if r.Anchor == 0 || err != nil {
		return o, err
	}
	anchor, ok := anchors[r.Anchor]
	if !ok {
		row, err := q.RecordAnchor(ctx, r.Anchor)
		if err != nil {
			return o, err
		}
		if anchor, err = recordAnchorOf(row); err != nil {
			return o, err
		}
		anchors[r.Anchor] = anchor
	}
	o.Anchor = anchor
	return o, nil
}

// Given returns the parts of what an opening has drawn; see packs.OpeningStore.
func (db Store) Given(ctx context.Context, id string) (out []packs.Given, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		grants, err := q.RewardGrants(ctx, id)
		if err != nil {
			return err
		}
		for _, g := range grants {
			given, err := givenOf(ctx, q, g)
			if err != nil {
				return err
			}
			out = append(out, given)
		}
		return nil
	})
	return out, err
}

func givenOf(ctx context.Context, q *gen.Queries, g gen.RewardGrant) (out packs.Given, err error) {
	out.State = g.State
	if g.Kind == reward.KindCurrency {
		var c reward.Currency
		err := json.Unmarshal([]byte(g.Detail), &c)
		out.Currency, out.Amount = c.Code, strconv.FormatInt(c.Amount, 10)
		return out, err
	}
	var m reward.Mint
	if err := json.Unmarshal([]byte(g.Detail), &m); err != nil {
		return out, err
	}
	out.Chain, out.Contract, out.TokenID, out.Amount = m.Chain, m.Contract, m.TokenID, m.Amount.String()
	t, err := q.GasTransaction(ctx, reward.Grant{Source: g.Source, Number: int(g.Number), Redone: int(g.Redone)}.ID())
	if errors.Is(err, sql.ErrNoRows) || err == nil && t.State != gas.TransactionMined {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Tx = t.TxHash
	return out, nil
}

// Tally returns what was drawn so far and what waits; see packs.OpeningStore.
func (db Store) Tally(ctx context.Context) (t packs.Tally, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		t = packs.Tally{
			Drops: map[packs.DropKey]packs.DropTally{}, Given: map[string]map[string]int64{}, Waiting: map[string]packs.Waiting{},
		}
		counts, err := q.DropCounts(ctx)
		if err != nil {
			return err
		}
		for _, c := range counts {
			t.Drops[packs.DropKey{Kind: c.Kind, Edition: int(c.Edition), Drop: c.DropID}] = packs.DropTally{Drawn: c.Drawn, Hit: c.Hit}
		}
		items, err := q.AllItemsGiven(ctx)
		if err != nil {
			return err
		}
		for _, i := range items {
			if t.Given[i.Kind] == nil {
				t.Given[i.Kind] = map[string]int64{}
			}
			t.Given[i.Kind][i.Item] = i.Units
		}
		waiting, err := q.OpeningsWaiting(ctx)
		for _, w := range waiting {
			t.Waiting[w.Kind] = packs.Waiting{Openings: w.Waiting, Since: column.Of(w.Since)}
		}
		return err
	})
	return t, err
}

// KeepTables compares the drop tables with those kept from earlier starts and keeps the new ones; see packs.OpeningStore.
func (db Store) KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error) error {
	return db.Write(ctx, KeepTables(tables, follows))
}

// KeepTables returns what Store.KeepTables does in a transaction.
func KeepTables(tables []draw.Table, follows func(kept []draw.Table) error) func(context.Context, *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		check := func() error {
			kept, err := keptTables(ctx, tx.Queries)
			if err != nil {
				return err
			}
			return follows(kept)
		}
		if err := check(); err != nil {
			return err
		}
		for _, t := range tables {
			err := tx.InsertDropTable(ctx, gen.InsertDropTableParams{
				Kind: t.Kind, Edition: int64(t.Edition), Canonical: string(t.Canonical()), CreatedAt: column.At(tx.Clock().Now()),
			})
			if err != nil {
				return err
			}
		}
		if tx.Engine() == store.SQLite || len(tables) == 0 {
			return nil
		}
		// Another process may have kept other tables meanwhile, for which the insertions have waited.
		return check()
	}
}

// KeptTables returns the drop tables that were known; see packs.OpeningStore.
func (db Store) KeptTables(ctx context.Context) (kept []draw.Table, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		kept, err = keptTables(ctx, q)
		return err
	})
	return kept, err
}

func keptTables(ctx context.Context, q *gen.Queries) ([]draw.Table, error) {
	rows, err := q.DropTables(ctx)
	if err != nil {
		return nil, err
	}
	kept := make([]draw.Table, len(rows))
	for i, r := range rows {
		if kept[i], err = draw.ParseTable([]byte(r.Canonical)); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func openingOf(r gen.Opening) (o packs.Opening, err error) {
	o = packs.Opening{
		ID: r.ID, Kind: r.Kind, Edition: int(r.Edition), Record: uint64(r.Record), At: r.BlockTime.Time, Place: r.Place,
		Round: uint64(r.Round),
		Drop:  r.DropID, Receipt: []byte(r.Receipt), DrawnAt: r.DrawnAt.Time, Error: r.Error,
	}
	if r.Shop != "" {
		p := draw.Purchase{Shop: r.Shop, Order: uint64(r.ShopOrder), Line: uint64(r.ShopLine), Unit: uint64(r.ShopUnit)}
		nonce, err := eth.ParseHash(r.Nonce)
		p.Nonce = nonce
		o.Origin = p
		return o, err
	}
	o.Origin = draw.Burn{Chain: r.ChainID, Tx: r.TxHash, LogIndex: uint64(r.LogIndex), Number: uint64(r.Number)}
	o.BurnedPack = packs.BurnedPack{
		Contract: r.Contract, TokenID: r.TokenID, Wallet: r.Wallet, Block: uint64(r.BlockNumber), BlockHash: r.BlockHash,
		Margin: time.Duration(r.Margin) * time.Second,
	}
	return o, nil
}

// Anchors returns the tables that wallets of the portal have fixed; see packs.FixedStore.
func (db Store) Anchors(ctx context.Context) (out []packs.Anchor, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TableAnchors(ctx)
		for _, r := range rows {
			hash, err := eth.ParseHash(r.Hash)
			if err != nil {
				return err
			}
			out = append(out, packs.Anchor{Hash: hash, Fixed: packs.Fixed{
				Chain: r.ChainID, By: draw.ByWallet, Address: r.Wallet, Tx: r.TxHash, Block: uint64(r.Block), At: r.BlockTime.Time,
			}})
		}
		return err
	})
	return out, err
}

// KeepAnchor records a table that a wallet of the portal has fixed; see packs.FixedStore.
func (db Store) KeepAnchor(ctx context.Context, a packs.Anchor) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertTableAnchor(ctx, gen.InsertTableAnchorParams{
			Hash: eth.Hash(a.Hash).String(), ChainID: a.Chain, Wallet: a.Address, TxHash: a.Tx,
			Block: int64(a.Block), BlockTime: column.At(a.At),
		})
	})
}

var (
	_ packs.OpeningStore = Store{}
	_ packs.FixedStore   = Store{}
)
