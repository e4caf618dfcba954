package rewards

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// WithholdIfOwing keeps a reward's grants from being given while its player has a debt.
func WithholdIfOwing(ctx context.Context, tx *store.Tx, source, playerID string) error {
	n, err := tx.CountShopDebts(ctx, playerID)
	if n == 0 || err != nil {
		return err
	}
	return tx.WithholdGrants(ctx, gen.WithholdGrantsParams{Error: owesText, Source: source})
}

// WithholdAllIfOwing keeps all that the webstore has not given to a player from being given while the player has a debt.
func WithholdAllIfOwing(ctx context.Context, tx *store.Tx, playerID string) error {
	n, err := tx.CountShopDebts(ctx, playerID)
	if n == 0 || err != nil {
		return err
	}
	owner := sql.NullString{String: playerID, Valid: true}
	return tx.WithholdGrantsOf(ctx, gen.WithholdGrantsOfParams{Error: owesText, PlayerID: owner})
}

// withholdDrawn keeps the grants of a purchase that was just drawn from being given while its player has a debt or its order is
// not paid any more.
func withholdDrawn(ctx context.Context, tx *store.Tx, source, playerID string) error {
	status, err := tx.StatusOfOpening(ctx, source)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil && !webstore.Status(status).Paid() {
		if err := tx.HoldGrants(ctx, gen.HoldGrantsParams{Held: column.Flag(true), Source: source}); err != nil {
			return err
		}
	}
	if playerID == "" {
		return nil
	}
	return WithholdIfOwing(ctx, tx, source, playerID)
}

// ReleaseWithheld releases the webstore's rewards of a player without debts.
func ReleaseWithheld(ctx context.Context, tx *store.Tx, playerID string) error {
	n, err := tx.CountShopDebts(ctx, playerID)
	if n > 0 || err != nil {
		return err
	}
	return tx.ReleaseWithheldGrants(ctx, sql.NullString{String: playerID, Valid: true})
}

// describePurchase adds the purchased variation and the reward's grants to a change of a webstore reward.
func describePurchase(ctx context.Context, tx *store.Tx, c *projection.RewardChange) error {
	variation, err := tx.VariationOfOpening(ctx, c.Source)
	if errors.Is(err, sql.ErrNoRows) {
		var p webstore.Purchase
		err = json.Unmarshal([]byte(c.Detail), &p)
		variation = p.Variation
	}
	if err != nil {
		return err
	}
	c.Variation = variation
	grants, err := tx.RewardGrants(ctx, c.Source)
	for _, g := range grants {
		c.Given = append(c.Given, ContentOf(g))
	}
	return err
}

// owesText is the reason of withheld grants, for operators.
const owesText = "waits until the player's debt is settled"
