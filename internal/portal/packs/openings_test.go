package packs_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	chests  = eth.Address{19: 0xc0}
	// schedule is that of the beacon.
	schedule = draw.Schedule{Genesis: opening.Add(-time.Hour), Period: 3 * time.Second}
)

// world is a store with an index in which packs are burned, a beacon whose mirror can be broken, and an opener.
type world struct {
	*testing.T
	db     *store.DB
	index  *index.Index
	clock  *clock.Fake
	opener *packs.Opener
	broken atomic.Pointer[http.HandlerFunc] // in place of the beacon
	tables *draw.Tables
	tip    onchain.Block
}

func eachWorld(t *testing.T, test func(w *world)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) { test(newWorld(t, db)) })
}

func newWorld(t *testing.T, db *store.DB) *world {
	w := &world{T: t, db: db, clock: clock.NewFake(opening)}
	testkit.AddPlayers(t, db, 0, "A", "B")
	signer := beacon.NewSigner([32]byte{1})
	honest := (&beacon.Server{Signer: signer, Genesis: schedule.Genesis, Period: schedule.Period, Clock: w.clock}).Handler()
	mirror := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if h := w.broken.Load(); h != nil {
			(*h)(out, r)
			return
		}
		honest.ServeHTTP(out, r)
	}))
	t.Cleanup(func() { mirror.Close(); http.DefaultClient.CloseIdleConnections() })
	var err error
	w.tables, err = draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	w.ok(err)
	current := func() *draw.Tables { return w.tables }
	w.fix(opening.Add(-time.Hour), w.tables.All()...)
	w.index = index.New(db, index.Options{Describer: undescribed{}, Rounds: schedule, Chains: map[onchain.ChainID]index.ChainRules{
		testkit.GameChain: {
			Rules: projection.Rules{Burns: map[eth.Address]func(projection.Burn) projection.Earned{chests: packs.Burned(current)}},
		},
	}})
	client := beacon.NewClient([]string{mirror.URL}, signer.PublicKey())
	w.opener = packs.NewOpener(packs.OpenerOptions{
		Store: rewards.New(db), Registry: packs.NewRegistry(rewards.New(db), testkit.GameChain, chests), Beacon: rounds{client},
		Info:   packs.BeaconInfo{PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Schedule: schedule},
		Tables: current, Goods: goods{}, Clock: w.clock, Drawn: func() {},
	})
	_, err = w.index.Resume(t.Context(), testkit.GameChain, onchain.Sources{Base: "test"}, false)
	w.ok(err)
	return w
}

