package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
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

// ArksConfig contains what breaking up arks yields.
type ArksConfig struct {
	Version int       `json:"version" doc:"The tariff's version; it grows with every change."`
	Arks    []ArkLoad `json:"arks" doc:"The kinds of arks." nullable:"false"`
}

// ArkLoad is what breaking up one kind of ark yields.
type ArkLoad struct {
	TokenID   string           `json:"tokenId" doc:"Id of the ark's token, decimal."`
	Followers map[string]int64 `json:"followers" doc:"How many followers, by currency code (d0, d1, f2, f3)."`
	Tokens    map[string]int64 `json:"tokens" doc:"How many tokens, by currency code (gt, nt, et, ct)."`
}

// PiggyBanksConfig contains what piggy banks hold.
type PiggyBanksConfig struct {
	Version int         `json:"version" doc:"The tariff's version; it grows with every change."`
	Banks   []PiggyBank `json:"banks" doc:"The kinds of piggy banks." nullable:"false"`
}

// PiggyBank is what one kind of piggy bank holds.
type PiggyBank struct {
	Contract eth.Address `json:"contract" doc:"The contract of the bank's collection."`
	TokenID  string      `json:"tokenId" doc:"Id of the bank's token, decimal."`
	Fate     int64       `json:"fate" doc:"How much fate it holds." minimum:"1"`
	VIP      bool        `json:"vip" doc:"Whether it is a VIP bank."`
}

// PowerPacksConfig contains what power packs hold.
type PowerPacksConfig struct {
	Version int         `json:"version" doc:"The tariff's version; it grows with every change."`
	Packs   []PowerPack `json:"packs" doc:"The kinds of power packs." nullable:"false"`
}

// PowerPack is what one kind of power pack holds.
type PowerPack struct {
	TokenID    string `json:"tokenId" doc:"Id of the pack's token, decimal."`
	InfiniGold int64  `json:"infiniGold" doc:"How much InfiniGold it holds." minimum:"1"`
	Nectar     int64  `json:"nectar" doc:"How much nectar it holds." minimum:"1"`
}

// shopPurpose is the purpose of protected data: the hand-off to the shop.
const shopPurpose = "shop"

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
		text, err := a.Protector.Seal(shopPurpose, c.PlayerID, in.Body.Value)
		return body(ProtectedData{text}), err
	})
	public(a, call{
		method: http.MethodGet, path: "/api/arks/config", id: "getArksConfig", tag: tagHoldings, summary: "What arks give when they are broken up",
	}, func(context.Context, *Empty) (*Body[ArksConfig], error) {
		out := ArksConfig{Version: a.Arks.Version, Arks: make([]ArkLoad, len(a.Arks.Arks))}
		for i, ark := range a.Arks.Arks {
			out.Arks[i] = ArkLoad{TokenID: ark.TokenID, Followers: ark.Followers, Tokens: ark.Tokens}
		}
		return body(out), nil
	})
	public(a, call{
		method: http.MethodGet, path: "/api/piggy-banks/config", id: "getPiggyBanksConfig", tag: tagHoldings, summary: "What piggy banks hold",
	}, func(context.Context, *Empty) (*Body[PiggyBanksConfig], error) {
		out := PiggyBanksConfig{Version: a.PiggyBanks.Version, Banks: []PiggyBank{}}
		for _, bank := range a.PiggyBanks.Banks {
			if contract, _, _, ok := a.Goods.Collection(bank.Collection); ok {
				out.Banks = append(out.Banks, PiggyBank{Contract: contract, TokenID: bank.TokenID, Fate: bank.Fate, VIP: bank.VIP})
			}
		}
		return body(out), nil
	})
	public(a, call{
		method: http.MethodGet, path: "/api/power-packs/config", id: "getPowerPacksConfig", tag: tagHoldings, summary: "What power packs hold",
	}, func(context.Context, *Empty) (*Body[PowerPacksConfig], error) {
		out := PowerPacksConfig{Version: a.PowerPacks.Version, Packs: make([]PowerPack, len(a.PowerPacks.Packs))}
		for i, pack := range a.PowerPacks.Packs {
			out.Packs[i] = PowerPack{TokenID: pack.TokenID, InfiniGold: pack.InfiniGold, Nectar: pack.Nectar}
		}
		return body(out), nil
	})
}
