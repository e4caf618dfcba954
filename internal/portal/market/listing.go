// Package market is the marketplace as players see it: the live listings, what they cost, who offers and holds them.
// Listings are facts of the chain; this package reads what the indexer made of them and never changes them.
package market

import (
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Status says whether a listing is still on offer.
type Status string

// The states of a listing.
const (
	Active    Status = "active"
	Sold      Status = "sold"
	Cancelled Status = "cancelled"
)

// Key names a listing of any chain: the chain's id, a dash, and the marketplace's own number.
func Key(chain onchain.ChainID, number string) string {
	return strconv.FormatUint(uint64(chain), 10) + "-" + number
}

// Listing is a direct listing of the marketplace.
type Listing struct {
	ID        string // chain id, a dash, ListingID
	ListingID string // the marketplace's number, decimal uint256
	Contract  eth.Address
	TokenID   string // decimal uint256
	Seller    eth.Address
	Quantity  int64 // units still for sale, at least 1 while the listing is active
	Currency  eth.Address
	Price     money.Units // of one unit, in the currency's base units
	Start     time.Time
	End       time.Time
	Status    Status
	Valid     bool // Buyable when the index last looked; implies Active
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64 // grows with every announced change, holds included; never falls
	Token     Token
	Holds     []Hold // the holds that have not expired, in order of their unit
}

// Live reports whether the listing can be bought from at the time. The same condition in SQL is
// valid = 1 AND start_at <= begun AND end_at > now.
func (l Listing) Live(now time.Time) bool { return l.Valid && onchain.Open(l.Start, l.End, now) }

// FreeUnit returns the lowest unit that nobody holds, or -1 when all are held.
func (l Listing) FreeUnit() int64 {
	free := int64(0)
	for _, h := range l.Holds {
		if h.Unit == free {
			free++
		}
	}
	if free >= l.Quantity {
		return -1
	}
	return free
}

// Token says what is offered, as its metadata describes it.
type Token struct {
	Contract   eth.Address
	TokenID    string
	Collection string // slug, such as "game-items"
	Name       string
	Kind       string
	Rarity     string
	Attributes []Attribute
}

// Attribute is one trait of a token, in the shape that ERC-721 metadata gives it.
type Attribute struct {
	TraitType string `json:"trait_type" doc:"What the trait is called."`
	Value     string `json:"value" doc:"The trait's value."`
}

// Hold is one unit kept for a player.
type Hold struct {
	Unit      int64
	PlayerID  string
	HeldAt    time.Time
	ExpiresAt time.Time
}

// Trade is one past sale of a token.
type Trade struct {
	ListingID string
	Seller    eth.Address
	Buyer     eth.Address
	Quantity  int64
	Total     money.Units
	UnitPrice money.Units // rounded down
	Currency  eth.Address
	Tx        eth.Hash
	Time      time.Time
}

// Supply is how many of a token there are.
type Supply struct {
	Collection bool         // each token is unique: all of its collection are counted
	Existing   money.Units  // minted and not burned
	Max        *money.Units // how many can ever be minted, burned ones included; nil where the contract has no cap
}

// Owner is somebody who holds a token now.
type Owner struct {
	Address eth.Address
	Amount  money.Units
}

// Collection is a kind of goods with its figures.
type Collection struct {
	Contract eth.Address
	Slug     string
	Listed   int64        // live listings
	Floor    *money.Units // the lowest live price; nil when nothing is listed
}
