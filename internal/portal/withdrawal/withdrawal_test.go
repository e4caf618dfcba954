package withdrawal_test

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
	"pantheon/internal/store/withdrawals"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// mailbox proves who players are: players have an email address, a password, or neither.
type mailbox struct {
	address  string
	password string
	wallet   eth.Address // signs challenges
	passkey  bool        // there is one that confirms
}

func (m *mailbox) Address(context.Context, string) (string, error)   { return m.address, nil }
func (m *mailbox) HasPassword(context.Context, string) (bool, error) { return m.password != "", nil }
func (m *mailbox) CheckPassword(_ context.Context, _, password string) error {
	if password != m.password {
		return fault.New(fault.Invalid, "This is not your password.")
	}
	return nil
}

func (m *mailbox) SignedInAt(context.Context, approval.Caller) (time.Time, error) {
	return time.Time{}, nil
}

func (m *mailbox) ConfirmedAddress(context.Context, string) (string, error) { return m.address, nil }

func (m *mailbox) HasPasskey(context.Context, string) (bool, error) { return m.passkey, nil }
func (m *mailbox) CheckPasskey(context.Context, approval.Caller, []byte) error {
	return nil
}

func (m *mailbox) ProvenWallet(context.Context, string, string, []byte) (eth.Address, error) {
	return m.wallet, nil
}

// plainTransfers encodes calls with the functions' real selectors.
type plainTransfers struct{ refuses eth.Address }

func encode(signature string, words ...eth.Hash) eth.Bytes {
	s := gas.SelectorOf(signature)
	data := slices.Clone(s[:])
	for _, w := range words {
		data = append(data, w[:]...)
	}
	return data
}

func wordOf(units money.Units) eth.Hash {
	var w eth.Hash
	units.Big().FillBytes(w[:])
	return w
}

func (plainTransfers) TransferCalls(_ onchain.ChainID, from, to eth.Address, assets []withdrawal.Asset,
	cancelled []string) ([]withdrawal.Call, error) {
	var calls []withdrawal.Call
	for _, id := range cancelled {
		calls = append(calls, withdrawal.Call{To: storetest.Marketplace, Data: encode("cancelListing(uint256)", wordOf(money.MustParse(id)))})
	}
	for _, a := range assets {
		f, t, id, n := eth.AddressWord(from), eth.AddressWord(to), wordOf(money.MustParse(a.TokenID)), wordOf(a.Amount)
		data := encode("transfer(address,uint256)", t, n)
		switch a.Standard {
		case onchain.ERC721:
			data = encode("safeTransferFrom(address,address,uint256)", f, t, id)
		case onchain.ERC1155:
			data = encode("safeTransferFrom(address,address,uint256,uint256,bytes)", f, t, id, n, wordOf(money.FromInt(160)), eth.Hash{})
		}
		calls = append(calls, withdrawal.Call{To: a.Contract, Data: data})
	}
	return calls, nil
}

func (p plainTransfers) Accepts(_ context.Context, _ onchain.ChainID, _, to eth.Address, _ []withdrawal.Asset) error {
	if to == p.refuses {
		return fault.New(fault.Invalid, "It does not take this.").WithReason("recipient")
	}
	return nil
}

// vault is player A with 10,000 base units of USDC, 10 of item 1 and avatar 5, and a verified wallet since long ago. The
// daily limits are 6,000 base units and 8 items, the delay is 24 hours.
type vault struct {
	*storetest.Indexed
	*withdrawal.Service
	options withdrawal.Options // of the service
	box     *mailbox
	me      withdrawal.Caller // A in an open session
	// arrears is why A may not withdraw; nil if A may.
	arrears error
	nonce   uint64
	ops     int
}

// enter signs A in, in another session.
func (v *vault) enter() {
	v.T.Helper()
	v.me = withdrawal.Caller{PlayerID: "A", SessionID: v.me.SessionID + "A"}
	now := v.Clock.Now()
	s := account.Session{ID: v.me.SessionID, PlayerID: "A", CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(30 * 24 * time.Hour)}
	_, err := accounts.New(v.DB).OpenSession(v.T.Context(), account.Identity{PlayerID: "A", DisplayName: "A", Email: "A"}, s,
		"hash of "+s.ID, now)
	v.OK(err)
}

func eachVault(t *testing.T, test func(t *testing.T, v *vault)) {
	t.Helper()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		v := &vault{Indexed: x, box: &mailbox{address: "a@example.com"}}
		v.enter()
		limit := money.FromInt(6_000)
		approvals := approval.NewService(approval.Options{
			Store: accounts.New(x.DB), Accounts: v.box, Passkeys: v.box, Clock: x.Clock, Keys: keyset.Keys{[]byte("key")},
			Site: "https://pantheon.example",
		})
		v.options = withdrawal.Options{
			Store: withdrawals.New(x.DB), Approvals: testkit.WithdrawalApprovals{Service: approvals}, Mailboxes: v.box,
			Chain: plainTransfers{refuses: storetest.Stranger}, Clock: x.Clock, Keys: keyset.Keys{[]byte("key")}, Site: "https://pantheon.example",
			MayWithdraw: func(context.Context, string) error { return v.arrears },
			Rules: withdrawal.Rules{
				Delay: 24 * time.Hour, PasskeyDelay: time.Hour, ItemsPerDay: 8, MaxCalls: 32, Portal: []eth.Address{storetest.Marketplace},
				Tokens: []withdrawal.Token{
					{Chain: storetest.Chain, Contract: storetest.USDC, Standard: onchain.ERC20, Symbol: "USDC", Decimals: 6, Limit: &limit},
					{Chain: storetest.Chain, Contract: storetest.Items, Standard: onchain.ERC1155},
					{Chain: storetest.Chain, Contract: storetest.Avatars, Standard: onchain.ERC721},
				},
			},
		}
		v.Service = withdrawal.NewService(v.options)
		x.OK(accounts.New(x.DB).RegisterPair(t.Context(), "A", storetest.Start, nil))
		x.Exec("UPDATE wallet SET owner_address = '" + storetest.OwnerA.String() + "' WHERE player_id = 'A'")
		verifyWallet(x, x.Clock.Now().Add(-48*time.Hour))
		x.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 10_000),
			storetest.MintItems(storetest.WalletA, "1", 10),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "5", eth.Address{}, storetest.WalletA, 1),
			storetest.AllowAll(storetest.Items, storetest.WalletA, true))
		test(t, v)
	})
}

