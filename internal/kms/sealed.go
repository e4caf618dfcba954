package kms

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// sealed is a secret that a service's key has encrypted, as JSON.
type sealed struct {
	KMS    string `json:"kms"`    // the key's URI
	Sealed string `json:"sealed"` // base64 of what the service returned
}

// associated is the authenticated data of sealed secrets: what a key encrypts for others does not open here.
const associated = "pantheon secret"

// prefix is how sealed secrets begin.
const prefix = `{"kms":`

// IsSealed reports whether a text is a sealed secret.
func IsSealed(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), prefix) }

// Seal encrypts a secret of up to 4096 bytes with the key of a URI and returns it as text, which names the key. It is checked that the
// text can be opened.
func Seal(ctx context.Context, uri string, secret []byte, o Options) (string, error) {
	if len(secret) == 0 || len(secret) > 4096 { // the most that AWS KMS encrypts
		return "", errors.New("a secret must have 1 to 4096 bytes")
	}
	s, err := open(ctx, uri, o)
	if err != nil {
		return "", err
	}
	b, err := call(ctx, s, uri, patient, func(ctx context.Context) ([]byte, error) { return s.encrypt(ctx, secret, []byte(associated)) })
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(sealed{uri, base64.StdEncoding.EncodeToString(b)})
	if err != nil {
		return "", err
	}
	again, err := Unseal(ctx, string(text), o)
	if err != nil {
		return "", err
	}
	if string(again) != string(secret) {
		return "", fmt.Errorf("%s: what it encrypts it decrypts as something else", uri)
	}
	return string(text), nil
}

// Unseal returns the secret in what Seal returned.
func Unseal(ctx context.Context, text string, o Options) ([]byte, error) {
	var in sealed
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return nil, errors.New("a sealed secret is damaged: it is no JSON")
	}
	b, err := base64.StdEncoding.DecodeString(in.Sealed)
	if err != nil || len(b) == 0 {
		return nil, errors.New("a sealed secret is damaged: it is no base64")
	}
	s, err := open(ctx, in.KMS, o)
	if err != nil {
		return nil, err
	}
	return call(ctx, s, in.KMS, patient, func(ctx context.Context) ([]byte, error) { return s.decrypt(ctx, b, []byte(associated)) })
}
