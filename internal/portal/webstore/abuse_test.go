package webstore_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

var byHand = operator.Entry{At: opening, Who: "me", Command: "test", Reason: "asked"}

// pass lets minutes pass, in which the portal works.
func (c *counter) pass(minutes int) {
	c.t.Helper()
	for range minutes {
		c.reconcile()
		c.clock.Advance(time.Minute)
	}
}

// sources returns the sources of an order's rewards.
func (c *counter) sources(order int64) []string {
	c.t.Helper()
	o, ok := c.recorded(order)
	if !ok {
		c.t.Fatalf("order %d is not recorded", order)
	}
	return o.Sources("shop")
}

// past places a paid order with a reference from before.
func (c *counter) past(player string, lines ...devshop.NewLine) int64 {
	c.t.Helper()
	id := c.shop.Place(devshop.NewOrder{Reference: c.referPast(player, lines[0].Variation), Lines: lines})
	c.shop.SetStatus(id, "processing")
	return id
}

// Spec: SHOP-9
func TestDebt_WithholdsWhatWasBoughtBeforeIt(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		first := c.order("A", one(401))
		c.reconcile()
		c.clock.Advance(23 * time.Hour)
		c.past("A", one(401))
		c.reconcile()
		c.clock.Advance(2 * time.Hour)
		c.reconcile()
		c.want("USDC of the first order", c.sent("A", testkit.USDC), 25_000_000)
		c.shop.SetStatus(first, "failed") // charged back
		c.reconcile()
		c.clock.Advance(48 * time.Hour)
		c.pass(3)
		c.want("USDC with a debt", c.sent("A", testkit.USDC), 25_000_000)
		if _, _, err := (operators.New(c.db)).ForgiveShopDebts(t.Context(), "A", byHand); err != nil {
			t.Fatal(err)
		}
		c.pass(2)
		c.want("USDC once it is forgiven", c.sent("A", testkit.USDC), 50_000_000)
	})
}

// Spec: SHOP-9
func TestDebt_WithholdsWhatIsGivenAgain(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		token := c.order("A", one(302))
		c.reconcile()
		second := c.order("A", one(401))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.mints.fails = true
		c.pass(2)
		c.want("attempts", int64(len(c.mints.sent)), 1)
		c.mints.fails = false
		c.shop.SetStatus(token, "refunded")
		c.reconcile()
		if _, err := testkit.Operator(c.db, c.clock).RedoReward(t.Context(), c.sources(second)[0], false, testkit.By("asked")); err != nil {
			t.Fatal(err)
		}
		c.pass(3)
		c.want("attempts with a debt", int64(len(c.mints.sent)), 1)
	})
}

// A grant that was read before it was withheld is neither given nor postponed.
func TestDebt_WithholdsAGrantThatIsBeingWorkedOn(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		token := c.order("A", one(302))
		c.order("A", one(401))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		grants, err := rewards.New(c.db).DueGrants(t.Context(), reward.Due{State: reward.Pending, By: c.clock.Now(), Limit: 10})
		must(t, err)
		if len(grants) != 1 || grants[0].Kind != reward.KindTransfer {
			t.Fatalf("due: %+v", grants)
		}
		c.shop.SetStatus(token, "refunded")
		c.shop.Wait()
		must(t, c.reconciler.Step(t.Context()))
		if moved, err := rewards.New(c.db).MoveGrant(t.Context(), grants[0], reward.Sending, "", c.clock.Now()); moved || err != nil {
			t.Errorf("moved %v, %v", moved, err)
		}
		must(t, rewards.New(c.db).PostponeGrant(t.Context(), grants[0], "later", c.clock.Now(), c.clock.Now()))
		c.pass(3)
		c.want("transfers", int64(len(c.mints.sent)), 0)
	})
}

// A grant that is due although its player owes, as the last debt was paid while another one was being recorded, is not given.
func TestDebt_WithholdsAGrantThatWasReleasedMeanwhile(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		token := c.order("A", one(302))
		c.reconcile()
		c.order("A", one(401))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.shop.SetStatus(token, "refunded")
		c.reconcile()
		must(t, c.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.ReleaseWithheldGrants(ctx, sql.NullString{String: "A", Valid: true})
		}))
		c.pass(3)
		c.want("USDC", c.sent("A", testkit.USDC), 0)
	})
}

func TestRefund_OfATransferThatFailsCannotBeGivenAgain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"before the debt is void", "after"} {
		t.Run(name, func(t *testing.T) {
			eachShop(t, func(t *testing.T, c *counter) {
				c.fund(1_000_000_000, 100)
				c.mints.held = true
				id := c.order("A", one(401))
				c.reconcile()
				c.clock.Advance(25 * time.Hour)
				c.reconcile()
				c.shop.SetStatus(id, "refunded") // while the transfer is on its way
				c.reconcile()
				c.mints.fails = true
				if _, err := c.rewards.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
				if name == "after" {
					c.reconcile()
				}
				source := c.sources(id)[0]
				_, err := testkit.Operator(c.db, c.clock).RedoReward(t.Context(), source, false, testkit.By("asked"))
				if again := err == nil; again != (name != "after") {
					t.Errorf("given again: %v", err)
				}
				c.mints.fails, c.mints.held = false, false
				c.pass(3)
				c.want("attempts", int64(len(c.mints.sent)), 1)
				c.want("owed", c.owed("A"), 0)
				if r, err := (operators.New(c.db)).RewardRecord(t.Context(), source); err != nil || r.State != reward.Cancelled {
					t.Errorf("the reward is %s, %v", r.State, err)
				}
			})
		})
	}
}

