package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// readiness returns the response of /readyz.
func readiness(t *testing.T, site *testkit.Site) (status int, checks map[string]string) {
	t.Helper()
	response, err := http.Get(site.URL + "/readyz")
	must(t, err)
	defer response.Body.Close()
	var body struct{ Checks map[string]string }
	must(t, json.NewDecoder(response.Body).Decode(&body))
	return response.StatusCode, body.Checks
}

func TestOutage_LostDatabaseIsSaidClearlyAndComesBackWithoutARestart(t *testing.T) {
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.PostgreSQL})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) }, "the welcome gifts did not arrive")
	listings, err := p.Listings(ctx, "avatars", 2)
	must(t, err)
	must(t, p.Hold(ctx, listings[0]))
	paid := pending{Player: p, listing: listings[0]}
	paid.bill(ctx, t)
	_, err = paid.pay()
	must(t, err)
	// The database fails while the payment is in progress.
	testkit.WithoutPostgres(t, func() {
		testkit.Eventually(t, waitTimeout, func() bool {
			status, checks := readiness(t, site)
			return status == http.StatusServiceUnavailable && checks["database"] == "cannot be reached" && checks["messages"] == "ok"
		}, "/readyz does not say that the database is lost")
		err := p.Call(ctx, http.MethodGet, "/api/auth/profile", nil, nil)
		var answer *player.Error
		if !errors.As(err, &answer) || answer.Status != http.StatusServiceUnavailable {
			t.Fatalf("a call without a database: %v\n%s", err, site.Log())
		}
		var problem struct {
			Success bool
			Message string
		}
		must(t, json.Unmarshal([]byte(answer.Body), &problem))
		if problem.Success || problem.Message != "We cannot reach our database just now. Please try again in a moment." {
			t.Fatalf("the player is told %q", problem.Message)
		}
		page, err := http.Get(site.URL + "/")
		must(t, err)
		page.Body.Close()
		if page.StatusCode != http.StatusOK {
			t.Fatalf("the page itself needs no database, but answers %d", page.StatusCode)
		}
	})
	testkit.Eventually(t, waitTimeout, site.Ready, "the site does not recover:\n%s", site.Log())
	testkit.Eventually(t, waitTimeout, func() bool {
		order, err := p.Order(ctx, paid.order.OrderID)
		return err == nil && order.State == "complete"
	}, "the purchase did not end:\n%s", site.Log())
	if owner := ownerOf(ctx, t, p, paid.listing); owner != p.Smart {
		t.Fatalf("the order is complete, but the item is %s's", owner)
	}
	testkit.Eventually(t, waitTimeout, func() bool { return p.Hold(ctx, listings[1]) == nil }, "no hold after the recovery")
}
