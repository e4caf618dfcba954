//go:build !nodev

package app

import (
	"encoding/binary"
	"strconv"

	"pantheon/internal/api"
	"pantheon/internal/brand"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
)

// starterKit returns the brand's gifts for a new pair of wallets in the development world.
func starterKit(b *brand.Brand, game, main world.Addresses) func(wallet.Wallet) []wallet.Gift {
	return func(w wallet.Wallet) []wallet.Gift {
		gifts := kit{w: w}
		for _, g := range b.Development.Gifts {
			switch c, ok := b.Collections.Of(g.Collection); {
			case g.Money > 0:
				amount := b.Collections.Currency().Units(g.Money)
				gifts.mint(g.Name, devGameChain, game.USDC, onchain.ERC20, "0", amount)
			case g.Currency != "":
				gifts.add(g.Name, reward.Currency{Code: g.Currency, Amount: g.Amount}.Content())
			case ok && c.Chain == collections.MainChain:
				gifts.mint(g.Name, devMainChain, main.Collections[c.Slug], c.Standard, g.Token, money.FromInt(1))
			case ok:
				gifts.mint(g.Name, devGameChain, game.Collections[c.Slug], c.Standard, g.Token, money.FromInt(1))
			}
		}
		return gifts.list
	}
}

// kit collects the gifts of one wallet.
type kit struct {
	w    wallet.Wallet
	list []wallet.Gift
}

func (k *kit) add(name string, c reward.Content) {
	k.list = append(k.list, wallet.Gift{Source: "starter/" + k.w.PlayerID + "/" + name, Kind: c.Kind, Detail: c.Detail})
}

// mint adds a token; for an empty id it derives one, the same on every call.
func (k *kit) mint(
	name string, chain onchain.ChainID, contract eth.Address, standard onchain.Standard, tokenID string, amount money.Units,
) {
	if tokenID == "" {
		hash := eth.Keccak256([]byte("starter/" + k.w.PlayerID + "/" + name))
		tokenID = strconv.FormatUint(starterIDs+binary.BigEndian.Uint64(hash[:])>>24, 10)
	}
	k.add(name, reward.Mint{
		Chain: chain, Contract: contract, Standard: standard, TokenID: tokenID, Amount: amount, To: k.w.Smart,
	}.Content())
}

// starterIDs is the first id of starter tokens, far above those of the market's goods.
const starterIDs = 1_000_000

// faucetOf returns what the faucet of a development chain mints.
func faucetOf(usdc eth.Address, currency collections.Currency) *reward.Mint {
	return &reward.Mint{
		Chain: devGameChain, Contract: usdc, Standard: onchain.ERC20, TokenID: "0",
		Amount: currency.Units(api.FaucetUSDC),
	}
}
