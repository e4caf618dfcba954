// Package traderisk bounds what a stolen session can trade away. It weighs each operation's trades against reference prices:
// what is listed below its reference, and bought above it, is the risk of the trade. A player has a budget of risk in
// Window. An operation beyond it needs the player's approval.
//
// Allow decides whether an operation may be sponsored, signed and relayed; Charge records its risk before it is signed.
// Reference prices are cached for a short time. Everything here is safe for concurrent use.
package traderisk

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Window is the period of the budget and of the limit of one seller. It ends now.
const Window = 24 * time.Hour

// ReasonApproval is the reason of the fault (Conflict) of an operation that is beyond the budget and not approved.
const ReasonApproval = "trade-approval"

// Limits are what the operator sets. Amounts are in base units of the currency.
type Limits struct {
	Chain    onchain.ChainID // of the market
	Currency eth.Address     // of the market
	Symbol   string
	Decimals int
	// PerDay is a player's budget in Window.
	PerDay money.Units
	// Unknown is the risk of listing one unit whose worth is not known.
	Unknown money.Units
	// OneSeller is how much one seller can get from one player in Window. What is beyond counts whole.
	OneSeller money.Units
	// Own are the portal's own wallets. What they sell is no risk.
	Own []eth.Address
	// Unique reports whether a contract's tokens are unique (ERC-721).
	Unique func(contract eth.Address) bool
}

// Side is what a player does in a trade.
type Side string

// The sides.
const (
	Sells Side = "sells"
	Buys  Side = "buys"
)

// Order is a part of an operation: a listing made or changed, or a purchase.
type Order struct {
	Side     Side
	Contract eth.Address // of a new listing
	TokenID  string      // of a new listing
	// Listing is the marketplace's number of the listing that is changed or bought from; "" for a new one.
	Listing  string
	Quantity int64
	Price    money.Units // of one unit
}

// Listing is a listing as the index knows it.
type Listing struct {
	Contract eth.Address
	TokenID  string
	Seller   eth.Address
	Price    money.Units // of one unit
	Live     bool        // it can be bought from now
}

// Trade is a weighed order.
type Trade struct {
	Order
	Name      string
	Seller    eth.Address  // of a purchase; zero for the portal's own wallets
	Reference *money.Units // of one unit; nil without precedent
	Risk      money.Units  // of all units
}

// Operation is what is weighed.
type Operation struct {
	Player string
	Wallet eth.Address  // the player's account
	Nonce  eth.Quantity // of the account
	Digest string       // of the calls
	Orders []Order
}

// use names the one operation that can carry out an approval: only one with this nonce can succeed.
func (o Operation) use(chain onchain.ChainID) string {
	return strconv.FormatUint(uint64(chain), 10) + ":" + o.Wallet.String() + ":" + o.Nonce.String()
}

// Used is what a player's other operations have used within Window.
type Used struct {
	Risk money.Units
	Paid map[eth.Address]money.Units // by seller
}

// Charge is what is recorded of an operation.
type Charge struct {
	Risk money.Units // 0 for an approved operation
	Paid map[eth.Address]money.Units
	At   time.Time
	// Notice is queued with the charge of an approved operation; nil for none.
	Notice *email.Message
}

// Kind is what tokens must have in common to have one reference price: the token, or the contract and the rarity of
// unique tokens.
type Kind struct {
	Contract eth.Address
	TokenID  string // "" for unique tokens
	Rarity   string // of unique tokens
}

// Token is what the index knows of a token.
type Token struct {
	Name   string
	Rarity string
}

// Store reads the index and keeps the charges. All methods return fault.Unavailable if the database is unreachable.
type Store interface {
	// Listing returns a listing of the market's chain by the marketplace's number, or fault.NotFound.
	Listing(ctx context.Context, number string) (Listing, error)
	// Token returns a token, or fault.NotFound.
	Token(ctx context.Context, contract eth.Address, tokenID string) (Token, error)
	// Sales returns the sales of a kind in the currency that f lets through, newest first: of each two wallets the newest,
	// and a bounded number in all.
	Sales(ctx context.Context, k Kind, currency eth.Address, f SaleFilter) ([]Sale, error)
	// Offers returns what can be bought of a kind in the currency, lowest price first; a bounded number of the lowest.
	Offers(ctx context.Context, k Kind, currency eth.Address) ([]Offer, error)
	// Deals returns what a wallet has traded in the currency since a time, once for each side and other wallet.
	Deals(ctx context.Context, wallet, currency eth.Address, since time.Time) ([]Deal, error)
	// Bought returns what a wallet has bought of a token, and holds.
	Bought(ctx context.Context, wallet, contract eth.Address, tokenID string, currency eth.Address) (Bought, error)
	// Used returns what a player's operations since a time have used, without the one of an account's nonce.
	Used(ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity, since time.Time) (Used, error)
	// Charge records the charge that decide returns for what the player's other operations since a time have used, in
	// one transaction that locks out other charges of the player. A charge of the same nonce is raised to it.
	Charge(ctx context.Context, player string, wallet eth.Address, nonce eth.Quantity, since time.Time,
		decide func(Used) (Charge, error)) error
}

