// Package leaderboard shows the players' scores in the games. The game platform stores the boards and the games
// report to it; purchases have no effect on them.
package leaderboard

import (
	"context"
	"slices"
	"strconv"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/fault"
)

// Entry is one line of a leaderboard.
type Entry struct {
	Rank     int // 1 is the best
	PlayerID string
	Name     string // the player's display name; never empty
	Score    int64
}

// MaxEntries is the maximum number of entries per call.
const MaxEntries = 100

// MaxPage is the maximum number of lines per page; one entry more is read, to see whether another page follows.
const MaxPage = MaxEntries - 1

// maxRank is the lowest rank that can be read page by page; players below it can read the lines around their own.
const maxRank = 100_000

// Platform stores the scores. A board's id is the name of its statistic there.
type Platform interface {
	// Leaderboard returns up to n (1 to MaxEntries) entries from a rank (1 or more) on, best first. An unknown board
	// is empty.
	Leaderboard(ctx context.Context, board string, rank, n int) ([]Entry, error)
	// LeaderboardAround returns up to n entries with the player's in the middle. It returns fault.NotFound for an
	// unknown player.
	LeaderboardAround(ctx context.Context, board, playerID string, n int) ([]Entry, error)
	// SetScore reports a player's score; the platform's configuration decides whether a board keeps the best, the
	// last or the sum. It returns fault.NotFound for an unknown player.
	SetScore(ctx context.Context, playerID, board string, score int64) error
}

// Line is an entry as shown to others, without the player's id.
type Line struct {
	Rank  int
	Name  string
	Score int64
	Mine  bool // the reader's own
}

// Page is a part of a board, best first.
type Page struct {
	Lines []Line
	Next  string // cursor of the next page; "" at the end and at maxRank
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	platform Platform
	boards   []string
}

// NewService returns a Service of the boards, which are named after their statistics on the game platform.
func NewService(p Platform, boards ...string) *Service { return &Service{p, boards} }

// Page returns limit (1 to MaxPage) lines of a board for a reader, "" for a visitor; after is Next of the previous
// page, "" for the top. It returns fault.NotFound for an unknown board and fault.Invalid for an invalid cursor.
func (s *Service) Page(ctx context.Context, board, reader, after string, limit int) (Page, error) {
	if err := s.known(board); err != nil {
		return Page{}, err
	}
	limit = min(max(limit, 1), MaxPage)
	rank := 1
	if after != "" {
		var err error
		if rank, err = strconv.Atoi(after); err != nil || rank < 1 || rank > maxRank {
			return Page{}, cursor.Invalid()
		}
	}
	entries, err := s.platform.Leaderboard(ctx, board, rank, limit+1)
	if err != nil {
		return Page{}, err
	}
	p := Page{}
	if len(entries) > limit {
		entries = entries[:limit]
		if next := rank + limit; next <= maxRank {
			p.Next = strconv.Itoa(next)
		}
	}
	p.Lines = lines(entries, reader)
	return p, nil
}

// Around returns up to limit (1 to MaxPage) lines with the player's own in the middle; none if the player is not on
// the board. It returns fault.NotFound for an unknown board.
func (s *Service) Around(ctx context.Context, board, playerID string, limit int) (Page, error) {
	if err := s.known(board); err != nil {
		return Page{}, err
	}
	entries, err := s.platform.LeaderboardAround(ctx, board, playerID, min(max(limit, 1), MaxPage))
	if fault.Is(err, fault.NotFound) {
		return Page{Lines: []Line{}}, nil
	}
	return Page{Lines: lines(entries, playerID)}, err
}

// Report stores a score reported by a game. It returns fault.NotFound for an unknown board or player.
func (s *Service) Report(ctx context.Context, board, playerID string, score int64) error {
	if err := s.known(board); err != nil {
		return err
	}
	return s.platform.SetScore(ctx, playerID, board, score)
}

func (s *Service) known(board string) error {
	if !slices.Contains(s.boards, board) {
		return fault.New(fault.NotFound, "There is no such leaderboard.")
	}
	return nil
}

func lines(entries []Entry, reader string) []Line {
	out := make([]Line, len(entries))
	for i, e := range entries {
		out[i] = Line{Rank: e.Rank, Name: e.Name, Score: e.Score, Mine: reader != "" && e.PlayerID == reader}
	}
	return out
}
