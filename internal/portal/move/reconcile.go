package move

import (
	"context"
	"sync"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Total is what was held of a token on the old chain, and how much of that was claimed and given on the new one.
type Total struct {
	Supply
	Held, Claimed, Given money.Units
}

// Claimed is a claimed holding.
type Claimed struct {
	Holding
	Given bool // whether it was minted on the new chain
}

// totalsTTL is how long totals are kept: all claimed holdings are read for them.
const totalsTTL = 10 * time.Second

// cache keeps the totals of one move.
type cache struct {
	mu     sync.Mutex
	move   Move
	totals []Total
	at     time.Time
}

// All returns the moves.
func (s *Service) All(ctx context.Context) ([]Move, error) { return s.o.Store.Moves(ctx) }

// Reconcile returns a move with the totals of its tokens, which may be 10 seconds old; none before the snapshot. It returns fault.NotFound
// for a chain that does not move.
func (s *Service) Reconcile(ctx context.Context, from onchain.ChainID) (m Move, totals []Total, err error) {
	if m, err = s.find(ctx, from); err != nil || m.State == Frozen {
		return m, nil, err
	}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if s.cache.move == m && s.o.Clock.Now().Sub(s.cache.at) < totalsTTL {
		return m, s.cache.totals, nil
	}
	supplies, err := s.o.Store.Supplies(ctx, from)
	if err != nil {
		return m, nil, err
	}
	type key struct {
		contract eth.Address
		tokenID  string
	}
	at := map[key]int{}
	for i, supply := range supplies {
		held, err := supply.Minted.Sub(supply.Burned)
		if err != nil {
			return m, nil, err
		}
		at[key{supply.Contract, supply.TokenID}] = i
		totals = append(totals, Total{Supply: supply, Held: held})
	}
	for after := int64(0); ; {
		claimed, err := s.o.Store.ClaimedOf(ctx, from, after, claimedAtOnce)
		if err != nil {
			return m, nil, err
		}
		for _, c := range claimed {
			after = c.Position
			k := key{c.Contract, c.TokenID}
			if c.Standard == onchain.ERC721 {
				k.tokenID = ""
			}
			t := &totals[at[k]]
			if t.Claimed, err = t.Claimed.Add(c.Amount); err == nil && c.Given {
				t.Given, err = t.Given.Add(c.Amount)
			}
			if err != nil {
				return m, nil, err
			}
		}
		if len(claimed) < claimedAtOnce {
			break
		}
	}
	s.cache.move, s.cache.totals, s.cache.at = m, totals, s.o.Clock.Now()
	return m, totals, nil
}

// claimedAtOnce is the number of claimed holdings that are read at a time.
const claimedAtOnce = 1000

// find returns the move of a chain.
func (s *Service) find(ctx context.Context, from onchain.ChainID) (Move, error) {
	all, err := s.o.Store.Moves(ctx)
	for _, m := range all {
		if m.From == from {
			return m, nil
		}
	}
	if err == nil {
		err = fault.New(fault.NotFound, "No such chain moves.")
	}
	return Move{}, err
}

// partSize is the number of holdings in a part of a snapshot's text.
const partSize = 10_000

// Text returns a part of a snapshot's text, from 1: the parts one after another are the text. It is empty after the end. It returns
// fault.NotFound for a chain without a snapshot.
func (s *Service) Text(ctx context.Context, from onchain.ChainID, part int64) ([]byte, error) {
	m, err := s.find(ctx, from)
	if err == nil && m.State == Frozen {
		err = fault.New(fault.NotFound, "The snapshot is not taken yet.")
	}
	if err != nil {
		return nil, err
	}
	text := []byte{}
	if part == 1 {
		text = append(text, Head(from, m.Block)...)
	}
	holdings, err := s.o.Store.HoldingsOf(ctx, from, (part-1)*partSize, partSize)
	for _, h := range holdings {
		text = append(text, h.Line()...)
	}
	return text, err
}
