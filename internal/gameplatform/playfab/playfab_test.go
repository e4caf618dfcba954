package playfab_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/purse"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	_ account.Platform     = (*playfab.Platform)(nil)
	_ account.Tickets      = (*playfab.Platform)(nil)
	_ account.Recovery     = (*playfab.Platform)(nil)
	_ account.Renaming     = (*playfab.Platform)(nil)
	_ account.Deletion     = (*playfab.Platform)(nil)
	_ profile.Platform     = (*playfab.Platform)(nil)
	_ purse.Platform       = (*playfab.Platform)(nil)
	_ leaderboard.Platform = (*playfab.Platform)(nil)
)

var zeus = account.Registration{Email: "Zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and lightning"}

// known are the players who have signed in before.
type known map[string]account.Identity

func (k known) Player(_ context.Context, playerID string) (account.Identity, error) {
	if id, ok := k[playerID]; ok {
		return id, nil
	}
	return account.Identity{}, fault.New(fault.NotFound, "There is no such player.")
}

func (k known) NameTaken(_ context.Context, nameKey, butPlayerID string) (bool, error) {
	for id, p := range k {
		if id != butPlayerID && account.NameKey(p.DisplayName) == nameKey {
			return true, nil
		}
	}
	return false, nil
}

// title is a PlayFab title and the platform on it.
type title struct {
	*playfab.Platform
	t     *testing.T
	fake  *fake.Server
	clock *clock.Fake
	known known
	log   *testkit.Log
	sent  atomic.Int64 // requests, answered or not
}

func newTitle(t *testing.T, o fake.Options, change ...func(*playfab.Options)) *title {
	t.Helper()
	h := &title{t: t, clock: clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)), known: known{}, log: &testkit.Log{}}
	o.Clock = h.clock
	h.fake = fake.New(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.sent.Add(1)
		h.fake.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	options := playfab.Options{
		TitleID: h.fake.TitleID(), SecretKey: h.fake.SecretKey(), URL: server.URL, Pause: time.Millisecond, Known: h.known, Clock: h.clock,
		Log: slog.New(slog.NewTextHandler(h.log, nil)),
	}
	for _, c := range change {
		c(&options)
	}
	h.Platform = playfab.New(options)
	t.Cleanup(h.Close)
	return h
}