// fix anchors tables at a time.
func (w *world) fix(at time.Time, tables ...draw.Table) {
	w.Helper()
	for _, t := range tables {
		w.ok(rewards.New(w.db).KeepAnchor(w.Context(), packs.Anchor{Hash: t.Hash(), Fixed: packs.Fixed{
			Chain: testkit.GameChain, By: draw.ByWallet, Address: eth.Address{19: 0xaa}, Tx: eth.Keccak256([]byte(t.Kind)), Block: 1,
			At: at,
		}}))
	}
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

type undescribed struct{}

func (undescribed) Describe(eth.Address, string, *metadata.Document) index.Description {
	return index.Description{}
}

type rounds struct{ client *beacon.Client }

func (r rounds) Round(ctx context.Context, number uint64) ([]byte, [32]byte, error) {
	round, err := r.client.Round(ctx, number)
	if errors.Is(err, beacon.ErrNotYet) {
		err = fault.New(fault.Conflict, "not yet")
	}
	return round.Signature, round.Randomness, err
}

type goods struct{}

func (goods) Transferable(string) bool { return true }

func (goods) Collection(slug string) (eth.Address, onchain.ChainID, onchain.Standard, bool) {
	return eth.Address{0: byte(len(slug))}, testkit.GameChain, onchain.ERC1155, true
}

func (goods) Item(contract eth.Address, tokenID string) projection.DroppedItem {
	return projection.DroppedItem{Contract: contract, TokenID: tokenID, Name: "Item " + tokenID, Rarity: "common"}
}

// burn adds a block in which a wallet burns packs of a kind, and settles it.
func (w *world) burn(wallet eth.Address, kind string, n int64) {
	w.Helper()
	block := onchain.Block{Number: w.tip.Number + 1, Time: w.clock.Now().Truncate(time.Second)}
	block.Hash = eth.Keccak256(w.tip.Hash[:], []byte(kind), wallet[:])
	at := onchain.Position{Block: block.Number, Tx: eth.Keccak256(block.Hash[:]), Time: block.Time}
	w.ok(w.index.ApplyBatch(w.Context(), onchain.Batch{
		Chain: testkit.GameChain, From: block.Number, To: block.Number, Parent: w.tip.Hash, Blocks: []onchain.Block{block},
		Transfers: []onchain.Transfer{{
			Position: at, Contract: chests, Standard: onchain.ERC1155, TokenID: kind, From: wallet, Amount: money.FromInt(n),
		}},
	}))
	w.tip = block
	burns, err := w.index.UnsettledBurns(w.Context(), testkit.GameChain, block.Number, 10)
	w.ok(err)
	for _, b := range burns {
		_, err := w.index.SettleBurn(w.Context(), testkit.GameChain, b, 0)
		w.ok(err)
	}
}

// buy adds the openings of packs that are paid for now, and their rewards.
func (w *world) buy(order uint64, kind string, units uint64) {
	w.Helper()
	for unit := range units {
		p := draw.Purchase{Shop: "gift-shop", Order: order, Line: 1, Unit: unit}
		at := w.clock.Now()
		added, err := testkit.AddPurchaseOpening(w.Context(), w.db, p, projection.Pack{Kind: kind, Edition: 1}, at, schedule.RoundAfter(at, 0))
		w.ok(err)
		if !added {
			w.Fatalf("%s is there already", p)
		}
		w.ok(rewards.New(w.db).AddReward(w.Context(), reward.Reward{Source: p.String(), Origin: reward.FromWebstore, PlayerID: "A"}, at))
	}
}

// step draws what can be drawn and returns how many openings wait.
func (w *world) step() (waiting int, err error) {
	w.Helper()
	_, err = w.opener.Step(w.Context())
	open, failed := rewards.New(w.db).WaitingOpenings(w.Context(), 1000)
	w.ok(failed)
	return len(open), err
}

func (w *world) openings() (out []packs.Opening) {
	w.Helper()
	var ids []string
	w.ok(w.db.Read(w.Context(), func(q *gen.Queries) (err error) { ids, err = q.OpeningIDs(w.Context()); return err }))
	for _, id := range ids {
		o, err := rewards.New(w.db).Opening(w.Context(), id)
		w.ok(err)
		out = append(out, o)
	}
	return out
}

// verified returns an opening's receipt, verified with the beacon's signature.
func (w *world) verified(o packs.Opening) draw.Verified {
	w.Helper()
	v, err := draw.Verify(o.Receipt, beacon.VerifyRound)
	w.ok(err)
	return v
}

// Spec: DRAW-2
func TestOpening_WaitsForItsRoundAndIsDrawnByIt(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.burn(testkit.WalletOf("A"), "1", 2)
		for range 6 { // two periods of 3 s
			if waiting, err := w.step(); waiting != 2 || err != nil {
				w.Fatalf("%s after the burn %d wait, %v", w.clock.Now().Sub(opening), waiting, err)
			}
			w.clock.Advance(time.Second)
		}
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("after two periods %d wait, %v", waiting, err)
		}
		all := w.openings()
		if len(all) != 2 {
			w.Fatalf("%d openings", len(all))
		}
		for i, o := range all {
			v := w.verified(o)
			if v.Burn.BlockTime != opening.Unix() || v.Burn.Number != uint64(i) || v.Beacon.Round != 1203 ||
				v.Receipt.Outcome.Drop != o.Drop || o.Edition != 1 {
				w.Errorf("receipt %+v of opening %+v", v.Receipt, o)
			}
		}
	})
}

