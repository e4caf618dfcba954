package approval_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	own  = eth.MustAddress("0x00000000000000000000000000000000feed0002")
)

// people are the players' proofs: an address, a password, a wallet, or none.
type people struct {
	db       *store.DB
	address  string
	password string
	signed   eth.Address // the wallet that signs challenges
	passkey  bool        // there is one that approves

	unconfirmed bool // the address is
	newAddress  bool // there is one, which proves nothing yet
}

func (p *people) Address(context.Context, string) (string, error)   { return p.address, nil }
func (p *people) HasPassword(context.Context, string) (bool, error) { return p.password != "", nil }
func (p *people) CheckPassword(_ context.Context, _, password string) error {
	if password != p.password {
		return fault.New(fault.Invalid, "This is not your password.").WithReason("wrong")
	}
	return nil
}

func (p *people) ConfirmedAddress(context.Context, string) (string, error) {
	if p.unconfirmed {
		return "", nil
	}
	return p.address, nil
}

func (p *people) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	if p.newAddress {
		return time.Time{}, nil
	}
	s, err := accounts.New(p.db).Session(ctx, c.SessionID)
	return s.CreatedAt, err
}

func (p *people) HasPasskey(context.Context, string) (bool, error) { return p.passkey, nil }

func (p *people) CheckPasskey(_ context.Context, _ approval.Caller, response []byte) error {
	if string(response) != "answered" {
		return fault.New(fault.Forbidden, "This passkey was not accepted.")
	}
	return nil
}

func (p *people) ProvenWallet(context.Context, string, string, []byte) (eth.Address, error) {
	return p.signed, nil
}

// desk is a service with two players, A and B. A has an address.
type desk struct {
	*approval.Service
	t      *testing.T
	db     *store.DB
	clock  *clock.Fake
	people *people
}

func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	testkit.EachDatabaseAt(t, noon, func(t *testing.T, db *store.DB, c *clock.Fake) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		p := &people{db: db, address: "A@example.org"}
		test(t, &desk{approval.NewService(approval.Options{
			Store: accounts.New(db), Accounts: p, Passkeys: p, Clock: c, Keys: keyset.Keys{[]byte("key")},
			Site: "https://pantheon.example", MailsPerHour: 5,
		}), t, db, c, p})
	})
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) use(player string, kind approval.Kind, digest, use string) error {
	_, err := d.Use(d.t.Context(), player, kind, digest, use)
	return err
}

func (d *desk) approve(c approval.Caller, a approval.Act, proof approval.Confirmation, use string) error {
	_, err := d.Approve(d.t.Context(), c, a, proof, use)
	return err
}

// enter opens a session.
func (d *desk) enter(player, session string) approval.Caller {
	d.t.Helper()
	now := d.clock.Now()
	_, err := accounts.New(d.db).OpenSession(d.t.Context(),
		account.Identity{PlayerID: player, DisplayName: player, Email: player + "@example.org"},
		account.Session{ID: session, PlayerID: player, CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(24 * time.Hour)}, "hash of "+session, now)
	d.ok(err)
	return approval.Caller{PlayerID: player, SessionID: session}
}

var codeIn = regexp.MustCompile(`\n    (\d{8})\n`)

func (d *desk) mails() []email.Queued {
	d.t.Helper()
	mails, err := store.Mail{DB: d.db}.RecentEmails(d.t.Context(), 100)
	d.ok(err)
	return mails
}

// code returns the code of the newest email.
func (d *desk) code() string {
	d.t.Helper()
	m := codeIn.FindStringSubmatch(d.mails()[0].Text)
	if m == nil {
		d.t.Fatalf("no code in %q", d.mails()[0].Text)
	}
	return m[1]
}

func (d *desk) request(c approval.Caller, a approval.Act) approval.Approval {
	d.t.Helper()
	r, err := d.Request(d.t.Context(), c, a)
	d.ok(err)
	return r
}

