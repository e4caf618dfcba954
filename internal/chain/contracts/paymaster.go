package contracts

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
)

// Sponsorship is the content of an operation's paymasterData for PantheonPaymaster: the period of validity and the
// signature of the paymaster's signer.
type Sponsorship struct {
	ValidUntil time.Time // inclusive, in whole seconds; the Unix epoch means no end
	ValidAfter time.Time
	Signature  [65]byte // r ‖ s ‖ v, with v of 27 or 28, over SponsorshipHash as a personal message (EIP-191)
}

const (
	timeSize        = 6 // bytes, as in ERC-4337's validation data
	sponsorshipSize = 2*timeSize + 65
)

// Data returns the paymasterData: validUntil and validAfter in six bytes each, and the signature.
func (s Sponsorship) Data() eth.Bytes {
	return slices.Concat(sixBytes(s.ValidUntil), sixBytes(s.ValidAfter), s.Signature[:])
}

// ParseSponsorship parses the result of Data. It fails on data of another length, which the paymaster would reject.
func ParseSponsorship(data []byte) (Sponsorship, error) {
	if len(data) != sponsorshipSize {
		return Sponsorship{}, fmt.Errorf("contracts: a sponsorship has %d bytes, not %d", sponsorshipSize, len(data))
	}
	return Sponsorship{
		ValidUntil: fromSixBytes(data), ValidAfter: fromSixBytes(data[timeSize:]), Signature: [65]byte(data[2*timeSize:]),
	}, nil
}

func sixBytes(t time.Time) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(t.Unix()))[8-timeSize:]
}

func fromSixBytes(b []byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(slices.Concat(make([]byte, 8-timeSize), b[:timeSize]))), 0).UTC()
}

// SponsorshipHash returns what the signer of a PantheonPaymaster signs for an operation (getHash): all fields but the
// two signatures, for this paymaster on this chain and for the times. The operation must be valid; its paymaster and
// paymasterData are ignored.
func SponsorshipHash(op *eth.UserOperation, chainID uint64, paymaster eth.Address, validUntil, validAfter time.Time) eth.Hash {
	own := *op
	own.Paymaster = &paymaster
	p := own.Packed()
	initCode, callData, sender := eth.Keccak256(p.InitCode), eth.Keccak256(p.CallData), eth.AddressWord(p.Sender)
	operation := eth.Keccak256(
		sender[:], p.Nonce[:], initCode[:], callData[:], p.AccountGasLimits[:], p.PreVerificationGas[:], p.GasFees[:], p.PaymasterAndData[20:52])
	chain, address := eth.NewQuantity(chainID), eth.AddressWord(paymaster)
	until, after := eth.NewQuantity(uint64(validUntil.Unix())), eth.NewQuantity(uint64(validAfter.Unix()))
	return eth.Keccak256(chain[:], address[:], until[:], after[:], operation[:])
}
