// Package projection maps chain facts to their effects: messages to players and rewards.
//
// Its functions are pure. The store calls them in the transaction that stores the facts, and applies the effects in the same
// transaction. Effects marked "once" are irreversible: the store applies them the first time a fact is seen, and not again
// when a reorganisation repeats it.
package projection

import (
	"encoding/json"
	"fmt"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
)

// Effects are the consequences of a fact.
type Effects struct {
	Announcements []announce.Announcement
}

// Rules configure the effects of one chain's facts.
type Rules struct {
	Packs   eth.Address // the collection of packs; buyers receive kod-pack/purchase-complete
	Manager eth.Address // the wallet whose packs for sale make up the announced stock
	// Symbol and Decimals are of the currency of the listings' prices.
	Symbol   string
	Decimals int
	// Burns maps collections to what burns of their tokens earn. Burns in other collections earn nothing.
	Burns map[eth.Address]func(Burn) Earned
}

// Purchase is a sale whose buyer is a player.
type Purchase struct {
	Tx       eth.Hash
	PlayerID string
	Contract eth.Address
	TokenID  string
}

// Bought returns the effects of a purchase, once.
func (r Rules) Bought(p Purchase) Effects {
	if p.Contract != r.Packs {
		return Effects{}
	}
	return told(message(p.PlayerID, "kod-pack", "purchase-complete", packDone{TxID: p.Tx, Success: true, ProductID: p.TokenID}))
}

// HoldingsChanged returns the effects of a change of the player's balances in the contracts.
func HoldingsChanged(playerID string, contracts []eth.Address) Effects {
	return told(message(playerID, "holdings", "change", struct {
		Contracts []eth.Address `json:"contracts"`
	}{contracts}))
}

func told(announcements ...announce.Announcement) Effects {
	return Effects{Announcements: announcements}
}

// message returns a message to a player, or a broadcast if playerID is "".
func message(playerID, channel, kind string, payload any) announce.Announcement {
	text := encode(announce.Realtime{ChannelID: channel, Type: kind, Payload: payload})
	return announce.Announcement{Topic: announce.Message, Target: playerID, Payload: text}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("projection: %T cannot be written as JSON: %v", v, err)) // plain structs always can
	}
	return string(b)
}
