package e2e_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// flagsFile is a copy of the built-in flags, which the running site reloads when it changes.
type flagsFile struct {
	t    *testing.T
	path string
	good string
	at   time.Time
}

func newFlagsFile(t *testing.T) *flagsFile {
	t.Helper()
	text, err := os.ReadFile("../../brands/pantheon/flags.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := &flagsFile{t: t, path: filepath.Join(t.TempDir(), "flags.yaml"), good: string(text), at: time.Now()}
	f.write(f.good)
	return f
}

// write changes the file; its modification time differs each time, whatever the file system's resolution.
func (f *flagsFile) write(text string) {
	f.t.Helper()
	f.at = f.at.Add(time.Second)
	if err := errors.Join(os.WriteFile(f.path, []byte(text), 0o600), os.Chtimes(f.path, f.at, f.at)); err != nil {
		f.t.Fatal(err)
	}
}

// set switches purchases on or off and waits until the site has noticed.
func (f *flagsFile) set(ctx context.Context, p *player.Player, on bool) {
	f.t.Helper()
	text := f.good
	if !on {
		text = strings.Replace(text, "key: purchase\n    enabled: true", "key: purchase\n    enabled: false", 1)
	}
	f.write(text)
	testkit.Eventually(f.t, 10*time.Second, func() bool {
		var answer struct {
			Flags map[string]struct{ Enabled bool }
		}
		err := p.Call(ctx, http.MethodGet, "/api/proxy/feature-flag/getEvaluatedFeatureFlags", nil, &answer)
		return err == nil && answer.Flags["purchase"].Enabled == on
	}, "the site does not notice that the flags file has changed")
}

// The kill switch stops purchases at once, at every step, while everything can still be read; pending purchases
// continue when it is released.
// Spec: FLAG-7
func TestSwitches_KillSwitchStopsPurchasesOfARunningSite(t *testing.T) {
	t.Parallel()
	flags := newFlagsFile(t)
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"FLAGS_FILE=" + flags.path}})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	p, err := player.Register(ctx, site.URL)
	must(err)
	must(p.Hold(ctx, offered(ctx, t, p, 1)[0]))
	var order player.Order
	testkit.Eventually(t, time.Minute, func() bool { // once the welcome gift has arrived
		order, err = p.Checkout(ctx)
		return err == nil
	}, "paying does not start: %v", &err)
	op, err := p.Prepare(ctx, order.Calls) // sponsored and signed: only sending is left
	must(err)

	flags.set(ctx, p, false)
	const paused = "Buying is paused for now."
	if _, err := p.Send(ctx, op); err == nil || !strings.Contains(err.Error(), paused) {
		t.Errorf("sending a purchase that was signed before: %v", err)
	}
	if _, err := p.Prepare(ctx, order.Calls); err == nil || !strings.Contains(err.Error(), paused) {
		t.Errorf("sponsoring a purchase: %v", err)
	}
	var refused *player.Error
	if _, err := p.Checkout(ctx); !errors.As(err, &refused) || refused.Status != http.StatusConflict ||
		!strings.Contains(refused.Body, paused) {
		t.Errorf("starting to pay: %v", err)
	}
	for _, path := range []string{
		"/api/marketplace/collections", "/api/auth/marketplace/cart", "/api/auth/marketplace/checkout/" + order.OrderID, "/api/auth/profile",
	} {
		must(p.Call(ctx, http.MethodGet, path, nil, nil))
	}

	flags.set(ctx, p, true)
	_, err = p.Send(ctx, op)
	must(err)
	testkit.Eventually(t, time.Minute, func() bool {
		order, err = p.Order(ctx, order.OrderID)
		must(err)
		return order.State == "complete"
	}, "the order does not end: %+v", &order)
}

// offered returns the n cheapest avatars of a new site's market, which is filled while the site already answers.
func offered(ctx context.Context, t *testing.T, p *player.Player, n int) (listings []player.Listing) {
	t.Helper()
	testkit.Eventually(t, 30*time.Second, func() bool {
		var err error
		listings, err = p.Listings(ctx, "avatars", n)
		return err == nil && len(listings) == n
	}, "the market has no %d avatars", n)
	return listings
}
