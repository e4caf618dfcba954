package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// listingEvent adds one event of a listing, the sale if it is one, and tells those whom it concerns.
func (c *change) listingEvent(ctx context.Context, e onchain.ListingEvent, cause eth.Hash) error {
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
	fact := c.fact(e, cause)
	switch {
	case e.Kind == onchain.ListingSold:
		err = c.sold(ctx, e, fact, &s)
	case e.Kind == onchain.ListingCreated && !s.now.Exists():
		err = c.tellSeller(ctx, e, fact, e.Terms.Seller, "new")
	case e.Kind == onchain.ListingCancelled && s.now.Status == market.Active:
		err = c.tellSeller(ctx, e, fact, s.now.Seller, "remove")
	}
	s.now = s.now.After(e)
	c.folded[e.ListingID] = s
	return err
}

// causeOf returns the hash of what brought the log at the position to the chain: the operation whose logs it is among,
// else its transaction. Logs of an operation come before its own event (ERC-4337), of which ops has them in order.
func causeOf(ops []onchain.UserOperationEvent, at onchain.Position) eth.Hash {
	next, _ := slices.BinarySearchFunc(ops, at, func(o onchain.UserOperationEvent, at onchain.Position) int {
		return cmp.Or(cmp.Compare(o.Block, at.Block), cmp.Compare(o.LogIndex, at.LogIndex))
	})
	if next == len(ops) || ops[next].Tx != at.Tx {
		return at.Tx
	}
	return ops[next].Hash
}

// fact names an event by what stays the same when a reorganisation moves it to another place: its cause, its kind, its
// listing, and how many such events stand before it.
func (c *change) fact(e onchain.ListingEvent, cause eth.Hash) gen.InsertFactEffectParams {
	k := eventKey{cause, e.Kind, e.ListingID}
	c.events[k]++
	return gen.InsertFactEffectParams{
		ChainID: int64(c.chain), Cause: cause.String(), Fact: fmt.Sprintf("%s %s %d", e.Kind, e.ListingID, c.events[k]-1), BlockNumber: int64(e.Block),
	}
}