// approved requests an approval and confirms it by the emailed code.
func (d *desk) approved(c approval.Caller, a approval.Act) {
	d.t.Helper()
	r := d.request(c, a)
	d.ok(d.Confirm(d.t.Context(), c, r.ID, approval.Confirmation{Code: d.code()}))
}

func (d *desk) refused(what string, err error, code fault.Code, reason string) {
	d.t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Reason != reason {
		d.t.Errorf("%s: %v, want %s with reason %q", what, err, code, reason)
	}
}

var purchase = approval.Act{
	Kind: approval.Trade, Digest: approval.Digest("the calls"),
	Lines: []string{"Buy Sword of Dawn for 480 USDC", "Reference price: none"},
}

// Spec: SAFE-1
func TestApproval_TheMailNamesTheActAndItsCodeApprovesItOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		r := d.request(a, purchase)
		if r.Way != "code" || r.SentTo != "A•••@example.org" || !r.ExpiresAt.Equal(noon.Add(15*time.Minute)) {
			t.Errorf("requested: %+v", r)
		}
		m := d.mails()[0]
		if m.To != "A@example.org" || m.Subject != "Your code for a trade" ||
			!strings.Contains(m.Text, "\n    Buy Sword of Dawn for 480 USDC\n    Reference price: none\n\n    ") ||
			!strings.Contains(m.Text, "It is good for 15 minutes.") || !strings.Contains(m.Text, "tell the code to nobody") {
			t.Errorf("the mail is %+v", m)
		}
		d.refused("before the confirmation", d.use("A", approval.Trade, purchase.Digest, "nonce 1"),
			fault.Conflict, "approval-needed")
		code := d.code()
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: " " + code[:4] + " " + code[4:]}))
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: code})) // the answer was lost
		for what, err := range map[string]error{
			"another kind":   d.use("A", approval.Withdrawal, purchase.Digest, "nonce 1"),
			"other calls":    d.use("A", approval.Trade, approval.Digest("other calls"), "nonce 1"),
			"another player": d.use("B", approval.Trade, purchase.Digest, "nonce 1"),
		} {
			d.refused(what, err, fault.Conflict, "approval-needed")
		}
		d.ok(d.use("A", approval.Trade, purchase.Digest, "nonce 1"))
		d.ok(d.use("A", approval.Trade, purchase.Digest, "nonce 1")) // the relay, after the signer
		d.refused("for another operation", d.use("A", approval.Trade, purchase.Digest, "nonce 2"), fault.Conflict, "approval-needed")
	})
}

// Whoever knows the code and not the request, as the page of a withdrawal that was reloaded.
func TestApproval_ApproveTakesTheCodeOfTheActThatWaits(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a, other := d.enter("A", "S1"), d.enter("A", "S2")
		d.request(a, purchase)
		code := approval.Confirmation{Code: d.code()}
		sale := approval.Act{Kind: approval.Trade, Digest: approval.Digest("other calls")}
		d.refused("another act", d.approve(a, sale, code, "nonce 1"), fault.Invalid, "wrong")
		d.refused("another session", d.approve(other, purchase, code, "nonce 1"), fault.Invalid, "wrong")
		d.ok(d.approve(a, purchase, code, "nonce 1"))
		d.ok(d.approve(a, purchase, code, "nonce 1")) // the answer was lost
		d.refused("for another use", d.approve(a, purchase, code, "nonce 2"), fault.Invalid, "wrong")

		d.people.address, d.people.password = "", "secret"
		d.request(a, purchase)
		d.clock.Advance(time.Hour)
		d.ok(d.approve(a, purchase, approval.Confirmation{Password: "secret"}, "nonce 3"))
	})
}

