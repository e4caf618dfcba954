package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
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
	BlockTime time.Time       `json:"blockTime"`
	Hash      [32]byte        `json:"-"`
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
		var page struct {
			Records []loggedRecord `json:"records"`
			Anchors []anchor       `json:"anchors"`
		}
		if err := s.get(ctx, fmt.Sprintf("/api/packs/records?after=%d&limit=500", after), &page); err != nil {
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
	for _, a := range l.anchors {
		if a.Number >= number {
			return a, true
		}
	}
	return a, false
}

// matches checks that the log has the record of a receipt.
func (l records) matches(v draw.Verified) error {
	want, _ := v.Record()
	got, ok := l.byNumber[want.Number]
	if !ok {
		return fmt.Errorf("the public log has no record %d", want.Number)
	}
	if !bytes.Equal(got.Canonical(), want.Canonical()) {
		return fmt.Errorf("the public log has another record of number %d: %s", want.Number, got.Canonical())
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

// anchored checks that an anchor is of a record of the log, and that the chain has it.
func (a *Auditor) anchored(ctx context.Context, l records, at anchor) error {
	if err := l.fits(at.Number, at.Hash); err != nil {
		return err
	}
	n, err := a.node(at.ChainID)
	if err != nil {
		return err
	}
	return n.sent(ctx, sentBy{draw.ReceiptAddress(at.Wallet), at.TxID, at.Block, at.BlockTime.Unix()}, draw.RecordsAnchor(at.Number, at.Hash))
}

// record checks that the public log of payments has the record, unchanged, and that the chain has it in time.
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
	at, ok := l.cover(v.Purchase.Record)
	if !ok {
		return away("record %d is not anchored yet", v.Purchase.Record)
	}
	if err := at.inTime(l.byNumber[v.Purchase.Record].Record); err != nil {
		return err
	}
	return a.anchored(ctx, l, at)
}
