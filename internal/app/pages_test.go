package app

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/testkit"
)

// noOffers is a store before the shop's first answer.
type noOffers struct{ webstore.Store }

func (noOffers) Offers(context.Context) (map[int64]webstore.Offer, time.Time, error) {
	return nil, time.Time{}, nil
}

func (noOffers) CardUse(context.Context, string, time.Time) (use webstore.CardUse, err error) {
	return use, nil
}

func TestPages_ProductHasItsNameAndUnknownOnesAreNotFound(t *testing.T) {
	t.Parallel()
	const products = "products:\n  - id: 200\n    type: gold-pack\n    name: InfiniGold\n    variations:\n" +
		"      - {id: 201, name: A pouch, price: \"2.99\", gives: [{currency: ig, amount: 500}]}\n"
	catalogue := testkit.Catalogue(t, products)
	shop := webstore.NewService(webstore.Options{
		Store: noOffers{}, Catalogue: func() *webstore.Catalogue { return catalogue }, Clock: clock.NewFake(time.Unix(1_800_000_000, 0)),
	})
	for id, known := range map[string]bool{"200": true, "201": false, "0200": false, "abc": false} {
		page, err := describeProduct(shop, "https://x.example")(t.Context(), map[string]string{"id": id})
		switch {
		case !known && !errors.Is(err, fs.ErrNotExist):
			t.Errorf("product %s: %+v, %v; want fs.ErrNotExist", id, page, err)
		case known && (err != nil || page.Title != "InfiniGold" || page.URL != "https://x.example/webstore/products/200"):
			t.Errorf("product %s: %+v, %v", id, page, err)
		case known && (len(page.Description) < 70 || len(page.Description) > 160):
			t.Errorf("the description %q has %d characters; want 70 to 160", page.Description, len(page.Description))
		}
	}
	if _, err := describeProduct(nil, "https://x.example")(t.Context(), map[string]string{"id": "200"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a webstore: %v; want fs.ErrNotExist", err)
	}
}

// Spec: ACCESS-9
func TestPages_MarketAndItsItemsAreUnlistedUntilVisitorsMayEnter(t *testing.T) {
	t.Parallel()
	closed, err := os.ReadFile("../../brands/pantheon/flags.yaml")
	if err != nil {
		t.Fatal(err)
	}
	open := strings.Replace(string(closed), "key: public_market\n    enabled: false", "key: public_market\n    enabled: true", 1)
	for text, want := range map[string]bool{string(closed): true, open: false} {
		path := filepath.Join(t.TempDir(), "flags.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		switches, err := flags.New(t.Context(), flags.Options{Path: path, Environment: "dev", Report: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		pages := unlisted(switches)
		if got := slices.Sorted(maps.Keys(pages)); !slices.Equal(got, []string{
			"/kod-marketplace", "/kod-marketplace/marketplace/item/:contract/:tokenId",
		}) {
			t.Errorf("the pages are %v", got)
		}
		for page, isUnlisted := range pages {
			if got := isUnlisted(t.Context()); got != want {
				t.Errorf("%s is unlisted: %v, want %v", page, got, want)
			}
		}
	}
}
