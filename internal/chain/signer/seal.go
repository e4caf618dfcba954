package signer

import (
	"bytes"
	"context"
	"encoding/base64"
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

// KEK encrypts the keys that encrypt the owner keys. It is Tink's interface, which its clients of cloud key management
// services implement; KeyFile is the one that needs no service. It must be safe for concurrent use.
type KEK = tink.AEADWithContext

// sealer encrypts owner keys: each with its own data key (AES-256-GCM), which the KEK encrypts. The player's id is
// authenticated with the key, so a sealed key that is copied to another player's row does not open there.
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
type fileKEK struct{ tink.AEAD }

func (k fileKEK) EncryptWithContext(_ context.Context, plain, associated []byte) ([]byte, error) {
	return k.Encrypt(plain, associated)
}

func (k fileKEK) DecryptWithContext(_ context.Context, sealed, associated []byte) ([]byte, error) {
	return k.Decrypt(sealed, associated)
}

// KeyFile returns the key-encryption key in a file, which it makes on first use, readable by its owner alone. Whoever
// loses the file loses every wallet. It fails when others may read the file.
func KeyFile(path string) (KEK, error) {
	for {
		text, err := readKeyFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = makeKeyFile(path)
			if err == nil || errors.Is(err, fs.ErrExist) { // or another process was quicker
				continue
			}
		}
		if err != nil {
			return nil, fmt.Errorf("signer: key file: %w", err)
		}
		handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
		if err != nil {
			return nil, fmt.Errorf("signer: key file %s is damaged: %w", path, err)
		}
		primitive, err := aead.New(handle)
		if err != nil {
			return nil, fmt.Errorf("signer: key file %s: %w", path, err)
		}
		return fileKEK{primitive}, nil
	}
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

// makeKeyFile writes a new key so that it is on the disk, whole, before it has its name: a key that seals wallets and
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
		_ = f.Close() // closed below when all went well
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
