package api_test

import (
	"net/netip"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/portal/country"
	portalpacks "pantheon/internal/portal/packs"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

// buyers says that the items which testkit lists are packs, not sold in Belgium.
func buyers(p *portal) *portalpacks.Buyers {
	return portalpacks.NewBuyers(rewards.New(p.db), p.clock, items, []string{"BE"})
}

type packBuyer struct {
	AgeConfirmedAt *time.Time
	Refusal        string
}

// Spec: PACK-6
func TestPacks_AgeIsConfirmedOnceBeforeTheFirstPurchase(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	testkit.List(t, p.db, testkit.Offer{Number: "3", Quantity: 2})
	held := p.add(hera, "3", "")
	p.api.PackBuyers = buyers(p)

	refused := p.mustBeProblem("addToCart", p.add(zeus, "3", ""), 409)
	if refused.Reason != "age-unconfirmed" || refused.Detail != "Please confirm that you are 18 or older." {
		t.Errorf("refused by %q: %q", refused.Reason, refused.Detail)
	}
	if refused := p.mustBeProblem("startCheckout", p.send(hera.authorized(routes["startCheckout"].honest(hera), player)),
		409); held.status != 200 || refused.Reason != "age-unconfirmed" {
		t.Errorf("checkout of a pack that is held: refused by %q", refused.Reason)
	}
	confirm := zeus.authorized(request{method: "POST", path: "/api/auth/packs/confirm-age"}, player)
	for range 2 { // only the first counts
		p.mustSucceed(confirm, 200)
		p.clock.Advance(time.Minute)
	}
	var got packBuyer
	p.json(p.send(zeus.authorized(request{method: "GET", path: "/api/auth/packs/buyer"}, player)), &got)
	if got.AgeConfirmedAt == nil || !got.AgeConfirmedAt.Equal(opening) || got.Refusal != "" {
		t.Errorf("confirmed at %v, refused by %q", got.AgeConfirmedAt, got.Refusal)
	}
	if a := p.add(zeus, "3", ""); a.status != 200 {
		t.Errorf("addToCart: %d %s", a.status, a.text)
	}
	if a := p.send(zeus.authorized(routes["startCheckout"].honest(zeus), player)); a.status != 201 {
		t.Errorf("startCheckout: %d %s", a.status, a.text)
	}
	var other packBuyer
	p.json(p.send(hera.authorized(request{method: "GET", path: "/api/auth/packs/buyer"}, player)), &other)
	if other.AgeConfirmedAt != nil {
		t.Error("one player's confirmation counts for another")
	}
}

func TestPacks_AreNotSoldToUnreadableAddressesWhereACountryIsForbidden(t *testing.T) {
	t.Parallel()
	places, err := country.New(country.Options{Ranges: testkit.CountryRanges(t, map[string]string{"198.51.100.0/24": "BE"})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = places.Close() })
	p := open(t, func(o *api.Options) {
		o.Country, o.Trusted = places, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	zeus := p.admit("zeus", "1")
	testkit.List(t, p.db, testkit.Offer{Number: "3", Quantity: 2})
	p.api.PackBuyers = buyers(p)
	add := zeus.authorized(routes["addToCart"].honest(actor{id: zeus.id, listing: "3"}), player)
	add.from = proxyAddress
	for _, forwarded := range []string{"garbage", "198.51.100.9:51008"} {
		add.forwarded = forwarded
		if refused := p.mustBeProblem(forwarded, p.send(add), 403); refused.Reason != "packs-country" {
			t.Errorf("%s: refused by %q", forwarded, refused.Reason)
		}
	}
}

// Spec: PACK-7
func TestPacks_AreNotSoldInForbiddenCountries(t *testing.T) {
	t.Parallel()
	places, err := country.New(country.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, func(o *api.Options) {
		o.Country, o.CountryHeader, o.Trusted = places, "CF-IPCountry", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	zeus := p.admit("zeus", "1")
	testkit.List(t, p.db, testkit.Offer{Number: "3", Quantity: 2})
	add := zeus.authorized(routes["addToCart"].honest(actor{id: zeus.id, listing: "3"}), player)
	p.mustSucceed(from("BE", add), 200) // not a pack
	p.api.PackBuyers = buyers(p)
	p.mustSucceed(from("DE", zeus.authorized(request{method: "POST", path: "/api/auth/packs/confirm-age"}, player)), 200)
	pay := zeus.authorized(routes["startCheckout"].honest(zeus), player)

	for what, call := range map[string]request{"addToCart": add, "startCheckout": pay} {
		if refused := p.mustBeProblem(what, p.send(from("BE", call)), 403); refused.Reason != "packs-country" {
			t.Errorf("%s: refused by %q", what, refused.Reason)
		}
	}
	for code, refusal := range map[string]string{
		"BE": "Packs are not sold in the country you seem to be in. You can still open those that you own.", "DE": "", "XX": "",
	} {
		var got packBuyer
		p.json(p.send(from(code, zeus.authorized(request{method: "GET", path: "/api/auth/packs/buyer"}, player))), &got)
		if got.Refusal != refusal {
			t.Errorf("from %s: %q", code, got.Refusal)
		}
	}
	p.mustSucceed(from("BE", zeus.authorized(request{method: "GET", path: "/api/auth/packs/openings"}, player)), 200)
	p.mustSucceed(from("DE", add), 200)
	p.mustSucceed(from("XX", pay), 201)
}
