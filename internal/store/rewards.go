package store

import (
	"context"
	"time"

	"pantheon/internal/portal/reward"
	"pantheon/internal/store/gen"
)

// addReward records a reward unless its source is already recorded.
func (tx *Tx) addReward(ctx context.Context, r reward.Reward, at time.Time) error {
	_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
		Source: r.Source, PlayerID: r.PlayerID, Kind: r.Kind, Detail: r.Detail, State: string(r.State), At: millis(at),
	})
	return err
}

// AddReward records a reward; see reward.Store.
func (db *DB) AddReward(ctx context.Context, r reward.Reward, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.addReward(ctx, r, at) })
}

// DueRewards returns rewards that are due; see reward.Store.
func (db *DB) DueRewards(ctx context.Context, d reward.Due) (out []reward.Reward, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DueRewards(ctx, gen.DueRewardsParams{InState: string(d.State), DueBy: millis(d.By), ButKind: d.ButKind, Limit: int32(d.Limit)})
		for _, r := range rows {
			out = append(out, reward.Reward{
				Source: r.Source, PlayerID: r.PlayerID, Kind: r.Kind, Detail: r.Detail, State: reward.State(r.State), Attempts: int(r.Attempts),
			})
		}
		return err
	})
	return out, err
}

// PayCurrency credits a currency reward; see reward.Store.
func (db *DB) PayCurrency(ctx context.Context, r reward.Reward, c reward.Currency, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.MoveReward(ctx, gen.MoveRewardParams{
			ToState: string(reward.Done), UpdatedAt: millis(at), Source: r.Source, FromState: string(r.State),
		})
		if n == 0 || err != nil {
			return err
		}
		return tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: r.PlayerID, Code: c.Code, Amount: c.Amount})
	})
}

// MoveReward changes a reward's state; see reward.Store.
func (db *DB) MoveReward(ctx context.Context, source string, from, to reward.State, reason string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Queries.MoveReward(ctx, gen.MoveRewardParams{
			ToState: string(to), Error: reason, UpdatedAt: millis(at), Source: source, FromState: string(from),
		})
		return err
	})
}

// DrawReward records the drawn content; see reward.Store.
func (db *DB) DrawReward(ctx context.Context, source, kind, detail string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Queries.DrawReward(ctx, gen.DrawRewardParams{Kind: kind, Detail: detail, UpdatedAt: millis(at), Source: source})
		return err
	})
}

// PostponeReward postpones a reward; see reward.Store.
func (db *DB) PostponeReward(ctx context.Context, r reward.Reward, reason string, until, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Queries.PostponeReward(ctx, gen.PostponeRewardParams{
			Attempts: int64(r.Attempts), DueAt: millis(until), Error: reason, UpdatedAt: millis(at), Source: r.Source, State: string(r.State),
		})
		return err
	})
}
