package account

import (
	"context"
	"fmt"
	"strings"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Belongings are what a player has or waits for, as stored.
type Belongings struct {
	Tokens      []Token // in the smart wallet
	Listings    int64   // that can still be bought from
	Withdrawals int64   // confirmed
	Orders      int64   // whose payment is in progress
	Operations  int64   // of the wallet, in progress
	ShopOrders  int64   // paid, not given in full
	Rewards     int64   // on their way
}

// Token is an amount of a token.
type Token struct {
	Chain    onchain.ChainID
	Contract eth.Address
	Amount   money.Units
}

// Currency is a token that counts as money.
type Currency struct {
	Symbol   string
	Decimals int
}

// Valuables says what a token is: money, an item (nil), or nothing that can leave the wallet (false).
type Valuables func(Token) (currency *Currency, valuable bool)

// BelongingKind is what kind of thing prevents the deletion of an account.
type BelongingKind string

// The kinds.
const (
	BelongsMoney       BelongingKind = "money"
	BelongsItems       BelongingKind = "items"
	BelongsListings    BelongingKind = "listings"
	BelongsWithdrawals BelongingKind = "withdrawals"
	BelongsOrders      BelongingKind = "orders"
	BelongsShopOrders  BelongingKind = "shop-orders"
	BelongsRewards     BelongingKind = "rewards"
)

// Belonging is one line of what is in an account.
type Belonging struct {
	Kind     BelongingKind
	Amount   string // decimal
	Currency string // of money
}

// String returns the line in words.
func (b Belonging) String() string {
	name := map[BelongingKind]string{
		BelongsMoney: b.Currency, BelongsItems: "item", BelongsListings: "listing", BelongsWithdrawals: "open withdrawal",
		BelongsOrders: "payment under way", BelongsShopOrders: "order in the shop", BelongsRewards: "reward on its way",
	}[b.Kind]
	if b.Kind != BelongsMoney && b.Amount != "1" {
		name = map[BelongingKind]string{
			BelongsItems: "items", BelongsListings: "listings", BelongsWithdrawals: "open withdrawals",
			BelongsOrders: "payments under way", BelongsShopOrders: "orders in the shop", BelongsRewards: "rewards on their way",
		}[b.Kind]
	}
	return b.Amount + " " + name
}

// Belongings returns what prevents the deletion of a player's account; none for an empty one. It returns
// fault.Unavailable while it is not known what the player has.
func (s *Service) Belongings(ctx context.Context, playerID string) ([]Belonging, error) {
	if err := s.o.IndexReady(ctx); err != nil {
		return nil, fault.New(fault.Unavailable, "We cannot see just now what is in your wallet. Please try again in a few minutes.").Because(err)
	}
	b, err := s.o.Deletions.Belongings(ctx, playerID, s.o.Clock.Now())
	if err != nil {
		return nil, err
	}
	return s.list(b), nil
}

// list returns the lines of what is in an account. Of an operation in progress it is not known yet what it leaves.
func (s *Service) list(b Belongings) []Belonging {
	var list []Belonging
	items := money.Units{}
	for _, t := range b.Tokens {
		currency, valuable := s.o.Valuables(t)
		switch {
		case !valuable || t.Amount.IsZero():
		case currency != nil:
			list = append(list, Belonging{BelongsMoney, t.Amount.Decimal(currency.Decimals), currency.Symbol})
		default:
			if sum, err := items.Add(t.Amount); err == nil {
				items = sum
			}
		}
	}
	if !items.IsZero() {
		list = append(list, Belonging{Kind: BelongsItems, Amount: items.String()})
	}
	for _, of := range []struct {
		kind BelongingKind
		n    int64
	}{
		{BelongsListings, b.Listings}, {BelongsWithdrawals, b.Withdrawals}, {BelongsOrders, max(b.Orders, b.Operations)},
		{BelongsShopOrders, b.ShopOrders}, {BelongsRewards, b.Rewards},
	} {
		if of.n > 0 {
			list = append(list, Belonging{Kind: of.kind, Amount: fmt.Sprint(of.n)})
		}
	}
	return list
}

func linesOf(list []Belonging) []string {
	lines := make([]string, len(list))
	for i, b := range list {
		lines[i] = b.String()
	}
	return lines
}

// notEmpty returns the fault that names what is in an account. What is in progress cannot be given up.
func notEmpty(list []Belonging) error {
	if len(list) == 1 && list[0].Kind == BelongsOrders {
		return ErrUnderWay
	}
	details := map[string]string{}
	for _, b := range list {
		line := b.Amount
		if b.Currency != "" {
			line += " " + b.Currency
		}
		if has := details[string(b.Kind)]; has != "" {
			line = has + ", " + line
		}
		details[string(b.Kind)] = line
	}
	return fault.New(fault.Conflict, "There is still something in your account: %s. Take it out first, or give it up.",
		strings.Join(linesOf(list), ", ")).
		WithReason(ReasonNotEmpty).WithDetails(details)
}