func TestDebt_OfOnePlayerDelaysNobodyElses(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		tokens := c.order("A", units(302, 501))
		gold := c.order("B", one(201))
		for range 4 {
			c.reconcile()
		}
		c.want("InfiniGold", c.has("B", "ig"), 500)
		c.shop.SetStatus(tokens, "refunded")
		c.shop.SetStatus(gold, "refunded")
		c.reconcile()
		c.want("InfiniGold that B owed", c.has("B", "ig"), 0)
		if debts, err := c.service.Debts(t.Context(), "B"); len(debts) > 0 || err != nil {
			t.Errorf("B owes %+v, %v", debts, err)
		}
		c.want("tokens that A owes", c.owed("A"), 501)
	})
}

// Spec: SHOP-9
func TestTreasury_WaitsWhileAnOrderIsDisputedOrDeleted(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		disputed, won, deleted := c.order("A", one(401)), c.order("B", one(401)), c.past("A", one(411))
		c.reconcile()
		c.shop.SetStatus(disputed, "on-hold")
		c.shop.SetStatus(won, "on-hold")
		c.shop.Delete(deleted)
		c.reconcile()
		c.clock.Advance(48 * time.Hour)
		c.pass(3)
		c.want("transfers", int64(len(c.mints.sent)), 0)
		c.shop.SetStatus(disputed, "failed")
		c.shop.SetStatus(won, "processing")
		c.pass(3)
		c.want("USDC of A, whose payment was charged back", c.sent("A", testkit.USDC), 0)
		c.want("USDC of B, whose dispute ended", c.sent("B", testkit.USDC), 25_000_000)
		c.want("transfers", int64(len(c.mints.sent)), 1)
	})
}

// Neither an operator who assigns the order nor the end of a debt sends what is disputed.
func TestTreasury_DisputeHoldsForOrdersThatWaited(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		token, mine := c.order("A", one(302)), c.order("A", one(401))
		stray := c.shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{one(401), {Variation: 999, Quantity: 1, Total: "1.00"}}})
		c.shop.SetStatus(stray, "processing")
		c.reconcile()
		c.shop.SetStatus(token, "refunded")
		c.reconcile()
		for _, id := range []int64{mine, stray} {
			c.shop.SetStatus(id, "on-hold")
		}
		c.sold = testkit.Catalogue(t, products+
			`  - {id: 990, type: gold-pack, name: Late, variations: [{id: 999, name: One, price: "1.00", gives: [{currency: fa, amount: 7}]}]}`+"\n")
		c.reconcile()
		must(t, operators.New(c.db).AssignShopOrder(t.Context(), stray, "B", "shop", byHand))
		if _, _, err := (operators.New(c.db)).ForgiveShopDebts(t.Context(), "A", byHand); err != nil {
			t.Fatal(err)
		}
		c.clock.Advance(48 * time.Hour)
		c.pass(3)
		c.want("transfers", int64(len(c.mints.sent)), 0)
		c.want("what the catalogue knows since", c.has("B", "fa"), 0)
		for _, id := range []int64{mine, stray} {
			c.shop.SetStatus(id, "processing")
		}
		c.pass(3)
		c.want("USDC of A", c.sent("A", testkit.USDC), 25_000_000)
		c.want("USDC of B", c.sent("B", testkit.USDC), 25_000_000)
		c.want("what the catalogue knows since", c.has("B", "fa"), 7)
	})
}

// Spec: SHOP-9
func TestTreasury_SendsNothingToAFrozenPlayer(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		c.order("A", one(401))
		c.order("B", one(401))
		c.reconcile()
		if _, err := testkit.Operator(c.db, c.clock).Freeze(t.Context(), "A", testkit.By("a stolen card")); err != nil {
			t.Fatal(err)
		}
		c.clock.Advance(25 * time.Hour)
		c.pass(3)
		c.want("USDC of A", c.sent("A", testkit.USDC), 0)
		c.want("USDC of B", c.sent("B", testkit.USDC), 25_000_000)
		if _, err := testkit.Operator(c.db, c.clock).Unfreeze(t.Context(), "A", testkit.By("it was not stolen")); err != nil {
			t.Fatal(err)
		}
		c.pass(3)
		c.want("USDC of A", c.sent("A", testkit.USDC), 25_000_000)
	})
}