func verifyWallet(x *storetest.Indexed, at time.Time) {
	x.T.Helper()
	x.Exec("DELETE FROM verified_wallet")
	x.Exec("INSERT INTO verified_wallet (player_id, address, chain_id, verified_at) VALUES ('A', '" + storetest.Verified.String() + "', 1, " +
		money.FromInt(at.UnixMilli()).String() + ")")
}

// usdcOf is an amount of USDC in base units.
func usdcOf(units string) withdrawal.NewAsset {
	return withdrawal.NewAsset{Chain: storetest.Chain, Contract: storetest.USDC.Checksum(), Amount: units}
}

func itemsOf(id, n string) withdrawal.NewAsset {
	return withdrawal.NewAsset{Chain: storetest.Chain, Contract: storetest.Items.Checksum(), TokenID: id, Amount: n}
}

func avatarOf(id string) withdrawal.NewAsset {
	return withdrawal.NewAsset{Chain: storetest.Chain, Contract: storetest.Avatars.Checksum(), TokenID: id}
}

func (v *vault) create(to eth.Address, assets ...withdrawal.NewAsset) withdrawal.Created {
	v.T.Helper()
	c, err := v.Create(v.T.Context(), v.me, withdrawal.New{To: to.Checksum(), Assets: assets})
	v.OK(err)
	return c
}

// email returns the text of A's newest email.
func (v *vault) email() string {
	v.T.Helper()
	var text string
	v.OK(v.Raw.QueryRowContext(v.T.Context(), "SELECT body FROM mail WHERE player_id = 'A' ORDER BY id DESC LIMIT 1").Scan(&text))
	return text
}

var (
	codeIn  = regexp.MustCompile(`\n    (\d{8})\n`)
	tokenIn = regexp.MustCompile(`/portal/withdrawals/cancel\?token=(\S+)`)
)

func (v *vault) code() string {
	v.T.Helper()
	found := codeIn.FindStringSubmatch(v.email())
	if found == nil {
		v.T.Fatalf("no code in %q", v.email())
	}
	return found[1]
}

// confirmed creates a request and confirms it with the emailed code.
func (v *vault) confirmed(to eth.Address, assets ...withdrawal.NewAsset) withdrawal.Request {
	v.T.Helper()
	c := v.create(to, assets...)
	r, err := v.Confirm(v.T.Context(), v.me, c.ID, withdrawal.Confirmation{Code: v.code()})
	v.OK(err)
	return r
}

func (v *vault) calls(r withdrawal.Request, part int) []withdrawal.Call {
	v.T.Helper()
	_, calls, err := v.Calls(v.T.Context(), "A", r.ID, r.Parts[part].ID)
	v.OK(err)
	return calls
}

// bind signs an operation that makes the calls, with the account's next nonce, or reports why not.
func (v *vault) bind(calls []withdrawal.Call) (gas.Operation, error) {
	v.ops++
	op := gas.Operation{
		Hash: eth.Keccak256([]byte{byte(v.ops)}), Chain: storetest.Chain, EntryPoint: storetest.Stranger, Player: "A", CreatedAt: v.Clock.Now(),
	}
	op.Operation = eth.UserOperation{Sender: storetest.WalletA, Nonce: eth.NewQuantity(v.nonce), Signature: []byte{1}}
	var made []gas.Call
	for _, c := range calls {
		made = append(made, gas.Call{Target: c.To, Data: c.Data})
	}
	op.Operation.CallData = gas.EncodeCalls(made)
	return op, v.Bind(v.T.Context(), "A", storetest.Chain, storetest.WalletA, op.Operation.Nonce, op.Hash, calls)
}

// send hands an operation to the relay.
func (v *vault) send(op gas.Operation) error {
	v.T.Helper()
	storetest.Sponsor(v.T, v.DB, op)
	_, err := gasstore.New(v.DB).AddOperation(v.T.Context(), op)
	if err == nil {
		v.nonce++
	}
	return err
}

// land adds a block with the operation's outcome.
func (v *vault) land(op gas.Operation, success bool, facts ...any) onchain.Block {
	v.T.Helper()
	block := v.Apply(append(facts, onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: success})...)
	v.OK(gasstore.New(v.DB).Settle(v.T.Context(), []gas.Outcome{{Hash: op.Hash, Succeeded: success}}, v.Clock.Now()))
	return block
}

func (v *vault) state(r withdrawal.Request) (withdrawal.State, withdrawal.PartState) {
	v.T.Helper()
	now, err := v.Withdrawal(v.T.Context(), "A", r.ID)
	v.OK(err)
	return now.State, now.Parts[0].State
}

func (v *vault) mustBe(r withdrawal.Request, state withdrawal.State, part withdrawal.PartState) {
	v.T.Helper()
	if s, p := v.state(r); s != state || p != part {
		v.T.Errorf("the request is %s and its part %s, want %s and %s", s, p, state, part)
	}
}

// Spec: MONEY-4
func TestWithdrawal_ToTheOwnWalletIsReadyAtOnceToOthersAfterADay(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		own := v.confirmed(storetest.Verified, usdcOf("0.001"))
		if !own.Own || !own.ReadyAt.Equal(v.Clock.Now()) {
			t.Errorf("to the own wallet: %+v", own)
		}
		op, err := v.bind(v.calls(own, 0))
		v.OK(err)
		v.OK(v.send(op))
		v.mustBe(own, "confirmed", "sending")
		v.land(op, true)
		v.mustBe(own, "done", "sent")

		other := v.confirmed(storetest.Outside, usdcOf("0.001"))
		_, _, err = v.Calls(t.Context(), "A", other.ID, other.Parts[0].ID)
		storetest.RefusedAs(t, "at once", err, "not-ready")
		calls, err := plainTransfers{}.TransferCalls(storetest.Chain, storetest.WalletA, storetest.Outside, other.Parts[0].Assets, nil)
		v.OK(err)
		storetest.RefusedAs(t, "at once, past the page", v.MaySend(t.Context(), "A", storetest.Chain, calls), "not-ready")
		_, err = v.bind(calls)
		storetest.RefusedAs(t, "signed at once, past the page", err, "not-ready")
		v.Clock.Advance(24*time.Hour - time.Millisecond)
		storetest.RefusedAs(t, "a millisecond early", v.MaySend(t.Context(), "A", storetest.Chain, calls), "not-ready")
		v.Clock.Advance(time.Millisecond)
		v.OK(v.MaySend(t.Context(), "A", storetest.Chain, calls))

		v.Clock.Advance(7 * 24 * time.Hour)
		storetest.RefusedAs(t, "a week after it was ready", v.MaySend(t.Context(), "A", storetest.Chain, calls), "over")
		v.OK(v.Sweep(t.Context()))
		v.mustBe(other, "expired", "open")
	})
}

