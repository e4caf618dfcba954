package webstore_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/shop/woocommerce"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

// nonce returns a nonce of one byte again and again.
func nonce(b byte) [32]byte { return [32]byte(bytes.Repeat([]byte{b}, 32)) }

// sellEdition adds an edition of destiny-bronze, another table, and sells it from now on.
func (c *counter) sellEdition(edition int) {
	c.t.Helper()
	if _, ok := c.tables.Edition("destiny-bronze", edition); !ok {
		next, _ := c.tables.Edition("destiny-bronze", edition-1)
		next.Edition = edition
		next.Drops = slices.Clone(next.Drops)
		next.Drops[0].Weight++
		next.Drops[1].Weight--
		c.tables = draw.TablesOf(append(c.tables.All(), next))
	}
	c.editions["destiny-bronze"] = edition
}

// pay places a paid order with references at its lines, in their order, and reconciles it.
func (c *counter) pay(references []string, lines ...devshop.NewLine) int64 {
	c.t.Helper()
	id := c.shop.Place(devshop.NewOrder{Lines: lines})
	c.shop.Edit(id, func(o *devshop.Order) {
		for i, r := range references {
			l := &o.Lines[i%len(o.Lines)]
			l.Meta = append(l.Meta, devshop.Meta{ID: int64(i + 1), Key: woocommerce.ReferenceKey, Value: r})
		}
		o.Status = "processing"
	})
	c.step()
	return id
}

// step lets the portal reconcile once what the shop has reported.
func (c *counter) step() {
	c.t.Helper()
	c.shop.Wait()
	must(c.t, c.reconciler.Step(c.t.Context()))
}

// log returns the public log of payments, which must be sound.
func (c *counter) log() []draw.LoggedRecord {
	c.t.Helper()
	records, err := rewards.New(c.db).Records(c.t.Context(), 0, 10_000)
	must(c.t, err)
	must(c.t, draw.VerifyRecords(draw.LoggedRecord{}, records))
	return records
}

// recordsOf returns the records of an order.
func (c *counter) recordsOf(order int64) (out []draw.LoggedRecord) {
	c.t.Helper()
	for _, r := range c.log() {
		if strings.HasPrefix(r.OpeningID, fmt.Sprintf("shop-%d-", order)) {
			out = append(out, r)
		}
	}
	return out
}

// wantRecords checks how many records an order has, and what all of them have.
func (c *counter) wantRecords(order int64, count, edition int, nonce [32]byte) {
	c.t.Helper()
	records := c.recordsOf(order)
	if len(records) != count {
		c.t.Errorf("%d records of order %d, want %d", len(records), order, count)
	}
	table, _ := c.tables.Edition("destiny-bronze", edition)
	hash := table.Hash()
	for _, r := range records {
		if r.Kind != "destiny-bronze" || r.Edition != edition || r.Nonce != nonce || r.Table != hex.EncodeToString(hash[:]) {
			c.t.Errorf("record %+v, want edition %d, nonce %x", r.Record, edition, nonce)
		}
		o, err := rewards.New(c.db).Opening(c.t.Context(), r.OpeningID)
		must(c.t, err)
		p, _ := o.Origin.(draw.Purchase)
		if o.Record != r.Number || o.Edition != edition || p.Nonce != nonce || o.Round != 0 || o.At.Unix() != r.RecordedAt {
			c.t.Errorf("opening %+v of record %+v", o, r.Record)
		}
	}
}

// Spec: DRAW-11
func TestHandOff_FixesEditionAndNonceOfAllPacksOfItsVariation(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		h := c.begin("A", 104, nonce(1))
		first, _ := c.tables.Edition("destiny-bronze", 1)
		if h.Edition != 1 || h.Table != first.Hash() || h.Kind != "destiny-bronze" || h.Nonce != nonce(1) {
			t.Errorf("begun %+v", h)
		}
		kept, err := shopstore.New(c.db).HandedOff(t.Context(), "A", h.ID)
		must(t, err)
		if kept != h.HandOff {
			t.Errorf("kept %+v, want %+v", kept, h.HandOff)
		}
		c.sellEdition(2) // before the player pays
		id := c.pay([]string{h.reference}, one(104), one(104))
		c.wantRecords(id, 10, 1, nonce(1))
	})
}

