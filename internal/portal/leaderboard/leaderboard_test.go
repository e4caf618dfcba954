package leaderboard_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const board = "kod"

// boards returns the Service on the built-in platform.
func boards(t *testing.T, db *store.DB) *leaderboard.Service {
	t.Helper()
	platform, err := local.New(accounts.New(db), local.Options{Cost: local.TestCost})
	if err != nil {
		t.Fatal(err)
	}
	return leaderboard.NewService(platform, "kod", "mount-olympus")
}

// play creates players with the scores, in this order: the first gets player id P001.
func play(t *testing.T, db *store.DB, s *leaderboard.Service, scores ...int64) {
	t.Helper()
	for i, score := range scores {
		id := fmt.Sprintf("P%03d", i+1)
		testkit.AddPlayers(t, db, 0, id)
		if err := s.Report(t.Context(), board, id, score); err != nil {
			t.Fatal(err)
		}
	}
}

// Spec: PLAYER-4
func TestLeaderboard_BoardHasTheBestFirstAndIsReadPageByPage(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := boards(t, db)
		scores := make([]int64, 47)
		for i := range scores {
			scores[i] = int64(i % 9 * 100) // many equal scores
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
		play(t, db, s, scores...)
		var all []leaderboard.Line
		pages := 0
		for cursor := ""; pages == 0 || cursor != ""; pages++ {
			p, err := s.Page(t.Context(), board, "P001", cursor, 10)
			if err != nil {
				t.Fatal(err)
			}
			all, cursor = append(all, p.Lines...), p.Next
		}
		if pages != 5 || len(all) != len(scores) {
			t.Fatalf("%d lines on %d pages, want %d on 5", len(all), pages, len(scores))
		}
		names := map[string]bool{}
		for i, line := range all {
			names[line.Name] = true
			if line.Rank != i+1 || i > 0 && line.Score > all[i-1].Score || line.Mine != (line.Name == "P001") {
				t.Errorf("line %d is %+v after %+v", i, line, all[max(0, i-1)])
			}
		}
		if len(names) != len(scores) {
			t.Errorf("%d players are on the board, want %d", len(names), len(scores))
		}
	})
}

// Spec: PLAYER-4
func TestLeaderboard_BoardOpensAtThePlayersOwnLine(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := boards(t, db)
		play(t, db, s, 90, 80, 70, 60, 60, 60, 30, 20, 10)
		ranks := func(p leaderboard.Page) (ranks []int, mine int) {
			for _, line := range p.Lines {
				ranks = append(ranks, line.Rank)
				if line.Mine {
					mine = line.Rank
				}
			}
			return ranks, mine
		}
		for player, want := range map[string][]int{"P001": {1, 2, 3}, "P002": {1, 2, 3}, "P005": {4, 5, 6}, "P009": {8, 9}} {
			p, err := s.Around(t.Context(), board, player, 3)
			got, mine := ranks(p)
			if err != nil || !slices.Equal(got, want) || fmt.Sprintf("P%03d", mine) != player {
				t.Errorf("around %s: ranks %v with the own %d, %v; want %v", player, got, mine, err, want)
			}
		}
		if p, err := s.Around(t.Context(), "mount-olympus", "P001", 3); err != nil || len(p.Lines) != 0 {
			t.Errorf("around somebody who is not on the board: %+v, %v", p, err)
		}
	})
}

// Spec: PLAYER-5
func TestLeaderboard_BoardKeepsThePlayersBestAndTheFirstToReachItStandsAbove(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), func(t *testing.T, db *store.DB, now *clock.Fake) {
		s := boards(t, db)
		play(t, db, s, 50, 40)
		report := func(player string, score int64) {
			t.Helper()
			now.Advance(time.Minute)
			if err := s.Report(t.Context(), board, player, score); err != nil {
				t.Fatal(err)
			}
		}
		report("P001", 10) // worse: no change
		report("P002", 50) // equal, but later
		first := func() string {
			p, err := s.Page(t.Context(), board, "", "", 2)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(p.Lines)
		}
		if got, want := first(), "[{1 P001 50 false} {2 P002 50 false}]"; got != want {
			t.Errorf("the board is %s, want %s", got, want)
		}
		report("P002", 51)
		if got, want := first(), "[{1 P002 51 false} {2 P001 50 false}]"; got != want {
			t.Errorf("the board is %s, want %s", got, want)
		}
	})
}

// Spec: PLAYER-5
func TestLeaderboard_OnlyKnownBoardsAndPlayersAreOnIt(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	s := boards(t, db)
	for _, known := range []string{"kod", "mount-olympus"} {
		if _, err := s.Page(t.Context(), known, "", "", 10); err != nil {
			t.Errorf("the board %s: %v", known, err)
		}
	}
	for what, ask := range map[string]func(context.Context) error{
		"a page of an unknown board":  func(ctx context.Context) error { _, err := s.Page(ctx, "chess", "", "", 10); return err },
		"around on an unknown board":  func(ctx context.Context) error { _, err := s.Around(ctx, "chess", "P001", 10); return err },
		"a score on an unknown board": func(ctx context.Context) error { return s.Report(ctx, "chess", "P001", 1) },
		"a score of an unknown one":   func(ctx context.Context) error { return s.Report(ctx, board, "P001", 1) },
	} {
		if err := ask(t.Context()); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, cursor := range []string{"0", "-1", "1x", "100001", "99999999999999999999"} {
		if _, err := s.Page(t.Context(), board, "", cursor, 10); !fault.Is(err, fault.Invalid) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// endless is a game platform whose boards never end.
type endless struct{ leaderboard.Platform }

func (endless) Leaderboard(_ context.Context, _ string, rank, n int) ([]leaderboard.Entry, error) {
	out := make([]leaderboard.Entry, n)
	for i := range out {
		out[i] = leaderboard.Entry{Rank: rank + i, PlayerID: "P", Name: "P"}
	}
	return out, nil
}

func (e endless) LeaderboardAround(ctx context.Context, board, _ string, n int) ([]leaderboard.Entry, error) {
	return e.Leaderboard(ctx, board, 1, n)
}

func TestLeaderboard_EveryCursorIsAccepted(t *testing.T) {
	t.Parallel()
	s := leaderboard.NewService(endless{}, "kod", "mount-olympus")
	for cursor, want := range map[string]string{"": "51", "99900": "99950", "99950": "100000", "99951": "", "100000": ""} {
		p, err := s.Page(t.Context(), board, "", cursor, 50)
		if err != nil || p.Next != want || len(p.Lines) != 50 {
			t.Errorf("from %q the next page is %q with %d lines before it, %v; want %q", cursor, p.Next, len(p.Lines), err, want)
		}
	}
}

func TestLeaderboard_PageHasOneToNinetyNineLines(t *testing.T) {
	t.Parallel()
	s := leaderboard.NewService(endless{}, "kod", "mount-olympus")
	for limit, want := range map[int]int{-1: 1, 0: 1, 1: 1, 99: 99, 100: 99, 1 << 40: 99} {
		p, err := s.Page(t.Context(), board, "", "", limit)
		if err != nil || len(p.Lines) != want {
			t.Errorf("a page of %d has %d lines, %v", limit, len(p.Lines), err)
		}
		if p, err := s.Around(t.Context(), board, "P", limit); err != nil || len(p.Lines) != want {
			t.Errorf("around: a page of %d has %d lines, %v", limit, len(p.Lines), err)
		}
	}
}
