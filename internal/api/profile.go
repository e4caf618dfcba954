package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/portal/account"
)

// Whitelist contains the lists that the player is on.
type Whitelist struct {
	Items []WhitelistEntry `json:"items" doc:"The lists, by name." nullable:"false"`
}

// WhitelistEntry is one list that the player is on.
type WhitelistEntry struct {
	Name  string     `json:"name" doc:"The list."`
	Until *time.Time `json:"until,omitempty" doc:"When it ends; absent for one without an end."`
}

// DataToProtect is data that the player is to pass to a third party that trusts the portal.
type DataToProtect struct {
	Value  string `json:"value" doc:"What to protect, such as the player's id; 1 to 1024 bytes."`
	Action string `json:"action" doc:"What to do with it." enum:"encrypt"`
}

// ProtectedData is the encrypted data.
type ProtectedData struct {
	Value string `json:"value" doc:"AES-256-GCM, base64 for URLs. It says whose it is and can be opened for an hour."`
}

// ShopPurpose is the purpose of protected data: the hand-off to the shop.
const ShopPurpose = "shop"

func (a *API) registerProfile() {
	player(a, call{
		method: http.MethodGet, path: "/api/auth/whitelist", id: "getWhitelist", tag: tagAccount, summary: "The lists that the player is on",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Whitelist], error) {
		lists, err := a.Lists.Of(ctx, c.PlayerID)
		out := Whitelist{Items: make([]WhitelistEntry, len(lists))}
		for i, l := range lists {
			out.Items[i].Name = l.Name
			if !l.Until.IsZero() {
				out.Items[i].Until = &lists[i].Until
			}
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/protectedData", id: "protectData", tag: tagAccount,
		summary: "Encrypt what the player carries to the shop", errors: []int{400},
	}, func(_ context.Context, c account.Caller, in *Body[DataToProtect]) (*Body[ProtectedData], error) {
		text, err := a.Protector.Seal(ShopPurpose, c.PlayerID, in.Body.Value)
		return body(ProtectedData{text}), err
	})
}
