package api

import (
	"context"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
)

// PackOptions are what the calls about packs and their openings need.
type PackOptions struct {
	Packs      *packs.Service
	PackBuyers *packs.Buyers
	Goods      packs.Goods
	Beacon     packs.BeaconInfo
	BeaconURLs []string // where browsers can have its rounds
	DrawRules  DrawRules
}

// DrawRules are what the public compares receipts with.
type DrawRules struct {
	Margin time.Duration // of the chain of the packs; see draw.Schedule.RoundAfter
	Wallet PackWallet    // that fixes tables and anchors the log of payments
	// Wallets are all that have done so on that chain, Wallet first.
	Wallets []eth.Address
}

// PackProducts are the kinds of KOD pack.
type PackProducts struct {
	Products []PackProduct `json:"products" doc:"The kinds, in the order of the shelf." nullable:"false"`
}

// PackProduct is one kind of KOD pack.
type PackProduct struct {
	ProductID string        `json:"productId" doc:"Id of the pack's token, decimal: of the edition of the offer, else of the newest."`
	Kind      string        `json:"kind" doc:"general, avatar or god." enum:"general,avatar,god"`
	Name      string        `json:"name" doc:"Its name."`
	Image     string        `json:"image" doc:"Address of its picture, relative to the site."`
	Contract  eth.Address   `json:"contract" doc:"The packs' contract."`
	Available int64         `json:"available" doc:"How many are for sale, over all editions." minimum:"0"`
	Offer     *PackOffer    `json:"offer,omitempty" doc:"The cheapest of the portal's listings; absent when none is for sale."`
	Odds      *PackTable    `json:"odds,omitempty" doc:"The drop table of productId's edition; absent without one."`
	Rarities  []PackRarity  `json:"rarities" doc:"That edition's chances by the rarity of what is got, the most common first." nullable:"false"`
	Editions  []PackEdition `json:"editions" doc:"The editions that are for sale, the newest first." nullable:"false"`
}

// PackEdition is an edition of a kind of pack that is for sale.
type PackEdition struct {
	Edition   int    `json:"edition" doc:"Its number, from 1."`
	TokenID   string `json:"tokenId" doc:"Id of the pack's token, decimal."`
	Available int64  `json:"available" doc:"How many are for sale."`
	Hash      string `json:"hash" doc:"Hex SHA-256 of the canonical table."`
}

// PackOffer is a listing of packs.
type PackOffer struct {
	ID            string `json:"_id" doc:"The listing's id in the portal."`
	ListingID     string `json:"listingId" doc:"The marketplace contract's own listing number."`
	TokenID       string `json:"tokenId" doc:"Id of the pack's token, decimal."`
	Quantity      int64  `json:"quantity" doc:"Units for sale in this listing." minimum:"1"`
	Price         string `json:"price" doc:"Price of one pack, decimal."`
	PricePerToken string `json:"pricePerToken" doc:"Price of one pack, in the currency's base units."`
}

// PackTable is the drop table of one edition of a kind of pack. It never changes.
type PackTable struct {
	Kind    string     `json:"kind" doc:"The kind of pack, such as general or destiny-gold."`
	Edition int        `json:"edition" doc:"The edition, from 1."`
	Token   string     `json:"token,omitempty" doc:"Id of the pack's token, decimal; absent for packs that are opened when they are paid for."`
	Hash    string     `json:"hash" doc:"Hex SHA-256 of the canonical table."`
	Total   int64      `json:"total" doc:"What the weights add up to."`
	Pity    *PackPity  `json:"pity,omitempty" doc:"The guarantee after bad luck; absent without one."`
	Caps    []PackCap  `json:"caps,omitempty" doc:"The items of which there is a limited number; absent without any."`
	Drops   []PackDrop `json:"drops" doc:"The drops, in the table's order." nullable:"false"`
	Fixed   *PackFixed `json:"fixed,omitempty" doc:"Where the table's hash is fixed; absent while it is not."`
	OnSale  bool       `json:"onSale" doc:"Whether packs of this edition are sold now."`
}

