package certificate

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/crypto/acme"
)

// orderTime is how long an order may take.
const orderTime = 3 * time.Minute

// kinds are the challenges by which a host can be proved, in the order in which they are tried.
var kinds = [...]string{"http-01", "tls-alpn-01"}

// unreachableError means that the authority was not asked for anything, because its directory cannot be read.
type unreachableError struct{ error }

func (e unreachableError) Unwrap() error { return e.error }

// obtain orders a certificate and stores it. The first time a second challenge follows at once where the first one fails: often only
// one of the two ports is open. After that each order tries one, so that few checks fail.
func (k *Keeper) obtain(ctx context.Context, h *host) (*tls.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	client, done := k.client()
	defer done()
	if _, err := client.Discover(ctx); err != nil {
		return nil, unreachableError{fmt.Errorf("TLS_ACME_URL: %w", err)}
	}
	// Before the order: where the certificate could not be stored, none is ordered.
	if err := k.store.noteOrder(h.domain, k.options.Clock.Now()); err != nil {
		return nil, err
	}
	account := &acme.Account{}
	if k.options.Email != "" {
		account.Contact = []string{"mailto:" + k.options.Email}
	}
	if _, err := client.Register(ctx, account, acme.AcceptTOS); err != nil && !errors.Is(err, acme.ErrAccountAlreadyExists) {
		return nil, fmt.Errorf("account: %w", err)
	}
	if h.failures > 0 {
		return k.order(ctx, client, h.domain, kinds[h.failures%len(kinds)])
	}
	certificate, first := k.order(ctx, client, h.domain, kinds[0])
	if _, ok := errors.AsType[*acme.AuthorizationError](first); !ok {
		return certificate, first
	}
	certificate, err := k.order(ctx, client, h.domain, kinds[1])
	if err != nil {
		err = fmt.Errorf("%w; %w", first, err)
	}
	return certificate, err
}

// client returns a client of the authority for one order, and what ends it.
func (k *Keeper) client() (*acme.Client, func()) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &acme.Client{
		Key: k.store.account, DirectoryURL: k.options.Directory, UserAgent: "pantheon",
		HTTPClient: &http.Client{Transport: transport, Timeout: 30 * time.Second},
		RetryBackoff: func(n int, _ *http.Request, response *http.Response) time.Duration {
			// Nonces that are no longer good are part of the protocol. Limits are waited for between orders.
			if n > 8 || response.StatusCode == http.StatusTooManyRequests {
				return -1
			}
			return min(time.Duration(n)*500*time.Millisecond, 2*time.Second)
		},
	}, transport.CloseIdleConnections
}

// order orders a certificate for a domain, which is proved by a challenge of a kind, and stores it.
func (k *Keeper) order(ctx context.Context, client *acme.Client, domain, kind string) (*tls.Certificate, error) {
	order, err := client.AuthorizeOrder(ctx, acme.DomainIDs(domain))
	if err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	for _, address := range order.AuthzURLs {
		if err := k.prove(ctx, client, domain, address, kind); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
	}
	if order, err = client.WaitOrder(ctx, order.URI); err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: []string{domain}}, key)
	if err != nil {
		return nil, err
	}
	chain, _, err := client.CreateCertFromOrder(ctx, order, request, true)
	if err != nil {
		return nil, err
	}
	return k.store.keep(domain, key, chain)
}

// prove answers a challenge of an authorization and waits until the authority has checked it.
func (k *Keeper) prove(ctx context.Context, client *acme.Client, domain, address, kind string) error {
	authorization, err := client.GetAuthorization(ctx, address)
	if err != nil || authorization.Status == acme.StatusValid {
		return err
	}
	i := slices.IndexFunc(authorization.Challenges, func(c *acme.Challenge) bool { return c.Type == kind })
	if i < 0 {
		return errors.New("the authority does not offer this challenge")
	}
	challenge := authorization.Challenges[i]
	forget, err := k.answer(client, domain, challenge)
	if err != nil {
		return err
	}
	defer forget()
	if _, err := client.Accept(ctx, challenge); err != nil {
		return err
	}
	_, err = client.WaitAuthorization(ctx, authorization.URI)
	return err
}

// answer lets the listeners answer a challenge until forget is called.
func (k *Keeper) answer(client *acme.Client, domain string, challenge *acme.Challenge) (forget func(), err error) {
	if challenge.Type == "http-01" {
		text, err := client.HTTP01ChallengeResponse(challenge.Token)
		return announce(k, k.answers, client.HTTP01ChallengePath(challenge.Token), text), err
	}
	certificate, err := client.TLSALPN01ChallengeCert(challenge.Token, domain)
	return announce(k, k.provings, domain, &certificate), err
}

// announce puts an answer into a map until forget is called.
func announce[V any](k *Keeper, answers map[string]V, key string, answer V) (forget func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	answers[key] = answer
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(answers, key)
	}
}

// verify returns the certificate of a key for a domain.
func verify(domain string, key crypto.Signer, chain [][]byte) (*tls.Certificate, error) {
	if len(chain) == 0 {
		return nil, errors.New("there is no certificate")
	}
	leaf, err := x509.ParseCertificate(chain[0])
	if err != nil {
		return nil, err
	}
	if err := leaf.VerifyHostname(domain); err != nil {
		return nil, err
	}
	if public, ok := leaf.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(key.Public()) {
		return nil, errors.New("the certificate is for another key")
	}
	return &tls.Certificate{Certificate: chain, PrivateKey: key, Leaf: leaf}, nil
}
