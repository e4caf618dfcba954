package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// recordDomain separates hashes of records from any other hash.
const recordDomain = "pantheon/record/v1"

// Record is the first record of the payment for one pack that is drawn, in the public log of the portal. The log is numbered from
// 1 without gaps, and the hash of each record follows from the one before; a wallet of the portal writes the newest hash to a chain.
// The first block that has the hash of this record or of a later one decides the round of the opening, like the block of a burn: until
// then nobody can know the outcome, and afterwards no record can be changed without a trace.
type Record struct {
	Number     uint64   `json:"number"`
	OpeningID  string   `json:"openingId"`
	Kind       string   `json:"kind"`
	Edition    int      `json:"edition"`
	Table      string   `json:"table"` // hex SHA-256 of the canonical table
	Nonce      eth.Hash `json:"nonce"`
	RecordedAt int64    `json:"recordedAt"` // Unix seconds
}

// LoggedRecord is a Record with its hash in the log.
type LoggedRecord struct {
	Record
	Hash [32]byte
}

// Canonical returns the record as its hash has it: JSON without spaces, with the fields in the order of Record.
func (r Record) Canonical() []byte { return canonical(r) }

// HashAfter returns the record's hash in the log:
//
//	SHA-256("pantheon/record/v1" ‖ hash of the record before ‖ canonical record)
//
// The hash before the first record is zero.
func (r Record) HashAfter(previous [32]byte) [32]byte {
	message := append([]byte(recordDomain), previous[:]...)
	return sha256.Sum256(append(message, r.Canonical()...))
}

// Validate returns an error if the record is malformed.
func (r Record) Validate() error {
	table, err := lowerHex(r.Table)
	switch {
	case r.Number < 1 || r.Number > maxCount:
		return fmt.Errorf("its number is not from 1 to %d", uint64(maxCount))
	case len(r.OpeningID) > maxOpeningID || !openingPattern.MatchString(r.OpeningID),
		!isID(r.Kind) || r.Edition < 1 || r.Edition > maxEdition:
		return errors.New("its opening, kind or edition is malformed")
	case err != nil || len(table) != sha256.Size:
		return errors.New("the hash of its table is malformed")
	case r.RecordedAt < 0 || r.RecordedAt > onchain.MaxTime().Unix():
		return errors.New("its time is malformed")
	}
	return nil
}

// maxOpeningID is the length of the longest opening id of a purchase: a shop's name and three numbers of 16 digits.
const maxOpeningID = maxShop + 3*17

// openingPattern is that of the opening ids of purchases; see Purchase.
var openingPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*(-(0|[1-9][0-9]{0,15})){3}$`)

// VerifyRecords checks that records follow the one before them in the log, which is zero for records from the first on: that their
// numbers have no gap, that no time is before the one of the record before, that no opening is there twice, and that each hash is
// right. The error names the first record that does not fit.
//
// The log is as good as its anchors: compare their hashes with those of the records of their numbers.
func VerifyRecords(before LoggedRecord, records []LoggedRecord) error {
	seen := map[string]bool{before.OpeningID: true}
	for _, r := range records {
		err := r.Validate()
		switch {
		case err != nil:
		case r.Number != before.Number+1:
			err = fmt.Errorf("it follows record %d", before.Number)
		case r.RecordedAt < before.RecordedAt:
			err = errors.New("it is older than the record before")
		case seen[r.OpeningID]:
			err = fmt.Errorf("opening %s is recorded twice", r.OpeningID)
		case r.HashAfter(before.Hash) != r.Hash:
			err = errors.New("its hash is not that of the record and the hash before")
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", r.Number, err)
		}
		seen[r.OpeningID], before = true, r
	}
	return nil
}

// RecordsAnchor returns the input of the transaction by which a wallet of the portal fixes the log up to a record:
//
//	"pantheon/records/v1" ‖ number, 8 bytes, big-endian ‖ the record's hash
func RecordsAnchor(number uint64, hash [32]byte) []byte {
	input := binary.BigEndian.AppendUint64([]byte(recordsAnchorDomain), number)
	return append(input, hash[:]...)
}

// recordsAnchorDomain separates anchors of records from any other input.
const recordsAnchorDomain = "pantheon/records/v1"

// ParseRecordsAnchor reads the input of a transaction; ok is false unless it is that of RecordsAnchor.
func ParseRecordsAnchor(input []byte) (number uint64, hash [32]byte, ok bool) {
	rest, ok := bytes.CutPrefix(input, []byte(recordsAnchorDomain))
	if !ok || len(rest) != 8+len(hash) {
		return 0, hash, false
	}
	return binary.BigEndian.Uint64(rest), [32]byte(rest[8:]), true
}

// Record returns the record that the log must have of a purchase; ok is false for the receipt of a burn.
func (v Verified) Record() (r Record, ok bool) {
	p := v.Purchase
	if p == nil {
		return r, false
	}
	return Record{
		Number: p.Record, OpeningID: v.Opening(), Kind: v.Table.Kind, Edition: v.Table.Edition, Table: hex.EncodeToString(v.TableHash[:]),
		Nonce: p.Nonce, RecordedAt: p.RecordedAt,
	}, true
}
