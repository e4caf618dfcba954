package passkey_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/passkeytest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const site = "https://play.pantheon.example"

// owners approve by a recent sign-in, as those with neither email nor password do.
type owners struct{ approvals *approval.Service }

func (owners) NameOf(_ context.Context, playerID string) (string, error) {
	return "Name of " + playerID, nil
}
func (owners) Address(_ context.Context, playerID string) (string, error) {
	return playerID + "@example.org", nil
}

func (o owners) ApprovePasskey(ctx context.Context, c passkey.Caller, commitment string) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.AddPasskey, Digest: approval.DigestOfPasskey(commitment),
	}, approval.UseOfPasskey)
}

func (o owners) ApproveRemoval(ctx context.Context, c passkey.Caller, p passkey.Passkey) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{Kind: approval.RemovePasskey, Digest: approval.Digest(p.ID)}, p.ID)
}

// proofs are those of players who have nothing but their sign-in.
type proofs struct {
	approval.Accounts
	db *store.DB
}

func (proofs) Address(context.Context, string) (string, error)          { return "", nil }
func (proofs) ConfirmedAddress(context.Context, string) (string, error) { return "", nil }
func (proofs) HasPassword(context.Context, string) (bool, error)        { return false, nil }
func (p proofs) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	s, err := accounts.New(p.db).Session(ctx, c.SessionID)
	return s.CreatedAt, err
}

// desk is a service with the players A and B, who are signed in.
type desk struct {
	*passkey.Service
	t     *testing.T
	db    *store.DB
	clock *clock.Fake
	a, b  passkey.Caller
}

func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	testkit.EachDatabaseAt(t, noon, func(t *testing.T, db *store.DB, c *clock.Fake) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		approvals := approval.NewService(approval.Options{
			Store: accounts.New(db), Accounts: proofs{db: db}, Clock: c, Keys: keyset.Keys{[]byte("key")}, Site: site,
		})
		s, err := passkey.NewService(passkey.Options{
			Store: accounts.New(db), Owners: owners{approvals}, Clock: c, Keys: keyset.Keys{[]byte("new"), []byte("former")},
			Domain: "pantheon.example", Site: site, Brand: "Pantheon", Wait: 10 * time.Minute,
		})
		d := &desk{s, t, db, c, passkey.Caller{}, passkey.Caller{}}
		d.ok(err)
		d.a, d.b = d.enter("A", "SA"), d.enter("B", "SB")
		test(t, d)
	})
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// enter opens a session.
func (d *desk) enter(player, session string) passkey.Caller {
	d.t.Helper()
	now := d.clock.Now()
	_, err := accounts.New(d.db).OpenSession(d.t.Context(), account.Identity{PlayerID: player, DisplayName: player},
		account.Session{ID: session, PlayerID: player, CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(24 * time.Hour)}, "hash of "+session, now)
	d.ok(err)
	return passkey.Caller{PlayerID: player, SessionID: session}
}

// add makes a passkey on a device.
func (d *desk) add(c passkey.Caller, device *passkeytest.Authenticator, name string) error {
	d.t.Helper()
	secret := rand.Text()
	options, err := d.BeginAdd(d.t.Context(), c, passkey.Commitment(secret))
	d.ok(err)
	_, err = d.FinishAdd(d.t.Context(), c, secret, name, device.Create(d.t, options))
	return err
}

// device returns one with a passkey of A.
func (d *desk) device() *passkeytest.Authenticator {
	d.t.Helper()
	device := &passkeytest.Authenticator{Origin: site}
	d.ok(d.add(d.a, device, "Phone"))
	return device
}

// signIn signs in by a device.
func (d *desk) signIn(device *passkeytest.Authenticator) (string, error) {
	d.t.Helper()
	options, err := d.BeginSignIn()
	d.ok(err)
	player, at, err := d.SignIn(d.t.Context(), device.Get(d.t, options))
	if err == nil && !at.Equal(d.clock.Now()) {
		d.t.Errorf("verified at %s", at)
	}
	return player.PlayerID, err
}

// events returns what the security log has of A's passkeys, sorted.
func (d *desk) events() (out []string) {
	d.t.Helper()
	entries, err := securitylogs.New(d.db).Entries(d.t.Context(), securitylog.Filter{Subject: "A", Limit: 100})
	d.ok(err)
	for _, e := range entries {
		if strings.HasPrefix(string(e.Event), "passkey.") {
			out = append(out, string(e.Event))
		}
	}
	slices.Sort(out)
	return out
}

