package accounts

import (
	"context"
	"time"

	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// Wallet returns a player's wallet; see wallet.Store.
func (db Store) Wallet(ctx context.Context, playerID string) (w wallet.Wallet, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Wallet(ctx, playerID)
		if err != nil {
			return store.NotFound(err, "You do not have a wallet yet.")
		}
		w = walletOf(r)
		return nil
	})
	return w, err
}

// CreateWallet stores a player's first wallet; see wallet.Store.
func (db Store) CreateWallet(ctx context.Context, w wallet.Wallet, at time.Time) (kept wallet.Wallet, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
			PlayerID: w.PlayerID, OwnerAddress: w.Owner, SealedKey: w.Sealed, SealedBy: w.SealedBy, SmartAddress: w.Smart, CreatedAt: column.At(at),
		})
		if err == nil && n > 0 {
			err = tx.LogSecurity(ctx, securitylog.Entry{
				At: at, Event: securitylog.WalletCreated, Subject: w.PlayerID, Detail: w.Smart.Checksum() + ", owned by " + w.Owner.Checksum(),
			})
		}
		if err != nil {
			return err
		}
		r, err := tx.Queries.Wallet(ctx, w.PlayerID)
		kept = walletOf(r)
		return err
	})
	return kept, err
}

// RegisterPair marks the pair as registered and records the gifts; see wallet.Store.
func (db Store) RegisterPair(ctx context.Context, playerID string, at time.Time, gifts []wallet.Gift) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.MarkWalletStored(ctx, gen.MarkWalletStoredParams{StoredAt: column.At(at), PlayerID: playerID})
		if n == 0 || err != nil {
			return err
		}
		if err := tx.Queries.SeeItems(ctx, playerID); err != nil {
			return err
		}
		for _, g := range gifts {
			r := reward.Reward{
				Source: g.Source, Origin: reward.FromGift, PlayerID: playerID, Grants: []reward.Content{{Kind: g.Kind, Detail: g.Detail}},
			}
			if _, err := rewards.AddReward(ctx, tx, r, at); err != nil {
				return err
			}
		}
		w, err := tx.Queries.Wallet(ctx, playerID)
		if err != nil {
			return err
		}
		return rewards.OwnRewards(ctx, tx, playerID, w.SmartAddress, at)
	})
}

func walletOf(r gen.Wallet) wallet.Wallet {
	return wallet.Wallet{
		PlayerID: r.PlayerID, StoredAt: r.StoredAt.Time,
		Key: wallet.Key{Owner: r.OwnerAddress, Smart: r.SmartAddress, Sealed: r.SealedKey, SealedBy: r.SealedBy},
	}
}
