package webstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// seenFor is how long the change of a settled order is remembered: much longer than polls overlap.
const seenFor = 48 * time.Hour

// handOffFor is how long a hand-off is kept: an order that is paid later waits for an operator.
const handOffFor = 365 * 24 * time.Hour

// Hint records that orders may have changed; see webstore.SettleStore.
func (db Store) Hint(ctx context.Context, changes []webstore.Change, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, c := range changes {
			seen, err := tx.ShopSeen(ctx, c.OrderID)
			if err == nil && !c.At.IsZero() && seen.Equal(c.At.Truncate(time.Millisecond)) {
				continue
			}
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			if err := tx.PutShopHint(ctx, gen.PutShopHintParams{OrderID: c.OrderID, HeardAt: column.At(at)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// DueHints returns hints that are due; see webstore.SettleStore.
func (db Store) DueHints(ctx context.Context, now time.Time, limit int) (out []webstore.Hint, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DueShopHints(ctx, gen.DueShopHintsParams{DueAt: column.At(now), Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, webstore.Hint{OrderID: r.OrderID, Seq: r.Seq, Attempts: int(r.Attempts)})
		}
		return err
	})
	return out, err
}

// PostponeHint postpones a hint; see webstore.SettleStore.
func (db Store) PostponeHint(ctx context.Context, h webstore.Hint, reason string, until time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.PostponeShopHint(ctx, gen.PostponeShopHintParams{
			Attempts: int64(h.Attempts), DueAt: column.At(until), Error: reason, OrderID: h.OrderID, Seq: h.Seq,
		})
	})
}

// SettleOrder settles an order in a transaction; see webstore.SettleStore.
func (db Store) SettleOrder(ctx context.Context, h webstore.Hint, changed time.Time, fn func(context.Context, webstore.Tx) error) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockShopOrder(ctx, h.OrderID); err != nil {
			return err
		}
		if err := fn(ctx, shopTx{tx, h.OrderID}); err != nil {
			return err
		}
		if !changed.IsZero() {
			if err := tx.PutShopSeen(ctx, gen.PutShopSeenParams{OrderID: h.OrderID, ChangedAt: column.At(changed)}); err != nil {
				return err
			}
		}
		return tx.DropShopHint(ctx, gen.DropShopHintParams{OrderID: h.OrderID, Seq: h.Seq})
	})
}

// PolledUntil returns how far the shop's changes were polled; see webstore.SettleStore.
func (db Store) PolledUntil(ctx context.Context) (until time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		ms, err := q.ShopPolledUntil(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		until = ms.Time
		return err
	})
	return until, err
}

// SetPolledUntil records how far the shop's changes were polled; see webstore.SettleStore.
func (db Store) SetPolledUntil(ctx context.Context, until time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.DropShopSeen(ctx, column.At(until.Add(-seenFor))); err != nil {
			return err
		}
		if err := tx.DropHandOffs(ctx, column.At(until.Add(-handOffFor))); err != nil {
			return err
		}
		return tx.PutShopPolledUntil(ctx, column.At(until))
	})
}

// UnknownLines returns variations whose contents are not known; see webstore.SettleStore.
func (db Store) UnknownLines(ctx context.Context) (variations map[int64][]int64, err error) {
	variations = map[int64][]int64{}
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UnknownShopLines(ctx)
		for _, r := range rows {
			variations[r.OrderID] = append(variations[r.OrderID], r.VariationID)
		}
		return err
	})
	return variations, err
}

// shopTx implements webstore.Tx.
type shopTx struct {
	*store.Tx
	order int64
}

func (tx shopTx) Order(ctx context.Context) (o webstore.Order, ok bool, err error) {
	return ShopOrder(ctx, tx.Tx, tx.order)
}

// ShopOrder returns a paid order; false for an unknown one.
func ShopOrder(ctx context.Context, tx *store.Tx, id int64) (o webstore.Order, ok bool, err error) {
	row, err := tx.Queries.ShopOrder(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return o, false, nil
	}
	if err == nil {
		o, err = shopOrderOf(ctx, tx.Queries, row)
	}
	return o, err == nil, err
}

