package operators

import (
	"context"
	"database/sql"

	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// FindRewards returns rewards; see operator.Rewards.
func (o Store) FindRewards(ctx context.Context, f operator.Find) (out []reward.Record, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		rows, err := findRewards(ctx, q, f)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r, err := rewards.RecordOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// findRewards selects by an index where there is one for what is asked, and else reads all rewards.
func findRewards(ctx context.Context, q *gen.Queries, f operator.Find) ([]gen.Reward, error) {
	size := int64(f.Limit)
	switch {
	case f.PlayerID != "" && f.State == "" && !f.Unowned:
		return q.RewardsOfPlayer(ctx, gen.RewardsOfPlayerParams{PlayerID: sql.NullString{String: f.PlayerID, Valid: true}, PageSize: size})
	case f.PlayerID == "" && f.State == string(reward.Failed) && !f.Unowned:
		return q.FailedRewards(ctx, size)
	case f.PlayerID == "" && f.State == "" && f.Unowned:
		return q.UnownedRewards(ctx, size)
	}
	p := gen.FindRewardsParams{OfPlayer: f.PlayerID, InState: f.State, PageSize: size}
	if f.Unowned {
		p.Unowned = 1
	}
	return q.FindRewards(ctx, p)
}

// NeedsPerson counts what waits for an operator; see operator.Store.
func (o Store) NeedsPerson(ctx context.Context, most int) (n operator.NeedsPerson, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		r, err := q.NeedsPerson(ctx, int64(most))
		n = operator.NeedsPerson{
			FailedRewards: r.FailedRewards, UnownedRewards: r.UnownedRewards, ShopWaiting: r.ShopWaiting, ShopFailed: r.ShopFailed,
			Debts: r.Debts, FrozenPlayers: r.FrozenPlayers,
		}
		return err
	})
	return n, err
}

// RewardRecord returns a reward; see operator.Rewards.
func (o Store) RewardRecord(ctx context.Context, source string) (r reward.Record, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.Reward(ctx, source)
		if err != nil {
			return store.NotFound(err, "There is no such reward.")
		}
		r, err = rewards.RecordOf(ctx, q, row)
		return err
	})
	return r, err
}

// RedoReward gives failed grants again; see operator.Rewards.
func (o Store) RedoReward(ctx context.Context, source string, e operator.Entry) (grants int, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.RedoGrants(ctx, gen.RedoGrantsParams{UpdatedAt: column.At(e.At), Source: source})
		grants = int(n)
		if err := unlessChanged(n, err); err != nil {
			return err
		}
		row, err := tx.Reward(ctx, source)
		if err != nil {
			return err
		}
		if reward.Origin(row.Origin) == reward.FromWebstore && row.PlayerID.Valid {
			if err := rewards.WithholdIfOwing(ctx, tx, source, row.PlayerID.String); err != nil {
				return err
			}
		}
		return rewards.FollowGrants(ctx, tx, source, e.At)
	})
	return grants, err
}

// AssignReward gives a reward to a player; see operator.Rewards.
func (o Store) AssignReward(ctx context.Context, source, playerID string, e operator.Entry) (assigned bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.AssignReward(ctx, gen.AssignRewardParams{
			PlayerID: sql.NullString{String: playerID, Valid: true}, UpdatedAt: column.At(e.At), Source: source,
		})
		assigned = n > 0
		if err := unlessChanged(n, err); err != nil {
			return err
		}
		if err := tx.ReleaseGrants(ctx, source); err != nil {
			return err
		}
		return rewards.RewardMoved(ctx, tx, source)
	})
	return assigned, err
}

// KeepTables keeps drop tables as rewards.Store.KeepTables does.
func (o Store) KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error, e operator.Entry) error {
	return o.act(ctx, e, rewards.KeepTables(tables, follows))
}
