package rewards_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

var goldTable = draw.Table{Kind: "destiny-gold", Edition: 1}

// record records the payment for one pack.
func record(db *store.DB, p draw.Purchase, at time.Time) (added bool, err error) {
	err = db.Write(context.Background(), func(ctx context.Context, tx *store.Tx) error {
		added, err = rewards.AddPurchaseOpening(ctx, tx, p, goldTable, at)
		return err
	})
	return added, err
}

// payments returns the whole log.
func payments(t *testing.T, db *store.DB) []draw.LoggedRecord {
	t.Helper()
	records, err := rewards.New(db).Records(t.Context(), 0, 10_000)
	storetest.Must(t, err)
	return records
}

var errGone = errors.New("the transaction ends here")

// Spec: DRAW-5
func TestRecords_ConcurrentOrdersMakeOneChainWithoutGaps(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const orders, units = 24, 4
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		var group errgroup.Group
		for order := range uint64(orders) {
			group.Go(func() error {
				return db.Write(context.Background(), func(ctx context.Context, tx *store.Tx) error {
					for unit := range uint64(units) {
						p := draw.Purchase{Shop: "gift-shop", Order: order, Line: 1, Unit: unit, Nonce: [32]byte{31: byte(order)}}
						if _, err := rewards.AddPurchaseOpening(ctx, tx, p, goldTable, at); err != nil {
							return err
						}
					}
					if order%3 == 0 { // as when the process dies
						return errGone
					}
					return nil
				})
			})
		}
		if err := group.Wait(); !errors.Is(err, errGone) {
			t.Fatal(err)
		}
		log := payments(t, db)
		if len(log) != 2*orders/3*units {
			t.Errorf("%d records, want %d", len(log), 2*orders/3*units)
		}
		storetest.Must(t, draw.VerifyRecords(draw.LoggedRecord{}, log))
		head, err := rewards.New(db).HeadRecord(t.Context())
		storetest.Must(t, err)
		if head != log[len(log)-1] {
			t.Errorf("the head is %+v, want %+v", head, log[len(log)-1])
		}
		for _, r := range log {
			o, err := rewards.New(db).Opening(t.Context(), r.OpeningID)
			storetest.Must(t, err)
			p, _ := o.Origin.(draw.Purchase)
			if o.Record != r.Number || o.Round != 0 || r.Nonce != eth.Hash(p.Nonce) || r.Nonce[31] != byte(p.Order) || o.At != at {
				t.Errorf("opening %+v of record %+v", o, r)
			}
		}
		// Pages are parts of it.
		for after, limit := range map[uint64]int{0: 5, 5: 1, 60: 500, 64: 1, 1000: 1} {
			page, err := rewards.New(db).Records(t.Context(), after, limit)
			storetest.Must(t, err)
			from := min(int(after), len(log))
			if want := log[from:min(from+limit, len(log))]; !slices.Equal(page, want) {
				t.Errorf("after %d: %+v, want %+v", after, page, want)
			}
		}
	})
}

func TestRecords_NoneIsOlderThanTheOneBefore(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		p := draw.Purchase{Shop: "gift-shop", Order: 1}
		for i, c := range []struct {
			unit  uint64
			at    time.Time
			added bool
		}{
			{0, at, true}, {1, at.Add(-time.Second), false}, {1, at.Add(-time.Millisecond), true}, {2, at.Add(time.Second), true},
			{3, at, false}, {0, at, false}, // the last one is there already, whatever its time
		} {
			p.Unit = c.unit
			added, err := record(db, p, c.at)
			if added != c.added || (err != nil) != (!c.added && i < 5) || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("record %d: %v, %v", i, added, err)
			}
		}
		storetest.Must(t, draw.VerifyRecords(draw.LoggedRecord{}, payments(t, db)))
		if n := len(payments(t, db)); n != 3 {
			t.Errorf("%d records, want 3", n)
		}
	})
}

