package rpc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// readMethods are the methods used by the portal's pages and by a wallet that shows balances. All are cheap for a node.
var readMethods = map[string]func(*read, []json.RawMessage) *answer{
	"eth_chainId":              (*read).nothing,
	"net_version":              (*read).nothing,
	"eth_blockNumber":          (*read).nothing,
	"eth_maxPriorityFeePerGas": (*read).nothing,
	"eth_getBlockByNumber":     (*read).blockByNumber,
	"eth_getBalance":           (*read).ofAccount,
	"eth_getCode":              (*read).ofAccount,
	"eth_call":                 (*read).call,
}

// read is a parsed request. The request to the endpoint is built from it, never from the browser's text.
type read struct {
	method  string
	block   string      // latest, safe or finalized; "" for number
	number  uint64      // of the block
	address eth.Address // the called or queried address
	from    *eth.Address
	data    eth.Bytes
}

// blockText is the block parameter sent to the endpoint.
func (r *read) blockText() string {
	return cmp.Or(r.block, "0x"+strconv.FormatUint(r.number, 16))
}

// params are the parameters sent to the endpoint: equal for equal reads.
func (r *read) params(gas uint64) []any {
	switch r.method {
	case "eth_getBlockByNumber":
		return []any{r.blockText(), false}
	case "eth_getBalance", "eth_getCode":
		return []any{r.address.String(), r.blockText()}
	case "eth_call":
		call := map[string]string{"to": r.address.String(), "data": r.data.String(), "gas": "0x" + strconv.FormatUint(gas, 16)}
		if r.from != nil {
			call["from"] = r.from.String()
		}
		return []any{call, r.blockText()}
	}
	return []any{}
}

func (r *read) nothing(params []json.RawMessage) *answer {
	if len(params) > 0 {
		return wrongParams("%s takes no parameters.", r.method)
	}
	r.block = "latest"
	return nil
}

func (r *read) blockByNumber(params []json.RawMessage) *answer {
	if len(params) != 2 || string(params[1]) != "false" {
		return wrongParams("eth_getBlockByNumber takes a block, and false: blocks are offered without the transactions in them.")
	}
	return r.readBlock(params[0])
}

func (r *read) ofAccount(params []json.RawMessage) *answer {
	if len(params) < 1 || len(params) > 2 {
		return wrongParams("%s takes an address and a block.", r.method)
	}
	if json.Unmarshal(params[0], &r.address) != nil || isNull(params[0]) {
		return wrongParams("The first parameter of %s is an address: 0x and 40 hex digits, lower case or with a right checksum.", r.method)
	}
	return r.optionalBlock(params[1:])
}

func (r *read) call(params []json.RawMessage) *answer {
	if len(params) < 1 || len(params) > 2 {
		return wrongParams("eth_call takes a call and a block. Overrides of state and block are not offered.")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(params[0], &members) != nil || members == nil {
		return wrongParams("The first parameter of eth_call is an object with to and data.")
	}
	for name, value := range members {
		var err error
		switch name {
		case "to":
			err = json.Unmarshal(value, &r.address)
		case "from":
			err = json.Unmarshal(value, &r.from)
		case "data", "input":
			var data eth.Bytes
			if err = json.Unmarshal(value, &data); err == nil && r.data != nil && !bytes.Equal(r.data, data) {
				return wrongParams("data and input of a call must be the same; one of them is enough.")
			}
			r.data = data
		default:
			return wrongParams("A call has only to, data (or input) and from. The portal sets the gas, and offers no value and no fees.")
		}
		if err != nil || isNull(value) {
			return wrongParams("to and from of a call are addresses; data is an even number of hex digits after 0x.")
		}
	}
	if members["to"] == nil || len(r.data) < 4 {
		return wrongParams("A call names a contract (to) and one of its functions (data).")
	}
	return r.optionalBlock(params[1:])
}

func isNull(value json.RawMessage) bool { return string(value) == "null" }

// optionalBlock parses the block, by default the newest one.
func (r *read) optionalBlock(params []json.RawMessage) *answer {
	if len(params) == 0 {
		r.block = "latest"
		return nil
	}
	return r.readBlock(params[0])
}

func (r *read) readBlock(param json.RawMessage) *answer {
	var text string
	if err := json.Unmarshal(param, &text); err == nil {
		switch text {
		case "latest", "safe", "finalized":
			r.block = text
			return nil
		}
		if n, err := eth.ParseQuantity(text); err == nil {
			if number, ok := n.Uint64(); ok {
				r.number = number
				return nil
			}
		}
	}
	return wrongParams("A block is latest, safe, finalized, or a number in hex such as 0x1b4. Pending and earliest blocks are not offered.")
}

// checkBlock rejects a number outside the newest blocks, whose state every node still has.
func (r *read) checkBlock(head, blocks uint64) *answer {
	if r.block != "" {
		return nil
	}
	oldest := head - min(head, blocks-1)
	if r.number < oldest || r.number > head {
		a := refused(codeParams, fmt.Sprintf("This block is not offered: only latest, safe, finalized and the newest %d are.", blocks),
			refusal{Reason: "block", Oldest: "0x" + strconv.FormatUint(oldest, 16), Newest: "0x" + strconv.FormatUint(head, 16)})
		return &a
	}
	return nil
}

// known answers reads that need no request to the endpoint.
func (r *read) known(chain onchain.ChainID) *answer {
	var a answer
	switch r.method {
	case "eth_chainId":
		a = result("0x" + strconv.FormatUint(uint64(chain), 16))
	case "net_version":
		a = result(strconv.FormatUint(uint64(chain), 10))
	default:
		return nil
	}
	return &a
}
