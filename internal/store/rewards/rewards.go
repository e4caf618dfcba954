package rewards

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// unowned is the due time of the grants of a reward that has no player yet.
var unowned = column.At(time.UnixMilli(math.MaxInt64))

// AddReward records a reward unless its source is already recorded, and reports whether it did.
func AddReward(ctx context.Context, tx *store.Tx, r reward.Reward, at time.Time) (added bool, err error) {
	state := reward.Drawn
	if len(r.Grants) == 0 {
		state = reward.Pending
	}
	params := gen.InsertRewardParams{
		Source: r.Source, PlayerID: sql.NullString{String: r.PlayerID, Valid: r.PlayerID != ""}, Origin: string(r.Origin),
		ChainID: r.Chain, TxHash: r.Tx, Detail: r.Detail, State: string(state), EarnedAt: column.At(at), At: column.At(at),
	}
	if !r.EarnedAt.IsZero() {
		params.EarnedAt = column.At(r.EarnedAt)
	}
	if !r.Wallet.IsZero() {
		params.Wallet = r.Wallet.String()
	}
	if params.Detail == "" {
		params.Detail = "{}"
	}
	n, err := tx.InsertReward(ctx, params)
	if n == 0 || err != nil {
		return false, err
	}
	if err := addGrants(ctx, tx, r, at); err != nil {
		return false, err
	}
	return true, RewardMoved(ctx, tx, r.Source)
}

func addGrants(ctx context.Context, tx *store.Tx, r reward.Reward, at time.Time) error {
	for i, g := range r.Grants {
		params := gen.InsertRewardGrantParams{
			Source: r.Source, Number: int64(i), Kind: g.Kind, Detail: g.Detail, NotBefore: column.At(g.NotBefore), DueAt: column.At(g.NotBefore),
			At: column.At(at),
		}
		if r.PlayerID == "" && r.Origin != reward.FromMove { // the portal's own wallets are nobody's
			params.DueAt = unowned
		}
		if g.Kind == reward.KindTransfer {
			var x reward.Transfer
			if err := json.Unmarshal([]byte(g.Detail), &x); err != nil {
				return err
			}
			amount, ok := x.Amount.Int64()
			if !ok {
				return errors.New("store: a transfer of more than the treasury could have")
			}
			params.Contract, params.TokenID, params.Amount = x.Contract.String(), x.TokenID, amount
		}
		if err := tx.InsertRewardGrant(ctx, params); err != nil {
			return err
		}
	}
	return nil
}

// drawReward adds the grants of a pending reward whose draw is known.
func drawReward(ctx context.Context, tx *store.Tx, source, detail string, grants []reward.Content, at time.Time) error {
	n, err := tx.DrawReward(ctx, gen.DrawRewardParams{Detail: detail, UpdatedAt: column.At(at), Source: source})
	if n == 0 || err != nil {
		return err
	}
	row, err := tx.Reward(ctx, source)
	if err != nil {
		return err
	}
	if err := addGrants(ctx, tx, reward.Reward{Source: source, PlayerID: row.PlayerID.String, Grants: grants}, at); err != nil {
		return err
	}
	if reward.Origin(row.Origin) == reward.FromWebstore {
		if err := withholdDrawn(ctx, tx, source, row.PlayerID.String); err != nil {
			return err
		}
	}
	return RewardMoved(ctx, tx, source)
}

// failReward fails a reward that can never be drawn.
func failReward(ctx context.Context, tx *store.Tx, source, reason string, at time.Time) error {
	n, err := tx.MoveReward(ctx, gen.MoveRewardParams{ToState: string(reward.Failed), Error: reason, UpdatedAt: column.At(at), Source: source})
	if n == 0 || err != nil {
		return err
	}
	return RewardMoved(ctx, tx, source)
}

// OwnRewards gives the rewards that a wallet has earned to the player who has registered it.
func OwnRewards(ctx context.Context, tx *store.Tx, playerID string, wallet eth.Address, at time.Time) error {
	if err := LockSettling(ctx, tx, 0); err != nil {
		return err
	}
	sources, err := tx.OwnRewards(ctx, gen.OwnRewardsParams{
		PlayerID: sql.NullString{String: playerID, Valid: true}, UpdatedAt: column.At(at), Wallet: wallet.String(),
	})
	if err != nil {
		return err
	}
	for _, source := range sources {
		if err := tx.ReleaseGrants(ctx, source); err != nil {
			return err
		}
		if err := RewardMoved(ctx, tx, source); err != nil {
			return err
		}
	}
	return nil
}

