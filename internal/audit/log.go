package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// records is the public log of payments, or a part of it. The hashes of its records follow from one another.
type records struct {
	byNumber map[uint64]draw.LoggedRecord
	byID     map[string]uint64 // numbers, by opening
	anchors  []anchor          // by their numbers
	first    uint64            // the number of the first record
	last     draw.LoggedRecord
}

type loggedRecord struct {
	draw.Record
	RecordedAt time.Time `json:"recordedAt"`
	Hash       string    `json:"hash"`
}

type anchor struct {
	Number    uint64          `json:"number"`
	HashHex   string          `json:"hash"`
	ChainID   onchain.ChainID `json:"chainId"`
	Wallet    eth.Address     `json:"wallet"`
	TxID      eth.Hash        `json:"txId"`
	Block     uint64          `json:"block"`
	BlockHash eth.Hash        `json:"blockHash"`
	BlockTime time.Time       `json:"blockTime"`
	Margin    int64           `json:"margin"` // seconds
	Hash      [32]byte        `json:"-"`
}

// receipt returns the anchor as receipts have it.
func (a anchor) receipt() draw.ReceiptAnchor {
	return draw.ReceiptAnchor{
		Record: a.Number, ChainID: a.ChainID, Wallet: draw.ReceiptAddress(a.Wallet), Tx: a.TxID, Block: a.Block, BlockHash: a.BlockHash,
		BlockTime: a.BlockTime.Unix(), Margin: a.Margin,
	}
}

func hash32(text string) (out [32]byte, err error) {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(b) != 32 {
		return out, errors.New("the public log: a hash is malformed")
	}
	return [32]byte(b), nil
}

// records returns the log from the record before a number to the first anchor that covers it; all of the log for 0. With an error,
// it returns the part before what is wrong.
func (s site) records(ctx context.Context, number uint64) (l records, err error) {
	l = records{byNumber: map[uint64]draw.LoggedRecord{}, byID: map[string]uint64{}}
	after := max(number, 2) - 2
	for {
		page, err := s.recordPage(ctx, after)
		if err != nil {
			return l, err
		}
		if err := l.add(page.Records, page.Anchors, after > 0); err != nil {
			return l, err
		}
		if at, ok := l.cover(number); len(page.Records) == 0 || number > 0 && ok && at.Number <= l.last.Number {
			return l, nil
		}
		after = l.last.Number
	}
}

// recordPage is a part of the log as the portal publishes it: records, and anchors from the first one's number on, up to the first that
// covers the last one.
type recordPage struct {
	Records []loggedRecord `json:"records"`
	Anchors []anchor       `json:"anchors"`
}

const recordsOfPage = 500

func (s site) recordPage(ctx context.Context, after uint64) (p recordPage, err error) {
	err = s.get(ctx, fmt.Sprintf("/api/packs/records?after=%d&limit=%d", after, recordsOfPage), &p)
	return p, err
}

// anchorsBefore returns the newest of the anchors that do not cover a record, by their numbers: back to one whose block is dated before
// a time, in Unix seconds, if there is any.
func (s site) anchorsBefore(ctx context.Context, number uint64, at int64) (out []anchor, err error) {
	for last := number - 1; last > 0; {
		last = max(last, recordsOfPage) - recordsOfPage
		page, err := s.recordPage(ctx, last)
		if err != nil {
			return nil, err
		}
		if len(page.Records) == 0 {
			return nil, fmt.Errorf("the public log has no record after record %d", last)
		}
		var earlier []anchor
		for _, a := range page.Anchors {
			if a.Number < number && (len(out) == 0 || a.Number < out[0].Number) {
				earlier = append(earlier, a)
			}
		}
		if out = append(earlier, out...); len(out) > 0 && out[0].BlockTime.Unix() < at {
			break
		}
	}
	return out, nil
}

