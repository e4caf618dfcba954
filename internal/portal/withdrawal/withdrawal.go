// Package withdrawal is the capability of taking money and items out of a player's smart wallet.
//
// A player requests a withdrawal to one recipient and confirms it: by an emailed code, by the password where no email is
// sent, or by a fresh signature of their own verified wallet where there is neither. A withdrawal to the player's own
// verified wallet is then ready at once, one to any other address after Rules.Delay, during which an emailed link cancels
// it. Then the player sends each part as one sponsored operation. Nothing is signed in the player's absence.
//
// The signer enforces all of this: it signs a transfer only as the exact operation of a part that is ready, and binds the
// part to that operation in the same step. A bound part is good for another operation only if the first can no longer
// reach the chain.
package withdrawal

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

const (
	// ConfirmTTL is how long a request waits for its confirmation.
	ConfirmTTL = time.Hour
	// SendTTL is how long the parts of a confirmed request can be sent once they are ready.
	SendTTL = 7 * 24 * time.Hour
	// LimitWindow is the period of the daily limits. It ends now.
	LimitWindow = 24 * time.Hour
	// MaxAssets is the maximum number of assets in one part: its operation makes one call for each, and one for each
	// listing that it cancels.
	MaxAssets = 16
	// MaxRequestAssets is the maximum number of assets in one request.
	MaxRequestAssets = 200
	// maxParts is the maximum number of parts in one request.
	maxParts = 50
	// maxOpen is the maximum number of a player's requests that are not over.
	maxOpen = 20
)

// State is the state of a request.
type State string

// A request goes unconfirmed → confirmed → done; or it is cancelled, or expires, before all of it is sent.
const (
	Unconfirmed State = "unconfirmed" // waits for the player's confirmation
	Confirmed   State = "confirmed"   // its parts can be sent from ReadyAt on
	Done        State = "done"        // every part was sent or failed
	Cancelled   State = "cancelled"   // by the player, by the emailed link, or because the password changed
	Expired     State = "expired"     // not confirmed, or not sent, in time
)

// PartState is the state of a part.
type PartState string

// A part goes open → sending → sent or failed. If its operation is dropped, it returns from sending to open. If a
// reorganisation removes the block, it returns to sending.
const (
	Open    PartState = "open"    // not sent; it may be bound to an operation that has been signed
	Sending PartState = "sending" // the relay has accepted its operation
	Sent    PartState = "sent"    // on chain, and the transfers succeeded
	Failed  PartState = "failed"  // on chain, but the transfers reverted: nothing has left the wallet
)

// Request is a withdrawal to one recipient.
type Request struct {
	ID        string
	PlayerID  string
	From      eth.Address // the player's smart account
	To        eth.Address
	Own       bool // To is the player's verified wallet
	State     State
	Reason    string // why it was cancelled, for the player; "" otherwise
	Parts     []Part
	CreatedAt time.Time
	ReadyAt   time.Time // when the parts can be sent; zero until it is confirmed
	ExpiresAt time.Time // when it expires in its present state
	// CancelHash is the hash of the token that cancels it by a link; "" for none.
	CancelHash string
	Told       bool // the player knows that it is ready, or need not know
}

// Part is the part of a request that one operation carries out.
type Part struct {
	ID        string
	Chain     onchain.ChainID
	Assets    []Asset
	State     PartState
	Operation *eth.Hash // the operation it is bound to; nil for none
	Nonce     string    // of that operation; "" for none
	BoundAt   time.Time // zero for none
	TxHash    *eth.Hash // nil until it is on chain
	Error     string    // why it failed
	// SettledBlock is the block with the operation; 0 for none.
	SettledBlock uint64
}

// Asset is an amount of a token.
type Asset struct {
	Contract eth.Address      `json:"contract"`
	Standard onchain.Standard `json:"standard"`
	TokenID  string           `json:"tokenId"` // decimal; "0" for ERC-20
	Amount   money.Units      `json:"amount"`  // 1 for ERC-721
}

// Token is a token that can leave the smart wallets.
type Token struct {
	Chain    onchain.ChainID
	Contract eth.Address
	Standard onchain.Standard
	Symbol   string // of an ERC-20 token
	Decimals int    // of an ERC-20 token
	// Limit is how much of an ERC-20 token a player can withdraw within LimitWindow; nil for no limit.
	Limit *money.Units
}

// Rules are the operator's rules.
type Rules struct {
	// Delay is how long a withdrawal to an address other than the player's verified wallet waits after its confirmation,
	// and every withdrawal after a change of the password or of the verified wallet.
	Delay time.Duration
	// PasskeyDelay is how long it waits instead if it is confirmed by a passkey.
	PasskeyDelay time.Duration
	// ItemsPerDay is how many items (ERC-721 tokens and units of ERC-1155 tokens) a player can withdraw within LimitWindow.
	ItemsPerDay int64
	// Tokens are the tokens that can be withdrawn, in display order.
	Tokens []Token
	// MaxCalls is the maximum number of calls in one operation.
	MaxCalls int
	// Portal are the portal's own addresses on both chains: wallets and contracts. Nothing can be withdrawn to them.
	Portal []eth.Address
}