func TestPasskey_IsAddedSignsInApprovesAndIsRemoved(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		device := d.device()
		list, err := d.List(t.Context(), "A")
		d.ok(err)
		if len(list) != 1 || list[0].Name != "Phone" || list[0].ID != device.ID() || !list[0].UsedAt.IsZero() || list[0].Synced {
			t.Fatalf("A has %+v", list)
		}
		d.clock.Advance(time.Hour)
		if player, err := d.signIn(device); player != "A" || err != nil {
			t.Fatalf("signed in %q, %v", player, err)
		}
		options, err := d.BeginApproval(t.Context(), d.a)
		d.ok(err)
		if !strings.Contains(string(options), device.ID()) {
			t.Errorf("an approval is asked of any passkey: %s", options)
		}
		d.ok(d.Approve(t.Context(), d.a, device.Get(t, options)))
		d.ok(d.Rename(t.Context(), d.a, device.ID(), "  My   old phone "))
		list, err = d.List(t.Context(), "A")
		d.ok(err)
		if list[0].Name != "My old phone" || !list[0].UsedAt.Equal(noon.Add(time.Hour)) {
			t.Errorf("A has %+v", list)
		}
		mustBe(t, "another player's", d.Rename(t.Context(), d.b, device.ID(), "mine"), fault.NotFound, "")
		mustBe(t, "another player's", d.Remove(t.Context(), d.b, device.ID()), fault.NotFound, "")
		d.a = d.enter("A", "SA2")
		d.ok(d.Remove(t.Context(), d.a, device.ID()))
		_, err = d.signIn(device)
		mustBe(t, "a removed passkey", err, fault.Forbidden, "unknown-passkey")
		want := []string{"passkey.added", "passkey.removed", "passkey.renamed", "passkey.used", "passkey.used"}
		if got := d.events(); !slices.Equal(got, want) {
			t.Errorf("the security log has %q, want %q", got, want)
		}
		mails, err := store.Mail{DB: d.db}.RecentEmails(t.Context(), 10)
		d.ok(err)
		if len(mails) != 2 || mails[1].Subject != "A passkey was added to your account" ||
			mails[0].Subject != "A passkey was removed from your account" {
			t.Errorf("mailed %+v", mails)
		}
	})
}

// mustBe checks a fault's code and reason.
func mustBe(t *testing.T, what string, err error, code fault.Code, reason string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || reason != "" && f.Reason != reason {
		t.Errorf("%s: %v, want %v %q", what, err, code, reason)
	}
}

func TestPasskey_ApprovalAddsOne(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		commitment := passkey.Commitment("secret")
		options, err := d.BeginAdd(t.Context(), d.a, commitment)
		d.ok(err)
		again, err := d.BeginAdd(t.Context(), d.a, commitment) // the player has closed the browser's dialog
		d.ok(err)
		first, second := &passkeytest.Authenticator{Origin: site}, &passkeytest.Authenticator{Origin: site}
		_, err = d.FinishAdd(t.Context(), d.b, "secret", "", second.Create(t, again))
		mustBe(t, "in another player's session", err, fault.Forbidden, "")
		other := d.enter("A", "stolen")
		_, err = d.FinishAdd(t.Context(), other, "secret", "", second.Create(t, again))
		mustBe(t, "in another session", err, fault.Forbidden, "")
		_, err = d.FinishAdd(t.Context(), d.a, "guess", "", second.Create(t, again))
		mustBe(t, "by somebody else in the session", err, fault.Forbidden, "")
		_, err = d.FinishAdd(t.Context(), d.a, "secret", "", first.Create(t, options))
		d.ok(err)
		_, err = d.FinishAdd(t.Context(), d.a, "secret", "", second.Create(t, again))
		mustBe(t, "a second one by one approval", err, fault.Conflict, "over")
		d.clock.Advance(time.Hour)
		_, err = d.BeginAdd(t.Context(), d.a, commitment)
		mustBe(t, "without an approval", err, fault.Forbidden, "stale")
	})
}

// A body may arrive long after its session was checked.
func TestPasskey_IsNotAddedInASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		options, err := d.BeginAdd(t.Context(), d.a, passkey.Commitment("secret"))
		d.ok(err)
		d.ok(accounts.New(d.db).RevokeSessionOf(t.Context(), "A", "SA", d.clock.Now()))
		_, err = d.FinishAdd(t.Context(), d.a, "secret", "", (&passkeytest.Authenticator{Origin: site}).Create(t, options))
		mustBe(t, "after the session's end", err, fault.Conflict, "over")
	})
}

