package chaos_test

import (
	"context"
	"math/big"
	"net/http"
	"testing"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// alertPoints are the crash points between a listing and the alert of a saved search.
var alertPoints = []string{"alert not recorded", "alert recorded, change not settled", "change settled, alert not sent", "alert sent"}

// A listing alerts the player of a saved search once, wherever the portal is killed in between.
// Spec: SELL-11
func TestCrash_SavedSearchAlertsOnce(t *testing.T) {
	eachCrash(t, alertPoints, 2, func(ctx context.Context, t *testing.T, site *crash) {
		site.start(t)
		seller, err := player.Register(ctx, site.URL)
		must(t, err)
		watcher, err := player.Register(ctx, site.URL)
		must(t, err)
		testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, seller) }, "the welcome gifts did not arrive")
		god, pack := gift(ctx, t, seller, "listElderGods"), gift(ctx, t, seller, "listPacks")
		first, second := watch(ctx, t, watcher, god), watch(ctx, t, watcher, pack)

		site.arm(t)
		if err := list(ctx, seller, god); err != nil && !player.IsGone(err) {
			t.Fatalf("before the crash: %v", err)
		}
		site.restart(t)
		// Alerts are sent in the order of the changes: a duplicate of the first would arrive before the second.
		testkit.Eventually(t, waitTimeout, func() bool { return alertsOf(ctx, watcher)[first] > 0 }, "no alert of the listing")
		must(t, seller.RenewWallet(ctx))
		testkit.Eventually(t, waitTimeout, func() bool {
			err = list(ctx, seller, pack)
			return err == nil
		}, "the second listing was refused: %v", &err)
		testkit.Eventually(t, waitTimeout, func() bool { return alertsOf(ctx, watcher)[second] > 0 }, "no alert of the second listing")
		if got := alertsOf(ctx, watcher); got[first] != 1 || got[second] != 1 {
			t.Errorf("alerts by search: %v, want one of each", got)
		}
	})
}

// gift returns the first of the player's holdings of a list.
func gift(ctx context.Context, t *testing.T, p *player.Player, list string) player.Holding {
	t.Helper()
	held, err := p.Holdings(ctx, list)
	must(t, err)
	if len(held) == 0 {
		t.Fatalf("nothing in %s", list)
	}
	return held[0]
}

// watch saves a search of the token at up to 40 that alerts, and returns its id.
func watch(ctx context.Context, t *testing.T, p *player.Player, token player.Holding) string {
	t.Helper()
	var out struct{ SearchID string }
	must(t, p.Call(ctx, http.MethodPost, "/api/auth/marketplace/searches", map[string]any{
		"name": token.TokenID, "alerts": true, "filters": map[string]any{"contract": token.Contract, "tokenId": token.TokenID, "max": "40"},
	}, &out))
	return out.SearchID
}

// list lists the token at 33.
func list(ctx context.Context, p *player.Player, token player.Holding) error {
	id, _ := new(big.Int).SetString(token.TokenID, 10)
	op, err := p.Prepare(ctx, p.ListCalls(token.Contract, id, 33_000_000))
	if err == nil {
		_, err = p.Send(ctx, op)
	}
	return err
}

// alertsOf returns the number of the player's alerts by search; none if the site does not answer.
func alertsOf(ctx context.Context, p *player.Player) map[string]int {
	var page struct {
		Items []struct{ Kind, SearchID string }
	}
	if p.Call(ctx, http.MethodGet, "/api/auth/notifications", nil, &page) != nil {
		return nil
	}
	out := map[string]int{}
	for _, n := range page.Items {
		if n.Kind == "alert" {
			out[n.SearchID]++
		}
	}
	return out
}
