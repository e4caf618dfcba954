// Package profile tells who a player is and what the game platform keeps for them.
package profile

import (
	"context"

	"pantheon/internal/kit/eth"
)

// Profile is a player with the wallets that were registered.
type Profile struct {
	PlayerID       string
	DisplayName    string
	Email          string
	EmailConfirmed bool         // or kept by the game platform, which confirms it
	EmbeddedWallet *eth.Address // nil until the pair is registered
	SmartWallet    *eth.Address
}

// Players knows who the players are.
type Players interface {
	// Name returns display name and email, and whether that is confirmed; fault.NotFound for an unknown player.
	Name(ctx context.Context, playerID string) (displayName, email string, confirmed bool, err error)
}

// Wallets knows the players' registered wallets.
type Wallets interface {
	// Pair returns the embedded and the smart wallet, or nil for both until they are registered.
	Pair(ctx context.Context, playerID string) (embedded, smart *eth.Address, err error)
}

// Platform keeps the players' currencies.
type Platform interface {
	// Currencies returns balances by two-letter code.
	Currencies(ctx context.Context, playerID string) (map[string]int64, error)
}

// Service is the capability. It is safe for concurrent use.
type Service struct {
	players  Players
	wallets  Wallets
	platform Platform
}

// NewService returns the capability.
func NewService(p Players, w Wallets, platform Platform) *Service {
	return &Service{players: p, wallets: w, platform: platform}
}

// Profile returns who the player is; fault.NotFound for an unknown player.
func (s *Service) Profile(ctx context.Context, playerID string) (Profile, error) {
	p := Profile{PlayerID: playerID}
	var err error
	if p.DisplayName, p.Email, p.EmailConfirmed, err = s.players.Name(ctx, playerID); err != nil {
		return Profile{}, err
	}
	p.EmbeddedWallet, p.SmartWallet, err = s.wallets.Pair(ctx, playerID)
	return p, err
}

// Currencies returns the player's balances on the game platform, by currency code.
func (s *Service) Currencies(ctx context.Context, playerID string) (map[string]int64, error) {
	return s.platform.Currencies(ctx, playerID)
}