func (h *title) register(r account.Registration) account.Identity {
	h.t.Helper()
	id, err := h.Register(h.t.Context(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustFail(t *testing.T, what string, err error, code fault.Code, message string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Message != message {
		t.Errorf("%s: %v, want a fault %s %q", what, err, code, message)
	}
}

func TestPlayFab_PlayersRegisterAndComeBack(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	registered := h.register(zeus)
	if registered.DisplayName != "Zeus" || registered.Email != zeus.Email || registered.PlayerID == "" {
		t.Errorf("registered as %+v", registered)
	}
	for _, email := range []string{zeus.Email, strings.ToLower(zeus.Email)} {
		if id, err := h.Login(t.Context(), email, zeus.Password); err != nil || id != registered {
			t.Errorf("%s: %+v, %v; want %+v", email, id, err, registered)
		}
	}
	if id, err := h.Player(t.Context(), registered.PlayerID); err != nil || id != registered {
		t.Errorf("the player is %+v, %v", id, err)
	}
	_, err := h.Player(t.Context(), "0123456789ABCDEF")
	mustFail(t, "an unknown id", err, fault.NotFound, "There is no such player.")
}

// A wrong password, an unknown email and a password that PlayFab would never accept give the same fault.
// Spec: ACCOUNT-5
func TestPlayFab_RefusedLoginDoesNotSayWhy(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	h.register(zeus)
	for what, try := range map[string][2]string{
		"wrong password": {zeus.Email, "thunder and rain"}, "unknown e-mail": {"hera@olympus.example", zeus.Password},
		"too short": {zeus.Email, "x"},
		"too long":  {zeus.Email, strings.Repeat("x", 101)},
	} {
		if id, err := h.Login(t.Context(), try[0], try[1]); !errors.Is(err, account.ErrPassword) || id != (account.Identity{}) {
			t.Errorf("%s: %+v, %v", what, id, err)
		}
	}
}

func TestPlayFab_BannedPlayersAreReferredToSupport(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	id := h.register(zeus)
	h.fake.Ban(id.PlayerID)
	_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
	mustFail(t, "a banned player", err, fault.Forbidden, "This account is closed. Please write to our support.")
}

func TestPlayFab_RegistrationErrorsNameTheField(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	h.register(zeus)
	for what, c := range map[string]struct {
		change func(*account.Registration)
		code   fault.Code
		want   string
	}{
		"taken e-mail": {
			func(r *account.Registration) { r.Email = "ZEUS@olympus.example" }, fault.Conflict,
			"body.email: There is an account with this email already.",
		},
		"taken name": {func(r *account.Registration) { r.DisplayName = "zeus" }, fault.Conflict, "body.displayName: This name is taken."},
		"e-mail": {
			func(r *account.Registration) { r.Email = "hera" }, fault.Invalid, "body.email: This does not look like an email address.",
		},
		"name": {
			func(r *account.Registration) { r.DisplayName = "H" }, fault.Invalid, "body.displayName: A name has 3 to 20 characters.",
		},
		"password": {
			func(r *account.Registration) { r.Password = "x" }, fault.Invalid, "body.password: A new password has 8 to 100 characters.",
		},
		"UTF-16 counts so": {
			func(r *account.Registration) { r.Password = strings.Repeat("⚡\ufe0f", 60) }, fault.Invalid,
			"body.password: A new password has 8 to 100 characters.",
		},
	} {
		r := account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"}
		c.change(&r)
		_, err := h.Register(t.Context(), r)
		f := fault.As(err)
		if f == nil || f.Code != c.code || len(f.Fields) != 1 || f.Fields[0].Location+": "+f.Fields[0].Message != c.want {
			t.Errorf("%s: %v, want %s %q", what, err, c.code, c.want)
		}
	}
	h.fake.Break(fake.Fault{Call: "Client/RegisterPlayFabUser", Answer: fake.Refuse(fake.ProfaneDisplayName)})
	_, err := h.Register(t.Context(), account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || f.Fields[0].Message != "Please choose another name." {
		t.Errorf("a profane name: %v", err)
	}
	if n := len(h.fake.Players()); n != 1 {
		t.Errorf("%d accounts after refused registrations, want 1", n)
	}
}

// It is unknown then whether the account was created; the message says what to do either way.
func TestPlayFab_RegistrationWhoseAnswerIsLostSaysWhatToDo(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	h.fake.Break(fake.Fault{Call: "Client/RegisterPlayFabUser", Times: 1, Applied: true, Answer: fake.Cut()})
	_, err := h.Register(t.Context(), zeus)
	mustFail(t, "lost", err, fault.Unavailable,
		"We could not finish making your account. Please try to sign in; if that does not work, register again.")
	if n := h.sent.Load(); n != 1 {
		t.Errorf("%d requests, want 1: a registration is never repeated", n)
	}
	if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); err != nil {
		t.Errorf("what the message says does not work: %v", err)
	}
}

// Players with no name from the game, or with an invalid one, get a display name.
func TestPlayFab_PlayersMadeByTheGameHaveAName(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	for answer, want := range map[string]account.Identity{
		`{"PlayFabId":"ABCDEF0123"}`:                                               {PlayerID: "ABCDEF0123", DisplayName: "Player 0123"},
		`{"PlayFabId":"A1","Username":"hera"}`:                                     {PlayerID: "A1", DisplayName: "hera"},
		`{"PlayFabId":"A1","Username":"hera","TitleInfo":{"DisplayName":"Queen"}}`: {PlayerID: "A1", DisplayName: "Queen"},
		`{"PlayFabId":"A1","TitleInfo":{"DisplayName":" Q\u0000\u202eu\n "}}`:      {PlayerID: "A1", DisplayName: "Qu"},
		`{"PlayFabId":"A1","TitleInfo":{"DisplayName":"\u0000"},"PrivateInfo":{}}`: {PlayerID: "A1", DisplayName: "Player A1"},
		`{"PlayFabId":"A1","TitleInfo":null,"PrivateInfo":{"Email":"h@o.example"},"X":{}}`: {
			PlayerID: "A1", DisplayName: "Player A1", Email: "h@o.example",
		},
	} {
		h.fake.Break(fake.Fault{Times: 1, Answer: fake.Text(200, `{"code":200,"status":"OK","data":{"UserInfo":`+answer+`}}`)})
		if id, err := h.Player(t.Context(), want.PlayerID); err != nil || id != want {
			t.Errorf("%s: %+v, %v; want %+v", answer, id, err, want)
		}
	}
}

func TestPlayFab_StoredPlayersAreReturnedDuringAnOutage(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	id := h.register(zeus)
	h.known[id.PlayerID] = account.Identity{PlayerID: id.PlayerID, DisplayName: "Old Zeus", Email: zeus.Email}
	for what, answer := range map[string]http.HandlerFunc{"lost": fake.Cut(), "busy": fake.Slow(60), "nonsense": fake.Text(200, "<html>")} {
		h.fake.Break(fake.Fault{Answer: answer})
		if got, err := h.Player(t.Context(), id.PlayerID); err != nil || got.DisplayName != "Old Zeus" {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		if _, err := h.Player(t.Context(), "0123456789ABCDEF"); err == nil {
			t.Errorf("%s: somebody who was never here is known", what)
		}
		h.fake.Heal()
	}
	if got, err := h.Player(t.Context(), id.PlayerID); err != nil || got != id {
		t.Errorf("back again: %+v, %v", got, err)
	}
	must(t, h.DeletePlayer(t.Context(), id.PlayerID))
	_, err := h.Player(t.Context(), id.PlayerID)
	mustFail(t, "a deleted player is not remembered", err, fault.NotFound, "There is no such player.")
}

// Spec: PLAYFAB-1
func TestPlayFab_SessionTicketsTellWhoHoldsThem(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	id := h.register(zeus)
	ticket := h.ticket()
	if got, err := h.PlayerByTicket(t.Context(), ticket); err != nil || got != id {
		t.Errorf("%+v, %v; want %+v", got, err, id)
	}
	for _, other := range []string{"", "x", ticket + "0", strings.ToLower(ticket)} {
		_, err := h.PlayerByTicket(t.Context(), other)
		mustFail(t, "ticket "+other, err, fault.Unauthorized, "Please sign in to continue.")
	}
	h.clock.Advance(fake.TicketTTL)
	_, err := h.PlayerByTicket(t.Context(), ticket)
	mustFail(t, "an expired ticket", err, fault.Unauthorized, "Please sign in to continue.")
}

// ticket returns the title's newest ticket.
func (h *title) ticket() string {
	h.t.Helper()
	list := h.fake.Exchanges()
	_, rest, found := strings.Cut(string(list[len(list)-1].Answer), `"SessionTicket":"`)
	ticket, _, _ := strings.Cut(rest, `"`)
	if !found {
		h.t.Fatal("no ticket was given")
	}
	return ticket
}

// Spec: PLAYFAB-1
func TestPlayFab_ForgottenPasswordIsReplacedByTheMailedLinkOnce(t *testing.T) {
	t.Parallel()
	for template, call := range map[string]string{"": "Client/SendAccountRecoveryEmail", "ABC123": "Server/SendCustomAccountRecoveryEmail"} {
		h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.RecoveryTemplate = template })
		id := h.register(zeus)
		must(t, h.SendRecovery(t.Context(), zeus.Email))
		for _, nobody := range []string{"hera@olympus.example", "hera"} { // the response does not reveal who has an account
			must(t, h.SendRecovery(t.Context(), nobody))
		}
		mails := h.fake.Mails()
		if len(mails) != 1 || mails[0].To != zeus.Email || mails[0].Template != template || h.fake.Count(call) != 3 {
			t.Fatalf("mails %+v by %s", mails, call)
		}
		_, err := h.ResetPassword(t.Context(), mails[0].Token, "x", unchecked)
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Fields) != 1 || f.Fields[0].Location != "body.password" {
			t.Errorf("a short password: %v", err)
		}
		if player, err := h.ResetPassword(t.Context(), mails[0].Token, "new thunder", unchecked); err != nil || player != id.PlayerID {
			t.Errorf("reset: %s, %v", player, err)
		}
		if _, err := h.Login(t.Context(), zeus.Email, "new thunder"); err != nil {
			t.Errorf("the new password: %v", err)
		}
		const gone = "This link has expired or was used before. Please ask for a new one."
		for _, token := range []string{mails[0].Token, "", "unknown"} {
			_, err := h.ResetPassword(t.Context(), token, "newer thunder", unchecked)
			mustFail(t, "token "+token, err, fault.Invalid, gone)
		}
		must(t, h.SendRecovery(t.Context(), zeus.Email))
		h.clock.Advance(time.Hour)
		_, err = h.ResetPassword(t.Context(), h.fake.Mails()[1].Token, "newer thunder", unchecked)
		mustFail(t, "an expired token", err, fault.Invalid, gone)
	}
}

// Spec: PLAYFAB-1
func TestPlayFab_PlayersAreRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	id := h.register(zeus)
	h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
	must(t, h.Rename(t.Context(), id.PlayerID, "Thunderer"))
	if got, err := h.Player(t.Context(), id.PlayerID); err != nil || got.DisplayName != "Thunderer" {
		t.Errorf("renamed: %+v, %v", got, err)
	}
	err := h.Rename(t.Context(), id.PlayerID, "HERA")
	if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Fields[0].Location != "body.displayName" {
		t.Errorf("another's name: %v", err)
	}
	for range 2 { // deleting a deleted player is not an error
		must(t, h.DeletePlayer(t.Context(), id.PlayerID))
	}
	if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); !errors.Is(err, account.ErrPassword) {
		t.Errorf("a deleted player's login: %v", err)
	}
}

