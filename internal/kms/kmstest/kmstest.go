// Package kmstest has stand-ins of key management services, which speak their wire protocols: AWS KMS (JSON 1.1, Signature Version 4),
// Google Cloud KMS (REST, with tokens of a service account) and the transit engine of HashiCorp Vault and OpenBao. They are for tests.
package kmstest

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/golang-jwt/jwt/v5"
)

// The keys that the services have.
const (
	AWSKey    = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
	AWSSigner = "arn:aws:kms:eu-central-1:111122223333:key/5678abcd-12ab-34cd-56ef-1234567890ab"
	GCPKey    = "projects/studio/locations/europe/keyRings/portal/cryptoKeys/secrets"
	GCPSigner = "projects/studio/locations/europe/keyRings/portal/cryptoKeys/relayer/cryptoKeyVersions/1"
	VaultKey  = "transit/keys/portal"

	vaultToken   = "s.standin"
	awsAccessKey = "AKIDSTANDIN"
)

// Services are the three services at one address.
type Services struct {
	URL    string
	Signer *secp256k1.PrivateKey // of AWSSigner and GCPSigner

	t       testing.TB
	key     cipher.AEAD
	account *rsa.PrivateKey // of Google's service account
	file    string          // its credentials

	mu       sync.Mutex
	throttle int           // how many calls are still throttled
	refuse   bool          // whether access is denied
	garble   bool          // whether Google's answers have a wrong CRC32C
	hang     chan struct{} // calls wait until it is closed; nil: they do not
	calls    int
}

// Start starts the services.
func Start(t testing.TB) *Services {
	t.Helper()
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails, as documented
	block, err := aes.NewCipher(key[:])
	must(t, err)
	aead, err := cipher.NewGCM(block)
	must(t, err)
	signer, err := secp256k1.GeneratePrivateKey()
	must(t, err)
	account, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	s := &Services{Signer: signer, t: t, key: aead, account: account}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Release()
		server.Close()
	})
	s.URL = server.URL
	der, err := x509.MarshalPKCS8PrivateKey(account)
	must(t, err)
	credentials, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "portal@studio.iam.gserviceaccount.com", "private_key_id": "1", "project_id": "studio",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": s.URL + "/token",
	})
	must(t, err)
	s.file = filepath.Join(t.TempDir(), "account.json")
	must(t, os.WriteFile(s.file, credentials, 0o600))
	return s
}

// Environment returns the variables by which clients reach the services and are admitted.
func (s *Services) Environment() []string {
	return []string{
		"AWS_ENDPOINT_URL_KMS=" + s.URL, "AWS_ACCESS_KEY_ID=" + awsAccessKey, "AWS_SECRET_ACCESS_KEY=standin", "AWS_EC2_METADATA_DISABLED=true",
		"KMS_GCP_ENDPOINT=" + s.URL, "GOOGLE_APPLICATION_CREDENTIALS=" + s.file, "VAULT_TOKEN=" + vaultToken,
	}
}

// VaultURI returns the URI of VaultKey.
func (s *Services) VaultURI() string { return "hcvault+" + s.URL + "/" + VaultKey }

// Throttle makes the next n calls fail as throttled.
func (s *Services) Throttle(n int) { s.set(func() { s.throttle = n }) }

// Refuse makes all calls fail as denied, or not.
func (s *Services) Refuse(refuse bool) { s.set(func() { s.refuse = refuse }) }

// Garble makes Google's answers have a wrong checksum.
func (s *Services) Garble() { s.set(func() { s.garble = true }) }

// Hang makes calls wait until Release.
func (s *Services) Hang() { s.set(func() { s.hang = make(chan struct{}) }) }

// Release ends Hang.
func (s *Services) Release() {
	s.set(func() {
		if s.hang != nil {
			close(s.hang)
			s.hang = nil
		}
	})
}

// Calls returns how many calls there were, those that failed included.
func (s *Services) Calls() (n int) {
	s.set(func() { n = s.calls })
	return n
}

func (s *Services) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// ServeHTTP answers a call to one of the services.
func (s *Services) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		s.token(w, r)
		return
	}
	s.mu.Lock()
	s.calls++
	throttled, refused, hang := s.throttle > 0, s.refuse, s.hang
	if throttled {
		s.throttle--
	}
	s.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-r.Context().Done():
			return
		}
	}
	switch {
	case r.Header.Get("X-Amz-Target") != "":
		s.aws(w, r, throttled, refused)
	case strings.HasPrefix(r.URL.Path, "/v1/projects/"):
		s.gcp(w, r, throttled, refused)
	default:
		s.vault(w, r, throttled, refused)
	}
}

// answer writes JSON.
func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}

func (s *Services) encrypt(plain, associated []byte) []byte {
	nonce := make([]byte, s.key.NonceSize())
	_, _ = rand.Read(nonce) // never fails, as documented
	return s.key.Seal(nonce, nonce, plain, associated)
}

