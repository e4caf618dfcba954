// Package projection decides what follows from what is read from the chains: who is told what, and what a player is owed.
//
// It is pure: facts in, effects out. The store finds the facts, calls the functions below in the transaction that keeps
// them, and applies the effects in the same transaction. Effects that cannot be taken back are applied once, however often
// a reorganisation brings the fact.
package projection

import (
	"encoding/json"
	"fmt"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// Effects follow from a fact.
type Effects struct {
	Announcements []announce.Announcement
	Rewards       []Reward
}

// Reward is what a player is owed for a fact. Its kind and detail are those of package reward.
type Reward struct {
	PlayerID string
	Kind     string
	Detail   string
}

// Currency returns a reward of an amount of a currency of the game platform.
func Currency(playerID, code string, amount int64) Reward {
	return Reward{PlayerID: playerID, Kind: "currency", Detail: encode(struct {
		Code   string `json:"code"`
		Amount int64  `json:"amount"`
	}{code, amount})}
}

// Rules say what the facts of one chain mean for the portal.
type Rules struct {
	Packs   eth.Address // the collection of packs, whose buyers are told that they have bought
	Manager eth.Address // sells the packs whose number everybody is told
	// Burns says what burns of a collection's tokens earn. A collection that is missing earns nothing.
	Burns map[eth.Address]func(Burn) []Reward
}

// Purchase is a sale whose buyer is a player.
type Purchase struct {
	Tx       eth.Hash
	PlayerID string
	Contract eth.Address
	TokenID  string
}

// Bought returns what follows from a purchase, once.
func (r Rules) Bought(p Purchase) Effects {
	if p.Contract != r.Packs {
		return Effects{}
	}
	return told(PackBought(p.PlayerID, p.Tx, p.TokenID))
}

// Burn is tokens that a player's wallet burned.
type Burn struct {
	Tx       eth.Hash
	PlayerID string
	Wallet   eth.Address // which had the tokens
	Contract eth.Address
	TokenID  string
	Amount   money.Units
}

// Burned returns what follows from a burn, once.
func (r Rules) Burned(b Burn) Effects {
	earns := r.Burns[b.Contract]
	if earns == nil {
		return Effects{}
	}
	return Effects{Rewards: earns(b)}
}

// HoldingsChanged returns what follows when a player has more or fewer tokens of the contracts than before.
func HoldingsChanged(playerID string, contracts []eth.Address) Effects {
	return told(message(playerID, "holdings", "change", struct {
		Contracts []eth.Address `json:"contracts"`
	}{contracts}))
}

func told(announcements ...announce.Announcement) Effects {
	return Effects{Announcements: announcements}
}

// message is a message to a player; to everybody when playerID is "".
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
