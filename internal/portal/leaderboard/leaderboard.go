// Package leaderboard says what the portal's leaderboards are. Who is on them is the game platform's word.
package leaderboard

import "context"

// Entry is one line of a leaderboard.
type Entry struct {
	Rank     int // 1 is the best
	PlayerID string
	Name     string // what others see of the player; never empty
	Score    int64
}

// MaxEntries is how many entries can be asked for at once.
const MaxEntries = 100

// Platform keeps the scores. A board's id is the name of its statistic there.
type Platform interface {
	// Leaderboard returns up to n (1 to MaxEntries) entries from a rank (1 or more) on, the best first. An unknown board
	// is empty.
	Leaderboard(ctx context.Context, board string, rank, n int) ([]Entry, error)
	// LeaderboardAround returns up to n entries with the player's in the middle; fault.NotFound for an unknown player.
	LeaderboardAround(ctx context.Context, board, playerID string, n int) ([]Entry, error)
	// SetScore reports a player's score; the platform knows whether a board keeps the best, the last or the sum.
	SetScore(ctx context.Context, playerID, board string, score int64) error
}
