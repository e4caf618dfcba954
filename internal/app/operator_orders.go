package app

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/store"
)

// PrintOrders writes a player's newest orders. player is an id, an email or a name.
func PrintOrders(ctx context.Context, c config.Config, player string, limit int, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		id, err := onePlayer(ctx, db, player)
		if err != nil {
			return err
		}
		orders, err := db.OrdersOf(ctx, id.PlayerID, limit)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "placed (UTC)\torder\tstate\ttotal\ttransaction\terror")
		for _, o := range orders {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s %s\t%s\t%s\n", o.CreatedAt.UTC().Format(time.DateTime), o.ID, o.State, o.Total.Decimal(currencyDecimals), currencySymbol, o.Tx, o.Error)
		}
		return out.Flush()
	})
}
