package app

import (
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

var opened = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Spec: RUN-12
func TestPlayers_DemoBoardsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	names, err := demoNames()
	if err != nil {
		t.Fatal(err)
	}
	first := demoStandings(names)
	again, err := demoNames()
	if err != nil || !reflect.DeepEqual(first, demoStandings(again)) {
		t.Errorf("they differ: %v", err)
	}
	db := testkit.Database(t, store.SQLite)
	for range 2 { // seeding twice changes nothing
		if err := db.SeedScores(t.Context(), first, opened); err != nil {
			t.Fatal(err)
		}
	}
	platform, err := local.New(db, local.Options{Cost: local.TestCost})
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range leaderboard.Boards() {
		ids, names := map[string]bool{}, map[string]bool{}
		for rank := 1; rank <= 300; rank += 100 {
			entries, err := platform.Leaderboard(t.Context(), board, rank, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				ids[e.PlayerID], names[e.Name] = true, true
				if n := utf8.RuneCountInString(e.Name); n < 3 || n > 20 || e.Score < 0 || len(e.PlayerID) != 16 {
					t.Errorf("%s: %+v", board, e)
				}
			}
		}
		if len(ids) != demoPlayers || len(names) != demoPlayers {
			t.Errorf("%s has %d players with %d names, want %d", board, len(ids), len(names), demoPlayers)
		}
	}
}

// Spec: RUN-12
func TestPlayers_DemoSellersLeadTheGamesBoard(t *testing.T) {
	t.Parallel()
	names, err := demoNames()
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]int64{}
	for _, s := range demoStandings(names) {
		if s.Board == leaderboard.KingOfDestiny {
			scores[s.Name] = s.Score
		}
	}
	sellers := demoSellers(names)
	if len(sellers) != 8 {
		t.Errorf("%d wallets have names, want 8", len(sellers))
	}
	for wallet, name := range sellers {
		before := 0
		for _, score := range scores {
			if score > scores[name] {
				before++
			}
		}
		if scores[name] == 0 || before >= 8 {
			t.Errorf("%s, who owns %s, has %d players before", name, wallet, before)
		}
	}
}

// Spec: ACCOUNT-10, PLAYER-5
func TestPlayers_OperatorReportsScoresAndKeepsLists(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir(), GamePlatform: config.PlatformLocal}
	with := func(do func(*store.DB) error) {
		t.Helper()
		if err := withStore(t.Context(), c, do); err != nil {
			t.Fatal(err)
		}
	}
	with(func(db *store.DB) error { testkit.AddPlayers(t, db, 0, "zeus"); return nil })
	if err := ReportScore(t.Context(), c, "kod", "zeus", 7); err != nil {
		t.Fatal(err)
	}
	if err := ReportScore(t.Context(), c, "kod", "nobody", 7); !fault.Is(err, fault.NotFound) {
		t.Errorf("a score of nobody: %v", err)
	}
	with(func(db *store.DB) error {
		entries, err := db.ScoresFrom(t.Context(), "kod", 1, 10)
		if err == nil && (len(entries) != 1 || entries[0].Score != 7 || entries[0].PlayerID != "zeus") {
			t.Errorf("the board has %+v", entries)
		}
		return err
	})
	if err := PutOnList(t.Context(), c, "presale", "zeus", opened); err != nil {
		t.Fatal(err)
	}
	if err := StrikeFromList(t.Context(), c, "presale", "zeus"); err != nil {
		t.Error(err)
	}
	if err := StrikeFromList(t.Context(), c, "presale", "zeus"); err == nil {
		t.Error("somebody was struck from a list twice")
	}
}
