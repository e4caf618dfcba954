package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Scheme is the only beacon scheme of receipts: BLS12-381 signatures in G1 over the round's number (drand's quicknet).
const Scheme = "bls-unchained-g1-rfc9380"

// receiptVersion is the version of receipts that are written and verified.
const receiptVersion = 3

// maxPeriod is the longest time between a beacon's rounds, in seconds: a day.
const maxPeriod = 86_400

// maxReceipt is the longest receipt, in bytes.
const maxReceipt = 1_000_000

// Quicknet reports whether a receipt's beacon is drand's quicknet, as drand documents it.
func Quicknet(b ReceiptBeacon) bool {
	return b.Scheme == Scheme && b.Genesis == 1692803367 && b.Period == 3 && b.PublicKey == quicknetKey
}

// quicknetKey is the public key of drand's quicknet, in hex.
const quicknetKey = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c" +
	"8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"

// Receipt has everything that an opening's outcome follows from. It is public and permanent. Its text is JSON without
// spaces, with the fields in this order; see Encode. It has either a burn or a purchase.
type Receipt struct {
	Version  int              `json:"version"`
	Burn     *ReceiptBurn     `json:"burn,omitempty"`
	Purchase *ReceiptPurchase `json:"purchase,omitempty"`
	Table    string           `json:"table"` // the canonical table; see Table.Canonical
	Fixed    ReceiptFixed     `json:"fixed"`
	Beacon   ReceiptBeacon    `json:"beacon"`
	Before   ReceiptLuck      `json:"before"`
	Outcome  ReceiptOutcome   `json:"outcome"`
	Digest   string           `json:"digest"` // hex SHA-256 of the text with an empty digest
}

// ReceiptAddress is an address that is written in lower case.
type ReceiptAddress eth.Address

// MarshalText writes the address.
func (a ReceiptAddress) MarshalText() ([]byte, error) { return []byte(eth.Address(a).String()), nil }

// UnmarshalText reads an address as eth.ParseAddress does.
func (a *ReceiptAddress) UnmarshalText(text []byte) error {
	return (*eth.Address)(a).UnmarshalText(text)
}

// ReceiptBurn is the burn in a receipt.
type ReceiptBurn struct {
	ChainID   onchain.ChainID `json:"chainId"`
	Contract  ReceiptAddress  `json:"contract"` // of the chests
	Token     string          `json:"token"`    // decimal
	Tx        eth.Hash        `json:"tx"`
	LogIndex  uint64          `json:"logIndex"` // within the transaction
	Number    uint64          `json:"number"`
	Wallet    ReceiptAddress  `json:"wallet"` // that burned the pack
	Block     uint64          `json:"block"`
	BlockHash eth.Hash        `json:"blockHash"`
	BlockTime int64           `json:"blockTime"` // Unix seconds
	Margin    int64           `json:"margin"`    // seconds; see Schedule.RoundAfter
}

// ReceiptPurchase is the purchase in a receipt.
type ReceiptPurchase struct {
	Shop       string   `json:"shop"`
	Order      uint64   `json:"order"`
	Line       uint64   `json:"line"`
	Unit       uint64   `json:"unit"`
	Nonce      eth.Hash `json:"nonce"`
	Record     uint64   `json:"record"`     // number of the payment's record in the public log, from 1
	RecordedAt int64    `json:"recordedAt"` // when the portal first recorded the payment, in Unix seconds

	Anchor ReceiptAnchor `json:"anchor"`
}

// ReceiptAnchor is the first transaction that anchors the payment's record; see RecordsAnchor.
type ReceiptAnchor struct {
	Record    uint64          `json:"record"` // that the transaction names: the payment's or a later one
	ChainID   onchain.ChainID `json:"chainId"`
	Wallet    ReceiptAddress  `json:"wallet"`
	Tx        eth.Hash        `json:"tx"`
	Block     uint64          `json:"block"`
	BlockHash eth.Hash        `json:"blockHash"`
	BlockTime int64           `json:"blockTime"` // Unix seconds
	Margin    int64           `json:"margin"`    // seconds; see Schedule.RoundAfter
}

