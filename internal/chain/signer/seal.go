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
	"slices"
	"strings"
	"syscall"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"pantheon/internal/portal/wallet"
)

// KEK encrypts the keys that encrypt the owner keys. Clients of cloud key management services that implement Tink's
// interface need only a fingerprint; OpenKeyFile needs no service. It must be safe for concurrent use.
type KEK interface {
	tink.AEADWithContext
	// Fingerprint identifies the key without revealing anything about it: up to 64 printable characters, always the
	// same for one key.
	Fingerprint() string
}

// Ring is the key-encryption keys that a process opens wallets with: one, or several while wallets are sealed with another. Which of them
// seals, the database says.
type Ring []KEK

// Fingerprints returns those of all keys.
func (r Ring) Fingerprints() []string {
	out := make([]string, len(r))
	for i, k := range r {
		out[i] = k.Fingerprint()
	}
	return out
}

// sealer encrypts owner keys: each with its own data key (AES-256-GCM), which a KEK encrypts. The player's id is
// authenticated data, so a sealed key that is copied to another player's row cannot be opened there.
type sealer struct {
	ring      Ring
	envelopes []*aead.KMSEnvelopeAEADWithContext // in the ring's order
}

func newSealer(ring Ring) (*sealer, error) {
	s := &sealer{ring: ring}
	for _, kek := range ring {
		if kek == nil {
			return nil, errors.New("signer: the key-encryption key is missing")
		}
		envelope, err := aead.NewKMSEnvelopeAEADWithContext(aead.AES256GCMKeyTemplate(), kek)
		if err != nil {
			return nil, fmt.Errorf("signer: %w", err)
		}
		s.envelopes = append(s.envelopes, envelope)
	}
	if len(ring) == 0 {
		return nil, errors.New("signer: the key-encryption key is missing")
	}
	return s, nil
}

// seal returns the owner key as text, encrypted with the key of a fingerprint.
func (s *sealer) seal(ctx context.Context, by, player string, key []byte) (string, error) {
	i := slices.Index(s.ring.Fingerprints(), by)
	if i < 0 {
		return "", fmt.Errorf("signer: sealing a key: %w", missingKey(by))
	}
	sealed, err := s.envelopes[i].EncryptWithContext(ctx, key, []byte(player))
	if err != nil {
		return "", fmt.Errorf("signer: sealing a key: %w", err)
	}
	return base64.StdEncoding.EncodeToString(sealed), nil
}

// open decrypts a sealed key. The caller wipes it after use. What an earlier release has sealed does not say with which key: all are tried.
func (s *sealer) open(ctx context.Context, w wallet.Sealed) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(w.Key)
	if err != nil {
		return nil, errors.New("signer: a sealed key is damaged")
	}
	err = missingKey(w.By)
	for i, envelope := range s.envelopes {
		if w.By != "" && w.By != s.ring[i].Fingerprint() {
			continue
		}
		var key []byte
		if key, err = envelope.DecryptWithContext(ctx, b, []byte(w.Player)); err == nil {
			return key, nil
		}
	}
	return nil, fmt.Errorf("signer: a sealed key does not open; is the key-encryption key the right one? %w", err)
}

// errMissingKey means that a process does not have a key that it needs.
var errMissingKey = errors.New("SIGNER_KEY_FILE does not name the key")

func missingKey(fingerprint string) error { return fmt.Errorf("%w %s", errMissingKey, fingerprint) }

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
	return OpenSealedKeyFile(path, func(text []byte) ([]byte, error) { return text, nil })
}

// OpenSealedKeyFile is OpenKeyFile for a file whose text unseal decrypts.
func OpenSealedKeyFile(path string, unseal func(text []byte) ([]byte, error)) (KEK, error) {
	text, err := readKeyFile(path)
	if err != nil {
		return nil, fmt.Errorf("signer: key file: %w", err)
	}
	if text, err = unseal(text); err != nil {
		return nil, fmt.Errorf("signer: key file %s: %w", path, err)
	}
	defer clear(text)
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
	return MakeSealedKeyFile(path, func(text []byte) ([]byte, error) { return text, nil })
}

