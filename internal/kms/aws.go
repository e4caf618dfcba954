package kms

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"
)

// awsKey is a key of AWS KMS.
type awsKey struct {
	client *kms.Client
	arn    string
}

func openAWS(ctx context.Context, arn string) (service, error) {
	parts := strings.SplitN(arn, ":", 6) // arn:aws:kms:REGION:ACCOUNT:key/ID
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "kms" || parts[3] == "" ||
		!strings.HasPrefix(parts[5], "key/") && !strings.HasPrefix(parts[5], "alias/") {
		return nil, errors.New("aws-kms:// must name a key by its ARN, arn:aws:kms:REGION:ACCOUNT:key/ID")
	}
	c, err := config.LoadDefaultConfig(ctx, config.WithRegion(parts[3]),
		config.WithRetryer(func() aws.Retryer { return aws.NopRetryer{} }))
	if err != nil {
		return nil, err
	}
	return awsKey{kms.NewFromConfig(c), arn}, nil
}

func (k awsKey) encrypt(ctx context.Context, plain, associated []byte) ([]byte, error) {
	out, err := k.client.Encrypt(ctx, &kms.EncryptInput{KeyId: &k.arn, Plaintext: plain, EncryptionContext: contextOf(associated)})
	if err != nil {
		return nil, err
	}
	return out.CiphertextBlob, nil
}

func (k awsKey) decrypt(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	out, err := k.client.Decrypt(ctx, &kms.DecryptInput{KeyId: &k.arn, CiphertextBlob: sealed, EncryptionContext: contextOf(associated)})
	if err != nil {
		return nil, err
	}
	return out.Plaintext, nil
}

// contextOf returns the encryption context, which AWS KMS authenticates and writes into its log.
func contextOf(associated []byte) map[string]string {
	return map[string]string{"purpose": string(associated)}
}

func (k awsKey) publicKey(ctx context.Context) ([]byte, error) {
	out, err := k.client.GetPublicKey(ctx, &kms.GetPublicKeyInput{KeyId: &k.arn})
	if err != nil {
		return nil, err
	}
	return out.PublicKey, nil
}

func (k awsKey) sign(ctx context.Context, digest [32]byte) ([]byte, error) {
	out, err := k.client.Sign(ctx, &kms.SignInput{
		KeyId: &k.arn, Message: digest[:], MessageType: types.MessageTypeDigest, SigningAlgorithm: types.SigningAlgorithmSpecEcdsaSha256,
	})
	if err != nil {
		return nil, err
	}
	return out.Signature, nil
}

// awsTemporary are the codes of errors after which AWS recommends to retry
// (https://docs.aws.amazon.com/kms/latest/APIReference/CommonErrors.html).
var awsTemporary = []string{
	"ThrottlingException", "Throttling", "RequestLimitExceeded", "LimitExceededException", "KMSInternalException",
	"DependencyTimeoutException", "KeyUnavailableException", "InternalFailure", "ServiceUnavailable", "RequestExpired",
}

func (k awsKey) explain(err error) (text string, temporary bool) {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		status, isHTTP := errors.AsType[interface {
			error
			HTTPStatusCode() int
		}](err)
		return "AWS KMS: " + api.ErrorCode() + ": " + api.ErrorMessage(),
			slices.Contains(awsTemporary, api.ErrorCode()) || isHTTP && status.HTTPStatusCode() >= http.StatusInternalServerError
	}
	return "AWS KMS: " + err.Error(), true
}
