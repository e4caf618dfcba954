package api_test

import (
	"net/http"
	"slices"
	"testing"

	"pantheon/internal/collections"
	"pantheon/internal/testkit"
)

// Spec: ITEM-5
func TestHoldings_PassesAreCountedByTierAndListedLikeEverythingElse(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	testkit.Give(t, p.db, testkit.WalletOf(me.id), shelves[collections.Passes], "1", 1)
	var passes struct {
		Total, CommunityCount, UltimateCount int
		CommunityTokenIDs, UltimateTokenIDs  []string
		Items                                []struct {
			TokenID, Wallet string
			Metadata        struct{ Name, Image string }
		}
	}
	p.json(p.mustSucceed(request{method: http.MethodGet, path: "/api/auth/nft/listPasses", authorization: me.token}, 200), &passes)
	if passes.Total != 1 || passes.CommunityCount != 1 || passes.UltimateCount != 0 ||
		!slices.Equal(passes.CommunityTokenIDs, []string{"1"}) || passes.UltimateTokenIDs == nil {
		t.Errorf("the counts are %+v", passes)
	}
	if len(passes.Items) != 1 || passes.Items[0].TokenID != "1" || passes.Items[0].Wallet != "smart" || passes.Items[0].Metadata.Name == "" ||
		passes.Items[0].Metadata.Image == "" {
		t.Errorf("the list is %+v", passes.Items)
	}
}
