package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

// A used-up budget pauses sponsorship and shows in /readyz and in the metrics, until the operator raises it.
func TestGas_ABudgetThatIsUsedUpIsSeenAndRaised(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"GAME_CHAIN_GAS_BUDGET": "0.000002", "GAME_CHAIN_GAS_PER_PLAYER": "1", "GAME_CHAIN_GAS_PER_NETWORK": "1"})
	g, ctx := gasstore.New(s.app.db), t.Context()
	policies, err := newPolicies(s.app.base)
	if err != nil {
		t.Fatal(err)
	}
	policy := policies[0]
	if err := g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "P", DisplayName: "P", Email: "p@example.org"})
	}); err != nil {
		t.Fatal(err)
	}
	reserve := func(operation string) error {
		now, hash := time.Now(), eth.Keccak256([]byte(operation))
		return g.Reserve(ctx, gas.Sponsorship{
			Caller: gas.Caller{Player: "P", Session: "S"}, Operation: hash, Chain: policy.Chain,
			Sender: eth.Address(hash[12:]), Purchase: true, Cost: money.MustParse("1000000000000"), CreatedAt: now, ExpiresAt: now.Add(time.Minute),
		}, policy.Budget)
	}
	readyz := func() string {
		var answer struct{ Checks map[string]string }
		if err := json.Unmarshal(s.send(http.MethodGet, "/readyz", "", nil).Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Checks["game chain gas"]
	}
	if err := reserve("one"); err != nil { // the newcomers' half
		t.Fatal(err)
	}
	if got := readyz(); got != "ok" {
		t.Errorf("with a half left: %q", got)
	}
	f := fault.As(reserve("two"))
	if f == nil || f.Reason != "gas-paused" ||
		!strings.HasPrefix(f.Message, "We have reached what we pay for gas today") || f.RetryAfter <= 0 {
		t.Fatalf("more than the half: %v", f)
	}
	var raised operator.GasBudget
	if err := Act(ctx, s.app.config, func(o *operator.Service) (err error) {
		raised, err = o.RaiseGas(ctx, "game", "0.000002", 0, testkit.By("a sale"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := reserve("two"); err != nil {
		t.Fatalf("raised: %v", err)
	}
	two := money.MustParse("2000000000000").String()
	if err := Lookup(ctx, s.app.config, func(o *operator.Service) error {
		budgets, err := o.Gas(ctx)
		if err != nil || len(budgets) != 2 {
			return fmt.Errorf("%+v, %w", budgets, err)
		}
		b := budgets[0]
		got := []string{b.Limits.Budget.String(), b.Raised.String(), b.Spent.String(), b.Newcomers.String(), b.Limits.Left.String()}
		if b.Chain != "game" || !slices.Equal(got, []string{two, two, two, two, two}) || b.Operations != 2 || b.Limits.OperationsLeft != 49998 {
			t.Errorf("the budget is %+v, %+v", b, b.Limits)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if raised.Raised.String() != two || raised.Spent.String() != "1000000000000" {
		t.Errorf("raised: %+v", raised)
	}
	spend(t, g, policy)
	const low = "today's budget is nearly used up: only purchases are paid for until midnight UTC, or until pantheon gas raise adds to it"
	var got string
	testkit.Eventually(t, 10*time.Second, func() bool { got = readyz(); return got == low }, "used up: %v", &got)
	if w := s.send(http.MethodGet, "/readyz", "", nil); !strings.Contains(w.Body.String(), `"ready"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	families, err := s.app.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]float64{}
	for _, f := range families {
		if f.GetName() == "pantheon_gas_left_today" {
			for _, m := range f.GetMetric() {
				left[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
			}
		}
	}
	if left["421614"] != 0 || left["137"] != 50 {
		t.Errorf("left today: %v", left)
	}
	for what, c := range map[string]struct {
		chain, amount string
		operations    int64
	}{"another chain": {"other", "1", 0}, "no amount": {"game", "much", 0}, "nothing": {"game", "0", 0}, "less": {"game", "0", -1}} {
		if err := Act(ctx, s.app.config, func(o *operator.Service) error {
			_, err := o.RaiseGas(ctx, c.chain, c.amount, c.operations, testkit.By("a sale"))
			return err
		}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// spend uses up the rest of the budget with players who bought before.
func spend(t *testing.T, g gasstore.Store, policy *gas.Policy) {
	t.Helper()
	now := time.Now()
	if err := g.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SpendGasBudget(ctx, gen.SpendGasBudgetParams{
			ChainID: policy.Chain, Scope: "chain-day", StartsAt: column.At(now.Truncate(24 * time.Hour)), Gwei: 2000, MostOperations: 100,
			MostGwei: 4000,
		})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
