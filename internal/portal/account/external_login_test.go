package account_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

var contextKey = bytes.Repeat([]byte{7}, 32)

// atX is a fake of X: a code stands for the account it names, and works once, with its verifier.
type atX struct {
	mu       sync.Mutex
	verifier string
	used     map[string]bool
}

func (x *atX) AuthorizeURL(state, verifier string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.verifier = verifier
	return "https://x.example/?state=" + state
}

func (x *atX) Account(_ context.Context, code, verifier string) (account.External, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.used[code] || verifier != x.verifier {
		return account.External{}, account.ErrAttempt
	}
	x.used[code] = true
	id, handle, _ := strings.Cut(code, " ")
	return account.External{ID: id, Handle: handle}, nil
}

// entrance is a house with external logins.
type entrance struct {
	*account.ExternalLogins
	house
}

// eachEntrance runs the test on every game platform and both databases.
func eachEntrance(t *testing.T, test func(t *testing.T, e entrance)) {
	t.Helper()
	for _, name := range []string{"local", "playfab"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachDatabase(t, func(t *testing.T, db *store.DB) { test(t, openEntrance(t, name, db, clock.NewFake(opening))) })
		})
	}
}

func openEntrance(t *testing.T, name string, db *store.DB, c *clock.Fake) entrance {
	t.Helper()
	e := entrance{house: openHouse(t, name, db, c)}
	o := account.ExternalLoginOptions{
		Accounts: e.Service, Platform: e.platform, Attempts: accounts.New(db), Clock: e.clock, ContextKeys: keyset.Keys{contextKey},
		X: &atX{used: map[string]bool{}},
	}
	o.Tickets, _ = e.platform.(account.Tickets)
	e.ExternalLogins = account.NewExternalLogins(o)
	return e
}

// link returns a context as a game's server signs it, modified by change.
func (e entrance) link(player string, change func(c *jwt.RegisteredClaims)) string {
	e.t.Helper()
	c := jwt.RegisteredClaims{
		Subject: player, ID: "once", IssuedAt: jwt.NewNumericDate(e.clock.Now()),
		ExpiresAt: jwt.NewNumericDate(e.clock.Now().Add(5 * time.Minute)),
	}
	if change != nil {
		change(&c)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, c)
	token.Header["kid"] = "the game's own name for the key"
	text, err := token.SignedString(contextKey)
	if err != nil {
		e.t.Fatal(err)
	}
	return text
}

// mustEnter checks that the credentials are a player's, and returns the player's id.
func (e entrance) mustEnter(c account.Credentials, err error) string {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
	return e.caller(c.Token).PlayerID
}

// isRefused reports whether a context was refused.
func isRefused(err error) bool {
	f := fault.As(err)
	return f != nil && f.Code == fault.Unauthorized && f.Message == account.ErrContext.Message
}

// Spec: ACCOUNT-8
func TestExternalLogin_ContextSignsItsPlayerInOnceForAsLongAsItIsGood(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		me := e.caller(e.register(zeus).Token).PlayerID
		text := e.link(me, nil)
		if who := e.mustEnter(e.ContextLogin(t.Context(), text, nil)); who != me {
			t.Errorf("%s is signed in as %s", me, who)
		}
		// Up to the last moment of its validity, including half a minute of clock skew.
		for _, later := range []time.Duration{0, 5 * time.Minute, 29 * time.Second} {
			e.clock.Advance(later)
			if _, err := e.ContextLogin(t.Context(), text, nil); !isRefused(err) {
				t.Errorf("again: %v", err)
			}
		}
		made, err := account.NewContext(contextKey, me, e.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		if who := e.mustEnter(e.ContextLogin(t.Context(), made, nil)); who != me {
			t.Errorf("by the context of the command %s is signed in", who)
		}
		last, late := e.link(me, func(c *jwt.RegisteredClaims) { c.ID = "last" }), e.link(me, func(c *jwt.RegisteredClaims) { c.ID = "late" })
		e.clock.Advance(5*time.Minute + 29*time.Second)
		if who := e.mustEnter(e.ContextLogin(t.Context(), last, nil)); who != me {
			t.Errorf("by the last moment %s is signed in", who)
		}
		e.clock.Advance(time.Second)
		if _, err := e.ContextLogin(t.Context(), late, nil); !isRefused(err) {
			t.Errorf("a moment later: %v", err)
		}
	})
}