// MakeSealedKeyFile is MakeKeyFile for a file whose text seal encrypts.
func MakeSealedKeyFile(path string, seal func(text []byte) ([]byte, error)) error {
	if err := makeKeyFile(path, seal); err != nil {
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

// KeyRecord stores which key-encryption key seals a database's wallets.
type KeyRecord interface {
	// KeyFingerprint returns the stored fingerprint; "" for none.
	KeyFingerprint(ctx context.Context) (string, error)
	// KeepKeyFingerprint stores a fingerprint if none is stored, and returns the stored one.
	KeepKeyFingerprint(ctx context.Context, fingerprint string) (kept string, err error)
	// OldestSealedKey returns the first sealed owner key and its player; "" for none.
	OldestSealedKey(ctx context.Context) (player, sealed string, err error)
	// Seals returns how many owner keys are sealed with each key, by fingerprint; "" for those of earlier releases.
	Seals(ctx context.Context) (map[string]int64, error)
}

// ErrAnotherKey is wrapped by the errors of CheckKeys and BindKeys for keys that do not open the database's wallets.
var ErrAnotherKey = errors.New("not the key that the database's wallets are sealed with")

// CheckKeys checks that the keys are those a database belongs to: by the fingerprints, or, if none is stored yet, by opening a sealed
// wallet. Otherwise it returns ErrAnotherKey with the fingerprints.
func CheckKeys(ctx context.Context, ring Ring, record KeyRecord) error {
	kept, err := record.KeyFingerprint(ctx)
	if err != nil {
		return err
	}
	if kept != "" {
		if err := compare(ring, kept); err != nil {
			return err
		}
		return opensAll(ctx, ring, record)
	}
	player, sealed, err := record.OldestSealedKey(ctx)
	if err != nil || sealed == "" {
		return err
	}
	s, err := newSealer(ring)
	if err != nil {
		return err
	}
	key, err := s.open(ctx, wallet.Sealed{Player: player, Key: sealed})
	clear(key)
	if err != nil {
		return fmt.Errorf("%w: its fingerprint is %s, and it does not open them", ErrAnotherKey, strings.Join(ring.Fingerprints(), ", "))
	}
	return nil
}

// opensAll checks that the ring has every key that wallets are sealed with.
func opensAll(ctx context.Context, ring Ring, record KeyRecord) error {
	seals, err := record.Seals(ctx)
	if err != nil {
		return err
	}
	for by, n := range seals {
		if by != "" && !slices.Contains(ring.Fingerprints(), by) {
			return fmt.Errorf("%w: %d wallets are sealed with the key %s", ErrAnotherKey, n, by)
		}
	}
	return nil
}

// BindKeys does what CheckKeys does and stores the first key's fingerprint the first time. If several processes start first with
// different keys, one succeeds.
func BindKeys(ctx context.Context, ring Ring, record KeyRecord) (err error) {
	if err := CheckKeys(ctx, ring, record); err != nil {
		return err
	}
	first := ring[0].Fingerprint()
	if len(ring) > 1 { // wallets of before fingerprints were stored say which
		if first, err = opener(ctx, ring, record); err != nil {
			return err
		}
	}
	kept, err := record.KeepKeyFingerprint(ctx, first)
	if err != nil {
		return err
	}
	return compare(ring, kept)
}

// opener returns the fingerprint of the key that opens the oldest wallet; the first without wallets.
func opener(ctx context.Context, ring Ring, record KeyRecord) (string, error) {
	player, sealed, err := record.OldestSealedKey(ctx)
	if err != nil || sealed == "" {
		return ring[0].Fingerprint(), err
	}
	for _, kek := range ring {
		s, err := newSealer(Ring{kek})
		if err != nil {
			return "", err
		}
		if key, err := s.open(ctx, wallet.Sealed{Player: player, Key: sealed}); err == nil {
			clear(key)
			return kek.Fingerprint(), nil
		}
	}
	return ring[0].Fingerprint(), nil
}

// Missing returns the fingerprint of the key that seals wallets if the ring does not have it, else "".
func Missing(ctx context.Context, ring Ring, sealing Sealing) (fingerprint string, err error) {
	kept, err := sealing.KeyFingerprint(ctx)
	if err != nil || kept == "" || slices.Contains(ring.Fingerprints(), kept) {
		return "", err
	}
	return kept, nil
}

func compare(ring Ring, kept string) error {
	if own := ring.Fingerprints(); !slices.Contains(own, kept) {
		return fmt.Errorf("%w: its fingerprint is %s, expected %s", ErrAnotherKey, strings.Join(own, ", "), kept)
	}
	return nil
}

// readKeyFile reads a key that only its owner can read. The file of another owner may be readable by its group, by which this process
// reads it: Kubernetes mounts secrets so, and systemd credentials.
func readKeyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	forbidden := fs.FileMode(0o077)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		forbidden = 0o037
	}
	if info.Mode().Perm()&forbidden != 0 {
		return nil, fmt.Errorf("%s may be read by others: run chmod 600 on it", path)
	}
	return os.ReadFile(path)
}

// makeKeyFile writes a new key so that it is completely on disk before it has its name: a key that seals wallets and
// is then lost cannot be replaced.
func makeKeyFile(path string, seal func([]byte) ([]byte, error)) error {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&text)); err != nil {
		return err
	}
	file, err := seal(text.Bytes())
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
	if _, err := f.Write(file); err != nil {
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
