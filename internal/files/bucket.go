package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"pantheon/internal/kit/fault"
)

// BucketOptions configure a Bucket.
type BucketOptions struct {
	Endpoint             string // of the object store: its scheme, its host, and perhaps a port
	Region               string
	AccessKey, SecretKey string
	Bucket               string // its name, and perhaps a slash and what all names begin with
}

// Bucket keeps files in a bucket of an object store that speaks S3. All its methods return fault.Unavailable if the store does not answer
// as it should.
type Bucket struct {
	client    *minio.Client
	transport *http.Transport
	bucket    string
	prefix    string // "" or with a slash at its end
}

var _ Store = (*Bucket)(nil)

const (
	// bucketTimeout is for one call with its retries: a page waits for pictures.
	bucketTimeout = 5 * time.Second
	bucketRetries = 2
)

// NewBucket returns a Bucket. It connects to nothing yet.
func NewBucket(o BucketOptions) (*Bucket, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Host == "" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, fmt.Errorf("%q is no address of an object store: a scheme, a host and perhaps a port", o.Endpoint)
	}
	name, prefix, _ := strings.Cut(strings.Trim(o.Bucket, "/"), "/")
	if prefix != "" {
		prefix += "/"
	}
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, err
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""), Secure: endpoint.Scheme == "https", Region: o.Region,
		Transport: transport, MaxRetries: bucketRetries,
	})
	if err != nil {
		return nil, err
	}
	return &Bucket{client: client, transport: transport, bucket: name, prefix: prefix}, nil
}

// Close closes the connections that are idle.
func (b *Bucket) Close() error {
	b.transport.CloseIdleConnections()
	return nil
}

// Check writes, reads and lists a file, as the permissions of the keys may allow less.
func (b *Bucket) Check(ctx context.Context) error {
	const name, content = "check.txt", "This file is written by pantheon check.\n"
	if err := b.Write(ctx, name, []byte(content)); err != nil {
		return err
	}
	if read, err := b.Read(ctx, name); err != nil || string(read) != content {
		return errors.Join(err, fmt.Errorf("%s has other content than was written", name))
	}
	names, err := b.List(ctx, name)
	if err == nil && !slices.Equal(names, []string{name}) {
		err = fmt.Errorf("%s is not listed", name)
	}
	return err
}

// List returns the names of the files that begin with a prefix; see Store.
func (b *Bucket) List(ctx context.Context, prefix string) (names []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	for object := range b.client.ListObjects(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}) {
		if object.Err != nil {
			return nil, unavailable(object.Err)
		}
		names = append(names, strings.TrimPrefix(object.Key, b.prefix))
	}
	slices.Sort(names)
	return names, nil
}

// Read returns a file; see Store.
func (b *Bucket) Read(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	object, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, unavailable(err)
	}
	defer func() { _ = object.Close() }()
	content, err := io.ReadAll(object)
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, fs.ErrNotExist
	}
	return content, unavailable(err)
}

// Write keeps a file; see Store.
func (b *Bucket) Write(ctx context.Context, name string, content []byte) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("files: %q is no name of a file", name)
	}
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{})
	return unavailable(err)
}

// unavailable says that the store did not answer as it should; nil stays nil.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.Unavailable, "The file store does not answer.").Because(err)
}