// Where a table's hash is fixed.
const (
	ByContract = "contract" // in the chests contract, for the pack's token id
	ByWallet   = "wallet"   // in the input of a transaction of a wallet of the portal; see Anchor
)

// ReceiptFixed says where the table's hash was fixed before the pack was sold.
type ReceiptFixed struct {
	ChainID   onchain.ChainID `json:"chainId"`
	By        string          `json:"by"`      // ByContract or ByWallet
	Address   ReceiptAddress  `json:"address"` // of the contract or the wallet
	Tx        eth.Hash        `json:"tx"`
	Block     uint64          `json:"block"`
	BlockTime int64           `json:"blockTime"` // Unix seconds
}

// Anchor returns the input of the transaction by which a wallet of the portal fixes a table's hash.
func Anchor(table [32]byte) []byte { return append([]byte("pantheon/table/v1"), table[:]...) }

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
	Given   map[string]int64 `json:"given"` // of each capped item of the table, in their order
}

// ReceiptOutcome is what was drawn.
type ReceiptOutcome struct {
	Drop    string         `json:"drop"`
	Pity    bool           `json:"pity"`
	Instead bool           `json:"instead"`
	Tokens  []ReceiptToken `json:"tokens"` // the new tokens, in the order of the drop's grants
}

// ReceiptToken is a new token in a receipt.
type ReceiptToken struct {
	Variant string `json:"variant"`
	ID      string `json:"id"` // decimal
}

// OutcomeOf writes an outcome as receipts do.
func OutcomeOf(o Outcome) ReceiptOutcome {
	r := ReceiptOutcome{Drop: o.Drop.ID, Pity: o.Pitied, Instead: o.Instead, Tokens: []ReceiptToken{}}
	for _, t := range o.Tokens {
		r.Tokens = append(r.Tokens, ReceiptToken{t.Variant.ID, t.ID})
	}
	return r
}

func (r ReceiptOutcome) equals(o ReceiptOutcome) bool {
	return r.Drop == o.Drop && r.Pity == o.Pity && r.Instead == o.Instead && slices.Equal(r.Tokens, o.Tokens)
}

// LuckOf returns what came before an opening as receipts of the table have it: without what the table does not count.
func (t Table) LuckOf(before Luck) Luck {
	counted := Luck{Given: map[string]int64{}}
	if t.Pity != nil {
		counted.Without = min(before.Without, int64(t.Pity.After))
	}
	for _, c := range t.Caps {
		counted.Given[c.Item] = before.Given[c.Item]
	}
	return counted
}

// Verifier checks a round's signature and returns the round's randomness.
type Verifier func(publicKey []byte, round uint64, signature []byte) (randomness [32]byte, err error)

// Encode returns the receipt's text, with its version and digest.
func (r Receipt) Encode() []byte {
	r.Version = receiptVersion
	if r.Before.Given == nil {
		r.Before.Given = map[string]int64{}
	}
	if r.Outcome.Tokens == nil {
		r.Outcome.Tokens = []ReceiptToken{}
	}
	r.Digest = r.digest()
	return canonical(r)
}

func (r Receipt) digest() string {
	r.Digest = ""
	sum := sha256.Sum256(canonical(r))
	return hex.EncodeToString(sum[:])
}

// Verified is a receipt whose outcome follows from it, with the table in it.
type Verified struct {
	Receipt
	Table     Table
	TableHash [32]byte
	Outcome   Outcome
}

