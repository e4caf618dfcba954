package deploy

import (
	"encoding/json"
	"fmt"
	"math/big"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// batchGas bounds what one batch uses: chains take 16 to 45 million gas in a transaction.
const batchGas = 12_000_000

// Batches returns unsigned transactions for a multisig or a hardware wallet, as files of Safe's Transaction Builder, to be sent in order.
// It fails if a step is a transaction that is signed already, which such a wallet cannot send.
func Batches(chain onchain.ChainID, wallet eth.Address, name string, steps []Step) (files [][]byte, err error) {
	type transaction struct {
		To     string    `json:"to"`
		Value  string    `json:"value"`
		Data   eth.Bytes `json:"data"`
		Method any       `json:"contractMethod"`
		Inputs any       `json:"contractInputsValues"`
	}
	var batch []transaction
	titles, gas := "", uint64(0)
	flush := func() {
		if len(batch) == 0 || err != nil {
			return
		}
		var file []byte
		file, err = json.MarshalIndent(map[string]any{
			"version": "1.0", "chainId": fmt.Sprint(chain),
			"meta": map[string]string{
				"name": fmt.Sprintf("%s %d", name, len(files)+1), "description": titles, "createdFromSafeAddress": wallet.Checksum(),
			},
			"transactions": batch,
		}, "", "  ")
		files = append(files, append(file, '\n'))
		batch, titles, gas = nil, "", 0
	}
	for _, s := range steps {
		if len(s.Raw) > 0 {
			return nil, fmt.Errorf("chain %d lacks the deterministic deployment proxy: any wallet can create it by sending %s to %s, and then this "+
				"signed transaction: %s", chain, Ether(proxyMoney), proxySender.Checksum(), s.Raw)
		}
		if gas+s.Gas > batchGas {
			flush()
		}
		gas += s.Gas
		if titles != "" {
			titles += "; "
		}
		titles += s.Title
		value := new(big.Int)
		if s.Value != nil {
			value = s.Value
		}
		batch = append(batch, transaction{To: s.To.Checksum(), Value: value.String(), Data: append(eth.Bytes{}, s.Data...)})
	}
	flush()
	return files, err
}