// Spec: MONEY-4, SAFE-15
func TestWithdrawal_ThatAPasskeyHasConfirmedWaitsAnHour(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		v.box.passkey = true
		confirm := func(proof withdrawal.Confirmation) time.Duration {
			c := v.create(storetest.WalletB, usdcOf("0.001"))
			if c.Proof != withdrawal.ByPasskey {
				t.Errorf("it is confirmed by %s, want the passkey", c.Proof)
			}
			if proof.Passkey == nil {
				v.OK(v.SendCode(t.Context(), v.me, c.ID))
				proof.Code = v.code()
			}
			r, err := v.Confirm(t.Context(), v.me, c.ID, proof)
			v.OK(err)
			return r.ReadyAt.Sub(v.Clock.Now())
		}
		if wait := confirm(withdrawal.Confirmation{Passkey: []byte("answer")}); wait != time.Hour {
			t.Errorf("by a passkey: it waits %s", wait)
		}
		if wait := confirm(withdrawal.Confirmation{}); wait != 24*time.Hour {
			t.Errorf("by a code: it waits %s", wait)
		}
	})
}

// A wallet that was verified within the last day is no better than any address: a thief could have verified their own.
func TestWithdrawal_ToANewlyVerifiedWalletWaits(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		verifyWallet(v.Indexed, v.Clock.Now().Add(-time.Hour))
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		if want := v.Clock.Now().Add(23 * time.Hour); !r.ReadyAt.Equal(want) {
			t.Errorf("ready at %v, want %v", r.ReadyAt, want)
		}
		// A wallet that is disconnected before the confirmation has to wait like any other address.
		c := v.create(storetest.Verified, usdcOf("0.001"))
		code := v.code()
		v.Exec("DELETE FROM verified_wallet")
		r, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: code})
		v.OK(err)
		if want := v.Clock.Now().Add(24 * time.Hour); !r.ReadyAt.Equal(want) {
			t.Errorf("disconnected: ready at %v, want %v", r.ReadyAt, want)
		}
	})
}

// The thief's wallet, connected from a stolen session of a player without email, must not confirm what goes to it.
func TestWithdrawal_ANewlyVerifiedWalletConfirmsNothing(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		v.box.address, v.box.wallet = "", storetest.Verified
		verifyWallet(v.Indexed, v.Clock.Now())
		ask := func() (withdrawal.Created, error) {
			return v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Verified.Checksum(), Assets: []withdrawal.NewAsset{usdcOf("0.001")}})
		}
		v.Clock.Advance(24*time.Hour - time.Millisecond)
		_, err := ask()
		storetest.RefusedAs(t, "a millisecond early", err, "proof")
		v.Clock.Advance(time.Millisecond)
		c, err := ask()
		v.OK(err)
		verifyWallet(v.Indexed, v.Clock.Now()) // disconnected and connected again meanwhile
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Message: "m"})
		storetest.RefusedAs(t, "connected again", err, "proof")
		verifyWallet(v.Indexed, v.Clock.Now().Add(-24*time.Hour))
		r, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Message: "m"})
		if err != nil || c.Proof != "signature" || r.State != "confirmed" {
			t.Errorf("after a day: %+v, %v", r, err)
		}
	})
}

// Spec: MONEY-4
func TestWithdrawal_IsSignedOnlyAsItsExactOperation(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"), itemsOf("1", "2"))
		good := v.calls(r, 0)
		encode := func(to eth.Address, assets ...withdrawal.Asset) []withdrawal.Call {
			calls, err := plainTransfers{}.TransferCalls(storetest.Chain, storetest.WalletA, to, assets, nil)
			v.OK(err)
			return calls
		}
		assets := slices.Clone(r.Parts[0].Assets)
		more := slices.Clone(assets)
		more[0].Amount = money.FromInt(1_001)
		reversed := slices.Clone(good)
		slices.Reverse(reversed)
		for name, calls := range map[string][]withdrawal.Call{
			"more":               encode(storetest.Verified, more...),
			"to another address": encode(storetest.Outside, assets...),
			"half of it":         good[:1],
			"in another order":   reversed,
			"twice":              slices.Concat(good, good),
			"with another asset": append(encode(storetest.Verified, withdrawal.Asset{
				Contract: storetest.Avatars, Standard: onchain.ERC721, TokenID: "5", Amount: money.FromInt(1),
			}), good...),
			"nothing of the kind": encode(storetest.Outside, withdrawal.Asset{
				Contract: storetest.USDC, Standard: onchain.ERC20, TokenID: "0", Amount: money.FromInt(1),
			}),
		} {
			err := v.MaySend(t.Context(), "A", storetest.Chain, calls)
			if f := fault.As(err); f == nil || f.Reason != "no-withdrawal" && f.Reason != "changed" {
				t.Errorf("%s: %v", name, err)
			}
		}
		storetest.RefusedAs(t, "on another chain", v.MaySend(t.Context(), "A", storetest.Chain+1, good), "no-withdrawal")
		v.OK(accounts.New(v.DB).RegisterPair(t.Context(), "B", storetest.Start, nil))
		v.Exec("UPDATE wallet SET owner_address = '" + storetest.Stranger.String() + "' WHERE player_id = 'B'")
		storetest.RefusedAs(t, "by another player", v.MaySend(t.Context(), "B", storetest.Chain, good), "no-withdrawal")
		v.OK(v.MaySend(t.Context(), "A", storetest.Chain, good))
	})
}

// Spec: MONEY-4
func TestWithdrawal_IsGoodForOneOperation(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		calls := v.calls(r, 0)
		first, err := v.bind(calls)
		v.OK(err)
		// Signed again with the same nonce: only one of the two can reach the chain.
		second, err := v.bind(calls)
		v.OK(err)
		storetest.RefusedAs(t, "the replaced operation", v.send(first), "no-withdrawal")
		// Signed with another nonce, both could.
		v.nonce++
		_, err = v.bind(calls)
		storetest.RefusedAs(t, "signed with the next nonce", err, "sending")
		v.nonce--

		v.OK(v.send(second))
		_, err = v.bind(calls)
		storetest.RefusedAs(t, "signed while it is on its way", err, "sending")
		v.OK(gasstore.New(v.DB).Drop(t.Context(), second.Hash, "dropped", v.Clock.Now()))
		v.OK(v.OperationDropped(t.Context(), second.Hash))
		v.mustBe(r, "confirmed", "open")
		v.nonce-- // it was not used
		third, err := v.bind(calls)
		v.OK(err)
		v.OK(v.send(third))
		v.land(third, true)
		v.mustBe(r, "done", "sent")
		_, err = v.bind(calls)
		storetest.RefusedAs(t, "signed after it was sent", err, "no-withdrawal")
	})
}