// The beacon is late, down, answers nonsense, signs with another key or for another round: openings wait, none is drawn
// wrongly, and all are drawn afterwards, by the same round.
func TestOpening_ABrokenBeaconIsWaitedFor(t *testing.T) {
	t.Parallel()
	other := beacon.NewSigner([32]byte{2})
	own := beacon.NewSigner([32]byte{1})
	signed := func(s *beacon.Signer, shift uint64) http.HandlerFunc {
		return func(out http.ResponseWriter, r *http.Request) {
			var number uint64
			_, _ = fmt.Sscanf(r.URL.Path, "/public/%d", &number)
			signature, err := s.Sign(number + shift)
			if err != nil {
				http.Error(out, err.Error(), http.StatusInternalServerError)
				return
			}
			fmt.Fprintf(out, `{"round":%d,"signature":"%x"}`, number, signature)
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(code) }
	}
	says := func(text string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, text) }
	}
	eachWorld(t, func(w *world) {
		w.burn(testkit.WalletOf("A"), "1", 3)
		w.clock.Advance(6 * time.Second)
		for what, c := range map[string]struct {
			broken   http.HandlerFunc
			reported bool
		}{
			"late":                        {status(http.StatusTooEarly), false},
			"late, by another status":     {status(http.StatusNotFound), false},
			"down":                        {status(http.StatusBadGateway), true},
			"nonsense":                    {says("<html>maintenance</html>"), true},
			"an endless answer":           {says(strings.Repeat(" ", 1<<20)), true},
			"another beacon's signature":  {signed(other, 0), true},
			"a signature of a round more": {signed(own, 1), true},
			"no signature":                {says(`{"round":1203}`), true},
		} {
			w.broken.Store(&c.broken)
			waiting, err := w.step()
			if waiting != 3 || (err != nil) != c.reported {
				w.Errorf("%s: %d wait, reported: %v", what, waiting, err)
			}
		}
		w.clock.Advance(time.Hour)
		w.broken.Store(nil)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("afterwards %d wait, %v", waiting, err)
		}
		for _, o := range w.openings() {
			if v := w.verified(o); v.Beacon.Round != 1203 {
				w.Errorf("drawn by round %d", v.Beacon.Round)
			}
		}
	})
}

// Pity counts the wallet's own openings of the kind, in chain order, and is in the receipt. Two openers at work draw each
// opening once.
func TestOpening_PityCountsTheWalletsOwnOpeningsInOrder(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.burn(testkit.WalletOf("A"), "1", 60)
		w.burn(testkit.WalletOf("B"), "1", 1)
		w.burn(testkit.WalletOf("A"), "2", 1)
		w.burn(testkit.WalletOf("A"), "1", 40)
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		without, pitied := map[string]int64{}, 0
		for _, o := range w.openings() {
			v := w.verified(o)
			key := o.Wallet.String() + o.Kind
			if v.Before.Without != without[key] {
				w.Errorf("opening %d of %s: %d without luck before, want %d", o.Place, o.Wallet, v.Before.Without, without[key])
			}
			if v.Receipt.Outcome.Pity {
				pitied++
			}
			without[key]++
			if v.Table.Pity == nil || v.Table.Consoles(v.Outcome.Drop) {
				without[key] = 0
			}
		}
		tally, err := rewards.New(w.db).Tally(w.Context())
		w.ok(err)
		drawn, hit := int64(0), int64(0)
		for k, n := range tally.Drops {
			if k.Kind == "general" {
				drawn += n.Drawn
				hit += n.Hit
			}
		}
		if drawn != 101 || hit != 101-int64(pitied) {
			w.Errorf("%d drawn and %d freely, want 101 and %d", drawn, hit, 101-pitied)
		}
	})
}

// A token whose table is not known was burned: its opening waits until it is, holds up no other, and is drawn by that table.
// Spec: DRAW-7
func TestOpening_OfATokenWithoutAKnownTableWaitsAlone(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		next := w.tables.All()[0]
		next.Edition, next.Token = 2, "101"
		w.fix(opening.Add(-time.Minute), next)
		w.burn(testkit.WalletOf("A"), "101", 1)
		w.burn(testkit.WalletOf("A"), "1", 1)
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		all := w.openings()
		if all[0].Kind != "" || !all[0].DrawnAt.IsZero() || all[1].DrawnAt.IsZero() {
			w.Fatalf("%+v, %+v", all[0], all[1])
		}
		w.tables = draw.TablesOf(append(w.tables.All(), next))
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		if v := w.verified(w.openings()[1]); v.Table.Edition != 2 || v.Burn.Token != "101" {
			w.Errorf("receipt %+v", v.Receipt)
		}
	})
}

