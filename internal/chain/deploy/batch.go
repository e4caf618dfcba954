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

// Batches writes steps for a wallet that signs elsewhere, such as a multisig: each batch is one file in the format of Safe's Transaction
// Builder, whose transactions are to be made in order, those of one batch in one transaction. Steps that are signed already are not in it:
// anyone can send them.
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
			continue
		}
		if gas+s.Gas > batchGas {
			flush()
		}
		gas += s.Gas
		if titles != "" {
			titles += "; "
		}
		titles += s.Title
		for _, c := range s.Calls {
			value := new(big.Int)
			if c.Value != nil {
				value = c.Value
			}
			batch = append(batch, transaction{To: c.To.Checksum(), Value: value.String(), Data: append(eth.Bytes{}, c.Data...)})
		}
	}
	flush()
	return files, err
}
