package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// logOperator records an operator's command in the transaction of its effect.
func (tx *Tx) logOperator(ctx context.Context, e reward.Entry) error {
	return tx.InsertOperatorLog(ctx, gen.InsertOperatorLogParams{
		ID: rand.Text(), At: column.At(e.At), Who: e.Who, Command: e.Command, Subject: e.Subject, Reason: e.Reason,
	})
}

// OperatorLog returns the newest commands of operators.
func (db *DB) OperatorLog(ctx context.Context, limit int) (out []reward.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OperatorLog(ctx, int32(limit))
		for _, r := range rows {
			out = append(out, reward.Entry{At: r.At.Time, Who: r.Who, Command: r.Command, Subject: r.Subject, Reason: r.Reason})
		}
		return err
	})
	return out, err
}

// FindRewards returns rewards for an operator; see reward.OperatorStore.
func (db *DB) FindRewards(ctx context.Context, f reward.Find) (out []reward.Record, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		p := gen.FindRewardsParams{OfPlayer: f.PlayerID, InState: f.State, PageSize: int64(f.Limit)}
		if f.Unowned {
			p.Unowned = 1
		}
		rows, err := q.FindRewards(ctx, p)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r, err := recordOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// RewardRecord returns a reward; see reward.OperatorStore.
func (db *DB) RewardRecord(ctx context.Context, source string) (r reward.Record, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.Reward(ctx, source)
		if err != nil {
			return notFound(err, "There is no such reward.")
		}
		r, err = recordOf(ctx, q, row)
		return err
	})
	return r, err
}

// RedoReward gives failed grants again; see reward.OperatorStore.
func (db *DB) RedoReward(ctx context.Context, source string, e reward.Entry) (grants int, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.RedoGrants(ctx, gen.RedoGrantsParams{UpdatedAt: column.At(e.At), Source: source})
		if grants = int(n); n == 0 || err != nil {
			return err
		}
		row, err := tx.Reward(ctx, source)
		if err != nil {
			return err
		}
		if reward.Origin(row.Origin) == reward.FromWebstore && row.PlayerID.Valid {
			if err := tx.withholdIfOwing(ctx, source, row.PlayerID.String); err != nil {
				return err
			}
		}
		if err := tx.followGrants(ctx, source, e.At); err != nil {
			return err
		}
		return tx.logOperator(ctx, e)
	})
	return grants, err
}

// AssignReward gives a reward to a player; see reward.OperatorStore.
func (db *DB) AssignReward(ctx context.Context, source, playerID string, e reward.Entry) (assigned bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.AssignReward(ctx, gen.AssignRewardParams{
			PlayerID: sql.NullString{String: playerID, Valid: true}, UpdatedAt: column.At(e.At), Source: source,
		})
		if assigned = n > 0; n == 0 || err != nil {
			return err
		}
		if err := tx.ReleaseGrants(ctx, source); err != nil {
			return err
		}
		if err := tx.rewardMoved(ctx, source); err != nil {
			return err
		}
		return tx.logOperator(ctx, e)
	})
	return assigned, err
}

// PlacedOrder is an order as an operator sees it.
type PlacedOrder struct {
	ID, State, Error string
	Tx               *eth.Hash // nil for none
	Total            money.Units
	CreatedAt        time.Time
}

// OrdersOf returns a player's newest orders.
func (db *DB) OrdersOf(ctx context.Context, playerID string, limit int) (out []PlacedOrder, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OrdersOf(ctx, gen.OrdersOfParams{PlayerID: playerID, Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, PlacedOrder{
				ID: r.ID, State: string(r.State), Error: r.Error, Tx: hashOrNil(r.TxHash), Total: r.Total, CreatedAt: r.CreatedAt.Time,
			})
		}
		return err
	})
	return out, err
}