// shopOrderOf converts a row to an order with its lines.
func shopOrderOf(ctx context.Context, q *gen.Queries, row gen.ShopOrder) (o webstore.Order, err error) {
	o = webstore.Order{
		ID: row.ID, Number: row.Number, PlayerID: row.PlayerID.String, Status: webstore.Status(row.Status), PaidAt: row.PaidAt.Time,
		DisputedAt: row.DisputedAt.Time, Problem: row.Problem,
	}
	if err := errors.Join(json.Unmarshal([]byte(row.Notes), &o.Notes), json.Unmarshal([]byte(row.HandOffs), &o.HandOffs)); err != nil {
		return o, err
	}
	lines, err := q.ShopLines(ctx, row.ID)
	for _, l := range lines {
		line := webstore.Line{
			ID: l.ID, Variation: l.VariationID, Name: l.Name, Quantity: l.Quantity, Back: l.Back, Given: l.Given, Waits: l.Waits, Value: l.Value,
			GiveAt: l.GiveAt.Time, Edition: int(l.Edition),
		}
		if line.Nonce, err = nonceOf(l.Nonce); err != nil {
			return o, err
		}
		if l.Contents != "" {
			line.Contents = &webstore.Contents{}
			if err := json.Unmarshal([]byte(l.Contents), line.Contents); err != nil {
				return o, err
			}
		}
		o.Lines = append(o.Lines, line)
	}
	return o, err
}

