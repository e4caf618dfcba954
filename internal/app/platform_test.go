package app

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

// Rewards reach PlayFab although its responses are lost: each is credited once, and one that can never be credited
// blocks no other.
// Spec: PLAYFAB-4
func TestPlatform_RewardsAreCreditedAtPlayFabOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, clk := t.Context(), clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
		title := fake.New(fake.Options{Clock: clk, Currencies: []string{"gt", "nt"}})
		server := httptest.NewServer(title)
		defer server.Close()
		c := config.Config{PlayFab: config.PlayFab{TitleID: title.TitleID(), SecretKey: config.Secret(title.SecretKey()), URL: server.URL}}
		platform := newPlayFab(c, accounts.New(db), playfab.Options{Clock: clk, Log: slog.New(slog.DiscardHandler)})
		defer platform.Close()
		id, err := platform.Register(ctx, account.Registration{Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain"})
		if err != nil {
			t.Fatal(err)
		}
		testkit.AddPlayers(t, db, 0, id.PlayerID)
		var said []string
		payouts := platformRewards{
			rewards.New(db), purse.NewService(store.Purse{DB: db}, platform, clk, func(err error) { t.Error(err) }),
			func(m string, _ ...any) { said = append(said, m) },
		}
		s := reward.NewService(payouts, nil, reward.Treasury{}, clk)
		grant := func(source, code string, amount int64) {
			t.Helper()
			grants := []reward.Content{reward.Currency{Code: code, Amount: amount}.Content()}
			if err := s.Grant(ctx, reward.Reward{Source: source, Origin: reward.FromArk, PlayerID: id.PlayerID, Grants: grants}); err != nil {
				t.Fatal(err)
			}
		}
		grant("ark 1", "gt", 40)  // its response is lost
		grant("ark 2", "gt", 5)   // waits for it
		grant("ark 3", "nt", 7)   // does not
		grant("ark 4", "xx", 1)   // the title has no such currency
		grant("ark 5", "nt", 3e9) // more than a balance holds
		title.Break(fake.Fault{Call: "Server/AddUserVirtualCurrency", Times: 1, Applied: true, Answer: fake.Cut()})
		for range 3 {
			if _, err := s.Step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{
			"not known whether a reward was credited, looking again in a minute", "a reward cannot be credited", "a reward cannot be credited",
		}
		if gt, nt := title.Balance(id.PlayerID, "gt"), title.Balance(id.PlayerID, "nt"); gt != 40 || nt != 7 ||
			fmt.Sprint(said) != fmt.Sprint(want) {
			t.Errorf("balances %d and %d; the operator reads %q", gt, nt, said)
		}
		clk.Advance(time.Minute)
		for range 3 {
			if _, err := s.Step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		balances, err := platform.Currencies(ctx, id.PlayerID)
		if err != nil || !maps.Equal(balances, map[string]int64{"gt": 45, "nt": 7}) {
			t.Errorf("balances %v, %v", balances, err)
		}
		if due, err := rewards.New(db).DueGrants(ctx, reward.Due{
			State: reward.Pending, By: clk.Now().AddDate(1, 0, 0), Limit: 10,
		}); err != nil || len(due) != 0 {
			t.Errorf("still open: %v, %v", due, err)
		}
		// The record of the payment is lost, as when the process dies: it is not paid again.
		if err := payouts.PayCurrency(ctx, reward.Grant{
			Source: "ark 1", PlayerID: id.PlayerID, State: reward.Pending,
		}, reward.Currency{Code: "gt", Amount: 40}, clk.Now()); err != nil {
			t.Error(err)
		}
		if gt := title.Balance(id.PlayerID, "gt"); gt != 45 {
			t.Errorf("credited again: %d", gt)
		}
	})
}

func TestPlatform_CheckTriesPlayFab(t *testing.T) {
	t.Parallel()
	title := fake.New(fake.Options{})
	server := httptest.NewServer(title)
	defer server.Close()
	data := filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path)
	try := func(key string) error {
		c := config.Config{Brand: brandtest.Pantheon(),
			GamePlatform: config.PlatformPlayFab, DataDir: data,
			PlayFab: config.PlayFab{TitleID: title.TitleID(), SecretKey: config.Secret(key), URL: server.URL},
		}
		for _, connection := range CheckConnections(t.Context(), c) {
			if connection.Name == "PlayFab" {
				return connection.Err
			}
		}
		t.Fatal("PlayFab is not tried")
		return nil
	}
	if err := try(title.SecretKey()); err != nil {
		t.Error(err)
	}
	if err := try("hunter2marker"); err == nil || !strings.Contains(err.Error(), "PLAYFAB_SECRET_KEY") ||
		strings.Contains(err.Error(), "hunter2marker") {
		t.Errorf("a wrong key: %v", err)
	}
	settings := config.Config{Brand: brandtest.Pantheon(), GamePlatform: config.PlatformLocal, DataDir: data}
	for _, connection := range CheckConnections(t.Context(), settings) {
		if connection.Name == "PlayFab" {
			t.Error("PlayFab is tried although it is not used")
		}
	}
}

// PlayFab stores the addresses of its players: the profile does not ask to confirm one here.
// Spec: ACCOUNT-7
func TestEmail_OfAPlayerAtPlayFabCountsAsConfirmedInTheProfile(t *testing.T) {
	t.Parallel()
	title := fake.New(fake.Options{})
	server := httptest.NewServer(title)
	defer server.Close()
	c := config.Config{PlayFab: config.PlayFab{TitleID: title.TitleID(), SecretKey: config.Secret(title.SecretKey()), URL: server.URL}}
	platform := newPlayFab(c, accounts.New(testkit.Database(t, store.SQLite)),
		playfab.Options{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	defer platform.Close()
	id, err := platform.Register(t.Context(), account.Registration{
		Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain",
	})
	if err != nil {
		t.Fatal(err)
	}
	name, address, confirmed, err := names{platform}.Name(t.Context(), id.PlayerID)
	if err != nil || name != "Zeus" || address != "zeus@olympus.example" || !confirmed {
		t.Errorf("%q, %q, confirmed %v, %v", name, address, confirmed, err)
	}
}

// Spec: PLAYFAB-2
func TestTickets_SignInOnlyWhereTheSettingSaysSo(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]int{"": http.StatusOK, "true": http.StatusOK, "false": http.StatusUnauthorized} {
		title := fake.New(fake.Options{})
		server := httptest.NewServer(title)
		t.Cleanup(server.Close)
		s := serve(t, map[string]string{
			"GAME_PLATFORM": "playfab", "PLAYFAB_TITLE_ID": title.TitleID(), "PLAYFAB_SECRET_KEY": title.SecretKey(), "PLAYFAB_URL": server.URL,
			"PLAYFAB_TICKETS": setting,
		})
		registered := s.send(http.MethodPost, "/api/auth/register",
			`{"email":"zeus@olympus.example","displayName":"Zeus","password":"thunder and rain"}`, nil)
		if registered.Code != http.StatusCreated {
			t.Fatalf("registering: %d %s", registered.Code, registered.Body)
		}
		answer := s.send(http.MethodPost, "/api/proxy/auth/token/login", fmt.Sprintf(`{"context":%q}`, title.Ticket(title.Players()[0])), nil)
		if answer.Code != want {
			t.Errorf("PLAYFAB_TICKETS=%s: %d %s, want %d", setting, answer.Code, answer.Body, want)
		}
	}
}
