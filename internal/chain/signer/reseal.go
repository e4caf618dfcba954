package signer

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/wallet"
)

// Seals stores the sealed owner keys.
type Seals interface {
	// SealedOtherwise returns the owner keys of players after a player, in their order, that are not sealed with a key.
	SealedOtherwise(ctx context.Context, after, fingerprint string, limit int) ([]wallet.Sealed, error)
	// Reseal replaces a sealed owner key, unless it was changed or deleted meanwhile, or another key seals.
	Reseal(ctx context.Context, old wallet.Sealed, sealed, fingerprint string) (replaced bool, err error)
	Sealing
}

// resealBatch is how many owner keys are read at a time.
const resealBatch = 200

// Reseal seals all owner keys with the key of a fingerprint, one by one, while the portal serves. It goes on where an earlier run ended.
// Keys that cannot be decrypted are left unchanged, and their players returned. progress is called with the number of resealed keys; it may
// be nil.
func Reseal(ctx context.Context, ring Ring, to string, store Seals, progress func(done int)) (damaged []string, err error) {
	s, err := newSealer(ring)
	if err != nil {
		return nil, err
	}
	after, done := "", 0
	for {
		switch kept, err := store.KeyFingerprint(ctx); {
		case err != nil:
			return damaged, err
		case kept != to:
			return damaged, fault.New(fault.Conflict, "Another rotation has begun, with the key %s.", kept)
		}
		batch, err := store.SealedOtherwise(ctx, after, to, resealBatch)
		if err != nil || len(batch) == 0 {
			return damaged, err
		}
		for _, w := range batch {
			after = w.Player
			switch replaced, err := s.reseal(ctx, to, w, store); {
			case errors.Is(err, errDamaged):
				damaged = append(damaged, w.Player)
			case err != nil:
				return damaged, err
			case replaced:
				done++
			}
		}
		if progress != nil {
			progress(done)
		}
	}
}

// errDamaged means that a sealed owner key does not open.
var errDamaged = errors.New("it does not open")

func (s *sealer) reseal(ctx context.Context, to string, w wallet.Sealed, store Seals) (replaced bool, err error) {
	key, err := s.open(ctx, w)
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, errMissingKey)):
		return false, err
	case err != nil:
		return false, errors.Join(errDamaged, err)
	}
	defer clear(key)
	sealed, err := s.seal(ctx, to, w.Player, key)
	if err != nil {
		return false, err
	}
	again, err := s.open(ctx, wallet.Sealed{Player: w.Player, Key: sealed, By: to})
	defer clear(again)
	if err != nil || !bytes.Equal(key, again) {
		return false, fmt.Errorf("signer: what was sealed with the key %s does not open with it: %w", to, err)
	}
	return store.Reseal(ctx, w, sealed, to)
}
