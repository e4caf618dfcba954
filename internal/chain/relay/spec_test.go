package relay_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"pantheon/internal/kit/eth"
	gasstore "pantheon/internal/store/gas"
)

// schema is what an object must have, by field: a pattern of a string, "boolean", the name of another object, or a list of that. A field
// whose name ends in "?" may be missing or null.
type schema map[string]string

// The patterns of execution-apis, on which the ERC-4337 bundler specification builds.
const (
	address = `^0x[0-9a-fA-F]{40}$`
	data    = `^0x([0-9a-f]{2})*$`
	hash32  = `^0x[0-9a-f]{64}$`
	uint    = `^0x(0|[1-9a-f][0-9a-f]*)$`
	bloom   = `^0x[0-9a-f]{512}$`
)

// bundlerSpec has the objects of eth-infinitism/bundler-spec and ERC-7769 that answers consist of.
var bundlerSpec = map[string]schema{
	"UserOperation": {
		"sender": address, "nonce": uint, "factory?": address, "factoryData?": data, "callData": data, "callGasLimit": uint,
		"verificationGasLimit": uint, "preVerificationGas": uint, "maxFeePerGas": uint, "maxPriorityFeePerGas": uint, "paymaster?": address,
		"paymasterVerificationGasLimit?": uint, "paymasterPostOpGasLimit?": uint, "paymasterData?": data, "signature": data,
	},
	"GasInfo": {
		"preVerificationGas": uint, "verificationGasLimit": uint, "callGasLimit": uint, "paymasterVerificationGasLimit?": uint,
	},
	"Log": {
		"address": address, "topics": "[]" + hash32, "data": data, "blockNumber": uint, "blockHash": hash32, "transactionHash": hash32,
		"transactionIndex": uint, "logIndex": uint, "removed": "boolean",
	},
	"Receipt": {
		"transactionHash": hash32, "transactionIndex": uint, "blockHash": hash32, "blockNumber": uint, "from": address, "to?": address,
		"cumulativeGasUsed": uint, "gasUsed": uint, "contractAddress?": address, "logs": "[]Log", "logsBloom": bloom, "status": uint,
		"effectiveGasPrice": uint,
	},
	"UserOperationReceipt": {
		"userOpHash": hash32, "entryPoint": address, "sender": address, "nonce": uint, "paymaster?": address, "actualGasCost": uint,
		"actualGasUsed": uint, "success": "boolean", "logs": "[]Log", "receipt": "Receipt",
	},
	"UserOperationInfo": {
		"userOperation": "UserOperation", "entryPoint": address, "blockNumber": uint, "blockHash": hash32, "transactionHash": hash32,
	},
}

// mustFit fails for a value that is not of a kind; see schema.
func mustFit(t *testing.T, at string, value any, kind string) {
	t.Helper()
	if list, ok := value.([]any); ok && len(kind) > 2 && kind[:2] == "[]" {
		for _, one := range list {
			mustFit(t, at+"[]", one, kind[2:])
		}
		return
	}
	switch value := value.(type) {
	case string:
		if fits, err := regexp.MatchString(kind, value); err != nil || !fits {
			t.Errorf("%s is %q, want %s", at, value, kind)
		}
	case bool:
		if kind != "boolean" {
			t.Errorf("%s is %t, want %s", at, value, kind)
		}
	case map[string]any:
		object, known := bundlerSpec[kind]
		if !known {
			t.Errorf("%s is an object, want %s", at, kind)
		}
		for field, kind := range object {
			name, optional := field, field[len(field)-1] == '?'
			if optional {
				name = field[:len(field)-1]
			}
			if value[name] != nil || !optional {
				mustFit(t, at+"."+name, value[name], kind)
			}
		}
	default:
		t.Errorf("%s is %v, want %s", at, value, kind)
	}
}

// Answers of the bundler have the form that wallets of others expect.
// Spec: GAS-4
func TestRelay_AnswersHaveTheFormOfTheBundlerSpecification(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		s := newSite(t, g)
		s.start()
		p := s.player("P", 100_000_000)
		op := p.prepare(p.purchase(items, 2))
		hash := p.send(op)
		p.await(hash)
		for method, c := range map[string]struct {
			kind   string
			params []any
		}{
			"eth_chainId":                  {uint, []any{}},
			"eth_supportedEntryPoints":     {"[]" + address, []any{}},
			"eth_estimateUserOperationGas": {"GasInfo", []any{p.prepare(p.purchase(items, 1)), s.at.EntryPoint}},
			"eth_getUserOperationByHash":   {"UserOperationInfo", []any{hash}},
			"eth_getUserOperationReceipt":  {"UserOperationReceipt", []any{hash}},
		} {
			var answer json.RawMessage
			if err := p.rpc(s.relay.HandleBundler, &answer, method, c.params...); err != nil {
				t.Errorf("%s: %v", method, err)
				continue
			}
			var value any
			if err := json.Unmarshal(answer, &value); err != nil {
				t.Fatal(err)
			}
			mustFit(t, method, value, c.kind)
		}
		for _, method := range []string{"eth_getUserOperationByHash", "eth_getUserOperationReceipt"} {
			answer := json.RawMessage("unset")
			if err := p.rpc(s.relay.HandleBundler, &answer, method, eth.Keccak256([]byte("unknown"))); err != nil || string(answer) != "null" {
				t.Errorf("%s of an unknown operation: %s, %v", method, answer, err)
			}
		}
	})
}
