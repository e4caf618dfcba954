package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// PutScore stores a score if it is the player's best on the board; see local.Statistics.
func (db Store) PutScore(ctx context.Context, playerID, board string, score int64) error {
	return db.Write(ctx, PutScore(playerID, board, score))
}

// PutScore returns what Store.PutScore does in a transaction.
func PutScore(playerID, board string, score int64) func(context.Context, *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.Player(ctx, playerID); err != nil {
			return store.NotFound(err, "There is no such player.")
		}
		return tx.Queries.PutScore(ctx, gen.PutScoreParams{PlayerID: playerID, Board: board, Score: score,
			ReachedAt: column.At(tx.Clock().Now())})
	}
}

// ScoresFrom returns a part of a board; see local.Statistics.
func (db Store) ScoresFrom(ctx context.Context, board string, rank, n int) (out []leaderboard.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out, err = scoresFrom(ctx, q, board, rank, n)
		return err
	})
	return out, err
}

func scoresFrom(ctx context.Context, q *gen.Queries, board string, rank, n int) ([]leaderboard.Entry, error) {
	rows, err := q.ScoresFrom(ctx, gen.ScoresFromParams{Board: board, Skipped: int64(rank - 1), PageSize: int64(n)})
	out := make([]leaderboard.Entry, len(rows))
	for i, r := range rows {
		out[i] = leaderboard.Entry{Rank: rank + i, PlayerID: r.PlayerID, Name: r.DisplayName, Score: r.Score}
	}
	return out, err
}

// ScoresAround returns the part of a board around a player; see local.Statistics.
func (db Store) ScoresAround(ctx context.Context, board, playerID string, n int) (out []leaderboard.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		mine, err := q.Score(ctx, gen.ScoreParams{Board: board, PlayerID: playerID})
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "You are not on this board yet.")
		}
		if err != nil {
			return err
		}
		above, err := q.ScoresAbove(ctx, gen.ScoresAboveParams{
			Board: board, Score: mine.Score, ReachedAt: column.Millis(mine.ReachedAt.Time), PlayerID: playerID,
		})
		if err != nil {
			return err
		}
		out, err = scoresFrom(ctx, q, board, max(1, int(above)+1-n/2), n)
		return err
	})
	return out, err
}

// Standing is a player's score on a board, for seeding.
type Standing struct {
	Board    string
	PlayerID string
	Name     string
	Score    int64
}

// SeedScores adds players to boards they are not yet on, and creates players that do not exist. The created players
// have no account: no one can sign in as them.
func (db Store) SeedScores(ctx context.Context, standings []Standing, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range standings {
			player := gen.InsertPlayerOnceParams{ID: s.PlayerID, DisplayName: s.Name, CreatedAt: column.At(at)}
			if err := tx.InsertPlayerOnce(ctx, player); err != nil {
				return err
			}
			score := gen.InsertScoreParams{PlayerID: s.PlayerID, Board: s.Board, Score: s.Score, ReachedAt: column.At(at)}
			if err := tx.InsertScore(ctx, score); err != nil {
				return err
			}
		}
		return nil
	})
}
