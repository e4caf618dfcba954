package gas

import (
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// SponsorshipTTL is the lifetime of a sponsorship, from now or from the time of the chain's newest block if that is later.
const SponsorshipTTL = 10 * time.Minute

// Sponsorship is the portal's commitment to pay for one operation. Its cost is reserved before it is issued. It can
// be used once, in the session it was issued to, until it expires or the account is issued another one.
type Sponsorship struct {
	Caller
	Operation eth.Hash // the operation's hash, which covers all but its signature
	Chain     onchain.ChainID
	Sender    eth.Address
	Nonce     uint64 // the operation's nonce, with key 0
	// Public means that not only the portal's relayers can send the operation: the paymaster's allowlist is empty.
	// The maximum cost then counts in full, even if unused, and it is cancelled when its session ends.
	Public    bool
	Purchase  bool        // the operation buys; see Use
	Cost      money.Units // maximum in wei: the sum of the gas limits times the maximum fee
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Fault reasons of Reserve, and of operations that are not sponsored or relayed.
const (
	ReasonBusy       = "busy"          // Conflict: another operation of the account is pending
	ReasonSponsor    = "sponsorship"   // Conflict: the sponsorship was used, replaced or has expired, or its session ended
	ReasonPlayerGas  = "gas-player"    // TooMany: the player's allowance is used up
	ReasonNetworkGas = "gas-network"   // TooMany: the allowance of the player's network is used up
	ReasonPaused     = "gas-paused"    // TooMany: the chain's budget is used up
	ReasonEmail      = "email"         // Forbidden: the player must confirm an email address first
	ReasonIdle       = "nothing-to-do" // Forbidden: the calls would change nothing
)

var (
	// ErrBusy means that another operation of the account is pending.
	ErrBusy = &fault.Fault{
		Code: fault.Conflict, Reason: ReasonBusy, RetryAfter: time.Second,
		Message: "Another action of yours is still on its way. Please wait until it is done.",
	}
	// ErrNonce means that another operation of the account has the same nonce.
	ErrNonce = fault.New(fault.Conflict, "Another operation of your account with this nonce is on its way.").WithReason("nonce")
	// ErrSponsorship means that an operation has no sponsorship that can be used.
	ErrSponsorship = fault.New(fault.Conflict, "This has expired, or you started something newer. Please try again.").WithReason(ReasonSponsor)
)