// Whoever has the database can write to it what they like. It shows.
// Spec: DRAW-5
func TestRecords_ThatAreReplacedShowAsABrokenChainOrInAnAnchor(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		attack []string
		again  uint64 // the unit that is recorded once more, later; 9 for none
		chain  string // what is wrong with the chain; "" for nothing
		anchor bool   // whether the anchor of record 3 still has its hash
	}{
		"the last one, anchored": {
			[]string{"DELETE FROM payment_record WHERE number = 3", "DELETE FROM opening WHERE id = 'gift-shop-1-0-2'"}, 2, "", false,
		},
		"all of them": {[]string{"DELETE FROM payment_record", "DELETE FROM opening"}, 2, "", false},
		"one in the middle": {
			[]string{"DELETE FROM payment_record WHERE number = 2", "DELETE FROM opening WHERE id = 'gift-shop-1-0-1'"}, 1,
			"record 3: it follows record 1", true,
		},
		"its time": {[]string{"UPDATE payment_record SET recorded_at = recorded_at + 3 WHERE number = 3"}, 9, "record 3: its hash", true},
		"its opening, with the record left": {
			[]string{"DELETE FROM opening WHERE id = 'gift-shop-1-0-1'"}, 9, "", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
				for unit := range uint64(3) {
					_, err := record(x.DB, draw.Purchase{Shop: "gift-shop", Order: 1, Unit: unit}, at)
					x.OK(err)
				}
				head, err := rewards.New(x.DB).HeadRecord(t.Context())
				x.OK(err)
				anchor := packs.RecordAnchor{Number: 3, Hash: head.Hash, Begun: at}
				x.OK(rewards.New(x.DB).BeginRecordAnchor(t.Context(), anchor))
				for _, text := range c.attack {
					_, err := x.Raw.ExecContext(t.Context(), text)
					x.OK(err)
				}
				if c.again < 9 {
					added, err := record(x.DB, draw.Purchase{Shop: "gift-shop", Order: 1, Unit: c.again}, at.Add(time.Minute))
					x.OK(err)
					if !added {
						t.Error("nothing is recorded")
					}
				}
				log := payments(t, x.DB)
				err = draw.VerifyRecords(draw.LoggedRecord{}, log)
				if (err == nil) != (c.chain == "") || err != nil && !strings.HasPrefix(err.Error(), c.chain) {
					t.Errorf("the chain: %v, want %q", err, c.chain)
				}
				kept := slices.ContainsFunc(log, func(r draw.LoggedRecord) bool { return r.Number == 3 && r.Hash == head.Hash })
				if kept != c.anchor {
					t.Errorf("record 3 has the hash of its anchor: %v, want %v", kept, c.anchor)
				}
			})
		})
	}
}

func TestRecords_OfOneOpeningCannotBeTwoInTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		p := draw.Purchase{Shop: "gift-shop", Order: 1}
		_, err := record(x.DB, p, x.Clock.Now())
		x.OK(err)
		// The record of an opening that was deleted is in the way of another.
		_, err = x.Raw.ExecContext(t.Context(), "DELETE FROM opening")
		x.OK(err)
		if added, err := record(x.DB, p, x.Clock.Now().Add(time.Hour)); added || err == nil {
			t.Errorf("recorded again: %v, %v", added, err)
		}
		for _, number := range []string{"1", "2"} {
			_, err := x.Raw.ExecContext(t.Context(),
				"INSERT INTO payment_record (number, opening_id, kind, edition, table_hash, nonce, recorded_at, previous, hash) "+
					"SELECT "+number+", opening_id || '"+map[string]string{"1": "0", "2": ""}[number]+
					"', kind, edition, table_hash, nonce, recorded_at, previous, hash FROM payment_record")
			if err == nil {
				t.Errorf("number %s is there twice, or its opening", number)
			}
		}
	})
}

