package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/kms"
	"pantheon/internal/store"
)

// openKeys opens the keys that seal the players' wallets. It never creates one: if a file is missing, a volume is
// not mounted or a replica lacks its copy, and wallets sealed under a new key would be lost with it.
func openKeys(ctx context.Context, c config.Config) (ring signer.Ring, err error) {
	for _, file := range c.SignerKeyFiles() {
		if file == "" {
			return nil, errors.New("SIGNER_KEY_FILE: must be the file of a key, or of several, separated by colons")
		}
		kek, err := openKey(ctx, c, file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("SIGNER_KEY_FILE: there is no signer key at %s. "+
				"Put the portal's key file there, or, for a new portal only, make one with `pantheon key init`", file)
		}
		if err != nil {
			return nil, fmt.Errorf("SIGNER_KEY_FILE: %w", err)
		}
		if slices.Contains(ring.Fingerprints(), kek.Fingerprint()) {
			return nil, fmt.Errorf("SIGNER_KEY_FILE: names the key %s twice", kek.Fingerprint())
		}
		ring = append(ring, kek)
	}
	return ring, nil
}

// openKey opens the key in a file, which may be sealed.
func openKey(ctx context.Context, c config.Config, file string) (signer.KEK, error) {
	return signer.OpenSealedKeyFile(file, func(text []byte) ([]byte, error) {
		if !kms.IsSealed(string(text)) {
			return text, nil
		}
		return kms.Unseal(ctx, string(text), kmsOptions(c))
	})
}

// explainKey says what to do if the keys do not match the database.
func explainKey(c config.Config, err error) error {
	if errors.Is(err, signer.ErrAnotherKey) {
		return fmt.Errorf("SIGNER_KEY_FILE: %s is %w. Put back the key file with that fingerprint, or name it too", c.SignerKeyFile, err)
	}
	return err
}

// MakeSignerKey creates the key that seals the players' wallets at the configured path, and returns the path and the
// key's fingerprint. It is sealed with a key of a key management service unless its URI is "". It never replaces a key.
func MakeSignerKey(ctx context.Context, c config.Config, uri string) (path, fingerprint string, err error) {
	path = c.SignerKeyFile
	if len(c.SignerKeyFiles()) > 1 {
		return path, "", errors.New("SIGNER_KEY_FILE: must name the file of the new key alone")
	}
	err = signer.MakeSealedKeyFile(path, func(text []byte) ([]byte, error) {
		if uri == "" {
			return text, nil
		}
		sealed, err := kms.Seal(ctx, uri, text, kmsOptions(c))
		return []byte(sealed), err
	})
	if errors.Is(err, fs.ErrExist) {
		return path, "", fmt.Errorf("%s exists already, and a key is never replaced: without it the wallets that it seals cannot be opened", path)
	}
	if err != nil {
		return path, "", err
	}
	kek, err := openKey(ctx, c, path)
	if err != nil {
		return path, "", err
	}
	return path, kek.Fingerprint(), nil
}

// KeyWarnings returns warnings for the operator about the location of the keys, one line each: a copy of a folder
// with both the database and the key that seals its wallets gives access to the wallets.
func KeyWarnings(c config.Config) []string {
	isThere := slices.ContainsFunc(c.SignerKeyFiles(), func(file string) bool { _, err := os.Stat(file); return err == nil })
	if !isThere || !c.KeyBesideDatabase() {
		return nil
	}
	return []string{fmt.Sprintf(
		"the signer key %s is stored next to the database: one backup of %s contains both and can decrypt every wallet; move it elsewhere and "+
			"set SIGNER_KEY_FILE",
		c.SignerKeyFile, c.DataDir)}
}

// checkKey checks the signer key, against the database if there is one, and reports its path. It stores nothing.
func checkKey(ctx context.Context, c config.Config, db *store.DB) Connection {
	out := Connection{Name: "signer key", Note: strings.Join(KeyWarnings(c), "; ")}
	ring, err := openKeys(ctx, c)
	if err == nil && db != nil {
		err = explainKey(c, signer.CheckKeys(ctx, ring, store.SignerKeys{DB: db}))
	}
	out.Err = err
	return out
}
