package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// listingEvent adds one event of a listing, and the sale if it is one.
func (c *change) listingEvent(ctx context.Context, e onchain.ListingEvent) error {
	detail, err := detailOf(e)
	if err != nil {
		return err
	}
	err = c.tx.InsertListingEvent(ctx, gen.InsertListingEventParams{
		ChainID: int64(c.chain), BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex), TxHash: e.Tx.String(),
		Time: millis(e.Time), ListingID: e.ListingID, Kind: string(e.Kind), Detail: detail,
	})
	if err != nil {
		return err
	}
	s, err := c.stateOf(ctx, e.ListingID)
	if err != nil {
		return err
	}
	if e.Kind == onchain.ListingSold {
		if err := c.sold(ctx, e, &s); err != nil {
			return err
		}
	}
	s.now = s.now.After(e)
	c.folded[e.ListingID] = s
	return nil
}

// stateOf returns the listing as it stands within this change.
func (c *change) stateOf(ctx context.Context, number string) (foldState, error) {
	if s, ok := c.folded[number]; ok {
		return s, nil
	}
	row, err := c.tx.ListingByID(ctx, market.Key(c.chain, number))
	if errors.Is(err, sql.ErrNoRows) {
		return foldState{}, nil
	}
	if err != nil {
		return foldState{}, err
	}
	now, err := foldedOf(row)
	return foldState{row: &row, now: now}, err
}

// refold folds all events of a listing that are left.
func (c *change) refold(ctx context.Context, number string) error {
	s, err := c.stateOf(ctx, number)
	if err != nil {
		return err
	}
	rows, err := c.tx.ListingEvents(ctx, gen.ListingEventsParams{ChainID: int64(c.chain), ListingID: number})
	if err != nil {
		return err
	}
	events := make([]onchain.ListingEvent, len(rows))
	for i, r := range rows {
		if events[i], err = eventOf(r); err != nil {
			return err
		}
	}
	s.now = market.Fold(events)
	c.folded[number] = s
	return nil
}

// sold records a sale from the listing s as it was before, and tells the buyer of a pack. Both happen again when a
// reorganisation moves the sale to another block: a player who holds more of the listing then loses one hold too many.
func (c *change) sold(ctx context.Context, e onchain.ListingEvent, s *foldState) error {
	sale := *e.Sale
	s.sold = true
	err := c.tx.InsertSale(ctx, gen.InsertSaleParams{
		ChainID: int64(c.chain), BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex), TxHash: e.Tx.String(), Time: millis(e.Time),
		ListingID: e.ListingID, Contract: sale.Contract.String(), TokenID: sale.TokenID, Seller: sale.Seller.String(),
		Buyer: sale.Buyer.String(), Currency: s.now.PaidIn(sale).String(), Quantity: sale.Quantity, Total: sale.Total.String(),
		UnitPrice: sale.Total.Div(sale.Quantity).String(),
	})
	if err != nil {
		return err
	}
	player, err := c.tx.PlayerOfWallet(ctx, sale.Buyer.String())
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	s.bought = append(s.bought, market.Purchase{PlayerID: player, Quantity: sale.Quantity})
	if sale.Contract != c.rules.Chests || c.quiet {
		return nil
	}
	return c.tell(ctx, player, announce.Realtime{
		ChannelID: "kod-pack", Type: "purchase-complete",
		Payload: packBought{TxID: e.Tx, Success: true, ProductID: sale.TokenID},
	})
}

// packBought is the payload of kod-pack/purchase-complete.
type packBought struct {
	TxID         eth.Hash `json:"txId"`
	Success      bool     `json:"success"`
	ProductID    string   `json:"productId"` // the token id of the kind of pack
	ErrorMessage string   `json:"errorMessage"`
}

// settleListings writes the listings whose events, goods or approvals changed, and what follows for their holds.
func (c *change) settleListings(ctx context.Context) error {
	if err := c.gatherBySeller(ctx); err != nil {
		return err
	}
	// In a fixed order, so that two transactions that lock several listings do not wait for each other.
	for _, number := range slices.Sorted(maps.Keys(c.folded)) {
		if err := c.settleListing(ctx, number, c.folded[number]); err != nil {
			return err
		}
	}
	return nil
}

