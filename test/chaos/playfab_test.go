package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/contract/playfab"
	"pantheon/test/player"
)

// The portal uses a PlayFab title, and keeps running without it: nobody can sign in meanwhile, but signed-in players
// stay signed in.
// Spec: ITEM-1, PLAYFAB-1
func TestPlayFab_KeepsTheAccountsAndMayBeLost(t *testing.T) {
	title := playfab.New(playfab.Options{})
	server := httptest.NewServer(title)
	defer server.Close()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{
		"GAME_PLATFORM=playfab", "PLAYFAB_TITLE_ID=" + title.TitleID(), "PLAYFAB_SECRET_KEY=" + title.SecretKey(), "PLAYFAB_URL=" + server.URL,
	}})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	if players := title.Players(); len(players) != 1 || players[0] != p.ID {
		t.Fatalf("the title has the players %v, want %s", players, p.ID)
	}

	// The starter kit's currencies are credited on PlayFab, once each, and read from there.
	kit := map[string]int64{"d0": 40, "d1": 12, "f2": 6, "f3": 2, "gt": 30, "nt": 15, "et": 8, "ct": 4, "ig": 0, "ne": 0, "fa": 0}
	var balances struct{ Currencies map[string]int64 }
	testkit.Eventually(t, waitTimeout, func() bool {
		must(t, p.Call(ctx, http.MethodGet, "/api/auth/currencies", nil, &balances))
		return maps.Equal(balances.Currencies, kit)
	}, "the currencies are %v, want %v\n%s", &balances, kit, site.Log())
	if n := title.Count("Server/AddUserVirtualCurrency"); n != 8 {
		t.Errorf("%d credits, want 8", n)
	}

	title.Break(playfab.Fault{Answer: playfab.Cut()})
	var profile struct {
		AccountInfo struct{ TitleInfo struct{ DisplayName string } }
	}
	must(t, p.Call(ctx, http.MethodGet, "/api/auth/profile", nil, &profile))
	if profile.AccountInfo.TitleInfo.DisplayName == "" {
		t.Error("the player's name is forgotten")
	}
	if _, err := p.Listings(ctx, "avatars", 1); err != nil {
		t.Errorf("the market needs no PlayFab: %v", err)
	}
	if !site.Ready() {
		t.Error("a portal without PlayFab is taken out of service")
	}
	for what, call := range map[string]func() error{
		"currencies": func() error { return p.Call(ctx, http.MethodGet, "/api/auth/currencies", nil, nil) },
		"login": func() error {
			return player.Visitor(site.URL).Call(ctx, http.MethodPost, "/api/auth/login",
				map[string]string{"email": "a@example.org", "password": "thunder and rain"}, nil)
		},
	} {
		var answer *player.Error
		if err := call(); !errors.As(err, &answer) || answer.Status != http.StatusServiceUnavailable {
			t.Errorf("%s: %v, want 503", what, err)
			continue
		}
		var problem struct{ Message string }
		must(t, json.Unmarshal([]byte(answer.Body), &problem))
		if problem.Message != "We cannot reach the game's accounts just now. Please try again in a moment." {
			t.Errorf("%s: the player is told %q", what, problem.Message)
		}
	}

	title.Heal()
	if _, err := player.Register(ctx, site.URL); err != nil {
		t.Errorf("PlayFab is back, but: %v", err)
	}
	if log := site.Log(); strings.Contains(log, title.SecretKey()) {
		t.Errorf("the log shows the key:\n%s", log)
	}
}