// A player cancels while the relay accepts the operation: one of the two comes too late.
func TestWithdrawal_IsEitherCancelledOrSent(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		for range 8 {
			r := v.confirmed(storetest.Verified, usdcOf("0.0005"))
			op, err := v.bind(v.calls(r, 0))
			v.OK(err)
			cancelled := make(chan error, 1)
			go func() { cancelled <- v.Cancel(t.Context(), "A", r.ID) }()
			sent := v.send(op)
			switch err := <-cancelled; {
			case err == nil:
				storetest.RefusedAs(t, "sent after it was cancelled", sent, "over")
				v.mustBe(r, "cancelled", "open")
			case sent == nil:
				storetest.RefusedAs(t, "cancelled after it was sent", err, "sending")
				v.mustBe(r, "confirmed", "sending")
			default:
				t.Errorf("neither cancelled nor sent: %v, %v", err, sent)
			}
		}
	})
}

func TestWithdrawal_DroppedOperationThatIsIncludedAfterAllCounts(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r, other := v.confirmed(storetest.Verified, usdcOf("0.005")), v.confirmed(storetest.Verified, usdcOf("0.002"))
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		v.OK(v.send(op))
		v.OK(gasstore.New(v.DB).Drop(t.Context(), op.Hash, "dropped", v.Clock.Now()))
		v.OK(v.OperationDropped(t.Context(), op.Hash))
		v.mustBe(r, "confirmed", "open")
		_, _, err = v.Calls(t.Context(), "A", other.ID, other.Parts[0].ID)
		storetest.RefusedAs(t, "another one beyond the limit", err, "daily-limit")
		// Somebody else sends it, and the account's next nonce is another.
		_, err = v.bind(v.calls(r, 0))
		storetest.RefusedAs(t, "signed with the next nonce", err, "sending")
		v.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true})
		v.mustBe(r, "done", "sent")
	})
}

// An operation may be sent past the relay where anybody may send. Then only the index knows of it.
// Spec: MONEY-2
func TestWithdrawal_IsSettledByTheChain(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		before := v.Tip
		v.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true})
		v.mustBe(r, "done", "sent")
		v.Rewind(before)
		v.mustBe(r, "confirmed", "sending")
		v.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: false})
		v.mustBe(r, "done", "failed")
		now, err := v.Withdrawal(t.Context(), "A", r.ID)
		v.OK(err)
		if now.Parts[0].Error != "The transfer was refused on chain. Nothing has left your wallet." {
			t.Errorf("%+v", now.Parts[0])
		}
	})
}

// Spec: MONEY-4
func TestWithdrawal_DailyLimitsCountWhatIsSigned(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		_, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Verified.Checksum(),
			Assets: []withdrawal.NewAsset{usdcOf("0.006001")}})
		storetest.RefusedAs(t, "6,001 at once", err, "daily-limit")
		if err == nil || err.Error() != "You can take 0.006 USDC a day out of your wallet." {
			t.Errorf("more than a day's limit: %v", err)
		}
		_, err = v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Verified.Checksum(), Assets: []withdrawal.NewAsset{itemsOf("1", "9")}})
		storetest.RefusedAs(t, "9 items at once", err, "daily-limit")

		// Two of 4,000 each and two of 5 items each: one of each pair is signed, however they race.
		var requests [][]withdrawal.Call
		for _, asset := range []withdrawal.NewAsset{usdcOf("0.004"), usdcOf("0.004"), itemsOf("1", "5"), itemsOf("1", "5")} {
			requests = append(requests, v.calls(v.confirmed(storetest.Verified, asset), 0))
		}
		signed := make([]error, len(requests))
		var all sync.WaitGroup
		for i, calls := range requests {
			nonce := eth.NewQuantity(uint64(i))
			// The two of a pair have the same calls, so that the second binds the second request.
			all.Go(func() {
				signed[i] = v.Bind(t.Context(), "A", storetest.Chain, storetest.WalletA, nonce, eth.Keccak256([]byte{1, byte(i)}), calls)
			})
		}
		all.Wait()
		for pair := range 2 {
			ok := 0
			for _, err := range signed[2*pair : 2*pair+2] {
				if err == nil {
					ok++
				} else if f := fault.As(err); f == nil || f.Reason != "daily-limit" && f.Reason != "sending" {
					t.Errorf("pair %d: %v", pair, err)
				}
			}
			if ok != 1 {
				t.Errorf("pair %d: %d were signed", pair, ok)
			}
		}
		// A day later the limits begin anew.
		v.Clock.Advance(24 * time.Hour)
		r := v.confirmed(storetest.Verified, usdcOf("0.005"))
		v.OK(v.MaySend(t.Context(), "A", storetest.Chain, v.calls(r, 0)))
	})
}

func TestWithdrawal_LargerThanWhatIsLeftSaysHowMuchThereIs(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		money, avatar := v.confirmed(storetest.Verified, usdcOf("0.005")), v.confirmed(storetest.Verified, avatarOf("5"))
		calls := v.calls(money, 0)
		v.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Stranger, 7_500),
			storetest.Transfer(onchain.ERC721, storetest.Avatars, "5", storetest.WalletA, storetest.Stranger, 1))
		_, _, err := v.Calls(t.Context(), "A", money.ID, money.Parts[0].ID)
		storetest.RefusedAs(t, "money", err, "insufficient")
		if want := "You have 0.0025 USDC. This withdrawal takes more. Cancel it, and send what you have."; err == nil || err.Error() != want {
			t.Errorf("money: %v, want %q", err, want)
		}
		storetest.RefusedAs(t, "money, past the page", v.MaySend(t.Context(), "A", storetest.Chain, calls), "insufficient")
		_, _, err = v.Calls(t.Context(), "A", avatar.ID, avatar.Parts[0].ID)
		storetest.RefusedAs(t, "an item", err, "insufficient")
		v.mustBe(money, "confirmed", "open")
	})
}

func TestWithdrawal_FailedOnesDoNotCountTowardsTheLimit(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		first := v.confirmed(storetest.Verified, usdcOf("0.005"))
		op, err := v.bind(v.calls(first, 0))
		v.OK(err)
		v.OK(v.send(op))
		second := v.confirmed(storetest.Verified, usdcOf("0.001"), usdcOf("0.001")) // added up
		_, _, err = v.Calls(t.Context(), "A", second.ID, second.Parts[0].ID)
		storetest.RefusedAs(t, "7,000 together", err, "daily-limit")
		v.land(op, false)
		v.calls(second, 0)
	})
}