// first reports whether a fact comes for the first time, and notes that it has come. What it leads to that cannot be
// taken back must not happen again when a reorganisation brings it again.
func (c *change) first(ctx context.Context, fact gen.InsertFactEffectParams) (bool, error) {
	n, err := c.tx.InsertFactEffect(ctx, fact)
	return n == 1, err
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

// sold records a sale from the listing s as it was before, has its buyer's holds spent, and tells the buyer of a pack;
// the last two once, however often a reorganisation brings the sale.
func (c *change) sold(ctx context.Context, e onchain.ListingEvent, fact gen.InsertFactEffectParams, s *foldState) error {
	sale := *e.Sale
	s.sold = true
	currency := s.now.PaidIn(sale)
	if !slices.Contains(c.rules.Currencies, currency) { // somebody's own token: what it is worth nobody can tell
		currency = eth.Address{}
	}
	err := c.tx.InsertSale(ctx, gen.InsertSaleParams{
		ChainID: int64(c.chain), BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex), TxHash: e.Tx.String(), Time: millis(e.Time),
		ListingID: e.ListingID, Contract: sale.Contract.String(), TokenID: sale.TokenID, Seller: sale.Seller.String(),
		Buyer: sale.Buyer.String(), Currency: currency.String(), Quantity: sale.Quantity, Total: sale.Total.String(),
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
	first, err := c.first(ctx, fact)
	if err != nil {
		return err
	}
	if err := c.tx.forgiveHolds(ctx, player, market.Key(c.chain, e.ListingID)); err != nil {
		return err
	}
	bought := market.Purchase{PlayerID: player}
	if first {
		bought.Quantity = sale.Quantity
	}
	s.bought = append(s.bought, bought)
	if sale.Contract != c.rules.Chests || c.quiet || !first {
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

// tellSeller tells a player who sells that the listing has been created ("new") or cancelled ("remove"), once, however
// often a reorganisation brings the event.
func (c *change) tellSeller(ctx context.Context, e onchain.ListingEvent, fact gen.InsertFactEffectParams, seller eth.Address, kind string) error {
	player, err := c.tx.PlayerOfWallet(ctx, seller.String())
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	first, err := c.first(ctx, fact)
	if err != nil || !first || c.quiet {
		return err
	}
	return c.tell(ctx, player, announce.Realtime{
		ChannelID: "listing", Type: kind, Payload: listingDone{TxID: e.Tx, Success: true, ListingID: e.ListingID},
	})
}

// listingDone is the payload of listing/new and listing/remove.
type listingDone struct {
	TxID         eth.Hash `json:"txId"`
	Success      bool     `json:"success"`
	ListingID    string   `json:"listingId"` // the marketplace's number
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
	if c.packs {
		return c.announce(ctx, announce.Packs, "")
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
		if err := c.endRepriced(ctx, row, s); err != nil {
			return err
		}
	}
	c.packs = c.packs || c.packsIn(s.row) != c.packsIn(&row)
	switch {
	case onOffer(&row) && !onOffer(s.row):
		return c.announce(ctx, announce.ListingNew, id)
	case active(&row) && active(s.row):
		return c.announce(ctx, announce.Listing, id)
	case active(s.row):
		return c.announce(ctx, announce.ListingGone, id)
	}
	return nil
}

// active reports whether a listing, nil for none, has not ended.
func active(l *gen.Listing) bool { return l != nil && market.Status(l.Status) == market.Active }

// onOffer reports whether a listing, nil for none, can be bought from, its time window aside.
func onOffer(l *gen.Listing) bool { return active(l) && l.Valid == 1 }

// stock is a number of packs of one kind.
type stock struct {
	tokenID  string
	quantity int64
}

// packsIn returns the packs that a listing, nil for none, has for sale.
func (c *change) packsIn(l *gen.Listing) stock {
	if !onOffer(l) || l.Contract != c.rules.Chests.String() || l.Seller != c.rules.Manager.String() {
		return stock{}
	}
	return stock{l.TokenID, l.Quantity}
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
	if active(s.row) {
		if err := c.tellTaken(ctx, id); err != nil {
			return err
		}
	}
	c.packs = c.packs || c.packsIn(s.row) != stock{}
	c.lost[tokenKey{s.row.Contract, s.row.TokenID}] = true
	return c.tx.DeleteListing(ctx, id)
}

// tellTaken tells everybody that a listing is gone of which nothing will be left when the message is sent.
func (c *change) tellTaken(ctx context.Context, id string) error {
	card, err := c.tx.ListingCard(ctx, id)
	if err != nil {
		return err
	}
	now := c.tx.clock.Now()
	l, err := listingOf(card, now)
	if err != nil {
		return err
	}
	return c.tell(ctx, "", announce.Realtime{ChannelID: "live-listings-change", Type: "delete", Payload: market.Change{
		Document: c.x.o.Publisher.Document(l, "", now), Contract: l.Contract,
	}})
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
	var orders []string
	for _, k := range slices.Concat(r.Spent, r.Lapsed, r.Ended) {
		dropped, err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: row.ID, Unit: k.Unit})
		if err != nil {
			return err
		}
		orders = append(orders, dropped...)
	}
	if err := c.tx.endOrders(ctx, orders, checkout.GoneText); err != nil {
		return err
	}
	lapsed := make([]endedHold, len(r.Lapsed))
	for i, k := range r.Lapsed {
		lapsed[i] = endedBy(now, k.PlayerID, row.ID, millis(k.HeldAt), millis(k.ExpiresAt))
	}
	if err := c.tx.countHolds(ctx, lapsed...); err != nil {
		return err
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

// endRepriced ends the unpaid orders of a listing whose price or currency is another than before: they were placed at
// the old one, which the marketplace no longer takes.
func (c *change) endRepriced(ctx context.Context, row gen.Listing, s foldState) error {
	if s.row.Price == row.Price && s.row.Currency == row.Currency {
		return nil
	}
	orders, err := c.tx.UnpaidOrdersWith(ctx, row.ID)
	if err != nil {
		return err
	}
	return c.tx.endOrders(ctx, orders, checkout.PriceChangedText)
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
