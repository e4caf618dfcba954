package index

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
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
)

// listingEvent adds an event of a listing, and its sale if it is one, and notifies the players concerned.
func (c *change) listingEvent(ctx context.Context, e onchain.ListingEvent, cause eth.Hash) error {
	detail, err := detailOf(e)
	if err != nil {
		return err
	}
	s, err := c.stateOf(ctx, e.ListingID)
	if err != nil {
		return err
	}
	if e.Kind == onchain.ListingCancelled && c.added == nil {
		next, err := c.nextOf(ctx, s.now)
		if err != nil {
			return err
		}
		if next >= 0 { // it is read again with what came before
			s = foldState{}
		}
	}
	contract, tokenID := tokenOf(e, s.now)
	err = c.tx.InsertListingEvent(ctx, gen.InsertListingEventParams{
		ChainID: c.chain, BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex), TxHash: e.Tx,
		Time: column.At(e.Time), ListingID: e.ListingID, Kind: string(e.Kind), Detail: detail, Contract: contract, TokenID: tokenID,
	})
	if err != nil {
		return err
	}
	if contract == noToken {
		return nil
	}
	fact := c.fact(cause, int64(e.Block), string(e.Kind), e.ListingID)
	switch {
	case e.Kind == onchain.ListingSold:
		err = c.sold(ctx, e, fact, &s)
	case e.Kind == onchain.ListingCreated && !s.now.Exists():
		err = c.tellSeller(ctx, e, fact, e.Terms.Seller, projection.ListingCreated)
	case e.Kind == onchain.ListingCancelled && s.now.Status == market.Active:
		err = c.tellSeller(ctx, e, fact, s.now.Seller, projection.ListingCancelled)
	}
	c.touchListing(s.now)
	s.now = s.now.After(e)
	c.touchListing(s.now)
	s.set = s.set || e.Kind == onchain.ListingCreated || e.Kind == onchain.ListingUpdated
	c.folded[e.ListingID] = s
	return err
}

// noToken is the contract of events of listings that are not known: of tokens that are not the portal's, or whose history is not
// read up to the event.
var noToken = eth.Address{}.String()

// tokenOf returns the token that an event of a listing is about, whose state was l before it.
func tokenOf(e onchain.ListingEvent, l market.Folded) (contract, tokenID string) {
	switch {
	case e.Terms != nil:
		return e.Terms.Contract.String(), e.Terms.TokenID
	case e.Sale != nil:
		return e.Sale.Contract.String(), e.Sale.TokenID
	default:
		return l.Contract.String(), l.TokenID
	}
}

// causeOf returns the hash of the operation whose logs include the position, else that of its transaction. Logs of an
// operation come before its own event (ERC-4337); ops has those events in order.
func causeOf(ops []onchain.UserOperationEvent, at onchain.Position) eth.Hash {
	next, _ := slices.BinarySearchFunc(ops, at, func(o onchain.UserOperationEvent, at onchain.Position) int {
		return cmp.Or(cmp.Compare(o.Block, at.Block), cmp.Compare(o.LogIndex, at.LogIndex))
	})
	if next == len(ops) || ops[next].Tx != at.Tx {
		return at.Tx
	}
	return ops[next].Hash
}

// fact identifies an event independently of its block, so that it survives a reorganisation: by its cause, its kind, its
// subject and the number of such events before it.
func (c *change) fact(cause eth.Hash, block int64, kind, thing string) gen.InsertFactEffectParams {
	k := eventKey{cause, kind, thing}
	c.events[k]++
	return gen.InsertFactEffectParams{
		ChainID: c.chain, Cause: cause.String(), Fact: fmt.Sprintf("%s %s %d", kind, thing, c.events[k]-1), BlockNumber: block,
	}
}

// first reports whether a fact is seen for the first time, and records it. Irreversible effects must not be repeated
// when a reorganisation brings the fact again.
func (c *change) first(ctx context.Context, fact gen.InsertFactEffectParams) (bool, error) {
	n, err := c.tx.InsertFactEffect(ctx, fact)
	return n == 1, err
}

// stateOf returns the current state of the listing within this change.
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
	return foldState{row: &row, now: foldedOf(row)}, nil
}

