package playfab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	adapter "pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/testkit"
	"pantheon/test/contract/playfab"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// node runs a script of this folder. The vendor's SDK must be installed.
func node(t *testing.T, script, input string, env ...string) (output string, err error) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("node_modules", "playfab-sdk")); err != nil {
		t.Fatal("the vendor's SDK is missing: run `npm ci --ignore-scripts --prefix test/contract/playfab`")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", script)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// declared fails the test unless the vendor's declarations describe the exchanges.
func declared(t *testing.T, exchanges []playfab.Exchange) {
	t.Helper()
	if out, err := node(t, "declarations.mjs", lines(t, exchanges)); err != nil {
		t.Errorf("not as declared: %v\n%s", err, out)
	}
}

// lines formats exchanges as declarations.mjs reads them.
func lines(t *testing.T, exchanges []playfab.Exchange) string {
	t.Helper()
	var b bytes.Buffer
	for _, e := range exchanges {
		if err := json.NewEncoder(&b).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// The fake is accurate: the vendor's SDK works against it, and the SDK's declarations match all requests and
// responses.
// Spec: PLAYFAB-5
func TestSDK_VendorsSDKPlaysTheStandIn(t *testing.T) {
	t.Parallel()
	title := playfab.New(playfab.Options{Logins: playfab.Limit{Calls: 60, Window: time.Hour}})
	server := httptest.NewTLSServer(title) // the SDK supports only https
	defer server.Close()
	mails := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).
			Encode(title.Mails())
	}))
	defer mails.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := node(t, "sdk.mjs", "", "NODE_EXTRA_CA_CERTS="+ca, "TITLE="+title.TitleID(), "KEY="+title.SecretKey(), "URL="+
		server.URL, "MAILS="+mails.URL); err != nil {
		t.Errorf("the SDK: %v\n%s", err, out)
	}

	exchanges := title.Exchanges()
	for _, call := range playfab.Calls() {
		if !slices.ContainsFunc(exchanges, func(e playfab.Exchange) bool {
			return e.Call == call &&
				!strings.Contains(string(e.Answer), `"error"`)
		}) {
			t.Errorf("the SDK never had an answer to %s", call)
		}
	}
	declared(t, exchanges)
}

// The portal's requests to PlayFab match the vendor's declarations.
// Spec: PLAYFAB-5
func TestSDK_VendorsDeclarationsKnowWhatThePortalAsks(t *testing.T) {
	t.Parallel()
	clk := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	title := playfab.New(playfab.Options{Clock: clk})
	server := httptest.NewServer(title)
	defer server.Close()
	portal := func(template string) *adapter.Platform {
		p := adapter.New(adapter.Options{
			TitleID: title.TitleID(), SecretKey: title.SecretKey(), URL: server.URL, RecoveryTemplate: template, Known: nobody{}, Clock: clk,
			Log: slog.New(slog.DiscardHandler),
		})
		t.Cleanup(p.Close)
		return p
	}
	ctx, p := t.Context(), portal("")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	id, err := p.Register(ctx, account.Registration{Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain"})
	must(err)
	_, err = p.Login(ctx, "zeus@olympus.example", "thunder and rain")
	must(err)
	_, err = p.LinkedPlayer(ctx, "x", "44196397", []string{"zeus_of_x"})
	must(err)
	_, err = p.Player(ctx, id.PlayerID)
	must(err)
	_, err = p.PlayerByTicket(ctx, title.Ticket(id.PlayerID))
	must(err)
	_, err = p.Currencies(ctx, id.PlayerID)
	must(err)
	for _, amount := range []int64{5, -3} {
		_, err = p.ChangeBalance(ctx, id.PlayerID, "gt", amount)
		must(err)
	}
	must(p.SetScore(ctx, id.PlayerID, "kod", 7))
	_, err = p.Leaderboard(ctx, "kod", 1, 10)
	must(err)
	_, err = p.LeaderboardAround(ctx, "kod", id.PlayerID, 10)
	must(err)
	must(p.Rename(ctx, id.PlayerID, "Thunderer"))
	must(p.SendRecovery(ctx, "zeus@olympus.example"))
	must(portal("ABC123").SendRecovery(ctx, "zeus@olympus.example"))
	_, err = p.ResetPassword(ctx, title.Mails()[0].Token, "new thunder", func(string) error { return nil })
	must(err)
	must(p.Check(ctx))
	must(p.DeletePlayer(ctx, id.PlayerID))

	exchanges := title.Exchanges()
	for _, e := range exchanges {
		if strings.Contains(string(e.Answer), `"error"`) {
			t.Errorf("%s was refused: %s", e.Call, e.Answer)
		}
	}
	if len(exchanges) < 17 {
		t.Errorf("only %d exchanges", len(exchanges))
	}
	declared(t, exchanges)
}

// A test of the check itself: undeclared fields are found.
// Spec: PLAYFAB-5
func TestSDK_WhatTheDeclarationsDoNotKnowIsFound(t *testing.T) {
	t.Parallel()
	const currency, good = "Server/AddUserVirtualCurrency", `{"PlayFabId":"A1","VirtualCurrency":"gt","Amount":1}`
	answer := func(data string) string { return `{"code":200,"status":"OK","data":` + data + `}` }
	for what, e := range map[string]struct{ call, request, answer string }{
		"an unknown method": {"Server/AddVirtualCurrency", good, answer(`{"Balance":1,"BalanceChange":1}`)},
		"a misspelt request field": {
			currency, `{"PlayFabID":"A1","VirtualCurrency":"gt","Amount":1}`, answer(`{"Balance":1,"BalanceChange":1}`),
		},
		"a missing request field":  {currency, `{"PlayFabId":"A1","VirtualCurrency":"gt"}`, answer(`{"Balance":1,"BalanceChange":1}`)},
		"a number written as text": {currency, good, answer(`{"Balance":"1","BalanceChange":1}`)},
		"a missing answer field":   {currency, good, answer(`{"Balance":1}`)},
		"a made-up answer field":   {currency, good, answer(`{"Balance":1,"BalanceChange":1,"Sum":1}`)},
		"something made up within": {
			"Server/GetUserAccountInfo", `{"PlayFabId":"A1"}`,
			answer(`{"UserInfo":{"Created":"x","TitleInfo":{"Created":"x","IsBanned":false}}}`),
		},
		"a map of something else":   {"Server/GetUserInventory", `{"PlayFabId":"A1"}`, answer(`{"VirtualCurrency":{"gt":"1"}}`)},
		"an error without its code": {currency, good, `{"code":400,"status":"BadRequest","error":"InvalidParams","errorMessage":"x"}`},
	} {
		exchange := playfab.Exchange{Call: e.call, Request: json.RawMessage(e.request), Answer: json.RawMessage(e.answer)}
		if out, err := node(t, "declarations.mjs", lines(t, []playfab.Exchange{exchange})); err == nil || out == "" {
			t.Errorf("%s is not found: %v %s", what, err, out)
		}
	}
}

// nobody stores no players.
type nobody struct{}

func (nobody) Player(context.Context, string) (account.Identity, error) {
	return account.Identity{}, fault.New(fault.NotFound, "There is no such player.")
}

func (nobody) NameTaken(context.Context, string, string) (bool, error) { return false, nil }