func (tx shopTx) PutOrder(ctx context.Context, o webstore.Order) error {
	notes, err := json.Marshal(append([]string{}, o.Notes...))
	if err != nil {
		return err
	}
	handOffs, err := json.Marshal(append([]string{}, o.HandOffs...))
	if err != nil {
		return err
	}
	err = tx.PutShopOrder(ctx, gen.PutShopOrderParams{
		ID: o.ID, Number: o.Number, PlayerID: sql.NullString{String: o.PlayerID, Valid: o.PlayerID != ""}, Status: string(o.Status),
		PaidAt: column.At(o.PaidAt), Problem: o.Problem, Notes: string(notes), HandOffs: string(handOffs), UpdatedAt: column.At(tx.Clock().Now()),
		DisputedAt: column.At(o.DisputedAt),
	})
	if err != nil {
		return err
	}
	for _, l := range o.Lines {
		contents := ""
		if l.Contents != nil {
			text, err := json.Marshal(l.Contents)
			if err != nil {
				return err
			}
			contents = string(text)
		}
		err := tx.PutShopLine(ctx, gen.PutShopLineParams{
			OrderID: o.ID, ID: l.ID, VariationID: l.Variation, Name: l.Name, Quantity: l.Quantity, Back: l.Back, Contents: contents,
			Given: l.Given, Waits: l.Waits, Value: l.Value, GiveAt: column.At(l.GiveAt), Edition: int64(l.Edition), Nonce: nonceText(l.Nonce),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx shopTx) PlayerOf(ctx context.Context, handOff string) (playerID string, gone bool, err error) {
	row, err := tx.Queries.HandOff(ctx, handOff)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	_, err = tx.Player(ctx, row.PlayerID)
	if gone = errors.Is(err, sql.ErrNoRows); gone {
		err = nil
	}
	return row.PlayerID, gone, err
}

func (tx shopTx) HandOff(ctx context.Context, id string) (h webstore.HandOff, ok bool, err error) {
	row, err := tx.Queries.HandOff(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return h, false, nil
	}
	if err == nil {
		h, err = handOffOf(row)
	}
	return h, err == nil, err
}

func (tx shopTx) MayHaveChance(ctx context.Context, playerID string) (bool, error) {
	n, err := tx.CountChanceHandOffs(ctx, playerID)
	return n > 0, err
}

func (tx shopTx) AddReward(ctx context.Context, r reward.Reward) (bool, error) {
	added, err := rewards.AddReward(ctx, tx.Tx, r, tx.Clock().Now())
	if !added || r.PlayerID == "" || err != nil {
		return added, err
	}
	return true, rewards.WithholdIfOwing(ctx, tx.Tx, r.Source, r.PlayerID)
}

func (tx shopTx) Bought(ctx context.Context, playerID string) (map[int64]int64, error) {
	return bought(ctx, tx.Queries, playerID, tx.order)
}

func (tx shopTx) CardUse(ctx context.Context, playerID string, since time.Time) (webstore.CardUse, error) {
	return cardUse(ctx, tx.Queries, playerID, since)
}

func (tx shopTx) AddOpening(ctx context.Context, p draw.Purchase, of draw.Table, at time.Time) error {
	_, err := rewards.AddPurchaseOpening(ctx, tx.Tx, p, of, at)
	return err
}

func (tx shopTx) Hold(ctx context.Context, source string, held bool) error {
	return tx.HoldGrants(ctx, gen.HoldGrantsParams{Held: column.Flag(held), Source: source})
}

func (tx shopTx) Told(ctx context.Context, playerID string) error {
	for _, a := range projection.ProductsChanged(playerID).Announcements {
		if err := tx.Announce(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// takenBackText is the reason of cancelled grants.
const takenBackText = "The shop took the payment back."

func (tx shopTx) TakeBack(ctx context.Context, source string, price int64) error {
	row, err := tx.Reward(ctx, source)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	at := tx.Clock().Now()
	n, err := tx.CancelReward(ctx, gen.CancelRewardParams{Error: takenBackText, UpdatedAt: column.At(at), Source: source})
	if err != nil {
		return err
	}
	if n > 0 { // not drawn yet; the draw will grant nothing
		return rewards.RewardMoved(ctx, tx.Tx, source)
	}
	grants, err := tx.RewardGrants(ctx, source)
	if err != nil {
		return err
	}
	owes, share := false, (price+int64(len(grants))-1)/max(1, int64(len(grants)))
	for _, g := range grants {
		n, err := tx.CancelGrant(ctx, gen.CancelGrantParams{Error: takenBackText, UpdatedAt: column.At(at), Source: source, Number: g.Number})
		if err != nil {
			return err
		}
		if n > 0 || reward.State(g.State) == reward.Cancelled || !row.PlayerID.Valid {
			continue
		}
		amount, err := webstore.Whole(rewards.ContentOf(g))
		if err != nil {
			return err
		}
		state := webstore.DebtOpen
		if reward.State(g.State) != reward.Done {
			state = webstore.DebtSending
		}
		err = tx.InsertShopDebt(ctx, gen.InsertShopDebtParams{
			Source: source, Number: g.Number, PlayerID: row.PlayerID.String, Kind: g.Kind, Detail: g.Detail, Amount: amount,
			State: string(state), At: column.At(at), Price: share,
		})
		if err != nil {
			return err
		}
		owes = true
	}
	if owes {
		if err := rewards.WithholdAllIfOwing(ctx, tx.Tx, row.PlayerID.String); err != nil {
			return err
		}
	}
	return rewards.FollowGrants(ctx, tx.Tx, source, at)
}

// AddHandOff records a hand-off; see webstore.Store.
func (db Store) AddHandOff(ctx context.Context, h webstore.HandOff) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertHandOff(ctx, gen.InsertHandOffParams{
			ID: h.ID, PlayerID: h.PlayerID, VariationID: h.Variation, CreatedAt: column.At(h.At), Chance: column.Flag(h.Chance),
			Kind: h.Kind, Edition: int64(h.Edition), Nonce: nonceText(h.Nonce),
		})
	})
}

// HandedOff returns a player's hand-off; see webstore.Store.
func (db Store) HandedOff(ctx context.Context, playerID, id string) (h webstore.HandOff, err error) {
	if h, err = db.HandOffByID(ctx, id); err == nil && h.PlayerID != playerID {
		return webstore.HandOff{}, store.NotFound(sql.ErrNoRows, noHandOff)
	}
	return h, err
}

const noHandOff = "There is no such order."

// HandOffByID returns a hand-off of any player, or a NotFound fault.
func (db Store) HandOffByID(ctx context.Context, id string) (h webstore.HandOff, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.HandOff(ctx, id)
		if err != nil {
			return store.NotFound(err, noHandOff)
		}
		h, err = handOffOf(row)
		return err
	})
	return h, err
}

// Bought returns what a player has paid for and kept; see webstore.Store.
func (db Store) Bought(ctx context.Context, playerID string) (out map[int64]int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out, err = bought(ctx, q, playerID, 0)
		return err
	})
	return out, err
}

// bought returns what a player has paid for and kept, leaving out an order.
func bought(ctx context.Context, q *gen.Queries, playerID string, but int64) (map[int64]int64, error) {
	rows, err := q.BoughtOfVariations(ctx, gen.BoughtOfVariationsParams{PlayerID: sql.NullString{String: playerID, Valid: true}, But: but})
	out := make(map[int64]int64, len(rows))
	for _, r := range rows {
		out[r.VariationID] = r.Bought
	}
	return out, err
}

// OpenHandOff returns the player's newest hand-off without an order; see webstore.Store.
func (db Store) OpenHandOff(ctx context.Context, playerID string, variation int64) (h webstore.HandOff, ok bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.OpenHandOff(ctx, gen.OpenHandOffParams{PlayerID: playerID, VariationID: variation})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			h, err = handOffOf(row)
		}
		ok = err == nil
		return err
	})
	return h, ok, err
}