// Spec: ACCOUNT-8
func TestExternalLogin_OnlyContextsOfTheGamesServerForThisMomentAreTaken(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		me := e.caller(e.register(zeus).Token).PlayerID
		at := func(d time.Duration) *jwt.NumericDate { return jwt.NewNumericDate(e.clock.Now().Add(d)) }
		signed := func(method jwt.SigningMethod, key any) string {
			text, err := jwt.NewWithClaims(method, jwt.RegisteredClaims{Subject: me, ID: "1", ExpiresAt: at(time.Minute)}).SignedString(key)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		for what, text := range map[string]string{
			"nothing": "", "no token": "x", "too long": "eyJ." + strings.Repeat("x", 5000) + ".",
			"another key":         signed(jwt.SigningMethodHS256, []byte("another key of at least 32 bytes!")),
			"the portal's key":    signed(jwt.SigningMethodHS256, signingKey),
			"no signature":        signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
			"another method":      signed(jwt.SigningMethodHS512, contextKey),
			"without an end":      e.link(me, func(c *jwt.RegisteredClaims) { c.ExpiresAt = nil }),
			"good for too long":   e.link(me, func(c *jwt.RegisteredClaims) { c.ExpiresAt = at(6 * time.Minute) }),
			"over":                e.link(me, func(c *jwt.RegisteredClaims) { c.ExpiresAt = at(-30 * time.Second) }),
			"from the future":     e.link(me, func(c *jwt.RegisteredClaims) { c.IssuedAt = at(time.Minute) }),
			"not good yet":        e.link(me, func(c *jwt.RegisteredClaims) { c.NotBefore = at(time.Minute) }),
			"without a jti":       e.link(me, func(c *jwt.RegisteredClaims) { c.ID = "" }),
			"with an endless jti": e.link(me, func(c *jwt.RegisteredClaims) { c.ID = strings.Repeat("x", 129) }),
			"of nobody":           e.link("", nil),
			"of a stranger":       e.link("0123456789ABCDEF", nil),
			"the player's token": e.register(account.Registration{
				Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers",
			}).Token,
		} {
			if c, err := e.ContextLogin(t.Context(), text, nil); !isRefused(err) || c != (account.Credentials{}) {
				t.Errorf("%s: %+v, %v", what, c, err)
			}
		}
	})
}

// A context issued before all sessions were ended does not open a session.
func TestExternalLogin_LinksFromBeforeANewPasswordAreNoLongerGood(t *testing.T) {
	t.Parallel()
	e := openEntrance(t, "local", testkit.Database(t, store.SQLite), clock.NewFake(opening))
	caller := e.caller(e.register(zeus).Token)
	before := e.link(caller.PlayerID, nil)
	e.clock.Advance(time.Minute)
	if _, err := e.ChangePassword(t.Context(), caller, zeus.Password, "new thunder"); err != nil {
		t.Fatal(err)
	}
	e.clock.Advance(time.Second)
	if _, err := e.ContextLogin(t.Context(), before, nil); !isRefused(err) {
		t.Errorf("from before: %v", err)
	}
	after := e.link(caller.PlayerID, func(c *jwt.RegisteredClaims) { c.ID = "later" })
	e.mustEnter(e.ContextLogin(t.Context(), after, nil))
}

// mustAdmitOne signs in with the same context n times at once: one login succeeds, all others are refused.
func (e entrance) mustAdmitOne(t *testing.T, n int, context string) {
	t.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = e.ContextLogin(t.Context(), context, nil) })
	}
	wg.Wait()
	admitted := 0
	for _, err := range errs {
		if err == nil {
			admitted++
		} else if !isRefused(err) {
			t.Error(err)
		}
	}
	if admitted != 1 {
		t.Errorf("%d were signed in", admitted)
	}
}

