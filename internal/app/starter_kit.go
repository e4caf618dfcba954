package app

import (
	"encoding/binary"
	"strconv"

	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
)

// starterKit returns the gifts for a new pair of wallets in the development world.
func starterKit(game, main world.Addresses) func(wallet.Wallet) []wallet.Gift {
	return func(w wallet.Wallet) []wallet.Gift {
		gifts := kit{w: w}
		gifts.mint("usdc", devGameChain, game.USDC, onchain.ERC20, "0", "500000000")
		gifts.mint("piggy", devGameChain, game.Collections["piggy-banks"], onchain.ERC1155, "1", "1")
		gifts.mint("vip-piggy", devGameChain, game.Collections["piggy-banks"], onchain.ERC1155, "2", "1")
		gifts.mint("pack", devGameChain, game.Collections["chests"], onchain.ERC1155, strconv.Itoa(world.GeneralPack), "1")
		gifts.mint("elder-god", devGameChain, game.Collections["elder-gods"], onchain.ERC721, "", "1")
		gifts.mint("ark", devMainChain, main.Collections["arks"], onchain.ERC1155, "1", "1")
		gifts.mint("immortal", devMainChain, main.Collections["immortals"], onchain.ERC721, "", "1")
		gifts.mint("community-pass", devMainChain, main.Collections["passes-community"], onchain.ERC721, "", "1")
		gifts.mint("ultimate-pass", devMainChain, main.Collections["passes-ultimate"], onchain.ERC721, "", "1")
		gifts.mint("power-pack", devMainChain, main.Collections["power-packs"], onchain.ERC1155, "1", "1")
		for code, amount := range map[string]int64{"d0": 40, "d1": 12, "f2": 6, "f3": 2, "gt": 30, "nt": 15, "et": 8, "ct": 4} {
			gifts.add(code, reward.Currency{Code: code, Amount: amount}.Content())
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
func (k *kit) mint(name string, chain onchain.ChainID, contract eth.Address, standard onchain.Standard, tokenID, amount string) {
	if tokenID == "" {
		hash := eth.Keccak256([]byte("starter/" + k.w.PlayerID + "/" + name))
		tokenID = strconv.FormatUint(starterIDs+binary.BigEndian.Uint64(hash[:])>>24, 10)
	}
	k.add(name, reward.Mint{
		Chain: chain, Contract: contract, Standard: standard, TokenID: tokenID, Amount: money.MustParse(amount), To: k.w.Smart,
	}.Content())
}

// starterIDs is the first id of starter tokens, far above those of the market's goods.
const starterIDs = 1_000_000
