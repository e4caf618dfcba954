package eth

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"pantheon/internal/kit/fault"
)

// Quantity is an unsigned integer of 256 bits, big endian. In JSON it is 0x and hex digits without leading zeros
// ("0x0" for zero), the JSON-RPC's encoding of integers.
type Quantity [32]byte

// NewQuantity returns n as a quantity.
func NewQuantity(n uint64) Quantity {
	var q Quantity
	new(big.Int).SetUint64(n).FillBytes(q[:])
	return q
}

// QuantityFromBig returns b as a quantity. It fails when b is nil, negative or wider than 256 bits.
func QuantityFromBig(b *big.Int) (Quantity, error) {
	var q Quantity
	if b == nil || b.Sign() < 0 || b.BitLen() > 256 {
		return q, fault.New(fault.Invalid, "A number must be between 0 and 2^256-1")
	}
	b.FillBytes(q[:])
	return q, nil
}

// ParseQuantity reads 0x and 1 to 64 hex digits of either case, without leading zeros.
func ParseQuantity(s string) (Quantity, error) {
	var q Quantity
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || digits == "" || len(digits) > 64 || (digits[0] == '0' && digits != "0") {
		return q, errQuantity
	}
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	if _, err := hex.Decode(q[32-len(digits)/2:], []byte(digits)); err != nil {
		return Quantity{}, errQuantity
	}
	return q, nil
}

var errQuantity = fault.New(fault.Invalid, "A number must be written as 0x and hex digits without leading zeros, at most 256 bits")

// Big returns the quantity as a big integer.
func (q Quantity) Big() *big.Int { return new(big.Int).SetBytes(q[:]) }

// Uint64 returns the quantity and whether it fits into 64 bits.
func (q Quantity) Uint64() (uint64, bool) {
	b := q.Big()
	return b.Uint64(), b.IsUint64()
}

// BitLen returns the number of bits needed; 0 for zero.
func (q Quantity) BitLen() int {
	for i, b := range q {
		if b != 0 {
			return (31-i)*8 + bits.Len8(b)
		}
	}
	return 0
}

// IsZero reports whether the quantity is 0.
func (q Quantity) IsZero() bool { return q == Quantity{} }

// String returns the quantity in the JSON-RPC's encoding.
func (q Quantity) String() string {
	digits := strings.TrimLeft(hex.EncodeToString(q[:]), "0")
	if digits == "" {
		return "0x0"
	}
	return "0x" + digits
}

// MarshalText writes the quantity as String does.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads a quantity as ParseQuantity does.
func (q *Quantity) UnmarshalText(b []byte) (err error) {
	*q, err = ParseQuantity(string(b))
	return err
}

// UserOperation is an ERC-4337 operation for EntryPoint v0.7, in the unpacked form of the JSON-RPC (ERC-7769). Gas is
// in units, fees are in wei per unit.
type UserOperation struct {
	Sender                        Address  `json:"sender"`
	Nonce                         Quantity `json:"nonce"` // 192 bits of key, 64 bits of sequence
	Factory                       *Address `json:"factory,omitempty"`
	FactoryData                   Bytes    `json:"factoryData,omitempty"`
	CallData                      Bytes    `json:"callData"`
	CallGasLimit                  Quantity `json:"callGasLimit"`
	VerificationGasLimit          Quantity `json:"verificationGasLimit"`
	PreVerificationGas            Quantity `json:"preVerificationGas"`
	MaxFeePerGas                  Quantity `json:"maxFeePerGas"`
	MaxPriorityFeePerGas          Quantity `json:"maxPriorityFeePerGas"`
	Paymaster                     *Address `json:"paymaster,omitempty"`
	PaymasterVerificationGasLimit Quantity `json:"paymasterVerificationGasLimit,omitzero"`
	PaymasterPostOpGasLimit       Quantity `json:"paymasterPostOpGasLimit,omitzero"`
	PaymasterData                 Bytes    `json:"paymasterData,omitempty"`
	Signature                     Bytes    `json:"signature"`
}

// The maximum sizes of an operation's fields, in bytes. The call data has room for a hundred calls; the other limits
// are several times what the known factories, paymasters and signatures need.
const (
	MaxCallData      = 64 << 10
	MaxFactoryData   = 1 << 10
	MaxPaymasterData = 1 << 10
	MaxSignature     = 1 << 10
)

// maxGasBits is the width to which the EntryPoint limits each gas and fee value, so that their products cannot
// overflow ("AA94 gas values overflow").
const maxGasBits = 120