// Token returns the token of a contract, or nil.
func (r Rules) Token(chain onchain.ChainID, contract eth.Address) *Token {
	i := slices.IndexFunc(r.Tokens, func(t Token) bool { return t.Chain == chain && t.Contract == contract })
	if i < 0 {
		return nil
	}
	return &r.Tokens[i]
}

// Reasons of this package's faults.
const (
	ReasonRecipient    = "recipient"     // Invalid: nothing can be sent to this address
	ReasonInsufficient = "insufficient"  // Conflict: the wallet does not hold that much
	ReasonLimit        = "daily-limit"   // TooMany: a daily limit would be exceeded
	ReasonNotReady     = "not-ready"     // TooMany: the request's delay, or the one after a new password, is not over
	ReasonNotConfirmed = "not-confirmed" // Conflict: the player has not confirmed the request
	ReasonOver         = "over"          // Conflict: the request was cancelled, has expired or is done
	ReasonSending      = "sending"       // Conflict: the part's operation is on its way
	ReasonNoApproval   = "no-withdrawal" // Forbidden: the operation is not that of a part
	ReasonTooManyOpen  = "too-many-open" // Conflict: there are too many requests that are not over
	ReasonProof        = "proof"         // Conflict: this player cannot confirm in this way
)

// reasonNoProof is that of Approvals' fault for a player without a proof.
const reasonNoProof = "no-approval"

// Faults that a Store returns.
var (
	ErrNotFound = fault.New(fault.NotFound, "There is no such withdrawal.")
	ErrOver     = fault.New(fault.Conflict, "This withdrawal is over. Please start a new one.").WithReason(ReasonOver)
	ErrSending  = fault.New(fault.Conflict, "This withdrawal is on its way and cannot be stopped.").WithReason(ReasonSending)
	ErrReplaced = fault.New(fault.Conflict, "This operation was replaced by a newer one. Please press send again.").
			WithReason(ReasonNoApproval)
	// ErrCancelLink means that an emailed link cancels nothing any more.
	ErrCancelLink  = fault.New(fault.NotFound, "This link is not valid any more. Your withdrawal was sent or cancelled, or it has expired.")
	ErrTooManyOpen = fault.New(fault.Conflict, "You have %d withdrawals that are not over. Please send or cancel one first.", maxOpen).
			WithReason(ReasonTooManyOpen)
)

// maySend returns nil if the parts of the request can be sent.
func (r *Request) maySend(now time.Time) error {
	switch {
	case r.State == Unconfirmed:
		return fault.New(fault.Conflict, "Please confirm this withdrawal first.").WithReason(ReasonNotConfirmed)
	case r.State != Confirmed || !now.Before(r.ExpiresAt):
		return fault.New(fault.Conflict, "This withdrawal is over. Please start a new one.").WithReason(ReasonOver)
	case now.Before(r.ReadyAt):
		wait := r.ReadyAt.Sub(now)
		return fault.Wait(wait, "This withdrawal can be sent from %s on.", r.ReadyAt.UTC().Format("2 January 15:04 UTC")).
			WithReason(ReasonNotReady)
	}
	return nil
}

// Used is what a player has withdrawn within LimitWindow: signed and not failed.
type Used struct {
	Tokens map[eth.Address]money.Units // by ERC-20 contract
	Items  int64
}

// within returns a fault if the assets together with what was used exceed a daily limit.
func (r Rules) within(chain onchain.ChainID, assets []Asset, used Used) error {
	items := used.Items
	sums := map[eth.Address]money.Units{}
	for _, a := range assets {
		if a.Standard != onchain.ERC20 {
			n, ok := a.Amount.Int64()
			if !ok || n > r.ItemsPerDay-items {
				left := ""
				if used.Items > 0 {
					left = ", and " + itemsLeft(r.ItemsPerDay-used.Items) + " left today"
				}
				return fault.New(fault.TooMany, "You can take %d items a day out of your wallet%s.", r.ItemsPerDay, left).WithReason(ReasonLimit)
			}
			items += n
			continue
		}
		t := r.Token(chain, a.Contract)
		if t == nil || t.Limit == nil {
			continue
		}
		sum, ok := sums[a.Contract]
		if !ok {
			sum = used.Tokens[a.Contract]
		}
		sum, err := sum.Add(a.Amount)
		if err != nil || sum.Cmp(*t.Limit) > 0 {
			left := ""
			if !used.Tokens[a.Contract].IsZero() {
				left = ", and " + r.room(chain, a, used).Decimal(t.Decimals) + " are left today"
			}
			return fault.New(fault.TooMany, "You can take %s %s a day out of your wallet%s.", t.Limit.Decimal(t.Decimals), t.Symbol, left).
				WithReason(ReasonLimit)
		}
		sums[a.Contract] = sum
	}
	return nil
}

