package wallet_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/wallet/siwe"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

const (
	site               = "https://portal.example:8443"
	gameChain          = testkit.GameChain
	mainChain          = onchain.ChainID(1337137)
	good, bad, unclear = "good", "bad", "unclear" // signatures
)

// seals accepts the signature "good" of anybody, for the exact message and chain.
type seals struct{}

func (seals) Valid(_ context.Context, chain onchain.ChainID, account eth.Address, hash eth.Hash, signature []byte) (bool, error) {
	if string(signature) == unclear {
		return false, fault.New(fault.Unavailable, "The chain cannot be reached just now.")
	}
	return string(signature) == good && chain != 0 && !account.IsZero() && !hash.IsZero(), nil
}

// owners are players who approve a change, or do not, and have an address.
type owners struct {
	mu       sync.Mutex
	refusal  error
	approved []string
}

func (o *owners) approve(what string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.approved = append(o.approved, what)
	return o.refusal
}

func (o *owners) ApproveConnection(_ context.Context, c wallet.Caller, w eth.Address, _ string) error {
	return o.approve("connect " + w.String() + " in " + c.SessionID)
}

func (o *owners) ApproveDisconnection(_ context.Context, c wallet.Caller, w wallet.Verified) error {
	return o.approve("disconnect " + w.Address.String() + " in " + c.SessionID)
}

func (*owners) Address(_ context.Context, player string) (string, error) {
	return player + "@example.org", nil
}

// desk is the Service with the players A and B, who have smart wallets.
type desk struct {
	*wallet.Proofs
	t      *testing.T
	db     *store.DB
	clock  *clock.Fake
	owners *owners
}

// caller is a player in the session "S".
func caller(player string) wallet.Caller { return wallet.Caller{PlayerID: player, SessionID: "S"} }

func eachDesk(t *testing.T, test func(t *testing.T, d desk)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		d := desk{t: t, db: db, clock: clock.NewFake(opening), owners: &owners{}}
		var err error
		d.Proofs, err = wallet.NewProofs(accounts.New(db), d.owners, seals{}, d.clock, site, []onchain.ChainID{gameChain, mainChain})
		if err != nil {
			t.Fatal(err)
		}
		test(t, d)
	})
}

var hardware, mobile = eth.Address{19: 1}, eth.Address{19: 2}

// challenge requests a message.
func (d desk) challenge(player string, address eth.Address) string {
	d.t.Helper()
	m, err := d.Challenge(d.t.Context(), player, address.Checksum(), gameChain)
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

func (d desk) connect(player string, address eth.Address) error {
	d.t.Helper()
	_, err := d.Verify(d.t.Context(), caller(player), d.challenge(player, address), []byte(good))
	return err
}

// mustBe checks which wallet a player has; nil for none.
func (d desk) mustBe(player string, want *eth.Address) {
	d.t.Helper()
	got, err := d.Wallet(d.t.Context(), player)
	if err != nil || (got == nil) != (want == nil) || got != nil && *got != *want {
		d.t.Errorf("%s has %v, %v; want %v", player, got, err, want)
	}
}

// Spec: ACCOUNT-7
func TestVerified_WalletIsThePlayersOnceItsMessageIsSigned(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.mustBe("A", nil)
		text := d.challenge("A", hardware)
		m, err := siwe.Parse(text)
		want := siwe.Message{
			Domain: "portal.example:8443", Address: hardware, Statement: "Show that this wallet is mine. Signing is free and moves nothing.",
			URI: site, Chain: gameChain, Nonce: m.Nonce, IssuedAt: opening, ExpiresAt: opening.Add(10 * time.Minute),
		}
		if err != nil || m != want || len(m.Nonce) < 16 {
			t.Fatalf("the message is %+v, %v", m, err)
		}
		w, err := d.Verify(t.Context(), caller("A"), text, []byte(good))
		if err != nil || w.Address != hardware || w.PlayerID != "A" {
			t.Fatalf("%+v, %v", w, err)
		}
		d.mustBe("A", &hardware)
		d.mustBe("B", nil)
		if err := errors.Join(d.Disconnect(t.Context(), caller("A")), d.Disconnect(t.Context(), caller("A"))); err != nil {
			t.Fatal(err)
		}
		d.mustBe("A", nil)
	})
}

