package draw_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"pantheon/internal/beacon"
	"pantheon/internal/portal/draw"
)

var update = flag.Bool("update", false, "write testdata anew")

// receiptOf draws the opening of a burn with a beacon of the tests.
func receiptOf(t testing.TB, n uint64, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	return receiptAt(t, n, burnOf(n), table, before)
}

// purchaseReceiptOf draws the opening of a purchase with a beacon of the tests.
func purchaseReceiptOf(t testing.TB, n uint64, before draw.Luck) draw.Receipt {
	t.Helper()
	return receiptAt(t, n, purchaseOf(n), destiny(), before)
}

func receiptAt(t testing.TB, n uint64, origin draw.Origin, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	signer := beacon.NewSigner([32]byte{9})
	schedule := draw.Schedule{Genesis: begin.Add(-time.Hour), Period: time.Second}
	block := begin.Add(time.Duration(n) * time.Second)
	round := schedule.RoundAfter(block)
	signature, err := signer.Sign(round)
	if err != nil {
		t.Fatal(err)
	}
	return receipt(t, draw.ReceiptBeacon{
		Scheme: "bls-unchained-g1-rfc9380", PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Genesis: schedule.Genesis.Unix(), Period: 1,
		Round: round, Signature: hex.EncodeToString(signature),
	}, block, origin, table, before)
}

func receipt(t testing.TB, b draw.ReceiptBeacon, at time.Time, origin draw.Origin, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	randomness, err := beacon.VerifyRound(unhex(t, b.PublicKey), b.Round, unhex(t, b.Signature))
	if err != nil {
		t.Fatal(err)
	}
	if before.Drawn == nil {
		before.Drawn = map[string]int64{}
	}
	out := table.Draw(draw.NewWords(randomness, origin, table.Hash()), before)
	r := draw.ReceiptOf(origin, at)
	r.Beacon, r.Table, r.Before, r.Outcome = b, string(table.Canonical()), draw.ReceiptLuck(before), draw.OutcomeOf(out)
	return r
}

// quicknetReceipt is of a burn that a real round of drand's quicknet decides.
func quicknetReceipt(t testing.TB) draw.Receipt {
	t.Helper()
	return quicknetReceiptOf(t, burnOf(657413), gods())
}

func quicknetReceiptOf(t testing.TB, origin draw.Origin, table draw.Table) draw.Receipt {
	t.Helper()
	table.From = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	quicknet := draw.Schedule{Genesis: time.Unix(1692803367, 0), Period: 3 * time.Second}
	return receipt(t, draw.ReceiptBeacon{
		Scheme: "bls-unchained-g1-rfc9380", Genesis: 1692803367, Period: 3, Round: 657413,
		PublicKey: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
		Signature: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
	}, quicknet.PublishedAt(657413).Add(-6*time.Second), origin, table, draw.Luck{})
}

