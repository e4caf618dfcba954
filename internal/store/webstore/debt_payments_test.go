package webstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

var treasury = eth.MustAddress("0x00000000000000000000000000000000000077ea")

// owingPlayer is player A, who owes 2 of 4 masks for which the card paid 10, and 500 InfiniGold for which it paid 2.99: 7.99 USDC.
type owingPlayer struct {
	*storetest.Indexed
	*webstore.Payments
	nonce uint64
	ops   int
}

// purses are the balances that the collector takes back from.
type purses struct{ has, taken int64 }

func (p *purses) Balance(context.Context, string, string) (int64, error) { return p.has, nil }

func (p *purses) Debit(_ context.Context, _, _, _ string, amount int64) error {
	p.taken += amount
	return nil
}

var (
	masks = reward.Mint{Chain: storetest.Chain, Contract: storetest.Items, Standard: onchain.ERC1155, TokenID: "40",
		Amount: money.FromInt(4)}.Content()
	gold = reward.Currency{Code: "ig", Amount: 500}.Content()
)

func eachOwing(t *testing.T, test func(t *testing.T, o *owingPlayer)) {
	t.Helper()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		o := &owingPlayer{Indexed: x}
		o.Payments = webstore.NewPayments(webstore.PaymentOptions{Store: shopstore.New(x.DB), Chain: storetest.Chain, Token: storetest.USDC,
			To: treasury, Rate: 1_000_000})
		x.OK(accounts.New(x.DB).RegisterPair(t.Context(), "A", storetest.Start, nil))
		x.Apply()
		o.owe("A", "shop/1/1/0", masks, 2, 10_000_000)
		o.owe("A", "shop/1/2/0", gold, 500, 2_990_000)
		test(t, o)
	})
}

func (o *owingPlayer) owe(player, source string, c reward.Content, amount, price int64) {
	o.T.Helper()
	o.OK(o.DB.Write(o.T.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertShopDebt(ctx, gen.InsertShopDebtParams{
			Source: source, PlayerID: player, Kind: c.Kind, Detail: c.Detail, Amount: amount, State: "open", Price: price,
			At: column.At(storetest.Start),
		})
	}))
}

// payment is a transfer of base units of USDC to the treasury.
func (o *owingPlayer) payment(units int64) webstore.Payment {
	return webstore.Payment{Chain: storetest.Chain, Token: storetest.USDC, To: treasury, Amount: money.FromInt(units)}
}

// sign signs an operation that makes the payment, with the account's next nonce, or reports why not.
func (o *owingPlayer) sign(p webstore.Payment) (gas.Operation, error) {
	o.ops++
	hash := eth.Keccak256([]byte{byte(o.ops)})
	op := gas.Operation{Hash: hash, Chain: storetest.Chain, EntryPoint: storetest.Stranger, Player: "A", CreatedAt: o.Clock.Now()}
	amount, err := eth.QuantityFromBig(p.Amount.Big())
	o.OK(err)
	op.Operation = eth.UserOperation{
		Sender: storetest.WalletA, Nonce: eth.NewQuantity(o.nonce), Signature: []byte{1},
		CallData: gas.EncodeCalls([]gas.Call{gas.Payment{Token: p.Token, To: p.To, Amount: amount}.Call()}),
	}
	return op, o.Bind(o.T.Context(), "A", p, storetest.WalletA, op.Operation.Nonce, op.Hash)
}

func (o *owingPlayer) signed(units int64) gas.Operation {
	o.T.Helper()
	op, err := o.sign(o.payment(units))
	o.OK(err)
	return op
}

// relay hands an operation to the relay.
func (o *owingPlayer) relay(op gas.Operation) error {
	o.T.Helper()
	storetest.Sponsor(o.T, o.DB, op)
	_, err := gasstore.New(o.DB).AddOperation(o.T.Context(), op)
	if err == nil {
		o.nonce++
	}
	return err
}

func (o *owingPlayer) drop(op gas.Operation) {
	o.T.Helper()
	o.OK(gasstore.New(o.DB).Drop(o.T.Context(), op.Hash, "dropped", o.Clock.Now()))
	o.OK(o.OperationDropped(o.T.Context(), op.Hash))
	o.nonce--
}

