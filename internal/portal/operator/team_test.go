package operator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/passkeytest"
)

const console = "https://operate.pantheon.example"

// office is a team on a database, with passkeys.
type office struct {
	*operator.Team
	t        *testing.T
	db       *store.DB
	clock    *clock.Fake
	passkeys *passkey.Service
	shell    operator.By
}

func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) {
		keys, err := passkey.NewService(passkey.Options{
			Store: operators.Passkeys{Store: operators.New(db)}, Owners: operators.Owners{Store: operators.New(db)}, Clock: c,
			Keys: keyset.Keys{[]byte("operators")}, Domain: "operate.pantheon.example", Site: console, Brand: "Pantheon",
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, &office{
			Team: operator.NewTeam(operator.TeamOptions{
				Store: operators.New(db), Passkeys: operators.Verifier{Service: keys}, Clock: c, URL: console,
			}),
			t: t, db: db, clock: c, passkeys: keys, shell: operator.By{Who: "root@db-1", Reason: "she starts today"},
		})
	})
}

func (o *office) ok(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// refused fails the test unless an error is a fault with the code and the reason.
func (o *office) refused(what string, err error, code fault.Code, reason string) {
	o.t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Reason != reason {
		o.t.Errorf("%s: %v, want %s with reason %q", what, err, code, reason)
	}
}

// add invites somebody, and returns the token of the link.
func (o *office) add(name string, r operator.Role) (id, token string) {
	o.t.Helper()
	i, err := o.Add(o.t.Context(), name, r, o.shell)
	o.ok(err)
	link, token, _ := strings.Cut(i.URL, "#")
	if link != "https://operate.pantheon.example/operate/join" || len(token) < 20 {
		o.t.Fatalf("the link is %q", i.URL)
	}
	return i.Operator.ID, token
}

// join accepts an invitation with a device.
func (o *office) join(token string, device *passkeytest.Authenticator) (operator.Session, string, error) {
	o.t.Helper()
	_, options, err := o.BeginJoin(o.t.Context(), token)
	if err != nil {
		return operator.Session{}, "", err
	}
	return o.Join(o.t.Context(), token, "Key", device.Create(o.t, options))
}

// hire adds an operator with a device, who is signed in.
func (o *office) hire(name string, r operator.Role) (s operator.Session, token string, device *passkeytest.Authenticator) {
	o.t.Helper()
	_, invitation := o.add(name, r)
	device = &passkeytest.Authenticator{Origin: console}
	s, token, err := o.join(invitation, device)
	o.ok(err)
	return s, token, device
}

// signIn signs in by a device.
func (o *office) signIn(device *passkeytest.Authenticator) (operator.Session, string, error) {
	o.t.Helper()
	options, err := o.BeginSignIn()
	o.ok(err)
	return o.SignIn(o.t.Context(), device.Get(o.t, options))
}

// events returns what the security log has of operators, the oldest first.
func (o *office) events() (out []string) {
	o.t.Helper()
	entries, err := securitylogs.New(o.db).Entries(o.t.Context(), securitylog.Filter{Kind: securitylog.Operator, Limit: 100})
	o.ok(err)
	slices.Reverse(entries)
	for _, e := range entries {
		text := e.Actor + ": " + string(e.Event)
		if e.Refusal != "" {
			text += " refused"
		}
		out = append(out, text)
	}
	return out
}

// Spec: OPERATE-1
func TestTeam_JoinsByALinkThatIsGoodOnce(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		id, token := o.add("Ada  Lovelace", operator.Support)
		s, cookie, err := o.join(token, &passkeytest.Authenticator{Origin: console})
		o.ok(err)
		if s.Operator.ID != id || s.Operator.Name != "Ada Lovelace" || s.Operator.Role != operator.Support {
			t.Errorf("joined as %+v", s.Operator)
		}
		if got, err := o.Authenticate(t.Context(), cookie, false); err != nil || got.Operator.Name != "Ada Lovelace" {
			t.Errorf("the session is of %+v, %v", got.Operator, err)
		}
		_, _, err = o.join(token, &passkeytest.Authenticator{Origin: console})
		o.refused("the link again", err, fault.NotFound, "invitation")

		_, late := o.add("Grace", operator.Owner)
		o.clock.Advance(72 * time.Hour)
		_, _, err = o.join(late, &passkeytest.Authenticator{Origin: console})
		o.refused("the link after 72 hours", err, fault.NotFound, "invitation")

		other, replaced := o.add("Joan", operator.Economy)
		i, err := o.Invite(t.Context(), other, o.shell)
		o.ok(err)
		_, _, err = o.join(replaced, &passkeytest.Authenticator{Origin: console})
		o.refused("the link that was replaced", err, fault.NotFound, "invitation")
		_, fresh, _ := strings.Cut(i.URL, "#")
		_, _, err = o.join(fresh, &passkeytest.Authenticator{Origin: "https://pantheon.example"})
		o.refused("a passkey of another page", err, fault.Forbidden, "")
		_, _, err = o.join(fresh, &passkeytest.Authenticator{Origin: console})
		o.ok(err)

		_, err = o.Add(t.Context(), "ADA lovelace", operator.Owner, o.shell)
		o.refused("a name that somebody has", err, fault.Conflict, "name")
		_, err = o.Add(t.Context(), "Аda Lovelace", operator.Owner, o.shell) // U+0410, Cyrillic
		o.refused("a name that looks like another", err, fault.Invalid, "")
		_, err = o.Add(t.Context(), "Ada Loveǀace", operator.Owner, o.shell) // U+01C0
		o.refused("a letter that looks like another", err, fault.Conflict, "name")
		_, err = o.Add(t.Context(), "root@db-1", operator.Owner, o.shell)
		o.refused("an account of the system", err, fault.Invalid, "")
		_, err = o.Add(t.Context(), "Ada\nLovelace\x00", operator.Owner, o.shell)
		o.refused("a name that cannot be displayed", err, fault.Invalid, "")
		_, err = o.Add(t.Context(), "Alan", "root", o.shell)
		o.refused("an unknown role", err, fault.Invalid, "")
		_, err = o.Add(t.Context(), "Alan", operator.Owner, operator.By{Who: "root@db-1"})
		o.refused("without a reason", err, fault.Invalid, "")
	})
}