func TestPlayFab_CurrenciesAreReadAndChanged(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{Currencies: []string{"gt", "fa"}})
	id := h.register(zeus)
	if n, err := h.ChangeBalance(t.Context(), id.PlayerID, "gt", 40); err != nil || n != 40 {
		t.Errorf("added: %d, %v", n, err)
	}
	if n, err := h.ChangeBalance(t.Context(), id.PlayerID, "gt", -50); err != nil || n != -10 {
		t.Errorf("PlayFab lets it fall: %d, %v", n, err)
	}
	if m, err := h.Currencies(t.Context(), id.PlayerID); err != nil || !maps.Equal(m, map[string]int64{"gt": -10, "fa": 0}) {
		t.Errorf("balances %v, %v", m, err)
	}
	if n, err := h.Balance(t.Context(), id.PlayerID, "gt"); err != nil || n != -10 {
		t.Errorf("balance %d, %v", n, err)
	}
	_, err := h.ChangeBalance(t.Context(), id.PlayerID, "xx", 1)
	mustFail(t, "an unknown currency", err, fault.NotFound, "There is no such currency.")
	_, err = h.ChangeBalance(t.Context(), "0123456789ABCDEF", "gt", 1)
	mustFail(t, "an unknown player", err, fault.NotFound, "There is no such player.")
	h.fake.SetBalance(id.PlayerID, "gt", 2_147_483_647-1)
	if n, err := h.ChangeBalance(t.Context(), id.PlayerID, "gt", 5); err != nil || n != 2_147_483_647 ||
		!strings.Contains(h.log.String(), "another amount") {
		t.Errorf("what does not fit is lost, and somebody is told: %d, %v", n, err)
	}
}

