package app

import (
	"context"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
)

// owing has a debt of one player, and a disputed order of another.
type owing struct{}

func (owing) Arrears(_ context.Context, playerID string) (int64, string, error) {
	switch playerID {
	case "owes":
		return 1, "", nil
	case "disputes":
		return 0, "1001", nil
	}
	return 0, "", nil
}

// anything allows all calls.
type anything struct{}

func (anything) Allow(context.Context, gas.Intent) error { return nil }

// Spec: SHOP-11
func TestArrears_GuardRefusesListingsAndTransfers(t *testing.T) {
	t.Parallel()
	const listing = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
	g := arrearsGuard{owing{}, anything{}}
	for function, blocked := range map[string]bool{
		"createListing(" + listing + ")": true, "updateListing(uint256," + listing + ")": true, "transfer(address,uint256)": true,
		"transferFrom(address,address,uint256)": true, "safeTransferFrom(address,address,uint256,uint256,bytes)": true,
		"cancelListing(uint256)": false, "burn(uint256)": false, "buyFromListing(uint256,address,uint256,address,uint256)": true,
	} {
		selector := gas.SelectorOf(function)
		calls := []gas.Call{{Target: eth.Address{1}, Data: append([]byte{}, selector[:]...)}}
		for player, reason := range map[string]string{"owes": "debt", "disputes": "dispute", "pays": ""} {
			f := fault.As(g.Allow(t.Context(), gas.Intent{Player: player, Chain: 1, Calls: calls}))
			if refused := f != nil; refused != (blocked && reason != "") || refused && f.Reason != reason {
				t.Errorf("%s by a player who %s: %v", function, player, f)
			}
		}
	}
}

// owed are the debts of one player: 500 InfiniGold for which the card paid 2.99.
type owed struct{}

func (owed) Debts(_ context.Context, playerID string) (out []webstore.Debt, err error) {
	if playerID == "owes" {
		gold := reward.Currency{Code: "ig", Amount: 500}.Content()
		out = append(out, webstore.Debt{PlayerID: playerID, Content: gold, Amount: 500, Price: 2_990_000, State: webstore.DebtOpen})
	}
	return out, nil
}

func (owed) BindDebts(context.Context, webstore.Binding) error { return nil }
func (owed) ReleaseDebts(context.Context, eth.Hash) error      { return nil }

// nothingElse allows no calls.
type nothingElse struct{}

func (nothingElse) Allow(context.Context, gas.Intent) error {
	return fault.New(fault.Forbidden, "Not this.").WithReason("else")
}

// Whatever a stolen session asks for, what a player who owes can send is what is owed, to the treasury.
// Spec: SHOP-11
func TestArrears_GuardAllowsExactlyThePayment(t *testing.T) {
	t.Parallel()
	usdc, treasury, thief := eth.Address{1}, eth.Address{2}, eth.Address{3}
	payments := webstore.NewPayments(webstore.PaymentOptions{Store: owed{}, Chain: 1, Token: usdc, To: treasury, Rate: 1_000_000})
	g := debtGuard{payments, nothingElse{}}
	pay := func(token, to eth.Address, units uint64) gas.Call {
		return gas.Payment{Token: token, To: to, Amount: eth.NewQuantity(units)}.Call()
	}
	good := pay(usdc, treasury, 2_990_000)
	withValue, longer := good, good
	withValue.Value = eth.NewQuantity(1)
	longer.Data = append(append([]byte{}, good.Data...), make([]byte, 32)...)
	for what, c := range map[string]struct {
		player string
		chain  int
		calls  []gas.Call
		reason string
	}{
		"the payment":             {"owes", 1, []gas.Call{good}, ""},
		"more":                    {"owes", 1, []gas.Call{pay(usdc, treasury, 2_990_001)}, "changed"},
		"less":                    {"owes", 1, []gas.Call{pay(usdc, treasury, 1)}, "changed"},
		"of one who owes nothing": {"pays", 1, []gas.Call{good}, "nothing-due"},
		"twice":                   {"owes", 1, []gas.Call{good, good}, "else"},
		"and to the thief":        {"owes", 1, []gas.Call{good, pay(usdc, thief, 1)}, "else"},
		"to the thief":            {"owes", 1, []gas.Call{pay(usdc, thief, 2_990_000)}, "else"},
		"of another token":        {"owes", 1, []gas.Call{pay(thief, treasury, 2_990_000)}, "else"},
		"on the other chain":      {"owes", 2, []gas.Call{good}, "else"},
		"with ether":              {"owes", 1, []gas.Call{withValue}, "else"},
		"with further data":       {"owes", 1, []gas.Call{longer}, "else"},
		"nothing":                 {"owes", 1, nil, "else"},
	} {
		f := fault.As(g.Allow(t.Context(), gas.Intent{Player: c.player, Chain: onchain.ChainID(c.chain), Calls: c.calls}))
		if (f == nil) != (c.reason == "") || f != nil && f.Reason != c.reason {
			t.Errorf("%s: %v, want reason %q", what, f, c.reason)
		}
	}
}
