package txqueue

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
)

// maxReason is the maximum length of a reason, in bytes: a contract can revert with any amount of text.
const maxReason = 300

// knownErrors are the custom errors of the contracts we call, by selector. The bindings never change.
var knownErrors = sync.OnceValue(func() map[[4]byte]abi.Error {
	known := map[[4]byte]abi.Error{}
	for _, meta := range []*bind.MetaData{
		&contracts.EntryPointMetaData, &contracts.PantheonAccountMetaData, &contracts.PantheonPaymasterMetaData,
		&contracts.DirectListingsLogicMetaData, &contracts.MarketplaceV3MetaData, &contracts.TestTokenMetaData, &contracts.GodTokenMetaData,
		&contracts.Collection721MetaData, &contracts.Collection1155MetaData, &contracts.ChestsMetaData,
	} {
		parsed, err := meta.ParseABI()
		if err != nil {
			panic(fmt.Sprintf("txqueue: the bindings hold a malformed ABI: %v", err))
		}
		for _, e := range parsed.Errors {
			known[[4]byte(e.ID[:4])] = e
		}
	}
	return known
})

// Reason describes why a call reverted, from its revert data: Solidity's Error and Panic, and the custom
// errors of the contracts we call, with their arguments.
func Reason(data []byte) string {
	if len(data) == 0 {
		return "reverted without a reason"
	}
	if text, err := abi.UnpackRevert(data); err == nil {
		return plain(text)
	}
	if len(data) >= 4 {
		if e, ok := knownErrors()[[4]byte(data[:4])]; ok {
			return plain(describe(e, data))
		}
	}
	return plain(fmt.Sprintf("reverted with 0x%x", data))
}

func describe(e abi.Error, data []byte) string {
	values, err := e.Inputs.Unpack(data[4:])
	if err != nil {
		return e.Name
	}
	args := make([]string, len(values))
	for i, v := range values {
		args[i] = fmt.Sprint(v)
		if b, ok := v.([]byte); ok { // an inner revert, passed on
			args[i] = Reason(b)
		}
		if name := e.Inputs[i].Name; name != "" {
			args[i] = name + " " + args[i]
		}
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

// plain makes untrusted text safe for logs and pages.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, ""))
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	return text
}

// codeReverted is the code that nodes return for a call that reverts (go-ethereum's error code 3, adopted by the
// others).
const codeReverted = 3

// RevertData returns the revert data of a call's error, and whether the error is a revert.
func RevertData(err error) ([]byte, bool) {
	var answer gethrpc.Error
	if !errors.As(err, &answer) {
		return nil, false
	}
	var withData gethrpc.DataError
	if errors.As(err, &withData) {
		if data, ok := revertBytes(withData.ErrorData()); ok {
			return data, true
		}
	}
	return nil, answer.ErrorCode() == codeReverted || strings.Contains(answer.Error(), "execution reverted")
}

// revertBytes decodes the data of an error, which is a hexadecimal string, or with some nodes an object that holds it.
func revertBytes(v any) ([]byte, bool) {
	switch v := v.(type) {
	case string:
		data, err := hexutil.Decode(v)
		return data, err == nil
	case map[string]any:
		return revertBytes(v["data"])
	case json.RawMessage:
		var text string
		if json.Unmarshal(v, &text) != nil {
			return nil, false
		}
		return revertBytes(text)
	}
	return nil, false
}
