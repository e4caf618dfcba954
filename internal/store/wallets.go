package store

import (
	"context"
	"time"

	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store/gen"
)

// Wallet returns a player's wallet; see wallet.Store.
func (db *DB) Wallet(ctx context.Context, playerID string) (w wallet.Wallet, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Wallet(ctx, playerID)
		if err != nil {
			return notFound(err, "You do not have a wallet yet.")
		}
		w, err = walletOf(r)
		return err
	})
	return w, err
}

// CreateWallet keeps a player's first wallet; see wallet.Store.
func (db *DB) CreateWallet(ctx context.Context, w wallet.Wallet, at time.Time) (kept wallet.Wallet, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
			PlayerID: w.PlayerID, OwnerAddress: w.Owner.String(), SealedKey: w.Sealed, SmartAddress: w.Smart.String(), CreatedAt: millis(at),
		}); err != nil {
			return err
		}
		r, err := tx.Queries.Wallet(ctx, w.PlayerID)
		if err != nil {
			return err
		}
		kept, err = walletOf(r)
		return err
	})
	return kept, err
}

// RegisterPair marks the pair as registered and records the gifts; see wallet.Store.
func (db *DB) RegisterPair(ctx context.Context, playerID string, at time.Time, gifts []wallet.Gift) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.MarkWalletStored(ctx, gen.MarkWalletStoredParams{StoredAt: millis(at), PlayerID: playerID})
		if n == 0 || err != nil {
			return err
		}
		for _, g := range gifts {
			if _, err := tx.InsertReward(ctx, gen.InsertRewardParams{
				Source: g.Source, PlayerID: playerID, Kind: g.Kind, Detail: g.Detail, State: string(reward.Pending), At: millis(at),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

func walletOf(r gen.Wallet) (wallet.Wallet, error) {
	w := wallet.Wallet{PlayerID: r.PlayerID, Key: wallet.Key{Sealed: r.SealedKey}, StoredAt: moment(r.StoredAt)}
	return w, scanAll(scan{&w.Owner, r.OwnerAddress}, scan{&w.Smart, r.SmartAddress})
}

// AddReward records a reward; see reward.Store.
func (db *DB) AddReward(ctx context.Context, r reward.Reward, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
			Source: r.Source, PlayerID: r.PlayerID, Kind: r.Kind, Detail: r.Detail, State: string(r.State), At: millis(at),
		})
		return err
	})
}

// OpenRewards returns the oldest open rewards; see reward.Store.
func (db *DB) OpenRewards(ctx context.Context, limit int, but string) (out []reward.Reward, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OpenRewards(ctx, gen.OpenRewardsParams{Limit: int32(limit), ButKind: but})
		for _, r := range rows {
			out = append(out, reward.Reward{Source: r.Source, PlayerID: r.PlayerID, Kind: r.Kind, Detail: r.Detail, State: reward.State(r.State)})
		}
		return err
	})
	return out, err
}

// PayCurrency credits a currency reward; see reward.Store.
func (db *DB) PayCurrency(ctx context.Context, r reward.Reward, c reward.Currency, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.MoveReward(ctx, gen.MoveRewardParams{
			ToState: string(reward.Done), UpdatedAt: millis(at), Source: r.Source, FromState: string(r.State),
		})
		if n == 0 || err != nil {
			return err
		}
		return tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: r.PlayerID, Code: c.Code, Amount: c.Amount})
	})
}

// MoveReward takes a reward to another state; see reward.Store.
func (db *DB) MoveReward(ctx context.Context, source string, from, to reward.State, reason string, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Queries.MoveReward(ctx, gen.MoveRewardParams{
			ToState: string(to), Error: reason, UpdatedAt: millis(at), Source: source, FromState: string(from),
		})
		return err
	})
}