// Whoever adds a passkey with a stolen session and a mailed code gains nothing by it that the code did not give.
func TestPasskey_NewOneSignsInAndApprovesNothing(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		old := d.device()
		d.clock.Advance(9 * time.Minute)
		fresh := &passkeytest.Authenticator{Origin: site}
		d.ok(d.add(d.a, fresh, "Laptop"))
		if has, err := d.Any(t.Context(), "A"); has || err != nil {
			t.Errorf("before ten minutes: a passkey approves: %v, %v", has, err)
		}
		_, err := d.BeginApproval(t.Context(), d.a)
		mustBe(t, "before ten minutes", err, fault.Conflict, "no-passkey")
		d.clock.Advance(time.Minute)
		options, err := d.BeginApproval(t.Context(), d.a)
		d.ok(err)
		if strings.Contains(string(options), fresh.ID()) {
			t.Errorf("the new one is asked for: %s", options)
		}
		mustBe(t, "the new one", d.Approve(t.Context(), d.a, fresh.Get(t, options)), fault.Forbidden, "new-passkey")
		options, err = d.BeginApproval(t.Context(), d.a)
		d.ok(err)
		d.ok(d.Approve(t.Context(), d.a, old.Get(t, options)))
		if player, err := d.signIn(fresh); player != "A" || err != nil {
			t.Errorf("signed in %q, %v", player, err)
		}
		want := []string{"passkey.added", "passkey.added", "passkey.refused", "passkey.used", "passkey.used"}
		if got := d.events(); !slices.Equal(got, want) {
			t.Errorf("the security log has %q, want %q", got, want)
		}
	})
}

func TestPasskey_NamesHaveNothingHidden(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.ok(d.add(d.a, &passkeytest.Authenticator{Origin: site}, " a\u202eb\n👩\u200d💻 "))
		list, err := d.List(t.Context(), "A")
		d.ok(err)
		if list[0].Name != "a b 👩\u200d💻" {
			t.Errorf("the name is %q", list[0].Name)
		}
	})
}

func TestPasskey_AnAccountHasTenAtMost(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		for range 10 {
			d.ok(d.add(d.a, &passkeytest.Authenticator{Origin: site}, ""))
		}
		_, err := d.BeginAdd(t.Context(), d.a, "")
		mustBe(t, "the eleventh", err, fault.Conflict, "too-many")
		list, err := d.List(t.Context(), "A")
		d.ok(err)
		if list[0].Name != "Passkey" {
			t.Errorf("a passkey without a name is called %q", list[0].Name)
		}
	})
}

// Whatever is wrong with an answer, nobody is signed in by it, and the passkey is as it was.
func TestPasskey_RefusesWhatIsNotItsAnswer(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		device := d.device()
		d.clock.Advance(10 * time.Minute)
		answer := func(change func(*passkeytest.Authenticator)) func() []byte {
			return func() []byte {
				options, err := d.BeginSignIn()
				d.ok(err)
				other := *device
				change(&other)
				return other.Get(t, options)
			}
		}
		approval := func() []byte {
			options, err := d.BeginApproval(t.Context(), d.a)
			d.ok(err)
			return options
		}
		for what, c := range map[string]struct {
			response func() []byte
			reason   string
		}{
			"of another domain":      {answer(func(a *passkeytest.Authenticator) { a.Domain = "evil.example" }), ""},
			"on another site's page": {answer(func(a *passkeytest.Authenticator) { a.Origin = "https://evil.example" }), ""},
			"on a page of a subdomain": {
				answer(func(a *passkeytest.Authenticator) { a.Origin = "https://evil.play.pantheon.example" }), "",
			},
			"of a device that is locked":     {answer(func(a *passkeytest.Authenticator) { a.Unverified = true }), ""},
			"of nobody":                      {answer(func(a *passkeytest.Authenticator) { a.Nameless = true }), ""},
			"of another user":                {answer(func(a *passkeytest.Authenticator) { a.Own("B") }), ""},
			"to a challenge for an approval": {func() []byte { return device.Get(t, approval()) }, ""},
			"to a challenge of somebody else": {func() []byte {
				return device.Get(t, []byte(`{"challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "rpId": "pantheon.example"}`))
			}, ""},
			"to an old challenge": {func() []byte {
				out := answer(func(*passkeytest.Authenticator) {})()
				d.clock.Advance(5 * time.Minute)
				return out
			}, ""},
			"without a signature": {func() []byte {
				var m map[string]any
				d.ok(json.Unmarshal(answer(func(*passkeytest.Authenticator) {})(), &m))
				delete(m["response"].(map[string]any), "signature")
				b, err := json.Marshal(m)
				d.ok(err)
				return b
			}, ""},
			"empty":   {func() []byte { return nil }, ""},
			"no JSON": {func() []byte { return []byte("{") }, ""},
			"a list":  {func() []byte { return []byte("[1]") }, ""},
			"a null":  {func() []byte { return []byte("null") }, ""},
		} {
			player, _, err := d.SignIn(t.Context(), c.response())
			f := fault.As(err)
			if f == nil || f.Code != fault.Forbidden && f.Reason != "over" || player.PlayerID != "" {
				t.Errorf("an answer %s: player %q, %v", what, player.PlayerID, err)
			}
		}
		err := d.Approve(t.Context(), d.b, device.Get(t, approval()))
		mustBe(t, "an approval in another player's session", err, fault.Forbidden, "")
		other := d.enter("A", "stolen")
		err = d.Approve(t.Context(), other, device.Get(t, approval()))
		mustBe(t, "an approval in another session", err, fault.Forbidden, "")
		if player, err := d.signIn(device); player != "A" || err != nil {
			t.Errorf("afterwards: %q, %v", player, err)
		}
	})
}

