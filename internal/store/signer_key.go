package store

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// SignerKeys keeps the fingerprint of the key that seals the wallets' keys.
type SignerKeys struct{ *DB }

// KeyFingerprint returns the fingerprint of the key that seals the wallets; see signer.KeyRecord.
func (db SignerKeys) KeyFingerprint(ctx context.Context) (fingerprint string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		fingerprint, err = q.SignerKeyFingerprint(ctx)
		return orNothing(err)
	})
	return fingerprint, err
}

// KeepKeyFingerprint stores a fingerprint if none is stored; see signer.KeyRecord.
func (db SignerKeys) KeepKeyFingerprint(ctx context.Context, fingerprint string) (kept string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		// Concurrent inserts are serialized here: the second waits for the first's commit, and then sees its row.
		if err := tx.KeepSignerKeyFingerprint(ctx, gen.KeepSignerKeyFingerprintParams{
			Fingerprint: fingerprint, KeptAt: column.At(tx.clock.Now()),
		}); err != nil {
			return err
		}
		kept, err = tx.SignerKeyFingerprint(ctx)
		return err
	})
	return kept, err
}

// OldestSealedKey returns the first sealed owner key; see signer.KeyRecord.
func (db SignerKeys) OldestSealedKey(ctx context.Context) (player, sealed string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		w, err := q.OldestWallet(ctx)
		player, sealed = w.PlayerID, w.SealedKey
		return orNothing(err)
	})
	return player, sealed, err
}

// orNothing treats the absence of a row as an empty result.
func orNothing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
