package app_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// Spec: PLAYER-7
func TestOperator_ReadsWhatPeopleLeft(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the portal keeps running meanwhile
	s := contact.NewService(db, clock.System{}, "")
	for _, address := range []string{"zeus@olympus.example", "hera@olympus.example"} {
		if err := s.PreRegister(t.Context(), address); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write(t.Context(), "zeus@olympus.example", contact.Wallet, "Where is it?\nI looked everywhere."); err != nil {
		t.Fatal(err)
	}

	var requests, addresses strings.Builder
	if err := app.PrintSupportRequests(t.Context(), c, &requests); err != nil {
		t.Fatal(err)
	}
	if want := "  wallet  zeus@olympus.example\n\n    Where is it?\n    I looked everywhere.\n\n"; !strings.HasSuffix(requests.String(), want) {
		t.Errorf("requests:\n%s", requests.String())
	}
	if err := app.StrikeAddress(t.Context(), c, "Zeus@olympus.example"); err != nil {
		t.Fatal(err)
	}
	if err := app.StrikeAddress(t.Context(), c, "zeus@olympus.example"); err == nil {
		t.Error("an address was struck out twice")
	}
	if err := app.PrintAddresses(t.Context(), c, &addresses); err != nil || addresses.String() != "hera@olympus.example\n" {
		t.Errorf("addresses %q, %v", addresses.String(), err)
	}
}

// Spec: ACCOUNT-8
func TestOperator_ReadsWherePlayersComeFrom(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, source := range []string{"game", "letter"} {
		now := at.Add(time.Duration(i) * time.Minute)
		s := account.Session{
			ID: source, PlayerID: "A", CreatedAt: now, ExpiresAt: now.Add(time.Hour), Arrival: &account.Arrival{Parameters: map[string]string{"utm_source": source}},
		}
		if _, err := db.OpenSession(t.Context(), account.Identity{PlayerID: "A", DisplayName: "Zeus"}, s, source, now); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	want := "2026-03-01 12:00:00  A  {\"utm_source\":\"game\"}\n2026-03-01 12:01:00  A  {\"utm_source\":\"letter\"}\n"
	if err := app.PrintArrivals(t.Context(), c, &out); err != nil || out.String() != want {
		t.Errorf("%v; arrivals:\n%s", err, out.String())
	}
}

// Spec: SAFE-7
func TestFreeze_TheOperatorReadsWhatWasDone(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the portal keeps running meanwhile
	zeus := account.Identity{PlayerID: "00000000000000A1", DisplayName: "Zeus", Email: "zeus@olympus.example"}
	for _, id := range []string{"here", "there"} {
		s := account.Session{ID: id, PlayerID: zeus.PlayerID, CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}
		if _, err := db.OpenSession(t.Context(), zeus, s, id, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	freeze := func(reason string) error {
		return app.FreezePlayer(t.Context(), c, "zeus@olympus.example", reason, &out)
	}
	unfreeze := func() error { return app.UnfreezePlayer(t.Context(), c, "Zeus", &out) }
	list := func() error { return app.PrintFrozen(t.Context(), c, &out) }
	link := email.NewNotice("https://portal.example", "A notice", 0, "test", 0)
	link.To, link.PlayerID = zeus.Email, zeus.PlayerID
	if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, link) }); err != nil {
		t.Fatal(err)
	}
	pressLink := func() error {
		_, err := db.FreezeByNotice(t.Context(), account.SelfFreeze{TokenHash: link.Notice.TokenHash, At: time.Now()})
		return err
	}
	const who = "00000000000000A1 (Zeus, zeus@olympus.example)"
	for _, step := range []struct {
		what string
		do   func() error
		want string
	}{
		{"nobody is frozen", list, ""},
		{"unfreezing somebody who is not", unfreeze, who + " is not frozen.\n"},
		{"freezing", func() error { return freeze("stolen card") }, who + " is frozen. Sessions ended: 2. Holds ended: 0.\n" +
			"The player reads: This account is frozen: stolen card. Please write to our support.\nPayments that the chain has already go on.\n"},
		{"freezing again", func() error { return freeze("two stolen cards") }, who + " is frozen already, since TIME. The reason is now: two stolen cards\n"},
		{"the list", list, "TIME  " + who + "  two stolen cards\n"},
		{"unfreezing", unfreeze, who + " is no longer frozen. The account was frozen since TIME: two stolen cards\n"},
		{"nobody is frozen any more", list, ""},
		{"the owner's link", pressLink, ""},
		{"the list with it", list, "TIME  " + who + "  self-frozen: the owner pressed \"This was not me\" in an email\n"},
		{"freezing it", func() error { return freeze("a thief's account") }, who + " is frozen already, since TIME. The reason is now: a thief's account\n"},
		{"the link again", pressLink, ""},
		{"the list with the operator's freeze", list, "TIME  " + who + "  a thief's account\n"},
	} {
		out.Reset()
		err := step.do()
		if got := timeInWords.ReplaceAllString(out.String(), "TIME"); err != nil || got != step.want {
			t.Errorf("%s: %v\n%swant\n%s", step.what, err, got, step.want)
		}
	}
	out.Reset()
	err = app.FreezePlayer(t.Context(), c, "hera", "stolen card", &out)
	if err == nil || err.Error() != `There is no player with the id, email or name "hera".` || out.Len() != 0 {
		t.Errorf("somebody unknown: %v, %s", err, out.String())
	}
}

// Whoever takes another player's id as a name neither hides that player from operators nor is acted on in that player's place.
func TestOperator_WordThatFitsTwoPlayersIsRefusedWithBoth(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	const zeus = "00000000000000A1"
	for id, name := range map[string]string{zeus: "Zeus", "00000000000000A2": zeus} {
		s := account.Session{ID: id, PlayerID: id, CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}
		if _, err := db.OpenSession(t.Context(), account.Identity{PlayerID: id, DisplayName: name}, s, id, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err = app.PrintPlayer(t.Context(), c, zeus, &out)
	if err == nil || !strings.Contains(err.Error(), "id:"+zeus+" ") || !strings.Contains(err.Error(), "id:00000000000000A2 ") || out.Len() > 0 {
		t.Errorf("an id that is another's name: %v\n%s", err, out.String())
	}
	if err := app.PrintPlayer(t.Context(), c, "id:"+zeus, &out); err != nil || !strings.Contains(out.String(), zeus+" (Zeus") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

var timeInWords = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)

// What the player may have already, because the game platform's answer was lost, is given again only if the operator says so.
func TestOperator_UncertainGrantIsRedoneOnlyIfForced(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	testkit.AddPlayers(t, db, 0, "A")
	now := time.Now()
	if err := db.AddReward(t.Context(), reward.Reward{
		Source: "gift", Origin: "gift", PlayerID: "A", Detail: "{}", Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 5}.Content()},
	}, now); err != nil {
		t.Fatal(err)
	}
	g := reward.Grant{Source: "gift", Content: reward.Currency{Code: "fa", Amount: 5}.Content(), State: reward.Pending, PlayerID: "A"}
	if _, err := db.MoveGrant(t.Context(), g, reward.Failed, purse.ErrUnclear.Message, now); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := app.RedoReward(t.Context(), c, "gift", "asked for", false, &out); err == nil || !strings.Contains(err.Error(), "--even-if-given") || out.Len() > 0 {
		t.Errorf("unasked: %v, %s", err, out.String())
	}
	if err := app.RedoReward(t.Context(), c, "gift", "looked it up", true, &out); err != nil || !strings.Contains(out.String(), "1 grants of gift are given again") {
		t.Errorf("%v, %s", err, out.String())
	}
}