// Spec: SAFE-1
func TestApproval_IsGoodForTenMinutes(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		r := d.request(a, purchase)
		d.clock.Advance(15*time.Minute - time.Millisecond)
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: d.code()}))
		d.clock.Advance(10*time.Minute - time.Millisecond)
		d.ok(d.use("A", approval.Trade, purchase.Digest, "nonce 1"))
		d.clock.Advance(time.Millisecond)
		d.refused("after ten minutes", d.use("A", approval.Trade, purchase.Digest, "nonce 1"), fault.Conflict, "approval-needed")

		late := d.request(a, purchase)
		d.clock.Advance(15 * time.Minute)
		d.refused("confirmed after 15 minutes", d.Confirm(t.Context(), a, late.ID, approval.Confirmation{Code: d.code()}), fault.Conflict, "over")
	})
}

// The limit of emails counts them by when their requests were made, so a request is not kept alive for longer than it counts.
func TestApproval_CodesAreSentForAnHourAfterTheRequest(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		r := d.request(a, purchase)
		for range 4 {
			d.clock.Advance(14 * time.Minute)
			_, err := d.SendCode(t.Context(), a, r.ID)
			d.ok(err)
		}
		_, err := d.SendCode(t.Context(), a, r.ID)
		d.refused("a sixth email within the hour", err, fault.TooMany, "")
		d.clock.Advance(5 * time.Minute)
		_, err = d.SendCode(t.Context(), a, r.ID)
		d.refused("a sixth email a minute after the hour", err, fault.Conflict, "over")
		d.request(a, purchase)
	})
}

// Spec: SAFE-1, SAFE-2
func TestApproval_AllowsFiveAttempts(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		r := d.request(a, purchase)
		right := d.code()
		for range 5 {
			d.refused("a wrong code", d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: "00000000"}), fault.Invalid, "wrong")
		}
		d.refused("the right one after five", d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: right}), fault.Invalid, "wrong")
		again, err := d.SendCode(t.Context(), a, r.ID)
		if err != nil || again.ID != r.ID {
			t.Fatal(again, err)
		}
		d.refused("the old code after a new one", d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: right}), fault.Invalid, "wrong")
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Code: d.code()}))
		_, err = d.SendCode(t.Context(), a, r.ID)
		d.refused("a code for what is confirmed", err, fault.Conflict, "over")
	})
}

// A stolen session reads no mail. It must not be able to use what the owner's session has asked for, or to replace it.
// Spec: SAFE-1
func TestApproval_BelongsToTheSessionThatRequestedIt(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		mine, stolen, other := d.enter("A", "S1"), d.enter("A", "S2"), d.enter("B", "S3")
		r := d.request(mine, purchase)
		code := d.code()
		d.request(stolen, approval.Act{Kind: approval.Trade, Digest: approval.Digest("evil calls")})
		for what, c := range map[string]approval.Caller{
			"another session": stolen, "another player": other, "a forged player": {PlayerID: "B", SessionID: "S1"},
		} {
			d.refused(what, d.Confirm(t.Context(), c, r.ID, approval.Confirmation{Code: code}), fault.NotFound, "")
			_, err := d.SendCode(t.Context(), c, r.ID)
			d.refused("a code for "+what, err, fault.NotFound, "")
		}
		d.ok(d.Confirm(t.Context(), mine, r.ID, approval.Confirmation{Code: code}))
		d.refused("the stolen session's act", d.use("A", approval.Trade, approval.Digest("evil calls"), "nonce 1"),
			fault.Conflict, "approval-needed")
		d.ok(d.use("A", approval.Trade, purchase.Digest, "nonce 1"))
	})
}

func TestApproval_ANewRequestReplacesTheOneOfTheSameKind(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		deletion := d.request(a, approval.Act{Kind: approval.Deletion, Digest: approval.Digest("A")})
		deletionCode := d.code()
		older := d.request(a, purchase)
		code := d.code()
		d.request(a, approval.Act{Kind: approval.Trade, Digest: approval.Digest("other calls")})
		d.refused("the older", d.Confirm(t.Context(), a, older.ID, approval.Confirmation{Code: code}), fault.Conflict, "over")
		d.refused("its code by the newer mail", d.Confirm(t.Context(), a, older.ID, approval.Confirmation{Code: d.code()}),
			fault.Conflict, "over")
		d.ok(d.Confirm(t.Context(), a, deletion.ID, approval.Confirmation{Code: deletionCode}))
	})
}