// Verify reads a receipt and repeats its draw. The error says what does not fit.
//
// Verify does not check the receipt's inputs. To trust them, compare the burn with the chain, or the payment's record with the
// public log and its anchor with the chain; the place where the table is fixed with the chain; the beacon's key, genesis and period
// with its documentation (see Quicknet); and what came before with the receipts of earlier openings.
func Verify(text []byte, verify Verifier) (none Verified, err error) {
	r, err := parseReceipt(text)
	if err != nil {
		return none, err
	}
	table, err := ParseTable([]byte(r.Table))
	if err != nil {
		return none, err
	}
	for _, check := range []func(Table) error{r.checkOrigin, r.checkFixed, r.checkBefore} {
		if err := check(table); err != nil {
			return none, err
		}
	}
	randomness, err := r.randomness(verify)
	if err != nil {
		return none, err
	}
	hash := sha256.Sum256([]byte(r.Table)) // ParseTable takes the canonical text only
	origin, _ := r.Origin()
	got := table.Draw(NewWords(randomness, origin, hash), Luck(r.Before))
	if want := OutcomeOf(got); !want.equals(r.Outcome) {
		return none, fmt.Errorf("the draw gives %q %v, and the receipt says %q %v", want.Drop, want.Tokens, r.Outcome.Drop, r.Outcome.Tokens)
	}
	return Verified{Receipt: r, Table: table, TableHash: hash, Outcome: got}, nil
}

// parseReceipt reads a receipt and checks what concerns its text and its numbers.
func parseReceipt(text []byte) (r Receipt, err error) {
	if len(text) > maxReceipt || !utf8.Valid(text) {
		return r, errors.New("this is no receipt: it is longer than 1 MB, or not in UTF-8")
	}
	if err := parse(text, &r); err != nil {
		return r, fmt.Errorf("this is no receipt: %w", err)
	}
	if r.Version != receiptVersion || (r.Burn == nil) == (r.Purchase == nil) || !bytes.Equal(canonical(r), text) {
		return r, errors.New("this is no receipt of version 3, or not as it was written")
	}
	if r.Before.Given == nil || r.Outcome.Tokens == nil {
		return r, errors.New("a list is missing")
	}
	if r.Digest != r.digest() {
		return r, errors.New("the receipt was changed: its digest does not fit")
	}
	return r, r.bounds()
}

// bounds refuses numbers that other implementations cannot hold, and other spellings of the same receipt.
func (r Receipt) bounds() error {
	// Negative counts become large ones.
	counts := []uint64{r.Beacon.Round, uint64(r.Before.Without), r.Fixed.Block, uint64(r.Fixed.ChainID)}
	least := min(r.Fixed.Block, uint64(r.Fixed.ChainID))
	times := []int64{r.Beacon.Genesis, r.Fixed.BlockTime}
	if b := r.Burn; b != nil {
		counts = append(counts, uint64(b.ChainID), b.LogIndex, b.Number, b.Block)
		times, least = append(times, b.BlockTime), min(least, b.Block, uint64(b.ChainID))
	}
	if p := r.Purchase; p != nil {
		a := p.Anchor
		counts = append(counts, p.Record, a.Record, uint64(a.ChainID), a.Block)
		times, least = append(times, p.RecordedAt, a.BlockTime), min(least, p.Record, uint64(a.ChainID), a.Block)
		if err := p.purchase().Validate(); err != nil {
			return err
		}
		if a.Record < p.Record {
			return errors.New("the anchor is of an earlier record than the payment's")
		}
	}
	if _, margin := r.decisive(); margin < 0 || margin > int64(MaxMargin/time.Second) {
		return errors.New("the margin is not from 0 to 604800 seconds")
	}
	for _, n := range r.Before.Given {
		counts = append(counts, uint64(n))
	}
	if slices.Max(counts) > maxCount || least == 0 {
		return fmt.Errorf("a count is below the least it can be, or above %d", uint64(maxCount))
	}
	for _, seconds := range times {
		if seconds < 0 || seconds > onchain.MaxTime().Unix() {
			return errors.New("the times are malformed")
		}
	}
	return nil
}

// checkOrigin checks that the table is that of the pack.
func (r Receipt) checkOrigin(t Table) error {
	switch {
	case r.Purchase != nil && t.Token != "":
		return errors.New("the table is of packs that are burned, and this one was bought in a shop")
	case r.Burn != nil && (t.Token == "" || t.Token != r.Burn.Token):
		return fmt.Errorf("the table is of the token %q, and the burned one is %q", t.Token, r.Burn.Token)
	}
	return nil
}