// Spec: MONEY-4
func TestWithdrawal_NewPasswordCancelsAndWaits(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		ready := v.confirmed(storetest.Verified, usdcOf("0.001"))
		calls := v.calls(ready, 0)
		waiting := v.create(storetest.Outside, usdcOf("0.001"))
		code := v.code()
		_, err := accounts.New(v.DB).EndSessions(t.Context(), account.EndSessions{
			PlayerID: "A", At: v.Clock.Now(), Since: v.Clock.Now(), PasswordChanged: true,
		})
		v.OK(err)
		v.mustBe(ready, "cancelled", "open")
		v.mustBe(waiting.Request, "cancelled", "open")
		storetest.RefusedAs(t, "one that was ready", v.MaySend(t.Context(), "A", storetest.Chain, calls), "no-withdrawal")
		_, err = v.Confirm(t.Context(), v.me, waiting.ID, withdrawal.Confirmation{Code: code})
		storetest.RefusedAs(t, "one that was not confirmed", err, "over")

		v.enter()
		again := v.confirmed(storetest.Verified, usdcOf("0.001"))
		if want := v.Clock.Now().Add(24 * time.Hour); !again.ReadyAt.Equal(want) {
			t.Errorf("ready at %v, want %v", again.ReadyAt, want)
		}
		storetest.RefusedAs(t, "a new one, to the own wallet", v.MaySend(t.Context(), "A", storetest.Chain, calls), "not-ready")
		v.Clock.Advance(24 * time.Hour)
		v.OK(v.MaySend(t.Context(), "A", storetest.Chain, calls))
	})
}

// Spec: MONEY-5
func TestWithdrawal_EmailedLinkCancels(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Outside, usdcOf("0.001"), itemsOf("1", "3"))
		text := v.email()
		for _, want := range []string{"    0.001 USDC\n", "    3 items\n", "    to " + storetest.Outside.Checksum() + "\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("the email does not say %q:\n%s", want, text)
			}
		}
		token := tokenIn.FindStringSubmatch(text)[1]
		if _, err := v.CancelByToken(t.Context(), token+"x"); !fault.Is(err, fault.NotFound) {
			t.Errorf("another token: %v", err)
		}
		v.options.Keys = keyset.Keys{[]byte("another"), []byte("key")} // the key is replaced meanwhile
		v.Service = withdrawal.NewService(v.options)
		cancelled, err := v.CancelByToken(t.Context(), token)
		v.OK(err)
		if cancelled.ID != r.ID || cancelled.State != "cancelled" || cancelled.Reason != "It was cancelled by the link in our email." {
			t.Errorf("%+v", cancelled)
		}
		if _, err := v.CancelByToken(t.Context(), token); !fault.Is(err, fault.NotFound) {
			t.Errorf("used twice: %v", err)
		}
		v.Clock.Advance(24 * time.Hour)
		calls, err := plainTransfers{}.TransferCalls(storetest.Chain, storetest.WalletA, storetest.Outside, r.Parts[0].Assets, nil)
		v.OK(err)
		storetest.RefusedAs(t, "after the delay", v.MaySend(t.Context(), "A", storetest.Chain, calls), "no-withdrawal")
	})
}

// An operation that was signed before the request was cancelled is not accepted afterwards.
// Spec: MONEY-5
func TestWithdrawal_SignedOperationDoesNotOutliveACancellation(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		v.OK(v.Cancel(t.Context(), "A", r.ID))
		storetest.RefusedAs(t, "sent after it was cancelled", v.send(op), "over")

		r = v.confirmed(storetest.Verified, usdcOf("0.001"))
		op, err = v.bind(v.calls(r, 0))
		v.OK(err)
		v.OK(v.send(op))
		storetest.RefusedAs(t, "cancelled after it was sent", v.Cancel(t.Context(), "A", r.ID), "sending")
		v.land(op, true)
		storetest.RefusedAs(t, "cancelled after it arrived", v.Cancel(t.Context(), "A", r.ID), "over")
	})
}

// Spec: MONEY-3
func TestWithdrawal_CodeAllowsFiveAttempts(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		c := v.create(storetest.Outside, usdcOf("0.001"))
		right := v.code()
		wrong := "00000000"
		if right == wrong {
			wrong = "00000001"
		}
		b := withdrawal.Caller{PlayerID: "B", SessionID: v.me.SessionID}
		if _, err := v.Confirm(t.Context(), b, c.ID, withdrawal.Confirmation{Code: right}); !fault.Is(err, fault.NotFound) {
			t.Errorf("by another player: %v", err)
		}
		for range 5 {
			_, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: wrong})
			storetest.RefusedAs(t, "a wrong code", err, "wrong")
		}
		_, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: right})
		storetest.RefusedAs(t, "the right code after five wrong ones", err, "wrong")
		v.OK(v.SendCode(t.Context(), v.me, c.ID))
		fresh := v.code()
		other := v.create(storetest.Outside, usdcOf("0.001"))
		_, err = v.Confirm(t.Context(), v.me, other.ID, withdrawal.Confirmation{Code: fresh})
		storetest.RefusedAs(t, "another request's code", err, "wrong")
		v.Clock.Advance(15 * time.Minute)
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: fresh})
		storetest.RefusedAs(t, "a code of a quarter of an hour ago", err, "wrong")
		v.OK(v.SendCode(t.Context(), v.me, c.ID))
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: " " + v.code()[:4] + " " + v.code()[4:] + " "})
		v.OK(err)
	})
}

// Whoever steals a session and reads no mail gains nothing by a code that was asked for in another one.
func TestWithdrawal_CodeIsGoodInItsSessionOnly(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		c := v.create(storetest.Outside, usdcOf("0.001"))
		here, code := v.me, v.code()
		v.enter()
		_, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: code})
		storetest.RefusedAs(t, "in another session", err, "wrong")
		_, err = v.Confirm(t.Context(), here, c.ID, withdrawal.Confirmation{Code: code})
		v.OK(err)
		c = v.create(storetest.Outside, usdcOf("0.001"))
		v.enter()
		v.OK(v.SendCode(t.Context(), v.me, c.ID))
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: v.code()})
		v.OK(err)
	})
}

// Who owes for something bought by card neither requests nor confirms a withdrawal.
func TestWithdrawal_IsRefusedWhileItsPlayerOwes(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		owes := fault.New(fault.Conflict, "You owe something.").WithReason("debt")
		v.arrears = owes
		_, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Outside.Checksum(), Assets: []withdrawal.NewAsset{usdcOf("0.001")}})
		storetest.RefusedAs(t, "a request", err, "debt")
		v.arrears = nil
		c := v.create(storetest.Outside, usdcOf("0.001"))
		v.arrears = owes
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: v.code()})
		storetest.RefusedAs(t, "a confirmation", err, "debt")
		v.arrears = nil
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: v.code()})
		v.OK(err)
	})
}