// Spec: OPERATE-1
func TestTeam_OfTwoWhoUseALinkAtOnceOneJoins(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		id, token := o.add("Ada", operator.Owner)
		var answers [8][]byte
		for i := range answers {
			_, options, err := o.BeginJoin(t.Context(), token)
			o.ok(err)
			answers[i] = (&passkeytest.Authenticator{Origin: console}).Create(t, options)
		}
		var group sync.WaitGroup
		var errs [8]error
		for i := range answers {
			group.Go(func() { _, _, errs[i] = o.Join(t.Context(), token, "Key", answers[i]) })
		}
		group.Wait()
		joined := 0
		for _, err := range errs {
			if err == nil {
				joined++
			}
		}
		list, err := o.passkeys.List(t.Context(), id)
		o.ok(err)
		if joined != 1 || len(list) != 1 {
			t.Errorf("%d joined, with %d passkeys: %v", joined, len(list), errs)
		}
	})
}

// Spec: OPERATE-2
func TestTeam_SessionsEndByThemselves(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		_, token, device := o.hire("Ada", operator.Support)
		in := func(background bool) bool {
			t.Helper()
			_, err := o.Authenticate(t.Context(), token, background)
			if err != nil {
				o.refused("the session", err, fault.Unauthorized, "")
			}
			return err == nil
		}
		for range 47 { // 11 h 45 min
			o.clock.Advance(15*time.Minute - time.Second)
			if !in(false) {
				t.Fatal("ended although it was used")
			}
		}
		o.clock.Advance(14 * time.Minute)
		if !in(false) {
			t.Fatal("ended before 12 hours")
		}
		o.clock.Advance(2 * time.Minute)
		if in(false) {
			t.Fatal("lasts longer than 12 hours")
		}
		_, again, err := o.signIn(device)
		o.ok(err)
		token = again
		o.clock.Advance(14 * time.Minute)
		if !in(true) {
			t.Fatal("ended after 14 idle minutes")
		}
		o.clock.Advance(time.Minute)
		if in(true) {
			t.Error("a page in the background keeps the session open")
		}
		if _, err := o.Authenticate(t.Context(), "", false); err == nil {
			t.Error("no token has a session")
		}
		o.ok(operators.New(o.db).DropSessions(t.Context(), o.clock.Now().Add(-12*time.Hour), o.clock.Now().Add(-15*time.Minute), o.clock.Now()))
		if _, err := operators.New(o.db).SessionBy(t.Context(), operator.HashToken(token)); !fault.Is(err, fault.NotFound) {
			t.Errorf("a session that is over is kept: %v", err)
		}
	})
}

