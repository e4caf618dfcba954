package e2e_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// A player's own pages, and the leaderboards, whose scores come from the command with which games report. The queries
// behind the pages are tested on both databases: one engine is enough.
func TestPortal_PlayersOwnPagesTellWhatIsTheirs(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "pantheon"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t.Context(), site, "portal.mjs", "SCORE="+binary, "DATA_DIR="+site.Dir)
	report(t, site, "portal.mjs", out, err)
	journey(t, site, "portal-failed.mjs")
}

// Piggy banks, an ark and a power pack are broken on both chains, and give what the tariffs say. The queries behind it are
// tested on both databases: one engine is enough.
func TestJourney_WhatIsBrokenGivesWhatTheTariffSays(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "burning.mjs")
}

// A player's money leaves the wallet for their own, and a thief's withdrawal is stopped by the emailed link. The queries
// behind it are tested on both databases: one engine is enough.
func TestJourney_MoneyLeavesAndAThiefIsStopped(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"WITHDRAWAL_DELAY=8s"}})
	journey(t, site, "money.mjs")
}

// Passkeys need a domain. What is stored of them is tested on both databases: one engine is enough.
func TestJourney_PasskeysSignInAndApprove(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Name: "localhost", Env: []string{"WITHDRAWAL_DELAY=5s"}})
	journey(t, site, "passkeys.mjs")
}

// The console needs a domain. Its calls are tested on both databases: one engine is enough.
func TestJourney_OperatorsHelpAPlayerAtTheConsole(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Name: "localhost"})
	out, err := site.Command("operator", "add", "Ada", "--role=owner", "--reason=runs the portal", "--json").CombinedOutput()
	var invitation struct{ URL string }
	if err != nil || json.Unmarshal(out, &invitation) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed, err := run(t.Context(), site, "operate.mjs", "LINK="+invitation.URL)
	report(t, site, "operate.mjs", printed, err)
}

// A player lists, another one holds and buys. The queries behind it are tested on both databases: one engine is enough.
func TestJourney_SellerListsAndBuyerBuys(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "selling.mjs")
}

// The answers to sent operations are lost. What the relay makes of operations that are sent twice is tested on both databases: one
// engine is enough.
func TestJourney_LostAnswerOfASendIsNoFailure(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "lost-answer.mjs")
}

// slowBeacon starts a beacon whose draws take 10 to 15 s, long enough for a page to show pending draws. It returns the settings of a
// portal that uses it.
func slowBeacon(t *testing.T) []string {
	t.Helper()
	const period = 5
	genesis := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	signer := beacon.NewSigner([32]byte{9})
	rounds := &beacon.Server{Signer: signer, Genesis: genesis, Period: period * time.Second, Clock: clock.System{}}
	server := httptest.NewServer(rounds.Handler())
	t.Cleanup(server.Close)
	return []string{
		"BEACON_URL=" + server.URL, "BEACON_PUBLIC_KEY=" + hex.EncodeToString(signer.PublicKey().Bytes()),
		fmt.Sprint("BEACON_GENESIS=", genesis.Unix()), fmt.Sprint("BEACON_PERIOD=", period),
	}
}

// A visitor signs in on the way to buy, pays in the development shop, waits for what was bought, and is paid back; and the shop
// asks who the player is. The rules of orders are tested on both databases: one engine is enough.
func TestJourney_WebstoreSellsAndDelivers(t *testing.T) {
	t.Parallel()
	env := append(slowBeacon(t), "CARD_DELAY=12s")
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: env})
	journey(t, site, "webstore.mjs")
}
