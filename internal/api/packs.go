package api

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
)

// PackProducts are the kinds of KOD pack.
type PackProducts struct {
	Products []PackProduct `json:"products" doc:"The kinds, in the order of the shelf." nullable:"false"`
}

// PackProduct is one kind of KOD pack.
type PackProduct struct {
	ProductID string          `json:"productId" doc:"Id of the pack's token, decimal."`
	Kind      string          `json:"kind" doc:"general, avatar or god." enum:"general,avatar,god"`
	Name      string          `json:"name" doc:"Its name."`
	Image     string          `json:"image" doc:"Address of its picture, relative to the site."`
	Contract  eth.Address     `json:"contract" doc:"The packs' contract."`
	Available int64           `json:"available" doc:"How many are for sale." minimum:"0"`
	Offer     *PackOffer      `json:"offer,omitempty" doc:"The cheapest of the portal's listings; absent when none is for sale."`
	Odds      *PackTable      `json:"odds,omitempty" doc:"The drop table in force; absent without one."`
	Next      *PackTableBegin `json:"next,omitempty" doc:"The announced version that follows; absent without one."`
}

// PackOffer is a listing of packs.
type PackOffer struct {
	ID            string `json:"_id" doc:"The listing's id in the portal."`
	ListingID     string `json:"listingId" doc:"The marketplace contract's own listing number."`
	Quantity      int64  `json:"quantity" doc:"Units for sale in this listing." minimum:"1"`
	Price         string `json:"price" doc:"Price of one pack, decimal."`
	PricePerToken string `json:"pricePerToken" doc:"Price of one pack, in the currency's base units."`
}

// PackTableBegin is a version of a drop table and when it begins.
type PackTableBegin struct {
	Version int       `json:"version" doc:"The version."`
	From    time.Time `json:"from" doc:"What is burned or recorded as paid from this time on is drawn by it."`
	Hash    string    `json:"hash" doc:"Hex SHA-256 of the canonical table."`
}

// PackTable is one version of a drop table, as it was announced.
type PackTable struct {
	Version int        `json:"version" doc:"The version."`
	From    time.Time  `json:"from" doc:"What is burned or recorded as paid from this time on is drawn by it."`
	Hash    string     `json:"hash" doc:"Hex SHA-256 of the canonical table."`
	Total   int64      `json:"total" doc:"What the weights add up to."`
	Pity    *PackPity  `json:"pity,omitempty" doc:"The guarantee after bad luck; absent without one."`
	Drops   []PackDrop `json:"drops" doc:"The drops, in the table's order." nullable:"false"`
}

// PackPity guarantees a rarity after a run of openings without it.
type PackPity struct {
	After  int    `json:"after" doc:"How many openings in a row without the rarity."`
	Rarity string `json:"rarity" doc:"The rarity; rarer ones count too."`
}

// PackDrop is one drop of a table.
type PackDrop struct {
	ID         string     `json:"id" doc:"Its id in the table."`
	Name       string     `json:"name" doc:"Its name."`
	Rarity     string     `json:"rarity" doc:"Its rarity."`
	Weight     int64      `json:"weight" doc:"Its share of the total."`
	Cap        int64      `json:"cap,omitempty" doc:"How many there are in all; absent without a cap."`
	Substitute string     `json:"substitute,omitempty" doc:"The drop in its place when there are none left."`
	Gives      []PackGive `json:"gives" doc:"What it consists of." nullable:"false"`
	Image      string     `json:"image" doc:"Address of the picture of its first token with a fixed id, relative to the site; empty without one."`
}

// PackGive is one part of a drop.
type PackGive struct {
	Collection string `json:"collection,omitempty" doc:"Slug of the token's collection."`
	Token      string `json:"token,omitempty" doc:"The token's id, decimal; absent for a new token, whose id is drawn too."`
	Currency   string `json:"currency,omitempty" doc:"The currency's code."`
	Amount     int64  `json:"amount" doc:"How many."`
}

// PackOdds are all drop tables with what was drawn by them.
type PackOdds struct {
	Beacon PackBeacon      `json:"beacon" doc:"The public randomness beacon that decides openings."`
	Tables []PackTableOdds `json:"tables" doc:"All versions, the newest of each kind first; the kinds that are bought in the shop after the others." nullable:"false"`
}