// Spec: OPERATE-2
func TestTeam_WhoWasRemovedOrInvitedAgainIsOut(t *testing.T) {
	t.Parallel()
	for what, shutOut := range map[string]func(o *office, id string) error{
		"removed":       func(o *office, id string) error { _, err := o.Remove(o.t.Context(), id, o.shell); return err },
		"invited again": func(o *office, id string) error { _, err := o.Invite(o.t.Context(), id, o.shell); return err },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			eachOffice(t, func(t *testing.T, o *office) {
				s, token, device := o.hire("Ada", operator.Owner)
				options, err := o.BeginSignIn()
				o.ok(err)
				answered := device.Get(t, options) // before, and sent afterwards
				o.ok(shutOut(o, s.Operator.ID))
				_, err = o.Authenticate(t.Context(), token, false)
				o.refused("the open session", err, fault.Unauthorized, "")
				_, _, err = o.SignIn(t.Context(), answered)
				o.refused("the passkey", err, fault.Forbidden, "unknown-passkey")
				_, err = o.Confirm(t.Context(), s, answered)
				if err == nil {
					t.Error("confirmed")
				}
			})
		})
	}
}

// Spec: OPERATE-3
func TestTeam_ASessionActsAfterAConfirmationForFiveMinutes(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		s, _, device := o.hire("Ada", operator.Support)
		other, _, theirs := o.hire("Grace", operator.Owner)
		o.ok(o.CheckConfirmed(s))
		o.clock.Advance(5 * time.Minute)
		o.refused("five minutes later", o.CheckConfirmed(s), fault.Forbidden, "confirm")
		options, err := o.BeginConfirm(t.Context(), s)
		o.ok(err)
		_, err = o.Confirm(t.Context(), s, theirs.Get(t, options))
		o.refused("another operator's passkey", err, fault.Forbidden, "unknown-passkey")
		answer := device.Get(t, options)
		_, err = o.Confirm(t.Context(), other, answer)
		if err == nil {
			t.Error("another's session was confirmed")
		}
		s, err = o.Confirm(t.Context(), s, answer)
		o.ok(err)
		o.ok(o.CheckConfirmed(s))
		_, err = o.Confirm(t.Context(), s, answer)
		o.refused("the answer again", err, fault.Forbidden, "copied-passkey") // its counter does not advance
		copied := *device
		_, _, err = o.signIn(device)
		o.ok(err)
		_, _, err = o.signIn(&copied)
		o.refused("a copied device", err, fault.Forbidden, "copied-passkey")
	})
}

// Spec: OPERATE-4
func TestTeam_ActsNeedARightWhenTheyAreDone(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		d := newDesk(t, o.db, o.clock)
		freeze := func(as string) error {
			_, err := d.Freeze(t.Context(), "id:"+zeus, operator.By{Who: as, As: as, Reason: "asks for it"})
			return err
		}
		o.ok(freeze("anybody")) // while there are no operators
		_, err := d.Unfreeze(t.Context(), "id:"+zeus, o.shell)
		o.ok(err)

		ada, _, _ := o.hire("Ada", operator.Economy)
		o.refused("a role without the right", freeze("Ada"), fault.Forbidden, "role")
		o.refused("an unknown operator", freeze("anybody"), fault.Forbidden, "")
		o.refused("one who looks like an operator", freeze("Аda"), fault.Forbidden, "")
		_, err = o.SetRole(t.Context(), ada.Operator.ID, operator.Security, o.shell)
		o.ok(err)
		o.ok(freeze("ada"))
		_, err = o.Remove(t.Context(), ada.Operator.ID, o.shell)
		o.ok(err)
		_, err = d.Unfreeze(t.Context(), "id:"+zeus, operator.By{Who: "Ada", As: "Ada", Reason: "sorry"})
		o.refused("an operator who was removed", err, fault.Forbidden, "")
		refusals := 0
		for _, e := range o.events() {
			if strings.HasSuffix(e, " refused") {
				refusals++
			}
		}
		if refusals != 4 {
			t.Errorf("%d refusals are in the log: %q", refusals, o.events())
		}
		if p, err := d.Player(t.Context(), zeus); err != nil || p.Frozen == nil {
			t.Errorf("the refused act was done: %+v, %v", p.Frozen, err)
		}
	})
}

