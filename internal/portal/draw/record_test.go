package draw_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
)

// recordTable is SHA-256("table").
const recordTable = "0d4fc4a78d3706edccafb665a8b2fdd9309e82c78625bb0f2b8e7bb9e1c4d21c"

var recordNonce = eth.Hash(bytes.Repeat([]byte{0xab}, 32))

// logged returns a log of three records. Their hashes were computed with Python's hashlib.
func logged(t *testing.T) []draw.LoggedRecord {
	t.Helper()
	first := draw.Record{
		Number: 1, OpeningID: "gift-shop-7731-1-0", Kind: "destiny-gold", Edition: 1, Table: recordTable, Nonce: recordNonce,
		RecordedAt: 1767225600,
	}
	second := first
	second.Number, second.OpeningID = 2, "gift-shop-7731-1-1"
	third := draw.Record{
		Number: 3, OpeningID: "gift-shop-7732-9-0", Kind: "destiny-bronze", Edition: 2, Table: recordTable, RecordedAt: 1767225603,
	}
	log := []draw.LoggedRecord{{Record: first}, {Record: second}, {Record: third}}
	for i, hash := range []string{
		"b407ed9d4ee9e2f0dfb4d7afcb5033cb9f8720a1379545450d5b21cdc569d992",
		"c3ae9f219e293eff591616d1d04018f2237a794248435de442f2f9ab5cab5ee8",
		"4e276a38b7cfa8b1b3d8bba63372040e5d6271f88762a7faadc794d8c3f07858",
	} {
		if n, err := hex.Decode(log[i].Hash[:], []byte(hash)); n != 32 || err != nil {
			t.Fatal(err)
		}
	}
	return log
}

func TestRecord_CanonicalTextAndHashAreThoseOfTheVectors(t *testing.T) {
	t.Parallel()
	log := logged(t)
	const want = `{"number":3,"openingId":"gift-shop-7732-9-0","kind":"destiny-bronze","edition":2,"table":"` + recordTable +
		`","nonce":"0x0000000000000000000000000000000000000000000000000000000000000000","recordedAt":1767225603}`
	if got := string(log[2].Canonical()); got != want {
		t.Errorf("canonical %s, want %s", got, want)
	}
	previous := [32]byte{}
	for _, r := range log {
		if got := r.HashAfter(previous); got != r.Hash {
			t.Errorf("record %d: hash %x, want %x", r.Number, got, r.Hash)
		}
		previous = r.Hash
	}
	const anchor = "70616e7468656f6e2f7265636f7264732f7631" + "0000000000000003" +
		"4e276a38b7cfa8b1b3d8bba63372040e5d6271f88762a7faadc794d8c3f07858"
	if got := hex.EncodeToString(draw.RecordsAnchor(3, log[2].Hash)); got != anchor {
		t.Errorf("anchor %s, want %s", got, anchor)
	}
}

func TestRecords_AnchorsAreRecognisedAndNothingElseIs(t *testing.T) {
	t.Parallel()
	hash := [32]byte{31: 7}
	input := draw.RecordsAnchor(1<<40+5, hash)
	if number, got, ok := draw.ParseRecordsAnchor(input); number != 1_099_511_627_781 || got != hash || !ok {
		t.Errorf("%d, %x, %v", number, got, ok)
	}
	for what, other := range map[string][]byte{
		"nothing": nil, "shorter": input[:len(input)-1], "longer": append(slices.Clone(input), 0), "a table": draw.Anchor(hash),
		"another domain": append([]byte("P"), input[1:]...),
	} {
		if number, _, ok := draw.ParseRecordsAnchor(other); ok {
			t.Errorf("%s is an anchor of record %d", what, number)
		}
	}
}

func TestRecords_WholeLogAndAnyPartOfItAreVerified(t *testing.T) {
	t.Parallel()
	log := logged(t)
	for from := range len(log) + 1 {
		before := draw.LoggedRecord{}
		if from > 0 {
			before = log[from-1]
		}
		if err := draw.VerifyRecords(before, log[from:]); err != nil {
			t.Errorf("from record %d on: %v", from+1, err)
		}
	}
}

