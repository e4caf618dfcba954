// Package leaderboard shows who has scored how much in the games. Who is on a board is the game platform's word; the
// games report to it, and what is for sale changes nothing.
package leaderboard

import (
	"context"
	"slices"
	"strconv"

	"pantheon/internal/kit/fault"
)

// The boards, by the names of their statistics on the game platform.
const (
	KingOfDestiny = "kod"
	MountOlympus  = "mount-olympus"
)

// Boards are all boards there are.
func Boards() []string { return []string{KingOfDestiny, MountOlympus} }

// Entry is one line of a leaderboard.
type Entry struct {
	Rank     int // 1 is the best
	PlayerID string
	Name     string // what others see of the player; never empty
	Score    int64
}

// MaxEntries is how many entries can be asked for at once.
const MaxEntries = 100

// MaxPage is how many lines a page has at most; one entry more is read, to know whether another page follows.
const MaxPage = MaxEntries - 1

// maxRank is how far down a board can be read: what comes later is reached by asking around oneself.
const maxRank = 100_000

// Platform keeps the scores. A board's id is the name of its statistic there.
type Platform interface {
	// Leaderboard returns up to n (1 to MaxEntries) entries from a rank (1 or more) on, the best first. An unknown board
	// is empty.
	Leaderboard(ctx context.Context, board string, rank, n int) ([]Entry, error)
	// LeaderboardAround returns up to n entries with the player's in the middle; fault.NotFound for an unknown player.
	LeaderboardAround(ctx context.Context, board, playerID string, n int) ([]Entry, error)
	// SetScore reports a player's score; the platform knows whether a board keeps the best, the last or the sum. It
	// returns fault.NotFound for an unknown player.
	SetScore(ctx context.Context, playerID, board string, score int64) error
}

// Line is an entry as everybody may see it: whose it is stays unsaid.
type Line struct {
	Rank  int
	Name  string
	Score int64
	Mine  bool // the reader's own
}

// Page is a part of a board, the best first.
type Page struct {
	Lines []Line
	Next  string // cursor of the next page; "" at the end, and as far down as boards are read
}

// Service is the capability. It is safe for concurrent use.
type Service struct{ platform Platform }

// NewService returns the capability.
func NewService(p Platform) *Service { return &Service{platform: p} }

// Page returns limit (1 to MaxPage) lines of a board for a reader, "" for a visitor; cursor is Next of the page before,
// "" for the top. It returns fault.NotFound for an unknown board and fault.Invalid for a cursor of no page.
func (s *Service) Page(ctx context.Context, board, reader, cursor string, limit int) (Page, error) {
	if err := known(board); err != nil {
		return Page{}, err
	}
	limit = min(max(limit, 1), MaxPage)
	rank := 1
	if cursor != "" {
		var err error
		if rank, err = strconv.Atoi(cursor); err != nil || rank < 1 || rank > maxRank {
			return Page{}, fault.InvalidFields("This page of the board does not exist.",
				fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
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

// Around returns up to limit (1 to MaxPage) lines with the player's own in the middle; none where the player is not on
// the board. It returns fault.NotFound for an unknown board.
func (s *Service) Around(ctx context.Context, board, playerID string, limit int) (Page, error) {
	if err := known(board); err != nil {
		return Page{}, err
	}
	entries, err := s.platform.LeaderboardAround(ctx, board, playerID, min(max(limit, 1), MaxPage))
	if fault.Is(err, fault.NotFound) {
		return Page{Lines: []Line{}}, nil
	}
	return Page{Lines: lines(entries, playerID)}, err
}

// Report takes a game's word for a score. It returns fault.NotFound for an unknown board or player.
func (s *Service) Report(ctx context.Context, board, playerID string, score int64) error {
	if err := known(board); err != nil {
		return err
	}
	return s.platform.SetScore(ctx, playerID, board, score)
}

func known(board string) error {
	if !slices.Contains(Boards(), board) {
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