// PackFixed says where a table's hash is fixed, for good.
type PackFixed struct {
	ChainID   onchain.ChainID `json:"chainId" doc:"The chain."`
	By        string          `json:"by" doc:"contract: the packs' contract, for the token's id. wallet: a transaction of a wallet of the portal has it." enum:"contract,wallet"`
	Address   eth.Address     `json:"address" doc:"The contract or the wallet."`
	Tx        eth.Hash        `json:"tx" doc:"The transaction."`
	Block     uint64          `json:"block" doc:"The block's number."`
	BlockTime time.Time       `json:"blockTime" doc:"The block's time."`
}

// PackPity guarantees a rarity after a run of openings without it.
type PackPity struct {
	After  int    `json:"after" doc:"How many openings in a row without the rarity."`
	Rarity string `json:"rarity" doc:"The rarity; rarer ones count too."`
}

// PackCap is an item of which openings give a limited number, over all editions of the kind.
type PackCap struct {
	Item  string `json:"item" doc:"Slug of a collection for its new tokens; slug/id for copies of a token."`
	Most  int64  `json:"most" doc:"How many there are in all."`
	Given int64  `json:"given" doc:"How many openings have given."`
	Left  int64  `json:"left" doc:"How many are left." minimum:"0"`
}

// PackDrop is one drop of a table.
type PackDrop struct {
	ID         string     `json:"id" doc:"Its id in the table."`
	Name       string     `json:"name" doc:"Its name."`
	Rarity     string     `json:"rarity" doc:"Its rarity. A new token in it is at least that rare."`
	Weight     int64      `json:"weight" doc:"Its share of the total."`
	Substitute string     `json:"substitute,omitempty" doc:"The drop in its place when a limited item has run out."`
	Gives      []PackGive `json:"gives" doc:"What it consists of." nullable:"false"`
	Image      string     `json:"image" doc:"Address of the picture of its first token with a fixed id, relative to the site; empty without one."`
}

// PackGive is one part of a drop.
type PackGive struct {
	Collection string        `json:"collection,omitempty" doc:"Slug of the token's collection."`
	Token      string        `json:"token,omitempty" doc:"The token's id, decimal; absent for a new token."`
	Currency   string        `json:"currency,omitempty" doc:"The currency's code."`
	Amount     int64         `json:"amount" doc:"How many."`
	Total      int64         `json:"total,omitempty" doc:"What the variants' weights add up to; absent but for a new token."`
	Variants   []PackVariant `json:"variants,omitempty" doc:"What a new token can be, which is a draw of its own."`
}

// PackVariant is what a new token can be.
type PackVariant struct {
	ID     string `json:"id" doc:"Its id in the table."`
	Name   string `json:"name" doc:"Its name."`
	Rarity string `json:"rarity" doc:"Its rarity."`
	Weight int64  `json:"weight" doc:"Its share of the total."`
	Series int64  `json:"series" doc:"The ids of its tokens are series · 10^13 and those up to the next series."`
}

// PackOdds are all drop tables with what was drawn by them.
type PackOdds struct {
	Beacon  PackBeacon      `json:"beacon" doc:"The public randomness beacon that decides openings."`
	Margin  int64           `json:"margin" doc:"How far behind the clock the blocks of burns can be dated, in seconds: so much later is the round that decides. Blocks of Arbitrum's chains with messages of the delayed inbox have 86400 if that is more."`
	Wallet  PackWallet      `json:"wallet" doc:"The wallet of the portal whose transactions fix tables and anchor the log of payments."`
	Wallets []eth.Address   `json:"wallets" doc:"All wallets of the portal that do so, or have done so, on that chain, the present one first." nullable:"false"`
	Tables  []PackTableOdds `json:"tables" doc:"All editions, the newest of each kind first; the kinds that are bought in the shop after the others." nullable:"false"`

	Collections []PackCollection `json:"collections" doc:"The collections that the tables name, by their slugs." nullable:"false"`
}