// Spec: ACCOUNT-8
func TestExternalLogin_ContextSignsInOneOfManyBrowsers(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		text := e.link(e.caller(e.register(zeus).Token).PlayerID, nil)
		e.mustAdmitOne(t, 16, text)
	})
}

// Spec: ACCOUNT-8
func TestExternalLogin_WithPlayFabASessionTicketIsAContext(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		e := openEntrance(t, "playfab", db, clock.NewFake(opening))
		me := e.caller(e.register(zeus).Token).PlayerID
		for range 2 {
			if who := e.mustEnter(e.ContextLogin(t.Context(), e.fake.Ticket(me), nil)); who != me {
				t.Errorf("signed in as %s", who)
			}
		}
		ticket := e.fake.Ticket(me)
		e.clock.Advance(24 * time.Hour)
		for what, text := range map[string]string{
			"one that is over": ticket, "one that is none": "x", "one of a stranger": "0123456789ABCDEF---A5C3-1-2-3.4",
		} {
			if _, err := e.ContextLogin(t.Context(), text, nil); !isRefused(err) {
				t.Errorf("%s: %v", what, err)
			}
		}
		e.fake.Break(fake.Fault{Answer: fake.Cut()})
		if _, err := e.ContextLogin(t.Context(), e.fake.Ticket(me), nil); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while PlayFab is away: %v", err)
		}
	})
}

// Without the check, a leaked ticket could sign in any number of times for a day.
// Spec: PLAYFAB-2
func TestAttack_PlayFabTicketSignsInTwice(t *testing.T) {
	t.Parallel()
	if account.TicketMemory != 25*time.Hour { // PlayFab's tickets are valid for 24
		t.Errorf("tickets are remembered for %v", account.TicketMemory)
	}
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		e := openEntrance(t, "playfab", db, clock.NewFake(opening))
		me := e.caller(e.register(zeus).Token).PlayerID
		ticket := e.fake.Ticket(me)
		e.mustEnter(e.ContextLogin(t.Context(), ticket, nil))
		refused := func(when string) {
			t.Helper()
			if _, err := e.ContextLogin(t.Context(), ticket, nil); !isRefused(err) {
				t.Errorf("%s: %v", when, err)
			}
		}
		refused("at once")
		_, err := accounts.New(db).EndSessions(t.Context(), account.EndSessions{PlayerID: me, At: e.clock.Now(), Since: e.clock.Now()})
		if err != nil {
			t.Fatal(err)
		}
		refused("after a new password has ended all sessions")
		for hour := range 24 {
			e.clock.Advance(time.Hour)
			// Other logins delete expired entries.
			e.mustEnter(e.ContextLogin(t.Context(), e.fake.Ticket(me), nil))
			refused(fmt.Sprintf("%d hours later", hour+1))
		}
	})
}

// Spec: PLAYFAB-2
func TestAttack_PlayFabTicketSignsInTwiceAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		e := openEntrance(t, "playfab", db, clock.NewFake(opening))
		ticket := e.fake.Ticket(e.caller(e.register(zeus).Token).PlayerID)
		e.mustAdmitOne(t, 8, ticket)
	})
}

// lenient is a platform that accepts a ticket in any encoding.
type lenient struct {
	account.Tickets
	ticket string
}

func (l lenient) PlayerByTicket(ctx context.Context, ticket string) (account.Identity, error) {
	if strings.EqualFold(strings.Trim(ticket, " =\n"), l.ticket) {
		ticket = l.ticket
	}
	return l.Tickets.PlayerByTicket(ctx, ticket)
}