func handOffOf(row gen.ShopHandOff) (h webstore.HandOff, err error) {
	h = webstore.HandOff{
		ID: row.ID, PlayerID: row.PlayerID, Variation: row.VariationID, At: row.CreatedAt.Time, Chance: bool(row.Chance),
		Kind: row.Kind, Edition: int(row.Edition),
	}
	h.Nonce, err = nonceOf(row.Nonce)
	return h, err
}

// nonceText writes a nonce; "" for none.
func nonceText(nonce [32]byte) string {
	if nonce == [32]byte{} {
		return ""
	}
	return eth.Hash(nonce).String()
}

func nonceOf(text string) (nonce [32]byte, err error) {
	if text == "" {
		return nonce, nil
	}
	hash, err := eth.ParseHash(text)
	return hash, err
}

// CardUse returns what was paid for by card; see webstore.Store.
func (db Store) CardUse(ctx context.Context, playerID string, since time.Time) (u webstore.CardUse, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		u, err = cardUse(ctx, q, playerID, since)
		return err
	})
	return u, err
}

func cardUse(ctx context.Context, q *gen.Queries, playerID string, since time.Time) (u webstore.CardUse, err error) {
	if playerID != "" {
		row, err := q.CardUseOf(ctx, gen.CardUseOfParams{Since: column.At(since), PlayerID: sql.NullString{String: playerID, Valid: true}})
		if err != nil {
			return u, err
		}
		u = webstore.CardUse{First: column.Of(row.First), Disputed: row.DisputedAt > 0, Instant: row.Instant, Own: row.Own}
	}
	u.All, err = q.CardUseOfAll(ctx, column.At(since))
	return u, err
}

// Arrears returns what is open of a player's payments; see webstore.ArrearsStore.
func (db Store) Arrears(ctx context.Context, playerID string) (debts int64, disputed string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ArrearsOf(ctx, playerID)
		debts, disputed = row.Debts, row.Disputed
		return err
	})
	return debts, disputed, err
}

// OrderOf returns the order that came from a hand-off; see webstore.Store.
func (db Store) OrderOf(ctx context.Context, playerID, handOff string) (o webstore.Order, ok bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ShopOrderOfHandOff(ctx, gen.ShopOrderOfHandOffParams{
			PlayerID: sql.NullString{String: playerID, Valid: true}, Pattern: `%"` + handOff + `"%`,
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			o, err = shopOrderOf(ctx, q, row)
		}
		ok = err == nil
		return err
	})
	return o, ok, err
}

// Orders returns a player's paid orders; see webstore.Store.
func (db Store) Orders(ctx context.Context, playerID string, before time.Time, beforeID int64,
	limit int) (out []webstore.Order, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ShopOrdersOf(ctx, gen.ShopOrdersOfParams{
			PlayerID: sql.NullString{String: playerID, Valid: true}, BeforeTime: column.Millis(before), BeforeID: beforeID, PageSize: int64(limit),
		})
		if err != nil {
			return err
		}
		out, err = ShopOrdersOf(ctx, q, rows)
		return err
	})
	return out, err
}

// ShopOrdersOf converts rows to orders with their lines.
func ShopOrdersOf(ctx context.Context, q *gen.Queries, rows []gen.ShopOrder) (out []webstore.Order, err error) {
	for _, row := range rows {
		o, err := shopOrderOf(ctx, q, row)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// RewardsOf returns the rewards of sources; see webstore.Store.
func (db Store) RewardsOf(ctx context.Context, sources []string) (out []reward.Record, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		for _, source := range sources {
			row, err := q.Reward(ctx, source)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			r, err := rewards.RecordOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// Debts returns a player's debts; see webstore.Store.
func (db Store) Debts(ctx context.Context, playerID string) (out []webstore.Debt, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OpenShopDebtsOf(ctx, playerID)
		out = debtsOf(rows)
		return err
	})
	return out, err
}

// OpenDebts returns debts that are not settled; see webstore.DebtStore.
func (db Store) OpenDebts(ctx context.Context, after webstore.Debt, limit int) (out []webstore.Debt, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OpenShopDebts(ctx, gen.OpenShopDebtsParams{
			AfterPlayer: after.PlayerID, AfterSource: after.Source, AfterNumber: int64(after.Number), PageSize: int64(limit),
		})
		out = debtsOf(rows)
		return err
	})
	return out, err
}

