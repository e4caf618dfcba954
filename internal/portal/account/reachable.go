package account

import "context"

// Proofs is what shows that a player can be reached.
type Proofs struct {
	Email        bool // the email address is confirmed
	GameLink     bool // the player has used a link from the game
	GamePlatform bool // the game platform keeps the account
	Linked       bool // the player signs in through another site, such as X
}

// Reachable reports whether a player counts as reachable. Holds and sponsored gas may need it.
func (p Proofs) Reachable() bool { return p.Email || p.GameLink || p.GamePlatform || p.Linked }

// Confirmed reports whether a player counts as reachable. It is false for an unknown player.
func (s *Service) Confirmed(ctx context.Context, playerID string) (bool, error) {
	p, err := s.o.Emails.Proofs(ctx, playerID)
	return p.Reachable(), err
}
