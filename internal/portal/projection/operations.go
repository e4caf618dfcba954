package projection

import (
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/reward"
)

// Operation is a player's operation that failed on chain or was dropped.
type Operation struct {
	PlayerID string
	Tx       eth.Hash // the transaction hash; the operation's own hash if it was never included in one
	Reason   string   // why it failed, for the player
	Creates  int      // number of listings it was to create
	Cancels  []string // the numbers of the listings it was to cancel
	Packs    []string // the token ids of the packs it was to buy
	Burns    []Earned // what its burns were to earn
}

// Failed returns the effects of a failed operation, once: the messages of a success, but with success:false and the
// reason.
func Failed(o Operation) Effects {
	var e Effects
	for range o.Creates {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "listing", "new", done{
			TxID: o.Tx, ErrorMessage: "Your listing could not be put on the market, and nothing has changed. (" + o.Reason + ")",
		}))
	}
	for _, number := range o.Cancels {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "listing", "remove", done{
			TxID: o.Tx, ListingID: number,
			ErrorMessage: "Your listing could not be taken off the market, and nothing has changed. (" + o.Reason + ")",
		}))
	}
	for _, tokenID := range o.Packs {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "kod-pack", "purchase-complete", packDone{
			TxID: o.Tx, ProductID: tokenID, ErrorMessage: "The purchase was refused, and you were not charged. (" + o.Reason + ")",
		}))
	}
	for _, b := range o.Burns {
		e.Announcements = append(e.Announcements, burnFailed(o.PlayerID, o.Tx, b)...)
	}
	return e
}

// burnFailed returns the message of a burn that did not happen.
func burnFailed(playerID string, tx eth.Hash, e Earned) []announce.Announcement {
	switch e.Origin {
	case reward.FromPack:
		return []announce.Announcement{packOpened(playerID, tx, "", encode(e.Detail), false)}
	case reward.FromPiggyBank:
		d, _ := e.Detail.(BankBroken)
		return []announce.Announcement{bankBroken(playerID, tx, d, false)}
	case reward.FromArk:
		return []announce.Announcement{arkBroken(playerID, tx, map[string]int64{}, false)}
	}
	return nil
}