// land adds a block with the operation's outcome.
func (o *owingPlayer) land(op gas.Operation, success bool) onchain.Block {
	o.T.Helper()
	block := o.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: success})
	o.OK(gasstore.New(o.DB).Settle(o.T.Context(), []gas.Outcome{{Hash: op.Hash, Succeeded: success}}, o.Clock.Now()))
	return block
}

func (o *owingPlayer) debts() []string {
	return o.Rows("SELECT player_id || ' ' || source || ' ' || amount || ' ' || state FROM shop_debt ORDER BY player_id, source")
}

func (o *owingPlayer) forgive() {
	o.T.Helper()
	_, err := testkit.Operator(o.DB, o.Clock).ForgiveShopDebts(o.T.Context(), "id:A", testkit.By("asked"))
	o.OK(err)
}

// mustOwe checks that A is blocked, or not.
func (o *owingPlayer) mustOwe(what string, owes bool) {
	o.T.Helper()
	if err := webstore.CheckArrears(o.T.Context(), shopstore.New(o.DB), "A"); fault.Is(err, fault.Conflict) != owes {
		o.T.Errorf("%s: blocked by %v, want %v", what, err, owes)
	}
}

// Spec: SHOP-11
func TestDebtPayment_SettlesWhatItPaysForAndUnblocks(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		o.owe("B", "shop/9/1/0", gold, 500, 2_990_000)
		p, err := o.Due(t.Context(), "A")
		o.OK(err)
		if p.To != treasury || p.Token != storetest.USDC || p.Chain != storetest.Chain || p.Amount.String() != "7990000" {
			t.Fatalf("due %+v", p)
		}
		op := o.signed(7_990_000)
		o.OK(o.relay(op))
		o.mustOwe("on its way", true)
		_, err = o.Due(t.Context(), "A")
		storetest.RefusedAs(t, "due while it is on its way", err, "paying")
		o.Told()
		o.land(op, true)
		o.mustOwe("paid", false)
		o.Want("debts", o.debts(), "A shop/1/1/0 2 settled", "A shop/1/2/0 500 settled", "B shop/9/1/0 500 open")
		o.Want("told", o.Told(), "A: webstore/refetch-products map[userId:A]")
		_, err = o.Due(t.Context(), "A")
		storetest.RefusedAs(t, "due once it is paid", err, "nothing-due")
	})
}

// A stolen session can pay what is owed to the portal, and nothing else.
// Spec: SHOP-11
func TestDebtPayment_IsSignedOnlyAsItsExactTransfer(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		o.owe("B", "shop/9/1/0", gold, 500, 2_990_000)
		for what, change := range map[string]func(*webstore.Payment){
			"more":                  func(p *webstore.Payment) { p.Amount = money.FromInt(7_990_001) },
			"less":                  func(p *webstore.Payment) { p.Amount = money.FromInt(7_989_999) },
			"another player's debt": func(p *webstore.Payment) { p.Amount = money.FromInt(2_990_000) },
			"nothing":               func(p *webstore.Payment) { p.Amount = money.Units{} },
			"to somebody else":      func(p *webstore.Payment) { p.To = storetest.Outside },
			"in another token":      func(p *webstore.Payment) { p.Token = storetest.Items },
			"on another chain":      func(p *webstore.Payment) { p.Chain++ },
		} {
			p := o.payment(7_990_000)
			change(&p)
			storetest.RefusedAs(t, what, o.MayPay(t.Context(), "A", p), "changed")
			_, err := o.sign(p)
			storetest.RefusedAs(t, what+", signed", err, "changed")
		}
		storetest.RefusedAs(t, "by a player who owes nothing", o.MayPay(t.Context(), "C", o.payment(7_990_000)), "nothing-due")
		o.OK(o.MayPay(t.Context(), "A", o.payment(7_990_000)))
	})
}

func TestDebtPayment_IsGoodForOneOperation(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		// Two tabs sign with the same nonce: only one of the two operations can reach the chain.
		first, second := o.signed(7_990_000), o.signed(7_990_000)
		storetest.RefusedAs(t, "the replaced operation", o.relay(first), "no-withdrawal")
		o.nonce++
		_, err := o.sign(o.payment(7_990_000))
		storetest.RefusedAs(t, "signed with the next nonce", err, "changed")
		o.nonce--
		o.OK(o.relay(second))
		_, err = o.sign(o.payment(7_990_000))
		storetest.RefusedAs(t, "signed while it is on its way", err, "paying")

		o.drop(second)
		third := o.signed(7_990_000)
		o.OK(o.relay(third))
		o.land(third, true)
		_, err = o.sign(o.payment(7_990_000))
		storetest.RefusedAs(t, "signed once it is paid", err, "nothing-due")
	})
}