// moveGrant moves a grant and with it its reward. It reports whether the grant was in its state.
func moveGrant(ctx context.Context, tx *store.Tx, g reward.Grant, to reward.State, reason string, at time.Time) (moved bool, err error) {
	n, err := tx.MoveGrant(ctx, gen.MoveGrantParams{
		ToState: string(to), Error: reason, UpdatedAt: column.At(at), Source: g.Source, Number: int64(g.Number), FromState: string(g.State),
	})
	if n == 0 || err != nil {
		return false, err
	}
	return true, FollowGrants(ctx, tx, g.Source, at)
}

// FollowGrants moves a reward to the state that its grants have together.
func FollowGrants(ctx context.Context, tx *store.Tx, source string, at time.Time) error {
	rows, err := tx.RewardGrants(ctx, source)
	if err != nil {
		return err
	}
	reason := ""
	states := make([]reward.State, len(rows))
	for i, row := range rows {
		states[i] = reward.State(row.State)
		if states[i] == reward.Failed {
			reason = row.Error
		}
	}
	n, err := tx.MoveReward(ctx, gen.MoveRewardParams{
		ToState: string(reward.StateOf(states)), Error: reason, UpdatedAt: column.At(at), Source: source,
	})
	if n == 0 || err != nil {
		return err
	}
	return RewardMoved(ctx, tx, source)
}

// RewardMoved announces that a reward has reached another state.
func RewardMoved(ctx context.Context, tx *store.Tx, source string) error {
	row, err := tx.Reward(ctx, source)
	if err != nil {
		return err
	}
	of, err := traceOf(ctx, tx.Queries, row.ChainID, row.Wallet, row.TxHash)
	if err != nil {
		return err
	}
	ctx, span := trace.Follow(ctx, of, "reward "+row.State)
	defer span.End()
	r, err := rewardOf(row)
	if err != nil {
		return err
	}
	c := projection.RewardChange{Reward: r, State: reward.State(row.State), Error: row.Error}
	if r.Origin == reward.FromArk {
		if c.Others, err = tx.DoneRewardsOfTx(ctx, gen.DoneRewardsOfTxParams{
			TxHash: row.TxHash, Origin: row.Origin, PlayerID: row.PlayerID, Source: source,
		}); err != nil {
			return err
		}
	}
	if r.Origin == reward.FromWebstore {
		if err := describePurchase(ctx, tx, &c); err != nil {
			return err
		}
	}
	for _, a := range projection.RewardMoved(c).Announcements {
		if err := tx.Announce(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// rewardOf converts a row to a reward without its grants.
func rewardOf(row gen.Reward) (reward.Reward, error) {
	r := reward.Reward{
		Source: row.Source, Origin: reward.Origin(row.Origin), PlayerID: row.PlayerID.String, Chain: row.ChainID,
		Tx: row.TxHash, EarnedAt: row.EarnedAt.Time, Detail: row.Detail,
	}
	err := r.Wallet.Scan(row.Wallet)
	return r, err
}

// AddReward records a reward; see reward.Store.
func (db Store) AddReward(ctx context.Context, r reward.Reward, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := AddReward(ctx, tx, r, at)
		return err
	})
}

// DueGrants returns grants that are due; see reward.Store.
func (db Store) DueGrants(ctx context.Context, d reward.Due) (out []reward.Grant, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DueGrants(ctx, gen.DueGrantsParams{
			InState: string(d.State), DueBy: column.At(d.By), ButKind: d.ButKind, Limit: int32(d.Limit), Skip: int32(d.Skip),
		})
		for _, r := range rows {
			g := reward.Grant{
				Source: r.RewardGrant.Source, Number: int(r.RewardGrant.Number), Redone: int(r.RewardGrant.Redone), PlayerID: r.PlayerID,
				Content: ContentOf(r.RewardGrant),
				State:   reward.State(r.RewardGrant.State), Attempts: int(r.RewardGrant.Attempts),
			}
			if err := g.Wallet.Scan(r.SmartAddress); err != nil {
				return err
			}
			if d.State == reward.Pending {
				if g.Trace, err = traceOf(ctx, q, r.ChainID, r.Wallet, r.TxHash); err != nil {
					return err
				}
			}
			out = append(out, g)
		}
		return err
	})
	return out, err
}

// traceOf returns the trace of a wallet's operation in a transaction; "" for none, and while no traces are recorded.
func traceOf(ctx context.Context, q *gen.Queries, chain onchain.ChainID, wallet string, tx eth.Hash) (string, error) {
	var sender eth.Address
	if !trace.IsOn() || wallet == "" || tx.IsZero() || sender.Scan(wallet) != nil {
		return "", nil
	}
	of, err := q.TraceOfTransaction(ctx, gen.TraceOfTransactionParams{ChainID: chain, Sender: sender, TxHash: tx})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return of, err
}

// ContentOf converts a row.
func ContentOf(row gen.RewardGrant) reward.Content {
	return reward.Content{Kind: row.Kind, Detail: row.Detail, NotBefore: row.NotBefore.Time}
}

