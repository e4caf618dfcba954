package gas_test

import (
	"slices"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
)

// Calls are described in words, with the names of known contracts.
func TestWords_TellWhatCallsDo(t *testing.T) {
	t.Parallel()
	address := func(last byte) (a eth.Address) { a[0], a[19] = 0x10, last; return a }
	market, usdc, avatars, stranger := address(1), address(2), address(3), address(4)
	names := gas.Names{
		Name: func(a eth.Address) string {
			return map[eth.Address]string{market: "the marketplace", avatars: "avatars"}[a]
		},
		Amount: func(token eth.Address, q eth.Quantity) string {
			if token != usdc {
				return ""
			}
			return q.Big().String() + " µUSDC"
		},
	}
	call := func(target eth.Address, function string, arguments ...any) gas.Call {
		selector := gas.SelectorOf(function)
		data := slices.Clone(selector[:])
		for _, a := range arguments {
			switch a := a.(type) {
			case int:
				w := eth.NewQuantity(uint64(a))
				data = append(data, w[:]...)
			case eth.Address:
				w := eth.AddressWord(a)
				data = append(data, w[:]...)
			}
		}
		return gas.Call{Target: target, Data: data}
	}
	const (
		parameters = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
		send721    = "transferFrom(address,address,uint256)"
		send1155   = "safeTransferFrom(address,address,uint256,uint256,bytes)"
		update     = "updateListing(uint256," + parameters + ")"
		buy        = "buyFromListing(uint256,address,uint256,address,uint256)"
	)
	for want, c := range map[string]gas.Call{
		"buy 2 of listing 7 for 500 µUSDC": call(market, buy, 7, stranger, 2, usdc, 500),
		"list 1 of avatars 9 at 20 µUSDC each": call(market, "createListing("+parameters+")", avatars, 9, 1, usdc, 20,
			0, 0, 0),
		"change listing 7 to 3 at 5 µUSDC each":                         call(market, update, 7, avatars, 9, 3, usdc, 5, 0, 0, 0),
		"end listing 7":                                                 call(market, "cancelListing(uint256)", 7),
		"allow the marketplace to take 5 µUSDC":                         call(usdc, "approve(address,uint256)", market, 5),
		"allow the marketplace to take avatars 5":                       call(avatars, "approve(address,uint256)", market, 5),
		"allow the marketplace to take any avatars":                     call(avatars, "setApprovalForAll(address,bool)", market, 1),
		"no longer allow the marketplace to take any avatars":           call(avatars, "setApprovalForAll(address,bool)", market, 0),
		"send 5 µUSDC to " + stranger.Checksum():                        call(usdc, "transfer(address,uint256)", stranger, 5),
		"send 5 of " + stranger.Checksum() + " to " + market.Checksum(): call(stranger, "transfer(address,uint256)", market, 5),
		"send avatars 3 to " + stranger.Checksum():                      call(avatars, send721, market, stranger, 3),
		"send 2 of avatars 3 to " + stranger.Checksum():                 call(avatars, send1155, market, stranger, 3, 2, 160, 0),
		"burn avatars 3":                     call(avatars, "burn(uint256)", 3),
		"burn 4 of avatars 3":                call(avatars, "burn(address,uint256,uint256)", stranger, 3, 4),
		"call the marketplace":               {Target: market, Data: []byte{1}},
		"call 0x01020304 of the marketplace": {Target: market, Data: []byte{1, 2, 3, 4}},
	} {
		if got := names.Words([]gas.Call{c}, usdc); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	two := []gas.Call{call(market, "cancelListing(uint256)", 7), call(market, "cancelListing(uint256)", 8)}
	if got := names.Words(two, usdc); got != "end listing 7; end listing 8" {
		t.Errorf("two calls: %q", got)
	}
}