// refold folds all remaining events of a listing.
func (c *change) refold(ctx context.Context, number string) error {
	s, err := c.stateOf(ctx, number)
	if err != nil {
		return err
	}
	rows, err := c.tx.ListingEvents(ctx, gen.ListingEventsParams{ChainID: c.chain, ListingID: number})
	if err != nil {
		return err
	}
	events := make([]onchain.ListingEvent, 0, len(rows))
	for _, r := range rows {
		if r.Contract == noToken {
			continue
		}
		e, err := eventOf(r)
		if err != nil {
			return err
		}
		events = append(events, e)
	}
	c.touchListing(s.now)
	s.now = market.Fold(events)
	c.touchListing(s.now)
	c.folded[number] = s
	return nil
}

// touchListing records that a listing changed: what covers it may now cover others.
func (c *change) touchListing(f market.Folded) {
	if f.Exists() {
		c.touch(f.Seller, f.Contract, f.TokenID)
	}
}

// sold records a sale from the listing s as it was before, with what it means to the buyer.
func (c *change) sold(ctx context.Context, e onchain.ListingEvent, fact gen.InsertFactEffectParams, s *foldState) error {
	sale := *e.Sale
	s.sold = true
	currency := s.now.PaidIn(sale)
	if !slices.Contains(c.rules.Currencies, currency) { // an arbitrary token: its value is unknown
		currency = eth.Address{}
	}
	row := gen.InsertSaleParams{
		ChainID: c.chain, BlockNumber: int64(e.Block), LogIndex: int64(e.LogIndex), TxHash: e.Tx, Time: column.At(e.Time),
		ListingID: e.ListingID, Contract: sale.Contract, TokenID: sale.TokenID, Seller: sale.Seller,
		Buyer: sale.Buyer, Currency: currency, Quantity: sale.Quantity, Total: sale.Total,
		UnitPrice: sale.Total.Div(sale.Quantity),
	}
	received, ok := market.Payout(c.transfers, e.Position, currency, sale.Seller)
	if c.added != nil {
		var err error
		if received, ok, err = c.payoutOf(ctx, row); err != nil {
			return err
		}
	}
	if ok {
		row.Received = received.String()
	}
	if err := c.tx.InsertSale(ctx, row); err != nil {
		return err
	}
	if c.added == nil {
		if err := c.notifySale(ctx, row, fact); err != nil {
			return err
		}
	}
	return c.bought(ctx, e, fact, s)
}

// bought ends the holds of a sale's buyer, and notifies the buyer of a pack, once however often a reorganisation repeats the sale.
func (c *change) bought(ctx context.Context, e onchain.ListingEvent, fact gen.InsertFactEffectParams, s *foldState) error {
	sale := *e.Sale
	player, err := c.tx.PlayerOfWallet(ctx, sale.Buyer)
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
	if err := cartstore.ForgiveHolds(ctx, c.tx, player, market.Key(c.chain, e.ListingID)); err != nil {
		return err
	}
	bought := market.Purchase{PlayerID: player}
	if first {
		bought.Quantity = sale.Quantity
	}
	s.bought = append(s.bought, bought)
	if !first {
		return nil
	}
	return c.apply(ctx, c.rules.Bought(projection.Purchase{Tx: e.Tx, PlayerID: player, Contract: sale.Contract, TokenID: sale.TokenID}))
}

