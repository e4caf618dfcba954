// Package draw_test holds the two implementations of the draw against each other: the server writes receipts, and the
// site verifies them.
package draw_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/beacon"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The receipts cover all built-in tables. A few wallets take turns opening each kind that is burned, so that
// the pity rule and the cap are reached on the way.
// Spec: DRAW-4
func TestReceipts_OfTheServerAreVerifiedByTheSite(t *testing.T) {
	receipts, rounds := 10_000, 300
	if testing.Short() {
		receipts, rounds = 400, 10
	}
	texts := write(t, receipts, rounds)

	// One process for a core.
	halves := [][]string{texts[:receipts/2], texts[receipts/2:]}
	found := make([][]finding, len(halves))
	var group errgroup.Group
	for i, half := range halves {
		s := newSite(t)
		group.Go(func() (err error) {
			found[i], err = s.judge(half)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{}
	var verified, pity, instead, tokens int
	for i, half := range found {
		for j, f := range half {
			if f.Verdict != "right" {
				t.Fatalf("%s: %s\n%s", f.Verdict, f.Reason, halves[i][j])
			}
			verified++
			seen[f.Round] = true
			tokens += f.Tokens
			if f.Pity {
				pity++
			}
			if f.Instead {
				instead++
			}
		}
	}
	if verified != receipts || len(seen) != rounds {
		t.Errorf("%d receipts of %d rounds are verified, want %d of %d", verified, len(seen), receipts, rounds)
	}
	if pity == 0 || instead == 0 || tokens == 0 {
		t.Errorf("not every rule is among them: %d by the pity rule, %d instead, %d new tokens", pity, instead, tokens)
	}
	t.Logf("%d receipts of %d rounds: %d by the pity rule, %d in place of a drop that ran out, %d new tokens",
		verified, len(seen), pity, instead, tokens)
}

// The receipts of the hostile files differ from right ones in one respect each.
// Spec: DRAW-4
func TestReceipts_HostileOnesAreRefusedByTheSite(t *testing.T) {
	var texts []string
	var all []hostile
	for _, file := range hostileFiles {
		all = append(all, testdata[hostile](t, file)...)
	}
	for _, h := range all {
		texts = append(texts, h.Text)
	}
	found, err := newSite(t).judge(texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range all {
		if f := found[i]; f.Verdict == "crash" || (f.Verdict != "right") != h.Error {
			t.Errorf("%s: %s: %s", h.Name, f.Verdict, f.Reason)
		}
	}
}

// The files have no receipt of a million bytes.
func TestReceipts_OfMoreThanAMillionBytesAreRefused(t *testing.T) {
	table := draw.Table{Kind: "k", Edition: 1, Token: "1", Total: 1000}
	for i := range 1000 {
		d := draw.Drop{ID: fmt.Sprint("d", i), Name: "D", Rarity: "common", Weight: 1}
		for range 16 {
			d.Gives = append(d.Gives, draw.Grant{Currency: strings.Repeat("c", 20), Amount: 1})
		}
		table.Drops = append(table.Drops, d)
	}
	at := time.Unix(1772366400, 0)
	known, randomness := described(t, schedule.RoundAfter(at, 0))
	encoded := func() string {
		r := opened(1, table, at, 0)
		origin, _ := r.Origin()
		r.Beacon, r.Outcome = known, draw.OutcomeOf(table.Draw(draw.NewWords(randomness, origin, table.Hash()), draw.Luck{}))
		return string(r.Encode())
	}
	for i, missing := 0, 1_000_000-len(encoded()); missing > 0; i++ {
		n := min(missing, 199)
		table.Drops[i].Name += strings.Repeat("d", n)
		missing -= n
	}
	largest := encoded()
	table.Drops[999].Name = "DD"
	texts := []string{largest, encoded()}
	found, err := newSite(t).judge(texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"right", "refused"} {
		if own := newServer().judge(texts[i]); len(texts[i]) != 1_000_000+i || own.name != want || found[i].Verdict != want {
			t.Errorf("of %d bytes: %s; by the site %s: %s", len(texts[i]), own, found[i].Verdict, found[i].Reason)
		}
	}
}

var hostileFiles = []string{"hostile.json", "hostile-purchases.json", "hostile-tables.json"}

// hostile is a receipt that breaks a rule, or one that is right but unusual.
type hostile struct {
	Name, Text string
	Error      bool
}

// testdata returns what is in a file of the draw's tests.
func testdata[T any](t *testing.T, file string) (all []T) {
	t.Helper()
	text, err := os.ReadFile("../../../internal/portal/draw/testdata/" + file)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// finding is what the site's implementation finds of a receipt; see verify.mjs.
type finding struct {
	Verdict       string // right, outcome, malformed, refused or crash
	Reason        string
	Round         uint64
	Pity, Instead bool
	Tokens        int
}

// site is a process of the site's implementation.
type site struct {
	in      io.WriteCloser
	out     *bufio.Reader
	problem *strings.Builder
}

// newSite starts a process that ends with the test.
func newSite(t *testing.T) *site {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "verify.mjs")
	s := &site{problem: &strings.Builder{}}
	cmd.Stderr = s.problem
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.in.Close()
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("verify.mjs: %v\n%s", err, s.problem)
		}
	})
	return s
}

// judge returns what is found of each text.
func (s *site) judge(texts []string) ([]finding, error) {
	var writing errgroup.Group
	writing.Go(func() error {
		w := bufio.NewWriter(s.in)
		e := json.NewEncoder(w)
		for _, text := range texts {
			if err := e.Encode(text); err != nil {
				return err
			}
		}
		return w.Flush()
	})
	found := make([]finding, len(texts))
	for i := range found {
		line, err := s.out.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &found[i])
		}
		if err != nil {
			_ = s.in.Close()
			return nil, fmt.Errorf("verify.mjs: %w, %w\n%s", err, writing.Wait(), s.problem)
		}
	}
	return found, writing.Wait()
}