func (s *Services) decrypt(sealed, associated []byte) ([]byte, bool) {
	n := s.key.NonceSize()
	if len(sealed) < n {
		return nil, false
	}
	plain, err := s.key.Open(nil, sealed[:n], sealed[n:], associated)
	return plain, err == nil
}

// publicKey is the signer's SubjectPublicKeyInfo.
func (s *Services) publicKey() []byte {
	type algorithm struct{ Algorithm, Curve asn1.ObjectIdentifier }
	key := s.Signer.PubKey().SerializeUncompressed()
	der, err := asn1.Marshal(struct {
		Algorithm algorithm
		Key       asn1.BitString
	}{
		algorithm{asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}, asn1.ObjectIdentifier{1, 3, 132, 0, 10}},
		asn1.BitString{Bytes: key, BitLength: len(key) * 8},
	})
	must(s.t, err)
	return der
}

// sign returns a signature in DER. Like the services it does not care for the lower half: every other one has s in the upper.
func (s *Services) sign(digest []byte) []byte {
	compact := ecdsa.SignCompact(s.Signer, digest, false)
	r, low := new(big.Int).SetBytes(compact[1:33]), new(big.Int).SetBytes(compact[33:])
	if digest[0]%2 == 0 {
		low.Sub(secp256k1.S256().N, low)
	}
	der, err := asn1.Marshal(struct{ R, S *big.Int }{r, low})
	must(s.t, err)
	return der
}

func (s *Services) aws(w http.ResponseWriter, r *http.Request, throttled, refused bool) {
	fail := func(code, text string) {
		w.Header().Set("X-Amzn-Errortype", code)
		answer(w, http.StatusBadRequest, map[string]string{"__type": code, "message": text})
	}
	var in struct {
		KeyID             string `json:"KeyId"`
		Plaintext         []byte
		CiphertextBlob    []byte
		EncryptionContext map[string]string
		Message           []byte
		MessageType       string
		SigningAlgorithm  string
	}
	authorization := r.Header.Get("Authorization")
	switch {
	case !strings.HasPrefix(authorization, "AWS4-HMAC-SHA256 Credential="+awsAccessKey+"/") ||
		!strings.Contains(authorization, "/eu-central-1/kms/aws4_request"):
		fail("UnrecognizedClientException", "The security token included in the request is invalid.")
		return
	case throttled:
		fail("ThrottlingException", "Rate exceeded")
		return
	case refused:
		fail("AccessDeniedException", "User: arn:aws:iam::111122223333:user/portal is not authorized to perform: kms:Decrypt")
		return
	case json.NewDecoder(r.Body).Decode(&in) != nil:
		fail("SerializationException", "")
		return
	case in.KeyID != AWSKey && in.KeyID != AWSSigner:
		fail("NotFoundException", "Key '"+in.KeyID+"' does not exist")
		return
	}
	associated, _ := json.Marshal(in.EncryptionContext) // of strings
	switch target := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "TrentService."); {
	case target == "Encrypt" && in.KeyID == AWSKey:
		answer(w, http.StatusOK, map[string]any{"KeyId": in.KeyID, "CiphertextBlob": s.encrypt(in.Plaintext, associated)})
	case target == "Decrypt" && in.KeyID == AWSKey:
		plain, ok := s.decrypt(in.CiphertextBlob, associated)
		if !ok {
			fail("InvalidCiphertextException", "")
			return
		}
		answer(w, http.StatusOK, map[string]any{"KeyId": in.KeyID, "Plaintext": plain})
	case target == "GetPublicKey" && in.KeyID == AWSSigner:
		answer(w, http.StatusOK, map[string]any{"KeyId": in.KeyID, "PublicKey": s.publicKey(), "KeySpec": "ECC_SECG_P256K1"})
	case target == "Sign" && in.KeyID == AWSSigner && in.MessageType == "DIGEST" && in.SigningAlgorithm == "ECDSA_SHA_256" &&
		len(in.Message) == sha256.Size:
		answer(w, http.StatusOK, map[string]any{"KeyId": in.KeyID, "Signature": s.sign(in.Message), "SigningAlgorithm": "ECDSA_SHA_256"})
	default:
		fail("InvalidKeyUsageException", in.KeyID+" cannot do "+target)
	}
}

// token gives a token to the service account (RFC 7523).
func (s *Services) token(w http.ResponseWriter, r *http.Request) {
	if !s.isAccount(r.FormValue("assertion")) {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_grant"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"access_token": "ya29.standin", "token_type": "Bearer", "expires_in": 3600})
}

func (s *Services) isAccount(token string) bool {
	_, err := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithExpirationRequired()).
		Parse(token, func(*jwt.Token) (any, error) { return crypto.PublicKey(&s.account.PublicKey), nil })
	return err == nil
}

func crc(b []byte) string { return fmt.Sprint(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))) }

