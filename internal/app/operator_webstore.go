package app

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
)

// PrintWebstore writes the paid orders that wait for an operator, the oldest first, and what players owe.
func PrintWebstore(ctx context.Context, c config.Config, limit int, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		b, err := db.ShopBacklog(ctx)
		if err != nil {
			return err
		}
		oldest := "none"
		if !b.Since.IsZero() {
			oldest = b.Since.UTC().Format(time.DateTime)
		}
		_, _ = fmt.Fprintf(w, "reported and not fetched: %d, oldest %s\n", b.Hints, oldest)
		failed, err := db.FailedHints(ctx, limit)
		if err != nil {
			return err
		}
		for _, h := range failed {
			_, _ = fmt.Fprintf(w, "  order %d since %s, tried %d times: %s\n", h.OrderID, h.Since.UTC().Format(time.DateTime), h.Attempts, h.Error)
		}
		orders, err := db.ProblemOrders(ctx, limit)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(w, "paid and waiting for an operator: %d\n\n", b.Problems)
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "paid (UTC)\torder\tstatus\tproblem")
		for _, o := range orders {
			_, _ = fmt.Fprintf(out, "%s\t%d\t%s\t%s\n", o.PaidAt.UTC().Format(time.DateTime), o.ID, o.Status, oneLine(whyWaits(o)))
		}
		debts, err := db.OpenDebts(ctx, webstore.Debt{}, limit)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, "\nplayer\tstate\towed\tof\treward")
		for _, d := range debts {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%d\t%s %s\t%s\n", d.PlayerID, d.State, d.Amount, d.Kind, d.Detail, d.Source)
		}
		return out.Flush()
	})
}

// whyWaits says in one line why an order waits for an operator.
func whyWaits(o webstore.Order) string {
	var why []string
	if o.Problem != "" {
		why = append(why, o.Problem)
	}
	for _, l := range o.Lines {
		if l.Waits != "" {
			why = append(why, fmt.Sprintf("Line %d (%s): %s.", l.ID, l.Name, l.Waits))
		}
	}
	return strings.Join(why, " ")
}

// PrintWebstoreOrder writes one paid order with its lines, notes and rewards.
func PrintWebstoreOrder(ctx context.Context, c config.Config, id int64, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		o, err := db.ShopOrderByID(ctx, id)
		if err != nil {
			return err
		}
		player := o.PlayerID
		if player == "" {
			player = "nobody"
		}
		_, _ = fmt.Fprintf(w, "order    %d (%s)\nstatus   %s\nplayer   %s\npaid     %s\n", o.ID, o.Number, o.Status, player, o.PaidAt.UTC().Format(time.DateTime))
		if o.Waits() {
			_, _ = fmt.Fprintf(w, "problem  %s\n", oneLine(whyWaits(o)))
		}
		if !o.DisputedAt.IsZero() {
			_, _ = fmt.Fprintf(w, "disputed %s\n", o.DisputedAt.UTC().Format(time.DateTime))
		}
		for _, id := range o.HandOffs {
			_, _ = fmt.Fprintf(w, "refers   to player %s\n", playerOfHandOff(ctx, db, id))
		}
		for _, l := range o.Lines {
			_, _ = fmt.Fprintf(w, "line     %d: %d × %s (variation %d), taken back %d, waiting %d%s\n", l.ID, l.Quantity, oneLine(l.Name), l.Variation, l.Back, l.Waiting(), unknownContents(l))
		}
		for _, n := range o.Notes {
			_, _ = fmt.Fprintf(w, "note     %s\n", oneLine(n))
		}
		rewards, err := db.RewardsOf(ctx, o.Sources(c.Shop.Name))
		for _, r := range rewards {
			_, _ = fmt.Fprintf(w, "reward   %s  %s  %s\n", r.State, r.Source, r.Error)
		}
		return err
	})
}

// playerOfHandOff returns the player whom a reference of an order names.
func playerOfHandOff(ctx context.Context, db *store.DB, id string) string {
	h, err := db.HandOffByID(ctx, id)
	if err != nil {
		return "unknown"
	}
	if _, err := db.Player(ctx, h.PlayerID); fault.Is(err, fault.NotFound) {
		return h.PlayerID + ", who has deleted the account"
	}
	return h.PlayerID
}

func unknownContents(l webstore.Line) string {
	if l.Contents == nil {
		return ", not given: the catalogue does not know it"
	}
	return ""
}

// AssignWebstoreOrder gives a paid order without a player to a player: an id, an email or a name.
func AssignWebstoreOrder(ctx context.Context, c config.Config, id int64, player, reason string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		to, err := onePlayer(ctx, db, player)
		if err != nil {
			return err
		}
		e := operatorEntry("webstore assign", strconv.FormatInt(id, 10), to.PlayerID+": "+reason)
		if err := db.AssignShopOrder(ctx, id, to.PlayerID, c.Shop.Name, e); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "Order %d is %s's now.\n", id, inWords(to))
		return err
	})
}

// ReleaseWebstoreOrder gives a player what waits for an operator of a paid order.
func ReleaseWebstoreOrder(ctx context.Context, c config.Config, id int64, reason string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		err := db.ReleaseShopOrder(ctx, id, operatorEntry("webstore release", strconv.FormatInt(id, 10), reason))
		if err == nil {
			_, err = fmt.Fprintf(w, "What waited of order %d is given.\n", id)
		}
		return err
	})
}

// ForgiveWebstoreDebts forgives what a player owes to the webstore, and disputes of the player's payments.
func ForgiveWebstoreDebts(ctx context.Context, c config.Config, player, reason string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		of, err := onePlayer(ctx, db, player)
		if err != nil {
			return err
		}
		n, disputes, err := db.ForgiveShopDebts(ctx, of.PlayerID, operatorEntry("webstore forgive", of.PlayerID, reason))
		if err == nil {
			_, err = fmt.Fprintf(w, "%d debts of %s are forgiven, and %d disputed payments.\n", n, inWords(of), disputes)
		}
		return err
	})
}
