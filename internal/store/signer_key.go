package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/wallet"
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

// ReplaceKeyFingerprint makes another key the one that seals wallets. It fails with fault.Conflict if old is not the present one, or a
// replica that runs does not have the other key. Programs of earlier releases, which have one key, are refused from then on.
func (db SignerKeys) ReplaceKeyFingerprint(ctx context.Context, tx *Tx, old, fingerprint string) error {
	rows, err := tx.Replicas(ctx, column.At(tx.clock.Now().Add(-unseen)))
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !slices.Contains(strings.Fields(r.SignerKeys), fingerprint) {
			return fault.New(fault.Conflict, "The replica %s does not have the new key: add its file to SIGNER_KEY_FILE there, restart it, "+
				"and start again.", r.ID)
		}
	}
	if old != fingerprint {
		if err := errors.Join(tx.NameSeals(ctx, old), tx.RequireNamedSeals(ctx)); err != nil {
			return err
		}
	}
	n, err := tx.ReplaceSignerKeyFingerprint(ctx, gen.ReplaceSignerKeyFingerprintParams{
		New: fingerprint, KeptAt: column.At(tx.clock.Now()), Old: old,
	})
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "Another key has become the one that seals wallets. Please look again.")
	}
	return err
}

// Seals returns how many wallets are sealed with each key, by fingerprint; "" for those of earlier releases.
func (db SignerKeys) Seals(ctx context.Context) (wallets map[string]int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.CountWalletsBySeal(ctx)
		wallets = make(map[string]int64, len(rows))
		for _, r := range rows {
			wallets[r.SealedBy] = r.Wallets
		}
		return err
	})
	return wallets, err
}

// SealedOtherwise returns owner keys of players after a player that are not sealed with a key; see signer.Seals.
func (db SignerKeys) SealedOtherwise(ctx context.Context, after, fingerprint string, limit int) (out []wallet.Sealed, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.WalletsSealedOtherwise(ctx, gen.WalletsSealedOtherwiseParams{After: after, SealedBy: fingerprint, Batch: int64(limit)})
		for _, r := range rows {
			out = append(out, wallet.Sealed{Player: r.PlayerID, Key: r.SealedKey, By: r.SealedBy})
		}
		return err
	})
	return out, err
}

// Reseal replaces a sealed owner key; see signer.Seals.
func (db SignerKeys) Reseal(ctx context.Context, old wallet.Sealed, sealed, fingerprint string) (replaced bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.ResealWallet(ctx, gen.ResealWalletParams{
			New: sealed, SealedBy: fingerprint, At: column.At(tx.clock.Now()), PlayerID: old.Player, Old: old.Key,
		})
		replaced = n == 1
		return err
	})
	return replaced, err
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
