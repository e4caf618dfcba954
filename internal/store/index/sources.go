package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

const (
	// paymaster is the kind of a source that is no token.
	paymaster = "paymaster"
	// whole is the next block of a source that is read with all others, and unconfigured that of one that is read and not configured.
	whole, unconfigured = -1, -2
	// unsettled is how many units have lapsed of an active listing that is not valid whatever its backing: its token is not read up to
	// the cursor, or is not configured.
	unsettled = -1
	// settledAtOnce is how many listings one transaction settles.
	settledAtOnce = 200
)

// Resume returns how far the chain's index is. Tokens and paymasters that it was not read from are added to it: the history of tokens
// is read by AddHistory. Tokens that are no longer configured are read on, and not for sale. An index of another base, or with a token of
// another standard, is an error and stays as it is; with rebuild it is discarded. Resume must be called before ApplyBatch.
func (x *Index) Resume(ctx context.Context, chain onchain.ChainID, s onchain.Sources, rebuild bool) (p onchain.Progress, err error) {
	err = x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		p = onchain.Progress{Tokens: map[eth.Address]onchain.Standard{}, Added: map[eth.Address]onchain.AddedToken{}}
		if err := tx.InsertChainCursor(ctx, gen.InsertChainCursorParams{ChainID: chain, Sources: s.Digest}); err != nil {
			return err
		}
		row, err := tx.ChainCursor(ctx, chain)
		if err != nil {
			return err
		}
		known, err := sourcesOf(ctx, tx.Queries, chain)
		if err != nil {
			return err
		}
		if row.BlockNumber >= 0 {
			err := differs(row, known, s)
			if err != nil && !rebuild {
				return err
			}
			if err != nil {
				if err := x.change(tx, chain).reset(ctx); err != nil {
					return err
				}
				row.BlockNumber, known = -1, map[eth.Address]gen.ChainSource{}
			} else {
				cursor := blockOf(row.BlockNumber, row.BlockHash, row.BlockTime)
				p.Cursor = &cursor
			}
		}
		if err := x.change(tx, chain).skipUnrewarded(ctx); err != nil {
			return err
		}
		if err := extend(ctx, tx, row, known, s); err != nil {
			return err
		}
		for a, source := range known {
			switch {
			case source.Kind == paymaster:
				if len(s.Paymasters) > 0 {
					p.Paymasters = append(p.Paymasters, a)
				}
			case source.NextBlock < 0:
				p.Tokens[a] = onchain.Standard(source.Kind)
			default:
				p.Added[a] = onchain.AddedToken{Standard: onchain.Standard(source.Kind), Next: uint64(source.NextBlock)}
			}
		}
		p.Generation, err = tx.SetChainSources(ctx, gen.SetChainSourcesParams{ChainID: chain, Base: s.Base, Sources: s.Digest})
		return err
	})
	return p, err
}

// Fits returns why Resume would refuse to go on with the sources, without changing anything; nil if it would not.
func (x *Index) Fits(ctx context.Context, chain onchain.ChainID, s onchain.Sources) error {
	return x.db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ChainCursor(ctx, chain)
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.BlockNumber < 0 {
			return nil
		}
		if err != nil {
			return err
		}
		known, err := sourcesOf(ctx, q, chain)
		if err != nil {
			return err
		}
		return differs(row, known, s)
	})
}

// extend adds to an index's known sources what is configured, and notes which tokens are not.
func extend(ctx context.Context, tx *store.Tx, row gen.ChainCursor, known map[eth.Address]gen.ChainSource, s onchain.Sources) error {
	put := func(a eth.Address, kind string, next int64) error {
		was, ok := known[a]
		known[a] = gen.ChainSource{ChainID: row.ChainID, Contract: a, Kind: kind, NextBlock: next}
		switch {
		case !ok:
			return tx.InsertChainSource(ctx, gen.InsertChainSourceParams(known[a]))
		case was.NextBlock != next:
			return tx.SetChainSource(ctx, gen.SetChainSourceParams{ChainID: row.ChainID, Contract: a, NextBlock: next})
		}
		return nil
	}
	next := int64(whole)
	if row.Base != "" && row.BlockNumber >= int64(s.Start) {
		next = int64(s.Start)
	}
	for a, standard := range s.Tokens {
		at := next
		if was, ok := known[a]; ok {
			at = max(was.NextBlock, whole)
		}
		if err := put(a, string(standard), at); err != nil {
			return err
		}
	}
	for a, was := range known {
		if _, ok := s.Tokens[a]; !ok && was.Kind != paymaster && was.NextBlock == whole {
			if err := put(a, was.Kind, unconfigured); err != nil {
				return err
			}
		}
	}
	for _, a := range s.Paymasters { // what one paid for before it was configured was not the portal's
		if _, ok := known[a]; ok {
			continue
		}
		if err := errors.Join(put(a, paymaster, whole), tx.RaiseChainGeneration(ctx, row.ChainID)); err != nil {
			return err
		}
	}
	return nil
}

func sourcesOf(ctx context.Context, q *gen.Queries, chain onchain.ChainID) (map[eth.Address]gen.ChainSource, error) {
	rows, err := q.ChainSources(ctx, chain)
	known := make(map[eth.Address]gen.ChainSource, len(rows))
	for _, r := range rows {
		known[r.Contract] = r
	}
	return known, err
}

