package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// store is a folder with what an authority has issued, which only this user can read: the account's key, a file for each certificate
// with its key, and when each was last ordered.
type store struct {
	folder  string
	account *ecdsa.PrivateKey
}

// errNone means that a domain has no certificate.
var errNone = errors.New("there is no certificate")

// folderOf returns the folder of an authority. Certificates of another one, such as one for tests, are not taken for this one's.
func folderOf(folder, directory string) (string, error) {
	u, err := url.Parse(directory)
	if err != nil || u.Host == "" {
		return "", errors.New("the authority's directory is not a URL")
	}
	return filepath.Join(folder, strings.ReplaceAll(u.Host, ":", "-")), nil
}

// openStore opens the folder of an authority, and makes what is missing.
func openStore(folder, directory string) (s store, err error) {
	if s.folder, err = folderOf(folder, directory); err != nil {
		return s, err
	}
	for _, path := range []string{folder, s.folder} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return s, err
		}
		if err := os.Chmod(path, 0o700); err != nil {
			return s, err
		}
	}
	const name = "account.key"
	text, err := os.ReadFile(filepath.Join(s.folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		if s.account, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return s, err
		}
		if text, err = encodeKey(s.account); err != nil {
			return s, err
		}
		return s, s.write(name, text)
	}
	if err != nil {
		return s, err
	}
	if s.account, _, err = decode(text); err != nil {
		return s, fmt.Errorf("%s is damaged; without it another account is made: %w", filepath.Join(s.folder, name), err)
	}
	return s, nil
}

// certificate returns the certificate of a domain, valid or not; errNone if there is none.
func (s store) certificate(domain string) (*tls.Certificate, error) {
	text, err := os.ReadFile(filepath.Join(s.folder, domain+".pem"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNone
	}
	if err != nil {
		return nil, err
	}
	key, chain, err := decode(text)
	if err != nil {
		return nil, err
	}
	return verify(domain, key, chain)
}

// keep stores the certificate of a domain.
func (s store) keep(domain string, key *ecdsa.PrivateKey, chain [][]byte) (*tls.Certificate, error) {
	certificate, err := verify(domain, key, chain)
	if err != nil {
		return nil, err
	}
	text, err := encodeKey(key)
	if err != nil {
		return nil, err
	}
	for _, der := range chain {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	return certificate, s.write(domain+".pem", text)
}

// lastOrder returns when a certificate of a domain was last ordered; the zero time if that is not known.
func (s store) lastOrder(domain string) time.Time {
	text, err := os.ReadFile(filepath.Join(s.folder, domain+".ordered"))
	at, parseErr := time.Parse(time.RFC3339, string(text))
	if err != nil || parseErr != nil {
		return time.Time{}
	}
	return at
}

// noteOrder notes that a certificate of a domain is about to be ordered.
func (s store) noteOrder(domain string, at time.Time) error {
	return s.write(domain+".ordered", []byte(at.Format(time.RFC3339)))
}

// write replaces a file at once: after a crash it is the former one or the new one.
func (s store) write(name string, text []byte) (err error) {
	file, err := os.CreateTemp(s.folder, ".new-*") // for this user only
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(s.folder, name))
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// decode reads a key and the certificates after it.
func decode(text []byte) (key *ecdsa.PrivateKey, chain [][]byte, err error) {
	block, rest := pem.Decode(text)
	if block == nil {
		return nil, nil, errors.New("there is no key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, nil, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, nil, errors.New("the key is of another kind")
	}
	for block, rest = pem.Decode(rest); block != nil; block, rest = pem.Decode(rest) {
		chain = append(chain, block.Bytes)
	}
	return key, chain, nil
}