// PackBeacon describes the beacon as receipts name it.
type PackBeacon struct {
	Scheme    string   `json:"scheme" doc:"The beacon's scheme."`
	PublicKey string   `json:"publicKey" doc:"Its public key, in hex."`
	Genesis   int64    `json:"genesis" doc:"When it published its first round, in seconds since 1970."`
	Period    int64    `json:"period" doc:"Seconds between its rounds."`
	Quicknet  bool     `json:"quicknet" doc:"Whether it is drand's quicknet. A development beacon is no public source of randomness."`
	URLs      []string `json:"urls" doc:"Where its rounds can be had: {url}/public/{round}." nullable:"false"`
}

// PackTableOdds is a version of a drop table with what was drawn by it.
type PackTableOdds struct {
	PackTable
	Kind         string         `json:"kind" doc:"The kind of pack, such as general or destiny-gold."`
	InShop       bool           `json:"inShop" doc:"Whether packs of the kind are bought in the shop and opened when they are paid for. All others are opened by burning them."`
	InForce      bool           `json:"inForce" doc:"Whether packs are drawn by it now."`
	Announced    bool           `json:"announced" doc:"Whether it begins later."`
	Canonical    string         `json:"canonical" doc:"The text whose SHA-256 is the hash."`
	Openings     int64          `json:"openings" doc:"Openings by this version."`
	Free         int64          `json:"free" doc:"Of these, drawn among all drops: not by the pity rule."`
	Results      []PackResult   `json:"results" doc:"What was drawn of each drop, in the table's order." nullable:"false"`
	ChiSquare    *PackChiSquare `json:"chiSquare,omitempty" doc:"Pearson's test of the free draws against the weights; absent before the first."`
	Waiting      int64          `json:"waiting" doc:"Openings of the kind that are not drawn yet; with the version in force only."`
	WaitingSince *time.Time     `json:"waitingSince,omitempty" doc:"The time of the burn or payment of the oldest of these."`
}

// PackResult is how often one drop was drawn.
type PackResult struct {
	ID       string  `json:"id" doc:"The drop's id."`
	Promised float64 `json:"promised" doc:"Its share by weight, 0 to 1."`
	Drawn    int64   `json:"drawn" doc:"How often it was given."`
	Hit      int64   `json:"hit" doc:"How often its weight was hit in free draws, before any substitute."`
	Low      float64 `json:"low" doc:"Lower end of the 95 % interval of its share of the free draws."`
	High     float64 `json:"high" doc:"Upper end of the interval."`
}

// PackChiSquare is the result of Pearson's chi-square test.
type PackChiSquare struct {
	Statistic float64 `json:"statistic" doc:"The statistic."`
	Degrees   int     `json:"degrees" doc:"Degrees of freedom."`
	P         float64 `json:"p" doc:"The probability of a statistic at least as large by chance."`
}

type openingPath struct {
	ID string `path:"id" doc:"The opening's id." pattern:"^([0-9]{1,20}-0x[0-9a-f]{64}(-[0-9]{1,20}){2}|[a-z][a-z0-9]*(-[a-z0-9]+)*(-[0-9]{1,20}){3})$" maxLength:"140"`
}

// OpeningProof is the public proof of an opening.
type OpeningProof struct {
	OpeningID string           `json:"openingId" doc:"The opening's id. Of a burn: chain, transaction, index of the log, number of the copy. Of a purchase: shop, order, line, unit."`
	Kind      string           `json:"kind" doc:"The kind of pack."`
	State     string           `json:"state" doc:"waiting: the beacon's round decides it. drawn. failed: it can never be drawn." enum:"waiting,drawn,failed"`
	Message   string           `json:"message" doc:"Why it failed; empty otherwise."`
	Burn      *OpeningBurn     `json:"burn,omitempty" doc:"The burn of the pack; absent for one that was bought in the shop."`
	Purchase  *OpeningPurchase `json:"purchase,omitempty" doc:"The purchase of the pack in the shop; absent for one that was burned."`
	Round     uint64           `json:"round" doc:"The beacon's round that decides it."`
	RoundAt   time.Time        `json:"roundAt" doc:"When the round is published."`
	DrawnAt   *time.Time       `json:"drawnAt,omitempty" doc:"When it was drawn; absent before."`
	Version   int              `json:"version,omitempty" doc:"The version of the drop table; absent before the draw."`
	Drop      string           `json:"drop,omitempty" doc:"The drop's id; absent before the draw."`
	Receipt   string           `json:"receipt,omitempty" doc:"The receipt, as text: everything that the outcome follows from. Absent before the draw."`
}