// What is drawn while the table of a pack is not known does not count that pack. So the pack comes after it, and before packs of the same
// token that are burned later.
func TestOpening_OfATokenWhoseTableBecomesKnownComesAfterThoseDrawnMeanwhile(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		next := w.tables.All()[0]
		next.Edition, next.Token = 2, "101"
		w.fix(opening.Add(-time.Minute), next)
		w.burn(testkit.WalletOf("A"), "101", 2)
		w.burn(testkit.WalletOf("A"), "1", 3)
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		w.tables = draw.TablesOf(append(w.tables.All(), next))
		w.burn(testkit.WalletOf("A"), "101", 1)
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		var blocks, numbers []uint64
		without := int64(0) // since the last epic drop
		for i, o := range w.openings() {
			v := w.verified(o)
			blocks, numbers = append(blocks, v.Burn.Block), append(numbers, v.Burn.Number)
			if v.Before.Without != without {
				w.Errorf("opening %d: %d before it, want %d", i, v.Before.Without, without)
			}
			if without++; v.Table.Consoles(v.Outcome.Drop) {
				without = 0
			}
		}
		if !slices.Equal(blocks, []uint64{2, 2, 2, 1, 1, 3}) || !slices.Equal(numbers, []uint64{0, 1, 2, 0, 1, 0}) {
			w.Errorf("copies %v of the burns in blocks %v", numbers, blocks)
		}
	})
}

// Two editions are sold and opened in turns: each pack is drawn by the table of its token, pity counts over both, and so do caps.
// Spec: DRAW-8
func TestOpening_EachEditionKeepsItsTable(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		first := w.tables.All()[0]
		next := first
		next.Edition, next.Token, next.Pity = 2, "101", &draw.Pity{After: 3, Rarity: "rare"}
		w.tables = draw.TablesOf(append(w.tables.All(), next))
		w.fix(opening.Add(-time.Minute), next)
		for range 20 {
			w.burn(testkit.WalletOf("A"), "1", 1)
			w.burn(testkit.WalletOf("A"), "101", 1)
		}
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		ranks, pitied := []int{}, 0
		for i, o := range w.openings() {
			v := w.verified(o)
			if want := 1 + i%2; v.Table.Edition != want || o.Edition != want {
				w.Errorf("opening %d is drawn by edition %d, want %d", i, v.Table.Edition, want)
			}
			want := int64(0)
			for n := len(ranks) - 1; n >= 0 && ranks[n] < v.Table.Pity.Rarity.Rank(); n-- {
				want++
			}
			if want = min(want, int64(v.Table.Pity.After)); v.Before.Without != want {
				w.Errorf("opening %d: %d without luck before, want %d", i, v.Before.Without, want)
			}
			if v.Receipt.Outcome.Pity {
				pitied++
			}
			ranks = append(ranks, v.Outcome.Drop.Rarity.Rank())
		}
		if pitied == 0 {
			w.Error("none by the pity rule")
		}
	})
}

// A table that is not fixed is waited for; one that was fixed after the burn can never count.
// Spec: DRAW-7
func TestOpening_WithoutAFixedTableIsNotDrawn(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		next := w.tables.All()[0]
		next.Edition, next.Token, next.Drops = 2, "101", slices.Clone(next.Drops)
		next.Drops[0].Name = "Another knife"
		w.tables = draw.TablesOf(append(w.tables.All(), next))
		w.burn(testkit.WalletOf("A"), "101", 1)
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 1 || err == nil ||
			!strings.Contains(err.Error(), "waits until the table of general, edition 2, is fixed") {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		w.fix(opening.Add(time.Second), next)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		if o := w.openings()[0]; o.Error != "The drop table of this pack was not fixed before the pack was opened." || len(o.Receipt) > 0 {
			w.Errorf("%+v", o)
		}
		tally, err := rewards.New(w.db).Tally(w.Context())
		w.ok(err)
		if len(tally.Waiting) != 0 {
			w.Errorf("it counts as waiting: %+v", tally.Waiting)
		}
	})
}