// Spec: SAFE-1
func TestApproval_EndsWithItsSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(d *desk) error{
		"signed out": func(d *desk) error {
			_, err := accounts.New(d.db).RevokeSession(d.t.Context(), "S1", d.clock.Now())
			return err
		},
		"new password": func(d *desk) error {
			_, err := accounts.New(d.db).EndSessions(d.t.Context(), account.EndSessions{PlayerID: "A", At: d.clock.Now(), PasswordChanged: true})
			return err
		},
		"all ended": func(d *desk) error {
			_, err := accounts.New(d.db).EndSessions(d.t.Context(), account.EndSessions{PlayerID: "A", At: d.clock.Now()})
			return err
		},
		"frozen": func(d *desk) error {
			_, err := testkit.Operator(d.db, d.clock).Freeze(d.t.Context(), "id:A", testkit.By("Stolen."))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachDesk(t, func(t *testing.T, d *desk) {
				d.approved(d.enter("A", "S1"), purchase)
				d.ok(end(d))
				d.refused("used after", d.use("A", approval.Trade, purchase.Digest, "nonce 1"), fault.Conflict, "approval-needed")
			})
		})
	}
}

func TestApproval_OneOperationOfManyAtOnceUsesIt(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.approved(d.enter("A", "S1"), purchase)
		var used atomic.Int32
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				if d.use("A", approval.Trade, purchase.Digest, "nonce "+string(rune('a'+i))) == nil {
					used.Add(1)
				}
			})
		}
		all.Wait()
		if n := used.Load(); n != 1 {
			t.Errorf("%d operations used it", n)
		}
	})
}

func TestApproval_ItsCodeConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		confirmed := func() bool {
			proofs, err := accounts.New(d.db).Proofs(t.Context(), "A")
			d.ok(err)
			return proofs.Email
		}
		a := d.enter("A", "S1")
		d.people.address = "former@example.org"
		d.approved(a, purchase)
		if confirmed() {
			t.Error("a code to another address confirmed the player's")
		}
		d.people.address = "a@EXAMPLE.org"
		d.approved(a, purchase)
		if !confirmed() {
			t.Error("the code did not confirm the address")
		}
	})
}

// Spec: SAFE-2
func TestApproval_FiveMailsAnHourForEachSession(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a, owner := d.enter("A", "S1"), d.enter("A", "S2")
		var last approval.Approval
		for range 4 {
			last = d.request(a, purchase)
		}
		_, err := d.SendCode(t.Context(), a, last.ID)
		d.ok(err)
		_, err = d.SendCode(t.Context(), a, last.ID)
		d.refused("the sixth code", err, fault.TooMany, "")
		_, err = d.Request(t.Context(), a, purchase)
		d.refused("the sixth request", err, fault.TooMany, "")
		d.request(owner, purchase) // whoever has stolen a session cannot use up what the owner may ask for
		d.clock.Advance(time.Hour)
		d.request(a, purchase)
	})
}

func TestApproval_WithoutMailThePasswordApproves(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.people.address, d.people.password = "", "thunder and rain"
		a := d.enter("A", "S1")
		r := d.request(a, purchase)
		if r.Way != "password" || r.SentTo != "" || len(d.mails()) != 0 {
			t.Errorf("%+v, %d mails", r, len(d.mails()))
		}
		d.refused("a wrong one", d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Password: "lightning rods"}), fault.Invalid, "wrong")
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Password: "thunder and rain"}))
		d.ok(d.use("A", approval.Trade, purchase.Digest, "nonce 1"))
	})
}

