package app

import (
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
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
		if err := accounts.New(db).SeedScores(t.Context(), first, opened); err != nil {
			t.Fatal(err)
		}
	}
	platform, err := local.New(accounts.New(db), local.Options{Cost: local.TestCost})
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