// Until the record of the payment is on a chain, nobody can know the round, and other kinds do not wait.
// Spec: DRAW-10
func TestOpening_OfAPurchaseWaitsForTheAnchorOfItsRecord(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		p := draw.Purchase{Shop: "gift-shop", Order: 1, Line: 1}
		_, err := testkit.AddPurchaseOpening(w.Context(), w.db, p, projection.Pack{Kind: "destiny-gold", Edition: 1}, w.clock.Now(), 0)
		w.ok(err)
		w.ok(rewards.New(w.db).AddReward(w.Context(), reward.Reward{Source: p.String(), Origin: reward.FromWebstore, PlayerID: "A"},
			w.clock.Now()))
		w.burn(testkit.WalletOf("A"), "1", 1)
		w.clock.Advance(24 * time.Hour)
		if waiting, err := w.step(); waiting != 1 || err != nil {
			w.Fatalf("without an anchor %d wait, %v", waiting, err)
		}
		w.buy(2, "destiny-gold", 1) // its anchor covers both
		w.clock.Advance(10 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("anchored, %d wait, %v", waiting, err)
		}
		rounds := map[string]uint64{}
		for _, o := range w.openings() {
			rounds[o.ID] = w.verified(o).Beacon.Round
		}
		if rounds["gift-shop-1-1-0"] != 30003 || rounds["gift-shop-2-1-0"] != 30003 {
			w.Errorf("drawn by the rounds %v", rounds)
		}
	})
}

// The payment was recorded within a second, which counts as a whole one, and anchored at its end.
// Spec: DRAW-10
func TestOpening_OfAPurchaseIsDrawnByTheRoundAfterItsAnchor(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.clock.Advance(400 * time.Millisecond)
		w.buy(7731, "destiny-gold", 30)
		again, err := testkit.AddPurchaseOpening(w.Context(), w.db, draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2},
			projection.Pack{Kind: "destiny-gold", Edition: 1}, w.clock.Now(), 9999)
		if again || err != nil {
			w.Fatalf("added twice: %v, %v", again, err)
		}
		for range 9 { // two periods of 3 s after the second, and the beacon's next round
			if waiting, err := w.step(); waiting != 30 || err != nil {
				w.Fatalf("%s after the payment %d wait, %v", w.clock.Now().Sub(opening), waiting, err)
			}
			w.clock.Advance(time.Second)
		}
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("after the round %d wait, %v", waiting, err)
		}
		rewards, _, err := reward.Records{RecordStore: rewards.New(w.db)}.Page(w.Context(), reward.Query{PlayerID: "A", Limit: 100}, "")
		w.ok(err)
		for i, o := range w.openings() {
			v := w.verified(o)
			want := draw.ReceiptPurchase{
				Shop: "gift-shop", Order: 7731, Line: 1, Unit: uint64(i), Record: uint64(i) + 1, RecordedAt: opening.Unix() + 1,
			}
			want.Anchor = draw.ReceiptAnchor{
				Record: uint64(i) + 1, ChainID: testkit.GameChain, Wallet: v.Purchase.Anchor.Wallet, Tx: eth.Hash{0xa1, 31: byte(i) + 1},
				Block: 1001 + uint64(i), BlockHash: eth.Hash{0xb1, 31: byte(i) + 1}, BlockTime: opening.Unix() + 1,
			}
			if v.Burn != nil || *v.Purchase != want || v.Opening() != o.ID || v.Beacon.Round != 1204 || v.Before.Without != 0 ||
				v.Receipt.Outcome.Drop != o.Drop {
				w.Errorf("receipt %+v of %+v in opening %+v", v.Receipt, v.Purchase, o)
			}
			r := rewards[slices.IndexFunc(rewards, func(r reward.Record) bool { return r.Source == o.ID })]
			var detail projection.PackOpened
			w.ok(json.Unmarshal([]byte(r.Detail), &detail))
			if r.State != reward.Drawn || r.Origin != "webstore" || detail.PackLevel != "destiny-gold" || detail.TokenID != "" ||
				detail.Drop != o.Drop || len(r.Given) == 0 {
				w.Errorf("reward %+v with detail %+v", r, detail)
			}
		}
	})
}