// What prevents a deletion besides what is in the wallet: withdrawals, operations, orders of the shop and rewards on their way.
func TestDeletion_FindsWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		has := func(what string, want account.Belongings) {
			t.Helper()
			got, err := accounts.New(v.DB).Belongings(t.Context(), "A", v.Clock.Now())
			v.OK(err)
			if got.Tokens = nil; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", what, got, want)
			}
		}
		has("nothing", account.Belongings{})
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		has("a withdrawal", account.Belongings{Withdrawals: 1})
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		v.OK(v.send(op))
		has("one on its way", account.Belongings{Withdrawals: 1, Operations: 1})
		v.land(op, true)
		has("one that was sent", account.Belongings{})
		v.OK(rewards.New(v.DB).AddReward(t.Context(), reward.Reward{
			Source: "test", Origin: reward.FromWebstore, PlayerID: "A", Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 1}.Content()},
		}, v.Clock.Now()))
		has("a reward", account.Belongings{Rewards: 1})
		v.OK(v.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			a := sql.NullString{String: "A", Valid: true}
			if err := tx.PutShopOrder(ctx, gen.PutShopOrderParams{ID: 1, Number: "1", PlayerID: a, Status: "processing"}); err != nil {
				return err
			}
			return tx.PutShopLine(ctx, gen.PutShopLineParams{OrderID: 1, ID: 1, Quantity: 2, Given: 1})
		}))
		has("an order of the shop that is given in part", account.Belongings{Rewards: 1, ShopOrders: 1})
	})
}

func TestWithdrawal_WaitsAnHourForItsConfirmation(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		c := v.create(storetest.Outside, usdcOf("0.001"))
		v.Clock.Advance(time.Hour - time.Millisecond)
		v.OK(v.SendCode(t.Context(), v.me, c.ID))
		code := v.code()
		v.Clock.Advance(time.Millisecond)
		_, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: code})
		storetest.RefusedAs(t, "after an hour", err, "over")
		if err := v.SendCode(t.Context(), v.me, c.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("another code after an hour: %v", err)
		}
	})
}

// A week after it was ready a request is over; twenty may be open at a time.
func TestWithdrawal_TwentyRequestsAtATime(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		for range 20 {
			v.create(storetest.Outside, usdcOf("0.000001"))
		}
		_, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Outside.Checksum(), Assets: []withdrawal.NewAsset{usdcOf("0.000001")}})
		storetest.RefusedAs(t, "the twenty-first", err, "too-many-open")
		v.Clock.Advance(time.Hour)
		v.create(storetest.Outside, usdcOf("0.000001"))
	})
}

// Spec: MONEY-3
func TestWithdrawal_WithoutEmailByPasswordOrSignature(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		v.box.address = ""
		_, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Outside.Checksum(), Assets: []withdrawal.NewAsset{usdcOf("0.001")}})
		storetest.RefusedAs(t, "to another address, without email and password", err, "proof")
		c := v.create(storetest.Verified, usdcOf("0.001"))
		if c.Proof != "signature" {
			t.Errorf("proof %q", c.Proof)
		}
		v.box.wallet = storetest.Outside
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Message: "m", Signature: []byte{1}})
		storetest.RefusedAs(t, "signed by another wallet", err, "proof")
		v.box.wallet = storetest.Verified
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Message: "m", Signature: []byte{1}})
		v.OK(err)

		v.box.password = "secret"
		c = v.create(storetest.Outside, usdcOf("0.001"))
		if c.Proof != "password" {
			t.Errorf("proof %q", c.Proof)
		}
		if _, err := v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Message: "m", Signature: []byte{1}}); err == nil {
			t.Error("a signature stands in for the password")
		}
		v.Clock.Advance(time.Hour - time.Millisecond)
		v.enter()
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Password: "secret"})
		v.OK(err)
	})
}

// Spec: MONEY-4
func TestWithdrawal_EndsListingsWhoseItemsLeave(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		terms := func(contract eth.Address, id string, n int64) *onchain.ListingTerms {
			out := storetest.TermsOf(contract, id, n)
			out.Seller = storetest.WalletA
			return out
		}
		v.Apply(storetest.List("1", terms(storetest.Items, "1", 4)), storetest.List("2", terms(storetest.Items, "1", 8)),
			storetest.List("3", terms(storetest.Avatars, "5", 1)),
			storetest.List("4", terms(storetest.Items, "2", 1)))
		cancels := func(r withdrawal.Request) (out []string) {
			for _, c := range v.calls(r, 0) {
				if c.To == storetest.Marketplace {
					out = append(out, new(money.Units).String()+"-"+c.Data.String()[len(c.Data.String())-1:])
				}
			}
			return out
		}
		// Ten are there: 3 may leave without the listing of 4, not without that of 8.
		some := v.confirmed(storetest.Verified, itemsOf("1", "3"))
		if got := cancels(some); !slices.Equal(got, []string{"0-2"}) {
			t.Errorf("3 of 10 end %v", got)
		}
		all := v.confirmed(storetest.Verified, itemsOf("1", "8"))
		if got := cancels(all); !slices.Equal(got, []string{"0-1", "0-2"}) {
			t.Errorf("8 of 10 end %v", got)
		}
		avatar := v.confirmed(storetest.Verified, avatarOf("5"))
		calls := v.calls(avatar, 0)
		if len(calls) != 2 || calls[0].To != storetest.Marketplace {
			t.Errorf("the avatar's listing stays: %v", calls)
		}
		storetest.RefusedAs(t, "without ending the listing", v.MaySend(t.Context(), "A", storetest.Chain, calls[1:]), "changed")
		v.OK(v.MaySend(t.Context(), "A", storetest.Chain, calls))
		v.Apply(onchain.ListingEvent{Kind: onchain.ListingCancelled, ListingID: "3"})
		storetest.RefusedAs(t, "ending a listing that has ended", v.MaySend(t.Context(), "A", storetest.Chain, calls), "changed")
	})
}

func TestWithdrawal_EverythingOfAHugeAmountHasFiftyPartsAtMost(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		v.Apply(storetest.MintItems(storetest.WalletA, "2", 1<<60))
		c, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Verified.Checksum(), Everything: true})
		v.OK(err)
		if len(c.Parts) != 50 {
			t.Errorf("%d parts", len(c.Parts))
		}
	})
}

