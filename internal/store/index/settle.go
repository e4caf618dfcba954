package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// maxCopies is how many openings one transaction records: a burn of more is settled in several.
const maxCopies = 500

// Indexed returns the number of the last block in the index of a chain, and false if there is none.
func (x *Index) Indexed(ctx context.Context, chain onchain.ChainID) (number uint64, ok bool, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ChainCursor(ctx, chain)
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.BlockNumber < 0 {
			return nil
		}
		number, ok = uint64(max(row.BlockNumber, 0)), err == nil
		return err
	})
	return number, ok, err
}

// Complete returns the last block of which all facts are known: a contract that was configured later is read after the others. ok is false
// before the first.
func (x *Index) Complete(ctx context.Context, chain onchain.ChainID) (number uint64, ok bool, err error) {
	if number, ok, err = x.Indexed(ctx, chain); err != nil || !ok {
		return 0, false, err
	}
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		sources, err := q.ChainSources(ctx, chain)
		for _, s := range sources {
			switch {
			case s.NextBlock == 0:
				number, ok = 0, false
			case s.NextBlock > 0:
				number = min(number, uint64(s.NextBlock)-1)
			}
		}
		return err
	})
	return number, ok, err
}

// Movements returns at most limit movements after one, in the order of the chain, that minted tokens or moved those of a wallet with a
// nonce.
func (x *Index) Movements(ctx context.Context, chain onchain.ChainID, after gas.Movement, limit int) (out []gas.Movement, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		log := int64(after.Log)
		if after.Tx.IsZero() {
			log = -1 // before the first of the block
		}
		rows, err := q.TokenMovements(ctx, gen.TokenMovementsParams{
			ChainID: chain, AfterBlock: int64(after.Block), AfterLog: log, AfterSub: int64(after.Sub), Batch: int64(limit),
		})
		for _, r := range rows {
			out = append(out, gas.Movement{Block: uint64(r.BlockNumber), Log: uint64(r.LogIndex), Sub: uint64(r.SubIndex), Tx: r.TxHash})
		}
		return err
	})
	return out, err
}

// UnsettledBurns returns the next burns that are not settled, up to and including block upTo, in chain order. Burns of
// which only a part of the copies is settled are among them. BlockHash is zero if the block is no longer kept.
func (x *Index) UnsettledBurns(ctx context.Context, chain onchain.ChainID, upTo uint64, limit int) (burns []onchain.Burn, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		cursor, err := q.ChainCursor(ctx, chain)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		// What is burned after a snapshot is claimed on another chain.
		switch m, err := q.Move(ctx, chain); {
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return err
		case err == nil && m.BlockNumber >= 0:
			upTo = min(upTo, uint64(m.BlockNumber))
		}
		rows, err := q.UnsettledBurns(ctx, gen.UnsettledBurnsParams{
			ChainID: chain, UpTo: int64(upTo), Limit: int32(limit),
			FromBlock: cursor.SettledBlock, FromLog: cursor.SettledLog, FromSub: cursor.SettledSub,
		})
		for _, r := range rows {
			b := onchain.Burn{Transfer: rewards.TransferOf(r.TokenTransfer)}
			if err := b.BlockHash.Scan(r.BlockHash); err != nil {
				return err
			}
			burns = append(burns, b)
		}
		return err
	})
	return burns, err
}

// SettleBurn records what a burn has earned, and moves on to the next, in one transaction. logIndex is the log's index
// within its transaction. A burn that is gone from the index, or settled already, changes nothing. It reports whether
// anything was earned.
func (x *Index) SettleBurn(ctx context.Context, chain onchain.ChainID, b onchain.Burn, logIndex uint64) (earned bool, err error) {
	err = x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		earned = false
		cursor, err := tx.ChainCursor(ctx, chain)
		if err != nil {
			return err
		}
		at := [3]int64{int64(b.Block), int64(b.LogIndex), int64(b.Sub)}
		settled := [3]int64{cursor.SettledBlock, cursor.SettledLog, cursor.SettledSub}
		if before(at, settled) || b.Block < x.o.Chains[chain].RewardsFrom {
			return nil
		}
		copies := int64(0) // of this entry
		if at == settled {
			copies = cursor.SettledCopies
		}
		entries, err := tx.TransferEntries(ctx, gen.TransferEntriesParams{ChainID: chain, BlockNumber: at[0], LogIndex: at[1]})
		if err != nil {
			return err
		}
		number, stored := uint64(0), false
		for _, e := range entries {
			if e.SubIndex < at[2] {
				number += amountOf(e)
				continue
			}
			stored = e.SubIndex == at[2] && e.TxHash == b.Tx
			break
		}
		if !stored {
			return nil // a reorganisation took it
		}
		to := gen.MoveSettledParams{
			ToBlock: at[0], ToLog: at[1], ToSub: at[2] + 1, ChainID: chain,
			FromBlock: cursor.SettledBlock, FromLog: cursor.SettledLog, FromSub: cursor.SettledSub, FromCopies: cursor.SettledCopies,
		}
		left, added, err := x.earn(ctx, tx, projection.Burn{
			Chain: chain, Tx: b.Tx, LogIndex: logIndex, Number: number, Time: b.Time, Wallet: b.From, Contract: b.Contract, TokenID: b.TokenID,
			Amount: b.Amount,
		}, b, copies)
		if err != nil {
			return err
		}
		if left > 0 {
			to.ToSub, to.ToCopies = at[2], left
		}
		n, err := tx.MoveSettled(ctx, to)
		if err != nil {
			return err
		}
		if n == 0 {
			return errOutOfStep
		}
		earned = added
		return nil
	})
	return earned, err
}