func itemsLeft(n int64) string {
	switch n = max(n, 0); n {
	case 0:
		return "none are"
	case 1:
		return "1 is"
	default:
		return money.FromInt(n).String() + " are"
	}
}

// Lookalikes returns those of the known addresses that people could mistake a for: they share its first and last four
// digits, but differ.
func Lookalikes(a eth.Address, known []eth.Address) []eth.Address {
	ends := func(a eth.Address) [4]byte { return [4]byte{a[0], a[1], a[18], a[19]} }
	var out []eth.Address
	for _, k := range known {
		if k != a && ends(k) == ends(a) && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// split groups the assets of each chain into parts, in the order of chains and then as given.
func split(chains []onchain.ChainID, assets map[onchain.ChainID][]Asset) []Part {
	var parts []Part
	for _, chain := range chains {
		for chunk := range slices.Chunk(assets[chain], MaxAssets) {
			parts = append(parts, Part{Chain: chain, Assets: chunk, State: Open})
		}
	}
	return parts
}

// divide splits assets into parts of at most MaxAssets, each part within the daily limits, and cuts up larger amounts. It
// stops after maxParts parts, or a few more.
func (r Rules) divide(chain onchain.ChainID, assets []Asset) (parts []Part) {
	part, used := Part{Chain: chain, State: Open}, Used{Tokens: map[eth.Address]money.Units{}}
	end := func() {
		if len(part.Assets) > 0 {
			parts = append(parts, part)
		}
		part, used = Part{Chain: chain, State: Open}, Used{Tokens: map[eth.Address]money.Units{}}
	}
	for _, a := range assets {
		for left := a.Amount; !left.IsZero() && len(parts) < maxParts; {
			piece := a
			piece.Amount = left
			room := r.room(chain, a, used)
			if room != nil && room.Cmp(left) < 0 {
				piece.Amount = *room
			}
			if piece.Amount.IsZero() || len(part.Assets) == MaxAssets {
				if len(part.Assets) == 0 {
					break // the limit is 0: this stays
				}
				end()
				continue
			}
			part.Assets = append(part.Assets, piece)
			rest, err := left.Sub(piece.Amount)
			if err != nil || used.Add(piece) != nil {
				break
			}
			left = rest
		}
	}
	end()
	return parts
}

// room returns how much of an asset the daily limits leave; nil for no limit.
func (r Rules) room(chain onchain.ChainID, a Asset, used Used) *money.Units {
	if a.Standard != onchain.ERC20 {
		left := money.FromInt(max(r.ItemsPerDay-used.Items, 0))
		return &left
	}
	t := r.Token(chain, a.Contract)
	if t == nil || t.Limit == nil {
		return nil
	}
	left, err := t.Limit.Sub(used.Tokens[a.Contract])
	if err != nil {
		left = money.Units{}
	}
	return &left
}

// merge adds up the amounts of assets that are named twice and sorts them, so that a part's calls have one order.
func merge(assets []Asset) ([]Asset, error) {
	var out []Asset
	for _, a := range assets {
		i := slices.IndexFunc(out, func(b Asset) bool { return a.Contract == b.Contract && a.TokenID == b.TokenID })
		if i < 0 {
			out = append(out, a)
			continue
		}
		sum, err := out[i].Amount.Add(a.Amount)
		if err != nil {
			return nil, err
		}
		out[i].Amount = sum
	}
	slices.SortFunc(out, func(a, b Asset) int {
		return cmp.Or(cmp.Compare(rank(a.Standard), rank(b.Standard)), slices.Compare(a.Contract[:], b.Contract[:]),
			cmp.Compare(len(a.TokenID), len(b.TokenID)), cmp.Compare(a.TokenID, b.TokenID))
	})
	return out, nil
}

// rank orders money before items.
func rank(s onchain.Standard) int {
	if s == onchain.ERC20 {
		return 0
	}
	return 1
}

// Add adds an asset to what was used.
func (u *Used) Add(a Asset) error {
	if a.Standard == onchain.ERC20 {
		sum, err := u.Tokens[a.Contract].Add(a.Amount)
		u.Tokens[a.Contract] = sum
		return err
	}
	n, ok := a.Amount.Int64()
	if !ok || n > math.MaxInt64-u.Items {
		n = math.MaxInt64 - u.Items
	}
	u.Items += n
	return nil
}

// RefusedText is the error of a part whose transfers reverted.
const RefusedText = "The transfer was refused on chain. Nothing has left your wallet."

// Update is the message that tells the player's browsers that a request has changed.
func Update(requestID string) announce.Realtime {
	return announce.Realtime{ChannelID: "withdrawal", Type: "update", Payload: struct {
		WithdrawalID string `json:"withdrawalId"`
	}{requestID}}
}
