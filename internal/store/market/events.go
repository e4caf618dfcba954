package market

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// eventOrder names the order of events in cursors.
const eventOrder = "events"

// position is the position of a token's event in its chain.
type position struct{ block, log, sub int64 }

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.block, q.block), cmp.Compare(p.log, q.log), cmp.Compare(p.sub, q.sub))
}

func (p position) String() string { return fmt.Sprintf("%d.%d.%d", p.block, p.log, p.sub) }

func (p position) cursor() string {
	return cursor.EncodeRank(eventOrder, p.block, fmt.Sprintf("%d.%d", p.log, p.sub))
}

func parsePosition(text string) (p position, err error) {
	block, rest, err := cursor.DecodeRank(eventOrder, text)
	if err != nil {
		return p, err
	}
	log, sub, _ := strings.Cut(rest, ".")
	p.block = block
	var errLog, errSub error
	p.log, errLog = strconv.ParseInt(log, 10, 64)
	p.sub, errSub = strconv.ParseInt(sub, 10, 64)
	if errors.Join(errLog, errSub) != nil {
		return p, cursor.Invalid()
	}
	return p, nil
}

type positioned struct {
	position
	market.Event
	hidden bool // the transfer of a sale, which is an event itself
}

// Events returns a page of a token's events; see market.Store. It reads one page each of listings' events and of
// transfers. Where either has more, the page ends at the last position up to which both are known.
func (db Store) Events(ctx context.Context, q market.EventQuery) (page market.Page[market.Event], err error) {
	before := position{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	if q.Cursor != "" {
		if before, err = parsePosition(q.Cursor); err != nil {
			return page, err
		}
	}
	size := int64(q.Limit + 1)
	var all []positioned
	known := position{-1, -1, -1} // both lists are known from here on
	err = db.Read(ctx, func(g *gen.Queries) error {
		listings, err := g.TokenListingEvents(ctx, gen.TokenListingEventsParams{
			Contract: q.Contract.String(), TokenID: q.TokenID, BeforeBlock: before.block, BeforeLog: before.log, PageSize: size,
		})
		if err != nil {
			return err
		}
		for _, r := range listings {
			e, err := listingEventOf(r)
			if err != nil {
				return err
			}
			all = append(all, e)
		}
		if len(listings) == int(size) {
			known = all[len(all)-1].position
		}
		transfers, err := g.TokenTransfers(ctx, gen.TokenTransfersParams{
			Contract: q.Contract, TokenID: q.TokenID, BeforeBlock: before.block, BeforeLog: before.log, BeforeSub: before.sub, PageSize: size,
		})
		if err != nil {
			return err
		}
		for _, r := range transfers {
			all = append(all, transferEventOf(r))
		}
		if last := len(all) - 1; len(transfers) == int(size) && known.compare(all[last].position) < 0 {
			known = all[last].position
		}
		return nil
	})
	if err != nil {
		return page, err
	}
	slices.SortFunc(all, func(a, b positioned) int { return b.compare(a.position) })
	page.Items = []market.Event{}
	var last position // the end of the page
	for _, e := range all {
		if e.compare(known) < 0 || len(page.Items) == q.Limit && !e.hidden {
			page.Next = last.cursor()
			return page, nil
		}
		if last = e.position; !e.hidden {
			e.ID = e.String()
			page.Items = append(page.Items, e.Event)
		}
	}
	if known.block >= 0 {
		page.Next = last.cursor()
	}
	return page, nil
}

func listingEventOf(r gen.TokenListingEventsRow) (e positioned, err error) {
	e.position = position{r.BlockNumber, r.LogIndex, 0}
	e.Time, e.Tx, e.ListingID = r.Time.Time, r.TxHash, r.ListingID
	if !r.Seller.IsZero() {
		e.From = &r.Seller
	}
	switch onchain.ListingKind(r.Kind) {
	case onchain.ListingCreated, onchain.ListingUpdated:
		err = e.setTerms(r)
	case onchain.ListingCancelled:
		e.Kind = market.EventCancelled
	case onchain.ListingSold:
		e.Kind = market.EventSold
		var sale onchain.Sale
		if err := json.Unmarshal([]byte(r.Detail), &sale); err != nil {
			return e, err
		}
		e.From, e.To, e.Quantity, e.Currency = &sale.Seller, &sale.Buyer, money.FromInt(sale.Quantity), r.Currency
		if !r.Currency.IsZero() {
			e.Price = &r.UnitPrice
		}
	default:
		err = fmt.Errorf("store: a listing's event of kind %q", r.Kind)
	}
	return e, err
}

func (e *positioned) setTerms(r gen.TokenListingEventsRow) error {
	var terms, before onchain.ListingTerms
	if err := json.Unmarshal([]byte(r.Detail), &terms); err != nil {
		return err
	}
	e.From, e.Quantity, e.Currency, e.Price = &terms.Seller, money.FromInt(terms.Quantity), terms.Currency, &terms.PricePerToken
	e.Kind = market.EventListed
	if onchain.ListingKind(r.Kind) == onchain.ListingCreated {
		return nil
	}
	e.Kind = market.EventChanged
	if r.TermsBefore == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(r.TermsBefore), &before); err != nil {
		return err
	}
	if before.Currency != terms.Currency {
		e.Kind = market.EventRepriced
	} else if before.PricePerToken.Cmp(terms.PricePerToken) != 0 {
		e.Kind, e.Before = market.EventRepriced, &before.PricePerToken
	}
	return nil
}

func transferEventOf(r gen.TokenTransfersRow) (e positioned) {
	e.position, e.hidden = position{r.BlockNumber, r.LogIndex, r.SubIndex}, r.Sold == 1
	e.Kind, e.Time, e.Tx, e.Quantity = market.EventTransferred, r.Time.Time, r.TxHash, r.Amount
	if r.FromAddress.IsZero() {
		e.Kind = market.EventMinted
	} else {
		e.From = &r.FromAddress
	}
	if r.ToAddress.IsZero() {
		e.Kind = market.EventBurned
	} else {
		e.To = &r.ToAddress
	}
	return e
}

// Names returns the display names of the owners of smart wallets; see market.Store.
func (db Store) Names(ctx context.Context, addresses []eth.Address) (names map[eth.Address]string, err error) {
	names = map[eth.Address]string{}
	if len(addresses) == 0 {
		return names, nil
	}
	s := namesQuery(addresses)
	rows, err := db.Reader().QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return nil, store.Classify(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var address eth.Address
		var name string
		if err := rows.Scan(&address, &name); err != nil {
			return nil, err
		}
		names[address] = name
	}
	return names, store.Classify(rows.Err())
}

// namesQuery selects the smart wallets among the addresses, which must not be empty, with their players' names.
func namesQuery(addresses []eth.Address) *store.SQLText {
	s := &store.SQLText{}
	s.Add("SELECT w.smart_address, p.display_name FROM wallet w JOIN player p ON p.id = w.player_id WHERE p.display_name <> '' AND " +
		"w.smart_address")
	store.In(s, addresses)
	return s
}
