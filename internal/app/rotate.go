package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
)

// SealingKey is a key that seals wallets, or did.
type SealingKey struct {
	Fingerprint string `json:"fingerprint"`
	File        string `json:"file,omitzero"` // of SIGNER_KEY_FILE; "" if it names none
	Seals       bool   `json:"seals"`         // new wallets
	Wallets     int64  `json:"wallets"`       // that are sealed with it
}

// SealingKeys returns the keys that SIGNER_KEY_FILE names, and any others that wallets are sealed with.
func SealingKeys(ctx context.Context, c config.Config) (keys []SealingKey, err error) {
	c.Complete()
	ring, err := openKeys(ctx, c)
	if err != nil {
		return nil, err
	}
	err = withStore(ctx, c, store.ReadOnly, func(db *store.DB) error {
		record := store.SignerKeys{DB: db}
		kept, err := record.KeyFingerprint(ctx)
		if err != nil {
			return err
		}
		seals, err := record.Seals(ctx)
		if err != nil {
			return err
		}
		for i, file := range c.SignerKeyFiles() {
			f := ring[i].Fingerprint()
			keys = append(keys, SealingKey{Fingerprint: f, File: file, Seals: f == kept, Wallets: seals[f]})
			delete(seals, f)
		}
		if n := seals[""]; n > 0 { // of an earlier release, which had this one key
			for i := range keys {
				if keys[i].Seals {
					keys[i].Wallets += n
				}
			}
			delete(seals, "")
		}
		for f, n := range seals {
			keys = append(keys, SealingKey{Fingerprint: f, Seals: f == kept, Wallets: n})
		}
		return nil
	})
	return keys, err
}

// KeyRotation is what came of a rotation.
type KeyRotation struct {
	From    string   `json:"from"` // fingerprint
	To      string   `json:"to"`
	Wallets int      `json:"wallets"` // that were resealed
	Damaged []string `json:"damaged"` // players whose sealed keys do not open, and are as they were
}

// RotateKey makes the key in a file of SIGNER_KEY_FILE the one that seals wallets, and seals all wallets with it, while the portal serves.
// Every replica must have the key. An interrupted rotation is resumed.
func RotateKey(ctx context.Context, c config.Config, file string, by operator.By, progress func(done int)) (r KeyRotation, err error) {
	c.Complete()
	ring, err := openKeys(ctx, c)
	if err != nil {
		return r, err
	}
	next, err := openKey(ctx, c, file)
	if err != nil {
		return r, err
	}
	if r.To = next.Fingerprint(); !slices.Contains(ring.Fingerprints(), r.To) {
		return r, fmt.Errorf("SIGNER_KEY_FILE: must name %s as well as the present key's file, separated by a colon", file)
	}
	entry, err := by.Entry(clock.System{}.Now(), "key rotate", file, "")
	if err != nil {
		return r, err
	}
	err = withStore(ctx, c, store.ReadWrite, func(db *store.DB) (err error) {
		record := store.SignerKeys{DB: db}
		if err := signer.CheckKeys(ctx, ring, record); err != nil {
			return explainKey(c, err)
		}
		if r.From, err = record.KeyFingerprint(ctx); err != nil {
			return err
		}
		if r.From == "" {
			return fault.New(fault.Conflict, "The portal was never started on this database: there is nothing to rotate.")
		}
		entry.Detail = fmt.Sprintf("from %s to %s", r.From, r.To)
		if err := operators.New(db).ReplaceSignerKey(ctx, entry, r.From, r.To); err != nil {
			return err
		}
		return resealAll(ctx, ring, record, &r, progress)
	})
	return r, err
}

// settleTime is how long a wallet that is being made with the former key may take to be stored.
const settleTime = 2 * time.Second

// resealAll seals all wallets with the new key, until none is left but those that do not open. A wallet that was being made when the key
// was replaced is found in a later round.
func resealAll(ctx context.Context, ring signer.Ring, record store.SignerKeys, r *KeyRotation, progress func(done int)) (err error) {
	for round := range 10 {
		before := r.Wallets
		r.Damaged, err = signer.Reseal(ctx, ring, r.To, record, func(done int) {
			r.Wallets = before + done
			progress(r.Wallets)
		})
		if err != nil {
			return err
		}
		seals, err := record.Seals(ctx)
		if err != nil {
			return err
		}
		others := -int64(len(r.Damaged))
		for by, n := range seals {
			if by != r.To {
				others += n
			}
		}
		if round > 0 && others <= 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settleTime):
		}
	}
	return fault.New(fault.Conflict, "Wallets are still made with the former key: does a program of an earlier release run?")
}
