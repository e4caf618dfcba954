// Package kms uses key management services, whose keys never leave them: to encrypt the portal's secrets, and to sign for its wallets.
//
// A key is named by a URI, as in Tink:
//
//	aws-kms://arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab
//	gcp-kms://projects/studio/locations/europe/keyRings/portal/cryptoKeys/secrets
//	hcvault://vault.studio.example:8200/transit/keys/portal
//
// Credentials are found as the service's own tools find them: the chain of the AWS SDK, Google's application default credentials,
// VAULT_TOKEN (or BAO_TOKEN) for HashiCorp Vault and OpenBao.
package kms

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Options are settings of the services' clients.
type Options struct {
	// GCPEndpoint is the address of Google Cloud KMS; "" for its public one. The AWS SDK reads AWS_ENDPOINT_URL_KMS.
	GCPEndpoint string
}

// service is the part of a service's interface that concerns one key.
type service interface {
	encrypt(ctx context.Context, plain, associated []byte) ([]byte, error)
	decrypt(ctx context.Context, sealed, associated []byte) ([]byte, error)
	// publicKey returns a SubjectPublicKeyInfo in DER (RFC 5280).
	publicKey(ctx context.Context) ([]byte, error)
	// sign returns an ECDSA-Sig-Value in DER (RFC 3279).
	sign(ctx context.Context, digest [32]byte) ([]byte, error)
	// explain returns what an error means, in one line, and whether the call may work if it is repeated.
	explain(err error) (text string, temporary bool)
}

// errUnsupported is returned for what a service cannot do.
var errUnsupported = errors.New("the service has no such keys")

const (
	awsScheme   = "aws-kms://"
	gcpScheme   = "gcp-kms://"
	vaultScheme = "hcvault://"
	// plainVaultScheme is that of a Vault on this machine, without TLS.
	plainVaultScheme = "hcvault+http://"
)

// IsURI reports whether a text is the URI of a key, by its scheme.
func IsURI(text string) bool {
	for _, scheme := range []string{awsScheme, gcpScheme, vaultScheme, plainVaultScheme} {
		if strings.HasPrefix(text, scheme) {
			return true
		}
	}
	return false
}

// open returns the service of a key, without connecting to it.
func open(ctx context.Context, uri string, o Options) (service, error) {
	switch {
	case strings.HasPrefix(uri, awsScheme):
		return openAWS(ctx, strings.TrimPrefix(uri, awsScheme))
	case strings.HasPrefix(uri, gcpScheme):
		return openGCP(ctx, strings.TrimPrefix(uri, gcpScheme), o.GCPEndpoint)
	case strings.HasPrefix(uri, vaultScheme):
		return openVault("https://" + strings.TrimPrefix(uri, vaultScheme))
	case strings.HasPrefix(uri, plainVaultScheme):
		return openVault("http://" + strings.TrimPrefix(uri, plainVaultScheme))
	}
	return nil, errors.New("a key's URI must begin with aws-kms://, gcp-kms:// or hcvault://")
}

// limits bound a call with its retries.
type limits struct {
	attempts int
	timeout  time.Duration // of an attempt
}

var (
	// patient is for secrets, which are opened when a process starts.
	patient = limits{attempts: 4, timeout: 5 * time.Second}
	// prompt is for signatures, which requests wait for.
	prompt = limits{attempts: 2, timeout: 2 * time.Second}
)

// firstPause is the pause after the first failed attempt; each further one is twice as long.
const firstPause = 250 * time.Millisecond

// call calls a service, and again while it is throttled or fails. The error is one line.
func call[T any](ctx context.Context, s service, uri string, l limits, f func(context.Context) (T, error)) (out T, err error) {
	for n := 1; ; n++ {
		attempt, cancel := context.WithTimeout(ctx, l.timeout)
		out, err = f(attempt)
		late := attempt.Err() != nil
		cancel()
		if err == nil {
			return out, nil
		}
		text, temporary := s.explain(err)
		if late {
			text, temporary = fmt.Sprintf("no answer within %s", l.timeout), true
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if !temporary || n == l.attempts {
			return out, fmt.Errorf("%s: %s", uri, oneLine(text))
		}
		pause := firstPause << (n - 1)
		select {
		case <-ctx.Done():
			return out, ctx.Err()
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// maxText is the length of the longest explanation, in bytes.
const maxText = 300

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
