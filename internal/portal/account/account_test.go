package account_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const site = "https://portal.example"

var signingKey = []byte("0123456789abcdef0123456789abcdef")

// closed records closed connections and reported errors.
type closed struct {
	mu       sync.Mutex
	sessions []string
	reports  []error
	err      error // returned by CloseSession
}

func (c *closed) CloseSession(ctx context.Context, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions = append(c.sessions, id)
	if ctx.Done() != nil {
		return errors.New("this ends with whoever asked for it")
	}
	return c.err
}

func (c *closed) report(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reports = append(c.reports, err)
}

// gamePlatform is everything a game platform implements for accounts.
type gamePlatform interface {
	account.Platform
	account.Linking
}

// house is the Service on a game platform.
type house struct {
	*account.Service
	t        *testing.T
	db       *store.DB
	clock    *clock.Fake
	closed   *closed
	platform gamePlatform
	fake     *fake.Server // PlayFab's fake; nil on the built-in platform

	approvals *approval.Service
}

// platforms are the constructors of the game platforms.
var platforms = map[string]func(t *testing.T, db *store.DB, c clock.Clock) (gamePlatform, *fake.Server){
	"local": func(t *testing.T, db *store.DB, c clock.Clock) (gamePlatform, *fake.Server) {
		platform, err := local.New(accounts.New(db), local.Options{Cost: local.TestCost, Site: site, Clock: c, EmailWait: 24 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return platform, nil
	},
	"playfab": func(t *testing.T, db *store.DB, c clock.Clock) (gamePlatform, *fake.Server) {
		title := fake.New(fake.Options{Clock: c})
		server := httptest.NewServer(title)
		t.Cleanup(server.Close)
		platform := playfab.New(playfab.Options{
			TitleID: title.TitleID(), SecretKey: title.SecretKey(), URL: server.URL, Known: accounts.New(db), Clock: c,
			Log:              slog.New(slog.DiscardHandler),
			RecoveryTemplate: "ABC123", Pause: time.Millisecond,
		})
		t.Cleanup(platform.Close)
		return platform, title
	},
}

// eachHouse runs the test on every game platform and both databases.
func eachHouse(t *testing.T, test func(t *testing.T, h house)) {
	t.Helper()
	for name := range platforms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachHouseOn(t, name, test)
		})
	}
}

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// eachHouseOn runs the test on one game platform and both databases.
func eachHouseOn(t *testing.T, platform string, test func(t *testing.T, h house)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) { test(t, openHouse(t, platform, db, c)) })
}

func openHouse(t *testing.T, platform string, db *store.DB, c *clock.Fake) house {
	t.Helper()
	h := house{t: t, db: db, clock: c, closed: &closed{}}
	h.platform, h.fake = platforms[platform](t, db, h.clock)
	o := account.Options{
		Platform: h.platform, Sessions: accounts.New(db), Deletions: accounts.New(db), Emails: accounts.New(db),
		Notices: accounts.New(db), Connections: h.closed, Clock: h.clock, Keys: keyset.Keys{signingKey},
		SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
		Site: site, Report: h.closed.report, EmailWait: 24 * time.Hour, Reserved: reservedOf, Valuables: valuables,
	}
	h.Service = testkit.Accounts(db, o)
	h.approvals = testkit.AccountApprovals(db, h.Service, o)
	return h
}