// checkFixed checks that the table was fixed before the burn or the payment, and in a place that is right for it.
func (r Receipt) checkFixed(Table) error {
	f := r.Fixed
	_, at := r.Origin()
	switch {
	case f.By != ByContract && f.By != ByWallet:
		return fmt.Errorf("%q is no way to fix a table", f.By)
	case f.By == ByContract && (r.Burn == nil || f.Address != r.Burn.Contract || f.ChainID != r.Burn.ChainID):
		return errors.New("the table is fixed in another contract than that of the pack")
	case r.Purchase != nil && f.BlockTime >= at.Unix(), r.Burn != nil && f.BlockTime > at.Unix(),
		r.Burn != nil && f.ChainID == r.Burn.ChainID && f.Block > r.Burn.Block,
		r.Purchase != nil && f.ChainID == r.Purchase.Anchor.ChainID && f.Block >= r.Purchase.Anchor.Block:
		return fmt.Errorf("the table was not fixed yet at the time of the %s, %s", r.what(), at.Format(time.RFC3339))
	}
	return nil
}

// checkBefore checks that what came before has what the table counts and nothing else.
func (r Receipt) checkBefore(t Table) error {
	if want := t.LuckOf(Luck(r.Before)); want.Without != r.Before.Without {
		return errors.New("the count of openings without luck is none that the table's pity rule can have")
	}
	for _, c := range t.Caps {
		if _, ok := r.Before.Given[c.Item]; !ok {
			return fmt.Errorf("what was given of %s before is missing", c.Item)
		}
	}
	if len(r.Before.Given) != len(t.Caps) {
		return errors.New("counts of items that the table does not cap")
	}
	return nil
}

// Origin returns what was opened, and the time of the burn's block or of the first record of the payment. It returns nil if
// the receipt has neither.
func (r Receipt) Origin() (o Origin, at time.Time) {
	switch {
	case r.Burn != nil:
		b := r.Burn
		return Burn{Chain: b.ChainID, Tx: b.Tx, LogIndex: b.LogIndex, Number: b.Number}, time.Unix(b.BlockTime, 0).UTC()
	case r.Purchase != nil:
		return r.Purchase.purchase(), time.Unix(r.Purchase.RecordedAt, 0).UTC()
	}
	return nil, time.Time{}
}

func (p ReceiptPurchase) purchase() Purchase {
	return Purchase{Shop: p.Shop, Order: p.Order, Line: p.Line, Unit: p.Unit, Nonce: p.Nonce}
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

// decisive returns the time, in Unix seconds, and the margin, in seconds, of the block that decides the round: of the burn, or of the
// anchor of the payment's record.
func (r Receipt) decisive() (blockTime, margin int64) {
	if p := r.Purchase; p != nil {
		return p.Anchor.BlockTime, p.Anchor.Margin
	}
	return r.Burn.BlockTime, r.Burn.Margin
}

// randomness checks that the round is the one that the block of the burn or of the anchor names, and that the beacon signed it.
func (r Receipt) randomness(verify Verifier) (none [32]byte, err error) {
	b := r.Beacon
	if b.Scheme != Scheme || b.Period < 1 || b.Period > maxPeriod {
		return none, fmt.Errorf("the beacon's scheme is not %s, or its period not from 1 to %d seconds", Scheme, maxPeriod)
	}
	at, margin := r.decisive()
	schedule := Schedule{Genesis: time.Unix(b.Genesis, 0), Period: time.Duration(b.Period) * time.Second}
	if want := schedule.RoundAfter(time.Unix(at, 0), time.Duration(margin)*time.Second); want != b.Round {
		return none, fmt.Errorf("the %s's round is %d, not %d", r.what(), want, b.Round)
	}
	key, err := lowerHex(b.PublicKey)
	if err != nil {
		return none, errors.New("the beacon's key is malformed")
	}
	signature, err := lowerHex(b.Signature)
	if err != nil {
		return none, errors.New("the round's signature is malformed")
	}
	return verify(key, b.Round, signature)
}

func lowerHex(text string) ([]byte, error) {
	if strings.ToLower(text) != text {
		return nil, errors.New("not in lower case")
	}
	return hex.DecodeString(text)
}
