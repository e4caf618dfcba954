package deploy

import (
	"encoding/hex"
	"math/big"

	"pantheon/internal/kit/eth"
)

// The deterministic deployment proxy (https://github.com/Arachnid/deterministic-deployment-proxy) is created by a transaction that is
// signed for every chain, of an address that nobody has the key of. It offers 100 gwei for a unit of gas, and uses up to 100,000.
var (
	proxySender = eth.MustAddress("0x3fAB184622Dc19b6109349B94811493BF2a45362")
	proxyMoney  = big.NewInt(10_000_000_000_000_000)
)

const proxyTransaction = "f8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffff" +
	"ffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba0222222222222222222222222222222222222222222222222222222" +
	"2222222222a02222222222222222222222222222222222222222222222222222222222222222"

// proxySteps create the proxy.
func proxySteps() []Step {
	raw, err := hex.DecodeString(proxyTransaction)
	if err != nil {
		panic(err)
	}
	return []Step{
		{Title: "pay for the deterministic deployment proxy", Gas: 21_000, Calls: []Call{{To: proxySender, Value: proxyMoney}}},
		{Title: "create the deterministic deployment proxy", Raw: raw},
	}
}