// The beacon is as that of development.
var (
	signer   = beacon.NewSigner([32]byte{9})
	schedule = draw.Schedule{Genesis: time.Unix(1767225600, 0), Period: time.Second}
)

// described describes a round of the beacon, and returns its randomness.
func described(t testing.TB, round uint64) (b draw.ReceiptBeacon, randomness [32]byte) {
	t.Helper()
	signature, err := signer.Sign(round)
	if err != nil {
		t.Fatal(err)
	}
	return draw.ReceiptBeacon{
		Scheme: draw.Scheme, PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Genesis: schedule.Genesis.Unix(),
		Period: int64(schedule.Period / time.Second), Round: round, Signature: hex.EncodeToString(signature),
	}, sha256.Sum256(signature)
}

// opened is a receipt of the opening of a pack at a time, before its draw.
func opened(i uint64, table draw.Table, at time.Time, margin time.Duration) draw.Receipt {
	address := func(b byte) (a draw.ReceiptAddress) { return draw.ReceiptAddress{b, 19: b} }
	tx := func(n uint64) eth.Hash { return eth.Keccak256(binary.BigEndian.AppendUint64(nil, n)) }
	r := draw.Receipt{
		Table: string(table.Canonical()),
		Fixed: draw.ReceiptFixed{
			ChainID: 1337042, By: draw.ByContract, Address: address(0xc5), Tx: tx(1 << 32), Block: 100, BlockTime: at.Unix() - 1,
		},
	}
	if table.Token == "" || i%3 == 0 {
		r.Fixed.By, r.Fixed.Address = draw.ByWallet, address(0x90)
	}
	if table.Token == "" {
		r.Purchase = &draw.ReceiptPurchase{
			Shop: "gift-shop", Order: i / 7, Line: i % 7 / 3, Unit: i % 7 % 3, Record: i + 1, RecordedAt: at.Unix(),
			Anchor: draw.ReceiptAnchor{
				Record: i + 1 + i%3, ChainID: onchain.ChainID(1337042), Wallet: address(0x90), Tx: tx(i + 1<<34), Block: 101 + i,
				BlockHash: tx(i + 1<<33), BlockTime: at.Unix(), Margin: int64(margin / time.Second),
			},
		}
		if i%2 == 0 {
			r.Purchase.Nonce = tx(i)
		}
		return r
	}
	r.Burn = &draw.ReceiptBurn{
		ChainID: onchain.ChainID(1337042), Contract: address(0xc5), Token: table.Token, Tx: tx(i / 7), LogIndex: i % 7 / 3,
		Number: i % 7 % 3,
		Wallet: address(0xab), Block: 100 + i, BlockHash: tx(i + 1<<33), BlockTime: at.Unix(), Margin: int64(margin / time.Second),
	}
	return r
}

// wallets is the number of wallets that open packs of one kind.
const wallets = 5

// write returns receipts of openings that as many rounds decide as there are.
func write(t *testing.T, receipts, rounds int) (texts []string) {
	t.Helper()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	all := tables.All()
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	without := map[string]int64{} // by kind and wallet
	given := map[string]int64{}   // by item
	for _, table := range all {
		for _, c := range table.Caps {
			given[c.Item] = c.Most - int64(receipts)/120 // the cap is reached within the run
		}
	}
	var known draw.ReceiptBeacon
	var randomness [32]byte
	for i := range receipts {
		table := all[i%len(all)]
		// A block with a margin, and one later without, have the same round.
		margin := time.Duration(i%4) * time.Second
		at := begin.Add(time.Duration(i*rounds/receipts)*time.Second - margin)
		if round := schedule.RoundAfter(at, margin); round != known.Round {
			known, randomness = described(t, round)
		}
		r := opened(uint64(i), table, at, margin)
		wallet := fmt.Sprint(table.Kind, i/len(all)%wallets)
		before := table.LuckOf(draw.Luck{Without: without[wallet], Given: given})
		origin, _ := r.Origin()
		outcome := table.Draw(draw.NewWords(randomness, origin, table.Hash()), before)
		r.Beacon, r.Before, r.Outcome = known, draw.ReceiptLuck(before), draw.OutcomeOf(outcome)
		texts = append(texts, string(r.Encode()))
		if without[wallet]++; table.Consoles(outcome.Drop) {
			without[wallet] = 0
		}
		for _, c := range table.Caps {
			given[c.Item] += outcome.Drop.Units(c.Item)
		}
	}
	return texts
}
