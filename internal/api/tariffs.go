package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/burn"
)

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
	Name      string           `json:"name" doc:"What the ark is called."`
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

func (a *API) registerTariffs() {
	tariffCall(a, "/api/arks/config", "getArksConfig", "What arks give when they are broken up",
		func(t burn.Tariffs, at time.Time) ArksConfig {
			now, next := t.Arks.At(at), t.Arks.Next(at)
			out := ArksConfig{Version: now.Version, Arks: a.arkLoads(now)}
			if next != nil {
				out.Next = &NextArks{next.Version, next.From, a.arkLoads(*next)}
			}
			return out
		})
	tariffCall(a, "/api/piggy-banks/config", "getPiggyBanksConfig", "What piggy banks hold",
		func(t burn.Tariffs, at time.Time) PiggyBanksConfig {
			now, next := t.PiggyBanks.At(at), t.PiggyBanks.Next(at)
			out := PiggyBanksConfig{Version: now.Version, Banks: a.piggyBanks(now)}
			if next != nil {
				out.Next = &NextPiggyBanks{next.Version, next.From, a.piggyBanks(*next)}
			}
			return out
		})
	tariffCall(a, "/api/power-packs/config", "getPowerPacksConfig", "What power packs hold",
		func(t burn.Tariffs, at time.Time) PowerPacksConfig {
			now, next := t.PowerPacks.At(at), t.PowerPacks.Next(at)
			out := PowerPacksConfig{Version: now.Version, Packs: powerPacks(now)}
			if next != nil {
				out.Next = &NextPowerPacks{next.Version, next.From, powerPacks(*next)}
			}
			return out
		})
}

// tariffCall registers the call that publishes a tariff: its version in force and the announced one.
func tariffCall[O any](a *API, path, id, summary string, config func(t burn.Tariffs, at time.Time) O) {
	public(a, call{
		method: http.MethodGet, path: path, id: id, tag: tagHoldings, summary: summary, unlimited: fromMemory,
	}, func(context.Context, *Empty) (*Body[O], error) {
		return body(config(a.Tariffs(), a.Clock.Now())), nil
	})
}

func (a *API) arkLoads(t burn.Tariff[burn.Ark]) []ArkLoad {
	contract, _, _, _ := a.Goods.Collection("arks")
	out := make([]ArkLoad, len(t.Kinds))
	for i, kind := range t.Kinds {
		out[i] = ArkLoad{
			TokenID: kind.TokenID, Name: a.Goods.Item(contract, kind.TokenID).Name, Followers: map[string]int64{}, Tokens: map[string]int64{},
		}
		maps.Copy(out[i].Followers, kind.Followers)
		maps.Copy(out[i].Tokens, kind.Tokens)
	}
	return out
}

func (a *API) piggyBanks(t burn.Tariff[burn.PiggyBank]) []PiggyBank {
	out := []PiggyBank{}
	for _, kind := range t.Kinds {
		if contract, _, _, ok := a.Goods.Collection(kind.Collection); ok {
			out = append(out, PiggyBank{Contract: contract, TokenID: kind.TokenID, Fate: kind.Fate, VIP: kind.VIP})
		}
	}
	return out
}

func powerPacks(t burn.Tariff[burn.PowerPack]) []PowerPack {
	out := make([]PowerPack, len(t.Kinds))
	for i, kind := range t.Kinds {
		out[i] = PowerPack{TokenID: kind.TokenID, InfiniGold: kind.InfiniGold, Nectar: kind.Nectar}
	}
	return out
}
