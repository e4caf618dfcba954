package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/site"
)

// itemRoute is the site's page of one item, as the web build names it.
const itemRoute = "/kod-marketplace/marketplace/item/:contract/:tokenId"

// itemURL returns the address of a token's page.
func itemURL(publicURL string, contract eth.Address, tokenID string) string {
	return publicURL + strings.NewReplacer(":contract", contract.Checksum(), ":tokenId", tokenID).Replace(itemRoute)
}

// marketPage is the site's market.
const marketPage = "/kod-marketplace"

// unlisted are the pages that only players see while the market is closed to visitors, who are led to the login instead. The
// market's other pages are built with noindex, since visitors never see them.
func unlisted(switches *flags.Service) map[string]func(context.Context) bool {
	isClosed := func(ctx context.Context) bool {
		return !switches.Enabled(ctx, flags.PublicMarket, flags.Context{Project: "portal"})
	}
	return map[string]func(context.Context) bool{marketPage: isClosed, itemRoute: isClosed}
}

// absent returns the site's pages of what neither the brand nor a file of the operator has.
func absent(of *base) (pages []string) {
	b := of.config.Brand
	has := func(kind collections.Kind) bool {
		return slices.ContainsFunc(b.Collections.Kinds(), func(k collections.KindEntry) bool { return k.Kind == kind })
	}
	for _, of := range []struct {
		has   bool
		pages []string
	}{
		{isBurned(b, collections.OpenPack), []string{"/kod-marketplace/packs"}},
		{of.config.GameRules != "" || len(of.tables().All()) > 0, []string{"/packs/odds", "/packs/verify", openingRoute}},
		{of.config.Shop.Products != "" || b.Products.Text != nil, []string{
			"/webstore/orders", "/webstore/orders/:id", productRoute, "/getuserinfo"}},
		{has(collections.Immortals), []string{"/portal/my-immortals"}},
		{isBurned(b, collections.BreakArk), []string{"/shipwright/account/arks"}},
		{len(b.Codes("followers")) > 0, []string{"/shipwright/account/followers"}},
		{len(b.Codes("tokens")) > 0, []string{"/shipwright/account/tokens"}},
	} {
		if !of.has {
			pages = append(pages, of.pages...)
		}
	}
	return pages
}

// describeItem gives an item's page its own title, and the share image of its collection: items' own images are SVG,
// which social networks do not show.
func describeItem(markets *market.Service, publicURL string) site.Describer {
	return func(ctx context.Context, params map[string]string) (site.Page, error) {
		contract, err := eth.ParseAddress(params["contract"])
		if err != nil {
			return site.Page{}, fs.ErrNotExist
		}
		token, err := markets.Token(ctx, contract, params["tokenId"])
		if fault.Is(err, fault.NotFound) {
			return site.Page{}, errors.Join(fs.ErrNotExist, err)
		}
		if err != nil {
			return site.Page{}, err
		}
		return site.Page{
			Title:       token.Name,
			Description: fmt.Sprintf("%s, %s. See who offers it and what it sold for.", token.Name, token.Rarity),
			Image:       "/share/collection-" + token.Collection + ".jpg",
			ImageAlt:    "The emblem of the collection that it is in",
			URL:         itemURL(publicURL, contract, token.TokenID),
		}, nil
	}
}

// openingRoute is the site's page of one opening's receipt, as the web build names it.
const openingRoute = "/packs/openings/:id"

// describeOpening gives an opening's page its own title, and an unknown opening the status 404.
func describeOpening(openings *packs.Service, publicURL string) site.Describer {
	return func(ctx context.Context, params map[string]string) (site.Page, error) {
		o, err := openings.Opening(ctx, params["id"])
		if fault.Is(err, fault.NotFound) {
			return site.Page{}, errors.Join(fs.ErrNotExist, err)
		}
		if err != nil {
			return site.Page{}, err
		}
		return site.Page{
			Title:       "The opening of a pack",
			Description: "What a pack held, and the proof: your browser repeats the draw from the public receipt, step by step.",
			URL:         publicURL + "/packs/openings/" + o.ID,
			NoIndex:     true,
		}, nil
	}
}

// productRoute is the site's page of one product of the webstore, as the web build names it.
const productRoute = "/webstore/products/:id"

// describeProduct gives a product's page its own title, and an unknown product the status 404. shop is nil without a webstore.
func describeProduct(shop *webstore.Service, publicURL string) site.Describer {
	return func(ctx context.Context, params map[string]string) (site.Page, error) {
		if shop == nil {
			return site.Page{}, fs.ErrNotExist
		}
		products, _, err := shop.Products(ctx, "", "")
		if err != nil {
			return site.Page{}, err
		}
		for _, p := range products {
			if id := strconv.FormatInt(p.ID, 10); id == params["id"] {
				return site.Page{
					Title:       p.Name,
					Description: p.Name + " in the webstore: what is in it, what it costs, and the odds where chance decides.",
					Image:       "/share/webstore.jpg",
					ImageAlt:    "The shelves of the webstore",
					URL:         publicURL + "/webstore/products/" + id,
				}, nil
			}
		}
		return site.Page{}, fs.ErrNotExist
	}
}