var zeus = account.Registration{Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain"}

func (h house) register(r account.Registration) account.Credentials {
	h.t.Helper()
	c, err := h.Register(h.t.Context(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

func (h house) caller(token string) account.Caller {
	h.t.Helper()
	c, err := h.Authenticate(h.t.Context(), token)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

func mustFail(t *testing.T, what string, err error, code fault.Code, message string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Message != message {
		t.Errorf("%s: %v, want a fault %s %q", what, err, code, message)
	}
}

func (h house) mustBeSignedOut(what string, err error) {
	h.t.Helper()
	mustFail(h.t, what, err, fault.Unauthorized, "Please sign in to continue.")
}

// Spec: ACCOUNT-1, ACCOUNT-26, PLAYFAB-1
func TestAccount_WhoRegistersIsSignedIn(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(account.Registration{Email: "  Zeus@Olympus.example ", DisplayName: "  Zeus  ", Password: "thunder and rain"})
		caller := h.caller(c.Token)
		if !regexp.MustCompile(`^[0-9A-F]{16}$`).MatchString(caller.PlayerID) {
			t.Errorf("player id %q is not 16 upper-case hex digits", caller.PlayerID)
		}
		id, err := h.Player(t.Context(), caller)
		if want := (account.Identity{PlayerID: caller.PlayerID, DisplayName: "Zeus", Email: "Zeus@Olympus.example"}); err != nil || id != want {
			t.Errorf("the player is %+v, %v; want %+v", id, err, want)
		}
		if again := h.caller("Bearer " + c.Token); again != caller {
			t.Errorf("with \"Bearer \" the token is %+v's", again)
		}
		if !regexp.MustCompile(`^Bearer [A-Za-z0-9_-]{43}$`).MatchString(c.SessionAuthorization) {
			t.Error("the session authorization has another form than Bearer and 256 bits")
		}
	})
}

// Spec: ACCOUNT-1, ACCOUNT-2, ACCOUNT-3, ACCOUNT-4
func TestAccount_EveryBrokenRuleOfARegistrationIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	const (
		email, noEmail    = "body.email: This does not look like an email address.", "body.email: Please enter your email."
		length, noName    = "body.displayName: A name has 3 to 20 characters.", "body.displayName: Please choose a name."
		unseen            = "body.displayName: This name has characters that cannot be shown."
		guessed           = "body.password: This password is easy to guess. Try three unrelated words, and leave out your name and email."
		password, noPassw = "body.password: A new password has 8 to 100 characters.", "body.password: Please choose a password."
	)
	good := zeus
	with := func(change func(*account.Registration)) account.Registration {
		r := good
		change(&r)
		return r
	}
	mail := func(s string) account.Registration { return with(func(r *account.Registration) { r.Email = s }) }
	name := func(s string) account.Registration { return with(func(r *account.Registration) { r.DisplayName = s }) }
	pass := func(s string) account.Registration { return with(func(r *account.Registration) { r.Password = s }) }
	eachHouse(t, func(t *testing.T, h house) {
		for _, c := range []struct {
			what string
			r    account.Registration
			want []string
		}{
			{"nothing at all", account.Registration{}, []string{noEmail, noName, noPassw}},
			{"all wrong", account.Registration{Email: "x", DisplayName: "x", Password: "x"}, []string{email, length, password}},
			{"two wrong", account.Registration{Email: "zeus@olympus", DisplayName: "Zeus", Password: "12345"}, []string{email, password}},
			{"blank email", mail("   "), []string{noEmail}},
			{"no domain", mail("zeus@"), []string{email}},
			{"no local part", mail("@olympus.example"), []string{email}},
			{"top level of one letter", mail("zeus@olympus.e"), []string{email}},
			{"top level with a digit", mail("zeus@olympus.e1"), []string{email}},
			{"label ending in a hyphen", mail("zeus@olympus-.example"), []string{email}},
			{"two @", mail("zeus@hera@olympus.example"), []string{email}},
			{"space inside", mail("ze us@olympus.example"), []string{email}},
			{"line break inside", mail("zeus@olympus.example\nBcc: all@olympus.example"), []string{email}},
			{"display form", mail("Zeus <zeus@olympus.example>"), []string{email}},
			{"255 characters", mail(strings.Repeat("z", 255-len("@olympus.example")) + "@olympus.example"), []string{email}},
			{"zero byte in the email", mail("ze\x00us@olympus.example"), []string{email}},
			{"control character in the email", mail("ze\x1bus@olympus.example"), []string{email}},
			{"broken text in the email", mail("ze\xffus@olympus.example"), []string{email}},
			{"name of 2", name("Ze"), []string{length}},
			{"name of 2 with blanks", name(" Ze "), []string{length}},
			{"name of 21", name(strings.Repeat("z", 21)), []string{length}},
			{"zero byte in the name", name("Ze\x00us"), []string{unseen}},
			{"line break in the name", name("Ze\nus"), []string{unseen}},
			{"direction override in the name", name("Ze\u202eus"), []string{unseen}},
			{"broken text in the name", name("Ze\xffus"), []string{unseen}},
			{"password of 7", pass("k3x9 qz"), []string{password}},
			{
				"the name as password", with(func(r *account.Registration) { r.DisplayName, r.Password = "Correct Horse", "correct horse" }),
				[]string{guessed},
			},
			{"the email as password", pass(good.Email), []string{guessed}},
			{"the email of a long name as password", with(func(r *account.Registration) {
				r.Email = strings.Repeat("xq7k", 15) + "@olympus.example"
				r.Password = r.Email
			}), []string{guessed}},
			{"password of 101", pass(strings.Repeat("p", 101)), []string{password}},
		} {
			_, err := h.Register(t.Context(), c.r)
			f := fault.As(err)
			if f == nil || f.Code != fault.Invalid {
				t.Errorf("%s: %v, want an invalid fault", c.what, err)
				continue
			}
			var got []string
			for _, field := range f.Fields {
				got = append(got, field.Location+": "+field.Message)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
		}
	})
}

// Spec: ACCOUNT-1, ACCOUNT-2, ACCOUNT-3, ACCOUNT-4
func TestAccount_WhatTheRulesAllow(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		for _, r := range []account.Registration{
			{Email: "a@b.co", DisplayName: "Iris", Password: "sandals and wings"},
			{Email: "first.last+tag@sub.olympus.example", DisplayName: "Ἀθηνᾶ", Password: "three odd herons " + strings.Repeat("x", 83)},
			{
				Email:       strings.Repeat("z", 64) + "@" + strings.Repeat(strings.Repeat("o", 63)+".", 2) + strings.Repeat("o", 53) + ".example",
				DisplayName: strings.Repeat("z", 20), Password: "ⲡⲁⲥⲥϣⲟⲣⲁⲡ",
			},
			{Email: "hestia@εστία.example", DisplayName: "Zoë of Knossos", Password: "with spaces and \x00 too"},
		} {
			h.register(r)
			if _, err := h.Login(t.Context(), r.Email, r.Password); err != nil {
				t.Errorf("%s cannot come back: %v", r.DisplayName, err)
			}
		}
	})
}

const emailTaken, nameTaken = "body.email: There is an account with this email already.", "body.displayName: This name is taken."

// mustBeTaken registers with email and name, and fails the test unless that is refused with these fields.
func (h house) mustBeTaken(what, email, name string, want ...string) {
	h.t.Helper()
	_, err := h.Register(h.t.Context(), account.Registration{Email: email, DisplayName: name, Password: "lightning rods"})
	f := fault.As(err)
	if f == nil || f.Code != fault.Conflict {
		h.t.Errorf("%s: %v, want a conflict", what, err)
		return
	}
	var got []string
	for _, field := range f.Fields {
		got = append(got, field.Location+": "+field.Message)
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestAccount_EmailsAndNamesAreTakenOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(account.Registration{Email: "zeus@olympus.example", DisplayName: "Zoë Straße", Password: "thunder and rain"})
		h.mustBeTaken("same email", "zeus@olympus.example", "Somebody", emailTaken)
		h.mustBeTaken("email in other case", "ZEUS@Olympus.EXAMPLE", "Somebody", emailTaken)
		h.mustBeTaken("email with blanks", " zeus@olympus.example ", "Somebody", emailTaken)
		h.mustBeTaken("same name", "hera@olympus.example", "Zoë Straße", nameTaken)
		h.mustBeTaken("name with a combining mark", "hera@olympus.example", "Zoe\u0308 Straße", nameTaken)
		if _, err := h.Login(t.Context(), "zeus@olympus.example", "lightning rods"); err == nil {
			t.Error("a refused registration changed the password")
		}
	})
}