// Spec: MONEY-2
func TestWithdrawal_EverythingLeavesInParts(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		var mints []any
		for id := range 40 {
			mints = append(mints, storetest.Transfer(onchain.ERC721, storetest.Avatars, money.FromInt(int64(100+id)).String(),
				eth.Address{}, storetest.WalletA, 1))
		}
		v.Apply(mints...)
		c, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Verified.Checksum(), Everything: true})
		v.OK(err)
		// 10,000 base units at 6,000 a day, and 51 items at 8 a day.
		var got []string
		total := money.Units{}
		for _, p := range c.Parts {
			n := money.Units{}
			for _, a := range p.Assets {
				if a.Standard == onchain.ERC20 {
					got = append(got, a.Amount.String()+" USDC")
				} else {
					n, _ = n.Add(a.Amount)
				}
			}
			got = append(got, n.String())
			total, _ = total.Add(n)
		}
		if !slices.Equal(got, []string{"6000 USDC", "0", "4000 USDC", "8", "8", "8", "8", "8", "8", "3"}) || total.String() != "51" {
			t.Errorf("%v, %s items", got, total)
		}
		_, err = v.Confirm(t.Context(), v.me, c.ID, withdrawal.Confirmation{Code: v.code()})
		v.OK(err)
		op, err := v.bind(v.calls(c.Request, 0))
		v.OK(err)
		v.OK(v.send(op))
		v.land(op, true)
		_, _, err = v.Calls(t.Context(), "A", c.ID, c.Parts[1].ID)
		storetest.RefusedAs(t, "the rest, on the same day", err, "daily-limit")
		v.Clock.Advance(24 * time.Hour)
		v.calls(c.Request, 1)
	})
}

// swapCase changes the case of an address's last letter, and so breaks its checksum (EIP-55).
func swapCase(address string) string {
	i := strings.LastIndexAny(address, "abcdefABCDEF")
	return address[:i] + string(address[i]^0x20) + address[i+1:]
}

// Spec: MONEY-2
func TestWithdrawal_BadInputIsRefusedAtItsField(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		for _, bad := range []struct {
			name, to, location, reason string
			asset                      withdrawal.NewAsset
		}{
			{"no address", "0x12", "body.to", "recipient", usdcOf("0.001")},
			{"a wrong checksum", swapCase(storetest.Outside.Checksum()), "body.to", "recipient", usdcOf("0.001")},
			{"the zero address", eth.Address{}.String(), "body.to", "recipient", usdcOf("0.001")},
			{"the token's own contract", storetest.USDC.String(), "body.to", "recipient", usdcOf("0.001")},
			{"the marketplace", storetest.Marketplace.String(), "body.to", "recipient", usdcOf("0.001")},
			{"the own smart wallet", storetest.WalletA.String(), "body.to", "recipient", usdcOf("0.001")},
			{"the own embedded wallet", storetest.OwnerA.String(), "body.to", "recipient", usdcOf("0.001")},
			{"a contract that refuses", storetest.Stranger.String(), "", "recipient", usdcOf("0.001")},
			{"nothing", storetest.Outside.String(), "body.assets[0].amount", "", usdcOf("0")},
			{"seven decimals", storetest.Outside.String(), "body.assets[0].amount", "", usdcOf("0.0000001")},
			{"a negative amount", storetest.Outside.String(), "body.assets[0].amount", "", usdcOf("-1")},
			{
				"2^256", storetest.Outside.String(), "body.assets[0].amount", "",
				usdcOf("115792089237316195423570985008687907853269984665640564039457584007913129639936"),
			},
			{"more than there is", storetest.Outside.String(), "", "insufficient", usdcOf("0.010001")},
			{"half an item", storetest.Outside.String(), "body.assets[0].amount", "", itemsOf("1", "0.5")},
			{
				"two of an avatar", storetest.Outside.String(), "body.assets[0].amount", "",
				withdrawal.NewAsset{Chain: storetest.Chain, Contract: storetest.Avatars.String(), TokenID: "5", Amount: "2"},
			},
			{"another's avatar", storetest.Outside.String(), "", "insufficient", avatarOf("6")},
			{"no id", storetest.Outside.String(), "body.assets[0].tokenId", "", itemsOf("01", "1")},
			{
				"what cannot leave", storetest.Outside.String(), "body.assets[0].contract", "",
				withdrawal.NewAsset{Chain: storetest.Chain, Contract: storetest.Chests.String(), TokenID: "1", Amount: "1"},
			},
			{
				"another chain", storetest.Outside.String(), "body.assets[0].contract", "",
				withdrawal.NewAsset{Chain: storetest.Chain + 1, Contract: storetest.USDC.String(), Amount: "1"},
			},
		} {
			_, err := v.Create(t.Context(), v.me, withdrawal.New{To: bad.to, Assets: []withdrawal.NewAsset{bad.asset}})
			f := fault.As(err)
			if f == nil || f.Reason != bad.reason || bad.location != "" && (len(f.Fields) != 1 || f.Fields[0].Location != bad.location ||
				f.Fields[0].Message == "") {
				t.Errorf("%s: %v (%+v)", bad.name, err, f)
			}
		}
		_, err := v.Create(t.Context(), v.me, withdrawal.New{To: "0x12", Assets: []withdrawal.NewAsset{usdcOf("0")}})
		if f := fault.As(err); f == nil || len(f.Fields) != 2 || f.Fields[0].Location != "body.to" ||
			f.Fields[1].Location != "body.assets[0].amount" {
			t.Errorf("a wrong address and a wrong amount: %v", err)
		}
		if _, err := v.Create(t.Context(), v.me, withdrawal.New{To: storetest.Outside.String()}); !fault.Is(err, fault.Invalid) {
			t.Errorf("without assets: %v", err)
		}
		var count int
		v.OK(v.Raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM withdrawal").Scan(&count))
		if count != 0 {
			t.Errorf("%d were stored", count)
		}
	})
}

// Spec: MONEY-2, MONEY-6
func TestWithdrawal_LookalikesArePointedOut(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		fake := storetest.Outside
		fake[10] = 0x77
		v.OK(v.SaveAddress(t.Context(), "A", storetest.Outside.Checksum(), " My  exchange "))
		if c := v.create(storetest.Outside, usdcOf("0.001")); len(c.Lookalikes) != 0 {
			t.Errorf("the saved address itself: %v", c.Lookalikes)
		}
		if c := v.create(fake, usdcOf("0.001")); !slices.Equal(c.Lookalikes, []eth.Address{storetest.Outside}) {
			t.Errorf("%v", c.Lookalikes)
		}
		book, err := v.AddressBook(t.Context(), "A")
		v.OK(err)
		if !slices.Equal(book, []withdrawal.SavedAddress{{Address: storetest.Outside, Label: "My exchange"}}) {
			t.Errorf("%v", book)
		}
		if book, err := v.AddressBook(t.Context(), "B"); err != nil || len(book) != 0 {
			t.Errorf("another player's: %v, %v", book, err)
		}
		v.OK(v.ForgetAddress(t.Context(), "A", storetest.Outside.String()))
		if book, err := v.AddressBook(t.Context(), "A"); err != nil || len(book) != 0 {
			t.Errorf("%v, %v", book, err)
		}
	})
}