func TestApproval_WithoutMailAndPasswordOnlyWhereAnotherProofCounts(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.people.address = ""
		a := d.enter("A", "S1")
		for _, kind := range []approval.Kind{approval.Trade, approval.Withdrawal} {
			_, err := d.Request(t.Context(), a, approval.Act{Kind: kind, Digest: approval.Digest("x")})
			d.refused(string(kind), err, fault.Conflict, "no-approval")
		}
		toOwn := approval.Act{Kind: approval.Withdrawal, Digest: approval.Digest("to my own wallet"), Wallet: &own}
		r := d.request(a, toOwn)
		d.refused("signed by another wallet", d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Message: "m"}), fault.Conflict, "proof")
		d.people.signed = own
		d.ok(d.Confirm(t.Context(), a, r.ID, approval.Confirmation{Message: "m"}))
		d.ok(d.use("A", approval.Withdrawal, toOwn.Digest, "W1"))

		for i, kind := range []approval.Kind{approval.ConnectWallet, approval.DisconnectWallet, approval.ChangeEmail, approval.Deletion} {
			a := d.enter("A", "fresh "+string(rune('a'+i)))
			act := approval.Act{Kind: kind, Digest: approval.Digest("y")}
			d.clock.Advance(10 * time.Minute)
			d.ok(d.Require(t.Context(), a, act, "now"))
			d.clock.Advance(time.Millisecond)
			err := d.Require(t.Context(), a, act, "again")
			d.refused(string(kind)+" by an older sign-in", err, fault.Forbidden, "stale")
			d.people.newAddress = true // the sign-in may be by a password that was set by it
			err = d.Require(t.Context(), d.enter("A", "fresh password "+string(kind)), act, "later")
			d.refused(string(kind)+" by a password", err, fault.Conflict, "no-approval")
			d.people.newAddress = false
		}
	})
}

// A code to an address that nobody has confirmed may be a stranger's: it approves no other address in its place.
func TestApproval_APasswordReplacesAnUnconfirmedAddress(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.people.unconfirmed, d.people.password = true, "thunder and rain"
		a := d.enter("A", "S1")
		if r := d.request(a, approval.Act{Kind: approval.ChangeEmail, Digest: approval.Digest("x")}); r.Way != approval.ByPassword ||
			r.SentTo != "" {
			t.Errorf("another address: %+v", r)
		}
		if r := d.request(a, purchase); r.Way != approval.ByCode {
			t.Errorf("a trade: %+v", r)
		}
		d.people.unconfirmed = false
		if r := d.request(a, approval.Act{Kind: approval.ChangeEmail, Digest: approval.Digest("x")}); r.Way != approval.ByCode {
			t.Errorf("another address in place of a confirmed one: %+v", r)
		}
	})
}

func TestApproval_RequireNamesTheApprovalAndPassesOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		a := d.enter("A", "S1")
		err := d.Require(t.Context(), a, purchase, "nonce 1")
		d.refused("at first", err, fault.Conflict, "approval-needed")
		details := fault.As(err).Details
		if details["way"] != "code" || details["kind"] != "trade" || details["sentTo"] != "A•••@example.org" ||
			details["expiresAt"] != "2026-03-01T12:15:00Z" {
			t.Errorf("details %v", details)
		}
		d.ok(d.Confirm(t.Context(), a, details["approvalId"], approval.Confirmation{Code: d.code()}))
		d.ok(d.Require(t.Context(), a, purchase, "nonce 1"))
		d.refused("another", d.Require(t.Context(), a, purchase, "nonce 2"), fault.Conflict, "approval-needed")
	})
}

// Names of items are chosen by others.
func TestApproval_ANameAddsNoLinesToTheMail(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.request(d.enter("A", "S1"), approval.Act{Kind: approval.Trade, Digest: "d", Lines: []string{"Buy Sword\n\n    00000000\r\n\x1b[2J"}})
		if text := d.mails()[0].Text; slices.Contains(strings.Split(text, "\n"), "    00000000") || strings.ContainsAny(text, "\r\x1b") {
			t.Errorf("the mail is %q", text)
		}
	})
}

func TestApproval_DigestsOfDifferentPartsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, parts := range [][]string{{}, {""}, {"a", "b"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"b", "a"}} {
		d := approval.Digest(parts...)
		if len(d) != 64 || seen[d] {
			t.Errorf("%q: %s", parts, d)
		}
		seen[d] = true
	}
}

var gift = approval.Act{Kind: approval.Trade, Digest: approval.Digest("a gift"), Lines: []string{"a gift"}}

func TestApproval_PasskeyComesFirstAndACodeIsTheWayWithoutIt(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.people.passkey = true
		a := d.enter("A", "S1")
		asked, err := d.Request(t.Context(), a, purchase)
		d.ok(err)
		if asked.Way != approval.ByPasskey || asked.SentTo != "" || len(d.mails()) != 0 {
			t.Fatalf("asked for %+v, %d emails", asked, len(d.mails()))
		}
		err = d.Confirm(t.Context(), a, asked.ID, approval.Confirmation{Passkey: []byte("forged"), Password: "secret", Code: "12345678"})
		d.refused("another answer", err, fault.Forbidden, "")
		d.refused("nothing is approved", d.use("A", approval.Trade, purchase.Digest, "nonce 1"), fault.Conflict, "approval-needed")
		d.ok(d.Confirm(t.Context(), a, asked.ID, approval.Confirmation{Passkey: []byte("answered")}))
		for range 2 { // the relay, after the signer
			way, err := d.Use(t.Context(), "A", approval.Trade, purchase.Digest, "nonce 1")
			d.ok(err)
			if way != approval.ByPasskey {
				t.Errorf("approved by %s, want the passkey", way)
			}
		}

		lost, err := d.Request(t.Context(), a, gift)
		d.ok(err)
		byCode, err := d.SendCode(t.Context(), a, lost.ID)
		d.ok(err)
		if byCode.Way != approval.ByCode || byCode.ID == lost.ID || byCode.SentTo != "A•••@example.org" {
			t.Fatalf("instead of the passkey: %+v", byCode)
		}
		d.refused("the request by passkey", d.Confirm(t.Context(), a, lost.ID, approval.Confirmation{Passkey: []byte("answered")}),
			fault.Conflict, "over")
		d.ok(d.Confirm(t.Context(), a, byCode.ID, approval.Confirmation{Code: d.code()}))
		way, err := d.Use(t.Context(), "A", gift.Kind, gift.Digest, "nonce 2")
		d.ok(err)
		if way != approval.ByCode {
			t.Errorf("approved by %s, want the code", way)
		}

		deletion, err := d.Request(t.Context(), a, approval.Act{Kind: approval.Deletion, Digest: approval.Digest("all")})
		d.ok(err)
		if deletion.Way != approval.ByCode {
			t.Errorf("a deletion is approved by %s, want the email that names what is lost", deletion.Way)
		}
	})
}

// A page that confirms in one request has the passkey's answer or a code, and no request's id.
func TestApproval_ApproveTakesThePasskeysAnswer(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.people.passkey = true
		a := d.enter("A", "S1")
		waiting, err := d.Request(t.Context(), a, gift)
		d.ok(err)
		d.refused("a code for "+waiting.ID, d.approve(a, gift, approval.Confirmation{Code: "12345678"}, "W0"), fault.Invalid, "wrong")
		d.refused("another answer", d.approve(a, purchase, approval.Confirmation{Passkey: []byte("forged")}, "W1"), fault.Forbidden, "")
		d.ok(d.approve(a, purchase, approval.Confirmation{Passkey: []byte("answered")}, "W1"))
		d.ok(d.approve(a, purchase, approval.Confirmation{Passkey: []byte("answered")}, "W1")) // the answer was lost
		d.refused("a code that was never sent", d.approve(a, gift, approval.Confirmation{Code: "12345678"}, "W2"), fault.Invalid, "wrong")
	})
}