func TestReceipt_IsVerifiedFromItsTextAlone(t *testing.T) {
	t.Parallel()
	for _, before := range []draw.Luck{{}, {Without: 8}, {Without: 9}, {Without: 9, Drawn: map[string]int64{"god": 3}}} {
		for n := range uint64(40) {
			text := receiptOf(t, n, gods(), before).Encode()
			if _, err := draw.Verify(text, beacon.VerifyRound); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
	}
	for n := range uint64(40) {
		text := purchaseReceiptOf(t, n, draw.Luck{Drawn: map[string]int64{"god": int64(n % 5)}}).Encode()
		r, err := draw.Verify(text, beacon.VerifyRound)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if want := fmt.Sprintf("gift-shop-%d-%d-%d", 9007199254740991-n, n%7, n%3); r.Opening() != want || r.Version != 2 {
			t.Errorf("version %d, opening %s, want %s", r.Version, r.Opening(), want)
		}
	}
	if r, err := draw.Verify(quicknetReceipt(t).Encode(), beacon.VerifyRound); err != nil || r.Beacon.Round != 657413 || r.Table.Kind != "god" || r.TableHash != r.Table.Hash() {
		t.Errorf("with a real round: %v", err)
	}
}

func TestReceipt_AnyByteChangedFails(t *testing.T) {
	t.Parallel()
	for _, r := range []draw.Receipt{receiptOf(t, 5, gods(), draw.Luck{Without: 3}), purchaseReceiptOf(t, 5, draw.Luck{})} {
		text := r.Encode()
		for i := range text {
			for _, bit := range []byte{1, 32, 128} {
				changed := bytes.Clone(text)
				changed[i] ^= bit
				if _, err := draw.Verify(changed, beacon.VerifyRound); err == nil {
					t.Fatalf("verified: %s", changed)
				}
			}
		}
		for _, other := range [][]byte{nil, []byte("{}"), append(bytes.Clone(text), ' '), append(bytes.Clone(text), text...), text[:len(text)-1]} {
			if _, err := draw.Verify(other, beacon.VerifyRound); err == nil {
				t.Errorf("verified: %s", other)
			}
		}
	}
}

// A forger writes a new digest, so each part has to be wrong by itself.
func TestReceipt_AForgedOneFails(t *testing.T) {
	t.Parallel()
	other, err := beacon.NewSigner([32]byte{8}).Sign(3700)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		forge func(*draw.Receipt)
		want  string
	}{
		"another outcome":          {func(r *draw.Receipt) { r.Outcome.Drop = "god" }, "the draw gives"},
		"a pity that was not":      {func(r *draw.Receipt) { r.Outcome.Pity = true }, "the draw gives"},
		"a token of one's choice":  {func(r *draw.Receipt) { r.Outcome.Tokens = []string{"7"} }, "the draw gives"},
		"a later round":            {func(r *draw.Receipt) { r.Beacon.Round++ }, "the burn's round is"},
		"a later burn":             {func(r *draw.Receipt) { r.Burn.BlockTime++ }, "the burn's round is"},
		"another beacon's signing": {func(r *draw.Receipt) { r.Beacon.Signature = hex.EncodeToString(other) }, "not the beacon's"},
		"no signature":             {func(r *draw.Receipt) { r.Beacon.Signature = "" }, "not the beacon's"},
		"another scheme":           {func(r *draw.Receipt) { r.Beacon.Scheme = "pedersen-bls-chained" }, "scheme"},
		"rounds without a period":  {func(r *draw.Receipt) { r.Beacon.Period = 0 }, "scheme"},
		"no key":                   {func(r *draw.Receipt) { r.Beacon.PublicKey = "zz" }, "key is malformed"},
		"a table of tomorrow": {func(r *draw.Receipt) {
			table := gods()
			table.From = begin.Add(24 * time.Hour)
			r.Table = string(table.Canonical())
		}, "not in force"},
		"a table that breaks rules": {func(r *draw.Receipt) { r.Table = strings.Replace(r.Table, `"total":1000`, `"total":1001`, 1) }, "weights add up"},
		"a period above a day":      {func(r *draw.Receipt) { r.Beacon.Period = 86_401 }, "period"},
		"a period of a day":         {func(r *draw.Receipt) { r.Beacon.Period = 86_400 }, "the burn's round is"},
		"the largest count":         {func(r *draw.Receipt) { r.Burn.LogIndex, r.Outcome.Drop = 9007199254740991, "hat" }, "the draw gives"},
		"the version of purchases":  {func(r *draw.Receipt) { r.Version = 2 }, "no receipt of version 1 or 2"},
		"the next version":          {func(r *draw.Receipt) { r.Version = 3 }, "no receipt of version 1 or 2"},
		"neither burn nor purchase": {func(r *draw.Receipt) { r.Burn = nil }, "no receipt of version 1 or 2"},
		"a burn and a purchase":     {func(r *draw.Receipt) { r.Purchase = &draw.ReceiptPurchase{Shop: "gift-shop"} }, "no receipt of version 1 or 2"},
		"a period that overflows":   {func(r *draw.Receipt) { r.Beacon.Period = 1 << 55 }, "period"},
		"a time that overflows":     {func(r *draw.Receipt) { r.Burn.BlockTime = 1 << 52 }, "times"},
		"a table of the year 10000": {func(r *draw.Receipt) {
			r.Table = strings.Replace(r.Table, "2026-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", 1)
		}, "from: must be"},
		"a table of the year -1": {func(r *draw.Receipt) {
			r.Table = strings.Replace(r.Table, "2026-01-01T00:00:00Z", "0000-01-01T00:00:00+01:00", 1)
		}, "from: must be"},
		"a key in capitals":       {func(r *draw.Receipt) { r.Beacon.PublicKey = strings.ToUpper(r.Beacon.PublicKey) }, "key is malformed"},
		"a signature in capitals": {func(r *draw.Receipt) { r.Beacon.Signature = strings.ToUpper(r.Beacon.Signature) }, "signature is malformed"},
		"a count of no drop":      {func(r *draw.Receipt) { r.Before.Drawn = map[string]int64{"7": 1} }, "is no drop"},
		"more than numbers hold":  {func(r *draw.Receipt) { r.Burn.LogIndex = 9007199254740992 }, "a count is"},
		"a negative count":        {func(r *draw.Receipt) { r.Before.Without = -1 }, "a count is"},
		"a drop drawn less often": {func(r *draw.Receipt) { r.Before.Drawn = map[string]int64{"god": -1} }, "a count is"},
		"a time before 1970":      {func(r *draw.Receipt) { r.Burn.BlockTime = -1 }, "times"},
		"a beacon of year 10000":  {func(r *draw.Receipt) { r.Beacon.Genesis = 253402300800 }, "times"},
	} {
		r := receiptOf(t, 5, gods(), draw.Luck{Without: 3})
		c.forge(&r)
		if _, err := draw.Verify(r.Encode(), beacon.VerifyRound); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// Each field of a purchase, and what only burns may have.
func TestReceipt_AForgedPurchaseFails(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		forge func(*draw.Receipt)
		want  string
	}{
		"another shop":              {func(r *draw.Receipt) { r.Purchase.Shop = "gift-shop-2" }, "the draw gives"},
		"another order":             {func(r *draw.Receipt) { r.Purchase.Order-- }, "the draw gives"},
		"another line":              {func(r *draw.Receipt) { r.Purchase.Line += 2 }, "the draw gives"},
		"another unit":              {func(r *draw.Receipt) { r.Purchase.Unit++ }, "the draw gives"},
		"a later payment":           {func(r *draw.Receipt) { r.Purchase.RecordedAt++ }, "the purchase's round is"},
		"a later round":             {func(r *draw.Receipt) { r.Beacon.Round++ }, "the purchase's round is"},
		"an earlier payment":        {func(r *draw.Receipt) { r.Purchase.RecordedAt = begin.Unix() - 1 }, "not in force yet at the time of the purchase"},
		"another outcome":           {func(r *draw.Receipt) { r.Outcome.Drop = "hat" }, "the draw gives"},
		"a drop drawn more often":   {func(r *draw.Receipt) { r.Before.Drawn = map[string]int64{"god": 3} }, "the draw gives"},
		"no shop":                   {func(r *draw.Receipt) { r.Purchase.Shop = "" }, "shop's name is malformed"},
		"a shop in capitals":        {func(r *draw.Receipt) { r.Purchase.Shop = "Gift-shop" }, "shop's name is malformed"},
		"a shop that is a number":   {func(r *draw.Receipt) { r.Purchase.Shop = "7" }, "shop's name is malformed"},
		"a shop of 33 letters":      {func(r *draw.Receipt) { r.Purchase.Shop = strings.Repeat("a", 33) }, "shop's name is malformed"},
		"an order that is too much": {func(r *draw.Receipt) { r.Purchase.Order = 9007199254740992 }, "above 9007199254740991"},
		"a line that is too much":   {func(r *draw.Receipt) { r.Purchase.Line = 9007199254740992 }, "above 9007199254740991"},
		"a unit that is too much":   {func(r *draw.Receipt) { r.Purchase.Unit = 9007199254740992 }, "above 9007199254740991"},
		"a time before 1970":        {func(r *draw.Receipt) { r.Purchase.RecordedAt = -1 }, "times"},
		"a time that overflows":     {func(r *draw.Receipt) { r.Purchase.RecordedAt = 1 << 62 }, "times"},
		"openings before it":        {func(r *draw.Receipt) { r.Before.Without = 1 }, "a purchase has no wallet"},
		"a pity rule": {func(r *draw.Receipt) {
			table := gods()
			r.Table = string(table.Canonical())
		}, "a purchase has no wallet"},
		"the version of burns":      {func(r *draw.Receipt) { r.Version = 1 }, "no receipt of version 1 or 2"},
		"the next version":          {func(r *draw.Receipt) { r.Version = 3 }, "no receipt of version 1 or 2"},
		"neither burn nor purchase": {func(r *draw.Receipt) { r.Purchase = nil }, "no receipt of version 1 or 2"},
		"a burn and a purchase":     {func(r *draw.Receipt) { r.Burn = &draw.ReceiptBurn{ChainID: 1} }, "no receipt of version 1 or 2"},
		"a burn in its place":       {func(r *draw.Receipt) { r.Burn, r.Purchase = &draw.ReceiptBurn{BlockTime: r.Purchase.RecordedAt}, nil }, "no receipt of version 1 or 2"},
	} {
		r := purchaseReceiptOf(t, 20, draw.Luck{})
		c.forge(&r)
		if _, err := draw.Verify(r.Encode(), beacon.VerifyRound); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	longest := receiptAt(t, 5, draw.Purchase{Shop: strings.Repeat("a", 32)}, destiny(), draw.Luck{})
	if _, err := draw.Verify(longest.Encode(), beacon.VerifyRound); err != nil {
		t.Errorf("a shop of 32 letters: %v", err)
	}
}

func TestReceipt_QuicknetIsKnownByAllThatDefinesIt(t *testing.T) {
	t.Parallel()
	if !draw.Quicknet(quicknetReceipt(t).Beacon) {
		t.Error("quicknet is not known")
	}
	for what, change := range map[string]func(*draw.ReceiptBeacon){
		"scheme":  func(b *draw.ReceiptBeacon) { b.Scheme = "pedersen-bls-chained" },
		"genesis": func(b *draw.ReceiptBeacon) { b.Genesis++ },
		"period":  func(b *draw.ReceiptBeacon) { b.Period++ },
		"key":     func(b *draw.ReceiptBeacon) { b.PublicKey = strings.Replace(b.PublicKey, "83cf", "83ce", 1) },
	} {
		b := quicknetReceipt(t).Beacon
		change(&b)
		if draw.Quicknet(b) {
			t.Errorf("a beacon with another %s passes for quicknet", what)
		}
	}
}

// The site's implementation is held to the same receipts; see web/app/features/packs/verify.test.ts.
func TestReceipt_TheSharedOnesAreTheSame(t *testing.T) {
	t.Parallel()
	var texts []string
	for n := range uint64(24) {
		texts = append(texts, string(receiptOf(t, n, gods(), draw.Luck{Without: int64(n % 11), Drawn: map[string]int64{"god": int64(n % 5)}}).Encode()))
	}
	// One whose signature can be written in a second way, with the coordinate plus the field's modulus.
	for n := uint64(24); ; n++ {
		r := receiptOf(t, n, gods(), draw.Luck{})
		x := unhex(t, r.Beacon.Signature)
		x[0] &= 0x1f
		if new(big.Int).Add(new(big.Int).SetBytes(x), fp.Modulus()).BitLen() <= 381 {
			texts = append(texts, string(r.Encode()))
			break
		}
	}
	texts = append(texts, string(quicknetReceipt(t).Encode()))
	areShared(t, "testdata/receipts.json", texts)
}

func TestReceipt_TheSharedOnesOfPurchasesAreTheSame(t *testing.T) {
	t.Parallel()
	var texts []string
	for n := range uint64(24) {
		texts = append(texts, string(purchaseReceiptOf(t, n, draw.Luck{Drawn: map[string]int64{"god": int64(n % 5)}}).Encode()))
	}
	texts = append(texts, string(quicknetReceiptOf(t, purchaseOf(657413), destiny()).Encode()))
	areShared(t, "testdata/purchases.json", texts)
}

// areShared compares receipts with those of a file.
func areShared(t *testing.T, file string, texts []string) {
	t.Helper()
	want, err := json.MarshalIndent(texts, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs: receipts must stay readable (%v)", file, err)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(receiptOf(f, 5, gods(), draw.Luck{Without: 3}).Encode())
	f.Add(quicknetReceipt(f).Encode())
	f.Add(purchaseReceiptOf(f, 5, draw.Luck{}).Encode())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := draw.Verify(text, beacon.VerifyRound)
		if err == nil && !bytes.Equal(r.Encode(), text) {
			t.Errorf("a receipt that is verified is not as it was written: %s", text)
		}
	})
}