// Spec: OPERATE-4
func TestTeam_NobodyChangesTheirOwnRights(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		s, _, _ := o.hire("Ada", operator.Owner)
		ada := operator.By{Who: "Ada", As: "Ada", Reason: "no reason"}
		_, err := o.SetRole(t.Context(), s.Operator.ID, operator.Support, ada)
		o.refused("the own role", err, fault.Conflict, "self")
		_, err = o.Remove(t.Context(), s.Operator.ID, ada)
		o.refused("removing oneself", err, fault.Conflict, "self")
		_, err = o.Invite(t.Context(), s.Operator.ID, ada)
		o.refused("inviting oneself", err, fault.Conflict, "self")
		support, _, _ := o.hire("Grace", operator.Support)
		_, err = o.Add(t.Context(), "Friend", operator.Owner, operator.By{Who: "Grace", As: "Grace", Reason: "why not"})
		o.refused("a role without the right", err, fault.Forbidden, "role")
		_, err = o.SetRole(t.Context(), s.Operator.ID, operator.Support, operator.By{Who: "Grace", As: "Grace", Reason: "why not"})
		o.refused("another's role without the right", err, fault.Forbidden, "role")
		_, err = o.Add(t.Context(), "Eve", operator.Owner, operator.By{Who: "Eve", As: "Eve", Reason: "why not"})
		o.refused("giving oneself the right", err, fault.Forbidden, "")
		if _, err := o.Find(t.Context(), "Friend"); !fault.Is(err, fault.NotFound) {
			t.Errorf("Friend was added: %v", err)
		}
		o.refused("the only passkey", o.passkeys.Remove(t.Context(), passkey.Caller{PlayerID: support.Operator.ID, SessionID: support.ID},
			onlyPasskey(t.Context(), o, support.Operator.ID)), fault.Conflict, "last-passkey")
	})
}

func onlyPasskey(ctx context.Context, o *office, operatorID string) string {
	o.t.Helper()
	list, err := o.passkeys.List(ctx, operatorID)
	o.ok(err)
	if len(list) != 1 {
		o.t.Fatalf("%d passkeys", len(list))
	}
	return list[0].ID
}

// Spec: OPERATE-5
func TestTeam_TheSecurityLogHasWhatOperatorsDoWithTheirAccess(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		s, _, device := o.hire("Ada", operator.Support)
		d := newDesk(t, o.db, o.clock)
		ada := operator.By{Who: "Ada", As: "Ada"}
		for range 3 { // a page that is loaded again
			_, err := d.View(t.Context(), zeus, ada)
			o.ok(err)
			o.clock.Advance(time.Minute)
		}
		o.clock.Advance(10 * time.Minute)
		_, err := d.View(t.Context(), zeus, ada)
		o.ok(err)
		o.ok(o.LogRefusal(t.Context(), s, "gas raise", s.Operator.Role.Check("gas raise")))
		options, err := o.BeginConfirm(t.Context(), s)
		o.ok(err)
		s, err = o.Confirm(t.Context(), s, device.Get(t, options))
		o.ok(err)
		o.ok(o.SignOut(t.Context(), s))
		want := []string{
			"root@db-1: operator add", "Ada: operator join", "Ada: operator sign-in", "Ada: player show", "Ada: player show",
			"Ada: gas raise refused", "Ada: operator confirm", "Ada: operator sign-out",
		}
		got := o.events()
		slices.Sort(got)
		slices.Sort(want) // some have the same time
		if !slices.Equal(got, want) {
			t.Errorf("the log has\n%s", strings.Join(got, "\n"))
		}
	})
}

