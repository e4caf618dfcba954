package playfab

import (
	"context"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// loginWithServerCustomID is repeatable: an id has one account, however often it is requested. Unlike a client custom
// id, it can only be used with the title's key, so it need not be secret.
var loginWithServerCustomID = method{"Server/LoginWithServerCustomId", repeatable}

// LinkedPlayer returns the player of an external account and creates it the first time; see account.Linking.
func (p *Platform) LinkedPlayer(ctx context.Context, provider, externalID string, names []string) (account.Identity, error) {
	var out struct {
		PlayFabID         string `json:"PlayFabId"`
		InfoResultPayload struct{ AccountInfo userInfo }
	}
	err := p.api.call(ctx, loginWithServerCustomID, struct {
		ServerCustomID        string `json:"ServerCustomId"`
		CreateAccount         bool
		InfoRequestParameters infoParameters
	}{provider + "-" + externalID, true, infoParameters{GetUserAccountInfo: true}}, &out)
	if err != nil {
		return account.Identity{}, explain(err)
	}
	id, err := identity(loginWithServerCustomID, out.InfoResultPayload.AccountInfo, out.PlayFabID)
	if err != nil || printable(out.InfoResultPayload.AccountInfo.TitleInfo.DisplayName) != "" {
		return id, err
	}
	// New, or created by an earlier attempt that failed before it set the name.
	for _, name := range names {
		err := p.Rename(ctx, id.PlayerID, name)
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Invalid) { // taken, or refused
			continue
		}
		if err == nil {
			id.DisplayName = name
		}
		return id, err
	}
	return id, nil
}
