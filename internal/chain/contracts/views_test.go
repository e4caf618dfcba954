package contracts_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/onchain"
)

func TestViews_AreTheFunctionsThatChangeNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what      string
		functions map[[4]byte]bool
		views     []string
		others    []string
	}{
		{"the EntryPoint", contracts.EntryPointViews(), []string{"getNonce(address,uint192)", "balanceOf(address)"}, []string{
			"delegateAndRevert(address,bytes)", "getSenderAddress(bytes)", "depositTo(address)", "withdrawTo(address,uint256)",
			"incrementNonce(uint192)",
		}},
		{"the factory", contracts.FactoryViews(), []string{"getAddress(bytes32)"}, []string{"createAccount(bytes32)"}},
		{"the marketplace", contracts.MarketplaceViews(), []string{
			"getListing(uint256)", "totalListings()", "hasRole(bytes32,address)",
		}, []string{
			"buyFromListing(uint256,address,uint256,address,uint256)", "cancelListing(uint256)", "multicall(bytes[])",
			"getAllListings(uint256,uint256)", "getAllValidListings(uint256,uint256)",
		}},
		{
			"ERC-20", contracts.TokenViews(onchain.ERC20), []string{"balanceOf(address)", "allowance(address,address)"},
			[]string{"transfer(address,uint256)", "approve(address,uint256)"},
		},
		{
			"ERC-721", contracts.TokenViews(onchain.ERC721),
			[]string{"ownerOf(uint256)", "balanceOf(address)", "tokenURI(uint256)", "royaltyInfo(uint256,uint256)"},
			[]string{"transferFrom(address,address,uint256)"},
		},
		{"ERC-1155", contracts.TokenViews(onchain.ERC1155), []string{
			"balanceOf(address,uint256)", "uri(uint256)", "tableOf(uint256)",
		}, []string{
			"setApprovalForAll(address,bool)", "fixTables(uint256[],bytes32[],uint256[])",
		}},
	} {
		for _, f := range c.views {
			if !c.functions[selector(f)] {
				t.Errorf("%s: %s is missing", c.what, f)
			}
		}
		for _, f := range c.others {
			if c.functions[selector(f)] {
				t.Errorf("%s: %s is no view", c.what, f)
			}
		}
	}
	handleOps := contracts.NewEntryPoint().PackHandleOps(nil, common.Address{})
	if contracts.EntryPointViews()[[4]byte(handleOps)] {
		t.Error("handleOps is no view")
	}
	if contracts.TokenViews("ERC777") != nil {
		t.Error("an unknown standard has views")
	}
}

func selector(signature string) [4]byte { return [4]byte(crypto.Keccak256([]byte(signature))) }
