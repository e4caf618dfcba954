package local

import (
	"context"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// Links stores the accounts at other sites of players.
type Links interface {
	// PlayerByLink returns fault.NotFound for an external account that has not signed in yet.
	PlayerByLink(ctx context.Context, provider, externalID string) (account.Identity, error)
	// CreateLinked stores a new account that has no email and no password, and its link. It returns fault.Conflict if
	// the link exists or the name is taken.
	CreateLinked(ctx context.Context, id account.Identity, nameKey, provider, externalID string) error
}

// LinkedPlayer returns the player of an external account and creates it the first time; see account.Linking.
func (p *Platform) LinkedPlayer(ctx context.Context, provider, externalID string, names []string) (account.Identity, error) {
	for _, name := range names {
		// Looked up each time: the conflict may be due to a concurrent call.
		id, err := p.store.PlayerByLink(ctx, provider, externalID)
		if !fault.Is(err, fault.NotFound) {
			return id, err
		}
		id = account.Identity{PlayerID: newPlayerID(), DisplayName: name}
		if err = p.store.CreateLinked(ctx, id, account.NameKey(name), provider, externalID); !fault.Is(err, fault.Conflict) {
			return id, err
		}
	}
	return p.store.PlayerByLink(ctx, provider, externalID)
}