// Spec: PLAYFAB-2
func TestAttack_PlayFabTicketSignsInTwiceInAnotherSpelling(t *testing.T) {
	t.Parallel()
	e := openEntrance(t, "playfab", testkit.Database(t, store.SQLite), clock.NewFake(opening))
	ticket := e.fake.Ticket(e.caller(e.register(zeus).Token).PlayerID)
	entrance := account.NewExternalLogins(account.ExternalLoginOptions{
		Accounts: e.Service, Platform: e.platform, Clock: e.clock, Tickets: lenient{e.platform.(account.Tickets), ticket},
	})
	e.mustEnter(entrance.ContextLogin(t.Context(), ticket, nil))
	for _, again := range []string{strings.ToLower(ticket), " " + ticket, ticket + "\n", ticket + "=="} {
		if _, err := entrance.ContextLogin(t.Context(), again, nil); !isRefused(err) {
			t.Errorf("%q: %v", again, err)
		}
	}
}

// Spec: PLAYFAB-2
func TestTickets_CanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	e := openEntrance(t, "playfab", testkit.Database(t, store.SQLite), clock.NewFake(opening))
	ticket := e.fake.Ticket(e.caller(e.register(zeus).Token).PlayerID)
	for what, c := range map[string]struct {
		keys keyset.Keys
		want error
	}{"with links from the game": {keyset.Keys{contextKey}, account.ErrContext}, "without": {nil, account.ErrNoContexts}} {
		entrance := account.NewExternalLogins(account.ExternalLoginOptions{
			Accounts: e.Service, Platform: e.platform, Clock: e.clock, ContextKeys: c.keys,
		})
		if _, err := entrance.ContextLogin(t.Context(), ticket, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
}

// Spec: SESSION-11
func TestExternalLogin_StoresBoundedUTMParametersWithTheLogin(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		me := e.caller(e.register(zeus).Token).PlayerID
		good := map[string]string{"utm_source": "game", "gclid": strings.Repeat("ä", 256), "": ""}
		with := func(name, value string) map[string]string {
			out := maps.Clone(good)
			out[name] = value
			return out
		}
		many, twenty := map[string]string{}, map[string]string{}
		for i := range 30 {
			many[fmt.Sprintf("utm_%02d", i)] = "x"
			if i < 20 {
				twenty[fmt.Sprintf("utm_%02d", i)] = "x"
			}
		}
		for what, c := range map[string]struct{ sent, kept map[string]string }{
			"good": {good, good}, "none": {nil, nil}, "too many": {many, twenty},
			"a name too long": {with(strings.Repeat("x", 65), "1"), good}, "a value too long": {with("fbclid", strings.Repeat("x", 513)), good},
			"a zero byte": {with("fbclid", "a\x00"), good}, "an escape": {with("fb\x1bclid", "1"), good},
			"broken UTF-8":         {with("fbclid", "\xff"), good},
			"nothing that is good": {map[string]string{"gclid": "\x00"}, nil},
		} {
			e.clock.Advance(time.Minute) // distinguishes the logins
			e.mustEnter(e.ContextLogin(t.Context(), e.link(me, func(c *jwt.RegisteredClaims) { c.ID = what }), c.sent))
			kept, err := operators.New(e.db).Arrivals(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]string
			for _, a := range kept {
				if a.At.Equal(e.clock.Now()) && a.PlayerID == me {
					if err := json.Unmarshal(a.Parameters, &got); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !maps.Equal(got, c.kept) {
				t.Errorf("%s: kept is %v, want %v", what, got, c.kept)
			}
		}
	})
}

func (e entrance) byX(code string) (account.Credentials, error) {
	e.t.Helper()
	a, err := e.BeginX(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	_, state, _ := strings.Cut(a.URL, "state=")
	return e.FinishX(e.t.Context(), code, state, a.Binding)
}

func (e entrance) identity(c account.Credentials, err error) account.Identity {
	e.t.Helper()
	id, err := e.Player(e.t.Context(), account.Caller{PlayerID: e.mustEnter(c, err)})
	if err != nil {
		e.t.Fatal(err)
	}
	return id
}

// Spec: ACCOUNT-11, ACCOUNT-15
func TestExternalLogin_SomebodyOfXGetsAnAccountOnceUnderANameLikeTheHandle(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		first := e.identity(e.byX("1 Athena_of_Olympus"))
		if first.DisplayName != "Athena_of_Olympus" || first.Email != "" {
			t.Errorf("made as %+v", first)
		}
		if again := e.identity(e.byX("1 renamed_there")); again != first {
			t.Errorf("came back as %+v", again)
		}
		names := map[string]bool{first.DisplayName: true}
		for id, handle := range map[string]string{
			"2": "athena_of_olympus", "3": "ab", "4": "", "5": "\x00\x01", "6": strings.Repeat("x", 30), "7": "xxxxxxxxxxxxxxx", "8": "___",
			"9": "日本語のアテナ", "10": "  a  ",
			"11": "Pantheon_Support", "12": "0123456789abcdef", "13": "zeus@olympus.example",
		} {
			name := e.identity(e.byX(id + " " + handle)).DisplayName
			if fault := account.NameFault(name); fault != "" || names[strings.ToLower(name)] {
				t.Errorf("%q is called %q: %s", handle, name, fault)
			}
			if reserved := slices.Contains([]string{"11", "12", "13"}, id); reserved && !regexp.MustCompile(`^Player[0-9]{5}$`).MatchString(name) {
				t.Errorf("%q is called %q", handle, name)
			}
			names[strings.ToLower(name)] = true
		}
		if got := slices.Collect(maps.Keys(names)); len(got) != 13 {
			t.Errorf("%v", got)
		}
	})
}

