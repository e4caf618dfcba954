package app

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pantheon/internal/brand"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

var opened = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// drawn returns the brand as the development world has it.
func drawn(t *testing.T) *brand.Brand {
	t.Helper()
	b, err := withGenerator(brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPlayers_ABrandWithoutAvatarsHasNumberedNames(t *testing.T) {
	t.Parallel()
	names := demoNames(brandtest.Pantheon().Catalogue)
	if len(names) != 200 || names[0] != "Player 1" || names[199] != "Player 200" {
		t.Errorf("%d names: %v", len(names), names)
	}
}

// Spec: RUN-12
func TestPlayers_DemoBoardsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	names := demoNames(drawn(t).Catalogue)
	first := demoStandings(names, brandtest.Pantheon().Boards)
	if !reflect.DeepEqual(first, demoStandings(demoNames(drawn(t).Catalogue), brandtest.Pantheon().Boards)) {
		t.Error("they differ")
	}
	if strings.HasPrefix(names[0], "Player ") {
		t.Errorf("the first is called %s", names[0])
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
	for _, board := range []string{"kod", "mount-olympus"} {
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
	names := demoNames(drawn(t).Catalogue)
	scores := map[string]int64{}
	for _, s := range demoStandings(names, brandtest.Pantheon().Boards) {
		if s.Board == "kod" {
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
