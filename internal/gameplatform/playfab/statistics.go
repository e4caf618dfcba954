package playfab

import (
	"context"
	"math"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/leaderboard"
)

// Leaderboard returns a part of a board; see leaderboard.Platform.
func (p *Platform) Leaderboard(ctx context.Context, board string, rank, n int) ([]leaderboard.Entry, error) {
	return p.leaderboard(ctx, getLeaderboard, struct {
		StatisticName                  string
		StartPosition, MaxResultsCount int
	}{board, rank - 1, n})
}

// LeaderboardAround returns the part of a board around a player; see leaderboard.Platform.
func (p *Platform) LeaderboardAround(ctx context.Context, board, playerID string, n int) ([]leaderboard.Entry, error) {
	return p.leaderboard(ctx, getLeaderboardAroundUser, struct {
		PlayFabID       string `json:"PlayFabId"`
		StatisticName   string
		MaxResultsCount int
	}{playerID, board, n})
}

func (p *Platform) leaderboard(ctx context.Context, m method, in any) ([]leaderboard.Entry, error) {
	var out struct {
		Leaderboard []struct {
			PlayFabID   string `json:"PlayFabId"`
			DisplayName string
			StatValue   amount
			Position    *amount
		}
	}
	if err := p.api.call(ctx, m, in, &out); err != nil {
		return nil, explain(err)
	}
	if len(out.Leaderboard) > leaderboard.MaxEntries {
		return nil, explain(nonsense(m, "more entries than asked for"))
	}
	entries := make([]leaderboard.Entry, len(out.Leaderboard))
	for i, e := range out.Leaderboard {
		if !isPlayerID(e.PlayFabID) || e.Position == nil || *e.Position < 0 || i > 0 && *e.Position <= *out.Leaderboard[i-1].Position {
			return nil, explain(nonsense(m, "entries out of order, or nobody's"))
		}
		entries[i] = leaderboard.Entry{
			Rank: int(*e.Position) + 1, PlayerID: e.PlayFabID, Name: nameOf(e.DisplayName, e.PlayFabID), Score: int64(e.StatValue),
		}
	}
	return entries, nil
}

// SetScore reports a score; see leaderboard.Platform. PlayFab's statistics hold 32 bits: larger scores are
// fault.Invalid.
func (p *Platform) SetScore(ctx context.Context, playerID, board string, score int64) error {
	if score < math.MinInt32 || score > math.MaxInt32 {
		return fault.New(fault.Invalid, "This score is out of range.")
	}
	type statistic struct {
		StatisticName string
		Value         int64
	}
	return explain(p.api.call(ctx, updatePlayerStatistics, struct {
		PlayFabID  string `json:"PlayFabId"`
		Statistics []statistic
	}{playerID, []statistic{{board, score}}}, &struct{}{}))
}
