package signer

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// KEK encrypts the keys that encrypt the owner keys. Clients of cloud key management services that implement Tink's
// interface need only a fingerprint; OpenKeyFile needs no service. It must be safe for concurrent use.
type KEK interface {
	tink.AEADWithContext
	// Fingerprint identifies the key without revealing anything about it: up to 64 printable characters, always the
	// same for one key.
	Fingerprint() string
}

// sealer encrypts owner keys: each with its own data key (AES-256-GCM), which the KEK encrypts. The player's id is
// authenticated data, so a sealed key that is copied to another player's row cannot be opened there.
type sealer struct {
	envelope *aead.KMSEnvelopeAEADWithContext
}

func newSealer(kek KEK) (*sealer, error) {
	if kek == nil {
		return nil, errors.New("signer: the key-encryption key is missing")
	}
	envelope, err := aead.NewKMSEnvelopeAEADWithContext(aead.AES256GCMKeyTemplate(), kek)
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return &sealer{envelope}, nil
}

// seal returns the encrypted key as text.
func (s *sealer) seal(ctx context.Context, player string, key []byte) (string, error) {
	sealed, err := s.envelope.EncryptWithContext(ctx, key, []byte(player))
	if err != nil {
		return "", fmt.Errorf("signer: sealing a key: %w", err)
	}
	return base64.StdEncoding.EncodeToString(sealed), nil
}

// open decrypts a sealed key. The caller wipes it after use.
func (s *sealer) open(ctx context.Context, player, sealed string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, errors.New("signer: a sealed key is damaged")
	}
	key, err := s.envelope.DecryptWithContext(ctx, b, []byte(player))
	if err != nil {
		return nil, fmt.Errorf("signer: a sealed key does not open; is the key-encryption key the right one? %w", err)
	}
	return key, nil
}

// fileKEK is a key-encryption key in memory, read from a file.
type fileKEK struct {
	tink.AEAD
	fingerprint string
}

func (k fileKEK) EncryptWithContext(_ context.Context, plain, associated []byte) ([]byte, error) {
	return k.Encrypt(plain, associated)
}

func (k fileKEK) DecryptWithContext(_ context.Context, sealed, associated []byte) ([]byte, error) {
	return k.Decrypt(sealed, associated)
}

func (k fileKEK) Fingerprint() string { return k.fingerprint }

// OpenKeyFile returns the key-encryption key in a file. It returns fs.ErrNotExist if there is no file, and fails if
// others may read it.
func OpenKeyFile(path string) (KEK, error) {
	text, err := readKeyFile(path)
	if err != nil {
		return nil, fmt.Errorf("signer: key file: %w", err)
	}
	set, err := keyset.NewJSONReader(bytes.NewReader(text)).Read()
	if err != nil {
		return nil, fmt.Errorf("signer: key file %s is damaged: %w", path, err)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
	if err != nil {
		return nil, fmt.Errorf("signer: key file %s is damaged: %w", path, err)
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("signer: key file %s: %w", path, err)
	}
	for _, key := range set.GetKey() {
		if key.GetKeyId() != set.GetPrimaryKeyId() {
			continue
		}
		name, err := hkdf.Key(sha256.New, key.GetKeyData().GetValue(), nil, "pantheon signer key fingerprint", fingerprintBytes)
		if err != nil {
			return nil, fmt.Errorf("signer: key file %s: %w", path, err)
		}
		return fileKEK{primitive, hex.EncodeToString(name)}, nil
	}
	return nil, fmt.Errorf("signer: key file %s has no primary key", path)
}

// fingerprintBytes is long enough to rule out collisions.
const fingerprintBytes = 16

// MakeKeyFile creates a key-encryption key, readable only by its owner. It never replaces a file: it returns
// fs.ErrExist if there is one. Losing the file means losing every wallet.
func MakeKeyFile(path string) error {
	if err := makeKeyFile(path); err != nil {
		return fmt.Errorf("signer: key file: %w", err)
	}
	return nil
}

// KeyFile returns the key-encryption key in a file, and creates the file if there is none. It is for development and
// tests: where players have wallets, a missing file is a mistake, and a new key cannot open them.
func KeyFile(path string) (KEK, error) {
	kek, err := OpenKeyFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return kek, err
	}
	if err := MakeKeyFile(path); err != nil && !errors.Is(err, fs.ErrExist) { // another process may have created it
		return nil, err
	}
	return OpenKeyFile(path)
}

// KeyRecord stores which key-encryption key a database belongs to.
type KeyRecord interface {
	// KeyFingerprint returns the stored fingerprint; "" for none.
	KeyFingerprint(ctx context.Context) (string, error)
	// KeepKeyFingerprint stores a fingerprint if none is stored, and returns the stored one.
	KeepKeyFingerprint(ctx context.Context, fingerprint string) (kept string, err error)
	// OldestSealedKey returns the first sealed owner key and its player; "" for none.
	OldestSealedKey(ctx context.Context) (player, sealed string, err error)
}

// ErrAnotherKey is wrapped by the errors of CheckKey and BindKey for a key that is not the database's.
var ErrAnotherKey = errors.New("not the key that the database's wallets are sealed with")

// CheckKey checks that a key is the one a database belongs to: by the fingerprint, or, if none is stored yet,
// by opening a sealed wallet. Otherwise it returns ErrAnotherKey with both fingerprints.
func CheckKey(ctx context.Context, kek KEK, record KeyRecord) error {
	kept, err := record.KeyFingerprint(ctx)
	if err != nil {
		return err
	}
	if kept != "" {
		return compare(kek, kept)
	}
	player, sealed, err := record.OldestSealedKey(ctx)
	if err != nil || sealed == "" {
		return err
	}
	s, err := newSealer(kek)
	if err != nil {
		return err
	}
	key, err := s.open(ctx, player, sealed)
	clear(key)
	if err != nil {
		return fmt.Errorf("%w: its fingerprint is %s, and it does not open them", ErrAnotherKey, kek.Fingerprint())
	}
	return nil
}

// BindKey does what CheckKey does and stores the fingerprint the first time. If several processes start first with
// different keys, one succeeds.
func BindKey(ctx context.Context, kek KEK, record KeyRecord) error {
	if err := CheckKey(ctx, kek, record); err != nil {
		return err
	}
	kept, err := record.KeepKeyFingerprint(ctx, kek.Fingerprint())
	if err != nil {
		return err
	}
	return compare(kek, kept)
}

func compare(kek KEK, kept string) error {
	if own := kek.Fingerprint(); own != kept {
		return fmt.Errorf("%w: its fingerprint is %s, expected %s", ErrAnotherKey, own, kept)
	}
	return nil
}

func readKeyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s may be read by others: run chmod 600 on it", path)
	}
	return os.ReadFile(path)
}

// makeKeyFile writes a new key so that it is completely on disk before it has its name: a key that seals wallets and
// is then lost cannot be replaced.
func makeKeyFile(path string) error {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".signer-key-") // has mode 0600
	if err != nil {
		return err
	}
	defer func() {
		_ = f.Close() // closed below on success
		_ = os.Remove(f.Name())
	}()
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(f)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil { // unlike a rename, this never replaces a key
		return err
	}
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
