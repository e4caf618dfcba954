package projection

import "pantheon/internal/kit/eth"

// Operation is an operation of a player that failed on chain or was dropped before, with what it was to do.
type Operation struct {
	PlayerID string
	Tx       eth.Hash // the transaction that carried it; its own hash where none did
	Reason   string   // why it failed, for the player
	Creates  int      // how many listings it was to create
	Cancels  []string // the numbers of the listings that it was to cancel
	Packs    []string // the token ids of the packs that it was to buy
}

// Failed returns what follows from an operation that failed, once: the messages that its success would have led to, with
// the reason.
func Failed(o Operation) Effects {
	var e Effects
	for range o.Creates {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "listing", "new", done{
			TxID: o.Tx, ErrorMessage: "Your listing could not be put on the market, and nothing has changed. (" + o.Reason + ")",
		}))
	}
	for _, number := range o.Cancels {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "listing", "remove", done{
			TxID: o.Tx, ListingID: number, ErrorMessage: "Your listing could not be taken off the market, and nothing has changed. (" + o.Reason + ")",
		}))
	}
	for _, tokenID := range o.Packs {
		e.Announcements = append(e.Announcements, message(o.PlayerID, "kod-pack", "purchase-complete", packDone{
			TxID: o.Tx, ProductID: tokenID, ErrorMessage: "The purchase was refused, and you were not charged. (" + o.Reason + ")",
		}))
	}
	return e
}