// Spec: DRAW-5
func TestRecords_EachChangeOfTheLogIsFound(t *testing.T) {
	t.Parallel()
	// rehash gives a changed log right hashes again, as whoever changes it would.
	rehash := func(log []draw.LoggedRecord) {
		previous := [32]byte{}
		for i := range log {
			log[i].Hash = log[i].HashAfter(previous)
			previous = log[i].Hash
		}
	}
	type chain = []draw.LoggedRecord
	for name, c := range map[string]struct {
		change func(l chain) chain
		want   string
	}{
		"another time":   {func(l chain) chain { l[1].RecordedAt++; return l }, "record 2: its hash"},
		"another nonce":  {func(l chain) chain { l[0].Nonce[31]++; return l }, "record 1: its hash"},
		"another hash":   {func(l chain) chain { l[0].Hash[0]++; return l }, "record 1: its hash"},
		"one is missing": {func(l chain) chain { return append(l[:1], l[2]) }, "record 3: it follows record 1"},
		"one is missing and the others are numbered again": {func(l chain) chain {
			l[2].Number = 2
			return append(l[:1], l[2])
		}, "record 2: its hash"},
		"in another order": {func(l chain) chain { l[0], l[1] = l[1], l[0]; return l }, "record 2: it follows record 0"},
		"recorded twice": {func(l chain) chain {
			l[2].OpeningID = l[0].OpeningID
			rehash(l)
			return l
		}, "record 3: opening gift-shop-7731-1-0 is recorded twice"},
		"dated back": {func(l chain) chain {
			l[2].RecordedAt = 1767225599
			rehash(l)
			return l
		}, "record 3: it is older"},
		"number 0":          {func(l chain) chain { l[0].Number = 0; return l }, "record 0: its number"},
		"a burn":            {func(l chain) chain { l[0].OpeningID = "1-0xab-0-0"; return l }, "record 1: its opening"},
		"a quote in its id": {func(l chain) chain { l[0].OpeningID = `a"-1-1-0`; return l }, "record 1: its opening"},
		"a long id": {func(l chain) chain {
			l[0].OpeningID = strings.Repeat("a", 80) + "-1-1-0"
			return l
		}, "record 1: its opening"},
		"no edition":          {func(l chain) chain { l[0].Edition = 0; return l }, "record 1: its opening"},
		"a table in capitals": {func(l chain) chain { l[0].Table = strings.ToUpper(recordTable); return l }, "record 1: the hash of its table"},
		"a short table":       {func(l chain) chain { l[0].Table = recordTable[2:]; return l }, "record 1: the hash of its table"},
		"a time before 1970":  {func(l chain) chain { l[0].RecordedAt = -1; return l }, "record 1: its time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := draw.VerifyRecords(draw.LoggedRecord{}, c.change(logged(t)))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestRecord_FollowsFromTheReceiptOfAPurchaseAlone(t *testing.T) {
	t.Parallel()
	v := draw.Verified{
		Receipt: draw.Receipt{
			Purchase: &draw.ReceiptPurchase{Shop: "gift-shop", Order: 7732, Line: 9, Record: 3, RecordedAt: 1767225603},
		},
		Table: draw.Table{Kind: "destiny-bronze", Edition: 2},
	}
	if _, err := hex.Decode(v.TableHash[:], []byte(recordTable)); err != nil {
		t.Fatal(err)
	}
	if r, ok := v.Record(); !ok || r != logged(t)[2].Record {
		t.Errorf("%+v, %v", r, ok)
	}
	if _, ok := (draw.Verified{Receipt: draw.Receipt{Burn: &draw.ReceiptBurn{}}}).Record(); ok {
		t.Error("a burn has a record of a payment")
	}
}
