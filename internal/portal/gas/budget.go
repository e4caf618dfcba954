package gas

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

const (
	// knownSellers is from how many sellers a player who is not a newcomer has bought.
	knownSellers = 3
	// newcomersPart of a chain's budget is for newcomers: a half.
	newcomersPart = 2
	// purchasesPart of a chain's budget, and of the newcomers', is for purchases only: a quarter.
	purchasesPart = 4
)

// Day is the length of a budget's long windows, which begin at midnight UTC.
const Day = 24 * time.Hour

// Budget limits what the portal pays for gas on one chain. Windows are calendar minutes and days in UTC.
type Budget struct {
	PlayerPerMinute int64     // operations per player and minute
	Player          Allowance // per player and day
	Network         Allowance // per network and day, all its players together
	// Total is for all players per day. Newcomers share half of it; see Known. A quarter of both is kept for purchases.
	Total Allowance
	// Seller is the wallet that sells the portal's own goods.
	Seller eth.Address
	// KnownTotal is for how much a player must have bought in one sale on an earlier day, in base units of the market's currency, for the
	// sale to count for Known.
	KnownTotal money.Units
}

// Known reports whether a player who bought from these sellers, for KnownTotal or more on earlier days, is no newcomer: from
// the portal itself, or from three others. What is bought of a friend costs only the fees, so that one account with 1 USDC
// could make any number of others known; the portal keeps the price of what it sells.
func (b Budget) Known(sellers []eth.Address) bool {
	return slices.Contains(sellers, b.Seller) || len(sellers) >= knownSellers
}

// Use is what an operation is sponsored for, and for whom.
type Use struct {
	Newcomer bool
	Purchase bool // it buys
}

// Allowance is a number of operations and their total cost in wei.
type Allowance struct {
	Operations int64
	Wei        money.Units
}

// Spending is what has been spent of a chain's budget today: the cost of paid operations, and the maximum cost of
// sponsorships that can still be used.
type Spending struct {
	Day       time.Time // start of the day
	Spent     Allowance
	Newcomers Allowance // the part spent on players who had not bought before
	Raised    Allowance // the operator's increase for the day
}

// Gwei returns wei in gwei, rounded up; the largest integer if it overflows.
func Gwei(wei money.Units) int64 {
	n := new(big.Int).Add(wei.Big(), big.NewInt(999_999_999))
	if n.Div(n, big.NewInt(1_000_000_000)); !n.IsInt64() {
		return math.MaxInt64
	}
	return n.Int64()
}

// Window is one of a budget's limits: what a subject may spend from the window's start.
type Window struct {
	Scope, Subject string
	Length         time.Duration
	Operations     int64
	Gwei           int64
	reason         string
	message        string // with a verb for the waiting time
}

// The scopes of windows, those that fewest players share first.
var scopes = []string{
	"player-minute", "player-day", "network-day", "chain-day", "others-day", "newcomers-day", "newcomers-others-day",
}

// CompareWindows orders windows by scope, and then by subject. Rows of budgets are locked in this order.
func CompareWindows(a, b Window) int {
	return cmp.Or(cmp.Compare(slices.Index(scopes, a.Scope), slices.Index(scopes, b.Scope)), cmp.Compare(a.Subject, b.Subject))
}

// Windows returns the limits that apply to a caller's sponsorship, in the order of [CompareWindows]. raise is the operator's increase for
// the day.
func (b Budget) Windows(c Caller, use Use, raise Allowance) []Window {
	const everything = math.MaxInt64
	operations, gwei := b.Total.Operations+raise.Operations, Gwei(b.Total.Wei)+Gwei(raise.Wei)
	const paused = "We have reached what we pay for gas today, so this has to wait %s. What you hold and own is safe."
	out := []Window{
		{"player-minute", c.Player, time.Minute, b.PlayerPerMinute, everything, ReasonPlayerGas,
			"That was a lot in one minute. Please try again in %s."},
		{"player-day", c.Player, Day, b.Player.Operations, Gwei(b.Player.Wei), ReasonPlayerGas,
			"You have used up the gas that we pay for you in a day. It starts again in %s."},
	}
	if c.Network != "" {
		out = append(out, Window{"network-day", c.Network, Day, b.Network.Operations, Gwei(b.Network.Wei), ReasonNetworkGas,
			"The players on your network have used up the gas that we pay for them in a day. It starts again in %s."})
	}
	part := func(scope string, operations, gwei int64) {
		out = append(out, Window{scope, "", Day, operations, gwei, ReasonPaused, paused})
	}
	part("chain-day", operations, gwei)
	if !use.Purchase {
		part("others-day", operations-operations/purchasesPart, gwei-gwei/purchasesPart)
	}
	if use.Newcomer {
		operations, gwei := operations/newcomersPart, gwei/newcomersPart
		part("newcomers-day", operations, gwei)
		if !use.Purchase {
			part("newcomers-others-day", operations-operations/purchasesPart, gwei-gwei/purchasesPart)
		}
	}
	return out
}

// PurchasesOnly reports whether so much is spent that only purchases are sponsored for the rest of the day.
func (b Budget) PurchasesOnly(s Spending) bool {
	operations, gwei := b.Total.Operations+s.Raised.Operations, Gwei(b.Total.Wei)+Gwei(s.Raised.Wei)
	return s.Spent.Operations >= operations-operations/purchasesPart || Gwei(s.Spent.Wei) >= gwei-gwei/purchasesPart
}

// Exceeded returns the fault of a window whose limit is reached, until the window ends.
func (w Window) Exceeded(now time.Time) error {
	wait := now.Truncate(w.Length).Add(w.Length).Sub(now)
	return fault.Wait(wait, w.message, waiting(wait)).WithReason(w.reason)
}

// waiting formats a waiting time for display, rounded up.
func waiting(d time.Duration) string {
	units := func(n time.Duration, unit string) string {
		if n == 1 {
			return "a " + unit
		}
		return fmt.Sprintf("%d %ss", n, unit)
	}
	if d > 90*time.Minute {
		return units((d+time.Hour-1)/time.Hour, "hour")
	}
	return units((d+time.Minute-1)/time.Minute, "minute")
}