// Concurrent first sign-ins of one X account create one player.
// Spec: ACCOUNT-11
func TestExternalLogin_ConcurrentSignInsByXMakeOnePlayer(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		ids := make([]string, 8)
		errs := make([]error, len(ids))
		var wg sync.WaitGroup
		for i := range ids {
			wg.Go(func() {
				var id account.Identity
				id, errs[i] = e.platform.LinkedPlayer(t.Context(), "x", "1", []string{fmt.Sprint("Athena", i), "Athena"})
				ids[i] = id.PlayerID
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(ids); ids[0] == "" || ids[0] != ids[len(ids)-1] {
			t.Errorf("players %v", ids)
		}
	})
}

// A player without a password cannot sign in with any password.
// Spec: ACCOUNT-11
func TestExternalLogin_NobodyEntersAnAccountOfXByPassword(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		c, err := e.byX("1 athena")
		e.mustEnter(c, err)
		for _, email := range []string{"x:1", "", "x:1@x.example", "athena"} {
			for _, password := range []string{"", "x", "thunder and rain"} {
				if _, err := e.Login(t.Context(), email, password); !fault.Is(err, fault.Unauthorized) && !fault.Is(err, fault.Invalid) {
					t.Errorf("%q, %q: %v", email, password, err)
				}
			}
		}
		if _, err := e.ChangePassword(t.Context(), e.caller(c.Token), "thunder and rain", "new thunder"); fault.As(err) == nil {
			t.Errorf("changing the password there is none of: %v", err)
		}
	})
}

// slow is a game platform that is slow to return a player.
type slow struct {
	account.Linking
	account.Platform
	clock *clock.Fake
	takes time.Duration
}

func (s slow) Player(ctx context.Context, id string) (account.Identity, error) {
	s.clock.Advance(s.takes)
	return s.Platform.Player(ctx, id)
}

// A context that expires during the call to the platform is not forgotten and accepted again.
func TestExternalLogin_ContextThatExpiresMeanwhileIsRefused(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		e := openEntrance(t, "local", db, clock.NewFake(opening))
		me := e.caller(e.register(zeus).Token).PlayerID
		text := e.link(me, nil)
		e.mustEnter(e.ContextLogin(t.Context(), text, nil))
		e.clock.Advance(5*time.Minute + 29*time.Second)
		late := account.NewExternalLogins(account.ExternalLoginOptions{
			Accounts: e.Service, Platform: slow{e.platform, e.platform, e.clock, 2 * time.Second}, Attempts: accounts.New(db), Clock: e.clock,
			ContextKeys: keyset.Keys{contextKey},
		})
		if _, err := late.ContextLogin(t.Context(), text, nil); !isRefused(err) {
			t.Errorf("once more: %v", err)
		}
	})
}