// add adds a page. The first record of a part of the log is taken as it is: its hash follows from what comes before it.
func (l *records) add(page []loggedRecord, anchors []anchor, part bool) error {
	for _, p := range page {
		r := draw.LoggedRecord{Record: p.Record}
		r.RecordedAt = p.RecordedAt.Unix()
		var err error
		if r.Hash, err = hash32(p.Hash); err != nil {
			return err
		}
		if l.first == 0 && part {
			err = r.Validate()
		} else {
			err = draw.VerifyRecords(l.last, []draw.LoggedRecord{r})
		}
		if _, twice := l.byID[r.OpeningID]; err == nil && twice {
			err = fmt.Errorf("record %d: opening %s is recorded twice", r.Number, r.OpeningID)
		}
		if err != nil {
			return fmt.Errorf("the public log: %w", err)
		}
		if l.first == 0 {
			l.first = r.Number
		}
		l.byNumber[r.Number], l.byID[r.OpeningID], l.last = r, r.Number, r
	}
	for _, a := range anchors {
		if n := len(l.anchors); n > 0 && a.Number <= l.anchors[n-1].Number {
			continue // it came with the page before
		}
		var err error
		if a.Hash, err = hash32(a.HashHex); err != nil {
			return err
		}
		l.anchors = append(l.anchors, a)
	}
	return nil
}

// cover returns the first anchor that covers a record; ok is false without one.
func (l records) cover(number uint64) (a anchor, ok bool) {
	i, _ := slices.BinarySearchFunc(l.anchors, number, func(a anchor, number uint64) int { return cmp.Compare(a.Number, number) })
	if i == len(l.anchors) {
		return a, false
	}
	return l.anchors[i], true
}

// matches checks that the log has the record of a receipt, and the receipt's anchor as the first one that covers it.
func (l records) matches(v draw.Verified) error {
	want, _ := v.Record()
	got, ok := l.byNumber[want.Number]
	if !ok {
		return fmt.Errorf("the public log has no record %d", want.Number)
	}
	if !bytes.Equal(got.Canonical(), want.Canonical()) {
		return fmt.Errorf("the public log has another record of number %d: %s", want.Number, got.Canonical())
	}
	at, ok := l.cover(want.Number)
	if !ok {
		tx := v.Purchase.Anchor.Tx
		return fmt.Errorf("the public log has no anchor that covers record %d, and the receipt names transaction %s", want.Number, tx)
	}
	if first := at.receipt(); first != v.Purchase.Anchor {
		shown, err := json.Marshal(first)
		if err != nil {
			return err
		}
		return fmt.Errorf("the receipt's anchor is not the first one that covers record %d in the public log: %s", want.Number, shown)
	}
	return nil
}

// fits checks that the log has the record of an anchor.
func (l records) fits(number uint64, hash [32]byte) error {
	switch r, ok := l.byNumber[number]; {
	case !ok:
		return fmt.Errorf("record %d is anchored, and the public log ends with record %d", number, l.last.Number)
	case r.Hash != hash:
		return fmt.Errorf("record %d was anchored with another hash: records were changed", number)
	}
	return nil
}

// anchorDelay is the longest time between the record of a payment and the block that anchors it. The portal anchors records every
// minute; a record that is anchored later may have been dated back.
const anchorDelay = 10 * time.Minute

// inTime checks that a record was anchored soon after its date.
func (a anchor) inTime(r draw.Record) error {
	if late := time.Duration(a.BlockTime.Unix()-r.RecordedAt) * time.Second; late > anchorDelay {
		return fmt.Errorf("record %d was anchored %s after its date: it may have been dated back", r.Number, late)
	}
	return nil
}

// anchored checks that an anchor is of a record of the log, and that the chain has it as the log has it.
func (a *Auditor) anchored(ctx context.Context, l records, at anchor) error {
	if err := l.fits(at.Number, at.Hash); err != nil {
		return err
	}
	n, err := a.node(at.ChainID)
	if err != nil {
		return err
	}
	sent, err := n.anchor(ctx, at.receipt())
	if err == nil && sent.hash != at.Hash {
		err = fmt.Errorf("transaction %s has the hash %x", at.TxID, sent.hash)
	}
	if err == nil {
		_, err = n.dated(ctx, decisive{at.ChainID, at.BlockHash, at.BlockTime.Unix(), at.Margin})
	}
	if err != nil {
		return fmt.Errorf("the anchor of record %d: %w", at.Number, err)
	}
	return nil
}