// Spec: WALLET-18
func TestVerified_OnlyTheNewestMessageCountsOnceAndInTime(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		verify := func(player, message, signature string) error {
			_, err := d.Verify(t.Context(), caller(player), message, []byte(signature))
			return err
		}
		old := d.challenge("A", hardware)
		text := d.challenge("A", hardware)
		others := d.challenge("B", hardware)
		change := func(from, to string) string { return strings.Replace(text, from, to, 1) }
		for _, c := range []struct {
			what, message, signature string
			want                     error
		}{
			{"an older message", old, good, wallet.ErrNonce},
			{"another player's message", others, good, wallet.ErrNonce},
			{"a nonce nobody gave out", change("Nonce: ", "Nonce: AAAA"), good, wallet.ErrNonce},
			{"another site's domain", change("portal.example:8443 wants", "evil.example wants"), good, wallet.ErrOtherSite},
			{"another port", change("portal.example:8443 wants", "portal.example wants"), good, wallet.ErrOtherSite},
			{"another site's address", change("URI: "+site, "URI: https://evil.example"), good, wallet.ErrOtherSite},
			{"another page of this site", change("URI: "+site, "URI: "+site+"/x"), good, wallet.ErrOtherSite},
			{"another chain of ours", change("1337042", "1337137"), good, wallet.ErrChanged},
			{"a chain of others", change("1337042", "1"), good, wallet.ErrChanged},
			{"another wallet", change(hardware.Checksum(), mobile.Checksum()), good, wallet.ErrChanged},
			{"another statement", change("moves nothing", "moves it all"), good, wallet.ErrChanged},
			{"a later end", change("12:10:00Z", "12:59:00Z"), good, wallet.ErrChanged},
			{"an earlier beginning", change("12:00:00Z", "11:00:00Z"), good, wallet.ErrChanged},
			{"no message", "", good, siwe.ErrForm},
			{"a wrong signature", text, bad, wallet.ErrSignature},
			{"no signature", text, "", wallet.ErrSignature},
		} {
			if err := verify("A", c.message, c.signature); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.what, err, c.want)
			}
		}
		if err := verify("A", text, unclear); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while the chain is away: %v", err)
		}
		d.mustBe("A", nil)

		// None of these has used up the message. Once used, it is invalid.
		d.clock.Advance(10*time.Minute - time.Second)
		if err := verify("A", text, good); err != nil {
			t.Fatal(err)
		}
		if err := verify("A", text, good); !errors.Is(err, wallet.ErrNonce) {
			t.Errorf("a second time: %v", err)
		}
		d.clock.Advance(time.Second)
		if err := verify("B", others, good); !errors.Is(err, wallet.ErrExpired) {
			t.Errorf("after 10 minutes: %v", err)
		}
	})
}

// Spec: WALLET-18
func TestVerified_ChallengeNeedsAWalletOnAConfiguredChain(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		for _, c := range []struct {
			address string
			chain   onchain.ChainID
			faults  []fault.Field
		}{
			{"0x12", 1, []fault.Field{
				{Location: "body.address", Message: "Invalid address"}, {Location: "body.chainId", Message: "We do not work with this chain."},
			}},
			{hardware.String(), 0, []fault.Field{{Location: "body.chainId", Message: "We do not work with this chain."}}},
			{strings.ToUpper(mobile.String()), gameChain, []fault.Field{{Location: "body.address", Message: "Invalid address"}}},
		} {
			_, err := d.Challenge(t.Context(), "A", c.address, c.chain)
			if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Fields) != len(c.faults) || f.Fields[0] != c.faults[0] {
				t.Errorf("%s on %d: %v", c.address, c.chain, err)
			}
		}
	})
}

// Spec: WALLET-18
func TestVerified_WalletHasOnePlayerAndAPlayerOneWallet(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		if err := errors.Join(d.connect("A", hardware), d.connect("A", hardware)); err != nil {
			t.Fatal("the same wallet twice:", err)
		}
		if err := d.connect("A", mobile); !errors.Is(err, wallet.ErrConnected) {
			t.Errorf("a second wallet: %v", err)
		}
		if err := d.connect("B", hardware); !errors.Is(err, wallet.ErrTaken) {
			t.Errorf("another player's wallet: %v", err)
		}
		for what, a := range map[string]eth.Address{
			"the own smart wallet": testkit.WalletOf("B"), "another's smart wallet": testkit.WalletOf("A"),
			"another's embedded wallet": testkit.OwnerOf("A"),
		} {
			if err := d.connect("B", a); !errors.Is(err, wallet.ErrPair) {
				t.Errorf("%s: %v", what, err)
			}
		}
		d.mustBe("A", &hardware)
		d.mustBe("B", nil)
		if err := errors.Join(d.Disconnect(t.Context(), caller("A")), d.connect("B", hardware)); err != nil {
			t.Errorf("a wallet that was let go: %v", err)
		}
		d.mustBe("A", nil)
		d.mustBe("B", &hardware)
	})
}

