package app

import (
	"context"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/gas"
)

// leaving is the player whose account is about to be deleted.
type leaving string

func (l leaving) MayTrade(_ context.Context, playerID string) error {
	if playerID == string(l) {
		return fault.New(fault.Conflict, "It is about to be deleted.")
	}
	return nil
}

// Whoever has a stolen session, or a page from before, sends the operation past the page.
func TestDeletion_GuardRefusesListingsAndPurchases(t *testing.T) {
	t.Parallel()
	const listing = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
	g := deletionGuard{leaving("leaves"), anything{}}
	for function, refused := range map[string]bool{
		"createListing(" + listing + ")": true, "updateListing(uint256," + listing + ")": true,
		"buyFromListing(uint256,address,uint256,address,uint256)": true,
		"cancelListing(uint256)":                                  false, "transfer(address,uint256)": false,
		"transferFrom(address,address,uint256)": false,
		"burn(uint256)":                         false,
	} {
		selector := gas.SelectorOf(function)
		calls := []gas.Call{
			{Target: eth.Address{1}, Data: make([]byte, 4)},
			{Target: eth.Address{1}, Data: append([]byte{}, selector[:]...)},
		}
		for player, leaves := range map[string]bool{"leaves": true, "stays": false} {
			if err := g.Allow(t.Context(), gas.Intent{Player: player, Chain: 1, Calls: calls}); (err != nil) != (refused && leaves) {
				t.Errorf("%s by a player who %s: %v", function, player, err)
			}
		}
	}
}