// OpeningBurn is the burn of an opened pack.
type OpeningBurn struct {
	ChainID   onchain.ChainID `json:"chainId" doc:"The chain."`
	TxID      eth.Hash        `json:"txId" doc:"The transaction."`
	Wallet    eth.Address     `json:"wallet" doc:"The wallet that burned the pack, whose openings count for the pity rule."`
	BlockTime time.Time       `json:"blockTime" doc:"The time of the block."`
}

// OpeningPurchase is the purchase of a pack that was opened when it was paid for.
type OpeningPurchase struct {
	Shop       string    `json:"shop" doc:"The shop's name."`
	Order      uint64    `json:"order" doc:"The order's number in the shop."`
	Line       uint64    `json:"line" doc:"The line of the order."`
	Unit       uint64    `json:"unit" doc:"The unit of the line."`
	RecordedAt time.Time `json:"recordedAt" doc:"When the portal first recorded the payment."`
}

// PackBuyer says whether the player may buy packs.
type PackBuyer struct {
	AgeConfirmedAt *time.Time `json:"ageConfirmedAt,omitempty" doc:"When the player confirmed being 18 or older; absent before."`
	Refusal        string     `json:"refusal,omitempty" doc:"Why no packs are sold in the country of the connection; absent if they are."`
}

func (a *API) registerPacks() {
	public(a, call{
		method: http.MethodGet, path: "/api/marketplace/getProducts", id: "getPackProducts", tag: tagMarket, summary: "The kinds of KOD pack: price, availability and odds",
	}, a.packProducts)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/odds", id: "getPackOdds", tag: tagMarket, summary: "What each drop table promises, and what was drawn by it",
	}, a.packOdds)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/openings/{id}", id: "getOpening", tag: tagMarket, summary: "The public proof of an opening", errors: []int{400, 404},
	}, a.opening)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/packs/buyer", id: "getPackBuyer", tag: tagMarket, summary: "Whether the player may buy packs",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[PackBuyer], error) {
		at, err := a.PackBuyers.AgeConfirmed(ctx, c.PlayerID)
		return a.packBuyer(ctx, at, err)
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/packs/confirm-age", id: "confirmAge", tag: tagMarket,
		summary: "Confirm that the player is 18 or older, which buying packs needs; kept with its time",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[PackBuyer], error) {
		at, err := a.PackBuyers.ConfirmAge(ctx, c.PlayerID)
		return a.packBuyer(ctx, at, err)
	})
}

func (a *API) packBuyer(ctx context.Context, confirmed time.Time, err error) (*Body[PackBuyer], error) {
	if err != nil {
		return nil, err
	}
	var out PackBuyer
	if !confirmed.IsZero() {
		out.AgeConfirmedAt = &confirmed
	}
	if err := a.PackBuyers.Sold(countryOf(ctx)); err != nil {
		out.Refusal = err.Error()
	}
	return body(out), nil
}

func (a *API) packProducts(ctx context.Context, _ *Empty) (*Body[PackProducts], error) {
	products, err := a.Packs.Products(ctx)
	if err != nil {
		return nil, err
	}
	out := PackProducts{Products: make([]PackProduct, len(products))}
	contract, _, _, _ := a.Goods.Collection("chests")
	for i, p := range products {
		item := a.Goods.Item(contract, p.TokenID)
		product := PackProduct{ProductID: p.TokenID, Kind: p.Tables, Name: p.Name, Image: item.Image, Contract: contract, Available: p.Available}
		if p.Offer != nil {
			product.Offer = &PackOffer{
				ID: p.Offer.ID, ListingID: p.Offer.Number, Quantity: p.Offer.Quantity, Price: a.price(p.Offer.Price), PricePerToken: p.Offer.Price.String(),
			}
		}
		if p.Table != nil {
			t := a.packTable(*p.Table)
			product.Odds = &t
		}
		if p.Next != nil {
			product.Next = &PackTableBegin{Version: p.Next.Version, From: p.Next.From, Hash: hashOf(*p.Next)}
		}
		out.Products[i] = product
	}
	return body(out), nil
}

