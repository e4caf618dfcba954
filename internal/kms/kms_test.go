package kms_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kms"
	"pantheon/internal/kms/kmstest"
)

// start starts the services and sets the environment by which clients find them, so that these tests cannot run in parallel.
func start(t *testing.T) (s *kmstest.Services, o kms.Options, keys map[string]string) {
	t.Helper()
	s = kmstest.Start(t)
	for _, line := range s.Environment() {
		name, value, _ := strings.Cut(line, "=")
		t.Setenv(name, value)
	}
	return s, kms.Options{GCPEndpoint: s.URL}, map[string]string{
		"AWS": "aws-kms://" + kmstest.AWSKey, "Google Cloud": "gcp-kms://" + kmstest.GCPKey, "Vault": s.VaultURI(),
	}
}

// Spec: RUN-25
func TestSeal_OpensWithItsKeyOnly(t *testing.T) {
	_, o, keys := start(t)
	for name, uri := range keys {
		t.Run(name, func(t *testing.T) {
			text, err := kms.Seal(t.Context(), uri, []byte("a secret"), o)
			if err != nil {
				t.Fatal(err)
			}
			if !kms.IsSealed(text+"\n") || strings.Contains(text, "a secret") || !strings.HasPrefix(text, `{"kms":"`+uri+`"`) {
				t.Errorf("sealed: %s", text)
			}
			if plain, err := kms.Unseal(t.Context(), text, o); err != nil || string(plain) != "a secret" {
				t.Errorf("%q, %v", plain, err)
			}
			var in map[string]string
			if err := json.Unmarshal([]byte(text), &in); err != nil {
				t.Fatal(err)
			}
			middle := len(in["sealed"]) / 2
			in["sealed"] = in["sealed"][:middle] + map[bool]string{true: "B", false: "A"}[in["sealed"][middle] == 'A'] + in["sealed"][middle+1:]
			damaged, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := kms.Unseal(t.Context(), string(damaged), o); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("with a flipped character: %q, %v", plain, err)
			}
		})
	}
}

// Spec: RUN-25
func TestUnseal_IsRetriedWhileAServiceThrottles(t *testing.T) {
	s, o, keys := start(t)
	for name, uri := range keys {
		t.Run(name, func(t *testing.T) {
			text, err := kms.Seal(t.Context(), uri, []byte("a secret"), o)
			if err != nil {
				t.Fatal(err)
			}
			s.Throttle(2)
			if plain, err := kms.Unseal(t.Context(), text, o); err != nil || string(plain) != "a secret" {
				t.Errorf("%q, %v", plain, err)
			}
		})
	}
}

func TestUnseal_SaysWhatAServiceRefuses(t *testing.T) {
	s, o, keys := start(t)
	want := map[string]string{
		"AWS":          "AWS KMS: AccessDeniedException: User: arn:aws:iam::111122223333:user/portal is not authorized to perform: kms:Decrypt",
		"Google Cloud": "Google Cloud KMS: 403: Permission 'cloudkms.cryptoKeyVersions.useToDecrypt' denied.",
		"Vault":        "Vault: 403: permission denied",
	}
	for name, uri := range keys {
		t.Run(name, func(t *testing.T) {
			s.Refuse(false)
			text, err := kms.Seal(t.Context(), uri, []byte("a secret"), o)
			if err != nil {
				t.Fatal(err)
			}
			s.Refuse(true)
			before := s.Calls()
			_, err = kms.Unseal(t.Context(), text, o)
			if err == nil || err.Error() != uri+": "+want[name] {
				t.Errorf("%v", err)
			}
			if n := s.Calls() - before; n != 1 {
				t.Errorf("%d calls, want 1: a refusal is final", n)
			}
		})
	}
}

func TestUnseal_RefusesWhatWasGarbled(t *testing.T) {
	s, o, keys := start(t)
	text, err := kms.Seal(t.Context(), keys["Google Cloud"], []byte("a secret"), o)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := kms.OpenSigner(t.Context(), "gcp-kms://"+kmstest.GCPSigner, o)
	if err != nil {
		t.Fatal(err)
	}
	s.Garble()
	if _, err := kms.Unseal(t.Context(), text, o); err == nil || !strings.Contains(err.Error(), "its CRC32C is another one") {
		t.Errorf("a secret: %v", err)
	}
	if _, err := signer.SignHash(t.Context(), eth.Hash{}); err == nil || !strings.Contains(err.Error(), "its CRC32C is another one") {
		t.Errorf("a signature: %v", err)
	}
}

