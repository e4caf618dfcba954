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

// maxPeriod is the longest time between a beacon's rounds, in seconds: a day.
const maxPeriod = 86_400

// Quicknet reports whether a receipt's beacon is drand's quicknet, as drand documents it.
func Quicknet(b ReceiptBeacon) bool {
	return b.Scheme == Scheme && b.Genesis == 1692803367 && b.Period == 3 && b.PublicKey == quicknetKey
}

// quicknetKey is the public key of drand's quicknet, in hex.
const quicknetKey = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c" +
	"8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"

// Receipt has everything that an opening's outcome follows from. It is public and permanent. Its text is JSON without
// spaces, with the fields in this order; see Encode. Version 1 is of a burn, version 2 of a purchase; each has the one and
// not the other.
type Receipt struct {
	Version  int              `json:"version"`
	Burn     *ReceiptBurn     `json:"burn,omitempty"`
	Purchase *ReceiptPurchase `json:"purchase,omitempty"`
	Beacon   ReceiptBeacon    `json:"beacon"`
	Table    string           `json:"table"` // the canonical table; see Table.Canonical
	Before   ReceiptLuck      `json:"before"`
	Outcome  ReceiptOutcome   `json:"outcome"`
	Digest   string           `json:"digest"` // hex SHA-256 of the text with an empty digest
}

// ReceiptBurn is the burn in a receipt.
type ReceiptBurn struct {
	ChainID   onchain.ChainID `json:"chainId"`
	Tx        eth.Hash        `json:"tx"`
	LogIndex  uint64          `json:"logIndex"`
	Number    uint64          `json:"number"`
	BlockTime int64           `json:"blockTime"` // Unix seconds
}

