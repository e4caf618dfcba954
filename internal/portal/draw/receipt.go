package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Scheme is the only beacon scheme of receipts: BLS12-381 signatures in G1 over the round's number (drand's quicknet).
const Scheme = "bls-unchained-g1-rfc9380"

// Receipt has everything that an opening's outcome follows from. It is public and permanent. Its text is JSON without
// spaces, with the fields in this order; see Encode.
type Receipt struct {
	Version int            `json:"version"` // 1
	Burn    ReceiptBurn    `json:"burn"`
	Beacon  ReceiptBeacon  `json:"beacon"`
	Table   string         `json:"table"` // the canonical table; see Table.Canonical
	Before  ReceiptLuck    `json:"before"`
	Outcome ReceiptOutcome `json:"outcome"`
	Digest  string         `json:"digest"` // hex SHA-256 of the text with an empty digest
}

// ReceiptBurn is the burn in a receipt.
type ReceiptBurn struct {
	ChainID   onchain.ChainID `json:"chainId"`
	Tx        eth.Hash        `json:"tx"`
	LogIndex  uint64          `json:"logIndex"`
	Number    uint64          `json:"number"`
	BlockTime int64           `json:"blockTime"` // Unix seconds
}

// ReceiptBeacon is the beacon, and the round that decided.
type ReceiptBeacon struct {
	Scheme    string `json:"scheme"`
	PublicKey string `json:"publicKey"` // hex
	Genesis   int64  `json:"genesis"`   // Unix seconds
	Period    int64  `json:"period"`    // seconds
	Round     uint64 `json:"round"`
	Signature string `json:"signature"` // hex
}

// ReceiptLuck is what came before the opening; see Luck.
type ReceiptLuck struct {
	Without int64            `json:"without"`
	Drawn   map[string]int64 `json:"drawn"` // by drop, in the order of their ids
}

// ReceiptOutcome is what was drawn.
type ReceiptOutcome struct {
	Drop    string   `json:"drop"`
	Pity    bool     `json:"pity"`
	Instead bool     `json:"instead"`
	Tokens  []string `json:"tokens"` // ids of the new tokens, in the order of the drop's grants
}

// OutcomeOf writes an outcome as receipts do.
func OutcomeOf(o Outcome) ReceiptOutcome {
	return ReceiptOutcome{Drop: o.Drop.ID, Pity: o.Pitied, Instead: o.Instead, Tokens: append([]string{}, o.Tokens...)}
}

// Verifier checks a round's signature and returns the round's randomness.
type Verifier func(publicKey []byte, round uint64, signature []byte) (randomness [32]byte, err error)

// Encode returns the receipt's text, with its digest.
func (r Receipt) Encode() []byte {
	r.Digest = r.digest()
	return r.text()
}

func (r Receipt) digest() string {
	r.Digest = ""
	sum := sha256.Sum256(r.text())
	return hex.EncodeToString(sum[:])
}

func (r Receipt) text() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // as JavaScript's JSON.stringify
	if err := e.Encode(r); err != nil {
		panic(fmt.Sprintf("draw: a receipt cannot be written as JSON: %v", err)) // it is plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Verify reads a receipt and repeats its draw. The error says what does not fit.
//
// What a receipt cannot prove by itself: that the burn is on its chain, that the beacon's key is the one it should be, and
// what came before. The first two are compared with the chain and the beacon's documentation, the third with the
// other openings' receipts.
func Verify(text []byte, verify Verifier) (Receipt, error) {
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("this is no receipt: %w", err)
	}
	if !bytes.Equal(r.text(), text) || r.Version != 1 {
		return r, errors.New("this is no receipt of version 1, or not as it was written")
	}
	if r.Digest != r.digest() {
		return r, errors.New("the receipt was changed: its digest does not fit")
	}
	table, err := ParseTable([]byte(r.Table))
	if err != nil {
		return r, err
	}
	block := time.Unix(r.Burn.BlockTime, 0).UTC()
	if block.Before(table.From) {
		return r, fmt.Errorf("the table was not in force yet at the time of the burn, %s", block.Format(time.RFC3339))
	}
	randomness, err := r.randomness(block, verify)
	if err != nil {
		return r, err
	}
	if r.Before.Without < 0 {
		return r, errors.New("there cannot be fewer than no openings before")
	}
	got := table.Draw(NewWords(randomness, r.burn(), table.Hash()), Luck{Without: r.Before.Without, Drawn: r.Before.Drawn})
	want := OutcomeOf(got)
	if want.Drop != r.Outcome.Drop || want.Pity != r.Outcome.Pity || want.Instead != r.Outcome.Instead || !slices.Equal(want.Tokens, r.Outcome.Tokens) {
		return r, fmt.Errorf("the draw gives %q %v, and the receipt says %q %v", want.Drop, want.Tokens, r.Outcome.Drop, r.Outcome.Tokens)
	}
	return r, nil
}

func (r Receipt) burn() Burn {
	return Burn{Chain: r.Burn.ChainID, Tx: r.Burn.Tx, LogIndex: r.Burn.LogIndex, Number: r.Burn.Number}
}

// randomness checks that the round is the one that the burn's time names, and that the beacon signed it.
func (r Receipt) randomness(block time.Time, verify Verifier) (none [32]byte, err error) {
	b := r.Beacon
	if b.Scheme != Scheme || b.Period < 1 {
		return none, fmt.Errorf("the beacon's scheme is not %s", Scheme)
	}
	schedule := Schedule{Genesis: time.Unix(b.Genesis, 0), Period: time.Duration(b.Period) * time.Second}
	if want := schedule.RoundAfter(block); want != b.Round {
		return none, fmt.Errorf("the burn's round is %d, not %d", want, b.Round)
	}
	key, err := hex.DecodeString(b.PublicKey)
	if err != nil {
		return none, errors.New("the beacon's key is malformed")
	}
	signature, err := hex.DecodeString(b.Signature)
	if err != nil {
		return none, errors.New("the round's signature is malformed")
	}
	return verify(key, b.Round, signature)
}

// ParseTable reads a canonical table. It refuses any other text, however similar, because the hash is of the text.
func ParseTable(text []byte) (Table, error) {
	var t Table
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("this is no drop table: %w", err)
	}
	if !bytes.Equal(t.Canonical(), text) {
		return t, errors.New("this is no drop table in its canonical form")
	}
	return t, t.Validate()
}
