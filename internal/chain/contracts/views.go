package contracts

import (
	"github.com/ethereum/go-ethereum/accounts/abi"

	"pantheon/internal/kit/onchain"
)

// Views returns the selectors of the functions that the contracts declare view or pure: those that change nothing.
// The EntryPoint's delegateAndRevert, which would run any contract's code, is not among them.
func Views(contracts ...abi.ABI) map[[4]byte]bool {
	out := map[[4]byte]bool{}
	for _, c := range contracts {
		for _, m := range c.Methods {
			if m.IsConstant() {
				out[[4]byte(m.ID)] = true
			}
		}
	}
	return out
}

// royaltyInfo is the selector of royaltyInfo(uint256,uint256) (ERC-2981), which only one collection's bindings include.
var royaltyInfo = [4]byte{0x2a, 0x55, 0x20, 0x5a}

// TokenViews returns the selectors of the view functions of our token contracts of a standard.
func TokenViews(s onchain.Standard) map[[4]byte]bool {
	switch s {
	case onchain.ERC20:
		return Views(NewTestToken().GetABI())
	case onchain.ERC721:
		views := Views(NewCollection721().GetABI())
		views[royaltyInfo] = true
		return views
	case onchain.ERC1155:
		return Views(NewCollection1155().GetABI(), NewChests().GetABI())
	}
	return nil
}

// MarketplaceViews returns the selectors of the marketplace's view functions, its own and those of its listings, except
// those that return many listings at once, in hundreds of kilobytes: the API lists them.
func MarketplaceViews() map[[4]byte]bool {
	listings := NewDirectListingsLogic().GetABI()
	views := Views(NewMarketplaceV3().GetABI(), listings)
	for _, name := range []string{"getAllListings", "getAllValidListings"} {
		delete(views, [4]byte(listings.Methods[name].ID))
	}
	return views
}

// EntryPointViews returns the selectors of the EntryPoint's view functions (ERC-4337).
func EntryPointViews() map[[4]byte]bool { return Views(NewEntryPoint().GetABI()) }

// FactoryViews returns the selectors of the view functions of the accounts' factory.
func FactoryViews() map[[4]byte]bool { return Views(NewERC4337Factory().GetABI()) }