// ReceiptPurchase is the purchase in a receipt.
type ReceiptPurchase struct {
	Shop       string `json:"shop"`
	Order      uint64 `json:"order"`
	Line       uint64 `json:"line"`
	Unit       uint64 `json:"unit"`
	RecordedAt int64  `json:"recordedAt"` // when the portal first recorded the payment, in Unix seconds
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

// ReceiptOf returns a receipt of an opening without the rest. at is the time of the burn's block, or of the first record of
// the purchase's payment, in whole seconds.
func ReceiptOf(o Origin, at time.Time) Receipt {
	switch o := o.(type) {
	case Burn:
		return Receipt{Version: 1, Burn: &ReceiptBurn{ChainID: o.Chain, Tx: o.Tx, LogIndex: o.LogIndex, Number: o.Number, BlockTime: at.Unix()}}
	case Purchase:
		return Receipt{Version: 2, Purchase: &ReceiptPurchase{Shop: o.Shop, Order: o.Order, Line: o.Line, Unit: o.Unit, RecordedAt: at.Unix()}}
	}
	panic(fmt.Sprintf("draw: an opening of a %T", o)) // there is no other Origin
}

// OutcomeOf writes an outcome as receipts do.
func OutcomeOf(o Outcome) ReceiptOutcome {
	return ReceiptOutcome{Drop: o.Drop.ID, Pity: o.Pitied, Instead: o.Instead, Tokens: append([]string{}, o.Tokens...)}
}

// Verifier checks a round's signature and returns the round's randomness.
type Verifier func(publicKey []byte, round uint64, signature []byte) (randomness [32]byte, err error)

// Encode returns the receipt's text, with its digest.
func (r Receipt) Encode() []byte {
	if r.Before.Drawn == nil {
		r.Before.Drawn = map[string]int64{}
	}
	if r.Outcome.Tokens == nil {
		r.Outcome.Tokens = []string{}
	}
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

// Verified is a receipt whose outcome follows from it, with the table in it.
type Verified struct {
	Receipt
	Table     Table
	TableHash [32]byte
}

// Verify reads a receipt and repeats its draw. The error says what does not fit.
//
// Verify does not check the receipt's inputs. To trust them, compare the burn and its time with the chain, or the payment's time
// with the shop; the beacon's key, genesis and period with its documentation (see Quicknet); the table with those announced before
// that time; and the luck before the draw with the receipts of earlier openings.
func Verify(text []byte, verify Verifier) (none Verified, err error) {
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return none, fmt.Errorf("this is no receipt: %w", err)
	}
	isBurn, isPurchase := r.Version == 1 && r.Burn != nil, r.Version == 2 && r.Purchase != nil
	if !bytes.Equal(r.text(), text) || !isBurn && !isPurchase || r.Burn != nil && r.Purchase != nil {
		return none, errors.New("this is no receipt of version 1 or 2, or not as it was written")
	}
	if r.Digest != r.digest() {
		return none, errors.New("the receipt was changed: its digest does not fit")
	}
	if err := r.bounds(); err != nil {
		return none, err
	}
	table, err := ParseTable([]byte(r.Table))
	if err != nil {
		return none, err
	}
	hash := sha256.Sum256([]byte(r.Table)) // ParseTable takes the canonical text only
	origin, at := r.Origin()
	if at.Before(table.From) {
		return none, fmt.Errorf("the table was not in force yet at the time of the %s, %s", r.what(), at.Format(time.RFC3339))
	}
	if isPurchase && (table.Pity != nil || r.Before.Without != 0) {
		return none, errors.New("a purchase has no wallet, so no pity rule counts what it opened before")
	}
	randomness, err := r.randomness(at, verify)
	if err != nil {
		return none, err
	}
	got := table.Draw(NewWords(randomness, origin, hash), Luck{Without: r.Before.Without, Drawn: r.Before.Drawn})
	want := OutcomeOf(got)
	if want.Drop != r.Outcome.Drop || want.Pity != r.Outcome.Pity || want.Instead != r.Outcome.Instead || !slices.Equal(want.Tokens, r.Outcome.Tokens) {
		return none, fmt.Errorf("the draw gives %q %v, and the receipt says %q %v", want.Drop, want.Tokens, r.Outcome.Drop, r.Outcome.Tokens)
	}
	return Verified{Receipt: r, Table: table, TableHash: hash}, nil
}

// bounds refuses numbers that other implementations cannot hold, and other spellings of the same receipt.
func (r Receipt) bounds() error {
	if r.Before.Drawn == nil || r.Outcome.Tokens == nil {
		return errors.New("a list is missing")
	}
	// Negative counts become large ones.
	counts := []uint64{r.Beacon.Round, uint64(r.Before.Without)}
	switch origin, _ := r.Origin(); o := origin.(type) {
	case Burn:
		counts = append(counts, uint64(o.Chain), o.LogIndex, o.Number)
	case Purchase:
		if err := o.Validate(); err != nil {
			return err
		}
	}
	for id, n := range r.Before.Drawn {
		if !idPattern.MatchString(id) {
			return fmt.Errorf("%q is no drop", id)
		}
		counts = append(counts, uint64(n))
	}
	if slices.Max(counts) > maxCount {
		return fmt.Errorf("a count is below 0 or above %d", maxCount)
	}
	_, at := r.Origin()
	for _, seconds := range []int64{at.Unix(), r.Beacon.Genesis} {
		if seconds < 0 || seconds > onchain.MaxTime().Unix() {
			return errors.New("the times are malformed")
		}
	}
	return nil
}

// maxCount is the largest integer that JavaScript's numbers hold exactly together with all smaller ones.
const maxCount = 1<<53 - 1

// Origin returns what was opened, and the time of the burn's block or of the first record of the payment. It returns nil if
// the receipt has neither.
func (r Receipt) Origin() (o Origin, at time.Time) {
	switch {
	case r.Burn != nil:
		b := r.Burn
		return Burn{Chain: b.ChainID, Tx: b.Tx, LogIndex: b.LogIndex, Number: b.Number}, time.Unix(b.BlockTime, 0).UTC()
	case r.Purchase != nil:
		p := r.Purchase
		return Purchase{Shop: p.Shop, Order: p.Order, Line: p.Line, Unit: p.Unit}, time.Unix(p.RecordedAt, 0).UTC()
	}
	return nil, time.Time{}
}

// Opening returns the id of the receipt's opening; "" if the receipt has neither a burn nor a purchase.
func (r Receipt) Opening() string {
	if o, _ := r.Origin(); o != nil {
		return o.String()
	}
	return ""
}

// what names the kind of the receipt's origin.
func (r Receipt) what() string {
	if r.Purchase != nil {
		return "purchase"
	}
	return "burn"
}

// randomness checks that the round is the one that the time of the burn or purchase names, and that the beacon signed it.
func (r Receipt) randomness(at time.Time, verify Verifier) (none [32]byte, err error) {
	b := r.Beacon
	if b.Scheme != Scheme || b.Period < 1 || b.Period > maxPeriod {
		return none, fmt.Errorf("the beacon's scheme is not %s, or its period not from 1 to %d seconds", Scheme, maxPeriod)
	}
	schedule := Schedule{Genesis: time.Unix(b.Genesis, 0), Period: time.Duration(b.Period) * time.Second}
	if want := schedule.RoundAfter(at); want != b.Round {
		return none, fmt.Errorf("the %s's round is %d, not %d", r.what(), want, b.Round)
	}
	key, err := hex.DecodeString(b.PublicKey)
	if err != nil || hex.EncodeToString(key) != b.PublicKey {
		return none, errors.New("the beacon's key is malformed")
	}
	signature, err := hex.DecodeString(b.Signature)
	if err != nil || hex.EncodeToString(signature) != b.Signature {
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
	if err := t.Validate(); err != nil {
		return t, err
	}
	if !bytes.Equal(t.Canonical(), text) {
		return t, errors.New("this is no drop table in its canonical form")
	}
	return t, nil
}
