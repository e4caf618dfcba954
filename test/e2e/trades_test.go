package e2e_test

import (
	"context"
	"math/big"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// Whoever holds a stolen session can neither give the victim's items away nor buy a trifle with all of the victim's money.
// The victim, who reads their mail, can, once for each code.
// Spec: SELL-5
func TestAttack_AStolenSessionTradesNothingAway(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Env: []string{"TRADE_RISK_PER_DAY=20"}})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	victim, err := player.Register(ctx, site.URL)
	must(t, err)
	thief, err := player.Register(ctx, site.URL)
	must(t, err)

	gods := holdings(ctx, t, victim, "listElderGods")
	cheap := victim.ListCalls(gods[0].Contract, tokenOf(t, gods[0].TokenID), 10_000)
	_, err = prepare(ctx, t, victim, cheap)
	if !reason(err, "This needs your approval first: you are offering items for less than they usually cost") {
		t.Fatalf("a god for 0.01 USDC: %v", err)
	}

	trifle := holdings(ctx, t, thief, "listElderGods")[0]
	op, err := prepare(ctx, t, thief, thief.ListCalls(trifle.Contract, tokenOf(t, trifle.TokenID), 490_000_000))
	must(t, err)
	_, err = thief.Send(ctx, op)
	must(t, err)
	var dear player.Listing
	testkit.Eventually(t, 30*time.Second, func() bool {
		listings, err := victim.Listings(ctx, "elder-gods", 100)
		must(t, err)
		for _, l := range listings {
			if l.Seller == thief.Smart {
				dear = l
			}
		}
		return dear.ListingID != ""
	}, "the thief's listing is not on the market")
	must(t, victim.Hold(ctx, dear))
	order, err := victim.Checkout(ctx)
	must(t, err)
	if _, err := prepare(ctx, t, victim, order.Calls); !reason(err, "This needs your approval first: you are paying more than usual") {
		t.Fatalf("a trifle for 490 USDC: %v", err)
	}

	// The victim's own browser asks for an approval, and the mail says what it is for.
	request := func(calls []player.Call) (answer struct {
		Needed   bool
		Approval struct{ ApprovalID, Way, SentTo string }
	}) {
		must(t, victim.Call(ctx, http.MethodPost, "/api/auth/marketplace/trades/approval", map[string]any{
			"chainId": victim.Config.GameChain.ID, "calls": calls,
		}, &answer))
		return answer
	}
	asked := request(cheap)
	if !asked.Needed || asked.Approval.Way != "code" || strings.Contains(asked.Approval.SentTo, victim.ID) {
		t.Fatalf("the approval is %+v", asked)
	}
	confirm := func(code string) error {
		return victim.Call(ctx, http.MethodPost, "/api/auth/approvals/"+asked.Approval.ApprovalID+"/confirm",
			map[string]string{"code": code}, nil)
	}
	refused(t, "a wrong code", confirm("00000000"), http.StatusBadRequest, "This code is wrong or too old")
	if err := thief.Call(ctx, http.MethodPost, "/api/auth/approvals/"+asked.Approval.ApprovalID+
		"/confirm", map[string]string{"code": "00000000"}, nil); err == nil {
		t.Error("another player confirmed the approval")
	}
	must(t, confirm(emailed(ctx, t, site.URL, "Your code for a trade")))
	if _, err := prepare(ctx, t, victim, order.Calls); !reason(err, "This needs your approval first") {
		t.Errorf("the approval is good for other calls: %v", err)
	}
	op, err = prepare(ctx, t, victim, cheap)
	must(t, err)
	_, err = victim.Send(ctx, op)
	must(t, err)
	if _, err = prepare(ctx, t, victim, cheap); err == nil {
		t.Error("the god can be listed twice")
	}
}

// Who owes for something that was bought by card, or whose account is about to be deleted, lists nothing and, while owing, requests no
// withdrawal. What the guards are is tested on both databases: one engine is enough for where they stand.
func TestAttack_WhoOwesOrLeavesTradesNothing(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	god := holdings(ctx, t, p, "listElderGods")[0]
	listing := p.ListCalls(god.Contract, tokenOf(t, god.TokenID), 490_000_000)
	withdraw := func() error {
		return p.Call(ctx, http.MethodPost, "/api/auth/withdrawals", map[string]any{
			"to": eth.MustAddress("0x52908400098527886e0f7030069857d2e4169ee7").Checksum(), "assets": []any{kindOf(ctx, t, p, "listElderGods")},
		}, nil)
	}
	db, err := store.Open(ctx, store.Options{Path: filepath.Join(site.Dir, "pantheon.db")})
	must(t, err)
	defer func() { _ = db.Close() }()
	const debt = "The shop paid you back for something that you still have or have spent."
	must(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertShopDebt(ctx, gen.InsertShopDebtParams{
			Source: "test", PlayerID: p.ID, Kind: reward.KindMint, Detail: "{}", Amount: 1,
			State: string(webstore.DebtOpen), At: column.At(time.Now()),
		})
	}))
	if _, err := prepare(ctx, t, p, listing); !reason(err, debt) {
		t.Errorf("a listing of a player who owes: %v", err)
	}
	refused(t, "a withdrawal of a player who owes", withdraw(), http.StatusConflict, debt)
	_, _, err = operators.New(db).ForgiveShopDebts(ctx, p.ID, operator.Entry{At: time.Now(), Who: "test", Reason: "test"})
	must(t, err)
	must(t, withdraw())
	_, err = prepare(ctx, t, p, listing)
	must(t, err)
	must(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := time.Now().UnixMilli()
		_, err := tx.RequestDeletion(ctx, gen.RequestDeletionParams{
			PlayerID: p.ID, At: column.At(time.UnixMilli(now)), Due: column.At(time.UnixMilli(now + 3_600_000)),
		})
		return err
	}))
	if _, err := prepare(ctx, t, p, listing); !reason(err, "deleted") {
		t.Errorf("a listing of an account that is about to be deleted: %v", err)
	}
}

// The same in two browsers. The queries behind it are tested on both databases: one engine is enough.
func TestJourney_AThiefWithAStolenSessionIsAskedForACode(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"TRADE_RISK_PER_DAY=20"}})
	journey(t, site, "thief.mjs")
}

// holdings returns what a player holds, once the starter kit has arrived.
func holdings(ctx context.Context, t *testing.T, p *player.Player, list string) (held []player.Holding) {
	t.Helper()
	testkit.Eventually(t, 30*time.Second, func() bool {
		var err error
		held, err = p.Holdings(ctx, list)
		must(t, err)
		return len(held) > 0
	}, "the starter kit has not arrived")
	return held
}

func tokenOf(t *testing.T, id string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(id, 10)
	if !ok {
		t.Fatalf("%q is no token id", id)
	}
	return n
}
