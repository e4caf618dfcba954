package app

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/testkit"
)

// noOffers is a store before the shop's first answer.
type noOffers struct{ webstore.Store }

func (noOffers) Offers(context.Context) (map[int64]webstore.Offer, time.Time, error) {
	return nil, time.Time{}, nil
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
