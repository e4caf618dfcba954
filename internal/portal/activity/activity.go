// Package activity lists what happened on a player's account, and the achievements this adds up to. Everything is
// read from data of other capabilities (the index's facts, rewards, sessions). Nothing is stored here, so that a
// reorganisation of a chain needs no rollback here.
package activity

import (
	"context"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// MaxPage is the maximum number of entries per page.
const MaxPage = 100

// Type is an entry's type.
type Type string

// The types of entries.
const (
	Purchase  Type = "purchase"  // the player bought
	Sale      Type = "sale"      // another player bought from the player
	Listing   Type = "listing"   // the player listed something for sale
	Unlisting Type = "unlisting" // the player cancelled a listing
	Opening   Type = "opening"   // the player burned a pack to open it
	Burn      Type = "burn"      // the player burned something other than a pack
	Reward    Type = "reward"    // a gift, claim or payout arrived
	// Withdrawal is money or a token that the player sent from the wallet.
	Withdrawal Type = "withdrawal"
	Login      Type = "login" // the player signed in
)

// Entry is one entry of the ledger.
type Entry struct {
	ID   string // unique; meaningful only to this package
	Type Type
	At   time.Time
	// Token is the token concerned; nil for a sign-in, for a reward in money or a currency, and for money sent.
	Token *Token
	// Quantity is the number of tokens; 0 if unknown.
	Quantity money.Units
	// Price is the total paid, a listing's price per unit, or the amount of a money reward or of money sent; nil if there
	// is none or its currency is unknown.
	Price *Price
	// Code is the currency of a reward on the game platform; "" for none.
	Code string
	// To is the recipient of a withdrawal; else the zero address.
	To eth.Address
	// Tx is the transaction in which it happened; zero if unknown.
	Tx eth.Hash
	// OrderID is the player's order that a purchase was part of; "" for none.
	OrderID string
}

// Price is an amount of money.
type Price struct {
	Amount money.Units
	Currency
}

// Currency is a currency on a chain.
type Currency struct {
	Symbol   string
	Decimals int
}

// Token is the token an entry concerns.
type Token struct {
	Contract                       eth.Address
	TokenID                        string
	Collection, Name, Kind, Rarity string // "" if the token is unknown
}

// Record is what a wallet has done that counts towards achievements; a zero time means never.
type Record struct {
	Purchases    []time.Time // the first ones, ascending
	Listed, Sold time.Time
	Received     map[eth.Address]time.Time // the first token of each contract
	Burned       map[eth.Address]time.Time
	Gods         []time.Time // when each god was first received, ascending
	Legend       time.Time   // the first legendary or mythic token
}

// Store reads the data of other capabilities.
type Store interface {
	// Entries returns at most limit entries of a player and the player's wallet, newest first, starting after the
	// given time and id. wallet is the zero address for a player without one. It does not distinguish a burn from a
	// pack opening.
	Entries(ctx context.Context, playerID string, wallet eth.Address, before time.Time, id string, limit int) ([]Entry, error)
	// Record returns what a wallet has done, with its first n purchases.
	Record(ctx context.Context, wallet eth.Address, elderGods eth.Address, n int) (Record, error)
}

// Config lists the contracts by their role.
type Config struct {
	Packs     eth.Address     // burning one of its tokens opens a pack; zero for none
	ElderGods eth.Address     // zero for none
	Kinds     [][]eth.Address // the kinds of tokens, each with its contracts
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store  Store
	config Config
}

// NewService returns a Service.
func NewService(s Store, c Config) *Service { return &Service{store: s, config: c} }

// Entries returns a page of a player's ledger, newest first, and the cursor of the next page, "" at the end. wallet
// is nil for a player without one. limit is 1 to MaxPage. It returns fault.Invalid for an invalid cursor.
func (s *Service) Entries(ctx context.Context, playerID string, wallet *eth.Address, at string, limit int) ([]Entry, string, error) {
	limit = min(max(limit, 1), MaxPage)
	before, id, err := cursor.Decode(at)
	if err != nil {
		return nil, "", err
	}
	var address eth.Address
	if wallet != nil {
		address = *wallet
	}
	entries, err := s.store.Entries(ctx, playerID, address, before, id, limit+1)
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(entries) > limit {
		entries = entries[:limit]
		next = cursor.Encode(entries[limit-1].At, entries[limit-1].ID)
	}
	for i, e := range entries {
		if e.Type == Burn && e.Token.Contract == s.config.Packs {
			entries[i].Type = Opening
		}
	}
	return entries, next, nil
}
