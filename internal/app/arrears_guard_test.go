package app

import (
	"context"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/gas"
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

func TestArrears_GuardRefusesListingsAndTransfers(t *testing.T) {
	t.Parallel()
	const listing = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
	g := arrearsGuard{owing{}, anything{}}
	for function, blocked := range map[string]bool{
		"createListing(" + listing + ")": true, "updateListing(uint256," + listing + ")": true, "transfer(address,uint256)": true,
		"transferFrom(address,address,uint256)": true, "safeTransferFrom(address,address,uint256,uint256,bytes)": true,
		"cancelListing(uint256)": false, "burn(uint256)": false, "buyFromListing(uint256,address,uint256,address,uint256)": false,
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