// tellSeller applies the effects of an event of a player's own listing, once across reorganisations.
func (c *change) tellSeller(
	ctx context.Context, e onchain.ListingEvent, fact gen.InsertFactEffectParams, seller eth.Address, told func(player string, tx eth.Hash,
		number string) projection.Effects,
) error {
	player, err := c.tx.PlayerOfWallet(ctx, seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	first, err := c.first(ctx, fact)
	if err != nil || !first {
		return err
	}
	return c.apply(ctx, told(player, e.Tx, e.ListingID))
}

// settleListings writes the listings whose events, goods, approvals or coverage changed, and updates their holds.
func (c *change) settleListings(ctx context.Context) error {
	if c.added == nil { // history concerns no other listings
		if err := errors.Join(c.touchEnded(ctx), c.touchClosed(ctx)); err != nil {
			return err
		}
	}
	if err := c.gatherBySeller(ctx); err != nil {
		return err
	}
	rows, err := c.cover(ctx)
	if err != nil {
		return err
	}
	// In a fixed order, so that two transactions that lock several listings cannot deadlock.
	for _, number := range slices.Sorted(maps.Keys(c.folded)) {
		if err := c.settleListing(ctx, number, c.folded[number], rows[number]); err != nil {
			return err
		}
	}
	if c.packs {
		return c.tx.Announce(ctx, announce.Announcement{Topic: announce.Packs})
	}
	return nil
}

// gatherBySeller adds the active listings whose goods changed.
func (c *change) gatherBySeller(ctx context.Context) error {
	var goods []holdingKey
	for k, g := range c.sellers {
		if !g.all {
			for tokenID := range g.tokens {
				goods = append(goods, holdingKey{k.contract, tokenID, k.seller})
			}
			continue
		}
		rows, err := c.tx.ActiveListingsOf(ctx, gen.ActiveListingsOfParams{ChainID: c.chain, Seller: k.seller, Contract: k.contract})
		if err != nil {
			return err
		}
		c.gather(rows)
	}
	for part := range slices.Chunk(goods, goodsAtOnce) {
		rows, err := c.activeListings(ctx, store.Padded(part))
		if err != nil {
			return err
		}
		c.gather(rows)
	}
	return nil
}

func (c *change) gather(rows []gen.Listing) {
	for _, row := range rows {
		if _, known := c.folded[row.ListingID]; !known {
			c.folded[row.ListingID] = foldState{row: &row, now: foldedOf(row)}
		}
	}
}

// goodsAtOnce is the maximum number of sellers' tokens in one query.
const goodsAtOnce = 100

// activeListings returns the active listings of sellers' tokens.
func (c *change) activeListings(ctx context.Context, goods []holdingKey) (rows []gen.Listing, err error) {
	s := &store.SQLText{}
	s.Add("SELECT l.* FROM (VALUES ")
	for i, g := range goods {
		if i > 0 {
			s.Add(", ")
		}
		s.Add("(?, ?, ?)", g.owner, g.contract, g.tokenID)
	}
	s.Add(") k CROSS JOIN listing l WHERE l.chain_id = ? AND l.seller = k.column1 AND l.contract = k.column2 AND l.token_id = k.column3",
		c.chain)
	s.Add(" AND l.status = 'active'")
	return store.SelectRows[gen.Listing](ctx, c.tx.Statements(), s)
}

func (c *change) settleListing(ctx context.Context, number string, s foldState, row gen.Listing) error {
	id := market.Key(c.chain, number)
	if !s.now.Exists() {
		return c.removeListing(ctx, id, s)
	}
	if err := c.setBrowseColumns(ctx, &row); err != nil {
		return err
	}
	if s.row != nil && sameRow(*s.row, row) && !s.sold {
		return nil
	}
	if err := saveListing(ctx, c.tx, c.counts, s.row, row); err != nil {
		return err
	}
	if err := c.noteOffer(ctx, s.row, row); err != nil {
		return err
	}
	if s.row != nil && sameRow(withoutBrowseColumns(*s.row), withoutBrowseColumns(row)) && !s.sold {
		return nil // it has ended; holds and orders are not affected
	}
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
		if err := c.endRaised(ctx, row, s); err != nil {
			return err
		}
	}
	return c.offerChanged(ctx, id, s.row, &row)
}

// sameRow reports whether two rows are stored alike.
func sameRow(a, b gen.Listing) bool {
	same := a.Price.Cmp(b.Price) == 0
	b.Price = a.Price
	for _, t := range [...][2]*column.Time{
		{&a.StartAt, &b.StartAt}, {&a.EndAt, &b.EndAt}, {&a.CreatedAt, &b.CreatedAt}, {&a.UpdatedAt, &b.UpdatedAt},
	} {
		same = same && column.Millis(t[0].Time) == column.Millis(t[1].Time)
		*t[1] = *t[0]
	}
	return same && a == b
}

// offerChanged applies the effects of a change of a listing. A nil row is a listing that does not exist.
func (c *change) offerChanged(ctx context.Context, id string, before, after *gen.Listing) error {
	if after != nil {
		if err := c.notifySeller(ctx, before, *after); err != nil {
			return err
		}
	}
	return c.apply(ctx, c.rules.OfferChanged(id, offerOf(before), offerOf(after)))
}

func offerOf(l *gen.Listing) projection.Offer {
	if l == nil {
		return projection.Offer{}
	}
	return projection.Offer{
		Contract: l.Contract, TokenID: l.TokenID, Seller: l.Seller, Quantity: l.Quantity,
		Active: market.Status(l.Status) == market.Active, Valid: bool(l.Valid),
	}
}

