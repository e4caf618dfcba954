package accounts

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// SaveChallenge stores a player's newest challenge; see wallet.VerifiedStore.
func (db Store) SaveChallenge(ctx context.Context, playerID string, c wallet.Challenge) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.SaveChallenge(ctx, gen.SaveChallengeParams{
			PlayerID: playerID, Nonce: c.Nonce, Address: c.Address, ChainID: c.Chain,
			IssuedAt: column.At(c.IssuedAt), ExpiresAt: column.At(c.ExpiresAt),
		})
	})
}

// Challenge returns a player's newest challenge; see wallet.VerifiedStore.
func (db Store) Challenge(ctx context.Context, playerID string) (c wallet.Challenge, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Challenge(ctx, playerID)
		if err != nil {
			return store.NotFound(err, "There is no message to sign.")
		}
		c = wallet.Challenge{
			Address: r.Address, Chain: r.ChainID, Nonce: r.Nonce, IssuedAt: r.IssuedAt.Time, ExpiresAt: r.ExpiresAt.Time,
		}
		return nil
	})
	return c, err
}

// KeepVerified consumes the challenge and stores the wallet; see wallet.VerifiedStore.
func (db Store) KeepVerified(ctx context.Context, w wallet.Verified, nonce string, message *email.Message) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := useChallenge(ctx, tx, w.PlayerID, nonce); err != nil {
			return err
		}
		pairs, err := tx.IsPlayersPair(ctx, w.Address)
		if err != nil {
			return err
		}
		if pairs > 0 {
			return wallet.ErrPair
		}
		n, err := tx.InsertVerifiedWallet(ctx, gen.InsertVerifiedWalletParams{
			PlayerID: w.PlayerID, Address: w.Address, ChainID: w.Chain, VerifiedAt: column.At(w.At),
		})
		if err != nil {
			return err
		}
		if n > 0 {
			return errors.Join(tx.PostIf(ctx, message), rewards.OwnRewards(ctx, tx, w.PlayerID, w.Address, w.At),
				tx.LogSecurity(ctx, securitylog.Entry{
					At: w.At, Event: securitylog.WalletConnected, Subject: w.PlayerID, Detail: w.Address.Checksum(),
				}))
		}
		holder, err := tx.VerifiedWalletHolder(ctx, w.Address)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return wallet.ErrConnected
		case err != nil || holder == w.PlayerID:
			return err
		}
		return wallet.ErrTaken
	})
}

// VerifiedWallet returns a player's verified wallet; see wallet.VerifiedStore.
func (db Store) VerifiedWallet(ctx context.Context, playerID string) (w wallet.Verified, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.VerifiedWallet(ctx, playerID)
		if err != nil {
			return store.NotFound(err, "No wallet is connected.")
		}
		w = wallet.Verified{PlayerID: r.PlayerID, Address: r.Address, Chain: r.ChainID, At: r.VerifiedAt.Time}
		return nil
	})
	return w, err
}

// UseChallenge consumes a challenge; see wallet.VerifiedStore.
func (db Store) UseChallenge(ctx context.Context, playerID, nonce string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return useChallenge(ctx, tx, playerID, nonce) })
}

func useChallenge(ctx context.Context, tx *store.Tx, playerID, nonce string) error {
	n, err := tx.Queries.UseChallenge(ctx, gen.UseChallengeParams{PlayerID: playerID, Nonce: nonce})
	if err == nil && n == 0 {
		err = wallet.ErrNonce
	}
	return err
}

// ForgetVerified deletes a player's verified wallet; see wallet.VerifiedStore.
func (db Store) ForgetVerified(ctx context.Context, playerID string, message *email.Message) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteVerifiedWallet(ctx, playerID)
		if n == 0 || err != nil {
			return err
		}
		return errors.Join(tx.PostIf(ctx, message),
			tx.LogSecurity(ctx, securitylog.Entry{Event: securitylog.WalletDisconnected, Subject: playerID}))
	})
}

// IsPlayersWallet reports whether the address is a wallet of any player: a smart wallet, the embedded one that owns it,
// or a verified one.
func (db Store) IsPlayersWallet(ctx context.Context, address eth.Address) (is bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		pairs, err := q.IsPlayersPair(ctx, address)
		if is = pairs > 0; is || err != nil {
			return err
		}
		_, err = q.VerifiedWalletHolder(ctx, address)
		if is = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return is, err
}
