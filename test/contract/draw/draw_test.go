// Package draw_test holds the two implementations of the draw against each other: the server writes receipts, and the
// site verifies them.
package draw_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The receipts cover all built-in tables. A few wallets take turns opening each kind that is burned, so that
// the pity rule and the cap are reached on the way.
func TestReceipts_OfTheServerAreVerifiedByTheSite(t *testing.T) {
	receipts, rounds := 10_000, 300
	if testing.Short() {
		receipts, rounds = 400, 10
	}
	texts := write(t, receipts, rounds)

	// One process for a core.
	files := make([]bytes.Buffer, 2)
	for i, text := range texts {
		files[i%len(files)].Write(append(text, '\n'))
	}
	results := make([]counts, len(files))
	var group errgroup.Group
	for i := range files {
		group.Go(func() (err error) {
			results[i], err = verify(t, files[i].Bytes())
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	all, seen := counts{}, map[uint64]bool{}
	for _, c := range results {
		all.Verified += c.Verified
		all.Pity += c.Pity
		all.Instead += c.Instead
		all.Tokens += c.Tokens
		for _, r := range c.Rounds {
			seen[r] = true
		}
	}
	if all.Verified != receipts || len(seen) != rounds {
		t.Errorf("%d receipts of %d rounds are verified, want %d of %d", all.Verified, len(seen), receipts, rounds)
	}
	if all.Pity == 0 || all.Instead == 0 || all.Tokens == 0 {
		t.Errorf("not every rule is among them: %+v", all)
	}
	t.Logf("%d receipts of %d rounds: %d by the pity rule, %d in place of a drop that ran out, %d new tokens", all.Verified, len(seen), all.Pity, all.Instead, all.Tokens)
}

// counts are what verify.mjs found.
type counts struct {
	Verified, Pity, Instead, Tokens int
	Rounds                          []uint64
}

// verify verifies receipts, one a line, by the site's implementation.
func verify(t *testing.T, lines []byte) (c counts, err error) {
	file := filepath.Join(t.TempDir(), "receipts")
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		return c, err
	}
	cmd := exec.CommandContext(t.Context(), "node", "verify.mjs", file)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return c, fmt.Errorf("verify.mjs: %w\n%s", err, problem.Bytes())
	}
	return c, json.Unmarshal(out, &c)
}

// wallets is the number of wallets that open packs of one kind.
const wallets = 5

// write returns receipts of openings in as many blocks as there are rounds.
func write(t *testing.T, receipts, rounds int) (texts [][]byte) {
	t.Helper()
	tables, err := draw.BuiltIn(func(draw.Grant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	all := tables.All()
	// As the development beacon.
	signer := beacon.NewSigner([32]byte{9})
	schedule := draw.Schedule{Genesis: time.Unix(1767225600, 0), Period: time.Second}
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	without := map[string]int64{} // by kind and wallet
	drawn := map[string]map[string]int64{}
	for _, table := range all {
		drawn[table.Kind] = map[string]int64{}
		for _, d := range table.Drops {
			if d.Cap > 0 {
				drawn[table.Kind][d.ID] = d.Cap - int64(receipts)/120 // the cap is reached within the run
			}
		}
	}
	var described draw.ReceiptBeacon
	var randomness [32]byte
	for i := range receipts {
		block := begin.Add(time.Duration(i*rounds/receipts) * time.Second)
		if round := schedule.RoundAfter(block); round != described.Round {
			signature, err := signer.Sign(round)
			if err != nil {
				t.Fatal(err)
			}
			if randomness, err = signer.PublicKey().Randomness(round, signature); err != nil {
				t.Fatal(err)
			}
			described = draw.ReceiptBeacon{
				Scheme: draw.Scheme, PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Genesis: schedule.Genesis.Unix(), Period: 1,
				Round: round, Signature: hex.EncodeToString(signature),
			}
		}
		table := all[i%len(all)]
		wallet := fmt.Sprint(table.Kind, i/len(all)%wallets)
		var origin draw.Origin = draw.Burn{Chain: 1337042, Tx: eth.Keccak256(binary.BigEndian.AppendUint64(nil, uint64(i/7))), LogIndex: uint64(i % 7 / 3), Number: uint64(i % 7 % 3)}
		before := draw.Luck{Without: without[wallet], Drawn: drawn[table.Kind]}
		if packs.InShop(table.Kind) {
			origin = draw.Purchase{Shop: "gift-shop", Order: uint64(i / 7), Line: uint64(i % 7 / 3), Unit: uint64(i % 7 % 3)}
			before.Without = 0
		}
		outcome := table.Draw(draw.NewWords(randomness, origin, table.Hash()), before)
		r := draw.ReceiptOf(origin, block)
		r.Beacon, r.Table, r.Before, r.Outcome = described, string(table.Canonical()), draw.ReceiptLuck(before), draw.OutcomeOf(outcome)
		texts = append(texts, r.Encode())
		after := table.After(before, outcome)
		without[wallet], drawn[table.Kind] = after.Without, after.Drawn
	}
	return texts
}