func TestAccount_NamesAreTakenInEverySpelling(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(account.Registration{Email: "zeus@olympus.example", DisplayName: "Zoë Straße", Password: "thunder and rain"})
		h.mustBeTaken("name in other case", "hera@olympus.example", "ZOË STRASSE", nameTaken)
		h.mustBeTaken("name in full-width letters", "hera@olympus.example", "Ｚｏë Straße", nameTaken)
		if h.fake == nil { // PlayFab reports one error at a time
			h.mustBeTaken("both", "zeus@olympus.example", "zoë straße", emailTaken, nameTaken)
		}
	})
}

func TestAccount_OfManyWhoRegisterAnEmailAtOnceOneGetsIt(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		const players = 8
		errs := make([]error, players)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() {
				r := zeus
				r.DisplayName += strings.Repeat("s", i)
				_, errs[i] = h.Register(t.Context(), r)
			})
		}
		wg.Wait()
		got := 0
		for _, err := range errs {
			if err == nil {
				got++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("%v, want a conflict", err)
			}
		}
		if got != 1 {
			t.Errorf("%d accounts for one email", got)
		}
	})
}

// Spec: ACCOUNT-5
func TestAccount_Login(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		first := h.register(zeus)
		second, err := h.Login(t.Context(), " ZEUS@olympus.example ", zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		a, b := h.caller(first.Token), h.caller(second.Token)
		if a.PlayerID != b.PlayerID || a.SessionID == b.SessionID || first.SessionAuthorization == second.SessionAuthorization {
			t.Errorf("callers %+v and %+v: want one player with two sessions", a, b)
		}
		for what, try := range map[string][2]string{
			"wrong password":        {zeus.Email, "Thunder"},
			"password with a blank": {zeus.Email, zeus.Password + " "},
			"password without end":  {zeus.Email, strings.Repeat("p", 1<<20)},
			"unknown email":         {"hera@olympus.example", zeus.Password},
		} {
			c, err := h.Login(t.Context(), try[0], try[1])
			mustFail(t, what, err, fault.Unauthorized, "Invalid email or password")
			if c != (account.Credentials{}) {
				t.Errorf("%s gave credentials", what)
			}
		}
		// Invalid addresses reveal nothing about anybody.
		noEmail, email := fault.Field{
			Location: "body.email", Message: "Please enter your email.",
		}, fault.Field{Location: "body.email", Message: "This does not look like an email address."}
		noPassword := fault.Field{Location: "body.password", Message: "Please enter your password."}
		for _, try := range []struct {
			email, password string
			want            []fault.Field
		}{
			{zeus.Email, "", []fault.Field{noPassword}},
			{"", zeus.Password, []fault.Field{noEmail}},
			{"  ", "", []fault.Field{noEmail, noPassword}},
			{"zeus", "x", []fault.Field{email}},
			{strings.Repeat("z", 1<<20), zeus.Password, []fault.Field{email}},
			{"ze\x00us@olympus.example", zeus.Password, []fault.Field{email}},
			{"ze\xffus@olympus.example", zeus.Password, []fault.Field{email}},
		} {
			c, err := h.Login(t.Context(), try.email, try.password)
			if f := fault.As(err); f == nil || f.Code != fault.Invalid || !slices.Equal(f.Fields, try.want) || c != (account.Credentials{}) {
				t.Errorf("%.20q: %+v, want %+v", try.email, f, try.want)
			}
		}
	})
}

