package gas_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/gas"
)

func address(n byte) eth.Address { return eth.Address{0: 0xa0, 19: n} }

var (
	market, usdc       = address(1), address(2)
	avatars, gameItems = address(3), address(4)
	chests             = address(5)
	entryPoint         = address(6)
	factory            = address(7)
	stranger           = address(66)
	me                 = gas.Account{Owner: address(10), Smart: address(11)}
)

func policy() *gas.Policy {
	return &gas.Policy{
		Chain: 1337042, EntryPoint: entryPoint, Factory: factory, MaxCalls: 64, MaxGas: 10_000_000, Currency: usdc,
		Allowed: gas.AllowedCalls(gas.Contracts{
			Marketplace: market, Currency: usdc,
			Tradable721: []eth.Address{avatars}, Tradable1155: []eth.Address{gameItems, chests},
			Burnable721: []eth.Address{avatars}, Burnable1155: []eth.Address{chests},
			Money: []eth.Address{usdc}, Sendable721: []eth.Address{avatars}, Sendable1155: []eth.Address{chests},
		}),
	}
}

func number(n uint64) eth.Hash { return eth.Hash(eth.NewQuantity(n)) }

// call encodes a call of a function with arguments of fixed size.
func call(target eth.Address, function string, words ...eth.Hash) gas.Call {
	selector := gas.SelectorOf(function)
	data := selector[:]
	for _, w := range words {
		data = append(data, w[:]...)
	}
	return gas.Call{Target: target, Data: data}
}

// encodeCall encodes (address,uint256,bytes) according to the ABI specification.
func encodeCall(c gas.Call) []byte {
	target, offset, length := eth.AddressWord(c.Target), number(96), number(uint64(len(c.Data)))
	out := bytes.Join([][]byte{target[:], c.Value[:], offset[:], length[:], c.Data}, nil)
	return append(out, make([]byte, (32-len(c.Data)%32)%32)...)
}

func execute(c gas.Call) []byte {
	selector := gas.SelectorOf("execute(address,uint256,bytes)")
	return append(selector[:], encodeCall(c)...)
}

func executeBatch(calls ...gas.Call) []byte { return gas.EncodeCalls(calls) }

var (
	own      = eth.AddressWord(me.Smart)
	purchase = call(market, "buyFromListing(uint256,address,uint256,address,uint256)", number(7), own, number(2),
		eth.AddressWord(usdc), number(5_000_000))
	approval   = call(usdc, "approve(address,uint256)", eth.AddressWord(market), number(5_000_000))
	parameters = []eth.Hash{eth.AddressWord(gameItems), number(1), number(3), eth.AddressWord(usdc), number(100), number(0), number(9), {}}
)

const (
	create = "createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool))"
	update = "updateListing(uint256,(address,uint256,uint256,address,uint256,uint128,uint128,bool))"
)

func with(words []eth.Hash, i int, w eth.Hash) []eth.Hash {
	out := append([]eth.Hash(nil), words...)
	out[i] = w
	return out
}

