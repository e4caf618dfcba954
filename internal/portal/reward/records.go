package reward

import (
	"context"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Record is a reward as its player sees it. Its Grants are in Given.
type Record struct {
	Reward
	State     State
	Error     string // why it failed
	CreatedAt time.Time
	UpdatedAt time.Time
	Given     []Given
}

// Given is a grant and what became of it.
type Given struct {
	Content
	State    State
	Error    string // why it failed, or why it was postponed; for operators
	Attempts int    // consecutive failures of its current step
}

// Burn is a burn that is not final yet.
type Burn struct {
	Chain    onchain.ChainID
	Tx       eth.Hash
	At       time.Time // of its block
	Contract eth.Address
	TokenID  string
	Amount   money.Units
}

// Query selects records.
type Query struct {
	PlayerID string
	Origin   Origin   // "" for all
	Openings bool     // whether only those of packs are selected, whether they were burned or bought in a shop
	Tx       eth.Hash // zero for all
	Before   time.Time
	BeforeID string
	Limit    int
}

// Pace says how long the last rewards of a chain's burns took.
type Pace struct {
	Settle time.Duration // from the burn's block to its record
	Give   time.Duration // from the record to done
}

// paceRewards is how many of a chain's rewards its pace follows from.
const paceRewards = 20

// RecordStore reads rewards.
type RecordStore interface {
	// RewardRecords returns rewards of a player, newest first.
	RewardRecords(ctx context.Context, q Query) ([]Record, error)
	// UnsettledBurnsOf returns the burns by the wallets that are not settled, newest first, at most limit of each.
	UnsettledBurnsOf(ctx context.Context, wallets []eth.Address, limit int) ([]Burn, error)
	// RewardPace returns the pace of the last rewards of a chain.
	RewardPace(ctx context.Context, chain onchain.ChainID, last int) (Pace, error)
}

// Records reads rewards for their players. It is safe for concurrent use.
type Records struct {
	RecordStore
}

// Pace returns the pace of a chain's last rewards.
func (r Records) Pace(ctx context.Context, chain onchain.ChainID) (Pace, error) {
	return r.RewardPace(ctx, chain, paceRewards)
}

// Page returns a page of a player's rewards, newest first, and the cursor of the next page, "" at the end. It returns
// fault.Invalid for a malformed cursor.
func (r Records) Page(ctx context.Context, q Query, at string) (page []Record, next string, err error) {
	if q.Before, q.BeforeID, err = cursor.Decode(at); err != nil {
		return nil, "", err
	}
	limit := q.Limit
	q.Limit++
	if page, err = r.RewardRecords(ctx, q); err != nil {
		return nil, "", err
	}
	if len(page) > limit {
		page = page[:limit]
		last := page[limit-1]
		next = cursor.Encode(last.EarnedAt, last.Source)
	}
	return page, next, nil
}
