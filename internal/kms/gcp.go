package kms

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"regexp"

	"google.golang.org/api/cloudkms/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

// gcpKey is a key of Google Cloud KMS, or a version of one.
type gcpKey struct {
	keys     *cloudkms.ProjectsLocationsKeyRingsCryptoKeysService
	versions *cloudkms.ProjectsLocationsKeyRingsCryptoKeysCryptoKeyVersionsService
	name     string
}

var gcpName = regexp.MustCompile(`^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+(/cryptoKeyVersions/[0-9]+)?$`)

func openGCP(ctx context.Context, name, endpoint string) (service, error) {
	if !gcpName.MatchString(name) {
		return nil, errors.New("gcp-kms:// must name a key, projects/P/locations/L/keyRings/R/cryptoKeys/K, or a version of one")
	}
	var o []option.ClientOption
	if endpoint != "" {
		o = append(o, option.WithEndpoint(endpoint))
	}
	client, err := cloudkms.NewService(context.WithoutCancel(ctx), o...) // tokens are renewed later
	if err != nil {
		return nil, err
	}
	keys := client.Projects.Locations.KeyRings.CryptoKeys
	return gcpKey{keys, keys.CryptoKeyVersions, name}, nil
}

// errGarbled is returned for what was changed on its way.
var errGarbled = errors.New("a request or an answer was garbled: its CRC32C is another one")

func crc(b []byte) int64 { return int64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))) }

// checked decodes an answer's field and compares its checksum.
func checked(text string, sum int64) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || crc(b) != sum {
		return nil, errGarbled
	}
	return b, nil
}

func (k gcpKey) encrypt(ctx context.Context, plain, associated []byte) ([]byte, error) {
	out, err := k.keys.Encrypt(k.name, &cloudkms.EncryptRequest{
		Plaintext: base64.StdEncoding.EncodeToString(plain), PlaintextCrc32c: crc(plain),
		AdditionalAuthenticatedData:       base64.StdEncoding.EncodeToString(associated),
		AdditionalAuthenticatedDataCrc32c: crc(associated),
	}).Context(ctx).Do()
	switch {
	case err != nil:
		return nil, err
	case !out.VerifiedPlaintextCrc32c || !out.VerifiedAdditionalAuthenticatedDataCrc32c:
		return nil, errGarbled
	}
	return checked(out.Ciphertext, out.CiphertextCrc32c)
}

func (k gcpKey) decrypt(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	out, err := k.keys.Decrypt(k.name, &cloudkms.DecryptRequest{
		Ciphertext: base64.StdEncoding.EncodeToString(sealed), CiphertextCrc32c: crc(sealed),
		AdditionalAuthenticatedData:       base64.StdEncoding.EncodeToString(associated),
		AdditionalAuthenticatedDataCrc32c: crc(associated),
	}).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	return checked(out.Plaintext, out.PlaintextCrc32c)
}

func (k gcpKey) publicKey(ctx context.Context) ([]byte, error) {
	out, err := k.versions.GetPublicKey(k.name).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(out.Pem))
	if crc([]byte(out.Pem)) != out.PemCrc32c || block == nil {
		return nil, errGarbled
	}
	return block.Bytes, nil
}

func (k gcpKey) sign(ctx context.Context, digest [32]byte) ([]byte, error) {
	out, err := k.versions.AsymmetricSign(k.name, &cloudkms.AsymmetricSignRequest{
		Digest: &cloudkms.Digest{Sha256: base64.StdEncoding.EncodeToString(digest[:])}, DigestCrc32c: crc(digest[:]),
	}).Context(ctx).Do()
	switch {
	case err != nil:
		return nil, err
	case out.Name != k.name:
		return nil, fmt.Errorf("the signature is by another key, %s", out.Name)
	case !out.VerifiedDigestCrc32c:
		return nil, errGarbled
	}
	return checked(out.Signature, out.SignatureCrc32c)
}

func (k gcpKey) explain(err error) (text string, temporary bool) {
	if api, ok := errors.AsType[*googleapi.Error](err); ok {
		return fmt.Sprintf("Google Cloud KMS: %d: %s", api.Code, api.Message), api.Code == http.StatusTooManyRequests || api.Code >= 500
	}
	return "Google Cloud KMS: " + err.Error(), true
}