func hashOf(t draw.Table) string {
	h := t.Hash()
	return hex.EncodeToString(h[:])
}

func (a *API) packTable(t draw.Table) PackTable {
	out := PackTable{Version: t.Version, From: t.From, Hash: hashOf(t), Total: t.Total, Drops: make([]PackDrop, len(t.Drops))}
	if t.Pity != nil {
		out.Pity = &PackPity{After: t.Pity.After, Rarity: string(t.Pity.Rarity)}
	}
	for i, d := range t.Drops {
		drop := PackDrop{ID: d.ID, Name: d.Name, Rarity: string(d.Rarity), Weight: d.Weight, Cap: d.Cap, Substitute: d.Substitute, Gives: []PackGive{}}
		for _, g := range d.Gives {
			drop.Gives = append(drop.Gives, PackGive(g))
			if g.Token == "" || drop.Image != "" {
				continue
			}
			if contract, _, _, ok := a.Goods.Collection(g.Collection); ok {
				drop.Image = a.Goods.Item(contract, g.Token).Image
			}
		}
		out.Drops[i] = drop
	}
	return out
}

func (a *API) packOdds(ctx context.Context, _ *Empty) (*Body[PackOdds], error) {
	odds, err := a.Packs.Odds(ctx)
	if err != nil {
		return nil, err
	}
	out := PackOdds{Tables: make([]PackTableOdds, len(odds)), Beacon: PackBeacon{
		Scheme: draw.Scheme, PublicKey: a.Beacon.PublicKey, Genesis: a.Beacon.Schedule.Genesis.Unix(),
		Period: int64(a.Beacon.Schedule.Period / time.Second), URLs: append([]string{}, a.BeaconURLs...),
	}}
	out.Beacon.Quicknet = draw.Quicknet(draw.ReceiptBeacon{
		Scheme: out.Beacon.Scheme, PublicKey: out.Beacon.PublicKey, Genesis: out.Beacon.Genesis, Period: out.Beacon.Period,
	})
	now := a.Clock.Now()
	for i, o := range odds {
		t := PackTableOdds{
			PackTable: a.packTable(o.Table), Kind: o.Table.Kind, InShop: o.InShop, InForce: o.InForce, Announced: o.Table.From.After(now), Canonical: string(o.Table.Canonical()),
			Openings: o.Drawn, Free: o.Hits, Results: make([]PackResult, len(o.Drops)), Waiting: o.Waiting.Openings,
		}
		if o.Waiting.Openings > 0 {
			t.WaitingSince = &o.Waiting.Since
		}
		if o.Tested {
			t.ChiSquare = &PackChiSquare{Statistic: o.Statistic, Degrees: o.Degrees, P: o.P}
		}
		for j, d := range o.Drops {
			t.Results[j] = PackResult{ID: d.ID, Promised: float64(d.Weight) / float64(o.Table.Total), Drawn: d.Drawn, Hit: d.Hit, Low: d.Low, High: d.High}
		}
		out.Tables[i] = t
	}
	return body(out), nil
}

func (a *API) opening(ctx context.Context, in *openingPath) (*Body[OpeningProof], error) {
	o, err := a.Packs.Opening(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := OpeningProof{
		OpeningID: o.ID, Kind: o.Kind, State: "waiting", Message: o.Error, Round: o.Round, RoundAt: a.Beacon.Schedule.PublishedAt(max(o.Round, 1)),
	}
	switch of := o.Origin.(type) {
	case draw.Burn:
		out.Burn = &OpeningBurn{ChainID: of.Chain, TxID: of.Tx, Wallet: o.Wallet, BlockTime: o.At}
	case draw.Purchase:
		out.Purchase = &OpeningPurchase{Shop: of.Shop, Order: of.Order, Line: of.Line, Unit: of.Unit, RecordedAt: o.At}
	}
	switch {
	case o.Error != "":
		out.State = "failed"
	case !o.DrawnAt.IsZero():
		out.State, out.DrawnAt, out.Version, out.Drop, out.Receipt = "drawn", &o.DrawnAt, o.Version, o.Drop, string(o.Receipt)
	}
	return body(out), nil
}