// removeListing deletes a listing whose creation was taken back.
func (c *change) removeListing(ctx context.Context, id string, s foldState) error {
	if s.row == nil {
		return nil
	}
	gone := *s.row
	gone.Valid, gone.Returned, gone.Browsable = false, false, false
	if err := saveListing(ctx, c.tx, c.counts, s.row, gone); err != nil {
		return err
	}
	if err := c.reseat(ctx, gone, s); err != nil {
		return err
	}
	if market.Status(s.row.Status) == market.Active {
		if err := c.tellTaken(ctx, id); err != nil {
			return err
		}
	}
	if err := c.offerChanged(ctx, id, s.row, nil); err != nil {
		return err
	}
	c.lost[tokenKey{s.row.Contract, s.row.TokenID}] = true
	return c.tx.DeleteListing(ctx, id)
}

// tellTaken announces the removal of a listing whose row will not exist when the message is sent.
func (c *change) tellTaken(ctx context.Context, id string) error {
	card, err := c.tx.ListingCard(ctx, id)
	if err != nil {
		return err
	}
	now := c.tx.Clock().Now()
	l, err := marketstore.ListingOf(card, now)
	if err != nil {
		return err
	}
	a, err := announce.ToPlayer("", market.Taken(c.x.o.Publisher, l, now))
	if err != nil {
		return err
	}
	return c.tx.Announce(ctx, a)
}

// reseat adjusts the holds of a listing to its remaining quantity. The listing's row is written before: on PostgreSQL
// its lock blocks new holds until the transaction ends.
func (c *change) reseat(ctx context.Context, row gen.Listing, s foldState) error {
	// A cart must not be emptied between the read of the holds and what follows from it: another player's hold would end
	// although a unit is free. SQLite has no concurrent writers.
	if c.tx.Engine() == store.PostgreSQL {
		if err := c.tx.LockUnits(ctx, row.ID); err != nil {
			return err
		}
	}
	rows, err := c.tx.KeptUnits(ctx, row.ID)
	if err != nil || len(rows) == 0 {
		return err
	}
	kept := make([]market.Kept, len(rows))
	for i, r := range rows {
		kept[i] = market.Kept{
			Hold:   market.Hold{Unit: r.Unit, PlayerID: r.PlayerID, HeldAt: r.HeldAt.Time, ExpiresAt: r.ExpiresAt.Time},
			Paying: r.OrderID != "",
		}
	}
	units := row.Quantity
	if !row.Valid {
		units = 0
	}
	now := c.tx.Clock().Now()
	r := market.Reseat(kept, units, s.bought, now)
	var orders []string
	for _, k := range slices.Concat(r.Spent, r.Lapsed, r.Ended) {
		dropped, err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: row.ID, Unit: k.Unit})
		if err != nil {
			return err
		}
		orders = append(orders, dropped...)
	}
	if err := cartstore.EndOrders(ctx, c.tx, orders, checkout.GoneText); err != nil {
		return err
	}
	lapsed := make([]cartstore.EndedHold, len(r.Lapsed))
	for i, k := range r.Lapsed {
		lapsed[i] = cartstore.EndedBy(now, k.PlayerID, row.ID, column.At(k.HeldAt), column.At(k.ExpiresAt))
	}
	if err := cartstore.CountHolds(ctx, c.tx, lapsed...); err != nil {
		return err
	}
	for _, m := range r.Moved {
		if err := c.tx.MoveUnit(ctx, gen.MoveUnitParams{ListingID: row.ID, FromUnit: m.Unit, ToUnit: m.To}); err != nil {
			return err
		}
	}
	for _, k := range r.Ended {
		if slices.ContainsFunc(s.bought, func(p market.Purchase) bool { return p.PlayerID == k.PlayerID }) {
			continue // the buyer is not notified
		}
		why := projection.WhyHoldEnded(offerOf(&row), s.now.Status == market.Cancelled, s.sold)
		if why != projection.HoldSold {
			if err := c.keepPrice(ctx, *s.row, k.Unit, column.At(k.ExpiresAt)); err != nil {
				return err
			}
		}
		if err := c.tellHoldEnded(ctx, k.PlayerID, row.ListingID, row.Contract, k.Unit, why); err != nil {
			return err
		}
	}
	return nil
}