// Spec: SELL-1, GAS-2
func TestPolicy_PlayersMayTradeAndBurn(t *testing.T) {
	t.Parallel()
	market := eth.AddressWord(market)
	listing := call(purchase.Target, create, parameters...)
	avatar := call(purchase.Target, create, with(with(parameters, 0, eth.AddressWord(avatars)), 1, number(4))...)
	for name, calls := range map[string][]gas.Call{
		"approve and buy":    {approval, purchase},
		"buy":                {purchase},
		"approve a token":    {call(avatars, "approve(address,uint256)", market, number(4)), avatar},
		"approve all":        {call(gameItems, "setApprovalForAll(address,bool)", market, number(1)), listing},
		"approve no money":   {call(usdc, "approve(address,uint256)", market, number(0))},
		"approve no items":   {call(gameItems, "setApprovalForAll(address,bool)", market, number(0))},
		"create a listing":   {call(purchase.Target, create, parameters...)},
		"update a listing":   {call(purchase.Target, update, append([]eth.Hash{number(7)}, parameters...)...)},
		"cancel a listing":   {call(purchase.Target, "cancelListing(uint256)", number(7))},
		"burn an own pack":   {call(chests, "burn(address,uint256,uint256)", own, number(1), number(1))},
		"burn an own avatar": {call(avatars, "burn(uint256)", number(1))},
		"send money":         {call(usdc, "transfer(address,uint256)", eth.AddressWord(stranger), number(1))},
		"send an own avatar": {call(avatars, "transferFrom(address,address,uint256)", own, eth.AddressWord(stranger), number(1))},
		"send own packs":     {call(chests, send1155, own, eth.AddressWord(stranger), number(1), number(2), number(160), number(0))},
	} {
		op := eth.UserOperation{Sender: me.Smart, CallData: executeBatch(calls...)}
		got, err := policy().Check(me, &op)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got) != len(calls) || got[0].Target != calls[0].Target || !bytes.Equal(got[0].Data, calls[0].Data) {
			t.Errorf("%s: the calls read are %v", name, got)
		}
	}
}

const send1155 = "safeTransferFrom(address,address,uint256,uint256,bytes)"

