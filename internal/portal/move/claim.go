package move

import (
	"context"
	"encoding/json"
	"fmt"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
)

// claimBatch is the number of holdings that one transaction claims.
const claimBatch = 100

// Held is a holding of a player on the old chain.
type Held struct {
	Holding
	// Foreign is whether its owner is a contract that is no smart wallet of the portal: an operator has to give it.
	Foreign bool
	To      Contract     // what it is of
	State   reward.State // of its reward; "" while it is not claimed
}

// Source returns the source of a holding's reward.
func (h Holding) Source(from onchain.ChainID) string {
	return fmt.Sprintf("move/%d/%d", from, h.Position)
}

// Reward returns the reward of a holding, which goes to the player's smart wallet, or with no player back to its owner.
func (h Holding) Reward(m Move, to Contract, playerID string) reward.Reward {
	mint := reward.Mint{Chain: m.To, Contract: to.To, Standard: to.Standard, TokenID: h.TokenID, Amount: h.Amount}
	if playerID == "" {
		mint.To = h.Owner
	}
	detail, err := json.Marshal(struct {
		Chain      onchain.ChainID `json:"chainId"`
		Contract   eth.Address     `json:"contract"`
		TokenID    string          `json:"tokenId"`
		Owner      eth.Address     `json:"owner"`
		Amount     string          `json:"amount"`
		Collection string          `json:"collection"`
	}{m.From, h.Contract, h.TokenID, h.Owner, h.Amount.String(), to.Collection})
	if err != nil {
		panic(fmt.Sprintf("move: %v", err)) // plain structs can always be written
	}
	return reward.Reward{
		Source: h.Source(m.From), Origin: reward.FromMove, PlayerID: playerID, Detail: string(detail),
		Grants: []reward.Content{mint.Content()},
	}
}

// Claim claims what the player's wallets held on the chain that the portal has left, each holding once, and returns how many were claimed
// now. It returns fault.NotFound for a chain that the portal has not left, fault.Forbidden for a frozen player, and fault.Conflict with the
// reason "no-wallet" for a player without a smart wallet.
func (s *Service) Claim(ctx context.Context, playerID string, from onchain.ChainID) (claimed int, err error) {
	m, err := s.moved(ctx, from)
	if err != nil {
		return 0, err
	}
	wallets, err := s.o.Store.WalletsOf(ctx, playerID)
	if err != nil {
		return 0, err
	}
	if len(wallets) == 0 || !wallets[0].Since.IsZero() {
		return 0, fault.New(fault.Conflict, "You do not have a wallet yet. Please connect it first.").WithReason("no-wallet")
	}
	for _, w := range wallets {
		n, err := s.claimAll(ctx, m, w, playerID)
		if claimed += n; err != nil {
			return claimed, err
		}
	}
	return claimed, nil
}

func (s *Service) claimAll(ctx context.Context, m Move, w Wallet, playerID string) (claimed int, err error) {
	for {
		n, err := s.o.Store.Claim(ctx, m, w, playerID, claimBatch)
		if claimed += n; n > 0 {
			s.o.Wake()
		}
		if n < claimBatch || err != nil {
			return claimed, err
		}
	}
}

// ownBatch is the number of holdings of the portal's own wallets that are claimed in each round: they are given in the order of claims, and
// players wait for theirs.
const ownBatch = 5

// claimOwn claims some of what the portal's own wallets held.
func (s *Service) claimOwn(ctx context.Context, m Move) error {
	for _, own := range s.o.Own {
		has, err := s.o.Store.HasUnclaimed(ctx, m.From, own)
		if err != nil {
			return err
		}
		if !has {
			continue
		}
		if _, err := s.o.Store.Claim(ctx, m, Wallet{Address: own}, "", ownBatch); err != nil {
			return err
		}
		s.o.Wake()
	}
	return nil
}

// moved returns the move of a chain that the portal has left.
func (s *Service) moved(ctx context.Context, from onchain.ChainID) (Move, error) {
	m, err := s.find(ctx, from)
	if err == nil && m.State != Moved {
		err = fault.New(fault.NotFound, "The portal has not moved from that chain.")
	}
	return m, err
}

// mostShown is the number of holdings that a player is shown.
const mostShown = 500

// HeldBy returns what the player's wallets held on a chain that the portal has left, at most 500 holdings of each.
func (s *Service) HeldBy(ctx context.Context, playerID string, from onchain.ChainID) (out []Held, err error) {
	m, err := s.moved(ctx, from)
	if err != nil {
		return nil, err
	}
	wallets, err := s.o.Store.WalletsOf(ctx, playerID)
	if err != nil {
		return nil, err
	}
	for _, w := range wallets {
		held, err := s.o.Store.HeldBy(ctx, m, w.Address, mostShown)
		if err != nil {
			return nil, err
		}
		for _, h := range held {
			h.Foreign = !w.May(m, h.Foreign)
			out = append(out, h)
		}
	}
	return out, nil
}
