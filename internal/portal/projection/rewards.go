package projection

import (
	"encoding/json"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
)

// Burn is a final burn: an amount of one token in one log entry.
type Burn struct {
	Chain    onchain.ChainID
	Tx       eth.Hash
	LogIndex uint64 // of the log, within its transaction
	Number   uint64 // of the first copy, within the log: its entries in order, each counted by its amount
	Time     time.Time
	Wallet   eth.Address // the owner of the tokens
	Contract eth.Address
	TokenID  string
	Amount   money.Units // at least 1
}

// Earned is what a burn earns.
type Earned struct {
	Origin reward.Origin // "" for nothing
	Detail any           // the origin's detail, in a JSON struct
	Grants []reward.Content
	// Opens is what each copy is, if it is drawn as a reward of its own, without Grants; nil for none.
	Opens *Pack
}

// Pack is an edition of a kind of pack. The zero Pack is one whose drop table is not known yet.
type Pack struct {
	Kind    string
	Edition int
}

// Earns reports whether burns of a collection's tokens can earn anything.
func (r Rules) Earns(contract eth.Address) bool { return r.Burns[contract] != nil }

// Burned returns what a burn earns.
func (r Rules) Burned(b Burn) Earned {
	if !r.Earns(b.Contract) {
		return Earned{}
	}
	return r.Burns[b.Contract](b)
}

// DroppedItem is a token as kod-pack/open has it.
type DroppedItem struct {
	Contract eth.Address `json:"contract" doc:"The token's contract."`
	TokenID  string      `json:"tokenId" doc:"The token's id, decimal."`
	Name     string      `json:"name" doc:"Its name."`
	Image    string      `json:"image" doc:"Address of its picture, relative to the site."`
	Rarity   string      `json:"rarity" doc:"Its rarity."`
}

// PackOpened is the detail of a reward by a pack.
type PackOpened struct {
	TokenID     string       `json:"tokenId"` // of the pack
	PackLevel   string       `json:"packLevel"`
	ItemDropped *DroppedItem `json:"itemDropped"` // the first token of the drop; nil before the draw and without a token
	Drop        string       `json:"drop"`        // the drop's id; "" before the draw
	Name        string       `json:"name"`        // of the drop
	Rarity      string       `json:"rarity"`      // of the drop
}

// BankBroken is the detail of a reward by piggy banks.
type BankBroken struct {
	TokenID    string `json:"tokenId"`
	Amount     int64  `json:"amount"` // how many banks
	FateAmount int64  `json:"fateAmount"`
	IsVIP      bool   `json:"isVipPiggy"`
}

// CurrenciesEarned is the detail of a reward by arks or power packs.
type CurrenciesEarned struct {
	TokenID string           `json:"tokenId"`
	Amount  int64            `json:"amount"` // how many were burned
	Rewards map[string]int64 `json:"rewards"`
}

// VaultClaimed is the detail of a reward by the vault of an Elder God.
type VaultClaimed struct {
	TokenID string `json:"tokenId"` // of the god
	Season  string `json:"season"`  // the season's id
	Amount  string `json:"amount"`  // GOD, decimal
}

// AvatarClaimed is the detail of a reward by the claim of a season avatar.
type AvatarClaimed struct {
	TokenID  string      `json:"tokenId"` // of the avatar
	Season   string      `json:"season"`  // the season's id
	Contract eth.Address `json:"contract"`
}

// RewardChange is a reward that has reached another state.
type RewardChange struct {
	reward.Reward
	State reward.State
	Error string // why it failed
	// Others are the details of the transaction's other rewards of the same origin that are done.
	Others []string
	// Variation is what was bought in the shop, with its grants; of a reward of the webstore only.
	Variation int64
	Given     []reward.Content
}

// defaultPackError and defaultPackLevel stand in for what a failed opening does not say (specification, section 4).
const (
	defaultPackError = "Could not open KOD pack."
	defaultPackLevel = "KOD"
)

// productError is what a player reads about a product that could not be given.
const productError = "This could not be given to you. We are looking into it."