// Spec: DRAW-11
func TestHandOff_EachSaleHasTheEditionOfItsTime(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		before, late := c.begin("A", 101, nonce(1)), c.begin("A", 101, nonce(2))
		first := c.pay([]string{before.reference}, one(101))
		c.sellEdition(2)
		after := c.begin("B", 101, nonce(3))
		second := c.pay([]string{after.reference}, one(101))
		third := c.pay([]string{late.reference}, one(101))
		c.wantRecords(first, 1, 1, nonce(1))
		c.wantRecords(second, 1, 2, nonce(3))
		c.wantRecords(third, 1, 1, nonce(2))
		if after.Edition != 2 || after.Table == before.Table {
			t.Errorf("begun %+v after %+v", after, before)
		}
	})
}

// Spec: DRAW-11
func TestHandOff_NewestOfTheVariationCounts(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		older := c.begin("A", 101, nonce(1))
		c.clock.Advance(time.Second)
		newest := c.begin("A", 101, nonce(2))
		c.clock.Advance(time.Second)
		c.sellEdition(2)
		other := c.begin("A", 104, nonce(3)) // newer, and of another variation
		gold := c.begin("A", 201, nonce(4))  // of what is not drawn
		references := []string{newest.reference, older.reference, gold.reference, other.reference}
		id := c.pay(references, one(101), one(201), one(101))
		c.wantRecords(id, 2, 1, nonce(2))
		if gold.Edition != 0 || gold.Table != [32]byte{} || gold.Nonce != [32]byte{} {
			t.Errorf("a hand-off for what is not drawn has %+v", gold)
		}
		// Of two at the same time it is always the same one.
		twins := []begun{c.begin("A", 101, nonce(5)), c.begin("A", 101, nonce(6))}
		want := slices.MaxFunc(twins, func(a, b begun) int { return strings.Compare(a.ID, b.ID) }).Nonce
		for range 2 {
			slices.Reverse(twins)
			id := c.pay([]string{twins[0].reference, twins[1].reference}, one(101))
			c.wantRecords(id, 1, 2, want)
		}
	})
}

func TestOrder_WithoutAHandOffForItsPacksHasTheEditionOfItsRecordAndNoNonce(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.sellEdition(2)
		nobodys := c.pay(nil, one(101))
		c.wantRecords(nobodys, 1, 2, [32]byte{})
		other := c.begin("A", 104, nonce(1))
		c.sellEdition(3)
		id := c.pay([]string{other.reference}, one(101))
		c.wantRecords(id, 1, 3, [32]byte{})
	})
}

// A catalogue may be changed, so that a variation has packs of another kind than at the hand-off. Their editions have nothing to do
// with each other.
func TestOrder_OfAnotherKindThanItsHandOffHasTheEditionOfThatKind(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.sellEdition(2)
		h := c.begin("A", 101, nonce(1))
		c.editions["destiny-gold"] = 1
		c.sold = testkit.Catalogue(t, strings.Replace(products, `name: Bronze, price: "4.99", opens: destiny-bronze`,
			`name: Gold, price: "4.99", opens: destiny-gold`, 1))
		id := c.pay([]string{h.reference}, one(101))
		records := c.recordsOf(id)
		if len(records) != 1 || records[0].Kind != "destiny-gold" || records[0].Edition != 1 || records[0].Nonce != nonce(1) {
			t.Errorf("records %+v", records)
		}
	})
}

func TestOrder_KeepsItsEditionWhateverIsEditedOrReleasedLater(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.sold = testkit.Catalogue(t, strings.Replace(products, `opens: destiny-bronze, count: 1`,
			`limit: 1, opens: destiny-bronze, count: 1`, 1))
		with, without := c.begin("A", 101, nonce(1)), c.begin("B", 104, nonce(2))
		mine := c.pay([]string{with.reference}, units(101, 3))
		others := c.pay([]string{without.reference}, units(101, 2)) // no hand-off for it: the edition of the record
		c.wantRecords(mine, 1, 1, nonce(1))
		c.wantRecords(others, 1, 1, [32]byte{})
		c.sellEdition(2)
		for _, id := range []int64{mine, others} {
			c.shop.Edit(id, func(o *devshop.Order) { o.Lines[0].Quantity = 9 })
			c.step()
			must(t, operators.New(c.db).ReleaseShopOrder(t.Context(), id, byHand))
			c.step()
		}
		c.wantRecords(mine, 3, 1, nonce(1))
		c.wantRecords(others, 2, 1, [32]byte{})
	})
}