func (s *Services) gcp(w http.ResponseWriter, r *http.Request, throttled, refused bool) {
	fail := func(status int, code, text string) {
		answer(w, status, map[string]any{"error": map[string]any{"code": status, "message": text, "status": code}})
	}
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	var in struct {
		Plaintext, Ciphertext, AdditionalAuthenticatedData                   []byte
		PlaintextCrc32c, CiphertextCrc32c, AdditionalAuthenticatedDataCrc32c string
		DigestCrc32c                                                         string
		Digest                                                               struct{ Sha256 []byte }
	}
	garble := false
	s.set(func() { garble = s.garble })
	sum := func(b []byte) string { // of an answer
		if garble {
			b = append(b, 0)
		}
		return crc(b)
	}
	switch {
	case bearer != "ya29.standin" && !s.isAccount(bearer): // a token, or an assertion of the account itself
		fail(http.StatusUnauthorized, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
		return
	case throttled:
		fail(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Cryptographic requests'.")
		return
	case refused:
		fail(http.StatusForbidden, "PERMISSION_DENIED", "Permission 'cloudkms.cryptoKeyVersions.useToDecrypt' denied.")
		return
	case r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&in) != nil:
		fail(http.StatusBadRequest, "INVALID_ARGUMENT", "Invalid JSON payload received.")
		return
	}
	encoded := base64.StdEncoding.EncodeToString
	switch path := strings.TrimPrefix(r.URL.Path, "/v1/"); path {
	case GCPKey + ":encrypt":
		sealed := s.encrypt(in.Plaintext, in.AdditionalAuthenticatedData)
		answer(w, http.StatusOK, map[string]any{
			"name": GCPKey, "ciphertext": encoded(sealed), "ciphertextCrc32c": sum(sealed),
			"verifiedPlaintextCrc32c":                   in.PlaintextCrc32c == crc(in.Plaintext),
			"verifiedAdditionalAuthenticatedDataCrc32c": in.AdditionalAuthenticatedDataCrc32c == crc(in.AdditionalAuthenticatedData),
		})
	case GCPKey + ":decrypt":
		plain, ok := s.decrypt(in.Ciphertext, in.AdditionalAuthenticatedData)
		if !ok || in.CiphertextCrc32c != crc(in.Ciphertext) {
			fail(http.StatusBadRequest, "INVALID_ARGUMENT", "Decryption failed: verify that 'name' refers to the correct CryptoKey.")
			return
		}
		answer(w, http.StatusOK, map[string]any{"plaintext": encoded(plain), "plaintextCrc32c": sum(plain)})
	case GCPSigner + "/publicKey":
		text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: s.publicKey()})
		answer(w, http.StatusOK, map[string]any{
			"name": GCPSigner, "algorithm": "EC_SIGN_SECP256K1_SHA256", "pem": string(text), "pemCrc32c": sum(text),
		})
	case GCPSigner + ":asymmetricSign":
		signature := s.sign(in.Digest.Sha256)
		answer(w, http.StatusOK, map[string]any{
			"name": GCPSigner, "signature": encoded(signature), "signatureCrc32c": sum(signature),
			"verifiedDigestCrc32c": in.DigestCrc32c == crc(in.Digest.Sha256),
		})
	default:
		fail(http.StatusNotFound, "NOT_FOUND", path+" not found.")
	}
}

func (s *Services) vault(w http.ResponseWriter, r *http.Request, throttled, refused bool) {
	fail := func(status int, text string) { answer(w, status, map[string]any{"errors": []string{text}}) }
	var in struct {
		Plaintext      []byte `json:"plaintext"`
		Ciphertext     string `json:"ciphertext"`
		AssociatedData []byte `json:"associated_data"`
	}
	switch {
	case r.Header.Get("X-Vault-Token") != vaultToken || refused:
		fail(http.StatusForbidden, "permission denied")
		return
	case throttled:
		fail(http.StatusTooManyRequests, "request path \"transit/decrypt/portal\": rate limit quota exceeded")
		return
	case json.NewDecoder(r.Body).Decode(&in) != nil:
		fail(http.StatusBadRequest, "failed to parse JSON input")
		return
	}
	switch r.URL.Path {
	case "/v1/transit/encrypt/portal":
		sealed := "vault:v1:" + base64.StdEncoding.EncodeToString(s.encrypt(in.Plaintext, in.AssociatedData))
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"ciphertext": sealed, "key_version": 1}})
	case "/v1/transit/decrypt/portal":
		text, isVault := strings.CutPrefix(in.Ciphertext, "vault:v1:")
		sealed, err := base64.StdEncoding.DecodeString(text)
		plain, ok := s.decrypt(sealed, in.AssociatedData)
		if !isVault || err != nil || !ok {
			fail(http.StatusBadRequest, "cipher: message authentication failed")
			return
		}
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"plaintext": base64.StdEncoding.EncodeToString(plain)}})
	default:
		fail(http.StatusNotFound, "no handler for route \""+strings.TrimPrefix(r.URL.Path, "/v1/")+"\"")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