// Whoever signs at the same time, the debts are bound to one operation, and only that one is accepted.
func TestDebtPayment_TwoTabsAtTheSameTimePayOnce(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		var ops []gas.Operation
		for range 2 {
			ops = append(ops, o.signed(7_990_000))
		}
		accepted := make([]error, len(ops))
		var group sync.WaitGroup
		for i, op := range ops {
			storetest.Sponsor(t, o.DB, op)
			group.Go(func() { _, accepted[i] = gasstore.New(o.DB).AddOperation(t.Context(), op) })
		}
		group.Wait()
		if (accepted[0] == nil) == (accepted[1] == nil) {
			t.Errorf("accepted: %v", accepted)
		}
	})
}

func TestDebtPayment_FailedTransferCanBePaidAgain(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		op := o.signed(7_990_000)
		o.OK(o.relay(op))
		o.land(op, false)
		o.mustOwe("refused on chain", true)
		again := o.signed(7_990_000)
		o.OK(o.relay(again))
		o.land(again, true)
		o.mustOwe("paid", false)
	})
}

// A reorganisation removes the payment: its operation is pending again, and unsent rewards are withheld again.
func TestDebtPayment_ReorganisationReopensTheDebts(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		grant := func() []string {
			return o.Rows("SELECT CASE WHEN due_at = 9223372036854775807 THEN 'withheld' ELSE 'due' END FROM reward_grant " +
				"WHERE source = 'shop/2/1/0'")
		}
		o.OK(o.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
				Source: "shop/2/1/0", PlayerID: sql.NullString{String: "A", Valid: true}, Origin: "webstore", Detail: "{}", State: "pending",
			})
			if err != nil {
				return err
			}
			err = tx.InsertRewardGrant(ctx, gen.InsertRewardGrantParams{Source: "shop/2/1/0", Kind: gold.Kind, Detail: gold.Detail})
			if err != nil {
				return err
			}
			return tx.WithholdGrants(ctx, gen.WithholdGrantsParams{Error: "owes", Source: "shop/2/1/0"})
		}))
		before := o.Tip
		op := o.signed(7_990_000)
		o.OK(o.relay(op))
		o.land(op, true)
		o.mustOwe("paid", false)
		o.Want("the withheld reward", grant(), "due")
		o.Rewind(before)
		o.mustOwe("reorganised", true)
		o.Want("the reward", grant(), "withheld")
		_, err := o.Due(t.Context(), "A")
		storetest.RefusedAs(t, "due after a reorganisation", err, "paying")
		o.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true})
		o.mustOwe("included again", false)
	})
}

// An operation may be sent past the relay where anybody may send. Then only the index knows of it.
func TestDebtPayment_IsSettledByTheChain(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		op := o.signed(7_990_000)
		o.Apply(onchain.UserOperationEvent{Hash: op.Hash, Sender: storetest.WalletA, Success: true})
		o.mustOwe("sent past the relay", false)
	})
}

func TestDebtPayment_ForgivingBeforeAndMeanwhileBreaksNothing(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		signed := o.signed(7_990_000)
		o.forgive()
		o.mustOwe("forgiven", false)
		storetest.RefusedAs(t, "sent after it was forgiven", o.relay(signed), "changed")
		_, err := o.sign(o.payment(7_990_000))
		storetest.RefusedAs(t, "signed after it was forgiven", err, "nothing-due")

		o.owe("A", "shop/3/1/0", gold, 500, 2_990_000)
		op := o.signed(2_990_000)
		o.OK(o.relay(op))
		before := o.Tip
		o.forgive()
		o.mustOwe("forgiven on its way", false)
		o.land(op, true)
		o.Rewind(before)
		o.mustOwe("reorganised", false)
		o.Want("debts", o.debts(), "A shop/1/1/0 2 forgiven", "A shop/1/2/0 500 forgiven", "A shop/3/1/0 500 forgiven")
	})
}

