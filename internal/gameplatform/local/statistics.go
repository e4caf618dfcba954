package local

import (
	"context"

	"pantheon/internal/portal/leaderboard"
)

// Statistics stores the players' scores.
type Statistics interface {
	// PutScore stores a score if it exceeds the player's best on the board. It returns fault.NotFound for an unknown
	// player.
	PutScore(ctx context.Context, playerID, board string, score int64) error
	// ScoresFrom returns up to n entries of a board from a rank on. Of equal scores the older one ranks higher.
	ScoresFrom(ctx context.Context, board string, rank, n int) ([]leaderboard.Entry, error)
	// ScoresAround returns up to n entries with the player's in the middle. It returns fault.NotFound if the player
	// is not on the board.
	ScoresAround(ctx context.Context, board, playerID string, n int) ([]leaderboard.Entry, error)
}

// Leaderboard returns a part of a board; see leaderboard.Platform.
func (p *Platform) Leaderboard(ctx context.Context, board string, rank, n int) ([]leaderboard.Entry, error) {
	return p.store.ScoresFrom(ctx, board, rank, n)
}

// LeaderboardAround returns the part of a board around a player; see leaderboard.Platform.
func (p *Platform) LeaderboardAround(ctx context.Context, board, playerID string, n int) ([]leaderboard.Entry, error) {
	return p.store.ScoresAround(ctx, board, playerID, n)
}

// SetScore reports a score; see leaderboard.Platform. Every board keeps a player's best.
func (p *Platform) SetScore(ctx context.Context, playerID, board string, score int64) error {
	return p.store.PutScore(ctx, playerID, board, score)
}