// Spec: ACCOUNT-12
func TestAccount_TokensLastADayAndWalletTokensAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		wallet, err := h.WalletToken(h.caller(c.Token))
		if err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(15*time.Minute - time.Second)
		if _, err := h.AuthenticateWallet(t.Context(), wallet); err != nil {
			t.Errorf("a second before its end the wallet token is refused: %v", err)
		}
		h.clock.Advance(time.Second)
		_, err = h.AuthenticateWallet(t.Context(), wallet)
		h.mustBeSignedOut("wallet token after 15 minutes", err)

		h.clock.Advance(24*time.Hour - 15*time.Minute - time.Second)
		h.caller(c.Token)
		if _, err := h.AuthenticateSession(t.Context(), c.SessionAuthorization); err != nil {
			t.Errorf("a second before its end the session is refused: %v", err)
		}
		h.clock.Advance(time.Second)
		_, err = h.Authenticate(t.Context(), c.Token)
		h.mustBeSignedOut("token after 24 hours", err)
		_, err = h.AuthenticateSession(t.Context(), c.SessionAuthorization)
		h.mustBeSignedOut("session after 24 hours", err)
	})
}

// A leaked API token cannot sign, and a leaked wallet token is only valid for the wallet.
// Spec: ACCOUNT-12
func TestAccount_EachCredentialHasOneUse(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		caller := h.caller(c.Token)
		wallet, err := h.WalletToken(caller)
		if err != nil {
			t.Fatal(err)
		}
		for token, want := range map[string]string{c.Token: "portal", wallet: "embedded-wallet"} {
			var claims jwt.RegisteredClaims
			if _, _, err := jwt.NewParser().ParseUnverified(token, &claims); err != nil || !slices.Equal(claims.Audience, []string{want}) {
				t.Errorf("the audience is %q, want %q (%v)", claims.Audience, want, err)
			}
		}
		doors := map[string]func(context.Context, string) (account.Caller, error){
			"api": h.Authenticate, "wallet": h.AuthenticateWallet, "session": h.AuthenticateSession,
		}
		opens := map[string]string{"api": c.Token, "wallet": wallet, "session": c.SessionAuthorization}
		for door, open := range doors {
			for kind, credential := range opens {
				for _, form := range []string{credential, "Bearer " + credential, strings.TrimPrefix(credential, "Bearer ")} {
					got, err := open(t.Context(), form)
					switch {
					case kind != door:
						h.mustBeSignedOut(kind+" at the door of "+door, err)
					case form == credential && (err != nil || got != caller):
						t.Errorf("%s does not open its own door: %+v, %v", kind, got, err)
					}
				}
			}
		}
	})
}