// PackCollection is a collection of which packs give tokens.
type PackCollection struct {
	Slug     string          `json:"slug" doc:"Its name in the tables."`
	ChainID  onchain.ChainID `json:"chainId" doc:"The chain."`
	Contract eth.Address     `json:"contract" doc:"The contract of its tokens."`
}

// packCollections returns the collections that tables name, by their slugs.
func (a *API) packCollections(odds []packs.Odds) []PackCollection {
	known := map[string]PackCollection{}
	for _, o := range odds {
		for _, d := range o.Drops {
			for _, g := range d.Gives {
				if contract, chain, _, ok := a.Goods.Collection(g.Collection); ok && g.Currency == "" {
					known[g.Collection] = PackCollection{g.Collection, chain, contract}
				}
			}
		}
	}
	out := []PackCollection{}
	for _, slug := range slices.Sorted(maps.Keys(known)) {
		out = append(out, known[slug])
	}
	return out
}

// PackWallet is a wallet on a chain.
type PackWallet struct {
	ChainID onchain.ChainID `json:"chainId" doc:"The chain."`
	Address eth.Address     `json:"address" doc:"The wallet."`
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

// PackTableOdds is an edition with what was drawn by its table.
type PackTableOdds struct {
	PackTable
	InShop       bool         `json:"inShop" doc:"Whether packs of the kind are bought in the shop and opened when they are paid for. All others are opened by burning them."`
	Canonical    string       `json:"canonical" doc:"The text whose SHA-256 is the hash."`
	Openings     int64        `json:"openings" doc:"Openings of this edition."`
	Free         int64        `json:"free" doc:"Of these, drawn among all drops: not by the pity rule."`
	Results      []PackResult `json:"results" doc:"What was drawn of each drop, in the table's order." nullable:"false"`
	Rarities     []PackRarity `json:"rarities" doc:"The chances by the rarity of what is got, the most common first." nullable:"false"`
	Test         *PackTest    `json:"test,omitempty" doc:"Pearson's test of the free draws against the weights; absent while there are too few for a verdict (Cochran's rule)."`
	Waiting      int64        `json:"waiting" doc:"Openings of the kind that are not drawn yet; with the newest edition only."`
	WaitingSince *time.Time   `json:"waitingSince,omitempty" doc:"The time of the burn or payment of the oldest of these."`
}

// PackShares are shares of openings, from 0 to 1.
type PackShares struct {
	Promised  float64 `json:"promised" doc:"By weight alone, 0 to 1."`
	Effective float64 `json:"effective" doc:"In the long run, with the pity rule, 0 to 1."`
	Now       float64 `json:"now" doc:"With the pity rule, and with substitutes in the place of what has run out, 0 to 1."`
}

// PackResult is how often one drop was drawn.
type PackResult struct {
	ID string `json:"id" doc:"The drop's id."`
	PackShares
	Drawn int64   `json:"drawn" doc:"How often it was given."`
	Hit   int64   `json:"hit" doc:"How often its weight was hit in free draws, before any substitute."`
	Low   float64 `json:"low" doc:"Lower end of the 95 % interval of its share of the free draws."`
	High  float64 `json:"high" doc:"Upper end of the interval."`
}

// PackRarity is how likely a rarity is.
type PackRarity struct {
	Rarity string `json:"rarity" doc:"The rarity: of the drop, or of its first new token."`
	PackShares
}

// PackTest is the result of Pearson's chi-square test.
type PackTest struct {
	Statistic float64 `json:"statistic" doc:"The statistic."`
	Degrees   int     `json:"degrees" doc:"Degrees of freedom."`
	P         float64 `json:"p" doc:"The probability of a statistic at least as large by chance."`
	Simulated bool    `json:"simulated" doc:"Whether p is from simulated series; else it is from the chi-square distribution."`
}

type openingPath struct {
	ID string `path:"id" doc:"The opening's id." pattern:"^([0-9]{1,20}-0x[0-9a-f]{64}(-[0-9]{1,20}){2}|[a-z][a-z0-9]*(-[a-z0-9]+)*(-[0-9]{1,20}){3})$" maxLength:"140"`
}

// OpeningProof is the public proof of an opening.
type OpeningProof struct {
	OpeningID string           `json:"openingId" doc:"The opening's id. Of a burn: chain, transaction, index of the log, number of the copy. Of a purchase: shop, order, line, unit."`
	Kind      string           `json:"kind" doc:"The kind of pack; empty while the table of its token is not known."`
	Edition   int              `json:"edition,omitempty" doc:"The edition, whose table decides; absent while it is not known."`
	State     string           `json:"state" doc:"waiting: the beacon's round decides it. drawn. failed: it can never be drawn." enum:"waiting,drawn,failed"`
	Message   string           `json:"message" doc:"Why it failed; empty otherwise."`
	Burn      *OpeningBurn     `json:"burn,omitempty" doc:"The burn of the pack; absent for one that was bought in the shop."`
	Purchase  *OpeningPurchase `json:"purchase,omitempty" doc:"The purchase of the pack in the shop; absent for one that was burned."`
	Fixed     *PackFixed       `json:"fixed,omitempty" doc:"Where the table's hash is fixed; absent while it is not."`
	Round     uint64           `json:"round,omitempty" doc:"The beacon's round that decides it; absent until the payment's record is anchored."`
	RoundAt   *time.Time       `json:"roundAt,omitempty" doc:"When the round is published; absent with it."`
	DrawnAt   *time.Time       `json:"drawnAt,omitempty" doc:"When it was drawn; absent before."`
	Drop      string           `json:"drop,omitempty" doc:"The drop's id; absent before the draw."`
	Receipt   string           `json:"receipt,omitempty" doc:"The receipt, as text: everything that the outcome follows from. Absent before the draw."`
	Grants    []OpeningGrant   `json:"grants" doc:"The parts of the drop, and whether they were given; empty before the draw." nullable:"false"`
}

// OpeningGrant is one part of what was drawn.
type OpeningGrant struct {
	ChainID  onchain.ChainID `json:"chainId,omitempty" doc:"The token's chain; absent for a currency."`
	Contract *eth.Address    `json:"contract,omitempty" doc:"The token's contract; absent for a currency."`
	TokenID  string          `json:"tokenId,omitempty" doc:"The token's id, decimal; absent for a currency."`
	Currency string          `json:"currency,omitempty" doc:"The currency's code; absent for a token."`
	Amount   string          `json:"amount" doc:"How many, decimal."`
	State    string          `json:"state" doc:"pending: not given yet. sending: on its way. done: given. failed or cancelled: not given." enum:"pending,sending,done,failed,cancelled"`
	TxID     *eth.Hash       `json:"txId,omitempty" doc:"The transaction that gave it; absent for a currency, and before it is on the chain."`
}

// OpeningBurn is the burn of an opened pack.
type OpeningBurn struct {
	ChainID   onchain.ChainID `json:"chainId" doc:"The chain."`
	Contract  eth.Address     `json:"contract" doc:"The packs' contract."`
	TokenID   string          `json:"tokenId" doc:"Id of the pack's token, decimal."`
	TxID      eth.Hash        `json:"txId" doc:"The transaction."`
	Wallet    eth.Address     `json:"wallet" doc:"The wallet that burned the pack, whose openings count for the pity rule."`
	Block     uint64          `json:"block" doc:"The block's number."`
	BlockHash eth.Hash        `json:"blockHash" doc:"The block's hash."`
	BlockTime time.Time       `json:"blockTime" doc:"The time of the block."`
	Margin    int64           `json:"margin" doc:"How far behind the clock the block can be dated, in seconds."`
}

// OpeningPurchase is the purchase of a pack that was opened when it was paid for.
type OpeningPurchase struct {
	Shop       string    `json:"shop" doc:"The shop's name."`
	Order      uint64    `json:"order" doc:"The order's number in the shop."`
	Line       uint64    `json:"line" doc:"The line of the order."`
	Unit       uint64    `json:"unit" doc:"The unit of the line."`
	Nonce      eth.Hash  `json:"nonce" doc:"What the buyer's browser has chosen at the hand-off; zeros if there was none."`
	Record     uint64    `json:"record" doc:"Number of the payment's record in the public log, from 1."`
	RecordedAt time.Time `json:"recordedAt" doc:"When the portal first recorded the payment."`

	Anchor *RecordAnchor `json:"anchor,omitempty" doc:"The first anchor that covers the record, whose block decides the round; absent while there is none."`
}

// RecordsQuery requests a part of the log of payments.
type RecordsQuery struct {
	After uint64 `query:"after" doc:"The number of the record before the first; 0 for all from the first on." maximum:"9007199254740991"`
	Limit int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"500" default:"100"`
}

// PaymentRecords is a part of the public log of payments for packs that are drawn when they are paid for. Each record's hash is
// SHA-256("pantheon/record/v1" ‖ the hash before, 32 bytes, zeros before the first ‖ the record as JSON without spaces, with all its
// fields but the hash in this order).
type PaymentRecords struct {
	Records []PaymentRecord `json:"records" doc:"The records by their numbers, which have no gaps; none at the end of the log." nullable:"false"`
	Anchors []RecordAnchor  `json:"anchors" doc:"The anchors of these records, by their numbers: each record is covered by the first whose number is its own or higher, if there is one." nullable:"false"`
	Head    RecordHead      `json:"head" doc:"The newest record of the log."`
}

// PaymentRecord is the first record of the payment for one pack.
type PaymentRecord struct {
	Number     uint64    `json:"number" doc:"From 1, without gaps."`
	OpeningID  string    `json:"openingId" doc:"The pack's opening; see getOpening."`
	Kind       string    `json:"kind" doc:"The kind of pack."`
	Edition    int       `json:"edition" doc:"Its edition."`
	Table      string    `json:"table" doc:"Hex SHA-256 of the edition's table."`
	Nonce      eth.Hash  `json:"nonce" doc:"What the buyer's browser has chosen at the hand-off; zeros if there was none."`
	RecordedAt time.Time `json:"recordedAt" doc:"When the portal recorded the payment; in the hash as seconds since 1970."`
	Hash       string    `json:"hash" doc:"Hex SHA-256 in the chain of records."`
}

// RecordAnchor is a transaction of a wallet of the portal to itself that fixes the log up to a record. Its input is
// "pantheon/records/v1" ‖ number, 8 bytes, big-endian ‖ hash. Its block decides the round of the openings that it covers first.
type RecordAnchor struct {
	Number    uint64          `json:"number" doc:"The newest record that it covers."`
	Hash      string          `json:"hash" doc:"The hash in its input, hex; that of the record unless the log was changed."`
	ChainID   onchain.ChainID `json:"chainId" doc:"The chain."`
	Wallet    eth.Address     `json:"wallet" doc:"The wallet."`
	TxID      eth.Hash        `json:"txId" doc:"The transaction, whose block is final."`
	Block     uint64          `json:"block" doc:"The block's number."`
	BlockHash eth.Hash        `json:"blockHash" doc:"The block's hash."`
	BlockTime time.Time       `json:"blockTime" doc:"The block's time."`
	Margin    int64           `json:"margin" doc:"How far behind the clock the block can be dated, in seconds."`
}

// recordAnchor returns an anchor that is final.
func recordAnchor(a packs.RecordAnchor) RecordAnchor {
	return RecordAnchor{
		Number: a.Number, Hash: hex.EncodeToString(a.Hash[:]), ChainID: a.Chain, Wallet: a.Address, TxID: a.Tx, Block: a.Block,
		BlockHash: a.BlockHash, BlockTime: a.At, Margin: int64(a.Margin / time.Second),
	}
}

// RecordHead is the newest record.
type RecordHead struct {
	Number uint64 `json:"number" doc:"Its number; 0 for an empty log."`
	Hash   string `json:"hash" doc:"Its hash, hex; zeros for an empty log."`
}

// AllOpeningsQuery requests a part of the list of all openings.
type AllOpeningsQuery struct {
	Kind  string `query:"kind" doc:"Those of one kind of pack." pattern:"^([a-z][a-z0-9]*(-[a-z0-9]+)*)?$" maxLength:"64"`
	After int64  `query:"after" doc:"The place of the opening before the first; 0 for all from the first on." minimum:"0" maximum:"9007199254740991"`
	Limit int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"500" default:"100"`
}

// AllOpenings is a part of the list of all openings.
type AllOpenings struct {
	Openings []ListedOpening `json:"openings" doc:"The openings in the order of their places; none at the end of the list." nullable:"false"`
}

// ListedOpening is an opening in the list of all.
type ListedOpening struct {
	Place     int64        `json:"place" doc:"Its place in the order in which openings of a kind are drawn; all openings have different ones."`
	OpeningID string       `json:"openingId" doc:"The opening; see getOpening."`
	Kind      string       `json:"kind" doc:"The kind of pack; empty while the table of its token is not known."`
	Edition   int          `json:"edition,omitempty" doc:"The edition; absent while it is not known."`
	State     string       `json:"state" doc:"waiting, drawn or failed; see getOpening." enum:"waiting,drawn,failed"`
	Wallet    *eth.Address `json:"wallet,omitempty" doc:"The wallet that burned the pack; absent for one that was bought in the shop."`
	DrawnAt   *time.Time   `json:"drawnAt,omitempty" doc:"When it was drawn; absent before."`
}

// DrawVectors are receipts to test a verifier with.
type DrawVectors struct {
	Vectors []draw.Vector `json:"vectors" doc:"The receipts, in no particular order." nullable:"false"`
}

// PackBuyer says whether the player may buy packs.
type PackBuyer struct {
	AgeConfirmedAt *time.Time `json:"ageConfirmedAt,omitempty" doc:"When the player confirmed being 18 or older; absent before."`
	Refusal        string     `json:"refusal,omitempty" doc:"Why no packs are sold in the country of the connection; absent if they are."`
}

func (a *API) registerPacks() {
	public(a, call{
		method: http.MethodGet, path: "/api/marketplace/getProducts", id: "getPackProducts", tag: tagMarket,
		summary: "The kinds of KOD pack: price, availability and odds",
	}, a.packProducts)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/odds", id: "getPackOdds", tag: tagMarket,
		summary: "What each drop table promises, and what was drawn by it",
	}, a.packOdds)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/records", id: "getPaymentRecords", tag: tagMarket,
		summary: "The public log of payments for packs that are drawn when they are paid for", errors: []int{400},
	}, a.paymentRecords)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/openings", id: "getAllOpenings", tag: tagMarket,
		summary: "All openings, of burned packs and of bought ones", errors: []int{400},
	}, a.allOpenings)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/openings/{id}", id: "getOpening", tag: tagMarket, summary: "The public proof of an opening",
		errors: []int{400, 404},
	}, a.opening)
	public(a, call{
		method: http.MethodGet, path: "/api/packs/vectors", id: "getDrawVectors", tag: tagMarket,
		summary: "Receipts to test a verifier with, right ones and others",
	}, func(context.Context, *Empty) (*Body[DrawVectors], error) {
		return body(DrawVectors{draw.Vectors()}), nil
	})
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
		item := a.Goods.Item(contract, p.Shown.Table.Token)
		product := PackProduct{
			ProductID: p.Shown.Table.Token, Kind: p.Tables, Name: p.Name, Image: item.Image, Contract: contract, Available: p.Available,
			Editions: []PackEdition{}, Rarities: packRarities(p.Rarities),
		}
		if p.Offer != nil {
			product.Offer = &PackOffer{
				ID: p.Offer.ID, ListingID: p.Offer.Number, TokenID: p.Offer.TokenID, Quantity: p.Offer.Quantity,
				Price: a.price(p.Offer.Price), PricePerToken: p.Offer.Price.String(),
			}
		}
		if p.Shown.Table.Edition > 0 {
			t := a.packTable(p.Shown)
			product.Odds = &t
		}
		for _, e := range p.Editions {
			product.Editions = append(product.Editions, PackEdition{
				Edition: e.Table.Edition, TokenID: e.Table.Token, Available: e.Available, Hash: hashOf(e.Table),
			})
		}
		out.Products[i] = product
	}
	return body(out), nil
}

