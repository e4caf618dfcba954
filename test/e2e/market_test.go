package e2e_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// fillMarket adds listings of avatars to the site's database, of one seller, as if they had been made on the chain.
func fillMarket(t *testing.T, site *testkit.Site, n int) {
	t.Helper()
	var config struct {
		Contracts struct {
			AvatarCollection eth.Address
			USDC             eth.Address
		}
		GameChain struct{ ID int64 }
	}
	if err := player.Visitor(site.URL).Call(t.Context(), http.MethodGet, "/api/config", nil, &config); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(site.Dir, "pantheon.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	contract := config.Contracts.AvatarCollection
	for begin := 0; begin < n; begin += 500 {
		if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for i := begin; i < min(begin+500, n); i++ {
				number := strconv.Itoa(1_000_000 + i)
				price := int64(i+1) * 10_000
				created := time.Now().Add(-time.Duration(i) * time.Minute)
				row := gen.Listing{
					ID: strconv.FormatInt(config.GameChain.ID, 10) + "-" + number, ChainID: onchain.ChainID(config.GameChain.ID), ListingID: number,
					Contract: contract, TokenID: number, Seller: eth.MustAddress("0x00000000000000000000000000000000000005e1"), Quantity: 1,
					Currency: config.Contracts.USDC, Price: money.FromInt(price), PriceRank: price, Valid: true,
					EndAt: column.At(time.UnixMilli(math.MaxInt64)), Status: string(market.Active), CreatedAt: column.At(created),
					UpdatedAt: column.At(created),
				}
				token := gen.InsertTokenParams{
					Contract: contract, TokenID: number, Collection: "avatars", Name: fmt.Sprintf("Bystander %d", i+1), Kind: "avatar",
					Rarity: "common", Attributes: "[]", Words: "bystander " + strconv.Itoa(i+1),
				}
				if err := index.AddListing(ctx, tx, row, token); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// A player's saved search alerts them of what another lists, and the alert's button holds it. What alerts is tested on both
// databases: one engine is enough.
func TestJourney_SavedSearchAlertsAndItsButtonHolds(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "alerts.mjs")
}

// A long list renders what is near the viewport, and keeps its place on the way back. Rendering does not depend on the
// database: one engine is enough.
func TestJourney_LongListKeepsItsPlace(t *testing.T) {
	t.Parallel()
	flags := newFlagsFile(t)
	flags.write(strings.Replace(flags.good, "key: public_market\n    enabled: false", "key: public_market\n    enabled: true", 1))
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"FLAGS_FILE=" + flags.path}})
	listings := 5_000
	if testing.Short() {
		listings = 1_000
	}
	fillMarket(t, site, listings)
	out, err := run(t.Context(), site, "long-list.mjs", fmt.Sprint("LISTINGS=", listings))
	report(t, site, "long-list.mjs", out, err)
}