// Spec: ACCOUNT-6
func TestAccount_LogoutEndsTheSessionWithAllItsTokensAndNoOther(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		here := h.register(zeus)
		there, err := h.Login(t.Context(), zeus.Email, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		caller := h.caller(here.Token)
		wallet, err := h.WalletToken(caller)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // ending an ended session is not an error
			if err := h.Logout(t.Context(), caller); err != nil {
				t.Fatal(err)
			}
		}
		_, err = h.Authenticate(t.Context(), here.Token)
		h.mustBeSignedOut("token", err)
		_, err = h.AuthenticateWallet(t.Context(), wallet)
		h.mustBeSignedOut("wallet token", err)
		_, err = h.AuthenticateSession(t.Context(), here.SessionAuthorization)
		h.mustBeSignedOut("session", err)
		h.caller(there.Token)
		if want := []string{caller.SessionID, caller.SessionID}; !slices.Equal(h.closed.sessions, want) {
			t.Errorf("closed the connections of %v, want %v", h.closed.sessions, want)
		}
	})
}

// forge signs claims with another method or key.
func forge(t *testing.T, method jwt.SigningMethod, key any, c jwt.MapClaims) string {
	t.Helper()
	s, err := jwt.NewWithClaims(method, c).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAccount_ForgedTokensAreRefused(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		zeusCaller := h.caller(h.register(zeus).Token)
		heraCaller := h.caller(h.register(account.Registration{
			Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers",
		}).Token)
		claims := func(change func(jwt.MapClaims)) jwt.MapClaims {
			c := jwt.MapClaims{
				"sub": zeusCaller.PlayerID, "sid": zeusCaller.SessionID, "aud": "portal", "exp": h.clock.Now().Add(time.Hour).Unix(),
				"iat": h.clock.Now().Unix(),
			}
			change(c)
			return c
		}
		same := func(jwt.MapClaims) {}
		if got := h.caller(forge(t, jwt.SigningMethodHS256, signingKey, claims(same))); got != zeusCaller {
			t.Fatalf("the honest token is %+v's", got)
		}
		honest := forge(t, jwt.SigningMethodHS256, signingKey, claims(same))
		head, rest, _ := strings.Cut(honest, ".")
		payload, signature, _ := strings.Cut(rest, ".")
		none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
		for what, token := range map[string]string{
			"nothing":               "",
			"Bearer alone":          "Bearer ",
			"not a token":           "thunder and rain",
			"no signature":          head + "." + payload + ".",
			"cut signature":         honest[:len(honest)-2],
			"signature of another":  head + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"x"}`)) + "." + signature,
			"algorithm none":        none + "." + payload + ".",
			"none with a signature": none + "." + payload + "." + signature,
			"unsafe none":           forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(same)),
			"wrong key":             forge(t, jwt.SigningMethodHS256, []byte("another key of at least 32 bytes!"), claims(same)),
			"empty key":             forge(t, jwt.SigningMethodHS256, []byte{}, claims(same)),
			"other algorithm":       forge(t, jwt.SigningMethodHS512, signingKey, claims(same)),
			"expired": forge(t, jwt.SigningMethodHS256, signingKey,
				claims(func(c jwt.MapClaims) { c["exp"] = h.clock.Now().Add(-time.Second).Unix() })),
			"without an end": forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { delete(c, "exp") })),
			"no audience":    forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { delete(c, "aud") })),
			"other audience": forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { c["aud"] = "embedded-wallet" })),
			"realtime audience": forge(t, jwt.SigningMethodHS256, signingKey,
				claims(func(c jwt.MapClaims) { c["aud"] = "wss://portal/client/hubs/portal" })),
			"no session":        forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { delete(c, "sid") })),
			"unknown session":   forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { c["sid"] = "unknown" })),
			"another's session": forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { c["sid"] = heraCaller.SessionID })),
			"another player":    forge(t, jwt.SigningMethodHS256, signingKey, claims(func(c jwt.MapClaims) { c["sub"] = heraCaller.PlayerID })),
		} {
			_, err := h.Authenticate(t.Context(), token)
			h.mustBeSignedOut(what, err)
		}
	})
}

func TestAccount_TokenEndsWithItsSessionsRow(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		h.caller(c.Token)
		if err := h.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DeleteStaleSessions(ctx, column.At(h.clock.Now().Add(48*time.Hour)))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		_, err := h.Authenticate(t.Context(), c.Token)
		h.mustBeSignedOut("token of a deleted session", err)
		_, err = h.AuthenticateSession(t.Context(), c.SessionAuthorization)
		h.mustBeSignedOut("deleted session", err)
	})
}

func TestAccount_MalformedSessionAuthorizationsAreRefused(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		secret := strings.TrimPrefix(c.SessionAuthorization, "Bearer ")
		sum := sha256.Sum256([]byte(secret))
		for what, s := range map[string]string{
			"nothing": "", "without Bearer": secret, "other scheme": "Basic " + secret,
			"cut":    c.SessionAuthorization[:len(c.SessionAuthorization)-1],
			"longer": c.SessionAuthorization + "A", "another": "Bearer " + strings.Repeat("A", len(secret)),
			"what the database keeps":     "Bearer " + hex.EncodeToString(sum[:]),
			"first part of what it keeps": "Bearer " + hex.EncodeToString(sum[:])[:len(secret)],
		} {
			_, err := h.AuthenticateSession(t.Context(), s)
			h.mustBeSignedOut(what, err)
		}
	})
}

// The built-in platform stores passwords only as hashes; with another platform no passwords are stored.
func TestAccount_PasswordsAreKeptOnlyAsHashes(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.register(zeus)
		_, hash, err := accounts.New(h.db).AccountByEmail(t.Context(), account.EmailKey(zeus.Email))
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(hash) {
			t.Errorf("the password is kept as %q", hash)
		}
	})
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		h.register(zeus)
		if _, hash, err := accounts.New(h.db).AccountByEmail(t.Context(), account.EmailKey(zeus.Email)); !fault.Is(err, fault.NotFound) {
			t.Errorf("the password is kept as %q, %v", hash, err)
		}
	})
}

func TestAccount_SessionSecretsAreKeptOnlyAsHashes(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		secret := strings.TrimPrefix(h.register(zeus).SessionAuthorization, "Bearer ")
		err := h.db.Read(t.Context(), func(q *gen.Queries) error {
			_, err := q.SessionBySecret(t.Context(), secret)
			return err
		})
		if err == nil {
			t.Error("the session's secret is kept as it is")
		}
	})
}