// Transfers are matched as fixed words: nothing but the own wallet's items moves, and no data goes along. The Guard decides
// which transfers are allowed.
func TestPolicy_TransfersHaveOneForm(t *testing.T) {
	t.Parallel()
	to := eth.AddressWord(stranger)
	for name, c := range map[string]gas.Call{
		"another's avatar":            call(avatars, "transferFrom(address,address,uint256)", to, to, number(1)),
		"another's packs":             call(chests, send1155, to, to, number(1), number(2), number(160), number(0)),
		"packs with data":             call(chests, send1155, own, to, number(1), number(2), number(160), number(1), number(0)),
		"packs with a length of data": call(chests, send1155, own, to, number(1), number(2), number(160), number(32)),
		"packs with another offset":   call(chests, send1155, own, to, number(1), number(2), number(192), number(0)),
		"with the receiver's call":    call(avatars, "safeTransferFrom(address,address,uint256)", own, to, number(1)),
		"an avatar with data": call(avatars, "safeTransferFrom(address,address,uint256,bytes)", own, to, number(1),
			number(128), number(0)),
		"money from elsewhere":  call(usdc, "transferFrom(address,address,uint256)", own, to, number(1)),
		"what is only tradable": call(gameItems, send1155, own, to, number(1), number(2), number(160), number(0)),
	} {
		op := eth.UserOperation{Sender: me.Smart, CallData: executeBatch(c)}
		if _, err := policy().Check(me, &op); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []gas.Call{
		call(usdc, "transfer(address,uint256)", to, number(1)), call(avatars, "transferFrom(address,address,uint256)", own, to, number(1)),
		call(chests, send1155, own, to, number(1), number(2), number(160), number(0)),
	} {
		if e := gas.EffectsOf([]gas.Call{approval, c}); e != (gas.Effects{Sends: true}) {
			t.Errorf("%x does %+v", c.Data[:4], e)
		}
	}
}

// What the marketplace may take is what the operation buys or lists, not more and not once more.
func TestPolicy_ApprovalsAreBoundToTheirTrade(t *testing.T) {
	t.Parallel()
	to := eth.AddressWord(market)
	money := func(amount uint64) gas.Call { return call(usdc, "approve(address,uint256)", to, number(amount)) }
	token := func(id uint64) gas.Call { return call(avatars, "approve(address,uint256)", to, number(id)) }
	all := func(of eth.Address, yes uint64) gas.Call {
		return call(of, "setApprovalForAll(address,bool)", to, number(yes))
	}
	most := call(usdc, "approve(address,uint256)", to, eth.Hash(bytes.Repeat([]byte{0xff}, 32)))
	list := func(contract eth.Address, id uint64) gas.Call {
		return call(market, create, with(with(parameters, 0, eth.AddressWord(contract)), 1, number(id))...)
	}
	reprice := call(market, update, append([]eth.Hash{number(7)}, parameters...)...)
	cancel := call(market, "cancelListing(uint256)", number(7))
	for name, c := range map[string]struct {
		allowed bool
		calls   []gas.Call
	}{
		"the total of two purchases":        {true, []gas.Call{money(10_000_000), purchase, purchase}},
		"without limit":                     {false, []gas.Call{most}},
		"without limit, with a purchase":    {false, []gas.Call{most, purchase}},
		"more than a purchase":              {false, []gas.Call{money(5_000_001), purchase}},
		"less than a purchase":              {false, []gas.Call{money(4_999_999), purchase}},
		"money for nothing":                 {false, []gas.Call{money(5_000_000)}},
		"money for a listing":               {false, []gas.Call{money(300), list(gameItems, 1)}},
		"no money":                          {true, []gas.Call{money(0)}},
		"no money, 32 times":                {false, slices.Repeat([]gas.Call{money(0)}, 32)},
		"a total and nothing":               {false, []gas.Call{money(5_000_000), purchase, money(0)}},
		"a token that is listed":            {true, []gas.Call{token(4), list(avatars, 4)}},
		"another token than is listed":      {false, []gas.Call{token(5), list(avatars, 4)}},
		"the listed token of another kind":  {false, []gas.Call{token(4), list(gameItems, 4)}},
		"a token":                           {false, []gas.Call{token(4)}},
		"two tokens that are listed":        {true, []gas.Call{token(4), token(5), list(avatars, 4), list(avatars, 5)}},
		"a listed token twice":              {false, []gas.Call{token(4), token(4), list(avatars, 4)}},
		"a collection that is listed":       {true, []gas.Call{all(gameItems, 1), list(gameItems, 1), list(gameItems, 2)}},
		"a collection that is repriced":     {true, []gas.Call{all(gameItems, 1), reprice}},
		"a collection":                      {false, []gas.Call{all(gameItems, 1)}},
		"a collection whose listing ends":   {false, []gas.Call{all(gameItems, 1), cancel}},
		"another collection than is listed": {false, []gas.Call{all(chests, 1), list(gameItems, 1)}},
		"yes in another word":               {false, []gas.Call{all(gameItems, 2)}},
		"withdrawn for two collections":     {true, []gas.Call{all(gameItems, 0), all(chests, 0)}},
		"withdrawn twice":                   {false, []gas.Call{all(gameItems, 0), all(gameItems, 0)}},
		"given and withdrawn":               {false, []gas.Call{all(gameItems, 1), list(gameItems, 1), all(gameItems, 0)}},
	} {
		op := eth.UserOperation{Sender: me.Smart, CallData: executeBatch(c.calls...)}
		_, err := policy().Check(me, &op)
		if f := fault.As(err); (err == nil) != c.allowed || err != nil && (f == nil || f.Code != fault.Forbidden || f.Reason != "approval") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// One call that does something does not pay for those that do not.
	burnNone := call(chests, "burn(address,uint256,uint256)", own, number(1), number(0))
	op := eth.UserOperation{Sender: me.Smart, CallData: executeBatch(money(5_000_000), purchase, burnNone)}
	if _, err := policy().Check(me, &op); !errors.Is(err, gas.ErrIdle) {
		t.Errorf("a purchase and a burn of nothing: %v", err)
	}
}

// Spec: GAS-2
func TestPolicy_EverythingElseIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	foreign, foreignWord := stranger, eth.AddressWord(stranger)
	paying := purchase
	paying.Value = eth.NewQuantity(1)
	dirty := eth.AddressWord(market)
	dirty[0] = 1
	calls := map[string]struct {
		reason string
		call   gas.Call
	}{
		"another contract":              {"target", call(stranger, "approve(address,uint256)", eth.AddressWord(market), number(1))},
		"the account itself":            {"self-call", call(me.Smart, "transferOwnership(address)", foreignWord)},
		"the EntryPoint":                {"entry-point", call(entryPoint, "withdrawTo(address,uint256)", foreignWord, number(1))},
		"a function not listed":         {"selector", call(usdc, "increaseAllowance(address,uint256)", foreignWord, number(1))},
		"no function":                   {"selector", gas.Call{Target: market, Data: []byte{1, 2, 3}}},
		"ether":                         {"value", paying},
		"approving a stranger":          {"arguments", call(usdc, "approve(address,uint256)", foreignWord, number(1))},
		"an address with dirty padding": {"arguments", call(usdc, "approve(address,uint256)", dirty, number(1))},
		"approving all to a stranger":   {"arguments", call(gameItems, "setApprovalForAll(address,bool)", foreignWord, number(1))},
		"buying for a stranger": {"arguments", call(market, "buyFromListing(uint256,address,uint256,address,uint256)", number(7),
			foreignWord, number(1), eth.AddressWord(usdc), number(1))},
		"buying with another currency": {
			"arguments",
			call(market, "buyFromListing(uint256,address,uint256,address,uint256)", number(7), own, number(1), foreignWord, number(1)),
		},
		"listing a foreign collection": {"arguments", call(market, create, with(parameters, 0, foreignWord)...)},
		"listing for another currency": {"arguments", call(market, create, with(parameters, 3, foreignWord)...)},
		"a reserved listing":           {"arguments", call(market, create, with(parameters, 7, number(1))...)},
		"updating to another currency": {
			"arguments", call(market, update, with(append([]eth.Hash{number(7)}, parameters...), 4, foreignWord)...),
		},
		"burning a stranger's pack":       {"arguments", call(chests, "burn(address,uint256,uint256)", foreignWord, number(1), number(1))},
		"burning what is not to be":       {"selector", call(gameItems, "burn(address,uint256,uint256)", own, number(1), number(1))},
		"arguments missing":               {"arguments", call(market, "cancelListing(uint256)")},
		"arguments that nobody asked for": {"arguments", call(market, "cancelListing(uint256)", number(1), number(2))},
	}
	for name, c := range calls {
		for _, data := range [][]byte{execute(c.call), executeBatch(approval, purchase, c.call)} {
			op := eth.UserOperation{Sender: me.Smart, CallData: data}
			_, err := policy().Check(me, &op)
			if f := fault.As(err); f == nil || f.Code != fault.Forbidden || f.Reason != c.reason {
				t.Errorf("%s: %v, want a refusal with reason %q", name, err, c.reason)
			}
		}
	}

	unknown := executeBatch(approval)
	unknown[0] ^= 1
	otherData := gas.FactoryData(stranger)
	operations := map[string]struct {
		reason string
		op     eth.UserOperation
	}{
		"another sender": {"sender", eth.UserOperation{Sender: stranger, CallData: execute(purchase)}},
		"another factory": {
			"factory",
			eth.UserOperation{Sender: me.Smart, Factory: &foreign, FactoryData: gas.FactoryData(me.Owner), CallData: execute(purchase)},
		},
		"another owner": {
			"factory", eth.UserOperation{Sender: me.Smart, Factory: &policy().Factory, FactoryData: otherData, CallData: execute(purchase)},
		},
		"no calls":         {"calls", eth.UserOperation{Sender: me.Smart, CallData: executeBatch()}},
		"too many calls":   {"calls", eth.UserOperation{Sender: me.Smart, CallData: executeBatch(make([]gas.Call, 65)...)}},
		"another function": {"call-data", eth.UserOperation{Sender: me.Smart, CallData: unknown}},
		"no call data":     {"call-data", eth.UserOperation{Sender: me.Smart}},
	}
	for name, c := range operations {
		_, err := policy().Check(me, &c.op)
		if f := fault.As(err); f == nil || f.Code != fault.Forbidden || f.Reason != c.reason {
			t.Errorf("%s: %v, want a refusal with reason %q", name, err, c.reason)
		}
	}
}

func TestPolicy_OwnFactoryMayMakeTheAccount(t *testing.T) {
	t.Parallel()
	f := factory
	op := eth.UserOperation{Sender: me.Smart, Factory: &f, FactoryData: gas.FactoryData(me.Owner), CallData: execute(purchase)}
	if _, err := policy().Check(me, &op); err != nil {
		t.Fatal(err)
	}
}

func TestPolicy_OurPaymasterPaysAndTheNonceKeyIsZero(t *testing.T) {
	t.Parallel()
	p := policy()
	p.Paymaster = stranger
	own, other := stranger, factory
	for what, c := range map[string]struct {
		op     eth.UserOperation
		reason string
	}{
		"ours":                    {eth.UserOperation{Paymaster: &own}, ""},
		"none":                    {eth.UserOperation{}, "paymaster"},
		"another":                 {eth.UserOperation{Paymaster: &other}, "paymaster"},
		"gas after the operation": {eth.UserOperation{Paymaster: &own, PaymasterPostOpGasLimit: eth.NewQuantity(1)}, "paymaster"},
		"a high sequence":         {eth.UserOperation{Paymaster: &own, Nonce: eth.NewQuantity(1<<64 - 1)}, ""},
		"nonce key 1":             {eth.UserOperation{Paymaster: &own, Nonce: eth.Quantity{23: 1}}, "nonce-key"},
		"the highest nonce key":   {eth.UserOperation{Paymaster: &own, Nonce: eth.Quantity{0: 0x80}}, "nonce-key"},
	} {
		err := p.CheckPaymaster(&c.op)
		if err == nil {
			err = p.CheckNonce(&c.op)
		}
		if f := fault.As(err); (c.reason == "") != (err == nil) || err != nil && (f == nil || f.Code != fault.Forbidden || f.Reason != c.reason) {
			t.Errorf("%s: %v, want reason %q", what, err, c.reason)
		}
	}
}

func TestPolicy_CostIsAllLimitsTimesTheHighestFee(t *testing.T) {
	t.Parallel()
	op := eth.UserOperation{
		CallGasLimit: eth.NewQuantity(4_000_000), VerificationGasLimit: eth.NewQuantity(3_000_000),
		PreVerificationGas: eth.NewQuantity(2_000_000), PaymasterVerificationGasLimit: eth.NewQuantity(1_000_000),
		MaxFeePerGas: eth.NewQuantity(3), MaxPriorityFeePerGas: eth.NewQuantity(1),
	}
	if got, err := policy().Cost(&op); err != nil || got.String() != "30000000" {
		t.Fatalf("%s wei: %v", got, err)
	}
	op.PaymasterPostOpGasLimit = eth.NewQuantity(1)
	if _, err := policy().Cost(&op); !fault.Is(err, fault.Forbidden) {
		t.Fatalf("one more: %v", err)
	}
	// Limits whose sum is a small number modulo 2^64.
	op = eth.UserOperation{CallGasLimit: eth.Quantity{15: 1}, VerificationGasLimit: eth.NewQuantity(1)}
	if _, err := policy().Cost(&op); !fault.Is(err, fault.Forbidden) {
		t.Fatalf("2^128+1 gas: %v", err)
	}
}

func TestIdle_CallsThatBurnOrBuyNothing(t *testing.T) {
	t.Parallel()
	burn := func(amount uint64) gas.Call {
		return call(chests, "burn(address,uint256,uint256)", own, number(3), number(amount))
	}
	nothing := call(market, "buyFromListing(uint256,address,uint256,address,uint256)", number(7), own, number(0),
		eth.AddressWord(usdc), number(0))
	for what, c := range map[string]struct {
		call gas.Call
		idle bool
	}{
		"burn none": {burn(0), true}, "burn one": {burn(1), false}, "buy none": {nothing, true}, "buy": {purchase, false},
		"approve": {approval, false},
	} {
		if got := gas.Idle(c.call); got != c.idle {
			t.Errorf("%s: idle %v", what, got)
		}
	}
}

func TestPolicy_PurchasesTellsWhatIsBought(t *testing.T) {
	t.Parallel()
	got := gas.Purchases([]gas.Call{approval, purchase})
	want := gas.Purchase{
		ListingID: eth.NewQuantity(7), BuyFor: me.Smart, Quantity: eth.NewQuantity(2), Currency: usdc, Total: eth.NewQuantity(5_000_000),
	}
	if len(got) != 1 || got[0] != want {
		t.Fatalf("read %v, want %v", got, want)
	}
}

func TestPolicy_OnlyTheStrictEncodingIsRead(t *testing.T) {
	t.Parallel()
	good := executeBatch(approval, purchase)
	word := func(i int) int { return 4 + 32*i }
	for name, spoil := range map[string]func([]byte) []byte{
		"a byte too many":            func(b []byte) []byte { return append(b, 0) },
		"a word too many":            func(b []byte) []byte { return append(b, make([]byte, 32)...) },
		"a byte too few":             func(b []byte) []byte { return b[:len(b)-1] },
		"an array elsewhere":         func(b []byte) []byte { b[word(0)+31] = 64; return b },
		"more calls than there are":  func(b []byte) []byte { b[word(1)+31] = 3; return b },
		"fewer calls than there are": func(b []byte) []byte { b[word(1)+31] = 1; return b },
		"a huge number of calls":     func(b []byte) []byte { b[word(1)] = 0x80; return b },
		"overlapping calls":          func(b []byte) []byte { copy(b[word(3):word(4)], b[word(2):word(3)]); return b },
		"a dirty target":             func(b []byte) []byte { b[word(4)] = 1; return b },
		"data elsewhere":             func(b []byte) []byte { b[word(6)+31] = 128; return b },
		"longer data":                func(b []byte) []byte { b[word(7)+31] += 32; return b },
		"dirty padding":              func(b []byte) []byte { b[word(8)+68] = 1; return b },
	} {
		if _, err := gas.DecodeCalls(spoil(append([]byte(nil), good...))); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}

// FuzzDecodeCalls checks that encoding decoded calls gives the same bytes, so that the data has only one meaning.
func FuzzDecodeCalls(f *testing.F) {
	f.Add(execute(purchase))
	f.Add(executeBatch(approval, purchase))
	f.Add(executeBatch())
	spoiled := executeBatch(approval, purchase)
	binary.BigEndian.PutUint32(spoiled[4+2*32+28:], 1<<31)
	f.Add(spoiled)
	f.Fuzz(func(t *testing.T, data []byte) {
		calls, err := gas.DecodeCalls(data)
		if err != nil {
			if !fault.Is(err, fault.Forbidden) {
				t.Fatal(err)
			}
			return
		}
		if gas.IsCancellation(data) != (len(calls) == 0) {
			t.Fatalf("%x: %d calls, a cancellation: %v", data, len(calls), gas.IsCancellation(data))
		}
		if again := executeBatch(calls...); bytes.Equal(again, data) {
			return
		}
		if len(calls) == 1 && bytes.Equal(execute(calls[0]), data) {
			return
		}
		t.Fatalf("%x was read as %v", data, calls)
	})
}

func BenchmarkCheck(b *testing.B) {
	p, op := policy(), eth.UserOperation{Sender: me.Smart, CallData: executeBatch(approval, purchase)}
	for b.Loop() {
		if _, err := p.Check(me, &op); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPolicy_WhatCallsDoIsKnownByTheirFunctions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		calls []gas.Call
		want  gas.Effects
	}{
		"nothing":            {nil, gas.Effects{}},
		"approving":          {[]gas.Call{approval}, gas.Effects{}},
		"cancelling":         {[]gas.Call{call(market, "cancelListing(uint256)", number(7))}, gas.Effects{}},
		"buying":             {[]gas.Call{approval, purchase}, gas.Effects{Buys: true}},
		"listing":            {[]gas.Call{call(market, create, parameters...)}, gas.Effects{Lists: true}},
		"changing a listing": {[]gas.Call{call(market, update, append([]eth.Hash{number(7)}, parameters...)...)}, gas.Effects{Lists: true}},
		"burning an avatar":  {[]gas.Call{call(avatars, "burn(uint256)", number(1))}, gas.Effects{Burns: true}},
		"buying and burning": {
			[]gas.Call{purchase, call(chests, "burn(address,uint256,uint256)", own, number(1), number(1))}, gas.Effects{Buys: true, Burns: true},
		},
		"data of three bytes": {[]gas.Call{{Target: market, Data: purchase.Data[:3]}}, gas.Effects{}},
		"a function unknown":  {[]gas.Call{call(market, "sellOut()")}, gas.Effects{}},
	} {
		if got := gas.EffectsOf(c.calls); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestListings_UpdatesTellPriceAndQuantity(t *testing.T) {
	t.Parallel()
	got := gas.Updates([]gas.Call{approval, purchase, call(market, update, append([]eth.Hash{number(7)}, parameters...)...)})
	if len(got) != 1 || got[0] != (gas.Update{ListingID: eth.NewQuantity(7), Quantity: eth.NewQuantity(3), Price: eth.NewQuantity(100)}) {
		t.Errorf("%v", got)
	}
}

func TestListings_WhatIsCreatedAndCancelledIsKnown(t *testing.T) {
	t.Parallel()
	cancel := func(id uint64) gas.Call { return call(market, "cancelListing(uint256)", number(id)) }
	created, cancelled := gas.Listings([]gas.Call{
		approval, call(market, create, parameters...), cancel(7), purchase, cancel(9), call(market, create, parameters...),
	})
	if created != 2 || !slices.Equal(cancelled, []eth.Quantity{eth.NewQuantity(7), eth.NewQuantity(9)}) {
		t.Errorf("created %d, cancelled %v", created, cancelled)
	}
	if created, cancelled := gas.Listings([]gas.Call{approval, purchase, {Data: []byte{1}}}); created != 0 || cancelled != nil {
		t.Errorf("created %d, cancelled %v", created, cancelled)
	}
}

// From three quarters of the day's budget on, which an operator may have raised, only purchases are paid for.
func TestBudget_TellsWhenOnlyPurchasesArePaidFor(t *testing.T) {
	t.Parallel()
	wei := func(gwei int64) money.Units { return money.FromInt(gwei * 1_000_000_000) }
	b := gas.Budget{Total: gas.Allowance{Operations: 100, Wei: wei(1000)}}
	for _, test := range []struct {
		spent, raised gas.Allowance
		want          bool
	}{
		{gas.Allowance{}, gas.Allowance{}, false},
		{gas.Allowance{Operations: 74, Wei: wei(749)}, gas.Allowance{}, false},
		{gas.Allowance{Operations: 1, Wei: wei(750)}, gas.Allowance{}, true},
		{gas.Allowance{Operations: 75, Wei: wei(1)}, gas.Allowance{}, true},
		{gas.Allowance{Operations: 75, Wei: wei(750)}, gas.Allowance{Operations: 100, Wei: wei(1000)}, false},
		{gas.Allowance{Operations: 150, Wei: wei(750)}, gas.Allowance{Operations: 100, Wei: wei(1000)}, true},
	} {
		if got := b.PurchasesOnly(gas.Spending{Spent: test.spent, Raised: test.raised}); got != test.want {
			t.Errorf("spent %+v of what was raised by %+v: %t", test.spent, test.raised, got)
		}
	}
}