func TestWithdrawal_PlayerIsToldOnceWhenItIsReady(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		v.confirmed(storetest.Outside, usdcOf("0.001"))
		ready := func() (n int) {
			v.OK(v.Raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM mail WHERE subject = 'You can send from your wallet now'").Scan(&n))
			return n
		}
		v.OK(v.Sweep(t.Context()))
		if ready() != 0 {
			t.Error("told before it is ready")
		}
		v.Clock.Advance(24 * time.Hour)
		v.OK(errors.Join(v.Sweep(t.Context()), v.Sweep(t.Context())))
		if ready() != 1 {
			t.Errorf("told %d times", ready())
		}
	})
}

func TestNotice_EachStepOfAWithdrawalIsMailedWithTheLink(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		mails := func() (subjects []string) {
			rows, err := v.Raw.QueryContext(t.Context(), "SELECT subject, body FROM mail WHERE player_id = 'A' ORDER BY id")
			v.OK(err)
			defer rows.Close()
			for rows.Next() {
				var subject, body string
				v.OK(rows.Scan(&subject, &body))
				if !strings.Contains(body, "This was not me:\n\nhttps://pantheon.example/portal/not-me?token=") {
					t.Errorf("%q has no link:\n%s", subject, body)
				}
				subjects = append(subjects, subject)
			}
			return subjects
		}
		r := v.confirmed(storetest.Outside, usdcOf("0.001"))
		v.Clock.Advance(24 * time.Hour)
		v.OK(v.Sweep(t.Context()))
		for range 2 { // signed again, with other fees
			_, err := v.bind(v.calls(r, 0))
			v.OK(err)
		}
		v.confirmed(storetest.Verified, usdcOf("0.001"))
		want := []string{
			"Your code for sending from your wallet", "You can send from your wallet soon", "You can send from your wallet now",
			"You are sending from your wallet",
			"Your code for sending from your wallet", "You can send from your wallet now",
		}
		if got := mails(); !slices.Equal(got, want) {
			t.Errorf("the mails are %q, want %q", got, want)
		}
	})
}

func TestActivity_ListsWhatWasWithdrawn(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		b := storetest.InTx(v.Next(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Verified,
			1_000), storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Stranger, 1),
			onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true}), storetest.TxOf("withdrawal"))
		v.OK(v.Index.ApplyBatch(t.Context(), b))
		v.Tip = b.Blocks[0]
		v.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Verified, 7)) // not by a withdrawal
		s := store.Activity{
			DB: v.DB, Chains: []onchain.ChainID{storetest.Chain},
			Currencies: map[eth.Address]activity.Currency{storetest.USDC: {Symbol: "USDC", Decimals: 6}},
		}
		entries, err := s.Entries(t.Context(), "A", storetest.WalletA, v.Clock.Now().Add(time.Hour), "~", 10)
		v.OK(err)
		entries = slices.DeleteFunc(entries, func(e activity.Entry) bool { return e.Type == activity.Login })
		if len(entries) != 1 || entries[0].Type != activity.Withdrawal || entries[0].To != storetest.Verified || entries[0].Token != nil ||
			entries[0].Price == nil || entries[0].Price.Amount.String() != "1000" || entries[0].Tx != storetest.TxOf("withdrawal") {
			t.Errorf("%+v", entries)
		}
	})
}

// Spec: MONEY-1
func TestMoney_StatementSaysWhatEachMovementWasFor(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		r := v.confirmed(storetest.Verified, usdcOf("0.001"))
		op, err := v.bind(v.calls(r, 0))
		v.OK(err)
		b := v.Next(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Verified, 1_000),
			onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true})
		b.Transfers[0].Tx = b.Ops[0].Tx
		v.OK(v.Index.ApplyBatch(t.Context(), b))
		v.Tip = b.Blocks[0]
		v.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.Stranger, storetest.WalletA, 7))
		var got []string
		after := ""
		for {
			page, next, err := v.Movements(t.Context(), "A", after, 1)
			v.OK(err)
			for _, m := range page {
				got = append(got, string(m.Purpose)+" "+m.Amount.String())
			}
			if after = next; next == "" {
				break
			}
		}
		if !slices.Equal(got, []string{"received 7", "withdrawal 1000", "reward 10000"}) {
			t.Errorf("%v", got)
		}
		balances, used, err := v.Balances(t.Context(), "A")
		v.OK(err)
		if len(balances) != 1 || balances[0].InWallet.String() != "9007" || balances[0].Used.String() != "1000" || used.Items != 0 {
			t.Errorf("%+v, %+v", balances, used)
		}
		for _, bad := range []string{
			"!", cursor.EncodeRank("newest", 1, "1"), cursor.EncodeRank("movements", -1, "1"), cursor.EncodeRank("movements", 1, "x"),
			cursor.EncodeRank("movements", 1, "2147483648"),
		} {
			if _, _, err := v.Movements(t.Context(), "A", bad, 1); !fault.Is(err, fault.Invalid) {
				t.Errorf("cursor %q: %v, want invalid", bad, err)
			}
		}
	})
}

func TestWithdrawal_HostileLabelsAreRefused(t *testing.T) {
	t.Parallel()
	eachVault(t, func(t *testing.T, v *vault) {
		for _, label := range []string{
			"", " \n", "\u200d", "\u2060", "a\u202eb", "a\u2067b", "a\x00b", "a\x1bb", "a\xffb", strings.Repeat("x", 41),
		} {
			f := fault.As(v.SaveAddress(t.Context(), "A", storetest.Outside.Checksum(), label))
			if f == nil || len(f.Fields) != 1 || f.Fields[0].Location != "body.label" {
				t.Errorf("%q: %v", label, f)
			}
		}
		for _, label := range []string{"<script>", strings.Repeat("😀", 40), "👩‍🚀 Ada", "محفظة", "a\nb"} {
			v.OK(v.SaveAddress(t.Context(), "A", storetest.Outside.Checksum(), label))
		}
		book, err := v.AddressBook(t.Context(), "A")
		v.OK(err)
		if len(book) != 1 || book[0].Label != "a b" {
			t.Errorf("%+v", book)
		}
	})
}