// record checks that the public log of payments has the record, unchanged, with the receipt's anchor, and that the chain has that in
// time.
func (a *Auditor) record(ctx context.Context, v draw.Verified) error {
	if a.log != nil { // whose anchors are checked by All
		return a.log.matches(v)
	}
	l, err := a.site.records(ctx, v.Purchase.Record)
	if err != nil {
		return err
	}
	if err := l.matches(v); err != nil {
		return err
	}
	at, _ := l.cover(v.Purchase.Record)
	if err := at.inTime(l.byNumber[v.Purchase.Record].Record); err != nil {
		return err
	}
	return a.anchored(ctx, l, at)
}

// first checks that no wallet of the portal has sent another anchor before the receipt's that covers the record, or that the portal does
// not show: the round should have followed from that. It looks back to the newest anchor from before the payment, or else to the table's.
func (a *Auditor) first(ctx context.Context, v draw.Verified) error {
	p := v.Purchase
	n, err := a.node(p.Anchor.ChainID)
	if err != nil {
		return err
	}
	own, err := n.anchor(ctx, p.Anchor)
	if err != nil {
		return err
	}
	since, shown, err := a.shownBefore(ctx, n, p)
	if err != nil {
		return err
	}
	last := since
	if len(shown) > 0 {
		last = shown[len(shown)-1]
	}
	if err := last.precedes(own); err != nil {
		return err
	}
	from := uint64(0)
	switch {
	case since.number > 0:
		from = since.block - 1
	case v.Fixed.ChainID == p.Anchor.ChainID:
		from = v.Fixed.Block - 1
	}
	for _, wallet := range a.walletsOf(p.Anchor, append(shown, since)) {
		if wallet == own.wallet && own.follows(since, shown) {
			continue
		}
		sent, err := n.anchors(ctx, span{wallet, from, own.block})
		if err != nil {
			return fmt.Errorf("whether the wallet has sent another anchor before: %w", err)
		}
		for _, s := range sent {
			if since.before(s.place) && s.before(own.place) && !slices.Contains(shown, s) {
				return fmt.Errorf("record %d was anchored before, in transaction %s, which the portal does not show", s.number, s.tx)
			}
		}
	}
	return nil
}

// follows reports whether an anchor's wallet has sent nothing but the shown anchors since an earlier one of its own, by their nonces.
func (s sentAnchor) follows(since sentAnchor, shown []sentAnchor) bool {
	for _, other := range shown {
		if other.wallet != s.wallet {
			return false
		}
	}
	return since.number > 0 && since.wallet == s.wallet && s.nonce == since.nonce+uint64(len(shown))+1
}

// walletsOf returns the wallets that may have anchored a record: that of its anchor, those of earlier anchors, and those that the portal
// publishes, as far as they are known.
func (a *Auditor) walletsOf(at draw.ReceiptAnchor, earlier []sentAnchor) []eth.Address {
	out := []eth.Address{eth.Address(at.Wallet)}
	add := func(w eth.Address) {
		if !w.IsZero() && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, s := range earlier {
		add(s.wallet)
	}
	if a.rules != nil && a.rules.Wallet.ChainID == at.ChainID {
		for _, w := range a.rules.wallets() {
			add(w)
		}
	}
	return out
}

// shownBefore returns the newest anchor that the portal shows from before a payment, zero for none, and those since then that do not cover
// the payment's record: all on the anchor's chain.
func (a *Auditor) shownBefore(ctx context.Context, n *node, p *draw.ReceiptPurchase) (since sentAnchor, shown []sentAnchor, err error) {
	earlier, err := a.site.anchorsBefore(ctx, p.Record, p.RecordedAt)
	if err != nil {
		return since, nil, err
	}
	var last sentAnchor
	for _, at := range earlier {
		if at.ChainID != p.Anchor.ChainID {
			continue
		}
		sent, err := n.anchor(ctx, at.receipt())
		if err != nil {
			return since, nil, fmt.Errorf("the anchor of record %d: %w", at.Number, err)
		}
		if err := last.precedes(sent); err != nil {
			return since, nil, err
		}
		last = sent
		made, err := n.block(ctx, at.BlockHash)
		switch {
		case err != nil:
			return since, nil, err
		case int64(made.Time) < p.RecordedAt:
			since, shown = sent, nil
		default:
			shown = append(shown, sent)
		}
	}
	return since, shown, nil
}