// UnmarshalJSON parses the unpacked form. A field that is omitted or null is zero; the packed form of EntryPoint v0.6 and
// EIP-7702 authorisations are rejected, because ignoring them would change the meaning.
func (op *UserOperation) UnmarshalJSON(b []byte) error {
	type fields UserOperation
	var in struct {
		fields
		InitCode         json.RawMessage `json:"initCode"`
		PaymasterAndData json.RawMessage `json:"paymasterAndData"`
		Authorization    json.RawMessage `json:"eip7702Auth"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	isGiven := func(field json.RawMessage) bool { return field != nil && string(field) != "null" }
	if isGiven(in.InitCode) || isGiven(in.PaymasterAndData) {
		return fault.New(fault.Invalid, "The operation has the form of another EntryPoint version; version 0.7 is supported")
	}
	if isGiven(in.Authorization) {
		return fault.New(fault.Invalid, "EIP-7702 authorisations are not supported")
	}
	*op = UserOperation(in.fields)
	return nil
}

// Validate checks sizes and ranges and that dependent fields have their field (factory data a factory, paymaster fields
// a paymaster). It returns an Invalid fault that lists every broken rule.
func (op *UserOperation) Validate() error {
	var broken []fault.Field
	fail := func(field, message string) {
		broken = append(broken, fault.Field{Location: field, Message: message})
	}
	for _, q := range []struct {
		name  string
		value Quantity
	}{
		{"callGasLimit", op.CallGasLimit}, {"verificationGasLimit", op.VerificationGasLimit},
		{"preVerificationGas", op.PreVerificationGas}, {"maxFeePerGas", op.MaxFeePerGas},
		{"maxPriorityFeePerGas", op.MaxPriorityFeePerGas},
		{"paymasterVerificationGasLimit", op.PaymasterVerificationGasLimit},
		{"paymasterPostOpGasLimit", op.PaymasterPostOpGasLimit},
	} {
		if q.value.BitLen() > maxGasBits {
			fail(q.name, "must be less than 2^120")
		}
	}
	for _, d := range []struct {
		name string
		size int
		most int
	}{
		{"callData", len(op.CallData), MaxCallData}, {"factoryData", len(op.FactoryData), MaxFactoryData},
		{"paymasterData", len(op.PaymasterData), MaxPaymasterData}, {"signature", len(op.Signature), MaxSignature},
	} {
		if d.size > d.most {
			fail(d.name, "is too long")
		}
	}
	if op.Sender.IsZero() {
		fail("sender", "is missing")
	}
	if op.Factory == nil && len(op.FactoryData) > 0 {
		fail("factoryData", "needs a factory")
	}
	if op.Paymaster == nil && (len(op.PaymasterData) > 0 || !op.PaymasterVerificationGasLimit.IsZero() ||
		!op.PaymasterPostOpGasLimit.IsZero()) {
		fail("paymaster", "is missing, but its fields are set")
	}
	if slices.Compare(op.MaxPriorityFeePerGas[:], op.MaxFeePerGas[:]) > 0 {
		fail("maxPriorityFeePerGas", "must not exceed maxFeePerGas")
	}
	if len(broken) > 0 {
		return fault.InvalidFields("The user operation is not valid", broken...)
	}
	return nil
}

// PackedUserOperation is the form of an operation in contracts (ERC-4337, PackedUserOperation).
type PackedUserOperation struct {
	Sender             Address
	Nonce              Quantity
	InitCode           []byte // factory ‖ factory data, or empty
	CallData           []byte
	AccountGasLimits   [32]byte // verification gas ‖ call gas, 128 bits each
	PreVerificationGas Quantity
	GasFees            [32]byte // priority fee ‖ highest fee, 128 bits each
	PaymasterAndData   []byte   // paymaster ‖ its verification gas ‖ its post-operation gas ‖ its data, or empty
	Signature          []byte
}

// Packed returns the form for contracts. The operation must be valid: wider gas values would lose their upper bits.
func (op *UserOperation) Packed() PackedUserOperation {
	p := PackedUserOperation{
		Sender: op.Sender, Nonce: op.Nonce, CallData: op.CallData, PreVerificationGas: op.PreVerificationGas,
		AccountGasLimits: halves(op.VerificationGasLimit, op.CallGasLimit),
		GasFees:          halves(op.MaxPriorityFeePerGas, op.MaxFeePerGas),
		Signature:        op.Signature,
	}
	if op.Factory != nil {
		p.InitCode = slices.Concat(op.Factory[:], op.FactoryData)
	}
	if op.Paymaster != nil {
		limits := halves(op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit)
		p.PaymasterAndData = slices.Concat(op.Paymaster[:], limits[:], op.PaymasterData)
	}
	return p
}

// halves combines the lower 128 bits of both quantities into one word.
func halves(high, low Quantity) (word [32]byte) {
	copy(word[:16], high[16:])
	copy(word[16:], low[16:])
	return word
}

// Hash returns the hash that identifies the operation and that its account's owner signs: it covers the chain and the
// EntryPoint but not the signature (EntryPoint v0.7, getUserOpHash).
func (op *UserOperation) Hash(entryPoint Address, chainID uint64) Hash {
	p := op.Packed()
	initCode, callData, paymaster := Keccak256(p.InitCode), Keccak256(p.CallData), Keccak256(p.PaymasterAndData)
	sender, entry, chain := AddressWord(p.Sender), AddressWord(entryPoint), NewQuantity(chainID)
	content := Keccak256(sender[:], p.Nonce[:], initCode[:], callData[:], p.AccountGasLimits[:], p.PreVerificationGas[:],
		p.GasFees[:], paymaster[:])
	return Keccak256(content[:], entry[:], chain[:])
}

// AddressWord returns the address as a 32-byte word of the contract ABI.
func AddressWord(a Address) (word Hash) {
	copy(word[12:], a[:])
	return word
}
