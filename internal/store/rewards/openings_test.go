package rewards_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

var goldPack = projection.Pack{Kind: "destiny-gold", Edition: 1}

// Spec: DRAW-10
func TestOpening_OfAPurchaseIsAddedOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		p := draw.Purchase{Shop: "gift-shop", Order: math.MaxInt64 >> 10, Line: 2, Unit: 3, Nonce: [32]byte{31: 9}}
		at := time.Date(2026, 3, 1, 12, 0, 0, 1, time.UTC)
		for i, want := range []bool{true, false} {
			added, err := testkit.AddPurchaseOpening(t.Context(), db, p, goldPack, at.Add(time.Duration(i)*time.Hour), 7+uint64(i))
			if added != want || err != nil {
				t.Fatalf("addition %d: %v, %v", i, added, err)
			}
		}
		o, err := rewards.New(db).Opening(t.Context(), "gift-shop-9007199254740991-2-3")
		if err != nil {
			t.Fatal(err)
		}
		if o.Origin != p || o.Kind != "destiny-gold" || o.Edition != 1 || o.Record != 1 ||
			!o.At.Equal(time.Date(2026, 3, 1, 12, 0, 1, 0, time.UTC)) || o.Round != 7 || o.Place != 1 || !o.Wallet.IsZero() {
			t.Errorf("%+v", o)
		}
		for _, bad := range []draw.Purchase{
			{}, {Shop: "Gift"}, {Shop: "7"}, {Shop: strings.Repeat("a", 33)}, {Shop: "gift-shop", Order: 1 << 53},
		} {
			if added, err := testkit.AddPurchaseOpening(t.Context(), db, bad, goldPack, at, 7); added || err == nil {
				t.Errorf("%+v is added", bad)
			}
		}
	})
}

// Purchases have no wallet, so earlier ones do not count towards the pity rule.
func TestOpening_OfAPurchaseSeesNoEarlierOpeningsExceptForCaps(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		for unit := range uint64(3) {
			if _, err := testkit.AddPurchaseOpening(t.Context(), db, draw.Purchase{Shop: "gift-shop", Order: 1, Line: 1, Unit: unit}, goldPack,
				at, 7); err != nil {
				t.Fatal(err)
			}
		}
		waiting, err := rewards.New(db).WaitingOpenings(t.Context(), 10)
		if err != nil || len(waiting) != 3 {
			t.Fatalf("%d openings, %v", len(waiting), err)
		}
		table := draw.Table{Kind: "destiny-gold", Edition: 1, Caps: []draw.Cap{{Item: "elder-gods", Most: 100}}}
		for i, o := range waiting {
			err := rewards.New(db).DrawOpening(t.Context(), o, table, func(before draw.Luck) (packs.Drawn, error) {
				if before.Without != 0 || before.Given["elder-gods"] != 2*int64(i) {
					return packs.Drawn{}, fmt.Errorf("opening %d after %+v", i, before)
				}
				return packs.Drawn{Drop: "god", Items: map[string]int64{"elder-gods": 2}, Receipt: []byte("{}"), Detail: "{}"}, nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// Each opening has a place of its own, whatever many processes add at once.
// Spec: DRAW-9
func TestOpening_ConcurrentPurchasesTakeDifferentPlaces(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const buyers, units = 20, 5
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		var group errgroup.Group
		for order := range uint64(buyers) {
			group.Go(func() error {
				for unit := range uint64(units) {
					if _, err := testkit.AddPurchaseOpening(t.Context(), db, draw.Purchase{Shop: "gift-shop", Order: order, Unit: unit}, goldPack,
						at, 7); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		waiting, err := rewards.New(db).WaitingOpenings(t.Context(), 1000)
		if err != nil || len(waiting) != 100 {
			t.Fatalf("%d openings, %v", len(waiting), err)
		}
		for i, o := range waiting {
			if o.Place != int64(i+1) {
				t.Fatalf("opening %d has place %d", i, o.Place)
			}
		}
	})
}

func TestOpening_OfEachKindTheFirstAreRead(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		for unit := range uint64(6) {
			kind := []string{"destiny-gold", "destiny-bronze"}[unit%2]
			if _, err := testkit.AddPurchaseOpening(t.Context(), db, draw.Purchase{Shop: "gift-shop", Unit: unit},
				projection.Pack{Kind: kind, Edition: 1}, at, 7); err != nil {
				t.Fatal(err)
			}
		}
		waiting, err := rewards.New(db).WaitingOpenings(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, o := range waiting {
			got = append(got, o.Place)
		}
		if want := []int64{2, 4, 1, 3}; !slices.Equal(got, want) {
			t.Errorf("places %v, want %v", got, want)
		}
	})
}