// endRepriced ends the unpaid orders of a listing whose price or currency changed: they were placed at the previous
// price, which the marketplace no longer accepts.
func (c *change) endRepriced(ctx context.Context, row gen.Listing, s foldState) error {
	if s.row.Price.Cmp(row.Price) == 0 && s.row.Currency == row.Currency {
		return nil
	}
	orders, err := c.tx.UnpaidOrdersWith(ctx, row.ID)
	if err != nil {
		return err
	}
	return cartstore.EndOrders(ctx, c.tx, orders, checkout.PriceChangedText)
}

// endRaised ends the holds of a listing whose price rose, except those with a pending payment: the marketplace accepts or rejects
// it. The signer refuses to raise a price while units are held, so the portal did not sign this update, or signed it before the
// hold.
func (c *change) endRaised(ctx context.Context, row gen.Listing, s foldState) error {
	if s.row.Currency != row.Currency || s.now.PricePerToken.Cmp(s.row.Price) <= 0 {
		return nil
	}
	kept, err := c.tx.KeptUnits(ctx, row.ID)
	if err != nil {
		return err
	}
	var orders []string
	for _, k := range kept {
		paying, err := cartstore.IsBeingPaid(ctx, c.tx, k.OrderID)
		if err != nil {
			return err
		}
		if paying {
			continue
		}
		dropped, err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: row.ID, Unit: k.Unit})
		if err != nil {
			return err
		}
		orders = append(orders, dropped...)
		if err := c.keepPrice(ctx, *s.row, k.Unit, k.ExpiresAt); err != nil {
			return err
		}
		hold := projection.Hold{PlayerID: k.PlayerID, Number: row.ListingID, Contract: row.Contract, Unit: k.Unit}
		if err := c.announceAll(ctx, c.rules.PriceRaised(hold, s.row.Price, s.now.PricePerToken)); err != nil {
			return err
		}
	}
	return cartstore.EndOrders(ctx, c.tx, orders, checkout.PriceChangedText)
}

// keepPrice records that the holder of a unit could have bought it at a listing's price, unless facts are removed.
func (c *change) keepPrice(ctx context.Context, l gen.Listing, unit int64, expires column.Time) error {
	if c.from == 0 {
		return nil
	}
	return c.tx.InsertEndedHold(ctx, gen.InsertEndedHoldParams{
		ChainID: l.ChainID, Seller: l.Seller, Contract: l.Contract, TokenID: l.TokenID, ListingID: l.ID, Unit: unit, Price: l.Price,
		ExpiresAt: expires, BlockNumber: c.from,
	})
}

func (c *change) tellHoldEnded(ctx context.Context, player, number string, contract eth.Address, unit int64, why projection.HoldEnd) error {
	return c.announceAll(ctx, projection.HoldEnded(projection.Hold{PlayerID: player, Number: number, Contract: contract, Unit: unit}, why))
}

// apply announces effects, unless the blocks are too old.
func (c *change) apply(ctx context.Context, e projection.Effects) error {
	if c.quiet {
		return nil
	}
	return c.announceAll(ctx, e)
}

// announceAll announces effects regardless of the blocks' age.
func (c *change) announceAll(ctx context.Context, e projection.Effects) error {
	for _, a := range e.Announcements {
		if a.Topic == announce.Packs { // once for all listings of the change
			c.packs = true
			continue
		}
		if err := c.tx.Announce(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// listingRow converts a listing to the row of one that is not valid.
func listingRow(chain onchain.ChainID, number string, f market.Folded) gen.Listing {
	return gen.Listing{
		ID: market.Key(chain, number), ChainID: chain, ListingID: number, Contract: f.Contract, TokenID: f.TokenID,
		Seller: f.Seller, Quantity: f.Quantity, Listed: f.Quantity, Currency: f.Currency, Price: f.PricePerToken,
		PriceRank: market.PriceRank(f.PricePerToken), StartAt: column.At(f.Start), EndAt: column.At(f.End),
		Reserved: column.Flag(f.Reserved),
		Status:   string(f.Status), CreatedAt: column.At(f.CreatedAt), UpdatedAt: column.At(f.UpdatedAt),
	}
}

// foldedOf converts a row to a listing; the row holds its full state.
func foldedOf(r gen.Listing) market.Folded {
	f := market.Folded{Status: market.Status(r.Status), CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
	f.Contract, f.TokenID, f.Seller, f.Currency, f.PricePerToken = r.Contract, r.TokenID, r.Seller, r.Currency, r.Price
	f.Quantity, f.Reserved, f.Start, f.End = r.Listed, bool(r.Reserved), r.StartAt.Time, r.EndAt.Time
	return f
}