// gatherBySeller adds the active listings whose goods something happened to.
func (c *change) gatherBySeller(ctx context.Context) error {
	for k, touched := range c.sellers {
		rows, err := c.tx.ActiveListingsOf(ctx, gen.ActiveListingsOfParams{ChainID: int64(c.chain), Seller: k.seller, Contract: k.contract})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !touched.all && !touched.tokens[row.TokenID] {
				continue
			}
			s, err := c.stateOf(ctx, row.ListingID)
			if err != nil {
				return err
			}
			c.folded[row.ListingID] = s
		}
	}
	return nil
}

func (c *change) settleListing(ctx context.Context, number string, s foldState) error {
	id := market.Key(c.chain, number)
	if !s.now.Exists() {
		return c.removeListing(ctx, id, s)
	}
	backing, err := c.backingOf(ctx, s.now)
	if err != nil {
		return err
	}
	row := listingRow(c.chain, number, s.now)
	row.Valid = flag(s.now.Buyable(backing))
	if s.row != nil && *s.row == row && !s.sold {
		return nil
	}
	if err := c.tx.PutListing(ctx, gen.PutListingParams(row)); err != nil {
		return err
	}
	c.met[tokenKey{row.Contract, row.TokenID}] = true
	if s.row != nil {
		if was := (tokenKey{s.row.Contract, s.row.TokenID}); was != (tokenKey{row.Contract, row.TokenID}) {
			c.lost[was] = true
		}
		if err := c.reseat(ctx, row, s); err != nil {
			return err
		}
	}
	wasLive := s.row != nil && market.Status(s.row.Status) == market.Active
	switch {
	case s.now.Status == market.Active:
		return c.announce(ctx, announce.Listing, id)
	case wasLive:
		return c.announce(ctx, announce.ListingGone, id)
	}
	return nil
}

// removeListing takes away a listing whose creation was taken back.
func (c *change) removeListing(ctx context.Context, id string, s foldState) error {
	if s.row == nil {
		return nil
	}
	gone := *s.row
	gone.Valid = 0
	if err := c.tx.PutListing(ctx, gen.PutListingParams(gone)); err != nil {
		return err
	}
	if err := c.reseat(ctx, gone, s); err != nil {
		return err
	}
	if err := c.tx.DeleteListing(ctx, id); err != nil {
		return err
	}
	c.lost[tokenKey{s.row.Contract, s.row.TokenID}] = true
	if market.Status(s.row.Status) != market.Active {
		return nil
	}
	return c.announce(ctx, announce.ListingGone, id)
}

// backingOf looks up what the chain says about the listing's goods.
func (c *change) backingOf(ctx context.Context, f market.Folded) (b market.Backing, err error) {
	if f.Status != market.Active {
		return b, nil
	}
	b.Currency = slices.Contains(c.rules.Currencies, f.Currency)
	chain, contract, seller := int64(c.chain), f.Contract.String(), f.Seller.String()
	held, err := c.tx.Holding(ctx, gen.HoldingParams{ChainID: chain, Contract: contract, TokenID: f.TokenID, Owner: seller})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return b, nil
	case err != nil:
		return b, err
	}
	if b.Held, err = money.Parse(held.Amount); err != nil {
		return b, err
	}
	operator := c.rules.Marketplace.String()
	all, err := c.tx.ApprovedForAll(ctx, gen.ApprovedForAllParams{ChainID: chain, Contract: contract, Owner: seller, Operator: operator})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return b, err
	}
	if b.Approved = all == 1; b.Approved {
		return b, nil
	}
	one, err := c.tx.ApprovedForToken(ctx, gen.ApprovedForTokenParams{ChainID: chain, Contract: contract, TokenID: f.TokenID})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return b, err
	}
	b.Approved = one.Approved == 1 && one.Operator == operator
	return b, nil
}

