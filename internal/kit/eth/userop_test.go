package eth_test

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

var entryPoint = eth.MustAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")

// vector is an operation with viem 2.57.1's encodings of it.
type vector struct {
	Name      string
	ChainID   uint64
	Operation json.RawMessage
	Packed    struct {
		InitCode, PaymasterAndData eth.Bytes
		AccountGasLimits, GasFees  eth.Hash
	}
	Hash eth.Hash
}

func vectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/user_operations.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestUserOperation_OperationPacksAndHashesAsViemDoes(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			var op eth.UserOperation
			if err := json.Unmarshal(v.Operation, &op); err != nil {
				t.Fatal(err)
			}
			if err := op.Validate(); err != nil {
				t.Fatal(err)
			}
			p := op.Packed()
			if got, want := eth.Bytes(p.InitCode).String(), v.Packed.InitCode.String(); got != want {
				t.Errorf("init code %s, want %s", got, want)
			}
			if got, want := eth.Bytes(p.PaymasterAndData).String(), v.Packed.PaymasterAndData.String(); got != want {
				t.Errorf("paymaster and data %s, want %s", got, want)
			}
			if p.AccountGasLimits != v.Packed.AccountGasLimits || p.GasFees != v.Packed.GasFees {
				t.Errorf("gas limits %x, fees %x; want %x, %x", p.AccountGasLimits, p.GasFees, v.Packed.AccountGasLimits, v.Packed.GasFees)
			}
			if got := op.Hash(entryPoint, v.ChainID); got != v.Hash {
				t.Errorf("hash %s, want %s", got, v.Hash)
			}
		})
	}
}

func TestUserOperation_OperationSurvivesJSON(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		var first, second eth.UserOperation
		if err := json.Unmarshal(v.Operation, &first); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &second); err != nil {
			t.Fatal(err)
		}
		if got := second.Hash(entryPoint, v.ChainID); got != v.Hash {
			t.Errorf("%s: the hash after writing and reading is %s, want %s", v.Name, got, v.Hash)
		}
		if second.Signature.String() != first.Signature.String() {
			t.Errorf("%s: the signature changed", v.Name)
		}
	}
}

// Some libraries write null for a field that is not there.
func TestUserOperation_NullIsAnAbsentField(t *testing.T) {
	t.Parallel()
	const needed = `{"sender":"0x0000000000000000000000000000000000000001","nonce":"0x1","callData":"0x12","maxFeePerGas":"0x3",` +
		`"signature":"0x"`
	var absent, null eth.UserOperation
	if err := json.Unmarshal([]byte(needed+"}"), &absent); err != nil {
		t.Fatal(err)
	}
	text := needed
	for _, field := range []string{
		"factory", "factoryData", "callGasLimit", "paymaster", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit", "paymasterData",
		"initCode", "paymasterAndData", "eip7702Auth",
	} {
		text += `,"` + field + `":null`
	}
	if err := json.Unmarshal([]byte(text+"}"), &null); err != nil {
		t.Fatal(err)
	}
	if null.Hash(entryPoint, 1) != absent.Hash(entryPoint, 1) || null.Factory != nil || null.Paymaster != nil || null.Validate() != nil {
		t.Errorf("read as %+v, %v", null, null.Validate())
	}
}

func TestUserOperation_FormsOfOtherVersionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, field := range []string{`"initCode":"0x"`, `"paymasterAndData":"0x"`, `"eip7702Auth":{}`} {
		var op eth.UserOperation
		err := json.Unmarshal([]byte(`{"sender":"0x0000000000000000000000000000000000000001","callData":"0x",`+field+`}`), &op)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v, want an invalid fault", field, err)
		}
	}
}

// Spec: GAS-14
func TestUserOperation_EveryBrokenRuleOfAnOperationIsNamed(t *testing.T) {
	t.Parallel()
	wide, err := eth.QuantityFromBig(new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		t.Fatal(err)
	}
	op := eth.UserOperation{
		FactoryData:  make(eth.Bytes, 1<<10+1),
		CallData:     make(eth.Bytes, 64<<10+1),
		CallGasLimit: wide, VerificationGasLimit: wide, PreVerificationGas: wide, MaxPriorityFeePerGas: wide,
		PaymasterVerificationGasLimit: wide, PaymasterPostOpGasLimit: wide,
		PaymasterData: make(eth.Bytes, 1<<10+1),
		Signature:     make(eth.Bytes, 1<<10+1),
	}
	f := fault.As(op.Validate())
	if f == nil {
		t.Fatal("the operation was accepted")
	}
	named := map[string]bool{}
	for _, field := range f.Fields {
		named[field.Location] = true
	}
	for _, field := range []string{
		"sender", "factoryData", "callData", "callGasLimit", "verificationGasLimit", "preVerificationGas",
		"maxPriorityFeePerGas", "paymaster", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit", "paymasterData", "signature",
	} {
		if !named[field] {
			t.Errorf("%s is not named", field)
		}
	}
	op = eth.UserOperation{Sender: entryPoint, MaxFeePerGas: wide}
	if !fault.Is(op.Validate(), fault.Invalid) {
		t.Error("a highest fee of 2^120 was accepted")
	}
	factory := entryPoint
	op = eth.UserOperation{Sender: entryPoint, Factory: &factory, FactoryData: make(eth.Bytes, 1<<10)}
	if err := op.Validate(); err != nil {
		t.Errorf("1 KiB for the factory: %v", err)
	}
	op.FactoryData = make(eth.Bytes, 1<<10+1)
	if !fault.Is(op.Validate(), fault.Invalid) {
		t.Error("more than 1 KiB for the factory was accepted")
	}
}

func TestUserOperation_QuantitiesAreReadStrictly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{"0x0": 0, "0x1": 1, "0xff": 255, "0xABC": 0xabc, "0xffffffffffffffff": 1<<64 - 1} {
		q, err := eth.ParseQuantity(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, fits := q.Uint64(); !fits || got != want {
			t.Errorf("%s is %d (%v), want %d", text, got, fits, want)
		}
		if got := q.String(); got != strings.ToLower(text) {
			t.Errorf("%s is written %s", text, got)
		}
		if q != eth.NewQuantity(want) || q.BitLen() != new(big.Int).SetUint64(want).BitLen() {
			t.Errorf("%s: %v has %d bits", text, q, q.BitLen())
		}
	}
	for _, text := range []string{"", "0x", "0x00", "0x01", "1", "0xg", "0x-1", "0X1", "0x1" + strings.Repeat("0", 64)} {
		if q, err := eth.ParseQuantity(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q was read as %v (%v)", text, q, err)
		}
	}
	for _, b := range []*big.Int{nil, big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 256)} {
		if _, err := eth.QuantityFromBig(b); err == nil {
			t.Errorf("%v was accepted", b)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	var op eth.UserOperation
	if err := json.Unmarshal(vectors(b)[1].Operation, &op); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		op.Hash(entryPoint, 42170)
	}
}