// What happens at the same time as a removal, or as a new invitation, leaves nobody with access.
// Spec: OPERATE-1, OPERATE-2
func TestTeam_NobodySlipsInWhileTheyAreShutOut(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		for i := range 12 {
			s, _, device := o.hire(fmt.Sprintf("Operator %d", i), operator.Owner)
			second, third := &passkeytest.Authenticator{Origin: console}, &passkeytest.Authenticator{Origin: console}
			caller := passkey.Caller{PlayerID: s.Operator.ID, SessionID: s.ID}
			options, err := o.passkeys.BeginAdd(t.Context(), caller, passkey.Commitment(""))
			o.ok(err)
			made := second.Create(t, options)
			signIn, err := o.BeginSignIn()
			o.ok(err)
			answer := device.Get(t, signIn)
			_, invitation := o.add(fmt.Sprintf("Invited %d", i), operator.Owner)
			invited, options, err := o.BeginJoin(t.Context(), invitation)
			o.ok(err)
			joined := third.Create(t, options)
			var group sync.WaitGroup
			var in, join string
			group.Go(func() { _, _ = o.passkeys.FinishAdd(t.Context(), caller, "", "Phone", made) })
			group.Go(func() { _, in, _ = o.SignIn(t.Context(), answer) })
			group.Go(func() { _, join, _ = o.Join(t.Context(), invitation, "Key", joined) })
			group.Go(func() {
				if _, err := o.Invite(t.Context(), s.Operator.ID, o.shell); err != nil {
					t.Error(err)
				}
			})
			group.Go(func() {
				if _, err := o.Invite(t.Context(), invited.ID, o.shell); err != nil {
					t.Error(err)
				}
			})
			group.Wait()
			for _, id := range []string{s.Operator.ID, invited.ID} {
				// What came after the invitation was refused, and what came before was removed.
				if list, err := o.passkeys.List(t.Context(), id); err != nil || len(list) > 0 {
					t.Errorf("round %d: %d passkeys are left, %v", i, len(list), err)
				}
			}
			for _, token := range []string{in, join} {
				if _, err := o.Authenticate(t.Context(), token, false); err == nil {
					t.Errorf("round %d: a session is left", i)
				}
			}
		}
	})
}

// Spec: OPERATE-4
func TestTeam_OfTwoOwnersWhoRemoveEachOtherOneStays(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		for i := range 8 {
			a, b := fmt.Sprintf("Ada %d", i), fmt.Sprintf("Bea %d", i)
			first, _ := o.add(a, operator.Owner)
			second, _ := o.add(b, operator.Owner)
			var group sync.WaitGroup
			group.Go(func() { _, _ = o.Remove(t.Context(), second, operator.By{Who: a, As: a, Reason: "duel"}) })
			group.Go(func() { _, _ = o.Remove(t.Context(), first, operator.By{Who: b, As: b, Reason: "duel"}) })
			group.Wait()
			_, errA := o.Find(t.Context(), a)
			_, errB := o.Find(t.Context(), b)
			if (errA == nil) == (errB == nil) {
				t.Errorf("round %d: %v, %v", i, errA, errB)
			}
		}
	})
}

// The table of rights, as docs/operations/console.md has it.
// Spec: OPERATE-4
func TestRights_OfEachRole(t *testing.T) {
	t.Parallel()
	for role, want := range map[operator.Role]string{
		operator.Support: "address delete, gas show, order show, player freeze, player search, player show, reward list, reward redo, " +
			"shop list, support list, token refresh",
		operator.Economy: "gas raise, gas show, order show, player score, player search, player show, player whitelist add, " +
			"player whitelist remove, reward assign, reward list, reward redo, shop assign, shop forgive, shop list, shop release, token refresh",
		operator.Security: "audit list, gas show, operator list, order show, player freeze, player search, player show, " +
			"player unfreeze, reward list",
		"":     "",
		"root": "",
	} {
		if got := strings.Join(role.Rights(), ", "); got != want {
			t.Errorf("%s may:\n%s", role, got)
		}
	}
	if got := operator.Owner.Rights(); !slices.Equal(got, operator.Commands()) {
		t.Errorf("owners may not do all: %q", got)
	}
	if operator.Owner.May("player delete") {
		t.Error("there is a right to what is not in the table")
	}
}