func hashOf(t draw.Table) string {
	h := t.Hash()
	return hex.EncodeToString(h[:])
}

func (a *API) packTable(e packs.Edition) PackTable {
	t := e.Table
	out := PackTable{
		Kind: t.Kind, Edition: t.Edition, Token: t.Token, Hash: hashOf(t), Total: t.Total, Drops: make([]PackDrop, len(t.Drops)),
		Fixed: packFixed(e.Fixed), OnSale: e.OnSale,
	}
	if t.Pity != nil {
		out.Pity = &PackPity{After: t.Pity.After, Rarity: string(t.Pity.Rarity)}
	}
	for _, c := range t.Caps {
		out.Caps = append(out.Caps, PackCap{Item: c.Item, Most: c.Most, Given: e.Given[c.Item], Left: max(c.Most-e.Given[c.Item], 0)})
	}
	for i, d := range t.Drops {
		drop := PackDrop{ID: d.ID, Name: d.Name, Rarity: string(d.Rarity), Weight: d.Weight, Substitute: d.Substitute, Gives: []PackGive{}}
		for _, g := range d.Gives {
			give := PackGive{Collection: g.Collection, Token: g.Token, Currency: g.Currency, Amount: g.Amount, Total: g.Total}
			for _, v := range g.Variants {
				give.Variants = append(give.Variants, PackVariant{
					ID: v.ID, Name: v.Name, Rarity: string(v.Rarity), Weight: v.Weight, Series: v.Series,
				})
			}
			drop.Gives = append(drop.Gives, give)
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

func packRarities(rarities []packs.RarityOdds) []PackRarity {
	out := make([]PackRarity, len(rarities))
	for i, r := range rarities {
		out[i] = PackRarity{Rarity: r.Rarity, PackShares: PackShares(r.Shares)}
	}
	return out
}

func packFixed(f *packs.Fixed) *PackFixed {
	if f == nil {
		return nil
	}
	return &PackFixed{ChainID: f.Chain, By: f.By, Address: f.Address, Tx: f.Tx, Block: f.Block, BlockTime: f.At}
}

func (a *API) packOdds(ctx context.Context, _ *Empty) (*Body[PackOdds], error) {
	odds, err := a.Packs.Odds(ctx)
	if err != nil {
		return nil, err
	}
	out := PackOdds{Tables: make([]PackTableOdds, len(odds)), Collections: a.packCollections(odds),
		Margin: int64(a.DrawRules.Margin / time.Second), Wallet: a.DrawRules.Wallet, Wallets: a.DrawRules.Wallets, Beacon: PackBeacon{
			Scheme: draw.Scheme, PublicKey: a.Beacon.PublicKey, Genesis: a.Beacon.Schedule.Genesis.Unix(),
			Period: int64(a.Beacon.Schedule.Period / time.Second), URLs: append([]string{}, a.BeaconURLs...),
		}}
	out.Beacon.Quicknet = draw.Quicknet(draw.ReceiptBeacon{
		Scheme: out.Beacon.Scheme, PublicKey: out.Beacon.PublicKey, Genesis: out.Beacon.Genesis, Period: out.Beacon.Period,
	})
	for i, o := range odds {
		t := PackTableOdds{
			PackTable: a.packTable(o.Edition), InShop: o.InShop, Canonical: string(o.Table.Canonical()),
			Openings: o.Drawn, Free: o.Hits, Results: make([]PackResult, len(o.Drops)), Rarities: packRarities(o.Rarities),
			Waiting: o.Waiting.Openings,
		}
		if o.Waiting.Openings > 0 {
			t.WaitingSince = &o.Waiting.Since
		}
		if o.Fit != nil {
			t.Test = &PackTest{Statistic: o.Fit.Statistic, Degrees: o.Fit.Degrees, P: o.Fit.P, Simulated: o.Fit.Simulated}
		}
		for j, d := range o.Drops {
			t.Results[j] = PackResult{ID: d.ID, PackShares: PackShares(d.Shares), Drawn: d.Drawn, Hit: d.Hit, Low: d.Low, High: d.High}
		}
		out.Tables[i] = t
	}
	return body(out), nil
}

func (a *API) paymentRecords(ctx context.Context, in *RecordsQuery) (*Body[PaymentRecords], error) {
	p, err := a.Packs.Records(ctx, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	out := PaymentRecords{
		Records: make([]PaymentRecord, len(p.Records)), Anchors: make([]RecordAnchor, len(p.Anchors)),
		Head: RecordHead{Number: p.Head.Number, Hash: hex.EncodeToString(p.Head.Hash[:])},
	}
	for i, r := range p.Records {
		out.Records[i] = PaymentRecord{
			Number: r.Number, OpeningID: r.OpeningID, Kind: r.Kind, Edition: r.Edition, Table: r.Table, Nonce: r.Nonce,
			RecordedAt: time.Unix(r.RecordedAt, 0).UTC(), Hash: hex.EncodeToString(r.Hash[:]),
		}
	}
	for i, n := range p.Anchors {
		out.Anchors[i] = recordAnchor(n)
	}
	return body(out), nil
}

func (a *API) allOpenings(ctx context.Context, in *AllOpeningsQuery) (*Body[AllOpenings], error) {
	all, err := a.Packs.Openings(ctx, in.Kind, in.After, in.Limit)
	out := AllOpenings{Openings: make([]ListedOpening, len(all))}
	for i, o := range all {
		l := ListedOpening{Place: o.Place, OpeningID: o.ID, Kind: o.Kind, Edition: o.Edition, State: "waiting"}
		if !o.Wallet.IsZero() {
			l.Wallet = &o.Wallet
		}
		switch {
		case o.Failed:
			l.State = "failed"
		case !o.DrawnAt.IsZero():
			l.State, l.DrawnAt = "drawn", &o.DrawnAt
		}
		out.Openings[i] = l
	}
	return body(out), err
}

func (a *API) opening(ctx context.Context, in *openingPath) (*Body[OpeningProof], error) {
	p, err := a.Packs.Proof(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	o := p.Opening
	out := OpeningProof{
		OpeningID: o.ID, Kind: o.Kind, Edition: o.Edition, State: "waiting", Message: o.Error, Fixed: packFixed(p.Fixed), Round: o.Round,
		Grants: []OpeningGrant{},
	}
	if o.Round > 0 {
		at := a.Beacon.Schedule.PublishedAt(o.Round)
		out.RoundAt = &at
	}
	switch of := o.Origin.(type) {
	case draw.Burn:
		out.Burn = &OpeningBurn{
			ChainID: of.Chain, Contract: o.Contract, TokenID: o.TokenID, TxID: of.Tx, Wallet: o.Wallet, Block: o.Block,
			BlockHash: o.BlockHash,
			BlockTime: o.At, Margin: int64(o.Margin / time.Second),
		}
	case draw.Purchase:
		out.Purchase = &OpeningPurchase{
			Shop: of.Shop, Order: of.Order, Line: of.Line, Unit: of.Unit, Nonce: of.Nonce, Record: o.Record, RecordedAt: o.At,
		}
		if o.Anchor.Final {
			anchor := recordAnchor(o.Anchor)
			out.Purchase.Anchor = &anchor
		}
	}
	switch {
	case o.Error != "":
		out.State = "failed"
	case !o.DrawnAt.IsZero():
		out.State, out.DrawnAt, out.Drop, out.Receipt = "drawn", &o.DrawnAt, o.Drop, string(o.Receipt)
	}
	for _, g := range p.Grants {
		grant := OpeningGrant{Currency: g.Currency, Amount: g.Amount, State: g.State}
		if g.Currency == "" {
			grant.ChainID, grant.Contract, grant.TokenID = g.Chain, &g.Contract, g.TokenID
		}
		if !g.Tx.IsZero() {
			grant.TxID = &g.Tx
		}
		out.Grants = append(out.Grants, grant)
	}
	return body(out), nil
}