// What can change hands of a pack that was paid for by card is given when its line may be, currencies at once.
func TestOpening_TokensOfAPurchaseWaitAndCurrenciesDoNot(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		giveAt := opening.Add(24 * time.Hour)
		w.ok(w.db.Write(w.Context(), func(ctx context.Context, tx *store.Tx) error {
			if err := tx.PutShopOrder(ctx, gen.PutShopOrderParams{ID: 7731, Number: "7731", Status: "processing"}); err != nil {
				return err
			}
			return tx.PutShopLine(ctx, gen.PutShopLineParams{OrderID: 7731, ID: 1, Quantity: 30, GiveAt: column.At(giveAt)})
		}))
		w.buy(7731, "destiny-gold", 30)
		w.clock.Advance(time.Minute)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		kinds := map[string]int{}
		for _, o := range w.openings() {
			w.ok(w.db.Read(w.Context(), func(q *gen.Queries) error {
				grants, err := q.RewardGrants(w.Context(), o.ID)
				for _, g := range grants {
					kinds[g.Kind]++
					if want := map[string]time.Time{reward.KindMint: giveAt}[g.Kind]; !g.NotBefore.Equal(want) {
						w.Errorf("%s of %s is given from %s, want %s", g.Kind, o.ID, g.NotBefore, want)
					}
				}
				return err
			}))
		}
		if kinds[reward.KindMint] == 0 || len(kinds) < 2 {
			w.Errorf("drawn: %v, want tokens and currencies", kinds)
		}
	})
}

// Pity and caps count within a kind, so only openings of one kind wait for each other.
// Spec: DRAW-9
func TestOpening_KindsDoNotHoldUpEachOther(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.burn(testkit.WalletOf("A"), "1", 1)
		w.clock.Advance(5 * time.Second)
		// More than are read at once.
		w.buy(1, "destiny-gold", 101)
		w.burn(testkit.WalletOf("A"), "1", 1)
		w.clock.Advance(time.Second)
		w.burn(testkit.WalletOf("A"), "3", 1)
		if waiting, err := w.step(); waiting != 101+1+1 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		w.clock.Advance(4 * time.Second)
		w.buy(2, "destiny-bronze", 1)
		w.clock.Advance(2 * time.Second)
		// The table of general packs is missing, so they wait for it. A bronze pack is not due yet. All others are drawn:
		// gold packs that were bought before these, and a god pack that was burned between them.
		all := w.tables
		w.tables = draw.TablesOf(all.All()[1:])
		if waiting, err := w.step(); waiting != 2 || err == nil || !strings.Contains(err.Error(), "general, edition 1") {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		w.tables = all
		w.clock.Advance(6 * time.Second)
		if waiting, err := w.step(); waiting != 0 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		for _, o := range w.openings() {
			w.verified(o)
		}
	})
}

// The burn was recorded last and its round is published first.
// Spec: DRAW-9
func TestOpening_APurchaseThatWaitsDoesNotDelayABurn(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.buy(1, "destiny-gold", 2)
		w.clock.Advance(-20 * time.Second) // the block of a burn that is final now
		w.burn(testkit.WalletOf("A"), "1", 1)
		w.clock.Advance(20 * time.Second)
		if waiting, err := w.step(); waiting != 2 || err != nil {
			w.Fatalf("%d wait, %v", waiting, err)
		}
		all := w.openings()
		if last := all[len(all)-1]; last.Kind != "general" || last.DrawnAt.IsZero() {
			w.Errorf("the burn is not drawn: %+v", last)
		}
		// Within the kind, the second does not overtake the first.
		err := rewards.New(w.db).DrawOpening(w.Context(), all[1], w.tables.All()[0],
			func(draw.Luck) (packs.Drawn, error) { return packs.Drawn{}, errors.New("drawn") })
		if !fault.Is(err, fault.Conflict) {
			w.Errorf("the second before the first: %v", err)
		}
	})
}

// Tables that were known can never change, not even by a restart with another file.
// Spec: DRAW-8
func TestTables_OfAnEarlierStartCannotChange(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(w *world) {
		w.ok(packs.Tables(w.Context(), rewards.New(w.db), w.tables))
		w.ok(packs.Tables(w.Context(), rewards.New(w.db), w.tables))
		all := w.tables.All()
		all[0].Drops = slices.Clone(all[0].Drops)
		all[0].Drops[0].Name = "Another"
		err := packs.Tables(w.Context(), rewards.New(w.db), draw.TablesOf(all))
		if err == nil || !strings.Contains(err.Error(), "can never change") {
			w.Errorf("a changed table: %v", err)
		}
		next := w.tables.All()[0]
		next.Edition, next.Token = 2, "101"
		w.ok(packs.Tables(w.Context(), rewards.New(w.db), draw.TablesOf(append(w.tables.All(), next))))
		if err := packs.Tables(w.Context(), rewards.New(w.db), w.tables); err == nil || !strings.Contains(err.Error(), "cannot go") {
			w.Errorf("an edition is gone: %v", err)
		}
	})
}
