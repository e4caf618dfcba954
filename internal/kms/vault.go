package kms

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/openbao/openbao/api/v2"
)

// vaultKey is a key of the transit engine of HashiCorp Vault or OpenBao (aes256-gcm96, chacha20-poly1305).
type vaultKey struct {
	client      *api.Client
	mount, name string
}

func openVault(address string) (service, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, errVaultURI
	}
	mount, name, ok := strings.Cut(strings.Trim(u.Path, "/"), "/keys/")
	if !ok || mount == "" || name == "" || strings.Contains(name, "/") {
		return nil, errVaultURI
	}
	if ip, _ := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && !ip.IsLoopback() {
		return nil, errors.New("hcvault+http:// is for a Vault on this machine")
	}
	c := api.DefaultConfig() // with the environment: VAULT_CACERT, VAULT_NAMESPACE and the like
	if c.Error != nil {
		return nil, c.Error
	}
	c.Address, c.MaxRetries = u.Scheme+"://"+u.Host, 0
	client, err := api.NewClient(c)
	if err != nil {
		return nil, err
	}
	return vaultKey{client, mount, name}, nil
}

var errVaultURI = errors.New("hcvault:// must name a key of a transit engine, hcvault://HOST:8200/transit/keys/NAME")

// ask calls a method of the transit engine and returns a field of its answer.
func (k vaultKey) ask(ctx context.Context, method, field string, in map[string]any) (string, error) {
	out, err := k.client.Logical().WriteWithContext(ctx, k.mount+"/"+method+"/"+k.name, in)
	if err != nil {
		return "", err
	}
	if out != nil {
		if text, ok := out.Data[field].(string); ok {
			return text, nil
		}
	}
	return "", fmt.Errorf("the answer has no %s", field)
}

func (k vaultKey) encrypt(ctx context.Context, plain, associated []byte) ([]byte, error) {
	text, err := k.ask(ctx, "encrypt", "ciphertext", map[string]any{
		"plaintext": base64.StdEncoding.EncodeToString(plain), "associated_data": base64.StdEncoding.EncodeToString(associated),
	})
	return []byte(text), err
}

func (k vaultKey) decrypt(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	text, err := k.ask(ctx, "decrypt", "plaintext", map[string]any{
		"ciphertext": string(sealed), "associated_data": base64.StdEncoding.EncodeToString(associated),
	})
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}

func (vaultKey) publicKey(context.Context) ([]byte, error) { return nil, errUnsupported }

func (vaultKey) sign(context.Context, [32]byte) ([]byte, error) { return nil, errUnsupported }

func (k vaultKey) explain(err error) (text string, temporary bool) {
	if errors.Is(err, errUnsupported) {
		return "Vault has no keys of the curve secp256k1", false
	}
	if r, ok := errors.AsType[*api.ResponseError](err); ok {
		temporary = r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusPreconditionFailed || r.StatusCode >= 500
		return fmt.Sprintf("Vault: %d: %s", r.StatusCode, strings.Join(r.Errors, "; ")), temporary
	}
	return "Vault: " + err.Error(), true
}