// RewardMoved returns the effects of a reward that has reached another state: reward/update, and when it is done or has
// failed the message of its origin.
func RewardMoved(c RewardChange) Effects {
	if c.PlayerID == "" {
		return Effects{}
	}
	var tx *eth.Hash
	if !c.Tx.IsZero() {
		tx = &c.Tx
	}
	e := told(message(c.PlayerID, "reward", "update", struct {
		ID     string        `json:"id"`
		Origin reward.Origin `json:"origin"`
		State  reward.State  `json:"state"`
		TxID   *eth.Hash     `json:"txId"`
	}{c.Source, c.Origin, c.State, tx}))
	if c.State != reward.Done && c.State != reward.Failed {
		return e
	}
	success := c.State == reward.Done
	switch c.Origin {
	case reward.FromPack:
		e.Announcements = append(e.Announcements, packOpened(c.PlayerID, c.Tx, c.Source, c.Detail, success))
	case reward.FromPiggyBank:
		var d BankBroken
		decode(c.Detail, &d)
		e.Announcements = append(e.Announcements, bankBroken(c.PlayerID, c.Tx, d, success))
	case reward.FromArk:
		sum := map[string]int64{}
		details := c.Others
		if success {
			details = append([]string{c.Detail}, details...)
		}
		for _, detail := range details {
			var d CurrenciesEarned
			decode(detail, &d)
			for code, n := range d.Rewards {
				sum[code] += n
			}
		}
		e.Announcements = append(e.Announcements, arkBroken(c.PlayerID, c.Tx, sum, success))
	case reward.FromWebstore:
		e.Announcements = append(e.Announcements, productGiven(c, success))
		e.Announcements = append(e.Announcements, ProductsChanged(c.PlayerID).Announcements...)
	case reward.FromAvatar:
		if success {
			var d AvatarClaimed
			decode(c.Detail, &d)
			e.Announcements = append(e.Announcements, avatarClaimed(c.PlayerID, c.Source, d))
		}
	}
	return e
}

// packReward is what a product gave, in webstore/kod-pack-reward.
type packReward struct {
	Name        string       `json:"name,omitempty"`   // of the drop
	Rarity      string       `json:"rarity,omitempty"` // of the drop
	ItemDropped *DroppedItem `json:"itemDropped,omitempty"`
	OpeningID   string       `json:"openingId,omitempty"`
}

// otherReward is a currency or a token that a product gave.
type otherReward struct {
	Kind   string          `json:"kind"`
	Detail json.RawMessage `json:"detail"`
}

// productGiven returns the message about a product that was bought in the shop.
func productGiven(c RewardChange, success bool) announce.Announcement {
	payload := struct {
		Success    bool          `json:"success"`
		Error      string        `json:"error"`
		Variation  int64         `json:"variationId"`
		PackReward *packReward   `json:"packReward"` // of a product that is drawn
		Others     []otherReward `json:"packOtherRewards"`
	}{Success: success, Variation: c.Variation, Others: []otherReward{}}
	if !success {
		payload.Error = productError
		return message(c.PlayerID, "webstore", "kod-pack-reward", payload)
	}
	var d PackOpened
	decode(c.Detail, &d)
	if d.Drop != "" {
		payload.PackReward = &packReward{Name: d.Name, Rarity: d.Rarity, ItemDropped: d.ItemDropped, OpeningID: c.Source}
	}
	for _, g := range c.Given {
		payload.Others = append(payload.Others, otherReward{g.Kind, json.RawMessage(g.Detail)})
	}
	return message(c.PlayerID, "webstore", "kod-pack-reward", payload)
}

// ProductsChanged returns the effects of a change of what the webstore shows a player.
func ProductsChanged(playerID string) Effects {
	return told(message(playerID, "webstore", "refetch-products", struct {
		UserID string `json:"userId"`
	}{playerID}))
}

func packOpened(playerID string, tx eth.Hash, openingID, detail string, success bool) announce.Announcement {
	var d PackOpened
	decode(detail, &d)
	payload := struct {
		TxID        eth.Hash     `json:"txId"`
		OpeningID   string       `json:"openingId"`
		ItemDropped *DroppedItem `json:"itemDropped"`
		PackLevel   string       `json:"packLevel"`
		Error       string       `json:"error"`
	}{tx, openingID, d.ItemDropped, d.PackLevel, ""}
	if !success {
		payload.Error = defaultPackError
		payload.ItemDropped = nil
	}
	if payload.PackLevel == "" {
		payload.PackLevel = defaultPackLevel
	}
	return message(playerID, "kod-pack", "open", payload)
}

func bankBroken(playerID string, tx eth.Hash, d BankBroken, success bool) announce.Announcement {
	if !success {
		d.FateAmount = 0
	}
	return message(playerID, "piggy-bank", "burn", struct {
		TxID       eth.Hash `json:"txId"`
		Success    bool     `json:"success"`
		FateAmount int64    `json:"fateAmount"`
		IsVIP      bool     `json:"isVipPiggy"`
	}{tx, success, d.FateAmount, d.IsVIP})
}

func arkBroken(playerID string, tx eth.Hash, rewards map[string]int64, success bool) announce.Announcement {
	return message(playerID, "ark", tx.String(), struct {
		TxID    eth.Hash         `json:"txId"`
		Success bool             `json:"success"`
		Rewards map[string]int64 `json:"rewards"`
	}{tx, success, rewards})
}

func avatarClaimed(playerID, claimID string, d AvatarClaimed) announce.Announcement {
	return message(playerID, "avatar-pack-claim", "claimed", struct {
		ClaimID  string      `json:"claimId"`
		Contract eth.Address `json:"contract"`
		TokenID  string      `json:"tokenId"`
	}{claimID, d.Contract, d.TokenID})
}

// decode reads a detail that this package wrote. What is malformed leaves v as it is: the message goes without it.
func decode(detail string, v any) { _ = json.Unmarshal([]byte(detail), v) }
