package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/ark"
	"pantheon/internal/portal/piggybank"
	"pantheon/internal/portal/powerpack"
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
	Version int       `json:"version" doc:"The version of the tariff that is in force; it grows with every change. 0 before the first."`
	Arks    []ArkLoad `json:"arks" doc:"The kinds of arks." nullable:"false"`
	Next    *NextArks `json:"next,omitempty" doc:"The announced version that follows; absent without one."`
}

// NextArks is a version of the tariff of arks that begins later.
type NextArks struct {
	Version int       `json:"version" doc:"The version."`
	From    time.Time `json:"from" doc:"Burns in blocks from this time on are paid by it."`
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
	Version int             `json:"version" doc:"The version of the tariff that is in force; it grows with every change. 0 before the first."`
	Banks   []PiggyBank     `json:"banks" doc:"The kinds of piggy banks." nullable:"false"`
	Next    *NextPiggyBanks `json:"next,omitempty" doc:"The announced version that follows; absent without one."`
}

// NextPiggyBanks is a version of the tariff of piggy banks that begins later.
type NextPiggyBanks struct {
	Version int         `json:"version" doc:"The version."`
	From    time.Time   `json:"from" doc:"Burns in blocks from this time on are paid by it."`
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
	Version int             `json:"version" doc:"The version of the tariff that is in force; it grows with every change. 0 before the first."`
	Packs   []PowerPack     `json:"packs" doc:"The kinds of power packs." nullable:"false"`
	Next    *NextPowerPacks `json:"next,omitempty" doc:"The announced version that follows; absent without one."`
}

// NextPowerPacks is a version of the tariff of power packs that begins later.
type NextPowerPacks struct {
	Version int         `json:"version" doc:"The version."`
	From    time.Time   `json:"from" doc:"Burns in blocks from this time on are paid by it."`
	Packs   []PowerPack `json:"packs" doc:"The kinds of power packs." nullable:"false"`
}

// PowerPack is what one kind of power pack holds.
type PowerPack struct {
	TokenID    string `json:"tokenId" doc:"Id of the pack's token, decimal."`
	InfiniGold int64  `json:"infiniGold" doc:"How much InfiniGold it holds." minimum:"1"`
	Nectar     int64  `json:"nectar" doc:"How much nectar it holds." minimum:"1"`
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
	public(a, call{
		method: http.MethodGet, path: "/api/arks/config", id: "getArksConfig", tag: tagHoldings,
		summary: "What arks give when they are broken up", unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[ArksConfig], error) {
		tariffs, now := a.Arks(), a.Clock.Now()
		current := tariffs.At(now)
		out := ArksConfig{Version: current.Version, Arks: arkLoads(current)}
		if next := tariffs.Next(now); next != nil {
			out.Next = &NextArks{next.Version, next.From, arkLoads(*next)}
		}
		return body(out), nil
	})
	public(a, call{
		method: http.MethodGet, path: "/api/piggy-banks/config", id: "getPiggyBanksConfig", tag: tagHoldings,
		summary: "What piggy banks hold", unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[PiggyBanksConfig], error) {
		tariffs, now := a.PiggyBanks(), a.Clock.Now()
		current := tariffs.At(now)
		out := PiggyBanksConfig{Version: current.Version, Banks: a.piggyBanks(current)}
		if next := tariffs.Next(now); next != nil {
			out.Next = &NextPiggyBanks{next.Version, next.From, a.piggyBanks(*next)}
		}
		return body(out), nil
	})
	public(a, call{
		method: http.MethodGet, path: "/api/power-packs/config", id: "getPowerPacksConfig", tag: tagHoldings,
		summary: "What power packs hold", unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[PowerPacksConfig], error) {
		tariffs, now := a.PowerPacks(), a.Clock.Now()
		current := tariffs.At(now)
		out := PowerPacksConfig{Version: current.Version, Packs: powerPacks(current)}
		if next := tariffs.Next(now); next != nil {
			out.Next = &NextPowerPacks{next.Version, next.From, powerPacks(*next)}
		}
		return body(out), nil
	})
}

func arkLoads(t ark.Tariff) []ArkLoad {
	out := make([]ArkLoad, len(t.Kinds))
	for i, kind := range t.Kinds {
		out[i] = ArkLoad{TokenID: kind.TokenID, Followers: map[string]int64{}, Tokens: map[string]int64{}}
		maps.Copy(out[i].Followers, kind.Followers)
		maps.Copy(out[i].Tokens, kind.Tokens)
	}
	return out
}

func (a *API) piggyBanks(t piggybank.Tariff) []PiggyBank {
	out := []PiggyBank{}
	for _, kind := range t.Kinds {
		if contract, _, _, ok := a.Goods.Collection(kind.Collection); ok {
			out = append(out, PiggyBank{Contract: contract, TokenID: kind.TokenID, Fate: kind.Fate, VIP: kind.VIP})
		}
	}
	return out
}

func powerPacks(t powerpack.Tariff) []PowerPack {
	out := make([]PowerPack, len(t.Kinds))
	for i, kind := range t.Kinds {
		out[i] = PowerPack{TokenID: kind.TokenID, InfiniGold: kind.InfiniGold, Nectar: kind.Nectar}
	}
	return out
}