// differs returns an error unless an index can go on with the sources.
func differs(row gen.ChainCursor, known map[eth.Address]gen.ChainSource, s onchain.Sources) error {
	const advice = "correct the settings, or replace the index with pantheon index rebuild"
	switch {
	case row.Base == "" && row.Sources != s.Digest:
		return fmt.Errorf("the index of chain %d was read from other contracts: %s", row.ChainID, advice)
	case row.Base != "" && row.Base != s.Base:
		return fmt.Errorf("the index of chain %d was read from %s; configured is %s: %s", row.ChainID, row.Base, s.Base, advice)
	}
	for a, standard := range s.Tokens {
		if was, ok := known[a]; ok && was.Kind != string(standard) {
			return fmt.Errorf("the index of chain %d has %s as %s; configured is %s: %s", row.ChainID, a, was.Kind, standard, advice)
		}
	}
	return nil
}

// AddHistory adds what was read of added tokens from the range of blocks after what was read of them before, and moves them on, all in
// one transaction: once they are at the cursor, they are read with all others, and SettleHistory must be called. Nothing of it is
// announced. It returns fault.Conflict for a batch that does not build on what was read of these tokens, or that is beyond the cursor.
func (x *Index) AddHistory(ctx context.Context, b onchain.Batch, tokens map[eth.Address]onchain.Standard) error {
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		cursor, err := tx.LockChainCursor(ctx, b.Chain)
		if err != nil {
			return err
		}
		last := b.Blocks[len(b.Blocks)-1]
		hash := cursor.BlockHash
		if int64(b.To) < cursor.BlockNumber {
			known, err := tx.ChainBlock(ctx, gen.ChainBlockParams{ChainID: b.Chain, Number: int64(b.To)})
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			hash = cmp.Or(known.Hash, last.Hash)
		}
		if int64(b.To) > cursor.BlockNumber || last.Hash != hash {
			return errOutOfStep
		}
		next := int64(b.To) + 1
		if int64(b.To) == cursor.BlockNumber {
			next = whole
		}
		moved, err := tx.AdvanceChainSources(ctx, gen.AdvanceChainSourcesParams{ChainID: b.Chain, FromBlock: int64(b.From), NextBlock: next})
		if err != nil {
			return err
		}
		if moved != int64(len(tokens)) {
			return errOutOfStep
		}
		if next == whole {
			if err := tx.RaiseChainGeneration(ctx, b.Chain); err != nil {
				return err
			}
		}
		c := x.change(tx, b.Chain)
		c.quiet, c.from, c.to, c.at, c.added = true, int64(b.From), int64(b.To), last.Time, tokens
		if err := c.addFacts(ctx, b); err != nil {
			return err
		}
		if err := c.follow(ctx); err != nil {
			return err
		}
		return c.refreshMetadata(ctx, b.Metadata)
	})
}

// SettleHistory settles some of the listings of tokens that were added, once they are read up to the cursor, and of tokens that are no
// longer configured: the former become valid if they are backed, the latter are no longer for sale. It reports whether there may be more.
func (x *Index) SettleHistory(ctx context.Context, chain onchain.ChainID) (more bool, err error) {
	err = x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.LockChainCursor(ctx, chain); err != nil {
			return err
		}
		c := x.change(tx, chain)
		rows, err := tx.UnconfiguredListings(ctx, gen.UnconfiguredListingsParams{ChainID: chain, Batch: settledAtOnce})
		if err == nil && len(rows) == 0 {
			c.quiet = true
			rows, err = tx.UnsettledListings(ctx, gen.UnsettledListingsParams{ChainID: chain, Batch: settledAtOnce})
		}
		if err != nil || len(rows) == 0 {
			return err
		}
		more = true
		for _, row := range rows {
			c.touch(row.Seller, row.Contract, row.TokenID) // with what covers it
		}
		return c.follow(ctx)
	})
	return more, err
}

// nextOf returns the next block of the source that an active listing's token is; whole for any other listing.
func (c *change) nextOf(ctx context.Context, f market.Folded) (int64, error) {
	if !f.Exists() || f.Status != market.Active {
		return whole, nil
	}
	if c.known == nil {
		var err error
		if c.known, err = sourcesOf(ctx, c.tx.Queries, c.chain); err != nil {
			return 0, err
		}
	}
	source, ok := c.known[f.Contract]
	if !ok {
		return whole, nil
	}
	if c.added[f.Contract] != "" { // read before its last range was noted
		return max(source.NextBlock, 0), nil
	}
	return source.NextBlock, nil
}

// historicEvent prepares an event of a listing of which the history is added: it returns the operations of its block, which were read
// before, and reports whether the event is one of the added tokens. A cancellation names no token: it was stored without one when its
// block was read first, and is now stored again.
func (c *change) historicEvent(ctx context.Context, e onchain.ListingEvent) (belongs bool, ops []onchain.UserOperationEvent, err error) {
	if e.Kind == onchain.ListingCancelled {
		s, err := c.stateOf(ctx, e.ListingID)
		if err != nil || !s.now.Exists() || c.added[s.now.Contract] == "" {
			return false, nil, err
		}
		err = c.tx.DeleteListingEvent(ctx, gen.DeleteListingEventParams{
			ChainID: c.chain, BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex),
		})
		if err != nil {
			return false, nil, err
		}
	}
	ops, err = c.operationsOf(ctx, e.Block)
	return true, ops, err
}

// operationsOf returns the operations of a block.
func (c *change) operationsOf(ctx context.Context, block uint64) (ops []onchain.UserOperationEvent, err error) {
	rows, err := c.tx.UserOperationEventsOfBlock(ctx, gen.UserOperationEventsOfBlockParams{ChainID: c.chain, BlockNumber: int64(block)})
	for _, r := range rows {
		op := onchain.UserOperationEvent{Hash: r.OpHash, Sender: r.Sender, Success: bool(r.Success)}
		op.Block, op.LogIndex, op.Tx = uint64(r.BlockNumber), uint32(r.LogIndex), r.TxHash
		ops = append(ops, op)
	}
	return ops, err
}
