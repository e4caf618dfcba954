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
	Endpoint             string // URL of the object store, without a path
	Region               string
	AccessKey, SecretKey string
	Bucket               string // the bucket's name, optionally followed by a slash and a key prefix
}

// Bucket stores files in a bucket of an S3-compatible object store. Its methods return fault.Unavailable if a request fails.
type Bucket struct {
	client    *minio.Client
	transport *http.Transport
	bucket    string
	prefix    string // "" or ending in a slash
}

var _ Store = (*Bucket)(nil)

const (
	// bucketTimeout is the timeout of a request with its retries. It is short, as pages wait for pictures.
	bucketTimeout = 5 * time.Second
	bucketRetries = 2
)

// NewBucket returns a Bucket without connecting to it.
func NewBucket(o BucketOptions) (*Bucket, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Host == "" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, fmt.Errorf("%q is not the URL of an object store, such as https://s3.example.com", o.Endpoint)
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

// Close closes idle connections.
func (b *Bucket) Close() error {
	b.transport.CloseIdleConnections()
	return nil
}

// Check verifies the permissions of the access key by writing, reading, listing and deleting a file.
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
	return errors.Join(err, b.Remove(ctx, name))
}

// List returns the names with a prefix; see Store. The timeout is that of one page of a thousand names.
func (b *Bucket) List(ctx context.Context, prefix string) (names []string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(bucketTimeout, cancel)
	defer late.Stop()
	for object := range b.client.ListObjects(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}) {
		if object.Err != nil {
			return nil, unavailable(object.Err)
		}
		names = append(names, strings.TrimPrefix(object.Key, b.prefix))
		late.Reset(bucketTimeout)
	}
	if err := ctx.Err(); err != nil { // the client ends such a list without an error
		return nil, unavailable(err)
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

// Write creates or replaces a file; see Store.
func (b *Bucket) Write(ctx context.Context, name string, content []byte) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("files: %q is not a valid file name", name)
	}
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{})
	return unavailable(err)
}

// partSize is the size of the parts in which large files are uploaded, in bytes. Stores take 10,000 parts of a file.
const partSize = 64 << 20

// Upload creates or replaces a file of any size; see Large. Only ctx limits how long it takes.
func (b *Bucket) Upload(ctx context.Context, name string, content io.Reader) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("files: %q is not a valid file name", name)
	}
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, content, -1, minio.PutObjectOptions{PartSize: partSize})
	return unavailable(err)
}

// Download opens a file for reading; see Large. Only ctx limits how long it takes.
func (b *Bucket) Download(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, unavailable(err)
	}
	if _, err := object.Stat(); err != nil {
		_ = object.Close()
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return nil, fs.ErrNotExist
		}
		return nil, unavailable(err)
	}
	return object, nil
}

// Remove deletes a file; see Store.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("files: %q is not a valid file name", name)
	}
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	return unavailable(b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{}))
}

// unavailable wraps an error as fault.Unavailable; nil stays nil.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.Unavailable, "The file store does not answer.").Because(err)
}