// PayCurrency credits a currency; see reward.Store.
func (db Store) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		moved, err := moveGrant(ctx, tx, g, reward.Done, "", at)
		if !moved || err != nil {
			return err
		}
		return tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: g.PlayerID, Code: c.Code, Amount: c.Amount})
	})
}

// MoveGrant changes a grant's state; see reward.Store.
func (db Store) MoveGrant(ctx context.Context, g reward.Grant, to reward.State, reason string, at time.Time) (moved bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		moved, err = moveGrant(ctx, tx, g, to, reason, at)
		return err
	})
	return moved, err
}

// frozenRetry is how long a transfer to a frozen player waits before it is tried again.
const frozenRetry = time.Minute

// BeginTransfer moves a transfer to sending; see reward.Store.
func (db Store) BeginTransfer(ctx context.Context, g reward.Grant, x reward.Transfer, t reward.Treasury,
	at time.Time) (moved bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockTreasury(ctx); err != nil {
			return err
		}
		switch player, err := tx.FrozenPlayer(ctx, g.PlayerID); {
		case err != nil:
			return err
		case !player.FrozenAt.IsZero():
			f := fault.New(fault.Conflict, "waits until the player is not frozen any more")
			f.RetryAfter = frozenRetry
			return f
		}
		stock, err := treasuryStock(ctx, tx.Queries, t.Wallet, []reward.Transfer{x}, g.PlayerID, at)
		if err != nil {
			return err
		}
		if err := t.MaySend(x, stock); err != nil {
			return err
		}
		moved, err = moveGrant(ctx, tx, g, reward.Sending, "", at)
		return err
	})
	return moved, err
}

// TreasuryStock returns the treasury's balances of the transferred assets, and what it has sent or has yet to send; transfers to
// the player are marked as Own.
func (db Store) TreasuryStock(ctx context.Context, wallet eth.Address, xs []reward.Transfer,
	playerID string) (s reward.TreasuryStock, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		s, err = treasuryStock(ctx, q, wallet, xs, playerID, db.Clock().Now())
		return err
	})
	return s, err
}

func treasuryStock(ctx context.Context, q *gen.Queries, wallet eth.Address, xs []reward.Transfer, playerID string,
	at time.Time) (reward.TreasuryStock, error) {
	s := reward.TreasuryStock{Balances: map[reward.Asset]int64{}}
	for _, x := range xs {
		row, err := q.Holding(ctx, gen.HoldingParams{ChainID: x.Chain, Contract: x.Contract, TokenID: x.TokenID, Owner: wallet})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return s, err
		}
		n, ok := row.Amount.Int64()
		if !ok {
			n = math.MaxInt64
		}
		s.Balances[x.Asset()] = n
	}
	rows, err := q.TreasuryUses(ctx, gen.TreasuryUsesParams{
		PlayerID: sql.NullString{String: playerID, Valid: true}, Since: column.At(at.Add(-reward.TreasuryWindow)),
	})
	for _, r := range rows {
		use := reward.TreasuryUse{
			Asset: reward.Asset{TokenID: r.TokenID}, State: reward.State(r.State), Own: r.Own == 1, Recent: r.Recent == 1, Amount: r.Amount,
		}
		if err := use.Contract.Scan(r.Contract); err != nil {
			return s, err
		}
		s.Uses = append(s.Uses, use)
	}
	return s, err
}

// PostponeGrant postpones a grant; see reward.Store.
func (db Store) PostponeGrant(ctx context.Context, g reward.Grant, reason string, until, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Queries.PostponeGrant(ctx, gen.PostponeGrantParams{
			Attempts: int64(g.Attempts), DueAt: column.At(until), Error: reason, UpdatedAt: column.At(at),
			Source: g.Source, Number: int64(g.Number), State: string(g.State),
		})
		return err
	})
}

// RewardBacklog returns how many rewards have failed, and since when the oldest one waits that is neither done nor failed:
// from the burn of one to be drawn, from the draw or the recording of any other. Rewards of wallets without a player do
// not count. The time is zero if none waits.
func (db Store) RewardBacklog(ctx context.Context) (failed int64, oldest time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.RewardBacklog(ctx)
		failed, oldest = row.Failed, column.Of(row.OldestGrant)
		if oldest.After(db.Clock().Now()) { // all waiting transfers are scheduled for later
			oldest = time.Time{}
		}
		if opening := column.Of(row.OldestOpening); oldest.IsZero() || !opening.IsZero() && opening.Before(oldest) {
			oldest = opening
		}
		return err
	})
	return failed, oldest, err
}

// LockSettling serializes settling a burn of a chain with registering a wallet: otherwise the two transactions
// might not see each other, and the reward would stay without its player. 0 means all chains.
func LockSettling(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	if tx.Engine() == store.SQLite { // writes are serialized
		return nil
	}
	return tx.LockSettling(ctx, int64(chain))
}