func TestPasskey_AnAnswerIsGoodOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		device := d.device()
		device.Count = -1 // one that does not count
		options, err := d.BeginSignIn()
		d.ok(err)
		response := device.Get(t, options)
		var wg sync.WaitGroup
		answers := make(chan error, 8)
		for range 8 {
			wg.Go(func() {
				_, _, err := d.SignIn(t.Context(), response)
				answers <- err
			})
		}
		wg.Wait()
		close(answers)
		signedIn := 0
		for err := range answers {
			if err == nil {
				signedIn++
			} else if !errors.Is(err, passkey.ErrRefused) {
				t.Error(err)
			}
		}
		if signedIn != 1 {
			t.Errorf("one answer has signed in %d times", signedIn)
		}
		d.clock.Advance(6 * time.Minute)
		d.ok(accounts.New(d.db).DropAnswered(t.Context(), d.clock.Now()))
		_, _, err = d.SignIn(t.Context(), response)
		mustBe(t, "an answer whose challenge was forgotten", err, fault.Conflict, "over")
	})
}

func TestPasskey_CopiedDeviceIsRefused(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		device := d.device()
		cloned := *device
		for range 2 {
			if _, err := d.signIn(device); err != nil {
				t.Fatal(err)
			}
		}
		_, err := d.signIn(&cloned)
		mustBe(t, "the copy", err, fault.Forbidden, "copied-passkey")
		if player, err := d.signIn(device); player != "A" || err != nil {
			t.Errorf("the device itself: %q, %v", player, err)
		}
		want := []string{"passkey.added", "passkey.refused", "passkey.used", "passkey.used", "passkey.used"}
		if got := d.events(); !slices.Equal(got, want) {
			t.Errorf("the security log has %q, want %q", got, want)
		}
	})
}

func TestPasskey_IsNotMadeByWhatIsWrong(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		for what, device := range map[string]*passkeytest.Authenticator{
			"for another domain":         {Origin: site, Domain: "evil.example"},
			"on another site's page":     {Origin: "https://evil.example"},
			"without unlocking a device": {Origin: site, Unverified: true},
		} {
			mustBe(t, what, d.add(d.a, device, ""), fault.Forbidden, "")
		}
		name := strings.Repeat("x", 41)
		mustBe(t, "too long a name", d.add(d.a, &passkeytest.Authenticator{Origin: site}, name), fault.Invalid, "")
		device := d.device()
		options, err := d.BeginAdd(t.Context(), d.b, passkey.Commitment("secret"))
		d.ok(err)
		copied := *device
		response := copied.Create(t, options)
		_, err = d.FinishAdd(t.Context(), d.b, "secret", "", []byte(strings.ReplaceAll(string(response), copied.ID(), device.ID())))
		mustBe(t, "the id of another player's", err, fault.Forbidden, "")
	})
}

func TestPasskey_SiteAtAnIPAddressHasNone(t *testing.T) {
	t.Parallel()
	s, err := passkey.NewService(passkey.Options{Site: "http://127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.BeginSignIn()
	mustBe(t, "signing in", err, fault.Conflict, "not-set-up")
	_, _, err = s.SignIn(t.Context(), []byte("{}"))
	mustBe(t, "signing in", err, fault.Conflict, "not-set-up")
	_, err = s.BeginAdd(t.Context(), passkey.Caller{}, "")
	mustBe(t, "adding one", err, fault.Conflict, "not-set-up")
	if has, err := s.Any(t.Context(), "A"); has || err != nil {
		t.Errorf("A has a passkey: %v, %v", has, err)
	}
}