// What is being paid is not taken back too, and what was taken back is not paid too.
func TestDebtPayment_CollectorTakesNothingThatIsBeingPaid(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		purse := &purses{has: 100}
		collector := webstore.NewCollector(shopstore.New(o.DB), purse)
		signed := o.signed(7_990_000)
		o.OK(collector.Step(t.Context()))
		if purse.taken != 100 {
			t.Errorf("%d taken, want 100", purse.taken)
		}
		storetest.RefusedAs(t, "sent after a part was taken back", o.relay(signed), "changed")
		// 400 of 500 for 2.99 are left: 2.392.
		op := o.signed(7_392_000)
		o.OK(o.relay(op))
		o.OK(collector.Step(t.Context()))
		if purse.taken != 100 {
			t.Errorf("%d taken while the rest is being paid, want 100", purse.taken)
		}
		o.drop(op)
		o.OK(collector.Step(t.Context()))
		if purse.taken != 200 {
			t.Errorf("%d taken after the payment was dropped, want 200", purse.taken)
		}
		o.OK(o.MayPay(t.Context(), "A", o.payment(6_794_000)))
	})
}

// The collector may have read a debt just before its payment was accepted: then it takes nothing.
func TestDebtPayment_AcceptedWhileTheCollectorReadsIsNotTaken(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		op := o.signed(7_990_000)
		purse := &purses{has: 500}
		o.OK(webstore.NewCollector(late{shopstore.New(o.DB), func() { o.OK(o.relay(op)) }}, purse).Step(t.Context()))
		if purse.taken != 0 {
			t.Errorf("%d taken, want 0", purse.taken)
		}
		o.land(op, true)
		o.mustOwe("paid", false)
	})
}

// late is a store in which something happens between reading the debts and changing one.
type late struct {
	shopstore.Store
	then func()
}

func (l late) OpenDebts(ctx context.Context, after webstore.Debt, limit int) ([]webstore.Debt, error) {
	debts, err := l.Store.OpenDebts(ctx, after, limit)
	l.then()
	return debts, err
}

func TestDebtPayment_CostsWhatTheCardPaidForTheRest(t *testing.T) {
	t.Parallel()
	transfer := reward.Transfer{
		Chain: storetest.Chain, Contract: storetest.USDC, Standard: onchain.ERC20, TokenID: "0", Amount: money.FromInt(25_000_000),
	}.Content(time.Time{})
	for _, c := range []struct {
		of            reward.Content
		amount, price int64
		rate, want    int64
	}{
		{masks, 4, 10_000_000, 1_000_000, 10_000_000},
		{masks, 1, 10_000_000, 1_000_000, 2_500_000},
		{masks, 3, 10_000_001, 1_000_000, 7_500_001},              // rounded up
		{masks, 4, 10_000_000, 1_080_000, 10_800_000},             // 1.08 USDC for one unit of the currency
		{masks, 4, 10_000_000, 6_700, 67_000},                     // 0.0067 USDC
		{masks, 4, 0, 1_000_000, 0},                               // from before prices were kept
		{transfer, 25_000_000, 26_990_000, 1_000_000, 25_000_000}, // USDC is its own amount, whatever the card paid
		{transfer, 25_000_000, 0, 2_000_000, 25_000_000},
	} {
		p := webstore.NewPayments(webstore.PaymentOptions{Token: storetest.USDC, Rate: c.rate})
		units, ok := p.Cost(webstore.Debt{Content: c.of, Amount: c.amount, Price: c.price})
		if units != c.want || ok != (c.want > 0) {
			t.Errorf("%d of %s for %d at %d cost %d, %v, want %d", c.amount, c.of.Detail, c.price, c.rate, units, ok, c.want)
		}
	}
}

// A debt without a known price is left to operators, and does not keep the others from being paid.
func TestDebtPayment_LeavesDebtsWithoutAPriceToOperators(t *testing.T) {
	t.Parallel()
	eachOwing(t, func(t *testing.T, o *owingPlayer) {
		o.owe("A", "shop/0/1/0", masks, 4, 0)
		op := o.signed(7_990_000)
		o.OK(o.relay(op))
		o.land(op, true)
		o.mustOwe("with a debt from before", true)
		o.Want("debts", o.debts(), "A shop/0/1/0 4 open", "A shop/1/1/0 2 settled", "A shop/1/2/0 500 settled")
		_, err := o.Due(t.Context(), "A")
		storetest.RefusedAs(t, "due", err, "nothing-due")
		if fmt.Sprint(err) != "You owe nothing that can be paid now." {
			t.Errorf("said %v", err)
		}
	})
}
