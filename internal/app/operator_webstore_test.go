package app_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestOperator_AssignsAPaidOrderAndForgivesDebts(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir(), Shop: config.Shop{Name: "shop"}}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	testkit.AddPlayers(t, db, 0, "A")
	const source = "shop-7-1-0"
	settle := func(fn func(context.Context, webstore.Tx) error) {
		t.Helper()
		if err := db.SettleOrder(t.Context(), webstore.Hint{OrderID: 7}, time.Time{}, fn); err != nil {
			t.Fatal(err)
		}
	}
	settle(func(ctx context.Context, tx webstore.Tx) error {
		if _, err := tx.AddReward(ctx, reward.Reward{Source: source, Origin: reward.FromWebstore, Grants: []reward.Content{reward.Currency{Code: "ig", Amount: 5}.Content()}}); err != nil {
			return err
		}
		return tx.PutOrder(ctx, webstore.Order{
			ID: 7, Number: "7", Status: webstore.Processing, PaidAt: time.Now(), Problem: "The order has no valid reference of a player.",
			Notes: []string{"It rained."},
			Lines: []webstore.Line{{ID: 1, Variation: 201, Name: "A pouch", Quantity: 1, Contents: &webstore.Contents{Gives: []draw.Grant{{Currency: "ig", Amount: 5}}}}},
		})
	})
	run := func(command func(*strings.Builder) error, want ...string) {
		t.Helper()
		var out strings.Builder
		if err := command(&out); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%q is missing in\n%s", text, out.String())
			}
		}
	}
	list := func(out *strings.Builder) error { return app.PrintWebstore(t.Context(), c, 10, out) }
	show := func(out *strings.Builder) error { return app.PrintWebstoreOrder(t.Context(), c, 7, out) }
	run(list, "paid and waiting for an operator: 1", "no valid reference of a player")
	run(show, "player   nobody", "It rained.", "reward   drawn  "+source)
	if err := app.AssignReward(t.Context(), c, source, "A", "asked", &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "webstore assign") {
		t.Errorf("assigning a single reward: %v", err)
	}
	run(func(out *strings.Builder) error { return app.AssignWebstoreOrder(t.Context(), c, 7, "A", "asked", out) }, "Order 7 is ")
	run(list, "paid and waiting for an operator: 0")
	run(show, "player   A")
	if _, err := reward.NewService(db, nil, reward.Treasury{}, clock.System{}).Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	settle(func(ctx context.Context, tx webstore.Tx) error { return tx.TakeBack(ctx, source, 7_990_000) })
	run(list, "A", "open", `{"code":"ig","amount":5}`)
	run(func(out *strings.Builder) error { return app.ForgiveWebstoreDebts(t.Context(), c, "A", "a gift", out) }, "1 debts of ")
	run(func(out *strings.Builder) error { return app.PrintOperatorLog(t.Context(), c, 10, out) }, "webstore assign", "webstore forgive", "A: asked")
}