// reseat brings the holds of a listing in line with what is left of it. The listing's row is written before: on
// PostgreSQL its lock keeps out whoever locks it to take a hold, until the transaction ends.
func (c *change) reseat(ctx context.Context, row gen.Listing, s foldState) error {
	rows, err := c.tx.KeptUnits(ctx, row.ID)
	if err != nil || len(rows) == 0 {
		return err
	}
	kept := make([]market.Kept, len(rows))
	for i, r := range rows {
		kept[i] = market.Kept{
			Hold:   market.Hold{Unit: r.Unit, PlayerID: r.PlayerID, HeldAt: moment(r.HeldAt), ExpiresAt: moment(r.ExpiresAt)},
			Paying: r.OrderID != "",
		}
	}
	units := row.Quantity
	if row.Valid == 0 {
		units = 0
	}
	now := c.tx.clock.Now()
	r := market.Reseat(kept, units, s.bought, now)
	for _, k := range slices.Concat(r.Spent, r.Lapsed, r.Ended) {
		if err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: row.ID, Unit: k.Unit}); err != nil {
			return err
		}
	}
	for _, k := range r.Lapsed {
		if err := c.tx.insertLapse(ctx, k.PlayerID, now); err != nil {
			return err
		}
	}
	for _, m := range r.Moved {
		if err := c.tx.MoveUnit(ctx, gen.MoveUnitParams{ListingID: row.ID, FromUnit: m.Unit, ToUnit: m.To}); err != nil {
			return err
		}
	}
	for _, k := range r.Ended {
		if slices.ContainsFunc(s.bought, func(p market.Purchase) bool { return p.PlayerID == k.PlayerID }) {
			continue // the buyer knows
		}
		if err := c.tellHoldEnded(ctx, k.PlayerID, row.ListingID, row.Contract, k.Unit, endText(row, s)); err != nil {
			return err
		}
	}
	return nil
}

// What a player reads when a hold ends before its time.
const (
	boughtText    = "Somebody else bought this just now, so it has left your cart."
	cancelledText = "The seller took this off the market, so it has left your cart."
	fewerText     = "The seller now offers fewer of these, so one has left your cart."
	goneText      = "This can't be bought any more, so it has left your cart."
)

func endText(row gen.Listing, s foldState) string {
	switch {
	case s.now.Status == market.Cancelled:
		return cancelledText
	case s.sold:
		return boughtText
	case row.Valid == 1:
		return fewerText
	default:
		return goneText
	}
}

// holdEnded is the payload of listing/hold-ended.
type holdEnded struct {
	ListingID string      `json:"listingId"` // the marketplace's number
	Contract  eth.Address `json:"assetContractAddress"`
	Index     int64       `json:"index"` // the unit that was held
	Message   string      `json:"message"`
}

func (c *change) tellHoldEnded(ctx context.Context, player, number, contract string, unit int64, text string) error {
	payload := holdEnded{ListingID: number, Index: unit, Message: text}
	if err := payload.Contract.Scan(contract); err != nil {
		return err
	}
	return c.tell(ctx, player, announce.Realtime{ChannelID: "listing", Type: "hold-ended", Payload: payload})
}

func (c *change) tell(ctx context.Context, player string, m announce.Realtime) error {
	a, err := announce.ToPlayer(player, m)
	if err != nil {
		return err
	}
	return c.tx.Announce(ctx, a)
}

func (c *change) announce(ctx context.Context, topic announce.Topic, listingID string) error {
	if c.quiet {
		return nil
	}
	return c.tx.Announce(ctx, announce.Announcement{Topic: topic, Payload: listingID})
}

// listingRow is how the database keeps a listing; Valid is left to be set.
func listingRow(chain onchain.ChainID, number string, f market.Folded) gen.Listing {
	return gen.Listing{
		ID: market.Key(chain, number), ChainID: int64(chain), ListingID: number, Contract: f.Contract.String(), TokenID: f.TokenID,
		Seller: f.Seller.String(), Quantity: f.Quantity, Currency: f.Currency.String(), Price: f.PricePerToken.String(),
		PriceRank: priceRank(f.PricePerToken), StartAt: millis(f.Start), EndAt: millis(f.End), Reserved: flag(f.Reserved),
		Status: string(f.Status), CreatedAt: millis(f.CreatedAt), UpdatedAt: millis(f.UpdatedAt),
	}
}

// foldedOf reads a listing back from its row, which keeps all of the state.
func foldedOf(r gen.Listing) (market.Folded, error) {
	f := market.Folded{Status: market.Status(r.Status), CreatedAt: moment(r.CreatedAt), UpdatedAt: moment(r.UpdatedAt)}
	f.TokenID, f.Quantity, f.Reserved = r.TokenID, r.Quantity, r.Reserved == 1
	f.Start, f.End = moment(r.StartAt), moment(r.EndAt)
	err := scanAll(scan{&f.Contract, r.Contract}, scan{&f.Seller, r.Seller}, scan{&f.Currency, r.Currency}, scan{&f.PricePerToken, r.Price})
	return f, err
}