// Concurrent submissions of one signed message, and of one wallet by both players: exactly one of each succeeds.
// Spec: WALLET-18
func TestVerified_MessageAndAWalletAreTakenByOneOfMany(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		messages := map[string]string{"A": d.challenge("A", hardware), "B": d.challenge("B", hardware)}
		var mu sync.Mutex
		results := map[string][]error{}
		var wg sync.WaitGroup
		for range 8 {
			for player, message := range messages {
				wg.Go(func() {
					_, err := d.Verify(t.Context(), caller(player), message, []byte(good))
					mu.Lock()
					defer mu.Unlock()
					results[player] = append(results[player], err)
				})
			}
		}
		wg.Wait()
		got := 0
		for player, errs := range results {
			for _, err := range errs {
				switch {
				case err == nil:
					got++
					d.mustBe(player, &hardware)
				case !errors.Is(err, wallet.ErrNonce) && !errors.Is(err, wallet.ErrTaken):
					t.Errorf("%s: %v", player, err)
				}
			}
		}
		if got != 1 {
			t.Errorf("the wallet was given out %d times", got)
		}
	})
}

// Whoever has a stolen session must not choose the wallet that withdrawals go to.
// Spec: WALLET-19
func TestVerified_WalletChangesOnlyWithTheOwnersApprovalAndIsNotified(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		refusal := errors.New("not approved")
		subjects := func() (out []string) {
			mails, err := store.Mail{DB: d.db}.RecentEmails(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range mails {
				if m.To != "A@example.org" || !strings.Contains(m.Text, hardware.Checksum()) || !strings.Contains(m.Text, "/portal/not-me?token=") {
					t.Errorf("mail to %s: %s", m.To, m.Text)
				}
				out = append(out, m.Subject)
			}
			return out
		}
		d.owners.refusal = refusal
		message := d.challenge("A", hardware)
		if _, err := d.Verify(t.Context(), caller("A"), message, []byte(bad)); !errors.Is(err, wallet.ErrSignature) ||
			len(d.owners.approved) > 0 {
			t.Errorf("a wrong signature: %v, %v", err, d.owners.approved)
		}
		if _, err := d.Verify(t.Context(), caller("A"), message, []byte(good)); !errors.Is(err, refusal) {
			t.Errorf("not approved: %v", err)
		}
		d.mustBe("A", nil)
		d.owners.refusal = nil
		if _, err := d.Verify(t.Context(), caller("A"), message, []byte(good)); err != nil { // the same message once more
			t.Fatal(err)
		}
		d.mustBe("A", &hardware)
		if got := subjects(); !slices.Equal(got, []string{"A wallet was connected to your account"}) {
			t.Errorf("connected: mails %q", got)
		}
		d.owners.refusal = refusal
		if err := d.Disconnect(t.Context(), caller("A")); !errors.Is(err, refusal) {
			t.Errorf("disconnecting: %v", err)
		}
		d.mustBe("A", &hardware)
		d.owners.refusal = nil
		if err := d.Disconnect(t.Context(), caller("A")); err != nil {
			t.Fatal(err)
		}
		d.mustBe("A", nil)
		if got := subjects(); !slices.Equal(got, []string{
			"Your wallet was disconnected from your account", "A wallet was connected to your account",
		}) {
			t.Errorf("disconnected: mails %q", got)
		}
		connect, disconnect := "connect "+hardware.String()+" in S", "disconnect "+hardware.String()+" in S"
		if want := []string{connect, connect, disconnect, disconnect}; !slices.Equal(d.owners.approved, want) {
			t.Errorf("approved %q, want %q", d.owners.approved, want)
		}
	})
}

// A signature that confirms a withdrawal must not connect the wallet that made it.
func TestVerified_ASignatureProvesTheConnectedWalletAndConnectsNone(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		prove := func(a eth.Address) error {
			_, err := d.Prove(t.Context(), "A", d.challenge("A", a), []byte(good))
			return err
		}
		if err := prove(hardware); !errors.Is(err, wallet.ErrSignature) {
			t.Errorf("without a wallet: %v", err)
		}
		d.mustBe("A", nil)
		if err := d.connect("A", hardware); err != nil {
			t.Fatal(err)
		}
		if err := prove(mobile); !errors.Is(err, wallet.ErrSignature) {
			t.Errorf("another wallet: %v", err)
		}
		message := d.challenge("A", hardware)
		for _, want := range []error{nil, wallet.ErrNonce} {
			if _, err := d.Prove(t.Context(), "A", message, []byte(good)); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
	})
}
