package webstore

import (
	"context"
	"encoding/json"
	"math/big"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
)

// Payment is a transfer of an ERC-20 token out of a player's smart wallet.
type Payment struct {
	Chain  onchain.ChainID
	Token  eth.Address
	To     eth.Address
	Amount money.Units // base units
}

// Share is a debt with what a payment pays for it.
type Share struct {
	Debt
	Units int64 // base units of USDC
}

// Binding binds debts to the operation that is about to be signed and pays for them.
type Binding struct {
	PlayerID  string
	Chain     onchain.ChainID
	Operation eth.Hash
	Sender    eth.Address
	Nonce     eth.Quantity
	Shares    []Share
}

// PaymentStore stores which operations pay for debts.
type PaymentStore interface {
	// Debts returns a player's debts that are not settled.
	Debts(ctx context.Context, playerID string) ([]Debt, error)
	// BindDebts binds all of the debts to the operation. It returns ErrChanged and binds none if one of them has changed, or is
	// bound to another operation that can still reach the chain or has reached it.
	BindDebts(ctx context.Context, b Binding) error
	// ReleaseDebts makes the debts of an operation that was dropped payable again. They stay bound to it. An operation of no debt
	// is not an error.
	ReleaseDebts(ctx context.Context, op eth.Hash) error
}

// Reasons of the faults of Payments.
const (
	ReasonNothingDue = "nothing-due" // Conflict: the player owes nothing that can be paid now
	ReasonPaying     = "paying"      // Conflict: a payment is on its way
	ReasonChanged    = "changed"     // Conflict: the payment is not of what the player owes now
)

// ErrChanged means that a payment is not of what the player owes now.
var ErrChanged = fault.New(fault.Conflict, "What you owe has changed. Please press pay again.").WithReason(ReasonChanged)

var (
	errNothingDue = fault.New(fault.Conflict, "You owe nothing that can be paid now.").WithReason(ReasonNothingDue)
	errPaying     = fault.New(fault.Conflict, "Your payment is on its way.").WithReason(ReasonPaying)
)

// PaymentOptions configure Payments; all are required.
type PaymentOptions struct {
	Store PaymentStore
	Chain onchain.ChainID
	Token eth.Address // USDC on it
	To    eth.Address // receives the payments
	Rate  int64       // base units of USDC for one unit of the shop's currency; 0 if debts are not paid in it
}

// Payments lets players pay in USDC for what they owe: all of it that has a price, by one transfer. The signer signs such a
// transfer only for exactly that amount, and binds the debts to the operation in the same step. It is safe for concurrent use.
type Payments struct{ PaymentOptions }

// NewPayments returns Payments.
func NewPayments(o PaymentOptions) *Payments { return &Payments{o} }

// Cost returns what a debt costs in base units of USDC: USDC its own amount, anything else its share of what the card paid,
// rounded up. ok is false for a debt whose price is not known: only an operator can end it.
func (s *Payments) Cost(d Debt) (units int64, ok bool) {
	var token reward.Mint
	if d.Kind == reward.KindTransfer && json.Unmarshal([]byte(d.Detail), &token) == nil &&
		token.Standard == onchain.ERC20 && token.Contract == s.Token {
		return d.Amount, d.Amount > 0
	}
	whole, err := Whole(d.Content)
	if err != nil || whole < 1 || d.Price < 1 || d.Amount < 1 || s.Rate < 1 {
		return 0, false
	}
	cost := new(big.Int).Mul(big.NewInt(d.Price), big.NewInt(d.Amount))
	cost.Mul(cost, big.NewInt(s.Rate))
	of := new(big.Int).Mul(big.NewInt(whole), big.NewInt(oneUnit))
	cost.Add(cost, of).Sub(cost, big.NewInt(1)).Div(cost, of)
	return cost.Int64(), cost.IsInt64()
}

// oneUnit is one unit of the shop's currency, in millionths.
const oneUnit = 1_000_000

// due returns what a player can pay for now, and the payment.
func (s *Payments) due(ctx context.Context, playerID string) (shares []Share, p Payment, err error) {
	debts, err := s.Store.Debts(ctx, playerID)
	if err != nil {
		return nil, p, err
	}
	paying := false
	p = Payment{Chain: s.Chain, Token: s.Token, To: s.To}
	for _, d := range debts {
		paying = paying || d.InFlight
		// What is being taken back may not be owed any more in a moment.
		if d.State != DebtOpen || d.InFlight || d.Taking > 0 {
			continue
		}
		units, ok := s.Cost(d)
		if !ok {
			continue
		}
		if p.Amount, err = p.Amount.Add(money.FromInt(units)); err != nil {
			return nil, p, err
		}
		shares = append(shares, Share{d, units})
	}
	switch {
	case len(shares) > 0:
		return shares, p, nil
	case paying:
		return nil, p, errPaying
	}
	return nil, p, errNothingDue
}

// Due returns the payment of all that the player can pay for now. It returns a Conflict fault with ReasonNothingDue or
// ReasonPaying if there is nothing.
func (s *Payments) Due(ctx context.Context, playerID string) (Payment, error) {
	_, p, err := s.due(ctx, playerID)
	return p, err
}

// Takes reports whether a transfer is a payment of debts, whatever its amount: nothing else may be sent to the portal.
func (s *Payments) Takes(p Payment) bool {
	return p.Chain == s.Chain && p.Token == s.Token && p.To == s.To
}

// MayPay returns nil if the payment is exactly of what the player can pay for now. It returns the faults of Due, and ErrChanged.
func (s *Payments) MayPay(ctx context.Context, playerID string, p Payment) error {
	_, err := s.match(ctx, playerID, p)
	return err
}

func (s *Payments) match(ctx context.Context, playerID string, p Payment) ([]Share, error) {
	shares, due, err := s.due(ctx, playerID)
	if err == nil && (!s.Takes(p) || p.Amount.Cmp(due.Amount) != 0) {
		err = ErrChanged
	}
	return shares, err
}

// Bind binds the player's debts to the operation that makes the payment. The signer calls it last before it signs. It returns the
// faults of MayPay, and ErrChanged if a debt is bound to another operation that can still reach the chain.
func (s *Payments) Bind(ctx context.Context, playerID string, p Payment, sender eth.Address, nonce eth.Quantity, op eth.Hash) error {
	shares, err := s.match(ctx, playerID, p)
	if err != nil {
		return err
	}
	return s.Store.BindDebts(ctx, Binding{PlayerID: playerID, Chain: s.Chain, Operation: op, Sender: sender, Nonce: nonce, Shares: shares})
}

// OperationDropped makes the debts of an operation that was dropped payable again.
func (s *Payments) OperationDropped(ctx context.Context, op eth.Hash) error {
	return s.Store.ReleaseDebts(ctx, op)
}