func TestUnseal_EndsWithItsContextWhileAServiceHangs(t *testing.T) {
	s, o, keys := start(t)
	for name, uri := range keys {
		t.Run(name, func(t *testing.T) {
			s.Release()
			text, err := kms.Seal(t.Context(), uri, []byte("a secret"), o)
			if err != nil {
				t.Fatal(err)
			}
			s.Hang()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if _, err := kms.Unseal(ctx, text, o); err == nil || ctx.Err() == nil {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestUnseal_NamesWhatIsWrongWithAKey(t *testing.T) {
	_, o, _ := start(t)
	for text, want := range map[string]string{
		`{"kms":`: "no JSON",
		`{"kms":"aws-kms://` + kmstest.AWSKey + `","sealed":"!"}`:                                "no base64",
		`{"kms":"file:///etc/passwd","sealed":"AAAA"}`:                                           "must begin with aws-kms://",
		`{"kms":"aws-kms://alias/portal","sealed":"AAAA"}`:                                       "by its ARN",
		`{"kms":"aws-kms://arn:aws:kms:eu-central-1:111122223333:key/other","sealed":"AAAA"}`:    "NotFoundException",
		`{"kms":"gcp-kms://projects/studio","sealed":"AAAA"}`:                                    "projects/P/locations/L",
		`{"kms":"hcvault://vault.example","sealed":"AAAA"}`:                                      "transit engine",
		`{"kms":"hcvault+http://vault.example/transit/keys/portal","sealed":"AAAA"}`:             "on this machine",
		`{"kms":"hcvault://user:secret@vault.example/transit/keys/portal","sealed":"AAAA"}`:      "transit engine",
		`{"kms":"gcp-kms://` + kmstest.GCPKey[:len(kmstest.GCPKey)-1] + `","sealed":"AAAAAAA="}`: "404",
	} {
		if _, err := kms.Unseal(t.Context(), text, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Spec: RUN-25
func TestSigner_SignsForItsAddress(t *testing.T) {
	s, o, keys := start(t)
	for name, uri := range map[string]string{"AWS": "aws-kms://" + kmstest.AWSSigner, "Google Cloud": "gcp-kms://" + kmstest.GCPSigner} {
		t.Run(name, func(t *testing.T) {
			signer, err := kms.OpenSigner(t.Context(), uri, o)
			if err != nil {
				t.Fatal(err)
			}
			hash := eth.Keccak256(s.Signer.PubKey().SerializeUncompressed()[1:])
			if signer.Address() != eth.Address(hash[12:]) {
				t.Errorf("address %s", signer.Address())
			}
			for i := range byte(8) { // the service returns s in both halves
				digest := eth.Keccak256([]byte{i})
				signature, err := signer.SignHash(t.Context(), digest)
				if err != nil || len(signature) != 65 || signature[64] > 1 {
					t.Fatalf("%x, %v", signature, err)
				}
				var low secp256k1.ModNScalar
				low.SetByteSlice(signature[32:64])
				key, _, err := ecdsa.RecoverCompact(append([]byte{27 + signature[64]}, signature[:64]...), digest[:])
				if err != nil || !key.IsEqual(s.Signer.PubKey()) || low.IsOverHalfOrder() {
					t.Errorf("%x is not by the key, or malleable: %v", signature, err)
				}
			}
		})
	}
	_, err := kms.OpenSigner(t.Context(), keys["Vault"], o)
	if err == nil || !strings.Contains(err.Error(), "Vault has no keys of the curve secp256k1") {
		t.Errorf("Vault: %v", err)
	}
	if _, err := kms.OpenSigner(t.Context(), keys["AWS"], o); err == nil || !strings.Contains(err.Error(), "InvalidKeyUsageException") {
		t.Errorf("a key that encrypts: %v", err)
	}
}

func TestSigner_FailsSoonWhileAServiceHangs(t *testing.T) {
	s, o, _ := start(t)
	signer, err := kms.OpenSigner(t.Context(), "aws-kms://"+kmstest.AWSSigner, o)
	if err != nil {
		t.Fatal(err)
	}
	s.Hang()
	done := make(chan error)
	go func() {
		_, err := signer.SignHash(t.Context(), eth.Hash{})
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || err.Error() != "aws-kms://"+kmstest.AWSSigner+": no answer within 2s" {
			t.Errorf("%v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits on")
	}
}