// earn records what a burn has earned. If each copy is an opening, it skips the given number of copies, and returns how
// many are recorded so far, or 0 if all are.
func (x *Index) earn(
	ctx context.Context, tx *store.Tx, b projection.Burn, at onchain.Burn, copies int64,
) (recorded int64, added bool, err error) {
	rules := x.o.Chains[b.Chain]
	if !rules.Earns(b.Contract) || b.Amount.IsZero() {
		return 0, false, nil
	}
	e := rules.Burned(b)
	if e.Origin == "" {
		return 0, false, nil
	}
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return 0, false, err
	}
	if err := rewards.LockSettling(ctx, tx, b.Chain); err != nil {
		return 0, false, err
	}
	players, err := tx.HoldersOf(ctx, b.Wallet)
	if err != nil {
		return 0, false, err
	}
	r := reward.Reward{
		Origin: e.Origin, Wallet: b.Wallet, Chain: b.Chain, Tx: b.Tx, EarnedAt: b.Time, Detail: string(detail), Grants: e.Grants,
	}
	if len(players) > 0 {
		r.PlayerID = players[0]
	}
	burn := draw.Burn{Chain: b.Chain, Tx: b.Tx, LogIndex: b.LogIndex, Number: b.Number}
	if e.Opens == nil {
		r.Source = burn.String()
		added, err = rewards.AddReward(ctx, tx, r, tx.Clock().Now())
		return 0, added, err
	}
	amount, ok := b.Amount.Int64()
	if !ok {
		return 0, false, nil // more than there can ever be
	}
	if e.Opens.Kind != "" { // those of the token from before its table was known come first
		if err := rewards.KnowOpenings(ctx, tx, e.Opens.Kind, e.Opens.Edition, b.TokenID); err != nil {
			return 0, false, err
		}
	}
	place, err := rewards.NextPlace(ctx, tx)
	if err != nil {
		return 0, false, err
	}
	end := min(amount, copies+maxCopies)
	for i := copies; i < end; i++ {
		burn.Number = b.Number + uint64(i)
		n, err := tx.InsertOpening(ctx, gen.InsertOpeningParams{
			ID: burn.String(), Kind: e.Opens.Kind, Edition: int64(e.Opens.Edition), Wallet: b.Wallet, ChainID: b.Chain,
			Contract: b.Contract, TokenID: b.TokenID, TxHash: b.Tx, LogIndex: int64(b.LogIndex),
			Number:      int64(burn.Number),
			BlockNumber: int64(at.Block), BlockHash: at.BlockHash, BlockTime: column.At(b.Time),
			Margin: int64(at.Margin / time.Second),
			Place:  place, Round: int64(x.o.Rounds.RoundAfter(b.Time, at.Margin)),
		})
		if err != nil {
			return 0, false, err
		}
		if n == 0 {
			continue
		}
		place++
		r.Source = burn.String()
		if _, err := rewards.AddReward(ctx, tx, r, tx.Clock().Now()); err != nil {
			return 0, false, err
		}
		added = true
	}
	if end == amount {
		end = 0
	}
	return end, added, nil
}

// rewindSettled moves back to a block, if it is earlier, where burns are settled next.
func (c *change) rewindSettled(ctx context.Context, to int64) error {
	if err := c.tx.RewindSettled(ctx, gen.RewindSettledParams{ChainID: c.chain, ToBlock: to}); err != nil {
		return err
	}
	return c.skipUnrewarded(ctx)
}

// skipUnrewarded moves on to the first block whose burns earn anything.
func (c *change) skipUnrewarded(ctx context.Context) error {
	return c.tx.SkipSettled(ctx, gen.SkipSettledParams{ChainID: c.chain, ToBlock: int64(c.rules.RewardsFrom)})
}

// before reports whether the place a of a transfer comes before b.
func before(a, b [3]int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func amountOf(t gen.TokenTransfer) uint64 {
	n, ok := t.Amount.Int64()
	if !ok {
		n = math.MaxInt64 // entries after it are numbered wrongly, but differently
	}
	return uint64(n)
}
