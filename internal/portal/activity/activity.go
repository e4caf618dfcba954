// Package activity tells what happened on a player's account: the entries of its book, and the achievements they add up
// to. All of it is read from what others have written down (the index's facts, rewards, sessions); nothing is kept here,
// so that a reorganisation of a chain takes back what it must.
package activity

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

// MaxPage is the largest number of entries returned at once.
const MaxPage = 100

// Type says what an entry tells of.
type Type string

// The types of entries.
const (
	Purchase  Type = "purchase"  // the player bought
	Sale      Type = "sale"      // somebody bought from the player
	Listing   Type = "listing"   // the player put something up for sale
	Unlisting Type = "unlisting" // the player took an offer back
	Opening   Type = "opening"   // the player burned a pack to open it
	Burn      Type = "burn"      // the player burned something else
	Reward    Type = "reward"    // a gift, claim or payout arrived
	Login     Type = "login"     // the player signed in
)

// Entry is one line of the book.
type Entry struct {
	ID   string // tells entries apart, and makes sense here only
	Type Type
	At   time.Time
	// Token is what it was about; nil for a sign-in and a reward in money or a currency.
	Token *Token
	// Quantity is how many; 0 where that is not known.
	Quantity money.Units
	// Price is what was paid for all of them, of a listing what one is to cost, of a reward the money it was; nil where
	// there is none, or one in an unknown currency.
	Price *Price
	// Code is the currency of a reward on the game platform; "" for none.
	Code string
	// Tx is the transaction in which it happened; zero where that is not known.
	Tx eth.Hash
}

// Price is an amount of money.
type Price struct {
	Amount money.Units
	Currency
}

// Currency is money of a chain.
type Currency struct {
	Symbol   string
	Decimals int
}

// Token is what an entry is about.
type Token struct {
	Contract                       eth.Address
	TokenID                        string
	Collection, Name, Kind, Rarity string // "" where the token is not known
}

// Record is what a wallet has done that counts towards achievements; a zero time stands for never.
type Record struct {
	Purchases    []time.Time // the first ones, ascending
	Listed, Sold time.Time
	Received     map[eth.Address]time.Time // the first token of each contract
	Burned       map[eth.Address]time.Time
	Gods         []time.Time // when each of the gods came first, ascending
	Legend       time.Time   // the first legendary or mythic token
}

// Store reads what others have written down.
type Store interface {
	// Entries returns at most limit entries of a player and the player's wallet, the newest first, from the one after
	// that of the time and id given. wallet is the zero address where there is none. A burn is not told from an opening.
	Entries(ctx context.Context, playerID string, wallet eth.Address, before time.Time, id string, limit int) ([]Entry, error)
	// Record returns what a wallet has done; of purchases the first n.
	Record(ctx context.Context, wallet eth.Address, elderGods eth.Address, n int) (Record, error)
}

// Config says what the contracts hold.
type Config struct {
	Packs     eth.Address // burning one opens it
	ElderGods eth.Address
	Kinds     [][]eth.Address // the kinds of things there are, each with its contracts
}

// Service is the capability. It is safe for concurrent use.
type Service struct {
	store  Store
	config Config
}

// NewService returns the capability.
func NewService(s Store, c Config) *Service { return &Service{store: s, config: c} }

// Entries returns a page of a player's book, the newest first, and the cursor of the next page, "" at the end. wallet is
// nil for a player without one. limit is 1 to MaxPage. It returns fault.Invalid for a cursor of no page.
func (s *Service) Entries(ctx context.Context, playerID string, wallet *eth.Address, cursor string, limit int) ([]Entry, string, error) {
	limit = min(max(limit, 1), MaxPage)
	before, id, err := decodeCursor(cursor)
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
		next = encodeCursor(entries[limit-1])
	}
	for i, e := range entries {
		if e.Type == Burn && e.Token.Contract == s.config.Packs {
			entries[i].Type = Opening
		}
	}
	return entries, next, nil
}

func encodeCursor(e Entry) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(e.At.UnixMilli(), 10) + " " + e.ID))
}

func decodeCursor(cursor string) (before time.Time, id string, err error) {
	if cursor == "" {
		return time.UnixMilli(math.MaxInt64), "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	at, id, _ := strings.Cut(string(text), " ")
	ms, bad := strconv.ParseInt(at, 10, 64)
	if err != nil || bad != nil || id == "" {
		return time.Time{}, "", fault.InvalidFields("This page of the book does not exist.",
			fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
	}
	return time.UnixMilli(ms), id, nil
}