// Whoever deletes the account after a transfer does not make room for the next one.
func TestTreasury_LimitsCountWhatDeletedPlayersReceived(t *testing.T) {
	t.Parallel()
	for _, on := range []string{"mined", "on its way"} {
		t.Run(on, func(t *testing.T) {
			eachShop(t, func(t *testing.T, c *counter) {
				c.fund(1_000_000_000, 100)
				testkit.AddPlayers(t, c.db, 0, "C", "D", "E")
				players := []string{"A", "B", "C", "D", "E"}
				for _, p := range players {
					c.past(p, one(401))
					c.clock.Advance(time.Second)
				}
				c.reconcile()
				c.clock.Advance(25 * time.Hour)
				gone := map[string]bool{}
				for range players {
					c.mints.held = on != "mined"
					c.pass(2)
					c.mints.held = false
					for _, p := range players {
						if gone[p] || c.sent(p, testkit.USDC) == 0 {
							continue
						}
						gone[p] = true
						_, err := accounts.New(c.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: p, At: c.clock.Now()})
						must(t, err)
					}
				}
				c.pass(3)
				c.want("transfers of 25 USDC in a day", int64(len(c.mints.sent)), 4)
				rewards, err := operators.New(c.db).FindRewards(t.Context(), operator.Find{Limit: 10})
				must(t, err)
				for _, r := range rewards {
					if r.PlayerID == "" && (r.Detail != "{}" || r.State != reward.Done) {
						t.Errorf("kept: %+v", r)
					}
				}
			})
		})
	}
}

// The shop's cart takes packs with the reference of a hand-off for gold, before which neither age nor country are checked. It does
// not matter what the product is today: what counts is what it was at the checkout.
// Spec: SHOP-10
func TestOrder_PacksWithoutTheirCheckWaitForAnOperator(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		reference := c.refer("A", 201)
		c.refer("B", 101)
		for _, variation := range []int64{101, 411} {
			id := c.shop.Place(devshop.NewOrder{Reference: reference, Lines: []devshop.NewLine{one(201), one(variation)}})
			c.shop.SetStatus(id, "processing")
			c.reconcile()
			if o, _ := c.recorded(id); o.PlayerID != "" ||
				o.Problem != "The order has packs, for which player A's age and country were never checked." {
				t.Errorf("recorded %+v", o)
			}
		}
		c.sold = testkit.Catalogue(t, strings.ReplaceAll(products,
			`{id: 201, name: A pouch, price: "2.99", gives: [{currency: ig, amount: 500}]}`,
			`{id: 204, name: A pouch, price: "2.99", gives: [{currency: ig, amount: 500}]}`)+
			`  - {id: 120, type: destiny-pack, name: Was gold, variations: [{id: 201, name: One, price: "2.99", opens: destiny-bronze, count: 1}]}`+
			"\n")
		changed := c.shop.Place(devshop.NewOrder{Reference: reference, Lines: []devshop.NewLine{one(201)}})
		c.shop.SetStatus(changed, "processing")
		c.reconcile()
		if o, _ := c.recorded(changed); o.PlayerID != "" {
			t.Errorf("recorded %+v", o)
		}
		c.want("InfiniGold", c.has("A", "ig"), 0)
		checked := c.past("B", one(204), one(411)) // who went for packs before
		c.reconcile()
		if o, _ := c.recorded(checked); o.PlayerID != "B" || o.Problem != "" {
			t.Errorf("recorded %+v", o)
		}
		c.want("InfiniGold of B", c.has("B", "ig"), 505)
	})
}

func TestOrder_PaidAgainAfterARefundIsNotedAndGivesNothing(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		id := c.order("A", units(201, 3), one(401))
		c.reconcile()
		for _, status := range []string{"cancelled", "on-hold", "completed", "refunded", "processing"} {
			c.shop.SetStatus(id, status)
			c.reconcile()
		}
		c.clock.Advance(25 * time.Hour)
		c.pass(3)
		c.want("InfiniGold", c.has("A", "ig"), 0)
		c.want("USDC", c.sent("A", testkit.USDC), 0)
		o, _ := c.recorded(id)
		if len(o.Notes) != 2 || !strings.Contains(o.Notes[0], "3 were taken back, of which 0 are refunded now. They are not given again.") {
			t.Errorf("notes %q", o.Notes)
		}
	})
}

// What an operator assigns has the note of its currency.
func TestOrder_InAnotherCurrencyWithoutAPlayerIsNoted(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.shop.Place(devshop.NewOrder{Currency: "VND", Lines: []devshop.NewLine{one(401)}})
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		if o, _ := c.recorded(id); len(o.Notes) != 1 || o.Notes[0] != "The order is in VND and not in EUR." {
			t.Errorf("recorded %+v", o)
		}
	})
}

// returning is a purse whose first debit finds that the game has spent in the meantime; its id is used up then, as purse.Service's.
type returning struct {
	balances
	used map[string]bool
}

func (r returning) Debit(ctx context.Context, id, playerID, code string, amount int64) error {
	if len(r.used) == 0 || r.used[id] {
		r.used[id] = true
		return purse.ErrInsufficient
	}
	return r.balances.Debit(ctx, id, playerID, code, amount)
}

func TestDebt_IsCollectedAfterADebitThatWasReturned(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(201))
		c.reconcile()
		c.collect = webstore.NewCollector(shopstore.New(c.db), returning{balances{accounts.New(c.db)}, map[string]bool{}})
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 0)
		c.want("owed", c.owed("A"), 0)
	})
}