func TestRecordAnchors_AreFollowedUntilTheyAreFinal(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		unanchored := func(when string, want time.Time) {
			t.Helper()
			since, err := rewards.New(db).UnanchoredSince(t.Context())
			storetest.Must(t, err)
			if !since.Equal(want) {
				t.Errorf("%s: not anchored since %v, want %v", when, since, want)
			}
		}
		open := func(when string, want ...packs.RecordAnchor) {
			t.Helper()
			got, err := rewards.New(db).OpenRecordAnchors(t.Context())
			storetest.Must(t, err)
			if !slices.Equal(got, want) {
				t.Errorf("%s: open are %+v, want %+v", when, got, want)
			}
		}
		final := func(when string, from uint64, limit int, want ...packs.RecordAnchor) {
			t.Helper()
			got, err := rewards.New(db).RecordAnchors(t.Context(), from, limit)
			storetest.Must(t, err)
			if !slices.Equal(got, want) {
				t.Errorf("%s: final are %+v, want %+v", when, got, want)
			}
		}
		// decided checks by which anchor and round the openings of the records are decided.
		decided := func(when string, want ...string) {
			t.Helper()
			for unit, want := range want {
				o, err := rewards.New(db).Opening(t.Context(), fmt.Sprint("gift-shop-1-0-", unit))
				storetest.Must(t, err)
				if got := fmt.Sprint(o.Anchor.Number, " ", o.Round); got != want {
					t.Errorf("%s: unit %d is decided by %s, want %s", when, unit, got, want)
				}
			}
		}
		unanchored("empty", time.Time{})
		for unit := range uint64(4) {
			_, err := record(db, draw.Purchase{Shop: "gift-shop", Order: 1, Unit: unit}, at.Add(time.Duration(unit)*time.Minute))
			storetest.Must(t, err)
		}
		unanchored("four records", at)
		one := packs.RecordAnchor{Number: 2, Hash: payments(t, db)[1].Hash, Begun: at.Add(time.Minute)}
		two := packs.RecordAnchor{Number: 3, Hash: payments(t, db)[2].Hash, Begun: at.Add(2 * time.Minute)}
		for _, a := range []packs.RecordAnchor{one, two, {Number: 2, Begun: at}} { // the last is known
			storetest.Must(t, rewards.New(db).BeginRecordAnchor(t.Context(), a))
		}
		open("begun", one, two)
		unanchored("begun", at)
		one.Attempts, one.Begun = 1, at.Add(time.Hour)
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), one, 0))
		place := packs.Fixed{Chain: 7, By: draw.ByWallet, Address: eth.Address{19: 1}, Tx: eth.Hash{31: 2}, Block: 9}
		one.Fixed = place
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), one, 0))
		open("in a block", one, two)
		final("in a block", 0, 10)
		unanchored("two are in a block", at.Add(2*time.Minute))
		one.Fixed = packs.Fixed{} // a reorganisation
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), one, 0))
		unanchored("not any more", at)
		decided("none is final", "0 0", "0 0", "0 0", "0 0")
		one.Fixed, one.Final = place, true
		one.At, one.BlockHash, one.Margin = at.Add(time.Minute), eth.Hash{31: 8}, time.Hour
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), one, 70))
		decided("one is final", "2 70", "2 70", "0 0", "0 0")
		changed := one
		changed.Tx, changed.Final = eth.Hash{31: 3}, false
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), changed, 0)) // what is final stays
		changed.Final = true
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), changed, 71))
		open("one is final", two)
		final("one is final", 0, 10, one)
		final("from the next record on", 3, 10)
		two.Place, two.Final = one.Place, true
		storetest.Must(t, rewards.New(db).MoveRecordAnchor(t.Context(), two, 80))
		decided("both are final", "2 70", "2 70", "3 80", "0 0")
		final("both", 1, 10, one, two)
		final("the first", 1, 1, one)
		unanchored("three of four", at.Add(3*time.Minute))
		last, err := rewards.New(db).LastRecordAnchor(t.Context())
		storetest.Must(t, err)
		if last != two {
			t.Errorf("the last is %+v, want %+v", last, two)
		}
	})
}

