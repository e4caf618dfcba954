package signer

import (
	"context"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/wallet"
)

// Box seals texts of players, and opens sealed owner keys, outside of a Signer. It is safe for concurrent use.
type Box struct {
	seal    *sealer
	sealing Sealing
}

var _ wallet.Box = (*Box)(nil)

// NewBox returns a Box. sealing says which key of the ring seals.
func NewBox(ring Ring, sealing Sealing) (*Box, error) {
	s, err := newSealer(ring)
	return &Box{s, sealing}, err
}

// purposeOf separates texts from owner keys, so that neither opens as the other.
func purposeOf(player string) string { return "text of " + player }

// SealText encrypts a text for a player. It returns the fingerprint of the key as well.
func (b *Box) SealText(ctx context.Context, player, text string) (sealed, by string, err error) {
	if by, err = b.sealing.KeyFingerprint(ctx); err != nil {
		return "", "", err
	}
	sealed, err = b.seal.seal(ctx, by, purposeOf(player), []byte(text))
	return sealed, by, err
}

// OpenText decrypts what SealText returned for the player.
func (b *Box) OpenText(ctx context.Context, player, sealed, by string) (string, error) {
	text, err := b.seal.open(ctx, wallet.Sealed{Player: purposeOf(player), Key: sealed, By: by})
	return string(text), err
}

// OwnerOf opens an owner key and returns its address.
func (b *Box) OwnerOf(ctx context.Context, w wallet.Sealed) (eth.Address, error) {
	secret, err := b.seal.open(ctx, w)
	if err != nil {
		return eth.Address{}, err
	}
	defer clear(secret)
	key := secp256k1.PrivKeyFromBytes(secret)
	defer key.Zero()
	return addressOf(key), nil
}
