package projection

import (
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
)

// Offer is a snapshot of a listing. The zero Offer is a listing that does not exist.
type Offer struct {
	Contract eth.Address
	TokenID  string
	Seller   eth.Address
	Quantity int64
	Active   bool // neither sold out nor cancelled
	Valid    bool // can be bought, regardless of its time window; implies Active
}

// OfferChanged returns the effects of a change of the listing with the given id.
func (r Rules) OfferChanged(id string, before, after Offer) Effects {
	var e Effects
	switch {
	case after.Valid && !before.Valid:
		e = told(announce.Announcement{Topic: announce.ListingNew, Payload: id})
	case after.Active && before.Active:
		e = told(announce.Announcement{Topic: announce.Listing, Payload: id})
	case before.Active && after != (Offer{}): // the removal of a listing is announced by the market
		e = told(announce.Announcement{Topic: announce.ListingGone, Payload: id})
	}
	if r.packs(before) != r.packs(after) {
		e.Announcements = append(e.Announcements, announce.Announcement{Topic: announce.Packs})
	}
	return e
}

// stock is a number of packs of one kind.
type stock struct {
	tokenID  string
	quantity int64
}

// packs returns the portal's packs for sale in an offer.
func (r Rules) packs(o Offer) stock {
	if !o.Valid || o.Contract != r.Packs || o.Seller != r.Manager {
		return stock{}
	}
	return stock{o.TokenID, o.Quantity}
}

// done is the payload of listing/new and listing/remove.
type done struct {
	TxID         eth.Hash `json:"txId"` // the operation's own hash when it was never included in a transaction
	Success      bool     `json:"success"`
	ListingID    string   `json:"listingId"` // the marketplace's number; "" if unknown
	ErrorMessage string   `json:"errorMessage"`
}

// ListingCreated returns the effects of a new listing by a player, once.
func ListingCreated(playerID string, tx eth.Hash, number string) Effects {
	return told(message(playerID, "listing", "new", done{TxID: tx, Success: true, ListingID: number}))
}

// ListingCancelled returns the effects of a cancellation by the seller, once.
func ListingCancelled(playerID string, tx eth.Hash, number string) Effects {
	return told(message(playerID, "listing", "remove", done{TxID: tx, Success: true, ListingID: number}))
}

// packDone is the payload of kod-pack/purchase-complete.
type packDone struct {
	TxID         eth.Hash `json:"txId"`
	Success      bool     `json:"success"`
	ProductID    string   `json:"productId"` // the token id of the kind of pack
	ErrorMessage string   `json:"errorMessage"`
}