func TestOpenings_AllAreListedInTheOrderOfTheirPlaces(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Burning()
		x.Apply(storetest.MintChests(storetest.WalletA, "3", 2), storetest.MintChests(storetest.WalletA, "999", 1))
		x.ApplyIn(storetest.TxOf("burn"), "", storetest.Transfer(onchain.ERC1155, storetest.Chests, "3", storetest.WalletA, eth.Address{}, 2),
			storetest.Transfer(onchain.ERC1155, storetest.Chests, "999", storetest.WalletA, eth.Address{}, 1))
		x.Settle(x.Tip.Number)
		for unit := range uint64(3) {
			_, err := record(x.DB, draw.Purchase{Shop: "gift-shop", Order: 1, Unit: unit}, x.Clock.Now())
			x.OK(err)
		}
		x.OK(rewards.New(x.DB).FailOpening(t.Context(), "gift-shop-1-0-1", "It cannot be drawn."))
		first, err := rewards.New(x.DB).Opening(t.Context(), "gift-shop-1-0-0")
		x.OK(err)
		x.OK(rewards.New(x.DB).DrawOpening(t.Context(), first, goldTable, func(draw.Luck) (packs.Drawn, error) {
			return packs.Drawn{Drop: "god", Receipt: []byte("{}"), Detail: "{}"}, nil
		}))
		lines := func(kind string, after int64, limit int) (out []string) {
			t.Helper()
			all, err := rewards.New(x.DB).OpeningsFrom(t.Context(), kind, after, limit)
			x.OK(err)
			for _, o := range all {
				state := "waiting"
				switch {
				case o.Failed:
					state = "failed"
				case !o.DrawnAt.IsZero():
					state = "drawn"
				}
				id, wallet := o.ID, ""
				if !o.Wallet.IsZero() {
					id, wallet = id[strings.LastIndex(id[:len(id)-2], "-"):], " A"
					if o.Wallet != storetest.WalletA {
						wallet = " " + o.Wallet.String()
					}
				}
				out = append(out, fmt.Sprintf("%d %s %s%d %s%s", o.Place, id, o.Kind, o.Edition, state, wallet))
			}
			return out
		}
		all := []string{
			"1 -0-0 god1 waiting A", "2 -0-1 god1 waiting A", "3 -1-0 0 waiting A",
			"4 gift-shop-1-0-0 destiny-gold1 drawn", "5 gift-shop-1-0-1 destiny-gold1 failed", "6 gift-shop-1-0-2 destiny-gold1 waiting",
		}
		for _, c := range []struct {
			kind  string
			after int64
			limit int
			want  []string
		}{
			{"", 0, 100, all}, {"", 0, 2, all[:2]}, {"", 2, 3, all[2:5]}, {"", 6, 100, nil}, {"god", 0, 100, all[:2]},
			{"god", 1, 100, all[1:2]}, {"destiny-gold", 0, 2, all[3:5]}, {"destiny-gold", 5, 2, all[5:]}, {"avatar", 0, 100, nil},
		} {
			if got := lines(c.kind, c.after, c.limit); !slices.Equal(got, c.want) {
				t.Errorf("%q after %d: %q, want %q", c.kind, c.after, got, c.want)
			}
		}
	})
}

func TestOpenings_OfAPlayerAreThoseOfBurnedAndOfBoughtPacks(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		add := func(source, player string, origin reward.Origin) {
			t.Helper()
			at = at.Add(time.Minute)
			storetest.Must(t, rewards.New(db).AddReward(t.Context(),
				reward.Reward{Source: source, Origin: origin, PlayerID: player, EarnedAt: at, Detail: "{}"}, at))
		}
		for unit := range uint64(3) {
			p := draw.Purchase{Shop: "gift-shop", Order: 1, Unit: unit}
			_, err := record(db, p, at)
			storetest.Must(t, err)
			add(p.String(), map[bool]string{true: "A", false: "B"}[unit < 2], reward.FromWebstore)
		}
		add("gift-shop-2-0-0", "A", reward.FromWebstore) // nothing of it is drawn
		add("1-0xab-0-0", "A", reward.FromPack)
		add("gift", "A", reward.FromGift)
		var got []string
		q := reward.Query{PlayerID: "A", Openings: true}
		for cursor, page := "", []reward.Record(nil); ; {
			q.Limit = 2
			var err error
			page, cursor, err = (reward.Records{RecordStore: rewards.New(db)}).Page(t.Context(), q, cursor)
			storetest.Must(t, err)
			for _, r := range page {
				got = append(got, r.Source)
			}
			if cursor == "" {
				break
			}
		}
		if want := []string{"1-0xab-0-0", "gift-shop-1-0-1", "gift-shop-1-0-0"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