// Approvals says what a player has approved.
type Approvals interface {
	// UseTrade spends the player's approval of the calls for one use; calling it again for the same use succeeds. It
	// returns false if nothing approves them.
	UseTrade(ctx context.Context, player, digest, use string) (bool, error)
}

// Accounts knows the players.
type Accounts interface {
	// Address returns the player's email address; "" for none, or if no email is sent.
	Address(ctx context.Context, playerID string) (string, error)
}

// Options configure a Service.
type Options struct {
	Store     Store
	Approvals Approvals
	Accounts  Accounts
	Limits    Limits
	Clock     clock.Clock
	Site      string // the site's address, for emails
}

// Service implements the capability.
type Service struct {
	o     Options
	own   map[eth.Address]bool
	mu    sync.Mutex
	known map[Kind]*precedents
}

// New returns a Service.
func New(o Options) *Service {
	s := &Service{o: o, own: map[eth.Address]bool{}, known: map[Kind]*precedents{}}
	for _, a := range o.Limits.Own {
		s.own[a] = true
	}
	return s
}

func (s *Service) isOwn(a eth.Address) bool { return s.own[a] }

// Assessment is the result of weighing an operation.
type Assessment struct {
	Trades []Trade
	Risk   money.Units // beyond what the trades count, it includes what one seller gets beyond OneSeller
	Left   money.Units // of the budget, before the operation
	PerDay money.Units // the budget
}

// Needed reports whether the operation is beyond the budget.
func (a Assessment) Needed() bool { return a.Risk.Cmp(a.Left) > 0 }

// Assess weighs an operation.
func (s *Service) Assess(ctx context.Context, op Operation) (Assessment, error) {
	trades, err := s.weigh(ctx, op)
	if err != nil || !matters(trades) {
		return Assessment{Trades: trades, Left: s.o.Limits.PerDay, PerDay: s.o.Limits.PerDay}, err
	}
	used, err := s.o.Store.Used(ctx, op.Player, op.Wallet, op.Nonce, s.o.Clock.Now().Add(-Window))
	if err != nil {
		return Assessment{}, err
	}
	return s.total(trades, used)
}

// Allow returns nil if the operation is within the player's budget or approved; otherwise fault.Conflict with
// ReasonApproval.
func (s *Service) Allow(ctx context.Context, op Operation) error {
	a, err := s.Assess(ctx, op)
	if err != nil || !a.Needed() {
		return err
	}
	return s.approved(ctx, op, a)
}

// Charge is Allow and records the operation's risk. The signer calls it last before it signs.
func (s *Service) Charge(ctx context.Context, op Operation) error {
	trades, err := s.weigh(ctx, op)
	if err != nil || !matters(trades) {
		return err
	}
	now := s.o.Clock.Now()
	used, err := s.o.Store.Used(ctx, op.Player, op.Wallet, op.Nonce, now.Add(-Window))
	if err != nil {
		return err
	}
	a, err := s.total(trades, used)
	if err != nil {
		return err
	}
	approved := a.Needed()
	var notice *email.Message
	if approved {
		if err := s.approved(ctx, op, a); err != nil {
			return err
		}
		if notice, err = s.notice(ctx, op, a); err != nil {
			return err
		}
	}
	return s.o.Store.Charge(ctx, op.Player, op.Wallet, op.Nonce, now.Add(-Window), func(used Used) (Charge, error) {
		a, err := s.total(trades, used)
		if err != nil {
			return Charge{}, err
		}
		c := Charge{Risk: a.Risk, Paid: paid(trades), At: now, Notice: notice}
		if approved {
			c.Risk = money.Units{}
		} else if a.Needed() { // another operation was charged meanwhile
			return Charge{}, s.refusal(a)
		}
		return c, nil
	})
}

func (s *Service) approved(ctx context.Context, op Operation, a Assessment) error {
	ok, err := s.o.Approvals.UseTrade(ctx, op.Player, op.Digest, op.use(s.o.Limits.Chain))
	if err == nil && !ok {
		err = s.refusal(a)
	}
	return err
}

