package rewards

import (
	"context"
	"database/sql"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// RewardRecords returns a player's rewards; see reward.RecordStore.
func (db Store) RewardRecords(ctx context.Context, query reward.Query) (out []reward.Record, err error) {
	params := gen.RewardsOfParams{
		PlayerID: sql.NullString{String: query.PlayerID, Valid: true}, OfOrigin: string(query.Origin), BeforeTime: column.Millis(query.Before),
		BeforeSource: query.BeforeID, PageSize: int64(query.Limit),
	}
	if query.Openings {
		params.Openings = 1
	}
	if !query.Tx.IsZero() {
		params.OfTx = query.Tx.String()
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.RewardsOf(ctx, params)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r, err := RecordOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// RecordOf converts a row to a reward with its grants.
func RecordOf(ctx context.Context, q *gen.Queries, row gen.Reward) (r reward.Record, err error) {
	r = reward.Record{State: reward.State(row.State), Error: row.Error, CreatedAt: row.CreatedAt.Time, UpdatedAt: row.UpdatedAt.Time}
	if r.Reward, err = rewardOf(row); err != nil {
		return r, err
	}
	grants, err := q.RewardGrants(ctx, row.Source)
	for _, g := range grants {
		r.Given = append(r.Given, reward.Given{
			Content: ContentOf(g), State: reward.State(g.State), Error: g.Error, Attempts: int(g.Attempts),
		})
	}
	return r, err
}

// UnsettledBurnsOf returns burns that are not settled; see reward.RecordStore.
func (db Store) UnsettledBurnsOf(ctx context.Context, wallets []eth.Address, limit int) (out []reward.Burn, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		for _, w := range wallets {
			rows, err := q.UnsettledBurnsOf(ctx, gen.UnsettledBurnsOfParams{Wallet: w, Limit: int32(limit)})
			if err != nil {
				return err
			}
			for _, row := range rows {
				out = append(out, reward.Burn{
					Chain: row.ChainID, Tx: row.TxHash, At: row.Time.Time, Contract: row.Contract, TokenID: row.TokenID, Amount: row.Amount,
				})
			}
		}
		return nil
	})
	return out, err
}

// RewardPace returns a chain's pace; see reward.RecordStore.
func (db Store) RewardPace(ctx context.Context, chain onchain.ChainID, last int) (p reward.Pace, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.RewardPace(ctx, gen.RewardPaceParams{ChainID: chain, Last: int64(last)})
		p.Settle, p.Give = time.Duration(row.Settle)*time.Millisecond, time.Duration(row.Give)*time.Millisecond
		return err
	})
	return p, err
}

// TransferOf converts a row.
func TransferOf(r gen.TokenTransfer) onchain.Transfer {
	return onchain.Transfer{
		Position: onchain.Position{
			Block: uint64(r.BlockNumber), LogIndex: uint32(r.LogIndex), Sub: uint32(r.SubIndex), Tx: r.TxHash, Time: r.Time.Time,
		},
		Contract: r.Contract, Standard: r.Standard, TokenID: r.TokenID, From: r.FromAddress, To: r.ToAddress, Amount: r.Amount,
	}
}
