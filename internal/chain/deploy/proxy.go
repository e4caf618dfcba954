package deploy

import (
	"encoding/hex"
	"math/big"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
)

// The deterministic deployment proxy (https://github.com/Arachnid/deterministic-deployment-proxy) is created by a transaction that is
// signed for every chain, of an address that nobody has the key of. It offers 100 gwei for a unit of gas, and uses up to 100,000.
var (
	proxySender = eth.MustAddress("0x3fAB184622Dc19b6109349B94811493BF2a45362")
	proxyMoney  = big.NewInt(10_000_000_000_000_000)
)

const proxyTransaction = "f8a58085174876e800830186a08080b853604580600e600039806000f350fe" +
	"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b" +
	"8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222" +
	"a02222222222222222222222222222222222222222222222222222222222222222"

// createProxy adds the steps that create the proxy before the others.
func (p *planner) createProxy() {
	raw, err := hex.DecodeString(proxyTransaction)
	if err != nil {
		panic(err)
	}
	balance := new(big.Int)
	p.questions = append(p.questions, question{method: "eth_getBalance", args: []any{proxySender, p.at},
		judge: func(answer []byte) { balance.SetBytes(answer) }})
	used := func(answer []byte) {
		if new(big.Int).SetBytes(answer).Sign() > 0 {
			p.problem("the deterministic deployment proxy at %s could not be created on chain %d, and never can: ask the chain's operators for it",
				contracts.Deployer.Checksum(), p.w.Chain)
			return
		}
		steps := []Step{{Title: "create the deterministic deployment proxy", Raw: raw, Gas: 100_000}}
		if lacks := new(big.Int).Sub(proxyMoney, balance); lacks.Sign() > 0 {
			steps = append([]Step{{
				Title: "pay for the deterministic deployment proxy", Gas: 21_000, Call: Call{To: proxySender, Value: lacks},
			}}, steps...)
		}
		p.Steps = append(steps, p.Steps...)
	}
	p.questions = append(p.questions, question{method: "eth_getTransactionCount", args: []any{proxySender, p.at}, judge: used})
}