func TestCheckout_PacksWithoutAFixedTableAreNotOnSaleYet(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		delete(c.editions, "destiny-bronze")
		_, err := c.service.Checkout(t.Context(), "A", 100, 101, nonce(1))
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Message != "These packs are not on sale yet." {
			t.Errorf("%v", err)
		}
		// What was bought in the shop itself waits until they are.
		id := c.shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{one(101)}})
		c.shop.SetStatus(id, "processing")
		c.shop.Wait()
		if err := c.reconciler.Step(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("reconciled: %v", err)
		}
		if _, ok := c.recorded(id); ok || len(c.log()) > 0 {
			t.Error("an order of packs that are not on sale yet is recorded")
		}
		c.sellEdition(1)
		c.clock.Advance(time.Minute)
		c.reconcile()
		c.wantRecords(id, 1, 1, [32]byte{})
	})
}

// A hand-off never changes. So a new one is made for what fixes something else, also where the number is limited.
func TestHandOff_OpenOneIsUsedAgainOnlyForTheSameEditionAndNonce(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.sold = testkit.Catalogue(t, strings.Replace(products, `opens: destiny-bronze, count: 1`,
			`limit: 9, opens: destiny-bronze, count: 1`, 1))
		first := c.begin("A", 101, nonce(1))
		if again := c.begin("A", 101, nonce(1)); again.HandOff != first.HandOff {
			t.Errorf("the same again: %+v, want %+v", again.HandOff, first.HandOff)
		}
		c.clock.Advance(time.Second)
		other := c.begin("A", 101, nonce(2))
		c.clock.Advance(time.Second)
		c.sellEdition(2)
		later := c.begin("A", 101, nonce(2))
		if other.ID == first.ID || later.ID == other.ID || later.Edition != 2 {
			t.Errorf("%+v, %+v, %+v", first, other, later)
		}
		kept, err := shopstore.New(c.db).HandedOff(t.Context(), "A", first.ID)
		must(t, err)
		if kept != first.HandOff {
			t.Errorf("the first is %+v now, and was %+v", kept, first.HandOff)
		}
	})
}

// Spec: DRAW-5
func TestRecord_NoneIsDatedBeforeTheOneBefore(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		first := c.order("A", one(101))
		c.step()
		c.clock.Advance(-time.Second) // another machine goes on, whose clock is behind
		second := c.order("B", one(101))
		c.shop.Wait()
		if err := c.reconciler.Step(t.Context()); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "The clock is behind") {
			t.Errorf("reconciled: %v", err)
		}
		c.clock.Advance(2 * time.Second)
		c.reconcile()
		c.wantRecords(first, 1, 1, [32]byte{})
		c.wantRecords(second, 1, 1, [32]byte{})
	})
}

// An operator who does not like what a round leads to might record the payment once more, and later.
// Spec: DRAW-5
func TestRecord_OfTheSamePacksIsMadeOnce(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		h := c.begin("A", 104, nonce(1))
		id := c.pay([]string{h.reference}, units(104, 2))
		before := c.log()
		c.sellEdition(2)
		for range 3 {
			c.clock.Advance(time.Hour)
			must(t, c.reconciler.Hint(t.Context(), id))
			c.step()
		}
		table, _ := c.tables.Edition("destiny-bronze", 2)
		for unit := range uint64(10) {
			p := draw.Purchase{Shop: "shop", Order: uint64(id), Line: uint64(c.line(id, 0)), Unit: unit, Nonce: nonce(byte(unit))}
			must(t, c.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				added, err := rewards.AddPurchaseOpening(ctx, tx, p, table, c.clock.Now())
				if added {
					t.Errorf("unit %d is recorded again", unit)
				}
				return err
			}))
		}
		if after := c.log(); !slices.Equal(after, before) || len(after) != 10 {
			t.Errorf("the log was %+v and is %+v", before, after)
		}
	})
}