func (s *Service) refusal(a Assessment) error {
	return fault.New(fault.Conflict, "This needs your approval first: %s", s.why(a)).WithReason(ReasonApproval)
}

// why says in a sentence why an assessment needs an approval.
func (s *Service) why(a Assessment) string {
	what := "you are paying more than usual, or a lot to one seller,"
	for _, t := range a.Trades {
		if t.Side == Sells && !t.Risk.IsZero() {
			what = "you are offering items for less than they usually cost, or nobody knows yet what they cost,"
		}
	}
	return fmt.Sprintf("%s beyond %s a day.", what, s.amount(a.PerDay))
}

// Lines describe an assessment's risky trades to the player, one line each, for the email with the code.
func (s *Service) Lines(a Assessment) []string {
	var lines []string
	for _, t := range a.Trades {
		if t.Risk.IsZero() && len(a.Trades) > 1 && !t.paysSeller() {
			continue
		}
		verb := "Sell"
		if t.Side == Buys {
			verb = "Buy"
		}
		name := t.Name
		if t.Quantity != 1 {
			name = fmt.Sprintf("%d × %s", t.Quantity, name)
		}
		usual := "its usual price is not known"
		if t.Reference != nil {
			usual = "usually " + s.amount(*t.Reference)
		}
		lines = append(lines, fmt.Sprintf("%s %s for %s each, %s", verb, name, s.amount(t.Price), usual))
	}
	return lines
}

func (t Trade) paysSeller() bool { return t.Side == Buys && !t.Seller.IsZero() }

func (s *Service) amount(u money.Units) string {
	return u.Decimal(s.o.Limits.Decimals) + " " + s.o.Limits.Symbol
}

// matters reports whether there is something to charge.
func matters(trades []Trade) bool {
	for _, t := range trades {
		if !t.Risk.IsZero() || t.paysSeller() {
			return true
		}
	}
	return false
}

// paid adds up what the trades pay to each seller but the portal's own wallets.
func paid(trades []Trade) map[eth.Address]money.Units {
	out := map[eth.Address]money.Units{}
	for _, t := range trades {
		if t.paysSeller() {
			out[t.Seller] = saturated(out[t.Seller], times(t.Price, t.Quantity))
		}
	}
	return out
}

// manySellers is how many times OneSeller all sellers together can get: each may be an account of one thief's.
const manySellers = 5

// total adds up the risk of trades. Of what one seller gets beyond OneSeller, and all of them beyond manySellers times as
// much, the part that the trades' own risk does not cover counts too.
func (s *Service) total(trades []Trade, used Used) (Assessment, error) {
	a := Assessment{Trades: trades}
	bySeller := map[eth.Address]money.Units{}
	var purchases, paidNow money.Units
	for _, t := range trades {
		if t.paysSeller() {
			bySeller[t.Seller] = saturated(bySeller[t.Seller], t.Risk)
		} else {
			a.Risk = saturated(a.Risk, t.Risk)
		}
	}
	for seller, now := range paid(trades) {
		beyond := lower(less(saturated(used.Paid[seller], now), s.o.Limits.OneSeller), now) // earlier operations have counted the rest
		purchases = saturated(purchases, higher(bySeller[seller], beyond))
		paidNow = saturated(paidNow, now)
	}
	paidInAll := paidNow
	for _, earlier := range used.Paid {
		paidInAll = saturated(paidInAll, earlier)
	}
	beyond := lower(less(paidInAll, times(s.o.Limits.OneSeller, manySellers)), paidNow)
	a.Risk = saturated(a.Risk, higher(purchases, beyond))
	a.PerDay, a.Left = s.o.Limits.PerDay, less(s.o.Limits.PerDay, used.Risk)
	return a, nil
}

func lower(a, b money.Units) money.Units {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func higher(a, b money.Units) money.Units {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// less returns a − b, or 0 if b is more.
func less(a, b money.Units) money.Units {
	if a.Cmp(b) <= 0 {
		return money.Units{}
	}
	d, err := a.Sub(b)
	if err != nil {
		return money.Units{}
	}
	return d
}

// most is the cap of each amount: a billion of a currency with 18 decimals.
var most = money.MustParse("1000000000000000000000000000")

// saturated returns a + b, at most a very large amount.
func saturated(a, b money.Units) money.Units {
	sum, err := a.Add(b)
	if err != nil || sum.Cmp(most) > 0 {
		return most
	}
	return sum
}

func times(a money.Units, n int64) money.Units {
	p, err := a.Mul(n)
	if err != nil || p.Cmp(most) > 0 {
		return most
	}
	return p
}