func debtsOf(rows []gen.ShopDebt) (out []webstore.Debt) {
	for _, r := range rows {
		out = append(out, webstore.Debt{
			Source: r.Source, Number: int(r.Number), PlayerID: r.PlayerID, Content: reward.Content{Kind: r.Kind, Detail: r.Detail},
			Amount: r.Amount, Taking: r.Taking, Attempts: int(r.Attempts), State: webstore.DebtState(r.State),
			Price: r.Price, InFlight: r.InFlight == 1,
		})
	}
	return out
}

// GrantState returns the state of a debt's grant; see webstore.DebtStore.
func (db Store) GrantState(ctx context.Context, d webstore.Debt) (state reward.State, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		grants, err := q.RewardGrants(ctx, d.Source)
		for _, g := range grants {
			if int(g.Number) == d.Number {
				state = reward.State(g.State)
			}
		}
		return err
	})
	return state, err
}

// MoveDebt changes a debt; see webstore.DebtStore.
func (db Store) MoveDebt(ctx context.Context, before, after webstore.Debt) (moved bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.MoveShopDebt(ctx, gen.MoveShopDebtParams{
			Amount: after.Amount, Taking: after.Taking, UpdatedAt: column.At(tx.Clock().Now()), Source: before.Source, Number: int64(before.Number),
			ToState: string(after.State), FromState: string(before.State), FromAmount: before.Amount, FromTaking: before.Taking,
			Attempts: int64(after.Attempts),
		})
		if moved = n > 0; !moved || err != nil {
			return err
		}
		if after.State == webstore.DebtVoid { // operators must not redo the failed grant
			if err := cancelGrant(ctx, tx, before.Source, before.Number); err != nil {
				return err
			}
		}
		return rewards.ReleaseWithheld(ctx, tx, before.PlayerID)
	})
	return moved, err
}

// cancelGrant cancels a grant that is pending or has failed.
func cancelGrant(ctx context.Context, tx *store.Tx, source string, number int) error {
	at := tx.Clock().Now()
	n, err := tx.CancelGrant(ctx, gen.CancelGrantParams{Error: takenBackText, UpdatedAt: column.At(at), Source: source, Number: int64(number)})
	if n == 0 || err != nil {
		return err
	}
	return rewards.FollowGrants(ctx, tx, source, at)
}

var (
	_ webstore.Store       = Store{}
	_ webstore.SettleStore = Store{}
	_ webstore.DebtStore   = Store{}
)

// ShopBacklog is what waits in the webstore.
type ShopBacklog struct {
	Hints    int64     // orders that are to be fetched
	Since    time.Time // since when the oldest of them waits; zero for none
	Problems int64     // paid orders that wait for an operator
}

// ShopBacklog returns what waits in the webstore.
func (db Store) ShopBacklog(ctx context.Context) (b ShopBacklog, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ShopBacklog(ctx)
		b = ShopBacklog{Hints: row.Hints, Since: column.Of(row.Since), Problems: row.Problems}
		return err
	})
	return b, err
}

// ShopOrderByID returns a paid order, or a NotFound fault.
func (db Store) ShopOrderByID(ctx context.Context, id int64) (o webstore.Order, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.ShopOrder(ctx, id)
		if err != nil {
			return store.NotFound(err, "There is no such paid order.")
		}
		o, err = shopOrderOf(ctx, q, row)
		return err
	})
	return o, err
}

// Offers returns what the shop asks, and when the oldest of it was fetched; see webstore.Store.
func (db Store) Offers(ctx context.Context) (offers map[int64]webstore.Offer, oldest time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ShopOffers(ctx)
		offers = make(map[int64]webstore.Offer, len(rows))
		for _, r := range rows {
			o := webstore.Offer{Variation: r.VariationID, Price: r.Price, InStock: bool(r.InStock), At: r.FetchedAt.Time}
			offers[r.VariationID] = o
			if oldest.IsZero() || o.At.Before(oldest) {
				oldest = o.At
			}
		}
		return err
	})
	return offers, oldest, err
}

// PutOffers replaces what the shop asks; see webstore.OfferStore.
func (db Store) PutOffers(ctx context.Context, offers []webstore.Offer) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.DropShopOffers(ctx); err != nil {
			return err
		}
		for _, o := range offers {
			err := tx.InsertShopOffer(ctx, gen.InsertShopOfferParams{
				VariationID: o.Variation, Price: o.Price, InStock: column.Flag(o.InStock), FetchedAt: column.At(o.At),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
