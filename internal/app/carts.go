package app

import (
	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/api"
	cartstore "pantheon/internal/store/cart"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
)

// newCarts returns the services of carts and orders.
func newCarts(b *base, withFaucet bool) api.CartOptions {
	holds := cart.Options{
		Need:     cart.Need(b.config.HoldsNeed),
		Currency: cart.Currency{Chain: b.game, Address: b.usdc, Symbol: b.currency().Symbol, Decimals: b.currency().Decimals},
	}
	if withFaucet {
		holds.Faucet = "/api/dev/faucet"
	}
	carts := cart.NewService(cartstore.New(b.db), b.clock, holds)
	b.lead("cart sweeper", carts.Run)
	orders := checkout.NewService(crashable[checkout.Store](cartstore.Orders{DB: b.db, Chain: b.game}),
		purchases{eth.MustAddress(b.config.Contracts.PiggyMarketplace)}, b.clock, b.game,
		checkout.Currency{Address: b.usdc, Symbol: b.currency().Symbol, Decimals: b.currency().Decimals})
	b.lead("order sweeper", orders.Run)
	return api.CartOptions{Cart: carts, Checkout: orders}
}

// purchases encodes the calls of a purchase for the marketplace.
type purchases struct{ marketplace eth.Address }

func (p purchases) PurchaseCalls(wallet, currency eth.Address, total money.Units, items []checkout.Item) ([]checkout.Call, error) {
	approve, err := contracts.NewTestToken().TryPackApprove(common.Address(p.marketplace), total.Big())
	if err != nil {
		return nil, err
	}
	calls := []checkout.Call{{To: currency, Data: approve}}
	listings := contracts.NewDirectListingsLogic()
	for _, item := range items {
		price, err := item.Price.Mul(item.Quantity)
		if err != nil {
			return nil, err
		}
		number, err := money.Parse(item.Number)
		if err != nil {
			return nil, err
		}
		data, err := listings.TryPackBuyFromListing(number.Big(), common.Address(wallet), money.FromInt(item.Quantity).Big(),
			common.Address(currency), price.Big())
		if err != nil {
			return nil, err
		}
		calls = append(calls, checkout.Call{To: p.marketplace, Data: data})
	}
	return calls, nil
}