// Spec: PLAYER-4, PLAYFAB-1
func TestPlayFab_LeaderboardsAreReadFromAnyRankAndAroundAPlayer(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{Statistics: map[string]string{"kod": "Max"}})
	var ids []string
	for i := range 5 {
		id := h.register(account.Registration{
			Email: fmt.Sprintf("p%d@olympus.example", i), DisplayName: fmt.Sprint("Player", i), Password: "thunder and rain",
		})
		ids = append(ids, id.PlayerID)
		must(t, h.SetScore(t.Context(), id.PlayerID, "kod", int64(100-10*i)))
	}
	must(t, h.SetScore(t.Context(), ids[0], "kod", 1)) // the best one counts
	entry := func(i int) leaderboard.Entry {
		return leaderboard.Entry{Rank: i + 1, PlayerID: ids[i], Name: fmt.Sprint("Player", i), Score: int64(100 - 10*i)}
	}
	if got, err := h.Leaderboard(t.Context(), "kod", 1, 2); err != nil || !slices.Equal(got, []leaderboard.Entry{entry(0), entry(1)}) {
		t.Errorf("the first two: %+v, %v", got, err)
	}
	if got, err := h.Leaderboard(t.Context(), "kod", 4, 100); err != nil || !slices.Equal(got, []leaderboard.Entry{entry(3), entry(4)}) {
		t.Errorf("from the fourth on: %+v, %v", got, err)
	}
	if got, err := h.LeaderboardAround(t.Context(), "kod", ids[2], 3); err != nil ||
		!slices.Equal(got, []leaderboard.Entry{entry(1), entry(2), entry(3)}) {
		t.Errorf("around the third: %+v, %v", got, err)
	}
	if got, err := h.Leaderboard(t.Context(), "mount-olympus", 1, 10); err != nil || len(got) != 0 {
		t.Errorf("a board without players: %+v, %v", got, err)
	}
	_, err := h.LeaderboardAround(t.Context(), "kod", "0123456789ABCDEF", 3)
	mustFail(t, "around nobody", err, fault.NotFound, "There is no such player.")
	if err := h.SetScore(t.Context(), ids[0], "kod", 1<<31); !fault.Is(err, fault.Invalid) {
		t.Errorf("a score of more than 32 bits: %v", err)
	}
}

func TestPlayFab_CheckReportsARejectedKey(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	must(t, h.Check(t.Context()))
	other := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.SecretKey = "hunter2" })
	mustFail(t, "another title's key", other.Check(t.Context()), fault.Unavailable,
		"PlayFab does not take the key: see PLAYFAB_TITLE_ID and PLAYFAB_SECRET_KEY")
}

// unchecked accepts a new password of any player.
func unchecked(string) error { return nil }
