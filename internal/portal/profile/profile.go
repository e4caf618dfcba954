// Package profile returns a player's profile and the game platform's data on the player.
package profile

import (
	"context"

	"pantheon/internal/kit/eth"
)

// Profile is a player with the registered wallets.
type Profile struct {
	PlayerID       string
	DisplayName    string
	Email          string
	EmailConfirmed bool         // also true if the game platform stores the email, which confirms it
	EmbeddedWallet *eth.Address // nil until the pair is registered
	SmartWallet    *eth.Address
}

// Players returns the players' names.
type Players interface {
	// Name returns display name and email, and whether the email is confirmed. It returns fault.NotFound for an
	// unknown player.
	Name(ctx context.Context, playerID string) (displayName, email string, confirmed bool, err error)
}

// Wallets returns the players' registered wallets.
type Wallets interface {
	// Pair returns the embedded and the smart wallet, or nil for both until they are registered.
	Pair(ctx context.Context, playerID string) (embedded, smart *eth.Address, err error)
}

// Platform stores the players' currencies.
type Platform interface {
	// Currencies returns balances by two-letter code.
	Currencies(ctx context.Context, playerID string) (map[string]int64, error)
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	players  Players
	wallets  Wallets
	platform Platform
}

// NewService returns a Service.
func NewService(p Players, w Wallets, platform Platform) *Service {
	return &Service{players: p, wallets: w, platform: platform}
}

// Profile returns the player's profile. It returns fault.NotFound for an unknown player.
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
